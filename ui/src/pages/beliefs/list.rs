//! Who and what is spoken of: searched as one types, narrowed down by type.

use super::words::{type_icon, type_name};
use crate::{
    components::{
        icon::{Glyph, Icon},
        link::PageLink,
        list::VirtualList,
        states::{Empty, listed},
    },
    format::count,
    paged::{PAGE, Paged},
    route::Route,
    state::{App, Dialog},
};
use leptos::prelude::*;
use um_model::{
    belief::EntityType,
    claims::{EntitiesList, Entity},
};

/// Height of a row in pixels.
const ROW: f64 = 40.0;

/// The page.
#[component]
pub fn Beliefs() -> impl IntoView {
    let app = App::get();
    let typed = RwSignal::new(String::new());
    let wanted = RwSignal::new(None::<EntityType>);
    let list = Paged::new(
        move |offset| EntitiesList {
            space: app.space.get().map(String::from),
            query: Some(typed.get().trim().to_owned()).filter(|query| !query.is_empty()),
            types: wanted.get().into_iter().collect(),
            offset,
            limit: Some(PAGE),
        },
        move || app.changes.beliefs.track(),
        |listed| (listed.entities, listed.total),
    );
    let empty = move || nothing(app, typed, wanted).into_any();
    let types = EntityType::ALL.iter().map(|t| {
        view! { <option value=t.as_str() selected=move || wanted.get() == Some(*t)>{plural(*t)}</option> }
    });
    view! {
        <div class="page-head">
            <div class="head-row">
                <h1 class="grow">"Beliefs"</h1>
                <span class="muted small" role="status">
                    {move || list.total.get().filter(|t| *t > 0).map(|t| if t == 1 { "1 entity".into() } else { format!("{} entities", crate::format::grouped(t)) })}
                </span>
            </div>
            <div class="filters" role="search" aria-label="Find an entity">
                <input id="search" class="field grow" type="text" placeholder="Find by name" aria-label="Find by name"
                    autocomplete="off" data-testid="beliefs-filter" prop:value=move || typed.get()
                    on:input=move |e| typed.set(event_target_value(&e))/>
                <select class="field" aria-label="Type" data-testid="beliefs-type"
                    on:change=move |e| wanted.set(event_target_value(&e).parse().ok())>
                    <option value="">"Any type"</option>
                    {types.collect_view()}
                </select>
            </div>
        </div>
        <div class="page-body fill">{listed(list.listing(), "The beliefs could not be listed.", empty, move || view! { <Rows list/> }.into_any())}</div>
    }
}

fn plural(entity_type: EntityType) -> &'static str {
    match entity_type {
        EntityType::Person => "People",
        EntityType::Organization => "Organizations",
        EntityType::Concept => "Ideas",
        EntityType::Location => "Places",
        EntityType::Thing => "Things",
    }
}

fn nothing(app: App, typed: RwSignal<String>, wanted: RwSignal<Option<EntityType>>) -> impl IntoView {
    if !typed.with(String::is_empty) || wanted.get().is_some() {
        view! {
            <Empty icon=Icon::Search says="Nobody and nothing fits these filters.">
                <button type="button" class="button" on:click=move |_| { typed.set(String::new()); wanted.set(None); }>
                    "Clear the filters"
                </button>
            </Empty>
        }
        .into_any()
    } else {
        view! {
            <Empty icon=Icon::Beliefs says="No beliefs yet. They come as files are read.">
                <button type="button" class="button accent" on:click=move |_| app.dialog.set(Some(Dialog::AddFiles))>
                    <Glyph icon=Icon::Plus/> "Add files"
                </button>
            </Empty>
        }
        .into_any()
    }
}

#[component]
fn Rows(list: Paged<Entity>) -> impl IntoView {
    let cursor = RwSignal::new(0usize);
    let item = move |index: usize| {
        let entity = Memo::new(move |_| list.row(index));
        // A row stays while more is believed of its entity, so that the focus does.
        let id = Memo::new(move |_| entity.with(|e| e.as_ref().map(|e| e.id.clone())));
        move || {
            let _ = id.get();
            match entity.get_untracked() {
                Some(first) => {
                    let now = Memo::new(move |_| entity.get().unwrap_or_else(|| first.clone()));
                    view! { <Row entity=now index cursor/> }.into_any()
                }
                None => view! { <div class="bar row"></div> }.into_any(),
            }
        }
    };
    view! {
        <VirtualList total=list.length() label="Entities" cursor id=move |index| list.row(index).map(|entity| entity.id.to_string())
            visible=list.sight() on_key=Callback::new(|_| {}) item column_width=Signal::stored(None) row_height=Signal::stored(ROW)/>
    }
}

#[component]
fn Row(entity: Memo<Entity>, index: usize, cursor: RwSignal<usize>) -> impl IntoView {
    let content = move || {
        let entity = entity.get();
        let names = other_names(&entity);
        let disputed = (entity.disputed > 0).then(|| {
            view! {
                <span class="disputed"><Glyph icon=Icon::Conflict/> {format!("{} disputed", entity.disputed)}</span>
            }
        });
        view! {
            <Glyph icon=type_icon(entity.entity_type)/>
            <span class="file strong" title=entity.name.clone()>{entity.name.clone()}</span>
            <span class="muted small clip grow" title=names.clone()>{names.clone()}</span>
            {disputed}
            <span class="column muted small entity-type">{type_name(entity.entity_type)}</span>
            <span class="column muted small">{claims_words(entity.claims)}</span>
        }
    };
    let id = entity.with_untracked(|entity| entity.id.clone());
    view! {
        <div class="entity-row" data-testid="entity-row" on:focusin=move |_| cursor.set(index)>
            <FocusLink to=Route::Entity(id) index cursor>{content}</FocusLink>
        </div>
    }
}

/// A link that stands in a list with one stop for Tab.
#[component]
fn FocusLink(to: Route, index: usize, cursor: RwSignal<usize>, children: Children) -> impl IntoView {
    let app = App::get();
    let href = to.url();
    let follow = move |click: leptos::ev::MouseEvent| {
        click.prevent_default();
        app.go(to.clone());
    };
    view! {
        <a class="row-link" href=href data-focus="" tabindex=move || if cursor.get() == index { "0" } else { "-1" }
            on:click=follow>{children()}</a>
    }
}

/// How much is believed of it; of some nothing is, they are only named.
fn claims_words(claims: u64) -> String {
    if claims == 0 { "only named".into() } else { count(claims, "claim") }
}

/// An entity's other names, in quotes.
pub fn other_names(entity: &Entity) -> String {
    let names: Vec<String> =
        entity.aliases.iter().filter(|alias| **alias != entity.name).map(|alias| format!("\"{alias}\"")).collect();
    names.join(", ")
}

/// A link to an entity's page.
#[component]
pub fn EntityLink(
    /// The entity.
    entity: um_model::claims::EntityRef,
) -> impl IntoView {
    view! {
        <PageLink to=Signal::stored(Route::Entity(entity.id.clone())) class="entity-link">
            <Glyph icon=type_icon(entity.entity_type)/> <span>{entity.name.clone()}</span>
        </PageLink>
    }
}
