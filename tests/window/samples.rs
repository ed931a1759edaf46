//! What the tests bring in: the sample folder that comes with the product, and small files made here.

use crate::app::App;
use serde_json::{Value, json};
use std::path::PathBuf;

/// A file of the sample folder.
pub fn sample(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/samples")).join(name)
}

/// The folder itself.
pub fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/samples"))
}

/// A file of the shared data; `None`, saying so, where it is not on this machine.
pub fn shared(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("UM_SHARED_DATA")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data")), PathBuf::from);
    let path = root.join(name);
    if !path.exists() {
        eprintln!("in part skipped: {name} is not among the shared data (UM_SHARED_DATA)");
        return None;
    }
    Some(path)
}

/// Makes a space and gives its id.
pub fn space(app: &App, name: &str, parent: Option<&str>) -> String {
    let made = app.call("space_create", json!({ "name": name, "space_type": "project", "parent": parent }));
    made["id"].as_str().expect("a space has an id").to_owned()
}

/// A data folder as a person has it after a week: the samples, two more spaces, a file that waits for a model, one
/// that waits for its password, one that failed, one without a reader.
pub fn a_week(app: &App) {
    let home = space(app, "Home", None);
    space(app, "Garden", Some(&home));
    app.call("memory_ingest", json!({ "paths": [folder()], "space": "default" }));
    app.call("memory_ingest", json!({ "paths": [sample("garden-plan.md"), sample("costs.csv")], "space": "Garden" }));
    let broken = app.file("in/scan-broken.pdf", b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 9 0 R >>\nendobj\n");
    let unknown = app.file("in/backup.bin", &[0x93, 0x17, 0x00, 0xfe, 0x81, 0x02, 0x44, 0x00, 0x01]);
    app.call("memory_ingest", json!({ "paths": [broken, unknown], "space": "default" }));
    if let Some(locked) = shared("pdf/libreoffice-writer-password.pdf") {
        app.call("memory_ingest", json!({ "paths": [locked], "space": "default" }));
    }
    app.call(
        "memory_remember",
        json!({ "text": "The neighbour keeps the spare key of Larch House.", "space": "default" }),
    );
    let gone = app.file("in/old-list.txt", b"Milk, bread, candles.");
    let gone = app.call("memory_ingest", json!({ "paths": [gone], "space": "default" }));
    app.call("artifact_remove", json!({ "id": gone["files"][0]["artifact_id"] }));
    app.wait_until_read();
    a_decision(app);
    disagreements(app);
    a_sharing(app);
    a_name(app);
    personal(app);
    crate::promotions::requested(app, "Home");
    crate::work::a_project(app);
}

/// A picture of which something will go, a note with secrets, and one of which something was blacked out.
fn personal(app: &App) {
    let picture = crate::redactions::a_picture(app, "club.png");
    app.ingest("default", &[picture]);
    app.call(
        "memory_remember",
        json!({ "text": "The locksmith is Theo Lund, +47 22 85 50 50, theo@lund.example.", "space": "default" }),
    );
    let gone = "The spare card is 4111 1111 1111 1111, kept in the drawer.";
    let gone = app.call("memory_remember", json!({ "text": gone, "space": "default" }));
    app.wait_until_read();
    let accept = |all: Value| app.call("findings_decide", json!({ "decision": "accept", "all": all }));
    accept(json!({ "artifact": crate::scenes::artifact(app, "club.png"), "kind": "email" }));
    accept(json!({ "memory": gone["memory"]["id"] }));
    app.call("redaction_apply", json!({ "memory": gone["memory"]["id"] }));
    app.wait_until_read();
}

/// A name that two bear, in a note that does not say which of them is meant.
fn a_name(app: &App) {
    for name in ["Jordan Smith", "Jordan Lee"] {
        let fact = json!({ "subject": name, "subject_type": "person", "predicate": "likes", "object": "tea" });
        app.call("facts_add", json!({ "space": "default", "facts": [fact] }));
        let id = crate::beliefs::entity(app, name);
        app.call("entity_edit", json!({ "entity": id, "alias": "Jordan" }));
    }
    app.call("memory_remember", json!({ "text": "Ivo Brandt reports to Jordan.", "space": "default" }));
    app.wait_until_read();
}

/// Conflicts of each type: three values for one thing, a denial, two of whom only one can be right; and a belief that
/// several files carry, with what they are about.
fn disagreements(app: &App) {
    let fact = |subject: &str, predicate: &str, object: &str, negative: bool| {
        json!({ "subject": subject, "subject_type": "person", "predicate": predicate, "object": object,
            "negative": negative })
    };
    let facts = [
        fact("Maya Lind", "lives_in", "Marlow", false),
        fact("Maya Lind", "lives_in", "Halden", false),
        fact("Maya Lind", "lives_in", "Upper Larch by the Lake", false),
        fact("Iris Vale", "likes", "tea", false),
        fact("Iris Vale", "likes", "tea", true),
        fact("Iris Vale", "married_to", "Paul Kern", false),
        fact("Rosa Lind", "married_to", "Paul Kern", false),
    ];
    app.call("facts_add", json!({ "space": "default", "facts": facts }));
    let says = "Ana Ruiz has worked at Northwind as lead engineer since 2021.";
    let texts = [says.to_owned(), format!("{says}\n\n#lake #people")];
    let files = [("in/minutes-of-the-club-meeting-2024.txt", &texts[0]), ("in/staff.md", &texts[1])];
    app.ingest("default", &files.map(|(name, text)| app.file(name, text.as_bytes())));
}

/// An entity that all spaces share.
fn a_sharing(app: &App) {
    let fact = json!({ "subject": "Fjord Ferries", "subject_type": "organization", "predicate": "located_in", "object": "Halden" });
    app.call("facts_add", json!({ "space": "default", "facts": [fact] }));
    let id = crate::beliefs::entity(app, "Fjord Ferries");
    app.call("entity_share", json!({ "entity": id }));
}

/// Two facts that cannot both be so, and the decision between them; two more, of which one was taken back.
fn a_decision(app: &App) {
    let ages = |name: &str| {
        let fact = |age: &str| json!({ "subject": name, "predicate": "age", "object": age });
        app.call("facts_add", json!({ "space": "default", "facts": [fact("31"), fact("32")] }))
    };
    let decided = ages("Clara Voss");
    let conflict = decided["facts"][1]["conflicts"][0].as_str().expect("the two disagree");
    app.call("conflicts_resolve", json!({ "conflict": conflict, "resolution": "claim_b_wins" }));
    let settled = ages("Ivo Brandt");
    app.call("claim_retract", json!({ "claim": settled["facts"][0]["claim"]["id"] }));
}

/// Gives the app ears: the small model made for tests, after which recordings are heard that waited. `false`, saying
/// so, where it is not there.
pub fn a_model(app: &App) -> bool {
    let Some(model) = shared("asr/memo-whisper.bin") else { return false };
    app.call("model_add", json!({ "path": model, "id": "memo-whisper" }));
    app.wait_until_read();
    true
}
