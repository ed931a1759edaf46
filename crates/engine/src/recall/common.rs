//! Words that nearly every passage of a language holds, and words of time, for languages beside English (`words.rs` and `features.rs` have
//! those). They count only where a text is in that language: `die`, `war` and `son` are words of English as well.

use super::dates::{self, Tongue};
use super::when::{self, Events};
use super::words::COMMON;

/// What is known of a language.
pub(super) struct Language {
    /// Words that nearly every passage holds, those that English has as well included.
    common: &'static [&'static str],
    /// Words of time, as `TIME_WORDS` of English.
    time: &'static [&'static str],
    /// Whether all its nouns begin with a capital.
    capital_nouns: bool,
    /// How it names times.
    times: &'static Tongue,
    /// How it names events.
    events: &'static Events,
}

/// How many languages are known beside English.
const LANGUAGE_COUNT: usize = 3;

static LANGUAGES: [Language; LANGUAGE_COUNT] = [
    // German.
    Language {
        common: &[
            "aber", "alle", "als", "also", "am", "an", "auch", "auf", "aus", "bei", "beim", "bin", "bis", "bist", "da",
            "damit", "dann", "das", "dass", "dein", "deine", "dem", "den", "denn", "der", "des", "dessen", "dich",
            "die", "dies", "diese", "diesem", "diesen", "dieser", "dieses", "dir", "doch", "du", "durch", "ein",
            "eine", "einem", "einen", "einer", "eines", "er", "es", "euch", "euer", "für", "gab", "gibt", "habe",
            "haben", "hast", "hat", "hatte", "hatten", "her", "ich", "ihm", "ihn", "ihnen", "ihr", "ihre", "ihrem",
            "ihren", "ihrer", "im", "in", "ins", "ist", "ja", "jede", "jeder", "jedes", "kann", "kein", "keine",
            "können", "man", "mein", "meine", "meinem", "meinen", "meiner", "mich", "mir", "mit", "muss", "nach",
            "nicht", "noch", "nur", "ob", "oder", "ohne", "schon", "sein", "seine", "seinem", "seinen", "seiner",
            "seit", "sich", "sie", "sind", "so", "soll", "sollte", "um", "und", "uns", "unser", "unsere", "unter",
            "vom", "von", "vor", "wann", "war", "waren", "warst", "warum", "was", "weil", "welche", "welchem",
            "welchen", "welcher", "welches", "wem", "wen", "wenn", "wer", "werden", "weshalb", "wessen", "wie",
            "wieso", "wieviel", "will", "wir", "wird", "wo", "wobei", "wofür", "woher", "wohin", "womit", "worüber",
            "wozu", "wurde", "wurden", "zu", "zum", "zur", "über",
        ],
        time: &[
            "abend",
            "dezember",
            "dienstag",
            "donnerstag",
            "februar",
            "freitag",
            "frühjahr",
            "frühling",
            "gestern",
            "herbst",
            "heute",
            "jahr",
            "jahre",
            "jahren",
            "januar",
            "juli",
            "juni",
            "jänner",
            "kürzlich",
            "letzte",
            "letzten",
            "letzter",
            "letztes",
            "mai",
            "mittwoch",
            "monat",
            "monate",
            "monaten",
            "montag",
            "morgen",
            "märz",
            "nachmittag",
            "nacht",
            "neulich",
            "nächste",
            "nächsten",
            "nächster",
            "nächstes",
            "oktober",
            "samstag",
            "seit",
            "sommer",
            "sonnabend",
            "sonntag",
            "tag",
            "tage",
            "tagen",
            "vorgestern",
            "vormittag",
            "woche",
            "wochen",
            "wochenende",
            "übermorgen",
        ],
        capital_nouns: true,
        times: &dates::GERMAN,
        events: &when::GERMAN,
    },
    // French.
    Language {
        common: &[
            "a", "ai", "as", "au", "aussi", "aux", "avais", "avait", "avec", "avez", "avons", "c'est", "ce", "cela",
            "ces", "cet", "cette", "ceux", "chez", "comment", "dans", "de", "depuis", "des", "dont", "du", "elle",
            "elles", "en", "es", "est", "et", "eu", "eux", "fut", "il", "ils", "j'ai", "je", "l'a", "la", "le", "les",
            "leur", "leurs", "lors", "lui", "ma", "mais", "me", "mes", "moi", "mon", "n'a", "n'est", "ne", "nos",
            "notre", "nous", "on", "ont", "ou", "où", "par", "parce", "pas", "pendant", "plus", "pour", "pourquoi",
            "qu'a", "qu'elle", "qu'est", "qu'il", "quand", "que", "quel", "quelle", "quelles", "quels", "qui", "quoi",
            "sa", "sans", "se", "ses", "si", "son", "sont", "suis", "sur", "ta", "te", "tes", "toi", "ton", "très",
            "tu", "un", "une", "vos", "votre", "vous", "y", "à", "étaient", "était", "été", "être",
        ],
        time: &[
            "année",
            "années",
            "ans",
            "août",
            "aujourd'hui",
            "automne",
            "avril",
            "demain",
            "depuis",
            "dernier",
            "derniers",
            "dernière",
            "dimanche",
            "décembre",
            "février",
            "hier",
            "hiver",
            "janvier",
            "jeudi",
            "jour",
            "jours",
            "juillet",
            "juin",
            "lundi",
            "mai",
            "mardi",
            "mars",
            "matin",
            "mercredi",
            "mois",
            "novembre",
            "nuit",
            "octobre",
            "printemps",
            "prochain",
            "prochaine",
            "récemment",
            "samedi",
            "semaine",
            "semaines",
            "septembre",
            "soir",
            "vendredi",
        ],
        capital_nouns: false,
        times: &dates::FRENCH,
        events: &when::FRENCH,
    },
    // Spanish.
    Language {
        common: &[
            "a", "al", "algo", "alguna", "algunos", "algún", "como", "con", "cuando", "cuál", "cuáles", "cuándo",
            "cuánta", "cuántas", "cuánto", "cuántos", "cómo", "de", "del", "desde", "donde", "durante", "dónde", "e",
            "el", "ella", "ellas", "ellos", "en", "entre", "era", "eran", "es", "esa", "ese", "eso", "esta", "estaba",
            "estaban", "estado", "este", "esto", "estoy", "está", "están", "fue", "fueron", "ha", "habia", "había",
            "han", "has", "hasta", "hay", "he", "la", "las", "le", "les", "lo", "los", "me", "mi", "mis", "muy", "más",
            "ni", "no", "nos", "nosotros", "nuestra", "nuestro", "o", "para", "pero", "por", "porque", "pues", "que",
            "quien", "quién", "quiénes", "qué", "se", "ser", "si", "sido", "sin", "sobre", "son", "soy", "su", "sus",
            "sí", "también", "te", "tenía", "tiene", "tienen", "tu", "tus", "tuvo", "un", "una", "unas", "uno", "unos",
            "usted", "y", "ya", "yo", "él",
        ],
        time: &[
            "abril",
            "agosto",
            "anoche",
            "anteayer",
            "ayer",
            "año",
            "años",
            "desde",
            "diciembre",
            "domingo",
            "día",
            "días",
            "enero",
            "febrero",
            "hoy",
            "invierno",
            "jueves",
            "julio",
            "junio",
            "lunes",
            "martes",
            "marzo",
            "mayo",
            "mañana",
            "mes",
            "meses",
            "miércoles",
            "noche",
            "noviembre",
            "octubre",
            "otoño",
            "pasada",
            "pasado",
            "primavera",
            "próxima",
            "próximo",
            "recientemente",
            "semana",
            "semanas",
            "septiembre",
            "sábado",
            "tarde",
            "verano",
            "viernes",
        ],
        capital_nouns: false,
        times: &dates::SPANISH,
        events: &when::SPANISH,
    },
];

/// Those of the common words that an English text may hold: as a word, in a name or as an abbreviation. They alone tell no language.
const ENGLISH_TOO: &[&str] = &[
    "ai", "al", "alle", "also", "am", "au", "bei", "bin", "bis", "c'est", "chez", "comment", "como", "con", "da",
    "damit", "dans", "das", "de", "del", "dem", "den", "der", "des", "die", "dies", "dir", "dont", "du", "e", "ein",
    "el", "ella", "elle", "en", "entre", "er", "era", "es", "esa", "eso", "est", "et", "fut", "gab", "ha", "han",
    "hast", "hasta", "hat", "hay", "il", "im", "ins", "ja", "je", "la", "las", "le", "les", "lo", "los", "lui", "ma",
    "man", "mes", "mi", "mir", "mis", "mit", "moi", "mon", "ni", "no", "nos", "nous", "o", "ont", "ou", "par", "para",
    "pas", "plus", "pour", "pues", "que", "qui", "quoi", "sa", "sans", "se", "ser", "si", "sin", "son", "soy", "su",
    "sur", "sus", "sí", "ta", "te", "tes", "ton", "tu", "um", "un", "una", "uno", "uns", "von", "vor", "vous", "war",
    "y", "ya", "yo", "zu", "à",
];

impl Language {
    /// Whether nearly every passage holds this word, which is in lower case.
    pub(super) fn is_common(&self, word: &str) -> bool {
        has(self.common, word)
    }

    /// Whether all its nouns begin with a capital, so that one tells no name.
    pub(super) fn has_capital_nouns(&self) -> bool {
        self.capital_nouns
    }

    /// How it names times.
    pub(super) fn times(&self) -> &'static Tongue {
        self.times
    }

    /// How it names events.
    pub(super) fn events(&self) -> &'static Events {
        self.events
    }

    /// Whether this word, in lower case, is one of time.
    pub(super) fn tells_time(&self, word: &str) -> bool {
        has(self.time, word)
    }
}

/// How much of a language a text holds.
#[derive(Debug, Clone, Copy, Default)]
struct Held {
    /// So many of its common words that English does not have among its own.
    own: usize,
    /// Whether one of them is in no English text.
    tells: bool,
    /// Whether it has a word of time of that language.
    tells_time: bool,
}

/// A text on its way through its words, which are in lower case. It is in one of the languages, and not in English, where it holds common
/// words of it, one of them that no English text holds, and no common word of English that is none of its own. So whatever is said in
/// English is read as ever; a text that mixes both, too. Of several languages, it is in the one of which it holds most.
#[derive(Debug)]
pub(super) struct Reading([Option<Held>; LANGUAGE_COUNT]);

impl Default for Reading {
    fn default() -> Self {
        Self([Some(Held::default()); LANGUAGE_COUNT])
    }
}

impl Reading {
    /// Reads the next word.
    pub(super) fn read(&mut self, word: &str) {
        let is_english = has(COMMON, word);
        for (language, slot) in LANGUAGES.iter().zip(&mut self.0) {
            let Some(held) = slot else { continue };
            held.tells_time = held.tells_time || language.tells_time(word);
            match (language.is_common(word), is_english) {
                (false, true) => *slot = None,
                (true, false) => {
                    held.own += 1;
                    held.tells = held.tells || !has(ENGLISH_TOO, word);
                }
                _ => {}
            }
        }
    }

    /// Whether it is in none of them, whatever is still to come.
    pub(super) fn is_of_none(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// Whether it is in one of them and has a word of time of that one.
    pub(super) fn tells_time(&self) -> bool {
        self.known().is_some_and(|(held, _)| held.tells_time)
    }

    fn known(&self) -> Option<(Held, &'static Language)> {
        let known = LANGUAGES.iter().zip(self.0).filter_map(|(language, held)| Some((held?, language)));
        known.filter(|(held, _)| held.tells).max_by_key(|(held, _)| held.own)
    }
}

/// The language of a text of these words, where it is [in one of those](Reading).
pub(super) fn of_text(words: impl Iterator<Item = impl AsRef<str>>) -> Option<&'static Language> {
    let mut reading = Reading::default();
    for word in words {
        reading.read(word.as_ref());
        // Nearly every English text is known by its first words.
        if reading.is_of_none() {
            return None;
        }
    }
    reading.known().map(|(_, language)| language)
}

/// The languages that a text of these words may be in: no word of it is one of English alone.
pub(super) fn that_may_be(words: impl Iterator<Item = impl AsRef<str>>) -> impl Iterator<Item = &'static Language> {
    let mut reading = Reading::default();
    for word in words {
        reading.read(word.as_ref());
    }
    LANGUAGES.iter().zip(reading.0).filter_map(|(language, held)| held.map(|_| language))
}

fn has(words: &[&str], word: &str) -> bool {
    words.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_segmentation::UnicodeSegmentation;

    #[test]
    fn words_are_in_order_and_those_of_english_are_of_one_of_them() {
        let lists = LANGUAGES.iter().flat_map(|language| [language.common, language.time]);
        for list in lists.chain([COMMON, ENGLISH_TOO]) {
            assert!(list.is_sorted_by(|one, next| one < next), "{list:?}");
        }
        for word in ENGLISH_TOO {
            assert!(!has(COMMON, word) && LANGUAGES.iter().any(|language| language.is_common(word)), "{word}");
        }
    }

    /// The language of a text as that is defined, whatever it costs.
    fn plainly(words: &[&str]) -> Option<&'static Language> {
        let own = |language: &'static Language| {
            let is_of_english_alone = |word: &str| has(COMMON, word) && !language.is_common(word);
            let own: Vec<&str> =
                words.iter().copied().filter(|word| language.is_common(word) && !has(COMMON, word)).collect();
            let tells = own.iter().any(|word| !has(ENGLISH_TOO, word));
            (tells && !words.iter().any(|word| is_of_english_alone(word))).then_some((own.len(), language))
        };
        LANGUAGES.iter().filter_map(own).max_by_key(|(own, _)| *own).map(|(_, language)| language)
    }

    proptest::proptest! {
        #[test]
        fn a_language_is_told_as_it_is_defined(words in proptest::collection::vec(proptest::sample::select(SAID), 0..10)) {
            let told = of_text(words.iter()).map(std::ptr::from_ref);
            proptest::prop_assert_eq!(told, plainly(&words).map(std::ptr::from_ref), "{:?}", words);
        }
    }

    /// Words of one language, of several, of English as well, and of none.
    const SAID: &[&str] = &[
        "ich", "der", "für", "war", "in", "die", "je", "suis", "la", "de", "que", "était", "él", "con", "es", "los",
        "un", "the", "they", "is", "a", "porto", "日本",
    ];

    #[test]
    fn a_text_is_in_another_language_where_nothing_in_it_is_of_english_alone() {
        let of = |text: &str| of_text(text.unicode_words().map(str::to_lowercase));
        let check = |text: &str, common: &str, other: &str| {
            let language = of(text).unwrap_or_else(|| panic!("{text}"));
            assert!(language.is_common(common) && !language.is_common(other), "{text}");
        };
        check("Wo ist der Schlüssel?", "der", "la");
        check("Was ist in der Kiste?", "der", "la");
        check("Wann kommt Ana?", "der", "la");
        check("Où est la clé de la maison ?", "où", "dónde");
        check("Quand est-ce que Ben arrive ?", "quand", "cuándo");
        check("¿Dónde está la llave de la casa?", "dónde", "où");
        for text in [
            "",
            "Schlüssel",
            "Where is the key?",
            "When was the war in Die Hard?",
            "Who plays the son in Das Boot?",
            "Where is der Schlüssel?",
            "Los Angeles",
            "El Paso, de la Vega and Van der Berg",
            "dont comment on AI",
            "Im fine, c'est la vie",
            "die hat man",
            "Rendez-vous at noon",
        ] {
            assert!(of(text).is_none(), "{text}");
        }
    }
}
