//! What the whole window shares: where it is, the space in use, the engine's small answers, what is open.

use crate::{
    components::{citation::Previews, forget, menu::Anchor, toast::Toasts, viewer::Target},
    ipc,
    pages::{
        Ask, BeliefDialog, Blacking, Filters, Packing, RecallDialog, TracesShown, Waiting, WorkDialog,
        announce_conflicts, open_conflicts, open_held, open_names, open_promotions, open_redactions, typed,
    },
    query::Query,
    route::Route,
    tree::branches,
};
use leptos::{prelude::*, task::spawn_local};
use um_model::{
    AgentId, ArtifactId, ConflictId, PairingId, SpaceId, SpaceType,
    access::{AgentsList, AgentsListed, PairingRequest},
    claims::{CandidatesListed, ConflictsListed},
    findings::RedactionsListed,
    health::{Event, Settings, SettingsGet, Status, StatusGet},
    held::HeldListed,
    jobs::Job,
    models::{Model, ModelsList, ModelsListed},
    promote::{PromotionStatus, PromotionsListed},
    recall::MemoryRecall,
    spaces::{SpaceSummary, SpacesList, SpacesListed},
    traces::{SearchesList, SearchesListed},
};
use wasm_bindgen::JsCast;

/// Counters that rise when something changed in the engine: reading one subscribes to it.
#[derive(Clone, Copy)]
pub struct Changes {
    /// Jobs moved.
    pub jobs: RwSignal<u32>,
    /// Files or memories.
    pub library: RwSignal<u32>,
    /// Spaces or watched folders.
    pub spaces: RwSignal<u32>,
    /// Models.
    pub models: RwSignal<u32>,
    /// Claims, entities or conflicts.
    pub beliefs: RwSignal<u32>,
    /// Findings of personal data.
    pub findings: RwSignal<u32>,
    /// Requests for promotion.
    pub promotions: RwSignal<u32>,
    /// What agents work with: sessions, events, rules, entries, resources, relations, locks.
    pub work: RwSignal<u32>,
    /// Writes of agents were held or decided.
    pub held: RwSignal<u32>,
    /// Agents asked, or what they may do changed.
    pub access: RwSignal<u32>,
    /// Settings.
    pub settings: RwSignal<u32>,
    /// Something was forgotten or blacked out.
    pub forgotten: RwSignal<u32>,
}

/// How long changes are gathered before the window looks again, in milliseconds.
const GATHER_MS: u32 = 250;

impl Changes {
    fn listen() -> Self {
        let new = || RwSignal::new(0);
        let changes = Self {
            jobs: new(),
            library: new(),
            spaces: new(),
            models: new(),
            beliefs: new(),
            findings: new(),
            work: new(),
            promotions: new(),
            held: new(),
            access: new(),
            settings: new(),
            forgotten: new(),
        };
        let pending = StoredValue::new(Vec::<Event>::new());
        ipc::on_changed(move |event| {
            let first = pending.with_value(Vec::is_empty);
            pending.update_value(|events| {
                if !events.contains(&event) {
                    events.push(event);
                }
            });
            if first {
                spawn_local(async move {
                    gloo_timers::future::TimeoutFuture::new(GATHER_MS).await;
                    pending.try_update_value(std::mem::take).unwrap_or_default().iter().for_each(|e| changes.bump(e));
                });
            }
        });
        changes
    }

    /// Subscribes to everything that leaves an entry in the ledger.
    pub fn track_all(&self) {
        let all = [
            self.library,
            self.spaces,
            self.beliefs,
            self.findings,
            self.work,
            self.promotions,
            self.held,
            self.access,
            self.settings,
        ];
        all.iter().for_each(|one| one.track());
    }

    fn bump(&self, event: &Event) {
        let counter = match event {
            Event::Jobs => self.jobs,
            Event::Library => self.library,
            Event::Spaces => self.spaces,
            Event::Models => self.models,
            Event::Beliefs => self.beliefs,
            Event::Findings => self.findings,
            Event::Work => self.work,
            Event::Promotions => self.promotions,
            Event::Held => self.held,
            Event::Access => self.access,
            Event::Settings => self.settings,
            Event::Forgotten => self.forgotten,
            // The shell shows the window; nothing in it changed.
            Event::Window => return,
        };
        counter.update(|n| *n = n.wrapping_add(1));
    }
}

/// A dialog that any part of the window may open.
#[derive(Debug, Clone, PartialEq)]
pub enum Dialog {
    /// Find anything.
    Palette,
    /// Add files.
    AddFiles,
    /// All keys.
    Keys,
    /// Make a space.
    NewSpace,
    /// Watch a folder.
    WatchFolder,
    /// Install a model from a file.
    UseModelFile(Model),
    /// Give a file's password.
    Password {
        /// The file.
        id: ArtifactId,
        /// Its name.
        name: String,
    },
    /// How an agent is connected.
    ConnectAgent,
    /// An agent's access is taken back.
    RevokeAgent {
        /// The agent.
        id: AgentId,
        /// What it calls itself.
        name: String,
    },
    /// A folder is opened to an agent.
    OpenFolder {
        /// The agent.
        id: AgentId,
        /// What it calls itself.
        name: String,
        /// The folders that are open to it already.
        open: Vec<String>,
    },
    /// The ledger is written to a file.
    ExportLedger,
    /// What stays on this machine.
    Privacy,
    /// A job on many notes is cancelled: what that leaves undone is said first.
    CancelJob(Box<Job>),
    /// Something about a belief.
    Belief(BeliefDialog),
    /// Something about a question.
    Recall(RecallDialog),
    /// Something that agents work with.
    Work(WorkDialog),
    /// What was accepted is blacked out.
    BlackOut(Ask),
    /// Something is forgotten: what would go is shown first.
    Forget(Box<forget::Ask>),
    /// What is to be forgotten is asked.
    ForgetChoose,
    /// What came of a forgetting is looked at again: its id.
    Proof(String),
    /// The proof of a forgetting is written to a file.
    SaveProof(String),
}

/// What the whole window shares.
#[derive(Clone, Copy)]
pub struct App {
    /// The page.
    pub route: RwSignal<Route>,
    /// The space in use; `None` for all of them, read-only.
    pub space: RwSignal<Option<SpaceId>>,
    /// All spaces.
    pub spaces: Query<SpacesListed>,
    /// The status line.
    pub status: Query<Status>,
    /// All models.
    pub models: Query<ModelsListed>,
    /// The settings.
    pub settings: Query<Settings>,
    /// The questions that are kept.
    pub searches: Query<SearchesListed>,
    /// The question of Recall; it stays while another page is shown.
    pub asked: Memo<String>,
    /// Rises each time the question of Recall is asked anew, the same one too.
    asks: RwSignal<u32>,
    /// What narrows the questions down; it stays, too.
    pub filters: Filters,
    /// The pack of Context and what it is asked for; both stay while another page is shown.
    pub packing: Packing,
    /// Which traces are listed; it stays while one of them is looked at.
    pub traces: TracesShown,
    /// The agents, and which wait to be let in.
    pub agents: Query<AgentsListed>,
    /// The oldest open conflict of the space in use, and how many there are.
    pub conflicts: Query<ConflictsListed>,
    /// The names of the space in use that wait for who is meant.
    pub names: Query<CandidatesListed>,
    /// The requests for copies from or for the space in use that wait.
    pub promotions: Query<PromotionsListed>,
    /// How much that agents wrote waits.
    pub held: Query<HeldListed>,
    /// The files and memories of the space in use in which something personal waits.
    pub redactions: Query<RedactionsListed>,
    /// The conflict whose decision was just taken back.
    pub reopened: RwSignal<Option<ConflictId>>,
    /// The day as of which rules, knowledge and resources are looked at; now where there is none.
    pub work_day: RwSignal<Option<i64>>,
    /// What changed in the engine.
    pub changes: Changes,
    /// What the viewer pane shows.
    pub viewer: RwSignal<Option<Target>>,
    /// What it was opened from.
    pub opener: StoredValue<Option<web_sys::HtmlElement>, LocalStorage>,
    /// What a citation shows beside it.
    pub previews: Previews,
    /// The passages of the last answer, for the viewer to outline.
    pub results: RwSignal<Vec<Target>>,
    /// Whether the library is a grid.
    pub grid: RwSignal<bool>,
    /// Moves the viewer to the next (+1) or previous (-1) match.
    pub step: RwSignal<i32>,
    /// The dialog that is open.
    pub dialog: RwSignal<Option<Dialog>>,
    /// Where the space switcher is open.
    pub switcher: RwSignal<Option<Anchor>>,
    /// What is being blacked out, the oldest first.
    pub blacking: RwSignal<Vec<Blacking>>,
    /// The messages shown.
    pub toasts: Toasts,
}

const SPACE_KEY: &str = "um.space";
const ALL_SPACES: &str = "all";

impl App {
    /// Starts asking and listening. Call once, at the top.
    pub fn start() -> Self {
        let changes = Changes::listen();
        let space = RwSignal::new(remembered_space());
        let route = RwSignal::new(Route::current());
        let app = Self {
            route,
            space,
            spaces: Query::new(move || {
                changes.spaces.track();
                changes.library.track();
                Some(SpacesList {})
            }),
            status: Query::new(move || {
                changes.jobs.track();
                changes.library.track();
                Some(StatusGet {})
            }),
            models: Query::new(move || {
                changes.models.track();
                changes.jobs.track();
                Some(ModelsList {})
            }),
            settings: Query::new(move || {
                changes.settings.track();
                Some(SettingsGet {})
            }),
            searches: Query::new(move || {
                changes.settings.track();
                changes.spaces.track();
                changes.forgotten.track();
                Some(SearchesList {})
            }),
            asked: Memo::new(move |before: Option<&String>| match route.get() {
                Route::Recall { query } => query,
                _ => before.cloned().unwrap_or_default(),
            }),
            asks: RwSignal::new(0),
            filters: Filters::new(),
            packing: Packing::start(space, changes),
            traces: TracesShown::new(),
            agents: Query::new(move || {
                changes.access.track();
                Some(AgentsList {})
            }),
            conflicts: open_conflicts(space, changes),
            names: open_names(space, changes, 1),
            redactions: open_redactions(space, changes),
            promotions: open_promotions(space, changes, &[PromotionStatus::Pending], 1),
            held: open_held(space, changes, 1),
            reopened: RwSignal::new(None),
            work_day: RwSignal::new(None),
            changes,
            viewer: RwSignal::new(None),
            opener: StoredValue::new_local(None),
            previews: Previews::start(),
            results: RwSignal::new(Vec::new()),
            grid: RwSignal::new(true),
            step: RwSignal::new(0),
            dialog: RwSignal::new(None),
            switcher: RwSignal::new(None),
            blacking: RwSignal::new(Vec::new()),
            toasts: Toasts::default(),
        };
        provide_context(app);
        Effect::new(move |_| remember_space(app.space.get()));
        Effect::new(move |_| app.leave_lost_space());
        Effect::new(move |_| {
            // Who comes back later, or from elsewhere, comes to what is so now.
            if !app.route.with(Route::has_day) && app.work_day.with_untracked(Option::is_some) {
                app.work_day.set(None);
            }
        });
        Effect::new(move |before: Option<()>| {
            changes.forgotten.track();
            if before.is_some() {
                app.show_nothing_kept();
            }
        });
        announce_conflicts(app);
        app
    }

    /// The one of this window.
    pub fn get() -> Self {
        expect_context()
    }

    /// Goes to a page.
    pub fn go(&self, to: Route) {
        crate::route::go(self.route, to);
    }

    /// Asks a question that is kept, with all that narrows it down and in its space.
    pub fn ask(&self, kept: &MemoryRecall) {
        match kept.space.as_ref().map(|space| untrack(|| self.named_space(space))) {
            None => self.space.set(None),
            Some(Some(summary)) => self.space.set(Some(summary.space.id)),
            // What another space answers is no answer to it.
            Some(None) if untrack(|| self.archived_space(kept)).is_some() => {
                let place = untrack(|| self.place_of(kept));
                self.toasts
                    .say(format!("This is asked {place}. Once the space is brought back, it can be asked again."));
                return;
            }
            Some(None) => {
                let label = untrack(|| self.space_label());
                self.toasts.say(format!("The space of this question is not there any more. {label} is searched."));
            }
        }
        self.filters.take(kept);
        // What narrows it down and has no field is typed.
        self.ask_for(typed(kept));
    }

    /// Goes to the answer of a question, and asks it anew where that is shown already.
    pub fn ask_for(&self, query: String) {
        self.ask_anew();
        self.go(Route::Recall { query });
    }

    /// Asks the question of Recall again, while it is shown: what answered it may do so no more.
    pub fn ask_anew(&self) {
        self.asks.update(|asks| *asks = asks.wrapping_add(1));
    }

    /// Subscribes to the question of Recall being asked anew.
    pub fn track_asks(&self) {
        self.asks.track();
    }

    /// Recall as it was left: with the question that was asked there.
    pub fn recall(&self) -> Route {
        Route::Recall { query: self.asked.get() }
    }

    /// The space in use, with what it holds.
    pub fn current_space(&self) -> Option<SpaceSummary> {
        let id = self.space.get()?;
        self.spaces.value.with(|spaces| spaces.as_ref()?.spaces.iter().find(|s| s.space.id == id).cloned())
    }

    /// The name of a space.
    pub fn space_name(&self, id: &SpaceId) -> Option<String> {
        self.spaces
            .value
            .with(|all| all.as_ref()?.spaces.iter().find(|s| s.space.id == *id).map(|s| s.space.name.clone()))
    }

    /// The space that a question names, by its id or its name.
    fn named_space(&self, named: &str) -> Option<SpaceSummary> {
        let is_it = |s: &&SpaceSummary| s.space.id.as_str() == named || s.space.name == named;
        self.spaces.value.with(|all| all.as_ref()?.spaces.iter().find(is_it).cloned())
    }

    /// The name of the space that a question is asked in, where that is archived.
    fn archived_space(&self, asked: &MemoryRecall) -> Option<String> {
        let id = asked.space.as_deref()?;
        self.spaces.value.with(|all| {
            all.as_ref()?.archived.iter().find(|space| space.id.as_str() == id).map(|space| space.name.clone())
        })
    }

    /// Where a question is asked: `in Work`.
    pub fn place_of(&self, asked: &MemoryRecall) -> String {
        match asked.space.as_ref().map(|space| self.named_space(space)) {
            None => "in all spaces".into(),
            Some(Some(summary)) => format!("in {}", summary.space.name),
            Some(None) => match self.archived_space(asked) {
                Some(name) => format!("in {name}, which is archived"),
                None => "in a space that is not there any more".into(),
            },
        }
    }

    /// The name of the space in use, or `All spaces`.
    pub fn space_label(&self) -> String {
        match self.space.get() {
            None => "All spaces".into(),
            Some(id) => self.space_name(&id).unwrap_or_else(|| "...".into()),
        }
    }

    /// The spaces that files can be added to, in the order of their tree: all but GLOBAL, which holds no files.
    pub fn writable_spaces(&self) -> Vec<SpaceSummary> {
        self.spaces.value.with(|all| {
            let all = all.iter().flat_map(|all| branches(&all.spaces)).map(|branch| branch.space);
            all.filter(|s| s.space.space_type != SpaceType::Global).collect()
        })
    }

    /// The oldest request for access that waits for the person, once it is known for which spaces it can be.
    pub fn asking(&self) -> Option<PairingRequest> {
        self.spaces.value.with(Option::is_some).then_some(())?;
        self.agents.value.with(|listed| listed.as_ref()?.waiting.first().cloned())
    }

    /// How much waits for the person, of each kind.
    pub fn waiting(&self) -> Waiting {
        Waiting {
            conflicts: self.conflicts.value.with(|listed| listed.as_ref().map_or(0, |listed| listed.total)),
            redactions: self.redactions.value.with(|listed| listed.as_ref().map_or(0, |listed| listed.total)),
            names: self.names.value.with(|listed| listed.as_ref().map_or(0, |listed| listed.total)),
            promotions: self.promotions.value.with(|listed| listed.as_ref().map_or(0, |listed| listed.total)),
            held: self.held.value.with(|listed| listed.as_ref().map_or(0, |listed| listed.total)),
            agents: self.agents.value.with(|listed| listed.as_ref().map_or(0, |listed| listed.waiting.len() as u64)),
        }
    }

    /// A request for access was answered: it waits no more.
    pub fn answered(&self, id: &PairingId) {
        self.agents.value.update(|listed| listed.iter_mut().for_each(|all| all.waiting.retain(|one| one.id != *id)));
        self.agents.refresh();
    }

    /// Whether a dialog holds the keys.
    pub fn holds_keys(&self) -> bool {
        self.dialog.with_untracked(Option::is_some) || untrack(|| self.asking()).is_some()
    }

    /// Whether single letters act in lists.
    pub fn single_keys(&self) -> bool {
        self.settings.value.with_untracked(|s| s.as_ref().is_none_or(|s| s.single_key_actions))
    }

    /// Moves the focus into the viewer, once it is drawn. What has it now gets it back when the viewer is closed.
    pub fn focus_viewer(&self) {
        let active = document().active_element().filter(|e| e.tag_name() != "BODY");
        // From one passage to another within the viewer, it is still the first that led into it.
        if active.as_ref().is_none_or(|e| e.closest("#viewer").ok().flatten().is_none()) {
            self.opener.set_value(active.and_then(|e| e.dyn_into().ok()));
        }
        request_animation_frame(|| {
            if let Some(pane) = document().get_element_by_id("viewer") {
                // An element that cannot be focused leaves the focus where it is.
                let _ = pane.unchecked_into::<web_sys::HtmlElement>().focus();
            }
        });
    }

    /// Something was forgotten: no picture, passage or preview that was fetched before is shown from here on.
    fn show_nothing_kept(&self) {
        crate::pictures::let_go();
        self.previews.close();
        self.results.set(Vec::new());
        self.viewer.set(None);
    }

    /// A space that is gone cannot stay in use. Looked at with each new list, not with each choice: a space
    /// that was just made is chosen before the list has it.
    fn leave_lost_space(&self) {
        self.spaces.value.track();
        let Some(id) = self.space.get_untracked() else {
            return;
        };
        let lost =
            self.spaces.value.with(|all| all.as_ref().is_some_and(|all| all.spaces.iter().all(|s| s.space.id != id)));
        if lost {
            self.space.set(Some(SpaceId::default_project()));
        }
    }
}

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}

fn remembered_space() -> Option<SpaceId> {
    let stored = storage().and_then(|s| s.get_item(SPACE_KEY).ok().flatten());
    match stored.as_deref() {
        Some(ALL_SPACES) => None,
        Some(id) => SpaceId::parse(id).ok().or_else(|| Some(SpaceId::default_project())),
        None => Some(SpaceId::default_project()),
    }
}

fn remember_space(space: Option<SpaceId>) {
    let word = space.map_or(ALL_SPACES.to_owned(), String::from);
    if let Some(storage) = storage() {
        // A full or forbidden storage costs the memory of the choice, nothing else.
        let _ = storage.set_item(SPACE_KEY, &word);
    }
}
