//! Whom and what a question calls by name, and whom of these nothing that is given names: what is nearest is told of somebody else then.

use super::{is_said, may_be_said};
use crate::belief::PERSON;
use crate::error::Fault;
use crate::recall::fuse::Ranking;
use crate::recall::search::Past;
use crate::recall::wanted::Wanted;
use crate::recall::words::{Question, looked_up, stem_possessive};
use crate::recall::{dates, when};
use std::collections::BTreeSet;
use um_model::SpaceId;
use um_model::claims::EntityRef;
use um_model::recall::Hit;
use um_store::hits::Passage;
use um_store::{Connection, entities};
use unicode_segmentation::UnicodeSegmentation;

/// So many passages before one in its thread, or behind it, may tell of whom it speaks.
const NEAR: u64 = 2;
/// What stands before a name, with a stop or without, and is none itself.
const TITLES: [&str; 17] = [
    "dr", "frau", "herr", "miss", "mlle", "mme", "mr", "mrs", "ms", "mt", "prof", "rev", "señor", "señora", "sr",
    "sra", "st",
];
/// What stands in small letters within a name, and tells nobody: `Ludwig van Beethoven`.
const JOINTS: [&str; 15] =
    ["al", "bin", "da", "de", "del", "der", "di", "dos", "du", "el", "ibn", "la", "le", "van", "von"];

/// Between two words, the next one begins a sentence or line with these.
const BEGINS: [char; 8] = ['.', '!', '?', ':', ';', '¿', '¡', '\n'];

/// A name by which a question calls somebody or something.
#[derive(Debug, Default, PartialEq)]
pub(in crate::recall) struct Name {
    /// The places of its words among those of the question.
    places: Vec<usize>,
    /// Those of them that tell nobody by themselves: initials, and what [joins](JOINTS) the others.
    joints: Vec<usize>,
    /// A word before it that has a capital as its sentence begins with it: it may be a part of the name.
    first: Option<usize>,
}

impl Name {
    /// As the question spells it.
    pub(super) fn spelled(&self, question: &Question) -> String {
        self.places.iter().map(|at| question.spelled(*at)).collect::<Vec<_>>().join(" ")
    }

    /// Whether a word in this place, among those of the question, is one of it.
    pub(super) fn has(&self, place: usize) -> bool {
        self.first == Some(place) || self.places.contains(&place)
    }

    /// Those that tell who it is.
    fn words(&self) -> impl Iterator<Item = usize> + '_ {
        self.first.iter().chain(&self.places).copied().filter(move |at| !self.joints.contains(at))
    }

    fn is_begun(&self) -> bool {
        self.first.is_some() || !self.places.is_empty()
    }

    fn join(&mut self, place: usize) {
        self.places.push(place);
        self.joints.push(place);
    }

    /// Whether it is one, and not only a word that begins a sentence.
    fn is_told(&self) -> bool {
        self.places.iter().any(|at| !self.joints.contains(at))
    }

    /// Whether one of its words is among these. Who is called by two names may be told by one.
    fn is_of(&self, places: &BTreeSet<usize>) -> bool {
        self.words().any(|at| places.contains(&at))
    }
}

/// The names of a question that nothing that is given says: none of its passages, nor what else is shown with them, nor what stands near
/// them in their text or thread, by this name or another one that is known.
pub(in crate::recall) fn unnamed(
    c: &Connection,
    spaces: &[SpaceId],
    (question, wanted): (&Question, &Wanted),
    (ranking, hits, past): (&Ranking, &[Hit], &Past<'_>),
) -> Result<Vec<Name>, Fault> {
    let names = if hits.is_empty() { Vec::new() } else { called(question, wanted) };
    let given: Vec<&Passage> = ranking.given.iter().filter_map(|one| ranking.passages.get(&one.rid)).collect();
    let names = left_unsaid(names, given.iter().map(|one| held(question, one)));
    let names = left_unsaid(names, hits.iter().map(|hit| question.held_by(&shown(hit), &hit.quote)));
    if names.is_empty() {
        return Ok(names);
    }
    let is_near = |one: &&Passage| given.iter().any(|given| stands_near(given, one));
    let near: Vec<&Passage> = ranking.passages.values().filter(is_near).collect();
    let mut names = left_unsaid(names, near.iter().map(|one| held(question, one)));
    let said = said_otherwise(c, spaces, (question, wanted), (ranking, near.as_slice(), past), &names)?;
    names.retain(|name| !name.is_of(&said));
    Ok(names)
}

/// Those of some names that no text says, each told by the places of the words that it holds. No text is read once all are said: the first
/// ones say nearly all.
fn left_unsaid(mut names: Vec<Name>, mut texts: impl Iterator<Item = BTreeSet<usize>>) -> Vec<Name> {
    while !names.is_empty()
        && let Some(said) = texts.next()
    {
        names.retain(|name| !name.is_of(&said));
    }
    names
}

/// The places of those words of some names that the index finds in passages in another form, or whose bearer they name otherwise.
fn said_otherwise(
    c: &Connection,
    spaces: &[SpaceId],
    (question, wanted): (&Question, &Wanted),
    (ranking, near, past): (&Ranking, &[&Passage], &Past<'_>),
    names: &[Name],
) -> Result<BTreeSet<usize>, Fault> {
    let mut said = BTreeSet::new();
    for at in names.iter().flat_map(Name::words) {
        if is_said(c, (near, past), &[question.words[at].as_str()])? {
            said.insert(at);
        }
    }
    for (entity, text) in &wanted.called {
        let places: BTreeSet<usize> = places(question, text).collect();
        if !names.iter().any(|name| name.is_of(&places)) {
            continue;
        }
        let is_linked = || near.iter().any(|one| ranking.naming.names(&one.memory, &entity.id));
        if is_linked() || is_called(c, spaces, entity, (near, past))? {
            said.extend(places);
        }
    }
    Ok(said)
}

/// Whether passages say one of the names by which somebody is known in these spaces. The person is spoken of without a name.
fn is_called(
    c: &Connection,
    spaces: &[SpaceId],
    entity: &EntityRef,
    (near, past): (&[&Passage], &Past<'_>),
) -> Result<bool, Fault> {
    let aliases = entities::by_id(c, &entity.id, spaces)?.map(|known| known.aliases).unwrap_or_default();
    if aliases.iter().any(|alias| alias == PERSON) {
        return Ok(true);
    }
    let names: Vec<&str> = aliases.iter().chain([&entity.name]).map(String::as_str).collect();
    is_said(c, (near, past), &names)
}

/// What is shown with a hit beside its words.
fn shown(hit: &Hit) -> String {
    let all = [hit.title.as_str(), hit.actor_name.as_str(), hit.space_name.as_str()].into_iter();
    let all = all.chain(hit.heading_path.as_deref()).chain(hit.tags.iter().map(String::as_str));
    all.collect::<Vec<_>>().join("\n")
}

fn held(question: &Question, passage: &Passage) -> BTreeSet<usize> {
    question.held_by(&passage.name, &passage.text)
}

/// Whether what one passage says may tell of whom another one speaks: both are of one text, and of one mail of it, or near in one thread.
fn stands_near(given: &Passage, other: &Passage) -> bool {
    let is_of_its_text = given.memory == other.memory && given.mail == other.mail;
    is_of_its_text || given.thread == other.thread && given.rid.abs_diff(other.rid) <= NEAR
}

/// The places, among the words of a question, of those of a part of it.
fn places<'a>(question: &'a Question, part: &'a str) -> impl Iterator<Item = usize> + 'a {
    part.unicode_words().filter_map(move |word| place(question, word))
}

fn place(question: &Question, word: &str) -> Option<usize> {
    let word = looked_up(word);
    question.words.iter().position(|one| *one == word)
}

/// The names in a question: words that begin with a capital where that tells a name, and those of whoever is known or speaks there. Words
/// side by side are one name. The name of an event dates what is asked for, which need not say it.
fn called(question: &Question, wanted: &Wanted) -> Vec<Name> {
    let of_event = when::named(&question.text).map(|event| event.words).unwrap_or_default();
    let is_proper = |(entity, _): &&(EntityRef, String)| entity.name.starts_with(char::is_uppercase);
    let known: BTreeSet<usize> =
        wanted.called.iter().filter(is_proper).flat_map(|(_, text)| places(question, text)).collect();
    let by_capitals = question.has_telling_capitals();
    let may_name = |at: &usize| {
        let word = &question.words[*at];
        may_be_said(question, wanted, *at) && !dates::names_date(word) && !of_event.contains(word)
    };
    let (mut names, mut name, mut ends) = (Vec::new(), Name::default(), false);
    let words: Vec<(usize, &str)> = question.text.unicode_word_indices().collect();
    for (which, (from, word)) in words.iter().enumerate() {
        let before = which.checked_sub(1).map(|at| words[at]);
        let between = before.map_or("", |(at, before)| &question.text[at + before.len()..*from]);
        // The stop of `Dr. Ortiz` and `W. Bush` ends nothing.
        let is_short = before.is_some_and(|(_, before)| is_title(before) || is_initial(before));
        let between = if is_short { between.strip_prefix('.').unwrap_or(between) } else { between };
        let is_first = before.is_none() || between.contains(BEGINS);
        if ends || is_first || between.contains(|sign: char| !sign.is_whitespace() && sign != '-') {
            names.push(std::mem::take(&mut name));
        }
        let place = place(question, word).filter(may_name).filter(|_| !is_title(word));
        let is_known = |at: usize| known.contains(&at) || question.names.contains(&question.words[at]);
        let is_capital = by_capitals && is_spelled_as_name(word);
        match place {
            Some(at) if is_known(at) || is_capital && !is_first => name.places.push(at),
            Some(at) if is_capital => name.first = Some(at),
            Some(at) if is_initial(word) || JOINTS.contains(word) && name.is_begun() => name.join(at),
            _ => names.push(std::mem::take(&mut name)),
        }
        // `Ana's Porto` is of two names.
        ends = stem_possessive(word) != *word;
    }
    names.push(name);
    names.retain(Name::is_told);
    names
}

/// Whether a word is spelled as a name is: what has no small letter may be short for what is written out elsewhere, as `GPUs` is, and what is
/// small behind an apostrophe alone is `I've`.
fn is_spelled_as_name(word: &str) -> bool {
    let is_capital = |part: &str| part.starts_with(char::is_uppercase);
    let has_small = |part: &str| part.strip_suffix('s').unwrap_or(part).contains(char::is_lowercase);
    is_capital(word) && word.split(['\'', '’']).any(|part| is_capital(part) && has_small(part))
}

/// `W`.
fn is_initial(word: &str) -> bool {
    word.chars().count() == 1 && word.starts_with(char::is_uppercase)
}

fn is_title(word: &str) -> bool {
    TITLES.contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::dates::Now;

    /// The names of a question, where these speak.
    fn names(question: &str, speaking: &[&str]) -> Vec<String> {
        let question = Question::parse(question).about(speaking.iter().map(ToString::to_string).collect());
        let wanted = Wanted::of(&question, Now::utc(0));
        called(&question, &wanted).iter().map(|name| name.spelled(&question)).collect()
    }

    #[test]
    fn names_that_questions_call_somebody_by() {
        let check = |question: &str, expected: &[&str]| assert_eq!(names(question, &[]), expected, "{question}");
        check("When did Ana sign the lease of the Vexmark house?", &["Ana", "Vexmark"]);
        check("When did Ana Lima sign it for Ben, Carl and Dora?", &["Ana Lima", "Ben", "Carl", "Dora"]);
        check("What did Ana's Porto trip cost?", &["Ana", "Porto"]);
        check("What did Anne-Marie say?", &["Anne Marie"]);
        check("Where does Dr. Ortiz live?", &["Ortiz"]);
        check("What did George W. Bush and J. Ortiz sign?", &["George W Bush", "J Ortiz"]);
        check("What did Ludwig van Beethoven write?", &["Ludwig van Beethoven"]);
        check("Where is Ana's van?", &["Ana"]);
        check("What did O'Brien pay in St. Gallen?", &["O'Brien", "Gallen"]);
        check("Où est-ce que Ben habite ?", &["Ben"]);
        check("¿Dónde vive Ana?", &["Ana"]);
        // What begins a sentence has a capital for that.
        check("Herons nest here. Boats too?", &[]);
        check("Was it I? Boats too?", &[]);
        check("Who paid for this\nBoats too", &[]);
        check("Hola ¿Vive Ana aquí?", &["Ana"]);
        check("Lima harbour trip", &[]);
        check("Ana Lima trip", &["Lima"]);
        // Times, common words, what is short for others, identifiers and the names of events.
        check("What was in May, on a Monday?", &[]);
        check("What is it that I and The others did?", &[]);
        check("What does the GPU cost, or the TV's stand?", &[]);
        check("What do GPUs and the TVs cost?", &[]);
        check("What is it that I've read, I'm told and I’ll keep?", &[]);
        check("Is plan B or C the one?", &[]);
        check("What was Invoice-2041 for?", &[]);
        check("Where did I shop when we lived in Leeds?", &[]);
        // German nouns have capitals, and where each word has one it tells nothing.
        check("Wo ist der Schlüssel der Garage?", &[]);
        check("Schlüssel der Garage", &[]);
        check("Vertrag mit Vermieter", &[]);
        check("Where Did The Herons Nest?", &[]);
        check("where did the herons nest?", &[]);
    }

    #[test]
    fn who_speaks_or_is_known_is_named_wherever_they_stand() {
        assert_eq!(names("Ana, where were you?", &["ana"]), ["Ana"]);
        assert_eq!(names("Wo hat Ana den Schlüssel?", &["ana"]), ["Ana"]);
        let question = Question::parse("What did nana say of the boat?");
        let known = |name: &str, text: &str| {
            let id = um_model::EntityId::parse("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a01").unwrap();
            let entity_type = um_model::belief::EntityType::Thing;
            (EntityRef { id, name: name.to_owned(), entity_type }, text.to_owned())
        };
        let called_so = vec![known("Ana Ruiz", "nana"), known("boat", "boat")];
        let wanted = Wanted { called: called_so, ..Wanted::of(&question, Now::utc(0)) };
        let found: Vec<String> = called(&question, &wanted).iter().map(|name| name.spelled(&question)).collect();
        assert_eq!(found, ["nana"]);
    }
}
