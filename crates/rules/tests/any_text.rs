//! Whatever a text is: nothing panics, every quote can be cut out, and what is named stands in it.

use proptest::prelude::*;
use um_model::belief::{CandidateObject, Mention, Referent};
use um_rules::{Context, claims};

/// Words of which sentences are made that rules look at, and what offsets trip over.
const PARTS: &[&str] = &[
    "Ana",
    "\nBest,\nAna Ruiz\n",
    "\nFrom: Bo Ruiz <é@é>\nTo: é\n",
    "\nExample:\n",
    "\n## Examples\n",
    "\n[09:14] Ana: ",
    "\nCV\n",
    "TODO: ",
    "“",
    "”",
    "\nHead of Sales\n",
    "Bo Ruiz",
    "my sister",
    "the server",
    "I",
    "we",
    "she",
    "works",
    "at",
    "Acme Corp",
    "lives in",
    "Porto",
    "is",
    "was",
    "not",
    "no longer",
    "in 2019",
    "since May 2020",
    "on Thursdays at 10:00",
    "yesterday",
    "and",
    ",",
    ".",
    "!",
    "?",
    ":",
    "'s",
    "’s",
    "\"",
    "(",
    ")",
    "mother",
    "of",
    "the",
    "a",
    "owns",
    "written by",
    "Call me",
    "Jo",
    "Do not use",
    "tabs",
    "in this repository",
    "Invoice No. 7",
    "\n",
    "\r\n",
    "\n\n",
    "Total: EUR 5.00",
    "TOTAL 9.00",
    "CASH 10.00",
    "CHANGE 1.00",
    "RECEIPT",
    "# Atlas",
    "- Owner: Kim",
    "```",
    "😀",
    "e\u{301}",
    "👩‍👩‍👧",
    "ß",
    "İ",
    "ﬁ",
    "\u{200b}",
    "favourite color",
    "has",
    "two kids",
    "a dog named Max",
    "moved from",
    "to",
    "decided to",
    "ship the beta",
    "March 3",
    "2026-03-03",
    "12/13/14",
    "named",
    "who",
    "which",
    "’",
    "'",
    "n't",
    "don't",
    "'",
    "—",
    "…",
    "100%",
    "$5",
    "-",
    "Ⅷ",
    "ǅ",
    "\u{feff}",
];

fn texts() -> impl Strategy<Value = String> {
    let part = prop_oneof![8 => proptest::sample::select(PARTS).prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from), 1 => "\\PC{0,8}"];
    proptest::collection::vec((part, prop_oneof![4 => Just(" "), 1 => Just("")]), 0..60)
        .prop_map(|parts| parts.into_iter().map(|(part, gap)| part + gap).collect())
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What must hold of the claims of any text.
fn holds(text: &str) -> Result<(), TestCaseError> {
    let context = Context { occurred_at: Some(1_683_554_160_000), title: Some("notes"), ..Context::default() };
    for claim in claims(text, &context) {
        let quote = claim.quote.slice(text);
        prop_assert!(quote.is_some(), "{:?} cannot be cut out", claim.quote);
        let quote = quote.unwrap_or_default();
        prop_assert!(!quote.trim().is_empty());
        let mut mentions: Vec<&Mention> = vec![&claim.subject];
        match &claim.object {
            CandidateObject::Entity(mention) => mentions.push(mention),
            CandidateObject::Value { text, .. } => prop_assert!(!text.trim().is_empty()),
        }
        for mention in mentions {
            prop_assert!(!mention.name.trim().is_empty());
            if let Some(span) = mention.span {
                let words = span.slice(text);
                prop_assert!(words.is_some(), "{span:?} cannot be cut out");
                if mention.referent == Referent::Named {
                    let known = mention
                        .name
                        .chars()
                        .filter(|c| c.is_alphanumeric())
                        .any(|c| words.unwrap_or_default().contains(c));
                    prop_assert!(known, "{} does not stand at its span", mention.name);
                }
            }
        }
        prop_assert!((0.0..=1.0).contains(&claim.confidence));
        prop_assert!(claim.valid_from.is_none() || claim.valid_to.is_none() || claim.valid_from <= claim.valid_to);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_text_can_be_read(text in texts()) {
        holds(&text)?;
    }

    #[test]
    fn any_characters_can_be_read(text in "\\PC{0,200}") {
        holds(&text)?;
    }
}

#[test]
fn objects_that_are_words_stand_in_their_quotes() {
    for text in [
        "Maya Okafor works at Halden Labs as lead engineer since 2021.",
        "One thing first. My sister Clara lives in Basel.\r\nShe speaks 😀 French.",
        "Invoice No. 20391\nTotal due: EUR 1,249.00",
    ] {
        for claim in claims(text, &Context::default()) {
            let object = match &claim.object {
                CandidateObject::Entity(mention) => &mention.name,
                CandidateObject::Value { text, .. } => text,
            };
            let quote = spaced(claim.quote.slice(text).expect("a quote"));
            assert!(object == "user" || quote.contains(object.as_str()), "{object} does not stand in {quote}");
        }
    }
}

#[test]
fn long_texts_take_time_in_proportion() {
    let sentence = "Ana Ruiz, who works at Acme Corp since 2019, lives in Porto and speaks French, Dutch and Greek. ";
    let text = sentence.repeat(100_000 / sentence.len());
    let found = claims(&text, &Context::default());
    assert!(!found.is_empty());
    let no_stops = "word and, the word of my ".repeat(4_000);
    assert!(claims(&no_stops, &Context::default()).is_empty());
    let no_spaces = "a".repeat(100_000);
    assert!(claims(&no_spaces, &Context::default()).is_empty());
    let brackets = "(".repeat(50_000) + &"[my sister Ana".repeat(4_000);
    claims(&brackets, &Context::default());
    for letters in ["I live in Porto.\n\nBest,\nAna\n\n", "To: Ana\n", "From: Ana\nTo: Bo\n\nHm.\n", "Thanks\n"] {
        claims(&letters.repeat(100_000 / letters.len()), &Context::default());
    }
}

/// The next number of a fixed sequence (Knuth's MMIX constants).
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

#[test]
fn long_noise_can_be_read() {
    for seed in [1, 2, 3] {
        let mut state = seed;
        let mut text = String::new();
        while text.len() < 100_000 {
            text.push_str(PARTS[next(&mut state) % PARTS.len()]);
            if !next(&mut state).is_multiple_of(5) {
                text.push(' ');
            }
        }
        holds(&text).expect("what holds of any text");
    }
}

#[test]
fn deep_punctuation_can_be_read() {
    for mark in [
        "(", "[", "\"", "“", "'", "’", ",", ", ", ".", "…", "!?", ":", ": ", "- ", "*", "#", "|", "``` ", "/", "&",
        "’s ", "n't ",
    ] {
        for inner in ["", "Ana's ", "my sister Ana ", "is in the "] {
            let text = format!("{mark}{inner}").repeat(20_000 / (mark.len() + inner.len()));
            holds(&text).expect("what holds of any text");
        }
    }
}
