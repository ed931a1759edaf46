//! The sentences for development, where they are: nothing wrong, nothing missed.

use std::path::{Path, PathBuf};
use um_model::belief::{CandidateObject, ClaimCandidate};
use um_rules::eval::{Gold, Score, score};
use um_rules::{Context, claims};

fn gold(value: &serde_json::Value) -> Gold {
    let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let qualifiers = value["qualifiers"].as_object().into_iter().flatten();
    Gold {
        subject: text("subject"),
        predicate: text("predicate"),
        object: text("object"),
        polarity: text("polarity").parse().expect("a polarity"),
        qualifiers: qualifiers
            .map(|(key, value)| (key.clone(), value.as_str().unwrap_or_default().to_owned()))
            .collect(),
    }
}

fn shown(claims: &[ClaimCandidate]) -> Vec<String> {
    let object = |claim: &ClaimCandidate| match &claim.object {
        CandidateObject::Entity(mention) => mention.name.clone(),
        CandidateObject::Value { text, .. } => text.clone(),
    };
    claims
        .iter()
        .map(|claim| {
            format!(
                "{} {} {} {} {:?}",
                claim.polarity,
                claim.subject.name,
                claim.predicate,
                object(claim),
                claim.qualifiers
            )
        })
        .collect()
}

#[test]
fn development_sentences() {
    let named = std::env::var_os("UM_SHARED_DATA").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let path = folder.join("beliefs/dev.jsonl");
    let Ok(lines) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: {} is not there; UM_SHARED_DATA names the shared data", path.display());
        return;
    };
    let mut total = Score::default();
    for line in lines.lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        let text = case["text"].as_str().expect("a text");
        let expected: Vec<Gold> = case["claims"].as_array().into_iter().flatten().map(gold).collect();
        let proposed = claims(text, &Context::default());
        let found = score(&proposed, &expected);
        assert!(!expected.is_empty() || proposed.is_empty(), "{text} says nothing: {:#?}", shown(&proposed));
        if found.right < found.expected || found.right < found.proposed {
            eprintln!("{text}\n  expected {expected:#?}\n  proposed {:#?}", shown(&proposed));
        }
        total += found;
    }
    assert!(total.precision() >= 0.95 && total.recall() >= 0.95, "{total:?}");
}
