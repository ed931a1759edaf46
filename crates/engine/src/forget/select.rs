//! What is to be forgotten, as rows, and as a person sees it.

use crate::Caller;
use crate::error::{Fault, invalid, not_found};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use um_model::forget::{ForgetSample, ForgetWhat, called};
use um_model::{ApiError, EntityId, ErrorCode, SpaceId};
use um_store::forget::{self, Rows, Seen};
use um_store::fts::is_unspaced;
use um_store::keyed::Key;
use um_store::{Connection, StoreError, held};

/// The fewest characters that are looked for: shorter words stand everywhere. In scripts without spaces a word may have two.
const SHORTEST_QUERY: usize = 3;
/// At most so many things are shown of each kind.
const SAMPLES: usize = 10;
/// At most so many characters of each.
const SAMPLE_LENGTH: usize = 100;
/// So many saved searches that stay are named.
const NAMED_SEARCHES: usize = 5;
/// So many spellings are told.
const SPELLINGS: usize = 5;
/// At most so many files on disk are looked for.
const ON_DISK: usize = 5;

/// What is shown as things of their own; the rest is made of them.
const THINGS: &[(&str, &str, &str)] = &[
    ("memories", "memory", "SELECT id, space_id, coalesce(title, summary, content, '') FROM memories"),
    ("artifacts", "file", "SELECT id, space_id, ifnull(original_filename, '') FROM artifacts"),
    ("claims", "fact", "SELECT id, space_id, statement FROM claims"),
    ("entities", "name", "SELECT id, space_id, name FROM entities"),
    ("evidence_events", "event", "SELECT id, space_id, content FROM evidence_events"),
    ("sessions", "session", "SELECT id, space_id, coalesce(name, purpose, '') FROM sessions"),
    ("entries", "entry", "SELECT id, space_id, name FROM entries"),
    ("core_blocks", "block", "SELECT id, space_id, label FROM core_blocks"),
    ("workspace_resources", "resource", "SELECT id, space_id, title FROM workspace_resources"),
    ("saved_searches", "search", "SELECT id, space_id, name FROM saved_searches"),
    ("watch_folders", "watched folder", "SELECT id, space_id, path FROM watch_folders"),
];

/// What an agent is told of beside these things.
const OF_THINGS: &[&str] = &[
    "entity_aliases",
    "claim_evidence",
    "derived_text_views",
    "text_units",
    "memory_embeddings",
    "entity_relationships",
    "candidates",
    "media_segments",
    "text_view_spans",
    "memory_entity_links",
    "item_tags",
    "past_item_tags",
];

/// What was proposed, of what waits for a decision.
const PROPOSALS: &str = "candidates.held";

/// What was named, with all that derives from it.
pub(super) struct Selected {
    /// Where it begins.
    pub(super) roots: Rows,
    /// All that goes.
    pub(super) seen: Seen,
    /// Stands for exactly this.
    pub(super) token: String,
}

/// Finds what is to be forgotten.
pub(super) fn select(c: &Connection, caller: &Caller, key: &Key, what: &ForgetWhat) -> Result<Selected, Fault> {
    crate::access::may_act(c, caller)?;
    let unknown = || Fault::from(not_found("thing to forget", named(what).map_or("", |(_, value)| value)));
    let space = what.space.as_deref().map(|space| crate::spaces::resolve(c, caller, space)).transpose()?;
    if caller.is_agent() {
        let space = space.as_ref().ok_or_else(|| {
            invalid("An agent forgets in one space.").hint("Name the space in which it was granted to.")
        })?;
        let by_id = by_id(what);
        if !by_id.is_empty() && forget::in_space(c, &by_id, &space.id)?.is_empty() {
            return Err(unknown());
        }
    }
    let mut roots = roots(c, what)?;
    if let Some(space) = &space {
        roots = forget::in_space(c, &roots, &space.id)?;
    }
    let mut all = forget::closure(c, &roots)?;
    if all.is_empty() {
        return Err(unknown());
    }
    let space = space.map(|space| space.id);
    if let (true, Some(space)) = (caller.is_agent(), &space) {
        refuse_beyond(c, &all, space)?;
    }
    take_questions(c, caller, (what, space.as_ref()), (&mut roots, &mut all))?;
    let shown: Vec<(&str, Vec<&str>)> = THINGS
        .iter()
        .map(|(kind, ..)| (*kind, all.of(kind).collect()))
        .filter(|(_, ids): &(_, Vec<_>)| !ids.is_empty())
        .collect();
    let others: u64 = if shown.is_empty() { all.len() as u64 } else { 0 };
    let token = key.hmac("plan", &serde_json::json!([what, shown, others]).to_string());
    Ok(Selected { roots, seen: Seen::new(c, all)?, token })
}

/// Takes along the questions that repeat a whole text of what goes, in whatever space they were asked, or that are narrowed down or leave
/// something out by a word that nothing else says: what says it is gone only once they are. Where words are to be forgotten in one space, also those that say them and were asked of it among others. An
/// agent's forgetting goes no further than what it may write: it takes those that it asked itself.
fn take_questions(
    c: &Connection,
    caller: &Caller,
    (what, space): (&ForgetWhat, Option<&SpaceId>),
    (roots, all): (&mut Rows, &mut Rows),
) -> Result<(), Fault> {
    let words = match named(what) {
        Some(("query", words)) => space.map(|space| (words.trim(), space)),
        _ => None,
    };
    let asker = caller.is_agent().then_some(&caller.actor);
    let mut repeating = forget::repeating(c, all, words, asker)?;
    repeating.extend(forget::narrowed(c, all, asker)?);
    let repeating = repeating.without(all);
    if !repeating.is_empty() {
        roots.extend(repeating);
        *all = forget::closure(c, roots)?;
    }
    Ok(())
}

/// What is named by its id.
fn by_id(what: &ForgetWhat) -> Rows {
    let mut rows = Rows::default();
    let ids = [
        ("memories", what.memory.as_ref().map(|id| id.as_str())),
        ("artifacts", what.artifact.as_ref().map(|id| id.as_str())),
        ("claims", what.claim.as_ref().map(|id| id.as_str())),
        ("entities", what.entity.as_ref().map(|id| id.as_str())),
    ];
    for (kind, id) in ids {
        if let Some(id) = id {
            rows.add(kind, id);
        }
    }
    rows
}

/// What an agent was granted ends at the space: what rests elsewhere on what goes is the person's to let go.
fn refuse_beyond(c: &Connection, all: &Rows, space: &SpaceId) -> Result<(), Fault> {
    let beyond = forget::outside(c, all, space)?;
    let told = THINGS.iter().map(|(kind, ..)| *kind).chain(["claim_evidence"]);
    if told.into_iter().all(|kind| beyond.of(kind).next().is_none()) {
        return Ok(());
    }
    let error = ApiError::new(ErrorCode::Forbidden, "This reaches further than an agent may forget.");
    Err(error.hint("Ask the person: they forget in the window, or with `umem forget`.").into())
}

/// The selector's word, and what it names.
pub(super) fn named(what: &ForgetWhat) -> Option<(&'static str, &str)> {
    let given = [
        ("memory", what.memory.as_ref().map(|id| id.as_str())),
        ("artifact", what.artifact.as_ref().map(|id| id.as_str())),
        ("claim", what.claim.as_ref().map(|id| id.as_str())),
        ("entity", what.entity.as_ref().map(|id| id.as_str())),
        ("owner", what.owner.as_deref()),
        ("folder", what.folder.as_deref()),
        ("query", what.query.as_deref()),
    ];
    let mut given = given.into_iter().filter_map(|(word, value)| Some((word, value?)));
    let first = given.next();
    first.filter(|_| given.next().is_none())
}

fn roots(c: &Connection, what: &ForgetWhat) -> Result<Rows, Fault> {
    let Some((selector, value)) = named(what) else {
        return Err(
            invalid("Say what to forget: one of memory, artifact, claim, entity, owner, folder or query.").into()
        );
    };
    let value = value.trim();
    let one = |kind: &str| {
        let mut rows = Rows::default();
        rows.add(kind, value);
        rows
    };
    match selector {
        "memory" => Ok(one("memories")),
        "artifact" => Ok(one("artifacts")),
        "claim" => {
            let mut rows = forget::saying(c, value)?;
            rows.add("claims", value);
            Ok(rows)
        }
        "entity" => {
            let id = EntityId::parse(value).map_err(StoreError::from)?;
            let standing = um_store::entities::standing(c, &id)?.ok_or_else(|| not_found("entity", value))?;
            Ok(forget::naming(c, &standing.id)?)
        }
        "owner" if !value.is_empty() => Ok(forget::by_owner(c, value)?),
        "folder" if Path::new(value).is_absolute() => Ok(forget::beneath(c, value)?),
        "folder" => Err(invalid("A folder is named by its whole path.").into()),
        "query" => {
            long_enough(value)?;
            Ok(forget::holders(c, &[value.to_owned()])?)
        }
        _ => Err(invalid("No owner is named.").into()),
    }
}

/// Refuses words that are a part of many texts which mean something else.
fn long_enough(words: &str) -> Result<(), Fault> {
    if !words.contains(is_unspaced) {
        return match words.chars().count() >= SHORTEST_QUERY {
            true => Ok(()),
            false => Err(invalid(format!("Give at least {SHORTEST_QUERY} characters to look for.")).into()),
        };
    }
    let signs = words.trim_matches(|sign: char| !sign.is_alphanumeric());
    if signs.is_empty() || forget::is_one_sign(signs) {
        let error = invalid("Give at least two signs to look for: one is a part of many words.");
        return Err(error.hint("Somebody whose name is one sign is forgotten as an entity.").into());
    }
    Ok(())
}

/// How many rows go, as people call them.
pub(super) fn plain(c: &Connection, all: &Rows) -> Result<BTreeMap<String, u64>, Fault> {
    let mut counts = all.counts();
    let proposals = held::among(c, all.of("candidates"))?.len() as u64;
    if let Some(waiting) = counts.get_mut("candidates") {
        *waiting -= proposals;
        counts.insert(PROPOSALS.to_owned(), proposals);
    }
    let there = counts.into_iter().filter(|(_, count)| *count > 0);
    Ok(there.map(|(kind, count)| (called(&kind), count)).collect())
}

/// As many of those as a caller may be told: an agent of what its space holds, and not of what was asked for or decided, which
/// it may not see.
pub(super) fn told(caller: &Caller, mut counts: BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let things = THINGS.iter().map(|(kind, ..)| *kind);
    let seen: BTreeSet<String> =
        things.chain(OF_THINGS.iter().copied()).flat_map(|kind| [kind.to_owned(), called(kind)]).collect();
    counts.retain(|kind, _| !caller.is_agent() || seen.contains(kind));
    counts
}

/// Some of what goes; of what was proposed only the person is told.
pub(super) fn samples(c: &Connection, caller: &Caller, all: &Rows) -> Result<Vec<ForgetSample>, Fault> {
    let mut samples = Vec::new();
    for (kind, word, sql) in THINGS {
        for id in all.of(kind).take(SAMPLES) {
            let (id, space, title): (String, String, String) = c
                .prepare_cached(&format!("{sql} WHERE id = ?1"))
                .and_then(|mut statement| statement.query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))))
                .map_err(StoreError::from)?;
            let space_id = SpaceId::parse(space).map_err(StoreError::from)?;
            samples.push(ForgetSample { kind: (*word).to_owned(), id, space_id, title: shortened(&title) });
        }
    }
    if !caller.is_agent() {
        let proposed = held::among(c, all.of("candidates"))?.into_iter().take(SAMPLES);
        samples.extend(proposed.map(|one| ForgetSample {
            kind: "proposal".to_owned(),
            id: one.id.to_string(),
            space_id: one.space,
            title: shortened(&one.says),
        }));
    }
    Ok(samples)
}

/// A text in one line, as much of it as is shown.
fn shortened(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(SAMPLE_LENGTH).collect()
}

/// What goes although it is not written as it was asked for: words that are spelled otherwise, of which search finds both.
pub(super) fn also(c: &Connection, what: &ForgetWhat, all: &Rows) -> Result<Vec<String>, Fault> {
    let Some(("query", words)) = named(what) else { return Ok(Vec::new()) };
    // An agent is told of these alone.
    let mut shown = Rows::default();
    for kind in THINGS.iter().map(|(kind, ..)| *kind).chain(OF_THINGS.iter().copied()) {
        for id in all.of(kind) {
            shown.add(kind, id);
        }
    }
    Ok(spelled_otherwise(&forget::spelled_otherwise(c, &shown, words)?).into_iter().collect())
}

/// That words go which are spelled otherwise, by some of them.
fn spelled_otherwise(spellings: &BTreeSet<String>) -> Option<String> {
    let some: Vec<String> = spellings.iter().take(SPELLINGS).map(|one| format!("\"{}\"", shortened(one))).collect();
    let more = match spellings.len() - some.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let listed = some.join(", ");
    (!some.is_empty())
        .then(|| format!("What is spelled otherwise goes as well, where search takes it for the same: {listed}{more}."))
}

/// What forgetting cannot reach. Of saved searches only the person is told.
pub(super) fn beyond(c: &Connection, caller: &Caller, all: &Rows) -> Result<Vec<String>, Fault> {
    let mut beyond = Vec::new();
    let mut on_disk = Vec::new();
    let mut count = 0;
    for id in all.of("artifacts") {
        let path: Option<String> = c
            .prepare_cached("SELECT source_path FROM artifacts WHERE id = ?1")
            .and_then(|mut statement| statement.query_row([id], |row| row.get(0)))
            .map_err(StoreError::from)?;
        let Some(path) = path else { continue };
        count += 1;
        if on_disk.len() < ON_DISK && Path::new(&path).exists() {
            on_disk.push(path);
        }
    }
    if !on_disk.is_empty() {
        let more = if count > on_disk.len() { ", and others" } else { "" };
        beyond.push(format!(
            "Your own files stay where they are: {}{more}. They do not come in again.",
            on_disk.join(", ")
        ));
    }
    if !caller.is_agent() {
        beyond.extend(searches_that_stay(&forget::searches_sharing(c, all)?));
    }
    beyond.push("Backups and exports that you made, and what agents were told already, stay as they are.".to_owned());
    Ok(beyond)
}

/// That saved searches stay which have words that only what goes says, by the names of some.
fn searches_that_stay(names: &[String]) -> Option<String> {
    let some: Vec<String> = names.iter().take(NAMED_SEARCHES).map(|name| format!("\"{name}\"")).collect();
    let more = if names.len() > NAMED_SEARCHES { ", and others" } else { "" };
    let listed = some.join(", ");
    match names.len() {
        0 => None,
        1 => Some(format!(
            "A saved search has words or numbers that only this says, and stays: {listed}. Delete it if it tells too much."
        )),
        many => Some(format!(
            "{many} saved searches have words or numbers that only this says, and stay: {listed}{more}. Delete those that tell too much."
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::{OF_THINGS, PROPOSALS, THINGS, spelled_otherwise};
    use std::collections::BTreeSet;
    use um_model::forget::CALLED;
    use um_store::forget::KINDS;

    #[test]
    fn some_spellings_are_told_and_the_rest_counted() {
        let check = |spellings: &[&str], expected: Option<&str>| {
            let told = spelled_otherwise(&spellings.iter().map(|one| (*one).to_owned()).collect());
            let begins = "What is spelled otherwise goes as well, where search takes it for the same: ";
            assert_eq!(told, expected.map(|rest| format!("{begins}{rest}")));
        };
        check(&[], None);
        check(&["schön"], Some("\"schön\"."));
        check(&["a", "b", "c", "d", "e"], Some("\"a\", \"b\", \"c\", \"d\", \"e\"."));
        check(&["a", "b", "c", "d", "e", "f", "g"], Some("\"a\", \"b\", \"c\", \"d\", \"e\", and 2 more."));
    }

    #[test]
    fn every_kind_has_one_name_of_its_own() {
        let kinds: BTreeSet<&str> = KINDS.iter().map(|kind| kind.name).chain([PROPOSALS]).collect();
        let known: BTreeSet<&str> = CALLED.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(known, kinds);
        let names: BTreeSet<&str> = CALLED.iter().map(|(_, called)| *called).collect();
        assert_eq!(names.len(), CALLED.len(), "{names:?}");
        for kind in THINGS.iter().map(|(kind, ..)| kind).chain(OF_THINGS) {
            assert!(kinds.contains(kind), "{kind}");
        }
    }
}
