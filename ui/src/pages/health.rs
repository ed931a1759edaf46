//! The health of the data folder: what was checked, what was found.

use crate::{
    components::{
        icon::{Glyph, Icon},
        states::shown,
    },
    format::{grouped, size},
    query::Query,
};
use leptos::prelude::*;
use um_model::health::{Check, HealthCheck, HealthReport};

/// A check's or an operation's name, as words.
fn words(name: &str) -> String {
    match name {
        "fts" => return "Word indexes".into(),
        "vectors" => return "Meaning indexes".into(),
        "self_check" => return "Daily comparison of the indexes".into(),
        "foreign_keys" => return "References".into(),
        "text_units" => return "Passages".into(),
        "artifacts" => return "Files".into(),
        "files" => return "Files on disk".into(),
        "units" => return "What can be found".into(),
        "derived_text_views" => return "Texts read".into(),
        "memory_embeddings" => return "Vectors".into(),
        _ => {}
    }
    let mut words = name.replace('_', " ");
    if let Some(first) = words.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// The tab.
#[component]
pub fn Health() -> impl IntoView {
    let rebuild = RwSignal::new(false);
    let report = Query::new(move || Some(HealthCheck { rebuild: rebuild.get() }));
    let check = move |with_rebuild: bool| {
        if rebuild.get_untracked() == with_rebuild { report.refresh() } else { rebuild.set(with_rebuild) }
    };
    view! {
        <div class="scroll-area" tabindex="0" role="region" aria-label="Health" data-testid="health">
            <div class="actions">
                <button type="button" class="button" disabled=move || report.loading.get() on:click=move |_| check(false)>
                    <Glyph icon=Icon::Reread/> "Check again"
                </button>
                <button type="button" class="button" disabled=move || report.loading.get() on:click=move |_| check(true)
                    title="Makes every index anew from what is kept">
                    <Glyph icon=Icon::Layers/> "Rebuild the indexes"
                </button>
                <span class="muted small" role="status">{move || report.loading.get().then_some("Checking...")}</span>
            </div>
            {shown(report, "The data folder could not be checked.", (6, "row"), |report| view! { <Report report/> })}
        </div>
    }
}

#[component]
fn Report(report: HealthReport) -> impl IntoView {
    let sum = if report.ok { "All is well." } else { "Something is wrong: see below." };
    let counts =
        report.counts.into_iter().map(|(name, n)| view! { <div><dt>{words(&name)}</dt><dd>{grouped(n)}</dd></div> });
    let timings = report.timings.into_iter().map(|(name, t)| view! {
        <tr><th scope="row">{words(&name)}</th><td>{grouped(t.count)}</td><td>{format!("{:.1}", t.p50_ms)}</td><td>{format!("{:.1}", t.p95_ms)}</td></tr>
    });
    view! {
        <p class="strong">{sum}</p>
        <ul class="checks">{report.checks.into_iter().map(check_line).collect_view()}</ul>
        <h2>"What there is"</h2>
        <dl class="facts columns">
            {counts.collect_view()}
            <div><dt>"Database"</dt><dd>{size(report.database_bytes)}</dd></div>
            <div><dt>"Schema"</dt><dd>{report.schema_version}</dd></div>
        </dl>
        <h2>"How long it takes"</h2>
        <table class="timings">
            <thead><tr><th scope="col">"Operation"</th><th scope="col">"Times"</th><th scope="col">"Half within (ms)"</th>
                <th scope="col">"95 of 100 within (ms)"</th></tr></thead>
            <tbody>{timings.collect_view()}</tbody>
        </table>
    }
}

fn check_line(check: Check) -> impl IntoView {
    let (icon, class, word) =
        if check.ok { (Icon::CheckCircle, "check-line", "well") } else { (Icon::Alert, "check-line failed", "wrong") };
    view! {
        <li class=class>
            <Glyph icon/>
            <span class="check-name">{words(&check.name)} <span class="hidden-words">{format!(": {word}")}</span></span>
            <span class="muted grow">{check.detail}</span>
        </li>
    }
}
