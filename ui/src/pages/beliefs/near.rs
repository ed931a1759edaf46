//! What is near an entity in the graph: drawn around it, or as a list.

use super::{
    entity::Page,
    words::{phrase, type_icon},
};
use crate::{
    components::{
        icon::{Glyph, Icon},
        link::PageLink,
    },
    route::Route,
};
use leptos::prelude::*;
use um_model::{
    EntityId,
    belief::EntityType,
    claims::{Edge, EntityRef},
};

/// More neighbours than this are listed.
const DRAWN: usize = 40;
/// Room between two neighbours of one side, in pixels.
const STEP: f64 = 56.0;
/// How far out they stand, in hundredths of the width.
const REACH: f64 = 31.0;

/// Somebody or something near, and how they are related.
#[derive(Debug, Clone, PartialEq)]
struct Neighbour {
    entity: EntityRef,
    relations: Vec<String>,
}

/// Each neighbour once, with all relations to it: `works at`, or `reports to Ana` where it comes from there.
fn neighbours(of: &EntityId, name: &str, edges: &[Edge]) -> Vec<Neighbour> {
    let mut out: Vec<Neighbour> = Vec::new();
    for edge in edges {
        let (entity, says) = if edge.source.id == *of {
            (&edge.target, phrase(&edge.relation))
        } else {
            (&edge.source, format!("{} {name}", phrase(&edge.relation)))
        };
        match out.iter_mut().find(|near| near.entity.id == entity.id) {
            Some(near) if near.relations.contains(&says) => {}
            Some(near) => near.relations.push(says),
            None => out.push(Neighbour { entity: entity.clone(), relations: vec![says] }),
        }
    }
    out
}

/// Where each of `count` neighbours stands around the middle: hundredths of the width, pixels from the top. They
/// stand on two arcs, with the same room between any two.
fn places(count: usize) -> (Vec<(f64, f64)>, f64) {
    let right = count.div_ceil(2);
    let height = (right as f64 * STEP).max(3.0 * STEP);
    let side = |at: usize, of: usize, way: f64| {
        let y = height / 2.0 + (at as f64 - (of as f64 - 1.0) / 2.0) * STEP;
        let off = (y - height / 2.0) / (height / 2.0);
        (50.0 + way * REACH * (1.0 - 0.35 * off * off), y)
    };
    let all = (0..count).map(|n| if n < right { side(n, right, 1.0) } else { side(n - right, count - right, -1.0) });
    (all.collect(), height)
}

/// The neighbours.
#[component]
pub fn Near(page: Page) -> impl IntoView {
    let near = Memo::new(move |_| {
        page.detail
            .value
            .with(|d| d.as_ref().map(|d| neighbours(&d.entity.id, &d.entity.name, &d.near)).unwrap_or_default())
    });
    let centre =
        move || page.detail.value.with_untracked(|d| d.as_ref().map(|d| (d.entity.name.clone(), d.entity.entity_type)));
    let choice = move |graph: bool, icon: Icon, name: &'static str| {
        view! {
            <button type="button" class="button square" aria-label=name title=format!("{name} (G)")
                data-testid=if graph { "near-graph" } else { "near-list" }
                aria-pressed=move || (page.graph.get() == graph).to_string() on:click=move |_| page.graph.set(graph)>
                <Glyph icon/>
            </button>
        }
    };
    move || {
        let all = near.get();
        let (name, kind) = centre().filter(|_| !all.is_empty())?;
        let many = all.len() > DRAWN;
        let choices = (!many).then(|| {
            view! {
                <div class="segmented" role="group" aria-label="Layout">
                    {choice(true, Icon::Beliefs, "Graph")}
                    {choice(false, Icon::List, "List")}
                </div>
            }
        });
        Some(view! {
            <section class="panel" aria-labelledby="near-title">
                <div class="head-row"><h2 id="near-title" class="grow">"Near"</h2>{choices}</div>
                {move || if page.graph.get() && !many {
                    graph(&name, kind, near.get()).into_any()
                } else {
                    list(near.get()).into_any()
                }}
            </section>
        })
    }
}

fn graph(name: &str, kind: EntityType, near: Vec<Neighbour>) -> impl IntoView + use<> {
    let (places, height) = places(near.len());
    let lines = places.iter().map(|(x, y)| {
        view! { <line class="near-line" x1="50%" y1=height / 2.0 x2=format!("{x:.2}%") y2=*y></line> }
    });
    let nodes = near.into_iter().zip(&places).map(|(near, (x, y))| {
        view! {
            <li class="near-node" style:left=format!("{x:.2}%") style:top=format!("{y:.1}px")>{node(near)}</li>
        }
    });
    view! {
        <div class="near-graph" data-testid="graph" style:height=format!("{height}px")>
            <svg width="100%" height=height aria-hidden="true" focusable="false">{lines.collect_view()}</svg>
            <p class="near-centre" style:top=format!("{:.1}px", height / 2.0)>
                <Glyph icon=type_icon(kind)/> <span class="clip" title=name.to_owned()>{name.to_owned()}</span>
            </p>
            <ol aria-label="Neighbours">{nodes.collect_view()}</ol>
        </div>
    }
}

fn node(near: Neighbour) -> impl IntoView {
    let says = near.relations.join(", ");
    let title = format!("{}: {says}", near.entity.name);
    view! {
        <PageLink to=Signal::stored(Route::Entity(near.entity.id.clone())) class="near-link">
            <Glyph icon=type_icon(near.entity.entity_type)/>
            <span class="near-words" title=title>
                <span class="clip strong">{near.entity.name.clone()}</span>
                <span class="clip muted small">{says}</span>
            </span>
        </PageLink>
    }
}

fn list(near: Vec<Neighbour>) -> impl IntoView {
    view! { <ol class="near-list" data-testid="near-rows">{near.into_iter().map(|one| view! { <li>{node(one)}</li> }).collect_view()}</ol> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_stand_apart_inside_the_drawing() {
        for count in 0..=DRAWN {
            let (places, height) = places(count);
            assert_eq!(places.len(), count);
            for (at, (x, y)) in places.iter().enumerate() {
                assert!((15.0..=85.0).contains(x) && *y >= STEP / 2.0 - 0.01 && *y <= height - STEP / 2.0 + 0.01);
                for (other_x, other_y) in &places[at + 1..] {
                    assert!((x - other_x).abs() > 30.0 || (y - other_y).abs() >= STEP - 0.01, "{count} neighbours");
                }
            }
        }
    }

    #[test]
    fn a_neighbour_stands_once_with_all_its_relations() {
        let id = |n: u8| EntityId::parse(format!("00000000-0000-7000-8000-0000000000{n:02}")).unwrap();
        let entity = |n: u8| EntityRef { id: id(n), name: format!("e{n}"), entity_type: EntityType::Thing };
        let edge = |from: u8, to: u8, relation: &str| Edge {
            source: entity(from),
            relation: relation.into(),
            target: entity(to),
            claim_id: um_model::ClaimId::parse(um_model::OWNER_AGENT).unwrap(),
            confidence: 1.0,
            attributes: Default::default(),
            valid_from: None,
            valid_to: None,
            depth: 1,
        };
        let found = neighbours(&id(1), "e1", &[edge(1, 2, "works_at"), edge(2, 1, "employs"), edge(1, 3, "knows")]);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].relations, ["works at", "employs e1"]);
    }
}
