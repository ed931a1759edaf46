//! Times that German, French and Spanish name, put into the English words in which all times are read: `vor zwei Jahren` is `two years ago`.
//! What the tables do not have stays as it is, such as a month that nothing leads to: `Mai` and `Mars` are names of others, too.

mod tables;

use super::periods;
use crate::lexical::MONTHS;
use crate::recall::common::{self, Language};
use crate::recall::words::{COMMON, looked_up};
use std::borrow::Cow;
use std::cmp::Reverse;
use unicode_segmentation::UnicodeSegmentation;

pub(in crate::recall) use tables::{FRENCH, GERMAN, SPANISH};

/// How a language names times.
pub(in crate::recall) struct Tongue {
    /// Words of time that alone tell that a text is in it, where no word of that is one of English alone.
    tells: &'static [&'static str],
    articles: &'static [&'static str],
    numbers: &'static [(&'static str, &'static str)],
    /// Months, weekdays and seasons.
    names: &'static [(&'static str, &'static str)],
    units: &'static [(&'static str, &'static str)],
    /// Phrases, and the same in English.
    phrases: &'static [(&'static str, &'static str)],
}

/// A text whose times are in English.
struct Read {
    text: String,
    /// The words of it that stood for times, or for whatever there is, as they are looked up.
    of_times: Vec<String>,
}

/// A text with its times in English.
pub(in crate::recall) fn in_english(text: &str) -> Cow<'_, str> {
    read(text).map_or(Cow::Borrowed(text), |read| Cow::Owned(read.text))
}

/// The words of a text, as they are looked up, that name times in another language than English, or stand for whatever there is.
pub(in crate::recall) fn words_of_times(text: &str) -> Vec<String> {
    read(text).map(|read| read.of_times).unwrap_or_default()
}

/// Whether a word, in lower case, is the name of a month in one of these languages.
pub(super) fn is_month(word: &str) -> bool {
    let name = [&GERMAN, &FRENCH, &SPANISH].into_iter().find_map(|tongue| entry(tongue.names, word));
    name.is_some_and(|name| MONTHS.contains(&name))
}

/// Reads a text; none where it is in none of these languages, as far as that can be told.
fn read(text: &str) -> Option<Read> {
    let places: Vec<(usize, &str)> = text.unicode_word_indices().collect();
    let words: Vec<String> = places.iter().map(|(_, word)| word.to_lowercase().replace('’', "'")).collect();
    let tongue = Tongue::of(&words)?;
    let ends = |at: usize| places[at].0 + places[at].1.len();
    // Nothing but a space, a hyphen or the stop of `7. Mai` parts the words of a phrase.
    let is_joined = |at: usize| {
        let between = &text[ends(at - 1)..places[at].0];
        between.len() <= 2 && between.chars().all(|sign| matches!(sign, ' ' | '\u{a0}' | '.' | '-'))
    };
    let (mut english, mut of_times, mut copied, mut at) = (String::new(), Vec::new(), 0, 0);
    while at < words.len() {
        let Some((phrase, next)) = tongue.longest(&words, at, is_joined) else {
            at += 1;
            continue;
        };
        english.push_str(&text[copied..places[at].0]);
        english.push_str(&phrase);
        if phrase.split(' ').all(|word| periods::asks_no_more(word) || COMMON.contains(&word)) {
            of_times.extend(places[at..next].iter().map(|(_, word)| looked_up(word)));
        }
        (copied, at) = (ends(next - 1), next);
    }
    english.push_str(&text[copied..]);
    Some(Read { text: english, of_times })
}

impl Tongue {
    /// Whether a word, in lower case, is a unit of time.
    pub(in crate::recall) fn is_unit(&self, word: &str) -> bool {
        entry(self.units, word).is_some()
    }

    /// That of a text of these words, which are in lower case.
    fn of(words: &[String]) -> Option<&'static Self> {
        if let Some(language) = common::of_text(words.iter()) {
            return Some(language.times());
        }
        let held = |language: &Language| words.iter().filter(|word| language.is_common(word)).count();
        let may_be = common::that_may_be(words.iter());
        let told = may_be.filter(|language| (0..words.len()).any(|at| language.times().is_told(words, at)));
        told.min_by_key(|language| Reverse(held(language))).map(Language::times)
    }

    /// Whether the word in this place tells the language: by itself, or as a month or season beside its day or year.
    fn is_told(&self, words: &[String], at: usize) -> bool {
        let word = words[at].as_str();
        let is_name = || entry(self.names, word).is_some_and(|name| name != word);
        let is_number = |at: usize| words.get(at).is_some_and(|word| digits(word).is_some());
        let is_dated = || {
            let behind = at + 1 + usize::from(words.get(at + 1).is_some_and(|word| word == "de" || word == "del"));
            let before = at.checked_sub(1 + usize::from(at > 1 && words[at - 1] == "de"));
            is_number(behind) || before.is_some_and(is_number)
        };
        self.tells.contains(&word) || is_name() && is_dated()
    }

    /// The longest phrase that stands in a place, in English, and the place behind it.
    fn longest(&self, words: &[String], at: usize, is_joined: impl Fn(usize) -> bool) -> Option<(String, usize)> {
        let all = self.phrases.iter().filter_map(|(phrase, english)| {
            let (found, next) = self.matches(phrase, words, at, &is_joined)?;
            Some((english, found, next))
        });
        let (english, mut found, next) = all.min_by_key(|(.., next)| Reverse(*next))?;
        let filled = english.split(' ').map(|part| match found.iter().position(|(of, _)| *of == part) {
            Some(place) => found.remove(place).1,
            None => part.to_owned(),
        });
        Some((filled.collect::<Vec<_>>().join(" "), next))
    }

    /// What stands for the signs of a phrase in a place, each with its sign, and the place behind the phrase.
    fn matches<'a>(
        &self,
        phrase: &'a str,
        words: &[String],
        at: usize,
        is_joined: impl Fn(usize) -> bool,
    ) -> Option<(Vec<(&'a str, String)>, usize)> {
        let (mut found, mut next) = (Vec::new(), at);
        for part in phrase.split(' ') {
            let word = words.get(next).filter(|_| next == at || is_joined(next))?.as_str();
            // `L'été`, `d'avril`.
            let bare = word.strip_prefix("l'").or_else(|| word.strip_prefix("d'")).unwrap_or(word);
            let stands_for = match part {
                "~" => {
                    next += usize::from(self.articles.contains(&word));
                    continue;
                }
                "@" => entry(self.names, bare)?.to_owned(),
                "&" => entry(self.units, bare)?.to_owned(),
                "#" => entry(self.numbers, word).map(str::to_owned).or_else(|| digits(word))?,
                "%" => digits(word)?,
                literal if literal == word => {
                    next += 1;
                    continue;
                }
                _ => return None,
            };
            found.push((part, stands_for));
            next += 1;
        }
        Some((found, next))
    }
}

fn entry(table: &[(&'static str, &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(own, _)| *own == word).map(|(_, english)| *english)
}

/// A number in digits, of four at most: `7`, `2023`, `1er`.
fn digits(word: &str) -> Option<String> {
    let digits = word.strip_suffix("er").unwrap_or(word);
    let is_number = (1..=4).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::calendar::day_count;
    use super::super::{DAY, Named, Now, asked, says};
    use super::*;
    use crate::recall::wanted::Wanted;
    use crate::recall::words::Question;
    use um_model::EpochMs;

    type Day = (i32, u32, u32);

    fn day((year, month, day): Day) -> EpochMs {
        day_count(year, month, day) * DAY
    }

    /// A Wednesday.
    fn now() -> Now {
        Now::utc(day((2025, 6, 18)) + 1000)
    }

    /// That each question names the same time as the English one beside it, which names one.
    fn check(questions: &[(&str, &str)]) {
        for (question, english) in questions {
            let expected = asked(english, now()).named;
            assert!(expected.is_some(), "{english}");
            assert_eq!(asked(question, now()).named, expected, "{question}: {}", in_english(question));
        }
    }

    fn check_none(questions: &[&str]) {
        for question in questions {
            assert_eq!(asked(question, now()).named, None, "{question}: {}", in_english(question));
        }
    }

    #[test]
    fn times_in_german() {
        check(&[
            ("gestern", "yesterday"),
            ("Was habe ich gestern geschrieben?", "yesterday"),
            ("Wo waren wir vorgestern?", "two days ago"),
            ("letzte Woche", "last week"),
            ("am letzten Wochenende", "last weekend"),
            ("Wo waren wir letzten Frühling?", "last spring"),
            ("im vergangenen Jahr", "last year"),
            ("Was war vorige Woche?", "last week"),
            ("Wo waren wir im vorigen Sommer?", "last summer"),
            ("Was steht diesen Monat an?", "this month"),
            ("letzten Dienstag", "last Tuesday"),
            ("Wo haben wir vor zwei Jahren gewohnt?", "two years ago"),
            ("vor einem Jahr", "a year ago"),
            ("vor einem halben Jahr", "half a year ago"),
            ("vor ein paar Tagen", "few days ago"),
            ("in den letzten drei Monaten", "the last three months"),
            ("im Mai 2023", "in May 2023"),
            ("im März", "in March"),
            ("Was war am 7. Mai 2023?", "on 7 May 2023"),
            ("7. Oktober", "7 October"),
            ("Der Umzug war am 3. Mai 2023.", "3 May 2023"),
            ("im Sommer 2024", "in summer 2024"),
            ("seit März", "since March"),
            ("seit letzter Woche", "since last week"),
            ("seit dem 3. Mai 2024", "since 3 May 2024"),
            ("Was habe ich vor 2020 gelesen?", "before 2020"),
            ("Was habe ich bis Ende Mai gelesen?", "until the end of May"),
            ("nach dem 3. Juni", "after June 3rd"),
            ("zwischen Mai und Juli 2023", "between May and July 2023"),
            ("vom 3. Mai bis zum 12. Juni 2024", "from 3 May to 12 June 2024"),
            ("Notizen von März bis Mai", "from March to May"),
        ]);
        check_none(&[
            "Wer wartet vor dem Haus?",
            "Was liegt hier auf dem Tisch?",
            "Hat Mai Nguyen die Miete bezahlt?",
            "Was hat Mai gesagt?",
            "Wer sprach vor 2000 Leuten?",
            "Wer fährt nach Porto?",
            "Was hält am längsten und ist das letzte?",
            "vor Ort",
        ]);
    }

    #[test]
    fn times_in_french() {
        check(&[
            ("Qu'est-ce que j'ai fait hier ?", "yesterday"),
            ("Où étions-nous avant-hier ?", "two days ago"),
            ("aujourd'hui", "today"),
            ("la semaine dernière", "last week"),
            ("le printemps dernier", "last spring"),
            ("Où étions-nous l’été dernier ?", "last summer"),
            ("l'année dernière", "last year"),
            ("le week-end dernier", "last weekend"),
            ("Qui est venu mardi dernier ?", "last Tuesday"),
            ("ce mois-ci", "this month"),
            ("Où est-ce que j'habitais il y a deux ans ?", "two years ago"),
            ("il y a une semaine", "a week ago"),
            ("ces trois derniers mois", "the last three months"),
            ("en mai 2023", "in May 2023"),
            ("Qu'est-ce que j'ai écrit en mars ?", "in March"),
            ("le 7 mai 2023", "7 May 2023"),
            ("le 1er octobre", "1 October"),
            ("lundi 7 octobre 2024", "7 October 2024"),
            ("au printemps 2024", "in spring 2024"),
            ("depuis mars", "since March"),
            ("depuis la semaine dernière", "since last week"),
            ("avant le 3 mai 2024", "before 3 May 2024"),
            ("Où est-ce que je vivais avant 2020 ?", "before 2020"),
            ("jusqu'en 2019, où est-ce que je vivais ?", "until 2019"),
            ("entre mai et juillet 2023", "between May and July 2023"),
            ("du 3 mai au 12 juin 2024", "from 3 May to 12 June 2024"),
        ]);
        check_none(&[
            "hier",
            "Qui a été malade ?",
            "Quelle est la taille de Mars ?",
            "Qui est Avril Martin ?",
            "Où est le dernier bateau ?",
            "Qui est avant moi dans la file ?",
            "Où est la voiture d'Ana ?",
        ]);
    }

    #[test]
    fn times_in_spanish() {
        check(&[
            ("ayer", "yesterday"),
            ("¿Qué hice ayer?", "yesterday"),
            ("la semana pasada", "last week"),
            ("¿Dónde estuvimos la primavera pasada?", "last spring"),
            ("el martes pasado", "last Tuesday"),
            ("¿Qué hice el pasado mes?", "last month"),
            ("el año pasado", "last year"),
            ("este mes, ¿qué hice?", "this month"),
            ("¿Dónde vivía hace dos años?", "two years ago"),
            ("hace un año", "a year ago"),
            ("hace unos días", "few days ago"),
            ("los últimos tres meses", "the last three months"),
            ("en mayo de 2023", "in May 2023"),
            ("¿Qué escribí en marzo?", "in March"),
            ("el 7 de mayo de 2023", "7 May 2023"),
            ("el 7 de octubre", "7 October"),
            ("el verano de 2024", "summer 2024"),
            ("desde marzo, ¿qué hice?", "since March"),
            ("desde la semana pasada", "since last week"),
            ("¿Dónde vivía antes de 2020?", "before 2020"),
            ("antes del 3 de mayo de 2024", "before 3 May 2024"),
            ("¿Qué hice después de mayo de 2023?", "after May 2023"),
            ("hasta 2019, ¿dónde vivía?", "until 2019"),
            ("entre mayo y julio de 2023", "between May and July 2023"),
        ]);
        check_none(&[
            "¿Quién es Julio Mayo?",
            "¿Dónde está la Casa de Domingo?",
            "¿Quién está antes de mí?",
            "¿Qué hace Ana?",
            "¿Quién ha pasado por la casa?",
        ]);
    }

    /// What they have in common with words of others is read where the text is in that language.
    #[test]
    fn english_stays_as_it_is() {
        for text in [
            "",
            "Where is the key?",
            "hier",
            "Die Hard 2023",
            "A week on Mars 2020 with Mai",
            "What did Domingo sing last week?",
            "They had mayo and un vor dem on it",
            "April 2024",
        ] {
            assert_eq!(in_english(text), text);
        }
    }

    #[test]
    fn a_question_for_nothing_but_a_time_is_known() {
        let check = |question: &str, expected: bool| {
            let question = Question::parse(question);
            assert_eq!(Wanted::of(&question, now()).is_of_period_alone(), expected, "{question:?}");
        };
        check("letzte Woche", true);
        check("Was habe ich im Mai 2023 geschrieben?", true);
        check("Notizen vom letzten Monat", true);
        check("la semaine dernière", true);
        check("Qu'est-ce que j'ai écrit en mai 2023 ?", true);
        check("Qu'est-ce que j'ai mangé en mai 2023 ?", false);
        check("Qu'est-ce qui est arrivé en mai 2023 ?", true);
        check("Qui est arrivé en mai 2023 ?", false);
        check("la primavera pasada", true);
        check("¿Qué escribí hace dos años?", true);
        check("Wo haben wir letzte Woche gewohnt?", false);
        check("¿Dónde estuvimos la primavera pasada?", false);
    }

    #[test]
    fn a_text_says_its_date_in_its_own_words() {
        let may = (Named::Month { year: Some(2023), month: 5 }, day((2023, 5, 1)), day((2023, 6, 1)));
        for (text, expected) in [
            ("Rechnung vom 7. Mai 2023", true),
            ("Es regnete.\nIm Mai 2023 sind wir umgezogen.", true),
            ("Facture du 7 mai 2023", true),
            ("Factura del 7 de mayo de 2023", true),
            ("Rechnung vom 7. Juni 2023", false),
        ] {
            assert_eq!(says(text, None, may), expected, "{text}");
        }
    }
}
