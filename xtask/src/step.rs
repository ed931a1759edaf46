//! A plan of steps, each with one line of progress.

use std::io::Write;
use std::time::Instant;

use crate::place::Place;

/// How a step ended well.
pub enum Outcome {
    /// Nothing was to be done.
    AlreadyThere,
    /// It was done; a word on what, or nothing.
    Done(String),
}

/// One step of a plan.
pub struct Step {
    /// Shown in its line of progress.
    pub name: &'static str,
    /// What is done. Its error is one sentence that says what to do.
    pub act: fn(&Place) -> Result<Outcome, String>,
    /// What still works when the step cannot be done. None: nothing does, and the plan ends there.
    pub without: Option<&'static str>,
}

/// Does the steps in order, and gives the sentences of those that could not be done and are not needed by all.
///
/// # Errors
/// The sentence of the first step that everything after it needs.
pub fn walk(place: &Place, plan: &[Step]) -> Result<Vec<String>, String> {
    let mut gaps = Vec::new();
    for (index, step) in plan.iter().enumerate() {
        print!("[{}/{}] {} … ", index + 1, plan.len(), step.name);
        let _ = std::io::stdout().flush();
        let started = Instant::now();
        match ((step.act)(place), step.without) {
            (Ok(outcome), _) => println!("{}", ending(&outcome, started)),
            (Err(why), Some(still)) => {
                println!("not done: {why}\n      {still}");
                gaps.push(format!("{}: {why} {still}", step.name));
            }
            (Err(why), None) => {
                println!("failed");
                return Err(format!("{}: {why}", step.name));
            }
        }
    }
    Ok(gaps)
}

fn ending(outcome: &Outcome, started: Instant) -> String {
    let seconds = started.elapsed().as_secs();
    match outcome {
        Outcome::AlreadyThere => "already there".to_string(),
        Outcome::Done(what) if what.is_empty() => format!("done ({seconds} s)"),
        Outcome::Done(what) => format!("done: {what} ({seconds} s)"),
    }
}
