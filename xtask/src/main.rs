//! `cargo xtask run` and `cargo xtask test`, and the smaller steps that both are made of.

mod checks;
mod files;
mod icons;
mod install;
mod licences;
mod onnx;
mod place;
mod run;
mod setup;
mod sh;
mod step;
mod ui;

use std::path::Path;
use std::process::ExitCode;

use place::Place;
use step::{Step, walk};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  run [--data DIR]   set up, build, and open the app; without a display: the service, with the sample folder
  test               set up, and check everything, as CI does

the steps that both are made of:
  setup [--all]      fetch what is missing; --all: what the tests need, too
  ui                 build the window into ui/dist
  build              build the app and umem
  install [DIR]      build umem and link it into a folder of programs [~/.local/bin, or Cargo's own]
  fmt                the form of the source
  clippy             clippy, warnings denied
  unit               all tests but those of the window and of encryption
  encryption         the tests of encryption at rest, which need a build of their own
  window             the window, through WebDriver
  screenshots        a PNG of every page: those the docs show into docs/screenshots, all into target/screenshots
  licences [--check] write THIRD-PARTY-LICENCES.md; --check: fail where it is out of date
  icons              draw the icons anew";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match Place::find().map_err(Ending::from).and_then(|place| dispatch(&place, &words)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Ending::Usage) => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
        Err(Ending::Failed(why)) => {
            eprintln!("\n{why}");
            ExitCode::FAILURE
        }
    }
}

/// Why the command did not end well.
enum Ending {
    Usage,
    Failed(String),
}

impl From<String> for Ending {
    fn from(why: String) -> Ending {
        Ending::Failed(why)
    }
}

fn dispatch(place: &Place, words: &[String]) -> Result<(), Ending> {
    let shown: Vec<&str> = words.iter().map(String::as_str).collect();
    let plan: Vec<Step> = match shown.as_slice() {
        ["run"] => return run(place, None),
        ["run", "--data", data] => return run(place, Some(Path::new(data))),
        ["test"] => return test(place),
        ["setup"] => setup::steps(),
        ["setup", "--all"] => setup_for_tests(),
        ["ui"] => vec![ui::step()],
        ["build"] => vec![run::build_step()],
        ["install"] => return Ok(install::install(place, None)?),
        ["install", folder] => return Ok(install::install(place, Some(Path::new(folder)))?),
        ["fmt"] => vec![checks::format()],
        ["clippy"] => vec![checks::clippy()],
        ["unit"] => vec![checks::unit()],
        ["encryption"] => vec![checks::encryption()],
        ["window"] => on_display(checks::window()),
        ["screenshots"] => on_display(checks::screenshots()),
        ["licences"] => vec![licences::write()],
        ["licences", "--check"] => vec![licences::check()],
        ["icons"] => vec![icons::step()],
        _ => return Err(Ending::Usage),
    };
    walk(place, &plan).map(drop).map_err(Ending::from)
}

fn run(place: &Place, data: Option<&Path>) -> Result<(), Ending> {
    // Programs are started in the checkout's root; the person names a folder from where they stand.
    let data = data.map(std::path::absolute).transpose().map_err(|e| format!("--data cannot be used: {e}"))?;
    let plan = setup::steps().into_iter().chain([ui::step(), run::build_step()]);
    walk(place, &plan.collect::<Vec<_>>())?;
    Ok(run::open(place, data.as_deref())?)
}

/// Cheap checks first. The window comes before all that compiles the app, which embeds it.
fn test(place: &Place) -> Result<(), Ending> {
    let cheap = [checks::format(), licences::check(), ui::step(), checks::clippy()];
    let tests = [checks::unit(), checks::encryption(), checks::window()];
    let plan = setup_for_tests().into_iter().chain(cheap).chain(tests);
    let gaps = walk(place, &plan.collect::<Vec<_>>())?;
    if gaps.is_empty() {
        println!("\nEverything holds.");
        return Ok(());
    }
    Err(Ending::Failed(format!("What ran holds, but this could not be set up:\n  {}", gaps.join("\n  "))))
}

/// What drives the window, with what it needs.
fn on_display(step: Step) -> Vec<Step> {
    setup::test_tools::steps().into_iter().chain([ui::step(), step]).collect()
}

fn setup_for_tests() -> Vec<Step> {
    setup::steps().into_iter().chain(setup::test_tools::steps()).collect()
}
