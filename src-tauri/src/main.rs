//! The desktop shell: one window, a tray, and the service that agents connect to. It has no rules of its
//! own: the window's commands hand requests to the engine and hand back what it answers.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod commands;
mod service;
mod shortcut;
mod tray;
#[cfg(target_os = "linux")]
mod web_process;

use service::Opened;
use std::path::PathBuf;
use std::process::ExitCode;
use tauri::{Emitter, Manager, WebviewUrl, WebviewWindowBuilder, WindowEvent};
use um_engine::{Caller, Engine};
use um_model::ApiError;
use um_model::health::SettingsGet;

fn main() -> ExitCode {
    um_providers::run_if_child();
    match data_dir().and_then(|folder| service::open(&folder)) {
        Ok(Opened::Here(engine)) => run(engine),
        Ok(Opened::Elsewhere) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            rfd_message(&error);
            ExitCode::FAILURE
        }
    }
}

/// `--data DIR`, else `UM_DATA`, else the system's place for application data.
fn data_dir() -> Result<PathBuf, ApiError> {
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--data"
            && let Some(folder) = arguments.next()
        {
            return Ok(folder.into());
        }
    }
    match std::env::var_os("UM_DATA") {
        Some(folder) if !folder.is_empty() => Ok(folder.into()),
        _ => Ok(um_server::paths::default_data_dir()?),
    }
}

/// A failure before there is a window, where a person without a terminal sees it.
fn rfd_message(error: &ApiError) {
    #[cfg(not(target_os = "linux"))]
    rfd::MessageDialog::new().set_title("Ultimate Memory").set_description(error.to_string()).show();
    // On Linux a dialog needs the event loop that could not be started yet; the terminal has it.
    #[cfg(target_os = "linux")]
    let _ = error;
}

fn run(engine: Engine) -> ExitCode {
    let service = service::Service::start(engine.clone());
    let app = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .manage(engine.clone())
        .manage(tray::TrayState::default())
        .manage(shortcut::Registered::default())
        .invoke_handler(tauri::generate_handler![
            commands::call,
            commands::ingest_bytes,
            commands::pick_paths,
            commands::weigh_paths,
            commands::open_original,
            commands::open_data_folder,
            commands::ask_keys,
        ])
        .setup(|app| {
            open_window(app)?;
            forward_changes(app.handle().clone(), app.state::<Engine>().inner().clone());
            tray::start(app.handle());
            shortcut::start(app.handle());
            Ok(())
        })
        .on_window_event(|window, event| {
            if let WindowEvent::CloseRequested { api, .. } = event
                && hides_to_tray(window.app_handle())
            {
                api.prevent_close();
                drop(window.hide());
            }
        })
        .build(tauri::tauri_build_context!());
    let code = match app {
        Ok(app) => app.run_return(|_, _| {}),
        Err(error) => {
            eprintln!("The window cannot be opened: {error}. `umem serve` runs the service without it.");
            1
        }
    };
    service.stop();
    if code == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn open_window(app: &tauri::App) -> tauri::Result<()> {
    let window = WebviewWindowBuilder::new(app, "main", WebviewUrl::App("index.html".into()))
        .title("Ultimate Memory")
        .inner_size(1280.0, 800.0)
        .min_inner_size(880.0, 600.0)
        .zoom_hotkeys_enabled(true)
        .build()?;
    #[cfg(target_os = "linux")]
    web_process::revive(&window)?;
    #[cfg(not(target_os = "linux"))]
    drop(window);
    Ok(())
}

/// Hands every change in the engine to the window. A window that lags behind looks at everything again.
fn forward_changes(app: tauri::AppHandle, engine: Engine) {
    use tokio::sync::broadcast::error::RecvError;
    use um_model::health::Event;
    let mut changes = engine.subscribe();
    tauri::async_runtime::spawn(async move {
        loop {
            match changes.recv().await {
                Ok(Event::Window) => tray::show_window(&app),
                Ok(event) => {
                    if event == Event::Settings {
                        shortcut::follow_later(&app);
                    }
                    drop(app.emit("changed", event));
                }
                Err(RecvError::Lagged(_)) => {
                    use Event::{Beliefs, Findings, Jobs, Library, Models, Settings, Spaces};
                    for event in [Jobs, Library, Spaces, Models, Beliefs, Findings, Settings] {
                        drop(app.emit("changed", event));
                    }
                }
                Err(RecvError::Closed) => return,
            }
        }
    });
}

/// Closing hides only where there is a tray to come back from, and where the person wants it so.
fn hides_to_tray(app: &tauri::AppHandle) -> bool {
    let wanted = app
        .state::<Engine>()
        .run(&Caller::owner("window"), SettingsGet {})
        .is_ok_and(|settings| settings.close_to_tray);
    wanted && app.state::<tray::TrayState>().is_shown()
}
