//! From pieces to passages.

use super::UnitLimit;
use super::pieces::{Gap, Piece};
use crate::extract::tokens::Tally;
use std::ops::Range;

/// Puts the pieces of a section together.
pub(super) fn pack(text: &str, pieces: &[Piece], limit: &UnitLimit) -> Vec<Range<usize>> {
    let mut units = Vec::new();
    let (mut begin, mut fresh) = (0, 0);
    while fresh < pieces.len() {
        let (unit, end) = fill(text, pieces, begin, fresh, limit);
        begin = overlap(text, &pieces[..end], begin.max(unit), limit);
        units.push(pieces[unit].bytes.start..pieces[end - 1].bytes.end);
        fresh = end;
    }
    units
}

/// A passage that holds the piece `fresh`, repeats those from `begin` on as far as they find room, and
/// takes in as many more as fit: its first piece and the one past its last.
fn fill(text: &str, pieces: &[Piece], begin: usize, fresh: usize, limit: &UnitLimit) -> (usize, usize) {
    let span = |first: usize| pieces[first].bytes.start..pieces[fresh].bytes.end;
    let fits = |first: &usize| *first == fresh || tally(text, span(*first)).tokens() <= limit.target;
    let first = (begin..=fresh).find(fits).unwrap_or(fresh);
    let mut counted = tally(text, span(first));
    let mut end = fresh + 1;
    while let Some(next) = pieces.get(end) {
        let mut with = counted.clone();
        text[pieces[end - 1].bytes.end..next.bytes.end].chars().for_each(|c| with.push(c));
        let half_full = counted.tokens() * 2 >= limit.target;
        let too_long = with.tokens() > limit.tokens || (half_full && with.tokens() > limit.target);
        if too_long || (half_full && next.gap == Gap::Block && !block_fits(text, &pieces[end..], &with, limit)) {
            break;
        }
        counted = with;
        end += 1;
    }
    (first, end)
}

/// Whether the block that `pieces` begin with fits the target, where `counted` holds the passage so far
/// with its first piece.
fn block_fits(text: &str, pieces: &[Piece], counted: &Tally, limit: &UnitLimit) -> bool {
    let mut counted = counted.clone();
    for pair in pieces.windows(2).take_while(|pair| pair[1].gap != Gap::Block) {
        text[pair[0].bytes.end..pair[1].bytes.end].chars().for_each(|c| counted.push(c));
        if counted.tokens() > limit.target {
            return false;
        }
    }
    true
}

/// The first of the pieces at the end of a passage that the next one repeats: as many as fit the overlap,
/// but not the whole passage.
fn overlap(text: &str, pieces: &[Piece], begin: usize, limit: &UnitLimit) -> usize {
    let end = pieces.len();
    let mut first = end;
    while first > begin + 1 {
        let bytes = pieces[first - 1].bytes.start..pieces[end - 1].bytes.end;
        // Without the marks of the model, which each passage has once.
        if tally(text, bytes).tokens() - 2 > limit.overlap {
            break;
        }
        first -= 1;
    }
    first
}

fn tally(text: &str, bytes: Range<usize>) -> Tally {
    let mut tally = Tally::default();
    text[bytes].chars().for_each(|c| tally.push(c));
    tally
}
