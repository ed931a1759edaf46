//! `agents` and `access`: who may read and write what.

use crate::args;
use crate::failure::Failure;
use crate::print::{Output, table};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use um_model::access::*;
use um_model::{ApiError, ErrorCode, TokenId};
use um_server::client::Connection;
use um_server::paths::agent_token_path;
use um_server::token::Token;

/// `umem agents ...`
pub(crate) async fn agents(
    service: &mut Connection,
    asked: args::Agents,
    data: &Path,
    output: Output,
) -> Result<ExitCode, Failure> {
    let edit = |agent, is_active, trust_weight| AgentEdit { agent, is_active, trust_weight, ..AgentEdit::default() };
    let request = match asked {
        args::Agents::List => return Ok(output.answer(&service.run(AgentsList {}).await?, listed)),
        args::Agents::Pair { name, spaces, rights, expires, rate } => {
            let request = AgentPair { name, spaces, rights, expires_in_days: expires, requests_per_minute: rate };
            return pair(service, request, data, output).await;
        }
        args::Agents::Refuse { name, for_now } => return refuse(service, &name, for_now, output).await,
        args::Agents::Revoke { agent, token } => {
            let token = token.map(TokenId::parse).transpose().map_err(|error| wrong(&error.to_string()))?;
            let revoked = service.run(AgentRevoke { agent, token }).await?;
            return Ok(output.answer(&revoked, |agent| match agent.tokens.len() {
                0 => format!("{} comes in no more.", agent.name),
                left => format!("Revoked. {} has {left} other tokens.", agent.name),
            }));
        }
        args::Agents::Requests { agent, limit } => {
            let request = RequestsList { agent, limit: Some(limit) };
            return Ok(output.answer(&service.run(request).await?, requests));
        }
        args::Agents::Folders { agent, add, remove } => return folders(service, agent, &add, &remove, output).await,
        args::Agents::Suspend { agent } => edit(agent, Some(false), None),
        args::Agents::Resume { agent } => edit(agent, Some(true), None),
        args::Agents::Trust { agent, weight } => edit(agent, None, Some(weight)),
        args::Agents::Tools { agent, profile } => AgentEdit { agent, profile: Some(profile), ..AgentEdit::default() },
    };
    Ok(output.answer(&service.run(request).await?, |agent| {
        let state = if agent.is_active { "" } else { " (suspended)" };
        format!("{}{state}, trusted {:.2}, shown the tools of {}", agent.name, agent.trust_weight, agent.profile)
    }))
}

/// Opens folders to an agent, closes them, or lists those that are open.
async fn folders(
    service: &mut Connection,
    agent: String,
    add: &[PathBuf],
    remove: &[PathBuf],
    output: Output,
) -> Result<ExitCode, Failure> {
    let same = |one: &AgentInfo| one.id.as_str() == agent || one.name.to_lowercase() == agent.to_lowercase();
    let known = service.run(AgentsList {}).await?.agents.into_iter().find(same);
    if let (Some(known), true, true) = (&known, add.is_empty(), remove.is_empty()) {
        return Ok(output.answer(known, |agent| open_folders(agent, home().as_deref())));
    }
    let mut folders = known.map(|one| one.folders).unwrap_or_default();
    for folder in remove {
        let path = whole(folder);
        let left = folders.iter().position(|one| *one == path || Path::new(one) == folder);
        folders.remove(left.ok_or_else(|| wrong(&format!("{path} is not open to {agent}.")))?);
    }
    folders.extend(add.iter().map(|folder| whole(folder)));
    let request = AgentEdit { agent, folders: Some(folders), ..AgentEdit::default() };
    Ok(output.answer(&service.run(request).await?, |agent| open_folders(agent, home().as_deref())))
}

/// The folders that are open to an agent, with a warning of each that holds all that is in the person's home folder.
fn open_folders(agent: &AgentInfo, home: Option<&Path>) -> String {
    let told = match agent.folders.as_slice() {
        [] => format!("{} may bring in files from folders that its spaces watch only.", agent.name),
        open => format!(
            "Besides folders that its spaces watch, {} may bring in files from:\n{}",
            agent.name,
            open.join("\n")
        ),
    };
    let holds_all = |folder: &&String| {
        let folder = Path::new(folder.as_str());
        folder.parent().is_none() || home.is_some_and(|home| home.starts_with(folder))
    };
    let warnings = agent.folders.iter().filter(holds_all).map(|folder| {
        format!(
            "Warning: with {folder} nearly all of your files are open to it, but for what is hidden. Open what it needs in its place, and \
             close it with `--remove {folder}`."
        )
    });
    std::iter::once(told).chain(warnings).collect::<Vec<_>>().join("\n")
}

/// The person's home folder without links, as folders that are open are kept.
fn home() -> Option<PathBuf> {
    let home = std::env::home_dir().filter(|home| home.is_absolute())?;
    Some(home.canonicalize().unwrap_or(home))
}

/// The path without links, as the service keeps it; as it was given where it is not there.
fn whole(folder: &Path) -> String {
    let whole = folder.canonicalize().or_else(|_| std::path::absolute(folder)).unwrap_or_else(|_| folder.to_owned());
    whole.display().to_string()
}

fn wrong(message: &str) -> Failure {
    Failure::usage(ApiError::new(ErrorCode::InvalidRequest, message))
}

/// Lets an agent in. A token that is told is kept for `umem mcp`, which then needs no other setup.
async fn pair(service: &mut Connection, request: AgentPair, data: &Path, output: Output) -> Result<ExitCode, Failure> {
    let paired = service.run(request).await?;
    if let Some(told) = &paired.token {
        Token::keep_told(told, &agent_token_path(data, &paired.agent.name)).map_err(ApiError::from)?;
    }
    Ok(output.answer(&paired, |paired| {
        let spaces: Vec<_> =
            paired.agent.memberships.iter().map(|part| format!("{} ({})", part.space, part_of(part))).collect();
        let mut lines = vec![format!("{} may come in: {}.", paired.agent.name, spaces.join(", "))];
        match &paired.token {
            Some(token) => lines.push(format!(
                "`umem mcp` uses its token by itself. For a client that speaks to the socket, told this once: {token}"
            )),
            None => lines.push("Its next request is let in.".to_owned()),
        }
        lines.join("\n")
    }))
}

async fn refuse(service: &mut Connection, name: &str, for_now: bool, output: Output) -> Result<ExitCode, Failure> {
    let waiting = service.run(AgentsList {}).await?.waiting;
    let is_meant = |one: &&PairingRequest| one.client_name.to_lowercase() == name.trim().to_lowercase();
    let Some(asked) = waiting.iter().find(is_meant) else {
        let names: Vec<_> = waiting.iter().map(|one| one.client_name.as_str()).collect();
        let hint = if names.is_empty() { "None waits.".to_owned() } else { format!("Waiting: {}.", names.join(", ")) };
        let error = ApiError::new(ErrorCode::NotFound, format!("No request of \"{name}\" waits."));
        return Err(Failure::from(error.hint(hint)));
    };
    let answer = (!for_now).then_some(PairingAnswer::Never);
    let request = PairingDecide { id: asked.id.clone(), answer, spaces: None, rights: None, expires_in_days: None };
    Ok(output.answer(&service.run(request).await?, |asked| match asked.status {
        PairingStatus::Denied => format!("{} is not asked about again.", asked.client_name),
        _ => format!("{} may ask again in an hour.", asked.client_name),
    }))
}

fn rights(rights: &[Right]) -> String {
    rights.iter().map(|right| right.as_str()).collect::<Vec<_>>().join(" and ")
}

/// A role, with what was granted beside it.
fn part_of(part: &Membership) -> String {
    let grants: Vec<_> = part.grants.iter().map(|grant| grant.as_str()).collect();
    let grants = if grants.is_empty() { String::new() } else { format!(", may {}", grants.join(", ")) };
    format!("{}{grants}", part.role)
}

fn listed(all: &AgentsListed) -> String {
    let mut rows = vec![["NAME", "STATE", "TRUST", "SPACES", "TOKENS", "ID"].map(str::to_owned).to_vec()];
    rows.extend(all.agents.iter().map(|agent| {
        let mut spaces: Vec<_> = agent
            .memberships
            .iter()
            .filter(|part| part.status == MembershipStatus::Suspended || agent.reads.contains(&part.space))
            .map(|part| match part.status {
                MembershipStatus::Suspended => format!("{} ({}, suspended)", part.space, part_of(part)),
                _ => format!("{} ({})", part.space, part_of(part)),
            })
            .collect();
        let is_part = |space: &&String| agent.memberships.iter().any(|part| part.space == **space);
        let others = agent.reads.iter().filter(|space| agent.agent_type == AgentType::Ai && !is_part(space));
        spaces.extend(others.map(|space| format!("{space} (reads)")));
        let state = match (agent.agent_type, agent.is_active) {
            (AgentType::Human, _) => "you",
            (_, true) if agent.tokens.is_empty() => "no access",
            (_, true) => "active",
            (_, false) => "suspended",
        };
        let tokens: Vec<_> = agent.tokens.iter().map(|token| rights(&token.rights)).collect();
        vec![
            agent.name.clone(),
            state.to_owned(),
            format!("{:.2}", agent.trust_weight),
            spaces.join(", "),
            tokens.join("; "),
            agent.id.to_string(),
        ]
    }));
    let mut lines = vec![table(&rows)];
    lines.extend(all.waiting.iter().map(|one| {
        let process = one.claimed_process.as_ref().map(|name| format!(", says it is {name}")).unwrap_or_default();
        let process = process + &one.checked.as_ref().map(|of| format!(" ({})", checked(of))).unwrap_or_default();
        let name = &one.client_name;
        let known = match one.parts.iter().map(|part| format!("{} ({})", part.space, part_of(part))).collect::<Vec<_>>() {
            parts if parts.is_empty() => String::new(),
            parts => format!(
                "\n  An agent called {name} has access already: {}. This program would have its parts and open folders, and \
                 nothing of what was granted to it.",
                parts.join(", ")
            ),
        };
        format!(
            "{name}{process} asks to {} in {}: umem agents pair {name:?}, or umem agents refuse {name:?}{known}",
            rights(&one.rights),
            one.spaces.join(", "),
        )
    }));
    lines.join("\n")
}

/// The process that asks, as the system told.
fn checked(of: &CheckedProcess) -> String {
    let program = of.program.as_ref().map(|path| format!(" of {path}")).unwrap_or_default();
    let starter = of.started_by.as_ref().map(|path| format!(", started by {path}")).unwrap_or_default();
    format!("checked: process {}{program}{starter}", of.pid)
}

fn requests(all: &RequestsListed) -> String {
    if all.requests.is_empty() {
        return "No agent asked anything since the service began.".to_owned();
    }
    let mut rows = vec![["AGENT", "ASKED", "FOR", "GOT"].map(str::to_owned).to_vec()];
    rows.extend(all.requests.iter().map(|one| {
        let got = match &one.error {
            Some(error) => error.clone(),
            None => format!("{} things, {} bytes, {} ms", one.items, one.bytes, one.took_ms),
        };
        vec![one.agent.clone(), one.operation.clone(), one.asked.clone(), got]
    }));
    table(&rows)
}

/// `umem access SPACE`
pub(crate) async fn access(
    service: &mut Connection,
    space: String,
    agent: Option<String>,
    output: Output,
) -> Result<ExitCode, Failure> {
    Ok(output.answer(&service.run(AccessGet { space, agent }).await?, told))
}

/// Who may read and write a space, in lines.
pub(crate) fn told(access: &Access) -> String {
    let mut lines =
        vec![format!("{}: read by {}, written by {}", access.space, access.read_policy, access.write_policy)];
    lines.extend(access.members.iter().map(|one| {
        let part = &one.membership;
        let status = if part.status == MembershipStatus::Active { String::new() } else { format!(", {}", part.status) };
        let trust = part.trust_weight.map(|trust| format!(", trusted {trust:.2}")).unwrap_or_default();
        let trusted = format!("{status}{trust}");
        format!("  {} is {}{trusted}", one.name, part_of(part))
    }));
    lines.push("Read with it:".to_owned());
    lines.extend(access.reached.iter().map(|one| {
        let state = match (one.can_read, one.can_write) {
            (true, true) => "read and write",
            (true, false) => "read",
            (false, _) => "closed",
        };
        let via = if one.via.is_empty() { String::new() } else { format!(" through {}", one.via.join(" > ")) };
        format!("  {}{via}: {state}. {}", one.space, one.why)
    }));
    lines.join("\n")
}
