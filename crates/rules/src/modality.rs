//! What a sentence says without asserting it: questions, guesses, conditions, what others said.

use crate::data::labels;
use crate::noun::{Place, Words};
use crate::sentence::Sentence;
use crate::verb::{Tense, verb_group};

/// Words anywhere in a sentence that make all of it a guess, a condition, a wish or a joke.
const UNSURE: &str = " if unless whether maybe perhaps probably possibly presumably supposedly allegedly reportedly apparently rumor rumour rumored \
    rumoured hypothetically imagine imagining pretend suppose supposing assuming hopefully wish wishes wished wishing joking kidding jk \
    sarcasm otherwise lest dunno idk doubt doubts unsure potentially conceivably possible likely unlikely hopes hoping dreamt dreamed \
    pretending fictional hypothetical ideally ";

/// Verbs of saying and thinking: what stands behind them is theirs who say it.
const REPORTS: &str = " said says say saying told tells tell telling claims claimed claiming argues argued thinks thought think thinking believes \
    believed believe believing guess guesses guessed guessing heard hear hears hearing feels suggests suggested suggesting \
    wonder wonders wondered wondering mentions mentioned mentioning announced insists insisted asked assumes assumed assume suspects suspected suspect \
    predicts predicted expects expected expect hope hoped denies denied swears swore reckon reckons figured seems seem seemed appears \
    appeared according warned warns reported reports promised promises considering ";

/// Verbs that report only where what was said follows: `Nina wrote: …`, `Leo added that …`.
const SAYING: &str = " wrote writes write replied replies answered answers explained explains added adds stated states noted notes \
    shouted whispered remarked commented quotes quoted recalled recalls texted emailed read reads repeated shows ";

/// Pairs and more that do the same.
const PHRASES: &[&str] = &[
    "not sure",
    "no idea",
    "in case",
    "as if",
    "as though",
    "even if",
    "what if",
    "only if",
    "could be",
    "might be",
    "would be",
    "looks like",
    "sounds like",
    "feels like",
    "i bet",
    "you must",
    "must have",
    "must be",
    "yeah right",
    "yeah , because",
    "yeah because",
    "/ s",
    "or something",
    "in theory",
    "let us say",
    "let 's say",
    "for example",
    "for instance",
    "e.g",
    "can not be",
    "in the novel",
    "in the movie",
    "in the film",
    "in the story",
    "in the show",
    "in the book",
    "in the play",
    "in the comic",
    "e.g.",
    "such as if",
    "i dream",
    "in my dream",
    "in a dream",
    "as far as",
    "so to speak",
    "on the fence",
    "oh great",
    "oh sure",
    "oh joy",
    "oh wonderful",
    "oh fantastic",
    "just what i need",
    "just what i needed",
    "thinking of",
    "thinking about",
    "supposed to",
    "once upon",
    "don not know",
    "do not know",
    "did not know",
    "not believe",
    "it is possible",
    "chances are",
    "i 'd say",
    "too good to be true",
    "to quote",
    "in an ideal world",
    "say for example",
    "provided they",
    "provided that",
    "provided we",
    "provided you",
    "provided the",
    "as long as",
    "on condition",
    "subject to",
    "with luck",
    "with any luck",
    "knock on wood",
    "touch wood",
    "fingers crossed",
    ", haha",
    ", hahaha",
    ", lol",
    ", lmao",
    "in return for",
    "picture this",
    "imagine this",
    "let us imagine",
];

/// What only announces that something is said: what stands behind it is asserted.
const ANNOUNCED: &[&str] = &[
    "please remember that",
    "remember that",
    "please note that",
    "note that",
    "please keep in mind that",
    "keep in mind that",
    "please do not forget that",
    "do not forget that",
    "just so you know",
    "for your information",
    "for the record",
    "as a reminder",
    "fun fact",
    "you should know that",
    "i should mention that",
    "just a reminder that",
    "a quick reminder that",
    "a reminder that",
    "quick reminder that",
    "this is a reminder that",
    "reminder that",
    "reminder",
    "heads up",
    "just a heads up that",
    "please be aware that",
    "be aware that",
    "it was decided that",
    "it has been decided that",
    "it was agreed that",
    "the decision is that",
    "this is to let you know that",
    "just to let you know that",
    "fyi",
];

/// Where a sentence begins behind the words that announce it.
pub(crate) fn announced(words: &Words<'_>) -> usize {
    let fits = |phrase: &&&str| phrase.split(' ').enumerate().all(|(step, word)| words.lower(step) == word);
    let Some(phrase) = ANNOUNCED.iter().find(fits) else { return 0 };
    let end = phrase.split(' ').count();
    let marked = matches!(words.lower(end), "," | ":");
    // `Reminder: …`, but not `Reminder services help`.
    let alone = !phrase.contains(' ') && phrase != &"fyi" && !marked;
    let end = end + usize::from(marked);
    if end < words.tokens.len() && !alone { end } else { 0 }
}

/// For each token, whether a clause that begins there is not asserted.
pub(crate) fn unasserted(sentence: &Sentence, words: &Words<'_>) -> Vec<bool> {
    let length = words.tokens.len();
    if sentence.asks || is_quotation(words) || is_unsettled(words) || is_case(words) {
        return vec![true; length];
    }
    let mut doubtful = vec![false; length];
    let mut start = 0;
    while start < length {
        let end = (start..length).find(|at| parts(words, *at)).unwrap_or(length);
        let unsure =
            (start..end).any(|at| words.any(at, UNSURE) && !(words.capital(at) && at > 0) || phrase_at(words, at));
        let report = (start..end).find(|at| {
            let verb =
                words.any(*at, REPORTS) && reports(words, *at) || words.any(*at, SAYING) && says(words, *at, end);
            verb && !(words.capital(*at) && *at > 0)
        });
        let from = match report {
            _ if unsure => start,
            // `..., he said.`
            Some(at) if (at + 1..end.max(at + 2)).all(|at| words.stop(at)) => start,
            Some(at) => at,
            None => end,
        };
        // `He said: ...` reports what stands behind the colon, too.
        // `You mentioned the shelter, so I joined a brigade`: what the speaker did is theirs again.
        let back =
            (from + 1..end).find(|at| report.is_some() && words.any(*at, " so but ") && own_clause(words, *at + 1));
        let open = report.is_some_and(|at| at + 1 == end && end < length && words.lower(end) == ":");
        // `for instance: Julia lives in Dublin`
        let open = open || unsure && end < length && words.lower(end) == ":";
        let until = if open { length } else { back.filter(|_| !unsure).unwrap_or(end) };
        doubtful[from..until].fill(true);
        start = until.max(end) + 1;
    }
    quoted(words, &mut doubtful);
    doubtful
}

/// `When it rains, I take the bus`, `When run as root, it uses port 80`: so in that case, and not so at large. What
/// happened when something else did, is so.
fn is_case(words: &Words<'_>) -> bool {
    // `Recipe: when the dough is ready, I use a spoon`
    let from = (1..=4).find(|at| words.lower(*at) == ":").map_or(0, |colon| colon + 1);
    if !words.any(from, " when whenever wherever once ") {
        return false;
    }
    let led = words.lower(from) != "once";
    if led && words.tokens.get(from + 1).is_some_and(|token| token.verb.is_some()) && !words.capital(from + 1) {
        return true;
    }
    let subject = words.noun_phrase(from + 1, Place::Subject);
    let verb = subject.and_then(|subject| verb_group(words, subject.end));
    verb.is_some_and(|verb| verb.tense == Tense::Present)
}

/// `TODO: …`, `Open question: …`, `Test case 3: …`
fn is_unsettled(words: &Words<'_>) -> bool {
    let colon = (1..=4).find(|at| words.lower(*at) == ":");
    colon.is_some_and(|colon| labels::is_unsettled(&words.slice(0..colon)))
}

/// Whether what was said follows behind a verb that may mean something else: a colon, a quotation, `that`.
fn says(words: &Words<'_>, at: usize, end: usize) -> bool {
    let next = at + 1 + usize::from(words.lower(at + 1) == ",");
    let follows = at + 1 == end && words.lower(end) == ":" || matches!(words.lower(next), "that" | "\"" | "“");
    follows || at > 0 && matches!(words.lower(at - 1), "\"" | "”") || at > 1 && closes(words, at - 2)
}

/// `" he wrote`
fn closes(words: &Words<'_>, at: usize) -> bool {
    matches!(words.lower(at), "\"" | "”") && at > 0
}

/// For each token, whether it stands in the own words of somebody else, to whom `my` is theirs: in quotation marks, or
/// behind `Nina wrote:`.
pub(crate) fn of_others(words: &Words<'_>) -> Vec<bool> {
    let length = words.tokens.len();
    let mut others = vec![false; length];
    let reports = |at: usize| words.any(at, REPORTS) || words.any(at, SAYING);
    let opens = |at: &usize| words.lower(*at) == ":" && (at.saturating_sub(2)..*at).any(reports);
    if let Some(colon) = (1..length).find(opens).filter(|colon| !(0..*colon).any(|at| words.any(at, " i we "))) {
        others[colon..].fill(true);
    }
    let mut open = false;
    for (at, other) in others.iter_mut().enumerate() {
        match words.lower(at) {
            "“" => open = true,
            "”" => open = false,
            "\"" => open = !open,
            _ => *other |= open,
        }
    }
    others
}

/// What stands in quotation marks and has a verb of its own is somebody's words, and no title.
fn quoted(words: &Words<'_>, doubtful: &mut [bool]) {
    let mut at = 0;
    while at < doubtful.len() {
        let close = match words.lower(at) {
            "\"" => "\"",
            "“" => "”",
            _ => "",
        };
        let end = (at + 1..doubtful.len()).find(|end| !close.is_empty() && words.lower(*end) == close);
        let Some(end) = end else {
            at += 1;
            continue;
        };
        let own = (at + 1..end).any(|at| words.any(at, " i my we our ") && !words.capital(at + 1) || words.finite(at));
        if end - at > 3 && own {
            doubtful[at..end].fill(true);
        }
        at = end + 1;
    }
}

/// Whether the speaker's own clause begins here: `I`, `then I`.
fn own_clause(words: &Words<'_>, at: usize) -> bool {
    let at = at + usize::from(words.is(at, crate::data::words::ADVERB));
    words.any(at, " i we ")
}

/// Marks that part what is said into pieces of their own.
fn parts(words: &Words<'_>, at: usize) -> bool {
    let mark = words.lower(at);
    matches!(mark, ";" | "—" | "–" | "--" | "..." | "…" | ":") || mark == "-" && words.tokens[at].spaced
}

/// A verb of saying reports unless it is a noun here: `the reports`, `a hope`.
fn reports(words: &Words<'_>, at: usize) -> bool {
    use crate::data::words::{ADJECTIVE, DET, POSSESSIVE};
    let noun = at > 0 && (words.is(at - 1, DET | POSSESSIVE | ADJECTIVE) || words.lower(at - 1) == "'s");
    // `reports to`, `was reported by` and `Ana asked for` say what is so.
    let relation = words.any(at, " reports reported ") && words.any(at + 1, " to directly in ");
    // `I wanted to tell you I joined a gym` and `Ana asked Bo to come` tell what is so.
    let own =
        words.any(at, " tells tell told telling ") && words.any(at + 1, " stories jokes you ya u y'all everyone ");
    let errand = words.any(at, " asked ") && !words.any(at + 1, " if whether that ")
        || words.any(at, " considering ") && at == 0;
    let taste = words.any(at, " feels feel ") && !words.any(at + 1, " that like i he she we they ");
    !noun && !relation && !own && !errand && !taste
}

fn phrase_at(words: &Words<'_>, at: usize) -> bool {
    // Most begin with another letter: that is told before they are taken apart.
    let first = words.lower(at).bytes().next();
    let stands_there = |phrase: &&str| phrase.split(' ').enumerate().all(|(step, word)| words.lower(at + step) == word);
    PHRASES.iter().any(|phrase| phrase.bytes().next() == first && stands_there(phrase))
}

/// A sentence that is all in quotes is somebody else's, or a title.
pub(crate) fn is_quotation(words: &Words<'_>) -> bool {
    // `"Dune" is one of my favourites` only names a title.
    let close = (1..words.tokens.len()).find(|at| matches!(words.lower(*at), "\"" | "”"));
    let title = close.is_some_and(|close| close <= 8 && words.is(close + 1, crate::data::words::BE));
    matches!(words.lower(0), "\"" | "“" | ">") && !title
}
