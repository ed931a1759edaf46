//! The language model's set-up: off until it is whole, its key out of sight, its budget kept.

use crate::support::{BEGIN, MODEL, Rig};
use serde_json::{Value, json};
use um_engine::language::LlmError;
use um_model::ErrorCode;
use um_model::health::{Settings, SettingsGet, SettingsSet, StatusGet};
use um_model::llm::{LlmChange, LlmProtocol, LlmSettings, LlmTest, LlmTested, LlmUse, Secret};

const KEY: &str = "sk-very-secret-0123456789";
const NEAR: &str = "http://127.0.0.1:11434/v1";
const FAR: &str = "https://api.example.org/v1";
const DAY_MS: i64 = 86_400_000;

fn change(rig: &Rig, change: LlmChange) -> Result<LlmSettings, ErrorCode> {
    let settings = rig.run(SettingsSet { llm: Some(change), ..SettingsSet::default() });
    settings.map(|settings| settings.llm).map_err(|error| error.code)
}

fn at(url: &str) -> LlmChange {
    LlmChange { base_url: Some(url.into()), model: Some("tiny".into()), enabled: Some(true), ..LlmChange::default() }
}

fn with_key(url: &str) -> LlmChange {
    LlmChange { key: Some(Secret::new(KEY)), ..at(url) }
}

fn settings(rig: &Rig) -> LlmSettings {
    rig.run(SettingsGet {}).unwrap().llm
}

fn cloud(rig: &Rig) -> Option<String> {
    rig.run(StatusGet {}).unwrap().cloud
}

fn says(rig: &Rig, answer: Result<Value, LlmError>) {
    rig.script.llm_answers.lock().unwrap().push_back(answer);
}

fn test(rig: &Rig) -> LlmTested {
    rig.run(LlmTest {}).unwrap()
}

#[test]
fn it_is_off_until_it_is_set_up() {
    let mut rig = Rig::resting();
    let first = settings(&rig);
    assert_eq!((first.enabled, first.base_url.as_str(), first.key_set, first.cloud), (false, "", false, None));
    assert_eq!(rig.run(LlmTest {}).unwrap_err().code, ErrorCode::InvalidRequest);
    let on = LlmChange { enabled: Some(true), ..LlmChange::default() };
    assert_eq!(change(&rig, on.clone()), Err(ErrorCode::InvalidRequest));
    let no_name = LlmChange { base_url: Some(NEAR.into()), ..on };
    assert_eq!(change(&rig, no_name), Err(ErrorCode::InvalidRequest));
    let whole = LlmChange {
        protocol: Some(LlmProtocol::Anthropic),
        use_for: Some(vec![LlmUse::Classification, LlmUse::Claims]),
        daily_token_budget: Some(5_000),
        max_memory_chars: Some(900),
        ..with_key(NEAR)
    };
    change(&rig, whole).unwrap();
    rig.reopen(MODEL);
    let expected = LlmSettings {
        enabled: true,
        protocol: LlmProtocol::Anthropic,
        base_url: NEAR.into(),
        model: "tiny".into(),
        key_set: true,
        use_for: vec![LlmUse::Classification, LlmUse::Claims],
        daily_token_budget: 5_000,
        tokens_today: 0,
        max_memory_chars: 900,
        cloud: None,
    };
    assert_eq!(settings(&rig), expected);
}

#[test]
fn what_cannot_be_meant_changes_nothing() {
    let rig = Rig::resting();
    change(&rig, with_key(NEAR)).unwrap();
    let before = settings(&rig);
    for wrong in [
        at("http://example.org/v1"),
        at("example.org"),
        LlmChange { model: Some("two words".into()), ..LlmChange::default() },
        LlmChange { key: Some(Secret::new("two words")), ..LlmChange::default() },
        LlmChange { base_url: Some(FAR.into()), model: Some("a\nb".into()), ..LlmChange::default() },
    ] {
        assert_eq!(change(&rig, wrong), Err(ErrorCode::InvalidRequest));
        assert_eq!(settings(&rig), before);
    }
}

#[test]
fn the_window_is_told_where_texts_go() {
    let rig = Rig::resting();
    change(&rig, at(NEAR)).unwrap();
    assert_eq!((settings(&rig).cloud, cloud(&rig)), (None, None));
    change(&rig, at(FAR)).unwrap();
    let host = Some("api.example.org".to_owned());
    assert_eq!((settings(&rig).cloud, cloud(&rig)), (host.clone(), host));
    change(&rig, at("http://192.168.1.20:8080/v1")).unwrap();
    assert_eq!(cloud(&rig).as_deref(), Some("192.168.1.20"));
    change(&rig, LlmChange { enabled: Some(false), ..LlmChange::default() }).unwrap();
    assert_eq!(cloud(&rig), None);
}

#[test]
fn the_key_is_in_a_file_of_its_own_and_nowhere_else() {
    let rig = Rig::resting();
    let answer: Settings = rig.run(SettingsSet { llm: Some(with_key(FAR)), ..SettingsSet::default() }).unwrap();
    assert!(answer.llm.key_set && !serde_json::to_string(&answer).unwrap().contains(KEY));
    let holders: Vec<_> = std::fs::read_dir(rig.data())
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().is_file())
        .filter(|entry| {
            let bytes = std::fs::read(entry.path()).unwrap();
            bytes.windows(KEY.len()).any(|part| part == KEY.as_bytes())
        })
        .collect();
    let [file] = holders.as_slice() else { panic!("{holders:?}") };
    assert_eq!(file.file_name(), "language-model.key");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn a_key_stays_with_the_host_that_it_was_given_for() {
    let rig = Rig::resting();
    change(&rig, with_key(FAR)).unwrap();
    assert!(change(&rig, at("https://api.example.org/v2")).unwrap().key_set, "the same host");
    assert!(!change(&rig, at("https://evil.example.org/v1")).unwrap().key_set, "another host");
    assert!(change(&rig, with_key(FAR)).unwrap().key_set, "a key of its own");
    assert!(!change(&rig, at("https://api.example.org:8443/v1")).unwrap().key_set, "another port");
    change(&rig, with_key(FAR)).unwrap();
    let none = LlmChange { key: Some(Secret::new("")), ..LlmChange::default() };
    assert!(!change(&rig, none).unwrap().key_set);
}

#[test]
fn trying_it_says_how_it_answered() {
    let rig = Rig::resting();
    change(&rig, LlmChange { enabled: Some(false), ..with_key(NEAR) }).unwrap();
    says(&rig, Ok(json!({"word": "ready"})));
    let tested = test(&rig);
    assert_eq!((tested.ok, tested.host.as_str(), tested.tokens, tested.problem), (true, "127.0.0.1", 120, None));
    assert_eq!(settings(&rig).tokens_today, 120);
    let (config, prompt) = rig.script.llm_asked.lock().unwrap().pop().unwrap();
    assert_eq!(config.api_key, Some(Secret::new(KEY)));
    assert_eq!((config.model.as_str(), prompt.schema_name), ("tiny", "trial"));
    for (answer, words) in [
        (Ok(json!({"wort": 1})), "not the JSON"),
        (Err(LlmError::KeyRefused(401)), "Give the host's own key"),
        (Err(LlmError::NoModel { model: "tiny".into() }), "Check the name"),
        (Err(LlmError::Unreachable { host: "127.0.0.1".into(), why: "connection refused".into() }), "Is it running"),
        (Err(LlmError::Declined), "another model"),
    ] {
        says(&rig, answer);
        let tested = test(&rig);
        let problem = tested.problem.unwrap();
        assert!(!tested.ok && problem.contains(words), "{problem}");
        assert!(!problem.contains(KEY));
    }
}

#[test]
fn a_day_has_a_budget_and_the_next_one_another() {
    let rig = Rig::resting();
    change(&rig, LlmChange { daily_token_budget: Some(800), ..at(NEAR) }).unwrap();
    let ready = || says(&rig, Ok(json!({"word": "ready"})));
    for spent in [120, 240] {
        ready();
        assert!(test(&rig).ok);
        assert_eq!(settings(&rig).tokens_today, spent);
    }
    // What did not come to an answer is counted where the host counts it.
    says(&rig, Err(LlmError::Declined));
    assert!(!test(&rig).ok);
    assert!(settings(&rig).tokens_today > 700);
    let problem = test(&rig).problem.unwrap();
    assert!(problem.contains("budget of the day is spent") && problem.contains("of 800 tokens"), "{problem}");
    assert_eq!(rig.script.llm_asked.lock().unwrap().len(), 3, "nobody was asked");
    change(&rig, LlmChange { daily_token_budget: Some(10_000), ..LlmChange::default() }).unwrap();
    ready();
    assert!(test(&rig).ok);
    change(&rig, LlmChange { daily_token_budget: Some(800), ..LlmChange::default() }).unwrap();
    rig.advance(DAY_MS - BEGIN % DAY_MS);
    assert_eq!(settings(&rig).tokens_today, 0);
    ready();
    assert!(test(&rig).ok);
}
