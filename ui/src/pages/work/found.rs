//! The resources that speak of what was looked for.

use super::{branches::Tree, then, words};
use crate::{
    components::{
        icon::{Glyph, Icon},
        link::PageLink,
        states::{Empty, shown},
    },
    format::count,
    query::Query,
    route::Route,
    state::App,
};
use leptos::prelude::*;
use um_model::{
    ResourceId,
    work::{Resource, ResourcesBrowse},
};

/// So many are shown.
const FOUND: u32 = 100;

/// The resources that speak of some words.
#[component]
pub fn Found(
    tree: Tree,
    typed: RwSignal<String>,
    rested: ReadSignal<String>,
    chosen: Memo<Option<ResourceId>>,
) -> impl IntoView {
    let app = App::get();
    let found = Query::new(move || {
        app.changes.work.track();
        let text = Some(rested.get().trim().to_owned()).filter(|text| !text.is_empty())?;
        Some(ResourcesBrowse {
            space: Some(tree.space.get_value().to_string()),
            text: Some(text),
            as_of: then::as_of(app),
            limit: Some(FOUND),
            ..ResourcesBrowse::default()
        })
    });
    let row = move |resource: Resource| {
        let (icon, kind) = words::resource(resource.kind);
        let id = resource.id.clone();
        let here = Memo::new(move |_| chosen.with(|chosen| chosen.as_ref() == Some(&id)));
        let (title, uri) = (resource.title.clone(), resource.uri.clone());
        view! {
            <li class="found-row" class:here=move || here.get() data-testid="resource-found">
                <PageLink to=Signal::stored(Route::Resources { open: Some(resource.id) }) class="row-link" tabindex=Signal::stored("0")>
                    <Glyph icon/> <span class="hidden-words">{kind}</span>
                    <span class="entry-words grow">
                        <span class="clip" title=title.clone()><bdi>{title.clone()}</bdi></span>
                        <span class="clip muted small" title=uri.clone()><bdi>{uri.clone()}</bdi></span>
                    </span>
                </PageLink>
            </li>
        }
    };
    shown(found, "The resources could not be looked through.", (4, "row"), move |listed| {
        let notices = then::notices(listed.notices);
        if listed.children.is_empty() {
            return view! {
                {notices}
                <Empty icon=Icon::Search says="No resource has these words.">
                    <button type="button" class="button" on:click=move |_| typed.set(String::new())>"Clear the search"</button>
                </Empty>
            }
            .into_any();
        }
        let more = listed.total.saturating_sub(listed.children.len() as u64);
        view! {
            <ul class="plain" aria-label="Resources that were found">{listed.children.into_iter().map(row).collect_view()}</ul>
            {(more > 0).then(|| view! { <p class="muted small">{format!("and {}. Say more of what you look for.", count(more, "more resource"))}</p> })}
            {notices}
        }
        .into_any()
    })
}
