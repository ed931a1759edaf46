//! From what the searches found to a ranking: each passage with the signals of its own, of its neighbours and of its thread.

pub(super) mod latest;

use super::answer;
use super::diverse::{self, Choice, Vectors};
use super::features::{self, Features};
use super::gates::{self, Given, Passing};
use super::identifiers;
use super::naming::Naming;
use super::part::Part;
use super::score::{WORDS_ALONE, own, score};
use super::wanted::Wanted;
use super::words::Question;
use std::collections::{BTreeMap, HashMap, HashSet};
use um_model::recall::ScoreParts;
use um_model::traces::Gate;
use um_store::hits::{Passage, Places};

/// So many of the best passages bring their neighbours in.
const EXPANDED: usize = 25;
/// Of so many of the best passages, and of as many as are asked for, it is looked up whether what they say was decided against.
pub(super) const DECIDED: usize = 50;
/// Neighbours so many places away count: those before it first, the farthest of them first.
const NEAR: [i64; 4] = [-2, -1, 1, 2];
/// Beside a passage of more words than this, its neighbours count less.
const SAYS_ENOUGH: f64 = 30.0;

/// What the searches found.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// By words: one list a space, as BM25 scores of different spaces do not compare.
    pub(super) words: Vec<Vec<(i64, f64)>>,
    /// By meaning, best first: cosines compare across spaces.
    pub(super) meaning: Vec<(i64, f64)>,
    /// By the period that is asked for, the newest first, where nothing else is.
    pub(super) period: Vec<i64>,
}

/// A passage on its way to the answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Candidate {
    pub(super) rid: i64,
    pub(super) score: f64,
    pub(super) parts: ScoreParts,
}

/// Passages by their rids.
pub(super) type Candidates = BTreeMap<i64, Candidate>;

/// How much the best of each list by words counts: as many of the question's words as it holds, beside the best that holds most.
/// The best of a small space may hold nothing but a word that most passages there hold.
fn weights(lists: &[Vec<(i64, f64)>], held: &HashMap<i64, usize>) -> Vec<f64> {
    let of = |list: &Vec<(i64, f64)>| {
        let held = list.first().and_then(|(rid, _)| held.get(rid));
        held.map_or(1, |held| (*held).max(1)) as f64
    };
    let most = lists.iter().map(of).fold(1.0, f64::max);
    lists.iter().map(|list| of(list) / most).collect()
}

/// Every passage that a list names, with its places there. `held` tells how many of the question's words the first of each list by
/// words holds, where there are several.
pub(super) fn candidates(lists: &Lists, held: &HashMap<i64, usize>) -> Candidates {
    let mut all = Candidates::new();
    for (list, weight) in lists.words.iter().zip(weights(&lists.words, held)) {
        let best = list.first().map_or(1.0, |(_, score)| score.max(f64::MIN_POSITIVE));
        // None comes before what stands before it: a file's name stands behind all texts, whatever its score.
        let mut least: f64 = 1.0;
        for (place, (rid, score)) in list.iter().enumerate() {
            let parts = &mut all.entry(*rid).or_default().parts;
            parts.bm25_rank = Some(place as u32 + 1);
            parts.bm25 = Some(*score);
            least = least.min((score / best).max(0.0));
            parts.words = Some(weight * least);
        }
    }
    for (place, (rid, cosine)) in lists.meaning.iter().enumerate() {
        let parts = &mut all.entry(*rid).or_default().parts;
        parts.vector_rank = Some(place as u32 + 1);
        parts.cosine = Some(*cosine);
    }
    for rid in &lists.period {
        all.entry(*rid).or_default().parts.period = Some(1.0);
    }
    all.iter_mut().for_each(|(rid, candidate)| candidate.rid = *rid);
    all
}

/// Those of which only words are known.
pub(super) fn without_meaning(candidates: &Candidates) -> Vec<i64> {
    candidates.values().filter(|one| one.parts.cosine.is_none()).map(|one| one.rid).collect()
}

/// Lets words count for meaning as well, where a passage has none; but not of those that never have one.
pub(super) fn let_words_stand(candidates: &mut Candidates, but: &HashSet<i64>) {
    let has_none = |one: &&mut Candidate| one.parts.cosine.is_none() && !but.contains(&one.rid);
    for candidate in candidates.values_mut().filter(has_none) {
        candidate.parts.words = candidate.parts.words.map(|words| words * WORDS_ALONE);
    }
}

/// Notes cosines.
pub(super) fn add_meaning(candidates: &mut Candidates, cosines: &HashMap<i64, f64>) {
    for (rid, candidate) in candidates {
        candidate.parts.cosine = candidate.parts.cosine.or_else(|| cosines.get(rid).copied());
    }
}

/// Notes which passages are of memories that name whom the question names.
pub(super) fn add_entities(candidates: &mut Candidates, passages: &HashMap<i64, Passage>, naming: &Naming) {
    for (rid, candidate) in candidates {
        let names = passages.get(rid).is_some_and(|passage| naming.is_in(&passage.memory));
        candidate.parts.entity = names.then_some(1.0);
    }
}

/// Notes how many of the question's words are tags of the passages' memories.
pub(super) fn add_tags(
    candidates: &mut Candidates,
    passages: &HashMap<i64, Passage>,
    (question, tags): (&Question, &HashMap<String, Vec<String>>),
) {
    for (rid, candidate) in candidates {
        let tags = passages.get(rid).and_then(|passage| tags.get(&passage.memory));
        candidate.parts.tags = tags.map(|tags| question.share_tagged(tags)).filter(|share| *share > 0.0);
    }
}

/// The best candidates, which bring their neighbours in.
pub(super) fn best(candidates: &Candidates) -> Vec<i64> {
    let mut best: Vec<(f64, i64)> = candidates.values().map(|one| (own(&one.parts), one.rid)).collect();
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    best.into_iter().take(EXPANDED).map(|(_, rid)| rid).collect()
}

/// The neighbours of the best candidates that are no candidates yet: an answer often stands beside the
/// words that were asked for.
pub(super) fn neighbours_to_add(candidates: &Candidates, best: &[i64], places: &Places) -> Vec<i64> {
    let around = best.iter().flat_map(|rid| NEAR.into_iter().filter_map(|step| places.beside(*rid, step)));
    let mut near: Vec<i64> = around.filter(|rid| !candidates.contains_key(rid)).collect();
    near.sort_unstable();
    near.dedup();
    near
}

/// The passages that share their thread with another one: only these are beside any.
pub(super) fn in_threads(passages: &HashMap<i64, Passage>) -> Vec<i64> {
    let mut of: HashMap<&str, Vec<i64>> = HashMap::new();
    passages.values().for_each(|one| of.entry(&one.thread).or_default().push(one.rid));
    let mut rids: Vec<i64> = of.into_values().filter(|rids| rids.len() > 1).flatten().collect();
    rids.sort_unstable();
    rids
}

/// Takes those neighbours in that stand in one thread with one of the passages that the searches found.
pub(super) fn add_neighbours(
    candidates: &mut Candidates,
    near: &[i64],
    passages: &HashMap<i64, Passage>,
    places: &Places,
) {
    let found: HashSet<i64> = candidates.keys().copied().collect();
    for rid in near {
        let Some(passage) = passages.get(rid) else { continue };
        let around = NEAR.into_iter().filter_map(|step| places.beside(*rid, step));
        let mut around = around.filter(|other| found.contains(other));
        if around.any(|other| passages.get(&other).is_some_and(|other| other.thread == passage.thread)) {
            candidates.insert(*rid, Candidate { rid: *rid, ..Candidate::default() });
        }
    }
}

/// Where scores hardly differ, what a reranker says counts as if they differed by so much.
const LEAST_APART: f64 = 1.0;

/// Passages with their signals.
#[derive(Debug)]
pub(super) struct Ranked {
    /// Best first.
    candidates: Vec<Candidate>,
    features: HashMap<i64, Features>,
    /// All of them, by their rids.
    pub(super) passages: HashMap<i64, Passage>,
    said: f64,
}

impl Ranked {
    /// The best so many.
    pub(super) fn best(&self, number: usize) -> Vec<i64> {
        self.candidates.iter().take(number).map(|candidate| candidate.rid).collect()
    }

    /// Lets it count against passages that what they say was decided against.
    pub(super) fn decided_against(&mut self, rids: &HashSet<i64>) {
        for candidate in self.candidates.iter_mut().filter(|one| rids.contains(&one.rid)) {
            candidate.parts.decided = Some(-1.0);
            candidate.score = score(&candidate.parts);
        }
        self.candidates.sort_by(diverse::best_first);
    }

    /// Lets what a reranker says of the best passages, each from 0 to 1, count: as much as lies between the first of them and
    /// the last by all else. What was decided against is lifted over nothing that stood before it and was not: it counts no more than
    /// the least of that, so that what was decided for stays before it.
    pub(super) fn rerank(&mut self, values: &[f64]) {
        let Some(read) = self.candidates.get_mut(..values.len()) else { return };
        let apart = match read {
            [first, .., last] => (first.score - last.score).max(LEAST_APART),
            _ => LEAST_APART,
        };
        let mut least: f64 = 1.0;
        for (candidate, value) in read.iter_mut().zip(values) {
            let mut value = *value;
            match candidate.parts.decided {
                Some(_) => value = value.min(least),
                None => least = least.min(value),
            }
            candidate.parts.rerank = Some(value * apart);
            candidate.score = score(&candidate.parts);
        }
        self.candidates.sort_by(diverse::best_first);
    }
}

/// What is given, and what is not.
#[derive(Debug, Default)]
pub(super) struct Ranking {
    /// How many passages were considered.
    pub(super) considered: usize,
    /// Best first.
    pub(super) given: Vec<Candidate>,
    /// The best of those that are not, with why, best first.
    pub(super) rejected: Vec<(Candidate, Gate)>,
    /// All of them, by their rids.
    pub(super) passages: HashMap<i64, Passage>,
    /// -1 to 1: whether it was said by whom the question names, rather than by somebody else; 0 where that cannot be told.
    pub(super) said: f64,
    /// Whether nothing passes what narrows the question down.
    pub(super) nothing_passes: bool,
    /// Whether nothing has several words that must stand in one order.
    pub(super) lacks_phrase: bool,
    /// The identifiers that the question spells out and nothing holds, in lower case.
    pub(super) unheld: Vec<String>,
    /// Which memories name whom or what the question names.
    pub(super) naming: Naming,
}

impl Ranking {
    /// Whether nothing that was found is of the period that the question names.
    pub(super) fn misses_period(&self) -> bool {
        let rejected = self.rejected.iter().map(|(candidate, _)| candidate);
        self.given.iter().chain(rejected).all(|candidate| candidate.parts.period.is_none())
    }

    /// Gives a passage, in the order of the scores: one that comes again may stand before others.
    fn give(&mut self, candidate: Candidate) {
        let place = self.given.partition_point(|one| one.score >= candidate.score);
        self.given.insert(place, candidate);
    }

    /// Leaves a passage out, in the same order.
    fn leave_out(&mut self, candidate: Candidate, gate: Gate) {
        let place = self.rejected.partition_point(|(one, _)| one.score >= candidate.score);
        self.rejected.insert(place, (candidate, gate));
    }

    /// Takes back what was given and gave way to a fresher passage.
    fn take_back(&mut self, rid: i64) {
        if let Some(at) = self.given.iter().position(|one| one.rid == rid) {
            let stale = self.given.remove(at);
            self.leave_out(stale, Gate::Stale);
        }
    }

    /// Takes out what may have been left out for the sake of these, which are given no more: other passages of their memories, and what
    /// nobody confirmed for long, but for these themselves.
    fn take_out(&mut self, replaced: &[i64], passages: &HashMap<i64, Passage>) -> Vec<Candidate> {
        let memories: HashSet<&str> = replaced.iter().map(|rid| passages[rid].memory.as_str()).collect();
        let is_out = |(one, gate): &(Candidate, Gate)| match gate {
            Gate::SameMemory => memories.contains(passages[&one.rid].memory.as_str()),
            Gate::Stale => !replaced.is_empty() && !replaced.contains(&one.rid),
            _ => false,
        };
        let (out, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut self.rejected).into_iter().partition(is_out);
        self.rejected = rest;
        out.into_iter().map(|(candidate, _)| candidate).collect()
    }

    /// Leaves the last one out where one too many is given, as what was put back may stand before it: then all that stands behind is
    /// beyond the limit.
    fn keep_within(&mut self, limit: usize) -> Option<i64> {
        if self.given.len() <= limit {
            return None;
        }
        let last = self.given.pop()?;
        let rid = last.rid;
        self.leave_out(last, Gate::BeyondLimit);
        let least = self.given.last().map_or(f64::INFINITY, |least| least.score);
        let behind = self.rejected.iter_mut().filter(|(one, _)| one.score < least);
        behind.for_each(|(_, gate)| *gate = Gate::BeyondLimit);
        Some(rid)
    }

    /// Whether a passage stands behind all that is given.
    fn is_behind(&self, candidate: &Candidate) -> bool {
        self.given.last().is_none_or(|least| candidate.score <= least.score)
    }
}

/// Gives each candidate its signals and its score.
fn signal(
    candidates: Candidates,
    wanted: &Wanted,
    (passages, places): (&HashMap<i64, Passage>, &Places),
    features: &HashMap<i64, Features>,
) -> Vec<Candidate> {
    let carries: HashMap<i64, f64> = candidates.iter().map(|(rid, one)| (*rid, own(&one.parts))).collect();
    let has_neighbours = !wanted.is_without(Part::Neighbours);
    let threads = if has_neighbours { threads(&carries, passages) } else { HashMap::new() };
    // What was listed by the period is of it with all its passages, whether or not anything tells that it happened then.
    let listed = candidates.values().filter(|one| one.parts.period.is_some());
    let listed: HashSet<(&str, Option<i64>)> =
        listed.filter_map(|one| passages.get(&one.rid)).map(dated_together).collect();
    let with_signals = |(rid, mut candidate): (i64, Candidate)| {
        let passage = passages.get(&rid)?;
        let own_features = &features[&rid];
        let around = NEAR.map(|step| {
            let beside = places.beside(rid, step).filter(|_| has_neighbours);
            let other = beside.and_then(|other| passages.get(&other));
            other.filter(|other| other.thread == passage.thread)
        });
        let parts = &mut candidate.parts;
        parts.thread = Some(threads.get(passage.thread.as_str()).copied().unwrap_or(0.0));
        note_own(parts, passage, own_features, wanted);
        note_neighbours(parts, around, own_features, (&carries, features));
        note_time(parts, passage, wanted, listed.contains(&dated_together(passage)));
        candidate.score = score(parts);
        Some(candidate)
    };
    candidates.into_iter().filter_map(with_signals).collect()
}

/// So many words a passage has, one at least.
fn length(features: &Features) -> f64 {
    features.words.max(1) as f64
}

/// Notes what a passage tells by itself.
fn note_own(parts: &mut ScoreParts, passage: &Passage, features: &Features, wanted: &Wanted) {
    let said = features.said_by.iter().any(|label| wanted.said_by.contains(label));
    parts.said_by = said.then_some(1.0);
    if !wanted.identifiers.is_empty() {
        let held = identifiers::share_held(&wanted.identifiers, &passage.name, &passage.text);
        parts.exact = (held > 0.0).then_some(held);
    }
    parts.asks = features.asks.then_some(1.0);
    parts.short = Some((length(features) / SAYS_ENOUGH).ln().min(0.0));
    let told = |value: f64| (value != 0.0).then_some(value);
    parts.importance = told(passage.importance);
    parts.confidence = told(confidence(passage));
    parts.trust = told(passage.trust);
}

/// Notes what the [neighbours](NEAR) of a passage in its thread tell for it, of which each carries something of its own.
fn note_neighbours(
    parts: &mut ScoreParts,
    around: [Option<&Passage>; NEAR.len()],
    own: &Features,
    (carries, features): (&HashMap<i64, f64>, &HashMap<i64, Features>),
) {
    let [second_before, before, ..] = around;
    let carried = around.map(|other| other.and_then(|other| carries.get(&other.rid)).copied().unwrap_or(0.0));
    let near: f64 = carried.into_iter().sum();
    let replies = before.is_some_and(|before| features[&before.rid].asks);
    let begins = second_before.is_none() && around.into_iter().flatten().count() > 1;
    parts.near = Some((SAYS_ENOUGH / length(own)).min(1.0) * near);
    parts.reply = replies.then_some(carried[1]);
    parts.opening = begins.then_some(1.0);
}

/// Notes of which time a passage is, and whether it tells one; what is listed by the period is of it.
fn note_time(parts: &mut ScoreParts, passage: &Passage, wanted: &Wanted, is_listed: bool) {
    parts.date = if is_listed { Some(1.0) } else { wanted.closeness(passage.occurred_at) };
    let is_found = is_listed || wanted.period.is_some_and(|period| period.finds(parts));
    let is_of_it = is_found || wanted.is_said(may_date(passage), passage.occurred_at);
    parts.period = is_of_it.then_some(1.0);
    parts.tells_time = (wanted.when && features::tells_time(&passage.text)).then_some(1.0);
}

/// What has one date with all its passages: a memory, or a mail of a mailbox that is dated by itself.
fn dated_together(passage: &Passage) -> (&str, Option<i64>) {
    (passage.memory.as_str(), passage.mail.filter(|_| passage.is_dated_alone))
}

/// What may say of which time a passage is: its text, and its title and headings. The title of a mailbox says nothing of a mail that is
/// dated by itself, and the line before that tells when it was put there.
fn may_date(passage: &Passage) -> (&str, &str) {
    let (text, name) = (passage.text.as_str(), passage.name.as_str());
    if !passage.is_dated_alone {
        return (text, name);
    }
    let behind_mark = text.split_once('\n').filter(|(mark, _)| mark.starts_with("From ")).map(|(_, rest)| rest);
    (behind_mark.unwrap_or(text), name.split_once('\n').map_or("", |(_, headings)| headings))
}

/// What the person says is so counts for a passage, and that nobody confirmed it for long against it.
fn confidence(passage: &Passage) -> f64 {
    f64::from(u8::from(passage.is_verified)) - f64::from(u8::from(passage.is_stale))
}

/// Of each thread, the mean of what its two best passages carry.
fn threads<'a>(carries: &HashMap<i64, f64>, passages: &'a HashMap<i64, Passage>) -> HashMap<&'a str, f64> {
    let mut best: HashMap<&str, [f64; 2]> = HashMap::new();
    for (rid, carried) in carries {
        let Some(passage) = passages.get(rid) else { continue };
        let [first, second] = best.entry(&passage.thread).or_insert([f64::NEG_INFINITY; 2]);
        if *carried > *first {
            (*first, *second) = (*carried, *first);
        } else if *carried > *second {
            *second = *carried;
        }
    }
    let mean = |[first, second]: [f64; 2]| if second.is_finite() { (first + second) / 2.0 } else { first };
    best.into_iter().map(|(thread, best)| (thread, mean(best))).collect()
}

/// Scores; ties go by rid.
pub(super) fn fuse(
    candidates: Candidates,
    wanted: &Wanted,
    (passages, places): (HashMap<i64, Passage>, &Places),
) -> Ranked {
    let features: HashMap<i64, Features> =
        passages.iter().map(|(rid, passage)| (*rid, Features::of(&passage.text))).collect();
    let mut candidates = signal(candidates, wanted, (&passages, places), &features);
    let said = answer::said(&candidates, &features, wanted);
    candidates.sort_by(diverse::best_first);
    Ranked { candidates, features, passages, said }
}

/// How many passages are given of each memory, and of each mail of a mailbox.
#[derive(Default)]
struct Counts<'a>(HashMap<(&'a str, Option<i64>), usize>);

impl<'a> Counts<'a> {
    /// How many of those are given that a passage of such signals is held against.
    fn beside(&self, passage: &'a Passage, parts: &ScoreParts) -> usize {
        let mail = passage.mail.filter(|_| gates::counts_by_mail(parts));
        self.0.get(&(passage.memory.as_str(), mail)).copied().unwrap_or(0)
    }

    fn give(&mut self, passage: &'a Passage) {
        Self::of(passage).for_each(|of| *self.0.entry(of).or_default() += 1);
    }

    fn take_back(&mut self, passage: &'a Passage) {
        for of in Self::of(passage) {
            self.0.entry(of).and_modify(|given| *given -= 1);
        }
    }

    /// Its memory, and its mail where it is of a mailbox.
    fn of(passage: &'a Passage) -> impl Iterator<Item = (&'a str, Option<i64>)> {
        let memory = passage.memory.as_str();
        std::iter::once((memory, None)).chain(passage.mail.map(|mail| (memory, Some(mail))))
    }
}

/// Keeps the best few passages of each memory ([`gates::most_of_its_memory`]), or mail of a mailbox, and gives the best `limit`; of what answers alike, what
/// repeats comes later, and what nobody confirmed for long gives way.
pub(super) fn give(ranked: Ranked, wanted: &Wanted, vectors: &Vectors, limit: usize) -> Ranking {
    let Ranked { candidates, features, passages, said } = ranked;
    let mut ranking = Ranking { considered: candidates.len(), said, ..Ranking::default() };
    let mut counts = Counts::default();
    let mut given = Given::default();
    let mut left = Choice::of(candidates, vectors, &passages);
    while let Some(candidate) = left.next() {
        let passage = &passages[&candidate.rid];
        let (text, is_stale) = (passage.text.as_str(), passage.is_stale);
        let before = counts.beside(passage, &candidate.parts);
        let is_beyond = ranking.given.len() == limit && ranking.is_behind(&candidate);
        let taken = if is_beyond {
            Err(Gate::BeyondLimit)
        } else if wanted.is_without(Part::Gates) {
            Ok(Vec::new())
        } else if before >= gates::most_of_its_memory(&candidate.parts) {
            Err(Gate::SameMemory)
        } else {
            let (features, (_, name)) = (&features[&candidate.rid], may_date(passage));
            let occurred_at = passage.occurred_at;
            let passing = Passing { candidate: &candidate, features, text, name, occurred_at };
            gates::gate(&passing, wanted).map_or_else(|| given.take(candidate.rid, text, is_stale), Err)
        };
        match taken {
            Err(gate) => ranking.leave_out(candidate, gate),
            Ok(replaced) => {
                counts.give(passage);
                left.give(&candidate, vectors, &passages);
                ranking.give(candidate);
                replaced.iter().for_each(|rid| ranking.take_back(*rid));
                let pushed_out = ranking.keep_within(limit);
                pushed_out.iter().for_each(|rid| given.take_back(*rid));
                for rid in replaced.iter().chain(&pushed_out) {
                    counts.take_back(&passages[rid]);
                }
                // What was passed over for their sake may be given instead.
                for other in ranking.take_out(&replaced, &passages) {
                    left.put_back(other, &ranking.given, vectors, &passages);
                }
            }
        }
    }
    ranking.passages = passages;
    ranking
}

#[cfg(test)]
mod tests;
