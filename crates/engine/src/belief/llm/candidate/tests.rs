use super::*;
use serde_json::json;

const TEXT: &str = "Notes of today.\r\nMaya Okafor works at Halden  Labs as lead engineer since May 2021. 😀 \
    My sister lives in Porto. Dana’s birthday is July 14. Tomás no longer works at Brightwater.";

/// A good proposal, changed.
fn with(change: Value) -> Value {
    let mut proposal = json!({
        "quote": "Maya Okafor works at Halden Labs as lead engineer since May 2021.", "subject": "Maya Okafor",
        "subject_type": "person", "predicate": "works_at", "object": "Halden Labs", "object_is_entity": true,
        "object_type": "organization", "polarity": "positive",
        "qualifiers": [{"name": "role", "value": "lead engineer"}],
        "valid_from": "May 2021", "valid_to": null, "confidence": 0.9,
    });
    proposal.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    proposal
}

fn read(proposals: &[Value]) -> (Vec<ClaimCandidate>, Dropped) {
    let passage = Passage { text: TEXT, title: Some("Lunch with Ben"), occurred_at: None, written_by: None };
    candidates(proposals, &passage, TEXT, 0)
}

#[track_caller]
fn taken(change: Value) -> ClaimCandidate {
    let (mut found, dropped) = read(&[with(change.clone())]);
    assert_eq!(dropped, Dropped::default(), "{change}");
    found.pop().unwrap()
}

#[track_caller]
fn dropped(change: Value, expected: Dropped) {
    let (found, dropped) = read(&[with(change.clone())]);
    assert_eq!((found, dropped), (vec![], expected), "{change}");
}

const UNQUOTED: Dropped = Dropped { malformed: 0, unquoted: 1, ungrounded: 0, ordered: 0, too_many: 0, unresolved: 0 };
const UNGROUNDED: Dropped =
    Dropped { malformed: 0, unquoted: 0, ungrounded: 1, ordered: 0, too_many: 0, unresolved: 0 };
const MALFORMED: Dropped = Dropped { malformed: 1, unquoted: 0, ungrounded: 0, ordered: 0, too_many: 0, unresolved: 0 };

fn said(span: Option<Utf16Span>) -> Option<&'static str> {
    span.and_then(|span| span.slice(TEXT))
}

#[test]
fn a_good_proposal_becomes_a_candidate_with_the_texts_own_words() {
    let claim = taken(json!({}));
    assert_eq!(said(Some(claim.quote)), Some("Maya Okafor works at Halden  Labs as lead engineer since May 2021."));
    assert_eq!(
        (claim.claim_type, claim.polarity, claim.confidence),
        (ClaimType::Relationship, Polarity::Positive, 0.9)
    );
    assert_eq!((said(claim.subject.span), claim.subject.entity_type), (Some("Maya Okafor"), EntityType::Person));
    let CandidateObject::Entity(object) = claim.object else { panic!("an entity") };
    assert_eq!((object.name.as_str(), said(object.span)), ("Halden Labs", Some("Halden  Labs")));
    assert_eq!(claim.qualifiers, BTreeMap::from([("role".to_owned(), "lead engineer".to_owned())]));
    assert_eq!((claim.valid_from, claim.valid_to), (date_begins("2021-05"), None));
}

#[test]
fn what_the_text_does_not_say_is_dropped() {
    dropped(json!({"quote": "Maya Okafor leads Halden Labs."}), UNQUOTED);
    dropped(json!({"quote": ""}), UNQUOTED);
    dropped(json!({"quote": "..."}), UNQUOTED);
    dropped(json!({"subject": "Priya Raman"}), UNGROUNDED);
    dropped(json!({"subject": "the"}), UNGROUNDED);
    dropped(json!({"object": "Orbis"}), UNGROUNDED);
    dropped(json!({"object": ""}), UNGROUNDED);
    dropped(json!({"predicate": "lives_on", "object": "blue", "object_is_entity": false}), UNGROUNDED);
    dropped(json!({"subject": "user's brother", "object": "Porto"}), UNGROUNDED);
    dropped(json!({"quote": TEXT.repeat(9)}), MALFORMED);
    dropped(json!({"quote": 7}), MALFORMED);
    dropped(json!({"predicate": "!!"}), MALFORMED);
    dropped(json!({"predicate": ""}), MALFORMED);
}

#[test]
fn what_was_made_up_beside_a_good_claim_is_left_out_of_it() {
    let claim = taken(json!({"valid_from": "1999", "valid_to": "next year", "confidence": 7.5,
        "qualifiers": [{"name": "role", "value": "owner"}, {"name": "Since When", "value": "May 2021"}, {"x": 1}, 3]}));
    assert_eq!((claim.valid_from, claim.valid_to, claim.confidence), (None, None, 1.0));
    assert_eq!(claim.qualifiers, BTreeMap::from([("since_when".to_owned(), "May 2021".to_owned())]));
    let claim = taken(json!({"qualifiers": {"role": "lead engineer"}, "confidence": null, "subject_type": "robot"}));
    assert_eq!((claim.qualifiers.len(), claim.confidence, claim.subject.entity_type), (1, 0.5, EntityType::Thing));
}

#[test]
fn the_speaker_and_theirs_need_no_name() {
    let sister = json!({"quote": "My sister lives in Porto.", "subject": "my sister", "predicate": "lives_in",
        "object": "Porto", "qualifiers": [], "valid_from": null});
    let claim = taken(sister);
    assert_eq!(claim.subject.referent, Referent::OfSpeaker("sister".to_owned()));
    assert_eq!((claim.subject.name.as_str(), claim.subject.span), ("user's sister", None));
    let claim = taken(json!({"subject": "I"}));
    assert_eq!((claim.subject.referent, claim.subject.name.as_str()), (Referent::Speaker, "user"));
    // A name that only the title has.
    assert_eq!(taken(json!({"subject": "Ben"})).subject.span, None);
}

#[test]
fn values_have_their_kind_and_dates_their_form() {
    let value = |change: Value| match taken(change).object {
        CandidateObject::Value { text, kind } => (text, kind),
        CandidateObject::Entity(mention) => panic!("{mention:?}"),
    };
    let birthday = json!({"quote": "Dana's birthday is July 14.", "subject": "Dana", "predicate": "birthday",
        "object": "July 14", "object_is_entity": true, "valid_from": null});
    assert_eq!(value(birthday), ("--07-14".to_owned(), ValueKind::Date));
    let free = |object: &str| value(json!({"predicate": "has_note", "object": object, "object_is_entity": false}));
    assert_eq!(free("May 2021"), ("2021-05".to_owned(), ValueKind::Date));
    assert_eq!(free("2021"), ("2021".to_owned(), ValueKind::Number));
    assert_eq!(free("lead  engineer"), ("lead engineer".to_owned(), ValueKind::Text));
}

#[test]
fn denials_are_kept_as_such() {
    let claim = taken(json!({"quote": "Tomás no longer works at Brightwater.", "subject": "Toma\u{301}s",
        "object": "Brightwater", "polarity": "Negative", "qualifiers": [], "valid_from": null}));
    assert_eq!((claim.polarity, claim.subject.name.as_str()), (Polarity::Negative, "Tomás"));
}

#[test]
fn what_was_dropped_is_told_with_its_reasons() {
    let dropped = Dropped { malformed: 1, unquoted: 2, ungrounded: 0, ordered: 5, too_many: 3, unresolved: 4 };
    let words = "15 proposals dropped: 2 whose quote is not in the text, 5 from an order to whoever reads, 4 of a name that may mean several, or is none, \
                 1 in no proper form, 3 more than are taken";
    assert_eq!(dropped.to_string(), words);
    assert_eq!(UNQUOTED.to_string(), "1 proposal dropped: 1 whose quote is not in the text");
}

#[test]
fn predicates_are_written_in_one_way() {
    for (given, written) in [
        ("worksAt", Some("works_at")),
        ("Works at", Some("works_at")),
        ("works--at ", Some("works_at")),
        ("_is_", Some("is")),
        ("größe", Some("größe")),
        ("12", None),
        ("?", None),
    ] {
        assert_eq!(predicate(given).as_deref(), written, "{given}");
    }
}

#[test]
fn spans_are_those_of_the_whole_text() {
    let at = TEXT.find("Dana").unwrap();
    let passage = Passage { text: &TEXT[at..], title: None, occurred_at: None, written_by: None };
    let proposal = with(json!({"quote": "Dana's birthday is July 14.", "subject": "Dana", "predicate": "birthday",
        "object": "July 14", "valid_from": null}));
    let (found, _) = candidates(&[proposal], &passage, TEXT, at);
    assert_eq!(said(Some(found[0].quote)), Some("Dana’s birthday is July 14."));
    assert_eq!(said(found[0].subject.span), Some("Dana"));
}

#[test]
fn the_same_twice_is_one_and_too_many_are_counted() {
    let (found, dropped) = read(&vec![with(json!({})); MOST + 3]);
    assert_eq!((found.len(), dropped.too_many), (1, 3));
}

#[test]
fn whoever_is_called_she_is_named_in_the_sentence_just_before() {
    let check = |text: &str, quote: &str, subject: &str, expected: bool| {
        let proposal = with(json!({
            "quote": quote, "subject": subject, "predicate": "lives_in", "object": "Porto", "object_type": "location",
            "qualifiers": [], "valid_from": null,
        }));
        let passage = Passage { text, title: Some("Maya Okafor"), occurred_at: None, written_by: None };
        let (found, _) = candidates(&[proposal], &passage, text, 0);
        assert_eq!(found.len(), usize::from(expected), "{subject}: {text}");
    };
    let she = "She lives in Porto.";
    check("Maya Okafor called. She lives in Porto.", she, "Maya Okafor", true);
    check("Maya called. She lives in Porto. Later Maya Okafor left.", she, "Maya Okafor", true);
    let two = "Maya Okafor called. Ana Ruiz came. She lives in Porto.";
    check(two, she, "Ana Ruiz", true);
    check(two, she, "Maya Okafor", false);
    check("She lives in Porto. Maya Okafor called.", she, "Maya Okafor", false);
    let hers = "Her home in Porto is small.";
    check("Maya Okafor called. Her home in Porto is small.", hers, "Maya Okafor", true);
    check("Maya Okafor called. Ana came. Her home in Porto is small.", hers, "Maya Okafor", false);
    check("Maya Okafor called. It rained, and she lives in Porto.", "she lives in Porto", "Maya Okafor", true);
    check("Maya Okafor called. It rained. So she lives in Porto.", "she lives in Porto", "Maya Okafor", false);
    check("Maya Okafor called. Ana came. Home is in Porto.", "Home is in Porto.", "Maya Okafor", true);
}
