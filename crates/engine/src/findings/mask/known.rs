//! What was looked up of what is hidden: in sources, of names and of what claims rest on.

use super::{Kinds, claim};
use crate::error::{Fault, not_found};
use crate::findings::detect::is_current;
use crate::findings::{carry, region};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;
use um_model::belief::EntityType;
use um_model::findings::FindingKind;
use um_model::span::Utf16Offsets;
use um_model::{ClaimId, EntityId, Utf16Span, ViewId};
use um_store::parts::{self, Text};
use um_store::{Connection, entities, evidence, findings};

/// So much of a source's text before and behind the words that are shown is looked at where nobody looked at it yet, in
/// bytes: what is cut in two where the words begin or end is seen by its whole.
const AROUND: usize = 4_000;
/// So many places of a name, and so many quotes of a claim, are looked at: those that came last.
const PLACES: u32 = 1_000;
/// Sources whose texts have so many bytes together are held at once.
const HELD: usize = 16 * 1024 * 1024;

/// What was looked up of what is hidden, for an answer that is hidden in several times while it is made.
#[derive(Default)]
pub(crate) struct Known {
    /// The last entry of the ledger when it was looked up. Whatever a person marks or decides stands there.
    last: i64,
    /// As what names are hidden.
    names: BTreeMap<(EntityId, Kinds), Option<Standing>>,
    /// What claims rest on.
    quotes: BTreeMap<(ClaimId, Kinds), Rc<[claim::Quote]>>,
    /// What is marked in views, on their pages or in earlier readings of them.
    marks: BTreeMap<(ViewId, Kinds), Found>,
    /// What was found or seen in parts of texts.
    seen: BTreeMap<(Text, Utf16Span, Kinds), Found>,
    /// Whole texts.
    texts: BTreeMap<Text, Rc<str>>,
}

impl Known {
    /// Forgets all that was looked up before this entry of the ledger.
    pub(super) fn forget_before(&mut self, last: i64) {
        if self.last != last {
            *self = Self { last, ..Self::default() };
        }
    }

    /// What a claim rests on, with what was found there.
    pub(super) fn quotes(&mut self, c: &Connection, id: &ClaimId, kinds: &Kinds) -> Result<Rc<[claim::Quote]>, Fault> {
        let key = (id.clone(), kinds.clone());
        if let Some(known) = self.quotes.get(&key) {
            return Ok(known.clone());
        }
        let quotes = evidence::quotes_of(c, id, PLACES)?;
        let parts: Vec<(Text, Utf16Span)> = quotes.iter().map(|(source, span, _)| (source.clone(), *span)).collect();
        let found = self.found(c, &parts, kinds)?;
        let quotes = quotes.into_iter().zip(found);
        let quotes: Rc<[claim::Quote]> =
            quotes.map(|((source, span, words), found)| claim::Quote { source, span, words, found }).collect();
        self.quotes.insert(key, quotes.clone());
        Ok(quotes)
    }

    /// As what the name of an entity is hidden: as that of a person, or by where texts name it.
    pub(super) fn name(&mut self, c: &Connection, id: &EntityId, kinds: &Kinds) -> Result<Option<Standing>, Fault> {
        let key = (id.clone(), kinds.clone());
        if let Some(known) = self.names.get(&key) {
            return Ok(*known);
        }
        let is_person = kinds.contains(&FindingKind::Person)
            && entities::standing(c, id)?.is_some_and(|one| one.entity_type == EntityType::Person);
        let standing = if is_person { Some((FindingKind::Person, true)) } else { self.named(c, id, kinds)? };
        self.names.insert(key, standing);
        Ok(standing)
    }

    fn named(&mut self, c: &Connection, id: &EntityId, kinds: &Kinds) -> Result<Option<Standing>, Fault> {
        let parts = entities::named_at(c, id, PLACES)?;
        let found = self.found(c, &parts, kinds)?;
        Ok(standing(parts.into_iter().map(|(_, place)| place).zip(found)))
    }

    /// What was found where parts of sources' texts stand, of each in its turn: by whoever looked, or marked by the person in the text, on
    /// its page, or in an earlier reading of it. Few statements, however many parts: more is asked only of views of which something may be
    /// marked elsewhere.
    fn found(&mut self, c: &Connection, parts: &[(Text, Utf16Span)], kinds: &Kinds) -> Result<Vec<Found>, Fault> {
        let of_kinds: Vec<FindingKind> = kinds.iter().copied().collect();
        let mut all = findings::within(c, parts, &of_kinds)?;
        let views: BTreeSet<&ViewId> = parts.iter().filter_map(|(source, _)| view_of(source)).collect();
        if views.is_empty() {
            return Ok(all);
        }
        let elsewhere = findings::marked_elsewhere(c, &views)?;
        for ((source, part), found) in parts.iter().zip(&mut all) {
            if let Some(view) = view_of(source).filter(|view| elsewhere.contains(*view)) {
                let marks = self.marks(c, view, kinds)?.iter();
                found.extend(marks.filter(|(_, span)| span.overlaps(*part)).copied());
            }
        }
        Ok(all)
    }

    /// What is marked in a view on its page or recording, or in an earlier reading of it.
    fn marks(&mut self, c: &Connection, view: &ViewId, kinds: &Kinds) -> Result<&Found, Fault> {
        let key = (view.clone(), kinds.clone());
        if !self.marks.contains_key(&key) {
            let of_kinds: Vec<FindingKind> = kinds.iter().copied().collect();
            let mut marks = region::marked(c, view, &of_kinds)?;
            marks.extend(carry::marked_before(c, view, &of_kinds)?);
            self.marks.insert(key.clone(), marks);
        }
        Ok(&self.marks[&key])
    }

    /// What was found in a part of a source, or is seen now where nobody looked yet.
    pub(super) fn seen_in_source(
        &mut self,
        c: &Connection,
        (source, part): (&Text, Utf16Span),
        kinds: &Kinds,
    ) -> Result<Found, Fault> {
        Ok(self.seen(c, source, &[part], kinds)?.pop().unwrap_or_default())
    }

    /// The same as spans of the part.
    pub(super) fn seen_in_part(
        &mut self,
        c: &Connection,
        at: (&Text, Utf16Span),
        kinds: &Kinds,
    ) -> Result<Found, Fault> {
        Ok(within(at.1, self.seen_in_source(c, at, kinds)?))
    }

    /// The same of several parts, of each in its turn.
    pub(super) fn seen_in_parts(
        &mut self,
        c: &Connection,
        source: &Text,
        parts: &[Utf16Span],
        kinds: &Kinds,
    ) -> Result<Vec<Found>, Fault> {
        let found = self.seen(c, source, parts, kinds)?;
        Ok(parts.iter().zip(found).map(|(part, found)| within(*part, found)).collect())
    }

    /// What was found in parts of a source, or is seen now where nobody looked yet. As many statements for all parts as for one.
    fn seen(&mut self, c: &Connection, source: &Text, parts: &[Utf16Span], kinds: &Kinds) -> Result<Vec<Found>, Fault> {
        let key = |part: &Utf16Span| (source.clone(), *part, kinds.clone());
        let new: BTreeSet<Utf16Span> =
            parts.iter().copied().filter(|part| !self.seen.contains_key(&key(part))).collect();
        if !new.is_empty() {
            let new: Vec<Utf16Span> = new.into_iter().collect();
            let of_source: Vec<(Text, Utf16Span)> = new.iter().map(|part| (source.clone(), *part)).collect();
            let mut found = self.found(c, &of_source, kinds)?;
            // The background looks for what names, reaches or unlocks somebody.
            let is_complete = !kinds.iter().any(|kind| kind.only_describes())
                && findings::looked_at_by(c, source)?.is_some_and(|version| is_current(&version));
            if !is_complete {
                // Of what is not there nobody knows what of it is hidden.
                let text = self.text(c, source)?.ok_or_else(|| not_found("text", id_of(source)))?;
                for (found, seen) in found.iter_mut().zip(seen_around(&text, &new, kinds)) {
                    found.extend(seen);
                }
            }
            self.seen.extend(new.iter().map(key).zip(found));
        }
        Ok(parts.iter().map(|part| self.seen.get(&key(part)).cloned().unwrap_or_default()).collect())
    }

    /// The whole of a source's text, where there is one.
    pub(super) fn text(&mut self, c: &Connection, source: &Text) -> Result<Option<Rc<str>>, Fault> {
        if let Some(text) = self.texts.get(source) {
            return Ok(Some(text.clone()));
        }
        let Some(text) = parts::whole(c, source)? else { return Ok(None) };
        let held: usize = self.texts.values().map(|text| text.len()).sum();
        if held + text.len() > HELD {
            self.texts.clear();
        }
        self.texts.insert(source.clone(), text.clone());
        Ok(Some(text))
    }
}

/// As what words are hidden by the places at which they stand, and whether by themselves and not with what stands around them.
pub(super) type Standing = (FindingKind, bool);

/// Findings in a text, with where they stand there.
pub(super) type Found = Vec<(FindingKind, Utf16Span)>;

/// As what words are hidden that stand at these places, each with the findings that overlap it: where a finding is of nothing but them;
/// or where none of the places is open.
pub(super) fn standing(places: impl Iterator<Item = (Utf16Span, Found)>) -> Option<Standing> {
    let (mut hidden, mut is_open) = (None, false);
    for (place, found) in places {
        if let Some((kind, _)) = found.iter().find(|(_, of)| place.start <= of.start && of.end <= place.end) {
            return Some((*kind, true));
        }
        is_open |= found.is_empty();
        hidden = hidden.or(found.first().map(|(kind, _)| (*kind, false)));
    }
    hidden.filter(|_| !is_open)
}

fn view_of(source: &Text) -> Option<&ViewId> {
    match source {
        Text::View(view) => Some(view),
        Text::Memory(_) => None,
    }
}

fn id_of(source: &Text) -> &str {
    match source {
        Text::View(view) => view.as_str(),
        Text::Memory(memory) => memory.as_str(),
    }
}

/// What was found in a source, as spans of a part of it.
fn within(part: Utf16Span, found: Found) -> Found {
    let clamp = |offset: u32| offset.clamp(part.start, part.end) - part.start;
    let within = |(kind, span): (FindingKind, Utf16Span)| (kind, Utf16Span::new(clamp(span.start), clamp(span.end)));
    found.into_iter().map(within).filter(|(_, span)| !span.is_empty()).collect()
}

/// What detectors see around parts of a text that nobody looked at, of each in its turn.
fn seen_around(text: &str, parts: &[Utf16Span], kinds: &Kinds) -> Vec<Found> {
    let rules = um_pii::Rules::of(&kinds.iter().copied().collect::<Vec<_>>());
    let mut offsets = Utf16Offsets::new(text);
    let mut seen = vec![Found::new(); parts.len()];
    for (window, of) in windows(text, parts) {
        let before = offsets.unit_at(window.start);
        let found: Found = um_pii::find(&text[window], &rules)
            .into_iter()
            .map(|one| (one.kind, Utf16Span::new(one.span.start + before, one.span.end + before)))
            .collect();
        for at in of {
            seen[at].extend(found.iter().filter(|(_, span)| span.overlaps(parts[at])).copied());
        }
    }
    seen
}

/// What is looked at around parts of a text, in bytes and in order, each with the places in `parts` of those that stand there. What
/// overlaps is looked at together, as far as detectors do so.
fn windows(text: &str, parts: &[Utf16Span]) -> Vec<(Range<usize>, Vec<usize>)> {
    let units: BTreeSet<u32> = parts.iter().flat_map(|part| [part.start, part.end]).collect();
    let mut offsets = Utf16Offsets::new(text);
    let bytes: BTreeMap<u32, usize> =
        units.into_iter().filter_map(|unit| Some((unit, offsets.byte_at(unit)?))).collect();
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|at| parts[*at]);
    let mut windows: Vec<(Range<usize>, Vec<usize>)> = Vec::new();
    for at in order {
        let (Some(start), Some(end)) = (bytes.get(&parts[at].start), bytes.get(&parts[at].end)) else { continue };
        let from = (0..=start.saturating_sub(AROUND)).rev().find(is_boundary).unwrap_or(0);
        let to = ((end + AROUND).min(text.len())..=text.len()).find(is_boundary).unwrap_or(text.len());
        match windows.last_mut() {
            Some((last, of)) if from <= last.end && to.max(last.end) - last.start <= um_pii::PIECE => {
                last.end = last.end.max(to);
                of.push(at);
            }
            _ => windows.push((from..to, vec![at])),
        }
    }
    windows
}

#[cfg(test)]
mod tests {
    use super::super::Masks;
    use super::super::hide::hide;
    use super::*;
    use crate::statements::runs;
    use serde_json::json;

    #[test]
    fn what_was_looked_up_is_known_until_something_is_written_down() {
        let id = EntityId::parse("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0001").unwrap();
        let mut known = Known::default();
        let mut check = |last: i64, expected: usize| {
            known.forget_before(last);
            assert_eq!(known.names.len(), expected, "{last}");
            known.names.insert((id.clone(), Kinds::new()), None);
        };
        check(0, 0);
        check(0, 1);
        check(7, 0);
        check(7, 1);
        check(8, 0);
    }

    #[test]
    fn what_overlaps_is_looked_at_together() {
        let text = "🦊bcdefgh\n".repeat(30_000);
        let length = text.len();
        let check = |parts: &[(u32, u32)], expected: &[(Range<usize>, &[usize])]| {
            let parts: Vec<Utf16Span> = parts.iter().map(|(start, end)| Utf16Span::new(*start, *end)).collect();
            let found = windows(&text, &parts);
            let found: Vec<(Range<usize>, &[usize])> =
                found.iter().map(|(range, of)| (range.clone(), of.as_slice())).collect();
            assert_eq!(found, expected, "{parts:?}");
        };
        check(&[], &[]);
        // A line has ten code units, and twelve bytes.
        check(&[(1_000, 1_010)], &[(0..5_212, &[0])]);
        check(&[(10_000, 10_010), (1_000, 1_010)], &[(0..5_212, &[1]), (8_000..16_012, &[0])]);
        check(&[(6_000, 6_010), (1_000, 1_010), (1_001, 1_010)], &[(0..11_212, &[1, 0])]);
        check(&[(0, 290_000), (290_000, 290_010)], &[(0..352_000, &[0]), (344_000..352_012, &[1])]);
        assert!(length >= 352_012);
    }

    #[test]
    fn around_many_places_the_same_is_seen_as_around_each() {
        let line = "🦊 Write to halden.keeper@mail.example about the boat, or do not.\n";
        let text = line.repeat(400);
        let (kinds, length) = (Kinds::from([FindingKind::Email]), um_model::span::utf16_len(line));
        let place = |line: u32, (from, to): (u32, u32)| Utf16Span::new(line * length + from, line * length + to);
        let parts = [(300, (3, 20)), (0, (0, 8)), (0, (15, 30)), (9, (0, 60)), (300, (3, 20)), (399, (40, 50))];
        let parts = parts.map(|(line, part)| place(line, part));
        let all = seen_around(&text, &parts, &kinds);
        let each: Vec<Found> = parts.iter().map(|part| seen_around(&text, &[*part], &kinds).remove(0)).collect();
        assert_eq!(all, each);
        assert_eq!(all.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0, 1, 1, 1, 0]);
    }

    /// Statements that it takes to hide what is hidden of a heading that stands so often in a text.
    fn statements(places: usize) -> i32 {
        um_store::register_sqlite_vec();
        let db = Connection::open_in_memory().unwrap();
        um_store::register_functions(&db).unwrap();
        um_store::MIGRATIONS.iter().for_each(|(_, sql)| db.execute_batch(sql).unwrap());
        db.set_prepared_statement_cache_capacity(256);
        let (memory, text) = ("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0001", "# Boats\n\nThey float.\n\n".repeat(places));
        db.execute(
            "INSERT INTO memories (id, content, content_hash, scope, valid_from, created_at, space_id, actor_id)
             VALUES (?1, ?2, 'x', 'fact', 1, 1, 'GLOBAL', ?3)",
            [memory, &text, um_model::OWNER_AGENT],
        )
        .unwrap();
        let masks = Masks { by_space: BTreeMap::new(), any: Kinds::from([FindingKind::Email]) };
        let mut answer = json!({ "memory_id": memory, "heading_path": "Boats" });
        let before = runs(&db);
        assert!(hide(&db, &masks, &mut answer, &mut Known::default()).is_ok());
        runs(&db) - before
    }

    /// Whatever stands under the same heading in a text that nobody looked at is looked for at once.
    #[test]
    fn a_heading_costs_as_many_statements_however_often_it_stands_there() {
        let (few, many) = (statements(2), statements(60));
        assert!(0 < few && few == many, "{few} statements for two places, {many} for sixty");
    }
}
