//! The viewer of pages: all of them below each other, a few of them loaded, the citation in the middle.

use crate::app::App;
use crate::browser::key;
use crate::samples::shared;
use crate::scenes::artifact;
use serde_json::json;

const NUMBER: &str = "document.querySelector('[data-testid=page-number]')?.value";
const LOADED: &str = "[...document.querySelectorAll('[data-testid=page]')].map(p => +p.dataset.page)";

/// A PDF of so many pages, each with words of its own.
fn pages(count: usize) -> Vec<u8> {
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!(
            "<< /Type /Pages /Count {count} /Kids [{}] >>",
            (0..count).map(|n| format!("{} 0 R", 4 + 2 * n)).collect::<Vec<_>>().join(" ")
        ),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    for number in 1..=count {
        let words = format!(
            "BT /F1 9 Tf 72 {} Td (Shelf {number} holds the jar of {}.) Tj ET",
            700 - 5 * number,
            JARS[number % 5]
        );
        let content = objects.len() + 2;
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {content} 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{words}\nendstream", words.len()));
    }
    let mut file = "%PDF-1.4\n".to_owned();
    let mut places = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", at + 1));
    }
    let table = file.len();
    file.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    for place in places {
        file.push_str(&format!("{place:010} 00000 n \n"));
    }
    file.push_str(&format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1));
    file.into_bytes()
}

/// What the shelves hold.
const JARS: [&str; 5] = ["plums", "nails", "buttons", "quinces", "candles"];

fn at_page(app: &App, number: u32) {
    app.wait(&format!("page {number}"), &format!("{NUMBER} === '{number}'"), 10);
}

#[test]
fn pages_lie_below_each_other_and_only_those_in_sight_are_loaded() {
    let Some(app) = App::start() else { return };
    let file = app.file("in/shelves.pdf", &pages(40));
    app.ingest("default", &[file]);
    app.ask("What does shelf 23 hold?");
    app.run(
        "window.__pulses = 0; addEventListener('animationstart', e => window.__pulses += e.animationName === 'pulse');",
        json!([]),
    );
    app.click("[data-testid=result] [data-testid=citation]");
    app.wait("the highlight", "document.querySelector('.pane [data-testid=highlight]')", 10);
    let cited = app.value("+document.querySelector('.pane [data-testid=page]:has(.cited)').dataset.page");
    at_page(&app, u32::try_from(cited.as_u64().expect("a page")).expect("a small number"));
    app.wait("one pulse", "window.__pulses === 1", 10);
    app.wait_settled();
    let looks = app.value(
        "(() => {
            const pane = document.querySelector('.pane .viewer-body').getBoundingClientRect();
            const box = document.querySelector('.pane .cited .edge').getBoundingClientRect();
            return [box.height, Math.abs((box.top + box.bottom) / 2 - (pane.top + pane.bottom) / 2), box.left - pane.left];
        })()",
    );
    let number = |at: usize| looks[at].as_f64().expect("a number");
    assert!(number(0) >= 13.5, "the cited text is {} px high", number(0));
    assert!(number(1) < 40.0, "it is {} px from the middle", number(1));
    assert!(number(2) >= 0.0, "it begins {} px from the pane's edge", number(2));
    few_are_loaded(&app);
    let first = cited.as_u64().expect("a page") as u32;
    app.run("document.querySelector('.pane .viewer-body').focus();", json!([]));
    app.press(&[key::PAGE_DOWN]);
    at_page(&app, first + 1);
    app.press(&[key::PAGE_UP]);
    app.press(&[key::PAGE_UP]);
    at_page(&app, first - 1);
    app.run(
        "const body = document.querySelector('.pane .viewer-body'); body.scrollTop = body.scrollHeight;",
        json!([]),
    );
    at_page(&app, 40);
    few_are_loaded(&app);
    app.wait("its neighbours alone", &format!("Math.min(...{LOADED}) >= 37"), 10);
    app.press(&[key::F3]);
    at_page(&app, first);
    app.wait("a second pulse, for the step", "window.__pulses === 2", 10);
    beyond_the_edge(&app);
}

fn few_are_loaded(app: &App) {
    let loaded = app.wait("pages", &format!("{LOADED}.length && {LOADED}"), 10);
    let loaded = loaded.as_array().expect("a list").len();
    assert!((1..=6).contains(&loaded), "{loaded} pages of 40 are loaded");
}

/// What a page is wider than the pane can be scrolled to.
fn beyond_the_edge(app: &App) {
    for _ in 0..4 {
        app.press(&['+']);
    }
    let reached = app.wait(
        "a page wider than the pane",
        "(() => {
            const body = document.querySelector('.pane .viewer-body');
            const page = document.querySelector('.pane [data-testid=page]');
            if (page.getBoundingClientRect().width <= body.clientWidth) return false;
            body.scrollLeft = body.scrollWidth;
            const right = page.getBoundingClientRect().right, edge = body.getBoundingClientRect().right;
            body.scrollLeft = 0;
            const left = page.getBoundingClientRect().left - body.getBoundingClientRect().left;
            return [right - edge, left];
        })()",
        10,
    );
    assert!(reached[0].as_f64() <= Some(0.5) && reached[1].as_f64() >= Some(0.0), "{reached}");
}

#[test]
fn a_page_that_needs_a_password_says_so_on_the_page() {
    let Some(locked) = shared("pdf/libreoffice-writer-password.pdf") else { return };
    let Some(app) = App::start() else { return };
    app.call("memory_ingest", json!({ "paths": [locked], "space": "default" }));
    app.wait_until_read();
    app.go(&format!("/library/{}", artifact(&app, "libreoffice-writer-password.pdf")));
    let says = "document.querySelector('.sheet .empty')?.innerText.includes('needs its password.')";
    app.wait("why there is no page", says, 20);
}

/// Files that would do something if a browser opened them: each sets `window.owned`, or asks another machine.
const HOSTILE: &[(&str, &str)] = &[
    (
        "card.html",
        "<html><head><script>window.owned = 'script'</script><meta http-equiv='refresh' content='0;url=/settings'></head>
         <body onload=\"window.owned = 'load'\"><p>The heron nests in March.</p><img src='x' onerror=\"window.owned = 'image'\">
         <iframe srcdoc=\"<script>parent.owned = 'frame'</script>\"></iframe><a href=\"javascript:window.owned='link'\">Go</a>
         <form action='http://198.51.100.7/'><input autofocus onfocus=\"window.owned = 'focus'\"></form></body></html>",
    ),
    (
        "crest.svg",
        "<svg xmlns='http://www.w3.org/2000/svg' width='80' height='40' onload=\"window.owned = 'svg'\">
         <script>window.owned = 'svg script'</script><text y='20'>The heron crest</text>
         <foreignObject><body xmlns='http://www.w3.org/1999/xhtml'><img src='x' onerror=\"window.owned = 'foreign'\"/></body></foreignObject>
         <image href='http://198.51.100.7/heron.png' width='9' height='9'/></svg>",
    ),
    (
        "notes.md",
        "# The heron\n\n<img src=x onerror=\"window.owned = 'markdown'\">\n\n[go](javascript:window.owned='link')\n\n<script>window.owned = 'md'</script>\n",
    ),
];

#[test]
fn files_with_programs_in_them_are_shown_and_do_nothing() {
    let Some(app) = App::start() else { return };
    let files: Vec<_> = HOSTILE.iter().map(|(name, content)| app.file(name, content.as_bytes())).collect();
    app.ingest("default", &files);
    for (name, _) in HOSTILE {
        app.go(&format!("/library/{}", artifact(&app, name)));
        app.wait("the file's name", &format!("document.querySelector('h1')?.textContent === {name:?}"), 10);
        app.wait("what is about it", "document.querySelector('.facts')", 10);
        app.wait_settled();
        let did = app.value("[window.owned ?? null, location.pathname.startsWith('/library/')]");
        assert_eq!(did, json!([null, true]), "{name}");
        let inside = "document.querySelectorAll('#main :is(script, iframe, object, embed, form[action], foreignObject, \
            [onload], [onerror], [onfocus], a[href^=\"javascript:\" i], img[src^=\"http\" i], image[href^=\"http\" i])').length";
        assert_eq!(app.value(inside), json!(0), "{name}");
        let asked =
            "performance.getEntriesByType('resource').map(e => e.name).filter(name => name.includes('198.51.100.7'))";
        assert_eq!(app.value(asked), json!([]), "{name}");
    }
    app.ask("Where does the heron nest?");
    app.find("[data-testid=result]");
    assert_eq!(app.value("window.owned ?? null"), json!(null));
}
