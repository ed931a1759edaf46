//! `umem confirm`, `umem distill`: how sure a memory is, and what is kept of a raw one.

use crate::capture::{remembered, words};
use crate::failure::{Failure, id};
use crate::print::Output;
use std::process::ExitCode;
use um_model::MemoryId;
use um_model::envelope::{Confirmation, MemoryConfirm, MemoryDistill};
use um_server::client::Connection;

const SEE: &str = "umem recall";

/// `umem confirm`
pub(crate) async fn confirm(
    service: &mut Connection,
    memory: String,
    verified: bool,
    output: Output,
) -> Result<ExitCode, Failure> {
    let label = verified.then_some(Confirmation::Verified);
    let request = MemoryConfirm { id: id(memory, MemoryId::parse, SEE)?, label };
    let confirmed = service.run(request).await?;
    Ok(output.answer(&confirmed, |memory| format!("It is {}: memory {}", memory.confidence_label, memory.id)))
}

/// `umem distill`
pub(crate) async fn distill(
    service: &mut Connection,
    memory: String,
    text: Option<String>,
    output: Output,
) -> Result<ExitCode, Failure> {
    let request = MemoryDistill { id: id(memory, MemoryId::parse, SEE)?, text: text.map(words).transpose()? };
    Ok(output.answer(&service.run(request).await?, remembered))
}
