//! Activity: each job's progress and reason, live; and the health of the data folder.

use super::health::Health;
use crate::{
    actions,
    components::{
        dialogs::Form,
        icon::{Glyph, Icon},
        link::PageLink,
        list::VirtualList,
        model_notice::ModelNotices,
        states::{Empty, listed, prose},
        tabs::{Tab, Tabs},
    },
    dates, files,
    format::percent,
    paged::{PAGE, Paged},
    route::{At, Route},
    state::{App, Dialog},
    voice,
};
use leptos::{ev::KeyboardEvent, prelude::*};
use um_model::{
    JobKind, JobStatus,
    jobs::{Job, JobCancel, JobRetry, JobsStatus},
};

/// Height of a job's row in pixels.
const ROW: f64 = 56.0;

const VIEWS: [(&str, &[JobStatus]); 4] = [
    (
        "Unfinished",
        &[
            JobStatus::Pending,
            JobStatus::Processing,
            JobStatus::WaitingForModel,
            JobStatus::WaitingForPassword,
            JobStatus::Failed,
            JobStatus::Poison,
        ],
    ),
    ("Failed", &[JobStatus::Failed, JobStatus::Poison]),
    ("Done", &[JobStatus::Completed]),
    ("All", &[]),
];

/// The page.
#[component]
pub fn Activity(
    /// Whether the Health tab is shown.
    health: bool,
) -> impl IntoView {
    let app = App::get();
    let paused = move || app.status.value.with(|s| s.as_ref().is_some_and(|s| s.paused));
    let all = vec![
        Tab::new("Jobs", "tab-jobs", !health, Route::Activity { health: false }),
        Tab::new("Health", "tab-health", health, Route::Activity { health: true }),
    ];
    view! {
        <div class="page-head">
            <div class="head-row">
                <h1 class="grow">"Activity"</h1>
                <button type="button" class="button" data-testid="pause" on:click=move |_| actions::pause(app, !paused())>
                    {move || view! { <Glyph icon=if paused() { Icon::Play } else { Icon::Pause }/> }}
                    {move || if paused() { "Resume" } else { "Pause" }}
                </button>
            </div>
            <Tabs label="Activity" all/>
        </div>
        <div class="page-body fill">
            {if health { view! { <Health/> }.into_any() } else { view! { <Jobs/> }.into_any() }}
        </div>
    }
}

#[component]
fn Jobs() -> impl IntoView {
    let app = App::get();
    let wanted = RwSignal::new(0usize);
    let list = Paged::new(
        move |offset| JobsStatus {
            space: app.space.get().map(String::from),
            statuses: VIEWS[wanted.get()].1.to_vec(),
            offset,
            limit: Some(PAGE),
        },
        // What comes in is queued: it is told as a change of the library.
        move || {
            app.changes.jobs.track();
            app.changes.library.track();
        },
        |report| (report.jobs, report.total),
    );
    let buttons = VIEWS.iter().enumerate().map(|(at, (name, _))| {
        view! {
            <button type="button" class="button" aria-pressed=move || (wanted.get() == at).to_string()
                on:click=move |_| wanted.set(at)>{*name}</button>
        }
    });
    let empty = move || {
        let place = app.space.get().map_or_else(String::new, |_| format!(" in {}", app.space_label()));
        let says = match wanted.get() {
            0 => format!("All read{place}."),
            _ => format!("No job{place} is in this state."),
        };
        view! { <Empty icon=Icon::CheckCircle says/> }.into_any()
    };
    view! {
        <div class="filters"><div class="segmented words" role="group" aria-label="Which jobs">{buttons.collect_view()}</div></div>
        <ModelNotices/>
        {listed(list.listing(), "The jobs could not be listed.", empty, move || view! { <JobList list/> }.into_any())}
    }
}

#[component]
fn JobList(list: Paged<Job>) -> impl IntoView {
    let app = App::get();
    let cursor = RwSignal::new(0usize);
    let pressed = Callback::new(move |press: KeyboardEvent| {
        let plain = app.single_keys() && !press.ctrl_key() && !press.alt_key() && !press.meta_key();
        let Some(job) = untrack(|| list.row(cursor.get())).filter(|_| plain) else {
            return;
        };
        match press.key().as_str() {
            "c" | "C" if can_cancel(&job) => cancel(app, job),
            "r" | "R" if can_retry(&job) => actions::run(app, JobRetry { id: job.id }),
            _ => {}
        }
    });
    let item = move |index: usize| {
        let job = Memo::new(move |_| list.row(index));
        // The row stays while its progress moves, so that the focus does.
        let id = Memo::new(move |_| job.with(|j| j.as_ref().map(|j| j.id.clone())));
        move || match id.get() {
            Some(_) => view! { <JobRow job index cursor/> }.into_any(),
            None => view! { <div class="bar row"></div> }.into_any(),
        }
    };
    view! {
        <VirtualList total=list.length() label="Jobs" cursor
            id=move |index| list.row(index).map(|job| job.id.to_string()) visible=list.sight() on_key=pressed item column_width=Signal::stored(None) row_height=Signal::stored(ROW)/>
    }
}

fn can_cancel(job: &Job) -> bool {
    matches!(
        job.status,
        JobStatus::Pending | JobStatus::Processing | JobStatus::WaitingForModel | JobStatus::WaitingForPassword
    )
}

fn can_retry(job: &Job) -> bool {
    matches!(job.status, JobStatus::Failed | JobStatus::Poison | JobStatus::Cancelled | JobStatus::WaitingForModel)
}

/// What is looked for in what was read, where a job does that.
fn looks_for(kind: JobKind) -> Option<&'static str> {
    match kind {
        JobKind::Extract => Some("facts"),
        JobKind::Ask => Some("facts, by the language model"),
        JobKind::Detect => Some("personal data"),
        JobKind::Dedupe => Some("repetitions"),
        JobKind::Read | JobKind::Listen | JobKind::Embed => None,
    }
}

/// What a job is on, and what it looks for there: several are on the same.
fn title(job: &Job) -> String {
    match looks_for(job.kind) {
        Some(what) => format!("{}: {what}", job.title),
        None => job.title.clone(),
    }
}

/// Cancels a job. One that stands for many notes is asked for first.
fn cancel(app: App, job: Job) {
    let of_many = job.artifact_id.is_none() && job.memory_id.is_none();
    match of_many && job.status != JobStatus::WaitingForPassword {
        true => app.dialog.set(Some(Dialog::CancelJob(Box::new(job)))),
        false => actions::run(app, JobCancel { id: job.id }),
    }
}

/// What is left undone where a job on many notes is cancelled.
fn left_undone(kind: JobKind) -> &'static str {
    match kind {
        JobKind::Extract | JobKind::Ask => {
            "No facts are read from the notes that are left: nothing that they say comes to Beliefs."
        }
        JobKind::Detect => {
            "The notes that are left are not looked through: what is personal in them does not come to Review."
        }
        JobKind::Dedupe => "The notes that are left are not compared with others: those that say the same stay apart.",
        JobKind::Embed => "The notes that are left are found by their words, and not by their meaning.",
        JobKind::Read | JobKind::Listen => "What is left is not read.",
    }
}

/// Asks before a job on many notes is cancelled.
#[component]
pub fn CancelMany(
    /// The job.
    job: Job,
) -> impl IntoView {
    let id = StoredValue::new(job.id.clone());
    let request = move || Some(JobCancel { id: id.get_value() });
    view! {
        <Form request button="Cancel the job" keep="Let it go on" done=Callback::new(|_| {})>
            <p class="strong">{title(&job)}</p>
            <p data-testid="left-undone">{left_undone(job.kind)}</p>
            <p class="muted small">"What is done stays. Retry takes it up again; that of new notes only until the next note comes in."</p>
        </Form>
    }
}

/// The state of a job: its icon, its words, its class.
fn state(job: &Job) -> (Icon, String, &'static str) {
    let reading = if job.kind == JobKind::Embed { "Indexing" } else { "Reading" };
    match job.status {
        // A long one takes its turns, and what is indexed stays so between them.
        JobStatus::Pending if job.progress > 0.0 => {
            (Icon::Activity, format!("{reading} {}", percent(job.progress)), "working")
        }
        JobStatus::Pending => (Icon::Clock, "Waiting its turn".into(), "muted"),
        JobStatus::Processing if job.progress <= 0.0 => (Icon::Activity, reading.into(), "working"),
        JobStatus::Processing => (Icon::Activity, format!("{reading} {}", percent(job.progress)), "working"),
        JobStatus::Completed => (Icon::Check, "Done".into(), "muted"),
        JobStatus::Failed => (Icon::Alert, "Failed".into(), "failed"),
        JobStatus::Poison => (Icon::Alert, "Failed three times".into(), "failed"),
        JobStatus::Cancelled => (Icon::Ban, "Cancelled".into(), "muted"),
        JobStatus::WaitingForModel => {
            (Icon::Hourglass, format!("Waiting for {}", files::awaited(job.error.as_ref()).0), "waiting")
        }
        JobStatus::WaitingForPassword => (Icon::Lock, "Needs its password".into(), "waiting"),
    }
}

/// Why it waits or failed, else how far it is, else when it last moved.
fn why(job: &Job) -> String {
    let note = job.progress_note.as_deref().map(|note| {
        if job.kind == JobKind::Embed { format!("Found so far: {}", files::embedded(note)) } else { note.to_owned() }
    });
    job.error.as_ref().map(|e| e.message.clone()).or(note).unwrap_or_else(|| dates::moment(job.updated_at))
}

#[component]
fn JobRow(job: Memo<Option<Job>>, index: usize, cursor: RwSignal<usize>) -> impl IntoView {
    let Some(first) = job.get_untracked() else {
        return ().into_any();
    };
    let shown = move || job.get().unwrap_or_else(|| first.clone());
    let shown = Memo::new(move |_| shown());
    let status = Memo::new(move |_| shown.with(|job| job.status));
    let reason = Memo::new(move |_| why(&shown.get()));
    let moving = move || {
        let job = shown.get();
        (job.status == JobStatus::Processing).then(|| {
            view! {
                <progress class="progress thin" max="1" value=job.progress aria-label="Done so far"></progress>
            }
        })
    };
    view! {
        <div class="job" data-focus="" data-testid="job-row" role="group" aria-label=move || shown.with(title)
            tabindex=move || if cursor.get() == index { "0" } else { "-1" } on:focus=move |_| cursor.set(index)>
            {move || { let (icon, words, class) = state(&shown.get()); view! {
                <span class=format!("state job-state {class}") title=words.clone()><Glyph icon/><span class="clip">{words.clone()}</span></span>
            }}}
            <span class="job-text grow">
                <span class="file">{move || shown.with(title)}</span>
                <span class="muted small clip" title=move || reason.get() data-testid="job-reason">{move || prose(&reason.get())}</span>
                {moving}
            </span>
            {move || { let _ = status.get(); job_actions(shown) }}
        </div>
    }
    .into_any()
}

fn job_actions(shown: Memo<Job>) -> impl IntoView {
    let app = App::get();
    let job = shown.get_untracked();
    let open = job.artifact_id.clone().map(|id| view! {
        <PageLink to=Signal::stored(Route::Item { id, at: At::default() }) class="button ghost small">"Open"</PageLink>
    });
    let password = (job.status == JobStatus::WaitingForPassword).then(|| job.artifact_id.clone()).flatten().map(|id| {
        let name = job.title.clone();
        view! {
            <button type="button" class="button small" title=voice::needs_password(&name)
                on:click=move |_| app.dialog.set(Some(Dialog::Password { id: id.clone(), name: name.clone() }))>"Enter"</button>
        }
    });
    let cancel_word = if job.status == JobStatus::WaitingForPassword { "Skip" } else { "Cancel" };
    let cancel = can_cancel(&job).then(|| {
        let of = job.clone();
        view! {
            <button type="button" class="button small" title=format!("{cancel_word} (C)") data-testid="job-cancel"
                on:click=move |_| cancel(app, of.clone())>{cancel_word}</button>
        }
    });
    let retry = can_retry(&job).then(|| {
        let id = job.id.clone();
        view! {
            <button type="button" class="button small" title="Retry (R)" data-testid="job-retry"
                on:click=move |_| actions::run(app, JobRetry { id: id.clone() })>"Retry"</button>
        }
    });
    view! { <span class="actions">{password} {retry} {cancel} {open}</span> }
}
