//! Where an entity is named without anything being claimed of it: the words around its name, a few at a time.

use super::entity::Page;
use crate::{
    components::citation::{CitationLink, Shape},
    format::count,
    ipc,
    state::App,
};
use leptos::{prelude::*, task::spawn_local};
use um_model::claims::{EntityGet, EntityMention};

/// The memories that name it; nothing where there are none.
#[component]
pub fn Mentions(page: Page) -> impl IntoView {
    let app = App::get();
    let more = RwSignal::new(Vec::<EntityMention>::new());
    let known = Memo::new_with_compare(
        move |_| {
            page.detail.value.with(|d| d.as_ref().map(|d| (d.mentions.clone(), d.mentions_total)).unwrap_or_default())
        },
        |_, _| true,
    );
    // A new answer begins with the newest again: what was read of the old ones is theirs.
    Effect::new(move |_| {
        known.track();
        more.set(Vec::new());
    });
    let load = move |_| {
        let Some(id) = page.detail.value.with_untracked(|d| d.as_ref().map(|d| d.entity.id.clone())) else { return };
        let so_far = known.with_untracked(|(first, _)| first.len()) + more.with_untracked(Vec::len);
        let next = EntityGet { entity: id.to_string(), mentions_offset: so_far as u32, ..EntityGet::default() };
        spawn_local(async move {
            match ipc::call(next).await {
                Ok(detail) => drop(more.try_update(|more| more.extend(detail.mentions))),
                Err(error) => app.toasts.trouble(&error),
            }
        });
    };
    let row = |mention: EntityMention| {
        view! { <li class="mention" data-testid="mention"><CitationLink cited=mention.citation shape=Shape::Card/></li> }
    };
    move || {
        let (first, total) = known.get();
        let left = total.saturating_sub(first.len() as u64 + more.with(Vec::len) as u64);
        (total > 0).then(|| {
            view! {
                <section class="panel" aria-labelledby="mentions-title">
                    <h2 id="mentions-title">"Also mentioned in"</h2>
                    <ol class="mentions">{first.into_iter().chain(more.get()).map(row).collect_view()}</ol>
                    {(left > 0).then(|| view! {
                        <p><button type="button" class="button small" data-testid="mentions-more" on:click=load>
                            {format!("Show more of {}", count(total, "place"))}
                        </button></p>
                    })}
                </section>
            }
        })
    }
}
