//! A model in memory: pairs of texts to tokens, tokens to logits, logits to judgements.

use std::path::Path;

use ort::session::Session;
use ort::session::builder::SessionBuilder;
use ort::value::{DynValue, Tensor};
use tokenizers::{Encoding, Tokenizer, TruncationParams, TruncationStrategy};
use um_engine::language::Entailment;
use um_engine::provider::{Cancel, ProviderError, ProviderResult};

use super::config::Config;
use crate::{Locations, embedding, onnx_runtime};

/// Pairs of one run.
const BATCH: usize = 32;
/// Tokens of one run, filling included: attention takes memory by the square of the longest.
const BATCH_TOKENS: usize = 8192;
/// Threads of one run.
const THREADS: usize = 2;

/// What a graph may ask for. All else it would have to make up.
const INPUTS: [&str; 3] = ["input_ids", "attention_mask", "token_type_ids"];

/// A loaded model.
pub struct Judge {
    config: Config,
    tokenizer: Tokenizer,
    session: Session,
    /// The graph's inputs, in its order.
    inputs: Vec<&'static str>,
}

pub(super) fn failed(why: impl std::fmt::Display) -> ProviderError {
    ProviderError::Failed(format!("The entailment model failed: {why}"))
}

impl Judge {
    /// Loads the model in a folder.
    ///
    /// # Errors
    /// `ToolMissing` without ONNX Runtime, `Failed` when it is no such model.
    pub fn load(locations: &Locations, folder: &Path) -> ProviderResult<Judge> {
        let environment = onnx_runtime::environment(locations)?;
        let config = Config::of(folder).map_err(failed)?;
        let tokenizer = tokenizer(folder, &config).map_err(failed)?;
        let graph = embedding::graph(folder).ok_or_else(|| failed("model.onnx is missing"))?;
        let builder = Session::builder(&environment).map_err(failed)?;
        let session = modest(builder).and_then(|mut builder| builder.commit_from_file(graph)).map_err(failed)?;
        let inputs = inputs(&session).map_err(failed)?;
        Ok(Judge { config, tokenizer, session, inputs })
    }

    /// One judgement a pair, in their order. Pairs of like length share a run: a run costs as much as its longest,
    /// times all.
    ///
    /// # Errors
    /// `Failed`, `Cancelled`.
    pub fn judge(&mut self, pairs: &[(&str, &str)], cancel: &Cancel) -> ProviderResult<Vec<Entailment>> {
        let encoded = self.tokenizer.encode_batch(pairs.to_vec(), true).map_err(failed)?;
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by_key(|index| encoded[*index].len());
        let mut judged = vec![None; pairs.len()];
        let mut rest = order.as_slice();
        while !rest.is_empty() {
            cancel.check()?;
            let (batch, later) = rest.split_at(portion(rest, &encoded));
            let together: Vec<&Encoding> = batch.iter().map(|index| &encoded[*index]).collect();
            for (index, judgement) in batch.iter().zip(self.run(&together)?) {
                judged[*index] = Some(judgement);
            }
            rest = later;
        }
        Ok(judged.into_iter().flatten().collect())
    }

    fn run(&mut self, batch: &[&Encoding]) -> ProviderResult<Vec<Entailment>> {
        let longest = batch.iter().map(|encoding| encoding.len()).max().unwrap_or_default();
        let tensor = |name: &str| -> ort::Result<DynValue> {
            let mut flat = Vec::with_capacity(batch.len() * longest);
            for encoding in batch {
                let (values, fill) = match name {
                    "input_ids" => (encoding.get_ids(), self.config.padding),
                    "attention_mask" => (encoding.get_attention_mask(), 0),
                    _ => (encoding.get_type_ids(), 0),
                };
                flat.extend(values.iter().map(|value| i64::from(*value)));
                flat.resize(flat.len() + longest - values.len(), fill);
            }
            Ok(Tensor::from_array(([batch.len(), longest], flat))?.into_dyn())
        };
        let given: Result<Vec<_>, _> = self.inputs.iter().map(|name| Ok((*name, tensor(name)?))).collect();
        let given = given.map_err(|error: ort::Error| failed(error))?;
        let outputs = self.session.run(given).map_err(failed)?;
        let (shape, logits) = outputs[0].try_extract_tensor::<f32>().map_err(failed)?;
        if shape[..] != [batch.len() as i64, 3] {
            return Err(failed(format!("it gave numbers of shape {shape:?} for {} pairs", batch.len())));
        }
        logits.chunks_exact(3).map(|three| judgement(&self.config, three)).collect()
    }
}

/// How many of these, the shortest first, make one run.
fn portion(order: &[usize], encoded: &[Encoding]) -> usize {
    let fits = |count: usize| count * encoded[order[count - 1]].len() <= BATCH_TOKENS;
    (1..=order.len().min(BATCH)).take_while(|count| fits(*count)).last().unwrap_or(1)
}

/// A tokenizer that cuts pairs to what the model reads, the longer text first, and leaves filling to us.
fn tokenizer(folder: &Path, config: &Config) -> Result<Tokenizer, String> {
    let mut tokenizer = Tokenizer::from_file(folder.join("tokenizer.json")).map_err(|error| error.to_string())?;
    let truncation = TruncationParams {
        max_length: config.max_tokens,
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
    let found = found.map_err(|name| format!("its graph asks for “{name}”, which no pair of texts gives"))?;
    match INPUTS[..2].iter().find(|wanted| !found.contains(wanted)) {
        Some(wanted) => Err(format!("its graph takes no {wanted}")),
        None => Ok(found),
    }
}

/// The likeliest label with its softmax probability.
fn judgement(config: &Config, logits: &[f32]) -> ProviderResult<Entailment> {
    if logits.iter().any(|logit| !logit.is_finite()) {
        return Err(failed("it gave what is no number"));
    }
    let (best, top) = logits
        .iter()
        .enumerate()
        .fold((0, f32::MIN), |best, (index, logit)| if *logit > best.1 { (index, *logit) } else { best });
    let total: f64 = logits.iter().map(|logit| f64::from(logit - top).exp()).sum();
    Ok(Entailment { label: config.labels[best], score: 1.0 / total })
}
