//! How long forgetting takes among so many passages: what it would take with it, and the whole of it with its proof, which
//! reads all texts and every byte of the data folder.

use super::data::{self, Data, HUGE, Layout};
use um_bench::measure::{self, Goal, Sample};
use um_bench::words::Language;
use um_engine::Caller;
use um_model::ApiError;
use um_model::capture::MemoryRemember;
use um_model::forget::{ForgetExecute, ForgetPreview, ForgetWhat};

/// Texts that are forgotten one after the other.
const ONE_BY_ONE: usize = 5;
/// Texts that are forgotten at once.
const AT_ONCE: usize = 500;
/// The design has no goal: what a person waits for without wondering, and what they wait for with a bar that moves.
const SHOWN: Goal = Goal(1_000.0, 2_000.0);
const GONE: Goal = Goal(10_000.0, 20_000.0);
const MANY_GONE: Goal = Goal(30_000.0, 60_000.0);

/// Measures at so many passages.
pub fn measure(units: usize, language: &Language) -> Result<(), ApiError> {
    let data = Data { units, layout: Layout::One };
    let folder = data.copy(language)?;
    let engine = data::open(folder.path(), true)?;
    let caller = Caller::owner("bench");
    engine.start();
    let mut alone = Vec::new();
    for number in 0..ONE_BY_ONE {
        alone.push(engine.run(&caller, data.request(language, units + number))?.memory.id);
    }
    for number in 0..AT_ONCE {
        let request = data.request(language, units + ONE_BY_ONE + number);
        let (key, text) = (Some(format!("zanzibar {number}")), format!("The zanzibar papers. {}", request.text));
        engine.run(&caller, MemoryRemember { key, text, space: HUGE.to_owned(), ..request })?;
    }
    data::wait_until_idle(&engine, &caller)?;
    let of_one = |id| ForgetWhat { memory: Some(id), ..ForgetWhat::default() };
    let many = ForgetWhat { query: Some("zanzibar papers".to_owned()), ..ForgetWhat::default() };
    let run = |what: &str, goal: (Goal, Goal), all: Vec<ForgetWhat>| {
        let mut shown = Vec::new();
        let mut gone = Vec::new();
        for what in all {
            let mut token = String::new();
            shown.push(measure::time(|| {
                let plan = engine.run(&caller, ForgetPreview { what: what.clone() })?;
                token = plan.token;
                Ok::<_, ApiError>(())
            })?);
            let request = ForgetExecute { what, token };
            gone.push(measure::time(|| {
                let report = engine.run(&caller, request)?;
                assert_eq!(report.proof.left, 0, "nothing is left");
                Ok::<_, ApiError>(())
            })?);
        }
        let sample = |times: Vec<_>| Sample::of(times.into_iter().map(Ok::<_, ApiError>));
        measure::line(units, &format!("{what}: what would go"), &sample(shown)?, goal.0);
        measure::line(units, &format!("{what}: gone, with its proof"), &sample(gone)?, goal.1);
        Ok::<_, ApiError>(())
    };
    run("one memory", (SHOWN, GONE), alone.into_iter().map(of_one).collect())?;
    run(&format!("{AT_ONCE} by their words"), (SHOWN, MANY_GONE), vec![many])?;
    engine.stop();
    Ok(())
}
