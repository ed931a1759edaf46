//! What goes with each kind of thing.

use super::beliefs::{self, Whom};
use super::looking::Looking;
use super::plan::{Between, Compare, Object, Plan, in_short};
use crate::belief::{Said, canonical_name, keys_of};
use crate::error::Fault;
use std::collections::BTreeSet;
use um_model::belief::ClaimState;
use um_model::capture::Artifact;
use um_model::claims::{Claim, ClaimObject, Entity};
use um_model::promote::{PromotedKind, PromotionItemKind, PromotionObstacle, PromotionSettledAt};
use um_model::{ArtifactId, ClaimId, EntityId, JobStatus, MemoryId, MemoryStatus, SpaceId, Tier, ViewType};
use um_store::evidence::Source;
use um_store::parts::Text;
use um_store::{StoreError, artifacts, claims, entities, jobs, memories, units, views};

/// Whether a reading will give more text by itself, or once something is there that it waits for.
fn is_to_come(reading: JobStatus) -> bool {
    use JobStatus::{Pending, Processing, WaitingForModel, WaitingForPassword};
    matches!(reading, Pending | Processing | WaitingForModel | WaitingForPassword)
}

/// The memory of the target that has these words, and whether it is in use and near at hand.
fn words_there(of: &Between<'_>, words: &str) -> Result<Option<(String, bool)>, Fault> {
    let known = memories::by_hash(of.c, &of.target.id, &crate::ingest::text_hash(words))?;
    Ok(known.map(|known| (known.id.to_string(), known.status == MemoryStatus::Active && known.tier != Tier::Cold)))
}

/// The same of a file of the target.
fn file_there(of: &Between<'_>, known: Artifact) -> Result<(String, bool), Fault> {
    let is_cold = memories::by_artifact(of.c, &known.id)?.is_some_and(|memory| memory.tier == Tier::Cold);
    Ok((known.id.to_string(), !known.deleted && !is_cold))
}

impl Plan {
    /// Gathers what goes with something that its space has.
    pub(super) fn gather(
        &mut self,
        of: &Between<'_>,
        (kind, id): (PromotedKind, &str),
        look: &mut Looking,
    ) -> Result<(), Fault> {
        match kind {
            PromotedKind::Memory => self.memory(of, &MemoryId::parse(id).map_err(StoreError::from)?, look),
            PromotedKind::Artifact => self.file(of, &ArtifactId::parse(id).map_err(StoreError::from)?, look),
            PromotedKind::Claim => self.claim(of, &ClaimId::parse(id).map_err(StoreError::from)?, look),
            PromotedKind::Entity => {
                if let Some(entity) = self.someone(of, &EntityId::parse(id).map_err(StoreError::from)?, look)? {
                    self.object = Object::Entity(entity);
                }
                Ok(())
            }
        }
    }

    fn memory(&mut self, of: &Between<'_>, id: &MemoryId, look: &mut Looking) -> Result<(), Fault> {
        let Some(memory) = memories::by_id(of.c, id)? else { return Ok(()) };
        if let Some(file) = &memory.artifact_id {
            return self.file(of, file, look);
        }
        if memory.status != MemoryStatus::Active || memories::is_redacted(of.c, id)? {
            return Ok(());
        }
        let words = memory.content.as_deref().unwrap_or_default();
        let title = memory.title.as_deref().unwrap_or_default();
        self.add(PromotionItemKind::Memory, (id.as_str(), title, words), words_there(of, words)?);
        self.says(format!("{:?}", memory.occurred_at));
        self.call(of, look, "title", title)?;
        self.refuse_forgotten(of, words)?;
        look.read(words);
        look.texts.push((Text::Memory(id.clone()), None));
        self.object = Object::Memory(memory);
        Ok(())
    }

    fn file(&mut self, of: &Between<'_>, id: &ArtifactId, look: &mut Looking) -> Result<(), Fault> {
        let (Some(file), Some(memory)) = (artifacts::by_id(of.c, id)?, memories::by_artifact(of.c, id)?) else {
            return Ok(());
        };
        if file.deleted || file.redacted || memory.status != MemoryStatus::Active {
            return Ok(());
        }
        let known = artifacts::by_hash(of.c, &of.target.id, &file.content_hash)?;
        let is_there = known.is_some();
        let there = known.map(|known| file_there(of, known)).transpose()?;
        self.add(PromotionItemKind::File, (id.as_str(), &file.filename, ""), there);
        self.says(file.content_hash.clone());
        self.call(of, look, "name of the file", &file.filename)?;
        self.call(of, look, "title", memory.title.as_deref().unwrap_or_default())?;
        self.forgotten(crate::forget::refuse_bytes(
            of.c,
            of.key,
            std::slice::from_ref(&of.target.id),
            &file.content_hash,
        ))?;
        for view in views::listed(of.c, id)? {
            self.text(of, &view, is_there, look)?;
        }
        self.read.said = look.said.clone();
        look.files.push(id.clone());
        let reading = jobs::reading(of.c, std::slice::from_ref(id))?.remove(id);
        if reading.is_some_and(|job| is_to_come(job.status)) {
            let hint = "That is done in the background, once nothing is missing; `umem jobs` tells how far it is.";
            let file = Some(PromotionSettledAt::File(id.clone()));
            self.block(PromotionObstacle::NotLookedAt, "It is not read to its end yet.", hint, file);
        }
        self.object = Object::File(Box::new(file), memory);
        Ok(())
    }

    /// Adds a text of a file, unless the target has the file; reads it, unless that was done.
    fn text(
        &mut self,
        of: &Between<'_>,
        view: &views::Listed,
        is_there: bool,
        look: &mut Looking,
    ) -> Result<(), Fault> {
        // Nobody looks for anything in a file's mere name.
        let is_read = view.view_type != ViewType::Metadata;
        let known = match of.compare {
            Compare::Done(read) => read.views.get(&view.id).map(|short| (short.clone(), &read.said)),
            Compare::Now => None,
        };
        let short = match known {
            Some((short, said)) => {
                if is_read {
                    look.forget(said);
                }
                short
            }
            None => {
                let text = units::source_text(of.c, view.id.as_str(), false)?;
                self.refuse_forgotten(of, &text)?;
                if is_read {
                    look.read(&text);
                }
                in_short(&text)
            }
        };
        if !is_there {
            let page = view.page.map(|page| format!("Page {page}")).unwrap_or_default();
            self.add_text((view.id.as_str(), &page), &short);
        }
        self.read.views.insert(view.id.clone(), short);
        if is_read {
            look.texts.push((Text::View(view.id.clone()), None));
        }
        Ok(())
    }

    fn claim(&mut self, of: &Between<'_>, id: &ClaimId, look: &mut Looking) -> Result<(), Fault> {
        let Some(claim) = claims::by_id(of.c, id)? else { return Ok(()) };
        let there = claim_there(of, &claim)?;
        self.add(PromotionItemKind::Claim, (id.as_str(), "", &claim.statement), there);
        let qualifiers = claim.qualifiers.iter().map(|(key, value)| format!("{key}: {value}"));
        for words in qualifiers.chain([claim.statement.clone()]) {
            self.call(of, look, "fact", &words)?;
        }
        if claim.state != ClaimState::Asserted {
            let message = format!("It is {}, and only what is believed is copied.", claim.state);
            let hint = "Decide its conflict, or restore it, first.";
            let whom = Some(PromotionSettledAt::Entity(claim.subject.id.clone()));
            self.block(PromotionObstacle::NotBelieved, &message, hint, whom);
        }
        self.someone(of, &claim.subject.id, look)?;
        if let ClaimObject::Entity(other) = &claim.object {
            self.someone(of, &other.id, look)?;
        }
        for quoted in beliefs::quotes(of.c, &claim)? {
            let there = words_there(of, &quoted.text)?;
            let mut shown = BTreeSet::new();
            for (piece, span) in &quoted.pieces {
                // The same words may have been both read and stated.
                if !shown.insert(span.start) {
                    continue;
                }
                let title = piece.title.as_deref().unwrap_or_default();
                self.add(PromotionItemKind::Quote, (piece.id.as_str(), title, &piece.quote), there.clone());
                self.call(of, look, "title", title)?;
                look.read(&piece.quote);
                let text = match &piece.source {
                    Source::Memory(memory) => Text::Memory(memory.clone()),
                    Source::View(view, _) => Text::View(view.clone()),
                };
                look.texts.push((text, Some(piece.span)));
            }
            self.refuse_forgotten(of, &quoted.text)?;
        }
        self.object = Object::Claim(Box::new(claim));
        Ok(())
    }

    /// Looks through what something is called, which no text says and nobody decides about elsewhere.
    fn call(&mut self, of: &Between<'_>, look: &mut Looking, called: &'static str, words: &str) -> Result<(), Fault> {
        look.call(called, words);
        self.refuse_forgotten(of, words)
    }

    /// Adds somebody or something with its other names; nothing where it is gone.
    fn someone(&mut self, of: &Between<'_>, id: &EntityId, look: &mut Looking) -> Result<Option<Entity>, Fault> {
        let Some(entity) = beliefs::entity_in(of.c, of.source, id)? else { return Ok(None) };
        let known = match beliefs::whom(of.c, &of.target.id, &entity)? {
            Whom::Known(id) => entities::by_id(of.c, &id, std::slice::from_ref(&of.target.id))?,
            Whom::New => None,
            Whom::Several => {
                let message = format!("More than one is named \"{}\" in {}.", entity.name, of.target.name);
                let hint = "Merge or rename those first: umem entity merge, umem entity rename.";
                self.block(PromotionObstacle::Ambiguous, &message, hint, None);
                None
            }
        };
        let there = known.as_ref().map(|known| (known.id.to_string(), true));
        let what = entity.entity_type.as_str();
        self.add(PromotionItemKind::Entity, (entity.id.as_str(), &entity.name, what), there);
        self.call(of, look, "name", &entity.name)?;
        for alias in entity.aliases.iter().filter(|_| entity.space_id != SpaceId::global()) {
            let has = |known: &&Entity| known.aliases.iter().any(|name| canonical_name(name) == canonical_name(alias));
            let there = known.as_ref().filter(has).map(|known| (known.id.to_string(), true));
            self.add(PromotionItemKind::Alias, (entity.id.as_str(), alias, &entity.name), there);
            self.call(of, look, "name", alias)?;
        }
        Ok(Some(entity))
    }
}

/// The claim of the target that says the same of those whom the target knows, and whether it is believed.
fn claim_there(of: &Between<'_>, claim: &Claim) -> Result<Option<(String, bool)>, Fault> {
    let there = |end: &EntityId| -> Result<Option<EntityId>, Fault> {
        let Some(entity) = beliefs::entity_in(of.c, of.source, end)? else { return Ok(None) };
        Ok(match beliefs::whom(of.c, &of.target.id, &entity)? {
            Whom::Known(id) => Some(id),
            Whom::New | Whom::Several => None,
        })
    };
    let Some(subject) = there(&claim.subject.id)? else { return Ok(None) };
    let target = match &claim.object {
        ClaimObject::Entity(other) => match there(&other.id)? {
            Some(id) => Some(id),
            None => return Ok(None),
        },
        ClaimObject::Value(_) => None,
    };
    let said = Said { space: &of.target.id, subject: &subject, target: target.as_ref(), ..Said::of(claim) };
    let keys = keys_of(of.c, &said, claim.polarity)?;
    let found = claims::by_key(of.c, &of.target.id, &keys.claim)?;
    Ok(found.map(|found| (found.id.to_string(), found.state == ClaimState::Asserted)))
}
