//! The arrows between the workspace's crates point down only, as docs/ARCHITECTURE.md draws them.

use cargo_metadata::{DependencyKind, MetadataCommand, Package};

/// A crate, and the crates of the workspace that it may know.
const ARROWS: &[(&str, &[&str])] = &[
    ("ultimate-memory", &["um-model", "um-engine", "um-providers", "um-server"]),
    ("umem", &["um-model", "um-rules", "um-pii", "um-engine", "um-providers", "um-server", "um-bench"]),
    ("um-bench", &["um-model", "um-store", "um-engine", "um-providers"]),
    ("um-server", &["um-model", "um-engine"]),
    ("um-providers", &["um-model", "um-rules", "um-engine"]),
    ("um-engine", &["um-model", "um-rules", "um-pii", "um-store"]),
    ("um-rules", &["um-model"]),
    ("um-pii", &["um-model"]),
    ("um-store", &["um-model"]),
    ("um-ui", &["um-model"]),
    ("um-model", &[]),
    ("xtask", &[]),
];

/// The package whose tests look at the whole product, and may know any crate of it.
const WHOLE_PRODUCT: &str = "ultimate-memory";

fn members() -> Vec<Package> {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo metadata");
    metadata.packages
}

fn allowed(from: &str, to: &str, kind: DependencyKind) -> bool {
    let known = ARROWS.iter().find(|(name, _)| *name == from).map_or(&[][..], |(_, known)| known);
    known.contains(&to) || (from == WHOLE_PRODUCT && kind == DependencyKind::Development)
}

#[test]
fn arrows_point_down_only() {
    let members = members();
    let of_workspace = |name: &str| members.iter().any(|member| member.name.as_str() == name);
    let mut wrong = Vec::new();
    for member in &members {
        for dependency in member.dependencies.iter().filter(|dependency| of_workspace(&dependency.name)) {
            if !allowed(&member.name, &dependency.name, dependency.kind) {
                wrong.push(format!("{} -> {} ({:?})", member.name, dependency.name, dependency.kind));
            }
        }
    }
    assert!(wrong.is_empty(), "these arrows are not drawn in docs/ARCHITECTURE.md: {wrong:#?}");
}

#[test]
fn every_crate_has_its_place() {
    let mut found: Vec<String> = members().iter().map(|member| member.name.to_string()).collect();
    let mut placed: Vec<String> = ARROWS.iter().map(|(name, _)| name.to_string()).collect();
    found.sort();
    placed.sort();
    assert_eq!(found, placed, "a crate came or went: give it a place in docs/ARCHITECTURE.md, and here");
}
