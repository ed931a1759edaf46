//! What can be done from anywhere, by the palette or a key.

use crate::{
    components::icon::Icon,
    ipc,
    state::{App, Dialog},
};
use leptos::{prelude::*, task::spawn_local};
use um_model::{
    MemoryId, Tier,
    capture::Memory,
    envelope::{MemoryExpire, MemoryTier},
    health::{Settings, SettingsSet},
    jobs::WorkPause,
    ops::Request,
    work::MemoryPin,
};

/// Something to do.
pub struct Action {
    /// Its words.
    pub words: String,
    /// Its drawing.
    pub icon: Icon,
    /// The key that does the same.
    pub key: Option<&'static str>,
    /// What it does.
    pub act: Callback<()>,
}

/// All that can be done from anywhere.
pub fn actions(app: App) -> Vec<Action> {
    let open = |words: &str, icon, key, dialog: Dialog| Action {
        words: words.into(),
        icon,
        key,
        act: Callback::new(move |()| app.dialog.set(Some(dialog.clone()))),
    };
    let theme = |words: &str, icon, theme: &'static str| Action {
        words: words.into(),
        icon,
        key: None,
        act: Callback::new(move |()| set_theme(app, theme)),
    };
    let paused = app.status.value.with_untracked(|s| s.as_ref().is_some_and(|s| s.paused));
    vec![
        open("Add files", Icon::Plus, Some("Ctrl+O"), Dialog::AddFiles),
        open("New space", Icon::Layers, None, Dialog::NewSpace),
        open("Watch a folder", Icon::FolderPlus, None, Dialog::WatchFolder),
        open("Connect an agent", Icon::Plug, None, Dialog::ConnectAgent),
        Action {
            words: if paused { "Resume reading" } else { "Pause reading" }.into(),
            icon: if paused { Icon::Play } else { Icon::Pause },
            key: None,
            act: Callback::new(move |()| pause(app, !paused)),
        },
        open("Forget something", Icon::Eraser, None, Dialog::ForgetChoose),
        open("All keys", Icon::Keyboard, Some("?"), Dialog::Keys),
        theme("Theme: as the system", Icon::System, "system"),
        theme("Theme: light", Icon::Sun, "light"),
        theme("Theme: dark", Icon::Moon, "dark"),
        Action {
            words: "Open the data folder".into(),
            icon: Icon::FolderOpen,
            key: None,
            act: Callback::new(move |()| open_data_folder(app)),
        },
    ]
}

/// Runs an operation whose answer is shown by what changes; a failure is said.
pub fn run<R: Request + 'static>(app: App, request: R) {
    spawn_local(async move {
        if let Err(error) = ipc::call(request).await {
            app.toasts.trouble(&error);
        }
    });
}

/// Pauses or resumes all background work.
pub fn pause(app: App, paused: bool) {
    spawn_local(async move {
        match ipc::call(WorkPause { paused }).await {
            Ok(_) => app.status.refresh(),
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

/// Opens the data folder in the system's file manager.
pub fn open_data_folder(app: App) {
    spawn_local(async move {
        if let Err(error) = ipc::open_data_folder().await {
            app.toasts.trouble(&error);
        }
    });
}

/// Changes settings: shown at once, and taken back where they cannot be kept.
pub fn change_settings(app: App, shown: impl Fn(&mut Settings) + 'static, request: SettingsSet) {
    let before = app.settings.value.get_untracked();
    app.settings.value.update(|settings| settings.iter_mut().for_each(&shown));
    spawn_local(async move {
        match ipc::call(request).await {
            Ok(settings) => app.settings.value.set(Some(settings)),
            Err(error) => {
                app.settings.value.set(before);
                app.toasts.trouble(&error);
            }
        }
    });
}

/// Chooses the theme.
pub fn set_theme(app: App, theme: &'static str) {
    let request = SettingsSet { theme: Some(theme.into()), ..Default::default() };
    change_settings(app, move |settings| settings.theme = theme.into(), request);
}

/// Has every agent of its space always read a note, or no more, with the way back.
pub fn pin(app: App, id: MemoryId, pinned: bool) {
    spawn_local(async move {
        match ipc::call(MemoryPin { id: id.clone(), pinned }).await {
            Ok(_) => {
                let says = match pinned {
                    true => "It is pinned: every agent of its space always reads it.",
                    false => "It is read no more unless somebody asks. The note stays.",
                };
                app.toasts.say_with_undo(says, move || run(app, MemoryPin { id: id.clone(), pinned: !pinned }));
            }
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

/// Puts a note or file out of the way, or brings it back, with the way back.
pub fn set_tier(app: App, memory: &Memory, tier: Tier) {
    let (id, was) = (memory.id.clone(), memory.tier);
    put(app, MemoryTier { id: id.clone(), tier }, move || {
        let says = match tier {
            Tier::Cold => "It is out of the way. What it says is believed as before.",
            Tier::Hot | Tier::Warm => "It is back: questions find it again.",
        };
        let back = MemoryTier { id, tier: was };
        app.toasts.say_with_undo(says, move || put(app, back.clone(), || ()));
    });
}

/// Puts a note or file where it is said. The question that is shown is asked anew: it finds something else now.
fn put(app: App, request: MemoryTier, done: impl FnOnce() + 'static) {
    spawn_local(async move {
        match ipc::call(request).await {
            Ok(_) => {
                app.ask_anew();
                done();
            }
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

/// Keeps a note that was to go out of use by itself, with the way back.
pub fn keep_for_good(app: App, memory: &Memory) {
    let (id, was) = (memory.id.clone(), memory.expires_at);
    spawn_local(async move {
        match ipc::call(MemoryExpire { id: id.clone(), expires_at: None }).await {
            Ok(_) => {
                let says = "It stays in use until somebody removes it.";
                app.toasts.say_with_undo(says, move || run(app, MemoryExpire { id: id.clone(), expires_at: was }));
            }
            Err(error) => app.toasts.trouble(&error),
        }
    });
}
