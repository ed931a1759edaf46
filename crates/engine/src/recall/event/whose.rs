//! Whether what is said of moving, leaving or marrying tells of the event of whoever asks: `I moved from Lisbon to Berlin`, and not
//! `Standup moved to 09:45`.

use super::super::dates;
use super::super::when::Named;
use super::super::words::{Question, plain};
use super::OF_BELIEFS;
use crate::lexical::WEEKDAYS;
use unicode_segmentation::UnicodeSegmentation;

/// An event with one of these before it, or behind it, is of somebody else.
const OF_OTHERS: [&str; 9] = ["he", "she", "they", "you", "it", "his", "her", "their", "your"];
/// Who tells it of themselves.
const PERSON: [&str; 6] = ["i", "we", "i've", "we've", "i'd", "we'd"];
/// Words between somebody and what they did; those that end with `-ly` as well.
const BETWEEN: [&str; 14] =
    ["all", "also", "am", "are", "both", "had", "have", "just", "now", "soon", "then", "was", "were", "since"];
/// Words before the name of an event that is known: `the move`.
const KNOWN: [&str; 4] = ["the", "my", "our", "this"];
/// Words behind `moved` where whoever moved lives elsewhere since; others are what was moved: `I moved the dentist to Tuesday`.
const ELSEWHERE: [&str; 27] = [
    "abroad",
    "across",
    "after",
    "again",
    "and",
    "apartment",
    "away",
    "back",
    "because",
    "flat",
    "flats",
    "from",
    "here",
    "home",
    "house",
    "houses",
    "in",
    "into",
    "last",
    "on",
    "out",
    "over",
    "there",
    "to",
    "together",
    "with",
    "yesterday",
];
/// What leads to a place.
const TO_PLACES: [&str; 5] = ["at", "from", "in", "into", "to"];
/// Places without a name.
const HOMES: [&str; 9] = ["abroad", "apartment", "city", "country", "flat", "home", "house", "town", "village"];
/// So many words behind what leads to a place, it stands: `to the old town`.
const NEAR: usize = 3;

/// How surely a sentence tells of the event that is meant, the least surely first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meant {
    /// Something did so, or it does not matter what.
    Something,
    /// Somebody or something did so at a place: `Marta moved to Rome`.
    AtPlace,
    /// Whoever asks, or is asked about, did so.
    ByPerson,
    /// It is called as an event that is known: `the move`.
    Known,
    /// Whoever asks, or is asked about, did so at a place.
    ByPersonAtPlace,
}

impl Meant {
    /// Those of one rank may all be meant, and none of a lower one where there is one of a higher.
    pub(super) fn rank(self) -> u8 {
        match self {
            Self::Something => 0,
            Self::AtPlace => 1,
            Self::ByPerson | Self::Known | Self::ByPersonAtPlace => 2,
        }
    }
}

/// An event of whoever asks, or is asked about.
pub(super) struct Whose {
    /// Words for it.
    words: &'static [&'static str],
    /// Those whom the question names, in lower case and in the letters that are [indexed](plain).
    names: Vec<String>,
}

impl Whose {
    /// Of an event that people do, where the question does not say that it is of somebody else; none of any other.
    pub(super) fn of(question: &Question, event: &Named) -> Option<Self> {
        let row = |word: &String| OF_BELIEFS.iter().map(|(row, ..)| *row).find(|row| row.contains(&word.as_str()));
        let words = event.words.iter().find_map(row)?;
        let first = event.what.unicode_words().next()?;
        let lower = first.to_lowercase();
        let is_named = first.starts_with(char::is_uppercase) && !is_of(&PERSON, &lower) && !is_of(&KNOWN, &lower);
        let is_of_other = is_named || is_of(&OF_OTHERS, &lower) || lower.ends_with("'s") || lower.ends_with("’s");
        (!is_of_other).then(|| Self { words, names: question.capitals() })
    }

    /// How surely a sentence tells of it.
    pub(super) fn meant(&self, sentence: &str) -> Meant {
        let typed: Vec<&str> = sentence.unicode_words().collect();
        let words: Vec<String> = typed.iter().map(|word| plain(word).to_lowercase().replace('’', "'")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let places = (0..words.len()).filter(|at| self.words.contains(&words[*at]));
        places.map(|at| self.meant_at((&words, &typed), at)).max().unwrap_or(Meant::Something)
    }

    fn meant_at(&self, (words, typed): (&[&str], &[&str]), at: usize) -> Meant {
        let behind = at + 1;
        let is_past = words[at].ends_with("ed") || matches!(words[at], "left" | "quit");
        let is_known = !is_past && at > 0 && is_of(&KNOWN, words[at - 1]);
        if is_known {
            // `The move of the meeting` is another one.
            return if words.get(behind) == Some(&"of") { Meant::Something } else { Meant::Known };
        }
        let next = words.get(behind);
        let is_number = |word: &&str| word.starts_with(|letter: char| letter.is_ascii_digit());
        let goes_elsewhere = next.is_none_or(|next| is_of(&ELSEWHERE, next) || is_number(next) || is_day(next));
        let has_gone = goes_elsewhere || !self.words.contains(&"moved");
        match (has_gone && self.is_by_person(&words[..at], is_past), has_place(&words[behind..], &typed[behind..])) {
            (true, true) => Meant::ByPersonAtPlace,
            (true, false) => Meant::ByPerson,
            (false, true) => Meant::AtPlace,
            (false, false) => Meant::Something,
        }
    }

    /// Whether those words end with who tells it, or is asked about. Notes leave that out: `Moved from Lisbon to Berlin.`
    fn is_by_person(&self, before: &[&str], is_past: bool) -> bool {
        let who = before.iter().rev().find(|word| !is_of(&BETWEEN, word) && !word.ends_with("ly"));
        who.map_or(is_past, |who| is_of(&PERSON, who) || self.names.iter().any(|name| name == who))
    }
}

/// Whether words lead to a place.
fn has_place(words: &[&str], typed: &[&str]) -> bool {
    let is_place = |at: usize| {
        let is_name = typed[at].starts_with(char::is_uppercase) && !is_day(words[at]) && !is_of(&PERSON, words[at]);
        is_name || is_of(&HOMES, words[at])
    };
    let is_near = |at: usize| (at + 1..words.len().min(at + 1 + NEAR)).any(is_place);
    (0..words.len()).any(|at| is_of(&TO_PLACES, words[at]) && is_near(at))
}

/// Whether a word names a day or a month.
fn is_day(word: &str) -> bool {
    WEEKDAYS.contains(&word) || dates::is_month(word)
}

fn is_of(words: &[&str], word: &str) -> bool {
    words.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::super::super::when;
    use super::*;

    fn whose(question: &str) -> Option<Whose> {
        Whose::of(&Question::parse(question), &when::named(question).unwrap())
    }

    #[test]
    fn who_moves_with_a_place_is_meant_and_what_is_moved_is_not() {
        let whose = whose("What did I buy before the move?").unwrap();
        for (sentence, expected) in [
            ("I moved from Lisbon to Berlin, and all is in boxes.", Meant::ByPersonAtPlace),
            ("We’ve just moved to the old town.", Meant::ByPersonAtPlace),
            ("We finally moved into a new flat.", Meant::ByPersonAtPlace),
            ("Moved from Lisbon to Berlin.", Meant::ByPersonAtPlace),
            ("I moved yesterday.", Meant::ByPerson),
            ("I moved in May.", Meant::ByPerson),
            ("The move was on 3 May.", Meant::Known),
            ("It rained all day after our move.", Meant::Known),
            ("Marta moved to Rome.", Meant::AtPlace),
            ("Standup moved to 09:45.", Meant::Something),
            ("Standup moved to Monday.", Meant::Something),
            ("I moved the dentist to Tuesday.", Meant::Something),
            ("Moved standup to 09:45.", Meant::Something),
            ("The move of the standup is a nuisance.", Meant::Something),
            ("The removal van was late.", Meant::Something),
        ] {
            assert_eq!(whose.meant(sentence), expected, "{sentence}");
        }
        assert!(Meant::Known.rank() > Meant::AtPlace.rank() && Meant::AtPlace.rank() > Meant::Something.rank());
    }

    #[test]
    fn an_event_of_others_is_left_to_its_words() {
        let check = |question: &str, expected: bool| assert_eq!(whose(question).is_some(), expected, "{question}");
        check("What did Ana paint before the move?", true);
        check("Since we moved to Porto, what has Ana painted?", true);
        check("What did I buy before I moved?", true);
        check("Which city was I in before traveling to Chicago?", false);
        check("What did Ana paint before she moved?", false);
        check("What did I buy before Ana's move?", false);
        check("What did I buy before Ana moved?", false);
        check("What did I buy before the flood?", false);
        // Of her it may be told by her name.
        let told = |of: &str, sentence: &str| {
            let question = format!("What did {of} paint before the move?");
            whose(&question).unwrap().meant(sentence)
        };
        assert_eq!(told("Ana", "Ana moved to Porto."), Meant::ByPersonAtPlace);
        assert_eq!(told("Ana", "Ben moved to Porto."), Meant::AtPlace);
        for name in ["Weiß", "Weiss"] {
            assert_eq!(told(name, "Weiß moved to Porto."), Meant::ByPersonAtPlace, "{name}");
            assert_eq!(told(name, "Weiss moved to Porto."), Meant::ByPersonAtPlace, "{name}");
        }
    }
}
