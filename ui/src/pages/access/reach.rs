//! Why an agent can see what it sees.

use crate::{
    components::{
        icon::{Glyph, Icon},
        states::shown,
    },
    query::Query,
    state::App,
};
use leptos::prelude::*;
use um_model::{
    AgentId, SpaceId,
    access::{Access, AccessGet, AgentType, Reached},
};

/// For one agent: what it reads with the space, what is kept from it, and why.
#[component]
pub fn Reach(space: StoredValue<SpaceId>) -> impl IntoView {
    let app = App::get();
    let agents = Memo::new(move |_| {
        let listed = app.agents.value.with(|listed| listed.as_ref().map_or_else(Vec::new, |all| all.agents.clone()));
        let programs = listed.into_iter().filter(|one| one.agent_type == AgentType::Ai);
        programs.map(|one| (one.id, one.name)).collect::<Vec<_>>()
    });
    let chosen = RwSignal::new(None::<AgentId>);
    let asked = Memo::new(move |_| chosen.get().or_else(|| agents.with(|all| all.first().map(|(id, _)| id.clone()))));
    let access = Query::new(move || {
        app.changes.access.track();
        app.changes.spaces.track();
        asked.get().map(|agent| AccessGet { space: space.get_value().into(), agent: Some(agent.into()) })
    });
    let body = move || match agents.with(Vec::is_empty) {
        true => view! { <p class="muted small">"No agent was let in yet: nobody but you sees it."</p> }.into_any(),
        false => {
            let names =
                agents.get().into_iter().map(|(id, name)| view! { <option value=id.to_string()>{name}</option> });
            view! {
                <div class="rule">
                    <select class="field" aria-label="Agent" data-testid="reach-agent"
                        on:change=move |e| chosen.set(AgentId::parse(event_target_value(&e)).ok())>{names.collect_view()}</select>
                </div>
                {shown(access, "It is not known what that agent sees.", (1, "row"), rows)}
            }
            .into_any()
        }
    };
    view! { <h3>"Why an agent can see it"</h3> {body} }
}

fn rows(access: Access) -> impl IntoView {
    view! { <ul class="plain" data-testid="reached">{access.reached.into_iter().map(row).collect_view()}</ul> }
}

fn row(one: Reached) -> impl IntoView {
    let (icon, does) = match (one.can_read, one.can_write) {
        (true, true) => (Icon::CheckCircle, "Reads and writes"),
        (true, false) => (Icon::Check, "Reads"),
        (false, _) => (Icon::Ban, "Does not see it"),
    };
    let way = (!one.via.is_empty()).then(|| format!(" By way of {}.", one.via.join(", then ")));
    view! {
        <li class="reached" data-testid="reached-row">
            <span class="rule-name strong">{one.space}</span>
            <span class=if one.can_read { "state small" } else { "state small muted" }><Glyph icon/> {does}</span>
            <span class="muted small"><bdi>{one.why}</bdi> {way}</span>
        </li>
    }
}
