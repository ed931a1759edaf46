//! What is read: one entry, lists of entries, queries over all that is said of them.

use super::fill::{Level, TAGS, tag};
use super::{Bench, spread};
use serde_json::{Value, json};
use um_bench::measure;
use um_model::work::{ContextCompile, EntriesList, EntryCategory, EntryGet, EntryType};
use um_model::{ApiError, ErrorCode};

/// The goals for the p95, in milliseconds.
const GET: Option<f64> = Some(1.0);
const LIST: Option<f64> = Some(3.0);
const QUERY: Option<f64> = Some(15.0);

/// Measures it.
pub fn measure(bench: &Bench<'_>) -> Result<(), ApiError> {
    get(bench)?;
    list(bench)?;
    query(bench)?;
    context(bench)
}

fn get(bench: &Bench<'_>) -> Result<(), ApiError> {
    bench.ask("entry_get by id", GET, |at| EntryGet { id: Some(bench.entries[at].clone()), ..EntryGet::default() })?;
    for (what, level) in [
        ("entry_get by name, of the project", Level::Project),
        ("entry_get by name, of the organization", Level::Organization),
        ("entry_get by name, of GLOBAL", Level::Global),
    ] {
        let hidden = bench.plan.hidden(level);
        let rest = bench.plan.entries(level) - hidden;
        bench.row(what, GET, |at| {
            let (request, mut found) = (bench.named(level, hidden + spread(at, rest)), None);
            let took = measure::time(|| {
                found = Some(bench.engine.run(&bench.caller, request)?.entry.level);
                Ok(())
            });
            assert!(took.is_err() || found == Some(level.distance()), "it lies where it was put");
            took
        })?;
    }
    bench.row("entry_get by name, of none", GET, |at| {
        let (entry_type, name) = (Some(EntryType::Guideline), Some(format!("nothing {at}")));
        let request = EntryGet { entry_type, name, ..bench.named(Level::Project, 0) };
        measure::time(|| match bench.engine.run(&bench.caller, request) {
            Err(error) if error.code == ErrorCode::NotFound => Ok(()),
            other => other.map(|_| unreachable!("no entry has such a name")),
        })
    })
}

fn list(bench: &Bench<'_>) -> Result<(), ApiError> {
    let all = EntriesList { space: Some(Level::Project.space().to_owned()), ..EntriesList::default() };
    let far = (bench.plan.size / 2).min(10_000);
    // Each time of another type, or of all.
    let types = [None, Some(EntryType::Guideline), Some(EntryType::Tool), Some(EntryType::Knowledge)];
    let lists = [
        ("20 of the project".to_owned(), EntriesList { only_here: true, ..all.clone() }),
        ("20 of the project and above".to_owned(), all.clone()),
        (
            "20 of a session, its project and above".to_owned(),
            EntriesList { space: None, session: Some(bench.session.clone()), ..all.clone() },
        ),
        (format!("20 of the project and above, from {far} on"), EntriesList { offset: far as u32, ..all.clone() }),
    ];
    for (what, request) in lists {
        bench.ask(&format!("entries_list, {what}"), LIST, |at| EntriesList {
            entry_type: types[at % types.len()],
            ..request.clone()
        })?;
    }
    let categories = EntryCategory::ALL;
    bench.ask("entries_list, 20 of a category", LIST, |at| EntriesList {
        category: Some(categories[at % categories.len()]),
        ..all.clone()
    })
}

/// A query of the project and the spaces above it.
pub fn asked(more: Value) -> Value {
    let mut request = json!({ "space": Level::Project.space(), "inherit": true, "limit": 20 });
    if let (Some(request), Value::Object(more)) = (request.as_object_mut(), more) {
        request.extend(more);
    }
    request
}

/// Two tags that it may have, and one that it may not: of the rarest, or of the most common ones.
pub fn tagged(at: usize, is_common: bool) -> Value {
    let rank = |nth: usize| if is_common { 1 + (at + nth) % 10 } else { TAGS - (at + nth) % 10 };
    json!({ "include": [tag(rank(0)), tag(rank(1))], "require": [], "exclude": [tag(rank(2))] })
}

fn query(bench: &Bench<'_>) -> Result<(), ApiError> {
    let text = |at| bench.language.question(10_000_000 + spread(at, bench.plan.entries(Level::Project)) * 10);
    let near = |at: usize| {
        // Those in the middle of the tree have entries above and below them.
        let inner = (bench.plan.relations() / 16).max(1);
        let id = super::fill::id(bench.engine, &bench.caller, bench.plan, bench.plan.related(1 + spread(at, inner)));
        json!({ "item_type": "entry", "id": id.ok(), "relations": [], "depth": 2 })
    };
    let common = |at| tagged(at, true);
    let queries: [(&str, &dyn Fn(usize) -> Value); 6] = [
        ("two rare tags but another", &|at| asked(json!({ "tags": tagged(at, false) }))),
        ("two common tags but another", &|at| asked(json!({ "tags": common(at) }))),
        ("two common tags but another, guidelines", &|at| {
            asked(json!({ "tags": common(at), "entry_types": ["guideline"] }))
        }),
        ("two common tags but another, and a text", &|at| asked(json!({ "tags": common(at), "text": text(at) }))),
        ("two common tags but another, near an entry", &|at| {
            asked(json!({ "tags": common(at), "related_to": near(at) }))
        }),
        ("a text", &|at| asked(json!({ "text": text(at) }))),
    ];
    for (what, request) in queries {
        let (mut asked, mut found) = (0, 0);
        bench.call((&format!("items_query, {what}"), "items_query"), QUERY, request, |answer| {
            asked += 1;
            found += answer["items"].as_array().map_or(0, Vec::len);
        })?;
        if asked > 0 {
            eprintln!("items_query, {what}: {:.1} found on average.", found as f64 / asked as f64);
        }
    }
    Ok(())
}

fn context(bench: &Bench<'_>) -> Result<(), ApiError> {
    let pack = |query| ContextCompile {
        space: Some(Level::Project.space().to_owned()),
        budget_tokens: Some(1_200),
        query,
        ..ContextCompile::default()
    };
    bench.ask("context_compile, 1,200 tokens", None, |_| pack(None))?;
    bench.ask("context_compile, 1,200 tokens, with a question", None, |at| pack(Some(bench.language.question(at))))
}
