//! Standing rules: `always answer in British English`, `do not use tabs in this repository`, `call me Jo`.

use crate::clause::{Said, object_of};
use crate::complement::{Part, complement};
use crate::data::names;
use crate::data::verbs::{self, BASE, ING};
use crate::data::words::{ADVERB, INTERJECTION, contains_word};
use crate::mention::{self, Voices};
use crate::noun::{Det, Owner, Place, Words};
use crate::sentence::Sentence;
use um_model::belief::{CandidateObject, ValueKind};

/// How a wish is opened, and whether it forbids.
const OPENINGS: &[(&str, Opening)] = &[
    ("please do not ever", Opening::Forbid),
    ("please do not", Opening::Forbid),
    ("please never", Opening::Forbid),
    ("please always", Opening::Demand),
    ("please avoid", Opening::Avoid),
    ("always please", Opening::Demand),
    ("always", Opening::Demand),
    ("do not ever", Opening::Forbid),
    ("do not", Opening::Forbid),
    ("never", Opening::Forbid),
    ("avoid", Opening::Avoid),
    ("please stop", Opening::Avoid),
    ("stop", Opening::Avoid),
    ("please only", Opening::Demand),
    ("i want you to always", Opening::Demand),
    ("i want you to never", Opening::Forbid),
    ("i want you to", Opening::Demand),
    ("i need you to always", Opening::Demand),
    ("i 'd like you to always", Opening::Demand),
    ("i 'd like you to", Opening::Demand),
    ("i would like you to always", Opening::Demand),
    ("i would like you to", Opening::Demand),
    ("i 'd prefer you to", Opening::Demand),
    ("remember to always", Opening::Demand),
    ("make sure to always", Opening::Demand),
    ("please", Opening::Ask),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opening {
    Demand,
    Forbid,
    Avoid,
    /// `please` alone may ask for one thing now; only manners of answering stand.
    Ask,
}

/// Words of a wish that is for the day.
const PASSING: &str = " yet today tonight tomorrow now anymore yesterday ";

/// Verbs that `do not` leads for once rather than for good.
const ERRANDS: &str = " buy call bring text eat drink touch move open close cancel pay sell sign ";

/// What leads in a rule that is to hold from now on.
const LEADS: &[&str] = &["from now on", "in future", "in the future", "going forward", "as a rule", "in general"];

/// Verbs whose `please` is about manner, not about one errand.
const MANNERS: &str =
    " use answer reply respond write format speak address keep sign avoid refer prefer stick include ";

/// Verbs of cheering on, and of what only people do among each other.
const CHEERS: &str = " be give stop forget worry let hesitate believe stay remember dream look hold feel think know tell say mind get \
    come go take make wait have do try ask miss lose keep ";

/// The standing rule that a whole sentence gives. In talk, only what says please; in long texts, only what names
/// the thing it is about.
pub(crate) fn rule(
    words: &Words<'_>,
    sentence: &Sentence,
    voices: &Voices<'_>,
    talk: bool,
    long: bool,
) -> Option<Said> {
    let passing = (0..words.tokens.len()).any(|at| {
        words.any(at, PASSING) || words.any(at, " this next ") && words.any(at + 1, " week time weekend month ")
    });
    if sentence.exclaims || passing && !(0..words.tokens.len()).any(|at| matches_at(words, at, "from now on")) {
        return None;
    }
    if let Some(said) = none_of(words, voices).filter(|_| !talk && !long) {
        return Some(said);
    }
    let mut at = 0;
    while words.is(at, INTERJECTION) && words.lower(at) != "please" || words.any(at, " and also so ") {
        at += 1;
        at += usize::from(words.lower(at) == ",");
    }
    let mut lasting = false;
    if let Some(lead) = LEADS.iter().find(|lead| matches_at(words, at, lead)) {
        at += lead.split(' ').count();
        at += usize::from(words.lower(at) == ",");
        lasting = true;
    }
    let (phrase, opening) = OPENINGS.iter().find(|(phrase, _)| matches_at(words, at, phrase)).copied().or((lasting
        || everywhere(words, at)
        || compares(words, at)
        || here(words, at))
    .then_some(("", Opening::Demand)))?;
    let polite = phrase.starts_with("please") || phrase.starts_with("i ") || lasting;
    at += phrase.split_whitespace().count();
    if phrase.ends_with("avoid") && (!talk || polite) && !words.can_ing(at) {
        let local = use_in(words, at - 1, voices).map(|said| said.denied(true));
        return local.or_else(|| avoided(words, at, voices).filter(|_| !long));
    }
    let verb = words.tokens.get(at)?.verb?;
    let fits = if opening == Opening::Avoid { verb.can_be(ING) || verb.nounish } else { verb.can_be(BASE) };
    if !fits || (talk && !polite) || words.is(at, crate::data::words::BE) {
        return None;
    }
    // `Don't call Tom, he's asleep`
    if phrase == "do not" && contains_word(ERRANDS, verb.lemma) && words.lower(at + 1) != "me" {
        return None;
    }
    if phrase.ends_with("stop") && (contains_word(CHEERS, verb.lemma) || !verb.can_be(ING)) {
        return None;
    }
    let off = verb.lemma == "keep" && words.any(at + 1, " off out away left right clear quiet calm ");
    if opening == Opening::Ask && (off || !contains_word(MANNERS, verb.lemma))
        || opening != Opening::Avoid && !polite && contains_word(CHEERS, verb.lemma)
    {
        return None;
    }
    let denied = matches!(opening, Opening::Forbid | Opening::Avoid);
    if !denied && let Some(said) = rather(words, at, verb.lemma, voices) {
        return Some(said);
    }
    // `Don't call me Jonathan, call me Jon` tells the name that it is.
    let instead = (at + 3..words.tokens.len()).any(|at| matches_at(words, at, "call me"));
    if verb.lemma == "call" && words.lower(at + 1) == "me" && words.capital(at + 2) {
        if instead {
            return None;
        }
        let object = CandidateObject::Value { text: words.slice(at + 2..at + 3), kind: ValueKind::Text };
        return denied.then(|| Said::new(voices.mention(), "name", object, 0.85).denied(true));
    }
    if verb.lemma == "use"
        && let Some(said) = use_in(words, at, voices)
    {
        return Some(said.denied(denied));
    }
    let end = end_of(words, at);
    // `Use Ruff for linting in this project` wishes nothing for other places.
    let local = phrase.is_empty() && !lasting && here(words, at) && !everywhere(words, at);
    if long
        || local
        || end <= at + 1
        || (at + 1..end).any(|at| words.any(at, " it that this them him her one ") && words.lower(at + 1).is_empty())
    {
        return None;
    }
    let third = verbs::third_person(verb.lemma)?;
    // `answer me in French`
    let rest = words.slice(at + 1 + usize::from(words.lower(at + 1) == "me" && end > at + 2)..end);
    // Who asks for metric units prefers metric units.
    let text = match (verb.lemma, words.noun_phrase(at + 1, Place::Object)) {
        ("use", Some(np)) if np.owner == Owner::None && !np.pronoun => words.slice(np.name.start..end),
        _ => format!("{third} {rest}"),
    };
    let object = CandidateObject::Value { text, kind: ValueKind::Text };
    Some(Said::new(voices.mention(), "prefers", object, 0.85).denied(denied))
}

/// `No emojis, please`
fn none_of(words: &Words<'_>, voices: &Voices<'_>) -> Option<Said> {
    let end = (1..words.tokens.len()).find(|at| words.lower(*at) == "please")?;
    let last = end - usize::from(words.lower(end.saturating_sub(1)) == ",");
    let begins = words.lower(0) == "no" && last > 1 && (end + 1..words.tokens.len()).all(|at| words.stop(at));
    let np = begins.then(|| words.noun_phrase(1, Place::Object)).flatten()?;
    let plain =
        !np.pronoun && np.owner == Owner::None && !(1..last).any(|at| words.finite(at) || words.lower(at) == ",");
    if !plain {
        return None;
    }
    if let Some(said) = use_in(words, 0, voices) {
        return Some(said.denied(true));
    }
    let object = CandidateObject::Value { text: words.slice(1..last), kind: ValueKind::Text };
    Some(Said::new(voices.mention(), "prefers", object, 0.8).denied(true))
}

/// `Use British spelling in all documents`: an order for all that is to come.
fn everywhere(words: &Words<'_>, at: usize) -> bool {
    let manner =
        words.tokens.get(at).and_then(|token| token.verb).is_some_and(|verb| {
            verb.can_be(BASE) && contains_word(MANNERS, verb.lemma) && verb.lemma == words.lower(at)
        });
    // `Answer in Spanish`, `Format all dates as YYYY-MM-DD`
    let tongue = words.any(at, " answer reply respond write speak ")
        && words.lower(at + 1) == "in"
        && words.noun_phrase(at + 2, Place::Object).is_some_and(|np| {
            names::is_language(words.lower(np.head)) && (words.stop(np.end) || words.lower(np.end) == "please")
        });
    let whole = words.any(at + 1, " all every each any ") && words.any(at, " write format use sign address ");
    let all = tongue
        || whole
        || (at + 1..words.tokens.len()).any(|at| {
            words.any(at, " in for to on with ") && words.any(at + 1, " all every each any ")
                || words.any(at, " everywhere whenever always ")
                || matches_at(words, at, "from now on")
        });
    manner && all
}

/// `Use tabs in this repository`: an order for the place where it stands.
fn here(words: &Words<'_>, at: usize) -> bool {
    const WORKS: &str = " repository repo project codebase code module crate package library app service file files folder document documents \
        branch archive channel notebook spreadsheet workspace wiki report changelog ";
    let place = |at: usize| {
        words.any(at, " in for within inside ")
            && words.any(at + 1, " this our ")
            && (at + 2..at + 4).any(|at| words.any(at, WORKS))
    };
    words.lower(at) == "use" && (at + 2..words.tokens.len()).any(place)
}

/// `avoid jargon`
fn avoided(words: &Words<'_>, at: usize, voices: &Voices<'_>) -> Option<Said> {
    let end = end_of(words, at);
    let np = words.noun_phrase(at, Place::Object)?;
    let clear = !np.pronoun && np.det != Det::Pointing && np.det != Det::The && np.owner == Owner::None;
    let object = CandidateObject::Value { text: format!("avoids {}", words.slice(at..end)), kind: ValueKind::Text };
    (clear && end > at).then(|| Said::new(voices.mention(), "prefers", object, 0.85))
}

/// `Use pnpm instead of npm`, `prefer composition over inheritance`.
fn compares(words: &Words<'_>, at: usize) -> bool {
    words.any(at, " use prefer ") && (at + 2..words.tokens.len()).any(|at| other_begins(words, at).is_some())
}

/// Where the other begins behind `instead of`, `rather than`, `over` and `, not`.
fn other_begins(words: &Words<'_>, at: usize) -> Option<usize> {
    let two = |first: &str, second: &str| words.lower(at) == first && words.lower(at + 1) == second;
    if two("instead", "of") || two("rather", "than") || two(",", "not") {
        return Some(at + 2);
    }
    (words.lower(at) == "over" && words.lower(0) == "prefer").then_some(at + 1)
}

/// What is to be used, or preferred, over another.
fn rather(words: &Words<'_>, at: usize, lemma: &str, voices: &Voices<'_>) -> Option<Said> {
    if !matches!(lemma, "use" | "prefer") {
        return None;
    }
    let wanted = words.noun_phrase(at + 1, Place::Object).filter(|np| !np.pronoun && np.det != Det::Pointing)?;
    let other = words.noun_phrase(other_begins(words, wanted.end)?, Place::Object).filter(|np| !np.pronoun)?;
    if !words.stop(other.end) || wanted.owner != Owner::None {
        return None;
    }
    let object = CandidateObject::Value { text: words.slice(wanted.name), kind: ValueKind::Text };
    let mut said = Said::new(voices.mention(), "prefers", object, 0.85);
    said.qualifiers.insert("over".into(), words.slice(other.name));
    Some(said)
}

fn matches_at(words: &Words<'_>, at: usize, phrase: &str) -> bool {
    phrase.split(' ').enumerate().all(|(step, word)| words.lower(at + step) == word)
}

/// Where what is asked for ends: before a closing mark, or a `please` or a reason behind it.
fn end_of(words: &Words<'_>, at: usize) -> usize {
    (at..words.tokens.len())
        .find(|at| {
            words.any(*at, " . ; ! because since so please — – thanks ")
                || matches_at(words, *at, "from now on")
                || words.lower(*at) == "as" && words.any(*at + 1, " i we it they you that this ")
                || words.lower(*at) == "," && words.any(*at + 1, " please and not but thanks ")
        })
        .unwrap_or(words.tokens.len())
}

/// `use tabs in this repository`: what the place uses, if the place is named.
fn use_in(words: &Words<'_>, at: usize, voices: &Voices<'_>) -> Option<Said> {
    let follows = complement(words, at + 1, None);
    let [Part::Object(objects), between @ .., Part::Linked(link, places)] = &follows.parts[..] else { return None };
    let place = places.first()?;
    // `four spaces for indentation in this project`
    let mut object = objects.first()?.clone();
    for part in between {
        let Part::Linked(_, phrases) = part else { return None };
        object.name.end = phrases.last()?.end;
    }
    if !words.any(*link, " in for on inside within ") || objects.len() > 1 || places.len() > 1 || !follows.clean {
        return None;
    }
    // `in this repository`, `in commit messages`; `in a hurry` is no place.
    let whole = words.any(*link, " in inside within ") && place.det == Det::None;
    let definite =
        matches!(place.det, Det::The | Det::Pointing) || place.owner != Owner::None || mention::is_proper(words, place);
    let subject = mention::entity(words, place, voices, whole)
        .filter(|_| definite || whole && !names::is_language(words.lower(place.head)))?;
    Some(Said::new(subject, "uses", object_of(words, &object, "uses", voices)?, 0.9))
}

/// `call me Jo`, `you can call me Jo`, `everyone calls me Jo`, `I go by Jo`.
pub(crate) fn call_me(words: &Words<'_>, voices: &Voices<'_>) -> Option<Said> {
    let name = (0..words.tokens.len()).find_map(|at| {
        let calls = words.any(at, " call calls called ") && words.lower(at + 1) == "me" && words.capital(at + 2);
        let by = words.lower(at) == "i"
            && words.any(at + 1, " go goes ")
            && words.lower(at + 2) == "by"
            && words.capital(at + 3);
        let denied = at > 0
            && words.is(at - 1, crate::data::words::NEGATION | crate::data::words::MODAL)
            && !words.any(at - 1, " can may ");
        let (calls, by) = (calls && !denied, by && !denied);
        // `address me as Dr. Koch`, `I prefer to be called Bill`
        let address = words.any(at, " address refer ")
            && at == 0
            && (0..4).any(|step| words.lower(at + step) == "me" && words.lower(at + step + 1) == "as");
        if address {
            let name = (at..at + 6).find(|at| words.lower(*at) == "as").map(|at| at + 1)?;
            return words.capital(name).then_some(name);
        }
        let liked = words.any(at, " prefer like ")
            && words.lower(at + 1) == "to"
            && words.lower(at + 2) == "be"
            && words.lower(at + 3) == "called"
            && words.capital(at + 4)
            && at > 0
            && words.lower(at - 1) == "i";
        if liked {
            return Some(at + 4);
        }
        (calls || by).then_some(if calls { at + 2 } else { at + 3 })
    })?;
    let mut end = name;
    while words.capital(end) && end < name + 3 && !words.is(end, ADVERB) {
        end += 1;
    }
    let object = CandidateObject::Value { text: words.slice(name..end), kind: ValueKind::Text };
    Some(Said::new(voices.mention(), "name", object, 0.9))
}
