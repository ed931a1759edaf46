//! `encryption`, and the passphrase of an encrypted data folder wherever one is needed. It never stands on the command
//! line, where every program of the machine could read it.

use crate::args;
use crate::failure::{Failure, system};
use crate::print::Output;
use crate::service;
use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, stdin};
use std::path::Path;
use std::process::ExitCode;
use um_engine::encryption::{self, Passphrase};
use um_engine::{Clock, SystemClock};
use um_model::{ApiError, ErrorCode};

/// Names a file whose first line is the passphrase; `-` is standard input.
pub(crate) const PASSPHRASE_FILE: &str = "UM_PASSPHRASE_FILE";

/// The passphrase of a data folder: none where it needs none, or where nobody can be asked.
pub(crate) fn passphrase(data: &Path) -> Result<Option<Passphrase>, Failure> {
    if !encryption::BUILT_IN || !encryption::needs_passphrase(data) {
        return Ok(None);
    }
    let prompts = [format!("Passphrase of {}: ", data.display())];
    Ok(ask(&prompts)?.and_then(|mut given| given.pop()))
}

/// What is answered to each prompt: by the lines of the named file, or by a person at a terminal, unseen.
fn ask(prompts: &[String]) -> Result<Option<Vec<Passphrase>>, Failure> {
    let file = std::env::var_os(PASSPHRASE_FILE).filter(|file| !file.is_empty());
    let Some(file) = file else {
        if !stdin().is_terminal() {
            return Ok(None);
        }
        let typed = prompts.iter().map(|prompt| rpassword::prompt_password(prompt).map(Passphrase::new));
        return typed.collect::<Result<_, _>>().map(Some).map_err(system);
    };
    let mut lines: Box<dyn BufRead> = if file == "-" {
        Box::new(stdin().lock())
    } else {
        let path = Path::new(&file);
        Box::new(BufReader::new(File::open(path).map_err(|error| not_read(path, &error))?))
    };
    prompts.iter().map(|_| Passphrase::read(&mut lines).map_err(system)).collect::<Result<_, _>>().map(Some)
}

fn not_read(path: &Path, error: &std::io::Error) -> Failure {
    let why = um_engine::plain(error);
    ApiError::new(ErrorCode::Io, format!("{PASSPHRASE_FILE} names {}: {why}.", path.display())).into()
}

fn needed<const N: usize>(prompts: [&str; N]) -> Result<[Passphrase; N], Failure> {
    let prompts = prompts.map(str::to_owned);
    let given = ask(&prompts)?.and_then(|given| <[Passphrase; N]>::try_from(given).ok());
    given.ok_or_else(|| {
        let hint = format!("Run it in a terminal and type it, or name a file that holds it in {PASSPHRASE_FILE}.");
        ApiError::new(ErrorCode::KeyNeeded, "No passphrase was given.").hint(hint).into()
    })
}

/// A new passphrase; a person types it twice, as nobody sees what they type.
fn chosen<const N: usize>(first: [&str; N]) -> Result<[Passphrase; N], Failure> {
    let given = needed(first)?;
    let typed = std::env::var_os(PASSPHRASE_FILE).is_none_or(|file| file.is_empty());
    if typed && needed(["Once more: "])?.last() != given.last() {
        let error = ApiError::new(ErrorCode::InvalidRequest, "The two are not the same. Nothing was changed.");
        return Err(Failure::usage(error.hint("Try again.")));
    }
    Ok(given)
}

/// `umem encryption`
pub(crate) async fn encryption(data: &Path, asked: args::Encryption, output: Output) -> Result<ExitCode, Failure> {
    let now = SystemClock.now();
    match asked {
        args::Encryption::Status => {}
        args::Encryption::On => {
            let [passphrase] = chosen(["New passphrase: "])?;
            service::end(data).await?;
            encryption::turn_on(data, &passphrase, now)?;
        }
        args::Encryption::Off => {
            let [passphrase] = needed(["Passphrase: "])?;
            service::end(data).await?;
            encryption::turn_off(data, &passphrase, now)?;
        }
        args::Encryption::Passphrase => {
            let [old, new] = chosen(["Present passphrase: ", "New passphrase: "])?;
            encryption::change_passphrase(data, &old, &new)?;
        }
    }
    let answer = serde_json::json!({
        "encrypted": encryption::is_encrypted(data),
        "possible": encryption::BUILT_IN,
    });
    Ok(output.answer(&answer, |_| told(data)))
}

fn told(data: &Path) -> String {
    let data_folder = data.display();
    match (encryption::is_encrypted(data), encryption::BUILT_IN) {
        (true, true) => format!("{data_folder} is encrypted. Its passphrase opens it, and nothing else does."),
        (true, false) => format!("{data_folder} is encrypted, and this build of umem cannot open it."),
        (false, true) => format!("{data_folder} is not encrypted. `umem encryption on` encrypts it."),
        (false, false) => format!("{data_folder} is not encrypted, and this build of umem cannot encrypt it."),
    }
}
