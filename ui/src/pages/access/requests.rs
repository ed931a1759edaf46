//! What agents asked and what they got, as it happens.

use super::words;
use crate::{
    components::{
        icon::{Glyph, Icon},
        link::PageLink,
        pairing::plain,
        states::{Empty, shown},
    },
    dates,
    query::Query,
    route::Route,
    state::{App, Dialog},
};
use leptos::prelude::*;
use um_model::access::{AgentRequest, AgentType, RequestsList};

/// So many are shown: the newest.
const SHOWN: usize = 50;

/// The section.
#[component]
pub fn Requests() -> impl IntoView {
    let app = App::get();
    let of = RwSignal::new(String::new());
    let asked = Query::new(move || {
        app.changes.access.track();
        Some(RequestsList { agent: Some(of.get()).filter(|id| !id.is_empty()), limit: Some(SHOWN) })
    });
    let agents = Memo::new(move |_| {
        let all = app.agents.value.with(|listed| listed.as_ref().map_or_else(Vec::new, |all| all.agents.clone()));
        let programs = all.into_iter().filter(|one| one.agent_type == AgentType::Ai);
        programs.map(|one| (one.id, one.name)).collect::<Vec<_>>()
    });
    let filter = move || {
        (agents.with(Vec::len) > 1).then(|| {
            let names = agents.get().into_iter().map(|(id, name)| view! { <option value=id.to_string()>{plain(&name)}</option> });
            view! {
                <select class="field" aria-label="Of which agent" data-testid="requests-agent" on:change=move |e| of.set(event_target_value(&e))>
                    <option value="">"All agents"</option>
                    {names.collect_view()}
                </select>
            }
        })
    };
    view! {
        <section class="panel" aria-labelledby="requests-title">
            <div class="head-row"><h2 id="requests-title" class="grow">"What agents asked"</h2> {filter}</div>
            {shown(asked, "What agents asked could not be listed.", (3, "row"), move |listed| match listed.requests.is_empty() {
                true => view! { <Nothing/> }.into_any(),
                false => list(listed.requests).into_any(),
            })}
        </section>
    }
}

#[component]
fn Nothing() -> impl IntoView {
    let app = App::get();
    view! {
        <Empty icon=Icon::Agent says="No agent has asked yet.">
            <button type="button" class="button" on:click=move |_| app.dialog.set(Some(Dialog::ConnectAgent))>
                <Glyph icon=Icon::Plug/> "Connect one"
            </button>
        </Empty>
    }
}

fn list(requests: Vec<AgentRequest>) -> impl IntoView {
    view! {
        <p class="muted small in-words">
            "Since the service started, the newest first. What was asked is kept in memory only; that something was asked stands in the "
            <PageLink to=Signal::stored(Route::Audit { agent: None })>"ledger"</PageLink> "."
        </p>
        <div class="asked" role="region" aria-label="Requests, the newest first" tabindex="0">
            <table>
                <thead><tr><th scope="col">"When"</th><th scope="col">"Agent"</th><th scope="col">"What"</th><th scope="col">"Got"</th></tr></thead>
                <tbody>{requests.into_iter().map(row).collect_view()}</tbody>
            </table>
        </div>
    }
}

fn row(one: AgentRequest) -> impl IntoView {
    let (icon, class) =
        if one.error.is_some() { (Icon::Ban, "state small failed") } else { (Icon::Check, "state small muted") };
    let got = words::got(&one);
    view! {
        <tr data-testid="request-row">
            <td class="muted small">{dates::moment(one.at)}</td>
            <td><bdi>{plain(&one.agent)}</bdi></td>
            <td>{words::did(&one.operation)} " " <bdi class="muted">{plain(&one.asked)}</bdi></td>
            <td><span class=class title=format!("It took {} ms", one.took_ms)><Glyph icon/> <span>{got}</span></span></td>
        </tr>
    }
}
