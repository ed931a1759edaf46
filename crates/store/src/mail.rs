//! Who a mail is from, by the head that stands over it (RFC 5322, section 3.6.2).

use encoding_rs::Encoding;

/// A head has at most so many bytes: no mail server takes a longer one, and some add many signatures of theirs above who it is from.
const HEAD: usize = 1 << 20;
/// Each encoded word that does not end is looked through up to the field's end: a longer field, in bytes, stays as it was written.
const LONGEST: usize = 16_384;

/// So much of a text as may be a head: of a mailbox of many megabytes no more is read.
pub(crate) fn beginning(text: &[u8]) -> &str {
    let head = &text[..text.len().min(HEAD)];
    let is_text = std::str::from_utf8(head).map_or_else(|error| error.valid_up_to(), str::len);
    std::str::from_utf8(&head[..is_text]).unwrap_or_default()
}

/// Name and address of the sender, as the `From:` line of the head says them that a text begins with; `None` where there is none, and of a
/// mailbox: its mails are of many, and whom each is from is kept with its passages. A line that is folded is read whole, and what is encoded
/// as it was written, unless it is very long.
pub(crate) fn sender(text: &str) -> Option<String> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    // So each mail of a mailbox begins (RFC 4155).
    if text.starts_with("From ") {
        return None;
    }
    let mut head = text.lines().take_while(|line| !line.trim().is_empty());
    let mut fields = head.by_ref().filter(|line| !goes_on(line)).filter_map(|line| line.split_once(':'));
    let (_, first) = fields.find(|(key, _)| key.trim().eq_ignore_ascii_case("from"))?;
    let mut parts = vec![first.trim()];
    parts.extend(head.take_while(|line| goes_on(line)).map(str::trim));
    let field = parts.join(" ");
    let field = field.trim();
    Some(if field.len() > LONGEST { field.to_owned() } else { decoded(field) })
}

/// Whether a line goes on with the field of the one before it.
fn goes_on(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

/// A field with its encoded words (RFC 2047) as they were written: `=?UTF-8?Q?Andr=C3=A9?=`. What cannot be read stays as it is.
fn decoded(field: &str) -> String {
    let (mut written, mut rest, mut is_behind_one) = (String::new(), field, false);
    while let Some(at) = rest.find("=?") {
        let (before, from) = rest.split_at(at);
        let Some((word, behind)) = encoded_word(from) else {
            written.extend([before, "=?"]);
            (rest, is_behind_one) = (&from[2..], false);
            continue;
        };
        // Spaces between two of them only part these.
        if !is_behind_one || !before.trim().is_empty() {
            written += before;
        }
        written += &word;
        (rest, is_behind_one) = (behind, true);
    }
    written + rest
}

/// The encoded word that a text begins with, as it was written, and what stands behind it.
fn encoded_word(text: &str) -> Option<(String, &str)> {
    let (charset, rest) = text.strip_prefix("=?")?.split_once('?')?;
    let (encoding, rest) = rest.split_once('?')?;
    let (word, behind) = rest.split_once("?=")?;
    let bytes = match encoding {
        "Q" | "q" => quoted(word),
        "B" | "b" => base64(word),
        _ => None,
    }?;
    // A language may stand behind it: `utf-8*pt`.
    let charset = Encoding::for_label_no_replacement(charset.split('*').next()?.as_bytes())?;
    Some((charset.decode_without_bom_handling(&bytes).0.into_owned(), behind))
}

fn quoted(word: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut rest) = (Vec::new(), word.as_bytes());
    while let [first, behind @ ..] = rest {
        rest = behind;
        bytes.push(match first {
            b'_' => b' ',
            b'=' => {
                let (digits, behind) = rest.split_at_checked(2)?;
                rest = behind;
                u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?
            }
            other => *other,
        });
    }
    Some(bytes)
}

fn base64(word: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for letter in word.trim_end_matches('=').bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        (bits, count) = ((bits << 6) | u32::from(value), count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_tell_who_a_mail_is_from() {
        let ana = "Ana Silva <ana@example.org>";
        for (text, expected) in [
            (format!("From: {ana}\nTo: Bo\nSubject: lease\n\nHello."), Some(ana)),
            (format!("\u{feff}\nReceived: x\n by From: nobody\nfrom:{ana}\n\nHello."), Some(ana)),
            (format!("{}FROM: {ana}\n\nHello.", "Received: by a\n with b\nARC-Seal: i=1\n".repeat(40)), Some(ana)),
            (format!("From ana@b.example Tue Mar 12\nSubject: lease\nFrom: {ana}\n\nHello."), None),
            (format!("Subject: lease\n\nFrom: {ana}"), None),
            ("Hello.".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(sender(&text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn no_more_is_read_than_may_be_a_head() {
        let cut = |text: &str| beginning(text.as_bytes()).len();
        for (length, expected) in [(0, 0), (9, 9), (HEAD, HEAD), (HEAD + 9, HEAD)] {
            assert_eq!(cut(&"a".repeat(length)), expected);
        }
        // A letter of two bytes that does not go in whole.
        assert_eq!(cut(&format!("{}é", "a".repeat(HEAD - 1))), HEAD - 1);
    }

    #[test]
    fn a_field_that_is_too_long_to_be_decoded_stays_as_it_was_written() {
        let check = |length: usize, expected: &str| {
            let name = "=?utf-8?q?Andr=C3=A9?= ";
            let field = format!("{name}{}", "b".repeat(length - name.len()));
            assert!(
                sender(&format!("From: {field}\n\nHi")).is_some_and(|sender| sender.starts_with(expected)),
                "{length}"
            );
        };
        check(LONGEST, "André b");
        check(LONGEST + 1, "=?utf-8?q?Andr=C3=A9?= b");
    }

    #[test]
    fn folded_and_encoded_heads_are_read() {
        for (from, expected) in [
            ("Ana Silva\n <ana@example.org>", "Ana Silva <ana@example.org>"),
            ("\n\tAna\n Silva", "Ana Silva"),
            ("=?UTF-8?Q?Andr=C3=A9_Lima?= <a@example.org>", "André Lima <a@example.org>"),
            ("=?utf-8?B?QW5kcsOp?= <a@example.org>", "André <a@example.org>"),
            ("=?iso-8859-1*pt?q?Andr=E9?=", "André"),
            ("=?UTF-8?Q?And?=\n =?UTF-8?Q?r=C3=A9?= Lima", "André Lima"),
            ("=?Windows-1252?Q?=C5ke_=93=8Ei=9Eek=94?=", "Åke “Žižek”"),
            ("=?UTF-8?Q?Ana?= =?koi8-r?Q?=C1?=", "Anaа"),
            ("=?iso-2022-jp?B?GyRCOzNFRBsoQg==?= <y@example.org>", "山田 <y@example.org>"),
            ("=?UTF-8?Q?Ana?= =?x-none?Q?=C1?=", "Ana =?x-none?Q?=C1?="),
            ("=?UTF-8?Q?Ana=C?= =? or =?UTF-8?B?!?=", "=?UTF-8?Q?Ana=C?= =? or =?UTF-8?B?!?="),
        ] {
            assert_eq!(sender(&format!("From: {from}\nTo: Bo\n\n goes on")).as_deref(), Some(expected), "{from}");
        }
    }
}
