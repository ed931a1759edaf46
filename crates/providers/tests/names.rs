//! Names by models made on the spot, on the real ONNX Runtime, where set-up has fetched it.

mod common;
#[allow(dead_code, reason = "a part of the writer is enough for small graphs")]
#[path = "../../../xtask/src/onnx/proto.rs"]
mod proto;
#[path = "common/tiny_ner.rs"]
mod tiny_ner;

use common::{locations, tool};
use std::time::Duration;
use tiny_ner::Tiny;
use um_engine::provider::{Cancel, ProviderError, ProviderResult, Providers};
use um_model::findings::FindingKind::{self, Organization, Person, Place};
use um_model::{ModelKind, ModelState};

struct Machine {
    dir: tempfile::TempDir,
    providers: Providers,
}

impl Machine {
    /// Without any model but ONNX Runtime.
    fn new() -> Option<Machine> {
        tool("onnxruntime")?;
        let dir = tempfile::tempdir().unwrap();
        let providers = um_providers::with_locations(locations(&dir.path().join("models")));
        Some(Machine { dir, providers })
    }

    fn add(&self, tiny: &Tiny) -> ProviderResult<String> {
        let folder = self.dir.path().join("brought");
        tiny.write(&folder);
        self.providers.models.add(&folder, None).map(|model| model.id)
    }

    /// The names in a text with their words.
    fn names(&self, text: &str) -> Vec<(String, FindingKind)> {
        let names = self.providers.names.names(text, &Cancel::default()).unwrap();
        assert!(names.iter().all(|name| name.confidence > 0.85 && name.confidence < 1.0), "{names:?}");
        names.into_iter().map(|name| (text[name.range].to_owned(), name.kind)).collect()
    }
}

fn check(machine: &Machine, text: &str, expected: &[(&str, FindingKind)]) {
    let expected: Vec<_> = expected.iter().map(|(words, kind)| ((*words).to_owned(), *kind)).collect();
    assert_eq!(machine.names(text), expected, "{text}");
}

#[test]
fn names_are_found_where_they_stand() {
    let Some(machine) = Machine::new() else { return };
    assert_eq!(machine.add(&Tiny::default()), Ok("names-custom".to_owned()));
    check(&machine, "", &[]);
    check(&machine, "nobody is here", &[]);
    check(&machine, "Maya Okafor lives in Oslo.", &[("Maya Okafor", Person), ("Oslo", Place)]);
    // A word is what its first token says; what is no letter of it does not belong to it.
    check(&machine, "(Orbis), may be", &[("Orbis", Organization)]);
    check(&machine, "Maya Maya Okafor", &[("Maya", Person), ("Maya Okafor", Person)]);
    check(&machine, "Ærø – Maya, 東京, Oslo", &[("Maya", Person), ("Oslo", Place)]);
}

#[test]
fn long_texts_are_read_to_their_end_and_in_their_order() {
    let Some(machine) = Machine::new() else { return };
    machine.add(&Tiny::default()).unwrap();
    let text = "Maya Okafor went.\nShe saw Oslo – and more.\n\n".repeat(4_000);
    let found = machine.names(&text);
    assert_eq!(found.len(), 8_000);
    assert!(found.chunks(2).all(|two| two[0].0 == "Maya Okafor" && two[1].0 == "Oslo"));
    let cancel = Cancel::default();
    cancel.cancel();
    assert_eq!(machine.providers.names.names(&text, &cancel), Err(ProviderError::Cancelled));
}

#[test]
fn a_model_is_told_from_another_and_leaves_memory_when_idle() {
    let Some(machine) = Machine::new() else { return };
    let (names, models) = (&machine.providers.names, &machine.providers.models);
    assert_eq!(names.names("Maya", &Cancel::default()), Err(ProviderError::ModelMissing(ModelKind::Names)));
    assert_eq!((names.model_id(), models.state(ModelKind::Names)), (None, ModelState::Missing));
    machine.add(&Tiny::default()).unwrap();
    let first = names.model_id().unwrap();
    check(&machine, "Maya", &[("Maya", Person)]);
    assert_eq!(models.state(ModelKind::Names), ModelState::Loaded);
    models.unload_idle(Duration::ZERO);
    assert_eq!(models.state(ModelKind::Names), ModelState::Installed);
    machine.add(&Tiny { labels: vec!["O", "B-PER", "B-ORG"], ..Tiny::default() }).unwrap();
    let second = names.model_id().unwrap();
    assert!(second != first && second.starts_with("names-custom-"), "{first} {second}");
    check(&machine, "Maya Okafor, Oslo", &[("Maya", Person)]);
}

#[test]
fn folders_that_cannot_tell_names_are_refused_with_the_reason() {
    let Some(machine) = Machine::new() else { return };
    let refused = |tiny: Tiny, words: &str| {
        let Err(ProviderError::Corrupt(why)) = machine.add(&tiny) else { panic!("{words}: taken") };
        assert!(why.contains(words), "{words}: {why}");
    };
    refused(Tiny { labels: vec!["LABEL_0", "LABEL_1"], ..Tiny::default() }, "none of its labels means a person");
    refused(Tiny { too_many: true, ..Tiny::default() }, "shape");
    assert_eq!(machine.providers.models.state(ModelKind::Names), ModelState::Missing);
}

#[test]
fn a_model_that_cannot_be_loaded_is_broken_and_no_longer_looked_for() {
    let Some(machine) = Machine::new() else { return };
    machine.add(&Tiny::default()).unwrap();
    std::fs::write(machine.dir.path().join("models/names-custom/model.onnx"), b"no graph").unwrap();
    assert!(matches!(machine.providers.names.names("Maya", &Cancel::default()), Err(ProviderError::Failed(_))));
    assert_eq!(machine.providers.models.state(ModelKind::Names), ModelState::Broken);
    assert_eq!(machine.providers.names.model_id(), None);
}
