//! Finding words in a text, however they are spaced, capitalised and spelled.

use um_model::Utf16Span;
use um_store::fts::{is_mark_on, is_unseen, joins};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// A letter as it is compared, and where it stands in the text.
struct Letter {
    folded: char,
    span: Utf16Span,
}

/// Where a text says some words, as whole words: in every spelling that search takes for the same, and as they are written, as what a sign
/// stands for may join what it follows (`Foo™`).
pub(crate) fn places(text: &str, words: &str) -> Vec<Utf16Span> {
    let words = words.trim();
    let mut found = among(&alike(text), &alike(words));
    let is_plain = |text: &str| text.is_ascii() && !text.contains("-\n");
    if is_plain(text) && is_plain(words) {
        return found;
    }
    let mut more = among(&written(text), &written(words));
    more.retain(|span| {
        let next = found.partition_point(|other| other.end <= span.start);
        found.get(next).is_none_or(|other| span.end <= other.start)
    });
    found.extend(more);
    found.sort_unstable_by_key(|span| span.start);
    found
}

/// Where some letters stand among others, as whole words.
fn among(text: &[Letter], words: &[Letter]) -> Vec<Utf16Span> {
    if words.is_empty() {
        return Vec::new();
    }
    let joined = |at: usize| {
        let sign = |at: usize| text.get(at).map(|letter| letter.folded);
        at.checked_sub(1).and_then(sign).zip(sign(at)).is_some_and(|(before, after)| joins(before, after))
    };
    let (mut found, mut at) = (Vec::<Utf16Span>::new(), 0);
    while at + words.len() <= text.len() {
        let here = &text[at..at + words.len()];
        let is_whole = !joined(at) && !joined(at + words.len());
        if is_whole && here.iter().zip(words).all(|(a, b)| a.folded == b.folded) {
            found.push(Utf16Span::new(here[0].span.start, here[here.len() - 1].span.end));
            at += words.len();
        } else {
            at += 1;
        }
    }
    found
}

/// The letters of a text in lower case, any space between words as one.
fn written(text: &str) -> Vec<Letter> {
    let (mut letters, mut at) = (Vec::<Letter>::with_capacity(text.len()), 0);
    for sign in text.chars() {
        let span = Utf16Span::new(at, at + sign.len_utf16() as u32);
        at = span.end;
        for folded in sign.to_lowercase() {
            match letters.last_mut() {
                Some(last) if folded.is_whitespace() && last.folded == ' ' => last.span.end = span.end,
                _ if folded.is_whitespace() => letters.push(Letter { folded: ' ', span }),
                _ => letters.push(Letter { folded, span }),
            }
        }
    }
    letters
}

/// The same, with each letter in the form that search takes for the same ([`um_store::forget::Heard`]), and with the words whole that are
/// broken at a line's end. A letter that stands for several has the place of all; what is left out of a word belongs to what stands before it.
fn alike(text: &str) -> Vec<Letter> {
    let (mut letters, mut at) = (Vec::<Letter>::with_capacity(text.len()), 0);
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        let start = at;
        at += sign.len_utf16() as u32;
        if sign == '-' && is_broken(letters.last(), signs.clone()) {
            signs.next();
            at += 1;
            widen(&mut letters, Utf16Span::new(start, at));
            continue;
        }
        let mut parts = String::new();
        while let Some(part) = signs.next_if(|next| is_part(*next)) {
            at += part.len_utf16() as u32;
            parts.push(part);
        }
        let span = Utf16Span::new(start, at);
        if sign.is_ascii() && parts.is_empty() {
            add(&mut letters, sign.to_ascii_lowercase(), span);
        } else if is_unseen(sign) && parts.is_empty() && letters.last().is_some_and(|last| is_of_word(last.folded)) {
            match signs.peek().is_some_and(|next| is_of_word(*next) || is_unseen(*next)) {
                true => widen(&mut letters, span),
                false => add(&mut letters, sign, span),
            }
        } else {
            // First in lower case, as some letters stand for capitals.
            let whole = std::iter::once(sign).chain(parts.chars()).flat_map(char::to_lowercase);
            for folded in whole.nfkc().flat_map(char::to_lowercase) {
                match folded {
                    'ß' => ['s', 's'].into_iter().for_each(|folded| add(&mut letters, folded, span)),
                    _ => add(&mut letters, unmarked(folded), span),
                }
            }
        }
    }
    letters
}

/// Whether a hyphen behind a letter only breaks a word at a line's end, by what follows it: as passages are indexed.
fn is_broken(before: Option<&Letter>, mut behind: impl Iterator<Item = char>) -> bool {
    before.is_some_and(|letter| letter.folded.is_alphabetic())
        && behind.next() == Some('\n')
        && behind.next().is_some_and(char::is_lowercase)
}

/// Whether a sign makes one letter with what stands before it: a mark, or a part of a syllable of Hangul.
fn is_part(sign: char) -> bool {
    sign >= '\u{300}'
        && (canonical_combining_class(sign) != 0 || matches!(sign, '\u{1161}'..='\u{1175}' | '\u{11a8}'..='\u{11c2}'))
}

/// Whether a sign is of a word that something unseen in it does not part: scripts beyond Greek and Cyrillic are shaped or parted by it.
fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() && (sign < '\u{590}' || matches!(sign, '\u{1e00}'..='\u{1fff}'))
}

/// A Latin letter without its marks, and any other as it is.
fn unmarked(letter: char) -> char {
    let mut signs = std::iter::once(letter).nfd();
    let base = signs.next().unwrap_or(letter);
    if signs.all(|sign| is_mark_on(base, sign)) { base } else { letter }
}

fn add(letters: &mut Vec<Letter>, folded: char, span: Utf16Span) {
    match letters.last() {
        Some(last) if folded.is_whitespace() && last.folded == ' ' => widen(letters, span),
        Some(last) if is_mark_on(last.folded, folded) => widen(letters, span),
        _ if folded.is_whitespace() => letters.push(Letter { folded: ' ', span }),
        _ => letters.push(Letter { folded, span }),
    }
}

fn widen(letters: &mut [Letter], span: Utf16Span) {
    if let Some(last) = letters.last_mut() {
        last.span.end = span.end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole_however_they_are_written() {
        let check = |text: &str, words: &str, expected: &[&str]| {
            let found: Vec<&str> = places(text, words).iter().map(|span| span.slice(text).unwrap()).collect();
            assert_eq!(found, expected, "{words:?} in {text:?}");
        };
        check("Ana met ana, not Anabel.", "Ana", &["Ana", "ana"]);
        check("Ana\n  Ruiz and ANA RUIZ", " ana  ruiz ", &["Ana\n  Ruiz", "ANA RUIZ"]);
        check("🦊 at İzmir, 🦊", "🦊", &["🦊", "🦊"]);
        check("call +34 600 now", "+34 600", &["+34 600"]);
        check("x1 1x 1", "1", &["1"]);
        check("Die Straße, STRASSE", "strasse", &["Straße", "STRASSE"]);
        check("a strasse", "Straße", &["strasse"]);
        check("the ﬁnance board", "finance board", &["ﬁnance board"]);
        check("the ﬁnance", "nance", &[]);
        check("🦊 Ｍｉｒａ　Ｑｕｅｌｌ", "mira quell", &["Ｍｉｒａ　Ｑｕｅｌｌ"]);
        check("by Andre\u{301} and andré", "ANDRE", &["Andre\u{301}", "andré"]);
        check("a ze\u{200b}ppelin", "zeppelin", &["ze\u{200b}ppelin"]);
        check("мой", "мои", &[]);
        check("田中さんと会議", "会議", &["会議"]);
        check("東京タワーへ", "ワー", &[]);
        // As they are written, where what a sign stands for joins them.
        check("Foo™ and foo", "foo", &["Foo", "foo"]);
        check("100㎡, 100 m", "100", &["100", "100"]);
        check("the zep-\npelin flies", "zeppelin", &["zep-\npelin"]);
        check("is well-\nknown", "well- known", &["well-\nknown"]);
        check("a Zep-\nPelin", "zeppelin", &[]);
        // Whose marks, or parts, stand apart.
        check("мои\u{306} дом", "мой", &["мои\u{306}"]);
        check(
            "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}, 한국",
            "한국",
            &["\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}", "한국"],
        );
        check("nothing", "", &[]);
        check("", "ana", &[]);
    }
}
