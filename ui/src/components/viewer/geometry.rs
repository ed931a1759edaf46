//! Where things go on a page that is shown larger or smaller.

use std::ops::Range;
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
pub fn fit(pane_width: f64, page_width: f64, upscale: bool) -> f64 {
    let scale = ((pane_width - 2.0 * MARGIN) / page_width.max(1.0)).max(0.01);
    if upscale { scale } else { scale.min(2.0) }
}

/// The magnification at which the lowest of the cited lines can be read.
pub fn readable_zoom(fit: f64, boxes: &[Bbox]) -> f64 {
    let lowest = boxes.iter().map(|b| b[3]).fold(f64::INFINITY, f64::min);
    if lowest.is_finite() && lowest > 0.0 { (READABLE / (lowest * fit)).clamp(1.0, LARGEST) } else { 1.0 }
}

/// The box of a line with room for the edge that is drawn around it, so that no letter is covered.
pub fn roomy([x, y, w, h]: Bbox) -> Bbox {
    let room = h * 0.15;
    [x - room, y - room, w + 2.0 * room, h + 2.0 * room]
}

/// A place on one of the pages, in its own units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The page, from 0.
    pub page: usize,
    /// From its left edge.
    pub x: f64,
    /// From its upper edge.
    pub y: f64,
}

/// Pages below each other, as they lie in the pane: everything in pixels but where it says so.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheets {
    /// Width and height of each page.
    pages: Vec<(f64, f64)>,
    /// The upper edge of each page.
    tops: Vec<f64>,
    /// Pixels for one unit of a page.
    scale: f64,
    /// Width and height of the pane.
    pane: (f64, f64),
}

impl Sheets {
    /// Lays out pages of these sizes, in their own units.
    pub fn new(sizes: &[[f64; 2]], scale: f64, pane: (f64, f64)) -> Self {
        let pages: Vec<_> = sizes.iter().map(|[w, h]| (w * scale, h * scale)).collect();
        let mut next = MARGIN;
        let place = |page: &(f64, f64)| {
            let top = next;
            next += page.1 + MARGIN;
            top
        };
        let tops = pages.iter().map(place).collect();
        Self { pages, tops, scale, pane }
    }

    /// Pixels for one unit of a page.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Left edge, upper edge, width and height of a page.
    pub fn page(&self, page: usize) -> Bbox {
        let (width, height) = self.pages[page];
        [((self.pane.0 - width) / 2.0).max(MARGIN), self.tops[page], width, height]
    }

    /// Width and height of all of them, with the space around them.
    pub fn size(&self) -> (f64, f64) {
        let widest = self.pages.iter().map(|p| p.0).fold(0.0, f64::max);
        let last = self.tops.last().copied().unwrap_or(0.0) + self.pages.last().map_or(0.0, |p| p.1);
        ((widest + 2.0 * MARGIN).max(self.pane.0), last + MARGIN)
    }

    fn page_at(&self, y: f64) -> usize {
        self.tops.partition_point(|top| *top <= y).saturating_sub(1)
    }

    /// The pages in sight, and one before and after them.
    pub fn in_sight(&self, top: f64) -> Range<usize> {
        let last = self.page_at(top + self.pane.1) + 2;
        self.page_at(top).saturating_sub(1)..last.min(self.pages.len())
    }

    /// The page that is looked at: at the top of all the first, at the end the last, between them the one as far down
    /// the pane as the pane is down the pages.
    pub fn current(&self, top: f64) -> usize {
        let way = (self.size().1 - self.pane.1).max(1.0);
        self.page_at(top + self.pane.1 * (top / way).clamp(0.0, 1.0))
    }

    /// What stands in the middle of the pane.
    pub fn middle(&self, (left, top): (f64, f64)) -> Point {
        let (x, y) = (left + self.pane.0 / 2.0, top + self.pane.1 / 2.0);
        let page = self.page_at(y);
        let [page_left, page_top, ..] = self.page(page);
        Point { page, x: (x - page_left) / self.scale, y: (y - page_top) / self.scale }
    }

    /// How far to scroll, from the left and from the top, so that a point stands in the middle of the pane.
    pub fn scroll_to(&self, point: Point) -> (f64, f64) {
        let [left, top, ..] = self.page(point.page.min(self.pages.len().saturating_sub(1)));
        let x = left + point.x * self.scale - self.pane.0 / 2.0;
        let y = top + point.y * self.scale - self.pane.1 / 2.0;
        (x.max(0.0), y.max(0.0))
    }

    /// The point to bring to the middle so that a box is seen, which stands in a whole. Across, the whole is in the
    /// middle; one that is too wide begins at the pane's left edge, as long as the box is in sight then.
    pub fn of_box(&self, page: usize, [x, y, width, height]: Bbox, whole: Bbox) -> Point {
        let room = (self.pane.0 - 2.0 * MARGIN) / self.scale;
        let (from, wide) = if x + width - whole[0] <= room { (whole[0], whole[2]) } else { (x, width) };
        Point { page, x: from + wide.min(room) / 2.0, y: y + height / 2.0 }
    }

    /// The point to bring to the middle so that a page is seen: all of it, or where it is too high, from its top.
    pub fn of_page(&self, page: usize) -> Point {
        let (width, height) = self.pages[page];
        let seen = height.min(self.pane.1 - 2.0 * MARGIN);
        Point { page, x: width / 2.0 / self.scale, y: seen / 2.0 / self.scale }
    }
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
        let fit = fit(632.0, 600.0, true);
        assert!((fit - 1.0).abs() < 1e-9);
        assert_eq!(readable_zoom(fit, &[[0.0, 0.0, 50.0, 7.0]]), 2.0);
        assert_eq!(readable_zoom(fit, &[[0.0, 0.0, 50.0, 20.0]]), 1.0);
        assert_eq!(readable_zoom(fit, &[]), 1.0);
    }

    /// Ten pages of 100 x 200 in a pane of 400 x 300, two pixels a unit: one is 200 x 400, with 16 around it.
    fn ten() -> Sheets {
        Sheets::new(&[[100.0, 200.0]; 10], 2.0, (400.0, 300.0))
    }

    #[test]
    fn a_box_comes_to_the_middle() {
        let sheets = ten();
        let word = [10.0, 100.0, 50.0, 10.0];
        let point = sheets.of_box(1, word, word);
        // Its middle is 210 pixels below the top of the second page, which is at 432.
        assert_eq!(sheets.scroll_to(point), (0.0, 432.0 + 210.0 - 150.0));
        let (left, top) = sheets.scroll_to(point);
        assert_eq!(sheets.middle((left, top)).page, 1);
        let wide = Sheets::new(&[[1000.0, 200.0]], 2.0, (400.0, 300.0));
        let line = [300.0, 0.0, 600.0, 10.0];
        for (word, wanted) in [(line, 600.0), ([400.0, 0.0, 40.0, 10.0], 600.0), ([700.0, 0.0, 40.0, 10.0], 1256.0)] {
            let (left, _) = wide.scroll_to(wide.of_box(0, word, line));
            assert_eq!(left, wanted, "a line too wide begins at the left edge, unless its word is out of sight then");
        }
    }

    #[test]
    fn only_pages_in_sight_and_their_neighbours_are_there() {
        let sheets = ten();
        assert_eq!(sheets.in_sight(0.0), 0..2);
        assert_eq!(sheets.in_sight(2000.0), 3..7);
        assert_eq!(sheets.in_sight(99_999.0), 8..10);
        assert_eq!(sheets.size(), (400.0, 16.0 + 10.0 * 416.0));
    }

    #[test]
    fn every_page_is_looked_at_on_the_way_down() {
        let slides = Sheets::new(&[[100.0, 50.0]; 5], 2.0, (400.0, 300.0));
        let way = slides.size().1 - 300.0;
        let mut seen: Vec<usize> = (0..=100).map(|step| slides.current(way * f64::from(step) / 100.0)).collect();
        seen.dedup();
        assert_eq!(seen, [0, 1, 2, 3, 4]);
        let sheets = ten();
        assert_eq!(sheets.scroll_to(sheets.of_page(3)).1, sheets.page(3)[1] - MARGIN, "a high page begins at its top");
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
