//! Texts to vectors: all-MiniLM-L6-v2 through fastembed, on ONNX Runtime.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fastembed::{InitOptionsUserDefined, Pooling, TextEmbedding, TokenizerFiles, UserDefinedEmbeddingModel};
use um_engine::provider::{EmbeddingProvider, ProviderError, ProviderResult};
use um_model::ModelKind;

use crate::catalogue::MINI_LM;
use crate::held::Held;
use crate::{Locations, onnx_runtime};

/// Length of a vector.
const DIMENSIONS: usize = 384;
/// The model's own `max_seq_length`.
const MAX_TOKENS: usize = 256;
/// Texts of one run: memory grows with texts times their longest.
const BATCH: usize = 32;
/// Threads of one run.
const THREADS: usize = 2;

/// The graph, in a folder that has one of the two layouts: alone, or with its weights beside it.
const GRAPHS: [&str; 2] = ["model.onnx", "onnx/model.onnx"];
const WEIGHTS: &str = "model.safetensors";
const TOKENIZER: &str = "tokenizer.json";
const TOKENIZER_FILES: [&str; 4] = [TOKENIZER, "config.json", "special_tokens_map.json", "tokenizer_config.json"];

/// all-MiniLM-L6-v2, loaded when it is first needed.
pub struct MiniLm {
    locations: Arc<Locations>,
    pub(crate) held: Held<TextEmbedding>,
}

impl MiniLm {
    /// Finds the model and ONNX Runtime at these places, once they are needed.
    pub fn new(locations: Arc<Locations>) -> MiniLm {
        MiniLm { locations, held: Held::default() }
    }

    fn load(&self) -> ProviderResult<TextEmbedding> {
        let folder = installed_folder(&self.locations).ok_or(ProviderError::ModelMissing(ModelKind::TextEmbedding))?;
        load_folder(&self.locations, &folder)
    }
}

fn failed(why: impl std::fmt::Display) -> ProviderError {
    ProviderError::Failed(format!("The embedding model failed: {why}"))
}

/// The folder that the model is used from.
pub(crate) fn installed_folder(locations: &Locations) -> Option<PathBuf> {
    locations.model_folders(MINI_LM).find(|folder| graph(folder).is_some() && folder.join(TOKENIZER).is_file())
}

/// The graph's file in a folder of either layout.
pub(crate) fn graph(folder: &Path) -> Option<PathBuf> {
    GRAPHS.iter().map(|name| folder.join(name)).find(|path| path.is_file())
}

/// The files of a model in a folder: where they are, and what they are called once installed.
///
/// # Errors
/// The name of one that is missing.
pub(crate) fn files(folder: &Path) -> Result<Vec<(PathBuf, &'static str)>, String> {
    let graph = graph(folder).ok_or("model.onnx is missing")?;
    let weights = graph.with_file_name(WEIGHTS);
    // The usual export has its weights inside the graph; a stray copy of them is not needed then.
    let outside = fs::metadata(&graph).is_ok_and(|file| file.len() < 1 << 20);
    let mut files = vec![(graph, GRAPHS[0])];
    if outside && weights.is_file() {
        files.push((weights, WEIGHTS));
    }
    for name in TOKENIZER_FILES {
        let path = folder.join(name);
        if !path.is_file() {
            return Err(format!("{name} is missing"));
        }
        files.push((path, name));
    }
    Ok(files)
}

/// Loads the model in a folder.
///
/// # Errors
/// `ToolMissing` without ONNX Runtime, `Failed` when it is no such model.
pub(crate) fn load_folder(locations: &Locations, folder: &Path) -> ProviderResult<TextEmbedding> {
    let environment = onnx_runtime::environment(locations)?;
    let files = files(folder).map_err(failed)?;
    let read = |name: &str| {
        let path = files.iter().find(|(_, known)| *known == name).map(|(path, _)| path);
        path.map(fs::read).transpose().map_err(|error| failed(format!("{name}: {error}")))
    };
    let needed = |name: &str| read(name)?.ok_or_else(|| failed(format!("{name} is missing")));
    let tokenizer = TokenizerFiles {
        tokenizer_file: needed(TOKENIZER)?,
        config_file: needed("config.json")?,
        special_tokens_map_file: needed("special_tokens_map.json")?,
        tokenizer_config_file: needed("tokenizer_config.json")?,
    };
    let mut model = UserDefinedEmbeddingModel::new(needed(GRAPHS[0])?, tokenizer).with_pooling(Pooling::Mean);
    if let Some(weights) = read(WEIGHTS)? {
        model = model.with_external_initializer(WEIGHTS.into(), weights);
    }
    // Without the arena, memory that a long batch needed goes back when it is done.
    let processor = ort::ep::CPU::default().with_arena_allocator(false).build();
    let options = InitOptionsUserDefined::new()
        .with_environment(environment)
        .with_execution_providers(vec![processor])
        // Threads that wait by spinning keep a laptop warm after every query, and starve who else works.
        .with_session_config("session.intra_op.allow_spinning", "0")
        .with_max_length(MAX_TOKENS)
        .with_intra_threads(THREADS);
    TextEmbedding::try_new_from_user_defined(model, options).map_err(failed)
}

impl EmbeddingProvider for MiniLm {
    fn model_id(&self) -> &str {
        MINI_LM
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn embed(&self, texts: &[&str]) -> ProviderResult<Vec<Vec<f32>>> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        self.held.with(|| self.load(), |model| embed(model, texts))
    }

    fn embed_if_free(&self, text: &str) -> Option<Vec<f32>> {
        self.held.if_free(|model| embed(model, &[text]))?.ok()?.pop()
    }
}

/// One unit vector a text. Texts of like length share a batch: a batch costs as much as its longest text, times all.
pub(crate) fn embed(model: &mut TextEmbedding, texts: &[&str]) -> ProviderResult<Vec<Vec<f32>>> {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|index| texts[*index].len());
    let mut vectors = vec![Vec::new(); texts.len()];
    for batch in order.chunks(BATCH) {
        let part: Vec<&str> = batch.iter().map(|index| texts[*index]).collect();
        let embedded = model.embed(part, Some(BATCH)).map_err(failed)?;
        for (index, vector) in batch.iter().zip(embedded) {
            vectors[*index] = unit(vector)?;
        }
    }
    Ok(vectors)
}

fn unit(mut vector: Vec<f32>) -> ProviderResult<Vec<f32>> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if vector.len() != DIMENSIONS || !length.is_finite() || length < 1e-6 {
        return Err(failed(format!("it gave a vector of {} numbers and length {length}", vector.len())));
    }
    vector.iter_mut().for_each(|x| *x /= length);
    Ok(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_model_it_says_so() {
        let model = MiniLm::new(Arc::default());
        let missing = ProviderError::ModelMissing(ModelKind::TextEmbedding);
        assert_eq!(model.embed(&["text"]), Err(missing));
        assert_eq!(model.embed(&[]), Ok(vec![]));
    }

    #[test]
    fn vectors_have_length_one_and_the_right_size() {
        let vector = unit(vec![3.0; DIMENSIONS]).unwrap();
        assert!((vector.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(unit(vec![1.0; 3]).is_err() && unit(vec![0.0; DIMENSIONS]).is_err());
    }

    #[test]
    fn both_layouts_are_known() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(files(dir.path()).unwrap_err(), "model.onnx is missing");
        fs::create_dir(dir.path().join("onnx")).unwrap();
        for name in TOKENIZER_FILES.iter().chain(&["onnx/model.onnx"]) {
            fs::write(dir.path().join(name), "x").unwrap();
        }
        assert_eq!(files(dir.path()).unwrap().len(), 5);
        fs::write(dir.path().join("model.onnx"), "x").unwrap();
        fs::write(dir.path().join(WEIGHTS), "x").unwrap();
        let names: Vec<_> = files(dir.path()).unwrap().into_iter().map(|(_, name)| name).collect();
        assert_eq!(names[..2], [GRAPHS[0], WEIGHTS]);
    }
}
