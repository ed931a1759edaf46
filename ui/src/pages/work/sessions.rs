//! Sessions as a timeline: by day, whose they are, what they are for, how long they took, what is in hand in them.

use super::{
    Tab, WorkDialog, head,
    locks::HeldFiles,
    words::{first_line, lasted, session_state, session_title, who},
};
use crate::{
    components::{
        icon::{Glyph, Icon},
        link::PageLink,
        list::VirtualList,
        states::{Empty, listed},
    },
    dates,
    format::count,
    grown::Grown,
    query::Query,
    route::Route,
    state::{App, Dialog},
};
use leptos::prelude::*;
use um_model::{AgentId, access::AgentInfo, work::*};

/// Height of a row in pixels.
const ROW: f64 = 80.0;

/// The states that a person looks for: word, words, which.
const STATES: [(&str, &str, &[SessionStatus]); 4] = [
    ("active", "Under way", &[SessionStatus::Active]),
    ("paused", "Paused", &[SessionStatus::Paused]),
    ("completed", "Ended", &[SessionStatus::Completed]),
    ("discarded", "Given up", &[SessionStatus::Discarded]),
];

/// What is listed.
#[derive(Clone, Copy)]
struct Filters {
    /// Sessions of all spaces, whatever space is in use.
    everywhere: RwSignal<bool>,
    /// The word of one of [`STATES`], or none.
    state: RwSignal<String>,
    /// The id of an agent, or none.
    agent: RwSignal<String>,
}

impl Filters {
    fn request(self, app: App, offset: u32, limit: u32) -> SessionsList {
        let state = self.state.get();
        SessionsList {
            space: app.space.get().filter(|_| !self.everywhere.get()).map(String::from),
            statuses: STATES.iter().find(|(word, ..)| *word == state).map_or(Vec::new(), |(.., those)| those.to_vec()),
            agent: AgentId::parse(self.agent.get()).ok(),
            offset,
            limit: Some(limit),
        }
    }

    fn narrow(self) -> bool {
        !self.state.with(String::is_empty) || !self.agent.with(String::is_empty)
    }

    fn widen(self) {
        self.state.set(String::new());
        self.agent.set(String::new());
    }
}

/// The page.
#[component]
pub fn Sessions() -> impl IntoView {
    let app = App::get();
    let filters = Filters {
        everywhere: RwSignal::new(false),
        state: RwSignal::new(String::new()),
        agent: RwSignal::new(String::new()),
    };
    let list = Grown::skipping(
        move |offset, limit| filters.request(app, offset, limit),
        move || app.changes.work.track(),
        |listed: SessionsListed| (listed.sessions, listed.more),
    );
    let new = view! {
        <button type="button" class="button" data-testid="session-begin" on:click=move |_| WorkDialog::Begin.open(app)>
            <Glyph icon=Icon::Plus/> "Begin a session"
        </button>
    };
    let empty = move || nothing(app, filters);
    view! {
        {head(Tab::Sessions, new, choices(app, filters))}
        <div class="page-body fill">
            <HeldFiles everywhere=filters.everywhere/>
            {listed(list.listing(), "The sessions could not be listed.", empty, move || rows(list).into_any())}
        </div>
    }
}

fn nothing(app: App, filters: Filters) -> AnyView {
    if untrack(move || filters.narrow()) {
        return view! {
            <Empty icon=Icon::Search says="No session fits these filters.">
                <button type="button" class="button" on:click=move |_| filters.widen()>"Clear the filters"</button>
            </Empty>
        }
        .into_any();
    }
    view! {
        <Empty icon=Icon::Agent says="No session yet. An agent begins one when it sets to work.">
            <button type="button" class="button accent" on:click=move |_| app.dialog.set(Some(Dialog::ConnectAgent))>
                <Glyph icon=Icon::Plug/> "Connect an agent"
            </button>
        </Empty>
    }
    .into_any()
}

fn choices(app: App, filters: Filters) -> impl IntoView {
    let where_ = move || {
        app.space.get().map(|_| {
            view! {
                <select class="field" aria-label="Space" data-testid="sessions-where"
                    on:change=move |e| filters.everywhere.set(event_target_value(&e) == "all")>
                    <option value="" prop:selected=move || !filters.everywhere.get()>{app.space_label()}</option>
                    <option value="all" prop:selected=move || filters.everywhere.get()>"All spaces"</option>
                </select>
            }
        })
    };
    let states = STATES.map(|(word, words, _)| {
        view! { <option value=word prop:selected=move || filters.state.with(|state| state == word)>{words}</option> }
    });
    let agents = move || {
        let all = app.agents.value.with(|all| all.as_ref().map_or_else(Vec::new, |all| all.agents.clone()));
        let option = move |agent: AgentInfo| {
            let (id, name) = (agent.id.to_string(), who(&agent.name));
            let here = id.clone();
            view! { <option value=id prop:selected=move || filters.agent.with(|chosen| *chosen == here)>{name}</option> }
        };
        all.into_iter().map(option).collect_view()
    };
    view! {
        <div class="filters" role="group" aria-label="Which sessions">
            {where_}
            <select class="field" aria-label="State" data-testid="sessions-state" on:change=move |e| filters.state.set(event_target_value(&e))>
                <option value="" prop:selected=move || filters.state.with(String::is_empty)>"Any state"</option>{states}
            </select>
            <select class="field" aria-label="Whose" data-testid="sessions-agent" on:change=move |e| filters.agent.set(event_target_value(&e))>
                <option value="" prop:selected=move || filters.agent.with(String::is_empty)>"Anybody's"</option>{agents}
            </select>
        </div>
    }
}

fn rows(list: Grown<Session>) -> impl IntoView {
    let cursor = RwSignal::new(0usize);
    let item = move |index: usize| {
        let one = Memo::new(move |_| list.row(index));
        // A row stays while its session goes on, so that the focus does.
        let id = Memo::new(move |_| one.with(|one| one.as_ref().map(|one| one.id.clone())));
        let day = Memo::new(move |_| list.with(|all| day_of(all, index)));
        move || {
            let _ = id.get();
            match one.get_untracked() {
                Some(first) => {
                    let now = Memo::new(move |_| one.get().unwrap_or_else(|| first.clone()));
                    view! { <Row session=now day index cursor/> }.into_any()
                }
                None if list.error.with(Option::is_some) => view! {
                    <button type="button" class="button small" data-focus="" on:click=move |_| list.refresh()>
                        <Glyph icon=Icon::Reread/> "More could not be read. Try again"
                    </button>
                }
                .into_any(),
                None => view! { <div class="bar row"></div> }.into_any(),
            }
        }
    };
    view! {
        <VirtualList total=list.length() label="Sessions, the latest first" cursor
            id=move |index| list.row(index).map(|one| one.id.to_string()) visible=list.sight()
            on_key=Callback::new(|_| {}) item column_width=Signal::stored(None) row_height=Signal::stored(ROW)/>
    }
}

/// The day of a session, where the one above it is of another.
fn day_of(all: &[Session], index: usize) -> Option<String> {
    let day = dates::day(all.get(index)?.started_at);
    let above = index.checked_sub(1).map(|above| dates::day(all[above].started_at));
    (above.as_ref() != Some(&day)).then_some(day)
}

#[component]
fn Row(session: Memo<Session>, day: Memo<Option<String>>, index: usize, cursor: RwSignal<usize>) -> impl IntoView {
    let app = App::get();
    let id = session.with_untracked(|session| session.id.clone());
    let asked = id.clone();
    let hand = Query::new(move || {
        app.changes.work.track();
        Some(StateGet { session: Some(asked.clone()), space: None })
    });
    let in_hand = Memo::new(move |_| {
        let state = hand.value.with(|got| got.as_ref().and_then(|got| got.state.clone()));
        session.with(|session| in_hand(session, state.as_ref()))
    });
    let tabindex = Signal::derive(move || if cursor.get() == index { "0" } else { "-1" });
    let content = move || {
        let session = session.get();
        let (icon, word, class) = session_state(session.status);
        let (title, facts) = (session_title(&session), facts(&session, app.space.get().is_none()));
        view! {
            <span class="session-name">
                <span class="clip strong" title=title.clone()><bdi>{title.clone()}</bdi></span>
                <span class=class data-testid="session-state"><Glyph icon/> {word}</span>
            </span>
            <span class="clip small" title=move || in_hand.get() data-testid="session-hand"><bdi>{move || in_hand.get()}</bdi></span>
            <span class="clip muted small" title=facts.clone()>{facts.clone()}</span>
        }
    };
    let over = move || session.with(|session| session.status.is_over());
    view! {
        <div class="session-row" data-testid="session-row" on:focusin=move |_| cursor.set(index)>
            <span class="session-day small muted">{move || day.get()}</span>
            <span class="session-rail" class:over=over aria-hidden="true"></span>
            <PageLink to=Signal::stored(Route::Session(id)) class="session-link" tabindex>{content}</PageLink>
        </div>
    }
}

/// What is in hand in a session, or what came of it; else what it is for.
fn in_hand(session: &Session, state: Option<&State>) -> String {
    match state {
        Some(state) if session.status.is_over() => {
            let said = state.summary.as_deref().unwrap_or(&state.current_goal);
            format!("What came of it: {}", first_line(said))
        }
        Some(state) => format!("In hand: {}", first_line(&state.current_goal)),
        None => match &session.purpose {
            Some(purpose) => format!("For: {}", first_line(purpose)),
            None => "Nothing is written down.".to_owned(),
        },
    }
}

/// Whose it is, when it was, how long it took, how much happened.
fn facts(session: &Session, everywhere: bool) -> String {
    let mut facts = vec![who(&session.agent), dates::time_of_day(session.started_at)];
    match session.ended_at {
        Some(end) => facts.push(lasted(end - session.started_at)),
        None => facts.push(format!("for {}", lasted(dates::now() - session.started_at))),
    }
    facts.push(count(session.events, "event"));
    if everywhere {
        facts.push(format!("in {}", session.space));
    }
    facts.join(", ")
}
