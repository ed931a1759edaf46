//! Letters and mails: whose words they are, by the head that programs write or by the name below the closing words, and
//! the card that may stand there: name, duty, firm.

use super::{Line, pair};
use crate::data::words::{self, contains_word};
use crate::data::{names, nouns, verbs};
use std::ops::Range;

/// A letter in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Letter {
    /// The lines of what is said, without head and closing.
    pub body: Range<usize>,
    /// All of its lines, the card's too.
    pub whole: Range<usize>,
    /// Who writes: the name's bytes in the text.
    pub writer: Range<usize>,
    /// What stands below it.
    pub card: Option<Card>,
}

/// Name, duty and firm, each on a line of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Card {
    /// The name's bytes.
    pub name: Range<usize>,
    /// The duty's.
    pub role: Option<Range<usize>>,
    /// The firm's.
    pub firm: Option<Range<usize>>,
    /// How many lines it has.
    pub lines: usize,
}

/// Words that close a letter, in lower case and without marks.
const CLOSINGS: &[&str] = &[
    "best",
    "all the best",
    "best regards",
    "best wishes",
    "cheers",
    "greetings",
    "kind regards",
    "kindest regards",
    "love",
    "lots of love",
    "many thanks",
    "regards",
    "respectfully",
    "sincerely",
    "sincerely yours",
    "take care",
    "thank you",
    "thanks",
    "thanks again",
    "thanks a lot",
    "warm regards",
    "warmly",
    "with best regards",
    "with kind regards",
    "affectionately",
    "all my love",
    "as ever",
    "bye",
    "bye for now",
    "cordially",
    "ever yours",
    "fond regards",
    "fondly",
    "hugs",
    "kisses",
    "love always",
    "love and kisses",
    "love from",
    "love to all",
    "much love",
    "see you",
    "see you soon",
    "talk soon",
    "until soon",
    "very best",
    "very truly yours",
    "warm wishes",
    "warmest regards",
    "with all my love",
    "with love",
    "with much love",
    "with warm regards",
    "with warm wishes",
    "xoxo",
    "xx",
    "xxx",
    "yours",
    "yours faithfully",
    "yours sincerely",
    "yours truly",
];

/// Keys of a mail's head.
const HEADS: &str = " from to cc bcc subject date sent reply-to ";

/// What a program writes over a mail that it passes on.
const PASSED_ON: &[&str] =
    &["-----original message", "---------- forwarded message", "begin forwarded message", "-------- forwarded message"];

/// The letters of a text, in their order.
pub(super) fn letters(lines: &[Line<'_>]) -> Vec<Letter> {
    let heads: Vec<Head> = (0..lines.len()).filter_map(|at| head(lines, at)).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let Some(letter) = letter(lines, &heads, at) else { break };
        at = letter.whole.end.max(at + 1);
        found.push(letter);
    }
    found
}

/// The head of a mail.
struct Head {
    /// Its lines.
    lines: Range<usize>,
    /// Who it is from: the name's bytes in the text.
    writer: Range<usize>,
}

/// The next letter, from a line on.
fn letter(lines: &[Line<'_>], heads: &[Head], from: usize) -> Option<Letter> {
    let after = |line: usize| heads.get(heads.partition_point(|head| head.lines.start < line));
    let head = after(from);
    // What is signed before the next head is a letter of its own.
    if let Some((closing, card)) = signed(lines, from, head.map_or(lines.len(), |head| head.lines.start)) {
        let whole = from..closing.end + card.lines;
        return Some(Letter { body: from..closing.start, whole, writer: card.name.clone(), card: Some(card) });
    }
    let until = head.map_or(lines.len(), |head| head.lines.start);
    if let Some((closing, card)) = ended(lines, from, until) {
        return Some(Letter { body: from..closing, whole: from..until, writer: card.name.clone(), card: Some(card) });
    }
    let Head { lines: Range { start, end: body }, writer } = head?;
    let limit = after(*body).map_or(lines.len(), |next| next.lines.start);
    let end = (*body..limit).find(|at| passes_on(lines[*at].text)).unwrap_or(limit);
    let writer = writer.clone();
    Some(match signed(lines, *body, end) {
        Some((closing, card)) => {
            Letter { body: *body..closing.start, whole: *start..closing.end + card.lines, writer, card: Some(card) }
        }
        None => Letter { body: *body..end, whole: *start..end, writer, card: None },
    })
}

fn passes_on(line: &str) -> bool {
    let lower = line.to_lowercase();
    PASSED_ON.iter().any(|mark| lower.starts_with(mark))
}

/// The head of a mail that begins at a line.
fn head(lines: &[Line<'_>], at: usize) -> Option<Head> {
    // It begins where no such line stands before.
    if !is_head(lines[at].text) || at > 0 && is_head(lines[at - 1].text) {
        return None;
    }
    // `To: Ana` alone is no head.
    let end = (at..lines.len()).find(|at| !is_head(lines[*at].text)).unwrap_or(lines.len());
    if end - at < 2 {
        return None;
    }
    let (line, value) = lines[at..end].iter().find_map(|line| {
        let (key, value) = line.text.split_once(':')?;
        key.eq_ignore_ascii_case("from").then_some((line, value))
    })?;
    let name = value.split(['<', '(', '[']).next().unwrap_or_default().trim().trim_matches('"').trim();
    let start = line.start + (name.as_ptr() as usize - line.text.as_ptr() as usize);
    is_name(name).then(|| Head { lines: at..end, writer: start..start + name.len() })
}

fn is_head(line: &str) -> bool {
    line.split_once(':').is_some_and(|(key, _)| contains_word(HEADS, &key.to_lowercase()))
}

/// The closing words between two lines and the card below them.
fn signed(lines: &[Line<'_>], from: usize, until: usize) -> Option<(Range<usize>, Card)> {
    (from..until.min(lines.len())).find_map(|at| {
        let (closes, comma) = closing(lines[at].text)?;
        closes.then_some(())?;
        let next =
            (at + 1..until.min(lines.len())).find(|at| !lines[*at].text.is_empty()).filter(|next| *next <= at + 2)?;
        let card = card(lines, next, true)?;
        // `Thanks` over a list of things: a word alone has to be somebody's name.
        let name = &lines[next].text;
        let several = name.contains(' ') && comma;
        (several || known(name)).then_some((at..next, card))
    })
}

/// The name that is the end of a letter without closing words on a line of their own: `- Martin`, `Martin`, `Much love,
/// Martin`, `We miss you. Martin`; and the line behind what is said.
fn ended(lines: &[Line<'_>], from: usize, until: usize) -> Option<(usize, Card)> {
    let mut filled = (from..until.min(lines.len())).rev().filter(|at| !lines[*at].text.is_empty());
    let at = filled.next()?;
    let text = lines[at].text;
    let Some(before) = filled.next().map(|before| lines[before].text) else {
        return signed_behind(&lines[at]).map(|card| (at + 1, card));
    };
    // A list of names is no letter's end.
    let sentence = before.ends_with(['.', '!', '?', '…', ')', ',']) && before.split(' ').count() > 2;
    let dashed = text.trim_start_matches(['-', '—', '–', '~']).trim_start();
    let listed = before.starts_with(['-', '—', '–', '*', '+', '•']);
    let last = |marks: &[char]| text.rfind(marks).map(|mark| text[mark..].trim_start_matches(marks).trim());
    let (name, behind) = if dashed.len() < text.len() && !listed {
        (dashed, at)
    } else if is_name(text) && sentence && !listed {
        (text, at)
    } else if let Some((_, name)) = text.rsplit_once(", ").filter(|(words, _)| closes(words)) {
        (name.trim(), at)
    } else {
        (last(&['.', '!', '?', '…', '—', '–'])?, at + 1)
    };
    let name = name.trim_end_matches('.');
    let is_first = !name.contains(' ') && known(name) && names::is_first_name(&name.to_lowercase());
    let full = behind == at && known(name) && is_name(name);
    (is_name(name) && (is_first || full)).then_some(())?;
    let start = lines[at].start + (name.as_ptr() as usize - text.as_ptr() as usize);
    Some((behind, Card { name: start..start + name.len(), role: None, firm: None, lines: 1 }))
}

/// Who signs behind the last sentence of a line that is all: `I work at Orbis. - Paula`, `I work at Orbis. Best, Julia`.
fn signed_behind(line: &Line<'_>) -> Option<Card> {
    let mark = line.text.rfind(['.', '!', '?'])?;
    let rest = line.text[mark + 1..].trim();
    let dashed = rest.strip_prefix(['-', '—', '–', '~']).map(str::trim_start);
    let name = dashed.or_else(|| rest.split_once(", ").filter(|(words, _)| closes(words)).map(|(_, name)| name))?;
    let start = line.start + (name.as_ptr() as usize - line.text.as_ptr() as usize);
    (is_name(name) && known(name)).then_some(Card { name: start..start + name.len(), role: None, firm: None, lines: 1 })
}

/// Whether words close a letter.
fn closes(words: &str) -> bool {
    closing(words).is_some_and(|(closes, _)| closes)
}

/// Whether a line closes a letter, and whether a mark ends it.
fn closing(line: &str) -> Option<(bool, bool)> {
    let bare = line.trim_end_matches([',', '!', '.', ' ']);
    let lower = bare.to_lowercase();
    // `Yours ever`, `Your loving son`
    let few = (2..=4).contains(&lower.split(' ').count()) && bare.len() < line.len();
    let yours = few && line.ends_with(',') && (lower.starts_with("yours ") || lower.starts_with("your "));
    (bare.len() < 30).then(|| (yours || CLOSINGS.contains(&lower.as_str()), bare.len() < line.len()))
}

/// Whether a name begins with a title or a first name that is known.
fn known(name: &str) -> bool {
    let mut words = name.split(' ').map(|word| word.trim_matches(['.', ',']).to_lowercase());
    let first = words.next().unwrap_or_default();
    names::is_first_name(&first) || matches!(first.as_str(), "dr" | "prof" | "professor" | "mr" | "mrs" | "ms")
}

/// Whether words are as the name of somebody is written.
fn is_name(words: &str) -> bool {
    let capital = |word: &str| {
        word.starts_with(char::is_uppercase)
            && word.chars().all(|c| c.is_alphabetic() || matches!(c, '.' | '-' | '\'' | '’'))
    };
    let count = words.split(' ').count();
    (1..=4).contains(&count)
        && words.split(' ').all(capital)
        && !words.ends_with('.')
        && (known(words) || !nouns::is_role(&words.to_lowercase()))
}

/// The card at a line. `closed` behind the closing words of a letter, where a name is enough.
pub(super) fn card(lines: &[Line<'_>], at: usize, closed: bool) -> Option<Card> {
    let line = lines.get(at)?;
    let text = line.text.trim_start_matches(['-', '—', '–', ' ']);
    let start = line.start + line.text.len() - text.len();
    let name = start..start + text.len();
    if !is_name(text) || !closed && !text.contains(' ') {
        return None;
    }
    let role = lines.get(at + 1).filter(|line| is_duty(line.text)).map(Line::range);
    let below = at + 1 + usize::from(role.is_some());
    let firm = lines.get(below).filter(|line| role.is_some() && is_firm(line.text)).map(Line::range);
    // Of a name that is in no list, a duty and a firm in capitals tell that it is one.
    let capital = |word: &str| word.starts_with(char::is_uppercase) || contains_word(" of and for & the ", word);
    let formal = firm.is_some() && lines[at + 1].text.split(' ').all(capital) && lines[below].text.contains(' ');
    if !closed && !known(text) && !formal {
        return None;
    }
    let count = 1 + usize::from(role.is_some()) + usize::from(firm.is_some());
    (closed || firm.is_some()).then_some(Card { name, role, firm, lines: count })
}

/// What stands over a life.
const LIVES: &[&str] = &["curriculum vitae", "cv", "resume", "résumé"];

/// The card at the head of a text, and the line behind it: name, duty and firm, or, over a CV or beside an address, name
/// and duty.
pub(super) fn head_card(lines: &[Line<'_>]) -> Option<(Card, usize)> {
    let filled = |from: usize| (from..lines.len()).find(|at| !lines[*at].text.is_empty());
    let first = filled(0)?;
    let lived = LIVES.contains(&lines[first].text.trim_matches(['#', '*', ' ', ':']).to_lowercase().as_str());
    let at = if lived { filled(first + 1)? } else { first };
    if let Some(card) = card(lines, at, false) {
        return Some((card.clone(), at + card.lines));
    }
    let card = card(lines, at, true).filter(|card| card.role.is_some() && lines[at].text.contains(' '))?;
    let end = at + card.lines;
    let reached = lines[end..].iter().take(3).any(|line| line.text.contains('@') && line.text.contains('.'));
    (lived || reached || known(lines[at].text) && lines.get(end).is_none_or(|line| line.text.is_empty()))
        .then_some((card, end))
}

/// `Head of Sales`, `Office Manager`
fn is_duty(line: &str) -> bool {
    let lower = line.to_lowercase();
    let first = lower.split(" of ").next().unwrap_or_default();
    let short = (1..=6).contains(&lower.split(' ').count()) && !line.contains([':', '@', '.', '!', '?']);
    short
        && line.starts_with(char::is_uppercase)
        && (nouns::is_role(&lower) || nouns::is_role(first) || matches!(first, "head" | "vp" | "vice president"))
}

/// `Acme Tools`: capitals, and no sentence, number or address.
pub(crate) fn is_firm(line: &str) -> bool {
    let parts: Vec<&str> = line.split(' ').collect();
    let joins = |word: &str| contains_word(" & and of the for de la ", &word.to_lowercase());
    let name = |word: &&str| {
        word.starts_with(char::is_uppercase)
            && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '\'' | '.' | '’'))
            || joins(word)
    };
    let verb = parts
        .iter()
        .skip(1)
        .any(|word| word.starts_with(char::is_lowercase) && verbs::form(word).is_some() && words::tags(word) == 0);
    (1..=5).contains(&parts.len())
        && parts.iter().all(name)
        && parts[0].starts_with(char::is_uppercase)
        && !verb
        && !line.ends_with(['.', '!', '?', ':', ','])
        && pair(line).is_none()
}
