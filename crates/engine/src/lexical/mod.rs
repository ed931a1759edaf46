//! What words alone can tell of two texts that seem to say the same: whether they differ in something that decides.
//! This rule can only keep two beliefs apart. It never says that two are one; that takes a model, or the person.

mod words;

pub(crate) use words::{MONTHS, WEEKDAYS};

use std::collections::{BTreeMap, BTreeSet};

/// Whether nothing in the words forbids to take two texts for one.
///
/// `false` where numbers, units, dates, names, persons, denials or limiting words differ, or stand in another order
/// where order decides (`Ana manages Ben`). `true` says only that this rule knows no objection. It is symmetric,
/// and any text may be merged with itself.
pub fn may_merge(a: &str, b: &str) -> bool {
    let (a, b) = (tokens(a), tokens(b));
    amounts(&a) == amounts(&b)
        && denials(&a) == denials(&b)
        && listed(&a, words::LIMITS) == listed(&b, words::LIMITS)
        && listed(&a, words::TIMES) == listed(&b, words::TIMES)
        && persons(&a) == persons(&b)
        && same_names(&a, &b)
}

#[derive(Debug, PartialEq, Eq)]
enum Token {
    /// Digits with the marks inside them, made plain: `1,000` is `1000`, `3.50` is `3.5`. A unit or suffix that
    /// touches them stands with them.
    Number { plain: String, touching: String },
    /// A word in lower case, its apostrophes straight.
    Word { folded: String, as_name: bool },
    /// A sign that is a unit: `%`, `€`.
    Sign(char),
}

fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    let mut begins = true;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            c if c.is_numeric() => number_length(rest),
            c if c.is_alphabetic() => word_length(rest),
            c => c.len_utf8(),
        };
        let (part, later) = rest.split_at(length);
        rest = later;
        if first.is_numeric() {
            let touching = &rest[..word_length(rest)];
            rest = &rest[touching.len()..];
            found.push(Token::Number { plain: plain_number(part), touching: touching.to_lowercase() });
        } else if first.is_alphabetic() {
            found.push(Token::Word { folded: fold(part), as_name: is_name(part, begins) });
        } else if "%$€£¥°".contains(first) {
            found.push(Token::Sign(first));
        }
        begins = matches!(first, '.' | '!' | '?' | '\n' | ':' | '"' | '“') || (begins && !first.is_alphanumeric());
    }
    found
}

fn number_length(text: &str) -> usize {
    let mut end = 0;
    for (at, c) in text.char_indices() {
        match c {
            c if c.is_numeric() => end = at + c.len_utf8(),
            // A mark belongs to the number when a digit follows at once.
            '.' | ',' | ':' if end == at => {}
            _ => break,
        }
    }
    end
}

fn word_length(text: &str) -> usize {
    let mut end = 0;
    for (at, c) in text.char_indices() {
        match c {
            c if c.is_alphanumeric() || is_combining(c) => end = at + c.len_utf8(),
            '\'' | '’' if end == at && end > 0 => {}
            _ => break,
        }
    }
    end
}

fn is_combining(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

fn fold(word: &str) -> String {
    word.to_lowercase().replace('’', "'")
}

/// `1,000` is `1000`, `007` is `7`, `3.50` is `3.5`; what is no plain number stays as it is.
fn plain_number(digits: &str) -> String {
    let mut groups = digits.split(',');
    let first = groups.next().unwrap_or_default();
    let thousands = !first.is_empty() && first.len() <= 3 && digits.contains(',');
    let joined = match thousands && groups.all(|group| group.len() == 3 || group.starts_with("000.")) {
        true => digits.replace(',', ""),
        false => digits.replace(',', "."),
    };
    let whole = joined.trim_start_matches('0');
    let whole = if whole.is_empty() || whole.starts_with(['.', ':']) { format!("0{whole}") } else { whole.to_owned() };
    match whole.matches('.').count() {
        1 => whole.trim_end_matches('0').trim_end_matches('.').to_owned(),
        _ => whole,
    }
}

/// Whether a word is written as names are: with a capital where no sentence begins, with a digit inside, or in a
/// script that has no capitals, where names cannot be told.
fn is_name(word: &str, begins: bool) -> bool {
    let has_capital = word.chars().any(char::is_uppercase);
    let caseless = word.chars().any(|c| c.is_alphabetic() && !c.is_uppercase() && !c.is_lowercase());
    let folded = fold(word);
    let opener = begins && (words::OPENERS.contains(&folded.as_str()) || folded.ends_with("n't"));
    caseless || word.chars().any(char::is_numeric) || (has_capital && !opener)
}

/// The numbers with their units, in order.
fn amounts(tokens: &[Token]) -> Vec<(String, Option<&str>)> {
    let unit = |at: Option<usize>| match tokens.get(at?)? {
        Token::Sign(sign) => words::unit(sign.encode_utf8(&mut [0; 4])),
        Token::Word { folded, .. } => words::unit(folded),
        Token::Number { .. } => None,
    };
    let currency = |at: Option<usize>| match tokens.get(at?)? {
        Token::Sign(_) => unit(at),
        _ => None,
    };
    tokens
        .iter()
        .enumerate()
        .filter_map(|(at, token)| match token {
            Token::Number { plain, touching } if words::SUFFIXES.contains(&touching.as_str()) => {
                let beside = unit(Some(at + 1)).or_else(|| currency(at.checked_sub(1)));
                Some((plain.clone(), beside))
            }
            Token::Number { plain, touching } => Some((plain.clone(), words::unit(touching).or(Some(touching)))),
            Token::Word { folded, .. } => Some((words::number(folded)?.to_string(), unit(Some(at + 1)))),
            Token::Sign(_) => None,
        })
        .collect()
}

fn folded(tokens: &[Token]) -> impl Iterator<Item = &str> {
    tokens.iter().filter_map(|token| match token {
        Token::Word { folded, .. } => Some(folded.as_str()),
        _ => None,
    })
}

fn denials(tokens: &[Token]) -> usize {
    folded(tokens).filter(|word| word.ends_with("n't") || words::DENIALS.contains(word)).count()
}

/// How often each word of a table occurs, under its first spelling.
fn listed<'a>(tokens: &[Token], table: &'a [&'a [&'a str]]) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for word in folded(tokens) {
        if let Some(row) = table.iter().find(|row| row.contains(&word)) {
            *counts.entry(row[0]).or_default() += 1;
        }
    }
    counts
}

fn persons(tokens: &[Token]) -> BTreeSet<&'static str> {
    listed(tokens, words::PERSONS).into_keys().collect()
}

/// Whether all that either text writes as a name stands in both, in the same order.
fn same_names(a: &[Token], b: &[Token]) -> bool {
    // Persons and times are compared by what they mean.
    let is_known = |word: &str| [words::PERSONS, words::TIMES].concat().iter().any(|row| row.contains(&word));
    let named = |token: &Token| match token {
        Token::Word { folded, as_name: true } if !is_known(folded) => Some(stem(folded).to_owned()),
        _ => None,
    };
    let names: BTreeSet<String> = a.iter().chain(b).filter_map(named).collect();
    let order = |tokens| folded(tokens).map(stem).filter(|word| names.contains(*word)).collect::<Vec<_>>();
    order(a) == order(b)
}

/// A name without its genitive.
fn stem(word: &str) -> &str {
    word.strip_suffix("'s").or(word.strip_suffix('\'')).unwrap_or(word)
}

#[cfg(test)]
mod tests;
