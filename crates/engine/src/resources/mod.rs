//! Resources: what a space works with, put at addresses that form a tree. A resource lies under one that is there, and is taken
//! away with all that lies under it.

use crate::error::{Fault, Outcome, invalid, not_found};
use crate::forget::Door;
use crate::held::{self, Written};
use crate::ingest::Met;
use crate::recall::words::Question;
use crate::scopes;
use crate::{Caller, Engine};
use um_model::capture::Done;
use um_model::health::Event;
use um_model::work::*;
use um_model::{ApiError, EpochMs, ErrorCode, SpaceId};
use um_store::filter::Then;
use um_store::rejected::{Said, Says, tell_map};
use um_store::resources::{self, NewResource, Stored};
use um_store::{Connection, Transaction};

/// The longest address and title, in characters; the longest content, in bytes.
const MAX_URI: usize = 1_000;
const MAX_TITLE: usize = 200;
const MAX_CONTENT: usize = 200_000;
/// A resource rests on so many events at most.
const MAX_SOURCES: usize = 100;
/// So many levels a tree has at most.
const MAX_DEPTH: usize = 32;
/// So many resources a space has at most.
const MAX_RESOURCES: u64 = 100_000;
/// So many are counted of what is looked for.
const MAX_FOUND: usize = 500;

/// All that a request says.
struct Given<'a>(&'a ResourcePut);

impl Says for Given<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        let uri = self.0.uri.trim();
        tell(Said::Name(uri));
        tell(Said::Path(uri));
        [&self.0.parent_uri, &self.0.title].into_iter().flatten().for_each(|name| tell(Said::Name(name.trim())));
        self.0.content.iter().for_each(|content| tell(Said::Text(content)));
        tell_map(&self.0.metadata, tell);
    }
}

/// Puts a resource at its address. What an agent puts that looks like a secret or an order to a model waits for the person.
pub(crate) fn resource_put(engine: &Engine, caller: &Caller, mut request: ResourcePut) -> Outcome<Resource> {
    check(&request)?;
    crate::drift::fill(engine, caller, (request.space.as_deref(), None), &mut request.metadata)?;
    let door = compared(engine, caller, &request)?;
    let door = held::pass(engine, caller, door, |door| written(engine, caller, door, &request))?;
    put_if(engine, caller, door, request, |_| Ok(()))
}

/// Puts a resource that the person looked at, where what it was to replace still stands at its address.
pub(crate) fn keep_put(engine: &Engine, caller: &Caller, request: ResourcePut, seen: Option<u32>) -> Outcome<Resource> {
    let door = compared(engine, caller, &request)?;
    put_if(engine, caller, door, request, move |known| still(known, seen))
}

fn compared(engine: &Engine, caller: &Caller, request: &ResourcePut) -> Outcome<Door> {
    engine.read(|c| {
        let space = scopes::resolve_at(c, caller, request.space.as_deref(), None)?.space;
        Door::compared(c, engine.key(), &space.id, &Given(request))
    })
}

/// What an agent wants to put, beside what stands at its address. What cannot lie there waits for nobody.
fn written<'a>(engine: &Engine, caller: &Caller, door: &Door, request: &'a ResourcePut) -> Outcome<Written<'a>> {
    engine.read(|c| {
        let new = set_to(request, &door.space, caller);
        let there = resources::by_uri(c, &door.space, new.uri)?;
        let met = Met { known: there.as_ref().is_some_and(|there| says_so(there, &new)), displaces: false };
        if !met.known {
            check_place(c, &new)?;
        }
        Ok(Written::resource(request, title(request), met, version(there.as_ref())))
    })
}

/// The version that stands at an address.
fn version(there: Option<&Stored>) -> Option<u32> {
    there.filter(|there| there.is_active).map(|there| there.resource.version)
}

/// What was looked at is put in the place of what stood there as it was written, and of nothing else.
fn still(there: Option<&Stored>, seen: Option<u32>) -> Result<(), Fault> {
    let now = version(there);
    if now == seen {
        return Ok(());
    }
    let told = |version: Option<u32>| version.map_or("nothing".to_owned(), |number| format!("version {number}"));
    let says = format!("What is at its address has changed: {} as it was written, {} now.", told(seen), told(now));
    Err(ApiError::new(ErrorCode::Conflict, says)
        .hint("Dismiss it. What of it still holds you can put there yourself.")
        .into())
}

/// Puts a resource where `may` says that it may take the place of what is at its address. What stands there just so stays.
fn put_if(
    engine: &Engine,
    caller: &Caller,
    door: Door,
    request: ResourcePut,
    may: impl FnOnce(Option<&Stored>) -> Result<(), Fault> + Send + 'static,
) -> Outcome<Resource> {
    let (caller, now) = (caller.clone(), engine.now());
    let resource = engine.write(move |tx| {
        let space = crate::spaces::resolve(tx, &caller, door.space.as_str())?.id;
        let new = set_to(&request, &space, &caller);
        let known = resources::by_uri(tx, &space, new.uri)?;
        if let Some(known) = known.as_ref().filter(|known| is_so(known, &new)) {
            return Ok(known.resource.clone());
        }
        may(known.as_ref())?;
        put(tx, &caller, &door, (new, known.as_ref()), now)
    })?;
    engine.tell(Event::Work);
    Ok(resource)
}

/// What a request sets a resource to.
fn set_to<'a>(request: &'a ResourcePut, space: &'a SpaceId, caller: &'a Caller) -> NewResource<'a> {
    NewResource {
        space,
        actor: &caller.actor,
        uri: request.uri.trim(),
        parent_uri: request.parent_uri.as_deref().map(str::trim),
        title: title(request),
        kind: request.kind.unwrap_or(ResourceKind::Document),
        content: request.content.as_deref(),
        source_event_ids: &request.source_event_ids,
        metadata: &request.metadata,
    }
}

fn put(
    tx: &Transaction<'_>,
    caller: &Caller,
    door: &Door,
    (new, known): (NewResource<'_>, Option<&Stored>),
    now: EpochMs,
) -> Result<Resource, Fault> {
    check_place(tx, &new)?;
    let space = new.space;
    if known.is_none() && resources::count(tx, space)? >= MAX_RESOURCES {
        return Err(invalid(format!("A space has at most {MAX_RESOURCES} resources.")).into());
    }
    let id = resources::put(tx, &door.pass(tx, new)?, known, now)?;
    let stored = resources::by_id(tx, &id)?.ok_or_else(|| not_found("resource", id.as_str()))?;
    let payload = serde_json::json!({ "version": stored.resource.version });
    Engine::audit(tx, caller, "resource.put", ("workspace_resources", id.as_str()), space, payload, now)?;
    Ok(stored.resource)
}

/// Whether it is there as it is wanted already. The events that it rests on are asked for only where they are given.
fn is_so(known: &Stored, new: &NewResource<'_>) -> bool {
    let one = &known.resource;
    known.is_active
        && one.parent_uri.as_deref() == new.parent_uri
        && one.title == new.title
        && one.kind == new.kind
        && one.content.as_deref() == new.content
        && one.metadata == *new.metadata
        && (new.source_event_ids.is_empty() || one.source_event_ids == new.source_event_ids)
}

/// Whether it says what is wanted already, in whatever state of a work tree it was written.
fn says_so(known: &Stored, new: &NewResource<'_>) -> bool {
    let mut metadata = new.metadata.clone();
    for key in Provenance::STATE {
        match known.resource.metadata.get(key) {
            Some(value) => drop(metadata.insert(key.to_owned(), value.clone())),
            None => drop(metadata.remove(key)),
        }
    }
    is_so(known, &NewResource { metadata: &metadata, ..*new })
}

/// It lies under one that is there, and not under itself; the tree stays as deep as it may be.
fn check_place(c: &Connection, new: &NewResource<'_>) -> Result<(), Fault> {
    let Some(parent) = new.parent_uri else { return Ok(()) };
    if !resources::by_uri(c, new.space, parent)?.is_some_and(|parent| parent.is_active) {
        return Err(ApiError::new(ErrorCode::NotFound, format!("There is no resource at {parent} to put it under."))
            .hint("Put that one there first, or leave parent_uri out.")
            .into());
    }
    let mut depth = resources::height(c, new.space, new.uri)? + 1;
    let mut above = Some(parent.to_owned());
    while let Some(uri) = above {
        if uri == new.uri {
            return Err(invalid("A resource does not lie under itself.").hint("Name another parent_uri.").into());
        }
        depth += 1;
        if depth > MAX_DEPTH {
            return Err(invalid(format!("Resources lie at most {MAX_DEPTH} levels deep.")).into());
        }
        above = resources::parent_of(c, new.space, &uri)?;
    }
    Ok(())
}

/// What a resource is called: the end of its address where nothing is said.
fn title(request: &ResourcePut) -> &str {
    let said = request.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    let uri = request.uri.trim();
    said.unwrap_or_else(|| {
        let end = uri.rsplit(['/', ':', '#']).find(|part| !part.is_empty()).unwrap_or(uri);
        &end[..end.char_indices().nth(MAX_TITLE).map_or(end.len(), |(at, _)| at)]
    })
}

fn check(request: &ResourcePut) -> Outcome<()> {
    check_uri(&request.uri)?;
    request.parent_uri.as_deref().map_or(Ok(()), check_uri)?;
    if request.title.as_deref().is_some_and(|title| title.trim().chars().count() > MAX_TITLE) {
        return Err(invalid(format!("A resource's title has at most {MAX_TITLE} characters.")));
    }
    if request.content.as_ref().is_some_and(|content| content.len() > MAX_CONTENT) {
        return Err(ApiError::new(ErrorCode::TextTooLong, format!("A resource says at most {MAX_CONTENT} bytes."))
            .hint("Save it as a file and ingest that, or put its parts under one address."));
    }
    if request.source_event_ids.len() > MAX_SOURCES {
        return Err(invalid(format!("A resource rests on at most {MAX_SOURCES} events.")));
    }
    crate::blocks::check_metadata(&request.metadata)
}

fn check_uri(uri: &str) -> Outcome<()> {
    let uri = uri.trim();
    if !(1..=MAX_URI).contains(&uri.chars().count()) || uri.chars().any(char::is_control) {
        return Err(invalid(format!("A resource's address has 1 to {MAX_URI} characters, in one line."))
            .hint("For example: repo://app/src/main.rs"));
    }
    if uri.starts_with("redacted:") {
        return Err(invalid("An address does not begin with redacted:."));
    }
    Ok(())
}

/// Shows what lies under an address, or lay there, or what speaks of something.
pub(crate) fn resources_browse(
    engine: &Engine,
    caller: &Caller,
    request: ResourcesBrowse,
) -> Outcome<ResourcesBrowsed> {
    let limit = request.limit.unwrap_or(50).clamp(1, 200);
    let then = Then { as_of: request.as_of, known_at: request.known_at };
    engine.read(|c| {
        let space = scopes::resolve_at(c, caller, request.space.as_deref(), None)?.space.id;
        if let Some(text) = request.text.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
            let expression = Question::parse(text).match_expression().ok_or_else(|| invalid("Search for words."))?;
            return match then.is_now() {
                false => found_at(c, (&space, &expression), then, (request.offset, limit)),
                true => found(c, (&space, &expression), (request.offset, limit)),
            };
        }
        let parent = request.parent_uri.as_deref().map(str::trim).filter(|uri| !uri.is_empty());
        let path = parent.map_or(Ok(Vec::new()), |parent| path(c, &space, parent, then))?;
        let page = (request.offset, limit);
        let (children, total) = match then.is_now() {
            false => children_at(c, (&space, parent), then, page)?,
            true => resources::children(c, &space, parent, page)?,
        };
        Ok(ResourcesBrowsed { path, children, total, notices: Vec::new() })
    })
}

/// A page of what speaks of something, the best first.
fn found(
    c: &Connection,
    (space, expression): (&SpaceId, &str),
    (offset, limit): (u32, u32),
) -> Result<ResourcesBrowsed, Fault> {
    let found = resources::search(c, space, expression, MAX_FOUND)?;
    let total = found.len() as u64;
    let children = found.into_iter().skip(offset as usize).take(limit as usize).collect();
    Ok(ResourcesBrowsed { path: Vec::new(), children, total, notices: Vec::new() })
}

/// A page of what spoke of it at another time than now, as it was then, without contents.
fn found_at(
    c: &Connection,
    (space, expression): (&SpaceId, &str),
    then: Then,
    (offset, limit): (u32, u32),
) -> Result<ResourcesBrowsed, Fault> {
    let found = resources::search_at(c, space, expression, then, MAX_FOUND)?;
    let total = found.rids.len() as u64;
    let mut children = Vec::new();
    for rid in found.rids.into_iter().skip(offset as usize).take(limit as usize) {
        let Some(stored) = resources::by_rid(c, rid)? else { continue };
        children.extend(as_was(c, stored, then)?.map(|one| Resource { content: None, ..one }));
    }
    Ok(ResourcesBrowsed { path: Vec::new(), children, total, notices: cut(found.is_cut, found.past_is_cut) })
}

/// What is told where not all that fits was looked at.
const IS_CUT: &str =
    "So much has these words that not all of it was looked at: more may have spoken of it than is counted here.";

/// What is told where not all was looked at, of the index or of the past.
fn cut(is_cut: bool, past_is_cut: bool) -> Vec<String> {
    is_cut.then(|| IS_CUT.to_owned()).into_iter().chain(crate::query::cut(past_is_cut)).collect()
}

/// What lay under an address at another time than now, without contents.
fn children_at(
    c: &Connection,
    under: (&SpaceId, Option<&str>),
    then: Then,
    page: (u32, u32),
) -> Result<(Vec<Resource>, u64), Fault> {
    let (mut children, total) = lay_under(c, under, then, page)?;
    children.iter_mut().for_each(|one| one.content = None);
    Ok((children, total))
}

/// What lay under an address at another time than now, as it was, and how much there was in all.
pub(crate) fn lay_under(
    c: &Connection,
    under: (&SpaceId, Option<&str>),
    then: Then,
    page: (u32, u32),
) -> Result<(Vec<Resource>, u64), Fault> {
    let (ids, total) = resources::children_at(c, under, then, page)?;
    let mut lay = Vec::with_capacity(ids.len());
    for id in ids {
        let Some(stored) = resources::by_id(c, &id)? else { continue };
        lay.extend(as_was(c, stored, then)?);
    }
    Ok((lay, total))
}

/// The way to an address from its root, without contents.
fn path(c: &Connection, space: &SpaceId, uri: &str, then: Then) -> Result<Vec<Resource>, Fault> {
    let mut path: Vec<Resource> = Vec::new();
    let mut next = Some(uri.to_owned());
    while let Some(uri) = next {
        let stored = resources::by_uri(c, space, &uri)?;
        let found = stored.map(|stored| as_was(c, stored, then)).transpose()?.flatten();
        let Some(found) = found else {
            // What it lay under was forgotten.
            match path.is_empty() {
                true => {
                    return Err(not_found("resource", &uri).hint("Browse without parent_uri for the roots.").into());
                }
                false => break,
            }
        };
        next = found.parent_uri.clone().filter(|_| path.len() < MAX_DEPTH);
        path.push(Resource { content: None, ..found });
    }
    path.reverse();
    Ok(path)
}

/// A resource as it is, or was at another time; none where it is not there, or was not.
pub(crate) fn as_was(c: &Connection, stored: Stored, then: Then) -> Result<Option<Resource>, Fault> {
    // What was removed is gone since its last change.
    if then.earlier().is_none_or(|at| at >= stored.resource.updated_at) {
        return Ok(stored.is_active.then_some(stored.resource));
    }
    let version = resources::version_at(c, &stored.resource.id, then)?;
    Ok(version.map(|version| Resource {
        title: version.title,
        content: version.content,
        content_hash: version.content_hash,
        version: version.number,
        updated_at: version.recorded_at,
        // What is not known any more is told as it is.
        kind: version.kind.unwrap_or(stored.resource.kind),
        parent_uri: version.parent_uri,
        metadata: version.metadata,
        source_event_ids: version.source_event_ids,
        ..stored.resource
    }))
}

/// Fetches a resource with what it says, as it is or as it was.
pub(crate) fn resource_get(engine: &Engine, caller: &Caller, request: ResourceGet) -> Outcome<Resource> {
    let then = Then { as_of: request.as_of, known_at: request.known_at };
    engine.read(|c| {
        let (named, stored) = match (&request.id, request.uri.as_deref().map(str::trim)) {
            (Some(id), None) => {
                let stored = resources::by_id(c, id)?;
                let space = stored.as_ref().map(|stored| stored.resource.space_id.clone());
                crate::spaces::open(c, caller, space, || not_found("resource", id.as_str()))?;
                (id.as_str(), stored)
            }
            (None, Some(uri)) => {
                let space = scopes::resolve_at(c, caller, request.space.as_deref(), None)?.space;
                (uri, resources::by_uri(c, &space.id, uri)?)
            }
            _ => return Err(invalid("A resource is named by its id, or by its address in a space.").into()),
        };
        let unknown = || not_found("resource", named);
        let found = as_was(c, stored.ok_or_else(unknown)?, then)?;
        Ok(found.ok_or_else(|| match then.is_now() {
            false => unknown().hint("It was not there then."),
            true => unknown(),
        })?)
    })
}

/// Takes a resource away with all that lies under it.
pub(crate) fn resource_remove(engine: &Engine, caller: &Caller, request: ResourceRemove) -> Outcome<Done> {
    let (caller, now) = (caller.clone(), engine.now());
    engine.write(move |tx| {
        let unknown = || not_found("resource", request.id.as_str());
        let stored = resources::by_id(tx, &request.id)?;
        crate::spaces::open(tx, &caller, stored.as_ref().map(|stored| stored.resource.space_id.clone()), unknown)?;
        let stored = stored.ok_or_else(unknown)?;
        if !stored.is_active {
            return Ok(());
        }
        let count = resources::remove(tx, &stored.resource, &caller.actor, now)?;
        let (object, space) = (("workspace_resources", stored.resource.id.as_str()), &stored.resource.space_id);
        Engine::audit(tx, &caller, "resource.removed", object, space, serde_json::json!({ "count": count }), now)
    })?;
    engine.tell(Event::Work);
    Ok(Done {})
}
