//! What is otherwise than it was when an item was written.

use super::look::Look;
use super::tree::{Head, Place};
use crate::brief::warning;
use um_model::work::{ItemRef, Provenance, RecallWarning, WarningKind};

/// A commit is told by so many of its first digits at least, and shown by so many.
const LEAST_DIGITS: usize = 7;
const SHOWN_DIGITS: usize = 12;

/// What speaks against relying on an item; none where nothing of it could be compared.
pub(super) fn of(look: &mut Look, item: &ItemRef, said: &Provenance) -> Option<Vec<RecallWarning>> {
    let tree = look.tree_of(said.workspace_path.as_deref())?;
    let of_head = look.head(tree).and_then(|head| of_head(head, said));
    let of_file = said.file_path.as_deref().and_then(|path| of_file(look, (tree, path), said));
    if of_head.is_none() && of_file.is_none() {
        return None;
    }
    let found = of_head.into_iter().chain(of_file).flatten();
    Some(found.map(|(kind, message)| warning(kind, item, &message, Vec::new())).collect())
}

type Found = Vec<(WarningKind, String)>;

fn of_head(head: &Head, said: &Provenance) -> Option<Found> {
    let branch = said.git_branch.as_deref().map(|branch| branch.trim_start_matches("refs/heads/"));
    let commit = said.git_commit.as_ref().map(|commit| commit.to_ascii_lowercase());
    let commit = commit.filter(|commit| commit.len() >= LEAST_DIGITS);
    if branch.is_none() && commit.is_none() {
        return None;
    }
    let mut found = Vec::new();
    if let Some(branch) = branch.filter(|branch| head.branch.as_deref() != Some(branch)) {
        let now = head.branch.as_ref().map_or("no branch".to_owned(), |now| format!("branch {now}"));
        let message = format!("It was written on branch {branch}; the work tree is on {now}.");
        found.push((WarningKind::BranchDrift, message));
    }
    let is_at = |commit: &str| head.commit.as_deref().is_some_and(|now| now.starts_with(commit));
    if let Some(commit) = commit.filter(|commit| !is_at(commit)) {
        let now = head.commit.as_ref().map_or("no commit".to_owned(), |now| format!("commit {}", shown(now)));
        let message = format!("It was written at commit {}; the work tree is at {now}.", shown(&commit));
        found.push((WarningKind::CommitDrift, message));
    }
    Some(found)
}

fn shown(commit: &str) -> String {
    commit.chars().take(SHOWN_DIGITS).collect()
}

/// What is gone is not said to have changed too.
fn of_file(look: &mut Look, (tree, path): (usize, &str), said: &Provenance) -> Option<Found> {
    let expected = said.content_sha256.as_ref().map(|hash| hash.to_ascii_lowercase()).filter(|hash| is_sha256(hash));
    match look.file(tree, (said.workspace_path.as_deref(), path)) {
        Place::Outside => None,
        Place::There(file) if expected.is_none() || !file.is_dir() => {
            let now = expected.as_ref().and_then(|_| look.hash(&file));
            let is_other = now.is_some() && now != expected;
            let message = || (WarningKind::FileHashMismatch, format!("{path} says something else than it did then."));
            Some(is_other.then(message).into_iter().collect())
        }
        gone => {
            let moved = expected.and_then(|hash| look.moved_to(tree, &hash));
            let moved = moved.map(|to| format!(" What it said is in {to} now.")).unwrap_or_default();
            let how = if gone == Place::Missing { "is not there" } else { "is a folder" };
            Some(vec![(WarningKind::FileMissing, format!("{path} {how}.{moved}"))])
        }
    }
}

fn is_sha256(hash: &str) -> bool {
    hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_compared_by_name_and_by_the_digits_that_are_said() {
        use WarningKind::{BranchDrift, CommitDrift};
        let full = "0123456789abcdef0123456789abcdef01234567";
        let on = |branch: Option<&str>, commit: Option<&str>| Head {
            branch: branch.map(str::to_owned),
            commit: commit.map(str::to_owned),
        };
        let main = on(Some("main"), Some(full));
        for (head, branch, commit, expected) in [
            (&main, None, None, None),
            (&main, Some("main"), Some(full), Some(vec![])),
            (&main, Some("refs/heads/main"), Some("0123456789AB"), Some(vec![])),
            (&main, Some("gate"), Some(full), Some(vec![BranchDrift])),
            (&main, Some("main"), Some("1123456"), Some(vec![CommitDrift])),
            (&main, Some("gate"), Some("1123456"), Some(vec![BranchDrift, CommitDrift])),
            (&main, None, Some("0123"), None),
            (&on(None, Some(full)), Some("main"), None, Some(vec![BranchDrift])),
            (&on(Some("main"), None), Some("main"), Some(full), Some(vec![CommitDrift])),
        ] {
            let said = Provenance {
                git_branch: branch.map(str::to_owned),
                git_commit: commit.map(str::to_owned),
                ..Provenance::default()
            };
            let found = of_head(head, &said).map(|all| all.into_iter().map(|(kind, _)| kind).collect::<Vec<_>>());
            assert_eq!(found, expected, "{branch:?} {commit:?}");
        }
    }
}
