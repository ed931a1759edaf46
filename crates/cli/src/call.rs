//! `call`: any operation, by its name.

use crate::failure::Failure;
use crate::print::Output;
use serde_json::{Value, json};
use std::process::ExitCode;
use um_model::ops::{OPERATIONS, Operation};
use um_model::{ApiError, ErrorCode};
use um_server::client::Connection;

/// `umem call OPERATION [JSON]`
pub(crate) async fn call(
    service: &mut Connection,
    name: &str,
    request: &str,
    output: Output,
) -> Result<ExitCode, Failure> {
    let operation = operation(name)?;
    let wrong = |what: String| {
        usage(format!("The request is no JSON object: {what}."), format!("What it takes: umem call {name} --schema"))
    };
    let request: Value = serde_json::from_str(request).map_err(|error| wrong(error.to_string()))?;
    if !request.is_object() {
        return Err(wrong(format!("it is {request}")));
    }
    let answer = service.call(operation.name, request).await.map_err(Failure::as_said)?;
    Ok(output.answer(&answer, pretty))
}

/// `umem call OPERATION --schema`: needs no service.
pub(crate) fn schema(name: &str, output: Output) -> Result<ExitCode, Failure> {
    let operation = operation(name)?;
    let told = json!({
        "operation": operation.name,
        "summary": operation.summary,
        "effect": operation.effect,
        "request": (operation.request_schema)(),
        "response": (operation.response_schema)(),
    });
    Ok(output.answer(&told, pretty))
}

fn operation(name: &str) -> Result<&'static Operation, Failure> {
    um_model::ops::operation(name).ok_or_else(|| {
        let names: Vec<_> = OPERATIONS.iter().map(|known| known.name).collect();
        usage(format!("There is no operation {name:?}."), format!("Use one of: {}.", names.join(", ")))
    })
}

fn usage(message: String, hint: String) -> Failure {
    Failure::usage(ApiError::new(ErrorCode::InvalidRequest, message).hint(hint))
}

fn pretty(answer: &Value) -> String {
    serde_json::to_string_pretty(answer).unwrap_or_default()
}
