//! Many strings, looked for at once in bytes, whatever the case of their ASCII letters. What is searched has gigabytes, so
//! most of it is leapt over: the last bytes of a window as long as the shortest string tell how far the next window may be
//! away at least (the algorithm of Wu and Manber).

use std::io::{self, Read};

/// So many bytes tell it; shorter strings are not looked for.
const BLOCK: usize = 4;
/// So many bytes are searched at once.
const PIECE: usize = 1 << 20;

/// Strings to look for.
pub struct Strings {
    all: Vec<Vec<u8>>,
    /// How many bytes the window has.
    window: usize,
    /// By the window's last block: how far to go on at least.
    leaps: Vec<u8>,
    /// By the window's last block: the strings that begin with such a window.
    ends: Vec<Vec<u32>>,
}

impl Strings {
    /// Those of at least four bytes; each is told by its place in the list.
    pub fn new(all: Vec<Vec<u8>>) -> Self {
        let long = || all.iter().enumerate().filter(|(_, string)| string.len() >= BLOCK);
        let window = long().map(|(_, string)| string.len()).min().unwrap_or(BLOCK).min(usize::from(u8::MAX));
        let mut leaps = vec![(window - BLOCK + 1) as u8; 1 << 16];
        let mut ends = vec![Vec::new(); 1 << 16];
        for (number, string) in long() {
            for end in BLOCK..=window {
                let leap = &mut leaps[slot(&string[end - BLOCK..end])];
                *leap = (*leap).min((window - end) as u8);
            }
            ends[slot(&string[window - BLOCK..window])].push(number as u32);
        }
        Self { all, window, leaps, ends }
    }

    /// Calls `found` with the number of each string that stands there, and where it begins; as often as it does.
    pub fn find(&self, bytes: &[u8], mut found: impl FnMut(usize, usize)) {
        let mut end = self.window;
        while end <= bytes.len() {
            let slot = slot(&bytes[end - BLOCK..end]);
            let leap = usize::from(self.leaps[slot]);
            if leap > 0 {
                end += leap;
                continue;
            }
            let start = end - self.window;
            for number in self.ends[slot].iter().map(|number| *number as usize) {
                let string = &self.all[number];
                if bytes.get(start..start + string.len()).is_some_and(|there| there.eq_ignore_ascii_case(string)) {
                    found(number, start);
                }
            }
            end += 1;
        }
    }

    /// The same for all that can be read. Gives how many bytes that was.
    ///
    /// # Errors
    /// The reader's.
    pub fn find_in(&self, mut reader: impl Read, mut found: impl FnMut(usize)) -> io::Result<u64> {
        let overlap = self.all.iter().map(Vec::len).max().unwrap_or_default().saturating_sub(1);
        let mut piece = Vec::with_capacity(PIECE + overlap);
        let mut read = 0;
        loop {
            let kept = piece.len();
            let more = reader.by_ref().take(PIECE as u64).read_to_end(&mut piece)?;
            if more == 0 {
                return Ok(read);
            }
            read += more as u64;
            self.find(&piece, |number, start| {
                // What lies within the end of the last piece was found there.
                if start + self.all[number].len() > kept {
                    found(number);
                }
            });
            piece.drain(..piece.len().saturating_sub(overlap));
        }
    }
}

/// A block's place in the tables: the same for both cases.
fn slot(block: &[u8]) -> usize {
    let block = u32::from_le_bytes([block[0], block[1], block[2], block[3]]) | 0x2020_2020;
    (block.wrapping_mul(0x9e37_79b1) >> 16) as usize
}

#[cfg(test)]
mod tests {
    use super::{PIECE, Strings};

    fn found(strings: &[&str], text: &[u8]) -> Vec<usize> {
        let strings = Strings::new(strings.iter().map(|string| string.as_bytes().to_vec()).collect());
        let mut found = Vec::new();
        let read = strings.find_in(text, |number| found.push(number)).unwrap();
        assert_eq!(read, text.len() as u64);
        found.sort_unstable();
        found
    }

    #[test]
    fn all_are_found_wherever_they_stand() {
        for (strings, text, expected) in [
            (&["quince"][..], "a Quince, a QUINCE and quinces", &[0, 0, 0][..]),
            (&["quince", "quince jam", "jam today"], "quince jam today", &[0, 1, 2]),
            (&["quince"], "quinc", &[]),
            (&["quince"], "", &[]),
            (&[], "quince", &[]),
            (&["abc", "abcd"], "abcd", &[1]),
            (&["aaaa"], "aaaaaa", &[0, 0, 0]),
            (&["über uns"], "Über uns, über uns", &[0]),
        ] {
            assert_eq!(found(strings, text.as_bytes()), expected, "{strings:?} in {text:?}");
        }
    }

    #[test]
    fn pieces_meet_without_a_gap() {
        let strings = ["quince", "a much longer string to look for"];
        for at in [0, PIECE - 40, PIECE - 7, PIECE - 3, PIECE, PIECE + 1] {
            for (number, string) in strings.iter().enumerate() {
                let mut text = vec![b'.'; PIECE * 2 + 5];
                text[at..at + string.len()].copy_from_slice(string.as_bytes());
                assert_eq!(found(&strings, &text), [number], "at {at}");
            }
        }
    }
}
