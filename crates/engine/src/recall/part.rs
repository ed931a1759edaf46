//! The parts of recall that an evaluation leaves out, one at a time, to tell what each brings. No request names them: whoever asks through a
//! door is answered with all of them.

use super::{read, run};
use crate::error::Outcome;
use crate::{Caller, Engine};
use um_model::recall::{MemoryRecall, Recalled};
use um_model::{ApiError, ErrorCode};

/// A part of recall that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The search by words.
    Words,
    /// The search by meaning: as where no embedding model is installed.
    Meaning,
    /// What stands around a passage: what that adds to its score, also by its whole thread, and what is brought in with it.
    Neighbours,
    /// Whom the question names: those who speak, and entities.
    Names,
    /// The time that it names, by a date or by an event, or asks for.
    Times,
    /// What it spells out exactly.
    Identifiers,
    /// The tags of memories.
    Tags,
    /// The reranker, where one is installed.
    Reranking,
    /// That what repeats what is given comes later.
    Diversity,
    /// That what is not worth giving is left out.
    Gates,
    /// Of how well that answers: who says it.
    AnswerSaid,
    /// Of how well that answers: the words that are held.
    AnswerShare,
    /// Of how well that answers: how near the meaning is.
    AnswerMeaning,
    /// Of how well that answers: identifiers that nothing holds.
    AnswerUnheld,
    /// Of how well that answers: names that nothing says.
    AnswerUnnamed,
}

impl Part {
    /// Every part.
    pub const ALL: [Self; 15] = [
        Self::Words,
        Self::Meaning,
        Self::Neighbours,
        Self::Names,
        Self::Times,
        Self::Identifiers,
        Self::Tags,
        Self::Reranking,
        Self::Diversity,
        Self::Gates,
        Self::AnswerSaid,
        Self::AnswerShare,
        Self::AnswerMeaning,
        Self::AnswerUnheld,
        Self::AnswerUnnamed,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Meaning => "meaning",
            Self::Neighbours => "neighbours",
            Self::Names => "names",
            Self::Times => "times",
            Self::Identifiers => "identifiers",
            Self::Tags => "tags",
            Self::Reranking => "reranking",
            Self::Diversity => "diversity",
            Self::Gates => "gates",
            Self::AnswerSaid => "answer_said",
            Self::AnswerShare => "answer_share",
            Self::AnswerMeaning => "answer_meaning",
            Self::AnswerUnheld => "answer_unheld",
            Self::AnswerUnnamed => "answer_unnamed",
        }
    }
}

impl Engine {
    /// Answers a question of the person without a part of recall, and keeps no trace of it. No door leads here.
    ///
    /// # Errors
    /// Those of `memory_recall`; `Forbidden` for an agent.
    pub fn recall_without(&self, caller: &Caller, request: MemoryRecall, part: Part) -> Outcome<Recalled> {
        if caller.is_agent() {
            return Err(ApiError::new(ErrorCode::Forbidden, "Only the person leaves a part of recall out."));
        }
        let request = read(request, self.now())?;
        Ok(run::run(self, caller, request, Some(part))?.0)
    }
}
