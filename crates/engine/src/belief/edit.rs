//! Changing an entity: its name, its type, its other names.

use super::entities::named;
use super::key::canonical_name;
use super::merge::in_use;
use super::resolve::{may_be, means_the_person, person};
use super::turns::{settle_later, settle_marked};
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::{Caller, Engine};
use um_model::belief::{EntityType, MatchType};
use um_model::claims::{Entity, EntityDetail, EntityEdit, EntityGet};
use um_model::health::Event;
use um_model::{ApiError, EntityId, EpochMs, ErrorCode};
use um_store::{Connection, claims, entities};

/// The longest name, in characters.
const MAX_NAME: usize = 120;

/// Changes an entity's name, type or other names.
pub(crate) fn entity_edit(engine: &Engine, caller: &Caller, request: EntityEdit) -> Outcome<EntityDetail> {
    let now = engine.now();
    let writer = caller.clone();
    let id = engine.write(move |tx| {
        let entity = in_use(tx, &writer, &whom(tx, &writer, &request, now)?)?;
        let [name, alias, removed] =
            [&request.name, &request.alias, &request.remove_alias].map(|text| checked(text.as_deref()));
        let (name, alias, removed) = (name?, alias?, removed?);
        let entity_type = request.entity_type.unwrap_or(entity.entity_type);
        if let Some(name) = &name {
            is_free(tx, &entity, name, |other| may_be(other, entity_type))?;
        }
        if let Some(alias) = &alias {
            // Whoever bears it is meant by it, so that it would be no name of this one.
            is_free(tx, &entity, alias, |_| true)?;
        }
        let add =
            |alias: &str| entities::add_alias(tx, &entity.space_id, &entity.id, alias, &canonical_name(alias), now);
        if let Some(alias) = &alias {
            add(alias)?;
        }
        if let Some(name) = name.filter(|name| *name != entity.name) {
            add(&entity.name)?;
            entities::rename(tx, &entity.id, &name, &canonical_name(&name), now)?;
            // Each is put into the words of today as well.
            let naming = claims::naming(tx, &entity.id)?.into_iter().map(|claim| claim.id);
            settle_later(tx, naming, &writer.actor, now)?;
        }
        if entity_type != entity.entity_type {
            entities::set_type(tx, &entity.id, entity_type, now)?;
        }
        if let Some(removed) = &removed
            && !entities::remove_alias(tx, &entity.id, &canonical_name(removed), now)?
        {
            return Err(not_found("other name of this entity", removed)
                .hint("Its own name is changed by giving it another one.")
                .into());
        }
        let object = ("entities", entity.id.as_str());
        let payload = serde_json::json!({ "alias_removed": removed.is_some() });
        Engine::audit(tx, &writer, "entity.edited", object, &entity.space_id, payload, now)?;
        Ok::<_, Fault>(entity.id)
    })?;
    settle_marked(engine, &|| true)?;
    engine.tell(Event::Beliefs);
    super::entity_get(engine, caller, EntityGet { entity: id.to_string(), ..EntityGet::default() })
}

/// The entity that is to be changed. The person of a space that is named may be called something before anything was said
/// of them there.
fn whom(tx: &Connection, writer: &Caller, request: &EntityEdit, now: EpochMs) -> Result<EntityId, Fault> {
    let EntityEdit { entity, space, .. } = request;
    match space.as_deref().filter(|_| means_the_person(&canonical_name(entity))) {
        Some(space) => person(tx, &crate::spaces::resolve(tx, writer, space)?.id, now),
        None => Ok(named(tx, writer, entity, space.as_deref())?.0),
    }
}

/// A name with single spaces.
fn checked(text: Option<&str>) -> Result<Option<String>, Fault> {
    let Some(text) = text else { return Ok(None) };
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if canonical_name(&name).is_empty() || name.chars().count() > MAX_NAME {
        return Err(invalid(format!("A name has 1 to {MAX_NAME} characters.")).into());
    }
    Ok(Some(name))
}

/// What another entity is called is its name: whoever bears both is one. `concerns` tells of which types it matters.
fn is_free(tx: &Connection, entity: &Entity, name: &str, concerns: impl Fn(EntityType) -> bool) -> Result<(), Fault> {
    let taken = entities::by_name(tx, &entity.space_id, &canonical_name(name))?
        .into_iter()
        .find(|named| named.id != entity.id && named.match_type == MatchType::Exact && concerns(named.entity_type));
    let Some(other) = taken else { return Ok(()) };
    let hint = match may_be(other.entity_type, entity.entity_type) {
        true => format!("Where both are one, merge them: umem entity merge {} {} (entity_merge).", entity.id, other.id),
        false => format!("That one is a {}: choose a name that tells them apart.", other.entity_type),
    };
    Err(ApiError::new(ErrorCode::AlreadyExists, format!("\"{}\" is the name of another entity.", other.name))
        .hint(hint)
        .into())
}
