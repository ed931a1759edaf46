//! A WebDriver session: commands of the W3C recommendation, in the words of these tests.

use crate::{base64, http};
use serde_json::{Value, json};
use std::cell::Cell;

/// The name under which WebDriver hands out elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// What the driver says of a script whose page went away while it ran.
const LOST: [&str; 2] = ["Could not parse script result", "Callback was not called before the unload event."];

/// An element of the page.
pub struct Element(String);

/// Keys that are not characters, as WebDriver names them.
pub mod key {
    #![allow(missing_docs)]
    pub const BACKSPACE: char = '\u{e003}';
    pub const ESC: char = '\u{e00c}';
    pub const ENTER: char = '\u{e007}';
    pub const TAB: char = '\u{e004}';
    pub const CTRL: char = '\u{e009}';
    pub const SHIFT: char = '\u{e008}';
    pub const ALT: char = '\u{e00a}';
    pub const UP: char = '\u{e013}';
    pub const DOWN: char = '\u{e015}';
    pub const LEFT: char = '\u{e012}';
    pub const RIGHT: char = '\u{e014}';
    pub const F3: char = '\u{e033}';
    pub const F6: char = '\u{e036}';
    pub const DELETE: char = '\u{e017}';
    pub const SPACE: char = ' ';
    pub const END: char = '\u{e010}';
    pub const PAGE_UP: char = '\u{e00e}';
    pub const PAGE_DOWN: char = '\u{e00f}';
}

/// An open session. The app ends with it.
pub struct Browser {
    port: u16,
    path: String,
    /// Whether everything is shown larger: then the driver does not know where on the screen an element is.
    pub zoomed: Cell<bool>,
}

impl Browser {
    /// Opens a session on an app: its absolute path and its arguments.
    pub fn open(port: u16, app: &str, arguments: &[&str]) -> Self {
        let options = json!({ "application": app, "args": arguments });
        let wanted = json!({ "capabilities": { "alwaysMatch": { "tauri:options": options } } });
        let (status, answer) = http::send(port, "POST", "/session", Some(&wanted)).expect("the driver answers");
        let id = answer["value"]["sessionId"].as_str();
        let id = id.unwrap_or_else(|| panic!("no session ({status}): {answer}"));
        let browser = Self { port, path: format!("/session/{id}"), zoomed: Cell::new(false) };
        browser.post("/timeouts", json!({ "script": 150_000, "implicit": 0 }));
        browser
    }

    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, Value> {
        let full = format!("{}{path}", self.path);
        let (status, mut answer) = http::send(self.port, method, &full, body).expect("the driver answers");
        let value = answer["value"].take();
        if status == 200 { Ok(value) } else { Err(value) }
    }

    fn post(&self, path: &str, body: Value) -> Value {
        self.ask("POST", path, Some(&body)).unwrap_or_else(|error| panic!("{path} {body:.300}: {error}"))
    }

    /// Runs the body of a function in the page; `arguments` holds the arguments.
    pub fn run(&self, script: &str, arguments: Value) -> Value {
        self.post("/execute/sync", json!({ "script": script, "args": arguments }))
    }

    /// The value of an expression.
    pub fn value(&self, expression: &str) -> Value {
        self.run(&format!("return ({expression});"), json!([]))
    }

    /// Runs the body of an async function in the page and waits for what it gives.
    ///
    /// # Errors
    /// What it throws.
    pub fn settle(&self, script: &str, arguments: Value) -> Result<Value, Value> {
        self.attempt(script, &arguments).unwrap_or_else(|error| panic!("{script:.300}: {error}"))
    }

    /// Like [`Self::settle`], for a script that only looks: where its answer is lost because the page is being
    /// replaced (WebKit's driver says so in two ways), it is asked again.
    pub fn look(&self, script: &str, arguments: Value) -> Result<Value, Value> {
        for _ in 0..3 {
            match self.attempt(script, &arguments) {
                Err(error) if LOST.iter().any(|lost| error["message"] == *lost) => {}
                answered => return answered.unwrap_or_else(|error| panic!("{script:.300}: {error}")),
            }
        }
        self.settle(script, arguments)
    }

    /// What the script gives or throws; or the driver's own error.
    fn attempt(&self, script: &str, arguments: &Value) -> Result<Result<Value, Value>, Value> {
        let wrapped = format!(
            "const done = arguments[arguments.length - 1];
             (async () => {{ {script} }}).apply(null, arguments).then(
                value => done({{ value: value === undefined ? null : value }}),
                error => done({{ error: error instanceof Error ? String(error) : error }}));"
        );
        // An arrow function has no arguments of its own: it sees those of the script around it.
        let mut answer = self.ask("POST", "/execute/async", Some(&json!({ "script": wrapped, "args": arguments })))?;
        Ok(if answer.get("error").is_some() { Err(answer["error"].take()) } else { Ok(answer["value"].take()) })
    }

    /// Waits in the page until an expression is true (or anything but null, false, 0 and ""), and gives its value.
    /// After `seconds` the test fails, saying `what` was waited for and what the page shows.
    pub fn wait(&self, what: &str, expression: &str, seconds: u32) -> Value {
        let script = format!(
            "const end = performance.now() + arguments[0] * 1000;
             let last = null;
             for (;;) {{
               try {{ last = ({expression}); if (last) return [last]; }} catch (error) {{ last = String(error); }}
               if (performance.now() > end) return null;
               await new Promise(done => setTimeout(done, 15));
             }}"
        );
        match self.look(&script, json!([seconds])) {
            Ok(Value::Array(mut found)) => found.remove(0),
            other => panic!(
                "{what}: not within {seconds} s ({other:?}); {}; the page says:\n{}",
                self.loaded(),
                self.words()
            ),
        }
    }

    /// What the page is called, how far it is, and what it fetched: of a page without words, it tells why.
    fn loaded(&self) -> String {
        let script = "return '\"' + document.title + '\" is ' + document.readyState + ', fetched '
            + (performance.getEntriesByType('resource')
                .map(e => e.name.replace(location.origin, '') + ' ' + Math.round(e.duration) + ' ms '
                    + (e.decodedBodySize || e.transferSize || 0) + ' B')
                .join(', ') || 'nothing');";
        self.run(script, json!([])).as_str().unwrap_or_default().to_owned()
    }

    /// All words of the page.
    pub fn words(&self) -> String {
        self.value("location.pathname + location.search + '\\n' + document.body?.innerText")
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// The first element of a CSS selector; it is waited for.
    pub fn find(&self, selector: &str) -> Element {
        let quoted = json!(selector);
        self.wait(&format!("an element {selector}"), &format!("document.querySelector({quoted})"), 10);
        let found = self.post("/element", json!({ "using": "css selector", "value": selector }));
        Element(found[ELEMENT].as_str().expect("an element has an id").to_owned())
    }

    /// Clicks as a person does: the element must be in sight and on top.
    pub fn click(&self, selector: &str) {
        let Element(id) = self.find(selector);
        if self.zoomed.get() {
            let script = "const e = document.querySelector(arguments[0]); e.scrollIntoView({ block: 'nearest' }); e.focus?.(); e.click();";
            self.run(script, json!([selector]));
            return;
        }
        self.post(&format!("/element/{id}/click"), json!({}));
    }

    /// Clicks the first element of a selector whose words contain a text. One that is drawn anew meanwhile is looked for
    /// again.
    pub fn click_words(&self, selector: &str, words: &str) {
        let what = format!("{selector} with {words}");
        let (all, words) = (json!(selector), json!(words));
        let script = format!("[...document.querySelectorAll({all})].find(e => e.innerText.includes({words}))");
        for _ in 0..3 {
            let chosen = self.wait(&what, &script, 10);
            if self.zoomed.get() {
                let script = "const e = arguments[0]; e.scrollIntoView({ block: 'nearest' }); e.focus?.(); e.click();";
                self.run(script, json!([chosen]));
                return;
            }
            let id = chosen[ELEMENT].as_str().expect("an element has an id");
            match self.ask("POST", &format!("/element/{id}/click"), Some(&json!({}))) {
                Err(error) if error["error"] == "stale element reference" => {}
                clicked => return drop(clicked.unwrap_or_else(|error| panic!("{what}: {error}"))),
            }
        }
        panic!("{what} does not hold still");
    }

    /// Moves the pointer to the middle of an element, as a person does: in a few steps.
    pub fn hover(&self, selector: &str) {
        let Element(id) = self.find(selector);
        let step = |x: i32| json!({ "type": "pointerMove", "origin": { ELEMENT: id }, "x": x, "y": 0, "duration": 20 });
        let mouse = json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" },
            "actions": [step(-4), step(-2), step(0)] });
        self.post("/actions", json!({ "actions": [mouse] }));
    }

    /// Drags from one place to another, both counted from the middle of an element, in pixels.
    pub fn drag(&self, selector: &str, from: (i32, i32), to: (i32, i32)) {
        let Element(id) = self.find(selector);
        let step = |(x, y): (i32, i32)| json!({ "type": "pointerMove", "origin": { ELEMENT: id }, "x": x, "y": y, "duration": 20 });
        let half = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
        let button = |what: &str| json!({ "type": what, "button": 0 });
        let mouse = json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" },
            "actions": [step(from), button("pointerDown"), step(half), step(to), button("pointerUp")] });
        self.post("/actions", json!({ "actions": [mouse] }));
    }

    /// Types into an element, or hands a file input its paths.
    pub fn type_into(&self, selector: &str, text: &str) {
        let Element(id) = self.find(selector);
        self.post(&format!("/element/{id}/value"), json!({ "text": text }));
    }

    /// Types anew what a field holds.
    pub fn fill(&self, selector: &str, text: &str) {
        let Element(id) = self.find(selector);
        self.post(&format!("/element/{id}/clear"), json!({}));
        self.post(&format!("/element/{id}/value"), json!({ "text": text }));
    }

    /// Presses keys together: all go down in order, then up in the reverse order.
    pub fn press(&self, keys: &[char]) {
        let down = keys.iter().map(|key| json!({ "type": "keyDown", "value": key }));
        let up = keys.iter().rev().map(|key| json!({ "type": "keyUp", "value": key }));
        let actions: Vec<Value> = down.chain(up).collect();
        self.post("/actions", json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }));
    }

    /// Presses the keys of a text one after the other.
    pub fn type_keys(&self, text: &str) {
        for key in text.chars() {
            self.press(&[key]);
        }
    }

    /// Makes the inside of the window so many pixels wide and high.
    pub fn resize(&self, width: u32, height: u32) {
        let fits = format!("innerWidth === {width} && innerHeight === {height}");
        let inner = |name: &str| self.value(name).as_i64().unwrap_or(0);
        let (mut outer_width, mut outer_height) = (i64::from(width), i64::from(height));
        for _ in 0..4 {
            // A window that has the size already is left alone.
            if self.holds_within(&fits, 1) {
                return;
            }
            self.post("/window/rect", json!({ "width": outer_width, "height": outer_height }));
            if self.holds_within(&fits, 1) {
                return;
            }
            // The rectangle is the outside; what its frame takes is added.
            outer_width += i64::from(width) - inner("innerWidth");
            outer_height += i64::from(height) - inner("innerHeight");
        }
        panic!("the window is {} x {}, not {width} x {height}", inner("innerWidth"), inner("innerHeight"));
    }

    /// Whether an expression becomes true within some seconds.
    pub fn holds_within(&self, expression: &str, seconds: u32) -> bool {
        let script = format!(
            "const end = performance.now() + arguments[0] * 1000;
             while (!({expression})) {{
               if (performance.now() > end) return false;
               await new Promise(done => setTimeout(done, 15));
             }}
             return true;"
        );
        self.settle(&script, json!([seconds])) == Ok(json!(true))
    }

    /// A PNG of what the window shows.
    ///
    /// The driver waits for the next frame, and a page at rest draws none: one pixel is drawn again and again, in a
    /// colour that cannot be told from what is there.
    pub fn screenshot(&self) -> Vec<u8> {
        self.run(
            "const dot = document.body.appendChild(document.createElement('div'));
             dot.id = 'pulse';
             Object.assign(dot.style, { position: 'fixed', left: 0, bottom: 0, width: '1px', height: '1px' });
             let on = false;
             window.__pulse = setInterval(() => dot.style.background = (on = !on) ? '#00000001' : '#00000002', 20);",
            json!([]),
        );
        let picture = self.ask("GET", "/screenshot", None).expect("the driver takes a picture");
        self.run("clearInterval(window.__pulse); document.getElementById('pulse').remove();", json!([]));
        base64::decode(picture.as_str().expect("a picture in base64")).expect("well-formed base64")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // A test that failed because the app ended has no session to close.
        let _ = http::send(self.port, "DELETE", &self.path, None);
    }
}
