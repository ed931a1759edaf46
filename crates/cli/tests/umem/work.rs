//! What agents work with, and questions that are kept, from the command line.

use crate::support::{Folder, code, words};
use serde_json::{Value, json};

/// What some editors write before the first line of a file.
const MARK: &str = "\u{feff}";

#[test]
fn a_byte_order_mark_before_the_first_line_says_nothing() {
    let folder = Folder::new();
    let (_, session) = folder.json(&["session", "start", "--space", "default"]);
    let session = session["session"]["id"].as_str().unwrap();
    let event = json!({"kind": "user_message", "content": "The quay is wet."}).to_string();
    let fact = json!({"subject": "Ana", "predicate": "likes", "object": "tea"}).to_string();
    let text = json!({"text": "The jetty is long."}).to_string();
    for (args, line) in [
        (&["remember", "--space", "default", "--file"][..], &text),
        (&["facts", "add", "--space", "default", "--file"], &fact),
        (&["event", "add", "--file"], &event),
        (&["session", "end", session, "--transcript"], &event),
        (&["eval", "beliefs"], &json!({"text": "Ana likes tea."}).to_string()),
        (&["eval", "pii"], &json!({"text": "Ana likes tea.", "spans": []}).to_string()),
    ] {
        let file = folder.file("lines.jsonl", &format!("{MARK}{line}\r\n"));
        let output = folder.run(&[args, &[file.to_str().unwrap()]].concat());
        assert_eq!(code(&output), 0, "{args:?}: {}", words(&output));
    }
    let fed = folder.feed(&["event", "add", "--file", "-"], &format!("{MARK}{event}"));
    assert_eq!(code(&fed), 0, "{}", words(&fed));
    let (_, listed) = folder.json(&["event", "list", "quay"]);
    let contents: Vec<&Value> = listed["events"].as_array().unwrap().iter().map(|event| &event["content"]).collect();
    assert_eq!(contents, ["The quay is wet."; 3], "{listed}");
}

#[test]
fn a_line_that_is_no_event_is_named() {
    let folder = Folder::new();
    let (_, session) = folder.json(&["session", "start", "--space", "default"]);
    let session = session["session"]["id"].as_str().unwrap();
    let event = json!({"kind": "user_message", "content": "The quay is wet."});
    for (line, (exit, says)) in [
        ("{\"kind\": \"shout\", \"content\": \"x\"}", (2, "Line 3: ")),
        ("{\"kind\": \"user_message\"}", (2, "Line 3: missing field `content`, column 24.")),
        ("The quay is wet.", (2, "Line 3: expected value, column 1.")),
        ("{\"kind\": \"user_message\", \"content\": \" \"}", (3, "Line 3 says nothing.")),
    ] {
        let file = folder.file("lines.jsonl", &format!("{event}\n\n{line}\n"));
        for args in [&["event", "add", "--file"][..], &["session", "end", session, "--transcript"]] {
            let output = folder.run(&[args, &[file.to_str().unwrap()]].concat());
            assert!(code(&output) == exit && words(&output).contains(says), "{args:?}, {line}: {}", words(&output));
        }
    }
    assert_eq!(folder.json(&["event", "list", "quay"]).1["events"], json!([]), "nothing of the file is kept");
    for args in [&["event", "add", "--file"][..], &["session", "end", session, "--transcript"]] {
        let output = folder.run(&[args, &["no-such-file"]].concat());
        assert!(code(&output) == 2 && words(&output).contains("no-such-file: "), "{}", words(&output));
    }
}

#[test]
fn what_was_asked_is_listed_by_how_it_ended() {
    let folder = Folder::new();
    folder.run(&["remember", "The quay is wet.", "--space", "default"]);
    for question in ["quay", "What did the harbour master of Vexmark say of the quay?"] {
        folder.run(&["recall", question]);
    }
    let list = |more: &[&str]| folder.json(&[&["trace", "list"][..], more].concat()).1["traces"].as_array().cloned();
    let all = list(&[]).unwrap();
    assert_eq!(all.len(), 2);
    for outcome in ["success", "abstained", "error"] {
        let so: Vec<Value> = all.iter().filter(|trace| trace["outcome"] == outcome).cloned().collect();
        assert_eq!(list(&["--outcome", outcome]), Some(so), "{outcome}");
    }
    assert_eq!(code(&folder.run(&["trace", "list", "--outcome", "well"])), 2);
    let has = |trace: &&Value| trace["query"].as_str().is_some_and(|query| query.contains("quay"));
    assert_eq!(list(&["--query", "QUAY"]), Some(all.iter().filter(has).cloned().collect()));
    assert_eq!(list(&["--actor", "owner", "--since", "yesterday", "--until", "tomorrow"]), Some(all));
    assert_eq!(list(&["--since", "tomorrow"]), Some(Vec::new()));
    for narrowed in [["--actor", "nobody"], ["--since", "soon"]] {
        assert_ne!(code(&folder.run(&[&["trace", "list"][..], &narrowed].concat())), 0, "{narrowed:?}");
    }
}

#[test]
fn a_question_for_which_nothing_fits_is_told_without_its_words() {
    let folder = Folder::new();
    folder.run(&["remember", "The quay is wet.", "--space", "default"]);
    let (_, asked) = folder.json(&["recall", "walrus"]);
    let trace = asked["trace"].as_str().unwrap();
    for verb in [&["trace", "list"][..], &["trace", "show", trace]] {
        let told = words(&folder.run(verb));
        assert!(told.contains("(nothing that fits was found, so its words are not kept)"), "{told}");
        assert!(!told.contains("walrus"), "{told}");
    }
}

#[test]
fn a_trace_tells_what_narrowed_its_question_down() {
    let folder = Folder::new();
    folder.run(&["remember", "The quay is wet.", "--space", "default"]);
    let check = |question: &str, asked: &str, with: &str| {
        let (_, found) = folder.json(&["recall", "--limit", "3", question]);
        let told = words(&folder.run(&["trace", "show", found["trace"].as_str().unwrap()]));
        assert!(told.contains(&format!(": {asked}\n")), "{question}: {told}");
        assert!(told.contains(&format!("Asked for: 3 at most{with}\n")), "{question}: {told}");
        let listed = words(&folder.run(&["trace", "list", "--limit", "1"]));
        assert!(listed.contains(&format!(": {asked} (success)")), "{question}: {listed}");
    };
    check("quay", "quay", "");
    check("quay type:text -walrus", "quay", ", type text, without \"walrus\"");
    check("type:text", "the newest that pass", ", type text");
}

#[test]
fn a_trace_is_meant_by_the_beginning_of_its_id() {
    let folder = Folder::new();
    folder.run(&["remember", "The quay is wet.", "--space", "default"]);
    let ask = |query: &str| folder.json(&["recall", query]).1["trace"].as_str().unwrap().to_owned();
    // As far as the two are alike, both are meant.
    let alike =
        |[one, other]: &[String; 2]| one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let mut traces = [ask("quay"), ask("wet")];
    if alike(&traces) < 8 {
        // Every minute or so ids begin otherwise: it began between these two.
        let [_, last] = traces;
        traces = [last, ask("quay")];
    }
    let alike = alike(&traces);
    let [first, second] = &traces;
    let short = &first[..alike + 1];
    let (exit, shown) = folder.json(&["trace", "show", short]);
    assert_eq!((exit, shown["summary"]["id"].as_str()), (0, Some(first.as_str())), "{short}: {shown}");
    let (exit, said) = folder.json(&["trace", "right", short]);
    assert_eq!((exit, said["trace"]["id"].as_str()), (0, Some(first.as_str())), "{said}");
    let later = folder.json(&["trace", "list", "--after", &second[..alike + 1]]).1;
    assert_eq!(later["traces"][0]["id"].as_str(), Some(first.as_str()), "{later}");
    let several = folder.run(&["trace", "show", &first[..alike]]);
    let told = words(&several);
    assert_eq!(code(&several), 2, "{told}");
    assert!(traces.iter().all(|trace| told.contains(trace.as_str())) && told.contains("(quay)"), "{told}");
    for (verb, see) in [
        (&["trace", "show", "ffffffff"][..], "No id begins or ends with \"ffffffff\". See: umem trace list"),
        (&["trace", "replay", "the last one"], "umem trace list"),
        (&["trace", "replay", &first[..7]], "at least its first or last eight characters"),
        (&["context", "--hydrate", "the last one"], "umem context, which tells the id of a pack"),
        (&["context", "--show", "the last one"], "umem context --list"),
        (&["context", "--list", "--after", "the last one"], "umem context --list"),
    ] {
        let none = folder.run(verb);
        let told = words(&none);
        assert!(code(&none) == 2 && told.contains(see), "{verb:?}: {told}");
    }
}

#[test]
fn an_empty_pack_says_which_space_it_is_of() {
    let folder = Folder::new();
    folder.run(&["space", "create", "Trips"]);
    folder.run(&["remember", "The ferry leaves at noon.", "--space", "Trips"]);
    let check = |args: &[&str], says: bool| {
        let output = folder.run(&[&["context"][..], args].concat());
        let told = words(&output);
        assert_eq!(code(&output), 0, "{args:?}: {told}");
        assert_eq!(told.contains("in the default space") && told.contains("--space names"), says, "{args:?}: {told}");
    };
    check(&["ferry"], true);
    check(&[], true);
    check(&["ferry", "--space", "Trips"], false);
    check(&["ferry", "--space", "default"], false);
    folder.run(&["remember", "The quay is wet.", "--space", "default"]);
    check(&["quay"], false);
    check(&["quay", "wet", "--space", "default"], false);
}

#[test]
fn packs_are_listed_shown_and_of_another_day() {
    let folder = Folder::new();
    folder.run(&["remember", "The quay is wet.", "--space", "default"]);
    let (exit, packed) = folder.json(&["context", "quay"]);
    assert_eq!(exit, 0, "{packed}");
    let id = packed["id"].as_str().unwrap();
    let (exit, listed) = folder.json(&["context", "--list"]);
    assert_eq!((exit, &listed["packs"][0]["id"]), (0, &packed["id"]), "{listed}");
    let told = words(&folder.run(&["context", "--list", "--space", "default"]));
    assert!(told.contains(id) && told.contains("owner: quay (auto"), "{told}");
    let (exit, shown) = folder.json(&["context", "--show", id]);
    assert_eq!((exit, &shown["full_text"]), (0, &packed["full_text"]), "{shown}");
    let (exit, then) = folder.json(&["context", "quay", "--as-of", "2001", "--known-at", "yesterday"]);
    let text = then["full_text"].as_str().unwrap();
    assert!(exit == 0 && text.contains("This tells what was so on 2001-01-01") && !text.contains("wet"), "{text}");
    for (args, says) in [
        (&["quay", "--as", "nobody"][..], "no agent \"nobody\""),
        (&["quay", "--as", "owner"], "is no agent"),
        (&["--list", "quay"], "cannot be used with"),
        (&["--show", id, "--as-of", "2001"], "cannot be used with"),
        (&["--after", id], "--list"),
    ] {
        let output = folder.run(&[&["context"][..], args].concat());
        let told = words(&output);
        assert!(code(&output) != 0 && told.contains(says), "{args:?}: {told}");
    }
}

#[test]
fn what_was_answered_is_kept_with_how_it_came_about() {
    let folder = Folder::new();
    folder.run(&["remember", "The quay is wet.", "--space", "default"]);
    let (_, found) = folder.json(&["recall", "quay"]);
    let trace = found["trace"].as_str().unwrap();
    let (exit, kept) = folder.json(&["trace", "answer", trace, "-5 degrees"]);
    assert_eq!((exit, &kept["trace"]["id"]), (0, &found["trace"]), "{kept}");
    let said = words(&folder.run(&["trace", "show", trace]));
    assert!(said.contains("What was answered: -5 degrees"), "{said}");
    let refused = |output: std::process::Output, says: &str| {
        let told = words(&output);
        assert_eq!(code(&output), 2, "{told}");
        assert!(told.contains(says) && !told.contains("umem ingest"), "{told}");
    };
    refused(folder.run(&["trace", "answer", trace, " "]), "Say what was answered");
    let feed = |text: &str| folder.feed(&["trace", "answer", trace, "-"], text);
    refused(feed("\n"), "Say what was answered");
    refused(feed(&"word ".repeat(2_001)), "10,000 characters at most");
    refused(feed(&"word ".repeat(30_000)), "The text is too long");
}

#[test]
fn what_a_wrong_answer_rested_on_is_told_as_what_accepting_it_does() {
    let folder = Folder::new();
    folder.run(&["remember", "The quay is wet.", "--space", "default"]);
    let (_, found) = folder.json(&["recall", "quay"]);
    let (trace, memory) = (found["trace"].as_str().unwrap(), found["hits"][0]["ids"]["memory"].as_str().unwrap());
    let empty = folder.run(&["trace", "wrong", trace, "--correction", " "]);
    assert_eq!(code(&empty), 2, "{}", words(&empty));
    assert!(words(&empty).contains("The correction is empty. Say what is right"), "{}", words(&empty));
    let none = words(&folder.run(&["trace", "list", "--outcome", "error"]));
    assert!(none.contains("nothing ended as error"), "{none}");
    let elsewhere = words(&folder.run(&["get", trace]));
    assert!(elsewhere.contains("umem trace show") && !elsewhere.contains("claim_explain"), "{elsewhere}");
    folder.run(&["trace", "wrong", trace]);
    folder.run(&["trace", "wrong", trace]);
    let (_, held) = folder.json(&["held", "list"]);
    assert_eq!(held["total"], 1, "{held}");
    let taken_back = words(&folder.run(&["trace", "right", trace]));
    assert!(taken_back.contains("Taken back, as nobody decided it yet: 1 proposal"), "{taken_back}");
    assert!(words(&folder.run(&["held", "list"])).contains("Nothing that is proposed waits"));
    folder.run(&["trace", "wrong", trace]);
    let unsaid = words(&folder.run(&["trace", "unsay", trace]));
    assert!(
        unsaid.starts_with("Nothing is said of that answer any more.") && unsaid.contains("1 proposal"),
        "{unsaid}"
    );
    assert!(!words(&folder.run(&["trace", "show", trace])).contains("Said of it"));
    folder.run(&["trace", "wrong", trace]);
    let told = words(&folder.run(&["held", "list"]));
    let id = folder.json(&["held", "list"]).1["held"][0]["id"].as_str().unwrap().to_owned();
    for part in [
        "Proposed: take a memory out of recall. A wrong answer rested on it.".to_owned(),
        format!("Take it out of recall: umem held accept {id}"),
        format!("Leave it in recall: umem held dismiss {id}"),
    ] {
        assert!(told.contains(&part), "{part:?} is missing: {told}");
    }
    assert_eq!(code(&folder.run(&["held", "keep", &id])), 2, "no verb says the opposite of what it does");
    let done = words(&folder.run(&["held", "accept", &id]));
    assert!(done.contains(&format!("Taken out of recall: {memory}. To undo that: umem restore {memory}")), "{done}");
    assert_eq!(folder.json(&["recall", "quay"]).1["hits"], json!([]));
    folder.run(&["restore", memory]);
    assert_eq!(folder.json(&["recall", "quay"]).1["hits"][0]["ids"]["memory"], json!(memory));
}

#[test]
fn each_thing_of_a_list_is_on_one_line() {
    let folder = Folder::new();
    let broken = "The quay\nis wet";
    let one_line = "The quay is wet";
    let (_, session) = folder.json(&["session", "start", "--space", "default", "--name", broken]);
    assert_eq!(code(&folder.run(&["search", "save", "quay", broken])), 0);
    assert_eq!(code(&folder.run(&["resource", "put", "doc://quay", "x", "--title", broken])), 0);
    assert_eq!(code(&folder.run(&["lock", "take", "quay.txt", "--note", broken])), 0);
    assert_eq!(code(&folder.run(&["tag", "create", "quay", "--space", "default", "--description", broken])), 0);
    let (_, kept) = folder.json(&["remember", "The quay.", "--space", "default", "--title", broken]);
    let memory = kept["memory"]["id"].as_str().unwrap();
    assert_eq!(code(&folder.run(&["verify", "memory", memory, "--status", "passed", "--detail", broken])), 0);
    assert_eq!(code(&folder.run(&["recall", broken])), 0);
    let session = session["session"]["id"].as_str().unwrap();
    for args in [
        &["session", "list"][..],
        &["session", "show", session],
        &["search", "list"],
        &["resource", "tree"],
        &["lock", "list"],
        &["tag", "list", "--space", "default"],
        &["trace", "list"],
        &["verify", "--list"],
        &["query", "quay"],
        &["query", "--as-of", "today"],
    ] {
        let said = words(&folder.run(args));
        assert!(said.contains(one_line) && !said.lines().any(|line| line.starts_with("is wet")), "{args:?}: {said}");
    }
}

#[test]
fn metadata_go_with_what_agents_work_with() {
    let folder = Folder::new();
    for (args, at) in [
        (&["entry", "save", "guideline", "Commits", "Write why."][..], "/entry/version/metadata"),
        (&["resource", "put", "doc://quay", "It is wet."], "/metadata"),
        (&["state", "set", "--goal", "Mend the quay"], "/metadata"),
        (&["rule", "set", "Units", "Use metres."], "/block/metadata"),
        (&["session", "start", "--name", "Quay"], "/session/metadata"),
    ] {
        let with = |metadata: &str| folder.json(&[args, &["--metadata", metadata]].concat());
        let (exit, told) = with(r#"{"branch": "main"}"#);
        assert_eq!((exit, told.pointer(at)), (0, Some(&json!({"branch": "main"}))), "{args:?}: {told}");
        for wrong in ["main", "[1]", "{"] {
            let (exit, told) = with(wrong);
            assert_eq!((exit, &told["error"]["code"]), (2, &json!("invalid_request")), "{args:?}, {wrong}: {told}");
        }
    }
    let (_, state) = folder.json(&["state", "set", "--summary", "Half of it is done."]);
    assert_eq!(state["metadata"], json!({"branch": "main"}), "what nothing is said of stays");
}

#[test]
fn a_question_that_is_kept_is_asked_again() {
    let folder = Folder::new();
    folder.run(&["space", "create", "Harbour"]);
    for space in ["Harbour", "default"] {
        folder.run(&["remember", &format!("The quay of {space} is wet."), "--space", space]);
    }
    let (_, kept) = folder.json(&["search", "save", "Wet quays", "wet quay", "--space", "Harbour"]);
    for named in ["Wet quays", "wet QUAYS", kept["id"].as_str().unwrap()] {
        let (exit, found) = folder.json(&["search", "run", named]);
        let quotes: Vec<&Value> = found["hits"].as_array().unwrap().iter().map(|hit| &hit["quote"]).collect();
        assert_eq!((exit, quotes), (0, vec![&json!("The quay of Harbour is wet.")]), "{named}: {found}");
    }
    let said = words(&folder.run(&["search", "run", "Wet quays"]));
    assert!(said.contains("| The quay of Harbour is wet."), "{said}");
    let missing = folder.run(&["search", "run", "Dry quays"]);
    assert!(code(&missing) == 1 && words(&missing).contains("umem search list"), "{}", words(&missing));
    // What it is narrowed down to is kept with it.
    let then = ["--limit", "1", "--as-of", "2019", "--known-at", "2020"];
    let (_, kept_then) = folder.json(&[&["search", "save", "Old quays", "quay"][..], &then].concat());
    let is_kept = ["/recall/limit", "/recall/as_of", "/recall/known_at"].map(|at| kept_then.pointer(at));
    assert!(is_kept.into_iter().all(|one| one.is_some_and(Value::is_i64)), "{kept_then}");
    assert_eq!(folder.json(&["search", "run", "Old quays"]).1["hits"], json!([]), "none was there then");
    let said = words(&folder.run(&["search", "list"]));
    assert!(said.contains("Old quays: quay (in all spaces, 1 at most, as of 20"), "{said}");
    assert!(said.contains("Wet quays: wet quay (in Harbour)"), "{said}");
    folder.run(&["search", "save", "Wet quays", "quay"]);
    let several = folder.run(&["search", "run", "Wet quays"]);
    assert!(code(&several) == 2 && words(&several).contains(kept["id"].as_str().unwrap()), "{}", words(&several));
    // It is dropped by what it is asked by.
    assert_eq!(code(&folder.run(&["search", "drop", "Wet quays"])), 2);
    let id = kept["id"].as_str().unwrap();
    let dropped = folder.run(&["search", "drop", &id[..id.len() - 1]]);
    assert!(code(&dropped) == 0 && words(&dropped).contains("Dropped \"Wet quays\"."), "{}", words(&dropped));
    assert_eq!(code(&folder.run(&["search", "drop", "OLD quays"])), 0);
    let (_, left) = folder.json(&["search", "list"]);
    let left: Vec<&Value> = left["searches"].as_array().unwrap().iter().map(|one| &one["recall"]["query"]).collect();
    assert_eq!(left, [&json!("quay")]);
}

#[test]
fn whatever_was_so_then_is_asked_for_in_the_same_ways() {
    let folder = Folder::new();
    let (_, entry) = folder.json(&["entry", "save", "guideline", "Commits", "Write why."]);
    let id = entry["entry"]["id"].as_str().unwrap();
    let (_, resource) = folder.json(&["resource", "put", "doc://quay", "It is wet."]);
    let related = ["relation", "add", "entry", id, "related_to", "resource", resource["id"].as_str().unwrap()];
    assert_eq!(code(&folder.run(&related)), 0);
    let item = format!("entry:{id}");
    let asks: [(&[&str], &str); 10] = [
        (&["entry", "list", "--as-of"], "/entries/0"),
        (&["entry", "list", "commits", "--as-of"], "/entries/0"),
        (&["resource", "tree", "--text", "wet", "--as-of"], "/children/0"),
        (&["query", "commits", "wet", "--as-of"], "/items/0"),
        (&["entry", "show", id, "--as-of"], "/entry"),
        (&["resource", "tree", "--as-of"], "/children/0"),
        (&["resource", "show", "doc://quay", "--as-of"], "/id"),
        (&["relation", "list", "--item", &item, "--as-of"], "/relations/0"),
        (&["relation", "list", "--item", &item, "--known-at"], "/relations/0"),
        (&["query", "--as-of"], "/items/0"),
    ];
    for (args, at) in asks {
        let is_there = |time: &str| folder.json(&[args, &[time]].concat()).1.pointer(at).is_some();
        for later in ["today", "2190-01-01", "2190-01-01T14:30", "2190", "6942499200000"] {
            assert!(is_there(later), "{args:?} {later}");
        }
        // What goes on record is so from then on; a relation that says nothing else held before.
        let is_so_always = at == "/relations/0" && args.contains(&"--as-of");
        for earlier in ["2001-02-03", "2001-02-03 14:30", "2001-02", "981173106000"] {
            assert_eq!(is_there(earlier), is_so_always, "{args:?} {earlier}");
        }
    }
}
