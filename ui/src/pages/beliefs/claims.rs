//! The claims about an entity, by predicate, and those of others that name it.

use super::{
    entity::Page,
    list::EntityLink,
    meter::Meter,
    why::Why,
    words::{circumstances, label, object, phrase, read_by, state_name, time},
};
use crate::{
    components::{
        citation::{CitationLink, Shape},
        icon::{Glyph, Icon},
        link::PageLink,
    },
    dates,
    route::Route,
    state::App,
};
use leptos::{ev::KeyboardEvent, prelude::*};
use um_model::{
    belief::{ClaimState, Polarity},
    claims::{Claim, ClaimObject},
};

/// What tells whether a row must be drawn anew.
fn version(claim: &Claim) -> String {
    let Claim {
        id,
        state,
        last_updated_at,
        confidence,
        evidence_count,
        conflicts,
        object,
        valid_from,
        valid_to,
        of_model,
        ..
    } = claim;
    let citations: Vec<_> = claim.citations.iter().map(|c| (&c.state, &c.span)).collect();
    format!(
        "{id} {state} {last_updated_at} {confidence} {evidence_count} {conflicts:?} {valid_from:?} {valid_to:?} {of_model} {} {citations:?}",
        object.text()
    )
}

/// Claims in groups of one predicate, in their order.
fn grouped(claims: Vec<Claim>) -> Vec<(String, Vec<Claim>)> {
    let mut groups: Vec<(String, Vec<Claim>)> = Vec::new();
    for claim in claims {
        match groups.iter_mut().find(|(predicate, _)| *predicate == claim.predicate) {
            Some((_, group)) => group.push(claim),
            None => groups.push((claim.predicate.clone(), vec![claim])),
        }
    }
    groups
}

/// The claims about the entity.
#[component]
pub fn Claims(page: Page) -> impl IntoView {
    let groups = Memo::new(move |_| {
        grouped(page.detail.value.with(|d| d.as_ref().map(|d| d.claims.clone()).unwrap_or_default()))
    });
    let key = |(predicate, claims): &(String, Vec<Claim>)| {
        format!("{predicate} {}", claims.iter().map(version).collect::<Vec<_>>().join(" "))
    };
    let group = move |(predicate, claims): (String, Vec<Claim>)| {
        let heading = label(&predicate);
        let id = format!("group-{predicate}");
        view! {
            <li class="claim-group">
                <h3 id=id.clone()>{heading}</h3>
                <ol aria-labelledby=id>{claims.into_iter().map(|claim| view! { <Row page claim/> }).collect_view()}</ol>
            </li>
        }
    };
    view! {
        {move || groups.with(Vec::is_empty).then(|| view! {
            <p class="muted" data-testid="no-claims">"Nothing is believed of it at this time."</p>
        })}
        <ol class="claims"><For each=move || groups.get() key=key children=group/></ol>
    }
}

/// A claim: its value, how sure, its sources, its time, its state; and below it, why, once that is asked for.
#[component]
fn Row(page: Page, claim: Claim) -> impl IntoView {
    let app = App::get();
    let id = StoredValue::new(claim.id.clone());
    let open = Memo::new(move |_| page.why.with(|why| id.with_value(|id| why.as_ref() == Some(id))));
    let toggle = move || page.why.set(if open.get_untracked() { None } else { Some(id.get_value()) });
    let pressed = move |press: KeyboardEvent| {
        let plain = !(press.ctrl_key() || press.alt_key() || press.meta_key());
        if plain && app.single_keys() && matches!(press.key().as_str(), "w" | "W" | "e" | "E") {
            press.prevent_default();
            toggle();
        }
    };
    let out = !matches!(claim.state, ClaimState::Asserted | ClaimState::Disputed);
    let says = claim.statement.clone();
    let told = value_of(&claim, open, Callback::new(move |()| toggle()));
    let when = time(&claim, dates::now());
    view! {
        <li class="claim" class:out=out class:disputed-row={claim.state == ClaimState::Disputed} data-testid="claim" on:keydown=pressed>
            <div class="claim-line">
                <span class="claim-says">
                    {told}
                    {circumstances(&claim.qualifiers).map(|words| view! { <span class="circumstances muted small">{words}</span> })}
                    {read_by(&claim).map(by_model)}
                </span>
                <Meter confidence=claim.confidence/>
                <span class="claim-sources">
                    {claim.citations.iter().cloned().map(|citation| view! { <CitationLink cited=citation shape=Shape::Chip/> }).collect_view()}
                </span>
                <span class="claim-time muted small" data-testid="claim-time">{when}</span>
                <span class="claim-state">{state_of(&claim)}</span>
                <button type="button" class="button ghost small" data-testid="claim-why" title="Why (W or E)"
                    aria-label=format!("Why: {says}") aria-expanded=move || open.get().to_string() on:click=move |_| toggle()>
                    "Why" <Glyph icon=Icon::ChevronDown/>
                </button>
            </div>
            {move || open.get().then(|| view! { <Why claim=id.get_value()/> })}
        </li>
    }
}

/// What a claim says: a link to whom or what it names, or a value that opens why.
fn value_of(claim: &Claim, open: Memo<bool>, toggle: Callback<()>) -> AnyView {
    match claim.object.clone() {
        ClaimObject::Entity(entity) => {
            let not = (claim.polarity == Polarity::Negative).then_some("not ");
            view! {
                {not}
                <PageLinkFocus to=Route::Entity(entity.id)>{entity.name}</PageLinkFocus>
            }
            .into_any()
        }
        ClaimObject::Value(_) => view! {
            <button type="button" class="claim-value" data-focus="" aria-expanded=move || open.get().to_string()
                on:click=move |_| toggle.run(())>{object(claim)}</button>
        }
        .into_any(),
    }
}

/// A link that the arrows reach.
#[component]
fn PageLinkFocus(to: Route, children: Children) -> impl IntoView {
    let app = App::get();
    let href = to.url();
    let follow = move |click: leptos::ev::MouseEvent| {
        click.prevent_default();
        app.go(to.clone());
    };
    view! { <a class="claim-value" href=href data-focus="" on:click=follow>{children()}</a> }
}

/// A note behind a claim of who read it.
fn by_model(words: &'static str) -> impl IntoView {
    view! { " " <span class="muted small" data-testid="of-model">{words}</span> }
}

/// Whether the claim is disputed or out, by icon and word; what is disputed can be decided.
fn state_of(claim: &Claim) -> Option<AnyView> {
    match claim.state {
        ClaimState::Asserted => None,
        ClaimState::Disputed => {
            let decide = claim.conflicts.first().cloned().map(|conflict| view! {
                <PageLink to=Signal::stored(Route::Review { conflict: Some(conflict) }) class="decide">"Decide"</PageLink>
            });
            let view = view! {
                <span class="disputed"><Glyph icon=Icon::Conflict/> "disputed"</span>
                {decide}
            };
            Some(view.into_any())
        }
        other => {
            let icon = if other == ClaimState::Superseded { Icon::Older } else { Icon::Ban };
            Some(view! { <span class="state muted small"><Glyph icon/> {state_name(other)}</span> }.into_any())
        }
    }
}

/// Claims of others that name the entity.
#[component]
pub fn NamedIn(page: Page) -> impl IntoView {
    let claims =
        Memo::new(move |_| page.detail.value.with(|d| d.as_ref().map(|d| d.named_in.clone()).unwrap_or_default()));
    let name = move || page.detail.value.with(|d| d.as_ref().map(|d| d.entity.name.clone()).unwrap_or_default());
    let row = |claim: Claim| {
        let says = format!(" {} {}", phrase(&claim.predicate), object(&claim));
        view! {
            <li class="named" data-testid="named-in">
                <span class="claim-says"><EntityLink entity=claim.subject.clone()/> <span>{says}</span> {read_by(&claim).map(by_model)}</span>
                <Meter confidence=claim.confidence/>
                <span class="claim-sources">
                    {claim.citations.iter().cloned().map(|citation| view! { <CitationLink cited=citation shape=Shape::Chip/> }).collect_view()}
                </span>
                <span class="claim-time muted small">{time(&claim, dates::now())}</span>
                <span class="claim-state">{state_of(&claim)}</span>
            </li>
        }
    };
    move || {
        (!claims.with(Vec::is_empty)).then(|| {
            view! {
                <section class="panel" aria-labelledby="named-title">
                    <h2 id="named-title">"Where others name " {name}</h2>
                    <ol class="claims">{claims.get().into_iter().map(row).collect_view()}</ol>
                </section>
            }
        })
    }
}
