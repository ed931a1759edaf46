//! Both protocols, against a host on the loopback.

mod host;
mod hostile;

use super::*;
use host::{Answer, Host};
use serde_json::json;
use um_engine::language::BaseUrl;
use um_model::llm::LlmProtocol::{Anthropic, OpenAi};
use um_model::llm::Secret;

const KEY: &str = "sk-very-secret-0123456789";

fn config(host: &Host, protocol: LlmProtocol) -> LlmConfig {
    LlmConfig {
        protocol,
        base_url: BaseUrl::parse(&host.url()).unwrap(),
        model: "tiny".into(),
        api_key: Some(Secret::new(KEY)),
        timeout: Duration::from_secs(30),
        max_output_tokens: 64,
    }
}

fn prompt() -> Prompt {
    Prompt {
        system: "Answer.".into(),
        user: "What is it?".into(),
        schema_name: "word",
        schema: json!({"type": "object", "properties": {"word": {"type": "string"}}}),
    }
}

fn quick() -> HttpLlm {
    HttpLlm { pace: Pace { first: Duration::from_millis(1), longest: Duration::from_secs(2) }, ..HttpLlm::default() }
}

fn ask(host: &Host, protocol: LlmProtocol) -> Result<Completion, LlmError> {
    quick().complete(&config(host, protocol), &prompt(), &Cancel::default())
}

fn ok(body: &Value) -> Answer {
    Answer::Says(200, "", body.to_string())
}

fn fails(status: u16) -> Answer {
    Answer::Says(status, "", json!({"error": {"message": format!("no, {KEY}"), "type": "some_error"}}).to_string())
}

/// A good answer of a protocol, with `"word": "boat"`.
fn good(protocol: LlmProtocol) -> Value {
    match protocol {
        OpenAi => json!({
            "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "{\"word\": \"boat\"}"}}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 5},
        }),
        Anthropic => json!({
            "stop_reason": "tool_use",
            "content": [{"type": "text", "text": "Here."},
                        {"type": "tool_use", "name": "word", "id": "1", "input": {"word": "boat"}}],
            "usage": {"input_tokens": 7, "cache_read_input_tokens": 4, "output_tokens": 5},
        }),
    }
}

fn boat() -> Result<Completion, LlmError> {
    Ok(Completion { answer: json!({"word": "boat"}), input_tokens: 11, output_tokens: 5 })
}

const BOTH: [LlmProtocol; 2] = [OpenAi, Anthropic];

/// The host gives these answers; what comes out, and every answer was needed for it.
#[track_caller]
fn check(protocol: LlmProtocol, answers: &[Answer], expected: Result<Completion, LlmError>) {
    let host = Host::with(answers.to_vec());
    assert_eq!(ask(&host, protocol), expected, "{protocol}");
    assert!(host.is_done(), "{protocol}: fewer questions than answers");
    assert_eq!(host.asked().len(), answers.len(), "{protocol}: more questions than answers");
}

#[test]
fn a_question_is_put_as_openai_wants_it() {
    let host = Host::with([ok(&good(OpenAi))]);
    assert_eq!(ask(&host, OpenAi), boat());
    let asked = &host.asked()[0];
    assert_eq!(asked.path, "/v1/chat/completions");
    assert_eq!(asked.header("authorization"), Some(&*format!("Bearer {KEY}")));
    assert_eq!(asked.header("content-type"), Some("application/json"));
    assert_eq!(
        asked.body,
        json!({
            "model": "tiny", "stream": false, "max_tokens": 64, "temperature": 0,
            "messages": [{"role": "system", "content": "Answer."}, {"role": "user", "content": "What is it?"}],
            "response_format": {"type": "json_schema", "json_schema":
                {"name": "word", "strict": true, "schema": prompt().schema}},
        })
    );
}

#[test]
fn a_question_is_put_as_anthropic_wants_it() {
    let host = Host::with([ok(&good(Anthropic))]);
    assert_eq!(ask(&host, Anthropic), boat());
    let asked = &host.asked()[0];
    assert_eq!(asked.path, "/v1/messages");
    assert_eq!(asked.header("x-api-key"), Some(KEY));
    assert_eq!(asked.header("authorization"), None);
    assert_eq!(asked.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(
        asked.body,
        json!({
            "model": "tiny", "max_tokens": 64, "system": "Answer.",
            "messages": [{"role": "user", "content": "What is it?"}],
            "tools": [{"name": "word", "description": "Takes the answer.", "input_schema": prompt().schema}],
            "tool_choice": {"type": "tool", "name": "word"},
        })
    );
}

#[test]
fn without_a_key_none_is_sent() {
    for protocol in BOTH {
        let host = Host::with([ok(&good(protocol))]);
        let config = LlmConfig { api_key: None, ..config(&host, protocol) };
        assert_eq!(quick().complete(&config, &prompt(), &Cancel::default()), boat());
        let asked = &host.asked()[0];
        assert_eq!((asked.header("authorization"), asked.header("x-api-key")), (None, None));
    }
}

#[test]
fn what_may_pass_is_tried_again() {
    for protocol in BOTH {
        let good = ok(&good(protocol));
        check(protocol, &[fails(500), good.clone()], boat());
        check(protocol, &[fails(429), fails(503), fails(408), good.clone()], boat());
        check(protocol, &[Answer::Closes, good.clone()], boat());
        check(protocol, &[Answer::Breaks("{\"choices\": [".into()), good.clone()], boat());
        check(protocol, &[Answer::Says(429, "Retry-After: 0.01\r\n", "{}".into()), good], boat());
        check(protocol, &[fails(500), fails(500), fails(500), fails(529)], Err(LlmError::HostFailed(529)));
        check(protocol, &[fails(429), fails(429), fails(429), fails(429)], Err(LlmError::Busy { retry_after: None }));
    }
}

#[test]
fn a_host_that_asks_to_wait_long_is_not_waited_for() {
    let long = Answer::Says(429, "Retry-After: 3600\r\n", "{}".into());
    check(OpenAi, &[long], Err(LlmError::Busy { retry_after: Some(Duration::from_secs(3600)) }));
    let date = Answer::Says(503, "Retry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\n", "{}".into());
    check(Anthropic, &[date, ok(&good(Anthropic))], boat());
}

#[test]
fn what_will_not_pass_is_asked_once() {
    for protocol in BOTH {
        check(protocol, &[fails(401)], Err(LlmError::KeyRefused(401)));
        check(protocol, &[fails(403)], Err(LlmError::KeyRefused(403)));
        check(protocol, &[fails(404)], Err(LlmError::NoModel { model: "tiny".into() }));
        check(protocol, &[fails(413)], Err(LlmError::Rejected { status: 413, detail: "some_error".into() }));
        let elsewhere = Answer::Says(302, "Location: http://127.0.0.1:1/v1\r\n", String::new());
        check(protocol, &[elsewhere], Err(LlmError::Rejected { status: 302, detail: String::new() }));
    }
}

#[test]
fn no_error_tells_the_key_or_what_was_sent() {
    for status in [400, 401, 403, 404, 413, 422, 429, 500] {
        for protocol in BOTH {
            let host = Host::with(vec![fails(status); 5]);
            let config = config(&host, protocol);
            let error = quick().complete(&config, &prompt(), &Cancel::default()).unwrap_err();
            let all =
                format!("{error} {error:?} {config:?} {}", um_engine::provider::ProviderError::from(error.clone()));
            assert!(!all.contains(KEY) && !all.contains("What is it"), "{all}");
        }
    }
}

#[test]
fn a_form_that_is_refused_gives_way_to_a_looser_one_and_that_is_remembered() {
    let refuse = |words: &str| Answer::Says(400, "", json!({"error": {"message": words}}).to_string());
    let in_words = json!({"choices": [{"message": {"content": "Sure:\n```json\n{\"word\": \"boat\"}\n```"}}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 5}});
    let host = Host::with([
        refuse("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        refuse("Unsupported value: 'temperature' does not support 0."),
        refuse("response_format is not known"),
        Answer::Says(422, "", "no".into()),
        ok(&in_words),
        ok(&in_words),
    ]);
    let llm = quick();
    for _ in 0..2 {
        assert_eq!(llm.complete(&config(&host, OpenAi), &prompt(), &Cancel::default()), boat());
    }
    let asked = host.asked();
    let forms: Vec<_> = asked.iter().map(|asked| asked.body["response_format"]["type"].as_str()).collect();
    let schema = Some("json_schema");
    assert_eq!(forms, [schema, schema, schema, Some("json_object"), None, None]);
    let last = &asked[5].body;
    assert_eq!((&last["max_completion_tokens"], &last["max_tokens"]), (&json!(64), &Value::Null));
    assert_eq!(last["temperature"], Value::Null);
    let system = last["messages"][0]["content"].as_str().unwrap();
    assert!(system.starts_with("Answer.") && system.contains("JSON Schema") && system.contains("\"word\""), "{system}");
}

#[test]
fn anthropic_without_tools_answers_in_words() {
    let in_words = json!({"stop_reason": "end_turn", "content": [{"type": "text", "text": "{\"word\": \"boat\"}"}],
        "usage": {"input_tokens": 11, "output_tokens": 5}});
    let host = Host::with([fails(400), ok(&in_words)]);
    assert_eq!(ask(&host, Anthropic), boat());
    assert_eq!(host.asked()[1].body["tools"], Value::Null);
    check(Anthropic, &[fails(400), fails(400)], Err(LlmError::Rejected { status: 400, detail: "some_error".into() }));
}

#[test]
fn a_model_that_declines_or_is_cut_off_says_so() {
    let openai = |change: &dyn Fn(&mut Value)| {
        let mut body = good(OpenAi);
        change(&mut body["choices"][0]);
        ok(&body)
    };
    check(OpenAi, &[openai(&|c| c["finish_reason"] = json!("length"))], Err(LlmError::CutOff));
    check(OpenAi, &[openai(&|c| c["finish_reason"] = json!("content_filter"))], Err(LlmError::Declined));
    let refused = openai(&|c| c["message"] = json!({"content": null, "refusal": "I cannot help with that."}));
    check(OpenAi, &[refused], Err(LlmError::Declined));
    for (reason, error) in [
        ("max_tokens", LlmError::CutOff),
        ("model_context_window_exceeded", LlmError::CutOff),
        ("refusal", LlmError::Declined),
    ] {
        let mut body = good(Anthropic);
        body["stop_reason"] = json!(reason);
        check(Anthropic, &[ok(&body)], Err(error));
    }
}

#[test]
fn answers_that_are_none_are_told_from_good_ones() {
    let says = |content: &str| ok(&json!({"choices": [{"message": {"content": content}}]}));
    let not_json = Err(LlmError::Unfit("it is not the JSON that was asked for"));
    check(OpenAi, &[says("{\"word\": \"bo")], not_json.clone());
    check(OpenAi, &[says("I would rather not.")], not_json.clone());
    check(OpenAi, &[says("[1, 2]")], not_json.clone());
    check(OpenAi, &[ok(&json!({"choices": []}))], Err(LlmError::Unfit("it has no text")));
    check(Anthropic, &[ok(&json!({"content": [{"type": "text", "text": "no"}]}))], not_json);
    check(Anthropic, &[ok(&json!({}))], Err(LlmError::Unfit("it has no content")));
    for protocol in BOTH {
        let page = Answer::Says(200, "", "<html>sign in first</html>".into());
        check(protocol, &[page], Err(LlmError::Unfit("it is no JSON")));
        let endless = Answer::Says(200, "", "x".repeat(5 << 20));
        check(protocol, &[endless], Err(LlmError::TooLarge));
    }
}

#[test]
fn tokens_are_estimated_where_the_host_does_not_count() {
    let host =
        Host::with([ok(&json!({"choices": [{"message": {"content": [{"text": "{\"word\": "}, {"text": "1}"}]}}]}))]);
    let completion = ask(&host, OpenAi).unwrap();
    assert_eq!(completion.answer, json!({"word": 1}));
    assert!(completion.input_tokens > 10 && completion.output_tokens > 2, "{completion:?}");
}

#[test]
fn a_host_that_does_not_answer_in_time_is_given_up() {
    let host = Host::with([Answer::Hangs]);
    let timeout = Duration::from_millis(80);
    let config = LlmConfig { timeout, ..config(&host, OpenAi) };
    assert_eq!(quick().complete(&config, &prompt(), &Cancel::default()), Err(LlmError::TimedOut(timeout)));
    assert_eq!(host.asked().len(), 1);
}

#[test]
fn a_host_that_is_not_there_is_said_to_be_unreachable() {
    let host = Host::with([]);
    let config = LlmConfig { base_url: BaseUrl::parse("http://127.0.0.1:1").unwrap(), ..config(&host, OpenAi) };
    let error = quick().complete(&config, &prompt(), &Cancel::default()).unwrap_err();
    assert!(matches!(&error, LlmError::Unreachable { host, .. } if host == "127.0.0.1"), "{error}");
}

#[test]
fn a_question_that_is_no_longer_wanted_ends_at_once() {
    // While the host thinks.
    let host = Host::with([Answer::Hangs]);
    let (config, cancel) = (config(&host, Anthropic), Cancel::default());
    let stopper = cancel.clone();
    let asking = thread::spawn(move || quick().complete(&config, &prompt(), &cancel));
    host.rung.recv().unwrap();
    stopper.cancel();
    assert_eq!(asking.join().unwrap(), Err(LlmError::Cancelled));
    // While it is waited for a better time.
    let host = Host::with([Answer::Says(429, "Retry-After: 1.5\r\n", "{}".into())]);
    let (config, cancel) = (self::config(&host, OpenAi), Cancel::default());
    let stopper = cancel.clone();
    let asking = thread::spawn(move || quick().complete(&config, &prompt(), &cancel));
    host.rung.recv().unwrap();
    stopper.cancel();
    assert_eq!(asking.join().unwrap(), Err(LlmError::Cancelled));
    assert_eq!(host.asked().len(), 1);
}
