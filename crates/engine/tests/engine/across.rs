//! Asking in several spaces at once: the scores of their words do not compare (ruling 4), and neither drowns the other.

use crate::support::{Rig, SPACE};
use crate::traces::get;
use std::sync::atomic::Ordering;
use um_model::SpaceId;
use um_model::capture::MemoryRemember;
use um_model::recall::{Hit, MemoryRecall, Recalled};
use um_model::spaces::{ABSTAIN_BELOW, SpaceEdit};
use um_model::traces::TraceReplay;

/// A rig with a second space, that has these notes.
fn rig(here: &[&str], there: &[&str]) -> (Rig, SpaceId) {
    let rig = Rig::new();
    let other = rig.space("Other").id;
    here.iter().for_each(|text| drop(rig.remember(text)));
    there.iter().for_each(|text| drop(rig.remember_in("Other", text)));
    rig.settled();
    (rig, other)
}

fn words_of(recalled: &Recalled, quote: &str) -> f64 {
    let hit = recalled.hits.iter().find(|hit| hit.quote == quote).unwrap_or_else(|| panic!("{recalled:?}"));
    hit.score_parts.words.unwrap()
}

#[test]
fn the_best_of_a_space_counts_as_far_as_it_has_the_words() {
    let (moored, sails) = ("The blue boat of Orla is moored in Vexmark.", "A boat sails to the north.");
    let (rig, other) = rig(&[moored, "The barn is red.", "The tide comes in."], &[sails]);
    let question = "Where is the blue boat of Orla moored?";
    let recalled = rig.recall(question);
    assert_eq!(words_of(&recalled, sails), 0.25 * words_of(&recalled, moored));
    // In one space, its best is the best.
    let hits = rig.recall_in(&other, question);
    assert_eq!(hits[0].score_parts.words, Some(words_of(&recalled, moored)));
}

#[test]
fn an_event_is_dated_by_each_space_by_itself() {
    // In the other space each note has the word, so that it tells next to nothing there.
    let here = ["The accident was on 3 May 2023.", "The barn is red.", "The tide comes in."];
    let (rig, _) = rig(&here, &["An accident happened on 1 May 2023."]);
    let check = |space: Option<&str>, expected: &str| {
        let request = MemoryRecall {
            query: "What was painted before the accident?".to_owned(),
            space: space.map(str::to_owned),
            ..MemoryRecall::default()
        };
        let event = rig.run(request).unwrap().event;
        assert_eq!(event.and_then(|event| event.until), um_rules::date_begins(expected), "{space:?}");
    };
    check(Some(SPACE), "2023-05-03");
    check(Some("Other"), "2023-05-01");
    check(None, "2023-05-01");
}

#[test]
fn whoever_speaks_in_any_of_the_spaces_is_known() {
    let (ana, ben) = ("Ana: The pears are in the barn.", "Ben: The apples went to the mill.");
    let (rig, other) = rig(&[ana, "Cleo has a boat."], &[ben]);
    let check = |hits: Vec<Hit>, expected: &[&str]| {
        let said = hits.iter().filter(|hit| hit.score_parts.said_by.is_some()).map(|hit| hit.quote.as_str());
        let mut said: Vec<&str> = said.collect();
        said.sort_unstable();
        assert_eq!(said, expected);
    };
    let question = "Where did Ana, Ben and Cleo put the pears and the apples?";
    check(rig.recall(question).hits, &[ana, ben]);
    check(rig.recall_in(&other, question), &[ben]);
}

#[test]
fn what_is_considered_does_not_grow_with_the_spaces() {
    let rig = Rig::resting();
    rig.script.embedding_free.store(true, Ordering::Relaxed);
    let mut made = 0;
    for (spaces, notes, expected) in [(1, 75, 75), (4, 75, 300), (40, 4, 300)] {
        for number in made..spaces {
            let space = rig.space(&format!("Harbour {number}")).name;
            for note in 0..notes {
                let text = format!("The ferry of harbour {number} leaves from pier {note} at noon.");
                // With a key, none is compared with those that say much the same.
                let key = Some(format!("pier {note}"));
                rig.run(MemoryRemember { text, space: space.clone(), key, ..MemoryRemember::default() }).unwrap();
            }
        }
        made = spaces;
        let told = get(&rig, &rig.recall("ferry")).recall.unwrap();
        assert_eq!(told.considered, expected, "{spaces} spaces");
        assert_eq!(told.given.len() + told.rejected.len() + told.behind.len(), expected as usize, "{spaces} spaces");
    }
    for (number, name) in [(0, "Orlund"), (3, "Tarnholm"), (39, "Vexmark")] {
        let best = rig.remember_in(&format!("Harbour {number}"), &format!("The ferry to {name} leaves from the quay."));
        let recalled = rig.recall(&format!("Where does the ferry to {name} leave?"));
        assert_eq!(recalled.hits[0].ids.memory, best.id, "{recalled:?}");
    }
}

#[test]
fn each_space_says_how_well_its_own_must_answer() {
    let (door, painted) = ("The wardrobe has a blue door.", "Orla painted the door of her wardrobe.");
    let (rig, _) = rig(&[door, "The barn is red."], &[painted, "The tide comes in."]);
    let set = |space: &str, below: Option<f64>| {
        let edit = SpaceEdit { space: space.to_owned(), ..SpaceEdit::default() };
        rig.run(SpaceEdit { abstain_below: below, usual_abstain_below: below.is_none(), ..edit }).unwrap();
    };
    let usual = ABSTAIN_BELOW;
    for (here, there, abstains, threshold) in [
        (None, None, false, usual),
        (None, Some(1.0), false, usual),
        (Some(1.0), None, false, usual),
        (Some(1.0), Some(0.1), false, 0.1),
        (Some(1.0), Some(1.0), true, 1.0),
    ] {
        set(SPACE, here);
        set("Other", there);
        let recalled = rig.recall("wardrobe blue door");
        assert_eq!(recalled.hits[0].quote, door, "{here:?} {there:?}: {recalled:?}");
        assert_eq!(recalled.abstained, abstains, "{here:?} {there:?}: {recalled:?}");
        let told = get(&rig, &recalled);
        assert_eq!(told.recall.unwrap().threshold, threshold, "{here:?} {there:?}");
        assert!(rig.run(TraceReplay { id: told.summary.id }).unwrap().exact, "{here:?} {there:?}");
    }
}

#[test]
fn a_space_that_asks_for_little_answers_only_near_the_top() {
    let doors =
        ["The wardrobe has a blue door.", "A blue door closes the wardrobe.", "This wardrobe lost its blue door."];
    let painted = "Orla painted a door.";
    for (here, abstains) in [(1, false), (2, false), (3, true)] {
        let (rig, _) = rig(&doors[..here], &[painted]);
        for (space, below) in [(SPACE, 1.0), ("Other", 0.0)] {
            let edit = SpaceEdit { space: space.to_owned(), abstain_below: Some(below), ..SpaceEdit::default() };
            rig.run(edit).unwrap();
        }
        let recalled = rig.recall("wardrobe blue door");
        assert_eq!(recalled.hits.iter().position(|hit| hit.quote == painted), Some(here), "{recalled:?}");
        assert_eq!(recalled.abstained, abstains, "{here}: {recalled:?}");
    }
}
