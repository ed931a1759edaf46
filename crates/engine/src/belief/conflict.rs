//! Whether two claims can both stand (spine 2.11, ruling 29). Nothing is a conflict that may be two things,
//! at two times, or of which nobody said that there can be only one.

use super::family::{Told, is_within};
use super::key::CIRCUMSTANCES;
use super::leaving;
use crate::error::Fault;
use um_model::AgentId;
use um_model::belief::{Cardinality, ClaimType, ConflictType, Polarity, ValueKind};
use um_model::claims::{Claim, ClaimObject};
use um_store::claims::Rivalry;
use um_store::{Connection, vocabulary};

/// What is known of a claim's predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limits {
    /// An attribute: whether it has one value only, and of what kind.
    Attribute { single: bool, kind: ValueKind },
    /// A relation; `symmetric` where it reads the same both ways.
    Relation { cardinality: Cardinality, symmetric: bool },
}

impl Limits {
    fn one_object(self) -> bool {
        match self {
            Self::Attribute { single, .. } => single,
            Self::Relation { cardinality, .. } => matches!(cardinality, Cardinality::OneToOne | Cardinality::ManyToOne),
        }
    }

    fn one_subject(self) -> bool {
        matches!(self, Self::Relation { cardinality: Cardinality::OneToOne | Cardinality::OneToMany, .. })
    }

    /// Which claims [`conflict_between`] may find in conflict with another one.
    pub(crate) fn rivalry(self) -> Rivalry {
        let symmetric = matches!(self, Self::Relation { symmetric: true, .. });
        Rivalry { of_subject: self.one_object(), of_object: self.one_subject(), symmetric }
    }
}

/// What the claim's space knows of its predicate; what is unknown has no limits.
pub(crate) fn limits(connection: &Connection, claim: &Claim) -> Result<Limits, Fault> {
    Ok(match &claim.object {
        ClaimObject::Value(_) => match vocabulary::attribute(connection, &claim.space_id, &claim.predicate)? {
            Some(known) => Limits::Attribute { single: known.single, kind: known.kind },
            // A relation was defined after values were kept under its name: as many may stand as of entities.
            None => {
                let relation = vocabulary::relation(connection, &claim.space_id, &claim.predicate)?;
                let cardinality = relation.map_or(Cardinality::ManyToMany, |known| known.cardinality);
                let single = matches!(cardinality, Cardinality::OneToOne | Cardinality::ManyToOne);
                Limits::Attribute { single, kind: ValueKind::Text }
            }
        },
        ClaimObject::Entity(_) => match vocabulary::relation(connection, &claim.space_id, &claim.predicate)? {
            Some(known) => Limits::Relation { cardinality: known.cardinality, symmetric: known.is_symmetric() },
            None => Limits::Relation { cardinality: Cardinality::ManyToMany, symmetric: false },
        },
    })
}

/// What a claim cannot stand beside though that says another predicate: who joined what may be a company, known by a bare
/// name, is told as its member, and who left it as one who does not work there. The claim as the other one would tell it.
pub(crate) fn parted_with(claim: &Claim) -> Option<Claim> {
    let predicate = match (claim.predicate.as_str(), claim.polarity) {
        ("member_of", Polarity::Positive) => "works_at",
        ("works_at", Polarity::Negative) => "member_of",
        _ => return None,
    };
    Some(Claim { predicate: predicate.to_owned(), ..claim.clone() })
}

/// Why the two cannot both stand, if so. Both are of one predicate, or one tells that what the other says is over
/// ([`parted_with`]); which is `a` does not matter.
pub(crate) fn conflict_between(a: &Claim, b: &Claim, limits: &Limits) -> Option<ConflictType> {
    if !same_circumstances(a, b) {
        return None;
    }
    let same_subject = a.subject.id == b.subject.id;
    let same_object = same_object(a, b, limits);
    if same_subject && same_object && a.polarity == b.polarity {
        let disagree = a.polarity == Polarity::Positive && disagree_on_times(a, b);
        return disagree.then_some(ConflictType::ContradictingValue);
    }
    if !overlap(a, b) {
        return None;
    }
    if a.polarity != b.polarity {
        return (same_subject && same_object).then_some(ConflictType::OppositePolarity);
    }
    if a.polarity == Polarity::Negative {
        return None;
    }
    if may_be_one_date(a, b, limits) {
        return None;
    }
    concern_one(a, b, limits).then_some(match limits {
        Limits::Attribute { .. } => ConflictType::ContradictingValue,
        Limits::Relation { .. } => ConflictType::CardinalityViolation,
    })
}

/// Whether two claims of one predicate are of one fact, or of one thing of which only one can be so.
pub(super) fn concern_one(a: &Claim, b: &Claim, limits: &Limits) -> bool {
    let (same_subject, same_object) = (a.subject.id == b.subject.id, same_object(a, b, limits));
    let violates = match limits {
        // Either side is as good as the other: one entity in common is one too many.
        Limits::Relation { symmetric: true, .. } => limits.one_object() && share_an_entity(a, b),
        _ => (limits.one_object() && same_subject) || (limits.one_subject() && same_object),
    };
    violates || (same_subject && same_object)
}

/// Whether two tell one fact of times that cannot both be: it began or ended at different times, or was still so when one
/// said it, after it had ended as the other says. What happens may happen again; so may what was so at two times that
/// do not meet.
pub(super) fn disagree_on_times(a: &Claim, b: &Claim) -> bool {
    let (of_a, of_b) = (Told::of(a), Told::of(b));
    if a.claim_type == ClaimType::Event || !of_a.is_one_with(&of_b) {
        return false;
    }
    let window = |claim: &Claim| (claim.valid_from.unwrap_or(i64::MIN), claim.valid_to.unwrap_or(i64::MAX));
    let ((from_a, to_a), (from_b, to_b)) = (window(a), window(b));
    let meet = from_a.max(from_b) < to_a.min(to_b) && !(gives_way(a, b) || gives_way(b, a));
    let goes_on = |open: (&Claim, &Told), ended: &Claim| {
        let end = ended.valid_to.unwrap_or(i64::MAX);
        let (begins, too) = (open.1.since.is_some(), Told::of(ended).since.is_some());
        let settled = adds_to(ended, open.0) || (begins && !too && adds_to(open.0, ended));
        open.1.until.is_none() && open.0.last_said_at.is_some_and(|said| said >= end) && !settled
    };
    meet && (of_a.ends_apart(&of_b) || goes_on((a, &of_a), b) || goes_on((b, &of_b), a))
}

/// Whether one was stated once all that the other says was known, by the person or by whom alone the other is said: what it
/// tells of the time adds to the other then.
pub(super) fn adds_to(later: &Claim, earlier: &Claim) -> bool {
    let after = later.telling.stated_at.zip(earlier.telling.heard_at).is_some_and(|(stated, heard)| stated >= heard);
    may_add_to(later, earlier) && after
}

/// Whether what one tells may be told of the other, too: it is not said by an agent alone, unless the other one is by that.
pub(super) fn may_add_to(one: &Claim, other: &Claim) -> bool {
    let voice = one.telling.voice.as_ref();
    voice.is_none_or(|voice| !is_agents(voice) || other.telling.voice.as_ref() == Some(voice))
}

/// Whether a voice is an agent's: neither the person's, nor that of a watched folder, whose files come in by themselves.
pub(super) fn is_agents(voice: &AgentId) -> bool {
    *voice != AgentId::owner() && *voice != AgentId::system()
}

fn share_an_entity(a: &Claim, b: &Claim) -> bool {
    let ends = |claim: &Claim| match &claim.object {
        ClaimObject::Entity(object) => vec![claim.subject.id.clone(), object.id.clone()],
        ClaimObject::Value(_) => vec![claim.subject.id.clone()],
    };
    let of_b = ends(b);
    ends(a).iter().any(|end| of_b.contains(end))
}

fn same_object(a: &Claim, b: &Claim, limits: &Limits) -> bool {
    match (&a.object, &b.object, limits) {
        (ClaimObject::Entity(a), ClaimObject::Entity(b), _) => a.id == b.id,
        (ClaimObject::Value(a), ClaimObject::Value(b), Limits::Attribute { kind, .. }) => {
            um_rules::normal_value(a, *kind) == um_rules::normal_value(b, *kind)
        }
        _ => false,
    }
}

/// Whether the objects are dates of which nothing that both tell differs: "1984", "May 1984" and "3 May" may be one day.
fn may_be_one_date(a: &Claim, b: &Claim, limits: &Limits) -> bool {
    let kind = ValueKind::Date;
    let (ClaimObject::Value(a), ClaimObject::Value(b), Limits::Attribute { kind: ValueKind::Date, .. }) =
        (&a.object, &b.object, limits)
    else {
        return false;
    };
    if !um_rules::reads_as(a, kind) || !um_rules::reads_as(b, kind) {
        return false;
    }
    let (a, b) = (um_rules::normal_value(a, kind), um_rules::normal_value(b, kind));
    // A day of no year is written with dashes in its place: `--05-03`.
    let parts = |date: &str| date.strip_prefix('-').unwrap_or(date).split('-').map(str::to_owned).collect::<Vec<_>>();
    parts(&a).iter().zip(parts(&b)).all(|(a, b)| a.is_empty() || b.is_empty() || *a == b)
}

/// Whether there is a moment at which both are known to be so: what was so until some day was so on that day, and may have
/// begun and ended anyhow before; what is said without a time is so when it is first told, and from then on; what was so
/// until 2022 had ended when something else began in 2022; who left may have been there before, or be there again.
pub(crate) fn overlap(a: &Claim, b: &Claim) -> bool {
    let is_same = a.polarity == b.polarity && a.subject.id == b.subject.id && a.object == b.object;
    let known = |claim: &Claim| {
        // Where nobody told when it was said, it counts from its coming in; beside what tells the same of some time, it may
        // be of that.
        let told = claim.first_said_at.or(claim.first_asserted_at).unwrap_or(claim.last_updated_at);
        match (claim.valid_from, claim.valid_to) {
            (None, None) if leaving::is_untold(claim) && is_same => (i64::MIN, i64::MAX),
            (None, None) => (told, i64::MAX),
            (None, Some(until)) => (told.min(until - 1), until),
            (from, until) => (from.unwrap_or(i64::MIN), until.unwrap_or(i64::MAX)),
        }
    };
    let (of_a, of_b) = (known(a), known(b));
    let meet = of_a.0.max(of_b.0) < of_a.1.min(of_b.1);
    meet && !(gives_way(a, b)
        || gives_way(b, a)
        || leaving::is_of_another_time(a, b)
        || leaving::is_of_another_time(b, a))
}

/// Whether one ended when the other began, as exactly as both are told: nobody knows on which day of a year that was.
fn gives_way(earlier: &Claim, later: &Claim) -> bool {
    let (ended, began) = (Told::of(earlier).until, Told::of(later).since);
    let began_before = earlier.valid_from.is_none_or(|from| later.valid_from.is_some_and(|began| from < began));
    let at_once = |(ended, began): (String, String)| is_within(&ended, &began) || is_within(&began, &ended);
    began_before && ended.zip(began).is_some_and(at_once)
}

/// Whether no qualifier tells them apart.
fn same_circumstances(a: &Claim, b: &Claim) -> bool {
    let (a, b) = (super::key::canonical_qualifiers(&a.qualifiers), super::key::canonical_qualifiers(&b.qualifiers));
    a.iter()
        .filter(|(key, _)| !CIRCUMSTANCES.contains(&key.as_str()))
        .all(|(key, value)| b.get(key).is_none_or(|other| other == value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use um_model::belief::{ClaimState, EntityType};
    use um_model::claims::EntityRef;
    use um_model::{ClaimId, EntityId, SpaceId};

    fn entity(number: u8) -> EntityRef {
        let id = EntityId::parse(format!("00000000-0000-7000-8000-0000000000{number:02}")).unwrap();
        EntityRef { id, name: format!("e{number}"), entity_type: EntityType::Thing }
    }

    fn claim(subject: u8, object: ClaimObject, window: (Option<i64>, Option<i64>)) -> Claim {
        Claim {
            id: ClaimId::parse(um_model::ids::OWNER_AGENT).unwrap(),
            space_id: SpaceId::default_project(),
            claim_type: ClaimType::Attribute,
            subject: entity(subject),
            predicate: "p".to_owned(),
            object,
            statement: String::new(),
            qualifiers: Default::default(),
            polarity: Polarity::Positive,
            state: ClaimState::Asserted,
            confidence: 0.9,
            evidence_count: 1,
            valid_from: window.0,
            valid_to: window.1,
            first_asserted_at: year(12),
            last_updated_at: 12,
            first_said_at: year(12),
            last_said_at: year(12),
            citations: Vec::new(),
            conflicts: Vec::new(),
            of_model: false,
            telling: Default::default(),
        }
    }

    fn value(subject: u8, value: &str) -> Claim {
        claim(subject, ClaimObject::Value(value.to_owned()), (None, None))
    }

    fn relation(subject: u8, object: u8, window: (Option<i64>, Option<i64>)) -> Claim {
        claim(subject, ClaimObject::Entity(entity(object)), window)
    }

    fn negative(mut claim: Claim) -> Claim {
        claim.polarity = Polarity::Negative;
        claim
    }

    fn with(mut claim: Claim, key: &str, value: &str) -> Claim {
        claim.qualifiers.insert(key.to_owned(), value.to_owned());
        claim
    }

    const SINGLE: Limits = Limits::Attribute { single: true, kind: ValueKind::Text };
    const MANY: Limits = Limits::Attribute { single: false, kind: ValueKind::Text };
    const DATE: Limits = Limits::Attribute { single: true, kind: ValueKind::Date };
    /// The beginning of a year, by its number after 1970.
    fn year(number: i64) -> Option<i64> {
        um_rules::date_begins(&(1970 + number).to_string())
    }

    const EVER: (Option<i64>, Option<i64>) = (None, None);

    fn check(what: &str, a: Claim, b: Claim, limits: Limits, expected: Option<ConflictType>) {
        assert_eq!(conflict_between(&a, &b, &limits), expected, "{what}");
        assert_eq!(conflict_between(&b, &a, &limits), expected, "{what}, the other way round");
    }

    #[test]
    fn conflicts() {
        use ConflictType::{CardinalityViolation, ContradictingValue, OppositePolarity};
        let of = |cardinality| Limits::Relation { cardinality, symmetric: false };
        check("two values of one", value(1, "x"), value(1, "y"), SINGLE, Some(ContradictingValue));
        check("one value twice", value(1, "x"), value(1, " X "), SINGLE, None);
        check("two values of many", value(1, "x"), value(1, "y"), MANY, None);
        check("two subjects", value(1, "x"), value(2, "y"), SINGLE, None);
        check("one date", value(1, "3 May 1984"), value(1, "1984-05-03"), DATE, None);
        check("two dates", value(1, "3 May 1984"), value(1, "1984-05-05"), DATE, Some(ContradictingValue));
        check("a year, and a day of it", value(1, "1984"), value(1, "1984-05-03"), DATE, None);
        check("a month, and a day of it", value(1, "May 1984"), value(1, "1984-05-03"), DATE, None);
        check(
            "a month, and a day of another",
            value(1, "May 1984"),
            value(1, "1984-06-03"),
            DATE,
            Some(ContradictingValue),
        );
        check("a day of no year", value(1, "May 3"), value(1, "1984-05-03"), DATE, None);
        check("another day of no year", value(1, "May 4"), value(1, "1984-05-03"), DATE, Some(ContradictingValue));
        check("a day of no year, and a year", value(1, "May 4"), value(1, "1984"), DATE, None);
        check("no date", value(1, "in spring"), value(1, "1984"), DATE, Some(ContradictingValue));
        check("denied", value(1, "x"), negative(value(1, "x")), MANY, Some(OppositePolarity));
        check("another denied", value(1, "x"), negative(value(1, "y")), SINGLE, None);
        check("both denied", negative(value(1, "x")), negative(value(1, "y")), SINGLE, None);

        let one = of(Cardinality::ManyToOne);
        check("two homes", relation(1, 2, EVER), relation(1, 3, EVER), one, Some(CardinalityViolation));
        check("two in one home", relation(1, 2, EVER), relation(3, 2, EVER), one, None);
        let years = |from, to| (year(from), year(to));
        check("in other years", relation(1, 2, years(1, 5)), relation(1, 3, years(5, 9)), one, None);
        check("in one year", relation(1, 2, years(1, 6)), relation(1, 3, years(5, 9)), one, Some(CardinalityViolation));
        check("since and until", relation(1, 2, (year(5), None)), relation(1, 3, (None, year(5))), one, None);
        check("until then, and now", relation(1, 2, (None, year(5))), relation(1, 3, EVER), one, None);
        check(
            "one until, another until later",
            relation(1, 2, (None, year(5))),
            relation(1, 3, (None, year(9))),
            one,
            None,
        );
        let until_five = relation(1, 2, (None, year(5)));
        check(
            "both until one day",
            until_five.clone(),
            relation(1, 3, (None, year(5))),
            one,
            Some(CardinalityViolation),
        );
        check("at its end", until_five.clone(), relation(1, 3, years(2, 9)), one, Some(CardinalityViolation));
        let to_six = |mut claim: Claim| {
            (claim.valid_from, claim.valid_to) = (claim.valid_from.or(year(1)), year(7));
            with(claim, "until", "1976")
        };
        let moved = relation(1, 3, (um_rules::date_begins("1976-03"), None));
        check("after it, in the year of its end", to_six(relation(1, 2, EVER)), moved.clone(), one, None);
        check("since before that", to_six(moved), relation(1, 2, years(1, 9)), one, Some(CardinalityViolation));
        check("once more", to_six(relation(1, 2, EVER)), relation(1, 2, (year(6), None)), one, None);
        let left = negative(relation(1, 2, (year(6), None)));
        check("left in that year", to_six(relation(1, 2, EVER)), left, of(Cardinality::ManyToMany), None);
        check("before its end", until_five.clone(), relation(1, 3, years(2, 4)), one, None);
        check("denied since", until_five.clone(), negative(relation(1, 2, EVER)), of(Cardinality::ManyToMany), None);
        check("unknown", relation(1, 2, EVER), relation(1, 3, EVER), of(Cardinality::ManyToMany), None);
        let wed = Limits::Relation { cardinality: Cardinality::OneToOne, symmetric: true };
        check("two husbands", relation(1, 2, EVER), relation(3, 2, EVER), wed, Some(CardinalityViolation));
        check("a second spouse", relation(1, 2, EVER), relation(2, 3, EVER), wed, Some(CardinalityViolation));
        check("two weddings", relation(1, 2, EVER), relation(3, 4, EVER), wed, None);
        let boss = of(Cardinality::OneToMany);
        check("two bosses", relation(1, 2, EVER), relation(3, 2, EVER), boss, Some(CardinalityViolation));
        check("two reports", relation(1, 2, EVER), relation(1, 3, EVER), boss, None);

        check("of two sizes", with(value(1, "x"), "size", "a"), with(value(1, "y"), "size", "b"), SINGLE, None);
        check(
            "in two roles",
            with(value(1, "x"), "role", "a"),
            with(value(1, "y"), "role", "b"),
            SINGLE,
            Some(ContradictingValue),
        );
    }
}
