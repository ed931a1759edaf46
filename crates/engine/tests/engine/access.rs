//! Who may read and write what: pairing, roles, overlays, and that a closed space does not exist for an agent.

use crate::support::{Rig, SPACE};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use um_engine::{Caller, Claim};
use um_model::access::*;
use um_model::claims::{FactInput, FactsAdd};
use um_model::ops::OPERATIONS;
use um_model::recall::MemoryRecall;
use um_model::spaces::{SpaceCreate, SpaceEdit};
use um_model::{ApiError, ErrorCode, PairingId};

const HOUR: i64 = 60 * 60 * 1000;

fn claim(name: &str, digit: char) -> Claim {
    Claim { secret: digit.to_string().repeat(64), name: name.to_owned(), ..Claim::default() }
}

/// What an agent that comes so is told.
fn told(rig: &Rig, name: &str, digit: char) -> Result<String, ErrorCode> {
    rig.engine().admit(&claim(name, digit)).map(|agent| agent.name).map_err(|error| error.code)
}

fn waiting(rig: &Rig) -> Vec<PairingRequest> {
    rig.run(AgentsList {}).unwrap().waiting
}

fn answer(rig: &Rig, id: &PairingId, answer: Option<PairingAnswer>) -> Result<PairingStatus, ErrorCode> {
    let request = PairingDecide { id: id.clone(), answer, spaces: None, rights: None };
    rig.run(request).map(|asked| asked.status).map_err(|error| error.code)
}

#[test]
fn a_stranger_waits_for_the_person() {
    let rig = Rig::resting();
    for secret in ["", "abc", &"g".repeat(64)] {
        let none = Claim { secret: secret.to_owned(), ..claim("bot", 'a') };
        assert_eq!(rig.engine().admit(&none).unwrap_err().code, ErrorCode::NotPaired, "{secret:?} is no token");
    }
    assert_eq!(told(&rig, " \n", 'a'), Err(ErrorCode::NotPaired), "who has no name is not asked about");
    assert!(waiting(&rig).is_empty());
    assert_eq!(told(&rig, "bot\u{1b}[2J", 'a'), Err(ErrorCode::NotPaired));
    assert_eq!(told(&rig, "bot [2J", 'b'), Err(ErrorCode::NotPaired), "one question for a name");
    let asked = waiting(&rig);
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].client_name, "bot [2J", "control characters do not reach a terminal");
    assert_eq!((asked[0].spaces.as_slice(), asked[0].rights.as_slice()), (&["default".to_owned()][..], Right::ALL));
    for number in 0..30 {
        let digit = char::from_digit(10 + number % 6, 16).unwrap();
        let secret = format!("{number:02}{}", digit.to_string().repeat(62));
        let _ = rig.engine().admit(&Claim { secret, name: format!("flood {number}"), ..Claim::default() });
    }
    assert_eq!(waiting(&rig).len(), 20, "a flood of names is bounded");
    rig.advance(25 * HOUR);
    assert!(waiting(&rig).is_empty(), "what nobody answers goes");
    assert_eq!(told(&rig, "another", 'c'), Err(ErrorCode::NotPaired));
    assert_eq!(waiting(&rig).len(), 1);
}

/// One row for each answer: what the agent gets at once, and nine hours later.
#[test]
fn each_answer_means_what_it_says() {
    #[track_caller]
    fn check(given: Option<PairingAnswer>, at_once: Result<(), ErrorCode>, later: Result<(), ErrorCode>, asks: usize) {
        let rig = Rig::resting();
        told(&rig, "bot", 'a').unwrap_err();
        let id = waiting(&rig)[0].id.clone();
        answer(&rig, &id, given).unwrap();
        assert_eq!(answer(&rig, &id, Some(PairingAnswer::Always)), Err(ErrorCode::Conflict), "an answer stands");
        assert_eq!(told(&rig, "bot", 'a').map(drop), at_once, "{given:?}");
        assert!(waiting(&rig).is_empty(), "{given:?}");
        rig.advance(9 * HOUR);
        assert_eq!(told(&rig, "bot", 'a').map(drop), later, "{given:?} later");
        assert_eq!(waiting(&rig).len(), asks, "{given:?} asks later");
    }
    check(Some(PairingAnswer::Always), Ok(()), Ok(()), 0);
    check(Some(PairingAnswer::Once), Ok(()), Err(ErrorCode::AccessEnded), 0);
    check(Some(PairingAnswer::Never), Err(ErrorCode::NotPaired), Err(ErrorCode::NotPaired), 0);
    check(None, Err(ErrorCode::NotPaired), Err(ErrorCode::NotPaired), 1);
}

#[test]
fn what_the_person_takes_back_is_taken_back_at_once() {
    let rig = Rig::resting();
    let secret = rig.secret_of("bot", &[SPACE], &[]);
    let code = |name: &str| rig.admit(&secret, name).map(drop).map_err(|error| error.code);
    assert_eq!(code("bot"), Ok(()));
    assert_eq!(code("somebody else"), Ok(()), "the token says who it is, and not the name");
    assert_eq!(rig.count("SELECT count(*) FROM agents WHERE name = 'somebody else'"), 0);
    let edit = |is_active| rig.run(AgentEdit { agent: "bot".into(), is_active: Some(is_active), trust_weight: None });
    edit(false).unwrap();
    assert_eq!(code("bot"), Err(ErrorCode::Forbidden));
    edit(true).unwrap();
    assert_eq!(code("bot"), Ok(()));
    rig.run(AgentRevoke { agent: "bot".into(), token: None }).unwrap();
    assert_eq!(code("bot"), Err(ErrorCode::AccessEnded), "and a token that was replayed stays closed");
    for (agent, refused) in [("owner", ErrorCode::InvalidRequest), ("nobody", ErrorCode::NotFound)] {
        let request = AgentEdit { agent: agent.into(), is_active: Some(false), trust_weight: None };
        assert_eq!(rig.run(request).unwrap_err().code, refused, "{agent}");
    }
    let stored: Vec<String> = column(&rig, "SELECT token_hash FROM agent_tokens");
    assert!(stored.iter().all(|hash| *hash != secret), "the secret is not kept");
    let short = AgentPair { name: "brief".into(), expires_in_days: Some(1), ..AgentPair::default() };
    let brief = rig.run(short).unwrap().token.unwrap();
    assert!(rig.admit(&brief, "brief").is_ok());
    rig.advance(25 * HOUR);
    assert_eq!(rig.admit(&brief, "brief").unwrap_err().code, ErrorCode::AccessEnded);
}

fn column(rig: &Rig, sql: &str) -> Vec<String> {
    let db = rig.db();
    let mut statement = db.prepare(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn agents_may_what_stands_in_the_list_and_nothing_else() {
    let rig = Rig::resting();
    let agent = rig.agent_in("bot", &[SPACE], &[]);
    let reader = rig.agent_in("reader", &[SPACE], &[Right::Read]);
    let mut open = BTreeSet::new();
    for operation in OPERATIONS {
        // A request that fits nothing: whoever may call gets as far as that.
        let code = |caller: &Caller| rig.engine().call(caller, operation.name, json!({"id": 7})).map_err(|e| e.code);
        if code(&agent) == Err(ErrorCode::Forbidden) {
            assert_eq!(code(&reader), Err(ErrorCode::Forbidden), "{}", operation.name);
        } else {
            open.insert(operation.name);
        }
    }
    for closed in [
        "agents_list",
        "agent_pair",
        "membership_set",
        "settings_set",
        "artifact_remove",
        "space_create",
        "watch_add",
        "health_check",
        "predicate_define",
        "pairing_decide",
        "requests_list",
        "findings_list",
    ] {
        assert!(!open.contains(closed), "{closed}");
    }
    let remember = json!({"text": "x", "space": SPACE});
    let refused = rig.engine().call(&reader, "memory_remember", remember.clone()).unwrap_err();
    assert_eq!(refused.code, ErrorCode::Forbidden, "{refused}");
    assert!(rig.engine().call(&agent, "memory_remember", remember).is_ok());
}

#[test]
fn roles_and_policies_are_kept_to() {
    let rig = Rig::resting();
    let bot = rig.agent_in("bot", &[SPACE], &[]);
    let writes = || {
        let request = json!({"text": format!("note {}", rig.count("SELECT count(*) FROM memories")), "space": SPACE});
        rig.engine().call(&bot, "memory_remember", request).map(drop).map_err(|e| e.code)
    };
    let reads = || rig.engine().call(&bot, "artifacts_list", json!({"space": SPACE})).map(drop).map_err(|e| e.code);
    let member = |role, status| {
        let (space, agent) = (SPACE.to_owned(), "bot".to_owned());
        rig.run(MembershipSet { space, agent, role, status, trust_weight: None, grants: None }).unwrap()
    };
    let policy = |read_policy, write_policy| {
        rig.run(SpaceEdit { space: SPACE.into(), read_policy, write_policy, ..SpaceEdit::default() }).unwrap()
    };
    assert_eq!((reads(), writes()), (Ok(()), Ok(())));
    member(Some(Role::Observer), None);
    assert_eq!((reads(), writes()), (Ok(()), Err(ErrorCode::Forbidden)));
    member(Some(Role::Leader), None);
    policy(None, Some(WritePolicy::Leaders));
    assert_eq!((reads(), writes()), (Ok(()), Ok(())));
    policy(None, Some(WritePolicy::OwnerOnly));
    assert_eq!((reads(), writes()), (Ok(()), Err(ErrorCode::Forbidden)));
    policy(Some(ReadPolicy::OwnerOnly), None);
    assert_eq!((reads(), writes()), (Err(ErrorCode::NotFound), Err(ErrorCode::NotFound)));
    policy(Some(ReadPolicy::Members), Some(WritePolicy::Members));
    member(None, Some(MembershipStatus::Suspended));
    assert_eq!((reads(), writes()), (Err(ErrorCode::NotFound), Err(ErrorCode::NotFound)));
    member(None, Some(MembershipStatus::Removed));
    policy(Some(ReadPolicy::Public), None);
    assert_eq!((reads(), writes()), (Ok(()), Err(ErrorCode::Forbidden)));
    // A token opens its spaces only, whatever the role.
    rig.run(SpaceCreate { name: "Other".into(), ..SpaceCreate::default() }).unwrap();
    let (space, agent) = ("Other".to_owned(), "bot".to_owned());
    let role = Some(Role::Owner);
    rig.run(MembershipSet { space, agent, role, status: None, trust_weight: None, grants: None }).unwrap();
    let other = rig.engine().call(&bot, "artifacts_list", json!({"space": "Other"}));
    assert_eq!(other.unwrap_err().code, ErrorCode::NotFound);
}

/// Plants something of every kind in a space.
fn plant(rig: &Rig, space: &str) {
    let owner = Caller::owner("test");
    let remember = json!({"text": "Zora Quill works at Vexmark. The zeppelin is in the barn.", "space": space,
        "title": "Zeppelin note"});
    rig.engine().call(&owner, "memory_remember", remember).unwrap();
    let facts = ["Vexmark", "Tolbrook"].map(|object| FactInput {
        subject: "Zora Quill".into(),
        predicate: "born_in".into(),
        object: object.into(),
        ..FactInput::default()
    });
    rig.run(FactsAdd { space: space.to_owned(), facts: facts.to_vec() }).unwrap();
    let path = rig.file("zeppelin.md", "# Zeppelin\n\nThe zeppelin of Zora Quill flies.").display().to_string();
    rig.engine().call(&owner, "memory_ingest", json!({"paths": [path], "space": space})).unwrap();
    rig.settled();
}

/// The same with every id and the space's name taken out.
fn bare(error: &ApiError, id: &str) -> String {
    format!("{} {error}", error.code).replace(id, "ID")
}

/// For every row of every table with a space, and every operation that agents may call: the answer is that of an id
/// which nothing has.
#[test]
fn a_closed_space_does_not_exist() {
    let rig = Rig::new();
    rig.run(SpaceCreate { name: "Vault".into(), ..SpaceCreate::default() }).unwrap();
    let vault = column(&rig, "SELECT id FROM memory_spaces WHERE name = 'Vault'").remove(0);
    let agent = rig.agent_in("bot", &[SPACE], &[]);
    rig.engine().call(&agent, "memory_remember", json!({"text": "The ferry leaves at noon.", "space": SPACE})).unwrap();
    rig.settled();
    let lists = |rig: &Rig| -> Vec<String> {
        [
            ("spaces_list", json!({})),
            ("memory_recall", json!({"query": "zeppelin ferry"})),
            ("artifacts_list", json!({})),
            ("jobs_status", json!({})),
            ("facts_search", json!({})),
            ("facts_search", json!({"query": "Zora"})),
            ("entities_list", json!({})),
            ("conflicts_list", json!({})),
            ("entities_resolve", json!({"text": "Zora Quill", "space": SPACE})),
        ]
        .into_iter()
        .map(|(operation, request)| {
            let mut answer = rig.engine().call(&agent, operation, request).unwrap();
            if let Some(answer) = answer.as_object_mut() {
                answer.remove("timings");
            }
            format!("{operation} {answer}")
        })
        .collect()
    };
    let before = lists(&rig);
    plant(&rig, &vault);
    assert_eq!(lists(&rig), before, "nothing that is counted or listed tells of it");

    let unknown = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b";
    let asks = |id: &str| -> Vec<(&'static str, Value)> {
        let fact = |field: &str| {
            let mut fact = json!({"subject": "Ana", "predicate": "likes", "object": "tea"});
            fact[field] = id.into();
            json!({"space": SPACE, "facts": [fact]})
        };
        vec![
            ("memory_get", json!({"id": id})),
            ("artifact_get", json!({"id": id})),
            ("view_read", json!({"id": id})),
            ("media_read", json!({"id": id, "what": "original"})),
            ("claim_explain", json!({"claim": id})),
            ("entity_get", json!({"entity": id})),
            ("graph_traverse", json!({"entity": id})),
            ("facts_search", json!({"entity": id})),
            ("facts_search", json!({"artifact": id})),
            ("conflicts_resolve", json!({"conflict": id, "resolution": "claim_a_wins", "notes": "they said so"})),
            ("memory_recall", json!({"query": "zeppelin", "space": id})),
            ("memory_remember", json!({"text": "y", "space": id})),
            ("memory_remember", json!({"text": "z", "space": SPACE, "derived_from": [id]})),
            ("memory_ingest", json!({"paths": ["/nowhere"], "space": id})),
            ("jobs_status", json!({"space": id})),
            ("facts_add", fact("memory_id")),
            ("facts_add", fact("subject")),
            ("facts_add", fact("object")),
            ("facts_add", json!({"space": id, "facts": []})),
        ]
    };
    let answered = |id: &str| -> Vec<String> {
        asks(id)
            .into_iter()
            .map(|(operation, request)| match rig.engine().call(&agent, operation, request.clone()) {
                Ok(answer) if operation == "facts_search" => format!("{operation} {answer}"),
                Ok(_) => format!("{operation} {request} is answered").replace(id, "ID"),
                Err(error) => format!("{operation} {}", bare(&error, id)),
            })
            .collect()
    };
    let nothing = answered(unknown);
    assert!(nothing.iter().filter(|told| told.contains("not_found")).count() >= 14, "{nothing:#?}");
    let tables = column(
        &rig,
        "SELECT m.name FROM sqlite_schema m WHERE m.type = 'table'
           AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE name = 'space_id')
           AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE name = 'id')",
    );
    let mut planted = 0;
    for table in tables {
        for id in column(&rig, &format!("SELECT id FROM {table} WHERE space_id = '{vault}' LIMIT 3")) {
            planted += 1;
            assert_eq!(answered(&id), nothing, "{table} {id}");
        }
    }
    assert!(planted > 20, "{planted} rows were planted");
    assert_eq!(answered(&vault), nothing);
    // Its name is unknown as well.
    let named = |space: &str| {
        let refused = rig.engine().call(&agent, "memory_recall", json!({"query": "zeppelin", "space": space}));
        bare(&refused.unwrap_err(), space)
    };
    assert_eq!(named("Vault"), named("Nowhere"));
}

#[test]
fn overlays_are_read_as_they_say_and_no_further() {
    let rig = Rig::new();
    for name in ["Base", "Shared", "Deep", "Closed"] {
        rig.run(SpaceCreate { name: name.into(), ..SpaceCreate::default() }).unwrap();
        let text = format!("The zeppelin of {name} flies.");
        rig.engine().call(&Caller::owner("test"), "memory_remember", json!({"text": text, "space": name})).unwrap();
    }
    rig.settled();
    let overlay = |space: &str, overlay: &str, mode| {
        rig.run(OverlaySet { space: space.into(), overlay: overlay.into(), mode }).map(drop).map_err(|e| e.code)
    };
    let read_only = Some(OverlayMode::ReadOnly);
    overlay("Base", "Shared", read_only).unwrap();
    overlay("Shared", "Deep", Some(OverlayMode::ReadWrite)).unwrap();
    overlay("Base", "Closed", read_only).unwrap();
    assert_eq!(overlay("Deep", "Base", read_only), Err(ErrorCode::Conflict), "no circle");
    let agent = rig.agent_in("bot", &["Base"], &[]);
    let found = |space: Option<&str>| -> Vec<String> {
        let request =
            MemoryRecall { query: "zeppelin".into(), space: space.map(str::to_owned), ..MemoryRecall::default() };
        let hits = rig.engine().run(&agent, request).unwrap().hits;
        let names: BTreeSet<String> = hits.into_iter().map(|hit| hit.space_name).collect();
        names.into_iter().collect()
    };
    assert_eq!(found(Some("Base")), ["Base"], "each hop is checked for who reads");
    let member = |space: &str, role| {
        let (space, agent) = (space.to_owned(), "bot".to_owned());
        rig.run(MembershipSet { space, agent, role: Some(role), status: None, trust_weight: None, grants: None })
            .unwrap()
    };
    member("Deep", Role::Member);
    assert_eq!(found(Some("Base")), ["Base"], "behind a hop that is closed nothing is read");
    member("Shared", Role::Member);
    assert_eq!(found(Some("Base")), ["Base", "Deep", "Shared"]);
    assert_eq!(found(Some("Shared")), ["Deep", "Shared"], "what is reached can be named");
    let writes = |space: &str| {
        let request = json!({"text": format!("By a bot in {space}."), "space": space});
        rig.engine().call(&agent, "memory_remember", request).map(drop).map_err(|e| e.code)
    };
    assert_eq!(writes("Shared"), Err(ErrorCode::Forbidden), "an overlay that is read only is not written through");
    overlay("Base", "Shared", Some(OverlayMode::ReadWrite)).unwrap();
    assert_eq!((writes("Shared"), writes("Deep"), writes("Closed")), (Ok(()), Ok(()), Err(ErrorCode::NotFound)));
    overlay("Base", "Shared", None).unwrap();
    assert_eq!(found(Some("Base")), ["Base"]);
    let told = rig.run(AccessGet { space: "Base".into(), agent: Some("bot".into()) }).unwrap();
    let why: Vec<_> = told.reached.iter().map(|one| (one.space.as_str(), one.can_read, one.why.as_str())).collect();
    assert_eq!(why, [("Base", true, "bot is member there."), ("Closed", false, "bot has no part in it.")]);
}

#[test]
fn what_agents_ask_is_seen_and_stands_in_the_ledger_without_its_words() {
    let rig = Rig::resting();
    let agent = rig.agent_in("bot", &[SPACE], &[]);
    rig.engine().call(&agent, "memory_remember", json!({"text": "The zeppelin flies.", "space": SPACE})).unwrap();
    rig.engine().call(&agent, "memory_recall", json!({"query": "zeppelin"})).unwrap();
    rig.engine().call(&agent, "settings_get", json!({})).unwrap_err();
    let seen = rig.run(RequestsList::default()).unwrap().requests;
    let rows: Vec<_> =
        seen.iter().map(|one| (one.operation.as_str(), one.asked.as_str(), one.error.is_some())).collect();
    assert_eq!(
        rows,
        [
            ("settings_get", "", true),
            ("memory_recall", "zeppelin", false),
            ("memory_remember", "The zeppelin flies.", false)
        ]
    );
    assert!(seen[1].items >= 3 && seen[1].bytes > 100, "{:?}", seen[1]);
    let ledger = column(
        &rig,
        "SELECT event_type || ' ' || payload FROM audit_events WHERE event_type LIKE 'agent.%' ORDER BY rid",
    );
    assert!(ledger.iter().any(|row| row.starts_with("agent.memory_recall")), "{ledger:#?}");
    assert!(ledger.iter().all(|row| !row.contains("zeppelin")), "{ledger:#?}");
}

#[test]
fn trust_in_an_agent_counts_where_it_is_given() {
    let rig = Rig::new();
    let agent = rig.agent_in("bot", &[SPACE], &[]);
    let fact = json!({"subject": "Ana Ruiz", "predicate": "works_at", "object": "Orbis"});
    rig.engine().call(&agent, "facts_add", json!({"space": SPACE, "facts": [fact]})).unwrap();
    let confidence = || column(&rig, "SELECT printf('%.3f', confidence) FROM claims")[0].parse::<f64>().unwrap();
    let before = confidence();
    let (space, agent) = (SPACE.to_owned(), "bot".to_owned());
    rig.run(MembershipSet { space, agent, role: None, status: None, trust_weight: Some(0.4), grants: None }).unwrap();
    rig.settled();
    rig.until("the claim is weighed anew", || confidence() < before);
    assert!((confidence() - before / 2.0).abs() < 0.01, "{before} with 0.8, {} with 0.4", confidence());
}
