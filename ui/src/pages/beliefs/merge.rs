//! Two entities that may be one, side by side: which name stays, and what goes over.

use super::{
    list::other_names,
    pick::PickEntity,
    words::{label, object, type_name},
};
use crate::{
    components::{
        dialogs::Form,
        states::{Skeleton, Trouble},
    },
    format::{count, grouped},
    ipc,
    query::Query,
    route::Route,
    state::App,
};
use leptos::{prelude::*, task::spawn_local};
use um_model::{
    EntityId,
    claims::{Entity, EntityDetail, EntityGet, EntityMerge, EntityRef, EntityUnmerge},
};

/// So many claims of each side are shown.
const SHOWN: usize = 5;

/// The dialog.
#[component]
pub fn Merge(entity: Entity, with: Option<EntityRef>) -> impl IntoView {
    let other = RwSignal::new(with);
    let entity = StoredValue::new(entity);
    let chosen = Callback::new(move |one| other.set(Some(one)));
    move || match other.get() {
        None => view! {
            <div class="form">
                <p>{format!("Who or what is {} the same as?", entity.with_value(|e| e.name.clone()))}</p>
                <PickEntity label="The other one" space=entity.with_value(|e| e.space_id.clone())
                    without=entity.with_value(|e| e.id.clone()) chosen/>
            </div>
        }
        .into_any(),
        Some(other) => view! { <Compare a=entity.with_value(|e| e.id.clone()) b=other.id/> }.into_any(),
    }
}

fn detail(id: EntityId) -> Query<EntityDetail> {
    Query::new(move || Some(EntityGet { entity: id.to_string(), ..EntityGet::default() }))
}

#[component]
fn Compare(a: EntityId, b: EntityId) -> impl IntoView {
    let sides = [detail(a), detail(b)];
    let [left, right] = sides;
    let again = Callback::new(move |()| sides.iter().for_each(Query::refresh));
    move || match (left.value.get(), right.value.get(), left.error.get().or(right.error.get())) {
        (Some(left), Some(right), _) => view! { <Confirm left right/> }.into_any(),
        (_, _, Some(error)) => view! { <Trouble what="Both could not be compared." error retry=again/> }.into_any(),
        _ => view! { <Skeleton rows=4 shape="row"/> }.into_any(),
    }
}

#[component]
fn Confirm(left: EntityDetail, right: EntityDetail) -> impl IntoView {
    let app = App::get();
    // The one that was looked at stays, unless the person says otherwise.
    let keep_right = RwSignal::new(false);
    let ids = StoredValue::new((left.entity.id.clone(), right.entity.id.clone()));
    let names = StoredValue::new((left.entity.name.clone(), right.entity.name.clone()));
    let request = move || {
        let (left, right) = ids.get_value();
        let (keep, merge) = if keep_right.get() { (right, left) } else { (left, right) };
        Some(EntityMerge { keep, merge })
    };
    let done = Callback::new(move |kept: EntityDetail| {
        let gone = names.with_value(|(l, r)| if *l == kept.entity.name { r.clone() } else { l.clone() });
        app.go(Route::Entity(kept.entity.id.clone()));
        // The newest merge that stands is the one that was just made.
        let newest = kept.merges.iter().filter(|m| !m.undone).max_by_key(|m| m.merged_at).map(|m| m.id.clone());
        let says = format!("{gone} is part of {} now.", kept.entity.name);
        match newest {
            Some(merge) => app.toasts.say_with_undo(says, move || {
                let merge = merge.clone();
                spawn_local(async move {
                    if let Err(error) = ipc::call(EntityUnmerge { merge }).await {
                        app.toasts.trouble(&error);
                    }
                });
            }),
            None => app.toasts.say(says),
        }
    });
    let note = move || {
        let (left, right) = names.get_value();
        let (keep, gone) = if keep_right.get() { (right, left) } else { (left, right) };
        format!("All claims and names of {gone} go over to {keep}. It can be undone.")
    };
    view! {
        <Form request button="Merge" done>
            <fieldset class="sides">
                <legend class="label">"Which one stays?"</legend>
                <Side detail=left right=false keep_right/>
                <Side detail=right right=true keep_right/>
            </fieldset>
            <p class="small">{note}</p>
        </Form>
    }
}

#[component]
fn Side(detail: EntityDetail, right: bool, keep_right: RwSignal<bool>) -> impl IntoView {
    let names = other_names(&detail.entity);
    let memories = match detail.entity.memories {
        1 => "1 memory".to_owned(),
        more => format!("{} memories", grouped(more)),
    };
    let more = detail.claims.len().saturating_sub(SHOWN);
    let claims = detail.claims.iter().take(SHOWN).map(|claim| {
        view! {
            <li>{format!("{}: {}", label(&claim.predicate), object(claim))}</li>
        }
    });
    view! {
        <label class="side" class:chosen=move || keep_right.get() == right data-testid="merge-side">
            <span class="radio">
                <input type="radio" name="keep" prop:checked=move || keep_right.get() == right on:change=move |_| keep_right.set(right)/>
                <span class="strong">{detail.entity.name.clone()}</span>
            </span>
            <span class="muted small">{type_name(detail.entity.entity_type)} ", " {count(detail.entity.claims, "claim")}
                ", " {memories}</span>
            {(!names.is_empty()).then(|| view! { <span class="muted small">"Also " {names.clone()}</span> })}
            <ul class="small">{claims.collect_view()}</ul>
            {(more > 0).then(|| view! { <span class="muted small">{format!("and {more} more")}</span> })}
        </label>
    }
}
