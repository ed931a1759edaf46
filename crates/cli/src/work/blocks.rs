//! `umem rule`, `umem pin`, `umem unpin`: what every agent of a space always reads.

use super::args::Page;
use super::versions;
use crate::failure::{Failure, id};
use crate::print::{Output, cell};
use clap::Subcommand;
use std::process::ExitCode;
use um_model::work::*;
use um_model::{ApiError, BlockId, ErrorCode};
use um_server::client::Connection;
use um_server::text::count;

#[derive(Debug, Subcommand)]
pub(crate) enum Rule {
    /// List the standing rules of a space with those of the spaces above it, and what is pinned
    List {
        /// Name, path, id or scope of the space [default: the default project]
        #[arg(long)]
        space: Option<String>,
        /// Only those of the space itself
        #[arg(long)]
        own: bool,
        /// Those that were removed as well
        #[arg(long)]
        removed: bool,
    },
    /// Set a rule: a new one, or the next version of the one with that label
    Set {
        /// What it is called
        label: String,
        /// What it says; `-` reads it from standard input
        content: String,
        /// Name, path, id or scope of the space [default: the default project]
        #[arg(long)]
        space: Option<String>,
        /// 0 to 100: what is higher comes first
        #[arg(long)]
        authority: Option<u8>,
        /// Whether agents leave it as it is
        #[arg(long)]
        read_only: Option<bool>,
        /// Why it changes
        #[arg(long)]
        reason: Option<String>,
        /// What goes with it, as a JSON object; takes the place of what went with it before
        #[arg(long, value_name = "JSON")]
        metadata: Option<String>,
    },
    /// Take a rule out of force
    Remove {
        /// The id that `rule list` shows
        id: String,
    },
    /// List the versions of a rule, the last first
    History {
        /// What it is called, or its id
        label: String,
        /// Name, path, id or scope of the space that reads it [default: the default project]
        #[arg(long)]
        space: Option<String>,
        #[command(flatten)]
        page: Page,
    },
    /// Tell what changed between two versions of a rule
    Diff {
        /// What it is called, or its id
        label: String,
        /// The number of one version
        from: u32,
        /// The number of the other
        to: u32,
        /// Name, path, id or scope of the space that reads it [default: the default project]
        #[arg(long)]
        space: Option<String>,
    },
}

impl Rule {
    /// The space that it names.
    pub(crate) fn space(&self) -> Option<&str> {
        match self {
            Self::List { space, .. }
            | Self::Set { space, .. }
            | Self::History { space, .. }
            | Self::Diff { space, .. } => space.as_deref(),
            Self::Remove { .. } => None,
        }
    }
}

/// `umem rule …`
pub(crate) async fn rule(service: &mut Connection, asked: Rule, output: Output) -> Result<ExitCode, Failure> {
    match asked {
        Rule::List { space, own, removed } => {
            let request = BlocksList { space, own_only: own, inactive: removed };
            Ok(output.answer(&service.run(request).await?, listed))
        }
        Rule::Set { label, content, space, authority, read_only, reason, metadata } => {
            // Before standard input is read.
            let metadata = super::metadata(metadata)?;
            let content = crate::capture::words(content)?;
            let request = BlockSet { space, label, content, authority, read_only, change_reason: reason, metadata };
            Ok(output.answer(&service.run(request).await?, |saved| match saved.created {
                true => format!("Set {:?}, version {}, id {}", saved.block.label, saved.block.version, saved.block.id),
                false => format!("It is so already: version {}, id {}", saved.block.version, saved.block.id),
            }))
        }
        Rule::Remove { id } => {
            let block = self::id(id, BlockId::parse, "umem rule list")?;
            Ok(output.answer(&service.run(BlockRemove { block }).await?, |_| "Removed.".to_owned()))
        }
        Rule::History { label, space, page } => {
            let which = which(service, label, space).await?;
            versions::history(service, which, page, output).await
        }
        Rule::Diff { label, from, to, space } => {
            let which = which(service, label, space).await?;
            versions::diff(service, which, (from, to), output).await
        }
    }
}

/// The rule of that label that a space reads, or one that was removed there where none is in force; or the one of that id.
async fn which(
    service: &mut Connection,
    label: String,
    space: Option<String>,
) -> Result<(VersionedType, String), Failure> {
    if let Ok(id) = BlockId::parse(label.clone()) {
        return Ok((VersionedType::CoreBlock, id.to_string()));
    }
    let listed = service.run(BlocksList { space, own_only: false, inactive: true }).await?;
    let named = listed.blocks.iter().filter(|block| block.label == label);
    let Some(block) = named.max_by_key(|block| (block.is_active, !block.inherited, block.updated_at)) else {
        let error = ApiError::new(ErrorCode::NotFound, format!("No rule is called {label:?} there."));
        return Err(error.hint("See: umem rule list --removed").into());
    };
    Ok((VersionedType::CoreBlock, block.id.to_string()))
}

/// `umem pin`, `umem unpin`
pub(crate) async fn pin(
    service: &mut Connection,
    memory: String,
    pinned: bool,
    output: Output,
) -> Result<ExitCode, Failure> {
    let id = crate::ids::memory(service, memory).await?;
    Ok(output.answer(&service.run(MemoryPin { id, pinned }).await?, |_| {
        match pinned {
            true => "Pinned: every agent of its space always reads it, as far as there is room.",
            false => "It is pinned no longer.",
        }
        .to_owned()
    }))
}

fn listed(listed: &BlocksListed) -> String {
    let mut parts: Vec<String> = listed.blocks.iter().map(shown).collect();
    parts.extend(listed.pinned.iter().map(|one| format!("Pinned, id {}:\n{}", one.id, quoted(&one.content))));
    let budget = listed.budget;
    parts.push(format!(
        "{}, {} pinned; read always: {} characters and {} at most",
        count(listed.blocks.len() as u64, "rule"),
        listed.pinned.len(),
        budget.max_chars,
        count(u64::from(budget.max_records), "record")
    ));
    parts.join("\n\n")
}

fn shown(block: &Block) -> String {
    let mut head = vec![format!("authority {}", block.authority), format!("version {}", block.version)];
    head.extend(block.read_only.then(|| "kept from agents".to_owned()));
    head.extend((!block.is_active).then(|| "removed".to_owned()));
    head.extend(block.inherited.then(|| format!("from {}", block.space)));
    format!("{} ({}), id {}\n{}", cell(&block.label), head.join(", "), block.id, quoted(&block.content))
}

fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("| {line}")).collect::<Vec<_>>().join("\n")
}
