//! What a question calls by its exact spelling: the number of an invoice, the code of an error, the name of a file, an address.
//! Meaning hardly knows such words, and a passage that has one spelled so is rarely beside the point.

use super::dates::{begins_with_date, is_month, is_part_of_year};
use super::features::{is_year, names_year};
use super::words::plain;
use um_store::fts::is_unspaced;

/// So many of a question are looked for.
const MANY: usize = 8;
/// A plain number of fewer digits may count anything.
const DIGITS: usize = 4;
/// Letters that dates have beside the names of months: `mid-2023`, `mid-1990s`, `2023-05-07T10:30Z`.
const OF_DATES: [&str; 13] =
    ["early", "mid", "late", "pre", "post", "s", "t", "z", "spring", "summer", "fall", "autumn", "winter"];

/// What a question calls by its exact spelling, in lower case and in the letters that are [indexed](plain), each once.
pub(super) fn of(question: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let parts: Vec<&str> = question.split_whitespace().collect();
    for (part, is_of_year) in parts.iter().zip(of_years(&parts)) {
        if let Some(part) = one(part)
            && !found.contains(&part)
            && !is_of_year
        {
            found.push(part);
        }
    }
    found.truncate(MANY);
    found
}

/// The identifier, in lower case, that stands between two spaces.
fn one(part: &str) -> Option<String> {
    let part = plain(bare(part)).to_lowercase();
    is_identifier(&part).then_some(part)
}

/// Words between two of such parts: `from Q1 to Q3 2026`.
const BETWEEN: [&str; 6] = ["and", "or", "through", "till", "to", "until"];

/// Of each part, whether it is one of a year that is told beside it: `Q3 2026`, `H1 of 2025`, `2026 Q3`, `Q1 and Q2 2026`.
fn of_years(parts: &[&str]) -> Vec<bool> {
    let words: Vec<String> = parts.iter().map(|part| bare(part).to_lowercase()).collect();
    let is_year_at = |at: usize| words.get(at).is_some_and(|word| is_year(word));
    let mut of_years = vec![false; parts.len()];
    // From the end: one of several goes by the next one.
    for at in (0..parts.len()).rev().filter(|at| is_part_of_year(&words[*at])) {
        let next = words.get(at + 1).map_or("", String::as_str);
        of_years[at] = is_year_at(at + 1)
            || next == "of" && is_year_at(at + 2)
            || at.checked_sub(1).is_some_and(is_year_at)
            || of_years.get(at + 1 + usize::from(BETWEEN.contains(&next))).is_some_and(|is_of_year| *is_of_year);
    }
    of_years
}

/// What stands between two spaces, without the signs around it and without `'s`.
fn bare(part: &str) -> &str {
    let part = part.trim_matches(|letter: char| !letter.is_alphanumeric());
    part.strip_suffix("'s").or_else(|| part.strip_suffix("’s")).unwrap_or(part)
}

/// A text without what it calls by an exact spelling, so that nothing in that is read as a date: the ticket `2024-0031` is of no year.
/// What begins with a date is one as well: `2024-03-05.md`.
pub(super) fn left_out(text: &str) -> String {
    // No two words that stood apart stand beside each other by it.
    let parts: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    let of_years = of_years(&parts);
    let is_left_out = |at: usize| one(parts[at]).is_some() && !begins_with_date(parts[at]) && !of_years[at];
    (0..parts.len()).map(|at| if is_left_out(at) { "x " } else { parts[at] }).collect()
}

/// What the notice begins with.
const NOTHING_HOLDS: &str = "Nothing that was searched holds ";

/// What is said of those that nothing holds, as the question spells them; none where there are none.
pub(super) fn notice(question: &str, unheld: &[String]) -> Option<String> {
    let spelled = |identifier: &String| {
        let is_it = |part: &&str| one(part).as_ref() == Some(identifier);
        format!("“{}”", question.split_whitespace().find(is_it).map_or(identifier.as_str(), bare))
    };
    let names: Vec<String> = unheld.iter().map(spelled).collect();
    (!names.is_empty()).then(|| format!("{NOTHING_HOLDS}{}.", names.join(" or ")))
}

/// Whether a notice is such a one: it says words of the question.
pub(super) fn is_notice(notice: &str) -> bool {
    notice.starts_with(NOTHING_HOLDS)
}

/// 0 to 1: how many of them a passage has, with its title and headings.
pub(super) fn share_held(identifiers: &[String], name: &str, text: &str) -> f64 {
    let (name, text) = (plain(name).to_lowercase(), plain(text).to_lowercase());
    let held = identifiers.iter().filter(|one| has(&text, one) || has(&name, one)).count();
    held as f64 / identifiers.len().max(1) as f64
}

/// Whether a text has an identifier that is no part of a longer word.
fn has(text: &str, identifier: &str) -> bool {
    text.match_indices(identifier).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + identifier.len()..]);
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    })
}

fn is_identifier(part: &str) -> bool {
    // Between two spaces stands more than a word of these.
    if part.contains(is_unspaced) {
        return false;
    }
    let has_letters = part.contains(char::is_alphabetic);
    let has_digits = part.contains(|letter: char| letter.is_ascii_digit());
    match (has_letters, has_digits) {
        (true, true) => !is_measure(part) && !is_date(part),
        (false, true) => is_long_number(part),
        (true, false) => part.contains(['_', '@']) || part.contains("::") || is_dotted(part),
        (false, false) => false,
    }
}

/// Whether it counts something: `10km`, `3pm`, `2nd`, `1990s`, `2-day`.
fn is_measure(part: &str) -> bool {
    let rest = part.trim_start_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',' | ':'));
    rest.len() < part.len()
        && rest.trim_start_matches('-').chars().all(|letter| letter.is_alphabetic() || letter == '-')
}

/// Whether it is a date with letters: what else has the number of a year may well be called so, as `CVE-2021-44228` and
/// `Lease_2019.pdf` are.
fn is_date(part: &str) -> bool {
    let mut letters = part.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty());
    // `Q3-2024`, `2025-H1`.
    let is_cut = |word: &str| {
        matches!(word, "q" | "h") && part.split(|letter: char| !letter.is_alphanumeric()).any(is_part_of_year)
    };
    has_numbers_of_date(part)
        && !part.contains(['_', '@'])
        && letters.all(|word| OF_DATES.contains(&word) || is_month(word) || is_cut(word))
}

/// Whether its numbers are a year, or several, and what days and months may be: `2024-03-05`, `2021-2024`, but not `2024-0031`.
fn has_numbers_of_date(part: &str) -> bool {
    let mut numbers = part.split(|letter: char| !letter.is_ascii_digit());
    names_year(part) && numbers.all(|number| number.len() <= 2 || is_year(number))
}

/// Whether it is a number that hardly counts anything, is no date and no time of a day.
fn is_long_number(part: &str) -> bool {
    let digits = part.chars().filter(char::is_ascii_digit).count();
    digits >= DIGITS && !has_numbers_of_date(part) && !(digits == DIGITS && part.contains(':'))
}

/// Whether dots join its words, as in names of files and modules: `tauri.conf`.
fn is_dotted(part: &str) -> bool {
    part.contains('.')
        && part.split('.').all(|word| word.chars().count() > 1 && word.chars().all(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_by_its_spelling() {
        let check = |question: &str, expected: &[&str]| assert_eq!(of(question), expected, "{question}");
        check("What was invoice INV-20391 for?", &["inv-20391"]);
        check("error E4021, and E4021 again", &["e4021"]);
        check("Who called from 555-0199?", &["555-0199"]);
        check("Where is 192.168.0.17?", &["192.168.0.17"]);
        check("order 48213's state", &["48213"]);
        check("What does (tauri.conf.json) set?", &["tauri.conf.json"]);
        check("STRAẞE_7 or Straße_7", &["strasse_7"]);
        check("Who calls um_store::hits or user_id?", &["um_store::hits", "user_id"]);
        check("Did ana@example.org answer?", &["ana@example.org"]);
        check("Is CVE-2021-44228 mended?", &["cve-2021-44228"]);
        check("What was INV-2023-0042 for?", &["inv-2023-0042"]);
        check("report_2023.pdf or Lease_2019.pdf?", &["report_2023.pdf", "lease_2019.pdf"]);
        check("ticket 2024-0031", &["2024-0031"]);
        check("2024/0031, #2024.00310 or 2024-03-0031?", &["2024/0031", "2024.00310", "2024-03-0031"]);
        check("What is INV-2024-03 for?", &["inv-2024-03"]);
        check("Call 555-2023", &["555-2023"]);
        // What counts or dates something is none.
        check("10km at 3pm on the 2nd of the 1990s, a 2-day trip", &[]);
        check("In 2023, on 2023-05-07 or 07.05.2023 at 10:30", &[]);
        check("In mid-2023, on 7-May-2023, in Sept-2023 or at 2023-05-07T10:30Z", &[]);
        check("2024, 2024-03, 2024-03-05, 2021-2024, 03/2024-05/2024 and 2023-05-07-11", &[]);
        check("Q3-2024, H1/2025, pre-2020, summer-2023, the mid-1990s", &[]);
        check("Q3 2026, H1 of 2025, (2026) Q2", &[]);
        check("Q1, Q2 and Q3 2026, from Q1 to Q2 of 2025", &[]);
        check("Q1 Q2 or the Q3 2026", &["q1", "q2"]);
        let parts = "q1 ".repeat(600);
        check(&format!("{parts}2026"), &[]);
        check(&parts, &["q1"]);
        check("What does the Audi Q3 cost?", &["q3"]);
        check("winter 2024/25", &[]);
        check("his/her dog, e.g. the one with 12 or 300 spots", &[]);
        check("What did Ana say?", &[]);
        check("2024年の会議はINV-20391ですか", &[]);
    }

    #[test]
    fn no_date_is_read_in_an_identifier() {
        for (text, expected) in [
            ("ticket 2024-0031 of May", "ticket x of May"),
            ("Is CVE-2021-44228 (or INV-2024-03) mended?", "Is x (or x mended?"),
            ("on 2024-03-05, in 2021-2024 or mid-2023", "on 2024-03-05, in 2021-2024 or mid-2023"),
            ("Q3 2026, not the Q3 there", "Q3 2026, not the x there"),
            ("2024-03-05.md and 2023-05-07T10:30:15.123Z", "2024-03-05.md and 2023-05-07T10:30:15.123Z"),
        ] {
            assert_eq!(left_out(text), expected, "{text}");
        }
    }

    #[test]
    fn what_nothing_holds_is_told_as_it_is_spelled() {
        let check = |question: &str, unheld: &[&str], expected: Option<&str>| {
            let unheld: Vec<String> = unheld.iter().map(ToString::to_string).collect();
            let told = notice(question, &unheld);
            assert_eq!(told.as_deref(), expected, "{question}");
            assert!(told.iter().all(|told| is_notice(told)), "{question}");
        };
        check("What was (INV-99999) for?", &[], None);
        let one = "Nothing that was searched holds “INV-99999”.";
        check("What was (INV-99999) for?", &["inv-99999"], Some(one));
        check("Who paid INV-99999's half of E4021?", &["inv-99999"], Some(one));
        let both = "Nothing that was searched holds “INV-99999” or “E4021”.";
        check("INV-99999 E4021", &["inv-99999", "e4021"], Some(both));
        assert!(!is_notice("Meaning was not searched, only words."));
    }

    #[test]
    fn a_part_of_a_longer_word_is_not_it() {
        let check = |name: &str, text: &str, expected: f64| {
            let wanted = ["inv-20391".to_owned(), "48213".to_owned()];
            assert!((share_held(&wanted, name, text) - expected).abs() < 1e-12, "{name} {text}");
        };
        check("", "Paid INV-20391, order 48213.", 1.0);
        check("INV-20391.pdf", "Paid.", 0.5);
        check("ＩＮＶ-20391", "Paid.", 0.5);
        check("", "INV-203915 and 148213", 0.0);
        check("", "", 0.0);
        assert!((share_held(&of("Maß_7"), "MASS_7.pdf", "") - 1.0).abs() < 1e-12);
    }
}
