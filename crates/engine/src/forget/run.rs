//! Letting it go: in portions, each whole or not at all, then what is left of it outside of the tables.

use super::clear::{self, Clearing};
use super::proof::Probes;
use super::select::{Selected, named};
use super::tombstones;
use crate::engine::lock;
use crate::error::{Fault, Outcome};
use crate::ingest::blobs;
use crate::work::Underway;
use crate::{Caller, Engine};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;
use um_model::capture::Artifact;
use um_model::forget::{ForgetExecute, ForgetProof, ForgetWhat};
use um_model::{ArtifactId, ClaimId, JobId, SpaceId};
use um_store::forget::{self, Eraser, Forgetting, Rows, Seen, Status, Telling};
use um_store::{Connection, StoreError, Transaction, claims, entities, rejected};

/// So many of the things that were named go in one transaction.
const PORTION: usize = 50;

/// What somebody is called where nothing that is left says a name of theirs.
const NAMELESS: &str = "(name forgotten)";

/// A forgetting that was begun.
pub(super) struct Begun {
    /// Its id.
    pub(super) id: String,
    /// Where its values are refused.
    space: SpaceId,
    /// Hashes of the values that are refused since it was begun, and were not before.
    refused: BTreeSet<String>,
    /// The folder that was named, where one was.
    folder: Option<String>,
    /// Whether nothing of it went before, so that what it says can still be told.
    is_whole: bool,
}

impl Begun {
    /// One of these rows that nobody named.
    fn unnamed(id: String, is_whole: bool) -> Self {
        Self { id, space: SpaceId::global(), refused: BTreeSet::new(), folder: None, is_whole }
    }
}

/// Says what is being forgotten, and keeps it from coming back from this moment on.
pub(super) fn begin(engine: &Engine, caller: &Caller, what: &ForgetWhat, selected: &Selected) -> Outcome<Begun> {
    let selector = named(what).map_or("", |(word, _)| word);
    let (space, refused) = engine.read(|c| {
        let space = match &what.space {
            Some(space) => crate::spaces::resolve(c, caller, space)?.id,
            None => SpaceId::global(),
        };
        let refused = tombstones::of_rows(c, engine.key(), selected.seen.all(), (&space, selector))?;
        Ok((space, refused))
    })?;
    let (caller, roots, rows, now) = (caller.clone(), selected.roots.clone(), selected.seen.all().len(), engine.now());
    let folder = what.folder.clone();
    engine.write_durably(move |tx| {
        let id = forget::begin(tx, &caller.actor, selector, &roots, now)?;
        let by = tombstones::Rejects { space: &space, forgetting: &id, actor: &caller.actor, now };
        let refused = tombstones::reject(tx, &refused, &by)?;
        let payload = serde_json::json!({ "selector": selector, "rows": rows });
        Engine::audit(tx, &caller, "forgetting.begun", ("forgettings", &id), &space, payload, now)?;
        Ok(Begun { id, space, refused, folder, is_whole: true })
    })
}

/// Forgets the rows of a forgetting that was begun, and all that derives from them; then proves it. Where a portion cannot go,
/// what went is cleared away and looked for all the same, and the rest goes at the next start.
pub(super) fn run(engine: &Engine, caller: &Caller, of: Begun, selected: Selected) -> Outcome<()> {
    let begun = Instant::now();
    let mut call = Underway::begin::<ForgetExecute>(engine, caller, None)?;
    let Selected { roots, seen, .. } = selected;
    let mut probes = match of.is_whole {
        true => Some(engine.read(|c| Probes::of(c, seen.all(), of.folder.as_deref()))?),
        false => None,
    };
    let spaces = indexed_in(engine, &seen)?;
    let portions = roots.portions(PORTION);
    let telling = engine.read(|c| Ok(Telling::new(c, seen.all(), &[])?))?;
    let goes = Arc::new(Goes { seen, telling });
    let (mut status, mut failed) = match portions_go(&mut call, (engine, caller), &of.id, &portions, &goes) {
        Ok(status) => (status, None),
        Err(error) => (Status::Running, Some(error)),
    };
    if status == Status::Cancelled {
        // Before anything else: whatever fails from here on, what the person kept does not go at the next start.
        set_status(engine, &of.id, Status::Erased, clear::waits())?;
    }
    if status != Status::Done {
        let stays = still_there(engine, &goes.seen)?;
        if status == Status::Cancelled
            && let Err(error) = let_in(engine, caller, &of, &stays)
        {
            // It is let in at the next start.
            (status, failed) = (Status::Erased, Some(error));
        }
        probes = probes.map(|probes| probes.without(&stays));
    }
    crate::belief::settle_marked(engine)?;
    if status == Status::Done {
        set_status(engine, &of.id, Status::Erased, clear::waits())?;
    }
    call.moved(portions.len() as u64, Some(portions.len() as u64), "clearing the data folder");
    let (id, caller) = (Some(of.id), caller.clone());
    let cleared = clear::finish(engine, Clearing { id, caller, spaces, probes, status, begun, tried_at: 0 });
    super::tell(engine);
    failed.map_or(cleared.map(drop), Err)
}

/// In whose full text the rows stand. Where they are empty already, an earlier process got so far, and nobody knows.
fn indexed_in(engine: &Engine, seen: &Seen) -> Outcome<Vec<SpaceId>> {
    engine.read(|c| match seen.all().is_empty() {
        true => Ok(um_store::spaces::all(c)?.into_iter().map(|space| space.id).collect()),
        false => Ok(forget::spaces_of(c, seen.all())?.into_iter().collect()),
    })
}

/// Lets one portion go after the other, until somebody stops it; where the service ends meanwhile, the rest goes at the next
/// start. What begins once the last one does is not stopped any more.
fn portions_go(
    call: &mut Underway<'_>,
    (engine, caller): (&Engine, &Caller),
    id: &str,
    portions: &[Rows],
    goes: &Arc<Goes>,
) -> Outcome<Status> {
    for (done, portion) in portions.iter().enumerate() {
        call.moved(done as u64, Some(portions.len() as u64), "forgetting");
        if call.is_cancelled() {
            return Ok(if call.cancel().is_asked() { Status::Cancelled } else { Status::Running });
        }
        portion_goes(engine, caller, id, portion, goes)?;
    }
    late_ones_go(engine, caller, id, goes)?;
    Ok(Status::Done)
}

/// What was not reached, with all that derives from it.
fn still_there(engine: &Engine, seen: &Seen) -> Outcome<Rows> {
    engine.read(|c| Ok(forget::closure(c, &forget::still_there(c, seen.all())?)?))
}

/// Refuses nothing any more of what stays, as the forgetting was stopped before it came to it.
fn let_in(engine: &Engine, caller: &Caller, of: &Begun, stays: &Rows) -> Outcome<()> {
    let said = engine.read(|c| tombstones::said_by(c, engine.key(), stays, (&of.space, &of.refused)))?;
    let (caller, id, space, rows, now) = (caller.clone(), of.id.clone(), of.space.clone(), stays.len(), engine.now());
    engine.write_durably(move |tx| {
        let allowed = rejected::lift(tx, &space, &said, &caller.actor, now)?;
        let payload = serde_json::json!({ "stay": rows, "values": allowed });
        Engine::audit(tx, &caller, "forgetting.stopped", ("forgettings", &id), &space, payload, now)
    })
}

/// What came to name, meanwhile, what went.
fn late_ones_go(engine: &Engine, caller: &Caller, id: &str, goes: &Arc<Goes>) -> Outcome<()> {
    let late = engine.read(|c| Ok(forget::still_naming(c, goes.seen.all())?))?;
    late.portions(PORTION).iter().try_for_each(|portion| portion_goes(engine, caller, id, portion, goes))
}

/// Comes to the end of what an earlier process began.
///
/// # Errors
/// `Database`, `Io`.
pub(crate) fn resume(engine: &Engine) -> Outcome<()> {
    let unfinished = engine.read(|c| Ok(forget::unfinished(c)?))?;
    if !unfinished.is_empty() {
        destroy_strays(engine)?;
    }
    unfinished.into_iter().try_for_each(|(forgetting, status)| go_on(engine, forgetting, status))
}

fn go_on(engine: &Engine, forgetting: Forgetting, status: Status) -> Outcome<()> {
    let caller = Caller { actor: forgetting.actor.clone(), ..Caller::system("forgetting") };
    let is_whole = status == Status::Running && forgetting.counts.is_empty();
    let of = Begun::unnamed(forgetting.id, is_whole);
    if status == Status::Erased && !engine.read(|c| Ok(forget::still_there(c, &forgetting.roots)?))?.is_empty() {
        return end_stopped(engine, caller, of, forgetting.roots);
    }
    run(engine, &caller, of, of_roots(engine, forgetting.roots)?)
}

/// Clears away what went of a forgetting that was stopped. The rest stays, and is let in where an earlier process did not come
/// to that.
fn end_stopped(engine: &Engine, caller: Caller, of: Begun, roots: Rows) -> Outcome<()> {
    let selected = of_roots(engine, roots)?;
    for (space, refused) in engine.read(|c| Ok(rejected::of_forgetting(c, &of.id)?))? {
        let of = Begun { space, refused, ..Begun::unnamed(of.id.clone(), false) };
        let_in(engine, &caller, &of, &still_there(engine, &selected.seen)?)?;
    }
    crate::belief::settle_marked(engine)?;
    let spaces = indexed_in(engine, &engine.read(|c| Ok(Seen::new(c, Rows::default())?))?)?;
    let (id, begun) = (Some(of.id), Instant::now());
    clear::finish(engine, Clearing { id, caller, spaces, probes: None, status: Status::Cancelled, begun, tried_at: 0 })
        .map(drop)
}

/// Destroys large files whose rows went, where the process died before it came to that. Nothing else may be at work: a file that is
/// coming in has no row yet.
fn destroy_strays(engine: &Engine) -> Outcome<()> {
    let known = engine.read(|c| Ok(um_store::artifacts::blob_files(c)?))?;
    blobs::strays(engine.data_dir(), &known).iter().try_for_each(|stray| blobs::destroy_file(stray))
}

/// Takes the product's own copy of a new file away that turned out to hold what was forgotten, and says so in the ledger. The person's
/// file stays.
pub(crate) fn drop_copy(engine: &Engine, file: &Artifact) -> Outcome<()> {
    let mut roots = Rows::default();
    roots.add("artifacts", file.id.as_str());
    let caller = Caller::system("forgetting");
    let (writer, space, kept, now) = (caller.clone(), file.space_id.clone(), roots.clone(), engine.now());
    let id = engine.write_durably(move |tx| {
        let id = forget::begin(tx, &writer.actor, "refused", &kept, now)?;
        let (object, payload) = (("forgettings", id.as_str()), serde_json::json!({}));
        Engine::audit(tx, &writer, "forgetting.refused", object, &space, payload, now)?;
        Ok(id)
    })?;
    run(engine, &caller, Begun::unnamed(id, true), of_roots(engine, roots)?)
}

/// What goes with some rows; nobody is shown it before.
fn of_roots(engine: &Engine, roots: Rows) -> Outcome<Selected> {
    let seen = engine.read(|c| Ok(Seen::new(c, forget::closure(c, &roots)?)?))?;
    Ok(Selected { roots, seen, token: String::new() })
}

/// What goes, as it was found before any of it did.
struct Goes {
    /// All of it.
    seen: Seen,
    /// The traces that tell those who lose a name with it.
    telling: Telling,
}

/// What a portion leaves to be done outside of the database.
struct Left {
    /// Files in the folder of blobs.
    blobs: Vec<String>,
    /// Jobs that may be under way.
    jobs: Vec<String>,
    /// Files whose passwords may be remembered.
    artifacts: Vec<String>,
}

fn portion_goes(engine: &Engine, caller: &Caller, id: &str, portion: &Rows, goes: &Arc<Goes>) -> Outcome<()> {
    let (caller, id, portion, goes) = (caller.clone(), id.to_owned(), portion.clone(), goes.clone());
    let (key, now) = (engine.key().clone(), engine.now());
    let left = engine.write_durably(move |tx| {
        let rows = forget::closure_within(tx, &portion, &goes.seen)?;
        erase(tx, &id, (rows, &goes.telling), &Eraser { actor: &caller.actor, key: &key, now })
    })?;
    let running = lock(&engine.core().running);
    for job in left.jobs.iter().filter_map(|id| JobId::parse(id.as_str()).ok()) {
        if let Some(cancel) = running.get(&job) {
            cancel.cancel();
        }
    }
    drop(running);
    for artifact in left.artifacts.iter().filter_map(|id| ArtifactId::parse(id.as_str()).ok()) {
        lock(&engine.core().passwords).remove(&artifact);
    }
    left.blobs.iter().try_for_each(|blob| blobs::destroy(engine.data_dir(), blob))
}

fn erase(
    tx: &Transaction<'_>,
    id: &str,
    (mut rows, telling): (Rows, &Telling),
    by: &Eraser<'_>,
) -> Result<Left, Fault> {
    let mut affected = lose_names(tx, &mut rows, (&[], telling), by.now)?;
    affected.extend(forget::affected_claims(tx, &rows)?);
    let blobs = blob_files(tx, &rows)?;
    let counts: BTreeMap<String, u64> = forget::erase(tx, &rows, by)?;
    forget::count(tx, id, &counts)?;
    let gone: Vec<ClaimId> = rows.of("claims").filter_map(|id| ClaimId::parse(id).ok()).collect();
    crate::belief::close_forgotten(tx, &gone, by.actor, by.now)?;
    crate::belief::settle_later(tx, affected, by.actor, by.now)?;
    let ids = |kind: &str| rows.of(kind).map(str::to_owned).collect();
    Ok(Left { blobs, jobs: ids("jobs"), artifacts: ids("artifacts") })
}

/// Takes from those who stay the names that only what goes says, with what tells them so. Gives the claims that are to be worded anew.
pub(super) fn lose_names(
    tx: &Transaction<'_>,
    rows: &mut Rows,
    (blacked, telling): (&[String], &Telling),
    now: i64,
) -> Result<Vec<ClaimId>, Fault> {
    let mut naming = Vec::new();
    for forget::Renamed { entity, to } in forget::only_said_there(tx, rows, blacked, telling)? {
        // Nobody else is compared with somebody without a name.
        let canonical = to.as_deref().map_or_else(|| format!("redacted:{entity}"), crate::belief::canonical_name);
        entities::rename(tx, &entity, to.as_deref().unwrap_or(NAMELESS), &canonical, now)?;
        naming.extend(claims::naming(tx, &entity)?.into_iter().map(|claim| claim.id));
    }
    Ok(naming)
}

/// The large files of what goes.
pub(super) fn blob_files(c: &Connection, rows: &Rows) -> Result<Vec<String>, Fault> {
    let mut found = Vec::new();
    for id in rows.of("artifacts") {
        let id = ArtifactId::parse(id).map_err(StoreError::from)?;
        if let Some(um_store::artifacts::Bytes::File(uri)) = um_store::artifacts::bytes(c, &id)? {
            found.push(uri);
        }
    }
    Ok(found)
}

fn set_status(engine: &Engine, id: &str, status: Status, proof: ForgetProof) -> Outcome<()> {
    let (id, now) = (id.to_owned(), engine.now());
    engine.write_durably(move |tx| Ok(forget::finish(tx, &id, status, &proof, now)?))
}

/// Says how it ended; of one that goes on later, what was found so far.
pub(super) fn end(engine: &Engine, caller: &Caller, id: &str, status: Status, proof: ForgetProof) -> Outcome<()> {
    if matches!(status, Status::Done | Status::Cancelled) {
        let (caller, owned, left, now) = (caller.clone(), id.to_owned(), proof.left, engine.now());
        engine.write_durably(move |tx| {
            let payload = serde_json::json!({ "left": left });
            let object = ("forgettings", owned.as_str());
            Engine::audit(tx, &caller, "forgetting.ended", object, &SpaceId::global(), payload, now)
        })?;
    }
    set_status(engine, id, status, proof)
}
