//! What the words of a passage tell of it, beside what they are about: who says it, whether it asks, and, for questions that this counts
//! for, whether it tells a time.

use super::common::Reading;
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
        // This is done for every passage that a question considers: what it tells of time is read only where that counts.
        Self { said_by: said_by(text), asks: asks(text), words: text.unicode_words().count() }
    }
}

/// Who says a text: see [`Features::said_by`].
pub(super) fn said_by(text: &str) -> Vec<String> {
    text.lines().filter_map(label).collect()
}

/// Whether a text has a word of time: a weekday, a month, `yesterday`, `ago`; of German, French or Spanish where it is in that language.
pub(super) fn tells_time(text: &str) -> bool {
    has_time(text, is_time_word)
}

/// Whether a text speaks of any time: by such a word, or by a number of a year (`1995`, `07.05.1995`, `1990s`).
pub(super) fn mentions_time(text: &str) -> bool {
    has_time(text, |word| is_time_word(word) || word.starts_with(|c: char| c.is_ascii_digit()) && names_year(word))
}

/// Whether a text has a word that tells a time whatever the language, or one of time of another language than English that it is in: once
/// through its words, as far as that takes.
fn has_time(text: &str, tells: impl Fn(&str) -> bool) -> bool {
    let (mut reading, mut buffer) = (Reading::default(), String::new());
    for word in text.unicode_words() {
        if tells(word) {
            return true;
        }
        // Nearly every English text is known by its first words.
        if !reading.is_of_none() {
            reading.read(lower(word, &mut buffer));
        }
    }
    reading.tells_time()
}

/// A word in lower case, in a buffer that serves for one after the other where it is not so already.
fn lower<'a>(word: &'a str, buffer: &'a mut String) -> &'a str {
    if !word.is_ascii() {
        buffer.clear();
        // No word that is looked up has a sigma, the one letter whose small form goes by its place.
        buffer.extend(word.chars().flat_map(char::to_lowercase));
        return buffer;
    }
    if word.bytes().any(|letter| letter.is_ascii_uppercase()) {
        buffer.clear();
        buffer.push_str(word);
        buffer.make_ascii_lowercase();
        return buffer;
    }
    word
}

/// The longest word of time, in bytes.
const LONGEST: usize = 9;

/// Whether a word is one of time, of English.
pub(super) fn is_time_word(word: &str) -> bool {
    let mut lower = [0; LONGEST];
    let Some(lower) = lower.get_mut(..word.len()) else { return false };
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    TIME_WORDS.binary_search_by(|known| known.as_bytes().cmp(lower)).is_ok()
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
    use super::super::common;
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

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
            assert_eq!((found.asks, super::tells_time(text)), (asks, tells_time), "{text}");
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
            assert_eq!(mentions_time(text), expected, "{text}");
        }
    }

    /// Whether a text tells a time and whether it mentions one, as that is defined, whatever it costs.
    fn plainly(text: &str) -> (bool, bool) {
        let words: Vec<&str> = text.unicode_words().collect();
        let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let in_english = words.iter().any(|word| TIME_WORDS.contains(&word.to_ascii_lowercase().as_str()));
        let language = common::of_text(lower.iter());
        let otherwise = language.is_some_and(|language| lower.iter().any(|word| language.tells_time(word)));
        let tells_time = in_english || otherwise;
        let begins_with_digit = |word: &&&str| word.starts_with(|c: char| c.is_ascii_digit());
        (tells_time, tells_time || words.iter().filter(begins_with_digit).any(|word| names_year(word)))
    }

    #[test]
    fn words_are_looked_up_in_lower_case() {
        let mut buffer = String::new();
        for word in "März MÄRZ märz Straße İstanbul Wee\u{212A} MAYO mayo Qu'Elle 日本 1990S".split(' ') {
            assert_eq!(lower(word, &mut buffer), word.to_lowercase(), "{word}");
        }
    }

    /// Words of every kind that counts, and of none.
    const SAID: &str = "Ich bin der DIE für Für montag Montag MÄRZ war Je suis août Était que mars él Él con de la mayo MAÑANA \
        The the they is last Monday FALL yesterday 1995 07.05.1995 1990s T1995 12 Porto 日本 ΟΔΟΣ İstanbul wee\u{212A} Ana: c'est";
    const GAPS: &[&str] = &["", " ", " ", ", ", ". ", "\n"];

    proptest! {
        #[test]
        fn a_time_is_told_as_it_is_defined(
            words in vec((select(SAID.split(' ').collect::<Vec<_>>()), select(GAPS)), 0..12),
        ) {
            let text: String = words.iter().map(|(word, gap)| format!("{word}{gap}")).collect();
            prop_assert_eq!((tells_time(&text), mentions_time(&text)), plainly(&text), "{}", text);
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
