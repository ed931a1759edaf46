//! `umem context`: what to read before working, what stands behind it, and the packs that are kept.

use super::{ELSEWHERE, named};
use crate::failure::{Failure, id};
use crate::print::{Output, flags, list, say};
use crate::when;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use um_model::work::*;
use um_model::{PackId, SessionId, SpaceId};
use um_server::client::Connection;
use um_server::text::{count, iso_time};

#[derive(Debug, Args)]
pub(crate) struct Context {
    /// What it is about, in one word or several
    pub query: Vec<String>,
    /// Name, path, id or scope of the space [default: the default project]
    #[arg(long)]
    pub space: Option<String>,
    /// The session that is worked in
    #[arg(long)]
    pub session: Option<String>,
    /// What goes in: auto, task, workspace
    #[arg(long)]
    pub policy: Option<Policy>,
    /// What is to be done: what it is about, under the policy task
    #[arg(long, value_name = "TEXT", conflicts_with = "query")]
    pub task: Option<String>,
    /// So many tokens at most [default: 1200; 8000 with --hydrate]
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<u32>,
    /// The model that reads it: its tokens are counted
    #[arg(long)]
    pub model: Option<String>,
    /// The root of a work tree that what is packed is compared with
    #[arg(long, value_name = "FOLDER")]
    pub workspace: Option<PathBuf>,
    #[arg(long, value_name = "TIME", help = when::AS_OF, conflicts_with = "workspace")]
    pub as_of: Option<String>,
    #[arg(long, value_name = "TIME", help = when::KNOWN_AT, conflicts_with = "workspace")]
    pub known_at: Option<String>,
    /// As that agent would be given it now: its name or id
    #[arg(long = "as", value_name = "AGENT")]
    pub as_agent: Option<String>,
    /// What stands behind the items of an earlier pack, as it is now
    #[arg(long, value_name = "PACK", conflicts_with_all = ASKED, conflicts_with = "space")]
    pub hydrate: Option<String>,
    /// With --hydrate, only what the pack cites so, such as R1; can be given more than once
    #[arg(long, value_name = "CITATION", requires = "hydrate")]
    pub cite: Vec<String>,
    /// With --hydrate, only that item, such as one that was left out; can be given more than once
    #[arg(long, value_name = "TYPE:ID", requires = "hydrate")]
    pub item: Vec<String>,
    /// With --hydrate, the pack itself, as it was handed over
    #[arg(long, requires = "hydrate", conflicts_with_all = ["cite", "item", "budget", "model"])]
    pub as_handed: bool,
    /// A pack that is kept, as it was handed over: --hydrate PACK --as-handed
    #[arg(long, value_name = "PACK", conflicts_with_all = ASKED, conflicts_with_all = ["space", "hydrate", "budget", "model"])]
    pub show: Option<String>,
    /// The packs that are kept, the newest first: of a space with --space, of all without
    #[arg(long, conflicts_with_all = ASKED, conflicts_with_all = ["hydrate", "show", "budget", "model"])]
    pub list: bool,
    /// With --list, so many at most [default: 50]
    #[arg(long, requires = "list", value_parser = crate::args::at_least_one)]
    pub limit: Option<u32>,
    /// With --list, only those that come after this one
    #[arg(long, value_name = "PACK", requires = "list")]
    pub after: Option<String>,
}

/// What a pack is asked for by: nothing of it goes with one that is kept.
const ASKED: [&str; 8] = ["query", "task", "session", "policy", "workspace", "as_of", "known_at", "as_agent"];

/// Where the ids of packs are told.
const IDS: &str = "umem context --list, or umem context, which tells the id of a pack below what it packs";

/// `umem context …`. The text stands alone on standard output, as it is what an agent reads; what is said of it on standard error.
pub(crate) async fn context(service: &mut Connection, asked: Context, output: Output) -> Result<ExitCode, Failure> {
    if asked.list {
        return of_before(service, asked, output).await;
    }
    if asked.hydrate.is_some() || asked.show.is_some() {
        return behind(service, asked, output).await;
    }
    let Context { query, space, session, policy, task, budget, model, workspace, as_of, known_at, as_agent, .. } =
        asked;
    let (as_of, known_at) = (when::by_clock(as_of.as_deref())?, when::known(known_at.as_deref())?);
    let workspace = workspace.as_deref().map(crate::capture::absolute).transpose()?;
    let session = session.map(|one| id(one, SessionId::parse, "umem session list")).transpose()?;
    let policy = policy.or(task.as_ref().map(|_| Policy::Task));
    let query = (!query.is_empty()).then(|| query.join(" ")).or(task);
    let utc_offset = crate::clock::utc_offset().unwrap_or_default();
    let is_named = space.is_some() || session.is_some();
    let request = ContextCompile {
        space,
        session,
        query,
        policy,
        budget_tokens: budget,
        workspace,
        model,
        utc_offset,
        as_of,
        known_at,
        as_agent,
    };
    Ok(output.answer(&service.run(request).await?, |pack| {
        empty(pack, is_named).iter().chain(&packed(pack)).for_each(|line| say(line));
        pack.full_text.trim_end().to_owned()
    }))
}

/// `umem context --hydrate PACK` and `--show PACK`.
async fn behind(service: &mut Connection, asked: Context, output: Output) -> Result<ExitCode, Failure> {
    let Context { hydrate, show, cite, item, budget, model, as_handed, .. } = asked;
    let as_handed = as_handed || show.is_some();
    let pack = id(hydrate.or(show).unwrap_or_default(), PackId::parse, IDS)?;
    let items = item.iter().map(|one| super::relations::key(one)).collect::<Result<_, _>>()?;
    let request = ContextHydrate { pack, citations: cite, items, budget_tokens: budget, model, as_handed };
    Ok(output.answer(&service.run(request).await?, |found| {
        hydrated(found).iter().for_each(|line| say(line));
        found.full_text.trim_end().to_owned()
    }))
}

/// `umem context --list`.
async fn of_before(service: &mut Connection, asked: Context, output: Output) -> Result<ExitCode, Failure> {
    let Context { space, limit, after, .. } = asked;
    let after = after.map(|one| id(one, PackId::parse, IDS)).transpose()?;
    let request = ContextsList { space, limit, after };
    Ok(output.answer(&service.run(request.clone()).await?, |found| listed(found, &request)))
}

fn listed(found: &ContextsListed, asked_for: &ContextsList) -> String {
    if found.packs.is_empty() {
        return match asked_for.after {
            Some(_) => "There are no more.".to_owned(),
            None => "No pack is kept: none was asked for yet, or longer ago than packs are kept.".to_owned(),
        };
    }
    let mut lines: Vec<String> = found.packs.iter().map(summary).collect();
    if let (true, Some(last)) = (found.more, found.packs.last()) {
        let asked_for = flags([
            ("space", asked_for.space.clone()),
            ("limit", asked_for.limit.map(|limit| limit.to_string())),
            ("after", Some(last.id.to_string())),
        ]);
        lines.push(format!("There are more: umem context --list{asked_for}"));
    }
    list(lines)
}

/// A pack in a list: who got it, what it was about, and how large it was.
fn summary(one: &PackSummary) -> String {
    let seen = one.as_agent_name.as_ref().map(|agent| format!(" as {agent}")).unwrap_or_default();
    let about = match (&one.query, one.is_redacted) {
        (_, true) => "something in it was forgotten",
        (Some(query), _) => query,
        (None, _) => "no question is kept",
    };
    let mut facts =
        vec![one.policy.to_string(), count(one.estimated_tokens.into(), "token"), format!("space {}", one.space_id)];
    facts.extend(one.session_id.as_ref().map(|session| format!("session {session}")));
    facts.extend(one.as_of.map(|at| format!("as of {}", iso_time(at))));
    facts.extend(one.known_at.map(|at| format!("as known at {}", iso_time(at))));
    format!("{}  {}  {}{seen}: {about} ({})", one.id, iso_time(one.created_at), one.actor_name, facts.join(", "))
}

/// That there is nothing to read in the default space, where it was looked in because nothing else was named.
fn empty(pack: &Briefing, is_named: bool) -> Option<String> {
    let is_empty = pack.items.is_empty() && pack.left_out_total == 0;
    let is_default = !is_named && pack.base_space_id == SpaceId::default_project();
    (is_empty && is_default).then(|| format!("Nothing fits in the default space and the spaces above it. {ELSEWHERE}"))
}

/// What is said of a pack.
fn packed(pack: &Briefing) -> Vec<String> {
    let mut lines = all_left_out(pack.left_out_total, &pack.left_out);
    lines.extend(pack.as_agent_name.as_ref().map(|agent| format!("As {agent} would be given it now.")));
    lines.extend(pack.verification_warnings.iter().map(checked));
    lines.extend(pack.recall_warnings.iter().map(super::drift::line));
    lines.extend(pack.recall.iter().flat_map(of_search));
    let of = counted(pack.estimated_tokens, pack.budget_tokens, pack.counted_by);
    let kept = pack.id.as_ref().map(|id| format!("; umem context --hydrate {id} tells more")).unwrap_or_default();
    lines.push(format!("{of}{kept}"));
    lines
}

/// What is said of how was searched: a notice that is the reason, too, stands once.
fn of_search(recall: &PackRecall) -> Vec<String> {
    let notices = recall.notices.iter().filter(|notice| Some(*notice) != recall.reason.as_ref());
    recall.reason.iter().chain(notices).cloned().collect()
}

/// How a check of an item came out that it did not pass.
fn checked(one: &VerificationWarning) -> String {
    let detail = one.detail.as_ref().map(|detail| format!(": {detail}")).unwrap_or_default();
    format!("Checked: {} came out as {}{detail}", named(&one.target), one.status)
}

fn hydrated(found: &Hydrated) -> Vec<String> {
    let gone = |one: &Gone| {
        let named = one.citation.as_ref().map(|cited| format!("{cited}, ")).unwrap_or_default();
        format!("Gone: {named}{} {}", one.item.item_type.called(), one.item.id)
    };
    let mut lines = all_left_out(found.left_out_total, &found.left_out);
    lines.extend(found.gone.iter().map(gone));
    lines.extend(found.is_redacted.then(|| "Something that the pack said was forgotten.".to_owned()));
    lines.extend(found.verification_warnings.iter().map(checked));
    lines.extend(found.recall_warnings.iter().map(super::drift::line));
    lines.push(counted(found.estimated_tokens, found.budget_tokens, found.counted_by));
    lines
}

fn counted(tokens: u32, budget: u32, by: CountedBy) -> String {
    let by = match by {
        CountedBy::Approximate => "an approximation, as the model's own tokenizer is not known",
        by => by.as_str(),
    };
    format!("{tokens} of {budget} tokens, counted by {by}")
}

/// What is left out, and how much more than is named.
fn all_left_out(total: u32, named: &[LeftOut]) -> Vec<String> {
    let more = (total as usize).saturating_sub(named.len());
    let more = (more > 0).then(|| format!("Left out: {more} more"));
    named.iter().map(left_out).chain(more).collect()
}

fn left_out(one: &LeftOut) -> String {
    let why = match (one.why, &one.same_as) {
        (LeftOutWhy::NoRoom, _) => "no room".to_owned(),
        (LeftOutWhy::OverPinnedBudget, _) => "over what the space always reads".to_owned(),
        (LeftOutWhy::SaidAlready, Some(citation)) => format!("said already by {citation}"),
        (LeftOutWhy::SaidAlready, None) => "said already".to_owned(),
    };
    let ItemRef { item_type, id, .. } = &one.item;
    let least = if one.is_more { "at least " } else { "" };
    format!("Left out: {}, {least}{} tokens ({why}), {item_type}:{id}", named(&one.item), one.tokens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_check_that_was_not_passed_is_told_with_what_was_found() {
        let id = um_model::OWNER_AGENT;
        let warning = |detail: Option<&str>| -> VerificationWarning {
            let target = json!({ "item_type": "entry", "id": id, "space_id": id, "title": "Rotate keys" });
            let told = json!({ "target": target, "space_id": id, "status": "failed", "checker": "agent",
                "detail": detail, "checked_at": 0 });
            serde_json::from_value(told).unwrap()
        };
        let says = "Checked: entry \"Rotate keys\" came out as failed";
        assert_eq!(checked(&warning(None)), says);
        assert_eq!(checked(&warning(Some("no such key"))), format!("{says}: no such key"));
    }

    #[test]
    fn an_empty_pack_of_no_named_space_says_where_it_was_looked() {
        let (default, other) = (um_model::ids::DEFAULT_SPACE, um_model::OWNER_AGENT);
        let check = |space: &str, (left_out, is_named): (u32, bool), says: Option<&str>| {
            let pack = json!({ "base_space_id": space, "policy": "auto", "budget_tokens": 1200, "estimated_tokens": 9,
                "counted_by": "o200k_base", "items": [], "left_out_total": left_out, "full_text": "", "text_hash": "" });
            let told = empty(&serde_json::from_value(pack).unwrap(), is_named);
            assert_eq!(told.as_deref(), says, "{space}, {left_out}, {is_named}");
        };
        let says = "Nothing fits in the default space and the spaces above it. --space names another one.";
        check(default, (0, false), Some(says));
        check(default, (0, true), None);
        check(default, (1, false), None);
        check(other, (0, false), None);
    }

    #[test]
    fn a_pack_that_is_kept_is_told_in_a_line() {
        let id = um_model::OWNER_AGENT;
        let pack = |more: serde_json::Value| -> PackSummary {
            let mut one = json!({ "id": id, "actor_id": id, "actor_name": "bot", "space_id": id, "policy": "auto",
                "budget_tokens": 1200, "estimated_tokens": 30, "created_at": 0 });
            one.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            serde_json::from_value(one).unwrap()
        };
        let begins = format!("{id}  {}  ", iso_time(0));
        let check = |more: serde_json::Value, says: &str| {
            let asked_for = ContextsList::default();
            let told = listed(&ContextsListed { packs: vec![pack(more)], more: false }, &asked_for);
            assert_eq!(told, format!("{begins}{says}"));
        };
        check(json!({}), &format!("bot: no question is kept (auto, 30 tokens, space {id})"));
        check(
            json!({ "actor_name": "owner", "as_agent_name": "bot", "query": "Ferries?", "session_id": id }),
            &format!("owner as bot: Ferries? (auto, 30 tokens, space {id}, session {id})"),
        );
        let then = iso_time(1_000);
        check(
            json!({ "is_redacted": true, "as_of": 1_000, "known_at": 1_000 }),
            &format!(
                "bot: something in it was forgotten (auto, 30 tokens, space {id}, as of {then}, as known at {then})"
            ),
        );
        let (space, limit) = (Some("Big boats".to_owned()), Some(1));
        let told = listed(
            &ContextsListed { packs: vec![pack(json!({}))], more: true },
            &ContextsList { space, limit, after: None },
        );
        let more = "There are more: umem context --list --space";
        assert!(told.contains(more) && told.ends_with(&format!("--limit 1 --after {id}")), "{told}");
        let none = ContextsListed { packs: Vec::new(), more: false };
        assert!(listed(&none, &ContextsList::default()).starts_with("No pack is kept"));
    }

    #[test]
    fn a_notice_that_is_the_reason_is_said_once() {
        let check = |reason: Option<&str>, notices: &[&str], expected: &[&str]| {
            let notices = notices.iter().map(|notice| (*notice).to_owned()).collect();
            let recall = PackRecall { abstained: true, reason: reason.map(str::to_owned), answerability: 0.1, notices };
            assert_eq!(of_search(&recall), expected);
        };
        let nothing = "Nothing that was searched holds “INV-99999”.";
        check(Some(nothing), &[nothing], &[nothing]);
        check(Some("It is far."), &[nothing], &["It is far.", nothing]);
        check(None, &[nothing], &[nothing]);
    }

    #[test]
    fn what_has_no_title_is_told_so() {
        let id = um_model::OWNER_AGENT;
        for (title, called) in [("Rotate keys", "memory \"Rotate keys\""), ("", "memory without a title")] {
            let item = json!({ "item_type": "memory", "id": id, "space_id": id, "title": title });
            let out = json!({ "part": "pinned", "item": item, "space_id": id, "why": "no_room", "tokens": 300 });
            let told = left_out(&serde_json::from_value(out.clone()).unwrap());
            let says = format!("Left out: {called}, 300 tokens (no room), memory:{id}");
            assert_eq!(told, says);
            let named: [LeftOut; 1] = [serde_json::from_value(out).unwrap()];
            assert_eq!(all_left_out(1, &named), std::slice::from_ref(&says));
            assert_eq!(all_left_out(23, &named), [says, "Left out: 22 more".to_owned()]);
            for (related, ids) in [(json!([]), String::new()), (json!([id]), format!(" ({id})"))] {
                let warning = json!({ "id": "0123456789abcdef", "kind": "temporal_contradiction", "related": related,
                    "message": "It and another one contradict each other.", "target": item });
                let told = super::super::drift::line(&serde_json::from_value(warning).unwrap());
                let says = format!("Warning: {called}: It and another one contradict each other{ids}");
                assert_eq!(told, says, "neither its kind nor its own id");
            }
        }
    }
}
