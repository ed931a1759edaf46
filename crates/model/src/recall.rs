//! Recall: a question goes in, cited passages come out.

use crate::belief::EntityType;
use crate::envelope::Envelope;
use crate::work::RecallWarning;
use crate::{
    AgentId, ArtifactId, Bbox, EpochMs, MemoryId, Modality, SegmentId, SpaceId, TimeSpan, UnitId, Utf16Span, ViewId,
    ViewType,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Asks for the passages that answer a question.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoryRecall {
    /// The question, in anybody's words: at most 2,000 characters. Empty, with anything that narrows it down, it finds the
    /// newest that pass, dated as with `since`.
    pub query: String,
    /// Name or id of the space to search; all readable ones where nothing is said.
    #[serde(default)]
    pub space: Option<String>,
    /// Give at most so many hits; 10 where nothing is said, 100 at most.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Reads the question as people narrow a search down: `from:ana`, `type:pdf`, `tag:tax`, `tier:cold`, `before:2025-06`,
    /// `after:2024`, `"exact words"` and `-without`. What each says goes to the field of that name.
    #[serde(default)]
    pub fielded: bool,
    /// Only sources of these types; all where empty.
    #[serde(default)]
    pub modalities: Vec<Modality>,
    /// Only mails and mailboxes (`type:mail`); with `modalities`, what is of these as well.
    #[serde(default)]
    pub mails: bool,
    /// Only what came from one of these: part of the name of who brought it in, of whose it is (`owner`), of a mail's sender as its
    /// `From:` says it (each mail of a mailbox by itself), of the file, or of its title.
    #[serde(default)]
    pub from: Vec<String>,
    /// Only memories that carry all of these tags.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Only memories of these tiers; `hot` and `warm` where empty. With `cold`, what is cold is compared as well, the last 5,000 passages of it.
    #[serde(default)]
    pub tiers: Vec<crate::Tier>,
    /// Only passages with all of these, word for word.
    #[serde(default)]
    pub phrases: Vec<String>,
    /// Only passages with none of these words or phrases.
    #[serde(default)]
    pub without: Vec<String>,
    /// Only what is dated at or after this time. What is kept is dated by when it happened, where somebody told that or the file says so
    /// itself, each mail of a mailbox for itself; else a file by when it was last changed on its disk, and all else by when it was recorded.
    #[serde(default)]
    pub since: Option<EpochMs>,
    /// Only what is dated before this time, as with `since`.
    #[serde(default)]
    pub until: Option<EpochMs>,
    /// Only what is dated, as with `since`, in so many days before it is asked: 1 to 36,500. A search that is saved keeps the number, and
    /// counts back from whenever it is asked.
    #[serde(default)]
    pub past_days: Option<u32>,
    /// How far the clock of whoever asks is ahead of UTC, in minutes: 120 for Berlin in summer, -480 for Los Angeles in winter; at most
    /// 14 hours either way, and 0 where nothing is said. `today`, `yesterday`, `last week`, dates that the question writes out (`3 March`,
    /// `Oct 2026`) and those of `before:` and `after:` are days of that clock. What is dated by a day alone, as its first moment in UTC, is of
    /// that day by every clock. It is the offset of now, also for days on the other side of a clock change: those are off by that hour.
    #[serde(default)]
    pub utc_offset: i32,
    /// Only what was so at this time (valid time): what was replaced later is found again. Tags that were on then and were taken off since
    /// count beside those of now.
    #[serde(default)]
    pub as_of: Option<EpochMs>,
    /// Only what was known at this time (recorded time), as it stood then. What was forgotten stays forgotten.
    #[serde(default)]
    pub known_at: Option<EpochMs>,
    /// Whether what is connected with the passages, by entities, tags, relations and use, is told as well, apart from them.
    #[serde(default)]
    pub associated: bool,
    /// Whether each hit tells its memory's envelope: whose it is, where it came from, how sure it is.
    #[serde(default)]
    pub why: bool,
}

/// The answer to a question.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Recalled {
    /// The passages, best first.
    pub hits: Vec<Hit>,
    /// What is connected with them, most of all first; where it was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub associated: Vec<Associate>,
    /// Whether nothing found is good enough to be an answer.
    pub abstained: bool,
    /// Why, in words for a person, where it abstained.
    pub reason: Option<String>,
    /// 0 to 1: how well the best hit answers. Only to compare answers of one version.
    pub answerability: f64,
    /// What the person should know about this answer: that meaning was not searched, for example.
    pub notices: Vec<String>,
    /// The spaces that were searched.
    pub spaces: Vec<SpaceId>,
    /// What each signal counts, by its name in `score_parts`: its weight times its value is what it adds to a score. None where nothing
    /// is scored.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub weights: BTreeMap<String, f64>,
    /// Milliseconds spent, by step.
    pub timings: BTreeMap<String, f64>,
    /// The event by which the question names its time, and what it was taken for; none where it names none, or nothing tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<EventTaken>,
    /// That, or why it was taken for nothing, in a sentence. Whatever it is, everything was searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_notice: Option<String>,
    /// The trace of how it came about, for `trace_get` and `trace_feedback`; none where none is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<crate::TraceId>,
}

/// An event by which a question names a time: `before the move`. Passages of that time were drawn forward, and none was left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EventTaken {
    /// As the question says it.
    pub phrase: String,
    /// The first moment of the time that is meant; none where it has no beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<EpochMs>,
    /// The first moment behind it; none where it has no end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<EpochMs>,
    /// The fact that tells it, where a fact does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<crate::ClaimId>,
    /// The words that tell it.
    pub citation: crate::citation::Citation,
}

crate::enums::text_enum! {
    /// What connects one thing with another.
    Basis {
        /// Both are about, or speak of, the same.
        Entity = "entity",
        /// Both carry a tag that few carry.
        Tag = "tag",
        /// Somebody stated a relation, or one is believed.
        Relation = "relation",
        /// Both answered a question rightly.
        CoUse = "co_use",
    }
}

/// A passage that did not answer by itself, and is connected with what did or with whom the question names.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Associate {
    /// The passage. Its score is its activation.
    pub hit: Hit,
    /// 0 to 1: how much of the activation of the question and its answer reaches it.
    pub activation: f64,
    /// The way there: from the question or a passage.
    pub path: Vec<PathStep>,
}

/// A step of a way through the graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PathStep {
    /// The id of the memory or entity that it begins at.
    pub from: String,
    /// What connects it with the next.
    pub basis: Basis,
    /// By name: of the entity or tag, or of the relation.
    pub via: String,
    /// What the entity of that name is, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity_type: Option<EntityType>,
}

/// A passage with everything that leads back to its source.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Hit {
    /// From 1.
    pub rank: u32,
    /// Its score; higher is better.
    pub score: f64,
    /// What it is made of.
    pub score_parts: ScoreParts,
    /// Whom or what the question names and its memory names, too: from each of them one step leads to it. At most three, in the order of
    /// the question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<PathStep>,
    /// The exact words of the source.
    pub quote: String,
    /// Where they stand in the source text (of the view, or of the memory), in UTF-16 code units.
    pub span: Utf16Span,
    /// SHA-256 of the quote, in hex: tells when the source has moved.
    pub span_hash: String,
    /// The words of the question that occur in the quote; spans count from the beginning of the source text.
    pub matches: Vec<Match>,
    /// The ids that lead to the source.
    pub ids: HitIds,
    /// The page, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// The smallest box around the quote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bbox: Option<Bbox>,
    /// One box a line of the quote.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boxes: Vec<Bbox>,
    /// When it is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeSpan>,
    /// First and last line in a text, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<[u32; 2]>,
    /// The file's name, or the memory's title or first words.
    pub title: String,
    /// The headings above the passage, joined by ` › `.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading_path: Option<String>,
    /// The tags of its memory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// What the source is: `text` for a memory of words.
    pub modality: Modality,
    /// How the text came about; absent for a memory's own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view_type: Option<ViewType>,
    /// What read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extractor: Option<String>,
    /// 0 to 1: how sure the reader was; absent for native text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<f64>,
    /// The space's name.
    pub space_name: String,
    /// Who brought it in.
    pub actor_id: AgentId,
    /// That agent's name.
    pub actor_name: String,
    /// When it happened, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurred_at: Option<EpochMs>,
    /// When it was recorded.
    pub recorded_at: EpochMs,
    /// Until when it was so, where it is out of use now: only what is asked for as of another time is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<EpochMs>,
    /// The envelope of its memory, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub envelope: Option<Envelope>,
    /// Where the quote is but the name of its file: why no words of it are there, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What speaks against relying on it: something contradicts it, or stands in its place, or nobody confirmed it for long, or it comes
    /// from somebody who is trusted little.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<RecallWarning>,
}

/// A word of the question in a quote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Match {
    /// Where in the source text.
    pub span: Utf16Span,
    /// Its box.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bbox: Option<Bbox>,
    /// When it is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeSpan>,
}

/// The parts of a hit's score; a part is absent where that search did not find the passage.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ScoreParts {
    /// Its rank by words, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bm25_rank: Option<u32>,
    /// Its BM25 score; higher is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bm25: Option<f64>,
    /// Its rank by meaning, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vector_rank: Option<u32>,
    /// Cosine similarity to the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cosine: Option<f64>,
    /// 0 to 1: its BM25 score beside the best one of its space; twice that where meaning was not searched, or it is
    /// not embedded yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<f64>,
    /// What the passages beside it carry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<f64>,
    /// What the best of its session or document carry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<f64>,
    /// What the question carries that it replies to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<f64>,
    /// 1 where whoever the question names said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said_by: Option<f64>,
    /// 1 where its memory names whoever or whatever the question names, by the same name or another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<f64>,
    /// 0 to 1: how many of the identifiers that the question spells out it has: numbers of invoices, codes, names of files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<f64>,
    /// 1 where it asks itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<f64>,
    /// 0 to 1: how near it is to the time that the question names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<f64>,
    /// 1 where it is of the period that the question names, as far as this finds it: no more is asked for, or it has some of the words
    /// or meaning of the rest. It adds nothing to the score beyond `date`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<f64>,
    /// 1 where the question asks for a time, and it tells one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tells_time: Option<f64>,
    /// 0, and below it where it has few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short: Option<f64>,
    /// 1 where its session or document begins with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<f64>,
    /// How well it answers, as a reranking model says that read it together with the question: 0 for the least of those that it
    /// read; for the best, as much as lies between the first and the last of them by all else. For what was decided against,
    /// no more than for what stood before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rerank: Option<f64>,
    /// How much it repeats the passages before it: the likeness of the likest, and a part of that of each of its own session or
    /// document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<f64>,
    /// -1 to 1: how much more its memory matters than one of which nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub importance: Option<f64>,
    /// 1 where the person says that its memory is so, -1 where nobody confirmed it for long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// -1 to 0: how much less whoever brought its memory in is trusted than agents are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<f64>,
    /// 0 to 1: how many of the question's words are a tag that somebody gave its memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<f64>,
    /// -1 where it says little else than a fact that the person decided against, or took back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<f64>,
    /// Where the question asks for the latest of something: what gives it its place by its date among those that fit nearly as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest: Option<f64>,
}

/// The chain from a passage to its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HitIds {
    /// The passage.
    pub unit: UnitId,
    /// The memory.
    pub memory: MemoryId,
    /// The text view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<ViewId>,
    /// The segment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segment: Option<SegmentId>,
    /// The file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<ArtifactId>,
    /// The space.
    pub space: SpaceId,
}
