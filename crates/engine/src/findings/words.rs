//! Finding words in a text, however they are spaced, capitalised and spelled.

use um_model::Utf16Span;
use um_store::fts::{is_mark_on, is_unseen, joins};
use unicode_normalization::UnicodeNormalization;

/// A letter as it is compared, and where it stands in the text.
struct Letter {
    folded: char,
    span: Utf16Span,
}

/// Where a text says some words, as whole words.
pub(crate) fn places(text: &str, words: &str) -> Vec<Utf16Span> {
    let (text, words) = (letters(text), letters(words.trim()));
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
        if is_whole && here.iter().zip(&words).all(|(a, b)| a.folded == b.folded) {
            found.push(Utf16Span::new(here[0].span.start, here[here.len() - 1].span.end));
            at += words.len();
        } else {
            at += 1;
        }
    }
    found
}

/// The letters of a text in lower case, any space between words as one, and each in the form that search takes for the same
/// ([`um_store::forget::alike`]). One that stands for several has the place of all; what is left out of a word belongs to what stands
/// before it.
fn letters(text: &str) -> Vec<Letter> {
    let (mut letters, mut at) = (Vec::<Letter>::with_capacity(text.len()), 0);
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        let span = Utf16Span::new(at, at + sign.len_utf16() as u32);
        at = span.end;
        if sign.is_ascii() {
            add(&mut letters, sign.to_ascii_lowercase(), span);
        } else if is_unseen(sign) && letters.last().is_some_and(|last| is_of_word(last.folded)) {
            match signs.peek().is_some_and(|next| is_of_word(*next) || is_unseen(*next)) {
                true => widen(&mut letters, span),
                false => add(&mut letters, sign, span),
            }
        } else {
            // First in lower case, as some letters stand for capitals.
            for folded in sign.to_lowercase().nfkc().flat_map(char::to_lowercase) {
                match folded {
                    'ß' => ['s', 's'].into_iter().for_each(|folded| add(&mut letters, folded, span)),
                    _ => add(&mut letters, unmarked(folded), span),
                }
            }
        }
    }
    letters
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
        check("nothing", "", &[]);
        check("", "ana", &[]);
    }
}
