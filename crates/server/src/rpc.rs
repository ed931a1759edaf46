//! Plain JSON-RPC: `um/<operation>` for every operation, `um/ping`, `um/cancel`, `um/stop` and `um/show`. A request whose
//! `params._meta` has a `progressToken` hears how far it is by `notifications/progress`, as in MCP.

use crate::TOKEN_KEY;
use crate::wire::{METHOD_NOT_FOUND, OPERATION_FAILED, answer, failure};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use um_model::jobs::LongCall;
use um_model::{ApiError, ErrorCode, ops};

/// What every method of this dialect begins with.
pub(crate) const PREFIX: &str = "um/";
/// The notification of a call's progress.
pub(crate) const PROGRESS: &str = "notifications/progress";

/// The answer to `um/ping`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pong {
    /// Version of the product that serves.
    pub version: String,
    /// Its process.
    pub pid: u32,
}

impl Pong {
    pub(crate) fn of_this_process() -> Self {
        Self { version: env!("CARGO_PKG_VERSION").to_owned(), pid: std::process::id() }
    }
}

/// A request of this dialect, taken apart.
#[derive(Debug, PartialEq)]
pub(crate) struct RpcRequest {
    /// Its id; `null` asks for no answer but gets one all the same.
    pub id: Value,
    /// The token it carries.
    pub token: Option<String>,
    /// What its progress is told under, where it asks for it.
    pub progress_token: Option<Value>,
    /// The parameters without `_meta`.
    pub params: Value,
    /// What is wanted.
    pub method: Method,
}

/// What a request of this dialect wants.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Ping,
    Cancel,
    Stop,
    Show,
    Operation(&'static str),
    Unknown(String),
}

impl Method {
    fn named(name: &str) -> Self {
        match name {
            "ping" => Self::Ping,
            "cancel" => Self::Cancel,
            "stop" => Self::Stop,
            "show" => Self::Show,
            _ => {
                ops::operation(name).map_or_else(|| Self::Unknown(name.to_owned()), |found| Self::Operation(found.name))
            }
        }
    }
}

/// Takes a message apart if it is of this dialect.
pub(crate) fn parse(message: &mut Value) -> Option<RpcRequest> {
    let name = message.get("method")?.as_str()?.strip_prefix(PREFIX)?;
    let method = Method::named(name);
    let id = message.get("id").cloned().unwrap_or_default();
    let mut params = match message.get_mut("params").map(Value::take) {
        Some(Value::Object(params)) => params,
        _ => Map::new(),
    };
    let meta = params.remove("_meta").unwrap_or_default();
    let token = meta.get(TOKEN_KEY).and_then(Value::as_str).map(str::to_owned);
    let progress_token = meta.get("progressToken").filter(|token| token.is_string() || token.is_number()).cloned();
    Some(RpcRequest { id, token, progress_token, params: Value::Object(params), method })
}

/// The line that tells how far a call is.
pub(crate) fn progress(token: &Value, call: &LongCall) -> String {
    let mut params = json!({"progressToken": token, "progress": call.done, "message": call.note});
    if let Some(total) = call.total {
        params["total"] = total.into();
    }
    json!({"jsonrpc": "2.0", "method": PROGRESS, "params": params}).to_string()
}

/// The line that answers a request.
pub(crate) fn reply(id: &Value, result: Result<Value, ApiError>, limit: usize) -> String {
    match result {
        Ok(value) => {
            let line = answer(id, value);
            if line.len() <= limit { line } else { failure(id, OPERATION_FAILED, &too_large(line.len(), limit)) }
        }
        Err(error) => failure(id, OPERATION_FAILED, &error),
    }
}

/// The line that answers a method that does not exist.
pub(crate) fn unknown(id: &Value, name: &str) -> String {
    let error = ApiError::new(ErrorCode::InvalidRequest, format!("There is no method {PREFIX}{name}."))
        .hint("The methods are um/ping, um/cancel, um/stop, um/show and um/ with the name of an operation.");
    failure(id, METHOD_NOT_FOUND, &error)
}

/// The refusal of an answer over the limit.
pub(crate) fn too_large(bytes: usize, limit: usize) -> ApiError {
    ApiError::new(ErrorCode::InvalidRequest, format!("The answer has {bytes} bytes; at most {limit} are sent."))
        .hint("Ask for less: a smaller limit, or a part of the text.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_a_method() {
        for operation in ops::OPERATIONS {
            let mut message = json!({"id": 1, "method": format!("um/{}", operation.name), "params": {}});
            assert_eq!(parse(&mut message).unwrap().method, Method::Operation(operation.name));
        }
    }

    #[test]
    fn the_token_is_taken_out_of_the_parameters() {
        let mut message =
            json!({"id": "a", "method": "um/memory_get", "params": {"id": "x", "_meta": {TOKEN_KEY: "t"}}});
        let request = parse(&mut message).unwrap();
        assert_eq!((request.token.as_deref(), request.params), (Some("t"), json!({"id": "x"})));
    }

    #[test]
    fn other_dialects_are_left_alone() {
        for mut message in [json!({"id": 1, "method": "tools/list"}), json!({"id": 1}), json!([]), json!({"method": 3})]
        {
            assert_eq!(parse(&mut message), None);
        }
        let mut message = json!({"id": 1, "method": "um/nothing"});
        assert_eq!(parse(&mut message).unwrap().method, Method::Unknown("nothing".to_owned()));
    }

    #[test]
    fn an_answer_over_the_limit_becomes_an_error() {
        let line: Value = serde_json::from_str(&reply(&json!(7), Ok(json!("x".repeat(500))), 100)).unwrap();
        assert_eq!(line["error"]["data"]["code"], "invalid_request");
        assert_eq!(line["id"], 7);
    }
}
