//! One session: what is in hand in it, what it holds, what was said and done, and how it ends.

use super::{
    WorkDialog, back,
    entries::EntryLine,
    events::Events,
    hand::InHand,
    locks::files,
    words::{lasted, session_state, session_title, who},
};
use crate::{
    actions,
    components::{
        icon::{Glyph, Icon},
        menu::{Item as MenuItem, MenuButton},
        states::kept,
    },
    dates, ipc,
    query::Query,
    route::Route,
    state::App,
};
use leptos::{prelude::*, task::spawn_local};
use um_model::{SessionId, work};

/// The page.
#[component]
pub fn Session(
    /// The session.
    id: SessionId,
) -> impl IntoView {
    let app = App::get();
    let detail = Query::new(move || {
        app.changes.work.track();
        // The events are read by themselves, as far as they are looked at.
        Some(work::SessionGet { session: id.clone(), events: Some(0) })
    });
    let session = Memo::new(move |_| detail.value.with(|d| d.as_ref().map(|d| d.session.clone())));
    let body = move || view! { <Body detail session/> }.into_any();
    view! {
        <div class="page-head item-head work-head">
            <div class="head-row">
                {back(Route::Sessions, "Sessions")}
                <Head session/>
            </div>
        </div>
        <div class="page-body work-page" data-testid="session">
            {kept(detail, "The session could not be opened.", (6, "row"), body)}
        </div>
    }
}

/// What happens in the session draws no button anew, so that the focus stays.
#[component]
fn Head(session: Memo<Option<work::Session>>) -> impl IntoView {
    let app = App::get();
    let title =
        Memo::new(move |_| session.with(|one| one.as_ref().map_or_else(|| "Session".to_owned(), session_title)));
    let status = Memo::new(move |_| session.with(|one| one.as_ref().map(|one| one.status)));
    let paused = Memo::new(move |_| status.get() == Some(work::SessionStatus::Paused));
    let open = Memo::new(move |_| status.get().is_some_and(|status| !status.is_over()));
    let ask = move |dialog: fn(Box<work::Session>) -> WorkDialog| {
        if let Some(session) = session.get_untracked() {
            dialog(Box::new(session)).open(app);
        }
    };
    let items = Callback::new(move |()| {
        let item = |label: &str, icon, dialog: fn(Box<work::Session>) -> WorkDialog| MenuItem {
            label: label.into(),
            icon,
            key: None,
            act: Callback::new(move |()| ask(dialog)),
        };
        vec![item("Rename", Icon::Edit, WorkDialog::Rename), item("Give up", Icon::Ban, WorkDialog::GiveUp)]
    });
    let turn = move |_| {
        if let Some(session) = session.get_untracked() {
            pause(app, &session, !paused.get_untracked());
        }
    };
    let turns = move || match paused.get() {
        true => view! { <Glyph icon=Icon::Play/> "Resume" }.into_any(),
        false => view! { <Glyph icon=Icon::Pause/> "Pause" }.into_any(),
    };
    let state = move || {
        status.get().map(|status| {
            let (icon, word, class) = session_state(status);
            view! { <span class=class data-testid="session-state"><Glyph icon/> {word}</span> }
        })
    };
    let buttons = move || {
        open.get().then(|| {
            view! {
                <button type="button" class="button" data-testid="session-pause" on:click=turn>{turns}</button>
                <button type="button" class="button" data-testid="session-end" on:click=move |_| ask(WorkDialog::End)>
                    <Glyph icon=Icon::Check/> "End"
                </button>
                <MenuButton label="More" items/>
            }
        })
    };
    view! {
        <h1 class="file grow" title=move || title.get() data-testid="session-title"><bdi>{move || title.get()}</bdi></h1>
        {state}
        {buttons}
    }
}

/// Pauses a session, or takes it up again; either can be taken back.
fn pause(app: App, session: &work::Session, paused: bool) {
    use work::SessionStatus::{Active, Paused};
    let set = |id: &SessionId, paused: bool| work::SessionSet {
        session: id.clone(),
        status: Some(if paused { Paused } else { Active }),
        name: None,
        purpose: None,
        metadata: None,
    };
    let id = session.id.clone();
    spawn_local(async move {
        match ipc::call(set(&id, paused)).await {
            Ok(_) => {
                let says = if paused { "Paused. It goes on when it is taken up again." } else { "It goes on." };
                app.toasts.say_with_undo(says, move || actions::run(app, set(&id, !paused)));
            }
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

#[component]
fn Body(detail: Query<work::SessionDetail>, session: Memo<Option<work::Session>>) -> impl IntoView {
    let state = Memo::new(move |_| detail.value.with(|d| d.as_ref().and_then(|d| d.state.clone())));
    let locks = Memo::new(move |_| detail.value.with(|d| d.as_ref().map_or_else(Vec::new, |d| d.locks.clone())));
    let entries = Memo::new(move |_| detail.value.with(|d| d.as_ref().map_or_else(Vec::new, |d| d.entries.clone())));
    let total = Memo::new(move |_| session.with(|session| session.as_ref().map_or(0, |session| session.events)));
    let id = session.with_untracked(|session| session.as_ref().map(|session| session.id.clone()));
    let held = move || {
        let locks = locks.get();
        (!locks.is_empty()).then(|| {
            view! {
                <section class="panel" aria-labelledby="locks-title">
                    <h2 id="locks-title">"Files that it holds"</h2>
                    {files(locks, false)}
                </section>
            }
        })
    };
    let own = move || {
        let entries = entries.get();
        (!entries.is_empty()).then(|| {
            view! {
                <section class="panel" aria-labelledby="own-title">
                    <h2 id="own-title">"Its own rules and knowledge"</h2>
                    <p class="muted small">"They count in this session alone, before those of its space."</p>
                    <ul class="plain">{entries.into_iter().map(|entry| view! { <EntryLine entry/> }).collect_view()}</ul>
                </section>
            }
        })
    };
    view! {
        <InHand session state/>
        {held}
        {own}
        {move || session.get().map(|session| facts(&session))}
        {id.map(|session| view! { <Events session total/> })}
    }
}

fn facts(session: &work::Session) -> impl IntoView + use<> {
    let until = match session.ended_at {
        Some(end) => format!("{}, after {}", dates::moment(end), lasted(end - session.started_at)),
        None => format!("not yet, after {}", lasted(dates::now() - session.started_at)),
    };
    let fact = |name: &'static str, words: String| view! { <div><dt>{name}</dt><dd>{words}</dd></div> };
    view! {
        <section class="panel" aria-labelledby="session-facts">
            <h2 id="session-facts">"About it"</h2>
            <dl class="facts">
                {session.purpose.clone().map(|purpose| fact("For", purpose))}
                {fact("Whose", who(&session.agent))}
                {fact("Space", session.space.clone())}
                {fact("Began", dates::moment(session.started_at))}
                {fact("Ended", until)}
                {session.client_ref.clone().map(|name| fact("Known as", name))}
            </dl>
        </section>
    }
}
