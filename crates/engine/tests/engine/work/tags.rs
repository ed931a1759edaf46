//! Tags on items of every kind.

use super::guideline;
use crate::support::{Rig, SPACE};
use um_model::ErrorCode;
use um_model::jobs::WorkPause;
use um_model::work::*;

#[test]
fn tags_are_attached_to_items_of_any_kind_and_detached() {
    let rig = Rig::resting();
    let memory = rig.remember("The ferry leaves at noon.").id.to_string();
    let entry = rig.run(guideline("Tabs", "Use tabs.")).unwrap().entry.id.to_string();
    let check = |item_type: ItemType, id: &str| {
        let tag = |tags: &[&str]| {
            let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
            rig.run(TagAttach { item_type, id: id.to_owned(), tags })
        };
        let names = tag(&["Rust", "rust ", "Night  Shift"]).unwrap().tags;
        assert!(names.contains(&"rust".to_owned()) && names.contains(&"night shift".to_owned()), "{names:?}");
        assert_eq!(tag(&["rust"]).unwrap().tags, names, "twice is once");
        let item = ItemKey { item_type, id: id.to_owned() };
        let listed = rig.run(TagsList { item: Some(item), ..TagsList::default() }).unwrap().tags;
        assert_eq!(listed.iter().map(|tag| tag.name.clone()).collect::<Vec<_>>(), names);
        let detach = TagDetach { item_type, id: id.to_owned(), tags: vec!["RUST".into()] };
        assert!(!rig.run(detach).unwrap().tags.contains(&"rust".to_owned()));
        assert_eq!(tag(&[" "]).unwrap_err().code, ErrorCode::InvalidRequest);
    };
    check(ItemType::Memory, &memory);
    check(ItemType::Entry, &entry);
    check(ItemType::Space, SPACE);
    for name in ["ru\u{200b}st", "\u{202e}tsur", "rust\u{7}"] {
        let tags = vec![name.to_owned()];
        let attach = TagAttach { item_type: ItemType::Memory, id: memory.clone(), tags: tags.clone() };
        assert!(rig.run(attach).unwrap_err().message.contains("cannot be seen"), "{name:?}");
        let make = TagCreate { space: None, name: name.into(), category: None, description: None };
        assert_eq!(rig.run(make).unwrap_err().code, ErrorCode::InvalidRequest, "{name:?}");
        let detach = TagDetach { item_type: ItemType::Memory, id: memory.clone(), tags };
        rig.run(detach).unwrap();
    }
    let nothing = TagAttach { item_type: ItemType::Memory, id: entry, tags: vec!["rust".into()] };
    assert_eq!(rig.run(nothing).unwrap_err().code, ErrorCode::NotFound);
    let state = TagAttach { item_type: ItemType::SessionState, id: memory, tags: vec!["rust".into()] };
    assert_eq!(rig.run(state).unwrap_err().code, ErrorCode::InvalidRequest);
}

#[test]
fn a_space_knows_its_own_tags_and_the_predefined_ones() {
    let rig = Rig::resting();
    rig.space("Other");
    let make = |space: &str, name: &str| {
        let (space, description) = (Some(space.to_owned()), Some("What waits for the night.".to_owned()));
        rig.run(TagCreate { space, name: name.into(), category: Some(TagCategory::Domain), description }).unwrap()
    };
    let tag = make(SPACE, "Night shift");
    assert_eq!((tag.name.as_str(), tag.category, tag.is_predefined), ("night shift", TagCategory::Domain, false));
    assert_eq!(make(SPACE, "night shift").id, tag.id, "once");
    assert!(make(SPACE, "rust").is_predefined, "what every space knows is not made again");
    let known = |space: &str| {
        let listed = rig.run(TagsList { space: Some(space.into()), ..TagsList::default() }).unwrap().tags;
        listed.into_iter().map(|tag| tag.name).collect::<Vec<_>>()
    };
    assert!(known(SPACE).contains(&"night shift".to_owned()));
    assert!(!known("Other").contains(&"night shift".to_owned()));
    for name in ["python", "web", "deprecated", "required", "optional", "markdown", "ml"] {
        assert!(known("Other").contains(&name.to_owned()), "{name}");
    }
    assert_ne!(make("Other", "night shift").id, tag.id);
}

#[test]
fn the_classifier_takes_away_none_that_somebody_attached() {
    let rig = Rig::new();
    rig.run(WorkPause { paused: true }).unwrap();
    let memory = rig.remember("The ferry leaves at noon.").id.to_string();
    let mine = vec!["harbour".to_owned(), "rust".to_owned()];
    rig.run(TagAttach { item_type: ItemType::Memory, id: memory.clone(), tags: mine.clone() }).unwrap();
    // It looks at the memory now, and finds neither in it.
    rig.run(WorkPause { paused: false }).unwrap();
    rig.wake();
    rig.settled();
    let item = Some(ItemKey { item_type: ItemType::Memory, id: memory });
    let left: Vec<String> =
        rig.run(TagsList { item, ..TagsList::default() }).unwrap().tags.into_iter().map(|tag| tag.name).collect();
    assert!(mine.iter().all(|name| left.contains(name)), "{left:?}");
}
