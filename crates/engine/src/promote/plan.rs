//! What a promotion would copy, and what stands in its way. It is worked out anew each time it is shown, and once more when
//! it is approved: a token stands for exactly what was shown.

use super::looking::{Looking, hidden};
use crate::error::Fault;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use um_model::capture::{Artifact, Memory};
use um_model::claims::{Claim, Entity};
use um_model::promote::*;
use um_model::spaces::Space;
use um_model::{ArtifactId, ClaimId, EntityId, ErrorCode, MemoryId, PromotionId, SpaceId, ViewId};
use um_store::keyed::Key;
use um_store::{Connection, artifacts, claims, entities, memories};

/// So much is shown of each thing, in characters.
const EXCERPT: usize = 2_000;
/// So much of a title.
const TITLE: usize = 200;

/// What is asked for.
pub(super) enum Object {
    /// A memory of words.
    Memory(Memory),
    /// A file, with the memory that stands for it.
    File(Box<Artifact>, Memory),
    /// A fact that is believed.
    Claim(Box<Claim>),
    /// Somebody or something, as its own space names it.
    Entity(Entity),
    /// It is no longer there, or no longer in use.
    Gone,
}

/// Between which spaces.
pub(super) struct Between<'a> {
    pub(super) c: &'a Connection,
    pub(super) key: &'a Key,
    pub(super) source: &'a SpaceId,
    pub(super) target: &'a Space,
    pub(super) compare: Compare<'a>,
}

/// Whether texts are read and compared with what was forgotten, which takes long for large files and is not done in the writer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Compare<'a> {
    Now,
    /// They were, as they are, before anything more was forgotten or blacked out: nothing else changes a text.
    Done(&'a ReadTexts),
}

/// What was read of the texts of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct ReadTexts {
    /// By the view's id: the hash of its text, and how that begins.
    pub(super) views: BTreeMap<ViewId, (String, String)>,
    /// What the file is called by that its texts say, too.
    pub(super) said: BTreeSet<String>,
}

/// What would be copied.
pub(super) struct Plan {
    /// What is asked for.
    pub(super) object: Object,
    /// What would be copied, thing by thing; what is asked for first.
    pub(super) items: Vec<PromotionItem>,
    /// What has to be settled first.
    pub(super) blocks: Vec<PromotionBlock>,
    /// All that the things say, of which the items show the beginnings; of the texts of files, their hashes.
    says: Vec<String>,
    /// What was read of the texts of a file.
    pub(super) read: ReadTexts,
}

/// A kind as errors call it.
pub(super) fn called(kind: PromotedKind) -> &'static str {
    match kind {
        PromotedKind::Artifact => "file",
        kind => kind.as_str(),
    }
}

/// The space that something is in. What is no id is in none.
pub(super) fn space_of(c: &Connection, kind: PromotedKind, id: &str) -> Result<Option<SpaceId>, Fault> {
    if MemoryId::parse(id).is_err() {
        return Ok(None);
    }
    let wrong = |_| crate::error::not_found(called(kind), id);
    Ok(match kind {
        PromotedKind::Memory => memories::by_id(c, &MemoryId::parse(id).map_err(wrong)?)?.map(|memory| memory.space_id),
        PromotedKind::Artifact => {
            artifacts::by_id(c, &ArtifactId::parse(id).map_err(wrong)?)?.map(|file| file.space_id)
        }
        PromotedKind::Claim => claims::by_id(c, &ClaimId::parse(id).map_err(wrong)?)?.map(|claim| claim.space_id),
        PromotedKind::Entity => entities::space_of(c, &EntityId::parse(id).map_err(wrong)?)?,
    })
}

impl Plan {
    /// What copying that into the target would copy.
    pub(super) fn of(
        c: &Connection,
        key: &Key,
        source: &SpaceId,
        target: &Space,
        (kind, id): (PromotedKind, &str),
        compare: Compare<'_>,
    ) -> Result<Self, Fault> {
        let (items, blocks, says) = (Vec::new(), Vec::new(), Vec::new());
        let mut plan = Self { object: Object::Gone, items, blocks, says, read: ReadTexts::default() };
        let mut look = Looking { hidden: hidden(c, &target.id)?, ..Looking::default() };
        if space_of(c, kind, id)?.as_ref() == Some(source) {
            plan.gather(&Between { c, key, source, target, compare }, (kind, id), &mut look)?;
        }
        if matches!(plan.object, Object::Gone) {
            let hint = "Bring it back first, or reject this.";
            let file = (kind == PromotedKind::Artifact).then(|| ArtifactId::parse(id).ok()).flatten();
            plan.block(PromotionObstacle::Gone, "It is no longer in use.", hint, file.map(PromotionSettledAt::File));
        }
        plan.blocks.extend(look.blocks(c, source)?);
        Ok(plan)
    }

    /// Adds a thing; `there` is what the target has already, and whether that is in use.
    pub(super) fn add(
        &mut self,
        kind: PromotionItemKind,
        (id, title, text): (&str, &str, &str),
        there: Option<(String, bool)>,
    ) {
        self.says(format!("{kind}\0{id}\0{title}\0{text}"));
        self.show(kind, (id, title, text), there);
    }

    /// Adds a text of a file by its hash, with how it begins.
    pub(super) fn add_text(&mut self, (id, title): (&str, &str), (hash, begins): &(String, String)) {
        self.says(format!("{}\0{id}\0{title}\0{hash}", PromotionItemKind::Text));
        self.show(PromotionItemKind::Text, (id, title, begins), None);
    }

    fn show(&mut self, kind: PromotionItemKind, (id, title, text): (&str, &str, &str), there: Option<(String, bool)>) {
        self.items.push(PromotionItem {
            kind,
            id: id.to_owned(),
            title: beginning(title, TITLE).to_owned(),
            text: beginning(text, EXCERPT).to_owned(),
            standing: match there {
                None => PromotionStanding::New,
                Some((_, true)) => PromotionStanding::There,
                Some((_, false)) => PromotionStanding::Returns,
            },
            there: there.map(|(id, _)| id),
        });
    }

    /// Notes what a thing says, so that the plan is another one once that changes.
    pub(super) fn says(&mut self, says: String) {
        self.says.push(says);
    }

    pub(super) fn block(
        &mut self,
        obstacle: PromotionObstacle,
        message: &str,
        hint: &str,
        settled_at: Option<PromotionSettledAt>,
    ) {
        let (message, hint) = (message.to_owned(), hint.to_owned());
        self.blocks.push(PromotionBlock { obstacle, findings: Vec::new(), message, hint, settled_at });
    }

    /// What was forgotten in the target, or everywhere, does not come in by this door either.
    pub(super) fn refuse_forgotten(&mut self, of: &Between<'_>, words: &str) -> Result<(), Fault> {
        match of.compare {
            Compare::Now => {
                self.forgotten(crate::forget::refuse_text(of.c, of.key, std::slice::from_ref(&of.target.id), words))
            }
            Compare::Done(_) => Ok(()),
        }
    }

    pub(super) fn forgotten(&mut self, refused: Result<(), Fault>) -> Result<(), Fault> {
        match refused {
            Err(Fault::Api(error)) if error.code == ErrorCode::Forgotten => {
                if self.blocks.iter().all(|block| block.obstacle != PromotionObstacle::Forgotten) {
                    let hint = error.hint.unwrap_or_default();
                    self.block(PromotionObstacle::Forgotten, &error.message, &hint, None);
                }
                Ok(())
            }
            other => other,
        }
    }

    /// The id of what is asked for in the target, where nothing of it is missing there.
    pub(super) fn is_there(&self) -> Option<&str> {
        let all = self.items.iter().all(|item| item.standing == PromotionStanding::There);
        self.items.first().filter(|_| all)?.there.as_deref()
    }

    /// A keyed hash of what it says, whatever the target has.
    pub(super) fn asked(&self, key: &Key) -> String {
        key.hmac("promoted", &serde_json::json!(self.says).to_string())
    }

    /// Stands for this plan: what is copied, what the target has of it, who would read it, and what stands in the way.
    pub(super) fn token(&self, key: &Key, id: &PromotionId, target: &Space, readers: &[NewReader]) -> String {
        let standings: Vec<_> = self.items.iter().map(|item| (item.standing, &item.there)).collect();
        let all = serde_json::json!([id, self.says, standings, target.read_policy, readers, self.blocks]);
        key.hmac("promotion", &all.to_string())
    }
}

/// A text of a file in short: its hash, and how it begins.
pub(super) fn in_short(text: &str) -> (String, String) {
    (format!("{:x}", Sha256::digest(text)), beginning(text, EXCERPT).to_owned())
}

/// The first characters of a text. One that goes on ends with a whole line, or with a whole word where no line ends.
fn beginning(text: &str, most: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(most) else { return text };
    let cut = &text[..end];
    let line = cut.rfind('\n').filter(|at| *at > 0);
    line.or_else(|| cut.rfind(char::is_whitespace)).map_or("", |at| cut[..at].trim_end())
}

#[cfg(test)]
mod tests {
    use super::beginning;

    #[test]
    fn what_goes_on_ends_with_a_whole_word_or_line() {
        for (text, most, expected) in [
            ("short", 9, "short"),
            ("exactly", 7, "exactly"),
            ("two words", 6, "two"),
            ("one\ntwo three", 9, "one"),
            ("unbroken", 4, ""),
            ("é é é", 3, "é"),
        ] {
            assert_eq!(beginning(text, most), expected, "{text}");
        }
    }
}
