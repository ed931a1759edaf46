//! Paths and files that mean ill: each is refused with an error that says so, or kept unread, and the engine goes on.
#![cfg(unix)]

use crate::support::{Rig, SPACE, inputs};
use std::ffi::CString;
use std::io::{Cursor, Write};
use std::os::unix::fs::symlink;
use std::path::Path;
use um_engine::Caller;
use um_model::capture::*;
use um_model::recall::MemoryRecall;
use um_model::{ArtifactId, ErrorCode};

/// What somebody is told of each file that they bring in by a path.
fn brings_in(rig: &Rig, who: &Caller, path: &str) -> Vec<Result<String, ErrorCode>> {
    let request = MemoryIngest { paths: vec![path.to_owned()], space: SPACE.to_owned(), ..MemoryIngest::default() };
    let files = rig.engine().run(who, request).unwrap().files;
    let told = |file: IngestedFile| match file.error {
        Some(error) => Err(error.code),
        None => Ok(Path::new(&file.path).file_name().unwrap().to_string_lossy().into_owned()),
    };
    files.into_iter().map(told).collect()
}

fn goes_on(rig: &Rig) {
    rig.remember("The heron stands in the reeds.");
    rig.settled();
    assert_eq!(rig.found("heron").len(), 1);
}

#[test]
fn paths_lead_nowhere_but_to_files() {
    let rig = Rig::new();
    let (person, agent) = (Caller::owner("test"), rig.agent_in("bot", &[SPACE], &[]));
    let folder = rig.folder();
    rig.file("in/plain.txt", "A plain text.");
    rig.open_to("bot", &[&folder.join("in")]).unwrap();
    rig.file("outside/secret.txt", "zorvexq");
    let inside = folder.join("in");
    symlink(folder.join("outside"), inside.join("a folder elsewhere")).unwrap();
    symlink(folder.join("outside/secret.txt"), inside.join("a file elsewhere.txt")).unwrap();
    symlink(rig.data(), inside.join("the data folder")).unwrap();
    symlink("loop", inside.join("loop")).unwrap();
    let pipe = CString::new(inside.join("pipe").to_str().unwrap()).unwrap();
    // SAFETY: the path is a string that ends with a zero.
    assert_eq!(unsafe { libc::mkfifo(pipe.as_ptr(), 0o600) }, 0);
    let _socket = std::os::unix::net::UnixListener::bind(inside.join("socket")).unwrap();
    let data = rig.data().display().to_string();
    let shown = |path: &str| inside.join(path).display().to_string();
    let invalid = ErrorCode::InvalidRequest;
    for (path, expected) in [
        ("", invalid),
        ("../../../etc/passwd", invalid),
        ("~/.ssh/id_rsa", invalid),
        ("file:///etc/passwd", invalid),
        ("/nowhere/at/all", ErrorCode::Io),
        ("/etc/pass\0wd", ErrorCode::Io),
        (&"/a".repeat(5_000), ErrorCode::Io),
        (&shown("pipe"), invalid),
        (&shown("socket"), invalid),
        (&shown("loop"), ErrorCode::Io),
        ("/dev/zero", invalid),
        ("/dev/stdin", invalid),
        (&data, invalid),
        (&format!("{data}/memory.db"), invalid),
        (&format!("{data}/person.token"), invalid),
        (&format!("{data}/../{}/memory.db", rig.data().file_name().unwrap().to_str().unwrap()), invalid),
        (&shown("the data folder"), invalid),
        (&shown("the data folder/memory.db"), invalid),
    ] {
        if path == "/dev/stdin" && Path::new(path).is_file() {
            continue;
        }
        // What is no path of the data folder may not be there at all.
        let told = brings_in(&rig, &person, path);
        let is_missing = told == [Err(ErrorCode::Io)] && path.ends_with(".token");
        assert!(told == [Err(expected)] || is_missing, "{path:?}: {told:?}");
        // To an agent, what is not there and what is closed is one.
        let is_open = !path.starts_with('/') || ["pipe", "socket"].map(shown).iter().any(|open| open == path);
        let expected = if is_open { expected } else { ErrorCode::Forbidden };
        assert_eq!(brings_in(&rig, &agent, path), [Err(expected)], "{path:?}");
    }
    assert_eq!(brings_in(&rig, &agent, inside.to_str().unwrap()), [Ok("plain.txt".to_owned())], "links lead out");
    assert_eq!(rig.count("SELECT count(*) FROM artifacts"), 1);
    rig.settled();
    let agent_finds = rig.engine().run(&agent, MemoryRecall { query: "zorvexq".into(), ..MemoryRecall::default() });
    assert!(agent_finds.unwrap().hits.iter().all(|hit| !hit.quote.contains("zorvexq")));
    goes_on(&rig);
}

#[test]
fn a_watched_folder_ends_where_its_links_lead_out() {
    let rig = Rig::new();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.txt"), "zorvexq").unwrap();
    rig.file("plain.txt", "A plain text.");
    symlink(outside.path(), rig.folder().join("elsewhere")).unwrap();
    symlink(outside.path().join("secret.txt"), rig.folder().join("link.txt")).unwrap();
    let pipe = CString::new(rig.folder().join("pipe.txt").to_str().unwrap()).unwrap();
    // SAFETY: the path is a string that ends with a zero.
    assert_eq!(unsafe { libc::mkfifo(pipe.as_ptr(), 0o600) }, 0);
    rig.watch(|_| ());
    rig.rescan();
    assert_eq!(rig.count("SELECT count(*) FROM artifacts"), 1);
    // A file that becomes a link is no longer that file.
    std::fs::remove_file(rig.folder().join("plain.txt")).unwrap();
    symlink(outside.path().join("secret.txt"), rig.folder().join("plain.txt")).unwrap();
    rig.rescan();
    assert!(rig.found("zorvexq").is_empty());
    goes_on(&rig);
}

/// The memory that this process has in use, in bytes; 0 where the system does not say.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or_default() * 4096
}

/// A document that says this many megabytes, with these files beside it in its archive.
fn bomb(megabytes: usize, beside: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    zip.start_file("[Content_Types].xml", options).unwrap();
    zip.write_all(b"<Types/>").unwrap();
    zip.start_file("word/document.xml", options).unwrap();
    zip.write_all(b"<w:document><w:body><w:p><w:r><w:t>A bittern booms. ").unwrap();
    let piece = vec![b'a'; 1 << 20];
    for _ in 0..megabytes {
        zip.write_all(&piece).unwrap();
    }
    zip.write_all(b"</w:t></w:r></w:p></w:body></w:document>").unwrap();
    for (name, bytes) in beside {
        zip.start_file(name.as_str(), options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// An archive of an archive of ..., each of ten copies of the next one in.
fn nested(depth: usize) -> Vec<u8> {
    let innermost = bomb(10, &[]);
    (0..depth).fold(innermost, |inner, _| {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for number in 0..10 {
            zip.start_file(format!("{number}.zip"), zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(&inner).unwrap();
        }
        zip.finish().unwrap().into_inner()
    })
}

/// A PNG of so many grey pixels a side, all of them black, with these chunks before them.
fn black(side: u32, before: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    fn sum(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0u32, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 })
        })
    }
    let chunk = |kind: &[u8; 4], body: &[u8]| {
        let said = [&kind[..], body].concat();
        [&(body.len() as u32).to_be_bytes()[..], &said, &sum(&said).to_be_bytes()].concat()
    };
    let head = [&side.to_be_bytes()[..], &side.to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
    let rows = vec![0; (side as usize + 1) * side as usize];
    // The sum of a zlib stream of zeros: their number, beside a one.
    let sum = ((rows.len() % 65_521) as u32) << 16 | 1;
    let packed = [&inputs::zlib(&rows)[..], &sum.to_be_bytes()].concat();
    let before: Vec<u8> = before.iter().flat_map(|(kind, body)| chunk(kind, body)).collect();
    [b"\x89PNG\r\n\x1a\n", &chunk(b"IHDR", &head)[..], &before, &chunk(b"IDAT", &packed), &chunk(b"IEND", &[])].concat()
}

/// A colour profile that unpacks to so many megabytes.
fn profile(megabytes: usize) -> (&'static [u8; 4], Vec<u8>) {
    (b"iCCP", [&b"a\0\0"[..], &inputs::zlib(&vec![0; megabytes << 20])].concat())
}

#[test]
fn what_unpacks_beyond_measure_is_kept_and_read_no_further_than_it_may() {
    let beside = |count: usize| (0..count).map(|number| (format!("{number}.xml"), Vec::new())).collect::<Vec<_>>();
    let archives = |depth| [("word/embeddings/a.zip".to_owned(), nested(depth))];
    let unread = Err(ErrorCode::UnsupportedType);
    for (name, bytes, expected) in [
        ("bomb.docx", bomb(300, &[]), unread),
        ("archives.zip", nested(3), unread),
        // What lies beside the text is not unpacked.
        ("archives.docx", bomb(0, &archives(3)), Ok("bittern")),
        ("members.docx", bomb(0, &beside(60_000)), unread),
        ("members.zip", bomb(0, &beside(60_000)), unread),
        ("few.docx", bomb(0, &beside(500)), Ok("bittern")),
        ("black.png", black(11_000, &[]), unread),
        ("profile.png", black(8, &[profile(300)]), Ok("")),
    ] {
        let rig = Rig::new();
        assert!(bytes.len() < 8 << 20, "{name}: {} bytes", bytes.len());
        let before = resident();
        let file = rig.ingest(name, bytes);
        // Of what there is no reader for, none begins.
        let reading = || rig.artifact(&file).summary.reading;
        rig.until("its reading ended", || reading().is_none_or(|reading| reading.status.is_settled()));
        let grown = resident().saturating_sub(before);
        assert!(grown < 512 << 20, "{name}: {grown} bytes more are in use");
        let told = match reading() {
            Some(reading) => reading.error.map_or(Ok(()), |error| Err(error.code)),
            None => Err(ErrorCode::UnsupportedType),
        };
        match expected {
            Ok(word) => {
                assert_eq!(told, Ok(()), "{name}");
                rig.settled();
                assert!(word.is_empty() || rig.found(word).len() == 1, "{name}");
            }
            Err(code) => assert_eq!(told, Err(code), "{name}"),
        }
        goes_on(&rig);
    }
}

#[test]
fn scripts_in_pages_and_drawings_reach_nobody() {
    let rig = Rig::new();
    let script = "<script>alert('zorvexq')</script>";
    for (name, bytes) in [
        ("drawing.svg", format!("<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"x()\">{script}</svg>")),
        ("page.html", format!("<html><body onload=\"x()\">{script}<p>A heron.</p><iframe src=\"file:///\"></iframe>")),
        ("page.xhtml", format!("<?xml version=\"1.0\"?><html>{script}<p>A heron.</p></html>")),
    ] {
        let file = rig.ingest(name, bytes);
        rig.settled();
        let read = |part: MediaPart| rig.run(MediaRead { id: file.clone(), part }).map(|media| media.mime_type);
        // All that the window shows: pixels and samples that were decoded here, never what the file itself says.
        for part in [
            MediaPart::Upright,
            MediaPart::Thumbnail,
            MediaPart::Page { page: 1, width: 300 },
            MediaPart::Sound,
            MediaPart::Waveform { bins: 8 },
        ] {
            let answer = read(part);
            assert!(answer.is_err(), "{name}: {answer:?}");
        }
        let views: Vec<String> = rig.artifact(&file).views.iter().map(|view| text_of(&rig, &view.id)).collect();
        assert!(name.ends_with(".svg") || views.iter().all(|text| !text.contains("alert")), "{name}: {views:?}");
    }
    goes_on_html(&rig);
}

fn goes_on_html(rig: &Rig) {
    rig.remember("The bittern stands in the reeds.");
    rig.settled();
    assert_eq!(rig.found("bittern").len(), 1);
}

fn text_of(rig: &Rig, view: &um_model::ViewId) -> String {
    rig.run(ViewRead { id: view.clone(), span: None }).unwrap().text
}

#[test]
fn files_that_lie_about_what_they_are_cost_one_reading() {
    let rig = Rig::new();
    let mut files: Vec<ArtifactId> = Vec::new();
    for (name, bytes) in [
        ("half.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xff\xff\xff\xff\xff\xff\xff\x08\x06\0\0\0".to_vec()),
        ("half.docx", bomb(1, &[])[..200].to_vec()),
        ("half.wav", b"RIFF\xff\xff\xff\xffWAVEfmt \xff\xff\xff\xff".to_vec()),
        ("half.pdf", b"%PDF-1.7\n1 0 obj << /Length 99999999999 >> stream".to_vec()),
    ] {
        files.push(rig.ingest(name, bytes));
    }
    rig.settled();
    for file in files {
        if let Some(reading) = rig.artifact(&file).summary.reading {
            assert!(reading.status.is_settled(), "{reading:?}");
        }
    }
    goes_on(&rig);
}
