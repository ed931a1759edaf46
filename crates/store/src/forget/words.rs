//! Looking for words in every column that can hold some.

use super::Rows;
use super::cascade::{KINDS, Kind};
use super::has_space;
use crate::StoreResult;
use crate::content_columns::{CONTENT_COLUMNS, Class};
use crate::fts::form;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params_from_iter};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use um_model::SpaceId;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// The text of a column, where it has one.
pub(crate) fn text_at<'a>(row: &'a Row<'_>, at: usize) -> StoreResult<Option<&'a str>> {
    Ok(row.get_ref(at)?.as_str_or_null().map_err(rusqlite::Error::from)?)
}

/// Where a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot<'a> {
    /// The kind of its row; see [`Rows`].
    pub kind: &'a str,
    /// Its row.
    pub id: &'a str,
    /// Its column.
    pub column: &'a str,
}

/// A text in the form that words are looked for in: without case, and with single blanks.
pub fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        let start = folded.len();
        // Most words are ASCII, and whole databases are folded.
        match word.is_ascii() {
            true => {
                folded.push_str(word);
                folded[start..].make_ascii_lowercase();
            }
            false => folded.extend(word.chars().flat_map(char::to_lowercase)),
        }
    }
    folded
}

/// Whether a folded text has folded words, as whole words; in scripts that put no spaces between them, wherever they stand.
pub fn says(text: &str, words: &str) -> bool {
    !words.is_empty()
        && text.match_indices(words).any(|(at, _)| {
            let joins = |a: Option<char>, b: Option<char>| a.zip(b).is_some_and(|(a, b)| form::joins(a, b));
            !joins(text[..at].chars().next_back(), words.chars().next())
                && !joins(words.chars().next_back(), text[at + words.len()..].chars().next())
        })
}

/// A folded text in the letters that search takes for the same, however it is spelled: `ﬁnance` as `finance`, `Straße` as `Strasse`,
/// `André` as `Andre`, and without what stands in a word unseen. None where it is in these already. What is refused is kept by hashes of
/// the folded form, so that this is another one.
pub fn alike(folded_text: &str) -> Option<String> {
    if folded_text.is_ascii() {
        return None;
    }
    let alike = folded(&form::unmarked(&form::plain(folded_text)));
    (alike != folded_text).then_some(alike)
}

/// Whether words are one sign of a script without spaces, with the marks on it.
pub fn is_one_sign(words: &str) -> bool {
    words.starts_with(form::is_unspaced) && words.graphemes(true).nth(1).is_none()
}

/// A text in which folded words are looked for.
#[derive(Debug)]
pub struct Heard {
    folded: String,
    alike: Option<String>,
}

impl Heard {
    /// To look for words in a text.
    pub fn new(text: &str) -> Self {
        let mut heard = Self { folded: folded(text), alike: None };
        heard.alike = match text.contains("-\n") {
            // A word that was broken at a line's end is found whole.
            true => {
                let joined = folded(&form::joined(text));
                alike(&joined).or(Some(joined))
            }
            false => alike(&heard.folded),
        };
        heard
    }

    /// Whether it says folded words, as whole words, in this spelling or in another one that search takes for the same.
    pub fn says(&self, words: &str) -> bool {
        says(&self.folded, words)
            || self.alike.as_deref().is_some_and(|text| says(text, words))
            || alike(words).is_some_and(|words| says(self.alike.as_deref().unwrap_or(&self.folded), &words))
    }

    /// Whether it says them in this spelling.
    pub fn says_as_written(&self, words: &str) -> bool {
        says(&self.folded, words)
    }

    /// The same of a folded name. One of a single sign, of a script without spaces, is a part of many words that mean something else: it
    /// is said only where it stands by itself.
    pub fn names(&self, name: &str) -> bool {
        if !is_one_sign(name) {
            return self.says(name);
        }
        let is_of_word = |sign: Option<char>| sign.is_some_and(char::is_alphanumeric);
        let stands_alone = |text: &str| {
            text.match_indices(name).any(|(at, _)| {
                let (before, behind) = (&text[..at], &text[at + name.len()..]);
                !is_of_word(before.chars().next_back()) && !is_of_word(behind.chars().next())
            })
        };
        stands_alone(&self.folded) || self.alike.as_deref().is_some_and(stands_alone)
    }

    /// How it spells folded words otherwise, of a script with spaces, where search takes both for the same.
    fn otherwise(&self, words: &str) -> BTreeSet<String> {
        let asked = seen(words);
        let plain = alike(words).unwrap_or_else(|| words.to_owned());
        let plain = plain.trim_matches(|sign: char| !sign.is_alphanumeric());
        let count = words_of(plain).len();
        if count == 0 || !self.alike.as_deref().unwrap_or(&self.folded).contains(plain) {
            return BTreeSet::new();
        }
        let of_words = words_of(&self.folded);
        let stretches = of_words.windows(count).map(|some| &self.folded[some[0].start..some[count - 1].end]);
        let same = stretches.filter(|stretch| alike(stretch).as_deref().unwrap_or(stretch) == plain);
        same.map(seen).filter(|spelled| !asked.contains(spelled.as_str())).collect()
    }

    /// How much it takes, in bytes.
    pub(super) fn size(&self) -> usize {
        self.folded.len() + self.alike.as_ref().map_or(0, String::len)
    }
}

/// Words as they are seen: with their marks on their letters, and without what stands in them unseen.
fn seen(words: &str) -> String {
    form::whole(words.nfc().collect())
}

/// Where the words of a text stand, in bytes.
fn words_of(text: &str) -> Vec<Range<usize>> {
    let is_mark = |sign: char| matches!(sign, '\u{300}'..='\u{36f}');
    let is_of_word = |sign: char| sign.is_alphanumeric() || is_mark(sign) || form::is_unseen(sign);
    let mut words = Vec::new();
    let mut rest = 0;
    while let Some(from) = text[rest..].find(is_of_word).map(|at| rest + at) {
        rest = text[from..].find(|sign| !is_of_word(sign)).map_or(text.len(), |at| from + at);
        words.push(from..rest);
    }
    words
}

/// How some rows spell words otherwise, where search takes both for the same; without case.
///
/// # Errors
/// SQLite's.
pub fn spelled_otherwise(connection: &Connection, rows: &Rows, words: &str) -> StoreResult<BTreeSet<String>> {
    let words = folded(words);
    let mut found = BTreeSet::new();
    texts_of(connection, rows, |_, text| found.extend(Heard::new(text).otherwise(&words)))?;
    Ok(found)
}

/// Calls `look` with each text that anybody wrote, said or named, wherever it stands in the database.
///
/// # Errors
/// SQLite's.
pub fn texts(connection: &Connection, look: impl FnMut(Spot<'_>, &str)) -> StoreResult<()> {
    read(connection, &Only::All, look)
}

/// Calls `look` with each text of some rows, emptied ones as well.
///
/// # Errors
/// SQLite's.
pub fn texts_of(connection: &Connection, rows: &Rows, look: impl FnMut(Spot<'_>, &str)) -> StoreResult<()> {
    read(connection, &Only::Rows(rows), look)
}

fn read(connection: &Connection, only: &Only<'_>, mut look: impl FnMut(Spot<'_>, &str)) -> StoreResult<()> {
    let has_some = |table: &&Table| match only {
        Only::Rows(rows) => rows.of(table.kind.name).next().is_some(),
        Only::All | Only::Space(_) => true,
    };
    tables().iter().filter(has_some).try_for_each(|table| table.read(connection, only, &mut look))
}

/// Which rows of the tables are read.
enum Only<'a> {
    /// Every row.
    All,
    /// These.
    Rows(&'a Rows),
    /// Those of a space. What is of no space is not among them.
    Space(&'a SpaceId),
}

/// A table with the columns that can hold words.
struct Table {
    kind: &'static Kind,
    /// Each with the kind that it is: its table's, or one of its own.
    columns: Vec<(&'static str, &'static str)>,
}

/// What has no kind goes with what has one: bytes, small pictures, vectors.
fn tables() -> Vec<Table> {
    let mut columns: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (table, column, class) in CONTENT_COLUMNS {
        if *class == Class::Content {
            columns.entry(table).or_default().push(column);
        }
    }
    let kind_of = |table: &str, column: &'static str| {
        let own = format!("{table}.{column}");
        (column, KINDS.iter().find(|kind| kind.name == own))
    };
    KINDS
        .iter()
        .filter_map(|kind| {
            let columns = columns.get(kind.name)?.iter().map(|column| kind_of(kind.name, column));
            let columns = columns.map(|(column, own)| (column, own.map_or(kind.name, |own| own.name))).collect();
            Some(Table { kind, columns })
        })
        .collect()
}

impl Table {
    fn read(&self, connection: &Connection, only: &Only<'_>, look: &mut impl FnMut(Spot<'_>, &str)) -> StoreResult<()> {
        let (id, table, living) = (self.kind.id, self.kind.name, self.kind.only);
        let (fits, value) = match only {
            Only::All => (format!("({living})"), None),
            Only::Rows(rows) => (format!("{id} IN (SELECT value FROM json_each(?1))"), Some(rows.json(table))),
            Only::Space(_) if !has_space(connection, table)? => return Ok(()),
            Only::Space(space) => (format!("({living}) AND space_id = ?1"), Some(space.to_string())),
        };
        let names: Vec<&str> = self.columns.iter().map(|(column, _)| *column).collect();
        let mut statement =
            connection.prepare(&format!("SELECT {id}, {} FROM {table} WHERE {fits}", names.join(", ")))?;
        let mut found = statement.query(params_from_iter(value))?;
        while let Some(row) = found.next()? {
            let id = text_at(row, 0)?.unwrap_or_default();
            for (at, (column, kind)) in self.columns.iter().enumerate() {
                if let ValueRef::Text(bytes) = row.get_ref(at + 1)? {
                    look(Spot { kind, id, column }, &String::from_utf8_lossy(bytes));
                }
            }
        }
        Ok(())
    }
}

/// Those of some folded words that rows of a space beside these say, whole, without case and however spelled; of every space where it is
/// the one that all share.
///
/// # Errors
/// SQLite's.
pub fn said_elsewhere(
    connection: &Connection,
    rows: &Rows,
    space: &SpaceId,
    words: &BTreeSet<String>,
) -> StoreResult<BTreeSet<String>> {
    let mut said = BTreeSet::new();
    if words.is_empty() {
        return Ok(said);
    }
    let only = if *space == SpaceId::global() { Only::All } else { Only::Space(space) };
    let mut look = |spot: Spot<'_>, text: &str| {
        if !rows.has(spot.kind, spot.id) && said.len() < words.len() {
            let text = Heard::new(text);
            said.extend(words.iter().filter(|words| text.says(words)).cloned());
        }
    };
    tables().iter().try_for_each(|table| table.read(connection, &only, &mut look))?;
    Ok(said)
}

/// Calls `look` with each text that the product itself keeps beside what people say: names of its columns, its settings,
/// its ledger, what packs name.
///
/// # Errors
/// SQLite's.
pub fn kept_words(connection: &Connection, mut look: impl FnMut(&str)) -> StoreResult<()> {
    for sql in [
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL",
        "SELECT key || ' ' || value FROM system_settings",
        "SELECT name || ' ' || ifnull(description, '') FROM memory_spaces",
        "SELECT name FROM agents",
        "SELECT name || ' ' || ifnull(inverse_name, '') FROM relationship_types",
        "SELECT name FROM attribute_keys",
        "SELECT name FROM tags",
        "SELECT catalogue_id || ' ' || path FROM models_installed",
        // What a pack named, by ids and in the product's words alone, stays where what it said goes.
        "SELECT item_ids FROM compiled_contexts",
    ] {
        let mut statement = connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            look(text_at(row, 0)?.unwrap_or_default());
        }
    }
    Ok(())
}

/// Calls `look` with the bytes of each stored file that is in the database and not forgotten; with `only`, of those files.
///
/// # Errors
/// SQLite's.
pub fn stored_bytes(connection: &Connection, only: Option<&Rows>, mut look: impl FnMut(&[u8])) -> StoreResult<()> {
    let mut statement = connection.prepare(
        "SELECT b.blob FROM artifacts a JOIN artifact_bytes b ON b.id = a.bytes_id
         WHERE a.is_redacted = 0 AND (?1 IS NULL OR a.id IN (SELECT value FROM json_each(?1)))",
    )?;
    let mut rows = statement.query([only.map(|rows| rows.json("artifacts"))])?;
    while let Some(row) = rows.next()? {
        look(row.get_ref(0)?.as_bytes().map_err(rusqlite::Error::from)?);
    }
    Ok(())
}

/// Calls `look` with each text that full text keeps of some passages, as it is read.
///
/// # Errors
/// SQLite's.
pub fn indexed_texts(connection: &Connection, rows: &Rows, mut look: impl FnMut(&str)) -> StoreResult<()> {
    let found: Vec<(String, i64)> = connection
        .prepare(
            "SELECT i.fts_table, t.rid FROM text_units t
             JOIN space_indexes i ON i.space_id = t.space_id AND i.kind = 'units'
             WHERE t.id IN (SELECT value FROM json_each(?1))",
        )?
        .query_map([rows.json("text_units")], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    for (table, rid) in found {
        let mut statement =
            connection.prepare_cached(&format!("SELECT text, heading, title FROM {table} WHERE rowid = ?1"))?;
        let mut rows = statement.query([rid])?;
        while let Some(row) = rows.next()? {
            (0..3).try_for_each(|at| {
                text_at(row, at).map(|text| look(&form::read(text.unwrap_or_default().to_owned())))
            })?;
        }
    }
    Ok(())
}

/// The rows that have one of those words, as whole words, without case and however they are spelled ([`alike`]). Where a text of
/// a file or of a memory's passage has them, it is the file or the memory.
///
/// # Errors
/// SQLite's.
pub fn holders(connection: &Connection, words: &[String]) -> StoreResult<Rows> {
    holding(connection, words, Heard::says)
}

/// The same of those that have one of these names ([`Heard::names`]).
pub(super) fn holders_of_names(connection: &Connection, names: &[String]) -> StoreResult<Rows> {
    holding(connection, names, Heard::names)
}

fn holding(connection: &Connection, words: &[String], is_said: fn(&Heard, &str) -> bool) -> StoreResult<Rows> {
    let mut found = saying(connection, &Only::All, words, is_said)?;
    for (kind, owner, sql) in [
        ("derived_text_views", "artifacts", "SELECT artifact_id FROM derived_text_views WHERE id = ?1"),
        ("media_segments", "artifacts", "SELECT artifact_id FROM media_segments WHERE id = ?1"),
        ("text_units", "memories", "SELECT owner_memory_id FROM text_units WHERE id = ?1"),
    ] {
        let ids: Vec<String> = found.of(kind).map(str::to_owned).collect();
        for id in ids {
            found.add(owner, connection.prepare_cached(sql)?.query_row([&id], |row| row.get::<_, String>(0))?);
        }
    }
    Ok(found)
}

/// Those of some rows that have one of those words, as whole words, without case and however they are spelled.
///
/// # Errors
/// SQLite's.
pub fn holders_among(connection: &Connection, rows: &Rows, words: &[String]) -> StoreResult<Rows> {
    saying(connection, &Only::Rows(rows), words, Heard::says)
}

fn saying(
    connection: &Connection,
    only: &Only<'_>,
    words: &[String],
    is_said: fn(&Heard, &str) -> bool,
) -> StoreResult<Rows> {
    let words: Vec<String> = words.iter().map(|words| folded(words)).filter(|words| !words.is_empty()).collect();
    let mut found = Rows::default();
    read(connection, only, |spot, text| {
        let text = Heard::new(text);
        if words.iter().any(|words| is_said(&text, words)) {
            found.add(spot.kind, spot.id);
        }
    })?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{Heard, folded, says};

    #[test]
    fn words_are_whole_and_without_case() {
        for (text, words, expected) in [
            ("Ana  Ruiz\nlives here", "ana ruiz", true),
            ("Anastasia Ruiz", "ana", false),
            ("(ANA)", "Ana", true),
            ("at work-shop", "work", true),
            ("workshop", "work", false),
            ("c++ and more", "C++", true),
            ("x", "", false),
            ("ÉCOLE", "école", true),
            ("田中さんが来た", "田中", true),
            ("ABC会議2", "abc", true),
        ] {
            assert_eq!(says(&folded(text), &folded(words)), expected, "{words:?} in {text:?}");
        }
    }

    #[test]
    fn words_are_heard_in_every_spelling_that_search_takes_for_the_same() {
        for (text, words, expected, as_written) in [
            ("Die Straße ist leer", "STRASSE", true, false),
            ("Die Strasse ist leer", "Straße", true, false),
            ("the ﬁnance board", "finance", true, false),
            ("the finance board", "ﬁnance", true, false),
            ("Ｍｉｒａ　Ｑｕｅｌｌ", "mira quell", true, false),
            ("André Lima", "andre", true, false),
            ("Andre Lima", "andré lima", true, false),
            ("ze\u{200b}ppelin", "zep\u{ad}pelin", true, false),
            ("the refinance board", "ﬁnance", false, false),
            ("Foo™ stays", "foo", true, true),
            ("мой дом", "мои", false, false),
            ("the barn", "barn", true, true),
            ("the zep-\npelin flies", "zeppelin", true, false),
            ("die Stra-\nße", "strasse", true, false),
            ("明日の会議は中止", "会議", true, true),
            ("東京タワーへ", "タワー", true, true),
            ("東京タワーへ", "ワー", false, false),
            ("the barn", "", false, false),
        ] {
            let (heard, words) = (Heard::new(text), folded(words));
            assert_eq!(
                (heard.says(&words), heard.says_as_written(&words)),
                (expected, as_written),
                "{words:?} in {text:?}"
            );
        }
    }

    #[test]
    fn other_spellings_are_told_as_they_are_seen() {
        for (text, words, expected) in [
            ("Schön, aber schon spät; scho\u{308}n.", "schon", &["schön"][..]),
            ("Schön, aber schon spät.", "Schön", &["schon"]),
            ("Es ist schon spät.", "schon", &[]),
            ("Es ist scho\u{308}n.", "schön", &[]),
            ("sch\u{ad}on", "schon", &[]),
            ("schöner, unschön", "schon", &[]),
            ("die Straße, die STRASSE", "Straße", &["strasse"]),
            ("André Lima und André  Lima", "andre lima", &["andré lima"]),
            ("the ﬁnance board", "finance", &["ﬁnance"]),
            ("明日の会議", "会議", &[]),
            ("schön", "…", &[]),
        ] {
            let found: Vec<String> = Heard::new(text).otherwise(&folded(words)).into_iter().collect();
            assert_eq!(found, expected, "{words:?} in {text:?}");
        }
    }

    #[test]
    fn a_name_of_one_sign_is_said_only_where_it_stands_by_itself() {
        for (text, name, expected) in [
            ("李 called", "李", true),
            ("国王, 李。", "李", true),
            ("李子很好吃", "李", false),
            ("桃李", "李", false),
            ("a李", "李", false),
            ("ที่ called", "ที่", true),
            ("อยู่ที่นี่", "ที่", false),
            ("明日田中さんが来る", "田中", true),
            ("Bo called", "bo", true),
        ] {
            assert_eq!(Heard::new(text).names(name), expected, "{name} in {text}");
        }
    }
}
