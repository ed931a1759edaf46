//! Where in a source something stands.

use serde::{Deserialize, Serialize};

/// A box `[x, y, width, height]` in pixels of the upright rendition of a picture, or in points of a PDF
/// page with its origin at the top left (ruling 12).
pub type Bbox = [f64; 4];

/// A span of time in a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TimeSpan {
    /// Milliseconds from the beginning.
    pub start_ms: u64,
    /// Milliseconds from the beginning; not before `start_ms`.
    pub end_ms: u64,
}

/// A place in a source. What does not apply is absent: a text file has only lines.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Place {
    /// Page, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// The smallest box around all of it, on that page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bbox: Option<Bbox>,
    /// One box a line of text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boxes: Vec<Bbox>,
    /// When it is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeSpan>,
    /// First and last line of a text, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<[u32; 2]>,
}

/// The smallest box around both.
pub fn union(a: Bbox, b: Bbox) -> Bbox {
    let (x, y) = (a[0].min(b[0]), a[1].min(b[1]));
    let right = (a[0] + a[2]).max(b[0] + b[2]);
    let bottom = (a[1] + a[3]).max(b[1] + b[3]);
    [x, y, right - x, bottom - y]
}
