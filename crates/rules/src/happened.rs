//! What a speaker did on a day that they name: kept in their own words, where no frame knows it better.

use crate::clause::{Clause, Said, place_in_time};
use crate::complement::{Complement, Part, complement, doing};
use crate::data::frames::Who;
use crate::data::verbs::{PARTICIPLE, PAST};
use crate::data::words::{INDEFINITE, contains_word};
use crate::mention::{self, Voices, Wanted};
use crate::noun::{Np, Words};
use crate::time::{Relation, Time};
use crate::verb::{Tense, VerbGroup, Voice};
use um_model::belief::{CandidateObject, Referent, ValueKind};

/// What is done once or a few times in a life, and told of years later. What somebody took part in, won or finished has
/// frames of its own; an outing, a meal cooked or hair dyed is not kept.
const DEEDS: &str = " apply audition climb compete convert defend elope emigrate enlist enroll exhibit graduate immigrate launch pass patent \
    propose publish qualify register retire submit ";

/// What one passes and tells of.
const PASSED: &str =
    " exam exams examination test tests interview interviews audition course certification bar inspection ";

/// Reads `I passed the bar exam last Friday`; none where no day is named or nothing is told.
pub(crate) fn happened(clause: &Clause<'_, '_>) -> Option<(Vec<Said>, usize)> {
    let Clause { words, subjects, verb, leading, voices, today, .. } = *clause;
    let turned = verb.voice == Voice::Passive
        && words.lower(verb.main.saturating_sub(1)) != "been"
        && words.any(verb.main, " promoted hired accepted engaged married fired elected nominated drafted admitted ");
    let past = matches!(verb.tense, Tense::Past | Tense::Perfect)
        && !verb.progressive
        && (verb.voice == Voice::Active || turned);
    if !past || verb.unsure || verb.negated || verb.ended || verb.turning || verb.can {
        return None;
    }
    let subject =
        subjects.iter().find_map(|np| mention::subject(words, np, voices, Wanted::one(Who::Being).or_us()))?;
    if subject.referent != Referent::Speaker {
        return None;
    }
    let follows = complement(words, verb.end, today);
    if let Some(place) = trip(words, verb, &follows) {
        let place = crate::clause::object_of(words, place, "visited", voices)?;
        let mut said = Said::new(subject, "visited", place, 0.8);
        for part in &follows.parts {
            if let Part::Time(time) = part {
                place_in_time(words, &mut said, time, false, verb);
            }
        }
        leading.into_iter().for_each(|time| place_in_time(words, &mut said, time, false, verb));
        return Some((vec![said], follows.end));
    }
    let times = || {
        follows.parts.iter().filter_map(|part| match part {
            Part::Time(time) => Some(time),
            _ => None,
        })
    };
    let dated = leading.into_iter().chain(times()).any(|time| time.relation == Relation::At && time.when.is_some());
    // `signed up for a pottery class`
    let signed = verb.lemma == "sign" && words.any(verb.end, " up on off ");
    // `drafted by a team`
    let nobody = words.lower(verb.end) == "by" && words.is(verb.end + 1, INDEFINITE);
    let turned = turned && !nobody;
    // `we submitted it` is not the speaker's alone, and one passes a bakery as well as an exam.
    let ours = subjects.iter().any(|np| words.lower(np.head) == "we");
    let known = verb.lemma != "pass" || (verb.end..follows.end).any(|at| words.any(at, PASSED));
    let deed = turned || (contains_word(DEEDS, verb.lemma) && known || signed) && !ours;
    let told = words.tokens[verb.main].verb.is_some_and(|form| form.can_be(PAST | PARTICIPLE));
    if !dated && !turned || !follows.clean || !deed || !told {
        return None;
    }
    let alone = turned
        || matches!(verb.lemma, "graduate" | "retire" | "propose" | "enlist" | "elope" | "emigrate" | "immigrate");
    let object = follows.parts.iter().any(|part| matches!(part, Part::Object(_) | Part::Linked(..)));
    let end = doing(words, verb.main).filter(|end| *end > verb.end && object || alone)?;
    let first = if turned && words.any(verb.main - 1, " got was were been ") { verb.main - 1 } else { verb.main };
    let text = words.slice(first..end);
    let mut said = Said::new(subject, "did", CandidateObject::Value { text, kind: ValueKind::Text }, 0.7);
    for time in leading.into_iter().chain(times()) {
        place_in_time(words, &mut said, time, false, verb);
    }
    Some((vec![said], follows.end.max(end)))
}

/// What people do again and again for its own sake.
const HOBBIES: &str = " dance paint write sing swim run surf climb knit crochet bake cook garden blog vlog stream skate ski snowboard act sculpt draw \
    photograph meditate journal hike camp fish sew kayak cycle box row sail dive compose rap ";

/// Reads `I've been surfing for five years` and `she swims every morning`.
pub(crate) fn practised(clause: &Clause<'_, '_>) -> Option<(Vec<Said>, usize)> {
    let Clause { words, subjects, verb, leading, voices, today, .. } = *clause;
    let steady =
        verb.progressive == (verb.tense == Tense::Perfect) && matches!(verb.tense, Tense::Perfect | Tense::Present);
    let doubtful = verb.unsure || verb.negated || verb.ended || verb.can;
    if !steady || doubtful || verb.voice != Voice::Active || !contains_word(HOBBIES, verb.lemma) {
        return None;
    }
    let follows = complement(words, verb.end, today);
    let parts = follows.parts.iter().filter_map(|part| match part {
        Part::Time(time) => Some(time),
        _ => None,
    });
    let times: Vec<&Time> = parts.chain(leading).collect();
    let lasting = times.iter().any(|time| match time.relation {
        Relation::Since | Relation::For | Relation::Other => verb.progressive,
        Relation::Schedule => true,
        _ => false,
    });
    let end = doing(words, verb.main).filter(|_| lasting && follows.clean)?;
    let rest = words.slice(verb.end..end);
    let name = crate::data::verbs::ing(verb.lemma);
    let text = if rest.is_empty() { name } else { format!("{name} {rest}") };
    let who = subjects.iter().filter_map(|np| mention::subject(words, np, voices, Wanted::one(Who::Being).or_us()));
    let said: Vec<Said> = who
        .map(|who| {
            let object = CandidateObject::Value { text: text.clone(), kind: ValueKind::Text };
            let mut said = Said::new(who, "practices", object, 0.8);
            times.iter().for_each(|time| place_in_time(words, &mut said, time, false, verb));
            said
        })
        .collect();
    (!said.is_empty()).then_some((said, follows.end))
}

/// `took a short trip to Rome`, `went on a road trip to Oregon`: where to.
fn trip<'a>(words: &Words<'_>, verb: &VerbGroup, follows: &'a Complement) -> Option<&'a Np> {
    let tripped = |np: &Np| {
        contains_word(" trip vacation holiday honeymoon cruise pilgrimage getaway flight ", words.lower(np.head))
    };
    let travels = matches!(verb.lemma, "take" | "go" | "have" | "make")
        && follows.parts.iter().any(|part| match part {
            Part::Object(phrases) | Part::Linked(_, phrases) => phrases.iter().any(tripped),
            _ => false,
        });
    let to = follows.parts.iter().find_map(|part| match part {
        Part::Linked(link, phrases) if words.lower(*link) == "to" => phrases.first(),
        _ => None,
    })?;
    (travels && mention::is_proper(words, to)).then_some(to)
}

/// Verbs of feeling, saying, seeming and helping along: who loves to do so tells nothing particular.
const IDLE: &str = " be have do feel think know want need like love hate enjoy see look watch hear say tell ask talk speak mean seem appear \
    guess hope wish wonder believe realize realise notice remember forget try let get take give keep put set come leave turn happen \
    become stay sit stand wait use work help learn find lose show start begin stop finish miss laugh cry smile thank mention chat text call meet \
    decide plan mind care bring spend manage struggle deal face capture understand appreciate catch check visit ";

/// Reads `I love to hike` and `she prefers to work at night`.
pub(crate) fn fond(
    words: &Words<'_>,
    subjects: &[Np],
    verb: &VerbGroup,
    voices: &Voices<'_>,
) -> Option<(Vec<Said>, usize)> {
    let predicate = match verb.lemma {
        "like" | "love" => "likes",
        "hate" => "dislikes",
        "prefer" => "prefers",
        _ => return None,
    };
    let at = verb.end + 1;
    let done = words.tokens.get(at)?.verb.filter(|done| done.can_be(crate::data::verbs::BASE))?;
    let says = verb.voice == Voice::Active && verb.tense == Tense::Present && !verb.progressive && !verb.unsure;
    if !says || verb.ended || words.lower(verb.end) != "to" || contains_word(IDLE, done.lemma) {
        return None;
    }
    let end = doing(words, at).filter(|end| words.stop(*end) || words.any(*end, " and but because since so "))?;
    let name = crate::data::verbs::ing(done.lemma);
    let rest = words.slice(at + 1..end);
    let text = if rest.is_empty() { name } else { format!("{name} {rest}") };
    let who = subjects.iter().filter_map(|np| mention::subject(words, np, voices, Wanted::one(Who::Being)));
    let said: Vec<Said> = who
        .map(|who| {
            let object = CandidateObject::Value { text: text.clone(), kind: ValueKind::Text };
            Said::new(who, predicate, object, 0.8).denied(verb.negated)
        })
        .collect();
    (!said.is_empty()).then_some((said, end))
}
