//! Whom names mean: names that may mean several wait for a decision, relatives get their names, and whoever is named is
//! found where they are named.

use super::sources::{ingest, reconcile};
use super::*;
use um_model::belief::{EntityType, MatchType};
use um_model::capture::ArtifactReread;
use um_model::health::SettingsSet;
use um_model::llm::{LlmChange, LlmUse};
use um_model::recall::{MemoryRecall, PathStep};
use um_model::traces::TraceGet;
use um_model::{ArtifactId, EntityId, ErrorCode, MemoryId, Utf16Span};

/// Two persons whom "Jordan" may mean.
fn two_jordans(rig: &Rig) -> [EntityId; 2] {
    ["Jordan Smith", "Jordan Lee"].map(|name| {
        add(rig, fact(name, "likes", "tea"));
        let entity = entity_id(rig, name);
        rig.run(EntityEdit { entity: entity.to_string(), alias: Some("Jordan".into()), ..EntityEdit::default() })
            .unwrap();
        entity
    })
}

fn waiting(rig: &Rig) -> Vec<NameCandidate> {
    let listed = rig.run(CandidatesList::default()).unwrap();
    assert_eq!(listed.total, listed.candidates.len() as u64);
    listed.candidates
}

fn decide(rig: &Rig, candidate: &NameCandidate, entity: Option<&EntityId>) -> Result<NameCandidate, ApiError> {
    let decided =
        rig.run(CandidatesDecide { candidate: candidate.id.clone(), entity: entity.map(ToString::to_string) });
    rig.settled();
    decided
}

fn reread(rig: &Rig, file: &ArtifactId) {
    rig.run(ArtifactReread { id: file.clone() }).unwrap();
    rig.settled();
}

#[test]
fn whoever_is_only_in_a_refused_claim_is_nobody() {
    let rig = Rig::new();
    two_jordans(&rig);
    let before = rows(&rig, "SELECT name FROM entities ORDER BY rid");
    ingest(&rig, "one.txt", "Nora Quist reports to Jordan.\n");
    assert_eq!(rows(&rig, "SELECT name FROM entities ORDER BY rid"), before);
}

#[test]
fn a_name_that_may_mean_two_waits_and_is_read_again_when_it_is_decided() {
    let rig = Rig::new();
    let [smith, lee] = two_jordans(&rig);
    let file = ingest(&rig, "one.txt", "Some notes.\nNora Quist reports to Jordan.\n");
    let before = believed(&rig);
    let held = waiting(&rig).remove(0);
    assert_eq!((held.name.as_str(), held.claims, held.title.as_str()), ("Jordan", 1, "one.txt"));
    let choices: Vec<&EntityId> = held.choices.iter().map(|choice| &choice.id).collect();
    assert_eq!(choices, [&smith, &lee]);
    assert!(held.quote.contains("reports to Jordan") && held.meant.is_none(), "{held:?}");
    assert_eq!(held.artifact_id, Some(file.clone()));

    // Reading it again holds it once.
    reread(&rig, &file);
    assert_eq!((waiting(&rig).len(), believed(&rig)), (1, before.clone()));

    add(&rig, fact("Zed", "likes", "tea"));
    let (other, before) = (entity_id(&rig, "Zed"), believed(&rig));
    assert_eq!(decide(&rig, &held, Some(&other)).unwrap_err().code, ErrorCode::InvalidRequest);
    let decided = decide(&rig, &held, Some(&lee)).unwrap();
    assert_eq!(decided.meant.map(|meant| meant.id), Some(lee.clone()));
    let now = believed(&rig);
    let new: Vec<&String> = now.iter().filter(|fact| !before.contains(fact)).collect();
    assert_eq!(new, ["asserted: Nora Quist reports to Jordan Lee"]);
    assert!(waiting(&rig).is_empty());
    assert_eq!(decide(&rig, &held, Some(&smith)).unwrap_err().code, ErrorCode::Conflict);
    reread(&rig, &file);
    assert_eq!(believed(&rig), now, "it stays decided");
    let listed = rig.run(CandidatesList { decided: true, ..CandidatesList::default() }).unwrap();
    assert_eq!((listed.total, listed.candidates[0].waits), (1, false));

    // It was the other one after all.
    let reopen = || {
        let waiting = rig.run(CandidatesReopen { candidate: held.id.clone() });
        rig.settled();
        waiting
    };
    let waits = reopen().unwrap();
    assert!(waits.waits && waits.meant.is_none(), "{waits:?}");
    assert_eq!(believed(&rig), before);
    assert_eq!(reopen().unwrap_err().code, ErrorCode::InvalidRequest);
    decide(&rig, &held, Some(&smith)).unwrap();
    assert!(believed(&rig).contains(&"asserted: Nora Quist reports to Jordan Smith".to_owned()));
    reopen().unwrap();
    decide(&rig, &held, Some(&lee)).unwrap();
    assert_eq!(believed(&rig), now);

    // Elsewhere nothing is decided.
    ingest(&rig, "two.txt", "Jordan lives in Porto.\n");
    assert_eq!((waiting(&rig).len(), believed(&rig)), (1, now));
}

#[test]
fn what_is_said_by_the_full_name_stays_when_a_decision_is_taken_back() {
    let rig = Rig::new();
    let [smith, lee] = two_jordans(&rig);
    ingest(&rig, "one.txt", "Jordan lives in Porto.\nJordan Lee works at Orbis. Jordan Smith waved.\n");
    let held = waiting(&rig).remove(0);
    decide(&rig, &held, Some(&lee)).unwrap();
    rig.run(CandidatesReopen { candidate: held.id.clone() }).unwrap();
    rig.settled();
    assert_eq!(
        believed(&rig),
        ["asserted: Jordan Lee likes tea", "asserted: Jordan Lee works at Orbis", "asserted: Jordan Smith likes tea"]
    );
    // Who is meant stays decided when there is only one left whom it may mean, and waits when there are two again.
    let merged = rig.run(EntityMerge { keep: smith, merge: lee }).unwrap();
    rig.settled();
    assert!(waiting(&rig).is_empty());
    assert!(believed(&rig).contains(&"asserted: Jordan Smith lives in Porto".to_owned()), "{:?}", believed(&rig));
    let undo = merged.merges.iter().find(|merge| !merge.undone).unwrap().id.clone();
    rig.run(EntityUnmerge { merge: undo }).unwrap();
    rig.settled();
    assert_eq!((waiting(&rig).len(), believed(&rig).iter().any(|fact| fact.contains("Porto"))), (1, false));
}

#[test]
fn what_a_model_said_of_such_a_name_is_kept_without_asking_it_again() {
    let rig = Rig::new();
    let [smith, _] = two_jordans(&rig);
    rig.settled();
    let llm = LlmChange {
        enabled: Some(true),
        base_url: Some("http://127.0.0.1:1/v1".into()),
        model: Some("tiny".into()),
        use_for: Some(vec![LlmUse::Claims]),
        ..LlmChange::default()
    };
    rig.run(SettingsSet { llm: Some(llm), ..SettingsSet::default() }).unwrap();
    let text = "Jordan -- on rain, ever so fond.";
    let says = serde_json::json!({"claims": [{"quote": text, "subject": "Jordan", "subject_type": "person",
        "predicate": "fond_of", "object": "rain", "object_is_entity": false, "confidence": 0.8}]});
    rig.script.llm_answers.lock().unwrap().push_back(Ok(says));
    rig.remember(text);
    rig.settled();
    let held = waiting(&rig).remove(0);
    assert_eq!(held.quote, text);
    decide(&rig, &held, Some(&smith)).unwrap();
    assert!(believed(&rig).contains(&"asserted: Jordan Smith likes rain".to_owned()), "{:?}", believed(&rig));
    assert_eq!(rig.script.llm_asked.lock().unwrap().len(), 1);
}

#[test]
fn a_name_that_means_none_of_them_waits_no_more() {
    let rig = Rig::new();
    two_jordans(&rig);
    let before = believed(&rig);
    let file = ingest(&rig, "one.txt", "Nora Quist reports to Jordan.\n");
    let held = waiting(&rig).remove(0);
    assert!(decide(&rig, &held, None).unwrap().meant.is_none());
    reread(&rig, &file);
    assert_eq!((waiting(&rig).len(), believed(&rig)), (0, before));
}

#[test]
fn a_name_waits_no_more_when_those_whom_it_may_mean_become_one() {
    let rig = Rig::new();
    let [smith, lee] = two_jordans(&rig);
    ingest(&rig, "one.txt", "Nora Quist reports to Jordan.\n");
    assert_eq!(waiting(&rig).len(), 1);
    rig.run(EntityMerge { keep: lee, merge: smith }).unwrap();
    rig.settled();
    assert!(waiting(&rig).is_empty());
    assert!(believed(&rig).contains(&"asserted: Nora Quist reports to Jordan Lee".to_owned()), "{:?}", believed(&rig));
}

#[test]
fn what_waits_goes_with_its_memory() {
    let rig = Rig::new();
    two_jordans(&rig);
    let file = ingest(&rig, "one.txt", "Nora Quist reports to Jordan.\n");
    assert_eq!(waiting(&rig).len(), 1);
    rig.run(um_model::capture::ArtifactRemove { id: file }).unwrap();
    rig.settled();
    assert!(waiting(&rig).is_empty());
}

#[test]
fn what_is_stated_outright_is_asked_for_at_once() {
    let rig = Rig::resting();
    two_jordans(&rig);
    assert_eq!(try_add(&rig, fact("Jordan", "likes", "rain")).unwrap_err().code, ErrorCode::Ambiguous);
    assert!(waiting(&rig).is_empty());
}

#[test]
fn each_end_of_a_relation_is_named_where_it_stands() {
    let rig = Rig::new();
    // What was known first stands first in a relation that reads both ways.
    add(&rig, fact("Ben Okoro", "likes", "tea"));
    add(&rig, FactInput { subject_type: Some(EntityType::Person), ..fact("Zoe Lind", "likes", "tea") });
    let text = "🍵 Zoe Lind is married to Ben Okoro.\n";
    ingest(&rig, "one.txt", text);
    let named = rows(
        &rig,
        "SELECT json_array(e.name, l.link_type, s.value ->> 0, s.value ->> 1) FROM memory_entity_links l
         JOIN entities e ON e.id = l.entity_id, json_each(l.spans) s
         WHERE l.text_view_id IS NOT NULL ORDER BY l.rid",
    );
    assert!(named.len() >= 2, "{named:?}");
    for row in named {
        let (name, link, start, end): (String, String, u32, u32) = serde_json::from_str(&row).unwrap();
        assert_eq!(Utf16Span::new(start, end).slice(text), Some(name.as_str()), "{link}");
    }
}

#[test]
fn an_entity_tells_where_else_it_is_mentioned() {
    let rig = Rig::new();
    ingest(&rig, "claim.txt", "Ana Ruiz works at Orbis.\n");
    let text = "🍵 first line\nYesterday we saw Ana Ruiz near the lake, and Ana Ruiz waved.\n";
    let file = ingest(&rig, "walk.txt", text);
    let detail = entity(&rig, "Ana Ruiz");
    assert_eq!(detail.mentions_total, 1, "{:?}", detail.mentions);
    let mention = &detail.mentions[0];
    assert_eq!((mention.match_type, mention.citation.artifact_id.as_ref()), (MatchType::Exact, Some(&file)));
    assert_eq!(mention.citation.quote, "Yesterday we saw Ana Ruiz near the lake, and Ana Ruiz waved.");
    assert_eq!(mention.citation.span.slice(text), Some(mention.citation.quote.as_str()));
    assert_eq!((mention.citation.place.lines, mention.citation.title.as_str()), (Some([2, 2]), "walk.txt"));
    let named: Vec<_> = mention.spans.iter().map(|span| span.slice(text).unwrap()).collect();
    assert_eq!(named, ["Ana Ruiz"; 2]);

    // Reading it again changes nothing; what is removed mentions nobody.
    reread(&rig, &file);
    assert_eq!(entity(&rig, "Ana Ruiz").mentions_total, 1);
    rig.run(um_model::capture::ArtifactRemove { id: file }).unwrap();
    rig.settled();
    assert_eq!(entity(&rig, "Ana Ruiz").mentions_total, 0);

    // Page by page.
    for at in 0..25 {
        rig.advance(1);
        rig.remember(&format!("Ana Ruiz waved for the time {at}."));
    }
    rig.settled();
    let page = |mentions_offset| {
        let asked = EntityGet { entity: "Ana Ruiz".into(), mentions_offset, ..EntityGet::default() };
        let detail = rig.run(asked).unwrap();
        assert_eq!(detail.mentions_total, 25);
        detail.mentions.into_iter().map(|mention| mention.citation.quote).collect::<Vec<_>>()
    };
    let (first, second) = (page(0), page(20));
    assert_eq!((first.len(), second.len()), (20, 5));
    assert_eq!(
        (first[0].as_str(), second[4].as_str()),
        ("Ana Ruiz waved for the time 24.", "Ana Ruiz waved for the time 0.")
    );
}

#[test]
fn what_was_read_before_somebody_was_known_mentions_them_too() {
    let rig = Rig::new();
    let text = "# A walk\n\nSome words 🍵 first.\n\nYesterday we saw Ana Ruiz near the lake.\n";
    let file = ingest(&rig, "walk.md", text);
    rig.remember("The ruiz of ana is no name.");
    rig.settled();
    ingest(&rig, "claim.txt", "Ana Ruiz works at Orbis.\n");
    let detail = entity(&rig, "Ana Ruiz");
    let mentions: Vec<_> = detail.mentions.iter().map(|m| (m.citation.artifact_id.clone(), m.spans.clone())).collect();
    let [(Some(found), spans)] = mentions.as_slice() else { panic!("{mentions:?}") };
    assert_eq!((found, spans.len()), (&file, 1));
    assert!(detail.mentions[0].citation.quote.contains("Ana Ruiz near the lake"), "{:?}", detail.mentions[0].citation);
}

#[test]
fn a_memory_that_a_claim_rests_on_is_mentioned_once_the_claim_is_gone() {
    let rig = Rig::new();
    ingest(&rig, "claim.txt", "Ana Ruiz works at Orbis.\n");
    let detail = entity(&rig, "Ana Ruiz");
    assert_eq!((detail.claims.len(), detail.mentions_total), (1, 0));
    rig.run(ClaimRetract { claim: detail.claims[0].id.clone(), undo: false }).unwrap();
    assert_eq!(entity(&rig, "Ana Ruiz").mentions_total, 1);
}

#[test]
fn the_one_relative_without_a_name_is_the_one_who_is_named_later() {
    let rig = Rig::new();
    ingest(&rig, "one.txt", "My sister likes tea.\n");
    let unnamed = entity_id(&rig, "your sister");
    let named = ingest(&rig, "two.txt", "My sister Ana lives in Porto.\n");
    let ana = entity(&rig, "Ana");
    assert_eq!(entity_id(&rig, "your sister"), ana.entity.id, "{:?}", believed(&rig));
    let said: Vec<&str> = ana.claims.iter().map(|claim| claim.statement.as_str()).collect();
    assert!(said.contains(&"Ana likes tea") && said.contains(&"Ana lives in Porto"), "{said:?}");
    let merge = ana.merges.iter().find(|merge| !merge.undone).unwrap();
    assert_eq!(merge.merged.id, unnamed);

    rig.run(EntityUnmerge { merge: merge.id.clone() }).unwrap();
    let apart = |rig: &Rig| {
        assert_eq!(entity_id(rig, "your sister"), unnamed);
        let said: Vec<String> = entity(rig, "Ana").claims.into_iter().map(|claim| claim.statement).collect();
        assert!(!said.iter().any(|said| said.contains("tea")), "{said:?}");
    };
    apart(&rig);
    reread(&rig, &named);
    apart(&rig);
}

#[test]
fn of_two_who_are_named_neither_is_the_one_without_a_name() {
    let rig = Rig::new();
    ingest(&rig, "one.txt", "My sister likes tea.\n");
    let unnamed = entity_id(&rig, "your sister");
    let files = [("Ana", "Porto"), ("Bea", "Rome")]
        .map(|(name, city)| ingest(&rig, &format!("{name}.txt"), &format!("My sister {name} lives in {city}.\n")));
    let check = || {
        assert_eq!(entity_id(&rig, "your sister"), unnamed);
        let of = |name: &str| entity(&rig, name).claims.into_iter().map(|claim| claim.statement).collect::<Vec<_>>();
        assert!(![of("Ana"), of("Bea")].concat().iter().any(|said| said.contains("tea")), "{:?}", believed(&rig));
    };
    check();
    files.iter().for_each(|file| reread(&rig, file));
    check();
}

#[test]
fn which_of_two_sisters_is_meant_is_asked() {
    let rig = Rig::new();
    for (name, city) in [("Ana", "Porto"), ("Bea", "Rome")] {
        ingest(&rig, &format!("{name}.txt"), &format!("My sister {name} lives in {city}.\n"));
    }
    ingest(&rig, "tea.txt", "My sister likes tea.\n");
    let held = waiting(&rig).remove(0);
    assert_eq!((held.name.as_str(), held.choices.len()), ("your sister", 2));
    let bea = entity_id(&rig, "Bea");
    decide(&rig, &held, Some(&bea)).unwrap();
    assert!(believed(&rig).contains(&"asserted: Bea likes tea".to_owned()), "{:?}", believed(&rig));
}

#[test]
fn which_of_those_with_one_first_name_is_meant_is_asked() {
    let rig = Rig::new();
    ingest(&rig, "silva.txt", "Ana Silva lives in Faro.\n");
    ingest(&rig, "one.txt", "Ana likes tea.\n");
    assert_eq!(waiting(&rig).len(), 0, "of one it is not known that nobody else is called so");
    ingest(&rig, "bo.txt", "Bo Lind lives in Lund.\nBo Dahl lives in Umea.\n");
    ingest(&rig, "two.txt", "Bo likes tea.\n");
    let held = waiting(&rig).remove(0);
    assert_eq!((held.name.as_str(), held.choices.len()), ("Bo", 2));
    ingest(&rig, "full.txt", "Bo Lind works at Orbis. Bo likes rye.\n");
    assert!(believed(&rig).contains(&"asserted: Bo Lind likes rye".to_owned()), "{:?}", believed(&rig));
}

#[test]
fn whoever_nothing_names_is_taken_out_of_use() {
    let rig = Rig::new();
    add(&rig, fact("Ana", "works_at", "Orbis"));
    let kept = "SELECT name FROM entities WHERE is_active = 1 ORDER BY rid";
    let before = rows(&rig, kept);
    rig.db()
        .execute(
            "INSERT INTO entities (id, name, canonical_name, entity_type, space_id, created_at, updated_at)
             VALUES ('00000000-0000-7000-8000-0000000000ff', 'Nobody', 'nobody', 'person', ?1, 0, 0)",
            [SPACE],
        )
        .unwrap();
    reconcile(&rig);
    rig.until("the entity is out of use", || rows(&rig, kept) == before);
}

/// What is believed, and which names wait for whom.
fn outcome(texts: &[&str]) -> (Vec<String>, Vec<String>) {
    let rig = Rig::new();
    for text in texts {
        rig.advance(1);
        rig.remember(text);
        rig.settled();
    }
    let asked = |held: NameCandidate| {
        let mut choices: Vec<String> = held.choices.into_iter().map(|choice| choice.name).collect();
        choices.sort();
        format!("{}: {choices:?} in {}", held.name, held.quote)
    };
    let mut waiting: Vec<String> = waiting(&rig).into_iter().map(asked).collect();
    waiting.sort();
    (believed(&rig), waiting)
}

fn orders<T: Copy>(items: &[T]) -> Vec<Vec<T>> {
    if items.len() < 2 {
        return vec![items.to_vec()];
    }
    let mut all = Vec::new();
    for at in 0..items.len() {
        let mut rest = items.to_vec();
        let first = rest.remove(at);
        all.extend(orders(&rest).into_iter().map(|order| std::iter::once(first).chain(order).collect::<Vec<_>>()));
    }
    all
}

#[test]
fn a_first_name_is_whoever_its_text_names_in_full_whatever_was_read_before() {
    for (texts, facts, asked) in [
        // Before and after, and with nothing claimed of the full name.
        (
            vec!["Maya lives in Porto. Maya Okafor waved.", "Maya lives in Rome.", "Maya Okafor works at Orbis."],
            vec![
                "asserted: Maya Okafor lives in Porto",
                "asserted: Maya Okafor works at Orbis",
                "asserted: Maya lives in Rome",
            ],
            0,
        ),
        // Who is one of two is asked, also of what was read before there were two.
        (
            vec!["Maya lives in Rome.", "Maya Okafor works at Orbis.", "Maya Ruiz works at Finch. Maya lives in Oslo."],
            vec![
                "asserted: Maya Okafor works at Orbis",
                "asserted: Maya Ruiz lives in Oslo",
                "asserted: Maya Ruiz works at Finch",
            ],
            1,
        ),
        (
            vec![
                "Maya lives in Rome.",
                "Maya Okafor works at Orbis.",
                "Maya Ruiz works at Finch.",
                "Maya Lind works at Heron. Maya Ruiz waved.",
            ],
            vec![
                "asserted: Maya Lind works at Heron",
                "asserted: Maya Okafor works at Orbis",
                "asserted: Maya Ruiz works at Finch",
            ],
            1,
        ),
    ] {
        let wanted = outcome(&texts);
        assert_eq!(
            (wanted.0.iter().map(String::as_str).collect::<Vec<_>>(), wanted.1.len()),
            (facts, asked),
            "{wanted:?}"
        );
        for order in orders(&texts) {
            assert_eq!(outcome(&order), wanted, "read as {order:?}");
        }
    }
}

#[test]
fn what_two_texts_only_describe_is_not_one() {
    let rig = Rig::new();
    for (name, city) in [("one.txt", "Porto"), ("two.txt", "Rome")] {
        ingest(&rig, name, &format!("The clinic is located in {city}. The clinic is near the lake.\n"));
    }
    let facts = believed(&rig);
    assert!(facts.iter().all(|fact| fact.starts_with("asserted: ")), "{facts:?}");
    assert!(facts.iter().filter(|fact| fact.contains("located in")).count() == 2, "{facts:?}");
    let named = "SELECT count(DISTINCT entity_id) || '' FROM claims WHERE statement LIKE '%located in%'";
    assert_eq!(rows(&rig, named), ["2"]);
    let get = rig.run(EntityGet { entity: "the clinic".into(), ..EntityGet::default() });
    assert_eq!(get.unwrap_err().code, ErrorCode::Ambiguous, "both are found by these words");
}

#[test]
fn another_name_is_nobody_elses_name_and_can_be_taken_away() {
    let rig = Rig::new();
    for name in ["Ana Ruiz", "Bo Lind"] {
        add(&rig, FactInput { subject_type: Some(EntityType::Person), ..fact(name, "likes", "tea") });
    }
    let [ana, bo] = ["Ana Ruiz", "Bo Lind"].map(|name| entity_id(&rig, name));
    let edit = |entity: &EntityId, alias: Option<&str>, removed: Option<&str>| {
        let [alias, remove_alias] = [alias, removed].map(|name| name.map(str::to_owned));
        rig.run(EntityEdit { entity: entity.to_string(), alias, remove_alias, ..EntityEdit::default() })
    };
    let refused = edit(&ana, Some("bo  lind"), None).unwrap_err();
    assert_eq!(refused.code, ErrorCode::AlreadyExists);
    assert!(
        refused.hint.as_deref().is_some_and(|hint| hint.contains("merge") && hint.contains(bo.as_str())),
        "{refused:?}"
    );

    let orbis = add(&rig, fact("Orbis", "employs", "Ana Ruiz")).claim;
    let ClaimObject::Entity(orbis) = orbis.object else { panic!("{orbis:?}") };
    let refused = edit(&orbis.id, Some("Bo Lind"), None).unwrap_err();
    assert_eq!(refused.code, ErrorCode::AlreadyExists, "a firm is not called as a person is");
    assert!(refused.hint.as_deref().is_some_and(|hint| hint.contains("person")), "{refused:?}");

    assert_eq!(edit(&ana, Some("Nana"), None).unwrap().entity.aliases, ["Nana"]);
    assert_eq!(entity_id(&rig, "nana"), ana);
    assert!(edit(&ana, None, Some("nana")).unwrap().entity.aliases.is_empty());
    let gone = rig.run(EntityGet { entity: "Nana".into(), ..EntityGet::default() });
    assert_eq!(gone.unwrap_err().code, ErrorCode::NotFound);
    assert_eq!(edit(&ana, None, Some("Nana")).unwrap_err().code, ErrorCode::NotFound);
    assert_eq!(edit(&ana, None, Some("Ana Ruiz")).unwrap_err().code, ErrorCode::NotFound, "its own name");
    assert_eq!(rows(&rig, "SELECT alias FROM entity_aliases WHERE removed_at IS NOT NULL"), ["Nana"], "it is kept");
    assert_eq!(edit(&ana, Some("Nana"), None).unwrap().entity.aliases, ["Nana"]);
    assert_eq!(edit(&bo, Some("Nana"), None).unwrap().entity.aliases, ["Nana"], "two may be called so");
}

#[test]
fn whom_a_name_means_is_said_by_name_or_id() {
    let rig = Rig::new();
    two_jordans(&rig);
    ingest(&rig, "one.txt", "Nora Quist reports to Jordan.\n");
    let candidate = waiting(&rig).remove(0);
    let meaning = |entity: &str| {
        let decided = rig.run(CandidatesDecide { candidate: candidate.id.clone(), entity: Some(entity.into()) });
        rig.settled();
        decided
    };
    let refused = meaning("Nora Quist").unwrap_err();
    assert_eq!(refused.code, ErrorCode::InvalidRequest);
    assert!(refused.hint.is_some_and(|hint| hint.contains("Jordan Lee (")));
    assert_eq!(meaning(" jordan  lee").unwrap().meant.map(|meant| meant.name), Some("Jordan Lee".to_owned()));
    assert!(believed(&rig).contains(&"asserted: Nora Quist reports to Jordan Lee".to_owned()));
}

#[test]
fn you_can_be_called_something_before_anything_is_said_of_you() {
    let rig = Rig::resting();
    let called = |space: Option<&str>| {
        let space = space.map(str::to_owned);
        rig.run(EntityEdit { entity: "me".into(), space, alias: Some("Julia".into()), ..EntityEdit::default() })
    };
    let refused = called(None).unwrap_err();
    assert_eq!(refused.code, ErrorCode::NotFound);
    assert!(refused.hint.is_some_and(|hint| hint.contains("name the space")));
    let person = called(Some(SPACE)).unwrap().entity;
    assert_eq!(person.name, "You");
    assert_eq!(add(&rig, fact("Julia", "lives_in", "Oslo")).claim.statement, "You live in Oslo");
    assert_eq!(called(None).unwrap().entity.id, person.id, "there is one now");
}

#[test]
fn what_reads_the_same_both_ways_is_said_of_you() {
    let rig = Rig::resting();
    for name in ["Ana", "Eva", "Zoe"] {
        add(&rig, fact(name, "sibling_of", "me"));
        add(&rig, fact("me", "friend_of", name));
    }
    let told = believed(&rig);
    assert_eq!(told.len(), 6);
    assert!(told.iter().all(|told| told.starts_with("asserted: You are a ")), "{told:#?}");
    add(&rig, fact("me", "lives_in", "Oslo"));
    add(&rig, fact("me", "lives_in", "Porto"));
    assert_eq!(open(&rig)[0].summary, "Two sources disagree: You live in Oslo or Porto.");
}

#[test]
fn what_names_whom_a_question_names_by_another_name_comes_first() {
    let rig = Rig::new();
    add(&rig, FactInput { subject_type: Some(EntityType::Person), ..fact("Ana Ruiz", "likes", "tea") });
    let alias = Some("Nana".to_owned());
    rig.run(EntityEdit { entity: entity_id(&rig, "Ana Ruiz").to_string(), alias, ..EntityEdit::default() }).unwrap();
    // Equal in the words of the question; of equals, the earlier one comes first.
    let other = rig.remember("The harbour trip with Eva Lund.").id;
    let hers = rig.remember("The harbour trip with Ana Ruiz.").id;
    rig.settled();
    let check = |query: &str, expected: [&MemoryId; 2], signal: Option<f64>| {
        let recalled = rig.recall(query);
        let found: Vec<&MemoryId> =
            recalled.hits.iter().map(|hit| &hit.ids.memory).filter(|memory| expected.contains(memory)).collect();
        assert_eq!(found, expected, "{query}");
        let parts =
            |memory: &MemoryId| recalled.hits.iter().find(|hit| hit.ids.memory == *memory).unwrap().score_parts.clone();
        assert_eq!((parts(&hers).entity, parts(&other).entity), (signal, None), "{query}");
        // By whom it is told with each, and in the trace.
        let told = |steps: &[PathStep]| {
            steps.iter().map(|step| (step.from.clone(), step.via.clone(), step.entity_type)).collect::<Vec<_>>()
        };
        let ana = (entity_id(&rig, "Ana Ruiz").to_string(), "Ana Ruiz".to_owned(), Some(EntityType::Person));
        let given = rig.run(TraceGet { id: recalled.trace.clone().unwrap() }).unwrap().recall.unwrap().given;
        for (hit, traced) in recalled.hits.iter().zip(&given) {
            let expected: Vec<_> = hit.score_parts.entity.map(|_| ana.clone()).into_iter().collect();
            assert_eq!((told(&hit.named), &hit.named), (expected, &traced.named), "{query}");
        }
    };
    check("harbour trip", [&other, &hers], None);
    check("Nana harbour trip", [&hers, &other], Some(1.0));
    check("Banana harbour trip", [&other, &hers], None);
}

/// A name that several spaces know leads to whom the passage's own space calls so, and to nobody of another space.
#[test]
fn whom_a_question_names_is_told_as_the_space_of_the_passage_knows_them() {
    let rig = Rig::new();
    rig.space("Other");
    for (space, name) in [(SPACE, "Ana Ruiz"), ("Other", "Nadia Holm")] {
        let facts = vec![FactInput { subject_type: Some(EntityType::Person), ..fact(name, "likes", "tea") }];
        rig.run(FactsAdd { space: space.to_owned(), facts }).unwrap();
        let get = EntityGet { entity: name.to_owned(), space: Some(space.to_owned()), ..EntityGet::default() };
        let (entity, alias) = (rig.run(get).unwrap().entity.id.to_string(), Some("Nana".to_owned()));
        rig.run(EntityEdit { entity, alias, ..EntityEdit::default() }).unwrap();
        rig.remember_in(space, &format!("The harbour trip with {name}."));
    }
    rig.settled();
    let check = |space: Option<&str>, expected: &[&str]| {
        let (query, space) = ("Nana harbour trip".to_owned(), space.map(str::to_owned));
        let hits = rig.run(MemoryRecall { query, space, ..MemoryRecall::default() }).unwrap().hits;
        let trips = hits.iter().filter(|hit| hit.quote.starts_with("The harbour"));
        assert_eq!(trips.count(), expected.len(), "{hits:?}");
        for hit in &hits {
            let names: Vec<&str> = hit.named.iter().map(|step| step.via.as_str()).collect();
            let own = expected.iter().find(|name| hit.quote.contains(**name));
            assert_eq!(names, [*own.unwrap()], "{hit:?}");
        }
    };
    check(None, &["Ana Ruiz", "Nadia Holm"]);
    check(Some(SPACE), &["Ana Ruiz"]);
    check(Some("Other"), &["Nadia Holm"]);
}

/// What a passage calls somebody need not be what the question does.
#[test]
fn who_is_told_by_another_name_is_told() {
    let rig = Rig::new();
    add(&rig, fact("Ana Ruiz", "likes", "tea"));
    let entity = entity_id(&rig, "Ana Ruiz").to_string();
    rig.run(EntityEdit { entity, alias: Some("Nana".into()), ..EntityEdit::default() }).unwrap();
    rig.remember("The harbour trip with Ana Ruiz took a day.");
    rig.settled();
    for (query, unnamed) in
        [("What day was the harbour trip with Nana?", None), ("What day was the harbour trip with Dora?", Some(1.0))]
    {
        let id = rig.recall(query).trace.unwrap();
        let trace = rig.run(TraceGet { id }).unwrap().recall.unwrap();
        assert_eq!(trace.answer_parts.get("unnamed").copied(), unnamed, "{query}: {trace:?}");
    }
}

/// Who is named and who speaks is looked up wherever it is searched, however many spaces that are.
#[test]
fn whom_a_question_names_is_known_in_every_space() {
    let rig = Rig::new();
    for number in 0..12 {
        rig.space(&format!("Other {number}"));
    }
    let space = "Last".to_owned();
    rig.space(&space);
    let facts = vec![FactInput { subject_type: Some(EntityType::Person), ..fact("Ana Ruiz", "likes", "tea") }];
    rig.run(FactsAdd { space: space.clone(), facts }).unwrap();
    let get = EntityGet { entity: "Ana Ruiz".into(), space: Some(space.clone()), ..EntityGet::default() };
    let (entity, alias) = (rig.run(get).unwrap().entity.id.to_string(), Some("Nana".to_owned()));
    rig.run(EntityEdit { entity, alias, ..EntityEdit::default() }).unwrap();
    let other = rig.remember_in(&space, "The harbour trip with Eva Lund.").id;
    let hers = rig.remember_in(&space, "The harbour trip with Ana Ruiz.").id;
    let said = rig.remember_in(&space, "Ben: The harbour trip took a day.").id;
    rig.settled();
    let check = |query: &str, named: Option<&MemoryId>, speaks: Option<&MemoryId>| {
        let recalled = rig.recall(query);
        let of =
            |memory: &MemoryId| recalled.hits.iter().find(|hit| hit.ids.memory == *memory).unwrap().score_parts.clone();
        for memory in [&other, &hers, &said] {
            let is = |other: Option<&MemoryId>| (other == Some(memory)).then_some(1.0);
            assert_eq!((of(memory).entity, of(memory).said_by), (is(named), is(speaks)), "{query}");
        }
    };
    check("Nana harbour trip", Some(&hers), None);
    check("Ben harbour trip", None, Some(&said));
    check("harbour trip", None, None);
    let is_told = |query: &str, space: Option<&str>, associated: bool| {
        let (query, space) = (query.to_owned(), space.map(str::to_owned));
        let recalled = rig.run(MemoryRecall { query, space, associated, ..MemoryRecall::default() }).unwrap();
        recalled.notices.iter().any(|notice| notice.contains("written otherwise"))
    };
    // What is nearly a name goes through all names of a space: not of every one, and that is said where it matters.
    assert!(is_told("Was Marisol on the harbour trip?", None, true));
    assert!(is_told("Marisol", None, true));
    assert!(!is_told("Was Marisol on the harbour trip?", Some(&space), true));
    assert!(!is_told("Was Marisol on the harbour trip?", None, false));
    assert!(!is_told("Was Nana on the harbour trip?", None, true));
    assert!(!is_told("Show the harbour trip", None, true));
}
