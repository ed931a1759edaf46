//! The versions of something, and what changed between any two of them.

use super::{
    diff::diff,
    says::said,
    words::{first_line, who},
};
use crate::{
    components::{
        icon::{Glyph, Icon},
        states::kept,
    },
    dates,
    format::count,
    query::Query,
    state::App,
};
use leptos::prelude::*;
use um_model::work::{ItemVersion, VersionedType, VersionsDiff, VersionsList};

/// So many are listed.
const LISTED: u32 = 200;

/// What is compared: the earlier number and the later one, where a person chose; else the last two.
type Compared = RwSignal<Option<(u32, u32)>>;

/// The section of a page.
#[component]
pub fn Versions(
    /// What keeps them.
    item_type: VersionedType,
    /// Its id.
    #[prop(into)]
    id: String,
) -> impl IntoView {
    let app = App::get();
    let id = StoredValue::new(id);
    let listed = Query::new(move || {
        app.changes.work.track();
        Some(VersionsList { item_type, id: id.get_value(), version: None, offset: 0, limit: Some(LISTED) })
    });
    let total = Memo::new(move |_| listed.value.with(|listed| listed.as_ref().map_or(0, |listed| listed.total)));
    let all = Memo::new(move |_| listed.value.with(|l| l.as_ref().map_or_else(Vec::new, |l| l.versions.clone())));
    let numbers = Memo::new(move |_| all.with(|all| all.iter().map(|one| one.number).collect::<Vec<_>>()));
    let chosen: Compared = RwSignal::new(None);
    let compared = Memo::new(move |_| {
        let last = numbers.with(|numbers| Some((*numbers.get(1)?, *numbers.first()?)));
        chosen.get().or(last)
    });
    let list = move || {
        let older = move || {
            (total.get() > u64::from(LISTED))
                .then(|| view! { <p class="muted small">{format!("The latest {LISTED} of {}.", total.get())}</p> })
        };
        view! {
            {move || compared.get().map(|_| view! { <Compare numbers compared chosen item_type id/> })}
            <ol class="plain versions">
                <For each=move || all.get() key=|one| one.number children=move |one| view! { <Version one chosen item_type id/> }/>
            </ol>
            {older}
        }
        .into_any()
    };
    view! {
        <section class="panel" aria-labelledby="versions-title" data-testid="work-versions">
            <div class="head-row">
                <h2 id="versions-title" class="grow">"Versions"</h2>
                <span class="muted small">{move || count(total.get(), "version")}</span>
            </div>
            {kept(listed, "The versions could not be listed.", (2, "row"), list)}
        </section>
    }
}

/// Two versions against each other.
#[component]
fn Compare(
    numbers: Memo<Vec<u32>>,
    compared: Memo<Option<(u32, u32)>>,
    chosen: Compared,
    item_type: VersionedType,
    id: StoredValue<String>,
) -> impl IntoView {
    let app = App::get();
    let changed = Query::new(move || {
        app.changes.work.track();
        let (from, to) = compared.get()?;
        Some(VersionsDiff { item_type, id: id.get_value(), from, to })
    });
    let fields =
        Memo::new(move |_| changed.value.with(|changed| changed.as_ref().map(|changed| changed.fields.clone())));
    let drawn = move || view! { {move || fields.get().map(diff)} }.into_any();
    let select = move |testid: &'static str, label: &'static str, first: bool| {
        let here = move || compared.get().map_or(0, |(from, to)| if first { from } else { to });
        let options = move || {
            let one = |number: u32| {
                view! { <option value=number.to_string() selected=move || here() == number>{format!("version {number}")}</option> }
            };
            numbers.get().into_iter().map(one).collect_view()
        };
        let choose = move |event| {
            let number = event_target_value(&event).parse().unwrap_or(1);
            let (from, to) = untrack(|| compared.get()).unwrap_or((number, number));
            chosen.set(Some(if first { (number, to) } else { (from, number) }));
        };
        view! { <select class="field" aria-label=label data-testid=testid on:change=choose>{options}</select> }
    };
    view! {
        <div class="compare" role="group" aria-label="Compare two versions">
            <p class="compare-which">
                <span>"From"</span> {select("diff-from", "From version", true)}
                <span>"to"</span> {select("diff-to", "To version", false)}
            </p>
            {kept(changed, "The versions could not be compared.", (3, "row"), drawn)}
        </div>
    }
}

/// A version in the list: when, by whom and why; and all that it says, once that is asked.
#[component]
fn Version(one: ItemVersion, chosen: Compared, item_type: VersionedType, id: StoredValue<String>) -> impl IntoView {
    let open = RwSignal::new(false);
    let number = one.number;
    let facts = format!("{}, by {}", dates::moment(one.created_at), who(&one.author));
    let reason = one.change_reason.as_deref().map(first_line);
    let (says, cut) = (StoredValue::new(one.says), one.truncated.is_some());
    // What is cut short in the list is read whole once it is asked for.
    let whole = Query::new(move || {
        (cut && open.get()).then(|| VersionsList {
            item_type,
            id: id.get_value(),
            version: Some(number),
            offset: 0,
            limit: None,
        })
    });
    let words = move || match whole
        .value
        .with(|read| read.as_ref().and_then(|read| read.versions.first().map(|one| said(&one.says))))
    {
        Some(whole) => whole.into_any(),
        None => says.with_value(said).into_any(),
    };
    let before = (number > 1).then(|| {
        view! {
            <button type="button" class="button ghost small" data-testid="version-changed"
                aria-label=format!("What changed in version {number}") on:click=move |_| chosen.set(Some((number - 1, number)))>"What changed"</button>
        }
    });
    let flag = one.conflict_flag.then(|| {
        view! {
            <span class="state small waiting" title="Whoever wrote it had not seen the version before it">
                <Glyph icon=Icon::Conflict/> "written at once with another"
            </span>
        }
    });
    view! {
        <li class="version" data-testid="version-row">
            <div class="head-row">
                <span class="strong">{format!("Version {number}")}</span>
                <span class="muted small grow">{facts}</span>
                {flag}
                {before}
                <button type="button" class="button ghost small" data-testid="version-show" aria-expanded=move || open.get().to_string()
                    aria-label=format!("What it says: version {number}") on:click=move |_| open.update(|open| *open = !*open)>
                    "What it says" <Glyph icon=Icon::ChevronDown/>
                </button>
            </div>
            {reason.map(|reason| view! { <p class="small"><bdi>{reason}</bdi></p> })}
            {move || open.get().then_some(words)}
        </li>
    }
}
