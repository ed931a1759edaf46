//! Chooses the space in use: a tree that can be filtered, and all spaces at once to read.

use super::{
    icon::{Glyph, Icon},
    menu::{Popover, close_around},
};
use crate::{
    format::grouped,
    state::{App, Dialog},
    tree::{Branch, branches, filtered},
};
use leptos::{
    attr::custom::custom_attribute,
    ev::{KeyboardEvent, MouseEvent},
    html,
    prelude::*,
};
use um_model::{SpaceId, SpaceType};

/// A line of the switcher: `None` stands for all spaces.
type Choice = Option<Branch>;

/// The switcher, where it is open.
#[component]
pub fn SpaceSwitcher() -> impl IntoView {
    let app = App::get();
    move || {
        app.switcher.get().map(|at| {
            view! {
                <Popover at role="dialog" label="Choose a space" class="switcher"
                    on_close=Callback::new(move |()| app.switcher.set(None))>
                    <Choices/>
                </Popover>
            }
        })
    }
}

/// The lines that fit what was typed.
fn fitting(app: App, words: &str) -> Vec<Choice> {
    let all = app.spaces.value.with(|s| s.as_ref().map(|s| branches(&s.spaces)).unwrap_or_default());
    // GLOBAL holds names for the other spaces, and no files.
    let all: Vec<Branch> = all.into_iter().filter(|b| b.space.space.space_type != SpaceType::Global).collect();
    let mut out: Vec<Choice> = filtered(&all, words).into_iter().map(Some).collect();
    if "all spaces".contains(&words.trim().to_lowercase()) {
        out.push(None);
    }
    out
}

#[component]
fn Choices() -> impl IntoView {
    let app = App::get();
    let words = RwSignal::new(String::new());
    let at = RwSignal::new(0usize);
    let field = NodeRef::<html::Input>::new();
    let choices = Memo::new(move |_| words.with(|words| fitting(app, words)));
    Effect::new(move |_| {
        let current = app.space.get_untracked();
        let position = choices.with(|all| all.iter().position(|c| id_of(c) == current));
        at.set(if words.with(String::is_empty) { position.unwrap_or(0) } else { 0 });
    });
    let choose = move |choice: Choice, element: web_sys::Element| {
        app.space.set(id_of(&choice));
        close_around(&element);
    };
    let pressed = move |press: KeyboardEvent| {
        let total = choices.with(Vec::len);
        match press.key().as_str() {
            "ArrowDown" => at.update(|at| *at = (*at + 1).min(total.saturating_sub(1))),
            "ArrowUp" => at.update(|at| *at = at.saturating_sub(1)),
            "Enter" => {
                if let Some(choice) = choices.with(|all| all.get(at.get_untracked()).cloned()) {
                    choose(choice, event_target(&press));
                }
            }
            _ => return,
        }
        press.prevent_default();
    };
    let make = move |click: MouseEvent| {
        close_around(&event_target::<web_sys::Element>(&click));
        app.dialog.set(Some(Dialog::NewSpace));
    };
    view! {
        <input class="field" type="text" node_ref=field placeholder="Filter spaces" aria-label="Filter spaces" role="combobox"
            aria-expanded="true" aria-controls="space-tree" autocomplete="off" data-testid="space-filter"
            aria-activedescendant=move || format!("space-choice-{}", at.get())
            on:input=move |e| words.set(event_target_value(&e)) on:keydown=pressed/>
        <ul id="space-tree" role="tree" aria-label="Spaces" class="choices">
            {move || choices.get().into_iter().enumerate()
                .map(|(index, choice)| choice_view(index, choice, at, Callback::new(move |(c, e)| choose(c, e))))
                .collect_view()}
        </ul>
        <button type="button" class="menu-item" on:click=make><Glyph icon=Icon::Plus/> "New space"</button>
    }
}

fn id_of(choice: &Choice) -> Option<SpaceId> {
    choice.as_ref().map(|branch| branch.space.space.id.clone())
}

fn choice_view(
    index: usize,
    choice: Choice,
    at: RwSignal<usize>,
    choose: Callback<(Choice, web_sys::Element)>,
) -> impl IntoView {
    let app = App::get();
    let id = id_of(&choice);
    let (name, depth, files) = match &choice {
        Some(branch) => (branch.space.space.name.clone(), branch.depth, Some(branch.space.artifacts)),
        None => ("All spaces".to_owned(), 0, None),
    };
    let here = move || app.space.with(|space| *space == id);
    let marked = here.clone();
    let note = files.map_or("read-only".to_owned(), grouped);
    view! {
        <li role="treeitem" id=format!("space-choice-{index}") class="choice" class:at=move || at.get() == index
            data-testid="space-choice" aria-selected=move || (at.get() == index).to_string()
            on:click=move |click| choose.run((choice.clone(), event_target(&click)))
            {..custom_attribute("aria-level", (depth + 1).to_string())}>
            <span class="indent" style:width=format!("{}px", depth * 16)></span>
            <Glyph icon=if files.is_some() { Icon::Layers } else { Icon::Library }/>
            <span class="grow">{name}</span>
            <span class="muted small">{note}</span>
            {move || marked().then(|| view! { <Glyph icon=Icon::Check/> <span class="hidden-words">"in use"</span> })}
        </li>
    }
}
