//! From a text to its claims: stretches of prose, their sentences, their clauses.

mod named;
mod predicate;
mod subject;

use crate::Context;
use crate::clause::{Said, ends_on_no_day};
use crate::compare::compared;
use crate::complement::{Part, complement};
use crate::data::words;
use crate::dates;
use crate::forms::{self, career};
use crate::layout::{Block, blocks, is_machine, is_person};
use crate::mention::{self, Antecedent, Voices};
use crate::modality;
use crate::noun::{Det, Np, Owner, Place, Words};
use crate::readable;
use crate::sentence::{Sentence, sentences};
use crate::source::Source;
use crate::standing;
use crate::verb::{Tense, VerbGroup, verb_group};
use crate::whose;
use jiff::civil::Date;
use std::collections::HashSet;
use std::ops::Range;
use um_model::Utf16Span;
use um_model::belief::{CandidateObject, ClaimCandidate, ClaimType, EntityType, Mention, Referent};
use um_model::predicates;

pub(crate) fn claims(text: &str, context: &Context<'_>) -> Vec<ClaimCandidate> {
    // What is no English and no text has words of the same look, and says something else.
    if readable::is_table(text) {
        return Vec::new();
    }
    let source = Source::new(text);
    let blocks = blocks(text);
    let (mut found, form) =
        forms::claims(&source, &blocks, context.title, context.speaker.or_else(|| author(text, &blocks)));
    if !form {
        found.append(&mut prose(&source, &blocks, context));
    } else if context.occurred_at.is_none() {
        found.retain(|(_, said)| !ends_on_no_day(said));
    }
    placed(&source, found)
}

fn prose(source: &Source<'_>, blocks: &[Block], context: &Context<'_>) -> Vec<(Range<usize>, Said)> {
    let text = source.text;
    let mut reader = Reader {
        source,
        today: context.occurred_at.and_then(dates::day_of),
        over_by: context.occurred_at.or(context.written_by).and_then(dates::day_of),
        voices: Voices { speaker: context.speaker, talk: context.speaker.is_some(), antecedents: Vec::new() },
        long: text.len() > 600,
        found: Vec::new(),
    };
    let mut stations = Vec::new();
    let own = author(text, blocks);
    let (foreign, elsewhere) = (readable::is_foreign(text), whose::is_elsewhere(text));
    let first_person = whose::is_of_one_self(text);
    let headed = career::owners(text);
    for block in blocks {
        let Block::Prose(range, speaker) = block else {
            reader.voices.antecedents.clear();
            continue;
        };
        let said = &text[range.clone()];
        if readable::is_foreign(said) || foreign && !readable::has_english(said) {
            reader.voices.antecedents.clear();
            continue;
        }
        let named = speaker.as_ref().map(|speaker| &text[speaker.name.clone()]);
        let talker = |test: fn(&str) -> bool| named.is_some_and(test) && speaker.as_ref().is_some_and(|by| by.talk);
        reader.voices.speaker = named.filter(|_| !talker(is_person)).or(context.speaker).or(own);
        let nobody = talker(is_machine) || elsewhere && reader.voices.speaker.is_none();
        let before = reader.found.len();
        reader.voices.talk = speaker.as_ref().map_or(context.speaker.is_some(), |speaker| speaker.talk);
        if speaker.as_ref().is_some_and(|speaker| speaker.talk) {
            reader.voices.antecedents.clear();
        }
        for sentence in sentences(text, range.start, range.end) {
            reader.read(&sentence);
        }
        // What a CV lists is its writer's, where it is known who that is.
        let by = reader.voices.speaker.is_some() || first_person;
        let whose = |at: usize| {
            let name = headed.iter().rfind(|name| name.start < at);
            name.map(|name| somebody(source, name)).or_else(|| by.then(|| reader.voices.mention()))
        };
        if !reader.voices.talk && !nobody {
            stations.extend(career::stations(source, range.clone(), whose));
        }
        if nobody {
            let told = reader.found.split_off(before);
            // A program's "I" is nobody either.
            let kept = |said: &Said| !talker(is_machine) && !whose::is_of_the_person(said);
            reader.found.extend(told.into_iter().filter(|(_, said)| kept(said)));
        }
    }
    reader.found.extend(stations);
    reader.found
}

/// Somebody whose name stands at a place in the text.
fn somebody(source: &Source<'_>, name: &Range<usize>) -> Mention {
    let span = Some(source.span(name.clone()));
    let name = source.text[name.clone()].to_owned();
    Mention { name, referent: Referent::Named, entity_type: EntityType::Person, span }
}

/// Who says `I` below their own name: a text that is headed by a name, and speaks of nobody else in the third person, is
/// that one's own, as a CV is.
fn author<'t>(text: &'t str, blocks: &[Block]) -> Option<&'t str> {
    let head =
        |range: &Range<usize>| range.start..text[range.clone()].find('\n').map_or(range.end, |end| range.start + end);
    let (range, carded) = match blocks.first()? {
        Block::Heading(range) => (range.clone(), false),
        Block::Card(card) => (card.name.clone(), true),
        Block::Prose(range, None) if career::has_station(text) => (head(range), false),
        _ => return None,
    };
    let name = text[range.clone()].trim();
    // `Jane Dorsey, Engineer`
    let name = name.split_once(',').map_or(name, |(name, _)| name);
    let several = (2..=4).contains(&name.split(' ').count());
    if !carded && (!several || crate::data::names::guess(name) != Some(EntityType::Person)) {
        return None;
    }
    let rest = text[range.end..].to_lowercase();
    let first = name.split(' ').next().unwrap_or_default().to_lowercase();
    let mut others = rest.split(|c: char| !c.is_alphanumeric());
    others
        .all(|word| !words::contains_word(" she he her his him hers they them their ", word) && word != first)
        .then_some(name)
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
    /// The day by which it was written.
    over_by: Option<Date>,
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
            self.kin(&words, &mut said, false);
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
            None => {
                self.clauses(&words, &doubtful, &mut said);
                said = said.into_iter().filter_map(without_first_person).collect();
            }
        }
        if !sentence.asks && !modality::is_quotation(&words) {
            self.kin(&words, &mut said, true);
        }
        let meant = self.still_meant(&words);
        self.voices.antecedents = self.named(&words, words.tokens.len(), &said);
        self.voices.antecedents.extend(meant);
        self.found.extend(said.into_iter().map(|said| (sentence.start..sentence.end, said)));
    }

    /// Whom the pronoun at the head of a sentence means, is meant by the next one, too.
    fn still_meant(&self, words: &Words<'_>) -> Option<Antecedent> {
        let mention = self.voices.resolve(words.lower(0)).filter(|_| words.any(0, " he she it his her its "))?;
        self.voices.antecedents.iter().find(|known| known.mention.name == mention.name).cloned()
    }

    fn clauses(&mut self, words: &Words<'_>, doubtful: &[bool], said: &mut Vec<Said>) {
        let before = self.voices.antecedents.clone();
        let mut at = 0;
        while at < words.tokens.len() {
            if at > 0 {
                let mut known = before.clone();
                known.extend(self.named(words, at, said));
                self.voices.antecedents = self.repeated(words, at, said).map_or(known, |again| vec![again]);
            }
            at = if doubtful[at] { at + 1 } else { self.clause(words, at, said).max(at + 1) };
            while at < words.tokens.len() && !starts_clause(words, at) {
                at += 1;
            }
        }
    }

    /// In `the server used to run Debian 9; now it runs Debian 12` the same verb is said of the same thing.
    fn repeated(&self, words: &Words<'_>, at: usize, said: &[Said]) -> Option<Antecedent> {
        let (from, _) = self.opening(words, at);
        let verb = (words.lower(from) == "it").then(|| verb_group(words, from + 1)).flatten()?;
        let before = (0..at).any(|at| words.tokens[at].verb.is_some_and(|before| before.lemma == verb.lemma));
        let thing = said.last().map(|said| &said.subject).filter(|thing| thing.entity_type != EntityType::Person)?;
        let alone = said.iter().all(|said| said.subject.name == thing.name);
        (before && alone).then(|| Antecedent { mention: thing.clone(), woman: None })
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
        if let Some((preferred, end)) = compared(words, &subjects, end, &self.voices) {
            said.extend(preferred);
            return end;
        }
        let first = said.len();
        let mut past = false;
        for _ in 0..4 {
            let Some(mut verb) = verb_group(words, end) else { break };
            // `Treffen am 3.` is no English.
            if words.lower(verb.main) == "am" && subjects.iter().all(|np| !np.pronoun) {
                break;
            }
            // `neither Ana nor Bo speaks`, `speaks neither French nor German`, `eats no meat`
            verb.negated |= words.lower(from) == "neither" || words.any(verb.end, " neither no ");
            past = matches!(verb.tense, Tense::Past | Tense::Perfect);
            if let Some(shared) = shared_place(words, &verb) {
                let first = VerbGroup { end: shared, ..verb.clone() };
                said.append(&mut self.predicate(words, &subjects, &first, leading.as_ref()).0);
            }
            let (mut more, next) = self.predicate(words, &subjects, &verb, leading.as_ref());
            said.append(&mut more);
            end = next.max(verb.end);
            // A second predicate of the same subject: `and reviewed by Sven`.
            let comma = usize::from(words.lower(end) == ",");
            let joined = words.any(end + comma, " and but ") && verb_group(words, end + comma + 1).is_some();
            // `plays the oboe, speaks Danish and lives in Graz`
            let listed = !joined && comma == 1 && words.finite(end + 1) && verb_group(words, end + 1).is_some();
            if !joined && !listed {
                break;
            }
            end += comma + usize::from(joined);
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
        let follows = complement(words, verb.end, None);
        let Part::Object(objects) = follows.parts.first()? else { return None };
        let said = objects.iter().filter_map(|np| crate::clause::object_of(words, np, "uses", &self.voices));
        let denied = verb.negated || verb.ended;
        follows.clean.then(|| {
            (said.map(|object| Said::new(who.clone(), "uses", object, 0.85).denied(denied)).collect(), follows.end)
        })
    }
}

/// A claim without `my`, as what is said of somebody is theirs; none where its object says `our` or `me`, which nobody
/// understands elsewhere. `My` in capitals is part of a title.
fn without_first_person(mut said: Said) -> Option<Said> {
    let text = match &mut said.object {
        CandidateObject::Value { text, .. } => text,
        CandidateObject::Entity(mention) => &mut mention.name,
    };
    let others = " our ours we us me mine myself ourselves ";
    if text.split(' ').any(|word| words::contains_word(others, word)) {
        return None;
    }
    let shorter = text.replace("my own ", "my ");
    *text = shorter.split(' ').filter(|word| *word != "my").collect::<Vec<_>>().join(" ");
    Some(said)
}

/// In `lives and works in Graz` the first verb shares the second one's place, which begins where this tells.
fn shared_place(words: &Words<'_>, verb: &VerbGroup) -> Option<usize> {
    let second = (words.lower(verb.end) == "and").then(|| verb_group(words, verb.end + 1)).flatten()?;
    (matches!(verb.lemma, "live" | "reside" | "bear") && words.any(second.end, " in at near ")).then_some(second.end)
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
    let before_that = at > 1 && words.lower(at - 1) == "that" && words.lower(at - 2) == "before";
    !before_that
        && at > 0
        && words.any(at - 1, " when whenever before until till once after unless that lest wherever ")
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
