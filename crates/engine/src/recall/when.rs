//! Times that a question names by an event: `before the move`, `since I started at Northwind`, `during the trip to Porto`.
//! Which words those are is read here, from the question alone; when that was is looked up in what is remembered
//! ([`event`](super::event)). In German, French and Spanish an event is named by a noun alone: `vor dem Umzug`.

mod tables;

use super::common::{self, Language};
use super::words::Question;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

pub(super) use tables::{Events, FRENCH, GERMAN, SPANISH};

/// More words than these are no name of an event, but a story.
const MAX_WORDS: usize = 9;

/// Which side of the event is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// `before`, `until`.
    Before,
    /// `after`, `since`.
    After,
    /// `during`, `while`, `when`.
    During,
}

/// An event that a question names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    /// Which side of it is asked for.
    pub(super) side: Side,
    /// As it is asked for: `before the move`.
    pub(super) phrase: String,
    /// The event: `the move`.
    pub(super) what: String,
    /// Its words, but for common ones, in lower case.
    pub(super) words: Vec<String>,
}

/// Words before the name of an event.
const LEADS: &[(&str, Side)] = &[
    ("before", Side::Before),
    ("until", Side::Before),
    ("till", Side::Before),
    ("after", Side::After),
    ("since", Side::After),
    ("during", Side::During),
    ("while", Side::During),
    ("when", Side::During),
];
/// What one certain thing begins with.
const DETERMINERS: &[&str] = &["the", "my", "our", "your", "his", "her", "their", "its", "this", "that"];
const SUBJECTS: &[&str] = &["i", "we", "he", "she", "they", "you", "it"];
/// Verbs of the past that do not end with -ed; with `when` and `while`, only what is over is an event.
const PAST: &[&str] = &[
    "began", "bought", "broke", "came", "chose", "did", "drove", "fell", "flew", "found", "gave", "got", "grew", "had",
    "held", "hurt", "left", "lost", "made", "met", "moved", "quit", "ran", "said", "sang", "saw", "sold", "spent",
    "spoke", "started", "stayed", "stood", "taught", "took", "visited", "was", "went", "were", "won", "wrote",
];
/// With these the question itself goes on.
const GOES_ON: &[&str] =
    &["what", "where", "which", "who", "whom", "whose", "how", "why", "did", "do", "does", "is", "are", "was", "were"];
/// What comes again and again, and times that have names of their own: none of these is one event.
const EVERYDAY: &[&str] = &[
    "afternoon",
    "autumn",
    "bed",
    "bedtime",
    "beginning",
    "breakfast",
    "church",
    "class",
    "classes",
    "commute",
    "dawn",
    "day",
    "days",
    "daytime",
    "deadline",
    "dinner",
    "end",
    "evening",
    "evenings",
    "fall",
    "holiday",
    "holidays",
    "hour",
    "hours",
    "last",
    "lessons",
    "lunch",
    "meal",
    "meals",
    "meantime",
    "midnight",
    "moment",
    "month",
    "months",
    "morning",
    "mornings",
    "night",
    "nights",
    "noon",
    "other",
    "others",
    "past",
    "rest",
    "same",
    "season",
    "spring",
    "summer",
    "sunrise",
    "sunset",
    "supper",
    "time",
    "times",
    "way",
    "week",
    "weekend",
    "weekends",
    "weekday",
    "weekdays",
    "weeks",
    "winter",
    "work",
    "year",
    "years",
];
/// What lasts for years is no event, whatever else is said of it.
const LONG: &[&str] = &[
    "career",
    "child",
    "childhood",
    "journey",
    "kid",
    "kids",
    "life",
    "little",
    "old",
    "older",
    "transition",
    "young",
    "younger",
    "youth",
];
/// Before one of the words of [`LEADS`], these count from the event, or ask when it was.
const COUNTED: &[&str] = &[
    "day", "days", "week", "weeks", "weekend", "month", "months", "year", "years", "hour", "hours", "minutes", "long",
    "soon", "right", "shortly", "ever", "even", "just",
];

/// The event that a question names, if it names one.
pub(super) fn named(question: &str) -> Option<Named> {
    let words: Vec<(usize, &str)> = question.unicode_word_indices().collect();
    let lower: Vec<String> = words.iter().map(|(_, word)| word.to_lowercase().replace('’', "'")).collect();
    let languages: Vec<&Language> = match common::of_text(lower.iter()) {
        Some(language) => vec![language],
        None => common::that_may_be(lower.iter()).collect(),
    };
    let typed = (question, words.as_slice());
    let in_another = |at: usize| languages.iter().find_map(|language| named_in(typed, &lower, at, language));
    (0..words.len()).find_map(|at| named_at(typed, &lower, at).or_else(|| in_another(at)))
}

/// The event to which the word in this place leads.
fn named_at((question, words): (&str, &[(usize, &str)]), lower: &[String], at: usize) -> Option<Named> {
    let (_, side) = LEADS.iter().find(|(lead, _)| *lead == lower[at])?;
    if at.checked_sub(1).is_some_and(|before| COUNTED.contains(&lower[before].as_str())) {
        return None;
    }
    let end = end(question, words, lower, at);
    let begins = begins_event(&words[at + 1..end], &lower[at + 1..end], lower[at].as_str())?;
    // `When did she move?`, `When she moved?`: it is what is asked.
    if lower[at] == "when" && at == 0 && end == words.len() {
        return None;
    }
    let text = |from: usize| text(question, words, from..end);
    let named = Named {
        side: *side,
        phrase: text(at),
        what: text(at + 1),
        words: Question::parse(&text(at + 1 + begins)).words,
    };
    named.is_one().then_some(named)
}

/// The event to which the words from this place on lead in another language: a certain thing, by its noun.
fn named_in(
    (question, words): (&str, &[(usize, &str)]),
    lower: &[String],
    at: usize,
    language: &Language,
) -> Option<Named> {
    let own = language.events();
    let stands = |lead: &&(&str, Side)| {
        let length = lead.0.split(' ').count();
        lower.get(at..at + length).is_some_and(|words| lead.0.split(' ').eq(words.iter().map(String::as_str)))
    };
    let (lead, side) = own.leads.iter().filter(stands).max_by_key(|(lead, _)| lead.len())?;
    let is_counted = |word: &str| own.counted.contains(&word) || language.times().is_unit(word);
    if at.checked_sub(1).is_some_and(|before| is_counted(&lower[before])) {
        return None;
    }
    let first = at + lead.split(' ').count();
    let begins = first + usize::from(own.determiners.contains(&lower.get(first)?.as_str()));
    let is_certain = begins > first || own.with_article.contains(lead) || lower[first].starts_with("l'");
    let end = end_in((question, words), lower, begins, language).filter(|_| is_certain)?;
    let mut told = Question::parse(&text(question, words, begins..end)).words;
    told.iter_mut().for_each(|word| *word = unelided(word).to_owned());
    told.retain(|word| !language.is_common(word));
    let ends_so = |word: &String| own.kinds.iter().any(|kind| word.ends_with(kind));
    let may_be = !own.of_places.contains(lead) || told.iter().any(ends_so);
    let is_none = told.iter().any(|word| own.no_events.contains(&word.as_str()));
    let of = |from: usize| text(question, words, from..end);
    let named = Named { side: *side, phrase: of(at), what: of(first), words: told };
    (may_be && !is_none && named.is_one()).then_some(named)
}

/// Where the name of an event that begins in a place ends: at a stop, or where the question goes on, and behind its noun where nouns have
/// capitals, with what is joined to that.
fn end_in(
    (question, words): (&str, &[(usize, &str)]),
    lower: &[String],
    begins: usize,
    language: &Language,
) -> Option<usize> {
    let own = language.events();
    let stops = |at: &usize| is_parted(question, words, *at) || own.goes_on.contains(&lower[*at].as_str());
    let end = (begins + 1..words.len()).find(stops).unwrap_or(words.len());
    let is_noun = |at: usize| at < end && words[at].1.starts_with(char::is_uppercase);
    if !language.has_capital_nouns() {
        return (begins < end).then_some(end);
    }
    let mut noun = (begins..end).find(|at| is_noun(*at))?;
    let is_joined = |at: usize| lower.get(at).is_some_and(|word| own.joins.contains(&word.as_str()));
    while is_joined(noun + 1)
        && let Some(next) = [noun + 2, noun + 3].into_iter().find(|at| is_noun(*at))
    {
        noun = next;
    }
    Some(noun + 1)
}

/// A word without the article or `de` that is elided before it: `l'accident`.
fn unelided(word: &str) -> &str {
    ["l'", "l’", "d'", "d’"].iter().find_map(|elided| word.strip_prefix(elided)).unwrap_or(word)
}

/// The text of some words.
fn text(question: &str, words: &[(usize, &str)], range: Range<usize>) -> String {
    let (last, word) = words[range.end - 1];
    question[words[range.start].0..last + word.len()].to_owned()
}

/// Whether a stop parts the word in this place from the one before it.
fn is_parted(question: &str, words: &[(usize, &str)], at: usize) -> bool {
    let before = words[at - 1];
    let between = &question[before.0 + before.1.len()..words[at].0];
    between.contains([',', ';', '?', '!', '.', ':', '(', ')', '–', '—'])
}

/// Where the name of an event that begins behind a place ends: at a stop, or where the question goes on.
fn end(question: &str, words: &[(usize, &str)], lower: &[String], lead: usize) -> usize {
    let first = lead + 1;
    let stops = |at: &usize| {
        let goes_on = *at > first + 1
            && GOES_ON.contains(&lower[*at].as_str())
            && !SUBJECTS.contains(&lower[at - 1].as_str())
            && !words[at - 1].1.starts_with(char::is_uppercase);
        is_parted(question, words, *at) || goes_on || *at > first && LEADS.iter().any(|(lead, _)| *lead == lower[*at])
    };
    (first..words.len()).find(stops).unwrap_or(words.len())
}

/// Whether words behind a lead name one event; gives how many of them only begin it.
fn begins_event(words: &[(usize, &str)], lower: &[String], lead: &str) -> Option<usize> {
    let (first, second) = (lower.first()?.as_str(), lower.get(1)?.as_str());
    let name = words[0].1.starts_with(char::is_uppercase);
    let past = |word: &str| word.ends_with("ed") || PAST.contains(&word);
    let told = |at: usize| lower.get(at).is_some_and(|word| past(word));
    if DETERMINERS.contains(&first) || first.ends_with("'s") || first.ends_with("’s") {
        // `When the boat sank`: with these a clause is meant.
        let clause = matches!(lead, "when" | "while");
        return (!clause || (1..lower.len()).any(told)).then_some(usize::from(DETERMINERS.contains(&first)));
    }
    if SUBJECTS.contains(&first) || name {
        return (told(1) || (1..3).any(told) && name).then(|| usize::from(!name));
    }
    let acts = first.len() > 4 && first.ends_with("ing") && matches!(lead, "before" | "after" | "since");
    (acts && (!DETERMINERS.contains(&second) || lower.len() > 2)).then_some(0)
}

impl Named {
    /// Whether it is one event: of some words, and nothing that comes again and again.
    fn is_one(&self) -> bool {
        let tells = |word: &String| !EVERYDAY.contains(&word.as_str()) && !SUBJECTS.contains(&word.as_str());
        let lasts = |word: &String| LONG.contains(&word.as_str());
        (1..=MAX_WORDS).contains(&self.words.len()) && self.words.iter().any(tells) && !self.words.iter().any(lasts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_that_questions_name() {
        for (question, side, what, words) in [
            ("Where did I work before the move?", Side::Before, "the move", "move"),
            ("What did we eat after the wedding?", Side::After, "the wedding", "wedding"),
            (
                "What have I read since I started at Northwind?",
                Side::After,
                "I started at Northwind",
                "started northwind",
            ),
            ("Whom did we meet during the trip to Porto?", Side::During, "the trip to Porto", "trip porto"),
            ("Where did I shop when we lived in Leeds?", Side::During, "we lived in Leeds", "lived leeds"),
            ("When we lived in Leeds, where did I shop?", Side::During, "we lived in Leeds", "lived leeds"),
            ("Before the move where did I work?", Side::Before, "the move", "move"),
            ("What did she do after Joanna's setback?", Side::After, "Joanna's setback", "joanna setback"),
            (
                "What did Nate do while Joanna was on her road trip?",
                Side::During,
                "Joanna was on her road trip",
                "joanna road trip",
            ),
            (
                "Which city was John in before traveling to Chicago?",
                Side::Before,
                "traveling to Chicago",
                "traveling chicago",
            ),
            ("How did Melanie feel after the accident?", Side::After, "the accident", "accident"),
        ] {
            let named = named(question).unwrap_or_else(|| panic!("{question}"));
            assert_eq!(
                (named.side, named.what.as_str(), named.words.join(" ").as_str()),
                (side, what, words),
                "{question}"
            );
        }
    }

    #[test]
    fn events_that_questions_name_in_other_languages() {
        for (question, side, phrase, words) in [
            ("Wo habe ich vor dem Umzug gearbeitet?", Side::Before, "vor dem Umzug", "umzug"),
            ("Was war vor dem Umzug?", Side::Before, "vor dem Umzug", "umzug"),
            ("Was haben wir nach der Hochzeit gegessen?", Side::After, "nach der Hochzeit", "hochzeit"),
            ("Was habe ich seit dem Umzug gelesen?", Side::After, "seit dem Umzug", "umzug"),
            (
                "Wen haben wir während der Reise nach Porto getroffen?",
                Side::During,
                "während der Reise nach Porto",
                "reise porto",
            ),
            (
                "Nach unserer großen Abschlussfeier, was war da?",
                Side::After,
                "Nach unserer großen Abschlussfeier",
                "grossen abschlussfeier",
            ),
            ("Was habe ich bis zur Prüfung gelernt?", Side::Before, "bis zur Prüfung", "prüfung"),
            (
                "Où est-ce que je travaillais avant le déménagement ?",
                Side::Before,
                "avant le déménagement",
                "déménagement",
            ),
            (
                "Qu'est-ce que nous avons mangé après le mariage de Ben ?",
                Side::After,
                "après le mariage de Ben",
                "mariage ben",
            ),
            ("Où est-ce que je vivais avant l’accident ?", Side::Before, "avant l’accident", "accident"),
            ("Depuis notre voyage, qui est venu ?", Side::After, "Depuis notre voyage", "voyage"),
            ("¿Dónde trabajaba antes de la mudanza?", Side::Before, "antes de la mudanza", "mudanza"),
            ("¿Qué comimos después de la boda?", Side::After, "después de la boda", "boda"),
            ("¿Qué hice antes del viaje a Porto?", Side::Before, "antes del viaje a Porto", "viaje porto"),
            ("¿A quién vimos durante nuestro viaje?", Side::During, "durante nuestro viaje", "viaje"),
        ] {
            let named = named(question).unwrap_or_else(|| panic!("{question}"));
            assert_eq!(
                (named.side, named.phrase.as_str(), named.words.join(" ").as_str()),
                (side, phrase, words),
                "{question}"
            );
        }
    }

    #[test]
    fn what_names_no_event_in_other_languages() {
        for question in [
            "Wer wartet vor dem Haus?",
            "Was steht vor der Tür?",
            "Wer hat nach dem Schlüssel gefragt?",
            "Wer fährt nach Porto?",
            "Was esse ich vor dem Frühstück?",
            "Was war zwei Wochen vor dem Umzug?",
            "Was haben wir zwei Wochen vor dem Umzug gemacht?",
            "Was ist während der Nacht passiert?",
            "Wie weit ist es bis zum Bahnhof?",
            "Wo war ich vor zwei Jahren?",
            "Was sahen wir vor Weihnachten?",
            "Qui est avant moi dans la file ?",
            "Qui habite après le tabac ?",
            "Qu'est-ce que je mange avant le dîner ?",
            "Qu'est-ce qu'on voit depuis la fenêtre ?",
            "Qu'est-ce que j'ai fait pendant la nuit ?",
            "¿Qué se ve desde la casa?",
            "¿Qué como antes de la cena?",
            "¿Quién va hasta el río?",
            "¿Qué hice dos semanas antes de la mudanza?",
        ] {
            assert_eq!(named(question), None, "{question}");
        }
    }

    #[test]
    fn what_names_no_event() {
        for question in [
            "What do I eat before breakfast?",
            "What did I do before the weekend?",
            "When did she move to Porto?",
            "When she moved to Porto?",
            "Who supports Caroline when she has a bad day?",
            "What happened during the night?",
            "What did she do during the summer?",
            "What does Joanna do while she writes?",
            "What did they do while camping?",
            "What should I do after gaming?",
            "Two weeks before the move, what was it?",
            "What was John like when he was younger?",
            "Who gave her money when she was younger and her family was poor?",
            "What has she faced during her transition journey?",
            "What could John do after his basketball career?",
            "since when?",
            "before",
            "What did he see before Christmas?",
            "What is the before and after?",
        ] {
            assert_eq!(named(question), None, "{question}");
        }
    }
}
