use super::*;
use crate::extract::{FileType, Reader, read_document, sniff_bytes};

/// What a mail is read as.
#[track_caller]
fn check(mail: impl AsRef<[u8]>, expected: &str) {
    let text = read(mail.as_ref()).unwrap();
    assert_eq!(text.text, expected, "{}", String::from_utf8_lossy(mail.as_ref()));
}

/// The headings of a text, with the words that each begins with.
fn headings(text: &Text) -> Vec<(u8, &str, &str)> {
    let first = |at: usize| text.text[at..].lines().next().unwrap_or_default();
    text.headings.iter().map(|heading| (heading.level, heading.text.as_str(), first(heading.at))).collect()
}

const HEAD: &str = "From: Ana\nSubject: lease\nMIME-Version: 1.0\n";

fn typed(content_type: &str, encoding: &str, body: &str) -> String {
    format!("{HEAD}Content-Type: {content_type}\nContent-Transfer-Encoding: {encoding}\n\n{body}")
}

#[test]
fn a_mail_is_told_by_its_name_and_read_by_its_words() {
    for name in ["a.eml", "a.mbox"] {
        let FileType { mime_type, reader, .. } = sniff_bytes(format!("{HEAD}\nHello.").as_bytes(), name);
        assert_eq!((mime_type.as_str(), reader), ("message/rfc822", Reader::Mail), "{name}");
    }
    let read = read_document(Reader::Mail, format!("{HEAD}\nHello.").as_bytes()).unwrap();
    assert_eq!(read.text, "From: Ana\nSubject: lease\n\nHello.");
    assert_eq!(headings(&read), [(0, "lease", "From: Ana")]);
    assert_eq!(read.quality, 1.0);
}

#[test]
fn heads_are_decoded() {
    let mail = "Received: by a\n with b\nSubject: =?UTF-8?B?R3LDvMOfZQ==?=\r\n =?iso-8859-1?Q?_aus_K=F6ln?=\r\n\
                to: =?utf-8?Q?Andr=C3=A9?= <a@example.org>,\n\tBo <b@example.org>\nTo: Cem\n\
                Date: Tue, 12 Mar 2024 09:14:00 +0100\nFrom: =?iso-2022-jp?B?GyRCOzNFRBsoQg==?= <y@example.org>\n\nHi";
    let expected = "From: 山田 <y@example.org>\nTo: André <a@example.org>, Bo <b@example.org>, Cem\n\
                    Date: Tue, 12 Mar 2024 09:14:00 +0100\nSubject: Grüße aus Köln\n\nHi";
    check(mail, expected);
    assert_eq!(mail_date(expected), Some(1_710_231_240_000));
    // Nothing of it is encoded, and not in UTF-8 either.
    check(b"From: Andr\xe9\nSubject: Caf\xe9\n\nHi", "From: André\nSubject: Café\n\nHi");
    check("From: Ana\nSubject: 2 =? 3 =?x\n\nHi", "From: Ana\nSubject: 2 =? 3 =?x\n\nHi");
    // Encoded words that are parted within a character.
    for subject in [
        "=?UTF-8?B?R3LD?=\r\n =?utf-8?b?vMOfZQ==?=",
        "=?UTF-8?B?R3LDvMM=?= =?UTF-8?B?n2U=?=",
        "=?utf-8?q?Gr=C3?=\n\t=?utf-8?q?=BC=C3=9Fe?=",
    ] {
        check(format!("From: Ana\nSubject: {subject} aus\n\nHi"), "From: Ana\nSubject: Grüße aus\n\nHi");
    }
    check("From: =?utf-8?q?Ana?= =?utf-8?q?B\nSubject: =?x\n\nHi", "From: Ana =?utf-8?q?B\nSubject: =?x\n\nHi");
    // Within quotes, brackets and words.
    let quoted = "From: \"=?utf-8?Q?Lima=2C_Andr=C3=A9?=\" <a@example.org>, =?utf-8?Q?J=C3=BCrgen?=<j@example.org>\n\
                  Subject: Re:=?utf-8?Q?_Gr=C3=BC=C3=9Fe?= (=?utf-8?B?S8O2bG4=?=), =?utf-8?Q?a?= =?iso-8859-1?Q?=FC?= =?x?q?=zz?=.\n\nHi";
    let expected = "From: \"Lima, André\" <a@example.org>, Jürgen<j@example.org>\n\
                    Subject: Re: Grüße (Köln), aü =?x?q?=zz?=.\n\nHi";
    check(quoted, expected);
    // A line of spaces alone goes on with a field as long as others follow.
    let folded = "Subject: lease\r\n \t\r\nContent-Transfer-Encoding: base64\r\n\r\nSGVsbG8=\r\n";
    check(folded, "Subject: lease\n\nHello");
    check("Subject: lease\n \nHello Bo.", "Subject: lease\n\nHello Bo.");
}

#[test]
fn bodies_are_decoded() {
    let said = |body: &str| format!("From: Ana\nSubject: lease\n\n{body}");
    let german = "Grüße aus Köln.\nDie Miete steigt.";
    let base64 = "R3LDvMOfZSBhdXMgS8O2bG4u\r\nCkRpZSBNaWV0ZSBzdGVpZ3Qu\r\n";
    check(typed("text/plain; charset=utf-8", "base64", base64), &said(german));
    check(typed("text/plain; charset=\"UTF-8\"", "BASE64", base64), &said(german));
    let quoted = "Gr=FC=DFe aus=\r\n K=F6ln.\r\nDie Miete steigt.  \r\n";
    check(typed("text/plain; charset=iso-8859-1", "quoted-printable", quoted), &said(german));
    check(typed("text/plain", "8bit", german), &said(german));
    let japanese = "\u{1b}$B;3ED\u{1b}(B";
    check(typed("text/plain; charset=ISO-2022-JP", "7bit", japanese), &said("山田"));
    check(typed("text/plain; charset=utf-7", "7bit", "Gr+APwA3w-e"), &said("Grüße"));
    let html = "<html><head><style>p{}</style></head><body><h1>Rent</h1><p>Gr=FC=DFe &amp; more</p></body></html>";
    check(typed("text/html; charset=windows-1252", "quoted-printable", html), &said("Rent\n\nGrüße & more"));
    let text = read(typed("text/html; charset=windows-1252", "quoted-printable", html).as_bytes()).unwrap();
    assert_eq!(headings(&text), [(0, "lease", "From: Ana"), (2, "Rent", "Rent")]);
}

#[test]
fn paragraphs_that_were_broken_for_sending_are_one_line() {
    let said = |body: &str| format!("From: Ana\nSubject: lease\n\n{body}");
    let body = "> Since May \n> or June?\nThe rent \nrises.\n-- \nAna";
    let whole = "> Since May or June?\nThe rent rises.\n-- \nAna";
    for plain in ["text/plain; charset=utf-8; format=flowed", "Text/Plain; Format=\"Flowed\"; DelSp=no"] {
        check(typed(plain, "7bit", body), &said(whole));
        check(typed(plain, "quoted-printable", &body.replace(" \n", "=20\n")), &said(whole));
    }
    check(typed("text/plain; format=flowed; delsp=yes", "7bit", "Miet \nvertrag"), &said("Mietvertrag"));
    let forms = ["text/plain", "text/plain; format=fixed", "text/x-notes; format=flowed", "text/plain; delsp=yes"];
    for other in forms {
        check(typed(other, "7bit", body), &said(body));
    }
}

#[test]
fn what_is_not_encoded_as_it_says_stays() {
    let said = |body: &str| format!("From: Ana\nSubject: lease\n\n{body}");
    // A list adds its words below.
    check(typed("text/plain", "base64", "SGVsbG8gQm8u\n____\nThe list\n"), &said("Hello Bo.\n____\nThe list"));
    for (above, below) in [
        ("SGVsbG8gQm8=\n", "Unsubscribe\n"),
        ("SGVsbG8gQm8=\n\n", "List\nThe list\n"),
        ("SGVsbG8gQm8u\n\n", "Unsubscribe\n"),
        ("SGVsbG8g\nQm8u\n\n", "List\n\nof Bo\n"),
        ("SGVsbG8gQm8u\n", "==========\nList\n"),
        ("SGVsbG8gQm8u\n", "To the list\n"),
    ] {
        let hello = if above.contains("m8=") { "Hello Bo" } else { "Hello Bo." };
        let gap = if above.ends_with("\n\n") { "\n\n" } else { "\n" };
        let expected = format!("{hello}{gap}{}", below.trim_end());
        check(typed("text/plain", "base64", &format!("{above}{below}")), &said(&expected));
    }
    // No list added words to these.
    let spaced = "\n\nSGVs\n\nbG8g\n\nQm8u\n\n";
    for whole in [spaced, "SGVsbG8\ngQm8u", "SGVs\nbG8gQm8u", "SGVs\rbG8gQm8u\r", "SGVsbG8g\n\nQm8u=\n"] {
        check(typed("text/plain", "base64", whole), &said("Hello Bo."));
    }
    check(typed("text/plain", "base64", "No base64, though.\n"), &said("No base64, though."));
    check(typed("text/plain", "base64", "SGVsbG8"), &said("Hello"));
    check(typed("text/plain", "quoted-printable", "a == b =\nc =C3=BC =zz\n"), &said("a == b =\nc ü =zz"));
    check(typed("text/plain; charset=x-nobody-knows", "8bit", "Grüße"), &said("Grüße"));
    check(typed("text/plain", "x-none", "Hello"), &said("Hello"));
    check(typed("multipart/mixed; boundary=b", "7bit", "No border."), &said("No border."));
    check(typed("multipart/mixed", "7bit", "--b\n\nNo border."), &said("--b\n\nNo border."));
    check(format!("{HEAD}Hello without a blank line.\nBo"), &said("Hello without a blank line.\nBo"));
    for whole in ["", "Hello.", "Note: bring\n\nthe key.", "\u{feff}Just words.\nFrom: nobody"] {
        assert_eq!(read(whole.as_bytes()).unwrap(), plain::read(whole.as_bytes()), "{whole:?} is no mail");
    }
    let utf16: Vec<u8> = format!("\u{feff}{HEAD}\nHello.").encode_utf16().flat_map(u16::to_le_bytes).collect();
    check(utf16, &said("Hello."));
}

#[test]
fn base64_is_decoded_with_spaces_inside_its_lines() {
    let said = |body: &str| format!("From: Ana\nSubject: lease\n\n{body}");
    for (spaced, expected) in [
        ("SGVs bG8g Qm8u\n", "Hello Bo."),
        ("SGVsbG8g\tQm8u\nSGVs bG8g Qm8=\n", "Hello Bo.Hello Bo"),
        ("R3LDvMOfZSBhdXMg S8O2bG4u\nCkRpZSBNaWV0ZSBz dGVpZ3Qu\n", "Grüße aus Köln.\nDie Miete steigt."),
        // A line ends within a character.
        ("RGllIE1 pZXRlIGbD\nvHIg TWFpLg==\n", "Die Miete für Mai."),
    ] {
        check(typed("text/plain; charset=utf-8", "base64", spaced), &said(expected));
    }
    // Words, also as many letters of them.
    for words in ["To the list", "Bring the wide list", "Unsubscribe here now"] {
        check(typed("text/plain", "base64", &format!("{words}\n")), &said(words));
        check(
            typed("text/plain", "base64", &format!("SGVsbG8gQm8u\n{words}\n")),
            &said(&format!("Hello Bo.\n{words}")),
        );
    }
}

#[test]
fn what_could_not_be_decoded_is_less_sure() {
    let check = |mail: &[u8], is_sure: bool| {
        let quality = read(mail).unwrap().quality;
        assert_eq!(quality == 1.0, is_sure, "{quality}: {}", String::from_utf8_lossy(mail));
    };
    let base64 = |body: &str| typed("text/plain; charset=utf-8", "base64", body).into_bytes();
    let line = "VGhlIHJlbnQgcmlzZXMgaW4gTWF5Lgo=";
    let (first, rule) = ("VGhlIHJlbnQgcmlzZXMgaW4gTWF5Lgog", "_".repeat(line.len()));
    check(&base64(&format!("{first}\n{line}\n")), true);
    check(&base64(&format!("{first}\n{line}\n{rule}\nThe list\n")), true);
    check(&base64(&format!("{first}\n{}\n{line}\n", first.replace('J', "*"))), false);
    check(&base64(&format!("{}\n{line}\n", first.replace('J', "*"))), false);
    check(&base64(&format!("{line}\n{line}\n")), false);
    check(&base64("No base64, though, but a sentence.\n"), true);
    let named = |charset: &str, body: &[u8]| {
        [typed(&format!("text/plain; charset={charset}"), "8bit", "").as_bytes(), body].concat()
    };
    check(&named("x-nobody-knows", "Grüße".as_bytes()), true);
    // Guessed, and nothing of it is lost.
    check(&named("unknown-8bit", b"Gr\xfc\xdfe"), true);
    check(&named("unknown-8bit", &["ü".repeat(19).as_bytes(), b"\xff"].concat()), false);
    check(&named("iso-8859-1", b"Gr\xfc\xdfe"), true);
}

/// Parts with a border around each, and the last one.
fn parts(form: &str, parts: &[&str]) -> String {
    let between: String = parts.iter().map(|part| format!("--b-{form}\n{part}\n")).collect();
    format!("Content-Type: multipart/{form}; boundary=\"b-{form}\"\n\nfor old programs\n{between}--b-{form}--\n")
}

#[test]
fn the_plain_one_of_several_forms_is_taken_and_attachments_are_named() {
    let mail = |body: String| format!("From: Ana\nSubject: lease\n{body}");
    let said = |body: &str| format!("From: Ana\nSubject: lease\n\n{body}");
    let (plain, html) =
        ("Content-Type: text/plain\n\nThe rent", "Content-Type: text/html\n\n<p>The <b>rent</b>, in HTML");
    check(mail(parts("alternative", &[plain, html])), &said("The rent"));
    check(mail(parts("alternative", &[html, plain])), &said("The rent"));
    check(mail(parts("alternative", &["\n \n", html])), &said("The rent, in HTML"));
    let pdf = "Content-Type: application/pdf; name=a.pdf\nContent-Disposition: attachment;\n filename*=utf-8''Miete%20K%C3%B6ln.pdf\n\
               Content-Transfer-Encoding: base64\n\nJVBERg==";
    let picture = "Content-Type: image/png; name=\"=?UTF-8?Q?K=C3=B6ln.png?=\"\n\nx";
    let notes = "Content-Disposition: attachment; filename=notes.txt\n\nnot shown";
    let unnamed = "Content-Type: application/zip\nContent-Disposition: attachment\n\nPK";
    let mixed = parts("mixed", &[plain, pdf, picture, notes, unnamed]);
    let names = "Attachment: Miete Köln.pdf\nAttachment: Köln.png\nAttachment: notes.txt\nAttachment: application/zip";
    check(mail(mixed), &said(&format!("The rent\n\n{names}")));
    // What is attached to the form that is not taken is named, too.
    let nested = parts("alternative", &[plain, &parts("mixed", &[html, pdf])]);
    check(mail(nested), &said("The rent\n\nAttachment: Miete Köln.pdf"));
    let added = format!("{}\n_____\nThe list", parts("mixed", &[plain]));
    check(mail(added), &said("The rent\n\n_____\nThe list"));
    let spaced = "Content-Type: multipart/mixed; boundary=\"a  b \"\n\n--a  b\n\nThe rent\n--a  b--\n";
    check(mail(spaced.to_owned()), &said("The rent"));
    let odd =
        "Content-Type: multipart/mixed; boundary=\"=?b\"\n\n--=?b\nContent-Type: x/y; name=\"a =?b.c\"\n\n--=?b--\n";
    check(mail(odd.to_owned()), &said("Attachment: a =?b.c"));
    let cut = parts("mixed", &[plain]).replace("--b-mixed--\n", "");
    check(mail(cut), &said("The rent"));
}

#[test]
fn a_mail_in_a_mail_is_read_under_it() {
    let inner = "From: Bo\nSubject: garden\n\nThe garden is large.";
    let passed_on = format!("Content-Type: message/rfc822\n\n{inner}");
    let mail = format!("{HEAD}{}", parts("mixed", &["\nSee below.", &passed_on]));
    let text = read(mail.as_bytes()).unwrap();
    let below = "See below.\n\nFrom: Bo\nSubject: garden\n\nThe garden is large.";
    assert_eq!(text.text, format!("From: Ana\nSubject: lease\n\n{below}"));
    assert_eq!(headings(&text), [(0, "lease", "From: Ana"), (1, "garden", "From: Bo")]);
    let digest = format!("{HEAD}{}", parts("digest", &[&format!("\n{inner}")]));
    check(digest, "From: Ana\nSubject: lease\n\nFrom: Bo\nSubject: garden\n\nThe garden is large.");
}

const MAILBOX: &str = "From ana@example.org Tue Mar 12 09:14:00 2024\nFrom: Ana\nSubject: rent\n\nThe rent.\n\n\
                       From here on it rises.\n>From there, too.\n\nFrom - Wed Mar 13 10:00:00 2024\nX-Status: 1\nFrom: Bo\n\
                       Content-Transfer-Encoding: base64\n\nVGhlIGdhcmRlbi4=\nFrom - Wed Mar 13 11:00:00 2024\nX-Status: 1\n\nNo head.\n";

#[test]
fn a_mailbox_is_read_mail_by_mail() {
    let text = read(MAILBOX.as_bytes()).unwrap();
    let expected = "From ana@example.org Tue Mar 12 09:14:00 2024\nFrom: Ana\nSubject: rent\n\nThe rent.\n\nFrom here on it rises.\n\
                    From there, too.\n\nFrom - Wed Mar 13 10:00:00 2024\nFrom: Bo\n\nThe garden.\n\n\
                    From - Wed Mar 13 11:00:00 2024\n\nX-Status: 1\n\nNo head.";
    assert_eq!(text.text, expected);
    let marks = [
        "From ana@example.org Tue Mar 12 09:14:00 2024",
        "From - Wed Mar 13 10:00:00 2024",
        "From - Wed Mar 13 11:00:00 2024",
    ];
    assert_eq!(headings(&text), [(1, "rent", marks[0]), (1, "Bo", marks[1]), (1, marks[2], marks[2])]);
    // None of them has a date but that of the line before it.
    let expected = [(Some("Ana"), 1_710_234_840_000), (Some("Bo"), 1_710_324_000_000), (None, 1_710_327_600_000)];
    assert_eq!(text.mails.len(), marks.len());
    for ((mail, mark), (from, sent_at)) in text.mails.iter().zip(marks).zip(expected) {
        assert_eq!((mail.from.as_deref(), mail.sent_at), (from, Some(sent_at)), "{mark}");
        assert!(text.text[mail.at..].starts_with(mark), "{mark}");
    }
    check("From here to there.\n\nAll of it.", "From here to there.\n\nAll of it.");
}

#[test]
fn a_damaged_mail_counts_by_its_share_of_a_mailbox() {
    let mail = |body: &[u8]| ["From - Tue Mar 12 09:14:00 2024\nFrom: Ana\n\n".as_bytes(), body, b"\n\n"].concat();
    let damaged = mail(&["ä".repeat(40).as_bytes(), b"\xc3"].concat());
    let whole = mail("The rent.".repeat(1_000).as_bytes());
    let quality = |mails: &[&[u8]]| read(&mails.concat()).unwrap().quality;
    let alone = quality(&[&damaged[..]]);
    assert!(alone < 0.98, "{alone}");
    for mails in [[&*damaged, &*whole], [&*whole, &*damaged]] {
        let both = quality(&mails);
        assert!(both > 0.999 && both < 1.0, "{both}");
    }
    assert_eq!(quality(&[&whole[..], &whole[..]]), 1.0);
}

/// A mail whose parts lie inside one another so deep.
fn deep(levels: usize) -> String {
    let head = |level: usize| format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n");
    format!("{HEAD}{}\nThe heart.", (0..levels).map(head).collect::<String>())
}

#[test]
fn mails_that_mean_ill_are_refused_and_keep_no_mailbox_from_being_read() {
    let many = |parts: usize| {
        format!("{HEAD}Content-Type: multipart/mixed; boundary=b\n\n{}--b\n\nThe end.", "--b\n\n.\n".repeat(parts))
    };
    let nested = format!("{HEAD}{}", "Content-Type: message/rfc822\n\n".repeat(50_000));
    check(deep(10), "From: Ana\nSubject: lease\n\nThe heart.");
    assert!(read(many(900).as_bytes()).unwrap().text.ends_with("The end."));
    for hostile in [many(1_001), many(500_000), deep(30), deep(20_000), nested] {
        let told = read(hostile.as_bytes()).unwrap_err();
        assert!(
            matches!(&told, ProviderError::Unsupported(why) if why.contains("Save what you need of it")),
            "{told:?}"
        );
        let mark = "From a@b.example Tue Mar 12 09:14:00 2024\n";
        let text = read(format!("{mark}{hostile}\n\n{mark}Subject: rent\n\nThe rent.").as_bytes()).unwrap();
        assert!(text.text.starts_with(&format!("{mark}From: Ana\nSubject: lease\n\n")));
        assert!(text.text.ends_with("Subject: rent\n\nThe rent."));
    }
    let words = |times: usize| format!("Subject: {}\n\nHi", "=?utf-8?q?a b ".repeat(times));
    assert!(read(words(200_000).as_bytes()).unwrap().text.ends_with("a b\n\nHi"));
    let names = (0..500).map(|n| format!("; name*{n}=x")).collect::<String>();
    check(typed(&format!("text/plain{names}"), "7bit", "Hi"), "From: Ana\nSubject: lease\n\nHi");
}

#[test]
fn whatever_a_mail_is_cut_to_is_read() {
    let parts = parts(
        "mixed",
        &["\nSee =C3=BC below.", "Content-Type: message/rfc822\n\nFrom: Bo\n\nHi", "Content-Type: x/y; name=z\n\nz"],
    );
    let mail = format!("{HEAD}{parts}");
    for whole in [mail.as_bytes(), MAILBOX.as_bytes()] {
        for end in 0..whole.len() {
            let text = read(&whole[..end]).unwrap();
            for heading in &text.headings {
                assert!(heading.at <= text.text.len() && text.text.is_char_boundary(heading.at), "{end}");
            }
        }
    }
}
