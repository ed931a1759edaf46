//! What was said and done in a session, the latest first, and found by words.

use super::words::{event, who};
use crate::{
    components::{icon::Glyph, states::kept},
    dates,
    format::count,
    query::Query,
    state::App,
};
use leptos::prelude::*;
use um_model::{
    SessionId,
    work::{Event, EventsList},
};

/// So many are shown at first, and so many more each time.
const FIRST: u32 = 20;
const MORE: u32 = 60;
/// So many are shown at most.
const MOST: u32 = 200;
/// So many characters of one are shown at first.
const SHORT: usize = 600;

/// The section of a session's page.
#[component]
pub fn Events(
    /// The session.
    session: SessionId,
    /// How many happened in it.
    total: Memo<u64>,
) -> impl IntoView {
    let app = App::get();
    let typed = RwSignal::new(String::new());
    let limit = RwSignal::new(FIRST);
    let listed = Query::new(move || {
        app.changes.work.track();
        let text = Some(typed.get().trim().to_owned()).filter(|text| !text.is_empty());
        Some(EventsList { session: Some(session.clone()), text, limit: Some(limit.get()), ..EventsList::default() })
    });
    let all = Memo::new(move |_| listed.value.with(|l| l.as_ref().map_or_else(Vec::new, |l| l.events.clone())));
    let more = Memo::new(move |_| listed.value.with(|l| l.as_ref().is_some_and(|l| l.more)));
    let none = Memo::new(move |_| all.with(Vec::is_empty));
    let nothing = move || {
        none.get().then(|| {
            let says = if typed.with(|typed| typed.trim().is_empty()) {
                "Nothing was told yet."
            } else {
                "No event has these words."
            };
            view! { <p class="muted" data-testid="events-none">{says}</p> }
        })
    };
    let rest = move || {
        more.get().then(|| match limit.get() {
            MOST.. => {
                view! { <p class="muted small">{format!("The latest {MOST}. Find older ones by their words.")}</p> }
                    .into_any()
            }
            shown => view! {
                <button type="button" class="button" data-testid="events-more"
                    on:click=move |_| limit.set((shown + MORE).min(MOST))>"Show more"</button>
            }
            .into_any(),
        })
    };
    let list = move || {
        view! {
            {nothing}
            <ol class="events"><For each=move || all.get() key=|one| one.id.clone() children=|one| view! { <Told one/> }/></ol>
            {rest}
        }
        .into_any()
    };
    view! {
        <section class="panel" aria-labelledby="events-title">
            <div class="head-row">
                <h2 id="events-title" class="grow">"What was said and done"</h2>
                <span class="muted small">{move || count(total.get(), "event")}</span>
            </div>
            <div role="search" aria-label="Find events">
                <input class="field work-find" type="text" placeholder="Find by words" aria-label="Find by words" autocomplete="off"
                    data-testid="events-find" on:input=move |e| { typed.set(event_target_value(&e)); limit.set(FIRST); }/>
            </div>
            {kept(listed, "What was said and done could not be read.", (4, "row"), list)}
        </section>
    }
}

#[component]
fn Told(one: Event) -> impl IntoView {
    let (icon, does) = event(one.kind);
    let cut = one.content.char_indices().nth(SHORT).map(|(at, _)| at);
    let open = RwSignal::new(cut.is_none());
    let (content, id, is_cut) = (StoredValue::new(one.content), one.id, one.truncated.is_some());
    // What is cut short in the list is read whole once it is opened.
    let whole = Query::new(move || {
        (is_cut && open.get()).then(|| EventsList { event: Some(id.clone()), ..EventsList::default() })
    });
    let all = move || {
        let read = whole.value.with(|read| read.as_ref().and_then(|read| Some(read.events.first()?.content.clone())));
        read.unwrap_or_else(|| content.get_value())
    };
    let words = move || match cut.filter(|_| !open.get()) {
        Some(at) => content.with_value(|content| format!("{} ...", &content[..at])),
        None => all(),
    };
    let by = format!("{} {does}", who(&one.actor));
    view! {
        <li class="event" data-testid="event">
            <p class="event-head small"><span class="event-by"><Glyph icon/> <bdi>{by}</bdi></span> <span class="muted">{dates::moment(one.occurred_at)}</span></p>
            <p class="work-text">{words}</p>
            {cut.map(|_| view! {
                <button type="button" class="button ghost small" aria-expanded=move || open.get().to_string()
                    on:click=move |_| open.update(|open| *open = !*open)>{move || if open.get() { "Show less" } else { "Show all" }}</button>
            })}
        </li>
    }
}
