//! `umem drift`: what was written of a work tree, and is so no more.

use super::{named, session_id};
use crate::failure::Failure;
use crate::print::{Output, list};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use um_model::work::{DriftCheck, Drifted, ItemKey, ItemType, RecallWarning};
use um_model::{ApiError, ErrorCode};
use um_server::client::Connection;
use um_server::text::count;

#[derive(Debug, Args)]
pub(crate) struct Drift {
    /// What is checked, such as entry:ID [default: all of the space that can have changed]
    #[arg(value_name = "TYPE:ID")]
    pub items: Vec<String>,
    /// Name, path, id or scope of the space [default: the default project]
    #[arg(long)]
    pub space: Option<String>,
    /// The session whose own items are checked too
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// The root of the work tree [default: the folder that is worked in for the space]
    #[arg(long, value_name = "FOLDER")]
    pub workspace: Option<PathBuf>,
}

/// `umem drift …`
pub(crate) async fn drift(service: &mut Connection, asked: Drift, output: Output) -> Result<ExitCode, Failure> {
    let items = asked.items.iter().map(|text| item(text)).collect::<Result<_, _>>()?;
    let workspace = asked.workspace.as_deref().map(crate::capture::absolute).transpose()?;
    let session = session_id(asked.session)?;
    let request = DriftCheck { space: asked.space, session, workspace, items };
    Ok(output.answer(&service.run(request).await?, told))
}

fn item(text: &str) -> Result<ItemKey, Failure> {
    let parsed = text.split_once(':').and_then(|(of, id)| Some((of.parse::<ItemType>().ok()?, id)));
    let (item_type, id) = parsed.ok_or_else(|| {
        let error = ApiError::new(ErrorCode::InvalidRequest, format!("{text:?} names no item."));
        Failure::usage(error.hint("Write what it is and its id: entry:ID, resource:ID, session_state:ID, memory:ID."))
    })?;
    Ok(ItemKey { item_type, id: id.to_owned() })
}

fn told(drifted: &Drifted) -> String {
    let of = |number: u32| count(u64::from(number), "item");
    let mut lines: Vec<String> = drifted.warnings.iter().map(line).collect();
    let skipped = match drifted.skipped {
        0 => String::new(),
        skipped => format!(", {} of no work tree that is there", of(skipped)),
    };
    let more = if drifted.more { "; there are more" } else { "" };
    lines.push(format!("{} compared{skipped}{more}", of(drifted.checked)));
    list(lines)
}

/// A warning in a line, with the ids of what else it is about: `umem get` and such show them.
pub(super) fn line(warning: &RecallWarning) -> String {
    let RecallWarning { target, message, related, .. } = warning;
    let ids = if related.is_empty() { String::new() } else { format!(" ({})", related.join(", ")) };
    format!("Warning: {}: {}{ids}", named(target), message.trim_end_matches('.'))
}
