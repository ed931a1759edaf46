//! The archive that a document's parts lie in.

use super::{corrupt, decoded};
use crate::provider::{ProviderError, ProviderResult};
use std::io::{Read, Seek, SeekFrom};
use zip::ZipArchive;
use zip::result::ZipError;

/// Archives with more parts than this are not opened.
const MAX_PARTS: u64 = 10_000;
/// All parts that are read may unpack to so many bytes together.
const MAX_UNPACKED: u64 = 64 * 1024 * 1024;

/// Opens a ZIP archive, refusing one whose directory is out of all measure before it is read.
///
/// # Errors
/// `Corrupt` when it is no whole archive, `Unsupported` when it has too many parts.
pub(in super::super) fn open<R: Read + Seek>(mut file: R) -> ProviderResult<ZipArchive<R>> {
    if directory_entries(&mut file).map_err(corrupt)? > MAX_PARTS {
        return Err(ProviderError::Unsupported(format!("The archive has more than {MAX_PARTS} parts.")));
    }
    ZipArchive::new(file).map_err(|error| ProviderError::Corrupt(format!("it is no whole archive ({error})")))
}

/// How many entries the archive's directory says it has (APPNOTE.TXT, 4.3.14 to 4.3.16); 0 where there is
/// no directory.
fn directory_entries<R: Read + Seek>(file: &mut R) -> std::io::Result<u64> {
    const END: usize = 22;
    const LOCATOR: usize = 20;
    let length = file.seek(SeekFrom::End(0))?;
    // The end record is followed by a comment of at most 65,535 bytes.
    let from = length.saturating_sub((END + LOCATOR + 0xFFFF) as u64);
    file.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    file.by_ref().take(length - from).read_to_end(&mut tail)?;
    file.seek(SeekFrom::Start(0))?;
    let mut most = 0;
    // Every candidate counts, as readers differ in which one they believe.
    for at in 0..tail.len().saturating_sub(END - 1) {
        if tail[at..].starts_with(b"PK\x05\x06") {
            most = most.max(u64::from(u16::from_le_bytes([tail[at + 10], tail[at + 11]])));
        }
        let locator = tail[at..].starts_with(b"PK\x06\x07").then(|| tail.get(at + 8..at + 16)).flatten();
        if let Some(record) = locator.and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes) {
            most = most.max(entries_of_zip64(file, record)?);
        }
    }
    Ok(most)
}

/// How many entries a ZIP64 end record names; beyond all measure where there is none at that place.
fn entries_of_zip64<R: Read + Seek>(file: &mut R, at: u64) -> std::io::Result<u64> {
    let mut record = [0; 40];
    file.seek(SeekFrom::Start(at))?;
    let read = file.read_exact(&mut record);
    file.seek(SeekFrom::Start(0))?;
    if read.is_err() || !record.starts_with(b"PK\x06\x06") {
        return Ok(u64::MAX);
    }
    Ok(u64::from_le_bytes(record[32..40].try_into().expect("eight bytes")))
}

/// An archive with the measure of what may still be unpacked.
pub(super) struct Package<R> {
    archive: ZipArchive<R>,
    left: u64,
}

impl<R: Read + Seek> Package<R> {
    pub(super) fn new(archive: ZipArchive<R>) -> Self {
        Self { archive, left: MAX_UNPACKED }
    }

    /// The text of a part; `None` where there is no such part.
    ///
    /// # Errors
    /// `Corrupt` when it cannot be unpacked, `Unsupported` when it is too large.
    pub(super) fn part(&mut self, name: &str) -> ProviderResult<Option<String>> {
        let part = match self.archive.by_name(name) {
            Ok(part) => part,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(ProviderError::Corrupt(format!("{name}: {error}"))),
        };
        let mut bytes = Vec::new();
        let unpacked = part.take(self.left + 1).read_to_end(&mut bytes);
        unpacked.map_err(|error| ProviderError::Corrupt(format!("{name}: {error}")))?;
        let length = bytes.len() as u64;
        if length > self.left {
            return Err(ProviderError::Unsupported(
                "The document unpacks to more than 64 MB of text. Split it into smaller ones to have it read.".into(),
            ));
        }
        self.left -= length;
        Ok(Some(decoded(&bytes)))
    }
}
