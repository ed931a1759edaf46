//! Why something is believed: the evidence, how its weights make the confidence, and what became of the claim.

use super::words::{cause_name, method_name, state_name, window};
use crate::{
    components::{
        citation::{CitationLink, Shape, trusted},
        forget::Ask,
        icon::{Glyph, Icon},
        states::shown,
    },
    dates,
    format::{count, percent},
    ipc,
    query::Query,
    state::App,
};
use leptos::{prelude::*, task::spawn_local};
use um_model::{
    ClaimId, EpochMs,
    belief::{ClaimState, EvidencePolarity},
    citation::CitationState,
    claims::{ClaimExplain, ClaimExplained, ClaimRetract, Cluster, Confidence, Evidence, StateChange, WindowChange},
    forget::ForgetWhat,
};

/// Below a claim: all of it.
#[component]
pub fn Why(
    /// The claim.
    claim: ClaimId,
) -> impl IntoView {
    let app = App::get();
    let explained = Query::new(move || {
        app.changes.beliefs.track();
        Some(ClaimExplain::of(claim.clone()))
    });
    view! {
        <div class="claim-why" data-testid="claim-explained">
            {shown(explained, "The evidence could not be read.", (2, "row"), explanation)}
        </div>
    }
}

fn explanation(explained: ClaimExplained) -> impl IntoView {
    let of = |wanted: &[EvidencePolarity], live: bool| -> Vec<Evidence> {
        let pieces = explained.evidence.iter().filter(|e| wanted.contains(&e.polarity) && e.live == live);
        pieces.cloned().collect()
    };
    use EvidencePolarity::{Contradicting, Neutral, Supporting};
    let lists = [
        ("For it", of(&[Supporting], true)),
        ("Against it", of(&[Contradicting], true)),
        ("Neither for nor against", of(&[Neutral], true)),
        ("No longer counted", of(&[Supporting, Contradicting, Neutral], false)),
    ];
    let lists = lists.into_iter().filter(|(_, pieces)| !pieces.is_empty()).map(|(name, pieces)| {
        view! {
            <section>
                <h4>{name}</h4>
                <ol class="evidence-list">{pieces.into_iter().map(evidence).collect_view()}</ol>
            </section>
        }
    });
    let sum = arithmetic(&explained.confidence, &explained.evidence);
    let changes = changes(&explained);
    view! {
        {lists.collect_view()}
        {sum}
        {(!changes.is_empty()).then(|| view! {
            <section>
                <h4>"What became of it"</h4>
                <ol class="changes small">
                    {changes.into_iter().map(|(at, says)| view! {
                        <li><span class="muted">{dates::moment(at)}</span> <span>{says}</span></li>
                    }).collect_view()}
                </ol>
            </section>
        })}
        <Retract id=explained.claim.id.clone() says=explained.claim.statement.clone() state=explained.claim.state/>
    }
}

fn evidence(piece: Evidence) -> impl IntoView {
    let who = trusted(&piece.actor_name);
    let factors = [
        ("finder".to_owned(), piece.confidence),
        (format!("trust in {who}"), piece.trust),
        ("kind of source".to_owned(), piece.source_weight),
        ("reading".to_owned(), piece.quality),
    ];
    let factors = factors.map(|(name, factor)| format!("{name} {factor:.2}")).join(" × ");
    let says = if piece.live {
        format!("{}: {factors} = {:.2}", method_name(piece.method), piece.weight)
    } else {
        format!("{}; {}", method_name(piece.method), why_not_counted(piece.citation.state))
    };
    // What no longer counts is named; its words are in its preview.
    let shape = if piece.live { Shape::Card } else { Shape::Row };
    view! {
        <li class="evidence" data-testid="evidence">
            <CitationLink cited=piece.citation shape/>
            <span class="muted small">{says}</span>
        </li>
    }
}

/// Why a quote speaks for nothing any more.
fn why_not_counted(state: CitationState) -> &'static str {
    match state {
        CitationState::Removed => "its source was removed",
        CitationState::Older => "a newer version of its source is there",
        CitationState::Redacted => "its words were blacked out",
        CitationState::Changed => "its source no longer has these words",
        CitationState::Exact | CitationState::Moved => "its source is no longer in use",
    }
}

/// The name of a cluster: that of a source in it.
fn source_name(cluster: &Cluster, evidence: &[Evidence]) -> String {
    let one = evidence.iter().find(|piece| piece.cluster == cluster.cluster);
    let name = one.map_or_else(|| "a source".to_owned(), |piece| piece.citation.title.clone());
    match cluster.pieces {
        1 => format!("{name} ({:.2})", cluster.weight),
        more => format!("{name} ({:.2}, the strongest of {})", cluster.weight, count(u64::from(more), "quote")),
    }
}

fn joined(clusters: &[Cluster], evidence: &[Evidence]) -> String {
    let names: Vec<String> = clusters.iter().map(|cluster| source_name(cluster, evidence)).collect();
    names.join(", ")
}

fn arithmetic(confidence: &Confidence, evidence: &[Evidence]) -> impl IntoView + use<> {
    let sources = confidence.supporting.len() as u64;
    let for_it = match sources {
        0 => "Nothing that is in use speaks for it.".to_owned(),
        1 => format!("One source speaks for it: {}.", joined(&confidence.supporting, evidence)),
        more => format!(
            "{} speak for it, each counted once: {}. The more agree, the surer it is.",
            count(more, "source"),
            joined(&confidence.supporting, evidence)
        ),
    };
    let against = (!confidence.contradicting.is_empty()).then(|| {
        format!(
            "Against it: {}. Half of that is taken off: {:.2}.",
            joined(&confidence.contradicting, evidence),
            confidence.penalty
        )
    });
    let share = percent(confidence.confidence);
    view! {
        <section>
            <h4>"How " {share} " comes about"</h4>
            <p class="small">{for_it}</p>
            {against.map(|against| view! { <p class="small">{against}</p> })}
            <p class="small"><code data-testid="arithmetic">{confidence.arithmetic.clone()}</code></p>
        </section>
    }
}

/// What became of a claim, and of the time in which it is so, in the order of its coming.
fn changes(explained: &ClaimExplained) -> Vec<(EpochMs, String)> {
    let state = |change: &StateChange| {
        let says = format!("{} to {}: {}", state_name(change.from), state_name(change.to), cause_name(change));
        (change.changed_at, says)
    };
    let time = |change: &WindowChange| {
        let (from, to) = change.to;
        let when = window(from, to, dates::now()).unwrap_or_else(|| "at a time unknown".to_owned());
        let why = match change.cause.as_str() {
            "decision" => "a conflict was decided",
            "undo" => "a decision was undone",
            _ => "that was stated",
        };
        (change.changed_at, format!("Believed to be so {when}: {why}"))
    };
    let mut changes: Vec<(EpochMs, String)> =
        explained.history.iter().map(state).chain(explained.windows.iter().map(time)).collect();
    changes.sort_by_key(|(at, _)| *at);
    changes
}

/// Takes the claim back, or brings it back; or has it forgotten with the texts that say it.
#[component]
fn Retract(id: ClaimId, says: String, state: ClaimState) -> impl IntoView {
    let app = App::get();
    let out = matches!(state, ClaimState::Retracted | ClaimState::Superseded);
    let what = ForgetWhat { claim: Some(id.clone()), ..ForgetWhat::default() };
    let ask = StoredValue::new(Ask { what, of: format!("that say \"{says}\"") });
    let forget = move |_| ask.get_value().open(app);
    let act = move |_| {
        let (claim, says) = (id.clone(), says.clone());
        spawn_local(async move {
            let undone = claim.clone();
            match ipc::call(ClaimRetract { claim, undo: out }).await {
                Ok(_) if out => app.toasts.say(format!("Believed again: {says}")),
                Ok(_) => app.toasts.say_with_undo(format!("Taken back: {says}"), move || {
                    crate::actions::run(app, ClaimRetract { claim: undone.clone(), undo: true });
                }),
                Err(error) => app.toasts.trouble(&error),
            }
        });
    };
    view! {
        <p class="actions">
            <button type="button" class="button small" data-testid="retract" on:click=act>
                <Glyph icon=if out { Icon::Undo } else { Icon::Ban }/>
                {if out { "Believe it again" } else { "Take it back" }}
            </button>
            <button type="button" class="button ghost small" data-testid="claim-forget" on:click=forget>
                <Glyph icon=Icon::Eraser/> "Forget"
            </button>
        </p>
    }
}
