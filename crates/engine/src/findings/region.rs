//! The words under a part of a page or recording.

use crate::error::Fault;
use um_model::capture::Anchor;
use um_model::findings::{FindingKind, Region};
use um_model::{ArtifactId, Bbox, TimeSpan, Utf16Span, ViewId};
use um_store::{Connection, findings, views};

/// A word belongs to a region when at least this share of it lies in it.
const SHARE: f64 = 0.5;

/// The words that stand in a region of a file, by the text views in use: one span for each run of them.
pub(crate) fn words_in(c: &Connection, file: &ArtifactId, region: &Region) -> Result<Vec<(ViewId, Utf16Span)>, Fault> {
    let page = match region {
        Region::Box { page, .. } => Some(*page),
        Region::Time(_) => None,
    };
    let mut found = Vec::new();
    for view in views::on_page(c, file, page)? {
        let spans = runs(&views::anchors(c, &view)?, region);
        found.extend(spans.into_iter().map(|span| (view.clone(), span)));
    }
    Ok(found)
}

/// The words of a view that stand in the parts of its page or recording that a person marked as of these kinds.
pub(super) fn marked(
    c: &Connection,
    view: &ViewId,
    kinds: &[FindingKind],
) -> Result<Vec<(FindingKind, Utf16Span)>, Fault> {
    let regions = findings::regions_read(c, view, kinds)?;
    if regions.is_empty() {
        return Ok(Vec::new());
    }
    let anchors = views::anchors(c, view)?;
    let mut words = Vec::new();
    for (kind, region) in &regions {
        words.extend(runs(&anchors, region).into_iter().map(|span| (*kind, span)));
    }
    Ok(words)
}

/// The runs of words that lie in a region, in the order of the text.
fn runs(anchors: &[Anchor], region: &Region) -> Vec<Utf16Span> {
    let mut runs: Vec<Utf16Span> = Vec::new();
    let mut goes_on = false;
    for anchor in anchors {
        let lies_in = lies_in(anchor, region);
        match runs.last_mut().filter(|_| lies_in && goes_on) {
            Some(run) => run.end = run.end.max(anchor.span.end),
            None if lies_in => runs.push(anchor.span),
            None => {}
        }
        goes_on = lies_in;
    }
    runs
}

fn lies_in(anchor: &Anchor, region: &Region) -> bool {
    match region {
        Region::Box { page, bbox } => {
            anchor.page.is_none_or(|of| of == *page) && anchor.bbox.is_some_and(|word| share(word, *bbox) >= SHARE)
        }
        Region::Time(time) => anchor.time.is_some_and(|word| share_of_time(word, *time) >= SHARE),
    }
}

/// How much of the word lies in the box, from 0 to 1.
fn share(word: Bbox, of: Bbox) -> f64 {
    let side = |at: usize| ((word[at] + word[at + 2]).min(of[at] + of[at + 2]) - word[at].max(of[at])).max(0.0);
    let area = word[2] * word[3];
    if area > 0.0 { side(0) * side(1) / area } else { 0.0 }
}

fn share_of_time(word: TimeSpan, of: TimeSpan) -> f64 {
    let common = word.end_ms.min(of.end_ms).saturating_sub(word.start_ms.max(of.start_ms));
    let length = word.end_ms.saturating_sub(word.start_ms).max(1);
    common as f64 / length as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_belong_to_a_region_by_half() {
        let word = |start: u32, bbox: Bbox| Anchor {
            span: Utf16Span::new(start, start + 3),
            page: Some(1),
            bbox: Some(bbox),
            time: None,
            confidence: None,
        };
        // Two lines of three words, each 30 wide and 10 high.
        let anchors: Vec<Anchor> =
            (0..6).map(|at| word(at * 4, [f64::from(at % 3) * 40.0, f64::from(at / 3) * 20.0, 30.0, 10.0])).collect();
        let check = |page, bbox, expected: &[(u32, u32)]| {
            let found = runs(&anchors, &Region::Box { page, bbox });
            let expected: Vec<_> = expected.iter().map(|(start, end)| Utf16Span::new(*start, *end)).collect();
            assert_eq!(found, expected, "{bbox:?}");
        };
        check(1, [0.0, 0.0, 200.0, 100.0], &[(0, 23)]);
        check(1, [0.0, 0.0, 30.0, 10.0], &[(0, 3)]);
        check(1, [40.0, 0.0, 70.0, 30.0], &[(4, 11), (16, 23)]);
        check(1, [16.0, 0.0, 30.0, 10.0], &[]);
        check(1, [14.0, 4.0, 30.0, 10.0], &[]);
        check(1, [14.0, 0.0, 30.0, 10.0], &[(0, 3)]);
        check(2, [0.0, 0.0, 200.0, 100.0], &[]);
        check(1, [0.0, 50.0, 200.0, 100.0], &[]);
    }
}
