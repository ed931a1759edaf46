//! `umem resource`: what a space works with, as a tree of addresses.

use super::args::Page;
use super::{notes, versions};
use crate::failure::{Failure, id};
use crate::print::{Output, cell, list};
use crate::when;
use clap::Subcommand;
use std::process::ExitCode;
use um_model::ResourceId;
use um_model::work::*;
use um_server::client::Connection;
use um_server::text::count;

#[derive(Debug, Subcommand)]
pub(crate) enum ResourceVerb {
    /// Put a resource at its address: a new one, or the next version of the one that is there
    Put {
        /// Its address, such as repo://app/src/main.rs
        uri: String,
        /// What it says; `-` reads it from standard input
        content: Option<String>,
        /// Name, path, id or scope of the space [default: the default project]
        #[arg(long)]
        space: Option<String>,
        /// The address of the one it lies under
        #[arg(long, value_name = "URI")]
        parent: Option<String>,
        /// What it is called [default: the end of its address]
        #[arg(long)]
        title: Option<String>,
        /// folder, file, module, document, url, service, dataset, task, note, other
        #[arg(long)]
        kind: Option<ResourceKind>,
        /// What goes with it, as a JSON object
        #[arg(long, value_name = "JSON")]
        metadata: Option<String>,
    },
    /// Show what lies under an address, or what speaks of something
    Tree {
        /// Under which address [default: the roots]
        uri: Option<String>,
        /// Find those that speak of this instead
        #[arg(long)]
        text: Option<String>,
        #[arg(long, value_name = "TIME", help = when::AS_OF)]
        as_of: Option<String>,
        #[arg(long, value_name = "TIME", help = when::KNOWN_AT)]
        known_at: Option<String>,
        /// Name, path, id or scope of the space [default: the default project]
        #[arg(long)]
        space: Option<String>,
        /// Give at most so many
        #[arg(long)]
        limit: Option<u32>,
        /// Skip so many
        #[arg(long, default_value_t = 0)]
        offset: u32,
    },
    /// Show a resource with what it says
    Show {
        /// Its id, or its address
        resource: String,
        /// Name, path, id or scope of the space of that address [default: the default project]
        #[arg(long)]
        space: Option<String>,
        #[arg(long, value_name = "TIME", help = when::AS_OF)]
        as_of: Option<String>,
        #[arg(long, value_name = "TIME", help = when::KNOWN_AT)]
        known_at: Option<String>,
    },
    /// Take a resource away with all that lies under it
    Remove {
        /// Its id
        id: String,
    },
    /// List the versions of a resource, the last first
    History {
        /// Its address, or its id
        resource: String,
        /// Name, path, id or scope of the space of that address [default: the default project]
        #[arg(long)]
        space: Option<String>,
        #[command(flatten)]
        page: Page,
    },
    /// Tell what changed between two versions of a resource
    Diff {
        /// Its address, or its id
        resource: String,
        /// The number of one version
        from: u32,
        /// The number of the other
        to: u32,
        /// Name, path, id or scope of the space of that address [default: the default project]
        #[arg(long)]
        space: Option<String>,
    },
}

impl ResourceVerb {
    /// The space that it names.
    pub(crate) fn space(&self) -> Option<&str> {
        match self {
            Self::Put { space, .. }
            | Self::Tree { space, .. }
            | Self::Show { space, .. }
            | Self::History { space, .. }
            | Self::Diff { space, .. } => space.as_deref(),
            Self::Remove { .. } => None,
        }
    }
}

/// `umem resource …`
pub(crate) async fn resource(
    service: &mut Connection,
    asked: ResourceVerb,
    output: Output,
) -> Result<ExitCode, Failure> {
    match asked {
        ResourceVerb::Put { uri, content, space, parent, title, kind, metadata } => {
            let content = content.map(crate::capture::words).transpose()?;
            let metadata = super::metadata(metadata)?.unwrap_or_default();
            let request = ResourcePut {
                space,
                uri,
                parent_uri: parent,
                title,
                kind,
                content,
                metadata,
                ..ResourcePut::default()
            };
            let put = service.run(request).await?;
            Ok(output
                .answer(&put, |one| format!("{} is at {}, version {}, id {}", one.title, one.uri, one.version, one.id)))
        }
        ResourceVerb::Tree { uri, text, as_of, known_at, space, limit, offset } => {
            let (as_of, known_at) = (when::by_clock(as_of.as_deref())?, when::known(known_at.as_deref())?);
            let request = ResourcesBrowse { space, parent_uri: uri, text, as_of, known_at, offset, limit };
            Ok(output.answer(&service.run(request).await?, browsed))
        }
        ResourceVerb::Show { resource, space, as_of, known_at } => {
            let (as_of, known_at) = (when::by_clock(as_of.as_deref())?, when::known(known_at.as_deref())?);
            let request = ResourceGet { as_of, known_at, ..named(resource, space) };
            Ok(output.answer(&service.run(request).await?, |one| {
                let says = one.content.as_deref().unwrap_or("It says nothing.");
                format!("{}, version {}\n{says}", cell(&told(one)), one.version)
            }))
        }
        ResourceVerb::Remove { id } => {
            let id = self::id(id, ResourceId::parse, "umem resource tree")?;
            Ok(output
                .answer(&service.run(ResourceRemove { id }).await?, |_| "Removed, with what lay under it.".to_owned()))
        }
        ResourceVerb::History { resource, space, page } => {
            let which = which(service, resource, space).await?;
            versions::history(service, which, page, output).await
        }
        ResourceVerb::Diff { resource, from, to, space } => {
            let which = which(service, resource, space).await?;
            versions::diff(service, which, (from, to), output).await
        }
    }
}

/// What fetches a resource by its id or its address.
fn named(resource: String, space: Option<String>) -> ResourceGet {
    let (id, uri) = match ResourceId::parse(resource.clone()) {
        Ok(id) => (Some(id), None),
        Err(_) => (None, Some(resource)),
    };
    ResourceGet { space: space.filter(|_| uri.is_some()), id, uri, ..ResourceGet::default() }
}

async fn which(
    service: &mut Connection,
    resource: String,
    space: Option<String>,
) -> Result<(VersionedType, String), Failure> {
    let request = named(resource, space);
    let id = match request.id {
        Some(id) => id,
        None => service.run(request).await?.id,
    };
    Ok((VersionedType::Resource, id.to_string()))
}

fn told(one: &Resource) -> String {
    format!("{} ({}) at {}, id {}", one.title, one.kind, one.uri, one.id)
}

fn browsed(browsed: &ResourcesBrowsed) -> String {
    let way = browsed.path.iter().map(|one| one.title.as_str()).collect::<Vec<_>>().join(" > ");
    let mut lines: Vec<String> = Some(way).into_iter().filter(|way| !way.is_empty()).collect();
    lines.extend(browsed.children.iter().map(|one| match one.children {
        0 => told(one),
        under => format!("{}, {under} under it", told(one)),
    }));
    lines.push(format!("{} of {}", browsed.children.len(), count(browsed.total, "resource")));
    lines.extend(notes(&browsed.notices));
    list(lines)
}
