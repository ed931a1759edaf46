//! What stands on each side of a predicate, where that is plain: whoever works somewhere is a person, and where they
//! work is an organization.

use um_model::belief::EntityType::{self, Location, Organization, Person};

/// Sides of predicates, by their canonical names.
#[rustfmt::skip]
const KINDS: &[(&[&str], Option<EntityType>, Option<EntityType>)] = &[
    (&["works_at", "member_of", "founded", "studied_at", "graduated_from", "teaches_at", "volunteers_at"],
        Some(Person), Some(Organization)),
    (&["married_to", "partner_of", "parent_of", "sibling_of", "friend_of", "knows", "colleague_of", "reports_to",
       "engaged_to", "divorced_from", "grandparent_of", "aunt_or_uncle_of", "cousin_of", "in_law_of", "neighbor_of",
       "roommate_of", "mentors", "assistant_of", "doctor_of"],
        Some(Person), Some(Person)),
    (&["lives_in", "born_in", "comes_from"], Some(Person), Some(Location)),
    (&["located_in"], None, Some(Location)),
    (&["subsidiary_of"], Some(Organization), Some(Organization)),
    (&["has_pet", "visited", "attended", "works_on", "manages", "birthday", "age", "nationality", "job_title", "diet",
       "allergy", "eats", "drinks", "health_condition", "medication", "number_of_children", "marital_status",
       "pronouns", "likes", "dislikes", "prefers"],
        Some(Person), None),
    (&["written_by", "reviewed_by", "approved_by", "signed_by", "directed_by", "assigned_to"], None, Some(Person)),
];

/// What the subject and the object of a predicate are.
pub(super) fn of(predicate: &str) -> (Option<EntityType>, Option<EntityType>) {
    let known = KINDS.iter().find(|(names, ..)| names.contains(&predicate));
    known.map_or((None, None), |(_, subject, object)| (*subject, *object))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_name_is_a_predicate() {
        for name in super::KINDS.iter().flat_map(|(names, ..)| *names) {
            assert_eq!(um_model::predicates::canonical(name), ((*name).into(), false), "{name}");
        }
    }
}
