//! Blacking out: asked about once more, because it cannot be undone, and how far it is.

use super::words;
use crate::{
    components::{
        dialog::Close,
        icon::{Glyph, Icon},
    },
    format::count,
    ipc,
    query::Query,
    state::App,
};
use leptos::{prelude::*, task::spawn_local};
use um_model::{
    MemoryId, Modality,
    forget::{RedactionApplied, RedactionApply, Searching},
    jobs::JobsStatus,
    ops::Request,
};

/// What is to be blacked out.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// In which memory.
    pub memory: MemoryId,
    /// Its name.
    pub title: String,
    /// How many findings.
    pub findings: u64,
    /// What it is.
    pub modality: Modality,
    /// Whether it stands for a file.
    pub is_file: bool,
    /// Rises once it is done.
    pub renewed: RwSignal<u32>,
}

/// A file or memory of which something is being blacked out.
#[derive(Debug, Clone, PartialEq)]
pub struct Blacking {
    /// The memory.
    pub memory: MemoryId,
    /// Its name.
    pub title: String,
}

/// The dialog. It closes as soon as that is wanted: how far it is is told on the page, which goes on working.
#[component]
pub fn BlackOut(ask: Ask) -> impl IntoView {
    let app = App::get();
    let close = Close::get();
    let says = format!("{} of {} will be blacked out, everywhere.", count(ask.findings, "place"), ask.title);
    let kept = words::kept(ask.modality, ask.is_file);
    let number = ask.findings;
    let ask = StoredValue::new(ask);
    let apply = move |_| {
        close.now();
        begin(app, ask.get_value());
    };
    view! {
        <div class="form">
            <p>{says}</p>
            <p>{kept}</p>
            <p class="strong">"This cannot be undone."</p>
            <div class="form-foot">
                <button type="button" class="button" autofocus=true data-testid="black-out-later"
                    on:click=move |_| close.now()>"Later"</button>
                <button type="button" class="button danger" data-testid="black-out-now"
                    on:click=apply>{format!("Black out {number}")}</button>
            </div>
        </div>
    }
}

/// Blacks out, and says what came of it wherever the person is by then.
fn begin(app: App, ask: Ask) {
    let Ask { memory, title, renewed, .. } = ask;
    if app.blacking.with_untracked(|all| all.iter().any(|one| one.memory == memory)) {
        return;
    }
    app.blacking.update(|all| all.push(Blacking { memory: memory.clone(), title: title.clone() }));
    spawn_local(async move {
        let answer = ipc::call(RedactionApply { memory: Some(memory.clone()), artifact: None }).await;
        app.blacking.update(|all| all.retain(|one| one.memory != memory));
        match answer {
            Ok(done) => {
                app.toasts.say(told(&done, &title));
                renewed.try_update(|n| *n += 1);
            }
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

/// What is being blacked out, and how far that is.
#[component]
pub fn Underway() -> impl IntoView {
    let app = App::get();
    let busy = Memo::new(move |_| !app.blacking.with(Vec::is_empty));
    let status = Query::new(move || {
        app.changes.jobs.track();
        busy.get().then(|| JobsStatus { limit: Some(1), ..JobsStatus::default() })
    });
    // They are done one after the other as they were begun.
    let step = move |at: usize| {
        status.value.with(|status| {
            let mut calls =
                status.iter().flat_map(|status| &status.calls).filter(|call| call.operation == RedactionApply::NAME);
            calls.nth(at).map(|call| (call.done, call.total.unwrap_or_default(), call.note.clone()))
        })
    };
    let line = move |(at, one): (usize, Blacking)| {
        let step = Memo::new(move |_| step(at));
        let says = move || match step.get() {
            Some((done, total, note)) => format!("Blacking out {}, step {} of {total}: {note}.", one.title, done + 1),
            None => format!("Blacking out {}.", one.title),
        };
        view! {
            <p class="blacking" data-testid="blacking">
                <Glyph icon=Icon::Blacked/>
                <span class="grow">{says}</span>
                <progress class="progress thin" aria-label="Blacking out" max=move || step.get().map(|(_, total, _)| total.to_string())
                    value=move || step.get().map(|(done, ..)| done.to_string())></progress>
            </p>
        }
    };
    let lines = move || app.blacking.get().into_iter().enumerate().map(line).collect_view();
    view! { <div role="status">{lines}</div> }
}

/// What was done, and whether anything was found afterwards.
fn told(done: &RedactionApplied, title: &str) -> String {
    match done.proof.left {
        _ if done.proof.searching != Searching::Done => {
            format!("Blacked out {} in {title}. It is looked for in a moment.", count(done.findings, "place"))
        }
        0 => words::done(done.findings, title, done.proof.said_elsewhere),
        left => format!(
            "Blacked out {} in {title}. {left} traces are still there: run the check in Health.",
            count(done.findings, "place")
        ),
    }
}
