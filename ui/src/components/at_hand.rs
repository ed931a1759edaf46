//! How near at hand a note or file is, and until when it is in use: said where it is not as usual, with the way to change that.

use super::{
    icon::{Glyph, Icon},
    menu::Item as MenuItem,
    states::prose,
};
use crate::{actions, app::has_no_focus, dates, query::Query, state::App};
use leptos::prelude::*;
use um_model::{
    MemoryId, MemoryStatus, Tier,
    capture::{Got, Memory, MemoryGet},
};
use wasm_bindgen::JsCast;

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

/// What can be done about how near at hand a memory is.
#[derive(Debug, PartialEq)]
struct Turn {
    /// What it is called.
    words: &'static str,
    icon: Icon,
    /// How near at hand the memory is then.
    tier: Tier,
}

/// Puts out of the way what is at hand, and brings back what is not. Nothing of what is not in use.
fn turn(memory: &Memory) -> Option<Turn> {
    let turn = match memory.tier {
        Tier::Cold => Turn { words: "Bring it back", icon: Icon::Undo, tier: Tier::Warm },
        Tier::Hot | Tier::Warm => Turn { words: "Put out of the way", icon: Icon::Moved, tier: Tier::Cold },
    };
    in_use(memory).then_some(turn)
}

/// What a menu offers of it: to put it out of the way, or to bring it back. Nothing of what is not in use.
pub fn menu_item(app: App, memory: Memory) -> Option<MenuItem> {
    let Turn { words, icon, tier } = turn(&memory)?;
    let act = Callback::new(move |()| actions::set_tier(app, &memory, tier));
    Some(MenuItem { label: words.into(), icon, key: None, act })
}

/// The button that puts a memory out of the way. Nothing where it is: [`AtHand`] says so, and has the way back.
pub fn away_button(app: App, memory: Memo<Option<Memory>>) -> impl IntoView {
    move || {
        on_cleanup(keep_focus);
        let memory = memory.get()?;
        let Turn { words, icon, tier } = turn(&memory).filter(|turn| turn.tier == Tier::Cold)?;
        Some(view! {
            <button type="button" class="button ghost" data-testid="note-away" data-changes="tier"
                title="Only a question with tier:cold finds it then" on:click=move |_| actions::set_tier(app, &memory, tier)>
                <Glyph icon/> {words}
            </button>
        })
    }
}

/// A button that changes how near at hand something is goes once it has done so. Where it has the focus, the one that takes its place
/// gets that, or what it stood in where there is none.
fn keep_focus() {
    let Some(button) = document().active_element().filter(|e| e.has_attribute("data-changes")) else { return };
    let Some(within) = button.closest("#viewer, .item-side, #main").ok().flatten() else { return };
    let is_of_tier = button.get_attribute("data-changes").as_deref() == Some("tier");
    // Once it is gone: it stays where something else of the memory changed.
    request_animation_frame(move || {
        if !has_no_focus() || !within.is_connected() {
            return;
        }
        let other = within.query_selector("[data-changes=tier]").ok().flatten().filter(|_| is_of_tier);
        // An element that cannot be focused leaves the focus where it is.
        let _ = other.unwrap_or(within).unchecked_into::<web_sys::HtmlElement>().focus();
    });
}

/// That it is out of the way, and until when it is in use, each with the way back to the usual.
#[component]
pub fn AtHand(
    /// The memory.
    memory: Memo<Option<Memory>>,
) -> impl IntoView {
    let app = App::get();
    move || {
        on_cleanup(keep_focus);
        let memory = memory.get().filter(in_use)?;
        let (cold, ending) = (memory.clone(), memory.clone());
        let away = turn(&memory).filter(|turn| turn.tier != Tier::Cold).map(|Turn { words, tier, .. }| {
            let says = "It is out of the way: only a question with `tier:cold` finds it.";
            let back = Callback::new(move |()| actions::set_tier(app, &cold, tier));
            line("out-of-the-way", says, ("bring-back", words, "tier"), back)
        });
        let until = memory.expires_at.map(|at| {
            let says = format!("In use until {}: it goes out of use by itself then.", dates::until(at));
            let keep = Callback::new(move |()| actions::keep_for_good(app, &ending));
            line("in-use-until", &says, ("keep-for-good", "Keep it for good", "end"), keep)
        });
        Some(view! { {away} {until} })
    }
}

/// What is said of a memory, and the button that changes it: what tests know it by, its words, and which of both it changes, its `tier`
/// or its `end`.
fn line(
    testid: &'static str,
    says: &str,
    (button, words, changes): (&'static str, &'static str, &'static str),
    act: Callback<()>,
) -> impl IntoView + use<> {
    view! {
        <div class="notice" role="status" data-testid=testid>
            <Glyph icon=Icon::Info/><p class="grow">{prose(says)}</p>
            <button type="button" class="button small" data-testid=button data-changes=changes
                on:click=move |_| act.run(())>{words}</button>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_use_is_put_out_of_the_way_or_brought_back() {
        let id = um_model::OWNER_AGENT;
        let check = |status: &str, tier: &str, expected: Option<(&str, Tier)>| {
            let memory = serde_json::json!({ "id": id, "space_id": id, "actor_id": id, "modality": "text", "scope": "fact",
                "status": status, "tier": tier, "created_at": 0 });
            let told = turn(&serde_json::from_value(memory).unwrap());
            assert_eq!(told.map(|turn| (turn.words, turn.tier)), expected, "{status} {tier}");
        };
        for near in ["hot", "warm"] {
            check("active", near, Some(("Put out of the way", Tier::Cold)));
        }
        check("active", "cold", Some(("Bring it back", Tier::Warm)));
        for gone in ["deleted", "superseded", "expired"] {
            check(gone, "warm", None);
            check(gone, "cold", None);
        }
    }
}
