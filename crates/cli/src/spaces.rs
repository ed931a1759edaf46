//! `space`: made, listed, renamed, put away. And what a person is told where a space is not found.

use crate::args;
use crate::failure::Failure;
use crate::print::{Output, table};
use std::collections::HashMap;
use std::process::ExitCode;
use um_model::access::{AccessGet, MembershipSet, OverlaySet};
use um_model::findings::FindingKind;
use um_model::spaces::{
    Space, SpaceCreate, SpaceEdit, SpaceMask, SpaceMasked, SpaceSummary, SpacesList, SpacesListed, path,
};
use um_model::work::PinnedBudget;
use um_model::{ApiError, ErrorCode, SpaceId};
use um_server::client::Connection;

/// A failure because of a space that does not exist, or a name that fits several, is wrong usage. Whether one of those that were
/// named is such is asked of the service, which knows scopes as well.
pub(crate) async fn explain(service: &mut Connection, failure: Failure, named: &[String]) -> Failure {
    let is_of_a_name = |error: &ApiError| matches!(error.code, ErrorCode::NotFound | ErrorCode::Ambiguous);
    if !is_of_a_name(&failure.error) {
        return failure;
    }
    for space in named {
        let asked = service.run(AccessGet { space: space.clone(), agent: None }).await;
        if asked.is_err_and(|error| is_of_a_name(&error)) {
            return Failure::usage(failure.error);
        }
    }
    failure
}

fn every(listed: &SpacesListed) -> Vec<Space> {
    listed.spaces.iter().map(|one| one.space.clone()).chain(listed.archived.iter().cloned()).collect()
}

/// Each space's path by its id.
pub(crate) async fn paths(service: &mut Connection) -> Result<HashMap<SpaceId, String>, Failure> {
    let every = every(&service.run(SpacesList {}).await?);
    Ok(every.iter().map(|space| (space.id.clone(), path(&every, space))).collect())
}

/// `umem space …`
pub(crate) async fn space(service: &mut Connection, asked: args::Space, output: Output) -> Result<ExitCode, Failure> {
    let edit = |space, name, archived| SpaceEdit { space, name, archived, ..SpaceEdit::default() };
    let (request, what) = match asked {
        args::Space::Create { name, space_type, parent, description, root } => {
            let request =
                SpaceCreate { name, space_type, parent, description, root_path: root, ..SpaceCreate::default() };
            let made = service.run(request).await?;
            return Ok(output.answer(&made, |one| format!("Made {} ({}), id {}", one.name, one.space_type, one.id)));
        }
        args::Space::List => return Ok(output.answer(&service.run(SpacesList {}).await?, spaces)),
        args::Space::Mask { space, kinds } => {
            let masked = service.run(SpaceMask { space, kinds: kinds.0 }).await?;
            return Ok(output.answer(&masked, hidden));
        }
        args::Space::Rename { space, name } => (edit(space, Some(name), None), "Renamed to"),
        args::Space::Archive { space } => (edit(space, None, Some(true)), "Archived"),
        args::Space::Restore { space } => (edit(space, None, Some(false)), "Brought back"),
        args::Space::Policy { space, read, write } => {
            let request = SpaceEdit { space, read_policy: read, write_policy: write, ..SpaceEdit::default() };
            return Ok(output.answer(&service.run(request).await?, |one| {
                format!("{} is read by {} and written by {}", one.name, one.read_policy, one.write_policy)
            }));
        }
        args::Space::Describe {
            space,
            description,
            root,
            stale_after,
            abstain_below,
            usual_abstain_below,
            always_chars,
            always_records,
        } => {
            let pinned = always_chars.zip(always_records);
            let request = SpaceEdit {
                space,
                description,
                root_path: root,
                stale_after_days: stale_after,
                abstain_below,
                usual_abstain_below,
                pinned: pinned.map(|(max_chars, max_records)| PinnedBudget { max_chars, max_records }),
                ..SpaceEdit::default()
            };
            return Ok(output.answer(&service.run(request).await?, described));
        }
        args::Space::Member { space, agent, role, status, trust, grants } => {
            let request = MembershipSet { space, agent, role, status, trust_weight: trust, grants };
            return Ok(output.answer(&service.run(request).await?, crate::access::told));
        }
        args::Space::Overlay { space, overlay, mode, end } => {
            let request = OverlaySet { space, overlay, mode: (!end).then_some(mode) };
            return Ok(output.answer(&service.run(request).await?, crate::access::told));
        }
    };
    let edited = service.run(request).await?;
    Ok(output.answer(&edited, |space| format!("{what} {}, id {}", space.name, space.id)))
}

fn described(space: &Space) -> String {
    let mut lines = vec![space.name.clone()];
    lines.extend(space.description.clone());
    lines.extend(space.root_path.as_ref().map(|root| format!("worked in: {root}")));
    lines.join("\n")
}

fn hidden(masked: &SpaceMasked) -> String {
    match masked.mask_kinds.as_slice() {
        [] => "Nothing of it is hidden from agents.".to_owned(),
        kinds => format!("Hidden from agents: {}.", names(kinds)),
    }
}

fn names(kinds: &[FindingKind]) -> String {
    kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", ")
}

fn spaces(listed: &SpacesListed) -> String {
    let every = every(listed);
    let parent = |space: &Space| every.iter().find(|one| Some(&one.id) == space.parent_space_id.as_ref());
    let head = ["NAME", "PARENT", "TYPE", "FILES", "MEMORIES", "ID"].map(str::to_owned).to_vec();
    let row = |known: &SpaceSummary| {
        let space = &known.space;
        let under = parent(space).map(|parent| path(&every, parent)).unwrap_or_default();
        let counts = [known.artifacts, known.memories].map(|count| count.to_string());
        let [artifacts, memories] = counts;
        vec![space.name.clone(), under, space.space_type.to_string(), artifacts, memories, space.id.to_string()]
    };
    let mut lines = vec![table(&std::iter::once(head).chain(listed.spaces.iter().map(row)).collect::<Vec<_>>())];
    lines.extend(
        listed
            .spaces
            .iter()
            .filter(|known| !known.mask_kinds.is_empty())
            .map(|known| format!("{} hides from agents: {}", path(&every, &known.space), names(&known.mask_kinds))),
    );
    lines.extend(listed.spaces.iter().filter_map(|known| {
        let (path, usual) = (path(&every, &known.space), listed.usual_abstain_below);
        known.abstain_below.map(|below| format!("{path} answers from {below} on (usual: {usual})"))
    }));
    lines.extend(listed.archived.iter().map(|space| {
        let path = path(&every, space);
        format!("{path} is archived; bring it back: umem space restore {:?}", path)
    }));
    lines.join("\n")
}
