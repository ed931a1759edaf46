//! What is believed as of a day goes by the notes that were in use then: recall, facts, entities and the graph tell the same of it
//! (ruling 19).

use crate::support::{BEGIN, Rig, SPACE};
use std::time::{Duration, UNIX_EPOCH};
use um_model::capture::{MemoryIngest, MemoryRemember, MemoryRemove};
use um_model::claims::*;
use um_model::forget::{ForgetExecute, ForgetPreview, ForgetWhat};
use um_model::recall::MemoryRecall;
use um_model::work::ContextCompile;
use um_model::{EpochMs, MemoryId};

const DAY: EpochMs = 86_400_000;
const LEEDS: &str = "Ana lives in Leeds.";
const PORTO: &str = "Ana lives in Porto.";

fn keep(rig: &Rig, text: &str, expires_at: Option<EpochMs>) -> MemoryId {
    let (text, space, key) = (text.to_owned(), SPACE.to_owned(), Some("home".to_owned()));
    rig.run(MemoryRemember { text, space, key, expires_at, ..MemoryRemember::default() }).unwrap().memory.id
}

/// Brings in a file that was last changed two days before.
fn bring(rig: &Rig, words: &str) {
    let path = rig.file("ana.txt", words);
    let modified = UNIX_EPOCH + Duration::from_millis((rig.now() - 2 * DAY) as u64);
    std::fs::File::options().append(true).open(&path).unwrap().set_modified(modified).unwrap();
    let paths = vec![path.display().to_string()];
    rig.run(MemoryIngest { paths, space: SPACE.into(), ..MemoryIngest::default() }).unwrap();
}

fn forget(rig: &Rig, id: &MemoryId) {
    let what = ForgetWhat { memory: Some(id.clone()), ..ForgetWhat::default() };
    let token = rig.run(ForgetPreview { what: what.clone() }).unwrap().token;
    rig.run(ForgetExecute { what, token }).unwrap();
}

/// Whether each of the answers tells then that Ana lives in that city.
fn told(rig: &Rig, city: &str, as_of: Option<EpochMs>, known_at: Option<EpochMs>) -> Vec<(&'static str, bool)> {
    let recall = MemoryRecall { query: "Where does Ana live".into(), as_of, known_at, ..MemoryRecall::default() };
    let facts = |search: FactsSearch| {
        let found = rig.run(FactsSearch { as_of, known_at, ..search }).unwrap();
        assert_eq!(found.facts.len() as u64, found.total);
        found.facts.iter().any(|fact| fact.statement.contains(city))
    };
    let (entity, space) = ("Ana".to_owned(), Some(SPACE.to_owned()));
    // Who was forgotten is known no more.
    let get = EntityGet { entity: entity.clone(), space: space.clone(), as_of, known_at, ..EntityGet::default() };
    let shown = rig.run(get);
    let walk = GraphTraverse { entity, space, as_of, known_at, ..GraphTraverse::default() };
    let is_there = |edge: &Edge| edge.target.name == city;
    vec![
        ("recall", rig.run(recall).unwrap().hits.iter().any(|hit| hit.quote.contains(city))),
        ("list", facts(FactsSearch { predicate: Some("lives_in".into()), ..FactsSearch::default() })),
        ("search", facts(FactsSearch { query: Some(city.into()), ..FactsSearch::default() })),
        ("entity", shown.as_ref().is_ok_and(|shown| shown.claims.iter().any(|fact| fact.statement.contains(city)))),
        ("near", shown.as_ref().is_ok_and(|shown| shown.near.iter().any(is_there))),
        ("graph", rig.run(walk).is_ok_and(|walked| walked.edges.iter().any(is_there))),
    ]
}

/// On day 0 it is said that Ana lives in Leeds, on day 20 that ends in some way.
struct Way {
    name: &'static str,
    begins: fn(&Rig) -> Option<MemoryId>,
    ends: fn(&Rig, Option<MemoryId>),
    /// Whether that she lives in Porto stands in its place from then on.
    is_replaced: bool,
}

const REPLACED: Way = Way {
    name: "replaced",
    begins: |rig| Some(keep(rig, LEEDS, None)),
    ends: |rig, _| drop(keep(rig, PORTO, None)),
    is_replaced: true,
};
const EXPIRED: Way = Way {
    name: "expired",
    begins: |rig| Some(keep(rig, LEEDS, Some(BEGIN + 20 * DAY))),
    ends: |rig, _| assert!(!rig.found("Leeds").iter().any(|hit| hit.quote == LEEDS)),
    is_replaced: false,
};
const CHANGED: Way = Way {
    name: "its file changed",
    begins: |rig| {
        bring(rig, LEEDS);
        None
    },
    ends: |rig, _| bring(rig, PORTO),
    is_replaced: true,
};
const REMOVED: Way = Way {
    name: "removed",
    begins: |rig| Some(keep(rig, LEEDS, None)),
    ends: |rig, id| {
        rig.run(MemoryRemove { id: id.unwrap() }).unwrap();
    },
    is_replaced: false,
};
const FORGOTTEN: Way = Way {
    name: "forgotten",
    begins: |rig| Some(keep(rig, LEEDS, None)),
    ends: |rig, id| forget(rig, &id.unwrap()),
    is_replaced: false,
};

/// Whether it is told as of one day, as known on another, once it has ended.
type Told = (Option<i64>, Option<i64>, bool);

#[track_caller]
fn check(Way { name, begins, ends, is_replaced }: &Way, days: &[Told]) {
    let rig = Rig::new();
    let id = begins(&rig);
    rig.settled();
    for (kind, is_told) in told(&rig, "Leeds", None, None) {
        assert!(is_told, "{name}: {kind}");
    }
    rig.advance(20 * DAY);
    ends(&rig, id);
    rig.settled();
    rig.advance(10 * DAY);
    for (as_of, known_at, expected) in days.iter().copied() {
        let moment = |day: Option<i64>| day.map(|day| BEGIN + day * DAY);
        for (kind, is_told) in told(&rig, "Leeds", moment(as_of), moment(known_at)) {
            assert_eq!(is_told, expected, "{name}: {kind} as of {as_of:?}, known at {known_at:?}");
        }
        // One of both is told as of each day on which either stood there.
        if *is_replaced && as_of.is_none_or(|day| day >= 0) {
            for (kind, is_told) in told(&rig, "Porto", moment(as_of), moment(known_at)) {
                assert_eq!(is_told, !expected, "{name}, Porto: {kind} as of {as_of:?}, known at {known_at:?}");
            }
        }
    }
    let pack = ContextCompile { query: Some("Where does Ana live?".into()), ..ContextCompile::default() };
    assert!(!rig.run(pack).unwrap().full_text.contains("Leeds"), "{name}");
}

#[test]
fn a_fact_is_told_as_of_a_day_as_its_note_is() {
    for way in [REPLACED, EXPIRED, CHANGED] {
        check(
            &way,
            &[
                (None, None, false),
                (Some(-5), None, false),
                (Some(10), None, true),
                (Some(25), None, false),
                (None, Some(10), true),
                (None, Some(25), false),
                (Some(10), Some(10), true),
                (Some(10), Some(25), true),
                // Nobody had said by then that it ends.
                (Some(25), Some(10), true),
                (Some(25), Some(25), false),
            ],
        );
    }
}

#[test]
fn a_pack_of_now_tells_a_fact_as_one_as_of_this_moment_does() {
    let rig = Rig::new();
    keep(&rig, LEEDS, None);
    rig.settled();
    rig.advance(20 * DAY);
    // It is said already, and will be so in ten days alone.
    let (text, space, key) = (PORTO.to_owned(), SPACE.to_owned(), Some("home".to_owned()));
    let occurred_at = Some(rig.now() + 10 * DAY);
    rig.run(MemoryRemember { text, space, key, occurred_at, ..MemoryRemember::default() }).unwrap();
    rig.settled();
    let facts = |as_of: Option<EpochMs>| {
        let pack = ContextCompile { query: Some("Where does Ana live?".into()), as_of, ..ContextCompile::default() };
        let text = rig.run(pack).unwrap().full_text;
        let lines = text.lines().filter(|line| line.contains("confidence"));
        lines.filter_map(|line| Some(line.split_once("] ")?.1.to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(facts(None), facts(Some(rig.now())));
}

#[test]
fn a_pack_of_a_day_names_the_edges_of_its_facts_of_then() {
    let rig = Rig::new();
    keep(&rig, LEEDS, None);
    rig.settled();
    let edges = |as_of: Option<EpochMs>, known_at: Option<EpochMs>| {
        let query = Some("Where does Ana live?".into());
        let pack = rig.run(ContextCompile { query, as_of, known_at, ..ContextCompile::default() }).unwrap();
        rig.text(&format!("SELECT edge_ids FROM compiled_contexts WHERE id = '{}'", pack.id.unwrap()))
    };
    let of_leeds = edges(None, None);
    assert_ne!(of_leeds, "[]");
    rig.advance(20 * DAY);
    keep(&rig, PORTO, None);
    rig.settled();
    rig.advance(10 * DAY);
    let day = Some(BEGIN + 10 * DAY);
    for (as_of, known_at) in [(day, None), (None, day), (day, day)] {
        assert_eq!(edges(as_of, known_at), of_leeds, "{as_of:?}, {known_at:?}");
    }
    let of_porto = edges(None, None);
    assert!(of_porto != of_leeds && of_porto != "[]", "{of_porto}");
}

#[test]
fn a_fact_whose_note_was_removed_or_forgotten_comes_back_on_no_day() {
    for way in [REMOVED, FORGOTTEN] {
        check(&way, &[(None, None, false), (Some(-5), None, false), (Some(10), None, false), (Some(25), None, false)]);
    }
    check(&FORGOTTEN, &[(None, Some(10), false), (Some(10), Some(10), false), (Some(10), Some(25), false)]);
}

#[test]
fn of_several_notes_in_one_place_that_of_the_day_tells() {
    const HOMES: [&str; 3] = ["Leeds", "Porto", "Oslo"];
    let rig = Rig::new();
    for home in HOMES {
        keep(&rig, &format!("Ana lives in {home}."), None);
        rig.settled();
        rig.advance(20 * DAY);
    }
    for (day, of_day) in [(10, "Leeds"), (30, "Porto"), (50, "Oslo")] {
        for home in HOMES {
            for (kind, is_told) in told(&rig, home, Some(BEGIN + day * DAY), None) {
                assert_eq!(is_told, home == of_day, "{home}: {kind} as of {day}");
            }
        }
    }
}

#[test]
fn of_several_notes_of_a_day_the_one_that_left_first_tells_how_a_fact_stood() {
    use um_model::belief::ClaimState;
    let rig = Rig::new();
    let say = |key: &str, text: &str| {
        let (text, space, key) = (text.to_owned(), SPACE.to_owned(), Some(key.to_owned()));
        let kept = rig.run(MemoryRemember { text, space, key, ..MemoryRemember::default() }).unwrap().memory.id;
        rig.settled();
        kept
    };
    let born = |note: MemoryId, quote: &str, day: &str| {
        let [subject, predicate, object] = ["Ana", "birthday", day].map(str::to_owned);
        let (memory_id, quote) = (Some(note), Some(quote.to_owned()));
        let facts = vec![FactInput { subject, predicate, object, memory_id, quote, ..FactInput::default() }];
        rig.run(FactsAdd { space: SPACE.into(), facts }).unwrap();
        rig.settled();
    };
    let state = |as_of: Option<EpochMs>| {
        let search = FactsSearch { predicate: Some("birthday".into()), as_of, ..FactsSearch::default() };
        let facts = rig.run(search).unwrap().facts;
        facts.into_iter().find(|fact| fact.statement.contains("1984-05-03")).map(|fact| fact.state)
    };
    for key in ["home", "flat"] {
        let says = format!("The {key} says so.");
        born(say(key, &says), &says, "1984-05-03");
    }
    rig.advance(20 * DAY);
    say("flat", "The flat is rented.");
    rig.advance(5 * DAY);
    born(say("barn", "The barn says so."), "The barn says so.", "1984-05-05");
    assert_eq!(state(None), Some(ClaimState::Disputed));
    rig.advance(5 * DAY);
    say("home", "The home is rented.");
    rig.advance(DAY);
    assert_eq!(state(None), None);
    assert_eq!(state(Some(BEGIN + 10 * DAY)), Some(ClaimState::Asserted));
}

/// On day 20 a note that she lives in Porto takes the place of another one, and something else tells it: it is told of the days before
/// unless that took another one's place too.
#[track_caller]
fn carried(what: &str, tell: fn(&Rig), is_carried: bool) {
    let rig = Rig::new();
    for key in ["home", "flat"] {
        let (text, space, key) = (format!("The {key} is rented."), SPACE.to_owned(), Some(key.to_owned()));
        rig.run(MemoryRemember { text, space, key, ..MemoryRemember::default() }).unwrap();
    }
    rig.settled();
    rig.advance(20 * DAY);
    keep(&rig, PORTO, None);
    tell(&rig);
    rig.settled();
    rig.advance(10 * DAY);
    for (day, expected) in [(-5, true), (10, is_carried), (25, true)] {
        for (kind, is_told) in told(&rig, "Porto", Some(BEGIN + day * DAY), None) {
            // Recall finds notes, and none is of these days.
            let expected = expected && (kind != "recall" || day > 20);
            assert_eq!(is_told, expected, "{what}: {kind} as of {day}");
        }
    }
}

#[test]
fn what_took_nothing_s_place_is_told_of_all_days() {
    fn fact() -> FactInput {
        let (subject, predicate, object) = ("Ana".to_owned(), "lives_in".to_owned(), "Porto".to_owned());
        FactInput { subject, predicate, object, ..FactInput::default() }
    }
    let state = |rig: &Rig| drop(rig.run(FactsAdd { space: SPACE.into(), facts: vec![fact()] }).unwrap());
    carried("nothing else", |_| {}, false);
    carried("another note", |rig| drop(rig.remember("Bo called today. Ana lives in Porto.")), true);
    carried("the person", state, true);
    carried(
        "another one in another one's place",
        |rig| {
            let (text, space, key) =
                ("The flat is let again. Ana lives in Porto.".to_owned(), SPACE.to_owned(), Some("flat".to_owned()));
            rig.run(MemoryRemember { text, space, key, ..MemoryRemember::default() }).unwrap();
        },
        false,
    );
}

#[test]
fn what_other_words_carry_stays_and_shows_those_of_the_day() {
    const MET: &str = "Bo met Ana at her flat in Leeds.";
    let rig = Rig::new();
    keep(&rig, LEEDS, None);
    let met = rig.remember(MET).id;
    rig.settled();
    let (subject, predicate, object) = ("Ana".to_owned(), "lives_in".to_owned(), "Leeds".to_owned());
    let (memory_id, quote) = (Some(met), Some(MET.to_owned()));
    let fact = FactInput { subject, predicate, object, memory_id, quote, ..FactInput::default() };
    rig.run(FactsAdd { space: SPACE.into(), facts: vec![fact] }).unwrap();
    rig.settled();
    rig.advance(20 * DAY);
    keep(&rig, "The boiler is new.", None);
    rig.settled();
    // Before either was kept, all that carries it is shown: it is told of no time.
    for (day, of_note) in [(-5, true), (10, true), (25, false)] {
        let (predicate, as_of) = (Some("lives_in".to_owned()), Some(BEGIN + day * DAY));
        let mut facts = rig.run(FactsSearch { predicate, as_of, ..FactsSearch::default() }).unwrap().facts;
        assert_eq!(facts.len(), 1, "as of {day}");
        let (of_met, others): (Vec<_>, Vec<_>) =
            facts.remove(0).citations.into_iter().partition(|cited| cited.quote == MET);
        assert_eq!((of_met.len(), others.len()), (1, usize::from(of_note)), "as of {day}");
    }
}
