//! What the viewer is to show.

use crate::route::{At, Route};
use um_model::{
    ArtifactId, Bbox, MemoryId, TimeSpan, Utf16Span, ViewId,
    capture::Artifact,
    recall::{Hit, Match},
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
    /// The place of a hit.
    pub fn of_hit(hit: &Hit) -> Self {
        let source = match &hit.ids.artifact {
            Some(id) => Source::File(id.clone()),
            None => Source::Memory(hit.ids.memory.clone()),
        };
        Self {
            source,
            title: hit.title.clone(),
            view: hit.ids.view.clone(),
            span: Some(hit.span),
            page: hit.page,
            boxes: if hit.boxes.is_empty() { hit.bbox.into_iter().collect() } else { hit.boxes.clone() },
            time: hit.time,
            matches: hit.matches.clone(),
            quote: Some(hit.quote.clone()),
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
