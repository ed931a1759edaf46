//! How well the best passage answers, and when nothing is called an answer: a logistic function of who says it, of the words
//! that it holds and of its meaning, fitted on the development set of conversations and on pages of manuals (docs/adr/0016).

mod names;

use super::features::Features;
use super::fuse::{Candidate, Ranking};
use super::gates;
use super::identifiers;
use super::part::Part;
use super::score::own;
use super::search::Past;
use super::wanted::Wanted;
use super::words::Question;
use crate::error::Fault;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use um_model::SpaceId;
use um_model::recall::{Hit, ScoreParts};
use um_model::traces::Gate;
use um_store::filter::Admitted;
use um_store::hits::Passage;
use um_store::{Connection, StoreError, fts};

pub(super) use names::{Name, unnamed};

/// Below this, nothing that was found is called an answer, where the space says nothing else.
pub(super) const ENOUGH: f64 = um_model::spaces::ABSTAIN_BELOW;
/// Below this, what is called an answer is so unsure that it is told which words of the question nothing found says.
pub(super) const UNSURE: f64 = 0.5;
/// How well nothing answers.
pub(super) const NOTHING: f64 = 0.0;
/// Who says it is told by so many of the best passages of each side; where one has fewer, it is not told.
const BEST: usize = 5;
/// Somebody else says it where it is told by less than this.
const BY_OTHERS: f64 = -0.1;
/// What is said where nothing more can be said of what was found.
pub(super) const FAR_FROM_IT: &str = "What was found is far from the question.";
/// Below this cosine, a passage is about something else.
const FAR: f64 = 0.3;
/// That a passage is of the period that is asked for counts as so many of the words that are.
const TIME: f64 = 0.5;
/// What it takes that nothing holds any of the identifiers that the question spells out. It is not fitted.
const UNHELD: f64 = 1.2;
/// What it takes that nothing found says a name of the question, however many it has: what is nearest is told of somebody else then, and
/// with all other words and their meaning (0.8 of the words, a cosine of 0.75: 1.19) it is no sure answer. It is not fitted.
const UNNAMED: f64 = 1.4;
/// Where a reranker ordered the passages, the best of so many of the first is judged: it puts first what answers by what it reads, which
/// may have few of the words and another meaning by itself.
const RERANKED: usize = 3;
/// Another space answers only by what stands among so many of the first hits: an answer is told of what is seen first.
const NEAR_THE_TOP: usize = 3;

/// So many words that nothing found says are told at most.
const GAPS: usize = 3;

/// How well the best hit answers.
pub(super) struct Answer {
    /// 0 to 1.
    pub(super) score: f64,
    /// What that is made of.
    pub(super) parts: BTreeMap<String, f64>,
    /// What it must come to in its space.
    pub(super) enough: f64,
    /// Whether it is too little to be an answer.
    pub(super) abstains: bool,
    /// Why, in words for a person.
    pub(super) reason: Option<String>,
}

/// What of the question nothing that was found holds, 0 to 1 each.
#[derive(Clone, Copy, Default)]
struct Lacking {
    /// How many of the identifiers that it spells out.
    unheld: f64,
    /// 1 where it calls somebody or something by a name that nothing says.
    unnamed: f64,
}

/// What of a hit tells how well it answers.
struct Judged<'a> {
    found: &'a ScoreParts,
    by_words: f64,
    share: f64,
    score: f64,
    /// What it must come to in its space.
    enough: f64,
}

impl<'a> Judged<'a> {
    fn of(
        (question, wanted): (&Question, &Wanted),
        hit: &'a Hit,
        ranking: &Ranking,
        (lacking, own): (Lacking, &[(SpaceId, f64)]),
    ) -> Self {
        let passage = ranking.passages.values().find(|one| one.unit == hit.ids.unit.as_str());
        let (name, found) = (passage.map_or("", |one| &one.name), &hit.score_parts);
        let by_words = share(question, name, &hit.quote);
        let share = match found.period {
            // All that is asked for.
            Some(_) if wanted.is_of_period_alone() => 1.0,
            Some(_) => by_words.max(share_of_period(question, name, &hit.quote)),
            None => by_words,
        };
        let enough = own.iter().find(|(space, _)| *space == hit.ids.space).map_or(ENOUGH, |(_, enough)| *enough);
        let counted = |part: Part, value: f64| if wanted.is_without(part) { 0.0 } else { value };
        let score = score(
            counted(Part::AnswerSaid, ranking.said),
            counted(Part::AnswerShare, share),
            found.cosine.filter(|_| !wanted.is_without(Part::AnswerMeaning)),
            Lacking {
                unheld: counted(Part::AnswerUnheld, lacking.unheld),
                unnamed: counted(Part::AnswerUnnamed, lacking.unnamed),
            },
        );
        Self { found, by_words, share, score, enough }
    }

    fn answers(&self) -> bool {
        self.score >= self.enough
    }

    /// The better one, which is one that answers where any does; of equals, the one before.
    fn or_better(self, next: Self) -> Self {
        let is_better = match (self.answers(), next.answers()) {
            (one, other) if one == other => next.score > self.score,
            (_, answers) => answers,
        };
        if is_better { next } else { self }
    }
}

/// Judges the first hit of a ranking, or the best of the first few that a reranker ordered: it answers where it comes to what its space says,
/// among its `own`, or to [`ENOUGH`]. Where it does not, the first or first few of each other space may, near the top.
/// `is_unnamed` tells whether nothing that is given says a name of the question, and `by_meaning` whether meaning was searched.
pub(super) fn judged(
    (question, wanted): (&Question, &Wanted),
    hits: &[Hit],
    (ranking, is_unnamed): (&Ranking, bool),
    (own, by_meaning): (&[(SpaceId, f64)], bool),
) -> Answer {
    let Some((first, others)) = hits.split_first() else {
        let reason = Some(nothing(ranking, wanted, by_meaning));
        return Answer { score: NOTHING, parts: BTreeMap::new(), enough: ENOUGH, abstains: true, reason };
    };
    let lacking = Lacking {
        unheld: ranking.unheld.len() as f64 / wanted.identifiers.len().max(1) as f64,
        unnamed: f64::from(u8::from(is_unnamed)),
    };
    let read = if first.score_parts.rerank.is_some() { RERANKED } else { 1 };
    let judge = |hit| Judged::of((question, wanted), hit, ranking, (lacking, own));
    let best = others.iter().take(read - 1).map(judge).fold(judge(first), Judged::or_better);
    let near_the_top = hits.get(..NEAR_THE_TOP).unwrap_or(hits);
    let of_another = || firsts(near_the_top, read).map(judge).find(Judged::answers);
    let best = if best.answers() { best } else { of_another().unwrap_or(best) };
    let Judged { found, by_words, share, score, enough } = best;
    let (said, cosine) = (ranking.said, found.cosine);
    let [unheld, unnamed] = [lacking.unheld, lacking.unnamed].map(|part| Some(part).filter(|part| *part > 0.0));
    let found_of_it = [("said", Some(said)), ("share", Some(share)), ("cosine", cosine)];
    let told = found_of_it.into_iter().chain([("unheld", unheld), ("unnamed", unnamed)]);
    let parts = told.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
    let has_words = by_words > 0.0 || found.words.is_some();
    let reason = (score < enough).then(|| why((question, wanted), ranking, (found, has_words)));
    Answer { score, parts, enough, abstains: reason.is_some(), reason }
}

/// The first so many hits of each space.
fn firsts(hits: &[Hit], number: usize) -> impl Iterator<Item = &Hit> {
    let mut taken: HashMap<&SpaceId, usize> = HashMap::new();
    hits.iter().filter(move |hit| {
        let of_its_space = taken.entry(&hit.ids.space).or_default();
        *of_its_space += 1;
        *of_its_space <= number
    })
}

/// What is said where nothing at all is kept in what is searched.
pub(super) const NOTHING_KEPT: &str = "No file or note is kept here yet. Add some: drop files on the window, or use `umem ingest` and \
    `umem remember`.";

/// What is said where nothing passes what narrows a question down.
pub(super) const NOTHING_PASSES: &str = "Nothing here passes what narrows it down.";

/// What is said where nothing has words that must stand in one order.
const NOTHING_IN_ORDER: &str = "Nothing that was searched has these words in this order.";

/// What is said where nothing but a period is asked for, and nothing is of it.
const NOTHING_OF_PERIOD: &str = "Nothing that was searched is of the time that is asked for.";

/// Why nothing is given: nothing passes, nothing was found, or the best that was found is not worth giving.
fn nothing(ranking: &Ranking, wanted: &Wanted, by_meaning: bool) -> String {
    // That what was found is beside the period which is all that is asked for is told of the period.
    let is_told =
        |(one, _): &&(Candidate, Gate)| gates::is_found(&one.parts) && !wanted.is_beside_the_period(&one.parts);
    match ranking.rejected.iter().find(is_told) {
        _ if ranking.nothing_passes => NOTHING_PASSES.to_owned(),
        Some((_, gate)) => format!("What was found was left out. {}", gates::in_words(*gate)),
        None if ranking.lacks_phrase => NOTHING_IN_ORDER.to_owned(),
        None if wanted.is_of_period_alone() && ranking.misses_period() => NOTHING_OF_PERIOD.to_owned(),
        None if by_meaning => "Nothing here has these words or their meaning.".to_owned(),
        None => "Nothing here has these words, and their meaning was not searched.".to_owned(),
    }
}

/// What is nearest is of others where something of the question is lacking.
fn score(said: f64, share: f64, cosine: Option<f64>, lacking: Lacking) -> f64 {
    let x = match cosine {
        Some(cosine) => 4.2 * said + 1.8 * share + 3.0 * cosine - 2.5,
        // Who has none of the words, where nothing else is compared, answers nothing: that is below `ENOUGH`.
        None => 4.2 * said + 2.7 * share - 1.4,
    };
    let x = x - UNHELD * lacking.unheld - UNNAMED * lacking.unnamed;
    1.0 / (1.0 + (-x).exp())
}

/// The score of these parts; none where one is missing.
pub(super) fn again(parts: &BTreeMap<String, f64>) -> Option<f64> {
    let part = |name: &str| parts.get(name).copied();
    let lacking = Lacking { unheld: part("unheld").unwrap_or(0.0), unnamed: part("unnamed").unwrap_or(0.0) };
    Some(score(part("said")?, part("share")?, part("cosine"), lacking))
}

/// How much of the question's words, but for the names in it, a passage holds together with its title and headings.
fn share(question: &Question, name: &str, quote: &str) -> f64 {
    let found = question.held_by(name, quote);
    let matters = question.matters();
    matters.iter().filter(|at| found.contains(at)).count() as f64 / matters.len().max(1) as f64
}

/// The same of a passage that is of the period that the question names: no word of time need be in it. That it is of then tells that it
/// may be meant, no more, and counts as [`TIME`]; where nothing else is asked for, that is all.
fn share_of_period(question: &Question, name: &str, quote: &str) -> f64 {
    let found = question.held_by(name, quote);
    let mut rest = question.matters();
    rest.retain(|at| !question.asks_no_more(&question.words[*at]));
    let held = rest.iter().filter(|at| found.contains(at)).count();
    (held as f64 + TIME) / (rest.len() as f64 + TIME)
}

/// What is missing, in words for a person.
fn why((question, wanted): (&Question, &Wanted), ranking: &Ranking, (found, has_words): (&ScoreParts, bool)) -> String {
    if ranking.said < BY_OTHERS {
        let names: Vec<String> = question.names.iter().map(|name| capital(name)).collect();
        return match names.as_slice() {
            [] => "Somebody else said what is nearest to this.".to_owned(),
            names => format!("What is nearest to this was said by somebody else, not by {}.", names.join(" or ")),
        };
    }
    if wanted.is_of_period_alone() && ranking.misses_period() {
        return NOTHING_OF_PERIOD.to_owned();
    }
    if let Some(notice) = identifiers::notice(&question.text, &ranking.unheld) {
        return notice;
    }
    let is_far = found.cosine.map(|cosine| cosine < FAR);
    match (has_words, is_far) {
        (false, _) if found.period.is_some() => {
            "What was found is of that time, and nothing else tells that it is meant."
        }
        (false, Some(true)) => "What was found has none of these words, and is far from their meaning.",
        (false, Some(false)) => "What was found has none of these words, and is not near enough to their meaning.",
        (false, None) => "What was found has none of these words, and their meaning was not searched.",
        (true, Some(true)) => "What was found has some of these words, and is about something else.",
        (true, _) => FAR_FROM_IT,
    }
    .to_owned()
}

/// What is said first of words that nothing found says.
const NOTHING_SAYS: &str = "Nothing found says ";

/// Whether a notice is of such words: it says them.
pub(super) fn is_gap(notice: &str) -> bool {
    notice.starts_with(NOTHING_SAYS)
}

/// What of the question nothing that is given says, in words for a person: `Nothing found says “ferry” or “timetable”.` Names that are
/// `unnamed` come first, and are told of every answer, other words of an unsure one alone. Who asks as of another time is not told.
pub(super) fn gap(
    c: &Connection,
    (question, wanted): (&Question, &Wanted),
    (ranking, past): (&Ranking, &Past<'_>),
    (unnamed, is_unsure): (&[Name], bool),
) -> Result<Option<String>, Fault> {
    let mut others = if is_unsure { unsaid(c, (question, wanted), (ranking, past))? } else { Vec::new() };
    others.retain(|at| !unnamed.iter().any(|name| name.has(*at)));
    let names = unnamed.iter().map(|name| name.spelled(question));
    let all = names.chain(others.into_iter().map(|at| question.spelled(at).to_owned()));
    let spelled: Vec<String> = all.take(GAPS).map(|word| format!("“{word}”")).collect();
    Ok((!spelled.is_empty()).then(|| format!("{NOTHING_SAYS}{}.", listed(&spelled))))
}

/// The places of the words of a question that nothing that is given says. None where nothing is missing, or all of it, which is told already,
/// or where nothing but a period is asked for. Forms of a word are taken for it as the index takes them, and of cold ones as that of the
/// `past` does.
fn unsaid(
    c: &Connection,
    (question, wanted): (&Question, &Wanted),
    (ranking, past): (&Ranking, &Past<'_>),
) -> Result<Vec<usize>, Fault> {
    let asked = asked_for(question, wanted);
    if asked.is_empty() || ranking.given.is_empty() || wanted.is_of_period_alone() {
        return Ok(Vec::new());
    }
    let given: Vec<&Passage> = ranking.given.iter().filter_map(|one| ranking.passages.get(&one.rid)).collect();
    let (mut unheld, mut unsaid) = (asked.clone(), Vec::new());
    for one in &given {
        if unheld.is_empty() {
            break;
        }
        let held = question.held_by(&one.name, &one.text);
        unheld.retain(|at| !held.contains(at));
    }
    for at in &unheld {
        if !is_said(c, (given.as_slice(), past), &[question.words[*at].as_str()])? {
            unsaid.push(*at);
        }
    }
    if unsaid.len() == asked.len() {
        unsaid.clear();
    }
    Ok(unsaid)
}

/// Whether a question has a word, or spells out an identifier, that nothing in these spaces holds, nor anything that was found: it may be
/// one of what was forgotten. Forms of a word are taken for it as the index takes them.
pub(super) fn has_unheld(
    c: &Connection,
    spaces: &[SpaceId],
    (question, wanted): (&Question, &Wanted),
    ranking: &Ranking,
) -> Result<bool, Fault> {
    if !ranking.unheld.is_empty() {
        return Ok(true);
    }
    let mut missing = asked_for(question, wanted);
    for space in spaces {
        let mut left = Vec::new();
        for at in missing {
            let Some(expression) = super::words::phrase(&question.words[at]) else { continue };
            if !fts::any(c, space, &expression, &Admitted::All)? {
                left.push(at);
            }
        }
        missing = left;
    }
    if missing.is_empty() {
        return Ok(false);
    }
    // What is out of use is in no index, and may be what was found.
    let held: BTreeSet<usize> =
        ranking.passages.values().flat_map(|one| question.held_by(&one.name, &one.text)).collect();
    Ok(missing.iter().any(|at| !held.contains(at)))
}

/// The places of the words that a passage may be asked for: no names of who speaks, and what [may be said](may_be_said).
fn asked_for(question: &Question, wanted: &Wanted) -> Vec<usize> {
    let is_name = |at: usize| question.names.contains(&question.words[at]);
    (0..question.words.len()).filter(|at| !is_name(*at) && may_be_said(question, wanted, *at)).collect()
}

/// Whether a passage that answers may say the word in this place: it is no word of time or for whatever there is, no common one, and no part
/// of an identifier, which a notice of its own tells.
fn may_be_said(question: &Question, wanted: &Wanted, at: usize) -> bool {
    let word = question.words[at].as_str();
    let is_of_identifier = wanted.identifiers.iter().any(|identifier| identifier.contains(word));
    !question.asks_no_more(word) && !is_of_identifier && !question.is_common(word)
}

/// Whether one of some passages says one of some words or names, as the index of its space has it, or that of the `past`: one statement for
/// each space. What has no word is said by all.
fn is_said(c: &Connection, (given, past): (&[&Passage], &Past<'_>), names: &[&str]) -> Result<bool, Fault> {
    let Some(phrases) = names.iter().map(|name| super::words::phrase(name)).collect::<Option<Vec<_>>>() else {
        return Ok(true);
    };
    let expression = phrases.join(" OR ");
    let spaces: BTreeSet<&str> = given.iter().map(|one| one.space.as_str()).collect();
    for space in spaces {
        let rids: Vec<i64> = given.iter().filter(|one| one.space == space).map(|one| one.rid).collect();
        let space = SpaceId::parse(space).map_err(StoreError::from)?;
        if !fts::matching(c, &space, &expression, Some(&rids))?.is_empty() || past.any(&space, &expression, &rids)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// `“a”`, `“a” or “b”`, `“a”, “b” or “c”`.
fn listed(words: &[String]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        words => words.concat(),
    }
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// -1 to 1: how much more of the question is in what is said by whom it names than in what others say. 0 where either has too few
/// passages to tell.
pub(super) fn said(scored: &[Candidate], features: &HashMap<i64, Features>, wanted: &Wanted) -> f64 {
    let (mut by_them, mut by_others) = (Vec::new(), Vec::new());
    for candidate in scored.iter().filter(|one| !wanted.is_beside_the_period(&one.parts)) {
        let labels = features.get(&candidate.rid).map_or(&[][..], |features| &features.said_by);
        let theirs = labels.iter().filter(|label| wanted.said_by.contains(label)).count();
        match theirs {
            0 if !labels.is_empty() => by_others.push(tells(candidate)),
            all if all > 0 && all == labels.len() => by_them.push(tells(candidate)),
            _ => {}
        }
    }
    match (best(by_them), best(by_others)) {
        (Some(theirs), Some(others)) => (theirs - others).clamp(-1.0, 1.0),
        _ => 0.0,
    }
}

/// How much of an answer is in a passage, whoever says it.
fn tells(candidate: &Candidate) -> f64 {
    let parts = &candidate.parts;
    let [reply, asks, short] = [parts.reply, parts.asks, parts.short].map(|part| part.unwrap_or(0.0));
    own(parts) + 0.5 * reply - 0.5 * asks + 0.6 * short
}

fn best(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(|a, b| b.total_cmp(a));
    Some(values.get(..BEST)?.iter().sum::<f64>() / BEST as f64)
}

#[cfg(test)]
mod tests;
