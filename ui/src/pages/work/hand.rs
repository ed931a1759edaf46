//! What is in hand in a session: what is wanted, how far it came, what is worked on.

use super::{WorkDialog, begin::given, texts::area, words::hand_state};
use crate::{
    components::{
        dialogs::Form,
        icon::{Glyph, Icon},
    },
    dates,
    state::App,
};
use leptos::prelude::*;
use um_model::work::{Session, State, StateSet, StateStatus};

/// The section of a session's page.
#[component]
pub fn InHand(session: Memo<Option<Session>>, state: Memo<Option<State>>) -> impl IntoView {
    let app = App::get();
    let over = Memo::new(move |_| session.with(|session| session.as_ref().is_none_or(|one| one.status.is_over())));
    let write = move |_| {
        if let Some(session) = session.get_untracked() {
            WorkDialog::WriteDown(Box::new(session), state.get_untracked().map(Box::new)).open(app);
        }
    };
    view! {
        <section class="panel" aria-labelledby="hand-title">
            <div class="head-row">
                <h2 id="hand-title" class="grow">{move || if over.get() { "What came of it" } else { "What is in hand" }}</h2>
                {move || (!over.get()).then(|| view! {
                    <button type="button" class="button" data-testid="hand-write" on:click=write><Glyph icon=Icon::Edit/> "Write down"</button>
                })}
            </div>
            {move || match state.get() {
                Some(state) => told(state).into_any(),
                None => view! { <p class="muted" data-testid="hand-none">"Nothing is written down."</p> }.into_any(),
            }}
        </section>
    }
}

fn told(state: State) -> impl IntoView {
    let (icon, word, class) = hand_state(state.status);
    let works = state.working_set.into_iter().map(|work| view! { <li><code class="path">{work}</code></li> });
    let works: Vec<_> = works.collect();
    view! {
        <div class="hand" data-testid="hand">
            <p class="hand-goal">{state.current_goal}</p>
            <p class="small"><span class=class><Glyph icon/> {word}</span> <span class="muted">{format!(" {}", dates::moment(state.updated_at))}</span></p>
            {state.summary.map(|summary| view! { <p class="work-text">{summary}</p> })}
            {(!works.is_empty()).then(|| view! {
                <h3>"What is worked on"</h3>
                <ul class="works">{works}</ul>
            })}
        </div>
    }
}

/// Writes down what is in hand.
#[component]
pub fn WriteDown(session: Session, state: Option<State>) -> impl IntoView {
    let app = App::get();
    let of = |part: fn(&State) -> String| state.as_ref().map(part).unwrap_or_default();
    let goal = RwSignal::new(of(|state| state.current_goal.clone()));
    let summary = RwSignal::new(of(|state| state.summary.clone().unwrap_or_default()));
    let works = RwSignal::new(of(|state| state.working_set.join("\n")));
    let status = RwSignal::new(state.as_ref().map_or(StateStatus::Active, |state| state.status));
    let id = StoredValue::new(session.id);
    let request = move || {
        let working_set =
            works.get().lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
        Some(StateSet {
            session: Some(id.get_value()),
            status: Some(status.get()),
            current_goal: Some(given(goal)?),
            summary: Some(summary.get().trim().to_owned()),
            working_set: Some(working_set),
            ..StateSet::default()
        })
    };
    let done =
        Callback::new(move |_: State| app.toasts.say("Written down. What was there before stays among the events."));
    let is = status.get_untracked();
    let states = StateStatus::ALL.iter().map(move |one| {
        view! { <option value=one.as_str() selected=*one == is>{hand_state(*one).1}</option> }
    });
    view! {
        <Form request button="Write down" done>
            {area(("hand-goal", "What is wanted"), goal, 2)}
            {area(("hand-summary", "How far it came, and what is next"), summary, 4)}
            {area(("hand-works", "Files and things that are worked on, one a line"), works, 3)}
            <label class="label" for="hand-status">"How far it is"</label>
            <select id="hand-status" class="field"
                on:change=move |e| if let Ok(one) = event_target_value(&e).parse() { status.set(one) }>{states.collect_view()}</select>
        </Form>
    }
}
