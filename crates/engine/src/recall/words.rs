//! The words of a question.

use std::collections::BTreeSet;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// Words that nearly every English passage holds. They are left out of the search where others remain.
const COMMON: &[&str] = &[
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do",
    "does", "for", "from", "had", "has", "have", "he", "her", "his", "how", "i", "if", "in", "is", "it", "its", "me",
    "my", "of", "on", "or", "our", "she", "so", "that", "the", "their", "them", "there", "they", "this", "to", "was",
    "we", "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "will", "with", "would", "you",
    "your",
];

/// More words than this are not searched.
const MAX_WORDS: usize = 48;

/// A question, taken apart.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Question {
    /// As it was asked, without white space at its ends.
    pub(super) text: String,
    /// Its words in lower case, each once, in their order; common ones only where there are no others.
    pub(crate) words: Vec<String>,
}

impl Question {
    pub(crate) fn parse(text: &str) -> Self {
        let text: String = text.trim().nfc().collect();
        let mut seen = BTreeSet::new();
        let all: Vec<String> = text
            .unicode_words()
            .map(|word| stem_possessive(&word.to_lowercase()).to_owned())
            .filter(|word| seen.insert(word.clone()))
            .collect();
        let rare: Vec<String> = all.iter().filter(|word| !COMMON.contains(&word.as_str())).cloned().collect();
        let mut words = if rare.is_empty() { all } else { rare };
        words.truncate(MAX_WORDS);
        Self { text, words }
    }

    /// The FTS5 expression that finds passages with any of the words. Each word is a quoted string, so
    /// that nothing in a question is read as an operator.
    pub(crate) fn match_expression(&self) -> Option<String> {
        if self.words.is_empty() {
            return None;
        }
        let quoted: Vec<String> = self.words.iter().map(|word| format!("\"{}\"", word.replace('"', "\"\""))).collect();
        Some(quoted.join(" OR "))
    }

    /// Which word of the question this word of a text is, if any.
    pub(super) fn matching(&self, word: &str) -> Option<usize> {
        let stem = stem(&word.to_lowercase());
        self.words.iter().position(|wanted| self::stem(wanted) == stem)
    }
}

/// The FTS5 expression for words in this order; none where there is no word.
pub(super) fn phrase(text: &str) -> Option<String> {
    let words: Vec<&str> = text.unicode_words().collect();
    (!words.is_empty()).then(|| format!("\"{}\"", words.join(" ")))
}

fn stem_possessive(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

/// A light stem for marking words that the index (which stems by Porter) found. Marking too little is no
/// harm; the search itself does not use it.
fn stem(word: &str) -> String {
    let word = stem_possessive(word);
    for suffix in ["ations", "ation", "ings", "ing", "edly", "ied", "ies", "ed", "es", "s", "ly", "e", "y"] {
        if let Some(rest) = word.strip_suffix(suffix)
            && rest.chars().count() >= 3
        {
            return rest.to_owned();
        }
    }
    word.to_owned()
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
        ] {
            assert_eq!(Question::parse(text).words, words, "{text}");
        }
    }

    #[test]
    fn marks_other_forms_of_a_word() {
        let question = Question::parse("polar bears meeting");
        for (word, expected) in [("Bear", Some(1)), ("POLAR", Some(0)), ("meetings", Some(2)), ("beard", None)] {
            assert_eq!(question.matching(word), expected, "{word}");
        }
    }
}
