//! The two searches, by words and by meaning, over what is in use; and over what was, where another time is asked for.

use super::Steps;
use super::fuse::Lists;
use super::words::Question;
use crate::error::Fault;
use std::collections::BTreeMap;
use um_model::SpaceId;
use um_store::filter::{Admitted, UnitFilter};
use um_store::{Connection, fts, vectors};

/// So many passages each search of each space contributes.
const DEPTH: usize = 100;

/// What the searches found.
pub(super) struct Found {
    pub(super) lists: Lists,
    /// Those passages that are out of use now and were in use at the time that is asked for.
    pub(super) past: Vec<i64>,
}

/// Searches each space by words, as scores of different spaces do not compare, and all together by meaning.
pub(super) fn search(
    c: &Connection,
    spaces: &[SpaceId],
    question: &Question,
    vector: Option<&[f32]>,
    filter: &UnitFilter,
    clock: &mut Steps,
) -> Result<Found, Fault> {
    let admitted = filter.admit(c, spaces)?;
    let past = past(c, spaces, filter)?;
    clock.step("filter");
    let mut lists = Lists::default();
    if let Some(expression) = question.match_expression() {
        for space in spaces {
            lists.words.push(fts::search(c, space, &expression, &admitted, DEPTH)?);
        }
        for rids in past.values() {
            lists.words.push(fts::search_past(c, rids, &expression)?);
        }
    }
    clock.step("words");
    if let Some(vector) = vector {
        lists.meaning = vectors::nearest(c, spaces, vector, &admitted, DEPTH)?;
        if !past.is_empty() {
            lists.meaning.extend(vectors::nearest(c, spaces, vector, &Admitted::Few(past.clone()), DEPTH)?);
            lists.meaning.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            lists.meaning.truncate(DEPTH);
        }
    }
    clock.step("meaning");
    Ok(Found { lists, past: past.into_values().flatten().collect() })
}

/// What is out of use and passes, by its space.
fn past(c: &Connection, spaces: &[SpaceId], filter: &UnitFilter) -> Result<BTreeMap<String, Vec<i64>>, Fault> {
    let mut by_space: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for (space, rid) in filter.past(c, spaces)? {
        by_space.entry(space).or_default().push(rid);
    }
    for (expression, wanted) in [(&filter.must, true), (&filter.must_not, false)] {
        let Some(expression) = expression else { continue };
        for rids in by_space.values_mut() {
            let found = fts::search_past(c, rids, expression)?;
            rids.retain(|rid| found.iter().any(|(other, _)| other == rid) == wanted);
        }
    }
    Ok(by_space)
}
