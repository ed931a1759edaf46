//! The resource that is open: what it is, what it says, its versions.

use super::{WorkDialog, back, then, versions::Versions, words};
use crate::{
    clipboard,
    components::{
        icon::{Glyph, Icon},
        states::kept,
    },
    dates,
    query::Query,
    route::Route,
    state::App,
};
use leptos::prelude::*;
use um_model::work::{Resource, ResourceKind, VersionedType};

/// Beside the tree.
#[component]
pub fn Detail(opened: Query<Resource>) -> impl IntoView {
    // What is read anew and says the same draws nothing anew.
    let resource = Memo::new(move |_| opened.value.get());
    let id = Memo::new(move |_| resource.with(|one| one.as_ref().map(|one| one.id.clone())));
    let body = move || {
        view! {
            {move || resource.get().map(|resource| view! { <Says resource/> })}
            {move || id.get().map(|id| view! { <Versions item_type=VersionedType::Resource id/> })}
        }
        .into_any()
    };
    view! {
        <div class="resource-back">{back(Route::Resources { open: None }, "All resources")}</div>
        {kept(opened, "The resource could not be opened.", (4, "row"), body)}
    }
}

#[component]
fn Says(resource: Resource) -> impl IntoView {
    let app = App::get();
    let (icon, kind) = words::resource(resource.kind);
    let (title, uri) = (resource.title.clone(), resource.uri.clone());
    let facts = format!("Version {}, {}", resource.version, dates::moment(resource.updated_at));
    // Of what a program reads, the columns matter.
    let mono = matches!(resource.kind, ResourceKind::File | ResourceKind::Module | ResourceKind::Dataset);
    let content = match resource.content.clone().filter(|content| !content.trim().is_empty()) {
        Some(content) => {
            view! { <p class="work-text" class:mono=mono data-testid="resource-content">{content}</p> }.into_any()
        }
        None => view! { <p class="muted" data-testid="resource-content">"It says nothing by itself."</p> }.into_any(),
    };
    let copied = uri.clone();
    let held = StoredValue::new(resource);
    let under = move |_| {
        let (space, uri) = held.with_value(|one| (one.space_id.clone(), one.uri.clone()));
        WorkDialog::NewResource(space, Some(uri)).open(app);
    };
    view! {
        <section class="panel" aria-labelledby="resource-title" data-testid="resource">
            <div class="head-row">
                <h2 id="resource-title" class="grow resource-title"><bdi>{title}</bdi></h2>
                <span class="entity-kind"><Glyph icon/> {kind}</span>
            </div>
            <div class="code-line">
                <code tabindex="0">{uri}</code>
                <button type="button" class="button ghost square" aria-label="Copy the address" title="Copy the address"
                    on:click=move |_| clipboard::copy(app, copied.clone(), "Copied.")><Glyph icon=Icon::Copy/></button>
            </div>
            {content}
            <p class="muted small">{facts}</p>
            <p class="actions">
                <button type="button" class="button" data-testid="resource-edit"
                    disabled=move || then::is_past(app) title=move || then::reason(app) on:click=move |_| WorkDialog::EditResource(Box::new(held.get_value())).open(app)>
                    <Glyph icon=Icon::Edit/> "Edit"
                </button>
                <button type="button" class="button" data-testid="resource-under"
                    disabled=move || then::is_past(app) title=move || then::reason(app) on:click=under><Glyph icon=Icon::Plus/> "New under it"</button>
                <button type="button" class="button" data-testid="resource-remove"
                    disabled=move || then::is_past(app) title=move || then::reason(app) on:click=move |_| WorkDialog::RemoveResource(Box::new(held.get_value())).open(app)>
                    <Glyph icon=Icon::Trash/> "Take away"
                </button>
            </p>
        </section>
    }
}
