//! What may stand in a pack, and how long it is.

use crate::brief::count::Counter;
use crate::brief::gather::Candidate;
use crate::brief::text;
use serde_json::{Map, Value};
use um_model::work::*;

/// A text of no more bytes is counted whole, so that what is left out tells how long it is; and one that may have room: a token is
/// seldom longer than so many.
const COUNTED: usize = 8_192;
const OF_TOKEN: usize = 16;
/// The beginning of a text may have so many tokens more than it has within the whole: where it is cut, and what is broken up there.
const AT_CUT: u32 = 16;

/// Something that may stand in a pack.
pub(super) struct Place {
    pub(super) item: PackItem,
    /// The same as it is shown, where something may be hidden of it.
    pub(super) seen: Option<PackItem>,
    pub(super) is_cited: bool,
    /// Whether it is over the space's own budget of what is always read.
    pub(super) is_over: bool,
    /// Whether its text is all; what is too long by far has its beginning alone.
    pub(super) is_whole: bool,
    pub(super) is_taken: bool,
    /// How many it takes, and whether these are all; none are counted yet where these are none.
    pub(super) tokens: (u32, bool),
    /// The place that is taken and says the same.
    pub(super) same: Option<usize>,
    /// Where in a work tree it was written, where that is wanted.
    pub(super) metadata: Map<String, Value>,
    /// Whether it was compared with the work tree.
    pub(super) is_compared: bool,
}

impl Place {
    /// Of something that belongs in a pack; of what is too long for the budget, no more is read than tells so.
    pub(super) fn of(one: Candidate, is_over: bool, (mark, counter): (&str, Counter), budget: u32) -> Self {
        let mut place = Self {
            is_cited: one.citation.is_some(),
            item: item(one),
            seen: None,
            is_over,
            is_whole: true,
            is_taken: false,
            tokens: (0, false),
            same: None,
            metadata: Map::new(),
            is_compared: false,
        };
        let enough = COUNTED.max((budget as usize).saturating_mul(OF_TOKEN));
        if place.item.text.len() > enough {
            let cut = (0..=enough).rev().find(|at| place.item.text.is_char_boundary(*at)).unwrap_or_default();
            let beginning = PackItem { text: place.item.text[..cut].to_owned(), ..place.item.clone() };
            let (tokens, _) = counter.tokens_within(&text::framed(&beginning, mark), budget.saturating_add(AT_CUT));
            let tokens = tokens.saturating_sub(AT_CUT);
            if tokens > budget {
                (place.item, place.is_whole, place.tokens) = (beginning, false, (tokens, false));
            }
        }
        place
    }

    /// Whether it may be taken.
    pub(super) fn is_open(&self) -> bool {
        self.is_whole && !self.is_over
    }

    /// Why it is left out, where it is not taken.
    pub(super) fn why(&self) -> LeftOutWhy {
        match self.same {
            _ if self.is_over => LeftOutWhy::OverPinnedBudget,
            Some(_) => LeftOutWhy::SaidAlready,
            None => LeftOutWhy::NoRoom,
        }
    }
}

/// An item without its citation, where it has none yet.
fn item(one: Candidate) -> PackItem {
    PackItem {
        part: one.part,
        because: one.because,
        space_id: one.item.space_id.clone(),
        item: one.item,
        text: one.text,
        citation: one.citation.unwrap_or_else(|| format!("{}1", text::letter(one.part))),
        tokens: 0,
        associated: one.because == Because::Near,
        low_trust: one.low_trust,
        by: one.by,
        source_event_ids: one.source_event_ids,
        metadata: one.metadata,
        // What stands outside of the item's lines is the pack's own to say.
        mark: one.mark,
    }
}
