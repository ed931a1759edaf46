//! `umem verify`: what was checked, and how that came out.

use super::args::Page;
use crate::failure::Failure;
use crate::print::{Output, list};
use clap::Args;
use std::process::ExitCode;
use um_model::work::*;
use um_model::{ApiError, ErrorCode};
use um_server::client::Connection;
use um_server::text::{count, iso_time as time};

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// memory, artifact, event, claim, entity, entry, core_block, session_state, resource
    #[arg(required_unless_present = "list", requires = "id")]
    pub item_type: Option<ItemType>,
    /// Its id
    pub id: Option<String>,
    /// How it came out: passed, failed, warning, stale, unknown; with --list only those, and may be repeated
    #[arg(long, required_unless_present = "list")]
    pub status: Vec<VerificationStatus>,
    /// What was found
    #[arg(long, value_name = "TEXT", conflicts_with = "list")]
    pub detail: Option<String>,
    /// Who or what checked: person, agent, drift, test, build [default: person]
    #[arg(long, conflicts_with = "list")]
    pub checker: Option<VerificationChecker>,
    /// List checks, the latest first: of the item, or of a space
    #[arg(long)]
    pub list: bool,
    /// Name, path, id or scope of the space [default: all]
    #[arg(long, requires = "list", conflicts_with = "item_type")]
    pub space: Option<String>,
    /// Only the last check of each item, which counts
    #[arg(long, requires = "list")]
    pub latest: bool,
    #[command(flatten)]
    pub page: Page,
}

/// `umem verify …`
pub(crate) async fn verify(service: &mut Connection, asked: Verify, output: Output) -> Result<ExitCode, Failure> {
    let Verify { item_type, id, status: statuses, detail, checker, list, space, latest, page } = asked;
    let item = item_type.zip(id);
    if list {
        let item = item.map(|(item_type, id)| ItemKey { item_type, id });
        let Page { limit, offset } = page;
        let request = VerificationsList { item, space, statuses, latest, offset, limit };
        return Ok(output.answer(&service.run(request).await?, listed));
    }
    let (Some((item_type, id)), [status]) = (item, statuses.as_slice()) else {
        let error = ApiError::new(ErrorCode::InvalidRequest, "A check is of one item, and comes out in one way.");
        return Err(Failure::usage(error.hint("umem verify TYPE ID --status passed")));
    };
    let request = VerificationAdd { item_type, id, status: *status, checker, detail, checked_at: None };
    Ok(output.answer(&service.run(request).await?, line))
}

fn listed(listed: &VerificationsListed) -> String {
    let mut lines: Vec<String> = listed.verifications.iter().map(line).collect();
    lines.push(format!("{} of {}", listed.verifications.len(), count(listed.total, "check")));
    list(lines)
}

fn line(one: &Verification) -> String {
    let title = Some(&one.item.title).filter(|title| !title.is_empty()).map(|title| format!(" {title:?}"));
    let by = one.actor.as_ref().map(|actor| format!(", written down by {actor}"));
    let detail = one.detail.as_ref().map(|detail| format!(": {detail}"));
    format!(
        "{}  {} {}{} ({} {}{}){}",
        one.status,
        one.item.item_type.called(),
        one.item.id,
        title.unwrap_or_default(),
        one.checker,
        time(one.checked_at),
        by.unwrap_or_default(),
        detail.unwrap_or_default()
    )
}
