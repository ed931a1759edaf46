//! Whether two claims can both stand (spine 2.11, ruling 29). Nothing is a conflict that may be two things,
//! at two times, or of which nobody said that there can be only one.

use super::family::Told;
use super::key::CIRCUMSTANCES;
use crate::error::Fault;
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

/// Why the two cannot both stand, if so. Both are of one predicate; which is `a` does not matter.
pub(crate) fn conflict_between(a: &Claim, b: &Claim, limits: &Limits) -> Option<ConflictType> {
    if !overlap(a, b) || !same_circumstances(a, b) {
        return None;
    }
    let same_subject = a.subject.id == b.subject.id;
    let same_object = same_object(a, b, limits);
    if a.polarity != b.polarity {
        return (same_subject && same_object).then_some(ConflictType::OppositePolarity);
    }
    if a.polarity == Polarity::Negative {
        return None;
    }
    if same_subject && same_object {
        let happens_often = a.claim_type == ClaimType::Event;
        let disagree = !happens_often && Told::of(a).disagrees_on_times(&Told::of(b));
        return disagree.then_some(ConflictType::ContradictingValue);
    }
    let violates = match limits {
        // Either side is as good as the other: one entity in common is one too many.
        Limits::Relation { symmetric: true, .. } => limits.one_object() && share_an_entity(a, b),
        _ => (limits.one_object() && same_subject) || (limits.one_subject() && same_object),
    };
    violates.then_some(match limits {
        Limits::Attribute { .. } => ConflictType::ContradictingValue,
        Limits::Relation { .. } => ConflictType::CardinalityViolation,
    })
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

/// Whether there is a moment at which both are known to be so: what was so until some day was so on that day, and may have
/// begun and ended anyhow before; what is said without a time is so when it is first told, and from then on.
pub(crate) fn overlap(a: &Claim, b: &Claim) -> bool {
    let known = |claim: &Claim| {
        let told = claim.first_asserted_at.unwrap_or(claim.last_updated_at);
        match (claim.valid_from, claim.valid_to) {
            (None, None) => (told, i64::MAX),
            (None, Some(until)) => (told.min(until - 1), until),
            (from, until) => (from.unwrap_or(i64::MIN), until.unwrap_or(i64::MAX)),
        }
    };
    let (a, b) = (known(a), known(b));
    a.0.max(b.0) < a.1.min(b.1)
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
            first_asserted_at: Some(12),
            last_updated_at: 12,
            citations: Vec::new(),
            conflicts: Vec::new(),
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
        check("denied", value(1, "x"), negative(value(1, "x")), MANY, Some(OppositePolarity));
        check("another denied", value(1, "x"), negative(value(1, "y")), SINGLE, None);
        check("both denied", negative(value(1, "x")), negative(value(1, "y")), SINGLE, None);

        let one = of(Cardinality::ManyToOne);
        check("two homes", relation(1, 2, EVER), relation(1, 3, EVER), one, Some(CardinalityViolation));
        check("two in one home", relation(1, 2, EVER), relation(3, 2, EVER), one, None);
        let years = |from, to| (Some(from), Some(to));
        check("in other years", relation(1, 2, years(1, 5)), relation(1, 3, years(5, 9)), one, None);
        check("in one year", relation(1, 2, years(1, 6)), relation(1, 3, years(5, 9)), one, Some(CardinalityViolation));
        check("since and until", relation(1, 2, (Some(5), None)), relation(1, 3, (None, Some(5))), one, None);
        check("until then, and now", relation(1, 2, (None, Some(5))), relation(1, 3, EVER), one, None);
        check(
            "one until, another until later",
            relation(1, 2, (None, Some(5))),
            relation(1, 3, (None, Some(9))),
            one,
            None,
        );
        let until_five = relation(1, 2, (None, Some(5)));
        check(
            "both until one day",
            until_five.clone(),
            relation(1, 3, (None, Some(5))),
            one,
            Some(CardinalityViolation),
        );
        check("at its end", until_five.clone(), relation(1, 3, years(2, 9)), one, Some(CardinalityViolation));
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
