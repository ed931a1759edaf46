//! `umem query`.

use super::{args, session_id};
use crate::failure::Failure;
use crate::print::{Output, list};
use crate::when::by_clock;
use std::process::ExitCode;
use um_model::work::*;
use um_server::client::Connection;

/// `umem query …`
pub(crate) async fn query(service: &mut Connection, asked: args::Query, output: Output) -> Result<ExitCode, Failure> {
    let related = asked.related_to.as_deref().map(super::relations::key).transpose()?;
    let request = ItemsQuery {
        space: asked.at.space,
        session: session_id(asked.at.session)?,
        types: asked.types,
        entry_types: asked.entry_types,
        category: asked.category,
        text: (!asked.words.is_empty()).then(|| asked.words.join(" ")),
        tags: TagFilter { include: asked.tag, require: asked.require, exclude: asked.exclude },
        related_to: related.map(|key| Related {
            item_type: key.item_type,
            id: key.id,
            relations: asked.relation,
            direction: None,
            depth: asked.depth,
        }),
        inherit: !asked.only_here,
        all_levels: asked.all_levels,
        inactive: asked.inactive,
        as_of: by_clock(asked.as_of.as_deref())?,
        versions: asked.versions,
        offset: asked.page.offset,
        limit: asked.page.limit,
    };
    let why = asked.why;
    Ok(output.answer(&service.run(request).await?, |found| told(found, why)))
}

fn told(found: &ItemsFound, why: bool) -> String {
    if found.items.is_empty() {
        return "Nothing fits.".to_owned();
    }
    let least = if found.total_is_exact { "" } else { "at least " };
    let mut lines = vec![format!("{least}{} in all", found.total)];
    for one in &found.items {
        let of = one.entry_type.map_or_else(|| one.item.item_type.as_str(), EntryType::as_str);
        let unused = if one.is_active { "" } else { ", out of use" };
        let ended = if one.ran_out { ", has run out" } else { "" };
        lines.push(format!("{:.2}  {of} {} ({}{unused}{ended})", one.score, one.item.title, one.item.id));
        if why {
            let parts = one.why.iter().map(|part| format!("{} {:.2} of {:.2}", part.signal, part.value, part.weight));
            lines.push(format!("      {}", parts.collect::<Vec<_>>().join(", ")));
        }
    }
    list(lines)
}
