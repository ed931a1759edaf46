//! Ids that are cut short.

use crate::failure::{self, Failure};
use crate::print::cell;
use um_model::claims::{IdFound, IdsFind, IdsOf};
use um_model::{ApiError, ArtifactId, ErrorCode, InvalidId, MemoryId};
use um_server::client::Connection;

/// So many of those that may be meant are told.
const TOLD: usize = 5;
/// An id is meant by so many of its first or last characters at least.
const LEAST: usize = 8;
/// What to do about one that is [too short](is_too_short).
pub(crate) const GIVE_MORE: &str = "Of an id, give at least its first or last eight characters.";

/// The id that begins or ends so, where it is cut short and only one does; else what was given. What is too short for that is wrong usage.
pub(crate) async fn whole(service: &mut Connection, text: String, of: IdsOf) -> Result<String, Failure> {
    if is_too_short(&text) {
        let error = ApiError::new(ErrorCode::InvalidRequest, format!("\"{text}\" is too short for a part of an id."));
        return Err(Failure::usage(error.hint(GIVE_MORE)));
    }
    if !is_part(&text) {
        return Ok(text);
    }
    let mut found = service.run(IdsFind { of, part: text.clone() }).await?.found;
    match found.len() {
        1 => Ok(found.remove(0).id),
        0 => Ok(text),
        _ => Err(several(&text, &found).into()),
    }
}

/// Something by its id, or the beginning or end of it; where there is none, what tells ids is named.
pub(crate) async fn named<T>(
    service: &mut Connection,
    text: String,
    of: IdsOf,
    parse: fn(String) -> Result<T, InvalidId>,
    see: &str,
) -> Result<T, Failure> {
    let whole = whole(service, text, of).await?;
    if is_part(&whole) {
        let error = ApiError::new(ErrorCode::NotFound, format!("No id begins or ends with \"{whole}\"."));
        return Err(Failure::usage(error.hint(format!("See: {see}"))));
    }
    failure::id(whole, parse, see)
}

/// A memory by its id or that of the file that it stands for, or by the beginning or end of either.
pub(crate) async fn memory(service: &mut Connection, text: String) -> Result<MemoryId, Failure> {
    named(service, text, IdsOf::Memories, MemoryId::parse, "umem recall").await
}

/// A file by its id, or the beginning or end of it.
pub(crate) async fn artifact(service: &mut Connection, text: String) -> Result<ArtifactId, Failure> {
    named(service, text, IdsOf::Artifacts, ArtifactId::parse, "umem artifacts").await
}

/// Whether it may be the beginning or end of an id.
fn is_part(text: &str) -> bool {
    (LEAST..36).contains(&text.len()) && has_signs_of_id(text)
}

/// Whether it may be a part of an id of which more has to be told.
pub(crate) fn is_too_short(text: &str) -> bool {
    (1..LEAST).contains(&text.len()) && has_signs_of_id(text)
}

fn has_signs_of_id(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
}

/// Which of several is meant is for the person to say.
fn several(text: &str, found: &[IdFound]) -> ApiError {
    let told: Vec<String> = found.iter().take(TOLD).map(one).collect();
    let more = if found.len() > TOLD { ", and more" } else { "" };
    ApiError::new(ErrorCode::Ambiguous, format!("Several ids begin or end with {text}, so nothing was done."))
        .hint(format!("Give all of the one that you mean, or its last eight characters: {}{more}.", told.join(", ")))
}

/// One of several with what it says; a question whose words are not kept says nothing.
fn one(found: &IdFound) -> String {
    match found.says.as_str() {
        "" => found.id.clone(),
        says => format!("{} ({})", found.id, cell(says)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(id: &str, says: &str) -> IdFound {
        IdFound { id: id.to_owned(), says: says.to_owned(), expected: None }
    }

    #[test]
    fn eight_characters_are_enough() {
        for (text, parts) in [
            ("", (false, false)),
            ("0", (true, false)),
            ("01a2", (true, false)),
            ("01A21EF", (true, false)),
            ("01a21ef0", (false, true)),
            ("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1", (false, true)),
            ("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b", (false, false)),
            ("quay", (false, false)),
            ("the last one", (false, false)),
        ] {
            assert_eq!((is_too_short(text), is_part(text)), parts, "{text:?}");
        }
    }

    #[test]
    fn what_says_nothing_is_told_by_its_id_alone() {
        let check = |says: &str, expected: &str| assert_eq!(one(&found("0190f5e2", says)), expected);
        check("ferry", "0190f5e2 (ferry)");
        check("passage: a\nb", "0190f5e2 (passage: a b)");
        check("", "0190f5e2");
    }

    #[test]
    fn five_of_several_are_told_with_what_they_are() {
        let check = |count: usize, told: usize, more: bool| {
            let all: Vec<IdFound> = (0..count).map(|at| found(&format!("id{at}"), "memory: ferry")).collect();
            let error = several("0190f5e2", &all);
            let hint = error.hint.unwrap();
            assert_eq!(error.message, "Several ids begin or end with 0190f5e2, so nothing was done.");
            assert_eq!(
                (hint.matches("(memory: ferry)").count(), hint.ends_with(", and more.")),
                (told, more),
                "{hint}"
            );
        };
        check(2, 2, false);
        check(5, 5, false);
        check(6, 5, true);
    }
}
