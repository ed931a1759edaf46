//! Where something or somebody is reached: `listens on port 9100`, `reach Bogdan at bogdan@kvant.example`.

use crate::clause::Said;
use crate::data::frames::Who;
use crate::mention::{self, Voices, Wanted};
use crate::noun::{Np, Place, Words};
use crate::verb::{VerbGroup, Voice};
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
    let who = subjects.first().and_then(|np| mention::subject(words, np, voices, Wanted::one(Who::System)))?;
    let object = CandidateObject::Value { text: number.to_owned(), kind: ValueKind::Text };
    let said = Said::new(who, "port", object, 0.9).denied(verb.negated || verb.ended);
    Some((vec![said], at + 2))
}

/// Reads `you can reach Bogdan at bogdan@kvant.example`, `call me on 555-0143`.
pub(crate) fn reached(
    words: &Words<'_>,
    subjects: &[Np],
    verb: &VerbGroup,
    voices: &Voices<'_>,
) -> Option<(Vec<Said>, usize)> {
    let calls = matches!(verb.lemma, "reach" | "contact" | "email" | "call" | "phone" | "text");
    let listener = subjects.first().is_some_and(|np| words.any(np.head, " you we people customers "));
    // `Bogdan can be reached at 555-0143`
    let passive = verb.voice == Voice::Passive && verb.can;
    if !calls || !(listener || passive) || verb.negated || verb.ended || verb.unsure {
        return None;
    }
    let (who, end) = if passive {
        (mention::subject(words, subjects.first()?, voices, Wanted::one(Who::Any))?, verb.end)
    } else {
        let np = words.noun_phrase(verb.end, Place::Object)?;
        (mention::entity(words, &np, voices, false)?, np.end)
    };
    let link = words.any(end, " at on via under ").then_some(end + 1)?;
    let address = words.lower(link);
    let digits = address.bytes().filter(u8::is_ascii_digit).count();
    let predicate = if address.contains('@') && address.contains('.') {
        "email"
    } else if digits >= 6 && address.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | '/' | '.')) {
        "phone"
    } else {
        return None;
    };
    let object = CandidateObject::Value { text: words.slice(link..link + 1), kind: ValueKind::Text };
    Some((vec![Said::new(who, predicate, object, 0.9)], link + 1))
}
