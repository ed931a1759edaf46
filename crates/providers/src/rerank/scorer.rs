//! A model in memory: a question with each of its passages to tokens, tokens to one number.

use std::path::Path;

use tokenizers::Encoding;
use um_engine::provider::{Cancel, ProviderError, ProviderResult};

use super::config;
use crate::Locations;
use crate::encoder::{Encoder, runs};

/// A loaded model.
pub struct Scorer {
    encoder: Encoder,
}

fn failed(why: impl std::fmt::Display) -> ProviderError {
    ProviderError::Failed(format!("The reranking model failed: {why}"))
}

impl Scorer {
    /// Loads the model in a folder.
    ///
    /// # Errors
    /// `ToolMissing` without ONNX Runtime, `Failed` when it is no such model.
    pub fn load(locations: &Locations, folder: &Path) -> ProviderResult<Scorer> {
        let shape = config::of(folder).map_err(failed)?;
        Ok(Scorer { encoder: Encoder::load(locations, folder, shape, failed)? })
    }

    /// One number a passage, in their order.
    ///
    /// # Errors
    /// `Failed`, `Cancelled`.
    pub fn score(&mut self, question: &str, passages: &[&str], cancel: &Cancel) -> ProviderResult<Vec<f64>> {
        let pairs: Vec<(&str, &str)> = passages.iter().map(|passage| (question, *passage)).collect();
        let encoded = self.encoder.tokenizer.encode_batch(pairs, true).map_err(failed)?;
        let mut scores = vec![0.0; passages.len()];
        for run in runs(&encoded) {
            cancel.check()?;
            let together: Vec<&Encoding> = run.iter().map(|index| &encoded[*index]).collect();
            for (index, score) in run.iter().zip(self.run(&together)?) {
                scores[*index] = f64::from(score);
            }
        }
        Ok(scores)
    }

    fn run(&mut self, batch: &[&Encoding]) -> ProviderResult<Vec<f32>> {
        let numbers = self.encoder.run(batch).map_err(failed)?;
        let pairs = batch.len() as i64;
        if numbers.shape != [pairs, 1] && numbers.shape != [pairs] {
            return Err(failed(format!(
                "it gave numbers of shape {:?} for {pairs} pairs, not one a pair",
                numbers.shape
            )));
        }
        Ok(numbers.flat)
    }
}
