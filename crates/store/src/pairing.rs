//! `agent_tokens` and `pairing_requests`: how agents come in. Secrets are here as SHA-256 only.

use crate::rejected::{Checked, Said, Says};
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use sha2::{Digest, Sha256};
use um_model::access::{AgentToken, PairingAnswer, PairingRequest, PairingStatus, Right, is_hidden};
use um_model::{AgentId, EpochMs, PairingId, SpaceId, TokenId};
use unicode_normalization::UnicodeNormalization;

/// Requests a minute of a token for which nobody said another number.
pub const REQUESTS_PER_MINUTE: u32 = 600;

/// The hash that a secret is known by. Secrets are 32 random bytes, so no salt is needed.
pub fn hash(secret: &str) -> String {
    format!("{:x}", Sha256::digest(secret))
}

/// A name in the form in which two are the same: without case, and without what is not seen.
pub fn folded(name: &str) -> String {
    let seen: String = name.nfkc().filter(|c| !is_hidden(*c)).collect();
    crate::forget::folded(&seen).nfkc().collect()
}

const TOKEN: &str = "SELECT id, agent_id, space_ids, rights, requests_per_minute, created_at, expires_at, revoked_at,
    last_used_at FROM agent_tokens";

fn token(row: &Row<'_>) -> StoreResult<(AgentId, AgentToken)> {
    let token = AgentToken {
        id: TokenId::parse(row.get::<_, String>(0)?)?,
        space_ids: serde_json::from_str(&row.get::<_, String>(2)?)?,
        rights: serde_json::from_str(&row.get::<_, String>(3)?)?,
        requests_per_minute: row.get::<_, Option<u32>>(4)?.unwrap_or(REQUESTS_PER_MINUTE),
        created_at: row.get(5)?,
        expires_at: row.get(6)?,
        revoked_at: row.get(7)?,
        last_used_at: row.get(8)?,
    };
    Ok((AgentId::parse(row.get::<_, String>(1)?)?, token))
}

/// The token of that hash with its agent, also where it has ended.
///
/// # Errors
/// SQLite's.
pub fn token_of_hash(connection: &Connection, hash: &str) -> StoreResult<Option<(AgentId, AgentToken)>> {
    connection
        .prepare_cached(&format!("{TOKEN} WHERE token_hash = ?1"))?
        .query_row([hash], |row| Ok(token(row)))
        .optional()?
        .transpose()
}

/// An agent's tokens that open something at that time, the newest first.
///
/// # Errors
/// SQLite's.
pub fn tokens_of(connection: &Connection, agent: &AgentId, now: EpochMs) -> StoreResult<Vec<AgentToken>> {
    connection
        .prepare_cached(&format!(
            "{TOKEN} WHERE agent_id = ?1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2)
             ORDER BY rid DESC"
        ))?
        .query_and_then(params![agent.as_str(), now], |row| Ok(token(row)?.1))?
        .collect()
}

/// What a new token opens.
#[derive(Debug, Clone)]
pub struct NewToken<'a> {
    /// Whose it is.
    pub agent: &'a AgentId,
    /// The hash of the secret.
    pub hash: &'a str,
    /// The spaces that it opens.
    pub spaces: &'a [SpaceId],
    /// What for.
    pub rights: &'a [Right],
    /// Requests a minute, on average; [`REQUESTS_PER_MINUTE`] where nothing is said.
    pub requests_per_minute: Option<u32>,
    /// When it ends by itself.
    pub expires_at: Option<EpochMs>,
}

/// Keeps a token.
///
/// # Errors
/// SQLite's.
pub fn insert_token(connection: &Connection, new: &NewToken<'_>, now: EpochMs) -> StoreResult<TokenId> {
    let id = new_id(now);
    connection
        .prepare_cached(
            "INSERT INTO agent_tokens (id, agent_id, token_hash, space_ids, rights, requests_per_minute, created_at,
               expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            id,
            new.agent.as_str(),
            new.hash,
            serde_json::to_string(new.spaces)?,
            serde_json::to_string(new.rights)?,
            new.requests_per_minute,
            now,
            new.expires_at
        ])?;
    Ok(TokenId::parse(id)?)
}

/// Revokes an agent's token, or all of them. Returns how many ended by that.
///
/// # Errors
/// SQLite's.
pub fn revoke(connection: &Connection, agent: &AgentId, one: Option<&TokenId>, now: EpochMs) -> StoreResult<usize> {
    Ok(connection
        .prepare_cached(
            "UPDATE agent_tokens SET revoked_at = ?3
             WHERE agent_id = ?1 AND (?2 IS NULL OR id = ?2) AND revoked_at IS NULL",
        )?
        .execute(params![agent.as_str(), one.map(TokenId::as_str), now])?)
}

/// Whether a token was taken back.
///
/// # Errors
/// SQLite's.
pub fn is_revoked(connection: &Connection, id: &TokenId) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached("SELECT 1 FROM agent_tokens WHERE id = ?1 AND revoked_at IS NOT NULL")?
        .exists([id.as_str()])?)
}

/// Notes that a token was used.
///
/// # Errors
/// SQLite's.
pub fn used(connection: &Connection, id: &TokenId, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE agent_tokens SET last_used_at = ?2 WHERE id = ?1")?
        .execute(params![id.as_str(), now])?;
    Ok(())
}

/// When a token of an agent was used last.
///
/// # Errors
/// SQLite's.
pub fn last_seen(connection: &Connection, agent: &AgentId) -> StoreResult<Option<EpochMs>> {
    Ok(connection
        .prepare_cached("SELECT max(last_used_at) FROM agent_tokens WHERE agent_id = ?1")?
        .query_one([agent.as_str()], |row| row.get(0))?)
}

const REQUEST: &str =
    "SELECT r.id, r.client_name, r.claimed_process, r.peer_uid, r.requested_spaces, r.requested_rights,
    r.status, r.decision, r.created_at,
    EXISTS (SELECT 1 FROM agents a WHERE a.agent_type = 'ai' AND folded_name(a.name) = folded_name(r.client_name)
      AND EXISTS (SELECT 1 FROM agent_tokens t WHERE t.agent_id = a.id)), r.token_hash
    FROM pairing_requests r";

fn request(row: &Row<'_>) -> StoreResult<(PairingRequest, String)> {
    let request = PairingRequest {
        id: PairingId::parse(row.get::<_, String>(0)?)?,
        client_name: row.get(1)?,
        claimed_process: row.get(2)?,
        peer_uid: row.get(3)?,
        checked: None,
        spaces: serde_json::from_str(&row.get::<_, String>(4)?)?,
        rights: serde_json::from_str(&row.get::<_, String>(5)?)?,
        status: row.get::<_, String>(6)?.parse()?,
        answer: row.get::<_, Option<String>>(7)?.map(|word| word.parse()).transpose()?,
        created_at: row.get(8)?,
        is_known: row.get(9)?,
        parts: Vec::new(),
        folders: Vec::new(),
    };
    Ok((request, row.get(10)?))
}

/// A request with the hash of its secret.
///
/// # Errors
/// SQLite's.
pub fn request_by_id(connection: &Connection, id: &PairingId) -> StoreResult<Option<(PairingRequest, String)>> {
    connection
        .prepare_cached(&format!("{REQUEST} WHERE r.id = ?1"))?
        .query_row([id.as_str()], |row| Ok(request(row)))
        .optional()?
        .transpose()
}

/// The requests that nobody answered, and that came after `since`, the oldest first.
///
/// # Errors
/// SQLite's.
pub fn waiting(connection: &Connection, since: EpochMs) -> StoreResult<Vec<PairingRequest>> {
    connection
        .prepare_cached(&format!(
            "{REQUEST} WHERE r.status = 'pending' AND r.created_at > ?1 ORDER BY r.created_at, r.rid"
        ))?
        .query_and_then([since], |row| Ok(request(row)?.0))?
        .collect()
}

/// How earlier requests of a name were answered: whether it was refused for ever, and not let in by hand since; and
/// when one was last put off.
///
/// # Errors
/// SQLite's.
pub fn answers_to(connection: &Connection, client_name: &str) -> StoreResult<(bool, Option<EpochMs>)> {
    Ok(connection
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM pairing_requests WHERE folded_name(client_name) = ?1 AND status = 'denied'
                 AND decided_at >= ifnull((SELECT max(t.created_at) FROM agents a JOIN agent_tokens t ON t.agent_id = a.id
                   WHERE a.agent_type = 'ai' AND folded_name(a.name) = ?1), 0)),
               (SELECT max(decided_at) FROM pairing_requests WHERE folded_name(client_name) = ?1 AND status = 'expired')",
        )?
        .query_one([folded(client_name)], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// What an agent says of itself when it asks to be let in.
#[derive(Debug, Clone)]
pub struct NewRequest<'a> {
    /// What it calls itself.
    pub client_name: &'a str,
    /// The program that it says it is.
    pub claimed_process: Option<&'a str>,
    /// The user that runs it.
    pub peer_uid: Option<u32>,
    /// The hash of its secret.
    pub token_hash: &'a str,
    /// The spaces that it asks for.
    pub spaces: &'a [String],
    /// What it asks to do.
    pub rights: &'a [Right],
}

impl Says for NewRequest<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Name(self.client_name));
        self.claimed_process.iter().for_each(|process| tell(Said::Path(process)));
        self.spaces.iter().for_each(|space| tell(Said::Name(space)));
    }
}

/// Whether a request of that secret waits, that came after `since`.
///
/// # Errors
/// SQLite's.
pub fn is_waiting(connection: &Connection, hash: &str, since: EpochMs) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM pairing_requests WHERE status = 'pending' AND token_hash = ?1 AND created_at > ?2",
        )?
        .exists(params![hash, since])?)
}

/// Keeps a request, unless one of the same secret waits already; all that came before `since` end unanswered. Gives its id.
///
/// # Errors
/// SQLite's.
pub fn insert_request(
    connection: &Connection,
    new: &Checked<NewRequest<'_>>,
    since: EpochMs,
    now: EpochMs,
) -> StoreResult<Option<PairingId>> {
    let id = new_id(now);
    connection
        .prepare_cached("UPDATE pairing_requests SET status = 'expired' WHERE status = 'pending' AND created_at <= ?1")?
        .execute([since])?;
    let made = connection
        .prepare_cached(
            "INSERT INTO pairing_requests (id, client_name, claimed_process, peer_uid, token_hash, requested_spaces,
               requested_rights, created_at) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
             WHERE NOT EXISTS (SELECT 1 FROM pairing_requests WHERE status = 'pending' AND token_hash = ?5)",
        )?
        .execute(params![
            id,
            new.client_name,
            new.claimed_process,
            new.peer_uid,
            new.token_hash,
            serde_json::to_string(new.spaces)?,
            serde_json::to_string(new.rights)?,
            now
        ])?;
    Ok((made > 0).then(|| PairingId::parse(id)).transpose()?)
}

/// Ends a request that waits, without an answer.
///
/// # Errors
/// SQLite's.
pub fn displace(connection: &Connection, id: &PairingId) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE pairing_requests SET status = 'expired' WHERE id = ?1 AND status = 'pending'")?
        .execute([id.as_str()])?;
    Ok(())
}

/// How a request is answered.
#[derive(Debug, Clone)]
pub struct Decision<'a> {
    /// Where it stands now.
    pub status: PairingStatus,
    /// The answer; nothing for "not now".
    pub answer: Option<PairingAnswer>,
    /// Who answered.
    pub by: &'a AgentId,
    /// The agent that was let in.
    pub agent: Option<&'a AgentId>,
    /// Its token.
    pub token: Option<&'a TokenId>,
}

/// Answers a request.
///
/// # Errors
/// SQLite's; a trigger refuses a second answer.
pub fn decide(connection: &Connection, id: &PairingId, as_said: &Decision<'_>, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE pairing_requests SET status = ?2, decision = ?3, decided_by = ?4, decided_at = ?5, agent_id = ?6,
               token_id = ?7 WHERE id = ?1",
        )?
        .execute(params![
            id.as_str(),
            as_said.status.as_str(),
            as_said.answer.map(PairingAnswer::as_str),
            as_said.by.as_str(),
            now,
            as_said.agent.map(AgentId::as_str),
            as_said.token.map(TokenId::as_str)
        ])?;
    Ok(())
}
