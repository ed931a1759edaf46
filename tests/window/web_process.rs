//! The process that shows the page dies, as WebKit's may: another one shows it, and the app never noticed. The app runs
//! without a driver here, which ends its session, and the app, when a page is lost.

use crate::app::{App, own_home};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long the window may take to be there: a machine whose cores are busy compiles its WebAssembly for long.
const READY: Duration = Duration::from_secs(120);

#[test]
fn another_process_shows_the_window_when_its_own_dies() {
    if App::skipped() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let home = folder.path().join("home");
    let mut app = Command::new(App::program());
    app.arg("--data").arg(folder.path().join("data")).envs(own_home(&home));
    let app = Running(app.env_remove("WAYLAND_DISPLAY").stdin(Stdio::null()).spawn().expect("the app starts"));
    wait("the page keeps which space is in use", || remembers(&home).then_some(()));
    let first = app.web_process(None);
    assert!(Command::new("kill").args(["-KILL", &first.to_string()]).status().is_ok_and(|status| status.success()));
    app.web_process(Some(first));
}

/// The app. It ends with this value.
struct Running(Child);

impl Running {
    /// Waits for the process in which WebKit shows the page: another one than that.
    fn web_process(&self, not: Option<u32>) -> u32 {
        wait("a process shows the page", || {
            let mut all = below(self.0.id()).into_iter();
            all.find(|(id, name)| name.starts_with("WebKitWeb") && Some(*id) != not).map(|(id, _)| id)
        })
    }
}

fn wait<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    let end = Instant::now() + READY;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "{what}: not within {READY:?}");
        std::thread::yield_now();
    }
}

/// Whether the page has kept something, and so is drawn: a process that dies before takes the app along.
fn remembers(folder: &Path) -> bool {
    let Ok(inside) = std::fs::read_dir(folder) else { return false };
    inside.flatten().any(|entry| {
        let path = entry.path();
        path.extension().is_some_and(|end| end == "localstorage") || (path.is_dir() && remembers(&path))
    })
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// All processes that a process has started, and those that they have: their ids and names.
fn below(ancestor: u32) -> Vec<(u32, String)> {
    let all = std::fs::read_dir("/proc").expect("the system lists its processes").flatten();
    let all: Vec<(u32, u32, String)> = all
        .filter_map(|entry| {
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            // "12 (name, which may hold blanks) S 11 …"
            let (head, tail) = stat.rsplit_once(") ")?;
            let (id, name) = head.split_once(" (")?;
            let mut rest = tail.split(' ');
            let is_there = rest.next()? != "Z";
            Some((id.parse().ok()?, rest.next()?.parse().ok()?, name.to_owned())).filter(|_| is_there)
        })
        .collect();
    let mut found = Vec::new();
    let mut parents = vec![ancestor];
    while let Some(parent) = parents.pop() {
        for (id, _, name) in all.iter().filter(|(_, of, _)| *of == parent) {
            parents.push(*id);
            found.push((*id, name.clone()));
        }
    }
    found
}
