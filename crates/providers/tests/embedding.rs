//! Texts to vectors, by the real model on the real ONNX Runtime, where set-up has fetched both.

mod common;

use common::{locations, providers, tool};
use um_engine::provider::{ProviderError, Providers};
use um_model::{ModelKind, ModelState};

fn ready() -> Option<Providers> {
    tool("onnxruntime")?;
    tool("models/all-MiniLM-L6-v2")?;
    Some(providers())
}

fn likeness(providers: &Providers, a: &str, b: &str) -> f32 {
    let vectors = providers.embedding.embed(&[a, b]).unwrap();
    vectors[0].iter().zip(&vectors[1]).map(|(a, b)| a * b).sum()
}

/// The sentences and their likenesses of the model's own card.
#[test]
fn vectors_are_those_of_the_model() {
    let Some(providers) = ready() else { return };
    for (other, expected) in
        [("That is a happy dog", 0.6946), ("That is a very happy person", 0.9429), ("Today is a sunny day", 0.2569)]
    {
        let found = likeness(&providers, "That is a happy person", other);
        assert!((found - expected).abs() < 1e-3, "{other}: {found}");
    }
}

#[test]
fn many_texts_of_any_length_keep_their_order() {
    let Some(providers) = ready() else { return };
    let texts: Vec<String> =
        (0..70).map(|i| format!("Note {i} about {}", "boilers and lakes ".repeat(i % 9))).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let started = std::time::Instant::now();
    let together = providers.embedding.embed(&texts).unwrap();
    println!("70 texts in {:.2} s, the model's loading included", started.elapsed().as_secs_f32());
    for (index, text) in texts.iter().enumerate().step_by(13) {
        let alone = &providers.embedding.embed(&[text]).unwrap()[0];
        let same: f32 = alone.iter().zip(&together[index]).map(|(a, b)| a * b).sum();
        assert!(same > 0.9999, "{index}: {same}");
    }
    assert!(together.iter().all(|v| v.len() == 384 && (v.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-4));
}

#[test]
fn texts_of_any_length_are_taken() {
    let Some(providers) = ready() else { return };
    let longer = "boiler ".repeat(5000);
    assert_eq!(providers.embedding.embed(&[&longer, "", "\u{0}"]).unwrap().len(), 3);
}

#[test]
fn the_model_is_loaded_when_needed_and_unloaded_when_idle() {
    let Some(providers) = ready() else { return };
    let state = || providers.models.state(ModelKind::TextEmbedding);
    assert_eq!(state(), ModelState::Installed);
    providers.embedding.embed(&["text"]).unwrap();
    assert_eq!(state(), ModelState::Loaded);
    providers.models.unload_idle(std::time::Duration::ZERO);
    assert_eq!(state(), ModelState::Installed);
    providers.embedding.embed(&["text"]).unwrap();
}

#[test]
fn a_model_is_added_from_its_folder() {
    let Some(_) = ready() else { return };
    let Some(folder) = tool("models/all-MiniLM-L6-v2") else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let mut elsewhere = locations(dir.path());
    // Only the library: the model has to come from the folder that is added.
    let bare = dir.path().join("tools");
    std::fs::create_dir(&bare).unwrap();
    let Some(library) = tool("onnxruntime") else {
        return;
    };
    let library = library.read_dir().unwrap().flatten().next().unwrap().path();
    std::fs::hard_link(&library, bare.join(library.file_name().unwrap()))
        .or_else(|_| std::fs::copy(&library, bare.join(library.file_name().unwrap())).map(drop))
        .unwrap();
    elsewhere.tools_dirs = vec![bare];
    elsewhere.models_dir = dir.path().join("models");
    let providers = um_providers::with_locations(elsewhere);
    assert_eq!(providers.models.state(ModelKind::TextEmbedding), ModelState::Missing);
    assert_eq!(providers.embedding.embed(&["x"]), Err(ProviderError::ModelMissing(ModelKind::TextEmbedding)));
    let model = providers.models.add(&folder, None).unwrap();
    assert_eq!((model.id.as_str(), model.state), ("all-MiniLM-L6-v2", ModelState::Installed));
    assert_eq!(providers.embedding.embed(&["x"]).unwrap().len(), 1);
}

#[test]
fn a_folder_with_something_else_is_not_taken() {
    let Some(providers) = ready() else { return };
    let dir = tempfile::tempdir().unwrap();
    let add = || providers.models.add(dir.path(), None).map(|model| model.id);
    assert!(matches!(add(), Err(ProviderError::Unsupported(_))));
    for name in ["model.onnx", "config.json", "tokenizer.json", "special_tokens_map.json", "tokenizer_config.json"] {
        assert!(add().is_err());
        std::fs::write(dir.path().join(name), "{}").unwrap();
    }
    assert!(matches!(add(), Err(ProviderError::Corrupt(_))));
}
