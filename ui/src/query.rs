//! A question to the engine whose answer is shown: it keeps what it had while it asks again.

use crate::ipc;
use leptos::{prelude::*, task::spawn_local};
use um_model::{ApiError, ErrorCode, ops::Request};

/// The answer to one operation, asked anew whenever what it depends on changes.
pub struct Query<T: Send + Sync + 'static> {
    /// The newest answer; the one before stays while the next is awaited.
    pub value: RwSignal<Option<T>>,
    /// Why the newest attempt gave none.
    pub error: RwSignal<Option<ApiError>>,
    /// Whether an answer is awaited.
    pub loading: RwSignal<bool>,
    again: RwSignal<u32>,
}

impl<T: Send + Sync + 'static> Clone for Query<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync + 'static> Copy for Query<T> {}

impl<T: Clone + Send + Sync + 'static> Query<T> {
    /// Asks `question`, and again whenever a signal that it reads changes. `None` asks nothing, and
    /// forgets the answer there was.
    pub fn new<R>(question: impl Fn() -> Option<R> + Send + Sync + 'static) -> Self
    where
        R: Request<Response = T> + 'static,
    {
        let query = Self {
            value: RwSignal::new(None),
            error: RwSignal::new(None),
            loading: RwSignal::new(false),
            again: RwSignal::new(0),
        };
        let turn = StoredValue::new(0u64);
        Effect::new(move |_| {
            query.again.track();
            turn.update_value(|turn| *turn += 1);
            let mine = turn.get_value();
            match question() {
                None => query.forget(),
                Some(request) => {
                    query.loading.set(true);
                    spawn_local(async move {
                        let answer = ipc::call(request).await;
                        // Answers of older turns, and those that come after the page is gone, are dropped.
                        if turn.try_get_value() == Some(mine) {
                            query.take(answer);
                        }
                    });
                }
            }
        });
        query
    }

    /// Asks the same again.
    pub fn refresh(&self) {
        self.again.update(|again| *again += 1);
    }

    fn forget(&self) {
        self.value.set(None);
        self.error.set(None);
        self.loading.set(false);
    }

    fn take(&self, answer: Result<T, ApiError>) {
        match answer {
            Ok(value) => {
                self.value.set(Some(value));
                self.error.set(None);
            }
            Err(error) => {
                // What is there no more is shown no more, either.
                if error.code == ErrorCode::NotFound {
                    self.value.set(None);
                }
                self.error.set(Some(error));
            }
        }
        self.loading.set(false);
    }
}
