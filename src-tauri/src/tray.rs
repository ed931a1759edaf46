//! The tray: what the service is doing, and the way back to the window. Linux desktops may have none;
//! then there is no icon, and closing the window quits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tauri::image::Image;
use tauri::menu::{Menu, MenuItem, PredefinedMenuItem};
use tauri::tray::{TrayIcon, TrayIconBuilder};
use tauri::{AppHandle, Manager};
use um_engine::{Caller, Engine};
use um_model::JobStatus;
use um_model::health::{Status, StatusGet};
use um_model::jobs::WorkPause;

/// The icon follows changes at most this often.
const CALM: Duration = Duration::from_millis(750);

/// Whether there is a tray icon.
#[derive(Default)]
pub(crate) struct TrayState(AtomicBool);

impl TrayState {
    pub(crate) fn is_shown(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Shows the icon where there is a place for one.
pub(crate) fn start(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        if !has_host().await {
            return;
        }
        let handle = app.clone();
        drop(app.run_on_main_thread(move || match Tray::build(&handle) {
            Ok(tray) => {
                handle.state::<TrayState>().0.store(true, Ordering::Relaxed);
                tauri::async_runtime::spawn(follow(handle.clone(), tray));
            }
            Err(error) => tracing::warn!(%error, "there is no tray icon"),
        }));
    });
}

/// Whether the desktop shows tray icons: on Linux D-Bus is asked (ruling 48), elsewhere they are there.
async fn has_host() -> bool {
    #[cfg(target_os = "linux")]
    {
        let asked = async {
            let bus = zbus::Connection::session().await?;
            let watcher = zbus::Proxy::new(
                &bus,
                "org.kde.StatusNotifierWatcher",
                "/StatusNotifierWatcher",
                "org.kde.StatusNotifierWatcher",
            )
            .await?;
            watcher.get_property::<bool>("IsStatusNotifierHostRegistered").await
        };
        asked.await.unwrap_or(false)
    }
    #[cfg(not(target_os = "linux"))]
    true
}

struct Tray {
    icon: TrayIcon,
    status: MenuItem<tauri::Wry>,
    pause: MenuItem<tauri::Wry>,
}

impl Tray {
    fn build(app: &AppHandle) -> tauri::Result<Self> {
        let open = MenuItem::with_id(app, "open", "Open Ultimate Memory", true, None::<&str>)?;
        let status = MenuItem::with_id(app, "status", "Idle", false, None::<&str>)?;
        let pause = MenuItem::with_id(app, "pause", "Pause", true, None::<&str>)?;
        let quit = MenuItem::with_id(app, "quit", "Quit", true, None::<&str>)?;
        let line = PredefinedMenuItem::separator(app)?;
        let menu = Menu::with_items(app, &[&open, &status, &line, &pause, &quit])?;
        let icon = TrayIconBuilder::with_id("tray")
            .icon(shape(Shape::Idle)?)
            .tooltip("Ultimate Memory")
            .menu(&menu)
            .on_menu_event(|app, event| act(app, event.id().as_ref()))
            .build(app)?;
        Ok(Self { icon, status, pause })
    }

    fn show(&self, status: &Status) {
        let (shape_now, line) = describe(status);
        drop(self.status.set_text(line));
        drop(self.pause.set_text(if status.paused { "Resume" } else { "Pause" }));
        if let Ok(image) = shape(shape_now) {
            drop(self.icon.set_icon(Some(image)));
        }
    }
}

/// Brings the window back from wherever it is.
pub(crate) fn show_window(app: &AppHandle) {
    if let Some(window) = app.get_webview_window("main") {
        drop(window.show());
        drop(window.unminimize());
        drop(window.set_focus());
    }
}

fn act(app: &AppHandle, item: &str) {
    match item {
        "open" => show_window(app),
        "pause" => {
            let engine = app.state::<Engine>();
            let caller = Caller::owner("tray");
            if let Ok(status) = engine.run(&caller, StatusGet {}) {
                drop(engine.run(&caller, WorkPause { paused: !status.paused }));
            }
        }
        "quit" => app.exit(0),
        _ => {}
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Idle,
    Working,
    Paused,
    NeedsYou,
}

fn shape(shape: Shape) -> tauri::Result<Image<'static>> {
    let bytes: &[u8] = match shape {
        Shape::Idle => include_bytes!("../../icons/tray-idle.png"),
        Shape::Working => include_bytes!("../../icons/tray-working.png"),
        Shape::Paused => include_bytes!("../../icons/tray-paused.png"),
        Shape::NeedsYou => include_bytes!("../../icons/tray-needs-you.png"),
    };
    Image::from_bytes(bytes)
}

fn describe(status: &Status) -> (Shape, String) {
    let count = |state: JobStatus| status.jobs.get(&state).copied().unwrap_or_default();
    let at_work = count(JobStatus::Pending) + count(JobStatus::Processing);
    let (models, passwords) = (count(JobStatus::WaitingForModel), count(JobStatus::WaitingForPassword));
    match (status.paused, at_work, passwords, models) {
        (true, ..) => (Shape::Paused, "Paused".to_owned()),
        (_, 1.., ..) => (Shape::Working, format!("Working on {at_work}")),
        (_, _, 1.., _) => (Shape::NeedsYou, format!("{passwords} need a password")),
        (_, _, _, 1..) => (Shape::NeedsYou, format!("{models} wait for a model")),
        _ => (Shape::Idle, "All read".to_owned()),
    }
}

async fn follow(app: AppHandle, tray: Tray) {
    let engine = app.state::<Engine>().inner().clone();
    let mut changes = engine.subscribe();
    loop {
        let asked = engine.clone();
        let status =
            tauri::async_runtime::spawn_blocking(move || asked.run(&Caller::owner("tray"), StatusGet {})).await;
        if let Ok(Ok(status)) = status {
            tray.show(&status);
        }
        if matches!(changes.recv().await, Err(tokio::sync::broadcast::error::RecvError::Closed)) {
            return;
        }
        tokio::time::sleep(CALM).await;
        while changes.try_recv().is_ok() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_the_person_shows_once_the_work_is_done() {
        let status = |paused, jobs: &[(JobStatus, u64)]| Status {
            version: String::new(),
            jobs: jobs.iter().copied().collect(),
            paused,
            agents_connected: 0,
            artifacts: 0,
            memories: 0,
            units_unembedded: 0,
            started_at: 0,
            socket: None,
            cloud: None,
            encrypted: false,
            indexing_anew: false,
        };
        for (paused, jobs, expected) in [
            (false, &[][..], Shape::Idle),
            (false, &[(JobStatus::Completed, 9)], Shape::Idle),
            (false, &[(JobStatus::Pending, 1), (JobStatus::WaitingForModel, 2)], Shape::Working),
            (false, &[(JobStatus::WaitingForModel, 2)], Shape::NeedsYou),
            (false, &[(JobStatus::WaitingForPassword, 1)], Shape::NeedsYou),
            (true, &[(JobStatus::Pending, 1)], Shape::Paused),
        ] {
            assert_eq!(describe(&status(paused, jobs)).0, expected);
        }
    }
}
