//! Which claim a telling is of. What says the same as a claim that is known, but of another time, does not speak for that
//! one: it is a claim of its own, so that the two disagree and the person is asked. Nothing that was told is overwritten.

use super::family::{Told, told_of, written};
use super::names::Resolution;
use super::quotes::is_new_source;
use super::record::{Origin, new_claim, supports};
use super::settle::is_believed;
use crate::error::{Fault, invalid};
use std::collections::BTreeMap;
use um_model::belief::{ClaimCandidate, ExtractionMethod};
use um_model::claims::Claim;
use um_model::{ClaimId, EpochMs};
use um_store::Connection;
use um_store::claims::{self, NewClaim, Window, WindowCause};

/// The claim that a telling is of.
pub(super) struct Place {
    pub(super) claim: ClaimId,
    /// As it was, where it was known.
    pub(super) known: Option<Claim>,
    /// The change of the time in which it is so, where a decision told one.
    pub(super) timed: Option<String>,
}

impl Place {
    fn of(known: Claim) -> Self {
        Self { claim: known.id.clone(), known: Some(known), timed: None }
    }
}

/// Finds or makes the claim that a telling is of.
pub(super) fn place(
    tx: &Connection,
    origin: &Origin<'_>,
    candidate: &ClaimCandidate,
    found: &Resolution,
    now: EpochMs,
) -> Result<Place, Fault> {
    let candidate = &in_words(origin, candidate);
    let new = new_claim(tx, origin, candidate, found)?;
    let known = claims::by_key(tx, origin.space, &new.keys.claim)?;
    if origin.decides.is_some() {
        return decided(tx, origin, known, &new, now);
    }
    match known {
        None => make(tx, &new, now),
        Some(known) if differs(tx, origin, &known, &new)? => another(tx, origin, candidate, found, (&known, &new), now),
        Some(known) => {
            renew(tx, origin, &known, &new, now)?;
            Ok(Place::of(known))
        }
    }
}

/// What the rules read has the time that they tell by now, where only they have told it: another version may read the same
/// words as another moment.
fn renew(tx: &Connection, origin: &Origin<'_>, known: &Claim, new: &NewClaim, now: EpochMs) -> Result<(), Fault> {
    let window = (new.valid_from, new.valid_to);
    let reads = origin.method == ExtractionMethod::Rule && supports(origin) && !told(new).is_counted();
    let same_ends = |(from, until): Window| (from.is_some(), until.is_some());
    if !reads || window == known.telling.window || same_ends(window) != same_ends(known.telling.window) {
        return Ok(());
    }
    if claims::window_history(tx, &known.id)?.iter().all(|change| change.cause == WindowCause::Told.as_str()) {
        claims::set_window(tx, &known.id, window, WindowCause::Told, origin.author, now)?;
    }
    Ok(())
}

/// The claim that a decision is of: as it is told by now, else at the time that follows from the decision.
fn decided(
    tx: &Connection,
    origin: &Origin<'_>,
    known: Option<Claim>,
    new: &NewClaim,
    now: EpochMs,
) -> Result<Place, Fault> {
    let said = (new.valid_from, new.valid_to);
    let (known, window) = match (told_of(tx, origin.space, &new.keys.fact)?, known) {
        // What is told by now keeps the ends of which the decision says nothing.
        (Some(told), _) => {
            let own = told.telling.window;
            (told, (said.0.or(own.0), said.1.or(own.1)))
        }
        (None, Some(known)) => (known, said),
        // Made without a time: the decision gives it one, which goes with the decision.
        (None, None) => {
            let made = make(tx, &NewClaim { valid_from: None, valid_to: None, ..new.clone() }, now)?;
            let timed = claims::set_window(tx, &made.claim, said, WindowCause::Decision, origin.author, now)?;
            return Ok(Place { timed, ..made });
        }
    };
    if window.0.zip(window.1).is_some_and(|(from, until)| until <= from) {
        return Err(invalid("It was told to be so at a time that does not go with this one.")
            .hint("Give both ends of its time.")
            .into());
    }
    let timed = claims::set_window(tx, &known.id, window, WindowCause::Decision, origin.author, now)?;
    Ok(Place { timed, ..Place::of(known) })
}

fn make(tx: &Connection, new: &NewClaim, now: EpochMs) -> Result<Place, Fault> {
    let (claim, created) = claims::upsert(tx, new, now)?;
    let known = if created { None } else { claims::by_id(tx, &claim)? };
    Ok(Place { claim, known, timed: None })
}

fn told(new: &NewClaim) -> Told {
    Told::with(&new.qualifiers, (new.valid_from, new.valid_to))
}

/// Whether a telling says another time than the claim that is known by the same words.
fn differs(tx: &Connection, origin: &Origin<'_>, known: &Claim, new: &NewClaim) -> Result<bool, Fault> {
    let says = told(new);
    // The time of what happened at some time, or for so long, is counted from the words, which are the same.
    if !supports(origin) || says.is_counted() {
        return Ok(false);
    }
    let end = known.telling.window.1.zip(origin.said_at);
    let goes_on = says.until.is_none() && end.is_some_and(|(end, said)| end <= said);
    let more = !says.says_no_more_than(&Told::of(known));
    if more && is_believed(known) {
        return Ok(true);
    }
    // What was taken back is not told anew by its own source.
    Ok((more || goes_on) && is_new_source(tx, origin, &known.id)?)
}

/// A telling whose time stands in its words, so that it is a claim of its own that falls with them; what follows from a
/// decision is no telling.
fn in_words(origin: &Origin<'_>, candidate: &ClaimCandidate) -> ClaimCandidate {
    let window = (candidate.valid_from, candidate.valid_to);
    let counted = Told::with(&candidate.qualifiers, window).is_counted();
    if origin.decides.is_some() || !supports(origin) || counted {
        return candidate.clone();
    }
    let mut all = saying_when(&candidate.qualifiers, window);
    // In the words of the source where it has some.
    all.extend(candidate.qualifiers.clone());
    ClaimCandidate { qualifiers: all, ..candidate.clone() }
}

/// The claim of a telling that does not fit the one that is known by the same words: one that tells just this, or a new one
/// that says when.
fn another(
    tx: &Connection,
    origin: &Origin<'_>,
    candidate: &ClaimCandidate,
    found: &Resolution,
    (known, new): (&Claim, &NewClaim),
    now: EpochMs,
) -> Result<Place, Fault> {
    let says = told(new);
    let kin = claims::kin(tx, &known.id)?.into_iter().map(|kin| kin.claim);
    let tells_just_this = |kin: &Claim| kin.id != known.id && kin.polarity == known.polarity && Told::of(kin) == says;
    if let Some(known) = kin.into_iter().find(tells_just_this) {
        return Ok(Place::of(known));
    }
    let mut candidate = candidate.clone();
    candidate.qualifiers = saying_when(&candidate.qualifiers, (new.valid_from, new.valid_to));
    let when = new_claim(tx, origin, &candidate, found)?;
    if when.keys.claim != new.keys.claim {
        return make(tx, &when, now);
    }
    // The words are those of the claim that is known, to which a decision gave another time since.
    if !is_new_source(tx, origin, &known.id)? {
        return Ok(Place::of(known.clone()));
    }
    candidate.qualifiers.extend(origin.said_at.and_then(um_rules::date_written).map(|day| ("told".to_owned(), day)));
    make(tx, &new_claim(tx, origin, &candidate, found)?, now)
}

/// Circumstances with the time in words: since and until when.
fn saying_when(qualifiers: &BTreeMap<String, String>, (from, until): Window) -> BTreeMap<String, String> {
    let mut all = qualifiers.clone();
    let mut say = |key: &str, at: Option<EpochMs>| all.extend(at.and_then(written).map(|at| (key.to_owned(), at)));
    say("since", from);
    say("until", until);
    all
}
