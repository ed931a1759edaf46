//! Standing rules of another day, or those that say some words: to be read.

use super::{level::LevelMark, narrow::Filters, then};
use crate::{
    components::{
        icon::Icon,
        link::PageLink,
        states::{Empty, shown},
    },
    format::count,
    query::Query,
    route::Route,
    state::App,
};
use leptos::prelude::*;
use um_model::{BlockId, SpaceId, work::*};

/// So many are shown.
const MOST: u32 = 100;

/// The rules that were in force on that day, and say the words.
#[component]
pub fn StandingThen(space: SpaceId, filters: Filters) -> impl IntoView {
    let app = App::get();
    let found = Query::new(move || {
        app.changes.work.track();
        Some(ItemsQuery {
            space: Some(space.to_string()),
            types: vec![ItemType::CoreBlock],
            text: filters.words(),
            as_of: then::as_of(app),
            limit: Some(MOST),
            ..ItemsQuery::default()
        })
    });
    let list = move |found: ItemsFound| {
        if found.items.is_empty() {
            return nothing(app, filters).into_any();
        }
        let more = found.total.saturating_sub(found.items.len() as u64);
        view! {
            <section class="panel" aria-labelledby="rules-title">
                <h2 id="rules-title">"Standing rules"</h2>
                {then::is_past(app).then(|| view! { <p class="muted small">"Which notes were pinned on that day is not kept."</p> })}
                <ul class="plain">{found.items.into_iter().map(row).collect_view()}</ul>
                {(more > 0).then(|| view! { <p class="muted small">{format!("and {}. Say more of what you look for.", count(more, "more rule"))}</p> })}
                {then::notices(found.notices)}
            </section>
        }
        .into_any()
    };
    view! { <div class="scroll-area">{shown(found, "The standing rules could not be listed.", (3, "card"), list)}</div> }
}

fn nothing(app: App, filters: Filters) -> impl IntoView {
    let worded = untrack(|| filters.words().is_some());
    let (icon, says, does) = match worded {
        true => (Icon::Search, "No standing rule has these words.", "Clear the search"),
        false => (Icon::Older, "No standing rule was in force on that day.", "Back to now"),
    };
    let clear = move |_| if worded { filters.clear() } else { app.work_day.set(None) };
    view! {
        <Empty icon says>
            <button type="button" class="button" on:click=clear>{does}</button>
        </Empty>
    }
}

/// A rule, with the way to its page, which has its versions.
fn row(one: Found) -> impl IntoView {
    let label = one.item.title;
    let title = match BlockId::parse(one.item.id) {
        Ok(id) => view! { <PageLink to=Signal::stored(Route::Rule(id)) class="entity-link"><span><bdi>{label}</bdi></span></PageLink> }.into_any(),
        Err(_) => view! { <bdi>{label}</bdi> }.into_any(),
    };
    view! {
        <li class="rule-row" data-testid="rule-then">
            <div class="head-row"><span class="grow">{title}</span> <LevelMark space=one.space_id session=false/></div>
            <p class="work-text">{one.says}</p>
        </li>
    }
}
