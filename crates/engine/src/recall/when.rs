//! Times that a question names by an event: `before the move`, `since I started at Northwind`, `during the trip to Porto`.
//! Which words those are is read here, from the question alone; when that was is looked up in what is remembered
//! ([`event`](super::event)).

use super::words::Question;
use unicode_segmentation::UnicodeSegmentation;

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
    let lower: Vec<String> = words.iter().map(|(_, word)| word.to_lowercase()).collect();
    (0..words.len()).find_map(|at| {
        let (_, side) = LEADS.iter().find(|(lead, _)| *lead == lower[at])?;
        if at.checked_sub(1).is_some_and(|before| COUNTED.contains(&lower[before].as_str())) {
            return None;
        }
        let end = end(question, &words, &lower, at);
        let begins = begins_event(&words[at + 1..end], &lower[at + 1..end], lower[at].as_str())?;
        // `When did she move?`, `When she moved?`: it is what is asked.
        if lower[at] == "when" && at == 0 && end == words.len() {
            return None;
        }
        let text = |from: usize| {
            let (last, word) = words[end - 1];
            question[words[from].0..last + word.len()].to_owned()
        };
        let named = Named {
            side: *side,
            phrase: text(at),
            what: text(at + 1),
            words: Question::parse(&text(at + 1 + begins)).words,
        };
        named.is_one().then_some(named)
    })
}

/// Where the name of an event that begins behind a place ends: at a stop, or where the question goes on.
fn end(question: &str, words: &[(usize, &str)], lower: &[String], lead: usize) -> usize {
    let first = lead + 1;
    let stops = |at: &usize| {
        let before = words[at - 1];
        let between = &question[before.0 + before.1.len()..words[*at].0];
        let stop = between.contains([',', ';', '?', '!', '.', ':', '(', ')', '–', '—']);
        let goes_on = *at > first + 1
            && GOES_ON.contains(&lower[*at].as_str())
            && !SUBJECTS.contains(&lower[at - 1].as_str())
            && !words[at - 1].1.starts_with(char::is_uppercase);
        stop || goes_on || *at > first && LEADS.iter().any(|(lead, _)| *lead == lower[*at])
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
