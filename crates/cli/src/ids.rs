//! Ids that are cut short.

use crate::failure::Failure;
use um_model::claims::{IdFound, IdsFind, IdsOf};
use um_model::{ApiError, ErrorCode};
use um_server::client::Connection;

/// The id that begins or ends so, where it is cut short and only one does; else what was given.
pub(crate) async fn whole(service: &mut Connection, text: String, of: IdsOf) -> Result<String, Failure> {
    let is_part = (8..36).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    if !is_part {
        return Ok(text);
    }
    let mut found = service.run(IdsFind { of, part: text.clone() }).await?.found;
    match found.len() {
        1 => Ok(found.remove(0).id),
        0 => Ok(text),
        _ => {
            let several: Vec<String> = found.iter().map(one).collect();
            let error = ApiError::new(ErrorCode::Ambiguous, format!("More than one id has {text} in it."));
            Err(error.hint(format!("Give more of it, or its last eight characters: {}.", several.join(", "))).into())
        }
    }
}

/// One of several with what it says; a question whose words are not kept says nothing.
fn one(found: &IdFound) -> String {
    match found.says.as_str() {
        "" => found.id.clone(),
        says => format!("{} ({says})", found.id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_nothing_is_told_by_its_id_alone() {
        let check = |says: &str, expected: &str| {
            assert_eq!(one(&IdFound { id: "0190f5e2".to_owned(), says: says.to_owned() }), expected);
        };
        check("ferry", "0190f5e2 (ferry)");
        check("", "0190f5e2");
    }
}
