//! What a question asks beside its words: who said it, when, and what it calls by name.

use super::dates::{self, Named};
use super::fuse::latest;
use super::part::Part;
use super::words::Question;
use super::{DAY, features, gates, identifiers};
use std::collections::{BTreeMap, BTreeSet};
use um_model::claims::EntityRef;
use um_model::recall::ScoreParts;
use um_model::{EpochMs, SpaceId};

/// What is told up to three days after a day, or the day before it, may be of it.
const SOON: f64 = 0.47;

/// A period that a question names, as the clock of whoever asks [shows](dates::Now::shown) it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Period {
    /// Its first moment.
    pub(super) from: EpochMs,
    /// The first moment behind it.
    pub(super) to: EpochMs,
    /// Whether nothing else is asked for.
    pub(super) alone: bool,
    /// Whether it has its year, or is counted from now, and was over when that was asked: what is so now may have been told at any time.
    pub(super) past: bool,
}

/// What was told within half a year of a period may be of it, without a word of time: talks go on about what was, and plans come before it.
const MAY_BE_OF_IT: EpochMs = 183 * DAY;

impl Period {
    /// Whether a moment is so far from it that what was told then is of another time: more than as long as it is itself, and more than
    /// [half a year](MAY_BE_OF_IT), before its beginning or behind its end.
    pub(super) fn is_far(self, at: EpochMs) -> bool {
        let margin = self.to.saturating_sub(self.from).max(MAY_BE_OF_IT);
        at < self.from.saturating_sub(margin) || at >= self.to.saturating_add(margin)
    }

    /// Whether a passage is found by it: it happened then, and where more is asked for, it has some of the words or a meaning that is
    /// not quite another one.
    pub(super) fn finds(self, parts: &ScoreParts) -> bool {
        let is_near = parts.vector_rank.is_some() && parts.cosine.is_some_and(|cosine| cosine >= gates::ANY_MEANING);
        parts.date.is_some_and(|near| near >= 1.0) && (self.alone || parts.words.is_some() || is_near)
    }
}

/// What a question asks beside its words.
pub(super) struct Wanted {
    /// Whoever is to have said it.
    pub(super) said_by: Vec<String>,
    /// What it calls by its exact spelling.
    pub(super) identifiers: Vec<String>,
    /// By which clock its times are meant.
    pub(super) now: dates::Now,
    /// When.
    pub(super) date: Option<Named>,
    /// The period that it names, where it names one: no event, and a time that is open at one end only where nothing else is asked for.
    pub(super) period: Option<Period>,
    /// Whether it asks for a time.
    pub(super) when: bool,
    /// Whether it asks for the latest of something.
    pub(super) latest: bool,
    /// Whether it asks about remembering itself.
    pub(super) about_memory: bool,
    /// Whom or what it names, by a name or another one, by the space that calls it so, in its order; those of `GLOBAL` are named in all.
    pub(super) entities: BTreeMap<SpaceId, Vec<EntityRef>>,
    /// The same of all spaces, each with the words of the question that name it.
    pub(super) called: Vec<(EntityRef, String)>,
    /// The spaces that call somebody so themselves: those of `GLOBAL` are not named there.
    pub(super) bearing: BTreeSet<SpaceId>,
    /// The part of recall that an evaluation leaves out.
    pub(super) without: Option<Part>,
}

impl Wanted {
    pub(super) fn of(question: &Question, now: dates::Now) -> Self {
        let parties = features::parties(&question.text).iter().map(|party| (*party).to_owned());
        let identifiers = identifiers::of(&question.text);
        let dates::Asked { named: date, months_are_led } = dates::asked(&question.text, now);
        let when = features::asks_when(&question.text);
        // What is of a date only where it stands.
        let of_dates = [dates::short_months(&question.text), dates::counted_parts(&question.text)].concat();
        let asks_no_more = question.words.iter().all(|word| question.asks_no_more(word) || of_dates.contains(word));
        let alone = asks_no_more && months_are_led && !when && identifiers.is_empty() && question.names.is_empty();
        let is_of_any_year = matches!(date, Some(Named::Day { year: None, .. } | Named::Month { year: None, .. }));
        let bounds = date.and_then(|date| if alone { dates::span(date, now) } else { dates::bounds(date, now) });
        Self {
            said_by: question.names.iter().cloned().chain(parties).collect(),
            identifiers,
            now,
            date,
            period: bounds.map(|(from, to)| Period { from, to, alone, past: !is_of_any_year && to <= now.local() }),
            when,
            latest: latest::is_asked(&question.text),
            about_memory: gates::is_about_memory(&question.text),
            entities: BTreeMap::new(),
            called: Vec::new(),
            bearing: BTreeSet::new(),
            without: None,
        }
    }

    /// The same where a part is left out: what that reads of a question is not asked.
    pub(super) fn leaving_out(self, without: Option<Part>) -> Self {
        let all = Self { without, ..self };
        match without {
            Some(Part::Names) => Self { said_by: Vec::new(), ..all },
            Some(Part::Times) => Self { date: None, period: None, when: false, latest: false, ..all },
            Some(Part::Identifiers) => Self { identifiers: Vec::new(), ..all },
            _ => all,
        }
    }

    /// Whether a part is left out.
    pub(super) fn is_without(&self, part: Part) -> bool {
        self.without == Some(part)
    }

    /// What the clock by which its times are meant [said](dates::Now::shown) when something was that is dated so.
    pub(super) fn shown(&self, dated: EpochMs) -> EpochMs {
        self.now.shown(dated)
    }

    /// 0 to 1: how near the time that it names something is that is dated so.
    pub(super) fn closeness(&self, dated: Option<EpochMs>) -> Option<f64> {
        self.date.zip(dated).map(|(date, at)| dates::closeness(date, self.shown(at)))
    }

    /// From which moment until before which one the period lasts.
    pub(super) fn moments(&self, period: Period) -> (EpochMs, EpochMs) {
        (self.now.moment(period.from), self.now.moment(period.to))
    }

    /// Whether it asks for nothing but what is of a period, and a passage, by its text and its title and headings, says that it is of that.
    pub(super) fn is_said(&self, (text, name): (&str, &str), told_at: Option<EpochMs>) -> bool {
        let asked = self.date.zip(self.period.filter(|period| period.alone));
        let told_at = told_at.map(|at| self.shown(at));
        let says =
            |text: &str| asked.is_some_and(|(date, period)| dates::says(text, told_at, (date, period.from, period.to)));
        says(text) || says(name)
    }

    /// Whether a question that asks for nothing but what is of a period is not answered by a passage, as that is not of it; what is told
    /// soon after a day may be.
    pub(super) fn is_beside_the_period(&self, parts: &ScoreParts) -> bool {
        let is_of_a_day = matches!(self.date, Some(Named::Day { .. }));
        let is_soon_after = is_of_a_day && parts.date.is_some_and(|near| near >= SOON);
        self.is_of_period_alone() && parts.period.is_none() && !is_soon_after
    }

    /// Whether it asks for nothing but what is of a period.
    pub(super) fn is_of_period_alone(&self) -> bool {
        self.period.is_some_and(|period| period.alone)
    }
}
