//! What `get` fetched, as people read it: what is known of it, and its words.

use crate::find::quoted;
use crate::print::{bytes, list, table};
use um_model::EpochMs;
use um_model::capture::{ArtifactDetail, Got, Memory, TextView, Unit, ViewText};
use um_model::envelope::Envelope;
use um_model::jobs::Job;
use um_model::spaces::Space;
use um_server::text::{self, count, iso_time, percent};

/// What is known of a thing: each with its name.
struct Known(Vec<Vec<String>>);

impl Known {
    fn of(what: &str, id: &impl ToString) -> Self {
        Self(vec![vec![what.to_owned(), id.to_string()]])
    }

    fn and(mut self, name: &str, value: impl ToString) -> Self {
        self.0.push(vec![name.to_owned(), value.to_string()]);
        self
    }

    /// The same where there is something to say.
    fn maybe(self, name: &str, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.and(name, value),
            None => self,
        }
    }

    fn at(self, name: &str, time: Option<EpochMs>) -> Self {
        self.maybe(name, time.map(iso_time))
    }

    fn told(&self) -> String {
        table(&self.0)
    }

    fn with_words(&self, words: &str) -> String {
        format!("{}\n\n{}", self.told(), quoted(words))
    }
}

/// A page of what was fetched.
pub(crate) fn page(got: &Got) -> String {
    match got {
        Got::Memory(one) => memory(one),
        Got::Artifact(one) => file(one),
        Got::View(one) => view(one),
        Got::Unit(one) => passage(one),
        Got::Space(one) => space(one),
        Got::Job(one) => job(one),
    }
}

fn ids<T: ToString>(ids: &[T]) -> Option<String> {
    (!ids.is_empty()).then(|| ids.iter().map(T::to_string).collect::<Vec<_>>().join(", "))
}

fn memory(one: &Memory) -> String {
    let envelope = Envelope::from(one);
    let known = Known::of("memory", &one.id)
        .maybe("title", one.title.as_ref())
        .and("space", &one.space_id)
        .maybe("file", one.artifact_id.as_ref())
        .and("state", format!("{}, {}", one.status, one.tier))
        .and("it is", text::envelope(&envelope).0.join(", "))
        .maybe("owner", one.owner.as_ref())
        .maybe("from", one.artifact_ref.as_ref())
        .maybe("session", one.session_id.as_ref())
        .maybe("key", one.memory_key.as_ref())
        .maybe("tags", ids(&one.tags))
        .at("happened", one.occurred_at)
        .at("recorded", Some(one.created_at))
        .at("goes out of use", one.expires_at)
        .maybe("stands in the place of", one.supersedes_id.as_ref())
        .maybe("in its place stands", one.superseded_by_id.as_ref())
        .maybe("made of", ids(&one.derived_from))
        .maybe("kept of events", ids(&one.source_event_ids));
    match one.content.as_deref() {
        Some(words) => known.with_words(words),
        None => known.told(),
    }
}

fn file(one: &ArtifactDetail) -> String {
    let ArtifactDetail { summary, views, versions, .. } = one;
    let file = &summary.artifact;
    let state = match (file.redacted, file.deleted) {
        (true, _) => Some("forgotten"),
        (false, true) => Some("removed; umem restore brings it back"),
        (false, false) => None,
    };
    let reading = summary.reading.as_ref().map(|job| job.status.to_string());
    let known = Known::of("file", &file.id)
        .and("name", &file.filename)
        .and("space", &file.space_id)
        .maybe("memory", summary.memory_id.as_ref())
        .and("type", format!("{} ({})", file.modality, file.mime_type))
        .and("size", bytes(file.byte_size))
        .maybe("pages", file.page_count)
        .maybe("came from", file.source_path.as_ref())
        .maybe("state", state)
        .maybe("reading", summary.note.clone().or(reading))
        .at("made", file.occurred_at)
        .at("came in", Some(file.created_at));
    let read = views.iter().map(of_view);
    let others = versions.iter().map(|other| format!("Another version: {}, {}", other.artifact_id, other.status));
    let more = list(read.chain(others));
    if more.is_empty() { known.told() } else { format!("{}\n\n{more}", known.told()) }
}

/// A text that was read, in a line of a file.
fn of_view(view: &TextView) -> String {
    let page = view.page.map(|page| format!(", p. {page}")).unwrap_or_default();
    let length = count(u64::from(view.length), "character");
    format!("Read by {}{page}: {length}, sure to {}: umem get {}", view.extractor_id, percent(view.quality), view.id)
}

fn view(one: &ViewText) -> String {
    let ViewText { view, span, text, .. } = one;
    let is_part = span.end < view.length;
    Known::of("text", &view.id)
        .and("file", &view.artifact_id)
        .and("space", &view.space_id)
        .maybe("page", view.page)
        .maybe("language", view.language.as_ref())
        .and("read by", &view.extractor_id)
        .and("sure to", percent(view.quality))
        .at("read", Some(view.created_at))
        .maybe("cut", is_part.then(|| format!("the first {} of {}", span.end, count(view.length.into(), "character"))))
        .with_words(text)
}

fn passage(one: &Unit) -> String {
    Known::of("passage", &one.id)
        .maybe("under", one.heading_path.as_ref())
        .and("space", &one.space_id)
        .and("memory", &one.memory_id)
        .maybe("text", one.view_id.as_ref())
        .with_words(&one.text)
}

fn space(one: &Space) -> String {
    Known::of("space", &one.id)
        .and("name", &one.name)
        .and("type", one.space_type)
        .maybe("under", one.parent_space_id.as_ref())
        .maybe("about", one.description.as_ref())
        .maybe("folder", one.root_path.as_ref())
        .and("read by", one.read_policy)
        .and("written to by", one.write_policy)
        .at("made", Some(one.created_at))
        .told()
}

fn job(one: &Job) -> String {
    Known::of("job", &one.id)
        .and("does", one.kind)
        .and("of", &one.title)
        .and("state", one.status)
        .maybe("now", one.progress_note.as_ref())
        .and("begun", count(u64::from(one.attempts), "time"))
        .maybe("why", one.error.as_ref().map(|error| error.message.as_str()))
        .and("space", &one.space_id)
        .maybe("file", one.artifact_id.as_ref())
        .maybe("memory", one.memory_id.as_ref())
        .at("queued", Some(one.created_at))
        .at("changed", Some(one.updated_at))
        .told()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ID: &str = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b";

    /// Each of these lines stands in the page, in this order.
    fn check(got: serde_json::Value, lines: &[&str]) {
        let told = page(&serde_json::from_value(got).unwrap());
        let mut rest = told.lines();
        for line in lines {
            let wanted = |one: &str| one.split_whitespace().eq(line.split_whitespace());
            assert!(rest.any(wanted), "{line:?} in {told}");
        }
        assert!(!told.contains(['{', '"']), "{told}");
    }

    #[test]
    fn what_is_fetched_is_a_page_for_people() {
        check(
            json!({"item_type": "memory", "id": ID, "space_id": ID, "actor_id": ID, "content": "The ferry\nleaves at noon.",
                "modality": "text", "scope": "fact", "status": "active", "tier": "hot", "tags": ["travel", "boats"],
                "layer": "distilled", "confidence_label": "observed", "created_at": 0}),
            &[
                &format!("memory {ID}"),
                "state active, hot",
                "tags travel, boats",
                "recorded 1970-01-01T00:00:00Z",
                "| The ferry",
                "| leaves at noon.",
            ],
        );
        check(
            json!({"item_type": "unit", "id": ID, "space_id": ID, "memory_id": ID, "view_id": null, "segment_id": null,
                "span": {"start": 0, "end": 4}, "text": "Rent", "heading_path": "Lease › Costs"}),
            &[&format!("passage {ID}"), "under Lease › Costs", "| Rent"],
        );
        check(
            json!({"item_type": "space", "id": ID, "name": "Trip\nforged line", "space_type": "project",
                "parent_space_id": null, "read_policy": "members", "write_policy": "members",
                "created_by_actor": null, "created_at": 0}),
            &[&format!("space {ID}"), "name Trip forged line", "type project"],
        );
        check(
            json!({"item_type": "job", "id": ID, "kind": "extract", "status": "failed", "space_id": ID, "artifact_id": null,
                "memory_id": null, "title": "scan.pdf", "progress": 0.0, "progress_note": null, "attempts": 3,
                "error": {"code": "io", "message": "The disk is full."}, "created_at": 0, "updated_at": 0}),
            &["does extract", "of scan.pdf", "state failed", "begun 3 times", "why The disk is full."],
        );
    }

    #[test]
    fn a_text_that_is_cut_says_so() {
        let view = json!({"id": ID, "artifact_id": ID, "space_id": ID, "view_type": "document_text", "page": 2,
            "language": "en", "extractor_id": "text", "model_id": null, "config_hash": "x", "quality": 0.94,
            "length": 300_000, "created_at": 0});
        let text = |end: u32| {
            json!({"item_type": "view", "view": view, "span": {"start": 0, "end": end}, "text": "Rent",
            "anchors": []})
        };
        check(text(200_000), &["page 2", "sure to 94%", "cut the first 200000 of 300000 characters", "| Rent"]);
        assert!(!page(&serde_json::from_value(text(300_000)).unwrap()).contains("cut"));
    }
}
