//! Around a question: why a passage is there and another is not, other days, saved searches, traces and packs.

use crate::app::App;
use crate::browser::key;
use crate::samples::folder;
use crate::scenes::ANSWERS;
use serde_json::json;

/// Moves the slider to a day, such as `2019-05-03`, and waits until the question was asked again.
pub fn as_of(app: &App, day: &str) {
    app.wait("the slider", "document.querySelector('[data-testid=as-of]')", 10);
    let reached = format!("+document.querySelector('[data-testid=as-of]').min <= Date.parse({day:?}) / 864e5");
    app.wait("a slider that reaches so far", &reached, 10);
    app.run(
        "const slider = document.querySelector('[data-testid=as-of]');
         slider.value = Date.parse(arguments[0]) / 864e5;
         slider.dispatchEvent(new Event('input', { bubbles: true }));",
        json!([day]),
    );
    let asked = format!("document.querySelector('.answer')?.dataset.day === String(Date.parse({day:?}) / 864e5)");
    app.wait("an answer as of that day", &asked, 20);
    app.wait_settled();
}

/// Opens "Why not…" for the question that was asked, and chooses what a name finds.
pub fn why_not(app: &App, name: &str) {
    app.click("[data-testid=why-not]");
    app.wait_dialog("why-not");
    app.fill("[data-testid=why-not-field]", name);
    app.click_words("[data-testid=why-not-offer]", name);
    app.find("[data-testid=why-not-reason]");
}

/// Builds a pack.
pub fn pack(app: &App, query: &str, budget: u32) {
    app.go("/recall?tab=context");
    app.fill("[data-testid=pack-query]", query);
    app.fill("[data-testid=pack-budget]", &budget.to_string());
    app.click("[data-testid=pack-build]");
    app.find("[data-testid=pack-text]");
    app.wait_settled();
}

/// Opens the newest trace.
pub fn trace(app: &App) {
    app.go("/recall?tab=traces");
    app.click("[data-testid=trace-row] a");
    app.find("[data-testid=trace-sure]");
    app.wait_settled();
}

#[test]
fn a_passage_that_is_shown_says_so_once_it_is_out_of_the_way_or_removed() {
    let Some(app) = App::start() else { return };
    let kept = app.call("memory_remember", json!({"text": "The ferry horn is made of brass.", "space": "default"}));
    app.ask("ferry horn brass");
    app.find("[data-testid=result]");
    assert_eq!(app.value("document.querySelectorAll('[data-testid=hit-gone]').length"), json!(0));
    let told = |words: &str| {
        let gone = "document.querySelector('.result.gone [data-testid=hit-gone]')?.innerText";
        app.wait("what became of it", &format!("{gone}?.includes('{words}')"), 10);
    };
    let id = &kept["memory"]["id"];
    app.call("memory_tier", json!({"id": id, "tier": "cold"}));
    told("out of the way");
    // At once after that, while it rests.
    app.call("memory_remove", json!({"id": id}));
    told("removed");
}

#[test]
fn a_passage_says_why_it_is_there_and_what_was_passed_over_why_not() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    app.ask(ANSWERS[0].0);
    app.click("[data-testid=why]");
    app.wait("bars", "document.querySelectorAll('[data-testid=why-parts] [data-testid=signal-bar]').length > 1", 10);
    let says = app.value("document.querySelector('[data-testid=why-says]').innerText");
    assert!(says.as_str().is_some_and(|says| says.contains("by its words")), "{says}");
    let words = app.value("document.querySelector('[data-testid=why-parts]').innerText");
    let words = words.as_str().expect("words");
    assert!(words.contains("Its words") && words.contains("Its meaning"), "{words}");
    assert!(!words.to_lowercase().contains("bm25") && !words.contains("cosine"), "no jargon: {words}");
    app.click("[data-testid=passed-over]");
    app.wait("how many were found", "document.querySelector('[data-testid=passed-count]')?.innerText", 10);
    let shares = "[...document.querySelectorAll('[data-testid=passed-row]')].every(e => / %/.test(e.innerText))";
    assert_eq!(app.value(shares), json!(true), "each says how near it came");
    why_not(&app, "insurance");
    let reason = app.value("document.querySelector('[data-testid=why-not-reason]').innerText");
    assert!(reason.as_str().is_some_and(|reason| reason.len() > 20), "{reason}");
    app.wait("its heading", "document.activeElement?.dataset.testid === 'why-not-title'", 10);
    app.click("[data-testid=why-not-another]");
    app.wait("the field again", "document.activeElement?.dataset.testid === 'why-not-field'", 10);
    app.wait("what may be meant", "document.querySelector('[data-testid=why-not-offer]')", 10);
    app.fill("[data-testid=why-not-field]", "zzqxwv");
    app.wait("that there is none", "document.querySelector('[data-testid=why-not-none]')", 10);
    app.press(&[key::ESC]);
    app.wait_no_dialog();
    let right = |pressed: bool| {
        let is = format!(
            "document.querySelector('[data-testid=opinion-right]').getAttribute('aria-pressed') === '{pressed}'"
        );
        app.wait("whether it is said to be right", &is, 10);
    };
    for pressed in [true, false] {
        app.click("[data-testid=opinion-right]");
        right(pressed);
    }
    app.wait(
        "that it is taken back",
        "document.querySelector('[data-testid=opinion-given]').innerText.startsWith('Taken back')",
        10,
    );
    app.click("[data-testid=opinion-wrong]");
    app.wait("the field", "document.activeElement?.dataset.testid === 'correction'", 10);
    app.press(&[key::ESC]);
    app.wait("the button", "document.activeElement?.dataset.testid === 'opinion-wrong'", 10);
    app.click("[data-testid=opinion-wrong]");
    app.fill("[data-testid=correction]", "The boiler is serviced in May.");
    app.click("[data-testid=correct-send]");
    app.wait("the way to Review", "document.querySelector('[data-testid=opinion-review]')", 20);
    app.click("[data-testid=opinion-review]");
    app.wait("the correction waits", "document.getElementById('main').innerText.includes('serviced in May')", 20);
    for said in [
        "Proposed: keep a correction",
        "Proposed: take a memory out of recall",
        "Take it out of recall",
        "Leave it in recall",
    ] {
        app.wait(said, &format!("document.getElementById('main').innerText.includes('{said}')"), 10);
    }
}

#[test]
fn a_passage_shows_the_path_from_whom_the_question_names() {
    let Some(app) = App::start() else { return };
    let fact = json!({ "subject": "Ana Ruiz", "subject_type": "person", "predicate": "likes", "object": "tea" });
    app.call("facts_add", json!({ "space": "default", "facts": [fact] }));
    let remember = |text: &str| {
        let memory = app.call("memory_remember", json!({ "text": text, "space": "default" }))["memory"]["id"].clone();
        app.call("tag_attach", json!({ "item_type": "memory", "id": memory, "tags": ["rust"] }));
    };
    remember("Ana Ruiz keeps the spare key in the boat house.");
    // Alike in nothing, and connected by the tag.
    remember("Jupiter has ninety-five moons.");
    app.wait_until_read();
    app.ask("Where does Ana Ruiz keep the spare key?");
    app.click("[data-testid=why]");
    app.wait("the path", "document.querySelector('[data-testid=why-path]')", 10);
    let chips = "[...document.querySelectorAll('[data-testid=result] [data-testid=why-path] li')].map(e => e.textContent.trim())";
    assert_eq!(app.value(chips), json!(["The question", "Ana Ruiz, person", "This passage"]));
    app.wait(
        "what left others out",
        "document.querySelector('[data-testid=why-gates]')?.innerText.startsWith('It passed what left others out')",
        10,
    );
    let connected =
        "[...document.querySelectorAll('[data-testid=connected]')].map(e => [e.innerText.includes('Jupiter'),
        e.innerText.includes('Both carry the tag rust'), /connected \\d+ %$/.test(e.innerText.trim()),
        e.querySelectorAll('[data-testid=signal-bar]').length])";
    assert_eq!(app.value(connected), json!([[true, true, true, 1]]));
    app.click("[data-testid=path-over]");
    app.wait("who that is", "document.querySelector('[data-testid=entity-name]')?.innerText.includes('Ana Ruiz')", 10);
}

#[test]
fn how_an_answer_came_about_is_fetched_once_and_says_what_failed() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    app.ask(ANSWERS[0].0);
    app.hold("trace_get");
    app.click("[data-testid=why]");
    app.wait("that it is fetched", "document.querySelector('.why [data-testid=skeleton]')", 10);
    app.let_go(json!({ "code": "internal", "message": "The disk is gone." }));
    let error = "document.querySelector('.why [data-testid=error]')";
    let says = "What left others out cannot be told.";
    app.wait("what failed", &format!("{error}?.innerText.includes({says:?})"), 10);
    app.click_words(".why [data-testid=error] .button", "Try again");
    app.wait("no error", &format!("!{error}"), 10);
    app.wait_settled();
    // What is there is told, though nothing is answered any more.
    app.hold("trace_get");
    app.click("[data-testid=passed-over]");
    app.wait("what else was found", "document.querySelector('[data-testid=passed-count]')", 10);
    app.let_go(json!(null));
}

#[test]
fn what_was_replaced_expired_or_lies_elsewhere_can_be_named_as_what_is_missed() {
    let Some(app) = App::start() else { return };
    app.call("space_create", json!({ "name": "Boats" }));
    let remember = |text: &str, space: &str, more: serde_json::Value| {
        let mut request = json!({ "text": text, "space": space });
        request.as_object_mut().expect("fields").extend(more.as_object().expect("fields").clone());
        app.call("memory_remember", request)["memory"]["id"].clone()
    };
    let key = json!({ "key": "hangar" });
    remember("The zeppelin stood in the north hangar.", "default", key.clone());
    remember("The zeppelin stands in the south hangar.", "default", key);
    let removed = remember("The zeppelin is for sale.", "default", json!({}));
    remember("The zeppelin may tow boats.", "Boats", json!({}));
    let soon = app.value("Date.now() + 2000").as_f64().expect("a time") as i64;
    remember("The zeppelin is lent until spring.", "default", json!({ "expires_at": soon }));
    app.wait("that its time is over", &format!("Date.now() > {soon}"), 10);
    app.call("memory_remove", json!({ "id": removed }));
    app.ask("zeppelin");
    app.click("[data-testid=why-not]");
    app.wait_dialog("why-not");
    for (typed, words, facts, reason) in [
        ("north zepp", "north hangar", "replaced", "Something newer took its place"),
        ("lent until", "until spring", "expired", "It expired"),
        ("for sale", "for sale", "removed", "It was removed"),
        ("tow", "tow boats", "in use, in Boats", ""),
    ] {
        app.fill("[data-testid=why-not-field]", typed);
        let offer = format!(
            "[...document.querySelectorAll('[data-testid=why-not-offer]')].find(e => e.innerText.includes({words:?}))"
        );
        let told = format!("{offer}?.querySelector('[data-testid=why-not-facts]').innerText.startsWith({facts:?})");
        app.wait(facts, &told, 10);
        app.click_words("[data-testid=why-not-offer]", words);
        let reads = format!("document.querySelector('[data-testid=why-not-reason]')?.innerText.includes({reason:?})");
        app.wait("why it is not there", &reads, 10);
    }
    // A part of its id does, too.
    let id = removed.as_str().expect("an id");
    app.fill("[data-testid=why-not-field]", &id[id.len() - 8..]);
    app.click_words("[data-testid=why-not-offer]", "for sale");
    app.find("[data-testid=why-not-reason]");
}

#[test]
fn why_not_says_that_it_looks_and_what_failed() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    app.call("memory_remember", json!({ "text": "The neighbour has a spare key.", "space": "default" }));
    app.ask(ANSWERS[0].0);
    app.click("[data-testid=why-not]");
    app.wait_dialog("why-not");
    let failed = json!({ "code": "internal", "message": "The disk is gone." });
    for (operation, says) in [
        ("ids_find", "What may be meant cannot be looked up."),
        ("recall_explain", "Why it is not there cannot be told."),
    ] {
        app.hold(operation);
        match operation {
            "ids_find" => app.fill("[data-testid=why-not-field]", "spare key"),
            _ => app.click_words("[data-testid=why-not-offer]", "spare key"),
        }
        app.wait("that it is looked for", "document.querySelector('dialog[open] [data-testid=skeleton]')", 10);
        app.let_go(failed.clone());
        let told = format!(
            "(e => e?.innerText.includes({says:?}) && e.innerText.includes('The disk is gone.'))
             (document.querySelector('dialog[open] [data-testid=error]'))"
        );
        app.wait(says, &told, 10);
        app.click_words("dialog[open] [data-testid=error] .button", "Try again");
        app.wait("no error", "!document.querySelector('dialog[open] [data-testid=error]')", 10);
    }
    app.find("[data-testid=why-not-reason]");
}

#[test]
fn the_same_question_is_asked_anew() {
    let Some(app) = App::start() else { return };
    let note = json!({ "text": "The neighbour has a spare key.", "space": "default" });
    let id = app.call("memory_remember", note)["memory"]["id"].clone();
    app.wait_until_read();
    app.ask("Who has a spare key?");
    let found = "document.querySelector('[data-testid=result]')";
    app.wait("the note", found, 10);
    let put = |tier: &str| app.call("memory_tier", json!({ "id": id, "tier": tier }));
    // Behind the window's back: nothing but asking tells it.
    put("cold");
    app.click("[data-testid=recall-ask]");
    app.wait("an answer without it", &format!("!{found}"), 10);
    put("warm");
    app.click("[data-testid=recall-ask]");
    app.wait("an answer with it", found, 10);
}

#[test]
fn what_is_connected_says_its_way_and_its_share() {
    let Some(app) = App::start() else { return };
    for text in ["Orla Finch lives in Vexmark, by the harbour.", "Orla Finch works for Halden."] {
        app.call("memory_remember", json!({ "text": text, "space": "default" }));
    }
    crate::beliefs::entity(&app, "Orla Finch");
    let asked = json!({ "query": "harbour in Vexmark", "space": "default", "limit": 1, "associated": true });
    let recalled = app.call("memory_recall", asked);
    app.go(&format!("/recall/traces/{}", recalled["trace"].as_str().expect("a trace is kept")));
    let row = "document.querySelector('[data-testid=trace-connected]')";
    app.wait("the way there", &format!("{row}?.innerText.includes('Both name Orla Finch')"), 10);
    // What a bar shows is said in words, too.
    let shares = "[...document.querySelectorAll('[data-testid=trace-connected]')]
        .every(e => /^connected \\d+ %$/.test(e.querySelector('[data-testid=share]')?.innerText))";
    assert_eq!(app.value(shares), json!(true));
}

#[test]
fn the_slider_shows_an_older_belief() {
    let Some(app) = App::start() else { return };
    let fact = |object: &str, from: &str, until: Option<&str>| {
        json!({ "subject": "Mira Holt", "subject_type": "person", "predicate": "works_at", "object": object,
            "valid_from": from, "valid_until": until })
    };
    let facts = [fact("Acme", "2016", Some("2020")), fact("Northwind", "2021", None)];
    app.call("facts_add", json!({ "space": "default", "facts": facts }));
    app.call("memory_remember", json!({ "text": "Mira Holt works at Northwind.", "space": "default" }));
    crate::beliefs::entity(&app, "Mira Holt");
    app.ask("Where does Mira Holt work?");
    let believed = "document.querySelector('[data-testid=believed]')?.innerText";
    app.wait("what is believed now", &format!("{believed}?.includes('Northwind')"), 20);
    assert_eq!(app.value(&format!("{believed}.includes('Acme')")), json!(false), "what ended is believed no more");
    app.click("[data-testid=why]");
    app.wait(
        "why this is here",
        "document.querySelector('[data-testid=why-parts]')?.innerText.includes('Its words')",
        10,
    );
    as_of(&app, "2018-05-03");
    app.wait("what was believed then", &format!("{believed}?.includes('Acme')"), 20);
    assert_eq!(app.value(&format!("{believed}.includes('Northwind')")), json!(false), "what had not begun");
    let day = app.value("document.querySelector('[data-testid=as-of-day]').value");
    assert_eq!(day, json!("2018-05-03"));
    // The day itself can be said, too, and the slider follows.
    crate::work::choose(&app, "as-of-day", "2018-05-04");
    app.wait("the day after", "document.querySelector('.answer')?.dataset.day === '17655'", 20);
    assert_eq!(app.value("document.querySelector('[data-testid=as-of]').value"), json!("17655"));
    crate::work::choose(&app, "as-of-day", "2018-05-03");
    app.wait("that day again", "document.querySelector('.answer')?.dataset.day === '17654'", 20);
    // What was known before any of it was told is nothing.
    app.click("[data-testid=more-filters]");
    app.find("[data-testid=known-at]");
    crate::work::choose(&app, "known-at", "2018-05-03");
    app.wait("what was known then", "document.querySelector('.answer')?.dataset.known === '17654'", 20);
    app.wait("nothing believed", "!document.querySelector('[data-testid=believed]')", 20);
    app.click("[data-testid=known-now]");
    app.wait("what is known now", &format!("{believed}?.includes('Acme')"), 20);
    // By the keys, too.
    app.run("document.querySelector('[data-testid=as-of]').focus()", json!([]));
    app.press(&[key::END]);
    app.wait("now again", "document.querySelector('[data-testid=as-of-day]').value === ''", 10);
    app.wait("what is believed now", &format!("{believed}?.includes('Northwind')"), 20);
}

#[test]
fn recall_is_as_it_was_left() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    app.ask(ANSWERS[0].0);
    crate::work::choose(&app, "filter-type", "text");
    // The slider reaches at least that far.
    let day = app.value("new Date(Date.now() - 864e5).toISOString().slice(0, 10)");
    let day = day.as_str().expect("a day");
    as_of(&app, day);
    let as_it_was = format!(
        "document.getElementById('search')?.value === {:?} && document.querySelector('[data-testid=filter-type]').value === 'text'
         && document.querySelector('.answer')?.dataset.day === String(Date.parse({day:?}) / 864e5)",
        ANSWERS[0].0
    );
    app.go("/recall?tab=context");
    app.click("[data-testid=tab-ask] a");
    app.wait("the same, by the tab", &as_it_was, 20);
    app.press(&[key::CTRL, '2']);
    app.wait("the library", "location.pathname === '/library'", 10);
    app.press(&[key::ALT, key::LEFT]);
    app.wait("the same, on the way back", &as_it_was, 20);
    app.press(&[key::CTRL, '2']);
    app.wait("the library", "location.pathname === '/library'", 10);
    app.press(&[key::CTRL, '1']);
    app.wait("the same, by the key of the page", &as_it_was, 20);
    app.click("[data-testid=filters-clear]");
    app.wait("no day", "document.querySelector('.answer') && !document.querySelector('.answer').dataset.day", 20);
    assert_eq!(app.value("document.querySelector('[data-testid=filter-type]').value"), json!(""));
}

#[test]
fn a_half_written_question_stays_and_it_is_said_how_it_is_written() {
    let Some(app) = App::start() else { return };
    app.call("memory_remember", json!({ "text": "The cold rent is 700.", "space": "default" }));
    app.go("/recall");
    let told = "document.querySelector('[data-testid=question-unread]')?.innerText";
    for (question, says) in [
        ("rent from: ana", "as in from:ana"),
        ("\"cold rent", "A quote is not closed"),
        ("rent before:notaday", "before:notaday is no date"),
    ] {
        app.fill("#search", question);
        app.press(&[key::ENTER]);
        app.wait(question, &format!("{told}?.includes({says:?})"), 20);
        assert_eq!(app.value("document.getElementById('search').value"), json!(question));
        assert_eq!(app.value("document.querySelector('[data-testid=error]')"), json!(null), "{question}");
    }
    app.ask("\"cold rent\"");
    assert_eq!(app.value("document.querySelector('[data-testid=question-unread]')"), json!(null));
}

#[test]
fn a_search_is_saved_asked_again_and_dropped() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    crate::work::choose(&app, "filter-type", "text");
    app.wait("the newest of that type, as nothing is asked", "document.querySelector('[data-testid=result]')", 20);
    app.click("[data-testid=more-filters]");
    app.click("[data-testid=filter-kind][value=pdf]");
    app.ask(ANSWERS[0].0);
    app.click("[data-testid=save-search]");
    app.wait_dialog("save-search");
    app.fill("[data-testid=search-name]", "Boiler");
    app.click("[data-testid=form-submit]");
    app.wait_no_dialog();
    app.wait("the chip", "document.querySelector('[data-testid=saved-search]')?.innerText.includes('Boiler')", 10);
    let title = "document.querySelector('[data-testid=saved-search] .saved-ask').title";
    app.wait("where it is asked", &format!("{title}.includes('in default')"), 10);
    // One that is called the same but for its case is not saved, and it is said what to do.
    app.click("[data-testid=save-search]");
    app.wait_dialog("save-search");
    app.fill("[data-testid=search-name]", "boiler");
    app.click("[data-testid=form-submit]");
    let refused = "document.querySelector('dialog[open] .form-error')?.innerText";
    app.wait("why not", &format!("{refused}?.includes('\"Boiler\"') && {refused}.includes('another name')"), 10);
    app.press(&[key::ESC]);
    app.wait_no_dialog();
    // From another space it leads back to its own.
    app.go("/library");
    app.click("[data-testid=space-switcher]");
    app.click_words("[data-testid=space-choice]", "All spaces");
    app.wait("all spaces", "document.title.endsWith('All spaces')", 10);
    app.press(&[key::CTRL, 'k']);
    app.wait_dialog("palette");
    app.type_into("[data-testid=palette-input]", "boil");
    app.click_words("[data-testid=palette-offer]", "Boiler");
    app.wait("an answer", "document.querySelector('[data-testid=result]')", 20);
    assert_eq!(app.value("document.getElementById('space-switcher').innerText.trim()"), json!("default"));
    assert_eq!(app.value("document.getElementById('search').value"), json!(ANSWERS[0].0));
    let kinds = "[...document.querySelectorAll('[data-testid=filter-kind]:checked')].map(kind => kind.value).join()";
    app.wait("both types again", &format!("{kinds} === 'text,pdf'"), 10);
    app.click("[data-testid=saved-drop]");
    app.wait("no chip", "!document.querySelector('[data-testid=saved-search]')", 10);
    app.click("[data-testid=toast-undo]");
    app.wait("the chip again", "document.querySelector('[data-testid=saved-search]')", 10);
}

#[test]
fn a_search_whose_space_is_archived_is_asked_in_no_other() {
    let Some(app) = App::start() else { return };
    app.call("space_create", json!({ "name": "Quay" }));
    app.call("search_save", json!({ "name": "Boats", "recall": { "query": "boat", "space": "Quay" } }));
    app.call("space_edit", json!({ "space": "Quay", "archived": true }));
    app.go("/recall");
    let title = "document.querySelector('[data-testid=saved-search] .saved-ask')?.title";
    app.wait("where it is asked", &format!("{title}?.includes('in Quay, which is archived')"), 10);
    app.click("[data-testid=saved-search] .saved-ask");
    let told = "document.querySelector('[data-testid=toast]')?.innerText";
    app.wait("why it is not", &format!("{told}?.includes('Once the space is brought back')"), 10);
    assert_eq!(app.value("document.getElementById('search').value"), json!(""));
}

#[test]
fn a_saved_week_is_the_one_before_it_is_asked() {
    let Some(app) = App::start() else { return };
    app.call("memory_remember", json!({ "text": "The neighbour has a spare key.", "space": "default" }));
    app.go("/recall");
    crate::work::choose(&app, "filter-date", "7");
    app.ask("Who has a spare key?");
    app.click("[data-testid=save-search]");
    app.wait_dialog("save-search");
    app.fill("[data-testid=search-name]", "Keys");
    app.click("[data-testid=form-submit]");
    app.wait_no_dialog();
    let title = "document.querySelector('[data-testid=saved-search] .saved-ask')?.title";
    app.wait("its week", &format!("{title}?.includes('past week')"), 10);
    let kept = app.call("searches_list", json!({}));
    let recall = &kept["searches"][0]["recall"];
    assert_eq!((&recall["past_days"], &recall["since"]), (&json!(7), &json!(null)), "no week of the calendar");
    app.click("[data-testid=filters-clear]");
    let date = "document.querySelector('[data-testid=filter-date]').value";
    app.wait("any date", &format!("{date} === 'any'"), 10);
    app.click("[data-testid=saved-search] .saved-ask");
    app.wait("the week again", &format!("{date} === '7' && document.querySelector('[data-testid=result]')"), 20);
}

#[test]
fn a_saved_search_is_asked_with_all_that_narrows_it_down() {
    let Some(app) = App::start() else { return };
    for text in ["The neighbour has a spare key.", "The spare key hangs in the boat house."] {
        app.call("memory_remember", json!({ "text": text, "space": "default" }));
    }
    app.wait_until_read();
    let recall =
        json!({ "query": "spare key", "phrases": ["spare key"], "without": ["neighbour"], "space": "default" });
    app.call("search_save", json!({ "name": "Keys", "recall": recall }));
    let cold = json!({ "query": "spare key", "tiers": ["cold"], "space": "default" });
    app.call("search_save", json!({ "name": "Away", "recall": cold }));
    app.go("/recall");
    let asked = |name: &str, typed: &str| {
        app.click_words("[data-testid=saved-search] .saved-ask", name);
        app.wait(name, &format!("document.getElementById('search').value === {}", json!(typed)), 10);
    };
    asked("Away", "spare key tier:cold");
    asked("Keys", "\"spare key\" -\"neighbour\"");
    let found =
        "[...document.querySelectorAll('[data-testid=result] [data-testid=quote]')].map(e => e.innerText).join()";
    app.wait("the other alone", &format!("{found}.includes('boat house') && !{found}.includes('neighbour')"), 20);
    let title = "[...document.querySelectorAll('.saved-ask')].map(e => e.title).join()";
    app.wait("in plain words", &format!("{title}.includes('put out of the way') && !{title}.includes('tier')"), 10);
}

#[test]
fn a_trace_is_opened_and_replayed() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    app.ask(ANSWERS[0].0);
    // There and back, from the answer itself.
    app.click("[data-testid=answer-trace]");
    app.click("[data-testid=trace-ask]");
    app.wait("an answer", "document.querySelector('[data-testid=result]')", 20);
    assert_eq!(app.value("document.getElementById('search').value"), json!(ANSWERS[0].0));
    trace(&app);
    assert_eq!(app.value("document.querySelector('[data-testid=trace-asked]').innerText"), json!(ANSWERS[0].0));
    app.wait("what was given", "document.querySelector('[data-testid=trace-given]')", 10);
    app.click("[data-testid=trace-given] .thing");
    app.wait("its words in the source", "document.querySelector('.viewer [data-testid=highlight]')", 20);
    app.press(&[key::ALT, key::LEFT]);
    app.wait("the trace again", "document.querySelector('[data-testid=trace-given]')", 10);
    app.click("[data-testid=trace-replay]");
    app.wait(
        "the same again",
        "document.querySelector('[data-testid=trace-replayed]')?.innerText.includes('gives the same again')",
        20,
    );
    what_cannot_be_asked_again_says_why(&app);
    app.click("[data-testid=traces-back]");
    app.wait("the list", "document.querySelector('[data-testid=trace-row]')", 10);
    which_traces_are_listed_stays(&app);
    what_an_event_was_taken_for_is_told(&app);
    the_pack_of_a_trace_is_read(&app);
}

/// As where an earlier version kept it, which let through what this one does not: what the trace holds is told, and why no more is.
fn what_cannot_be_asked_again_says_why(app: &App) {
    let db = rusqlite::Connection::open(app.folder().join("data/memory.db")).expect("the database opens");
    db.busy_timeout(std::time::Duration::from_secs(5)).expect("a time to wait");
    let asked = "UPDATE answer_traces SET recall_trace = json_set(recall_trace, '$.asked.query', ?1)";
    db.execute(asked, [ANSWERS[0].0.repeat(300)]).expect("the traces can be changed");
    app.click("[data-testid=trace-replay]");
    let panel = "document.querySelector('section[aria-labelledby=replay-title]')";
    app.wait("why not", &format!("{panel}.querySelector('[data-testid=error]')?.innerText.includes('2,000')"), 20);
    assert_eq!(app.value(&format!("{panel}.querySelectorAll('ol').length")), json!(0), "no list of what moved");
    let told = app.value("document.querySelector('[data-testid=trace-replayed]').innerText.trim()");
    let computed = "Computed again from its signals, it gives the same again.";
    assert!(told.as_str().is_some_and(|told| told.starts_with(computed)), "{told}");
    db.execute(asked, [ANSWERS[0].0]).expect("the traces can be changed");
    app.click_words("[data-testid=error] .button", "Try again");
    let settled =
        format!("!{panel}.querySelector('[data-testid=error]') && {panel}.innerText.includes('Asked again now')");
    app.wait("what it finds now", &settled, 20);
}

/// While one of them is looked at, and while another tab is.
fn which_traces_are_listed_stays(app: &App) {
    // What the choices above the list are of is told to who does not see it.
    app.find("[role=group][aria-label='Which traces'] [data-testid=traces-outcome]");
    crate::work::choose(app, "traces-outcome", "success");
    app.wait_settled();
    app.click("[data-testid=trace-row] a");
    app.find("[data-testid=trace-sure]");
    app.click("[data-testid=traces-back]");
    let outcome = "document.querySelector('[data-testid=traces-outcome]')?.value === 'success'";
    app.wait("those that were answered, still", outcome, 10);
    app.click("[data-testid=traces-feedback]");
    app.wait("none was judged", "document.querySelector('[data-testid=empty]')", 10);
    app.click("[data-testid=tab-ask] a");
    app.find("#search");
    app.click("[data-testid=tab-traces] a");
    app.wait(
        "none, still",
        &format!("{outcome} && document.querySelector('[data-testid=traces-feedback]').checked"),
        10,
    );
    app.click("[data-testid=traces-all]");
    app.find("[data-testid=trace-row]");
    assert_eq!(app.value("document.querySelector('[data-testid=traces-outcome]').value"), json!(""));
    a_trace_is_found_again(app);
}

/// By words of its question, who asked, and the day.
fn a_trace_is_found_again(app: &App) {
    let listed = "[...document.querySelectorAll('[data-testid=trace-row] .strong')].map(e => e.innerText)";
    let word = ANSWERS[0].0.split_whitespace().max_by_key(|word| word.len()).expect("a word").to_uppercase();
    let is_there = format!("(all => all.length > 0 && all.every(e => e.toUpperCase().includes({word:?})))({listed})");
    let is_none = "document.querySelector('[data-testid=empty]')";
    app.fill("[data-testid=traces-words]", &word);
    app.wait("it, by a word", &is_there, 10);
    app.fill("[data-testid=traces-words]", "zzqxwv");
    app.wait("none with that word", is_none, 10);
    app.click("[data-testid=traces-all]");
    app.wait("all of them", &is_there, 10);
    let you = "[...document.querySelectorAll('[data-testid=traces-who] option')].find(e => e.innerText === 'You')";
    app.wait("you among those who ask", you, 10);
    let id = app.value(&format!("{you}.value"));
    crate::work::choose(app, "traces-who", id.as_str().expect("an id"));
    app.wait("what you asked", &is_there, 10);
    crate::work::choose(app, "traces-day", "2019-05-03");
    app.wait("none of that day", is_none, 10);
    app.click("[data-testid=traces-all]");
    app.wait("all of them again", &is_there, 10);
}

/// Beside the answer and in its trace, each with the words that tell it.
fn what_an_event_was_taken_for_is_told(app: &App) {
    for (day, text) in [
        (19_449_i64, "Ana painted the harbour."),
        (19_547, "Ana painted the bridge."),
        (19_528, "We moved to Porto on 3 May 2023."),
    ] {
        let at = day * 86_400_000 + 43_200_000;
        app.call("memory_remember", json!({ "text": text, "space": "default", "occurred_at": at }));
    }
    app.ask("What did Ana paint before the move?");
    let told = "document.querySelector('[data-testid=event-taken]')";
    app.wait("the day of the move", &format!("{told}?.innerText.includes('2023')"), 20);
    assert_eq!(app.value(&format!("{told}.querySelectorAll('[data-testid=citation]').length")), json!(1));
    // The viewer gives the focus back to what it was opened from.
    app.run("document.querySelector('[data-testid=event-taken] [data-testid=citation]').focus()", json!([]));
    app.press(&[key::ENTER]);
    app.wait("the viewer", "document.activeElement?.id === 'viewer'", 10);
    app.press(&[key::ESC]);
    app.wait("the citation", "!!document.activeElement?.closest('[data-testid=event-taken]')", 10);
    trace(app);
    app.wait("the day in the trace", &format!("{told}?.innerText.includes('2 May 2023')"), 10);
}

fn the_pack_of_a_trace_is_read(app: &App) {
    pack(app, "What did Ana paint?", 600);
    trace(app);
    app.find("[data-testid=trace-pack]");
    app.hold("context_hydrate");
    app.click("[data-testid=behind]");
    app.let_go(json!({ "code": "internal", "message": "The disk is gone." }));
    let error = "document.querySelector('[data-testid=behind-text] [data-testid=error]')?.innerText";
    app.wait("what failed", &format!("{error}?.includes('The pack cannot be shown.')"), 10);
    app.click_words("[data-testid=behind-text] [data-testid=error] .button", "Try again");
    let text = "document.querySelector('[data-testid=behind-text]')?.innerText";
    app.wait("what is in the pack", &format!("{text}?.includes('painted')"), 20);
}
