//! Spaces: found by name, path or id, listed, made, renamed, archived.

use crate::access::{Parts, Wish, may_act, reach, usable};
use crate::error::{Fault, Outcome, invalid};
use crate::forget::Door;
use crate::{Caller, Engine};
use serde_json::Value;
use um_model::access::{Right, Role, WritePolicy};
use um_model::capture::{MemoryIngest, MemoryRemember};
use um_model::claims::FactsAdd;
use um_model::memories::MemoriesAdd;
use um_model::ops::Request;
use um_model::scope::Scope;
use um_model::spaces::{ABSTAIN_BELOW, Space, SpaceCreate, SpaceEdit, SpacesList, SpacesListed};
use um_model::{ApiError, ErrorCode, SpaceId, SpaceType};
use um_store::spaces::About;
use um_store::{Connection, pinned, space_settings, spaces};

/// The space that a caller names by id, name or path, where it may do there what its operation does. Every operation
/// that touches a space comes through here. A space that the caller may not read is unknown to it.
pub(crate) fn resolve(connection: &Connection, caller: &Caller, wanted: &str) -> Result<Space, Fault> {
    may_act(connection, caller)?;
    let wanted = wanted.trim();
    if wanted.is_empty() {
        return Err(invalid("No space is named.").hint("Give a space's name, its path or its id.").into());
    }
    let space = match named(connection, &known_to(connection, caller)?, wanted) {
        Err(Fault::Api(error)) if error.code == ErrorCode::NotFound && !caller.is_agent() => {
            return Err(put_away(connection, wanted)?.unwrap_or(error).into());
        }
        found => found?,
    };
    if !usable(connection, caller, vec![space.clone()], caller.wish)?.is_empty() {
        return Ok(space);
    }
    let (message, hint) = match caller.wish.grant() {
        None if space.space_type == SpaceType::Global => (
            format!("{} is read by every agent, and written to by none.", space.name),
            "Name a space of this agent's own; spaces_list tells which there are.".to_owned(),
        ),
        None => (
            format!("This agent may read {}, and not write to it.", space.name),
            format!("The person can change that: {}.", lets_write(connection, caller, &space)?),
        ),
        Some(grant) => (
            format!("This agent was not granted that in {}.", space.name),
            format!(
                "The person can grant it: umem space member {:?} {:?} --grants {grant}.",
                space.name,
                caller.called()
            ),
        ),
    };
    Err(ApiError::new(ErrorCode::Forbidden, message).hint(hint).into())
}

/// What the person is told where that id is one of an archived space.
fn put_away(connection: &Connection, id: &str) -> Result<Option<ApiError>, Fault> {
    let archived = spaces::archived(connection)?;
    let Some(space) = archived.iter().find(|space| space.id.as_str() == id) else { return Ok(None) };
    let every: Vec<Space> = spaces::all(connection)?.into_iter().chain(archived.iter().cloned()).collect();
    let path = um_model::spaces::path(&every, space);
    let error = ApiError::new(ErrorCode::NotFound, format!("The space {path} is archived."));
    Ok(Some(error.hint(format!("Bring it back: umem space restore {path:?}"))))
}

/// The space that a caller names; where it names none, an agent's only space, else the default project.
pub(crate) fn resolve_or_usual(connection: &Connection, caller: &Caller, wanted: Option<&str>) -> Result<Space, Fault> {
    match wanted {
        Some(wanted) => resolve(connection, caller, wanted),
        None if caller.is_agent() => resolve(connection, caller, usual(connection, caller)?.as_str()),
        None => resolve(connection, caller, um_model::DEFAULT_SPACE),
    }
}

/// The space that an agent means where it names none: the only one that its token opens, of several the default project. Whether it
/// may write there does not matter, so that what it reads is where it writes.
fn usual(connection: &Connection, caller: &Caller) -> Result<SpaceId, Fault> {
    may_act(connection, caller)?;
    let known = known_to(connection, caller)?;
    let is_own = |space: &&Space| {
        let is_opened = caller.spaces.as_ref().is_none_or(|opened| opened.contains(&space.id));
        space.space_type != SpaceType::Global && is_opened
    };
    let own: Vec<&Space> = known.iter().filter(is_own).collect();
    match own.as_slice() {
        [only] => Ok(only.id.clone()),
        several if several.iter().any(|space| space.id.as_str() == um_model::DEFAULT_SPACE) => {
            Ok(SpaceId::default_project())
        }
        [] => Err(ApiError::new(ErrorCode::NotFound, "There is no space that is open to this agent.")
            .hint(format!("The person can open one: umem agents pair {:?} --space SPACE.", caller.called()))
            .into()),
        several => Err(invalid("No space is named, and several are open to this agent.")
            .hint(format!("Name one of them: {}.", listed(&known, several)))
            .into()),
    }
}

/// What writes to a space that an agent need not name.
const WRITES_TO_USUAL: [&str; 4] = [MemoryRemember::NAME, MemoriesAdd::NAME, MemoryIngest::NAME, FactsAdd::NAME];

/// Whether an operation writes to a space that an agent need not name, whatever session it tells of.
pub(crate) fn writes_to_usual(operation: &str) -> bool {
    WRITES_TO_USUAL.contains(&operation)
}

/// An agent's request of an operation, with the space that it means where it names none. What is held for the person has it, too.
pub(crate) fn with_usual(engine: &Engine, caller: &Caller, name: &str, mut request: Value) -> Outcome<Value> {
    // Some clients fill in what a schema says of a field that may be left out.
    let is_none = |space: &Value| space.is_null() || space.as_str().is_some_and(|named| named.trim().is_empty());
    let lacks = request.as_object().is_some_and(|fields| fields.get("space").is_none_or(is_none));
    if lacks && writes_to_usual(name) {
        let space = engine.read(|c| usual(c, caller))?;
        request["space"] = Value::from(space.as_str());
    }
    Ok(request)
}

/// Resolves anew a space that was resolved before, in the transaction that writes to it: what the caller may do there may have changed
/// since.
pub(crate) fn resolve_again(connection: &Connection, caller: &Caller, space: &SpaceId) -> Result<(), Fault> {
    may_act(connection, caller)?;
    let found = spaces::by_id(connection, space.as_str())?.into_iter().collect();
    let read = usable(connection, caller, found, Wish::Use(Right::Read))?;
    if usable(connection, caller, read, caller.wish)?.is_empty() {
        return resolve(connection, caller, space.as_str()).map(drop);
    }
    Ok(())
}

/// The command by which an agent that reads a space may write to it: the part that the space's policy asks for, or a
/// token that opens this space beside those that it opens now.
fn lets_write(connection: &Connection, caller: &Caller, space: &Space) -> Result<String, Fault> {
    let least = match space.write_policy {
        WritePolicy::OwnerOnly => Role::Owner,
        WritePolicy::Leaders => Role::Leader,
        WritePolicy::Members => Role::Member,
    };
    let opened = caller.spaces.as_deref().unwrap_or_default();
    let may = Parts::of(connection, &caller.actor, &caller.grants)?.may(space, caller.wish);
    if !may && (opened.contains(&space.id) || least != Role::Member) {
        return Ok(format!("umem space member {:?} {:?} --role {least}", space.id.as_str(), caller.called()));
    }
    let ids: Vec<String> = opened.iter().chain([&space.id]).map(|id| format!(" --space {:?}", id.as_str())).collect();
    Ok(format!("umem agents pair {:?}{} --rights read,write", caller.called(), ids.concat()))
}

/// What was found by its id lies in this space: refused where the caller may not do there what its operation does. To
/// an agent that may not read it, the error is that of an id which nothing has.
pub(crate) fn of_item(
    connection: &Connection,
    caller: &Caller,
    space: &SpaceId,
    unknown: impl FnOnce() -> ApiError,
) -> Result<(), Fault> {
    match resolve(connection, caller, space.as_str()) {
        Err(Fault::Api(error)) if caller.is_agent() && error.code == ErrorCode::NotFound => Err(unknown().into()),
        found => found.map(drop),
    }
}

/// The id of a space that is nowhere.
const NOWHERE: &str = "00000000-0000-7000-8000-000000000000";

/// The space of what was found by its id, where it is open to the caller as [`check`] says. Whether nothing was found or something in a space
/// that an agent may not read, the same is asked of the database: how long the refusal takes tells no more than its words.
pub(crate) fn open(
    connection: &Connection,
    caller: &Caller,
    found: Option<SpaceId>,
    unknown: impl Fn() -> ApiError,
) -> Result<SpaceId, Fault> {
    let refused = match &found {
        Some(space) => check(connection, caller, space, &unknown),
        None if caller.is_agent() => resolve(connection, caller, NOWHERE).map(drop),
        None => may_act(connection, caller),
    };
    match (found, refused) {
        (Some(found), Ok(())) => Ok(found),
        (Some(_), Err(refused)) => Err(refused),
        // Whoever may not act at all is told that.
        (None, Err(Fault::Api(error))) if error.code != ErrorCode::NotFound => Err(error.into()),
        (None, _) => Err(unknown().into()),
    }
}

/// The spaces that are open to an agent, to which what is found by an id in any other is not there; nothing for the person.
pub(crate) fn open_to(connection: &Connection, caller: &Caller) -> Result<Option<Vec<SpaceId>>, Fault> {
    may_act(connection, caller)?;
    let ids = |spaces: Vec<Space>| spaces.into_iter().map(|space| space.id).collect();
    caller.is_agent().then(|| known_to(connection, caller).map(ids)).transpose()
}

/// The same for what the person reaches in archived spaces too.
pub(crate) fn check(
    connection: &Connection,
    caller: &Caller,
    space: &SpaceId,
    unknown: impl FnOnce() -> ApiError,
) -> Result<(), Fault> {
    if caller.is_agent() { of_item(connection, caller, space, unknown) } else { may_act(connection, caller) }
}

/// The spaces that a caller knows of: all for the person, those that it may read for an agent.
fn known_to(connection: &Connection, caller: &Caller) -> Result<Vec<Space>, Fault> {
    usable(connection, caller, spaces::all(connection)?, Wish::Use(Right::Read))
}

/// The one space among these that a name, a path or a scope means: a name goes before a scope.
fn named(connection: &Connection, known: &[Space], wanted: &str) -> Result<Space, Fault> {
    let scope = Scope::parse(wanted).filter(|_| um_model::spaces::meant(known, wanted).is_empty());
    let of_type =
        |of: &[SpaceType]| known.iter().filter(|one| of.contains(&one.space_type)).cloned().collect::<Vec<_>>();
    Ok(match scope {
        None => the_one(known, wanted)?,
        Some(Scope::Global) => the_one(known, um_model::GLOBAL)?,
        Some(Scope::User) => match of_type(&[SpaceType::UserCore]).into_iter().next() {
            Some(space) => space,
            None => the_one(known, wanted)?,
        },
        Some(Scope::Organization(name)) => the_one(&of_type(&[SpaceType::Organization]), &name)?,
        Some(Scope::Project(name)) => the_one(&of_type(&[SpaceType::Project]), &name)?,
        Some(Scope::Session(id)) => match um_store::sessions::space_of(connection, &id)? {
            Some(space) => the_one(known, space.as_str())?,
            None => the_one(known, wanted)?,
        },
    })
}

/// Spaces as a hint lists them: their paths among those that are known, with their ids.
fn listed(known: &[Space], spaces: &[&Space]) -> String {
    let told = spaces.iter().map(|one| format!("{} ({})", um_model::spaces::path(known, one), one.id));
    told.collect::<Vec<_>>().join(", ")
}

/// The one space among these that a name or path means.
fn the_one(known: &[Space], wanted: &str) -> Outcome<Space> {
    match um_model::spaces::meant(known, wanted).as_slice() {
        [one] => Ok((*one).clone()),
        [] => Err(ApiError::new(ErrorCode::NotFound, format!("There is no space \"{wanted}\"."))
            .hint(format!("Known spaces: {}.", listed(known, &known.iter().collect::<Vec<_>>())))),
        several => Err(ApiError::new(ErrorCode::Ambiguous, format!("More than one space is named \"{wanted}\"."))
            .hint(format!("Give the path or the id: {}.", listed(known, several)))),
    }
}

/// The spaces that a list is about: the one named, or all in which the caller may do what its operation does.
pub(crate) fn readable(connection: &Connection, caller: &Caller, wanted: Option<&str>) -> Result<Vec<Space>, Fault> {
    match wanted {
        Some(wanted) => Ok(vec![resolve(connection, caller, wanted)?]),
        None => {
            may_act(connection, caller)?;
            usable(connection, caller, spaces::all(connection)?, caller.wish)
        }
    }
}

/// The spaces that a question is about: the one named with what it includes, or all that the caller may read.
pub(crate) fn asked(connection: &Connection, caller: &Caller, wanted: Option<&str>) -> Result<Vec<Space>, Fault> {
    let mut about = match wanted {
        None => readable(connection, caller, None)?,
        Some(wanted) => {
            let base = resolve(connection, caller, wanted)?;
            let reached = reach(connection, &Parts::of(connection, &caller.actor, &caller.grants)?, &base)?;
            reached.into_iter().filter(|one| one.can_read).map(|one| one.space).collect()
        }
    };
    // What an agent's token opens was looked at above, with what is reached through that.
    if !caller.is_agent()
        && let Some(only) = &caller.spaces
    {
        about.retain(|space| only.contains(&space.id));
    }
    Ok(about)
}

/// Lists the spaces, parents before children.
pub(crate) fn spaces_list(engine: &Engine, caller: &Caller, _: SpacesList) -> Outcome<SpacesListed> {
    engine.read(|c| {
        may_act(c, caller)?;
        let mut listed =
            SpacesListed { spaces: spaces::list(c)?, archived: Vec::new(), usual_abstain_below: ABSTAIN_BELOW };
        if caller.is_agent() {
            let known = known_to(c, caller)?;
            listed.spaces.retain(|one| known.iter().any(|space| space.id == one.space.id));
        } else {
            listed.archived = spaces::archived(c)?;
        }
        Ok(listed)
    })
}

/// Makes a space.
pub(crate) fn space_create(engine: &Engine, caller: &Caller, request: SpaceCreate) -> Outcome<Space> {
    let caller = caller.clone();
    let now = engine.now();
    let name = checked_name(&request.name)?;
    let key = engine.key().clone();
    check_about(request.description.as_deref(), request.root_path.as_deref(), Some(&request.metadata))?;
    let space_type = request.space_type.unwrap_or(SpaceType::Project);
    if matches!(space_type, SpaceType::Global | SpaceType::UserCore) {
        return Err(invalid(format!("There is one {space_type} space, and it is there already.")));
    }
    let space = engine.write(move |tx| {
        let parent = request.parent.as_deref().map(|p| resolve(tx, &caller, p)).transpose()?;
        refuse_taken(tx, &name, parent.as_ref().map(|p| &p.id), None)?;
        let id = spaces::insert(tx, &name, space_type, parent.as_ref().map(|p| &p.id), &caller.actor, now)?;
        if let Some(made) = spaces::by_id(tx, id.as_str())?.filter(|_| request.says_more()) {
            let about = About {
                description: said(request.description.as_deref()),
                root_path: said(request.root_path.as_deref()),
                metadata: &request.metadata,
            };
            spaces::update(tx, &made, &Door::of(&key, &id).pass(tx, about)?, false, now)?;
        }
        Engine::audit(tx, &caller, "space.created", ("memory_spaces", id.as_str()), &id, serde_json::json!({}), now)?;
        spaces::by_id(tx, id.as_str())?.ok_or_else(|| crate::error::not_found("space", id.as_str()).into())
    })?;
    engine.tell(um_model::health::Event::Spaces);
    Ok(space)
}

/// Renames a space, says who reads and writes it, archives it, or brings an archived one back.
pub(crate) fn space_edit(engine: &Engine, caller: &Caller, request: SpaceEdit) -> Outcome<Space> {
    let caller = caller.clone();
    let now = engine.now();
    let new_name = request.name.as_deref().map(checked_name).transpose()?;
    let key = engine.key().clone();
    check_about(request.description.as_deref(), request.root_path.as_deref(), request.metadata.as_ref())?;
    check_amounts(&request)?;
    let space = engine.write(move |tx| {
        let back = request.archived == Some(false);
        let space = if back { archived(tx, &caller, &request.space)? } else { resolve(tx, &caller, &request.space)? };
        let is_named = request.name.is_some() || request.archived.is_some();
        if space.space_type == SpaceType::Global || (space.space_type == SpaceType::UserCore && is_named) {
            return Err(invalid(format!("The space {} stays as it is.", space.name)).into());
        }
        if request.archived == Some(true) {
            may_be_archived(tx, &space)?;
        }
        let edited = Space {
            name: new_name.unwrap_or_else(|| space.name.clone()),
            read_policy: request.read_policy.unwrap_or(space.read_policy),
            write_policy: request.write_policy.unwrap_or(space.write_policy),
            description: request
                .description
                .clone()
                .or_else(|| space.description.clone())
                .filter(|one| !one.trim().is_empty()),
            root_path: request
                .root_path
                .clone()
                .or_else(|| space.root_path.clone())
                .filter(|one| !one.trim().is_empty()),
            metadata: request.metadata.clone().unwrap_or_else(|| space.metadata.clone()),
            updated_at: Some(now),
            ..space.clone()
        };
        refuse_taken(tx, &edited.name, edited.parent_space_id.as_ref(), Some(&edited.id))?;
        let about = About {
            description: edited.description.as_deref(),
            root_path: edited.root_path.as_deref(),
            metadata: &edited.metadata,
        };
        let about = Door::of(&key, &space.id).pass(tx, about)?;
        spaces::update(tx, &edited, &about, request.archived == Some(true), now)?;
        if let Some(threshold) = request.abstain_below {
            space_settings::set(tx, &space.id, space_settings::ABSTAIN_BELOW, &threshold, &caller.actor, now)?;
        }
        if request.usual_abstain_below {
            space_settings::remove(tx, &space.id, space_settings::ABSTAIN_BELOW)?;
        }
        if let Some(days) = request.stale_after_days {
            space_settings::set(tx, &space.id, space_settings::STALE_AFTER_DAYS, &days, &caller.actor, now)?;
        }
        if let Some(budget) = request.pinned {
            pinned::set_budget(tx, &space.id, budget, &caller.actor, now)?;
        }
        let payload = serde_json::json!({ "renamed": edited.name != space.name, "archived": request.archived,
            "read_policy": edited.read_policy, "write_policy": edited.write_policy });
        Engine::audit(tx, &caller, "space.edited", ("memory_spaces", space.id.as_str()), &space.id, payload, now)?;
        Ok(edited)
    })?;
    engine.tell(um_model::health::Event::Spaces);
    engine.tell(um_model::health::Event::Access);
    engine.tell(um_model::health::Event::Library);
    engine.tell(um_model::health::Event::Beliefs);
    Ok(space)
}

/// The longest description, in characters; the longest path, in bytes; the longest metadata, in bytes of JSON.
const MAX_DESCRIPTION: usize = 1_000;
const MAX_ROOT_PATH: usize = 4_096;

/// What was said, without white space at its ends; nothing where that is empty.
fn said(words: Option<&str>) -> Option<&str> {
    words.map(str::trim).filter(|words| !words.is_empty())
}

fn check_about(
    description: Option<&str>,
    root_path: Option<&str>,
    metadata: Option<&serde_json::Map<String, serde_json::Value>>,
) -> Outcome<()> {
    if description.is_some_and(|words| words.chars().count() > MAX_DESCRIPTION) {
        return Err(invalid("A space's description has at most 1,000 characters."));
    }
    if let Some(path) = said(root_path)
        && (path.len() > MAX_ROOT_PATH || !std::path::Path::new(path).is_absolute())
    {
        return Err(invalid("A space's folder is named by its whole path.").hint("Begin at the root of the disk."));
    }
    metadata.map_or(Ok(()), crate::blocks::check_metadata)
}

fn check_amounts(request: &SpaceEdit) -> Outcome<()> {
    if request.stale_after_days.is_some_and(|days| !(1..=3_650).contains(&days)) {
        return Err(invalid("What is not confirmed counts as stale after 1 to 3,650 days."));
    }
    if request.abstain_below.is_some_and(|threshold| !(0.0..=1.0).contains(&threshold)) {
        return Err(invalid("What is called no answer is set by a number from 0 to 1."));
    }
    if request.usual_abstain_below && request.abstain_below.is_some() {
        return Err(invalid("What is called no answer is either the usual or a number."));
    }
    match request.pinned {
        Some(budget) if !(100..=20_000).contains(&budget.max_chars) || budget.max_records > 50 => {
            Err(invalid("What is always read has 100 to 20,000 characters and at most 50 records."))
        }
        _ => Ok(()),
    }
}

/// An archived space, which stands under none that is archived still.
fn archived(connection: &Connection, caller: &Caller, wanted: &str) -> Result<Space, Fault> {
    may_act(connection, caller)?;
    let archived = spaces::archived(connection)?;
    let every: Vec<Space> = spaces::all(connection)?.into_iter().chain(archived.iter().cloned()).collect();
    let space = the_one(&every, wanted)?;
    if !archived.contains(&space) {
        return Err(invalid(format!("The space {} is not archived.", space.name)).into());
    }
    let parent = space.parent_space_id.as_ref();
    match archived.iter().find(|one| Some(&one.id) == parent) {
        Some(parent) => {
            Err(ApiError::new(ErrorCode::Conflict, format!("It stands under {}, which is archived.", parent.name))
                .hint("Bring that one back first.")
                .into())
        }
        None => Ok(space),
    }
}

/// What is archived brings nothing in and has nothing in use under it.
fn may_be_archived(connection: &Connection, space: &Space) -> Result<(), Fault> {
    let refused = |message: String, hint: &str| Err(ApiError::new(ErrorCode::Conflict, message).hint(hint).into());
    if space.id.as_str() == um_model::DEFAULT_SPACE {
        return refused(format!("{} is where things go when no space is named.", space.name), "It can be renamed.");
    }
    if spaces::watches(connection, &space.id)? > 0 {
        return refused(format!("Folders are watched for {}.", space.name), "Stop watching them first.");
    }
    match spaces::all(connection)?.iter().find(|one| one.parent_space_id.as_ref() == Some(&space.id)) {
        Some(child) => refused(format!("{} stands under it.", child.name), "Archive that one first."),
        None => Ok(()),
    }
}

/// A name without needless white space. A slash stands between the names of a path.
fn checked_name(name: &str) -> Outcome<String> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() || name.chars().count() > 100 {
        return Err(invalid("A space's name has 1 to 100 characters."));
    }
    crate::seen::check("a space", &name)?;
    if name.contains('/') {
        return Err(invalid("A space's name has no slash.")
            .hint("Make the space under another one instead; A/B is then the path of B under A."));
    }
    if name == um_model::GLOBAL {
        return Err(invalid(format!("{name} is the space that every agent reads, and no other is named so."))
            .hint("Choose another name."));
    }
    if SpaceId::parse(name.clone()).is_ok() {
        return Err(invalid("A space's name cannot look like an id.").hint("Choose another name."));
    }
    Ok(name)
}

/// Names are unique under their parent without regard to case, in every script, archived spaces' too.
fn refuse_taken(
    connection: &Connection,
    name: &str,
    parent: Option<&SpaceId>,
    own: Option<&SpaceId>,
) -> Result<(), Fault> {
    let folded = name.to_lowercase();
    let takes = |space: &Space| {
        space.parent_space_id.as_ref() == parent && space.name.to_lowercase() == folded && Some(&space.id) != own
    };
    let taken =
        |what: &str, hint: &str| Err(ApiError::new(ErrorCode::AlreadyExists, what.to_owned()).hint(hint).into());
    if spaces::all(connection)?.iter().any(takes) {
        return taken(&format!("A space named \"{name}\" is there already."), "Use it, or choose another name.");
    }
    if spaces::archived(connection)?.iter().any(takes) {
        return taken(&format!("An archived space is named \"{name}\"."), "Bring it back, or choose another name.");
    }
    Ok(())
}
