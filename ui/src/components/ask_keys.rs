//! The keys that bring the window to the question from any program, as they are chosen: by pressing them.

use super::icon::{Glyph, Icon};
use crate::{
    actions::change_settings,
    ipc::{self, AskKeys},
    state::App,
};
use leptos::{ev::KeyboardEvent, prelude::*, task::spawn_local};
use um_model::health::{SettingsSet, are_ask_keys};

/// A key that was pressed.
#[derive(Debug, Clone, Copy, Default)]
struct Pressed<'a> {
    key: &'a str,
    code: &'a str,
    ctrl: bool,
    alt: bool,
    shift: bool,
    meta: bool,
}

/// The keys by their names: `Ctrl+Alt+M`. `None` for keys that stay with the program that has the focus, such as Ctrl+C.
fn named(pressed: Pressed<'_>) -> Option<String> {
    let Pressed { key, code, ctrl, alt, shift, meta } = pressed;
    if matches!(key, "Control" | "Alt" | "AltGraph" | "Shift" | "Meta" | "OS" | "Super") {
        return None;
    }
    // A letter is the one that stands on the key; all else has the name of its place.
    let letter = key.len() == 1 && key.bytes().all(|b| b.is_ascii_alphabetic());
    let place = code.strip_prefix("Key").or_else(|| code.strip_prefix("Digit")).unwrap_or(code);
    let last = if letter { key.to_ascii_uppercase() } else { place.to_owned() };
    let held = [(ctrl, "Ctrl"), (alt, "Alt"), (shift, "Shift"), (meta, "Super")];
    let mut names: Vec<&str> = held.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
    names.push(&last);
    Some(names.join("+")).filter(|keys| last != "Unidentified" && are_ask_keys(keys))
}

fn choose(app: App, keys: String) {
    let request = SettingsSet { ask_keys: Some(keys.clone()), ..Default::default() };
    change_settings(app, move |settings| settings.ask_keys = keys.clone(), request);
}

/// What the desktop made of the keys, as a drawing, a sentence and a class.
fn told(state: AskKeys) -> (Icon, String, &'static str) {
    match state {
        AskKeys::Off => {
            (Icon::Keyboard, "Off. Press the keys you want in the field, such as Ctrl+Alt+M.".into(), "muted")
        }
        AskKeys::On => (Icon::Check, "Pressed in any program, they bring this window to the question.".into(), "muted"),
        AskKeys::Refused { why } => (Icon::Alert, why, "failed"),
        AskKeys::Impossible { why } => (Icon::Alert, why, "waiting"),
    }
}

/// The field, the way to switch them off, and what the desktop made of them.
#[component]
pub fn AskKeysField() -> impl IntoView {
    let app = App::get();
    let state = RwSignal::new(None::<AskKeys>);
    let keys =
        Memo::new(move |_| app.settings.value.with(|s| s.as_ref().map(|s| s.ask_keys.clone()).unwrap_or_default()));
    Effect::new(move |_| {
        app.changes.settings.track();
        keys.track();
        spawn_local(async move {
            if let Ok(found) = ipc::ask_keys().await {
                state.try_set(Some(found));
            }
        });
    });
    let pressed = move |press: KeyboardEvent| {
        let (key, code) = (press.key(), press.code());
        let chosen = named(Pressed {
            key: &key,
            code: &code,
            ctrl: press.ctrl_key(),
            alt: press.alt_key(),
            shift: press.shift_key(),
            meta: press.meta_key(),
        });
        if let Some(chosen) = chosen {
            press.prevent_default();
            choose(app, chosen);
        }
    };
    let can = move || !matches!(state.get(), Some(AskKeys::Impossible { .. }));
    let line = move || {
        state.get().map(told).map(|(icon, says, class)| {
            view! { <p class=format!("state small {class}") role="status" data-testid="ask-keys-state"><Glyph icon/> <span>{says}</span></p> }
        })
    };
    view! {
        <div class="ask-keys">
            <label class="label" for="ask-keys">"Keys that bring this window to the question, from any program"</label>
            <div class="actions">
                <input id="ask-keys" class="field short" type="text" readonly placeholder="None" data-testid="ask-keys"
                    prop:value=move || keys.get() disabled=move || !can() on:keydown=pressed/>
                {move || (!keys.with(String::is_empty)).then(|| view! {
                    <button type="button" class="button" data-testid="ask-keys-off" on:click=move |_| choose(app, String::new())>"Switch off"</button>
                })}
            </div>
            {line}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_names_that_stand_on_them() {
        let ctrl_alt = Pressed { ctrl: true, alt: true, ..Pressed::default() };
        for (pressed, name) in [
            (Pressed { key: "m", code: "KeyM", ..ctrl_alt }, Some("Ctrl+Alt+M")),
            // Where letters lie elsewhere, the key says what it is.
            (Pressed { key: "a", code: "KeyQ", ..ctrl_alt }, Some("Ctrl+Alt+A")),
            (Pressed { key: "µ", code: "KeyM", ..ctrl_alt }, Some("Ctrl+Alt+M")),
            (Pressed { key: "!", code: "Digit1", shift: true, ..ctrl_alt }, Some("Ctrl+Alt+Shift+1")),
            (Pressed { key: " ", code: "Space", ..ctrl_alt }, Some("Ctrl+Alt+Space")),
            (Pressed { key: "F9", code: "F9", meta: true, ..Pressed::default() }, Some("Super+F9")),
            (Pressed { key: "Control", code: "ControlLeft", ..ctrl_alt }, None),
            (Pressed { key: "c", code: "KeyC", ctrl: true, ..Pressed::default() }, None),
            (Pressed { key: "M", code: "KeyM", shift: true, ..Pressed::default() }, None),
            (Pressed { key: "Tab", code: "Tab", ..Pressed::default() }, None),
        ] {
            assert_eq!(named(pressed).as_deref(), name, "{pressed:?}");
        }
    }
}
