//! Decisions and firm plans: `we decided to ship the beta on March 3`, `we chose PostgreSQL for the ledger`.

use crate::clause::{Clause, Said, object_of, place_in_time};
use crate::complement::{Complement, Part, complement};
use crate::data::frames::Who;
use crate::mention::{self, Voices, Wanted};
use crate::noun::Words;
use crate::time::{Relation, Time};
use crate::verb::{Tense, VerbGroup, Voice, verb_group};
use um_model::belief::{CandidateObject, ValueKind};

/// What is done to a thing at a date, and the predicate that says so of the thing.
const DATED: &[(&str, &str)] = &[
    ("ship launch release deploy publish", "ships_on"),
    ("hold schedule move postpone reschedule push shift delay host run", "scheduled_at"),
    ("start begin kick", "starts_on"),
    ("open", "opens_at"),
    ("end finish close stop retire", "ends_on"),
];

/// Verbs of choosing.
const CHOOSE: &str = " choose pick select adopt use ";

/// Reads a decision or a firm plan; gives its claims and where it ends.
pub(crate) fn decision(clause: &Clause<'_, '_>) -> Option<(Vec<Said>, usize)> {
    let Clause { words, subjects, verb, leading, voices, today, .. } = *clause;
    if verb.negated || verb.ended || verb.unsure || verb.voice != Voice::Active {
        return None;
    }
    let decided = words.any(verb.main, " decided agreed voted opted ") && words.lower(verb.end) == "to";
    let done = matches!(verb.tense, Tense::Past | Tense::Perfect)
        && matches!(verb.lemma, "ship" | "launch" | "release" | "postpone" | "reschedule" | "delay")
        && !voices.talk;
    let planned = verb.tense == Tense::Future || verb.progressive || done;
    let chosen = matches!(verb.lemma, "choose" | "pick" | "select" | "adopt")
        && matches!(verb.tense, Tense::Past | Tense::Perfect);
    if decided {
        let inner = verb_group(words, verb.end + 1)
            .filter(|inner| inner.voice == Voice::Active && !inner.unsure && !inner.negated)?;
        let follows = complement(words, inner.end, today);
        if let Some(said) =
            dated(words, inner.lemma, &follows, voices).or_else(|| used_for(words, &inner, &follows, voices))
        {
            return Some((vec![said], follows.end));
        }
        if let Some(said) = taken_up(clause, &inner, &follows) {
            return Some((vec![said], follows.end));
        }
        let weak = words.any(
            inner.main,
            " do go try take make give get keep be stay have let see start come leave say ask put stop ",
        );
        let subject = subjects.first().filter(|_| !weak)?;
        let who = mention::subject(words, subject, voices, Wanted::one(Who::Any).or_us())?;
        if !follows.clean || follows.parts.is_empty() || follows.parts.iter().any(|part| vague(words, part)) {
            return None;
        }
        let object = CandidateObject::Value {
            text: format!("to {}", words.slice(inner.main..follows.end)),
            kind: ValueKind::Text,
        };
        let mut said = Said::new(who, "decided", object, 0.75);
        if let Some(time) = leading {
            place_in_time(words, &mut said, time, false, verb);
        }
        return Some((vec![said], follows.end));
    }
    if !planned && !chosen {
        return None;
    }
    let follows = complement(words, verb.end, today);
    let said =
        if planned { dated(words, verb.lemma, &follows, voices) } else { used_for(words, verb, &follows, voices) }?;
    Some((vec![said], follows.end))
}

/// `decided to use Postgres`, whatever for.
fn taken_up(clause: &Clause<'_, '_>, inner: &VerbGroup, follows: &Complement) -> Option<Said> {
    let Clause { words, subjects, voices, .. } = *clause;
    let ([subject], [Part::Object(things)]) = (subjects, &follows.parts[..]) else { return None };
    let [thing] = &things[..] else { return None };
    let fits = matches!(inner.lemma, "use" | "adopt") && follows.clean && mention::is_proper(words, thing);
    if !fits || voices.talk {
        return None;
    }
    let who = mention::subject(words, subject, voices, Wanted::one(Who::Any).or_us())?;
    Some(Said::new(who, "uses", object_of(words, thing, "uses", voices)?, 0.8))
}

fn vague(words: &Words<'_>, part: &Part) -> bool {
    match part {
        Part::Object(phrases) | Part::Linked(_, phrases) => {
            phrases.iter().any(|np| np.pronoun || mention::is_vague(words, np) && !mention::is_proper(words, np))
        }
        _ => false,
    }
}

/// `ship the beta on March 3`
fn dated(words: &Words<'_>, lemma: &str, follows: &Complement, voices: &Voices<'_>) -> Option<Said> {
    let (_, predicate) = DATED.iter().find(|(verbs, _)| verbs.split(' ').any(|verb| verb == lemma))?;
    let Some(Part::Object(things)) = follows.parts.first() else { return None };
    let thing = mention::entity(words, things.first()?, voices, false)?;
    let times: Vec<&Time> = follows
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Time(time) => Some(time),
            _ => None,
        })
        .collect();
    let first = times.first()?;
    let dated = first.relation == Relation::At && (first.when.is_some() || !first.relative);
    if !follows.clean || !dated && first.relation != Relation::Schedule {
        return None;
    }
    let object = CandidateObject::Value {
        text: first.text(words),
        kind: if first.when.is_some() { ValueKind::Date } else { ValueKind::Text },
    };
    Some(Said::new(thing, predicate, object, 0.9))
}

/// `use PostgreSQL for the ledger`, `go with Stripe for payments`
fn used_for(words: &Words<'_>, verb: &VerbGroup, follows: &Complement, voices: &Voices<'_>) -> Option<Said> {
    let (thing, rest) = match (&follows.parts[..], verb.lemma) {
        ([Part::Object(things), rest @ ..], lemma) if CHOOSE.split(' ').any(|verb| verb == lemma) => {
            (things.first()?, rest)
        }
        ([Part::Linked(link, things), rest @ ..], "go") if words.lower(*link) == "with" => (things.first()?, rest),
        _ => return None,
    };
    let Some(Part::Linked(link, purposes)) = rest.first() else { return None };
    let purpose = purposes.first()?;
    if !words.any(*link, " for in as ") || !follows.clean || words.lower(*link) == "as" {
        return None;
    }
    let subject = mention::entity(words, purpose, voices, true)?;
    Some(Said::new(subject, "uses", object_of(words, thing, "uses", voices)?, 0.85))
}
