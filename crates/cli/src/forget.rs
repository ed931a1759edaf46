//! `umem forget`: what would go, what went, and the proof.

use crate::args;
use crate::capture::absolute;
use crate::failure::{self, Exit, Failure};
use crate::print::{Output, say, table};
use std::io::{BufRead, IsTerminal};
use std::process::ExitCode;
use um_model::forget::{ForgetAllow, ForgetExecute, ForgetPlan, ForgetPreview, ForgetReport, ForgetShow, ForgetWhat};
use um_model::{ArtifactId, ClaimId, MemoryId};
use um_server::client::Connection;
use um_server::text::count;

/// `umem forget`
pub(crate) async fn forget(service: &mut Connection, asked: args::Forget, output: Output) -> Result<ExitCode, Failure> {
    let args::Forget { target, everywhere: _, space, dry_run, yes } = asked;
    if let Some(text) = target.allow {
        return allow(service, ForgetAllow { text: Some(text), path: None }, output).await;
    }
    if let Some(file) = target.allow_file {
        return allow(service, ForgetAllow { text: None, path: Some(absolute(&file)?) }, output).await;
    }
    if target.report {
        let report = service.run(ForgetShow { id: None }).await?;
        return Ok(output.answer(&report, told));
    }
    let id = |text: Option<String>| -> Option<String> { text.map(|text| text.trim().to_owned()) };
    let what = ForgetWhat {
        memory: id(target.memory).map(|id| failure::id(id, MemoryId::parse, "umem recall")).transpose()?,
        artifact: id(target.artifact).map(|id| failure::id(id, ArtifactId::parse, "umem artifacts")).transpose()?,
        claim: id(target.claim).map(|id| failure::id(id, ClaimId::parse, "umem facts list")).transpose()?,
        entity: match id(target.entity) {
            Some(entity) => Some(crate::beliefs::entity_id(service, entity, space.as_deref()).await?),
            None => None,
        },
        owner: target.owner,
        folder: target.folder.map(|folder| absolute(&folder)).transpose()?,
        query: target.query,
        space,
    };
    let plan = service.run(ForgetPreview { what: what.clone() }).await?;
    if dry_run {
        return Ok(output.answer(&plan, shown));
    }
    if !yes {
        say(&shown(&plan));
        if !confirmed()? {
            say("Nothing was forgotten.");
            return Ok(Exit::Refused.into());
        }
    }
    let report = service.run(ForgetExecute { what, token: plan.token }).await?;
    let clean = report.status == "done" && report.proof.left == 0;
    let exit = output.answer(&report, told);
    Ok(if clean { exit } else { Exit::Failed.into() })
}

async fn allow(service: &mut Connection, request: ForgetAllow, output: Output) -> Result<ExitCode, Failure> {
    let allowed = service.run(request).await?;
    Ok(output.answer(&allowed, |allowed| match allowed.allowed {
        0 => "Nothing of it was refused.".to_owned(),
        values => format!("{} may come in again.", count(values, "value")),
    }))
}

/// Asks on the terminal. Where nobody can answer, `--yes` says it beforehand.
fn confirmed() -> Result<bool, Failure> {
    if !std::io::stdin().is_terminal() {
        say("Nobody is there to confirm. Add --yes to forget this, or --dry-run to only look.");
        return Ok(false);
    }
    say("This cannot be undone. Write \"forget\" to forget all of it:");
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(failure::system)?;
    Ok(line.trim() == "forget")
}

fn shown(plan: &ForgetPlan) -> String {
    let counts: Vec<_> = plan.counts.iter().map(|(kind, count)| vec![count.to_string(), kind.clone()]).collect();
    let samples: Vec<_> =
        plan.samples.iter().map(|sample| vec![sample.kind.clone(), sample.title.clone(), sample.id.clone()]).collect();
    let beyond = plan.beyond.join("\n");
    format!("This would go:\n{}\n\nAmong it:\n{}\n\n{beyond}", table(&counts), table(&samples))
}

fn told(report: &ForgetReport) -> String {
    let counts: Vec<_> =
        report.counts.iter().map(|(kind, count)| vec![count.to_string(), kind.replace(['_', '.'], " ")]).collect();
    let proof = &report.proof;
    let searched = format!(
        "Searched for {} in {} ({} bytes): {} left. It took {:.1} s.",
        count(proof.searched, "string"),
        count(proof.files, "file"),
        proof.bytes,
        proof.left,
        proof.took_ms as f64 / 1000.0
    );
    let elsewhere = match proof.said_elsewhere {
        0 => String::new(),
        said => format!("\n{} of them other things say too, which were not to be forgotten.", count(said, "string")),
    };
    let stopped = match report.status.as_str() {
        "done" => "",
        "cancelled" => "\nIt was stopped: what it had not reached is there as before.",
        _ => "\nIt has not come to its end yet; it goes on when the service starts.",
    };
    format!("{}\n{searched}{elsewhere}{stopped}", table(&counts))
}
