//! Traces: how an answer came about, what was passed over and why, and what people thought of it (ultimate-memory-design 2.13).

use crate::enums::text_enum;
use crate::recall::{Hit, MemoryRecall, PathStep, ScoreParts};
use crate::{
    AgentId, ApiError, ArtifactId, CandidateId, ClaimId, EpochMs, MemoryId, PackId, SearchId, SpaceId, TraceId, UnitId,
    ViewId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

text_enum! {
    /// How a question ended.
    TraceOutcome {
        /// Passages were given as an answer.
        Success = "success",
        /// Nothing found was good enough to be an answer.
        Abstained = "abstained",
        /// The search failed. A question that is refused, as one that cannot be read, is not searched and leaves no trace.
        Error = "error",
    }
}

text_enum! {
    /// What somebody thought of an answer.
    Feedback {
        /// It was right.
        Positive = "positive",
        /// It was wrong.
        Negative = "negative",
        /// It was wrong, and this is right.
        Correction = "correction",
    }
}

text_enum! {
    /// Why a passage that a search found was not given.
    Gate {
        /// Others were better, and no more were asked for.
        BeyondLimit = "beyond_limit",
        /// A better passage of the same memory was given; of a mailbox, of the same mail.
        SameMemory = "same_memory",
        /// It says the same as a better one.
        Duplicate = "duplicate",
        /// Only its meaning is near, and not near enough.
        WeakMeaning = "weak_meaning",
        /// It only came along with others, and they carry too little.
        WeakActivation = "weak_activation",
        /// It speaks of remembering, asking or searching, and not of the matter.
        Chatter = "chatter",
        /// It has hardly any words, and says nothing by itself.
        LowInformation = "low_information",
        /// Nobody confirmed it for long, and one that was given says much the same.
        Stale = "stale",
        /// It happened in another year than the one that the question names, and tells of no other time; or the question asks for
        /// nothing but what is of a period, and it is not of that.
        OtherFacet = "other_facet",
    }
}

/// How a recall came about. From `signals`, each score can be computed again, and with it the order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecallTrace {
    /// The version of the ranking.
    pub ranking: String,
    /// What was asked, with every filter.
    pub asked: MemoryRecall,
    /// Whether its words are left out, and the names, tags and phrases that narrowed it down: nothing that fits was found, or it was not
    /// answered and has a word that nothing where it was asked holds. Whoever asks whether something is forgotten does not write it down
    /// again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wordless: bool,
    /// The words that were searched.
    pub words: Vec<String>,
    /// The spaces that were searched.
    pub spaces: Vec<SpaceId>,
    /// What was searched: `words` and `meaning`, `time` for the newest, `what was in use then` as of another time, and `what is cold`
    /// where that was asked for.
    pub indexes: Vec<String>,
    /// The model that the question was embedded with; none where meaning was not searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The model that reranked the best passages; none where none did, and in traces of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranker: Option<String>,
    /// How many passages were considered.
    pub considered: u32,
    /// What was given, best first.
    pub given: Vec<Traced>,
    /// The best of what was not, best first.
    pub rejected: Vec<Traced>,
    /// What stands behind those, best first, without its signals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub behind: Vec<TracedBehind>,
    /// How many of what was found and not given, or connected too little, were forgotten since: they are told no more.
    #[serde(default, skip_serializing_if = "is_none")]
    pub forgotten: u32,
    /// What each signal counted then, by its name in `signals`: its weight times its value is what it added to a score. None where
    /// nothing was scored, and in traces of earlier versions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub weights: BTreeMap<String, f64>,
    /// What is connected with it, apart from it, most of all first; then the best of what is connected too little. Only where it
    /// was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub associated: Vec<TracedAssociate>,
    /// 0 to 1: how well it answers.
    pub answerability: f64,
    /// What that is made of.
    pub answer_parts: BTreeMap<String, f64>,
    /// Below this, nothing is called an answer.
    pub threshold: f64,
    /// Why it abstained, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What the person should know.
    pub notices: Vec<String>,
    /// Why the search failed, where it did: then nothing else is told but what was asked, and where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<ApiError>,
    /// The event by which the question names its time, and what it was taken for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<crate::recall::EventTaken>,
    /// That, or why it was taken for nothing, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_notice: Option<String>,
    /// Milliseconds spent, by step.
    pub timings: BTreeMap<String, f64>,
}

fn is_none(number: &u32) -> bool {
    *number == 0
}

/// A passage in a trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Traced {
    /// The passage.
    pub unit: UnitId,
    /// Its memory.
    pub memory: MemoryId,
    /// Its space.
    pub space: SpaceId,
    /// Where in its text the mail of a mailbox begins that it is of, in UTF-16 units; none where it is of no mailbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail: Option<i64>,
    /// The text of a file that it stands in, where it was given from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<ViewId>,
    /// The file that this text was read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<ArtifactId>,
    /// Its score.
    pub score: f64,
    /// What the score is computed from.
    pub signals: ScoreParts,
    /// Whom or what the question names and its memory names, too, as a hit tells it; none of what was not given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<PathStep>,
    /// Why it was not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
}

/// A passage in a trace that stands behind the best of what was not given. It is told by a number, which forgetting it leaves: that says
/// nothing of what it held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TracedBehind {
    /// The passage's number in the data folder.
    pub number: i64,
    /// Its score.
    pub score: f64,
    /// Why it was not given.
    pub gate: Gate,
}

/// What is connected with an answer, in a trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TracedAssociate {
    /// The passage.
    pub unit: UnitId,
    /// Its memory.
    pub memory: MemoryId,
    /// 0 to 1: how much of the activation of the question and its answer reaches it.
    pub activation: f64,
    /// The way there.
    pub path: Vec<PathStep>,
    /// Why it was not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
}

/// A trace in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TraceSummary {
    /// Its id.
    pub id: TraceId,
    /// What was asked. `[REDACTED]` where it was forgotten; empty where there were no words, nothing that fits was found, or it was not
    /// answered and has a word that nothing holds.
    pub query: String,
    /// The space of its best passage, or the first that was searched.
    pub space_id: SpaceId,
    /// Who asked.
    pub actor_id: AgentId,
    /// What they are called.
    pub actor_name: String,
    /// How it ended.
    pub outcome: TraceOutcome,
    /// What somebody thought of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<Feedback>,
    /// When it was asked.
    pub created_at: EpochMs,
    /// When it goes by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<EpochMs>,
}

/// Lists traces, the newest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct TracesList {
    /// Name or id of the space: what was asked of it, and what its passages answered best. All readable ones where nothing is said.
    #[serde(default)]
    pub space: Option<String>,
    /// Only those that ended so.
    #[serde(default)]
    pub outcome: Option<TraceOutcome>,
    /// Only those that somebody said something of.
    #[serde(default)]
    pub with_feedback: bool,
    /// Only what this one asked: name or id of an agent, `owner` for the person.
    #[serde(default)]
    pub actor: Option<String>,
    /// Only what was asked at or after this time.
    #[serde(default)]
    pub since: Option<EpochMs>,
    /// Only what was asked before this time.
    #[serde(default)]
    pub until: Option<EpochMs>,
    /// Only questions that have all of these words, or parts of words, without regard to case; 2,000 characters at most. Of what is kept
    /// without its words none has them.
    #[serde(default)]
    pub query: Option<String>,
    /// Only what comes after this one in the list: the id of the last of the page before.
    #[serde(default)]
    pub after: Option<TraceId>,
    /// Give at most so many; 50 where nothing is said, 200 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Traces.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct TracesListed {
    /// The newest first.
    pub traces: Vec<TraceSummary>,
    /// Whether there are more.
    pub more: bool,
}

/// Asks how an answer came about.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct TraceGet {
    /// Its id: `trace` of what `memory_recall` answered.
    pub id: TraceId,
}

/// How an answer came about.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct AnswerTrace {
    /// What is listed of it.
    pub summary: TraceSummary,
    /// How the passages were found; none where it was forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall: Option<RecallTrace>,
    /// What was found and can still be read: the titles and first words of its memories, by their ids.
    pub memories: BTreeMap<MemoryId, String>,
    /// The pack that it was put in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<PackId>,
    /// What was answered from it, where that was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// What is right, where somebody said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<String>,
}

/// Computes a trace again from what it holds, and asks the question again now.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct TraceReplay {
    /// Its id.
    pub id: TraceId,
}

text_enum! {
    /// What of an answer follows from its trace.
    ReplayPart {
        /// The order of the passages, given or not.
        Order = "order",
        /// Their scores.
        Scores = "scores",
        /// Which were left out, and why.
        Gates = "gates",
        /// How well they answer.
        Answerability = "answerability",
        /// What was told as connected with them.
        Connected = "connected",
    }
}

impl ReplayPart {
    /// What it is, in words that go on with a sentence.
    pub fn called(self) -> &'static str {
        match self {
            Self::Order => "the order",
            Self::Scores => "the scores",
            Self::Gates => "what was left out and why",
            Self::Answerability => "how well it answers",
            Self::Connected => "what is connected",
        }
    }
}

/// What replaying gave, and what asking again gives.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct TraceReplayed {
    /// The passages in the order that their signals give.
    pub replayed: Vec<UnitId>,
    /// Whether that is the order in which they were given, and each score, of what was not given too, why it was not, and how well it
    /// answers is what follows from what the trace holds; but for what `as_told` names.
    pub exact: bool,
    /// What of that is another thing; nothing where it is exact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<ReplayPart>,
    /// What does not follow from what the trace holds and is taken as it is told, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub as_told: Vec<String>,
    /// Where the ranking has another version than the trace's, that version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_ranking: Option<String>,
    /// Where another model reranks the best passages now than did then, or none does or did: which, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_reranker: Option<String>,
    /// Why the question could not be asked again, where that is so: then nothing is told of now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<ApiError>,
    /// What the question finds now.
    pub now: Vec<Hit>,
    /// What differs, in the order of now; then what is gone.
    pub changes: Vec<RankChange>,
    /// Whether it abstained then, or failed.
    pub abstained_then: bool,
    /// Whether it abstains now; as then, where it could not be asked.
    pub abstains_now: bool,
}

/// How a memory's place changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RankChange {
    /// The memory.
    pub memory: MemoryId,
    /// Its place then, from 1; none where it was not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub then: Option<u32>,
    /// Its place now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<u32>,
}

/// Says what an answer was worth, or takes that back, or what was answered, or both.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct TraceFeedback {
    /// The trace's id.
    pub id: TraceId,
    /// What it was worth. Where nothing is said, `answer` is kept, and what was said before stays.
    #[serde(default)]
    pub feedback: Option<Feedback>,
    /// What is right, for a correction: at most 10,000 characters.
    #[serde(default)]
    pub correction: Option<String>,
    /// What was answered from it: at most 10,000 characters. What was told before stays where nothing is said.
    #[serde(default)]
    pub answer: Option<String>,
    /// Takes back what was said of its worth, with what waits in Review for that, as if nothing had been said. Not with `feedback` or
    /// `correction`.
    #[serde(default)]
    pub withdraw: bool,
}

/// What came of it. Nothing is changed: what might be wrong waits for the person.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct FeedbackGiven {
    /// The trace.
    pub trace: TraceSummary,
    /// What the answer rested on, most of all first; only where it was wrong.
    pub blamed: Vec<Blamed>,
    /// What waits in Review: the correction, and the memories that the answer rested on most, to be taken out of recall.
    pub proposed: Vec<CandidateId>,
    /// What waited there for what was thought of it before, and was taken back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withdrawn: Vec<CandidateId>,
}

/// How much of a wrong answer rests on a memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Blamed {
    /// The memory.
    pub memory: MemoryId,
    /// Its title or first words.
    pub title: String,
    /// 0 to 1; all together 1.
    pub share: f64,
    /// How that was judged: `entailment` (it contradicts the correction) or `score`.
    pub by: String,
    /// The claims that rest on it.
    pub claims: Vec<ClaimId>,
}

/// Asks why a memory was not among the passages of an answer.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct RecallWhyNot {
    /// The question, as it was asked.
    pub recall: MemoryRecall,
    /// The memory, or the file, that was expected: its id.
    pub expected: String,
}

text_enum! {
    /// Where an expected memory was lost.
    Lost {
        /// It was not: it is among the passages.
        Given = "given",
        /// Its space was not searched.
        Space = "space",
        /// It is not in use: removed, replaced, expired.
        OutOfUse = "out_of_use",
        /// Nothing can be found of it yet: it is not read, or has no words.
        NotRead = "not_read",
        /// A filter of the question leaves it out.
        Filter = "filter",
        /// No search found it.
        NotFound = "not_found",
        /// It was found and rejected.
        Gate = "gate",
        /// It was found, and others were better.
        Rank = "rank",
    }
}

/// Why a memory was not among the passages.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct WhyNot {
    /// Where it was lost.
    pub lost: Lost,
    /// Why, in words for a person.
    pub reason: String,
    /// Its best passage's place, from 1, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// That passage's score and signals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traced: Option<Traced>,
    /// What each of those signals counts, as in a trace.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub weights: BTreeMap<String, f64>,
    /// The score of the last passage that was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_given: Option<f64>,
    /// Words of the question that it does not have.
    pub words_missing: Vec<String>,
}

/// Keeps a question to be asked again.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct SearchSave {
    /// What it is called: 1 to 80 characters; one of that name in that space is replaced. A name that differs from another's in
    /// case alone is refused.
    pub name: String,
    /// The question with its filters.
    pub recall: MemoryRecall,
}

/// A question that is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SavedSearch {
    /// Its id.
    pub id: SearchId,
    /// What it is called.
    pub name: String,
    /// The question with its filters. The space that it is asked of is named by its id, so that it stays the same whatever that space
    /// and others are called.
    pub recall: MemoryRecall,
    /// What that space is called now; none where all are asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space_name: Option<String>,
    /// Whether that space is archived: the question can be asked again once the space is brought back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub archived: bool,
    /// When it was saved.
    pub created_at: EpochMs,
}

/// Lists the questions that are kept.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct SearchesList {}

/// Questions that are kept.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct SearchesListed {
    /// By name.
    pub searches: Vec<SavedSearch>,
}

/// Drops a question that is kept.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct SearchDrop {
    /// Its id.
    pub id: SearchId,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trace is kept as JSON, and its scores are computed again from what is read of it.
    #[test]
    fn numbers_are_read_again_as_they_were_written() {
        let mut state: u64 = 7;
        for _ in 0..2_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = (state >> 11) as f64 / (1_u64 << 53) as f64;
            let parts = ScoreParts { cosine: Some(number), near: Some(number * 3.7), ..ScoreParts::default() };
            let read: ScoreParts = serde_json::from_str(&serde_json::to_string(&parts).unwrap()).unwrap();
            let bits = |parts: &ScoreParts| [parts.cosine, parts.near].map(|part| part.map(f64::to_bits));
            assert_eq!(bits(&read), bits(&parts), "{number}");
        }
    }
}
