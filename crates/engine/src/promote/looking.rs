//! What is personal or secret in what would be copied: decided and blacked out first.

use crate::error::Fault;
use std::collections::{BTreeMap, BTreeSet};
use um_model::findings::{FindingKind, FindingStatus, KindCount};
use um_model::promote::{PromotionBlock, PromotionObstacle, PromotionSettledAt};
use um_model::{ArtifactId, MemoryId, SpaceId, Utf16Span};
use um_pii::Rules;
use um_store::parts::Text;
use um_store::{Connection, findings, memories, space_settings, views};

/// The kinds of findings that a space hides from agents.
pub(super) fn hidden(c: &Connection, space: &SpaceId) -> Result<BTreeSet<FindingKind>, Fault> {
    let masks: Vec<(SpaceId, BTreeSet<FindingKind>)> = space_settings::of_all(c, space_settings::MASK_KINDS)?;
    Ok(masks.into_iter().find(|(id, _)| id == space).map(|(_, kinds)| kinds).unwrap_or_default())
}

/// The texts that are copied, to be looked through for what is personal.
#[derive(Default)]
pub(super) struct Looking {
    /// Each whole, or a part of it.
    pub(super) texts: Vec<(Text, Option<Utf16Span>)>,
    /// What titles, names and facts hold by themselves: what it is, where, and its words.
    pub(super) called: Vec<(FindingKind, &'static str, String)>,
    /// Those words of `called` that a text says, too.
    pub(super) said: BTreeSet<String>,
    /// Files, on whose pages parts may be marked.
    pub(super) files: Vec<ArtifactId>,
    /// What the target hides from agents.
    pub(super) hidden: BTreeSet<FindingKind>,
}

impl Looking {
    /// Looks through words that stand in no text: a title, a name, a fact. Names and dates of birth are what these are for.
    pub(super) fn call(&mut self, called: &'static str, words: &str) {
        let found = um_pii::find(words, &Rules::default()).into_iter();
        let found = found.filter(|one| !matches!(one.kind, FindingKind::Person | FindingKind::BirthDate));
        self.called.extend(found.filter_map(|one| Some((one.kind, called, one.span.slice(words)?.to_owned()))));
    }

    /// Takes in a text that is looked through as such: what it says is decided about there.
    pub(super) fn read(&mut self, text: &str) {
        let (said, called) = std::mem::take(&mut self.called).into_iter().partition(|(.., words)| text.contains(words));
        self.called = called;
        self.said.extend(Vec::into_iter(said).map(|(.., words)| words));
    }

    /// Takes in what texts were read to say.
    pub(super) fn forget(&mut self, said: &BTreeSet<String>) {
        self.called.retain(|(.., words)| !said.contains(words));
    }

    /// What titles, names and facts hold that nobody can decide about there.
    fn block_of_called(&self) -> Option<PromotionBlock> {
        let open = || self.called.iter().filter(|(kind, ..)| !self.hidden.contains(kind));
        let (_, called, _) = open().next()?;
        let mut found: BTreeMap<FindingKind, u64> = BTreeMap::new();
        open().for_each(|(kind, ..)| *found.entry(*kind).or_default() += 1);
        Some(PromotionBlock {
            obstacle: PromotionObstacle::Undecided,
            findings: found.into_iter().map(|(kind, count)| KindCount { kind, count }).collect(),
            message: format!("A {called} holds personal or secret data that its text does not say."),
            hint: "Give it another one, or hide these kinds in the target (space_mask).".to_owned(),
            settled_at: None,
        })
    }

    /// What has to be decided or blacked out first. What the target hides need not be decided; what is to be blacked out is
    /// blacked out first in any case.
    pub(super) fn blocks(&self, c: &Connection, source: &SpaceId) -> Result<Vec<PromotionBlock>, Fault> {
        let mut undecided: BTreeMap<FindingKind, u64> = BTreeMap::new();
        let mut accepted: BTreeMap<FindingKind, u64> = BTreeMap::new();
        let mut unlooked = false;
        // The first source of each sort leads to where it is settled.
        let (mut to_decide, mut to_apply) = (None, None);
        let mut sort = |of: Option<MemoryId>, open: Vec<(FindingKind, FindingStatus)>| {
            for (kind, status) in open {
                let (found, first) = match status {
                    FindingStatus::Accepted => (&mut accepted, &mut to_apply),
                    _ if self.hidden.contains(&kind) => continue,
                    _ => (&mut undecided, &mut to_decide),
                };
                *found.entry(kind).or_default() += 1;
                *first = first.take().or_else(|| of.clone());
            }
        };
        for (text, part) in &self.texts {
            unlooked |= findings::looked_at_by(c, text)?.is_none();
            sort(memory_of(c, text)?, findings::open_within(c, text, *part)?);
        }
        for file in &self.files {
            sort(of_file(c, file)?, findings::open_of_file(c, file)?);
        }
        let mut blocks = Vec::new();
        let mut block =
            |obstacle, found: BTreeMap<FindingKind, u64>, message: &str, hint: String, at: Option<MemoryId>| {
                let findings = found.into_iter().map(|(kind, count)| KindCount { kind, count }).collect();
                let settled_at = at.map(PromotionSettledAt::Memory);
                blocks.push(PromotionBlock { obstacle, findings, message: message.to_owned(), hint, settled_at });
            };
        if unlooked {
            let message = "Nobody has looked for personal data in it yet.";
            let hint = "That is done in the background; `umem jobs` tells how far it is.".to_owned();
            block(PromotionObstacle::NotLookedAt, BTreeMap::new(), message, hint, None);
        }
        if !accepted.is_empty() {
            let message = "Some of it is to be blacked out, and was not yet.";
            let hint =
                "Black it out first (redaction_apply), or take the decision back: umem findings reopen.".to_owned();
            block(PromotionObstacle::NotBlackedOut, accepted, message, hint, to_apply);
        }
        if !undecided.is_empty() {
            let message = "It holds personal or secret data that nobody decided about.";
            let hint = format!(
                "Decide first: umem findings list --space {source}; or hide these kinds in the target (space_mask)."
            );
            block(PromotionObstacle::Undecided, undecided, message, hint, to_decide);
        }
        blocks.extend(self.block_of_called());
        Ok(blocks)
    }
}

/// The memory that a text is of.
fn memory_of(c: &Connection, text: &Text) -> Result<Option<MemoryId>, Fault> {
    match text {
        Text::Memory(id) => Ok(Some(id.clone())),
        Text::View(id) => match views::by_id(c, id)? {
            Some((view, _)) => of_file(c, &view.artifact_id),
            None => Ok(None),
        },
    }
}

fn of_file(c: &Connection, file: &ArtifactId) -> Result<Option<MemoryId>, Fault> {
    Ok(memories::by_artifact(c, file)?.map(|memory| memory.id))
}
