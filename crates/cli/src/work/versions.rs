//! The versions of entries, standing rules and resources: `history` and `diff` of each.

use super::args::Page;
use crate::failure::Failure;
use crate::print::{Output, list};
use std::process::ExitCode;
use um_model::work::*;
use um_server::client::Connection;
use um_server::text::iso_time as time;

/// Lists them, the last first.
pub(super) async fn history(
    service: &mut Connection,
    (item_type, id): (VersionedType, String),
    page: Page,
    output: Output,
) -> Result<ExitCode, Failure> {
    let request = VersionsList { item_type, id, version: None, offset: page.offset, limit: page.limit };
    Ok(output.answer(&service.run(request).await?, |listed| list(listed.versions.iter().map(line))))
}

/// Tells what changed between two.
pub(super) async fn diff(
    service: &mut Connection,
    (item_type, id): (VersionedType, String),
    (from, to): (u32, u32),
    output: Output,
) -> Result<ExitCode, Failure> {
    let told = service.run(VersionsDiff { item_type, id, from, to }).await?;
    Ok(output.answer(&told, changes))
}

fn line(version: &ItemVersion) -> String {
    let reason = version.change_reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    let flag = if version.conflict_flag { ", without regard to the one before" } else { "" };
    format!("{}  {} by {}{flag}{reason}", version.number, time(version.created_at), version.author)
}

fn changes(told: &VersionsDiffed) -> String {
    if told.fields.is_empty() {
        return "They say the same.".to_owned();
    }
    let field = |one: &FieldDiff| {
        let lines = one.lines.iter().map(|line| {
            let sign = match line.side {
                DiffSide::Both => ' ',
                DiffSide::From => '-',
                DiffSide::To => '+',
            };
            format!("{sign} {}", line.text)
        });
        [one.field.clone()].into_iter().chain(lines).collect::<Vec<_>>().join("\n")
    };
    told.fields.iter().map(field).collect::<Vec<_>>().join("\n")
}
