//! Forgetting: what is to go is shown first ([`select`]), then it goes with all that derives from it ([`run`]), is kept from
//! coming back ([`tombstones`]), and the data folder is searched for it ([`proof`]). What goes with what is the store's to
//! say (`um_store::forget`).

mod archive;
mod clear;
mod door;
mod names;
mod proof;
mod purge;
mod redact;
mod run;
mod select;
mod tombstones;

pub(crate) use archive::memory_archive;
pub(crate) use clear::{Clearing, go_on};
pub(crate) use door::Door;
pub(crate) use purge::rows_purge;
pub(crate) use redact::redaction_apply;
pub(crate) use run::{drop_copy, resume};
pub(crate) use tombstones::{forget_allow, let_in_with_file, refuse_bytes, refuse_said, refuse_text};

use crate::error::{Outcome, not_found};
use crate::new_file::NewFile;
use crate::{Caller, Engine};
use um_model::forget::{
    ForgetExecute, ForgetExport, ForgetExported, ForgetPlan, ForgetPreview, ForgetReport, ForgetShow,
};
use um_model::health::Event;
use um_model::{ApiError, ErrorCode};

/// The file that an export into a folder makes.
const EXPORT: &str = "forgotten.json";

/// Tells what forgetting something would take with it.
pub(crate) fn forget_preview(engine: &Engine, caller: &Caller, request: ForgetPreview) -> Outcome<ForgetPlan> {
    // What was asked a moment ago may still wait to be written.
    crate::recall::settle(engine)?;
    engine.read(|c| {
        let selected = select::select(c, caller, engine.key(), &request.what)?;
        Ok(ForgetPlan {
            counts: select::told(caller, select::plain(c, selected.seen.all())?),
            samples: select::samples(c, caller, selected.seen.all())?,
            also: select::also(c, &request.what, selected.seen.all())?,
            beyond: select::beyond(c, caller, selected.seen.all())?,
            token: selected.token,
        })
    })
}

/// Forgets what a preview showed.
pub(crate) fn forget_execute(engine: &Engine, caller: &Caller, request: ForgetExecute) -> Outcome<ForgetReport> {
    crate::recall::settle(engine)?;
    let selected = engine.read(|c| select::select(c, caller, engine.key(), &request.what))?;
    if selected.token != request.token {
        return Err(ApiError::new(
            ErrorCode::Conflict,
            "What would go has changed since it was shown; nothing was forgotten.",
        )
        .hint("Look at it again, then confirm."));
    }
    let begun = run::begin(engine, caller, &request.what, &selected)?;
    let id = Some(begun.id.clone());
    // From here on something may be gone: whatever fails, the caller is told what is.
    let failed = run::run(engine, caller, begun, selected).err();
    let report = forget_show(engine, caller, ForgetShow { id })?;
    let (counts, stays) = (select::told(caller, report.counts), select::told(caller, report.stays));
    Ok(ForgetReport { counts, stays, failed, proof: proof::told(caller, report.proof), ..report })
}

/// Tells the window that anything it shows may have gone.
fn tell(engine: &Engine) {
    let lists =
        [Event::Library, Event::Beliefs, Event::Findings, Event::Promotions, Event::Access, Event::Spaces, Event::Jobs];
    lists.into_iter().chain([Event::Forgotten]).for_each(|event| engine.tell(event));
}

/// Shows the report of a forgetting.
pub(crate) fn forget_show(engine: &Engine, _: &Caller, request: ForgetShow) -> Outcome<ForgetReport> {
    engine.read(|c| {
        let missing = || not_found("forgetting", request.id.as_deref().unwrap_or("the last one"));
        Ok(um_store::forget::report(c, request.id.as_deref())?.ok_or_else(missing)?)
    })
}

/// Writes the report of a forgetting to a new file.
pub(crate) fn forget_export(engine: &Engine, caller: &Caller, request: ForgetExport) -> Outcome<ForgetExported> {
    let report = forget_show(engine, caller, ForgetShow { id: request.id })?;
    let text = serde_json::to_vec_pretty(&report).map_err(|e| ApiError::new(ErrorCode::Internal, e.to_string()))?;
    let mut file = NewFile::create(&request.path, EXPORT)?;
    file.write(&text)?;
    file.write(b"\n")?;
    engine.note(caller, "forgetting.exported", ("forgettings", &report.id), serde_json::json!({}))?;
    Ok(ForgetExported { path: file.path() })
}
