//! What the viewer is to show.

use crate::{
    components::{citation::Cited, viewer::geometry},
    ipc,
    route::{At, Route},
};
use leptos::{prelude::*, task::spawn_local};
use um_model::{
    ArtifactId, Bbox, MemoryId, TimeSpan, Utf16Span, ViewId,
    capture::{Artifact, ViewRead},
    recall::Match,
};

/// What a source is kept as.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// A file.
    File(ArtifactId),
    /// A memory of words alone.
    Memory(MemoryId),
}

/// A source and the place in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// The source.
    pub source: Source,
    /// Its name.
    pub title: String,
    /// The text view that the span counts in.
    pub view: Option<ViewId>,
    /// The cited words.
    pub span: Option<Utf16Span>,
    /// Their page, from 1.
    pub page: Option<u32>,
    /// Their boxes, one a line; found from the span where they are not known.
    pub boxes: Vec<Bbox>,
    /// When they are said.
    pub time: Option<TimeSpan>,
    /// The words of the question among them.
    pub matches: Vec<Match>,
    /// The cited words themselves.
    pub quote: Option<String>,
}

impl Target {
    /// The place of a citation.
    pub fn of(cited: &Cited) -> Self {
        let citation = &cited.citation;
        let source = match &citation.artifact_id {
            Some(id) => Source::File(id.clone()),
            None => Source::Memory(citation.memory_id.clone()),
        };
        let place = &citation.place;
        Self {
            source,
            title: citation.title.clone(),
            view: citation.view_id.clone(),
            span: Some(citation.span),
            page: place.page,
            boxes: if place.boxes.is_empty() { place.bbox.into_iter().collect() } else { place.boxes.clone() },
            time: place.time,
            matches: cited.matches.clone(),
            quote: Some(citation.quote.clone()),
        }
    }

    /// A note, from its beginning.
    pub fn of_note(id: MemoryId, title: String) -> Self {
        Self {
            source: Source::Memory(id),
            title,
            view: None,
            span: None,
            page: None,
            boxes: Vec::new(),
            time: None,
            matches: Vec::new(),
            quote: None,
        }
    }

    /// A file, at the place that an address names.
    pub fn of_file(file: &Artifact, at: &At) -> Self {
        Self {
            source: Source::File(file.id.clone()),
            title: file.filename.clone(),
            view: at.view.clone(),
            span: at.span,
            page: at.page,
            boxes: Vec::new(),
            time: None,
            matches: Vec::new(),
            quote: None,
        }
    }

    /// The page of its file that shows the same; a memory of words has none.
    pub fn route(&self) -> Option<Route> {
        let Source::File(id) = &self.source else {
            return None;
        };
        let at = At { page: self.page, view: self.view.clone(), span: self.span };
        Some(Route::Item { id: id.clone(), at })
    }

    /// Whether both lie in the same source.
    pub fn same_source(&self, other: &Target) -> bool {
        self.source == other.source
    }

    /// How many places F3 goes through: the matched words, or else the citation as a whole.
    pub fn stops(&self) -> usize {
        match (self.matches.len(), self.span.is_some() || self.time.is_some() || !self.boxes.is_empty()) {
            (0, cited) => usize::from(cited),
            (matches, _) => matches,
        }
    }
}

/// The boxes of a citation; where only its words are known, they are looked up in the view.
pub fn boxes_of_span(target: &Target) -> RwSignal<Vec<Bbox>> {
    let boxes = RwSignal::new(target.boxes.clone());
    if let (true, Some(view), Some(span)) = (target.boxes.is_empty(), target.view.clone(), target.span) {
        spawn_local(async move {
            // Without an answer the page is shown without boxes; the page itself says what is wrong.
            if let Ok(text) = ipc::call(ViewRead { id: view, span: Some(span) }).await {
                boxes.try_set(geometry::boxes_of(&text.anchors, span));
            }
        });
    }
    boxes
}
