//! How a session ends: with what came of it, or given up.

use super::{
    begin::given,
    texts::area,
    words::{session_title, who},
};
use crate::{components::dialogs::Form, format::count, state::App};
use leptos::prelude::*;
use um_model::work::{Session, SessionDiscard, SessionEnd, SessionEnded};

/// Ends a session.
#[component]
pub fn End(session: Session) -> impl IntoView {
    let app = App::get();
    let summary = RwSignal::new(String::new());
    let title = session_title(&session);
    let id = StoredValue::new(session.id);
    let request = move || Some(SessionEnd { session: id.get_value(), summary: given(summary), transcript: Vec::new() });
    let done = Callback::new(move |ended: SessionEnded| {
        let waits = match ended.held.len() as u64 {
            0 => String::new(),
            1 => " 1 note of it waits for you under Review, Candidates.".to_owned(),
            more => format!(" {} of it wait for you under Review, Candidates.", count(more, "note")),
        };
        let lost = match u64::from(ended.not_held) {
            0 => String::new(),
            1 => " 1 note of it was not kept: too much waits for you already.".to_owned(),
            more => format!(" {} of it were not kept: too much waits for you already.", count(more, "note")),
        };
        app.toasts.say(format!("{} has ended.{waits}{lost}", session_title(&ended.session)));
    });
    view! {
        <Form request button="End it" done>
            <p>{format!("{title} cannot be taken up again. Files that it holds are let go.")}</p>
            <p>"What its messages marked with \"Remember:\", \"Lesson learned:\" or \"Decision:\" waits for you under Review."</p>
            {area(("session-summary", "What came of it: whoever goes on reads that first"), summary, 4)}
        </Form>
    }
}

/// Gives a session up, which has no way back.
#[component]
pub fn GiveUp(session: Session) -> impl IntoView {
    let app = App::get();
    let (title, agent) = (session_title(&session), who(&session.agent));
    let events = match session.events {
        0 => "Nothing was said or done in it that could stay.".to_owned(),
        1 => "1 event stays: it is what was said and done.".to_owned(),
        more => format!("{} stay: they are what was said and done.", count(more, "event")),
    };
    let id = StoredValue::new(session.id);
    let request = move || Some(SessionDiscard { session: id.get_value() });
    let done = Callback::new(move |now: Session| app.toasts.say(format!("{} was given up.", session_title(&now))));
    view! {
        <Form request button="Give it up" done>
            <p>{format!("{title} ({agent}) cannot be taken up again.")}</p>
            <dl class="says" data-testid="give-up-says">
                <div>
                    <dt>"What goes for good"</dt>
                    <dd>"What is in hand in it, its own rules and knowledge with all their versions, and what of it waits for you."</dd>
                </div>
                <div><dt>"What stays"</dt><dd>{events}</dd></div>
                <div><dt>"What is let go"</dt><dd>"The files that it holds."</dd></div>
            </dl>
        </Form>
    }
}
