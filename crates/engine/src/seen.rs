//! What a name may be written with: characters that are seen. Two names that look the same would be two things, and one that turns
//! others around reads as it is not written.

use crate::error::{Outcome, invalid};
use um_model::access::is_hidden;

/// Refuses a name with a character that is not seen, or that turns others around. `what` is what bears it, with an article.
///
/// # Errors
/// `InvalidRequest`, with the character's number.
pub(crate) fn check(what: &str, name: &str) -> Outcome<()> {
    unseen(name).map_or(Ok(()), |letter| {
        let number = u32::from(letter);
        Err(invalid(format!("The name of {what} has a character that cannot be seen (U+{number:04X})."))
            .hint("Type the name anew instead of pasting it."))
    })
}

/// The first such character.
fn unseen(name: &str) -> Option<char> {
    let mut before = None;
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied();
        let shapes = match letter {
            // Joiners shape letters of some scripts, and pictures.
            '\u{200C}' | '\u{200D}' => before.is_some_and(is_shaped) && next.is_some_and(is_shaped),
            '\u{FE0E}' | '\u{FE0F}' => next == Some('\u{20E3}') || before.is_some_and(is_picture),
            _ => false,
        };
        if is_hidden(letter) && !shapes {
            return Some(letter);
        }
        before = Some(letter);
    }
    None
}

/// Whether a joiner beside it may change how it looks: a letter of Arabic, Syriac, Indic and like scripts, or a picture.
fn is_shaped(letter: char) -> bool {
    matches!(letter, '\u{600}'..='\u{109F}' | '\u{1780}'..='\u{1AFF}' | '\u{11000}'..='\u{11FFF}' | '\u{FE0F}')
        || is_picture(letter)
}

/// Whether it may be a picture, which the sign behind it draws as one.
fn is_picture(letter: char) -> bool {
    matches!(
        letter,
        '©' | '®' | '‼' | '⁉' | '\u{2100}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}'
    ) || matches!(letter, '\u{1F000}'..='\u{1FAFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_of_characters_that_are_seen() {
        for (name, expected) in [
            ("Trip", None),
            ("Élan vital, 2nd (b) & c", None),
            ("می\u{200c}خواهم", None),
            ("क्\u{200d}ष", None),
            ("👩‍👧 at home ❤️", None),
            ("👩‍❤️‍👨", None),
            ("1️⃣ ©️ ‼️", None),
            ("田中", None),
            ("bell\u{7}", Some('\u{7}')),
            ("\u{1b}[2J", Some('\u{1b}')),
            ("nul\0", Some('\0')),
            ("del\u{7f}", Some('\u{7f}')),
            ("Tr\u{200b}ip", Some('\u{200b}')),
            ("Tr\u{200d}ip", Some('\u{200d}')),
            ("田\u{200d}中", Some('\u{200d}')),
            ("Trip\u{200c}", Some('\u{200c}')),
            ("Т\u{200d}ула", Some('\u{200d}')),
            ("Trip\u{fe0f}", Some('\u{fe0f}')),
            ("So\u{ad}fa", Some('\u{ad}')),
            ("\u{feff}Trip", Some('\u{feff}')),
            ("\u{202e}pirT", Some('\u{202e}')),
            ("a\u{2066}b\u{2069}", Some('\u{2066}')),
            ("a\u{200f}", Some('\u{200f}')),
            ("a\u{2060}b", Some('\u{2060}')),
            ("Trip\u{e0041}", Some('\u{e0041}')),
            ("\u{3164}", Some('\u{3164}')),
        ] {
            assert_eq!(unseen(name), expected, "{name:?}");
            assert_eq!(check("a space", name).is_err(), expected.is_some(), "{name:?}");
        }
    }
}
