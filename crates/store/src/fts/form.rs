//! The form in which words are indexed and looked up: one for both, so that what is asked finds what is said.

use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};
use unicode_segmentation::UnicodeSegmentation;

/// Stands between two words that nothing parts: it is not seen, and full text takes it for no letter.
const BETWEEN: char = '\u{200b}';

/// Words that nearly every English passage holds.
pub const COMMON: &[&str] = &[
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do",
    "does", "for", "from", "had", "has", "have", "he", "her", "his", "how", "i", "if", "in", "is", "it", "its", "me",
    "my", "of", "on", "or", "our", "she", "so", "that", "the", "their", "them", "there", "they", "this", "to", "was",
    "we", "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "will", "with", "would", "you",
    "your",
];

/// The form of a text in which its words are found however they are set: presentation forms are taken as the letters they stand for,
/// `ß` as `ss`, and what stands in a word unseen is left out ([`plain`]), and where a script sets words, or signs, side by side, each is parted from the next as UAX 29 parts them,
/// which is how questions are taken apart. Only the index and what is looked up in it have this form; quotes come from the source.
pub fn indexed_form(text: &str) -> String {
    parted(plain(text).into_owned())
}

/// A text in the letters that are indexed: presentation forms as the letters they stand for (NFKC), and `ß` as `ss`, as it is written in
/// capitals, in Switzerland, and by many who ask: `ﬁnance` is `finance`, and `Straße` is `Strasse`. Its words are [whole]. Case is kept.
pub fn plain(text: &str) -> Cow<'_, str> {
    // Most is, and no ASCII stands for anything else.
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let text = match text.contains(['ß', 'ẞ']) {
        true => Cow::Owned(text.replace('ß', "ss").replace('ẞ', "SS")),
        false => Cow::Borrowed(text),
    };
    // No other letter stands for an ß, so that what is normalized has none.
    let text = match is_nfkc_quick(text.chars()) {
        IsNormalized::Yes => text,
        _ => Cow::Owned(text.nfkc().collect()),
    };
    match text.contains(is_unseen) {
        true => Cow::Owned(whole(text.into_owned())),
        false => text,
    }
}

/// A text without what stands unseen within its words, where it would make two of one: a soft hyphen, a joiner, a space of no width.
/// Joiners of scripts whose letters they shape stay, and so does what parts the words of scripts without spaces.
pub fn whole(text: String) -> String {
    if !text.contains(is_unseen) {
        return text;
    }
    let mut whole = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(is_unseen) {
        let (before, behind) = rest.split_at(at);
        let after = behind.trim_start_matches(is_unseen);
        let unseen = &behind[..behind.len() - after.len()];
        whole.push_str(before);
        if !is_within_word(&whole, unseen, after) {
            whole.push_str(unseen);
        }
        rest = after;
    }
    whole.push_str(rest);
    whole
}

/// Whether what stands between two parts of a text is not seen there, and parts no words: that is left out where words are [whole].
pub fn is_within_word(before: &str, unseen: &str, after: &str) -> bool {
    let joins = unseen.contains(['\u{200c}', '\u{200d}']);
    let is_of_word = |sign: char| sign.is_alphanumeric() && !is_unspaced(sign) && !(joins && is_shaped(sign));
    !unseen.is_empty() && unseen.chars().all(is_unseen) && before.ends_with(is_of_word) && after.starts_with(is_of_word)
}

/// Whether a sign may stand within a word and is not seen there.
pub fn is_unseen(sign: char) -> bool {
    matches!(sign, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// A text without the marks on its Latin letters, which full text leaves out as well: `Andre` finds `André`. Those of other scripts make
/// other letters.
pub(crate) fn unmarked(text: &str) -> String {
    let mut before = ' ';
    let is_kept = |sign: &char| {
        let is_kept = !is_mark_on(before, *sign);
        if is_kept {
            before = *sign;
        }
        is_kept
    };
    text.nfd().filter(is_kept).nfc().collect()
}

/// Whether a sign is a mark on the Latin letter before it, of a text whose marks stand apart.
pub fn is_mark_on(letter: char, sign: char) -> bool {
    let is_latin = |c: char| c.is_ascii_alphabetic() || matches!(c, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}');
    matches!(sign, '\u{300}'..='\u{36f}') && is_latin(letter)
}

/// Whether a sign may be of a script whose letters joiners shape: it is none of Latin, Greek, Cyrillic and their neighbours.
fn is_shaped(sign: char) -> bool {
    sign >= '\u{590}' && !matches!(sign, '\u{1e00}'..='\u{1fff}')
}

/// A text in that form without what parts words that stand side by side: as it is read.
pub(crate) fn read(indexed: String) -> String {
    if !indexed.contains(BETWEEN) {
        return indexed;
    }
    let mut read = String::with_capacity(indexed.len());
    let mut rest = indexed.as_str();
    while let Some(at) = rest.find(BETWEEN) {
        let (before, after) = (&rest[..at], &rest[at + BETWEEN.len_utf8()..]);
        read.push_str(before);
        if !stand_close(before, after) {
            read.push(BETWEEN);
        }
        rest = after;
    }
    read.push_str(rest);
    read
}

/// A passage with the words whole that were broken at a line's end: so its text is indexed.
pub fn joined(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("-\n") {
        let (before, after) = (&rest[..at], &rest[at + 2..]);
        let broken = before.ends_with(char::is_alphabetic) && after.starts_with(char::is_lowercase);
        joined.push_str(before);
        if !broken {
            joined.push_str("-\n");
        }
        rest = after;
    }
    joined.push_str(rest);
    joined
}

/// With something between words that stand side by side.
fn parted(text: String) -> String {
    if !text.contains(is_unspaced) {
        return text;
    }
    let mut parted = String::with_capacity(text.len() * 2);
    for word in text.split_word_bounds() {
        if stand_close(&parted, word) {
            parted.push(BETWEEN);
        }
        parted.push_str(word);
    }
    parted
}

/// Whether the end of a text and the beginning of another would be taken for one word where they are two.
fn stand_close(before: &str, after: &str) -> bool {
    let is_of_both = |is: fn(char) -> bool| (before.ends_with(is), after.starts_with(is));
    is_of_both(char::is_alphanumeric) == (true, true) && is_of_both(is_unspaced) != (false, false)
}

/// Whether two signs that stand side by side are of one word. Scripts that put no spaces between words part each sign from the next, but for
/// katakana, as the index does.
pub fn joins(before: char, after: char) -> bool {
    let is_katakana =
        |sign: char| matches!(sign, '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}');
    let both = |is: &dyn Fn(char) -> bool| is(before) && is(after);
    both(&char::is_alphanumeric) && (both(&is_katakana) || both(&|sign: char| !is_unspaced(sign)))
}

/// Whether a sign is of a script that puts no spaces between words: those of China and Japan, Thai, Lao, Burmese, Khmer and their
/// neighbours.
pub fn is_unspaced(sign: char) -> bool {
    matches!(sign,
        '\u{0e00}'..='\u{0eff}' // Thai, Lao
        | '\u{1000}'..='\u{109f}' // Burmese
        | '\u{1780}'..='\u{17ff}' // Khmer
        | '\u{1950}'..='\u{19ff}' // Tai Le, New Tai Lue
        | '\u{1a20}'..='\u{1aaf}' // Tai Tham
        | '\u{2e80}'..='\u{2fdf}' // radicals
        | '\u{3005}'..='\u{3007}'
        | '\u{3021}'..='\u{303c}'
        | '\u{3041}'..='\u{30ff}' // hiragana, katakana
        | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' // Han
        | '\u{4e00}'..='\u{9fff}'
        | '\u{a9e0}'..='\u{a9ff}'
        | '\u{aa60}'..='\u{aadf}'
        | '\u{f900}'..='\u{faff}'
        | '\u{1aff0}'..='\u{1b16f}'
        | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_words_are_joined_and_others_are_not() {
        for (text, indexed) in [
            ("adip-\niscing elit", "adipiscing elit"),
            ("north-\nEast", "north-\nEast"),
            ("1-\na", "1-\na"),
            ("well-known", "well-known"),
            ("a -\nb", "a -\nb"),
            ("\u{fefb}", "\u{644}\u{627}"),
            ("ﬁnance", "finance"),
            ("Straßen-\nseite", "Strassenseite"),
        ] {
            assert_eq!(indexed_form(&joined(text)), indexed);
        }
    }

    #[test]
    fn what_stands_side_by_side_is_parted_and_read_as_it_was() {
        let check = |text: &str, parts: &[&str], is_read: &str| {
            let form = indexed_form(text);
            let words: Vec<&str> = form.split(BETWEEN).collect();
            assert_eq!(words, parts, "{text}");
            assert_eq!(indexed_form(&form), form, "{text}");
            assert_eq!(read(form), is_read, "{text}");
        };
        check("会議", &["会", "議"], "会議");
        check("ABC会議2", &["ABC", "会", "議", "2"], "ABC会議2");
        check("田中: 会議、東京タワー", &["田", "中: 会", "議、東", "京", "タワー"], "田中: 会議、東京タワー");
        check("ひらがな", &["ひ", "ら", "が", "な"], "ひらがな");
        check("ｶﾞｽ", &["ガス"], "ガス");
        check("한국어 서울市", &["한국어 서울", "市"], "한국어 서울市");
        check("กขค", &["ก", "ข", "ค"], "กขค");
        // A mark belongs to its letter, and full text takes it for no letter.
        check("ที่นี่", &["ที่นี่"], "ที่นี่");
        check("会 議", &["会 議"], "会 議");
    }

    #[test]
    fn what_has_an_eszett_is_as_it_is_written_without() {
        let check = |text: &str, expected: &str| {
            assert_eq!(indexed_form(text), expected, "{text}");
            assert_eq!(plain(text), expected, "{text}");
            assert_eq!(indexed_form(expected), expected, "{text}");
        };
        check("Die Straßenseite", "Die Strassenseite");
        check("STRAẞE", "STRASSE");
        check("STRASSE", "STRASSE");
        check("Fußball, ﬁnal", "Fussball, final");
        // A mark under it stands under an s.
        check("ß\u{323}", "s\u{1e63}");
    }

    #[test]
    fn what_stands_unseen_in_a_word_makes_no_two_of_it() {
        let check = |text: &str, expected: &str| {
            assert_eq!(plain(text), expected, "{text:?}");
            assert_eq!(indexed_form(text), expected, "{text:?}");
            assert_eq!(indexed_form(expected), expected, "{text:?}");
        };
        check("ze\u{200b}ppelin", "zeppelin");
        check("Miet\u{ad}ver\u{ad}trag", "Mietvertrag");
        check("zep\u{2060}pe\u{feff}lin", "zeppelin");
        check("zep\u{200d}pelin, zep\u{200c}pelin", "zeppelin, zeppelin");
        check("zep\u{ad}\u{200b}pelin", "zeppelin");
        check("Stra\u{ad}ße 1\u{200b}2", "Strasse 12");
        check("про\u{ad}дажа", "продажа");
        check("ספ\u{2060}ינה", "ספינה");
        // Beside what is no letter it stands in no word.
        for stays in ["a \u{200b}b", "\u{feff}a", "a\u{200b}", "a-\u{ad}b", "👩\u{200d}👧"] {
            check(stays, stays);
        }
        // It shapes letters, or parts words.
        check("می\u{200c}خواهم", "می\u{200c}خواهم");
        check("क्\u{200d}ष", "क्\u{200d}ष");
        check("ក\u{200b}ខ", "ក\u{200b}ខ");
        check("a\u{200b}会", "a\u{200b}会");
    }

    #[test]
    fn signs_of_one_word_are_those_that_the_index_does_not_part() {
        for (before, after, expected) in [
            ('a', 'b', true),
            ('a', '1', true),
            ('a', '-', false),
            ('한', '국', true),
            ('会', '議', false),
            ('の', '会', false),
            ('C', '会', false),
            ('タ', 'ワ', true),
            ('ワ', 'ー', true),
            ('ー', 'は', false),
            ('ก', 'ข', false),
        ] {
            assert_eq!(joins(before, after), expected, "{before}{after}");
        }
    }

    #[test]
    fn marks_on_latin_letters_are_left_out_and_others_are_not() {
        for (text, expected) in [
            ("André e\u{301}té", "Andre ete"),
            ("Việt", "Viet"),
            ("smørrebrød", "smørrebrød"),
            ("мой", "мой"),
            ("Ελληνικά", "Ελληνικά"),
            ("が", "が"),
            ("한국어", "한국어"),
        ] {
            assert_eq!(unmarked(text), expected);
        }
    }

    #[test]
    fn what_has_spaces_is_as_it_was() {
        for text in [
            "The lease of Ana's flat, INV-20391 (no. 7).",
            "Über Höhe: l’été — naïve?",
            "Ελληνικά, кириллица, עברית צה\"ל, العربية, हिन्दी, 한국어",
            "a, \u{200b}b",
        ] {
            assert_eq!(indexed_form(text), text);
            assert_eq!(read(text.to_owned()), text);
        }
    }
}
