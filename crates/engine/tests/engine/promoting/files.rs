//! Files in another space, with what was read from them.

use super::*;
use crate::support::inputs::{self, Page};
use crate::support::{MODEL, check_quote};
use std::sync::atomic::Ordering;
use um_model::ArtifactId;
use um_model::recall::MemoryRecall;

fn team(rig: &Rig) -> um_model::SpaceId {
    let team: String =
        rig.db().query_row("SELECT id FROM memory_spaces WHERE name = 'Team'", [], |row| row.get(0)).unwrap();
    um_model::SpaceId::parse(team).unwrap()
}

fn ask_for(rig: &Rig, file: &ArtifactId) -> PromotionId {
    rig.settled();
    rig.run(asking(PromotedKind::Artifact, file.as_str())).unwrap().id
}

fn promote(rig: &Rig, file: &ArtifactId) -> ArtifactId {
    let asked = ask_for(rig, file);
    assert_eq!(show(rig, &asked).blocks, [], "{:?}", rig.artifact(file).summary.reading);
    let copy = approve(rig, &asked).unwrap().promoted_id.unwrap();
    rig.settled();
    ArtifactId::parse(copy).unwrap()
}

#[test]
fn a_file_is_cited_in_the_target_as_in_its_own_space() {
    let pages = [Page::Text("the ferry leaves at noon".into()), Page::Scan("the pier is in the north".into())];
    for (name, bytes, query) in [
        ("plan.md", b"# Ferry\n\nThe ferry leaves at noon.".to_vec(), "When does the ferry leave?"),
        ("plan.pdf", inputs::pdf(None, &pages), "Where is the pier?"),
        ("plan.wav", inputs::wav(&["the ferry leaves at noon"]), "When does the ferry leave?"),
        ("plan.png", inputs::png("the ferry leaves at noon"), "When does the ferry leave?"),
    ] {
        let rig = rig();
        rig.script.speech.store(true, Ordering::Relaxed);
        let file = rig.ingest(name, bytes);
        let copy = promote(&rig, &file);
        let hits = rig.recall_in(&team(&rig), query);
        let own = rig.recall_in(&um_model::SpaceId::default_project(), query);
        let Some(hit) = hits.first() else { panic!("{name} is not found") };
        assert_eq!(hit.ids.artifact.as_ref(), Some(&copy), "{name}");
        check_quote(&rig, hit);
        let place = |hit: &um_model::recall::Hit| (hit.quote.clone(), hit.page, hit.bbox, hit.time, hit.lines);
        assert_eq!(place(hit), place(&own[0]), "{name} is cited at the same place");
        let read = |id: &ArtifactId| {
            let request = serde_json::json!({ "id": id, "what": "original" });
            rig.engine().call(&Caller::owner("test"), "media_read", request).unwrap()
        };
        assert_eq!(read(&copy), read(&file), "{name}");
        assert_eq!(rig.artifact(&copy).summary.artifact.source_path, None, "where it came from stays behind");
        let again = rig.run(asking(PromotedKind::Artifact, file.as_str()));
        assert_eq!(again.unwrap_err().code, ErrorCode::AlreadyExists, "{name}");
        // Removed, it comes back.
        rig.run(ArtifactRemove { id: copy.clone() }).unwrap();
        assert_eq!(promote(&rig, &file), copy, "{name}");
        assert_eq!(rig.recall_in(&team(&rig), query).len(), hits.len(), "{name}");
    }
}

#[test]
fn a_file_that_lies_cold_in_the_target_is_found_there_again() {
    let rig = rig();
    let file = rig.ingest("plan.md", "The ferry leaves at noon.");
    let copy = promote(&rig, &file);
    let id = rig.artifact(&copy).summary.memory_id.unwrap();
    rig.run(MemoryTier { id, tier: Tier::Cold }).unwrap();
    assert_eq!(rig.recall_in(&team(&rig), "When does the ferry leave?").len(), 0);
    assert_eq!(promote(&rig, &file), copy);
    assert_eq!(rig.recall_in(&team(&rig), "When does the ferry leave?").len(), 1);
}

#[test]
fn the_memory_of_a_file_goes_with_it() {
    let rig = rig();
    let file = rig.ingest("plan.md", "The ferry leaves at noon.");
    rig.settled();
    let memory = rig.artifact(&file).summary.memory_id.unwrap();
    let asked = ask(&rig, &memory).unwrap();
    let copy = approve(&rig, &asked.id).unwrap().promoted_id.unwrap();
    rig.settled();
    let copy = rig.memory(&MemoryId::parse(copy).unwrap());
    assert_eq!(copy.space_id, team(&rig));
    assert_ne!(copy.artifact_id.unwrap(), file);
}

/// A large file, which lies beside the database.
fn large(rig: &Rig) -> ArtifactId {
    let mut bytes = b"zorvexq".to_vec();
    bytes.resize(INLINE_FILE_BYTES as usize + 5, 0xfe);
    let file = rig.ingest("large.bin", bytes);
    rig.settled();
    file
}

fn blobs(rig: &Rig) -> usize {
    ignore_dirs(&rig.data().join("blobs"))
}

fn ignore_dirs(folder: &std::path::Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let count = |entry: std::fs::DirEntry| match entry.file_type().unwrap().is_dir() {
        true => ignore_dirs(&entry.path()),
        false => 1,
    };
    entries.map(Result::unwrap).map(count).sum()
}

#[test]
fn a_large_file_has_bytes_of_its_own_in_the_target() {
    let rig = rig();
    let file = large(&rig);
    let copy = promote(&rig, &file);
    assert_eq!(blobs(&rig), 2, "one space's forgetting cannot destroy another's bytes");
    // The copy alone is forgotten: the source stays.
    let forget = |what: ForgetWhat| {
        let token = rig.run(ForgetPreview { what: what.clone() }).unwrap().token;
        assert_eq!(rig.run(ForgetExecute { what, token }).unwrap().proof.left, 0);
    };
    let space = Some(TEAM.to_owned());
    forget(ForgetWhat { artifact: Some(copy), space, ..ForgetWhat::default() });
    assert_eq!(blobs(&rig), 1);
    assert!(!rig.artifact(&file).summary.artifact.redacted);
    let again = rig.run(asking(PromotedKind::Artifact, file.as_str()));
    assert_eq!(again.unwrap_err().code, ErrorCode::Forgotten, "its bytes do not come back");
}

#[test]
fn a_copied_file_is_forgotten_with_its_source() {
    let rig = rig();
    let small = rig.ingest("zorvexq.md", "The zorvexq ferry leaves at noon.");
    let files = [large(&rig), small];
    for file in files {
        promote(&rig, &file);
        let what = ForgetWhat { artifact: Some(file), ..ForgetWhat::default() };
        let token = rig.run(ForgetPreview { what: what.clone() }).unwrap().token;
        assert_eq!(rig.run(ForgetExecute { what, token }).unwrap().proof.left, 0);
    }
    assert_eq!(blobs(&rig), 0);
    assert_eq!(crate::support::traces(rig.data(), "zorvexq"), [""; 0]);
    assert_eq!(rig.count("SELECT count(*) FROM artifacts WHERE is_redacted = 0"), 0);
}

/// Whatever row cannot be written: nothing of the copy is there, the request waits on, and it can be approved afterwards.
#[test]
fn a_copy_is_whole_or_not_at_all() {
    let mut rig = rig();
    let file = rig.ingest("plan.pdf", inputs::pdf(None, &[Page::Text("the ferry leaves at noon".into())]));
    let large = large(&rig);
    let tables = [
        "artifact_bytes",
        "artifacts",
        "memories",
        "media_segments",
        "derived_text_views",
        "text_view_spans",
        "text_units",
        "jobs",
        "audit_events",
    ];
    let counted = |rig: &Rig| {
        let count = |table: &&str| rig.count(&format!("SELECT count(*) FROM {table}"));
        tables.iter().map(count).collect::<Vec<_>>()
    };
    for file in [&file, &large] {
        let asked = ask_for(&rig, file);
        let before = counted(&rig);
        for table in tables {
            // A large file has no bytes in the database and no text to stand anywhere.
            if *file == large && ["artifact_bytes", "text_view_spans"].contains(&table) {
                continue;
            }
            let fault = format!(
                "CREATE TRIGGER fault BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
            );
            rig.db().execute_batch(&fault).unwrap();
            let failed = approve(&rig, &asked).map(drop);
            rig.db().execute_batch("DROP TRIGGER fault").unwrap();
            assert!(failed.is_err(), "{table}");
            assert_eq!(counted(&rig), before, "{table}");
            assert_eq!(show(&rig, &asked).promotion.status, PromotionStatus::Pending, "{table}");
        }
    }
    assert_eq!(blobs(&rig), 2, "bytes without a row");
    rig.reopen(MODEL);
    assert_eq!(blobs(&rig), 1, "are swept up at the next start");
    rig.engine().start();
    for file in [file, large] {
        promote(&rig, &file);
    }
    assert_eq!(blobs(&rig), 2);
}

#[test]
fn each_mail_of_a_mailbox_is_from_the_same_in_the_target() {
    let rig = rig();
    let mail =
        |from: &str, says: &str| format!("From - Fri Mar 12 09:00:00 2021\nFrom: {from}\nSubject: plan\n\n{says}\n\n");
    let mails =
        [mail("The ferry office", "The ferry leaves at noon."), mail("The harbour", "The pier is in the north.")];
    promote(&rig, &rig.ingest("box.mbox", mails.concat()));
    let request = MemoryRecall {
        from: vec!["harbour".to_owned()],
        space: Some(team(&rig).to_string()),
        ..MemoryRecall::default()
    };
    let hits = rig.run(request).unwrap().hits;
    let told: Vec<_> = hits.iter().map(|hit| (hit.quote.contains("pier"), hit.occurred_at)).collect();
    assert_eq!(told, [(true, Some(1_615_539_600_000))], "{hits:?}");
}
