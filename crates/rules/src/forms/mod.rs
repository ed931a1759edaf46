//! Forms: invoices, receipts, lists of `Key: value` under a heading that names the thing.

pub(crate) mod career;
mod fields;
mod keys;
mod receipt;

use crate::clause::Said;
use crate::layout::Block;
use crate::source::Source;
use std::ops::Range;
use um_model::belief::{EntityType, Mention, Referent};

/// A claim and the bytes of the words that carry it.
pub(crate) type Found = (Range<usize>, Said);

/// The claims of the forms in a text, and whether the text is a form alone, in which there are no sentences.
/// `speaker` is who says `my`, where it is not the person of the space.
pub(crate) fn claims(
    source: &Source<'_>,
    blocks: &[Block],
    title: Option<&str>,
    speaker: Option<&str>,
) -> (Vec<Found>, bool) {
    match receipt::claims(source) {
        Some(receipt) => (receipt, true),
        None => (fields::claims(source, blocks, title, speaker), false),
    }
}

/// The thing that a form is about.
fn document(source: &Source<'_>, name: String, range: Range<usize>) -> Mention {
    Mention { name, referent: Referent::Named, entity_type: EntityType::Thing, span: Some(source.span(range)) }
}

/// Papers that carry a number, longest names first.
const PAPERS: &[&str] = &[
    "purchase order",
    "delivery note",
    "credit note",
    "work order",
    "sales order",
    "tax invoice",
    "pro forma invoice",
    "invoice",
    "receipt",
    "order",
    "quote",
    "quotation",
    "estimate",
    "bill",
    "statement",
    "ticket",
    "contract",
    "policy",
    "booking",
    "reservation",
    "case",
    "claim",
    "application",
    "permit",
    "certificate",
    "shipment",
    "report",
    "lease",
    "cash bill",
];

/// The paper and its number in a line such as `Invoice No. 20391`, `ORDER #A-12`, `Receipt number: 7`.
fn numbered(line: &str) -> Option<(&'static str, &str)> {
    let lower = line.to_lowercase();
    if lower.len() != line.len() {
        return None;
    }
    let paper = PAPERS
        .iter()
        .find(|paper| lower.starts_with(*paper) && !lower[paper.len()..].starts_with(char::is_alphabetic))?;
    let mut rest = lower[paper.len()..].trim_start();
    let mut marked = false;
    for mark in ["number", "num.", "nr.", "nr", "no.", "no", "id", "ref", "#", ":", "№"] {
        if let Some(behind) = rest.strip_prefix(mark) {
            if mark.ends_with(char::is_alphabetic) && behind.starts_with(char::is_alphanumeric) {
                continue;
            }
            rest = behind.trim_start();
            marked = true;
        }
    }
    let rest = rest.trim_start_matches([':', '#', '.', ' ']);
    let start = line.len() - rest.len();
    let code = line[start..].split_whitespace().next()?.trim_end_matches(['.', ',', ';']);
    let digits = code.bytes().filter(u8::is_ascii_digit).count();
    let plain = code.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '/' | '_' | '.'));
    let whole = line[start..].trim().len() == code.len() || marked;
    let date = crate::dates::whole(code).is_some_and(|when| when.grain == crate::dates::Grain::Day);
    (plain && whole && digits >= 1 && (marked || digits >= 3 && crate::dates::year(code).is_none()) && !date)
        .then_some((*paper, code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn papers_have_numbers() {
        for (line, expected) in [
            ("Invoice No. 20391", Some(("invoice", "20391"))),
            ("INVOICE #A-77", Some(("invoice", "A-77"))),
            ("Purchase Order: PO-118", Some(("purchase order", "PO-118"))),
            ("Order number 5512", Some(("order", "5512"))),
            ("RECEIPT#: CS00082662", Some(("receipt", "CS00082662"))),
            ("Invoice date: 12 March 2025", None),
            ("Order of the day", None),
            ("Report 2024", None),
            ("Invoices 2024", None),
        ] {
            assert_eq!(numbered(line), expected, "{line}");
        }
    }
}
