//! `answer_traces`: how answers came about, for a while.

use crate::StoreResult;
use crate::ids::{has_part, new_id};
use crate::pairing::folded;
use crate::rejected::{Checked, Said, Says};
use rusqlite::{Connection, OptionalExtension, Row, params};
use um_model::traces::{Feedback, RecallTrace, TraceOutcome, TraceSummary, TracesList};
use um_model::{AgentId, EpochMs, MemoryId, PackId, SpaceId, TraceId};

/// A trace that is to be kept.
#[derive(Debug)]
pub struct NewTrace {
    /// Its id.
    pub id: TraceId,
    /// Its space.
    pub space: SpaceId,
    /// Who asked.
    pub actor: AgentId,
    /// How it ended.
    pub outcome: TraceOutcome,
    /// How the passages were found.
    pub recall: RecallTrace,
    /// When it was asked.
    pub created_at: EpochMs,
    /// When it goes by itself.
    pub expires_at: EpochMs,
}

impl Says for &NewTrace {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        let asked = &self.recall.asked;
        tell(Said::Text(&asked.query));
        let lists = [&asked.phrases, &asked.without, &asked.tags, &asked.from];
        lists.into_iter().flatten().for_each(|words| tell(Said::Text(words)));
    }
}

/// What becomes of what was said of an answer's worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// What was said before stays.
    Stays,
    /// It was worth that.
    Said(Feedback),
    /// What was said before is taken back: nothing is said.
    TakenBack,
}

/// What somebody says of an answer.
#[derive(Debug)]
pub struct Opinion<'a> {
    /// What it was worth.
    pub worth: Worth,
    /// What was answered; what was told before stays where nothing is said.
    pub answer: Option<&'a str>,
    /// What is right, where that is what is said.
    pub correction: Option<&'a str>,
}

impl Says for Opinion<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        [self.answer, self.correction].into_iter().flatten().for_each(|words| tell(Said::Text(words)));
    }
}

/// An id for a trace.
pub fn new_trace_id(now: EpochMs) -> StoreResult<TraceId> {
    Ok(TraceId::parse(new_id(now))?)
}

/// Keeps a trace.
///
/// # Errors
/// SQLite's.
pub fn insert(connection: &Connection, new: &Checked<&NewTrace>) -> StoreResult<i64> {
    Ok(connection
        .prepare_cached(
            "INSERT INTO answer_traces (id, space_id, actor_id, query, recall_trace, outcome, expires_at, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .insert(params![
            new.id.as_str(),
            new.space.as_str(),
            new.actor.as_str(),
            new.recall.asked.query,
            serde_json::to_string(&new.recall)?,
            new.outcome.as_str(),
            new.expires_at,
            new.created_at
        ])?)
}

const COLUMNS: &str =
    "t.id, t.query, t.space_id, t.actor_id, a.name, t.outcome, t.feedback_type, t.created_at, t.expires_at";

fn summary(row: &Row<'_>) -> StoreResult<TraceSummary> {
    let text = |at: usize| row.get::<_, String>(at);
    Ok(TraceSummary {
        id: TraceId::parse(text(0)?)?,
        query: text(1)?,
        space_id: SpaceId::parse(text(2)?)?,
        actor_id: AgentId::parse(text(3)?)?,
        actor_name: text(4)?,
        outcome: text(5)?.parse()?,
        feedback: row.get::<_, Option<String>>(6)?.map(|word| word.parse()).transpose()?,
        created_at: row.get(7)?,
        expires_at: row.get(8)?,
    })
}

/// A trace as it is kept.
#[derive(Debug)]
pub struct Kept {
    /// What is listed of it.
    pub summary: TraceSummary,
    /// How the passages were found; none where it was forgotten.
    pub recall: Option<RecallTrace>,
    /// The pack that it was put in.
    pub context: Option<PackId>,
    /// What was answered.
    pub answer: Option<String>,
    /// What is right.
    pub correction: Option<String>,
    /// Who said last what it was worth; none where nothing is said, or where it was said before that was kept.
    pub said_by: Option<AgentId>,
}

/// The trace of that id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &TraceId) -> StoreResult<Option<Kept>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS}, t.recall_trace, t.is_redacted,
               ifnull(t.compiled_context_id, (SELECT p.id FROM compiled_contexts p WHERE p.id = t.recall_trace ->> '$.pack')),
               t.answer, t.correction_text, t.recall_trace ->> '$.said_by'
             FROM answer_traces t JOIN agents a ON a.id = t.actor_id WHERE t.id = ?1"
        ))?
        .query_row([id.as_str()], |row| Ok(kept(row)))
        .optional()?
        .transpose()
}

fn kept(row: &Row<'_>) -> StoreResult<Kept> {
    let is_redacted: bool = row.get(10)?;
    let recall: String = row.get(9)?;
    Ok(Kept {
        summary: summary(row)?,
        recall: (!is_redacted).then(|| serde_json::from_str(&recall)).transpose()?,
        context: row.get::<_, Option<String>>(11)?.map(PackId::parse).transpose()?,
        answer: row.get(12)?,
        correction: row.get(13)?,
        said_by: row.get::<_, Option<String>>(14)?.map(AgentId::parse).transpose()?,
    })
}

/// Traces of some spaces, the newest first, at most `limit`; of `only` one space, and of one actor only, where they are given; none whose time
/// is over. Those of one space are of questions that were asked of it, or whose best passage is its own. A trace is listed where all the
/// spaces that it searched are among the given: that reads all that a trace tells, and by the index of the spaces every trace would be read
/// before the first is given. Those that have some words are looked for in what is kept, from the newest on.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    spaces: &[SpaceId],
    only: Option<&SpaceId>,
    actor: Option<&AgentId>,
    asked: &TracesList,
    (limit, now): (u32, EpochMs),
) -> StoreResult<Vec<TraceSummary>> {
    let words = asked.query.as_deref().map(folded).unwrap_or_default();
    let is_of_a_time = asked.since.is_some() || asked.until.is_some();
    connection
        .prepare_cached(&listing(only.is_some(), is_of_a_time))?
        .query_and_then(
            params![
                crate::filter::ids(spaces)?,
                actor.map(AgentId::as_str),
                asked.outcome.map(TraceOutcome::as_str),
                asked.with_feedback,
                asked.after.as_ref().map(TraceId::as_str),
                limit,
                only.map(SpaceId::as_str),
                now,
                asked.since.unwrap_or(EpochMs::MIN),
                asked.until.unwrap_or(EpochMs::MAX),
                serde_json::to_string(&words.split_whitespace().collect::<Vec<_>>())?
            ],
            summary,
        )?
        .collect()
}

/// The traces that are listed, of all the spaces or of the space `?7` alone, and of any time or of one from `?9` to `?10`: where something
/// is said of either, they are looked up by their numbers, which keeps the order.
fn listing(of_one: bool, of_a_time: bool) -> String {
    let among = match (of_one, of_a_time) {
        (false, false) => "?7 IS NULL",
        (false, true) => {
            "?7 IS NULL AND t.rid IN (SELECT rid FROM answer_traces INDEXED BY idx_traces_space
               WHERE space_id IN (SELECT value FROM json_each(?1)) AND created_at >= ?9 AND created_at < ?10)"
        }
        (true, _) => {
            "t.rid IN (SELECT rid FROM answer_traces WHERE space_id = ?7 AND created_at >= ?9 AND created_at < ?10
               UNION ALL SELECT rid FROM answer_traces
               WHERE recall_trace ->> '$.spaces[0]' = ?7 AND recall_trace ->> '$.asked.space' IS NOT NULL)"
        }
    };
    // The words are looked for before what a trace tells is read, which is far more.
    format!(
        "SELECT {COLUMNS} FROM answer_traces t JOIN agents a ON a.id = t.actor_id
         WHERE {among} AND +t.space_id IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR t.actor_id = ?2)
           AND (?3 IS NULL OR t.outcome = ?3) AND (?4 = 0 OR t.feedback_type IS NOT NULL)
           AND (?5 IS NULL OR t.rid < (SELECT rid FROM answer_traces WHERE id = ?5)) AND t.is_redacted = 0
           AND t.created_at >= ?9 AND t.created_at < ?10 AND ifnull(t.expires_at > ?8, 1)
           AND (?11 = '[]' OR NOT EXISTS (SELECT 1 FROM (SELECT folded_name(t.query) AS query) asked CROSS JOIN json_each(?11) w
             WHERE instr(asked.query, w.value) = 0))
           AND NOT EXISTS (SELECT 1 FROM json_each(t.recall_trace, '$.spaces') s
             WHERE s.value NOT IN (SELECT value FROM json_each(?1)))
         ORDER BY t.rid DESC LIMIT ?6"
    )
}

/// The traces whose ids begin or end so, at most `limit`, of those that are listed for some spaces and of one actor only, where one is given;
/// those among them that were forgotten, too, and none whose time is over.
///
/// # Errors
/// SQLite's.
pub fn with_part(
    connection: &Connection,
    spaces: &[SpaceId],
    actor: Option<&AgentId>,
    part: &str,
    (limit, now): (u32, EpochMs),
) -> StoreResult<Vec<TraceSummary>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM answer_traces t JOIN agents a ON a.id = t.actor_id
             WHERE {} AND +t.space_id IN (SELECT value FROM json_each(?1))
               AND (?3 IS NULL OR t.actor_id = ?3) AND ifnull(t.expires_at > ?5, 1) AND NOT EXISTS (SELECT 1 FROM json_each(t.recall_trace, '$.spaces') s
                 WHERE s.value NOT IN (SELECT value FROM json_each(?1)))
             ORDER BY t.id LIMIT ?4",
            has_part("t.id", "answer_traces")
        ))?
        .query_and_then(params![crate::filter::ids(spaces)?, part, actor.map(AgentId::as_str), limit, now], summary)?
        .collect()
}

/// Notes what somebody says of an answer, and who they are. A later opinion takes the place of an earlier one, and a later answer that of
/// an earlier one; what is right goes with the opinion that told it.
///
/// # Errors
/// SQLite's.
pub fn set_feedback(
    connection: &Connection,
    id: &TraceId,
    said: &Checked<Opinion<'_>>,
    by: &AgentId,
) -> StoreResult<()> {
    let feedback = match said.worth {
        Worth::Said(feedback) => Some(feedback.as_str()),
        Worth::Stays | Worth::TakenBack => None,
    };
    connection
        .prepare_cached(
            "UPDATE answer_traces SET feedback_type = iif(?5, feedback_type, ?2), answer = ifnull(?3, answer),
               correction_text = iif(?5, correction_text, ?4),
               recall_trace = CASE WHEN ?5 THEN recall_trace WHEN ?2 IS NULL THEN json_remove(recall_trace, '$.said_by')
                 ELSE json_set(recall_trace, '$.said_by', ?6) END
             WHERE id = ?1",
        )?
        .execute(params![
            id.as_str(),
            feedback,
            said.answer,
            said.correction,
            said.worth == Worth::Stays,
            by.as_str()
        ])?;
    Ok(())
}

/// Notes that what was found went into a pack of one of the spaces that were searched. A trace lies in the space of its best passage, and
/// its column leads to packs of that one alone (ruling 4): a pack of another space, over which that one lies, stands in what it tells.
///
/// # Errors
/// SQLite's.
pub fn went_into(connection: &Connection, id: &TraceId, pack: &PackId) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE answer_traces SET
               compiled_context_id = iif(p.space_id = answer_traces.space_id, p.id, NULL),
               recall_trace = iif(p.space_id = answer_traces.space_id, answer_traces.recall_trace,
                 json_set(answer_traces.recall_trace, '$.pack', p.id))
             FROM compiled_contexts p
             WHERE answer_traces.id = ?1 AND p.id = ?2 AND answer_traces.is_redacted = 0
               AND (p.space_id = answer_traces.space_id
                 OR p.space_id IN (SELECT value FROM json_each(answer_traces.recall_trace, '$.spaces')))",
        )?
        .execute(params![id.as_str(), pack.as_str()])?;
    Ok(())
}

/// The claims that rest on memories by their evidence: `(memory, claim)`.
///
/// # Errors
/// SQLite's.
pub fn resting(connection: &Connection, memories: &[MemoryId]) -> StoreResult<Vec<(String, String)>> {
    let ids: Vec<&str> = memories.iter().map(MemoryId::as_str).collect();
    Ok(connection
        .prepare_cached(
            "SELECT DISTINCT e.memory_id, e.claim_id FROM claim_evidence e JOIN claims c ON c.id = e.claim_id
             WHERE e.memory_id IN (SELECT value FROM json_each(?1)) AND c.state IN ('asserted', 'disputed')
             ORDER BY e.memory_id, c.rid",
        )?
        .query_map([serde_json::to_string(&ids)?], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?)
}

/// Keeps what is kept no longer than until then.
///
/// # Errors
/// SQLite's.
pub fn keep_until(connection: &Connection, at: EpochMs) -> StoreResult<()> {
    connection.prepare_cached("UPDATE answer_traces SET expires_at = ?1 WHERE expires_at > ?1")?.execute([at])?;
    Ok(())
}

/// How many traces are kept at most, those besides of which somebody said something.
#[derive(Debug, Clone, Copy)]
pub struct Most {
    /// All of them.
    pub all: u32,
    /// Those without words, of questions for which nothing was found.
    pub wordless: u32,
}

/// Drops what expired, and of the rest the oldest beyond `most`: first of those without words, so that they push out none that tell
/// more. Gives how many went.
///
/// # Errors
/// SQLite's.
pub fn expire(connection: &Connection, most: Most, now: EpochMs) -> StoreResult<usize> {
    let expired = connection.prepare_cached("DELETE FROM answer_traces WHERE expires_at <= ?1")?.execute([now])?;
    // A question may have no words and still be one, by its tags: what the trace holds tells, and is read of few.
    let wordless = connection
        .prepare_cached(
            "DELETE FROM answer_traces WHERE rid IN (
               SELECT rid FROM answer_traces WHERE query = '' AND feedback_type IS NULL AND recall_trace ->> '$.wordless' = 1
               ORDER BY rid DESC LIMIT -1 OFFSET ?1)",
        )?
        .execute([most.wordless])?;
    let beyond = connection
        .prepare_cached(
            "DELETE FROM answer_traces WHERE feedback_type IS NULL AND rid <= ifnull(
               (SELECT rid FROM answer_traces ORDER BY rid DESC LIMIT 1 OFFSET ?1), 0)",
        )?
        .execute([most.all])?;
    Ok(expired + wordless + beyond)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps a trace of each letter, with that as its number from 1 on: `w` without words, `q` with some, `t` of tags alone, in capitals
    /// where somebody said something of it. Gives the numbers of those that are left.
    fn left(kept: &str, all: u32, wordless: u32) -> Vec<i64> {
        let db = crate::migrate::migrated();
        for (at, kind) in (1_i64..).zip(kept.chars()) {
            let query = if kind.eq_ignore_ascii_case(&'q') { "where" } else { "" };
            let recall = if kind.eq_ignore_ascii_case(&'w') { r#"{"wordless":true}"# } else { "{}" };
            let feedback = kind.is_ascii_uppercase().then_some("negative");
            db.execute(
                "INSERT INTO answer_traces (rid, id, space_id, actor_id, query, recall_trace, outcome, feedback_type, expires_at, created_at)
                 VALUES (?1, 'trace ' || ?1, 'GLOBAL', (SELECT id FROM agents LIMIT 1), ?2, ?3, 'abstained', ?4, 9, 1)",
                params![at, query, recall, feedback],
            )
            .unwrap();
        }
        expire(&db, Most { all, wordless }, 2).unwrap();
        let mut statement = db.prepare("SELECT rid FROM answer_traces ORDER BY rid").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn traces_are_looked_up_in_their_order() {
        let check = |(of_one, of_a_time), steps: &[&str]| {
            let plan = crate::migrate::plan(&crate::migrate::migrated(), &listing(of_one, of_a_time));
            for step in steps {
                assert!(plan.contains(step), "{step}: {plan}");
            }
            assert!(!plan.contains("SCAN answer_traces") && !plan.contains("B-TREE"), "{plan}");
        };
        let by_number = "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)";
        let in_time = "idx_traces_space (space_id=? AND created_at>? AND created_at<?)";
        // From the newest on, as far as the page needs.
        check((false, false), &["SCAN t", "SEARCH a USING"]);
        check((false, true), &[by_number, in_time]);
        for of_a_time in [false, true] {
            check((true, of_a_time), &[by_number, in_time, "idx_traces_asked (<expr>=?)"]);
        }
    }

    #[test]
    fn traces_without_words_push_out_no_others() {
        let check = |kept: &str, (all, wordless): (u32, u32), expected: &[i64]| {
            assert_eq!(left(kept, all, wordless), expected, "{kept}");
        };
        check("qqwwww", (4, 2), &[1, 2, 5, 6]);
        check("qWwwqw", (9, 1), &[1, 2, 5, 6]);
        check("tttww", (9, 1), &[1, 2, 3, 5]);
        check("qQqqw", (2, 2), &[2, 4, 5]);
    }
}
