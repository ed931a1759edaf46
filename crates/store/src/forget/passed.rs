//! Traces that only passed over what goes: they stay, and tell no more of it.
//!
//! What was given as an answer, or told as connected with one, may be what was answered: a trace of that goes whole. Of what it passed over
//! a trace holds ids and numbers, and these are taken out; unless its question spells a word that nothing else says where it was asked.
//! What a question left out is named by no id in its trace: there the words alone tell ([`narrowed`]).

use super::Rows;
use super::closure::uuids;
use super::words::{text_at, texts_of};
use crate::fts::{COMMON, form};
use crate::{StoreResult, fts};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Bound;
use um_model::{AgentId, SpaceId};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

/// The kind of a trace that goes whole.
pub(super) const TRACES: &str = "answer_traces";
/// The kind of a trace that stays, without what it passed over and goes.
pub(super) const PASSED: &str = "answer_traces.passed";

/// The ids of all rows that go: a trace that stays is none of them, and what names it stays as well.
pub(super) fn gone(rows: &Rows) -> impl Iterator<Item = &str> {
    rows.iter().filter(|(kind, _)| *kind != PASSED).map(|(_, id)| id)
}

/// Whether a trace names what goes, by an id, only among what it passed over.
pub(super) fn is_passed_over(trace: &str, goes: impl Fn(&str) -> bool) -> StoreResult<bool> {
    let mut trace: Value = serde_json::from_str(trace)?;
    take_out(&mut trace, &goes);
    Ok(!uuids(&trace.to_string()).any(&goes))
}

/// Takes what was passed over and goes out of a trace: what has a gate. Gives how much there was.
fn take_out(trace: &mut Value, goes: impl Fn(&str) -> bool) -> u64 {
    let mut out = 0;
    for list in ["rejected", "associated"] {
        let Some(entries) = trace.get_mut(list).and_then(Value::as_array_mut) else { continue };
        let all = entries.len();
        entries.retain(|entry| entry.get("gate").is_none() || !uuids(&entry.to_string()).any(&goes));
        out += (all - entries.len()) as u64;
    }
    out
}

/// Lets the traces that stay lose what they passed over. Gives how many lost something.
pub(super) fn leave(connection: &Connection, rows: &Rows) -> StoreResult<usize> {
    let gone: HashSet<&str> = gone(rows).collect();
    let found: Vec<(String, String)> = connection
        .prepare_cached(
            "SELECT id, recall_trace FROM answer_traces
             WHERE is_redacted = 0 AND id IN (SELECT value FROM json_each(?1))",
        )?
        .query_map([rows.json(PASSED)], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    let mut changed = 0;
    for (id, trace) in found {
        let mut trace: Value = serde_json::from_str(&trace)?;
        let out = take_out(&mut trace, |id| gone.contains(id));
        if out > 0 {
            let before = trace["forgotten"].as_u64().unwrap_or_default();
            trace["forgotten"] = Value::from(before + out);
            changed += connection
                .prepare_cached("UPDATE answer_traces SET recall_trace = ?2 WHERE id = ?1")?
                .execute(params![id, trace.to_string()])?;
        }
    }
    Ok(changed)
}

/// Each trace once: one that goes whole loses nothing besides.
pub(super) fn settled(all: Rows) -> Rows {
    let mut whole = Rows::default();
    for id in all.of(PASSED).filter(|id| all.has(TRACES, id)) {
        whole.add(PASSED, id);
    }
    if whole.is_empty() { all } else { all.without(&whole) }
}

/// What a question is narrowed down by, in words of whoever asks.
const NARROWED_BY: [&str; 3] = ["phrases", "without", "tags"];

/// What was asked in a trace.
#[derive(Debug, Default, PartialEq)]
struct Asked {
    /// Its words in lower case, but for very common ones of the question: more of them than were searched, and those that it must have, or
    /// must not.
    words: BTreeSet<String>,
    /// Words of the names that it is narrowed down by: they may be a part of a name.
    names: BTreeSet<String>,
    /// The spaces that were searched.
    spaces: Vec<String>,
}

impl Asked {
    fn of(trace: &Value) -> Self {
        let list = |list: &Value| -> Vec<String> {
            list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let asked = &trace["asked"];
        let question = asked["query"].as_str().unwrap_or_default();
        let mut words: BTreeSet<String> = words_of(question).filter(|word| !COMMON.contains(&word.as_str())).collect();
        let told = NARROWED_BY.into_iter().map(|name| &asked[name]).chain([&trace["words"]]);
        words.extend(told.flat_map(list).flat_map(|text| words_of(&text).collect::<Vec<_>>()));
        let names = list(&asked["from"]).iter().flat_map(|name| words_of(name).collect::<Vec<_>>()).collect();
        Self { words, names, spaces: list(&trace["spaces"]) }
    }
}

/// The words of a text in lower case, in the letters that are indexed.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    let words: Vec<String> = fts::plain(text).unicode_words().map(str::to_lowercase).collect();
    words.into_iter()
}

/// A word without its marks and `'s`; where something stands between parts of it, these as well: full text takes them for words.
fn forms(word: &str) -> Vec<String> {
    let bare: String = word.nfd().filter(|letter| !is_combining_mark(*letter)).collect();
    let whole = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("’s")).unwrap_or(&bare);
    let parts = whole.split(|letter: char| !letter.is_alphanumeric());
    let parts = parts.filter(|part| !part.is_empty() && *part != whole).map(str::to_owned);
    std::iter::once(whole.to_owned()).chain(parts).collect()
}

/// Whether a word has other forms: not what is very short, nor numbers and what is named by some.
fn has_forms(word: &str) -> bool {
    word.chars().count() >= SHORTEST && !word.contains(|letter: char| letter.is_ascii_digit())
}

/// What a word shares with its other forms: what is left without all the endings that recall passes over, one after the other.
fn root(word: &str) -> &str {
    let shorter = ENDINGS.into_iter().filter_map(|ending| word.strip_suffix(ending));
    let mut cut = shorter.filter(|rest| rest.chars().count() >= SHORTEST);
    cut.next().map_or(word, root)
}

/// Endings of words that tell no two words apart.
const ENDINGS: [&str; 13] = ["ations", "ation", "ings", "ing", "edly", "ied", "ies", "ed", "es", "s", "ly", "e", "y"];
/// No root has fewer letters.
const SHORTEST: usize = 3;

/// Those of the traces that would stay whose question spells a word that only what goes says, of all that is in use where it was asked:
/// they go whole.
pub(super) fn spelling(connection: &Connection, rows: &Rows) -> StoreResult<Rows> {
    let mut found = Rows::default();
    if rows.of(PASSED).next().is_none() {
        return Ok(found);
    }
    let mut said = Said::of(connection, rows)?;
    let mut statement = connection.prepare_cached(
        "SELECT id, recall_trace FROM answer_traces
         WHERE is_redacted = 0 AND id IN (SELECT value FROM json_each(?1))",
    )?;
    let mut traces = statement.query([rows.json(PASSED)])?;
    while let Some(row) = traces.next()? {
        let asked = Asked::of(&serde_json::from_str(text_at(row, 1)?.unwrap_or_default())?);
        if said.spells(connection, asked)? {
            found.add(TRACES, row.get::<_, String>(0)?);
        }
    }
    Ok(found)
}

/// The names of saved searches that stay and have a word, in their name or in what they ask, that only what goes says, of all that is in
/// use where they are asked.
///
/// # Errors
/// SQLite's.
pub fn searches_sharing(connection: &Connection, rows: &Rows) -> StoreResult<Vec<String>> {
    let stay: Vec<(String, String, String, String)> = connection
        .prepare_cached(
            "SELECT name, query, filters, space_id FROM saved_searches
             WHERE id NOT IN (SELECT value FROM json_each(?1)) ORDER BY name, id",
        )?
        .query_map([rows.json("saved_searches")], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
        .collect::<Result<_, _>>()?;
    let mut sharing = Vec::new();
    if stay.is_empty() {
        return Ok(sharing);
    }
    // A search that goes says what was asked, as a question does.
    let mut texts = Rows::default();
    for (kind, id) in rows.iter().filter(|(kind, _)| *kind != "saved_searches") {
        texts.add(kind, id);
    }
    let mut said = Said::of(connection, &texts)?;
    let all: Vec<String> = connection
        .prepare_cached("SELECT id FROM memory_spaces ORDER BY id")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for (name, query, filters, space) in stay {
        let mut asked: Value = serde_json::from_str(&filters)?;
        // What it is called may say as much as what it asks.
        asked["query"] = Value::from(format!("{query}\n{name}"));
        // One that names no space is asked of all.
        let spaces = if space == SpaceId::global().as_str() { all.clone() } else { vec![space] };
        if said.spells(connection, Asked::of(&json!({ "asked": asked, "spaces": spaces })))? {
            sharing.push(name);
        }
    }
    Ok(sharing)
}

/// The traces and packs beside these rows whose question is narrowed down, or leaves something out, by a word that only these say, of all
/// that is in use where it was asked: what was left out is named by no id in them. `asker`: only those of one.
///
/// # Errors
/// SQLite's.
pub fn narrowed(connection: &Connection, rows: &Rows, asker: Option<&AgentId>) -> StoreResult<Rows> {
    let mut found = Rows::default();
    let asked = narrowing(connection, rows, asker)?;
    if asked.is_empty() {
        return Ok(found);
    }
    // What goes of questions, and what packs of many things say, is not what was said.
    let mut texts = Rows::default();
    for (kind, id) in rows.iter().filter(|(kind, _)| ![PACKS, "saved_searches"].contains(kind)) {
        texts.add(kind, id);
    }
    let mut said = Said::of(connection, &texts)?;
    let named = named_beside(connection, rows)?;
    for (kind, id, mut asked) in asked {
        // Whoever stays, and a tag that does, is said by no passage.
        asked.names.retain(|word| !named.iter().any(|name| name.contains(word.as_str())));
        asked.words.retain(|word| !named.contains(word));
        if said.spells(connection, asked)? {
            found.add(kind, id);
        }
    }
    Ok(found)
}

/// What traces and packs beside these rows are narrowed down by, with their kinds and ids.
fn narrowing(
    connection: &Connection,
    rows: &Rows,
    asker: Option<&AgentId>,
) -> StoreResult<Vec<(&'static str, String, Asked)>> {
    let mut found = Vec::new();
    let asker = asker.map(AgentId::as_str);
    let mut statement = connection.prepare_cached(
        "SELECT id, recall_trace -> '$.asked', recall_trace -> '$.spaces' FROM answer_traces
         WHERE is_redacted = 0 AND (?1 IS NULL OR actor_id = ?1) AND id NOT IN (SELECT value FROM json_each(?2))
           AND EXISTS (SELECT 1 FROM json_each('[\"from\", \"phrases\", \"without\", \"tags\"]') name
             WHERE json_array_length(recall_trace, '$.asked.' || name.value) > 0)",
    )?;
    let mut traces = statement.query(params![asker, rows.json(TRACES)])?;
    while let Some(row) = traces.next()? {
        let mut asked: Value = serde_json::from_str(text_at(row, 1)?.unwrap_or("{}"))?;
        let spaces: Value = serde_json::from_str(text_at(row, 2)?.unwrap_or("[]"))?;
        // What it only asks was found where it is said, and is named then.
        asked["query"] = Value::Null;
        found.push((TRACES, row.get(0)?, Asked::of(&json!({ "asked": asked, "spaces": spaces }))));
    }
    let mut statement = connection.prepare_cached(
        "SELECT id, query, space_id, overlay_space_ids FROM compiled_contexts
         WHERE is_redacted = 0 AND instr(query, '-') > 0 AND (?1 IS NULL OR actor_id = ?1)
           AND id NOT IN (SELECT value FROM json_each(?2))",
    )?;
    let mut packs = statement.query(params![asker, rows.json(PACKS)])?;
    while let Some(row) = packs.next()? {
        let mut spaces: Vec<String> = serde_json::from_str(text_at(row, 3)?.unwrap_or("[]"))?;
        spaces.push(row.get(2)?);
        let without = left_out(text_at(row, 1)?.unwrap_or_default());
        found.push((PACKS, row.get(0)?, Asked::of(&json!({ "asked": { "without": without }, "spaces": spaces }))));
    }
    Ok(found)
}

/// The kind of a pack.
const PACKS: &str = "compiled_contexts";

/// What stands right behind a minus in a question as it was typed: a word, or several in quotes.
fn left_out(question: &str) -> Vec<&str> {
    let is_first = |at: &usize| question[..*at].chars().next_back().is_none_or(char::is_whitespace);
    let minuses = question.match_indices('-').map(|(at, _)| at).filter(is_first);
    let behind = minuses.map(|at| &question[at + 1..]).filter_map(|rest| match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split(char::is_whitespace).next(),
    });
    behind.filter(|words| !words.is_empty()).collect()
}

/// The words of the names of owners and tags that stay.
fn named_beside(connection: &Connection, rows: &Rows) -> StoreResult<BTreeSet<String>> {
    let mut names = connection.prepare_cached(
        "SELECT owner FROM memories
         WHERE owner IS NOT NULL AND is_redacted = 0 AND id NOT IN (SELECT value FROM json_each(?1))
         UNION SELECT name FROM tags WHERE id NOT IN (SELECT value FROM json_each(?2))",
    )?;
    let mut found = names.query([rows.json("memories"), rows.json("tags")])?;
    let mut words = BTreeSet::new();
    while let Some(row) = found.next()? {
        words.extend(words_of(text_at(row, 0)?.unwrap_or_default()).flat_map(|word| forms(&word)));
    }
    Ok(words)
}

/// What goes, as words are looked for in it: its own texts, as what was removed, or is past or cold, is in no index.
#[derive(Default)]
struct Said {
    /// The [`forms`] of its words, and of the tags and the people of its memories.
    words: BTreeSet<String>,
    /// Their [roots](root).
    roots: HashSet<String>,
    /// The rids of its passages, by their space.
    units: BTreeMap<String, Vec<i64>>,
    /// What was looked for already: whether it is a part of a name, words, and where they were asked.
    known: BTreeMap<(bool, Vec<String>, String), bool>,
}

impl Said {
    fn of(connection: &Connection, rows: &Rows) -> StoreResult<Self> {
        let mut texts = Rows::default();
        // Questions that go say what was asked, not what was said.
        for (kind, id) in rows.iter().filter(|(kind, _)| ![TRACES, PASSED].contains(kind)) {
            texts.add(kind, id);
        }
        let mut said = Self::default();
        texts_of(connection, &texts, |_, text| said.add(text))?;
        let mut beside = connection.prepare_cached(
            "WITH goes AS (SELECT value AS id FROM json_each(?1))
             SELECT t.name FROM item_tags i JOIN tags t ON t.id = i.tag_id
             WHERE i.item_type = 'memory' AND i.item_id IN (SELECT id FROM goes)
             UNION SELECT t.name FROM past_item_tags i JOIN tags t ON t.id = i.tag_id
             WHERE i.item_type = 'memory' AND i.item_id IN (SELECT id FROM goes)
             UNION SELECT e.name FROM memory_entity_links l JOIN entities e ON e.id = l.entity_id
             WHERE l.memory_id IN (SELECT id FROM goes)
             UNION SELECT a.alias FROM memory_entity_links l JOIN entity_aliases a ON a.entity_id = l.entity_id
             WHERE l.memory_id IN (SELECT id FROM goes)",
        )?;
        let mut names = beside.query([rows.json("memories")])?;
        while let Some(row) = names.next()? {
            said.add(text_at(row, 0)?.unwrap_or_default());
        }
        let mut statement = connection
            .prepare_cached("SELECT space_id, rid FROM text_units WHERE id IN (SELECT value FROM json_each(?1))")?;
        let mut found = statement.query([rows.json("text_units")])?;
        while let Some(row) = found.next()? {
            said.units.entry(row.get(0)?).or_default().push(row.get(1)?);
        }
        Ok(said)
    }

    fn add(&mut self, text: &str) {
        let mut add = |text: &str| {
            for form in words_of(text).flat_map(|word| forms(&word)) {
                if has_forms(&form) {
                    self.roots.insert(root(&form).to_owned());
                }
                self.words.insert(form);
            }
        };
        add(text);
        // A word that is broken at a line's end was found whole.
        if text.contains("-\n") {
            add(&form::joined(text));
        }
    }

    /// Whether a question has a word that it says, and nothing that stays where that was asked.
    fn spells(&mut self, connection: &Connection, asked: Asked) -> StoreResult<bool> {
        let named = asked.names.into_iter().map(|word| (true, word));
        for (is_name, word) in asked.words.into_iter().map(|word| (false, word)).chain(named) {
            if self.is_only_there(connection, &asked.spaces, (is_name, word))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_only_there(
        &mut self,
        connection: &Connection,
        spaces: &[String],
        (is_name, word): (bool, String),
    ) -> StoreResult<bool> {
        let asked = (is_name, spaces.to_vec(), word);
        if let Some(known) = self.known.get(&asked) {
            return Ok(*known);
        }
        let word = &asked.2;
        let is_there = if is_name { self.has_part(word) } else { self.has(word) };
        let is_so = is_there && !self.stays(connection, spaces, word)?;
        self.known.insert(asked, is_so);
        Ok(is_so)
    }

    /// Whether it says a word, in any form. In doubt it does: a word that begins like it is taken for one.
    fn has(&self, word: &str) -> bool {
        let is_there = |form: &String| {
            let root = root(form);
            let begins_so = || {
                self.words
                    .range::<str, _>((Bound::Included(root), Bound::Unbounded))
                    .next()
                    .is_some_and(|said| said.starts_with(root))
            };
            let begins_like_it = || {
                let mut ends = form.char_indices().skip(SHORTEST).map(|(at, _)| at).chain([form.len()]);
                ends.any(|end| self.roots.contains(&form[..end]))
            };
            self.words.contains(form) || (has_forms(form) && (begins_so() || begins_like_it()))
        };
        let mut forms = forms(word);
        // What stands before or after a sign within a word may be a letter that any text has.
        let parts = forms.split_off(1);
        forms.iter().chain(parts.iter().filter(|part| part.chars().count() >= SHORTEST)).any(is_there)
    }

    /// Whether a word that it says has this within it, as names are looked for.
    fn has_part(&self, word: &str) -> bool {
        forms(word).first().is_some_and(|form| self.words.iter().any(|said| said.contains(form.as_str())))
            || self.has(word)
    }

    fn stays(&self, connection: &Connection, spaces: &[String], word: &str) -> StoreResult<bool> {
        for space in spaces {
            let goes = self.units.get(space).map_or(&[][..], Vec::as_slice);
            if fts::any_but(connection, &SpaceId::parse(space.clone())?, &fts::quoted(word), goes)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GONE: &str = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a01";
    const STAYS: &str = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a02";

    #[test]
    fn all_that_was_asked_is_looked_at_but_for_very_common_words_of_the_question() {
        let many: String = (0..60).map(|at| format!("w{at} ")).collect();
        let asked = json!({"query": format!("Who is at the boat? {many}Weißkopf"), "from": ["Ana Quill"],
            "tags": ["old-boat"], "phrases": ["cold rent"], "without": ["Zorvex"]});
        let Asked { words, names, spaces } = Asked::of(&json!({"asked": asked, "words": ["it"], "spaces": ["GLOBAL"]}));
        for word in ["boat", "w59", "weisskopf", "old", "cold", "rent", "zorvex", "it"] {
            assert!(words.contains(word), "{word} in {words:?}");
        }
        for word in ["who", "is", "at", "the", "ana"] {
            assert!(!words.contains(word), "{word} in {words:?}");
        }
        assert_eq!((names, spaces), (["ana", "quill"].map(str::to_owned).into(), vec!["GLOBAL".to_owned()]));
        assert_eq!(Asked::of(&json!({})), Asked::default());
    }

    #[test]
    fn what_a_pack_leaves_out_stands_behind_a_minus() {
        for (question, expected) in [
            ("ferry -Quillon", &["Quillon"][..]),
            ("-\"Quillon Abernathy\" ferry -tide", &["Quillon Abernathy", "tide"]),
            ("well-known - ferry", &[]),
            ("-", &[]),
            ("ferry", &[]),
        ] {
            assert_eq!(left_out(question), expected, "{question}");
        }
    }

    #[test]
    fn words_that_go_are_known_in_any_form() {
        let check = |text: &str, asked: &str, is_there: bool| {
            let mut said = Said::default();
            said.add(text);
            let found = words_of(asked).any(|word| said.has(&word));
            assert_eq!(found, is_there, "{asked:?} in {text:?}");
        };
        for (text, asked) in [
            ("Weißkopf hat gekündigt.", "weisskopf"),
            ("WEISSKOPF", "Weißkopf's"),
            ("Herr Müller", "Muller"),
            ("two yachts", "yacht"),
            ("a yacht", "yachts"),
            ("he played", "play"),
            ("run", "running"),
            ("running", "run"),
            ("ponies", "pony"),
            ("used", "use"),
            ("use", "used"),
            ("Quill-\nfeather", "quillfeather"),
            ("Vexmark_7.pdf", "vexmark"),
            ("vexmark", "Vexmark.pdf"),
            ("会議", "会"),
        ] {
            check(text, asked, true);
        }
        check("a yacht", "boat", false);
        check("in 2008", "2007", false);
        check("Ana's", "Bob's", false);
        check("an ox", "oxen", false);
        let mut said = Said::default();
        said.add("Quillfeather");
        assert!(said.has_part("feather") && !said.has("feather"));
    }

    #[test]
    fn only_what_was_passed_over_is_taken_out() {
        let check = |what: &str, trace: Value, is_passed: bool, left: Value| {
            let goes = |id: &str| id == GONE;
            assert_eq!(is_passed_over(&trace.to_string(), goes).unwrap(), is_passed, "{what}");
            let mut taken = trace;
            take_out(&mut taken, goes);
            assert_eq!(taken, left, "{what}");
        };
        let (gone, stays) = (json!({"memory": GONE, "gate": "duplicate"}), json!({"memory": STAYS, "gate": "stale"}));
        check(
            "not given",
            json!({"given": [], "rejected": [gone, stays], "score": 0.1}),
            true,
            json!({"given": [], "rejected": [stays], "score": 0.1}),
        );
        check("connected too little", json!({"associated": [gone]}), true, json!({"associated": []}));
        let by_way = json!({"associated": [{"memory": STAYS, "path": [{"from": GONE}], "gate": "weak_activation"}]});
        check("connected too little by it", by_way, true, json!({"associated": []}));
        let given = json!({"given": [{"memory": GONE}], "rejected": [gone]});
        check("given", given, false, json!({"given": [{"memory": GONE}], "rejected": []}));
        let told = json!({"associated": [{"memory": GONE}]});
        check("told as connected", told.clone(), false, told);
        let event = json!({"event": {"claim": GONE}, "rejected": [stays]});
        check("what dates an event", event.clone(), false, event);
    }
}
