//! How long a single recall and a single store take, by divan: `cargo bench -p um-bench --bench calls`. Each call is another question or
//! text. Percentiles, loads and the goals of the design are told by `umem bench` and the bench `scale` (ADR 27).

use divan::Bencher;
use std::sync::atomic::{AtomicUsize, Ordering};
use um_bench::Plan;
use um_bench::report::Made;
use um_engine::Caller;

/// Among so many passages.
const UNITS: [usize; 2] = [1_000, 10_000];
const DIMENSIONS: usize = 384;

fn main() {
    um_providers::run_if_child();
    divan::main();
}

/// A folder with so many passages, which is deleted when it is dropped, and what works with it.
fn made(units: usize) -> (tempfile::TempDir, Made) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let made = Made::fill(folder.path(), Plan { units, dimensions: DIMENSIONS, spaces: 1 });
    (folder, made.expect("a new folder can be filled"))
}

#[divan::bench(args = UNITS, sample_count = 200, sample_size = 1)]
fn recall(bencher: Bencher<'_, '_>, units: usize) {
    let ((_folder, made), next) = (made(units), AtomicUsize::new(0));
    bencher
        .with_inputs(|| made.question(next.fetch_add(1, Ordering::Relaxed)))
        .bench_values(|question| made.engine().run(&Caller::owner("bench"), question).expect("a question is answered"));
}

#[divan::bench(args = UNITS, sample_count = 200, sample_size = 1)]
fn store(bencher: Bencher<'_, '_>, units: usize) {
    let ((_folder, made), next) = (made(units), AtomicUsize::new(0));
    bencher
        .with_inputs(|| made.text(next.fetch_add(1, Ordering::Relaxed)))
        .bench_values(|text| made.engine().run(&Caller::owner("bench"), text).expect("a text is stored"));
}
