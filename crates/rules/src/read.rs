//! From a text to its claims: stretches of prose, their sentences, their clauses.

use crate::Context;
use crate::clause::{Said, by_frames, place_in_time};
use crate::copula::Copula;
use crate::data::{names, nouns, words};
use crate::dates;
use crate::decide::decision;
use crate::forms;
use crate::happened::{fond, happened, practised};
use crate::having::having;
use crate::identity::kinship;
use crate::job::{job, switched};
use crate::layout::{Block, blocks};
use crate::mention::{self, Antecedent, Voices};
use crate::modality;
use crate::noun::{Det, Np, Owner, Place, Words};
use crate::port::{port, reached};
use crate::sentence::{Sentence, sentences};
use crate::source::Source;
use crate::standing;
use crate::time;
use crate::verb::{Tense, VerbGroup, Voice, verb_group};
use jiff::civil::Date;
use std::collections::HashSet;
use std::ops::Range;
use um_model::Utf16Span;
use um_model::belief::{CandidateObject, ClaimCandidate, ClaimType, EntityType, Mention, Referent};
use um_model::predicates;

pub(crate) fn claims(text: &str, context: &Context<'_>) -> Vec<ClaimCandidate> {
    let source = Source::new(text);
    let blocks = blocks(text);
    let (mut found, form) = forms::claims(&source, &blocks, context.title);
    if !form {
        found.append(&mut prose(&source, &blocks, context));
    }
    placed(&source, found)
}

fn prose(source: &Source<'_>, blocks: &[Block], context: &Context<'_>) -> Vec<(Range<usize>, Said)> {
    let text = source.text;
    let mut reader = Reader {
        source,
        today: context.occurred_at.and_then(dates::day_of),
        voices: Voices { speaker: context.speaker, talk: context.speaker.is_some(), antecedents: Vec::new() },
        long: text.len() > 600,
        found: Vec::new(),
    };
    for block in blocks {
        let Block::Prose(range, speaker) = block else {
            reader.voices.antecedents.clear();
            continue;
        };
        let named = speaker.clone().map(|name| &text[name]);
        reader.voices.speaker = named.or(context.speaker);
        reader.voices.talk = reader.voices.speaker.is_some();
        if named.is_some() {
            reader.voices.antecedents.clear();
        }
        for sentence in sentences(text, range.start, range.end) {
            reader.read(&sentence);
        }
    }
    reader.found
}

/// Gives claims their places, in the order of the text, each once.
fn placed(source: &Source<'_>, mut found: Vec<(Range<usize>, Said)>) -> Vec<ClaimCandidate> {
    found.sort_by_key(|(range, _)| (range.start, range.end));
    let mut seen = HashSet::new();
    let mut claims = Vec::with_capacity(found.len());
    for (range, said) in found {
        let claim = candidate(said, source.span(range));
        let object = match &claim.object {
            CandidateObject::Entity(mention) => mention.name.clone(),
            CandidateObject::Value { text, .. } => text.clone(),
        };
        if seen.insert((
            claim.subject.name.clone(),
            claim.predicate.clone(),
            object,
            claim.polarity,
            claim.qualifiers.clone(),
        )) {
            claims.push(claim);
        }
    }
    claims
}

struct Reader<'t> {
    source: &'t Source<'t>,
    today: Option<Date>,
    voices: Voices<'t>,
    long: bool,
    found: Vec<(Range<usize>, Said)>,
}

impl<'t> Reader<'t> {
    fn read(&mut self, sentence: &Sentence) {
        let whole = Words { source: self.source, tokens: &sentence.tokens };
        let words = Words { source: self.source, tokens: &sentence.tokens[modality::announced(&whole)..] };
        let mut said = Vec::new();
        if !sentence.asks && !modality::is_quotation(&words) {
            self.kin(&words, &mut said);
        }
        let doubtful = modality::unasserted(sentence, &words);
        let rule = if doubtful.first() == Some(&false) {
            standing::rule(&words, sentence, &self.voices, self.voices.talk, self.long)
        } else {
            None
        };
        if doubtful.first() == Some(&false) {
            said.extend(standing::call_me(&words, &self.voices));
        }
        match rule {
            Some(rule) => said.push(rule),
            None => self.clauses(&words, &doubtful, &mut said),
        }
        self.voices.antecedents = self.named(&words, words.tokens.len(), &said);
        self.found.extend(said.into_iter().map(|said| (sentence.start..sentence.end, said)));
    }

    fn clauses(&mut self, words: &Words<'_>, doubtful: &[bool], said: &mut Vec<Said>) {
        let before = self.voices.antecedents.clone();
        let mut at = 0;
        while at < words.tokens.len() {
            if at > 0 {
                let mut known = before.clone();
                known.extend(self.named(words, at, said));
                self.voices.antecedents = known;
            }
            at = if doubtful[at] { at + 1 } else { self.clause(words, at, said).max(at + 1) };
            while at < words.tokens.len() && !starts_clause(words, at) {
                at += 1;
            }
        }
    }

    /// The entities that the sentence names before a token.
    fn named(&self, words: &Words<'_>, until: usize, said: &[Said]) -> Vec<Antecedent> {
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
            found.push(Antecedent { mention: Mention { entity_type, ..mention }, woman });
        }
        found
    }

    /// `my sister Ana`, `our dog Max`, `Ana's brother Leo`: said by the way, and so even where the rest is a guess.
    fn kin(&self, words: &Words<'_>, said: &mut Vec<Said>) {
        let mut at = 0;
        while at < words.tokens.len() {
            let owner = words.any(at, " my our ") || (words.capital(at) && words.is_possessive(at + 1));
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
            } else if words::contains_word(nouns::PETS, words.lower(np.head)) {
                let pet = Mention { entity_type: EntityType::Thing, ..bearer };
                said.push(Said::new(owner, "has_pet", CandidateObject::Entity(pet), 0.9));
            }
        }
    }

    /// Reads the clause that begins at `at`; gives where it ends.
    fn clause(&mut self, words: &Words<'_>, at: usize, said: &mut Vec<Said>) -> usize {
        let (from, leading) = self.opening(words, at);
        let elided = self.voices.talk && (at == 0) && elided(words, from);
        let found = if elided { Some((vec![Np::speaker(from)], from)) } else { self.subjects(words, from, said) };
        let Some((subjects, mut end)) = found else { return from };
        if let Some((used, end)) = self.local_use(words, from, &subjects) {
            said.extend(used);
            return end;
        }
        let first = said.len();
        let mut past = false;
        for _ in 0..4 {
            let Some(mut verb) = verb_group(words, end) else { break };
            // `neither Ana nor Bo speaks`, `speaks neither French nor German`, `eats no meat`
            verb.negated |= words.lower(from) == "neither" || words.any(verb.end, " neither no ");
            past = matches!(verb.tense, Tense::Past | Tense::Perfect);
            let (mut more, next) = self.predicate(words, &subjects, &verb, leading.as_ref());
            said.append(&mut more);
            end = next.max(verb.end);
            // A second predicate of the same subject: `and reviewed by Sven`.
            let comma = usize::from(words.lower(end) == ",");
            if !words.any(end + comma, " and but ") || verb_group(words, end + comma + 1).is_none() {
                break;
            }
            end += comma + 1;
            if let Some(shared) = self.shared_helper(words, &verb, end) {
                let (mut more, next) = self.predicate(words, &subjects, &shared, None);
                said.append(&mut more);
                end = next.max(shared.end);
            }
        }
        // What happened `when I hurt my ankle` did happen; what `when it rains` says, holds only then.
        let happened =
            |said: &Said| said.predicate != "likes" && words.any(from.saturating_sub(1), " when after once ") && past;
        if said.len() > first && is_condition(words, from) && !said[first..].iter().all(happened) {
            said.truncate(first);
        }
        end
    }

    /// `in this project we use four spaces`
    fn local_use(&self, words: &Words<'_>, at: usize, subjects: &[Np]) -> Option<(Vec<Said>, usize)> {
        let subject = subjects.first().filter(|np| words.any(np.head, " we i "))?;
        let place = (at.saturating_sub(6)..at)
            .find(|at| words.any(*at, " in for within "))
            .and_then(|link| words.noun_phrase(link + 1, Place::Object))?;
        let verb = verb_group(words, subject.end).filter(|verb| verb.lemma == "use" && !verb.unsure)?;
        let definite = matches!(place.det, Det::The | Det::Pointing) || place.owner == Owner::Group;
        let place_end = place.end + usize::from(words.lower(place.end) == ",");
        let who = mention::entity(words, &place, &self.voices, false).filter(|_| definite && place_end == at)?;
        let follows = crate::complement::complement(words, verb.end, None);
        let crate::complement::Part::Object(objects) = follows.parts.first()? else { return None };
        let said = objects.iter().filter_map(|np| crate::clause::object_of(words, np, "uses", &self.voices));
        let denied = verb.negated || verb.ended;
        follows.clean.then(|| {
            (said.map(|object| Said::new(who.clone(), "uses", object, 0.85).denied(denied)).collect(), follows.end)
        })
    }

    /// In `was written by A and reviewed by B` the second participle shares the first one's helper.
    fn shared_helper(&self, words: &Words<'_>, verb: &VerbGroup, at: usize) -> Option<VerbGroup> {
        let participle = words.tokens.get(at)?.verb.filter(|verb| verb.can_be(crate::data::verbs::PARTICIPLE))?;
        let fits = verb.voice == Voice::Passive && words.is(at + 1, words::PREPOSITION);
        fits.then(|| VerbGroup { lemma: participle.lemma, main: at, end: at + 1, ..verb.clone() })
    }

    fn predicate(
        &self,
        words: &Words<'_>,
        subjects: &[Np],
        verb: &VerbGroup,
        leading: Option<&time::Time>,
    ) -> (Vec<Said>, usize) {
        if let Some(found) = job(words, subjects, verb, leading, &self.voices, self.today) {
            return found;
        }
        if let Some(found) = switched(words, subjects, verb, leading, &self.voices, self.today) {
            return found;
        }
        if let Some(found) = reached(words, subjects, verb, &self.voices) {
            return found;
        }
        if let Some(found) = port(words, subjects, verb, &self.voices) {
            return found;
        }
        if let Some(found) = decision(words, subjects, verb, leading, &self.voices, self.today) {
            return found;
        }
        let found = by_frames(words, subjects, verb, leading, &self.voices, self.today);
        if !found.0.is_empty() {
            return found;
        }
        if let Some(found) = fond(words, subjects, verb, &self.voices) {
            return found;
        }
        if let Some(found) = practised(words, subjects, verb, leading, &self.voices, self.today) {
            return found;
        }
        if let Some(found) = happened(words, subjects, verb, leading, &self.voices, self.today) {
            return found;
        }
        match (verb.voice, verb.lemma) {
            (Voice::Copula, _) => self.copula(words).said(subjects, verb, verb.end),
            (Voice::Passive, "name") if nouns::is_role(words.lower(verb.end)) => {
                self.copula(words).state(subjects, verb).unwrap_or(found)
            }
            (Voice::Active, "become") => self.copula(words).became(subjects, verb).unwrap_or(found),
            (Voice::Passive, "call" | "name") => self.copula(words).said(subjects, verb, verb.end),
            (Voice::Passive, _) => {
                let by = || self.copula(words).done_by(subjects, verb);
                self.copula(words).state(subjects, verb).or_else(by).unwrap_or(found)
            }
            (Voice::Active, "pass") if words.lower(verb.end) == "away" => {
                let died = VerbGroup { lemma: "die", end: verb.end + 1, ..verb.clone() };
                by_frames(words, subjects, &died, leading, &self.voices, self.today)
            }
            (Voice::Active, "have") => having(words, subjects, verb, &self.voices, self.today),
            _ => phase(words, subjects, verb, &self.voices, found),
        }
    }

    fn copula<'a>(&'a self, words: &'a Words<'t>) -> Copula<'a, 't>
    where
        't: 'a,
    {
        Copula { words, voices: &self.voices, today: self.today }
    }

    /// Skips what opens a clause: greetings, joining words, vocatives, adverbs, a time.
    fn opening(&self, words: &Words<'_>, at: usize) -> (usize, Option<time::Time>) {
        let mut from = at;
        let mut leading = None;
        for _ in 0..8 {
            let start = from;
            while from < words.tokens.len() && words.stop(from)
                || words.is(from, words::INTERJECTION | words::CONJUNCTION)
            {
                from += 1;
            }
            // `Mel, I moved`
            let vocative = words.capital(from) && !words.is(from, words::ADVERB | words::CLOSED);
            // `Lars, our accountant, lives`: no vocative, but what Lars is.
            let aside = || {
                words.noun_phrase(from + 2, Place::Object).is_some_and(|np| !np.pronoun && words.lower(np.end) == ",")
            };
            if vocative && words.lower(from + 1) == "," && words.any(from + 2, " i we my our ") && !aside() {
                from += 2;
            }
            if let Some(found) = time::time_at(words, from, self.today) {
                from = found.end + usize::from(words.lower(found.end) == ",");
                leading = Some(found);
            }
            // `In this project, we use ...`
            if words.is(from, words::PREPOSITION) && !words.is(from, words::SUBORDINATOR) {
                let np = words.noun_phrase(from + 1, Place::Object).filter(|np| !np.pronoun);
                match np.map(|np| np.end) {
                    Some(end) if words.lower(end) == "," => from = end + 1,
                    Some(end) if words.any(end, " i we ") => from = end,
                    _ => {}
                }
            }
            let adverb = words.is(from, words::ADVERB) && !words.is(from, words::NEGATION | words::ADJECTIVE);
            if adverb && words.tokens[from].verb.is_none() {
                from += 1;
            }
            if from == start {
                break;
            }
        }
        (from, leading)
    }

    /// The subjects of a clause, and where its verb is to be. What is said of the subject in passing is added.
    fn subjects(&self, words: &Words<'_>, at: usize, said: &mut Vec<Said>) -> Option<(Vec<Np>, usize)> {
        // Of `either Jo or Kim` nobody knows which.
        if words.lower(at) == "either" {
            return None;
        }
        let at = at + usize::from(words.any(at, " both neither ") && words.lower(at + 1) != "of");
        let first = words.noun_phrase(at, Place::Subject)?;
        let mut subjects = vec![first];
        let mut end = subjects[0].end;
        if let Some((joined, end)) = self.joined(words, &subjects[0]) {
            return Some((joined, end));
        }
        // `The invoice from Orbis`: phrases that belong to the subject.
        let subject = &mut subjects[0];
        if !subject.pronoun && subject.called.is_none() {
            while words.is(end, words::PREPOSITION) && verb_group(words, end).is_none() {
                let Some(inner) = words.noun_phrase(end + 1, Place::Subject).filter(|np| !np.pronoun) else { break };
                end = inner.end;
                subject.end = end;
                subject.name.end = end;
            }
        }
        let end = self.aside(words, &subjects[0], end, said);
        Some((subjects, end))
    }

    /// `Ana, Bo and Cy` before a verb.
    fn joined(&self, words: &Words<'_>, first: &Np) -> Option<(Vec<Np>, usize)> {
        let mut all = vec![first.clone()];
        let mut end = first.end;
        while all.len() < 6 {
            let comma = usize::from(words.lower(end) == ",");
            let and = usize::from(words.any(end + comma, " and & nor "));
            if comma + and == 0 {
                return None;
            }
            let next = words
                .noun_phrase(end + comma + and, Place::Subject)
                .filter(|np| !np.pronoun || words.lower(np.head) == "i")?;
            end = next.end;
            all.push(next);
            if and == 1 {
                return verb_group(words, end).is_some().then_some((all, end));
            }
        }
        None
    }

    /// `Ana Ruiz, the CTO of Northwind, ...`, `Ana Ruiz, who works at Northwind, ...`: reads it, and skips it.
    fn aside(&self, words: &Words<'_>, subject: &Np, at: usize, said: &mut Vec<Said>) -> usize {
        if words.lower(at) != "," || subject.pronoun {
            return at;
        }
        if words.lower(at + 1) == "who" || words.lower(at + 1) == "which" {
            let Some(verb) = verb_group(words, at + 2) else { return at };
            let (mut more, end) = self.predicate(words, std::slice::from_ref(subject), &verb, None);
            let close = (end.max(verb.end)..words.tokens.len()).find(|at| words.lower(*at) == ",");
            return match close {
                Some(close) => {
                    said.append(&mut more);
                    close + 1
                }
                None => at,
            };
        }
        let Some(np) = words.noun_phrase(at + 1, Place::Object).filter(|np| !np.pronoun) else { return at };
        let Some(who) = mention::subject(words, subject, &self.voices, crate::data::frames::Who::Any, false, false)
        else {
            return at;
        };
        let Some((mut more, end)) = self.copula(words).identity(&who, &np) else { return at };
        // `a lawyer from Graz`
        let mut end = end;
        while words.is(end, words::PREPOSITION) {
            let Some(inner) = words.noun_phrase(end + 1, Place::Object) else { return at };
            end = inner.end;
        }
        if words.lower(end) != "," {
            return at;
        }
        said.append(&mut more);
        end + 1
    }
}

/// `quit smoking`, `started painting`: what somebody began or gave up, where no frame knows what it is.
fn phase(
    words: &Words<'_>,
    subjects: &[Np],
    verb: &VerbGroup,
    voices: &Voices<'_>,
    found: (Vec<Said>, usize),
) -> (Vec<Said>, usize) {
    if !verb.turning || verb.negated || verb.unsure || verb.tense == Tense::Future {
        return found;
    }
    let predicate = if verb.begun { "started" } else { "quit" };
    let follows = crate::complement::complement(words, verb.end, None);
    let Some(text) = crate::complement::doing(words, verb.main)
        .filter(|end| {
            follows.clean
                && !(verb.lemma == "do" && *end == verb.end)
                && !words.is(*end, words::QUESTION | words::RELATIVE)
        })
        .map(|end| words.slice(verb.main..end))
    else {
        return found;
    };
    let times = follows.parts.iter().filter_map(|part| match part {
        crate::complement::Part::Time(time) => Some(time),
        _ => None,
    });
    let who = subjects
        .iter()
        .filter_map(|np| mention::subject(words, np, voices, crate::data::frames::Who::Being, true, false));
    let said = who.map(|who| {
        let object = CandidateObject::Value { text: text.clone(), kind: um_model::belief::ValueKind::Text };
        let mut said = Said::new(who, predicate, object, 0.75);
        for time in times.clone() {
            place_in_time(words, &mut said, time, false, &VerbGroup { begun: false, ..verb.clone() });
        }
        said
    });
    (said.collect(), follows.end)
}

/// `Just went to Rome` leaves out who went, and means the speaker.
fn elided(words: &Words<'_>, at: usize) -> bool {
    use crate::data::verbs::{BASE, PAST};
    let past =
        words.tokens.get(at).and_then(|token| token.verb).is_some_and(|verb| verb.can_be(PAST) && !verb.can_be(BASE));
    past && !words.is(at, words::BE | words::HAVE | words::DO)
}

/// Whether a clause can begin at a token: behind a mark or a word that joins clauses.
fn starts_clause(words: &Words<'_>, at: usize) -> bool {
    // `let you know I joined a gym`, `glad I moved`
    let told = at > 0
        && words.any(at, " i we my our ")
        && words.any(at - 1, " know you ya glad happy proud excited thrilled day why much ");
    at == 0 || words.stop(at - 1) || words.is(at - 1, words::CONJUNCTION | words::SUBORDINATOR) || told
}

/// Whether the clause stands under `when` or `before`, so that it says when and not that.
fn is_condition(words: &Words<'_>, at: usize) -> bool {
    at > 0 && words.any(at - 1, " when whenever before until till once after unless that lest wherever ")
}

/// The claim as the contract writes it.
fn candidate(said: Said, quote: Utf16Span) -> ClaimCandidate {
    let (name, inverted) = predicates::canonical(&said.predicate);
    let (subject, object) = match said.object {
        CandidateObject::Entity(mention) if inverted => (mention, CandidateObject::Entity(said.subject)),
        object => (said.subject, object),
    };
    let known = predicates::lookup(&name).map(|found| found.predicate);
    let claim_type = match (&object, known) {
        (CandidateObject::Entity(_), _) => ClaimType::Relationship,
        (_, Some(known)) => known.claim_type,
        (_, None) if name.starts_with("favorite_") => ClaimType::Preference,
        (_, None) => ClaimType::Attribute,
    };
    let subject = match subject.referent {
        Referent::Speaker => Mention { entity_type: EntityType::Person, ..subject },
        _ => subject,
    };
    ClaimCandidate {
        claim_type,
        subject,
        predicate: name.into_owned(),
        object,
        qualifiers: said.qualifiers,
        polarity: said.polarity,
        quote,
        confidence: said.confidence,
        valid_from: said.valid_from,
        valid_to: said.valid_to.filter(|to| said.valid_from.is_none_or(|from| from <= *to)),
    }
}
