//! What would go, before it does.

use super::{Ask, words};
use crate::components::icon::{Glyph, Icon};
use leptos::{html, prelude::*};
use um_model::forget::{ForgetPlan, ForgetSample};

/// What would go and what is out of reach; "Keep" has the focus, as nothing of it can be undone.
#[component]
pub fn Planned(
    /// What was asked for.
    ask: Ask,
    /// What that would take along.
    plan: ForgetPlan,
    /// Called where it is to stay.
    keep: Callback<()>,
    /// Called where it is to go.
    go: Callback<()>,
) -> impl IntoView {
    let question = words::question(&plan.counts, &ask.of, ask.what.space.is_none());
    let number = words::things(&plan.counts);
    let rest = words::with_them(&plan.counts);
    let keeping = NodeRef::<html::Button>::new();
    Effect::new(move |_| {
        if let Some(button) = keeping.get() {
            // An element that cannot be focused leaves the focus where it is.
            let _ = button.focus();
        }
    });
    view! {
        <div class="form" data-testid="forget-plan">
            <p data-testid="forget-question">{question} <span class="strong">" This cannot be undone."</span></p>
            <ul class="plain forget-samples" tabindex="0" aria-label="Among it">{plan.samples.into_iter().map(sample).collect_view()}</ul>
            {(!rest.is_empty()).then(|| view! {
                <details class="small">
                    <summary>"What goes with it"</summary>
                    <dl class="forget-counts">
                        {rest.into_iter().map(|(kind, number)| view! { <div><dt>{kind}</dt><dd>{number}</dd></div> }).collect_view()}
                    </dl>
                </details>
            })}
            {plan.also.into_iter().map(|also| view! { <p class="small">{also}</p> }).collect_view()}
            {plan.beyond.into_iter().map(|beyond| view! { <p class="muted small">{beyond}</p> }).collect_view()}
            <div class="form-foot">
                <button type="button" class="button" node_ref=keeping data-testid="forget-keep" on:click=move |_| keep.run(())>"Keep"</button>
                <button type="button" class="button danger" data-testid="forget-now" on:click=move |_| go.run(())>
                    {format!("Forget {number} {}", if number == 1 { "item" } else { "items" })}
                </button>
            </div>
        </div>
    }
}

fn sample(sample: ForgetSample) -> impl IntoView {
    let icon = match sample.kind.as_str() {
        "memory" => Icon::FileText,
        "file" => Icon::File,
        "fact" => Icon::Beliefs,
        "name" => Icon::Tag,
        "watched folder" => Icon::Folder,
        _ => Icon::Thing,
    };
    view! {
        <li class="entry">
            <Glyph icon/>
            <span class="clip grow" title=sample.title.clone()>{sample.title.clone()}</span>
            <span class="muted small">{sample.kind}</span>
        </li>
    }
}
