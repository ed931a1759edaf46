//! Where things go on a page that is shown larger or smaller.

use um_model::{Bbox, Utf16Span, capture::Anchor, place::union};

/// Cited text is at least so many pixels high.
const READABLE: f64 = 14.0;
/// The largest magnification.
pub const LARGEST: f64 = 6.0;
/// The smallest.
pub const SMALLEST: f64 = 0.5;
/// Space around a page, in pixels.
const MARGIN: f64 = 16.0;

/// Pixels for one unit of the page, at the magnification that fits its width into the pane. Pictures
/// smaller than the pane are not blown up.
pub fn fit(pane_width: f64, page: [f64; 2], upscale: bool) -> f64 {
    let scale = ((pane_width - 2.0 * MARGIN) / page[0].max(1.0)).max(0.01);
    if upscale { scale } else { scale.min(2.0) }
}

/// The magnification at which the lowest of the cited lines can be read.
pub fn readable_zoom(fit: f64, boxes: &[Bbox]) -> f64 {
    let lowest = boxes.iter().map(|b| b[3]).fold(f64::INFINITY, f64::min);
    if lowest.is_finite() && lowest > 0.0 { (READABLE / (lowest * fit)).clamp(1.0, LARGEST) } else { 1.0 }
}

/// How far to scroll so that the middle of a box stands in the middle of the pane.
pub fn centred(bbox: Bbox, scale: f64, (width, height): (f64, f64)) -> (f64, f64) {
    let x = (bbox[0] + bbox[2] / 2.0) * scale + MARGIN - width / 2.0;
    let y = (bbox[1] + bbox[3] / 2.0) * scale + MARGIN - height / 2.0;
    (x.max(0.0), y.max(0.0))
}

/// Width in pixels at which to ask for a page's picture: in steps, so that a resize asks seldom.
pub fn picture_width(page_width: f64, scale: f64, pixel_ratio: f64) -> u32 {
    let wanted = (page_width * scale * pixel_ratio).max(200.0);
    (((wanted / 400.0).ceil() * 400.0) as u32).clamp(200, 3000)
}

/// The boxes of the words that a span covers, joined to one a line.
pub fn boxes_of(anchors: &[Anchor], span: Utf16Span) -> Vec<Bbox> {
    let mut lines: Vec<Bbox> = Vec::new();
    for bbox in anchors.iter().filter(|a| a.span.overlaps(span)).filter_map(|a| a.bbox) {
        match lines.last_mut() {
            Some(last) if same_line(*last, bbox) => *last = union(*last, bbox),
            _ => lines.push(bbox),
        }
    }
    lines
}

fn same_line(a: Bbox, b: Bbox) -> bool {
    let shared = (a[1] + a[3]).min(b[1] + b[3]) - a[1].max(b[1]);
    shared > 0.5 * a[3].min(b[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_print_is_magnified_and_large_print_is_not() {
        let fit = fit(632.0, [600.0, 800.0], true);
        assert!((fit - 1.0).abs() < 1e-9);
        assert_eq!(readable_zoom(fit, &[[0.0, 0.0, 50.0, 7.0]]), 2.0);
        assert_eq!(readable_zoom(fit, &[[0.0, 0.0, 50.0, 20.0]]), 1.0);
        assert_eq!(readable_zoom(fit, &[]), 1.0);
    }

    #[test]
    fn a_box_comes_to_the_middle() {
        assert_eq!(centred([0.0, 500.0, 100.0, 10.0], 2.0, (400.0, 300.0)), (0.0, 876.0));
    }

    #[test]
    fn pictures_are_asked_for_in_steps() {
        assert_eq!(picture_width(600.0, 0.9, 1.0), 800);
        assert_eq!(picture_width(600.0, 1.0, 2.0), 1200);
        assert_eq!(picture_width(600.0, 9.0, 2.0), 3000);
    }

    #[test]
    fn words_join_to_lines() {
        let anchor = |start, end, bbox| Anchor {
            span: Utf16Span::new(start, end),
            page: None,
            bbox: Some(bbox),
            time: None,
            confidence: None,
        };
        let anchors = [
            anchor(0, 5, [0.0, 0.0, 10.0, 10.0]),
            anchor(6, 9, [12.0, 1.0, 10.0, 10.0]),
            anchor(10, 14, [0.0, 20.0, 10.0, 10.0]),
            anchor(15, 19, [0.0, 40.0, 10.0, 10.0]),
        ];
        let lines = boxes_of(&anchors, Utf16Span::new(2, 12));
        assert_eq!(lines, [[0.0, 0.0, 22.0, 11.0], [0.0, 20.0, 10.0, 10.0]]);
    }
}
