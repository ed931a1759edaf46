//! Hashes that outlive what they were made of: HMAC-SHA-256 (RFC 2104) under a key of the database's own (ruling 24), so
//! that whoever finds one cannot try words until one fits.

use sha2::{Digest, Sha256};
use std::fmt;

/// SHA-256's block, in bytes.
const BLOCK: usize = 64;

/// The key of a database.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl Key {
    /// A key of these bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The keyed hash of a value, in hex. `kind` keeps values of different kinds apart.
    pub fn hmac(&self, kind: &str, value: &str) -> String {
        self.hmac_bytes(&[kind.as_bytes(), b"\0", value.as_bytes()])
    }

    fn hmac_bytes(&self, parts: &[&[u8]]) -> String {
        let padded = |with: u8| {
            let mut block = [with; BLOCK];
            for (byte, key) in block.iter_mut().zip(self.0) {
                *byte ^= key;
            }
            block
        };
        let mut inner = Sha256::new().chain_update(padded(0x36));
        for part in parts {
            inner.update(part);
        }
        format!("{:x}", Sha256::new().chain_update(padded(0x5c)).chain_update(inner.finalize()).finalize())
    }
}

/// Never its bytes.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

#[cfg(test)]
mod tests {
    use super::Key;

    /// The key of 32 bytes `0b` beside the message "Hi There", worked out with another implementation of RFC 2104.
    #[test]
    fn it_is_hmac_sha_256() {
        let key = Key::new([0x0b; 32]);
        assert_eq!(key.hmac_bytes(&[b"Hi ", b"There"]), EXPECTED);
    }

    const EXPECTED: &str = "198a607eb44bfbc69903a0f1cf2bbdc5ba0aa3f3d9ae3c1c7a3b1696a0b68cf7";

    #[test]
    fn kinds_keys_and_values_are_told_apart() {
        let (one, other) = (Key::new([1; 32]), Key::new([2; 32]));
        assert_eq!(one.hmac("a", "b"), one.hmac("a", "b"));
        assert_ne!(one.hmac("a", "b"), other.hmac("a", "b"));
        assert_ne!(one.hmac("a", "b"), one.hmac("", "ab"));
        assert_eq!(format!("{one:?}"), "Key");
    }
}
