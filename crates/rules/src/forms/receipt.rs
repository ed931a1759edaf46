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

pub(super) fn claims(source: &Source<'_>) -> Vec<Found> {
    let text = source.text;
    let lines: Vec<Line<'_>> = lines(text).into_iter().filter(|line| !line.text.is_empty()).collect();
    if !(5..=250).contains(&lines.len()) || text.len() > 12_000 {
        return Vec::new();
    }
    let lower: Vec<String> = lines.iter().map(|line| line.text.to_lowercase()).collect();
    let all = lower.join("\n");
    let cues = CUES.iter().filter(|cue| all.contains(*cue)).count();
    let short = lines.iter().filter(|line| line.text.len() <= 60).count() * 10 >= lines.len() * 9;
    if cues < 4 || !short || !all.contains("total") {
        return Vec::new();
    }
    let paper = Paper { source, lines, lower };
    paper.claims().unwrap_or_default()
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
            put(range.clone(), "total", self.source.text[range].to_owned(), ValueKind::Number);
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
            marked || digits * 3 > line.chars().filter(|c| c.is_alphabetic()).count()
        };
        let is_shop = |at: usize| {
            self.lower[at].split(|c: char| !c.is_alphanumeric() && c != '&').any(|word| contains_word(SHOPS, word))
        };
        let letters = |at: usize| self.lower[at].chars().filter(|c| c.is_alphabetic()).count() >= 4;
        let shop = (0..head)
            .take_while(|at| *at < 2 || !is_place(*at - 1) || is_shop(*at))
            .find(|at| is_shop(*at) && !is_place(*at) && letters(*at));
        let plain = || {
            (!is_place(0)
                && letters(0)
                && head > 1
                && is_place(1)
                && !self.lower[0].contains("invoice")
                && !self.lower[0].contains("receipt"))
            .then_some(0)
        };
        let at = shop.or_else(plain)?;
        Some(self.lines[at].range())
    }

    /// The date: the first on the paper. Where day and month could be either and dollars are paid, there is none.
    fn date(&self) -> Option<(Range<usize>, When)> {
        let dollars = self.source.text.contains('$') && !self.source.text.contains('€');
        self.lines.iter().find_map(|line| {
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
        })
    }

    /// The amount paid for all. Where cash and change are there, it must be what they leave.
    fn total(&self) -> Option<Range<usize>> {
        let cash = self.amounts_of(&["cash", "tendered", "paid"]);
        let change = self.amounts_of(&["change"]);
        let candidates: Vec<(usize, Range<usize>, i64)> = (0..self.lines.len())
            .filter_map(|at| {
                let rank = TOTALS.iter().position(|total| self.lower[at].contains(total))?;
                let other =
                    NO_TOTALS.iter().any(|other| self.lower[at].contains(other)) && !self.lower[at].contains("incl");
                let (range, cents) = if other { None } else { self.amount_at(at) }?;
                Some((rank, range, cents))
            })
            .collect();
        let paid: Vec<i64> = cash.iter().flat_map(|cash| change.iter().map(move |change| cash - change)).collect();
        if let Some((_, range, _)) = candidates.iter().find(|(_, _, cents)| *cents > 0 && paid.contains(cents)) {
            return Some(range.clone());
        }
        if !paid.is_empty() {
            return None;
        }
        let best = candidates.iter().map(|(rank, _, _)| *rank).min()?;
        let mut of_best = candidates.iter().filter(|(rank, _, _)| *rank == best);
        let (_, range, cents) = of_best.next()?;
        (of_best.all(|(_, _, other)| other == cents) && *cents > 0).then(|| range.clone())
    }

    fn amounts_of(&self, words: &[&str]) -> Vec<i64> {
        let speaks = |at: usize| {
            words.iter().any(|word| self.lower[at].starts_with(word) || self.lower[at].contains(&format!(" {word}")))
        };
        (0..self.lines.len())
            .filter(|at| speaks(*at))
            .filter_map(|at| self.amount_at(at))
            .map(|(_, cents)| cents)
            .collect()
    }

    /// The amount at the end of a line, or alone on the next.
    fn amount_at(&self, at: usize) -> Option<(Range<usize>, i64)> {
        if let Some(found) = self.last_amount(at) {
            return Some(found);
        }
        let next = self.lines.get(at + 1)?;
        let letters = next.text.chars().filter(|c| c.is_alphabetic()).count();
        let here = self.lines[at].text.chars().any(|c| c.is_ascii_digit());
        if letters > 3 || here { None } else { self.last_amount(at + 1) }
    }

    fn last_amount(&self, at: usize) -> Option<(Range<usize>, i64)> {
        let line = &self.lines[at];
        let tokens = tokenize(self.source.text, line.start, line.range().end);
        let token = tokens.iter().rev().find(|token| cents(&self.source.text[token.start..token.end]).is_some())?;
        // What follows the amount must be no words.
        let tail = &self.source.text[token.end..line.range().end];
        let value = cents(&self.source.text[token.start..token.end])?;
        let before = tokens.iter().rev().find(|other| other.end <= token.start);
        let currency = before.filter(|other| crate::values::is_currency(&other.lower));
        let start = currency.map_or(token.start, |other| other.start);
        tail.chars().all(|c| !c.is_alphanumeric()).then_some((start..token.end, value))
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

/// A number of a paper: letters and at least four digits.
fn code_in(text: &str) -> Option<&str> {
    let word = text.trim_start_matches([':', '#', '.', ' ']).split_whitespace().next()?;
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'/');
    (plain && digits >= 4 && dates::numeric(word).is_none()).then_some(word)
}

/// `1,249.00` in cents; an amount has two decimals.
fn cents(word: &str) -> Option<i64> {
    let plain = word.trim_start_matches(['$', '€', '£']).trim_start_matches("RM").replace(',', "");
    let (whole, fraction) = plain.split_once('.')?;
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if fraction.len() != 2 || !digits(whole) || !digits(fraction) || whole.len() > 8 {
        return None;
    }
    format!("{whole}{fraction}").parse().ok()
}
