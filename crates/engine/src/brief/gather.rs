//! What belongs in a pack, in the order of its authority: standing rules, what is pinned, what is in hand, entries, how the last
//! session ended, resources, facts, passages.

mod entries;

pub(super) use entries::in_words;

use super::{Asked, DAY_MS, warnings};
use crate::Caller;
use crate::error::Fault;
use crate::recall::words::Question;
use crate::scopes::{At, Level, chain};
use entries::Speaking;
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use um_model::belief::ClaimState;
use um_model::claims::Claim;
use um_model::recall::Hit;
use um_model::work::*;
use um_model::{AgentId, EpochMs, EventId, MemoryStatus, SpaceId, ViewType};
use um_store::briefs::{self, InHand};
use um_store::filter::Then;
use um_store::{Connection, claims, evidence, memories, pinned, resources};

/// So many resources and facts are gathered.
const RESOURCES: usize = 20;
const FACTS: u32 = 20;
/// Whoever is trusted less is marked.
pub(super) const LOW_TRUST: f64 = 0.5;

/// Something that belongs in a pack.
pub(super) struct Candidate {
    pub part: Part,
    pub because: Because,
    /// How it is cited, where that is said already.
    pub citation: Option<String>,
    pub item: ItemRef,
    pub text: String,
    pub low_trust: bool,
    /// What the agent is called that brought it in, where one did.
    pub by: Option<String>,
    pub source_event_ids: Vec<EventId>,
    pub metadata: Map<String, Value>,
    /// What stands beside its name outside of its fence: numbers and fixed words only.
    pub mark: String,
}

/// What belongs in a pack, and what is over the space's own budget of what is always read.
#[derive(Default)]
pub(super) struct Gathered {
    pub candidates: Vec<Candidate>,
    pub over: Vec<Candidate>,
    /// Whether not all was compared with the words that says something else by now.
    pub past_is_cut: bool,
}

/// What is read, and for whom.
struct Reading<'a> {
    c: &'a Connection,
    caller: &'a Caller,
    place: &'a At,
    levels: Vec<Level>,
    expression: Option<String>,
    /// Who is trusted little in which space, as far as that was looked up.
    low: RefCell<BTreeMap<(SpaceId, AgentId), bool>>,
    /// What agents are called, as far as that was looked up.
    names: RefCell<BTreeMap<AgentId, Option<String>>>,
    /// Of which other time than now is read.
    then: Then,
    /// The time of which is told what was so.
    at: EpochMs,
    /// How far the clock of whoever asks is ahead of UTC, in minutes.
    utc_offset: i32,
}

pub(super) fn gather(
    c: &Connection,
    caller: &Caller,
    place: &At,
    asked: &Asked<'_>,
    hits: &[Hit],
    now: EpochMs,
) -> Result<Gathered, Fault> {
    let expression = asked.query.and_then(|query| Question::parse(query).match_expression());
    let (levels, then, utc_offset) = (chain(c, caller, place)?, asked.then, asked.utc_offset);
    let at = then.as_of.unwrap_or(now);
    let (low, names) = (RefCell::default(), RefCell::default());
    let reading = Reading { c, caller, place, levels, expression, low, names, then, at, utc_offset };
    // What is in hand, and how the last session ended, is told of now alone.
    let tells_of_work = asked.policy != Policy::Workspace && then.is_now();
    let mut gathered = reading.always()?;
    let found = &mut gathered.candidates;
    if tells_of_work {
        found.extend(reading.in_hand()?);
    }
    let Speaking { of_levels: speaking, mut past_is_cut } = reading.speaking()?;
    let mut at_last = Vec::new();
    for of in [
        (EntryType::Guideline, Part::Guideline),
        (EntryType::Tool, Part::Tool),
        (EntryType::Knowledge, Part::Knowledge),
    ] {
        let [speaks, others, ran_out] = reading.entries(of, &speaking)?;
        found.extend(speaks);
        // Where something is asked, what a space knows of other matters takes no room from what answers; guidelines hold always.
        let waits = reading.expression.is_some() && of.1 != Part::Guideline;
        if waits { &mut at_last } else { &mut *found }.extend(others);
        // What stopped to hold takes no room from what holds.
        at_last.extend(ran_out);
    }
    if tells_of_work {
        found.extend(reading.last_session()?);
    }
    if asked.policy != Policy::Task {
        let (resources, is_cut) = reading.resources()?;
        found.extend(resources);
        past_is_cut |= is_cut;
    }
    if reading.expression.is_some() && asked.policy != Policy::Workspace {
        found.extend(reading.facts()?);
        found.extend(reading.passages(hits)?);
    }
    found.extend(at_last);
    gathered.past_is_cut = past_is_cut;
    Ok(gathered)
}

impl Reading<'_> {
    fn is_low(&self, space: &SpaceId, actor: &AgentId) -> Result<bool, Fault> {
        let whose = (space.clone(), actor.clone());
        if let Some(is_low) = self.low.borrow().get(&whose) {
            return Ok(*is_low);
        }
        let is_low = briefs::trust(self.c, space, actor)? < LOW_TRUST;
        self.low.borrow_mut().insert(whose, is_low);
        Ok(is_low)
    }

    /// What the agent is called that brought something in, where it was one.
    fn by(&self, actor: &AgentId) -> Result<Option<String>, Fault> {
        if let Some(name) = self.names.borrow().get(actor) {
            return Ok(name.clone());
        }
        let name = briefs::agent_name(self.c, actor)?;
        self.names.borrow_mut().insert(actor.clone(), name.clone());
        Ok(name)
    }

    /// Standing rules and what is pinned, within the space's own budget: the first that fit.
    fn always(&self) -> Result<Gathered, Fault> {
        let (rules, then) = (BlocksList::default(), self.then.earlier());
        let rules = crate::blocks::in_force(self.c, self.caller, self.place, &rules, then)?;
        let mut every = Vec::new();
        for block in rules {
            every.push(Candidate {
                part: Part::Core,
                because: Because::Always,
                citation: None,
                item: item(ItemType::CoreBlock, block.id.as_str(), &block.space_id, &block.label),
                low_trust: self.is_low(&block.space_id, &block.actor_id)?,
                by: self.by(&block.actor_id)?,
                text: block.content,
                source_event_ids: Vec::new(),
                metadata: object(json!({ "authority": block.authority, "inherited": block.inherited })),
                mark: format!("authority {}", block.authority),
            });
        }
        let pinned = match self.then.is_now() {
            true => pinned::of_space(self.c, &self.place.space.id)?,
            false => pinned::of_space_then(self.c, &self.place.space.id, self.then)?,
        };
        for memory in pinned {
            let title = memory.title.as_deref().unwrap_or_default();
            let kept = memories::by_id(self.c, &memory.id)?;
            // Its time has come, and it was not taken out of use yet.
            if kept.as_ref().and_then(|kept| kept.expires_at).is_some_and(|at| at <= self.at) {
                continue;
            }
            let whose = kept.map(|kept| kept.actor_id);
            every.push(Candidate {
                part: Part::Pinned,
                because: Because::Always,
                citation: None,
                item: item(ItemType::Memory, memory.id.as_str(), &memory.space_id, title),
                low_trust: whose.as_ref().map_or(Ok(true), |actor| self.is_low(&memory.space_id, actor))?,
                by: whose.map_or(Ok(None), |actor| self.by(&actor))?,
                text: memory.content,
                source_event_ids: Vec::new(),
                metadata: Map::new(),
                mark: String::new(),
            });
        }
        let budget = pinned::budget(self.c, &self.place.space.id)?;
        let (mut chars, mut records) = (0, 0);
        let mut gathered = Gathered::default();
        for one in every {
            let more = one.text.chars().count();
            if records < budget.max_records as usize && chars + more <= budget.max_chars as usize {
                (chars, records) = (chars + more, records + 1);
                gathered.candidates.push(one);
            } else {
                gathered.over.push(one);
            }
        }
        Ok(gathered)
    }

    /// What is in hand in the session, or in the space where none is named.
    fn in_hand(&self) -> Result<Option<Candidate>, Fault> {
        let (space, session) = (&self.place.space.id, self.place.session.as_ref());
        let of_session = briefs::active_state(self.c, space, session)?;
        // A session that has nothing of its own in hand yet goes on with what the space has.
        let state = match of_session {
            None if session.is_some() => briefs::active_state(self.c, space, None)?,
            state => state,
        };
        let Some(state) = state else { return Ok(None) };
        let id = state.id.to_string();
        self.state(Part::State, (ItemType::SessionState, &id), state).map(Some)
    }

    /// How the last session ended: an agent's own, as what is in hand in one is seen in it alone.
    fn last_session(&self) -> Result<Option<Candidate>, Fault> {
        let agent = self.caller.is_agent().then_some(&self.caller.actor);
        let which = (agent, self.place.session.as_ref());
        let Some((session, state)) = briefs::last_session(self.c, &self.place.space.id, which)? else {
            return Ok(None);
        };
        self.state(Part::LastSession, (ItemType::Session, session.as_str()), state).map(Some)
    }

    fn state(&self, part: Part, (item_type, id): (ItemType, &str), state: InHand) -> Result<Candidate, Fault> {
        Ok(Candidate {
            part,
            because: Because::Work,
            citation: None,
            item: item(item_type, id, &self.place.space.id, &state.goal),
            text: in_hand(&state),
            low_trust: self.is_low(&self.place.space.id, &state.actor)?,
            by: self.by(&state.actor)?,
            source_event_ids: state.source_event_ids,
            metadata: Map::new(),
            mark: String::new(),
        })
    }

    /// The resources of the space that speak of what is asked, or did then; its roots where nothing is asked. And whether not all was
    /// compared that said something else then.
    fn resources(&self) -> Result<(Vec<Candidate>, bool), Fault> {
        let (space, first) = (&self.place.space.id, (0, RESOURCES as u32));
        let (found, past_is_cut) = match (&self.expression, self.then.is_now()) {
            (Some(expression), true) => (self.whole(resources::search(self.c, space, expression, RESOURCES)?)?, false),
            (Some(expression), false) => self.spoke(expression)?,
            (None, true) => (self.whole(resources::children(self.c, space, None, first)?.0)?, false),
            (None, false) => (crate::resources::lay_under(self.c, (space, None), self.then, first)?.0, false),
        };
        let mut candidates = Vec::new();
        for one in found {
            candidates.push(Candidate {
                part: Part::Resource,
                because: if self.expression.is_some() { Because::Speaks } else { Because::Order },
                citation: None,
                item: item(ItemType::Resource, one.id.as_str(), &one.space_id, &one.title),
                text: addressed(&one),
                low_trust: self.is_low(&one.space_id, &one.actor_id)?,
                by: self.by(&one.actor_id)?,
                source_event_ids: one.source_event_ids,
                metadata: one.metadata,
                mark: one.kind.to_string(),
            });
        }
        Ok((candidates, past_is_cut))
    }

    /// The resources that spoke of what is asked at another time, as they were then.
    fn spoke(&self, expression: &str) -> Result<(Vec<Resource>, bool), Fault> {
        let found = resources::search_at(self.c, &self.place.space.id, expression, self.then, RESOURCES)?;
        let mut spoke = Vec::with_capacity(found.rids.len());
        for rid in found.rids {
            let Some(stored) = resources::by_rid(self.c, rid)? else { continue };
            spoke.extend(crate::resources::as_was(self.c, stored, self.then)?);
        }
        Ok((spoke, found.past_is_cut))
    }

    /// Resources with what they say.
    fn whole(&self, found: Vec<Resource>) -> Result<Vec<Resource>, Fault> {
        let mut whole = Vec::with_capacity(found.len());
        for one in found {
            whole.extend(resources::by_id(self.c, &one.id)?.map(|stored| stored.resource));
        }
        Ok(whole)
    }

    /// What is believed to be so, or was at the time that is asked of, and speaks of what is asked: what has ended is no fact to work by.
    fn facts(&self) -> Result<Vec<Candidate>, Fault> {
        let spaces = crate::spaces::asked(self.c, self.caller, Some(self.place.space.id.as_str()))?;
        let then = Then { as_of: Some(self.at), known_at: self.then.known_at };
        let question = claims::Question {
            spaces: spaces.into_iter().map(|space| space.id).collect(),
            expression: self.expression.clone(),
            states: vec![ClaimState::Asserted, ClaimState::Disputed],
            then,
            ..claims::Question::default()
        };
        let mut facts = claims::first(self.c, &question, FACTS)?;
        claims::as_then(self.c, &mut facts, then)?;
        let mut found = Vec::new();
        for fact in facts {
            let Believed { mark, low_trust, by, source_event_ids } = believed(self.c, &fact, self.then.known_at)?;
            found.push(Candidate {
                part: Part::Fact,
                because: Because::Speaks,
                citation: None,
                item: item(ItemType::Claim, fact.id.as_str(), &fact.space_id, &fact.statement),
                low_trust,
                by,
                mark,
                text: fact.statement,
                source_event_ids,
                metadata: Map::new(),
            });
        }
        Ok(found)
    }

    /// The passages that answer what is asked, with their days.
    fn passages(&self, hits: &[Hit]) -> Result<Vec<Candidate>, Fault> {
        let mut candidates = Vec::new();
        for hit in hits {
            // It may have gone out of use since it was found; what was so at another time was in use then, and may not be now.
            let is_there = |status: MemoryStatus| match self.then.is_now() {
                true => status == MemoryStatus::Active,
                false => status != MemoryStatus::Deleted,
            };
            let memory = memories::by_id(self.c, &hit.ids.memory)?;
            let Some(memory) = memory.filter(|memory| is_there(memory.status)) else { continue };
            let told_on = self.told_on(hit)?;
            let marks: Vec<String> = page(hit).into_iter().chain(read_how(hit)).chain(told_on).collect();
            let found = &hit.score_parts;
            let is_direct = found.bm25_rank.is_some() || found.vector_rank.is_some() || found.period.is_some();
            let because = if is_direct { Because::Speaks } else { Because::Near };
            candidates.push(Candidate {
                part: Part::Evidence,
                because,
                citation: None,
                item: item(ItemType::Memory, hit.ids.memory.as_str(), &hit.ids.space, &hit.title),
                text: hit.quote.clone(),
                low_trust: self.is_low(&hit.ids.space, &memory.actor_id)?,
                by: self.by(&memory.actor_id)?,
                source_event_ids: Vec::new(),
                metadata: object(json!({ "unit": hit.ids.unit, "page": hit.page })),
                mark: marks.join(", "),
            });
        }
        // What only stands near something that answers comes after all that does.
        candidates.sort_by_key(|candidate| candidate.because == Because::Near);
        Ok(candidates)
    }

    /// On which day what a passage says happened, where that is told; else on which it was said, where anything tells. That a file was
    /// last changed then tells neither.
    fn told_on(&self, hit: &Hit) -> Result<Option<String>, Fault> {
        let (how, at) = match hit.occurred_at {
            Some(at) => ("happened", Some(at)),
            None => ("said", memories::said_at(self.c, &hit.ids.memory)?),
        };
        Ok(at.and_then(|at| day(at, self.utc_offset)).map(|day| format!("{how} {day}")))
    }
}

/// What a pack tells of a fact beside its words.
pub(super) struct Believed {
    pub mark: String,
    pub low_trust: bool,
    /// What the agent is called that said so first, where nobody but agents does.
    pub by: Option<String>,
    pub source_event_ids: Vec<EventId>,
}

/// How far a fact is to be relied on, whose word it is, and what it rests on; whether a model alone read it as was known at a time, where
/// one is given.
pub(super) fn believed(c: &Connection, fact: &Claim, known_at: Option<EpochMs>) -> Result<Believed, Fault> {
    // What a language model alone read may be what it made up.
    let of_model = !evidence::only_of_model(c, std::slice::from_ref(&fact.id), known_at)?.is_empty();
    let read = if of_model { ", read by a language model alone" } else { "" };
    Ok(Believed {
        mark: format!("{}, confidence {:.2}{read}", fact.state.as_str(), fact.confidence),
        low_trust: of_model || fact.confidence < LOW_TRUST,
        by: evidence::only_of_agents(c, &fact.id)?,
        source_event_ids: briefs::events_of_claim(c, &fact.id)?,
    })
}

/// Where a passage stands in its file.
fn page(hit: &Hit) -> Option<String> {
    hit.page.map(|page| format!("page {page}"))
}

/// How the words of a passage came about, where they may be other than what is seen or heard.
fn read_how(hit: &Hit) -> Option<String> {
    let how = match hit.view_type {
        Some(ViewType::Ocr) => "recognised in a picture",
        Some(ViewType::Asr) => "recognised in a recording",
        Some(ViewType::Caption) => "a description of a picture",
        _ => return None,
    };
    Some(how.to_owned())
}

/// The day of a moment by a clock that is so many minutes ahead of UTC. What is told by its day alone begins as that does in UTC, as
/// sources name their days, and is of that day wherever it is read.
fn day(at: EpochMs, utc_offset: i32) -> Option<String> {
    warnings::day(at, if at.rem_euclid(DAY_MS) == 0 { 0 } else { utc_offset })
}

pub(super) fn item(item_type: ItemType, id: &str, space: &SpaceId, title: &str) -> ItemRef {
    ItemRef { item_type, id: id.to_owned(), space_id: space.clone(), title: title.to_owned() }
}

pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// What is in hand, as a person reads it.
pub(super) fn in_hand(state: &InHand) -> String {
    let mut lines = vec![format!("Goal: {}", state.goal)];
    lines.extend(state.summary.as_deref().filter(|summary| !summary.is_empty()).map(str::to_owned));
    if !state.working_set.is_empty() {
        lines.push(format!("Working on: {}", state.working_set.join(", ")));
    }
    lines.join("\n")
}

/// A resource under its address.
pub(super) fn addressed(one: &Resource) -> String {
    let says = one.content.as_deref().map(|content| format!("\n{content}")).unwrap_or_default();
    format!("{}{says}", one.uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_that_of_the_clock_unless_it_was_told_as_a_day() {
        const HOUR: EpochMs = 3_600_000;
        // The third of May 2021.
        const BEGINS: EpochMs = 1_620_000_000_000;
        let check = |at: EpochMs, hours: i32, expected: &str| {
            assert_eq!(day(at, hours * 60).as_deref(), Some(expected), "{at}, {hours} hours ahead");
        };
        check(BEGINS + HOUR, 0, "2021-05-03");
        check(BEGINS + HOUR, -7, "2021-05-02");
        check(BEGINS + 11 * HOUR, 14, "2021-05-04");
        for hours in [0, -7, 14] {
            check(BEGINS, hours, "2021-05-03");
        }
        assert_eq!(day(EpochMs::MAX, 840), None);
    }
}
