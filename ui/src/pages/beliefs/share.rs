//! Whether every space may name an entity: what that means, and the way back.

use super::words::type_name;
use crate::{
    components::{
        dialogs::Form,
        states::{Skeleton, Trouble},
    },
    dates, ipc,
    query::Query,
    route::Route,
    state::App,
};
use leptos::{prelude::*, task::spawn_local};
use um_model::{
    ApiError, EntityId, MergeId, SpaceId,
    claims::{Entity, EntityDetail, EntityGet, EntityShare, EntityUnmerge, Merge},
};

/// Whether every space may name it.
pub fn is_shared(entity: &Entity) -> bool {
    entity.space_id == SpaceId::global()
}

/// The merges that made it what every space may name, and that stand: the latest first, as they have to be undone.
fn standing(detail: &EntityDetail) -> Vec<Merge> {
    let mut merges: Vec<Merge> =
        detail.merges.iter().filter(|merge| !merge.undone && merge.kept.id == detail.entity.id).cloned().collect();
    merges.sort_by_key(|merge| std::cmp::Reverse(merge.merged_at));
    merges
}

/// Lets every space name it.
#[component]
pub fn Share(entity: Entity) -> impl IntoView {
    let app = App::get();
    let (name, kind) = (entity.name.clone(), type_name(entity.entity_type));
    let id = StoredValue::new(entity.id.clone());
    let request = move || Some(EntityShare { entity: id.get_value() });
    let done = Callback::new(move |shared: EntityDetail| {
        app.go(Route::Entity(shared.entity.id.clone()));
        let newest = standing(&shared).into_iter().next().map(|merge| merge.id);
        let says = format!("All spaces share {} now.", shared.entity.name);
        match newest {
            Some(merge) => app.toasts.say_with_undo(says, move || part(app, vec![merge.clone()])),
            None => app.toasts.say(says),
        }
    });
    view! {
        <Form request button="Share" done>
            <p>{format!("Whenever a space names {name}, this one is meant.")}</p>
            <p>
                {format!("All spaces see its name, and that it is kept as: {kind}. What is believed of it, and its other \
                    names, stay in the space that they come from: who may not read that space does not see them.")}
            </p>
            <p class="muted small">"It can be undone."</p>
        </Form>
    }
}

/// Gives each space its own one again.
#[component]
pub fn Unshare(entity: Entity) -> impl IntoView {
    let asked = entity.id.clone();
    let detail = Query::new(move || Some(EntityGet { entity: asked.to_string(), ..EntityGet::default() }));
    let again = Callback::new(move |()| detail.refresh());
    move || match (detail.value.get(), detail.error.get()) {
        (Some(detail), _) => view! { <Confirm detail/> }.into_any(),
        (None, Some(error)) => view! { <Trouble what="It is not known who shares it." error retry=again/> }.into_any(),
        (None, None) => view! { <Skeleton rows=3 shape="row"/> }.into_any(),
    }
}

#[component]
fn Confirm(detail: EntityDetail) -> impl IntoView {
    let app = App::get();
    let merges = standing(&detail);
    let name = detail.entity.name.clone();
    if merges.is_empty() {
        let says = format!("No space has one of its own to go back to: {name} was shared from the beginning.");
        return view! { <p class="form">{says}</p> }.into_any();
    }
    let rows = merges.iter().map(|merge| {
        view! { <li>{merge.merged.name.clone()} <span class="muted small">{format!(" since {}", dates::day(merge.merged_at))}</span></li> }
    });
    // One needs no list: it is the one whose page this is.
    let rows = (merges.len() > 1).then(|| view! { <ul class="plain">{rows.collect_view()}</ul> });
    let ids =
        StoredValue::new(merges.iter().map(|merge| (merge.id.clone(), merge.merged.id.clone())).collect::<Vec<_>>());
    let request = move || ids.with_value(|ids| ids.first().map(|(merge, _)| EntityUnmerge { merge: merge.clone() }));
    let shared = name.clone();
    let done = Callback::new(move |own: EntityDetail| {
        let (rest, before): (Vec<_>, Vec<_>) = ids.get_value().into_iter().unzip();
        let says = format!("{shared} is no longer shared.");
        spawn_local(async move {
            if let Err(error) = part_all(&rest[1..]).await {
                app.toasts.trouble(&error);
                return;
            }
            app.go(Route::Entity(own.entity.id));
            app.toasts.say_with_undo(says, move || share_all(app, before.clone()));
        });
    });
    view! {
        <Form request button="Stop sharing" done>
            <p>{format!("Each space has its own {name} again, with what it said of it before.")}</p>
            {rows}
            <p class="muted small">{format!("What a space said of the shared {name} meanwhile stays with that one. It can be undone.")}</p>
        </Form>
    }
    .into_any()
}

/// Undoes merges, one after the other.
async fn part_all(merges: &[MergeId]) -> Result<(), ApiError> {
    for merge in merges {
        ipc::call(EntityUnmerge { merge: merge.clone() }).await?;
    }
    Ok(())
}

/// Undoes merges into an entity, and shows the one that stands by itself again.
pub fn part(app: App, merges: Vec<MergeId>) {
    spawn_local(async move {
        let Some((last, rest)) = merges.split_last() else { return };
        let parted = match part_all(rest).await {
            Ok(()) => ipc::call(EntityUnmerge { merge: last.clone() }).await,
            Err(error) => Err(error),
        };
        match parted {
            Ok(own) => app.go(Route::Entity(own.entity.id)),
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

/// Shares entities again that were shared before, the one first that was first.
fn share_all(app: App, entities: Vec<EntityId>) {
    spawn_local(async move {
        for entity in entities.into_iter().rev() {
            match ipc::call(EntityShare { entity }).await {
                Ok(shared) => app.go(Route::Entity(shared.entity.id)),
                Err(error) => return app.toasts.trouble(&error),
            }
        }
    });
}
