//! The data folder that is measured on: entries of three levels, tags by how common tags are, relations, sessions with their
//! events. Everything of it follows from its size, so that it need not be remembered.

use super::super::data;
use super::{is_built, spread};
use serde_json::json;
use std::path::Path;
use um_bench::words::{Language, Random};
use um_engine::{Caller, Engine};
use um_model::spaces::SpaceCreate;
use um_model::work::*;
use um_model::{ApiError, EntryId, SpaceType};

/// Events that are told at once, and that a session has.
pub const BATCH: usize = 500;
/// Tags that there are.
pub const TAGS: usize = 200;
/// Entries that the session under way has of its own.
const OF_SESSION: usize = 100;
/// Words that an entry has.
const WORDS: usize = 60;

/// Where entries lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Global,
    Organization,
    Project,
}

impl Level {
    const ALL: [Self; 3] = [Self::Global, Self::Organization, Self::Project];

    /// The space, by its path.
    pub fn space(self) -> &'static str {
        match self {
            Self::Global => "GLOBAL",
            Self::Organization => "Acme",
            Self::Project => "Acme/Apollo",
        }
    }

    /// How far it is from the project.
    pub fn distance(self) -> u8 {
        match self {
            Self::Project => 0,
            Self::Organization => 1,
            Self::Global => 2,
        }
    }

    fn above(self) -> Option<Self> {
        match self {
            Self::Project => Some(Self::Organization),
            Self::Organization => Some(Self::Global),
            Self::Global => None,
        }
    }
}

/// What the folder holds.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// So many entries; ten times as many events.
    pub size: usize,
}

impl Plan {
    /// How many entries a level has.
    pub fn entries(self, level: Level) -> usize {
        match level {
            Level::Global => self.size / 100,
            Level::Organization => self.size * 9 / 100,
            Level::Project => self.size - self.entries(Level::Global) - self.entries(Level::Organization),
        }
    }

    /// How many entries of a level one of the next nearer level stands in the place of: the first.
    pub fn hidden(self, level: Level) -> usize {
        let nearer = Level::ALL.into_iter().find(|one| one.above() == Some(level));
        nearer.map_or(0, |nearer| self.entries(nearer).div_ceil(100))
    }

    /// How many sessions there are, besides the one under way.
    pub fn sessions(self) -> usize {
        self.size * 10 / BATCH
    }

    /// How many relations there are.
    pub fn relations(self) -> usize {
        self.size / 50
    }

    /// The entry of the project that the relation of that number leads from.
    pub fn related(self, number: usize) -> usize {
        spread(number, self.entries(Level::Project))
    }

    /// Type and name of an entry. One in a hundred has those of one of the level above.
    pub fn named(self, level: Level, number: usize) -> (EntryType, String) {
        match level.above().filter(|_| number.is_multiple_of(100)) {
            Some(above) => self.named(above, number / 100),
            None => (type_of(number), format!("{} {number}", level.space().replace('/', " ").to_lowercase())),
        }
    }
}

/// Half of them are guidelines, three in ten knowledge, two in ten tools.
fn type_of(number: usize) -> EntryType {
    match number % 10 {
        0..=4 => EntryType::Guideline,
        5..=7 => EntryType::Knowledge,
        _ => EntryType::Tool,
    }
}

/// The tag of a rank: 1 is the most common one.
pub fn tag(rank: usize) -> String {
    format!("tag-{rank}")
}

/// Three tags, each as often as its rank says (Zipf).
fn tags(random: &mut Random) -> Vec<String> {
    let whole: f64 = (1..=TAGS).map(|rank| 1.0 / rank as f64).sum();
    let mut names: Vec<String> = Vec::new();
    while names.len() < 3 {
        let mut left = random.share() * whole;
        let falls = |rank: &usize| {
            left -= 1.0 / *rank as f64;
            left <= 0.0
        };
        let name = tag((1..=TAGS).find(falls).unwrap_or(TAGS));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// What an entry of that type says.
pub fn body(language: &Language, number: usize, of: EntryType) -> EntryBody {
    let mut words: Vec<String> = Vec::new();
    // Other texts than those of events.
    for more in 0.. {
        words.extend(language.text(10_000_000 + number * 10 + more).split(' ').map(str::to_owned));
        if words.len() >= WORDS {
            break;
        }
    }
    words.truncate(WORDS);
    let text = Some(words.join(" "));
    match of {
        EntryType::Tool => EntryBody { description: text, ..EntryBody::default() },
        EntryType::Guideline | EntryType::Knowledge => EntryBody { content: text, ..EntryBody::default() },
    }
}

/// The event of that number.
pub fn event(language: &Language, number: usize) -> NewEvent {
    let kinds = [
        EventKind::UserMessage,
        EventKind::AssistantMessage,
        EventKind::ToolCall,
        EventKind::ToolResult,
        EventKind::FileEdit,
    ];
    let kind = kinds[number % kinds.len()];
    NewEvent { kind, content: language.text(number), metadata: Default::default(), occurred_at: None }
}

/// Events from that number on.
pub fn events(language: &Language, from: usize, count: usize) -> Vec<NewEvent> {
    (from..from + count).map(|number| event(language, number)).collect()
}

/// The id of an entry of the project.
pub fn id(engine: &Engine, caller: &Caller, plan: Plan, number: usize) -> Result<EntryId, ApiError> {
    let (entry_type, name) = plan.named(Level::Project, number);
    let space = Some(Level::Project.space().to_owned());
    let request = EntryGet { space, entry_type: Some(entry_type), name: Some(name), ..EntryGet::default() };
    Ok(engine.run(caller, request)?.entry.id)
}

/// A session of the project.
pub fn session(name: &str) -> SessionBegin {
    let space = Some(Level::Project.space().to_owned());
    SessionBegin { space, name: Some(name.to_owned()), ..SessionBegin::default() }
}

/// Fills an empty data folder.
pub fn fill(folder: &Path, language: &Language, plan: Plan) -> Result<(), ApiError> {
    let engine = data::open(folder, true)?;
    let caller = Caller::owner("bench");
    let space = |name: &str, of, parent: Option<&str>| SpaceCreate {
        name: name.to_owned(),
        space_type: Some(of),
        parent: parent.map(str::to_owned),
        ..SpaceCreate::default()
    };
    engine.run(&caller, space("Acme", SpaceType::Organization, None))?;
    engine.run(&caller, space("Apollo", SpaceType::Project, Some("Acme")))?;
    // Every level bears the same tags.
    for rank in 1..=TAGS {
        let space = Some(Level::Global.space().to_owned());
        engine.run(&caller, TagCreate { space, name: tag(rank), category: None, description: None })?;
    }
    sessions(&engine, &caller, language, plan)?;
    entries(&engine, &caller, language, plan)?;
    if is_built("relation_add") {
        relations(&engine, &caller, plan)?;
    }
    Ok(())
}

fn sessions(engine: &Engine, caller: &Caller, language: &Language, plan: Plan) -> Result<(), ApiError> {
    for number in 0..plan.sessions() {
        let begun = engine.run(caller, session(&format!("session {number}")))?.session;
        let events = events(language, number * BATCH, BATCH);
        engine.run(caller, EventsAppend { space: None, session: Some(begun.id.clone()), events })?;
        let summary = Some(language.text(number));
        engine.run(caller, SessionEnd { session: begun.id, summary, transcript: Vec::new() })?;
    }
    let open = engine.run(caller, session("under way"))?.session.id;
    for number in 0..OF_SESSION {
        let name = format!("of the session {number}");
        let of_session =
            EntrySave { space: None, session: Some(open.clone()), name, ..save(language, type_of(number), number) };
        engine.run(caller, of_session)?;
    }
    Ok(())
}

/// An entry of the project that has no name yet.
pub fn save(language: &Language, entry_type: EntryType, number: usize) -> EntrySave {
    let fits: Vec<EntryCategory> =
        EntryCategory::ALL.iter().copied().filter(|category| category.of() == entry_type).collect();
    let mut random = Random(number as u64);
    EntrySave {
        space: Some(Level::Project.space().to_owned()),
        session: None,
        entry_type,
        name: String::new(),
        category: Some(fits[number / 10 % fits.len()]),
        priority: u8::try_from(random.between(0, 100)).ok(),
        body: body(language, number, entry_type),
        change_reason: None,
        base_version: None,
        metadata: Default::default(),
        tags: tags(&mut random),
    }
}

fn entries(engine: &Engine, caller: &Caller, language: &Language, plan: Plan) -> Result<(), ApiError> {
    for level in Level::ALL {
        for number in 0..plan.entries(level) {
            let (entry_type, name) = plan.named(level, number);
            let space = Some(level.space().to_owned());
            // Each level's are others than those of the other levels.
            let said = number + plan.size * usize::from(level.distance());
            engine.run(caller, EntrySave { space, name, ..save(language, entry_type, said) })?;
        }
    }
    Ok(())
}

/// A tree in which each entry leads to the one above it, and has four below it.
fn relations(engine: &Engine, caller: &Caller, plan: Plan) -> Result<(), ApiError> {
    for number in 1..=plan.relations() {
        let (from, to) = (plan.related(number), plan.related(number / 4));
        if from == to {
            continue;
        }
        let item = |number| Ok::<_, ApiError>(json!({ "item_type": "entry", "id": id(engine, caller, plan, number)? }));
        let request = json!({ "from": item(from)?, "to": item(to)?, "relation_type": "related_to" });
        engine.call(caller, "relation_add", request)?;
    }
    Ok(())
}
