//! Agents that wait to be let in. The question itself comes up over every page; here stands what is asked after it.

use super::{Tab, head};
use crate::{
    components::{
        icon::{Glyph, Icon},
        pairing::sentence,
        states::{Empty, shown},
    },
    dates,
    state::{App, Dialog},
};
use leptos::prelude::*;
use um_model::access::{AgentsListed, PairingRequest};

/// The tab.
#[component]
pub fn Asking() -> impl IntoView {
    let app = App::get();
    view! {
        {head(Tab::Access)}
        <div class="page-body narrow">{shown(app.agents, "Who asks could not be listed.", (2, "row"), move |listed| body(app, listed))}</div>
    }
}

fn body(app: App, listed: AgentsListed) -> AnyView {
    if listed.waiting.is_empty() {
        return view! {
            <Empty icon=Icon::CheckCircle says="No agent waits to be let in.">
                <button type="button" class="button" on:click=move |_| app.dialog.set(Some(Dialog::ConnectAgent))>
                    <Glyph icon=Icon::Plug/> "Connect one"
                </button>
            </Empty>
        }
        .into_any();
    }
    view! { <ol class="plain">{listed.waiting.into_iter().map(row).collect_view()}</ol> }.into_any()
}

fn row(request: PairingRequest) -> impl IntoView {
    let when = dates::moment(request.created_at);
    view! {
        <li class="panel asking" data-testid="asking">
            <Glyph icon=Icon::Agent/>
            <span class="grow"><bdi>{sentence(&request)}</bdi></span>
            <span class="muted small">{when}</span>
        </li>
    }
}
