//! What agents write and what is not kept before the person says so (ruling 36): what looks like a secret, and what speaks to
//! a model and tells it what to do; and what would take the place of a note of somebody who has more to say. Until then it stands
//! nowhere where it could be found, or read by an agent.

mod decide;
mod refuse;

pub(crate) use decide::{empty_dismissed, held_decide, held_list};
pub(crate) use refuse::refuse;

use crate::error::Outcome;
use crate::forget::Door;
use crate::ingest::Met;
use crate::{Caller, Engine};
use serde_json::{Map, Value};
use std::borrow::Cow;
use um_model::capture::MemoryRemember;
use um_model::claims::{FactInput, FactsAdd};
use um_model::envelope::MemoryDistill;
use um_model::findings::FindingKind;
use um_model::health::Event;
use um_model::held::{HeldState, HoldReason};
use um_model::ops::Request as _;
use um_model::work::{BlockSet, EntrySave, EventPromote, Provenance, ResourcePut};
use um_model::{ApiError, ErrorCode, SessionId};
use um_pii::Rules;
use um_store::held::{self, Asked, NewHeld};

/// So many writes of an agent wait in a space at most.
pub(crate) const MOST_WAITING: u64 = 200;

/// What somebody wants to have kept.
pub(crate) struct Written<'a> {
    /// What kind of thing it becomes: `memory`, `claim`, `entry`, `core_block` or `resource`.
    kind: &'static str,
    title: Option<&'a str>,
    /// The session that it belongs to alone.
    session: Option<&'a SessionId>,
    /// What it is called and filed under, with its title.
    labels: Vec<Cow<'a, str>>,
    /// What it meets in its space.
    met: Met,
    /// What it says, as a person reads it.
    says: Cow<'a, str>,
    asked: Request<'a>,
}

/// What is asked, as it came: written down only where it is held.
enum Request<'a> {
    Remember(&'a MemoryRemember),
    Distill(&'a MemoryDistill),
    Promote(&'a EventPromote),
    Add(&'a FactsAdd),
    Save(&'a EntrySave),
    Block(&'a BlockSet),
    /// With the version that stands at its address.
    Put(&'a ResourcePut, Option<u32>),
}

impl Request<'_> {
    fn asked(&self) -> serde_json::Result<Asked> {
        let (operation, request) = match self {
            Self::Remember(request) => (MemoryRemember::NAME, serde_json::to_value(request)),
            Self::Distill(request) => (MemoryDistill::NAME, serde_json::to_value(request)),
            Self::Promote(request) => (EventPromote::NAME, serde_json::to_value(request)),
            Self::Add(request) => (FactsAdd::NAME, serde_json::to_value(request)),
            Self::Save(request) => (EntrySave::NAME, serde_json::to_value(request)),
            Self::Block(request) => (BlockSet::NAME, serde_json::to_value(request)),
            Self::Put(request, _) => (ResourcePut::NAME, serde_json::to_value(request)),
        };
        Ok(Asked { operation: operation.to_owned(), request: request? })
    }

    /// The version that it would replace, where what it asks for is told by one.
    fn seen(&self) -> Option<u32> {
        match self {
            Self::Put(_, seen) => *seen,
            _ => None,
        }
    }
}

impl<'a> Written<'a> {
    /// A text.
    pub(crate) fn text(request: &'a MemoryRemember, met: Met) -> Self {
        Self::memory(request, met, Request::Remember(request))
    }

    /// What is kept of a raw memory.
    pub(crate) fn distilled(asked: &'a MemoryDistill, text: &'a MemoryRemember, met: Met) -> Self {
        Self::memory(text, met, Request::Distill(asked))
    }

    /// What is kept of an event.
    pub(crate) fn promoted(asked: &'a EventPromote, text: &'a MemoryRemember, met: Met) -> Self {
        Self::memory(text, met, Request::Promote(asked))
    }

    fn memory(text: &'a MemoryRemember, met: Met, asked: Request<'a>) -> Self {
        let labels = [&text.title, &text.key, &text.owner, &text.session, &text.artifact_ref];
        let mut labels: Vec<Cow<'a, str>> = labels.into_iter().flatten().map(Cow::from).collect();
        add_fields(&text.metadata, &mut labels);
        Self {
            kind: "memory",
            title: text.title.as_deref(),
            session: None,
            labels,
            met,
            says: Cow::from(&text.text),
            asked,
        }
    }

    /// Facts, and what their words meet.
    pub(crate) fn facts(request: &'a FactsAdd, met: Met) -> Self {
        let says = request.facts.iter().map(line).collect::<Vec<_>>().join("\n").into();
        // What was said before in the same words waits no more.
        let stated = request.facts.iter().filter(|_| !met.known);
        let labels = stated.filter_map(|fact| secret_called(&fact.predicate, &fact.object)).map(Cow::from).collect();
        Self { kind: "claim", title: None, session: None, labels, met, says, asked: Request::Add(request) }
    }

    /// A tool, guideline or piece of knowledge.
    pub(crate) fn entry(request: &'a EntrySave) -> Self {
        let labels = [&request.name].into_iter().chain(&request.change_reason).chain(&request.tags);
        let mut labels: Vec<Cow<'a, str>> = labels.map(Cow::from).collect();
        add_fields(&request.metadata, &mut labels);
        let says = request.body.words().join("\n").into();
        let title = Some(request.name.as_str());
        Self {
            kind: "entry",
            title,
            session: request.session.as_ref(),
            labels,
            met: Met::default(),
            says,
            asked: Request::Save(request),
        }
    }

    /// A standing rule.
    pub(crate) fn block(request: &'a BlockSet) -> Self {
        let labels = [Some(&request.label), request.change_reason.as_ref()].into_iter().flatten();
        let mut labels: Vec<Cow<'a, str>> = labels.map(Cow::from).collect();
        request.metadata.iter().for_each(|metadata| add_fields(metadata, &mut labels));
        let (title, says) = (Some(request.label.as_str()), Cow::from(&request.content));
        Self {
            kind: "core_block",
            title,
            session: None,
            labels,
            met: Met::default(),
            says,
            asked: Request::Block(request),
        }
    }

    /// A resource of that title, and the version that stands at its address.
    pub(crate) fn resource(request: &'a ResourcePut, title: &'a str, met: Met, seen: Option<u32>) -> Self {
        let called = [Some(&request.uri), request.parent_uri.as_ref(), request.title.as_ref()];
        let mut labels: Vec<Cow<'a, str>> = called.into_iter().flatten().map(Cow::from).collect();
        add_fields(&request.metadata, &mut labels);
        // What stands there just so waits no more, but for the state of a work tree that it names.
        if met.known {
            labels.clear();
            let state = Provenance::STATE.into_iter().filter_map(|key| request.metadata.get(key));
            state.for_each(|value| add_value(value, &mut labels));
        }
        // One that says nothing is its address.
        let says = Cow::from(request.content.as_ref().unwrap_or(&request.uri));
        let asked = Request::Put(request, seen);
        Self { kind: "resource", title: Some(title), session: None, labels, met, says, asked }
    }

    /// Why it is not kept before somebody looked at it.
    fn reasons(&self) -> Vec<HoldReason> {
        let says = Some(&self.says).filter(|_| !self.met.known);
        let texts: Vec<&str> = self.labels.iter().chain(says).map(|text| &**text).collect();
        let mut reasons = look_like(&texts);
        reasons.extend(self.met.displaces.then_some(HoldReason::Displaces));
        reasons
    }
}

/// What some of the words of an agent look like that is not kept before somebody looked at it.
fn look_like<S: AsRef<str>>(texts: &[S]) -> Vec<HoldReason> {
    let secret = Rules::of(&[FindingKind::Secret]);
    let has_secret = |text: &S| um_pii::find_by_piece(text.as_ref(), &secret).any(|found| !found.is_empty());
    let found = [
        (texts.iter().any(has_secret), HoldReason::Secret),
        (texts.iter().any(|text| um_rules::order(text.as_ref()).is_some()), HoldReason::Instruction),
    ];
    found.into_iter().filter_map(|(is_so, reason)| is_so.then_some(reason)).collect()
}

/// The words of an object's fields.
fn add_fields<'a>(fields: &'a Map<String, Value>, words: &mut Vec<Cow<'a, str>>) {
    for (name, value) in fields {
        words.push(name.into());
        if let Some(called) = value.as_str().and_then(|said| secret_called(name, said)) {
            words.push(called.into());
        }
        add_value(value, words);
    }
}

/// The words of a value, and of all that is in it.
fn add_value<'a>(value: &'a Value, words: &mut Vec<Cow<'a, str>>) {
    match value {
        Value::String(said) => words.push(said.into()),
        Value::Array(all) => all.iter().for_each(|one| add_value(one, words)),
        Value::Object(fields) => add_fields(fields, words),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// How what is a secret is called by whoever writes it down apart from its name, in small letters.
const SECRETS: &[&str] =
    &["password", "passwort", "kennwort", "passphrase", "passcode", "pwd", "token", "secret", "key"];

/// A value with the name that it stands under, as a text would say both, where that is the name of a secret: by itself a password
/// looks like nothing.
fn secret_called(name: &str, value: &str) -> Option<String> {
    let name = name.trim().to_lowercase();
    SECRETS.iter().any(|secret| name.ends_with(secret)).then(|| format!("{name}: {}", value.trim()))
}

/// A fact in a line.
fn line(fact: &FactInput) -> String {
    let more: String = fact.qualifiers.iter().map(|(name, value)| format!(", {name}: {value}")).collect();
    format!("{} {} {}{more}", fact.subject, fact.predicate.replace('_', " "), fact.object)
}

/// Lets what an agent writes pass its door, or holds it: nothing of it is kept then.
///
/// # Errors
/// `Held` where it waits for the person; `RateLimited` where too much of that agent does.
pub(crate) fn pass<'a>(
    engine: &Engine,
    caller: &Caller,
    door: Door,
    written: impl FnOnce(&Door) -> Outcome<Written<'a>>,
) -> Outcome<Door> {
    if !caller.is_agent() {
        return Ok(door);
    }
    let written = written(&door)?;
    let reasons = written.reasons();
    if reasons.is_empty() {
        return Ok(door);
    }
    let why = reasons.iter().map(|reason| format!("it {}", reason.because())).collect::<Vec<_>>().join(", and ");
    let displaces_only = reasons == [HoldReason::Displaces];
    // The words of facts are kept under no key.
    let has_key = !matches!(written.asked, Request::Add(_));
    if hold(engine, caller, door, written, reasons)? != HeldState::Waiting {
        let says = format!("It is not kept: {why}, and the person dropped it before.");
        return Err(ApiError::new(ErrorCode::Held, says).hint("Do not write it again."));
    }
    engine.tell(Event::Held);
    let decides = "The person decides in Review, or with `umem held list`.";
    let hint = match (displaces_only, has_key) {
        (true, true) => format!(
            "{decides} What that note says stays until then; under a key of your own yours would stand beside it."
        ),
        (true, false) => format!("{decides} What that note says stays until then."),
        (false, _) => format!("{decides} Do not write it again."),
    };
    Err(ApiError::new(ErrorCode::Held, format!("It is not kept yet: {why}.")).hint(hint))
}

/// What became of a write that passed its door; where it would have displaced what came in since, its door is asked again, and says why
/// it waits. What the person looked at has no door.
pub(crate) fn ask_again<T>(written: Outcome<T>, door: Option<impl FnOnce() -> Outcome<Door>>) -> Outcome<T> {
    match (written, door) {
        (Err(error), Some(ask)) if error.code == ErrorCode::Held => Err(ask().err().unwrap_or(error)),
        (written, _) => written,
    }
}

/// Refuses what an agent passes on as the person's decision, and would be held if it wrote that: no decision waits for another one.
///
/// # Errors
/// `Held`.
pub(crate) fn refuse_passed_on(caller: &Caller, written: &Written<'_>) -> Outcome<()> {
    let reasons = if caller.is_agent() { written.reasons() } else { Vec::new() };
    match reasons.is_empty() {
        true => Ok(()),
        false => Err(not_passed_on(&reasons)),
    }
}

/// Why what is right is not an agent's to pass on.
pub(crate) fn not_passed_on(reasons: &[HoldReason]) -> ApiError {
    not_decided("what is to be right", reasons)
        .hint("Ask the person to decide it themselves, in Review or with `umem conflicts resolve`.")
}

/// Refuses the words of the person that an agent passes on with their decision, where these would be held as a text of its own.
///
/// # Errors
/// `Held`.
pub(crate) fn refuse_remark(caller: &Caller, remark: Option<&str>) -> Outcome<()> {
    let reasons = if caller.is_agent() { look_like(remark.as_slice()) } else { Vec::new() };
    match reasons.is_empty() {
        true => Ok(()),
        false => Err(not_decided("what they said", &reasons)
            .hint("Pass on what they said without that, or ask them to decide it themselves in Review.")),
    }
}

fn not_decided(what: &str, reasons: &[HoldReason]) -> ApiError {
    ApiError::new(ErrorCode::Held, format!("It is not decided: {what} {}.", because(reasons)))
}

/// Why words are not kept, in words that end a sentence which begins with what they are.
fn because(reasons: &[HoldReason]) -> String {
    reasons.iter().map(|reason| reason.because()).collect::<Vec<_>>().join(", and ")
}

/// Holds it, unless it is held or was dropped already; tells which.
fn hold(
    engine: &Engine,
    caller: &Caller,
    door: Door,
    written: Written<'_>,
    reasons: Vec<HoldReason>,
) -> Outcome<HeldState> {
    let Written { kind, title, session, says, asked, .. } = written;
    let (session, seen) = (session.cloned(), asked.seen());
    let asked = asked.asked().map_err(|error| ApiError::new(ErrorCode::Internal, error.to_string()))?;
    let (caller, title, says, now) = (caller.clone(), title.map(str::to_owned), says.into_owned(), engine.now());
    engine.write(move |tx| {
        // What it may do there may have changed since it asked.
        let space = crate::spaces::resolve(tx, &caller, door.space.as_str())?.id;
        if held::waiting_of(tx, &space, &caller.actor)? >= MOST_WAITING {
            let error = ApiError::new(ErrorCode::RateLimited, "Too much of this agent waits for the person already.");
            return Err(error.hint("They decide in Review.").into());
        }
        let new = NewHeld {
            space: &space,
            actor: &caller.actor,
            kind,
            title: title.as_deref(),
            says: &says,
            reasons: &reasons,
            asked: &asked,
            session: session.as_ref(),
            event: None,
            trace: None,
            seen,
        };
        // What the person dropped before stays dropped.
        let (id, state) = held::hold(tx, &door.pass(tx, new)?, now)?;
        if state == HeldState::Waiting {
            let payload = serde_json::json!({ "reasons": reasons });
            Engine::audit(tx, &caller, "write.held", ("candidates", id.as_str()), &space, payload, now)?;
        }
        Ok(state)
    })
}
