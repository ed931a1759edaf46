//! Entities that every space may name.

use super::*;
use um_model::{ErrorCode, SpaceId};

fn add_in(rig: &Rig, space: &str, fact: FactInput) -> Claim {
    rig.advance(1);
    rig.run(FactsAdd { space: space.to_owned(), facts: vec![fact] }).unwrap().facts.remove(0).claim
}

fn share(rig: &Rig, id: &EntityId) -> Result<EntityDetail, ApiError> {
    rig.run(EntityShare { entity: id.clone() })
}

fn statements(claims: &[Claim]) -> Vec<&str> {
    claims.iter().map(|claim| claim.statement.as_str()).collect()
}

#[test]
fn a_shared_entity_is_one_in_all_spaces_and_can_be_taken_back() {
    let rig = Rig::resting();
    let other = rig.space("Other").id.to_string();
    let in_other =
        |name: &str| rig.run(EntityGet { entity: name.into(), space: Some(other.clone()), ..EntityGet::default() });
    add(&rig, fact("Ana", "works_at", "Orbis"));
    add_in(&rig, &other, fact("Orbis", "located_in", "Oslo"));
    let before = picture(&rig);

    let shared = share(&rig, &entity_id(&rig, "Orbis")).unwrap();
    assert_eq!(shared.entity.space_id, SpaceId::global());
    assert_eq!(edges(&rig), ["Ana works_at Orbis", "Orbis located_in Oslo"]);
    assert_ne!(
        in_other("Orbis").unwrap().entity.id,
        shared.entity.id,
        "the other space has its own until it shares it"
    );
    let both = share(&rig, &in_other("Orbis").unwrap().entity.id).unwrap();
    assert_eq!(both.entity.id, shared.entity.id);
    assert_eq!(statements(&both.claims), ["Orbis is located in Oslo"]);
    assert_eq!(statements(&both.named_in), ["Ana works at Orbis"]);

    // Asked in one space, it is what that space says of it.
    let here = in_other("Orbis").unwrap();
    assert_eq!((here.claims.len(), here.named_in.len()), (1, 0));
    let listed = rig.run(EntitiesList { space: Some(other.clone()), ..EntitiesList::default() }).unwrap();
    assert!(listed.entities.iter().any(|entity| entity.id == shared.entity.id));
    let listed = rig.run(EntitiesList { space: Some(rig.space("Third").id.to_string()), ..EntitiesList::default() });
    assert!(listed.unwrap().entities.is_empty(), "a space that says nothing of it does not list it");

    // A third space that names it means this one.
    let third = add_in(&rig, "Third", fact("Ben", "works_at", "Orbis"));
    assert!(matches!(&third.object, ClaimObject::Entity(object) if object.id == shared.entity.id));
    rig.run(ClaimRetract { claim: third.id, undo: false }).unwrap();

    for merge in both.merges.iter().filter(|merge| !merge.undone) {
        rig.run(EntityUnmerge { merge: merge.id.clone() }).unwrap();
    }
    let kept = |rows: Vec<String>| -> Vec<String> { rows.into_iter().filter(|row| before.contains(row)).collect() };
    assert_eq!(kept(picture(&rig)), before, "all that was there is as it was");
}

#[test]
fn sharing_that_makes_no_sense_is_refused() {
    let rig = Rig::resting();
    add(&rig, fact("me", "works_at", "Orbis"));
    let check = |name: &str, code: ErrorCode| {
        let refused = share(&rig, &entity_id(&rig, name)).unwrap_err();
        assert_eq!(refused.code, code, "{name}: {refused}");
    };
    check("me", ErrorCode::InvalidRequest);
    share(&rig, &entity_id(&rig, "Orbis")).unwrap();
    check("Orbis", ErrorCode::InvalidRequest);
}

#[test]
fn the_person_can_be_renamed_and_is_still_meant_by_i() {
    let rig = Rig::resting();
    add(&rig, fact("me", "works_at", "Orbis"));
    let person = entity_id(&rig, "me");
    let name = Some("Maya Okafor".to_owned());
    rig.run(EntityEdit { entity: person.to_string(), name, ..EntityEdit::default() }).unwrap();
    assert_eq!(add(&rig, fact("I", "lives_in", "Oslo")).claim.subject.id, person);
    assert_eq!(add(&rig, fact("Maya Okafor", "likes", "tea")).claim.subject.id, person);
}

#[test]
fn a_walk_from_a_shared_entity_follows_the_edges_of_its_spaces() {
    let rig = Rig::resting();
    add(&rig, fact("Ana", "works_at", "Orbis"));
    let shared = share(&rig, &entity_id(&rig, "Orbis")).unwrap().entity.id;
    let walk = rig.run(GraphTraverse { entity: shared.to_string(), ..GraphTraverse::default() }).unwrap();
    assert_eq!(walk.edges.len(), 1);
    let other = rig.space("Other").id.to_string();
    let foreign = fact(entity_id(&rig, "Ana").as_str(), "likes", "tea");
    let refused = rig.run(FactsAdd { space: other, facts: vec![foreign] }).unwrap_err();
    assert_eq!(refused.code, ErrorCode::InvalidRequest);
}

#[test]
fn a_space_sees_of_a_shared_entity_what_it_knows_itself() {
    let rig = Rig::resting();
    let other = rig.space("Other").id.to_string();
    let alias = |id: &EntityId, alias: &str| {
        let alias = Some(alias.to_owned());
        rig.run(EntityEdit { entity: id.to_string(), alias, ..EntityEdit::default() }).unwrap();
    };
    // What the first space knows, and the second must not hear of.
    let secrets = ["Secretia", "Sisyphus", "Secretary", "Hidden Corp"];
    add(&rig, fact("Secretia", "works_at", "Orbis"));
    add(&rig, fact("Orbis", "motto", "Sisyphus"));
    add(&rig, fact("Ltd Hidden Corp", "motto", "onward"));
    let (orbis, hidden) = (entity_id(&rig, "Orbis"), entity_id(&rig, "Ltd Hidden Corp"));
    rig.run(EntityMerge { keep: orbis.clone(), merge: hidden }).unwrap();
    alias(&orbis, "Secretary");
    let shared = share(&rig, &orbis).unwrap().entity.id;
    let own = add_in(&rig, &other, fact("Orbis", "located_in", "Oslo")).subject.id;
    assert_eq!(own, shared, "it means the one that is shared");
    alias(&own, "Openly");

    let space = || Some(other.clone());
    let text = "Orbis, Secretary, Hidden Corp, Secretia and Openly.".to_owned();
    let tells = |answer: serde_json::Value| answer.to_string();
    let answers = [
        ("get", tells(json(rig.run(EntityGet { entity: "Orbis".into(), space: space(), ..EntityGet::default() })))),
        ("list", tells(json(rig.run(EntitiesList { space: space(), ..EntitiesList::default() })))),
        (
            "walk",
            tells(json(rig.run(GraphTraverse { entity: "Orbis".into(), space: space(), ..GraphTraverse::default() }))),
        ),
        ("facts", tells(json(rig.run(FactsSearch { space: space(), ..FactsSearch::default() })))),
        (
            "facts of it",
            tells(json(rig.run(FactsSearch {
                space: space(),
                entity: Some("Orbis".into()),
                ..FactsSearch::default()
            }))),
        ),
        ("conflicts", tells(json(rig.run(ConflictsList { space: space(), ..ConflictsList::default() })))),
        ("candidates", tells(json(rig.run(CandidatesList { space: space(), ..CandidatesList::default() })))),
    ];
    for (operation, answer) in &answers {
        let told: Vec<&&str> = secrets.iter().filter(|secret| answer.contains(**secret)).collect();
        assert!(told.is_empty(), "{operation} tells {told:?}: {answer}");
    }

    // Nor do names, beginnings of names and mentions lead there, and nothing of it is counted.
    for secret in secrets {
        let by_name = rig.run(EntityGet { entity: secret.into(), space: space(), ..EntityGet::default() });
        assert_eq!(by_name.unwrap_err().code, ErrorCode::NotFound, "{secret}");
        let query = Some(secret.to_lowercase());
        let listed = rig.run(EntitiesList { space: space(), query, ..EntitiesList::default() }).unwrap();
        assert_eq!(listed.total, 0, "{secret}");
    }
    let found = rig.run(EntitiesResolve { space: other.clone(), text }).unwrap().mentions;
    let found: Vec<&str> = found.iter().map(|mention| mention.text.as_str()).collect();
    assert_eq!(found, ["Orbis", "Openly"]);
    let here = rig.run(EntityGet { entity: "Orbis".into(), space: space(), ..EntityGet::default() }).unwrap();
    let Entity { claims, disputed, memories, aliases, .. } = &here.entity;
    assert_eq!((*claims, *disputed, *memories, here.merges.len()), (1, 0, 1, 0));
    assert_eq!(aliases, &["Openly"]);
    let made = add_in(&rig, &other, fact("Ben", "works_at", "Secretary"));
    assert!(matches!(&made.object, ClaimObject::Entity(object) if object.id != shared), "a name of its own");

    // The first space still knows all of it, and who may read both sees both.
    let first = entity(&rig, "Orbis");
    assert_eq!((first.entity.claims, first.merges.len()), (2, 1));
    assert!(first.entity.aliases.iter().any(|alias| alias == "Secretary"), "{:?}", first.entity.aliases);
    let both = rig.run(EntityGet { entity: shared.to_string(), ..EntityGet::default() }).unwrap();
    assert_eq!(both.entity.claims, 3);
}

fn json<T: serde::Serialize>(answer: Result<T, ApiError>) -> serde_json::Value {
    serde_json::to_value(answer.unwrap()).unwrap()
}

#[test]
fn a_space_takes_its_share_back_whatever_others_shared_since() {
    let rig = Rig::resting();
    let other = rig.space("Other").id.to_string();
    add(&rig, fact("Ana", "works_at", "Orbis"));
    let theirs = add_in(&rig, &other, fact("Orbis", "located_in", "Oslo")).subject.id;
    let first = share(&rig, &entity_id(&rig, "Orbis")).unwrap().merges.remove(0);
    share(&rig, &theirs).unwrap();
    let back = rig.run(EntityUnmerge { merge: first.id }).unwrap();
    assert_eq!(back.entity.space_id.as_str(), SPACE);
    let there = EntityGet { entity: "Orbis".into(), space: Some(other), ..EntityGet::default() };
    assert_eq!(rig.run(there).unwrap().entity.space_id, SpaceId::global());
}

#[test]
fn what_a_space_reads_does_not_change_what_every_space_sees() {
    use um_model::belief::EntityType;
    let rig = Rig::resting();
    let other = rig.space("Other").id.to_string();
    add(&rig, FactInput { subject_type: Some(EntityType::Thing), ..fact("Heron", "motto", "onward") });
    let shared = share(&rig, &entity_id(&rig, "Heron")).unwrap().entity.id;
    let known = add_in(&rig, &other, fact("Ben", "works_at", "Heron"));
    assert!(matches!(&known.object, ClaimObject::Entity(object) if object.id == shared));
    assert_eq!(entity(&rig, "Heron").entity.entity_type, EntityType::Thing);
}

#[test]
fn whoever_is_shared_from_two_spaces_is_one_for_whoever_may_read_both() {
    let rig = Rig::resting();
    let other = rig.space("Other").id.to_string();
    add(&rig, fact("Maya", "lives_in", "Porto"));
    add_in(&rig, &other, fact("Maya", "likes", "oolong tea"));
    let get = |space: Option<&str>| {
        let space = space.map(str::to_owned);
        rig.run(EntityGet { entity: "Maya".into(), space, ..EntityGet::default() })
    };
    let two = get(None).unwrap_err();
    assert_eq!(two.code, ErrorCode::Ambiguous);
    assert!(two.hint.is_some_and(|hint| hint.contains("entity_share")), "what makes them one is told");

    let shared = share(&rig, &entity_id(&rig, "Maya")).unwrap();
    let own = get(Some(&other)).unwrap();
    let near = |detail: &EntityDetail| detail.similar.iter().map(|near| near.id.to_string()).collect::<Vec<_>>();
    assert!(near(&shared) == [own.entity.id.as_str()], "the other one is offered");
    assert!(near(&own) == [shared.entity.id.as_str()], "either way");
    let both = share(&rig, &own.entity.id).unwrap();
    assert!(near(&both).is_empty());

    let page = get(None).unwrap();
    assert_eq!(statements(&page.claims).len(), 2, "{:?}", page.claims);
    let listed = rig.run(FactsSearch { entity: Some("Maya".into()), ..FactsSearch::default() }).unwrap();
    assert_eq!(listed.total, 2);

    // Who may read one of the two hears what that one says.
    let reader = rig.agent_in("reader", &[&other], &[]);
    let asked = EntityGet { entity: "Maya".into(), ..EntityGet::default() };
    let page = rig.engine().run(&reader, asked).unwrap();
    assert_eq!(statements(&page.claims), ["Maya likes oolong tea"]);
    assert_eq!((page.near.len(), page.similar.len()), (0, 0));

    for merge in both.merges {
        rig.run(EntityUnmerge { merge: merge.id }).unwrap();
    }
    assert_eq!(get(None).unwrap_err().code, ErrorCode::Ambiguous, "each is their own again");
    assert_eq!(statements(&get(Some(&other)).unwrap().claims), ["Maya likes oolong tea"]);
}
