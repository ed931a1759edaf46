//! `umem relation`.

use super::args;
use crate::failure::{Failure, id};
use crate::print::{Output, list};
use crate::when;
use std::process::ExitCode;
use um_model::work::*;
use um_model::{EventId, RelationId};
use um_server::client::Connection;
use um_server::text::iso_time as time;

/// `umem relation …`
pub(crate) async fn relation(
    service: &mut Connection,
    asked: args::Relation,
    output: Output,
) -> Result<ExitCode, Failure> {
    let told = match asked {
        args::Relation::Add(add) => service.run(added(*add)?).await?,
        args::Relation::End { id: text, at } => {
            service.run(RelationEnd { relation: id(text, RelationId::parse, "umem relation list")?, at }).await?
        }
        args::Relation::Remove { id: text } => {
            let relation = id(text, RelationId::parse, "umem relation list")?;
            let done = service.run(RelationRemove { relation }).await?;
            return Ok(output.answer(&done, |_| "It was taken back.".to_owned()));
        }
        args::Relation::List { space, item, types, as_of, known_at, page } => {
            let item = item.map(|item| key(&item)).transpose()?;
            let (offset, limit) = (page.offset, page.limit);
            let (as_of, known_at) = (when::by_clock(as_of.as_deref())?, when::known(known_at.as_deref())?);
            let request = RelationsList { item, space, types, as_of, known_at, offset, limit };
            return Ok(output.answer(&service.run(request).await?, |listed| match listed.relations.as_slice() {
                [] => "There are none.".to_owned(),
                all => list(all.iter().map(line)),
            }));
        }
        args::Relation::Walk { item_type, id, types, direction, depth, as_of, known_at } => {
            let (as_of, known_at) = (when::by_clock(as_of.as_deref())?, when::known(known_at.as_deref())?);
            let request = RelationsWalk { item_type, id, types, direction, depth, as_of, known_at };
            return Ok(output.answer(&service.run(request).await?, walked));
        }
    };
    Ok(output.answer(&told, line))
}

fn added(add: args::RelationAdd) -> Result<RelationAdd, Failure> {
    let sources = add.source.into_iter().map(|text| id(text, EventId::parse, "umem event list"));
    Ok(RelationAdd {
        from: ItemKey { item_type: add.from_type, id: add.from_id },
        to: ItemKey { item_type: add.to_type, id: add.to_id },
        relation_type: add.relation,
        valid_from: add.from,
        valid_until: add.until,
        source_event_ids: sources.collect::<Result<_, _>>()?,
    })
}

/// An item as `TYPE:ID`.
pub(super) fn key(text: &str) -> Result<ItemKey, Failure> {
    let (of, id) = text.split_once(':').unwrap_or(("", text));
    let item_type = of.parse().map_err(|error| {
        Failure::usage(um_model::ApiError::new(
            um_model::ErrorCode::InvalidRequest,
            format!("An item is named TYPE:ID, such as entry:0190…; {error}."),
        ))
    })?;
    Ok(ItemKey { item_type, id: id.to_owned() })
}

fn called(item: &ItemRef) -> String {
    let title = if item.title.trim().is_empty() { "without a title" } else { &item.title };
    format!("{} {title} ({})", item.item_type, item.id)
}

fn line(one: &Relation) -> String {
    let mut held = String::new();
    held.extend(one.valid_from.map(|at| format!(", from {}", time(at))));
    held.extend(one.valid_until.map(|at| format!(", until {}", time(at))));
    format!("{}  {} {} {}{held}", one.id, called(&one.from), one.relation_type, called(&one.to))
}

fn walked(walked: &RelationsWalked) -> String {
    if walked.items.is_empty() {
        return "No relation leads from there.".to_owned();
    }
    let mut lines: Vec<String> =
        walked.items.iter().map(|one| format!("{} {}", one.steps, called(&one.item))).collect();
    if walked.truncated {
        lines.push("There is more than this.".to_owned());
    }
    list(lines)
}
