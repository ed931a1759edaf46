//! Drift on real repositories: each change of a work tree makes exactly its warnings, and nobody learns by them what stands where
//! it has no business.

use super::guideline;
use crate::support::{Rig, SPACE};
use gix::actor::SignatureRef;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use um_engine::Caller;
use um_model::ErrorCode;
use um_model::access::Right;
use um_model::capture::MemoryRemember;
use um_model::spaces::SpaceCreate;
use um_model::work::*;

const GATE: &str = "fn gate() {}\n";

/// A work tree on branch main, with one commit and a file.
struct App(PathBuf);

impl App {
    fn new(rig: &Rig, name: &str) -> Self {
        let app = Self(rig.folder().join(name));
        app.write("src/gate.rs", GATE);
        gix::init(&app.0).unwrap();
        app.switch("main");
        app.commit();
        app
    }

    fn text(&self) -> String {
        self.0.display().to_string()
    }

    fn write(&self, path: &str, text: &str) {
        std::fs::create_dir_all(self.0.join(path).parent().unwrap()).unwrap();
        std::fs::write(self.0.join(path), text).unwrap();
    }

    fn switch(&self, branch: &str) {
        std::fs::write(self.0.join(".git/HEAD"), format!("ref: refs/heads/{branch}\n")).unwrap();
    }

    /// Another branch at the same commit.
    fn branch(&self, name: &str) {
        std::fs::write(self.0.join(".git/refs/heads").join(name), format!("{}\n", self.head())).unwrap();
        self.switch(name);
    }

    fn commit(&self) -> String {
        let repository = gix::open_opts(&self.0, gix::open::Options::isolated()).unwrap();
        let parents: Vec<_> = repository.head_id().ok().map(|id| id.detach()).into_iter().collect();
        let by = SignatureRef { name: "Ana".into(), email: "ana@example.org".into(), time: "1750000000 +0000" };
        let message = format!("Change {}", parents.len());
        repository.commit_as(by, by, "HEAD", message, repository.empty_tree().id, parents).unwrap().to_string()
    }

    fn head(&self) -> String {
        gix::open_opts(&self.0, gix::open::Options::isolated()).unwrap().head_id().unwrap().to_string()
    }

    /// What says that something was written of its file.
    fn of_gate(&self) -> Map<String, Value> {
        object(json!({"workspace_path": self.text(), "file_path": "src/gate.rs"}))
    }
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

/// An entry of the space with these metadata.
fn entry(rig: &Rig, by: &Caller, space: &str, metadata: Map<String, Value>) -> Entry {
    let save = EntrySave { space: Some(space.to_owned()), metadata, ..guideline("gates", "Shut the gate.") };
    rig.engine().run(by, save).unwrap().entry
}

fn check(rig: &Rig, by: &Caller, space: &str, workspace: Option<&str>) -> Result<Drifted, ErrorCode> {
    let request =
        DriftCheck { space: Some(space.into()), workspace: workspace.map(str::to_owned), ..DriftCheck::default() };
    rig.engine().run(by, request).map_err(|error| error.code)
}

fn said(warnings: &[RecallWarning]) -> Vec<(WarningKind, &str)> {
    warnings.iter().map(|warning| (warning.kind, warning.message.as_str())).collect()
}

fn id_of(warning: &RecallWarning) -> String {
    let RecallWarning { kind, target, message, .. } = warning;
    let said = format!("um-warning\0{kind}\0{}\0{}\0{message}\0", target.item_type, target.id);
    format!("{:x}", Sha256::digest(said))[..16].to_owned()
}

type Change = fn(&App);
/// What happens, how, and what is warned of.
type Case = (&'static str, Change, Vec<(WarningKind, &'static str)>);

#[test]
fn each_change_of_a_work_tree_makes_exactly_its_warnings() {
    use WarningKind::*;
    let gone = |app: &App| std::fs::remove_file(app.0.join("src/gate.rs")).unwrap();
    let renamed: Change = |app| std::fs::rename(app.0.join("src/gate.rs"), app.0.join("src/door.rs")).unwrap();
    let edited: Change = |app| app.write("src/gate.rs", "fn gate() { shut() }\n");
    let branch = "It was written on branch main; the work tree is on branch door.";
    let other = "src/gate.rs says something else than it did then.";
    let cases: Vec<Case> = vec![
        ("nothing", |_| {}, vec![]),
        ("another file", |app| app.write("src/door.rs", "fn door() {}\n"), vec![]),
        ("another branch", |app| app.branch("door"), vec![(BranchDrift, branch)]),
        ("a commit", |app| drop(app.commit()), vec![(CommitDrift, "COMMIT")]),
        ("an edit", edited, vec![(FileHashMismatch, other)]),
        ("a file gone", gone, vec![(FileMissing, "src/gate.rs is not there.")]),
        (
            "a file renamed",
            renamed,
            vec![(FileMissing, "src/gate.rs is not there. What it said is in src/door.rs now.")],
        ),
        (
            "all of it",
            |app| {
                app.branch("door");
                app.commit();
                app.write("src/gate.rs", "");
            },
            vec![(BranchDrift, branch), (CommitDrift, "COMMIT"), (FileHashMismatch, other)],
        ),
    ];
    for (name, change, expected) in cases {
        let rig = Rig::resting();
        let app = App::new(&rig, "app");
        let (owner, before) = (Caller::owner("test"), app.head());
        let saved = entry(&rig, &owner, SPACE, app.of_gate());
        assert_eq!(saved.version.metadata["git_branch"], "main", "{name}");
        change(&app);
        let at =
            format!("It was written at commit {}; the work tree is at commit {}.", &before[..12], &app.head()[..12]);
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(kind, says)| (kind, if says == "COMMIT" { at.as_str() } else { says }))
            .collect();

        let drifted = check(&rig, &owner, SPACE, Some(&app.text())).unwrap();
        assert_eq!(said(&drifted.warnings), expected, "{name}");
        assert_eq!((drifted.checked, drifted.skipped, drifted.more), (1, 0, false), "{name}");
        for warning in &drifted.warnings {
            assert_eq!(warning.id, id_of(warning), "{name}");
            assert_eq!((warning.target.id.as_str(), &warning.related), (saved.id.as_str(), &Vec::new()), "{name}");
        }
        assert_eq!(check(&rig, &owner, SPACE, Some(&app.text())).unwrap(), drifted, "{name}: the same again");

        // Packs and briefings that name the work tree warn of the same, and others look at nothing.
        let pack =
            |workspace: Option<String>| rig.run(ContextCompile { workspace, ..ContextCompile::default() }).unwrap();
        let packed = pack(Some(app.text()));
        assert_eq!(packed.recall_warnings, drifted.warnings, "{name}");
        let warns = packed.full_text.contains("Warning: G1");
        assert_eq!(warns, !expected.is_empty(), "{name}: {}", packed.full_text);
        assert!(packed.estimated_tokens <= packed.budget_tokens, "{name}");
        assert_eq!(pack(None).recall_warnings, [], "{name}");
        let begin = SessionBegin { workspace: Some(app.text()), ..SessionBegin::default() };
        assert_eq!(rig.run(begin).unwrap().briefing.recall_warnings, drifted.warnings, "{name}");
    }
}

#[test]
fn what_is_written_of_a_file_is_told_the_state_of_its_tree() {
    let rig = Rig::resting();
    let app = App::new(&rig, "app");
    let state = |kept: &Map<String, Value>| {
        ["git_branch", "git_commit", "content_sha256"]
            .map(|key| kept.get(key).and_then(Value::as_str).map(str::to_owned))
    };
    let full = [Some("main".to_owned()), Some(app.head()), Some(format!("{:x}", Sha256::digest(GATE)))];
    let put = |metadata: Map<String, Value>| {
        rig.run(ResourcePut { uri: "repo://gate".into(), metadata, ..ResourcePut::default() }).unwrap().metadata
    };
    let set = |metadata: Map<String, Value>| {
        let set = StateSet { current_goal: Some("Shut it.".into()), metadata: Some(metadata), ..StateSet::default() };
        rig.run(set).unwrap().metadata
    };
    assert_eq!(state(&put(app.of_gate())), full);
    assert_eq!(state(&set(app.of_gate())), full);
    let remember = MemoryRemember {
        text: "The gate shuts at noon.".into(),
        space: SPACE.into(),
        metadata: app.of_gate(),
        ..MemoryRemember::default()
    };
    rig.run(remember).unwrap();
    let kept: Value = serde_json::from_str(&rig.text("SELECT metadata FROM memories")).unwrap();
    assert_eq!(state(&object(kept)), full, "a memory");
    let saved = EntrySave { metadata: app.of_gate(), ..guideline("Gate", "Shut it.") };
    assert_eq!(state(&rig.run(saved).unwrap().entry.version.metadata), full, "an entry");
    let camel = json!({"workspacePath": app.text(), "filePath": app.0.join("src/gate.rs").display().to_string()});
    assert_eq!(state(&put(object(camel))), full, "by its whole path, in camel case");
    // Where the file is not there yet, the rest is told; a state that is said stays as it is said.
    let new = object(json!({"workspace_path": app.text(), "file_path": "src/new.rs"}));
    assert_eq!(state(&put(new)), [full[0].clone(), full[1].clone(), None]);
    let mut told = app.of_gate();
    told.insert("git_branch".into(), "gate".into());
    assert_eq!(put(told.clone()), told);
    for alone in [json!({"workspace_path": app.text()}), json!({"file_path": "src/gate.rs"}), json!({"gate": "shut"})] {
        assert_eq!(put(object(alone.clone())), object(alone));
    }
    let nowhere = object(json!({"workspace_path": app.0.join("gone").display().to_string(), "file_path": "a.rs"}));
    assert_eq!(put(nowhere.clone()), nowhere);
}

#[test]
fn nothing_out_of_the_tree_is_looked_at() {
    let rig = Rig::resting();
    let app = App::new(&rig, "app");
    rig.file("secret.txt", "A secret.");
    #[cfg(unix)]
    for (link, to) in [("link.txt", "../secret.txt"), ("dangling.txt", "../not-there.txt"), ("up", "..")] {
        std::os::unix::fs::symlink(to, app.0.join(link)).unwrap();
    }
    let absolute = rig.folder().join("secret.txt").display().to_string();
    let owner = Caller::owner("test");
    let mut outside = vec!["../secret.txt", "src/../../secret.txt", "../not-there.txt", absolute.as_str()];
    outside.extend(cfg!(unix).then_some(["link.txt", "dangling.txt", "up/secret.txt"]).into_iter().flatten());
    for path in outside {
        let hash = format!("{:x}", Sha256::digest("Another."));
        entry(&rig, &owner, SPACE, object(json!({"file_path": path, "content_sha256": hash})));
        let drifted = check(&rig, &owner, SPACE, Some(&app.text())).unwrap();
        assert_eq!((drifted.warnings.len(), drifted.checked, drifted.skipped), (0, 0, 1), "{path}");
        let filled = entry(&rig, &owner, SPACE, object(json!({"workspace_path": app.text(), "file_path": path})));
        assert_eq!(filled.version.metadata.get("content_sha256"), None, "{path}");
    }
}

#[test]
fn a_folder_that_is_no_git_tree_has_files_alone() {
    let rig = Rig::resting();
    let plain = rig.folder().join("plain");
    std::fs::create_dir_all(&plain).unwrap();
    std::fs::write(plain.join("a.txt"), "A.").unwrap();
    let owner = Caller::owner("test");
    let metadata = json!({"git_branch": "main", "gitCommit": "0123456789", "file_path": "a.txt"});
    entry(&rig, &owner, SPACE, object(metadata));
    let at = |workspace: Option<&Path>| {
        check(&rig, &owner, SPACE, workspace.map(|path| path.display().to_string()).as_deref())
    };
    let drifted = at(Some(&plain)).unwrap();
    assert_eq!((drifted.warnings.len(), drifted.checked), (0, 1));
    std::fs::remove_file(plain.join("a.txt")).unwrap();
    assert_eq!(said(&at(Some(&plain)).unwrap().warnings), [(WarningKind::FileMissing, "a.txt is not there.")]);
    // Without a work tree there is nothing to compare with.
    let drifted = at(None).unwrap();
    assert_eq!((drifted.warnings.len(), drifted.checked, drifted.skipped), (0, 0, 1));
    assert_eq!(at(Some(&plain.join("gone"))), Err(ErrorCode::Io));
    assert_eq!(at(Some(Path::new("plain"))), Err(ErrorCode::InvalidRequest));
    assert_eq!(at(Some(&rig.file("b.txt", "B."))), Err(ErrorCode::InvalidRequest), "no folder");
}

#[test]
fn an_agent_has_compared_what_is_open_to_it_alone() {
    let rig = Rig::resting();
    let (app, mine) = (App::new(&rig, "app"), App::new(&rig, "mine"));
    app.write(".env", "KEY=1");
    app.write("server.key", "KEY=1");
    rig.run(SpaceCreate { name: "App".into(), ..SpaceCreate::default() }).unwrap();
    let root_path = Some(mine.text());
    rig.run(SpaceCreate { name: "Mine".into(), root_path, ..SpaceCreate::default() }).unwrap();
    let bot = rig.agent_in("bot", &["App", "Mine"], &[Right::Read, Right::Write]);
    let owner = Caller::owner("test");
    entry(&rig, &owner, "App", app.of_gate());
    let gone = app.0.join("gone").display().to_string();

    // A folder that is closed is the same as one that is not there.
    let refused = |workspace: &str| {
        let compile = ContextCompile {
            space: Some("App".into()),
            workspace: Some(workspace.to_owned()),
            ..ContextCompile::default()
        };
        let check =
            DriftCheck { space: Some("App".into()), workspace: Some(workspace.to_owned()), ..DriftCheck::default() };
        let begin = SessionBegin {
            space: Some("App".into()),
            workspace: Some(workspace.to_owned()),
            ..SessionBegin::default()
        };
        let engine = rig.engine();
        let all = [
            engine.run(&bot, compile).unwrap_err(),
            engine.run(&bot, check).unwrap_err(),
            engine.run(&bot, begin).unwrap_err(),
        ];
        all.map(|error| format!("{} {error}", error.code).replace(workspace, "FOLDER"))
    };
    assert_eq!(refused(&app.text()), refused(&gone));
    assert!(refused(&gone)[0].contains("is not there, or in no folder that is open to you"));
    assert_eq!(rig.count("SELECT count(*) FROM sessions"), 0, "nothing was begun");
    app.branch("door");
    let drifted = check(&rig, &bot, "App", None).unwrap();
    assert_eq!((drifted.warnings.len(), drifted.checked, drifted.skipped), (0, 0, 1), "an item opens no folder");
    let closed = entry(&rig, &bot, "App", app.of_gate());
    assert_eq!(closed.version.metadata, app.of_gate(), "it is told no state either");
    rig.advance(10_000);
    let before = entry(&rig, &owner, "App", app.of_gate()).version.metadata;
    assert_eq!(before["git_branch"], "door");

    // The folder that the space works in, one that it watches, one that was opened.
    assert_eq!(check(&rig, &bot, "Mine", Some(&mine.text())).unwrap().checked, 0);
    assert_eq!(check(&rig, &bot, "App", Some(&mine.text())), Err(ErrorCode::Forbidden), "of another space");
    app.switch("main");
    rig.open_to("bot", &[&app.0]).unwrap();
    let branch = (WarningKind::BranchDrift, "It was written on branch door; the work tree is on branch main.");
    assert_eq!(said(&check(&rig, &bot, "App", Some(&app.text())).unwrap().warnings), [branch]);
    assert_eq!(check(&rig, &bot, "App", Some(&app.0.join(".git").display().to_string())), Err(ErrorCode::Forbidden));
    rig.open_to("bot", &[]).unwrap();
    assert_eq!(check(&rig, &bot, "App", Some(&app.text())), Err(ErrorCode::Forbidden));
    rig.watch(|watch| (watch.path, watch.space) = (app.text(), "App".to_owned()));
    assert_eq!(said(&check(&rig, &bot, "App", Some(&app.text())).unwrap().warnings), [branch]);

    // What is hidden, a key or not taken by the watch is not compared, and its hash not told.
    rig.open_to("bot", &[&app.0]).unwrap();
    for path in [".env", "server.key", "gone.key", ".gone", ".git"] {
        rig.advance(10_000);
        let wrong = json!({"file_path": path, "content_sha256": "0".repeat(64)});
        entry(&rig, &owner, "App", object(wrong));
        let drifted = check(&rig, &bot, "App", Some(&app.text())).unwrap();
        assert_eq!((drifted.warnings.len(), drifted.skipped), (0, 1), "{path}");
        assert_eq!(
            check(&rig, &owner, "App", Some(&app.text())).unwrap().warnings.len(),
            1,
            "{path}: the person has all"
        );
        rig.advance(10_000);
        let named = object(json!({"workspace_path": app.text(), "file_path": path}));
        let kept = entry(&rig, &bot, "App", named).version.metadata;
        assert_eq!((kept.get("content_sha256"), &kept["git_branch"]), (None, &json!("main")), "{path}");
    }
}

#[test]
fn what_can_have_changed_is_found_in_a_space_by_itself() {
    let rig = Rig::resting();
    let app = App::new(&rig, "app");
    let root_path = Some(app.text());
    rig.run(SpaceCreate { name: "App".into(), root_path, ..SpaceCreate::default() }).unwrap();
    let (owner, space) = (Caller::owner("test"), || Some("App".to_owned()));
    let on = |branch: &str| object(json!({ "gitBranch": branch }));
    let session = rig.run(SessionBegin { space: space(), metadata: on("old"), ..SessionBegin::default() }).unwrap();
    let session = session.session.id;
    let in_hand = |session: Option<&um_model::SessionId>| StateSet {
        space: space(),
        session: session.cloned(),
        current_goal: Some("Shut it.".into()),
        metadata: Some(on("old")),
        ..StateSet::default()
    };
    rig.run(in_hand(None)).unwrap();
    rig.run(in_hand(Some(&session))).unwrap();
    let saved = entry(&rig, &owner, "App", on("old"));
    let put = ResourcePut { space: space(), uri: "repo://gate".into(), metadata: on("main"), ..ResourcePut::default() };
    rig.run(put).unwrap();
    rig.run(ResourcePut { space: space(), uri: "repo://plain".into(), ..ResourcePut::default() }).unwrap();
    let block = BlockSet { space: space(), label: "gates".into(), content: "Shut them.".into(), ..BlockSet::default() };
    rig.run(BlockSet { metadata: Some(on("old")), ..block }).unwrap();
    let memory = rig.remember_in("App", "The gate squeaks.");
    let sql = "UPDATE memories SET metadata = '{\"git_branch\": \"old\"}' WHERE id = ?1";
    rig.db().execute(sql, [memory.id.as_str()]).unwrap();

    let of = |drifted: &Drifted| drifted.warnings.iter().map(|warning| warning.target.item_type).collect::<Vec<_>>();
    use ItemType::*;
    let drifted = check(&rig, &owner, "App", None).unwrap();
    assert_eq!(of(&drifted), [SessionState, Entry, CoreBlock, Memory, Session], "of the space's own folder");
    assert_eq!((drifted.checked, drifted.skipped, drifted.more), (6, 0, false));
    let of_session = rig.run(DriftCheck { session: Some(session), ..DriftCheck::default() }).unwrap();
    assert_eq!(of(&of_session), [SessionState, SessionState, Entry, CoreBlock, Memory, Session]);

    let key = ItemKey { item_type: Entry, id: saved.id.to_string() };
    let named = |items: Vec<ItemKey>| rig.run(DriftCheck { space: space(), items, ..DriftCheck::default() });
    assert_eq!(of(&named(vec![key.clone()]).unwrap()), [Entry]);
    let unknown = ItemKey { item_type: Entry, id: "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b".into() };
    assert_eq!(named(vec![unknown]).unwrap_err().code, ErrorCode::NotFound);
    assert_eq!(named(vec![key.clone(); 201]).unwrap_err().code, ErrorCode::InvalidRequest);
    rig.run(EntryDisable { id: saved.id }).unwrap();
    assert!(!of(&check(&rig, &owner, "App", None).unwrap()).contains(&Entry), "what is out of use says nothing");

    // Somebody else's space is no place to ask about.
    let bot = rig.agent_in("bot", &[SPACE], &[Right::Read]);
    assert_eq!(check(&rig, &bot, "App", None), Err(ErrorCode::NotFound));
    let asked = DriftCheck { items: vec![key], ..DriftCheck::default() };
    assert_eq!(rig.engine().run(&bot, asked).unwrap_err().code, ErrorCode::NotFound);
}
