//! Whisper models in ggml's own format, looked through without loading: a header, mel filters, a vocabulary, and
//! tensors up to the end of the file. The layout is what whisper.cpp's `convert-pt-to-ggml.py` writes; all numbers
//! are little endian.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// "ggml", as a number.
const MAGIC: u32 = 0x6767_6d6c;

/// What tells one whisper model from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Words of its vocabulary: 51,865 for the multilingual ones.
    pub vocabulary: u32,
    /// Width of its encoder: 384 tiny, 512 base, 768 small.
    pub width: u32,
    /// Layers of its encoder: 4 tiny, 6 base, 12 small.
    pub layers: u32,
}

impl Shape {
    /// The model of the catalogue that has this shape, whole or quantized.
    pub fn id(self) -> Option<&'static str> {
        match (self.vocabulary, self.width, self.layers) {
            (51_865, 384, 4) => Some("whisper-tiny"),
            (51_865, 512, 6) => Some("whisper-base"),
            (51_865, 768, 12) => Some("whisper-small"),
            _ => None,
        }
    }
}

/// Whether a file says that it is of this format.
pub fn is_ggml(path: &Path) -> bool {
    let mut magic = [0; 4];
    File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && u32::from_le_bytes(magic) == MAGIC
}

/// Looks a model through.
///
/// # Errors
/// Why it is no whole whisper model, in words.
pub fn inspect(path: &Path) -> Result<Shape, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let length = file.metadata().map_err(|error| error.to_string())?.len();
    let mut walk = Walk { file: BufReader::new(file), at: 0, length };
    if walk.number()? != MAGIC {
        return Err("it is no whisper model in ggml format".into());
    }
    let shape = walk.header()?;
    walk.filters()?;
    walk.vocabulary()?;
    let tensors = walk.tensors()?;
    if tensors == 0 {
        return Err("it has no weights: it is a stub for testing".into());
    }
    Ok(shape)
}

struct Walk {
    file: BufReader<File>,
    at: u64,
    length: u64,
}

impl Walk {
    fn number(&mut self) -> Result<u32, String> {
        let mut bytes = [0; 4];
        self.file.read_exact(&mut bytes).map_err(|_| "it is cut short".to_string())?;
        self.at += 4;
        Ok(u32::from_le_bytes(bytes))
    }

    /// A number that may not be larger than any real model has it.
    fn bounded(&mut self, what: &str, most: u32) -> Result<u32, String> {
        let number = self.number()?;
        if number <= most { Ok(number) } else { Err(format!("its {what} is {number}: the file is broken")) }
    }

    fn skip(&mut self, bytes: u64) -> Result<(), String> {
        self.at = self.at.saturating_add(bytes);
        if self.at > self.length {
            return Err("it is cut short".into());
        }
        // Relative, so that what the buffer holds stays there.
        let offset = i64::try_from(bytes).map_err(|_| "it is cut short")?;
        self.file.seek_relative(offset).map_err(|error| error.to_string())
    }

    fn header(&mut self) -> Result<Shape, String> {
        let vocabulary = self.bounded("vocabulary", 1 << 20)?;
        self.bounded("audio context", 1 << 16)?;
        let width = self.bounded("width", 1 << 14)?;
        self.bounded("number of heads", 1 << 10)?;
        let layers = self.bounded("number of layers", 1 << 10)?;
        for what in ["text context", "text width", "number of text heads", "number of text layers"] {
            self.bounded(what, 1 << 16)?;
        }
        self.bounded("number of mel bands", 1 << 10)?;
        self.bounded("number format", 1 << 16)?;
        if vocabulary == 0 || width == 0 || layers == 0 {
            return Err("its header is empty".into());
        }
        Ok(Shape { vocabulary, width, layers })
    }

    fn filters(&mut self) -> Result<(), String> {
        let bands = self.bounded("number of mel bands", 1 << 10)?;
        let bins = self.bounded("number of frequencies", 1 << 16)?;
        self.skip(u64::from(bands) * u64::from(bins) * 4)
    }

    fn vocabulary(&mut self) -> Result<(), String> {
        for _ in 0..self.bounded("vocabulary", 1 << 20)? {
            let length = self.bounded("longest word", 1 << 16)?;
            self.skip(length.into())?;
        }
        Ok(())
    }

    fn tensors(&mut self) -> Result<u32, String> {
        let mut count = 0;
        while self.at < self.length {
            self.tensor()?;
            count += 1;
        }
        Ok(count)
    }

    fn tensor(&mut self) -> Result<(), String> {
        let dimensions = self.bounded("number of dimensions", 4)?;
        let name = self.bounded("longest name", 1 << 10)?;
        let kind = self.number()?;
        let mut numbers = 1_u64;
        for _ in 0..dimensions {
            numbers = numbers.saturating_mul(self.number()?.into());
        }
        let (block, bytes) = block(kind).ok_or_else(|| format!("its number format {kind} is not known"))?;
        self.skip(name.into())?;
        self.skip((numbers / block).saturating_mul(bytes))
    }
}

/// Numbers of a block, and its bytes, by ggml's number of the format (`ggml.h`, `enum ggml_type`).
fn block(kind: u32) -> Option<(u64, u64)> {
    Some(match kind {
        0 => (1, 4),
        1 | 30 => (1, 2),
        2 => (32, 18),
        3 => (32, 20),
        6 => (32, 22),
        7 => (32, 24),
        8 => (32, 34),
        10 => (256, 84),
        11 => (256, 110),
        12 => (256, 144),
        13 => (256, 176),
        14 => (256, 210),
        _ => return None,
    })
}

/// The beginning of a file of this format, for tests: a header, one filter, one word, and tensors of one number.
#[cfg(test)]
pub fn sample(tensors: u32) -> Vec<u8> {
    let numbers = |numbers: &[u32]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let mut file = numbers(&[MAGIC, 51_865, 1500, 384, 6, 4, 448, 384, 6, 4, 80, 1, 1, 1, 0, 1, 2]);
    file.extend(b"hi");
    for _ in 0..tensors {
        file.extend(numbers(&[1, 1, 0, 1]));
        file.extend(b"w\0\0\0\0");
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inspected(bytes: &[u8]) -> Result<Shape, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        inspect(file.path())
    }

    #[test]
    fn a_whole_file_tells_its_shape() {
        assert_eq!(inspected(&sample(2)).unwrap().id(), Some("whisper-tiny"));
    }

    #[test]
    fn a_file_without_weights_is_refused() {
        assert!(inspected(&sample(0)).unwrap_err().contains("no weights"));
    }

    #[test]
    fn a_file_cut_anywhere_is_refused() {
        let whole = sample(2);
        // Cut between two tensors it is a smaller whole.
        let between = whole.len() - 21;
        for end in (0..whole.len()).filter(|end| *end != between) {
            assert!(inspected(&whole[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn absurd_numbers_are_refused() {
        for at in (4..56).step_by(4) {
            let mut bytes = sample(1);
            bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
            assert!(inspected(&bytes).is_err(), "{at}");
        }
    }
}
