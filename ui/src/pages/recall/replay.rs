//! A trace computed again from what it holds, and its question asked again now.

use super::{passed::thing, words};
use crate::{
    components::{
        icon::{Glyph, Icon},
        states::Trouble,
    },
    format::count,
    ipc,
    state::App,
};
use leptos::{prelude::*, task::spawn_local};
use std::collections::BTreeMap;
use um_model::{
    MemoryId, TraceId,
    traces::{RankChange, TraceReplay, TraceReplayed},
};

/// What computing it again gave, in a sentence.
fn again(replayed: &TraceReplayed) -> String {
    if replayed.exact {
        return "Computed again from its signals, it gives the same again.".into();
    }
    let differs: Vec<&str> = replayed.differs.iter().map(|part| part.called()).collect();
    let differs = differs.join("; ");
    match replayed.other_ranking {
        Some(_) => format!("The ranking has changed since. Computed again, this differs: {differs}."),
        None => format!("Computed again from its signals, this differs: {differs}."),
    }
}

/// What the button does.
fn does(wordless: bool) -> &'static str {
    match wordless {
        true => "Computes the order again from what is kept here.",
        false => "Computes the order again from what is kept here, and asks the question again now.",
    }
}

/// What asking again gives, in a sentence; none where it could not be asked.
fn now(replayed: &TraceReplayed) -> Option<String> {
    if replayed.failed.is_some() {
        return None;
    }
    let changed = replayed.changes.len() as u64;
    let end = match (replayed.abstained_then, replayed.abstains_now) {
        (false, true) => " Then it was answered; now it is not.",
        (true, false) => " Then it was not answered; now it is.",
        _ => "",
    };
    Some(match changed {
        0 => format!("Asked again now, it finds the same.{end}"),
        1 => format!("Asked again now, 1 source has another place.{end}"),
        some => format!("Asked again now, {} have another place.{end}", count(some, "source")),
    })
}

/// The button, and what came of it.
#[component]
pub fn Replay(
    /// The trace.
    id: TraceId,
    /// What its memories are called.
    names: BTreeMap<MemoryId, String>,
    /// Whether its question is kept without its words: then it cannot be asked again.
    wordless: bool,
) -> impl IntoView {
    let app = App::get();
    let replayed = RwSignal::new(None::<TraceReplayed>);
    let busy = RwSignal::new(false);
    let names = StoredValue::new(names);
    let run = Callback::new(move |()| {
        let request = TraceReplay { id: id.clone() };
        busy.set(true);
        spawn_local(async move {
            let answer = ipc::call(request).await;
            busy.try_set(false);
            match answer {
                Ok(answer) => drop(replayed.try_set(Some(answer))),
                Err(error) => app.toasts.trouble(&error),
            }
        });
    });
    let failed = move || replayed.with(|replayed| replayed.as_ref().and_then(|replayed| replayed.failed.clone()));
    view! {
        <section class="panel" aria-labelledby="replay-title">
            <div class="head-row">
                <h2 id="replay-title" class="grow">"Again"</h2>
                <button type="button" class="button" data-testid="trace-replay" disabled=move || busy.get() on:click=move |_| run.run(())>
                    <Glyph icon=Icon::Reread/> "Replay"
                </button>
            </div>
            <div role="status" data-testid="trace-replayed">
                {move || match replayed.get() {
                    Some(replayed) => came_of(&replayed, names).into_any(),
                    None => view! { <p class="muted small">{does(wordless)}</p> }.into_any(),
                }}
            </div>
            {move || failed().map(|error| match wordless {
                // To try again would end the same.
                true => view! { <p class="muted small" data-testid="replay-wordless">{error.message}</p> }.into_any(),
                false => view! { <Trouble what="It could not be asked again." error retry=run/> }.into_any(),
            })}
        </section>
    }
}

fn came_of(replayed: &TraceReplayed, names: StoredValue<BTreeMap<MemoryId, String>>) -> impl IntoView + use<> {
    let titles: BTreeMap<MemoryId, String> =
        replayed.now.iter().map(|hit| (hit.ids.memory.clone(), hit.title.clone())).collect();
    let (icon, class) =
        if replayed.exact { (Icon::CheckCircle, "state working") } else { (Icon::Alert, "state waiting") };
    let row = |change: &RankChange| {
        let known =
            titles.get(&change.memory).cloned().or_else(|| names.with_value(|n| n.get(&change.memory).cloned()));
        let title = match known {
            Some(title) => thing(change.memory.clone(), None, title).into_any(),
            None => view! { <span class="muted">"No longer there"</span> }.into_any(),
        };
        view! { <li class="passed-row">{title} <span class="muted small">{words::change(change)}</span></li> }
    };
    let rows: Vec<_> = replayed.changes.iter().map(row).collect();
    let as_told = replayed.as_told.join(" ");
    view! {
        <p class=class><Glyph icon/> <span>{again(replayed)}</span></p>
        {(!as_told.is_empty()).then(|| view! {
            <p class="muted small" data-testid="trace-as-told">{format!("Taken as it was told. {as_told}")}</p>
        })}
        {now(replayed).map(|says| view! { <p>{says}</p> })}
        {replayed.other_reranker.clone().map(|says| view! { <p>{says}</p> })}
        {(!rows.is_empty()).then(|| view! { <ol class="passed-list" aria-label="What has another place">{rows}</ol> })}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use um_model::traces::ReplayPart;
    use um_model::{ApiError, ErrorCode};

    #[test]
    fn a_replay_is_told_in_sentences() {
        let same = TraceReplayed {
            replayed: Vec::new(),
            exact: true,
            differs: Vec::new(),
            as_told: Vec::new(),
            other_ranking: None,
            other_reranker: None,
            failed: None,
            now: Vec::new(),
            changes: Vec::new(),
            abstained_then: false,
            abstains_now: false,
        };
        assert_eq!(again(&same), "Computed again from its signals, it gives the same again.");
        assert_eq!(now(&same).as_deref(), Some("Asked again now, it finds the same."));
        for (changed, says) in [(1, "1 source has another place."), (2, "2 sources have another place.")] {
            let memory = MemoryId::parse(um_model::OWNER_AGENT.to_owned()).unwrap();
            let changes = vec![RankChange { memory, then: Some(1), now: Some(2) }; changed];
            let told = now(&TraceReplayed { changes, ..same.clone() });
            assert_eq!(told, Some(format!("Asked again now, {says}")));
        }
        let error = ApiError::new(ErrorCode::NotFound, "There is no space \"Boats\".").hint("Name another one.");
        let failed = TraceReplayed { failed: Some(error), ..same.clone() };
        assert_eq!(now(&failed), None, "why is told by the error");
        let parts = vec![ReplayPart::Order, ReplayPart::Gates];
        let other = TraceReplayed { exact: false, differs: parts, ..same.clone() };
        let says = "Computed again from its signals, this differs: the order; what was left out and why.";
        assert_eq!(again(&other), says);
        let gone = TraceReplayed { abstains_now: true, exact: false, other_ranking: Some("2".into()), ..same };
        let says = "Asked again now, it finds the same. Then it was answered; now it is not.";
        assert_eq!(now(&gone).as_deref(), Some(says));
        assert!(again(&gone).starts_with("The ranking has changed"));
        assert!(does(false).ends_with("asks the question again now.") && !does(true).contains("asks"));
    }
}
