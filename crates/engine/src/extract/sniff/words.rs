//! Kinds of text.

use super::{FileType, Reader};
use um_model::Modality;

/// The media type of mails and, here, of mailboxes too.
pub(crate) const MAIL: &str = "message/rfc822";

/// The kind of a text: by what it begins with, then by the ending of its name.
pub(super) fn kind_of_text(text: &str, name: &str) -> FileType {
    let start = past_preamble(text);
    let ending = ending(name);
    let html = || FileType::new("text/html", Modality::Html, Reader::Html);
    if begins_with_tag(start, &["!doctype html", "html", "head", "body"]) {
        return html();
    }
    if matches!(ending.as_str(), "html" | "htm" | "xhtml" | "xht") && start.contains('<') {
        return html();
    }
    if let Some((mime, reader)) = by_ending(&ending) {
        let modality = if reader == Reader::Source { Modality::Source } else { Modality::Text };
        return FileType::new(mime, modality, reader);
    }
    let source = |mime| FileType::new(mime, Modality::Source, Reader::Source);
    if text.starts_with("#!") {
        return source("text/x-script");
    }
    if begins_with_tag(start, &["svg"]) {
        return source("image/svg+xml");
    }
    if text.trim_start_matches('\u{FEFF}').starts_with("<?xml") {
        return source("text/xml");
    }
    if let Some(mime) = by_name(name) {
        return source(mime);
    }
    FileType::new("text/plain", Modality::Text, Reader::Text)
}

/// Whether a name says that the file is text.
pub(super) fn is_text_name(name: &str) -> bool {
    let ending = ending(name);
    matches!(ending.as_str(), "html" | "htm" | "xhtml") || by_ending(&ending).is_some() || by_name(name).is_some()
}

/// The ending of a name, in small letters, without its dot.
fn ending(name: &str) -> String {
    name.rsplit_once('.').map_or_else(String::new, |(_, ending)| ending.to_ascii_lowercase())
}

/// The text after white space, an XML declaration, comments and a doctype other than HTML's.
fn past_preamble(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
        let end = if rest.starts_with("<?xml") {
            rest.find("?>").map(|at| at + 2)
        } else if rest.starts_with("<!--") {
            rest.find("-->").map(|at| at + 3)
        } else if rest.starts_with("<!DOCTYPE svg") {
            rest.find('>').map(|at| at + 1)
        } else {
            None
        };
        match end {
            Some(end) => rest = &rest[end..],
            None => return rest,
        }
    }
}

/// Whether a text begins with one of these tags, in any case.
fn begins_with_tag(text: &str, tags: &[&str]) -> bool {
    let Some(rest) = text.strip_prefix('<') else { return false };
    tags.iter().any(|tag| {
        let named = rest.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
        named && rest[tag.len()..].starts_with(|c: char| c == '>' || c == '/' || c.is_ascii_whitespace())
    })
}

/// Files that are known by their whole name.
fn by_name(name: &str) -> Option<&'static str> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    Some(match name {
        "Makefile" | "makefile" | "GNUmakefile" => "text/x-makefile",
        "Dockerfile" | "Containerfile" => "text/x-dockerfile",
        "CMakeLists.txt" => "text/x-cmake",
        "Jenkinsfile" | "Vagrantfile" | "Gemfile" | "Rakefile" | "Justfile" | "justfile" => "text/x-source",
        _ => return None,
    })
}

/// Kinds of text by the ending of their names.
fn by_ending(ending: &str) -> Option<(&'static str, Reader)> {
    let prose = |mime| Some((mime, Reader::Text));
    let source = |mime| Some((mime, Reader::Source));
    match ending {
        "md" | "markdown" | "mdown" | "mkd" | "mdx" | "qmd" | "rmd" => Some(("text/markdown", Reader::Markdown)),
        "txt" | "text" | "log" | "asc" | "nfo" => prose("text/plain"),
        "rst" | "adoc" | "asciidoc" | "org" | "textile" | "wiki" => prose("text/plain"),
        "csv" => prose("text/csv"),
        "tsv" | "tab" => prose("text/tab-separated-values"),
        "eml" | "mbox" => Some((MAIL, Reader::Mail)),
        "ics" => prose("text/calendar"),
        "vcf" => prose("text/vcard"),
        "srt" => prose("application/x-subrip"),
        "vtt" => prose("text/vtt"),
        "rs" => source("text/x-rust"),
        "py" | "pyi" | "pyw" => source("text/x-python"),
        "js" | "mjs" | "cjs" | "jsx" => source("text/javascript"),
        "ts" | "tsx" | "mts" | "cts" => source("text/x-typescript"),
        "c" | "h" => source("text/x-c"),
        "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" | "ino" | "cu" => source("text/x-c++"),
        "cs" => source("text/x-csharp"),
        "java" => source("text/x-java"),
        "kt" | "kts" => source("text/x-kotlin"),
        "go" => source("text/x-go"),
        "rb" => source("text/x-ruby"),
        "php" => source("text/x-php"),
        "swift" => source("text/x-swift"),
        "scala" | "sc" => source("text/x-scala"),
        "sh" | "bash" | "zsh" | "fish" | "ksh" => source("text/x-shellscript"),
        "ps1" | "psm1" | "bat" | "cmd" => source("text/x-script"),
        "sql" => source("application/sql"),
        "r" | "jl" | "lua" | "pl" | "pm" | "m" | "mm" | "dart" | "ex" | "exs" | "erl" | "hs" | "ml" | "mli" | "fs"
        | "clj" | "cljs" | "el" | "lisp" | "scm" | "nim" | "zig" | "v" | "sv" | "vhd" | "asm" | "s" | "pas" | "f90"
        | "vue" | "svelte" | "astro" | "gradle" | "groovy" | "proto" | "graphql" | "gql" | "tf" | "hcl" | "nix"
        | "cmake" | "mk" | "diff" | "patch" | "vb" | "d" | "sol" | "wat" | "glsl" | "wgsl" | "hlsl" => {
            source("text/x-source")
        }
        "css" | "scss" | "sass" | "less" => source("text/css"),
        "json" | "jsonl" | "ndjson" | "json5" | "jsonc" | "ipynb" | "geojson" => source("application/json"),
        "xml" | "xsd" | "xsl" | "xslt" | "plist" | "rss" | "atom" | "kml" | "gpx" | "opml" => source("text/xml"),
        "svg" => source("image/svg+xml"),
        "yaml" | "yml" => source("application/yaml"),
        "toml" => source("application/toml"),
        "ini" | "cfg" | "conf" | "env" | "properties" | "editorconfig" | "gitignore" | "lock" => {
            source("text/x-config")
        }
        "tex" | "sty" | "bib" | "cls" => source("text/x-tex"),
        _ => None,
    }
}
