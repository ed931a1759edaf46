//! Versions that were written without regard to one another: side by side, and what is decided between them.

use super::{
    WorkDialog,
    diff::diff,
    says::{map, said},
    words::{decided, decides, first_line, type_icon, who},
};
use crate::{
    components::{
        dialogs::Form,
        icon::{Glyph, Icon},
        link::PageLink,
        states::{Empty, kept, shown},
    },
    dates,
    format::grouped,
    query::Query,
    route::Route,
    state::App,
};
use leptos::prelude::*;
use um_model::{EntryId, work::*};

/// So many are listed at once; those after them come up as these are decided.
const LISTED: u32 = 50;

/// Asks which clashes are open: of a space, or of an entry.
pub fn open_clashes(app: App, entry: Option<EntryId>, limit: u32) -> Query<ClashesListed> {
    Query::new(move || {
        app.changes.work.track();
        let space = if entry.is_some() { None } else { app.space.get().map(String::from) };
        Some(ClashesList { space, entry: entry.clone(), limit: Some(limit), ..ClashesList::default() })
    })
}

/// Those of the space in use.
#[component]
pub fn SpaceClashes() -> impl IntoView {
    let app = App::get();
    let listed = open_clashes(app, None, LISTED);
    let all = Memo::new(move |_| listed.value.with(|l| l.as_ref().map_or_else(Vec::new, |l| l.clashes.clone())));
    let none = Memo::new(move |_| all.with(Vec::is_empty));
    let more = Memo::new(move |_| {
        let total = listed.value.with(|listed| listed.as_ref().map_or(0, |listed| listed.total));
        total.saturating_sub(all.with(Vec::len) as u64)
    });
    let nothing = move || {
        none.get().then(|| {
            let says = "Nothing to decide. Where two write at once, both versions are kept, and wait here.";
            view! { <Empty icon=Icon::CheckCircle says/> }
        })
    };
    let cards = move || {
        view! {
            {nothing}
            <ol class="plain"><For each=move || all.get() key=|one| one.id.clone() children=|clash| view! { <li><Card clash named=true/></li> }/></ol>
            {move || (more.get() > 0).then(|| view! { <p class="muted small">{format!("and {} after these", grouped(more.get()))}</p> })}
        }
        .into_any()
    };
    kept(listed, "What was written at once could not be listed.", (2, "card"), cards)
}

/// Those of an entry, above what it says. Nothing where there are none.
#[component]
pub fn EntryClashes(
    /// The entry.
    entry: EntryId,
) -> impl IntoView {
    let app = App::get();
    let listed = open_clashes(app, Some(entry), LISTED);
    let all = Memo::new(move |_| listed.value.with(|l| l.as_ref().map_or_else(Vec::new, |l| l.clashes.clone())));
    view! { <For each=move || all.get() key=|one| one.id.clone() children=|clash| view! { <Card clash named=false/> }/> }
}

/// Both versions beside each other, what differs, and the decisions.
#[component]
fn Card(clash: Clash, named: bool) -> impl IntoView {
    let app = App::get();
    let id = format!("clash-{}", clash.id);
    let heading = if named {
        format!("{}: two versions", first_line(&clash.name))
    } else {
        "Two versions, written at once".to_owned()
    };
    let (entry, from, to) = (clash.entry_id.clone(), clash.a.number, clash.b.number);
    let open = Route::Entry(entry.clone());
    let differ =
        Query::new(move || Some(VersionsDiff { item_type: VersionedType::Entry, id: entry.to_string(), from, to }));
    let sides = view! {
        <div class="conflict-sides">{side("A", &clash.a, "the earlier")} {side("B", &clash.b, "the later")}</div>
    };
    let icon = type_icon(clash.entry_type);
    let clash = StoredValue::new(clash);
    let choose = move |outcome| move |_| WorkDialog::Decide(Box::new(clash.get_value()), outcome).open(app);
    view! {
        <section class="panel clash" aria-labelledby=id.clone() data-testid="clash">
            <div class="head-row">
                <Glyph icon/>
                <h2 id=id.clone() class="grow"><bdi>{heading}</bdi></h2>
                {named.then(|| view! { <PageLink to=Signal::stored(open) class="button small">"Open"</PageLink> })}
            </div>
            <p class="muted small">"Neither had seen the other. Both are kept, whatever you decide."</p>
            {sides}
            <p class="actions" role="group" aria-label="Decide">
                <button type="button" class="button" data-testid="clash-a" on:click=choose(ClashOutcome::KeepA)>"Keep A"</button>
                <button type="button" class="button" data-testid="clash-b" on:click=choose(ClashOutcome::KeepB)>"Keep B"</button>
                <button type="button" class="button" data-testid="clash-merge"
                    on:click=move |_| WorkDialog::Merge(Box::new(clash.get_value())).open(app)>"Put both together ..."</button>
                <button type="button" class="button" data-testid="clash-dismiss" on:click=choose(ClashOutcome::Dismissed)>"They agree"</button>
            </p>
            <div class="clash-differs">
                <h3>"What differs, from A to B"</h3>
                {shown(differ, "The versions could not be compared.", (2, "row"), |changed| diff(changed.fields))}
            </div>
        </section>
    }
}

fn side(letter: &'static str, version: &EntryVersion, order: &'static str) -> impl IntoView + use<> {
    let when = dates::moment(version.created_at);
    let facts = format!("Version {}, {order}: {when}, by {}", version.number, who(&version.author));
    let reason = version.change_reason.as_deref().map(first_line);
    view! {
        <section class="conflict-side" aria-label=format!("{letter}: version {}", version.number) data-testid=format!("clash-side-{}", letter.to_lowercase())>
            <p class="side-head">
                <span class="side-letter" aria-hidden="true">{letter}</span>
                <span class="small muted grow">{facts}</span>
            </p>
            {reason.map(|reason| view! { <p class="small"><bdi>{reason}</bdi></p> })}
            {said(&map(&version.body))}
        </section>
    }
}

/// Decides, once it is said what counts from then on: there is no way back but a new version.
#[component]
pub fn Decide(
    /// The two versions.
    clash: Clash,
    /// What is decided.
    outcome: ClashOutcome,
) -> impl IntoView {
    let app = App::get();
    let (says, button) = decides(outcome, &first_line(&clash.name), (clash.a.number, clash.b.number));
    let id = StoredValue::new(clash.id);
    let request = move || Some(ClashResolve { clash: id.get_value(), outcome, body: None, note: None });
    let done = Callback::new(move |_: Clash| app.toasts.say(decided(outcome)));
    view! {
        <Form request button done>
            <p data-testid="decide-says">{says}</p>
            <p class="muted">"This is not taken back. Every version stays, and a new one can say anything again."</p>
        </Form>
    }
}
