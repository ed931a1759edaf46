//! What stands behind a pack that was handed out: fetched once it is asked for, as it is now.

use crate::{
    components::{
        icon::{Glyph, Icon},
        states::shown,
    },
    query::Query,
};
use leptos::prelude::*;
use um_model::{
    PackId,
    work::{ContextHydrate, Hydrated, ItemKey, LeftOutWhy},
};

/// A button that shows what stands behind a pack, or behind one item of it.
#[component]
pub fn Behind(
    /// The pack.
    pack: PackId,
    /// The one item; all that the pack cites where there is none.
    #[prop(optional_no_strip)]
    item: Option<ItemKey>,
    /// What the button says.
    words: &'static str,
    /// What it opens, for who does not see what stands beside it.
    of: String,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let asked = StoredValue::new(ContextHydrate {
        pack,
        citations: Vec::new(),
        items: item.into_iter().collect(),
        budget_tokens: None,
        model: None,
    });
    // It begins with what is seen: who speaks to the window says that.
    let label = format!("{words}: {of}");
    view! {
        <button type="button" class="button ghost small" aria-label=label data-testid="behind" aria-expanded=move || open.get().to_string()
            on:click=move |_| open.update(|open| *open = !*open)>{words} <Glyph icon=Icon::ChevronDown/></button>
        {move || open.get().then(|| view! { <Fetched asked=asked.get_value()/> })}
    }
}

#[component]
fn Fetched(asked: ContextHydrate) -> impl IntoView {
    let found: Query<Hydrated> = Query::new(move || Some(asked.clone()));
    view! {
        <div class="behind" data-testid="behind-text">
            {shown(found, "What stands behind it cannot be shown.", (2, "row"), whole)}
        </div>
    }
}

fn whole(found: Hydrated) -> impl IntoView {
    let forgotten = found.is_redacted.then_some("Something that the pack said was forgotten since.");
    let gone = match found.gone.len() {
        0 => None,
        1 if found.items.is_empty() => Some("It is not there any more.".to_owned()),
        1 => Some("1 item is not there any more.".to_owned()),
        more => Some(format!("{more} items are not there any more.")),
    };
    let long = found
        .left_out
        .iter()
        .any(|one| one.why == LeftOutWhy::NoRoom)
        .then_some("More stands there than can be shown at once.");
    let several = found.items.len() > 1;
    let items = found.items.into_iter().map(|item| {
        let title =
            several.then(|| view! { <p class="strong clip">{format!("{} {}", item.citation, item.item.title)}</p> });
        view! {
            {title}
            <pre class="pack-text" tabindex="0" aria-label=format!("All of {}", item.item.title)>{item.text}</pre>
        }
    });
    view! {
        {items.collect_view()}
        {forgotten.map(|says| view! { <p class="muted small">{says}</p> })}
        {gone.map(|says| view! { <p class="muted small">{says}</p> })}
        {long.map(|says| view! { <p class="muted small">{says}</p> })}
    }
}
