//! A data folder of made-up memories, written in large portions: what each would queue and the ledger would say is left out.

use crate::double::{WordSums, vector};
use crate::words::Language;
use std::path::Path;
use std::sync::Arc;
use um_engine::{Caller, Engine, EngineConfig, SystemClock};
use um_model::envelope::{ConfidenceLabel, MemoryLayer};
use um_model::health::Reembed;
use um_model::spaces::SpaceCreate;
use um_model::{AgentId, ApiError, ErrorCode, MemoryScope, SpaceId, Utf16Span};
use um_store::envelope::NewEnvelope;
use um_store::keyed::Key;
use um_store::memories::{self, NewMemory};
use um_store::rejected::Checked;
use um_store::units::{self, NewUnit, Source};
use um_store::{Connection, Keys, Store, StoreResult, vectors};

/// The time of the first text; each next one is a minute later.
const BEGIN_MS: i64 = 1_700_000_000_000;
const STEP_MS: i64 = 60_000;
/// So many are written at once.
const PORTION: usize = 2_000;
/// The model that new databases are embedded with; the double says that it is it.
const MODEL: &str = "all-MiniLM-L6-v2";

/// What a data folder holds.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// How many memories, each of one passage.
    pub units: usize,
    /// How long their vectors are.
    pub dimensions: usize,
    /// Over so many spaces they are spread evenly.
    pub spaces: usize,
}

impl Plan {
    /// The name of the space of that number.
    pub fn space(self, number: usize) -> String {
        format!("made up {}", number % self.spaces)
    }
}

/// What the store said.
pub(crate) fn failed(error: um_store::StoreError) -> ApiError {
    ApiError::new(ErrorCode::Database, error.to_string())
}

/// Opens a data folder with the double for a model.
pub(crate) fn open(folder: &Path, plan: Plan) -> Result<Engine, ApiError> {
    let mut providers = um_providers::standard(folder);
    providers.embedding = Arc::new(WordSums(plan.dimensions));
    Engine::open(EngineConfig { data_dir: folder.to_owned(), key: None, providers, clock: Arc::new(SystemClock) })
}

/// Opens its database alone.
pub(crate) fn open_store(folder: &Path) -> StoreResult<Store> {
    // Nothing is hashed under the key here.
    Store::open(&folder.join("memory.db"), Keys { database: None, hashes: Key::new([0; 32]) }, BEGIN_MS)
}

/// Fills an empty folder. `tell` is told how many there are.
pub(crate) fn fill(
    folder: &Path,
    language: &Arc<Language>,
    plan: Plan,
    tell: impl Fn(usize),
) -> Result<Vec<SpaceId>, ApiError> {
    let engine = open(folder, plan)?;
    let caller = Caller::owner("bench");
    // The index is made for vectors of that length.
    engine.run(&caller, Reembed { model: None })?;
    let made = |number| {
        let create = SpaceCreate { name: plan.space(number), ..SpaceCreate::default() };
        engine.run(&caller, create).map(|space| space.id)
    };
    let spaces: Vec<SpaceId> = (0..plan.spaces).map(made).collect::<Result<_, _>>()?;
    drop(engine);
    let store = open_store(folder).map_err(failed)?;
    for from in (0..plan.units).step_by(PORTION) {
        let numbers = from..(from + PORTION).min(plan.units);
        let (language, spaces, actor) = (language.clone(), spaces.clone(), caller.actor.clone());
        tell(numbers.start);
        store
            .write(move |tx| {
                numbers.clone().try_for_each(|number| {
                    let space = &spaces[number % spaces.len()];
                    keep(tx, (space, &actor), &language.text(number), number, plan.dimensions)
                })
            })
            .map_err(failed)?;
    }
    Ok(spaces)
}

fn keep(
    tx: &Connection,
    (space, actor): (&SpaceId, &AgentId),
    text: &str,
    number: usize,
    dimensions: usize,
) -> StoreResult<()> {
    let at = BEGIN_MS + number as i64 * STEP_MS;
    let new = NewMemory {
        space: space.clone(),
        actor: actor.clone(),
        content: Some(text.to_owned()),
        content_hash: format!("{number:064x}"),
        modality: "text".to_owned(),
        artifact: None,
        title: None,
        scope: MemoryScope::Fact,
        classification_confidence: 0.5,
        classifier_id: "bench".to_owned(),
        source_type: "user_input",
        memory_key: None,
        supersedes: None,
        owner: None,
        session: None,
        occurred_at: Some(at),
        envelope: NewEnvelope {
            layer: MemoryLayer::Distilled,
            artifact_ref: None,
            confidence_label: ConfidenceLabel::Observed,
            record_kind: None,
            importance: 0.5,
            event: None,
            metadata: serde_json::Map::new(),
        },
    };
    let (id, _) = memories::insert(tx, &Checked::held(new), at)?;
    let unit = NewUnit {
        span: Utf16Span::new(0, text.encode_utf16().count() as u32),
        text: text.to_owned(),
        heading_path: None,
        segment: None,
        token_count: text.split(' ').count() as u32,
        mail: None,
    };
    let vector = vector(text, dimensions);
    let passages = units::insert(tx, space, &id, Source::Memory(&id), "", &[unit], at)?;
    passages.into_iter().try_for_each(|rid| vectors::insert_unit(tx, rid, MODEL, &vector, at))
}
