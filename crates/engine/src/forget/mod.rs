//! Forgetting: what is to go is shown first ([`select`]), then it goes with all that derives from it ([`run`]), is kept from
//! coming back ([`tombstones`]), and the data folder is searched for it ([`proof`]). What goes with what is the store's to
//! say (`um_store::forget`).

mod archive;
mod key;
mod proof;
mod redact;
mod run;
mod select;
mod tombstones;

pub(crate) use archive::memory_archive;
pub(crate) use key::load as load_key;
pub(crate) use redact::redaction_apply;
pub(crate) use run::{drop_copy, resume};
pub(crate) use tombstones::{forget_allow, refuse_file, refuse_path, refuse_text};

use crate::error::{Outcome, not_found};
use crate::{Caller, Engine};
use um_model::forget::{ForgetExecute, ForgetPlan, ForgetPreview, ForgetReport, ForgetShow};
use um_model::{ApiError, ErrorCode};

/// Whether a caller may make things be forgotten: a person may (ruling 20).
pub(crate) fn may_forget(caller: &Caller) -> Outcome<()> {
    if caller.is_agent() {
        return Err(ApiError::new(ErrorCode::Forbidden, "An agent may not make things be forgotten.")
            .hint("Ask the person: they forget in the window, or with `umem forget`."));
    }
    Ok(())
}

/// Tells what forgetting something would take with it.
pub(crate) fn forget_preview(engine: &Engine, caller: &Caller, request: ForgetPreview) -> Outcome<ForgetPlan> {
    may_forget(caller)?;
    engine.read(|c| {
        let selected = select::select(c, caller, engine.key(), &request.what)?;
        Ok(ForgetPlan {
            counts: select::plain(&selected.all),
            samples: select::samples(c, &selected.all)?,
            beyond: select::beyond(c, &selected.all)?,
            token: selected.token,
        })
    })
}

/// Forgets what a preview showed.
pub(crate) fn forget_execute(engine: &Engine, caller: &Caller, request: ForgetExecute) -> Outcome<ForgetReport> {
    may_forget(caller)?;
    let selected = engine.read(|c| select::select(c, caller, engine.key(), &request.what))?;
    if selected.token != request.token {
        return Err(ApiError::new(
            ErrorCode::Conflict,
            "What would go has changed since it was shown; nothing was forgotten.",
        )
        .hint("Look at it again, then confirm."));
    }
    let id = run::begin(engine, caller, &request.what, &selected)?;
    run::run(engine, caller, &id, &selected.roots)?;
    forget_show(engine, caller, ForgetShow { id: Some(id) })
}

/// Shows the report of a forgetting.
pub(crate) fn forget_show(engine: &Engine, caller: &Caller, request: ForgetShow) -> Outcome<ForgetReport> {
    may_forget(caller)?;
    engine.read(|c| {
        let missing = || not_found("forgetting", request.id.as_deref().unwrap_or("the last one"));
        Ok(um_store::forget::report(c, request.id.as_deref())?.ok_or_else(missing)?)
    })
}
