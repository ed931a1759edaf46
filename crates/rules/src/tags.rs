//! Tags of a text: the predefined ones where words leave no doubt, and those that its author wrote into it.

use crate::data::words::{DET, POSSESSIVE, PREPOSITION, contains_word};
use crate::layout::lines;
use crate::phrases::Phrases;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// A predefined tag, and phrases that mean it and nothing else: in lower case, as [`spaced`] writes them.
const PHRASES: &[(&str, &str)] = &[
    (
        "python",
        "written in python;python script;python scripts;python code;python library;python package;python project;\
         python 3;pip install;pytest;django;numpy;pandas dataframe",
    ),
    ("typescript", "typescript;tsconfig"),
    ("javascript", "javascript;node js;npm install;npm run;pnpm;eslint;webpack"),
    (
        "rust",
        "written in rust;rust code;rust crate;rust crates;rust program;rust library;rust compiler;rust project;rustc;\
         rustfmt;rustup;cargo toml;cargo build;cargo test;cargo check;cargo run;borrow checker",
    ),
    ("go", "golang;goroutine;goroutines;gofmt;go mod tidy;written in go"),
    (
        "java",
        "openjdk;junit;java virtual machine;java code;java class;java classes;java project;written in java;spring boot",
    ),
    ("sql", "sql query;sql queries;sql statement;sql statements;select * from;plpgsql;written in sql"),
    ("bash", "bash script;bash scripts;shell script;shell scripts;bashrc"),
    ("markdown", "markdown file;markdown files;in markdown;markdown syntax"),
    ("web", "web page;web pages;web browser;web app;web application;website;websites;front end code;html and css"),
    ("cli", "command line interface;command line tool;command line tools;command line option;command line options"),
    ("api", "rest api;api endpoint;api endpoints;api request;api requests;http api;public api;graphql"),
    ("database", "database;databases;postgresql;postgres;mysql;mariadb;sqlite;mongodb"),
    ("ml", "machine learning;deep learning;neural network;neural networks;pytorch;tensorflow"),
    ("devops", "kubernetes;terraform;ansible;ci cd;docker compose;docker image;docker images;helm chart;devops"),
    (
        "security",
        "security vulnerability;sql injection;cross site scripting;penetration test;two factor authentication;cve",
    ),
    (
        "testing",
        "unit test;unit tests;integration test;integration tests;test coverage;regression test;regression tests",
    ),
    ("documentation", "api reference;user guide;docstring;docstrings;technical documentation"),
    ("deprecated", "is deprecated;are deprecated;has been deprecated;have been deprecated"),
    ("experimental", "this feature is experimental;is still experimental;are still experimental"),
];

/// The same, made ready to be looked for.
static FOUND: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(PHRASES.iter().map(|(_, phrases)| *phrases)));

/// Endings of files, and marks of fenced code, that tell a language.
const LANGUAGES: &[(&str, &str)] = &[
    ("python", " py python python3 "),
    ("typescript", " ts tsx typescript "),
    ("javascript", " js jsx mjs javascript "),
    ("rust", " rs rust "),
    ("go", " go golang "),
    ("java", " java "),
    ("sql", " sql "),
    ("bash", " sh bash zsh "),
];

/// Phrases are looked for in so many characters.
const HEAD: usize = 4_000;
/// An author's tag has at most so many characters.
const LONGEST: usize = 30;
/// At most so many tags of an author are taken.
const MOST: usize = 10;
/// Words behind `#` that are code.
const DIRECTIVES: &str = " include define ifdef ifndef endif undef pragma region endregion import elif ";

/// The tags of a text, in the order of the alphabet. `title` may be the name of its file.
pub fn tags(text: &str, title: Option<&str>) -> Vec<String> {
    let mut found: BTreeSet<String> = BTreeSet::new();
    let ending = title.and_then(|title| title.rsplit_once('.')).map(|(_, ending)| ending.to_lowercase());
    let of_file = ending.as_deref().and_then(language);
    found.extend(of_file.map(str::to_owned));
    let head = text.char_indices().nth(HEAD).map_or(text, |(end, _)| &text[..end]);
    let said = FOUND.said_in(&spaced(head));
    found.extend(PHRASES.iter().zip(said).filter(|(_, said)| *said).map(|((tag, _), _)| (*tag).to_owned()));
    let mut own: Vec<String> = Vec::new();
    let mut fence: Option<&str> = None;
    for (number, line) in lines(text).into_iter().enumerate() {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.text.starts_with(mark));
        match (fence, mark) {
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, Some(mark)) => {
                fence = Some(mark);
                let name = line.text[mark.len()..].trim().to_lowercase();
                found.extend(language(&name).map(str::to_owned));
            }
            (None, None) if of_file.is_none() => {
                own.extend(if number < 40 { listed(line.text) } else { Vec::new() });
                own.extend(hashed(line.text));
            }
            _ => {}
        }
    }
    found.extend(own.into_iter().take(MOST));
    found.into_iter().collect()
}

fn language(name: &str) -> Option<&'static str> {
    let plain = !name.is_empty() && !name.contains(' ');
    LANGUAGES.iter().find(|(_, names)| plain && contains_word(names, name)).map(|(tag, _)| *tag)
}

/// `Tags: garden, roses`, `tags: [garden, roses]`
fn listed(line: &str) -> Vec<String> {
    let Some((key, list)) = line.split_once(':') else { return Vec::new() };
    if !key.trim_matches(['*', '_', ' ']).eq_ignore_ascii_case("tags") {
        return Vec::new();
    }
    let list = list.trim().trim_start_matches(['*', '[']).trim_end_matches(']');
    let names: Vec<Option<String>> =
        list.split(',').filter(|name| !name.trim().is_empty()).map(|name| own(name.trim())).collect();
    // Where one is no tag, none may be.
    names.into_iter().collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// A tag as its author wrote it: at most three words.
fn own(name: &str) -> Option<String> {
    let name = name.trim_matches(['#', '"', '\'', '`', ' ']);
    let plain = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | ' '));
    let fits = plain
        && name.starts_with(char::is_alphabetic)
        && (2..=LONGEST).contains(&name.chars().count())
        && name.split(' ').count() <= 3;
    fits.then(|| name.to_lowercase())
}

/// The hashtags at the end of a line. Within a sentence, or behind `in`, one may be a channel or a heading elsewhere.
fn hashed(line: &str) -> Vec<String> {
    let parts: Vec<&str> = line.split_whitespace().collect();
    let count = parts.iter().rev().take_while(|part| hashtag(part).is_some()).count();
    let before = parts.len().checked_sub(count + 1).map(|at| parts[at].to_lowercase());
    let leads = before.as_deref().is_some_and(|word| {
        crate::data::words::tags(word.trim_matches(|c: char| !c.is_alphanumeric())) & (PREPOSITION | DET | POSSESSIVE)
            != 0
            && word.ends_with(char::is_alphanumeric)
    });
    if leads {
        return Vec::new();
    }
    parts[parts.len() - count..].iter().filter_map(|part| hashtag(part)).collect()
}

fn hashtag(part: &str) -> Option<String> {
    let name = part.strip_prefix('#')?;
    let colour = matches!(name.len(), 3 | 6 | 8) && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let whole = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/'));
    (whole && !colour && !contains_word(DIRECTIVES, name)).then(|| own(name)).flatten()
}

/// The words of a text in lower case, each between single spaces; of signs only `*` stays.
fn spaced(text: &str) -> String {
    let plain: String =
        text.to_lowercase().chars().map(|c| if c.is_alphanumeric() || c == '*' { c } else { ' ' }).collect();
    format!(" {} ", plain.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, title: Option<&str>, expected: &[&str]) {
        assert_eq!(tags(text, title), expected, "{text} {title:?}");
    }

    #[test]
    fn what_words_leave_no_doubt_of_is_tagged() {
        check("The service is written in Rust and keeps its rows in SQLite.", None, &["database", "rust"]);
        check("fn main() {}", Some("main.rs"), &["rust"]);
        check("Run it:\n\n```bash\nmake\n```\n", None, &["bash"]);
        check("We write unit tests with pytest.", None, &["python", "testing"]);
        check("The old endpoint is deprecated.", None, &["deprecated"]);
        check("Deploy it to Kubernetes through the REST API.", None, &["api", "devops"]);
    }

    #[test]
    fn what_may_mean_something_else_is_not() {
        for text in [
            "The crate in the cargo hold is covered in rust.",
            "Our python escaped, and we go to Java in May.",
            "The patient is stable; a second test is required.",
            "Let me go over the script of the play once more.",
            "She bashed the door and ran to the next web of lies.",
            "",
        ] {
            check(text, None, &[]);
        }
    }

    #[test]
    fn authors_tag_their_own_texts() {
        check("New boots, finally. #shopping #Winter-2023", None, &["shopping", "winter-2023"]);
        check("---\ntitle: Roses\ntags: [garden, old roses]\n---\nCut them in March.", None, &["garden", "old roses"]);
        check("Tags: travel, lisbon\n\nThree days.", None, &["lisbon", "travel"]);
        for text in [
            "Ask in #general about it.",
            "Join us in #help",
            "#include <stdio.h>",
            "The colour is #ffcc00",
            "See issue #12",
            "# Heading",
            "Tags: none of the ones, that we had: before (see there)",
            "```\n#todo\n```",
        ] {
            check(text, None, &[]);
        }
        check("# a comment #todo", Some("x.py"), &["python"]);
    }
}
