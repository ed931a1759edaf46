//! Hiding in a whole answer: first what is seen in each of its texts, then the same words wherever else they stand.

use super::known::{Found, Known, Standing};
use super::text::{Hidden, begun, is_id, occurrences, part_of, placed, seen, without, words_for};
use super::walk::{self, Object, Scope, Told, empty_hashes, is_hash};
use super::{Kinds, Masks, claim};
use crate::error::Fault;
use serde_json::Value;
use std::collections::BTreeSet;
use um_model::findings::FindingKind;
use um_model::{ApiError, ClaimId, EntityId, UnitId, Utf16Span};
use um_store::parts::{self, Text};
use um_store::{Connection, audit, claims, evidence, units};

/// The words that a text begins with may stand behind so many characters that show nothing.
const BEGINNING: u32 = 2_000;
/// So many places of a heading.
const HEADINGS: usize = 100;
/// What stands between headings.
const BETWEEN: &str = " › ";
/// What is shorter is hidden only where it was seen: it stands in too many other words.
const LEAST: usize = 4;

/// Hides what spaces hide from agents. What was looked up is `known` from then on.
pub(super) fn hide(c: &Connection, masks: &Masks, answer: &mut Value, known: &mut Known) -> Result<(), Fault> {
    known.forget_before(audit::last(c)?);
    let mut hiding = Hiding { c, masks, values: BTreeSet::new(), known };
    hiding.visit(answer, &Scope::of_all(masks), None)?;
    let values: Vec<(FindingKind, String)> = hiding.values.into_iter().collect();
    hide_again(masks, &values, answer, &Scope::of_all(masks));
    Ok(())
}

/// The same in an error's words.
pub(super) fn hide_in_error(masks: &Masks, error: ApiError) -> ApiError {
    let shown = |words: String| without(&words, seen(&words, &masks.any));
    ApiError { message: shown(error.message), hint: error.hint.map(shown), ..error }
}

struct Hiding<'a> {
    c: &'a Connection,
    masks: &'a Masks,
    /// What was hidden.
    values: BTreeSet<(FindingKind, String)>,
    known: &'a mut Known,
}

impl Hiding<'_> {
    /// Hides in a value. Says whether anything in it was hidden.
    fn visit(&mut self, value: &mut Value, scope: &Scope, label: Option<&str>) -> Result<bool, Fault> {
        match value {
            Value::String(_) if scope.kinds().is_empty() => Ok(false),
            Value::String(text) => {
                let hidden = seen_behind(label, text, scope.kinds());
                Ok(self.replace(text, hidden))
            }
            Value::Array(items) => {
                let mut any = false;
                for item in items {
                    any |= self.visit(item, scope, label)?;
                }
                Ok(any)
            }
            Value::Object(object) => self.visit_object(object, scope, label),
            _ => Ok(false),
        }
    }

    fn visit_object(&mut self, object: &mut Object, scope: &Scope, label: Option<&str>) -> Result<bool, Fault> {
        let scope = scope.within(self.masks, object);
        if scope.kinds().is_empty() {
            // What lies within may be of another space all the same.
            for value in object.values_mut().filter(|value| !value.is_string()) {
                self.visit(value, &scope, None)?;
            }
            return Ok(false);
        }
        let mut any = self.hide_names(object, scope.kinds());
        any |= self.hide_finding(object, scope.kinds());
        any |= self.hide_by_source(object, scope.kinds())?;
        any |= self.hide_ways(object, scope.kinds())?;
        let told = walk::told(object);
        for told in &told {
            any |= self.hide_told(object, told, scope.kinds())?;
        }
        let of_object = walk::label(object);
        for (key, value) in object.iter_mut().filter(|(key, _)| !is_hash(key)) {
            let label = if key == "object" { of_object.as_deref() } else { label.filter(|_| key == "value") };
            any |= self.visit(value, &scope, label)?;
        }
        // Only now: what a quote within is compared with is as long as the source has it.
        for told in &told {
            if let Told::Claim(id) = told {
                any |= self.hide_claim(object, id, scope.kinds())?;
            }
        }
        if any || walk::is_file(object) {
            empty_hashes(object);
        }
        Ok(any)
    }

    /// The names of a person.
    fn hide_names(&mut self, object: &mut Object, kinds: &Kinds) -> bool {
        if !kinds.contains(&FindingKind::Person) || !walk::names_a_person(object) {
            return false;
        }
        let mut names: Vec<&mut String> = Vec::new();
        for (key, value) in object.iter_mut() {
            match value {
                Value::String(name) if matches!(key.as_str(), "name" | "via") => names.push(name),
                Value::Array(others) if key == "aliases" => names.extend(others.iter_mut().filter_map(as_string)),
                _ => {}
            }
        }
        names.retain(|name| is_name(name));
        for name in &mut names {
            let name = std::mem::replace(*name, words_for(FindingKind::Person));
            self.remember(FindingKind::Person, &name);
        }
        !names.is_empty()
    }

    /// What the whole source tells of the words that are shown of it, which may begin or end in the middle of something.
    fn hide_by_source(&mut self, object: &mut Object, kinds: &Kinds) -> Result<bool, Fault> {
        let Some(source) = walk::source_of(object) else { return Ok(false) };
        let mut any = false;
        if let Some((key, span)) = walk::shown_words(object) {
            let hidden = self.known.seen_in_part(self.c, (&source, span), kinds)?;
            any |= self.replace_at(object, key, hidden);
        }
        any |= self.hide_headings(object, &source, kinds)?;
        // Where a source has no title, its first words stand there.
        Ok(self.hide_beginning(object, "title", (&source, 0), kinds)? | any)
    }

    /// What is known of what the object says it is of.
    fn hide_told(&mut self, object: &mut Object, told: &Told, kinds: &Kinds) -> Result<bool, Fault> {
        match told {
            Told::Text(source) => {
                let mut any = false;
                for key in ["title", "says", "text"] {
                    any |= self.hide_beginning(object, key, (source, 0), kinds)?;
                }
                Ok(any)
            }
            Told::Passage(unit) => self.hide_passage(object, unit, kinds),
            Told::Quote(id) => match evidence::place_of(self.c, id)? {
                Some((source, span)) => self.hide_beginning(object, "text", (&source, span.start), kinds),
                None => Ok(false),
            },
            Told::Claim(id) => self.hide_quotes(object, id, kinds),
            Told::Name(id) => self.hide_name(object, id, kinds),
        }
    }

    /// The words of a finding that is hidden.
    fn hide_finding(&mut self, object: &mut Object, kinds: &Kinds) -> bool {
        let finding = walk::finding(object).filter(|(kind, words)| kinds.contains(kind) && !words.is_empty());
        let Some((kind, words)) = finding.map(|(kind, words)| (kind, words.to_owned())) else { return false };
        self.remember(kind, &words);
        object.insert("value".to_owned(), words_for(kind).into());
        true
    }

    /// Words that are the beginning of a source's text, or of what stands behind a code unit of it.
    fn hide_beginning(
        &mut self,
        object: &mut Object,
        key: &str,
        (source, from): (&Text, u32),
        kinds: &Kinds,
    ) -> Result<bool, Fault> {
        let Some(Value::String(words)) = object.get_mut(key) else { return Ok(false) };
        if words.trim().is_empty() {
            return Ok(false);
        }
        let length = u32::try_from(words.chars().count()).unwrap_or(u32::MAX);
        let text = parts::beginning(self.c, source, from.saturating_add(length).saturating_add(BEGINNING))?;
        let Some(begin) = Utf16Span::new(from, from).byte_range(&text) else { return Ok(false) };
        let letters = begun(&text[begin.start..], words).unwrap_or_default();
        let Some(part) = part_of(words, &letters, from) else { return Ok(false) };
        let found = self.known.seen_in_source(self.c, (source, part), kinds)?;
        let hidden = found.into_iter().filter_map(|(kind, span)| {
            let mut of = letters.iter().filter(|(unit, _)| (span.start..span.end).contains(&(from + unit)));
            let (_, first) = of.next()?;
            let end = of.next_back().map_or(first.end, |(_, last)| last.end);
            Some(Hidden { range: first.start..end, kind })
        });
        let hidden = hidden.collect();
        Ok(self.replace(words, hidden))
    }

    /// The words of a passage, or of one with those around it.
    fn hide_passage(&mut self, object: &mut Object, unit: &UnitId, kinds: &Kinds) -> Result<bool, Fault> {
        let Some(Value::String(words)) = object.get_mut("text") else { return Ok(false) };
        let Some((source, span)) = self.place_of(unit, words)? else {
            // It is not there any more, and nothing tells what of it is hidden.
            *words = words_for(FindingKind::Other);
            return Ok(true);
        };
        let hidden = placed(words, self.known.seen_in_part(self.c, (&source, span), kinds)?.into_iter());
        Ok(self.replace(words, hidden))
    }

    /// Where the words of a passage, or of one with those around it, stand.
    fn place_of(&self, unit: &UnitId, words: &str) -> Result<Option<(Text, Utf16Span)>, Fault> {
        let Some(passage) = units::by_id(self.c, unit.as_str())? else { return Ok(None) };
        let source = passage.view_id.map_or(Text::Memory(passage.memory_id), Text::View);
        if passage.text == words {
            return Ok(Some((source, passage.span)));
        }
        let around = units::around(self.c, unit.as_str())?;
        Ok(around.filter(|(_, text)| text == words).map(|(span, _)| (source, span)))
    }

    /// The headings above a passage, which stand in its source, too.
    fn hide_headings(&mut self, object: &mut Object, source: &Text, kinds: &Kinds) -> Result<bool, Fault> {
        let Some(Value::String(path)) = object.get_mut("heading_path") else { return Ok(false) };
        let Some(text) = self.known.text(self.c, source)? else { return Ok(false) };
        let (mut of, mut places, mut at) = (Vec::new(), Vec::new(), 0);
        for heading in path.split(BETWEEN) {
            let words = heading.trim_end_matches('…');
            for place in headings(&text, words) {
                of.push((at, words));
                places.push(place);
            }
            at += heading.len() + BETWEEN.len();
        }
        let mut hidden = Vec::new();
        for ((at, words), found) in of.into_iter().zip(self.known.seen_in_parts(self.c, source, &places, kinds)?) {
            hidden.extend(placed(words, found.into_iter()).iter().map(|one| moved(one, at)));
        }
        Ok(self.replace(path, hidden))
    }

    /// The quotes of a claim that a text tells with it.
    fn hide_quotes(&mut self, object: &mut Object, id: &ClaimId, kinds: &Kinds) -> Result<bool, Fault> {
        let Some(Value::String(text)) = object.get_mut("text") else { return Ok(false) };
        let mut hidden = Vec::new();
        for quote in self.known.quotes(self.c, id, kinds)?.iter() {
            let words = quote.words.as_str();
            let mut places = text.match_indices(words).map(|(at, _)| at).peekable();
            if words.is_empty() || places.peek().is_none() {
                continue;
            }
            let found = placed(words, self.known.seen_in_part(self.c, (&quote.source, quote.span), kinds)?.into_iter());
            hidden.extend(places.flat_map(|at| found.iter().map(move |one| moved(one, at))));
        }
        Ok(self.replace(text, hidden))
    }

    /// What a claim says, as far as what it rests on is hidden.
    fn hide_claim(&mut self, object: &mut Object, id: &ClaimId, kinds: &Kinds) -> Result<bool, Fault> {
        let Some(claim) = claims::by_id(self.c, id)? else { return Ok(false) };
        let quotes = self.known.quotes(self.c, id, kinds)?;
        let mut any = false;
        for entity in claim::entities(&claim) {
            let named = self.known.name(self.c, &entity.id, kinds)?;
            if let Some(standing) = named.filter(|(kind, _)| *kind != FindingKind::Person || is_name(&entity.name)) {
                any |= self.hide_words(object, standing, &entity.name);
            }
        }
        for (standing, words) in claim::hidden(&claim, &quotes) {
            any |= self.hide_words(object, standing, &words);
        }
        Ok(any)
    }

    /// Words of an object wherever they stand in it; elsewhere in the answer, too, where they are hidden by themselves.
    fn hide_words(&mut self, object: &mut Object, (kind, is_itself): Standing, words: &str) -> bool {
        let mut any = false;
        for (_, value) in object.iter_mut().filter(|(key, _)| !words.is_empty() && !is_hash(key)) {
            any |= hide_in(value, kind, words);
        }
        if any && is_itself {
            self.remember(kind, words);
        }
        any
    }

    /// What an entity is called.
    fn hide_name(&mut self, object: &mut Object, id: &EntityId, kinds: &Kinds) -> Result<bool, Fault> {
        let Some(standing) = self.known.name(self.c, id, kinds)? else { return Ok(false) };
        let is_alias = object.get("kind").is_some_and(|kind| kind == "alias");
        let mut names: Vec<&mut String> = Vec::new();
        for (key, value) in object.iter_mut() {
            match value {
                Value::String(name) if key == "name" || key == "title" || (is_alias && key == "text") => {
                    names.push(name)
                }
                Value::Array(others) if key == "aliases" => names.extend(others.iter_mut().filter_map(as_string)),
                _ => {}
            }
        }
        Ok(names.into_iter().fold(false, |any, name| self.replace_name(name, standing) | any))
    }

    /// Whom or what steps lead by: what a step has the name of is where it begins, or, on a way, where the next one does.
    fn hide_ways(&mut self, object: &mut Object, kinds: &Kinds) -> Result<bool, Fault> {
        let mut any = false;
        for (key, nodes) in [("named", 1), ("path", 2)] {
            let Some(Value::Array(steps)) = object.get_mut(key) else { continue };
            let begins: Vec<Option<EntityId>> = steps.iter().map(walk::begin_of_step).collect();
            for (at, step) in steps.iter_mut().enumerate() {
                let Some(via) = walk::entity_of_step(step) else { continue };
                for entity in begins[at..].iter().take(nodes).flatten() {
                    // A memory is no entity: by its id no name is hidden.
                    if let Some(standing) = self.known.name(self.c, entity, kinds)? {
                        any |= self.replace_name(via, standing);
                        break;
                    }
                }
            }
        }
        Ok(any)
    }

    /// A name that is hidden. Says whether it is one.
    fn replace_name(&mut self, name: &mut String, (kind, is_itself): Standing) -> bool {
        if kind == FindingKind::Person && !is_name(name) {
            return false;
        }
        let name = std::mem::replace(name, words_for(kind));
        if is_itself {
            self.remember(kind, &name);
        }
        true
    }

    fn replace_at(&mut self, object: &mut Object, key: &str, found: Found) -> bool {
        let Some(Value::String(text)) = object.get_mut(key) else { return false };
        let hidden = placed(text, found.into_iter());
        self.replace(text, hidden)
    }

    fn replace(&mut self, text: &mut String, hidden: Vec<Hidden>) -> bool {
        if hidden.is_empty() {
            return false;
        }
        for one in &hidden {
            self.remember(one.kind, &text[one.range.clone()]);
        }
        *text = without(text, hidden);
        true
    }

    fn remember(&mut self, kind: FindingKind, value: &str) {
        let value = value.trim();
        if value.len() >= LEAST || kind == FindingKind::Person {
            self.values.insert((kind, value.to_owned()));
        }
    }
}

fn as_string(value: &mut Value) -> Option<&mut String> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// The same so many bytes further on.
fn moved(one: &Hidden, by: usize) -> Hidden {
    Hidden { range: one.range.start + by..one.range.end + by, kind: one.kind }
}

/// Hides words wherever they stand in a value. Says whether it hid any.
fn hide_in(value: &mut Value, kind: FindingKind, words: &str) -> bool {
    match value {
        Value::String(text) if !is_id(text) => {
            let hidden: Vec<Hidden> =
                occurrences(text, words).into_iter().map(|range| Hidden { range, kind }).collect();
            let any = !hidden.is_empty();
            if any {
                *text = without(text, hidden);
            }
            any
        }
        Value::Array(items) => items.iter_mut().fold(false, |any, item| hide_in(item, kind, words) | any),
        Value::Object(object) => {
            let any = object
                .iter_mut()
                .filter(|(key, _)| !is_hash(key))
                .fold(false, |any, (_, value)| hide_in(value, kind, words) | any);
            if any {
                empty_hashes(object);
            }
            any
        }
        _ => false,
    }
}

/// Where some words stand as a heading in a text: nothing that is read stands before them on their line.
fn headings(text: &str, words: &str) -> Vec<Utf16Span> {
    if words.is_empty() {
        return Vec::new();
    }
    let begins = |at: &usize| {
        let line = text[..*at].rfind('\n').map_or(0, |end| end + 1);
        !text[line..*at].contains(char::is_alphanumeric)
    };
    let mut offsets = um_model::span::Utf16Offsets::new(text);
    let length = um_model::span::utf16_len(words);
    let found = text.match_indices(words).map(|(at, _)| at).filter(begins).take(HEADINGS);
    found.map(|at| offsets.unit_at(at)).map(|start| Utf16Span::new(start, start + length)).collect()
}

/// Whether what an entity is called is a name, and no `I` or `user`.
fn is_name(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_uppercase) && text.chars().nth(1).is_some()
}

/// What detectors see in a text that stands behind a label, such as a value behind the name of its attribute.
fn seen_behind(label: Option<&str>, text: &str, kinds: &Kinds) -> Vec<Hidden> {
    let mut hidden = seen(text, kinds);
    if let Some(label) = label.filter(|_| hidden.is_empty()) {
        let labelled = format!("{label}{text}");
        hidden = seen(&labelled, kinds)
            .into_iter()
            .filter(|one| one.range.end > label.len())
            .map(|one| Hidden {
                range: one.range.start.max(label.len()) - label.len()..one.range.end - label.len(),
                ..one
            })
            .collect();
    }
    hidden
}

/// Hides the words that were hidden somewhere wherever else they stand, such as a claim's value that a quote gave. Says
/// whether it hid any.
fn hide_again(masks: &Masks, values: &[(FindingKind, String)], value: &mut Value, scope: &Scope) -> bool {
    match value {
        Value::String(text) => {
            let of_scope = values.iter().filter(|(kind, _)| scope.kinds().contains(kind));
            let hidden: Vec<Hidden> = of_scope
                .flat_map(|(kind, words)| {
                    occurrences(text, words).into_iter().map(|range| Hidden { range, kind: *kind })
                })
                .collect();
            if !hidden.is_empty() {
                *text = without(text, hidden.clone());
            }
            !hidden.is_empty()
        }
        Value::Array(items) => {
            let mut any = false;
            for item in items {
                any |= hide_again(masks, values, item, scope);
            }
            any
        }
        Value::Object(object) => {
            let scope = scope.within(masks, object);
            let mut any = false;
            for (_, value) in object.iter_mut().filter(|(key, _)| !is_hash(key)) {
                any |= hide_again(masks, values, value, &scope);
            }
            if any {
                empty_hashes(object);
            }
            any
        }
        _ => false,
    }
}
