//! One file: the viewer, and beside it what was read, its versions and what can be done.

use crate::{
    actions,
    components::{
        at_hand::{self, AtHand},
        citation::{CitationLink, Shape},
        icon::{Glyph, Icon},
        link::PageLink,
        menu::MenuButton,
        states::{Skeleton, Trouble, prose},
        viewer::{Target, Viewer},
    },
    dates,
    files::{self, State, state_of},
    format::{count, modality_name, quality_label, reader_name, size, view_name},
    pages::beliefs::{
        EntityLink,
        words::{circumstances, object, phrase, time},
    },
    query::Query,
    route::{At, Route},
    state::{App, Dialog},
    voice,
};
use leptos::{ev, prelude::*};
use um_model::{
    ArtifactId, MemoryId, MemoryStatus, ViewType,
    belief::ClaimState,
    capture::{Artifact, ArtifactDetail, ArtifactGet, FileVersion, Memory, TextView},
    claims::{Claim, FactsSearch},
    findings::{FindingStatus, FindingsList},
    jobs::{Job, JobRetry},
};
use wasm_bindgen::JsCast;

/// So many claims of a file are shown.
const CLAIMS: u32 = 50;

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
    let file = StoredValue::new(id);
    let detail = Query::new(move || {
        app.changes.library.track();
        app.changes.jobs.track();
        Some(ArtifactGet { id: asked.clone() })
    });
    follow_keys(app, detail);
    // The viewer is drawn once for a place; it must not start anew while a reading moves on.
    let target = Memo::new(move |before: Option<&Option<Target>>| {
        let file = detail.value.with(|d| d.as_ref().map(|d| Target::of_file(&d.summary.artifact, &at)));
        before.cloned().flatten().filter(|_| file.is_some()).or(file)
    });
    let error = move || detail.error.get().filter(|_| detail.value.with(Option::is_none));
    let title = move || {
        let name = detail.value.with(|d| d.as_ref().map(|d| d.summary.artifact.filename.clone()));
        name.unwrap_or_else(|| "File".into())
    };
    let failed = Memo::new(move |_| error().is_some());
    let memory_id = Memo::new(move |_| detail.value.with(|d| d.as_ref().and_then(|d| d.summary.memory_id.clone())));
    let memory = at_hand::memory_now(app, move || {
        // What it is about is told as it is read.
        app.changes.jobs.track();
        memory_id.get()
    });
    // A menu that is open stays so while the file is read on.
    let artifact = Memo::new(move |_| detail.value.with(|d| d.as_ref().map(|d| d.summary.artifact.clone())));
    view! {
        <div class="page-head item-head">
            <div class="head-row">
                <PageLink to=Signal::stored(Route::Library) class="button ghost">
                    <Glyph icon=Icon::ChevronLeft/> "Library"
                </PageLink>
                <h1 class="grow file">{title}</h1>
                {move || artifact.get().map(|file| view! { <Actions file memory/> })}
            </div>
        </div>
        <div class="item" data-testid="item">
            {move || error().map(|error| view! {
                <div class="page-body">
                    <Trouble what="The file could not be opened." error retry=Callback::new(move |()| detail.refresh())/>
                </div>
            })}
            {move || {
                // Of what was blacked out meanwhile nothing that was fetched before stays.
                app.changes.forgotten.track();
                target.get().map(|target| view! { <Viewer target/> })
            }}
            {move || (!failed.get()).then(|| beside(detail, memory, file.get_value()))}
        </div>
    }
}

/// What stands beside the viewer.
fn beside(detail: Query<ArtifactDetail>, memory: Memo<Option<Memory>>, file: ArtifactId) -> impl IntoView {
    view! {
        <section class="item-side" aria-label="About this file" tabindex="0" on:keydown=move |press| walk(&press)>
            {move || match detail.value.get() {
                Some(detail) => view! { <Side detail memory/> }.into_any(),
                None => view! { <Skeleton rows=6 shape="row"/> }.into_any(),
            }}
            <Claims file/>
        </section>
    }
}

#[component]
fn Actions(file: Artifact, memory: Memo<Option<Memory>>) -> impl IntoView {
    let app = App::get();
    let again = file.clone();
    let removed = file.deleted;
    let items = Callback::new(move |()| {
        let mut items = files::menu(app, &file);
        let near = memory.get_untracked().and_then(|memory| at_hand::menu_item(app, memory));
        // Behind what opens it, before what takes it away.
        items.splice(1..1, near);
        items
    });
    view! {
        {(!removed).then(|| view! {
            <button type="button" class="button" data-testid="read-again" title="Read again (R)"
                on:click=move |_| files::read_again(app, &again)>
                <Glyph icon=Icon::Reread/> "Read again"
            </button>
        })}
        <MenuButton label="More" items/>
    }
}

/// R and Del act on the file wherever on the page the focus is; in a field they are letters, in a dialog nothing.
fn follow_keys(app: App, detail: Query<ArtifactDetail>) {
    let keys = window_event_listener(ev::keydown, move |press| {
        let held = press.ctrl_key() || press.alt_key() || press.meta_key() || press.default_prevented();
        let elsewhere = app.dialog.with_untracked(Option::is_some) || app.switcher.with_untracked(Option::is_some);
        let Some(file) = detail.value.with_untracked(|d| d.as_ref().map(|d| d.summary.artifact.clone())) else {
            return;
        };
        if held || elsewhere || in_field() {
            return;
        }
        match press.key().as_str() {
            "Delete" if !file.deleted => files::remove(app, &file),
            "r" | "R" if app.single_keys() && file.deleted => files::restore(app, &file),
            "r" | "R" if app.single_keys() => files::read_again(app, &file),
            _ => return,
        }
        press.prevent_default();
    });
    on_cleanup(move || keys.remove());
}

fn in_field() -> bool {
    document().active_element().is_some_and(|e| matches!(e.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT"))
}

/// Up and Down go through what is beside the viewer; Enter follows.
fn walk(press: &ev::KeyboardEvent) {
    let step: i32 = match press.key().as_str() {
        "ArrowDown" => 1,
        "ArrowUp" => -1,
        _ => return,
    };
    let Ok(all) = document().query_selector_all(".item-side a, .item-side button") else { return };
    let here = document().active_element();
    let at = (0..all.length()).find(|at| all.item(*at).as_ref() == here.as_ref().map(AsRef::as_ref));
    let next = match at {
        Some(at) => u32::try_from(at as i32 + step).ok().and_then(|next| all.item(next)),
        None => all.item(0),
    };
    if let Some(next) = next {
        press.prevent_default();
        // An element that cannot be focused leaves the focus where it is.
        let _ = next.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

#[component]
fn Side(detail: ArtifactDetail, memory: Memo<Option<Memory>>) -> impl IntoView {
    let app = App::get();
    let file = detail.summary.artifact.clone();
    let readings = readings(&detail.views).into_iter().map(|one| reading(file.id.clone(), one)).collect_view();
    let none = detail.views.is_empty();
    let here = file.source_path.clone();
    let versions = detail.versions.clone().into_iter().map(|one| version(one, here.as_deref())).collect_view();
    let facts = facts(app, &detail);
    let memory_id = detail.summary.memory_id.clone();
    view! {
        <StateLine detail=detail.clone()/>
        <AtHand memory/>
        <Personal file=file.id.clone() memory=memory_id/>
        <section>
            <h2>"Readings"</h2>
            {none.then(|| view! { <p class="muted">"Nothing was read from it."</p> })}
            <ul class="plain">{readings}</ul>
        </section>
        {(!detail.versions.is_empty()).then(|| view! {
            <section data-testid="versions">
                <h2>"Other versions"</h2>
                <ul class="plain">{versions}</ul>
            </section>
        })}
        <section class="last">
            <h2>"File"</h2>
            <Tags memory/>
            {facts}
        </section>
    }
}

/// What is personal in the file and waits to be decided or blacked out.
#[component]
fn Personal(file: ArtifactId, memory: Option<MemoryId>) -> impl IntoView {
    let app = App::get();
    let found = Query::new(move || {
        app.changes.findings.track();
        let statuses = vec![FindingStatus::Pending, FindingStatus::Accepted];
        Some(FindingsList { artifact: Some(file.clone()), statuses, limit: Some(0), ..FindingsList::default() })
    });
    let waiting = Memo::new(move |_| found.value.with(|found| found.as_ref().map_or(0, |found| found.total)));
    move || {
        (waiting.get() > 0).then(|| {
            let to = Signal::stored(Route::Redactions { memory: memory.clone() });
            view! {
                <p class="personal" data-testid="item-findings">
                    <PageLink to class="button small"><Glyph icon=Icon::Blacked/> {count(waiting.get(), "finding")} " to review"</PageLink>
                </p>
            }
        })
    }
}

/// What the file is about, in the words that it was given as it was read.
#[component]
fn Tags(memory: Memo<Option<Memory>>) -> impl IntoView {
    let tags = Memo::new(move |_| memory.get().map(|memory| memory.tags).unwrap_or_default());
    move || {
        let tags = tags.get();
        (!tags.is_empty()).then(|| {
            let chips = tags.into_iter().map(|tag| view! { <li class="tag" data-testid="tag">{tag}</li> });
            view! { <ul class="tags" aria-label="What it is about">{chips.collect_view()}</ul> }
        })
    }
}

/// What the file says, as it is believed: each claim with its places in this file.
#[component]
fn Claims(file: ArtifactId) -> impl IntoView {
    let app = App::get();
    let own = StoredValue::new(file);
    let said = Query::new(move || {
        app.changes.beliefs.track();
        Some(FactsSearch { artifact: Some(own.get_value()), limit: Some(CLAIMS), ..FactsSearch::default() })
    });
    let row = move |claim: Claim| {
        let says = format!(" {} {}", phrase(&claim.predicate), object(&claim));
        let when = [circumstances(&claim.qualifiers), time(&claim, dates::now())];
        let when = when.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let here = claim.citations.into_iter().filter(|c| own.with_value(|own| c.artifact_id.as_ref() == Some(own)));
        let chips = here.map(|citation| view! { <CitationLink cited=citation shape=Shape::Place/> }).collect_view();
        let disputed = (claim.state == ClaimState::Disputed).then(|| {
            view! {
                <span class="disputed"><Glyph icon=Icon::Conflict/> "disputed"</span>
            }
        });
        view! {
            <li class="said-claim" data-testid="item-claim">
                <span>
                    <EntityLink entity=claim.subject/> {says}
                    {(!when.is_empty()).then(|| view! { " "<span class="muted small">{format!("({when})")}</span> })}
                </span>
                <span class="claim-sources">{chips} {disputed}</span>
            </li>
        }
    };
    // A file that says nothing of anybody, or is not read yet, has no such part.
    move || {
        let found = said.value.get().filter(|found| found.total > 0)?;
        let more = found.total.saturating_sub(found.facts.len() as u64);
        Some(view! {
            <section data-testid="item-claims">
                <h2>"What it says"</h2>
                <ul class="plain">{found.facts.into_iter().map(row).collect_view()}</ul>
                {(more > 0).then(|| view! { <p class="muted small">{format!("and {} more", count(more, "claim"))}</p> })}
            </section>
        })
    }
}

#[component]
fn StateLine(detail: ArtifactDetail) -> impl IntoView {
    let app = App::get();
    let state = state_of(&detail.summary);
    let file = detail.summary.artifact.clone();
    let back = (state == State::Removed).then(|| view! {
        <button type="button" class="button" data-testid="item-restore" title="Restore (R)" on:click=move |_| files::restore(app, &file)>
            <Glyph icon=Icon::Undo/> "Restore"
        </button>
    });
    let (id, name) = (detail.summary.artifact.id.clone(), detail.summary.artifact.filename.clone());
    let says = match &state {
        State::Done => return ().into_any(),
        State::Locked => voice::needs_password(&name),
        State::Removed => "It was removed: no question finds it.".into(),
        State::Waiting { way_out, .. } => match way_out {
            Some(way_out) => format!("{}. {way_out}", state.words()),
            None => format!("{}. It is read by itself once one is there.", state.words()),
        },
        other => other.words(),
    };
    let wait = waiting(app, &state, detail.summary.reading.as_ref());
    let enter = (state == State::Locked).then(|| view! {
        <button type="button" class="button" on:click=move |_| app.dialog.set(Some(Dialog::Password { id: id.clone(), name: name.clone() }))>
            "Enter"
        </button>
    });
    view! {
        <div class="notice" role="status" data-testid="item-state">
            <Glyph icon=Icon::Info/><p class="grow">{prose(&says)}</p>{enter}{back}{wait}
        </div>
    }
    .into_any()
}

/// What can be done about a file that waits: look for the program at once, or go to the models.
fn waiting(app: App, state: &State, reading: Option<&Job>) -> Option<AnyView> {
    let State::Waiting { way_out, .. } = state else { return None };
    if way_out.is_none() {
        let models = view! { <PageLink to=Signal::stored(Route::Settings) class="button small">"Models"</PageLink> };
        return Some(models.into_any());
    }
    let id = reading?.id.clone();
    let look = view! {
        <button type="button" class="button small" data-testid="item-look"
            on:click=move |_| actions::run(app, JobRetry { id: id.clone() })>"Look again"</button>
    };
    Some(look.into_any())
}

/// What one reader read from a file: a page or many.
#[derive(Debug, Clone, PartialEq)]
struct Reading {
    first: TextView,
    pages: Vec<u32>,
    length: u64,
    quality: f64,
}

/// The readings of a file: the pages that one reader read are one.
fn readings(views: &[TextView]) -> Vec<Reading> {
    let mut all: Vec<Reading> = Vec::new();
    let same = |a: &TextView, b: &TextView| {
        (a.view_type, &a.extractor_id, &a.model_id, &a.language)
            == (b.view_type, &b.extractor_id, &b.model_id, &b.language)
    };
    for view in views {
        match all.iter_mut().find(|known| same(&known.first, view)) {
            Some(known) => {
                let pages = known.pages.len() as f64;
                known.quality = (known.quality * pages + view.quality) / (pages + 1.0);
                known.pages.extend(view.page);
                known.length += u64::from(view.length);
            }
            None => all.push(Reading {
                first: view.clone(),
                pages: view.page.into_iter().collect(),
                length: view.length.into(),
                quality: view.quality,
            }),
        }
    }
    all
}

/// Pages in the shortest words: `p. 2`, `p. 1-12`, `12 pages` where some between are another reader's.
fn pages_label(pages: &[u32]) -> Option<String> {
    match pages {
        [] => None,
        [one] => Some(format!("p. {one}")),
        [first, .., last] if (last - first) as usize + 1 == pages.len() => Some(format!("p. {first}-{last}")),
        more => Some(count(more.len() as u64, "page")),
    }
}

fn reading(file: ArtifactId, reading: Reading) -> impl IntoView {
    let view = reading.first;
    let at = At { page: view.page, view: Some(view.id.clone()), span: None };
    let quality = quality_label(Some(view.view_type), Some(reading.quality));
    let by = [Some(reader_name(&view)), view.language.clone(), quality, Some(dates::day(view.created_at))];
    let by = by.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let words = if view.view_type == ViewType::Metadata { String::new() } else { count(reading.length, "character") };
    view! {
        <li>
            <PageLink to=Signal::stored(Route::Item { id: file, at }) class="reading">
                <span class="head-row">
                    <span class="grow">{view_name(view.view_type)}</span>
                    {pages_label(&reading.pages).map(|pages| view! { <span class="place">{pages}</span> })}
                    <span class="muted small">{words}</span>
                </span>
                <span class="muted small">{by}</span>
            </PageLink>
        </li>
    }
}

/// Another version; where it stood, if that is not where this one stands.
fn version(version: FileVersion, here: Option<&str>) -> impl IntoView + use<> {
    let was_at = version.path.clone().filter(|path| Some(path.as_str()) != here);
    let (icon, state) = match version.status {
        MemoryStatus::Active => (Icon::Check, "in use"),
        MemoryStatus::Superseded => (Icon::Older, "older"),
        MemoryStatus::Deleted => (Icon::Trash, "removed"),
        other => (Icon::Info, other.as_str()),
    };
    let to = Route::Item { id: version.artifact_id, at: At::default() };
    view! {
        <li>
            <PageLink to=Signal::stored(to) class="reading">
                <span class="head-row">
                    <span class="grow">{dates::moment(version.created_at)}</span>
                    <span class="state muted small version-state"><Glyph icon/> {state}</span>
                </span>
                {was_at.map(|path| view! { <span class="muted small path">"was at " {path}</span> })}
            </PageLink>
        </li>
    }
}

/// The folder of a path: the name stands above already.
fn folder_of(path: &str) -> String {
    path.rsplit_once(['/', '\\']).map_or(path, |(folder, _)| folder).to_owned()
}

/// Where a file was before it was moved: the folder alone where its name was the same.
fn was_at(paths: &[String], name: &str) -> String {
    let one = |path: &String| match path.rsplit_once(['/', '\\']) {
        Some((folder, last)) if last == name => folder.to_owned(),
        _ => path.clone(),
    };
    paths.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn facts(app: App, detail: &ArtifactDetail) -> impl IntoView + use<> {
    let file = &detail.summary.artifact;
    let found = detail.summary.embedding.as_ref().and_then(files::by_meaning);
    let before = Some(was_at(&detail.earlier_paths, &file.filename)).filter(|paths| !paths.is_empty());
    let space = app.space_name(&file.space_id).unwrap_or_default();
    let pixels = file.width.zip(file.height).map(|(w, h)| format!("{w} x {h} pixels"));
    let facts = [
        ("Type", Some(modality_name(file.modality).into())),
        ("Size", Some(size(file.byte_size))),
        ("Pages", file.page_count.map(|n| n.to_string())),
        ("Picture", pixels),
        ("Length", file.duration_ms.map(crate::format::clock)),
        ("Space", Some(space)),
        ("Came in", Some(dates::moment(file.created_at))),
        ("Came from", file.source_path.as_deref().map(folder_of)),
        ("Was at", before),
        ("Found", found),
    ];
    let rows = facts.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let rows = rows.map(|(name, value)| {
        let testid = (name == "Was at").then_some("was-at");
        view! { <div><dt>{name}</dt><dd data-testid=testid>{value}</dd></div> }
    });
    view! { <dl class="facts">{rows.collect_view()}</dl> }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(number: u32, extractor: &str, quality: f64) -> TextView {
        let id = "00000000-0000-7000-8000-000000000001";
        serde_json::from_value(serde_json::json!({
            "id": id, "artifact_id": id, "space_id": id, "view_type": "pdf_text", "page": number, "extractor_id": extractor,
            "config_hash": "", "quality": quality, "length": 10, "created_at": 0,
        }))
        .unwrap()
    }

    #[test]
    fn earlier_paths_are_folders_where_the_name_stayed() {
        let paths = ["/in/lease.pdf".to_owned(), "C:\\old\\rent.pdf".to_owned()];
        assert_eq!(was_at(&paths, "lease.pdf"), "/in\nC:\\old\\rent.pdf");
        assert_eq!(was_at(&[], "lease.pdf"), "");
    }

    #[test]
    fn the_pages_of_one_reader_are_one_reading() {
        let found = readings(&[page(1, "pdfium", 1.0), page(2, "tesseract", 0.8), page(3, "tesseract", 0.6)]);
        let told: Vec<_> = found.iter().map(|one| (pages_label(&one.pages).unwrap(), one.length)).collect();
        assert_eq!(told, [("p. 1".to_owned(), 10), ("p. 2-3".to_owned(), 20)]);
        assert!((found[1].quality - 0.7).abs() < 1e-9);
        assert_eq!(pages_label(&[1, 3, 4]).as_deref(), Some("3 pages"));
    }
}
