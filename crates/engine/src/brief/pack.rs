//! Packing: what fits the budget, in order. What is too long is left out whole and named, as half an item misleads.

use super::count::Counter;
use super::gather::{Candidate, Gathered};
use super::shown::{self, Shown};
use super::text::LeftOutCount;
use super::{Asked, neutral, text, warnings};
use crate::drift::WorkTree;
use crate::error::{Fault, Outcome};
use crate::scopes::At;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use um_model::work::*;
use um_model::{EpochMs, UnitId};
use um_store::{Connection, provenance};

/// So many are named of what is left out.
const NAMED: usize = 50;
/// A text of no more bytes is counted whole, so that what is left out tells how long it is; and one that may have room: a token is
/// seldom longer than so many.
const COUNTED: usize = 8_192;
const OF_TOKEN: usize = 16;
/// The beginning of a text may have so many tokens more than it has within the whole: where it is cut, and what is broken up there.
const AT_CUT: u32 = 16;

/// A pack without its text yet.
pub(super) struct Packed {
    draft: Draft,
    mark: String,
    counter: Counter,
    /// Where in a work tree its items were written, in their order, where that is wanted.
    metadata: Vec<Map<String, Value>>,
}

/// A pack in the making, and how much it leaves out.
struct Draft {
    pack: Briefing,
    left_out: LeftOutCount,
}

impl Draft {
    fn leave_out(&mut self, Leave { part, item, unit, tokens: (tokens, are_all), why, same_as }: Leave) {
        self.left_out.all += 1;
        self.left_out.rules += usize::from(part == Part::Core && why != LeftOutWhy::SaidAlready);
        if self.pack.left_out.len() < NAMED {
            let space_id = item.space_id.clone();
            self.pack.left_out.push(LeftOut { part, item, space_id, tokens, is_more: !are_all, why, same_as, unit });
        }
    }

    fn text(&self, mark: &str) -> String {
        text::compose(&self.pack, self.left_out, mark)
    }

    /// Takes the text as it is shown, and counts the items as they are.
    fn show(&mut self, shown: Shown, (mark, counter): (&str, Counter)) {
        for (item, as_shown) in self.pack.items.iter_mut().zip(shown.items) {
            item.tokens = counter.tokens(&text::framed(&shown::item(item, as_shown), mark));
        }
        self.pack.full_text = shown.text;
    }

    /// Leaves out the last items, which have no room: as many as have so many tokens.
    fn leave_out_last(&mut self, mut tokens: u32) {
        while tokens > 0 {
            let Some(last) = self.pack.items.pop() else { return };
            tokens = tokens.saturating_sub(last.tokens);
            self.no_room(last);
        }
    }

    /// Leaves out an item that was taken from the others, as it has no room.
    fn no_room(&mut self, last: PackItem) {
        let pack = &mut self.pack;
        // What is pinned may stand there as a passage, too: the warnings of the one are those of the other.
        let gone = last.item.key();
        if pack.items.iter().all(|item| item.item.key() != gone) {
            pack.verification_warnings.retain(|warning| warning.target.key() != gone);
            pack.recall_warnings.retain(|warning| warning.target.key() != gone);
        }
        let unit = unit_of(&last.metadata);
        let (why, same_as) = (LeftOutWhy::NoRoom, None);
        let leave = Leave { part: last.part, item: last.item, unit, tokens: (last.tokens, true), why, same_as };
        // Whatever was left out because it says the same has no room either.
        for one in pack.left_out.iter_mut().filter(|one| one.same_as.as_ref() == Some(&last.citation)) {
            (one.why, one.same_as) = (LeftOutWhy::NoRoom, None);
            self.left_out.rules += usize::from(one.part == Part::Core);
        }
        self.leave_out(leave);
    }
}

impl Packed {
    /// With what the items say of the work trees that they were written in.
    pub(super) fn with_metadata(mut self, c: &Connection) -> Result<Self, Fault> {
        for item in &self.draft.pack.items {
            self.metadata.push(provenance::of_item(c, &item.item.key())?);
        }
        Ok(self)
    }

    /// Compares the items with a work tree.
    pub(super) fn compare(&mut self, tree: &mut WorkTree) {
        let pack = &mut self.draft.pack;
        for (item, metadata) in pack.items.iter().zip(&self.metadata) {
            pack.recall_warnings.extend(tree.warnings(&item.item, metadata));
        }
    }

    /// Writes the text, as it is `shown` to whoever reads it. Its items are counted one by one, as they are; what follows them, and what
    /// stands in the place of something hidden, may make the whole more than the budget: then the last items have no room.
    pub(super) fn finish(self, shown: impl Fn(&Briefing) -> Outcome<Option<Shown>>) -> Outcome<Briefing> {
        let Self { mut draft, mark, counter, .. } = self;
        loop {
            draft.pack.full_text = draft.text(&mark);
            if let Some(shown) = shown(&draft.pack)? {
                draft.show(shown, (&mark, counter));
            }
            let pack = &mut draft.pack;
            pack.estimated_tokens = counter.tokens(&pack.full_text);
            let over = pack.estimated_tokens.saturating_sub(pack.budget_tokens);
            if over == 0 || pack.items.is_empty() {
                break;
            }
            draft.leave_out_last(over);
        }
        let mut pack = draft.pack;
        pack.left_out_total = u32::try_from(draft.left_out.all).unwrap_or(u32::MAX);
        pack.text_hash = format!("{:x}", Sha256::digest(&pack.full_text));
        Ok(pack)
    }
}

pub(super) fn pack(
    c: &Connection,
    (at, asked): (&At, &Asked<'_>),
    gathered: Gathered,
    (budget, now): (u32, EpochMs),
) -> Result<Packed, Fault> {
    let Gathered { candidates, over } = gathered;
    let (counter, mark) = (asked.counter, text::mark(candidates.iter().flat_map(|one| [&*one.text, &*one.item.title])));
    let pack = Briefing {
        id: None,
        base_space_id: at.space.id.clone(),
        session_id: at.session.clone(),
        query: asked.query.map(str::to_owned),
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
    let mut draft = Draft { pack, left_out: LeftOutCount::default() };
    for one in over {
        let tokens = counter.tokens_within(&one.text, budget);
        let (unit, why) = (unit_of(&one.metadata), LeftOutWhy::OverPinnedBudget);
        draft.leave_out(Leave { part: one.part, item: one.item, unit, tokens, why, same_as: None });
    }
    let mut left = budget.saturating_sub(counter.tokens(&draft.text(&mark)));
    let mut numbers: BTreeMap<Part, u32> = BTreeMap::new();
    let mut said: BTreeMap<String, String> = BTreeMap::new();
    let mut longest = 0;
    for one in candidates {
        let number = numbers.get(&one.part).map_or(1, |number| number + 1);
        let (item, are_all) = item(&one, number, (&mark, counter), left);
        // Of what is said twice, the one of more authority stays.
        let same_as = neutral::folded_within(&one.text, longest).and_then(|folded| said.get(&folded).cloned());
        let why = if same_as.is_some() { LeftOutWhy::SaidAlready } else { LeftOutWhy::NoRoom };
        if same_as.is_some() || !are_all || item.tokens > left {
            let (unit, tokens) = (unit_of(&one.metadata), (item.tokens, are_all));
            draft.leave_out(Leave { part: one.part, item: one.item, unit, tokens, why, same_as });
            continue;
        }
        left -= item.tokens;
        numbers.insert(one.part, number);
        if let Some(folded) = neutral::folded_within(&one.text, usize::MAX) {
            longest = longest.max(folded.len());
            said.insert(folded, item.citation.clone());
        }
        draft.pack.items.push(item);
    }
    let pack = &mut draft.pack;
    pack.verification_warnings = warnings::of_checks(c, &pack.items)?;
    pack.recall_warnings = warnings::of_sources(c, &pack.items, (now, asked.utc_offset))?;
    Ok(Packed { draft, mark, counter, metadata: Vec::new() })
}

/// An item, and whether its tokens are all: of what is too long for the tokens that are left, no more is read than tells so.
fn item(one: &Candidate, number: u32, (mark, counter): (&str, Counter), left: u32) -> (PackItem, bool) {
    let citation = one.citation.clone().unwrap_or_else(|| format!("{}{number}", text::letter(one.part)));
    let with = |text: &str| PackItem {
        part: one.part,
        because: one.because,
        space_id: one.item.space_id.clone(),
        item: one.item.clone(),
        text: text.to_owned(),
        citation: citation.clone(),
        tokens: 0,
        associated: one.because == Because::Near,
        low_trust: one.low_trust,
        source_event_ids: one.source_event_ids.clone(),
        metadata: one.metadata.clone(),
        // What stands outside of the item's lines is the pack's own to say.
        mark: one.mark.clone(),
    };
    let enough = COUNTED.max((left as usize).saturating_mul(OF_TOKEN));
    if one.text.len() > enough {
        let cut = (0..=enough).rev().find(|at| one.text.is_char_boundary(*at)).unwrap_or_default();
        let mut beginning = with(&one.text[..cut]);
        let (tokens, _) = counter.tokens_within(&text::framed(&beginning, mark), left.saturating_add(AT_CUT));
        beginning.tokens = tokens.saturating_sub(AT_CUT);
        if beginning.tokens > left {
            return (beginning, false);
        }
    }
    let mut item = with(&one.text);
    let (tokens, are_all) = counter.tokens_within(&text::framed(&item, mark), left);
    item.tokens = tokens;
    (item, are_all)
}

/// What is left out, and why.
struct Leave {
    part: Part,
    item: ItemRef,
    unit: Option<UnitId>,
    /// How many, and whether these are all.
    tokens: (u32, bool),
    why: LeftOutWhy,
    same_as: Option<String>,
}

/// The passage that an item is, where it is one.
pub(super) fn unit_of(metadata: &Map<String, Value>) -> Option<UnitId> {
    UnitId::parse(metadata.get("unit")?.as_str()?.to_owned()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use um_model::SpaceId;

    /// An item of a memory called by that letter.
    fn item_of(part: Part, letter: char, citation: &str, text: &str) -> PackItem {
        let space_id = SpaceId::global();
        let item = super::super::gather::item(ItemType::Memory, &letter.to_string(), &space_id, "");
        PackItem {
            part,
            because: Because::Always,
            space_id,
            item,
            text: text.to_owned(),
            citation: citation.to_owned(),
            tokens: 0,
            associated: false,
            low_trust: false,
            source_event_ids: Vec::new(),
            metadata: Map::new(),
            mark: String::new(),
        }
    }

    /// A pack of some items that is to be finished, of which each is warned of, with so many tokens at most.
    fn packed(items: &[PackItem], budget_tokens: u32) -> Packed {
        let counter = Counter::of(None);
        let mut items = items.to_vec();
        items.iter_mut().for_each(|item| item.tokens = counter.tokens(&text::framed(item, "0a1b2c3d")));
        let warn = |item: &PackItem| warnings::warning(WarningKind::Stale, &item.item, "It is old.", Vec::new());
        let pack = Briefing {
            id: None,
            base_space_id: SpaceId::global(),
            session_id: None,
            query: None,
            policy: Policy::Auto,
            budget_tokens,
            estimated_tokens: 0,
            counted_by: counter.0,
            recall: None,
            recall_warnings: items.iter().map(warn).collect(),
            items,
            left_out: Vec::new(),
            left_out_total: 0,
            verification_warnings: Vec::new(),
            full_text: String::new(),
            text_hash: String::new(),
        };
        let draft = Draft { pack, left_out: LeftOutCount::default() };
        Packed { draft, mark: "0a1b2c3d".into(), counter, metadata: Vec::new() }
    }

    #[test]
    fn what_goes_takes_the_warnings_of_no_item_that_stays() {
        let pinned = item_of(Part::Pinned, 'a', "P1", "The walrus sleeps.");
        let check = |last: PackItem, warned: &[&str]| {
            let all = [pinned.clone(), last];
            let finish = |budget| packed(&all, budget).finish(|_| Ok(None)).unwrap();
            let whole = finish(u32::MAX);
            let pack = finish(whole.estimated_tokens - 1);
            assert_eq!((whole.items.len(), pack.items.len(), pack.left_out.len()), (2, 1, 1), "{}", pack.full_text);
            let targets: Vec<&str> = pack.recall_warnings.iter().map(|one| one.target.id.as_str()).collect();
            assert_eq!(targets, warned, "{}", pack.full_text);
            assert!(pack.full_text.contains("Warning: P1 was not confirmed for long."), "{}", pack.full_text);
        };
        check(item_of(Part::Evidence, 'a', "E1", "It wakes at noon, says the keeper."), &["a", "a"]);
        check(item_of(Part::Evidence, 'b', "E1", "It wakes at noon, says the keeper."), &["a"]);
    }

    #[test]
    fn what_is_hidden_is_counted_as_it_is_shown() {
        let says = |at: usize| format!("Ana and Bo met Ana at noon, says keeper {at}.");
        let all: Vec<PackItem> = (1..=8_u8)
            .map(|at| item_of(Part::Pinned, char::from(b'a' + at), &format!("P{at}"), &says(at.into())))
            .collect();
        let hide = |text: &str| text.replace("Ana", "[person hidden]").replace("Bo", "[person hidden]");
        let shown = |pack: &Briefing| {
            let items = pack.items.iter().map(|item| (item.item.title.clone(), hide(&item.text))).collect();
            Ok(Some(Shown { text: hide(&pack.full_text), items }))
        };
        let open = packed(&all, u32::MAX).finish(|_| Ok(None)).unwrap();
        let pack = packed(&all, open.estimated_tokens).finish(shown).unwrap();
        assert_eq!(pack.estimated_tokens, Counter::of(None).tokens(&pack.full_text));
        assert!(pack.estimated_tokens <= open.estimated_tokens, "{}", pack.full_text);
        assert!(!pack.full_text.contains("Ana") && pack.full_text.contains("[person hidden]"), "{}", pack.full_text);
        assert!((1..8).contains(&pack.items.len()) && pack.items.len() + pack.left_out.len() == 8, "{pack:?}");
        assert!(pack.full_text.contains(&format!("Left out: {}.", pack.left_out.len())), "{}", pack.full_text);
        assert!(pack.items[0].tokens > open.items[0].tokens, "{} tokens", pack.items[0].tokens);
        assert_eq!(pack.text_hash, format!("{:x}", Sha256::digest(&pack.full_text)));
    }
}
