//! How long beliefs take at 100,000 claims: stating a fact that contradicts another one, and showing an entity.
//! What is timed is the whole operation, with its transaction, evidence, confidence and audit entry; and, beside it, the
//! part that looks for what a claim conflicts with.

use super::data;
use um_bench::measure::{self, Goal, Sample};
use um_bench::words::Random;
use um_engine::{Caller, Engine};
use um_model::ApiError;
use um_model::MemoryId;
use um_model::belief::ResolutionType;
use um_model::capture::MemoryRemember;
use um_model::claims::{ConflictsList, ConflictsResolve, EntityGet, FactInput, FactsAdd, FactsSearch, GraphTraverse};
use um_model::jobs::WorkPause;
use um_model::spaces::SpaceCreate;

const SPACE: &str = "beliefs";
/// What is claimed of each person.
const EACH: usize = 10;
/// So many facts are stated by one text.
const BY_TEXT: usize = 100;
/// Operations that are timed.
const TIMED: usize = 300;
/// The design asks that a conflict be found within 5 ms and an entity shown within 20.
const CONFLICT: Goal = Goal(5.0, 5.0);
const SHOWN: Goal = Goal(20.0, 20.0);

/// Measures at so many claims.
pub fn measure(claims: usize) -> Result<(), ApiError> {
    let folder = data::scratch();
    let engine = data::open(folder.path(), true)?;
    let caller = Caller::owner("bench");
    let people = claims / EACH;
    engine.run(&caller, SpaceCreate { name: SPACE.to_owned(), ..SpaceCreate::default() })?;
    let begun = std::time::Instant::now();
    for from in (0..people).step_by(BY_TEXT / EACH) {
        let memory = text(&engine, &caller, from)?;
        let facts = (from..people.min(from + BY_TEXT / EACH)).flat_map(|n| said_of(n, people, &memory)).collect();
        engine.run(&caller, FactsAdd { space: SPACE.to_owned(), facts })?;
    }
    eprintln!("{claims} claims in {:.0} s", begun.elapsed().as_secs_f64());
    // What the texts still wait for is not what is timed.
    engine.run(&caller, WorkPause { paused: true })?;

    let number = |at: usize| at * 7_919 % people;
    let add = |what: &str, goal, fact: &dyn Fn(usize) -> FactInput| {
        let sample = Sample::of((0..TIMED).map(|at| {
            let request = FactsAdd { space: SPACE.to_owned(), facts: vec![fact(number(at))] };
            measure::time(|| engine.run(&caller, request))
        }))?;
        measure::line(claims, what, &sample, goal);
        Ok::<_, ApiError>(())
    };
    let other = text(&engine, &caller, people)?;
    add("a fact that contradicts another one", CONFLICT, &|n| fact(&name(n), "birthday", "1900-01-01", &other))?;
    add("a fact that says the same", CONFLICT, &|n| fact(&name(n), "lives_in", &city(n), &other))?;
    add("a relation of a hub", CONFLICT, &|n| fact(&name(n), "visited", &city(0), &other))?;
    let predicate = Some("birthday".to_owned());
    let disputed = (0..TIMED).map(|at| {
        let (entity, predicate) = (Some(name(number(at))), predicate.clone());
        let asked = FactsSearch { space: Some(SPACE.to_owned()), entity, predicate, ..FactsSearch::default() };
        engine.run(&caller, asked).map(|found| found.facts[0].id.clone())
    });
    let disputed = disputed.collect::<Result<Vec<_>, _>>()?;
    let sample = Sample::of(disputed.iter().map(|claim| measure::time(|| engine.rivals_of(claim))))?;
    measure::line(claims, "what a fact conflicts with, looked up alone", &sample, CONFLICT);
    let open = engine.run(&caller, ConflictsList { limit: Some(1), ..ConflictsList::default() })?.total;
    assert_eq!(open as usize, TIMED, "each contradiction is a conflict");

    decide(&engine, &caller, claims)?;
    let again = text(&engine, &caller, people + 1)?;
    add("what was decided against, said again", CONFLICT, &|n| fact(&name(n), "birthday", "1900-01-01", &again))?;
    let third = text(&engine, &caller, people + 2)?;
    add("a third value beside a decided one", CONFLICT, &|n| fact(&name(n), "birthday", "1901-01-01", &third))?;

    let show = |what: &str, entity: &dyn Fn(usize) -> String| {
        let sample = Sample::of((0..TIMED).map(|at| {
            let request =
                EntityGet { entity: entity(number(at)), space: Some(SPACE.to_owned()), ..EntityGet::default() };
            measure::time(|| engine.run(&caller, request))
        }))?;
        measure::line(claims, what, &sample, SHOWN);
        Ok::<_, ApiError>(())
    };
    show("an entity with ten claims", &|n| name(n))?;
    show("a hub that thousands of claims name", &|n| city(n))?;
    let sample = Sample::of((0..TIMED).map(|at| {
        let query = Some(name(number(at)));
        let request = FactsSearch { query, space: Some(SPACE.to_owned()), ..FactsSearch::default() };
        measure::time(|| engine.run(&caller, request))
    }))?;
    measure::line(claims, "facts found by a name", &sample, SHOWN);
    let sample = Sample::of((0..TIMED).map(|at| {
        let request = GraphTraverse {
            entity: name(number(at)),
            space: Some(SPACE.to_owned()),
            depth: Some(2),
            ..GraphTraverse::default()
        };
        measure::time(|| engine.run(&caller, request))
    }))?;
    measure::line(claims, "the graph two steps around an entity", &sample, SHOWN);
    Ok(())
}

/// Decides all conflicts for what was said first.
fn decide(engine: &Engine, caller: &Caller, claims: usize) -> Result<(), ApiError> {
    let all = ConflictsList { limit: Some(TIMED as u32), ..ConflictsList::default() };
    let open = engine.run(caller, all)?.conflicts;
    let sample = Sample::of(open.into_iter().map(|conflict| {
        let said_later = conflict.claim_a.statement.contains("1900-01-01");
        let first = if said_later { ResolutionType::ClaimBWins } else { ResolutionType::ClaimAWins };
        measure::time(|| engine.run(caller, ConflictsResolve::of(conflict.id, first)))
    }))?;
    measure::line(claims, "deciding a conflict", &sample, SHOWN);
    Ok(())
}

/// A text that facts can be quoted from; it says nothing by itself.
fn text(engine: &Engine, caller: &Caller, number: usize) -> Result<MemoryId, ApiError> {
    let text = format!("blip {number}");
    let request = MemoryRemember { text, space: SPACE.to_owned(), ..MemoryRemember::default() };
    engine.run(caller, request).map(|kept| kept.memory.id)
}

fn fact(subject: &str, predicate: &str, object: &str, memory: &MemoryId) -> FactInput {
    FactInput {
        subject: subject.to_owned(),
        predicate: predicate.to_owned(),
        object: object.to_owned(),
        memory_id: Some(memory.clone()),
        quote: Some("blip".to_owned()),
        ..FactInput::default()
    }
}

fn name(number: usize) -> String {
    format!("Person{number} Family{}", number % 997)
}

fn city(number: usize) -> String {
    format!("City{}", number % 40)
}

fn said_of(number: usize, people: usize, memory: &MemoryId) -> Vec<FactInput> {
    let mut random = Random(number as u64);
    let mut other = || name((number + random.between(1, people - 1)) % people);
    let date = format!("19{:02}-{:02}-{:02}", 20 + number % 80, 1 + number % 12, 1 + number % 28);
    let said = [
        ("birthday", date),
        ("email", format!("person{number}@example.org")),
        ("phone", format!("+1 555 {number:07}")),
        ("role", format!("role {}", number % 50)),
        ("likes", format!("thing {}", number % 300)),
        ("lives_in", city(number)),
        ("works_at", format!("Company{}", number % 500)),
        ("knows", other()),
        ("friend_of", other()),
        ("owns", format!("Boat{number}")),
    ];
    said.iter().map(|(predicate, object)| fact(&name(number), predicate, object, memory)).collect()
}
