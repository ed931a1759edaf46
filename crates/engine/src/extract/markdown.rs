//! Markdown: the text as it is written, with its headings.

use super::{Heading, Text, plain};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Reads Markdown (CommonMark with tables, footnotes and front matter). The text stays as it is written;
/// headings are found by the grammar, so that a `#` in a code block is none.
pub(super) fn read(bytes: &[u8]) -> Text {
    let text = plain::read(bytes);
    Text { headings: headings(&text.text), ..text }
}

/// The headings of a Markdown text.
fn headings(text: &str) -> Vec<Heading> {
    let options = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_TABLES;
    let mut found = Vec::new();
    let mut open: Option<Heading> = None;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let at = text[..range.start].rfind('\n').map_or(0, |end| end + 1);
                open = Some(Heading { at, level: level as u8, text: String::new() });
            }
            Event::End(TagEnd::Heading(_)) => found.extend(open.take().map(trimmed)),
            Event::Text(words) | Event::Code(words) => {
                if let Some(heading) = &mut open {
                    heading.text.push_str(&words);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some(heading) = &mut open {
                    heading.text.push(' ');
                }
            }
            _ => {}
        }
    }
    found.retain(|heading| !heading.text.is_empty());
    found.dedup_by_key(|heading| heading.at);
    found
}

fn trimmed(heading: Heading) -> Heading {
    let text = heading.text.split_whitespace().collect::<Vec<_>>().join(" ");
    Heading { text, ..heading }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(markdown: &str, expected: &[(usize, u8, &str)]) {
        let text = read(markdown.as_bytes());
        let found: Vec<_> = text.headings.iter().map(|h| (h.at, h.level, h.text.as_str())).collect();
        assert_eq!(found, expected, "{markdown:?}");
        assert_eq!(text.text, markdown.replace("\r\n", "\n"));
    }

    #[test]
    fn headings_are_found_by_the_grammar() {
        check("", &[]);
        check("words\n", &[]);
        check("# One\n\ntext\n\n## Two *of* `it` ##\n", &[(0, 1, "One"), (13, 2, "Two of it")]);
        check("A title\nof two lines\n=====\n\nB\n---\n", &[(0, 1, "A title of two lines"), (28, 2, "B")]);
        check("```\n# a comment\n```\n\n# Real\n", &[(21, 1, "Real")]);
        check("> # Quoted\n> words\n", &[(0, 1, "Quoted")]);
        check("---\ntitle: x\n---\n\n# After\n", &[(18, 1, "After")]);
        check("#\n\n# \n", &[]);
        check("# One\r\n## Two\r\n", &[(0, 1, "One"), (6, 2, "Two")]);
        check("# Größe 😀\n# B\n", &[(0, 1, "Größe 😀"), (15, 1, "B")]);
    }

    #[test]
    fn hostile_markdown_is_read_in_time() {
        for hostile in ["[".repeat(50_000), "> ".repeat(20_000), "*a_".repeat(30_000), "# \n".repeat(50_000)] {
            assert_eq!(read(hostile.as_bytes()).headings, []);
        }
    }
}
