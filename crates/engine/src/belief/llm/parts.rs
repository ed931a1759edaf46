//! Reading a text part by part. What a part gives is kept before the next one is asked about; a part that fails takes
//! nothing from the others, and is asked about alone when it is tried again.

use super::candidate::{self, Dropped};
use super::prompt;
use crate::error::Outcome;
use crate::extract::{Text, UnitLimit, split_units};
use crate::language::{Completion, LlmError, Passage, Prompt};
use std::ops::Range;
use um_model::ApiError;
use um_model::belief::ClaimCandidate;

/// A part is about so long, in tokens as [`crate::extract::estimate_tokens`] counts them: long enough for a page, so
/// short that small models keep all of it in mind.
const LENGTH: UnitLimit = UnitLimit { tokens: 2_000, target: 1_500, overlap: 0 };
/// A part whose answer was cut off is halved, down to so many tokens.
const SHORTEST: usize = 200;

/// What came of the parts of a memory's texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Report {
    /// Parts that were asked about.
    pub asked: usize,
    /// Claims that were kept.
    pub kept: usize,
    /// Proposals that were not.
    pub dropped: Dropped,
    /// Parts that the model declined to read.
    pub declined: usize,
    /// Parts that gave no answer of use, and are tried again.
    pub failed: usize,
    /// Why the first of these did not.
    pub why: Option<LlmError>,
}

impl Report {
    /// What came of it, for a person: `4 claims kept; 1 proposal dropped: …`.
    pub(super) fn in_words(&self) -> String {
        let claims = if self.kept == 1 { "claim" } else { "claims" };
        let mut words = format!("{} {claims} kept", self.kept);
        if self.dropped.count() > 0 {
            words.push_str(&format!("; {}", self.dropped));
        }
        if self.declined > 0 {
            words.push_str(&format!("; the model declined to read {}", counted(self.declined)));
        }
        words
    }
}

/// `1 part`, `3 parts`
pub(super) fn counted(parts: usize) -> String {
    format!("{parts} {}", if parts == 1 { "part" } else { "parts" })
}

/// Why a text is read no further.
#[derive(Debug)]
pub(super) enum Stop {
    /// The language model or its host.
    Model(LlmError),
    /// What was found could not be kept.
    Kept(ApiError),
}

impl From<ApiError> for Stop {
    fn from(error: ApiError) -> Self {
        Self::Kept(error)
    }
}

/// Asks the language model.
pub(super) type Ask<'a> = &'a dyn Fn(&Prompt) -> Result<Completion, LlmError>;

/// Where the parts go, and what is known of them.
pub(super) trait Parts {
    /// Whether a part is done with.
    fn is_done(&self, part: &str) -> bool;
    /// Keeps what was found in a part, and remembers that it is done with. Gives what was dropped.
    fn done(&mut self, part: &str, found: Vec<ClaimCandidate>) -> Outcome<Dropped>;
}

/// A text that is read.
pub(super) struct Reading<'a> {
    /// The whole text, with what is known of it beside its words.
    pub passage: Passage<'a>,
    /// Names the text among those of its memory.
    pub name: &'a str,
    pub ask: Ask<'a>,
}

/// The parts of a text, as ranges of its bytes.
pub(super) fn parts_of(text: &str) -> Vec<Range<usize>> {
    split_units(&Text::plain(text.to_owned()), &LENGTH).into_iter().map(|unit| unit.bytes).collect()
}

impl Reading<'_> {
    /// Names a part among those of its memory.
    pub(super) fn name_of(&self, part: &Range<usize>) -> String {
        format!("{}:{}-{}", self.name, part.start, part.end)
    }

    /// Reads a part of the text; errors that are the part's own go into the report.
    pub(super) fn read(&self, part: Range<usize>, parts: &mut dyn Parts, report: &mut Report) -> Result<(), Stop> {
        self.read_within(part, LENGTH, parts, report)
    }

    fn read_within(
        &self,
        part: Range<usize>,
        limit: UnitLimit,
        parts: &mut dyn Parts,
        report: &mut Report,
    ) -> Result<(), Stop> {
        let name = self.name_of(&part);
        let halved = format!("{name} halved");
        if parts.is_done(&name) {
            return Ok(());
        }
        let shorter = UnitLimit { tokens: limit.tokens / 2, target: limit.target / 2, overlap: 0 };
        if parts.is_done(&halved) {
            return self.halves(part, shorter, parts, report);
        }
        let window = Passage { text: &self.passage.text[part.clone()], ..self.passage };
        report.asked += 1;
        let answer = (self.ask)(&prompt::claims(&window)).and_then(|completion| match &completion.answer["claims"] {
            serde_json::Value::Array(proposed) => Ok(proposed.clone()),
            _ => Err(LlmError::Unfit("it has no claims")),
        });
        match answer {
            Ok(proposed) => {
                let (found, mut dropped) = candidate::candidates(&proposed, &window, self.passage.text, part.start);
                let count = found.len();
                let refused = parts.done(&name, found)?;
                report.kept += count.saturating_sub(refused.count());
                dropped.add(refused);
                report.dropped.add(dropped);
            }
            // There is more to say of it than one answer holds.
            Err(LlmError::CutOff) if shorter.tokens >= SHORTEST => {
                parts.done(&halved, Vec::new())?;
                self.halves(part, shorter, parts, report)?;
            }
            // It would decline again.
            Err(LlmError::Declined) => {
                parts.done(&name, Vec::new())?;
                report.declined += 1;
            }
            Err(error @ (LlmError::CutOff | LlmError::Unfit(_) | LlmError::TooLarge)) => {
                report.failed += 1;
                report.why.get_or_insert(error);
            }
            Err(error) => return Err(Stop::Model(error)),
        }
        Ok(())
    }

    fn halves(
        &self,
        part: Range<usize>,
        limit: UnitLimit,
        parts: &mut dyn Parts,
        report: &mut Report,
    ) -> Result<(), Stop> {
        for unit in split_units(&Text::plain(self.passage.text[part.clone()].to_owned()), &limit) {
            self.read_within(part.start + unit.bytes.start..part.start + unit.bytes.end, limit, parts, report)?;
        }
        Ok(())
    }
}
