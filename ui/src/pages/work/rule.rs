//! One standing rule, and its versions.

use super::{WorkDialog, back, level::LevelMark, standing, then, versions::Versions};
use crate::{
    components::{
        icon::{Glyph, Icon},
        states::kept,
    },
    dates,
    query::Query,
    route::{Route, Shown},
    state::App,
};
use leptos::prelude::*;
use um_model::{BlockId, work::*};

/// The page.
#[component]
pub fn Rule(
    /// The rule.
    id: BlockId,
) -> impl IntoView {
    let app = App::get();
    let asked = StoredValue::new(id);
    // A rule is listed with those of its space, which its versions tell.
    let versions = Query::new(move || {
        app.changes.work.track();
        Some(VersionsList {
            item_type: VersionedType::CoreBlock,
            id: asked.get_value().to_string(),
            version: None,
            offset: 0,
            limit: Some(1),
        })
    });
    let space =
        Memo::new(move |_| versions.value.with(|l| l.as_ref()?.versions.first().map(|one| one.space_id.to_string())));
    let listed = Query::new(move || {
        app.changes.work.track();
        Some(BlocksList { space: Some(space.get()?), own_only: true, inactive: true })
    });
    let block = Memo::new(move |_| {
        listed.value.with(|l| l.as_ref()?.blocks.iter().find(|one| one.id == asked.get_value()).cloned())
    });
    let body = move || {
        view! {
            {move || then::is_past(app).then(|| view! {
                <p class="muted small" data-testid="rule-now">"This is the rule as it is now. What it said before stands in its versions."</p>
            })}
            {move || block.get().map(says)}
            <Versions item_type=VersionedType::CoreBlock id=asked.get_value()/>
        }
        .into_any()
    };
    view! {
        <div class="page-head item-head work-head">
            <div class="head-row">
                {back(Route::Rules { show: Shown::Always }, "Rules")}
                {move || match block.get() {
                    Some(block) => view! { <Head block/> }.into_any(),
                    None => view! { <h1 class="grow">"Standing rule"</h1> }.into_any(),
                }}
            </div>
        </div>
        <div class="page-body work-page" data-testid="rule">
            {kept(versions, "The rule could not be opened.", (4, "row"), body)}
        </div>
    }
}

#[component]
fn Head(block: Block) -> impl IntoView {
    let app = App::get();
    let label = block.label.clone();
    let active = block.is_active;
    let held = StoredValue::new(block);
    let buttons = match active {
        true => view! {
            <button type="button" class="button" data-testid="rule-edit" on:click=move |_| WorkDialog::EditRule(Box::new(held.get_value())).open(app)>
                <Glyph icon=Icon::Edit/> "Edit"
            </button>
            <button type="button" class="button" data-testid="rule-remove" on:click=move |_| standing::take_out(app, held.get_value())>
                <Glyph icon=Icon::Ban/> "Remove"
            </button>
        }
        .into_any(),
        false => view! {
            <span class="state small muted"><Glyph icon=Icon::Ban/> "removed"</span>
            <button type="button" class="button" data-testid="rule-again" on:click=move |_| standing::set_again(app, &held.get_value())>
                <Glyph icon=Icon::Undo/> "Set again"
            </button>
        }
        .into_any(),
    };
    view! {
        <h1 class="file grow" title=label.clone() data-testid="rule-title"><bdi>{label.clone()}</bdi></h1>
        {buttons}
    }
}

fn says(block: Block) -> impl IntoView {
    let who_changes = if block.read_only { "Only you change it." } else { "Agents may change it." };
    let facts = format!("Weighs {} of 100. {who_changes} Set {}.", block.authority, dates::moment(block.updated_at));
    view! {
        <section class="panel" aria-labelledby="says-title" data-testid="rule-says">
            <div class="head-row">
                <h2 id="says-title" class="grow">"What it says"</h2>
                <LevelMark space=block.space_id session=false/>
            </div>
            <p class="work-text">{block.content}</p>
            <p class="muted small">{facts}</p>
        </section>
    }
}
