//! Words with a minus before them in the question of `umem recall`: `-hotel` is no flag.

use crate::args::{Args, Command};
use clap::{CommandFactory, Parser};
use std::ffi::{OsStr, OsString};

/// Reads what was typed. Where it is wrong, and is a question once its words with a minus stand behind `--`, it is that: the order of
/// what is left out does not matter.
///
/// # Errors
/// What is wrong with it as it was typed; help, where that was asked for.
pub(crate) fn read(typed: Vec<OsString>) -> Result<Args, clap::Error> {
    Args::try_parse_from(&typed).or_else(|error| match Args::try_parse_from(behind(typed)) {
        Ok(args) if matches!(args.command, Command::Recall(_)) => Ok(args),
        _ => Err(error),
    })
}

/// The same with each word that has a minus before it behind `--`.
fn behind(typed: Vec<OsString>) -> Vec<OsString> {
    let end = typed.iter().position(|part| part == "--").unwrap_or(typed.len());
    let flags = flags();
    let (words, mut parts): (Vec<_>, Vec<_>) = typed[..end].iter().cloned().partition(|part| is_word(part, &flags));
    parts.push("--".into());
    parts.extend(words);
    parts.extend(typed.into_iter().skip(end + 1));
    parts
}

/// The long flags of `umem recall`.
fn flags() -> Vec<String> {
    let mut command = Args::command();
    // Only then it has those that it shares with other verbs.
    command.build();
    let recall = command.find_subcommand("recall").into_iter().flat_map(clap::Command::get_arguments);
    recall.filter_map(clap::Arg::get_long).map(str::to_owned).collect()
}

/// Whether it is a word with a minus before it, or a minus that stands alone before others: `-x` may be a flag that there is not, and
/// `-space` is meant for `--space`.
fn is_word(part: &OsStr, flags: &[String]) -> bool {
    let word = part.to_str().and_then(|part| part.strip_prefix('-')).unwrap_or_default();
    let begins = word.starts_with(|c: char| c.is_alphabetic() || matches!(c, '"' | '“' | '”' | '„'));
    word.starts_with(char::is_whitespace)
        || begins && word.chars().nth(1).is_some() && !flags.iter().any(|flag| flag == word)
}
