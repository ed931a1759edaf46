//! What an agent writes that nothing lets wait: it is refused where a text of its own would be held.

use super::{add_value, because, look_like};
use crate::Caller;
use crate::error::Outcome;
use serde_json::Value;
use um_model::ops::Request;
use um_model::{ApiError, ErrorCode};

/// The operations by which words of an agent reach others at once, each with the fields of its request that have them. Whatever else
/// agents write waits ([`super::pass`]), or is refused with a message of its own ([`super::refuse_remark`]). What was said and done
/// (`events_append`, the transcript of `session_end`) is evidence of it: that is kept as it was.
const LOOKED_AT: &[(&str, &[&str])] = &[
    ("memory_ingest", &["owner", "session"]),
    ("session_begin", &["name", "purpose", "client_ref", "metadata"]),
    ("session_set", &["name", "purpose", "metadata"]),
    ("session_end", &["summary"]),
    ("state_set", &["current_goal", "summary", "working_set", "metadata"]),
    ("lock_checkout", &["path", "note"]),
    ("clash_resolve", &["note"]),
    ("tag_create", &["name", "description"]),
    ("tag_attach", &["tags"]),
    ("verification_add", &["detail"]),
    ("promotion_request", &["notes"]),
    ("promotion_decide", &["notes"]),
];

/// Refuses what an agent asks for, where its words look like a secret or like an order to a model and nothing of that kind waits.
///
/// # Errors
/// `Held`, naming the field.
pub(crate) fn refuse<R: Request>(caller: &Caller, request: &R) -> Outcome<()> {
    let looked_at = LOOKED_AT.iter().find(|(operation, _)| *operation == R::NAME);
    let Some((_, fields)) = looked_at.filter(|_| caller.is_agent()) else { return Ok(()) };
    let asked = serde_json::to_value(request).map_err(|error| ApiError::new(ErrorCode::Internal, error.to_string()))?;
    fields.iter().try_for_each(|field| match &asked[*field] {
        Value::Array(all) => {
            all.iter().enumerate().try_for_each(|(at, one)| refuse_words(&format!("{field}[{at}]"), one))
        }
        one => refuse_words(field, one),
    })
}

/// Refuses the words of a field.
fn refuse_words(field: &str, said: &Value) -> Outcome<()> {
    let mut words = Vec::new();
    add_value(said, &mut words);
    let reasons = look_like(&words);
    if reasons.is_empty() {
        return Ok(());
    }
    let told = format!("Nothing is kept of this call: `{field}` {}.", because(&reasons));
    let error = ApiError::new(ErrorCode::Held, told);
    Err(error.hint(format!("Say `{field}` without that: others would read it. Say where a key lies, not the key.")))
}
