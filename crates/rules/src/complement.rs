//! What follows a verb: objects, phrases with prepositions, adjuncts of time.

use crate::data::verbs::{BASE, ING};
use crate::data::words::{
    ADVERB, CONJUNCTION, DET, NEGATION, NUMBER, PREPOSITION, QUESTION, RELATIVE, SUBORDINATOR, UNIT,
};
use crate::noun::{Det, Np, Owner, Place, Words};
use crate::time::{Time, time_at};
use crate::token::Shape;
use jiff::civil::Date;

/// One part of what follows a verb.
#[derive(Debug, Clone)]
pub(crate) enum Part {
    /// Objects without a preposition: `Dutch and Portuguese`.
    Object(Vec<Np>),
    /// A preposition's token, and its objects.
    Linked(usize, Vec<Np>),
    /// A small word that belongs to the verb: `up`, `out`.
    Particle,
    /// When.
    Time(Time),
    /// A `to` with a verb behind it.
    Infinitive,
}

/// All that follows a verb in its clause.
#[derive(Debug, Clone)]
pub(crate) struct Complement {
    /// Its parts, in their order.
    pub parts: Vec<Part>,
    /// One past its last token.
    pub end: usize,
    /// Whether it ends where a clause can end.
    pub clean: bool,
}

/// Reads what follows a verb from `at` on.
pub(crate) fn complement(words: &Words<'_>, at: usize, today: Option<Date>) -> Complement {
    let mut parts = Vec::new();
    let mut at = at;
    while at < words.tokens.len() && parts.len() < 12 {
        if let Some(time) = time_at(words, at, today) {
            at = time.end;
            parts.push(Part::Time(time));
            continue;
        }
        // `due March 3`
        let due = parts.is_empty() && at > 0 && words.lower(at - 1) == "due";
        if let Some(time) = due.then(|| crate::attribute::bare_date(words, at)).flatten() {
            at = time.end;
            parts.push(Part::Time(time));
            continue;
        }
        // `in Porto, Portugal, since May`: a comma before an adjunct of time.
        if words.lower(at) == ","
            && let Some(time) = time_at(words, at + 1, today).filter(|time| !words.finite(time.end))
        {
            at = time.end;
            parts.push(Part::Time(time));
            continue;
        }
        let fresh = !parts.iter().any(|part| matches!(part, Part::Object(_) | Part::Linked(..)));
        // `won first prize`
        let ordinal = words.lower(at) == "first" && !words.stop(at + 1) && !words.is(at + 1, PREPOSITION | CONJUNCTION);
        let idle = words.is(at, ADVERB)
            && !words.is(at, NEGATION | PREPOSITION)
            && !words.capital(at)
            && !ordinal
            && !before_noun(words, at);
        if idle && words.tokens[at].verb.is_none() {
            at += 1;
            continue;
        }
        // `moved back to Ghent`
        if parts.is_empty() && words.any(at, " back ") && words.lower(at + 1) == "to" && !verb_follows(words, at + 2) {
            at += 1;
            continue;
        }
        // `doesn't live in Madrid any more`
        if words.lower(at) == "any"
            && words.any(at + 1, " more longer ")
            && (words.stop(at + 2) || words.is(at + 2, CONJUNCTION))
        {
            at += 2;
            continue;
        }
        if words.lower(at) == "to" && verb_follows(words, at + 1) {
            parts.push(Part::Infinitive);
            break;
        }
        if let Some(Part::Object(phrases)) = parts.last_mut()
            && let Some(price) = phrases.last_mut().filter(|price| price.end == at && is_rate(words, at))
        {
            (price.name.end, price.end) = (at + 2, at + 2);
            at += 2;
            continue;
        }
        // `at least 4 GB`
        let least = fresh && words.lower(at) == "at" && words.any(at + 1, " least most ");
        if least
            && words.is(at + 2, NUMBER) | words.tokens.get(at + 2).is_some_and(|token| token.shape == Shape::Number)
        {
            let (mut amounts, end) = phrases(words, at + 2);
            if let Some(first) = amounts.first_mut() {
                (first.start, first.name.start) = (at, at);
                parts.push(Part::Object(amounts));
                at = end;
                continue;
            }
        }
        if words.is(at, PREPOSITION) && !words.capital(at) {
            let link = at;
            // `backed up every night`
            if words.any(at, " up out off down away ") && time_at(words, at + 1, today).is_some() {
                parts.push(Part::Particle);
                at += 1;
                continue;
            }
            let from = at + usize::from(words.lower(at) == "next" && words.lower(at + 1) == "to");
            let (phrases, end) = phrases(words, from + 1);
            if phrases.is_empty() {
                if words.is(at, SUBORDINATOR) {
                    break;
                }
                parts.push(Part::Particle);
                at += 1;
            } else {
                parts.push(Part::Linked(link, phrases));
                // `in Lima, Peru`
                let country = words.lower(end) == ","
                    && words.capital(end + 1)
                    && crate::data::names::is_place(words.lower(end + 1))
                    && words.stop(end + 2);
                let time = country && words.lower(end + 2) == "," && time_at(words, end + 3, today).is_some();
                at = if country { end + 2 + usize::from(time) } else { end };
            }
            continue;
        }
        if !fresh {
            break;
        }
        let (phrases, end) = phrases(words, at);
        if phrases.is_empty() {
            break;
        }
        parts.push(Part::Object(phrases));
        at = end;
    }
    let clean = words.stop(at)
        || words.is(at, CONJUNCTION | SUBORDINATOR | RELATIVE | QUESTION)
        || words.lower(at) == "to"
        || gerund(words, at);
    Complement { parts, end: at, clean }
}

/// `a year` in `12 euros a year`, `per month` in `$12 per month`.
fn is_rate(words: &Words<'_>, at: usize) -> bool {
    let money =
        at > 0 && (crate::values::is_currency(words.lower(at - 1)) || words.lower(at - 1).starts_with(['$', '€', '£']));
    let unit =
        words.is(at + 1, UNIT) || words.any(at + 1, " night person head piece user seat kilo kg litre liter lesson ");
    money && unit && words.any(at, " a an per each ")
}

/// `enjoys long walks`: an adjective that could be an adverb, before a noun.
fn before_noun(words: &Words<'_>, at: usize) -> bool {
    use crate::data::words::{ADJECTIVE, CLOSED};
    words.is(at, ADJECTIVE)
        && words.tokens.get(at + 1).is_some_and(|next| next.is_word() && !next.is(CLOSED | ADVERB | UNIT | ADJECTIVE))
        && time_at(words, at + 1, None).is_none()
}

fn verb_follows(words: &Words<'_>, at: usize) -> bool {
    let at = at + usize::from(words.is(at, ADVERB) && words.tokens[at].verb.is_none());
    words.tokens.get(at).and_then(|token| token.verb).is_some_and(|verb| verb.can_be(BASE)) && !words.capital(at)
}

fn gerund(words: &Words<'_>, at: usize) -> bool {
    words.tokens.get(at).and_then(|token| token.verb).is_some_and(|verb| verb.can_be(ING))
}

/// Noun phrases joined by commas and `and`, and where they end.
pub(crate) fn phrases(words: &Words<'_>, at: usize) -> (Vec<Np>, usize) {
    let mut found: Vec<Np> = Vec::new();
    let Some(first) = phrase(words, at) else { return (found, at) };
    let mut end = first.end.max(at);
    let (det, owner, gerund) = (first.det, first.owner.clone(), first.gerund);
    found.push(first);
    let mut pending = Vec::new();
    let mut next = end;
    loop {
        let comma = usize::from(words.lower(next) == ",");
        let as_well = (0..3).all(|step| words.lower(next + comma + step) == ["as", "well", "as"][step]);
        let and = if as_well { 3 } else { usize::from(words.any(next + comma, " and & or nor ")) };
        if comma + and == 0 {
            break;
        }
        let from = next + comma + and;
        // `climbing, chess and old films`: one doing by itself is as good as a thing.
        let alone = |np: &Np| np.gerund && np.name.len() == 1;
        let mixed = |np: &Np| alone(np) || found.iter().chain(&pending).all(|np| alone(np) || !np.gerund) && !np.gerund;
        let Some(mut np) = phrase(words, from).filter(|np| np.gerund == gerund || mixed(np)) else { break };
        // In `my films and games` and `the color and texture` the first word points for both.
        if np.det == Det::None && np.owner == Owner::None && !words.capital(np.name.start) {
            (np.det, np.owner) = (det, owner.clone());
        }
        // What a verb follows is the subject of a clause of its own.
        if words.finite(np.end) || words.lower(np.end) == "'s" || np.pronoun || clause_begins(words, from) {
            break;
        }
        next = np.end;
        pending.push(np);
        if and > 0 {
            found.append(&mut pending);
            end = next;
            if words.lower(next) != "," {
                break;
            }
        }
    }
    (found, end)
}

/// Words in `ing` that are no doing.
const NO_DOING: &str = " evening morning thing something anything nothing everything building wedding ceiling spring string clothing pudding sibling \
    darling feeling feelings meeting earring lightning offspring sterling stocking dressing painting drawing ";

/// How many words `a bit of`, `a little` before a language are.
fn amount(words: &Words<'_>, at: usize) -> usize {
    let some = words.lower(at) == "a" && words.any(at + 1, " bit little ");
    let of = usize::from(words.lower(at + 2) == "of");
    let language = crate::data::names::is_language(words.lower(at + 2 + of)) && words.capital(at + 2 + of);
    if some && language { 2 + of } else { 0 }
}

/// A noun phrase, or what somebody does: `playing the cello in an orchestra`.
fn phrase(words: &Words<'_>, at: usize) -> Option<Np> {
    let at = at + amount(words, at);
    let np = words.noun_phrase(at, Place::Object)?;
    let opens = np.det == Det::None && np.owner == Owner::None && !np.pronoun && np.called.is_none();
    let unknown = words.lower(at).len() > 5
        && words.lower(at).ends_with("ing")
        && np.name.len() == 1
        && words.is(np.end, PREPOSITION);
    let verb = (words.can_ing(at) || unknown && !words.any(at, NO_DOING)) && !words.capital(at);
    // `running shoes` is a thing, but `running.` and `running in the rain` are not.
    if !opens || !verb || at != np.name.start {
        return Some(np);
    }
    let end = doing(words, at)?;
    Some(Np { end, name: at..end, gerund: true, head: at, ..np })
}

/// Where `playing the cello in an orchestra` ends; none where it points at what is not named.
pub(crate) fn doing(words: &Words<'_>, verb: usize) -> Option<usize> {
    let mut end = verb + 1;
    // `learning how to play the piano`, `learning to cook`
    let to = end + usize::from(words.lower(end) == "how");
    if words.lower(to) == "to" && verb_follows(words, to + 1) && words.any(verb, " learn learning learned teaching ") {
        return doing(words, to + 1);
    }
    if words.any(end, " up out off on in down away around along back together outside outdoors ")
        && (words.stop(end + 1) || words.is(end + 1, PREPOSITION | ADVERB | CONJUNCTION))
    {
        end += 1;
    }
    for step in 0..4 {
        let linked =
            usize::from(words.is(end, PREPOSITION) && !words.capital(end) && time_at(words, end, None).is_none());
        // `prefers cycling to driving` compares two.
        let other = words.lower(end + 1);
        let compared =
            words.any(end, " to over ") && (words.can_ing(end + 1) || other.len() > 5 && other.ends_with("ing"));
        if linked == 0 && step > 0 || compared {
            break;
        }
        let Some(np) = words.noun_phrase(end + linked, Place::Object) else {
            return if linked == 1 && !words.stop(end + 1) { None } else { Some(end) };
        };
        let people = linked == 1 && words.any(np.head, " people friends family ");
        let vague = crate::mention::is_vague(words, &np) && !crate::mention::is_proper(words, &np) && !people;
        if np.pronoun || vague || np.det == Det::Pointing || matches!(np.owner, Owner::Listener | Owner::Pronoun(_)) {
            return None;
        }
        end = np.end;
        // `took my family camping in the mountains`
        if step == 0 && linked == 0 && words.can_ing(end) {
            return doing(words, end);
        }
        while words.any(end, " and , ") {
            let more = words.noun_phrase(end + 1, Place::Object).filter(|np| !np.pronoun && words.lower(end) == "and");
            let Some(more) = more.filter(|np| !words.finite(np.end) && !words.can_ing(end + 1)) else { break };
            end = more.end;
        }
    }
    Some(end)
}

/// Whether a verb with its own objects begins here: `and works at`.
fn clause_begins(words: &Words<'_>, at: usize) -> bool {
    words.tokens.get(at).and_then(|token| token.verb).is_some_and(|verb| {
        use crate::data::verbs::{PAST, THIRD};
        !words.capital(at)
            && (verb.can_be(THIRD | PAST) || verb.can_be(BASE))
            && !verb.can_be(ING)
            && (followed_by_object(words, at + 1) || verb.can_be(THIRD) && says_something(words, at, verb.lemma))
    })
}

/// `and loves limes`: a verb that frames know, before a word that is no verb.
fn says_something(words: &Words<'_>, at: usize, lemma: &str) -> bool {
    let noun = words.tokens.get(at + 1).is_some_and(|next| next.is_word() && !next.is(CONJUNCTION));
    noun && crate::data::frames::frames_of(lemma, crate::verb::Voice::Active).next().is_some()
}

fn followed_by_object(words: &Words<'_>, at: usize) -> bool {
    use crate::data::words::POSSESSIVE;
    words.is(at, PREPOSITION | DET | POSSESSIVE | NUMBER) || words.capital(at)
}
