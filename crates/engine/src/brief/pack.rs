//! Packing: what fits the budget, in order. What is too long is left out whole and named, as half an item misleads.

mod place;

use super::count::Counter;
use super::gather::Gathered;
use super::shown::Shown;
use super::text::LeftOutCount;
use super::{Asked, neutral, text, then, warnings};
use crate::error::{Fault, Outcome};
use crate::scopes::At;
use place::Place;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use um_model::EpochMs;
use um_model::work::*;
use um_store::{Connection, contexts, provenance};

/// So many are named of what is left out.
const NAMED: usize = 50;
/// What may be written of what was searched takes no more than this part of the budget.
const OF_NOTICES: u32 = 4;

/// A pack without its text yet: what may stand in it, in the order of its authority.
pub(super) struct Packed {
    /// The pack without items, with the warnings of all that may stand in it.
    pack: Briefing,
    places: Vec<Place>,
    /// What the text tells of how was searched.
    notices: Vec<String>,
    /// Which place says what, of those that are taken, and how long the longest is.
    said: BTreeMap<String, usize>,
    longest: usize,
    mark: String,
    counter: Counter,
    /// What says what speaks against an item by a work tree, where one is named.
    compare: Option<Compare>,
}

/// What speaks against relying on an item, by what it says of the work tree that it was written in.
type Compare = Box<dyn FnMut(&ItemRef, &Map<String, Value>) -> Vec<RecallWarning>>;

impl Packed {
    /// With what the items say of the work trees that they were written in.
    pub(super) fn with_metadata(mut self, c: &Connection) -> Result<Self, Fault> {
        for place in self.places.iter_mut().filter(|place| place.is_open()) {
            place.metadata = provenance::of_item(c, &place.item.item.key())?;
        }
        Ok(self)
    }

    /// Lets the items be compared with a work tree as they are taken, in their order: so much of it is read at most, and what has no room
    /// takes nothing of that.
    pub(super) fn compare_by(
        &mut self,
        compare: impl FnMut(&ItemRef, &Map<String, Value>) -> Vec<RecallWarning> + 'static,
    ) {
        self.compare = Some(Box::new(compare));
    }

    /// Compares an item with the work tree, where one is named and that was not done yet. Says whether anything speaks against it by that.
    fn compare(&mut self, at: usize) -> bool {
        let Self { compare: Some(compare), places, pack, .. } = self else { return false };
        let item = &places[at].item.item;
        // What is pinned may stand there as a passage, too.
        let is_same = |other: &ItemRef| other.item_type == item.item_type && other.id == item.id;
        if places.iter().any(|other| other.is_compared && is_same(&other.item.item)) {
            return false;
        }
        let warnings = compare(item, &places[at].metadata);
        let is_warned = !warnings.is_empty();
        pack.recall_warnings.extend(warnings);
        places[at].is_compared = true;
        is_warned
    }

    /// Takes what fits and writes the text, as it is `shown` to whoever reads it. The items are counted one by one, as they are shown; what
    /// follows them may make the whole more than the budget: then the last items have no room, and what has room in their place is taken.
    pub(super) fn finish(mut self, shown: impl Fn(&Briefing) -> Outcome<Option<Shown>>) -> Outcome<Briefing> {
        self.see(&shown)?;
        self.fill();
        let mut used = loop {
            let used = self.written(&shown)?.estimated_tokens;
            let over = used.saturating_sub(self.pack.budget_tokens);
            if over == 0 {
                break used;
            }
            if !self.put_back_last(over) {
                if self.notices.is_empty() {
                    break used;
                }
                self.notices.clear();
            }
        };
        while let Some(more) = self.take_more(used, &shown)? {
            used = more;
        }
        let mut pack = self.written(&shown)?;
        pack.text_hash = format!("{:x}", Sha256::digest(&pack.full_text));
        Ok(pack)
    }

    /// Looks how everything is shown: by that it is counted.
    fn see(&mut self, shown: &impl Fn(&Briefing) -> Outcome<Option<Shown>>) -> Outcome<()> {
        let items = self.places.iter().filter(|place| place.is_whole).map(|place| place.item.clone()).collect();
        let pack = Briefing { items, ..self.pack.clone() };
        if let Some(shown) = shown(&pack)? {
            let places = self.places.iter_mut().filter(|place| place.is_whole);
            places.zip(shown.of(&pack.items)).for_each(|(place, seen)| place.seen = Some(seen));
            // A mark that is made of what is hidden would tell whether a guess at it is right.
            let seen = self.places.iter().filter_map(|place| place.seen.as_ref());
            let texts = seen.flat_map(text::said);
            self.mark = text::mark(texts.chain(self.notices.iter().map(|notice| &**notice)));
        }
        Ok(())
    }

    /// Takes what fits, in order, as if nothing of it were left out.
    fn fill(&mut self) {
        let budget = self.pack.budget_tokens;
        for at in 0..self.places.len() {
            if self.places[at].is_over && self.places[at].is_whole {
                self.count(at, budget);
            }
        }
        let over = self.left_out(|place| place.is_over);
        let nothing = text::compose(&self.pack, over, &self.notices, &self.mark);
        let mut left = budget.saturating_sub(self.counter.tokens(&nothing));
        for at in 0..self.places.len() {
            left -= self.take(at, left).unwrap_or_default();
        }
    }

    /// Tries again, in order, what had no room when so many tokens are used. Gives how many are used then, where something has room.
    fn take_more(&mut self, used: u32, shown: &impl Fn(&Briefing) -> Outcome<Option<Shown>>) -> Outcome<Option<u32>> {
        let (budget, mut more) = (self.pack.budget_tokens, None);
        for at in 0..self.places.len() {
            let left = budget.saturating_sub(more.unwrap_or(used));
            if self.take(at, left).is_none() {
                continue;
            }
            let tokens = self.written(shown)?.estimated_tokens;
            if tokens <= budget {
                more = Some(tokens);
            } else {
                self.put_back(at);
            }
        }
        Ok(more)
    }

    /// Takes an item that has room in so many tokens, and that no other one says already. Gives how many it takes, with what is said
    /// against it.
    fn take(&mut self, at: usize, left: u32) -> Option<u32> {
        let place = &self.places[at];
        if place.is_taken || !place.is_open() {
            return None;
        }
        // What is known to be too long is not counted again.
        if place.tokens.0 <= left {
            self.count(at, left);
        }
        let place = &self.places[at];
        // Of what is said twice, the one of more authority stays.
        let folded = neutral::folded_within(&place.item.text, self.longest);
        let same = folded.and_then(|folded| self.said.get(&folded).copied());
        let may_have_room = same.is_none() && place.tokens.1;
        let mut needed = self.needed(at);
        if may_have_room && needed <= left && self.compare(at) {
            needed = self.needed(at);
        }
        let has_room = may_have_room && needed <= left;
        let place = &self.places[at];
        if has_room && let Some(folded) = neutral::folded_within(&place.item.text, usize::MAX) {
            self.longest = self.longest.max(folded.len());
            self.said.insert(folded, at);
        }
        let place = &mut self.places[at];
        (place.same, place.is_taken) = (same, has_room);
        has_room.then_some(needed)
    }

    /// How many tokens an item takes that was counted, with what is said against it as far as that is known.
    fn needed(&self, at: usize) -> u32 {
        let place = &self.places[at];
        let against = text::against(&self.pack, &place.item);
        place.tokens.0.saturating_add(against.map_or(0, |line| self.counter.tokens(&line)))
    }

    /// Counts an item as it would stand there, up to so many tokens.
    fn count(&mut self, at: usize, most: u32) {
        let part = self.places[at].item.part;
        let number = 1 + self.places[..at].iter().filter(|one| one.is_taken && one.item.part == part).count();
        let place = &mut self.places[at];
        let counted = place.seen.as_mut().unwrap_or(&mut place.item);
        if !place.is_cited {
            counted.citation = format!("{}{number}", text::letter(part));
        }
        place.tokens = self.counter.tokens_within(&text::framed(counted, &self.mark), most);
    }

    fn put_back(&mut self, at: usize) {
        self.said.retain(|_, of| *of != at);
        self.places[at].is_taken = false;
        // Whatever was left out because it says the same has no room either, unless it is tried again.
        self.places.iter_mut().filter(|place| place.same == Some(at)).for_each(|place| place.same = None);
    }

    /// Puts back the last items: as many as have so many tokens. Says whether there were any.
    fn put_back_last(&mut self, mut tokens: u32) -> bool {
        let mut any = false;
        while tokens > 0 {
            let Some(last) = self.places.iter().rposition(|place| place.is_taken) else { break };
            tokens = tokens.saturating_sub(self.places[last].tokens.0);
            self.put_back(last);
            any = true;
        }
        any
    }

    /// How many of some places are left out.
    fn left_out(&self, is_counted: impl Fn(&Place) -> bool) -> LeftOutCount {
        let mut count = LeftOutCount::default();
        for place in self.places.iter().filter(|place| !place.is_taken && is_counted(place)) {
            count.all += 1;
            count.rules += usize::from(place.item.part == Part::Core && place.why() != LeftOutWhy::SaidAlready);
        }
        count
    }

    /// The pack of what is taken, with its text as it is `shown`, but for the hash.
    fn written(&self, shown: &impl Fn(&Briefing) -> Outcome<Option<Shown>>) -> Outcome<Briefing> {
        let mut pack = self.pack.clone();
        let mut numbers: BTreeMap<Part, u32> = BTreeMap::new();
        let mut citations: BTreeMap<usize, String> = BTreeMap::new();
        for (at, place) in self.places.iter().enumerate().filter(|(_, place)| place.is_taken) {
            let mut item = place.item.clone();
            let number = numbers.entry(item.part).or_default();
            *number += 1;
            if !place.is_cited {
                item.citation = format!("{}{number}", text::letter(item.part));
            }
            citations.insert(at, item.citation.clone());
            pack.items.push(item);
        }
        for place in self.places.iter().filter(|place| !place.is_taken).take(NAMED) {
            let (tokens, are_all) = place.tokens;
            pack.left_out.push(LeftOut {
                part: place.item.part,
                item: place.item.item.clone(),
                space_id: place.item.space_id.clone(),
                tokens,
                is_more: !are_all,
                why: place.why(),
                same_as: place.same.and_then(|same| citations.get(&same).cloned()),
                unit: contexts::unit_of(&place.item),
            });
        }
        only_of_items(&mut pack);
        let left_out = self.left_out(|_| true);
        pack.left_out_total = u32::try_from(left_out.all).unwrap_or(u32::MAX);
        let compose = |pack: &Briefing| text::compose(pack, left_out, &self.notices, &self.mark);
        pack.full_text = compose(&pack);
        let tokens = |item: &PackItem| self.counter.tokens(&text::framed(item, &self.mark));
        match shown(&pack)? {
            Some(mut seen) => {
                // What is hidden in an item is known by where it stands there: the text says each item as that is shown, and not
                // whatever of it is seen in the whole.
                let of_seen = compose(&Briefing { items: seen.of(&pack.items), ..pack.clone() });
                if of_seen != seen.text {
                    pack.full_text = of_seen;
                    seen = shown(&pack)?.unwrap_or(seen);
                }
                let items = seen.of(&pack.items);
                pack.items.iter_mut().zip(&items).for_each(|(item, seen)| item.tokens = tokens(seen));
                pack.full_text = seen.text;
            }
            None => pack.items.iter_mut().for_each(|item| item.tokens = tokens(item)),
        }
        pack.estimated_tokens = self.counter.tokens(&pack.full_text);
        Ok(pack)
    }
}

/// Leaves the warnings of the items alone, each once: what is pinned may stand there as a passage, too.
fn only_of_items(pack: &mut Briefing) {
    let keys: Vec<ItemKey> = pack.items.iter().map(|item| item.item.key()).collect();
    let mut checked: Vec<ItemKey> = Vec::new();
    pack.verification_warnings.retain(|warning| {
        let key = warning.target.key();
        let stays = keys.contains(&key) && !checked.contains(&key);
        checked.push(key);
        stays
    });
    let mut warned: BTreeSet<String> = BTreeSet::new();
    pack.recall_warnings.retain(|one| keys.contains(&one.target.key()) && warned.insert(one.id.clone()));
}

pub(super) fn pack(
    c: &Connection,
    (at, asked): (&At, &Asked<'_>),
    gathered: Gathered,
    (budget, now): (u32, EpochMs),
) -> Result<Packed, Fault> {
    let Gathered { candidates, over, past_is_cut } = gathered;
    let (counter, notices) = (asked.counter, notices(asked, budget));
    let said = candidates.iter().map(|one| (&*one.text, &*one.item.title, one.by.as_deref()));
    let texts = said.flat_map(|(text, title, by)| [text, title].into_iter().chain(by));
    let mark = text::mark(texts.chain(notices.iter().map(|notice| &**notice)));
    let mut pack = Briefing {
        id: None,
        base_space_id: at.space.id.clone(),
        session_id: at.session.clone(),
        query: asked.query.map(str::to_owned),
        as_of: asked.then.as_of,
        known_at: asked.then.known_at,
        as_agent: None,
        as_agent_name: None,
        notices: then::notices(asked.then, (now, asked.utc_offset), (asked.policy, past_is_cut)),
        policy: asked.policy,
        budget_tokens: budget,
        estimated_tokens: 0,
        counted_by: counter.0,
        recall: asked.recall.clone(),
        items: Vec::new(),
        left_out: Vec::new(),
        left_out_total: 0,
        verification_warnings: Vec::new(),
        recall_warnings: Vec::new(),
        full_text: String::new(),
        text_hash: String::new(),
    };
    let all = over.into_iter().map(|one| (one, true)).chain(candidates.into_iter().map(|one| (one, false)));
    let places: Vec<Place> = all.map(|(one, is_over)| Place::of(one, is_over, (&mark, counter), budget)).collect();
    let items: Vec<PackItem> = places.iter().filter(|place| place.is_open()).map(|place| place.item.clone()).collect();
    // How items were checked then is not told.
    if asked.then.is_now() {
        pack.verification_warnings = warnings::of_checks(c, &items)?;
    }
    pack.recall_warnings = warnings::of_sources(c, &items, (asked.then, asked.utc_offset), now)?;
    Ok(Packed { pack, places, notices, said: BTreeMap::new(), longest: 0, mark, counter, compare: None })
}

/// What the text tells of how was searched, each on a line, as far as that takes a small part of the budget. That a search was not done
/// is told in fixed words, and not here.
fn notices(asked: &Asked<'_>, budget: u32) -> Vec<String> {
    let mut left = budget / OF_NOTICES;
    let mut told = Vec::new();
    for notice in asked.recall.iter().flat_map(|recall| &recall.notices) {
        if crate::recall::is_of_lost_search(notice) {
            continue;
        }
        let notice = neutral::in_one_line(notice);
        let tokens = asked.counter.tokens(&notice);
        if tokens <= left {
            left -= tokens;
            told.push(notice);
        }
    }
    told
}

#[cfg(test)]
pub(super) mod tests;
