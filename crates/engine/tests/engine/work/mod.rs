//! What agents work with.

mod blocks;
mod bounds;
mod brief;
mod brought;
mod drift;
mod entries;
mod envelope;
mod events;
mod locks;
mod packs;
mod query;
mod relations;
mod resources;
mod sessions;
mod tags;
mod verification;

use crate::support::Rig;
use um_model::work::*;
use um_model::{SessionId, SpaceType};

/// A guideline of the default space.
fn guideline(name: &str, content: &str) -> EntrySave {
    EntrySave {
        space: None,
        session: None,
        entry_type: EntryType::Guideline,
        name: name.to_owned(),
        category: None,
        priority: None,
        body: EntryBody { content: Some(content.to_owned()), ..EntryBody::default() },
        change_reason: None,
        base_version: None,
        metadata: Default::default(),
        tags: Vec::new(),
    }
}

/// A session in the project Acme/Apollo.
struct Levels {
    rig: Rig,
    session: SessionId,
}

impl Levels {
    fn new() -> Self {
        use um_model::spaces::SpaceCreate;
        let rig = Rig::resting();
        let make = |name: &str, space_type, parent: Option<&str>| {
            let parent = parent.map(str::to_owned);
            rig.run(SpaceCreate { name: name.into(), space_type: Some(space_type), parent, ..SpaceCreate::default() })
                .unwrap();
        };
        make("Acme", SpaceType::Organization, None);
        make("Apollo", SpaceType::Project, Some("Acme"));
        let begin = SessionBegin { space: Some("project:Apollo".into()), ..SessionBegin::default() };
        let session = rig.run(begin).unwrap().session.id;
        Self { rig, session }
    }

    /// What each level is called, with its scope, from the farthest to the nearest.
    fn places(&self) -> Vec<(&'static str, String)> {
        vec![
            ("global", "global".to_owned()),
            ("organization", "organization:Acme".to_owned()),
            ("project", "project:Apollo".to_owned()),
            ("session", format!("session:{}", self.session)),
        ]
    }
}

/// Where a word stands in the database, by table and column.
fn saying(rig: &Rig, word: &str) -> Vec<String> {
    let db = rig.db();
    let list = |sql: &str| -> Vec<String> {
        let mut rows = db.prepare(sql).unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let mut found = Vec::new();
    for table in list("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%USING vec0%'") {
        for column in list(&format!("SELECT name FROM pragma_table_info('{table}')")) {
            let says =
                format!("SELECT 1 FROM \"{table}\" WHERE instr(lower(CAST(\"{column}\" AS TEXT)), '{word}') LIMIT 1");
            if db.query_row(&says, [], |_| Ok(())).is_ok() {
                found.push(format!("{table}.{column}"));
            }
        }
    }
    found
}
