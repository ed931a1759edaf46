//! Entailment by models made on the spot, on the real ONNX Runtime, where set-up has fetched it.

mod common;
#[allow(dead_code, reason = "a part of the writer is enough for small graphs")]
#[path = "../../../xtask/src/onnx/proto.rs"]
mod proto;
#[path = "common/tiny_nli.rs"]
mod tiny_nli;

use common::{locations, tool};
use serde_json::json;
use std::path::Path;
use std::time::Duration;
use tiny_nli::Tiny;
use um_engine::language::EntailmentLabel::{Contradicts, Entails, Neutral};
use um_engine::language::{Entailment, EntailmentLabel};
use um_engine::provider::{Cancel, ProviderError, ProviderResult, Providers};
use um_model::{ModelKind, ModelState};

const USUAL: [&str; 3] = ["contradiction", "entailment", "neutral"];

struct Place {
    dir: tempfile::TempDir,
    providers: Providers,
}

impl Place {
    /// Without any model but ONNX Runtime.
    fn new() -> Option<Place> {
        tool("onnxruntime")?;
        let dir = tempfile::tempdir().unwrap();
        let providers = um_providers::with_locations(locations(&dir.path().join("models")));
        Some(Place { dir, providers })
    }

    /// With this model installed.
    fn with(tiny: &Tiny) -> Option<Place> {
        let place = Place::new()?;
        place.add(tiny).unwrap();
        Some(place)
    }

    /// Adds a model from a folder; its id.
    fn add(&self, tiny: &Tiny) -> ProviderResult<String> {
        let folder = self.dir.path().join("brought");
        tiny.write(&folder);
        self.providers.models.add(&folder, None).map(|model| model.id)
    }

    fn judge(&self, pairs: &[(&str, &str)]) -> ProviderResult<Vec<Entailment>> {
        self.providers.entailment.entailment(pairs, &Cancel::default())
    }

    fn state(&self) -> ModelState {
        self.providers.models.state(ModelKind::Entailment)
    }
}

/// The softmax of one logit of four among zeros.
fn sure() -> f64 {
    let e = 4f64.exp();
    e / (e + 2.0)
}

fn check(place: &Place, premise: &str, hypothesis: &str, label: EntailmentLabel, score: f64) {
    let found = place.judge(&[(premise, hypothesis)]).unwrap()[0];
    assert_eq!(found.label, label, "{premise} / {hypothesis}");
    assert!((found.score - score).abs() < 1e-5, "{premise} / {hypothesis}: {}", found.score);
}

#[test]
fn judgements_are_right_in_every_order_of_labels() {
    for labels in [
        ["contradiction", "entailment", "neutral"],
        ["contradiction", "neutral", "entailment"],
        ["ENTAILMENT", "NEUTRAL", "CONTRADICTION"],
        ["entailment", "contradiction", "neutral"],
        ["neutral", "contradiction", "entailment"],
        ["neutral", "entailment", "contradiction"],
    ] {
        let Some(place) = Place::with(&Tiny::new(&labels)) else { return };
        check(&place, "it is so", "surely so", Entails, sure());
        check(&place, "it is so", "never so", Contradicts, sure());
        check(&place, "it is so", "perhaps so", Neutral, sure());
        check(&place, "surely", "surely", Entails, 8f64.exp() / (8f64.exp() + 2.0));
    }
}

#[test]
fn pairs_of_all_lengths_keep_their_order_and_are_not_touched_by_filling() {
    let Some(place) = Place::with(&Tiny::new(&USUAL)) else { return };
    let premises: Vec<String> = (0..150).map(|i| "so ".repeat(1 + i * 7 % 29)).collect();
    let words = ["surely", "never", "perhaps"];
    let pairs: Vec<(&str, &str)> = premises.iter().enumerate().map(|(i, p)| (p.as_str(), words[i % 3])).collect();
    for (index, judged) in place.judge(&pairs).unwrap().into_iter().enumerate() {
        assert_eq!(judged.label, [Entails, Contradicts, Neutral][index % 3], "{index}");
        assert!((judged.score - sure()).abs() < 1e-5, "{index}: {}", judged.score);
    }
}

#[test]
fn what_is_too_long_is_cut_at_the_longer_text() {
    let Some(place) = Place::with(&Tiny::new(&USUAL)) else { return };
    let long = "so ".repeat(3000);
    check(&place, &long, "never so", Contradicts, sure());
    // The model's 34 places are 32 for RoBERTa, its three marks among them.
    check(&place, &"surely ".repeat(29), "", Entails, 1.0);
    check(&place, &format!("{}surely", "so ".repeat(29)), "", Contradicts, 1.0 / 3.0);
    check(&place, "", "", Contradicts, 1.0 / 3.0);
}

#[test]
fn a_graph_that_wants_types_gets_them() {
    let Some(place) = Place::with(&Tiny { typed: true, ..Tiny::new(&USUAL) }) else { return };
    check(&place, "never never", "surely", Entails, sure());
    let both = place.judge(&[("surely", "never"), ("surely surely surely", "perhaps so")]).unwrap();
    assert_eq!([both[0].label, both[1].label], [Contradicts, Neutral]);
}

#[test]
fn a_model_is_loaded_when_needed_and_unloaded_when_idle() {
    let Some(place) = Place::new() else { return };
    assert_eq!(place.state(), ModelState::Missing);
    assert_eq!(place.judge(&[("a", "b")]), Err(ProviderError::ModelMissing(ModelKind::Entailment)));
    assert_eq!(place.add(&Tiny::new(&USUAL)), Ok("nli-custom".to_owned()));
    assert_eq!(place.state(), ModelState::Installed);
    assert_eq!(place.providers.entailment.model_id().as_deref(), Some("nli-custom"));
    place.judge(&[("a", "b")]).unwrap();
    assert_eq!(place.state(), ModelState::Loaded);
    place.providers.models.unload_idle(Duration::ZERO);
    assert_eq!(place.state(), ModelState::Installed);
    place.judge(&[("a", "b")]).unwrap();
    // Another model in its place is the one that judges from then on.
    place.add(&Tiny::new(&["neutral", "contradiction", "entailment"])).unwrap();
    check(&place, "", "surely", Entails, sure());
}

#[test]
fn work_that_is_no_longer_wanted_stops() {
    let Some(place) = Place::with(&Tiny::new(&USUAL)) else { return };
    let cancel = Cancel::default();
    cancel.cancel();
    assert_eq!(place.providers.entailment.entailment(&[("a", "b")], &cancel), Err(ProviderError::Cancelled));
}

#[test]
fn folders_that_cannot_judge_are_refused_with_the_reason() {
    let Some(place) = Place::new() else { return };
    let refused = |tiny: Tiny, words: &str| {
        let Err(ProviderError::Corrupt(why)) = place.add(&tiny) else { panic!("{words}: taken") };
        assert!(why.contains(words), "{words}: {why}");
    };
    refused(Tiny::new(&["entailment", "not_entailment"]), "not_entailment");
    refused(Tiny::new(&["LABEL_0", "LABEL_1", "LABEL_2"]), "name them in id2label");
    refused(Tiny::new(&["negative", "neutral", "positive"]), "negative");
    refused(Tiny { strange: Some("pixel_values"), ..Tiny::new(&USUAL) }, "pixel_values");
    // The labels are right, the graph gives something else.
    let labels = json!({"0": "contradiction", "1": "entailment", "2": "neutral"});
    refused(Tiny { config: json!({"id2label": labels}), ..Tiny::new(&["a", "b", "c", "d"]) }, "shape");
    let missing = place.dir.path().join("missing");
    Tiny::new(&USUAL).write(&missing);
    std::fs::remove_file(missing.join("tokenizer.json")).unwrap();
    let Err(ProviderError::Corrupt(why)) = place.providers.models.add(&missing, None) else { panic!("taken") };
    assert!(why.contains("tokenizer.json is missing"), "{why}");
    assert_eq!(place.state(), ModelState::Missing);
}

#[test]
fn a_model_is_only_what_it_is_said_to_be_by_its_bytes() {
    let Some(place) = Place::new() else { return };
    let folder = place.dir.path().join("brought");
    Tiny::new(&USUAL).write(&folder);
    let as_other = place.providers.models.add(&folder, Some("nli-deberta-v3-xsmall"));
    assert!(matches!(as_other, Err(ProviderError::Corrupt(why)) if why.contains("it is not")));
}

#[test]
fn a_model_that_cannot_be_loaded_is_broken_and_says_why() {
    let Some(place) = Place::with(&Tiny::new(&USUAL)) else { return };
    let installed = place.dir.path().join("models/nli-custom");
    spoil(&installed);
    assert!(matches!(place.judge(&[("a", "b")]), Err(ProviderError::Failed(_))));
    assert_eq!(place.state(), ModelState::Broken);
    let model = place.providers.models.list().into_iter().find(|model| model.id == "nli-custom").unwrap();
    assert!(model.problem.unwrap().contains("entailment model failed"));
    place.add(&Tiny::new(&USUAL)).unwrap();
    check(&place, "", "never", Contradicts, sure());
}

fn spoil(folder: &Path) {
    std::fs::write(folder.join("model.onnx"), b"no graph").unwrap();
}
