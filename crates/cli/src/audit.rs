//! `audit`: the ledger, listed, checked and exported.

use crate::args;
use crate::failure::Failure;
use crate::print::{Output, line, table};
use std::process::ExitCode;
use um_model::audit::{AuditEvent, AuditList, AuditListed, AuditVerify};
use um_model::{ApiError, ErrorCode};
use um_server::client::Connection;

/// Entries that are asked for at once when all are.
const PAGE: u32 = 1_000;

/// `umem audit ...`
pub(crate) async fn audit(service: &mut Connection, asked: args::Audit, output: Output) -> Result<ExitCode, Failure> {
    match asked {
        args::Audit::List { space, agent, event_type, topic, object, before, limit } => {
            let limit = Some(limit);
            let request = AuditList { space, agent, event_type, topic, object, before, limit, ..AuditList::default() };
            Ok(output.answer(&service.run(request.clone()).await?, |found| listed(found, &request)))
        }
        args::Audit::Verify => {
            let found = service.run(AuditVerify {}).await?;
            let exit = output.answer(&found, |found| match &found.message {
                None => format!("{} entries, each as it was written.", found.checked),
                Some(message) => message.clone(),
            });
            Ok(if found.ok { exit } else { ExitCode::FAILURE })
        }
        args::Audit::Export => export(service).await,
    }
}

fn listed(all: &AuditListed, asked_for: &AuditList) -> String {
    let mut rows = vec![["NUMBER", "WHAT", "BY", "OBJECT", "SAID"].map(str::to_owned).to_vec()];
    rows.extend(all.events.iter().map(|one| {
        let by = one.actor.clone().unwrap_or_else(|| one.actor_id.to_string());
        let object = format!("{} {}", one.object_type, one.object_id);
        vec![one.number.to_string(), one.event_type.clone(), by, object, one.payload.to_string()]
    }));
    let mut lines = vec![table(&rows)];
    if all.more
        && let Some(last) = all.events.last()
    {
        lines.push(format!("There are older ones: umem audit list{} --before {}", flags(asked_for), last.number));
    }
    lines.join("\n")
}

/// The flags by which the same is asked for, but for where the list goes on.
fn flags(asked_for: &AuditList) -> String {
    let AuditList { space, agent, event_type, topic, object, limit, .. } = asked_for.clone();
    crate::print::flags([
        ("space", space),
        ("agent", agent),
        ("topic", topic.map(|topic| topic.to_string())),
        ("type", event_type),
        ("object", object),
        ("limit", limit.map(|limit| limit.to_string())),
    ])
}

/// One line of JSON an entry, page by page, so that a long ledger is never held whole.
async fn export(service: &mut Connection) -> Result<ExitCode, Failure> {
    let mut before = None;
    loop {
        let page = service.run(AuditList { before, limit: Some(PAGE), ..AuditList::default() }).await?;
        page.events.iter().try_for_each(print)?;
        before = page.events.last().map(|event| event.number);
        if !page.more {
            return Ok(ExitCode::SUCCESS);
        }
    }
}

fn print(event: &AuditEvent) -> Result<(), Failure> {
    let text = serde_json::to_string(event).map_err(|e| ApiError::new(ErrorCode::Internal, e.to_string()))?;
    line(&text);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ledger_goes_on_as_it_began() {
        let check = |asked_for: AuditList, expected: &str| assert_eq!(flags(&asked_for), expected);
        check(AuditList::default(), "");
        let (space, agent) = (Some("My Diary".to_owned()), Some("bot".to_owned()));
        check(
            AuditList { space, agent, limit: Some(3), ..AuditList::default() },
            " --space 'My Diary' --agent bot --limit 3",
        );
        let (event_type, object) = (Some("memory".to_owned()), Some("x".to_owned()));
        check(AuditList { event_type, object, ..AuditList::default() }, " --type memory --object x");
    }
}
