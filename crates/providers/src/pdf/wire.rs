//! What the reader of PDFs and its child process say to each other: frames on the child's standard input and
//! output, each a length (four bytes, little endian) and so many bytes. A question is one frame of JSON; so is an
//! answer, and a picture's samples follow it in a frame of their own.

use std::io::{self, ErrorKind, Read, Write};

use serde::{Deserialize, Serialize};

/// No frame is longer: 40 megapixels of RGB fit.
const MOST: usize = 128 << 20;

/// What the parent asks. Pages count from 0.
#[derive(Debug, Serialize, Deserialize)]
pub enum Ask {
    /// Open the file; the first question, asked once.
    Open {
        /// The file's password, if one is known.
        password: Option<String>,
    },
    /// The size of a page.
    Size {
        /// The page.
        page: u32,
    },
    /// The words of a page.
    Words {
        /// The page.
        page: u32,
    },
    /// A page as a picture.
    Render {
        /// The page.
        page: u32,
        /// Width in pixels.
        width: u32,
    },
}

/// What the child answers.
#[derive(Debug, Serialize, Deserialize)]
pub enum Answer {
    /// The file is open.
    Opened {
        /// How many pages it has.
        pages: u32,
        /// When it says that it was made.
        created: Option<String>,
    },
    /// Width and height in points.
    Size([f64; 2]),
    /// The words of a page.
    Words {
        /// Text, box, line, block.
        words: Vec<(String, [f64; 4], u32, u32)>,
        /// Width and height of the page in points.
        size: [f64; 2],
    },
    /// A picture; its RGB samples follow in the next frame.
    Picture {
        /// Width and height in pixels.
        size: [u32; 2],
    },
    /// It could not be done.
    Failed(Failure),
}

/// Why it could not be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failure {
    /// The file is locked.
    Password {
        /// Whether a password was given that does not fit.
        wrong: bool,
    },
    /// The library is not there, or not one that can be used.
    Library(String),
    /// The file or page is broken.
    Corrupt(String),
}

/// Writes one frame.
///
/// # Errors
/// The stream's; a frame that is too long.
pub fn write_frame(stream: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).ok().filter(|_| bytes.len() <= MOST).ok_or(ErrorKind::FileTooLarge)?;
    stream.write_all(&length.to_le_bytes())?;
    stream.write_all(bytes)?;
    stream.flush()
}

/// Reads one frame.
///
/// # Errors
/// The stream's, with `UnexpectedEof` at its end; a frame that is too long.
pub fn read_frame(stream: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > MOST {
        return Err(ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::new();
    // Grows as bytes arrive: a length alone reserves nothing.
    stream.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() < length { Err(ErrorKind::UnexpectedEof.into()) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_as_they_went() {
        let mut stream = Vec::new();
        write_frame(&mut stream, b"one").unwrap();
        write_frame(&mut stream, b"").unwrap();
        let mut reading = stream.as_slice();
        assert_eq!((read_frame(&mut reading).unwrap(), read_frame(&mut reading).unwrap()), (b"one".to_vec(), vec![]));
        assert_eq!(read_frame(&mut reading).unwrap_err().kind(), ErrorKind::UnexpectedEof);
    }

    #[test]
    fn cut_and_boastful_frames_are_errors() {
        assert_eq!(read_frame(&mut &[9, 0, 0, 0, 1][..]).unwrap_err().kind(), ErrorKind::UnexpectedEof);
        assert_eq!(read_frame(&mut &[255; 8][..]).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }
}
