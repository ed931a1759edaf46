//! Spaces: found by name or id, listed, made.

use crate::error::{Fault, Outcome, invalid};
use crate::{Caller, Engine};
use um_model::spaces::{Space, SpaceCreate, SpacesList, SpacesListed};
use um_model::{ApiError, ErrorCode, SpaceId, SpaceType};
use um_store::{Connection, spaces};

/// The space that a caller names by id or name. Every operation that touches a space comes through here.
pub(crate) fn resolve(connection: &Connection, caller: &Caller, wanted: &str) -> Result<Space, Fault> {
    may_act(connection, caller)?;
    let wanted = wanted.trim();
    if wanted.is_empty() {
        return Err(invalid("Name the space.").hint("spaces_list lists them.").into());
    }
    if let Some(space) = spaces::by_id(connection, wanted)? {
        return Ok(space);
    }
    let mut found = spaces::by_name(connection, wanted)?;
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => {
            let known: Vec<_> = spaces::all(connection)?.into_iter().map(|s| s.name).collect();
            Err(ApiError::new(ErrorCode::NotFound, format!("There is no space \"{wanted}\"."))
                .hint(format!("Known spaces: {}.", known.join(", ")))
                .into())
        }
        _ => {
            let candidates: Vec<_> = found.iter().map(|s| format!("{} ({})", s.name, s.id)).collect();
            Err(ApiError::new(ErrorCode::Ambiguous, format!("More than one space is named \"{wanted}\"."))
                .hint(format!("Give the id: {}.", candidates.join(", ")))
                .into())
        }
    }
}

/// The spaces that a question is about: the one named, or all that the caller may read.
pub(crate) fn readable(connection: &Connection, caller: &Caller, wanted: Option<&str>) -> Result<Vec<Space>, Fault> {
    match wanted {
        Some(wanted) => Ok(vec![resolve(connection, caller, wanted)?]),
        None => {
            may_act(connection, caller)?;
            Ok(spaces::all(connection)?)
        }
    }
}

/// Refuses an actor that the database does not know or that was switched off.
pub(crate) fn may_act(connection: &Connection, caller: &Caller) -> Result<(), Fault> {
    if spaces::agent_exists(connection, &caller.actor)? {
        Ok(())
    } else {
        Err(ApiError::new(ErrorCode::Forbidden, "This agent is not known here.").hint("Pair it first.").into())
    }
}

/// Lists the spaces, parents before children.
pub(crate) fn spaces_list(engine: &Engine, caller: &Caller, _: SpacesList) -> Outcome<SpacesListed> {
    engine.read(|c| {
        may_act(c, caller)?;
        Ok(SpacesListed { spaces: spaces::list(c)? })
    })
}

/// Makes a space.
pub(crate) fn space_create(engine: &Engine, caller: &Caller, request: SpaceCreate) -> Outcome<Space> {
    let caller = caller.clone();
    let now = engine.now();
    let name = request.name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() || name.chars().count() > 100 {
        return Err(invalid("A space's name has 1 to 100 characters."));
    }
    if um_model::SpaceId::parse(name.clone()).is_ok() {
        return Err(invalid("A space's name cannot look like an id."));
    }
    let space_type = request.space_type.unwrap_or(SpaceType::Project);
    if matches!(space_type, SpaceType::Global | SpaceType::UserCore) {
        return Err(invalid(format!("There is one {space_type} space, and it is there already.")));
    }
    let space = engine.write(move |tx| {
        let parent = request.parent.as_deref().map(|p| resolve(tx, &caller, p)).transpose()?;
        refuse_taken(tx, &name, parent.as_ref().map(|p| &p.id))?;
        let id = spaces::insert(tx, &name, space_type, parent.as_ref().map(|p| &p.id), &caller.actor, now)?;
        Engine::audit(tx, &caller, "space.created", ("memory_spaces", id.as_str()), &id, serde_json::json!({}), now)?;
        spaces::by_id(tx, id.as_str())?.ok_or_else(|| crate::error::not_found("space", id.as_str()).into())
    })?;
    engine.tell(um_model::health::Event::Spaces);
    Ok(space)
}

/// Names are unique under their parent without regard to case, in every script.
fn refuse_taken(connection: &Connection, name: &str, parent: Option<&SpaceId>) -> Result<(), Fault> {
    let folded = name.to_lowercase();
    let taken = spaces::all(connection)?
        .into_iter()
        .any(|space| space.parent_space_id.as_ref() == parent && space.name.to_lowercase() == folded);
    if taken {
        return Err(ApiError::new(ErrorCode::AlreadyExists, format!("A space named \"{name}\" is there already."))
            .hint("Use it, or choose another name.")
            .into());
    }
    Ok(())
}
