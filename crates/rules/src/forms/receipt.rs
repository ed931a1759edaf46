//! Receipts from shops, as OCR reads them: who sold, when, for how much. What is not sure is left out.

use super::{Found, PAPERS, document, numbered};
use crate::clause::Said;
use crate::data::words::contains_word;
use crate::dates::{self, Grain, When};
use crate::layout::{Line, lines};
use crate::source::Source;
use crate::token::tokenize;
use std::ops::Range;
use um_model::belief::{CandidateObject, ValueKind};

/// Words of receipts. A text with a total and three of them is one.
const CUES: &[&str] = &[
    "cash",
    "change",
    "cashier",
    "receipt",
    "invoice",
    "tax",
    "gst",
    "vat",
    "qty",
    "thank you",
    "thanks",
    "subtotal",
    "sub total",
    "tel",
    "visa",
    "mastercard",
    "rounding",
    "goods sold",
    "amount",
    "price",
    "item",
    "card",
    "refund",
    "salesperson",
    "tender",
];

/// Words in the names of shops.
const SHOPS: &str = " sdn bhd trading enterprise restaurant restaurants mart store stores shop supermarket hypermarket market cafe café coffee \
    hardware stationery deco gift gifts machinery motor motors perniagaan kedai restoran book books bookstore ltd llc inc gmbh company co pharmacy \
    bakery hotel boutique fashion electrical electronics furniture grocery foods food deli bistro grill pizza burger bar pub salon \
    clinic farmacia apotheke kiosk outlet supply supplies services service station petrol fuel optical jewellery jewelers toys sports tyres \
    auto parts garden nursery florist photo printing cinema museum library books&more cosmetics holdings group marketing plt minimarket ";

/// What ends the name of a company; it names the shop, whatever else stands in its line.
const COMPANIES: &[&str] = &["sdn bhd", "sdn. bhd", "sdn bnd", "son bhd", " ltd", " llc", " inc.", " gmbh", " plc"];

/// Words in addresses and registrations.
const PLACES: &str = " jalan jln lot no taman street st road rd avenue ave lane blvd floor level tel fax gst reg co.reg phone email www http kawasan \
    bandar lorong persiaran suite zip postcode licensee formerly ";

/// How a line speaks of the total, the surest first.
const TOTALS: &[&str] = &[
    "total rounded",
    "rounded total",
    "round d total",
    "grand total",
    "nett total",
    "net total",
    "total due",
    "amount due",
    "total amount",
    "total amt",
    "total sales (inclusive",
    "total (incl",
    "total incl",
    "takeout total",
    "eatin total",
    "total payable",
    "total (rm)",
    "total",
];

/// What a line with `total` in it may speak of instead.
const NO_TOTALS: &[&str] = &[
    "sub", "qty", "quantity", "item", "discount", "saving", "tax", "gst", "vat", "exclud", "excl", "point", "change",
    "tendered", "includes",
];

struct Paper<'t> {
    source: &'t Source<'t>,
    lines: Vec<Line<'t>>,
    lower: Vec<String>,
}

/// The claims of a receipt; none where the text is none.
pub(super) fn claims(source: &Source<'_>) -> Option<Vec<Found>> {
    let text = source.text;
    if text.len() > 12_000 {
        return None;
    }
    let lines: Vec<Line<'_>> = lines(text).into_iter().filter(|line| !line.text.is_empty()).collect();
    if !(5..=250).contains(&lines.len()) {
        return None;
    }
    let lower: Vec<String> = lines.iter().map(|line| line.text.to_lowercase()).collect();
    let all = lower.join("\n");
    let cues = CUES.iter().filter(|cue| all.contains(*cue)).count();
    let short = lines.iter().filter(|line| line.text.len() <= 60).count() * 10 >= lines.len() * 9;
    if cues < 4 || !short || !all.contains("total") && !lower.iter().any(|line| misread(line).is_some()) {
        return None;
    }
    let paper = Paper { source, lines, lower };
    Some(paper.claims().unwrap_or_default())
}

impl Paper<'_> {
    fn claims(&self) -> Option<Vec<Found>> {
        let store = self.store();
        let date = self.date();
        let total = self.total();
        let (name, range) = match (self.number(), &store, &date) {
            (Some((name, range)), _, _) => (name, range),
            (None, Some(store), Some((_, when))) => {
                (format!("{} receipt of {}", &self.source.text[store.clone()], when.iso()), store.clone())
            }
            // Neither number nor date can be read: what it came to tells it from others of the shop.
            (None, Some(store), None) => {
                let total = written(&self.source.text[total.clone()?]);
                (format!("{} receipt over {total}", &self.source.text[store.clone()]), store.clone())
            }
            _ => return None,
        };
        let subject = document(self.source, name, range);
        let mut found = Vec::new();
        let mut put = |range: Range<usize>, predicate: &str, text: String, kind: ValueKind| {
            found.push((range, Said::new(subject.clone(), predicate, CandidateObject::Value { text, kind }, 0.8)));
        };
        if let Some(range) = store {
            put(range.clone(), "store", self.source.text[range].to_owned(), ValueKind::Text);
        }
        if let Some((range, when)) = date {
            put(range, "date", when.iso(), ValueKind::Date);
        }
        if let Some(range) = total {
            put(range.clone(), "total", written(&self.source.text[range]), ValueKind::Number);
        }
        Some(found)
    }

    /// The line that names the shop: the first with a shop's word in it, before the address.
    fn store(&self) -> Option<Range<usize>> {
        let head = self.lines.len().min(7);
        let is_place = |at: usize| {
            let line = &self.lower[at];
            let digits = line.bytes().filter(u8::is_ascii_digit).count();
            let marked = line
                .split(|c: char| !c.is_alphanumeric() && c != '.')
                .any(|word| contains_word(PLACES, word.trim_matches('.')));
            let company = COMPANIES.iter().any(|end| line.contains(end))
                && !["formerly", "licensee", "known as", "sold to", "bill to"].iter().any(|word| line.contains(word));
            !company && (marked || digits * 3 > line.chars().filter(|c| c.is_alphabetic()).count())
        };
        let is_shop = |at: usize| self.lower[at].split(|c: char| !c.is_alphanumeric() && c != '&').any(is_shop_word);
        let letters = |at: usize| self.lower[at].chars().filter(|c| c.is_alphabetic()).count();
        let shop = (0..head)
            .take_while(|at| *at < 2 || !is_place(*at - 1) || is_shop(*at))
            .find(|at| is_shop(*at) && !is_place(*at) && letters(*at) >= 4);
        // Else the name stands right over the address or the registration.
        let plain = || {
            let at = (1..head).find(|at| is_place(*at) && money_at_end(self.lines[*at].text).is_none())? - 1;
            let line = &self.lower[at];
            let heading = ["invoice", "receipt", "bill", "welcome", "thank", "qty", "price", "amount", "cashier"]
                .iter()
                .any(|word| line.contains(word));
            let named = letters(at) >= if at == 0 { 4 } else { 8 } && !line.contains(|c: char| c.is_ascii_digit());
            (!is_place(at) && named && !heading && (at == 0 || line.contains(' '))).then_some(at)
        };
        let at = shop.or_else(plain)?;
        Some(self.lines[at].range())
    }

    /// The date: the first on the paper. Where day and month could be either and dollars are paid, there is none.
    fn date(&self) -> Option<(Range<usize>, When)> {
        let dollars = self.source.text.contains('$') && !self.source.text.contains('€');
        let plain = self.lines.iter().find_map(|line| {
            let tokens = tokenize(self.source.text, line.start, line.range().end);
            (0..tokens.len()).find_map(|at| {
                let (when, taken) = dates::absolute(&tokens[at..])?;
                let unsure = dollars
                    && taken == 1
                    && when.date.day() <= 12
                    && !self.source.text[tokens[at].start..tokens[at].end].starts_with("20");
                let range = tokens[at].start..tokens[at + taken - 1].end;
                (when.grain == Grain::Day && !unsure).then_some((range, when))
            })
        });
        plain.or_else(|| self.lines.iter().filter(|_| !dollars).find_map(stamped))
    }

    /// The amount paid for all, where the paper itself confirms it: what cash and change leave, a total that stands
    /// twice, or the one total that nothing speaks against.
    fn total(&self) -> Option<Range<usize>> {
        let amounts = self.amounts();
        let of = |words: &[&str]| -> Vec<i64> {
            let fits = |line: &str| words.iter().any(|word| labelled(line, word));
            amounts.iter().filter(|found| fits(&self.lower[found.line])).map(|found| found.cents).collect()
        };
        let (cash, change) = (of(&["cash", "tendered", "paid", "received", "tender"]), of(&["change"]));
        let left: Vec<i64> = cash.iter().flat_map(|cash| change.iter().map(move |change| cash - change)).collect();
        let totals = self.totals(&amounts);
        let positive = |found: &&&Total| found.amount.cents > 0;
        if let Some(found) = totals.iter().filter(|t| left.contains(&t.amount.cents)).find(|t| positive(&t)) {
            return Some(found.amount.range.clone());
        }
        let best = totals.iter().filter(|t| t.amount.cents > 0).map(|t| t.rank).min();
        let first = totals.iter().find(|t| Some(t.rank) == best && t.amount.cents > 0);
        let twice = |cents: i64| totals.iter().filter(|t| t.amount.cents == cents).count() > 1;
        // A total before and after rounding differ by less than what is rounded to; more is a misread figure.
        let near = |other: i64| first.is_some_and(|first| (first.amount.cents - other).abs() < ROUNDED_TO);
        if let Some(first) = first.filter(|first| twice(first.amount.cents)) {
            return Some(first.amount.range.clone());
        }
        // What cash and change leave may stand in a line whose label cannot be read.
        let unread = amounts.iter().find(|found| {
            found.cents > 0 && left.contains(&found.cents) && self.after_the_goods(found.line) && !change.contains(&0)
        });
        if let Some(found) = unread {
            return Some(found.range.clone());
        }
        let agreed = left.is_empty() && totals.iter().all(|t| t.amount.cents <= 0 || near(t.amount.cents));
        if agreed {
            return first.map(|first| first.amount.range.clone());
        }
        // Of two totals that differ, the one that another line has, too: the only one of the goods, or their sum.
        let seen = |cents: i64| {
            let places: std::collections::HashSet<usize> =
                amounts.iter().filter(|found| found.cents == cents).map(|found| found.range.start).collect();
            places.len()
        };
        let known = totals.iter().filter(|t| t.amount.cents > 0 && seen(t.amount.cents) > 1);
        let mut known = known.map(|t| &t.amount);
        let only = known.next().filter(|_| left.is_empty())?;
        known.all(|other| other.cents == only.cents).then(|| only.range.clone())
    }

    /// The lines that speak of a total and have an amount.
    fn totals<'a>(&self, amounts: &'a [Amount]) -> Vec<Total<'a>> {
        let total = |at: usize| {
            let line = &self.lower[at];
            let rank = TOTALS.iter().position(|total| line.contains(total)).or_else(|| misread(line))?;
            let inclusive = line.contains("incl") && !line.contains("excl");
            let other = NO_TOTALS.iter().any(|other| line.contains(other)) && !inclusive;
            (!other).then_some(rank)
        };
        amounts.iter().filter_map(|amount| total(amount.line).map(|rank| Total { rank, amount })).collect()
    }

    /// Whether a line stands below the first line that speaks of a total or sum.
    fn after_the_goods(&self, line: usize) -> bool {
        self.lower[..line].iter().any(|line| line.contains("total") || line.contains("rounding"))
            && !self.lower[line].contains("cash")
            && !self.lower[line].contains("change")
    }

    /// The amount at the end of each line that speaks of money, or else of the line under it.
    fn amounts(&self) -> Vec<Amount> {
        (0..self.lines.len()).filter_map(|line| self.amount_at(line)).collect()
    }

    /// The amount at the end of a line, or alone on one of the next.
    fn amount_at(&self, line: usize) -> Option<Amount> {
        if let Some((range, cents)) = self.last_amount(line) {
            return Some(Amount { line, range, cents });
        }
        let text = self.lines[line].text;
        let sums = TOTALS.iter().chain(&["cash", "change"]).any(|word| self.lower[line].contains(word));
        if !sums || text.chars().any(|c| c.is_ascii_digit()) {
            return None;
        }
        // The value may stand under its label, with the currency alone between them.
        for below in line + 1..(line + 3).min(self.lines.len()) {
            let letters = self.lines[below].text.chars().filter(|c| c.is_alphabetic()).count();
            if letters > 3 {
                return None;
            }
            if let Some((range, cents)) = self.last_amount(below) {
                return Some(Amount { line, range, cents });
            }
        }
        None
    }

    /// The amount at the end of a line, with its currency; no words may follow it.
    fn last_amount(&self, line: usize) -> Option<(Range<usize>, i64)> {
        let line = &self.lines[line];
        let (at, length, value) = money_at_end(line.text)?;
        let start = line.start + at;
        let tokens = tokenize(self.source.text, line.start, start);
        let currency = tokens.last().filter(|other| crate::values::is_currency(&other.lower));
        Some((currency.map_or(start, |other| other.start)..start + length, value))
    }

    /// The number of the paper, and how it is called.
    fn number(&self) -> Option<(String, Range<usize>)> {
        let name = |code: &str| format!("Receipt {code}");
        for (at, line) in self.lines.iter().enumerate() {
            let lower = &self.lower[at];
            if let Some((_, code)) = numbered(line.text) {
                let start = code.as_ptr() as usize - self.source.text.as_ptr() as usize;
                return Some((name(code), start..start + code.len()));
            }
            let asks = ["doc no", "document no", "inv no", "inv#", "receipt no", "invoice no", "bill no"]
                .iter()
                .find(|key| lower.contains(*key))
                .map(|key| lower.find(*key).unwrap_or(0) + key.len());
            // `Recslpt# CS00082562`: whatever the word was, its beginning tells.
            let asks = asks.or_else(|| {
                let mark = lower.find('#')?;
                let label = lower[..mark].trim_start_matches(|c: char| !c.is_alphabetic());
                let paper = ["rec", "inv", "bil", "doc"].iter().any(|head| label.starts_with(head));
                (paper && !label.contains(' ')).then_some(mark + 1)
            });
            let alone = PAPERS.iter().any(|paper| lower.trim_end_matches([' ', ':']) == *paper && lower.ends_with(':'));
            let Some(from) = asks.or(alone.then_some(lower.len())).filter(|_| lower.len() == line.text.len()) else {
                continue;
            };
            let here = code_in(&line.text[from..]);
            let code = here.or_else(|| {
                self.lines.get(at + 1).and_then(|next| code_in(next.text).filter(|code| next.text.ends_with(code)))
            });
            if let Some(code) = code {
                let start = code.as_ptr() as usize - self.source.text.as_ptr() as usize;
                return Some((name(code), start..start + code.len()));
            }
        }
        None
    }
}

/// A date before an hour whose marks OCR misread or set apart: `12. 01-19 21:13`.
fn stamped(line: &Line<'_>) -> Option<(Range<usize>, When)> {
    let hour = line.text.match_indices(':').find_map(|(at, _)| {
        let start = line.text[..at].trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let minutes = line.text[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        ((1..=2).contains(&(at - start)) && minutes == 2).then_some(start)
    })?;
    let before = line.text[..hour].trim_end();
    let start = before.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '/' | ' ')).len();
    let text = before[start..].trim_start_matches(['.', '-', '/', ' ']);
    let parts: Vec<&str> = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
    let when = (parts.len() == 3).then(|| dates::numeric(&parts.join("-"))).flatten()?;
    let from = line.start + before.len() - text.len();
    (when.grain == Grain::Day).then_some((from..line.start + before.len(), when))
}

/// An amount as it is meant: `RM 33, 90` is `RM 33.90`.
fn written(amount: &str) -> String {
    let Some((at, length, _)) = money_at_end(amount) else { return amount.to_owned() };
    let number = &amount[at..at + length];
    let Some(point) = number.rfind(['.', ',']) else { return amount.to_owned() };
    format!("{}{}.{}", &amount[..at], &number[..point], &amount[amount.len() - 2..])
}

/// A number of a paper: letters and at least four digits.
fn code_in(text: &str) -> Option<&str> {
    let word = text.trim_start_matches([':', '#', '.', ' ']).split_whitespace().next()?;
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'/');
    (plain && digits >= 4 && dates::numeric(word).is_none()).then_some(word)
}

/// A sum of money on a line.
struct Amount {
    /// The line, or that of its label.
    line: usize,
    /// Where it stands.
    range: Range<usize>,
    /// How much.
    cents: i64,
}

/// A sum that a line calls a total.
struct Total<'a> {
    /// How surely, the least first.
    rank: usize,
    /// How much.
    amount: &'a Amount,
}

/// Cash is rounded to five or ten hundredths.
const ROUNDED_TO: i64 = 10;

/// Whether a word stands in the names of shops, by itself or but for one misread letter.
fn is_shop_word(word: &str) -> bool {
    let near = |shop: &str| {
        shop.len() > 7
            && shop.len() == word.len()
            && shop.bytes().zip(word.bytes()).filter(|(a, b)| a != b).count() == 1
    };
    contains_word(SHOPS, word) || word.len() > 7 && SHOPS.split(' ').any(near)
}

/// Whether a line is labelled with a word: it begins one of its words.
fn labelled(line: &str, word: &str) -> bool {
    let first = line.split(|c: char| !c.is_alphanumeric()).find(|part| !part.is_empty()).unwrap_or_default();
    // `GASH`, `Ghange`: one letter misread in the first word.
    let misread = first.len() == word.len() && first.bytes().zip(word.bytes()).filter(|(a, b)| a != b).count() == 1;
    misread || line.match_indices(word).any(|(at, _)| !line[..at].ends_with(char::is_alphabetic))
}

/// The rank of a total whose label was misread by a letter: `Tatal Amount`, `T0TAL`.
fn misread(line: &str) -> Option<usize> {
    let near = |word: &str| {
        word.len() == 5 && word.is_ascii() && word.bytes().zip("total".bytes()).filter(|(a, b)| a == b).count() == 4
    };
    let plain = TOTALS.len() - 1;
    line.split(|c: char| !c.is_alphanumeric()).take(3).any(near).then_some(plain)
}

/// The amount at the end of a line: where it begins, how long it is, and how much in hundredths. OCR splits decimals
/// (`33, 92`, `20. 00`) and reads points as commas; an amount always has two of them.
fn money_at_end(line: &str) -> Option<(usize, usize, i64)> {
    let line = line.trim_end_matches(|c: char| !c.is_alphanumeric());
    let digits = |part: &str| part.len() - part.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    if digits(line) != 2 {
        return None;
    }
    let point = line[..line.len() - 2].trim_end_matches(' ');
    let whole = point.strip_suffix(['.', ','])?;
    let start = whole
        .rfind(|c: char| !c.is_ascii_digit() && c != ',')
        .map_or(0, |at| at + whole[at..].chars().next().map_or(1, char::len_utf8));
    let number = &whole[start..];
    let before = &whole[..start];
    let thousands = number.split(',').skip(1).all(|group| group.len() == 3);
    let grouped = thousands && !number.starts_with(',') && number.bytes().filter(u8::is_ascii_digit).count() <= 8;
    // `1.2.34`, `12-3.40`, `A12.00`: no amount; `RM12.00` and `$12.00` are.
    let glued = before.ends_with(|c: char| matches!(c, '.' | '/' | ':') || c.is_alphabetic());
    let currency = before.ends_with("RM") || before.ends_with("EUR") || before.ends_with("USD");
    if number.is_empty() || !grouped || glued && !currency {
        return None;
    }
    let negative = before.trim_end_matches([' ', '$', '€', '£', 'R', 'M']).ends_with('-');
    let cents: i64 = format!("{}{}", number.replace(',', ""), &line[line.len() - 2..]).parse().ok()?;
    let sign = before.len() - before.trim_end_matches(['$', '€', '£']).len();
    Some((start - sign, line.len() - start + sign, if negative { -cents } else { cents }))
}
