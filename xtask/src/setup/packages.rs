//! System packages, through apt.

use std::collections::BTreeSet;

use crate::place::Place;
use crate::sh::{command, python, quiet, succeeds};
use crate::step::Outcome;

/// What compiling the app needs.
const BUILD: &[&str] = &[
    "build-essential",
    "pkg-config",
    "cmake",
    "clang",
    "libclang-dev",
    "libwebkit2gtk-4.1-dev",
    "libgtk-3-dev",
    "libayatana-appindicator3-dev",
    "librsvg2-dev",
    // What SQLCipher encrypts with, in builds with encryption.
    "libssl-dev",
];
/// What reading files needs: OCR, and video with odd codecs.
const READ: &[&str] = &["tesseract-ocr", "tesseract-ocr-eng", "ffmpeg"];
/// What the tests of the window need: a display, a bus, a driver, and letters to draw.
const WINDOW: &[&str] = &["xvfb", "xauth", "dbus", "dbus-x11", "webkit2gtk-driver", "fonts-noto-core"];

/// Installs what is missing.
pub fn provide(place: &Place) -> Result<Outcome, String> {
    if !cfg!(target_os = "linux") {
        return Ok(Outcome::Done("left to you: Tesseract and ffmpeg, where they are not on the path".into()));
    }
    let missing = missing(place);
    if missing.is_empty() {
        return Ok(Outcome::AlreadyThere);
    }
    install(place, &missing)?;
    Ok(Outcome::Done(missing.join(" ")))
}

/// Installs packages by name.
///
/// # Errors
/// There is no apt, or no right to use it: the line to run by hand.
pub fn install(place: &Place, packages: &[String]) -> Result<(), String> {
    let by_hand = format!("run `sudo apt-get install {}` (or your system's equivalent).", packages.join(" "));
    let Some(lead) = apt_lead(place) else {
        return Err(by_hand);
    };
    let apt = |words: &[&str]| {
        let mut call = lead.iter().copied().chain(["apt-get", "-o", "DPkg::Lock::Timeout=120"]);
        let mut apt = command(place, call.next().unwrap_or("apt-get"));
        apt.args(call).args(words).env("DEBIAN_FRONTEND", "noninteractive");
        apt
    };
    quiet(apt(&["-q", "update"])).map_err(|why| format!("{why}; {by_hand}"))?;
    let mut installing = apt(&["-q", "-y", "--no-install-recommends", "install"]);
    installing.args(packages);
    quiet(installing).map(drop).map_err(|why| format!("{why}; {by_hand}"))
}

/// The words before `apt-get`: none for root, sudo where it asks for no password, None where neither is so.
fn apt_lead(place: &Place) -> Option<Vec<&'static str>> {
    let works = |program: &str, words: &[&str]| {
        let mut probe = command(place, program);
        probe.args(words);
        succeeds(probe)
    };
    if !works("apt-get", &["--version"]) {
        return None;
    }
    let mut who = command(place, "id");
    who.arg("-u");
    if quiet(who).is_ok_and(|id| id.trim() == "0") {
        return Some(vec!["env"]);
    }
    works("sudo", &["-n", "true"]).then(|| vec!["sudo", "-n", "env", "DEBIAN_FRONTEND=noninteractive"])
}

fn missing(place: &Place) -> Vec<String> {
    let mut wanted: Vec<&str> = [BUILD, READ, WINDOW].concat();
    let mut pip = python(place);
    pip.args(["-c", "import pip, venv, ensurepip"]);
    if !succeeds(pip) {
        wanted.extend(["python3", "python3-pip", "python3-venv"]);
    }
    let mut npm = command(place, "npm");
    npm.arg("--version");
    if !succeeds(npm) {
        wanted.push("npm");
    }
    let present = installed(place, &wanted);
    wanted.into_iter().filter(|name| !present.contains(*name)).map(str::to_string).collect()
}

fn installed(place: &Place, names: &[&str]) -> BTreeSet<String> {
    let mut query = command(place, "dpkg-query");
    query.args(["-W", "-f", "${Package} ${db:Status-Status}\n"]).args(names);
    // It ends with an error when it does not know one of the names, and lists the others all the same.
    let listing = query.output().map(|out| String::from_utf8_lossy(&out.stdout).into_owned());
    parse_installed(&listing.unwrap_or_default())
}

fn parse_installed(listing: &str) -> BTreeSet<String> {
    let lines = listing.lines().filter_map(|line| line.split_once(' '));
    lines.filter(|(_, status)| *status == "installed").map(|(name, _)| name.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_wholly_installed_counts() {
        let listing = "cmake installed\nclang not-installed\nffmpeg config-files\n";
        assert_eq!(parse_installed(listing), BTreeSet::from(["cmake".to_string()]));
    }
}
