//! The person's settings, kept in `system_settings` under `user.`.

use crate::error::{Fault, Outcome, invalid};
use crate::{Caller, Engine};
use um_model::health::{Event, Settings, SettingsGet, SettingsSet, are_ask_keys};
use um_store::{Connection, settings};

/// Whether the person paused all work.
pub(crate) const PAUSED: &str = "user.paused";
const THEME: &str = "user.theme";
const SINGLE_KEYS: &str = "user.single_key_actions";
const CLOSE_TO_TRAY: &str = "user.close_to_tray";
const ASK_KEYS: &str = "user.ask_keys";
const OCR_LANGUAGES: &str = "user.ocr_languages";
const RERANK: &str = "user.rerank";
const PACKS_KEPT_DAYS: &str = "user.packs_kept_days";
const TRACES_KEPT_DAYS: &str = "user.traces_kept_days";
/// So many days packs and traces are kept where nothing is said (ruling 35), and at most.
const KEPT: u32 = 30;
const MOST_KEPT: u32 = 365;
/// So many characters the names of keys have at most.
const LONGEST_KEYS: usize = 60;

fn flag(connection: &Connection, key: &str, otherwise: bool) -> Result<bool, Fault> {
    Ok(settings::get(connection, key)?.map_or(otherwise, |value| value == "true"))
}

/// The languages for character recognition.
pub(crate) fn ocr_languages(connection: &Connection) -> Result<String, Fault> {
    Ok(settings::get(connection, OCR_LANGUAGES)?.unwrap_or_else(|| "eng".to_owned()))
}

/// Whether answers are reranked, where a model for it is installed.
pub(crate) fn reranks(connection: &Connection) -> Result<bool, Fault> {
    flag(connection, RERANK, true)
}

/// The catalogue id of the model that the database was embedded with.
pub(crate) fn embedding_model(connection: &Connection) -> Result<String, Fault> {
    Ok(settings::get(connection, settings::EMBEDDING_MODEL)?.unwrap_or_default())
}

/// For how many days packs are kept; 0 where none is.
pub(crate) fn packs_kept_days(connection: &Connection) -> Result<u32, Fault> {
    days(connection, PACKS_KEPT_DAYS)
}

/// For how many days traces are kept; 0 where none is.
pub(crate) fn traces_kept_days(connection: &Connection) -> Result<u32, Fault> {
    days(connection, TRACES_KEPT_DAYS)
}

fn days(connection: &Connection, key: &str) -> Result<u32, Fault> {
    Ok(settings::get(connection, key)?.and_then(|days| days.parse().ok()).unwrap_or(KEPT))
}

/// Reads the settings.
pub(crate) fn settings_get(engine: &Engine, caller: &Caller, _: SettingsGet) -> Outcome<Settings> {
    let data_folder = engine.data_dir().display().to_string();
    engine.read(|c| {
        crate::access::may_act(c, caller)?;
        Ok(Settings {
            theme: settings::get(c, THEME)?.unwrap_or_else(|| "system".to_owned()),
            single_key_actions: flag(c, SINGLE_KEYS, true)?,
            close_to_tray: flag(c, CLOSE_TO_TRAY, true)?,
            ask_keys: settings::get(c, ASK_KEYS)?.unwrap_or_default(),
            ocr_languages: ocr_languages(c)?,
            packs_kept_days: packs_kept_days(c)?,
            traces_kept_days: traces_kept_days(c)?,
            rerank: reranks(c)?,
            data_folder,
            embedding_model: embedding_model(c)?,
            llm: crate::llm::read(engine, c)?,
            compliance_mode: um_store::forget::compliance_mode(c)?,
        })
    })
}

/// Whether what is asked for is among what there is.
fn check(request: &SettingsSet) -> Outcome<()> {
    if let Some(theme) = &request.theme
        && !["system", "light", "dark"].contains(&theme.as_str())
    {
        return Err(invalid(format!("\"{theme}\" is no theme.")).hint("Choose system, light or dark."));
    }
    if let Some(keys) = &request.ask_keys
        && !keys.is_empty()
        && (keys.len() > LONGEST_KEYS || !are_ask_keys(keys))
    {
        return Err(invalid(format!("\"{keys}\" cannot be taken from other programs."))
            .hint("Name a key with Super, or with two of Ctrl, Alt and Shift, such as Ctrl+Alt+M; or none at all."));
    }
    if let Some(languages) = &request.ocr_languages
        && (languages.is_empty() || !languages.chars().all(|c| c.is_ascii_alphanumeric() || "+_".contains(c)))
    {
        return Err(
            invalid(format!("\"{languages}\" are no languages.")).hint("Give Tesseract's names, such as eng+deu.")
        );
    }
    if [request.packs_kept_days, request.traces_kept_days].into_iter().flatten().any(|days| days > MOST_KEPT) {
        return Err(invalid(format!("Packs and traces are kept for {MOST_KEPT} days at most; 0 keeps none.")));
    }
    Ok(())
}

/// Changes settings.
pub(crate) fn settings_set(engine: &Engine, caller: &Caller, request: SettingsSet) -> Outcome<Settings> {
    check(&request)?;
    engine.read(|c| crate::access::may_act(c, caller))?;
    if let Some(change) = request.llm {
        crate::llm::change(engine, caller, change)?;
    }
    let now = engine.now();
    let writer = caller.clone();
    engine.write(move |tx| {
        crate::access::may_act(tx, &writer)?;
        let flag = |value: Option<bool>| value.map(|v| v.to_string());
        let values = [
            (THEME, request.theme),
            (SINGLE_KEYS, flag(request.single_key_actions)),
            (CLOSE_TO_TRAY, flag(request.close_to_tray)),
            (ASK_KEYS, request.ask_keys),
            (OCR_LANGUAGES, request.ocr_languages),
            (PACKS_KEPT_DAYS, request.packs_kept_days.map(|days| days.to_string())),
            (TRACES_KEPT_DAYS, request.traces_kept_days.map(|days| days.to_string())),
            (RERANK, flag(request.rerank)),
            (settings::COMPLIANCE_MODE, flag(request.compliance_mode)),
        ];
        let values: Vec<_> = values.into_iter().filter_map(|(key, value)| Some((key, value?))).collect();
        for (key, value) in &values {
            settings::set(tx, key, value, now)?;
        }
        if let Some(days) = request.packs_kept_days {
            um_store::contexts::keep_until(tx, now + i64::from(days) * 86_400_000)?;
        }
        if let Some(days) = request.traces_kept_days {
            crate::recall::keep_for(tx, days, now)?;
        }
        let mut keys: Vec<&str> = values.iter().map(|(key, _)| *key).collect();
        keys.retain(|key| *key != settings::COMPLIANCE_MODE);
        changed(tx, &writer, &keys, None, now)?;
        if let Some(on) = request.compliance_mode {
            let (object, global) = (("system_settings", settings::COMPLIANCE_MODE), um_model::SpaceId::global());
            Engine::audit(tx, &writer, "compliance.set", object, &global, serde_json::json!({ "on": on }), now)?;
        }
        Ok(())
    })?;
    engine.tell(Event::Settings);
    settings_get(engine, caller, SettingsGet {})
}

/// Says in the ledger which settings were changed, by their names: none of their values. Of an address, `sent_to` is its
/// keyed hash, so that two can be told apart.
pub(crate) fn changed(
    tx: &Connection,
    caller: &Caller,
    keys: &[&str],
    sent_to: Option<String>,
    now: um_model::EpochMs,
) -> Result<(), Fault> {
    if keys.is_empty() {
        return Ok(());
    }
    let mut payload = serde_json::json!({ "keys": keys });
    if let Some(hash) = sent_to {
        payload["sent_to"] = hash.into();
    }
    let (object, global) = (("system_settings", "user"), um_model::SpaceId::global());
    Engine::audit(tx, caller, "settings.changed", object, &global, payload, now)
}
