//! Review: two files disagree, a key decides, and Ctrl+Z takes the decision back.

use crate::app::App;
use crate::browser::key;
use serde_json::json;

const PLACE: &str = "document.querySelector('[data-testid=conflict-place]')?.innerText";

/// Two files that cannot both be right.
fn disagree(app: &App, name: &str, one: &str, other: &str) {
    let files = [
        app.file(&format!("in/{name}-1.txt"), one.as_bytes()),
        app.file(&format!("in/{name}-2.txt"), other.as_bytes()),
    ];
    app.ingest("default", &files);
}

fn waiting(app: &App, count: usize) {
    let noun = if count == 1 { "open conflict" } else { "open conflicts" };
    let words = "(document.querySelector('[data-testid=review-count] .hidden-words')?.textContent ?? '').split(', ')";
    let says = match count {
        0 => format!("!{words}.some(part => part.includes('open conflict'))"),
        _ => format!("{words}.includes('{count} {noun}')"),
    };
    app.wait(&format!("{count} open conflicts"), &says, 20);
}

/// A conflict must be seen for a moment before a key decides it.
fn look(app: &App) {
    app.wait(
        "a conflict that was seen",
        "window.__seen ? performance.now() > window.__seen + 600 : (window.__seen = performance.now(), false)",
        5,
    );
    app.run("window.__seen = 0;", json!([]));
}

#[test]
fn a_key_decides_and_undo_restores() {
    let Some(app) = App::start() else { return };
    app.go("/review");
    app.wait(
        "the sentence",
        "document.querySelector('[data-testid=empty]')?.innerText.includes('Nothing to decide.')",
        10,
    );
    disagree(&app, "ana", "Ana Ruiz was born on 3 May 1984.", "Ana Ruiz was born on 5 May 1984.");
    app.wait(
        "what came up",
        "[...document.querySelectorAll('[data-testid=toast]')].some(e => e.innerText.includes('Two sources disagree on when Ana was born. Nothing was changed.'))",
        20,
    );
    waiting(&app, 1);
    app.wait("the conflict", &format!("{PLACE} === 'Conflict 1 of 1'"), 10);
    let quotes = app.value(
        "[...document.querySelectorAll('[data-testid=conflict] [data-testid=quote]')].map(e => e.textContent).sort()",
    );
    assert_eq!(quotes, json!(["Ana Ruiz was born on 3 May 1984.", "Ana Ruiz was born on 5 May 1984."]));
    let values = app.value("[...document.querySelectorAll('.differs')].map(e => e.textContent).sort()");
    assert_eq!(values, json!(["3", "5"]), "only what differs is underlined");
    // Enter alone decides nothing.
    look(&app);
    app.press(&[key::ENTER]);
    waiting(&app, 1);
    app.press(&['1']);
    waiting(&app, 0);
    let left = app.call("conflicts_list", json!({ "resolved": true }));
    assert_eq!(left["conflicts"][0]["resolution"]["resolution_type"], "claim_a_wins");
    assert_eq!(left["conflicts"][0]["claim_b"]["state"], "retracted");
    app.press(&[key::CTRL, 'z']);
    waiting(&app, 1);
    app.wait("the conflict again", &format!("{PLACE} === 'Conflict 1 of 1'"), 10);
    let open = app.call("conflicts_list", json!({}));
    assert_eq!(open["conflicts"][0]["claim_b"]["state"], "disputed");
}

#[test]
fn a_warning_leads_to_its_conflict_in_a_space_that_is_read_along() {
    let Some(app) = App::start() else { return };
    app.call("space_create", json!({ "name": "Garden" }));
    app.call("overlay_set", json!({ "space": "default", "overlay": "Garden", "mode": "read_only" }));
    let lives = |place: &str| json!({ "subject": "Maya Lind", "subject_type": "person", "predicate": "lives_in", "object": place });
    app.call("facts_add", json!({ "space": "Garden", "facts": [lives("Marlow"), lives("Halden")] }));
    app.wait_until_read();
    app.ask("Maya Lind lives in Marlow");
    app.click("[data-testid=warning-leads]");
    app.wait("the conflict of the other space", &format!("{PLACE} === 'Conflict 1 of 1'"), 10);
}

#[test]
fn a_conflict_that_is_not_listed_is_shown_and_one_that_was_decided_is_said_to_be() {
    let Some(app) = App::start() else { return };
    let first = ["Ana", "Ben", "Clara", "Dora", "Emil", "Frida", "Gustav", "Hanna", "Ivo", "Jonas", "Kira"];
    let last = ["Ruiz", "Ode", "Voss", "Lind", "Marsh", "Quill", "Finch", "Becker", "Tanaka", "Okafor"];
    let aged = |of: usize, age: &str| {
        let name = format!("{} {}", first[of / 10], last[of % 10]);
        json!({ "subject": name, "subject_type": "person", "predicate": "age", "object": age })
    };
    // More than are listed at once.
    for of in 0..101 {
        app.call("facts_add", json!({ "space": "default", "facts": [aged(of, "31"), aged(of, "32")] }));
    }
    let listed = app.call("conflicts_list", json!({ "offset": 100 }));
    let last = &listed["conflicts"][0];
    assert_eq!(listed["total"], 101);
    let address = format!("/review?conflict={}", last["id"].as_str().unwrap());
    app.go(&address);
    app.wait("the one behind those that are listed", &format!("{PLACE} === '101 open conflicts'"), 20);
    app.go("/");
    app.call("conflicts_resolve", json!({ "conflict": last["id"], "resolution": "both_disputed" }));
    app.go(&address);
    let over = "document.querySelector('[data-testid=conflict-over]')?.innerText.includes('open no more. Both stay disputed.')";
    app.wait("that it was decided", over, 10);
    app.wait("another one", &format!("{PLACE} === 'Conflict 1 of 100'"), 10);
}

#[test]
fn conflicts_are_walked_decided_otherwise_and_reopened() {
    let Some(app) = App::start() else { return };
    disagree(&app, "ana", "Ana Ruiz lives in Marlow.", "Ana Ruiz lives in Halden.");
    disagree(&app, "ben", "Ben Ode was born on 1 June 1980.", "Ben Ode was born on 2 June 1980.");
    waiting(&app, 2);
    app.press(&[key::CTRL, '5']);
    app.wait("the first", &format!("{PLACE} === 'Conflict 1 of 2'"), 10);
    app.press(&['j']);
    app.wait("the second", &format!("{PLACE} === 'Conflict 2 of 2'"), 10);
    app.press(&['k']);
    app.wait("the first", &format!("{PLACE} === 'Conflict 1 of 2'"), 10);
    look(&app);
    app.press(&['4']);
    app.wait_dialog("other");
    app.fill("[data-testid=a-until]", "2020");
    app.fill("[data-testid=b-from]", "2020");
    app.click("[data-testid=form-submit]");
    app.wait_no_dialog();
    waiting(&app, 1);
    app.wait("the one that is left", &format!("{PLACE} === 'Conflict 1 of 1'"), 10);
    look(&app);
    app.press(&['3']);
    waiting(&app, 0);
    app.click("[data-testid=tab-history] a");
    app.wait("both decisions", "document.querySelectorAll('[data-testid=decided-row]').length === 2", 10);
    app.click("[data-testid=reopen]");
    waiting(&app, 1);
    app.wait(
        "the one that was taken back",
        "[...document.querySelectorAll('[data-testid=decision]')].filter(e => e.innerText.includes('Taken back')).length === 1",
        10,
    );
}

#[test]
fn something_else_is_right_since_a_day() {
    const SINCE: &str = "1609459200000";
    let Some(app) = App::start() else { return };
    disagree(&app, "ana", "Ana Ruiz lives in Marlow.", "Ana Ruiz lives in Halden.");
    waiting(&app, 1);
    app.press(&[key::CTRL, '5']);
    app.wait("the conflict", &format!("{PLACE} === 'Conflict 1 of 1'"), 10);
    look(&app);
    app.press(&['4']);
    app.wait_dialog("other");
    app.click("[data-testid=other-value]");
    app.fill("[data-testid=other-text]", "Turin");
    app.fill("[data-testid=value-from]", "2021");
    app.click("[data-testid=form-submit]");
    app.wait_no_dialog();
    waiting(&app, 0);
    let facts = app.call("facts_search", json!({ "entity": "Ana Ruiz" })).to_string();
    assert!(facts.contains("lives in Turin") && facts.contains(SINCE) && !facts.contains("lives in Marlow"), "{facts}");
}

#[test]
fn three_values_are_one_matter_and_a_decision_settles_what_it_is_part_of() {
    let Some(app) = App::start() else { return };
    let ages = ["31", "32", "33"].map(|age| json!({ "subject": "Clara Voss", "predicate": "age", "object": age }));
    app.call("facts_add", json!({ "space": "default", "facts": ages }));
    app.go("/review");
    waiting(&app, 3);
    app.wait("the pairs", "document.querySelectorAll('[data-testid=pair]').length === 3", 10);
    let rows = app.value("[...document.querySelectorAll('[data-testid=conflict-row]')].map(e => e.innerText)");
    let rows: Vec<&str> = rows.as_array().expect("a list").iter().filter_map(|row| row.as_str()).collect();
    assert!(rows.len() == 1 && rows[0].contains("Age: 31, 32 or 33") && rows[0].contains("3 conflicts"), "{rows:?}");
    let says = app.value("document.querySelector('[data-testid=conflict-says]').innerText.trim()");
    assert_eq!(says, json!("Sources disagree on the age of Clara: 31, 32 or 33. Nothing was changed."));
    app.click("[data-testid=pair]:not([aria-current])");
    app.wait("another pair", &format!("{PLACE} === 'Conflict 2 of 3'"), 10);
    look(&app);
    app.press(&['1']);
    waiting(&app, 1);
    app.wait(
        "what was settled with it",
        "document.querySelector('[data-testid=toast]')?.innerText.includes('is right. That settled 1 more conflict, too.')",
        10,
    );
    app.wait("the pair that is left", "!document.querySelector('[data-testid=pairs]')", 10);
    app.press(&[key::CTRL, 'z']);
    waiting(&app, 3);
    let again = "document.querySelector('[data-testid=conflict-says]')?.innerText.includes('Open again since ')";
    app.wait("that it is open again", again, 10);
    look(&app);
    app.press(&['2']);
    waiting(&app, 1);
    app.click("[data-testid=tab-history] a");
    app.wait("all three", "document.querySelectorAll('[data-testid=decided-row]').length === 3", 10);
    let told = app.value(
        "[...document.querySelectorAll('[data-testid=decided-row]')].map(e => [e.querySelector('[data-testid=decision]').innerText.trim(),
            e.querySelector('[data-testid=decided-by]').innerText.startsWith('by you, '), !!e.querySelector('[data-testid=reopen]')]).sort()",
    );
    let resolved = app.call("conflicts_list", json!({ "resolved": true }));
    let by_hand =
        resolved["conflicts"].as_array().expect("a list").iter().find(|c| c["resolution"]["by_itself"] == false);
    let [a, b] = ["claim_a", "claim_b"]
        .map(|side| by_hand.expect("a decision")[side]["object"]["value"].as_str().expect("a value"));
    assert_eq!(
        told,
        json!([
            [format!("{b} is right"), true, true],
            [format!("Settled by itself: {a} is no longer believed"), false, false],
            [format!("Taken back: {a} is right"), true, false]
        ])
    );
}

#[test]
fn history_tells_who_decided_and_what_settled_by_itself() {
    let Some(app) = App::start() else { return };
    disagree(&app, "ana", "Ana Ruiz was born on 3 May 1984.", "Ana Ruiz was born on 5 May 1984.");
    disagree(&app, "ben", "Ben Ode was born on 1 June 1980.", "Ben Ode was born on 2 June 1980.");
    waiting(&app, 2);
    app.call("artifact_remove", json!({ "id": crate::scenes::artifact(&app, "ben-2.txt") }));
    waiting(&app, 1);
    let open = app.call("conflicts_list", json!({}));
    let conflict = open["conflicts"][0]["id"].clone();
    app.call("conflicts_resolve", json!({ "conflict": conflict, "resolution": "claim_a_wins" }));
    app.go("/review?tab=history");
    app.wait("both", "document.querySelectorAll('[data-testid=decided-row]').length === 2", 20);
    let of = |name: &str| {
        let row = "[...document.querySelectorAll('[data-testid=decided-row]')]";
        let words = |part: &str| format!("e.querySelector('[data-testid={part}]').innerText.trim()");
        app.value(&format!(
            "(e => [{}, {}.startsWith('by you, '), !!e.querySelector('[data-testid=reopen]')])({row}.find(e => e.innerText.includes({name:?})))",
            words("decision"),
            words("decided-by"),
        ))
    };
    let decided = of("Ana Ruiz");
    assert!(decided[0].as_str().is_some_and(|words| words.ends_with(" May 1984 is right")), "{decided}");
    assert_eq!((&decided[1], &decided[2]), (&json!(true), &json!(true)));
    let settled = of("Ben Ode");
    assert!(settled[0].as_str().is_some_and(|words| words.starts_with("Settled by itself: ")), "{settled}");
    assert_eq!((&settled[1], &settled[2]), (&json!(false), &json!(false)), "nobody decided, so nothing is reopened");
    app.click("[data-testid=settled-open]");
    app.wait(
        "what is believed now",
        "document.querySelector('[data-testid=entity-name]')?.innerText === 'Ben Ode'",
        10,
    );
}

#[test]
fn a_name_that_may_mean_two_waits_until_one_is_chosen() {
    let Some(app) = App::start() else { return };
    for name in ["Jordan Smith", "Jordan Lee"] {
        let fact = json!({ "subject": name, "subject_type": "person", "predicate": "likes", "object": "tea" });
        app.call("facts_add", json!({ "space": "default", "facts": [fact] }));
        let id = crate::beliefs::entity(&app, name);
        app.call("entity_edit", json!({ "entity": id, "alias": "Jordan" }));
    }
    app.go("/review?tab=names");
    app.wait("the sentence", "document.querySelector('[data-testid=empty]')?.innerText.includes('Nothing waits')", 10);
    let file = app.file("in/notes.txt", b"Nora Quist reports to Jordan.\n");
    app.ingest("default", &[file]);
    app.wait(
        "the tab's number",
        "document.querySelector('[data-testid=tab-names]').innerText === 'Candidates (1)'",
        20,
    );
    let quote =
        app.wait("the words", "document.querySelector('[data-testid=name] [data-testid=quote]')?.innerText", 10);
    assert!(quote.as_str().is_some_and(|quote| quote.contains("reports to Jordan")), "{quote}");
    let choices =
        "[...document.querySelectorAll('[data-testid=name-choice] .entity-link')].map(e => e.innerText.trim())";
    assert_eq!(app.value(choices), json!(["Jordan Smith", "Jordan Lee"]));
    app.click("[data-testid=name-choice]:nth-child(1) [data-testid=name-this]");
    app.wait("nothing that waits", "document.querySelector('[data-testid=empty]')", 20);
    app.click("[data-testid=toast-undo]");
    app.wait("the name, waiting again", "document.querySelector('[data-testid=name]')", 20);
    app.click("[data-testid=name-choice]:nth-child(2) [data-testid=name-this]");
    app.wait("nothing that waits", "document.querySelector('[data-testid=empty]')", 20);
    crate::beliefs::open(&app, "Nora Quist");
    app.wait("the claim", "document.querySelector('[data-testid=claim]')?.innerText.includes('Jordan Lee')", 20);
}

#[test]
fn every_kind_of_decision_is_listed_and_taken_back_where_it_can_be() {
    let Some(app) = App::start() else { return };
    let kept = app.call("memory_remember", json!({ "text": "Write to ana@halden.example.", "space": "default" }));
    let memory = kept["memory"]["id"].clone();
    crate::samples::space(&app, "Team", None);
    app.wait_until_read();
    let fact = |city: &str| json!({ "subject": "Ana", "predicate": "lives_in", "object": city });
    let added = app.call("facts_add", json!({ "space": "default", "facts": [fact("Oslo"), fact("Porto")] }));
    let conflict = added["facts"][1]["conflicts"][0].clone();
    app.call("conflicts_resolve", json!({ "conflict": conflict, "resolution": "claim_b_wins" }));
    app.call("findings_decide", json!({ "decision": "dismiss", "all": { "memory": memory } }));
    let asked = app.call("promotion_request", json!({ "kind": "memory", "id": memory, "to": "Team" }));
    app.call("promotion_decide", json!({ "id": asked["id"], "decision": "reject" }));
    app.go("/review?tab=history");
    let decisions = "[...document.querySelectorAll('[data-testid=decision]')].map(e => e.innerText.trim()).join('; ')";
    app.wait("all of them", &format!("{decisions} === 'Rejected; Stays as it is; Porto is right'"), 20);
    app.click_words("[data-testid=history-kind]", "Redactions");
    app.wait("one kind", &format!("{decisions} === 'Stays as it is'"), 10);
    app.click("[data-testid=reopen]");
    app.wait(
        "nothing",
        "document.querySelector('[data-testid=empty]')?.innerText.includes('Nothing of that kind')",
        10,
    );
    let waits = app.call("findings_list", json!({ "memory": memory }));
    assert_eq!(waits["total"], json!(1), "{waits:.300}");
    app.click_words("[data-testid=history-kind]", "All");
    app.wait("the others", &format!("{decisions} === 'Rejected; Porto is right'"), 10);
}
