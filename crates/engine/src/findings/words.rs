//! Finding words in a text, however they are spaced and capitalised.

use um_model::Utf16Span;

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
    let is_letter = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(|of| of.folded.is_alphanumeric());
    let (mut found, mut at) = (Vec::<Utf16Span>::new(), 0);
    while at + words.len() <= text.len() {
        let here = &text[at..at + words.len()];
        let joins_before = is_letter(at.checked_sub(1)) && is_letter(Some(at));
        let joins_after = is_letter(Some(at + words.len())) && is_letter(Some(at + words.len() - 1));
        if !joins_before && !joins_after && here.iter().zip(&words).all(|(a, b)| a.folded == b.folded) {
            found.push(Utf16Span::new(here[0].span.start, here[here.len() - 1].span.end));
            at += words.len();
        } else {
            at += 1;
        }
    }
    found
}

/// The letters of a text in lower case, any space between words as one.
fn letters(text: &str) -> Vec<Letter> {
    let (mut letters, mut at) = (Vec::<Letter>::with_capacity(text.len()), 0);
    for c in text.chars() {
        let span = Utf16Span::new(at, at + c.len_utf16() as u32);
        at = span.end;
        match letters.last_mut() {
            Some(last) if c.is_whitespace() && last.folded == ' ' => last.span.end = span.end,
            _ if c.is_whitespace() => letters.push(Letter { folded: ' ', span }),
            _ => letters.extend(c.to_lowercase().map(|folded| Letter { folded, span })),
        }
    }
    letters
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
        check("nothing", "", &[]);
        check("", "ana", &[]);
    }
}
