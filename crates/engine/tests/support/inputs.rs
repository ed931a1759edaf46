//! Files that carry what the doubles read out of them.

use image::RgbImage;
use serde::{Deserialize, Serialize};
use std::io::{Cursor, Write};

/// A picture whose pixels hold a text: its length first, then its bytes, three to a pixel.
pub fn picture(text: &str) -> RgbImage {
    let mut bytes = (text.len() as u32).to_le_bytes().to_vec();
    bytes.extend_from_slice(text.as_bytes());
    bytes.resize(bytes.len().div_ceil(600 * 3).max(40) * 600 * 3, 255);
    let rows = bytes.len() / (600 * 3);
    RgbImage::from_raw(600, rows as u32, bytes).unwrap()
}

/// The text that a picture holds.
pub fn picture_text(picture: &RgbImage) -> String {
    let bytes = picture.as_raw();
    let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    String::from_utf8(bytes[4..4 + length].to_vec()).unwrap()
}

/// [`picture`] as a PNG file.
pub fn png(text: &str) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    picture(text).write_to(&mut file, image::ImageFormat::Png).unwrap();
    file.into_inner()
}

/// [`png`] with the time at which it was taken, as cameras write it: `2024:02:29 12:34:56`.
pub fn photo(text: &str, taken: &str) -> Vec<u8> {
    let field = |tag: u16, kind: u16, count: u32, value: u32| {
        [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &count.to_le_bytes(), &value.to_le_bytes()].concat()
    };
    // A TIFF structure: one folder that leads to another, whose one field is the time.
    let mut exif = b"II*\0\x08\0\0\0\x01\0".to_vec();
    exif.extend(field(0x8769, 4, 1, 26));
    exif.extend([0; 4]);
    exif.extend(1u16.to_le_bytes());
    exif.extend(field(0x9003, 2, taken.len() as u32 + 1, 44));
    exif.extend([0; 4]);
    exif.extend(taken.bytes().chain([0]));
    let (picture, mut file) = (picture(text), Vec::new());
    let mut encoder = image::codecs::png::PngEncoder::new(&mut file);
    image::ImageEncoder::set_exif_metadata(&mut encoder, exif).unwrap();
    let (width, height) = picture.dimensions();
    image::ImageEncoder::write_image(encoder, picture.as_raw(), width, height, image::ExtendedColorType::Rgb8).unwrap();
    file
}

/// A page of a PDF of the double.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Page {
    /// With a text layer.
    Text(String),
    /// Only a picture of this text.
    Scan(String),
    /// Breaks the reader.
    Broken,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Paper {
    pub password: Option<String>,
    /// When it says that it was made.
    pub created: Option<String>,
    pub pages: Vec<Page>,
}

/// A file that begins like a PDF and holds what the double reads, compressed as a PDF's streams are.
pub fn pdf(password: Option<&str>, pages: &[Page]) -> Vec<u8> {
    Paper { password: password.map(str::to_owned), created: None, pages: pages.to_vec() }.file()
}

const PDF_HEAD: &[u8] = b"%PDF-1.7\n1 0 obj\n<< /Filter /FlateDecode >>\nstream\n";

/// Some bytes as a zlib stream, without the sum at its end, which nothing here checks.
pub fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("a", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(bytes).unwrap();
    let mut zip = zip.finish_into_readable().unwrap();
    let member = zip.by_index_raw(0).unwrap();
    let (begin, length) = (member.data_start().unwrap() as usize, member.compressed_size() as usize);
    drop(member);
    [&[0x78, 0x9c], &zip.into_inner().into_inner()[begin..begin + length]].concat()
}

impl Paper {
    pub fn file(&self) -> Vec<u8> {
        [PDF_HEAD, &zlib(&serde_json::to_vec(self).unwrap()), b"\nendstream\nendobj\n"].concat()
    }
}

/// What [`pdf`] wrote.
pub fn parse_pdf(bytes: &[u8]) -> Option<Paper> {
    serde_json::from_slice(&super::eyes::inflate(bytes.strip_prefix(PDF_HEAD)?.get(2..)?)).ok()
}

/// Separates the head of a recording from what is said in it.
const SAID: &[u8] = b"\0said:";

/// A recording in which these sentences are said, a second each.
pub fn wav(sentences: &[&str]) -> Vec<u8> {
    let mut bytes = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\x02\0\x10\0data".to_vec();
    bytes.extend_from_slice(SAID);
    bytes.extend_from_slice(sentences.join("|").as_bytes());
    bytes
}

/// The samples of a recording that hums, in which a sentence is said each second, a tenth after it began.
pub fn spoken_samples(sentences: &[&str]) -> Vec<i16> {
    let mut bytes = vec![HUM; sentences.len() * SECOND];
    for (number, sentence) in sentences.iter().enumerate() {
        let said = [SAID, sentence.as_bytes(), &[0]].concat();
        let at = number * SECOND + SECOND / 10;
        bytes[at..at + said.len()].copy_from_slice(&said);
    }
    bytes.into_iter().map(|byte| i16::from(byte) * 128).collect()
}

/// [`spoken_samples`] as a recording like those that programs make.
pub fn spoken(sentences: &[&str]) -> Vec<u8> {
    let samples = spoken_samples(sentences);
    let length = samples.len() as u32 * 2;
    let mut file = wav(&[])[..40].to_vec();
    file[4..8].copy_from_slice(&(36 + length).to_le_bytes());
    file.extend(length.to_le_bytes());
    file.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    file
}

/// The samples of a recording as programs make them: their number stands before them.
pub fn samples_of(file: &[u8]) -> Option<Vec<i16>> {
    let length = u32::from_le_bytes(file.get(40..44)?.try_into().ok()?) as usize;
    let is_whole = file.starts_with(b"RIFF") && &file[36..40] == b"data" && length == file.len() - 44;
    is_whole.then(|| file[44..].chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]])).collect())
}

/// Samples of a second.
pub const SECOND: usize = 16_000;
/// What is heard where nothing is said.
pub const HUM: u8 = 5;

/// A film in which these sentences are said.
pub fn mp4(sentences: &[&str]) -> Vec<u8> {
    let mut bytes = b"\0\0\0\x18ftypisom\0\0\0\0isomiso2\0\0\0\x08moov".to_vec();
    bytes.extend_from_slice(SAID);
    bytes.extend_from_slice(sentences.join("|").as_bytes());
    bytes
}

/// What is said in a recording or film of these, up to the first zero.
pub fn sound_sentences(bytes: &[u8]) -> Vec<String> {
    let at = bytes.windows(SAID.len()).position(|window| window == SAID).map(|at| at + SAID.len());
    let said = at.map_or(&[][..], |at| bytes[at..].split(|byte| *byte == 0).next().unwrap());
    let said = std::str::from_utf8(said).unwrap();
    said.split('|').filter(|sentence| !sentence.is_empty()).map(str::to_owned).collect()
}

/// A word processor's document of these paragraphs.
pub fn docx(paragraphs: &[&str]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let body: String = paragraphs.iter().map(|p| format!("<w:p><w:r><w:t>{p}</w:t></w:r></w:p>")).collect();
    let document = format!("<?xml version=\"1.0\"?><w:document><w:body>{body}</w:body></w:document>");
    for (name, text) in [("[Content_Types].xml", "<Types/>"), ("word/document.xml", &document)] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}
