//! Findings in the words of the window.

use crate::{
    components::viewer::{Fate, Spot},
    format::count,
};
use um_model::{
    Modality,
    findings::{Finding, FindingKind, FindingStatus, KindCount, RedactionItem, Region},
};

/// What a finding is.
pub fn kind(of: FindingKind) -> &'static str {
    match of {
        FindingKind::Person => "name",
        FindingKind::Email => "e-mail",
        FindingKind::Phone => "phone number",
        FindingKind::Address => "address",
        FindingKind::Postcode => "postcode",
        FindingKind::BirthDate => "date of birth",
        FindingKind::Card => "card number",
        FindingKind::Iban => "IBAN",
        FindingKind::BankAccount => "bank account",
        FindingKind::UsSsn => "social security number",
        FindingKind::NationalId => "personal number",
        FindingKind::Passport => "passport number",
        FindingKind::DriverLicence => "driving licence",
        FindingKind::IpAddress => "network address",
        FindingKind::MacAddress => "device address",
        FindingKind::Secret => "password or key",
        FindingKind::Url => "web address",
        FindingKind::Date => "date",
        FindingKind::Age => "age",
        FindingKind::Place => "place",
        FindingKind::Organization => "organization",
        FindingKind::Nationality => "nationality",
        FindingKind::Title => "title",
        FindingKind::Other => "marked by you",
    }
}

/// What several findings of a kind are.
pub fn several(of: FindingKind) -> String {
    match of {
        FindingKind::BirthDate => "dates of birth".into(),
        FindingKind::Secret => "passwords and keys".into(),
        FindingKind::Nationality => "nationalities".into(),
        FindingKind::Other => kind(of).into(),
        _ if kind(of).ends_with("address") => format!("{}es", kind(of)),
        _ => format!("{}s", kind(of)),
    }
}

/// The kinds that were found, with their numbers: `2 e-mails, 1 phone number`.
pub fn kinds(of: &[KindCount]) -> String {
    let one = |one: &KindCount| match one.count {
        1 => format!("1 {}", kind(one.kind)),
        more => format!("{more} {}", several(one.kind)),
    };
    of.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// What stands with an item of the list: `3 to decide`, `2 will go`, `4 blacked out`.
pub fn standing(item: &RedactionItem) -> String {
    match (item.pending, item.accepted, item.applied) {
        (0, 0, gone) => format!("{gone} blacked out"),
        (0, goes, _) => format!("{goes} will go"),
        (found, 0, _) => format!("{found} to decide"),
        (found, goes, _) => format!("{found} to decide, {goes} will go"),
    }
}

/// The first letters of a value, which are enough to tell it from others.
pub fn masked(value: &str) -> String {
    let whole = value.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = if whole.chars().count() > 6 { 3 } else { 1 };
    match whole.is_empty() {
        true => String::new(),
        false => format!("{}...", whole.chars().take(shown).collect::<String>()),
    }
}

/// What a finding says, or what it is where it says nothing.
pub fn value(finding: &Finding, in_full: bool) -> String {
    let what = match (&finding.region, finding.status) {
        (_, FindingStatus::Applied) => "blacked out",
        (Some(Region::Box { .. }), _) => "part of the page",
        (Some(Region::Time(_)), _) => "part of the recording",
        (None, _) => "words that are gone",
    };
    match (finding.value.trim().is_empty(), in_full) {
        (true, _) => what.to_owned(),
        (false, true) => finding.value.split_whitespace().collect::<Vec<_>>().join(" "),
        (false, false) => masked(&finding.value),
    }
}

/// The findings that are drawn over their source, numbered as they are listed.
pub fn spots(findings: &[Finding]) -> Vec<Spot> {
    let open = findings.iter().filter(|one| is_open(one));
    open.enumerate().map(|(at, finding)| spot(at + 1, finding)).collect()
}

/// Whether it waits to be decided or blacked out.
pub fn is_open(finding: &Finding) -> bool {
    matches!(finding.status, FindingStatus::Pending | FindingStatus::Accepted)
}

fn spot(number: usize, finding: &Finding) -> Spot {
    let place = finding.citation.as_ref().map(|citation| &citation.place);
    let on = place.and_then(|place| place.page).unwrap_or(1);
    let mut boxes: Vec<_> = place.into_iter().flat_map(|place| &place.boxes).map(|bbox| (on, *bbox)).collect();
    if boxes.is_empty() {
        boxes.extend(place.and_then(|place| place.bbox).map(|bbox| (on, bbox)));
    }
    let mut time = place.and_then(|place| place.time);
    match finding.region {
        Some(Region::Box { page, bbox }) => boxes.push((page, bbox)),
        Some(Region::Time(stretch)) => time = Some(stretch),
        None => {}
    }
    let view = finding.citation.as_ref().and_then(|citation| citation.view_id.clone());
    Spot {
        id: finding.id.clone(),
        label: format!("{number}, {}", kind(finding.kind)),
        fate: if finding.status == FindingStatus::Accepted { Fate::Goes } else { Fate::Found },
        words: finding.span.filter(|_| finding.citation.is_some()).map(|span| (view, span)),
        boxes,
        time,
    }
}

/// What is kept of a source once something in it was blacked out.
pub fn kept(modality: Modality, is_file: bool) -> &'static str {
    match modality {
        _ if !is_file => "The words are replaced by bars; what was said with them goes, too.",
        Modality::Image => "A picture with black boxes takes the place of the original, which is destroyed.",
        Modality::Audio => "A recording with silence takes the place of the original, which is destroyed.",
        Modality::Pdf | Modality::Video => {
            "The original is destroyed. What is left of its words is kept as text; its pages or pictures are not."
        }
        _ => "The original is destroyed. What is left of its words takes its place.",
    }
}

/// What was blacked out, and whether other sources say the same.
pub fn done(findings: u64, title: &str, elsewhere: u64) -> String {
    let left = if elsewhere == 0 { "Nothing of it is left." } else { "Other files or notes say some of it, too." };
    format!("Blacked out {} in {title}. {left}", count(findings, "place"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_apart_by_their_first_letters() {
        for (value, says) in [
            ("ana@halden.example", "ana..."),
            ("+34 600 123", "+34..."),
            ("Ana", "A..."),
            ("Ana\n Ruiz", "Ana..."),
            ("", ""),
        ] {
            assert_eq!(masked(value), says);
        }
    }

    #[test]
    fn kinds_are_counted_in_plain_words() {
        let of = |kind, count| KindCount { kind, count };
        let all = [of(FindingKind::Person, 8), of(FindingKind::BirthDate, 2), of(FindingKind::Address, 2)];
        assert_eq!(kinds(&all), "8 names, 2 dates of birth, 2 addresses");
        assert_eq!(kinds(&[of(FindingKind::Email, 1)]), "1 e-mail");
    }

    fn finding(extra: serde_json::Value) -> Finding {
        let id = "00000000-0000-7000-8000-000000000001";
        let mut one = serde_json::json!({ "id": id, "kind": "email", "status": "pending", "detector": "net.email",
            "detector_version": "1", "confidence": 0.98, "space_id": id, "memory_id": id, "title": "x", "value": "",
            "created_at": 0 });
        one.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        serde_json::from_value(one).unwrap()
    }

    #[test]
    fn what_is_open_is_drawn_and_numbered() {
        let marked = |status: &str, page: u32| {
            finding(serde_json::json!({ "status": status, "region": { "page": page, "bbox": [1.0, 2.0, 3.0, 4.0] } }))
        };
        let drawn = spots(&[marked("dismissed", 1), marked("accepted", 2), marked("pending", 3)]);
        let told: Vec<_> = drawn.iter().map(|spot| (spot.label.as_str(), spot.fate, spot.boxes[0].0)).collect();
        assert_eq!(told, [("1, e-mail", Fate::Goes, 2), ("2, e-mail", Fate::Found, 3)]);
    }

    #[test]
    fn what_says_nothing_is_told_by_what_it_is() {
        let page = finding(serde_json::json!({ "region": { "page": 1, "bbox": [1.0, 2.0, 3.0, 4.0] } }));
        let stretch = finding(serde_json::json!({ "region": { "start_ms": 1, "end_ms": 2 } }));
        let says = finding(serde_json::json!({ "value": "ana@halden.example" }));
        for (of, in_full, words) in [
            (&page, true, "part of the page"),
            (&stretch, false, "part of the recording"),
            (&says, true, "ana@halden.example"),
            (&says, false, "ana..."),
        ] {
            assert_eq!(value(of, in_full), words);
        }
    }
}
