//! `claim_evidence`: exact quotes, with all that a citation and a confidence need of their source.

use crate::filter::Then;
use crate::memories::UNTOLD;
use crate::parts::Text;
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use um_model::belief::{EvidencePolarity, ExtractionMethod};
use um_model::{
    AgentId, ArtifactId, ClaimId, EntityId, EpochMs, EvidenceId, MemoryId, SegmentId, SpaceId, Utf16Span, ViewId,
    ViewType,
};

/// The text that a quote is taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A memory's own words.
    Memory(MemoryId),
    /// A text view, and the segment that the quote stands in.
    View(ViewId, Option<SegmentId>),
}

/// A piece of evidence to be kept.
#[derive(Debug, Clone)]
pub struct NewEvidence {
    /// What it speaks for or against.
    pub claim: ClaimId,
    /// Its space.
    pub space: SpaceId,
    /// Where the quote is from.
    pub source: Source,
    /// The exact words.
    pub quote: String,
    /// Where they stand.
    pub span: Utf16Span,
    /// SHA-256 of what makes it this piece and no other.
    pub source_hash: String,
    /// SHA-256 of the quote.
    pub span_hash: String,
    /// For or against.
    pub polarity: EvidencePolarity,
    /// How sure the finder is.
    pub confidence: f64,
    /// Who found it.
    pub method: ExtractionMethod,
    /// The source, as [`lineage`] names it now.
    pub cluster: String,
    /// When it was said.
    pub observed_at: EpochMs,
    /// Whether nothing tells when that was, not even that somebody states it now.
    pub untold: bool,
    /// Who says that the words say so.
    pub actor: AgentId,
    /// Evidence that it was inferred from.
    pub derived_from: Vec<EvidenceId>,
}

/// Adds a piece of evidence; `None` where the claim has it already. One that was kept without saying anything for or
/// against speaks again.
///
/// # Errors
/// SQLite's.
pub fn insert(connection: &Connection, new: &NewEvidence, now: EpochMs) -> StoreResult<Option<EvidenceId>> {
    let id = new_id(now);
    let (memory, view, segment) = match &new.source {
        Source::Memory(id) => (Some(id.as_str()), None, None),
        Source::View(id, segment) => (None, Some(id.as_str()), segment.as_ref().map(SegmentId::as_str)),
    };
    let derived: Vec<&str> = new.derived_from.iter().map(EvidenceId::as_str).collect();
    let derived = if derived.is_empty() { None } else { Some(serde_json::to_string(&derived)?) };
    let source_type = if derived.is_some() { "inference" } else { "direct" };
    let made = connection
        .prepare_cached(
            "INSERT INTO claim_evidence (id, claim_id, memory_id, derived_text_view_id, segment_id, space_id,
               extracted_text, start_offset, end_offset, source_hash, span_hash, polarity, confidence,
               extraction_method, source_type, derived_from, cluster_id, observed_at, recorded_at, actor_id, untold)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
             ON CONFLICT (claim_id, source_hash) DO UPDATE SET polarity = excluded.polarity, spare = NULL,
               confidence = excluded.confidence, extraction_method = excluded.extraction_method, untold = excluded.untold
               WHERE claim_evidence.polarity = 'neutral'
             RETURNING id",
        )?
        .query_row(
            params![
                id,
                new.claim.as_str(),
                memory,
                view,
                segment,
                new.space.as_str(),
                new.quote,
                new.span.start,
                new.span.end,
                new.source_hash,
                new.span_hash,
                new.polarity.as_str(),
                new.confidence.clamp(0.0, 1.0),
                new.method.as_str(),
                source_type,
                derived,
                new.cluster,
                new.observed_at,
                now,
                new.actor.as_str(),
                new.untold
            ],
            |row| row.get::<_, String>(0),
        )
        .optional()?;
    Ok(made.map(EvidenceId::parse).transpose()?)
}

/// Keeps a piece that speaks as a spare one, which says nothing until [`let_speak`].
///
/// # Errors
/// SQLite's.
pub fn set_spare(connection: &Connection, id: &EvidenceId) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE claim_evidence SET spare = polarity, polarity = 'neutral' WHERE id = ?1 AND polarity <> 'neutral'",
        )?
        .execute([id.as_str()])?;
    Ok(())
}

/// Lets a spare piece speak.
///
/// # Errors
/// SQLite's.
pub fn let_speak(connection: &Connection, id: &EvidenceId) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE claim_evidence SET polarity = spare, spare = NULL WHERE id = ?1 AND spare IS NOT NULL")?
        .execute([id.as_str()])?;
    Ok(())
}

/// Whether a source that is in use speaks for a claim: a supporting piece of evidence weighs something.
///
/// # Errors
/// SQLite's.
pub fn is_supported(connection: &Connection, claim: &ClaimId) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(&format!("SELECT 1 {SOURCES} WHERE e.claim_id = ?1 AND {} AND {IN_USE}", supports()))?
        .exists([claim.as_str()])?)
}

/// Those of some claims that are [supported](is_supported): one statement for all.
///
/// # Errors
/// SQLite's.
pub fn supported(connection: &Connection, claims: &[&ClaimId]) -> StoreResult<BTreeSet<ClaimId>> {
    connection
        .prepare_cached(&format!(
            "SELECT wanted.value FROM json_each(?1) wanted WHERE EXISTS
               (SELECT 1 {SOURCES} WHERE e.claim_id = wanted.value AND {} AND {IN_USE})",
            supports()
        ))?
        .query_and_then([serde_json::to_string(claims)?], |row| Ok(ClaimId::parse(row.get::<_, String>(0)?)?))?
        .collect()
}

/// Gives something of a source `m` on which a claim `c` rested then and which is out of use by now: the claim may have been believed by
/// that; of several, the one that left first. Whether a source was in use is what [recall](crate::filter) goes by. The times stand where
/// the parameters of those names are bound.
pub(crate) fn rested(gives: &str, then: Then, as_of: &str, known_at: &str) -> String {
    format!(
        "SELECT {gives} {SOURCES} WHERE e.claim_id = c.id AND {} AND {TEXT_IN_USE}
           AND m.status NOT IN ('active', 'consolidated', 'archived') AND {}
           ORDER BY m.status_changed_at, m.rid LIMIT 1",
        supports(),
        then.in_use(as_of, known_at)
    )
}

/// The condition that all sources of a claim `c` came in another one's place since a day: none was in use on that day, and of each something
/// was that it replaced, be it several versions ago. What stands behind the claim as it says less tells it as well; what the person stated
/// took nothing's place. The times stand where the parameters of those names are bound.
pub(crate) fn came_instead(then: Then, as_of: &str, known_at: &str) -> String {
    let was_in_use = then.in_use(as_of, known_at);
    let speaks = match then.known_at {
        Some(_) => format!("({IN_USE} OR {})", Then { as_of: None, ..then }.in_use("NULL", known_at)),
        None => IN_USE.to_owned(),
    };
    // All versions of one thing have its key. What is listed is so of the source `m`; outside of the list that is what stood there.
    let stood = format!(
        "EXISTS (SELECT 1 FROM (SELECT o.rid AS other FROM memories o
             WHERE o.space_id = m.space_id AND o.memory_key = m.memory_key AND o.rid <> m.rid
             UNION ALL SELECT o.rid FROM memories o WHERE o.id = m.supersedes_id)
           CROSS JOIN memories m ON m.rid = other WHERE {was_in_use})"
    );
    // What is spare today says so all the same.
    let rests_on = |condition: &str| {
        format!(
            "EXISTS (SELECT 1 {SOURCES} WHERE e.claim_id IN (SELECT own.id FROM claims own WHERE own.id = c.id
                 UNION ALL SELECT less.id FROM claims less WHERE less.superseded_by_id = c.id AND less.state = 'superseded')
               AND ifnull(e.spare, e.polarity) = 'supporting' AND {INTACT} AND m.source_type <> 'consolidation'
               AND {TEXT_IN_USE} AND e.recorded_at <= ifnull({known_at}, e.recorded_at) AND ({condition}))"
        )
    };
    let stated = format!("e.extraction_method = 'user' AND e.actor_id = '{}'", um_model::ids::OWNER_AGENT);
    let stays = rests_on(&format!("{speaks} AND ({stated} OR NOT {stood}) OR {was_in_use}"));
    format!("(NOT {stays} AND {})", rests_on(&speaks))
}

/// A quote that an extractor found in a text of a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quoted {
    /// The evidence.
    pub id: EvidenceId,
    /// The claim that it supports.
    pub claim: ClaimId,
    /// The view that it stands in; none for the memory's own words.
    pub view: Option<ViewId>,
    /// Where it stands.
    pub span: Utf16Span,
    /// Who found it.
    pub method: ExtractionMethod,
}

/// What the rules and language models found in the texts of a memory that supports claims.
///
/// # Errors
/// SQLite's.
pub fn read_in(connection: &Connection, memory: &MemoryId) -> StoreResult<Vec<Quoted>> {
    connection
        .prepare_cached(
            "SELECT id, claim_id, derived_text_view_id, start_offset, end_offset, extraction_method FROM claim_evidence
             WHERE extraction_method IN ('rule', 'llm') AND ifnull(spare, polarity) = 'supporting' AND is_redacted = 0 AND rid IN (
               SELECT rid FROM claim_evidence WHERE memory_id = ?1
               UNION SELECT e.rid FROM memories m
                 JOIN derived_text_views v ON v.artifact_id = m.primary_artifact_id
                 JOIN claim_evidence e ON e.derived_text_view_id = v.id WHERE m.id = ?1)
             ORDER BY rid",
        )?
        .query_and_then([memory.as_str()], |row| {
            Ok(Quoted {
                id: EvidenceId::parse(row.get::<_, String>(0)?)?,
                claim: ClaimId::parse(row.get::<_, String>(1)?)?,
                view: row.get::<_, Option<String>>(2)?.map(ViewId::parse).transpose()?,
                span: Utf16Span::new(row.get(3)?, row.get(4)?),
                method: row.get::<_, String>(5)?.parse()?,
            })
        })?
        .collect()
}

/// A quote for a claim of an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOf {
    /// The evidence.
    pub id: EvidenceId,
    /// The claim that it supports.
    pub claim: ClaimId,
    /// The words.
    pub quote: String,
    /// Who found it.
    pub method: ExtractionMethod,
    /// The memory that its text leads to.
    pub memory: MemoryId,
}

/// What was found or stated since a time that supports a space's claims of an entity.
///
/// # Errors
/// SQLite's.
pub fn read_of(
    connection: &Connection,
    space: &SpaceId,
    entity: &EntityId,
    since: EpochMs,
) -> StoreResult<Vec<ReadOf>> {
    connection
        .prepare_cached(&format!(
            "SELECT e.id, e.claim_id, e.extracted_text, e.extraction_method, m.id {SOURCES}
               JOIN claims c ON c.id = e.claim_id
             WHERE (c.entity_id = ?1 OR c.target_entity_id = ?1) AND +c.space_id = ?2 AND c.is_redacted = 0
               AND e.recorded_at >= ?3
               AND ifnull(e.spare, e.polarity) = 'supporting' AND e.is_redacted = 0 ORDER BY e.rid"
        ))?
        .query_and_then(params![entity.as_str(), space.as_str(), since], |row| {
            Ok(ReadOf {
                id: EvidenceId::parse(row.get::<_, String>(0)?)?,
                claim: ClaimId::parse(row.get::<_, String>(1)?)?,
                quote: row.get(2)?,
                method: row.get::<_, String>(3)?.parse()?,
                memory: MemoryId::parse(row.get::<_, String>(4)?)?,
            })
        })?
        .collect()
}

/// Gives a piece of evidence to another claim, unless that has it already. Gives whether it did.
///
/// # Errors
/// SQLite's.
pub fn give_to(connection: &Connection, id: &EvidenceId, claim: &ClaimId) -> StoreResult<bool> {
    let moved = connection
        .prepare_cached(
            "UPDATE claim_evidence AS e SET claim_id = ?2 WHERE id = ?1 AND NOT EXISTS
               (SELECT 1 FROM claim_evidence b WHERE b.claim_id = ?2 AND b.source_hash = e.source_hash)",
        )?
        .execute([id.as_str(), claim.as_str()])?;
    Ok(moved > 0)
}

/// Keeps a piece of evidence as words that speak neither for their claim nor against it.
///
/// # Errors
/// SQLite's.
pub fn set_neutral(connection: &Connection, id: &EvidenceId) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE claim_evidence SET polarity = 'neutral', spare = NULL WHERE id = ?1")?
        .execute([id.as_str()])?;
    Ok(())
}

/// Keeps when the sources in use that speak for a claim said so first and last, as far as anything tells, and who they are
/// ([`Telling`](um_model::claims::Telling)). Where none speaks, what was known stays.
///
/// # Errors
/// SQLite's.
pub fn keep_times(connection: &Connection, claim: &ClaimId) -> StoreResult<()> {
    let said = said();
    connection
        .prepare_cached(&format!(
            "UPDATE claims SET first_said_at = said.first, last_said_at = said.last, heard_at = said.heard,
               voice_id = said.voice, stated_at = coalesce(said.by_owner, iif(said.voice IS NULL, NULL, said.stated))
             FROM (SELECT min({said}) AS first, max({said}) AS last, max(e.recorded_at) AS heard,
                 iif(min(e.actor_id) = max(e.actor_id), min(e.actor_id), NULL) AS voice,
                 max(iif(e.extraction_method = 'user' AND e.actor_id = ?2, e.recorded_at, NULL)) AS by_owner,
                 max(iif(e.extraction_method = 'user', e.recorded_at, NULL)) AS stated {SOURCES}
               WHERE e.claim_id = ?1 AND e.polarity = 'supporting' AND {INTACT} AND {IN_USE}) said
             WHERE id = ?1 AND said.heard IS NOT NULL
               AND (first_said_at IS NOT said.first OR last_said_at IS NOT said.last OR heard_at IS NOT said.heard
                 OR voice_id IS NOT said.voice
                 OR stated_at IS NOT coalesce(said.by_owner, iif(said.voice IS NULL, NULL, said.stated)))"
        ))?
        .execute([claim.as_str(), um_model::ids::OWNER_AGENT])?;
    Ok(())
}

/// The pieces that speak which a claim got since a time.
///
/// # Errors
/// SQLite's.
pub fn recorded_since(connection: &Connection, claim: &ClaimId, since: EpochMs) -> StoreResult<BTreeSet<EvidenceId>> {
    connection
        .prepare_cached(
            "SELECT id FROM claim_evidence WHERE claim_id = ?1 AND recorded_at >= ?2 AND polarity <> 'neutral'",
        )?
        .query_and_then(params![claim.as_str(), since], |row| Ok(EvidenceId::parse(row.get::<_, String>(0)?)?))?
        .collect()
}

/// Whether a claim has supporting evidence that was not blacked out, whatever became of its source.
///
/// # Errors
/// SQLite's.
pub fn has_support(connection: &Connection, claim: &ClaimId) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM claim_evidence WHERE claim_id = ?1 AND polarity = 'supporting' AND is_redacted = 0",
        )?
        .exists([claim.as_str()])?)
}

/// Those of some claims that nobody but a language model read in what supports them; where a time is given, in what had come in by then.
///
/// # Errors
/// SQLite's.
pub fn only_of_model(
    connection: &Connection,
    claims: &[ClaimId],
    known_at: Option<EpochMs>,
) -> StoreResult<BTreeSet<ClaimId>> {
    let ids = serde_json::to_string(&claims.iter().map(ClaimId::as_str).collect::<Vec<_>>())?;
    connection
        .prepare_cached(ONLY_OF_MODEL)?
        .query_and_then(params![ids, known_at.unwrap_or(EpochMs::MAX)], |row| {
            Ok(ClaimId::parse(row.get::<_, String>(0)?)?)
        })?
        .collect()
}

/// The claims `?1` that a language model alone read by the time `?2`.
const ONLY_OF_MODEL: &str = "SELECT wanted.value FROM json_each(?1) wanted
  WHERE EXISTS (SELECT 1 FROM claim_evidence e WHERE e.claim_id = wanted.value AND e.polarity = 'supporting'
      AND e.is_redacted = 0 AND e.recorded_at <= ?2)
    AND NOT EXISTS (SELECT 1 FROM claim_evidence e WHERE e.claim_id = wanted.value AND e.polarity = 'supporting'
      AND e.is_redacted = 0 AND e.recorded_at <= ?2 AND e.extraction_method <> 'llm')";

/// A piece of evidence with its source.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its id.
    pub id: EvidenceId,
    /// Its claim.
    pub claim: ClaimId,
    /// Its space.
    pub space: SpaceId,
    /// Where the quote is from.
    pub source: Source,
    /// The memory that the source leads to.
    pub memory: MemoryId,
    /// The file.
    pub artifact: Option<ArtifactId>,
    /// Whether that is a source of its own: the person brought it in, or a folder holds it that a space watches.
    pub in_file: bool,
    /// The words.
    pub quote: String,
    /// Where they stand.
    pub span: Utf16Span,
    /// SHA-256 of the words.
    pub span_hash: String,
    /// For or against.
    pub polarity: EvidencePolarity,
    /// How sure the finder was.
    pub confidence: f64,
    /// Who found it.
    pub method: ExtractionMethod,
    /// Its source: pieces of one cluster come from one source. A derived piece is of the origin that speaks of the
    /// claim itself, else of its first one.
    pub cluster: String,
    /// Whether the memory was made of others (`memory_derivations`).
    pub derived: bool,
    /// Whether the memory is nothing but what `actor` stated outright.
    pub stated: bool,
    /// `ok`, `moved` or `missing`.
    pub drift: String,
    /// Whether it was blacked out.
    pub redacted: bool,
    /// The trust that `actor` has in the space.
    pub trust: f64,
    /// `observation`, `inference`, `consolidation` or `user_input`.
    pub source_type: String,
    /// The reader's quality; 1 for native text.
    pub quality: f64,
    /// Whether the memory and, for a view, the view and its file are in use.
    pub in_use: bool,
    /// Whether the memory or its file was removed.
    pub removed: bool,
    /// The memory's title or the file's name.
    pub title: Option<String>,
    /// What the source is.
    pub modality: String,
    /// How the text came about.
    pub view_type: Option<ViewType>,
    /// Who says that the words say so.
    pub actor: AgentId,
    /// That agent's name.
    pub actor_name: String,
    /// The name of the one whose words they are.
    pub author_name: String,
    /// When it was said, as the evidence has it; before all times where nothing tells.
    pub observed_at: EpochMs,
    /// When it was said, where known.
    pub occurred_at: Option<EpochMs>,
    /// When the memory was recorded.
    pub recorded_at: EpochMs,
    /// When the piece came in: words of an old memory may be quoted today.
    pub heard_at: EpochMs,
}

/// Evidence with its memory, its view and their file.
const SOURCES: &str = "FROM claim_evidence e
  LEFT JOIN derived_text_views v ON v.id = e.derived_text_view_id
  JOIN memories m ON m.id = coalesce(e.memory_id,
    (SELECT id FROM memories WHERE primary_artifact_id = v.artifact_id LIMIT 1))
  LEFT JOIN artifacts f ON f.id = m.primary_artifact_id
  JOIN agents g ON g.id = e.actor_id";

/// Whether the memory and, for a view, the view and its file are in use.
const IN_USE: &str = "(m.status IN ('active', 'consolidated', 'archived') AND ifnull(v.status, 'active') = 'active'
    AND ifnull(f.status, 'active') = 'active')";

/// The same of a view and its file alone.
const TEXT_IN_USE: &str = "(ifnull(v.status, 'active') = 'active' AND ifnull(f.status, 'active') = 'active')";

/// Whether a piece speaks for its claim and weighs something, as long as its source is in use.
fn supports() -> String {
    format!(
        "e.polarity = 'supporting' AND {INTACT} AND m.source_type <> 'consolidation' AND e.confidence > 0 AND {TRUST} > 0
           AND ifnull(v.quality, 1.0) > 0"
    )
}

/// Whether a file `f` speaks for itself rather than for the agent that brought it in.
fn speaks_for_itself(file: &str) -> String {
    format!(
        "({file}.id IS NOT NULL AND ({file}.actor_id = '{owner}' OR ifnull({file}.metadata ->> '$.of_person', 0)
           OR EXISTS (SELECT 1 FROM watched_files h WHERE h.artifact_id = {file}.id)))",
        owner = um_model::ids::OWNER_AGENT
    )
}

/// Whether the words of a memory stand in a file that speaks for itself: the person brought it in, or a watched folder
/// holds it.
///
/// # Errors
/// SQLite's.
pub fn is_in_file(connection: &Connection, memory: &MemoryId) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(&format!(
            "SELECT 1 FROM memories m JOIN artifacts f ON f.id = m.primary_artifact_id WHERE m.id = ?1 AND {}",
            speaks_for_itself("f")
        ))?
        .exists([memory.as_str()])?)
}

/// Whether the words of a piece are there, where they were or elsewhere in their text.
const INTACT: &str = "(e.is_redacted = 0 AND e.drift_status <> 'missing')";

/// The trust that whoever says so has in the space.
const TRUST: &str = "ifnull((SELECT p.trust_weight FROM space_memberships p WHERE p.space_id = e.space_id
    AND p.agent_id = e.actor_id), g.default_trust_weight)";

/// When a piece was said; none where nothing tells. Whoever states a fact by such words says so when they do; whoever copies
/// them says nothing.
fn said() -> String {
    format!("iif(e.untold, NULL, iif({UNTOLD}, iif(e.extraction_method = 'user', e.recorded_at, NULL), e.observed_at))")
}

/// When words were said of which nothing tells: as early as can be, so that nothing was said after any day by them.
const UNKNOWN: EpochMs = EpochMs::MIN;

/// What the agent is called that said first what a claim says, where in the sources in use nobody but agents says so. What is read in a file
/// that speaks for itself, no agent says.
///
/// # Errors
/// SQLite's.
pub fn only_of_agents(connection: &Connection, claim: &ClaimId) -> StoreResult<Option<String>> {
    let first: Option<(String, bool)> = connection
        .prepare_cached(&format!(
            "SELECT g.name, g.agent_type = 'ai' AND (e.extraction_method = 'user' OR NOT {}) AS is_of_agent {SOURCES}
             WHERE e.claim_id = ?1 AND e.polarity = 'supporting' AND {INTACT} AND {IN_USE}
             ORDER BY is_of_agent, e.rid LIMIT 1",
            speaks_for_itself("f")
        ))?
        .query_row([claim.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    Ok(first.and_then(|(name, is_agent)| is_agent.then_some(name)))
}

/// Every column that [`found`] reads.
fn selected() -> String {
    format!(
        "SELECT e.id, e.claim_id, e.space_id, e.memory_id, e.derived_text_view_id, e.segment_id, m.id,
           m.primary_artifact_id, e.extracted_text, e.start_offset, e.end_offset, e.span_hash, e.polarity, e.confidence,
           e.extraction_method, m.memory_key, e.drift_status, e.is_redacted, {TRUST}, m.source_type,
           ifnull(v.quality, 1.0), {IN_USE}, ifnull(m.title, f.original_filename), ifnull(f.modality, m.modality),
           v.view_type, g.id, g.name, ifnull({}, {UNKNOWN}), iif({UNTOLD}, NULL, m.occurred_at),
           m.created_at, w.name,
           EXISTS (SELECT 1 FROM memory_derivations d WHERE d.derived_memory_id = m.id),
           m.status = 'deleted' OR ifnull(f.status, 'active') = 'deleted',
           e.extraction_method = 'user' AND EXISTS (SELECT 1 FROM evidence_events s WHERE s.space_id = m.space_id
             AND s.recorded_at = m.created_at AND +s.kind = 'explicit_memory' AND s.content = m.content
             AND s.metadata -> '$.told' IS NULL), e.recorded_at,
           {}
         {SOURCES} JOIN agents w ON w.id = m.actor_id",
        said(),
        speaks_for_itself("f")
    )
}

fn found(row: &Row<'_>) -> StoreResult<Found> {
    let text = |at: usize| row.get::<_, Option<String>>(at);
    let source = match (text(3)?, text(4)?) {
        (Some(memory), _) => Source::Memory(MemoryId::parse(memory)?),
        (None, view) => {
            Source::View(ViewId::parse(view.unwrap_or_default())?, text(5)?.map(SegmentId::parse).transpose()?)
        }
    };
    let (space, memory, artifact): (String, String, Option<String>) = (row.get(2)?, row.get(6)?, text(7)?);
    Ok(Found {
        id: EvidenceId::parse(row.get::<_, String>(0)?)?,
        claim: ClaimId::parse(row.get::<_, String>(1)?)?,
        cluster: cluster(&space, text(15)?.as_deref(), artifact.as_deref(), &memory),
        space: SpaceId::parse(space)?,
        source,
        memory: MemoryId::parse(memory)?,
        artifact: artifact.map(ArtifactId::parse).transpose()?,
        in_file: row.get(35)?,
        quote: row.get(8)?,
        span: Utf16Span::new(row.get(9)?, row.get(10)?),
        span_hash: row.get(11)?,
        polarity: row.get::<_, String>(12)?.parse()?,
        confidence: row.get(13)?,
        method: row.get::<_, String>(14)?.parse()?,
        drift: row.get(16)?,
        redacted: row.get(17)?,
        trust: row.get(18)?,
        source_type: row.get(19)?,
        quality: row.get(20)?,
        in_use: row.get(21)?,
        title: text(22)?,
        modality: row.get(23)?,
        view_type: text(24)?.map(|word| word.parse()).transpose()?,
        actor: AgentId::parse(row.get::<_, String>(25)?)?,
        actor_name: row.get(26)?,
        observed_at: row.get(27)?,
        occurred_at: row.get(28)?,
        recorded_at: row.get(29)?,
        author_name: row.get(30)?,
        derived: row.get(31)?,
        removed: row.get(32)?,
        stated: row.get(33)?,
        heard_at: row.get(34)?,
    })
}

/// Names the source that a memory's texts come from, so that its versions, its pages and its passages count as one
/// (ruling 27), wherever its file was moved to since.
fn cluster(space: &str, key: Option<&str>, artifact: Option<&str>, memory: &str) -> String {
    match (key, artifact) {
        // A key may be a path or a person's words; what is shown tells neither.
        (Some(key), _) => format!("{:x}", Sha256::digest(format!("{space}\0{key}")))[..32].to_owned(),
        (None, Some(artifact)) => artifact.to_owned(),
        (None, None) => memory.to_owned(),
    }
}

/// The clusters of memories: each one's own, or those of the memories that it was made of in the end.
fn clusters(connection: &Connection, memories: &BTreeSet<&str>) -> StoreResult<BTreeMap<String, Vec<String>>> {
    let mut clusters: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut statement = connection.prepare_cached(
        "WITH RECURSIVE up(memory, origin) AS (
           SELECT value, value FROM json_each(?1)
           UNION SELECT up.memory, d.source_memory_id FROM up JOIN memory_derivations d ON d.derived_memory_id = up.origin)
         SELECT up.memory, m.space_id, m.memory_key, m.primary_artifact_id, m.id FROM up JOIN memories m ON m.id = up.origin
         WHERE NOT EXISTS (SELECT 1 FROM memory_derivations d WHERE d.derived_memory_id = m.id)
         ORDER BY up.memory, m.rid",
    )?;
    let mut rows = statement.query([serde_json::to_string(memories)?])?;
    while let Some(row) = rows.next()? {
        let text = |at: usize| row.get::<_, Option<String>>(at);
        let (space, id): (String, String) = (row.get(1)?, row.get(4)?);
        let origin = cluster(&space, text(2)?.as_deref(), text(3)?.as_deref(), &id);
        clusters.entry(row.get(0)?).or_default().push(origin);
    }
    Ok(clusters)
}

/// The sources that a memory's words come from: itself, or the origins that it was made of, the oldest first.
///
/// # Errors
/// SQLite's.
pub fn lineage(connection: &Connection, memory: &MemoryId) -> StoreResult<Vec<String>> {
    let mut found = clusters(connection, &BTreeSet::from([memory.as_str()]))?;
    Ok(found.remove(memory.as_str()).filter(|origins| !origins.is_empty()).unwrap_or_else(|| vec![memory.to_string()]))
}

/// Puts derived pieces into the clusters of their origins.
fn trace(connection: &Connection, mut found: Vec<Found>) -> StoreResult<Vec<Found>> {
    let derived: BTreeSet<&str> =
        found.iter().filter(|piece| piece.derived).map(|piece| piece.memory.as_str()).collect();
    if derived.is_empty() {
        return Ok(found);
    }
    let origins = clusters(connection, &derived)?;
    let said: BTreeSet<(ClaimId, String)> = found
        .iter()
        .filter(|piece| !piece.derived && piece.in_use && !piece.redacted && piece.drift != "missing")
        .map(|piece| (piece.claim.clone(), piece.cluster.clone()))
        .collect();
    for piece in found.iter_mut().filter(|piece| piece.derived) {
        let Some(origins) = origins.get(piece.memory.as_str()) else { continue };
        let says_it = |origin: &&String| said.contains(&(piece.claim.clone(), (*origin).clone()));
        if let Some(origin) = origins.iter().find(says_it).or(origins.first()) {
            piece.cluster = origin.clone();
        }
    }
    Ok(found)
}

/// The evidence of those claims that is no spare, by claim and in the order of its coming; of a claim at most the newest
/// `limit` pieces.
///
/// # Errors
/// SQLite's.
pub fn of_claims(connection: &Connection, claims: &[ClaimId], limit: u32) -> StoreResult<Vec<Found>> {
    let ids = serde_json::to_string(&claims.iter().map(ClaimId::as_str).collect::<Vec<_>>())?;
    connection
        .prepare_cached(&format!(
            "{} JOIN json_each(?1) wanted ON wanted.value = e.claim_id
             WHERE e.rid IN (SELECT rid FROM claim_evidence WHERE claim_id = wanted.value AND spare IS NULL
               ORDER BY rid DESC LIMIT ?2)
             ORDER BY wanted.key, e.rid",
            selected()
        ))?
        .query_and_then(params![ids, limit], found)?
        .collect::<StoreResult<_>>()
        .and_then(|found| trace(connection, found))
}

/// The same of another time: of what had come in by then and whose sources were in use then.
///
/// # Errors
/// SQLite's.
pub fn of_claims_then(connection: &Connection, claims: &[ClaimId], then: Then, limit: u32) -> StoreResult<Vec<Found>> {
    let ids = serde_json::to_string(&claims.iter().map(ClaimId::as_str).collect::<Vec<_>>())?;
    connection
        .prepare_cached(&of_then(then))?
        .query_and_then(params![ids, limit, then.as_of, then.known_at], found)?
        .collect::<StoreResult<_>>()
        .and_then(|found| trace(connection, found))
}

/// Reads the evidence of the claims `?1`, of each the newest `?2` pieces of the time `?3`, as was known at `?4`.
fn of_then(then: Then) -> String {
    format!(
        "{} JOIN json_each(?1) wanted ON wanted.value = e.claim_id
         WHERE e.rid IN (SELECT e.rid {SOURCES} WHERE e.claim_id = wanted.value AND e.spare IS NULL AND {TEXT_IN_USE}
           AND e.recorded_at <= ifnull(?4, e.recorded_at) AND {} ORDER BY e.rid DESC LIMIT ?2)
         ORDER BY wanted.key, e.rid",
        selected(),
        then.in_use("?3", "?4")
    )
}

/// The text that a row's quote is from, and where it stands there: of the columns `memory_id, derived_text_view_id, start_offset,
/// end_offset`, the first ones.
fn place(row: &Row<'_>) -> StoreResult<(Text, Utf16Span)> {
    let text = match (row.get::<_, Option<String>>(0)?, row.get::<_, Option<String>>(1)?) {
        (Some(memory), _) => Text::Memory(MemoryId::parse(memory)?),
        (None, view) => Text::View(ViewId::parse(view.unwrap_or_default())?),
    };
    Ok((text, Utf16Span::new(row.get(2)?, row.get(3)?)))
}

/// The quotes that speak of a claim, for or against it, each with its text and where it stands there: at most the newest `limit`. None
/// that was blacked out.
///
/// # Errors
/// SQLite's.
pub fn quotes_of(connection: &Connection, claim: &ClaimId, limit: u32) -> StoreResult<Vec<(Text, Utf16Span, String)>> {
    connection
        .prepare_cached(
            "SELECT memory_id, derived_text_view_id, start_offset, end_offset, extracted_text FROM claim_evidence
             WHERE claim_id = ?1 AND is_redacted = 0 ORDER BY rid DESC LIMIT ?2",
        )?
        .query_and_then(params![claim.as_str(), limit], |row| {
            let (text, span) = place(row)?;
            Ok((text, span, row.get(4)?))
        })?
        .collect()
}

/// The text that a quote is from, and where it stands there.
///
/// # Errors
/// SQLite's.
pub fn place_of(connection: &Connection, id: &EvidenceId) -> StoreResult<Option<(Text, Utf16Span)>> {
    connection
        .prepare_cached(
            "SELECT memory_id, derived_text_view_id, start_offset, end_offset FROM claim_evidence
             WHERE id = ?1 AND is_redacted = 0",
        )?
        .query_and_then([id.as_str()], place)?
        .next()
        .transpose()
}

/// The spare pieces of a claim, in the order of their coming; at most 2,000.
///
/// # Errors
/// SQLite's.
pub fn spares_of(connection: &Connection, claim: &ClaimId) -> StoreResult<Vec<Found>> {
    connection
        .prepare_cached(&format!(
            "{} WHERE e.claim_id = ?1 AND e.spare IS NOT NULL ORDER BY e.rid LIMIT 2000",
            selected()
        ))?
        .query_and_then([claim.as_str()], found)?
        .collect::<StoreResult<_>>()
        .and_then(|found| trace(connection, found))
}

/// The claims that have evidence from a memory or from any text of its file.
///
/// # Errors
/// SQLite's.
pub fn claims_of_memory(connection: &Connection, memory: &MemoryId) -> StoreResult<Vec<ClaimId>> {
    connection
        .prepare_cached(
            "SELECT claim_id FROM claim_evidence WHERE memory_id = ?1
             UNION SELECT e.claim_id FROM memories m
               JOIN derived_text_views v ON v.artifact_id = m.primary_artifact_id
               JOIN claim_evidence e ON e.derived_text_view_id = v.id WHERE m.id = ?1",
        )?
        .query_and_then([memory.as_str()], |row| Ok(ClaimId::parse(row.get::<_, String>(0)?)?))?
        .collect()
}

/// Evidence after `after`, in the order of its coming, with its rid: for going through all of it in steps.
///
/// # Errors
/// SQLite's.
pub fn page(connection: &Connection, after: i64, limit: u32) -> StoreResult<Vec<(i64, Found)>> {
    let rids: Vec<i64> = connection
        .prepare_cached("SELECT rid FROM claim_evidence WHERE rid > ?1 AND is_redacted = 0 ORDER BY rid LIMIT ?2")?
        .query_map(params![after, limit], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let found: Vec<Found> = connection
        .prepare_cached(&format!("{} WHERE e.rid IN (SELECT value FROM json_each(?1)) ORDER BY e.rid", selected()))?
        .query_and_then([serde_json::to_string(&rids)?], found)?
        .collect::<StoreResult<_>>()?;
    Ok(rids.into_iter().zip(found).collect())
}

/// Keeps where a quote stands now, or that it is gone.
///
/// # Errors
/// SQLite's.
pub fn set_drift(connection: &Connection, id: &EvidenceId, span: Option<Utf16Span>, drift: &str) -> StoreResult<()> {
    connection.execute(
        "UPDATE claim_evidence SET drift_status = ?2, start_offset = ifnull(?3, start_offset),
           end_offset = ifnull(?4, end_offset) WHERE id = ?1",
        params![id.as_str(), drift, span.map(|s| s.start), span.map(|s| s.end)],
    )?;
    Ok(())
}

/// Moves a claim's evidence to another claim, and gives the ids of what moved. Pieces that the other one has
/// already stay.
///
/// # Errors
/// SQLite's.
pub fn move_to(connection: &Connection, from: &ClaimId, to: &ClaimId) -> StoreResult<Vec<EvidenceId>> {
    connection
        .prepare(
            "UPDATE claim_evidence AS e SET claim_id = ?2 WHERE claim_id = ?1 AND NOT EXISTS
               (SELECT 1 FROM claim_evidence b WHERE b.claim_id = ?2 AND b.source_hash = e.source_hash) RETURNING id",
        )?
        .query_and_then([from.as_str(), to.as_str()], |row| Ok(EvidenceId::parse(row.get::<_, String>(0)?)?))?
        .collect()
}

/// Lets those pieces of a claim speak that say nothing any more, where another claim has the same words and they do speak
/// there. Gives their ids.
///
/// # Errors
/// SQLite's.
pub fn speak_as(connection: &Connection, claim: &ClaimId, other: &ClaimId) -> StoreResult<Vec<EvidenceId>> {
    connection
        .prepare_cached(
            "UPDATE claim_evidence AS e SET polarity = o.polarity FROM claim_evidence o
             WHERE e.claim_id = ?1 AND e.polarity = 'neutral' AND e.spare IS NULL AND e.is_redacted = 0
               AND o.claim_id = ?2 AND o.source_hash = e.source_hash AND o.polarity <> 'neutral' RETURNING id",
        )?
        .query_and_then([claim.as_str(), other.as_str()], |row| Ok(EvidenceId::parse(row.get::<_, String>(0)?)?))?
        .collect()
}

/// Gives pieces of evidence back to a claim: the reverse of [`move_to`].
///
/// # Errors
/// SQLite's.
pub fn return_to(connection: &Connection, claim: &ClaimId, ids: &[EvidenceId]) -> StoreResult<()> {
    let ids = serde_json::to_string(&ids.iter().map(EvidenceId::as_str).collect::<Vec<_>>())?;
    connection.execute(
        "UPDATE claim_evidence SET claim_id = ?1 WHERE id IN (SELECT value FROM json_each(?2))",
        params![claim.as_str(), ids],
    )?;
    Ok(())
}

/// The claims for or against which an actor's words stand, everywhere or in a space.
///
/// # Errors
/// SQLite's.
pub fn claims_of_actor(connection: &Connection, actor: &AgentId, space: Option<&SpaceId>) -> StoreResult<Vec<ClaimId>> {
    connection
        .prepare_cached(
            "SELECT DISTINCT claim_id FROM claim_evidence WHERE actor_id = ?1 AND (?2 IS NULL OR space_id = ?2)",
        )?
        .query_and_then(rusqlite::params![actor.as_str(), space.map(SpaceId::as_str)], |row| {
            Ok(ClaimId::parse(row.get::<_, String>(0)?)?)
        })?
        .collect()
}
