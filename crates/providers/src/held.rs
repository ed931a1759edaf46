//! A model that is loaded when it is first needed, and leaves memory when it is idle.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use um_engine::provider::{ProviderError, ProviderResult};

/// One model, in memory or not.
pub(crate) struct Held<M> {
    /// With the time of its last use.
    model: Mutex<Option<(M, Instant)>>,
    in_memory: AtomicBool,
    problem: Mutex<Option<ProviderError>>,
}

impl<M> Default for Held<M> {
    fn default() -> Self {
        Held { model: Mutex::new(None), in_memory: AtomicBool::new(false), problem: Mutex::new(None) }
    }
}

impl<M> Held<M> {
    /// Has the model work, loaded first where it is not.
    ///
    /// # Errors
    /// Those of loading, which are kept as its problem, and of the work.
    pub(crate) fn with<T>(
        &self,
        load: impl FnOnce() -> ProviderResult<M>,
        work: impl FnOnce(&mut M) -> ProviderResult<T>,
    ) -> ProviderResult<T> {
        let mut held = lock(&self.model);
        let (model, used) = match held.as_mut() {
            Some(loaded) => loaded,
            None => {
                let loaded = load();
                *lock(&self.problem) = loaded.as_ref().err().cloned();
                let loaded = held.insert((loaded?, Instant::now()));
                self.in_memory.store(true, Ordering::Relaxed);
                loaded
            }
        };
        let worked = work(model);
        *used = Instant::now();
        worked
    }

    /// Has the model work where it is in memory and nobody uses it.
    pub(crate) fn if_free<T>(&self, work: impl FnOnce(&mut M) -> T) -> Option<T> {
        let mut held = match self.model.try_lock() {
            Ok(held) => held,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let (model, used) = held.as_mut()?;
        let worked = work(model);
        *used = Instant::now();
        Some(worked)
    }

    /// Whether the model is in memory.
    pub(crate) fn is_loaded(&self) -> bool {
        self.in_memory.load(Ordering::Relaxed)
    }

    /// Why it cannot be loaded, where that was tried.
    pub(crate) fn problem(&self) -> Option<String> {
        lock(&self.problem).as_ref().map(ToString::to_string)
    }

    /// Whether the model itself cannot be loaded, whatever else is there.
    pub(crate) fn is_broken(&self) -> bool {
        lock(&self.problem).as_ref().is_some_and(|problem| !matches!(problem, ProviderError::ToolMissing { .. }))
    }

    /// Takes it out of memory, when it has not been used for so long and is not in use; whether it did.
    pub(crate) fn unload_idle(&self, idle: Duration) -> bool {
        let Ok(mut held) = self.model.try_lock() else {
            return false;
        };
        let unloaded = held.take_if(|(_, used)| used.elapsed() >= idle).is_some();
        if unloaded {
            self.in_memory.store(false, Ordering::Relaxed);
        }
        unloaded
    }

    /// Forgets what it knows of files that have changed.
    pub(crate) fn forget(&self) {
        *lock(&self.problem) = None;
        *lock(&self.model) = None;
        self.in_memory.store(false, Ordering::Relaxed);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic leaves a model or a message behind, both still whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
