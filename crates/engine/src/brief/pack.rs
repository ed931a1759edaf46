//! Packing: what fits the budget, in order. What is too long is left out whole and named, as half an item misleads.

use super::Asked;
use super::gather::{Candidate, Gathered};
use super::{text, warnings};
use crate::drift::WorkTree;
use crate::error::Fault;
use crate::extract::estimate_tokens;
use crate::scopes::At;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use um_model::EpochMs;
use um_model::work::*;
use um_store::{Connection, provenance};

/// So many are named of what is left out.
const NAMED: usize = 50;

/// A pack without its text yet.
pub(super) struct Packed {
    pack: Briefing,
    mark: String,
    /// Where in a work tree its items were written, in their order, where that is wanted.
    metadata: Vec<Map<String, Value>>,
}

impl Packed {
    /// With what the items say of the work trees that they were written in.
    pub(super) fn with_metadata(mut self, c: &Connection) -> Result<Self, Fault> {
        for item in &self.pack.items {
            self.metadata.push(provenance::of_item(c, &item.item.key())?);
        }
        Ok(self)
    }

    /// Compares the items with a work tree.
    pub(super) fn compare(&mut self, tree: &mut WorkTree) {
        for (item, metadata) in self.pack.items.iter().zip(&self.metadata) {
            self.pack.recall_warnings.extend(tree.warnings(&item.item, metadata));
        }
    }

    /// Writes the text. Its parts are estimated one by one, and the whole may be more: then the last item has no room.
    pub(super) fn finish(self) -> Briefing {
        let Self { mut pack, mark, .. } = self;
        loop {
            pack.full_text = text::compose(&pack, &mark);
            pack.estimated_tokens = tokens(&pack.full_text);
            if pack.estimated_tokens <= pack.budget_tokens {
                break;
            }
            let Some(last) = pack.items.pop() else { break };
            pack.verification_warnings.retain(|warning| warning.target != last.item);
            pack.recall_warnings.retain(|warning| warning.target != last.item);
            leave_out(&mut pack, last.part, last.item, last.tokens, LeftOutWhy::NoRoom);
        }
        pack.text_hash = format!("{:x}", Sha256::digest(&pack.full_text));
        pack
    }
}

pub(super) fn pack(
    c: &Connection,
    (at, asked): (&At, &Asked<'_>),
    gathered: Gathered,
    (budget, now): (u32, EpochMs),
) -> Result<Packed, Fault> {
    let Gathered { candidates, over } = gathered;
    let mark = text::mark(candidates.iter().flat_map(|one| [one.text.as_str(), one.item.title.as_str()]));
    let mut pack = Briefing {
        base_space_id: at.space.id.clone(),
        session_id: at.session.clone(),
        query: asked.query.map(str::to_owned),
        policy: asked.policy,
        budget_tokens: budget,
        estimated_tokens: 0,
        items: Vec::new(),
        left_out: Vec::new(),
        verification_warnings: Vec::new(),
        recall_warnings: Vec::new(),
        full_text: String::new(),
        text_hash: String::new(),
    };
    for one in over {
        let tokens = tokens(&one.text);
        leave_out(&mut pack, one.part, one.item, tokens, LeftOutWhy::OverPinnedBudget);
    }
    let mut left = budget.saturating_sub(tokens(&text::compose(&pack, &mark)));
    let mut numbers: BTreeMap<Part, u32> = BTreeMap::new();
    let mut said: BTreeSet<String> = BTreeSet::new();
    for one in candidates {
        let number = numbers.get(&one.part).map_or(1, |number| number + 1);
        let item = item(&one, number, &mark);
        // Of what is said twice, the one of more authority stays.
        if !said.insert(folded(&item.text)) {
            leave_out(&mut pack, one.part, one.item, item.tokens, LeftOutWhy::SaidAlready);
        } else if item.tokens > left {
            leave_out(&mut pack, one.part, one.item, item.tokens, LeftOutWhy::NoRoom);
        } else {
            left -= item.tokens;
            numbers.insert(one.part, number);
            pack.items.push(item);
        }
    }
    pack.verification_warnings = warnings::of_checks(c, &pack.items)?;
    pack.recall_warnings = warnings::of_sources(c, &pack.items, now)?;
    Ok(Packed { pack, mark, metadata: Vec::new() })
}

fn item(one: &Candidate, number: u32, mark: &str) -> PackItem {
    let citation = format!("{}{number}", text::letter(one.part));
    let mut item = PackItem {
        part: one.part,
        space_id: one.item.space_id.clone(),
        item: one.item.clone(),
        text: one.text.clone(),
        citation,
        tokens: 0,
        associated: false,
        low_trust: one.low_trust,
        source_event_ids: one.source_event_ids.clone(),
        metadata: one.metadata.clone(),
        // What stands outside of the item's lines is the pack's own to say.
        mark: one.mark.clone(),
    };
    item.tokens = tokens(&text::framed(&item, mark));
    item
}

fn leave_out(pack: &mut Briefing, part: Part, item: ItemRef, tokens: u32, why: LeftOutWhy) {
    if pack.left_out.len() < NAMED {
        let space_id = item.space_id.clone();
        pack.left_out.push(LeftOut { part, item, space_id, tokens, why });
    }
}

fn tokens(text: &str) -> u32 {
    u32::try_from(estimate_tokens(text)).unwrap_or(u32::MAX)
}

/// A text as it is compared: case and white space make no difference.
fn folded(text: &str) -> String {
    text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
