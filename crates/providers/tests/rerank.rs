//! Reranking by models made on the spot, on the real ONNX Runtime, where set-up has fetched it.

mod common;
#[allow(dead_code, reason = "a part of the writer is enough for small graphs")]
#[path = "../../../xtask/src/onnx/proto.rs"]
mod proto;
#[path = "common/tiny_nli.rs"]
mod tiny_nli;

use common::{locations, tool};
use serde_json::json;
use std::time::Duration;
use tiny_nli::Tiny;
use um_engine::provider::{Cancel, ProviderError, ProviderResult, Providers};
use um_model::{ModelKind, ModelState};

/// A cross-encoder of one label: 4 for each `surely` of the passage; a question counts nothing.
fn tiny() -> Tiny {
    Tiny { typed: true, ..Tiny::new(&["entailment"]) }
}

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

    /// With a model installed.
    fn with(tiny: &Tiny) -> Option<Place> {
        let place = Place::new()?;
        assert_eq!(place.add(tiny, None), Ok("reranker-custom".to_owned()));
        Some(place)
    }

    /// Adds a model from a folder; its id.
    fn add(&self, tiny: &Tiny, id: Option<&str>) -> ProviderResult<String> {
        let folder = self.dir.path().join("brought");
        tiny.write(&folder);
        self.providers.models.add(&folder, id).map(|model| model.id)
    }

    fn rerank(&self, passages: &[&str]) -> ProviderResult<Vec<f64>> {
        self.providers.reranker.rerank("surely surely surely", passages, &Cancel::default())
    }

    fn state(&self) -> ModelState {
        self.providers.models.state(ModelKind::Reranking)
    }
}

#[test]
fn passages_keep_their_order_and_neither_filling_nor_the_question_counts() {
    let Some(place) = Place::with(&tiny()) else { return };
    let texts: Vec<String> =
        (0..90).map(|i| format!("{}{}", "surely ".repeat(i % 5), "so ".repeat(1 + i * 7 % 20))).collect();
    let passages: Vec<&str> = texts.iter().map(String::as_str).collect();
    let expected: Vec<f64> = (0..90).map(|i| 4.0 * (i % 5) as f64).collect();
    assert_eq!(place.rerank(&passages), Ok(expected));
}

#[test]
fn what_is_too_long_is_cut_at_the_longer_text() {
    let Some(place) = Place::with(&tiny()) else { return };
    // Of 32 places, three are the question's, and three those of its marks.
    let long = format!("{}surely", "so ".repeat(25));
    assert_eq!(place.rerank(&[&long, &"surely ".repeat(3000)]), Ok(vec![4.0, 4.0 * 26.0]));
    let longer = format!("{}surely", "so ".repeat(26));
    assert_eq!(place.rerank(&[&longer]), Ok(vec![0.0]));
}

#[test]
fn a_model_is_loaded_when_needed_and_unloaded_when_idle() {
    let Some(place) = Place::new() else { return };
    assert_eq!(place.state(), ModelState::Missing);
    assert_eq!(place.rerank(&["a"]), Err(ProviderError::ModelMissing(ModelKind::Reranking)));
    assert_eq!(place.add(&tiny(), None), Ok("reranker-custom".to_owned()));
    assert_eq!(place.state(), ModelState::Installed);
    assert_eq!(place.providers.reranker.model_id().as_deref(), Some("reranker-custom"));
    place.rerank(&["a"]).unwrap();
    assert_eq!(place.state(), ModelState::Loaded);
    place.providers.models.unload_idle(Duration::ZERO);
    assert_eq!(place.state(), ModelState::Installed);
    assert_eq!(place.rerank(&["surely"]), Ok(vec![4.0]));
}

#[test]
fn work_that_is_no_longer_wanted_stops() {
    let Some(place) = Place::with(&tiny()) else { return };
    let cancel = Cancel::default();
    cancel.cancel();
    assert_eq!(place.providers.reranker.rerank("a", &["b"], &cancel), Err(ProviderError::Cancelled));
}

#[test]
fn folders_that_cannot_rerank_are_refused_with_the_reason() {
    let Some(place) = Place::new() else { return };
    let refused = |tiny: Tiny, id: Option<&str>, words: &str| {
        let Err(ProviderError::Corrupt(why)) = place.add(&tiny, id) else { panic!("{words}: taken") };
        assert!(why.contains(words), "{words}: {why}");
    };
    // It names no labels, and its graph gives two numbers.
    let nameless = json!({"id2label": {}});
    refused(Tiny { config: nameless.clone(), ..Tiny::new(&["a", "b"]) }, None, "not one a pair");
    refused(Tiny { strange: Some("pixel_values"), ..tiny() }, None, "pixel_values");
    refused(tiny(), Some("jina-reranker-v1-turbo-en"), "it is not");
    assert_eq!(place.state(), ModelState::Missing);
    // One number from a graph whose label has no name is enough.
    assert_eq!(place.add(&Tiny { config: nameless, ..tiny() }, None), Ok("reranker-custom".to_owned()));
}

#[test]
fn a_model_that_cannot_be_loaded_is_broken_and_says_why() {
    let Some(place) = Place::with(&tiny()) else { return };
    std::fs::write(place.dir.path().join("models/reranker-custom/model.onnx"), b"no graph").unwrap();
    assert!(matches!(place.rerank(&["a"]), Err(ProviderError::Failed(_))));
    assert_eq!(place.state(), ModelState::Broken);
    let model = place.providers.models.list().into_iter().find(|model| model.id == "reranker-custom").unwrap();
    assert!(model.problem.unwrap().contains("reranking model failed"));
    place.add(&tiny(), None).unwrap();
    assert_eq!(place.rerank(&["surely"]), Ok(vec![4.0]));
}
