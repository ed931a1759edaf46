//! Find anything: ask first, then saved searches, pages, spaces, entities and actions (`>` shows actions alone, `@` entities).

use super::{
    dialog::{Close, DialogBox},
    icon::{Glyph, Icon},
};
use crate::{
    actions::{Action, actions},
    pages::{type_icon, type_name},
    query::Query,
    route::{Route, pages},
    state::App,
};
use leptos::{ev::KeyboardEvent, prelude::*};
use um_model::{
    claims::{EntitiesList, Entity},
    traces::SavedSearch,
};

/// One line of the palette.
#[derive(Clone)]
struct Offer {
    group: &'static str,
    icon: Icon,
    words: String,
    key: Option<String>,
    act: Callback<()>,
}

fn fits(words: &str, wanted: &str) -> bool {
    let words = words.to_lowercase();
    wanted.to_lowercase().split_whitespace().all(|part| words.contains(part))
}

/// So many entities are offered.
const ENTITIES: u32 = 8;

/// Whom the words may name: `@` alone lists those of which most is believed.
fn named(typed: &str) -> Option<String> {
    let typed = typed.trim();
    match typed.strip_prefix('@') {
        Some(name) => Some(name.trim().to_owned()),
        None => (typed.chars().count() > 1 && !typed.starts_with('>')).then(|| typed.to_owned()),
    }
}

/// Those whom the words may name, looked up as they are typed.
fn entities(app: App, typed: RwSignal<String>) -> Signal<Vec<Entity>> {
    let found = Query::new(move || {
        let query = Some(named(&typed.get())?).filter(|query| !query.is_empty());
        Some(EntitiesList {
            space: app.space.get().map(String::from),
            query,
            limit: Some(ENTITIES),
            ..EntitiesList::default()
        })
    });
    Signal::derive(move || found.value.with(|listed| listed.as_ref().map(|l| l.entities.clone()).unwrap_or_default()))
}

fn entity_offers(app: App, found: Vec<Entity>) -> impl Iterator<Item = Offer> {
    found.into_iter().map(move |entity| {
        let id = entity.id.clone();
        Offer {
            group: type_name(entity.entity_type),
            icon: type_icon(entity.entity_type),
            words: entity.name,
            key: None,
            act: Callback::new(move |()| app.go(Route::Entity(id.clone()))),
        }
    })
}

fn offers(app: App, typed: &str, found: Vec<Entity>) -> Vec<Offer> {
    if typed.trim_start().starts_with('@') {
        return entity_offers(app, found).collect();
    }
    let (only_actions, wanted) = match typed.trim_start().strip_prefix('>') {
        Some(rest) => (true, rest.trim().to_owned()),
        None => (false, typed.trim().to_owned()),
    };
    let mut out = Vec::new();
    if !only_actions {
        out.extend(ask(app, &wanted));
        out.extend(saved_offers(app).into_iter().filter(|o| fits(&o.words, &wanted)));
        out.extend(page_offers(app).filter(|o| fits(&o.words, &wanted)));
        out.extend(space_offers(app).into_iter().filter(|o| fits(&o.words, &wanted)));
        out.extend(entity_offers(app, found));
    }
    out.extend(actions(app).into_iter().map(action_offer).filter(|o| fits(&o.words, &wanted)));
    out
}

fn ask(app: App, wanted: &str) -> Option<Offer> {
    let query = wanted.to_owned();
    (!wanted.is_empty()).then(|| Offer {
        group: "Ask",
        icon: Icon::Search,
        words: format!("Recall \"{wanted}\""),
        key: Some("Enter".into()),
        act: Callback::new(move |()| app.go(Route::Recall { query: query.clone() })),
    })
}

/// The questions that are kept.
fn saved_offers(app: App) -> Vec<Offer> {
    let saved = app.searches.value.with(|all| all.as_ref().map(|all| all.searches.clone()).unwrap_or_default());
    let one = |kept: SavedSearch| Offer {
        group: "Saved searches",
        icon: Icon::Saved,
        words: kept.name,
        key: None,
        act: Callback::new(move |()| app.ask(&kept.recall)),
    };
    saved.into_iter().map(one).collect()
}

fn page_offers(app: App) -> impl Iterator<Item = Offer> {
    pages().into_iter().enumerate().map(move |(at, route)| Offer {
        group: "Pages",
        icon: Icon::ChevronRight,
        words: route.name().to_owned(),
        key: Some(if route == Route::Settings { "Ctrl+,".to_owned() } else { format!("Ctrl+{}", at + 1) }),
        act: Callback::new(move |()| app.go(route.clone())),
    })
}

fn space_offers(app: App) -> Vec<Offer> {
    let spaces = untrack(|| app.writable_spaces());
    let one = |s: um_model::spaces::SpaceSummary| Offer {
        group: "Spaces",
        icon: Icon::Layers,
        words: format!("Use {}", s.space.name),
        key: None,
        act: Callback::new(move |()| app.space.set(Some(s.space.id.clone()))),
    };
    spaces.into_iter().map(one).collect()
}

fn action_offer(action: Action) -> Offer {
    let Action { words, icon, key, act } = action;
    Offer { group: "Actions", icon, words, key: key.map(str::to_owned), act }
}

/// The palette.
#[component]
pub fn Palette(
    /// Takes it out of the page.
    on_close: Callback<()>,
) -> impl IntoView {
    view! { <DialogBox title="Find anything" name="palette" on_close bare=true><PaletteBody/></DialogBox> }
}

#[component]
fn PaletteBody() -> impl IntoView {
    let app = App::get();
    let close = Close::get();
    let typed = RwSignal::new(String::new());
    let at = RwSignal::new(0usize);
    let found = entities(app, typed);
    let offered =
        Memo::new_with_compare(move |_| StoredValue::new(offers(app, &typed.get(), found.get())), |_, _| true);
    let choose = move |index: usize| {
        if let Some(offer) = offered.get_untracked().with_value(|all| all.get(index).cloned()) {
            close.now();
            offer.act.run(());
        }
    };
    let pressed = move |press: KeyboardEvent| {
        let total = offered.get_untracked().with_value(Vec::len).max(1);
        match press.key().as_str() {
            "ArrowDown" => at.update(|at| *at = (*at + 1) % total),
            "ArrowUp" => at.update(|at| *at = (*at + total - 1) % total),
            "Enter" => choose(at.get_untracked()),
            _ => return,
        }
        press.prevent_default();
    };
    let input = move |event| {
        typed.set(event_target_value(&event));
        at.set(0);
    };
    let none = move || offered.get().with_value(Vec::is_empty);
    let active = move || (!none()).then(|| format!("offer-{}", at.get()));
    view! {
        <div class="palette">
            <div class="palette-field">
                <Glyph icon=Icon::Search/>
                <input type="text" autofocus placeholder="Ask, go or do. > for actions, @ for whom" aria-label="Ask, go or do"
                    role="combobox" aria-expanded="true" aria-controls="offers" aria-autocomplete="list"
                    autocomplete="off" spellcheck="false" data-testid="palette-input"
                    aria-activedescendant=active on:input=input on:keydown=pressed/>
            </div>
            <ul id="offers" role="listbox" aria-label="Offers" class="choices">
                {move || offered.get().get_value().into_iter().enumerate()
                    .map(|(index, offer)| offer_view(index, offer, at, Callback::new(choose))).collect_view()}
            </ul>
            {move || none().then(|| view! { <p class="muted palette-none">"Nothing here has that name."</p> })}
        </div>
    }
}

fn offer_view(index: usize, offer: Offer, at: RwSignal<usize>, choose: Callback<usize>) -> impl IntoView {
    let here = move || at.get() == index;
    view! {
        <li role="option" id=format!("offer-{index}") class="choice" class:at=here data-testid="palette-offer"
            aria-selected=move || here().to_string()
            on:mousemove=move |_| if !here() { at.set(index) } on:click=move |_| choose.run(index)>
            <Glyph icon=offer.icon/>
            <span class="grow">{offer.words}</span>
            <span class="muted small">{offer.group}</span>
            {offer.key.map(|key| view! { <kbd>{key}</kbd> })}
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_must_fit_anywhere() {
        assert!(fits("Spaces & access", "acc spa"));
        assert!(fits("Library", ""));
        assert!(!fits("Library", "lib x"));
    }
}
