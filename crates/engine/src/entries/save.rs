//! Writing entries: each time a version, numbered without a gap, in one transaction of the one writer.

use super::{find, mark_run_out};
use crate::access::told;
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::forget::Door;
use crate::held::{self, Written};
use crate::scopes::{At, resolve_at};
use crate::{Caller, Engine};
use um_model::health::Event;
use um_model::work::*;
use um_model::{ApiError, EntryConflictId, EntryId, EpochMs, ErrorCode, VersionId};
use um_store::Connection;
use um_store::entries::versions::{self, NewVersion};
use um_store::entries::{self, NewEntry, Place, clashes};
use um_store::rejected::{Said, Says};

/// Who writes so soon after somebody else has not seen what they wrote (the document's five seconds).
const AT_ONCE_MS: EpochMs = 5_000;
/// The longest name, in bytes.
const MAX_NAME: usize = 200;
/// What an entry says at most, in bytes of JSON.
const MAX_BODY: usize = 64 * 1024;
/// The longest reason and note, in bytes.
pub(super) const MAX_REASON: usize = 500;
/// The largest metadata, in bytes of JSON.
const MAX_METADATA: usize = 4 * 1024;

/// Writes an entry, or a new version of one. What an agent writes may be held for the person.
pub(crate) fn entry_save(engine: &Engine, caller: &Caller, mut request: EntrySave) -> Outcome<EntrySaved> {
    check_metadata(&request)?;
    let place = (request.space.as_deref(), request.session.as_ref());
    crate::drift::fill(engine, caller, place, &mut request.metadata)?;
    keep_if(engine, caller, request, |door, request| held::pass(engine, caller, door, |_| Ok(Written::entry(request))))
}

/// Writes what the person looked at.
pub(crate) fn keep_written(engine: &Engine, caller: &Caller, request: EntrySave) -> Outcome<EntrySaved> {
    keep_if(engine, caller, request, |door, _| Ok(door))
}

fn keep_if(
    engine: &Engine,
    caller: &Caller,
    mut request: EntrySave,
    pass: impl FnOnce(Door, &EntrySave) -> Outcome<Door>,
) -> Outcome<EntrySaved> {
    request.name = request.name.trim().to_owned();
    request.tags = crate::tags::new_names(&request.tags)?;
    check(&request)?;
    let (door, session) = engine.read(|c| {
        let at = resolve_at(c, caller, request.space.as_deref(), request.session.as_ref())?;
        Ok((Door::compared(c, engine.key(), &at.space.id, &Given(&request))?, at.session))
    })?;
    request.session = session.clone();
    let door = pass(door, &request)?;
    let (writer, now) = (caller.clone(), engine.now());
    let mut saved = engine.write(move |tx| {
        // Where the words were compared: another space may bear the name by now.
        let at = resolve_at(tx, &writer, Some(door.space.as_str()), session.as_ref())?;
        save(tx, &writer, &door, (&at, &request), now)
    })?;
    mark_run_out([&mut saved.entry], now);
    engine.tell(Event::Work);
    Ok(told(caller, saved))
}

/// All that a request says.
pub(super) struct Given<'a>(pub(super) &'a EntrySave);

impl Says for Given<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Name(&self.0.name));
        self.0.body.words().into_iter().for_each(|words| tell(Said::Text(words)));
        self.0.change_reason.iter().for_each(|words| tell(Said::Text(words)));
        self.0.tags.iter().for_each(|tag| tell(Said::Name(tag)));
        um_store::rejected::tell_map(&self.0.metadata, tell);
    }
}

fn check(request: &EntrySave) -> Outcome<()> {
    let too_long = |what: String| Err(ApiError::new(ErrorCode::TextTooLong, what));
    if request.name.is_empty() || request.name.len() > MAX_NAME {
        return Err(invalid(format!("The name of an entry has 1 to {MAX_NAME} bytes.")));
    }
    check_body(&request.body, request.entry_type)?;
    if request.category.is_some_and(|category| category.of() != request.entry_type) {
        let fit: Vec<&str> =
            EntryCategory::ALL.iter().filter(|one| one.of() == request.entry_type).map(|one| one.as_str()).collect();
        return Err(invalid(format!("{} has no such category.", request.entry_type.called()))
            .hint(format!("Give one of {}, or none.", fit.join(", "))));
    }
    if request.priority.is_some_and(|priority| priority > 100) {
        return Err(invalid("A priority lies between 0 and 100."));
    }
    if request.change_reason.as_ref().is_some_and(|reason| reason.len() > MAX_REASON) {
        return too_long(format!("A reason has at most {MAX_REASON} bytes."));
    }
    Ok(())
}

/// Refuses metadata that are too large, before what the work tree is at is added.
fn check_metadata(request: &EntrySave) -> Outcome<()> {
    match serde_json::to_string(&request.metadata) {
        Ok(json) if json.len() > MAX_METADATA => {
            Err(ApiError::new(ErrorCode::TextTooLong, format!("Metadata has at most {MAX_METADATA} bytes.")))
        }
        _ => Ok(()),
    }
}

/// Refuses what an entry of that type cannot say.
pub(super) fn check_body(body: &EntryBody, of: EntryType) -> Outcome<()> {
    body.check(of)
        .map_err(|wrong| invalid(wrong).hint("See the schema of the body: its fields depend on the type."))?;
    crate::clock::check(&[body.valid_until])?;
    match serde_json::to_string(body) {
        Ok(json) if json.len() > MAX_BODY => Err(ApiError::new(
            ErrorCode::TextTooLong,
            format!("An entry says at most {MAX_BODY} bytes; this one has {}.", json.len()),
        )
        .hint("Ingest long texts as files, and name them in the entry.")),
        _ => Ok(()),
    }
}

fn save(
    tx: &Connection,
    caller: &Caller,
    door: &Door,
    (at, request): (&At, &EntrySave),
    now: EpochMs,
) -> Result<EntrySaved, Fault> {
    let place = Place { space: &at.space.id, session: at.session.as_ref() };
    if let Some(session) = &at.session {
        crate::sessions::own(tx, caller, session)?;
        crate::sessions::refuse_ended(tx, session)?;
    }
    let before = entries::by_name(tx, place, request.entry_type, &request.name)?;
    if let Some(known) = before.as_ref().filter(|known| !known.is_active) {
        return Err(out_of_use(known).into());
    }
    let category = request.category.or_else(|| before.as_ref().and_then(|entry| entry.category));
    let priority = request.priority.or_else(|| before.as_ref().map(|entry| entry.priority)).unwrap_or(50);
    if let Some(known) = before.as_ref().filter(|known| says_the_same(known, caller, request, (category, priority))) {
        tag(tx, (caller, door), (known, &request.tags), now)?;
        return Ok(EntrySaved { entry: find(tx, caller, &known.id)?, created: false, conflict: None });
    }
    if let (Some(last), Some(seen)) = (before.as_ref().map(|known| known.version.number), request.base_version)
        && seen > last
    {
        return Err(invalid(format!("There is no version {seen}: the last is {last}.")).into());
    }
    let is_flagged = before.as_ref().is_some_and(|known| is_unseen(&known.version, request.base_version, now));
    let id = match &before {
        Some(known) => {
            entries::set_kind(tx, &known.id, category, priority)?;
            known.id.clone()
        }
        None => {
            let (entry_type, name, actor) = (request.entry_type, request.name.as_str(), &caller.actor);
            entries::insert(tx, &door.pass(tx, NewEntry { place, entry_type, name, category, priority, actor })?, now)?
        }
    };
    let new = NewVersion {
        space: &at.space.id,
        body: &request.body,
        change_reason: request.change_reason.as_deref(),
        metadata: &request.metadata,
        actor: &caller.actor,
        is_flagged,
    };
    let (version, number) = versions::append(tx, &id, &door.pass(tx, new)?, now)?;
    let conflict = match before.filter(|_| is_flagged) {
        Some(known) => Some(clashes::insert(tx, (&at.space.id, &id), (&known.version.id, &version), now)?),
        None => None,
    };
    let entry = find(tx, caller, &id)?;
    tag(tx, (caller, door), (&entry, &request.tags), now)?;
    note(tx, caller, &entry, (number, &version, conflict.as_ref()), now)?;
    Ok(EntrySaved { entry: find(tx, caller, &id)?, created: true, conflict })
}

fn out_of_use(known: &Entry) -> ApiError {
    ApiError::new(ErrorCode::Conflict, format!("{} is out of use.", known.name))
        .hint("Take it into use again first: entry_enable.")
}

/// What belongs to a session alone is written by whoever works in it, as long as it goes on.
pub(super) fn refuse_of_others(tx: &Connection, caller: &Caller, entry: &Entry) -> Result<(), Fault> {
    if let Some(session) = &entry.session_id {
        crate::sessions::own(tx, caller, session)?;
        crate::sessions::refuse_ended(tx, session)?;
    }
    Ok(())
}

/// A call that is repeated writes nothing.
fn says_the_same(
    known: &Entry,
    caller: &Caller,
    request: &EntrySave,
    (category, priority): (Option<EntryCategory>, u8),
) -> bool {
    let last = &known.version;
    last.body == request.body
        && last.change_reason == request.change_reason
        && last.created_by.as_ref() == Some(&caller.actor)
        && (request.metadata.is_empty() || last.metadata == request.metadata)
        && (known.category, known.priority) == (category, priority)
}

/// Whether a version is written without regard to the last one: it was written just before, or is another than the writer
/// says to have seen. Whoever saw the last one knows what they do, however soon.
fn is_unseen(last: &EntryVersion, seen: Option<u32>, now: EpochMs) -> bool {
    match seen {
        Some(number) => number != last.number,
        None => last.created_at > now - AT_ONCE_MS,
    }
}

fn tag(tx: &Connection, by: (&Caller, &Door), (entry, names): (&Entry, &[String]), now: EpochMs) -> Result<(), Fault> {
    let item = ItemKey { item_type: ItemType::Entry, id: entry.id.to_string() };
    crate::tags::attach_all(tx, by, (&entry.space_id, &item), names, now)
}

fn note(
    tx: &Connection,
    caller: &Caller,
    entry: &Entry,
    (number, version, conflict): (u32, &VersionId, Option<&EntryConflictId>),
    now: EpochMs,
) -> Result<(), Fault> {
    let payload = serde_json::json!({ "version": number, "version_id": version, "conflict": conflict });
    Engine::audit(tx, caller, "entry.saved", ("entries", entry.id.as_str()), &entry.space_id, payload, now)
}

/// Writes a version that somebody decided for, seeing all that there are.
pub(super) fn append(
    tx: &Connection,
    caller: &Caller,
    door: &Door,
    (entry, body, reason): (&Entry, &EntryBody, &str),
    now: EpochMs,
) -> Result<VersionId, Fault> {
    let new = NewVersion {
        space: &entry.space_id,
        body,
        change_reason: Some(reason),
        metadata: &serde_json::Map::new(),
        actor: &caller.actor,
        is_flagged: false,
    };
    let (version, number) = versions::append(tx, &entry.id, &door.pass(tx, new)?, now)?;
    note(tx, caller, entry, (number, &version, None), now)?;
    Ok(version)
}

/// Takes an entry out of use.
pub(crate) fn entry_disable(engine: &Engine, caller: &Caller, request: EntryDisable) -> Outcome<Entry> {
    set_active(engine, caller, request.id, false)
}

/// Takes an entry into use again.
pub(crate) fn entry_enable(engine: &Engine, caller: &Caller, request: EntryEnable) -> Outcome<Entry> {
    set_active(engine, caller, request.id, true)
}

fn set_active(engine: &Engine, caller: &Caller, id: EntryId, is_active: bool) -> Outcome<Entry> {
    let (writer, now) = (caller.clone(), engine.now());
    let mut entry = engine.write(move |tx| {
        let entry = find(tx, &writer, &id)?;
        refuse_of_others(tx, &writer, &entry)?;
        if entry.is_active != is_active {
            entries::set_active(tx, &id, is_active)?;
            let event = if is_active { "entry.enabled" } else { "entry.disabled" };
            let payload = serde_json::json!({});
            Engine::audit(tx, &writer, event, ("entries", id.as_str()), &entry.space_id, payload, now)?;
        }
        entries::by_id(tx, &id)?.ok_or_else(|| not_found("entry", id.as_str()).into())
    })?;
    mark_run_out([&mut entry], now);
    engine.tell(Event::Work);
    Ok(told(caller, entry))
}
