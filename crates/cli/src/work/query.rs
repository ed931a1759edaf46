//! `umem query`.

use super::{ELSEWHERE, args, notes, session_id};
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
    Ok(output.answer(&service.run(request.clone()).await?, |found| told(found, &request, why)))
}

/// Where it was looked.
fn place(asked: &ItemsQuery) -> String {
    let space = match (&asked.space, &asked.session) {
        (Some(space), _) => space.clone(),
        (None, Some(_)) => "the session and its space".to_owned(),
        (None, None) => "the default space".to_owned(),
    };
    let above = if asked.inherit { " and the spaces above it" } else { "" };
    format!("in {space}{above}")
}

fn told(found: &ItemsFound, asked: &ItemsQuery, why: bool) -> String {
    let place = place(asked);
    let is_named = asked.space.is_some() || asked.session.is_some();
    let elsewhere = if is_named { String::new() } else { format!(" {ELSEWHERE}") };
    if found.items.is_empty() {
        let none = match found.total {
            0 => format!("Nothing fits {place}.{elsewhere}"),
            total => format!("Nothing more fits: {total} in all, {place}."),
        };
        return list([none].into_iter().chain(notes(&found.notices)));
    }
    let least = if found.total_is_exact { "" } else { "at least " };
    let shown = found.items.len() as u64;
    let mut lines = vec![match shown < found.total || !found.total_is_exact {
        true => format!("{shown} of {least}{} in all, {place}; --limit and --offset show others", found.total),
        false => format!("{} in all, {place}", found.total),
    }];
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
    lines.extend(notes(&found.notices));
    list(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_it_was_looked_and_how_much_more_there_is_is_told() {
        let space = um_model::OWNER_AGENT;
        let one = serde_json::json!({
            "item": {"item_type": "memory", "id": "x", "space_id": space, "title": "note"}, "space_id": space, "level": 0,
            "says": "The rent is 700.", "is_active": true, "updated_at": 0, "score": 0.5, "why": [],
        });
        let check = |asked: ItemsQuery, (shown, total, total_is_exact): (usize, u64, bool), expected: &str| {
            let items: Vec<Found> = vec![serde_json::from_value(one.clone()).unwrap(); shown];
            let told = told(&ItemsFound { items, total, total_is_exact, notices: Vec::new() }, &asked, false);
            assert_eq!(told.lines().next(), Some(expected));
        };
        let in_space = |inherit| ItemsQuery { space: Some("Boats".to_owned()), inherit, ..ItemsQuery::default() };
        let here = || ItemsQuery { inherit: false, ..ItemsQuery::default() };
        check(here(), (0, 0, true), "Nothing fits in the default space. --space names another one.");
        check(in_space(false), (0, 0, true), "Nothing fits in Boats.");
        check(in_space(true), (0, 0, true), "Nothing fits in Boats and the spaces above it.");
        check(in_space(false), (0, 26, true), "Nothing more fits: 26 in all, in Boats.");
        check(here(), (2, 2, true), "2 in all, in the default space");
        check(here(), (2, 26, true), "2 of 26 in all, in the default space; --limit and --offset show others");
        check(
            here(),
            (2, 26, false),
            "2 of at least 26 in all, in the default space; --limit and --offset show others",
        );
    }
}
