//! A model in memory: pairs of texts to tokens, tokens to logits, logits to judgements.

use std::path::Path;

use tokenizers::Encoding;
use um_engine::language::Entailment;
use um_engine::provider::{Cancel, ProviderError, ProviderResult};

use super::config::Config;
use crate::Locations;
use crate::encoder::{Encoder, likeliest, runs};

/// A loaded model.
pub struct Judge {
    config: Config,
    encoder: Encoder,
}

fn failed(why: impl std::fmt::Display) -> ProviderError {
    ProviderError::Failed(format!("The entailment model failed: {why}"))
}

impl Judge {
    /// Loads the model in a folder.
    ///
    /// # Errors
    /// `ToolMissing` without ONNX Runtime, `Failed` when it is no such model.
    pub fn load(locations: &Locations, folder: &Path) -> ProviderResult<Judge> {
        let config = Config::of(folder).map_err(failed)?;
        let encoder = Encoder::load(locations, folder, (config.max_tokens, config.padding), failed)?;
        Ok(Judge { config, encoder })
    }

    /// One judgement a pair, in their order.
    ///
    /// # Errors
    /// `Failed`, `Cancelled`.
    pub fn judge(&mut self, pairs: &[(&str, &str)], cancel: &Cancel) -> ProviderResult<Vec<Entailment>> {
        let encoded = self.encoder.tokenizer.encode_batch(pairs.to_vec(), true).map_err(failed)?;
        let mut judged = vec![None; pairs.len()];
        for run in runs(&encoded) {
            cancel.check()?;
            let together: Vec<&Encoding> = run.iter().map(|index| &encoded[*index]).collect();
            for (index, judgement) in run.iter().zip(self.run(&together)?) {
                judged[*index] = Some(judgement);
            }
        }
        Ok(judged.into_iter().flatten().collect())
    }

    fn run(&mut self, batch: &[&Encoding]) -> ProviderResult<Vec<Entailment>> {
        let numbers = self.encoder.run(batch).map_err(failed)?;
        if numbers.shape != [batch.len() as i64, 3] {
            return Err(failed(format!("it gave numbers of shape {:?} for {} pairs", numbers.shape, batch.len())));
        }
        let judgement = |logits: &[f32]| {
            let (label, score) = likeliest(logits);
            Entailment { label: self.config.labels[label], score }
        };
        Ok(numbers.flat.chunks_exact(3).map(judgement).collect())
    }
}
