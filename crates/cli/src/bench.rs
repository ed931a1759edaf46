//! `umem bench`: how long recalling and storing take on this machine, in a data folder of its own that goes afterwards. No
//! service takes part.

use crate::args::Bench;
use crate::failure::{Failure, system};
use crate::print::{Output, bytes, say, table};
use std::process::ExitCode;
use um_bench::report::{Report, measure};
use um_bench::{Load, Plan};
use um_model::{ApiError, ErrorCode};
use um_server::text::count;

/// Runs it.
pub(crate) fn bench(asked: Bench, output: Output) -> Result<ExitCode, Failure> {
    let plan = Plan { units: asked.units, dimensions: asked.dim, spaces: asked.spaces };
    let is_empty = plan.units == 0 || plan.spaces == 0 || plan.spaces > plan.units || asked.seconds == 0;
    if is_empty || !(8..=4_096).contains(&plan.dimensions) {
        let error = ApiError::new(ErrorCode::InvalidRequest, "There is nothing to measure so.")
            .hint("Give at least one passage for each space, vectors of 8 to 4,096 numbers, and at least one second.");
        return Err(Failure::usage(error));
    }
    let folder = tempfile::tempdir().map_err(system)?;
    Ok(output.answer(&measure(folder.path(), plan, asked.seconds, say)?, words))
}

fn words(report: &Report) -> String {
    let mut rows = vec![["", "tries", "p50 ms", "p95 ms"].map(str::to_owned).to_vec()];
    rows.extend(report.times.iter().map(|row| {
        vec![row.what.clone(), row.tries.to_string(), format!("{:.2}", row.p50_ms), format!("{:.2}", row.p95_ms)]
    }));
    let steps: Vec<String> = report.steps_ms.iter().map(|(step, ms)| format!("{step} {ms:.2}")).collect();
    let passages = count(report.units as u64, "passage");
    let for_100k = |scaled: Option<u64>, measured: Option<u64>| match (scaled, measured) {
        (Some(scaled), _) => bytes(scaled),
        (None, Some(measured)) => format!("too little was measured to tell ({} for {passages})", bytes(measured)),
        (None, None) => "not told by this system".to_owned(),
    };
    format!(
        "{passages} in {}, vectors of {} numbers\n\n{}\n\n{}\nOf a recall, medians in ms: {}\n\
         Disk for 100,000 passages: {}\nMemory for 100,000 passages: {}\nOf the ten nearest, found by meaning: {:.1} %",
        count(report.spaces as u64, "space"),
        report.dimensions,
        table(&rows).trim_end(),
        load(&report.load),
        steps.join(", "),
        for_100k(report.disk_bytes_per_100k, Some(report.disk_bytes)),
        for_100k(report.memory_bytes_per_100k, report.memory_bytes),
        report.recall_at_10 * 100.0
    )
}

fn load(load: &Load) -> String {
    let lost = match load.lost {
        0 => String::new(),
        1 => " 1 was not found within 10 s.".to_owned(),
        lost => format!(" {lost} were not found within 10 s."),
    };
    let slowest = load.slowest_find_ms.map(|ms| format!("; the slowest was found after {ms:.1} ms"));
    format!(
        "While {:.0} a second were stored for {} and {} asked, the p95 of a recall was {:.2} times that without\n\
         Of {} stored then and asked for at once, the first answer had {}{}.{lost}",
        load.stored_per_second,
        count(load.seconds, "second"),
        load.readers,
        load.recall_p95_ratio,
        count(load.markers as u64, "text"),
        load.found_at_once,
        slowest.unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn under(lost: usize, slowest_find_ms: Option<f64>) -> Load {
        Load {
            seconds: 60,
            readers: 4,
            stored_per_second: 199.8,
            recall_p95_ratio: 1.256,
            markers: 240,
            found_at_once: 239 - lost,
            lost,
            slowest_find_ms,
        }
    }

    #[test]
    fn a_load_is_told_beside_the_quiet_and_by_what_was_found_last() {
        let told = load(&under(0, Some(12.34)));
        for says in [
            "While 200 a second were stored for 60 seconds and 4 asked, the p95 of a recall was 1.26 times that without\n",
            "Of 240 texts stored then and asked for at once, the first answer had 239; the slowest was found after 12.3 ms.",
        ] {
            assert!(told.contains(says), "{told}");
        }
        assert!(told.ends_with("12.3 ms."), "{told}");
        assert!(load(&under(1, Some(12.34))).ends_with(" 1 was not found within 10 s."));
        assert!(load(&under(2, None)).ends_with("the first answer had 237. 2 were not found within 10 s."));
    }

    #[test]
    fn what_is_too_little_to_be_scaled_up_is_told_as_it_was_measured() {
        let report = |units: usize, scaled: Option<u64>, memory: Option<u64>| Report {
            units,
            dimensions: 8,
            spaces: 1,
            times: Vec::new(),
            load: under(0, Some(12.34)),
            steps_ms: BTreeMap::new(),
            recall_at_10: 1.0,
            disk_bytes: 2_000_000,
            disk_bytes_per_100k: scaled,
            memory_bytes: memory,
            memory_bytes_per_100k: scaled,
        };
        let few = words(&report(50, None, Some(3_000_000)));
        for says in [
            "50 passages in 1 space,",
            "Disk for 100,000 passages: too little was measured to tell (2.0 MB for 50 passages)\n",
            "Memory for 100,000 passages: too little was measured to tell (3.0 MB for 50 passages)\n",
        ] {
            assert!(few.contains(says), "{few}");
        }
        let untold = words(&report(50, None, None));
        assert!(untold.contains("Memory for 100,000 passages: not told by this system\n"), "{untold}");
        let many = words(&report(20_000, Some(500_000_000), Some(9_000_000)));
        assert!(many.contains("Disk for 100,000 passages: 500.0 MB\n"), "{many}");
    }
}
