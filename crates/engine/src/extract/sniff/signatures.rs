//! The first bytes of files.

use super::{FileType, Reader};
use um_model::Modality;

/// The type of a ZIP archive that nothing more is known of.
pub(super) const ZIP: &str = "application/zip";

/// The type of a file that is text and says at its beginning what it is.
pub(super) fn in_text(text: &str) -> Option<FileType> {
    let start = text.trim_start_matches(['\u{FEFF}', ' ', '\t', '\r', '\n']);
    if start.starts_with("%PDF-") {
        return Some(FileType::new("application/pdf", Modality::Pdf, Reader::Pdf));
    }
    if start.starts_with("{\\rtf") {
        return Some(FileType::new("application/rtf", Modality::Document, Reader::None));
    }
    if start.starts_with("%!PS-Adobe") {
        return Some(FileType::new("application/postscript", Modality::Document, Reader::None));
    }
    None
}

/// The type of a binary file.
pub(super) fn of_bytes(head: &[u8]) -> Option<FileType> {
    if let Some(at) = find(&head[..head.len().min(1024 + 5)], b"%PDF-") {
        // Junk may stand before it, but a file with another signature is what that says.
        if at == 0 || infer::get(head).is_none_or(|found| found.mime_type() == "application/pdf") {
            return Some(FileType::new("application/pdf", Modality::Pdf, Reader::Pdf));
        }
    }
    picture(head)
        .or_else(|| riff(head))
        .or_else(|| ogg(head))
        .or_else(|| matroska(head))
        .or_else(|| base_media(head))
        .or_else(|| mpeg_audio(head))
        .or_else(|| other(head))
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

fn picture(head: &[u8]) -> Option<FileType> {
    let mime = match head {
        [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A, ..] => "image/png",
        [0xFF, 0xD8, 0xFF, ..] => "image/jpeg",
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => "image/gif",
        [b'I', b'I', 42, 0, ..] if head.get(8..10) == Some(b"CR") => return Some(unread_picture("image/x-canon-cr2")),
        [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => "image/tiff",
        _ if is_bitmap(head) => "image/bmp",
        _ => return None,
    };
    Some(FileType::new(mime, Modality::Image, Reader::Picture))
}

fn unread_picture(mime: &str) -> FileType {
    FileType::new(mime, Modality::Image, Reader::None)
}

/// `BM` alone begins many a text; a bitmap's header says its own length, too.
fn is_bitmap(head: &[u8]) -> bool {
    let header = head.get(14..18).map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    head.starts_with(b"BM") && matches!(header, Some(12 | 16 | 40 | 52 | 56 | 64 | 108 | 124))
}

fn riff(head: &[u8]) -> Option<FileType> {
    if !(head.starts_with(b"RIFF") || head.starts_with(b"RIFX") || head.starts_with(b"RF64")) {
        return None;
    }
    match head.get(8..12)? {
        b"WAVE" => Some(sound("audio/wav")),
        b"WEBP" => Some(FileType::new("image/webp", Modality::Image, Reader::Picture)),
        b"AVI " => Some(film("video/x-msvideo")),
        _ => None,
    }
}

fn sound(mime: &str) -> FileType {
    FileType::new(mime, Modality::Audio, Reader::Sound)
}

fn film(mime: &str) -> FileType {
    FileType::new(mime, Modality::Video, Reader::Film)
}

/// Ogg holds sound, or a film when one of its first pages opens a Theora stream.
fn ogg(head: &[u8]) -> Option<FileType> {
    if !head.starts_with(b"OggS") {
        return None;
    }
    let first = &head[..head.len().min(4096)];
    let is_film = find(first, b"\x80theora").is_some();
    Some(if is_film { film("video/ogg") } else { sound("audio/ogg") })
}

/// Matroska and WebM: a film when a track's codec is one of pictures (`V_…`), a recording when all are of
/// sound (`A_…`).
fn matroska(head: &[u8]) -> Option<FileType> {
    if !head.starts_with(&[0x1A, 0x45, 0xDF, 0xA3]) {
        return None;
    }
    let webm = find(&head[..head.len().min(256)], b"webm").is_some();
    let has = |codecs: &[&[u8]]| codecs.iter().any(|codec| find(head, codec).is_some());
    let pictures =
        has(&[b"V_VP", b"V_MPEG", b"V_AV1", b"V_THEORA", b"V_MS", b"V_UNCOMPRESSED", b"V_QUICKTIME", b"V_REAL"]);
    let sounds = has(&[b"A_OPUS", b"A_VORBIS", b"A_AAC", b"A_MPEG", b"A_FLAC", b"A_PCM", b"A_AC3", b"A_EAC3"]);
    Some(match (sounds && !pictures, webm) {
        (true, true) => sound("audio/webm"),
        (true, false) => sound("audio/x-matroska"),
        (false, true) => film("video/webm"),
        (false, false) => film("video/x-matroska"),
    })
}

/// Files of the ISO base media format (ISO/IEC 14496-12), by their brands.
fn base_media(head: &[u8]) -> Option<FileType> {
    if head.get(4..8)? != b"ftyp" {
        return None;
    }
    let length = u32::from_be_bytes(head[..4].try_into().ok()?) as usize;
    let brands = head.get(8..length.clamp(16, 256).min(head.len()))?;
    let has = |wanted: &[&[u8; 4]]| brands.chunks_exact(4).any(|brand| wanted.iter().any(|w| w.as_slice() == brand));
    let major: &[u8] = brands.get(..4)?;
    Some(match major {
        b"avif" | b"avis" => unread_picture("image/avif"),
        b"heic" | b"heix" | b"heim" | b"heis" => FileType::new("image/heic", Modality::Image, Reader::Picture),
        // Sequences of pictures: no decoder knows them.
        b"hevc" | b"hevx" => unread_picture("image/heic-sequence"),
        b"mif1" | b"msf1" if has(&[b"avif", b"avis"]) => unread_picture("image/avif"),
        b"mif1" | b"msf1" if has(&[b"heic", b"heix"]) => FileType::new("image/heic", Modality::Image, Reader::Picture),
        b"mif1" | b"msf1" => unread_picture("image/heif"),
        b"crx " => unread_picture("image/x-canon-cr3"),
        b"M4A " | b"M4B " | b"M4P " | b"F4A " | b"F4B " => sound("audio/mp4"),
        b"qt  " => film("video/quicktime"),
        [b'3', b'g', ..] => film("video/3gpp"),
        // Recorders write sound alone under a film's brand; the kinds of tracks tell, where they stand early.
        _ if find(head, b"soun").is_some()
            && find(head, b"vide").is_none()
            && find(head, b"mdat").is_some_and(|data| find(head, b"soun") < Some(data)) =>
        {
            sound("audio/mp4")
        }
        _ => film("video/mp4"),
    })
}

/// MPEG audio (MP3) and AAC: an ID3 tag, or two frame headers in a row that fit together.
fn mpeg_audio(head: &[u8]) -> Option<FileType> {
    if head.starts_with(b"ID3") && head.get(3).is_some_and(|version| *version < 5) {
        return Some(sound("audio/mpeg"));
    }
    let length = frame_length(head)?;
    let next = head.get(length..)?;
    let follows = next.is_empty() || next.len() < 4 || frame_length(next).is_some();
    if !follows {
        return None;
    }
    Some(sound(if is_adts(head) { "audio/aac" } else { "audio/mpeg" }))
}

fn is_adts(bytes: &[u8]) -> bool {
    matches!(bytes, [0xFF, second, ..] if second & 0xF6 == 0xF0)
}

/// The length of the audio frame that `bytes` begin with, in bytes (ISO/IEC 11172-3, 2.4.1; 14496-3, 1.A.2.2).
fn frame_length(bytes: &[u8]) -> Option<usize> {
    /// Bit rates in kbit/s of layer III, of MPEG 1 and of MPEG 2.
    const RATES: [[usize; 14]; 2] = [
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ];
    let [0xFF, second, third, fourth, ..] = *bytes else { return None };
    if is_adts(bytes) {
        let fifth = usize::from(*bytes.get(4)?);
        let sixth = usize::from(*bytes.get(5)?);
        let length = (usize::from(fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
        return (length >= 7).then_some(length);
    }
    if second & 0xE0 != 0xE0 || second & 0x06 != 0x02 {
        return None; // no frame, or not layer III
    }
    let (version, rate, frequency) = ((second >> 3) & 3, usize::from(third >> 4), usize::from((third >> 2) & 3));
    if version == 1 || !(1..=14).contains(&rate) || frequency == 3 {
        return None;
    }
    let first = version == 3;
    let hertz = [44_100, 48_000, 32_000][frequency] >> [2, 0, 1, 0][usize::from(version)];
    let kbits = RATES[usize::from(!first)][rate - 1];
    let padding = usize::from((third >> 1) & 1);
    Some((if first { 144 } else { 72 }) * kbits * 1000 / hertz + padding)
}

/// Everything else that has a signature.
fn other(head: &[u8]) -> Option<FileType> {
    let found = infer::get(head)?;
    let mime = match found.mime_type() {
        "audio/x-flac" => "audio/flac",
        "audio/x-aiff" => "audio/aiff",
        mime => mime,
    };
    let kind = match mime {
        "audio/midi" => FileType::new(mime, Modality::Other, Reader::None),
        // These are told above, more strictly, or are no pictures.
        "image/bmp" | "audio/mpeg" | "audio/aac" | "text/html" | "text/xml" | "text/x-shellscript" => return None,
        "image/vnd.djvu" => FileType::new(mime, Modality::Document, Reader::None),
        _ if mime.starts_with("image/") => unread_picture(mime),
        _ if mime.starts_with("audio/") => sound(mime),
        _ if mime.starts_with("video/") => film(mime),
        _ if mime.starts_with("application/vnd.openxmlformats")
            || mime.starts_with("application/vnd.oasis")
            || mime == "application/epub+zip" =>
        {
            // The directory of the archive says it for certain.
            FileType::new(ZIP, Modality::Other, Reader::None)
        }
        "application/msword" | "application/vnd.ms-excel" | "application/vnd.ms-powerpoint" | "application/rtf" => {
            FileType::new(mime, Modality::Document, Reader::None)
        }
        _ => FileType::new(mime, Modality::Other, Reader::None),
    };
    Some(kind)
}
