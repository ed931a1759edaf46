//! `umem promote` and `umem promotions`: copies in other spaces, asked for, looked at and decided.

use crate::args;
use crate::failure::{Failure, id};
use crate::print::{Output, cell, table};
use std::process::ExitCode;
use um_model::PromotionId;
use um_model::promote::*;
use um_server::client::Connection;
use um_server::text::count;

/// `umem promote`
pub(crate) async fn promote(
    service: &mut Connection,
    asked: args::Promote,
    output: Output,
) -> Result<ExitCode, Failure> {
    let args::Promote { kind, id, to, notes } = asked;
    let asked = service.run(PromotionRequest { kind, id, to, notes }).await?;
    Ok(output.answer(&asked, |one| {
        format!("Asked for: {}\nTo look at it and decide: umem promotions show {}", line(one).join("  "), one.id)
    }))
}

/// `umem promotions …`
pub(crate) async fn promotions(
    service: &mut Connection,
    asked: args::Promotions,
    output: Output,
) -> Result<ExitCode, Failure> {
    match asked {
        args::Promotions::List { space, status, limit, offset } => {
            let listed = service.run(PromotionsList { space, statuses: status, offset, limit }).await?;
            Ok(output.answer(&listed, listed_words))
        }
        args::Promotions::Show { id } => {
            let detail = service.run(PromotionShow { id: request_id(id)? }).await?;
            Ok(output.answer(&detail, shown))
        }
        args::Promotions::Approve { id, notes, token } => {
            let id = request_id(id)?;
            let token = match token {
                Some(token) => Some(token),
                None => service.run(PromotionShow { id: id.clone() }).await?.token,
            };
            decide(service, PromotionDecide { id, decision: PromotionDecision::Approve, token, notes }, output).await
        }
        args::Promotions::Reject { id, notes } => {
            let (id, decision) = (request_id(id)?, PromotionDecision::Reject);
            decide(service, PromotionDecide { id, decision, token: None, notes }, output).await
        }
    }
}

fn request_id(text: String) -> Result<PromotionId, Failure> {
    id(text, PromotionId::parse, "umem promotions list")
}

async fn decide(service: &mut Connection, decision: PromotionDecide, output: Output) -> Result<ExitCode, Failure> {
    let decided = service.run(decision).await?;
    Ok(output.answer(&decided, |one| match &one.promoted_id {
        Some(copy) => format!("Copied into {}: {} {copy}", one.target_space, one.kind),
        None => format!("It stays in {}.", one.space),
    }))
}

fn line(one: &Promotion) -> Vec<String> {
    let way = format!("{} -> {}", one.space, one.target_space);
    [one.kind.to_string(), one.title.clone(), way, one.requested_by_name.clone(), one.status.to_string()].into()
}

fn listed_words(listed: &PromotionsListed) -> String {
    if listed.promotions.is_empty() {
        return "No requests.".to_owned();
    }
    let rows: Vec<_> = listed
        .promotions
        .iter()
        .map(|one| line(one).into_iter().chain([one.id.to_string()]).collect::<Vec<_>>())
        .collect();
    format!("{}\n{} of {}", table(&rows), rows.len(), count(listed.total, "request"))
}

fn shown(detail: &PromotionDetail) -> String {
    let mut parts = vec![cell(&line(&detail.promotion).join("  "))];
    parts.extend(detail.promotion.notes.iter().map(|notes| format!("Asked because: {notes}")));
    parts.extend(detail.promotion.review_notes.iter().map(|notes| format!("Decided because: {notes}")));
    if detail.promotion.status != PromotionStatus::Pending {
        return parts.join("\n");
    }
    let rows: Vec<_> = detail
        .items
        .iter()
        .map(|item| {
            let says = if item.title.is_empty() { &item.text } else { &item.title };
            vec![item.standing.to_string(), item.kind.to_string(), says.lines().next().unwrap_or_default().to_owned()]
        })
        .collect();
    parts.push(format!("\nThis would be copied ({}):\n{}", count(detail.total, "thing"), table(&rows)));
    parts.push(match detail.new_readers.as_slice() {
        [] => "Nobody would read it who does not read it now.".to_owned(),
        readers => {
            let names: Vec<_> = readers.iter().map(|reader| reader.name.as_str()).collect();
            format!("These would read it and do not now: {}", names.join(", "))
        }
    });
    if detail.changed_since_asked {
        parts.push("It says something else now than when it was asked for.".to_owned());
    }
    parts.extend(detail.blocks.iter().map(|block| format!("First: {} {}", block.message, block.hint)));
    if detail.blocks.is_empty() {
        parts.push(format!(
            "To copy it: umem promotions approve {}{}",
            detail.promotion.id,
            detail.token.iter().map(|token| format!(" --token {token}")).collect::<String>()
        ));
    }
    parts.join("\n")
}
