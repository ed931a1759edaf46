//! How every scene looks: nothing clipped, every colour a token of its theme, in both themes and sizes.

use crate::app::{App, SIZES, THEMES};
use crate::samples::{a_model, a_week};
use crate::scenes::{SCENES, SOUND_SCENES, Scene, show, wanted};
use serde_json::{Value, json};

/// The colours of the design: role, light, dark.
const TOKENS: &[(&str, &str, &str)] = &[
    ("bg", "f6f5f1", "151719"),
    ("surface", "ffffff", "1d2023"),
    ("sunken", "eceae4", "26292d"),
    ("line", "dad7cf", "363a3f"),
    ("edge", "7f7b72", "81868d"),
    ("text", "1e1d1a", "ecebe7"),
    ("muted", "5a574f", "b0afa9"),
    ("accent", "0a6173", "6ccbe0"),
    ("on-accent", "ffffff", "06222a"),
    ("accent-soft", "dceff3", "123641"),
    ("evidence", "734a00", "f3cb63"),
    ("evidence-soft", "ffe9a6", "4a3a0e"),
    ("conflict", "6a32b5", "c9acff"),
    ("conflict-soft", "f0e8fc", "382a58"),
    ("redaction", "2a2932", "e4e2e9"),
    ("redaction-soft", "e0dee4", "3a3942"),
    ("danger", "b5123e", "ff97a5"),
    ("danger-soft", "fce6ea", "4f1e29"),
];

/// What is the same in both themes: marks on pages, the white of paper.
const OF_PAGES: &[&str] = &["ffe9a6", "5e3c00", "ffffff"];

/// Where a role must be seen: selector, property, role.
const WHERE: &[(&str, &str, &str)] = &[
    ("body", "background-color", "bg"),
    ("body", "color", "text"),
    (".nav", "border-right-color", "line"),
    (".space-button", "border-top-color", "edge"),
    (".nav-item.here a", "background-color", "accent-soft"),
    (".nav-item.here a", "color", "accent"),
    (".status button:not(:hover)", "color", "muted"),
    (".panel", "background-color", "surface"),
    (".panel", "border-top-color", "line"),
    (".button.accent:not(:disabled):not(:hover)", "background-color", "accent"),
    (".button.accent:not(:disabled):not(:hover)", "color", "on-accent"),
    (".place", "background-color", "evidence-soft"),
    (".place", "color", "evidence"),
    (".citation", "border-left-color", "evidence"),
    (".disputed", "color", "conflict"),
    (".disputed", "background-color", "conflict-soft"),
    (".citation.chip", "border-left-color", "evidence"),
    (".state.failed", "color", "danger"),
    (".muted:not(.choice.at .muted)", "color", "muted"),
    (".dialog", "background-color", "surface"),
    (".scroller .kind", "background-color", "sunken"),
];

#[test]
fn nothing_is_clipped_and_every_colour_is_a_token() {
    let Some(app) = App::start() else { return };
    a_week(&app);
    let mut wrong = look_at(&app, &SCENES);
    if a_model(&app) {
        wrong.extend(look_at(&app, &SOUND_SCENES));
    }
    assert!(wrong.is_empty(), "{} things look wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is wrong with some scenes, in every theme and size.
fn look_at(app: &App, scenes: &[&[Scene]]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (width, height) in SIZES {
        app.resize(width, height);
        for theme in THEMES {
            app.theme(theme);
            for scene in wanted(scenes) {
                show(app, scene);
                let place = format!("{} {theme} {width}x{height}", scene.name);
                wrong.extend(clipped(app).into_iter().map(|what| format!("{place}: {what}")));
                wrong.extend(colours(app, theme).into_iter().map(|what| format!("{place}: {what}")));
            }
        }
    }
    wrong
}

fn sentences(found: Value) -> Vec<String> {
    let found = found.as_array().cloned().unwrap_or_default();
    found.into_iter().filter_map(|one| one.as_str().map(str::to_owned)).collect()
}

/// What a script finds on a page at rest. What the pointer left a moment ago may still fade to its own colour, and that
/// may begin at any time: so the script runs in the same turn in which nothing is seen to move. What has come to its end
/// has the look of its last step until the next frame: so nothing has moved in the frame before, either.
fn at_rest(app: &App, script: &str, arguments: Value) -> Vec<String> {
    let still = format!(
        "const end = performance.now() + 20000;
         for (let still = 0; still < 2;) {{
            if (performance.now() > end) return ['something moves for 20 s'];
            await new Promise(drawn => requestAnimationFrame(drawn));
            still = document.getAnimations().some(a => a.playState === 'running') ? 0 : still + 1;
         }}
         {script}"
    );
    sentences(app.look(&still, arguments).expect("the script runs"))
}

/// What is cut off: the document or a region scrolls sideways, a control's words do not fit into it, or a control
/// lies outside the window.
fn clipped(app: &App) -> Vec<String> {
    at_rest(
        app,
        "const wrong = [];
         const name = e => (e.dataset?.testid || e.id || e.className?.baseVal || e.className || e.tagName) + ' \"'
            + (e.innerText || e.getAttribute('aria-label') || '').trim().slice(0, 40) + '\"';
         const seen = e => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0;
         const page = document.documentElement;
         if (page.scrollWidth > page.clientWidth) wrong.push('the document scrolls sideways');
         if (page.scrollHeight > page.clientHeight) wrong.push('the document scrolls downwards');
         const regions = '.nav, .main, .page-head, .page-body:not(.fill), .scroller, .pane, .viewer-head, .viewer-foot, .item, ' +
            '.item-side, .status, .panel, .dialog, .popover, .preview, .toasts, .drop, .viewer-body.text, .viewer-body.sound, .result';
         for (const e of document.querySelectorAll(regions))
            if (seen(e) && e.scrollWidth > e.clientWidth + 1)
               wrong.push(name(e) + ' is ' + (e.scrollWidth - e.clientWidth) + ' px wider inside than outside');
         const controls = 'button, a, .button, select, .tab, .place, .quality, .state, h1, h2, kbd, label, .label, legend, dt';
         for (const e of document.querySelectorAll(controls)) {
            const box = e.getBoundingClientRect();
            const style = getComputedStyle(e);
            // What is for screen readers alone is clipped on purpose.
            if (!seen(e) || e.closest('.hidden-words') || style.clipPath !== 'none') continue;
            // What ends in an ellipsis says all of its words in a title.
            const shortened = e.matches('.file, .clip') || e.querySelector('.file, .clip, .grow');
            if (e.scrollWidth > e.clientWidth + 1 && style.display !== 'inline' && !shortened)
               wrong.push('the words of ' + name(e) + ' do not fit');
            if (box.left < -0.5 || box.right > innerWidth + 0.5)
               if (!e.closest('.viewer-body')) wrong.push(name(e) + ' lies beside the window');
         }
         for (const e of document.querySelectorAll('#main *, .pane *, .nav *, .status *, .dialog *, .popover *')) {
            const words = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
            const style = getComputedStyle(e);
            if (words && seen(e) && style.display !== 'inline' && style.overflowX === 'visible' && e.clientWidth > 0
                  && e.scrollWidth > e.clientWidth + 1)
               wrong.push('the words of ' + name(e) + ' run over what stands beside them');
         }
         for (const e of document.querySelectorAll('.file, .clip'))
            if (seen(e) && e.scrollWidth > e.clientWidth + 1 && !e.closest('[title]') && !e.closest('.job, .tree-row, .entry, .citation, .drop-tile'))
               wrong.push(name(e) + ' is shortened and has no title');
         return [...new Set(wrong)];",
        json!([]),
    )
}

/// Colours that are no token of the theme, and roles that are not where the design has them.
fn colours(app: &App, theme: &str) -> Vec<String> {
    let of =
        |(_, light, dark): &(&str, &str, &str)| if theme == "light" { (*light).to_owned() } else { (*dark).to_owned() };
    let tokens: serde_json::Map<String, Value> = TOKENS.iter().map(|t| (t.0.to_owned(), json!(of(t)))).collect();
    at_rest(
        app,
        "const [tokens, pages, places] = arguments;
         const wrong = [];
         const hex = colour => {
            const parts = colour.match(/^rgba?\\((\\d+), (\\d+), (\\d+)(?:, ([\\d.]+))?\\)$/);
            if (!parts) return colour;
            if (parts[4] !== undefined && Number(parts[4]) === 0) return null;
            return parts.slice(1, 4).map(n => Number(n).toString(16).padStart(2, '0')).join('');
         };
         const known = new Set([...Object.values(tokens), ...pages]);
         const root = getComputedStyle(document.documentElement);
         for (const [role, wanted] of Object.entries(tokens)) {
            const found = root.getPropertyValue('--' + role).trim().toLowerCase();
            if (found !== '#' + wanted) wrong.push('--' + role + ' is ' + found + ', not #' + wanted);
         }
         const check = (e, property, colour) => {
            const found = hex(colour);
            if (found === null || known.has(found)) return;
            // A mix with the text is the look of what the pointer is over.
            if (e.closest('button:hover, a:hover, .menu-item:hover, .menu-item:focus-visible')) return;
            wrong.push((e.dataset?.testid || e.className?.baseVal || e.className || e.tagName) + ' ' + property + ' ' + colour);
         };
         for (const e of document.body.querySelectorAll('*')) {
            if (!e.checkVisibility() || e.closest('.drop') === e || e.id === 'pulse') continue;
            if (e.matches('input[type=checkbox], input[type=radio], option, audio, audio *, title')) continue;
            const style = getComputedStyle(e);
            check(e, 'color', style.color);
            check(e, 'background', style.backgroundColor);
            for (const side of ['Top', 'Right', 'Bottom', 'Left'])
               if (parseFloat(style['border' + side + 'Width']) > 0 && style['border' + side + 'Style'] !== 'none')
                  check(e, 'border', style['border' + side + 'Color']);
         }
         for (const [selector, property, role] of places) {
            const e = document.querySelector(selector);
            if (!e || !e.checkVisibility()) continue;
            const found = hex(getComputedStyle(e).getPropertyValue(property));
            if (found !== tokens[role]) wrong.push(selector + ' ' + property + ' is ' + found + ', not ' + role);
         }
         return [...new Set(wrong)];",
        json!([tokens, OF_PAGES, WHERE]),
    )
}

/// What tells a state: it is readable without its colour, by a drawing and a word.
const STATES: &str = ".state:not(.plain), .disputed, .cite-state, .claim-state > *:not(a), .in-use, .check-line, .notice, \
    .toast, .trouble, .version-state, .preview-state";

#[test]
fn every_state_is_told_by_a_drawing_and_a_word() {
    let Some(app) = App::start() else { return };
    a_week(&app);
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for scene in SCENES.into_iter().flatten() {
        show(&app, scene);
        let found = app.run(
            "const all = [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility());
             const bare = all.filter(e => !e.querySelector('svg') || !e.innerText.trim());
             return [all.length, bare.map(e => e.className + ' ' + e.innerText.slice(0, 60))];",
            json!([STATES]),
        );
        seen += found[0].as_u64().expect("a number");
        wrong.extend(sentences(found[1].clone()).into_iter().map(|what| format!("{}: {what}", scene.name)));
    }
    assert!(seen > 40, "only {seen} states were seen");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Shows everything so many times as large, as a person does with Ctrl and +.
fn zoom(app: &App, factor: f64) {
    let script = "await window.__TAURI__.webview.getCurrentWebview().setZoom(arguments[0]);";
    app.settle(script, json!([factor])).expect("the window is shown larger");
    app.zoomed.set(factor != 1.0);
}

#[test]
fn twice_as_large_nothing_is_clipped_and_all_is_reached() {
    let Some(app) = App::start() else { return };
    a_week(&app);
    zoom(&app, 2.0);
    app.wait("a window of half the size", "innerWidth === 640 && innerHeight === 400", 10);
    let mut wrong = Vec::new();
    for scene in wanted(&SCENES) {
        show(&app, scene);
        wrong.extend(clipped(&app).into_iter().map(|what| format!("{}: {what}", scene.name)));
        wrong.extend(out_of_reach(&app).into_iter().map(|what| format!("{}: {what}", scene.name)));
    }
    assert!(wrong.is_empty(), "{} things do not fit:\n{}", wrong.len(), wrong.join("\n"));
}

/// Controls that no scrolling brings into sight.
fn out_of_reach(app: &App) -> Vec<String> {
    at_rest(
        app,
        "const wrong = [];
         // What stands above the page hides it, and is looked at instead.
         const above = document.querySelector('dialog[open], :popover-open, [data-testid=preview], [data-testid=drop-overlay], .pane');
         const top = above ?? document;
         for (const e of top.querySelectorAll('button, a[href], input:not([type=file]), select, textarea')) {
            if (!e.checkVisibility({ visibilityProperty: true }) || e.closest('.hidden-words, .toasts')) continue;
            if (e.disabled || getComputedStyle(e).clipPath !== 'none') continue;
            e.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
            const box = e.getBoundingClientRect();
            const seen = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
            const [x, y] = [(Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2,
                            (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2];
            const hit = seen && document.elementFromPoint(x, y);
            if (!hit || !(e.contains(hit) || hit.contains(e)))
               wrong.push((e.dataset.testid || e.className) + ' \"' + (e.innerText || e.ariaLabel || '').trim().slice(0, 40)
                  + '\" cannot be reached');
         }
         return [...new Set(wrong)];",
        json!([]),
    )
}

#[test]
fn nothing_moves_where_motion_is_unwanted() {
    let Some(app) = App::start_with(&["gtk-enable-animations=0"]) else { return };
    assert_eq!(app.value("matchMedia('(prefers-reduced-motion: reduce)').matches"), json!(true));
    a_week(&app);
    app.run(
        "window.__moved = [];
         for (const kind of ['animationstart', 'transitionrun'])
            addEventListener(kind, e => window.__moved.push(kind + ' ' + (e.target.className?.baseVal ?? e.target.className)), true);",
        json!([]),
    );
    for scene in wanted(&SCENES) {
        show(&app, scene);
        let running = app.value("document.getAnimations().length");
        assert_eq!(running, json!(0), "something moves in {}", scene.name);
    }
    assert_eq!(app.value("window.__moved"), json!([]));
}
