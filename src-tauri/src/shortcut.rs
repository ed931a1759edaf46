//! The keys that bring the window to the question from any program. There are none until the person chooses some.

use global_hotkey::hotkey::HotKey;
use global_hotkey::{GlobalHotKeyEvent, GlobalHotKeyManager, HotKeyState};
use std::cell::RefCell;
use std::ffi::OsStr;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use tauri::{AppHandle, Emitter, Manager};
use um_engine::{Caller, Engine};
use um_model::health::SettingsGet;

/// What came of the keys that the settings name.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub(crate) enum AskKeys {
    /// None are chosen.
    Off,
    /// The desktop hands them to us.
    On,
    /// The desktop does not hand us these.
    Refused {
        /// Why, and what to do.
        why: String,
    },
    /// The desktop hands keys to nobody.
    Impossible {
        /// Why, and what to do instead.
        why: String,
    },
}

/// The keys that the desktop hands to us now; none where it is empty.
#[derive(Default)]
pub(crate) struct Registered(Mutex<String>);

/// On Wayland a program hears only keys that are pressed in its own windows (ruling 48).
const WAYLAND: &str = "On Wayland no program hears keys that are pressed in another. Bind keys to Ultimate Memory in \
    the keyboard settings of your desktop instead: started again, it shows its window.";

/// Why there can be none, where `WAYLAND_DISPLAY` is this.
fn impossible(wayland: Option<&OsStr>) -> Option<&'static str> {
    let on_wayland = cfg!(target_os = "linux") && wayland.is_some_and(|display| !display.is_empty());
    on_wayland.then_some(WAYLAND)
}

thread_local! {
    /// What listens for the keys. macOS wants it on the window's own thread, which alone touches it.
    static LISTENING: RefCell<Option<GlobalHotKeyManager>> = const { RefCell::new(None) };
}

/// Follows the settings from now on.
pub(crate) fn start(app: &AppHandle) {
    let asked = app.clone();
    GlobalHotKeyEvent::set_event_handler(Some(move |event: GlobalHotKeyEvent| {
        if event.state == HotKeyState::Pressed {
            super::tray::show_window(&asked);
            drop(asked.emit("ask", ()));
        }
    }));
    follow_later(app);
}

/// Follows the settings, beside the thread that asks for it: the desktop answers on the window's own.
pub(crate) fn follow_later(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn_blocking(move || follow(&app));
}

/// Asks the desktop for the keys that the settings name, where it has not been asked yet, and tells what came of it.
/// Not for the window's own thread, which answers.
pub(crate) fn follow(app: &AppHandle) -> AskKeys {
    if let Some(why) = impossible(std::env::var_os("WAYLAND_DISPLAY").as_deref()) {
        return AskKeys::Impossible { why: why.to_owned() };
    }
    let state = app.state::<Registered>();
    let mut registered = state.0.lock().unwrap_or_else(PoisonError::into_inner);
    let settings = app.state::<Engine>().run(&Caller::owner("window"), SettingsGet {});
    let wanted = settings.map(|settings| settings.ask_keys).unwrap_or_default();
    if *registered != wanted {
        registered.clear();
        if let Err(why) = register(app, &wanted) {
            return AskKeys::Refused { why };
        }
        *registered = wanted;
    }
    if registered.is_empty() { AskKeys::Off } else { AskKeys::On }
}

/// Gives back the keys before, and asks for these.
fn register(app: &AppHandle, keys: &str) -> Result<(), String> {
    let wanted = (!keys.is_empty()).then(|| HotKey::from_str(keys));
    let parsed = wanted.transpose().map_err(|_| format!("{keys} cannot be listened to. Press others."));
    // What cannot be read replaces the keys before, too.
    let asked = parsed.as_ref().copied().unwrap_or_default();
    let (tell, told) = std::sync::mpsc::channel();
    let sent = app.run_on_main_thread(move || drop(tell.send(listen(asked))));
    let heard = sent.map_err(|error| error.to_string()).and_then(|()| told.recv().map_err(|error| error.to_string()));
    let heard = heard.and_then(|listening| listening.map_err(|error| error.to_string())).map_err(|error| {
        tracing::warn!(error, keys, "the keys are not handed to us");
        format!("{keys} belongs to another program, or to the desktop. Press others.")
    });
    parsed.and(heard)
}

/// Listens for these keys and no others. On X11 keys are given back for sure only as what listened for them goes.
fn listen(keys: Option<HotKey>) -> global_hotkey::Result<()> {
    LISTENING.with_borrow_mut(|listening| {
        *listening = None;
        if let Some(keys) = keys {
            let manager = GlobalHotKeyManager::new()?;
            manager.register(keys)?;
            *listening = Some(manager);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_wayland_there_can_be_none() {
        assert_eq!(impossible(Some(OsStr::new("wayland-0"))).is_some(), cfg!(target_os = "linux"));
        assert_eq!(impossible(Some(OsStr::new(""))), None);
        assert_eq!(impossible(None), None);
    }

    #[test]
    fn keys_are_read_as_the_window_writes_them() {
        for keys in ["Ctrl+Alt+M", "Super+Shift+1", "Ctrl+Alt+Space", "Alt+F9", "Ctrl+Alt+ArrowUp", "Ctrl+Alt+Comma"] {
            assert!(HotKey::from_str(keys).is_ok(), "{keys}");
        }
        assert!(HotKey::from_str("Ctrl+Alt+Nowhere").is_err());
    }
}
