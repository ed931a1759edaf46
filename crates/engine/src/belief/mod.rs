//! Beliefs: what is claimed about whom, each claim with the quotes that carry it.
//!
//! A text that was kept goes through [`extract`] (its claims are proposed, [`again`] where the rules know better),
//! [`record`] (each is checked, its [`names`] are found by [`resolve`] or [`held`] where they may mean several, its quote
//! is added), and [`settle`] (its [`confidence`], its state, its [`conflict`]s, its edge; with its
//! [`family`]). What a person decides
//! ([`decide`]), states ([`facts`]) or merges ([`merge`]) ends in [`settle`] too.

mod again;
mod confidence;
mod conflict;
mod contradict;
mod decide;
mod decided;
mod define;
mod edit;
mod entities;
mod explain;
pub(crate) mod extract;
mod facts;
mod family;
mod full_names;
mod held;
mod instead;
mod key;
mod kinds;
mod known;
mod leaving;
mod ledger;
pub(crate) mod llm;
mod mentions;
mod merge;
mod names;
mod naming;
mod parted;
mod places;
mod quotes;
mod record;
mod resolve;
mod search;
mod settle;
mod show;
mod speaker;
mod telling;
mod turns;
mod upkeep;
mod words;

pub(crate) use again::queue_next as queue_next_again;
pub(crate) use decide::{claim_retract, conflict_decided, conflicts_list, conflicts_reopen, conflicts_resolve};
pub(crate) use define::predicate_define;
pub(crate) use edit::entity_edit;
pub(crate) use entities::{NEARLY_IN, entities_list, entities_resolve, entity_get, mentions};
pub(crate) use explain::{claim_explain, graph_traverse};
pub(crate) use facts::{facts_add, keep_stated};
pub(crate) use full_names::FullNames;
pub(crate) use held::{candidates_decide, candidates_list, candidates_reopen, name_shown};
pub(crate) use key::canonical_name;
pub(crate) use known::{ids_find, predicates_list};
pub(crate) use merge::{entity_merge, entity_share, entity_unmerge};
pub(crate) use record::{Origin, Refused, Said, keys_of, record};
pub(crate) use resolve::{PERSON, may_be};
pub(crate) use search::facts_search;
pub(crate) use settle::close_forgotten;
pub(crate) use show::{Sources, complete_then};
pub(crate) use speaker::is_person;
pub(crate) use turns::reweigh;
pub(crate) use turns::{settle_all_marked as settle_marked, settle_later};
pub(crate) use upkeep::reconcile_when_due;
