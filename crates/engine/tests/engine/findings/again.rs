//! Texts that another version of the detectors looked at are looked at again; what a person decided stays.

use super::*;

/// As another version of the detectors would have left it.
fn looked_at_by(rig: &Rig, version: &str) {
    rig.settled();
    rig.pause();
    let db = rig.db();
    for table in ["memories", "derived_text_views"] {
        let sql = format!("UPDATE {table} SET detected_by = ?1 WHERE detected_by IS NOT NULL");
        db.execute(&sql, [version]).unwrap();
    }
    db.execute("UPDATE redaction_findings SET detector_version = ?1 WHERE detector_id <> 'person'", [version]).unwrap();
}

fn look_again(rig: &Rig) {
    let left = format!(
        "SELECT (SELECT count(*) FROM memories WHERE detected_by <> '{version}')
           + (SELECT count(*) FROM derived_text_views WHERE detected_by <> '{version}')",
        version = um_pii::VERSION
    );
    rig.until("all is looked at again", || {
        rig.wake();
        rig.count(&left) == 0 && !rig.jobs().busy
    });
}

#[test]
fn each_text_knows_by_which_version_it_was_looked_at() {
    let rig = Rig::new();
    rig.remember("Nothing of note.");
    rig.ingest("note.txt", "Nothing either.");
    rig.settled();
    for table in ["memories WHERE content IS NOT NULL", "derived_text_views"] {
        let of = |more: &str| rig.count(&format!("SELECT count(*) FROM {table}{more}"));
        let and = if table.contains("WHERE") { " AND" } else { " WHERE" };
        assert_eq!(of(&format!("{and} detected_by IS '{}'", um_pii::VERSION)), of(""), "{table}");
    }
    assert_eq!(rig.count("SELECT count(*) FROM jobs WHERE kind = 'detect'"), 0);
}

#[test]
fn another_version_replaces_what_nobody_decided_and_keeps_the_rest() {
    // Versions are compared by their names, whichever is newer.
    for version in ["pii-0", "pii-0.5", "zzz"] {
        let rig = Rig::new();
        let memory = rig.remember(&format!("Write to {MAIL}, pay with {CARD} or from {IBAN}."));
        let file = rig.ingest("note.txt", format!("Write to {MAIL}."));
        rig.settled();
        let ids: Vec<FindingId> = of_memory(&rig, &memory.id).into_iter().map(|one| one.id).collect();
        decide(&rig, FindingDecision::Dismiss, &ids[..1]);
        decide(&rig, FindingDecision::Accept, &ids[1..2]);
        let span = Some(um_model::Utf16Span::new(0, 5));
        let marked = rig.run(FindingAdd { memory: Some(memory.id.clone()), span, ..FindingAdd::default() }).unwrap();
        decide(&rig, FindingDecision::Reopen, &[marked.id]);
        let before = told(&rig);
        looked_at_by(&rig, version);
        // What that version found and this one does not: a place that is nothing, and nobody decided.
        let wrong = "INSERT INTO redaction_findings (id, space_id, memory_id, start_offset, end_offset, finding_kind,
            detector_id, detector_version, confidence, created_at) VALUES ('w', ?1, ?2, 6, 8, 'person', 'd', ?3, 0.9, 1)";
        rig.db().execute(wrong, [SPACE, memory.id.as_str(), version]).unwrap();
        look_again(&rig);
        assert_eq!(told(&rig), before, "{version}");
        assert_eq!(
            rig.count(&format!("SELECT count(*) FROM redaction_findings WHERE detector_version = '{version}'")),
            2
        );
        assert_eq!(list(&rig, FindingsList { artifact: Some(file), ..FindingsList::default() }).total, 1);
        // Looking once more changes nothing.
        looked_at_by(&rig, version);
        look_again(&rig);
        assert_eq!(told(&rig), before, "{version}");
    }
}

#[test]
fn what_lies_within_a_decided_one_of_its_kind_is_not_asked_about_again() {
    let rig = Rig::new();
    let memory = rig.remember(&format!("Write to {MAIL} today."));
    rig.settled();
    let all = um_model::Utf16Span::new(0, 30);
    let add = |kind| FindingAdd {
        memory: Some(memory.id.clone()),
        span: Some(all),
        kind: Some(kind),
        ..FindingAdd::default()
    };
    rig.run(add(FindingKind::Person)).unwrap();
    rig.run(add(FindingKind::Email)).unwrap();
    looked_at_by(&rig, "pii-0");
    look_again(&rig);
    assert_eq!(told(&rig).iter().filter(|one| one.contains("pending")).count(), 0, "{:?}", told(&rig));
}

#[test]
fn work_that_the_service_did_not_end_is_done_after_the_next_start() {
    let mut rig = Rig::resting();
    rig.remember(&format!("Write to {MAIL}."));
    rig.reopen(crate::support::MODEL);
    rig.engine().start();
    rig.settled();
    assert_eq!(told(&rig), [format!("email pending {MAIL}")]);
}

/// All that is still to be looked at by the model, is.
fn names_are_looked_for(rig: &Rig, model: &str) {
    let left = |table| format!("SELECT count(*) FROM {table} WHERE detected_by <> '{}+{model}'", um_pii::VERSION);
    rig.until("the model has looked", || {
        rig.wake();
        rig.count(&left("memories")) + rig.count(&left("derived_text_views")) == 0 && !rig.jobs().busy
    });
}

#[test]
fn a_model_for_names_looks_at_what_is_there_and_at_what_comes() {
    let rig = Rig::new();
    rig.remember(&format!("the ferry of oluwadara leaves; write to {MAIL}."));
    rig.settled();
    let without = vec![format!("email pending {MAIL}")];
    assert_eq!(told(&rig), without);
    *rig.script.names.lock().unwrap() = Some(("tagger-1", "oluwadara"));
    rig.ingest("note.txt", "and oluwadara wrote this");
    rig.settled();
    names_are_looked_for(&rig, "tagger-1");
    let with = told(&rig);
    assert_eq!(with.iter().filter(|one| *one == "person pending oluwadara").count(), 2, "{with:?}");
    assert!(with.contains(&without[0]), "{with:?}");
    // Another model in its place takes back what it does not see itself.
    *rig.script.names.lock().unwrap() = Some(("tagger-2", "ferry"));
    names_are_looked_for(&rig, "tagger-2");
    let other = told(&rig);
    assert!(other.contains(&"person pending ferry".to_owned()) && other.len() == 2, "{other:?}");
    // What it found stays when it is gone.
    *rig.script.names.lock().unwrap() = None;
    rig.remember("Nothing of note.");
    rig.settled();
    assert_eq!(told(&rig), other);
}

#[test]
fn a_model_for_names_that_fails_costs_no_finding_of_the_detectors() {
    let rig = Rig::new();
    *rig.script.names.lock().unwrap() = Some(("tagger", "ferry"));
    let fails = || ProviderError::Unsupported("it cannot read this".to_owned());
    rig.script.names_errors.lock().unwrap().extend([fails()]);
    rig.remember(&format!("the ferry leaves; write to {MAIL}."));
    rig.until("it was tried", || {
        rig.wake();
        rig.script.names_errors.lock().unwrap().is_empty() && !rig.jobs().busy
    });
    assert_eq!(told(&rig), [format!("email pending {MAIL}")]);
    let failed =
        format!("SELECT count(*) FROM jobs WHERE kind = 'detect' AND config_hash = '{}+tagger'", um_pii::VERSION);
    assert_eq!(rig.count(&failed), 1, "it is not tried again and again");
}
