//! The keys of one's own that lead to the question from any program. They are pressed on the display itself.

use crate::app::App;
use crate::browser::key;
use serde_json::json;
use std::time::{Duration, Instant};
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConnectionExt as _, GrabMode, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, ModMask};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

/// Ctrl, Alt and M, as X11 names them.
const KEYS: [u32; 3] = [0xffe3, 0xffe9, 0x6d];

/// The display that the app stands on.
struct Display {
    connection: RustConnection,
    root: u32,
}

impl Display {
    fn open() -> Self {
        let (connection, screen) = RustConnection::connect(None).expect("a display");
        let root = connection.setup().roots[screen].root;
        Self { connection, root }
    }

    /// The key on which a symbol stands.
    fn code(&self, symbol: u32) -> u8 {
        let setup = self.connection.setup();
        let (first, count) = (setup.min_keycode, setup.max_keycode - setup.min_keycode + 1);
        let map = self.connection.get_keyboard_mapping(first, count).expect("a request").reply().expect("the keys");
        let per_key = usize::from(map.keysyms_per_keycode);
        let at = map.keysyms.chunks(per_key).position(|symbols| symbols.contains(&symbol)).expect("such a key");
        first + u8::try_from(at).expect("a key")
    }

    /// Presses the keys and lets them go, whichever window has the focus.
    fn press(&self) {
        let codes = KEYS.map(|symbol| self.code(symbol));
        let fake = |what, code| {
            let sent = self.connection.xtest_fake_input(what, code, 0, self.root, 0, 0, 0);
            sent.expect("a request").check().expect("the key moves");
        };
        codes.iter().for_each(|code| fake(KEY_PRESS_EVENT, *code));
        codes.iter().rev().for_each(|code| fake(KEY_RELEASE_EVENT, *code));
    }

    /// Takes the keys, as another program would; `false` where somebody has them.
    fn take(&self) -> bool {
        let (held, code) = (ModMask::CONTROL | ModMask::M1, self.code(KEYS[2]));
        let asked = self.connection.grab_key(false, self.root, held, code, GrabMode::ASYNC, GrabMode::ASYNC);
        asked.expect("a request").check().is_ok()
    }
}

/// Presses the keys in their field and waits until it shows them.
fn choose(app: &App) {
    app.run("document.getElementById('ask-keys').focus()", json!([]));
    app.press(&[key::CTRL, key::ALT, 'm']);
    app.wait("the keys by their names", "document.getElementById('ask-keys').value === 'Ctrl+Alt+M'", 10);
}

fn wait_told(app: &App, words: &str) {
    let told = format!("document.querySelector('[data-testid=ask-keys-state]')?.innerText.includes({words:?})");
    app.wait(words, &told, 10);
}

#[test]
fn keys_of_ones_own_lead_to_the_question_from_anywhere() {
    let Some(app) = App::start() else { return };
    app.go("/settings");
    wait_told(&app, "Off.");
    // Keys that every program uses itself are left to it.
    app.run("document.getElementById('ask-keys').focus()", json!([]));
    app.press(&[key::CTRL, 'm']);
    choose(&app);
    wait_told(&app, "bring this window to the question");
    assert_eq!(app.call("settings_get", json!({}))["ask_keys"], json!("Ctrl+Alt+M"));
    let display = Display::open();
    assert!(!display.take(), "the window has the keys");
    app.go("/library");
    display.press();
    let asks = "location.pathname === '/recall' && document.activeElement?.id === 'search'";
    app.wait("the question", asks, 10);
    app.go("/settings");
    app.click("[data-testid=ask-keys-off]");
    wait_told(&app, "Off.");
    let end = Instant::now() + Duration::from_secs(10);
    while !display.take() {
        assert!(Instant::now() < end, "the keys are anybody's again within 10 s");
    }
}

#[test]
fn keys_of_another_program_are_refused() {
    let Some(app) = App::start() else { return };
    let another = Display::open();
    assert!(another.take(), "another program has the keys");
    app.go("/settings");
    choose(&app);
    wait_told(&app, "Press others.");
}
