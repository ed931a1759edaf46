//! Beliefs: who is spoken of, what is believed of them, and the way back to the words.

use crate::app::App;
use crate::browser::key;
use crate::samples::folder;
use serde_json::json;

/// Waits until all that was read is believed, and gives the id of an entity.
pub fn entity(app: &App, name: &str) -> String {
    app.wait_until_read();
    let script = "const end = performance.now() + 20000;
        for (;;) {
          const listed = await window.__TAURI__.core.invoke('call',
              { name: 'entities_list', request: { space: 'default', query: arguments[0] } });
          const found = listed.entities.find(e => e.name === arguments[0]);
          if (found) return found.id;
          if (performance.now() > end) throw new Error('nobody is called ' + arguments[0]);
          await new Promise(done => setTimeout(done, 50));
        }";
    let id = app.settle(script, json!([name])).expect("the entity is known");
    id.as_str().expect("an entity has an id").to_owned()
}

/// Goes to the page of an entity.
pub fn open(app: &App, name: &str) {
    app.go(&format!("/beliefs/{}", entity(app, name)));
    app.wait("its claims", "document.querySelector('[data-testid=claim]')", 10);
}

/// A row of the page that contains some words.
fn row(words: &str) -> String {
    format!("[...document.querySelectorAll('[data-testid=claim]')].find(e => e.innerText.includes({words:?}))")
}

fn mark(app: &App, what: &str, expression: &str) {
    let script = format!(
        "(e => {{ if (!e) return false; document.querySelectorAll('[data-here]').forEach(o => o.removeAttribute('data-here'));
           e.setAttribute('data-here', ''); return true; }})({expression})"
    );
    app.wait(what, &script, 10);
}

#[test]
fn an_entity_is_found_and_its_claims_lead_to_their_words() {
    let Some(app) = App::start() else { return };
    app.go("/beliefs");
    app.wait(
        "the sentence",
        "document.querySelector('[data-testid=empty]')?.innerText.includes('No beliefs yet.')",
        10,
    );
    app.ingest("default", &[folder()]);
    entity(&app, "Ana Ruiz");
    app.fill("[data-testid=beliefs-filter]", "ruiz");
    app.wait("one row", "document.querySelectorAll('[data-testid=entity-row]').length === 1", 10);
    app.click("[data-testid=entity-row] a");
    app.wait("her name", "document.querySelector('[data-testid=entity-name]')?.innerText === 'Ana Ruiz'", 10);
    mark(&app, "where she works", &format!("{}?.querySelector('[data-testid=citation]')", row("Northwind")));
    let chip = app.value("document.querySelector('[data-here]').innerText.replace(/\\s+/g, ' ').trim()");
    assert_eq!(chip, json!("club-letter.txt line 4"), "a source is named with its place");
    let time = app.value(&format!("{}.querySelector('[data-testid=claim-time]').innerText", row("Northwind")));
    assert_eq!(time, json!("since 2021"));
    let within = app.value("performance.now()").as_f64().expect("a time");
    app.click("[data-here]");
    app.wait("the highlight", "document.querySelector('.pane [data-testid=highlight]')", 10);
    let took = app.value("performance.now()").as_f64().expect("a time") - within;
    assert!(took < 1000.0 + 400.0, "the words were there after {took:.0} ms, the driver's own way included");
    let shown = app.value("[...document.querySelectorAll('.pane mark.cited')].map(e => e.textContent).join('')");
    assert!(shown.as_str().is_some_and(|words| words.contains("Northwind")), "{shown} is marked");
}

#[test]
fn why_shows_the_evidence_and_the_arithmetic_and_takes_back() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    open(&app, "Ana Ruiz");
    mark(&app, "where she works", &format!("{}?.querySelector('[data-focus]')", row("Northwind")));
    app.run("document.querySelector('[data-here]').focus()", json!([]));
    app.press(&['w']);
    app.wait(
        "the arithmetic",
        "document.querySelector('[data-testid=arithmetic]')?.innerText.startsWith('1 - (1 - ')",
        10,
    );
    assert!(
        app.value("document.querySelectorAll('[data-testid=evidence] [data-testid=quote]').length").as_u64() >= Some(1)
    );
    app.press(&['e']);
    app.wait("no evidence", "!document.querySelector('[data-testid=claim-explained]')", 10);
    app.press(&['e']);
    app.click("[data-testid=retract]");
    app.wait(
        "the claim is gone",
        &format!("document.querySelector('[data-testid=toast-undo]') && !{}", row("Northwind")),
        10,
    );
    app.run("document.getElementById('main').focus()", json!([]));
    app.press(&[key::CTRL, 'z']);
    app.wait("the claim is back", &row("Northwind"), 10);
}

#[test]
fn entities_are_merged_and_parted() {
    let Some(app) = App::start() else { return };
    app.call(
        "facts_add",
        json!({ "space": "default", "facts": [
        { "subject": "Ana Ruiz", "subject_type": "person", "predicate": "email", "object": "ana@example.org" },
        { "subject": "Anna Vega", "subject_type": "person", "predicate": "phone", "object": "0555 0199" },
    ] }),
    );
    open(&app, "Ana Ruiz");
    app.click("[data-testid=merge]");
    app.wait_dialog("merge");
    app.fill("[data-testid=pick-field]", "vega");
    app.click_words("[data-testid=pick]", "Anna Vega");
    app.wait("both sides", "document.querySelectorAll('[data-testid=merge-side]').length === 2", 10);
    app.click("[data-testid=form-submit]");
    app.wait_no_dialog();
    app.wait("all claims at one", "document.querySelectorAll('[data-testid=claim]').length === 2", 10);
    app.click("[data-testid=unmerge]");
    app.wait("its own claim alone", "document.querySelectorAll('[data-testid=claim]').length === 1", 10);
    open(&app, "Anna Vega");
}

#[test]
fn a_fact_is_added_by_hand_and_its_source_is_who_said_it() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    open(&app, "Ana Ruiz");
    app.click("[data-testid=fact-add]");
    app.wait_dialog("add-fact");
    app.fill("[data-testid=fact-predicate]", "Phone number");
    app.fill("[data-testid=fact-value]", "0555 0123");
    app.wait("the sentence", "document.querySelector('[data-testid=fact-reads]')?.innerText.includes('0555 0123')", 10);
    app.click("[data-testid=form-submit]");
    app.wait_no_dialog();
    let said =
        format!("{}?.querySelector('[data-testid=citation]')?.innerText.includes('you said so')", row("0555 0123"));
    app.wait("the fact and its source", &said, 10);
    let until =
        json!({ "subject": "Ana Ruiz", "predicate": "member_of", "object": "Rowing Club", "valid_until": "2019" });
    app.call("facts_add", json!({ "space": "default", "facts": [until] }));
    let time = format!("{}?.querySelector('[data-testid=claim-time]').innerText === 'until 2019'", row("Rowing Club"));
    app.wait("when it was so", &time, 10);
}

#[test]
fn the_focus_stays_with_an_entity_that_moves_in_the_list() {
    let Some(app) = App::start() else { return };
    let likes = |who: &str, what: &[&str]| {
        let facts: Vec<_> = what
            .iter()
            .map(|what| json!({ "subject": who, "subject_type": "person", "predicate": "likes", "object": what }))
            .collect();
        app.call("facts_add", json!({ "space": "default", "facts": facts }));
    };
    likes("Ana Ruiz", &["tea"]);
    app.go("/beliefs");
    let first = "document.querySelector('[data-index=\"0\"] [data-testid=entity-row] a')";
    app.wait("the entity", &format!("{first}?.innerText.includes('Ana Ruiz')"), 20);
    app.run("document.querySelector('[data-testid=entity-row] a').focus();", json!([]));
    let here = "document.activeElement.closest('[data-testid=entity-row]')?.innerText";
    likes("Ana Ruiz", &["coffee"]);
    app.wait("what is new of it, under the focus", &format!("{here}?.includes('2 claims')"), 20);
    likes("Ben Ode", &["tea", "milk", "bread"]);
    app.wait("another first", &format!("{first}?.innerText.includes('Ben Ode')"), 20);
    app.wait("the focus on the same", &format!("{here}?.includes('Ana Ruiz')"), 10);
    app.press(&[key::ENTER]);
    app.wait("its page", "document.querySelector('[data-testid=entity-name]')?.innerText === 'Ana Ruiz'", 10);
}

#[test]
fn the_keys_of_an_entity() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    open(&app, "Ana Ruiz");
    app.run("document.querySelector('.claim [data-focus]').focus()", json!([]));
    app.press(&[key::DOWN]);
    let second = "document.activeElement === document.querySelectorAll('.claim [data-focus]')[1]";
    app.wait("the second claim", second, 10);
    app.find("[data-testid=graph]");
    app.press(&['g']);
    app.find("[data-testid=near-rows]");
    app.press(&[key::CTRL, 'k']);
    app.wait_dialog("palette");
    app.type_keys("@marta");
    app.wait("one offer", "document.querySelectorAll('[data-testid=palette-offer]').length === 1", 10);
    app.press(&[key::ENTER]);
    app.wait("her page", "document.querySelector('[data-testid=entity-name]')?.innerText === 'Marta Olsen'", 10);
}

#[test]
fn an_entity_is_shared_with_all_spaces_and_that_is_stopped() {
    let Some(app) = App::start() else { return };
    let fact =
        json!({ "subject": "Orbis", "subject_type": "organization", "predicate": "located_in", "object": "Oslo" });
    app.call("facts_add", json!({ "space": "default", "facts": [fact] }));
    open(&app, "Orbis");
    let own = app.value("location.pathname");
    let shared = |wanted: bool| {
        let sign = if wanted { "!!" } else { "!" };
        let there = format!(
            "{sign}document.querySelector('[data-testid=shared]') && document.querySelector('[data-testid=claim]')"
        );
        app.wait(if wanted { "it is shared" } else { "it is not shared" }, &there, 10);
    };
    shared(false);
    // By the key, which asks first and says what it means.
    app.run("document.querySelector('.claim [data-focus]').focus()", json!([]));
    app.press(&['s']);
    app.wait_dialog("share");
    let says = app.value("document.querySelector('[data-testid=dialog-share]').innerText");
    assert!(says.as_str().is_some_and(|says| says.contains("What is believed of it")), "{says}");
    app.click("[data-testid=form-submit]");
    app.wait_no_dialog();
    shared(true);
    assert_ne!(app.value("location.pathname"), own, "the page is that of the one for all spaces");
    app.run("document.getElementById('main').focus()", json!([]));
    app.press(&[key::CTRL, 'z']);
    shared(false);
    assert_eq!(app.value("location.pathname"), own, "and back");
    // By the menu.
    app.click("[aria-label=More]");
    app.click_words("[role=menuitem]", "Share with all spaces");
    app.wait_dialog("share");
    app.click("[data-testid=form-submit]");
    shared(true);
    app.click("[aria-label=More]");
    app.click_words("[role=menuitem]", "Stop sharing");
    app.wait_dialog("unshare");
    app.click("[data-testid=form-submit]");
    app.wait_no_dialog();
    shared(false);
    app.run("document.getElementById('main').focus()", json!([]));
    app.press(&[key::CTRL, 'z']);
    shared(true);
}

#[test]
fn where_somebody_is_only_named_is_listed() {
    let Some(app) = App::start() else { return };
    let fact = json!({ "subject": "Dana Moss", "subject_type": "person", "predicate": "likes", "object": "tea" });
    app.call("facts_add", json!({ "space": "default", "facts": [fact] }));
    let file = app.file("in/ferry.txt", b"On the ferry we talked with Dana Moss about the weather.\n");
    app.ingest("default", &[file]);
    open(&app, "Dana Moss");
    let said = "[...document.querySelectorAll('[data-testid=mention]')].map(e => e.innerText).join(' ')";
    app.wait("the words around the name", &format!("{said}.includes('On the ferry we talked with Dana Moss')"), 20);
    app.click("[data-testid=mention] [data-testid=citation]");
    app.wait("the marked words", "document.querySelector('.pane mark.cited')", 10);
}
