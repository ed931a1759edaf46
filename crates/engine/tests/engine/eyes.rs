//! The eyes that look for what was forgotten see a word in whatever it is wrapped in.

use crate::support::inputs::{self, Page};
use crate::support::traces;
use std::io::{Cursor, Write};

/// An archive of one member.
fn zip(name: &str, bytes: &[u8], method: zip::CompressionMethod) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(name, zip::write::SimpleFileOptions::default().compression_method(method)).unwrap();
    zip.write_all(bytes).unwrap();
    zip.finish().unwrap().into_inner()
}

/// A PNG of these pixels, with every row filtered in this way.
fn png(text: &str, filter: image::codecs::png::FilterType) -> Vec<u8> {
    let (picture, mut file) = (inputs::picture(text), Vec::new());
    let best = image::codecs::png::CompressionType::Best;
    let encoder = image::codecs::png::PngEncoder::new_with_quality(&mut file, best, filter);
    let (width, height) = picture.dimensions();
    image::ImageEncoder::write_image(encoder, picture.as_raw(), width, height, image::ExtendedColorType::Rgb8).unwrap();
    file
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    [&[0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3], &b"name.txt\0"[..], &inputs::zlib(bytes)[2..], &[0; 8]].concat()
}

/// A database with a row over many pages.
fn database(row: &[u8], page: u32) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let db = rusqlite::Connection::open(&path).unwrap();
    db.execute_batch(&format!("PRAGMA page_size = {page}; CREATE TABLE t (a BLOB, n INTEGER)")).unwrap();
    for (row, number) in [(&[7; 9_000][..], 1), (row, 2), (&[9; 20][..], 3)] {
        db.execute("INSERT INTO t VALUES (?1, ?2)", rusqlite::params![row, number]).unwrap();
    }
    drop(db);
    std::fs::read(path).unwrap()
}

/// A PDF as a program prints them.
const PRINTED: &[u8] = include_bytes!("../../../providers/tests/fixtures/text.pdf");

#[test]
fn a_word_is_seen_in_whatever_it_is_wrapped_in() {
    use image::codecs::png::FilterType;
    use zip::CompressionMethod::{Deflated, Stored};
    // Words that compress, so that the word is nowhere as it is, and noise, so that a row is long.
    let text = format!("{} Zorvexian {}", "a line of many words, ".repeat(40), "and of more words; ".repeat(40));
    let noise: Vec<u8> = (0u32..9_000).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let long = [&noise, text.as_bytes(), &noise].concat();
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let packed = zip("a.txt", text.as_bytes(), Deflated);
    for (what, bytes, how) in [
        ("plain", text.clone().into_bytes(), "a.bin at"),
        ("UTF-16, the high byte first", wide.clone(), "a.bin at"),
        ("UTF-16, the low byte first", text.encode_utf16().flat_map(u16::to_le_bytes).collect(), "a.bin at"),
        ("a stored member", zip("a.txt", text.as_bytes(), Stored), "a.bin at"),
        ("a member", packed.clone(), "zip at"),
        ("a document", inputs::docx(&[&text]), "zip at"),
        ("a member in UTF-16", zip("a.txt", &wide, Deflated), "zip at"),
        ("a long member", zip("a.txt", &long, Deflated), "zip at"),
        ("an archive in an archive", zip("b.zip", &packed, Deflated), "zip at 0 > zip at 0"),
        ("gzip", gzip(text.as_bytes()), "gzip at"),
        ("a PDF's stream", inputs::pdf(None, &[Page::Text(text.clone())]), "zlib at"),
        ("a PDF that was printed", PRINTED.to_vec(), "base 85 at"),
        ("a picture", inputs::png(&text), "png at"),
        ("a picture, its rows by what is left", png(&text, FilterType::Sub), "png at"),
        ("a picture, its rows by what is above", png(&text, FilterType::Up), "png at"),
        ("a picture, its rows by both", png(&text, FilterType::Avg), "png at"),
        ("a picture, its rows by the nearest", png(&text, FilterType::Paeth), "png at"),
        ("a row", database(&zip("a.txt", &long, Deflated), 4096), "zip at"),
        ("a row of large pages", database(&zip("a.txt", &long, Deflated), 65_536), "zip at"),
        ("a picture in a row of small pages", database(&inputs::png(&text), 512), "png at"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let is_printed = bytes == PRINTED;
        std::fs::write(folder.path().join("a.bin"), bytes).unwrap();
        let word = if is_printed { "spare key" } else { "zorvexian" };
        let seen = traces(folder.path(), word);
        assert!(seen.iter().any(|place| place.contains(how)), "{what}: {seen:?}");
        assert_eq!(traces(folder.path(), "zorvexiam"), [""; 0], "{what}");
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("of Zorvexian.txt"), "").unwrap();
    assert_eq!(traces(folder.path(), "zorvexian").len(), 1, "a file's name");
}
