//! A pack that was handed out, read again, and what stands behind an item of it as it is now: fetched once it is asked for.

use super::words;
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

/// A button that shows a pack as it was handed over, or what stands behind one item of it.
#[component]
pub fn Behind(
    /// The pack.
    pack: PackId,
    /// The one item; the pack itself where there is none.
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
        as_handed: item.is_none(),
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
    let as_handed = asked.as_handed;
    let found: Query<Hydrated> = Query::new(move || Some(asked.clone()));
    let what = match as_handed {
        true => "The pack cannot be shown.",
        false => "What stands behind it cannot be shown.",
    };
    let told = move |found: Hydrated| if as_handed { handed(found).into_any() } else { whole(found).into_any() };
    view! {
        <div class="behind" data-testid="behind-text">
            {shown(found, what, (2, "row"), told)}
        </div>
    }
}

/// The text of a pack as it was handed over, with what spoke against its items then.
fn handed(found: Hydrated) -> impl IntoView {
    if found.is_redacted {
        let says = "Something that the pack said was forgotten since, and its text with it.";
        return view! { <p class="muted small">{says}</p> }.into_any();
    }
    let checks = found.verification_warnings.iter().map(words::checked);
    let warnings = found.recall_warnings.iter().map(words::careful);
    let lines = checks.chain(warnings).map(|says| view! { <p class="small">{says}</p> }).collect_view();
    view! {
        <pre class="pack-text" tabindex="0" aria-label="The pack as it was handed over">{found.full_text}</pre>
        {lines}
    }
    .into_any()
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
