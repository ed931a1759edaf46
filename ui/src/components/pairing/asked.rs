//! What a request for access asks for, as far as it means something here.

use crate::format::joined;
use um_model::{
    SpaceId, SpaceType,
    access::{PairingRequest, Right},
    spaces::{Space, SpaceSummary, meant},
};

/// The spaces that a request means.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// Those that there are.
    pub known: Vec<SpaceId>,
    /// A sentence for each of the others.
    pub unclear: Vec<String>,
}

/// What the names that an agent gave mean among the person's spaces. What every agent reads is left out.
pub fn asked(request: &PairingRequest, spaces: &[SpaceSummary]) -> Asked {
    let spaces: Vec<Space> = spaces.iter().map(|summary| summary.space.clone()).collect();
    let mut asked = Asked { known: Vec::new(), unclear: Vec::new() };
    for wanted in &request.spaces {
        match meant(&spaces, wanted).as_slice() {
            [one] if one.space_type == SpaceType::Global || asked.known.contains(&one.id) => {}
            [one] => asked.known.push(one.id.clone()),
            [] => asked.unclear.push(format!("It asks for \"{}\", too: there is no such space.", plain(wanted))),
            _ => asked
                .unclear
                .push(format!("More than one space is called \"{}\": tick the one you mean.", plain(wanted))),
        }
    }
    asked
}

/// Whether a request is about writing, too.
pub fn writes(request: &PairingRequest) -> bool {
    request.rights.contains(&Right::Write)
}

/// What a request asks for, in a sentence.
pub fn sentence(request: &PairingRequest) -> String {
    let does = if writes(request) { "read and write" } else { "read" };
    let spaces: Vec<String> = request.spaces.iter().map(|name| plain(name)).collect();
    let seen = if request.is_known { "" } else { " It has seen nothing yet." };
    let spaces = if spaces.is_empty() { "nothing".to_owned() } else { joined(&spaces, "and") };
    format!("{} asks to {does} {spaces}.{seen}", plain(&request.client_name))
}

/// The process that asks, as the system told: its program and number, and whose it is.
pub fn process(request: &PairingRequest) -> String {
    let user = match request.peer_uid {
        Some(uid) => format!("your user (number {uid})"),
        None => "your user".to_owned(),
    };
    let Some(checked) = &request.checked else { return format!("Runs as {user} on this machine") };
    match &checked.program {
        Some(program) => format!("Program {}, process {}, {user}", program_name(program), checked.pid),
        None => format!("Process {}, {user}", checked.pid),
    }
}

/// The last part of a program's path.
pub fn program_name(path: &str) -> String {
    plain(path.rsplit(['/', '\\']).next().unwrap_or(path))
}

/// What an agent of that name is already, in a sentence: a yes shares its parts, and not what was granted to it.
pub fn parts(request: &PairingRequest) -> Option<String> {
    let held: Vec<String> = request.parts.iter().map(|part| format!("{} of {}", part.role, part.space)).collect();
    let granted = request.parts.iter().any(|part| !part.grants.is_empty());
    let folders = if request.folders.is_empty() { "" } else { ", and its open folders" };
    let grants = if granted { " What was granted to that one it does not get." } else { "" };
    (!held.is_empty()).then(|| {
        format!(
            "An agent of this name has access: {}. After a yes this program has the same part in what you open to it{folders}.{grants}",
            joined(&held, "and")
        )
    })
}

/// Somebody else's words without what cannot be seen, or would turn the words after them around.
pub fn plain(words: &str) -> String {
    words.chars().filter(|c| !um_model::access::is_hidden(*c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(number: u8, name: &str, parent: Option<u8>) -> SpaceSummary {
        let id = |n: u8| format!("00000000-0000-7000-8000-0000000000{n:02}");
        let kind = if name == "GLOBAL" { "global" } else { "project" };
        serde_json::from_value(serde_json::json!({ "id": id(number), "name": name, "space_type": kind,
            "parent_space_id": parent.map(id), "read_policy": "members", "write_policy": "members",
            "created_by_actor": null, "created_at": 0, "artifacts": 0, "memories": 0, "watches": 0 }))
        .unwrap()
    }

    fn request(name: &str, spaces: &[&str], rights: &[&str]) -> PairingRequest {
        serde_json::from_value(serde_json::json!({ "id": "00000000-0000-7000-8000-000000000099", "client_name": name,
            "claimed_process": null, "peer_uid": 1000, "spaces": spaces, "rights": rights, "status": "pending",
            "answer": null, "created_at": 0, "is_known": false }))
        .unwrap()
    }

    #[test]
    fn what_is_asked_for_means_spaces_that_there_are() {
        let spaces = [
            space(1, "Work", None),
            space(2, "Old", Some(1)),
            space(3, "Home", None),
            space(4, "Old", Some(3)),
            space(5, "GLOBAL", None),
        ];
        for (wanted, known, unclear) in [
            (&["work"][..], vec![0], 0),
            (&["Work", "work/old", "WORK"], vec![0, 1], 0),
            (&["Old"], vec![], 1),
            (&["Nowhere", "Home"], vec![2], 1),
            (&["GLOBAL"], vec![], 0),
        ] {
            let found = asked(&request("x", wanted, &["read"]), &spaces);
            let ids: Vec<_> = known.into_iter().map(|at: usize| spaces[at].space.id.clone()).collect();
            assert_eq!((found.known, found.unclear.len()), (ids, unclear), "{wanted:?}");
        }
    }

    #[test]
    fn what_another_of_the_name_is_already_is_told() {
        let mut asked = request("probe", &["A"], &["read"]);
        assert_eq!(parts(&asked), None);
        asked.parts = vec![um_model::access::Membership {
            space: "A".to_owned(),
            grants: vec![um_model::access::Grant::Forget],
            space_id: SpaceId::global(),
            agent_id: um_model::AgentId::owner(),
            role: um_model::access::Role::Leader,
            status: um_model::access::MembershipStatus::Active,
            trust_weight: None,
        }];
        let says = parts(&asked).unwrap();
        assert!(
            says.contains("leader of A") && says.ends_with("What was granted to that one it does not get."),
            "{says}"
        );
    }

    #[test]
    fn what_was_checked_of_the_process_is_told() {
        let checked = |program: Option<&str>| {
            let program = program.map(str::to_owned);
            Some(um_model::access::CheckedProcess { pid: 4121, program, started_by: None })
        };
        for (checked, uid, says) in [
            (checked(Some("/usr/bin/node")), Some(1000), "Program node, process 4121, your user (number 1000)"),
            (checked(Some("/opt/a\u{202e}b")), None, "Program ab, process 4121, your user"),
            (checked(None), None, "Process 4121, your user"),
            (None, Some(1000), "Runs as your user (number 1000) on this machine"),
        ] {
            let asked = PairingRequest { checked, peer_uid: uid, ..request("x", &[], &["read"]) };
            assert_eq!(process(&asked), says);
        }
    }

    #[test]
    fn a_request_is_a_sentence_that_nobody_can_turn_around() {
        for (name, spaces, rights, says) in [
            (
                "Claude Code",
                &["Personal"][..],
                &["read"][..],
                "Claude Code asks to read Personal. It has seen nothing yet.",
            ),
            (
                "a\u{202e}b\u{200b}",
                &["A", "B", "C"],
                &["read", "write"],
                "ab asks to read and write A, B and C. It has seen nothing yet.",
            ),
        ] {
            assert_eq!(sentence(&request(name, spaces, rights)), says);
        }
    }
}
