//! The wasm-bindgen program, at the very version of the library in Cargo.lock: the two must match.

use crate::files::read_text;
use crate::place::Place;
use crate::setup::test_tools::cargo_install;
use crate::sh::{command, quiet};
use crate::step::Outcome;

/// Installs it among the tools, where that version is not there yet.
pub fn provide(place: &Place) -> Result<Outcome, String> {
    let lock = read_text(&place.at("Cargo.lock"))?;
    let version = locked_version(&lock, "wasm-bindgen").ok_or("Cargo.lock names no wasm-bindgen")?;
    let mut ask = command(place, place.installed("wasm-bindgen"));
    ask.arg("--version");
    if quiet(ask).is_ok_and(|said| said.trim().ends_with(&format!(" {version}"))) {
        return Ok(Outcome::AlreadyThere);
    }
    // Its default features serve tests in browsers, and bring a TLS stack.
    cargo_install(place, "wasm-bindgen-cli", version, &["--no-default-features", "--bin", "wasm-bindgen"])?;
    Ok(Outcome::Done(version.to_string()))
}

/// The version of a package in the text of a Cargo.lock; the first, where there are several.
fn locked_version<'a>(lock: &'a str, name: &str) -> Option<&'a str> {
    let wanted = format!("name = \"{name}\"");
    let mut lines = lock.lines().skip_while(|line| *line != wanted).skip(1);
    lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_package_named_exactly() {
        let lock = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.1\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked_version(lock, "bindgen"), None);
    }
}
