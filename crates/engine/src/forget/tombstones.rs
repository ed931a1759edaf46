//! What was forgotten does not come back: keyed hashes of whole texts, of files' bytes and places, of what was personal or
//! secret in them, and of names. Nobody can read a value out of them, and each door compares what comes in.

use super::redact::Work;
use crate::error::{Fault, Outcome, from_io, invalid};
use crate::{Caller, Engine};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::Path;
use um_model::forget::{ForgetAllow, ForgetAllowed, RejectedKind};
use um_model::{AgentId, ApiError, EpochMs, ErrorCode, SpaceId};
use um_pii::{Kind, Rules};
use um_store::forget::{self, Rows};
use um_store::keyed::Key;
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
/// The longest name that is looked for in a text, in words.
const NAME_WORDS: usize = 6;

/// In whose name values are refused from now on, and where.
pub(super) struct Rejects<'a> {
    pub(super) key: &'a Key,
    pub(super) space: &'a SpaceId,
    pub(super) selector: &'a str,
    pub(super) forgetting: &'a str,
    pub(super) actor: &'a AgentId,
    pub(super) now: EpochMs,
}

impl Rejects<'_> {
    fn reject(&self, c: &Connection, kind: RejectedKind, value: &str) -> Result<(), Fault> {
        let hmac = self.key.hmac(kind.as_str(), value);
        let source = ("forgettings", self.forgetting);
        Ok(rejected::reject(c, self.space, (kind, &hmac), source, self.actor, self.now)?)
    }
}

/// Refuses, from now on, what some rows say.
pub(super) fn reject(c: &Connection, rows: &Rows, by: &Rejects<'_>) -> Result<(), Fault> {
    let mut sensitive = BTreeSet::new();
    let mut whole = BTreeSet::new();
    let mut names = BTreeSet::new();
    forget::texts_of(c, rows, |spot, text| match (spot.kind, spot.column) {
        ("memories" | "evidence_events", "content") => {
            whole.insert((RejectedKind::Content, normal(text)));
            sensitive.extend(found_in(text));
        }
        ("derived_text_views", "text") => sensitive.extend(found_in(text)),
        ("artifacts", "content_hash") => drop(whole.insert((RejectedKind::Artifact, text.to_owned()))),
        ("artifacts", "source_path") => drop(whole.insert((RejectedKind::Uri, text.to_owned()))),
        ("entities", "name") | ("entity_aliases", "alias") => drop(names.insert(forget::folded(text))),
        _ => {}
    })?;
    for (kind, value) in &whole {
        by.reject(c, *kind, value)?;
    }
    // What other texts say too is not refused: it is known here, and was not to be forgotten.
    let mut kept = forget::said_elsewhere(c, rows, &sensitive)?;
    sensitive.retain(|value| !kept.contains(value));
    for value in &sensitive {
        by.reject(c, RejectedKind::DetectedValue, value)?;
    }
    if by.selector == "entity" {
        kept = forget::said_elsewhere(c, rows, &names)?;
        for name in names.iter().filter(|name| !kept.contains(*name)) {
            by.reject(c, RejectedKind::EntityName, name)?;
        }
    }
    Ok(())
}

/// Refuses, from now on, what was blacked out: the whole text or file as it was, and what names one person or opens one
/// door, where no other text says it.
pub(super) fn reject_redacted(c: &Connection, work: &Work, by: &Rejects<'_>) -> Result<(), Fault> {
    if let Some(text) = work.memory.content.as_deref().filter(|_| !work.accepted.words.is_empty()) {
        by.reject(c, RejectedKind::Content, &normal(text))?;
    }
    let mut rows = Rows::default();
    rows.add("memories", work.memory.id.as_str());
    if let Some(file) = &work.artifact {
        by.reject(c, RejectedKind::Artifact, &file.content_hash)?;
        rows.add("artifacts", file.id.as_str());
    }
    let all = forget::closure(c, &rows)?;
    let sensitive: BTreeSet<String> = work.said.iter().flat_map(|said| found_in(said)).collect();
    let kept = forget::said_elsewhere(c, &all, &sensitive)?;
    for value in sensitive.difference(&kept) {
        by.reject(c, RejectedKind::DetectedValue, value)?;
    }
    Ok(())
}

/// A whole text, in the form in which two are the same.
fn normal(text: &str) -> String {
    text.trim().nfc().collect()
}

/// What is personal or secret in a text, folded.
fn found_in(text: &str) -> BTreeSet<String> {
    um_pii::find(text, &Rules::of(SENSITIVE))
        .iter()
        .filter_map(|finding| finding.span.slice(text))
        .map(forget::folded)
        .collect()
}

/// The keyed hashes of all that a text could be refused for.
fn hashes(c: &Connection, key: &Key, text: &str) -> Result<Vec<String>, Fault> {
    let hmac = |kind: RejectedKind, value: &str| key.hmac(kind.as_str(), value);
    let mut hashes = vec![hmac(RejectedKind::Content, &normal(text))];
    if rejected::any(c, RejectedKind::DetectedValue)? {
        hashes.extend(found_in(text).iter().map(|value| hmac(RejectedKind::DetectedValue, value)));
    }
    if rejected::any(c, RejectedKind::EntityName)? {
        hashes.extend(names_in(text).iter().map(|name| hmac(RejectedKind::EntityName, name)));
    }
    Ok(hashes)
}

/// All that could be a name in a text: stretches of one to a few words, without the signs around them.
fn names_in(text: &str) -> BTreeSet<String> {
    let folded = forget::folded(text);
    let words: Vec<&str> = folded.split(' ').collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let mut names = BTreeSet::new();
    for start in 0..words.len() {
        for length in 1..=NAME_WORDS.min(words.len() - start) {
            names.insert(bare(&words[start..start + length].join(" ")));
        }
        // "Ana's" names Ana.
        if let Some((before, _)) = words[start].split_once(['\'', '’']) {
            names.insert(bare(before));
        }
    }
    names
}

fn refuse(c: &Connection, space: &SpaceId, hashes: &[String], hint: String) -> Result<(), Fault> {
    if rejected::refused(c, space, hashes)?.is_empty() {
        return Ok(());
    }
    Err(ApiError::new(ErrorCode::Forgotten, "You asked to forget this, or something in it; it does not come in again.")
        .hint(hint)
        .into())
}

/// Refuses a text that was forgotten, or that holds what was.
pub(crate) fn refuse_text(c: &Connection, key: &Key, space: &SpaceId, text: &str) -> Result<(), Fault> {
    let hashes = hashes(c, key, text)?;
    refuse(c, space, &hashes, "To let it in again: umem forget --allow TEXT.".to_owned())
}

/// Refuses a file whose bytes or place were forgotten.
pub(crate) fn refuse_file(engine: &Engine, space: &SpaceId, sha256: &str, path: Option<&str>) -> Outcome<()> {
    let key = engine.key();
    let mut hashes = vec![key.hmac(RejectedKind::Artifact.as_str(), sha256)];
    hashes.extend(path.map(|path| key.hmac(RejectedKind::Uri.as_str(), path)));
    engine.read(|c| refuse(c, space, &hashes, "To let it in again: umem forget --allow-file FILE.".to_owned()))
}

/// Whether what comes from a path is refused, so that it need not be read.
pub(crate) fn refuse_path(engine: &Engine, space: &SpaceId, path: &str) -> Outcome<bool> {
    let hashes = [engine.key().hmac(RejectedKind::Uri.as_str(), path)];
    engine.read(|c| Ok(!rejected::refused(c, space, &hashes)?.is_empty()))
}

/// Lets something in again that was forgotten.
pub(crate) fn forget_allow(engine: &Engine, caller: &Caller, request: ForgetAllow) -> Outcome<ForgetAllowed> {
    super::may_forget(caller)?;
    let key = engine.key().clone();
    let hashes = match (&request.text, &request.path) {
        (Some(text), None) => engine.read(|c| hashes(c, &key, text))?,
        (None, Some(path)) => file_hashes(&key, Path::new(path))?,
        _ => return Err(invalid("Give the text or the file that is to come in again.")),
    };
    let (caller, now) = (caller.clone(), engine.now());
    let allowed = engine.write(move |tx| {
        crate::access::may_act(tx, &caller)?;
        let allowed = rejected::allow(tx, &hashes, &caller.actor, now)?;
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
    use super::{found_in, names_in};

    #[test]
    fn names_are_found_however_they_stand() {
        let names = names_in("Yesterday (Ana  RUIZ) met Bo's friend.");
        for name in ["ana ruiz", "ana", "bo", "friend"] {
            assert!(names.contains(name), "{name}: {names:?}");
        }
    }

    #[test]
    fn what_many_bear_is_not_sensitive() {
        assert_eq!(
            found_in("Ana Ruiz, Madrid, ana@ruiz.example").into_iter().collect::<Vec<_>>(),
            ["ana@ruiz.example"]
        );
    }
}
