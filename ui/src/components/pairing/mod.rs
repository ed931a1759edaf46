//! An agent asks to be let in: one calm question at a time, that no stray key answers with yes.

mod asked;

use super::icon::{Glyph, Icon};
use crate::{dates, ipc, state::App, voice};
use asked::{Asked, asked, writes};
use leptos::{ev, html, prelude::*, task::spawn_local};
use um_model::{
    SpaceId,
    access::{PairingAnswer, PairingDecide, PairingRequest, ReadPolicy, Right},
    spaces::SpaceSummary,
};

pub use asked::{plain, sentence};

/// How long nothing answers after the question came up, in milliseconds: what was meant for the page before it does
/// not go to it.
const DEAF_MS: u32 = 500;

/// How long an access may last, in days; nothing is until it is revoked. The second is chosen where the person says nothing.
const DAYS: [Option<u32>; 4] = [Some(30), Some(90), Some(365), None];

/// The oldest question that waits for the person, if one does.
#[component]
pub fn PairingPrompt() -> impl IntoView {
    let app = App::get();
    let oldest = Memo::new(move |shown: Option<&Option<PairingRequest>>| {
        let request = app.asking()?;
        let is_shown = shown.and_then(Option::as_ref).is_some_and(|one| one.id == request.id);
        // A space that was just made may be in the list that is on its way: it would be told as one that there is not.
        let is_clear = || !app.spaces.loading.get() || meant_here(app, &request).unclear.is_empty();
        (is_shown || is_clear()).then_some(request)
    });
    move || oldest.get().map(|request| view! { <Question request/> })
}

/// What a request means among the spaces that the window knows.
fn meant_here(app: App, request: &PairingRequest) -> Asked {
    app.spaces.value.with(|all| asked(request, all.as_ref().map_or(&[], |all| &all.spaces)))
}

/// What the person has chosen so far.
#[derive(Clone, Copy)]
struct Choice {
    spaces: RwSignal<Vec<SpaceId>>,
    writes: RwSignal<bool>,
    /// Days that the access lasts; nothing where it has no end.
    days: RwSignal<Option<u32>>,
}

impl Choice {
    fn rights(self) -> Vec<Right> {
        if self.writes.get_untracked() { vec![Right::Read, Right::Write] } else { vec![Right::Read] }
    }
}

/// A question and how far its answer is.
#[derive(Clone, Copy)]
struct Asking {
    app: App,
    request: StoredValue<PairingRequest>,
    choice: Choice,
    node: NodeRef<html::Dialog>,
    /// Whether it listens by now.
    hears: RwSignal<bool>,
    /// Whether an answer is under way, or given.
    answered: RwSignal<bool>,
    failed: RwSignal<Option<String>>,
}

impl Asking {
    /// Its element, as long as it stands in the page.
    fn dialog(self) -> Option<web_sys::HtmlDialogElement> {
        self.node.try_get_untracked().flatten()
    }

    /// Opens it, or opens it again where it could not be answered.
    fn open(self) {
        if let Some(dialog) = self.dialog() {
            // Fails only where it is open already.
            let _ = dialog.show_modal();
            if let Ok(Some(button)) = dialog.query_selector("[data-testid=pairing-not-now]") {
                use wasm_bindgen::JsCast;
                // A button that cannot be focused leaves the focus on the dialog, where no key answers.
                let _ = button.unchecked_into::<web_sys::HtmlElement>().focus();
            }
        }
    }

    fn answer(self, answer: Option<PairingAnswer>) {
        // A dialog that was taken out still says that it closed.
        if self.hears.try_get_untracked() != Some(true) || self.answered.try_get_untracked() != Some(false) {
            return;
        }
        self.answered.set(true);
        self.failed.set(None);
        let is_yes = matches!(answer, Some(PairingAnswer::Once | PairingAnswer::Always));
        let days = if answer == Some(PairingAnswer::Always) { self.choice.days.get_untracked() } else { None };
        let decide = PairingDecide {
            id: self.request.with_value(|request| request.id.clone()),
            answer,
            spaces: is_yes.then(|| self.choice.spaces.get_untracked().into_iter().map(String::from).collect()),
            rights: is_yes.then(|| self.choice.rights()),
            expires_in_days: days,
        };
        spawn_local(async move {
            match ipc::call(decide).await {
                Ok(decided) => {
                    // Closed before it is taken out, so that the focus goes back to where it was.
                    if let Some(dialog) = self.dialog() {
                        dialog.close();
                    }
                    self.app.toasts.say(said(&decided, is_yes, days));
                    self.app.answered(&decided.id);
                }
                Err(error) => {
                    self.failed.try_set(Some(voice::failure(&error)));
                    self.answered.try_set(false);
                    self.open();
                    // It may have been answered elsewhere: then it goes.
                    self.app.agents.refresh();
                }
            }
        });
    }
}

/// What became of a request, in a sentence.
fn said(decided: &PairingRequest, is_yes: bool, days: Option<u32>) -> String {
    let name = plain(&decided.client_name);
    match (decided.answer, is_yes) {
        (Some(PairingAnswer::Once), _) => format!("{name} is let in for 8 hours."),
        (_, true) if days.is_some() => format!("{name} is let in for {}.", lasting(days)),
        (_, true) => format!("{name} is let in."),
        (Some(PairingAnswer::Never), _) => format!("{name} stays out, and is not asked about again."),
        _ => format!("{name} stays out for now. It may ask again in an hour."),
    }
}

#[component]
fn Question(request: PairingRequest) -> impl IntoView {
    let app = App::get();
    let wanted = untrack(|| meant_here(app, &request));
    let choice = Choice {
        spaces: RwSignal::new(wanted.known),
        writes: RwSignal::new(writes(&request)),
        days: RwSignal::new(DAYS[1]),
    };
    let asking = Asking {
        app,
        request: StoredValue::new(request.clone()),
        choice,
        node: NodeRef::new(),
        hears: RwSignal::new(false),
        answered: RwSignal::new(false),
        failed: RwSignal::new(None),
    };
    // Said once it is open: what stands there from the beginning is not read out.
    let announced = RwSignal::new(String::new());
    let says = sentence(&request);
    Effect::new(move |_| {
        if asking.node.get().is_some() {
            asking.open();
            announced.set(says.clone());
        }
    });
    spawn_local(async move {
        gloo_timers::future::TimeoutFuture::new(DEAF_MS).await;
        asking.hears.try_set(true);
    });
    let deaf = move || !asking.hears.get();
    let cancelled = move |event: web_sys::Event| {
        if untrack(deaf) {
            event.prevent_default();
        }
    };
    let pressed = move |press: ev::KeyboardEvent| {
        if untrack(deaf) || press.repeat() {
            press.prevent_default();
        }
    };
    view! {
        <dialog node_ref=asking.node class="dialog pairing" class:deaf=deaf role="alertdialog" data-testid="dialog-pairing"
            aria-labelledby="pairing-title" aria-describedby="pairing-says"
            on:cancel=cancelled on:close=move |_| asking.answer(None) on:keydown=pressed>
            <div class="dialog-body">
                <header class="dialog-head"><h2 id="pairing-title">"An agent asks to be let in"</h2></header>
                <p id="pairing-says" role="alert" aria-live="assertive" data-testid="pairing-says"><bdi>{announced}</bdi></p>
                {facts(&request)}
                {spaces(asking, wanted.unclear)}
                <div class="pairing-terms">{rights(choice)} {term(choice)}</div>
                <p class="form-error" role="alert" data-testid="pairing-error">{move || asking.failed.get()}</p>
                {buttons(asking)}
            </div>
        </dialog>
    }
}

/// What the agent says of itself, apart from what was checked.
fn facts(request: &PairingRequest) -> impl IntoView + use<> {
    let process = request.claimed_process.as_deref().map(plain).filter(|words| !words.is_empty());
    let (program, starter) = request.checked.clone().map_or((None, None), |of| (of.program, of.started_by));
    let starter = starter.map(|path| {
        view! {
            <li><Glyph icon=Icon::Code/> <span>"Started by " <bdi title=plain(&path)>{asked::program_name(&path)}</bdi></span></li>
        }
    });
    let before = request.is_known.then(|| {
        view! {
            <li><Glyph icon=Icon::Older/> "An agent that called itself the same was let in before"</li>
        }
    });
    let parts = asked::parts(request).map(|says| {
        view! { <li data-testid="pairing-parts"><Glyph icon=Icon::Info/> <bdi>{says}</bdi></li> }
    });
    view! {
        <div class="pairing-facts">
            <section class="pairing-claimed" aria-labelledby="pairing-claimed">
                <h3 id="pairing-claimed">"It says of itself"</h3>
                <p class="muted small">"Nobody checked this."</p>
                <ul class="plain">
                    <li><Glyph icon=Icon::Agent/> <span>"Name: " <bdi class="strong">{plain(&request.client_name)}</bdi></span></li>
                    <li><Glyph icon=Icon::Code/> <span>"Program: " <bdi>{process.unwrap_or_else(|| "not said".into())}</bdi></span></li>
                </ul>
            </section>
            <section class="pairing-checked" aria-labelledby="pairing-checked">
                <h3 id="pairing-checked">"Checked here"</h3>
                <ul class="plain">
                    <li data-testid="pairing-process">
                        <Glyph icon=Icon::Shield/> <bdi title=program.as_deref().map(plain)>{asked::process(request)}</bdi>
                    </li>
                    {starter}
                    <li><Glyph icon=Icon::Clock/> {format!("Asked on {}", dates::moment(request.created_at))}</li>
                    {before}
                    {parts}
                </ul>
            </section>
        </div>
    }
}

/// The person's spaces, those asked for ticked.
fn spaces(asking: Asking, unclear: Vec<String>) -> impl IntoView {
    let chosen = asking.choice.spaces;
    let tick = move |space: SpaceSummary| {
        let id = StoredValue::new(space.space.id.clone());
        let set = move |event: ev::Event| {
            let on = event_target_checked(&event);
            chosen.update(|all| {
                all.retain(|one| *one != id.get_value());
                if on {
                    all.push(id.get_value());
                }
            });
        };
        let closed = space.space.read_policy == ReadPolicy::OwnerOnly;
        view! {
            <label class="check">
                <input type="checkbox" data-testid="pairing-space" value=space.space.id.to_string()
                    prop:checked=move || chosen.with(|all| all.contains(&id.get_value())) on:change=set/>
                <span>{space.space.name}</span>
                {closed.then(|| view! { <span class="muted small">"only you read it"</span> })}
            </label>
        }
    };
    let unclear = unclear
        .into_iter()
        .map(|says| view! { <p class="small pairing-unclear"><Glyph icon=Icon::Info/> <bdi>{says}</bdi></p> });
    view! {
        <fieldset>
            <legend class="label">"Spaces that it sees"</legend>
            <div class="pairing-spaces">{move || asking.app.writable_spaces().into_iter().map(tick).collect_view()}</div>
            {unclear.collect_view()}
        </fieldset>
    }
}

fn rights(choice: Choice) -> impl IntoView {
    let one = move |does: bool, words: &'static str| {
        view! {
            <label class="radio">
                <input type="radio" name="pairing-rights" data-testid=if does { "pairing-write" } else { "pairing-read" }
                    prop:checked=move || choice.writes.get() == does on:change=move |_| choice.writes.set(does)/>
                {words}
            </label>
        }
    };
    view! {
        <fieldset class="choices-row">
            <legend class="label">"What it may do there"</legend>
            {one(false, "Read")}
            {one(true, "Read and write")}
        </fieldset>
    }
}

/// How long it stays in, in words.
fn lasting(days: Option<u32>) -> String {
    match days {
        Some(365) => "1 year".to_owned(),
        Some(days) => format!("{days} days"),
        None => "until you revoke it".to_owned(),
    }
}

/// How long an access lasts that is not for today only.
fn term(choice: Choice) -> impl IntoView {
    let options = DAYS.into_iter().enumerate().map(|(at, days)| {
        view! { <option value=at.to_string() selected=days == choice.days.get_untracked()>{lasting(days)}</option> }
    });
    let chosen = move |event: ev::Event| {
        let at: Option<usize> = event_target_value(&event).parse().ok();
        choice.days.set(at.and_then(|at| DAYS.get(at).copied()).flatten());
    };
    view! {
        <label class="pairing-term">
            <span class="label">"It stays in"</span>
            <select class="field" data-testid="pairing-days" on:change=chosen>{options.collect_view()}</select>
        </label>
    }
}

fn buttons(asking: Asking) -> impl IntoView {
    let nothing = move || asking.choice.spaces.with(Vec::is_empty);
    let days = asking.choice.days;
    let yes = move |answer: PairingAnswer, words: Signal<String>, test: &'static str| {
        // Enter is pressed in passing; a yes is a click, or the space bar on its button.
        let pressed = |press: ev::KeyboardEvent| {
            if press.key() == "Enter" {
                press.prevent_default();
            }
        };
        view! {
            <button type="button" class="button" data-testid=test disabled=move || nothing() || asking.answered.get()
                on:keydown=pressed on:click=move |_| asking.answer(Some(answer))>{words}</button>
        }
    };
    let lasts = Signal::derive(move || match days.get() {
        None => "Always".to_owned(),
        days => format!("For {}", lasting(days)),
    });
    let close = move |_| {
        // Closing it is "not now".
        if asking.hears.get_untracked()
            && let Some(dialog) = asking.dialog()
        {
            dialog.close();
        }
    };
    view! {
        <p class="muted small">
            {move || if nothing() { "Tick at least one space to let it in. " } else { "" }}
            "For today is 8 hours. You can revoke each access at any time. Enter never lets an agent in: click, or press the space bar."
        </p>
        <div class="form-foot">
            <button type="button" class="button" data-testid="pairing-not-now" on:click=close>"Not now"</button>
            <button type="button" class="button" data-testid="pairing-never" disabled=move || asking.answered.get()
                on:click=move |_| asking.answer(Some(PairingAnswer::Never))>"Never"</button>
            <span class="grow"></span>
            {yes(PairingAnswer::Once, Signal::stored("For today".to_owned()), "pairing-once")}
            {yes(PairingAnswer::Always, lasts, "pairing-always")}
        </div>
    }
}
