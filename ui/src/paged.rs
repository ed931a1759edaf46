//! A long list read page by page, as far as it is looked at.

use crate::{components::states::Listing, ipc};
use leptos::{prelude::*, task::spawn_local};
use std::{collections::BTreeMap, ops::Range};
use um_model::{ApiError, ops::Request};

/// Rows read at a time.
pub const PAGE: u32 = 100;

/// The rows of a list, as far as they were looked at.
pub struct Paged<T: Send + Sync + 'static> {
    pages: RwSignal<BTreeMap<u32, Vec<T>>>,
    /// How many rows there are; `None` before that is known.
    pub total: RwSignal<Option<u64>>,
    /// Why the newest attempt failed.
    pub error: RwSignal<Option<ApiError>>,
    /// The rows that are looked at.
    pub seen: RwSignal<Range<usize>>,
    epoch: StoredValue<u64>,
    again: RwSignal<u32>,
}

impl<T: Send + Sync + 'static> Clone for Paged<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync + 'static> Copy for Paged<T> {}

/// Where the list that draws some rows tells which of them are looked at: `seen` changes where these do.
pub fn sight(seen: RwSignal<Range<usize>>) -> WriteSignal<Range<usize>> {
    let (visible, set_visible) = signal(0..1);
    Effect::new(move |_| {
        let now = visible.get();
        if seen.get_untracked() != now {
            seen.set(now);
        }
    });
    set_visible
}

/// The pages that rows lie on.
fn pages_of(rows: &Range<usize>) -> Range<u32> {
    let page = PAGE as usize;
    (rows.start / page) as u32..(rows.end.max(rows.start + 1)).div_ceil(page) as u32
}

impl<T: Clone + Send + Sync + 'static> Paged<T> {
    /// Reads pages with the request that `question` makes of an offset. Whenever a signal that `question`
    /// reads changes, all is forgotten; whenever one that `stale` reads changes, what is seen is read
    /// anew, and the old rows stay until the new ones are there.
    pub fn new<R>(
        question: impl Fn(u32) -> R + Clone + Send + Sync + 'static,
        stale: impl Fn() + Send + Sync + 'static,
        rows: fn(R::Response) -> (Vec<T>, u64),
    ) -> Self
    where
        R: Request + 'static,
    {
        let list = Self {
            pages: RwSignal::new(BTreeMap::new()),
            total: RwSignal::new(None),
            error: RwSignal::new(None),
            seen: RwSignal::new(0..1),
            epoch: StoredValue::new(0),
            again: RwSignal::new(0),
        };
        let asked = question.clone();
        Effect::new(move |_| {
            // Subscribes to what the question is made of.
            let _ = asked(0);
            list.forget();
            list.again.update(|n| *n += 1);
        });
        Effect::new(move |_| {
            stale();
            list.again.track();
            list.begin_anew();
            let seen = list.seen.get_untracked();
            for page in pages_of(&seen) {
                list.read(page, untrack(|| question(page * PAGE)), rows);
            }
            list.watch_scrolling(question.clone(), rows);
        });
        list
    }

    /// Reads pages that scrolling brings into sight; ends with the effect that called it.
    fn watch_scrolling<R: Request + 'static>(
        self,
        question: impl Fn(u32) -> R + Send + Sync + 'static,
        rows: fn(R::Response) -> (Vec<T>, u64),
    ) {
        let asked = StoredValue::new(pages_of(&self.seen.get_untracked()).collect::<Vec<_>>());
        Effect::new(move |_| {
            for page in pages_of(&self.seen.get()) {
                if asked.with_value(|asked| !asked.contains(&page)) {
                    asked.update_value(|asked| asked.push(page));
                    self.read(page, untrack(|| question(page * PAGE)), rows);
                }
            }
        });
    }

    /// Where the list that draws the rows tells which of them are looked at.
    pub fn sight(self) -> WriteSignal<Range<usize>> {
        sight(self.seen)
    }

    /// How many rows there are, for the list that draws them.
    pub fn length(self) -> Signal<usize> {
        Signal::derive(move || self.total.get().unwrap_or(0) as usize)
    }

    /// What a page shows of it as a whole.
    pub fn listing(self) -> Listing {
        Listing {
            is_empty: Signal::derive(move || self.total.get().map(|total| total == 0)),
            error: self.error,
            retry: Callback::new(move |()| self.refresh()),
        }
    }

    /// The row, where it was read.
    pub fn row(&self, index: usize) -> Option<T> {
        let page = PAGE as usize;
        self.pages.with(|pages| pages.get(&((index / page) as u32))?.get(index % page).cloned())
    }

    /// Reads what is seen anew.
    pub fn refresh(&self) {
        self.again.update(|n| *n += 1);
    }

    fn forget(&self) {
        self.pages.update(BTreeMap::clear);
        self.total.set(None);
        self.error.set(None);
        self.seen.set(0..1);
    }

    fn begin_anew(&self) {
        self.epoch.update_value(|epoch| *epoch += 1);
        // Pages out of sight are read anew when they come into sight; the others stay until then.
        let seen = pages_of(&self.seen.get_untracked());
        self.pages.update(|pages| pages.retain(|page, _| seen.contains(page)));
    }

    fn read<R: Request + 'static>(self, page: u32, request: R, rows: fn(R::Response) -> (Vec<T>, u64)) {
        let mine = self.epoch.get_value();
        spawn_local(async move {
            let answer = ipc::call(request).await;
            if self.epoch.try_get_value() != Some(mine) {
                return;
            }
            match answer.map(rows) {
                Ok((rows, total)) => {
                    self.pages.update(|pages| drop(pages.insert(page, rows)));
                    if self.total.get_untracked() != Some(total) {
                        self.total.set(Some(total));
                    }
                    self.error.set(None);
                }
                Err(error) => self.error.set(Some(error)),
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_lie_on_pages() {
        assert_eq!(pages_of(&(0..1)), 0..1);
        assert_eq!(pages_of(&(0..0)), 0..1);
        assert_eq!(pages_of(&(90..101)), 0..2);
        assert_eq!(pages_of(&(200..300)), 2..3);
    }
}
