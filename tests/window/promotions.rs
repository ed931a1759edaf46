//! Promotions: an agent asks for a copy in another space; the person sees what and for whom, and decides.

use crate::app::App;
use crate::pairing::Agent;
use crate::samples::space;
use serde_json::{Value, json};

const FERRY: &str = "The ferry to the island leaves at nine from the north pier.";

/// Keeps a text and gives its id.
fn keep(app: &App, text: &str) -> Value {
    let kept = app.call("memory_remember", json!({ "text": text, "space": "default" }));
    app.wait_until_read();
    kept["memory"]["id"].clone()
}

/// Requests by the person: one that can be approved, one that something personal stands in the way of.
pub fn requested(app: &App, to: &str) {
    let plain = keep(app, FERRY);
    let personal = keep(app, "The skipper is reached at skipper@island.example.");
    for (id, notes) in [(plain, "The others plan the trip with it."), (personal, "Whom to ask.")] {
        app.call("promotion_request", json!({ "kind": "memory", "id": id, "to": to, "notes": notes }));
    }
}

fn card(app: &App, words: &str) -> String {
    let script = format!(
        "1 + [...document.querySelectorAll('[data-testid=promotion]')].findIndex(e => e.innerText.includes({words:?}))"
    );
    let position = app.wait(&format!("a request with {words}"), &script, 20);
    format!("[data-testid=promotion]:nth-child({position})")
}

#[test]
fn what_an_agent_asks_for_is_shown_approved_and_found_in_the_target() {
    let Some(app) = App::start() else { return };
    space(&app, "Team", None);
    app.go("/review?tab=promotions");
    app.wait(
        "the sentence",
        "document.querySelector('[data-testid=empty]')?.innerText.includes('Nothing to decide.')",
        10,
    );
    let plain = keep(&app, FERRY);
    let personal = keep(&app, "The skipper is reached at skipper@island.example.");
    let spaces = ["--space", "default", "--space", "Team", "--rights", "read,write"];
    let mut agent = Agent::start(&app, "Scout", &spaces);
    agent.recall("When does the ferry leave?");
    app.wait_dialog("pairing");
    app.wait("a dialog that listens", "document.querySelector('dialog[data-testid=dialog-pairing]:not(.deaf)')", 10);
    app.click("[data-testid=pairing-always]");
    app.wait_no_dialog();
    for id in [&plain, &personal] {
        let request = json!({ "kind": "memory", "id": id, "to": "Team", "notes": "The team plans a trip." });
        let told = agent.tool("promotion_request", request);
        assert!(!told["result"]["isError"].as_bool().unwrap_or(false), "{told}");
    }
    let ferry = card(&app, "The ferry to the island");
    app.wait(
        "how many wait",
        "document.querySelector('[data-testid=review-count] .hidden-words')?.textContent.includes('2 promotions')",
        10,
    );
    let words = app.value(&format!("document.querySelector({ferry:?}).innerText"));
    let words = words.as_str().expect("words");
    for part in ["Copy a note to Team", "Scout asks", "The team plans a trip.", "new there", "Who will see it", FERRY] {
        assert!(words.contains(part), "{part:?} is missing: {words}");
    }
    let blocked = card(&app, "The skipper is reached");
    let stopped =
        format!("document.querySelector({blocked:?}).querySelector('[data-testid=promotion-block]')?.innerText");
    let why = app.wait("what stands in the way", &stopped, 10);
    assert!(why.as_str().is_some_and(|why| why.contains("1 e-mail")), "{why}");
    let off = app.value(&format!(
        "document.querySelector({blocked:?}).querySelector('[data-testid=promotion-approve]').disabled"
    ));
    assert_eq!(off, json!(true), "it cannot be approved before that is decided");
    assert_eq!(in_team(&app), 0, "nothing is copied before it is approved");
    app.click(&format!("{ferry} [data-testid=promotion-approve]"));
    app.wait(
        "that it was copied",
        "[...document.querySelectorAll('[data-testid=toast]')].some(e => e.innerText.includes('Copied to Team.'))",
        20,
    );
    app.wait_until_read();
    assert_eq!(in_team(&app), 1, "it is found there");
    app.click_words("[data-testid=promotion] [data-testid=promotion-reject]", "Reject");
    app.wait("nothing that waits", "!document.querySelector('[data-testid=promotion]')", 20);
    app.wait("both decisions", "document.querySelectorAll('[data-testid=promotion-decided]').length === 2", 10);
}

#[test]
fn a_card_stays_where_it_is_while_others_come_and_what_it_shows_changes() {
    let Some(app) = App::start() else { return };
    space(&app, "Team", None);
    let personal = keep(&app, "The skipper is reached at skipper@island.example.");
    app.call("promotion_request", json!({ "kind": "memory", "id": personal, "to": "Team" }));
    app.go("/review?tab=promotions");
    let blocked = card(&app, "The skipper is reached");
    app.find(&format!("{blocked} [data-testid=promotion-block]"));
    let (card, item) = ("[data-testid=promotion]", "[data-testid=promotion-item]");
    app.run(
        &format!(
            "window.__nodes = ['{card}', '{card} {item}', '{card} [data-testid=promotion-reject]',
                '{card} [data-testid=promotion-approve]'].map(one => document.querySelector(one));"
        ),
        json!([]),
    );
    // Another request comes in, and what stood in the way of this one is settled.
    let ferry = keep(&app, FERRY);
    app.call("promotion_request", json!({ "kind": "memory", "id": ferry, "to": "Team" }));
    app.wait("both", &format!("document.querySelectorAll('{card}').length === 2"), 20);
    app.call("findings_decide", json!({ "decision": "dismiss", "all": { "memory": personal } }));
    app.wait("nothing in the way", "!document.querySelector('[data-testid=promotion-block]')", 20);
    let kept = app.value("window.__nodes.map(node => node.isConnected)");
    assert_eq!(kept, json!([true, true, true, true]), "what is shown still is not drawn anew");
    // What was aimed at before all that is what is hit.
    app.wait("that it can be approved", "!window.__nodes[3].disabled", 10);
    app.run("window.__nodes[2].click()", json!([]));
    app.wait("one left", &format!("document.querySelectorAll('{card}').length === 1"), 20);
    assert!(app.words().contains("The ferry to the island"), "{}", app.words());
}

#[test]
fn what_stands_in_the_way_leads_to_where_it_is_settled() {
    let Some(app) = App::start() else { return };
    space(&app, "Team", None);
    let personal = keep(&app, "The skipper is reached at skipper@island.example.");
    app.call("promotion_request", json!({ "kind": "memory", "id": personal, "to": "Team" }));
    app.go("/review?tab=promotions");
    app.wait("what stands in the way", "document.querySelector('[data-testid=promotion-block]')", 20);
    let says = app.value("document.querySelector('[data-testid=promotion-block]').innerText");
    let says = says.as_str().unwrap_or_default();
    assert!(says.contains("Decide what of it is to be blacked out.") && !says.contains("umem"), "{says}");
    app.click("[data-testid=promotion-settle]");
    app.wait("its findings", "document.querySelector('[data-testid=finding]')", 20);
    let address = app.value("location.pathname + location.search");
    assert_eq!(address, json!(format!("/review?tab=redactions&memory={}", personal.as_str().unwrap_or_default())));
}

/// How many passages of the team's space tell of the ferry.
fn in_team(app: &App) -> usize {
    let recalled = app.call("memory_recall", json!({ "query": "When does the ferry leave?", "space": "Team" }));
    let hits = recalled["hits"].as_array().cloned().unwrap_or_default();
    hits.iter().filter(|hit| hit["quote"].as_str().is_some_and(|quote| quote.contains("north pier"))).count()
}
