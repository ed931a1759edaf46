//! When what a text says was said: "last month" counts from there.

use super::sources::ingest;
use super::*;
use um_model::capture::{MemoryIngest, MemoryRemember};

const MAIL: &str = "From: Ana Ruiz <ana@example.org>\nTo: Bo\nDate: Tue, 12 Mar 2019 09:14:00 +0100\nSubject: news\n\n\
                    Ana Ruiz has worked at Orbis since last month.\n";

/// Since when the one claim is so.
fn since(rig: &Rig) -> Option<String> {
    let facts = rig.run(FactsSearch::default()).unwrap().facts;
    assert_eq!(facts.len(), 1, "{facts:?}");
    facts[0].valid_from.and_then(um_rules::date_written)
}

#[test]
fn a_mail_counts_from_its_date() {
    let rig = Rig::new();
    let file = ingest(&rig, "mail.eml", MAIL);
    assert_eq!(since(&rig).as_deref(), Some("2019-02-01"));
    let kept = rig.count(&format!("SELECT occurred_at FROM artifacts WHERE id = '{file}'"));
    assert_eq!(kept, 1_552_378_440_000);

    let rig = Rig::new();
    let request = MemoryRemember { text: MAIL.into(), space: SPACE.into(), ..MemoryRemember::default() };
    rig.run(request).unwrap();
    rig.settled();
    assert_eq!(since(&rig).as_deref(), Some("2019-02-01"), "as a text");
}

#[test]
fn what_whoever_brings_a_file_in_tells_counts_for_more_also_later() {
    let rig = Rig::new();
    let paths = vec![rig.file("mail.eml", MAIL).display().to_string()];
    let bring = |occurred_at| {
        let request =
            MemoryIngest { paths: paths.clone(), space: SPACE.into(), occurred_at, ..MemoryIngest::default() };
        rig.run(request).unwrap();
        rig.settled();
    };
    bring(um_rules::date_begins("2015-06-05"));
    assert_eq!(since(&rig).as_deref(), Some("2015-05-01"));
    bring(um_rules::date_begins("2017-06-05"));
    assert_eq!(since(&rig).as_deref(), Some("2017-05-01"), "told otherwise since");
    bring(None);
    assert_eq!(since(&rig).as_deref(), Some("2017-05-01"), "and it stays so");
}

/// Keeps a text that was said on a day, with a fact of its words.
pub(super) fn said(rig: &Rig, day: &str, fact: FactInput) -> FactAdded {
    let text = format!("{} {} {}, it was said on {day}.", fact.subject, fact.predicate, fact.object);
    let request = MemoryRemember {
        text,
        space: SPACE.into(),
        occurred_at: um_rules::date_begins(day),
        ..MemoryRemember::default()
    };
    let memory = rig.run(request).unwrap().memory;
    add(rig, of(&memory, fact))
}

#[test]
fn what_is_said_without_a_time_counts_from_the_day_on_which_it_was_said() {
    let rig = Rig::resting();
    let home = |city: &str| fact("Ana", "lives_in", city);
    let first = said(&rig, "2011-03-04", home("Oslo")).claim;
    assert_eq!((first.first_said_at, first.last_said_at), (um_rules::date_begins("2011-03-04"), first.first_said_at));
    // She lived elsewhere after that was said, and before it.
    assert_eq!(add(&rig, between(home("Porto"), "2005", "2010")).conflicts.len(), 0);
    assert_eq!(add(&rig, between(home("Turin"), "2012", "2013")).conflicts.len(), 1);

    let again = said(&rig, "2009-03-04", home("Oslo"));
    assert_eq!(again.claim.id, first.id);
    assert_eq!(again.claim.first_said_at, um_rules::date_begins("2009-03-04"));
    assert_eq!((again.claim.last_said_at, again.conflicts.len()), (first.last_said_at, 2), "it was so in 2009, too");
}

#[test]
fn what_was_known_at_a_time_is_told_as_it_was_known() {
    let rig = Rig::resting();
    let home = |city: &str| fact("Ana", "lives_in", city);
    let day = 86_400_000;
    let now = || rig.count("SELECT max(changed_at) FROM claim_state_history");
    let before = crate::support::BEGIN;
    rig.advance(day);
    let oslo = add(&rig, of(&rig.remember("Oslo it is."), home("Oslo"))).claim.id;
    let alone = now();
    rig.advance(day);
    let porto = add(&rig, of(&rig.remember("Porto it is."), home("Porto"))).claim.id;
    let disputed = now();
    rig.advance(day);
    let conflict = open(&rig).remove(0);
    let year = || Some("2020".to_owned());
    let windows = Some(Windows { a_until: year(), b_from: year(), ..Windows::default() });
    let resolution = um_model::belief::ResolutionType::ManualOverride;
    rig.run(ConflictsResolve { windows, ..ConflictsResolve::of(conflict.id, resolution) }).unwrap();
    let now = now();

    let told = |known_at: i64| -> Vec<String> {
        let known_at = Some(known_at);
        let found = rig.run(FactsSearch { known_at, ..FactsSearch::default() }).unwrap();
        assert_eq!(found.total, found.facts.len() as u64);
        let asked = EntityGet { entity: "Ana".into(), space: Some(SPACE.into()), known_at, ..EntityGet::default() };
        let mut of_ana = rig.run(asked).unwrap().claims;
        of_ana.sort_by(|a, b| a.statement.cmp(&b.statement));
        let words = |claim: &Claim| format!("{} {} {:?}", claim.statement, claim.state, claim.valid_to.is_some());
        let told: Vec<String> = of_ana.iter().map(words).collect();
        let mut searched: Vec<String> = found.facts.iter().map(words).collect();
        searched.sort();
        assert_eq!(told, searched);
        told
    };
    assert_eq!(told(before), [""; 0]);
    assert_eq!(told(alone), ["Ana lives in Oslo asserted false"]);
    assert_eq!(told(disputed), ["Ana lives in Oslo disputed false", "Ana lives in Porto disputed false"]);
    let ended = if oslo < porto { "Ana lives in Oslo asserted true" } else { "Ana lives in Porto asserted true" };
    assert!(told(now).contains(&ended.to_owned()), "{:?}", told(now));

    let why = |claim: &ClaimId, known_at| rig.run(ClaimExplain { claim: claim.clone(), known_at: Some(known_at) });
    assert_eq!(why(&porto, alone).unwrap_err().code, um_model::ErrorCode::NotFound);
    let then = why(&oslo, alone).unwrap();
    assert_eq!((then.claim.state, then.history.len(), then.conflicts.len()), (ClaimState::Asserted, 1, 0));
    assert!(then.windows.is_empty() && then.evidence.len() == 1);
}

/// What is believed of texts, each read in its turn, in either order: nothing is disputed.
#[track_caller]
fn goes_together(texts: [&str; 2], expected: &[&str]) {
    for order in [texts, [texts[1], texts[0]]] {
        let rig = Rig::new();
        for text in order {
            rig.remember(text);
            rig.settled();
        }
        assert_eq!(believed(&rig), expected.iter().map(|f| format!("asserted: {f}")).collect::<Vec<_>>(), "{order:?}");
        assert!(open(&rig).is_empty());
    }
}

#[test]
fn one_thing_ends_in_the_year_in_which_the_next_begins() {
    goes_together(
        ["Anna Berg worked at Halden Labs from 2019 to 2022.", "Anna Berg works at Orbis since March 2022."],
        &["Anna Berg works at Halden Labs (since: 2019, until: 2022)", "Anna Berg works at Orbis (since: March 2022)"],
    );
    goes_together(
        ["Anna Berg worked at Halden Labs from 2019 to 2022.", "Anna Berg left Halden Labs in 2022."],
        &[
            "Anna Berg works at Halden Labs (since: 2019, until: 2022)",
            "It is not so that Anna Berg works at Halden Labs (at: 2022)",
        ],
    );
    goes_together(
        ["# Jane Dorsey\n\n- 2011-2014 Welder, Tern AG", "# Jane Dorsey\n\n- 2014-2016 Welder, Auk Steel"],
        &[
            "Jane Dorsey works at Auk Steel (role: Welder, since: 2014, until: 2016)",
            "Jane Dorsey works at Tern AG (role: Welder, since: 2011, until: 2014)",
        ],
    );
}

#[test]
fn the_same_words_give_the_same_end_wherever_they_stand() {
    let ends = |rig: &Rig| {
        let facts = rig.run(FactsSearch::default()).unwrap().facts;
        facts.iter().map(|fact| fact.valid_to.and_then(um_rules::date_written)).collect::<Vec<_>>()
    };
    for text in [
        "Anna Berg worked at Orbis until 2022.",
        "Anna Berg worked at Orbis from 2019 to 2022.",
        "Anna Berg worked at Orbis from 2019 until 2022.",
        "# Anna Berg\n\n- 2019-2022 Welder, Orbis AG",
    ] {
        let rig = Rig::new();
        rig.remember(text);
        rig.settled();
        assert_eq!(ends(&rig), [Some("2022-01-01".to_owned())], "{text}");
    }
    let rig = Rig::resting();
    add(&rig, between(fact("Anna Berg", "works_at", "Orbis"), "2019", "2022"));
    assert_eq!(ends(&rig), [Some("2022-01-01".to_owned())], "as it is stated");
}

#[test]
fn who_left_is_neither_employed_nor_a_member_there() {
    fn check(joined: &str, left: &str, conflicts: usize) {
        for order in [[joined, left], [left, joined]] {
            let rig = Rig::new();
            for text in order {
                rig.remember(text);
                rig.settled();
            }
            assert_eq!(open(&rig).len(), conflicts, "{order:?}: {:#?}", believed(&rig));
        }
    }
    check("Maya Okafor joined Halden Labs in 2019.", "Maya Okafor left Halden Labs.", 1);
    check("Maya Okafor joined Siemens in 2019.", "Maya Okafor left Siemens.", 1);
    check("Maya Okafor joined Siemens in 2019.", "Maya Okafor left Orbis.", 0);
    check("Maya Okafor joined Siemens in 2019.", "Ines Duarte left Siemens.", 0);
    check("Sara Lund joined the Green Party in 2001.", "Sara Lund left the Green Party.", 1);
}
