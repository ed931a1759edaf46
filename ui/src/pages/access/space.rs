//! Who may read and write a space, and how sure it must be before it answers.

use super::{answers::Answers, choose::choose, members::Members, overlays::Overlays, reach::Reach, words};
use crate::{components::states::kept, query::Query, state::App};
use leptos::prelude::*;
use um_model::{
    SpaceId,
    access::{AccessGet, ReadPolicy, WritePolicy},
    spaces::SpaceEdit,
};

/// All about who may read and write a space, below its row.
#[component]
pub fn SpaceAccess(id: SpaceId) -> impl IntoView {
    let app = App::get();
    let id = StoredValue::new(id);
    let access = Query::new(move || {
        app.changes.access.track();
        app.changes.spaces.track();
        Some(AccessGet { space: id.get_value().into(), agent: None })
    });
    let edit = move || SpaceEdit { space: id.get_value().into(), ..SpaceEdit::default() };
    let read = move || access.value.with(|access| access.as_ref().map(|access| access.read_policy));
    let write = move || access.value.with(|access| access.as_ref().map(|access| access.write_policy));
    let set_read = move |policy| SpaceEdit { read_policy: Some(policy), ..edit() };
    let set_write = move |policy| SpaceEdit { write_policy: Some(policy), ..edit() };
    let all = move || {
        view! {
            <div class="rule">
                <span class="rule-name">"Who reads it"</span>
                {choose("Who reads it".into(), "read-policy", ReadPolicy::ALL, words::reads, read, set_read)}
            </div>
            <div class="rule">
                <span class="rule-name">"Who writes to it"</span>
                {choose("Who writes to it".into(), "write-policy", WritePolicy::ALL, words::writes, write, set_write)}
            </div>
            <Answers space=id/>
            <Members space=id access/>
            <Overlays space=id access/>
            <Reach space=id/>
        }
        .into_any()
    };
    view! {
        <div class="space-access" data-testid="space-access">
            {kept(access, "It is not known who may read it.", (3, "row"), all)}
        </div>
    }
}
