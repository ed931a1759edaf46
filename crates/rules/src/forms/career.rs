//! Lines of a CV: `2015-2019 Engineer, Orbis GmbH`, `Nurse at St. Mary's (2015 - present)`.

use super::Found;
use crate::clause::Said;
use crate::data::words::{self, contains_word};
use crate::data::{names, nouns};
use crate::dates::{self, When};
use crate::layout::{Line, is_firm, lines};
use crate::source::Source;
use std::ops::Range;
use um_model::belief::{CandidateObject, EntityType, Mention, Referent};

/// A stretch of time as a CV writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch<'t> {
    since: &'t str,
    /// None where it goes on.
    until: Option<&'t str>,
}

/// A line that says where somebody worked or studied, as what, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Station<'t> {
    stretch: Stretch<'t>,
    predicate: &'static str,
    /// None of a school.
    role: Option<&'t str>,
    place: &'t str,
}

/// A duty and a firm on one line, in either order: `Engineer, Tern AG`.
pub(super) fn post(text: &str) -> Option<(&str, &str)> {
    let (first, second) = parted(text)?;
    match (firm(first), firm(second)) {
        (_, Some(firm)) if is_title(first) => Some((first, firm)),
        (Some(firm), _) if is_title(second) => Some((second, firm)),
        _ => None,
    }
}

/// That somebody has a duty at a firm, whose name stands in the text.
pub(super) fn holds(source: &Source<'_>, who: Mention, role: &str, firm: &str) -> Said {
    let mut said = Said::new(who, "works_at", CandidateObject::Entity(named(source, firm)), 0.85);
    said.qualifiers.insert("role".into(), role.to_owned());
    said
}

/// A firm or school, by the words of the text that name it.
fn named(source: &Source<'_>, name: &str) -> Mention {
    let start = name.as_ptr() as usize - source.text.as_ptr() as usize;
    Mention {
        name: name.to_owned(),
        referent: Referent::Named,
        entity_type: EntityType::Organization,
        span: Some(source.span(start..start + name.len())),
    }
}

/// The stations in a stretch of lines; `whose` says of a place in the text whose they are there.
pub(crate) fn stations(
    source: &Source<'_>,
    range: Range<usize>,
    whose: impl Fn(usize) -> Option<Mention>,
) -> Vec<Found> {
    let lines = lines(&source.text[range.clone()]);
    lines.iter().filter_map(|line| held(source, range.start, line, &whose(range.start + line.start)?)).collect()
}

/// What a CV calls itself.
const TITLES: [&str; 6] = ["curriculum vitae", "curriculum vitæ", "cv", "résumé", "resume", "c.v."];

/// Lines of a CV that name whose the lines below are: `Jane Dorsey`, `CV of Jane Dorsey`, `Name: Jane Dorsey`. Among the
/// first three any words that can be a name are one; below, only a name that is known for one.
pub(crate) fn owners(text: &str) -> Vec<Range<usize>> {
    let all = lines(text);
    let Some(first) = all.iter().position(|line| station(line.text).is_some()) else { return Vec::new() };
    let top = all[..first].iter().filter(|line| !line.text.is_empty()).nth(2).map_or(usize::MAX, |line| line.start);
    let mut found: Vec<Range<usize>> = Vec::new();
    for line in &all {
        let Some(name) = bearer(line.text) else { continue };
        let known = names::guess(name) == Some(EntityType::Person);
        if known || found.is_empty() && line.start <= top && line.start < all[first].start {
            let start = name.as_ptr() as usize - text.as_ptr() as usize;
            found.push(start..start + name.len());
        }
    }
    found
}

/// The name in a line that is a name, with or without what the paper calls itself, and with or without a duty behind it.
fn bearer(line: &str) -> Option<&str> {
    if line.ends_with(',') || line.len() > 80 {
        return None;
    }
    let marks = |c: char| MARKS.contains(&c) || matches!(c, '#' | '*' | '_');
    let mut rest = line.trim_matches(marks);
    let mut labelled = false;
    let labels = TITLES.iter().copied().chain(["name", "full name", "candidate"]);
    for label in labels {
        let head = rest.get(..label.len()).filter(|head| head.eq_ignore_ascii_case(label));
        if let Some(behind) =
            head.map(|_| &rest[label.len()..]).filter(|behind| !behind.starts_with(char::is_alphanumeric))
        {
            let behind = behind.trim_start();
            rest = ["of ", "for "].iter().find_map(|of| behind.strip_prefix(of)).unwrap_or(behind).trim_matches(marks);
            labelled = true;
        }
    }
    for label in TITLES {
        let at = rest.len().saturating_sub(label.len());
        if rest.get(at..).is_some_and(|tail| at > 0 && tail.eq_ignore_ascii_case(label)) {
            rest = rest[..at].trim_matches(marks);
            labelled = true;
        }
    }
    let (name, duty) = rest.split_once([',', '|', '–', '—']).unwrap_or((rest, ""));
    let name = name.trim_matches(marks);
    if !duty.is_empty() && !is_title(duty.trim()) && !labelled {
        return None;
    }
    // `World Events` is nobody, but who has a paper of their own may be called anything.
    let plural = || name.ends_with('s') && names::guess(name) != Some(EntityType::Person);
    (is_somebody(name) && (labelled || !plural())).then_some(name)
}

/// Whether words can be somebody's name and are none of a heading's.
fn is_somebody(name: &str) -> bool {
    const HEADINGS: &str = " experience education skills work employment history profile career professional personal details contact about \
        summary projects languages references publications positions objective qualifications training background team company \
        department report notes plan list history timeline milestones ";
    let words: Vec<&str> = name.split_whitespace().collect();
    let known = names::guess(name);
    let word = |word: &&str| {
        let plain = word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’' | '.'));
        let lower = word.to_lowercase();
        let capital = word.starts_with(char::is_uppercase) || contains_word(crate::mention::PARTICLES, word);
        plain && capital && !contains_word(HEADINGS, &lower) && !nouns::is_role(&lower) && !nouns::is_common(&lower)
    };
    (2..=4).contains(&words.len())
        && words.iter().all(word)
        && (known.is_none() || known == Some(EntityType::Person))
        && !names::is_place(&name.to_lowercase())
        && !words.iter().any(|word| names::is_organization_word(&word.to_lowercase()))
}

/// Whether a text has the line of a CV.
pub(crate) fn has_station(text: &str) -> bool {
    lines(text).iter().any(|line| station(line.text).is_some())
}

fn held(source: &Source<'_>, base: usize, line: &Line<'_>, whose: &Mention) -> Option<Found> {
    let found = station(line.text)?;
    let (since, until) = (point(found.stretch.since)?, found.stretch.until.map(point));
    // What ended, but nobody knows when, would look as if it went on.
    if until == Some(None) {
        return None;
    }
    let mut said = Said::new(whose.clone(), found.predicate, CandidateObject::Entity(named(source, found.place)), 0.85);
    let mut put = |key: &str, text: &str| drop(said.qualifiers.insert(key.to_owned(), text.to_owned()));
    put("since", found.stretch.since);
    found.stretch.until.into_iter().for_each(|until| put("until", until));
    found.role.into_iter().for_each(|role| put("role", role));
    said.valid_from = since.begins();
    said.valid_to = until.flatten().and_then(|until| dates::until(since.begins(), until));
    let start = base + line.start;
    Some((start..start + line.text.len(), said))
}

/// Marks between the parts of a line.
const MARKS: [char; 9] = [' ', ',', ':', '-', '–', '—', '|', '·', '•'];

fn station(line: &str) -> Option<Station<'_>> {
    if line.len() > 160 {
        return None;
    }
    let (stretch, rest) = leading(line).or_else(|| trailing(line))?;
    let rest = rest.trim_matches(MARKS).trim_end_matches('.');
    let (first, second) = parted(rest)?;
    let of = |predicate, role, place| Some(Station { stretch, predicate, role, place });
    if let Some((role, place)) = post(rest) {
        return of("works_at", Some(role), place);
    }
    match (firm(first), firm(second)) {
        (_, Some(place)) if is_degree(first) && is_school(place) => of("studied_at", None, place),
        (Some(place), _) if is_degree(second) && is_school(place) => of("studied_at", None, place),
        _ => None,
    }
}

/// `2015-2019 …`, `Since 2020: …`
fn leading(line: &str) -> Option<(Stretch<'_>, &str)> {
    if let Some(rest) = line.strip_prefix("Since ") {
        let (since, rest) = date(rest)?;
        return rest.starts_with(MARKS).then_some((Stretch { since, until: None }, rest));
    }
    let (stretch, rest) = stretch(line)?;
    rest.starts_with(MARKS).then_some((stretch, rest))
}

/// `… (2015-2019)`, `…, 2015 - 2019`
fn trailing(line: &str) -> Option<(Stretch<'_>, &str)> {
    let bare = line.trim_end_matches(['.', ')', ']']);
    let starts = bare.char_indices().filter(|(at, _)| *at == 0 || bare[..*at].ends_with([' ', '(', '[']));
    starts.filter(|(at, _)| *at > 3).find_map(|(at, _)| {
        let (stretch, rest) = stretch(&bare[at..])?;
        let before = bare[..at].trim_end_matches(['(', '[', ' ']);
        // `worked there from 2015 to 2019` is a sentence, and read as one.
        let parted = before.len() + 1 < at || before.ends_with([',', ':', '-', '–', '—', '|', '·']);
        (rest.is_empty() && parted).then_some((stretch, before))
    })
}

fn stretch(text: &str) -> Option<(Stretch<'_>, &str)> {
    let (since, rest) = date(text)?;
    let rest = rest.trim_start();
    let rest = ["-", "–", "—", "to ", "until ", "till "].iter().find_map(|mark| rest.strip_prefix(mark))?.trim_start();
    if let Some((until, rest)) = date(rest) {
        return Some((Stretch { since, until: Some(until) }, rest));
    }
    let open = ["present", "now", "today", "current", "ongoing", "heute"].iter().find_map(|word| {
        let (head, rest) = (rest.get(..word.len())?, rest.get(word.len()..)?);
        (head.eq_ignore_ascii_case(word) && !rest.starts_with(char::is_alphabetic)).then_some(rest)
    })?;
    Some((Stretch { since, until: None }, open))
}

/// `2015`, `03/2015`, `March 2015`, and what stands behind it.
fn date(text: &str) -> Option<(&str, &str)> {
    let letters = text.len() - text.trim_start_matches(char::is_alphabetic).len();
    let mut start = 0;
    if letters > 0 {
        dates::month_number(&text[..letters].to_lowercase())?;
        start = text.len() - text[letters..].trim_start_matches(['.', ' ']).len();
    } else if let Some(slash) = text.find(['/', '.']).filter(|at| (1..=2).contains(at)) {
        start = slash + 1;
    }
    let year = text.get(start..start + 4).filter(|year| dates::year(year).is_some())?;
    let end = start + year.len();
    (!text[end..].starts_with(|c: char| c.is_alphanumeric() || c == '/')).then_some((&text[..end], &text[end..]))
}

/// The date of a part; of `03/2015` the month.
fn point(text: &str) -> Option<When> {
    match text.split_once(['/', '.']).filter(|(month, _)| month.bytes().all(|byte| byte.is_ascii_digit())) {
        Some((month, year)) => dates::whole(&format!("{year}-{month:0>2}")),
        None => dates::whole(&text.replace('.', "")),
    }
}

/// `Engineer, Orbis GmbH`, `Engineer at Orbis GmbH`; a town may stand behind it.
fn parted(text: &str) -> Option<(&str, &str)> {
    let split = [" at ", " @ ", " | ", " – ", " — ", " - ", " · ", ", "];
    let (first, second) = split.iter().find_map(|mark| text.split_once(mark))?;
    let (second, town) = second.split_once([',', '|', '(']).unwrap_or((second, ""));
    let town = town.trim_matches([' ', ',', '|', ')']);
    let known = town.is_empty() || town.starts_with(char::is_uppercase) && town.split(' ').count() <= 3;
    known.then_some((first.trim(), second.trim()))
}

fn firm(text: &str) -> Option<&str> {
    let name = text.strip_prefix("the ").unwrap_or(text);
    let place = names::is_place(&name.to_lowercase());
    let plain = nouns::is_role(&name.to_lowercase()) && !name.contains('&') || is_degree(name);
    (is_firm(name) && !place && !plain).then_some(name)
}

/// `Engineer`, `Head of Design`, `nurse`
fn is_title(text: &str) -> bool {
    let lower = text.to_lowercase();
    let first =
        [" of ", " for ", " in "].iter().find_map(|mark| lower.split_once(mark)).map_or(&*lower, |parts| parts.0);
    let short = (1..=6).contains(&lower.split(' ').count()) && !text.contains([':', '@', '!', '?']);
    // `I was an engineer` is a sentence.
    let told =
        lower.split(' ').any(|word| words::tags(word) & (words::PRONOUN | words::BE | words::HAVE | words::MODAL) != 0);
    short
        && !told
        && (nouns::is_role(&lower) || nouns::is_role(first) || matches!(first, "head" | "vp" | "vice president"))
}

fn is_degree(text: &str) -> bool {
    const DEGREES: &str = " ba bsc beng bachelor bachelors bachelor's ma msc meng mba master masters master's phd doctorate diploma degree \
        llb llm md student studies abitur ";
    let lower = text.to_lowercase().replace('.', "");
    lower.split([' ', ',']).any(|word| contains_word(DEGREES, word))
}

fn is_school(name: &str) -> bool {
    const SCHOOLS: &str = " university college school institute academy polytechnic eth tu mit universität université universidad universidade ";
    name.to_lowercase().split([' ', '-']).any(|word| contains_word(SCHOOLS, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(&str, Option<&str>, Option<&str>, &str)>) {
        let found = station(line).map(|found| (found.stretch.since, found.stretch.until, found.role, found.place));
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn stations_are_parted() {
        let tern = Some(("2014", Some("2018"), Some("Welder"), "Tern AG"));
        for line in ["2014-2018 Welder, Tern AG", "2014 – 2018: Welder at Tern AG", "Welder, Tern AG (2014-2018)"] {
            check(line, tern);
        }
        check("Tern AG, Welder, 2014 - 2018", tern);
        check("2014-2018 | Welder | Tern AG, Graz", tern);
        check("03/2014 - 11/2018 Welder, Tern AG", Some(("03/2014", Some("11/2018"), Some("Welder"), "Tern AG")));
        check("Since 2020: Head of Sales, Tern AG", Some(("2020", None, Some("Head of Sales"), "Tern AG")));
        check("Mar 2020 - present: Welder, Tern AG", Some(("Mar 2020", None, Some("Welder"), "Tern AG")));
        check("2010-2014 BSc Physics, Oslo University", Some(("2010", Some("2014"), None, "Oslo University")));
    }

    #[test]
    fn other_lines_with_years_are_none() {
        for line in [
            "1914-1918 World War I",
            "2015-2019: revenue up, costs down",
            "2015-2019 President, France",
            "2015-2019, Berlin",
            "Welder, Tern AG",
            "2014 Welder, Tern AG",
            "She was a welder at Tern AG from 2014 to 2018.",
            "é",
            "(2014",
        ] {
            check(line, None);
        }
    }
}
