//! `umem context`: what to read before working.

use crate::failure::{Failure, id};
use crate::print::Output;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use um_model::SessionId;
use um_model::work::{ContextCompile, LeftOut, LeftOutWhy, Policy};
use um_server::client::Connection;

#[derive(Debug, Args)]
pub(crate) struct Context {
    /// What it is about
    pub query: Option<String>,
    /// Name, path, id or scope of the space [default: the default project]
    #[arg(long)]
    pub space: Option<String>,
    /// The session that is worked in
    #[arg(long)]
    pub session: Option<String>,
    /// What goes in: auto, task, workspace
    #[arg(long)]
    pub policy: Option<Policy>,
    /// So many tokens at most [default: 1200]
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<u32>,
    /// The root of a work tree that what is packed is compared with
    #[arg(long, value_name = "FOLDER")]
    pub workspace: Option<PathBuf>,
}

/// `umem context …`
pub(crate) async fn context(service: &mut Connection, asked: Context, output: Output) -> Result<ExitCode, Failure> {
    let Context { query, space, session, policy, budget, workspace } = asked;
    let workspace = workspace.as_deref().map(crate::capture::absolute).transpose()?;
    let session = session.map(|one| id(one, SessionId::parse, "umem session list")).transpose()?;
    let request = ContextCompile { space, session, query, policy, budget_tokens: budget, workspace };
    Ok(output.answer(&service.run(request).await?, |pack| {
        let mut parts = vec![pack.full_text.trim_end().to_owned()];
        parts.extend(pack.left_out.iter().map(left_out));
        parts.extend(pack.recall_warnings.iter().map(super::drift::line));
        parts.push(format!("{} of {} tokens", pack.estimated_tokens, pack.budget_tokens));
        parts.join("\n")
    }))
}

fn left_out(one: &LeftOut) -> String {
    let why = match one.why {
        LeftOutWhy::NoRoom => "no room",
        LeftOutWhy::OverPinnedBudget => "over what the space always reads",
        LeftOutWhy::SaidAlready => "said already",
    };
    format!("Left out: {} {:?}, {} tokens ({why})", one.item.item_type.called(), one.item.title, one.tokens)
}
