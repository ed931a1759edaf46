//! How the language model is set up, in `system_settings` under `user.llm.`; the key is in a file of its own.

use super::{BaseUrl, budget, key};
use crate::error::{Fault, Outcome, invalid};
use crate::language::LlmConfig;
use crate::{Caller, Engine};
use std::time::Duration;
use um_model::llm::{LlmChange, LlmProtocol, LlmSettings, LlmUse};
use um_store::{Connection, settings};

const ENABLED: &str = "user.llm.enabled";
const PROTOCOL: &str = "user.llm.protocol";
const BASE_URL: &str = "user.llm.base_url";
const MODEL: &str = "user.llm.model";
const USE_FOR: &str = "user.llm.use_for";
const DAILY_BUDGET: &str = "user.llm.daily_token_budget";
const MAX_CHARS: &str = "user.llm.max_memory_chars";
/// What the ledger calls the key, which is in no table.
const KEY: &str = "user.llm.key";

/// Some hundred memories of a page each.
const DEFAULT_BUDGET: u64 = 200_000;
/// A short book.
const DEFAULT_MAX_CHARS: u64 = 200_000;
/// The longest name of a model.
const LONGEST_MODEL: usize = 200;
/// A question is given up after so long: small machines answer slowly.
const TIMEOUT: Duration = Duration::from_secs(120);
/// Room for the claims of one window.
const MAX_OUTPUT_TOKENS: u32 = 4096;

/// How the language model is set up.
pub(crate) fn read(engine: &Engine, c: &Connection) -> Result<LlmSettings, Fault> {
    let text = |key: &str| -> Result<String, Fault> { Ok(settings::get(c, key)?.unwrap_or_default()) };
    let mut found = LlmSettings {
        enabled: text(ENABLED)? == "true",
        protocol: text(PROTOCOL)?.parse().unwrap_or(LlmProtocol::OpenAi),
        base_url: text(BASE_URL)?,
        model: text(MODEL)?,
        key_set: key::is_set(engine.data_dir()),
        use_for: match settings::get(c, USE_FOR)? {
            Some(uses) => uses.split(',').filter_map(|one| one.parse().ok()).collect(),
            None => vec![LlmUse::Claims],
        },
        daily_token_budget: daily_budget(c)?,
        tokens_today: budget::spent(c, engine.now())?,
        max_memory_chars: text(MAX_CHARS)?.parse().unwrap_or(DEFAULT_MAX_CHARS),
        cloud: None,
    };
    found.cloud = cloud_of(&found);
    Ok(found)
}

/// Tokens a day.
pub(super) fn daily_budget(c: &Connection) -> Result<u64, Fault> {
    Ok(settings::get(c, DAILY_BUDGET)?.and_then(|kept| kept.parse().ok()).unwrap_or(DEFAULT_BUDGET))
}

/// The host that texts are sent to, where it is another machine.
pub(crate) fn cloud(engine: &Engine, c: &Connection) -> Result<Option<String>, Fault> {
    Ok(read(engine, c)?.cloud)
}

fn cloud_of(settings: &LlmSettings) -> Option<String> {
    let url = BaseUrl::parse(&settings.base_url).ok()?;
    (settings.enabled && !url.is_this_machine()).then(|| url.host().to_owned())
}

/// The set-up, where the language model is on and used for this.
pub(crate) fn wanted_for(engine: &Engine, use_for: LlmUse) -> Outcome<Option<LlmSettings>> {
    let settings = engine.read(|c| read(engine, c))?;
    Ok((settings.enabled && settings.use_for.contains(&use_for)).then_some(settings))
}

/// How the language model is called.
///
/// # Errors
/// `InvalidRequest` while it is not set up, `Io` where the key cannot be read.
pub(crate) fn config(engine: &Engine, settings: &LlmSettings) -> Outcome<LlmConfig> {
    if settings.base_url.is_empty() || settings.model.is_empty() {
        return Err(invalid("No language model is set up.").hint("Give its address and its name first."));
    }
    Ok(LlmConfig {
        protocol: settings.protocol,
        base_url: BaseUrl::parse(&settings.base_url)?,
        model: settings.model.clone(),
        api_key: key::read(engine.data_dir())?,
        timeout: TIMEOUT,
        max_output_tokens: MAX_OUTPUT_TOKENS,
    })
}

/// Changes the set-up. The key goes with its host: another host takes it away, so that it never reaches one that it
/// was not given for.
pub(crate) fn change(engine: &Engine, caller: &Caller, change: LlmChange) -> Outcome<()> {
    let before = engine.read(|c| read(engine, c))?;
    let base_url = change.base_url.filter(|url| !url.trim().is_empty()).map(|url| BaseUrl::parse(&url)).transpose()?;
    let model = change.model.map(|model| checked_model(&model)).transpose()?;
    let new_key = change.key.as_ref().map(key::checked).transpose()?;
    let known_url = base_url.as_ref().map_or(before.base_url.as_str(), BaseUrl::as_str);
    let known_model = model.as_deref().unwrap_or(&before.model);
    if change.enabled == Some(true) && (known_url.is_empty() || known_model.is_empty()) {
        return Err(invalid("The language model has no address or no name yet.")
            .hint("Give both: such as http://127.0.0.1:11434/v1 and the name of a model there."));
    }
    let moved = match (&base_url, BaseUrl::parse(&before.base_url)) {
        (Some(new), Ok(old)) => new.origin() != old.origin(),
        (new, _) => new.is_some(),
    };
    match &new_key {
        Some(Some(new_key)) => key::write(engine.data_dir(), new_key)?,
        Some(None) => key::remove(engine.data_dir())?,
        None if moved => key::remove(engine.data_dir())?,
        None => {}
    }
    let values = [
        (ENABLED, change.enabled.map(|on| on.to_string())),
        (PROTOCOL, change.protocol.map(|protocol| protocol.to_string())),
        (BASE_URL, base_url.map(|url| url.to_string())),
        (MODEL, model),
        (USE_FOR, change.use_for.map(|uses| uses.iter().map(|one| one.as_str()).collect::<Vec<_>>().join(","))),
        (DAILY_BUDGET, change.daily_token_budget.map(|tokens| tokens.to_string())),
        (MAX_CHARS, change.max_memory_chars.map(|chars| chars.to_string())),
    ];
    let values: Vec<_> = values.into_iter().filter_map(|(key, value)| Some((key, value?))).collect();
    let key_changed = new_key.is_some() || (moved && before.key_set);
    let (caller, key, now) = (caller.clone(), engine.key().clone(), engine.now());
    engine.write(move |tx| {
        let mut keys = Vec::new();
        let mut sent_to = None;
        for (name, value) in values {
            settings::set(tx, name, &value, now)?;
            if name == BASE_URL {
                sent_to = Some(key.hmac("address", &value));
            }
            keys.push(name);
        }
        keys.extend(key_changed.then_some(KEY));
        crate::settings::changed(tx, &caller, &keys, sent_to, now)
    })?;
    // What waited for a key, a model or a higher budget may run now.
    engine.wake_waiting();
    Ok(())
}

fn checked_model(model: &str) -> Outcome<String> {
    let model = model.trim();
    if model.len() > LONGEST_MODEL || model.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(invalid("This is no name of a model: names have no white space.")
            .hint("The host lists its models; `ollama list` does so for Ollama."));
    }
    Ok(model.to_owned())
}
