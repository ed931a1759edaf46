//! Of which source a claim's words are, wherever it was moved to and whatever was made of it; and who says so.

use super::*;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use um_model::ErrorCode;
use um_model::capture::MemoryRemember;

fn works() -> FactInput {
    fact("Ana", "works_at", "Orbis")
}

fn quoted(memory: &MemoryId, quote: &str) -> FactInput {
    FactInput { memory_id: Some(memory.clone()), quote: Some(quote.to_owned()), ..works() }
}

fn made_of(rig: &Rig, text: &str, origins: &[&MemoryId]) -> Memory {
    let derived_from = origins.iter().map(|id| (*id).clone()).collect();
    let request = MemoryRemember { text: text.into(), space: SPACE.into(), derived_from, ..MemoryRemember::default() };
    rig.run(request).unwrap().memory
}

#[test]
fn a_text_that_gets_a_key_is_the_source_that_it_was() {
    let rig = Rig::resting();
    let note = rig.remember("She works there. She said so.");
    add(&rig, quoted(&note.id, "She works there."));
    let request = MemoryRemember {
        text: note.content.clone().unwrap(),
        space: SPACE.into(),
        key: Some("ana".into()),
        ..MemoryRemember::default()
    };
    assert_eq!(rig.run(request).unwrap().memory.id, note.id);
    let told = explain(&rig, &add(&rig, quoted(&note.id, "She said so.")).claim.id);
    assert_eq!((told.evidence.len(), told.confidence.supporting.len()), (2, 1));
    near(told.claim.confidence, 0.9);
}

#[test]
fn a_file_that_was_moved_is_the_source_that_it_was() {
    let rig = Rig::new();
    let path = rig.file("old.txt", "zorg of Orbis\nblip of Orbis\n");
    rig.watch(|_| {});
    rig.compared();
    rig.settled();
    let memory = rig.found("zorg")[0].ids.memory.clone();
    add(&rig, quoted(&memory, "zorg of Orbis"));
    std::fs::rename(&path, rig.folder().join("new.txt")).unwrap();
    rig.rescan();
    assert_eq!(rig.found("zorg")[0].ids.memory, memory);
    let told = explain(&rig, &add(&rig, quoted(&memory, "blip of Orbis")).claim.id);
    assert_eq!((told.evidence.len(), told.confidence.supporting.len()), (2, 1));
    assert!(!told.evidence[0].cluster.contains("old"), "a path is not told");
}

#[test]
fn what_is_made_of_a_text_makes_it_no_surer() {
    let rig = Rig::resting();
    let number = std::cell::Cell::new(0);
    let originals = prop::collection::vec(0.05..1.0f64, 1..4);
    let derived = prop::collection::vec((prop::collection::vec(any::<Index>(), 1..3), 0.05..1.0f64), 1..5);
    let config = Config { cases: Config::default().cases / 8, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&(originals, derived), |(originals, derived)| {
            number.set(number.get() + 1);
            let subject = format!("Ana{}", number.get());
            let said = |sure| FactInput { confidence: Some(sure), ..fact(&subject, "likes", "tea") };
            let (mut texts, mut claims) = (Vec::new(), Vec::new());
            for (at, sure) in originals.into_iter().enumerate() {
                let memory = rig.remember(&format!("blip {subject} {at}"));
                claims.push(add(&rig, of(&memory, said(sure))).claim);
                texts.push(memory.id);
            }
            let before = claims.pop().unwrap();
            // These say nothing of it themselves.
            texts.extend((0..3).map(|at| rig.remember(&format!("hint {subject} {at}")).id));
            for (at, (origins, sure)) in derived.into_iter().enumerate() {
                let origins: Vec<&MemoryId> = origins.iter().map(|origin| origin.get(&texts)).collect();
                let memory = made_of(&rig, &format!("made {subject} {at}"), &origins);
                let claim = add(&rig, of(&memory, said(sure))).claim;
                prop_assert!((claim.confidence - before.confidence).abs() < 1e-9, "{} {claim:?}", before.confidence);
                texts.push(memory.id);
            }
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn conclusions_from_one_text_are_one_source_and_weigh_as_such() {
    let rig = Rig::resting();
    let origin = rig.remember("Her badge opens the doors of Orbis.");
    let first = made_of(&rig, "It seems that she works there.", &[&origin.id]);
    let second = made_of(&rig, "She must work there, then.", &[&origin.id, &first.id]);
    add(&rig, of(&first, works()));
    let id = add(&rig, of(&second, works())).claim.id;
    let told = explain(&rig, &id);
    assert_eq!((told.evidence.len(), told.confidence.supporting.len()), (2, 1));
    near(told.claim.confidence, 0.9 * 0.7);
    // The text itself says so after all: what was made of it adds nothing, and knows from now on what it rests on.
    let direct = add(&rig, of(&origin, works())).claim;
    near(direct.confidence, 0.9);
    let third = made_of(&rig, "So she works there.", &[&second.id]);
    near(add(&rig, of(&third, works())).claim.confidence, 0.9);
    let origin_says = explain(&rig, &id).evidence[2].id.to_string();
    let lineage =
        rows(&rig, "SELECT json_array(source_type, derived_from) FROM claim_evidence ORDER BY rid DESC LIMIT 1");
    assert_eq!(lineage, [serde_json::json!(["inference", serde_json::json!([origin_says]).to_string()]).to_string()]);
    let nobody = MemoryRemember {
        text: "Of nothing.".into(),
        space: SPACE.into(),
        derived_from: vec![MemoryId::parse(um_model::OWNER_AGENT).unwrap()],
        ..MemoryRemember::default()
    };
    assert_eq!(rig.run(nobody).unwrap_err().code, ErrorCode::NotFound);
}

#[test]
fn conclusions_from_several_texts_are_as_sure_as_the_surest_of_them() {
    let rig = Rig::resting();
    let mut ids = Vec::new();
    for (at, sure) in [0.5, 0.8, 0.6].into_iter().enumerate() {
        let hint = rig.remember(&format!("hint {at}"));
        let made = made_of(&rig, &format!("concluded {at}"), &[&hint.id]);
        ids.push(add(&rig, of(&made, FactInput { confidence: Some(sure), ..works() })).claim.id);
    }
    let told = explain(&rig, &ids[0]);
    assert_eq!((told.evidence.len(), told.confidence.supporting.len()), (3, 1));
    near(told.claim.confidence, 0.8 * 0.7);
    near(
        add(&rig, of(&rig.remember("She says so."), FactInput { confidence: Some(0.3), ..works() })).claim.confidence,
        0.3,
    );
}

#[test]
fn what_is_stated_of_an_event_is_no_second_source_of_it() {
    let rig = Rig::resting();
    let id = add(&rig, works()).claim.id;
    let event = rows(&rig, "SELECT id FROM evidence_events").remove(0);
    let again = FactInput { source_event_ids: vec![event], ..between(works(), "2019", "") };
    assert_eq!(add(&rig, again).claim.evidence_count, 2);
    near(confidence(&rig, &id), 0.9);
    // Who states it again, in other words, is the source that they were.
    add(&rig, between(works(), "2019", "2099"));
    near(confidence(&rig, &id), 0.9);
    let bot = agent(&rig, "notes-bot");
    rig.engine().run(&bot, FactsAdd { space: SPACE.into(), facts: vec![between(works(), "2019", "")] }).unwrap();
    rig.engine().run(&bot, FactsAdd { space: SPACE.into(), facts: vec![between(works(), "", "2099")] }).unwrap();
    let listed = rig.run(FactsSearch::default()).unwrap().facts;
    assert_eq!(listed.len(), 1);
    near(listed[0].confidence, 1.0 - 0.1 * (1.0 - 0.72));
}

#[test]
fn an_agent_that_passes_a_persons_words_on_is_who_says_so() {
    let rig = Rig::resting();
    let bot = agent(&rig, "notes-bot");
    let note = rig.remember("She has been with Orbis for years.");
    let request = FactsAdd { space: SPACE.into(), facts: vec![of(&note, works())] };
    let stated = rig.engine().run(&bot, request).unwrap().facts.remove(0).claim;
    near(stated.confidence, 0.9 * 0.8);
    let told = explain(&rig, &stated.id);
    let piece = &told.evidence[0];
    assert_eq!((piece.actor_name.as_str(), piece.citation.actor_name.as_str()), ("notes-bot", "owner"));
    near(piece.trust, 0.8);
    assert_eq!(told.confidence.arithmetic, "1 - (1 - 0.72) = 0.72");
    let maker = "SELECT g.name FROM claims c JOIN agents g ON g.id = c.created_by_actor";
    assert_eq!(rows(&rig, maker), ["notes-bot"]);
    // The person says so too, of the same words: it is as sure as they are, and still one source.
    near(add(&rig, of(&note, works())).claim.confidence, 0.9);
    assert_eq!(explain(&rig, &stated.id).confidence.supporting.len(), 1);
}

/// States a fact as an agent does.
fn as_agent(rig: &Rig, bot: &um_engine::Caller, fact: FactInput) -> Result<FactAdded, ApiError> {
    rig.advance(1);
    let facts = vec![fact];
    rig.engine().run(bot, FactsAdd { space: SPACE.into(), facts }).map(|mut added| added.facts.remove(0))
}

#[test]
fn an_agent_that_quotes_many_sources_is_one_voice() {
    let rig = Rig::resting();
    let bot = agent(&rig, "notes-bot");
    let notes = ["Ana is with Orbis.", "Orbis has Ana.", "Ana, of Orbis."].map(|text| rig.remember(text));
    for note in &notes {
        near(as_agent(&rig, &bot, of(note, works())).unwrap().claim.confidence, 0.9 * 0.8);
    }
    let id = as_agent(&rig, &bot, works()).unwrap().claim.id;
    near(confidence(&rig, &id), 0.9 * 0.8);
    // Another agent is another voice, and the person says what they say of each source.
    let other = rig.remember("Orbis is where Ana is.");
    as_agent(&rig, &agent(&rig, "other-bot"), of(&other, works())).unwrap();
    near(confidence(&rig, &id), 1.0 - 0.28 * 0.28);
    add(&rig, of(&notes[1], works()));
    add(&rig, of(&notes[2], works()));
    assert!(confidence(&rig, &id) > 0.99);
}

#[test]
fn an_agent_quotes_words_that_name_whom_a_fact_is_of() {
    let rig = Rig::resting();
    let bot = agent(&rig, "notes-bot");
    let note = rig.remember("Ana Ruiz came in May. She loves the job. The weather was fine. I bake rye bread.");
    let check = |quote: &str, fact: FactInput, is_fine: bool| {
        let fact = FactInput { memory_id: Some(note.id.clone()), quote: Some(quote.into()), ..fact };
        let added = as_agent(&rig, &bot, fact);
        assert_eq!(added.is_ok(), is_fine, "{quote}: {added:?}");
        if let Err(refused) = added {
            assert!(refused.code == um_model::ErrorCode::InvalidRequest && refused.hint.is_some(), "{refused:?}");
            assert!(refused.message.contains("names neither"), "{refused:?}");
        }
    };
    let ana = |object: &str| fact("Ana Ruiz", "likes", object);
    check("The weather was fine.", ana("her job"), false);
    check("Ana Ruiz came in May.", ana("her job"), true);
    check("She loves the job.", ana("work"), true);
    check("The weather was fine.", ana("fine weather"), true);
    check("She loves the job.", fact("Bo Lind", "likes", "work"), false);
    check("I bake rye bread.", fact("me", "likes", "baking"), true);
    check("The weather was fine.", fact("me", "likes", "baking"), false);
}

#[test]
fn what_an_agent_holds_against_a_fact_the_person_decides() {
    let rig = Rig::resting();
    let note = rig.remember("Ana left Orbis, they say.");
    let known = add(&rig, works()).claim;
    let against = FactInput { contradicts: true, ..of(&note, works()) };
    let denied = as_agent(&rig, &agent(&rig, "notes-bot"), against).unwrap();
    assert_eq!((denied.conflicts.len(), state(&rig, &known.id)), (1, ClaimState::Disputed));
    assert_eq!(denied.claim.polarity, um_model::belief::Polarity::Negative);
    assert_eq!(open(&rig).len(), 1);
}

#[test]
fn the_person_may_say_what_an_agent_said() {
    let rig = Rig::resting();
    let request = FactsAdd { space: SPACE.into(), facts: vec![works()] };
    let stated = rig.engine().run(&agent(&rig, "notes-bot"), request).unwrap().facts.remove(0).claim;
    near(stated.confidence, 0.9 * 0.8);
    near(add(&rig, works()).claim.confidence, 0.9);
}
