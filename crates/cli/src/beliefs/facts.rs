//! `umem facts`

use super::{args, usage, words};
use crate::by_line;
use crate::failure::{Failure, id};
use crate::print::Output;
use crate::when;
use std::path::Path;
use std::process::ExitCode;
use um_model::MemoryId;
use um_model::claims::{FactInput, FactsAdd, FactsAdded, FactsSearch};
use um_server::client::Connection;
use um_server::text::count;

/// The service takes so many facts at once.
const AT_ONCE: usize = 100;

/// `umem facts …`
pub(crate) async fn facts(service: &mut Connection, asked: args::Facts, output: Output) -> Result<ExitCode, Failure> {
    match asked {
        args::Facts::Add(fact) => add(service, *fact, output).await,
        args::Facts::List(asked) => {
            let args::FactsList { query, space, entity, predicate, state: states, as_of, known_at, limit, offset } =
                asked;
            let (as_of, known_at) = (when::of_sources(as_of.as_deref())?, when::known(known_at.as_deref())?);
            let asked = FactsSearch {
                space,
                query,
                entity,
                predicate,
                states,
                as_of,
                known_at,
                offset,
                limit,
                ..Default::default()
            };
            let found = service.run(asked).await?;
            let more = super::while_reading(service, found.total == 0).await?;
            Ok(output.answer(&found, |found| words::facts(found) + more))
        }
    }
}

async fn add(service: &mut Connection, fact: args::Fact, output: Output) -> Result<ExitCode, Failure> {
    let space = fact.space.clone();
    let facts = match &fact.file {
        Some(file) => read(file)?,
        None => vec![input(fact)?],
    };
    let mut added = FactsAdded { facts: Vec::with_capacity(facts.len()) };
    for some in facts.chunks(AT_ONCE) {
        let request = FactsAdd { space: space.clone(), facts: some.to_vec() };
        let answer = service.run(request).await.map_err(|mut error| {
            if !added.facts.is_empty() {
                error.message += &format!(" Added before: {}.", count(added.facts.len() as u64, "fact"));
            }
            Failure::from(error)
        })?;
        added.facts.extend(answer.facts);
    }
    Ok(output.answer(&added, words::added))
}

/// The fact of the command line.
fn input(fact: args::Fact) -> Result<FactInput, Failure> {
    let memory_id = fact.memory.map(|memory| id(memory, MemoryId::parse, "umem recall")).transpose()?;
    Ok(FactInput {
        subject: fact.subject.unwrap_or_default(),
        subject_type: fact.subject_type,
        predicate: fact.predicate.unwrap_or_default(),
        object: fact.object.unwrap_or_default(),
        object_is_entity: None,
        object_type: fact.object_type,
        qualifiers: fact.qualifier.into_iter().collect(),
        negative: fact.negative,
        confidence: fact.confidence,
        valid_from: fact.from,
        valid_until: fact.until,
        memory_id,
        quote: fact.quote,
        source_event_ids: fact.event,
        contradicts: fact.contradicts,
    })
}

/// The facts of a file, a line each.
fn read(file: &Path) -> Result<Vec<FactInput>, Failure> {
    let hint = "Each line is a fact, such as {\"subject\":\"Ana\",\"predicate\":\"likes\",\"object\":\"tea\"}.";
    let facts: Vec<FactInput> = by_line::parsed(file, hint)?.into_iter().map(|(_, fact)| fact).collect();
    if facts.is_empty() { Err(usage("There are no facts.".to_owned(), hint)) } else { Ok(facts) }
}
