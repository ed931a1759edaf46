//! Items as they were at a time. Entries, standing rules and resources have versions, a memory the history of its status, and what
//! was in hand is told by the events that writing it down left.

use super::Source;
use crate::filter::Then;
use crate::{entries, resources};
use um_model::work::ItemType;

/// What items of a kind were at the time that is bound at `at`; what is not told here is as it is now.
pub(super) fn source(of: ItemType, now: Source, at: &str) -> Source {
    match of {
        ItemType::Entry => entry(now, at),
        ItemType::CoreBlock => rule(now, at),
        ItemType::Resource => resource(now, at),
        ItemType::SessionState => state(now, at),
        ItemType::Event => Source { there: format!("t.occurred_at <= {at}"), ..now },
        _ => memory(now, at),
    }
}

/// A column of the last version of an item `t` until a time. `versions` are their table, and its columns of the item and of the time.
fn version(column: &str, versions: [&str; 3], at: &str) -> String {
    let [table, of, time] = versions;
    // One that was forgotten tells nothing, nor does the one before it, which did not stand any more. That of an entry says nothing.
    let told = match table == ENTRIES[0] {
        true => format!("v.{column}"),
        false => format!("iif(v.is_redacted, NULL, v.{column})"),
    };
    format!(
        "(SELECT {told} FROM {table} v WHERE v.{of} = t.id AND v.{time} <= {at} ORDER BY v.version_num DESC LIMIT 1)"
    )
}

const ENTRIES: [&str; 3] = ["entry_versions", "entry_id", "created_at"];
const RULES: [&str; 3] = ["core_block_versions", "core_block_id", "created_at"];
const RESOURCES: [&str; 3] = ["workspace_resource_versions", "resource_id", "valid_from"];

fn entry(now: Source, at: &str) -> Source {
    Source {
        says: version("body", ENTRIES, at),
        updated_at: version("created_at", ENTRIES, at),
        is_active: entries::in_use_at("t", at),
        there: entries::was_there("t", at),
        ..now
    }
}

fn rule(now: Source, at: &str) -> Source {
    let set_at = version("created_at", RULES, at);
    Source {
        says: version("content", RULES, at),
        // One that was removed never comes back, and nothing else changes it afterwards.
        is_active: format!("(t.is_active = 1 OR t.updated_at > {at})"),
        there: format!("{set_at} IS NOT NULL"),
        updated_at: set_at,
        ..now
    }
}

fn resource(now: Source, at: &str) -> Source {
    let put_at = version("valid_from", RESOURCES, at);
    Source {
        title: version("title", RESOURCES, at),
        says: format!("ifnull({}, t.uri)", version("content", RESOURCES, at)),
        is_active: resources::was_there("t", at),
        there: format!("{put_at} IS NOT NULL"),
        updated_at: put_at,
        ..now
    }
}

/// What was worked on, as JSON, of what was in hand and was written down anew since.
pub(super) fn works_on(at: &str) -> String {
    told_of_state("e.metadata ->> '$.state.working_set'", at)
}

/// What the last event `e` until a time tells of what was in hand. One that was forgotten tells nothing. The plus before the id lets the
/// index of events be used, whose values have no type.
fn told_of_state(told: &str, at: &str) -> String {
    format!(
        "(SELECT {told} FROM evidence_events e
               WHERE e.kind = 'system_event' AND json_extract(e.metadata, '$.about') = +t.id
                 AND e.metadata ->> '$.is' = 'session_state' AND +e.recorded_at <= {at}
               ORDER BY e.rid DESC LIMIT 1)"
    )
}

/// What was in hand: as it stands, where it was not written down anew since; else as the last event until then has it.
fn state(now: Source, at: &str) -> Source {
    let then = |stands: &str, told: &str| {
        format!("CASE WHEN t.updated_at <= {at} THEN {stands} ELSE {} END", told_of_state(told, at))
    };
    let [goal, summary, status] = ["current_goal", "summary", "status"]
        .map(|name| then(&format!("t.{name}"), &format!("e.metadata ->> '$.state.{name}'")));
    Source {
        says: format!("concat_ws(char(10), {goal}, {summary})"),
        title: goal,
        updated_at: then("t.updated_at", "e.recorded_at"),
        is_active: format!("{status} <> 'complete'"),
        there: format!("t.created_at <= {at} AND {status} IS NOT NULL"),
        ..now
    }
}

fn memory(now: Source, at: &str) -> Source {
    // Which time it is stands where it is bound.
    let in_use = Then { as_of: Some(0), known_at: None }.in_use(at, "NULL");
    Source {
        is_active: format!("EXISTS (SELECT 1 FROM memories m WHERE m.rid = t.rid AND {in_use})"),
        // A file tells when it was made once it is read.
        there: format!(
            "t.status <> 'deleted' AND (t.valid_from <= {at} OR t.supersedes_id IS NULL AND t.occurred_at <= {at})"
        ),
        ..now
    }
}
