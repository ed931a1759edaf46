//! The report on the licences of all that the product is made of, and the rule that some are not allowed.

mod crates;
mod expression;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::files::{read_text, write_if_changed};
use crate::place::Place;
use crate::step::{Outcome, Step};
use crates::Crate;
use expression::Expression;

const REPORT: &str = "THIRD-PARTY-LICENCES.md";

/// Licences that ask for no more than their text and the names of the authors.
const ALLOWED: &[&str] = &[
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "0BSD",
    "ISC",
    "Zlib",
    "BSL-1.0",
    "CC0-1.0",
    "Unlicense",
    "Unicode-3.0",
    "CDLA-Permissive-2.0",
    // SQLite's own, which takes it out of copyright.
    "blessing",
    "WTFPL",
];

/// Crates under MPL-2.0, each with the reason why it is here. That licence binds the files of the crate alone, and
/// they are used as published.
const FILE_LEVEL: &[(&str, &str)] = &[
    ("cssparser", "reads CSS selectors; Tauri and the HTML reader need it"),
    ("cssparser-macros", "part of cssparser"),
    ("dtoa-short", "part of cssparser"),
    ("selectors", "matches CSS selectors; Tauri and the HTML reader need it"),
    ("option-ext", "Tauri finds the system's folders with it"),
    ("symphonia", "decodes sound; no permissive library reads all these formats"),
];

/// What is shipped or fetched beside the crates.
const BESIDE: &[(&str, &str, &str)] = &[
    ("SQLite", "public domain", "compiled in, by libsqlite3-sys"),
    ("SQLCipher", "BSD-3-Clause", "compiled in where the product is built with encryption, by libsqlite3-sys"),
    (
        "OpenSSL (libcrypto)",
        "Apache-2.0",
        "a library of the system, where the product is built with encryption (Linux, Windows)",
    ),
    ("sqlite-vec", "MIT OR Apache-2.0", "compiled in, by the crate of that name"),
    ("whisper.cpp and ggml", "MIT", "compiled in, by whisper-rs-sys"),
    ("ONNX Runtime", "MIT", "shared library, loaded at run time"),
    ("pdfium", "BSD-3-Clause and those of its parts", "shared library, loaded at run time"),
    ("Lucide icons", "ISC", "drawings in the window"),
    ("all-MiniLM-L6-v2", "Apache-2.0", "model, downloaded"),
    ("Tesseract", "Apache-2.0", "a program of the system, run as a process"),
    ("ffmpeg", "LGPL-2.1-or-later or GPL", "a program of the system, run as a process"),
    ("WebKitGTK, GTK, libayatana-appindicator", "LGPL", "shared libraries of the system (Linux)"),
];

/// Writes the report.
pub fn write() -> Step {
    Step { name: "Licences", act: write_report, without: None }
}

/// Compares the report with the one in the checkout.
pub fn check() -> Step {
    Step { name: "Licences", act: check_report, without: None }
}

fn write_report(place: &Place) -> Result<Outcome, String> {
    let (report, count) = report(place)?;
    write_if_changed(&place.at(REPORT), report.as_bytes())?;
    Ok(Outcome::Done(format!("{count} crates")))
}

fn check_report(place: &Place) -> Result<Outcome, String> {
    let (report, count) = report(place)?;
    if read_text(&place.at(REPORT)).is_ok_and(|written| written == report) {
        return Ok(Outcome::Done(format!("{count} crates, all allowed")));
    }
    Err(format!("{REPORT} is out of date: run `cargo xtask licences`"))
}

fn report(place: &Place) -> Result<(String, usize), String> {
    let crates = crates::shipped(place)?;
    let mut refused = Vec::new();
    let mut by_licence: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for krate in &crates {
        match judge(krate) {
            Ok(licence) => {
                by_licence.entry(licence).or_default().insert(format!("{} {}", krate.name, krate.version));
            }
            Err(why) => refused.push(format!("  {} {}: {why}", krate.name, krate.version)),
        }
    }
    if refused.is_empty() {
        return Ok((written(&by_licence), crates.len()));
    }
    Err(format!("not allowed in this product:\n{}", refused.join("\n")))
}

/// The licence that a crate is taken under, or why it cannot be.
fn judge(krate: &Crate) -> Result<String, String> {
    let declared = krate.licence.as_deref().ok_or("it declares no licence")?;
    let expression = Expression::parse(declared)?;
    let file_level = file_level_reason(&krate.name).is_some();
    let allowed = |licence: &str| ALLOWED.contains(&licence) || (file_level && licence == "MPL-2.0");
    expression.choose(&allowed).ok_or_else(|| format!("its licence is {declared}"))
}

fn file_level_reason(name: &str) -> Option<&'static str> {
    let whole = |listed: &str| name == listed || (listed == "symphonia" && name.starts_with("symphonia-"));
    FILE_LEVEL.iter().find(|(listed, _)| whole(listed)).map(|(_, reason)| *reason)
}

fn written(by_licence: &BTreeMap<String, BTreeSet<String>>) -> String {
    let mut text = String::from(
        "# Third-party licences\n\n\
         Written by `cargo xtask licences`; do not edit. Ultimate Memory itself is under MIT OR Apache-2.0. Where a \
         crate leaves a choice, the licence named here is the one it is used under; its text is in the crate's own \
         package.\n\n## Beside the crates\n\n| what | licence | how |\n|---|---|---|\n",
    );
    // Writing to a String cannot fail.
    for (name, licence, how) in BESIDE {
        let _ = writeln!(text, "| {name} | {licence} | {how} |");
    }
    text.push_str("\n## Crates bound file by file\n\nMPL-2.0, used unmodified; their source is in the Rust package registry, under the name of each.\n\n");
    for (name, reason) in FILE_LEVEL {
        let _ = writeln!(text, "- {name}: {reason}");
    }
    for (licence, crates) in by_licence {
        let _ = writeln!(text, "\n## {licence}\n");
        for krate in crates {
            let _ = writeln!(text, "- {krate}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn krate(name: &str, licence: Option<&str>) -> Crate {
        Crate { name: name.into(), version: "1.0.0".into(), licence: licence.map(str::to_string) }
    }

    #[test]
    fn a_choice_is_taken_where_one_side_is_allowed() {
        assert_eq!(judge(&krate("a", Some("LGPL-2.1-or-later OR MIT"))).unwrap(), "MIT");
        assert_eq!(judge(&krate("a", Some("(MIT OR GPL-3.0) AND ISC"))).unwrap(), "MIT AND ISC");
    }

    #[test]
    fn what_binds_more_than_its_own_files_is_refused() {
        assert!(judge(&krate("a", Some("GPL-3.0-only"))).is_err());
        assert!(judge(&krate("a", Some("MIT AND AGPL-3.0-only"))).is_err());
        assert!(judge(&krate("a", None)).is_err());
        assert!(judge(&krate("a", Some("MIT OR OR ISC"))).is_err());
    }

    #[test]
    fn file_level_licences_need_a_reason() {
        assert!(judge(&krate("symphonia-core", Some("MPL-2.0"))).is_ok());
        assert!(judge(&krate("symphonic", Some("MPL-2.0"))).is_err());
    }
}
