//! How agents come in: a secret that the agent made (or that was made for it) is known here by its hash. One that
//! nobody knows becomes a request that the person answers (rulings 21, 22).

use super::agents::{every_space, info, is_program, named};
use super::peers::Peer;
use super::silent::{may_come, waits_silently};
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::forget::Door;
use crate::{Caller, Engine};
use std::collections::BTreeSet;
use um_model::access::*;
use um_model::health::Event;
use um_model::spaces::Space;
use um_model::{AgentId, ApiError, DEFAULT_SPACE, EpochMs, ErrorCode, PairingId, SpaceId, SpaceType, TokenId};
use um_store::keyed::Key;
use um_store::pairing::{self, Decision, NewRequest, NewToken};
use um_store::rejected::Said;
use um_store::{Connection, Transaction, members, spaces};

const HOUR: EpochMs = 60 * 60 * 1000;
const DAY: EpochMs = 24 * HOUR;
/// A request that nobody answers waits so long.
pub(super) const PATIENCE: EpochMs = DAY;
/// "Once" is so long: a working day.
const ONCE: EpochMs = 8 * HOUR;
/// After "not now" an agent is not asked about again for so long.
const NOT_NOW: EpochMs = HOUR;
/// The longest name or program that is shown, in characters.
const MAX_WORDS: usize = 100;
/// The space that is asked for where none is named.
const DEFAULT_SPACE_NAME: &str = "default";
/// More spaces than this no agent asks for.
const MAX_SPACES: usize = 20;
/// A token's use is noted at most so often.
const NOTED: EpochMs = 60 * 1000;

/// What a connection says of itself with a request. All but `secret`, `uid` and `peer` is a claim, not a
/// proof.
#[derive(Debug, Clone, Default)]
pub struct Claim {
    /// The secret: 64 hex digits.
    pub secret: String,
    /// What the agent calls itself.
    pub name: String,
    /// The program that it says it is.
    pub process: Option<String>,
    /// The user that runs it, as the system says.
    pub uid: Option<u32>,
    /// The process, as the system says.
    pub peer: Option<Peer>,
    /// The spaces that it asks for; `default` where it says nothing.
    pub spaces: Vec<String>,
    /// What it asks to do; all where it says nothing.
    pub rights: Vec<Right>,
}

/// An agent that was let in.
#[derive(Debug, Clone, PartialEq)]
pub struct Admitted {
    /// Who it is.
    pub agent: AgentId,
    /// What it calls itself.
    pub name: String,
    /// Its token.
    pub token: TokenId,
    /// The spaces that its token opens.
    pub spaces: Vec<SpaceId>,
    /// What for.
    pub rights: Vec<Right>,
    /// What it was granted beyond its roles, by space.
    pub grants: Vec<(SpaceId, Grant)>,
    /// The tools that it is shown, where it does not say itself which.
    pub profile: ToolProfile,
    /// Requests a minute, on average.
    pub requests_per_minute: u32,
}

impl Engine {
    /// Lets an agent in that has a token; for one that is not known, a request waits for the person from now on.
    ///
    /// # Errors
    /// `NotPaired` and `AccessEnded`, with what the agent can do; `Forbidden` for a suspended agent; `RateLimited` where too many wait
    /// already; `InvalidRequest` for a secret that is none.
    pub fn admit(&self, claim: &Claim) -> Outcome<Admitted> {
        if claim.secret.len() != 64 || !claim.secret.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(ApiError::new(ErrorCode::NotPaired, "No token came with the request.")
                .hint("Connect through `umem mcp`, which sends one by itself."));
        }
        let now = self.now();
        let hash = pairing::hash(&claim.secret.to_lowercase());
        let (found, noted) = self.read(|c| known(c, &hash, now))?;
        if let Some(admitted) = found {
            if !noted {
                let token = admitted.token.clone();
                self.write(move |tx| Ok(pairing::used(tx, &token, now)?))?;
                self.tell(Event::Access);
            }
            return Ok(admitted);
        }
        let name = super::names::shown(&claim.name).ok_or_else(|| {
            ApiError::new(ErrorCode::NotPaired, "The agent does not say its name.")
                .hint("Send clientInfo.name, as MCP wants.")
        })?;
        // Whoever is told to wait asks often, and writes nothing by it.
        let wants = self.read(|c| {
            unasked(c, self, &name, now)?;
            Wants::of(c, self.key(), claim)
        })?;
        let (engine, claim) = (self.clone(), claim.clone());
        let asked = self.write(move |tx| ask(tx, &engine, (&claim, &wants), (&name, &hash), now))?;
        self.tell(Event::Access);
        Err(asked)
    }
}

/// The agent of a token, where there is one, and whether its use was noted within the minute.
fn known(c: &Connection, hash: &str, now: EpochMs) -> Result<(Option<Admitted>, bool), Fault> {
    let Some((id, token)) = pairing::token_of_hash(c, hash)? else { return Ok((None, false)) };
    if token.revoked_at.is_some() {
        return Err(taken_back());
    }
    if token.expires_at.is_some_and(|end| end <= now) {
        return Err(ended("This agent's access has run out."));
    }
    let agent = members::agent_by_id(c, &id)?.ok_or_else(|| not_found("agent", id.as_str()))?;
    if !agent.is_active {
        let error = ApiError::new(ErrorCode::Forbidden, "This agent is suspended.");
        return Err(error.hint("The person can take it up again.").into());
    }
    let was_noted = token.last_used_at.is_some_and(|at| at + NOTED > now);
    Ok((Some(by_token(c, agent, token, now)?), was_noted))
}

/// An agent by a token of its own that is in force.
fn by_token(c: &Connection, agent: members::Agent, token: AgentToken, now: EpochMs) -> Result<Admitted, Fault> {
    Ok(Admitted {
        // Another program under this name was not given what stood before it came.
        grants: members::grants_since(c, &agent.id, token.created_at, now)?,
        agent: agent.id,
        name: agent.name,
        token: token.id,
        spaces: token.space_ids,
        rights: token.rights,
        profile: agent.profile,
        requests_per_minute: token.requests_per_minute,
    })
}

/// An agent as it would ask now, for the person who looks what it is told: by the newest of its tokens in force.
pub(crate) fn as_it_asks(c: &Connection, person: &Caller, wanted: &str, now: EpochMs) -> Result<Caller, Fault> {
    let agent = named(c, wanted)?;
    if agent.agent_type != AgentType::Ai {
        return Err(invalid(format!("{} is no agent.", agent.name))
            .hint("Leave the agent out: nothing is hidden.")
            .into());
    }
    // Every token lets its agent read.
    let Some(token) = pairing::tokens_of(c, &agent.id, now)?.into_iter().next() else {
        let error =
            ApiError::new(ErrorCode::AccessEnded, format!("{} has no access now: it is told nothing.", agent.name));
        return Err(error.hint(format!("Let it in: umem agents pair {:?}.", agent.name)).into());
    };
    let admitted = by_token(c, agent, token, now)?;
    let (cancel, progress) = (person.cancel.clone(), person.progress.clone());
    let agent = Caller { cancel, progress, ..Caller::agent(admitted, person.request_id.clone()) };
    super::may_act(c, &agent)?;
    Ok(agent)
}

fn ended(message: &str) -> Fault {
    let error = ApiError::new(ErrorCode::AccessEnded, message);
    error.hint("Ask again with another token, so that the person is asked: `umem mcp` does so by itself.").into()
}

/// What an agent is told whose token was revoked.
pub(super) fn taken_back() -> Fault {
    ended("The person took this agent's access back.")
}

fn not_paired(message: String, hint: &str) -> ApiError {
    ApiError::new(ErrorCode::NotPaired, message).hint(hint)
}

/// Refuses a name about which the person is not asked: not any more, not now, or already.
fn unasked(c: &Connection, engine: &Engine, name: &str, now: EpochMs) -> Result<(), Fault> {
    let (never, put_off) = pairing::answers_to(c, name)?;
    if never {
        return Err(unwanted(name).into());
    }
    if put_off.is_some_and(|at| at + NOT_NOW > now) {
        return Err(not_paired(format!("The person put {name} off."), "Ask again in an hour.").into());
    }
    let waiting = pairing::waiting(c, now - PATIENCE)?;
    // One question at a time for a name, however many secrets it makes.
    let is_asked = waiting.iter().any(|one| pairing::folded(&one.client_name) == pairing::folded(name));
    if is_asked || waits_silently(c, engine, name, now)? {
        let hint = "Try again once they have answered, in the Ultimate Memory window or by `umem agents pair NAME`.";
        return Err(not_paired(format!("{name} waits for the person's answer."), hint).into());
    }
    Ok(())
}

/// What an agent asks for, in its words.
struct Wants {
    process: Option<String>,
    spaces: Vec<String>,
}

impl Wants {
    /// Without words that were forgotten.
    fn of(c: &Connection, key: &Key, claim: &Claim) -> Result<Self, Fault> {
        let short = |words: &String| words.chars().filter(|c| !c.is_control()).take(MAX_WORDS).collect::<String>();
        let process = claim.process.as_ref().map(short);
        let process = match &process {
            Some(words) if !may_come(c, key, Said::Path(words))? => None,
            _ => process,
        };
        let mut spaces: Vec<String> = Vec::new();
        for space in claim.spaces.iter().take(MAX_SPACES).map(short) {
            if may_come(c, key, Said::Name(&space))? {
                spaces.push(space);
            }
        }
        Ok(Self { process, spaces })
    }
}

fn unwanted(name: &str) -> ApiError {
    let hint = "Only they can change that: umem agents pair NAME.";
    not_paired(format!("The person does not want {name} here."), hint)
}

/// Keeps the request of an agent that is not known, and says what it is told.
fn ask(
    tx: &Transaction<'_>,
    engine: &Engine,
    (claim, wants): (&Claim, &Wants),
    (name, hash): (&str, &str),
    now: EpochMs,
) -> Result<ApiError, Fault> {
    unasked(tx, engine, name, now)?;
    let new = NewRequest {
        client_name: name,
        claimed_process: wants.process.as_deref(),
        peer_uid: claim.uid,
        token_hash: hash,
        spaces: match wants.spaces.as_slice() {
            [] => &[DEFAULT_SPACE_NAME.to_owned()],
            named => named,
        },
        rights: if claim.rights.is_empty() { Right::ALL } else { &claim.rights },
    };
    // A name that was forgotten waits like any other, though nobody is asked: whoever tries names out is to learn nothing by it.
    let new = match Door::of(engine.key(), &SpaceId::global()).pass(tx, new) {
        Err(Fault::Api(error)) if error.code == ErrorCode::Forgotten => None,
        passed => Some(passed?),
    };
    let (peers, silent, since) = (&engine.core().peers, &engine.core().silent, now - PATIENCE);
    // Who waits already asks again, by whatever name: that needs no room.
    if !pairing::is_waiting(tx, hash, since)? && !silent.is_of(hash, since) {
        let asked = pairing::waiting(tx, since)?.into_iter().map(|one| one.id);
        // In the order in which they came, as their ids say it.
        let waiting: BTreeSet<PairingId> = asked.chain(silent.waiting(since)).collect();
        // Whoever makes names up closes the door to nobody, and takes nobody's place.
        if let Some(displaced) = peers.room(&Vec::from_iter(waiting), claim.peer.as_ref())? {
            pairing::displace(tx, &displaced)?;
            silent.displace(&displaced);
        }
        let id = match new {
            Some(new) => pairing::insert_request(tx, &new, since, now)?,
            None => Some(silent.keep(engine.key(), (name, hash), now)?),
        };
        if let Some(id) = id {
            peers.note(id, claim.peer.as_ref());
        }
    }
    Ok(not_paired(
        format!("The person is asked whether {name} may come in."),
        "Try again once they have answered, in the Ultimate Memory window or by `umem agents pair NAME`.",
    ))
}

/// What an agent is let into.
struct Opened {
    spaces: Vec<Space>,
    rights: Vec<Right>,
}

/// The spaces and rights that are granted. The person's own space is no agent's, as its policy says.
fn opened(tx: &Connection, caller: &Caller, spaces: &[String], rights: &[Right]) -> Result<Opened, Fault> {
    let mut opened: Vec<Space> = Vec::new();
    for wanted in spaces {
        let space = crate::spaces::resolve(tx, caller, wanted)?;
        if space.space_type != SpaceType::Global && opened.iter().all(|one| one.id != space.id) {
            opened.push(space);
        }
    }
    if opened.is_empty() {
        return Err(invalid("No space is granted.").hint("Name at least one.").into());
    }
    if let Some(closed) = opened.iter().find(|space| space.read_policy == ReadPolicy::OwnerOnly) {
        return Err(ApiError::new(ErrorCode::Conflict, format!("{} is read by its owner only.", closed.name))
            .hint(format!("Change that first: umem space policy {:?} --read members", closed.name))
            .into());
    }
    let mut rights = if rights.is_empty() { Right::ALL.to_vec() } else { rights.to_vec() };
    // Whoever writes reads: it must see what is there already.
    if !rights.contains(&Right::Read) {
        rights.insert(0, Right::Read);
    }
    Ok(Opened { spaces: opened, rights })
}

/// Ends what an agent may beyond a member's part: a program that takes its name later gets what is approved then. Gives
/// its parts as they are now.
fn start_over(tx: &Connection, by: &AgentId, agent: &AgentId, now: EpochMs) -> Result<Vec<members::Membership>, Fault> {
    let mut parts = members::of_agent(tx, agent)?;
    for part in &mut parts {
        part.role = part.role.max(Role::Member);
        members::put(tx, part, by, now)?;
    }
    for (space, _) in members::grants(tx, agent, now)? {
        members::set_grants(tx, &space, agent, &[], by, now)?;
    }
    members::close_folders(tx, agent)?;
    Ok(parts)
}

/// Ends the parts of an agent without a token that are not opened anew.
fn leave_others(tx: &Connection, by: &AgentId, agent: &AgentId, opened: &Opened, now: EpochMs) -> Result<(), Fault> {
    for part in start_over(tx, by, agent, now)? {
        if opened.spaces.iter().all(|space| space.id != part.space) {
            members::put(tx, &members::Membership { status: MembershipStatus::Removed, ..part }, by, now)?;
        }
    }
    Ok(())
}

/// Refuses a name that is the person's, in any space, or the product's: whoever bears it could not be told from them.
fn is_no_agents(tx: &Connection, name: &str) -> Result<(), Fault> {
    let mut is_taken = super::names::is_own(name);
    for space in spaces::all(tx)? {
        is_taken = is_taken || crate::belief::is_person(tx, &space.id, name)?;
    }
    match is_taken {
        true => Err(invalid(format!("{name} is your own name or that of the product, so no agent can have it."))
            .hint(format!("Pair the agent under another name: umem agents pair {:?}.", super::names::of_agent(name)))
            .into()),
        false => Ok(()),
    }
}

/// The agent of that name, made where there is none, with a part in each space that is opened. One that has no token
/// gets that part and nothing more, whatever it was before.
fn let_in(tx: &Connection, caller: &Caller, name: &str, opened: &Opened, now: EpochMs) -> Result<AgentId, Fault> {
    let agent = match spaces::agent_named(tx, name)?.0 {
        Some(agent) => agent,
        None => {
            is_no_agents(tx, name)?;
            spaces::insert_agent(tx, name, now)?
        }
    };
    let is_in = !pairing::tokens_of(tx, &agent, now)?.is_empty();
    if !is_in {
        leave_others(tx, &caller.actor, &agent, opened, now)?;
    }
    let role = if opened.rights.contains(&Right::Write) { Role::Member } else { Role::Observer };
    for space in &opened.spaces {
        let before = members::of(tx, &space.id, &agent)?.filter(|one| one.status == MembershipStatus::Active);
        // A stronger part that it has already stays: the token says what it may with it.
        let role = before.as_ref().filter(|_| is_in).map_or(role, |one| one.role.min(role));
        let trust_weight = before.and_then(|one| one.trust_weight);
        let part = members::Membership {
            space: space.id.clone(),
            agent: agent.clone(),
            role,
            status: MembershipStatus::Active,
            trust_weight,
        };
        members::put(tx, &part, &caller.actor, now)?;
    }
    Ok(agent)
}

/// Ends and rates of a token.
#[derive(Default)]
struct Terms {
    expires_at: Option<EpochMs>,
    requests_per_minute: Option<u32>,
}

fn give(
    tx: &Connection,
    caller: &Caller,
    agent: &AgentId,
    hash: &str,
    opened: &Opened,
    terms: &Terms,
    now: EpochMs,
) -> Result<TokenId, Fault> {
    let spaces: Vec<SpaceId> = opened.spaces.iter().map(|space| space.id.clone()).collect();
    let new = NewToken {
        agent,
        hash,
        spaces: &spaces,
        rights: &opened.rights,
        requests_per_minute: terms.requests_per_minute,
        expires_at: terms.expires_at,
    };
    let token = pairing::insert_token(tx, &new, now)?;
    let payload = serde_json::json!({ "token": token, "spaces": spaces, "rights": opened.rights,
        "expires_at": terms.expires_at });
    let global = SpaceId::global();
    Engine::audit(tx, caller, "agent.paired", ("agents", agent.as_str()), &global, payload, now)?;
    Ok(token)
}

/// The time that a token lasts for which so many days were said.
fn in_days(days: Option<u32>) -> Outcome<Option<EpochMs>> {
    match days {
        Some(0) => Err(invalid("Days are 1 or more.")),
        days => Ok(days.map(|days| EpochMs::from(days) * DAY)),
    }
}

/// Answers a request for access.
pub(crate) fn pairing_decide(engine: &Engine, caller: &Caller, request: PairingDecide) -> Outcome<PairingRequest> {
    let lasts = in_days(request.expires_in_days)?;
    if lasts.is_some() && request.answer != Some(PairingAnswer::Always) {
        return Err(invalid("Days are of an access that lasts.").hint("Answer always, or give no days."));
    }
    let (now, writer) = (engine.now(), caller.clone());
    let decided = engine.write(move |tx| {
        super::may_act(tx, &writer)?;
        let unknown = || not_found("request for access", request.id.as_str());
        let (asked, hash) = pairing::request_by_id(tx, &request.id)?.ok_or_else(unknown)?;
        if asked.status != PairingStatus::Pending {
            return Err(ApiError::new(ErrorCode::Conflict, "This request is answered already.")
                .hint("Revoke the token to take a yes back; pair the agent by hand to take a no back.")
                .into());
        }
        let global = SpaceId::global();
        let refused = |status| Decision { status, answer: request.answer, by: &writer.actor, agent: None, token: None };
        match request.answer {
            None => pairing::decide(tx, &request.id, &refused(PairingStatus::Expired), now)?,
            Some(PairingAnswer::Never) => pairing::decide(tx, &request.id, &refused(PairingStatus::Denied), now)?,
            Some(answer) => {
                let wanted = request.spaces.as_ref().unwrap_or(&asked.spaces);
                let opened = opened(tx, &writer, wanted, request.rights.as_ref().unwrap_or(&asked.rights))?;
                let agent = let_in(tx, &writer, &asked.client_name, &opened, now)?;
                let lasts = if answer == PairingAnswer::Once { Some(ONCE) } else { lasts };
                let expires_at = lasts.map(|time| now + time);
                let terms = Terms { expires_at, requests_per_minute: None };
                let token = give(tx, &writer, &agent, &hash, &opened, &terms, now)?;
                let (agent, token) = (Some(&agent), Some(&token));
                let yes =
                    Decision { status: PairingStatus::Approved, answer: Some(answer), by: &writer.actor, agent, token };
                pairing::decide(tx, &request.id, &yes, now)?;
            }
        }
        let payload = serde_json::json!({ "answer": request.answer });
        let object = ("pairing_requests", request.id.as_str());
        Engine::audit(tx, &writer, "pairing.decided", object, &global, payload, now)?;
        Ok(pairing::request_by_id(tx, &request.id)?.ok_or_else(unknown)?.0)
    })?;
    engine.tell(Event::Access);
    Ok(decided)
}

/// The spaces that the tokens of that name open; `default` for an agent that was never here.
fn spaces_of(tx: &Connection, name: &str, now: EpochMs) -> Result<Vec<String>, Fault> {
    let Some(agent) = spaces::agent_named(tx, name)?.0 else { return Ok(vec![DEFAULT_SPACE.to_owned()]) };
    let opened: Vec<SpaceId> =
        pairing::tokens_of(tx, &agent, now)?.into_iter().flat_map(|token| token.space_ids).collect();
    let there: Vec<String> = spaces::all(tx)?
        .into_iter()
        .filter(|space| opened.contains(&space.id))
        .map(|space| space.id.to_string())
        .collect();
    if there.is_empty() {
        return Err(invalid(format!("{name} has access to no space at present."))
            .hint(format!("Say which it is to have: umem agents pair {name:?} --space SPACE."))
            .into());
    }
    Ok(there)
}

/// Pairs an agent by hand: answers its waiting request, or makes a token that is told this once.
pub(crate) fn agent_pair(engine: &Engine, caller: &Caller, request: AgentPair) -> Outcome<Paired> {
    let name = super::names::given(&request.name)
        .ok_or_else(|| invalid("The agent needs a name.").hint("Give the name that it calls itself."))?;
    if request.requests_per_minute == Some(0) {
        return Err(invalid("Requests a minute are 1 or more."));
    }
    let lasts = in_days(request.expires_in_days)?;
    let (now, writer, key) = (engine.now(), caller.clone(), engine.key().clone());
    let secret = crate::access::secret()?;
    let paired = engine.write(move |tx| {
        super::may_act(tx, &writer)?;
        // Names of agents that are there already are no news.
        if spaces::agent_named(tx, &name)?.0.is_none() {
            crate::forget::refuse_said(tx, &key, &[SpaceId::global()], Said::Name(&name))?;
        }
        let waiting = pairing::waiting(tx, now - PATIENCE)?
            .into_iter()
            .find(|one| pairing::folded(&one.client_name) == pairing::folded(&name));
        let wanted = match &waiting {
            Some(asked) if request.spaces.is_empty() => asked.spaces.clone(),
            None if request.spaces.is_empty() => spaces_of(tx, &name, now)?,
            _ => request.spaces.clone(),
        };
        let rights = match &waiting {
            Some(asked) if request.rights.is_empty() => &asked.rights,
            _ => &request.rights,
        };
        let opened = opened(tx, &writer, &wanted, rights)?;
        let agent = let_in(tx, &writer, &name, &opened, now)?;
        let expires_at = lasts.map(|time| now + time);
        let terms = Terms { expires_at, requests_per_minute: request.requests_per_minute };
        let told = match waiting {
            None => {
                give(tx, &writer, &agent, &pairing::hash(&secret), &opened, &terms, now)?;
                Some(secret)
            }
            Some(asked) => {
                let unknown = || not_found("request for access", asked.id.as_str());
                let (_, hash) = pairing::request_by_id(tx, &asked.id)?.ok_or_else(unknown)?;
                let token = give(tx, &writer, &agent, &hash, &opened, &terms, now)?;
                let answer = Some(PairingAnswer::Always);
                let (agent, token) = (Some(&agent), Some(&token));
                let yes = Decision { status: PairingStatus::Approved, answer, by: &writer.actor, agent, token };
                pairing::decide(tx, &asked.id, &yes, now)?;
                None
            }
        };
        let agent = members::agent_by_id(tx, &agent)?.ok_or_else(|| not_found("agent", agent.as_str()))?;
        Ok(Paired { agent: info(tx, &every_space(tx)?, agent, now)?, token: told })
    })?;
    engine.tell(Event::Access);
    Ok(paired)
}

/// Revokes an agent's tokens, all or one.
pub(crate) fn agent_revoke(engine: &Engine, caller: &Caller, request: AgentRevoke) -> Outcome<AgentInfo> {
    let (now, writer, token) = (engine.now(), caller.clone(), request.token.clone());
    let revoked = engine.write(move |tx| {
        super::may_act(tx, &writer)?;
        let agent = named(tx, &request.agent)?;
        is_program(&agent)?;
        let ended = pairing::revoke(tx, &agent.id, request.token.as_ref(), now)?;
        if let (0, Some(token)) = (ended, &request.token) {
            return Err(not_found("token in use", token.as_str()).into());
        }
        if pairing::tokens_of(tx, &agent.id, now)?.is_empty() {
            start_over(tx, &writer.actor, &agent.id, now)?;
        }
        let agent = members::agent_by_id(tx, &agent.id)?.ok_or_else(|| not_found("agent", agent.id.as_str()))?;
        let payload = serde_json::json!({ "tokens": ended });
        let global = SpaceId::global();
        Engine::audit(tx, &writer, "agent.revoked", ("agents", agent.id.as_str()), &global, payload, now)?;
        info(tx, &every_space(tx)?, agent, now)
    })?;
    crate::work::stop_calls_of(engine, &revoked.id, |by| token.is_none() || by.token == token);
    engine.tell(Event::Access);
    Ok(revoked)
}
