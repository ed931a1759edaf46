//! Resources: a tree of addresses, against one that is kept in a list.

use crate::support::{Rig, SPACE};
use proptest::prelude::*;
use std::collections::BTreeMap;
use um_engine::Caller;
use um_model::spaces::SpaceCreate;
use um_model::work::*;
use um_model::{ErrorCode, ResourceId};

fn put(rig: &Rig, uri: &str, parent: Option<&str>, content: &str) -> Result<Resource, ErrorCode> {
    let request = ResourcePut {
        uri: uri.into(),
        parent_uri: parent.map(str::to_owned),
        content: Some(content.into()),
        ..ResourcePut::default()
    };
    rig.run(request).map_err(|error| error.code)
}

fn browse(rig: &Rig, parent: Option<&str>) -> ResourcesBrowsed {
    rig.run(ResourcesBrowse { parent_uri: parent.map(str::to_owned), ..ResourcesBrowse::default() }).unwrap()
}

#[test]
fn a_tree_is_browsed_as_it_was() {
    let rig = Rig::resting();
    let shown = |parent: Option<&str>, as_of: Option<i64>, (offset, limit): (u32, u32)| {
        let parent_uri = parent.map(str::to_owned);
        let asked = ResourcesBrowse { parent_uri, as_of, offset, limit: Some(limit), ..ResourcesBrowse::default() };
        rig.run(asked).map_err(|error| error.code)
    };
    let uris = |all: &[Resource]| all.iter().map(|one| one.uri.clone()).collect::<Vec<_>>();
    let check = |parent: Option<&str>, as_of: Option<i64>, expected: Result<&[&str], ErrorCode>| {
        let told = shown(parent, as_of, (0, 200)).map(|told| {
            assert_eq!(told.total, told.children.len() as u64, "{parent:?} {as_of:?}");
            assert_eq!(uris(&told.path), parent.into_iter().map(str::to_owned).collect::<Vec<_>>());
            uris(&told.children)
        });
        assert_eq!(
            told,
            expected.map(|uris| uris.iter().map(|uri| (*uri).to_owned()).collect::<Vec<_>>()),
            "{parent:?} {as_of:?}"
        );
    };
    put(&rig, "pier", None, "").unwrap();
    put(&rig, "quay", None, "").unwrap();
    put(&rig, "boat", Some("pier"), "It is red.").unwrap();
    let first = rig.now();
    rig.advance(1_000);
    put(&rig, "boat", Some("quay"), "It is blue.").unwrap();
    put(&rig, "net", Some("pier"), "").unwrap();
    let second = rig.now();
    rig.advance(1_000);
    let quay = shown(None, None, (1, 1)).unwrap().children.remove(0);
    rig.run(ResourceRemove { id: quay.id }).unwrap();

    check(None, Some(first - 1), Ok(&[]));
    check(Some("pier"), Some(first - 1), Err(ErrorCode::NotFound));
    check(None, Some(first), Ok(&["pier", "quay"]));
    check(Some("pier"), Some(first), Ok(&["boat"]));
    check(Some("quay"), Some(first), Ok(&[]));
    check(Some("pier"), Some(second), Ok(&["net"]));
    check(Some("quay"), Some(second), Ok(&["boat"]));
    for now in [None, Some(rig.now())] {
        check(None, now, Ok(&["pier"]));
        check(Some("pier"), now, Ok(&["net"]));
        check(Some("quay"), now, Err(ErrorCode::NotFound));
    }
    let page = shown(None, Some(first), (1, 1)).unwrap();
    assert_eq!((uris(&page.children), page.total), (vec!["quay".to_owned()], 2));
    let boat = shown(Some("pier"), Some(first), (0, 1)).unwrap().children.remove(0);
    assert_eq!((boat.version, boat.parent_uri.as_deref(), boat.content), (1, Some("pier"), None));
    // By words, as it spoke then.
    for (text, as_of, expected) in [
        ("red", Some(first), Some((1, Some("pier")))),
        ("red", Some(second), None),
        ("blue", Some(first), None),
        ("blue", Some(second), Some((2, Some("quay")))),
        ("blue", None, None),
        ("red", Some(first - 1), None),
    ] {
        let asked = ResourcesBrowse { text: Some(text.into()), as_of, ..ResourcesBrowse::default() };
        let found = rig.run(asked).unwrap();
        let told = found.children.first().map(|one| (one.version, one.parent_uri.as_deref()));
        assert_eq!((told, found.total), (expected, u64::from(expected.is_some())), "{text} {as_of:?}");
        assert!(found.children.iter().all(|one| one.content.is_none()) && found.notices.is_empty(), "{found:?}");
    }

    // What was removed and put again was not there in between.
    let removed = rig.now();
    rig.advance(1_000);
    put(&rig, "quay", None, "").unwrap();
    let again = rig.now();
    check(None, Some(removed - 1), Ok(&["pier", "quay"]));
    check(Some("quay"), Some(removed - 1), Ok(&["boat"]));
    for between in [removed, again - 1] {
        check(None, Some(between), Ok(&["pier"]));
        check(Some("quay"), Some(between), Err(ErrorCode::NotFound));
    }
    check(None, Some(again), Ok(&["pier", "quay"]));
    check(Some("quay"), Some(again), Ok(&[]));
    for (at, expected) in [(removed - 1, Ok(1)), (again - 1, Err(ErrorCode::NotFound)), (again, Ok(2))] {
        let asked = ResourceGet { uri: Some("quay".into()), as_of: Some(at), ..ResourceGet::default() };
        assert_eq!(rig.run(asked).map(|one| one.version).map_err(|error| error.code), expected, "{at}");
    }
}

#[test]
fn a_resource_is_told_by_when_it_was_so_and_by_when_that_was_known() {
    let rig = Rig::resting();
    let boat = put(&rig, "boat", None, "It is red.").unwrap();
    let first = rig.now();
    rig.advance(1_000);
    put(&rig, "boat", None, "It is blue.").unwrap();
    let second = rig.now();
    rig.advance(1_000);
    let third = rig.now();
    // It had been green for a while when that was written down.
    rig.db()
        .execute(
            "INSERT INTO workspace_resource_versions (id, space_id, resource_id, version_num, title, content, valid_from,
               recorded_at, actor_id)
             SELECT 'green', space_id, id, 3, title, 'It is green.', ?2, ?3, actor_id FROM workspace_resources WHERE id = ?1",
            (boat.id.as_str(), first + 500, third),
        )
        .unwrap();
    rig.db()
        .execute(
            "UPDATE workspace_resources SET current_version = 3, updated_at = ?2 WHERE id = ?1",
            (boat.id.as_str(), third),
        )
        .unwrap();
    rig.advance(1_000);
    rig.run(ResourceRemove { id: boat.id }).unwrap();
    let removed = rig.now();

    let check = |as_of: Option<i64>, known_at: Option<i64>, expected: Option<&str>| {
        let get = ResourceGet { uri: Some("boat".into()), as_of, known_at, ..ResourceGet::default() };
        let told = rig.run(get).ok().and_then(|one| one.content);
        assert_eq!(told.as_deref(), expected, "as of {as_of:?}, known at {known_at:?}");
        let lying = rig.run(ResourcesBrowse { as_of, known_at, ..ResourcesBrowse::default() }).unwrap();
        let there = (lying.children.len(), lying.total);
        assert_eq!(there, if expected.is_some() { (1, 1) } else { (0, 0) }, "as of {as_of:?}, known at {known_at:?}");
    };
    let [red, blue, green] = ["It is red.", "It is blue.", "It is green."].map(Some);
    check(Some(first), None, red);
    check(Some(first + 600), None, green);
    check(Some(first + 600), Some(first + 600), red);
    check(Some(first + 600), Some(second), red);
    check(None, Some(second), blue);
    check(None, Some(third), green);
    check(Some(removed), Some(second), blue);
    check(Some(first), Some(removed), red);
    check(None, Some(first - 1), None);
    check(Some(first - 1), None, None);
    check(None, Some(removed), None);
    for (word, then, is_there) in [
        ("red", (Some(first), None), true),
        ("red", (None, Some(first)), true),
        ("green", (Some(first + 600), None), true),
        ("red", (Some(first + 600), None), false),
        ("red", (Some(first + 600), Some(first + 600)), true),
        ("red", (Some(first), Some(removed)), true),
        ("blue", (None, Some(second)), true),
        ("green", (None, Some(removed)), false),
    ] {
        let (as_of, known_at) = then;
        let asked = ResourcesBrowse { text: Some(word.into()), as_of, known_at, ..ResourcesBrowse::default() };
        assert_eq!(rig.run(asked).unwrap().total, u64::from(is_there), "{word} {then:?}");
    }
}

#[test]
fn what_is_put_is_browsed_found_and_kept_in_versions() {
    let rig = Rig::resting();
    put(&rig, "repo://app", None, "").unwrap();
    put(&rig, "repo://app/src", Some("repo://app"), "").unwrap();
    let first = put(&rig, "repo://app/src/main.rs", Some("repo://app/src"), "The walrus starts here.").unwrap();
    assert_eq!((first.title.as_str(), first.version, first.kind), ("main.rs", 1, ResourceKind::Document));
    assert_eq!(first.source_event_ids.len(), 1, "it rests on the event that it left");
    let at_first = rig.now();
    rig.advance(1_000);
    let second = put(&rig, "repo://app/src/main.rs", Some("repo://app/src"), "The seal starts here.").unwrap();
    assert_eq!((&second.id, second.version), (&first.id, 2));
    let again = put(&rig, "repo://app/src/main.rs", Some("repo://app/src"), "The seal starts here.").unwrap();
    assert_eq!(again.version, 2);

    let shown = browse(&rig, Some("repo://app/src"));
    assert_eq!(shown.path.iter().map(|one| one.uri.as_str()).collect::<Vec<_>>(), ["repo://app", "repo://app/src"]);
    assert_eq!((shown.total, shown.children.len(), shown.children[0].content.as_deref()), (1, 1, None));
    let find = |text: &str| rig.run(ResourcesBrowse { text: Some(text.into()), ..ResourcesBrowse::default() }).unwrap();
    assert_eq!((find("seal").total, find("walrus").total), (1, 0));

    let get = |as_of| ResourceGet { uri: Some(first.uri.clone()), as_of, ..ResourceGet::default() };
    let then = rig.run(get(Some(at_first))).unwrap();
    assert_eq!((then.version, then.content.as_deref()), (1, Some("The walrus starts here.")));
    assert_eq!(rig.run(get(Some(at_first - 1))).unwrap_err().code, ErrorCode::NotFound);
    assert_eq!(rig.run(get(None)).unwrap().content.as_deref(), Some("The seal starts here."));

    rig.advance(1_000);
    let root = browse(&rig, None).children.remove(0);
    rig.run(ResourceRemove { id: root.id.clone() }).unwrap();
    assert_eq!((browse(&rig, None).total, find("seal").total), (0, 0));
    assert_eq!(rig.run(get(None)).unwrap_err().code, ErrorCode::NotFound);
    assert_eq!(rig.run(get(Some(at_first))).unwrap().version, 1, "what was, was");
    assert_eq!(put(&rig, "repo://app/src", Some("repo://app"), ""), Err(ErrorCode::NotFound), "its place is gone");
    assert_eq!(put(&rig, "repo://app", None, "").unwrap().version, 2, "it comes back as its next version");
    assert_eq!(browse(&rig, None).children[0].children, 0);
}

#[test]
fn requests_that_make_no_tree_are_refused() {
    let rig = Rig::resting();
    put(&rig, "a", None, "").unwrap();
    put(&rig, "b", Some("a"), "").unwrap();
    put(&rig, "c", Some("b"), "").unwrap();
    for (uri, parent, code) in [
        ("a", Some("c"), ErrorCode::InvalidRequest),
        ("a", Some("a"), ErrorCode::InvalidRequest),
        ("d", Some("nowhere"), ErrorCode::NotFound),
        ("", None, ErrorCode::InvalidRequest),
        ("two\nlines", None, ErrorCode::InvalidRequest),
        ("redacted:x", None, ErrorCode::InvalidRequest),
    ] {
        assert_eq!(put(&rig, uri, parent, "").err(), Some(code), "{uri:?} under {parent:?}");
    }
    let mut parent = "c".to_owned();
    let deep = (0..40).map_while(|number| {
        let uri = format!("d{number}");
        put(&rig, &uri, Some(&parent), "").ok().map(|_| parent = uri)
    });
    assert_eq!(deep.count(), 29, "32 levels in all");
    assert_eq!(put(&rig, "big", None, &"x".repeat(200_001)).err(), Some(ErrorCode::TextTooLong));
}

#[test]
fn an_address_is_of_its_space() {
    let rig = Rig::resting();
    rig.run(SpaceCreate { name: "Other".into(), ..SpaceCreate::default() }).unwrap();
    let bot = rig.agent_in("bot", &[SPACE], &[]);
    let there = ResourcePut { space: Some("Other".into()), uri: "a".into(), ..ResourcePut::default() };
    let there = rig.run(there).unwrap();
    let by = |request: ResourceGet| rig.engine().run(&bot, request).map_err(|error| (error.code, error.message));
    let unknown: ResourceId = ResourceId::parse("00000000-0000-7000-8000-0000000009ff").unwrap();
    let by_id = |id: &ResourceId| by(ResourceGet { id: Some(id.clone()), ..ResourceGet::default() }).unwrap_err();
    assert_eq!(by_id(&there.id).1.replace(there.id.as_str(), ""), by_id(&unknown).1.replace(unknown.as_str(), ""));
    assert_eq!(by(ResourceGet { uri: Some("a".into()), ..ResourceGet::default() }).unwrap_err().0, ErrorCode::NotFound);
    let remove = rig.engine().run(&bot, ResourceRemove { id: there.id.clone() });
    assert_eq!(remove.unwrap_err().code, ErrorCode::NotFound);
    let own = rig.engine().run(&bot, ResourcePut { uri: "a".into(), ..ResourcePut::default() }).unwrap();
    assert_ne!(own.id, there.id);
    assert!(rig.engine().run(&bot, ResourceRemove { id: own.id }).is_ok());
    assert!(rig.engine().run(&Caller::owner("test"), ResourceRemove { id: there.id }).is_ok());
}

/// What is done to a tree of eight addresses.
#[derive(Debug, Clone)]
enum Act {
    Put(usize, Option<usize>, u8),
    Remove(usize),
}

fn act() -> impl Strategy<Value = Act> {
    let put = (0..8_usize, proptest::option::of(0..8_usize), 0..3_u8);
    prop_oneof![
        4 => put.prop_map(|(uri, parent, content)| Act::Put(uri, parent, content)),
        1 => (0..8_usize).prop_map(Act::Remove),
    ]
}

/// The tree as a list: what lies where, what it says, whether it is there, how many versions it had.
#[derive(Debug, Default)]
struct Naive(BTreeMap<usize, (Option<usize>, u8, bool, u32)>);

impl Naive {
    fn is_there(&self, at: usize) -> bool {
        self.0.get(&at).is_some_and(|one| one.2)
    }

    fn lies_under(&self, mut at: usize, top: usize) -> bool {
        loop {
            if at == top {
                return true;
            }
            match self.0.get(&at).and_then(|one| one.0) {
                Some(parent) => at = parent,
                None => return false,
            }
        }
    }

    /// Whether that can be done.
    fn put(&mut self, at: usize, parent: Option<usize>, content: u8) -> bool {
        let same = self.0.get(&at).is_some_and(|one| one.2 && (one.0, one.1) == (parent, content));
        if same {
            return true;
        }
        if parent.is_some_and(|parent| !self.is_there(parent) || self.lies_under(parent, at)) {
            return false;
        }
        let versions = self.0.get(&at).map_or(0, |one| one.3);
        self.0.insert(at, (parent, content, true, versions + 1));
        true
    }

    fn remove(&mut self, top: usize) {
        let under: Vec<usize> =
            self.0.keys().copied().filter(|at| self.is_there(*at) && self.lies_under(*at, top)).collect();
        for at in under {
            self.0.get_mut(&at).unwrap().2 = false;
        }
    }

    fn children(&self, parent: Option<usize>) -> Vec<usize> {
        self.0.iter().filter(|(_, one)| one.2 && one.0 == parent).map(|(at, _)| *at).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn the_tree_is_as_the_list_says(acts in proptest::collection::vec(act(), 1..40)) {
        let rig = Rig::resting();
        let uri = |at: usize| format!("r{at}");
        let mut naive = Naive::default();
        for act in acts {
            match act {
                Act::Put(at, parent, content) => {
                    let done = put(&rig, &uri(at), parent.map(uri).as_deref(), &format!("says {content}"));
                    prop_assert_eq!(done.is_ok(), naive.put(at, parent, content), "{} under {:?}", at, parent);
                }
                Act::Remove(at) if naive.is_there(at) => {
                    let id = rig.run(ResourceGet { uri: Some(uri(at)), ..ResourceGet::default() }).unwrap().id;
                    rig.run(ResourceRemove { id }).unwrap();
                    naive.remove(at);
                }
                Act::Remove(_) => {}
            }
            for parent in std::iter::once(None).chain((0..8).filter(|at| naive.is_there(*at)).map(Some)) {
                let shown = browse(&rig, parent.map(uri).as_deref());
                let told: Vec<(String, u64, u32)> =
                    shown.children.into_iter().map(|one| (one.uri, one.children, one.version)).collect();
                let expected: Vec<(String, u64, u32)> = naive
                    .children(parent)
                    .into_iter()
                    .map(|at| (uri(at), naive.children(Some(at)).len() as u64, naive.0[&at].3))
                    .collect();
                prop_assert_eq!(told, expected);
            }
        }
        let versions: u32 = naive.0.values().map(|one| one.3).sum();
        prop_assert_eq!(rig.count("SELECT count(*) FROM workspace_resource_versions"), i64::from(versions));
        let there = naive.0.values().filter(|one| one.2).count() as u64;
        let found = rig.run(ResourcesBrowse { text: Some("says".into()), ..ResourcesBrowse::default() }).unwrap();
        prop_assert_eq!(found.total, there);
    }
}

#[test]
fn of_events_that_are_not_of_its_space_packs_warn() {
    let rig = Rig::resting();
    rig.space("Other");
    let event = |space: &str| {
        let event = NewEvent {
            kind: EventKind::FileEdit,
            content: "The pier was mended.".into(),
            metadata: Default::default(),
            occurred_at: None,
        };
        let append = EventsAppend { space: Some(space.into()), session: None, events: vec![event] };
        rig.run(append).unwrap().events.remove(0)
    };
    let check = |event: um_model::EventId, is_missing: bool| {
        let (uri, content) = ("pier".to_owned(), Some("Mended.".to_owned()));
        rig.run(ResourcePut { uri, content, source_event_ids: vec![event], ..ResourcePut::default() }).unwrap();
        let pack = rig.run(ContextCompile { policy: Some(Policy::Workspace), ..ContextCompile::default() }).unwrap();
        let warned = pack.recall_warnings.iter().any(|warning| warning.kind == WarningKind::CitationMissing);
        assert_eq!(warned, is_missing);
    };
    check(event("Other"), true);
    check(um_model::EventId::parse(um_model::OWNER_AGENT).unwrap(), true);
    check(event(SPACE), false);
}
