//! Beliefs in the words that a person reads: predicates, values, times, states, what a conflict is about.

use crate::components::icon::Icon;
use crate::format::{joined, sentence};
use std::collections::BTreeMap;
use um_model::{
    AgentId, EpochMs,
    belief::{ClaimState, ConflictType, EntityType, ExtractionMethod, Polarity, ValueKind},
    calendar,
    claims::{Claim, ClaimObject, Conflict, EntityRef, StateChange},
    predicates,
};

/// What an entity is, in a word.
pub fn type_name(entity_type: EntityType) -> &'static str {
    match entity_type {
        EntityType::Person => "person",
        EntityType::Organization => "organization",
        EntityType::Concept => "idea",
        EntityType::Location => "place",
        EntityType::Thing => "thing",
    }
}

/// What it looks like.
pub fn type_icon(entity_type: EntityType) -> Icon {
    match entity_type {
        EntityType::Person => Icon::Person,
        EntityType::Organization => Icon::Building,
        EntityType::Concept => Icon::Idea,
        EntityType::Location => Icon::Pin,
        EntityType::Thing => Icon::Thing,
    }
}

/// Where a claim stands, in a word.
pub fn state_name(state: ClaimState) -> &'static str {
    match state {
        ClaimState::Draft => "not yet believed",
        ClaimState::Asserted => "believed",
        ClaimState::Disputed => "disputed",
        ClaimState::Retracted => "taken back",
        ClaimState::Superseded => "replaced",
    }
}

/// Who found a piece of evidence, in words.
pub fn method_name(method: ExtractionMethod) -> &'static str {
    match method {
        ExtractionMethod::Llm => "found by a language model",
        ExtractionMethod::Rule => "found by the rules",
        ExtractionMethod::User => "said outright",
        ExtractionMethod::Inference => "inferred",
    }
}

/// Why a claim's state changed, in words, and who changed it where somebody did.
pub fn cause_name(change: &StateChange) -> String {
    let who = if change.actor_id == AgentId::owner() { "you" } else { "an agent" };
    match (change.cause.as_str(), change.to) {
        ("evidence", _) => "its evidence changed".into(),
        ("extraction", _) => "a source was read".into(),
        ("conflict", _) => "a conflict came up".into(),
        ("resolution", ClaimState::Asserted) => "nothing disputes it any more".into(),
        ("resolution", _) => format!("{who} decided a conflict"),
        ("refinement", _) => "another source tells it more exactly".into(),
        ("supersession", _) => "another claim took its place".into(),
        ("redaction", _) => "its source was blacked out".into(),
        ("user", _) => format!("{who} said so"),
        ("undo", _) => "what was decided before was undone".into(),
        (other, _) => other.to_owned(),
    }
}

/// How a predicate reads between subject and object: `works at`. The phrase of the table is of its own direction.
pub fn phrase(predicate: &str) -> String {
    match predicates::lookup(predicate).filter(|found| !found.inverted) {
        Some(found) => found.predicate.phrase.to_owned(),
        None => predicate.replace('_', " "),
    }
}

/// What stands before the values of a predicate: `Works at`, `Born`, `Email address`.
pub fn label(predicate: &str) -> String {
    if predicate == "birthday" {
        return "Born".into();
    }
    let phrase = phrase(predicate);
    const LEAD: [&str; 8] = ["is a ", "is an ", "is the ", "is at ", "is ", "was ", "has the ", "has "];
    let short = LEAD.iter().find_map(|lead| phrase.strip_prefix(lead)).unwrap_or(&phrase);
    sentence(short)
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A value as a person writes it: dates in words, all else as it is.
pub fn value(predicate: &str, text: &str) -> String {
    let kind = predicates::lookup(predicate).and_then(|found| found.predicate.value);
    let date = (kind == Some(ValueKind::Date)).then(|| date_in_words(text)).flatten();
    date.unwrap_or_else(|| text.to_owned())
}

/// `1984-05-03`, `1984-05`, `--05-03` in words; none for anything else.
fn date_in_words(text: &str) -> Option<String> {
    let month = |part: &str| MONTHS.get(part.parse::<usize>().ok()?.checked_sub(1)?).copied();
    let day = |part: &str| part.parse::<u8>().ok().filter(|day| (1..=31).contains(day));
    let year = |part: &str| (part.len() == 4 && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.to_owned());
    match text.strip_prefix("--") {
        Some(rest) => {
            let (m, d) = rest.split_once('-')?;
            Some(format!("{} {}", day(d)?, month(m)?))
        }
        None => match text.split('-').collect::<Vec<_>>().as_slice() {
            [y, m] => Some(format!("{} {}", month(m)?, year(y)?)),
            [y, m, d] => Some(format!("{} {} {}", day(d)?, month(m)?, year(y)?)),
            _ => None,
        },
    }
}

/// What a claim says of its subject: `Northwind`, `3 May 1984`, `not Acme`.
pub fn object(claim: &Claim) -> String {
    let words = value(&claim.predicate, claim.object.text());
    if claim.polarity == Polarity::Negative { format!("not {words}") } else { words }
}

/// Year, month and day of a moment, in UTC: windows are kept as the dates that sources name.
pub fn civil(at: EpochMs) -> (i64, usize, i64) {
    let (year, month, day) = calendar::civil(at.div_euclid(86_400_000));
    (year, month as usize, day)
}

/// A moment as shortly as it was meant: `2021`, `May 2021`, `3 May 2021`.
pub fn date(at: EpochMs) -> String {
    match civil(at) {
        (year, 1, 1) => year.to_string(),
        (year, month, 1) => format!("{} {year}", &MONTHS[month - 1][..3]),
        (year, month, day) => format!("{day} {} {year}", &MONTHS[month - 1][..3]),
    }
}

/// The last year, month or day before the moment at which something ceased to be so.
fn last(to: EpochMs) -> String {
    match civil(to) {
        (year, 1, 1) => (year - 1).to_string(),
        (year, month, 1) => format!("{} {year}", &MONTHS[month - 2][..3]),
        _ => date(to - 86_400_000),
    }
}

/// When something was so: `since 2021`, `2018 - 2021`, `until 2021`; none where nothing is known. What begins after
/// `now` is `from 2030`. A window ends before its second moment, so that one that ends as 2022 begins has 2021 as its
/// last year.
pub fn window(from: Option<EpochMs>, to: Option<EpochMs>, now: EpochMs) -> Option<String> {
    match (from, to) {
        (None, None) => None,
        (Some(from), None) if from > now => Some(format!("from {}", date(from))),
        (Some(from), None) => Some(format!("since {}", date(from))),
        (None, Some(to)) => Some(format!("until {}", date(to))),
        (Some(from), Some(to)) if from >= to || date(from) == last(to) => Some(date(from)),
        (Some(from), Some(to)) => Some(format!("{} - {}", date(from), last(to))),
    }
}

/// When a claim was so: by its window, else in its source's own words, where these are no date: `since early 2020`.
pub fn time(claim: &Claim, now: EpochMs) -> Option<String> {
    let said = |key: &str, lead: &str| claim.qualifiers.get(key).map(|words| format!("{lead}{words}"));
    window(claim.valid_from, claim.valid_to, now).or_else(|| {
        let words = [said("since", "since "), said("until", "until "), said("at", "")];
        Some(words.into_iter().flatten().collect::<Vec<_>>().join(" ")).filter(|words| !words.is_empty())
    })
}

/// Circumstances in words: `as lead engineer`. What the time says already is left out.
pub fn circumstances(qualifiers: &BTreeMap<String, String>) -> Option<String> {
    let one = |(key, value): (&String, &String)| match key.as_str() {
        "since" | "until" | "at" => None,
        "role" | "as" => Some(format!("as {value}")),
        "for" | "over" => Some(format!("{key} {value}")),
        "when" => Some(value.clone()),
        key => Some(format!("{}: {value}", key.replace('_', " "))),
    };
    let all: Vec<String> = qualifiers.iter().filter_map(one).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// Who read a claim, where that may have made it up.
pub fn read_by(claim: &Claim) -> Option<&'static str> {
    claim.of_model.then_some("read by a language model alone")
}

/// How a person is called in passing: by the first of their names.
fn called(entity: &EntityRef) -> &str {
    let first = entity.name.split_whitespace().next().unwrap_or(&entity.name);
    if entity.entity_type == EntityType::Person && !first.ends_with(['.', '\'']) { first } else { &entity.name }
}

/// What a conflict is about: `when Ana was born`.
fn matter(conflict: &Conflict) -> String {
    let (a, b) = (&conflict.claim_a, &conflict.claim_b);
    let phrase = phrase(&a.predicate);
    let name = called(&a.subject);
    if conflict.conflict_type == ConflictType::OppositePolarity {
        return format!("whether {name} {phrase} {}", value(&a.predicate, a.object.text()));
    }
    if a.subject.id != b.subject.id {
        return format!("who {phrase} {}", about(conflict).name);
    }
    if a.predicate == "birthday" {
        return format!("when {name} was born");
    }
    let known = predicates::lookup(&a.predicate).map(|found| found.predicate);
    if let Some(of) = phrase.strip_prefix("has the ") {
        return format!("the {of} of {name}");
    }
    if known.is_some_and(|known| known.value == Some(ValueKind::Date))
        && let Some(verb) = phrase.strip_suffix(" on")
    {
        return format!("when {name} {verb}");
    }
    if let Some(verb) = [" in", " at"].iter().find_map(|last| phrase.strip_suffix(last))
        && known.is_some_and(|known| known.value.is_none())
    {
        return format!("where {name} {verb}");
    }
    let asked = if known.is_some_and(|known| known.value.is_none()) { "whom" } else { "what" };
    format!("{asked} {name} {phrase}")
}

/// A conflict in a sentence: `Two sources disagree on when Ana was born.`
pub fn disagreement(conflict: &Conflict) -> String {
    format!("Two sources disagree on {}.", matter(conflict))
}

/// Several conflicts about one thing in a sentence: `Sources disagree on where Ana works: Acme, Orbis or Halden Labs.`
pub fn disagreements(conflicts: &[Conflict]) -> String {
    match conflicts {
        [one] => disagreement(one),
        [first, ..] => format!("Sources disagree on {}: {}.", matter(first), joined(&alternatives(conflicts), "or")),
        [] => String::new(),
    }
}

/// What the sides of conflicts say, each once.
pub fn alternatives(conflicts: &[Conflict]) -> Vec<String> {
    let mut all = Vec::new();
    for says in conflicts.iter().flat_map(sides) {
        if !all.contains(&says) {
            all.push(says);
        }
    }
    all
}

/// Of whom or what a conflict is: the subject of both sides, or whom both name where their subjects differ.
pub fn about(conflict: &Conflict) -> EntityRef {
    common(&conflict.claim_a, &conflict.claim_b).clone()
}

/// The entity that both claims name: the first one's subject where there is no other.
fn common<'a>(a: &'a Claim, b: &Claim) -> &'a EntityRef {
    let named = |claim: &'a Claim| match &claim.object {
        ClaimObject::Entity(object) => vec![&claim.subject, object],
        ClaimObject::Value(_) => vec![&claim.subject],
    };
    let is_in_b = |entity: &EntityRef| match &b.object {
        ClaimObject::Entity(object) => [&b.subject.id, &object.id].contains(&&entity.id),
        ClaimObject::Value(_) => b.subject.id == entity.id,
    };
    named(a).into_iter().find(|entity| is_in_b(entity)).unwrap_or(&a.subject)
}

/// What conflicts about one thing are, above their sides: `Born: two values`, `Works at: 3 values`.
pub fn heading(conflicts: &[Conflict]) -> String {
    let Some(Conflict { claim_a: a, claim_b: b, conflict_type, .. }) = conflicts.first() else { return String::new() };
    let what = match (alternatives(conflicts).len(), conflict_type) {
        (3.., _) => format!("{} values", alternatives(conflicts).len()),
        (_, ConflictType::OppositePolarity) => "yes or no".into(),
        _ if a.subject.id != b.subject.id => "two at once".into(),
        _ => "two values".into(),
    };
    format!("{}: {what}", label(&a.predicate))
}

/// What is to be decided, on one line: `Works at: Acme, Orbis or Halden Labs`, `Likes tea: yes or no`.
pub fn question(conflicts: &[Conflict]) -> String {
    let Some(Conflict { claim_a: a, conflict_type, .. }) = conflicts.first() else { return String::new() };
    let label = label(&a.predicate);
    let all = alternatives(conflicts);
    if *conflict_type == ConflictType::OppositePolarity && all.len() == 2 {
        return format!("{label} {}: yes or no", value(&a.predicate, a.object.text()));
    }
    format!("{label}: {}", joined(&all, "or"))
}

/// What both sides of a conflict say.
pub fn sides(conflict: &Conflict) -> [String; 2] {
    let (a, b) = (&conflict.claim_a, &conflict.claim_b);
    [side(a, b), side(b, a)]
}

/// What a side of a conflict says: its value; or its subject, where the other side says the same of another one.
fn side(claim: &Claim, other: &Claim) -> String {
    if claim.is_forgotten() {
        return "What was forgotten".to_owned();
    }
    if common(claim, other).id == claim.subject.id { object(claim) } else { claim.subject.name.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_plain() {
        for (predicate, words) in [
            ("works_at", "Works at"),
            ("birthday", "Born"),
            ("email", "Email address"),
            ("married_to", "Married to"),
            ("member_of", "Member of"),
            ("favorite_color", "Favorite color"),
            ("written_by", "Written by"),
        ] {
            assert_eq!(label(predicate), words);
        }
    }

    #[test]
    fn dates_are_written_out_and_other_values_left_alone() {
        for (text, words) in [
            ("1984-05-03", "3 May 1984"),
            ("1984-05", "May 1984"),
            ("1984", "1984"),
            ("--07-14", "14 July"),
            ("1984-13-03", "1984-13-03"),
            ("soon", "soon"),
        ] {
            assert_eq!(value("birthday", text), words);
        }
        assert_eq!(value("email", "2021-05"), "2021-05");
    }

    #[test]
    fn windows_are_as_short_as_they_were_meant() {
        let (y2018, y2019, y2022) = (1_514_764_800_000, 1_546_300_800_000, 1_640_995_200_000);
        let may = 1_619_827_200_000;
        let now = 1_700_000_000_000;
        for (from, to, words) in [
            (Some(y2019), None, Some("since 2019")),
            (Some(now + 1), None, Some("from 14 Nov 2023")),
            (Some(y2018), Some(y2022), Some("2018 - 2021")),
            (Some(y2018), Some(y2019), Some("2018")),
            (Some(y2018), Some(may), Some("2018 - Apr 2021")),
            (None, Some(y2019), Some("until 2019")),
            (None, Some(may), Some("until May 2021")),
            (None, None, None),
        ] {
            assert_eq!(window(from, to, now).as_deref(), words, "{from:?} to {to:?}");
        }
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(-1), (1969, 12, 31));
        assert_eq!(civil(951_782_400_000), (2000, 2, 29));
    }

    #[test]
    fn a_time_that_is_no_date_is_told_in_its_own_words() {
        let mut claim = conflict(ConflictType::ContradictingValue, "works_at", "Acme").claim_a;
        claim.qualifiers = BTreeMap::from([("since".to_owned(), "early 2020".to_owned())]);
        assert_eq!(time(&claim, 0).as_deref(), Some("since early 2020"));
        claim.valid_from = Some(1_546_300_800_000);
        assert_eq!(time(&claim, 1_700_000_000_000).as_deref(), Some("since 2019"));
        claim.qualifiers.clear();
        claim.valid_from = None;
        assert_eq!(time(&claim, 0), None);
    }

    #[test]
    fn what_a_language_model_alone_read_says_so() {
        let mut claim = conflict(ConflictType::ContradictingValue, "works_at", "Acme").claim_a;
        assert_eq!(read_by(&claim), None);
        claim.of_model = true;
        assert_eq!(read_by(&claim), Some("read by a language model alone"));
    }

    #[test]
    fn circumstances_leave_out_what_the_window_says() {
        for (pairs, words) in [
            (vec![("role", "lead engineer"), ("since", "2021")], Some("as lead engineer")),
            (vec![("since", "2021")], None),
            (vec![("for", "two years"), ("over", "coffee")], Some("for two years, over coffee")),
            (vec![("paid_by", "Orbis")], Some("paid by: Orbis")),
        ] {
            let pairs = pairs.into_iter().map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
            assert_eq!(circumstances(&pairs).as_deref(), words);
        }
    }

    #[test]
    fn a_change_says_who_made_it() {
        let change = |cause: &str, to: ClaimState, actor_id: AgentId| {
            cause_name(&StateChange { from: ClaimState::Disputed, to, cause: cause.into(), actor_id, changed_at: 0 })
        };
        let agent = AgentId::parse("00000000-0000-7000-8000-000000000001").unwrap();
        use ClaimState::{Asserted, Retracted};
        assert_eq!(change("resolution", Retracted, AgentId::owner()), "you decided a conflict");
        assert_eq!(change("resolution", Asserted, AgentId::owner()), "nothing disputes it any more");
        assert_eq!(change("user", Retracted, agent), "an agent said so");
    }

    fn conflict(kind: ConflictType, predicate: &str, object: &str) -> Conflict {
        let id = "00000000-0000-7000-8000-000000000001";
        let claim = serde_json::json!({
            "id": id, "space_id": id, "claim_type": "attribute", "predicate": predicate, "statement": "",
            "subject": { "id": id, "name": "Ana Ruiz", "entity_type": "person" }, "object": { "value": object },
            "qualifiers": {}, "polarity": "positive", "state": "disputed", "confidence": 0.8, "evidence_count": 1,
            "last_updated_at": 0, "citations": [], "conflicts": [],
        });
        serde_json::from_value(serde_json::json!({
            "id": id, "conflict_type": kind, "summary": "", "claim_a": claim, "claim_b": claim,
            "detected_at": 0, "space_id": id, "found_by": "rule",
        }))
        .unwrap()
    }

    #[test]
    fn a_conflict_says_what_it_is_about() {
        let value = ConflictType::ContradictingValue;
        for (predicate, words) in [
            ("birthday", "when Ana was born"),
            ("lives_in", "where Ana lives"),
            ("works_at", "where Ana works"),
            ("married_to", "whom Ana is married to"),
            ("age", "the age of Ana"),
            ("deadline", "when Ana is due"),
        ] {
            let says = disagreement(&conflict(value, predicate, "x"));
            assert_eq!(says, format!("Two sources disagree on {words}."));
        }
        let opposite = conflict(ConflictType::OppositePolarity, "likes", "tea");
        assert_eq!(disagreement(&opposite), "Two sources disagree on whether Ana likes tea.");
        let mut denied = opposite.clone();
        denied.claim_b.polarity = Polarity::Negative;
        assert_eq!(question(&[denied]), "Likes tea: yes or no");
        assert_eq!(heading(&[opposite]), "Likes: yes or no");
        assert_eq!(heading(&[conflict(value, "birthday", "x")]), "Born: two values");
    }

    #[test]
    fn where_subjects_differ_the_conflict_is_about_whom_both_name() {
        let entity = |n: u8, name: &str| EntityRef {
            id: um_model::EntityId::parse(format!("00000000-0000-7000-8000-0000000000{n:02}")).unwrap(),
            name: name.into(),
            entity_type: EntityType::Person,
        };
        let (ana, ben, cleo) = (entity(1, "Ana"), entity(2, "Ben"), entity(3, "Cleo"));
        let check = |a: [&EntityRef; 2], b: [&EntityRef; 2]| {
            let mut one = conflict(ConflictType::CardinalityViolation, "married_to", "x");
            for (claim, [subject, object]) in [(&mut one.claim_a, a), (&mut one.claim_b, b)] {
                (claim.subject, claim.object) = (subject.clone(), ClaimObject::Entity(object.clone()));
            }
            assert_eq!((about(&one).name, sides(&one)), ("Ben".into(), ["Ana".to_owned(), "Cleo".into()]));
        };
        check([&ana, &ben], [&cleo, &ben]);
        check([&ana, &ben], [&ben, &cleo]);
        check([&ben, &ana], [&cleo, &ben]);
        check([&ben, &ana], [&ben, &cleo]);
    }

    #[test]
    fn conflicts_about_one_thing_name_each_value_once() {
        let pair = |one: &str, other: &str| {
            let mut pair = conflict(ConflictType::ContradictingValue, "works_at", one);
            pair.claim_b.object = ClaimObject::Value(other.into());
            pair
        };
        let three = [pair("Acme", "Orbis"), pair("Acme", "Northwind"), pair("Orbis", "Northwind")];
        assert_eq!(heading(&three), "Works at: 3 values");
        assert_eq!(question(&three), "Works at: Acme, Orbis or Northwind");
        assert_eq!(disagreements(&three), "Sources disagree on where Ana works: Acme, Orbis or Northwind.");
        assert_eq!(disagreements(&three[..1]), "Two sources disagree on where Ana works.");
    }
}
