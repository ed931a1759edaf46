//! Whom a sentence names: those that pronouns may mean afterwards, and the kin that it names by the way.

use super::Reader;
use crate::clause::Said;
use crate::data::{names, nouns, words};
use crate::identity::{in_role, kinship};
use crate::mention::{self, Antecedent, Voices};
use crate::modality;
use crate::noun::{Det, Np, Owner, Place, Words};
use um_model::belief::{CandidateObject, EntityType, Mention};

impl Reader<'_> {
    /// The entities that the sentence names before a token.
    pub(super) fn named(&self, words: &Words<'_>, until: usize, said: &[Said]) -> Vec<Antecedent> {
        let known: Vec<&Mention> = said
            .iter()
            .flat_map(|said| {
                let object = match &said.object {
                    CandidateObject::Entity(mention) => Some(mention),
                    CandidateObject::Value { .. } => None,
                };
                std::iter::once(&said.subject).chain(object)
            })
            .collect();
        let mut found = Vec::new();
        let mut at = 0;
        while at < until {
            let opens = words.capital(at) || words.is(at, words::DET | words::POSSESSIVE);
            let np = opens
                .then(|| words.noun_phrase(at, Place::Subject))
                .flatten()
                .filter(|np| !np.pronoun && np.end <= until);
            let Some(np) = np else {
                at += 1;
                continue;
            };
            at = np.end.max(at + 1);
            let Some(mention) = mention::entity(words, &np, &self.voices, false) else { continue };
            let alone = np.name.start == 0 && np.name.len() == 1 && np.det == Det::None && np.owner == Owner::None;
            if self.voices.talk && alone && !names::is_first_name(words.lower(0)) {
                continue;
            }
            // `My brother's name is Otis and he ...`: one man, named twice.
            let again = said.iter().any(|said| match &said.object {
                CandidateObject::Value { text, .. } => said.predicate == "name" && *text == mention.name,
                CandidateObject::Entity(_) => false,
            });
            if again {
                continue;
            }
            let kin = nouns::kin_noun(words.lower(np.head));
            let first = mention.name.split(' ').next().unwrap_or_default().to_lowercase();
            let woman = kin.and_then(|kin| kin.woman).or_else(|| names::is_woman(&first));
            let role = np.det == Det::The && nouns::is_role(words.lower(np.head));
            let entity_type = if role { EntityType::Person } else { mention.entity_type };
            // Who works or lives somewhere is somebody, whatever the name.
            let known = known.iter().find(|known| known.name == mention.name).map(|known| known.entity_type);
            let entity_type = known.filter(|_| entity_type == EntityType::Thing).unwrap_or(entity_type);
            // `Ana's email is …, and her phone …`: of somebody's things, somebody is meant.
            if let Owner::Named(owner) = &np.owner
                && entity_type != EntityType::Person
                && let Some(owner) = mention::entity(words, owner, &self.voices, false)
                && owner.entity_type == EntityType::Person
            {
                let woman = names::is_woman(owner.name.split(' ').next().unwrap_or_default().to_lowercase().as_str());
                found.push(Antecedent { mention: owner, woman });
            }
            found.push(Antecedent { mention: Mention { entity_type, ..mention }, woman });
        }
        found
    }

    /// `my sister Ana`, `our dog Max`, `Ana's brother Leo`: said by the way, and so even where the rest is a guess.
    /// `pronouns` reads those of his and hers, once it is known who is somebody.
    pub(super) fn kin(&self, words: &Words<'_>, said: &mut Vec<Said>, pronouns: bool) {
        let others = modality::of_others(words);
        let mut at = 0;
        while at < words.tokens.len() {
            let theirs = pronouns && words.any(at, " his her ") && !others[at] && !self.voices.talk;
            let ours = words.any(at, " my our ") && !others[at] || words.capital(at) && words.is_possessive(at + 1);
            let owner = if pronouns { theirs } else { ours };
            let np = owner.then(|| words.noun_phrase(at, Place::Subject)).flatten().and_then(Np::with_called);
            let Some(np) = np else {
                at += 1;
                continue;
            };
            at = np.end;
            let noun = words.slice(np.name.clone()).to_lowercase();
            let owner = match &np.owner {
                Owner::Speaker | Owner::Group => Some(self.voices.mention()),
                Owner::Named(owner) => mention::entity(words, owner, &self.voices, false),
                // `Kofi teaches; his wife Ama ...`
                Owner::Pronoun(whose) => {
                    let mut antecedents = self.voices.antecedents.clone();
                    antecedents.extend(self.named(words, *whose, said));
                    Voices { antecedents, ..self.voices.clone() }.resolve(words.lower(*whose))
                }
                _ => None,
            };
            let (Some(owner), Some(bearer)) = (owner, mention::entity(words, &np, &self.voices, false)) else {
                continue;
            };
            if crate::identity::is_former(&noun) {
                continue;
            }
            if let Some(kin) = nouns::kin_noun(&noun) {
                said.push(kinship(bearer, &noun, kin, owner));
            } else if nouns::is_role(&noun) && matches!(np.owner, Owner::Group | Owner::Speaker) && !self.voices.talk {
                said.push(in_role(bearer, &noun, owner, true));
            } else if words::contains_word(nouns::PETS, words.lower(np.head)) {
                let pet = Mention { entity_type: EntityType::Thing, ..bearer };
                said.push(Said::new(owner, "has_pet", CandidateObject::Entity(pet), 0.9));
            }
        }
    }
}
