//! Ports: `listens on port 9100`, `is served on port 8080`.

use crate::clause::Said;
use crate::data::frames::Who;
use crate::mention::{self, Voices};
use crate::noun::{Np, Words};
use crate::verb::VerbGroup;
use um_model::belief::{CandidateObject, ValueKind};

/// Reads on which port something can be reached.
pub(crate) fn port(
    words: &Words<'_>,
    subjects: &[Np],
    verb: &VerbGroup,
    voices: &Voices<'_>,
) -> Option<(Vec<Said>, usize)> {
    let serves = matches!(verb.lemma, "listen" | "run" | "serve" | "bind" | "use" | "expose" | "be" | "start");
    let at = verb.end + usize::from(words.any(verb.end, " on at to "));
    let number = words.lower(at + 1);
    let valid = number.parse::<u16>().is_ok_and(|port| port > 0);
    if !serves
        || verb.unsure
        || words.lower(at) != "port"
        || !valid
        || !words.stop(at + 2) && !words.any(at + 2, " and but by ")
    {
        return None;
    }
    let who = subjects.first().and_then(|np| mention::subject(words, np, voices, Who::System, false, false))?;
    let object = CandidateObject::Value { text: number.to_owned(), kind: ValueKind::Text };
    let said = Said::new(who, "port", object, 0.9).denied(verb.negated || verb.ended);
    Some((vec![said], at + 2))
}
