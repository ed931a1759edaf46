//! What becomes of beliefs when their sources change, go and come back.

use super::*;
use crate::support::inputs::{self, Page};
use um_model::belief::ResolutionType;
use um_model::capture::{ArtifactRemove, ArtifactReread, ArtifactRestore, MemoryRemember};
use um_model::{ArtifactId, ErrorCode};

/// A fact whose source is a file that was read.
fn in_file(rig: &Rig, file: &ArtifactId, quote: &str, fact: FactInput) -> FactInput {
    let memory_id = rig.artifact(file).summary.memory_id;
    FactInput { memory_id, quote: Some(quote.into()), ..fact }
}

fn remove(rig: &Rig, file: &ArtifactId) {
    rig.run(ArtifactRemove { id: file.clone() }).unwrap();
    rig.settled();
}

fn restore(rig: &Rig, file: &ArtifactId) {
    rig.run(ArtifactRestore { id: file.clone() }).unwrap();
    rig.settled();
}

fn reread(rig: &Rig, file: &ArtifactId) {
    rig.run(ArtifactReread { id: file.clone() }).unwrap();
    rig.settled();
}

/// A file whose sentences the product reads for itself.
pub(super) fn ingest(rig: &Rig, name: &str, text: &str) -> ArtifactId {
    rig.advance(1);
    let file = rig.ingest(name, text);
    rig.settled();
    file
}

fn decide(rig: &Rig, conflict: &ConflictId, resolution: ResolutionType) {
    let conflict = conflict.clone();
    rig.run(ConflictsResolve::of(conflict, resolution)).unwrap();
}

#[test]
fn two_files_that_disagree_make_a_conflict() {
    let rig = Rig::new();
    ingest(&rig, "one.txt", "Dana's birthday is July 14.\n");
    ingest(&rig, "two.md", "# Dates\n\nDana's birthday is July 15.\n");
    let open = open(&rig);
    assert_eq!(open.len(), 1, "{:?}", believed(&rig));
    let sides = [&open[0].claim_a, &open[0].claim_b];
    let titles = sides.map(|side| side.citations[0].title.as_str());
    assert_eq!(titles, ["one.txt", "two.md"]);
    for side in sides {
        assert_eq!((side.state, side.predicate.as_str()), (ClaimState::Disputed, "birthday"));
        let cited = &side.citations[0];
        assert!(cited.quote.contains("Dana's birthday is July 1") && cited.place.lines.is_some());
    }
}

#[test]
fn a_file_tells_what_it_says() {
    let rig = Rig::new();
    let one = ingest(&rig, "one.txt", "Dana lives in Porto.\nBen works at Orbis.\n");
    ingest(&rig, "two.txt", "Dana lives in Porto.\nClara works at Orbis.\n");
    let said = rig.run(FactsSearch { artifact: Some(one), ..FactsSearch::default() }).unwrap();
    let mut words: Vec<&str> = said.facts.iter().map(|fact| fact.statement.as_str()).collect();
    words.sort_unstable();
    assert_eq!((words.as_slice(), said.total), (["Ben works at Orbis", "Dana lives in Porto"].as_slice(), 2));
    // However many say so: its own words are what it is asked for.
    for name in ["three.txt", "four.txt", "five.txt"] {
        ingest(&rig, name, "Dana lives in Porto.\n");
    }
    let last = ingest(&rig, "six.txt", "They say so: Dana lives in Porto.\n");
    let said = rig.run(FactsSearch { artifact: Some(last), ..FactsSearch::default() }).unwrap().facts.remove(0);
    assert_eq!((said.citations[0].title.as_str(), said.citations.len()), ("six.txt", 3));
}

#[test]
fn the_pages_and_passages_of_one_file_are_one_source() {
    let rig = Rig::new();
    let page = |text: &str| Page::Text(text.into());
    let pages = [page("Dana works at Orbis."), page("Yes: Dana works at Orbis."), page("Dana works at Orbis.")];
    let file = rig.ingest("paper.pdf", inputs::pdf(None, &pages));
    rig.settled();
    let told = explain(&rig, &entity(&rig, "Dana").claims[0].id);
    assert!(told.evidence.len() >= 2, "{:?}", told.evidence);
    assert_eq!(told.confidence.supporting.len(), 1);
    near(told.confidence.confidence, told.evidence.iter().map(|piece| piece.weight).fold(0.0, f64::max));
    let alone = told.claim.confidence;
    // A word of the person's own on the same file is still that file.
    add(&rig, in_file(&rig, &file, "Dana", FactInput { confidence: Some(0.1), ..fact("Dana", "works_at", "Orbis") }));
    near(confidence(&rig, &told.claim.id), alone);
    ingest(&rig, "other.txt", "Dana works at Orbis.\n");
    assert!(confidence(&rig, &told.claim.id) > alone, "another file is another source");
}

#[test]
fn a_file_that_is_removed_takes_its_claims_along_and_brings_them_back() {
    let rig = Rig::new();
    let one = ingest(&rig, "one.txt", "Dana lives in Porto.\n");
    let two = ingest(&rig, "two.txt", "Dana lives in Oslo.\n");
    let before = picture(&rig);
    assert_eq!(believed(&rig), ["disputed: Dana lives in Oslo", "disputed: Dana lives in Porto"]);
    let conflict = open(&rig).remove(0).id;
    remove(&rig, &two);
    assert!(super::conflict(&rig, &conflict).resolution.unwrap().by_itself);
    assert_eq!(believed(&rig), ["asserted: Dana lives in Porto"]);
    assert_eq!(edges(&rig), ["Dana lives_in Porto"]);
    assert!(open(&rig).is_empty());
    let gone = rows(&rig, "SELECT id FROM claims WHERE state = 'retracted'").remove(0);
    let told = explain(&rig, &ClaimId::parse(gone.clone()).unwrap());
    assert!(told.evidence.iter().all(|piece| !piece.live && piece.weight == 0.0));
    assert_eq!(told.confidence.arithmetic, "0: nothing that is in use speaks for it");
    let restored = rig.run(ClaimRetract { claim: ClaimId::parse(gone).unwrap(), undo: true }).unwrap_err();
    assert_eq!(restored.code, ErrorCode::Conflict, "without a source nobody believes it");
    restore(&rig, &two);
    assert_eq!(picture(&rig), before);
    remove(&rig, &one);
    remove(&rig, &two);
    assert!(believed(&rig).is_empty() && edges(&rig).is_empty());
    restore(&rig, &two);
    assert_eq!(believed(&rig), ["asserted: Dana lives in Oslo"]);
}

#[test]
fn a_newer_version_of_a_file_takes_the_place_of_the_older_ones_claims() {
    let rig = Rig::new();
    let first = "Dana lives in Porto.\nBen lives in Porto.\n";
    let old = ingest(&rig, "team.txt", first);
    let new = ingest(&rig, "team.txt", "Dana lives in Oslo.\nBen lives in Porto.\n");
    assert_ne!(old, new);
    assert_eq!(believed(&rig), ["asserted: Ben lives in Porto", "asserted: Dana lives in Oslo"]);
    remove(&rig, &new);
    assert!(believed(&rig).is_empty());
    assert_eq!(ingest(&rig, "team.txt", first), old);
    assert_eq!(believed(&rig), ["asserted: Ben lives in Porto", "asserted: Dana lives in Porto"]);
    assert_eq!(rig.run(ArtifactRestore { id: new }).unwrap_err().code, ErrorCode::Conflict, "the other one is in use");
}

#[test]
fn a_newer_text_under_one_key_takes_the_place_of_the_older_one() {
    let rig = Rig::new();
    let keep = |text: &str| {
        let request = MemoryRemember {
            text: text.into(),
            space: SPACE.into(),
            key: Some("home".into()),
            ..MemoryRemember::default()
        };
        rig.run(request).unwrap();
        rig.settled();
    };
    keep("Dana lives in Porto.");
    keep("Dana lives in Oslo.");
    assert_eq!(believed(&rig), ["asserted: Dana lives in Oslo"]);
    keep("Dana lives in Porto.");
    assert_eq!(believed(&rig), ["asserted: Dana lives in Porto"]);
}

#[test]
fn reading_a_file_again_changes_no_belief_and_no_decision() {
    let rig = Rig::new();
    ingest(&rig, "one.txt", "Dana's birthday is July 14.\n");
    let two = ingest(&rig, "two.txt", "Dana's birthday is July 15.\n");
    let before = picture(&rig);
    reread(&rig, &two);
    assert_eq!(picture(&rig), before);

    let conflict = open(&rig).remove(0);
    decide(&rig, &conflict.id, ResolutionType::ClaimAWins);
    reread(&rig, &two);
    assert!(open(&rig).is_empty());
    let loser = conflict.claim_b.id;
    assert_eq!(state(&rig, &loser), ClaimState::Retracted);
    ingest(&rig, "two.txt", "Dana's birthday is July 15.\nSo it is.\n");
    assert_eq!(state(&rig, &loser), ClaimState::Retracted, "a new version is the same source");
    assert!(open(&rig).is_empty());
    ingest(&rig, "three.txt", "So it is written.\nDana's birthday is July 15.\n");
    assert!(super::conflict(&rig, &conflict.id).resolution.is_none(), "a new source asks again");
    assert_eq!(state(&rig, &loser), ClaimState::Disputed);
}

#[test]
fn what_a_person_took_back_stays_so_when_its_file_goes_and_comes() {
    let rig = Rig::new();
    let file = ingest(&rig, "one.txt", "Dana lives in Porto.\n");
    let claim = entity(&rig, "Dana").claims.remove(0).id;
    rig.run(ClaimRetract { claim: claim.clone(), undo: false }).unwrap();
    for step in [remove, restore, reread] {
        step(&rig, &file);
        assert_eq!(state(&rig, &claim), ClaimState::Retracted);
    }
    let again = add(&rig, in_file(&rig, &file, "Dana lives in Porto.", fact("Dana", "lives_in", "Porto")));
    assert_eq!((again.claim.state, again.warnings.len()), (ClaimState::Retracted, 1), "{:?}", again.warnings);
    add(&rig, of(&rig.remember("Dana says that she is there."), fact("Dana", "lives_in", "Porto")));
    assert_eq!(state(&rig, &claim), ClaimState::Asserted, "another source brings it back");
}

#[test]
fn text_that_hardly_could_be_read_is_hardly_believed() {
    let rig = Rig::new();
    let clear = ingest(&rig, "clear.txt", "Dana lives in Porto.\n");
    drop(clear);
    let typed = entity(&rig, "Dana").claims.remove(0).confidence;
    rig.ingest("shot.png", inputs::png("Ben lives in Porto."));
    rig.settled();
    let read = entity(&rig, "Ben").claims.remove(0);
    let piece = &explain(&rig, &read.id).evidence[0];
    assert!((piece.quality - 0.9).abs() < 0.02 && read.confidence < typed, "{piece:?}");
    assert!(read.citations[0].place.bbox.is_some() && read.citations[0].quality.is_some());
}

#[test]
fn what_was_hardly_heard_is_hardly_believed_and_cited_by_its_second() {
    let rig = Rig::new();
    rig.script.speech.store(true, std::sync::atomic::Ordering::Relaxed);
    ingest(&rig, "clear.txt", "Dana lives in Porto.\n");
    let typed = entity(&rig, "Dana").claims.remove(0).confidence;
    rig.ingest("memo.wav", inputs::wav(&["Ben lives in Porto.", "Cara lives in Oslo."]));
    rig.settled();
    let pieces = ["Ben", "Cara"].map(|name| {
        let heard = entity(&rig, name).claims.remove(0);
        let piece = explain(&rig, &heard.id).evidence.remove(0);
        assert!((piece.quality - 0.8).abs() < 0.02 && heard.confidence < typed, "{piece:?}");
        near(heard.confidence, piece.weight);
        let time = heard.citations[0].place.time.as_ref().map(|time| (time.start_ms, time.end_ms));
        assert!(heard.citations[0].quality.is_some());
        (piece.weight, time.expect("it is cited by its second").0)
    });
    assert_eq!(pieces.map(|(_, start)| start), [0, 1000]);
    near(pieces[0].0, pieces[1].0);
}

#[test]
fn reconciliation_changes_nothing_that_is_in_order_and_mends_what_is_not() {
    let rig = Rig::new();
    ingest(&rig, "one.txt", "Dana lives in Porto.\n");
    ingest(&rig, "two.txt", "Dana lives in Oslo.\nBen lives in Oslo.\n");
    let before = picture(&rig);
    reconcile(&rig);
    assert_eq!(picture(&rig), before);
    rig.db().execute("UPDATE claims SET confidence = 0.01", []).unwrap();
    rig.db()
        .execute("UPDATE claim_evidence SET start_offset = start_offset + 1, end_offset = end_offset + 1", [])
        .unwrap();
    reconcile(&rig);
    let after = picture(&rig);
    let moved = |row: &str| row.replace("\"moved\"", "\"ok\"");
    assert_eq!(after.iter().map(|row| moved(row)).collect::<Vec<_>>(), before);
}

#[test]
fn a_quote_that_moved_is_found_at_the_place_nearest_to_where_it_stood() {
    let rig = Rig::new();
    let text = "Dana lives in Porto. Ä😀 so it is. Dana lives in Porto. So it was. Dana lives in Porto.";
    let note = rig.remember(text);
    rig.settled();
    let quote = "Dana lives in Porto.";
    let at = um_model::Utf16Span::from_byte_range(text, 40..42).start;
    let sql = format!("UPDATE claim_evidence SET start_offset = {at}, end_offset = {} WHERE memory_id = ?1", at + 20);
    rig.db().execute(&sql, [note.id.as_str()]).unwrap();
    reconcile(&rig);
    let second = text[1..].find(quote).unwrap() + 1;
    let expected = um_model::Utf16Span::from_byte_range(text, second..second + quote.len());
    let places = rows(&rig, "SELECT DISTINCT start_offset || '' FROM claim_evidence");
    assert_eq!(places, [expected.start.to_string()]);
}

#[test]
fn a_quote_that_was_gone_and_is_there_again_speaks_again() {
    let rig = Rig::new();
    let id = add(&rig, fact("Dana", "lives_in", "Porto")).claim.id;
    let before = picture(&rig);
    rig.db().execute("UPDATE claim_evidence SET drift_status = 'missing'", []).unwrap();
    rig.db().execute("UPDATE claims SET confidence = 0", []).unwrap();
    reconcile(&rig);
    assert_eq!((state(&rig, &id), picture(&rig)), (ClaimState::Asserted, before));
}

/// Keeps a note under a key: a later one takes the place of an earlier one.
fn keep(rig: &Rig, key: usize, text: String) -> Memory {
    let key = Some(key.to_string());
    let request = MemoryRemember { text, key, space: SPACE.into(), ..MemoryRemember::default() };
    rig.run(request).unwrap().memory
}

/// So many notes say that Ana works at Orbis; gives what comes of the last.
fn all_say(rig: &Rig, notes: std::ops::Range<usize>) -> Claim {
    let said = |n| {
        let note = keep(rig, n, format!("She works there, says {n}."));
        let facts = vec![of(&note, fact("Ana", "works_at", "Orbis"))];
        rig.run(FactsAdd { space: SPACE.into(), facts }).unwrap().facts.remove(0).claim
    };
    notes.map(said).collect::<Vec<_>>().pop().unwrap()
}

#[test]
fn what_was_too_much_for_a_day_is_no_new_source_when_it_is_said_again() {
    let rig = Rig::new();
    let claim = all_say(&rig, 0..102);
    rig.run(ClaimRetract { claim: claim.id, undo: false }).unwrap();
    rig.advance(2 * 86_400_000);
    assert_eq!(all_say(&rig, 101..102).state, ClaimState::Retracted);
}

#[test]
fn what_was_too_much_for_a_day_speaks_when_the_rest_is_gone() {
    let rig = Rig::new();
    let claim = all_say(&rig, 0..103);
    let told = explain(&rig, &claim.id);
    assert_eq!((claim.evidence_count, told.evidence.len()), (103, 100), "the last three say nothing yet");
    for n in 0..100 {
        keep(&rig, n, format!("blip {n}"));
    }
    rig.settled();
    let told = explain(&rig, &claim.id);
    assert_eq!((told.claim.state, told.confidence.supporting.len()), (ClaimState::Asserted, 3));
}

#[test]
fn which_of_too_many_for_a_day_count_does_not_depend_on_their_order() {
    let facts = |rig: &Rig| -> Vec<FactInput> {
        let said = |n: usize| {
            let note = rig.remember(&format!("She works there, says {n}."));
            FactInput {
                confidence: Some(0.001 * ((n * 37) % 120) as f64),
                ..of(&note, fact("Ana", "works_at", "Orbis"))
            }
        };
        (1..120).map(said).collect()
    };
    let sure = |order: fn(&mut Vec<FactInput>)| {
        let rig = Rig::resting();
        let mut facts = facts(&rig);
        order(&mut facts);
        let mut claim = None;
        for part in facts.chunks(60) {
            let request = FactsAdd { space: SPACE.into(), facts: part.to_vec() };
            claim = rig.run(request).unwrap().facts.pop().map(|added| added.claim);
        }
        explain(&rig, &claim.unwrap().id).confidence
    };
    let first = sure(|_| {});
    assert_eq!(first.supporting.len(), 100);
    let weakest = first.supporting.iter().map(|cluster| cluster.weight).fold(1.0, f64::min);
    assert!(weakest > 0.019, "the strongest hundred count: {weakest}");
    for order in [|facts: &mut Vec<FactInput>| facts.reverse(), |facts: &mut Vec<FactInput>| facts.rotate_left(47)] {
        near(sure(order).confidence, first.confidence);
    }
}

#[test]
fn reconciliation_goes_on_where_it_was_when_the_service_ended() {
    let mut rig = Rig::new();
    let ids = ["tea", "rain"].map(|what| add(&rig, fact("Ana", "likes", what)).claim.id);
    rig.settled();
    rig.reopen(crate::support::MODEL);
    let first = rig.count("SELECT min(rid) FROM claims");
    rig.db().execute("UPDATE claims SET confidence = 0.01", []).unwrap();
    for (key, value) in [
        ("beliefs.reconciled_at", crate::support::BEGIN.to_string()),
        ("beliefs.reconciling", format!("claims:{first}")),
    ] {
        let row = "INSERT OR REPLACE INTO system_settings (key, value, updated_at) VALUES (?1, ?2, 0)";
        rig.db().execute(row, [key, &value]).unwrap();
    }
    rig.engine().start();
    rig.until("it ended", || rig.count("SELECT count(*) FROM system_settings WHERE key = 'beliefs.reconciling'") == 0);
    near(confidence(&rig, &ids[0]), 0.01);
    near(confidence(&rig, &ids[1]), 0.9);
}

/// Lets a day pass, and waits until it was reconciled.
pub(super) fn reconcile(rig: &Rig) {
    use tokio::sync::broadcast::error::RecvError;
    use um_model::health::Event;
    rig.settled();
    let mut events = rig.engine().subscribe();
    rig.advance(86_400_000);
    rig.wake();
    loop {
        match events.blocking_recv() {
            Ok(Event::Beliefs) => break,
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => panic!("the engine is gone"),
        }
    }
}

#[test]
fn a_relative_who_was_named_once_is_meant_afterwards() {
    let rig = Rig::new();
    ingest(&rig, "one.txt", "My sister Ana lives in Porto.\n");
    ingest(&rig, "two.txt", "My sister likes tea.\n");
    assert_eq!(entity(&rig, "your sister").entity.name, "Ana", "{:?}", believed(&rig));
    let of_ana = entity(&rig, "Ana").claims.len();
    assert!(of_ana >= 2, "{:?}", believed(&rig));
}

#[test]
fn of_two_sisters_neither_is_guessed() {
    let rig = Rig::new();
    ingest(&rig, "one.txt", "My sister Ana lives in Porto.\n");
    ingest(&rig, "two.txt", "My sister Bea lives in Rome.\n");
    let before = believed(&rig);
    ingest(&rig, "three.txt", "My sister likes tea.\n");
    assert_eq!(believed(&rig), before);
    let asked = EntityGet { entity: "your sister".into(), space: Some(SPACE.into()), ..EntityGet::default() };
    assert_eq!(rig.run(asked).unwrap_err().code, ErrorCode::Ambiguous);
}

#[test]
fn a_file_that_is_saved_all_day_still_says_what_it_says() {
    let rig = Rig::new();
    for version in 0..60 {
        ingest(&rig, "one.txt", &format!("Dana lives in Porto. Line {version}.\n"));
    }
    assert_eq!(believed(&rig), ["asserted: Dana lives in Porto"]);
}
