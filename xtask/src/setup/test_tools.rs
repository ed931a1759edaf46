//! What only the tests of the whole product need.

use std::fs;

use crate::files::{make_folder, remove_folder};
use crate::place::Place;
use crate::setup::wheels::move_into_place;
use crate::sh::{cargo, command, python, quiet, succeeds};
use crate::step::{Outcome, Step};

/// axe-core among the tools.
pub const AXE: &str = "axe/axe.min.js";
/// The Python of the virtual environment with the `mcp` package in it.
pub const MCP_PYTHON: &str = if cfg!(windows) { "mcp-venv/Scripts/python.exe" } else { "mcp-venv/bin/python" };

const TAURI_DRIVER: &str = "2.1.0";
const MCP: &str = "mcp==2.3.0";
const AXE_CORE: &str = "axe-core@4";

/// The steps, in order.
pub fn steps() -> Vec<Step> {
    vec![
        Step { name: "tauri-driver", act: provide_driver, without: Some("All tests run but those of the window.") },
        Step {
            name: "axe-core",
            act: provide_axe,
            without: Some("The window is tested, but not for its accessibility rules."),
        },
        Step {
            name: "MCP client",
            act: provide_mcp_client,
            without: Some("All tests run but the one with a foreign MCP client."),
        },
    ]
}

/// Builds a program from the registry and puts it among the tools.
///
/// # Errors
/// cargo's, with what it printed last.
pub fn cargo_install(place: &Place, name: &str, version: &str, words: &[&str]) -> Result<(), String> {
    let install = |locked: bool| {
        let mut install = cargo(place);
        install.args(["install", "--quiet", "--debug", "--force", name, "--version", version]).args(words);
        install.arg("--root").arg(place.tools());
        // One folder for all: what two programs share is compiled once. Little optimisation builds soonest.
        install.arg("--target-dir").arg(place.at("target/tools"));
        install.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
        install.args(locked.then_some("--locked"));
        quiet(install)
    };
    // A registry mirror may lack a version that the program's own lock file names.
    install(true).or_else(|_| install(false)).map(drop)
}

fn provide_driver(place: &Place) -> Result<Outcome, String> {
    let mut probe = command(place, place.installed("tauri-driver"));
    probe.arg("--help");
    if succeeds(probe) {
        return Ok(Outcome::AlreadyThere);
    }
    cargo_install(place, "tauri-driver", TAURI_DRIVER, &[])?;
    Ok(Outcome::Done(TAURI_DRIVER.into()))
}

fn provide_axe(place: &Place) -> Result<Outcome, String> {
    let target = place.tool(AXE);
    if fs::metadata(&target).is_ok_and(|file| file.len() > 0) {
        return Ok(Outcome::AlreadyThere);
    }
    let folder = place.tool("unpacked/axe-core");
    remove_folder(&folder)?;
    make_folder(&folder)?;
    let mut pack = command(place, if cfg!(windows) { "npm.cmd" } else { "npm" });
    pack.args(["pack", "--silent", AXE_CORE]).current_dir(&folder);
    let archive = quiet(pack)?;
    let mut tar = command(place, "tar");
    tar.args(["-xzf", archive.trim(), "package/axe.min.js"]).current_dir(&folder);
    quiet(tar)?;
    move_into_place(&folder.join("package/axe.min.js"), &target)?;
    remove_folder(&folder)?;
    Ok(Outcome::Done(archive.trim().trim_end_matches(".tgz").to_string()))
}

fn provide_mcp_client(place: &Place) -> Result<Outcome, String> {
    let inside = place.tool(MCP_PYTHON);
    let mut probe = command(place, &inside);
    probe.args(["-c", "import mcp"]);
    if succeeds(probe) {
        return Ok(Outcome::AlreadyThere);
    }
    let mut venv = python(place);
    venv.args(["-m", "venv", "--clear"]).arg(place.tool("mcp-venv"));
    quiet(venv)?;
    let mut pip = command(place, &inside);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", MCP]);
    quiet(pip)?;
    Ok(Outcome::Done(MCP.replace("==", " ")))
}
