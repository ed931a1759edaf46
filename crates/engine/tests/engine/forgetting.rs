//! Forgetting: what is named goes with all that derives from it, from every byte of the data folder, and the rest stays.

use crate::support::inputs::{self, Page};
use crate::support::{MODEL, Rig, SPACE};
use std::path::Path;
use um_engine::provider::Cancel;
use um_engine::{AGENT, Caller, Handle};
use um_model::capture::*;
use um_model::claims::*;
use um_model::forget::*;
use um_model::{AgentId, ApiError, ErrorCode};

fn preview(rig: &Rig, what: &ForgetWhat) -> Result<ForgetPlan, ApiError> {
    rig.run(ForgetPreview { what: what.clone() })
}

#[track_caller]
fn forget(rig: &Rig, what: ForgetWhat) -> ForgetReport {
    let plan = preview(rig, &what).unwrap();
    let report = rig.run(ForgetExecute { what, token: plan.token }).unwrap();
    assert_eq!((report.status.as_str(), report.proof.left), ("done", 0), "{report:?}");
    report
}

fn query(words: &str) -> ForgetWhat {
    ForgetWhat { query: Some(words.to_owned()), ..ForgetWhat::default() }
}

/// How often a word stands in the files below a folder, as UTF-8 or UTF-16, whatever its case.
pub fn traces(folder: &Path, word: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    let wide: Vec<u8> = word.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let patterns =
        aho_corasick::AhoCorasick::builder().ascii_case_insensitive(true).build([word.as_bytes(), &wide]).unwrap();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                open.push(entry.path());
                continue;
            }
            let bytes = std::fs::read(entry.path()).unwrap();
            for hit in patterns.find_iter(&bytes) {
                let around = &bytes[hit.start().saturating_sub(60)..(hit.end() + 60).min(bytes.len())];
                found.push(format!(
                    "{} at {}: {:?}",
                    entry.path().display(),
                    hit.start(),
                    String::from_utf8_lossy(around)
                ));
            }
            if entry.file_name().to_string_lossy().to_lowercase().contains(word) {
                found.push(format!("the name of {}", entry.path().display()));
            }
        }
    }
    found
}

/// Gives out words that stand nowhere else: all begin alike, so that one search finds any.
struct Markers(u32);

const STEM: &str = "zorvex";

impl Markers {
    fn next(&mut self) -> String {
        self.0 += 1;
        format!("{STEM}{:03}q", self.0)
    }
}

/// An agent, whatever it may do.
pub fn agent() -> Caller {
    let actor = AgentId::parse("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1c").unwrap();
    Caller { actor, purpose: Some(AGENT.to_owned()), ..Caller::owner("test") }
}

fn fact(subject: &str, predicate: &str, object: &str) -> FactInput {
    FactInput {
        subject: subject.to_owned(),
        predicate: predicate.to_owned(),
        object: object.to_owned(),
        ..FactInput::default()
    }
}

fn run<R: Handle>(rig: &Rig, request: R) -> R::Response {
    rig.run(request).unwrap()
}

/// Plants markers in everything that the product keeps by itself.
fn plant(rig: &Rig, space: &str, m: &mut Markers) {
    for _ in 0..16 {
        let request = MemoryRemember {
            text: format!("The {} of {} was told on Monday, in secret.", m.next(), m.next()),
            title: Some(m.next()),
            key: Some(m.next()),
            owner: Some(m.next()),
            session: Some(m.next()),
            space: space.to_owned(),
            ..MemoryRemember::default()
        };
        run(rig, request);
    }
    let docs: [(&str, Vec<u8>); 6] = [
        (
            "md",
            format!("# {}\n\nSome words on {}.\n\n## {}\n\nMore of them.", m.next(), m.next(), m.next()).into_bytes(),
        ),
        ("txt", format!("Just {} and more.", m.next()).into_bytes()),
        ("html", format!("<title>{}</title><p>A page on {}.", m.next(), m.next()).into_bytes()),
        ("png", inputs::png(&format!("a picture of {} here", m.next()))),
        (
            "pdf",
            inputs::pdf(
                None,
                &[Page::Text(format!("page on {}", m.next())), Page::Scan(format!("scan of {}", m.next()))],
            ),
        ),
        ("wav", inputs::wav(&[&format!("we talked of {} then", m.next())])),
    ];
    for (ending, bytes) in docs {
        let path = rig.file(&format!("{}/{}.{ending}", m.next(), m.next()), bytes);
        let paths = vec![path.display().to_string()];
        run(rig, MemoryIngest { paths, space: space.to_owned(), ..MemoryIngest::default() });
    }
    // Too large for the database: it lies beside it.
    let mut large = m.next().into_bytes();
    large.resize(INLINE_FILE_BYTES as usize + 5, 0xfe);
    let path = rig.file(&format!("{}.bin", m.next()), large);
    let paths = vec![path.display().to_string()];
    run(rig, MemoryIngest { paths, space: space.to_owned(), ..MemoryIngest::default() });
    for _ in 0..6 {
        let (who, place) = (m.next(), m.next());
        let mut here = fact(&who, "lives_in", &place);
        here.qualifiers = [(m.next(), m.next())].into();
        let other = fact(&who, "birth_date", "1984-05-03");
        let added = run(rig, FactsAdd { space: space.to_owned(), facts: vec![here, other] });
        rig.advance(1);
        let entity = added.facts[0].claim.subject.id.clone();
        let alias = Some(m.next());
        run(rig, EntityEdit { entity, alias, name: None, entity_type: None, remove_alias: None });
        let clash = FactsAdd { space: space.to_owned(), facts: vec![fact(&who, "birth_date", "1985-06-07")] };
        let conflict = run(rig, clash).facts.remove(0).conflicts.remove(0);
        let notes = Some(format!("because {} said so", m.next()));
        let resolution = um_model::belief::ResolutionType::ClaimAWins;
        run(rig, ConflictsResolve { conflict, resolution, notes, value: None, windows: None });
    }
}

/// Plants markers in what other parts of the product, or later ones, keep.
fn plant_rows(rig: &Rig, space: &str, m: &mut Markers) {
    let last = |table: &str| -> String {
        let sql = format!("SELECT max(id) FROM {table} WHERE space_id = ?1");
        rig.db().query_row(&sql, [space], |row| row.get(0)).unwrap()
    };
    let (memory, claim) = (last("memories"), last("claims"));
    let mut number = 0;
    let mut id = || {
        number += 1;
        format!("0190f5e2-7c1a-7d3e-9b1f-{number:012x}")
    };
    let (session, context, resource, entry, block, tag, event) = (id(), id(), id(), id(), id(), id(), id());
    let db = rig.db();
    db.pragma_update(None, "foreign_keys", "ON").unwrap();
    let mut run = |sql: &str| {
        let mut sql = sql.replace("{s}", space).replace("{a}", um_model::OWNER_AGENT).replace("{memory}", &memory);
        for (name, value) in [
            ("{session}", &session),
            ("{context}", &context),
            ("{resource}", &resource),
            ("{entry}", &entry),
            ("{block}", &block),
            ("{tag}", &tag),
            ("{event}", &event),
            ("{claim}", &claim),
        ] {
            sql = sql.replace(name, value);
        }
        while sql.contains("{id}") {
            sql = sql.replacen("{id}", &id(), 1);
        }
        while sql.contains("{m}") {
            sql = sql.replacen("{m}", &m.next(), 1);
        }
        db.execute_batch(&sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
    };
    for sql in [
        "INSERT INTO sessions (id, space_id, name, purpose, agent_id, started_at, metadata)
         VALUES ('{session}', '{s}', '{m}', 'for {m}', '{a}', 1, '{\"k\":\"{m}\"}')",
        "INSERT INTO session_states (id, space_id, session_id, actor_id, current_goal, summary, working_set, metadata, created_at, updated_at)
         VALUES ('{id}', '{s}', '{session}', '{a}', 'do {m}', '{m}', '[\"{m}\"]', '{\"k\":\"{m}\"}', 1, 1)",
        "INSERT INTO evidence_events (id, space_id, actor_id, session_id, kind, content, content_hash, metadata, occurred_at, recorded_at)
         VALUES ('{event}', '{s}', '{a}', '{session}', 'user_message', 'they said {m}', '{m}', '{\"k\":\"{m}\"}', 1, 1)",
        "INSERT INTO workspace_resources (id, space_id, actor_id, uri, parent_uri, title, kind, content, metadata, created_at, updated_at)
         VALUES ('{resource}', '{s}', '{a}', 'file:///{m}', 'file:///{m}/', '{m}', 'file', 'of {m}', '{\"k\":\"{m}\"}', 1, 1)",
        "INSERT INTO workspace_resource_versions (id, space_id, resource_id, version_num, title, content, valid_from, recorded_at, actor_id)
         VALUES ('{id}', '{s}', '{resource}', 1, '{m}', '{m}', 1, 1, '{a}')",
        "INSERT INTO entries (id, space_id, session_id, entry_type, name, category, created_at, created_by)
         VALUES ('{entry}', '{s}', '{session}', 'guideline', '{m}', 'behavior', 1, '{a}')",
        "INSERT INTO entry_versions (id, space_id, entry_id, version_num, body, change_reason, created_at)
         VALUES ('{id}', '{s}', '{entry}', 1, '{\"content\":\"{m}\"}', '{m}', 1)",
        "INSERT INTO core_blocks (id, space_id, actor_id, label, content, metadata, created_at, updated_at)
         VALUES ('{block}', '{s}', '{a}', '{m}', '{m}', '{\"k\":\"{m}\"}', 1, 1)",
        "INSERT INTO core_block_versions (id, space_id, core_block_id, version_num, content, change_reason, created_by, created_at)
         VALUES ('{id}', '{s}', '{block}', 1, '{m}', '{m}', '{a}', 1)",
        "INSERT INTO compiled_contexts (id, space_id, actor_id, query, blocks, full_text, text_hash, memory_ids, verification_warnings,
           recall_warnings, compiler_config_version, created_at)
         VALUES ('{context}', '{s}', '00000000-0000-7000-8000-00000000000a', '{m}', '[\"{m}\"]', '{m}', '{m}', '[\"{memory}\"]',
           '[\"{m}\"]', '[\"{m}\"]', '1', 1)",
        "INSERT INTO answer_traces (id, space_id, actor_id, query, compiled_context_id, recall_trace, answer, outcome, correction_text, created_at)
         VALUES ('{id}', '{s}', '00000000-0000-7000-8000-00000000000a', '{m}', '{context}', '{\"k\":\"{m}\"}', '{m}', 'success', '{m}', 1)",
        "INSERT INTO undo_log (id, space_id, actor_id, operation, object_type, object_id, before_state, after_state, created_at)
         VALUES ('{id}', '{s}', '00000000-0000-7000-8000-00000000000a', 'x', 'claims', '{claim}', '{\"was\":\"{m}\"}', '{\"is\":\"{m}\"}', 1)",
        "INSERT INTO candidates (id, space_id, actor_id, title, content, content_hash, payload, reason, source_event_id, created_at)
         VALUES ('{id}', '{s}', '00000000-0000-7000-8000-00000000000a', '{m}', '{m}', '{m}', '{\"k\":\"{m}\"}', '{m}', '{event}', 1)",
        "INSERT INTO tags (id, space_id, name, description, created_at) VALUES ('{tag}', '{s}', '{m}', '{m}', 1)",
        "INSERT INTO item_tags (id, space_id, item_type, item_id, tag_id, created_at) VALUES ('{id}', '{s}', 'memory', '{memory}', '{tag}', 1)",
        "INSERT INTO verification_records (id, space_id, target_type, target_id, status, checker, detail, checked_at, created_at)
         VALUES ('{id}', '{s}', 'memory', '{memory}', 'passed', 'drift', '{m}', 1, 1)",
        "INSERT INTO saved_searches (id, space_id, actor_id, name, query, filters, created_at, updated_at)
         VALUES ('{id}', '{s}', '{a}', '{m}', '{m}', '{\"k\":\"{m}\"}', 1, 1)",
        "INSERT INTO file_locks (id, space_id, path, agent_id, note, checked_out_at, expires_at)
         VALUES ('{id}', '{s}', '/{m}', '{a}', '{m}', 1, 9)",
        "INSERT INTO promotion_requests (id, object_type, object_id, source_space_id, target_space_id, requested_by, requested_at, notes)
         VALUES ('{id}', 'memory', '{memory}', '{s}', 'GLOBAL', '00000000-0000-7000-8000-00000000000a', 1, '{m}')",
        "UPDATE memories SET summary = '{m}', sources = '[\"{m}\"]', skill_links = '[\"{m}\"]', metadata = '{\"k\":\"{m}\"}' WHERE id = '{memory}'",
        "UPDATE jobs SET last_error = 'cannot open {m}', progress_note = '{m}' WHERE subject_id = '{memory}'",
    ] {
        run(sql);
    }
}

/// What is not to be forgotten.
fn keep(rig: &Rig) {
    rig.remember("The gardener waters the roses each Friday.");
    rig.ingest("kept.md", "# Plants\n\nRoses and tulips stand in the yard.");
    let mut stated = fact("Bo Lund", "lives_in", "Uppsala");
    stated.qualifiers = [("since".to_owned(), "May".to_owned())].into();
    rig.run(FactsAdd { space: SPACE.to_owned(), facts: vec![stated] }).unwrap();
}

#[test]
fn everything_of_an_owner_is_gone_from_every_byte_and_the_rest_is_there() {
    let mut rig = Rig::new();
    rig.script.speech.store(true, std::sync::atomic::Ordering::Relaxed);
    let mut markers = Markers(0);
    keep(&rig);
    let space = rig.space("secret").id.to_string();
    plant(&rig, &space, &mut markers);
    rig.settled();
    plant_rows(&rig, &space, &mut markers);
    assert!(markers.0 > 200, "only {} markers", markers.0);
    assert!(traces(rig.data(), STEM).len() > 300);

    let what = ForgetWhat { owner: Some("owner".to_owned()), space: Some(space), ..ForgetWhat::default() };
    let plan = preview(&rig, &what).unwrap();
    assert!(plan.counts["memories"] >= 23 && plan.counts["files"] == 7, "{:?}", plan.counts);
    assert!(plan.samples.iter().any(|sample| sample.kind == "file"), "{:?}", plan.samples);
    assert!(plan.beyond.iter().any(|said| said.contains("stay where they are")), "{:?}", plan.beyond);
    let report = forget(&rig, what.clone());
    assert!(report.proof.searched > 200 && report.proof.bytes > 1_000_000, "{report:?}");

    rig.reopen(MODEL);
    rig.engine().stop();
    let left = traces(rig.data(), STEM);
    assert!(left.is_empty(), "{} left: {:#?}", left.len(), &left[..left.len().min(5)]);
    assert_eq!(rig.found("roses").len(), 2);
    assert_eq!(rig.count("SELECT count(*) FROM claims WHERE is_redacted = 0 AND state = 'asserted'"), 1);
    assert_eq!(rig.count("SELECT count(*) FROM entities WHERE is_redacted = 0"), 2);
    assert_eq!(rig.count("SELECT count(*) FROM memories WHERE is_redacted = 0 AND status = 'active'"), 3);
}

#[test]
fn what_was_forgotten_does_not_come_in_again_until_it_is_allowed() {
    let rig = Rig::new();
    let text = "Call Mira Quell at +44 20 7946 0958 on Tuesday.";
    let memory = rig.remember(text);
    let file = rig.ingest("secret.md", "The quince is ripe.");
    rig.settled();
    forget(&rig, ForgetWhat { memory: Some(memory.id), ..ForgetWhat::default() });
    forget(&rig, ForgetWhat { artifact: Some(file), ..ForgetWhat::default() });

    let refused = |text: &str| {
        let request = MemoryRemember { text: text.to_owned(), space: SPACE.to_owned(), ..MemoryRemember::default() };
        rig.run(request).err().map(|error| error.code)
    };
    for (text, expected) in [
        (text, Some(ErrorCode::Forgotten)),
        ("  Call Mira Quell at +44 20 7946 0958 on Tuesday.\n", Some(ErrorCode::Forgotten)),
        ("Her number is +44 20 7946 0958.", Some(ErrorCode::Forgotten)),
        ("Mira Quell called.", None),
    ] {
        assert_eq!(refused(text), expected, "{text:?}");
    }
    let path = rig.file("copy.md", "The quince is ripe.");
    let told = rig.ingest_path(SPACE, &path).remove(0);
    assert_eq!(told.error.unwrap().code, ErrorCode::Forgotten);
    let path = rig.file("secret.md", "The quince is ripe and red.");
    assert_eq!(rig.ingest_path(SPACE, &path).remove(0).error.unwrap().code, ErrorCode::Forgotten);
    // A file that holds what was forgotten: the product's own copy goes.
    let other = rig.ingest("other.md", "Numbers: +44 20 7946 0958 is hers.");
    rig.until("its copy is gone", || rig.artifact(&other).summary.artifact.redacted);
    assert!(rig.found("7946").is_empty());

    let allow = |request: ForgetAllow| rig.run(request).unwrap().allowed;
    assert_eq!(allow(ForgetAllow { text: Some(text.to_owned()), path: None }), 2);
    assert_eq!(refused(text), None);
    assert_eq!(allow(ForgetAllow { text: None, path: Some(path.display().to_string()) }), 1);
    assert_eq!(rig.ingest_path(SPACE, &path).remove(0).error, None);
}

#[test]
fn a_watched_folder_does_not_bring_it_back() {
    let rig = Rig::new();
    rig.file("a.md", "The quince is ripe.");
    rig.file("b.md", "The medlar is not.");
    rig.watch(|_| ());
    rig.compared();
    rig.settled();
    forget(&rig, query("quince"));
    for _ in 0..2 {
        rig.rescan();
        assert_eq!(rig.titles("quince medlar"), ["b.md"]);
        assert_eq!(rig.count("SELECT count(*) FROM watched_files"), 1);
    }
    let folder = Some(rig.folder().display().to_string());
    forget(&rig, ForgetWhat { folder, ..ForgetWhat::default() });
    rig.rescan();
    assert_eq!(rig.count("SELECT count(*) FROM watched_files") + rig.count("SELECT count(*) FROM watch_folders"), 0);
    assert!(rig.found("medlar").is_empty());
}

#[test]
fn only_what_was_shown_goes_and_only_by_a_person() {
    let rig = Rig::new();
    rig.remember("The quince is ripe.");
    rig.settled();
    let plan = preview(&rig, &query("quince")).unwrap();
    rig.advance(5);
    rig.remember("A second quince is not.");
    rig.settled();
    let request = ForgetExecute { what: query("quince"), token: plan.token };
    assert_eq!(rig.run(request.clone()).unwrap_err().code, ErrorCode::Conflict);
    assert_eq!(rig.found("quince").len(), 2);

    let agent = agent();
    let refused = |error: ApiError| assert_eq!(error.code, ErrorCode::Forbidden);
    refused(rig.engine().run(&agent, request).unwrap_err());
    refused(rig.engine().run(&agent, ForgetPreview { what: query("quince") }).unwrap_err());
    refused(rig.engine().run(&agent, ForgetAllow { text: Some("x".to_owned()), path: None }).unwrap_err());

    for (what, code) in [
        (ForgetWhat::default(), ErrorCode::InvalidRequest),
        (ForgetWhat { owner: Some("a".to_owned()), ..query("quince") }, ErrorCode::InvalidRequest),
        (query("qu"), ErrorCode::InvalidRequest),
        (query("nowhere"), ErrorCode::NotFound),
        (ForgetWhat { folder: Some("in".to_owned()), ..ForgetWhat::default() }, ErrorCode::InvalidRequest),
        (ForgetWhat { space: Some("none".to_owned()), ..query("quince") }, ErrorCode::NotFound),
    ] {
        assert_eq!(preview(&rig, &what).unwrap_err().code, code, "{what:?}");
    }
}

#[test]
fn a_space_keeps_what_another_one_forgets() {
    let rig = Rig::new();
    let other = rig.space("other");
    rig.remember("The quince is ripe.");
    rig.remember_in("other", "The quince is ripe.");
    rig.settled();
    forget(&rig, ForgetWhat { space: Some("other".to_owned()), ..query("quince") });
    assert_eq!(rig.found("quince").len(), 1);
    assert!(rig.recall_in(&other.id, "quince").iter().all(|hit| hit.matches.is_empty()));
    let again = MemoryRemember {
        text: "The quince is ripe.".to_owned(),
        space: "other".to_owned(),
        ..MemoryRemember::default()
    };
    assert_eq!(rig.run(again).unwrap_err().code, ErrorCode::Forgotten);
}

#[test]
fn somebody_is_forgotten_with_all_that_names_them() {
    let rig = Rig::new();
    let added =
        rig.run(FactsAdd { space: SPACE.to_owned(), facts: vec![fact("Mira Quell", "lives_in", "Leeds")] }).unwrap();
    let entity = added.facts[0].claim.subject.id.clone();
    rig.remember("Mira Quell paints houses. Leeds is rainy.");
    rig.remember("Leeds is rainy in May.");
    rig.ingest("notes.md", "On Sunday mira  quell\ncame along.");
    rig.settled();
    forget(&rig, ForgetWhat { entity: Some(entity), ..ForgetWhat::default() });
    assert!(rig.found("mira quell").is_empty());
    assert_eq!(rig.found("rainy").len(), 1);
    let again =
        MemoryRemember { text: "Who is Mira Quell?".to_owned(), space: SPACE.to_owned(), ..MemoryRemember::default() };
    assert_eq!(rig.run(again).unwrap_err().code, ErrorCode::Forgotten);
    rig.engine().stop();
    assert_eq!(traces(rig.data(), "mira"), Vec::<String>::new());
}

#[test]
fn who_stays_loses_the_names_that_only_went() {
    let rig = Rig::new();
    let first =
        rig.run(FactsAdd { space: SPACE.to_owned(), facts: vec![fact("Mira Quell", "lives_in", "Leeds")] }).unwrap();
    let entity = first.facts[0].claim.subject.id.clone();
    let said = rig.remember("Quellinda lives in Leeds.");
    let alias = Some("Quellinda".to_owned());
    rig.run(EntityEdit { entity: entity.clone(), alias, name: None, entity_type: None, remove_alias: None }).unwrap();
    let mut stated = fact(entity.as_str(), "works_at", "Acme");
    (stated.memory_id, stated.quote) = (Some(said.id.clone()), said.content.clone());
    rig.run(FactsAdd { space: SPACE.to_owned(), facts: vec![stated] }).unwrap();
    rig.settled();
    forget(&rig, ForgetWhat { memory: Some(said.id), ..ForgetWhat::default() });
    let detail = rig.run(EntityGet { entity: entity.to_string(), ..EntityGet::default() }).unwrap();
    assert_eq!(detail.entity.name, "Mira Quell");
    rig.engine().stop();
    assert_eq!(traces(rig.data(), "quellinda"), Vec::<String>::new());
}

#[test]
fn one_that_was_cut_off_is_ended_at_the_next_start() {
    let mut rig = Rig::new();
    let memory = rig.remember("The quince is ripe.");
    rig.settled();
    rig.engine().stop();
    // As the death of the process right after it was begun leaves it.
    rig.db()
        .execute(
            "INSERT INTO forgettings (id, actor_id, selector, roots, begun_at)
             VALUES ('0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b', ?1, 'memory', ?2, 1)",
            [um_model::OWNER_AGENT, &serde_json::json!({ "memories": [memory.id] }).to_string()],
        )
        .unwrap();
    rig.reopen(MODEL);
    let report = rig.run(ForgetShow::default()).unwrap();
    assert_eq!((report.status.as_str(), report.proof.left), ("done", 0), "{report:?}");
    assert!(rig.found("quince").is_empty());
    assert_eq!(traces(rig.data(), "quince"), Vec::<String>::new());
}

#[test]
fn one_that_is_stopped_leaves_the_rest_as_it_was() {
    let rig = Rig::new();
    rig.remember("The quince is ripe.");
    rig.settled();
    let cancel = Cancel::default();
    cancel.cancel();
    let caller = Caller { cancel, ..Caller::owner("test") };
    let plan = preview(&rig, &query("quince")).unwrap();
    let report = rig.engine().run(&caller, ForgetExecute { what: query("quince"), token: plan.token }).unwrap();
    assert_eq!(report.status, "cancelled");
    assert_eq!(rig.found("quince").len(), 1);
}

#[test]
fn a_removed_memory_is_found_no_more_until_it_is_restored() {
    let rig = Rig::new();
    let memory = rig.remember("The quince is ripe.");
    rig.settled();
    for _ in 0..2 {
        rig.run(MemoryRemove { id: memory.id.clone() }).unwrap();
        assert!(rig.found("quince").is_empty());
    }
    for _ in 0..2 {
        rig.run(MemoryRestore { id: memory.id.clone() }).unwrap();
        assert_eq!(rig.found("quince").len(), 1);
    }
    forget(&rig, ForgetWhat { memory: Some(memory.id.clone()), ..ForgetWhat::default() });
    assert_eq!(rig.run(MemoryRestore { id: memory.id }).unwrap_err().code, ErrorCode::Conflict);
}

#[test]
fn a_raw_memory_leaves_by_the_archive_alone() {
    let rig = Rig::new();
    let kept = rig.remember("The quince is ripe.");
    rig.settled();
    let raw = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1d";
    rig.db()
        .execute(
            "INSERT INTO memories (id, content, content_hash, scope, valid_from, created_at, space_id, actor_id, layer, owner)
             VALUES (?1, 'they said zorvexian', 'h', 'fact', 1, 1, ?2, ?3, 'raw', 'Bo')",
            [raw, SPACE, um_model::OWNER_AGENT],
        )
        .unwrap();
    let id = um_model::MemoryId::parse(raw).unwrap();
    assert_eq!(rig.run(MemoryRemove { id: id.clone() }).unwrap_err().code, ErrorCode::Conflict);
    let archive = |id: &um_model::MemoryId, reason: &str| {
        rig.run(MemoryArchive { id: id.clone(), reason: reason.to_owned() }).err().map(|error| error.code)
    };
    assert_eq!(archive(&kept.id, "old"), Some(ErrorCode::InvalidRequest));
    assert_eq!(archive(&id, " "), Some(ErrorCode::InvalidRequest));
    assert_eq!(archive(&id, "no longer needed"), None);
    assert_eq!(archive(&id, "again"), Some(ErrorCode::InvalidRequest));
    let row = "SELECT count(*) FROM memories m JOIN raw_archive a ON a.memory_id = m.id
               WHERE m.status = 'archived' AND m.is_redacted = 1 AND a.envelope ->> '$.owner' = 'Bo'";
    assert_eq!(rig.count(row), 1);
    rig.engine().stop();
    assert_eq!(traces(rig.data(), "zorvexian"), Vec::<String>::new());
}
