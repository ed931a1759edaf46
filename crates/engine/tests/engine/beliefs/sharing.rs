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
    rig.run(EntityEdit { entity: person.clone(), name, entity_type: None, alias: None }).unwrap();
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
