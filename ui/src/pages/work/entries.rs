//! Guidelines, tools and knowledge in a list: from which level each comes, and what it overrides.

use super::{
    level::LevelMark,
    narrow::Filters,
    then,
    words::{first_line, type_icon, type_name, type_names},
};
use crate::{
    components::{
        icon::{Glyph, Icon},
        link::PageLink,
        list::VirtualList,
        states::{Empty, listed},
    },
    grown::{Grown, Read},
    route::Route,
    state::App,
};
use leptos::prelude::*;
use um_model::{SpaceId, work::*};

/// Height of a row in pixels.
const ROW: f64 = 56.0;

/// The entries of a space, and of the levels above it.
#[component]
pub fn Entries(space: SpaceId, filters: Filters, new: Callback<()>) -> impl IntoView {
    let app = App::get();
    let list = Grown::telling(
        move |offset, limit| filters.request(app, &space, offset, limit),
        move || app.changes.work.track(),
        |listed: EntriesListed| Read { rows: listed.entries, more: listed.more, notices: listed.notices },
    );
    let empty = move || untrack(|| nothing(app, filters, new));
    let notices = move || then::notices(list.notices());
    let shown = listed(list.listing(), "The entries could not be listed.", empty, move || rows(list).into_any());
    view! { {notices} {shown} }
}

fn nothing(app: App, filters: Filters, new: Callback<()>) -> AnyView {
    if filters.category.get().is_some() || filters.words().is_some() {
        let says = if filters.words().is_some() { "Nothing has these words." } else { "Nothing is about that." };
        return view! {
            <Empty icon=Icon::Search says=says>
                <button type="button" class="button" on:click=move |_| filters.clear()>"Clear the filters"</button>
            </Empty>
        }
        .into_any();
    }
    if then::is_past(app) {
        return view! {
            <Empty icon=Icon::Older says="Nothing of this was in use on that day.">
                <button type="button" class="button" on:click=move |_| app.work_day.set(None)>"Back to now"</button>
            </Empty>
        }
        .into_any();
    }
    let (icon, says) = match filters.entry_type() {
        Some(EntryType::Guideline) => {
            (Icon::Book, "No guideline yet. How things are done here, agents look up in them.")
        }
        Some(EntryType::Tool) => {
            (Icon::Settings, "No tool yet. What can be called or run here, agents look up in them.")
        }
        Some(EntryType::Knowledge) => {
            (Icon::Idea, "No knowledge yet. What is so, or was decided, agents look up in it.")
        }
        None => (Icon::Book, "No guideline, tool or knowledge yet. Agents look up in them how work is done here."),
    };
    view! {
        <Empty icon says>
            <button type="button" class="button accent" on:click=move |_| new.run(())><Glyph icon=Icon::Plus/> "New entry"</button>
        </Empty>
    }
    .into_any()
}

fn rows(list: Grown<Entry>) -> impl IntoView {
    let cursor = RwSignal::new(0usize);
    let item = move |index: usize| {
        let entry = Memo::new(move |_| list.row(index));
        // A row stays while its entry gets new versions, so that the focus does.
        let id = Memo::new(move |_| entry.with(|entry| entry.as_ref().map(|entry| entry.id.clone())));
        let standing = Memo::new(move |_| list.with(|all| standing(all, index)));
        move || {
            let _ = id.get();
            match entry.get_untracked() {
                Some(first) => {
                    let now = Memo::new(move |_| entry.get().unwrap_or_else(|| first.clone()));
                    view! { <Row entry=now standing index cursor/> }.into_any()
                }
                None if list.error.with(Option::is_some) => view! {
                    <button type="button" class="button small" data-focus="" on:click=move |_| list.refresh()>
                        <Glyph icon=Icon::Reread/> "More could not be read. Try again"
                    </button>
                }
                .into_any(),
                None => view! { <div class="bar row"></div> }.into_any(),
            }
        }
    };
    view! {
        <VirtualList total=list.length() label="Entries, the nearest level first" cursor
            id=move |index| list.row(index).map(|entry| entry.id.to_string()) visible=list.sight()
            on_key=Callback::new(|_| {}) item column_width=Signal::stored(None) row_height=Signal::stored(ROW)/>
    }
}

/// How an entry stands to others of its type and name, as far as they are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It is the only one.
    Alone,
    /// It counts before others farther away.
    Overrides,
    /// A nearer one counts before it.
    Overridden,
}

/// The nearest levels come first in a list.
fn standing(all: &[Entry], index: usize) -> Standing {
    let Some(own) = all.get(index) else { return Standing::Alone };
    let alike = |other: &&Entry| other.entry_type == own.entry_type && other.name == own.name && other.is_active;
    let mut others = all.iter().filter(alike).filter(|other| other.id != own.id);
    if others.clone().any(|other| other.level < own.level) {
        Standing::Overridden
    } else if own.is_active && others.any(|other| other.level > own.level) {
        Standing::Overrides
    } else {
        Standing::Alone
    }
}

#[component]
fn Row(entry: Memo<Entry>, standing: Memo<Standing>, index: usize, cursor: RwSignal<usize>) -> impl IntoView {
    let id = entry.with_untracked(|entry| entry.id.clone());
    let tabindex = Signal::derive(move || if cursor.get() == index { "0" } else { "-1" });
    let marks = move || match standing.get() {
        Standing::Alone => None,
        Standing::Overrides => Some(mark(Icon::Layers, "overrides another")),
        Standing::Overridden => Some(mark(Icon::Layers, "overridden")),
    };
    let content = move || {
        let entry = entry.get();
        let says = says(&entry);
        view! {
            <Glyph icon=type_icon(entry.entry_type)/>
            <span class="entry-words grow">
                <span class="session-name">
                    <span class="clip strong" title=entry.name.clone()><bdi>{entry.name.clone()}</bdi></span>
                    {marks}
                    {states(&entry)}
                </span>
                <span class="clip muted small" title=says.clone()><bdi>{says.clone()}</bdi></span>
            </span>
            <LevelMark space=entry.space_id.clone() session=entry.session_id.is_some()/>
        }
    };
    let gone = move || entry.with(|entry| !entry.is_active) || standing.get() == Standing::Overridden;
    view! {
        <div class="entry-row" class:gone=gone data-testid="entry-row" on:focusin=move |_| cursor.set(index)>
            <PageLink to=Signal::stored(Route::Entry(id)) class="row-link" tabindex>{content}</PageLink>
        </div>
    }
}

fn mark(icon: Icon, words: &'static str) -> impl IntoView {
    view! { <span class="state small muted"><Glyph icon/> {words}</span> }
}

/// That it is out of use or has run out, and that something is to be decided.
pub fn states(entry: &Entry) -> impl IntoView + use<> {
    let out = (!entry.is_active).then(|| mark(Icon::Ban, "out of use"));
    let ended = entry.ran_out.then(|| mark(Icon::Older, "has run out"));
    let open = (entry.open_conflicts > 0).then(|| {
        view! { <span class="disputed"><Glyph icon=Icon::Conflict/> {format!("{} to decide", entry.open_conflicts)}</span> }
    });
    view! { {out} {ended} {open} }
}

/// How an entry begins.
fn says(entry: &Entry) -> String {
    let body = &entry.version.body;
    first_line(body.content.as_ref().or(body.description.as_ref()).map_or("", String::as_str))
}

/// An entry in a short list, with the way to its page.
#[component]
pub fn EntryLine(
    /// The entry.
    entry: Entry,
) -> impl IntoView {
    let (says, name) = (says(&entry), entry.name.clone());
    let to = Signal::stored(Route::Entry(entry.id.clone()));
    view! {
        <li class="entry" data-testid="entry-line">
            <Glyph icon=type_icon(entry.entry_type)/>
            <span class="entry-text grow">
                <PageLink to class="entity-link"><span><bdi>{name}</bdi></span></PageLink>
                <span class="muted small clip" title=says.clone()>{says.clone()}</span>
            </span>
            {states(&entry)}
            <span class="muted small">{type_name(entry.entry_type)}</span>
        </li>
    }
}

/// What the list of a type is called.
pub fn list_name(of: EntryType) -> &'static str {
    type_names(of).0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(number: u8, name: &str, level: u8, is_active: bool) -> Entry {
        let id = |n: u8| format!("00000000-0000-7000-8000-0000000000{n:02}");
        let version = serde_json::json!({ "id": id(90), "number": 1, "body": { "content": "x" }, "conflict_flag": false,
            "created_at": 0, "created_by": null });
        serde_json::from_value(
            serde_json::json!({ "id": id(number), "space_id": id(1), "space": "a", "entry_type": "guideline",
            "name": name, "priority": 50, "is_active": is_active, "created_at": 0, "updated_at": 0, "version": version,
            "open_conflicts": 0, "level": level }),
        )
        .unwrap()
    }

    #[test]
    fn the_nearest_that_is_in_use_counts() {
        use Standing::{Alone, Overridden, Overrides};
        let all = [
            entry(1, "a", 0, true),
            entry(2, "b", 0, false),
            entry(3, "a", 1, true),
            entry(4, "b", 1, true),
            entry(5, "c", 2, true),
            entry(6, "a", 2, false),
        ];
        let got: Vec<Standing> = (0..=all.len()).map(|at| standing(&all, at)).collect();
        assert_eq!(got, [Overrides, Alone, Overridden, Alone, Alone, Overridden, Alone]);
    }
}
