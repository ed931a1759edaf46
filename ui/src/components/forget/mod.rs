//! Forgetting: what would go is shown first, then it goes, and then what was looked for afterwards is told.

mod choose;
mod going;
mod plan;
mod words;

pub use choose::{ForgetChoose, SaveProof};

use crate::{
    components::{
        dialog::Close,
        icon::{Glyph, Icon},
        states::{Trouble, shown},
    },
    ipc,
    query::Query,
    route::Route,
    state::{App, Dialog},
    voice,
};
use leptos::{html, prelude::*, task::spawn_local};
use um_model::{
    ApiError, ErrorCode,
    forget::{ForgetExecute, ForgetPreview, ForgetReport, ForgetShow, ForgetWhat},
};

/// What is to be forgotten.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// What.
    pub what: ForgetWhat,
    /// The same in words: `of lease.pdf`, `with the words "Ana Ruiz"`.
    pub of: String,
}

impl Ask {
    /// Something that has a name.
    pub fn named(what: ForgetWhat, name: &str) -> Self {
        Self { what, of: format!("of {name}") }
    }

    /// Opens its dialog.
    pub fn open(self, app: App) {
        app.dialog.set(Some(Dialog::Forget(Box::new(self))));
    }
}

/// How far it is.
#[derive(Clone)]
enum Stage {
    /// What would go is shown.
    Asking,
    /// It goes.
    Going,
    /// It is gone, or was stopped.
    Ended(ForgetReport),
    /// Nothing went.
    Failed(ApiError),
}

/// The dialog. It may be closed while something goes: what came of it is said then, wherever the person is.
#[component]
pub fn Forget(
    /// What.
    ask: Ask,
) -> impl IntoView {
    let app = App::get();
    let close = Close::get();
    let stage = RwSignal::new(Stage::Asking);
    let ask = StoredValue::new(ask);
    let plan = Query::new(move || Some(ForgetPreview { what: ask.get_value().what }));
    let keep = Callback::new(move |()| close.now());
    let go = Callback::new(move |()| {
        if let Some(plan) = plan.value.get_untracked() {
            stage.set(Stage::Going);
            begin(app, ask.get_value(), plan.token, stage);
        }
    });
    let again = Callback::new(move |()| {
        // What was shown is out of date.
        plan.value.set(None);
        stage.set(Stage::Asking);
        plan.refresh();
    });
    // What had the focus goes with each stage; the next one begins at its top.
    let top = NodeRef::<html::Div>::new();
    let failed = Memo::new(move |_| plan.error.with(Option::is_some));
    Effect::new(move |_| {
        stage.track();
        failed.track();
        if let Some(top) = top.get() {
            // An element that cannot be focused leaves the focus where it is.
            let _ = top.focus();
        }
    });
    let content = move || match stage.get() {
        Stage::Asking => shown(plan, "What would go could not be told.", (4, "row"), move |plan| {
            view! { <plan::Planned ask=ask.get_value() plan keep go/> }
        })
        .into_any(),
        Stage::Going => view! { <going::Going of=ask.get_value().of/> }.into_any(),
        Stage::Ended(report) => view! { <Ended report/> }.into_any(),
        Stage::Failed(error) if is_untouched(&error) => {
            view! { <Trouble what="Nothing was forgotten." error retry=again/> }.into_any()
        }
        Stage::Failed(error) => view! { <BrokeOff error again/> }.into_any(),
    };
    view! { <div class="forget" tabindex="-1" node_ref=top>{content}</div> }
}

/// Whether an error is one that comes before anything goes.
fn is_untouched(error: &ApiError) -> bool {
    use ErrorCode::{Conflict, Forbidden, InvalidRequest, NotFound};
    matches!(error.code, Conflict | Forbidden | InvalidRequest | NotFound)
}

/// It failed, and how far it came is not known.
#[component]
fn BrokeOff(error: ApiError, again: Callback<()>) -> impl IntoView {
    view! {
        <div class="form" role="alert" data-testid="forget-broke-off">
            <p class="strong"><Glyph icon=Icon::Alert/> "It broke off. Some of it may be gone."</p>
            <p>{voice::failure(&error)}</p>
            <p class="muted small">"What was begun goes on when the service starts the next time."</p>
            <div class="form-foot">
                <button type="button" class="button" on:click=move |_| again.run(())>"See what is left"</button>
            </div>
        </div>
    }
}

fn begin(app: App, ask: Ask, token: String, stage: RwSignal<Stage>) {
    spawn_local(async move {
        let Ask { what, of } = ask;
        match ipc::call(ForgetExecute { what: what.clone(), token }).await {
            Ok(report) => {
                leave(app, &what);
                let says = words::told(&report);
                if stage.try_set(Stage::Ended(report)).is_some() {
                    app.toasts.say(format!("All {of}: {says}"));
                }
            }
            Err(error) => {
                if stage.try_set(Stage::Failed(error.clone())).is_some() {
                    app.toasts.trouble(&error);
                }
            }
        }
    });
}

/// A page of what is gone would only say that it is not there.
fn leave(app: App, what: &ForgetWhat) {
    app.viewer.set(None);
    match app.route.get_untracked() {
        Route::Item { id, .. } if what.artifact.as_ref() == Some(&id) => app.go(Route::Library),
        Route::Entity(id) if what.entity.as_ref() == Some(&id) => app.go(Route::Beliefs),
        _ => {}
    }
}

/// What came of a forgetting, looked at again.
#[component]
pub fn Proof(
    /// Its id.
    id: String,
) -> impl IntoView {
    let report = Query::new(move || Some(ForgetShow { id: Some(id.clone()) }));
    shown(report, "The proof could not be read.", (3, "row"), |report| view! { <Ended report/> })
}

/// What came of it, with the proof. Where the end is still to come, it follows that.
#[component]
fn Ended(report: ForgetReport) -> impl IntoView {
    let app = App::get();
    let close = Close::get();
    let id = StoredValue::new(report.id.clone());
    let newest = Query::new(move || {
        app.changes.library.track();
        app.changes.jobs.track();
        Some(ForgetShow { id: Some(id.get_value()) })
    });
    let first = StoredValue::new(report);
    let report = Memo::new(move |_| newest.value.get().unwrap_or_else(|| first.get_value()));
    let save = move |_| app.dialog.set(Some(Dialog::SaveProof(id.get_value())));
    view! {
        <div class="form" role="status" data-testid="forget-proof">
            <p class="strong"><Glyph icon=Icon::CheckCircle/> {move || words::told(&report.get())}</p>
            {move || words::stays(&report.get()).map(|says| view! { <p data-testid="forget-stays">{says}</p> })}
            {move || words::checked(&report.get().proof).map(|says| view! { <p data-testid="forget-checked">{says}</p> })}
            {move || words::refused(&report.get()).map(|says| view! { <p class="muted small">{says}</p> })}
            <div class="form-foot">
                <button type="button" class="button" data-testid="forget-save" on:click=save>
                    <Glyph icon=Icon::Download/> "Save proof"
                </button>
                <button type="button" class="button accent" data-testid="forget-close" on:click=move |_| close.now()>"Close"</button>
            </div>
        </div>
    }
}
