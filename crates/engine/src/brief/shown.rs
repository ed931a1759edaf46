//! A pack as whoever reads it gets it. What spaces hide from agents is hidden before the tokens are counted: the words that stand in its
//! place may be more than it.

use crate::error::Outcome;
use crate::{Caller, Engine, findings};
use serde_json::{Value, json};
use std::cell::RefCell;
use um_model::work::{Briefing, ItemRef, PackItem};

/// So often a text is looked through, where what stands in the place of something hidden makes something else be seen.
const ROUNDS: usize = 4;

/// What of a pack is shown, where some of it is hidden.
pub(super) struct Shown {
    /// Its text.
    pub text: String,
    /// Each of its items.
    pub items: Vec<ShownItem>,
}

/// What of an item is shown.
pub(super) struct ShownItem {
    pub title: String,
    pub text: String,
    /// What the agent is called that brought it in.
    pub by: Option<String>,
}

impl Shown {
    fn read(pack: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let items = pack["items"].as_array().into_iter().flatten();
        let items = items.map(|item| ShownItem {
            title: text(&item["item"]["title"]),
            text: text(&item["text"]),
            by: item["by"].as_str().map(str::to_owned),
        });
        Self { text: text(&pack["full_text"]), items: items.collect() }
    }

    /// The items of the pack as they are shown.
    pub(super) fn of(&self, items: &[PackItem]) -> Vec<PackItem> {
        let shown = |(item, seen): (&PackItem, &ShownItem)| PackItem {
            item: ItemRef { title: seen.title.clone(), ..item.item.clone() },
            text: seen.text.clone(),
            by: seen.by.clone(),
            ..item.clone()
        };
        items.iter().zip(&self.items).map(shown).collect()
    }
}

/// What the caller sees of a pack that leaves in one answer with something `beside` it; nothing where nothing is hidden from the caller.
/// Of its text nothing more is hidden as it leaves. What is looked up for that is `known` the next time that the pack is looked at.
pub(super) fn to(
    engine: &Engine,
    caller: &Caller,
    (beside, known): (&Value, &RefCell<findings::Known>),
    pack: &Briefing,
) -> Outcome<Option<Shown>> {
    engine.read(|c| {
        let mut known = known.borrow_mut();
        let (mut pack, mut last) = (pack.clone(), None);
        for _ in 0..ROUNDS {
            let answer = || json!({ "beside": beside, "briefing": pack });
            let Some(answer) = findings::hidden_from(c, caller, &mut known, answer)? else { return Ok(None) };
            let shown = Shown::read(&answer["briefing"]);
            let stays = shown.text == pack.full_text;
            pack.full_text.clone_from(&shown.text);
            last = Some(shown);
            if stays {
                break;
            }
        }
        Ok(last)
    })
}
