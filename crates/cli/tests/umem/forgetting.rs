//! Forgetting by the real program, of files that the real readers read: nothing is left in any byte once the service ended.

#[path = "../../../engine/tests/support/eyes.rs"]
mod eyes;

use crate::support::{Folder, code, words};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A part of the repository.
fn part(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The sum at the end of a member of an archive (CRC-32).
fn sum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 })
    })
}

/// A text packed letter by letter, by the codes that every reader knows (RFC 1951, 3.2.6): no word stands in it as it is.
fn packed(text: &str) -> Vec<u8> {
    let codes = text.bytes().map(|byte| (u32::from(byte) + 0x30, 8)).chain([(0, 7)]);
    let bits = codes.flat_map(|(code, length)| (0..length).rev().map(move |bit| code >> bit & 1));
    let bits: Vec<u32> = [1, 1, 0].into_iter().chain(bits).collect();
    bits.chunks(8).map(|byte| byte.iter().rev().fold(0, |byte, bit| byte << 1 | *bit as u8)).collect()
}

/// A word processor's document of one paragraph in ASCII.
fn docx(paragraph: &str) -> Vec<u8> {
    let document = format!("<w:document><w:body><w:p><w:r><w:t>{paragraph}</w:t></w:r></w:p></w:body></w:document>");
    let (mut file, mut listed) = (Vec::new(), Vec::new());
    for (name, text) in [("[Content_Types].xml", "<Types/>"), ("word/document.xml", &document)] {
        let (body, begin) = (packed(text), file.len() as u32);
        let mut about = vec![20, 0, 0, 0, 8, 0, 0, 0, 0, 0];
        about.extend(sum(text.as_bytes()).to_le_bytes());
        about.extend((body.len() as u32).to_le_bytes());
        about.extend((text.len() as u32).to_le_bytes());
        about.extend((name.len() as u32).to_le_bytes());
        file.extend([b"PK\x03\x04", &about[..], name.as_bytes(), &body].concat());
        let place = [&[0; 10][..], &begin.to_le_bytes()].concat();
        listed.extend([b"PK\x01\x02\x14\0", &about[..], &place, name.as_bytes()].concat());
    }
    let begin = file.len() as u32;
    let ends = [&(listed.len() as u32).to_le_bytes()[..], &begin.to_le_bytes(), &[0, 0]].concat();
    file.extend([&listed, &b"PK\x05\x06\0\0\0\0\x02\0\x02\0"[..], &ends].concat());
    file
}

/// Whether a file was read; says why not, where what reads it is not there.
fn is_read(file: &Value) -> bool {
    let reason = file["reason"]["code"].as_str().unwrap_or_default();
    let is_read = file["state"] == "done" || (file["state"] == "waiting_for_model" && file["reading"] != "failed");
    if reason == "tool_missing" {
        eprintln!("in part skipped: {}: {}", file["path"], file["reason"]["message"]);
        return false;
    }
    assert!(is_read, "{file}");
    true
}

#[test]
fn what_the_real_readers_read_is_gone_from_every_byte_once_the_service_ended() {
    let folder = Folder::new();
    // What is kept.
    folder.run(&["remember", "The gardener waters the roses each Friday.", "--space", "default"]);
    folder.run(&["facts", "add", "Bo Lund", "lives in", "Uppsala", "--space", "default"]);
    let kept = folder.file("kept/plants.md", "# Plants\n\nRoses and tulips stand in the yard.");
    folder.run(&["ingest", kept.to_str().unwrap(), "--space", "default", "--wait"]);

    // What goes: by its owner, and by what it says. The words are those that the readers find in the files.
    let bytes = |path: &str| std::fs::read(part(path)).unwrap();
    let files = [
        ("zorvexmeadow.png", bytes("samples/train-ticket.png"), &["KX4417", "Marlow to Larch"][..]),
        ("zorvexvalley.pdf", bytes("crates/providers/tests/fixtures/text.pdf"), &["boiler", "spare key"]),
        ("zorvexharbour.docx", docx("The zorvexdocx of Ada is told in a letter."), &["zorvexdocx"]),
        ("zorvexisland.txt", b"Just zorvextext and more.".to_vec(), &["zorvextext"]),
    ];
    let place = folder.0.path().join("files");
    std::fs::create_dir(&place).unwrap();
    for (name, bytes, _) in &files {
        std::fs::write(place.join(name), bytes).unwrap();
    }
    let bring_in = ["ingest", place.to_str().unwrap(), "--space", "default", "--owner", "Zorvexia", "--wait"];
    let (exit, came) = folder.json(&bring_in);
    let came = came["files"].as_array().unwrap();
    assert_eq!((came.len(), exit == 2), (4, false), "{came:?}");
    let is_read = |name: &str| {
        let ends = |file: &&Value| file["path"].as_str().unwrap().ends_with(name);
        is_read(came.iter().find(ends).unwrap())
    };
    let read: Vec<_> = files.iter().filter(|(name, ..)| is_read(name)).collect();
    folder.run(&["remember", "The zorvexsecret was told on Monday.", "--space", "default"]);
    folder.run(&["facts", "add", "Zorvexander Vane", "lives in", "Zorvexton", "--space", "default"]);
    folder.run(&["jobs", "--wait"]);

    // The eyes see all of it, in the folder of a service that ended.
    folder.run(&["stop"]);
    let seen = eyes::traces(&folder.data(), "zorvex");
    for (said, how) in [
        ("zorvexsecret", "memory.db at"),
        ("zorvexander", "memory.db at"),
        ("zorvextext", "memory.db at"),
        ("zorvexdocx", "zip at"),
    ] {
        assert!(
            seen.iter().any(|place| place.to_lowercase().contains(said) && place.contains(how)),
            "{said}: {seen:#?}"
        );
    }
    for word in read.iter().flat_map(|(_, _, words)| *words) {
        assert!(!eyes::traces(&folder.data(), word).is_empty(), "{word} was read");
    }
    for (name, bytes, _) in &files[..3] {
        let there = eyes::files_with(&folder.data(), &eyes::stretches(bytes));
        assert!(!there.is_empty(), "{name} is kept");
    }

    let forget = |what: &[&str]| {
        let (exit, report) = folder.json(&[&["forget"], what, &["--yes"]].concat());
        let told = (exit, &report["status"], &report["proof"]["left"]);
        assert_eq!(told, (0, &json!("done"), &json!(0)), "{what:?}: {report}");
    };
    forget(&["--owner", "Zorvexia"]);
    forget(&["--query", "zorvexsecret"]);
    forget(&["--entity", "Zorvexander Vane"]);
    assert_eq!(code(&folder.run(&["stop"])), 0);

    for word in ["zorvex"].iter().chain(read.iter().flat_map(|(_, _, words)| *words)) {
        let left = eyes::traces(&folder.data(), word);
        assert!(left.is_empty(), "{} of {word} left: {:#?}", left.len(), &left[..left.len().min(5)]);
    }
    for (name, bytes, _) in &files[..3] {
        assert_eq!(eyes::files_with(&folder.data(), &eyes::stretches(bytes)), [], "of {name}");
    }
    let doctor = folder.run(&["doctor"]);
    assert_eq!(code(&doctor), 0, "{}", words(&doctor));
    let (_, found) = folder.json(&["recall", "roses"]);
    let matches = |hit: &&Value| !hit["matches"].as_array().unwrap().is_empty();
    assert_eq!(found["hits"].as_array().unwrap().iter().filter(matches).count(), 2, "{found}");
    let (_, facts) = folder.json(&["facts", "list"]);
    assert!(facts.to_string().contains("Uppsala"), "{facts}");
}

/// The bytes of base64.
fn unpacked(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => u32::from(c - b'A'),
        b'a'..=b'z' => u32::from(c - b'a') + 26,
        b'0'..=b'9' => u32::from(c - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|c| *c != b'=').collect();
    let of_four = |four: &[u8]| {
        let bits = four.iter().enumerate().fold(0, |bits, (at, c)| bits | value(*c) << (18 - 6 * at));
        bits.to_be_bytes()[1..four.len()].to_vec()
    };
    letters.chunks(4).flat_map(of_four).collect()
}

#[test]
fn a_pdf_is_kept_as_pictures_of_its_pages_without_the_words() {
    let folder = Folder::new();
    let file = folder.0.path().join("notes.pdf");
    std::fs::copy(part("crates/providers/tests/fixtures/text.pdf"), &file).unwrap();
    let (_, came) = folder.json(&["ingest", file.to_str().unwrap(), "--space", "default", "--wait"]);
    if !is_read(&came["files"][0]) {
        return;
    }
    let id = came["files"][0]["artifact_id"].as_str().unwrap().to_owned();
    let call = |operation: &str, request: Value| {
        let (exit, answer) = folder.json(&["call", operation, &request.to_string()]);
        assert_eq!(exit, 0, "{operation}: {answer}");
        answer
    };
    let marked = call("findings_mark", json!({"artifact": id, "words": "spare key"}));
    call("findings_decide", json!({"decision": "accept", "ids": marked["marked"]}));
    let applied = call("redaction_apply", json!({"artifact": id}));
    assert_eq!((&applied["kept_as"], &applied["proof"]["left"]), (&json!("pages"), &json!(0)), "{applied}");
    let kept = applied["artifact_id"].as_str().unwrap();
    let (_, found) = folder.json(&["recall", "boiler"]);
    assert_eq!(found["hits"][0]["ids"]["artifact"], json!(kept), "{found}");

    // What is drawn there: read by somebody who has nothing but the file.
    let media = call("media_read", json!({"id": kept, "what": "original"}));
    assert_eq!(media["mime_type"], "application/pdf");
    let bytes = unpacked(media["base64"].as_str().unwrap());
    assert!(!String::from_utf8_lossy(&bytes).contains("/Font"));
    let other = Folder::new();
    let file = other.0.path().join("kept.pdf");
    std::fs::write(&file, bytes).unwrap();
    let (_, came) = other.json(&["ingest", file.to_str().unwrap(), "--space", "default", "--wait"]);
    if is_read(&came["files"][0]) {
        let (_, found) = other.json(&["get", came["files"][0]["artifact_id"].as_str().unwrap()]);
        let views = found["views"].as_array().unwrap();
        let text: String = views
            .iter()
            .map(|view| {
                let (_, read) = other.json(&["call", "view_read", &json!({"id": view["id"]}).to_string()]);
                read["text"].as_str().unwrap().to_owned()
            })
            .collect();
        assert!(text.contains("boiler") && text.contains("blue tin"), "{text}");
        assert!(!text.contains("spare") && !text.contains("key"), "{text}");
    }
}
