//! Pictures come from the driver in base64.

/// The bytes; `None` where a character is none of the alphabet's.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut filled) = (0u32, 0);
    for character in text.bytes().filter(|b| !b"=\r\n".contains(b)) {
        bits = bits << 6 | u32::from(value(character)?);
        filled += 6;
        if filled >= 8 {
            filled -= 8;
            bytes.push((bits >> filled) as u8);
            bits &= (1 << filled) - 1;
        }
    }
    Some(bytes)
}

fn value(character: u8) -> Option<u8> {
    match character {
        b'A'..=b'Z' => Some(character - b'A'),
        b'a'..=b'z' => Some(character - b'a' + 26),
        b'0'..=b'9' => Some(character - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[test]
fn all_lengths_are_decoded() {
    for (text, bytes) in [("", &b""[..]), ("Zg==", b"f"), ("Zm8=", b"fo"), ("Zm9v", b"foo"), ("+/8=", &[0xfb, 0xff])] {
        assert_eq!(decode(text).as_deref(), Some(bytes), "{text}");
    }
    assert_eq!(decode("Z?=="), None);
}
