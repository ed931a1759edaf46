//! Changing an entity: its name, its type, its other names.

use super::key::canonical_name;
use super::merge::in_use;
use super::resolve::may_be;
use super::turns::{settle_later, settle_marked};
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::{Caller, Engine};
use um_model::belief::{EntityType, MatchType};
use um_model::claims::{Entity, EntityDetail, EntityEdit, EntityGet};
use um_model::health::Event;
use um_model::{ApiError, ErrorCode};
use um_store::{Connection, claims, entities};

/// The longest name, in characters.
const MAX_NAME: usize = 120;

/// Changes an entity's name, type or other names.
pub(crate) fn entity_edit(engine: &Engine, caller: &Caller, request: EntityEdit) -> Outcome<EntityDetail> {
    let now = engine.now();
    let (writer, id) = (caller.clone(), request.entity.clone());
    engine.write(move |tx| {
        let entity = in_use(tx, &writer, &request.entity)?;
        let [name, alias, removed] =
            [&request.name, &request.alias, &request.remove_alias].map(|text| checked(text.as_deref()));
        let (name, alias, removed) = (name?, alias?, removed?);
        let entity_type = request.entity_type.unwrap_or(entity.entity_type);
        for new in name.iter().chain(&alias) {
            is_free(tx, &entity, entity_type, new)?;
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
        Engine::audit(tx, &writer, "entity.edited", object, &entity.space_id, payload, now)
    })?;
    settle_marked(engine, &|| true)?;
    engine.tell(Event::Beliefs);
    super::entity_get(engine, caller, EntityGet { entity: id.to_string(), ..EntityGet::default() })
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

/// What another entity is called is its name: whoever bears both is one.
fn is_free(tx: &Connection, entity: &Entity, entity_type: EntityType, name: &str) -> Result<(), Fault> {
    let taken = entities::by_name(tx, &entity.space_id, &canonical_name(name))?.into_iter().find(|named| {
        named.id != entity.id && named.match_type == MatchType::Exact && may_be(named.entity_type, entity_type)
    });
    let Some(other) = taken else { return Ok(()) };
    Err(ApiError::new(ErrorCode::AlreadyExists, format!("\"{}\" is the name of another entity.", other.name))
        .hint(format!("Where both are one, merge them: umem entity merge {} {} (entity_merge).", entity.id, other.id))
        .into())
}
