//! Stands for the embedding model where only the database is measured: a text's vector is the sum of a
//! random one for each of its words, so that texts with words in common are near each other, at no cost
//! worth measuring.

use crate::words::{Random, is_content};
use um_engine::provider::{EmbeddingProvider, ProviderResult};

/// Length of a vector, as all-MiniLM-L6-v2 has it.
pub const DIMENSIONS: usize = 384;
/// The model which new databases are embedded with.
pub const MODEL: &str = "all-MiniLM-L6-v2";

/// The double, with the length of its vectors. It says that it is that model.
pub struct WordSums(pub usize);

impl EmbeddingProvider for WordSums {
    fn model_id(&self) -> &str {
        MODEL
    }

    fn dimensions(&self) -> usize {
        self.0
    }

    fn embed(&self, texts: &[&str]) -> ProviderResult<Vec<Vec<f32>>> {
        Ok(texts.iter().map(|text| vector(text, self.0)).collect())
    }

    fn embed_if_free(&self, text: &str) -> Option<Vec<f32>> {
        Some(vector(text, self.0))
    }
}

/// The vector of a text. What all vectors have in common keeps that of a text without content from being
/// no direction at all, which a model never gives.
pub fn vector(text: &str, dimensions: usize) -> Vec<f32> {
    let mut sum = vec![0.01_f32; dimensions];
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| is_content(word)) {
        let mut random = Random(fnv(&word.to_lowercase()));
        sum.iter_mut().for_each(|value| *value += random.share() as f32 - 0.5);
    }
    let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
    sum.iter_mut().for_each(|value| *value /= length);
    sum
}

/// FNV-1a.
pub fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
