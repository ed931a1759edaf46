//! What could be a name in a text, in the forms in which names are refused.

use crate::error::Fault;
use std::borrow::Cow;
use um_store::forget;
use um_store::fts;

/// The longest name that is looked for everywhere in a text, in words; in a script without spaces each sign is one.
pub(super) const NAME_WORDS: usize = 6;
/// The longest in such a script, in signs: of more of them, the first that many.
const NAME_SIGNS: usize = 40;
/// So many beginnings are asked for at once.
const PORTION: usize = 1_000;
/// What parts sentences, beside which the words of such a script stand close.
const PARTS: [char; 18] =
    [',', '!', '?', ':', ';', '(', ')', '"', '、', '。', '「', '」', '『', '』', '【', '】', '《', '》'];

/// The forms of a folded text in which names are looked for: as it is written, in letters that search takes for the same, and [`apart`].
pub(super) fn forms(folded: &str) -> Vec<Cow<'_, str>> {
    let alike = forget::alike(folded);
    let first = |apart: String| {
        let signs: Vec<&str> = apart.split(' ').take(NAME_SIGNS).collect();
        trimmed(&signs.join(" ")).to_owned()
    };
    let apart = apart(alike.as_deref().unwrap_or(folded)).map(first);
    [Cow::Borrowed(folded)].into_iter().chain([alike, apart].into_iter().flatten().map(Cow::Owned)).collect()
}

/// A folded text with the signs apart in which scripts without spaces write their words, and from what parts sentences, where it has some.
fn apart(folded: &str) -> Option<String> {
    if !folded.contains(fts::is_unspaced) {
        return None;
    }
    let mut apart = String::with_capacity(folded.len() * 2);
    for sign in fts::indexed_form(folded).chars() {
        match sign {
            '\u{200b}' => apart.push(' '),
            sign if PARTS.contains(&sign) => apart.extend([' ', sign, ' ']),
            sign => apart.push(sign),
        }
    }
    Some(apart)
}

/// Without the signs around it.
pub(super) fn trimmed(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// Calls `look` with all that could be a name in a folded text, in each of its forms. A sign that is only a part of a word, in a script
/// without spaces, names nobody.
pub(super) fn each_name(folded: &str, mut look: impl FnMut(&str) -> Result<(), Fault>) -> Result<(), Fault> {
    let alike = forget::alike(folded);
    for form in [Some(folded), alike.as_deref()].into_iter().flatten() {
        names_in(form).try_for_each(|name| look(&name))?;
    }
    match apart(alike.as_deref().unwrap_or(folded)) {
        Some(apart) => names_in(&apart).filter(|name| !forget::is_one_sign(name)).try_for_each(|name| look(&name)),
        None => Ok(()),
    }
}

/// All that could be a name in a folded text: stretches of one to a few words, without the signs around them.
fn names_in(folded: &str) -> impl Iterator<Item = String> {
    let words: Vec<&str> = folded.split(' ').collect();
    (0..words.len()).flat_map(move |start| {
        let most = NAME_WORDS.min(words.len() - start);
        // "Ana's" names Ana.
        let possessive = words[start].split_once(['\'', '’']).map(|(before, _)| trimmed(before).to_owned());
        let stretches: Vec<String> =
            (1..=most).map(|length| trimmed(&words[start..start + length].join(" ")).to_owned()).collect();
        stretches.into_iter().chain(possessive)
    })
}

/// How a folded name begins that has more signs of a script without spaces than are looked for everywhere.
pub(super) fn begin_of_longer(folded: &str) -> Option<String> {
    let apart = apart(forget::alike(folded).as_deref().unwrap_or(folded))?;
    let words: Vec<&str> = apart.split(' ').collect();
    (words.len() > NAME_WORDS).then(|| begin(&words))
}

/// No name ends so, by which it is no name itself.
fn begin(words: &[&str]) -> String {
    format!("{} …", trimmed(&words[..NAME_WORDS].join(" ")))
}

/// Calls `look` with all that could be such a longer name in a folded text: only what follows where one begins that is refused, as
/// `is_begun` tells by the places of these beginnings.
pub(super) fn each_longer(
    folded: &str,
    is_begun: impl Fn(&[String]) -> Result<Vec<usize>, Fault>,
    mut look: impl FnMut(&str) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let alike = forget::alike(folded);
    let Some(apart) = apart(alike.as_deref().unwrap_or(folded)) else { return Ok(()) };
    let words: Vec<&str> = apart.split(' ').collect();
    let places: Vec<usize> = (0..words.len().saturating_sub(NAME_WORDS)).collect();
    for portion in places.chunks(PORTION) {
        let begins: Vec<String> = portion.iter().map(|start| begin(&words[*start..])).collect();
        for at in is_begun(&begins)? {
            let rest = &words[portion[at]..];
            for length in NAME_WORDS + 1..=NAME_SIGNS.min(rest.len()) {
                look(trimmed(&rest[..length].join(" ")))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_found_however_they_stand() {
        let names: BTreeSet<String> = names_in("yesterday (ana ruiz) met bo's friend.").collect();
        for name in ["ana ruiz", "ana", "bo", "friend"] {
            assert!(names.contains(name), "{name}: {names:?}");
        }
    }

    #[test]
    fn names_are_found_in_every_spelling() {
        for (name, text, expected) in [
            ("mira groß", "mira gross called", true),
            ("mira gross", "mira groß called", true),
            ("andré", "andre's letter", true),
            ("andre", "by andré", true),
            ("田中", "明日田中さんが来る", true),
            ("タワー", "東京タワーへ", true),
            ("田中", "明日は田中、来週は李", true),
            ("田中", "「田中」と書く", true),
            ("中来", "田中、来週", false),
            ("李", "李 called", true),
            ("李", "李子很好吃", false),
            ("李", "桃李满天下", false),
            ("ที่", "เขาอยู่ที่นี่", false),
        ] {
            let mut said = BTreeSet::new();
            let look = |name: &str| {
                said.insert(name.to_owned());
                Ok(())
            };
            each_name(text, look).unwrap();
            assert_eq!(forms(name).iter().any(|form| said.contains(&**form)), expected, "{name} in {text}: {said:?}");
        }
    }

    #[test]
    fn longer_names_without_spaces_are_found_where_they_begin() {
        let long = "長".repeat(NAME_SIGNS + 9);
        for (name, text, expected) in [
            ("佐々木小次郎兵衛之助", "昨日、佐々木小次郎兵衛之助が来た。", true),
            ("佐々木小次郎兵衛之助", "「佐々木小次郎兵衛之助」", true),
            ("佐々木小次郎兵衛之助", "佐々木小次郎は来ない。", false),
            ("佐々木小次郎兵衛之助", "佐々木小次郎兵衛之丞が来た。", false),
            ("田中", "明日田中さんが来る", false),
            ("mira ann quell of the old barn", "mira ann quell of the old barn called", false),
            (long.as_str(), long.as_str(), true),
        ] {
            let wanted = begin_of_longer(name);
            let is_begun =
                |begins: &[String]| Ok((0..begins.len()).filter(|at| wanted.as_ref() == Some(&begins[*at])).collect());
            let mut said = BTreeSet::new();
            let look = |name: &str| {
                said.insert(name.to_owned());
                Ok(())
            };
            each_longer(text, is_begun, look).unwrap();
            assert_eq!(forms(name).iter().any(|form| said.contains(&**form)), expected, "{name} in {text}: {said:?}");
        }
    }
}
