//! A transformer in memory, on ONNX Runtime: texts to tokens, batches of tokens to numbers. What the numbers mean is its
//! users' matter.

use std::path::{Path, PathBuf};

use ort::session::Session;
use ort::session::builder::SessionBuilder;
use ort::value::{DynValue, Tensor};
use tokenizers::{Encoding, Tokenizer, TruncationParams, TruncationStrategy};
use um_engine::provider::ProviderResult;

use crate::{Locations, embedding, onnx_runtime};

/// The files of a model, once installed.
const FILES: [&str; 3] = ["model.onnx", "config.json", "tokenizer.json"];
/// Texts of one run.
const BATCH: usize = 32;
/// Tokens of one run, filling included: attention takes memory by the square of the longest.
const BATCH_TOKENS: usize = 8192;
/// Threads of one run.
const THREADS: usize = 2;
/// What a graph may ask for. All else it would have to make up.
const INPUTS: [&str; 3] = ["input_ids", "attention_mask", "token_type_ids"];

/// A loaded model.
pub(crate) struct Encoder {
    /// Cuts texts to what the model reads; filling is done here.
    pub(crate) tokenizer: Tokenizer,
    padding: i64,
    session: Session,
    /// The graph's inputs, in its order.
    inputs: Vec<&'static str>,
}

/// What came out of a run, by rows.
pub(crate) struct Numbers {
    /// The lengths of its dimensions.
    pub(crate) shape: Vec<i64>,
    /// All of them.
    pub(crate) flat: Vec<f32>,
}

impl Encoder {
    /// Loads the model in a folder, which reads so many tokens and fills shorter texts up with that one.
    ///
    /// # Errors
    /// `ToolMissing` without ONNX Runtime; what `failed` makes of the reason when it is no such model.
    pub(crate) fn load(
        locations: &Locations,
        folder: &Path,
        (max_tokens, padding): (usize, i64),
        failed: fn(String) -> um_engine::provider::ProviderError,
    ) -> ProviderResult<Encoder> {
        let environment = onnx_runtime::environment(locations)?;
        let tokenizer = tokenizer(folder, max_tokens).map_err(failed)?;
        let graph = embedding::graph(folder).ok_or_else(|| failed("model.onnx is missing".into()))?;
        let words = |error: ort::Error| failed(error.to_string());
        let builder = Session::builder(&environment).map_err(words)?;
        let session = modest(builder).and_then(|mut builder| builder.commit_from_file(graph)).map_err(words)?;
        let inputs = inputs(&session).map_err(failed)?;
        Ok(Encoder { tokenizer, padding, session, inputs })
    }

    /// The first of the graph's outputs for a batch: its rows are as long as the longest of the batch, filled up.
    ///
    /// # Errors
    /// The reason, in words.
    pub(crate) fn run(&mut self, batch: &[&Encoding]) -> Result<Numbers, String> {
        let longest = batch.iter().map(|encoding| encoding.len()).max().unwrap_or_default();
        let tensor = |name: &str| -> ort::Result<DynValue> {
            let mut flat = Vec::with_capacity(batch.len() * longest);
            for encoding in batch {
                let (values, fill) = match name {
                    "input_ids" => (encoding.get_ids(), self.padding),
                    "attention_mask" => (encoding.get_attention_mask(), 0),
                    _ => (encoding.get_type_ids(), 0),
                };
                flat.extend(values.iter().map(|value| i64::from(*value)));
                flat.resize(flat.len() + longest - values.len(), fill);
            }
            Ok(Tensor::from_array(([batch.len(), longest], flat))?.into_dyn())
        };
        let words = |error: ort::Error| error.to_string();
        let given: Result<Vec<_>, _> = self.inputs.iter().map(|name| Ok((*name, tensor(name)?))).collect();
        let outputs = self.session.run(given.map_err(words)?).map_err(words)?;
        let (shape, numbers) = outputs[0].try_extract_tensor::<f32>().map_err(words)?;
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err("it gave what is no number".into());
        }
        Ok(Numbers { shape: shape.to_vec(), flat: numbers.to_vec() })
    }
}

/// The texts in runs: those of like length share one, as a run costs as much as its longest, times all. Each run is the
/// places of its texts.
pub(crate) fn runs(encoded: &[Encoding]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..encoded.len()).collect();
    order.sort_by_key(|index| encoded[*index].len());
    let mut runs = Vec::new();
    let mut rest = order.as_slice();
    while !rest.is_empty() {
        let (batch, later) = rest.split_at(portion(rest, encoded));
        runs.push(batch.to_vec());
        rest = later;
    }
    runs
}

/// How many of these, the shortest first, make one run.
fn portion(order: &[usize], encoded: &[Encoding]) -> usize {
    let fits = |count: usize| count * encoded[order[count - 1]].len() <= BATCH_TOKENS;
    (1..=order.len().min(BATCH)).take_while(|count| fits(*count)).last().unwrap_or(1)
}

/// The number of the likeliest label, and its probability by softmax.
pub(crate) fn likeliest(logits: &[f32]) -> (usize, f64) {
    let first = (0, f32::MIN);
    let (best, top) =
        logits.iter().enumerate().fold(first, |best, (id, logit)| if *logit > best.1 { (id, *logit) } else { best });
    let total: f64 = logits.iter().map(|logit| f64::from(logit - top).exp()).sum();
    (best, 1.0 / total)
}

/// A tokenizer that cuts to what the model reads, of a pair the longer text first, and leaves filling to us.
fn tokenizer(folder: &Path, max_tokens: usize) -> Result<Tokenizer, String> {
    let mut tokenizer = Tokenizer::from_file(folder.join("tokenizer.json")).map_err(|error| error.to_string())?;
    let truncation = TruncationParams {
        max_length: max_tokens,
        strategy: TruncationStrategy::LongestFirst,
        ..TruncationParams::default()
    };
    tokenizer.with_truncation(Some(truncation)).map_err(|error| error.to_string())?;
    tokenizer.with_padding(None);
    Ok(tokenizer)
}

/// The same modesty as the embedding model's: see there.
fn modest(builder: SessionBuilder) -> ort::Result<SessionBuilder> {
    let processor = ort::ep::CPU::default().with_arena_allocator(false).build();
    Ok(builder.with_execution_providers([processor])?.with_intra_threads(THREADS)?.with_intra_op_spinning(false)?)
}

fn inputs(session: &Session) -> Result<Vec<&'static str>, String> {
    let named = |name: &str| INPUTS.into_iter().find(|known| *known == name).ok_or_else(|| name.to_owned());
    let found: Result<Vec<_>, _> = session.inputs().iter().map(|input| named(input.name())).collect();
    let found = found.map_err(|name| format!("its graph asks for “{name}”, which no text gives"))?;
    match INPUTS[..2].iter().find(|wanted| !found.contains(wanted)) {
        Some(wanted) => Err(format!("its graph takes no {wanted}")),
        None => Ok(found),
    }
}

/// The folder that a model is used from.
pub(crate) fn installed_folder(locations: &Locations, id: &str) -> Option<PathBuf> {
    locations.model_folders(id).find(|folder| FILES.iter().all(|name| folder.join(name).is_file()))
}

/// The files of a model in a folder: where they are, and what they are called once installed.
///
/// # Errors
/// The name of one that is missing.
pub(crate) fn files(folder: &Path) -> Result<Vec<(PathBuf, &'static str)>, String> {
    let graph = embedding::graph(folder).ok_or("model.onnx is missing")?;
    let beside = FILES[1..].iter().map(|name| (folder.join(name), *name));
    let files: Vec<_> = std::iter::once((graph, FILES[0])).chain(beside).collect();
    match files.iter().find(|(path, _)| !path.is_file()) {
        Some((_, name)) => Err(format!("{name} is missing")),
        None => Ok(files),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_must_have_all_three_files() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(files(dir.path()).unwrap_err(), "model.onnx is missing");
        for name in FILES {
            assert!(files(dir.path()).is_err());
            std::fs::write(dir.path().join(name), "{}").unwrap();
        }
        assert_eq!(files(dir.path()).unwrap().len(), 3);
    }
}
