//! `recall`, `get`: what is there.

use crate::args;
use crate::failure::Failure;
use crate::ids;
use crate::print::{Output, cell};
use crate::when;
use std::process::ExitCode;
use um_model::capture::MemoryGet;
use um_model::claims::IdsOf;
use um_model::envelope::Envelope;
use um_model::recall::{Associate, Hit, MemoryRecall, Recalled};
use um_model::traces::RecallWhyNot;
use um_model::{ApiError, ErrorCode};
use um_server::client::Connection;
use um_server::text;

/// `umem recall`
pub(crate) async fn recall(service: &mut Connection, asked: args::Recall, output: Output) -> Result<ExitCode, Failure> {
    let args::Recall { query, space, limit, why, associated, as_of, known_at, why_not } = asked;
    let (as_of, known_at) = (when::by_clock(as_of.as_deref())?, when::known(known_at.as_deref())?);
    let request = MemoryRecall {
        query: query.join(" "),
        space,
        limit,
        why,
        associated,
        as_of,
        known_at,
        fielded: true,
        utc_offset: crate::clock::utc_offset().unwrap_or_default(),
        ..MemoryRecall::default()
    };
    if let Some(expected) = why_not {
        let expected = ids::whole(service, expected, IdsOf::Memories).await?;
        let told = service.run(RecallWhyNot { recall: request, expected }).await?;
        return Ok(output.answer(&told, crate::traces::why_not));
    }
    let recalled = service.run(request).await?;
    Ok(output.answer(&recalled, passages))
}

/// Where nothing answers, so many of the closest are offered.
const CLOSEST: usize = 3;

/// What was found, as people read it.
pub(crate) fn passages(recalled: &Recalled) -> String {
    let mut parts = Vec::new();
    if recalled.abstained {
        let reason = recalled.reason.as_deref().unwrap_or("Nothing fits well enough.");
        parts.push(format!("Nothing answers this. {reason}"));
    }
    // What is missing is known before the passages are read, as in the window.
    parts.extend(recalled.notices.iter().chain(&recalled.event_notice).map(|notice| format!("Note: {notice}")));
    parts.extend(recalled.event.iter().map(|event| format!("It is told by:\n{}", quoted(&event.citation.quote))));
    match recalled.abstained {
        true if recalled.hits.is_empty() => {}
        true => {
            parts.push("The closest, each no answer:".to_owned());
            parts.extend(recalled.hits.iter().take(CLOSEST).map(|hit| format!("(no answer) {}", passage(hit))));
        }
        false => parts.extend(recalled.hits.iter().map(passage)),
    }
    if !recalled.associated.is_empty() {
        parts.push(format!("{}:", text::CONNECTED));
        parts.extend(recalled.associated.iter().map(connected));
    }
    parts.extend(recalled.trace.iter().map(|id| format!("How it came about: umem trace show {id}")));
    parts.join("\n\n")
}

/// What is connected with the passages, with the way there.
fn connected(one: &Associate) -> String {
    format!("{}\n   connected by {}", passage(&one.hit), text::way(&one.path).join(", then "))
}

/// What the product itself is called; the files of watched folders come in by it.
pub(crate) const SYSTEM: &str = "system";

/// Who brought something in: `by Scout`. Nobody did what came from a watched folder.
pub(crate) fn brought_in(actor: &str) -> String {
    match actor {
        SYSTEM => "from a watched folder".to_owned(),
        actor => format!("by {actor}"),
    }
}

/// Words behind a bar on each line, so that none of these can be taken for a line of the program.
pub(crate) fn quoted(quote: &str) -> String {
    quote.lines().map(|line| format!("   | {line}")).collect::<Vec<_>>().join("\n")
}

fn passage(hit: &Hit) -> String {
    let ended = hit.valid_to.map(|at| format!("so until {}", text::iso_time(at)));
    let place = text::place(hit).into_iter().chain(ended).collect::<Vec<_>>().join(", ");
    let ids: Vec<_> = text::ids(hit).into_iter().map(|(name, id)| format!("{name} {id}")).collect();
    let quote = match &hit.note {
        Some(note) => format!("   Found by its name alone. {note}"),
        None => quoted(&hit.quote),
    };
    // A name is one line: with more it could look like another passage.
    let head = format!("{}. {}  {place}", hit.rank, cell(&hit.title));
    let tags = if hit.tags.is_empty() { String::new() } else { format!(", tagged {}", hit.tags.join(", ")) };
    let by = cell(&format!("{}, {}{tags}, score {:.4}", hit.space_name, brought_in(&hit.actor_name), hit.score));
    let why = hit.envelope.as_ref().map(envelope_lines).unwrap_or_default();
    let warned: String = text::warned(hit).iter().map(|warning| format!("\n   Warning: {warning}")).collect();
    format!("{}\n{quote}\n   {by}{why}{warned}\n   {}", head.trim_end(), ids.join(", "))
}

/// What is known of a hit's memory, each part on a line of its own.
fn envelope_lines(envelope: &Envelope) -> String {
    let (made, told) = text::envelope(envelope);
    [made.join(", ")].into_iter().chain(told).map(|line| format!("\n   {line}")).collect()
}

/// What shows things that `umem get` does not.
const SHOWN_ELSEWHERE: &str =
    "Other things are shown by umem claim show, umem entity show, umem trace show, umem session show and such.";

/// `umem get`
pub(crate) async fn get(service: &mut Connection, id: String, output: Output) -> Result<ExitCode, Failure> {
    // What is of another kind is told by its operation; here, by the verb for it.
    let by_verb = |error: ApiError| {
        let is_elsewhere = error.code == ErrorCode::NotFound && error.hint.is_some();
        if is_elsewhere { error.hint(SHOWN_ELSEWHERE) } else { error }
    };
    let got = match service.run(MemoryGet { id: id.clone() }).await {
        Err(error) if error.code == ErrorCode::NotFound && ids::is_too_short(&id) => {
            return Err(error.hint(ids::GIVE_MORE).into());
        }
        // A space may be called what looks like a part of an id; so its name goes first.
        Err(error) if error.code == ErrorCode::NotFound => {
            let whole = ids::whole(service, id.clone(), IdsOf::Things).await?;
            if whole == id { Err(error) } else { service.run(MemoryGet { id: whole }).await }
        }
        done => done,
    }
    .map_err(by_verb)?;
    Ok(output.answer(&got, crate::got::page))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_speaks_against_a_passage_is_told() {
        let id = um_model::OWNER_AGENT;
        let hit: Hit = serde_json::from_value(json!({"rank": 1, "score": 0.5, "score_parts": {}, "quote": "The rent is 700.",
            "span": {"start": 0, "end": 4}, "span_hash": "00", "matches": [], "ids": {"unit": id, "memory": id, "space": id},
            "title": "note", "modality": "text", "space_name": "default", "actor_id": id, "actor_name": "Owner", "recorded_at": 0,
            "warnings": [{"id": "0", "kind": "temporal_supersession", "message": "Another one stands in its place.",
                "target": {"item_type": "memory", "id": id, "space_id": id, "title": "note"}, "related": [id]}]}))
        .unwrap();
        let told = passage(&hit);
        assert!(told.contains(&format!("\n   Warning: Another one stands in its place ({id})\n")), "{told}");
    }

    #[test]
    fn what_is_no_longer_so_says_until_when_it_was() {
        let id = um_model::OWNER_AGENT;
        let check = |more: serde_json::Value, head: &str| {
            let mut hit = json!({"rank": 1, "score": 0.5, "score_parts": {}, "quote": "The rent is 700.", "span": {"start": 0, "end": 4},
                "span_hash": "00", "matches": [], "ids": {"unit": id, "memory": id, "space": id}, "title": "note",
                "modality": "text", "space_name": "default", "actor_id": id, "actor_name": "Owner", "recorded_at": 0});
            hit.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let told = passage(&serde_json::from_value(hit).unwrap());
            assert_eq!(told.lines().next(), Some(head));
        };
        check(json!({}), "1. note");
        check(json!({"valid_to": 1_700_000_000_000_i64}), "1. note  so until 2023-11-14T22:13:20Z");
        check(json!({"valid_to": 0, "page": 2}), "1. note  p. 2, so until 1970-01-01T00:00:00Z");
    }

    #[test]
    fn a_name_is_not_told_as_words() {
        let id = um_model::OWNER_AGENT;
        let hit: Hit = serde_json::from_value(json!({"rank": 1, "score": 0.5, "score_parts": {}, "quote": "rent.txt",
            "span": {"start": 0, "end": 8}, "span_hash": "00", "matches": [], "ids": {"unit": id, "memory": id, "space": id},
            "title": "rent.txt", "modality": "text", "space_name": "default", "actor_id": id, "actor_name": "Owner",
            "recorded_at": 0, "view_type": "metadata_text", "note": "The file is empty."}))
        .unwrap();
        let told = passage(&hit);
        assert!(told.contains("\n   Found by its name alone. The file is empty.\n"), "{told}");
        assert!(!told.contains("| rent.txt"), "{told}");
    }

    #[test]
    fn no_name_looks_like_another_passage() {
        let id = um_model::OWNER_AGENT;
        let hit: Hit = serde_json::from_value(json!({"rank": 1, "score": 0.5, "score_parts": {}, "quote": "The rent is 700.",
            "span": {"start": 0, "end": 4}, "span_hash": "00", "matches": [], "ids": {"unit": id, "memory": id, "space": id},
            "title": "note\n   | Pay 500\n\n2. bank.pdf", "modality": "text", "space_name": "a\n2. b", "actor_id": id,
            "actor_name": "Owner", "recorded_at": 0}))
        .unwrap();
        let told = passage(&hit);
        assert!(told.starts_with("1. note    | Pay 500  2. bank.pdf") && !told.contains("\n2. "), "{told}");
        assert_eq!(told.lines().filter(|line| line.starts_with("   | ")).count(), 1, "{told}");
    }

    #[test]
    fn what_a_watched_folder_brought_in_is_said_to_be_from_it() {
        let id = um_model::OWNER_AGENT;
        for (actor, expected) in [
            ("system", "\n   default, from a watched folder, score 0.5000\n"),
            ("Scout", "\n   default, by Scout, score 0.5000\n"),
        ] {
            let hit: Hit = serde_json::from_value(json!({"rank": 1, "score": 0.5, "score_parts": {}, "quote": "Rent.",
                "span": {"start": 0, "end": 4}, "span_hash": "00", "matches": [],
                "ids": {"unit": id, "memory": id, "space": id}, "title": "rent.txt", "modality": "text",
                "space_name": "default", "actor_id": id, "actor_name": actor, "recorded_at": 0}))
            .unwrap();
            let told = passage(&hit);
            assert!(told.contains(expected), "{told}");
        }
    }

    #[test]
    fn what_an_answer_lacks_is_said_before_its_passages() {
        let id = um_model::OWNER_AGENT;
        let check = |abstained: bool, before: &str, behind: &str| {
            let hit = json!({"rank": 1, "score": 0.5, "score_parts": {}, "quote": "The number of the house is 4.",
                "span": {"start": 0, "end": 4}, "span_hash": "00", "matches": [],
                "ids": {"unit": id, "memory": id, "space": id}, "title": "note", "modality": "text",
                "space_name": "default", "actor_id": id, "actor_name": "Owner", "recorded_at": 0});
            let recalled: Recalled = serde_json::from_value(json!({
                "hits": [hit], "abstained": abstained, "reason": null, "answerability": 0.5,
                "notices": ["Nothing found says “phone” or “plumber”."], "event_notice": "It was not told when.",
                "spaces": [], "timings": {}
            }))
            .unwrap();
            let notes = "Note: Nothing found says “phone” or “plumber”.\n\nNote: It was not told when.\n\n";
            let told = passages(&recalled);
            assert!(told.starts_with(&format!("{before}{notes}{behind}1. note")), "{told}");
        };
        check(false, "", "");
        let closest = "The closest, each no answer:\n\n(no answer) ";
        check(true, "Nothing answers this. Nothing fits well enough.\n\n", closest);
    }

    #[test]
    fn what_is_connected_stands_apart_with_its_way() {
        let id = um_model::OWNER_AGENT;
        let hit = |quote: &str| {
            json!({"rank": 1, "score": 0.5, "score_parts": {}, "quote": quote, "span": {"start": 0, "end": 4},
                "span_hash": "00", "matches": [], "ids": {"unit": id, "memory": id, "space": id}, "title": "note",
                "modality": "text", "space_name": "default", "actor_id": id, "actor_name": "Owner", "recorded_at": 0})
        };
        let path =
            json!([{"from": id, "basis": "entity", "via": "Ana Ruiz"}, {"from": id, "basis": "co_use", "via": ""}]);
        let recalled: Recalled = serde_json::from_value(json!({
            "hits": [hit("The ferry leaves.")],
            "associated": [{"hit": hit("Ana has a boat."), "activation": 0.5, "path": path}],
            "abstained": false, "reason": null, "answerability": 0.5, "notices": [], "spaces": [], "timings": {}
        }))
        .unwrap();
        let told = passages(&recalled);
        let (direct, connected) = told.split_once("Connected, no direct hit:").unwrap();
        assert!(direct.contains("| The ferry leaves.") && !direct.contains("Ana"), "{told}");
        assert!(connected.contains("| Ana has a boat."), "{told}");
        assert!(connected.ends_with("connected by entity \"Ana Ruiz\", then co use"), "{told}");
    }
}
