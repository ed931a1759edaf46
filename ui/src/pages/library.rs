//! Library: everything captured, and how far each file is read.

use crate::{
    actions,
    components::{
        icon::{Glyph, Icon, of_modality},
        link::is_plain,
        list::VirtualList,
        menu::MenuButton,
        model_notice::ModelNotices,
        states::{Empty, listed},
        thumbnail::Thumbnail,
    },
    dates,
    files::{self, State, state_of},
    format::{clock, count, modality_name, size},
    paged::{PAGE, Paged},
    route::{At, Route},
    state::{App, Dialog},
    voice,
};
use leptos::{ev::KeyboardEvent, ev::MouseEvent, prelude::*};
use um_model::{
    JobStatus, Modality,
    capture::{Artifact, ArtifactOrder, ArtifactSummary, ArtifactsList},
};

/// Narrowest tile, and its height, in pixels.
const TILE: (f64, f64) = (176.0, 212.0);
/// Height of a row of the list.
const ROW: f64 = 40.0;

/// The state that a person looks for removed files by.
const REMOVED: &str = "removed";

/// Groups of states that a person looks for.
const STATES: [(&str, &str, &[JobStatus]); 6] = [
    ("reading", "Being read", &[JobStatus::Pending, JobStatus::Processing]),
    ("done", "Read", &[JobStatus::Completed]),
    ("model", "Waiting for a model or program", &[JobStatus::WaitingForModel]),
    ("password", "Waiting for a password", &[JobStatus::WaitingForPassword]),
    ("failed", "Failed", &[JobStatus::Failed, JobStatus::Poison, JobStatus::Cancelled]),
    (REMOVED, "Removed", &[]),
];

const ORDERS: [(&str, &str, ArtifactOrder); 3] = [
    ("newest", "Newest first", ArtifactOrder::Newest),
    ("name", "By name", ArtifactOrder::Name),
    ("size", "Largest first", ArtifactOrder::Size),
];

const PERIODS: [(&str, &str, Option<u32>); 4] = [
    ("any", "Any date", None),
    ("1", "Past day", Some(1)),
    ("7", "Past week", Some(7)),
    ("31", "Past month", Some(31)),
];

#[derive(Clone, Copy)]
struct Filters {
    name: RwSignal<String>,
    modality: RwSignal<Option<Modality>>,
    /// The word of one of [`STATES`], or none.
    state: RwSignal<String>,
    days: RwSignal<Option<u32>>,
    order: RwSignal<ArtifactOrder>,
}

impl Filters {
    fn active(&self) -> bool {
        !self.name.with(String::is_empty)
            || self.modality.get().is_some()
            || !self.state.with(String::is_empty)
            || self.days.get().is_some()
    }

    fn request(&self, space: Option<String>, offset: u32) -> ArtifactsList {
        ArtifactsList {
            space,
            name: Some(self.name.get().trim().to_owned()).filter(|n| !n.is_empty()),
            modalities: self.modality.get().into_iter().collect(),
            states: self.state.with(|word| {
                STATES.iter().find(|(of, ..)| of == word).map_or(Vec::new(), |(.., those)| those.to_vec())
            }),
            since: self.days.get().map(dates::days_ago),
            deleted: self.state.with(|word| word == REMOVED),
            order: self.order.get(),
            offset,
            limit: Some(PAGE),
        }
    }
}

/// The page.
#[component]
pub fn Library() -> impl IntoView {
    let app = App::get();
    let filters = Filters {
        name: RwSignal::new(String::new()),
        modality: RwSignal::new(None),
        state: RwSignal::new(String::new()),
        days: RwSignal::new(None),
        order: RwSignal::new(ArtifactOrder::Newest),
    };
    let list = Paged::new(
        move |offset| filters.request(app.space.get().map(String::from), offset),
        move || {
            app.changes.library.track();
            app.changes.jobs.track();
        },
        |listed| (listed.artifacts, listed.total),
    );
    let empty = move || nothing(app, filters).into_any();
    view! {
        <div class="page-head">
            <div class="head-row">
                <h1 class="grow">"Library"</h1>
                <span class="muted small" role="status">{move || list.total.get().map(|t| count(t, "file"))}</span>
                <button type="button" class="button accent" data-testid="library-add"
                    on:click=move |_| app.dialog.set(Some(Dialog::AddFiles))>
                    <Glyph icon=Icon::Plus/> "Add files"
                </button>
            </div>
            <FilterBar filters/>
        </div>
        <div class="page-body fill">
            <ModelNotices/>
            {listed(list.listing(), "The list could not be read.", empty, move || view! { <Files list/> }.into_any())}
        </div>
    }
}

fn nothing(app: App, filters: Filters) -> impl IntoView {
    if filters.state.with(|word| word == REMOVED) && filters.name.with(String::is_empty) {
        view! { <Empty icon=Icon::Trash says="No file was removed. What is removed stays here, and can be restored."/> }
            .into_any()
    } else if filters.active() {
        view! {
            <Empty icon=Icon::Search says="No file fits these filters.">
                <button type="button" class="button" on:click=move |_| {
                    filters.name.set(String::new());
                    filters.modality.set(None);
                    filters.state.set(String::new());
                    filters.days.set(None);
                }>"Clear the filters"</button>
            </Empty>
        }
        .into_any()
    } else {
        view! {
            <Empty icon=Icon::Library says=Signal::derive(move || voice::nothing_yet(&app.space_label()))>
                <button type="button" class="button accent" on:click=move |_| app.dialog.set(Some(Dialog::AddFiles))>
                    <Glyph icon=Icon::Plus/> "Add files"
                </button>
                <button type="button" class="button" on:click=move |_| app.dialog.set(Some(Dialog::WatchFolder))>
                    <Glyph icon=Icon::FolderPlus/> "Watch a folder"
                </button>
            </Empty>
        }
        .into_any()
    }
}

#[component]
fn FilterBar(filters: Filters) -> impl IntoView {
    let app = App::get();
    let types = Modality::ALL.iter().map(|m| {
        view! { <option value=m.as_str() selected=move || filters.modality.get() == Some(*m)>{modality_name(*m)}</option> }
    });
    let states = STATES.map(|(word, name, _)| {
        view! { <option value=word selected=move || filters.state.get() == word>{name}</option> }
    });
    let periods = PERIODS.map(|(word, name, days)| {
        view! { <option value=word selected=move || filters.days.get() == days>{name}</option> }
    });
    let orders = ORDERS.map(|(word, name, _)| view! { <option value=word>{name}</option> });
    let choose_period = move |event| {
        let word = event_target_value(&event);
        filters.days.set(PERIODS.iter().find(|(w, _, _)| *w == word).and_then(|(_, _, days)| *days));
    };
    let choose_order = move |event| {
        let word = event_target_value(&event);
        filters.order.set(ORDERS.iter().find(|(w, _, _)| *w == word).map(|(_, _, o)| *o).unwrap_or_default());
    };
    view! {
        <div class="filters" role="search" aria-label="Filter files">
            <input id="search" class="field grow" type="text" placeholder="Filter by name" aria-label="Filter by name"
                autocomplete="off" data-testid="library-filter" prop:value=move || filters.name.get()
                on:input=move |e| filters.name.set(event_target_value(&e))/>
            <select class="field" aria-label="Type" on:change=move |e| filters.modality.set(event_target_value(&e).parse().ok())>
                <option value="">"Any type"</option>
                {types.collect_view()}
            </select>
            <select class="field" aria-label="State" data-testid="library-state"
                on:change=move |e| filters.state.set(event_target_value(&e))>
                <option value="">"Any state"</option>
                {states}
            </select>
            <select class="field" aria-label="Date" on:change=choose_period>{periods}</select>
            <select class="field" aria-label="Order" on:change=choose_order>{orders}</select>
            <div class="segmented" role="group" aria-label="Layout">
                {layout(app, true, Icon::Grid, "Grid")}
                {layout(app, false, Icon::List, "List")}
            </div>
        </div>
    }
}

fn layout(app: App, grid: bool, icon: Icon, name: &'static str) -> impl IntoView {
    view! {
        <button type="button" class="button square" aria-label=name title=name data-testid=if grid { "view-grid" } else { "view-list" }
            aria-pressed=move || (app.grid.get() == grid).to_string() on:click=move |_| app.grid.set(grid)>
            <Glyph icon/>
        </button>
    }
}

#[component]
fn Files(list: Paged<ArtifactSummary>) -> impl IntoView {
    let app = App::get();
    let cursor = RwSignal::new(0usize);
    let pressed = Callback::new(move |press: KeyboardEvent| {
        let Some(file) = untrack(|| list.row(cursor.get())) else {
            return;
        };
        if press.ctrl_key() || press.alt_key() || press.meta_key() {
            return;
        }
        match press.key().as_str() {
            "Delete" if !file.artifact.deleted => files::remove(app, &file.artifact),
            "r" | "R" if app.single_keys() && file.artifact.deleted => files::restore(app, &file.artifact),
            "r" | "R" if app.single_keys() => files::read_again(app, &file.artifact),
            _ => return,
        }
        press.prevent_default();
    });
    let item = move |index: usize| {
        let file = Memo::new(move |_| list.row(index));
        // An item stays while its file's state moves on, so that the focus does.
        let id = Memo::new(move |_| file.with(|f| f.as_ref().map(|f| f.artifact.id.clone())));
        move || {
            let (_, grid) = (id.get(), app.grid.get());
            let Some(first) = file.get_untracked() else {
                return view! { <div class="bar row"></div> }.into_any();
            };
            let now = Memo::new(move |_| file.get().unwrap_or_else(|| first.clone()));
            if grid { tile(app, now, index, cursor).into_any() } else { row(app, now, index, cursor).into_any() }
        }
    };
    view! {
        <VirtualList total=list.length() label="Files" cursor
            id=move |index| list.row(index).map(|file| file.artifact.id.to_string()) visible=list.sight() on_key=pressed item
            column_width=Signal::derive(move || app.grid.get().then_some(TILE.0))
            row_height=Signal::derive(move || if app.grid.get() { TILE.1 } else { ROW })/>
    }
}

/// What a file measures: its pages, its length, or its size.
fn extent(file: &Artifact) -> String {
    match (file.page_count, file.duration_ms) {
        (Some(pages), _) => count(u64::from(pages), "page"),
        (None, Some(length)) => clock(length),
        (None, None) => size(file.byte_size),
    }
}

fn file_link(
    app: App,
    file: &Artifact,
    index: usize,
    cursor: RwSignal<usize>,
    class: &'static str,
    content: AnyView,
) -> impl IntoView + use<> {
    let route = Route::Item { id: file.id.clone(), at: At::default() };
    let href = route.url();
    let follow = move |click: MouseEvent| {
        if is_plain(&click) {
            click.prevent_default();
            app.go(route.clone());
        }
    };
    view! {
        <a class=class href=href data-focus="" data-testid="library-item" on:click=follow on:focus=move |_| cursor.set(index)
            tabindex=move || if cursor.get() == index { "0" } else { "-1" }>
            {content}
        </a>
    }
}

fn tile(app: App, file: Memo<ArtifactSummary>, index: usize, cursor: RwSignal<usize>) -> impl IntoView {
    let artifact = file.get_untracked().artifact;
    let content = view! {
        <Thumbnail file=artifact.clone()/>
        <span class="file" title=artifact.filename.clone()>{artifact.filename.clone()}</span>
        {move || file.with(|file| state_words(file, extent(&file.artifact)))}
    };
    view! {
        <div class="tile">
            {file_link(app, &artifact, index, cursor, "tile-link", content.into_any())}
            {menu(app, file, index, cursor)}
            {move || file.with(|file| password_actions(app, file))}
        </div>
    }
}

fn row(app: App, file: Memo<ArtifactSummary>, index: usize, cursor: RwSignal<usize>) -> impl IntoView {
    let artifact = file.get_untracked().artifact;
    let content = view! {
        <Glyph icon=of_modality(artifact.modality)/>
        <span class="file grow" title=artifact.filename.clone()>{artifact.filename.clone()}</span>
        {move || file.with(|file| state_words(file, String::new()))}
        <span class="muted small column">{move || file.with(|file| extent(&file.artifact))}</span>
        <span class="muted small column">{dates::day(artifact.created_at)}</span>
    };
    view! {
        <div class="file-row">
            {file_link(app, &artifact, index, cursor, "row-link", content.into_any())}
            {menu(app, file, index, cursor)}
            {move || file.with(|file| password_actions(app, file))}
        </div>
    }
}

/// What can be done with a file, one stop after the file itself.
fn menu(app: App, file: Memo<ArtifactSummary>, index: usize, cursor: RwSignal<usize>) -> impl IntoView {
    let items = Callback::new(move |()| files::menu(app, &file.get_untracked().artifact));
    let tabindex = Signal::derive(move || if cursor.get() == index { "0" } else { "-1" });
    view! { <span class="file-menu"><MenuButton label="More" items tabindex/></span> }
}

/// The state of a file with its icon; where nothing is to be said, its extent.
fn state_words(file: &ArtifactSummary, extent: String) -> impl IntoView + use<> {
    let state = state_of(file);
    let (icon, class) = match &state {
        State::Done => return view! { <span class="state plain muted small">{extent}</span> }.into_any(),
        State::Reading(..) => (Icon::Activity, "state small working"),
        State::Waiting { .. } => (Icon::Hourglass, "state small waiting"),
        State::Locked => (Icon::Lock, "state small waiting"),
        State::Failed(_) => (Icon::Alert, "state small failed"),
        State::Cancelled => (Icon::Ban, "state small muted"),
        State::Unread(_) => (Icon::Info, "state small muted"),
        State::Removed => (Icon::Trash, "state small muted"),
    };
    let words = state.words();
    let title = match &state {
        State::Waiting { way_out: Some(way_out), .. } => format!("{words}. {way_out}"),
        _ => words.clone(),
    };
    let bar = match &state {
        State::Reading(share, _) => Some(view! {
            <progress class="progress thin" max="1" value=*share aria-label="Read so far"></progress>
        }),
        _ => None,
    };
    view! { <span class=class title=title><Glyph icon/><span class="clip">{words}</span>{bar}</span> }.into_any()
}

/// Enter and Skip, where a file needs its password.
fn password_actions(app: App, file: &ArtifactSummary) -> Option<impl IntoView + use<>> {
    if state_of(file) != State::Locked {
        return None;
    }
    let (id, name) = (file.artifact.id.clone(), file.artifact.filename.clone());
    let job = file.reading.as_ref().map(|job| job.id.clone());
    let label = voice::needs_password(&name);
    Some(view! {
        <span class="password-actions" role="group" aria-label=label>
            <button type="button" class="button small" data-testid="password-enter"
                on:click=move |_| app.dialog.set(Some(Dialog::Password { id: id.clone(), name: name.clone() }))>"Enter"</button>
            <button type="button" class="button small" data-testid="password-skip"
                on:click=move |_| if let Some(id) = job.clone() {
                    actions::run(app, um_model::jobs::JobCancel { id });
                }>"Skip"</button>
        </span>
    })
}
