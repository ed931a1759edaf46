//! The keyboard alone: every page, the palette, results, lists, and a focus that is always seen.

use crate::app::App;
use crate::browser::key;
use crate::samples::folder;
use crate::scenes::ANSWERS;
use serde_json::json;

fn focus_is(app: &App, what: &str, test: &str) {
    app.wait(what, &format!("(e => {test})(document.activeElement)"), 10);
}

#[test]
fn keys_lead_everywhere() {
    let Some(app) = App::start() else { return };
    let pages = [
        ('7', "/activity"),
        ('6', "/access"),
        ('5', "/review"),
        ('4', "/work"),
        ('3', "/beliefs"),
        ('2', "/library"),
        ('1', "/recall"),
    ];
    for (number, address) in pages {
        app.press(&[key::CTRL, number]);
        app.wait(address, &format!("location.pathname === {address:?}"), 10);
        // Which page it is, and which of its tabs, is told to screen readers, too.
        let told = "[...document.querySelectorAll('.nav [aria-current=page], .tabs [aria-current=page]')]
            .every(e => e.parentElement.matches('.here')) && document.querySelectorAll('.nav [aria-current=page]').length === 1";
        app.wait("the page that is told", told, 10);
    }
    app.press(&[key::CTRL, ',']);
    app.wait("the settings", "location.pathname === '/settings'", 10);
    app.press(&[key::ALT, key::LEFT]);
    app.wait("the page before", "location.pathname === '/recall'", 10);
    app.press(&[key::ALT, key::RIGHT]);
    app.wait("the page after", "location.pathname === '/settings'", 10);
    app.press(&['/']);
    focus_is(&app, "the search box", "location.pathname === '/recall' && e.id === 'search'");
    app.press(&[key::CTRL, key::SHIFT, 's']);
    focus_is(&app, "the filter of the spaces", "e.dataset.testid === 'space-filter'");
    app.press(&[key::ESC]);
    app.wait("no switcher", "!document.querySelector('.switcher')", 10);
    app.press(&[key::CTRL, 'o']);
    app.wait_dialog("add-files");
    app.press(&[key::ESC]);
    app.wait_no_dialog();
    app.press(&[key::CTRL, '2']);
    app.wait("the library", "location.pathname === '/library'", 10);
    app.run("document.getElementById('main').focus()", json!([]));
    app.press(&[key::SHIFT, '?']);
    app.wait_dialog("keys");
    app.press(&[key::ESC]);
    app.wait_no_dialog();
}

#[test]
fn one_key_leads_from_region_to_region() {
    let Some(app) = App::start() else { return };
    for (address, head) in [("/recall?tab=context", "e.id === 'search'"), ("/activity", "!!e.closest('.page-head')")] {
        app.go(address);
        app.run("document.getElementById('main').focus()", json!([]));
        for (region, test) in [
            ("the pages", "!!e.closest('.nav')"),
            ("the head", head),
            ("what lies below", "!e.closest('.nav, .page-head')"),
        ] {
            app.press(&[key::F6]);
            focus_is(&app, &format!("{address}: {region}"), test);
        }
    }
}

#[test]
fn the_palette_finds_pages_and_asks() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    app.press(&[key::CTRL, 'k']);
    app.wait_dialog("palette");
    app.type_keys("libr");
    app.wait("two offers", "document.querySelectorAll('[data-testid=palette-offer]').length === 2", 10);
    app.press(&[key::DOWN]);
    app.press(&[key::ENTER]);
    app.wait("the library", "location.pathname === '/library'", 10);
    app.wait_no_dialog();
    app.press(&[key::CTRL, 'k']);
    app.wait_dialog("palette");
    app.type_keys("boiler");
    app.press(&[key::ENTER]);
    app.wait("an answer", "location.search === '?q=boiler' && document.querySelector('[data-testid=result]')", 20);
    the_line_is_in_sight(&app);
    app.press(&[key::CTRL, 'k']);
    app.wait_dialog("palette");
    app.type_keys(">dark");
    app.press(&[key::ENTER]);
    app.wait("the dark theme", "document.documentElement.dataset.theme === 'dark'", 10);
}

#[test]
fn the_palette_keeps_its_line_where_others_come_above_it() {
    let Some(app) = App::start() else { return };
    let fact = json!({ "subject": "Dark Harbour", "subject_type": "organization", "predicate": "located_in", "object": "Halden" });
    app.call("facts_add", json!({ "space": "default", "facts": [fact] }));
    crate::beliefs::entity(&app, "Dark Harbour");
    app.hold("entities_list");
    app.press(&[key::CTRL, 'k']);
    app.wait_dialog("palette");
    app.type_keys("dark");
    let at = |words: &str| {
        format!(
            "(e => e?.innerText.includes({words:?}) && e.id === document.activeElement.getAttribute('aria-activedescendant') && e.id)
             (document.querySelector('[data-testid=palette-offer].at'))"
        )
    };
    app.wait("the question first", &at("Recall"), 10);
    app.press(&[key::UP]);
    let before = app.wait("the last line", &at("Theme: dark"), 10);
    app.let_go(json!(null));
    let found =
        "[...document.querySelectorAll('[data-testid=palette-offer]')].some(e => e.innerText.includes('Dark Harbour'))";
    app.wait("whom the words name", found, 10);
    let after = app.wait("the same line", &at("Theme: dark"), 10);
    assert_ne!(before, after, "what was found stands above it");
    app.press(&[key::ENTER]);
    app.wait("the dark theme", "document.documentElement.dataset.theme === 'dark'", 10);
}

/// The last of all offers, which Up leads to from the first, is scrolled to.
fn the_line_is_in_sight(app: &App) {
    app.press(&[key::CTRL, 'k']);
    app.wait_dialog("palette");
    app.type_keys("e");
    app.wait("more than fits", "(e => e.scrollHeight > e.clientHeight)(document.getElementById('offers'))", 10);
    app.press(&[key::UP]);
    let sight = "(e => {
        const [line, list] = [e, e?.parentElement].map(e => e?.getBoundingClientRect());
        return line && line.bottom <= list.bottom + 1 && line.top >= list.top - 1 && !e.nextElementSibling;
    })(document.querySelector('[data-testid=palette-offer].at'))";
    app.wait("the last line in sight", sight, 10);
    app.press(&[key::ESC]);
    app.wait_no_dialog();
}

#[test]
fn results_are_walked_opened_and_left() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    app.press(&['/']);
    focus_is(&app, "the search box", "e.id === 'search'");
    app.type_keys(ANSWERS[0].0);
    app.press(&[key::ENTER]);
    app.wait("two results", "document.querySelectorAll('[data-testid=result]').length >= 2", 20);
    let nth = |n: usize| format!("e === document.querySelectorAll('[data-testid=citation]')[{n}]");
    app.press(&[key::DOWN]);
    focus_is(&app, "the first result", &nth(0));
    the_ring_is_seen(&app);
    app.press(&[key::DOWN]);
    focus_is(&app, "the second result", &nth(1));
    app.press(&[key::UP]);
    focus_is(&app, "the first result again", &nth(0));
    app.press(&['w']);
    app.wait("why", "document.querySelector('[data-testid=why-parts]')", 10);
    app.press(&[key::SPACE]);
    app.find("[data-testid=preview]");
    focus_is(&app, "the result, still", &nth(0));
    app.press(&[key::ESC]);
    app.wait("no preview", "!document.querySelector('[data-testid=preview]')", 10);
    focus_is(&app, "the result, still", &nth(0));
    app.press(&[key::ENTER]);
    focus_is(&app, "the viewer", "!!e.closest('#viewer')");
    app.press(&[key::ESC]);
    app.wait("no viewer", "!document.querySelector('.pane')", 10);
    focus_is(&app, "the result that was open", &nth(0));
    app.press(&[key::UP]);
    focus_is(&app, "the question", "e.id === 'search'");
}

#[test]
fn files_are_walked_removed_and_brought_back() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    app.press(&[key::CTRL, '2']);
    app.wait("the files", "document.querySelectorAll('[data-testid=library-item]').length === 11", 20);
    focus_is(&app, "the page", "e.id === 'main'");
    app.press(&[key::DOWN]);
    focus_is(&app, "a file, from the page", "e.dataset.testid === 'library-item'");
    app.press(&['/']);
    app.type_keys("txt");
    app.wait("two files", "document.querySelectorAll('[data-testid=library-item]').length === 2", 20);
    app.press(&[key::DOWN]);
    focus_is(&app, "a file, from the filter", "e.dataset.testid === 'library-item'");
    app.press(&['/']);
    app.press(&[key::BACKSPACE]);
    app.wait("the files", "document.querySelectorAll('[data-testid=library-item]').length === 11", 20);
    for _ in 0..6 {
        app.press(&[key::F6]);
        if app.value("document.activeElement.dataset.testid === 'library-item'") == json!(true) {
            break;
        }
    }
    focus_is(&app, "the first file", "e.closest('[data-index]')?.dataset.index === '0'");
    app.press(&[key::RIGHT]);
    focus_is(&app, "the second file", "e.closest('[data-index]')?.dataset.index === '1'");
    the_ring_is_seen(&app);
    app.press(&[key::DELETE]);
    app.wait("one file less", "document.querySelector('.page-head [role=status]').innerText === '10 files'", 10);
    app.press(&[key::CTRL, 'z']);
    app.wait("all files", "document.querySelector('.page-head [role=status]').innerText === '11 files'", 10);
    focus_is(&app, "a file", "e.dataset.testid === 'library-item'");
    app.press(&[key::ENTER]);
    app.wait("the file's page", "document.querySelector('[data-testid=item]')", 10);
}

/// What has the focus has a ring of 2 px in the accent, or stands in a box that has it.
fn the_ring_is_seen(app: &App) {
    let ring = app.value(
        "(e => {
            const accent = getComputedStyle(document.documentElement).getPropertyValue('--accent').trim();
            const probe = document.body.appendChild(document.createElement('i'));
            probe.style.color = accent;
            const wanted = getComputedStyle(probe).color;
            probe.remove();
            const box = e.closest('.search, .palette-field') || e;
            const style = getComputedStyle(box);
            const outlined = style.outlineStyle !== 'none' && style.outlineColor === wanted
               && (parseFloat(style.outlineWidth) >= 2 || (box !== e && style.borderTopColor === wanted));
            const shadowed = box !== e && style.boxShadow.includes(wanted);
            // Boxes on a page have the accent of the light theme: a page is white in both.
            const onPage = !!e.closest('.page') && parseFloat(style.outlineWidth) >= 2;
            return outlined || shadowed || onPage || (e.outerHTML.slice(0, 200) + ' ' + style.outline);
        })(document.activeElement)",
    );
    assert_eq!(ring, json!(true), "the focus is not seen");
}

#[test]
fn tab_reaches_every_control_with_a_ring() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    for theme in crate::app::THEMES {
        app.theme(theme);
        for (name, address) in crate::app::PAGES {
            app.go(address);
            walk(&app, name);
        }
    }
}

/// Goes round with Tab: every stop is seen, and none of what can be clicked is left out.
///
/// Between the last control and the first, the focus is on the page as a whole: that is no stop. The round ends
/// where a stop comes again.
fn walk(app: &App, page: &str) {
    app.run("document.activeElement?.blur(); window.__stops = new Set(); window.__stop = null;", json!([]));
    for _ in 0..120 {
        app.press(&[key::TAB]);
        let stop = app.value(
            "(e => {
                if (e === document.body) return 'page';
                // In a day, Tab goes on to its month and its year.
                if (e === window.__stop && e.type === 'date') return 'page';
                window.__stop = e;
                if (window.__stops.has(e)) return 'again';
                window.__stops.add(e);
                return 'new';
            })(document.activeElement)",
        );
        match stop.as_str() {
            Some("new") => the_ring_is_seen(app),
            Some("page") => {}
            _ => break,
        }
    }
    let missed = app.value(
        "[...document.querySelectorAll('button, a[href], input, select, textarea')]
            .filter(e => e.checkVisibility() && !e.disabled && e.tabIndex >= 0 && !window.__stops.has(e))
            // Of a group of radio buttons, Tab reaches the chosen one, and arrows the rest.
            .filter(e => e.type !== 'radio' || e.checked)
            .map(e => e.outerHTML.slice(0, 120))",
    );
    assert_eq!(missed, json!([]), "{page}: Tab does not reach these");
}
