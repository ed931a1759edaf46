//! `umem confirm`, `umem expire`, `umem tier`, `umem distill`: how sure a memory is, how long it is in use, how near at hand, and what is
//! kept of a raw one.

use crate::capture::{remembered, words};
use crate::failure::{Failure, id};
use crate::ids;
use crate::print::Output;
use crate::when;
use std::process::ExitCode;
use um_model::capture::{ArtifactDetail, ArtifactGet, ArtifactSummary};
use um_model::envelope::{Confirmation, MemoryConfirm, MemoryDistill, MemoryExpire, MemoryTier};
use um_model::{ArtifactId, ErrorCode, Tier};
use um_server::client::Connection;
use um_server::text::iso_time;

/// `umem confirm`
pub(crate) async fn confirm(
    service: &mut Connection,
    memory: String,
    verified: bool,
    output: Output,
) -> Result<ExitCode, Failure> {
    let label = verified.then_some(Confirmation::Verified);
    let request = MemoryConfirm { id: ids::memory(service, memory).await?, label };
    let confirmed = service.run(request).await?;
    Ok(output.answer(&confirmed, |memory| format!("It is {}: memory {}", memory.confidence_label, memory.id)))
}

/// `umem expire`
pub(crate) async fn expire(
    service: &mut Connection,
    memory: String,
    time: String,
    output: Output,
) -> Result<ExitCode, Failure> {
    let time = Some(time.as_str()).filter(|time| !time.eq_ignore_ascii_case("never"));
    let request = MemoryExpire { id: ids::memory(service, memory).await?, expires_at: when::until(time)? };
    let kept = service.run(request).await?;
    Ok(output.answer(&kept, |memory| match memory.expires_at {
        Some(at) => format!("It goes out of use {}: memory {}", iso_time(at), memory.id),
        None => format!("It stays in use: memory {}", memory.id),
    }))
}

/// `umem tier`. An id does not tell whether it is a file's or a memory's.
pub(crate) async fn tier(
    service: &mut Connection,
    memory: String,
    tier: Tier,
    output: Output,
) -> Result<ExitCode, Failure> {
    let memory = ids::memory(service, memory).await?;
    let file = id(memory.to_string(), ArtifactId::parse, "umem artifacts")?;
    let set = match service.run(MemoryTier { id: memory, tier }).await {
        Err(error) if error.code == ErrorCode::NotFound => match service.run(ArtifactGet { id: file }).await {
            Ok(ArtifactDetail { summary: ArtifactSummary { memory_id: Some(id), .. }, .. }) => {
                service.run(MemoryTier { id, tier }).await
            }
            _ => Err(error),
        },
        done => done,
    }?;
    Ok(output.answer(&set, |memory| format!("It is {}: memory {}", memory.tier, memory.id)))
}

/// `umem distill`
pub(crate) async fn distill(
    service: &mut Connection,
    memory: String,
    text: Option<String>,
    output: Output,
) -> Result<ExitCode, Failure> {
    let request = MemoryDistill { id: ids::memory(service, memory).await?, text: text.map(words).transpose()? };
    Ok(output.answer(&service.run(request).await?, remembered))
}
