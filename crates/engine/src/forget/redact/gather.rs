//! What is to be blacked out: the same thing in the texts, on the pages and in the sound.

use crate::Caller;
use crate::error::{Fault, invalid, not_found};
use std::collections::BTreeMap;
use um_model::capture::{Anchor, Artifact, Memory};
use um_model::envelope::MemoryLayer;
use um_model::forget::RedactionApply;
use um_model::{ApiError, Bbox, ErrorCode, TimeSpan, Utf16Span, ViewId};
use um_store::forget::{self, Rows, folded};
use um_store::redact::{self, Accepted, Region, Stretch};
use um_store::{Connection, artifacts, memories, units, views};

/// What a person accepted, brought together over all that shows it.
#[derive(Debug, Clone)]
pub(in crate::forget) struct Work {
    pub(in crate::forget) memory: Memory,
    pub(in crate::forget) artifact: Option<Artifact>,
    pub(in crate::forget) accepted: Accepted,
    /// Stretches of the file's texts: those accepted, and the words in boxes and times that were.
    pub(super) views: BTreeMap<ViewId, Vec<Utf16Span>>,
    /// Boxes, by page.
    pub(super) boxes: Vec<(u32, Bbox)>,
    pub(super) times: Vec<TimeSpan>,
    /// The texts as they are, with what goes.
    pub(in crate::forget) texts: Vec<(String, Vec<Utf16Span>)>,
    /// What was accepted as words, with these.
    pub(in crate::forget) stretches: Vec<(Stretch, String)>,
    /// The words themselves, as they are written.
    pub(in crate::forget) said: Vec<String>,
    /// The same, folded.
    pub(in crate::forget) own: Vec<String>,
    /// The same without the short ones, which stand everywhere: what is looked for beyond the memory and its file.
    pub(in crate::forget) values: Vec<String>,
    /// All rows of the memory and its file.
    pub(super) rows: Rows,
    /// What the product made of its words and keeps elsewhere.
    pub(super) made: Rows,
    /// Up to where `made` was looked for.
    pub(super) until: redact::Until,
}

/// The shortest words that are looked for beyond their place, in letters.
const SHORTEST: usize = 4;

/// Whether words are long enough to be looked for beyond their place: shorter ones stand everywhere. A Han character says as much as a few
/// letters.
pub(in crate::forget) fn is_long(words: &str) -> bool {
    let is_han = |c: char| matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}');
    let letters = words.chars().filter(|c| c.is_alphanumeric());
    letters.map(|c| if is_han(c) { SHORTEST / 2 } else { 1 }).sum::<usize>() >= SHORTEST
}

pub(super) fn gather(c: &Connection, caller: &Caller, request: &RedactionApply) -> Result<Work, Fault> {
    crate::access::may_act(c, caller)?;
    let (memory, unknown) = match (&request.memory, &request.artifact) {
        (Some(id), None) => (memories::by_id(c, id)?, not_found("memory", id.as_str())),
        (None, Some(id)) => (memories::by_artifact(c, id)?, not_found("file", id.as_str())),
        _ => return Err(invalid("Name the file or the memory in which to black out.").into()),
    };
    let Some(memory) = memory else { return Err(unknown.into()) };
    crate::spaces::check(c, caller, &memory.space_id, || unknown)?;
    if memory.layer == MemoryLayer::Raw {
        return Err(ApiError::new(ErrorCode::Conflict, "This memory is raw: no word of it is changed.")
            .hint("Take it out with `umem archive ID --reason WHY`, or forget it.")
            .into());
    }
    let artifact = match &memory.artifact_id {
        Some(id) => Some(crate::library::existing(c, caller, id)?),
        None => None,
    };
    let accepted = redact::accepted(c, &memory.id, memory.artifact_id.as_ref())?;
    let mut work = Work {
        memory,
        artifact,
        accepted,
        views: BTreeMap::new(),
        boxes: Vec::new(),
        times: Vec::new(),
        texts: Vec::new(),
        stretches: Vec::new(),
        said: Vec::new(),
        own: Vec::new(),
        values: Vec::new(),
        rows: Rows::default(),
        made: Rows::default(),
        until: redact::newest(c)?,
    };
    work.across(c)?;
    work.listen(c)?;
    work.rows.add("memories", work.memory.id.as_str());
    if let Some(file) = &work.artifact {
        work.rows.add("artifacts", file.id.as_str());
    }
    work.rows = forget::belonging(c, &work.rows)?;
    work.made = redact::made_of(c, &work.values)?;
    Ok(work)
}

/// Refuses to go on where what was accepted changed while the rendition was made.
pub(super) fn still_so(c: &Connection, work: &Work) -> Result<(), Fault> {
    let gone = match &work.artifact {
        Some(file) => artifacts::by_id(c, &file.id)?.is_none_or(|file| file.redacted),
        None => false,
    };
    if gone || redact::accepted(c, &work.memory.id, work.memory.artifact_id.as_ref())? != work.accepted {
        return Err(ApiError::new(
            ErrorCode::Conflict,
            "What was accepted has changed meanwhile; nothing was blacked out.",
        )
        .hint("Apply it again.")
        .into());
    }
    Ok(())
}

impl Work {
    /// The same for a copy of what is blacked out: what goes there is what goes here, also where its own texts do not say it.
    pub(super) fn beside_source(mut self, source: &Work, changes: bool) -> Self {
        let more = |own: &mut Vec<String>, all: &[String]| {
            own.extend_from_slice(all);
            own.sort();
            own.dedup();
        };
        more(&mut self.said, &source.said);
        more(&mut self.own, &source.own);
        more(&mut self.values, &source.values);
        // Who marked the words marked them in the source.
        self.stretches.clear();
        self.artifact = self.artifact.filter(|_| changes);
        self
    }

    /// Takes words to their places, and places to the words that stand there.
    fn across(&mut self, c: &Connection) -> Result<(), Fault> {
        for region in &self.accepted.regions {
            match region {
                Region::Box { page, bbox } => self.boxes.push((*page, *bbox)),
                Region::Time(time) => self.times.push(*time),
            }
        }
        for stretch in &self.accepted.stretches {
            if let Some(view) = &stretch.view {
                self.views.entry(view.clone()).or_default().push(stretch.span);
            }
        }
        let Some(file) = &self.artifact else { return Ok(()) };
        let in_use = views::of_artifact(c, &file.id)?;
        let places: Vec<(ViewId, Option<u32>, Vec<Anchor>)> = in_use
            .into_iter()
            .map(|view| Ok((view.id.clone(), view.page, views::anchors(c, &view.id)?)))
            .collect::<Result<_, Fault>>()?;
        // First from words to places, then from all places to whatever stands there in any text.
        for (view, page, anchors) in &places {
            let Some(spans) = self.views.get(view) else { continue };
            for anchor in anchors.iter().filter(|anchor| spans.iter().any(|span| span.overlaps(anchor.span))) {
                self.boxes.extend(anchor.bbox.map(|bbox| (anchor.page.or(*page).unwrap_or(1), bbox)));
                self.times.extend(anchor.time);
            }
        }
        for (view, page, anchors) in &places {
            let shown = |anchor: &&Anchor| {
                let on = anchor.page.or(*page).unwrap_or(1);
                anchor.bbox.is_some_and(|bbox| self.boxes.iter().any(|(page, other)| *page == on && meet(bbox, *other)))
                    || anchor.time.is_some_and(|time| self.times.iter().any(|other| overlap(time, *other)))
            };
            let spans: Vec<Utf16Span> = anchors.iter().filter(shown).map(|anchor| anchor.span).collect();
            if !spans.is_empty() {
                self.views.entry(view.clone()).or_default().extend(spans);
            }
        }
        Ok(())
    }

    /// Keeps the words that go, to look for them afterwards.
    fn listen(&mut self, c: &Connection) -> Result<(), Fault> {
        let mut texts = Vec::new();
        let words = self.accepted.words();
        let stretches = |view: Option<&ViewId>, text: &str| -> Vec<(Stretch, String)> {
            let there = self.accepted.stretches.iter().filter(|one| one.view.as_ref() == view);
            there.filter_map(|one| Some((one.clone(), one.span.slice(text)?.to_owned()))).collect()
        };
        let mut accepted = Vec::new();
        if !words.is_empty() {
            let content = self.memory.content.clone().unwrap_or_default();
            accepted.extend(stretches(None, &content));
            texts.push((content, words));
        }
        for (view, spans) in &self.views {
            let text = units::source_text(c, view.as_str(), false)?;
            accepted.extend(stretches(Some(view), &text));
            texts.push((text, spans.clone()));
        }
        self.stretches = accepted;
        for (text, spans) in &texts {
            self.said.extend(spans.iter().filter_map(|span| span.slice(text)).map(str::to_owned));
        }
        self.texts = texts;
        self.said.sort();
        self.said.dedup();
        let has_letters = |value: &String| value.contains(char::is_alphanumeric);
        self.own = self.said.iter().map(|said| folded(said)).filter(has_letters).collect();
        self.values = self.own.iter().filter(|value| is_long(value)).cloned().collect();
        Ok(())
    }
}

/// Whether two boxes share more than an edge.
fn meet(a: Bbox, b: Bbox) -> bool {
    a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3]
}

fn overlap(a: TimeSpan, b: TimeSpan) -> bool {
    a.start_ms < b.end_ms && b.start_ms < a.end_ms
}
