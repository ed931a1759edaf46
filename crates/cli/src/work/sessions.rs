//! `umem session`, `umem state`, `umem event`.

use super::args;
use super::{events, session_id};
use crate::failure::{Failure, id, in_verbs};
use crate::print::{Output, cell, list};
use std::process::ExitCode;
use um_model::work::*;
use um_model::{EventId, SessionId};
use um_server::client::Connection;
use um_server::text::{count, iso_time as time};

const SEE: &str = "umem session list";

/// `umem session …`
pub(crate) async fn session(
    service: &mut Connection,
    asked: args::Session,
    output: Output,
) -> Result<ExitCode, Failure> {
    let set = |session, status, name| SessionSet { session, status, name, purpose: None, metadata: None };
    let of = |text| id(text, SessionId::parse, SEE);
    let request = match asked {
        args::Session::Start {
            space,
            name,
            purpose,
            client_ref,
            resume,
            policy,
            budget,
            workspace,
            metadata,
            brief,
        } => {
            let resume = session_id(resume)?;
            let request = SessionBegin {
                space,
                name,
                purpose,
                client_ref,
                resume,
                metadata: super::metadata(metadata)?.unwrap_or_default(),
                policy,
                budget_tokens: budget,
                workspace: workspace.as_deref().map(crate::capture::absolute).transpose()?,
            };
            let told = service.run(request).await?;
            return Ok(output.answer(&told, |told| match brief {
                true => format!("session {}\n{}", told.session.id, told.briefing.full_text),
                false => begun(told),
            }));
        }
        args::Session::End { id, summary, transcript } => {
            let transcript = transcript.map_or(Ok(Vec::new()), |file| events(&file))?;
            let ended = service.run(SessionEnd { session: of(id)?, summary, transcript }).await?;
            return Ok(output.answer(&ended, has_ended));
        }
        args::Session::Discard { id } => {
            let gone = service.run(SessionDiscard { session: of(id)? }).await?;
            return Ok(output.answer(&gone, line));
        }
        args::Session::List { space, status, page } => {
            let request = SessionsList { space, statuses: status, agent: None, offset: page.offset, limit: page.limit };
            return Ok(output.answer(&service.run(request).await?, listed));
        }
        args::Session::Show { id, events } => {
            let request = SessionGet { session: of(id)?, events: Some(events) };
            return Ok(output.answer(&service.run(request).await?, shown));
        }
        args::Session::Pause { id } => set(of(id)?, Some(SessionStatus::Paused), None),
        args::Session::Resume { id } => set(of(id)?, Some(SessionStatus::Active), None),
        args::Session::Rename { id, name } => set(of(id)?, None, Some(name)),
    };
    Ok(output.answer(&service.run(request).await?, line))
}

fn has_ended(ended: &SessionEnded) -> String {
    let mut lines = vec![line(&ended.session)];
    let (held, not_held) = (ended.held.len() as u64, u64::from(ended.not_held));
    lines.extend((held > 0).then(|| format!("{} wait for you: umem held list", count(held, "thing to remember"))));
    let not_held = (not_held > 0).then(|| count(not_held, "thing to remember"));
    lines.extend(not_held.map(|words| format!("{words} not kept: too much waits for you already")));
    lines.join("\n")
}

fn begun(begun: &SessionBegun) -> String {
    let state = begun.state.as_ref().map(|state| format!("\n{}", in_hand(state))).unwrap_or_default();
    let notices: String = begun.notices.iter().map(|notice| format!("\n{}", in_verbs(notice.clone()))).collect();
    format!("{}{}{notices}{state}", if begun.resumed { "Goes on: " } else { "" }, line(&begun.session))
}

fn line(session: &Session) -> String {
    let called = [&session.name, &session.purpose].into_iter().flatten().next().map(|words| format!(" {words}"));
    let events = count(session.events, "event");
    format!(
        "{}  {}{} ({}, {}, since {}, {events})",
        session.id,
        session.status,
        called.unwrap_or_default(),
        session.space,
        session.agent,
        time(session.started_at)
    )
}

fn listed(listed: &SessionsListed) -> String {
    match listed.sessions.as_slice() {
        [] => "No session yet. Agents begin their own; umem session start begins one of yours.".to_owned(),
        all => list(all.iter().map(line)),
    }
}

fn shown(detail: &SessionDetail) -> String {
    let entries = detail.entries.iter().map(|entry| format!("{}  {} {}", entry.id, entry.entry_type, entry.name));
    let locks = detail.locks.iter().map(|lock| format!("holds {} until {}", lock.path, time(lock.expires_at)));
    let events = detail.events.iter().map(event_line);
    let mut parts = vec![cell(&line(&detail.session))];
    parts.extend(detail.state.as_ref().map(in_hand));
    parts.extend(entries.chain(locks).chain(events).map(|line| cell(&line)));
    parts.join("\n")
}

fn in_hand(state: &State) -> String {
    let mut parts = vec![format!("In hand ({}): {}", state.status, state.current_goal)];
    parts.extend(state.summary.clone());
    if !state.working_set.is_empty() {
        parts.push(format!("Working on: {}", state.working_set.join(", ")));
    }
    parts.join("\n")
}

fn event_line(event: &Event) -> String {
    let first = event.content.lines().next().unwrap_or_default();
    let more = if event.content.lines().nth(1).is_some() { " …" } else { "" };
    format!("{}  {}  {} ({}): {first}{more}", event.id, time(event.occurred_at), event.kind, event.actor)
}

/// `umem state …`
pub(crate) async fn state(service: &mut Connection, asked: args::State, output: Output) -> Result<ExitCode, Failure> {
    match asked {
        args::State::Set { at, goal, summary, status, working_set, metadata } => {
            let request = StateSet {
                space: at.space,
                session: session_id(at.session)?,
                status,
                current_goal: goal,
                summary,
                working_set: (!working_set.is_empty()).then_some(working_set),
                source_event_ids: None,
                metadata: super::metadata(metadata)?,
            };
            Ok(output.answer(&service.run(request).await?, in_hand))
        }
        args::State::Show { at } => {
            let request = StateGet { space: at.space, session: session_id(at.session)? };
            let got = service.run(request).await?;
            Ok(output.answer(&got, |got| got.state.as_ref().map_or("Nothing is in hand.".to_owned(), in_hand)))
        }
    }
}

/// `umem event …`
pub(crate) async fn event(service: &mut Connection, asked: args::Event, output: Output) -> Result<ExitCode, Failure> {
    match asked {
        args::Event::Add { content, kind, file, at } => {
            let events = match (content, file) {
                (_, Some(file)) => events(&file)?,
                (content, None) => {
                    let content = content.unwrap_or_default();
                    vec![NewEvent { kind, content, metadata: Default::default(), occurred_at: None }]
                }
            };
            let request = EventsAppend { space: at.space, session: session_id(at.session)?, events };
            let appended = service.run(request).await?;
            Ok(output.answer(&appended, |appended| {
                appended.events.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
            }))
        }
        args::Event::Promote { id: event, layer, text, title, record_kind, importance } => {
            let event = id(event, EventId::parse, "umem event list")?;
            let text = text.map(crate::capture::words).transpose()?;
            let request = EventPromote { event, layer, text, title, record_kind, importance };
            Ok(output.answer(&service.run(request).await?, crate::capture::remembered))
        }
        args::Event::List { text, at, kind, page } => {
            let request = EventsList {
                space: at.space,
                session: session_id(at.session)?,
                event: None,
                kinds: kind,
                text,
                since: None,
                until: None,
                offset: page.offset,
                limit: page.limit,
            };
            Ok(output.answer(&service.run(request).await?, |listed| match listed.events.as_slice() {
                [] => "No event.".to_owned(),
                all => list(all.iter().map(event_line)),
            }))
        }
    }
}
