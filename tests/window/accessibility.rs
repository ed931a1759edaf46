//! axe-core over every scene: no violation.

use crate::app::{App, PAGES};
use crate::samples::{a_model, a_week};
use crate::scenes::{SCENES, SOUND_SCENES, Scene, show, wanted};
use serde_json::json;

/// Puts axe-core into the page; `false`, saying so, where it was not fetched.
fn inject(app: &App) -> bool {
    let Some(path) = std::env::var_os("UM_AXE").or_else(|| std::env::var_os("UM_AXE_JS")) else {
        eprintln!("skipped: UM_AXE names no axe.min.js; `cargo xtask setup --all` fetches it");
        return false;
    };
    let source = std::fs::read_to_string(path).expect("axe.min.js can be read");
    app.run(&format!("{source}\nreturn 0;"), json!([]));
    // What finds nothing must be known to find something.
    app.run("document.body.insertAdjacentHTML('beforeend', '<img id=bad src=\"data:,\">');", json!([]));
    assert!(violations(app).iter().any(|v| v.starts_with("image-alt")), "axe-core finds what is wrong");
    app.run("document.getElementById('bad').remove();", json!([]));
    true
}

/// The violations: the rule, and the first elements that break it.
fn violations(app: &App) -> Vec<String> {
    let script = "const found = await axe.run(document, { resultTypes: ['violations'] });
        return found.violations.map(v => v.id + ' (' + v.help + '): ' +
           v.nodes.slice(0, 4).map(n => n.target.join(' ') + ' ' + n.html.slice(0, 160) + ' ' +
              (n.any[0]?.message || n.all[0]?.message || n.none[0]?.message || '')).join(' | '));";
    let found = app.settle(script, json!([])).expect("axe runs");
    found.as_array().expect("a list").iter().filter_map(|v| v.as_str().map(str::to_owned)).collect()
}

fn check(app: &App, scenes: &[&[Scene]], (width, height): (u32, u32), theme: &str, wrong: &mut Vec<String>) {
    app.resize(width, height);
    app.theme(theme);
    for scene in wanted(scenes) {
        show(app, scene);
        wrong.extend(violations(app).into_iter().map(|what| format!("{} {theme} {width}: {what}", scene.name)));
    }
}

#[test]
fn every_scene_is_free_of_violations() {
    let Some(app) = App::start() else { return };
    if !inject(&app) {
        return;
    }
    let mut wrong = Vec::new();
    for (name, address) in PAGES {
        app.go(address);
        wrong.extend(violations(&app).into_iter().map(|what| format!("{name}, empty: {what}")));
    }
    a_week(&app);
    check(&app, &SCENES, (1280, 800), "light", &mut wrong);
    check(&app, &SCENES, (880, 600), "dark", &mut wrong);
    if a_model(&app) {
        check(&app, &SOUND_SCENES, (1280, 800), "light", &mut wrong);
        check(&app, &SOUND_SCENES, (880, 600), "dark", &mut wrong);
    }
    assert!(wrong.is_empty(), "{} violations:\n{}", wrong.len(), wrong.join("\n"));
}
