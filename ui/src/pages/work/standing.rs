//! What every agent of a space always reads: standing rules, and pinned notes.

use super::{WorkDialog, level::LevelMark, words::first_line};
use crate::{
    actions,
    components::{
        icon::{Glyph, Icon},
        link::PageLink,
        states::{Empty, kept},
        viewer::Target,
    },
    format::grouped,
    ipc,
    query::Query,
    route::Route,
    state::App,
};
use leptos::{prelude::*, task::spawn_local};
use um_model::{SpaceId, work::*};

/// Both lists.
#[component]
pub fn Standing(space: SpaceId, new: Callback<()>) -> impl IntoView {
    let app = App::get();
    let removed = RwSignal::new(false);
    let listed = Query::new(move || {
        app.changes.work.track();
        Some(BlocksList { space: Some(space.to_string()), own_only: false, inactive: removed.get() })
    });
    let blocks = Memo::new(move |_| listed.value.with(|l| l.as_ref().map_or_else(Vec::new, |l| l.blocks.clone())));
    let none = Memo::new(move |_| blocks.with(Vec::is_empty));
    let key = |block: &Block| {
        format!("{} {} {} {} {}", block.id, block.version, block.authority, block.is_active, block.read_only)
    };
    let empty = move || {
        none.get().then(|| {
            let says = "No standing rule yet. What stands here, every agent reads before it works.";
            view! {
                <Empty icon=Icon::Shield says>
                    <button type="button" class="button accent" on:click=move |_| new.run(())><Glyph icon=Icon::Plus/> "New rule"</button>
                </Empty>
            }
        })
    };
    let body = move || {
        view! {
            <section class="panel" aria-labelledby="rules-title">
                <div class="head-row">
                    <h2 id="rules-title" class="grow">"Standing rules"</h2>
                    <label class="check small" title="Rules that were removed as well">
                        <input type="checkbox" data-testid="rules-removed" prop:checked=move || removed.get() on:change=move |e| removed.set(event_target_checked(&e))/>
                        "Removed, too"
                    </label>
                </div>
                <p class="muted small">"What weighs more comes first. Of two of one name, the one of the nearer space counts."</p>
                {empty}
                <ul class="plain"><For each=move || blocks.get() key=key children=|block| view! { <Row block/> }/></ul>
            </section>
            <Pinned listed/>
        }
        .into_any()
    };
    view! { <div class="scroll-area">{kept(listed, "The standing rules could not be listed.", (3, "card"), body)}</div> }
}

#[component]
fn Row(block: Block) -> impl IntoView {
    let app = App::get();
    let (label, active) = (block.label.clone(), block.is_active);
    let to = Signal::stored(Route::Rule(block.id.clone()));
    let facts = format!("weighs {} of 100, version {}", block.authority, block.version);
    let kept = block.read_only.then(|| {
        view! { <span class="state small muted" title="Only you change it"><Glyph icon=Icon::Lock/> "agents leave it as it is"</span> }
    });
    let out = (!active).then(|| view! { <span class="state small muted"><Glyph icon=Icon::Ban/> "removed"</span> });
    let (edit, remove) = (format!("Edit {label}"), format!("Remove {label}"));
    let held = StoredValue::new(block.clone());
    let back = move |_| set_again(app, &held.get_value());
    let buttons = match active {
        true => view! {
            <button type="button" class="button small" aria-label=edit data-testid="rule-edit"
                on:click=move |_| WorkDialog::EditRule(Box::new(held.get_value())).open(app)>"Edit"</button>
            <button type="button" class="button small" aria-label=remove data-testid="rule-remove"
                on:click=move |_| take_out(app, held.get_value())>"Remove"</button>
        }
        .into_any(),
        false => view! {
            <button type="button" class="button small" aria-label=format!("Set again: {label}") data-testid="rule-again" on:click=back>"Set again"</button>
        }
        .into_any(),
    };
    view! {
        <li class="rule-row" class:gone=!active data-testid="rule-row">
            <div class="head-row">
                <span class="grow"><PageLink to class="entity-link"><span><bdi>{label}</bdi></span></PageLink></span>
                {out}
                {kept}
                <LevelMark space=block.space_id session=false/>
            </div>
            <p class="work-text">{block.content}</p>
            <p class="actions"><span class="muted small grow">{facts}</span> {buttons}</p>
        </li>
    }
}

/// Takes a rule out of force, with the way back.
pub fn take_out(app: App, block: Block) {
    spawn_local(async move {
        match ipc::call(BlockRemove { block: block.id.clone() }).await {
            Ok(_) => {
                let says = format!("{} is in force no more.", first_line(&block.label));
                app.toasts.say_with_undo(says, move || set_again(app, &block));
            }
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

/// Sets a rule that was removed again, as it was. It begins anew with its first version.
pub fn set_again(app: App, block: &Block) {
    let request = BlockSet {
        space: Some(block.space_id.to_string()),
        label: block.label.clone(),
        content: block.content.clone(),
        authority: Some(block.authority),
        read_only: Some(block.read_only),
        change_reason: None,
        metadata: Some(block.metadata.clone()),
    };
    actions::run(app, request);
}

/// The notes that are pinned, and how much of them is read.
#[component]
fn Pinned(listed: Query<BlocksListed>) -> impl IntoView {
    let app = App::get();
    let pinned = Memo::new(move |_| listed.value.with(|l| l.as_ref().map_or_else(Vec::new, |l| l.pinned.clone())));
    let budget = Memo::new(move |_| listed.value.with(|l| l.as_ref().map(|l| l.budget).unwrap_or_default()));
    let says = move || {
        let PinnedBudget { max_chars, max_records } = budget.get();
        let (notes, chars) = (grouped(u64::from(max_records)), grouped(u64::from(max_chars)));
        format!("The latest {notes} are read, with {chars} characters in all at most.")
    };
    let row = move |memory: PinnedMemory| {
        let title = memory.title.clone().map(|title| first_line(&title)).unwrap_or_default();
        // What has no title is called by its first words, which are not said twice.
        let below = (!title.is_empty()).then(|| first_line(&memory.content));
        let title = if title.is_empty() { first_line(&memory.content) } else { title };
        let target = Target::of_note(memory.id.clone(), title.clone());
        let open = move |_| {
            app.viewer.set(Some(target.clone()));
            app.focus_viewer();
        };
        let (id, label) = (memory.id.clone(), format!("Unpin {title}"));
        view! {
            <li class="entry" data-testid="pinned-row">
                <Glyph icon=Icon::Pin/>
                <span class="entry-text grow">
                    <button type="button" class="pinned-open clip" title=title.clone() on:click=open>{title.clone()}</button>
                    {below.map(|below| view! { <span class="muted small clip" title=below.clone()>{below.clone()}</span> })}
                </span>
                <button type="button" class="button small" data-testid="unpin" aria-label=label on:click=move |_| actions::pin(app, id.clone(), false)>"Unpin"</button>
            </li>
        }
    };
    move || {
        (!pinned.with(Vec::is_empty)).then(|| {
            view! {
                <section class="panel" aria-labelledby="pinned-title">
                    <h2 id="pinned-title">"Pinned notes"</h2>
                    <p class="muted small">{says}</p>
                    <ul class="plain">{pinned.get().into_iter().map(row).collect_view()}</ul>
                </section>
            }
        })
    }
}
