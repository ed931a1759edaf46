//! `umem tag`.

use super::args;
use crate::failure::Failure;
use crate::print::{Output, list};
use std::process::ExitCode;
use um_model::work::*;
use um_server::client::Connection;

/// `umem tag …`
pub(crate) async fn tag(service: &mut Connection, asked: args::Tag, output: Output) -> Result<ExitCode, Failure> {
    let told = match asked {
        args::Tag::List { space, category } => {
            let request = TagsList { space, category, limit: Some(2_000), ..TagsList::default() };
            let listed = service.run(request).await?;
            let more = |listed: &TagsListed| listed.more.then(|| "There are more.".to_owned());
            return Ok(output.answer(&listed, |listed| list(listed.tags.iter().map(line).chain(more(listed)))));
        }
        args::Tag::Create { name, space, category, description } => {
            let made = service.run(TagCreate { space, name, category, description }).await?;
            return Ok(output.answer(&made, line));
        }
        args::Tag::Attach { item_type, id, tags } => service.run(TagAttach { item_type, id, tags }).await?,
        args::Tag::Detach { item_type, id, tags } => service.run(TagDetach { item_type, id, tags }).await?,
    };
    Ok(output.answer(&told, |told| match told.tags.as_slice() {
        [] => "It has no tags.".to_owned(),
        all => format!("Its tags: {}", all.join(", ")),
    }))
}

fn line(tag: &Tag) -> String {
    let description = tag.description.as_ref().map(|words| format!(": {words}")).unwrap_or_default();
    format!("{} ({}, {} times){description}", tag.name, tag.category, tag.uses)
}
