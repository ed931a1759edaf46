//! Beliefs as they are asked for and shown: entities, claims with their evidence, conflicts, the graph.

use crate::belief::{
    Cardinality, ClaimState, ClaimType, ConflictFinder, ConflictType, EntityType, EvidencePolarity, ExtractionMethod,
    MatchType, Polarity, ResolutionType, ValueKind,
};
use crate::citation::Citation;
use crate::{
    AgentId, ArtifactId, CandidateId, ClaimId, ConflictId, EntityId, EpochMs, EvidenceId, MemoryId, MemoryStatus,
    MergeId, Modality, SpaceId, Tier, Utf16Span, ViewId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Somebody or something that is spoken of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Entity {
    /// Its id.
    pub id: EntityId,
    /// Its name.
    pub name: String,
    /// What it is.
    pub entity_type: EntityType,
    /// Its space; `GLOBAL` for what every space may name.
    pub space_id: SpaceId,
    /// Other names, the person's own ones first.
    pub aliases: Vec<String>,
    /// The entity it was merged into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged_into: Option<EntityId>,
    /// Claims about it that are believed or disputed.
    pub claims: u64,
    /// Of these, disputed ones.
    pub disputed: u64,
    /// Memories that name it.
    pub memories: u64,
    /// When it was first spoken of.
    pub created_at: EpochMs,
}

/// An entity where a claim names it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EntityRef {
    /// Its id.
    pub id: EntityId,
    /// Its name.
    pub name: String,
    /// What it is.
    pub entity_type: EntityType,
}

/// What a claim says of its subject.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimObject {
    /// Another entity.
    Entity(EntityRef),
    /// A value.
    Value(String),
}

impl ClaimObject {
    /// The entity's name or the value.
    pub fn text(&self) -> &str {
        match self {
            Self::Entity(entity) => &entity.name,
            Self::Value(text) => text,
        }
    }
}

/// A belief.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Claim {
    /// Its id.
    pub id: ClaimId,
    /// Its space.
    pub space_id: SpaceId,
    /// What it says.
    pub claim_type: ClaimType,
    /// Of whom or what.
    pub subject: EntityRef,
    /// The relation or attribute: `works_at`.
    pub predicate: String,
    /// What.
    pub object: ClaimObject,
    /// The claim as a sentence.
    pub statement: String,
    /// Circumstances: `role`, `since`.
    pub qualifiers: BTreeMap<String, String>,
    /// Whether it is affirmed or denied.
    pub polarity: Polarity,
    /// Where it stands.
    pub state: ClaimState,
    /// 0 to 1; see `claim_explain`.
    pub confidence: f64,
    /// How many pieces of evidence it has.
    pub evidence_count: u32,
    /// When it began to be so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<EpochMs>,
    /// When it ceased to be so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<EpochMs>,
    /// When it was first believed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_asserted_at: Option<EpochMs>,
    /// When the first of the sources in use said so: what is said without a time is so from then on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_said_at: Option<EpochMs>,
    /// When the last of the sources in use said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_said_at: Option<EpochMs>,
    /// When it last changed.
    pub last_updated_at: EpochMs,
    /// The best pieces of supporting evidence, at most three.
    pub citations: Vec<Citation>,
    /// Open conflicts that it is part of.
    pub conflicts: Vec<ConflictId>,
    /// Whether a language model alone read it in its sources, so that it may be made up: no rule found it, and nobody stated it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_model: bool,
    /// What its own words tell of its time, and who says them: what beliefs are settled by.
    #[serde(skip)]
    pub telling: Telling,
}

/// What a claim's own words tell of its time, without what others tell of the same fact, and who says them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Telling {
    /// From and until, in milliseconds: as they tell it, or as a decision gave it.
    pub window: (Option<EpochMs>, Option<EpochMs>),
    /// When the last of the words in use came in.
    pub heard_at: Option<EpochMs>,
    /// When the person last stated it outright; where they did not, when the one voice did that says it.
    pub stated_at: Option<EpochMs>,
    /// Who says it, where all of its words are of one.
    pub voice: Option<AgentId>,
}

impl Claim {
    /// Whether it was forgotten: what is left of it says nothing.
    pub fn is_forgotten(&self) -> bool {
        self.statement == "[REDACTED]"
    }
}

/// A fact to be added.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct FactInput {
    /// Of whom or what: a name. `me` is the person.
    pub subject: String,
    /// What the subject is; found out from the predicate where nothing is said.
    #[serde(default)]
    pub subject_type: Option<EntityType>,
    /// The relation or attribute: `works_at`, `birthday`. Known ones are canonical, others are kept as they are.
    pub predicate: String,
    /// A name or a value.
    pub object: String,
    /// Whether the object is an entity; known from the predicate where nothing is said.
    #[serde(default)]
    pub object_is_entity: Option<bool>,
    /// What the object is, where it is an entity.
    #[serde(default)]
    pub object_type: Option<EntityType>,
    /// Circumstances: `role`, `since`.
    #[serde(default)]
    pub qualifiers: BTreeMap<String, String>,
    /// `true` where it is denied.
    #[serde(default)]
    pub negative: bool,
    /// 0 to 1: how sure you are; 0.9 where nothing is said.
    #[serde(default)]
    pub confidence: Option<f64>,
    /// When it began to be so: a date such as `2021-05-01`, `2021-05` or `2021`.
    #[serde(default)]
    pub valid_from: Option<String>,
    /// When it ceased to be so: a date.
    #[serde(default)]
    pub valid_until: Option<String>,
    /// The memory whose words carry it. Where none is named, the statement itself becomes a memory.
    #[serde(default)]
    pub memory_id: Option<MemoryId>,
    /// The words of that memory that carry it, exactly.
    #[serde(default)]
    pub quote: Option<String>,
    /// Events that it comes from; a missing one is a warning.
    #[serde(default)]
    pub source_event_ids: Vec<String>,
    /// `true` to add the quote of `memory_id` as evidence against the fact. From an agent it is kept as a denial, and the
    /// person is asked.
    #[serde(default)]
    pub contradicts: bool,
}

/// Adds facts. All are added, or none.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct FactsAdd {
    /// Name or id of the space. An agent that names none means the only one that it has, of several `default`.
    #[serde(default)]
    pub space: String,
    /// The facts: at most 100.
    pub facts: Vec<FactInput>,
}

/// What became of a fact.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct FactAdded {
    /// The claim.
    pub claim: Claim,
    /// Whether it is new; else evidence was added.
    pub created: bool,
    /// Conflicts that it makes.
    pub conflicts: Vec<ConflictId>,
    /// What to know: an unknown event, an ambiguous name.
    pub warnings: Vec<String>,
}

/// The facts that were added.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct FactsAdded {
    /// In the order in which they were given.
    pub facts: Vec<FactAdded>,
}

/// Searches what is believed.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct FactsSearch {
    /// Name or id of the space; all readable ones where nothing is said.
    #[serde(default)]
    pub space: Option<String>,
    /// Words of the fact; all where nothing is said.
    #[serde(default)]
    pub query: Option<String>,
    /// Name or id of its subject or object.
    #[serde(default)]
    pub entity: Option<String>,
    /// Only what this file says.
    #[serde(default)]
    pub artifact: Option<crate::ArtifactId>,
    /// The relation or attribute.
    #[serde(default)]
    pub predicate: Option<String>,
    /// Only claims in these states; asserted and disputed ones where empty.
    #[serde(default)]
    pub states: Vec<ClaimState>,
    /// Only what was so at this time.
    #[serde(default)]
    pub as_of: Option<EpochMs>,
    /// Only what was known at this time, as it was known then: its state, its time and its quotes.
    #[serde(default)]
    pub known_at: Option<EpochMs>,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 50 where nothing is said, 200 at most.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Give the first alone, whatever `offset` is, and count no others: `total` is how many are given. It takes less time where much
    /// matches.
    #[serde(default)]
    pub uncounted: bool,
}

/// Facts.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct FactsFound {
    /// The facts, the surest first (with a query: the best match first).
    pub facts: Vec<Claim>,
    /// How many there are in all; with `uncounted`, how many are given.
    pub total: u64,
}

/// Lists entities.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct EntitiesList {
    /// Name or id of the space; all readable ones where nothing is said.
    #[serde(default)]
    pub space: Option<String>,
    /// The beginning of a name, or of a word of it.
    #[serde(default)]
    pub query: Option<String>,
    /// Only of these types; all where empty.
    #[serde(default)]
    pub types: Vec<EntityType>,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 50 where nothing is said, 200 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Entities.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct EntitiesListed {
    /// Those with the most claims first.
    pub entities: Vec<Entity>,
    /// How many there are in all.
    pub total: u64,
}

/// Asks for all that is believed about an entity.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct EntityGet {
    /// Its id, or its name in the space.
    pub entity: String,
    /// Name or id of the space, where a name is given.
    #[serde(default)]
    pub space: Option<String>,
    /// Only what was so at this time.
    #[serde(default)]
    pub as_of: Option<EpochMs>,
    /// Only what was known at this time, as it was known then: its state, its time and its quotes.
    #[serde(default)]
    pub known_at: Option<EpochMs>,
    /// `true` gives retracted and superseded claims too.
    #[serde(default)]
    pub history: bool,
    /// Skip so many mentions; 20 are given at a time.
    #[serde(default)]
    pub mentions_offset: u32,
}

/// All that is believed about an entity.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct EntityDetail {
    /// The entity.
    pub entity: Entity,
    /// Claims about it, by predicate, the surest first; at most 500.
    pub claims: Vec<Claim>,
    /// Claims of others that name it; at most 200.
    pub named_in: Vec<Claim>,
    /// Open conflicts among its claims.
    pub conflicts: Vec<ConflictId>,
    /// Its neighbours in the graph.
    pub near: Vec<Edge>,
    /// Entities that may be the same: nearly its name, in the same space.
    pub similar: Vec<EntityRef>,
    /// Merges that can be undone.
    pub merges: Vec<Merge>,
    /// Where else it is named: memories that no claim of it rests on, those read last first, at most 20 at a time.
    #[serde(default)]
    pub mentions: Vec<EntityMention>,
    /// How many such memories there are among the 2,000 that it was named in last.
    #[serde(default)]
    pub mentions_total: u64,
}

/// A memory that names an entity.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct EntityMention {
    /// The words around the name, and where they stand.
    pub citation: Citation,
    /// How the name was matched.
    pub match_type: MatchType,
    /// Where the name stands in that text, in UTF-16 code units: at most 50 places.
    pub spans: Vec<Utf16Span>,
}

/// A merge of two entities.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Merge {
    /// Its id.
    pub id: MergeId,
    /// The entity that stayed.
    pub kept: EntityRef,
    /// The entity that went into it.
    pub merged: EntityRef,
    /// When.
    pub merged_at: EpochMs,
    /// Whether it was undone.
    pub undone: bool,
}

/// Finds the entities that a text names.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct EntitiesResolve {
    /// Name or id of the space.
    pub space: String,
    /// The text: at most 10,000 characters.
    pub text: String,
}

/// The mentions of a text.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct EntitiesResolved {
    /// In the order of the text.
    pub mentions: Vec<ResolvedMention>,
}

/// A mention and whom it may mean.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ResolvedMention {
    /// The words.
    pub text: String,
    /// Where, in UTF-16 code units.
    pub span: Utf16Span,
    /// Whom it may mean, the likeliest first; more than one: it is ambiguous.
    pub candidates: Vec<ResolutionCandidate>,
}

/// Whom a mention may mean.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ResolutionCandidate {
    /// The entity.
    pub entity: EntityRef,
    /// How it was matched.
    pub match_type: MatchType,
    /// 0 to 1.
    pub confidence: f64,
}

/// Lists names in memories that may mean several.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct CandidatesList {
    /// Name or id of the space; all readable ones where nothing is said.
    #[serde(default)]
    pub space: Option<String>,
    /// Those that were decided rather than those that wait.
    #[serde(default)]
    pub decided: bool,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 50 where nothing is said, 200 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Names that may mean several.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct CandidatesListed {
    /// Those that wait: the oldest first. Those that were decided: the latest first.
    pub candidates: Vec<NameCandidate>,
    /// How many there are in all.
    pub total: u64,
}

/// A name in a memory that may mean several. What the memory says of it is no claim until that is decided.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct NameCandidate {
    /// Its id.
    pub id: CandidateId,
    /// The name as it is written.
    pub name: String,
    /// Whom it may mean.
    pub choices: Vec<EntityRef>,
    /// The first words that wait for the decision.
    pub quote: String,
    /// Where they stand, in UTF-16 code units of the view's text or the memory's own words.
    pub span: Utf16Span,
    /// How many claims wait for it.
    pub claims: u32,
    /// The memory.
    pub memory_id: MemoryId,
    /// The text view; absent for a memory's own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view_id: Option<ViewId>,
    /// The memory's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_id: Option<ArtifactId>,
    /// The file's name, or the memory's title or first words.
    pub title: String,
    /// Its space.
    pub space_id: SpaceId,
    /// Whom it means, where that was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meant: Option<EntityRef>,
    /// Whether it waits for a decision.
    pub waits: bool,
    /// When it came up.
    pub created_at: EpochMs,
}

/// Says whom a name means. The memory is then read again.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct CandidatesDecide {
    /// The name's id.
    pub candidate: CandidateId,
    /// The one of its choices that it means, by name or id; nothing says that it means none of them.
    #[serde(default)]
    pub entity: Option<String>,
}

/// Takes back whom a name was said to mean: it waits again, and what the memory said of it is no claim until then.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct CandidatesReopen {
    /// The name's id.
    pub candidate: CandidateId,
}

/// Merges an entity into another: its claims, names and links go over. It can be undone.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct EntityMerge {
    /// The entity that stays.
    pub keep: EntityId,
    /// The entity that goes into it.
    pub merge: EntityId,
}

/// Makes an entity one that every space may name: its name and type go to `GLOBAL`, and what the space says of it is
/// said of that one from then on. It is a merge, and can be undone as one.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct EntityShare {
    /// The entity.
    pub entity: EntityId,
}

/// Undoes a merge.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct EntityUnmerge {
    /// The merge.
    pub merge: MergeId,
}

/// Changes an entity: its name, its type, another name for it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct EntityEdit {
    /// The entity: its name or id. `me` is you, also where nothing was said of you in that space yet.
    pub entity: String,
    /// The space where a name is looked for, by name or id; all that may be read where it is absent.
    #[serde(default)]
    pub space: Option<String>,
    /// Its new name; the old one stays as an alias.
    #[serde(default)]
    pub name: Option<String>,
    /// Its type.
    #[serde(default)]
    pub entity_type: Option<EntityType>,
    /// Another name for it. The name of another entity is refused: merge the two.
    #[serde(default)]
    pub alias: Option<String>,
    /// A name of it, beside its own, that it is to bear no longer. It can be given again.
    #[serde(default)]
    pub remove_alias: Option<String>,
}

/// Asks why something is believed.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ClaimExplain {
    /// The claim.
    pub claim: ClaimId,
    /// Why it was believed at this time, by what was known then.
    #[serde(default)]
    pub known_at: Option<EpochMs>,
}

impl ClaimExplain {
    /// Asks about a claim as it is known now.
    pub fn of(claim: ClaimId) -> Self {
        Self { claim, known_at: None }
    }
}

/// Why something is believed: the evidence and the arithmetic.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ClaimExplained {
    /// The claim.
    pub claim: Claim,
    /// All evidence, at most 200 pieces.
    pub evidence: Vec<Evidence>,
    /// How the confidence comes about.
    pub confidence: Confidence,
    /// Each change of its state.
    pub history: Vec<StateChange>,
    /// Each change of the time in which it is so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub windows: Vec<WindowChange>,
    /// Its conflicts, decided ones too.
    pub conflicts: Vec<Conflict>,
}

/// A piece of evidence.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Its id.
    pub id: EvidenceId,
    /// The words and where they stand.
    pub citation: Citation,
    /// What it does to the claim.
    pub polarity: EvidencePolarity,
    /// Who found it.
    pub method: ExtractionMethod,
    /// How sure the finder was, 0 to 1.
    pub confidence: f64,
    /// Who says that the words say so: who stated it, else whose words they are.
    #[serde(default)]
    pub actor_name: String,
    /// The trust in them, 0 to 1.
    pub trust: f64,
    /// The weight of its kind of source, 0 to 1.
    pub source_weight: f64,
    /// The reader's quality, 0 to 1; 1 for native text.
    pub quality: f64,
    /// The product of these four; 0 where the source is no longer in use.
    pub weight: f64,
    /// Pieces of one cluster come from one source and count once.
    pub cluster: String,
    /// Whether its source is in use.
    pub live: bool,
}

/// How a confidence comes about (ruling 27): the maximum in each cluster, noisy-OR across them, less half of
/// what speaks against it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Confidence {
    /// Each cluster that speaks for it, with its strongest weight.
    pub supporting: Vec<Cluster>,
    /// Each cluster that speaks against it.
    pub contradicting: Vec<Cluster>,
    /// 1 - product(1 - weight) over the supporting clusters.
    pub combined: f64,
    /// Half the sum of the contradicting clusters' weights.
    pub penalty: f64,
    /// max(0, combined - penalty)
    pub confidence: f64,
    /// The same in words: `1 - (1 - 0.81)(1 - 0.63) = 0.93`.
    pub arithmetic: String,
}

/// Evidence that comes from one source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cluster {
    /// Its id.
    pub cluster: String,
    /// The strongest weight in it.
    pub weight: f64,
    /// How many pieces it has.
    pub pieces: u32,
}

/// A change of a claim's state.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct StateChange {
    /// From.
    pub from: ClaimState,
    /// To.
    pub to: ClaimState,
    /// Why: `evidence`, `extraction`, `conflict`, `resolution`, `supersession`, `refinement`, `redaction`, `user`, `undo`.
    pub cause: String,
    /// Who.
    pub actor_id: AgentId,
    /// When.
    pub changed_at: EpochMs,
}

/// A change of the time in which a claim is so; an end that is none is open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WindowChange {
    /// Its id.
    pub id: String,
    /// From and until when it was so before.
    pub from: (Option<EpochMs>, Option<EpochMs>),
    /// From and until when it is so after it.
    pub to: (Option<EpochMs>, Option<EpochMs>),
    /// Why: `told` by a source, `decision`, `undo`.
    pub cause: String,
    /// Who.
    pub actor_id: AgentId,
    /// When.
    pub changed_at: EpochMs,
}

/// Takes a claim back, or (`undo`) undoes that.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ClaimRetract {
    /// The claim.
    pub claim: ClaimId,
    /// Undoes the retraction.
    #[serde(default)]
    pub undo: bool,
}

/// Lists conflicts.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct ConflictsList {
    /// Name or id of the space; all readable ones where nothing is said.
    #[serde(default)]
    pub space: Option<String>,
    /// This one alone, whether it is open or decided; the rest but the space is left aside. None is listed where it is not there.
    #[serde(default)]
    pub conflict: Option<ConflictId>,
    /// `true` lists the decided ones, the latest first; else the open ones, the oldest first.
    #[serde(default)]
    pub resolved: bool,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 50 where nothing is said, 200 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Conflicts.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ConflictsListed {
    /// The conflicts.
    pub conflicts: Vec<Conflict>,
    /// How many there are in all.
    pub total: u64,
}

/// Two claims that cannot both stand.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Conflict {
    /// Its id.
    pub id: ConflictId,
    /// Why.
    pub conflict_type: ConflictType,
    /// Who found it.
    pub found_by: ConflictFinder,
    /// In a sentence: `Two sources disagree on when Ana was born.`
    pub summary: String,
    /// The first claim.
    pub claim_a: Claim,
    /// The second claim.
    pub claim_b: Claim,
    /// When it was found.
    pub detected_at: EpochMs,
    /// When it came up again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reopened_at: Option<EpochMs>,
    /// How it was decided; absent while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Resolution>,
    /// Its space.
    pub space_id: SpaceId,
}

/// A decision.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Resolution {
    /// What was decided.
    pub resolution_type: ResolutionType,
    /// Who decided.
    pub actor_id: AgentId,
    /// Their name.
    pub actor_name: String,
    /// Whether nobody had to decide: a source came or went, so that one side is no longer believed, or both can stand.
    pub by_itself: bool,
    /// When.
    pub resolved_at: EpochMs,
    /// What they said of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// Who took it back, where somebody did: the conflict is open again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone_by: Option<String>,
    /// When they did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone_at: Option<EpochMs>,
    /// Whether a source that was not heard before asked about the conflict again since.
    #[serde(default)]
    pub asked_again: bool,
}

/// Decides a conflict. It can be undone.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ConflictsResolve {
    /// The conflict.
    pub conflict: ConflictId,
    /// The decision. `manual_override` needs `value` or `windows`.
    pub resolution: ResolutionType,
    /// A remark.
    #[serde(default)]
    pub notes: Option<String>,
    /// With `manual_override`: what is right instead of both.
    #[serde(default)]
    pub value: Option<String>,
    /// With `manual_override`: both are right, at different times.
    #[serde(default)]
    pub windows: Option<Windows>,
    /// With `value`: from when that is so.
    #[serde(default)]
    pub valid_from: Option<String>,
    /// With `value`: until when.
    #[serde(default)]
    pub valid_until: Option<String>,
}

impl ConflictsResolve {
    /// A decision without a remark, a value or times.
    pub fn of(conflict: ConflictId, resolution: ResolutionType) -> Self {
        Self { conflict, resolution, notes: None, value: None, windows: None, valid_from: None, valid_until: None }
    }
}

/// When each of two claims was so; dates such as `2021-05-01`, `2021-05` or `2021`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Windows {
    /// The first claim: from.
    #[serde(default)]
    pub a_from: Option<String>,
    /// The first claim: until.
    #[serde(default)]
    pub a_until: Option<String>,
    /// The second claim: from.
    #[serde(default)]
    pub b_from: Option<String>,
    /// The second claim: until.
    #[serde(default)]
    pub b_until: Option<String>,
}

/// Undoes the decision of a conflict: it is open again, and both claims stand as before.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ConflictsReopen {
    /// The conflict.
    pub conflict: ConflictId,
}

/// An edge of the graph, which an asserted claim carries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Edge {
    /// From.
    pub source: EntityRef,
    /// The relation, as it reads from `source` to `target`.
    pub relation: String,
    /// To.
    pub target: EntityRef,
    /// The claim.
    pub claim_id: ClaimId,
    /// 0 to 1.
    pub confidence: f64,
    /// The claim's qualifiers.
    pub attributes: BTreeMap<String, String>,
    /// When it began to be so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<EpochMs>,
    /// When it ceased to be so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<EpochMs>,
    /// Steps from where the walk began.
    pub depth: u32,
}

/// Which way a walk goes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Along the edges.
    Out,
    /// Against them.
    In,
    /// Both.
    #[default]
    Both,
}

/// Walks the graph from an entity.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct GraphTraverse {
    /// Its id, or its name in the space.
    pub entity: String,
    /// Name or id of the space, where a name is given.
    #[serde(default)]
    pub space: Option<String>,
    /// At most so many steps: 2 where nothing is said, 6 at most.
    #[serde(default)]
    pub depth: Option<u32>,
    /// Which way.
    #[serde(default)]
    pub direction: Direction,
    /// Only these relations; all where empty.
    #[serde(default)]
    pub relations: Vec<String>,
    /// Only what was so at this time.
    #[serde(default)]
    pub as_of: Option<EpochMs>,
    /// Only what was known at this time, with the time that it was known with.
    #[serde(default)]
    pub known_at: Option<EpochMs>,
    /// Give at most so many edges; 200 where nothing is said, 1,000 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// A part of the graph.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct GraphTraversed {
    /// Where the walk began.
    pub start: EntityRef,
    /// The entities reached, the start among them.
    pub entities: Vec<EntityRef>,
    /// The edges walked, nearest first. No entity is passed twice on one way.
    pub edges: Vec<Edge>,
    /// Whether there was more than the limit allows.
    pub truncated: bool,
}

/// A kind of relation or attribute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PredicateInfo {
    /// Its name.
    pub name: String,
    /// How it reads: `works at`.
    pub phrase: String,
    /// Whether its object is an entity.
    pub relates: bool,
    /// Its name the other way round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inverse: Option<String>,
    /// How many may stand on each side.
    pub cardinality: Cardinality,
    /// What kind of value an attribute has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_kind: Option<ValueKind>,
}

/// Lists the predicates that are known.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct PredicatesList {
    /// Name or id of the space whose own ones are listed beside those that every space has; all readable ones where nothing
    /// is said.
    #[serde(default)]
    pub space: Option<String>,
}

/// The predicates that are known, by their names.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct PredicatesListed {
    /// The predicates.
    pub predicates: Vec<PredicateKnown>,
}

/// A predicate that is known.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct PredicateKnown {
    /// What it is.
    pub predicate: PredicateInfo,
    /// The space that defined it; none where every space has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<SpaceId>,
}

/// What ids are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IdsOf {
    /// Claims.
    Claims,
    /// Conflicts.
    Conflicts,
    /// Traces: an agent's own alone.
    Traces,
    /// Memories, by their own ids or those of the files that they stand for.
    Memories,
    /// Files, by their own ids.
    Artifacts,
    /// Whatever `memory_get` fetches by its id: memories, files, text views, passages, spaces and jobs.
    Things,
    /// What may be meant as `expected` of `recall_explain`: memories in whatever state and space, those that stand for files among them, by
    /// a part of an id, of a file's name or of words.
    Expected,
}

/// Finds what has an id that begins or ends so.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct IdsFind {
    /// Of what.
    pub of: IdsOf,
    /// The first or the last characters of the id, at least eight. What was made within a minute has the same first eight; the last are
    /// random. Of what is expected also a part of a file's name, or words: what is in use says one of them at least, and what is not, or is
    /// cold, has all of them, or parts of words, in its title or text; 2,000 characters at most.
    pub part: String,
}

/// What has such an id; at most ten. Of what is expected, of files, of what else is in use, and of what is not, at most five each, and as
/// many by their ids.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct IdsFound {
    /// The finds.
    pub found: Vec<IdFound>,
    /// Whether so much is out of use or cold that its newest alone was looked through for the words.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
}

/// What tells one that is expected from others that are called alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Expected {
    /// The space it lies in.
    pub space_id: SpaceId,
    /// What its file is; none of a note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modality: Option<Modality>,
    /// Its state.
    pub status: MemoryStatus,
    /// How near at hand it is.
    pub tier: Tier,
}

/// A claim, conflict, trace or thing by its id.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct IdFound {
    /// Its id.
    pub id: String,
    /// What it says; of a trace, what was asked, where that is kept; of a memory or file, what it is called, which agents are not told
    /// here; of one of several kinds of things, the kind as well (`passage: The ferry leaves`).
    pub says: String,
    /// What else is told of what is expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
}

/// Defines a relation or attribute of a space, or changes what it is. What is claimed with it already is looked at
/// again.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct PredicateDefine {
    /// Name or id of the space.
    pub space: String,
    /// The definition. A predefined name is refused.
    pub predicate: PredicateInfo,
    /// `true` changes the space's own definition of that name; else a name that is taken is refused.
    #[serde(default)]
    pub change: bool,
}
