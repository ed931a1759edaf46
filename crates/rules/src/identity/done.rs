//! Offices that are given and taken, and what was done once, by whom and when.

use super::in_role;
use crate::clause::Said;
use crate::copula::{Copula, value};
use crate::data::frames::Who;
use crate::data::nouns;
use crate::data::words::contains_word;
use crate::mention::{self, Wanted};
use crate::noun::{Det, Np, Owner, Place};
use crate::time::{Relation, time_at};
use crate::verb::{Tense, VerbGroup};
use um_model::belief::{CandidateObject, Mention, ValueKind};

impl Copula<'_, '_> {
    /// `became CEO in 2022`
    pub(crate) fn became(&self, subjects: &[Np], verb: &VerbGroup) -> Option<(Vec<Said>, usize)> {
        let [subject] = subjects else { return None };
        let past = matches!(verb.tense, Tense::Past | Tense::Perfect);
        let who = mention::subject(self.words, subject, self.voices, Wanted::one(Who::Being))?;
        if verb.unsure || verb.negated || verb.ended || !past {
            return None;
        }
        self.appointed(&who, verb)
    }

    /// `was repaired by Dachbau Meier`: what was done, by whom, where no frame knows the verb.
    pub(crate) fn done_by(&self, subjects: &[Np], verb: &VerbGroup) -> Option<(Vec<Said>, usize)> {
        let [subject] = subjects else { return None };
        let said_of = matches!(verb.tense, Tense::Past | Tense::Perfect | Tense::Present) && !verb.progressive;
        if self.voices.talk
            || !said_of
            || verb.unsure
            || verb.negated
            || verb.ended
            || self.words.lower(verb.end) != "by"
        {
            return None;
        }
        let thing = mention::subject(self.words, subject, self.voices, Wanted::one(Who::System))?;
        let by = self.words.noun_phrase(verb.end + 1, Place::Object)?;
        let named = mention::is_proper(self.words, &by) && by.det != Det::Pointing && by.owner == Owner::None;
        let participle = self.words.lower(verb.main);
        let known = contains_word(
            " repaired fixed tested serviced inspected prepared updated renovated restored painted cleaned audited validated verified \
             checked illustrated photographed recorded edited compiled curated narrated hosted led taught coordinated supervised \
             implemented configured deployed refactored delivered catered decorated ordered paid planned proposed submitted requested \
             conducted choreographed carved sculpted filmed drawn woven sewn assembled engineered programmed negotiated surveyed \
             announced operated certified insured donated discovered migrated released presented moderated cooked baked opened closed merged sent taken placed ",
            participle,
        );
        if !known || !named || !self.ends(by.end) {
            return None;
        }
        let object = value(self.words.slice(by.name.clone()), ValueKind::Text);
        let mut said = vec![Said::new(thing, &format!("{participle}_by"), object, 0.8)];
        let mut end = by.end;
        while let Some(time) = time_at(self.words, end, self.today) {
            crate::clause::place_in_time(self.words, &mut said[0], &time, false, verb);
            end = time.end;
        }
        Some((said, end))
    }

    /// `was founded in 1999`, `was registered on 5 November 2019`: what was done once, and when.
    pub(crate) fn done_on(&self, subjects: &[Np], verb: &VerbGroup) -> Option<(Vec<Said>, usize)> {
        let [subject] = subjects else { return None };
        let participle = self.words.lower(verb.main);
        let once = contains_word(
            " founded built published established constructed registered installed completed renovated written painted recorded \
             incorporated restored delivered opened filed submitted purchased manufactured planted ",
            participle,
        );
        let past = matches!(verb.tense, Tense::Past) && !verb.progressive && !verb.negated && !verb.ended;
        if self.voices.talk || !once || !past || verb.unsure {
            return None;
        }
        let link = self.words.lower(verb.end);
        let time = time_at(self.words, verb.end, self.today)
            .filter(|time| time.relation == Relation::At && time.when.is_some() && !time.relative)
            .filter(|time| matches!(link, "in" | "on") && self.words.stop(time.end))?;
        let thing = mention::subject(self.words, subject, self.voices, Wanted::one(Who::Any))?;
        let object = value(time.text(self.words), ValueKind::Date);
        Some((vec![Said::new(thing, &format!("{participle}_{link}"), object, 0.8)], time.end))
    }

    /// `was appointed CEO of Tern in 2023`, `was promoted to head of design`
    pub(crate) fn appointed(&self, who: &Mention, verb: &VerbGroup) -> Option<(Vec<Said>, usize)> {
        self.installed(who, verb, true)
    }

    /// What office is spoken of behind a verb that gives it or takes it, and when.
    pub(crate) fn installed(&self, who: &Mention, verb: &VerbGroup, begun: bool) -> Option<(Vec<Said>, usize)> {
        let at = verb.end + usize::from(self.words.any(verb.end, " as to "));
        let np = self.words.noun_phrase(at, Place::Object).filter(|np| nouns::is_role(self.head_before_of(np)))?;
        let (said, end) = self.identity(who, &np)?;
        let office = |said: Said| match said.object {
            CandidateObject::Entity(firm) if said.predicate == "director_of" => {
                in_role(said.subject, "director", firm, false)
            }
            _ => said,
        };
        let mut said: Vec<Said> = said.into_iter().map(office).collect();
        if let Some(time) = time_at(self.words, end, self.today) {
            let verb = VerbGroup { begun, ..verb.clone() };
            said.iter_mut().for_each(|said| crate::clause::place_in_time(self.words, said, &time, begun, &verb));
            return Some((said, time.end));
        }
        Some((said, end))
    }
}
