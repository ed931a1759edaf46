//! What somebody may mean who asks why something is not among the passages: memories in whatever state and tier, by what they are called
//! or say.

use super::words::Question;
use crate::error::Fault;
use std::collections::HashSet;
use um_model::capture::{ArtifactsList, Memory};
use um_model::work::ItemType;
use um_model::{ArtifactId, MemoryId, SpaceId};
use um_store::entries::Place;
use um_store::query::{Tags, candidates, rows};
use um_store::{Connection, StoreError, artifacts, memories};

/// So many are told of files, of what else is in use, and of what is not.
const EACH: u32 = 5;

/// What may be meant.
pub(crate) struct Meant {
    /// Memories: those of files in use, others in use, and those that are out of use or cold. None that was forgotten.
    pub memories: Vec<Memory>,
    /// Whether so much is out of use or cold that not all of it was looked at.
    pub is_cut: bool,
}

/// The memories in these spaces that may be meant by a part of a file's name, or by words.
pub(crate) fn meant(c: &Connection, spaces: &[SpaceId], words: &str) -> Result<Meant, Fault> {
    let limit = EACH as usize;
    let put_away = memories::put_away(c, spaces, words, limit)?;
    // The names of removed files are looked through to the last.
    let mut gone = files(c, spaces, words, true)?;
    gone.extend(put_away.ids);
    let mut seen = HashSet::new();
    let mut told: Vec<MemoryId> = Vec::new();
    for ids in [files(c, spaces, words, false)?, in_use(c, spaces, words)?, gone] {
        let new: Vec<MemoryId> = ids.into_iter().filter(|id| seen.insert(id.clone())).take(limit).collect();
        told.extend(new);
    }
    let mut memories = Vec::new();
    for id in told {
        if !memories::is_redacted(c, &id)? {
            memories.extend(memories::by_id(c, &id)?);
        }
    }
    Ok(Meant { memories, is_cut: put_away.is_cut })
}

/// The memories of files whose names have the words as they stand, of those in use or of those that were removed.
fn files(c: &Connection, spaces: &[SpaceId], words: &str, deleted: bool) -> Result<Vec<MemoryId>, Fault> {
    let asked = ArtifactsList { name: Some(words.to_owned()), deleted, ..ArtifactsList::default() };
    let (found, _) = artifacts::list(c, &asked, spaces, EACH)?;
    let files: Vec<ArtifactId> = found.into_iter().map(|file| file.id).collect();
    let mut of = artifacts::memories_of(c, &files)?;
    Ok(files.iter().filter_map(|file| of.remove(file)).map(|of| of.id).collect())
}

/// Memories in use that say one of the words at least. How well two fit can be compared within a space alone: the best of each come first.
fn in_use(c: &Connection, spaces: &[SpaceId], words: &str) -> Result<Vec<MemoryId>, Fault> {
    let question = Question::parse(words);
    let Some(expression) = question.match_expression() else { return Ok(Vec::new()) };
    let mut ranked: Vec<(usize, String)> = Vec::new();
    for space in spaces {
        let (at, which) = (Place { space, session: None }, (ItemType::Memory, false, None));
        let words = (expression.as_str(), question.words.as_slice());
        let said = candidates::saying(c, at, which, &Tags::default(), words, None, EACH as usize)?;
        let rows = rows::rows(c, ItemType::Memory, &said.rids, None)?;
        ranked.extend(rows.into_iter().map(|row| row.id).enumerate());
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    let ids = ranked.into_iter().map(|(_, id)| MemoryId::parse(id).map_err(StoreError::from));
    Ok(ids.collect::<Result<_, _>>()?)
}
