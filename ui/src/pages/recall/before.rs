//! Packs that were handed over and are kept, the newest first: each is read again as it was.

use super::behind::Behind;
use crate::{
    components::{citation::OWNER, pairing::plain, states::shown},
    dates,
    format::count,
    query::Query,
    state::App,
};
use leptos::prelude::*;
use um_model::{
    EpochMs, SpaceId,
    work::{Briefing, ContextsList, ContextsListed, PackSummary},
};

/// So many are shown at first, and so many more each time; no more than are listed at once.
const PART: u32 = 10;
const MOST: u32 = 200;

/// To whom a pack was handed, as the person calls them.
fn who(one: &PackSummary) -> String {
    match &one.as_agent_name {
        Some(agent) => format!("You, as {}", plain(agent)),
        None if one.actor_name == OWNER => "You".to_owned(),
        None => plain(&one.actor_name),
    }
}

/// What it was about, where that is kept.
fn about(one: &PackSummary) -> String {
    match &one.query {
        _ if one.is_redacted => "Something in it was forgotten".to_owned(),
        Some(query) => query.clone(),
        None => "No question".to_owned(),
    }
}

/// What else is told of it: to whom it was handed, of which time it tells, and how large it was.
fn facts(one: &PackSummary, moment: impl Fn(EpochMs) -> String) -> Vec<String> {
    let session = one.session_id.as_ref().map(|_| "for a session".to_owned());
    let then = one.as_of.map(|at| format!("as of {}", moment(at)));
    let known = one.known_at.map(|at| format!("as it was known on {}", moment(at)));
    let tokens = count(u64::from(one.estimated_tokens), "token");
    [Some(who(one)), session, then, known, Some(tokens)].into_iter().flatten().collect()
}

/// That there are more than are ever shown, where there are.
fn cut(more: bool, most: u32) -> Option<String> {
    (more && most >= MOST).then(|| format!("These are the newest {MOST}. Older ones are not shown here."))
}

/// The section, of the packs of a space.
#[component]
pub fn Before(
    /// The space.
    space: RwSignal<Option<SpaceId>>,
    /// The pack that was built last: it is among them.
    built: RwSignal<Option<Briefing>>,
) -> impl IntoView {
    let app = App::get();
    let most = RwSignal::new(PART);
    let found: Query<ContextsListed> = Query::new(move || {
        app.changes.forgotten.track();
        built.track();
        let space = Some(space.get()?.to_string());
        Some(ContextsList { space, after: None, limit: Some(most.get()) })
    });
    let list = move |listed: ContextsListed| {
        let cut = cut(listed.more, most.get_untracked());
        let more = (listed.more && most.get_untracked() < MOST).then(|| {
            let more = move |_| most.update(|most| *most = (*most + PART).min(MOST));
            view! { <button type="button" class="button" data-testid="packs-more" on:click=more>"Show more"</button> }
        });
        let none = listed.packs.is_empty();
        let none = none.then(|| view! { <p class="muted">"No pack of this space is kept."</p> });
        view! {
            {none}
            <ol class="pack-items">{listed.packs.into_iter().map(row).collect_view()}</ol>
            {more}
            {cut.map(|says| view! { <p class="muted small" data-testid="packs-cut">{says}</p> })}
        }
    };
    view! {
        <section class="panel" aria-labelledby="before-title" data-testid="packs-before">
            <h2 id="before-title">"Packs of before"</h2>
            {shown(found, "The packs could not be listed.", (2, "row"), list)}
        </section>
    }
}

fn row(one: PackSummary) -> impl IntoView {
    let (title, at) = (about(&one), dates::moment(one.created_at));
    let facts = facts(&one, dates::moment).join(", ");
    let of = format!("{title}, {at}");
    view! {
        <li class="pack-item" data-testid="pack-before">
            <span class="muted small">{at}</span>
            <span class="clip strong" title=title.clone()>{title.clone()}</span>
            <span class="muted small grow" data-testid="pack-before-facts"><bdi>{facts}</bdi></span>
            <Behind pack=one.id item=None words="Show it" of/>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn that_not_all_are_shown_is_said_once_no_more_can_be() {
        for (more, most, is_said) in [(true, PART, false), (true, MOST, true), (false, MOST, false)] {
            assert_eq!(cut(more, most).is_some(), is_said, "{more}, {most}");
        }
    }

    #[test]
    fn a_pack_of_before_tells_who_got_it_and_what_it_was_about() {
        let check = |more: serde_json::Value, title: &str, told: &str| {
            let id = um_model::OWNER_AGENT;
            let mut one = json!({ "id": id, "actor_id": id, "actor_name": "ro\u{202e}bo", "space_id": id, "policy": "auto",
                "budget_tokens": 1200, "estimated_tokens": 30, "created_at": 0 });
            one.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let one: PackSummary = serde_json::from_value(one).unwrap();
            let facts = facts(&one, |at| format!("day {at}")).join(", ");
            assert_eq!((about(&one).as_str(), facts.as_str()), (title, told));
        };
        check(json!({}), "No question", "robo, 30 tokens");
        check(json!({ "actor_name": "owner", "query": "Ferries?" }), "Ferries?", "You, 30 tokens");
        check(
            json!({ "actor_name": "owner", "as_agent_name": "robo", "session_id": um_model::OWNER_AGENT }),
            "No question",
            "You, as robo, for a session, 30 tokens",
        );
        check(
            json!({ "is_redacted": true, "as_of": 5, "known_at": 6 }),
            "Something in it was forgotten",
            "robo, as of day 5, as it was known on day 6, 30 tokens",
        );
    }
}
