//! Who has a part in a space.

use super::{
    choose::{choose, tick, trust},
    words,
};
use crate::{actions::run, query::Query, state::App};
use leptos::prelude::*;
use um_model::{
    AgentId, SpaceId,
    access::{Access, AgentType, Grant, Member, MembershipSet, MembershipStatus, Role},
};

/// What a person gives an agent: the least first.
const ROLES: &[Role] = &[Role::Observer, Role::Member, Role::Leader, Role::Owner];

/// Who has a part in the space, each with its role, and whom to give one.
#[component]
pub fn Members(space: StoredValue<SpaceId>, access: Query<Access>) -> impl IntoView {
    let agents = move || {
        let all = access.value.with(|access| access.as_ref().map_or_else(Vec::new, |access| access.members.clone()));
        all.into_iter().filter(|one| one.membership.agent_id != AgentId::owner()).collect::<Vec<_>>()
    };
    let all = Memo::new(move |_| agents());
    view! {
        <h3>"Who has a part in it"</h3>
        <ul class="plain">
            <li class="rule"><span class="rule-name strong">"You"</span> <span class="muted">"Owner: decides everything"</span></li>
            <For each=move || all.get() key=|one| one.membership.agent_id.clone()
                children=move |one| view! { <Part space of=one.membership.agent_id name=one.name all/> }/>
        </ul>
        <Give space all/>
    }
}

#[component]
fn Part(space: StoredValue<SpaceId>, of: AgentId, name: String, all: Memo<Vec<Member>>) -> impl IntoView {
    let agent = StoredValue::new(of);
    let now = Memo::new(move |_| {
        all.with(|all| {
            all.iter().find(|one| one.membership.agent_id == agent.get_value()).map(|one| one.membership.clone())
        })
    });
    let role = move || now.with(|now| now.as_ref().map(|now| now.role));
    let status = move || now.with(|now| now.as_ref().map(|now| now.status));
    let weight = move || now.with(|now| now.as_ref().and_then(|now| now.trust_weight));
    let held = move || now.with(|now| now.as_ref().map_or_else(Vec::new, |now| now.grants.clone()));
    let set = move || MembershipSet { status: untrack(status), ..part(&space.get_value(), &agent.get_value()) };
    view! {
        <li class="rule" data-testid="member-row">
            <span class="rule-name"><bdi class="strong">{name.clone()}</bdi></span>
            {choose(format!("What {name} is there"), "member-role", ROLES, words::role, role, move |role| MembershipSet { role: Some(role), ..set() })}
            {choose(format!("Whether the part of {name} counts"), "member-status", MembershipStatus::ALL, words::status, status,
                move |status| MembershipSet { status: Some(status), ..set() })}
            <label class="rule-trust small muted">"Trust "
                {trust(format!("Trust in what {name} says there, in percent"), weight, move |weight| MembershipSet { trust_weight: Some(weight), ..set() })}
            </label>
            <div class="rule-grants" role="group" aria-label=format!("What {name} may do beyond that")>
                <span class="small muted">"May also"</span>
                {Grant::ALL.iter().map(|grant| {
                    let label = format!("{}: {name}", words::grant(*grant));
                    let is_held = move || held().contains(grant);
                    tick(label, words::grant(*grant), ("member-grant", grant.as_str()), is_held,
                        move |on| MembershipSet { grants: Some(with(untrack(held), *grant, on)), ..set() })
                }).collect_view()}
            </div>
        </li>
    }
}

/// What is granted once this is given, or taken.
fn with(mut held: Vec<Grant>, grant: Grant, given: bool) -> Vec<Grant> {
    held.retain(|one| *one != grant);
    held.extend(given.then_some(grant));
    held
}

fn part(space: &SpaceId, agent: &AgentId) -> MembershipSet {
    MembershipSet {
        space: space.to_string(),
        agent: agent.to_string(),
        role: None,
        status: None,
        trust_weight: None,
        grants: None,
    }
}

/// Gives an agent a part that has none.
#[component]
fn Give(space: StoredValue<SpaceId>, all: Memo<Vec<Member>>) -> impl IntoView {
    let app = App::get();
    let chosen = RwSignal::new(String::new());
    let role = RwSignal::new(Role::Observer);
    let others = Memo::new(move |_| {
        let listed = app.agents.value.with(|listed| listed.as_ref().map_or_else(Vec::new, |all| all.agents.clone()));
        let has_part = |id: &AgentId| all.with(|all| all.iter().any(|one| one.membership.agent_id == *id));
        let free = listed.into_iter().filter(|one| one.agent_type == AgentType::Ai && !has_part(&one.id));
        free.map(|one| (one.id, one.name)).collect::<Vec<_>>()
    });
    let give = move |_| {
        let Ok(agent) = AgentId::parse(chosen.get_untracked()) else { return };
        run(app, MembershipSet { role: Some(role.get_untracked()), ..part(&space.get_value(), &agent) });
        chosen.set(String::new());
    };
    let names =
        move || others.get().into_iter().map(|(id, name)| view! { <option value=id.to_string()>{name}</option> });
    move || {
        (!others.with(Vec::is_empty)).then(|| {
            let roles = ROLES.iter().map(|one| view! { <option value=one.as_str()>{words::role(*one)}</option> });
            view! {
                <div class="rule">
                    <select class="field" aria-label="Agent that gets a part" data-testid="member-add-agent"
                        prop:value=move || chosen.get() on:change=move |e| chosen.set(event_target_value(&e))>
                        <option value="">"Choose an agent"</option>
                        {names().collect_view()}
                    </select>
                    <select class="field" aria-label="What it is there"
                        on:change=move |e| if let Ok(one) = event_target_value(&e).parse() { role.set(one) }>{roles.collect_view()}</select>
                    <button type="button" class="button" data-testid="member-add" disabled=move || chosen.with(String::is_empty)
                        on:click=give>"Give it a part"</button>
                </div>
            }
        })
    }
}
