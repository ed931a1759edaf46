//! How much a value looks drawn by chance.

/// Shannon's entropy of the characters, in bits for each.
pub(crate) fn bits(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    value.bytes().for_each(|byte| counts[byte as usize] += 1);
    let all = value.len() as f64;
    let share = |count: u32| f64::from(count) / all;
    counts.iter().filter(|count| **count > 0).map(|count| -share(*count) * share(*count).log2()).sum()
}
