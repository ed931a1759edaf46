//! `facts`, `entity`, `claim`, `why`, `conflicts`, `graph`, `predicate`: what is believed, and what is decided of it.

pub(crate) mod args;
mod facts;
mod words;

pub(crate) use facts::facts;

use crate::failure::{Failure, id};
use crate::ids;
use crate::print::Output;
use crate::when;
use std::process::ExitCode;
use um_model::belief::ResolutionType;
use um_model::claims::*;
use um_model::jobs::JobsStatus;
use um_model::{ApiError, CandidateId, ClaimId, ConflictId, EntityId, ErrorCode, MergeId};
use um_server::client::Connection;

fn usage(message: impl Into<String>, hint: &str) -> Failure {
    Failure::usage(ApiError::new(ErrorCode::InvalidRequest, message).hint(hint))
}

/// A claim by its id, or the beginning or end of it.
pub(crate) async fn claim_id(service: &mut Connection, text: String) -> Result<ClaimId, Failure> {
    ids::named(service, text, IdsOf::Claims, ClaimId::parse, "umem facts list").await
}

/// A conflict by its id, or the beginning or end of it.
async fn conflict_id(service: &mut Connection, text: String) -> Result<ConflictId, Failure> {
    ids::named(service, text, IdsOf::Conflicts, ConflictId::parse, "umem conflicts list").await
}

/// What is said besides where nothing is listed and texts are still being read.
async fn while_reading(service: &mut Connection, is_empty: bool) -> Result<&'static str, Failure> {
    if !is_empty {
        return Ok("");
    }
    let request = JobsStatus { limit: Some(1), ..JobsStatus::default() };
    Ok(if service.run(request).await?.busy { STILL_READING } else { "" })
}

const STILL_READING: &str = " Texts are still being read; `umem jobs` tells when they are done.";

/// The id of an entity that is named or whose id is given.
pub(crate) async fn entity_id(
    service: &mut Connection,
    name: String,
    space: Option<&str>,
) -> Result<EntityId, Failure> {
    let request = EntityGet { entity: name, space: space.map(str::to_owned), ..EntityGet::default() };
    Ok(service.run(request).await?.entity.id)
}

/// `umem entity …`
pub(crate) async fn entity(service: &mut Connection, asked: args::Entity, output: Output) -> Result<ExitCode, Failure> {
    let changed = match asked {
        args::Entity::List { query, space, types, limit, offset } => {
            let listed = service.run(EntitiesList { space, query, types, offset, limit }).await?;
            return Ok(output.answer(&listed, |listed| words::entities(listed, offset)));
        }
        args::Entity::Resolve { text, space } => {
            let found = service.run(EntitiesResolve { space, text }).await?;
            return Ok(output.answer(&found, words::mentions));
        }
        args::Entity::Candidates { space, decided, limit, offset } => {
            let listed = service.run(CandidatesList { space, decided, offset, limit }).await?;
            return Ok(output.answer(&listed, words::candidates));
        }
        args::Entity::Decide { id: candidate, entity } => {
            let candidate = id(candidate, CandidateId::parse, "umem entity candidates")?;
            let entity = Some(entity).filter(|entity| entity != "none");
            let decided = service.run(CandidatesDecide { candidate, entity }).await?;
            return Ok(output.answer(&decided, words::decided));
        }
        args::Entity::Reopen { id: candidate } => {
            let candidate = id(candidate, CandidateId::parse, "umem entity candidates --decided")?;
            let waiting = service.run(CandidatesReopen { candidate }).await?;
            return Ok(output.answer(&waiting, words::candidate));
        }
        args::Entity::Show { entity, place, as_of, known_at, history, mentions_offset } => {
            let (as_of, known_at) = (when::of_sources(as_of.as_deref())?, when::known(known_at.as_deref())?);
            let request = EntityGet { entity, space: place.space, as_of, known_at, history, mentions_offset };
            service.run(request).await?
        }
        args::Entity::Merge { keep, merge, place } => {
            let keep = entity_id(service, keep, place.space.as_deref()).await?;
            let merge = entity_id(service, merge, place.space.as_deref()).await?;
            service.run(EntityMerge { keep, merge }).await?
        }
        args::Entity::Share { entity, place } => {
            let entity = entity_id(service, entity, place.space.as_deref()).await?;
            service.run(EntityShare { entity }).await?
        }
        args::Entity::Unmerge { id: merge } => {
            service.run(EntityUnmerge { merge: id(merge, MergeId::parse, "umem entity show NAME")? }).await?
        }
        args::Entity::Rename { entity, name, place } => {
            let request = EntityEdit { entity, space: place.space, name: Some(name), ..EntityEdit::default() };
            service.run(request).await?
        }
        args::Entity::Retype { entity, entity_type, place } => {
            let request =
                EntityEdit { entity, space: place.space, entity_type: Some(entity_type), ..EntityEdit::default() };
            service.run(request).await?
        }
        args::Entity::Alias { entity, name, remove, place } => {
            let request =
                EntityEdit { entity, space: place.space, alias: name, remove_alias: remove, ..EntityEdit::default() };
            service.run(request).await?
        }
    };
    Ok(output.answer(&changed, words::entity))
}

/// `umem claim …`
pub(crate) async fn claim(service: &mut Connection, asked: args::Claim, output: Output) -> Result<ExitCode, Failure> {
    let claim = match asked {
        args::Claim::Show { id } => {
            let claim = claim_id(service, id).await?;
            service.run(ClaimExplain::of(claim)).await?.claim
        }
        args::Claim::Retract { id } => {
            let claim = claim_id(service, id).await?;
            service.run(ClaimRetract { claim, undo: false }).await?
        }
        args::Claim::Restore { id } => {
            let claim = claim_id(service, id).await?;
            service.run(ClaimRetract { claim, undo: true }).await?
        }
    };
    Ok(output.answer(&claim, words::claim))
}

/// `umem why`
pub(crate) async fn why(
    service: &mut Connection,
    claim: String,
    known_at: Option<String>,
    output: Output,
) -> Result<ExitCode, Failure> {
    let claim = claim_id(service, claim).await?;
    let known_at = when::known(known_at.as_deref())?;
    let explained = service.run(ClaimExplain { claim, known_at }).await?;
    Ok(output.answer(&explained, words::why))
}

/// `umem conflicts …`
pub(crate) async fn conflicts(
    service: &mut Connection,
    asked: args::Conflicts,
    output: Output,
) -> Result<ExitCode, Failure> {
    let conflict = match asked {
        args::Conflicts::List { space, resolved, limit, offset } => {
            let listed = service.run(ConflictsList { space, conflict: None, resolved, offset, limit }).await?;
            let more = while_reading(service, listed.conflicts.is_empty()).await?;
            return Ok(output.answer(&listed, |listed| words::conflicts(listed) + more));
        }
        args::Conflicts::Resolve { id, side, value, windows, from, until, note } => {
            let resolution = match side.as_deref() {
                Some("a") => ResolutionType::ClaimAWins,
                Some("b") => ResolutionType::ClaimBWins,
                Some(_) => ResolutionType::BothDisputed,
                None => ResolutionType::ManualOverride,
            };
            let windows = windows.map(|given| parse_windows(&given)).transpose()?;
            let conflict = conflict_id(service, id).await?;
            let request = ConflictsResolve {
                notes: note,
                value,
                windows,
                valid_from: from,
                valid_until: until,
                ..ConflictsResolve::of(conflict, resolution)
            };
            service.run(request).await?
        }
        args::Conflicts::Reopen { id } => {
            let conflict = conflict_id(service, id).await?;
            service.run(ConflictsReopen { conflict }).await?
        }
    };
    Ok(output.answer(&conflict, words::conflict))
}

/// Two times as `2019..2021`, either end open.
fn parse_windows(given: &[String]) -> Result<Windows, Failure> {
    let ends = |text: &String| -> Result<[Option<String>; 2], Failure> {
        let (from, until) = text.split_once("..").ok_or_else(|| {
            usage(format!("\"{text}\" is no time."), "Write FROM..UNTIL, such as 2019..2021 or 2021..")
        })?;
        Ok([from, until].map(|end| Some(end.trim().to_owned()).filter(|end| !end.is_empty())))
    };
    let [a, b] = given else { return Err(usage("Two times are needed.", "Write --windows ..2020 2020..")) };
    let ([a_from, a_until], [b_from, b_until]) = (ends(a)?, ends(b)?);
    Ok(Windows { a_from, a_until, b_from, b_until })
}

/// `umem graph`
pub(crate) async fn graph(service: &mut Connection, asked: args::Graph, output: Output) -> Result<ExitCode, Failure> {
    let args::Graph { entity, place, depth, direction, relation, as_of, known_at, limit } = asked;
    let (as_of, known_at) = (when::of_sources(as_of.as_deref())?, when::known(known_at.as_deref())?);
    let (space, relations) = (place.space, relation);
    let request = GraphTraverse { entity, space, depth, direction, relations, as_of, known_at, limit };
    Ok(output.answer(&service.run(request).await?, words::graph))
}

/// `umem predicate …`
pub(crate) async fn predicate(
    service: &mut Connection,
    asked: args::Predicate,
    output: Output,
) -> Result<ExitCode, Failure> {
    let (name, space, relation, inverse, cardinality, phrase, kind, change) = match asked {
        args::Predicate::List { space } => {
            let listed = service.run(PredicatesList { space }).await?;
            return Ok(output.answer(&listed, words::predicates));
        }
        args::Predicate::Define { name, space, relation, inverse, cardinality, phrase, kind, change } => {
            (name, space, relation, inverse, cardinality, phrase, kind, change)
        }
    };
    let predicate = PredicateInfo { name, phrase, relates: relation, inverse, cardinality, value_kind: kind };
    let defined = service.run(PredicateDefine { space, predicate, change }).await?;
    Ok(output.answer(&defined, |defined| {
        let what = if defined.relates { "relation" } else { "attribute" };
        format!("Defined the {what} {}, which reads \"{}\"", defined.name, defined.phrase)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_have_two_ends_each() {
        let given = ["..2020".to_owned(), "2020 .. 2021-05".to_owned()];
        let windows = parse_windows(&given).unwrap();
        assert_eq!((windows.a_from, windows.a_until.as_deref()), (None, Some("2020")));
        assert_eq!((windows.b_from.as_deref(), windows.b_until.as_deref()), (Some("2020"), Some("2021-05")));
        assert!(parse_windows(&["2020".to_owned(), "2021..".to_owned()]).is_err());
    }
}
