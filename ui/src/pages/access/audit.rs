//! The ledger: who did what to what, and when. It holds ids and hashes; the names shown beside them are those of now.

use super::{
    entries::{self, Names},
    head,
};
use crate::{
    components::{
        choose_path::PathField,
        dialogs::Form,
        grown_list::GrownList,
        icon::{Glyph, Icon},
        link::PageLink,
        states::{Empty, listed},
        viewer::Target,
    },
    dates,
    grown::Grown,
    ipc,
    route::{At, Route},
    state::{App, Dialog},
    tree::branches,
};
use leptos::{ev, prelude::*, task::spawn_local};
use um_model::{AgentId, ArtifactId, ConflictId, EntityId, MemoryId, audit::*};

/// Height of a row in pixels.
const ROW: f64 = 56.0;

/// How far back entries are listed: words and days.
const TIMES: [(&str, Option<u32>); 4] =
    [("Any time", None), ("Last 24 hours", Some(1)), ("Last 7 days", Some(7)), ("Last 30 days", Some(30))];

/// What is listed.
#[derive(Clone, Copy)]
struct Filters {
    agent: RwSignal<String>,
    topic: RwSignal<Option<AuditTopic>>,
    space: RwSignal<String>,
    time: RwSignal<usize>,
}

impl Filters {
    fn request(self, last: Option<&AuditEvent>, limit: u32) -> AuditList {
        let named = |of: RwSignal<String>| Some(of.get()).filter(|id| !id.is_empty());
        AuditList {
            agent: named(self.agent),
            space: named(self.space),
            topic: self.topic.get(),
            since: TIMES[self.time.get()].1.map(dates::days_ago),
            before: last.map(|event| event.number),
            limit: Some(limit),
            with_things: true,
            ..AuditList::default()
        }
    }

    fn narrow(self) -> bool {
        let chosen = |of: RwSignal<String>| !of.with(String::is_empty);
        chosen(self.agent) || chosen(self.space) || self.topic.with(Option::is_some) || self.time.get() > 0
    }

    fn widen(self) {
        self.agent.set(String::new());
        self.space.set(String::new());
        self.topic.set(None);
        self.time.set(0);
    }
}

/// The tab.
#[component]
pub fn Audit(
    /// Whose entries are listed at first.
    agent: Option<AgentId>,
) -> impl IntoView {
    let app = App::get();
    let filters = Filters {
        agent: RwSignal::new(agent.map(String::from).unwrap_or_default()),
        topic: RwSignal::new(None),
        space: RwSignal::new(String::new()),
        time: RwSignal::new(0),
    };
    let list = Grown::new(
        move |last, limit| filters.request(last, limit),
        move || app.changes.track_all(),
        |listed: AuditListed| (listed.events, listed.more),
    );
    let actions = view! {
        <button type="button" class="button" data-testid="audit-export" on:click=move |_| app.dialog.set(Some(Dialog::ExportLedger))>
            <Glyph icon=Icon::Download/> "Export"
        </button>
    };
    let empty = move || {
        let narrow = untrack(move || filters.narrow());
        let says = if narrow { "Nothing of that kind was done." } else { "Nothing was done yet." };
        let all = narrow.then(|| {
            view! { <button type="button" class="button" on:click=move |_| filters.widen()>"Show all"</button> }
        });
        view! { <Empty icon=Icon::Clock says>{all}</Empty> }.into_any()
    };
    view! {
        {head(true, actions)}
        <div class="page-body fill">
            <Choices filters/>
            <Verify/>
            {listed(list.listing(), "The ledger could not be listed.", empty, move || rows(list).into_any())}
        </div>
    }
}

#[component]
fn Choices(filters: Filters) -> impl IntoView {
    let app = App::get();
    let who = move || {
        let agents = app.agents.value.with(|all| all.as_ref().map_or_else(Vec::new, |all| all.agents.clone()));
        let option = move |agent: um_model::access::AgentInfo| {
            let (id, name) = (agent.id.to_string(), entries::actor(Some(&agent.name)));
            let here = id.clone();
            view! { <option value=id prop:selected=move || filters.agent.with(|chosen| *chosen == here)>{name}</option> }
        };
        agents.into_iter().map(option).collect_view()
    };
    let what = AuditTopic::ALL.iter().map(|topic| {
        let topic = *topic;
        view! {
            <option value=topic.as_str() prop:selected=move || filters.topic.get() == Some(topic)>{entries::topic(topic)}</option>
        }
    });
    let spaces = move || {
        let all = app.spaces.value.with(|all| all.as_ref().map_or_else(Vec::new, |all| all.spaces.clone()));
        let option = move |branch: crate::tree::Branch| {
            let (id, name) = (branch.space.space.id.to_string(), branch.space.space.name);
            let here = id.clone();
            view! { <option value=id prop:selected=move || filters.space.with(|chosen| *chosen == here)>{name}</option> }
        };
        branches(&all).into_iter().map(option).collect_view()
    };
    let times = TIMES.iter().enumerate().map(|(at, (words, _))| {
        view! { <option value=at.to_string() prop:selected=move || filters.time.get() == at>{*words}</option> }
    });
    view! {
        <div class="filters" role="group" aria-label="Which entries">
            <select class="field" aria-label="Who" data-testid="audit-who" on:change=move |e| filters.agent.set(event_target_value(&e))>
                <option value="" prop:selected=move || filters.agent.with(String::is_empty)>"Anybody"</option>{who}
            </select>
            <select class="field" aria-label="What" data-testid="audit-what" on:change=move |e| filters.topic.set(event_target_value(&e).parse().ok())>
                <option value="" prop:selected=move || filters.topic.with(Option::is_none)>"Anything"</option>{what.collect_view()}
            </select>
            <select class="field" aria-label="Where" data-testid="audit-where" on:change=move |e| filters.space.set(event_target_value(&e))>
                <option value="" prop:selected=move || filters.space.with(String::is_empty)>"Everywhere"</option>{spaces}
            </select>
            <select class="field" aria-label="When" data-testid="audit-when"
                on:change=move |e| filters.time.set(event_target_value(&e).parse().unwrap_or_default())>{times.collect_view()}</select>
        </div>
    }
}

/// Says whether every entry is as it was written.
#[component]
fn Verify() -> impl IntoView {
    let app = App::get();
    let found = RwSignal::new(None::<AuditVerified>);
    let busy = RwSignal::new(false);
    let check = move |_| {
        busy.set(true);
        found.set(None);
        spawn_local(async move {
            match ipc::call(AuditVerify {}).await {
                Ok(verified) => drop(found.try_set(Some(verified))),
                Err(error) => app.toasts.trouble(&error),
            }
            busy.try_set(false);
        });
    };
    let says = move || {
        match (busy.get(), found.get()) {
        (true, _) => view! { <span class="muted">"Every entry is looked at."</span> }.into_any(),
        (_, Some(found)) => verified(&found).into_any(),
        _ => view! { <span class="muted">"Each entry carries the hash of the one before: whoever changes one breaks the chain."</span> }.into_any(),
    }
    };
    view! {
        <p class="audit-verify">
            <button type="button" class="button" data-testid="audit-verify" disabled=move || busy.get() on:click=check>
                <Glyph icon=Icon::Shield/> "Verify"
            </button>
            <span class="small" role="status" data-testid="audit-verified">{says}</span>
        </p>
    }
}

fn verified(found: &AuditVerified) -> impl IntoView + use<> {
    let (icon, class) = if found.ok { (Icon::CheckCircle, "state working") } else { (Icon::Alert, "state failed") };
    view! { <span class=class><Glyph icon/> <span>{entries::verified(found)}</span></span> }
}

fn rows(list: Grown<AuditEvent>) -> impl IntoView {
    let app = App::get();
    let cursor = RwSignal::new(0usize);
    let opens = Callback::new(move |press: ev::KeyboardEvent| {
        let thing = untrack(|| list.row(cursor.get())).and_then(|event| event.things.into_iter().next());
        if let Some(thing) = thing.filter(|_| press.key() == "Enter" && on_row(&press)) {
            press.prevent_default();
            open(app, thing);
        }
    });
    let drawn = |event: Memo<AuditEvent>, index, cursor, _: Grown<AuditEvent>| move || row(event.get(), index, cursor);
    let id = |event: &AuditEvent| event.id.clone();
    view! { <GrownList list label="Entries, the newest first" height=ROW id cursor on_key=opens row=drawn/> }
}

/// Whether a key was pressed on a row itself, and not on a link in it.
fn on_row(press: &ev::KeyboardEvent) -> bool {
    event_target::<web_sys::Element>(press).has_attribute("data-focus")
}

fn row(event: AuditEvent, index: usize, cursor: RwSignal<usize>) -> impl IntoView {
    let app = App::get();
    let names = Names { space: &|id| app.space_name(id), agent: &|id| agent_name(app, id) };
    let says = untrack(|| entries::says(&event, &names));
    let (icon, class) =
        if entries::refused(&event) { (Icon::Ban, "failed") } else { (entries::icon(&event.event_type), "muted") };
    let purpose =
        event.purpose.as_deref().map(|purpose| format!(", for: {}", crate::components::pairing::plain(purpose)));
    let facts = format!("{}, entry {}{}", dates::moment(event.at), event.number, purpose.unwrap_or_default());
    // The tables keep what came of each forgetting, and nothing of what went.
    let proof = (event.object_type == "forgettings").then(|| {
        let id = event.object_id.clone();
        let open = move |_| app.dialog.set(Some(Dialog::Proof(id.clone())));
        view! { <button type="button" class="link audit-thing" data-testid="audit-proof" on:click=open>"What came of it"</button> }
    });
    let things: Vec<_> = event.things.into_iter().map(|thing| thing_link(app, thing)).collect();
    let (label, title) = (says.clone(), format!("{}\n{} {}", event.hash, event.event_type, event.object_id));
    view! {
        <div class="audit-row" role="group" aria-label=label data-focus="" data-testid="audit-row"
            tabindex=move || if cursor.get() == index { "0" } else { "-1" } on:focus=move |_| cursor.set(index)>
            <span class=format!("audit-icon {class}")><Glyph icon/></span>
            <span class="audit-words grow">
                <span class="clip" title=says.clone()><bdi>{says.clone()}</bdi></span>
                <span class="muted small audit-facts"><span class="audit-when" title=title>{facts}</span>{proof}{things}</span>
            </span>
        </div>
    }
}

fn agent_name(app: App, id: &str) -> Option<String> {
    app.agents
        .value
        .with(|all| all.as_ref()?.agents.iter().find(|one| one.id.as_str() == id).map(|one| one.name.clone()))
}

/// Leads to what an entry is about.
fn thing_link(app: App, thing: AuditThing) -> impl IntoView {
    let title = crate::components::pairing::plain(&thing.title);
    let says = title.clone();
    match route(&thing) {
        Some(to) => view! {
            <span class="clip audit-thing" title=title><PageLink to=Signal::stored(to)>{says}</PageLink></span>
        }
        .into_any(),
        None => view! {
            <button type="button" class="link clip audit-thing" title=title on:click=move |_| open(app, thing.clone())>{says}</button>
        }
        .into_any(),
    }
}

/// The page of a thing; a note is shown beside this one.
fn route(thing: &AuditThing) -> Option<Route> {
    let id = thing.id.clone();
    match thing.kind {
        AuditThingKind::File => ArtifactId::parse(id).ok().map(|id| Route::Item { id, at: At::default() }),
        AuditThingKind::Entity | AuditThingKind::Claim => EntityId::parse(id).ok().map(Route::Entity),
        AuditThingKind::Conflict => ConflictId::parse(id).ok().map(|id| Route::Review { conflict: Some(id) }),
        AuditThingKind::Note => None,
    }
}

fn open(app: App, thing: AuditThing) {
    match (route(&thing), MemoryId::parse(thing.id)) {
        (Some(to), _) => app.go(to),
        (None, Ok(id)) => {
            app.viewer.set(Some(Target::of_note(id, thing.title)));
            app.focus_viewer();
        }
        (None, Err(_)) => {}
    }
}

/// Asks where the ledger is to be written.
#[component]
pub fn ExportLedger() -> impl IntoView {
    let app = App::get();
    let path = RwSignal::new(String::new());
    let request = move || {
        let path = path.get().trim().to_owned();
        (!path.is_empty()).then_some(AuditExport { path })
    };
    let done = Callback::new(move |done: AuditExported| app.toasts.say(entries::exported(&done)));
    view! {
        <Form request button="Export" done>
            <p>"All entries, one a line as JSON: ids, counts and hashes, and nothing that was said."</p>
            <PathField id="export-path" label="New file, or the folder for it" value=path files=false/>
        </Form>
    }
}
