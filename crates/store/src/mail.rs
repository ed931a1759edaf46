//! Who a mail is from, by the head that stands over it (RFC 5322, section 3.6.2).

/// A head has at most so many lines.
const HEAD: usize = 60;

/// Name and address of the sender, as the `From:` line of the head says them that a text begins with; `None` where there is none.
pub(crate) fn sender(text: &str) -> Option<&str> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    // A mailbox's own line stands before the head.
    let head =
        text.lines().take(HEAD).skip_while(|line| line.starts_with("From ")).take_while(|line| !line.trim().is_empty());
    let mut fields = head.filter(|line| !line.starts_with([' ', '\t'])).filter_map(|line| line.split_once(':'));
    let (_, sender) = fields.find(|(key, _)| key.trim().eq_ignore_ascii_case("from"))?;
    Some(sender.trim())
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
            (format!("From ana@b.example Tue Mar 12\nSubject: lease\nFROM: {ana}\n\nHello."), Some(ana)),
            (format!("Subject: lease\n\nFrom: {ana}"), None),
            ("Hello.".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(sender(&text), expected, "{text}");
        }
    }
}
