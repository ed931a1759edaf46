//! Years and decades that stand by themselves: `in 1995`, `trips of 2022`, `the 1990s`.

use super::Named;
use super::calendar::begins;
use super::ranges::THINGS;
use super::relative::SEASONS;
use super::written::year as number;
use um_model::EpochMs;

/// Words before a number that make it a year, as a season does. `of` does only behind one that names a stretch of it: `the author of
/// 1984` and `a pressure of 1950 hPa` ask for no year, which would leave out what happened in others.
const BEFORE_YEAR: [&str; 7] = ["in", "since", "during", "year", "early", "mid", "late"];
/// How decades are called from that of 1930 on, behind `the`.
const DECADES: [[&str; 2]; 7] = [
    ["30s", "thirties"],
    ["40s", "forties"],
    ["50s", "fifties"],
    ["60s", "sixties"],
    ["70s", "seventies"],
    ["80s", "eighties"],
    ["90s", "nineties"],
];

/// `trips of 2022`, `in 1995`: a number below 2000 is more often a count, a price or a house, but where a word before it makes it a
/// year.
pub(super) fn year(words: &[&str]) -> Option<Named> {
    words.iter().enumerate().find_map(|(at, word)| {
        let year = number(word)?;
        // `The 1990's` are a decade.
        let is_other = words.get(at + 1).is_some_and(|next| *next == "s" || THINGS.contains(next));
        let is_season = |before: &str| SEASONS.iter().any(|(season, _)| *season == before);
        let is_led = match words[..at] {
            [.., before, "of"] => before == "year" || is_season(before),
            [.., before] => BEFORE_YEAR.contains(&before) || is_season(before),
            [] => false,
        };
        let is_year = year >= 2000 || is_led;
        (is_year && !is_other).then_some(Named::Year(year))
    })
}

/// `1990s`, `1990's`, `the 90s`, `the nineties`: from the first moment to the first one behind it.
pub(super) fn decade(words: &[&str]) -> Option<(EpochMs, EpochMs)> {
    let first = words.iter().enumerate().find_map(|(at, word)| {
        let is_cut = words.get(at + 1) == Some(&"s");
        let called =
            || DECADES.iter().position(|names| names.contains(word)).filter(|_| at > 0 && words[at - 1] == "the");
        match word.strip_suffix('s').or(is_cut.then_some(*word)).and_then(number) {
            Some(first) => (first % 10 == 0).then_some(first),
            None => called().map(|decade| 1930 + 10 * decade as i32),
        }
    })?;
    Some((begins(first, 1), begins(first + 10, 1)))
}

#[cfg(test)]
mod tests {
    use super::super::Now;
    use super::*;

    #[test]
    fn years_and_decades() {
        let decade = |year| Some(Named::Window { from: begins(year, 1), to: begins(year + 10, 1) });
        let year = |year| Some(Named::Year(year));
        for (question, expected) in [
            ("Where did I live in 1995?", year(1995)),
            ("since 1995", year(1995)),
            ("the summer of 1995", Some(Named::Part { from: begins(1995, 6), to: begins(1995, 9) })),
            ("in late 1995", year(1995)),
            ("the year of 1995", year(1995)),
            ("the author of 1984", None),
            ("a pressure of 1950 hPa", None),
            ("a letter from 1950", None),
            ("the number 1995", None),
            ("Who paid 1950 dollars?", None),
            ("in 1950 words", None),
            ("Who counted 2000 people?", None),
            ("in 1899", None),
            ("songs of the 1990s", decade(1990)),
            ("in the 1990's", decade(1990)),
            ("in the 2010s", decade(2010)),
            ("in the '90s", decade(1990)),
            ("the eighties", decade(1980)),
            ("a woman in her 80s", None),
            ("in the 1995s", None),
        ] {
            assert_eq!(super::super::named(question, Now::utc(0)), expected, "{question}");
        }
    }
}
