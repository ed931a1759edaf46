//! `umem lock`.

use super::args;
use super::session_id;
use crate::failure::{Failure, id};
use crate::print::{Output, list};
use std::process::ExitCode;
use um_model::LockId;
use um_model::work::*;
use um_server::client::Connection;
use um_server::text::iso_time as time;

/// `umem lock …`
pub(crate) async fn lock(service: &mut Connection, asked: args::Lock, output: Output) -> Result<ExitCode, Failure> {
    let told = match asked {
        args::Lock::Take { path, at, minutes, note } => {
            let (space, session) = (at.space, session_id(at.session)?);
            let ttl_ms = Some(minutes.saturating_mul(60_000));
            service.run(LockCheckout { space, session, path, ttl_ms, note }).await?
        }
        args::Lock::Release { path, space } => {
            let request = match LockId::parse(path.clone()) {
                Ok(lock) => LockCheckin { lock: Some(lock), ..LockCheckin::default() },
                Err(_) => LockCheckin { lock: None, space, path: Some(path) },
            };
            service.run(request).await?
        }
        args::Lock::List { space, released, page } => {
            let request = LocksList { space, released, offset: page.offset, limit: page.limit };
            return Ok(output.answer(&service.run(request).await?, |listed| match listed.locks.as_slice() {
                [] => "No file is held.".to_owned(),
                all => list(all.iter().map(line)),
            }));
        }
        args::Lock::Force { id: text } => {
            service.run(LockForce { lock: id(text, LockId::parse, "umem lock list")? }).await?
        }
    };
    Ok(output.answer(&told, line))
}

fn line(lock: &Lock) -> String {
    let note = lock.note.as_ref().map(|note| format!(": {note}")).unwrap_or_default();
    let until = match lock.released_at {
        Some(at) if lock.was_forced => format!("taken away {}", time(at)),
        Some(at) => format!("let go {}", time(at)),
        None => format!("until {}", time(lock.expires_at)),
    };
    format!("{}  {} ({}, {until}){note}", lock.id, lock.path, lock.agent)
}
