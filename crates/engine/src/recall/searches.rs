//! Questions that the person keeps, to ask them again.

use crate::error::{Outcome, invalid, not_found};
use crate::forget::Door;
use crate::{Caller, Engine};
use um_model::capture::Done;
use um_model::health::Event;
use um_model::recall::MemoryRecall;
use um_model::traces::{SavedSearch, SearchDrop, SearchSave, SearchesList, SearchesListed};
use um_model::{ApiError, ErrorCode, SpaceId};
use um_store::searches::{self, NewSearch};

/// The longest name, in characters.
const MAX_NAME: usize = 80;
/// So many questions of one are kept in a space at most: all of them are listed.
const MOST: usize = 200;

/// Keeps a question.
pub(crate) fn search_save(engine: &Engine, caller: &Caller, request: SearchSave) -> Outcome<SavedSearch> {
    let SearchSave { name, recall } = request;
    let name = name.trim().to_owned();
    if name.is_empty() || name.chars().count() > MAX_NAME {
        return Err(invalid("The name of a search has 1 to 80 characters."));
    }
    crate::seen::check("a search", &name)?;
    // What cannot be asked is not kept.
    super::read(recall.clone(), engine.now())?;
    let (caller, key, now) = (caller.clone(), engine.key().clone(), engine.now());
    let saved = engine.write(move |tx| {
        let space = match &recall.space {
            Some(space) => crate::spaces::resolve(tx, &caller, space)?.id,
            None => SpaceId::global(),
        };
        // That space is meant, whatever it and others are called when it is asked again.
        let named = recall.space.as_ref().map(|_| space.to_string());
        let recall = MemoryRecall { space: named, ..recall };
        // What a space that it would be asked of by now forgot is not written down.
        let asked = crate::spaces::asked(tx, &caller, recall.space.as_deref())?;
        let door = Door::of(&key, &space).and_of(asked.iter().map(|space| &space.id));
        refuse(&searches::list(tx, std::slice::from_ref(&space), &caller.actor)?, &name)?;
        let new = NewSearch { space: &space, actor: &caller.actor, name: &name, recall: &recall };
        let saved = searches::save(tx, &door.pass(tx, new)?, now)?;
        let object = ("saved_searches", saved.id.as_str());
        Engine::audit(tx, &caller, "search.saved", object, &space, serde_json::json!({}), now)?;
        Ok(saved)
    })?;
    engine.tell(Event::Settings);
    Ok(saved)
}

/// One of that very name is replaced. One whose name differs in nothing but case could not be told from it, and one more than may be
/// kept is not.
fn refuse(kept: &[SavedSearch], name: &str) -> Outcome<()> {
    if kept.iter().any(|one| one.name == name) {
        return Ok(());
    }
    let folded = name.to_lowercase();
    if let Some(alike) = kept.iter().find(|one| one.name.to_lowercase() == folded) {
        let error = ApiError::new(ErrorCode::Conflict, format!("A question is kept there as \"{}\".", alike.name));
        return Err(error.hint("Give it that very name to replace that one, or another name."));
    }
    if kept.len() >= MOST {
        let error = invalid(format!("{MOST} of your questions are kept there, and no more are."));
        return Err(error.hint("Drop one first, or give this one its name to replace it."));
    }
    Ok(())
}

/// Lists the questions that are kept; the person's also where their space is archived, as they come back with it.
pub(crate) fn searches_list(engine: &Engine, caller: &Caller, _: SearchesList) -> Outcome<SearchesListed> {
    engine.read(|c| {
        let mut spaces = crate::spaces::readable(c, caller, None)?;
        if !caller.is_agent() {
            spaces.extend(um_store::spaces::archived(c)?);
        }
        let mut spaces: Vec<SpaceId> = spaces.into_iter().map(|space| space.id).collect();
        spaces.push(SpaceId::global());
        Ok(SearchesListed { searches: searches::list(c, &spaces, &caller.actor)? })
    })
}

/// Drops a question.
pub(crate) fn search_drop(engine: &Engine, caller: &Caller, request: SearchDrop) -> Outcome<Done> {
    let (caller, now) = (caller.clone(), engine.now());
    engine.write(move |tx| {
        let id = request.id.as_str();
        let space = searches::space_of(tx, &request.id, &caller.actor)?.ok_or_else(|| not_found("saved search", id))?;
        searches::remove(tx, &request.id)?;
        let object = ("saved_searches", id);
        Engine::audit(tx, &caller, "search.dropped", object, &space, serde_json::json!({}), now)
    })?;
    engine.tell(Event::Settings);
    Ok(Done {})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_are_kept_and_those_are_replaced_by_their_very_name() {
        let kept = |number: usize| -> Vec<SavedSearch> {
            let one = |number: usize| {
                let id = format!("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f{number:04x}");
                let (name, recall) = (format!("Rent {number}"), serde_json::json!({ "query": "rent" }));
                let told = serde_json::json!({ "id": id, "name": name, "recall": recall, "created_at": 0 });
                serde_json::from_value(told).unwrap()
            };
            (0..number).map(one).collect()
        };
        let check = |number: usize, name: &str, expected: Option<ErrorCode>| {
            assert_eq!(refuse(&kept(number), name).err().map(|error| error.code), expected, "{number}: {name}");
        };
        check(0, "Rent 0", None);
        check(MOST - 1, "Boat", None);
        check(MOST - 1, "rent 7", Some(ErrorCode::Conflict));
        check(MOST, "Boat", Some(ErrorCode::InvalidRequest));
        check(MOST, "Rent 7", None);
        check(MOST, "rent 7", Some(ErrorCode::Conflict));
    }
}
