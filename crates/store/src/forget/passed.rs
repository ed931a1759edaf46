//! Traces that only passed over what goes: they stay, and tell no more of it.
//!
//! What was given as an answer, or told as connected with one, may be what was answered: a trace of that goes whole. Of what it passed over
//! a trace holds ids and numbers, and these are taken out; unless its question spells a word that nothing else says where it was asked.

use super::Rows;
use super::closure::uuids;
use super::words::texts_of;
use crate::{StoreResult, fts};
use rusqlite::{Connection, params};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use um_model::SpaceId;
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

/// What was asked in a trace: its words, the phrases that it must have, and the spaces that were searched.
type Asked = (Option<Vec<String>>, Option<Vec<String>>, Option<Vec<String>>);

/// Those of the traces that would stay whose question spells a word that only what goes says, of all that is in use where it was asked:
/// they go whole.
pub(super) fn spelling(connection: &Connection, rows: &Rows) -> StoreResult<Rows> {
    let mut found = Rows::default();
    if rows.of(PASSED).next().is_none() {
        return Ok(found);
    }
    let mut said = Said::of(connection, rows)?;
    let mut statement = connection.prepare_cached(
        "SELECT id, json_extract(recall_trace, '$.words', '$.asked.phrases', '$.spaces') FROM answer_traces
         WHERE is_redacted = 0 AND id IN (SELECT value FROM json_each(?1))",
    )?;
    let mut traces = statement.query([rows.json(PASSED)])?;
    while let Some(row) = traces.next()? {
        let (words, phrases, spaces): Asked = serde_json::from_str(&row.get::<_, String>(1)?)?;
        let (phrases, spaces) = (phrases.unwrap_or_default(), spaces.unwrap_or_default());
        let of_phrases = phrases.iter().flat_map(|phrase| phrase.unicode_words()).map(str::to_lowercase);
        for word in words.unwrap_or_default().into_iter().chain(of_phrases) {
            if said.is_only_there(connection, &spaces, word)? {
                found.add(TRACES, row.get::<_, String>(0)?);
                break;
            }
        }
    }
    Ok(found)
}

/// What goes, as words are looked for in it.
struct Said {
    /// Its words, in lower case.
    words: HashSet<String>,
    /// The rids of its passages, by their space.
    units: BTreeMap<String, Vec<i64>>,
    /// What was looked for already: words, and where they were asked.
    known: BTreeMap<(Vec<String>, String), bool>,
}

impl Said {
    fn of(connection: &Connection, rows: &Rows) -> StoreResult<Self> {
        let mut texts = Rows::default();
        for kind in ["memories", "artifacts", "derived_text_views", "evidence_events", "text_units"] {
            for id in rows.of(kind) {
                texts.add(kind, id);
            }
        }
        let mut words = HashSet::new();
        texts_of(connection, &texts, |_, text| words.extend(text.unicode_words().map(str::to_lowercase)))?;
        let mut units: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        let mut statement = connection
            .prepare_cached("SELECT space_id, rid FROM text_units WHERE id IN (SELECT value FROM json_each(?1))")?;
        let mut found = statement.query([rows.json("text_units")])?;
        while let Some(row) = found.next()? {
            units.entry(row.get(0)?).or_default().push(row.get(1)?);
        }
        Ok(Self { words, units, known: BTreeMap::new() })
    }

    /// Whether it says a word, in any form that the index takes for it, and nothing that stays in these spaces does.
    fn is_only_there(&mut self, connection: &Connection, spaces: &[String], word: String) -> StoreResult<bool> {
        let asked = (spaces.to_vec(), word);
        if let Some(known) = self.known.get(&asked) {
            return Ok(*known);
        }
        let is_so = self.is_there(connection, &asked.1)? && !self.stays(connection, &asked.0, &asked.1)?;
        self.known.insert(asked, is_so);
        Ok(is_so)
    }

    fn is_there(&self, connection: &Connection, word: &str) -> StoreResult<bool> {
        if self.words.contains(word) {
            return Ok(true);
        }
        for (space, rids) in &self.units {
            let space = SpaceId::parse(space.clone())?;
            if !fts::matching(connection, &space, &fts::quoted(word), Some(rids))?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
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
    use serde_json::json;

    const GONE: &str = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a01";
    const STAYS: &str = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a02";

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
