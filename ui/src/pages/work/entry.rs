//! One entry: what it says, where it counts, what it overrides, its versions.

use super::{
    WorkDialog, back,
    clashes::EntryClashes,
    entries::{list_name, states},
    level::LevelMark,
    says::{map, said},
    then::{self, Then},
    versions::Versions,
    words::{category, first_line, type_icon, type_name, who},
};
use crate::{
    actions,
    components::{
        icon::{Glyph, Icon},
        link::PageLink,
        states::kept,
    },
    dates, ipc,
    query::Query,
    route::{Route, Shown},
    state::App,
};
use leptos::{prelude::*, task::spawn_local};
use um_model::{EntryId, work};

/// The page.
#[component]
pub fn Entry(
    /// The entry.
    id: EntryId,
) -> impl IntoView {
    let app = App::get();
    let asked = id.clone();
    let got = Query::new(move || {
        app.changes.work.track();
        Some(work::EntryGet { id: Some(asked.clone()), as_of: then::as_of(app), ..work::EntryGet::default() })
    });
    let entry = Memo::new(move |_| got.value.with(|got| got.as_ref().map(|got| got.entry.clone())));
    let of = Memo::new(move |_| entry.with(|entry| entry.as_ref().map(|entry| entry.entry_type)));
    let id = StoredValue::new(id);
    let body = move || {
        view! {
            {move || (!then::is_past(app)).then(|| view! { <EntryClashes entry=id.get_value()/> })}
            {move || entry.get().map(says)}
            <Levels entry/>
            <Versions item_type=work::VersionedType::Entry id=id.get_value()/>
        }
        .into_any()
    };
    view! {
        <div class="page-head item-head work-head">
            <div class="head-row">
                {move || match of.get() {
                    Some(of) => back(Route::Rules { show: Shown::Of(of) }, list_name(of)).into_any(),
                    None => back(Route::Rules { show: Shown::All }, "Rules & knowledge").into_any(),
                }}
                <Head entry/>
            </div>
            <Then/>
        </div>
        <div class="page-body work-page" data-testid="entry">
            {kept(got, "The entry could not be opened.", (6, "row"), body)}
        </div>
    }
}

/// A new version draws no button anew, so that the focus stays.
#[component]
fn Head(entry: Memo<Option<work::Entry>>) -> impl IntoView {
    let app = App::get();
    let name =
        Memo::new(move |_| entry.with(|one| one.as_ref().map_or_else(|| "Entry".to_owned(), |one| one.name.clone())));
    let active = Memo::new(move |_| entry.with(|one| one.as_ref().map(|one| one.is_active)));
    let known = Memo::new(move |_| active.get().is_some());
    let edit = move |_| {
        if let Some(entry) = entry.get_untracked() {
            WorkDialog::EditEntry(Box::new(entry)).open(app);
        }
    };
    let turn = move |_| match entry.get_untracked() {
        Some(entry) if entry.is_active => disable(app, entry),
        Some(entry) => enable(app, &entry),
        None => {}
    };
    let turns = move || match active.get() {
        Some(false) => view! { <Glyph icon=Icon::Undo/> "Enable" }.into_any(),
        _ => view! { <Glyph icon=Icon::Ban/> "Disable" }.into_any(),
    };
    let buttons = move || {
        known.get().then(|| {
            view! {
                <button type="button" class="button" data-testid="entry-edit" disabled=move || then::is_past(app)
                    title=move || then::reason(app) on:click=edit><Glyph icon=Icon::Edit/> "Edit"</button>
                <button type="button" class="button" data-testid="entry-disable" disabled=move || then::is_past(app)
                    title=move || then::reason(app) on:click=turn>{turns}</button>
            }
        })
    };
    view! {
        <h1 class="file grow" title=move || name.get() data-testid="entry-title"><bdi>{move || name.get()}</bdi></h1>
        {buttons}
    }
}

/// Takes an entry out of use, with the way back.
fn disable(app: App, entry: work::Entry) {
    spawn_local(async move {
        match ipc::call(work::EntryDisable { id: entry.id.clone() }).await {
            Ok(_) => {
                let says = format!("{} is out of use. What it overrode counts again.", first_line(&entry.name));
                app.toasts.say_with_undo(says, move || enable(app, &entry));
            }
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

fn enable(app: App, entry: &work::Entry) {
    let (id, name) = (entry.id.clone(), first_line(&entry.name));
    spawn_local(async move {
        match ipc::call(work::EntryEnable { id }).await {
            Ok(_) => app.toasts.say(format!("{name} is in use again.")),
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

fn says(entry: work::Entry) -> impl IntoView {
    let app = App::get();
    let version = &entry.version;
    let (icon, word, states) = (type_icon(entry.entry_type), type_name(entry.entry_type), states(&entry));
    let facts =
        format!("Version {}, {}, by {}", version.number, dates::moment(version.created_at), who(&version.author));
    let about = entry.category.map(|one| format!("About: {}.", category(one).to_lowercase()));
    let matters = format!("Matters {} of 100.", entry.priority);
    let reason = version.change_reason.as_deref().map(first_line);
    let body = said(&map(&version.body));
    let id = entry.id.clone();
    let tags = entry.tags.into_iter().map(|tag| chip(app, id.clone(), tag)).collect::<Vec<_>>();
    view! {
        <section class="panel" aria-labelledby="says-title" data-testid="entry-says">
            <div class="head-row">
                <h2 id="says-title" class="grow">"What it says"</h2>
                <span class="entity-kind"><Glyph icon/> {word}</span>
                {states}
                <LevelMark space=entry.space_id session=entry.session_id.is_some()/>
            </div>
            {body}
            {(!tags.is_empty()).then(|| view! { <ul class="tags" aria-label="Tags">{tags}</ul> })}
            <p class="muted small">{facts} {reason.map(|reason| view! { ": " <bdi>{reason}</bdi> })}</p>
            <p class="muted small">{about} " " {matters}</p>
        </section>
    }
}

/// A tag, which can be taken off.
fn chip(app: App, id: EntryId, tag: String) -> impl IntoView + use<> {
    let (label, said) = (format!("Take off the tag {tag}"), tag.clone());
    let off = move |_| take_off(app, id.clone(), tag.clone());
    view! {
        <li class="tag">
            <bdi>{said}</bdi>
            <button type="button" class="button ghost square small" data-testid="tag-off" aria-label=label.clone() title=label
                disabled=move || then::is_past(app) on:click=off><Glyph icon=Icon::Cross/></button>
        </li>
    }
}

/// Takes a tag off, with the way back.
fn take_off(app: App, id: EntryId, tag: String) {
    spawn_local(async move {
        let (item_type, id, tags) = (work::ItemType::Entry, id.to_string(), vec![tag.clone()]);
        match ipc::call(work::TagDetach { item_type, id: id.clone(), tags: tags.clone() }).await {
            Ok(_) => {
                let again =
                    move || actions::run(app, work::TagAttach { item_type, id: id.clone(), tags: tags.clone() });
                app.toasts.say_with_undo(format!("It has the tag {tag} no more."), again);
            }
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

/// The levels that have an entry of that type and name, as they are seen from the space in use, or from its session.
#[component]
fn Levels(entry: Memo<Option<work::Entry>>) -> impl IntoView {
    let app = App::get();
    let place = Memo::new(move |_| {
        entry.with(|entry| {
            let entry = entry.as_ref()?;
            Some((entry.space_id.clone(), entry.session_id.clone(), entry.entry_type, entry.name.clone()))
        })
    });
    let own = Memo::new(move |_| entry.with(|entry| entry.as_ref().map(|entry| entry.id.clone())));
    let got = Query::new(move || {
        app.changes.work.track();
        let (space, session, entry_type, name) = place.get()?;
        let from = app.space.get().filter(|_| session.is_none()).unwrap_or(space);
        Some(work::EntryGet {
            space: session.is_none().then(|| from.to_string()),
            session,
            entry_type: Some(entry_type),
            name: Some(name),
            all_levels: true,
            inactive: true,
            as_of: then::as_of(app),
            ..work::EntryGet::default()
        })
    });
    let levels = Memo::new(move |_| {
        let all = got.value.with(|got| {
            got.as_ref()
                .map_or_else(Vec::new, |got| std::iter::once(&got.entry).chain(&got.overrides).cloned().collect())
        });
        let is_among = own.with(|own| all.iter().any(|one: &work::Entry| own.as_ref() == Some(&one.id)));
        if is_among && all.len() > 1 { all } else { Vec::new() }
    });
    let rows = move || {
        let all = levels.get();
        let counts = all.iter().find(|one| one.is_active).map(|one| one.id.clone());
        let row = |one: work::Entry| {
            let here = own.with(|own| own.as_ref() == Some(&one.id));
            let (icon, words, class) = match (one.is_active, counts.as_ref() == Some(&one.id)) {
                (false, _) => (Icon::Ban, "out of use", "state small muted"),
                (true, true) => (Icon::Check, "counts here", "state small working"),
                (true, false) => (Icon::Layers, "overridden", "state small muted"),
            };
            let name = if here { "This one".to_owned() } else { format!("Version {}", one.version.number) };
            let title = if here {
                view! { <span class="strong">{name}</span> }.into_any()
            } else {
                view! { <PageLink to=Signal::stored(Route::Entry(one.id.clone())) class="entity-link"><span>{name}</span></PageLink> }.into_any()
            };
            view! {
                <li class="entry" data-testid="level-row">
                    <LevelMark space=one.space_id.clone() session=one.session_id.is_some()/>
                    <span class="grow">{title}</span>
                    <span class=class><Glyph icon/> {words}</span>
                </li>
            }
        };
        all.into_iter().map(row).collect_view()
    };
    move || {
        (!levels.with(Vec::is_empty)).then(|| {
            view! {
                <section class="panel" aria-labelledby="levels-title" data-testid="levels">
                    <h2 id="levels-title">"Where else it stands"</h2>
                    <p class="muted small">"Of one name, the nearest that is in use counts."</p>
                    <ol class="plain">{rows}</ol>
                </section>
            }
        })
    }
}
