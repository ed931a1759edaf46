//! Facts and those whom they name, in another space.

use super::*;
use um_model::claims::*;
use um_model::{ClaimId, EntityId};

fn fact(subject: &str, predicate: &str, object: &str) -> FactInput {
    FactInput {
        subject: subject.to_owned(),
        predicate: predicate.to_owned(),
        object: object.to_owned(),
        ..FactInput::default()
    }
}

fn add(rig: &Rig, space: &str, fact: FactInput) -> Claim {
    rig.run(FactsAdd { space: space.to_owned(), facts: vec![fact] }).unwrap().facts.remove(0).claim
}

/// Dismisses all that was found.
fn nothing_is_personal(rig: &Rig) {
    rig.settled();
    for space in [SPACE, TEAM] {
        let all = Some(AllFindings { space: Some(space.to_owned()), ..AllFindings::default() });
        rig.run(FindingsDecide { decision: FindingDecision::Dismiss, ids: Vec::new(), all }).unwrap();
    }
}

/// Asks for a copy of a fact and approves it.
fn promote(rig: &Rig, claim: &Claim) -> Claim {
    nothing_is_personal(rig);
    let asked = rig.run(asking(PromotedKind::Claim, claim.id.as_str())).unwrap();
    let copy = approve(rig, &asked.id).unwrap().promoted_id.unwrap();
    rig.settled();
    explain(rig, &copy).claim
}

fn explain(rig: &Rig, claim: &str) -> ClaimExplained {
    rig.run(ClaimExplain::of(ClaimId::parse(claim).unwrap())).unwrap()
}

#[test]
fn a_fact_goes_with_its_words_and_names_and_no_more() {
    let rig = rig();
    let memory = rig.remember("Ana Ruiz works at Orbis. The word for the vault is zebra.");
    let said = FactInput {
        memory_id: Some(memory.id.clone()),
        quote: Some("Ana Ruiz works at Orbis.".to_owned()),
        ..fact("Ana Ruiz", "works_at", "Orbis")
    };
    let claim = add(&rig, SPACE, said);
    let (entity, alias) = (claim.subject.id.clone(), Some("Annie".to_owned()));
    rig.run(EntityEdit { entity: entity.to_string(), alias, ..EntityEdit::default() }).unwrap();
    nothing_is_personal(&rig);
    let asked = rig.run(asking(PromotedKind::Claim, claim.id.as_str())).unwrap();
    let shown: Vec<_> = show(&rig, &asked.id)
        .items
        .into_iter()
        .map(|item| (item.kind, if item.title.is_empty() { item.text } else { item.title }, item.standing))
        .collect();
    use PromotionItemKind as Kind;
    let new = |kind: Kind, says: &str| (kind, says.to_owned(), PromotionStanding::New);
    assert_eq!(
        shown,
        [
            new(Kind::Claim, &claim.statement),
            new(Kind::Entity, "Ana Ruiz"),
            new(Kind::Alias, "Annie"),
            new(Kind::Entity, "Orbis"),
            new(Kind::Quote, "Ana Ruiz works at Orbis."),
        ]
    );
    let copy = promote(&rig, &claim);
    assert_ne!(copy.id, claim.id);
    assert_ne!(copy.subject.id, claim.subject.id, "nobody of another space is named");
    assert_eq!((copy.state, &copy.statement), (claim.state, &claim.statement));
    assert_ne!(copy.space_id, claim.space_id);
    // Why it is believed there, is told there.
    let why = explain(&rig, copy.id.as_str());
    let quotes: Vec<&str> = why.evidence.iter().map(|piece| piece.citation.quote.as_str()).collect();
    assert_eq!(quotes, ["Ana Ruiz works at Orbis."]);
    let elsewhere =
        "SELECT count(*) FROM claim_evidence e JOIN memories m ON m.id = e.memory_id WHERE m.space_id <> e.space_id";
    assert_eq!(rig.count(elsewhere), 0);
    assert!(rig.recall_in(&copy.space_id, "zebra vault").iter().all(|hit| !hit.quote.contains("zebra")));
    let named = rig.run(EntityGet { entity: "Annie".into(), space: Some(TEAM.into()), ..entity_get() }).unwrap();
    assert_eq!(named.entity.id, copy.subject.id);
    let again = rig.run(asking(PromotedKind::Claim, claim.id.as_str()));
    assert_eq!(again.unwrap_err().code, ErrorCode::AlreadyExists);
}

fn entity_get() -> EntityGet {
    serde_json::from_value(serde_json::json!({ "entity": "" })).unwrap()
}

#[test]
fn who_is_known_there_is_not_copied() {
    let rig = rig();
    let known = add(&rig, TEAM, fact("Ana Ruiz", "lives_in", "Lisbon"));
    let claim = add(&rig, SPACE, fact("Ana Ruiz", "works_at", "Orbis"));
    let copy = promote(&rig, &claim);
    assert_eq!(copy.subject.id, known.subject.id);
    let asked = rig.run(asking(PromotedKind::Entity, claim.subject.id.as_str()));
    assert_eq!(asked.unwrap_err().code, ErrorCode::AlreadyExists);
}

#[test]
fn the_words_of_a_fact_that_lie_cold_there_are_found_again() {
    const SAID: &str = "Ana Ruiz works at Orbis.";
    let rig = rig();
    let memory = rig.remember(SAID);
    let known = rig.remember_in(TEAM, SAID);
    let said =
        FactInput { memory_id: Some(memory.id), quote: Some(SAID.to_owned()), ..fact("Ana Ruiz", "works_at", "Orbis") };
    let claim = add(&rig, SPACE, said);
    rig.settled();
    rig.run(MemoryTier { id: known.id.clone(), tier: Tier::Cold }).unwrap();
    promote(&rig, &claim);
    assert_eq!(rig.memory(&known.id).tier, Tier::Warm);
    assert_eq!(rig.recall_in(&known.space_id, "Ana Ruiz works").len(), 1);
}

#[test]
fn somebody_is_copied_with_their_names() {
    let rig = rig();
    let claim = add(&rig, SPACE, fact("Ana Ruiz", "works_at", "Orbis"));
    rig.settled();
    let asked = rig.run(asking(PromotedKind::Entity, claim.subject.id.as_str())).unwrap();
    let copy = approve(&rig, &asked.id).unwrap().promoted_id.unwrap();
    assert_ne!(copy, claim.subject.id.as_str());
    let told = rig.run(EntityGet { entity: copy, ..entity_get() }).unwrap();
    assert_eq!((told.entity.name.as_str(), told.entity.claims), ("Ana Ruiz", 0));
    rig.settled();
}

#[test]
fn a_fact_that_is_not_believed_is_not_copied() {
    let rig = rig();
    let claim = add(&rig, SPACE, fact("Ana Ruiz", "birth_date", "1984-05-03"));
    add(&rig, SPACE, fact("Ana Ruiz", "birth_date", "1985-06-07"));
    nothing_is_personal(&rig);
    let asked = rig.run(asking(PromotedKind::Claim, claim.id.as_str())).unwrap();
    assert_eq!(obstacles(&show(&rig, &asked.id)), [PromotionObstacle::NotBelieved]);
    assert_eq!(approve(&rig, &asked.id).unwrap_err().code, ErrorCode::Conflict);
}

#[test]
fn whoever_approves_a_copy_does_not_say_it_on_that_day() {
    const DAY: i64 = 86_400_000;
    let read = |rig: &Rig| {
        let found = rig.run(FactsSearch { space: Some(SPACE.into()), ..FactsSearch::default() }).unwrap().facts;
        let [claim] = found.try_into().expect("one fact");
        claim
    };
    let said = |claim: &Claim| (claim.first_said_at, claim.last_said_at);
    let rig = rig();
    rig.ingest("ana.txt", "Ana Ruiz works at Orbis.\n");
    rig.settled();
    let claim = read(&rig);
    assert_eq!(said(&claim), (None, None), "nothing tells of which day the file is");
    rig.advance(3 * DAY);
    assert_eq!(said(&promote(&rig, &claim)), (None, None));

    let rig = self::rig();
    rig.remember("Ana Ruiz works at Orbis.");
    rig.settled();
    let claim = read(&rig);
    assert!(said(&claim).0.is_some());
    rig.advance(3 * DAY);
    assert_eq!(said(&promote(&rig, &claim)), said(&claim), "it was said when it was written");
}

#[test]
fn what_contradicts_there_is_disputed_there() {
    let rig = rig();
    let there = add(&rig, TEAM, fact("Ana Ruiz", "birth_date", "1985-06-07"));
    let claim = add(&rig, SPACE, fact("Ana Ruiz", "birth_date", "1984-05-03"));
    let copy = promote(&rig, &claim);
    let states = [&copy.id, &there.id, &claim.id].map(|id| explain(&rig, id.as_str()).claim.state);
    use um_model::belief::ClaimState::{Asserted, Disputed};
    assert_eq!(states, [Disputed, Disputed, Asserted]);
}

/// Forgetting what a fact was read from takes its copy along, unless the target has it from elsewhere.
#[test]
fn forgetting_the_words_takes_the_copy_that_nothing_else_carries() {
    #[track_caller]
    fn check(own: Option<&str>, left: bool) {
        let rig = rig();
        let memory = rig.remember("Ana Ruiz works at Zorvexq.");
        let said = FactInput { memory_id: Some(memory.id.clone()), ..fact("Ana Ruiz", "works_at", "Zorvexq") };
        let claim = add(&rig, SPACE, said);
        if let Some(text) = own {
            let memory = rig.remember_in(TEAM, text);
            add(&rig, TEAM, FactInput { memory_id: Some(memory.id), ..fact("Ana Ruiz", "works_at", "Zorvexq") });
        }
        let copy = promote(&rig, &claim);
        let what = ForgetWhat { memory: Some(memory.id), ..ForgetWhat::default() };
        let token = rig.run(ForgetPreview { what: what.clone() }).unwrap().token;
        let report = rig.run(ForgetExecute { what, token }).unwrap();
        assert_eq!((report.status.as_str(), report.proof.left), ("done", 0), "{report:?}");
        let is_left = rig.count(&format!("SELECT count(*) FROM claims WHERE id = '{}' AND is_redacted = 0", copy.id));
        assert_eq!(is_left == 1, left, "{own:?}");
        assert_eq!(crate::support::traces(rig.data(), "zorvexq").is_empty(), !left, "{own:?}");
        rig.settled();
    }
    check(None, false);
    check(Some("Yesterday we heard that Ana Ruiz works at Zorvexq now."), true);
}

#[test]
fn the_named_fact_goes_everywhere() {
    let rig = rig();
    let claim = add(&rig, SPACE, fact("Ana Ruiz", "works_at", "Zorvexq"));
    promote(&rig, &claim);
    let what = ForgetWhat { claim: Some(claim.id), ..ForgetWhat::default() };
    let token = rig.run(ForgetPreview { what: what.clone() }).unwrap().token;
    rig.run(ForgetExecute { what, token }).unwrap();
    assert_eq!(rig.count("SELECT count(*) FROM claims WHERE is_redacted = 0"), 0);
    assert_eq!(crate::support::traces(rig.data(), "zorvexq"), [""; 0]);
    rig.settled();
}

#[test]
fn names_that_may_mean_several_wait() {
    let rig = rig();
    let claim = add(&rig, SPACE, fact("Ana", "works_at", "Orbis"));
    for name in ["Ana Ruiz", "Ana Silva"] {
        let other = add(&rig, TEAM, fact(name, "lives_in", "Lisbon"));
        let (entity, alias): (EntityId, _) = (other.subject.id, Some("Ana".to_owned()));
        rig.run(EntityEdit { entity: entity.to_string(), alias, ..EntityEdit::default() }).unwrap();
    }
    nothing_is_personal(&rig);
    let asked = rig.run(asking(PromotedKind::Claim, claim.id.as_str())).unwrap();
    assert_eq!(obstacles(&show(&rig, &asked.id)), [PromotionObstacle::Ambiguous]);
    assert_eq!(approve(&rig, &asked.id).unwrap_err().code, ErrorCode::Ambiguous);
}

/// One row for each thing that is called something: what it is called, whether the text says so too, and whether that has to be
/// settled first.
#[test]
fn what_titles_names_and_facts_hold_is_looked_through() {
    const ADDRESS: &str = "carla.voss@firma.example";
    #[track_caller]
    fn check(text: &str, title: &str, hidden: bool, stands_in_the_way: bool) {
        let rig = rig();
        let (space, title) = (SPACE.to_owned(), Some(title.to_owned()));
        let new =
            MemoryRemember { text: text.into(), space, title, owner: Some("Client 77".into()), ..Default::default() };
        let memory = rig.run(new).unwrap().memory;
        nothing_is_personal(&rig);
        if hidden {
            rig.run(SpaceMask { space: TEAM.into(), kinds: vec![FindingKind::Email] }).unwrap();
        }
        let asked = ask(&rig, &memory.id).unwrap();
        let expected = if stands_in_the_way { vec![PromotionObstacle::Undecided] } else { vec![] };
        assert_eq!(obstacles(&show(&rig, &asked.id)), expected, "{text} {hidden}");
        if !stands_in_the_way {
            approve(&rig, &asked.id).unwrap();
            let owned = rig.count("SELECT count(*) FROM memories WHERE owner IS NOT NULL");
            assert_eq!(owned, 1, "nobody was shown whose it is");
        }
    }
    check(FERRY, "A ferry", false, false);
    check(FERRY, ADDRESS, false, true);
    check(FERRY, ADDRESS, true, false);
    check(&format!("Write to {ADDRESS}."), ADDRESS, false, false);
    let rig = rig();
    let note = rig.remember("Someone wrote down how to reach the lady.");
    let said = FactInput { memory_id: Some(note.id), ..fact("Carla Voss", "email", ADDRESS) };
    let claim = add(&rig, SPACE, said);
    nothing_is_personal(&rig);
    let asked = rig.run(asking(PromotedKind::Claim, claim.id.as_str())).unwrap();
    assert_eq!(obstacles(&show(&rig, &asked.id)), [PromotionObstacle::Undecided]);
}

/// Blacking out takes the copy of a fact along whose quote says none of the words, and names too short to be looked for
/// everywhere.
#[test]
fn what_is_blacked_out_goes_from_copied_facts() {
    let rig = rig();
    let accept = |memory: &MemoryId, text: &str, words: &str| {
        let start = text.find(words).unwrap() as u32;
        let span = Some(um_model::Utf16Span::new(start, start + words.len() as u32));
        let memory = Some(memory.clone());
        rig.run(FindingAdd { memory, span, ..FindingAdd::default() }).unwrap();
    };
    let apply = |memory: MemoryId| rig.run(RedactionApply { memory: Some(memory), artifact: None }).unwrap();
    let text = "The nickname of Mira is zorvexian, as they say at home.";
    let memory = rig.remember(text);
    let said = FactInput {
        memory_id: Some(memory.id.clone()),
        quote: Some("Mira is zorvexian, as they say at home".to_owned()),
        ..fact("Mira", "nickname", "zorvexian")
    };
    let claim = add(&rig, SPACE, said);
    promote(&rig, &claim);
    accept(&memory.id, text, "zorvexian");
    assert_eq!(apply(memory.id).copies, 1);
    let left = |word: &str| rig.count(&format!("SELECT count(*) FROM claims WHERE statement LIKE '%{word}%'"));
    assert_eq!(left("zorvexian"), 0);

    let text = "Bo Lund lives in Uppsala since May, and Bo knows the code.";
    let memory = rig.remember(text);
    let said = FactInput {
        memory_id: Some(memory.id.clone()),
        quote: Some("and Bo knows the code".to_owned()),
        ..fact("Bo", "profession", "knows the code")
    };
    promote(&rig, &add(&rig, SPACE, said));
    accept(&memory.id, text, "Bo knows");
    apply(memory.id);
    assert_eq!(rig.count("SELECT count(*) FROM memories WHERE content LIKE '%Bo knows%'"), 0);
}

/// A fact that was copied onto words which the target had already goes with what it was copied from; the words stay, and what the
/// target knows from elsewhere.
#[test]
fn a_copied_fact_goes_from_the_targets_own_words() {
    const WORDS: &str = "Bo Lund and the zorvexq, under the stair.";
    #[track_caller]
    fn check(black_out: bool, known_elsewhere: bool) {
        let rig = rig();
        let own = rig.remember_in(TEAM, WORDS);
        let memory = rig.remember(WORDS);
        let said = |memory: &MemoryId, quote: &str| FactInput {
            memory_id: Some(memory.clone()),
            quote: Some(quote.to_owned()),
            ..fact("Bo Lund", "profession", "keeper of the zorvexq")
        };
        let claim = add(&rig, SPACE, said(&memory.id, WORDS));
        let copy = promote(&rig, &claim);
        let quoted = explain(&rig, copy.id.as_str()).evidence.remove(0);
        assert_eq!(quoted.citation.memory_id, own.id, "the target's own words carry it");
        if known_elsewhere {
            let other = rig.remember_in(TEAM, "He keeps it, they say.");
            add(&rig, TEAM, said(&other.id, "He keeps it"));
        }
        if black_out {
            let start = WORDS.find("zorvexq").unwrap() as u32;
            let span = Some(um_model::Utf16Span::new(start, start + 7));
            let words = FindingAdd { memory: Some(memory.id.clone()), span, ..FindingAdd::default() };
            rig.run(words).unwrap();
            let agent = rig.agent_granted("bot", SPACE, &[Grant::Redact]);
            let apply = RedactionApply { memory: Some(memory.id), artifact: None };
            assert_eq!(rig.engine().run(&agent, apply.clone()).unwrap_err().code, ErrorCode::Forbidden);
            rig.run(apply).unwrap();
        } else {
            let what = ForgetWhat { memory: Some(memory.id), ..ForgetWhat::default() };
            let token = rig.run(ForgetPreview { what: what.clone() }).unwrap().token;
            assert_eq!(rig.run(ForgetExecute { what, token }).unwrap().proof.left, 0);
        }
        rig.settled();
        assert_eq!(rig.memory(&own.id).content.as_deref(), Some(WORDS), "the target's own words stay");
        let left = "SELECT count(*) FROM claims WHERE is_redacted = 0 AND statement LIKE '%keeper of the zorvexq%'";
        assert_eq!(rig.count(left), i64::from(known_elsewhere), "blacked out: {black_out}");
        let quotes = format!("SELECT count(*) FROM claim_evidence WHERE is_redacted = 0 AND memory_id = '{}'", own.id);
        assert_eq!(rig.count(&quotes), 0);
    }
    for black_out in [false, true] {
        check(black_out, false);
        check(black_out, true);
    }
}
