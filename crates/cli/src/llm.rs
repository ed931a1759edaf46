//! `llm`: the language model that a person may turn on. A key never stands on the command line, where every program of
//! the machine could read it.

use crate::args;
use crate::failure::{Exit, Failure, system};
use crate::print::{Output, table};
use std::path::Path;
use std::process::ExitCode;
use um_model::health::{Settings, SettingsGet, SettingsSet};
use um_model::llm::{LlmChange, LlmSettings, LlmTest, LlmTested, Secret};
use um_server::client::Connection;
use um_server::text::count;

/// `umem llm …`
pub(crate) async fn llm(service: &mut Connection, asked: args::Llm, output: Output) -> Result<ExitCode, Failure> {
    let change = match asked {
        args::Llm::Show => {
            let settings = service.run(SettingsGet {}).await?;
            return Ok(output.answer(&settings.llm, shown));
        }
        args::Llm::Test => {
            let tested = service.run(LlmTest {}).await?;
            let ok = tested.ok;
            let exit = output.answer(&tested, said);
            return Ok(if ok { exit } else { Exit::Failed.into() });
        }
        args::Llm::Off => LlmChange { enabled: Some(false), ..LlmChange::default() },
        args::Llm::Set(set) => LlmChange {
            // Limits and keys can be changed without turning it on.
            enabled: (set.url.is_some() || set.model.is_some()).then_some(true),
            protocol: set.protocol,
            base_url: set.url,
            model: set.model,
            key: match set.key_from.as_deref() {
                Some(file) => Some(key_from(file)?),
                None => set.no_key.then(|| Secret::new("")),
            },
            use_for: (!set.use_for.is_empty()).then_some(set.use_for),
            daily_token_budget: set.budget,
            max_memory_chars: set.max_chars,
        },
    };
    let settings: Settings = service.run(SettingsSet { llm: Some(change), ..SettingsSet::default() }).await?;
    Ok(output.answer(&settings.llm, shown))
}

/// A key from a file, or from standard input where the file is `-`.
fn key_from(file: &Path) -> Result<Secret, Failure> {
    let key = match file.to_str() {
        Some("-") => std::io::read_to_string(std::io::stdin()),
        _ => std::fs::read_to_string(file),
    };
    Ok(Secret::new(key.map_err(system)?.trim()))
}

fn shown(llm: &LlmSettings) -> String {
    if llm.base_url.is_empty() {
        return "No language model is set up; nothing is sent anywhere. See: umem llm set --help".to_owned();
    }
    let uses: Vec<_> = llm.use_for.iter().map(ToString::to_string).collect();
    let sends = match (&llm.cloud, llm.enabled) {
        (Some(host), _) => format!("texts of your memories go to {host}"),
        (None, true) => "texts stay on this machine".to_owned(),
        (None, false) => "nothing is sent".to_owned(),
    };
    let rows = [
        ("state", if llm.enabled { "on" } else { "off" }.to_owned()),
        ("sends", sends),
        ("protocol", llm.protocol.to_string()),
        ("address", llm.base_url.clone()),
        ("model", llm.model.clone()),
        ("key", if llm.key_set { "kept" } else { "none" }.to_owned()),
        ("used for", uses.join(", ")),
        ("tokens today", format!("{} of {}", llm.tokens_today, llm.daily_token_budget)),
        ("characters of a memory", format!("at most {}", llm.max_memory_chars)),
    ];
    table(&rows.map(|(name, value)| vec![name.to_owned(), value]))
}

fn said(tested: &LlmTested) -> String {
    match &tested.problem {
        Some(problem) => problem.clone(),
        None => {
            format!("{} answered in {} ms ({}).", tested.host, tested.latency_ms, count(tested.tokens, "token"))
        }
    }
}
