//! The walk along believed relations.

use super::*;
use um_model::ErrorCode;

fn walk(entity: &str) -> GraphTraverse {
    GraphTraverse { entity: entity.into(), space: Some(SPACE.into()), ..GraphTraverse::default() }
}

/// A ring of four with a chord and a tail, two relations that end, and one that is denied.
fn graph() -> Rig {
    let rig = Rig::resting();
    for (a, b) in [("A", "B"), ("B", "C"), ("C", "D"), ("D", "A"), ("A", "C"), ("D", "E")] {
        add(&rig, fact(a, "mentors", b));
    }
    add(&rig, between(fact("A", "works_at", "Orbis"), "2018", "2020"));
    add(&rig, between(fact("A", "works_at", "Finch"), "2020", ""));
    add(&rig, denied(fact("A", "mentors", "E")));
    rig
}

#[track_caller]
fn check(rig: &Rig, request: GraphTraverse, expected: &[&str]) {
    let found = rig.run(request.clone()).unwrap();
    let mut words: Vec<String> =
        found.edges.iter().map(|e| format!("{} {} {} {}", e.depth, e.source.name, e.relation, e.target.name)).collect();
    words.sort();
    assert_eq!(words, expected, "{request:?}");
    assert!(!found.truncated);
    let mut depths = found.edges.iter().map(|edge| edge.depth);
    assert!(depths.clone().is_sorted() && depths.all(|depth| depth <= request.depth.unwrap_or(2)));
    let mut reached: Vec<&str> = found.entities.iter().map(|entity| entity.name.as_str()).collect();
    assert_eq!((reached[0], found.start.name.as_str()), (request.entity.as_str(), request.entity.as_str()));
    reached.sort_unstable();
    let mut ends: Vec<&str> =
        found.edges.iter().flat_map(|e| [e.source.name.as_str(), e.target.name.as_str()]).collect();
    ends.push(&found.start.name);
    ends.sort_unstable();
    ends.dedup();
    assert_eq!(reached, ends, "whoever is reached is there once");
}

#[test]
fn a_walk_goes_so_far_that_way_along_these_relations_at_that_time() {
    let rig = graph();
    let mentors = |request: GraphTraverse| GraphTraverse { relations: vec!["mentors".into()], ..request };
    let steps = |depth: u32, request: GraphTraverse| GraphTraverse { depth: Some(depth), ..request };
    let out = |request: GraphTraverse| GraphTraverse { direction: Direction::Out, ..request };
    let into = |request: GraphTraverse| GraphTraverse { direction: Direction::In, ..request };
    check(
        &rig,
        steps(1, out(walk("A"))),
        &["1 A mentors B", "1 A mentors C", "1 A works_at Finch", "1 A works_at Orbis"],
    );
    check(&rig, steps(1, into(walk("A"))), &["1 D mentors A"]);
    check(&rig, steps(1, mentors(walk("A"))), &["1 A mentors B", "1 A mentors C", "1 D mentors A"]);
    check(&rig, mentors(out(walk("A"))), &["1 A mentors B", "1 A mentors C", "2 B mentors C", "2 C mentors D"]);
    // The ring closes, and the walk ends.
    let whole = ["1 A mentors B", "1 A mentors C", "2 B mentors C", "2 C mentors D", "3 D mentors A", "3 D mentors E"];
    check(&rig, steps(6, mentors(out(walk("A")))), &whole);
    check(&rig, steps(3, into(walk("E"))), &["1 D mentors E", "2 C mentors D", "3 A mentors C", "3 B mentors C"]);
    let works = |at: i64| GraphTraverse { relations: vec!["employs".into()], as_of: Some(at), ..steps(1, walk("A")) };
    let (in_2019, in_2021) = (1_550_000_000_000, 1_620_000_000_000);
    check(&rig, works(in_2019), &["1 A works_at Orbis"]);
    check(&rig, works(in_2021), &["1 A works_at Finch"]);
    check(&rig, GraphTraverse { relations: vec!["married_to".into()], ..walk("A") }, &[]);
}

#[test]
fn a_relation_named_the_other_way_round_turns_the_direction() {
    let rig = Rig::resting();
    let predicate = PredicateInfo {
        name: "audits".into(),
        phrase: "audits".into(),
        relates: true,
        inverse: Some("audited_by".into()),
        cardinality: um_model::belief::Cardinality::ManyToMany,
        value_kind: None,
    };
    rig.run(PredicateDefine { space: SPACE.into(), predicate, change: false }).unwrap();
    for (subject, relation, object) in
        [("Maya", "works_at", "Halden"), ("Ben", "works_at", "Halden"), ("Halden", "audits", "Orbis")]
    {
        add(&rig, fact(subject, relation, object));
    }
    let one = |entity: &str, relations: &[&str], direction: Direction| GraphTraverse {
        depth: Some(1),
        direction,
        relations: relations.iter().map(|name| (*name).to_owned()).collect(),
        ..walk(entity)
    };
    let works = ["1 Ben works_at Halden", "1 Maya works_at Halden"];
    check(&rig, one("Halden", &["employs"], Direction::Out), &works);
    check(&rig, one("Halden", &["employs"], Direction::In), &[]);
    check(&rig, one("Halden", &["employs"], Direction::Both), &works);
    check(&rig, one("Halden", &["works_at"], Direction::In), &works);
    check(&rig, one("Halden", &["works_at"], Direction::Out), &[]);
    check(&rig, one("Maya", &["employs"], Direction::In), &["1 Maya works_at Halden"]);
    check(&rig, one("Maya", &["employs"], Direction::Out), &[]);
    check(&rig, one("Orbis", &["audited_by"], Direction::Out), &["1 Halden audits Orbis"]);
    check(&rig, one("Orbis", &["audited_by"], Direction::In), &[]);
    // Each of several goes its own way.
    let both = ["1 Ben works_at Halden", "1 Halden audits Orbis", "1 Maya works_at Halden"];
    check(&rig, one("Halden", &["employs", "audits"], Direction::Out), &both);
    check(&rig, one("Halden", &["employs", "audits"], Direction::In), &[]);
    check(&rig, one("Halden", &["employs", "works_at"], Direction::Out), &works);
    let on = GraphTraverse { depth: Some(2), ..one("Orbis", &["audited_by", "employs"], Direction::Out) };
    check(&rig, on, &["1 Halden audits Orbis", "2 Ben works_at Halden", "2 Maya works_at Halden"]);
}

#[test]
fn a_walk_that_is_cut_says_so() {
    let rig = graph();
    for limit in 1..6 {
        let found = rig.run(GraphTraverse { limit: Some(limit), depth: Some(6), ..walk("A") }).unwrap();
        assert_eq!((found.edges.len() as u32, found.truncated), (limit, true));
    }
    let found = rig.run(GraphTraverse { limit: Some(8), depth: Some(6), ..walk("A") }).unwrap();
    assert_eq!((found.edges.len(), found.truncated), (8, false));
}

#[test]
fn a_walk_that_cannot_be_meant_is_refused() {
    let rig = graph();
    for (request, code) in [
        (GraphTraverse { depth: Some(0), ..walk("A") }, ErrorCode::InvalidRequest),
        (GraphTraverse { depth: Some(7), ..walk("A") }, ErrorCode::InvalidRequest),
        (walk("Z"), ErrorCode::NotFound),
        (GraphTraverse { space: Some("Nowhere".into()), ..walk("A") }, ErrorCode::NotFound),
    ] {
        assert_eq!(rig.run(request).unwrap_err().code, code);
    }
    let by_id = rig.run(walk(entity_id(&rig, "A").as_str())).unwrap();
    assert_eq!(by_id.start.name, "A");
}

#[test]
fn an_edge_carries_the_circumstances_of_its_claim() {
    let rig = Rig::resting();
    let role = [("role".to_owned(), "lead".to_owned())].into();
    let added = add(&rig, FactInput { qualifiers: role, ..between(fact("Ana", "works_at", "Orbis"), "2021-05", "") });
    let edge = rig.run(walk("Ana")).unwrap().edges.remove(0);
    assert_eq!(edge.claim_id, added.claim.id);
    assert_eq!(edge.attributes.get("role").map(String::as_str), Some("lead"));
    assert_eq!((edge.valid_from, edge.valid_to), (added.claim.valid_from, None));
    near(edge.confidence, added.claim.confidence);
}

#[test]
fn a_relation_that_nobody_knows_is_refused_with_those_near_it() {
    let rig = graph();
    let along = |relation: &str| rig.run(GraphTraverse { relations: vec![relation.to_owned()], ..walk("A") });
    for (relation, near) in [
        ("works_with_us", "works_at"),
        ("mentorship", "mentors"),
        ("sibbling", "sibling_of"),
        ("zorvexq", "umem predicates list"),
    ] {
        let refused = along(relation).unwrap_err();
        assert_eq!(refused.code, ErrorCode::InvalidRequest, "{relation}: {refused}");
        assert!(refused.hint.as_deref().is_some_and(|hint| hint.contains(near)), "{relation}: {refused:?}");
    }
    for (relation, edges) in [("works for", 2), ("employs", 2), ("likes_nobody", 0)] {
        match along(relation) {
            Ok(walked) => assert_eq!(walked.edges.len(), edges, "{relation}"),
            Err(refused) => assert_eq!(edges, 0, "{relation}: {refused}"),
        }
    }
}

#[test]
fn a_walk_as_of_a_recorded_time_goes_along_what_was_believed_then() {
    let rig = Rig::resting();
    let begun = rig.now();
    let first = add(&rig, fact("Ana", "mentors", "Ben")).claim.id;
    rig.advance(1_000);
    let with_one = rig.now();
    add(&rig, between(fact("Ana", "works_at", "Orbis"), "2018", "2020"));
    rig.advance(1_000);
    let with_both = rig.now();
    rig.advance(1_000);
    rig.run(ClaimRetract { claim: first, undo: false }).unwrap();
    rig.advance(1_000);
    let (in_2019, in_2021) = (Some(1_550_000_000_000), Some(1_620_000_000_000));
    let mentors = "1 Ana mentors Ben";
    let works = "1 Ana works_at Orbis";
    let (db, ana) = (rig.db(), rig.text("SELECT id FROM entities WHERE name = 'Ana'"));
    let space = um_model::SpaceId::parse(rig.text("SELECT space_id FROM entities WHERE name = 'Ana'")).unwrap();
    for (known_at, as_of, expected) in [
        (Some(begun), None, vec![]),
        (Some(with_one), None, vec![mentors]),
        (Some(with_both), None, vec![mentors, works]),
        (Some(with_both), in_2019, vec![mentors, works]),
        (Some(with_both), in_2021, vec![mentors]),
        (Some(rig.now()), None, vec![works]),
        (None, None, vec![works]),
    ] {
        check(&rig, GraphTraverse { known_at, as_of, ..walk("Ana") }, &expected);
        let asked = EntityGet {
            entity: "Ana".to_owned(),
            space: Some(SPACE.to_owned()),
            known_at,
            as_of,
            ..EntityGet::default()
        };
        assert_eq!(rig.run(asked).unwrap().near.len(), expected.len(), "{known_at:?}, {as_of:?}");
        // What is connected goes by the same rule, as of now where nothing is said: works_at is over by then.
        let (spaces, then) = (std::slice::from_ref(&space), um_store::filter::Then { as_of, known_at });
        let links = um_store::associations::links(&db, &[&ana], spaces, (then, false), rig.now()).unwrap();
        let linked: Vec<_> =
            links.iter().filter(|link| !link.to_memory && link.basis == um_model::recall::Basis::Relation).collect();
        let held = expected.iter().filter(|edge| **edge == mentors || as_of == in_2019).count();
        assert_eq!(linked.len(), held, "{known_at:?}, {as_of:?}: {linked:?}");
    }
    // Where nothing changed since, what was known is what is.
    let rig = graph();
    rig.advance(1);
    let all = |known_at| rig.run(GraphTraverse { known_at, depth: Some(6), ..walk("A") }).unwrap().edges;
    assert_eq!(all(Some(rig.now())), all(None));
}
