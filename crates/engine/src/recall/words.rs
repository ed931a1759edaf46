//! The words of a question.

use super::{common, dates};
use std::collections::BTreeSet;
use um_store::fts;
/// Left out of the search where others remain, as those of another language that the question is in ([`common`]).
pub(super) use um_store::fts::COMMON;
pub(super) use um_store::fts::plain;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// More words than this are not searched.
const MAX_WORDS: usize = 48;

/// A question, taken apart.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Question {
    /// As it was asked, without white space at its ends, its words [whole](fts::whole), and presentation forms as the letters they stand
    /// for (NFKC).
    pub(super) text: String,
    /// Its words in lower case and in the letters that are [indexed](plain), each once, in their order; common ones only where there are no others.
    pub(crate) words: Vec<String>,
    /// Those of its words that are names of whoever speaks in what is searched: see [`Question::about`].
    pub(super) names: Vec<String>,
    /// Those of its words that name times in another language than English, or stand there for whatever there is.
    pub(super) times: Vec<String>,
}

impl Question {
    pub(crate) fn parse(text: &str) -> Self {
        let text = fts::whole(text.trim().nfkc().collect());
        let mut seen = BTreeSet::new();
        let all: Vec<String> = text.unicode_words().map(looked_up).filter(|word| seen.insert(word.clone())).collect();
        let language = common::of_text(all.iter());
        let rare: Vec<String> = all.iter().filter(|word| !is_common(language, word)).cloned().collect();
        let mut words = if rare.is_empty() { all } else { rare };
        words.truncate(MAX_WORDS);
        let times = dates::words_of_times(&text);
        Self { text, words, names: Vec::new(), times }
    }

    /// Words that may be names: those that begin with a capital, but for common ones.
    pub(super) fn capitals(&self) -> Vec<String> {
        let capital = self.text.unicode_words().filter(|word| word.starts_with(char::is_uppercase));
        capital.map(looked_up).filter(|word| self.words.contains(word)).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Whether one of its words is one that nearly every passage holds: then all of them are.
    pub(super) fn is_common(&self, word: &str) -> bool {
        is_common(self.language(), word)
    }

    /// Whether one of its words asks for no more than what is of a time, as [`dates::asks_no_more`] has it, in the language of the question too.
    pub(super) fn asks_no_more(&self, word: &str) -> bool {
        dates::asks_no_more(word) || self.times.iter().any(|time| time == word)
    }

    /// The language that it is in, where that is one of those beside English that are known.
    pub(super) fn language(&self) -> Option<&'static common::Language> {
        common::of_text(self.text.unicode_words().map(looked_up))
    }

    /// Whether a capital within it tells a name: in German every noun has one, and where all words have, it tells nothing. Some words, as
    /// `Schlüssel der Garage`, may be German and do not tell: those that hold a common word of it, and none of English alone.
    pub(super) fn has_telling_capitals(&self) -> bool {
        let words: Vec<String> = self.text.unicode_words().map(looked_up).collect();
        let holds_some = |language: &&common::Language| {
            words.iter().any(|word| language.is_common(word) && !COMMON.contains(&word.as_str()))
        };
        let language = common::of_text(words.iter()).or_else(|| common::that_may_be(words.iter()).find(holds_some));
        language.is_none_or(|language| !language.has_capital_nouns())
            && self.text.unicode_words().any(|word| word.starts_with(char::is_lowercase))
    }

    /// A word of it as the question spells it.
    pub(super) fn spelled(&self, at: usize) -> &str {
        let word = self.words[at].as_str();
        let is_it = |part: &&str| looked_up(part) == word;
        self.text.unicode_words().find(is_it).map_or(word, stem_possessive)
    }

    /// The question about people who speak there: that they said it is a signal of its own.
    pub(super) fn about(self, names: Vec<String>) -> Self {
        Self { names, ..self }
    }

    /// The places, in its words, of those that are no such names; of all where there are no others.
    pub(super) fn matters(&self) -> Vec<usize> {
        let all = 0..self.words.len();
        let matters: Vec<usize> = all.clone().filter(|at| !self.names.contains(&self.words[*at])).collect();
        if matters.is_empty() { all.collect() } else { matters }
    }

    /// Its text without those names: what its meaning is taken from. All that somebody says would be drawn near their name.
    pub(super) fn matter(&self) -> String {
        let is_name = |part: &&str| {
            let word = looked_up(part.trim_matches(|c: char| !c.is_alphanumeric()));
            self.names.contains(&word)
        };
        let matter = self.text.split_whitespace().filter(|part| !is_name(part)).collect::<Vec<_>>().join(" ");
        if matter.is_empty() { self.text.clone() } else { matter }
    }

    /// The FTS5 expression that finds passages with any of the words. Each word is a quoted string, so
    /// that nothing in a question is read as an operator.
    pub(crate) fn match_expression(&self) -> Option<String> {
        if self.words.is_empty() {
            return None;
        }
        let quoted: Vec<String> = self.words.iter().map(|word| fts::quoted(word)).collect();
        Some(quoted.join(" OR "))
    }

    /// Which of its words a passage holds, together with its name.
    pub(super) fn held_by(&self, name: &str, text: &str) -> BTreeSet<usize> {
        let (stems, name, text) = (self.stems(), plain(name), plain(text));
        // Names of files join words with dots and underscores, and are asked for whole and in part.
        let named = name
            .unicode_words()
            .flat_map(|word| std::iter::once(word).chain(word.split(|letter: char| !letter.is_alphanumeric())));
        named.chain(text.unicode_words()).filter_map(|word| stems.place(word)).collect()
    }

    /// 0 to 1: how many of its words, but for [names](Question::about), are a tag among these. Of a tag of several words it has to have all.
    pub(super) fn share_tagged(&self, tags: &[String]) -> f64 {
        let stems = self.stems();
        let places = |tag: &String| tag.unicode_words().map(|word| stems.place(word)).collect::<Option<Vec<usize>>>();
        let tagged: BTreeSet<usize> = tags.iter().filter_map(places).flatten().collect();
        let matters = self.matters();
        matters.iter().filter(|at| tagged.contains(at)).count() as f64 / matters.len().max(1) as f64
    }

    /// What the words of a text are compared with.
    pub(super) fn stems(&self) -> Stems {
        Stems::of(self.words.iter().map(|word| stem(word).to_owned()).collect())
    }
}

/// The stems of a question's words, in their order.
pub(super) struct Stems {
    all: Vec<String>,
    /// The signs of ASCII that one of them begins with, each a bit.
    begin: u128,
}

impl Stems {
    fn of(all: Vec<String>) -> Self {
        let bit = |stem: &String| match stem.bytes().next() {
            Some(first) if first.is_ascii() => 1 << first,
            Some(_) => 0,
            None => u128::MAX,
        };
        Self { begin: all.iter().map(bit).fold(0, |all, one| all | one), all }
    }

    /// Which word of the question this word of a text is, if any.
    pub(super) fn place(&self, word: &str) -> Option<usize> {
        // Done for each word of all that is given: of most, how they begin tells that they are none.
        if word.is_ascii() {
            let first = word.bytes().next().unwrap_or_default().to_ascii_lowercase();
            let begins_so =
                |wanted: &String| word.get(..wanted.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(wanted));
            let may_be = (self.begin >> first) & 1 == 1 && self.all.iter().any(begins_so);
            return may_be.then(|| self.place_of(&word.to_ascii_lowercase()))?;
        }
        self.place_of(&plain(word).to_lowercase())
    }

    /// The same of a word in lower case. Its stem is how it begins.
    fn place_of(&self, word: &str) -> Option<usize> {
        self.all.iter().position(|wanted| word.starts_with(wanted.as_str()) && stem(word) == wanted)
    }
}

/// A word as it is looked up: in lower case, in the letters that are [indexed](plain), and without `'s`.
pub(super) fn looked_up(word: &str) -> String {
    stem_possessive(&plain(word).to_lowercase()).to_owned()
}

/// The FTS5 expression for words in this order; none where there is no word.
pub(super) fn phrase(text: &str) -> Option<String> {
    let text = plain(text);
    let words: Vec<&str> = text.unicode_words().collect();
    (!words.is_empty()).then(|| fts::quoted(&words.join(" ")))
}

/// Whether such an expression, or one of several that are joined, is of several words.
pub(super) fn has_order(expression: &str) -> bool {
    // What stands between quotes is every second part, also where a quote within them is written twice.
    expression.split('"').skip(1).step_by(2).any(|words| words.contains(' '))
}

/// Whether nearly every passage of English, or of the language of a question, holds a word.
fn is_common(language: Option<&common::Language>, word: &str) -> bool {
    COMMON.contains(&word) || language.is_some_and(|language| language.is_common(word))
}

/// A word without `'s`.
pub(super) fn stem_possessive(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

/// A light stem for marking words that the index (which stems by Porter) found. Marking too little is no
/// harm; the search itself does not use it.
fn stem(word: &str) -> &str {
    let word = stem_possessive(word);
    for suffix in ["ations", "ation", "ings", "ing", "edly", "ied", "ies", "ed", "es", "s", "ly", "e", "y"] {
        if let Some(rest) = word.strip_suffix(suffix)
            && rest.chars().count() >= 3
        {
            return rest;
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions() {
        for (text, words) in [
            ("What about polar bears?", vec!["polar", "bears"]),
            ("Who is it?", vec!["who", "is", "it"]),
            ("Ana's lease, Ana's flat", vec!["ana", "lease", "flat"]),
            ("NEAR(x) AND \"y\" OR *", vec!["near", "x", "y"]),
            ("   ", vec![]),
            ("Wo ist der Schlüssel?", vec!["schlüssel"]),
            ("Où est la clé ?", vec!["clé"]),
            ("¿Cuándo salió Ana de la casa?", vec!["salió", "ana", "casa"]),
            ("Wer ist das?", vec!["wer", "ist", "das"]),
            ("When was the war in Die Hard?", vec!["war", "die", "hard"]),
            ("Los Angeles", vec!["los", "angeles"]),
            ("ﬁnance", vec!["finance"]),
            ("ABC会議", vec!["abc", "会", "議"]),
            ("東京タワー", vec!["東", "京", "タワー"]),
            ("Straße, STRASSE, Strasse", vec!["strasse"]),
            ("zep\u{200b}pelin, zep\u{ad}pelin", vec!["zeppelin"]),
        ] {
            assert_eq!(Question::parse(text).words, words, "{text}");
        }
    }

    #[test]
    fn a_word_is_that_of_the_question_whose_stem_it_has() {
        let check = |stems: &[&str]| {
            let stems = Stems::of(stems.iter().map(ToString::to_string).collect());
            for word in
                "Polar BEARS beard bear be Meetings meeting meet me Ana's 's s Straße STRASSE e é ﬁne x".split(' ')
            {
                let whole = plain(word).to_lowercase();
                let expected = stems.all.iter().position(|wanted| wanted == stem(&whole));
                assert_eq!(stems.place(word), expected, "{word} among {:?}", stems.all);
            }
        };
        check(&["polar", "bear", "meet", "", "ana", "strass", "e", "be"]);
        check(&["polar", "bear", "meet", "ana", "strass", "e", "be", "é"]);
        check(&[]);
    }

    #[test]
    fn expressions_of_several_words_have_an_order() {
        for (expression, expected) in [("\"cake\"", false), ("\"cake plum\"", true), ("\"cake\" AND \"plum\"", false)] {
            assert_eq!(has_order(expression), expected, "{expression}");
        }
    }

    #[test]
    fn a_phrase_is_one_string_whatever_is_in_it() {
        let check = |text: &str, expected: Option<&str>, is_ordered: bool| {
            let expression = phrase(text);
            assert_eq!(expression.as_deref(), expected, "{text}");
            assert_eq!(expression.is_some_and(|expression| has_order(&expression)), is_ordered, "{text}");
        };
        check("cold, rent", Some("\"cold rent\""), true);
        check("צה\"ל", Some("\"צה\"\"ל\""), false);
        check("א\"ב ג\"ד", Some("\"א\"\"ב ג\"\"ד\""), true);
        check("会議", Some("\"会 議\""), true);
        check("ABC会議", Some("\"ABC 会 議\""), true);
        check("ﬁnance", Some("\"finance\""), false);
        check("große Straße", Some("\"grosse Strasse\""), true);
        check("!!!", None, false);
    }

    #[test]
    fn marks_other_forms_of_a_word() {
        let stems = Question::parse("polar bears meeting fine Strasse").stems();
        for (word, expected) in
            [("Bear", Some(1)), ("POLAR", Some(0)), ("meetings", Some(2)), ("beard", None), ("ﬁne", Some(3))]
        {
            assert_eq!(stems.place(word), expected, "{word}");
        }
        for word in ["Straße", "STRAẞE", "STRASSE"] {
            assert_eq!(stems.place(word), Some(4), "{word}");
        }
    }

    #[test]
    fn a_question_keeps_its_letters_and_is_looked_up_in_those_of_the_index() {
        let question = Question::parse("Wohnt Herr Weiß noch in der Bahnhofstraße?");
        assert_eq!(question.text, "Wohnt Herr Weiß noch in der Bahnhofstraße?");
        assert_eq!(question.words, ["wohnt", "herr", "weiss", "bahnhofstrasse"]);
        assert_eq!(question.spelled(3), "Bahnhofstraße");
        assert_eq!(question.capitals(), ["bahnhofstrasse", "herr", "weiss", "wohnt"]);
        let question = question.about(vec!["weiss".to_owned()]);
        assert_eq!(question.matter(), "Wohnt Herr noch in der Bahnhofstraße?");
    }

    #[test]
    fn tags_are_words_of_a_question_in_any_form_and_whole() {
        let question = Question::parse("Which old boats has Ana?").about(vec!["ana".to_owned()]);
        let check = |tags: &[&str], expected: f64| {
            let tags: Vec<String> = tags.iter().map(ToString::to_string).collect();
            assert_eq!(question.share_tagged(&tags), expected, "{tags:?}");
        };
        check(&[], 0.0);
        check(&["boat"], 0.5);
        check(&["Boats", "boat"], 0.5);
        check(&["boat", "old"], 1.0);
        check(&["old-boat"], 1.0);
        check(&["boat-house"], 0.0);
        check(&["ana"], 0.0);
    }

    #[test]
    fn names_of_files_hold_their_words_whole_and_in_part() {
        for (asked, name, held) in [
            ("vexmark policy", "Vexmark_7.policy.pdf", vec![0, 1]),
            ("vexmark.pdf", "Vexmark.pdf", vec![0]),
            ("vexmark", "Vexmarks-old", vec![0]),
            ("mark", "Vexmark.pdf", vec![]),
            ("会議", "会議", vec![0, 1]),
            ("finance", "ﬁnance.pdf", vec![0]),
            ("strasse", "Straße.pdf", vec![0]),
            ("Straße", "STRASSE.pdf", vec![0]),
        ] {
            let found: Vec<usize> = Question::parse(asked).held_by(name, "").into_iter().collect();
            assert_eq!(found, held, "{asked} in {name}");
        }
    }
}
