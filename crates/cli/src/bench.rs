//! `umem bench`: how long recalling and storing take on this machine, in a data folder of its own that goes afterwards. No
//! service takes part.

use crate::args::Bench;
use crate::failure::{Failure, system};
use crate::print::{Output, say, table};
use std::process::ExitCode;
use um_bench::Plan;
use um_bench::report::{Report, measure};
use um_model::{ApiError, ErrorCode};

/// Runs it.
pub(crate) fn bench(asked: Bench, output: Output) -> Result<ExitCode, Failure> {
    let plan = Plan { units: asked.units, dimensions: asked.dim, spaces: asked.spaces };
    if plan.units == 0 || plan.spaces == 0 || plan.spaces > plan.units || !(8..=4_096).contains(&plan.dimensions) {
        let error = ApiError::new(ErrorCode::InvalidRequest, "There is nothing to measure so.")
            .hint("Give at least one passage for each space, and vectors of 8 to 4,096 numbers.");
        return Err(Failure::usage(error));
    }
    let folder = tempfile::tempdir().map_err(system)?;
    Ok(output.answer(&measure(folder.path(), plan, say)?, words))
}

fn words(report: &Report) -> String {
    let mut rows = vec![["", "tries", "p50 ms", "p95 ms"].map(str::to_owned).to_vec()];
    rows.extend(report.times.iter().map(|row| {
        vec![row.what.clone(), row.tries.to_string(), format!("{:.2}", row.p50_ms), format!("{:.2}", row.p95_ms)]
    }));
    let steps: Vec<String> = report.steps_ms.iter().map(|(step, ms)| format!("{step} {ms:.2}")).collect();
    let megabytes = |bytes: u64| format!("{:.0} MB", bytes as f64 / 1e6);
    let memory = report.memory_bytes_per_100k.map_or("not told by this system".to_owned(), megabytes);
    format!(
        "{} passages in {} spaces, vectors of {} numbers\n\n{}\n\nOf a recall, medians in ms: {}\nDisk for 100,000 passages: {}\nMemory for 100,000 passages: \
         {memory}\nOf the ten nearest, found by meaning: {:.1} %",
        report.units,
        report.spaces,
        report.dimensions,
        table(&rows).trim_end(),
        steps.join(", "),
        megabytes(report.disk_bytes_per_100k),
        report.recall_at_10 * 100.0
    )
}
