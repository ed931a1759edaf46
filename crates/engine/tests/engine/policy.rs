//! Every role, status and policy with every operation that agents may call, through `Engine::call`. What is expected is said here
//! anew from ruling 20, and asks nothing of the code that decides.

use crate::support::{Rig, SPACE};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use um_engine::{Caller, is_open};
use um_model::ErrorCode;
use um_model::access::*;
use um_model::ops::OPERATIONS;
use um_model::spaces::SpaceEdit;

const LAB: &str = "Lab";

/// What an operation does in the space that it is asked about.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Does {
    Read,
    /// Looks at what the writer made, a request for a copy or a pack: it is its own.
    Look,
    /// Asks for a copy: of whoever reads both spaces, and writes somewhere.
    Ask,
    Write,
    Redact,
    Forget,
    Approve,
    Manage,
}

use Does::*;

/// What somebody is in the space, and by which token it comes.
#[derive(Debug, Clone, Copy)]
struct Who {
    part: Option<(Role, MembershipStatus)>,
    is_granted: bool,
    may_write: bool,
}

/// Ruling 20, for an agent: who reads, writes, and does what else. A part counts while it is active.
fn may(who: Who, read: ReadPolicy, write: WritePolicy, does: Does) -> bool {
    let role = match who.part {
        Some((role, MembershipStatus::Active)) => Some(role),
        _ => None,
    };
    let is = |roles: &[Role]| role.is_some_and(|role| roles.contains(&role));
    let reads = match read {
        ReadPolicy::OwnerOnly => is(&[Role::Owner]),
        ReadPolicy::Members => is(&[Role::Owner, Role::Leader, Role::Member, Role::Observer]),
        ReadPolicy::Public => true,
    };
    let writes = match write {
        WritePolicy::OwnerOnly => is(&[Role::Owner]),
        WritePolicy::Leaders => is(&[Role::Owner, Role::Leader]),
        WritePolicy::Members => is(&[Role::Owner, Role::Leader, Role::Member]),
    };
    let by_grant = who.is_granted && role.is_some() && who.may_write;
    let leads = is(&[Role::Owner, Role::Leader]);
    // Whoever may not read a space knows nothing of it, and so does nothing else there.
    reads
        && match does {
            Read => true,
            Look | Ask => who.may_write,
            Write => writes && who.may_write,
            Redact | Forget => by_grant,
            Approve | Manage => by_grant && leads,
        }
}

/// One thing of each kind in the space.
struct Lab {
    id: Value,
    memory: Value,
    agents: Value,
    other: Value,
    artifact: Value,
    view: Value,
    claim: Value,
    entity: Value,
    conflict: Value,
    finding: Value,
    promotion: Value,
    own: Value,
    entry: Value,
    clash: Value,
    session: Value,
    event: Value,
    raw: Value,
    lock: Value,
    relation: Value,
    trace: Value,
    resource: Value,
    removed: Value,
    pack: Value,
}

impl Lab {
    fn of(rig: &Rig, agent: &Caller) -> Self {
        let by = |caller: &Caller, operation: &str, request: Value| {
            rig.engine().call(caller, operation, request).unwrap_or_else(|error| panic!("{operation}: {error}"))
        };
        let call = |operation: &str, request: Value| by(&Caller::owner("test"), operation, request);
        let keep = |text: &str, space: &str| {
            call("memory_remember", json!({"text": text, "space": space}))["memory"]["id"].clone()
        };
        let memory = keep("The zeppelin is in the barn.", LAB);
        let other = keep("Write to zora@halden.example about the quince.", LAB);
        let agents = by(agent, "memory_remember", json!({"text": "The hangar is shut.", "space": LAB}));
        let own = keep("The ferry leaves at noon.", SPACE);
        let path = rig.file("zeppelin.md", "# Zeppelin\n\nThe zeppelin flies.");
        let artifact = rig.ingest_path(LAB, &path).remove(0).artifact_id;
        let fact = |object: &str| json!({"subject": "Zora Quill", "predicate": "born_in", "object": object});
        let added = call("facts_add", json!({"space": LAB, "facts": [fact("Vexmark"), fact("Tolbrook")]}));
        let claim = &added["facts"][0]["claim"];
        rig.settled();
        let promotion = by(agent, "promotion_request", json!({"kind": "memory", "id": own, "to": LAB}));
        let rule = |content: &str| {
            let body = json!({"content": content});
            call("entry_save", json!({"space": LAB, "entry_type": "guideline", "name": "Barn", "body": body}))
        };
        let entry = rule("Shut the barn.")["entry"]["id"].clone();
        let clash = rule("Open the barn.")["conflict"].clone();
        let begun = by(agent, "session_begin", json!({"space": LAB, "purpose": "Mend the barn"}));
        let session = begun["session"]["id"].clone();
        let pack = by(agent, "context_compile", json!({"space": LAB}))["id"].clone();
        let said = json!({"kind": "user_message", "content": "The barn burns."});
        let event = call("events_append", json!({"space": LAB, "events": [said]}))["events"][0].clone();
        let trace = by(agent, "memory_recall", json!({"query": "zeppelin", "space": LAB}))["trace"].clone();
        let raw = json!({"text": "The barn is red.", "space": LAB, "kind": "raw"});
        let raw = call("memory_remember", raw)["memory"]["id"].clone();
        let put =
            |uri: &str| call("resource_put", json!({"space": LAB, "uri": uri, "content": "A plan."}))["id"].clone();
        let (resource, removed) = (put("barn://plan"), put("barn://old"));
        let lock = by(agent, "lock_checkout", json!({"space": LAB, "path": "barn.rs"}))["id"].clone();
        let (from, to) = (json!({"item_type": "entry", "id": entry}), json!({"item_type": "memory", "id": memory}));
        let related = json!({"from": from, "to": to, "relation_type": "supports"});
        let relation = call("relation_add", related)["id"].clone();
        Self {
            relation,
            trace,
            pack,
            id: claim["space_id"].clone(),
            view: call("artifact_get", json!({"id": artifact}))["views"][0]["id"].clone(),
            conflict: call("conflicts_list", json!({"space": LAB}))["conflicts"][0]["id"].clone(),
            finding: call("findings_list", json!({"memory": other}))["findings"][0]["id"].clone(),
            claim: claim["id"].clone(),
            entity: claim["subject"]["id"].clone(),
            promotion: promotion["id"].clone(),
            artifact: json!(artifact),
            memory,
            agents: agents["memory"]["id"].clone(),
            other,
            own,
            entry,
            clash,
            session,
            event,
            raw,
            lock,
            resource,
            removed,
        }
    }

    /// Each operation that agents may call with what it does, asked about something of the space. Each can be asked again.
    fn asks(&self) -> Vec<(&'static str, Does, Value)> {
        let fact = json!({"subject": "Ana", "predicate": "likes", "object": "tea"});
        let resolved = json!({"conflict": self.conflict, "resolution": "claim_a_wins", "notes": "they said so"});
        let save = json!({"space": LAB, "entry_type": "tool", "name": "Winch", "body": {"description": "It lifts."}});
        vec![
            ("spaces_list", Read, json!({})),
            ("memory_recall", Read, json!({"query": "zeppelin", "space": LAB})),
            ("recall_explain", Read, json!({"recall": {"query": "zeppelin"}, "expected": self.memory})),
            ("trace_feedback", Write, json!({"id": self.trace, "feedback": "positive"})),
            ("memory_get", Read, json!({"id": self.memory})),
            ("artifacts_list", Read, json!({"space": LAB})),
            ("artifact_get", Read, json!({"id": self.artifact})),
            ("view_read", Read, json!({"id": self.view})),
            ("media_read", Read, json!({"id": self.artifact, "what": "original"})),
            ("jobs_status", Read, json!({"space": LAB})),
            ("facts_search", Read, json!({"space": LAB})),
            ("entities_list", Read, json!({"space": LAB})),
            ("entity_get", Read, json!({"entity": self.entity})),
            ("entities_resolve", Read, json!({"text": "Zora Quill", "space": LAB})),
            ("claim_explain", Read, json!({"claim": self.claim})),
            ("graph_traverse", Read, json!({"entity": self.entity})),
            ("conflicts_list", Read, json!({"space": LAB})),
            ("promotions_list", Read, json!({"space": LAB})),
            ("promotion_show", Look, json!({"id": self.promotion})),
            ("memory_remember", Write, json!({"text": "A note.", "space": LAB})),
            ("memories_add", Write, json!({"memories": [{"text": "A note."}, {"text": "Another."}], "space": LAB})),
            ("memory_ingest", Write, json!({"paths": ["/nowhere"], "space": LAB})),
            ("memory_confirm", Write, json!({"id": self.memory})),
            ("memory_tier", Write, json!({"id": self.agents, "tier": "hot"})),
            ("memory_distill", Write, json!({"id": self.raw})),
            ("event_promote", Write, json!({"event": self.event})),
            ("facts_add", Write, json!({"space": LAB, "facts": [fact]})),
            ("conflicts_resolve", Write, resolved),
            ("promotion_request", Ask, json!({"kind": "memory", "id": self.own, "to": LAB})),
            ("findings_list", Redact, json!({"space": LAB})),
            ("findings_decide", Redact, json!({"decision": "accept", "ids": [self.finding]})),
            ("redaction_apply", Redact, json!({"memory": self.other})),
            ("forget_preview", Forget, json!({"memory": self.memory, "space": LAB})),
            ("forget_execute", Forget, json!({"memory": self.memory, "space": LAB, "token": "x"})),
            ("promotion_decide", Approve, json!({"id": self.promotion, "decision": "approve", "token": "x"})),
            ("entry_save", Write, save),
            ("entry_get", Read, json!({"id": self.entry})),
            ("entries_list", Read, json!({"space": LAB})),
            ("entry_disable", Write, json!({"id": self.entry})),
            ("entry_enable", Write, json!({"id": self.entry})),
            ("versions_list", Read, json!({"item_type": "entry", "id": self.entry})),
            ("versions_diff", Read, json!({"item_type": "entry", "id": self.entry, "from": 1, "to": 2})),
            ("clashes_list", Read, json!({"space": LAB})),
            ("clash_resolve", Write, json!({"clash": self.clash, "outcome": "dismissed", "note": "they said so"})),
            ("tags_list", Read, json!({"space": LAB})),
            ("tag_create", Write, json!({"space": LAB, "name": "barn"})),
            ("tag_attach", Write, json!({"item_type": "memory", "id": self.memory, "tags": ["barn"]})),
            ("tag_detach", Write, json!({"item_type": "memory", "id": self.memory, "tags": ["rust"]})),
            (
                "relation_add",
                Write,
                json!({"from": {"item_type": "entry", "id": self.entry},
                "to": {"item_type": "resource", "id": self.resource}, "relation_type": "applies_to"}),
            ),
            ("relation_end", Write, json!({"relation": self.relation, "at": 2_000_000_000_000_i64})),
            ("relations_list", Read, json!({"space": LAB})),
            ("relations_walk", Read, json!({"item_type": "entry", "id": self.entry})),
            ("items_query", Read, json!({"space": LAB, "text": "barn"})),
            ("verification_add", Write, json!({"item_type": "memory", "id": self.memory, "status": "passed"})),
            ("verifications_list", Read, json!({"space": LAB})),
            ("blocks_list", Read, json!({"space": LAB})),
            ("block_set", Write, json!({"space": LAB, "label": "barn", "content": "Shut it."})),
            ("resource_put", Write, json!({"space": LAB, "uri": "barn://new", "content": "A roof."})),
            ("resources_browse", Read, json!({"space": LAB})),
            ("resource_get", Read, json!({"id": self.resource})),
            ("resource_remove", Write, json!({"id": self.removed})),
            ("context_compile", Read, json!({"space": LAB})),
            ("context_hydrate", Look, json!({"pack": self.pack})),
            ("contexts_list", Read, json!({"space": LAB})),
            ("drift_check", Read, json!({"space": LAB, "items": [{"item_type": "entry", "id": self.entry}]})),
            ("session_begin", Write, json!({"space": LAB, "client_ref": "run-1"})),
            ("session_set", Write, json!({"session": self.session, "name": "Barn"})),
            ("session_end", Write, json!({"session": self.session})),
            ("session_discard", Write, json!({"session": self.session})),
            ("sessions_list", Read, json!({"space": LAB})),
            ("session_get", Read, json!({"session": self.session})),
            ("state_set", Write, json!({"space": LAB, "current_goal": "Mend the barn."})),
            ("state_get", Read, json!({"space": LAB})),
            ("events_append", Write, json!({"space": LAB, "events": [{"kind": "tool_call", "content": "x"}]})),
            ("events_list", Read, json!({"space": LAB})),
            ("lock_checkout", Write, json!({"space": LAB, "path": "shed.rs"})),
            ("lock_checkin", Write, json!({"lock": self.lock})),
            ("locks_list", Read, json!({"space": LAB})),
            ("membership_set", Manage, json!({"space": LAB, "agent": "other", "role": "observer"})),
        ]
    }
}

/// How a request ends: that it is answered, or the code of its error.
type End = Result<(), ErrorCode>;

/// How each request of an agent ends. A list of spaces that leaves the space out knows nothing of it.
fn ends(rig: &Rig, agent: &Caller, lab: &Lab) -> BTreeMap<&'static str, End> {
    let end = |(operation, _, request): (&'static str, Does, Value)| {
        let answer = rig.engine().call(agent, operation, request).map_err(|error| error.code);
        let is_left_out =
            |told: &Value| operation == "spaces_list" && !told.to_string().contains(lab.id.as_str().unwrap());
        let end = match answer {
            Ok(told) if is_left_out(&told) => Err(ErrorCode::NotFound),
            other => other.map(drop),
        };
        (operation, end)
    };
    lab.asks().into_iter().map(end).collect()
}

fn part(agent: &str, space: &str, part: (Role, MembershipStatus), grants: &[Grant]) -> MembershipSet {
    MembershipSet {
        space: space.to_owned(),
        agent: agent.to_owned(),
        role: Some(part.0),
        status: Some(part.1),
        trust_weight: None,
        grants: Some(grants.to_vec()),
    }
}

#[test]
fn every_role_status_policy_and_operation() {
    use MembershipStatus::{Active, Removed, Suspended};
    let rig = Rig::new();
    rig.space(LAB);
    rig.secret_of("other", &[SPACE], &[]);
    let secrets = [true, false].map(|writes| {
        let name = if writes { "writer" } else { "reader" };
        let rights = if writes { Right::ALL } else { &[Right::Read] };
        // It may all in its own space, so that nothing is refused before the space itself is asked.
        let secret = rig.secret_of(name, &[SPACE, LAB], rights);
        rig.run(part(name, SPACE, (Role::Leader, Active), Grant::ALL)).unwrap();
        rig.run(part(name, LAB, (Role::Owner, Active), Grant::ALL)).unwrap();
        (name, secret)
    });
    let caller = |writes: bool| {
        let (name, secret) = &secrets[usize::from(!writes)];
        Caller::agent(rig.admit(secret, name).unwrap(), "agent")
    };
    let policies = |read, write| {
        let edit = SpaceEdit { read_policy: Some(read), write_policy: Some(write), ..SpaceEdit::default() };
        rig.run(SpaceEdit { space: LAB.to_owned(), ..edit }).unwrap();
    };
    policies(ReadPolicy::Members, WritePolicy::Members);
    let lab = Lab::of(&rig, &caller(true));
    rig.engine().stop();
    let open: BTreeSet<&str> =
        OPERATIONS.iter().map(|one| one.name).filter(|name| is_open(name, Right::ALL, Grant::ALL)).collect();
    assert_eq!(lab.asks().iter().map(|(name, ..)| *name).collect::<BTreeSet<_>>(), open, "say here what each is asked");

    // What can be carried out once is carried out: from then on each request of whoever may ends in one way.
    ends(&rig, &caller(true), &lab);
    let allowed = ends(&rig, &caller(true), &lab);
    for (operation, end) in &allowed {
        assert!(![Err(ErrorCode::Forbidden), Err(ErrorCode::NotFound)].contains(end), "{operation}: {end:?}");
    }

    let statuses = [Active, Suspended, Removed];
    let parts = Role::ALL.iter().flat_map(|role| statuses.map(|status| Some((*role, status))));
    let mut asked = 0;
    for standing in parts.chain([None]) {
        for (is_granted, may_write) in [(true, true), (false, true), (true, false)] {
            let who = Who { part: standing, is_granted, may_write };
            let (name, _) = &secrets[usize::from(!may_write)];
            let grants = if is_granted { Grant::ALL } else { &[] };
            // Nobody who ever had a part is without a row: one that has ended is the same.
            rig.run(part(name, LAB, standing.unwrap_or((Role::Observer, Removed)), grants)).unwrap();
            for read in ReadPolicy::ALL {
                for write in WritePolicy::ALL {
                    policies(*read, *write);
                    let reads = may(who, *read, *write, Read);
                    let ends = ends(&rig, &caller(may_write), &lab);
                    for (operation, does, _) in lab.asks() {
                        asked += 1;
                        let (end, what) = (ends[operation], format!("{operation} by {who:?}, {read} {write}"));
                        if may(who, *read, *write, does) {
                            assert_eq!(end, allowed[operation], "{what}");
                        } else if !reads && (may_write || matches!(does, Read | Look)) {
                            assert_eq!(end, Err(ErrorCode::NotFound), "{what}: it knows nothing of it");
                        } else {
                            assert!(
                                [Err(ErrorCode::Forbidden), Err(ErrorCode::NotFound)].contains(&end),
                                "{what}: {end:?}"
                            );
                        }
                    }
                }
            }
        }
    }
    assert_eq!(asked, 13 * 3 * 9 * open.len());
}
