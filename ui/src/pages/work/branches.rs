//! The tree of resources: read branch by branch as they are opened, and anew when something changes.

use super::{
    then,
    tree::{Branch, Branches, ROOTS, Row, rows},
};
use crate::{ipc, state::App};
use leptos::{prelude::*, task::spawn_local};
use std::collections::{BTreeMap, BTreeSet};
use um_model::{
    ApiError, EpochMs, ErrorCode, SpaceId,
    work::{Resource, ResourcesBrowse},
};

/// So many are read at a time.
pub const PART: usize = 200;

/// The tree as far as it is open.
#[derive(Clone, Copy)]
pub struct Tree {
    /// The space that it is of.
    pub space: StoredValue<SpaceId>,
    /// What was read of it.
    pub branches: RwSignal<Branches>,
    /// The addresses that are open.
    pub open: RwSignal<BTreeSet<String>>,
    /// Its rows, from the roots down into what is open.
    pub rows: Memo<Vec<Row>>,
    /// The row that the focus is on, or comes to first.
    pub cursor: RwSignal<Option<String>>,
    /// Why the roots could not be read.
    pub error: RwSignal<Option<ApiError>>,
    /// The moment that it is of; none for now.
    then: Memo<Option<EpochMs>>,
    /// How often each branch was asked for: an answer that another one has overtaken is dropped.
    turns: StoredValue<BTreeMap<String, u64>>,
}

impl Tree {
    /// That of a space; it begins to read.
    pub fn of(app: App, space: SpaceId) -> Self {
        let (branches, open) = (RwSignal::new(Branches::new()), RwSignal::new(BTreeSet::new()));
        let tree = Self {
            space: StoredValue::new(space),
            branches,
            open,
            rows: Memo::new(move |_| branches.with(|branches| open.with(|open| rows(branches, open)))),
            cursor: RwSignal::new(None),
            error: RwSignal::new(None),
            then: Memo::new(move |_| then::as_of(app)),
            turns: StoredValue::new(BTreeMap::new()),
        };
        Effect::new(move |_| {
            app.changes.work.track();
            tree.then.track();
            untrack(|| tree.read_anew());
        });
        tree
    }

    /// Whether it is known to have no roots.
    pub fn is_empty(&self) -> bool {
        self.branches.with(|all| all.get(ROOTS).is_some_and(|roots| roots.total == 0 && !roots.failed))
    }

    /// Reads what is open anew, as far as it was read. What is closed is read when it is opened again.
    fn read_anew(self) {
        let open = self.open.get();
        self.branches.update(|all| all.retain(|under, _| under == ROOTS || open.contains(under)));
        for under in open.iter().map(String::as_str).chain([ROOTS]) {
            let known = self.branches.with(|all| all.get(under).map_or(0, |branch| branch.children.len()));
            self.read(under, known);
        }
    }

    /// Reads at least so many of what lies under an address.
    pub fn read(self, under: &str, wanted: usize) {
        let (space, under) = (self.space.get_value(), under.to_owned());
        let then = self.then.get_untracked();
        let turn = self.turns.try_update_value(|turns| {
            let turn = turns.entry(under.clone()).or_default();
            *turn += 1;
            *turn
        });
        spawn_local(async move {
            let read = children(&space, &under, then, wanted).await;
            if self.turns.try_with_value(|turns| turns.get(&under).copied()).flatten() == turn {
                self.take(under, read);
            }
        });
    }

    fn take(self, under: String, read: Result<Branch, ApiError>) {
        match read {
            Ok(branch) => {
                if under == ROOTS {
                    self.error.set(None);
                }
                self.branches.update(|all| drop(all.insert(under, branch)));
            }
            // It was taken away, and is left out where it lay.
            Err(error) if error.code == ErrorCode::NotFound && under != ROOTS => {
                self.open.update(|open| {
                    open.remove(&under);
                });
                self.branches.update(|all| drop(all.remove(&under)));
            }
            Err(error) if under == ROOTS => self.error.set(Some(error)),
            Err(_) => self.branches.update(|all| all.entry(under).or_default().failed = true),
        }
    }

    /// Opens what lies under an address.
    pub fn unfold(self, uri: &str) {
        self.open.update(|open| {
            open.insert(uri.to_owned());
        });
        if self.branches.with_untracked(|all| !all.contains_key(uri)) {
            self.read(uri, 0);
        }
    }

    /// Closes it.
    pub fn fold(self, uri: &str) {
        self.open.update(|open| {
            open.remove(uri);
        });
    }

    /// Opens what a resource lies under, so that it is seen.
    pub fn reveal(self, resource: &Resource) {
        let is_seen = self.rows.with_untracked(|rows| rows.iter().any(|row| row.uri() == Some(&resource.uri)));
        let space = self.space.get_value();
        let Some(parent) = resource.parent_uri.clone().filter(|_| !is_seen && resource.space_id == space) else {
            return;
        };
        spawn_local(async move {
            let asked = ResourcesBrowse {
                space: Some(space.to_string()),
                parent_uri: Some(parent),
                as_of: self.then.get_untracked(),
                limit: Some(1),
                ..ResourcesBrowse::default()
            };
            // Where that fails, the resource is shown without its place.
            if let Ok(way) = ipc::call(asked).await
                && self.turns.try_with_value(|_| ()).is_some()
            {
                way.path.iter().for_each(|above| self.unfold(&above.uri));
            }
        });
    }

    /// The number of the row that the focus is on, or comes to first.
    pub fn at(&self) -> usize {
        let cursor = self.cursor.get();
        self.rows.with(|rows| rows.iter().position(|row| Some(&row.key) == cursor.as_ref()).unwrap_or(0))
    }
}

async fn children(space: &SpaceId, under: &str, then: Option<EpochMs>, wanted: usize) -> Result<Branch, ApiError> {
    let mut branch = Branch { is_past: then.is_some(), ..Branch::default() };
    loop {
        let part = ipc::call(ResourcesBrowse {
            space: Some(space.to_string()),
            parent_uri: (under != ROOTS).then(|| under.to_owned()),
            as_of: then,
            offset: branch.children.len() as u32,
            limit: Some(PART as u32),
            ..ResourcesBrowse::default()
        })
        .await?;
        let read = part.children.len();
        branch.children.extend(part.children);
        branch.total = part.total;
        if read == 0 || branch.children.len() >= wanted.max(1) || branch.children.len() as u64 >= part.total {
            return Ok(branch);
        }
    }
}
