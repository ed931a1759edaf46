//! An answer: its passages, or why there are none; what is believed beside it; what can be said of it.

use super::{
    RecallDialog,
    believed::Believed,
    connected::connected,
    event::event,
    filters::LIMIT,
    opinion::Opinion,
    passed::{PassedOver, Told},
    result::ResultCard,
    signals::Scale,
    since::Since,
};
use crate::{
    components::{
        citation::Cited,
        icon::{Glyph, Icon},
        link::PageLink,
        viewer::Target,
    },
    dates,
    format::count,
    route::Route,
    state::{App, Dialog},
    voice,
};
use leptos::{ev::KeyboardEvent, prelude::*};
use um_model::{
    SpaceId,
    recall::{Hit, MemoryRecall, Recalled},
    spaces::SpaceSummary,
};
use wasm_bindgen::JsCast;

/// How many passages are shown where nothing answers.
const CLOSEST: usize = 3;

/// What came of a question.
#[component]
pub fn Answer(
    /// It.
    recalled: Recalled,
    /// The question.
    request: MemoryRecall,
    /// The day that is asked of; now where there is none.
    day: RwSignal<Option<i64>>,
    /// The day whose knowledge is asked; all that is known where there is none.
    known: RwSignal<Option<i64>>,
) -> impl IntoView {
    let app = App::get();
    // The viewer outlines the other passages of the page that it shows.
    let cited = Cited::answer(&recalled.hits);
    app.results.set(cited.iter().map(Target::of).collect());
    let cited = StoredValue::new(cited);
    let trace = recalled.trace.clone();
    let recalled = StoredValue::new(recalled);
    let (abstained, hits) = recalled.with_value(|r| (r.abstained || r.hits.is_empty(), r.hits.len()));
    let closest = RwSignal::new(false);
    let count_words = if abstained { "No answer".to_owned() } else { count(hits as u64, "passage") };
    let notices = recalled.with_value(|r| r.notices.clone());
    let query = request.query.clone();
    let known_at = request.known_at;
    let since = recalled.with_value(|r| Since::of(app, &request, &r.hits));
    let kept = trace.clone().map(|trace| Told::of(app, trace));
    let told = trace.clone().map(|trace| view! {
        <PageLink to=Signal::stored(Route::Trace(trace)) class="button ghost small" testid="answer-trace">"How it came about"</PageLink>
    });
    view! {
        <div class="answer" data-day=day.get_untracked().map(|day| day.to_string())
            data-known=known.get_untracked().map(|day| day.to_string())>
            <Believed query known=known_at day/>
            <div class="answer-main">
                <div class="answer-head">
                    <p class="muted small" role="status" data-testid="result-count">{count_words}</p>
                    <Opinion trace/>
                    {told}
                    {ask_more(app, request)}
                </div>
                {notices.into_iter().map(|n| view! {
                    <p class="notice small"><Glyph icon=Icon::Info/> <span class="grow">{n}</span></p>
                }).collect_view()}
                {recalled.with_value(|r| event(r.event.clone(), r.event_notice.clone()))}
                {abstained.then(|| view! { <NoAnswer recalled closest day known/> })}
                {move || (!abstained || closest.get()).then(|| {
                    let limit = if abstained { CLOSEST } else { LIMIT as usize };
                    let (hits, weights) = recalled.with_value(|r| (r.hits.clone(), r.weights.clone()));
                    view! { <Results hits weights cited=cited.get_value() limit trace=kept since/> }
                })}
                {recalled.with_value(|r| connected(r.associated.clone()))}
                {kept.map(|told| view! { <PassedOver told/> })}
            </div>
        </div>
    }
}

/// What else can be asked, and that the question is kept.
fn ask_more(app: App, request: MemoryRecall) -> impl IntoView {
    let request = StoredValue::new(request);
    let open = move |dialog: fn(Box<MemoryRecall>) -> RecallDialog| {
        app.dialog.set(Some(Dialog::Recall(dialog(Box::new(request.get_value())))));
    };
    view! {
        <button type="button" class="button ghost small" data-testid="why-not" on:click=move |_| open(RecallDialog::WhyNot)>
            "Why not..."
        </button>
        <button type="button" class="button ghost small" data-testid="save-search" on:click=move |_| open(RecallDialog::Save)>
            <Glyph icon=Icon::Saved/> "Save"
        </button>
    }
}

/// Whether all spaces that were searched, the one in use and what it includes, hold nothing that could be found.
fn hold_nothing(searched: &[SpaceId], all: &[SpaceSummary]) -> bool {
    let holds_nothing = |id: &SpaceId| all.iter().any(|s| s.space.id == *id && s.artifacts + s.memories == 0);
    !searched.is_empty() && searched.iter().all(holds_nothing)
}

#[component]
fn NoAnswer(
    recalled: StoredValue<Recalled>,
    closest: RwSignal<bool>,
    day: RwSignal<Option<i64>>,
    known: RwSignal<Option<i64>>,
) -> impl IntoView {
    let app = App::get();
    let (reason, hits) = recalled.with_value(|r| (r.reason.clone(), r.hits.len().min(CLOSEST)));
    let holds_nothing = move || {
        app.spaces
            .value
            .with(|all| all.as_ref().is_some_and(|all| recalled.with_value(|r| hold_nothing(&r.spaces, &all.spaces))))
    };
    let empty = move || hits == 0 && holds_nothing();
    let says = move || match (empty(), day.get()) {
        (true, _) => voice::nothing_yet(&app.space_label()),
        (false, None) => voice::no_answer(&app.space_label()),
        (false, Some(day)) => voice::no_answer_then(&app.space_label(), &dates::numbered_day(day)),
    };
    view! {
        <div class="no-answer" data-testid="no-answer">
            <p class="strong">{says}</p>
            // Where nothing is kept, that is all there is to say.
            {move || reason.clone().filter(|_| !empty()).map(|reason| view! {
                <p class="muted" data-testid="no-answer-reason">{reason}</p>
            })}
            {(hits > 0).then(|| view! {
                <button type="button" class="button" data-testid="show-closest" aria-expanded=move || closest.get().to_string()
                    on:click=move |_| closest.update(|c| *c = !*c)>
                    {move || if closest.get() { "Hide them".to_owned() } else { voice::show_closest(hits) }}
                </button>
            })}
            {move || day.get().map(|_| view! {
                <button type="button" class="button" on:click=move |_| day.set(None)>"Ask as of now"</button>
            })}
            {move || known.get().map(|_| view! {
                <button type="button" class="button" on:click=move |_| known.set(None)>"Ask with all that is known now"</button>
            })}
            {move || empty().then(|| view! {
                <button type="button" class="button" on:click=move |_| app.dialog.set(Some(Dialog::AddFiles))>
                    <Glyph icon=Icon::Plus/> "Add files"
                </button>
            })}
        </div>
    }
}

#[component]
fn Results(
    hits: Vec<Hit>,
    weights: super::signals::Weights,
    cited: Vec<Cited>,
    limit: usize,
    trace: Option<Told>,
    since: Option<Since>,
) -> impl IntoView {
    let scale = StoredValue::new(Scale::of(hits.iter().map(|hit| (hit.score, &hit.score_parts)), &weights));
    let cards = hits.into_iter().zip(cited).take(limit);
    let cards = cards.map(|(hit, cited)| view! { <ResultCard hit cited scale trace since/> });
    view! { <ol class="results" aria-label="Passages" on:keydown=move_in_results>{cards.collect_view()}</ol> }
}

/// Up and Down go from result to result; Up from the first leads back to the question.
fn move_in_results(press: KeyboardEvent) {
    let step: i32 = match press.key().as_str() {
        "ArrowDown" => 1,
        "ArrowUp" => -1,
        _ => return,
    };
    let Ok(all) = document().query_selector_all(".results [data-focus]") else {
        return;
    };
    let here = document().active_element();
    let at = (0..all.length()).find(|at| all.item(*at).as_ref() == here.as_ref().map(AsRef::as_ref));
    let Some(at) = at else { return };
    press.prevent_default();
    let next = match at as i32 + step {
        -1 => document().get_element_by_id("search"),
        next => all.item(next as u32).map(JsCast::unchecked_into),
    };
    if let Some(next) = next {
        let _ = next.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_space_includes_may_hold_something() {
        let [own, included, unknown] =
            [1, 2, 3].map(|n| SpaceId::parse(format!("00000000-0000-7000-8000-00000000000{n}")).unwrap());
        let space = |id: &SpaceId, memories: u64| -> SpaceSummary {
            let space = serde_json::json!({ "id": id, "name": "", "space_type": "project", "parent_space_id": null,
                "read_policy": "members", "write_policy": "members", "created_by_actor": null, "created_at": 0, "artifacts": 0,
                "memories": memories, "watches": 0 });
            serde_json::from_value(space).unwrap()
        };
        let all = [space(&own, 0), space(&included, 1)];
        for (searched, expected) in [
            (vec![&own], true),
            (vec![&included], false),
            (vec![&own, &included], false),
            (vec![&own, &unknown], false),
            (vec![], false),
        ] {
            let searched: Vec<SpaceId> = searched.into_iter().cloned().collect();
            assert_eq!(hold_nothing(&searched, &all), expected, "{searched:?}");
        }
    }
}
