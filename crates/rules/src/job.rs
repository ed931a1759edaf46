//! What was taken up and given up: `quit her job at Pinnacle`, `got a job as a nurse at St. Anne`, `switched from
//! Slack to Teams`.

use crate::clause::{Clause, Said, is_acronym, object_of, place_in_time};
use crate::complement::{Part, complement};
use crate::data::frames::Who;
use crate::data::nouns;
use crate::mention::{self, Wanted};
use crate::noun::{Np, Owner, Place, Words};
use crate::time::time_at;
use crate::verb::{Tense, VerbGroup, Voice};
use um_model::belief::{CandidateObject, EntityType, Mention, ValueKind};

/// Nouns for a job.
const JOBS: &str = " job position post role internship gig ";

/// Reads where somebody took up or gave up a job; gives the claims and where they end.
pub(crate) fn job(clause: &Clause<'_, '_>) -> Option<(Vec<Said>, usize)> {
    let Clause { words, subjects, verb, leading, voices, today, .. } = *clause;
    let ended = matches!(verb.lemma, "quit" | "leave" | "lose" | "resign");
    let begun = matches!(verb.lemma, "start" | "begin" | "get" | "land" | "take" | "accept" | "find");
    let held = verb.lemma == "have";
    let past = matches!(verb.tense, Tense::Past | Tense::Perfect);
    if verb.voice != Voice::Active || verb.unsure || verb.negated || !(ended || begun || held) || !held && !past {
        return None;
    }
    let follows = complement(words, verb.end, today);
    let linked = |links: &'static str| {
        follows.parts.iter().find_map(|part| match part {
            Part::Linked(link, phrases) if words.any(*link, links) => phrases.first().filter(|np| !np.pronoun),
            _ => None,
        })
    };
    let job = follows.parts.iter().find_map(|part| match part {
        Part::Object(phrases) => phrases.first(),
        _ => None,
    });
    let own = |np: &&Np| !matches!(np.owner, Owner::Listener | Owner::Named(_));
    let job = job.filter(own).filter(|np| follows.clean && words.any(np.head, JOBS))?;
    let place = linked(" at with ").filter(|place| mention::is_proper(words, place))?;
    let object = object_of(words, place, "works_at", voices)?;
    let role = linked(" as ").map(|np| words.slice(np.name.clone()));
    // `her old job` was over before.
    if words.any(job.name.start, " old former previous dream ") && !ended {
        return None;
    }
    let who = subjects.iter().filter_map(|np| mention::subject(words, np, voices, Wanted::one(Who::Being).or_us()));
    let said: Vec<Said> = who
        .map(|who| {
            let mut said = Said::new(who, "works_at", object.clone(), 0.85).denied(ended);
            let times = follows.parts.iter().filter_map(|part| match part {
                Part::Time(time) => Some(time),
                _ => None,
            });
            for time in times.chain(leading) {
                let verb = VerbGroup { begun, ..verb.clone() };
                place_in_time(words, &mut said, time, begun || held, &verb);
            }
            if let Some(role) = &role {
                said.qualifiers.insert("role".into(), role.clone());
            }
            said
        })
        .collect();
    (!said.is_empty()).then_some((said, follows.end))
}

/// Reads `we migrated from Heroku to AWS in 2022`, `we replaced Redis with Valkey`.
pub(crate) fn switched(clause: &Clause<'_, '_>) -> Option<(Vec<Said>, usize)> {
    let Clause { words, subjects, verb, leading, voices, today, .. } = *clause;
    let past = matches!(verb.tense, Tense::Past | Tense::Perfect) && verb.voice == Voice::Active;
    let [subject] = subjects else { return None };
    if !past || verb.unsure || verb.negated || verb.ended || verb.progressive {
        return None;
    }
    let follows = complement(words, verb.end, today);
    let linked = |link: &str| {
        follows.parts.iter().find_map(|part| match part {
            Part::Linked(at, phrases) if words.lower(*at) == link => phrases.first(),
            _ => None,
        })
    };
    let named = |np: &&Np| !np.pronoun && np.owner == Owner::None && mention::is_proper(words, np);
    let times = || {
        let inner = follows.parts.iter().filter_map(|part| match part {
            Part::Time(time) => Some(time),
            _ => None,
        });
        inner.chain(leading)
    };
    if !follows.clean {
        return None;
    }
    if verb.lemma == "replace" && words.any(subject.head, " we i they ") {
        let old = follows.parts.iter().find_map(|part| match part {
            Part::Object(phrases) => phrases.first(),
            _ => None,
        });
        let (old, new) = (old.filter(named)?, linked("with").filter(named)?);
        let who = mention::entity(words, new, voices, false)?;
        let mut said = Said::new(who, "replaced", object_of(words, old, "replaced", voices)?, 0.85);
        times().for_each(|time| place_in_time(words, &mut said, time, false, verb));
        return Some((vec![said], follows.end));
    }
    // `moved from AWS to GCP`, but not `moved from Lyon to Ghent`
    let tools = ["from", "to"].iter().any(|link| linked(link).is_some_and(|np| is_acronym(words, np)));
    let switches = matches!(verb.lemma, "migrate" | "switch" | "change") || verb.lemma == "move" && tools;
    if !switches || voices.talk {
        return None;
    }
    let who = mention::subject(words, subject, voices, Wanted::one(Who::Any).or_us())?;
    let (old, new) = (linked("from").filter(named)?, linked("to").filter(named)?);
    let mut now = Said::new(who.clone(), "uses", object_of(words, new, "uses", voices)?, 0.8);
    let begun = VerbGroup { begun: true, ..verb.clone() };
    times().for_each(|time| place_in_time(words, &mut now, time, true, &begun));
    let then = Said::new(who, "uses", object_of(words, old, "uses", voices)?, 0.8).denied(true);
    Some((vec![now, then], follows.end))
}

/// Reads `the board elected Miriam Katz as treasurer`, `Acme appointed Rolf Steen CFO in 2021`.
pub(crate) fn chosen(clause: &Clause<'_, '_>) -> Option<(Vec<Said>, usize)> {
    let Clause { words, subjects, verb, leading, voices, today, .. } = *clause;
    let past = matches!(verb.tense, Tense::Past | Tense::Perfect) && verb.voice == Voice::Active;
    let chooses = matches!(verb.lemma, "elect" | "appoint" | "name" | "promote" | "hire");
    let [subject] = subjects else { return None };
    if !past || !chooses || verb.unsure || verb.negated || verb.ended || verb.progressive {
        return None;
    }
    let whole = words.noun_phrase(verb.end, Place::Object).filter(|np| !np.pronoun && mention::is_proper(words, np))?;
    let (who, role) = parted(words, &whole)?;
    let title = words.slice(role.name.clone());
    let person = Mention { entity_type: EntityType::Person, ..mention::entity(words, &who, voices, false)? };
    let firm = mention::is_proper(words, subject).then(|| mention::entity(words, subject, voices, false)).flatten();
    let firm = firm.filter(|firm| firm.entity_type != EntityType::Person);
    let mut said = match firm {
        Some(firm) => {
            let firm = Mention { entity_type: EntityType::Organization, ..firm };
            let mut said = Said::new(person, "works_at", CandidateObject::Entity(firm), 0.85);
            said.qualifiers.insert("role".into(), title);
            said
        }
        None => Said::new(person, "job_title", CandidateObject::Value { text: title, kind: ValueKind::Text }, 0.8),
    };
    let mut end = role.end;
    let begun = VerbGroup { begun: true, ..verb.clone() };
    while let Some(time) = time_at(words, end, today) {
        place_in_time(words, &mut said, &time, true, &begun);
        end = time.end;
    }
    if let Some(time) = leading {
        place_in_time(words, &mut said, time, true, &begun);
    }
    Some((vec![said], end))
}

/// Somebody and what they are chosen for: `Miriam Katz as treasurer`, `Rolf Steen CFO`.
fn parted(words: &Words<'_>, whole: &Np) -> Option<(Np, Np)> {
    let last = whole.name.end - 1;
    if whole.name.len() > 1 && last == whole.head && nouns::is_role(words.lower(last)) {
        let who = Np { end: last, name: whole.name.start..last, head: last - 1, ..whole.clone() };
        let role = Np { start: last, name: last..last + 1, ..whole.clone() };
        return Some((who, role));
    }
    let at = whole.end + usize::from(words.any(whole.end, " as to "));
    let role = words.noun_phrase(at, Place::Object).filter(|np| !np.pronoun && np.owner == Owner::None)?;
    let of = role.name.clone().find(|at| words.lower(*at) == "of").unwrap_or(role.name.end);
    let duty = words.lower(of.saturating_sub(1));
    (nouns::is_role(duty) || duty == "head").then(|| (whole.clone(), role))
}
