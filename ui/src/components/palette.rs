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
    /// What tells it from all others of its group.
    id: String,
    icon: Icon,
    words: String,
    key: Option<String>,
    act: Callback<()>,
}

impl Offer {
    fn key(&self) -> (&'static str, String) {
        (self.group, self.id.clone())
    }
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
            id: id.to_string(),
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
        id: String::new(),
        icon: Icon::Search,
        words: format!("Recall \"{wanted}\""),
        key: Some("Enter".into()),
        act: Callback::new(move |()| app.ask_for(query.clone())),
    })
}

/// The questions that are kept.
fn saved_offers(app: App) -> Vec<Offer> {
    let saved = app.searches.value.with(|all| all.as_ref().map(|all| all.searches.clone()).unwrap_or_default());
    let one = |kept: SavedSearch| Offer {
        group: "Saved searches",
        id: kept.id.to_string(),
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
        id: route.name().to_owned(),
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
        id: s.space.id.to_string(),
        icon: Icon::Layers,
        words: format!("Use {}", s.space.name),
        key: None,
        act: Callback::new(move |()| app.space.set(Some(s.space.id.clone()))),
    };
    spaces.into_iter().map(one).collect()
}

fn action_offer(action: Action) -> Offer {
    let Action { words, icon, key, act } = action;
    Offer { group: "Actions", id: words.clone(), icon, words, key: key.map(str::to_owned), act }
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
    // The one that was gone to; the first where there is none, or it is offered no more.
    let chosen = RwSignal::new(None::<(&'static str, String)>);
    let found = entities(app, typed);
    let offered =
        Memo::new_with_compare(move |_| StoredValue::new(offers(app, &typed.get(), found.get())), |_, _| true);
    // What is found meanwhile stands among the others, and moves them.
    let at = Memo::new(move |_| {
        let chosen = chosen.get();
        offered.get().with_value(|all| all.iter().position(|offer| Some(offer.key()) == chosen)).unwrap_or(0)
    });
    let go_to =
        move |index: usize| chosen.set(offered.get_untracked().with_value(|all| all.get(index).map(Offer::key)));
    Effect::new(move |_| {
        offered.track();
        in_sight(at);
    });
    let choose = move |index: usize| {
        if let Some(offer) = offered.get_untracked().with_value(|all| all.get(index).cloned()) {
            close.now();
            offer.act.run(());
        }
    };
    let pressed = move |press: KeyboardEvent| {
        let total = offered.get_untracked().with_value(Vec::len).max(1);
        match press.key().as_str() {
            "ArrowDown" => go_to((at.get_untracked() + 1) % total),
            "ArrowUp" => go_to((at.get_untracked() + total - 1) % total),
            "Enter" => choose(at.get_untracked()),
            _ => return,
        }
        in_sight(at);
        press.prevent_default();
    };
    let input = move |event| {
        typed.set(event_target_value(&event));
        chosen.set(None);
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
                    .map(|(index, offer)| offer_view(index, offer, at, (Callback::new(go_to), Callback::new(choose)))).collect_view()}
            </ul>
            {move || none().then(|| view! { <p class="muted palette-none">"Nothing here has that name."</p> })}
        </div>
    }
}

/// Scrolls to the line that Enter takes. The pointer scrolls nothing: what it is over would move away below it.
fn in_sight(at: Memo<usize>) {
    request_animation_frame(move || {
        let Some(at) = at.try_get_untracked() else { return };
        if let Some(line) = document().get_element_by_id(&format!("offer-{at}")) {
            let options = web_sys::ScrollIntoViewOptions::new();
            options.set_block(web_sys::ScrollLogicalPosition::Nearest);
            line.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
}

fn offer_view(
    index: usize,
    offer: Offer,
    at: Memo<usize>,
    (go_to, choose): (Callback<usize>, Callback<usize>),
) -> impl IntoView {
    let here = move || at.get() == index;
    view! {
        <li role="option" id=format!("offer-{index}") class="choice" class:at=here data-testid="palette-offer"
            aria-selected=move || here().to_string()
            on:mousemove=move |_| if !here() { go_to.run(index) } on:click=move |_| choose.run(index)>
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
