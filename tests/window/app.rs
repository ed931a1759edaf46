//! The app under test: its own data folder, its own driver, and the ways of a test through its pages.

use crate::browser::{Browser, key};
use crate::driver::Driver;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The sizes that every page must fit into.
pub const SIZES: [(u32, u32); 2] = [(1280, 800), (880, 600)];

/// The themes.
pub const THEMES: [&str; 2] = ["light", "dark"];

/// The pages: name and address.
pub const PAGES: [(&str, &str); 19] = [
    ("recall", "/recall"),
    ("context", "/recall?tab=context"),
    ("traces", "/recall?tab=traces"),
    ("library", "/library"),
    ("beliefs", "/beliefs"),
    ("work", "/work"),
    ("rules", "/work?tab=rules"),
    ("resources", "/work?tab=resources"),
    ("review", "/review"),
    ("redactions", "/review?tab=redactions"),
    ("promotions", "/review?tab=promotions"),
    ("names", "/review?tab=names"),
    ("asking", "/review?tab=access"),
    ("decided", "/review?tab=history"),
    ("access", "/access"),
    ("audit", "/access?tab=audit"),
    ("activity", "/activity"),
    ("health", "/activity?tab=health"),
    ("settings", "/settings"),
];

/// The environment in which what the web view remembers lies below a folder, apart from every other test's.
pub fn own_home(home: &Path) -> [(&'static str, PathBuf); 3] {
    [("XDG_DATA_HOME", "data"), ("XDG_CACHE_HOME", "cache"), ("XDG_CONFIG_HOME", "config")]
        .map(|(name, folder)| (name, home.join(folder)))
}

/// A running app. What drives it is closed before what it stands on.
pub struct App {
    browser: Browser,
    _driver: Driver,
    folder: TempDir,
}

impl std::ops::Deref for App {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        &self.browser
    }
}

impl App {
    /// Starts the app on an empty data folder; `None`, saying so, where the window is not to be tested.
    pub fn start() -> Option<Self> {
        Self::start_with(&[])
    }

    /// The same, on a desktop with these settings of GTK.
    pub fn start_with(desktop: &[&str]) -> Option<Self> {
        if Self::skipped() {
            return None;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let home = folder.path().join("home");
        let settings = home.join("config/gtk-3.0/settings.ini");
        std::fs::create_dir_all(settings.parent().expect("a folder")).expect("a folder");
        std::fs::write(settings, format!("[Settings]\n{}\n", desktop.join("\n")))
            .expect("the temporary folder can be written");
        let driver = Driver::start(&home);
        let data = folder.path().join("data");
        let browser = Browser::open(driver.port, &Self::program(), &["--data", data.to_str().expect("a plain path")]);
        let app = Self { browser, _driver: driver, folder };
        // A machine whose cores are busy compiles the 15 MB of WebAssembly for long.
        app.wait("the window", "document.querySelector('[data-testid=shell]') && document.title.includes(' - ')", 120);
        app.resize(1280, 800);
        app.theme("light");
        Some(app)
    }

    /// Whether the window is not to be tested; it is said then.
    pub fn skipped() -> bool {
        let skipped = std::env::var("UM_WINDOW_TESTS").as_deref() != Ok("1");
        if skipped {
            eprintln!("skipped: `cargo xtask window` runs this on a display of its own");
        }
        skipped
    }

    /// Where the app is: `UM_APP`, or as the build left it.
    pub fn program() -> String {
        std::env::var("UM_APP").unwrap_or_else(|_| env!("CARGO_BIN_EXE_ultimate-memory").to_owned())
    }

    /// A folder that is this test's own.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file and gives its path.
    pub fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.folder().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, content).expect("the temporary folder can be written");
        path
    }

    /// Runs an operation of the engine, as the window does.
    ///
    /// # Errors
    /// The engine's.
    pub fn try_call(&self, name: &str, request: Value) -> Result<Value, Value> {
        let script =
            "return await window.__TAURI__.core.invoke('call', { name: arguments[0], request: arguments[1] });";
        self.settle(script, json!([name, request]))
    }

    /// Runs an operation that must succeed.
    pub fn call(&self, name: &str, request: Value) -> Value {
        self.try_call(name, request.clone()).unwrap_or_else(|error| panic!("{name} {request:.200}: {error}"))
    }

    /// Lets what the window asks of one operation wait for its answer, until [`Self::let_go`].
    pub fn hold(&self, operation: &str) {
        self.run(
            "const core = window.__TAURI__.core;
             const held = new Promise(go => window.__go = error => { window.__TAURI__.core = core; go(error); });
             const invoke = async (name, given, options) => {
                const error = given?.name === arguments[0] ? await held : null;
                if (error) throw error;
                return core.invoke(name, given, options);
             };
             window.__TAURI__.core = { ...core, invoke };",
            json!([operation]),
        );
    }

    /// Lets go of what [`Self::hold`] held: it fails with this error, or where there is none, is answered.
    pub fn let_go(&self, error: Value) {
        self.run("window.__go(arguments[0]);", json!([error]));
    }

    /// Brings files in behind the window's back and waits until no job is left to do.
    pub fn ingest(&self, space: &str, paths: &[PathBuf]) -> Value {
        let ingested = self.call("memory_ingest", json!({ "paths": paths, "space": space }));
        self.wait_until_read();
        ingested
    }

    /// Waits until nothing is read any more.
    pub fn wait_until_read(&self) {
        let script = "for (;;) {
            const report = await window.__TAURI__.core.invoke('call', { name: 'jobs_status', request: { limit: 1 } });
            const left = (report.counts.pending || 0) + (report.counts.processing || 0);
            if (left === 0) return report.counts;
            if (performance.now() > arguments[0]) throw new Error('still ' + left + ' jobs');
            await new Promise(done => setTimeout(done, 50));
        }";
        let deadline = self.value("performance.now() + 100000");
        self.settle(script, json!([deadline])).expect("all is read within 100 s");
    }

    /// Goes to an address of the window.
    pub fn go(&self, address: &str) {
        self.run(
            "if (location.pathname + location.search !== arguments[0]) {
               history.pushState(null, '', arguments[0]);
               dispatchEvent(new PopStateEvent('popstate'));
             }",
            json!([address]),
        );
        self.wait_settled();
    }

    /// Waits until the page asks for nothing more: no skeleton, nothing busy, no animation, pictures there.
    pub fn wait_settled(&self) {
        let settled = "!document.querySelector('[data-testid=skeleton], [aria-busy=true]')
            && [...document.images].every(i => i.complete)
            && document.getAnimations().every(a => a.playState !== 'running')";
        // Two frames, so that what a change leads to has been drawn.
        self.look("await new Promise(d => requestAnimationFrame(() => requestAnimationFrame(d)));", json!([]))
            .expect("frames are drawn");
        self.wait("a page at rest", settled, 20);
    }

    /// Chooses a theme and waits for its colours.
    pub fn theme(&self, theme: &str) {
        self.call("settings_set", json!({ "theme": theme }));
        let shown = format!("document.documentElement.dataset.theme === {:?}", theme);
        self.wait(&format!("the {theme} theme"), &shown, 10);
        self.wait_settled();
    }

    /// Asks a question on Recall and waits for its answer.
    pub fn ask(&self, question: &str) {
        self.go("/recall");
        self.fill("#search", question);
        self.press(&[key::ENTER]);
        let answered = format!(
            "new URLSearchParams(location.search).get('q') === {} && document.querySelector('[data-testid=result-count]')
             && document.querySelector('.page-body').getAttribute('aria-busy') === 'false'",
            json!(question)
        );
        self.wait("an answer", &answered, 30);
        self.wait_settled();
    }

    /// The dialog of that name is open and has the focus inside.
    pub fn wait_dialog(&self, name: &str) {
        let open = format!(
            "document.querySelector('dialog[data-testid=dialog-{name}][open]')?.contains(document.activeElement)"
        );
        self.wait(&format!("the dialog {name}"), &open, 10);
    }

    /// No dialog is open.
    pub fn wait_no_dialog(&self) {
        self.wait("no dialog", "!document.querySelector('dialog[open]')", 10);
    }
}
