//! A model in memory: a text to stretches, stretches to tokens, tokens to labels, labels to names.

use std::ops::Range;
use std::path::Path;

use tokenizers::{Encoding, TruncationDirection};
use um_engine::language::Name;
use um_engine::provider::{Cancel, ProviderError, ProviderResult};

use super::config::{Config, Label};
use crate::Locations;
use crate::encoder::{Encoder, likeliest, runs};

/// A text is read in stretches of so many bytes at most, cut where sentences or lines end: names do not reach across
/// those, and few stretches are longer than what models read at once.
const STRETCH: usize = 1_000;
/// Stretches that are in memory at once.
const TOGETHER: usize = 64;

/// A loaded model.
pub struct Tagger {
    config: Config,
    encoder: Encoder,
}

fn failed(why: impl std::fmt::Display) -> ProviderError {
    ProviderError::Failed(format!("The model for names failed: {why}"))
}

/// A word with the label of its first token; the range is in bytes of the text.
struct Word {
    range: Range<usize>,
    label: Label,
    sure: f64,
}

impl Tagger {
    /// Loads the model in a folder.
    ///
    /// # Errors
    /// `ToolMissing` without ONNX Runtime, `Failed` when it is no such model.
    pub fn load(locations: &Locations, folder: &Path) -> ProviderResult<Tagger> {
        let config = Config::of(folder).map_err(failed)?;
        let mut encoder = Encoder::load(locations, folder, (config.max_tokens, config.padding), failed)?;
        // What is too long is cut between words, and read to its end.
        encoder.tokenizer.with_truncation(None).map_err(failed)?;
        Ok(Tagger { config, encoder })
    }

    /// The names in a text, in their order.
    ///
    /// # Errors
    /// `Failed`, `Cancelled`.
    pub fn names(&mut self, text: &str, cancel: &Cancel) -> ProviderResult<Vec<Name>> {
        let mut names = Vec::new();
        for stretches in stretches(text).chunks(TOGETHER) {
            let mut parts = Vec::new();
            for stretch in stretches {
                self.parts(text, stretch.clone(), &mut parts)?;
            }
            let (encoded, starts): (Vec<Encoding>, Vec<usize>) = parts.into_iter().unzip();
            let mut found: Vec<Vec<Name>> = vec![Vec::new(); encoded.len()];
            for run in runs(&encoded) {
                cancel.check()?;
                let together: Vec<&Encoding> = run.iter().map(|index| &encoded[*index]).collect();
                for (index, words) in run.iter().zip(self.run(&together)?) {
                    found[*index] = joined(&words, starts[*index]);
                }
            }
            names.extend(found.into_iter().flatten());
        }
        Ok(names)
    }

    /// A stretch as tokens, in halves where those are more than the model reads at once; each with where it begins.
    fn parts(&self, text: &str, stretch: Range<usize>, into: &mut Vec<(Encoding, usize)>) -> ProviderResult<()> {
        let words = &text[stretch.clone()];
        let mut encoded = self.encoder.tokenizer.encode(words, true).map_err(failed)?;
        let middle = stretch.start + cut(words, words.len() / 2);
        if encoded.len() > self.config.max_tokens && stretch.contains(&middle) && middle > stretch.start {
            self.parts(text, stretch.start..middle, into)?;
            return self.parts(text, middle..stretch.end, into);
        }
        encoded.truncate(self.config.max_tokens, 0, TruncationDirection::Right);
        into.push((encoded, stretch.start));
        Ok(())
    }

    fn run(&mut self, batch: &[&Encoding]) -> ProviderResult<Vec<Vec<Word>>> {
        let (labels, numbers) = (self.config.labels.len(), self.encoder.run(batch).map_err(failed)?);
        let longest = batch.iter().map(|encoding| encoding.len()).max().unwrap_or_default();
        if numbers.shape != [batch.len() as i64, longest as i64, labels as i64] {
            return Err(failed(format!(
                "it gave numbers of shape {:?} for {} texts of {longest} tokens and {labels} labels",
                numbers.shape,
                batch.len()
            )));
        }
        let rows = numbers.flat.chunks_exact(longest * labels);
        Ok(batch.iter().zip(rows).map(|(encoding, row)| self.words(encoding, row)).collect())
    }

    /// The words of a text. What a word is, its first token says; the model was trained so.
    fn words(&self, encoding: &Encoding, logits: &[f32]) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        let mut last = None;
        let tokens = encoding.get_word_ids().iter().zip(encoding.get_offsets());
        for ((word, (start, end)), logits) in tokens.zip(logits.chunks_exact(self.config.labels.len())) {
            // Marks of the model's own belong to no word.
            let Some(word) = word else { continue };
            match words.last_mut().filter(|_| last == Some(*word)) {
                Some(known) => known.range.end = *end,
                None => {
                    let (label, sure) = likeliest(logits);
                    words.push(Word { range: *start..*end, label: self.config.labels[label], sure });
                }
            }
            last = Some(*word);
        }
        words
    }
}

/// Words in a row that are one name; a name is as sure as its words are together.
fn joined(words: &[Word], start: usize) -> Vec<Name> {
    let mut names: Vec<(Name, usize)> = Vec::new();
    let mut goes_on = false;
    for word in words {
        let Some(kind) = word.label.kind else {
            goes_on = false;
            continue;
        };
        let range = start + word.range.start..start + word.range.end;
        match names.last_mut().filter(|(name, _)| goes_on && !word.label.begins && name.kind == kind) {
            Some((name, count)) => {
                name.range.end = range.end;
                name.confidence += word.sure;
                *count += 1;
            }
            None => names.push((Name { range, kind, confidence: word.sure }, 1)),
        }
        goes_on = true;
    }
    names.into_iter().map(|(name, count)| Name { confidence: name.confidence / count as f64, ..name }).collect()
}

/// A text in stretches without gaps, none longer than [`STRETCH`].
fn stretches(text: &str) -> Vec<Range<usize>> {
    let mut stretches = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let end = start + cut(&text[start..], STRETCH);
        stretches.push(start..end);
        start = end;
    }
    stretches
}

/// Where the first stretch of a text of at most so many bytes ends: at its last empty line, else its last line, its last
/// sentence, its last space.
fn cut(text: &str, most: usize) -> usize {
    if text.len() <= most {
        return text.len();
    }
    let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let first = &text[..end];
    let last = |gap: &str| first.rfind(gap).map(|at| at + gap.len());
    last("\n\n").or_else(|| last("\n")).or_else(|| last(". ")).or_else(|| last(" ")).unwrap_or(first.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use um_model::findings::FindingKind::{self, Person, Place};

    fn check(words: &[(Range<usize>, Option<FindingKind>, bool, f64)], expected: &[(Range<usize>, FindingKind, f64)]) {
        let of = |(range, kind, begins, sure): &(Range<usize>, Option<FindingKind>, bool, f64)| Word {
            range: range.clone(),
            label: Label { kind: *kind, begins: *begins },
            sure: *sure,
        };
        let found = joined(&words.iter().map(of).collect::<Vec<_>>(), 10);
        let found: Vec<_> = found.into_iter().map(|name| (name.range, name.kind, name.confidence)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn words_of_one_name_are_joined() {
        check(&[], &[]);
        check(&[(0..4, Some(Person), true, 0.5), (5..9, Some(Person), false, 1.0)], &[(10..19, Person, 0.75)]);
        // A second name begins where its label says so, where the kind changes, and where a word stands between.
        check(
            &[(0..4, Some(Person), true, 1.0), (5..9, Some(Person), true, 1.0)],
            &[(10..14, Person, 1.0), (15..19, Person, 1.0)],
        );
        check(
            &[(0..4, Some(Person), false, 1.0), (5..9, Some(Place), false, 1.0)],
            &[(10..14, Person, 1.0), (15..19, Place, 1.0)],
        );
        check(
            &[(0..4, Some(Person), false, 1.0), (5..7, None, false, 1.0), (8..9, Some(Person), false, 1.0)],
            &[(10..14, Person, 1.0), (18..19, Person, 1.0)],
        );
    }

    #[test]
    fn stretches_cover_a_text_and_end_where_words_do() {
        for text in [String::new(), "é".repeat(STRETCH), "a b. ".repeat(STRETCH), "ab\n\ncd\n".repeat(STRETCH)] {
            let found = stretches(&text);
            assert_eq!(found.iter().map(|one| &text[one.clone()]).collect::<String>(), text);
            assert!(found.iter().all(|one| !one.is_empty() && one.len() <= STRETCH));
            let ends = found.iter().rev().skip(1).all(|one| !text.contains(' ') || text[..one.end].ends_with(' '));
            assert!(ends);
        }
    }
}
