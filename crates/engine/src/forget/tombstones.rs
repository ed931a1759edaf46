//! What was forgotten does not come back: keyed hashes of whole texts, of files' bytes and places, of what was personal or
//! secret in them, and of names. Nobody can read a value out of them, and each door compares what comes in.

use super::names::{NAME_WORDS, begin_of_longer, each_longer, each_name, forms, trimmed};
use super::redact::{Work, is_long};
use crate::error::{Fault, Outcome, from_io, invalid};
use crate::{Caller, Engine};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use um_model::capture::Artifact;
use um_model::forget::{ForgetAllow, ForgetAllowed, RejectedKind};
use um_model::{AgentId, ApiError, EpochMs, ErrorCode, SpaceId};
use um_pii::{Kind, Rules};
use um_store::forget::{self, Rows};
use um_store::fts;
use um_store::keyed::Key;
use um_store::rejected::Said;
use um_store::{Connection, rejected};
use unicode_normalization::UnicodeNormalization;

/// What names one person or opens one door, wherever it stands. Names, places and days are borne by many.
const SENSITIVE: &[Kind] = &[
    Kind::Email,
    Kind::Phone,
    Kind::Card,
    Kind::Iban,
    Kind::BankAccount,
    Kind::UsSsn,
    Kind::NationalId,
    Kind::Passport,
    Kind::DriverLicence,
    Kind::Secret,
];
/// So many hashes are looked up at once.
const PORTION: usize = 1_000;

/// In whose name values are refused from now on, and where.
pub(super) struct Rejects<'a> {
    pub(super) space: &'a SpaceId,
    pub(super) forgetting: &'a str,
    pub(super) actor: &'a AgentId,
    pub(super) now: EpochMs,
}

/// A value to be refused: its kind, and its keyed hash.
pub(super) type Refused = (RejectedKind, String);

/// Refuses values from now on. Gives the hashes of those that were not refused before.
pub(super) fn reject(c: &Connection, values: &[Refused], by: &Rejects<'_>) -> Result<BTreeSet<String>, Fault> {
    let mut new = BTreeSet::new();
    for (kind, hmac) in values {
        let source = ("forgettings", by.forgetting);
        if rejected::reject(c, by.space, (*kind, hmac), source, by.actor, by.now)? {
            new.insert(hmac.clone());
        }
    }
    Ok(new)
}

/// Those of some hashes, refused in a space, for which something in these rows would be refused, if it came in now.
pub(super) fn said_by(
    c: &Connection,
    key: &Key,
    rows: &Rows,
    (space, refused): (&SpaceId, &BTreeSet<String>),
) -> Result<Vec<String>, Fault> {
    let spaces = std::slice::from_ref(space);
    let mut said = BTreeSet::new();
    let mut outcome = Ok(());
    forget::texts_of(c, rows, |spot, text| {
        let mut found = |hashes: &[String]| {
            said.extend(hashes.iter().filter(|hash| refused.contains(*hash)).cloned());
            Ok(())
        };
        if outcome.is_ok() {
            outcome = match (spot.kind, spot.column) {
                ("artifacts", "content_hash") => found(&[hmac(key, RejectedKind::Artifact, text)]),
                ("artifacts", "source_path") => found(&[hmac(key, RejectedKind::Uri, text)]),
                _ => Ok(()),
            }
            .and_then(|()| forms_of_name(text).iter().try_for_each(|form| hashes(c, key, spaces, form, &mut found)));
        }
    })?;
    outcome.map(|()| said.into_iter().collect())
}

fn refused(key: &Key, kind: RejectedKind, value: &str) -> Refused {
    (kind, hmac(key, kind, value))
}

/// Folded names, in each of their forms; of what is longer than is looked for everywhere, how it begins as well.
fn refused_names<'a>(key: &Key, names: impl Iterator<Item = &'a String>) -> Vec<Refused> {
    let all = names.flat_map(|name| forms(name).into_iter().chain(begin_of_longer(name).map(Cow::Owned)));
    all.map(|name| refused(key, RejectedKind::EntityName, &name)).collect()
}

/// A text as it is, and, where that differs, in plain letters: what is written in others is the same.
fn spelled(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let plain = Some(fts::plain(text)).filter(|plain| plain != text);
    [Cow::Borrowed(text)].into_iter().chain(plain)
}

fn hmac(key: &Key, kind: RejectedKind, value: &str) -> String {
    key.hmac(kind.as_str(), value)
}

/// What is refused in a space once some rows are forgotten. Reads all texts there, so it is asked before anything is written.
pub(super) fn of_rows(
    c: &Connection,
    key: &Key,
    rows: &Rows,
    (space, selector): (&SpaceId, &str),
) -> Result<Vec<Refused>, Fault> {
    let mut sensitive = BTreeMap::new();
    let mut whole = BTreeSet::new();
    let mut names = BTreeSet::new();
    forget::texts_of(c, rows, |spot, text| match (spot.kind, spot.column) {
        ("memories" | "evidence_events", "content") | ("derived_text_views", "text") => {
            whole.extend(spelled(text).map(|text| (RejectedKind::Content, normal(&text))));
            sensitive.extend(found_in(text));
        }
        ("artifacts", "content_hash") => drop(whole.insert((RejectedKind::Artifact, text.to_owned()))),
        ("artifacts", "source_path") => drop(whole.insert((RejectedKind::Uri, text.to_owned()))),
        ("entities", "name") | ("entity_aliases", "alias") if selector == "entity" => {
            names.insert(forget::folded(text));
        }
        _ => {}
    })?;
    let mut values: Vec<Refused> = whole.iter().map(|(kind, value)| refused(key, *kind, value)).collect();
    values.extend(not_elsewhere(c, key, (rows, space), &sensitive)?);
    let kept = forget::said_elsewhere(c, rows, space, &names)?;
    values.extend(refused_names(key, names.difference(&kept)));
    Ok(values)
}

/// What other texts say too is not refused: it is known here, and was not to be forgotten. Only those count where it is
/// refused: what is refused in a space tells nothing of another.
fn not_elsewhere(
    c: &Connection,
    key: &Key,
    (rows, space): (&Rows, &SpaceId),
    sensitive: &BTreeMap<String, String>,
) -> Result<Vec<Refused>, Fault> {
    let kept = forget::said_elsewhere(c, rows, space, &sensitive.keys().cloned().collect())?;
    let left = sensitive.iter().filter(|(said, _)| !kept.contains(*said));
    Ok(left.map(|(_, value)| refused(key, RejectedKind::DetectedValue, value)).collect())
}

/// What is refused once some of a memory or file is blacked out: the whole text or file as it was, and what names one person
/// or opens one door, where no other text says it.
pub(super) fn of_redacted(c: &Connection, key: &Key, work: &Work, space: &SpaceId) -> Result<Vec<Refused>, Fault> {
    let mut values = Vec::new();
    if let Some(text) = work.memory.content.as_deref().filter(|_| !work.accepted.words().is_empty()) {
        values.extend(spelled(text).map(|text| refused(key, RejectedKind::Content, &normal(&text))));
    }
    let mut rows = Rows::default();
    rows.add("memories", work.memory.id.as_str());
    if let Some(file) = &work.artifact {
        values.push(refused(key, RejectedKind::Artifact, &file.content_hash));
        rows.add("artifacts", file.id.as_str());
    }
    let all = forget::closure(c, &rows)?;
    let mut sensitive: BTreeMap<String, String> = work.said.iter().flat_map(|said| found_in(said)).collect();
    // A number that tells what it is by the label before it is found in its text only.
    for (text, spans) in &work.texts {
        let there = um_pii::find(text, &Rules::of(SENSITIVE)).into_iter();
        let there = there.filter(|found| spans.iter().any(|span| span.overlaps(found.span)));
        sensitive.extend(there.filter_map(|found| value_of(found.kind, found.span.slice(text)?)));
    }
    let kinds = work.stretches.iter().filter(|(stretch, _)| SENSITIVE.contains(&stretch.kind));
    sensitive.extend(kinds.filter_map(|(stretch, said)| value_of(stretch.kind, said)));
    values.extend(not_elsewhere(c, key, (&all, space), &sensitive)?);
    let marked = work.stretches.iter().filter(|(stretch, _)| stretch.is_marked);
    let marked: BTreeSet<String> = marked.filter_map(|(_, said)| as_name(said)).collect();
    let kept = forget::said_elsewhere(c, &all, space, &marked)?;
    values.extend(refused_names(key, marked.difference(&kept)));
    Ok(values)
}

/// A value of a kind: folded, as it is looked for in other texts, with its bare form.
fn value_of(kind: Kind, said: &str) -> Option<(String, String)> {
    let bare = bare(kind, said);
    (!bare.is_empty()).then(|| (forget::folded(said), bare))
}

/// Words that somebody marked, as they are looked for: as names are, by the first few of them. Short ones stand everywhere.
fn as_name(said: &str) -> Option<String> {
    let folded = forget::folded(&fts::joined(said));
    let first: Vec<&str> = folded.split(' ').take(NAME_WORDS).collect();
    let words = trimmed(&first.join(" ")).to_owned();
    is_long(&words).then_some(words)
}

/// What stands at these paths, which say themselves what was blacked out.
pub(super) fn of_paths(key: &Key, paths: &[PathBuf]) -> Vec<Refused> {
    paths.iter().map(|path| refused(key, RejectedKind::Uri, &crate::ingest::path_text(path))).collect()
}

/// A whole text, in the form in which two are the same.
fn normal(text: &str) -> String {
    text.trim().nfc().collect()
}

/// What is personal or secret in a text: folded, as it is looked for in other texts, with its bare form.
fn found_in(text: &str) -> BTreeMap<String, String> {
    let found = |text: Cow<'_, str>| {
        let found = um_pii::find(&text, &Rules::of(SENSITIVE));
        found.iter().filter_map(|one| value_of(one.kind, one.span.slice(&text)?)).collect::<Vec<_>>()
    };
    spelled(text).flat_map(found).collect()
}

/// So many digits at its end tell a telephone: what stands before them is written in many ways, and left out.
const PHONE: usize = 9;

/// A value in the form in which its spellings are one.
fn bare(kind: Kind, value: &str) -> String {
    match kind {
        Kind::Phone => {
            let digits: String = value.replace("(0)", "").chars().filter(char::is_ascii_digit).collect();
            digits[digits.len().saturating_sub(PHONE)..].to_owned()
        }
        Kind::Email | Kind::Secret => trimmed(&forget::folded(value)).to_owned(),
        _ => value.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect(),
    }
}

/// The shortest word that may be a secret without a label that says so, in bytes.
const SECRET: usize = 8;

/// The words of a folded text that may be secrets: those with digits in them.
fn may_be_secrets(folded: &str) -> impl Iterator<Item = &str> {
    let is_one = |word: &&str| word.len() >= SECRET && word.contains(|c: char| c.is_ascii_digit());
    folded.split([' ', '=', '"', '\'', '`']).map(trimmed).filter(is_one)
}

/// Calls `look` with the keyed hashes of all that some spaces could refuse a text for, in portions: a long text has many. What none
/// of them refuses anything of is not looked for.
fn hashes(
    c: &Connection,
    key: &Key,
    spaces: &[SpaceId],
    text: &str,
    mut look: impl FnMut(&[String]) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let hmac = |kind: RejectedKind, value: &str| hmac(key, kind, value);
    let mut portion = whole(key, text);
    let mut add = |hash: Option<String>| {
        portion.extend(hash.clone());
        if portion.len() >= PORTION || hash.is_none() {
            look(&portion)?;
            portion.clear();
        }
        Ok::<_, Fault>(())
    };
    let folded = forget::folded(text);
    let alike = forget::alike(&folded);
    if rejected::any(c, spaces, RejectedKind::DetectedValue)? {
        let found = found_in(text);
        let words = may_be_secrets(&folded).chain(alike.as_deref().into_iter().flat_map(may_be_secrets));
        for value in found.values().map(String::as_str).chain(words) {
            add(Some(hmac(RejectedKind::DetectedValue, value)))?;
        }
    }
    if rejected::any(c, spaces, RejectedKind::EntityName)? {
        let mut look = |name: &str| add(Some(hmac(RejectedKind::EntityName, name)));
        // Search finds a word whole that is broken at a line's end.
        let joined = text.contains("-\n").then(|| forget::folded(&fts::joined(text)));
        for text in [Some(&folded), joined.as_ref()].into_iter().flatten() {
            each_name(text, &mut look)?;
            each_longer(text, |begins| begun(c, key, spaces, begins), &mut look)?;
        }
    }
    add(None)
}

/// Which of these, by their places, begin a name that is refused. They are asked for here alone: how it begins refuses nothing by itself,
/// and is let in with nothing, as another name may begin so.
fn begun(c: &Connection, key: &Key, spaces: &[SpaceId], begins: &[String]) -> Result<Vec<usize>, Fault> {
    let hashes: Vec<String> = begins.iter().map(|begin| hmac(key, RejectedKind::EntityName, begin)).collect();
    let refused: BTreeSet<String> = rejected::refused(c, spaces, &hashes)?.into_iter().collect();
    Ok((0..hashes.len()).filter(|at| refused.contains(&hashes[*at])).collect())
}

const ALLOW_TEXT: &str = "To let this text in again: umem forget --allow TEXT, with the whole of it.";
const ALLOW_VALUE: &str =
    "It has a number, an address or a secret that was forgotten. To let that in again: umem forget --allow TEXT.";
const ALLOW_NAME: &str = "It has a name or words that were forgotten. To let these in again: umem forget --allow NAME.";
const ALLOW_FILE: &str = "To let it in again: umem forget --allow-file FILE.";
/// What stands between the words of a name that are not written apart.
const JOINS: [char; 5] = ['/', '\\', '_', '-', '.'];

fn refuse_hashes(c: &Connection, spaces: &[SpaceId], hashes: &[String]) -> Result<(), Fault> {
    let refused = rejected::refused(c, spaces, hashes)?;
    let Some(first) = refused.first() else { return Ok(()) };
    let hint = match rejected::kind_of(c, first)? {
        Some(RejectedKind::Artifact | RejectedKind::Uri) => ALLOW_FILE,
        Some(RejectedKind::DetectedValue) => ALLOW_VALUE,
        Some(RejectedKind::EntityName) => ALLOW_NAME,
        Some(RejectedKind::Content) | None => ALLOW_TEXT,
    };
    Err(ApiError::new(ErrorCode::Forgotten, "You asked to forget this, or something in it; it does not come in again.")
        .hint(hint)
        .into())
}

/// Refuses a text that was forgotten, or that holds what was.
pub(crate) fn refuse_text(c: &Connection, key: &Key, spaces: &[SpaceId], text: &str) -> Result<(), Fault> {
    hashes(c, key, spaces, text, |hashes| refuse_hashes(c, spaces, hashes))
}

/// Refuses a text that was forgotten as a whole.
pub(super) fn refuse_whole(c: &Connection, key: &Key, spaces: &[SpaceId], text: &str) -> Result<(), Fault> {
    refuse_hashes(c, spaces, &whole(key, text))
}

/// The hashes of a text as a whole.
fn whole(key: &Key, text: &str) -> Vec<String> {
    spelled(text).map(|text| hmac(key, RejectedKind::Content, &normal(&text))).collect()
}

/// Lets a text in that is read from a file whose bytes the person let in again, where it was forgotten with these. What else in it was
/// forgotten stays out.
pub(crate) fn let_in_with_file(engine: &Engine, file: &Artifact, text: &str) -> Outcome<()> {
    let key = engine.key();
    let (bytes, texts) = (hmac(key, RejectedKind::Artifact, &file.content_hash), whole(key, text));
    if !engine.read(|c| Ok(rejected::lacks_text(c, &bytes, &texts)?))? {
        return Ok(());
    }
    let now = engine.now();
    engine.write(move |tx| Ok(rejected::allow_texts(tx, &bytes, &texts, now).map(drop)?))
}

/// Refuses bytes of a file that was forgotten.
pub(crate) fn refuse_bytes(c: &Connection, key: &Key, spaces: &[SpaceId], sha256: &str) -> Result<(), Fault> {
    refuse_hashes(c, spaces, &[key.hmac(RejectedKind::Artifact.as_str(), sha256)])
}

/// Refuses what one of some spaces forgot, or what holds it, whatever says it.
pub(crate) fn refuse_said(c: &Connection, key: &Key, spaces: &[SpaceId], said: Said<'_>) -> Result<(), Fault> {
    match said {
        Said::Text(text) => refuse_text(c, key, spaces, text),
        Said::Name(name) => refuse_name(c, key, spaces, name),
        Said::Bytes(sha256) => refuse_bytes(c, key, spaces, sha256),
        Said::Path(path) => {
            refuse_hashes(c, spaces, &[key.hmac(RejectedKind::Uri.as_str(), path)])?;
            refuse_name(c, key, spaces, path)
        }
    }
}

/// Refuses what something is called by, in which words may be joined by other signs than blanks.
fn refuse_name(c: &Connection, key: &Key, spaces: &[SpaceId], name: &str) -> Result<(), Fault> {
    forms_of_name(name).iter().try_for_each(|form| refuse_text(c, key, spaces, form))
}

/// What something is called by, as it is, and with its words apart.
fn forms_of_name(name: &str) -> Vec<Cow<'_, str>> {
    let apart = name.contains(JOINS).then(|| Cow::Owned(name.replace(JOINS, " ")));
    [Cow::Borrowed(name)].into_iter().chain(apart).collect()
}

/// Lets something in again that was forgotten.
pub(crate) fn forget_allow(engine: &Engine, caller: &Caller, request: ForgetAllow) -> Outcome<ForgetAllowed> {
    let key = engine.key().clone();
    let hashes = match (&request.text, &request.path) {
        (Some(text), None) => engine.read(|c| {
            let mut all = Vec::new();
            let spaces = um_store::spaces::all(c)?.into_iter().chain(um_store::spaces::archived(c)?);
            let spaces: Vec<SpaceId> = spaces.map(|space| space.id).collect();
            hashes(c, &key, &spaces, text, |hashes| {
                all.extend_from_slice(hashes);
                Ok(())
            })?;
            Ok(all)
        })?,
        (None, Some(path)) => file_hashes(&key, Path::new(path))?,
        _ => return Err(invalid("Give the text or the file that is to come in again.")),
    };
    let (caller, now, is_file) = (caller.clone(), engine.now(), request.path.is_some());
    let allowed = engine.write(move |tx| {
        crate::access::may_act(tx, &caller)?;
        let mut allowed = rejected::allow(tx, &hashes, &caller.actor, now)?;
        // What it said was forgotten with it.
        allowed += if is_file { rejected::allow_with_file(tx, &hashes, &caller.actor, now)? } else { 0 };
        let payload = serde_json::json!({ "values": allowed });
        let global = SpaceId::global();
        Engine::audit(tx, &caller, "forgetting.allowed", ("rejected_values", ""), &global, payload, now)?;
        Ok(allowed as u64)
    })?;
    Ok(ForgetAllowed { allowed })
}

fn file_hashes(key: &Key, path: &Path) -> Outcome<Vec<String>> {
    let failed = |e: &std::io::Error| from_io("Reading", path, e);
    let mut file = std::fs::File::open(path).map_err(|e| failed(&e))?;
    let mut digest = Sha256::new();
    std::io::copy(&mut file, &mut digest).map_err(|e| failed(&e))?;
    let mut paths = vec![crate::ingest::path_text(path)];
    paths.extend(path.canonicalize().ok().map(|path| crate::ingest::path_text(&path)));
    let mut hashes = vec![key.hmac(RejectedKind::Artifact.as_str(), &format!("{:x}", digest.finalize()))];
    hashes.extend(paths.iter().map(|path| key.hmac(RejectedKind::Uri.as_str(), path)));
    Ok(hashes)
}

#[cfg(test)]
mod tests {
    use super::{as_name, bare, found_in, may_be_secrets};
    use std::collections::BTreeSet;
    use um_pii::Kind;

    #[test]
    fn short_words_are_no_names() {
        for (said, expected) in [
            ("Bo", None),
            ("Anna", Some("anna")),
            ("Zep-\npelin", Some("zeppelin")),
            ("中", None),
            ("田中", Some("田中")),
            ("では", None),
            ("…", None),
        ] {
            assert_eq!(as_name(said).as_deref(), expected, "{said}");
        }
    }

    #[test]
    fn what_is_sensitive_is_known_in_full_width_letters() {
        let check = |text: &str| {
            let found: BTreeSet<String> = found_in(text).into_values().collect();
            assert!(found.contains("ana@ruiz.example"), "{text}: {found:?}");
        };
        check("Ana Ruiz, ana@ruiz.example");
        check("Ana Ruiz, ａｎａ＠ｒｕｉｚ．ｅｘａｍｐｌｅ");
    }

    #[test]
    fn what_many_bear_is_not_sensitive() {
        let found: Vec<String> = found_in("Ana Ruiz, Madrid, ana@ruiz.example").into_keys().collect();
        assert_eq!(found, ["ana@ruiz.example"]);
    }

    #[test]
    fn spellings_of_a_value_are_one() {
        let check = |kind: Kind, spellings: &[&str]| {
            let bare: BTreeSet<String> = spellings.iter().map(|value| bare(kind, value)).collect();
            assert_eq!(bare.len(), 1, "{bare:?}");
        };
        check(
            Kind::Phone,
            &["+44 20 7946 0958", "+442079460958", "+44 (0)20 7946 0958", "0044 20 79460958", "020 7946 0958"],
        );
        check(Kind::Card, &["5555 5555 5555 4444", "5555555555554444", "5555-5555-5555-4444"]);
        check(Kind::Iban, &["GB29 NWBK 6016 1331 9268 19", "gb29nwbk60161331926819"]);
        check(Kind::Secret, &["Tr0ub4dor-Xk9z-77.", "tr0ub4dor-xk9z-77"]);
        assert_ne!(bare(Kind::Phone, "+44 20 7946 0958"), bare(Kind::Phone, "+44 20 7946 0959"));
    }

    #[test]
    fn a_secret_is_known_without_its_label() {
        let words: Vec<&str> = may_be_secrets("key again: sk-live-ab91cd (and password=\"tr0ub4dor-77.\")").collect();
        assert_eq!(words, ["sk-live-ab91cd", "tr0ub4dor-77"]);
    }
}
