//! The page of one file: its name once, its readers by what they do, what it says, its versions, its keys.

use crate::app::App;
use crate::browser::key;
use crate::samples::{folder, sample};
use crate::scenes::artifact;
use serde_json::json;

fn open(app: &App, name: &str) {
    app.go(&format!("/library/{}", artifact(app, name)));
    app.wait("the file's name", &format!("document.querySelector('h1')?.textContent === {name:?}"), 10);
    app.wait("what is about it", "document.querySelector('.facts')", 10);
}

#[test]
fn a_file_is_told_in_plain_words() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[folder()]);
    open(&app, "train-ticket.png");
    app.wait_settled();
    let words = app.words();
    assert_eq!(words.matches("train-ticket.png").count(), 1, "its name stands there once: {words}");
    assert!(words.contains("Text recognition (Tesseract"), "{words}");
    open(&app, "insurance.pdf");
    let words = app.words();
    assert!(words.contains("The words that the PDF holds") && words.contains("p. 1-2"), "{words}");
    for jargon in ["pdfium", "umem", "config", "sha"] {
        assert!(!words.to_lowercase().contains(jargon), "{jargon}: {words}");
    }
}

#[test]
fn what_a_file_says_leads_to_its_words() {
    let Some(app) = App::start() else { return };
    let file = app.file("in/team.txt", b"Dana Moss works at Orbis since 2021.\n\n#staff #halden\n");
    app.ingest("default", &[file]);
    crate::beliefs::entity(&app, "Dana Moss");
    open(&app, "team.txt");
    let says = "document.querySelector('[data-testid=item-claim]')?.innerText.replace(/\\s+/g, ' ')";
    app.wait("the claim", &format!("{says}?.includes('Dana Moss works at Orbis (since 2021)')"), 20);
    app.wait(
        "its tags",
        "[...document.querySelectorAll('[data-testid=tag]')].map(e => e.innerText).join() === 'halden,staff'",
        10,
    );
    app.click("[data-testid=item-claim] [data-testid=citation]");
    let marked =
        "[...document.querySelectorAll('.pane mark.cited')].map(e => e.textContent).join('').includes('Orbis')";
    app.wait("the marked words", marked, 10);
}

#[test]
fn versions_are_walked_by_the_arrows_and_opened_by_enter() {
    let Some(app) = App::start() else { return };
    let file = app.file("in/plan.txt", b"The shed is green.\n");
    app.ingest("default", std::slice::from_ref(&file));
    app.file("in/plan.txt", b"The shed is white.\n");
    app.ingest("default", &[file]);
    open(&app, "plan.txt");
    app.find("[data-testid=versions] a");
    let here = app.value("location.pathname");
    app.run("document.querySelector('.item-side').focus();", json!([]));
    for _ in 0..8 {
        app.press(&[key::DOWN]);
        if app.value("!!document.activeElement.closest('[data-testid=versions]')") == json!(true) {
            break;
        }
    }
    app.press(&[key::ENTER]);
    app.wait("the older version", &format!("location.pathname !== {here}"), 10);
    let words = "document.querySelector('.viewer-body')?.innerText.includes('The shed is green.')";
    app.wait("its words", words, 10);
}

#[test]
fn keys_read_again_remove_and_restore() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[sample("costs.csv")]);
    open(&app, "costs.csv");
    app.run("document.getElementById('main').focus();", json!([]));
    app.press(&['r']);
    let said = |words: &str| {
        let all = "[...document.querySelectorAll('[data-testid=toast]')].map(t => t.innerText).join(' ')";
        app.wait(words, &format!("{all}.includes({words:?})"), 10);
    };
    said("costs.csv is read again.");
    app.wait_until_read();
    app.press(&[key::DELETE]);
    said("costs.csv was removed.");
    app.find("[data-testid=item-restore]");
    app.press(&['r']);
    said("costs.csv is back.");
    app.wait("no word of removal", "!document.querySelector('[data-testid=item-restore]')", 10);
}

#[test]
fn a_file_is_put_out_of_the_way_and_brought_back() {
    let Some(app) = App::start() else { return };
    let file = app.file("in/quay.txt", b"The quay is wet.\n\n#harbour\n");
    app.ingest("default", &[file]);
    let is_found = || {
        let answer = app.call("memory_recall", json!({ "query": "quay", "space": "default" }));
        answer["hits"].as_array().is_some_and(|hits| !hits.is_empty())
    };
    assert!(is_found());
    open(&app, "quay.txt");
    app.wait("its memory", "document.querySelector('[data-testid=tag]')", 10);
    let choose = |words: &str| {
        app.click("[aria-label=More]");
        app.click_words("[role=menuitem]", words);
    };
    choose("Put out of the way");
    let away = "document.querySelector('[data-testid=out-of-the-way]')";
    app.wait("that it is", &format!("{away}?.innerText.includes('tier:cold')"), 10);
    assert!(!is_found());
    app.click("[data-testid=bring-back]");
    app.wait("that it is back", &format!("!{away}"), 10);
    assert!(is_found());
    app.press(&[key::CTRL, 'z']);
    app.wait("that it is out of the way again", away, 10);
    choose("Bring it back");
    app.wait("that it is back again", &format!("!{away}"), 10);
}

#[test]
fn a_note_is_kept_for_good_and_put_out_of_the_way() {
    let Some(app) = App::start() else { return };
    let later = app.value("Date.now() + 40 * 864e5").as_f64().expect("a time") as i64;
    let note = json!({ "text": "The neighbour has a spare key.", "space": "default", "expires_at": later });
    let id = app.call("memory_remember", note)["memory"]["id"].clone();
    app.wait_until_read();
    app.ask("Who has a spare key?");
    app.click("[data-testid=result] [data-testid=citation]");
    let until = "document.querySelector('#viewer [data-testid=in-use-until]')";
    app.wait("until when", &format!("{until}?.innerText.startsWith('In use until ')"), 10);
    app.click("#viewer [data-testid=keep-for-good]");
    app.wait("no end", &format!("!{until}"), 10);
    app.press(&[key::CTRL, 'z']);
    app.wait("its end again", &format!("{until}?.innerText.startsWith('In use until ')"), 10);
    let kept = app.call("memory_get", json!({ "id": id }));
    assert_eq!(kept["expires_at"], json!(later), "the same end: {kept}");
    app.click("#viewer [data-testid=keep-for-good]");
    app.wait("no end any more", &format!("!{until}"), 10);
    app.click("#viewer [data-testid=note-away]");
    app.wait("that it is out of the way", "document.querySelector('#viewer [data-testid=out-of-the-way]')", 10);
    app.wait("an answer without it", "!document.querySelector('[data-testid=result]')", 10);
    app.click("#viewer [data-testid=bring-back]");
    app.wait("that it is back", "document.querySelector('#viewer [data-testid=note-away]')", 10);
    app.wait("an answer with it", "document.querySelector('[data-testid=result]')", 10);
    app.press(&[key::CTRL, 'z']);
    app.wait("an answer without it again", "!document.querySelector('[data-testid=result]')", 10);
}

#[test]
fn what_changes_a_note_hands_the_focus_on() {
    let Some(app) = App::start() else { return };
    let later = app.value("Date.now() + 40 * 864e5").as_f64().expect("a time") as i64;
    let note = json!({ "text": "The neighbour has a spare key.", "space": "default", "expires_at": later });
    app.call("memory_remember", note);
    app.wait_until_read();
    app.ask("Who has a spare key?");
    app.click("[data-testid=result] [data-testid=citation]");
    let press = |button: &str| {
        let selector = format!("#viewer [data-testid={button}]");
        app.find(&selector);
        app.run("document.querySelector(arguments[0]).focus();", json!([selector]));
        app.press(&[key::ENTER]);
    };
    let focused = |what: &str, name: &str| app.wait(what, &format!("document.activeElement.{name}"), 10);
    press("note-away");
    focused("the way back", "dataset.testid === 'bring-back'");
    press("bring-back");
    focused("the way there", "dataset.testid === 'note-away'");
    press("keep-for-good");
    app.wait("no end", "!document.querySelector('[data-testid=in-use-until]')", 10);
    focused("the viewer", "id === 'viewer'");
}

#[test]
fn the_end_of_a_note_is_told_with_its_time_unless_it_is_that_of_a_day() {
    let Some(app) = App::start() else { return };
    let midnight = "(d => new Date(d.getFullYear(), d.getMonth(), d.getDate() + 40).getTime())(new Date())";
    let midnight = app.value(midnight).as_f64().expect("a time") as i64;
    let texts = ["The ferry leaves at nine.", "The cellar is damp.", "The mill is closed."];
    for (text, (after, time)) in texts.into_iter().zip([(0, ""), (-1, ""), (90 * 60_000, ", 01:30")]) {
        let note = json!({ "text": text, "space": "default", "expires_at": midnight + after });
        app.call("memory_remember", note);
        app.wait_until_read();
        app.ask(text);
        app.click_words("[data-testid=result] [data-testid=citation]", text);
        let until = "document.querySelector('#viewer [data-testid=in-use-until]')?.innerText";
        let told = format!("/^In use until \\d+ \\p{{L}}+( \\d{{4}})?{time}: it goes/u.test({until})");
        app.wait(text, &told, 10);
    }
}

#[test]
fn the_foot_of_a_narrow_viewer_holds_its_buttons() {
    let Some(app) = App::start() else { return };
    let note = json!({ "text": "The neighbour has a spare key.", "space": "default" });
    let id = app.call("memory_remember", note)["memory"]["id"].clone();
    app.call("memory_pin", json!({ "id": id, "pinned": true }));
    app.wait_until_read();
    app.ask("Who has a spare key?");
    app.click("[data-testid=result] [data-testid=citation]");
    app.wait("its words", "document.querySelector('.viewer-foot')?.innerText.includes('Every agent')", 10);
    app.find("#viewer [data-testid=note-away]");
    let outside = app.run(
        "const foot = document.querySelector('.viewer-foot');
         foot.style.width = '250px';
         const box = foot.getBoundingClientRect();
         const outside = [...foot.children].filter(child => {
            const own = child.getBoundingClientRect();
            return own.left < box.left || own.right > box.right || own.top < box.top || own.bottom > box.bottom
               || child.scrollWidth > child.clientWidth + 1;
         });
         return outside.map(child => child.outerHTML);",
        json!([]),
    );
    assert_eq!(outside, json!([]), "what does not fit");
}

#[test]
fn a_file_that_waits_for_a_program_names_it_and_the_way_out() {
    let Some(app) = App::start() else { return };
    // A language that nobody has.
    app.call("settings_set", json!({ "ocr_languages": "tlh" }));
    app.ingest("default", &[sample("train-ticket.png")]);
    let waits = "Waiting for a language of Tesseract (tlh)";
    let state = "document.querySelector('[data-testid=library-item] .state')";
    app.go("/library");
    app.wait("its state in the library", &format!("{state}?.innerText.trim() === {waits:?}"), 10);
    let title = app.value(&format!("{state}.title"));
    assert!(title.as_str().is_some_and(|title| title.contains("Install it with")), "{title}");
    app.go("/activity");
    let of_job = format!("document.querySelector('[data-testid=job-row] .job-state')?.title === {waits:?}");
    app.wait("its state in the activity", &of_job, 10);
    open(&app, "train-ticket.png");
    app.wait("what is to be typed", "document.querySelector('[data-testid=item-state] code')", 10);
    let notice = app.value("document.querySelector('[data-testid=item-state]').innerText");
    let notice = notice.as_str().expect("words");
    assert!(notice.starts_with(&format!("{waits}. Install it with sudo apt-get install")), "{notice}");
    assert!(!notice.contains("model"), "{notice}");
    app.call("settings_set", json!({ "ocr_languages": "eng" }));
    app.click("[data-testid=item-look]");
    app.wait("nothing to wait for", "!document.querySelector('[data-testid=item-state]')", 60);
}

#[test]
fn a_moved_file_says_where_it_was() {
    let Some(app) = App::start() else { return };
    let before = app.file("in/lease.txt", b"The rent is due on the first.\n");
    let watched = before.parent().expect("a folder").to_owned();
    app.call("watch_add", json!({ "path": watched, "space": "default" }));
    app.go("/library");
    app.wait("the file", "document.querySelector('[data-testid=library-item]')", 30);
    app.wait_until_read();
    open(&app, "lease.txt");
    assert_eq!(app.value("document.querySelector('[data-testid=was-at]')"), json!(null));
    let after = watched.join("flat/lease.txt");
    std::fs::create_dir(after.parent().expect("a folder")).expect("a folder");
    std::fs::rename(&before, &after).expect("the file can be moved");
    let was = app.wait("where it was", "document.querySelector('[data-testid=was-at]')?.innerText", 60);
    assert_eq!(was, json!(watched));
}

/// Lets the window see a long embedding between two of its turns.
fn as_if_embedding(app: &App) {
    app.run(
        "const core = window.__TAURI__.core;
         const note = 'embedded 320 of 7,444';
         const invoke = async (name, given, options) => {
            const answer = await core.invoke(name, given, options);
            if (given?.name === 'artifact_get') answer.embedding = { state: 'embedding', note };
            if (given?.name === 'jobs_status') {
                const job = answer.jobs.find(job => job.kind === 'embed') ?? answer.jobs[0];
                if (job) Object.assign(job, { kind: 'embed', status: 'pending', progress: 0.04, progress_note: note, error: null });
            }
            return answer;
         };
         window.__TAURI__.core = { ...core, invoke };",
        json!([]),
    );
}

#[test]
fn a_long_embedding_says_how_far_it_is() {
    let Some(app) = App::start() else { return };
    app.ingest("default", &[sample("costs.csv")]);
    as_if_embedding(&app);
    open(&app, "costs.csv");
    let so_far = "320 of 7,444 passages by their meaning";
    app.wait(
        "it on the page of the file",
        &format!("document.querySelector('.facts').innerText.includes({so_far:?})"),
        10,
    );
    app.go("/activity");
    app.click_words(".filters .button", "All");
    let row = "[...document.querySelectorAll('[data-testid=job-row]')]";
    let told = format!("{row}.some(e => e.innerText.includes('Indexing 4 %') && e.innerText.includes({so_far:?}))");
    app.wait("it in the activity", &told, 10);
}
