//! Searching for what was forgotten: in every column and index of the database, and in every byte of the data folder. The
//! strings that are looked for live in memory alone, and as long as the search takes.

use super::redact::is_long;
use crate::error::{Fault, Outcome, from_io};
use crate::ingest::blobs;
use crate::{Caller, Engine};
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::Path;
use um_model::forget::{ForgetLeft, ForgetProof};
use um_store::Connection;
use um_store::forget::{self, Rows};
use um_store::fts;
use um_store::strings::Strings;
use unicode_normalization::UnicodeNormalization;

/// At most so many strings are looked for.
const MOST: usize = 4_000;
/// At most so many stretches of stored files are.
const MOST_BYTES: usize = 1_000;
/// A stretch of a file has so many different bytes.
const VARIED: usize = 16;
/// So many of one text, evenly spread.
const OF_A_TEXT: usize = 8;
/// A string has at most so many bytes, and at least so many: shorter ones stand somewhere by chance.
const LENGTH: std::ops::RangeInclusive<usize> = 8..=40;
/// At most so many short words of what was forgotten are looked for.
const MOST_SHORT: usize = 200;
/// Columns that say where something lies, and such as may.
const PATHS: &[&str] = &["source_path", "path", "rel_path", "root_path", "folders"];
const MAY_BE_PATHS: &[&str] = &["metadata", "uri", "parent_uri"];
/// Of so many strings that are left it is told where they stand.
const TOLD: usize = 20;
/// Folders whose files are named by hashes of what they hold, or by agents: a report names the folder alone.
const NAMED_ALONE: &[&str] = &["blobs", "agents"];
/// Folders of the data folder that hold nothing of the person's.
const NOT_SEARCHED: &[&str] = &["models"];

/// Strings of what was forgotten.
#[derive(Default)]
pub(super) struct Probes {
    strings: Vec<String>,
    /// Stretches of stored files: what is compressed in these is said by no string.
    bytes: Vec<Vec<u8>>,
    /// Words that are too short to be looked for byte by byte, and [long enough](is_long) to say something: they are looked for in `own`,
    /// as whole words.
    short: Vec<String>,
    /// The rows that said them: nothing excuses it where these still do.
    own: Rows,
}

impl Probes {
    /// Takes strings out of all that some rows say; of where something lies, only what was named: see [`named_parts`].
    pub(super) fn of(c: &Connection, rows: &Rows, folder: Option<&str>) -> Result<Self, Fault> {
        let folder: Vec<&str> = folder.map(components).unwrap_or_default();
        let mut by_kind: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut short = BTreeSet::new();
        forget::texts_of(c, rows, |spot, text| {
            let strings = by_kind.entry(spot.kind.to_owned()).or_default();
            if strings.len() < MOST {
                let is_path = |piece: &str| {
                    PATHS.contains(&spot.column) || (MAY_BE_PATHS.contains(&spot.column) && is_absolute(piece))
                };
                match text.split('"').any(is_path) {
                    true => text.split('"').for_each(|piece| match is_path(piece) {
                        true => strings.extend(named_parts(piece, &folder)),
                        false => strings.extend(parts(piece)),
                    }),
                    false => strings.extend(parts(text)),
                }
            }
            if short.len() < MOST_SHORT && rows.has(spot.kind, spot.id) {
                short.extend(short_words(text));
            }
        })?;
        let mut bytes = BTreeSet::new();
        forget::stored_bytes(c, Some(rows), |file| {
            if bytes.len() < MOST_BYTES {
                bytes.extend(stretches(file));
            }
        })?;
        let (bytes, strings) = (bytes.into_iter().collect(), spread(by_kind.into_values()));
        Ok(Self { strings, bytes, short: short.into_iter().collect(), own: rows.clone() })
    }

    /// Looks for these words of some rows.
    pub(super) fn of_values(values: &[String], own: Rows) -> Self {
        let (long, short): (Vec<&String>, Vec<&String>) =
            values.iter().partition(|value| value.len() >= *LENGTH.start());
        Self {
            strings: long.into_iter().take(MOST).cloned().collect(),
            bytes: Vec::new(),
            short: short.into_iter().filter(|value| is_long(value)).map(|value| forget::folded(value)).collect(),
            own,
        }
    }

    /// Without rows that stay: what these say is said elsewhere.
    pub(super) fn without(self, stays: &Rows) -> Self {
        Self { own: self.own.without(stays), ..self }
    }

    /// Searches every file of the data folder for the strings, as UTF-8 and as UTF-16; an encrypted database as it is
    /// without encryption. What is found counts as left, unless rows beside `own` say it, which were not to be forgotten, or full
    /// text holds it of such rows in its own form.
    pub(super) fn search(&self, engine: &Engine) -> Outcome<ForgetProof> {
        let searched = (self.strings.len() + self.bytes.len() + self.short.len()) as u64;
        let mut proof = ForgetProof { searched, ..ForgetProof::default() };
        let found = self.in_files(engine, &mut proof)?;
        let own = match !found.is_empty() || !self.short.is_empty() {
            true => engine.read(|c| self.in_own(c))?,
            false => BTreeMap::new(),
        };
        // Everything is read, so it is asked only where something was found.
        let mut elsewhere = match found.is_empty() {
            true => BTreeSet::new(),
            false => engine.read(|c| self.in_others(c))?,
        };
        let unsaid: BTreeSet<usize> = found.keys().copied().filter(|number| !elsewhere.contains(number)).collect();
        if !unsaid.is_empty() {
            elsewhere.extend(self.in_indexes(engine, &unsaid)?);
        }
        let in_rows = |number: usize| {
            let times = own.get(&number).copied().unwrap_or_default();
            Files::from([(named(engine.data_dir(), engine.store().path()), times)])
        };
        for (number, files) in found {
            let is_said = elsewhere.contains(&number);
            proof.said_elsewhere += u64::from(is_said);
            is_left(&mut proof, number, if is_said { in_rows(number) } else { files });
        }
        for number in (self.first_short()..).take(self.short.len()) {
            is_left(&mut proof, number, in_rows(number));
        }
        Ok(proof)
    }

    /// Strings are numbered first, then stretches of bytes, then short words.
    fn first_short(&self) -> usize {
        self.strings.len() + self.bytes.len()
    }

    /// The strings that stand in files, by their numbers.
    fn in_files(&self, engine: &Engine, proof: &mut ForgetProof) -> Outcome<BTreeMap<usize, Files>> {
        let mut found: BTreeMap<usize, Files> = BTreeMap::new();
        let (forms, of) = self.forms();
        let forms = Strings::new(forms);
        let walk = ignore::WalkBuilder::new(engine.data_dir())
            .standard_filters(false)
            .filter_entry(|entry| entry.depth() != 1 || !NOT_SEARCHED.iter().any(|name| entry.file_name() == *name))
            .build();
        for entry in walk.filter_map(Result::ok).filter(|entry| entry.file_type().is_some_and(|t| t.is_file())) {
            let failed = |error: &std::io::Error| from_io("Searching", entry.path(), error);
            let file = match engine.store().raw(entry.path()) {
                Ok(file) => file,
                // A file of another moment: a socket's, or one that a job had for a while.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) => return Err(failed(&error)),
            };
            proof.files += 1;
            // The large files that are there are others, which may have parts alike, as a font.
            let is_other = entry.path().starts_with(blobs::folder(engine.data_dir()));
            let counts = |number: usize| number < self.strings.len() || !is_other;
            let mut here: BTreeMap<usize, u64> = BTreeMap::new();
            let count = |form: usize| {
                if counts(of[form]) {
                    *here.entry(of[form]).or_default() += 1;
                }
            };
            proof.bytes += forms.find_in(file, count).map_err(|error| failed(&error))?;
            for (number, times) in here {
                let files = found.entry(number).or_default();
                *files.entry(named(engine.data_dir(), entry.path())).or_default() += times;
            }
        }
        Ok(found)
    }

    /// The bytes that the strings can stand as, each with its string's number.
    fn forms(&self) -> (Vec<Vec<u8>>, Vec<usize>) {
        let wide = |form: &String| form.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let spelled = self.strings.iter().enumerate().flat_map(|(number, string)| {
            spellings(string).into_iter().flat_map(move |form| [(wide(&form), number), (form.into_bytes(), number)])
        });
        spelled.chain(self.bytes.iter().cloned().zip(self.strings.len()..)).unzip()
    }

    /// How often the rows that are to say nothing of it any more say each string.
    fn in_own(&self, c: &Connection) -> Result<BTreeMap<usize, u64>, Fault> {
        let (forms, of) = self.forms();
        let forms = Strings::new(forms);
        let mut own = BTreeMap::new();
        let mut look = |text: &str, is_own: bool| {
            let said: BTreeSet<usize> = numbers(&forms, &of, text);
            let text = forget::folded(text);
            // A column that is a kind of its own, as the name of an agent is, may stay where the rest of its row goes.
            let words = self.short.iter().filter(|_| is_own);
            let short = (self.first_short()..).zip(words).filter(|(_, word)| forget::says(&text, word));
            for number in said.into_iter().chain(short.map(|(number, _)| number)) {
                *own.entry(number).or_default() += 1;
            }
        };
        forget::texts_of(c, &self.own, |spot, text| look(text, self.own.has(spot.kind, spot.id)))?;
        forget::indexed_texts(c, &self.own, |text| look(text, true))?;
        Ok(own)
    }

    /// Which strings other rows say, or the product itself.
    fn in_others(&self, c: &Connection) -> Result<BTreeSet<usize>, Fault> {
        let (forms, of) = self.forms();
        let forms = Strings::new(forms);
        let mut elsewhere = BTreeSet::new();
        forget::texts(c, |spot, text| {
            if !self.own.has(spot.kind, spot.id) {
                elsewhere.extend(numbers(&forms, &of, text));
            }
        })?;
        forget::kept_words(c, |text| elsewhere.extend(numbers(&forms, &of, text)))?;
        forget::stored_bytes(c, None, |file| {
            forms.find(file, |form, _| {
                elsewhere.insert(of[form]);
            });
        })?;
        Ok(elsewhere)
    }

    /// Which strings full text holds of rows beside `own` in its own form: in a text as it is indexed, or within one word of its index.
    /// Whole indexes are read, so it is asked of those alone that no row says.
    fn in_indexes(&self, engine: &Engine, unsaid: &BTreeSet<usize>) -> Outcome<BTreeSet<usize>> {
        let (forms, of) = self.forms();
        let forms = Strings::new(forms);
        let look = |c: &Connection| -> Result<BTreeSet<usize>, Fault> {
            let mut held = BTreeSet::new();
            forget::indexed_texts_beside(c, &self.own, |text| held.extend(numbers(&forms, &of, text)))?;
            let is_asked = |word: &str| !numbers(&forms, &of, word).is_disjoint(unsaid);
            let words = forget::indexed_words_beside(c, &self.own, is_asked)?;
            held.extend(words.iter().flat_map(|word| numbers(&forms, &of, word)));
            Ok(held)
        };
        engine.store().inspect(look).map_err(Fault::into)
    }
}

/// How often a string stands in which file, as a report [names](named) it.
type Files = BTreeMap<String, u64>;

/// Where a file lies in the data folder.
fn named(data_dir: &Path, file: &Path) -> String {
    let path = file.strip_prefix(data_dir).unwrap_or(file);
    let folder = NAMED_ALONE.iter().find(|folder| path.starts_with(folder));
    folder.map_or_else(|| path.display().to_string(), |folder| (*folder).to_owned())
}

/// Counts a string as left, as often as it stands there.
fn is_left(proof: &mut ForgetProof, number: usize, files: Files) {
    let times = files.values().sum();
    if times > 0 && proof.left_in.len() < TOLD {
        let files = files.into_keys().collect();
        proof.left_in.push(ForgetLeft { string: number as u64 + 1, times, files });
    }
    proof.left += times;
}

/// The first of each, then the second of each, as many as are looked for: of a large forgetting, some of every kind.
fn spread(sets: impl Iterator<Item = BTreeSet<String>>) -> Vec<String> {
    let mut left: Vec<_> = sets.map(BTreeSet::into_iter).collect();
    let mut spread = BTreeSet::new();
    while spread.len() < MOST {
        let round: Vec<String> = left.iter_mut().filter_map(Iterator::next).collect();
        if round.is_empty() {
            break;
        }
        spread.extend(round);
    }
    spread.into_iter().collect()
}

/// Which strings a text has.
fn numbers(forms: &Strings, of: &[usize], text: &str) -> BTreeSet<usize> {
    let mut numbers = BTreeSet::new();
    forms.find(text.as_bytes(), |form, _| {
        numbers.insert(of[form]);
    });
    numbers
}

/// The ways in which a string can be written: letters beyond ASCII in both cases, whole and in parts, and as they are indexed.
fn spellings(string: &str) -> BTreeSet<String> {
    if string.is_ascii() {
        return [string.to_owned()].into();
    }
    let cases = [string.to_owned(), string.to_lowercase(), string.to_uppercase()];
    let forms = |case: &String| [case.clone(), case.nfc().collect(), case.nfd().collect(), fts::indexed_form(case)];
    cases.iter().flat_map(forms).collect()
}

/// What of a proof a caller is told. An agent is not told what other spaces say, nor how much the data folder holds.
pub(super) fn told(caller: &Caller, proof: ForgetProof) -> ForgetProof {
    match caller.is_agent() {
        true => ForgetProof { said_elsewhere: 0, files: 0, bytes: 0, rewritten: false, left_in: Vec::new(), ..proof },
        false => proof,
    }
}

/// Some stretches of a file, evenly spread. Those with few different bytes stand in many files.
fn stretches(file: &[u8]) -> Vec<Vec<u8>> {
    let step = (file.len() / (OF_A_TEXT + 1)).max(1);
    let spread = (1..=OF_A_TEXT).filter_map(|number| file.get(number * step..number * step + LENGTH.end()));
    let varied = |stretch: &&[u8]| stretch.iter().collect::<BTreeSet<_>>().len() >= VARIED;
    spread.filter(varied).map(<[u8]>::to_vec).collect()
}

/// Some parts of a text: its whole where it is short, else stretches that begin with a word, evenly spread. What is said
/// on several lines is cut at their ends, as no two places set them alike.
fn parts(text: &str) -> Vec<String> {
    let mut starts: Vec<usize> = Vec::new();
    let mut parts = Vec::new();
    for line in text.split(['\n', '\r', '\t', '"']).map(str::trim).filter(|line| line.len() >= *LENGTH.start()) {
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        starts.push(at);
        let words = line.match_indices(' ').map(|(space, _)| at + space + 1);
        starts.extend(words.filter(|start| at + line.len() - start >= *LENGTH.end()));
    }
    let step = starts.len().div_ceil(OF_A_TEXT).max(1);
    for start in starts.into_iter().step_by(step) {
        let rest = text[start..].split(['\n', '\r', '\t', '"']).next().unwrap_or_default();
        let mut end = rest.len().min(*LENGTH.end());
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let part = rest[..end].trim();
        if part.len() >= *LENGTH.start() && !has_id(part) {
            parts.push(part.to_owned());
        }
    }
    parts
}

/// The lines of a text that are too short to be looked for byte by byte and say something all the same: a word of a script in which a
/// few signs say as much as many letters.
fn short_words(text: &str) -> impl Iterator<Item = String> {
    let is_short = |line: &&str| line.len() < *LENGTH.start() && line.contains(fts::is_unspaced) && is_long(line);
    text.split(['\n', '\r', '\t', '"']).map(str::trim).filter(is_short).map(forget::folded)
}

/// What a path goes through, without what begins it.
fn components(path: &str) -> Vec<&str> {
    path.trim_start_matches("file://").split(['/', '\\']).filter(|name| !name.is_empty()).collect()
}

/// Whether a text says where something lies, from the root on.
fn is_absolute(text: &str) -> bool {
    let drive = |text: &str| text.get(1..3).is_some_and(|sign| matches!(sign, ":/" | ":\\"));
    text.starts_with(['/', '\\']) || text.starts_with("file://") || drive(text)
}

/// Strings out of a path: a file's own name, and of what lies in the folder that was named, all from that folder's name on.
/// What lies above stands in the paths of everything else, as the name of the person's home does. A name that is too short to
/// be looked for alone is looked for with the folder that it is in.
fn named_parts(path: &str, folder: &[&str]) -> Vec<String> {
    let all = components(path);
    let Some(last) = all.last() else { return Vec::new() };
    // A path that is told from a watched folder on goes on where that one's ends.
    let shared =
        (1..=folder.len().min(all.len())).rev().find(|shared| folder[folder.len() - shared..] == all[..*shared]);
    let is_beneath = shared == Some(folder.len()) || (!folder.is_empty() && !is_absolute(path));
    let named = match is_beneath {
        true => &all[shared.unwrap_or(1) - 1..],
        false => &all[all.len() - 1..],
    };
    let mut found: Vec<String> = named.iter().flat_map(|name| parts(name)).collect();
    if last.len() < *LENGTH.start() && all.len() > 1 {
        let path = path.trim_end_matches(['/', '\\']);
        let at = path[..path.len() - last.len()].rfind(all[all.len() - 2]).unwrap_or_default();
        found.extend(parts(&path[at..]));
    }
    found
}

/// Ids stay: rows keep theirs. The first stretch of one that was cut has at least three of its hyphens, each at its place.
fn has_id(text: &str) -> bool {
    let hyphens = |word: &str| word.char_indices().filter(|(_, c)| *c == '-').map(|(at, _)| at).collect::<Vec<_>>();
    text.split(|c: char| !c.is_ascii_hexdigit() && c != '-')
        .any(|word| matches!(hyphens(word)[..], [8, 13, 18] | [8, 13, 18, 23]))
}

#[cfg(test)]
mod tests {
    use super::{MOST, Probes, components, named_parts, parts, short_words, spellings, spread};
    use std::collections::BTreeSet;
    use um_store::forget::Rows;

    #[test]
    fn short_words_that_say_something_are_looked_for_in_their_rows() {
        for (text, of_text, of_value) in [
            ("田中", &["田中"][..], &["田中"][..]),
            ("田中A", &["田中a"], &["田中a"]),
            ("中", &[], &[]),
            ("では", &[], &[]),
            ("Bo", &[], &[]),
            // In letters, names stand in sentences, which are looked for.
            ("Anna", &[], &["anna"]),
            ("明日田中さんが来る", &[], &[]),
        ] {
            assert_eq!(short_words(text).collect::<Vec<_>>(), of_text, "{text}");
            assert_eq!(Probes::of_values(&[text.to_owned()], Rows::default()).short, of_value, "{text}");
        }
        assert_eq!(short_words("田中\n会議\r\nnotes of May").collect::<Vec<_>>(), ["田中", "会議"]);
    }

    #[test]
    fn some_of_every_kind_are_looked_for() {
        let many: BTreeSet<String> = (0..MOST * 2).map(|number| format!("memory {number}")).collect();
        let few: BTreeSet<String> = ["file a".to_owned(), "file b".to_owned()].into();
        let spread = spread([many, few].into_iter());
        assert!(
            spread.len() <= MOST + 1 && ["file a", "file b"].iter().all(|file| spread.contains(&(*file).to_owned()))
        );
    }

    #[test]
    fn letters_beyond_ascii_are_looked_for_in_every_form() {
        for form in ["Ärger", "ärger", "ÄRGER", "A\u{308}rger", "a\u{308}rger"] {
            assert!(spellings("Ärger").contains(form), "{form}");
        }
        assert_eq!(spellings("plain").len(), 1);
    }

    #[test]
    fn parts_are_long_enough_and_few() {
        assert_eq!(parts("short"), Vec::<String>::new());
        assert_eq!(parts("just long enough"), ["just long enough"]);
        assert_eq!(parts(r#"{"claim":"0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b","was":"something"}"#), ["something"]);
        assert_eq!(parts("first line here\nsecond line here"), ["first line here", "second line here"]);
        let long = "words and more words é ".repeat(500);
        let found = parts(&long);
        assert!(found.len() <= 8 && found.iter().all(|part| long.contains(part) && part.len() <= 40), "{found:?}");
    }

    #[test]
    fn of_a_path_only_what_was_named_is_looked_for() {
        let (file, folder) = ("/home/anamaria/letters to her/2024/notes on quince.md", "/home/anamaria/letters to her");
        for (path, folder, expected) in [
            (file, None, &["notes on quince.md"][..]),
            (file, Some(folder), &["letters to her", "notes on quince.md"]),
            (file, Some("/home/anamaria"), &["anamaria", "letters to her", "notes on quince.md"]),
            (file, Some("/home/benjamin"), &["notes on quince.md"]),
            ("/home/anamaria/letters to her", Some(folder), &["letters to her"]),
            ("letters to her/notes on quince.md", None, &["notes on quince.md"]),
            ("2024-08-01/notes on quince.md", Some(folder), &["2024-08-01", "notes on quince.md"]),
            (
                "old papers/letters to her/x.md",
                Some("/home/anamaria/old papers/letters to her"),
                &["letters to her", "letters to her/x.md"],
            ),
            ("/home/anamaria/a.md", None, &["anamaria/a.md"]),
            (r"C:\Users\anamaria\notes on quince.md", None, &["notes on quince.md"]),
            (r"C:\Users\anamaria\papers\b.txt", Some(r"C:\Users\anamaria"), &["anamaria", r"papers\b.txt"]),
            ("file:///home/anamaria/notes on quince.md", Some("/home/anamaria/"), &["anamaria", "notes on quince.md"]),
            ("/", None, &[]),
        ] {
            let folder = folder.map(components).unwrap_or_default();
            assert_eq!(named_parts(path, &folder), expected, "{path}");
        }
    }
}
