//! What the words of a passage tell of it, beside what they are about: who says it, whether it asks, whether it tells a time.

use super::common;
use super::words::plain;
use unicode_segmentation::UnicodeSegmentation;

/// What a passage's words tell.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Features {
    /// Who says it, in lower case and in the letters that are [indexed](plain): the first word of each label that a line begins with
    /// (`Ana Lima: …`).
    pub(super) said_by: Vec<String>,
    /// Whether it ends with a question.
    pub(super) asks: bool,
    /// Whether it has a word of time: a weekday, a month, `yesterday`, `ago`; of German, French or Spanish where it is in that language.
    pub(super) tells_time: bool,
    /// Whether it speaks of any time: by such a word, or by a number of a year.
    pub(super) mentions_time: bool,
    /// Its number of words.
    pub(super) words: usize,
}

/// Words of time. Nothing is read from them but that there is one.
const TIME_WORDS: &[&str] = &[
    "ago",
    "april",
    "august",
    "day",
    "december",
    "fall",
    "february",
    "friday",
    "january",
    "july",
    "june",
    "last",
    "march",
    "monday",
    "month",
    "morning",
    "next",
    "night",
    "november",
    "october",
    "recently",
    "saturday",
    "september",
    "since",
    "spring",
    "summer",
    "sunday",
    "thursday",
    "today",
    "tomorrow",
    "tonight",
    "tuesday",
    "wednesday",
    "week",
    "weekend",
    "winter",
    "year",
    "years",
    "yesterday",
];

impl Features {
    pub(super) fn of(text: &str) -> Self {
        let (mut words, mut tells_time, mut names_year) = (0, false, false);
        // Once through the words: this is done for every passage that a question considers.
        for word in text.unicode_words() {
            words += 1;
            tells_time = tells_time || is_time_word(word);
            // `1995`, `07.05.1995`, `1990s`.
            names_year = names_year || word.starts_with(|c: char| c.is_ascii_digit()) && self::names_year(word);
        }
        let tells_time = tells_time || tells_time_otherwise(text);
        Self {
            mentions_time: tells_time || names_year,
            tells_time,
            said_by: text.lines().filter_map(label).collect(),
            asks: asks(text),
            words,
        }
    }
}

/// The longest word of time, in bytes.
const LONGEST: usize = 9;

fn is_time_word(word: &str) -> bool {
    let mut lower = [0; LONGEST];
    let Some(lower) = lower.get_mut(..word.len()) else { return false };
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    TIME_WORDS.binary_search_by(|known| known.as_bytes().cmp(lower)).is_ok()
}

/// Whether a text in another language than English has a word of time of that one.
fn tells_time_otherwise(text: &str) -> bool {
    let words = || text.unicode_words().map(str::to_lowercase);
    common::of_text(words()).is_some_and(|language| words().any(|word| language.tells_time(&word)))
}

/// Whether a word is the number of a year.
pub(super) fn is_year(word: &str) -> bool {
    word.len() == 4 && word.parse().is_ok_and(|year| (1900..2100).contains(&year))
}

/// Whether a name has the number of a year, as `Lease_2019.pdf` has.
pub(super) fn names_year(name: &str) -> bool {
    name.split(|letter: char| !letter.is_ascii_digit()).any(is_year)
}

/// The first word of a label that a line begins with, in lower case and in the letters that are [indexed](plain): of one to three
/// words, and a colon.
pub(super) fn label(line: &str) -> Option<String> {
    let (name, _) = line.trim_start().split_once(": ")?;
    let mut words = name.split(' ');
    let first = words.next().filter(|word| is_name(word))?;
    (words.clone().count() <= 2 && words.all(is_name)).then(|| plain(first).to_lowercase())
}

fn is_name(word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\'' | '’' | '-');
    word.starts_with(char::is_alphabetic) && word.chars().all(inside)
}

/// Whether a text ends with a question mark; what stands in brackets behind it does not count.
fn asks(text: &str) -> bool {
    let end = text.trim_end();
    let before = end.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')).map_or(end, |(before, _)| before);
    before.trim_end().ends_with('?')
}

/// Whether a question asks for a time.
pub(super) fn asks_when(question: &str) -> bool {
    const PAIRS: &[(&[&str], &[&str])] = &[
        (&["how"], &["long"]),
        (&["what", "which"], &["year", "month", "date", "day", "time"]),
        (&["wie"], &["lange"]),
        (&["welche", "welchem", "welchen", "welcher", "welches"], &["jahr", "monat", "datum", "tag", "woche", "zeit"]),
        (&["quel", "quelle"], &["année", "mois", "date", "jour", "semaine", "heure"]),
        (&["qué"], &["año", "mes", "fecha", "día", "semana", "hora"]),
        (&["cuánto"], &["tiempo"]),
    ];
    const WORDS: [&str; 4] = ["when", "wann", "quand", "cuándo"];
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower.unicode_words().collect();
    let pair = |two: &[&str]| PAIRS.iter().any(|(first, second)| first.contains(&two[0]) && second.contains(&two[1]));
    words.iter().any(|word| WORDS.contains(word)) || words.windows(2).any(pair)
}

/// How those who ask and those who are asked are labelled where a person talks with a program: a question that says `I` is about
/// what the person said, and one that says `you` about what the program said.
pub(super) fn parties(question: &str) -> &'static [&'static str] {
    let lower = question.to_lowercase();
    let has = |wanted: &[&str]| lower.unicode_words().any(|word| wanted.contains(&word));
    match (has(&["i", "my", "me", "mine", "i'm", "i've", "i'd", "i'll"]), has(&["you", "your", "yours"])) {
        (true, false) => &["user", "human", "me"],
        (false, true) => &["assistant", "ai", "bot"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_time_are_in_order() {
        assert!(TIME_WORDS.is_sorted());
        assert_eq!(TIME_WORDS.iter().map(|word| word.len()).max(), Some(LONGEST));
    }

    #[test]
    fn what_a_passage_tells_of_itself() {
        let check = |text: &str, said_by: &[&str], asks: bool, tells_time: bool| {
            let found = Features::of(text);
            assert_eq!(found.said_by, said_by, "{text}");
            assert_eq!((found.asks, found.tells_time), (asks, tells_time), "{text}");
        };
        check("Ana: Where were you?", &["ana"], true, false);
        check("Dr. O’Neil Smith: I left on Monday.", &["dr."], false, true);
        check("Weiß: I left.", &["weiss"], false, false);
        check("Ana: Look! [shares a photo of a dog?]", &["ana"], false, false);
        check("Ana: Is it yours? [shares a photo]", &["ana"], true, false);
        check("user: hi\nassistant: hello", &["user", "assistant"], false, false);
        check("One two three four: no label", &[], false, false);
        check("12:30: nothing", &[], false, false);
        check("see http://a.example", &[], false, false);
        check("Ana: Ich bin am Montag gegangen.", &["ana"], false, true);
        check("Ana: Je suis partie en août.", &["ana"], false, true);
        check("Ana: Salí de la casa en mayo, que yo sepa con él.", &["ana"], false, true);
        // Not in that language.
        check("Ana: They had mayo and a tag from Mars.", &["ana"], false, false);
        assert_eq!(Features::of("two words").words, 2);
        for (text, expected) in
            [("on 07.05.1995", true), ("in the 1990s", true), ("5/7/2023", true), ("T1995 for 1,950", false)]
        {
            assert_eq!(Features::of(text).mentions_time, expected, "{text}");
        }
    }

    #[test]
    fn what_a_question_asks_for() {
        for (question, expected) in [
            ("When did she leave?", true),
            ("How long was it?", true),
            ("In which month was it?", true),
            ("What day?", true),
            ("What is the dayboat?", false),
            ("How far was it?", false),
            ("Wann ist sie gegangen?", true),
            ("Wie lange war sie dort?", true),
            ("Quand est-elle partie ?", true),
            ("En quelle année est-elle partie ?", true),
            ("¿Cuándo salió?", true),
            ("¿Qué día salió?", true),
            ("Wo ist sie?", false),
        ] {
            assert_eq!(asks_when(question), expected, "{question}");
        }
        assert_eq!(parties("What did I say?"), ["user", "human", "me"]);
        assert_eq!(parties("What did you tell?"), ["assistant", "ai", "bot"]);
        assert!(parties("What did you tell me?").is_empty());
    }
}
