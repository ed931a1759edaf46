//! One file: the viewer, and beside it what was read, its versions and what can be done.

use crate::{
    components::{
        icon::{Glyph, Icon},
        link::PageLink,
        menu::{Item as MenuItem, MenuButton},
        states::{Skeleton, Trouble},
        viewer::{Target, Viewer},
    },
    dates,
    files::{self, State, state_of},
    format::{count, modality_name, quality_label, reader_name, size, view_name},
    query::Query,
    route::{At, Route},
    state::{App, Dialog},
    voice,
};
use leptos::prelude::*;
use um_model::{
    ArtifactId, MemoryStatus, ViewType,
    capture::{Artifact, ArtifactDetail, ArtifactGet, FileVersion, TextView},
};

/// The page.
#[component]
pub fn Item(
    /// The file.
    id: ArtifactId,
    /// The place in it.
    at: At,
) -> impl IntoView {
    let app = App::get();
    let asked = id.clone();
    let detail = Query::new(move || {
        app.changes.library.track();
        app.changes.jobs.track();
        Some(ArtifactGet { id: asked.clone() })
    });
    // The viewer is drawn once for a place; it must not start anew while a reading moves on.
    let target = Memo::new(move |before: Option<&Option<Target>>| match before {
        Some(Some(known)) => Some(known.clone()),
        _ => detail.value.with(|d| d.as_ref().map(|d| Target::of_file(&d.summary.artifact, &at))),
    });
    let error = move || detail.error.get().filter(|_| detail.value.with(Option::is_none));
    let title = move || {
        let name = detail.value.with(|d| d.as_ref().map(|d| d.summary.artifact.filename.clone()));
        name.unwrap_or_else(|| "File".into())
    };
    let failed = Memo::new(move |_| error().is_some());
    view! {
        <div class="page-head item-head">
            <div class="head-row">
                <PageLink to=Signal::stored(Route::Library) class="button ghost">
                    <Glyph icon=Icon::ChevronLeft/> "Library"
                </PageLink>
                <h1 class="grow file">{title}</h1>
                {move || detail.value.get().map(|d| view! { <Actions file=d.summary.artifact/> })}
            </div>
        </div>
        <div class="item" data-testid="item">
            {move || error().map(|error| view! {
                <div class="page-body">
                    <Trouble what="The file could not be opened." error retry=Callback::new(move |()| detail.refresh())/>
                </div>
            })}
            {move || target.get().map(|target| view! { <Viewer target/> })}
            {move || (!failed.get()).then(|| view! {
                <section class="item-side" aria-label="About this file" tabindex="0">
                    {move || match detail.value.get() {
                        Some(detail) => view! { <Side detail/> }.into_any(),
                        None => view! { <Skeleton rows=6 shape="row"/> }.into_any(),
                    }}
                </section>
            })}
        </div>
    }
}

#[component]
fn Actions(file: Artifact) -> impl IntoView {
    let app = App::get();
    let removed = file.deleted;
    let again = file.clone();
    let items = Callback::new(move |()| {
        let act = |label: &str, icon, key, act: fn(App, &Artifact)| {
            let file = file.clone();
            MenuItem { label: label.into(), icon, key, act: Callback::new(move |()| act(app, &file)) }
        };
        let mut items = vec![
            act("Open original", Icon::Open, None, files::open_original),
            act("Read again", Icon::Reread, Some("R"), files::read_again),
        ];
        if removed {
            items.push(act("Restore", Icon::Undo, None, restore));
        } else {
            items.push(act("Remove", Icon::Trash, Some("Del"), remove_and_leave));
        }
        items
    });
    view! {
        <button type="button" class="button" data-testid="read-again" on:click=move |_| files::read_again(app, &again)>
            <Glyph icon=Icon::Reread/> "Read again"
        </button>
        <MenuButton label="More" items/>
    }
}

fn remove_and_leave(app: App, file: &Artifact) {
    files::remove(app, file);
    app.go(Route::Library);
}

fn restore(app: App, file: &Artifact) {
    crate::actions::run(app, um_model::capture::ArtifactRestore { id: file.id.clone() });
}

#[component]
fn Side(detail: ArtifactDetail) -> impl IntoView {
    let file = detail.summary.artifact.clone();
    let id = file.id.clone();
    let readings = detail.views.clone().into_iter().map(|view| reading(id.clone(), view)).collect_view();
    let none = detail.views.is_empty();
    let versions = detail.versions.clone();
    view! {
        <StateLine detail=detail.clone()/>
        <section>
            <h2>"Readings"</h2>
            {none.then(|| view! { <p class="muted">"Nothing was read from it."</p> })}
            <ul class="plain">{readings}</ul>
        </section>
        {(!versions.is_empty()).then(|| view! {
            <section>
                <h2>"Versions"</h2>
                <ul class="plain">{versions.into_iter().map(version).collect_view()}</ul>
            </section>
        })}
        <section>
            <h2>"File"</h2>
            <Facts file/>
        </section>
    }
}

#[component]
fn StateLine(detail: ArtifactDetail) -> impl IntoView {
    let app = App::get();
    let state = state_of(&detail.summary);
    let (id, name) = (detail.summary.artifact.id.clone(), detail.summary.artifact.filename.clone());
    let says = match &state {
        State::Done => return ().into_any(),
        State::Locked => voice::needs_password(&name),
        other => other.words(),
    };
    let enter = (state == State::Locked).then(|| view! {
        <button type="button" class="button" on:click=move |_| app.dialog.set(Some(Dialog::Password { id: id.clone(), name: name.clone() }))>
            "Enter"
        </button>
    });
    view! { <div class="notice" role="status"><Glyph icon=Icon::Info/><p class="grow">{says}</p>{enter}</div> }
        .into_any()
}

fn reading(file: ArtifactId, view: TextView) -> impl IntoView {
    let at = At { page: view.page, view: Some(view.id.clone()), span: None };
    let page = view.page.map(|page| format!("p. {page}"));
    let quality = quality_label(Some(view.view_type), Some(view.quality));
    let model = view.model_id.clone().filter(|m| !m.is_empty());
    let by = [
        Some(reader_name(&view.extractor_id)),
        model,
        view.language.clone(),
        quality,
        Some(dates::day(view.created_at)),
    ];
    let by = by.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let words =
        if view.view_type == ViewType::Metadata { String::new() } else { count(u64::from(view.length), "character") };
    view! {
        <li>
            <PageLink to=Signal::stored(Route::Item { id: file, at }) class="reading">
                <span class="head-row">
                    <span class="grow">{view_name(view.view_type)}</span>
                    {page.map(|page| view! { <span class="place">{page}</span> })}
                    <span class="muted small">{words}</span>
                </span>
                <span class="muted small">{by}</span>
            </PageLink>
        </li>
    }
}

fn version(version: FileVersion) -> impl IntoView {
    let state = match version.status {
        MemoryStatus::Active => "in use",
        MemoryStatus::Superseded => "older",
        MemoryStatus::Deleted => "removed",
        other => other.as_str(),
    };
    let to = Route::Item { id: version.artifact_id, at: At::default() };
    view! {
        <li>
            <PageLink to=Signal::stored(to) class="reading">
                <span class="head-row">
                    <span class="grow">{dates::moment(version.created_at)}</span>
                    <span class="muted small">{state}</span>
                </span>
            </PageLink>
        </li>
    }
}

#[component]
fn Facts(file: Artifact) -> impl IntoView {
    let app = App::get();
    let space = app.space_name(&file.space_id).unwrap_or_default();
    let pixels = file.width.zip(file.height).map(|(w, h)| format!("{w} x {h} pixels"));
    let facts = [
        ("Type", Some(format!("{} ({})", modality_name(file.modality), file.mime_type))),
        ("Size", Some(size(file.byte_size))),
        ("Pages", file.page_count.map(|n| n.to_string())),
        ("Picture", pixels),
        ("Length", file.duration_ms.map(crate::format::clock)),
        ("Space", Some(space)),
        ("Came in", Some(dates::moment(file.created_at))),
        ("Came from", file.source_path.clone()),
        ("SHA-256", Some(file.content_hash.clone())),
    ];
    let rows = facts.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let rows = rows.map(|(name, value)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> });
    view! { <dl class="facts">{rows.collect_view()}</dl> }
}
