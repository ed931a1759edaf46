use super::*;
use std::io::Write;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const STYLES: &str = r#"<w:styles>
<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Eigene"><w:name w:val="My own"/><w:basedOn w:val="berschrift2"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>
<w:style w:type="paragraph" w:styleId="Liste"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style>
</w:styles>"#;

fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn document(body: &str) -> Vec<u8> {
    let body = format!("<?xml version=\"1.0\"?><w:document><w:body>{body}</w:body></w:document>");
    archive(&[("[Content_Types].xml", "<Types/>"), ("word/document.xml", &body), ("word/styles.xml", STYLES)])
}

fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

fn styled(style: &str, text: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

fn check(body: &str, expected: &str) {
    assert_eq!(read(&document(body)).unwrap().text, expected, "{body}");
}

#[test]
fn paragraphs_runs_and_breaks() {
    check("", "");
    check(&[paragraph("One"), paragraph(""), paragraph("two &amp; &#x20AC;")].concat(), "One\n\ntwo & €");
    check(
        "<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><w:r><w:t xml:space=\"preserve\">a </w:t></w:r><w:r><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>",
        "a \tb\nc",
    );
    check(
        "<w:p><w:hyperlink r:id=\"1\"><w:r><w:t>link</w:t></w:r></w:hyperlink><w:r><w:t>, after</w:t></w:r></w:p>",
        "link, after",
    );
    check(
        "<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom></w:p>",
        "new",
    );
    check(
        "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>unseen</w:t></w:r><w:r><w:rPr><w:vanish w:val=\"0\"/></w:rPr><w:t>seen</w:t></w:r></w:p>",
        "seen",
    );
    check(
        "<w:p><w:r><w:instrText>PAGE</w:instrText><w:t>7</w:t><w:sym w:char=\"2713\"/><w:sym w:char=\"F0FC\"/><w:t>x</w:t><w:noBreakHyphen/></w:r></w:p>",
        "7✓x-",
    );
    check(
        "<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>around</w:t></w:r></w:p>",
        "box\n\naround",
    );
}

#[test]
fn headings_come_from_styles_and_outline_levels() {
    let outline = "<w:p><w:pPr><w:outlineLvl w:val=\"2\"/></w:pPr><w:r><w:t>Third</w:t></w:r></w:p>";
    let body = [
        styled("Titel", "The whole"),
        styled("berschrift1", "Größe"),
        paragraph("text"),
        styled("Eigene", "Second"),
        outline.to_owned(),
        styled("unknown", "plain"),
    ];
    let text = read(&document(&body.concat())).unwrap();
    let found: Vec<_> = text.headings.iter().map(|h| (h.level, h.text.as_str(), &text.text[h.at..h.at + 4])).collect();
    assert_eq!(
        found,
        [(0, "The whole", "The "), (1, "Größe", "Gr\u{f6}"), (2, "Second", "Seco"), (3, "Third", "Thir")]
    );
    assert_eq!(text.text, "The whole\n\nGröße\n\ntext\n\nSecond\n\nThird\n\nplain");
}

#[test]
fn lists_and_tables_are_lines() {
    let item = |level: u8, text: &str| {
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let body = [paragraph("before"), item(0, "a"), item(1, "b"), styled("Liste", "c"), paragraph("after")].concat();
    check(&body, "before\n\n- a\n  - b\n- c\n\nafter");
    let cell = |content: &str| format!("<w:tc>{content}</w:tc>");
    let row = |cells: &[String]| format!("<w:tr>{}</w:tr>", cells.concat());
    let inner = format!("<w:tbl>{}</w:tbl>{}", row(&[cell(&paragraph("x")), cell(&paragraph("y"))]), paragraph(""));
    let table = [
        row(&[cell(&paragraph("Name")), cell(&paragraph("Age"))]),
        row(&[cell(&(paragraph("Anna") + &paragraph("B."))), cell("<w:p/>"), cell(&inner)]),
    ];
    check(&format!("<w:tbl>{}</w:tbl>{}", table.concat(), paragraph("after")), "Name\tAge\nAnna B.\t\tx y\n\nafter");
}

#[test]
fn notes_stand_behind_the_text() {
    let body = "<w:document><w:p><w:r><w:t>One</w:t><w:footnoteReference w:id=\"2\"/></w:r><w:r><w:t> two</w:t><w:endnoteReference w:id=\"2\"/></w:r></w:p></w:document>";
    let note = |kind: &str, id: u8, text: &str| format!("<w:{kind} w:id=\"{id}\">{}</w:{kind}>", paragraph(text));
    let notes = |kind: &str, text: &str| format!("<w:x>{}{}</w:x>", note(kind, 0, "separator"), note(kind, 2, text));
    let (foot, end) = (notes("footnote", "the foot"), notes("endnote", "the end"));
    let bytes = archive(&[("word/document.xml", body), ("word/footnotes.xml", &foot), ("word/endnotes.xml", &end)]);
    assert_eq!(read(&bytes).unwrap().text, "One[1] two[2]\n\n[1] the foot\n\n[2] the end");
}

fn refused(bytes: &[u8]) -> ProviderError {
    read(bytes).unwrap_err()
}

#[test]
fn damaged_documents_are_refused() {
    let whole = document(&paragraph("words"));
    for length in (0..whole.len()).step_by(7) {
        assert!(matches!(refused(&whole[..length]), ProviderError::Corrupt(_)), "{length}");
    }
    assert!(matches!(refused(b"PK\x03\x04 and nothing"), ProviderError::Corrupt(_)));
    assert!(matches!(refused(&archive(&[("other.xml", "<x/>")])), ProviderError::Corrupt(_)));
    assert!(matches!(refused(&document("<w:p></w:r>")), ProviderError::Corrupt(_)));
}

#[test]
fn bombs_are_refused() {
    let large = document(&paragraph(&"a".repeat(70 << 20)));
    assert!(large.len() < 1 << 20);
    assert!(matches!(refused(&large), ProviderError::Unsupported(_)));
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for n in 0..10_001 {
        zip.start_file(format!("{n}"), SimpleFileOptions::default()).unwrap();
    }
    assert!(matches!(refused(&zip.finish().unwrap().into_inner()), ProviderError::Unsupported(_)));
    let entities = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><w:document><w:p><w:r><w:t>x&b;y</w:t></w:r></w:p></w:document>";
    assert_eq!(read(&archive(&[("word/document.xml", entities)])).unwrap().text, "xy");
}

#[test]
fn deep_documents_do_not_overflow() {
    let deep = |tag: &str| {
        format!("{}{}{}", format!("<{tag}>").repeat(20_000), paragraph("x"), format!("</{tag}>").repeat(20_000))
    };
    check(&deep("w:sdt"), "x");
    for tag in ["w:p", "w:tc", "w:tr"] {
        assert!(read(&document(&deep(tag))).unwrap().text.len() <= 1, "{tag}");
    }
}
