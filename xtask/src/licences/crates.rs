//! The crates that the product is made of, as `cargo metadata` knows them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::place::Place;
use crate::sh::{cargo, quiet};

/// A crate from a registry.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crate {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What it declares.
    pub licence: Option<String>,
}

/// All that the product's own crates need on any system and with every feature, for themselves or to be built; not what only
/// tests or this program need.
///
/// # Errors
/// cargo's.
pub fn shipped(place: &Place) -> Result<Vec<Crate>, String> {
    let mut metadata = cargo(place);
    metadata.args(["metadata", "--format-version", "1", "--locked", "--features", "encryption"]);
    let metadata = quiet(metadata)?;
    let metadata = serde_json::from_str(&metadata).map_err(|e| format!("cargo's metadata is no JSON: {e}"))?;
    Ok(reachable(&metadata))
}

fn reachable(metadata: &Value) -> Vec<Crate> {
    let packages = by_id(&metadata["packages"]);
    let nodes = by_id(&metadata["resolve"]["nodes"]);
    let mut to_see: Vec<&str> = list(&metadata["workspace_members"]).filter_map(Value::as_str).collect();
    to_see.retain(|id| packages.get(id).is_some_and(|package| package["name"] != "xtask"));
    let mut seen = BTreeSet::new();
    while let Some(id) = to_see.pop() {
        if seen.insert(id) {
            to_see.extend(nodes.get(id).into_iter().flat_map(|node| needed(node)));
        }
    }
    let crates: BTreeSet<Crate> = seen.iter().filter_map(|id| from_registry(packages.get(id)?)).collect();
    crates.into_iter().collect()
}

fn by_id(entries: &Value) -> BTreeMap<&str, &Value> {
    list(entries).filter_map(|entry| Some((entry["id"].as_str()?, entry))).collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn needed(node: &Value) -> impl Iterator<Item = &str> {
    let not_for_tests = |dep: &&Value| list(&dep["dep_kinds"]).any(|kind| kind["kind"] != "dev");
    list(&node["deps"]).filter(not_for_tests).filter_map(|dep| dep["pkg"].as_str())
}

fn from_registry(package: &Value) -> Option<Crate> {
    package["source"].as_str()?;
    let text = |key: &str| package[key].as_str().map(str::to_string);
    Some(Crate { name: text("name")?, version: text("version")?, licence: text("license") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_only_tests_need_is_left_out() {
        let package =
            |id: &str, source: Value| json!({"id": id, "name": id, "version": "1", "license": "MIT", "source": source});
        let dep = |to: &str, kind: Value| json!({"pkg": to, "dep_kinds": [{"kind": kind}]});
        let metadata = json!({
            "workspace_members": ["app", "xtask"],
            "packages": [package("app", Value::Null), package("xtask", Value::Null), package("used", json!("r")),
                package("builds", json!("r")), package("tests", json!("r")), package("ours", json!("r"))],
            "resolve": {"nodes": [
                {"id": "app", "deps": [dep("used", Value::Null), dep("tests", json!("dev"))]},
                {"id": "used", "deps": [dep("builds", json!("build"))]},
                {"id": "xtask", "deps": [dep("ours", Value::Null)]},
            ]},
        });
        let names: Vec<String> = reachable(&metadata).into_iter().map(|krate| krate.name).collect();
        assert_eq!(names, ["builds", "used"]);
    }
}
