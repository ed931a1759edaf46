//! The reader of PDFs, with the real library in real child processes.

mod common;

use std::time::Instant;

use common::{fixture, locations, providers, shared, tool};
use um_engine::provider::{Cancel, PdfDocument, ProviderError, ProviderResult, WordPage};

fn open(name: &str, password: Option<&str>) -> ProviderResult<Box<dyn PdfDocument>> {
    providers().pdf.open(&fixture(name), password, &Cancel::default())
}

fn library() -> Option<()> {
    tool("pdfium").map(drop)
}

fn text(page: &WordPage) -> String {
    let mut text = String::new();
    let mut last = (0, 0);
    for word in &page.words {
        let place = (word.line, word.block);
        if !text.is_empty() {
            text.push_str(if place.1 != last.1 {
                "\n\n"
            } else if place.0 != last.0 {
                "\n"
            } else {
                " "
            });
        }
        text.push_str(&word.text);
        last = place;
    }
    text
}

const TEXT: &str = "The boiler is serviced every March.\nAnna keeps the spare key in the blue tin.\n\n\
    Train 4711 leaves for the lake.";

#[test]
fn words_come_with_boxes_lines_and_blocks() {
    let Some(()) = library() else { return };
    let mut pdf = open("text.pdf", None).unwrap();
    assert_eq!(pdf.page_count(), 1);
    assert_eq!(pdf.page_size(1).unwrap(), [595.0, 842.0]);
    let page = pdf.words(1).unwrap();
    assert_eq!(text(&page), TEXT);
    let [x, y, w, h] = page.words[0].bbox;
    // Written at 72 points from the left, with its base line 100 points below the upper edge, in 14 points.
    assert!((x - 72.0).abs() < 2.0 && y > 80.0 && y + h < 108.0 && w > 15.0 && h > 8.0, "{:?}", page.words[0]);
    assert!(page.words.iter().all(|word| word.confidence == 1.0));
}

#[test]
fn a_turned_page_has_its_words_where_they_are_shown() {
    let Some(()) = library() else { return };
    let mut pdf = open("turned.pdf", None).unwrap();
    assert_eq!(pdf.page_size(1).unwrap(), [842.0, 595.0]);
    let page = pdf.words(1).unwrap();
    // The picture proves it: there is ink inside a word's box, and none beside the text.
    let picture = pdf.render(1, 842).unwrap();
    assert_eq!(picture.dimensions(), (842, 595));
    let dark = |[x, y, w, h]: [f64; 4]| {
        let columns = x as u32..(x + w) as u32;
        columns
            .flat_map(|x| (y as u32..(y + h) as u32).map(move |y| (x, y)))
            .filter(|(x, y)| picture.get_pixel(*x, *y)[0] < 128)
            .count()
    };
    for word in &page.words {
        assert!(dark(word.bbox) > 5, "{word:?}");
    }
    assert_eq!(dark([10.0, 10.0, 100.0, 40.0]), 0);
}

#[test]
fn a_page_without_letters_has_no_words_and_a_picture() {
    let Some(()) = library() else { return };
    let mut pdf = open("mixed.pdf", None).unwrap();
    assert_eq!(pdf.page_count(), 2);
    assert_eq!(text(&pdf.words(1).unwrap()), "This page has letters.");
    assert_eq!(pdf.words(2).unwrap().words, []);
    let picture = pdf.render(2, 1000).unwrap();
    assert_eq!(picture.width(), 1000);
    assert!(picture.pixels().any(|pixel| pixel[0] < 50));
}

#[test]
fn a_picture_never_exceeds_its_bound() {
    let Some(()) = library() else { return };
    let picture = open("text.pdf", None).unwrap().render(1, 60_000).unwrap();
    let (width, height) = picture.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    assert!(pixels <= 40_000_000 && pixels > 38_000_000, "{width} x {height}");
}

#[test]
fn a_locked_file_waits_for_its_password() {
    let Some(()) = library() else { return };
    let wrong = |password| open("locked.pdf", password).map(|_| ()).unwrap_err();
    assert_eq!(wrong(None), ProviderError::PasswordNeeded { wrong: false });
    assert_eq!(wrong(Some("guess")), ProviderError::PasswordNeeded { wrong: true });
    let mut pdf = open("locked.pdf", Some("open sesame")).unwrap();
    assert_eq!(text(&pdf.words(1).unwrap()), TEXT);
}

#[test]
fn broken_files_and_pages_that_are_not_there_are_errors() {
    let Some(()) = library() else { return };
    assert!(matches!(open("broken.pdf", None), Err(ProviderError::Corrupt(_))));
    assert!(matches!(open("clear.png", None), Err(ProviderError::Corrupt(_))));
    assert!(matches!(open("absent.pdf", None), Err(ProviderError::Failed(_))));
    let mut pdf = open("text.pdf", None).unwrap();
    for page in [0, 2, u32::MAX] {
        assert!(matches!(pdf.words(page), Err(ProviderError::Corrupt(_))), "{page}");
    }
    assert!(pdf.words(1).is_ok());
}

#[test]
fn without_the_library_the_error_says_how_to_get_it() {
    let mut nowhere = locations("no-models-here".as_ref());
    nowhere.tools_dirs.clear();
    let providers = um_providers::with_locations(nowhere);
    match providers.pdf.open(&fixture("text.pdf"), None, &Cancel::default()) {
        Err(error @ ProviderError::ToolMissing { .. }) => {
            let words = error.to_string();
            assert!(words.starts_with("pdfium, which reads PDFs, is not installed. ") && words.contains("libpdfium"));
            assert!(
                !["dlopen", "DlOpen", "os error", "Os {", "Error("].iter().any(|raw| words.contains(raw)),
                "{words}"
            );
        }
        // A system may have the library of its own.
        other => assert!(other.is_ok()),
    }
}

#[test]
fn a_cancelled_reading_stops() {
    let Some(()) = library() else { return };
    let cancel = Cancel::default();
    let mut pdf = providers().pdf.open(&fixture("text.pdf"), None, &cancel).unwrap();
    cancel.cancel();
    assert_eq!(pdf.words(1), Err(ProviderError::Cancelled));
}

#[test]
fn a_process_whose_parent_is_gone_ends() {
    use std::process::{Command, Stdio};
    let Some(library) = tool("pdfium/libpdfium.so") else {
        return;
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_um-pdf-child"));
    command.arg("__pdf-child").arg(library).arg(fixture("text.pdf"));
    // The end of its input is all that a process learns of its parent's end.
    let ended = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(!ended.success());
}

/// What a hostile file can do to the process that reads it.
#[cfg(unix)]
#[test]
fn a_process_that_dies_is_an_error_of_that_file() {
    let mut deadly = locations("no-models-here".as_ref());
    deadly.pdf_child = "/bin/false".into();
    let opened = um_providers::with_locations(deadly).pdf.open(&fixture("text.pdf"), None, &Cancel::default());
    assert!(matches!(opened, Err(ProviderError::Corrupt(why)) if why.contains("ended its process")));
}

/// A zlib stream of so many equal bytes: by the codes that every reader knows (RFC 1951, 3.2.6), a byte once, and then that it
/// comes 258 times more, again and again.
fn packed(byte: u8, times: usize) -> Vec<u8> {
    let (mut bits, mut add) = (Vec::new(), 0);
    let mut put = |code: u32, length: u32, from_high: bool| {
        for bit in 0..length {
            let bit = if from_high { code >> (length - 1 - bit) } else { code >> bit } & 1;
            match add % 8 {
                0 => bits.push(bit as u8),
                at => *bits.last_mut().unwrap() |= (bit as u8) << at,
            }
            add += 1;
        }
    };
    put(0b011, 3, false);
    put(0x30 + u32::from(byte), 8, true);
    for _ in 0..times / 258 {
        // The length of 258, and the distance of one.
        put(0b1100_0101, 8, true);
        put(0, 5, true);
    }
    put(0, 7, true);
    [&[0x78, 0x9c], &bits[..], &[0; 4]].concat()
}

/// A PDF of one page, whose words come after a stream.
fn after(stream: &[u8], filter: &str) -> Vec<u8> {
    let head = "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n\
                2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n\
                3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R >>\nendobj\n";
    let length = stream.len();
    let begin = format!("4 0 obj\n<< /Filter {filter} /Length {length} >>\nstream\n");
    let end = "\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n";
    [head.as_bytes(), begin.as_bytes(), stream, end.as_bytes()].concat()
}

/// Streams that unpack to far more than there is: the process that reads them ends or does without, and this one goes on.
#[test]
fn a_stream_that_unpacks_beyond_measure_costs_one_reading() {
    let Some(()) = library() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.pdf");
    for (what, bytes) in [
        ("a gigabyte of spaces", after(&packed(b' ', 1 << 30), "/FlateDecode")),
        ("four of them", after(&packed(b' ', 4 << 30), "/FlateDecode")),
        (
            "a stream that names its filter often",
            after(&packed(b' ', 1 << 28), &format!("[{}]", "/FlateDecode ".repeat(100))),
        ),
    ] {
        assert!(bytes.len() < 32 << 20, "{what}: {} bytes", bytes.len());
        std::fs::write(&path, bytes).unwrap();
        let begun = Instant::now();
        let read = providers().pdf.open(&path, None, &Cancel::default()).and_then(|mut pdf| pdf.words(1));
        println!("{what}: {:?} in {:.1?}", read.as_ref().map(|page| page.words.len()), begun.elapsed());
        assert!(read.as_ref().map_or(true, |page| page.words.is_empty()), "{what}: {read:?}");
        assert!(begun.elapsed().as_secs() < 90, "{what} took {:?}", begun.elapsed());
    }
    assert!(open("text.pdf", None).unwrap().words(1).is_ok(), "the next file is read");
}

/// The real data: nothing may crash this process or hang, whatever becomes of the file.
#[test]
fn real_and_odd_files_all_end() {
    let (Some(()), Some(folder)) = (library(), shared("pdf")) else {
        return;
    };
    let mut files: Vec<_> = [folder.clone(), folder.join("odd")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap().flatten())
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    let providers = providers();
    let mut counts = std::collections::BTreeMap::<String, u32>::new();
    for file in &files {
        let started = Instant::now();
        let read = providers.pdf.open(file, None, &Cancel::default()).and_then(|mut pdf| {
            let mut words = 0;
            for page in 1..=pdf.page_count() {
                let here = pdf.words(page)?;
                assert!(here.words.iter().all(|w| !w.text.is_empty() && !w.text.contains(char::is_whitespace)));
                words += here.words.len();
                let picture = pdf.render(page, 1000)?;
                assert!(picture.width() <= 1000);
            }
            Ok((pdf.page_count(), words))
        });
        let seconds = started.elapsed().as_secs_f32();
        println!("{:<45} {seconds:5.2} s  {read:?}", file.file_name().unwrap().to_string_lossy());
        let kind =
            read.map_or_else(|e| format!("{e:?}").split(['(', ' ']).next().unwrap().to_string(), |_| "read".into());
        *counts.entry(kind).or_default() += 1;
        assert!(seconds < 60.0, "{} took {seconds} s", file.display());
    }
    println!("{} files: {counts:?}", files.len());
    assert!(counts["read"] as usize > files.len() * 3 / 4);
}
