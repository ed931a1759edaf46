//! What is connected with an answer: it stands apart, with its way.

use crate::support::Rig;
use crate::traces::get;
use um_model::MemoryId;
use um_model::recall::MemoryRecall;
use um_model::traces::{Feedback, Gate, TraceFeedback};

#[test]
fn what_is_connected_stands_apart_with_its_way() {
    let rig = Rig::new();
    let facts = "Orla Finch lives in Vexmark, by the harbour.";
    let one = rig.remember(facts).id;
    let other = rig.remember("Orla Finch works for Halden.").id;
    let far = rig.remember("The tide tables hang in the office.").id;
    rig.settled();
    let ask = |associated| {
        let request =
            MemoryRecall { query: "harbour in Vexmark".to_owned(), limit: Some(1), associated, ..Default::default() };
        rig.run(request).unwrap()
    };
    assert!(ask(false).associated.is_empty());
    let recalled = ask(true);
    let envelopes = recalled.associated.iter().map(|one| &one.hit).chain(&recalled.hits);
    assert!(envelopes.into_iter().all(|hit| hit.envelope.is_none()), "none is asked for");
    assert_eq!(recalled.hits.iter().map(|hit| &hit.ids.memory).collect::<Vec<_>>(), [&one]);
    let reached: Vec<&MemoryId> = recalled.associated.iter().map(|one| &one.hit.ids.memory).collect();
    assert_eq!(reached, [&other], "{:?}", recalled.associated);
    let path = &recalled.associated[0].path;
    assert!(path.iter().any(|step| step.via == "Orla Finch"), "{path:?}");
    let trace = get(&rig, &recalled);
    let traced: Vec<_> = trace.recall.unwrap().associated;
    let told: Vec<_> = traced.iter().filter(|one| one.gate.is_none()).collect();
    assert_eq!(told.iter().map(|one| (&one.memory, &one.path)).collect::<Vec<_>>(), [(&other, path)]);
    assert_eq!(
        (&told[0].unit, told[0].activation),
        (&recalled.associated[0].hit.ids.unit, recalled.associated[0].activation)
    );
    assert_eq!(trace.memories[&other], "Orla Finch works for Halden.");
    assert!(get(&rig, &ask(false)).recall.unwrap().associated.is_empty());
    // What answered together, rightly, is connected from then on.
    let both = MemoryRecall { query: "tide tables office harbour".to_owned(), limit: Some(2), ..Default::default() };
    let id = rig.run(both).unwrap().trace.unwrap();
    let right =
        TraceFeedback { id, feedback: Some(Feedback::Positive), correction: None, answer: None, withdraw: false };
    rig.run(right).unwrap();
    let recalled = ask(true);
    let used = recalled.associated.iter().find(|one| one.hit.ids.memory == far).map(|one| one.path[0].basis);
    assert_eq!(used, Some(um_model::recall::Basis::CoUse), "{:?}", recalled.associated);
}

/// Nothing is scored where a question is of filters alone: the newest that pass begin alike.
#[test]
fn what_is_connected_with_the_newest_is_told() {
    let rig = Rig::new();
    let [ferry, lighthouse] = ["The ferry leaves at noon.", "The lighthouse keeper sleeps."].map(|text| {
        let memory = rig.remember(text).id;
        let (item_type, id) = (um_model::work::ItemType::Memory, memory.to_string());
        rig.run(um_model::work::TagAttach { item_type, id, tags: vec!["rust".to_owned()] }).unwrap();
        memory
    });
    rig.settled();
    let ask = |tag: &str| {
        let request =
            MemoryRecall { tags: vec![tag.to_owned()], limit: Some(1), associated: true, ..Default::default() };
        rig.run(request).unwrap()
    };
    let recalled = ask("rust");
    assert_eq!(recalled.hits.iter().map(|hit| &hit.ids.memory).collect::<Vec<_>>(), [&lighthouse]);
    let reached: Vec<&MemoryId> = recalled.associated.iter().map(|one| &one.hit.ids.memory).collect();
    assert_eq!(reached, [&ferry], "{:?}", recalled.associated);
    let traced = get(&rig, &recalled).recall.unwrap().associated;
    assert_eq!((&traced[0].memory, traced[0].activation), (&ferry, recalled.associated[0].activation));
    assert!(ask("walrus").associated.is_empty(), "nothing passes");
}

/// A predefined tag is every space's: how many bear it elsewhere makes nothing closer or farther here (ruling 4).
#[test]
fn what_is_tagged_in_another_space_changes_no_activation() {
    let rig = Rig::new();
    let tag = |memory: &MemoryId| {
        let (item_type, id) = (um_model::work::ItemType::Memory, memory.to_string());
        rig.run(um_model::work::TagAttach { item_type, id, tags: vec!["rust".to_owned()] }).unwrap();
    };
    for text in ["The ferry leaves at noon.", "The lighthouse keeper sleeps."] {
        tag(&rig.remember(text).id);
    }
    rig.space("Other");
    rig.settled();
    let ask = |space: &str| {
        let request = MemoryRecall {
            query: "ferry noon".to_owned(),
            space: Some(space.to_owned()),
            limit: Some(1),
            associated: true,
            ..MemoryRecall::default()
        };
        let told = rig.run(request).unwrap().associated;
        told.into_iter().map(|one| (one.hit.ids.memory, one.activation)).collect::<Vec<_>>()
    };
    let before = ask(crate::support::SPACE);
    assert_eq!(before.len(), 1, "{before:?}");
    for number in 0..45 {
        tag(&rig.remember_in("Other", &format!("Note {number} is of another space.")).id);
        if [0, 44].contains(&number) {
            assert_eq!(ask(crate::support::SPACE), before, "{number} others");
        }
    }
}

#[test]
fn a_trace_tells_what_is_connected_too_little() {
    let rig = Rig::new();
    let tag = |memory: &MemoryId| {
        let (item_type, id) = (um_model::work::ItemType::Memory, memory.to_string());
        rig.run(um_model::work::TagAttach { item_type, id, tags: vec!["rust".to_owned()] }).unwrap();
    };
    tag(&rig.remember("The ferry leaves at noon.").id);
    for number in 0..30 {
        tag(&rig.remember(&format!("Note {number} is of something else.")).id);
    }
    rig.settled();
    let request =
        MemoryRecall { query: "ferry noon".to_owned(), limit: Some(1), associated: true, ..MemoryRecall::default() };
    let recalled = rig.run(request).unwrap();
    assert!(recalled.associated.is_empty(), "what many carry connects little");
    let connected = get(&rig, &recalled).recall.unwrap().associated;
    assert!((1..=15).contains(&connected.len()), "bounded: {}", connected.len());
    assert!(
        connected.iter().all(|one| one.gate == Some(Gate::WeakActivation) && !one.path.is_empty()),
        "{connected:?}"
    );
}
