//! The text of mails as it is put together.

use super::super::{Heading, MailHead, Text, html, plain};
use super::date::{mail_date, mark_date};
use super::head::{Head, Kind, Lines, one_line};
use super::{DEEPEST, MOST_PARTS, content, flowed, mailbox, multipart, too_many_parts};
use crate::provider::ProviderResult;

/// The fields that are shown, and how. A head that is written so is one to whoever reads the text.
const SHOWN: [(&str, &str); 6] =
    [("from", "From"), ("to", "To"), ("cc", "Cc"), ("bcc", "Bcc"), ("date", "Date"), ("subject", "Subject")];

/// Writes mails one below the other.
#[derive(Debug)]
pub(super) struct Writer {
    text: String,
    headings: Vec<Heading>,
    mails: Vec<MailHead>,
    language: Option<String>,
    /// How long the texts are that were added, in bytes.
    read: usize,
    /// As `read`, each text by how sure it is.
    sure: f64,
    /// The level of headings in what the present mail says, above those that its text has itself.
    level: u8,
    /// So many parts may still come in the present mail.
    left: usize,
    /// What is attached to the present mail.
    attached: Vec<String>,
}

impl Default for Writer {
    fn default() -> Self {
        Self {
            text: String::new(),
            headings: Vec::new(),
            mails: Vec::new(),
            language: None,
            read: 0,
            sure: 0.0,
            level: 0,
            left: MOST_PARTS,
            attached: Vec::new(),
        }
    }
}

impl Writer {
    /// How long the text is by now, in bytes.
    pub(super) fn length(&self) -> usize {
        self.text.len()
    }

    /// Adds a mail.
    ///
    /// # Errors
    /// `Unsupported` when it has too many parts.
    pub(super) fn mail(&mut self, mail: &[u8]) -> ProviderResult<()> {
        self.add_mail("", mail, 0)
    }

    /// Adds a mail of a mailbox, with the line before it. One that has too many parts is added as it came.
    pub(super) fn mail_of_mailbox(&mut self, mail: &[u8]) {
        let end = mail.iter().position(|byte| *byte == b'\n').map_or(mail.len(), |at| at + 1);
        let mark = one_line(&plain::decode(&mail[..end]).0);
        let mail = mailbox::unmarked(&mail[end..]);
        let (text, headings) = (self.text.len(), self.headings.len());
        let (read, sure) = (self.read, self.sure);
        (self.level, self.left) = (1, MOST_PARTS);
        if self.add_mail(&mark, &mail, 0).is_err() {
            self.text.truncate(text);
            self.headings.truncate(headings);
            (self.read, self.sure) = (read, sure);
            self.attached.clear();
            self.level = 1;
            let (head, content) = Head::split(&mail);
            self.head(&mark, &head);
            self.block(plain::read(content));
        }
        // It stands under the heading that was added first.
        if let Some(at) = self.headings.get(headings).map(|heading| heading.at) {
            self.mails.push(mail_head(&self.text[at..], at, &mark));
        }
    }

    pub(super) fn finish(mut self) -> Text {
        let end = self.text.trim_end().len();
        self.text.truncate(end);
        // A damaged mail lowers what is told of all by its share of their words.
        let quality = if self.read == 0 { 1.0 } else { self.sure / self.read as f64 };
        let Self { text, headings, mails, language, .. } = self;
        Text { headings, mails, language, quality, ..Text::plain(text) }
    }

    fn add_mail(&mut self, mark: &str, mail: &[u8], depth: usize) -> ProviderResult<()> {
        let (head, content) = Head::split(mail);
        if !head.is_of_mail() {
            self.head(mark, &Head::default());
            self.block(plain::read(mail));
            return Ok(());
        }
        self.head(mark, &head);
        let outer = (self.level, std::mem::take(&mut self.attached));
        self.level = self.level.saturating_add(1);
        let kind = head.kind("text/plain");
        // What a mail consists of is nothing beside it.
        let kind = Kind { is_attachment: kind.is_attachment && !kind.mime.starts_with("text/"), ..kind };
        self.part(&kind, content, depth, false)?;
        let attached: Vec<String> = self.attached.iter().map(|name| format!("Attachment: {name}")).collect();
        self.block(Text::plain(attached.join("\n")));
        (self.level, self.attached) = outer;
        Ok(())
    }

    /// Adds the head of a mail, with the line before it, under a heading of what it is about.
    fn head(&mut self, mark: &str, head: &Head) {
        self.gap();
        let at = self.text.len();
        let mut heading = mark.to_owned();
        if !mark.is_empty() {
            self.text.extend([mark, "\n"]);
        }
        for (name, shown) in SHOWN {
            let Some(value) = head.said(name) else { continue };
            self.text.extend([shown, ": ", value.as_str(), "\n"]);
            if name == "subject" || name == "from" {
                heading = value;
            }
        }
        if !heading.is_empty() {
            self.headings.push(Heading { at, level: self.level, text: heading });
        }
    }

    /// Adds a part with those that it holds. Of what is only listed, nothing is added but the names of what is attached.
    fn part(&mut self, kind: &Kind, content: &[u8], depth: usize, is_listed: bool) -> ProviderResult<()> {
        self.left = self.left.checked_sub(1).filter(|_| depth <= DEEPEST).ok_or_else(too_many_parts)?;
        match kind.mime.split_once('/').unwrap_or_default() {
            ("multipart", form) => return self.parts(form, kind, content, depth, is_listed),
            ("message", "rfc822" | "global") if is_listed => return Ok(()),
            ("message", "rfc822" | "global") => {
                return self.add_mail("", &content::bytes(content, kind.encoding).0, depth + 1);
            }
            ("text", form) if form != "rtf" && !kind.is_attachment => self.words(kind, content, is_listed),
            ("message", _) if !kind.is_attachment => self.words(kind, content, is_listed),
            _ => {}
        }
        let unnamed = || kind.is_attachment.then(|| kind.mime.clone());
        self.attached.extend(kind.name.clone().or_else(unnamed));
        Ok(())
    }

    fn words(&mut self, kind: &Kind, content: &[u8], is_listed: bool) {
        if is_listed {
            return;
        }
        let (bytes, is_whole) = content::bytes(content, kind.encoding);
        let read = match &kind.charset {
            // A page may name its encoding itself.
            None if kind.mime == "text/html" => html::read(&bytes),
            charset => {
                let (words, quality) = content::words(&bytes, charset.as_deref());
                let is_html = kind.mime == "text/html";
                let read = if is_html { html::read_text(&words) } else { Text::plain(plain_words(&words, kind.lines)) };
                Text { quality, ..read }
            }
        };
        let quality = if is_whole { read.quality } else { read.quality.min(content::DAMAGED) };
        self.block(Text { quality, ..read });
    }

    fn parts(&mut self, form: &str, kind: &Kind, content: &[u8], depth: usize, is_listed: bool) -> ProviderResult<()> {
        let found = kind.boundary.as_deref().and_then(|border| multipart::split(content, border, self.left));
        let Some(found) = found else {
            // Without its borders it is one text.
            let kind = Kind { mime: "text/plain".to_owned(), name: None, is_attachment: false, ..kind.clone() };
            self.words(&kind, content, is_listed);
            return Ok(());
        };
        if found.parts.len() > self.left {
            return Err(too_many_parts());
        }
        let usual = if form == "digest" { "message/rfc822" } else { "text/plain" };
        let parts: Vec<(Kind, &[u8])> = found
            .parts
            .iter()
            .map(|part| {
                let (head, content) = Head::split(part);
                (head.kind(usual), content)
            })
            .collect();
        if form == "alternative" {
            self.best_of(parts, depth, is_listed)?;
        } else {
            for (kind, content) in &parts {
                self.part(kind, content, depth + 1, is_listed)?;
            }
        }
        if !is_listed {
            self.block(plain::read(found.behind));
        }
        Ok(())
    }

    /// Adds the first of several forms of one text that has words: the plain one, where there is one.
    fn best_of(&mut self, mut parts: Vec<(Kind, &[u8])>, depth: usize, is_listed: bool) -> ProviderResult<()> {
        parts.sort_by_key(|(kind, _)| match kind.mime.as_str() {
            "text/plain" => 0,
            "text/html" => 1,
            mime if mime.starts_with("multipart/") => 2,
            _ => 3,
        });
        let mut is_there = is_listed;
        for (kind, content) in &parts {
            let before = self.text.len();
            self.part(kind, content, depth + 1, is_there)?;
            is_there |= self.text.len() > before;
        }
        Ok(())
    }

    /// Adds a text behind a blank line, where it has words.
    fn block(&mut self, read: Text) {
        let body = read.text.trim_end();
        let skipped = body.len() - body.trim_start_matches('\n').len();
        let body = &body[skipped..];
        if body.trim_start().is_empty() {
            return;
        }
        self.gap();
        let at = self.text.len();
        self.headings.extend(read.headings.into_iter().map(|heading| Heading {
            at: at + heading.at.saturating_sub(skipped),
            level: heading.level.saturating_add(self.level),
            text: heading.text,
        }));
        self.text.push_str(body);
        self.language = self.language.take().or(read.language);
        self.read += body.len();
        self.sure += read.quality * body.len() as f64;
    }

    /// Ends what was written with a blank line.
    fn gap(&mut self) {
        let end = self.text.trim_end_matches('\n').len();
        self.text.truncate(end);
        if end > 0 {
            self.text.push_str("\n\n");
        }
    }
}

/// The words of a plain text, its paragraphs as they were before it was sent.
fn plain_words(words: &str, lines: Lines) -> String {
    let words = plain::clean(words);
    match lines {
        Lines::Fixed => words,
        Lines::Flowed => flowed::unfolded(&words, false),
        Lines::Glued => flowed::unfolded(&words, true),
    }
}

/// What the head says that was written at a place of the text, behind the line before it.
fn mail_head(written: &str, at: usize, mark: &str) -> MailHead {
    let mut head = written.lines().skip(1).take_while(|line| !line.is_empty());
    let from = head.find_map(|line| line.strip_prefix("From: ")).map(str::to_owned);
    MailHead { at, from, sent_at: mail_date(written).or_else(|| mark_date(mark)) }
}
