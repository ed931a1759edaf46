//! What forgetting says.

use crate::format::{count, grouped, joined, size};
use std::collections::BTreeMap;
use um_model::forget::{ForgetProof, ForgetReport, Searching, called};

/// What people call things; all else that goes is made of them. As the engine counts them, and one of them.
const THINGS: &[(&str, &str)] = &[
    ("files", "file"),
    ("memories", "memory"),
    ("facts", "fact"),
    ("names", "name"),
    ("events", "event"),
    ("sessions", "session"),
    ("entries", "entry"),
    ("core blocks", "block"),
    ("workspace resources", "resource"),
    ("saved searches", "search"),
    ("proposals", "proposal"),
    ("watched folders", "watched folder"),
];

/// How many things go.
pub fn things(counts: &BTreeMap<String, u64>) -> u64 {
    THINGS.iter().filter_map(|(kind, _)| counts.get(*kind)).sum()
}

/// What is asked before: `Forget 14 files, 212 memories and 9 facts of Ana Ruiz, everywhere?`
pub fn question(counts: &BTreeMap<String, u64>, of: &str, everywhere: bool) -> String {
    let there =
        THINGS.iter().filter_map(|(kind, one)| Some((counts.get(*kind).copied().filter(|n| *n > 0)?, kind, one)));
    let named: Vec<String> = there
        .map(|(number, kind, one)| match number {
            1 => format!("1 {one}"),
            more => format!("{} {kind}", grouped(more)),
        })
        .collect();
    let what = if named.is_empty() { "what is left".to_owned() } else { joined(&named, "and") };
    let reach = if everywhere { ", everywhere" } else { "" };
    format!("Forget {what} {of}{reach}?")
}

/// What goes with the things, by what it is called: `passages`, `vectors`, …
pub fn with_them(counts: &BTreeMap<String, u64>) -> Vec<(String, String)> {
    let is_thing = |kind: &str| THINGS.iter().any(|(thing, _)| *thing == kind);
    let rest = counts.iter().filter(|(kind, number)| **number > 0 && !is_thing(kind));
    rest.map(|(kind, number)| (kind.clone(), grouped(*number))).collect()
}

/// What came of it.
pub fn told(report: &ForgetReport) -> &'static str {
    match (report.status.as_str(), report.proof.searching, report.proof.left) {
        ("cancelled", ..) => "It was stopped. What it had not reached is there as before.",
        ("done", Searching::Done, 0) => "Forgotten.",
        ("done", Searching::Done, _) => "Forgotten, but traces of it are left.",
        ("erased", ..) if !report.stays.is_empty() => {
            "It was stopped. What it had not reached is there as before; the rest follows once nobody reads the database for long."
        }
        ("erased", ..) => "What was named is gone. The rest follows once nobody reads the database for long.",
        ("done", ..) => "Forgotten. It could not be looked for afterwards.",
        _ => "It has not come to its end yet. It goes on when the service starts.",
    }
}

/// What is there still, where it did not come to its end, and why.
pub fn stays(report: &ForgetReport) -> Option<String> {
    let kinds: Vec<String> =
        report.stays.iter().map(|(kind, number)| format!("{} {}", grouped(*number), called(kind))).collect();
    let there = (!kinds.is_empty()).then(|| format!("Still there: {}.", kinds.join(", ")));
    let said: Vec<String> = there.into_iter().chain(report.failed.as_ref().map(ToString::to_string)).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

/// What is refused from now on: what went. Where it was stopped, that may be a part of it, or nothing.
pub fn refused(report: &ForgetReport) -> Option<&'static str> {
    let stopped = report.status == "cancelled" || !report.stays.is_empty();
    match (stopped, report.counts.values().any(|number| *number > 0)) {
        (false, _) => Some("The same file, text, name or number is refused when it comes again."),
        (true, true) => Some("What went is refused when it comes again."),
        (true, false) => None,
    }
}

/// What was looked for afterwards, and what was found.
pub fn checked(proof: &ForgetProof) -> Option<String> {
    let looked = (proof.searching == Searching::Done && proof.searched > 0).then(|| {
        format!(
            "Looked for {} of it in {} ({}): {} left.",
            count(proof.searched, "string"),
            count(proof.files, "file"),
            size(proof.bytes),
            proof.left
        )
    })?;
    let said = match proof.said_elsewhere {
        0 => None,
        1 => Some("1 of them other things say, too.".to_owned()),
        said => Some(format!("{} of them other things say, too.", grouped(said))),
    };
    let all: Vec<String> = [looked].into_iter().chain(said).chain(proof.where_left()).collect();
    Some(all.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(of: &[(&str, u64)]) -> BTreeMap<String, u64> {
        of.iter().map(|(kind, number)| ((*kind).to_owned(), *number)).collect()
    }

    #[test]
    fn the_question_names_what_people_know() {
        for (of, everywhere, asked) in [
            (
                &[("files", 14), ("memories", 212), ("facts", 9), ("passages", 900)][..],
                true,
                "Forget 14 files, 212 memories and 9 facts of Ana Ruiz, everywhere?",
            ),
            (&[("memories", 1)][..], false, "Forget 1 memory of Ana Ruiz?"),
            (&[("files", 1), ("memories", 1_204)][..], false, "Forget 1 file and 1,204 memories of Ana Ruiz?"),
            (&[("passages", 3)][..], true, "Forget what is left of Ana Ruiz, everywhere?"),
        ] {
            assert_eq!(question(&counts(of), "of Ana Ruiz", everywhere), asked);
        }
        let all = counts(&[("files", 14), ("passages", 1_900), ("vectors", 0)]);
        assert_eq!(things(&all), 14);
        assert_eq!(with_them(&all), [("passages".to_owned(), "1,900".to_owned())]);
    }

    #[test]
    fn what_stays_is_told() {
        let mut report: ForgetReport = serde_json::from_value(serde_json::json!({
            "id": "x", "status": "cancelled", "counts": {}, "proof": {}, "begun_at": 1, "ended_at": 2,
        }))
        .unwrap();
        assert_eq!((stays(&report), refused(&report)), (None, None));
        report.counts = counts(&[("memories", 3)]);
        assert_eq!(refused(&report), Some("What went is refused when it comes again."));
        report.stays = counts(&[("memories", 1_204), ("watch_folders", 2)]);
        assert_eq!(stays(&report).as_deref(), Some("Still there: 1,204 memories, 2 watched folders."));
        report.status = "erased".to_owned();
        assert!(told(&report).starts_with("It was stopped."));
        report.stays.clear();
        assert!(told(&report).starts_with("What was named is gone."));
    }

    #[test]
    fn the_proof_is_told_only_where_it_was_looked_for() {
        let proof = |searching, left, said_elsewhere| ForgetProof {
            searching,
            searched: 34,
            said_elsewhere,
            files: 12,
            bytes: 2_000_000,
            left,
            ..ForgetProof::default()
        };
        let looked = "Looked for 34 strings of it in 12 files (2.0 MB): 0 left.";
        assert_eq!(checked(&proof(Searching::Done, 0, 0)).as_deref(), Some(looked));
        let files = vec!["memory.db".to_owned()];
        let left_in = vec![um_model::forget::ForgetLeft { string: 7, times: 1, files }];
        let left = checked(&ForgetProof { left_in, ..proof(Searching::Done, 1, 0) }).unwrap();
        assert!(left.contains("1 left. String number 7 stands once in memory.db. In the database: "), "{left}");
        let said = format!("{looked} 3 of them other things say, too.");
        assert_eq!(checked(&proof(Searching::Done, 0, 3)), Some(said));
        assert_eq!(checked(&proof(Searching::Waits, 0, 0)), None);
    }
}
