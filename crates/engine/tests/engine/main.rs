//! The engine with doubles in place of models and readers: what goes in, what is done with it, and what
//! comes out.

#[path = "../support/mod.rs"]
mod support;

mod access;
mod across;
mod adding;
mod as_of;
mod asking;
mod at_once;
mod beliefs;
mod blacked;
mod connected;
mod decisions;
mod dedupe;
mod doors;
mod embedding;
mod existence;
mod expiry;
mod eyes;
mod files;
mod findings;
mod forgetting;
mod held;
mod hostile;
mod identifiers;
mod isolation;
mod jobs;
mod language_model;
mod ledger;
mod managing;
mod moments;
mod moving;
mod neighbours;
mod newest;
mod opinions;
mod periods;
mod policy;
mod promoting;
mod quotes;
mod reading;
mod recall_gates;
mod redacting;
mod remember;
mod reranking;
mod revoking;
mod scripts;
mod searches;
mod several;
mod spaces;
mod stopping;
mod traces;
mod traces_kept;
mod upkeep;
mod watching;
mod work;
