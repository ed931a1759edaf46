//! Agents that say who has which part in a space: only where the person granted it, by their own role, and no further.

use crate::support::{Rig, SPACE};
use serde_json::{Value, json};
use um_engine::Caller;
use um_model::access::*;
use um_model::{ApiError, ErrorCode};

/// What an agent of that part and those grants is told that gives the role to another agent, which had another before.
fn sets(own: Role, grants: &[Grant], before: Option<Role>, request: Value) -> (Result<Value, ApiError>, Rig, Caller) {
    let rig = Rig::resting();
    rig.space("Secret shelf");
    let secret = rig.secret_of("manager", &[SPACE], &[]);
    rig.secret_of("other", &["Secret shelf"], &[]);
    for (agent, role, grants) in [("manager", Some(own), grants), ("other", before, &[])] {
        let Some(role) = role else { continue };
        let (space, agent, grants) = (SPACE.to_owned(), agent.to_owned(), Some(grants.to_vec()));
        rig.run(MembershipSet { space, agent, role: Some(role), status: None, trust_weight: None, grants }).unwrap();
    }
    let caller = Caller::agent(rig.admit(&secret, "manager").unwrap(), "agent");
    let mut asked = json!({ "space": SPACE, "agent": "other" });
    asked.as_object_mut().unwrap().extend(request.as_object().unwrap().clone());
    (rig.engine().call(&caller, "membership_set", asked), rig, caller)
}

/// One row for each role that is given, and the one that was before: which roles of the manager may, by their letters.
#[test]
fn members_are_managed_by_role_and_grant() {
    let roles = [('o', Role::Owner), ('l', Role::Leader), ('m', Role::Member), ('w', Role::Observer)];
    for (before, given, may) in [
        (None, Role::Observer, "ol"),
        (None, Role::Member, "ol"),
        (None, Role::Leader, "o"),
        (None, Role::Owner, "o"),
        (Some(Role::Member), Role::Observer, "ol"),
        (Some(Role::Leader), Role::Observer, "o"),
        (Some(Role::Owner), Role::Member, "o"),
    ] {
        for (letter, own) in roles {
            for grants in [&[][..], &[Grant::Forget, Grant::Redact, Grant::ApprovePromotion], &[Grant::ManageMembers]] {
                let (answer, rig, _) = sets(own, grants, before, json!({ "role": given }));
                let allowed = may.contains(letter) && grants.contains(&Grant::ManageMembers);
                let what = format!("{own} with {grants:?} gives {given} in place of {before:?}");
                assert_eq!(
                    answer.as_ref().map(drop).map_err(|e| e.code),
                    if allowed { Ok(()) } else { Err(ErrorCode::Forbidden) },
                    "{what}"
                );
                let is = rig.run(AccessGet { space: SPACE.into(), agent: None }).unwrap().members;
                let is = is.into_iter().find(|one| one.name == "other").map(|one| one.membership.role);
                assert_eq!(is, if allowed { Some(given) } else { before }, "{what}");
            }
        }
    }
}

#[test]
fn who_manages_members_grants_nothing_and_learns_of_no_other_space() {
    for more in [json!({ "grants": ["forget"] }), json!({ "grants": [] }), json!({ "trust_weight": 1.0 })] {
        let mut request = json!({ "role": "member" });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let (answer, ..) = sets(Role::Owner, &[Grant::ManageMembers], None, request.clone());
        assert_eq!(answer.unwrap_err().code, ErrorCode::Forbidden, "{request}");
    }
    let (_, rig, caller) = sets(Role::Owner, &[Grant::ManageMembers], None, json!({ "role": "member" }));
    let (space, overlay) = (SPACE.to_owned(), "Secret shelf".to_owned());
    rig.run(OverlaySet { space, overlay, mode: Some(OverlayMode::ReadOnly) }).unwrap();
    // Itself last: it gives its own part away.
    for (agent, is_ok) in
        [("other", true), ("nobody at all", false), ("Owner", false), ("System", false), ("manager", true)]
    {
        let answer =
            rig.engine().call(&caller, "membership_set", json!({ "space": SPACE, "agent": agent, "role": "member" }));
        let told = match &answer {
            Ok(told) => told.to_string(),
            Err(error) => serde_json::to_string(error).unwrap(),
        };
        assert!(!told.contains("Secret"), "{agent}: {told}");
        assert_eq!(answer.is_ok(), is_ok, "{agent}: {told}");
        assert!(is_ok || !told.contains("other"), "{agent}: {told}");
    }
}

/// What earlier versions let be granted, and what opened nothing, is no grant any more.
#[test]
fn what_is_of_the_whole_data_folder_is_nobodys_to_be_granted() {
    let rig = Rig::resting();
    let agent = rig.agent_granted("bot", SPACE, Grant::ALL);
    for word in ["purge", "compliance_mode"] {
        assert!(word.parse::<Grant>().is_err(), "{word}");
        let columns = "id, space_id, agent_id, operation, granted_by, granted_at";
        let insert = format!(
            "INSERT INTO agent_grants ({columns}) SELECT '0190f5e2-7c1a-7d3e-9b1f-{:012x}', space_id, agent_id, '{word}',
               granted_by, granted_at FROM agent_grants LIMIT 1",
            word.len()
        );
        rig.db().execute(&insert, []).unwrap();
    }
    let listed = rig.run(AgentsList {}).unwrap().agents;
    let grants = &listed.iter().find(|one| one.name == "bot").unwrap().memberships[0].grants;
    assert_eq!(grants.len(), Grant::ALL.len(), "{grants:?}");
    for (operation, request) in [("rows_purge", json!({})), ("settings_set", json!({ "compliance_mode": true }))] {
        let refused = rig.engine().call(&agent, operation, request).unwrap_err();
        assert_eq!(refused.code, ErrorCode::Forbidden, "{operation}");
    }
}
