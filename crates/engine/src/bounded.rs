//! What lists tell of what is long: how it begins, and how long it is. So an answer has a bound, whatever was kept.

use serde::Serialize;
use serde_json::{Map, Value};
use um_model::work::{Entry, EntryBody, EntryVersion, Event, ItemVersion, PinnedMemory};

/// So many characters of a text are told in a list.
const TOLD: usize = 4_000;
/// What is structured and has more bytes of JSON than that is told in part.
const STRUCTURED: usize = 8 * 1024;

fn bytes(value: &impl Serialize) -> usize {
    serde_json::to_string(value).map_or(0, |json| json.len())
}

fn told(text: &str) -> Option<String> {
    text.char_indices().nth(TOLD).map(|(end, _)| format!("{}…", &text[..end]))
}

fn cut(text: &mut String) -> bool {
    let begins = told(text);
    begins.map(|begins| *text = begins).is_some()
}

/// An event: what a resource or a rule was set to is left out where it is long.
pub(crate) fn event(event: &mut Event) {
    let whole = event.content.len() + bytes(&event.metadata);
    let is_long = bytes(&event.metadata) > STRUCTURED;
    if is_long {
        event.metadata.remove("state");
    }
    event.truncated = (cut(&mut event.content) | is_long).then_some(whole as u64);
}

/// A version of an entry: how its text begins, without the rest.
pub(crate) fn entry_version(version: &mut EntryVersion) {
    let whole = bytes(&version.body);
    if whole <= STRUCTURED {
        return;
    }
    let EntryBody { mut content, mut description, .. } = std::mem::take(&mut version.body);
    [&mut content, &mut description].into_iter().flatten().for_each(|text| {
        cut(text);
    });
    version.body = EntryBody { content, description, ..EntryBody::default() };
    version.truncated = Some(whole as u64);
}

/// Entries, each in its version.
pub(crate) fn entries(mut entries: Vec<Entry>) -> Vec<Entry> {
    entries.iter_mut().for_each(|one| entry_version(&mut one.version));
    entries
}

/// A version of whatever keeps them: how its texts begin, without what is no text.
pub(crate) fn version(version: &mut ItemVersion) {
    let whole = bytes(&version.says);
    if whole <= STRUCTURED {
        return;
    }
    let begins = |(field, value): (String, Value)| match value {
        Value::String(text) => Some((field, told(&text).unwrap_or(text).into())),
        Value::Array(_) | Value::Object(_) => None,
        other => Some((field, other)),
    };
    version.says = std::mem::take(&mut version.says).into_iter().filter_map(begins).collect::<Map<_, _>>();
    version.truncated = Some(whole as u64);
}

/// A memory that is pinned.
pub(crate) fn pinned(memory: &mut PinnedMemory) {
    let whole = memory.content.len();
    memory.truncated = cut(&mut memory.content).then_some(whole as u64);
}
