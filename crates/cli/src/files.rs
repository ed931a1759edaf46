//! `artifacts`, `remove`, `restore`, `reread`, `unlock`: files that are here.

use crate::args;
use crate::failure::{self, Failure, system};
use crate::ids;
use crate::print::{Output, bytes, table};
use std::io::{BufRead, IsTerminal};
use std::process::ExitCode;
use um_model::capture::{
    ArtifactRemove, ArtifactReread, ArtifactRestore, ArtifactUnlock, ArtifactsList, ArtifactsListed, MemoryRemove,
    MemoryRestore,
};
use um_model::claims::IdsOf;
use um_model::jobs::Job;
use um_model::{ApiError, ArtifactId, ErrorCode, MemoryId};
use um_server::client::Connection;

/// `umem artifacts`
pub(crate) async fn artifacts(
    service: &mut Connection,
    asked: args::Artifacts,
    output: Output,
) -> Result<ExitCode, Failure> {
    let args::Artifacts { space, limit, offset, removed } = asked;
    let listed =
        service.run(ArtifactsList { space, limit, offset, deleted: removed, ..ArtifactsList::default() }).await?;
    Ok(output.answer(&listed, files))
}

fn files(listed: &ArtifactsListed) -> String {
    let head = ["NAME", "TYPE", "SIZE", "READING", "ID"].map(str::to_owned).to_vec();
    let rows = listed.artifacts.iter().map(|summary| {
        let file = &summary.artifact;
        let reading = summary.reading.as_ref().map(|job| job.status.to_string());
        let state = summary.note.clone().or(reading).unwrap_or_default();
        vec![file.filename.clone(), file.modality.to_string(), bytes(file.byte_size), state, file.id.to_string()]
    });
    let table = table(&std::iter::once(head).chain(rows).collect::<Vec<_>>());
    format!("{table}\n{} of {}", listed.artifacts.len(), listed.total)
}

/// A file or memory by its id, or the beginning or end of it: which of both it is, an id does not tell.
async fn either(service: &mut Connection, text: String) -> Result<ArtifactId, Failure> {
    ids::named(service, text, IdsOf::Memories, ArtifactId::parse, "umem artifacts").await
}

fn memory(id: &ArtifactId) -> Result<MemoryId, Failure> {
    failure::id(id.to_string(), MemoryId::parse, "umem recall")
}

/// `umem remove`
pub(crate) async fn remove(service: &mut Connection, id: String, output: Output) -> Result<ExitCode, Failure> {
    let id = either(service, id).await?;
    let done = match service.run(MemoryRemove { id: memory(&id)? }).await {
        Err(error) if error.code == ErrorCode::NotFound => service.run(ArtifactRemove { id: id.clone() }).await,
        done => done,
    }?;
    Ok(output.answer(&done, |_| format!("Removed: it is kept, and no longer found. Undo: umem restore {id}")))
}

/// `umem restore`
pub(crate) async fn restore(service: &mut Connection, id: String, output: Output) -> Result<ExitCode, Failure> {
    let id = either(service, id).await?;
    let done = match service.run(MemoryRestore { id: memory(&id)? }).await {
        Err(error) if error.code == ErrorCode::NotFound => service.run(ArtifactRestore { id }).await,
        done => done,
    }?;
    Ok(output.answer(&done, |_| "Restored: it is found again.".to_owned()))
}

/// `umem reread`
pub(crate) async fn reread(service: &mut Connection, id: String, output: Output) -> Result<ExitCode, Failure> {
    let id = ids::artifact(service, id).await?;
    let job = service.run(ArtifactReread { id }).await?;
    Ok(output.answer(&job, queued))
}

/// `umem unlock`. The password never stands on the command line, where every program of the machine could read it.
pub(crate) async fn unlock(service: &mut Connection, id: String, output: Output) -> Result<ExitCode, Failure> {
    let id = ids::artifact(service, id).await?;
    let password = password().map_err(system)?;
    if password.is_empty() {
        let error = ApiError::new(ErrorCode::InvalidRequest, "No password was given.");
        return Err(Failure::usage(error.hint("Type it at the prompt, or give it on standard input.")));
    }
    let job = service.run(ArtifactUnlock { id, password }).await?;
    Ok(output.answer(&job, queued))
}

/// What a person types, unseen; or the first line of standard input.
fn password() -> std::io::Result<String> {
    if std::io::stdin().is_terminal() {
        return rpassword::prompt_password("Password: ");
    }
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

fn queued(job: &Job) -> String {
    format!("{} is read again, job {}. How far it is: umem jobs", job.title, job.id)
}
