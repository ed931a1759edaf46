//! What a text is about: who somebody is, what they like, what is so, what happened, how something is done.

use crate::phrases::Phrases;
use crate::{Context, claims};
use std::sync::LazyLock;
use um_model::MemoryScope;
use um_model::belief::{ClaimCandidate, ClaimType, Referent};

/// What a text is about, and how sure that is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Classified {
    /// Its scope.
    pub scope: MemoryScope,
    /// 0 to 1.
    pub confidence: f64,
}

/// What a text is about shows in so many characters or not at all.
const HEAD: usize = 2_000;
/// What a phrase weighs beside a claim, which weighs one.
const PHRASE: f64 = 0.9;

/// Phrases that tell a scope where no claim does, in lower case and as whole words.
const PHRASES: &[(MemoryScope, &str)] = &[
    (
        MemoryScope::Preference,
        "prefer;prefers;i like;i love;i hate;i dislike;favourite;favorite;rather than;always use;never use;always;please;from now on",
    ),
    (
        MemoryScope::Identity,
        "my name is;call me;i am a;i'm a;i am an;i'm an;i was born;born on;my birthday;i live in;i work at;i work for;my job;i grew up",
    ),
    (
        MemoryScope::Skill,
        "how to;step 1;first run;to install;to build;run the command;procedure;recipe;instructions;in order to;then run;make sure that",
    ),
    (
        MemoryScope::Experience,
        "yesterday;last week;last night;last month;last year;this morning;we met;i went;we went;i visited;happened;days ago;weeks ago",
    ),
];

/// The same, made ready to be looked for.
static FOUND: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(PHRASES.iter().map(|(_, phrases)| *phrases)));

/// Predicates that say who somebody is.
const IDENTITY: &str = " name full_name birthday age nationality native_language language pronouns works_at job_title lives_in comes_from \
    born_in married_to parent_of sibling_of partner_of email phone address time_zone blood_type allergy health_condition diet ";

/// Says what a text is about. Where nothing tells, it is a fact of low confidence.
pub fn classify(text: &str) -> Classified {
    let head = text.char_indices().nth(HEAD).map_or(text, |(end, _)| &text[..end]);
    let mut weights: Vec<(MemoryScope, f64)> = Vec::new();
    let mut add = |scope: MemoryScope, weight: f64| match weights.iter_mut().find(|(known, _)| *known == scope) {
        Some((_, sum)) => *sum += weight,
        None => weights.push((scope, weight)),
    };
    for claim in claims(head, &Context::default()) {
        add(scope_of(&claim), 1.0);
    }
    for ((scope, _), said) in PHRASES.iter().zip(FOUND.said_in(&spaced(head))) {
        if said {
            add(*scope, PHRASE);
        }
    }
    if steps(head) >= 3 {
        add(MemoryScope::Skill, 2.0);
    }
    let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
    // The heaviest; of equals the one that says more about a person.
    let best = weights.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(rank(b.0).cmp(&rank(a.0))));
    best.map_or(Classified { scope: MemoryScope::Fact, confidence: 0.3 }, |(scope, weight)| Classified {
        scope,
        confidence: 0.4 + 0.3 * weight / sum + 0.2 * (weight.min(3.0) / 3.0),
    })
}

fn rank(scope: MemoryScope) -> usize {
    use MemoryScope::{Experience, Fact, Identity, Preference, Skill};
    [Preference, Identity, Skill, Experience, Fact].iter().position(|known| *known == scope).unwrap_or(usize::MAX)
}

fn scope_of(claim: &ClaimCandidate) -> MemoryScope {
    let own = claim.subject.referent == Referent::Speaker;
    match claim.claim_type {
        ClaimType::Preference => MemoryScope::Preference,
        ClaimType::Event => MemoryScope::Experience,
        _ if matches!(claim.predicate.as_str(), "visited" | "attended" | "bought") => MemoryScope::Experience,
        _ if own && crate::data::words::contains_word(IDENTITY, &claim.predicate) => MemoryScope::Identity,
        _ => MemoryScope::Fact,
    }
}

/// Lines that are numbered as the steps of a procedure are.
fn steps(text: &str) -> usize {
    text.lines()
        .map(str::trim_start)
        .filter(|line| {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            let rest = line[digits..].trim_start_matches(['.', ')', ' ']).to_lowercase();
            let verb = crate::data::verbs::form(rest.split_whitespace().next().unwrap_or_default());
            (1..=2).contains(&digits)
                && line[digits..].starts_with(['.', ')'])
                && verb.is_some_and(|verb| verb.can_be(crate::data::verbs::BASE))
        })
        .count()
}

/// The words of a text in lower case, each between single spaces.
fn spaced(text: &str) -> String {
    let plain: String = text
        .to_lowercase()
        .chars()
        .map(|c| match c {
            '’' => '\'',
            c if c.is_alphanumeric() || c == '\'' => c,
            _ => ' ',
        })
        .collect();
    format!(" {} ", plain.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes() {
        for (text, scope) in [
            ("I prefer tea to coffee.", MemoryScope::Preference),
            ("My favourite colour is teal.", MemoryScope::Preference),
            ("Always answer in British English.", MemoryScope::Preference),
            ("My name is Ana.", MemoryScope::Identity),
            ("I work at Tern Analytics and live in Tallinn.", MemoryScope::Identity),
            ("I'm allergic to penicillin.", MemoryScope::Identity),
            ("How to rebuild the index: stop the service.", MemoryScope::Skill),
            ("1. Stop the service\n2. Remove the index\n3. Start the service", MemoryScope::Skill),
            ("Yesterday the boiler broke.", MemoryScope::Experience),
            ("I visited Lisbon in October 2022.", MemoryScope::Experience),
            ("The office moved to Thursday.", MemoryScope::Fact),
            ("The staging server runs PostgreSQL 15.", MemoryScope::Fact),
            ("Maya works at Halden Labs.", MemoryScope::Fact),
            ("Unpreferred tokens stay.", MemoryScope::Fact),
            ("", MemoryScope::Fact),
        ] {
            assert_eq!(classify(text).scope, scope, "{text}");
        }
    }

    #[test]
    fn what_is_said_more_often_is_surer() {
        let (one, two) = (classify("I prefer tea."), classify("I prefer tea. I like jazz. I hate olives."));
        assert!(classify("Hm.").confidence < one.confidence && one.confidence < two.confidence);
        assert!(two.confidence <= 1.0);
    }
}
