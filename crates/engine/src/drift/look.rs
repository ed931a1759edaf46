//! What one request looks at: each work tree, file and search once, however many items speak of it, and so many bytes in all.

use super::ground::Ground;
use super::tree::{self, Head, Place};
use crate::error::Outcome;
use crate::{Caller, Engine};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use um_model::capture::MAX_FILE_BYTES;
use um_model::spaces::Space;

/// So many bytes of files are read for one request.
const MOST_BYTES: u64 = 1024 * 1024 * 1024;

/// A work tree that was looked at.
#[derive(Debug)]
struct Seen {
    root: PathBuf,
    head: Option<Head>,
    /// Its files by their hash; none until a file is looked for.
    by_hash: Option<BTreeMap<String, Vec<PathBuf>>>,
}

pub(super) struct Look {
    ground: Ground,
    /// The one that items are compared with which name none of their own.
    usual: Option<usize>,
    trees: Vec<Seen>,
    /// Which tree a path means that was named.
    named: BTreeMap<String, Option<usize>>,
    hashes: BTreeMap<PathBuf, Option<String>>,
    left: u64,
}

impl Look {
    /// For a space, and the work tree that is named, where one is.
    ///
    /// # Errors
    /// [`Ground::root`]'s for the one that is named.
    pub(super) fn of(engine: &Engine, caller: &Caller, space: &Space, workspace: Option<&str>) -> Outcome<Self> {
        let mut look = Self {
            ground: Ground::of(engine, caller, space)?,
            usual: None,
            trees: Vec::new(),
            named: BTreeMap::new(),
            hashes: BTreeMap::new(),
            left: MOST_BYTES,
        };
        if let Some(workspace) = workspace {
            let root = look.ground.root(workspace)?;
            look.usual = Some(look.open(root));
        }
        Ok(look)
    }

    /// The same, for whoever names no work tree: with the folder that is worked in for the space, where it is there.
    pub(super) fn or_root_of(mut self, space: &Space) -> Self {
        if self.usual.is_none() {
            self.usual = space.root_path.as_deref().and_then(|path| self.tree_at(path));
        }
        self
    }

    fn open(&mut self, root: PathBuf) -> usize {
        let known = self.trees.iter().position(|seen| seen.root == root);
        known.unwrap_or_else(|| {
            self.trees.push(Seen { head: tree::head(&root), root, by_hash: None });
            self.trees.len() - 1
        })
    }

    /// The tree at a path; none where there is none, or it is closed: which of both is not told.
    pub(super) fn tree_at(&mut self, path: &str) -> Option<usize> {
        if let Some(known) = self.named.get(path) {
            return *known;
        }
        let tree = self.ground.root(path).ok().map(|root| self.open(root));
        self.named.insert(path.to_owned(), tree);
        tree
    }

    /// The tree that an item is compared with: its own, or the usual one where that cannot be looked at.
    pub(super) fn tree_of(&mut self, own: Option<&str>) -> Option<usize> {
        own.and_then(|path| self.tree_at(path)).or(self.usual)
    }

    pub(super) fn head(&self, tree: usize) -> Option<&Head> {
        self.trees[tree].head.as_ref()
    }

    /// Where a file of a tree is, which is named from its root, or by its whole path.
    pub(super) fn file(&self, tree: usize, (own, path): (Option<&str>, &str)) -> Place {
        let (root, path) = (&self.trees[tree].root, Path::new(path));
        // Its root may have been said with links in it.
        let within = path.strip_prefix(root).ok().or_else(|| path.strip_prefix(own?.trim()).ok()).unwrap_or(path);
        let place = tree::place(root, within);
        if self.ground.tells(&place, &root.join(within)) { place } else { Place::Outside }
    }

    /// SHA-256 of a file, where it can be read and is not too large.
    pub(super) fn hash(&mut self, file: &Path) -> Option<String> {
        if let Some(known) = self.hashes.get(file) {
            return known.clone();
        }
        let hash = tree::sha256(file, MAX_FILE_BYTES.min(self.left)).map(|(hash, length)| {
            self.left -= length;
            hash
        });
        self.hashes.insert(file.to_owned(), hash.clone());
        hash
    }

    /// Where in a tree a file of that hash is, from its root: the first one.
    pub(super) fn moved_to(&mut self, tree: usize, hash: &str) -> Option<String> {
        let Seen { root, by_hash, .. } = &mut self.trees[tree];
        let files = by_hash.get_or_insert_with(|| tree::by_hash(root, MAX_FILE_BYTES));
        let tells = |file: &&PathBuf| self.ground.tells(&Place::There((*file).clone()), file);
        let file = files.get(hash)?.iter().find(tells)?;
        Some(crate::ingest::path_text(file.strip_prefix(root).ok()?))
    }
}
