//! A long list read from its beginning on, as far as it is looked at, where nobody counts it: each part is asked for by the
//! last row of the part before, so that none is skipped or read twice however much comes in at the beginning.

use crate::{components::states::Listing, ipc, paged::sight};
use leptos::{prelude::*, task::spawn_local};
use std::ops::Range;
use um_model::{ApiError, ops::Request};

/// Rows read at a time.
const PART: u32 = 100;
/// So many rows are read anew at once.
const MOST: u32 = 1_000;

/// What an answer has of a list.
pub struct Read<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// Whether there are more.
    pub more: bool,
    /// What is told of how they were looked for.
    pub notices: Vec<String>,
}

/// The rows of a list, as far as they were looked at.
pub struct Grown<T: Send + Sync + 'static> {
    rows: RwSignal<Vec<T>>,
    /// Whether there are more; `None` before anything is known.
    more: RwSignal<Option<bool>>,
    /// What the answers told beside them, each once.
    notices: RwSignal<Vec<String>>,
    /// Why the newest attempt failed.
    pub error: RwSignal<Option<ApiError>>,
    /// The rows that are looked at.
    seen: RwSignal<Range<usize>>,
    epoch: StoredValue<u64>,
    again: RwSignal<u32>,
}

impl<T: Send + Sync + 'static> Clone for Grown<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync + 'static> Copy for Grown<T> {}

impl<T: Clone + Send + Sync + 'static> Grown<T> {
    /// Reads with the request that `question` makes of the last row that is known and of how many more are wanted. Whenever a
    /// signal that `question` reads changes, all is forgotten; whenever one that `stale` reads changes, what is known is
    /// read anew, and the old rows stay until the new ones are there.
    pub fn new<R>(
        question: impl Fn(Option<&T>, u32) -> R + Clone + Send + Sync + 'static,
        stale: impl Fn() + Send + Sync + 'static,
        rows: fn(R::Response) -> (Vec<T>, bool),
    ) -> Self
    where
        R: Request + 'static,
    {
        Self::start(
            move |known: &[T], limit| question(known.last(), limit),
            stale,
            move |answer: R::Response| quiet(rows(answer)),
        )
    }

    /// The same for a list that is asked by how many rows are skipped.
    pub fn skipping<R>(
        question: impl Fn(u32, u32) -> R + Clone + Send + Sync + 'static,
        stale: impl Fn() + Send + Sync + 'static,
        rows: fn(R::Response) -> (Vec<T>, bool),
    ) -> Self
    where
        R: Request + 'static,
    {
        Self::telling(question, stale, move |answer: R::Response| quiet(rows(answer)))
    }

    /// The same where the answers tell how was looked for.
    pub fn telling<R>(
        question: impl Fn(u32, u32) -> R + Clone + Send + Sync + 'static,
        stale: impl Fn() + Send + Sync + 'static,
        read: impl Fn(R::Response) -> Read<T> + Copy + Send + Sync + 'static,
    ) -> Self
    where
        R: Request + 'static,
    {
        Self::start(move |known: &[T], limit| question(known.len() as u32, limit), stale, read)
    }

    fn start<R>(
        question: impl Fn(&[T], u32) -> R + Clone + Send + Sync + 'static,
        stale: impl Fn() + Send + Sync + 'static,
        rows: impl Fn(R::Response) -> Read<T> + Copy + Send + Sync + 'static,
    ) -> Self
    where
        R: Request + 'static,
    {
        let list = Self {
            rows: RwSignal::new(Vec::new()),
            more: RwSignal::new(None),
            notices: RwSignal::new(Vec::new()),
            error: RwSignal::new(None),
            seen: RwSignal::new(0..1),
            epoch: StoredValue::new(0),
            again: RwSignal::new(0),
        };
        let asked = question.clone();
        Effect::new(move |_| {
            // Subscribes to what the question is made of.
            let _ = asked(&[], PART);
            list.rows.set(Vec::new());
            list.more.set(None);
            list.notices.set(Vec::new());
            list.seen.set(0..1);
            list.again.update(|n| *n += 1);
        });
        let anew = question.clone();
        Effect::new(move |_| {
            stale();
            list.again.track();
            let known = list.rows.with_untracked(Vec::len) as u32;
            list.read_anew(anew.clone(), known.clamp(PART, MOST), rows);
        });
        Effect::new(move |_| {
            let known = list.rows.with(Vec::len);
            if list.seen.get().end > known && list.more.get() == Some(true) {
                let request = untrack(|| list.rows.with(|all| question(all, PART)));
                list.read(request, known, rows);
            }
        });
        list
    }

    /// Where the list that draws the rows tells which of them are looked at.
    pub fn sight(self) -> WriteSignal<Range<usize>> {
        sight(self.seen)
    }

    /// How many rows stand in the list: those that are known, and one for those that are not yet.
    pub fn length(self) -> Signal<usize> {
        Signal::derive(move || self.rows.with(Vec::len) + usize::from(self.more.get() == Some(true)))
    }

    /// What a page shows of it as a whole.
    pub fn listing(self) -> Listing {
        Listing {
            is_empty: Signal::derive(move || self.more.get().map(|_| self.rows.with(Vec::is_empty))),
            error: self.error,
            retry: Callback::new(move |()| self.refresh()),
        }
    }

    /// What is told of how the rows were looked for.
    pub fn notices(&self) -> Vec<String> {
        self.notices.get()
    }

    /// The row, where it was read.
    pub fn row(&self, index: usize) -> Option<T> {
        self.rows.with(|rows| rows.get(index).cloned())
    }

    /// Looks at the rows that are known.
    pub fn with<U>(&self, look: impl FnOnce(&[T]) -> U) -> U {
        self.rows.with(|rows| look(rows))
    }

    /// Reads what is known anew.
    pub fn refresh(&self) {
        self.again.update(|n| *n += 1);
    }

    /// Reads so many rows anew, in as many parts as they are given in; the old ones stay until all are there.
    fn read_anew<R: Request + 'static>(
        self,
        question: impl Fn(&[T], u32) -> R + 'static,
        wanted: u32,
        rows: impl Fn(R::Response) -> Read<T> + Copy + 'static,
    ) {
        self.epoch.update_value(|epoch| *epoch += 1);
        let mine = self.epoch.get_value();
        let mut request = untrack(|| question(&[], wanted));
        spawn_local(async move {
            let (mut known, mut told): (Vec<T>, Vec<String>) = (Vec::new(), Vec::new());
            loop {
                let answer = ipc::call(request).await;
                if self.epoch.try_get_value() != Some(mine) {
                    return;
                }
                let Read { rows: read, more, notices } = match answer.map(rows) {
                    Ok(part) => part,
                    Err(error) => return self.error.set(Some(error)),
                };
                add_new(&mut told, notices);
                let ends = !more || read.is_empty();
                known.extend(read);
                if ends || known.len() as u32 >= wanted {
                    self.rows.set(known);
                    self.notices.set(told);
                    self.error.set(None);
                    return self.more.set(Some(more));
                }
                request = untrack(|| question(&known, wanted - known.len() as u32));
            }
        });
    }

    /// Reads rows that take the place of all from `from` on. An answer that another question has overtaken is dropped.
    fn read<R: Request + 'static>(
        self,
        request: R,
        from: usize,
        rows: impl Fn(R::Response) -> Read<T> + Copy + 'static,
    ) {
        self.epoch.update_value(|epoch| *epoch += 1);
        let mine = self.epoch.get_value();
        spawn_local(async move {
            let answer = ipc::call(request).await;
            if self.epoch.try_get_value() != Some(mine) {
                return;
            }
            match answer.map(rows) {
                Ok(Read { rows: read, more, notices }) => {
                    self.rows.update(|all| {
                        all.truncate(from);
                        all.extend(read);
                    });
                    self.notices.update(|told| add_new(told, notices));
                    self.error.set(None);
                    self.more.set(Some(more));
                }
                Err(error) => self.error.set(Some(error)),
            }
        });
    }
}

/// An answer that tells of nothing but its rows.
fn quiet<T>((rows, more): (Vec<T>, bool)) -> Read<T> {
    Read { rows, more, notices: Vec::new() }
}

/// Adds what is not told yet.
fn add_new(told: &mut Vec<String>, notices: Vec<String>) {
    for notice in notices {
        if !told.contains(&notice) {
            told.push(notice);
        }
    }
}

#[cfg(test)]
#[test]
fn what_several_answers_tell_is_told_once() {
    let check = |told: &[&str], more: &[&str], expected: &[&str]| {
        let mut all: Vec<String> = told.iter().map(|one| (*one).to_owned()).collect();
        add_new(&mut all, more.iter().map(|one| (*one).to_owned()).collect());
        assert_eq!(all, expected);
    };
    check(&[], &["a", "a"], &["a"]);
    check(&["a"], &["b", "a"], &["a", "b"]);
    check(&["a"], &[], &["a"]);
}
