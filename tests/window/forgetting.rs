//! Forgetting: what would go is seen first, nothing goes by accident, and then it is gone, with its proof.

use crate::app::App;
use crate::browser::key;
use serde_json::{Value, json};

/// Opens what would go of the file in the library that is called so.
fn ask_for_file(app: &App, name: &str) {
    let id = crate::scenes::artifact(app, name);
    app.go(&format!("/library/{id}"));
    app.click("[aria-label=More]");
    app.click_words("[role=menuitem]", "Forget");
    app.wait_dialog("forget");
}

/// Waits for what would go, and gives the question.
pub fn question(app: &App) -> String {
    let asked = app.wait("what would go", "document.querySelector('[data-testid=forget-question]')?.innerText", 20);
    asked.as_str().expect("a sentence").to_owned()
}

/// Asks for everything with some words, from the palette.
pub fn ask_for_words(app: &App, words: &str) {
    app.press(&[key::CTRL, 'k']);
    app.wait_dialog("palette");
    app.type_into("[data-testid=palette-input]", "forget");
    app.click_words("[data-testid=palette-offer]", "Forget something");
    app.wait_dialog("forget-choose");
    app.fill("[data-testid=forget-text]", words);
    app.click("[data-testid=form-submit]");
    app.wait_dialog("forget");
}

/// How many passages of an answer say these very words.
fn found(app: &App, words: &str) -> usize {
    let answer = app.call("memory_recall", json!({ "query": words, "space": "default" }));
    let hits = answer["hits"].as_array().expect("passages").iter();
    hits.filter(|hit| hit["quote"].as_str().is_some_and(|quote| quote.contains(words))).count()
}

#[test]
fn a_file_is_forgotten_only_by_a_clear_yes_and_leaves_a_proof() {
    let Some(app) = App::start() else { return };
    let lease = app.file("lease.txt", b"The rent of the quay is 410 euros, payable to Quirin Zaboth.");
    let tide = app.file("tide.txt", b"High water at the quay is at seven.");
    app.ingest("default", &[lease, tide]);
    ask_for_file(&app, "lease.txt");
    let asked = question(&app);
    assert!(asked.starts_with("Forget 1 file") && asked.contains("of lease.txt, everywhere?"), "{asked}");
    assert!(asked.ends_with("This cannot be undone."), "{asked}");
    app.wait("the focus", "document.activeElement.dataset.testid === 'forget-keep'", 10);
    app.press(&[key::ENTER]);
    app.wait_no_dialog();
    assert_eq!(found(&app, "Zaboth"), 1, "nothing went");

    ask_for_file(&app, "lease.txt");
    question(&app);
    app.click("[data-testid=forget-now]");
    let checked = app.wait("the proof", "document.querySelector('[data-testid=forget-checked]')?.innerText", 30);
    assert!(checked.as_str().expect("a sentence").contains(": 0 left."), "{checked}");
    assert_eq!(app.value("location.pathname"), json!("/library"), "its page is left");

    app.click("[data-testid=forget-save]");
    app.wait_dialog("save-proof");
    app.fill("#proof-path", app.folder().to_str().expect("a plain path"));
    app.click("[data-testid=form-submit]");
    app.wait_dialog("proof");
    app.click("[data-testid=forget-close]");
    app.wait_no_dialog();
    let proof = std::fs::read_to_string(app.folder().join("forgotten.json")).expect("the proof is written");
    let report: Value = serde_json::from_str(&proof).expect("JSON");
    assert_eq!((&report["status"], &report["proof"]["left"]), (&json!("done"), &json!(0)), "{proof}");
    assert!(!proof.contains("Zaboth") && !proof.contains("lease"), "{proof}");
    assert_eq!((found(&app, "Zaboth"), found(&app, "High water")), (0, 1), "the rest is there");

    // The ledger leads back to it.
    app.go("/access?tab=audit");
    app.click("[data-testid=audit-proof]");
    app.wait_dialog("proof");
    app.wait(
        "the same proof",
        &format!("document.querySelector('[data-testid=forget-checked]')?.innerText === {checked}"),
        10,
    );
}

#[test]
fn everything_with_some_words_goes_at_once() {
    let Some(app) = App::start() else { return };
    for text in ["Quirin Zaboth rents the quay.", "Ask Quirin Zaboth for the key.", "High water is at seven."] {
        app.call("memory_remember", json!({ "text": text, "space": "default" }));
    }
    app.wait_until_read();
    app.go("/recall");
    ask_for_words(&app, "Quirin Zaboth");
    let asked = question(&app);
    assert!(asked.contains("2 memories") && asked.contains("with the words \"Quirin Zaboth\""), "{asked}");
    app.click("[data-testid=forget-now]");
    app.wait("the proof", "document.querySelector('[data-testid=forget-proof]')", 30);
    app.click("[data-testid=forget-close]");
    app.wait_no_dialog();
    assert_eq!((found(&app, "Zaboth"), found(&app, "High water")), (0, 1));
    let again = app.try_call("memory_remember", json!({ "text": "Quirin Zaboth rents the quay.", "space": "default" }));
    assert_eq!(again.expect_err("it is refused")["code"], json!("forgotten"));
}

/// Forgets a file elsewhere than in the window, as the command line does.
fn forget_elsewhere(app: &App, name: &str) {
    let what = json!({ "artifact": crate::scenes::artifact(app, name) });
    let plan = app.call("forget_preview", what.clone());
    let mut request = what;
    request["token"] = plan["token"].clone();
    app.call("forget_execute", request);
}

#[test]
fn what_the_window_shows_goes_with_what_is_forgotten() {
    let Some(app) = App::start() else { return };
    let lease = app.file("lease.txt", b"The rent of the quay is 410 euros, payable to Quirin Zaboth.");
    let deed = app.file("deed.txt", b"The deed of the quay names Oda Prell.");
    app.ingest("default", &[lease, deed]);
    app.ask("the rent of the quay");
    app.click(&crate::scenes::card_of(&app, "lease.txt"));
    app.wait("the viewer", "document.querySelector('[data-testid=viewer]')?.innerText.includes('Zaboth')", 10);
    forget_elsewhere(&app, "lease.txt");
    app.wait("neither the passage nor the viewer", "!document.body.innerText.includes('Zaboth')", 10);

    app.go(&format!("/library/{}", crate::scenes::artifact(&app, "deed.txt")));
    app.wait("the page", "document.querySelector('[data-testid=viewer]')?.innerText.includes('Prell')", 10);
    forget_elsewhere(&app, "deed.txt");
    app.wait("nothing of it", "!document.body.innerText.includes('Prell')", 10);
}

#[test]
fn words_that_nothing_says_are_told_so() {
    let Some(app) = App::start() else { return };
    app.call("memory_remember", json!({ "text": "High water is at seven.", "space": "default" }));
    app.go("/recall");
    ask_for_words(&app, "nobody says this");
    let words =
        app.wait("the reason", "document.querySelector('[data-testid=dialog-forget] [role=alert]')?.innerText", 20);
    assert!(words.as_str().expect("a sentence").contains("nobody says this"), "{words}");
}
