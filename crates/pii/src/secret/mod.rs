//! Keys, tokens and passwords: a table of their forms, looked for only where a keyword of theirs stands.

mod entropy;
mod table;

use crate::kind::Kind;
use crate::settle::Proposal;
use crate::source::Source;
use regex::{Regex, RegexSet};
use std::sync::LazyLock;
use table::{Form, TABLE};

/// The table made ready: of each form its keywords and its pattern.
struct Secrets {
    keywords: RegexSet,
    patterns: Vec<Regex>,
}

static SECRETS: LazyLock<Secrets> = LazyLock::new(|| {
    let any = |words: &[&str]| words.iter().map(|word| regex::escape(word)).collect::<Vec<_>>().join("|");
    let keywords = TABLE.iter().map(|form| format!("(?i:{})", any(form.keywords)));
    let pattern = |form: &Form| Regex::new(form.pattern).unwrap_or_else(|error| panic!("{}: {error}", form.detector));
    Secrets {
        keywords: RegexSet::new(keywords).unwrap_or_else(|error| panic!("keywords: {error}")),
        patterns: TABLE.iter().map(pattern).collect(),
    }
});

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    for at in SECRETS.keywords.matches(source.text) {
        let form = &TABLE[at];
        for captures in SECRETS.patterns[at].captures_iter(source.text) {
            let Some(hit) = captures.get(1).or_else(|| captures.get(0)) else { continue };
            if is_secret(form, hit.as_str()) {
                let (range, detector, confidence) = (hit.range(), form.detector, form.confidence);
                found.push(Proposal { range, kind: Kind::Secret, detector, confidence });
            }
        }
    }
}

fn is_secret(form: &Form, value: &str) -> bool {
    entropy::bits(value) >= form.entropy && !form.allowed.iter().any(|allow| allow(value))
}
