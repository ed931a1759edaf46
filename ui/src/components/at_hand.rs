//! How near at hand a note or file is, and until when it is in use: said where it is not as usual, with the way to change that.

use super::{
    icon::{Glyph, Icon},
    menu::Item as MenuItem,
    states::prose,
};
use crate::{actions, dates, query::Query, state::App};
use leptos::prelude::*;
use um_model::{
    MemoryId, MemoryStatus, Tier,
    capture::{Got, Memory, MemoryGet},
};

/// A memory as it is now: it is asked for again whenever the library changes. Nothing before it is there.
pub fn memory_now(app: App, id: impl Fn() -> Option<MemoryId> + Send + Sync + 'static) -> Memo<Option<Memory>> {
    let got = Query::new(move || {
        app.changes.library.track();
        id().map(|id| MemoryGet { id: id.into() })
    });
    Memo::new(move |_| match got.value.get() {
        Some(Got::Memory(memory)) => Some(memory),
        _ => None,
    })
}

/// Whether it may be put out of the way, or is: only what is in use.
fn in_use(memory: &Memory) -> bool {
    memory.status == MemoryStatus::Active
}

/// What a menu offers of it: to put it out of the way, or to bring it back. Nothing of what is not in use.
pub fn menu_item(app: App, memory: Memory) -> Option<MenuItem> {
    let (label, icon, tier) = match memory.tier {
        Tier::Cold => ("Bring it back", Icon::Undo, Tier::Warm),
        Tier::Hot | Tier::Warm => ("Put out of the way", Icon::Moved, Tier::Cold),
    };
    in_use(&memory).then(|| {
        let act = Callback::new(move |()| actions::set_tier(app, &memory, tier));
        MenuItem { label: label.into(), icon, key: None, act }
    })
}

/// That it is out of the way, and until when it is in use, each with the way back to the usual.
#[component]
pub fn AtHand(
    /// The memory.
    memory: Memo<Option<Memory>>,
) -> impl IntoView {
    let app = App::get();
    move || {
        let memory = memory.get().filter(in_use)?;
        let (cold, ending) = (memory.clone(), memory.clone());
        let away = (memory.tier == Tier::Cold).then(|| {
            let says = "It is out of the way: only a question with `tier:cold` finds it.".to_owned();
            let back = Callback::new(move |()| actions::set_tier(app, &cold, Tier::Warm));
            line("out-of-the-way", says, ("bring-back", "Bring it back"), back)
        });
        let until = memory.expires_at.map(|at| {
            // The day that ends then is the last one.
            let says = format!("In use until {}: it goes out of use by itself then.", dates::day(at - 1));
            let keep = Callback::new(move |()| actions::keep_for_good(app, &ending));
            line("in-use-until", says, ("keep-for-good", "Keep it for good"), keep)
        });
        Some(view! { {away} {until} })
    }
}

fn line(
    testid: &'static str,
    says: String,
    (button, words): (&'static str, &'static str),
    act: Callback<()>,
) -> impl IntoView {
    view! {
        <div class="notice" role="status" data-testid=testid>
            <Glyph icon=Icon::Info/><p class="grow">{prose(&says)}</p>
            <button type="button" class="button small" data-testid=button on:click=move |_| act.run(())>{words}</button>
        </div>
    }
}
