//! `umem entry`.

use super::args;
use super::{json, metadata, notes, session_id, versions};
use crate::failure::{Failure, id};
use crate::print::{Output, cell, list};
use crate::when;
use std::process::ExitCode;
use um_model::work::*;
use um_model::{ApiError, EntryConflictId, EntryId, ErrorCode};
use um_server::client::Connection;
use um_server::text::{entry_body, iso_time as time};

const SEE: &str = "umem entry list";

/// `umem entry …`
pub(crate) async fn entry(service: &mut Connection, asked: args::Entry, output: Output) -> Result<ExitCode, Failure> {
    let of = |text| id(text, EntryId::parse, SEE);
    match asked {
        args::Entry::Save(asked) => {
            let saved = service.run(save(*asked)?).await?;
            Ok(output.answer(&saved, saved_words))
        }
        args::Entry::Show { name, entry_type, at, all_levels, inactive, version, as_of } => {
            let as_of = when::by_clock(as_of.as_deref())?;
            let mut request = EntryGet { all_levels, inactive, version, as_of, ..EntryGet::default() };
            match entry_type {
                Some(_) => {
                    (request.entry_type, request.name) = (entry_type, Some(name));
                    (request.space, request.session) = (at.space, session_id(at.session)?);
                }
                None => request.id = Some(by_id(name)?),
            }
            Ok(output.answer(&service.run(request).await?, |got| {
                let all: Vec<String> = [&got.entry].into_iter().chain(&got.overrides).map(shown).collect();
                all.join("\n\n")
            }))
        }
        args::Entry::List { words, at, entry_type, category, only_here, all_levels, inactive, as_of, page } => {
            let request = EntriesList {
                space: at.space,
                session: session_id(at.session)?,
                entry_type,
                category,
                text: (!words.is_empty()).then(|| words.join(" ")),
                only_here,
                all_levels,
                inactive,
                as_of: when::by_clock(as_of.as_deref())?,
                offset: page.offset,
                limit: page.limit,
            };
            let is_narrow = request.text.is_some() || request.as_of.is_some();
            Ok(output.answer(&service.run(request).await?, |found| listed(found, is_narrow)))
        }
        args::Entry::Disable { id } => Ok(output.answer(&service.run(EntryDisable { id: of(id)? }).await?, line)),
        args::Entry::Enable { id } => Ok(output.answer(&service.run(EntryEnable { id: of(id)? }).await?, line)),
        args::Entry::History { id, page } => {
            versions::history(service, (VersionedType::Entry, of(id)?.to_string()), page, output).await
        }
        args::Entry::Diff { id, from, to } => {
            versions::diff(service, (VersionedType::Entry, of(id)?.to_string()), (from, to), output).await
        }
        args::Entry::Conflicts { space, resolved, page } => {
            let request = ClashesList { space, entry: None, resolved, offset: page.offset, limit: page.limit };
            Ok(output.answer(&service.run(request).await?, |listed| match listed.clashes.as_slice() {
                [] => "No versions were written without regard to one another.".to_owned(),
                all => all.iter().map(clash).collect::<Vec<_>>().join("\n\n"),
            }))
        }
        args::Entry::Resolve { id: text, outcome, body, note } => {
            let clash_id = id(text, EntryConflictId::parse, "umem entry conflicts")?;
            let body = body.map(|text| json("The body", &text)).transpose()?;
            let decided = service.run(ClashResolve { clash: clash_id, outcome, body, note }).await?;
            Ok(output.answer(&decided, |one| format!("{} {}: {outcome}", one.entry_type, one.name)))
        }
    }
}

fn by_id(text: String) -> Result<EntryId, Failure> {
    EntryId::parse(text).map_err(|error| {
        let error = ApiError::new(ErrorCode::InvalidRequest, format!("{error}."));
        Failure::usage(error.hint("Give the id, or the name with --type tool, guideline or knowledge."))
    })
}

fn save(asked: args::EntrySave) -> Result<EntrySave, Failure> {
    let body = match (asked.body, asked.text) {
        (Some(text), _) => json("The body", &text)?,
        (None, text) if asked.entry_type == EntryType::Tool => EntryBody { description: text, ..EntryBody::default() },
        (None, text) => EntryBody { content: text, ..EntryBody::default() },
    };
    Ok(EntrySave {
        space: asked.at.space,
        session: session_id(asked.at.session)?,
        entry_type: asked.entry_type,
        name: asked.name,
        category: asked.category,
        priority: asked.priority,
        body,
        change_reason: asked.reason,
        base_version: asked.base_version,
        metadata: metadata(asked.metadata)?.unwrap_or_default(),
        tags: asked.tag,
    })
}

fn saved_words(saved: &EntrySaved) -> String {
    let what = if saved.created { "" } else { "It says that already: " };
    let conflict = match &saved.conflict {
        Some(_) => "\nIt was written without regard to the version before it: umem entry conflicts",
        None => "",
    };
    format!("{what}{}{conflict}", line(&saved.entry))
}

fn line(entry: &Entry) -> String {
    let place = match &entry.session_id {
        Some(session) => format!("session {session}"),
        None => entry.space.clone(),
    };
    let category = entry.category.map(|category| format!(", {category}")).unwrap_or_default();
    let out = if entry.is_active { "" } else { ", out of use" };
    let ended = if entry.ran_out { ", has run out" } else { "" };
    let open = if entry.open_conflicts > 0 { ", in conflict" } else { "" };
    format!(
        "{}  {} {} ({place}, version {}, priority {}{category}{out}{ended}{open})",
        entry.id, entry.entry_type, entry.name, entry.version.number, entry.priority
    )
}

fn listed(listed: &EntriesListed, is_narrow: bool) -> String {
    let mut lines: Vec<String> = listed.entries.iter().map(line).collect();
    if lines.is_empty() {
        let none = if is_narrow { "No entry fits." } else { "No entry. umem entry save writes one." };
        lines.push(none.to_owned());
    }
    if listed.more {
        lines.push("There are more: --offset goes on.".to_owned());
    }
    lines.extend(notes(&listed.notices));
    list(lines)
}

fn shown(entry: &Entry) -> String {
    let mut parts = vec![line(entry)];
    parts.extend(entry_body(&entry.version.body));
    parts.extend(entry.version.change_reason.iter().map(|reason| format!("Why: {reason}")));
    if !entry.tags.is_empty() {
        parts.push(format!("Tags: {}", entry.tags.join(", ")));
    }
    parts.push(format!("Written {} by {}", time(entry.version.created_at), entry.version.author));
    parts.join("\n")
}

fn clash(one: &Clash) -> String {
    let says = |version: &EntryVersion| version.body.words().first().map_or(String::new(), |words| cell(words));
    let decided = one.outcome.map(|outcome| format!(": {outcome}")).unwrap_or_default();
    format!(
        "{}  {} {}{decided}\n  a, version {} by {}: {}\n  b, version {} by {}: {}",
        one.id,
        one.entry_type,
        cell(&one.name),
        one.a.number,
        one.a.author,
        says(&one.a),
        one.b.number,
        one.b.author,
        says(&one.b)
    )
}
