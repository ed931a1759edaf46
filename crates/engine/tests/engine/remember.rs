//! Texts as memories.

use crate::support::{Rig, SPACE};
use um_model::capture::{MAX_MEMORY_BYTES, MemoryRemember, Remembered};
use um_model::{ApiError, ErrorCode, MemoryScope, MemoryStatus};

fn request(text: &str) -> MemoryRemember {
    MemoryRemember { text: text.to_owned(), space: SPACE.to_owned(), ..MemoryRemember::default() }
}

fn keyed(rig: &Rig, key: &str, text: &str) -> Remembered {
    rig.run(MemoryRemember { key: Some(key.to_owned()), ..request(text) }).unwrap()
}

#[test]
fn the_same_text_is_one_memory() {
    fn check(rig: &Rig, first: &str, again: &str, same: bool) {
        let kept = rig.run(request(first)).unwrap();
        let second = rig.run(request(again)).unwrap();
        assert_eq!(second.created, !same, "{first:?} and {again:?}");
        assert_eq!(second.memory.id == kept.memory.id, same, "{first:?} and {again:?}");
        if same {
            assert_eq!(second.memory.content.as_deref(), Some(first), "the first wording stays");
        }
    }
    let rig = Rig::resting();
    check(&rig, "The boiler is in the cellar.", "The boiler is in the cellar.", true);
    check(&rig, "Keys hang by the door.", "  Keys hang by the door.\n\n", true);
    check(&rig, "Cafe\u{301} opens at nine.", "Café opens at nine.", true);
    check(&rig, "Two words", "Two  words", false);
    check(&rig, "case matters", "Case matters", false);
}

#[test]
fn the_same_text_in_another_space_is_another_memory() {
    let rig = Rig::resting();
    let other = rig.space("Other");
    let here = rig.remember("Said in both.");
    let there = rig.remember_in("other", "Said in both.");
    assert_ne!(here.id, there.id);
    assert_eq!(there.space_id, other.id);
}

#[test]
fn what_is_refused_says_why() {
    fn check(rig: &Rig, request: MemoryRemember, code: ErrorCode) {
        let refused: ApiError = rig.run(request).unwrap_err();
        assert_eq!(refused.code, code, "{refused}");
        assert!(!refused.message.is_empty());
    }
    let rig = Rig::resting();
    check(&rig, request(""), ErrorCode::Empty);
    check(&rig, request(" \n\t\u{2003}"), ErrorCode::Empty);
    check(&rig, request(&"x".repeat(MAX_MEMORY_BYTES + 1)), ErrorCode::TextTooLong);
    check(&rig, request(&"é".repeat(MAX_MEMORY_BYTES / 2 + 1)), ErrorCode::TextTooLong);
    check(&rig, MemoryRemember { space: "Nowhere".to_owned(), ..request("x") }, ErrorCode::NotFound);
    check(&rig, MemoryRemember { space: " ".to_owned(), ..request("x") }, ErrorCode::InvalidRequest);
    assert_eq!(rig.count("SELECT count(*) FROM memories"), 0, "nothing of it was kept");
    assert!(rig.run(request(&"x".repeat(MAX_MEMORY_BYTES))).unwrap().created, "just the limit is taken");
}

#[test]
fn a_key_groups_the_versions_of_one_thing() {
    let rig = Rig::new();
    let first = keyed(&rig, "office", "The office is in Bergen.").memory;
    let second = keyed(&rig, "office", "The office is in Oslo.").memory;
    rig.settled();
    assert_eq!(second.supersedes_id, Some(first.id.clone()));
    let old = rig.memory(&first.id);
    assert_eq!((old.status, old.superseded_by_id), (MemoryStatus::Superseded, Some(second.id.clone())));
    assert!(rig.recall("Bergen").hits.iter().all(|hit| hit.ids.memory != first.id), "it left recall");
    assert_eq!(rig.found("Oslo").len(), 1);

    // What is said again is true again.
    let again = keyed(&rig, "office", "The office is in Bergen.");
    rig.settled();
    assert!(!again.created);
    assert_eq!(again.memory.id, first.id);
    assert_eq!(rig.memory(&first.id).status, MemoryStatus::Active);
    assert_eq!(rig.memory(&first.id).superseded_by_id, None);
    let other = rig.memory(&second.id);
    assert_eq!((other.status, other.superseded_by_id), (MemoryStatus::Superseded, Some(first.id)));
    assert_eq!(rig.found("Bergen").len(), 1);
    assert_eq!(rig.found("Oslo").len(), 0);
}

#[test]
fn one_key_has_one_active_memory() {
    let rig = Rig::resting();
    for (key, text) in [("a", "one"), ("a", "two"), ("b", "two"), ("b", "three"), ("a", "one"), ("b", "one")] {
        keyed(&rig, key, text);
        let many = rig.count(
            "SELECT count(*) FROM (SELECT memory_key FROM memories WHERE status = 'active' AND memory_key IS NOT NULL
             GROUP BY space_id, memory_key HAVING count(*) > 1)",
        );
        assert_eq!(many, 0, "after {key}: {text}");
    }
}

#[test]
fn the_envelope_and_the_times_are_kept() {
    let rig = Rig::resting();
    let kept = rig
        .run(MemoryRemember {
            title: Some("A title".to_owned()),
            owner: Some("Ana".to_owned()),
            session: Some("s-1".to_owned()),
            occurred_at: Some(1_000),
            ..request("What Ana said.")
        })
        .unwrap()
        .memory;
    assert_eq!(kept.title.as_deref(), Some("A title"));
    assert_eq!((kept.owner.as_deref(), kept.session_id.as_deref()), (Some("Ana"), Some("s-1")));
    assert_eq!((kept.occurred_at, kept.created_at), (Some(1_000), crate::support::BEGIN));
}

#[test]
fn every_memory_says_what_it_is_about_files_once_they_are_read() {
    let rig = Rig::new();
    let text = rig.remember("I prefer tea to coffee. I hate olives. #kitchen");
    assert_eq!((text.scope, text.tags.as_slice()), (MemoryScope::Preference, &["kitchen".to_owned()][..]));
    assert!(text.classification_confidence > 0.5);
    let file = rig.ingest("taste.txt", "I prefer tea to coffee. I hate olives. I like rye bread.\n\n#kitchen\n");
    let code = rig.ingest("stock.py", "def total(rows):\n    return sum(rows)\n");
    rig.settled();
    let of = |file| rig.memory(&rig.artifact(file).summary.memory_id.unwrap());
    let read = of(&file);
    assert_eq!((read.scope, read.tags.as_slice()), (MemoryScope::Preference, &["kitchen".to_owned()][..]));
    assert!(read.classification_confidence > 0.5, "{}", read.classification_confidence);
    assert_eq!(of(&code).tags, ["python"]);
    let hit = rig.found("olives").into_iter().find(|hit| hit.ids.memory == read.id).unwrap();
    assert_eq!(hit.tags, ["kitchen"]);
    assert_eq!(rig.count("SELECT count(*) FROM tags WHERE name = 'kitchen'"), 1);
}

#[test]
fn what_the_person_said_is_replaced_by_nobodys_words_but_their_own() {
    use um_engine::language::{Entailment, EntailmentLabel};
    let said = |rig: &Rig, agent: bool, text: &str| {
        let request = MemoryRemember { text: text.into(), space: SPACE.into(), ..MemoryRemember::default() };
        let kept = match agent {
            true => rig.engine().run(&rig.agent_in("notes-bot", &[SPACE], &[]), request).unwrap().memory,
            false => rig.run(request).unwrap().memory,
        };
        rig.settled();
        kept.id
    };
    let check = |first: bool, second: bool, expected: MemoryStatus| {
        let rig = Rig::new();
        *rig.script.entailment.lock().unwrap() =
            Some(|_, _| Entailment { label: EntailmentLabel::Entails, score: 0.99 });
        let first_id = said(&rig, first, "The heron nests by the old mill.");
        rig.advance(1);
        said(&rig, second, "The heron nests, by the old mill.");
        let what = format!("by an agent: {first}, then {second}");
        match expected {
            // The comparison is queued once both are embedded.
            MemoryStatus::Superseded => rig.until(&what, || rig.memory(&first_id).status == expected),
            _ => assert_eq!(rig.memory(&first_id).status, expected, "{what}"),
        }
    };
    check(false, false, MemoryStatus::Superseded);
    check(false, true, MemoryStatus::Active);
    check(true, false, MemoryStatus::Superseded);
    check(true, true, MemoryStatus::Superseded);
}
