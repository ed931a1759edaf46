//! Which units may be found, and how a search finds only those.

mod admitted;
mod led;
mod over;

use crate::{StoreError, StoreResult, forget, fts, pairing};
use over::*;
use rusqlite::{Connection, params};
use std::collections::{BTreeMap, HashSet};
use um_model::{EpochMs, SpaceId, Tier};

pub use admitted::Admitted;
pub(crate) use admitted::{WIDE, wider};
pub(crate) use over::UNIT_DATED;

/// Up to so many units are listed before anything is searched: comparing them one by one is quick.
const FEW: usize = 4096;
/// So many are looked at together.
const PORTION: usize = 256;
/// Of what is out of use, so many units are compared at most, of all spaces together: [`Past`] says where there are more.
const MOST_PAST: usize = 5000;
/// From the first moment of a day to its noon, in milliseconds.
const NOON: EpochMs = 43_200_000;

/// Which units may be found.
#[derive(Debug, Clone, Default)]
pub struct UnitFilter {
    /// Modalities of their files, `text` for memories of words; all where empty.
    pub modalities: Vec<String>,
    /// Mails and mailboxes alone, and with modalities what is of these as well.
    pub mails: bool,
    /// Dated at or after: by when it happened, as it was told or as its file has it, be that by its last change alone; else by when it was
    /// recorded.
    pub since: Option<EpochMs>,
    /// Dated before, likewise.
    pub until: Option<EpochMs>,
    /// How far the clock is ahead of UTC by whose days these times were named, in milliseconds: what is dated at the first moment of a
    /// day in UTC is told of that day alone, and counts as its noon by this clock.
    pub ahead: EpochMs,
    /// Parts of the name of who brought it in or whose it is, of a mail's sender, be the mail a file or one of a mailbox, of the file's name
    /// or of the title, without case and accents; any where empty.
    pub from: Vec<String>,
    /// Tags that the memory must carry, all of them, likewise without case and accents.
    pub tags: Vec<String>,
    /// Words in this order that the passage must have, as an FTS5 expression.
    pub must: Option<String>,
    /// What it must not have, as an FTS5 expression.
    pub must_not: Option<String>,
    /// Tiers of their memories; hot and warm where empty.
    pub tiers: Vec<Tier>,
    /// Which day's knowledge is asked for.
    pub then: Then,
    /// Leaves out what goes out of use by itself by this time: what is due may be in use still, until somebody takes it out.
    pub gone_by: Option<EpochMs>,
}

/// Another time than now: of what is so (valid time) and of what was known (recorded time) (ruling 19).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Then {
    /// What was so at this time.
    pub as_of: Option<EpochMs>,
    /// What was known at this time.
    pub known_at: Option<EpochMs>,
}

impl Then {
    /// Whether it is now: nothing that is out of use is looked for.
    pub fn is_now(self) -> bool {
        self == Self::default()
    }

    /// The earlier one of the times that are asked for.
    pub fn earlier(self) -> Option<EpochMs> {
        self.as_of.into_iter().chain(self.known_at).min()
    }

    /// The condition that a memory `m` is in use, or was then and was neither removed nor forgotten since. The times stand where the
    /// parameters of those names are bound.
    pub(crate) fn in_use(self, as_of: &str, known_at: &str) -> String {
        if self.is_now() {
            return "m.status = 'active'".to_owned();
        }
        let so = was_so(&so_since("m.occurred_at"), as_of, known_at);
        format!("+m.status <> 'deleted' AND m.is_redacted = 0 AND {so}")
    }
}

impl UnitFilter {
    /// Whether every unit passes that the indexes hold.
    pub fn is_open(&self) -> bool {
        let Self { modalities, mails, since, until, ahead: _, from, tags, must, must_not, tiers: _, then, gone_by } =
            self;
        let any_type = modalities.is_empty() && !mails;
        let any_words = any_type && from.is_empty() && tags.is_empty() && self.of_tiers().is_none();
        let any_time = since.is_none() && until.is_none() && then.is_now() && gone_by.is_none();
        any_words && any_time && must.is_none() && must_not.is_none()
    }

    /// Whether times are all that it asks for.
    fn is_of_times(&self) -> bool {
        !self.is_open() && Self { since: None, until: None, ..self.clone() }.is_open()
    }

    /// Dated at or after the one and before the other: all that passes, and some of what is [beside](Self::past_noon) by another clock.
    pub(crate) fn times(&self) -> (EpochMs, EpochMs) {
        let (since, until) = (self.since.unwrap_or(EpochMs::MIN), self.until.unwrap_or(EpochMs::MAX));
        let past = self.past_noon();
        (since.saturating_add(past.min(0)), until.saturating_add(past.max(0)))
    }

    /// Whether some of what is dated within its [times](Self::times) need not pass.
    pub(crate) fn is_by_clock(&self) -> bool {
        self.past_noon() != 0
    }

    /// Whether not all times pass.
    fn has_times(&self) -> bool {
        self.since.is_some() || self.until.is_some()
    }

    /// How much later the first moment of a day in UTC is than its noon by the clock that counts; 0 where none does. Noon is of that
    /// day also where the times were named on the other side of a change of the clock, or by the clock of another place not far away.
    fn past_noon(&self) -> EpochMs {
        let is_by_clock = self.ahead != 0 && self.has_times();
        if is_by_clock { self.ahead - NOON } else { 0 }
    }

    /// The condition that a memory `m` is of a tier that is asked for, where the indexes hold others as well.
    fn of_tiers(&self) -> Option<String> {
        let asked = |tier: &Tier| self.tiers.is_empty() || self.tiers.contains(tier);
        let asked: Vec<Tier> = [Tier::Hot, Tier::Warm].into_iter().filter(asked).collect();
        match asked.as_slice() {
            [] => Some("0".to_owned()),
            [only] => Some(format!("m.tier = '{only}'")),
            _ => None,
        }
    }

    /// The condition that a memory `m` is of a tier that is asked for, where it may be of any: that of what is out of use is the one that it
    /// had last.
    fn of_any_tier(&self) -> String {
        let asked = |tier: &Tier| match self.tiers.is_empty() {
            true => *tier != Tier::Cold,
            false => self.tiers.contains(tier),
        };
        let asked = [Tier::Hot, Tier::Warm, Tier::Cold].into_iter().filter(asked);
        let asked: Vec<String> = asked.map(|tier| format!("'{tier}'")).collect();
        format!("+m.tier IN ({})", asked.join(", "))
    }

    /// Looks how much the filter lets through of some spaces, of what is in use.
    ///
    /// # Errors
    /// SQLite's; an expression that FTS5 cannot read among them.
    pub fn admit(&self, connection: &Connection, spaces: &[SpaceId]) -> StoreResult<Admitted<'_>> {
        if self.is_open() {
            return Ok(Admitted::All);
        }
        // A memory has a passage, as a rule: where many pass, none of them need be listed to see that.
        if self.is_of_times() && self.dates_many(connection, spaces)? {
            return Ok(Admitted::Many(self));
        }
        // What must not be there takes little away, and words that many have little more: they are looked up only where the rest lets few
        // through.
        let few = if self.few_have_the_words(connection, spaces)? {
            self.list(connection, spaces, FEW)?
        } else {
            let few = self.passing(connection, self.of_all(connection, spaces)?, &ids(spaces)?, FEW + 1)?;
            if few.len() > FEW {
                return Ok(Admitted::Many(self));
            }
            self.with_the_words(connection, few)?
        };
        let mut by_space: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        few.into_iter().for_each(|(space, rid)| by_space.entry(space).or_default().push(rid));
        Ok(Admitted::Few(by_space))
    }

    /// Whether there are words that it must have, and few units of some spaces have them.
    fn few_have_the_words(&self, connection: &Connection, spaces: &[SpaceId]) -> StoreResult<bool> {
        let Some(must) = &self.must else { return Ok(false) };
        let mut left = FEW + 1;
        for space in spaces {
            left -= fts::count(connection, space, must, left)?;
            if left == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether many memories in use are dated so.
    fn dates_many(&self, connection: &Connection, spaces: &[SpaceId]) -> StoreResult<bool> {
        let (since, until) = self.times();
        Ok(connection.prepare_cached(MANY_DATED)?.exists(params![ids(spaces)?, since, until, FEW])?)
    }

    /// The rids of those of the given units in use that pass.
    ///
    /// # Errors
    /// SQLite's.
    pub fn keep(&self, connection: &Connection, rids: &[i64]) -> StoreResult<HashSet<i64>> {
        self.keep_among(connection, rids, &mut Worded::of(self, rids))
    }

    /// The same, where the words are looked up among others as well.
    fn keep_among(&self, connection: &Connection, rids: &[i64], words: &mut Worded<'_>) -> StoreResult<HashSet<i64>> {
        let mut found = self.passing(connection, &OF_GIVEN, &serde_json::to_string(rids)?, rids.len())?;
        words.keep(connection, &mut found)?;
        Ok(found.into_iter().map(|(_, rid)| rid).collect())
    }

    /// Units that no index holds: those that are out of use and were in use then, and those that are cold, where these are asked for. Each
    /// space has its share of how many there may be, and of what those before it left; where both are asked for, each of the two has half
    /// of that, and what the other leaves.
    ///
    /// # Errors
    /// SQLite's.
    pub fn past(&self, connection: &Connection, spaces: &[SpaceId]) -> StoreResult<Past> {
        let mut past = Past::default();
        let of_past = (!self.then.is_now()).then_some(&PAST);
        let of_cold = self.tiers.contains(&Tier::Cold).then_some(&COLD);
        if of_past.or(of_cold).is_none() {
            return Ok(past);
        }
        for (at, space) in spaces.iter().enumerate() {
            let share = (MOST_PAST.saturating_sub(past.units.len()) / (spaces.len() - at)).max(1);
            // One more than there may be tells whether there are more.
            let list = |over: Option<&Over>| match over {
                Some(over) => self.passing(connection, over, space.as_str(), share + 1),
                None => Ok(Vec::new()),
            };
            let (mut gone, mut cold) = (list(of_past)?, list(of_cold)?);
            // Cold ones have half of it, and what the others leave.
            let cold_share = cold.len().min(share.saturating_sub(gone.len()).max(share / 2));
            let gone_share = gone.len().min(share - cold_share);
            past.is_cut |= gone.len() > gone_share;
            past.cold_is_cut |= cold.len() > cold_share;
            gone.truncate(gone_share);
            cold.truncate(cold_share);
            past.units.extend(gone.into_iter().chain(cold));
        }
        Ok(past)
    }

    /// The newest memories of some spaces that pass, and mails of mailboxes, dated as [`since`](Self::since) has them, at most `limit`: the
    /// rid of the first passage of each that passes. Of what is [past](Self::past), those that are given are among them, as far as they are
    /// dated so.
    ///
    /// # Errors
    /// SQLite's; an expression that FTS5 cannot read among them.
    pub fn newest(
        &self,
        connection: &Connection,
        spaces: &[SpaceId],
        past: &[i64],
        limit: usize,
    ) -> StoreResult<Vec<i64>> {
        let mut rids = past.to_vec();
        for space in spaces {
            let one = std::slice::from_ref(space);
            let found = if self.must.is_none() && self.must_not.is_none() {
                match self.few_led_to(connection, one)? {
                    Some(few) => few,
                    None => self.passing(connection, self.newest_of(connection, space)?, space.as_str(), limit)?,
                }
            } else if self.few_have_the_words(connection, one)? {
                self.list(connection, one, usize::MAX)?
            } else {
                self.newest_by_words(connection, space, limit)?
            };
            rids.extend(found.into_iter().map(|(_, rid)| rid));
        }
        // What is past was not asked yet whether it is dated so.
        let by_clock = by_clock("?4");
        let mut statement = connection.prepare_cached(&format!(
            "SELECT u.rid, m.rid, {} FROM json_each(?1) given CROSS JOIN text_units u ON u.rid = given.value
             CROSS JOIN memories m ON m.id = u.owner_memory_id LEFT JOIN derived_text_views v ON v.id = u.text_view_id
             WHERE {UNIT_DATED} >= ?2 AND {UNIT_DATED} < ?3 AND {by_clock}
             ORDER BY {UNIT_DATED} DESC, m.rid DESC, v.view_type IS 'metadata_text', u.rid",
            dated_mail("u")
        ))?;
        let (since, until) = self.times();
        let mut rows = statement.query(params![serde_json::to_string(&rids)?, since, until, self.past_noon()])?;
        let (mut newest, mut seen) = (Vec::new(), HashSet::new());
        while newest.len() < limit
            && let Some(row) = rows.next()?
        {
            if seen.insert((row.get::<_, i64>(1)?, row.get::<_, i64>(2)?)) {
                newest.push(row.get(0)?);
            }
        }
        Ok(newest)
    }

    /// Units of a space that pass, those of its newest `limit` memories that have one among them, and those of its newest `limit` mails of
    /// mailboxes. How far back the newest of the one go says nothing of the others. What must not be there is in few of the newest, as a rule,
    /// and what many have in many of them; else all are listed.
    fn newest_by_words(
        &self,
        connection: &Connection,
        space: &SpaceId,
        limit: usize,
    ) -> StoreResult<Vec<(String, i64)>> {
        let memories = self.newest_of(connection, space)?;
        let mails = match memories.mails {
            Mails::Beside(mails) => Some(mails),
            Mails::Among | Mails::Alone => None,
        };
        let mut kept = Vec::new();
        for over in std::iter::once(memories).chain(mails) {
            match self.newest_with_words(connection, over, space, limit)? {
                Some(found) => kept.extend(found),
                None => return self.list(connection, std::slice::from_ref(space), usize::MAX),
            }
        }
        Ok(kept)
    }

    /// The same of what one statement goes through; none where fewer than `limit` were found among the newest, and there are others.
    fn newest_with_words(
        &self,
        connection: &Connection,
        over: &Over,
        space: &SpaceId,
        limit: usize,
    ) -> StoreResult<Option<Vec<(String, i64)>>> {
        // The units of a mailbox, which may be very many, are gone through once for all of its mails.
        const NEWEST_GIVEN: &str = "FROM json_each(?1) given CROSS JOIN text_units n ON n.rid = given.value";
        let most = PORTION.max(2 * limit);
        let newest = self.passing_of(connection, over, space.as_str(), most)?;
        let are_all = newest.len() < most;
        let newest: Vec<i64> = newest.into_iter().map(|(_, rid)| rid).collect();
        let mut owners: BTreeMap<i64, (String, i64)> = BTreeMap::new();
        let mut statement = connection.prepare_cached(&format!(
            "SELECT u.rid, u.owner_memory_id, {mail} FROM (SELECT DISTINCT n.owner_memory_id AS id {NEWEST_GIVEN}) memory
             CROSS JOIN text_units u ON u.owner_memory_id = memory.id
             WHERE u.status = 'active' AND (u.owner_memory_id, {mail}) IN (SELECT n.owner_memory_id, {} {NEWEST_GIVEN})",
            dated_mail("n"),
            mail = dated_mail("u")
        ))?;
        let mut rows = statement.query([serde_json::to_string(&newest)?])?;
        while let Some(row) = rows.next()? {
            owners.insert(row.get(0)?, (row.get(1)?, row.get(2)?));
        }
        // Of a mailbox whose mails are not dated, not every mail need pass.
        let all = serde_json::to_string(&owners.keys().collect::<Vec<_>>())?;
        let found = self.passing(connection, &OF_GIVEN, &all, owners.len())?;
        let kept = self.with_the_words(connection, found)?;
        let found: HashSet<&(String, i64)> = kept.iter().filter_map(|(_, rid)| owners.get(rid)).collect();
        Ok((are_all || found.len() >= limit).then_some(kept))
    }

    /// Units of some spaces that pass, at most `limit`: their spaces and rids.
    fn list(&self, connection: &Connection, spaces: &[SpaceId], limit: usize) -> StoreResult<Vec<(String, i64)>> {
        let Some(must) = &self.must else {
            let wanted = if self.must_not.is_some() { usize::MAX } else { limit };
            let found = self.passing(connection, self.of_all(connection, spaces)?, &ids(spaces)?, wanted)?;
            return self.with_the_words(connection, found);
        };
        // What has the words is less than what the rest lets through.
        let mut all = Vec::new();
        for space in spaces {
            let rids = fts::matching(connection, space, must, None)?;
            let passing = self.keep(connection, &rids.into_iter().collect::<Vec<_>>())?;
            all.extend(passing.into_iter().map(|rid| (space.as_str().to_owned(), rid)));
        }
        all.sort_unstable();
        all.truncate(limit);
        Ok(all)
    }

    /// Those that have the words that they must have, and none that they must not have.
    fn with_the_words(
        &self,
        connection: &Connection,
        mut found: Vec<(String, i64)>,
    ) -> StoreResult<Vec<(String, i64)>> {
        let rids: Vec<i64> = found.iter().map(|(_, rid)| *rid).collect();
        Worded::of(self, &rids).keep(connection, &mut found)?;
        Ok(found)
    }

    /// The spaces and rids of units that pass in all but their words: at most `limit`, and as many mails that are gone through beside these.
    fn passing(
        &self,
        connection: &Connection,
        over: &Over,
        given: &str,
        limit: usize,
    ) -> StoreResult<Vec<(String, i64)>> {
        let mut found = self.passing_of(connection, over, given, limit)?;
        if let Mails::Beside(mails) = over.mails {
            found.extend(self.passing_of(connection, mails, given, limit)?);
        }
        Ok(found)
    }

    fn passing_of(
        &self,
        connection: &Connection,
        over: &Over,
        given: &str,
        limit: usize,
    ) -> StoreResult<Vec<(String, i64)>> {
        let (since, until) = self.times();
        // Of cold ones alone, nothing is gone through that is not cold.
        if over.in_use && self.of_tiers().is_some_and(|asked| asked == "0") {
            return Ok(Vec::new());
        }
        let mut statement = connection.prepare_cached(&self.statement(over))?;
        let rows = statement.query_map(
            params![
                given,
                since,
                until,
                serde_json::to_string(&self.modalities)?,
                i64::try_from(limit).unwrap_or(i64::MAX),
                all_found(&self.from)?,
                all_found(&self.tags)?,
                self.then.as_of,
                self.then.known_at,
                self.past_noon(),
                self.gone_by,
            ],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        rows.map(|row| row.map_err(StoreError::from)).collect()
    }

    /// Where the newest of a space are looked for: among those that carry the first of the tags, where these are few; else among all,
    /// of which enough carry it.
    fn newest_of(&self, connection: &Connection, space: &SpaceId) -> StoreResult<&'static Over> {
        let Some(tag) = self.tags.first() else { return Ok(&NEWEST) };
        let mut statement = connection.prepare_cached(CARRYING)?;
        let carrying: usize = statement.query_row(params![space.as_str(), found(tag), FEW + 1], |row| row.get(0))?;
        Ok(match (carrying > FEW, self.then.is_now()) {
            (true, _) => &NEWEST,
            (false, true) => &NEWEST_TAGGED,
            (false, false) => &NEWEST_TAGGED_THEN,
        })
    }

    /// All units in use of some spaces, or what is known to be the only ones that may pass.
    fn of_spaces(&self) -> &'static Over {
        match (self.tags.is_empty(), self.then.is_now()) {
            (true, _) if self.has_times() => &OF_DATED,
            (true, _) => &OF_SPACES,
            (false, true) => &OF_TAGGED,
            (false, false) => &OF_TAGGED_THEN,
        }
    }

    /// Each condition is named only where it is asked for, so that times alone are looked up in the index.
    fn statement(&self, over: &Over) -> String {
        let Over { from, use_of, units, units_use_of, order, in_use, mails } = over;
        let units = if self.from.is_empty() { (*units).to_owned() } else { of_sender_first(units) };
        let (dated, but_mails) = match mails {
            Mails::Beside(_) => (DATED, "AND u.mail_sent_at IS NULL"),
            Mails::Among if !self.has_times() => (DATED, ""),
            Mails::Among | Mails::Alone => (UNIT_DATED, ""),
        };
        format!(
            "SELECT m.space_id, u.rid FROM {from} {units} WHERE {use_of} {units_use_of} {but_mails}
               AND {dated} >= ?2 AND {dated} < ?3
               AND {} AND {} AND {} AND {} AND {} AND {} AND {} {order} LIMIT ?5",
            if self.past_noon() == 0 { "?10 = 0".to_owned() } else { by_clock("?10") },
            match (self.modalities.is_empty(), self.mails) {
                (true, false) => "?4 = '[]'".to_owned(),
                (true, true) => OF_MAILS.to_owned(),
                (false, false) => OF_MODALITY.to_owned(),
                (false, true) => format!("({OF_MODALITY} OR {OF_MAILS})"),
            },
            match (self.from.is_empty(), *from == OF_NAMED.from) {
                (true, _) => "?6 = '[]'".to_owned(),
                // It goes through nothing else.
                (false, true) => "?6 <> '[]'".to_owned(),
                (false, false) => format!("({FROM} OR {})", from_sender(over)),
            },
            if self.tags.is_empty() { "?7 = '[]'".to_owned() } else { tagged(self.then) },
            if self.then.is_now() {
                "?8 IS NULL AND ?9 IS NULL".to_owned()
            } else {
                was_so(&so_since(UNIT_OCCURRED), "?8", "?9")
            },
            if self.gone_by.is_none() { "?11 IS NULL" } else { "ifnull(m.expires_at > ?11, 1)" },
            if *in_use { self.of_tiers().unwrap_or_else(|| "1".to_owned()) } else { self.of_any_tier() },
        )
    }
}

/// Which of some units have the words of a filter: what a word is in is read once for all of them, and of no space that none of them
/// turns out to be of.
struct Worded<'a> {
    filter: &'a UnitFilter,
    among: &'a [i64],
    /// Of each space, what has the words, and whether it must have them.
    by_space: BTreeMap<String, Vec<(HashSet<i64>, bool)>>,
}

impl<'a> Worded<'a> {
    fn of(filter: &'a UnitFilter, among: &'a [i64]) -> Self {
        Self { filter, among, by_space: BTreeMap::new() }
    }

    /// Keeps those that have the words that they must have, and none that they must not have.
    fn keep(&mut self, connection: &Connection, found: &mut Vec<(String, i64)>) -> StoreResult<()> {
        let UnitFilter { must, must_not, .. } = self.filter;
        if must.is_none() && must_not.is_none() {
            return Ok(());
        }
        for (space, _) in found.iter() {
            if self.by_space.contains_key(space) {
                continue;
            }
            let id = SpaceId::parse(space.clone())?;
            let mut matching = Vec::new();
            for (expression, wanted) in [(must, true), (must_not, false)] {
                if let Some(expression) = expression {
                    matching.push((fts::matching(connection, &id, expression, Some(self.among))?, wanted));
                }
            }
            self.by_space.insert(space.clone(), matching);
        }
        let passes = |(space, rid): &(String, i64)| {
            self.by_space.get(space).is_some_and(|all| all.iter().all(|(has, wanted)| has.contains(rid) == *wanted))
        };
        found.retain(passes);
        Ok(())
    }
}

/// What is out of use and was in use at another time, and what is cold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Past {
    /// The spaces and rids of the units, in each space those that left use last first, and the cold ones behind them.
    pub units: Vec<(String, i64)>,
    /// Whether more are out of use and were in use then, which are left out.
    pub is_cut: bool,
    /// Whether more are cold, which are left out.
    pub cold_is_cut: bool,
}

/// A name in the form in which it is found, as words are in full text: without case, accents and what is not seen, with `ss` for `ß`. Which
/// two names are one is told by [`pairing::folded`].
pub(crate) fn found(name: &str) -> String {
    // Most are, and every tag there is may be looked at.
    if name.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') {
        return forget::folded(name);
    }
    let folded = pairing::folded(name);
    forget::alike(&folded).unwrap_or(folded)
}

/// Names in that form, as JSON for `json_each`.
fn all_found(names: &[String]) -> StoreResult<String> {
    Ok(serde_json::to_string(&names.iter().map(|name| found(name)).collect::<Vec<_>>())?)
}

/// Ids of spaces, as JSON for `json_each`.
pub(crate) fn ids(spaces: &[SpaceId]) -> StoreResult<String> {
    Ok(serde_json::to_string(&spaces.iter().map(SpaceId::as_str).collect::<Vec<_>>())?)
}

#[cfg(test)]
mod tests;
