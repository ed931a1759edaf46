//! The policy: what a role and a space's policies allow (ruling 20), as pure data. Everything that decides who may
//! do what ends here.

use um_model::access::{Grant, ReadPolicy, Right, Role, WritePolicy};

/// What somebody wants to do in a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Search and read, or add and change.
    Use(Right),
    /// Give this role to somebody, or take it.
    Manage(Role),
    /// Approve what comes from another space.
    Approve,
    /// Redact, forget.
    Destroy(Grant),
}

impl Wish {
    /// What an agent must have been granted for it.
    pub(crate) fn grant(self) -> Option<Grant> {
        match self {
            Self::Use(_) => None,
            Self::Manage(_) => Some(Grant::ManageMembers),
            Self::Approve => Some(Grant::ApprovePromotion),
            Self::Destroy(grant) => Some(grant),
        }
    }

    /// The right that an agent's token must carry for it.
    pub(crate) fn right(self) -> Right {
        match self {
            Self::Use(right) => right,
            Self::Manage(_) | Self::Approve | Self::Destroy(_) => Right::Write,
        }
    }
}

/// What somebody is in a space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Standing<'a> {
    /// The role, where one counts.
    pub role: Option<Role>,
    /// Whether it is a person, or the product in the person's name.
    pub is_human: bool,
    /// What it was granted beyond its role.
    pub grants: &'a [Grant],
}

/// Whether somebody of that standing may do that in a space of these policies.
pub(crate) fn allows(who: Standing<'_>, read: ReadPolicy, write: WritePolicy, wish: Wish) -> bool {
    let at_least = |least: Role| who.role.is_some_and(|role| role <= least);
    let granted = wish.grant().is_some_and(|grant| who.grants.contains(&grant));
    match wish {
        Wish::Use(Right::Read) => match read {
            ReadPolicy::OwnerOnly => at_least(Role::Owner),
            ReadPolicy::Members => at_least(Role::Observer),
            ReadPolicy::Public => true,
        },
        Wish::Use(Right::Write) => at_least(match write {
            WritePolicy::OwnerOnly => Role::Owner,
            WritePolicy::Leaders => Role::Leader,
            WritePolicy::Members => Role::Member,
        }),
        // Leaders up to member; who is no person needs the grant as well.
        Wish::Manage(role) => {
            let may = if role <= Role::Leader { at_least(Role::Owner) } else { at_least(Role::Leader) };
            may && (who.is_human || granted)
        }
        Wish::Approve => at_least(Role::Leader) && (who.is_human || granted),
        Wish::Destroy(_) => (who.is_human && at_least(Role::Owner)) || (who.role.is_some() && granted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The whole table, written down by hand: for each wish and policy, who may without and who may with every grant.
    /// Roles by their letters: o(wner), l(eader), m(ember), w(atcher: observer), n(obody).
    #[test]
    fn every_role_policy_and_operation() {
        use ReadPolicy as R;
        use WritePolicy as W;
        let read = Wish::Use(Right::Read);
        let write = Wish::Use(Right::Write);
        let table = [
            // wish, read policy, write policy: persons, agents without grants, agents with all grants
            (read, R::OwnerOnly, None, "o", "o", "o"),
            (read, R::Members, None, "olmw", "olmw", "olmw"),
            (read, R::Public, None, "olmwn", "olmwn", "olmwn"),
            (write, R::Public, Some(W::OwnerOnly), "o", "o", "o"),
            (write, R::Public, Some(W::Leaders), "ol", "ol", "ol"),
            (write, R::Public, Some(W::Members), "olm", "olm", "olm"),
            (Wish::Manage(Role::Owner), R::Public, None, "o", "", "o"),
            (Wish::Manage(Role::Leader), R::Public, None, "o", "", "o"),
            (Wish::Manage(Role::Member), R::Public, None, "ol", "", "ol"),
            (Wish::Manage(Role::Observer), R::Public, None, "ol", "", "ol"),
            (Wish::Approve, R::Public, None, "ol", "", "ol"),
            (Wish::Destroy(Grant::Redact), R::Public, None, "o", "", "olmw"),
            (Wish::Destroy(Grant::Forget), R::Public, None, "o", "", "olmw"),
        ];
        let roles = [
            ('o', Some(Role::Owner)),
            ('l', Some(Role::Leader)),
            ('m', Some(Role::Member)),
            ('w', Some(Role::Observer)),
            ('n', None),
        ];
        for (wish, reads, writes, persons, agents, granted) in table {
            // Where the table names no write policy, none of them matters.
            for writes in writes.map_or(WritePolicy::ALL.to_vec(), |one| vec![one]) {
                for (is_human, grants, expected) in
                    [(true, &[][..], persons), (false, &[][..], agents), (false, Grant::ALL, granted)]
                {
                    let may: String = roles
                        .iter()
                        .filter(|(_, role)| allows(Standing { role: *role, is_human, grants }, reads, writes, wish))
                        .map(|(letter, _)| *letter)
                        .collect();
                    assert_eq!(may, expected, "{wish:?} {reads:?} {writes:?} human {is_human} grants {grants:?}");
                }
            }
        }
    }

    #[test]
    fn a_grant_opens_its_own_door_only() {
        for given in Grant::ALL {
            for wanted in [Grant::Redact, Grant::Forget] {
                let who = Standing { role: Some(Role::Member), is_human: false, grants: &[*given] };
                let may = allows(who, ReadPolicy::Members, WritePolicy::Members, Wish::Destroy(wanted));
                assert_eq!(may, *given == wanted, "{given} {wanted}");
            }
        }
    }
}
