//! Groups of phrases, looked for all at once in words that stand between single spaces.

use aho_corasick::AhoCorasick;

/// Groups of phrases; each is told by its place in the list.
pub(crate) struct Phrases {
    automaton: AhoCorasick,
    /// Of which group each phrase is.
    of: Vec<usize>,
    groups: usize,
}

impl Phrases {
    /// Each group's phrases are divided by `;`.
    pub(crate) fn of<'a>(groups: impl IntoIterator<Item = &'a str>) -> Self {
        let (mut spaced, mut of, mut count) = (Vec::new(), Vec::new(), 0);
        for (group, phrases) in groups.into_iter().enumerate() {
            spaced.extend(phrases.split(';').map(|phrase| format!(" {phrase} ")));
            of.resize(spaced.len(), group);
            count = group + 1;
        }
        let automaton = AhoCorasick::new(spaced).expect("the phrases are few");
        Self { automaton, of, groups: count }
    }

    /// Which groups have a phrase that is among these words: before the first and behind the last stands a space, too.
    pub(crate) fn said_in(&self, words: &str) -> Vec<bool> {
        let mut said = vec![false; self.groups];
        // One phrase may begin with the space that another ends with.
        for found in self.automaton.find_overlapping_iter(words) {
            said[self.of[found.pattern().as_usize()]] = true;
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_said_by_whole_phrases() {
        let phrases = Phrases::of(["unit test;unit tests", "test plan", "cve", "plan b;b"]);
        for (words, said) in [
            (" a unit test plan b ", [true, true, false, true]),
            (" unit tests ", [true, false, false, false]),
            (" a cve ", [false, false, true, false]),
            (" cves ", [false; 4]),
            ("  ", [false; 4]),
            ("", [false; 4]),
        ] {
            assert_eq!(phrases.said_in(words), said, "{words:?}");
        }
    }
}
