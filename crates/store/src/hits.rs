//! What recall needs of the units that it found: their neighbourhood, and everything that leads back to
//! their source. One query each, whatever their number.

use crate::filter::{Then, UNIT_DATED};
use crate::memories::UNTOLD;
use crate::{StoreResult, briefs, conflicts, envelope, fts, spaces, tags};
use rusqlite::{Connection, params};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;
use um_model::envelope::Envelope;
use um_model::{AgentId, ArtifactId, EpochMs, MemoryId, SegmentId, SpaceId, UnitId, Utf16Span, ViewId, ViewType};

/// A unit with its words, and where it stands among others.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Passage {
    /// `text_units.rid`: those of one thread are in the order in which they came; see [`Places`].
    pub rid: i64,
    /// Its id.
    pub unit: String,
    /// Its space.
    pub space: String,
    /// The memory it leads to.
    pub memory: String,
    /// What it is told in: the session of its memory, or the memory itself where it has none.
    pub thread: String,
    /// When that happened, where anything tells.
    pub occurred_at: Option<EpochMs>,
    /// When it is dated, as filters have it: by when that happened, as far as anything tells, be it that a file was last changed then; else
    /// by when it was recorded.
    pub dated: EpochMs,
    /// Where in its text the mail of a mailbox begins that it is of, in UTF-16 units; none where it is of no mailbox.
    pub mail: Option<i64>,
    /// Whether that mail says for itself when it was sent: then it is dated by that alone, and not as its mailbox is.
    pub is_dated_alone: bool,
    /// Whether nobody confirmed it for long.
    pub is_stale: bool,
    /// Whether the person says that it is so.
    pub is_verified: bool,
    /// -1 to 1: how much more its memory matters than one of which nothing is said.
    pub importance: f64,
    /// -1 to 0: how much less whoever brought its memory in is trusted there than agents are.
    pub trust: f64,
    /// Its memory's title, such as a file's name, and the headings above it.
    pub name: String,
    /// Its words, as the full text index has them.
    pub text: String,
}

/// When what a unit `u` of a memory `m`, of a file `f` or none, tells happened, where anything says so: that a file was last changed then
/// does not. Each mail of a mailbox says it for itself.
fn happened() -> String {
    format!("ifnull(u.mail_sent_at, iif(m.occurred_at IS NULL OR {UNTOLD}, NULL, m.occurred_at))")
}

/// Units in use, by their rids, without their words; of `past`, also where they are out of use. How much their memories matter, how sure they
/// are and how far whoever brought them in is trusted is as it is now: none of these is kept as it was.
///
/// # Errors
/// SQLite's.
pub fn passages(connection: &Connection, rids: &[i64], past: &[i64]) -> StoreResult<HashMap<i64, Passage>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT u.rid, u.owner_memory_id, u.id, u.space_id, {}, m.confidence_label = 'stale',
                CASE WHEN m.session_id IS NULL THEN m.id ELSE m.space_id || ' ' || m.session_id END,
                ifnull(m.title, '') || char(10) || ifnull(u.heading_path, ''),
                m.confidence_label = 'verified', m.importance, m.actor_id, u.mail_start, u.mail_sent_at IS NOT NULL, {UNIT_DATED}
         FROM json_each(?1) given CROSS JOIN text_units u ON u.rid = given.value
         CROSS JOIN memories m ON m.id = u.owner_memory_id LEFT JOIN artifacts f ON f.id = m.primary_artifact_id
         WHERE u.status = 'active' AND m.status = 'active' OR u.rid IN (SELECT value FROM json_each(?2))",
        happened()
    ))?;
    let mut rows = statement.query([serde_json::to_string(rids)?, serde_json::to_string(past)?])?;
    let (mut found, mut trusted) = (HashMap::with_capacity(rids.len()), Trusted::default());
    while let Some(row) = rows.next()? {
        let space: String = row.get(3)?;
        let actor = row.get_ref(10)?.as_str().map_err(rusqlite::Error::from)?;
        let trust = trusted.look_up(connection, &space, actor)?;
        let passage = Passage {
            rid: row.get(0)?,
            memory: row.get(1)?,
            unit: row.get(2)?,
            occurred_at: row.get(4)?,
            is_stale: row.get(5)?,
            thread: row.get(6)?,
            name: row.get(7)?,
            is_verified: row.get(8)?,
            importance: 2.0 * row.get::<_, f64>(9)? - 1.0,
            trust: (trust / spaces::AGENT_TRUST - 1.0).min(0.0),
            mail: row.get(11)?,
            is_dated_alone: row.get(12)?,
            dated: row.get(13)?,
            space,
            text: String::new(),
        };
        found.insert(passage.rid, passage);
    }
    Ok(found)
}

/// How far those who brought something in are trusted, each looked up once in a space: they are few.
#[derive(Default)]
struct Trusted(Vec<(SpaceId, AgentId, f64)>);

impl Trusted {
    fn look_up(&mut self, connection: &Connection, space: &str, actor: &str) -> StoreResult<f64> {
        let known = self.0.iter().find(|(in_space, who, _)| in_space.as_str() == space && who.as_str() == actor);
        if let Some((_, _, trust)) = known {
            return Ok(*trust);
        }
        let (space, actor) = (SpaceId::parse(space)?, AgentId::parse(actor)?);
        let trust = briefs::trust(connection, &space, &actor)?;
        self.0.push((space, actor, trust));
        Ok(trust)
    }
}

/// Those of some units that are a file's name and nothing else: words find them, and they never have a vector.
///
/// # Errors
/// SQLite's.
pub fn names_alone(connection: &Connection, rids: &[i64]) -> StoreResult<HashSet<i64>> {
    Ok(connection
        .prepare_cached(
            "SELECT u.rid FROM json_each(?1) given CROSS JOIN text_units u ON u.rid = given.value
             CROSS JOIN derived_text_views v ON v.id = u.text_view_id WHERE v.view_type = 'metadata_text'",
        )?
        .query_map([serde_json::to_string(rids)?], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// A passage of more UTF-16 units than this says more than what was decided against in it.
const SHORT: usize = 400;

/// Those of some units that are short and say little else than a fact that the person took back or decided against by a time: it is half
/// of them at least, and no other fact of theirs is believed. One statement for all.
///
/// # Errors
/// SQLite's.
pub fn decided_against(connection: &Connection, rids: &[i64], by: EpochMs) -> StoreResult<HashSet<i64>> {
    Ok(connection
        .prepare_cached(&OUT_ALONE)?
        .query_map(params![serde_json::to_string(rids)?, by], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// [`out_alone`], made once.
static OUT_ALONE: LazyLock<String> = LazyLock::new(out_alone);

/// Finds them among the units ?1, as of ?2.
fn out_alone() -> String {
    let said = |source: &str, text: &str| {
        format!(
            "SELECT u.rid, u.end_offset - u.start_offset AS length, e.claim_id AS claim,
               min(e.end_offset, u.end_offset) - max(e.start_offset, u.start_offset) AS told
             FROM json_each(?1) given CROSS JOIN text_units u ON u.rid = given.value
             CROSS JOIN claim_evidence e ON e.{source} = u.{text}
             WHERE u.end_offset - u.start_offset <= {SHORT} AND {} AND {} AND {}",
            conflicts::any_out("u.space_id"),
            briefs::SUPPORTS,
            briefs::IN_PASSAGE
        )
    };
    format!(
        "SELECT rid FROM (
           SELECT s.rid, s.length, s.told, c.state IN ('asserted', 'disputed') AS is_believed, {} AS is_out
           FROM ({} UNION ALL {}) s CROSS JOIN claims c ON c.id = s.claim)
         GROUP BY rid HAVING NOT max(is_believed) AND 2 * max(iif(is_out, told, 0)) >= max(length)",
        conflicts::decided_against("?2"),
        said("memory_id", "memory_id"),
        said("derived_text_view_id", "text_view_id")
    )
}

/// Units so many places away are looked up.
const AROUND: usize = 2;

/// Where units stand among those of their [thread](Passage::thread). Rids are shared by all: beside a unit may stand one of another
/// thread or space, or a gap where one was, and none of these may tell.
#[derive(Debug, Default)]
pub struct Places(HashMap<i64, [Option<i64>; 2 * AROUND]>);

impl Places {
    /// Looks up the neighbours of units, but of those in the middle of their session, and of those that it knows: one statement for all.
    /// Where recall asks for them, that is of the best, and of those whose thread has several among what was found.
    ///
    /// # Errors
    /// SQLite's.
    pub fn look_up(&mut self, connection: &Connection, rids: &[i64]) -> StoreResult<()> {
        let rids: Vec<i64> = rids.iter().copied().filter(|rid| !self.0.contains_key(rid)).collect();
        let mut statement = connection.prepare_cached(&AROUND_EACH)?;
        let mut rows = statement.query([serde_json::to_string(&rids)?])?;
        while let Some(row) = rows.next()? {
            let rid: i64 = row.get(0)?;
            self.0.insert(rid, nearest(rid, serde_json::from_str(&row.get::<_, String>(1)?)?));
        }
        Ok(())
    }

    /// The unit that stands so many places, two at most, after another one, or before it where that is less than 0. Beside one that
    /// was not looked up it may be of another thread.
    pub fn beside(&self, rid: i64, step: i64) -> Option<i64> {
        let Some(around) = self.0.get(&rid) else { return Some(rid + step) };
        let at = AROUND as i64 + step - i64::from(step > 0);
        usize::try_from(at).ok().and_then(|at| *around.get(at)?)
    }
}

/// [`around`], made once.
static AROUND_EACH: LazyLock<String> = LazyLock::new(around);

/// Those of the units `?1` around which, [`AROUND`] places away, there are others than of their session, each with those of its thread
/// that are nearest before and after it. A session's memories came in the order of their units, but where a file was cut again; and as each
/// has a unit, the nearest [`AROUND`] of them on each side have all that are looked for, beside the unit's own.
fn around() -> String {
    // Out of use or not: each keeps its place. Both indexes end with the rid.
    let units = |memory: &str, is: &str, order: &str| {
        format!(
            "SELECT rid FROM text_units INDEXED BY idx_units_owner WHERE owner_memory_id = {memory}
               AND rid {is} u.rid ORDER BY rid {order} LIMIT {AROUND}"
        )
    };
    let of_memory = |is: &str, order: &str| format!("SELECT rid FROM ({})", units("m.id", is, order));
    let of_session = |is: &str, order: &str| {
        format!(
            "SELECT n.rid FROM (SELECT id FROM memories INDEXED BY idx_memories_session WHERE space_id = m.space_id
               AND session_id = m.session_id AND rid {is}= m.rid ORDER BY rid {order} LIMIT {AROUND} + 1) o
             CROSS JOIN text_units n ON n.rid IN ({})",
            units("o.id", is, order)
        )
    };
    format!(
        "SELECT u.rid, CASE WHEN m.session_id IS NULL
           THEN (SELECT json_group_array(rid) FROM ({} UNION ALL {}))
           ELSE (SELECT json_group_array(rid) FROM ({} UNION ALL {})) END
         FROM json_each(?1) given CROSS JOIN text_units u ON u.rid = given.value
         CROSS JOIN memories m ON m.id = u.owner_memory_id
         WHERE m.session_id IS NULL OR (SELECT count(*) FROM text_units n CROSS JOIN memories o ON o.id = n.owner_memory_id
           WHERE n.rid BETWEEN u.rid - {AROUND} AND u.rid + {AROUND} AND +n.space_id = u.space_id
             AND o.session_id = m.session_id) <= 2 * {AROUND}",
        of_memory("<", "DESC"),
        of_memory(">", "ASC"),
        of_session("<", "DESC"),
        of_session(">", "ASC")
    )
}

/// The nearest of some units on both sides of one, in their order.
fn nearest(rid: i64, mut found: Vec<i64>) -> [Option<i64>; 2 * AROUND] {
    found.sort_unstable();
    let here = found.partition_point(|other| *other < rid);
    std::array::from_fn(|at| found.get((here + at).checked_sub(AROUND)?).copied())
}

/// Adds the words of passages: from the index of their space, where they stand in whole, or cut from their source.
///
/// # Errors
/// SQLite's.
pub fn add_texts(connection: &Connection, found: &mut HashMap<i64, Passage>) -> StoreResult<()> {
    let mut by_space: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    found.values().for_each(|one| by_space.entry(one.space.clone()).or_default().push(one.rid));
    for (space, rids) in by_space {
        for (rid, text) in fts::texts(connection, &SpaceId::parse(space)?, &rids)? {
            found.entry(rid).and_modify(|one| one.text = text);
        }
    }
    let missing: Vec<i64> = found.values().filter(|one| one.text.is_empty()).map(|one| one.rid).collect();
    for unit in crate::units::texts(connection, &missing)? {
        found.entry(unit.rid).and_modify(|one| one.text = unit.text);
    }
    Ok(())
}

/// A unit with the chain to its source.
#[derive(Debug, Clone)]
pub struct Found {
    /// `text_units.rid`
    pub rid: i64,
    /// The unit.
    pub unit: UnitId,
    /// Its space.
    pub space: SpaceId,
    /// The space's name.
    pub space_name: String,
    /// The memory it leads to.
    pub memory: MemoryId,
    /// The view it is cut from.
    pub view: Option<ViewId>,
    /// The segment it stands in.
    pub segment: Option<SegmentId>,
    /// The file.
    pub artifact: Option<ArtifactId>,
    /// Where in the source text.
    pub span: Utf16Span,
    /// The headings above it.
    pub heading_path: Option<String>,
    /// The memory's title: a file's name.
    pub title: Option<String>,
    /// The memory's tags.
    pub tags: Vec<String>,
    /// What the source is.
    pub modality: String,
    /// How the text came about.
    pub view_type: Option<ViewType>,
    /// What read it.
    pub extractor: Option<String>,
    /// How sure the reader was.
    pub quality: Option<f64>,
    /// Who brought it in.
    pub actor: AgentId,
    /// That agent's name.
    pub actor_name: String,
    /// When it happened, where anything tells.
    pub occurred_at: Option<EpochMs>,
    /// When it was recorded.
    pub recorded_at: EpochMs,
    /// Until when it was so, where it is out of use now.
    pub valid_to: Option<EpochMs>,
    /// Its memory's envelope.
    pub envelope: Envelope,
}

/// The chains of units to their sources.
///
/// # Errors
/// SQLite's.
pub fn found(connection: &Connection, rids: &[i64]) -> StoreResult<Vec<Found>> {
    connection
        .prepare_cached(&format!(
            "SELECT u.rid, u.id, u.space_id, s.name, u.owner_memory_id, u.text_view_id, u.segment_id,
                    m.primary_artifact_id, u.start_offset, u.end_offset, u.heading_path, m.title, ifnull(f.modality, m.modality),
                    v.view_type, v.extractor_id, v.quality, m.actor_id, a.name, {happened}, m.created_at,
                    (SELECT json_group_array(name) FROM (SELECT t.name FROM item_tags i JOIN tags t ON t.id = i.tag_id
                       WHERE i.item_type = 'memory' AND i.item_id = m.id ORDER BY t.name)), iif(m.status = 'active', NULL, m.valid_to), {}
             FROM text_units u JOIN memories m ON m.id = u.owner_memory_id
             JOIN memory_spaces s ON s.id = u.space_id JOIN agents a ON a.id = m.actor_id
             LEFT JOIN derived_text_views v ON v.id = u.text_view_id
             LEFT JOIN artifacts f ON f.id = m.primary_artifact_id
             WHERE u.rid IN (SELECT value FROM json_each(?1))",
            envelope::COLUMNS,
            happened = happened()
        ))?
        .query_and_then([serde_json::to_string(rids)?], |row| {
            let text = |at: usize| row.get::<_, Option<String>>(at);
            Ok(Found {
                rid: row.get(0)?,
                unit: UnitId::parse(row.get::<_, String>(1)?)?,
                space: SpaceId::parse(row.get::<_, String>(2)?)?,
                space_name: row.get(3)?,
                memory: MemoryId::parse(row.get::<_, String>(4)?)?,
                view: text(5)?.map(ViewId::parse).transpose()?,
                segment: text(6)?.map(SegmentId::parse).transpose()?,
                artifact: text(7)?.map(ArtifactId::parse).transpose()?,
                span: Utf16Span::new(row.get(8)?, row.get(9)?),
                heading_path: row.get(10)?,
                title: row.get(11)?,
                tags: serde_json::from_str(&row.get::<_, String>(20)?)?,
                modality: row.get(12)?,
                view_type: text(13)?.map(|word| word.parse()).transpose()?,
                extractor: row.get(14)?,
                quality: row.get(15)?,
                actor: AgentId::parse(row.get::<_, String>(16)?)?,
                actor_name: row.get(17)?,
                occurred_at: row.get(18)?,
                recorded_at: row.get(19)?,
                valid_to: row.get(21)?,
                envelope: envelope::envelope(row, 22)?,
            })
        })?
        .collect()
}

/// The tags of memories as of another time than now, in the order of the alphabet: those that a filter by tags counts then.
///
/// # Errors
/// SQLite's.
pub fn tags_then(
    connection: &Connection,
    memories: &[&MemoryId],
    then: Then,
) -> StoreResult<HashMap<MemoryId, Vec<String>>> {
    let memories: Vec<&str> = memories.iter().map(|memory| memory.as_str()).collect();
    let mut statement = connection.prepare_cached(&of_then(""))?;
    let mut rows = statement.query(params![serde_json::to_string(&memories)?, then.as_of, then.known_at])?;
    let mut tags: HashMap<MemoryId, Vec<String>> = HashMap::new();
    while let Some(row) = rows.next()? {
        tags.entry(MemoryId::parse(row.get::<_, String>(0)?)?).or_default().push(row.get(1)?);
    }
    Ok(tags)
}

/// Reads them of the memories ?1, as of ?2, as was known at ?3; of those that are on them now, which `only`.
fn of_then(only: &str) -> String {
    let [on, taken_off] = tags::counts("?2", "?3");
    let of = |table: &str, when: &str| {
        format!(
            "SELECT i.item_id, t.name FROM json_each(?1) given
             CROSS JOIN {table} i ON i.item_type = 'memory' AND i.item_id = given.value CROSS JOIN tags t ON t.id = i.tag_id
             WHERE {when}"
        )
    };
    let on = of("item_tags", &format!("{on}{only}"));
    format!("{on} UNION {} ORDER BY 2", of("past_item_tags", &taken_off))
}

/// The tags that somebody attached to memories, as of a time those that a filter by tags counts then: what the classifier found stands in
/// their words. Of a tag that was taken off it is not kept who had attached it. One statement for all.
///
/// # Errors
/// SQLite's.
pub fn tags_attached(
    connection: &Connection,
    memories: &[&str],
    then: Then,
) -> StoreResult<HashMap<String, Vec<String>>> {
    let mut statement = connection.prepare_cached(&ATTACHED_THEN)?;
    let mut rows = statement.query(params![serde_json::to_string(memories)?, then.as_of, then.known_at])?;
    let mut tags: HashMap<String, Vec<String>> = HashMap::new();
    while let Some(row) = rows.next()? {
        tags.entry(row.get(0)?).or_default().push(row.get(1)?);
    }
    Ok(tags)
}

/// Reads those alone, as [`of_then`] does.
static ATTACHED_THEN: LazyLock<String> = LazyLock::new(|| of_then(ATTACHED));

/// That somebody attached a tag `i`.
const ATTACHED: &str = " AND i.by_classifier = 0";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::{migrated, plan, scanned};

    #[test]
    fn the_nearest_on_both_sides_are_steps_away() {
        let check = |found: &[i64], expected: [Option<i64>; 4]| {
            let places = Places(HashMap::from([(10, nearest(10, found.to_vec()))]));
            let steps = [-2, -1, 1, 2].map(|step| places.beside(10, step));
            assert_eq!(steps, expected, "{found:?}");
        };
        check(&[], [None; 4]);
        check(&[8, 9, 11, 12], [Some(8), Some(9), Some(11), Some(12)]);
        // As each memory gives its own two, in any order.
        check(&[7, 3, 9, 1, 15, 30, 11, 12], [Some(7), Some(9), Some(11), Some(12)]);
        check(&[9, 20], [None, Some(9), Some(20), None]);
        check(&[20, 30, 40], [None, None, Some(20), Some(30)]);
        check(&[1, 2], [Some(1), Some(2), None, None]);
        // Around one that was not looked up stand the next ones; further away nobody looks.
        let places = Places(HashMap::from([(10, nearest(10, vec![9, 11]))]));
        assert_eq!([-2, -1, 1, 2].map(|step| places.beside(20, step)), [18, 19, 21, 22].map(Some));
        assert_eq!([-3, 3].map(|step| places.beside(10, step)), [None, None]);
    }

    #[test]
    fn tags_are_looked_up_by_their_memories() {
        let plan_of = |statement: &str| plan(&migrated(), statement);
        let of_now = "SEARCH i USING INDEX sqlite_autoindex_item_tags_2 (item_type=? AND item_id=?)";
        let taken_off = "SEARCH i USING INDEX idx_past_item_tags_item (item_type=? AND item_id=?)";
        for only in ["", ATTACHED] {
            let plan = plan_of(&of_then(only));
            assert!(plan.contains(of_now) && plan.contains(taken_off), "{plan}");
        }
    }

    #[test]
    fn what_says_only_what_was_decided_against_is_looked_up_by_its_evidence() {
        let plan = plan(&migrated(), &out_alone());
        for step in [
            "SEARCH u USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH o USING COVERING INDEX idx_claims_space_state (space_id=? AND state=?)",
            "SEARCH e USING INDEX idx_evidence_memory (memory_id=?)",
            "SEARCH e USING INDEX idx_evidence_view (derived_text_view_id=?)",
            "SEARCH c USING INDEX sqlite_autoindex_claims_1 (id=?)",
            "USING COVERING INDEX idx_claim_history_claim (claim_id=?)",
        ] {
            assert!(plan.contains(step), "{step}: {plan}");
        }
        // What is given, and what was found of it, and no table.
        assert_eq!(scanned(&plan), ["CONSTANT", "given", "s"], "{plan}");
    }

    #[test]
    fn neighbours_are_looked_up_by_their_memory_or_session() {
        let db = migrated();
        let plan = plan(&db, &around());
        let check = |step: &str, times: usize| assert_eq!(plan.matches(step).count(), times, "{step}: {plan}");
        for is in ["<", ">"] {
            check(&format!("text_units USING COVERING INDEX idx_units_owner (owner_memory_id=? AND rowid{is}?)"), 2);
            check(&format!("USING INDEX idx_memories_session (space_id=? AND session_id=? AND rowid{is}?)"), 1);
        }
        check("SEARCH n USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)", 1);
        check("SCAN text_units", 0);
        check("SCAN memories", 0);
        check("B-TREE", 0);
    }
}
