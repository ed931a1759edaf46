//! What became of the passages of an answer since it came.

use crate::{ipc, state::App};
use leptos::{prelude::*, task::spawn_local};
use um_model::{
    MemoryId, MemoryStatus, Tier,
    capture::{MemoriesStatus, MemoryTold},
    recall::{Hit, MemoryRecall},
};

/// While the library keeps changing it is asked at most this often, in milliseconds.
const REST_MS: u32 = 1_000;
/// So many memories are asked about at once.
const MOST: usize = 200;

/// What is known of the memories that an answer shows. One request is made for all of them.
#[derive(Clone, Copy)]
pub struct Since {
    told: RwSignal<Vec<MemoryTold>>,
    /// Whether cold ones were asked for: then they are still found.
    with_cold: bool,
}

impl Since {
    /// Looks after the memories of an answer from now on. None where it is not of what is so now.
    pub fn of(app: App, request: &MemoryRecall, hits: &[Hit]) -> Option<Self> {
        if request.as_of.or(request.known_at).is_some() {
            return None;
        }
        let told = RwSignal::new(Vec::new());
        look_after(app, memories(hits), told);
        Some(Self { told, with_cold: asks_for_cold(request) })
    }

    /// Why a passage of a memory would be found no more by now.
    pub fn gone(self, memory: &MemoryId) -> Option<&'static str> {
        self.told.with(|told| told.iter().find(|one| one.id == *memory).and_then(|one| gone(one, self.with_cold)))
    }
}

/// Their memories, each once.
fn memories(hits: &[Hit]) -> Vec<MemoryId> {
    let mut ids: Vec<MemoryId> = hits.iter().map(|hit| hit.ids.memory.clone()).collect();
    ids.sort();
    ids.dedup();
    ids.truncate(MOST);
    ids
}

/// Asks about these memories once the library changed. What changes while it is asked, or shortly after that, is asked about once more:
/// no answer is dropped, and the last one is of the last change.
fn look_after(app: App, ids: Vec<MemoryId>, told: RwSignal<Vec<MemoryTold>>) {
    let ids = StoredValue::new(ids);
    let (changed, is_asking) = (StoredValue::new(false), StoredValue::new(false));
    Effect::new(move |before: Option<()>| {
        app.changes.library.track();
        // The answer is of now.
        if before.is_none() || ids.with_value(Vec::is_empty) {
            return;
        }
        changed.set_value(true);
        if is_asking.get_value() {
            return;
        }
        is_asking.set_value(true);
        spawn_local(async move {
            // Once the answer is shown no more, there is nothing left to ask about.
            while changed.try_update_value(std::mem::take) == Some(true) {
                let Some(ids) = ids.try_get_value() else { return };
                if let Ok(answer) = ipc::call(MemoriesStatus { ids }).await {
                    told.try_set(answer.memories);
                }
                gloo_timers::future::TimeoutFuture::new(REST_MS).await;
            }
            is_asking.try_update_value(|is_asking| *is_asking = false);
        });
    });
}

/// Whether what is out of the way is asked for as well.
fn asks_for_cold(request: &MemoryRecall) -> bool {
    let typed = || request.query.split_whitespace().any(|word| word.eq_ignore_ascii_case("tier:cold"));
    request.tiers.contains(&Tier::Cold) || typed()
}

/// Why what became so is found no more.
fn gone(memory: &MemoryTold, with_cold: bool) -> Option<&'static str> {
    match memory.status {
        MemoryStatus::Active if memory.tier == Tier::Cold && !with_cold => {
            Some("Since this was asked, it was put out of the way: only a question with tier:cold finds it.")
        }
        MemoryStatus::Active => None,
        MemoryStatus::Superseded => Some("Since this was asked, a newer one took its place."),
        MemoryStatus::Consolidated => Some("Since this was asked, it was summed up in another one."),
        MemoryStatus::Retracted => Some("Since this was asked, it was found to be wrong."),
        MemoryStatus::Expired => Some("Since this was asked, it went out of use."),
        MemoryStatus::Archived => Some("Since this was asked, it was archived, and its words were destroyed."),
        MemoryStatus::Deleted => Some("Since this was asked, it was removed."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_in_use_and_at_hand_is_still_found() {
        let id = MemoryId::parse(um_model::OWNER_AGENT).unwrap();
        let says = |status, tier, with_cold| gone(&MemoryTold { id: id.clone(), status, tier }, with_cold);
        for status in MemoryStatus::ALL {
            let is_active = *status == MemoryStatus::Active;
            assert_eq!(says(*status, Tier::Warm, false).is_none(), is_active, "{status}");
            assert_eq!(says(*status, Tier::Cold, true).is_none(), is_active, "{status}");
        }
        for (status, tier, word) in [
            (MemoryStatus::Active, Tier::Cold, "out of the way"),
            (MemoryStatus::Archived, Tier::Warm, "archived"),
            (MemoryStatus::Archived, Tier::Cold, "archived"),
            (MemoryStatus::Deleted, Tier::Warm, "removed"),
        ] {
            assert!(says(status, tier, false).is_some_and(|says| says.contains(word)), "{status} {tier}");
        }
    }

    #[test]
    fn cold_ones_are_asked_for_by_a_filter_or_a_word() {
        let asked = |query: &str, tiers: &[Tier]| {
            asks_for_cold(&MemoryRecall { query: query.into(), tiers: tiers.to_vec(), ..MemoryRecall::default() })
        };
        assert!(asked("rent Tier:cold", &[]) && asked("rent", &[Tier::Hot, Tier::Cold]));
        assert!(!asked("rent cold", &[Tier::Warm]));
    }
}
