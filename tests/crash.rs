//! The service is killed at random moments while 200 files come in. What was acknowledged is there in the
//! end, whole and once.
//!
//! UM_CRASH_KILLS says how often it is killed (6 where nothing is said), UM_CRASH_SEED when.
#![cfg(unix)]

mod support;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use support::{Dice, Place, check_doctor, runtime, umem, words};

const FILES: usize = 200;
const PICTURES: usize = 20;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Texts of three kinds, and pictures for which the recogniser has to be started.
fn make_files(place: &Place, dice: &mut Dice) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for at in 0..FILES {
        let line = |n: u64| format!("File {at} tells of the lighthouse keeper {n} and his boat number {}.", n * 7);
        let body: Vec<String> = (0..1 + dice.below(12)).map(line).collect();
        let (name, bytes) = match at {
            at if at < PICTURES => (format!("{at}.bmp"), bitmap(at as u8)),
            at if at % 3 == 0 => (format!("{at}.txt"), body.join("\n").into_bytes()),
            at if at % 3 == 1 => (format!("{at}.md"), format!("# Title {at}\n\n{}\n", body.join("\n\n")).into_bytes()),
            _ => (
                format!("{at}.html"),
                format!("<html><body><p>{}</p></body></html>", body.join("</p><p>")).into_bytes(),
            ),
        };
        let path = place.files().join(name);
        std::fs::write(&path, bytes).expect("a file is written");
        files.push(path);
    }
    files
}

/// A small picture with bars on it, as an uncompressed bitmap: no two are the same.
fn bitmap(shade: u8) -> Vec<u8> {
    let (width, height) = (96u32, 48u32);
    let size = width * height * 3;
    let mut bytes = b"BM".to_vec();
    bytes.extend((54 + size).to_le_bytes());
    bytes.extend([0; 4]);
    for value in [54, 40, width, height, 1 | 24 << 16, 0, size, 2835, 2835, 0, 0] {
        bytes.extend(value.to_le_bytes());
    }
    for at in 0..width * height {
        let bar = (at % width / 8) % 2 == 0 && (at / width) > 10;
        bytes.extend([if bar { shade } else { 255 }; 3]);
    }
    bytes
}

/// Brings files in; kills the service in the midst of it where `kill_after` says when. Gives whether all
/// was acknowledged.
fn ingest(place: &Place, files: &[PathBuf], kill_after: Option<Duration>) -> bool {
    let mut command = place.command(&["ingest", "--space", "default", "--json"]);
    command.args(files).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("umem starts");
    let (ended, end) = mpsc::channel();
    std::thread::spawn(move || drop(ended.send(child.wait_with_output())));
    let mut output = None;
    if let Some(moment) = kill_after {
        output = end.recv_timeout(moment).ok();
        kill_service(place);
    }
    let output = output.unwrap_or_else(|| end.recv().expect("it ends")).expect("its output is read");
    if !output.status.success() {
        return false;
    }
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let kept = answer["files"].as_array().expect("files");
    assert!(kept.len() == files.len() && kept.iter().all(|f| f["artifact_id"].is_string()), "{}", words(&output));
    true
}

/// Ends the serving process as a power cut would.
fn kill_service(place: &Place) {
    let runtime = runtime();
    let pid = runtime.block_on(async {
        let mut connection = um_server::client::Connection::open(&place.data()).await.ok()?;
        Some(connection.ping().await.ok()?.pid)
    });
    let Some(pid) = pid else { return };
    let killed = Command::new("kill").args(["-9", &pid.to_string()]).status().expect("kill starts");
    assert!(killed.success(), "the service {pid} was there a moment ago");
}

#[test]
fn a_kill_at_any_moment_loses_nothing_and_doubles_nothing() {
    let Some(umem) = umem() else { return };
    let begun = Instant::now();
    let (kills, seed) = (number("UM_CRASH_KILLS", 6), number("UM_CRASH_SEED", 42));
    let mut dice = Dice::new(seed);
    let place = Place::new(umem);
    let files = make_files(&place, &mut dice);
    assert!(place.run(&["status"]).status.success());

    let mut done = 0;
    let portions: Vec<&[PathBuf]> = files.chunks(FILES.div_ceil(kills as usize).max(1)).collect();
    let mut portions = portions.into_iter();
    let mut unacknowledged: Vec<PathBuf> = Vec::new();
    while done < kills {
        unacknowledged.extend(portions.next().unwrap_or_default().iter().cloned());
        // Whatever was acknowledged goes in again now and then: it must not come in twice.
        let again = files[..FILES - portions.len().min(FILES)].iter().take(dice.below(4) as usize);
        let batch: Vec<PathBuf> = unacknowledged.iter().chain(again).cloned().collect();
        // Half of them while files come in, half while they are read and embedded.
        let moment = Duration::from_millis(if dice.below(2) == 0 { dice.below(150) } else { dice.below(900) });
        if ingest(&place, &batch, Some(moment)) {
            unacknowledged.clear();
        }
        done += 1;
        println!("kill {done} after {moment:?}: {} files not acknowledged", unacknowledged.len());
        assert!(place.run(&["status"]).status.success(), "it starts again");
    }
    unacknowledged.extend(portions.flatten().cloned());
    if !unacknowledged.is_empty() {
        assert!(ingest(&place, &unacknowledged, None));
    }
    assert!(place.run(&["jobs", "--wait"]).status.success());
    check_whole(&place);
    check_doctor(&place);
    println!("{kills} kills, seed {seed}: {FILES} files whole and once, in {:.1?}", begun.elapsed());
}

fn check_whole(place: &Place) {
    let db = place.db();
    // Embedding waits where its model is not installed; nothing else may.
    let mut statement = db
        .prepare(
            "SELECT j.kind || ' ' || j.status || ' ' || j.attempts || ' ' || ifnull(a.original_filename, '') || ' '
               || ifnull(j.last_error, '') || ' ' || j.payload
             FROM jobs j LEFT JOIN artifacts a ON a.id = j.subject_id
             WHERE j.status <> 'completed' AND NOT (j.kind = 'embed' AND j.status = 'waiting_for_model')",
        )
        .expect("it is SQL");
    let left: Vec<String> = statement.query_map([], |row| row.get(0)).and_then(Iterator::collect).expect("jobs");
    assert!(left.is_empty(), "{left:#?}");
    for (what, sql) in [
        ("files", "SELECT count(*) FROM artifacts"),
        ("memories", "SELECT count(*) FROM memories WHERE status = 'active'"),
        ("names", "SELECT count(DISTINCT original_filename) FROM artifacts"),
        ("read files", "SELECT count(DISTINCT artifact_id) FROM derived_text_views WHERE status = 'active'"),
        ("views", "SELECT count(*) FROM derived_text_views"),
    ] {
        assert_eq!(place.count(sql), FILES as i64, "{what}");
    }
    for (what, sql) in [
        ("bytes kept twice", "SELECT count(*) - count(DISTINCT space_id || content_hash) FROM artifacts"),
        ("memories of one file", "SELECT count(*) - count(DISTINCT primary_artifact_id) FROM memories"),
        (
            "passages kept twice",
            "SELECT count(*) FROM (SELECT 1 FROM text_units WHERE status = 'active'
             GROUP BY text_view_id, memory_id, start_offset, end_offset HAVING count(*) > 1)",
        ),
        (
            "texts without a passage",
            "SELECT count(*) FROM derived_text_views v WHERE trim(text) <> ''
             AND NOT EXISTS (SELECT 1 FROM text_units u WHERE u.text_view_id = v.id AND u.status = 'active')",
        ),
        (
            "passages without a vector",
            "SELECT CASE WHEN EXISTS (SELECT 1 FROM jobs WHERE status = 'waiting_for_model') THEN 0 ELSE
               (SELECT count(*) FROM text_units u WHERE u.status = 'active'
                AND NOT EXISTS (SELECT 1 FROM memory_embeddings e WHERE e.unit_id = u.id)) END",
        ),
        (
            "vectors kept twice",
            "SELECT count(*) - count(DISTINCT unit_id || model_id) FROM memory_embeddings WHERE unit_id IS NOT NULL",
        ),
    ] {
        assert_eq!(place.count(sql), 0, "{what}");
    }
}
