//! `umem forget`: what would go, what went, and the proof. `umem purge`: the empty rows that it leaves.

use crate::args;
use crate::capture::absolute;
use crate::failure::{self, Exit, Failure};
use crate::ids;
use crate::print::{Output, say, table};
use std::io::{BufRead, IsTerminal};
use std::process::ExitCode;
use um_model::forget::{
    ForgetAllow, ForgetExecute, ForgetExport, ForgetPlan, ForgetPreview, ForgetProof, ForgetReport, ForgetShow,
    ForgetWhat, MemoryArchive, RowsPurge, RowsPurged, Searching, called,
};
use um_model::health::SettingsSet;
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
    if let Some(file) = target.save_report {
        let saved = service.run(ForgetExport { id: None, path: absolute(&file)? }).await?;
        return Ok(output.answer(&saved, |saved| format!("Written to {}.", saved.path)));
    }
    let what = what(service, target, space).await?;
    let plan = service.run(ForgetPreview { what: what.clone() }).await?;
    if dry_run {
        return Ok(output.answer(&plan, shown));
    }
    if !yes {
        say(&shown(&plan));
        if !confirmed("forget")? {
            say("Nothing was forgotten.");
            return Ok(Exit::Refused.into());
        }
    }
    let report = service.run(ForgetExecute { what, token: plan.token }).await?;
    let clean = report.status == "done" && is_clean(&report.proof);
    let exit = output.answer(&report, told);
    Ok(if clean { exit } else { Exit::Failed.into() })
}

/// What is named: things by their ids, or the beginnings or ends of these.
async fn what(
    service: &mut Connection,
    target: args::ForgetTarget,
    space: Option<String>,
) -> Result<ForgetWhat, Failure> {
    let id = |text: Option<String>| -> Option<String> { text.map(|text| text.trim().to_owned()) };
    let mut what = ForgetWhat {
        owner: target.owner,
        folder: target.folder.map(|folder| absolute(&folder)).transpose()?,
        query: target.query,
        ..ForgetWhat::default()
    };
    if let Some(memory) = id(target.memory) {
        what.memory = Some(ids::memory(service, memory).await?);
    }
    if let Some(file) = id(target.artifact) {
        what.artifact = Some(ids::artifact(service, file).await?);
    }
    if let Some(claim) = id(target.claim) {
        what.claim = Some(crate::beliefs::claim_id(service, claim).await?);
    }
    if let Some(entity) = id(target.entity) {
        what.entity = Some(crate::beliefs::entity_id(service, entity, space.as_deref()).await?);
    }
    Ok(ForgetWhat { space, ..what })
}

/// What is told besides, where a text or name is let in again.
const AS_SPELLED: &str =
    " What was forgotten in another spelling, as with marks on its letters, is let in by that one.";

async fn allow(service: &mut Connection, request: ForgetAllow, output: Output) -> Result<ExitCode, Failure> {
    let as_spelled = if request.text.is_some() { AS_SPELLED } else { "" };
    let allowed = service.run(request).await?;
    Ok(output.answer(&allowed, |allowed| match allowed.allowed {
        0 => format!("Nothing of it was refused.{as_spelled}"),
        values => format!("{} may come in again.{as_spelled}", count(values, "value")),
    }))
}

/// `umem archive`
pub(crate) async fn archive(
    service: &mut Connection,
    id: String,
    reason: String,
    output: Output,
) -> Result<ExitCode, Failure> {
    let id = ids::memory(service, id).await?;
    let done = service.run(MemoryArchive { id, reason }).await?;
    Ok(output.answer(&done, |_| "Archived: what it said is gone, and that it was there is kept.".to_owned()))
}

/// `umem purge`
pub(crate) async fn purge(service: &mut Connection, asked: args::Purge, output: Output) -> Result<ExitCode, Failure> {
    if let Some(mode) = asked.compliance_mode {
        let compliance_mode = Some(mode == "on");
        let settings = service.run(SettingsSet { compliance_mode, ..SettingsSet::default() }).await?;
        return Ok(output.answer(&settings, |settings| match settings.compliance_mode {
            true => {
                "Compliance mode is on: `umem purge` removes empty rows for good. Turn it off afterwards.".to_owned()
            }
            false => "Compliance mode is off: no row is removed.".to_owned(),
        }));
    }
    if asked.dry_run || !asked.yes {
        let plan = service.run(RowsPurge { dry_run: true }).await?;
        if asked.dry_run {
            return Ok(output.answer(&plan, |plan| rows("These would go", plan)));
        }
        say(&rows("These would go", &plan));
        if !confirmed("purge")? {
            say("Nothing was removed.");
            return Ok(Exit::Refused.into());
        }
    }
    let purged = service.run(RowsPurge { dry_run: false }).await?;
    Ok(output.answer(&purged, |purged| rows("These are gone", purged)))
}

fn rows(what: &str, purged: &RowsPurged) -> String {
    let counts: Vec<_> = purged.counts.iter().map(|(kind, count)| vec![count.to_string(), called(kind)]).collect();
    let stays = match purged.stays {
        0 => String::new(),
        stays => format!("\n{} must stay: something that is there refers to them.", count(stays, "empty row")),
    };
    match counts.is_empty() {
        true => format!("There is no empty row to remove.{stays}"),
        false => format!("{what}:\n{}{stays}", table(&counts)),
    }
}

/// Asks on the terminal for that word. Where nobody can answer, `--yes` says it beforehand.
pub(crate) fn confirmed(word: &str) -> Result<bool, Failure> {
    if !std::io::stdin().is_terminal() {
        say(&format!("Nobody is there to confirm. Add --yes to {word} this."));
        return Ok(false);
    }
    say(&format!("This cannot be undone. Write \"{word}\" to {word} all of it:"));
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(failure::system)?;
    Ok(line.trim() == word)
}

fn shown(plan: &ForgetPlan) -> String {
    let counts: Vec<_> = plan.counts.iter().map(|(kind, count)| vec![count.to_string(), kind.clone()]).collect();
    let samples: Vec<_> =
        plan.samples.iter().map(|sample| vec![sample.kind.clone(), sample.title.clone(), sample.id.clone()]).collect();
    let told: Vec<&str> = plan.also.iter().chain(&plan.beyond).map(String::as_str).collect();
    format!("This would go:\n{}\n\nAmong it:\n{}\n\n{}", table(&counts), table(&samples), told.join("\n"))
}

fn told(report: &ForgetReport) -> String {
    let counts: Vec<_> = report.counts.iter().map(|(kind, count)| vec![count.to_string(), called(kind)]).collect();
    let searched = searched(&report.proof);
    let stays: Vec<_> = report.stays.iter().map(|(kind, count)| format!("{count} {}", called(kind))).collect();
    let stays = if stays.is_empty() { String::new() } else { format!("\nStill there: {}.", stays.join(", ")) };
    let failed = report.failed.as_ref().map(|error| format!("\n{error}")).unwrap_or_default();
    let stopped = match report.status.as_str() {
        "done" => "",
        "cancelled" => "\nIt was stopped: what it had not reached is there as before, and may come in.",
        "erased" if !report.stays.is_empty() => {
            "\nIt was stopped: what it had not reached is there as before. The rest is done within seconds once nobody reads the \
                     database any more: umem forget --report tells."
        }
        "erased" => {
            "\nWhat was named is gone. The rest is done within seconds once nobody reads the database any more: \
                     umem forget --report tells."
        }
        _ => "\nIt has not come to its end yet; it goes on when the service starts.",
    };
    format!("{}\n{searched}{stopped}{stays}{failed}", table(&counts))
}

/// Whether all was looked for, and nothing is left.
pub(crate) fn is_clean(proof: &ForgetProof) -> bool {
    proof.searching == Searching::Done && proof.left == 0
}

/// What was looked for afterwards, and what was found.
pub(crate) fn searched(proof: &ForgetProof) -> String {
    let elsewhere = match proof.said_elsewhere {
        0 => String::new(),
        said => format!("\n{} of them other things say too, which were not to be forgotten.", count(said, "string")),
    };
    let left: String = proof.where_left().iter().map(|line| format!("\n{line}")).collect();
    match proof.searching {
        Searching::Done => format!(
            "Searched for {} in {} ({} bytes): {} left. It took {:.1} s.{elsewhere}{left}",
            count(proof.searched, "string"),
            count(proof.files, "file"),
            proof.bytes,
            proof.left,
            proof.took_ms as f64 / 1000.0
        ),
        Searching::Waits => "Not searched for yet: something reads the database for long.".to_owned(),
        Searching::Never => {
            "Not searched for: the service ended meanwhile, and nobody knows any more what to look for.".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn report(changes: serde_json::Value) -> ForgetReport {
        let mut report = json!({"id": "f", "status": "done", "counts": {}, "proof": {}, "begun_at": 0, "ended_at": 1});
        report.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        serde_json::from_value(report).unwrap()
    }

    #[test]
    fn what_is_left_is_told_with_its_place_and_what_to_do() {
        let left = json!([{"string": 7, "times": 2, "files": ["memory.db"]}]);
        let told = super::told(&report(json!({"proof": {"searched": 9, "left": 2, "left_in": left}})));
        for part in [": 2 left.", "\nString number 7 stands 2 times in memory.db.", "umem doctor --rebuild"] {
            assert!(told.contains(part), "{part}: {told}");
        }
        let clean = super::told(&report(json!({"proof": {"searched": 9}})));
        assert!(clean.contains(": 0 left.") && !clean.contains("String number"), "{clean}");
    }

    #[test]
    fn what_goes_beside_what_was_asked_for_is_told() {
        let plan = json!({"token": "t", "counts": {"memories": 1}, "samples": [], "also": ["So spelled."], "beyond": ["Not that."]});
        assert!(shown(&serde_json::from_value(plan).unwrap()).ends_with("\n\nSo spelled.\nNot that."));
    }

    #[test]
    fn what_would_go_and_what_went_have_the_same_words() {
        let counts = json!({"memory_embeddings": 2, "text_units": 3, "answer_traces.passed": 1});
        let told = super::told(&report(json!({"counts": counts, "stays": {"watch_folders": 1}})));
        for words in ["vectors", "passages", "answers that passed it over", "Still there: 1 watched folders."] {
            assert!(told.contains(words), "{words}: {told}");
        }
        let purged = RowsPurged { counts: [("derived_text_views".to_owned(), 2)].into(), stays: 0 };
        assert!(rows("These are gone", &purged).contains("texts of files"));
    }
}
