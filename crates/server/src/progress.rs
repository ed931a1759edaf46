//! How far a call is that takes long: told to whoever made it, as it goes on.

use std::pin::pin;
use std::time::Duration;
use tokio::sync::watch;
use um_engine::Progress;
use um_model::jobs::LongCall;

/// A caller hears of its call at most this often.
const EVERY: Duration = Duration::from_millis(250);

/// A listener for the engine, and where its latest word is found. Words that nobody takes are replaced, so
/// that a slow reader costs no memory.
pub(crate) fn channel() -> (Progress, watch::Receiver<Option<LongCall>>) {
    let (said, heard) = watch::channel(None);
    (Progress::new(move |call| drop(said.send_replace(Some(call.clone())))), heard)
}

/// Does the work, and meanwhile hands on how far it is.
pub(crate) async fn beside<T, Told: Future<Output = ()>>(
    work: impl Future<Output = T>,
    mut heard: watch::Receiver<Option<LongCall>>,
    tell: impl Fn(LongCall) -> Told,
) -> T {
    let mut work = pin!(work);
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            Ok(()) = heard.changed() => {
                let call = heard.borrow_and_update().clone();
                if let Some(call) = call {
                    tell(call).await;
                }
            }
        }
        tokio::select! {
            biased;
            done = &mut work => return done,
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}
