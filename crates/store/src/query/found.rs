//! Which entries of a level fit a question, as rids: in their order, or the best for some words. What an answer costs follows from
//! how many are wanted, not from how many fit.

use super::sql::{COUNTED, Sql, Tags};
use crate::entries::{self, Place};
use crate::fts::table::{self, Fitting, Kind};
use crate::fts::then;
use crate::{StoreResult, tags};
use rusqlite::types::Value;
use rusqlite::{Connection, params};
use um_model::work::{EntryBody, EntryCategory, EntryType, ItemType};
use um_model::{EpochMs, SessionId};

/// What bears a tag is sorted where it is no more than this; otherwise the list is walked in its order, and soon comes by enough.
pub(super) const FEW: usize = 500;

/// So much of a level's list is walked through for what was written anew since the time that is asked of.
const WALKED: usize = 50_000;

/// Which entries are asked for.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Those of this level.
    pub at: Place<'a>,
    /// Without those that one of these levels has by the same type and name.
    pub nearer: &'a [Place<'a>],
    /// Of these types.
    pub types: &'a [EntryType],
    /// Only about this.
    pub category: Option<EntryCategory>,
    /// Those out of use as well.
    pub inactive: bool,
    /// Only those that were there at this time; in use then.
    pub as_of: Option<EpochMs>,
    /// With these tags.
    pub tags: &'a Tags,
}

/// Where the time that is asked of is bound.
const AS_OF: &str = "?3";

/// Where they are looked for.
pub(super) enum Among<'a> {
    /// In the list of the level, in its order, so far.
    Listed(Option<usize>),
    /// Among what bears one of these tags.
    Bearing(&'a [String]),
    /// Among these, in that order.
    Given(&'a [i64]),
}

/// When they were last written, beside the time that is asked of.
#[derive(Debug, Clone, Copy)]
pub(super) enum Written {
    /// Before it: what they say now, they said then.
    Before,
    /// Since.
    Since,
}

/// The best of them by priority and time, at most `limit`.
///
/// # Errors
/// SQLite's.
pub fn best(connection: &Connection, wanted: &Wanted<'_>, limit: usize) -> StoreResult<Vec<i64>> {
    best_of(connection, wanted, (limit, FEW))
}

pub(super) fn best_of(
    connection: &Connection,
    wanted: &Wanted<'_>,
    (limit, few): (usize, usize),
) -> StoreResult<Vec<i64>> {
    // A session has few of its own, and a tag tells that what bears it is of some session, not of which.
    let rarest = if wanted.at.session.is_some() { None } else { wanted.rarest(connection)? };
    let Some((bearing, tags)) = rarest else { return wanted.find(connection, &Among::Listed(None), None, limit) };
    if bearing == 0 {
        return Ok(Vec::new());
    }
    if bearing > few {
        // Where what fits is rarer than its tags are, the walk is given up.
        let found = wanted.find(connection, &Among::Listed(Some(bearing)), None, limit)?;
        if found.len() == limit {
            return Ok(found);
        }
    }
    wanted.find(connection, &Among::Bearing(tags), None, limit)
}

/// Those of some rids, in that order.
///
/// # Errors
/// SQLite's.
pub fn fitting(connection: &Connection, wanted: &Wanted<'_>, rids: &[i64]) -> StoreResult<Vec<i64>> {
    wanted.find(connection, &Among::Given(rids), None, rids.len())
}

/// Those that say one of some words, or said it at the time that is asked of, the best first by BM25, at most `limit`; of `given` alone
/// where that is. What was written anew since is compared as it was then.
///
/// # Errors
/// SQLite's; a malformed expression among them.
pub fn saying(
    connection: &Connection,
    wanted: &Wanted<'_>,
    (expression, given): (&str, Option<Vec<i64>>),
    limit: usize,
) -> StoreResult<Fitting> {
    let then = wanted.said_then(connection, expression, given.as_deref())?;
    Ok(saying_now(connection, wanted, (expression, given), limit)?.beside(then, limit))
}

/// Those that say it now; as of a time, of those that were not written anew since.
fn saying_now(
    connection: &Connection,
    wanted: &Wanted<'_>,
    (expression, given): (&str, Option<Vec<i64>>),
    limit: usize,
) -> StoreResult<Fitting> {
    let written = wanted.as_of.map(|_| Written::Before);
    let among = match (given, wanted.at.session) {
        (Some(given), _) => Some(given),
        (None, Some(session)) => Some(of_session(connection, session)?),
        // Of so many that they are not counted, those with the tags are not told apart before their words are compared.
        (None, None) => match wanted.rarest(connection)? {
            Some((0, _)) => return Ok(Fitting::default()),
            Some((bearing, tags)) if bearing < COUNTED => Some(wanted.bearing(connection, tags)?),
            _ => None,
        },
    };
    let search = |among: Option<&[i64]>| {
        table::ranked_fitting(connection, (wanted.at.space, Kind::Entries), (expression, among), limit, |rids| {
            wanted.find(connection, &Among::Given(rids), written, rids.len())
        })
    };
    let found = search(among.as_deref())?;
    if !found.is_cut || among.is_some() {
        return Ok(found);
    }
    // Most of what matches is of other types, of sessions, or out of use: where the level has few, these are searched alone.
    match wanted.few(connection, COUNTED)? {
        Some(few) => search(Some(&few)),
        None => Ok(found),
    }
}

fn of_session(connection: &Connection, session: &SessionId) -> StoreResult<Vec<i64>> {
    Ok(connection
        .prepare_cached("SELECT rid FROM entries WHERE session_id = ?1")?
        .query_map([session.as_str()], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

impl Wanted<'_> {
    /// See [`Tags::rarest`].
    fn rarest(&self, connection: &Connection) -> StoreResult<Option<(usize, &[String])>> {
        self.tags.rarest(connection, |text| self.begun(text), |sql, tags| self.with_one_of(sql, tags))
    }

    /// The rids of what bears one of some tags.
    fn bearing(&self, connection: &Connection, tags: &[String]) -> StoreResult<Vec<i64>> {
        let mut sql = self.begun("SELECT i.item_rid ");
        let bearing = self.with_one_of(&mut sql, tags);
        sql.text += &bearing;
        sql.rows(connection)
    }

    /// A statement to which the level is bound as ?1 and ?2, and the time that is asked of as ?3, where it is one.
    fn begun(&self, text: &str) -> Sql {
        let session = self.at.session_bound().map(str::to_owned);
        let mut values: Vec<Value> = vec![self.at.space.to_string().into(), session.into()];
        values.extend(self.as_of.map(Value::from));
        Sql::begun(text, values)
    }

    /// Whether those that are out of use by now are looked at: what was in use then may not be now.
    fn looks_at_all(&self) -> bool {
        self.inactive || self.as_of.is_some()
    }

    /// That an entry was there at the time that is asked of, and in use then.
    fn then(&self, entry: &str) -> String {
        let Some(_) = self.as_of else { return String::new() };
        let used = if self.inactive { String::new() } else { format!(" AND {}", entries::in_use_at(entry, AS_OF)) };
        format!(" AND {}{used}", entries::was_there(entry, AS_OF))
    }

    /// How `item_tags` says that an entry of the level is in use.
    fn in_use(&self) -> u8 {
        if self.at.session.is_some() { 2 } else { 1 }
    }

    /// The types of which there are any: what is about something is of one.
    fn types(&self) -> impl Iterator<Item = EntryType> {
        self.types.iter().copied().filter(|one| self.category.is_none_or(|category| category.of() == *one))
    }

    fn types_in_words(&self) -> String {
        self.types().map(|one| format!("'{one}'")).collect::<Vec<_>>().join(", ")
    }

    /// What bears one of some tags, as `i`; of another time, what bears it or did.
    fn with_one_of(&self, sql: &mut Sql, tags: &[String]) -> String {
        let tags = sql.bound_all(tags);
        let unused = if self.looks_at_all() { ", 0" } else { "" };
        let bearing = format!("WHERE i.tag_id IN ({tags}) AND i.item_type = 'entry' AND i.space_id = ?1");
        let now = format!(
            "item_tags i INDEXED BY idx_item_tags_found {bearing}
               AND i.standing IN ({}{unused}) AND i.item_subtype IN ({})",
            self.in_use(),
            self.types_in_words()
        );
        match self.as_of {
            None => format!("FROM {now}"),
            Some(_) => format!(
                "FROM (SELECT i.item_rid FROM {now}
                   UNION ALL SELECT o.rid FROM past_item_tags i INDEXED BY idx_past_item_tags_tag
                     CROSS JOIN entries o ON o.id = i.item_id {bearing}) i"
            ),
        }
    }

    /// Those that were written anew since the time that is asked of, and said one of some words then.
    fn said_then(&self, connection: &Connection, expression: &str, given: Option<&[i64]>) -> StoreResult<Fitting> {
        let Some(at) = self.as_of.filter(|_| self.types().next().is_some()) else { return Ok(Fitting::default()) };
        let among = given.map_or(Among::Listed(Some(WALKED)), Among::Given);
        let rids = self.find(connection, &among, Some(Written::Since), then::READ)?;
        let mut statement = connection.prepare_cached(SAID)?;
        let said = statement.query_and_then(
            params![serde_json::to_string(&rids)?, at],
            |row| -> StoreResult<(i64, Vec<String>)> {
                let body: EntryBody = serde_json::from_str(&row.get::<_, String>(2)?)?;
                Ok((row.get(0)?, vec![row.get(1)?, body.words().join("\n")]))
            },
        )?;
        let mut found = then::ranked(Kind::Entries, expression, said)?;
        found.past_is_cut |= given.is_none() && self.has_more(connection, WALKED)?;
        Ok(found)
    }

    /// Whether the level's list has more than so many.
    fn has_more(&self, connection: &Connection, most: usize) -> StoreResult<bool> {
        let mut sql = self.begun("SELECT s.rid FROM (");
        let most = sql.bound(most as i64);
        sql.text += &format!("{}) s LIMIT 1 OFFSET {most}", self.listed());
        Ok(!sql.rows(connection)?.is_empty())
    }

    /// Finds those that fit among some, in the order of these.
    fn find(
        &self,
        connection: &Connection,
        among: &Among<'_>,
        written: Option<Written>,
        limit: usize,
    ) -> StoreResult<Vec<i64>> {
        if self.types().next().is_none() {
            return Ok(Vec::new());
        }
        self.statement(among, written, limit)?.rows(connection)
    }

    /// What finds them, where there is a type of which there are any. When they were written is told of a time alone.
    pub(super) fn statement(&self, among: &Among<'_>, written: Option<Written>, limit: usize) -> StoreResult<Sql> {
        let mut sql = self.begun("SELECT s.rid FROM (");
        let source = match among {
            Among::Listed(most) => self.listed() + BEST_FIRST + &sql.limit(*most),
            // The tags are looked up in their index alone, before what has them is read.
            Among::Bearing(tags) => {
                let mut bearing = self.with_one_of(&mut sql, tags);
                if self.as_of.is_none() {
                    bearing += &self.tagged(&mut sql, OF_TAG);
                }
                let from =
                    format!("(SELECT DISTINCT i.item_rid {bearing}) f CROSS JOIN entries e ON e.rid = f.item_rid");
                self.of_level(&from) + BEST_FIRST + &sql.limit(None)
            }
            Among::Given(rids) => {
                let rids = sql.bound(serde_json::to_string(rids)?);
                let from = format!("json_each({rids}) f CROSS JOIN entries e ON e.rid = f.value");
                self.of_level(&from) + " ORDER BY f.key" + &sql.limit(None)
            }
        };
        // One row after the other, in this order: what is said of `s` alone is looked at before the entry itself is read.
        sql.text += &source;
        sql.text += ") s CROSS JOIN entries e ON e.rid = s.rid WHERE 1";
        sql.text += &match written {
            None => String::new(),
            Some(Written::Before) => format!(" AND s.updated_at <= {AS_OF}"),
            Some(Written::Since) => format!(" AND s.updated_at > {AS_OF}"),
        };
        if self.as_of.is_some() {
            let tagged = self.tagged_then(&mut sql);
            sql.text += &tagged;
        } else if !matches!(among, Among::Bearing(_)) {
            let standing = format!("s.is_active * {}", self.in_use());
            let tagged = self.tagged(&mut sql, [&standing, "s.entry_type", "s.rid"]);
            sql.text += &tagged;
        }
        self.narrow(&mut sql);
        let limit = sql.limit(Some(limit));
        sql.text += &limit;
        Ok(sql)
    }

    /// The rids of the level's list; none where it has `most` or more.
    fn few(&self, connection: &Connection, most: usize) -> StoreResult<Option<Vec<i64>>> {
        if self.types().next().is_none() {
            return Ok(Some(Vec::new()));
        }
        let mut sql = self.begun("SELECT s.rid FROM (");
        let limit = sql.limit(Some(most));
        sql.text += &format!("{}) s{limit}", self.listed());
        let rids = sql.rows(connection)?;
        Ok((rids.len() < most).then_some(rids))
    }

    /// The list of the level. `idx_entries_listed` has those of each type and state in order; SQLite merges them as they are asked for.
    fn listed(&self) -> String {
        let states: &[u8] = if self.looks_at_all() { &[1, 0] } else { &[1] };
        let parts = self.types().flat_map(|of| states.iter().map(move |state| (of, state)));
        let selects = parts.map(|(of, state)| {
            format!(
                "SELECT {COLUMNS} FROM entries e INDEXED BY idx_entries_listed
                 WHERE e.space_id = ?1 AND ifnull(e.session_id, '') = ifnull(?2, '') AND e.entry_type = '{of}' AND e.is_active = {state}
                   AND e.is_redacted = 0"
            )
        });
        selects.collect::<Vec<_>>().join(" UNION ALL ")
    }

    /// Entries of the level that are told elsewhere.
    fn of_level(&self, from: &str) -> String {
        let states = if self.looks_at_all() { "1, 0" } else { "1" };
        format!(
            "SELECT {COLUMNS} FROM {from} WHERE e.space_id = ?1 AND ifnull(e.session_id, '') = ifnull(?2, '')
               AND e.entry_type IN ({}) AND e.is_active IN ({states}) AND e.is_redacted = 0",
            self.types_in_words()
        )
    }

    /// That the tags are those that are asked for, of what has this standing, this type and this rid.
    fn tagged(&self, sql: &mut Sql, [standing, of, rid]: [&str; 3]) -> String {
        let mut bears = |tags: &[String]| {
            let tags = sql.bound_all(tags);
            format!(
                "EXISTS (SELECT 1 FROM item_tags b INDEXED BY idx_item_tags_found WHERE b.tag_id IN ({tags}) AND b.item_type = 'entry'
                   AND b.space_id = ?1 AND b.standing = {standing} AND b.item_subtype = {of} AND b.item_rid = {rid})"
            )
        };
        // With the plus, SQLite makes no join of it, for which it would read the entry first.
        let mut all: String = self.tags.wanted().map(|tags| format!(" AND +{}", bears(tags))).collect();
        if !self.tags.exclude.is_empty() {
            all += &format!(" AND NOT {}", bears(&self.tags.exclude));
        }
        all
    }

    /// That the tags that the entry `e` had at the time that is asked of are those that are asked for.
    fn tagged_then(&self, sql: &mut Sql) -> String {
        let mut bore = |tags: &[String]| tags::bears(ItemType::Entry, ("e.id", &sql.bound_all(tags)), Some(AS_OF));
        let mut all: String = self.tags.wanted().map(|tags| format!(" AND {}", bore(tags))).collect();
        if !self.tags.exclude.is_empty() {
            all += &format!(" AND NOT {}", bore(&self.tags.exclude));
        }
        all
    }

    /// What else has to be true of the entry `e`.
    fn narrow(&self, sql: &mut Sql) {
        if let Some(category) = self.category {
            sql.text += &format!(" AND e.category = '{category}'");
        }
        sql.text += &self.then("e");
        let hides = self.then("n") + if self.looks_at_all() { "" } else { " AND n.is_active = 1" };
        for place in self.nearer {
            let (space, session) =
                (sql.bound(place.space.to_string()), sql.bound(place.session_bound().map(str::to_owned)));
            sql.text += &format!(
                " AND NOT EXISTS (SELECT 1 FROM entries n WHERE n.space_id = {space} AND ifnull(n.session_id, '') = ifnull({session}, '')
                    AND n.entry_type = e.entry_type AND n.name = e.name{hides} AND n.is_redacted = 0)"
            );
        }
    }
}

/// What entries ?1 said at the time ?2, in the order in which they are given.
pub(super) const SAID: &str =
    "SELECT e.rid, e.name, (SELECT v.body FROM entry_versions v WHERE v.entry_id = e.id AND v.created_at <= ?2
       ORDER BY v.version_num DESC LIMIT 1)
     FROM json_each(?1) f CROSS JOIN entries e ON e.rid = f.value";

/// What is read of those that are looked through.
const COLUMNS: &str = "e.rid, e.priority, e.updated_at, e.entry_type, e.is_active";

/// The standing, the type and the rid that a tag's own row has.
const OF_TAG: [&str; 3] = ["i.standing", "i.item_subtype", "i.item_rid"];

const BEST_FIRST: &str = " ORDER BY 2 DESC, 3 DESC, 1";
