//! The pages of a database as they are without encryption, one after another, unused ones included: what is searched for
//! what was forgotten. SQLite itself shows only what it uses.

use crate::cipher::{self, DatabaseKey};
use crate::shared_file::{self, Reader};
use aes::Aes256;
use cbc::Decryptor;
use cbc::cipher::block_padding::NoPadding;
use cbc::cipher::{BlockDecryptMut, KeyIvInit};
use std::io::{self, BufReader, Read};
use std::path::Path;

/// SQLCipher 4's page: AES-256-CBC, then the initialisation vector and an HMAC-SHA512. The first page begins with a salt.
const PAGE: usize = 4096;
const IV: usize = 16;
const RESERVED: usize = IV + 64;
const SALT: usize = 16;
/// What stands in each database at bytes 21 to 23: SQLite's fixed fractions.
const FRACTIONS: [u8; 3] = [64, 32, 32];

/// Opens a file to be read as it is without encryption: byte by byte where it is not encrypted.
///
/// # Errors
/// The system's; `InvalidData` where the key does not open it.
pub(crate) fn open(path: &Path, key: Option<&DatabaseKey>) -> io::Result<Box<dyn Read>> {
    let file = BufReader::with_capacity(1 << 20, Reader::new(shared_file::open(path)?));
    match key {
        Some(key) if cipher::is_encrypted(path) => {
            let mut pages = Pages { file, key: key.clone(), page: Vec::new(), at: 0, first: true };
            pages.next()?;
            Ok(Box::new(pages))
        }
        _ => Ok(Box::new(file)),
    }
}

struct Pages {
    file: BufReader<Reader>,
    key: DatabaseKey,
    /// What is left of the present page, from `at` on.
    page: Vec<u8>,
    at: usize,
    first: bool,
}

impl Pages {
    /// Goes to the next page; at the end, to none.
    fn next(&mut self) -> io::Result<()> {
        let mut page = vec![0; PAGE];
        let mut read = 0;
        while read < PAGE {
            match self.file.read(&mut page[read..])? {
                0 => break,
                more => read += more,
            }
        }
        (self.page, self.at) = (Vec::new(), 0);
        if read == PAGE {
            self.page = self.decrypted(page)?;
        }
        Ok(())
    }

    fn decrypted(&mut self, mut page: Vec<u8>) -> io::Result<Vec<u8>> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "its pages cannot be decrypted");
        let iv: [u8; IV] = page[PAGE - RESERVED..][..IV].try_into().map_err(|_| wrong())?;
        page.truncate(PAGE - RESERVED);
        let begin = if self.first { SALT } else { 0 };
        let cipher = Decryptor::<Aes256>::new(self.key.bytes().into(), &iv.into());
        cipher.decrypt_padded_mut::<NoPadding>(&mut page[begin..]).map_err(|_| wrong())?;
        // A page that is read wrongly would hold nothing that is searched for.
        if self.first && page[21..24] != FRACTIONS {
            return Err(wrong());
        }
        self.first = false;
        Ok(page)
    }
}

impl Read for Pages {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.page.len() {
            self.next()?;
        }
        let read = (&self.page[self.at..]).read(buffer)?;
        self.at += read;
        Ok(read)
    }
}
