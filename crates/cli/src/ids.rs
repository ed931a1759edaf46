//! Ids that are cut short.

use crate::failure::{self, Failure};
use crate::print::cell;
use um_model::claims::{IdFound, IdsFind, IdsOf};
use um_model::{ApiError, ArtifactId, ErrorCode, MemoryId};
use um_server::client::Connection;

/// So many of those that may be meant are told.
const TOLD: usize = 5;

/// The id that begins or ends so, where it is cut short and only one does; else what was given.
pub(crate) async fn whole(service: &mut Connection, text: String, of: IdsOf) -> Result<String, Failure> {
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

/// A memory by its id or that of the file that it stands for, or by the beginning or end of either.
pub(crate) async fn memory(service: &mut Connection, text: String) -> Result<MemoryId, Failure> {
    failure::id(whole(service, text, IdsOf::Memories).await?, MemoryId::parse, "umem recall")
}

/// A file by its id, or the beginning or end of it.
pub(crate) async fn artifact(service: &mut Connection, text: String) -> Result<ArtifactId, Failure> {
    failure::id(whole(service, text, IdsOf::Artifacts).await?, ArtifactId::parse, "umem artifacts")
}

/// Whether it may be the beginning or end of an id.
fn is_part(text: &str) -> bool {
    (8..36).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
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
        IdFound { id: id.to_owned(), says: says.to_owned() }
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
