//! The spaces that a command names.

use super::{
    Agents, Artifacts, Audit, Command, Held, Ingest, Jobs, Promotions, Recall, Remember, Search, Space, Trace, Watch,
};
use crate::beliefs::args as beliefs;
use crate::findings::args as findings;
use crate::work::args as work;

impl Command {
    /// The spaces that the command names.
    pub(crate) fn spaces(&self) -> Vec<&str> {
        match self {
            Self::Space(Space::Overlay { space, overlay, .. }) => vec![space, overlay],
            Self::Agents(Agents::Pair { spaces, .. }) => spaces.iter().map(String::as_str).collect(),
            one => one.space().into_iter().collect(),
        }
    }

    /// The space that the command names, where it can name no more than one.
    fn space(&self) -> Option<&str> {
        match self {
            Self::Space(Space::Create { parent, .. }) => parent.as_deref(),
            Self::Space(
                Space::Rename { space, .. }
                | Space::Archive { space }
                | Space::Restore { space }
                | Space::Mask { space, .. }
                | Space::Describe { space, .. }
                | Space::Policy { space, .. }
                | Space::Member { space, .. },
            )
            | Self::Access { space, .. } => Some(space),
            Self::Ingest(Ingest { space, .. }) | Self::Remember(Remember { space, .. }) => Some(space),
            Self::Recall(Recall { space, .. })
            | Self::Artifacts(Artifacts { space, .. })
            | Self::Jobs(Jobs { space, .. }) => space.as_deref(),
            Self::Watch(Watch::Add { space, .. }) => Some(space),
            Self::Findings(findings::Findings::List { space, .. }) | Self::Audit(Audit::List { space, .. }) => {
                space.as_deref()
            }
            Self::Findings(
                findings::Findings::Accept(which)
                | findings::Findings::Dismiss(which)
                | findings::Findings::Reopen(which),
            ) => which.space.as_deref(),
            Self::Facts(_) | Self::Entity(_) | Self::Conflicts(_) | Self::Graph(_) | Self::Predicate(_) => {
                self.space_of_beliefs()
            }
            Self::Forget(forget) => forget.space.as_deref(),
            Self::Promote(promote) => Some(&promote.to),
            Self::Trace(Trace::List { space, .. }) | Self::Search(Search::Save { space, .. }) => space.as_deref(),
            Self::Promotions(Promotions::List { space, .. }) | Self::Held(Held::List { space, .. }) => space.as_deref(),
            _ => self.space_of_work(),
        }
    }

    fn space_of_work(&self) -> Option<&str> {
        match self {
            Self::Session(work::Session::Start { space, .. } | work::Session::List { space, .. }) => space.as_deref(),
            Self::State(work::State::Set { at, .. } | work::State::Show { at })
            | Self::Event(work::Event::Add { at, .. } | work::Event::List { at, .. })
            | Self::Lock(work::Lock::Take { at, .. })
            | Self::Entry(work::Entry::Show { at, .. } | work::Entry::List { at, .. }) => at.space.as_deref(),
            Self::Entry(work::Entry::Save(entry)) => entry.at.space.as_deref(),
            Self::Query(query) => query.at.space.as_deref(),
            Self::Lock(work::Lock::Release { space, .. } | work::Lock::List { space, .. })
            | Self::Entry(work::Entry::Conflicts { space, .. })
            | Self::Tag(work::Tag::List { space, .. } | work::Tag::Create { space, .. })
            | Self::Relation(work::Relation::List { space, .. }) => space.as_deref(),
            Self::Rule(rule) => rule.space(),
            Self::Resource(resource) => resource.space(),
            Self::Context(context) => context.space.as_deref(),
            Self::Verify(verify) => verify.space.as_deref(),
            Self::Drift(drift) => drift.space.as_deref(),
            _ => None,
        }
    }

    fn space_of_beliefs(&self) -> Option<&str> {
        use beliefs::{Conflicts, Entity, Facts, Predicate};
        match self {
            Self::Facts(Facts::Add(fact)) => Some(&fact.space),
            Self::Facts(Facts::List(list)) => list.space.as_deref(),
            Self::Entity(Entity::List { space, .. } | Entity::Candidates { space, .. })
            | Self::Conflicts(Conflicts::List { space, .. }) => space.as_deref(),
            Self::Entity(Entity::Resolve { space, .. }) | Self::Predicate(Predicate::Define { space, .. }) => {
                Some(space)
            }
            Self::Entity(
                Entity::Show { place, .. }
                | Entity::Merge { place, .. }
                | Entity::Share { place, .. }
                | Entity::Rename { place, .. }
                | Entity::Alias { place, .. },
            )
            | Self::Graph(beliefs::Graph { place, .. }) => place.space.as_deref(),
            Self::Predicate(Predicate::List { space }) => space.as_deref(),
            _ => None,
        }
    }
}
