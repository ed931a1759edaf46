//! How long a single recall and a single store take, by divan: `cargo bench -p um-bench --bench calls`. Each call is another question or
//! text. Percentiles, loads and the goals of the design are told by `umem bench` and the bench `scale` (ADR 27).

use divan::Bencher;
use std::sync::atomic::{AtomicUsize, Ordering};
use um_bench::Plan;
use um_bench::report::Asked;
use um_engine::{Caller, Handle};

/// Among so many passages.
const UNITS: [usize; 2] = [1_000, 10_000];
const DIMENSIONS: usize = 384;

fn main() {
    um_providers::run_if_child();
    divan::main();
}

#[divan::bench(args = UNITS, sample_count = 200, sample_size = 1)]
fn recall(bencher: Bencher<'_, '_>, units: usize) {
    calls(bencher, units, Asked::question);
}

#[divan::bench(args = UNITS, sample_count = 200, sample_size = 1)]
fn store(bencher: Bencher<'_, '_>, units: usize) {
    calls(bencher, units, Asked::text);
}

/// Among so many passages in a folder of their own, one request after the other, each of another number.
fn calls<R: Handle>(bencher: Bencher<'_, '_>, units: usize, request: fn(&Asked, usize) -> R) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let asked = Asked::fill(folder.path(), Plan { units, dimensions: DIMENSIONS, spaces: 1 });
    let (asked, next) = (asked.expect("a new folder can be filled"), AtomicUsize::new(0));
    bencher
        .with_inputs(|| request(&asked, next.fetch_add(1, Ordering::Relaxed)))
        .bench_values(|request| asked.engine.run(&Caller::owner("bench"), request).expect("a request is answered"));
}
