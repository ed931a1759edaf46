//! `umem connect`: writes into a client's settings that it starts `umem mcp`, or takes that out again.

mod clients;
mod entry;
mod file;
mod json;
#[cfg(test)]
mod tests;
mod toml;

use crate::args::Mcp;
use crate::failure::{Exit, Failure, system};
use crate::print::{Output, say};
use clients::{Client, Os};
use entry::{Entry, Problem, edited};
use serde::Serialize;
use similar::TextDiff;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};
use um_model::{ApiError, EpochMs, ErrorCode};

#[derive(Debug, clap::Args)]
pub(crate) struct Connect {
    /// The program that is to start it
    pub client: Client,
    /// Write the settings of this project instead of your own
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// Take the entry out again
    #[arg(long, conflicts_with_all = ["spaces", "rights", "profile"])]
    pub remove: bool,
    /// Show what would be written and where, and write nothing
    #[arg(long, conflicts_with = "yes")]
    pub print: bool,
    /// Write it without asking
    #[arg(long)]
    pub yes: bool,
    #[command(flatten)]
    pub asks: Mcp,
}

/// What became of a client's settings.
#[derive(Debug, Serialize)]
struct Connected {
    client: Client,
    /// The file.
    path: String,
    /// Whether it reads otherwise than it did, or would.
    changed: bool,
    written: bool,
    /// The file that keeps what it said.
    #[serde(skip_serializing_if = "Option::is_none")]
    backup: Option<String>,
    /// The lines that change, as a unified diff.
    diff: String,
}

/// `umem connect …`
pub(crate) fn connect(asked: Connect, data: &Path, output: Output) -> Result<ExitCode, Failure> {
    let path = place(asked.client, asked.project.as_deref())?;
    let found = file::find(&path)?;
    let entry = if asked.remove { None } else { Some(entry(&asked, data)?) };
    let before = found.text.as_deref().unwrap_or_default();
    let after =
        edited(before, asked.client.format(), entry.as_ref()).map_err(|problem| refused(&found.target, problem))?;
    let mut told = Connected {
        client: asked.client,
        path: found.target.display().to_string(),
        changed: after != before,
        written: false,
        backup: None,
        diff: diff(before, &after),
    };
    if told.changed && !asked.print {
        found.refuse_read_only()?;
        if !asked.yes {
            say(&shown(&told));
            if !agreed()? {
                say("Nothing was written.");
                return Ok(Exit::Refused.into());
            }
        }
        told.backup = found.replace(&after, now())?.map(|backup| backup.display().to_string());
        told.written = true;
    }
    Ok(output.answer(&told, |told| words(told, &asked)))
}

/// The file of settings that is meant.
fn place(client: Client, project: Option<&Path>) -> Result<PathBuf, Failure> {
    let Some(project) = project else {
        let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        return client.user_file(Os::here(), folder).ok_or_else(|| {
            let error = ApiError::new(ErrorCode::Io, "The environment names no home folder.");
            error.hint("Set HOME (on Windows USERPROFILE), or name a project with --project.").into()
        });
    };
    let usage = |what: String, hint: &str| Failure::usage(ApiError::new(ErrorCode::InvalidRequest, what).hint(hint));
    let Some(file) = client.project_file() else {
        let what = format!("{} has no settings of a project.", client.called());
        return Err(usage(what, "Leave --project out to write your own settings."));
    };
    if !project.is_dir() {
        return Err(usage(format!("{} is no folder.", project.display()), "Name the folder of the project."));
    }
    Ok(std::path::absolute(project).map_err(system)?.join(file))
}

/// What the client is to start. A project's settings go from machine to machine, and so do not say where `umem` stands here.
fn entry(asked: &Connect, data: &Path) -> Result<Entry, Failure> {
    let program = if asked.project.is_some() { PathBuf::from("umem") } else { program()? };
    let mut args = Vec::new();
    if um_server::paths::default_data_dir().ok().as_deref() != Some(data) {
        args.extend(["--data".to_owned(), text(data)?]);
    }
    args.push("mcp".to_owned());
    for space in &asked.asks.spaces {
        args.extend(["--space".to_owned(), space.clone()]);
    }
    if !asked.asks.rights.is_empty() {
        let rights: Vec<String> = asked.asks.rights.iter().map(ToString::to_string).collect();
        args.extend(["--rights".to_owned(), rights.join(",")]);
    }
    if let Some(profile) = asked.asks.profile {
        args.extend(["--profile".to_owned(), profile.to_string()]);
    }
    Ok(Entry { command: text(&program)?, args })
}

/// This program with its whole path, as a desktop program's `PATH` may not have it: by the link on the `PATH` that leads to
/// it, where there is one, as that stays where it is.
fn program() -> Result<PathBuf, Failure> {
    let own = std::env::current_exe().map_err(system)?;
    let real = own.canonicalize().map_err(system)?;
    let name = if cfg!(windows) { "umem.exe" } else { "umem" };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_it = |link: &PathBuf| link.is_absolute() && link.canonicalize().is_ok_and(|found| found == real);
    Ok(std::env::split_paths(&path).map(|folder| folder.join(name)).find(is_it).unwrap_or(own))
}

fn text(path: &Path) -> Result<String, Failure> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        let what = format!("{} is a path that no settings can name.", path.display());
        ApiError::new(ErrorCode::Io, what).hint("Give it a name that is text in UTF-8.").into()
    })
}

fn refused(path: &Path, problem: Problem) -> Failure {
    let what = match problem {
        Problem::Broken { line, column, what } => {
            format!("{} cannot be read: {what}, in line {line}, column {column}.", path.display())
        }
        Problem::Misplaced { name } if name.is_empty() => format!("{} holds no settings.", path.display()),
        Problem::Misplaced { name } => {
            format!("In {}, {name:?} is not what it should be, or stands there twice.", path.display())
        }
    };
    ApiError::new(ErrorCode::CorruptFile, what).hint("Put that right, then do this again. Nothing was written.").into()
}

fn diff(before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let mut lines = diff.unified_diff();
    lines.context_radius(2).missing_newline_hint(false).to_string()
}

fn shown(told: &Connected) -> String {
    // A terminal is not shown the characters that could steer it, which tabs are of.
    format!("In {}:\n{}", told.path, told.diff.trim_end().replace('\t', "    "))
}

/// Asks on the terminal. Where nobody can answer, `--yes` says it beforehand.
fn agreed() -> Result<bool, Failure> {
    if !std::io::stdin().is_terminal() {
        say("Nobody is there to agree. Add --yes to write this.");
        return Ok(false);
    }
    say("Write this? [y/N]");
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(system)?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn words(told: &Connected, asked: &Connect) -> String {
    let called = told.client.called();
    match (told.changed, told.written, asked.remove) {
        (false, _, true) => format!("It does not stand in {}.", told.path),
        (false, _, false) => format!("It stands in {} already.", told.path),
        (true, false, _) => shown(told),
        (true, true, remove) => {
            let mut parts = vec![match remove {
                true => format!("Taken out of {}.", told.path),
                false => format!("Written to {}.", told.path),
            }];
            parts.extend(told.backup.iter().map(|backup| format!("What stood there is kept in {backup}.")));
            parts.push(match remove {
                true => format!("Start {called} anew."),
                false => format!("Start {called} anew; it then asks to be let in: umem agents list"),
            });
            if asked.project.is_some() && !remove {
                parts.push("Whoever opens the project needs umem on the PATH.".to_owned());
            }
            parts.join("\n")
        }
    }
}

fn now() -> EpochMs {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as EpochMs)
}
