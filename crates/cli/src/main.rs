//! `umem`: Ultimate Memory from the command line.
//!
//! Every verb but `serve`, `connect`, `eval` and `bench` talks to the service of the data folder and starts it where none runs.

mod access;
mod args;
mod audit;
mod beliefs;
mod bench;
mod bridge;
mod by_line;
mod call;
mod capture;
mod clock;
mod connect;
mod encryption;
mod envelope;
mod eval;
mod failure;
mod files;
mod find;
mod findings;
mod forget;
mod got;
mod held;
mod ids;
mod lines;
mod llm;
mod minus;
mod print;
mod promote;
mod searches;
mod serve;
mod service;
mod settle;
mod spaces;
mod traces;
mod upkeep;
mod when;
mod work;

use args::{Args, Command};
use failure::Failure;
use print::Output;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    um_providers::run_if_child();
    // Wrong usage ends the process here, with exit code 2.
    let args = minus::read(std::env::args_os().collect()).unwrap_or_else(|error| error.exit());
    let output = Output { json: args.json };
    match run(args, output) {
        Ok(exit) => exit,
        Err(failure) => {
            output.failure(&failure);
            failure.exit.into()
        }
    }
}

fn run(args: Args, output: Output) -> Result<ExitCode, Failure> {
    let data = data_dir(args.data)?;
    match args.command {
        Command::Serve { idle_exit } => serve::run(&data, idle_exit, output),
        Command::Eval(args::Eval::Recall { file, ablate }) => eval::recall(&data, &file, ablate, output),
        Command::Connect(asked) => connect::connect(asked, &data, output),
        Command::Call { operation, schema: true, .. } => call::schema(&operation, output),
        Command::Eval(args::Eval::Beliefs { file }) => eval::beliefs(&file, output),
        Command::Eval(args::Eval::Pii { file }) => eval::pii(&file, output),
        Command::Bench(asked) => bench::bench(asked, output),
        command => {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failure::system)?;
            let result = runtime.block_on(with_service(command, &data, output));
            // Standard input may still be waited for on a thread of its own; nobody needs what comes.
            runtime.shutdown_background();
            result
        }
    }
}

/// The data folder as an absolute path, so that a service started from here finds the same one.
fn data_dir(given: Option<PathBuf>) -> Result<PathBuf, Failure> {
    let named = || std::env::var_os("UM_DATA").filter(|path| !path.is_empty()).map(PathBuf::from);
    match given.or_else(named) {
        Some(path) => std::path::absolute(path).map_err(failure::system),
        None => Ok(um_server::paths::default_data_dir().map_err(um_model::ApiError::from)?),
    }
}

async fn with_service(command: Command, data: &std::path::Path, output: Output) -> Result<ExitCode, Failure> {
    match command {
        Command::Mcp(asks) => return bridge::run(data, asks).await,
        Command::Stop => return service::stop(data, output).await,
        Command::Encryption(asked) => return encryption::encryption(data, asked, output).await,
        _ => {}
    }
    let mut service = service::connect(data).await?;
    let named: Vec<String> = command.spaces().into_iter().map(str::to_owned).collect();
    match perform(command, &mut service, data, output).await {
        Err(failure) => Err(spaces::explain(&mut service, failure, &named).await),
        done => done,
    }
}

async fn perform(
    command: Command,
    service: &mut um_server::client::Connection,
    data: &std::path::Path,
    output: Output,
) -> Result<ExitCode, Failure> {
    match command {
        Command::Agents(agents) => access::agents(service, agents, data, output).await,
        Command::Audit(asked) => audit::audit(service, asked, output).await,
        Command::Access { space, agent } => access::access(service, space, agent, output).await,
        Command::Space(space) => spaces::space(service, space, output).await,
        Command::Ingest(ingest) => capture::ingest(service, ingest, output).await,
        Command::Remember(remember) => capture::remember(service, remember, output).await,
        Command::Recall(recall) => find::recall(service, recall, output).await,
        Command::Expire { id, time } => envelope::expire(service, id, time, output).await,
        Command::Tier { id, tier } => envelope::tier(service, id, tier, output).await,
        Command::Confirm { id, verified } => envelope::confirm(service, id, verified, output).await,
        Command::Distill { id, text } => envelope::distill(service, id, text, output).await,
        Command::Get { id } => find::get(service, id, output).await,
        Command::Artifacts(artifacts) => files::artifacts(service, artifacts, output).await,
        Command::Remove { id } => files::remove(service, id, output).await,
        Command::Restore { id } => files::restore(service, id, output).await,
        Command::Archive { id, reason } => forget::archive(service, id, reason, output).await,
        Command::Purge(asked) => forget::purge(service, asked, output).await,
        Command::Forget(asked) => forget::forget(service, asked, output).await,
        Command::Reread { id } => files::reread(service, id, output).await,
        Command::Unlock { id } => files::unlock(service, id, output).await,
        Command::Job(job) => upkeep::job(service, job, output).await,
        Command::Jobs(jobs) => upkeep::jobs(service, jobs, output).await,
        Command::Facts(facts) => beliefs::facts(service, facts, output).await,
        Command::Entity(entity) => beliefs::entity(service, entity, output).await,
        Command::Claim(claim) => beliefs::claim(service, claim, output).await,
        Command::Why { claim, known_at } => beliefs::why(service, claim, known_at, output).await,
        Command::Conflicts(conflicts) => beliefs::conflicts(service, conflicts, output).await,
        Command::Graph(graph) => beliefs::graph(service, graph, output).await,
        Command::Predicate(predicate) => beliefs::predicate(service, predicate, output).await,
        Command::Findings(asked) => findings::findings(service, asked, output).await,
        Command::Promote(asked) => promote::promote(service, asked, output).await,
        Command::Promotions(asked) => promote::promotions(service, asked, output).await,
        Command::Held(asked) => held::held(service, asked, output).await,
        Command::Trace(asked) => traces::trace(service, asked, output).await,
        Command::Search(asked) => searches::search(service, asked, output).await,
        Command::Session(asked) => work::session(service, asked, output).await,
        Command::State(asked) => work::state(service, asked, output).await,
        Command::Event(asked) => work::event(service, asked, output).await,
        Command::Lock(asked) => work::lock(service, asked, output).await,
        Command::Entry(asked) => work::entry(service, asked, output).await,
        Command::Tag(asked) => work::tag(service, asked, output).await,
        Command::Relation(asked) => work::relation(service, asked, output).await,
        Command::Query(asked) => work::query(service, *asked, output).await,
        Command::Verify(asked) => work::verify::verify(service, asked, output).await,
        Command::Rule(asked) => work::blocks::rule(service, asked, output).await,
        Command::Pin { id } => work::blocks::pin(service, id, true, output).await,
        Command::Unpin { id } => work::blocks::pin(service, id, false, output).await,
        Command::Resource(asked) => work::resources::resource(service, asked, output).await,
        Command::Context(asked) => work::brief::context(service, asked, output).await,
        Command::Drift(asked) => work::drift::drift(service, asked, output).await,
        Command::Watch(watch) => upkeep::watch(service, watch, output).await,
        Command::Models { action } => upkeep::models(service, action.unwrap_or(args::Models::List), output).await,
        Command::Llm { action } => llm::llm(service, action.unwrap_or(args::Llm::Show), output).await,
        Command::Doctor { rebuild } => upkeep::doctor(service, rebuild, output).await,
        Command::Reembed { model } => upkeep::reembed(service, model, output).await,
        Command::Status => upkeep::status(service, output).await,
        Command::Call { operation, request, .. } => call::call(service, &operation, &request, output).await,
        Command::Serve { .. }
        | Command::Mcp(_)
        | Command::Connect(_)
        | Command::Stop
        | Command::Encryption(_)
        | Command::Eval(_)
        | Command::Bench(_) => {
            unreachable!("taken care of above")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn a_question_is_asked_in_one_word_or_several() {
        let check = |typed: &[&str], expected: &[&str], space: Option<&str>| {
            let typed: Vec<&str> = [&["umem", "recall"], typed].concat();
            let args = minus::read(typed.iter().map(Into::into).collect()).unwrap();
            let Command::Recall(asked) = args.command else { panic!("{typed:?}") };
            let expected: Vec<String> = expected.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!((&asked.query, asked.space.as_deref()), (&expected, space));
        };
        check(&["ferry lisbon"], &["ferry lisbon"], None);
        check(&["ferry", "lisbon", "--space", "trips"], &["ferry", "lisbon"], Some("trips"));
        check(&["--space", "trips", "--", "-ferry", "lisbon"], &["-ferry", "lisbon"], Some("trips"));
        check(&["--", "-ferry lisbon"], &["-ferry lisbon"], None);
        // What is left out needs no -- before it, whatever letter it begins with.
        check(&["-hotel"], &["-hotel"], None);
        check(&["-ferry lisbon"], &["-ferry lisbon"], None);
        check(&["-hotel", "lisbon", "--space", "trips"], &["lisbon", "-hotel"], Some("trips"));
        check(
            &["lisbon", "--space", "trips", "-hotel", "--", "-ferry"],
            &["lisbon", "-hotel", "-ferry"],
            Some("trips"),
        );
        check(&["lisbon", "-\"two rooms\""], &["lisbon", "-\"two rooms\""], None);
        // A minus that stands alone is the question's own affair, in one word or several.
        for typed in ["- plover", "-\tplover", "- - plover"] {
            check(&[typed], &[typed], None);
            check(&[typed, "--space", "trips", "nest"], &["nest", typed], Some("trips"));
        }
        check(&["-", "plover"], &["-", "plover"], None);
        check(&[""], &[""], None);
        for typed in
            ["", "-h", "lisbon -h", "-help", "-space trips lisbon", "-json lisbon", "lisbon --hotel", "-hotel --help"]
        {
            let typed = ["umem", "recall"].into_iter().chain(typed.split_whitespace());
            let read = minus::read(typed.clone().map(Into::into).collect());
            assert!(read.is_err(), "{}", typed.collect::<Vec<_>>().join(" "));
        }
        // Other verbs take no question.
        assert!(minus::read(vec!["umem".into(), "get".into(), "-hotel".into()]).is_err());
    }

    #[test]
    fn the_verbs_hold_together_and_stand_in_the_documentation() {
        let command = Args::command();
        command.clone().debug_assert();
        let documentation = include_str!("../../../docs/cli.md");
        for verb in command.get_subcommands() {
            let name = verb.get_name();
            assert!(documentation.contains(&format!("`umem {name}")), "docs/cli.md says nothing of umem {name}");
            for flag in verb.get_arguments().filter_map(clap::Arg::get_long) {
                assert!(
                    documentation.contains(&format!("--{flag}")),
                    "docs/cli.md says nothing of umem {name} --{flag}"
                );
            }
        }
    }
}
