//! `I'd rather have tea than coffee`, `I like trains better than planes`: which of two somebody prefers.

use crate::clause::Said;
use crate::complement::phrases;
use crate::data::frames::Who;
use crate::data::words::{CONJUNCTION, PREPOSITION};
use crate::mention::{self, Voices, Wanted};
use crate::noun::{Det, Np, Owner, Words};
use um_model::belief::{CandidateObject, ValueKind};

/// Verbs that say no more than that one would have it.
const HAVING: &str = " have take drink eat get use choose pick wear read watch play buy ";

/// Reads a comparison whose verb begins at `at`; gives the claims and where they end.
pub(crate) fn compared(
    words: &Words<'_>,
    subjects: &[Np],
    at: usize,
    voices: &Voices<'_>,
) -> Option<(Vec<Said>, usize)> {
    let rather = words.any(at, " would 'd ") && words.lower(at + 1) == "rather";
    let had = |at: usize| at + usize::from(words.any(at, HAVING));
    // `I'd prefer the aisle seat over the window seat`
    let would = words.any(at, " would 'd ") && words.any(at + 1, " prefer choose pick take ");
    let from = if rather {
        had(at + 2)
    } else if would {
        at + 2
    } else if words.any(at, " like likes love loves enjoy enjoys prefer prefers ") {
        at + 1
    } else {
        return None;
    };
    let wanted = one(words, from)?;
    let more = usize::from(!rather && words.any(wanted.end, " better more "));
    // `would rather`, `like … better`: without either nothing is compared.
    let compares = if would {
        more == 0
            && (words.lower(wanted.end) == "over" || words.lower(at + 1) == "prefer" && words.lower(wanted.end) == "to")
    } else {
        words.lower(wanted.end + more) == "than" && (rather || more > 0)
    };
    if !compares {
        return None;
    }
    let other = one(words, had(wanted.end + more + 1))?;
    let always = words.any(other.end, " any every ") && words.any(other.end + 1, " day time ");
    if !words.stop(other.end) && !words.is(other.end, CONJUNCTION | PREPOSITION) && !always {
        return None;
    }
    let who = subjects.iter().filter_map(|np| mention::subject(words, np, voices, Wanted::one(Who::Being)));
    let said: Vec<Said> = who
        .map(|who| {
            let object = CandidateObject::Value { text: words.slice(wanted.name.clone()), kind: ValueKind::Text };
            let mut said = Said::new(who, "prefers", object, 0.85);
            said.qualifiers.insert("over".into(), words.slice(other.name.clone()));
            said
        })
        .collect();
    (!said.is_empty()).then_some((said, other.end))
}

/// One thing, or one doing, that stands for its kind.
fn one(words: &Words<'_>, at: usize) -> Option<Np> {
    let (found, _) = phrases(words, at);
    let [np] = &found[..] else { return None };
    let mut np = np.clone();
    // `tea better than` may be read as one thing.
    let last = np.name.end - 1;
    if np.name.len() > 1 && words.any(last, " better more ") && words.lower(np.name.end) == "than" {
        (np.name.end, np.end, np.head) = (last, last, last - 1);
    }
    let clear = !np.pronoun && np.owner == Owner::None && np.det != Det::Pointing && !mention::is_vague(words, &np);
    clear.then_some(np)
}
