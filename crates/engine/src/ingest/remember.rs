//! Keeping a text as a memory.

use super::bounds::check;
use super::classify::{self, Classified};
use super::met::{hash_in, key, known_by, met, refuse_displacing};
use super::replace::{bring_back, current, retire, so_until, take_key};
use crate::error::{Fault, Outcome, not_found};
use crate::extract::{self, UnitLimit};
use crate::forget::Door;
use crate::held::{self, Written};
use crate::library::{check_expiry, out_if_due, set_expiry, warm_up};
use crate::scopes::resolve_at;
use crate::{Caller, Engine, work};
use std::sync::{Arc, mpsc};
use um_model::capture::{Memory, MemoryRemember, Remembered};
use um_model::envelope::{ConfidenceLabel, MemoryLayer};
use um_model::health::Event;
use um_model::work::{ItemKey, ItemType};
use um_model::{EventId, MemoryId, MemoryStatus, SpaceId, Utf16Span};
use um_store::envelope::NewEnvelope;
use um_store::memories::{self, Label, NewMemory};
use um_store::rejected::{Said, Says, tell_map};
use um_store::units::{self, NewUnit, Source};
use um_store::{Connection, StoreError, Transaction, derivations, events, expiries, jobs, relations, tags};

/// How passages are cut: within the 256 tokens that all-MiniLM-L6-v2 was trained to read, and short
/// enough that one vector still says what they are about.
const LIMIT: UnitLimit = UnitLimit { tokens: 250, target: 160, overlap: 25 };

/// A text that was looked at: all that is made of it before the writer is asked.
pub(super) struct Ready {
    pub(super) request: MemoryRemember,
    pub(super) hash: String,
    /// What it is about, where that is [read](Ready::read) already; else that is read beside the writer, or with its claims. No claims
    /// are read of a raw one.
    about: Option<Classified>,
    cut: Vec<NewUnit>,
    /// Whether it may take the place of what somebody brought in who has more to say there: the person looked at it.
    pub(super) may_displace: bool,
}

impl Ready {
    fn of(request: MemoryRemember) -> Self {
        let hash = hash_in(layer(&request), &request.text);
        let cut = cut_units(&extract::Text::plain(request.text.clone()));
        let is_raw = layer(&request) == MemoryLayer::Raw;
        let ready = Self { request, hash, about: None, cut, may_displace: false };
        if is_raw { ready.read() } else { ready }
    }

    fn classified(&self) -> Classified {
        classify::classify(&self.request.text, self.request.title.as_deref())
    }

    fn read(mut self) -> Self {
        self.about = Some(self.classified());
        self
    }
}

/// Cuts a text into passages.
pub(crate) fn cut_units(text: &extract::Text) -> Vec<NewUnit> {
    let mut offsets = um_model::span::Utf16Offsets::new(&text.text);
    let (mut mails, mut mail) = (text.mails.iter().peekable(), None);
    extract::split_units(text, &LIMIT)
        .into_iter()
        .map(|draft| {
            let words = &text.text[draft.bytes.clone()];
            // No passage crosses a heading, and each mail has one.
            while let Some(next) = mails.next_if(|next| next.at <= draft.bytes.start) {
                let (start, from) = (offsets.unit_at(next.at), next.from.clone());
                mail = Some(units::Mail { start, from, sent_at: next.sent_at });
            }
            // Passages overlap, so that one may begin before the last one's end.
            let mut from_start = offsets.clone();
            let start = from_start.unit_at(draft.bytes.start);
            offsets = from_start.clone();
            let end = from_start.unit_at(draft.bytes.end);
            NewUnit {
                span: Utf16Span::new(start, end),
                text: words.to_owned(),
                heading_path: draft.heading_path,
                segment: None,
                token_count: extract::estimate_tokens(words) as u32,
                mail: mail.clone(),
            }
        })
        .collect()
}

/// What a text is made of, besides what its request says.
#[derive(Debug, Clone, Default)]
pub(crate) struct MadeOf {
    /// The event that it is promoted from.
    pub(crate) event: Option<EventId>,
    /// The raw memory that it is distilled from.
    pub(crate) raw: Option<MemoryId>,
}

/// Keeps a text as a memory. What an agent writes may be held for the person.
pub(crate) fn memory_remember(engine: &Engine, caller: &Caller, request: MemoryRemember) -> Outcome<Remembered> {
    keep_if(engine, caller, request, MadeOf::default(), |door, request| {
        held::pass(engine, caller, door, |door| Ok(Written::text(request, met(engine, caller, door, request)?)))
    })
}

/// Keeps a text as a memory that the person looked at.
pub(crate) fn keep_written(
    engine: &Engine,
    caller: &Caller,
    request: MemoryRemember,
    made_of: MadeOf,
) -> Outcome<Remembered> {
    keep_passed(engine, caller, request, made_of, None)
}

/// Keeps a text as a memory, once `pass` lets it through; which is asked again where that would displace what came in meanwhile.
pub(crate) fn keep_if(
    engine: &Engine,
    caller: &Caller,
    request: MemoryRemember,
    made_of: MadeOf,
    pass: impl Fn(Door, &MemoryRemember) -> Outcome<Door>,
) -> Outcome<Remembered> {
    keep_passed(engine, caller, request, made_of, Some(&pass))
}

/// Lets a text through its door, or says why not.
type Pass<'a> = &'a dyn Fn(Door, &MemoryRemember) -> Outcome<Door>;

fn keep_passed(
    engine: &Engine,
    caller: &Caller,
    request: MemoryRemember,
    made_of: MadeOf,
    pass: Option<Pass<'_>>,
) -> Outcome<Remembered> {
    let mut ready = Ready { may_displace: pass.is_none(), ..ready(engine, caller, request)? };
    engine.core().arrivals.note();
    let now = engine.now();
    let (at, door, is_known, model) = engine.read(|c| {
        let at = resolve_at(c, caller, Some(&ready.request.space), None)?;
        let door = Door::compared(c, engine.key(), &at.space.id, &Given(&ready.request))?;
        let known = memories::by_hash(c, &at.space.id, &ready.hash)?;
        Ok((at, door, known.is_some(), crate::settings::embedding_model(c)?))
    })?;
    if let Some(session) = at.session {
        ready.request.session.get_or_insert_with(|| session.to_string());
    }
    let door = match pass {
        Some(pass) => pass(door, &ready.request)?,
        None => door,
    };
    let ahead = if is_known { None } else { work::Ahead::of(engine, &model, &ready.cut) };
    let (space, ready) = (door.space.clone(), Arc::new(ready));
    let written = write(engine, caller, door, (&ready, made_of, ahead), now);
    let late = pass.map(|pass| {
        let (space, request) = (&space, &ready.request);
        move || pass(Door::of(engine.key(), space), request)
    });
    let remembered = held::ask_again(written, late)?;
    engine.core().arrivals.note();
    if remembered.memory.expires_at.is_some() {
        engine.core().expiries.changed();
    }
    engine.tell(Event::Library);
    Ok(remembered)
}

/// Writes a text, with its vector where that was made before.
fn write(
    engine: &Engine,
    caller: &Caller,
    door: Door,
    (ready, made_of, ahead): (&Arc<Ready>, MadeOf, Option<work::Ahead>),
    now: i64,
) -> Outcome<Remembered> {
    let (caller, ready, (tell, about)) = (caller.clone(), ready.clone(), mpsc::sync_channel(1));
    let read = ready.clone();
    // What it is about is read while it is written.
    let beside = move || {
        if read.about.is_none() {
            drop(tell.send(read.classified()));
        }
    };
    let write = move |tx: &Transaction<'_>| {
        let (id, created) = keep_one(tx, &caller, &door, (&ready, &made_of, ahead.as_ref()), now)?;
        if created && ready.about.is_none() {
            let about = about.recv().map_err(|_| StoreError::Closed)?;
            classify::set(tx, (&id, &door.space), &about, now)?;
        }
        // Whoever reads after a write reads all anew that it has in memory; the writer has it there.
        let memory = memories::by_id(tx, &id)?.ok_or_else(|| not_found("memory", id.as_str()))?;
        Ok(Remembered { memory, created })
    };
    engine.write_beside(write, beside)
}

/// Looks at a text, and fills in of which state of a work tree it is written.
pub(super) fn ready(engine: &Engine, caller: &Caller, mut request: MemoryRemember) -> Outcome<Ready> {
    check(&request)?;
    check_expiry(request.expires_at, engine.now())?;
    if caller.is_agent() && request.confidence_label == Some(ConfidenceLabel::Verified) {
        return Err(crate::envelope::only_the_person_verifies());
    }
    crate::drift::fill(engine, caller, (Some(&request.space), None), &mut request.metadata)?;
    Ok(Ready::of(request))
}

/// All that a request says.
pub(super) struct Given<'a>(pub(super) &'a MemoryRemember);

impl Says for Given<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Text(&self.0.text));
        let labels = [&self.0.title, &self.0.key, &self.0.owner, &self.0.session, &self.0.artifact_ref];
        labels.into_iter().flatten().for_each(|label| tell(Said::Name(label.trim())));
        tell_map(&self.0.metadata, tell);
    }
}

/// Keeps a text as a memory, within a transaction that keeps more than that. Gives its id and whether it is new. Errors are as [`keep`]'s.
pub(crate) fn keep_text(
    tx: &Transaction<'_>,
    caller: &Caller,
    door: &Door,
    (request, may_displace): (&MemoryRemember, bool),
    now: i64,
) -> Result<(MemoryId, bool), Fault> {
    check(request)?;
    let ready = Ready { may_displace, ..Ready::of(request.clone()).read() };
    keep_one(tx, caller, door, (&ready, &MadeOf::default(), None), now)
}

pub(super) fn layer(request: &MemoryRemember) -> MemoryLayer {
    request.kind.unwrap_or_default()
}

/// What became of a text.
pub(super) struct Kept {
    pub(super) id: MemoryId,
    /// Where it is new.
    pub(super) new: Option<New>,
    /// The memory in whose place it stands.
    pub(super) supersedes: Option<MemoryId>,
}

/// A new memory's own rid, and those of its passages.
pub(super) struct New {
    pub(super) rid: i64,
    passages: Vec<i64>,
}

/// Keeps a text alone, with its entry in the ledger, and with its vector where that was made before.
fn keep_one(
    tx: &Transaction<'_>,
    caller: &Caller,
    door: &Door,
    (ready, made_of, ahead): (&Ready, &MadeOf, Option<&work::Ahead>),
    now: i64,
) -> Result<(MemoryId, bool), Fault> {
    // Where its words were compared: another space may bear the name by now.
    crate::spaces::resolve_again(tx, caller, &door.space)?;
    let Kept { id, new, supersedes } = keep(tx, caller, door, (ready, made_of), now)?;
    if let Some(New { rid, passages }) = &new {
        if let Some(ahead) = ahead {
            ahead.keep(tx, passages, now)?;
        }
        work::queue_new(tx, (&id, *rid), &door.space, ahead.is_some(), now)?;
        let payload = serde_json::json!({ "supersedes": supersedes });
        Engine::audit(tx, caller, "memory.remembered", ("memories", id.as_str()), &door.space, payload, now)?;
    }
    Ok((id, new.is_some()))
}

/// Keeps a text in the space of its door, which the caller may write to. What is done with a new one is queued by whoever calls,
/// who tells the ledger of it, too.
///
/// # Errors
/// `Forgotten`; `Held` where it would displace what came in since that was asked; and `NotFound` for what it is made of. Nothing of it
/// is written then, unless it is made of an event or a raw memory; what was due under its key may have gone out of use.
pub(super) fn keep(
    tx: &Transaction<'_>,
    caller: &Caller,
    door: &Door,
    (ready, made_of): (&Ready, &MadeOf),
    now: i64,
) -> Result<Kept, Fault> {
    let (request, space) = (&ready.request, &door.space);
    refuse_displacing(tx, caller, space, ready, now)?;
    let (hash, known) = known_by(tx, caller, space, (request, &ready.hash), now)?;
    let key = key(request);
    if let Some(known) = known {
        let label = door.pass(tx, Label { key, title: request.title.as_deref() })?;
        let known = out_if_due(tx, known, now)?;
        take_key(tx, &known, &label, now)?;
        bring_back(tx, caller, &known, Some(&label), now)?;
        warm_up(tx, caller, &known, now)?;
        say_again(tx, caller, &known, request, now)?;
        // When somebody else's goes out of use no agent says.
        if request.expires_at.is_some() && (!caller.is_agent() || known.actor_id == caller.actor) {
            set_expiry(tx, caller, &known, request.expires_at, now)?;
        }
        trace(tx, caller, (&known.id, space), made_of, now)?;
        return Ok(Kept { id: known.id, new: None, supersedes: None });
    }
    let older = key.map(|key| current(tx, space, key, now)).transpose()?.flatten();
    let new =
        door.pass(tx, new_memory(caller, space, (ready, made_of), hash, older.as_ref().map(|older| older.id.clone())))?;
    check_origins(tx, space, &request.derived_from)?;
    if let Some(older) = &older {
        retire(tx, older, so_until(older, new.occurred_at, now), now)?;
    }
    let (id, rid) = memories::insert(tx, &new, now)?;
    if request.expires_at.is_some() {
        expiries::set(tx, &id, request.expires_at)?;
    }
    if let Some(about) = &ready.about {
        tags::set_of_memory(tx, space, &id, &about.tags, now)?;
    }
    if let Some(older) = &older {
        memories::set_superseded_by(tx, &older.id, Some(&id))?;
    }
    for origin in &request.derived_from {
        derivations::insert(tx, space, &id, origin, &caller.actor, now)?;
    }
    trace(tx, caller, (&id, space), made_of, now)?;
    let title = request.title.as_deref().unwrap_or("");
    let passages = units::insert(tx, space, &id, Source::Memory(&id), title, &ready.cut, now)?;
    Ok(Kept { id, new: Some(New { rid, passages }), supersedes: older.map(|older| older.id) })
}

fn new_memory(
    caller: &Caller,
    space: &SpaceId,
    (ready, made_of): (&Ready, &MadeOf),
    content_hash: String,
    supersedes: Option<MemoryId>,
) -> NewMemory {
    let Ready { request, about, .. } = ready;
    let (scope, classification_confidence) =
        about.as_ref().map_or(classify::UNREAD, |about| (about.scope, about.confidence));
    NewMemory {
        space: space.clone(),
        actor: caller.actor.clone(),
        content: Some(request.text.clone()),
        content_hash,
        modality: "text".to_owned(),
        artifact: None,
        title: request.title.clone(),
        scope,
        classification_confidence,
        classifier_id: classify::CLASSIFIER_ID.to_owned(),
        source_type: if request.derived_from.is_empty() { "user_input" } else { "inference" },
        memory_key: request.key.as_deref().map(str::trim).filter(|key| !key.is_empty()).map(str::to_owned),
        supersedes,
        owner: request.owner.clone(),
        session: request.session.clone(),
        occurred_at: request.occurred_at.or_else(|| crate::extract::mail_date(&request.text)),
        envelope: envelope_of(request, made_of),
    }
}

/// Queues all that is done with a text that is new, or there again.
pub(super) fn queue_all(tx: &Connection, (id, space): (&MemoryId, &SpaceId), now: i64) -> Result<(), Fault> {
    work::queue_embedding(tx, id, space, jobs::PRIORITY_AGENT, now)?;
    work::queue_extraction(tx, id, space, jobs::PRIORITY_AGENT, now)?;
    work::queue_detection(tx, (id, space), um_pii::VERSION, jobs::PRIORITY_SCAN, now)?;
    Ok(())
}

fn envelope_of(request: &MemoryRemember, made_of: &MadeOf) -> NewEnvelope {
    let usual = match request.derived_from.is_empty() {
        true => ConfidenceLabel::Observed,
        false => ConfidenceLabel::Inferred,
    };
    NewEnvelope {
        layer: layer(request),
        artifact_ref: request.artifact_ref.clone(),
        confidence_label: request.confidence_label.unwrap_or(usual),
        record_kind: request.record_kind,
        importance: request.importance.unwrap_or(0.5),
        event: made_of.event.clone(),
        metadata: request.metadata.clone(),
    }
}

/// What is said again is seen again; that it is verified only the person says.
fn say_again(
    tx: &Connection,
    caller: &Caller,
    known: &Memory,
    request: &MemoryRemember,
    now: i64,
) -> Result<(), Fault> {
    match request.confidence_label {
        Some(verified @ ConfidenceLabel::Verified) => crate::envelope::confirm(tx, caller, known, verified, now),
        _ => crate::envelope::seen_again(tx, caller, known, now),
    }
}

/// Keeps what a memory is promoted or distilled from.
fn trace(
    tx: &Connection,
    caller: &Caller,
    (id, space): (&MemoryId, &SpaceId),
    made_of: &MadeOf,
    now: i64,
) -> Result<(), Fault> {
    if let Some(event) = &made_of.event {
        if events::space_of(tx, event)?.as_ref() != Some(space) {
            return Err(not_found("event", event.as_str()).into());
        }
        let of = |item_type, id: &str| ItemKey { item_type, id: id.to_owned() };
        let (memory, source) = (of(ItemType::Memory, id.as_str()), of(ItemType::Event, event.as_str()));
        relations::derives(tx, space, (&memory, &source), &caller.actor, now)?;
        let object = ("evidence_events", event.as_str());
        Engine::audit(tx, caller, "event.promoted", object, space, serde_json::json!({ "memory": id }), now)?;
    }
    if let Some(raw) = &made_of.raw {
        if memories::by_id(tx, raw)?.is_none_or(|raw| raw.status != MemoryStatus::Active) {
            return Err(not_found("raw memory", raw.as_str()).into());
        }
        derivations::distilled(tx, space, (id, raw), &caller.actor, now)?;
        let object = ("memories", raw.as_str());
        Engine::audit(tx, caller, "memory.distilled", object, space, serde_json::json!({ "memory": id }), now)?;
    }
    Ok(())
}

/// What a new memory is made of are memories of its space.
fn check_origins(tx: &Connection, space: &SpaceId, origins: &[MemoryId]) -> Result<(), Fault> {
    for origin in origins {
        if memories::by_id(tx, origin)?.is_none_or(|memory| memory.space_id != *space) {
            return Err(not_found("memory in this space", origin.as_str()).into());
        }
    }
    Ok(())
}
