//! Checks of items, written down by whoever checked, and listed. Packs warn of what did not pass its last one.

use crate::error::{Fault, Outcome, invalid, not_found};
use crate::forget::Door;
use crate::{Caller, Engine};
use um_model::health::Event;
use um_model::work::*;
use um_model::{ApiError, EpochMs, ErrorCode, SpaceId};
use um_store::verification::{self, NewCheck, Wanted};
use um_store::{Connection, items};

/// The longest detail, in bytes.
const MAX_DETAIL: usize = 2_000;

/// An item that can be checked and that the caller may do that with.
fn item(c: &Connection, caller: &Caller, key: &ItemKey) -> Result<SpaceId, Fault> {
    if !key.item_type.can_be_checked() {
        let known: Vec<&str> =
            ItemType::ALL.iter().filter(|one| one.can_be_checked()).map(|one| one.as_str()).collect();
        return Err(invalid(format!("A {} is not checked.", key.item_type.called()))
            .hint(format!("What can be: {}.", known.join(", ")))
            .into());
    }
    let found = items::by_key(c, key)?.map(|item| item.space_id);
    crate::spaces::open(c, caller, found, || not_found(key.item_type.called(), &key.id))
}

fn key(item_type: ItemType, id: &str) -> ItemKey {
    ItemKey { item_type, id: id.trim().to_owned() }
}

/// Who checked: the one who asks, where nothing is said.
fn checker(caller: &Caller, said: Option<VerificationChecker>) -> Outcome<VerificationChecker> {
    use VerificationChecker::{Agent, Person};
    match (caller.is_agent(), said) {
        (true, Some(Person)) => {
            let error = ApiError::new(ErrorCode::Forbidden, "That a person checked it is theirs to say.");
            Err(error.hint("Say what you checked it with: agent, drift, test or build. The person has umem verify."))
        }
        (is_agent, said) => Ok(said.unwrap_or(if is_agent { Agent } else { Person })),
    }
}

/// When it was checked: no later than now.
fn time(said: Option<EpochMs>, now: EpochMs) -> Outcome<EpochMs> {
    let at = said.unwrap_or(now);
    if !(0..=now).contains(&at) {
        return Err(invalid("checked_at lies in the future, or before 1970.")
            .hint("Give milliseconds since 1970, UTC; leave it out where it was checked just now."));
    }
    Ok(at)
}

/// What was found, in a few words.
fn detail(said: Option<&str>) -> Outcome<Option<String>> {
    let said = said.map(str::trim).filter(|said| !said.is_empty());
    if said.is_some_and(|said| said.len() > MAX_DETAIL) {
        return Err(ApiError::new(ErrorCode::TextTooLong, format!("A detail has at most {MAX_DETAIL} bytes."))
            .hint("Say in short what was found; keep the whole report as a resource or an event."));
    }
    Ok(said.map(str::to_owned))
}

/// Writes a check down. The same one again is answered as it is.
pub(crate) fn verification_add(engine: &Engine, caller: &Caller, request: VerificationAdd) -> Outcome<Verification> {
    let (writer, door_key, now) = (caller.clone(), engine.key().clone(), engine.now());
    let checker = checker(caller, request.checker)?;
    let detail = detail(request.detail.as_deref())?;
    let checked_at = time(request.checked_at, now)?;
    let verification = engine.write(move |tx| {
        let item_key = key(request.item_type, &request.id);
        let space = item(tx, &writer, &item_key)?;
        let new = NewCheck {
            space: &space,
            item: &item_key,
            status: request.status,
            checker,
            detail: detail.as_deref(),
            actor: &writer.actor,
            checked_at,
        };
        let (id, is_new) = verification::insert(tx, &Door::of(&door_key, &space).pass(tx, new)?, now)?;
        if is_new {
            let payload = serde_json::json!({ "type": item_key.item_type, "item": item_key.id, "status": request.status,
                "checker": checker });
            let object = ("verification_records", id.as_str());
            Engine::audit(tx, &writer, "verification.added", object, &space, payload, now)?;
        }
        verification::by_id(tx, &id)?.ok_or_else(|| not_found("check", id.as_str()).into())
    })?;
    engine.tell(Event::Work);
    Ok(crate::access::told(caller, verification))
}

/// Lists checks.
pub(crate) fn verifications_list(
    engine: &Engine,
    caller: &Caller,
    request: VerificationsList,
) -> Outcome<VerificationsListed> {
    if request.item.is_some() && request.space.is_some() {
        return Err(
            invalid("Checks are those of an item, or of a space.").hint("Leave the space out: an item has one.")
        );
    }
    let of = request.item.as_ref().map(|asked| key(asked.item_type, &asked.id));
    let page = (request.offset, request.limit.unwrap_or(50).clamp(1, 200));
    engine.read(|c| {
        let spaces: Vec<SpaceId> = match &of {
            Some(of) => vec![item(c, caller, of)?],
            None => crate::spaces::readable(c, caller, request.space.as_deref())?.into_iter().map(|s| s.id).collect(),
        };
        let wanted = Wanted { spaces: &spaces, item: of.as_ref(), statuses: &request.statuses, latest: request.latest };
        let (verifications, total) = verification::list(c, &wanted, page)?;
        Ok(VerificationsListed { verifications, total })
    })
}
