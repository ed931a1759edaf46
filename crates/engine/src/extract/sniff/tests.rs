use super::*;

fn kind(bytes: &[u8], name: &str) -> (String, Modality, Reader) {
    let found = sniff_bytes(bytes, name);
    (found.mime_type, found.modality, found.reader)
}

fn check(bytes: &[u8], name: &str, mime: &str, modality: Modality, reader: Reader) {
    assert_eq!(
        kind(bytes, name),
        (mime.to_owned(), modality, reader),
        "{name}: {:02x?}",
        &bytes[..bytes.len().min(24)]
    );
}

#[test]
fn kinds_of_text_are_told_by_content_then_name() {
    use Modality::{Html, Source, Text};
    check(b"", "empty", "text/plain", Text, Reader::Text);
    check(b"words", "notes", "text/plain", Text, Reader::Text);
    check(b"# Words", "notes.MD", "text/markdown", Text, Reader::Markdown);
    check(b"fn main() {}", "main.rs", "text/x-rust", Source, Reader::Source);
    check(b"a,b\n1,2", "t.csv", "text/csv", Text, Reader::Text);
    check(b"#!/bin/sh\necho", "run", "text/x-script", Source, Reader::Source);
    check(b"all:", "Makefile", "text/x-makefile", Source, Reader::Source);
    check(b" <!-- c -->\n<!DOCTYPE html><p>x", "page.txt", "text/html", Html, Reader::Html);
    check(b"<?xml version='1.0'?><html xmlns='x'>", "page", "text/html", Html, Reader::Html);
    check(b"<p>x</p>", "part.html", "text/html", Html, Reader::Html);
    check(b"<p>x</p>", "part", "text/plain", Text, Reader::Text);
    check(b"<htmlx>", "part", "text/plain", Text, Reader::Text);
    check(b"<?xml version='1.0'?><svg>", "a", "image/svg+xml", Source, Reader::Source);
    check(b"<?xml version='1.0'?><feed>", "a", "text/xml", Source, Reader::Source);
    check(b"{\\rtf1 x}", "a.txt", "application/rtf", Modality::Document, Reader::None);
}

#[test]
fn a_text_may_begin_like_a_picture() {
    for text in ["BMW builds cars", "ID3 is a tag", "MZ and PE", "GIF89a is a name", "OggS, RIFF and fLaC", "II* MM"] {
        check(text.as_bytes(), "a.txt", "text/plain", Modality::Text, Reader::Text);
    }
}

#[test]
fn text_in_any_encoding_is_text() {
    let utf16: Vec<u8> = [0xFEFF].into_iter().chain("Größe 😀".encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let latin = encoding_rs::WINDOWS_1252.encode("Größe und Maß für Süden").0.into_owned();
    let cyrillic = encoding_rs::WINDOWS_1251.encode("Завтра утром мы поедем в город").0.into_owned();
    let japanese =
        encoding_rs::SHIFT_JIS.encode("明日の会議は午後三時から始まります。\n資料を忘れずに。\n").0.into_owned();
    for bytes in [utf16.as_slice(), &latin, &cyrillic, "日本語 😀".as_bytes(), b"a\x1b[0m\tb\x0c\r\n"] {
        check(bytes, "a", "text/plain", Modality::Text, Reader::Text);
    }
    check(&japanese, "a.txt", "text/plain", Modality::Text, Reader::Text);
    check(b"line\0 with a NUL, in a file that says it is text", "a.log", "text/plain", Modality::Text, Reader::Text);
    // A head that ends inside a character.
    let long = format!("a{}", "é".repeat(HEAD));
    check(long.as_bytes(), "a", "text/plain", Modality::Text, Reader::Text);
}

#[test]
fn signatures_stand_above_names() {
    use Modality::{Audio, Image, Other, Pdf, Video};
    let padded = |start: &[u8]| [start, &[0; 64]].concat();
    let boxed = |brands: &str| {
        padded(
            &[
                &(8 + 8 + brands.len() as u32).to_be_bytes(),
                b"ftyp",
                &brands.as_bytes()[..4],
                &[0; 4],
                &brands.as_bytes()[4..],
            ]
            .concat(),
        )
    };
    let bitmap = [b"BM".as_slice(), &[9; 12], &40u32.to_le_bytes(), &[0; 40]].concat();
    for (bytes, mime, modality, reader) in [
        (padded(b"\x89PNG\r\n\x1a\n"), "image/png", Image, Reader::Picture),
        (padded(b"\xFF\xD8\xFF\xE0"), "image/jpeg", Image, Reader::Picture),
        (padded(b"GIF89a"), "image/gif", Image, Reader::Picture),
        (padded(b"II*\0"), "image/tiff", Image, Reader::Picture),
        (padded(b"MM\0*"), "image/tiff", Image, Reader::Picture),
        (bitmap, "image/bmp", Image, Reader::Picture),
        (padded(b"RIFF\x10\0\0\0WEBPVP8 "), "image/webp", Image, Reader::Picture),
        (boxed("heicmif1"), "image/heic", Image, Reader::Picture),
        (boxed("mif1heic"), "image/heic", Image, Reader::Picture),
        (boxed("avifmif1"), "image/avif", Image, Reader::None),
        (padded(b"RIFF\x10\0\0\0WAVEfmt "), "audio/wav", Audio, Reader::Sound),
        (padded(b"ID3\x04\0\0"), "audio/mpeg", Audio, Reader::Sound),
        (padded(b"fLaC\0\0\0\x22"), "audio/flac", Audio, Reader::Sound),
        (padded(b"OggS\0\x02\x01vorbis"), "audio/ogg", Audio, Reader::Sound),
        (padded(b"OggS\0\x02\x80theora"), "video/ogg", Video, Reader::Film),
        (boxed("M4A isom"), "audio/mp4", Audio, Reader::Sound),
        (boxed("isomavc1"), "video/mp4", Video, Reader::Film),
        (boxed("qt  "), "video/quicktime", Video, Reader::Film),
        (padded(b"\x1A\x45\xDF\xA3\x42\x82\x84webm\x86\x86V_VP9"), "video/webm", Video, Reader::Film),
        (padded(b"\x1A\x45\xDF\xA3\x42\x82\x84webm\x86\x86A_OPUS"), "audio/webm", Audio, Reader::Sound),
        (padded(b"RIFF\x10\0\0\0AVI LIST"), "video/x-msvideo", Video, Reader::Film),
        (padded(b"%PDF-1.7\n\xE2\xE3"), "application/pdf", Pdf, Reader::Pdf),
        (padded(b"\0\0junk%PDF-1.4\n\xE2\xE3"), "application/pdf", Pdf, Reader::Pdf),
        (padded(b"\x7FELF\x02\x01\x01"), "application/x-executable", Other, Reader::None),
        (
            (0..=255).cycle().take(4096).map(|n: u8| n.wrapping_mul(167)).collect(),
            "application/octet-stream",
            Other,
            Reader::None,
        ),
    ] {
        for name in ["a.txt", "a", "a.html", "a.docx"] {
            check(&bytes, name, mime, modality, reader);
        }
    }
    check(b"%PDF-1.4\n1 0 obj", "a.txt", "application/pdf", Pdf, Reader::Pdf);
}

#[test]
fn mpeg_frames_are_told_from_noise() {
    // 128 kbit/s at 44,100 Hz: frames of 417 bytes.
    let frame = [&[0xFF, 0xFB, 0x90, 0x64], [0u8; 413].as_slice()].concat();
    check(&frame.repeat(3), "a", "audio/mpeg", Modality::Audio, Reader::Sound);
    let mut broken = frame.repeat(2);
    broken[417] = 0;
    check(&broken, "a", "application/octet-stream", Modality::Other, Reader::None);
}

#[test]
fn archives_are_told_by_their_parts() {
    use std::io::Write;
    let archive = |parts: &[(&str, &str)]| {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in parts {
            zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    };
    let docx = archive(&[("[Content_Types].xml", ""), ("word/document.xml", "<x/>")]);
    let office = "application/vnd.openxmlformats-officedocument.";
    check(&docx, "a.zip", &format!("{office}wordprocessingml.document"), Modality::Document, Reader::Docx);
    check(
        &archive(&[("xl/workbook.xml", "")]),
        "a",
        &format!("{office}spreadsheetml.sheet"),
        Modality::Document,
        Reader::None,
    );
    check(
        &archive(&[("mimetype", "application/epub+zip")]),
        "a",
        "application/epub+zip",
        Modality::Document,
        Reader::None,
    );
    check(&archive(&[("a.txt", "x")]), "a.docx", "application/zip", Modality::Other, Reader::None);
    check(&docx[..docx.len() / 2], "a.docx", "application/zip", Modality::Other, Reader::None);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, &docx).unwrap();
    assert_eq!(sniff_file(&path, "a").unwrap(), sniff_bytes(&docx, "a"));
    std::fs::write(&path, "words").unwrap();
    assert_eq!(sniff_file(&path, "a.md").unwrap().reader, Reader::Markdown);
    assert!(sniff_file(&folder.path().join("none"), "a").is_err());
}
