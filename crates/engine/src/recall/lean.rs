//! How far the words of a question count more than its meaning, or less: by how rare the rarest of them is where it is searched.

use super::score::LEAN;
use super::words::{self, Question};
use crate::error::Fault;
use um_model::SpaceId;
use um_store::{Connection, fts};

/// Among fewer passages, how many hold a word tells nothing.
const FEWEST: usize = 100;
/// So many passages of a space are counted that hold a word: it is common then.
const COUNTED: usize = 2_500;

/// [`lean`] of a question in these spaces, whatever narrows it down. Nothing is counted where it does not count.
pub(super) fn of(c: &Connection, spaces: &[SpaceId], question: &Question) -> Result<f64, Fault> {
    if LEAN == 0.0 {
        return Ok(0.0);
    }
    let matters = question.matters();
    let expressions: Vec<String> = matters.iter().filter_map(|at| words::phrase(&question.words[*at])).collect();
    let (mut held, mut all) = (vec![0; expressions.len()], 0);
    for space in fts::that_have_units(c, spaces)? {
        let (of_space, units) = fts::holding(c, &space, &expressions, COUNTED)?;
        held.iter_mut().zip(of_space).for_each(|(held, more)| *held += more);
        all += units;
    }
    Ok(lean(&held, all))
}

/// -1 to 1, from how many of `all` passages hold each word of a question: 1 where a single one holds the rarest of them, so that words count
/// more, and -1 where all do, so that meaning does; 0 where as many do as the square root of all (inverse document frequency, as a share of
/// the greatest that there can be). 0 also where none holds any, or there are too few to tell.
fn lean(held: &[usize], all: usize) -> f64 {
    match held.iter().copied().filter(|held| *held > 0).min() {
        Some(rarest) if all >= FEWEST => {
            let rarity = (all as f64 / rarest as f64).ln() / (all as f64).ln();
            (2.0 * rarity - 1.0).clamp(-1.0, 1.0)
        }
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_more_the_rarer_the_rarest_is() {
        let check = |held: &[usize], all: usize, expected: f64| {
            let found = lean(held, all);
            assert!((found - expected).abs() < 1e-9, "{held:?} of {all}: {found}");
        };
        check(&[1], 10_000, 1.0);
        check(&[5_000, 1], 10_000, 1.0);
        check(&[100], 10_000, 0.0);
        check(&[10], 10_000, 0.5);
        check(&[1_000, 5_000], 10_000, -0.5);
        check(&[10_000], 10_000, -1.0);
        // A word that nothing holds is in no passage that it could count for.
        check(&[0, 1_000], 10_000, -0.5);
        check(&[0], 10_000, 0.0);
        check(&[], 10_000, 0.0);
        check(&[1], 99, 0.0);
        check(&[1], 0, 0.0);
    }
}
