//! However often one and the same says a thing, it is said by one.

use super::*;
use um_model::belief::ResolutionType;
use um_model::capture::{MemoryIngest, MemoryRemember};

/// Has somebody keep a text, which is read.
fn remember(rig: &Rig, who: &Caller, text: &str) {
    rig.advance(1);
    let request = MemoryRemember { text: text.into(), space: SPACE.into(), ..MemoryRemember::default() };
    rig.engine().run(who, request).unwrap();
    rig.settled();
}

#[test]
fn an_agent_is_one_source_however_many_notes_it_writes() {
    let rig = Rig::new();
    let bot = agent(&rig, "notes-bot");
    let surest = |rig: &Rig| rig.run(FactsSearch::default()).unwrap().facts.remove(0);
    remember(&rig, &bot, "Maya Okafor is allergic to nuts.");
    let once = surest(&rig);
    for more in ["Session 12: ", "Please note. ", "Reminder about food. "] {
        remember(&rig, &bot, &format!("{more}Maya Okafor is allergic to nuts."));
    }
    let often = surest(&rig);
    assert_eq!((&often.id, often.evidence_count), (&once.id, 4));
    near(often.confidence, once.confidence);
    remember(&rig, &agent(&rig, "other-bot"), "So it is: Maya Okafor is allergic to nuts.");
    assert!(surest(&rig).confidence > once.confidence, "another one is another source");
}

#[test]
fn a_detail_of_an_agent_alone_takes_no_certainty_of_others() {
    let role = |confidence| {
        let mut detail = fact("Maya Okafor", "works_at", "Orbis");
        detail.qualifiers.insert("role".into(), "janitor".into());
        FactInput { confidence: Some(confidence), ..detail }
    };
    let detailed = "asserted: Maya Okafor works at Orbis (role: janitor)";
    for confidence in [0.02, 0.9] {
        let rig = Rig::new();
        let bot = agent(&rig, "notes-bot");
        remember(&rig, &Caller::owner("test"), "Maya Okafor works at Orbis.");
        let plain = rig.run(FactsSearch::default()).unwrap().facts.remove(0);
        let facts = vec![role(confidence)];
        let added = rig.engine().run(&bot, FactsAdd { space: SPACE.into(), facts }).unwrap().facts.remove(0);
        assert_eq!((added.claim.id, added.warnings.len()), (plain.id.clone(), 1), "{:?}", added.warnings);
        assert_eq!(believed(&rig), ["asserted: Maya Okafor works at Orbis"], "{confidence}");
        near(self::confidence(&rig, &plain.id), 1.0 - (1.0 - plain.confidence) * (1.0 - confidence * 0.8));
        // Somebody else says so, too.
        add(&rig, role(0.9));
        assert_eq!(believed(&rig), [detailed]);
    }
    // What the agent alone says it may say more exactly.
    let rig = Rig::new();
    let bot = agent(&rig, "notes-bot");
    remember(&rig, &bot, "Maya Okafor works at Orbis.");
    rig.engine().run(&bot, FactsAdd { space: SPACE.into(), facts: vec![role(0.9)] }).unwrap();
    assert_eq!(believed(&rig), [detailed]);
}

#[test]
fn an_agent_that_says_again_what_was_decided_against_is_not_heard_anew() {
    let rig = Rig::new();
    let (owner, bot) = (Caller::owner("test"), agent(&rig, "notes-bot"));
    remember(&rig, &owner, "Maya Okafor lives in Oslo.");
    remember(&rig, &bot, "Maya Okafor lives in Bergen.");
    let conflict = open(&rig).remove(0);
    let oslo = conflict.claim_a.statement.contains("Oslo");
    let resolution = if oslo { ResolutionType::ClaimAWins } else { ResolutionType::ClaimBWins };
    let decision = ConflictsResolve::of(conflict.id, resolution);
    rig.run(decision).unwrap();
    remember(&rig, &bot, "From the last session: Maya Okafor lives in Bergen.");
    assert_eq!((believed(&rig), open(&rig).len()), (vec!["asserted: Maya Okafor lives in Oslo".to_owned()], 0));
    remember(&rig, &owner, "Please note. Maya Okafor lives in Bergen.");
    assert_eq!(open(&rig).len(), 1, "the person's own words are new");
}

#[test]
fn files_that_only_an_agent_brought_in_are_its_one_voice() {
    let rig = Rig::new();
    let (owner, bot) = (Caller::owner("test"), agent(&rig, "notes-bot"));
    remember(&rig, &owner, "Maya Okafor lives in Oslo.");
    remember(&rig, &bot, "Maya Okafor lives in Bergen.");
    let bergen = open(&rig).remove(0);
    let (oslo, bergen) = match bergen.claim_a.statement.contains("Oslo") {
        true => (ResolutionType::ClaimAWins, bergen),
        false => (ResolutionType::ClaimBWins, bergen),
    };
    rig.run(ConflictsResolve::of(bergen.id, oslo)).unwrap();
    let known = believed(&rig);
    rig.open_to("notes-bot", &[&rig.folder()]).unwrap();
    let paths: Vec<_> = (1..4)
        .map(|at| {
            rig.file(&format!("x{at}.md"), format!("Note {at}. Maya Okafor lives in Bergen. Maya Okafor likes tea."))
        })
        .collect();
    for path in &paths {
        rig.advance(1);
        let paths = vec![path.display().to_string()];
        let request = MemoryIngest { paths, space: SPACE.into(), ..MemoryIngest::default() };
        rig.engine().run(&bot, request).unwrap();
        rig.settled();
    }
    let tea = || rig.run(FactsSearch { query: Some("tea".into()), ..FactsSearch::default() }).unwrap().facts.remove(0);
    let one = tea().confidence;
    assert!(one < 0.8, "{one}");
    assert_eq!((believed(&rig).len(), open(&rig).len()), (known.len() + 1, 0), "{:?}", believed(&rig));
    // What the person brings in, too, speaks for itself.
    rig.ingest_path(SPACE, &paths[0]);
    rig.ingest_path(SPACE, &paths[1]);
    rig.until("these are weighed anew", || {
        rig.wake();
        tea().confidence > 0.9
    });
}

#[test]
fn another_trust_in_an_agent_shows_at_once() {
    let rig = Rig::resting();
    let bot = agent(&rig, "notes-bot");
    let request = FactsAdd { space: SPACE.to_owned(), facts: vec![fact("Maya Okafor", "likes", "tea")] };
    let claim = rig.engine().run(&bot, request).unwrap().facts.remove(0).claim;
    let trust = |weight| {
        let agent = bot.actor.to_string();
        let trust_weight = Some(weight);
        rig.run(um_model::access::AgentEdit { agent, trust_weight, ..Default::default() }).unwrap();
        confidence(&rig, &claim.id)
    };
    near(trust(0.4), claim.confidence / 2.0);
    near(trust(0.8), claim.confidence);
    let (space, agent) = (SPACE.to_owned(), bot.actor.to_string());
    let set = um_model::access::MembershipSet {
        space,
        agent,
        role: None,
        status: None,
        trust_weight: Some(0.2),
        grants: None,
    };
    rig.run(set).unwrap();
    near(confidence(&rig, &claim.id), claim.confidence / 4.0);
}
