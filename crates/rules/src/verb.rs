//! Verb groups: `works`, `was written`, `no longer works`, `has been living`, `does not use`.

use crate::data::verbs::{BASE, Forms, ING, PARTICIPLE, PAST, THIRD};
use crate::data::words::{ADJECTIVE, ADVERB, BE, DO, HAVE, INTERJECTION, MODAL, NEGATION};
use crate::noun::Words;

/// How a verb is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    /// `writes`
    Active,
    /// `was written`
    Passive,
    /// `is`, with what follows it.
    Copula,
}

/// When it is said to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tense {
    /// `works`
    Present,
    /// `worked`
    Past,
    /// `has worked`
    Perfect,
    /// `will work`
    Future,
}

/// A verb with its helpers, in token numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct VerbGroup {
    /// The main verb's base form.
    pub lemma: &'static str,
    /// Its token.
    pub main: usize,
    /// One past the group's last token.
    pub end: usize,
    /// How it is used.
    pub voice: Voice,
    /// When.
    pub tense: Tense,
    /// `is working`
    pub progressive: bool,
    /// `not`, `never`
    pub negated: bool,
    /// `no longer`, `used to`, `stopped`
    pub ended: bool,
    /// `started`, `began`
    pub begun: bool,
    /// Whether a verb of beginning or giving up leads the main verb.
    pub turning: bool,
    /// `can`
    pub can: bool,
    /// `would`, `might`, `going to`, `almost`: not said to be so.
    pub unsure: bool,
}

struct Group {
    tense: Option<Tense>,
    progressive: bool,
    negated: bool,
    ended: bool,
    begun: bool,
    turning: bool,
    can: bool,
    unsure: bool,
    be: bool,
    want: Forms,
}

/// Adverbs that take back what they stand by.
const UNSURE: &str = " almost nearly hardly barely scarcely rarely seldom maybe perhaps probably possibly potentially supposedly allegedly \
    reportedly apparently presumably theoretically hopefully likely ";

/// The verb group that begins at `at`.
pub(crate) fn verb_group(words: &Words<'_>, at: usize) -> Option<VerbGroup> {
    let mut group = Group {
        tense: None,
        progressive: false,
        negated: false,
        ended: false,
        begun: false,
        turning: false,
        can: false,
        unsure: false,
        be: false,
        want: BASE | THIRD | PAST,
    };
    let mut at = at;
    for _ in 0..14 {
        let token = words.tokens.get(at)?;
        if words.lower(at) == "no" && words.lower(at + 1) == "longer" {
            group.ended = true;
            at += 2;
            continue;
        }
        if token.is(NEGATION) {
            group.unsure |= words.any(at, UNSURE);
            group.negated = true;
            at += 1;
            continue;
        }
        if token.is(ADVERB) && !(token.is(ADJECTIVE) && group.be) && token.verb.is_none() {
            let weakens = group.negated && words.any(at, " always often usually necessarily only just exactly quite ");
            group.unsure |= words.any(at, UNSURE) || weakens;
            at += 1;
            continue;
        }
        match step(words, &mut group, at) {
            Step::Helper(next) => at = next,
            Step::Main(found) => return Some(found),
            Step::None => return None,
        }
    }
    None
}

enum Step {
    Helper(usize),
    Main(VerbGroup),
    None,
}

fn step(words: &Words<'_>, group: &mut Group, at: usize) -> Step {
    let token = &words.tokens[at];
    let word = token.lower.as_str();
    if token.is_capital() && at > 0 && token.shape != crate::token::Shape::Upper && !token.is(BE | HAVE | DO | MODAL) {
        return copula_or_none(group, at);
    }
    if token.is(MODAL) && !token.is(INTERJECTION) {
        match word {
            "will" => group.tense = Some(Tense::Future),
            "can" => group.can = true,
            // `must not eat gluten`
            "must" | "may" if words.is(at + 1, NEGATION) && consumes(words, at + 2) => group.can = true,
            "'d" if participle_follows(words, at + 1) => {
                group.tense = Some(Tense::Past);
                group.want = PARTICIPLE;
                return Step::Helper(at + 1);
            }
            _ => group.unsure = true,
        }
        group.want = BASE;
        return Step::Helper(at + 1);
    }
    // `has got` has.
    if token.is(HAVE)
        && words.lower(at + 1) == "got"
        && !group.be
        && (words.is(at + 2, crate::data::words::DET | crate::data::words::NUMBER) || words.capital(at + 2))
    {
        group.tense.get_or_insert(Tense::Present);
        return Step::Main(finish(group, "have", at, at + 2, Voice::Active));
    }
    if token.is(HAVE) && (token.lower != "having") {
        if participle_follows(words, at + 1) {
            group.tense = Some(if word == "had" { Tense::Past } else { Tense::Perfect });
            group.want = PARTICIPLE;
            return Step::Helper(at + 1);
        }
        if words.lower(at + 1) == "to" {
            group.unsure = true;
        }
    }
    if token.is(DO) && word != "done" && base_follows(words, at + 1) {
        group.tense = Some(if word == "did" { Tense::Past } else { Tense::Present });
        group.want = BASE;
        return Step::Helper(at + 1);
    }
    if word == "'s" && participle_follows(words, at + 1) && words.lower(at + 1) == "been" {
        group.tense = Some(Tense::Perfect);
        group.want = PARTICIPLE;
        return Step::Helper(at + 1);
    }
    if token.is(BE) && !(group.be && word == "'s") {
        return be(words, group, at);
    }
    main_verb(words, group, at)
}

fn consumes(words: &Words<'_>, at: usize) -> bool {
    words.any(at, " eat drink ")
}

fn participle_follows(words: &Words<'_>, at: usize) -> bool {
    let at = skip_adverbs(words, at);
    words.tokens.get(at).and_then(|token| token.verb).is_some_and(|verb| verb.can_be(PARTICIPLE)) && !words.capital(at)
}

fn base_follows(words: &Words<'_>, at: usize) -> bool {
    let at = skip_adverbs(words, at);
    words.tokens.get(at).and_then(|token| token.verb).is_some_and(|verb| verb.can_be(BASE))
        || words.any(at, " have be do ")
}

fn skip_adverbs(words: &Words<'_>, at: usize) -> usize {
    let mut at = at;
    while words.is(at, ADVERB | NEGATION)
        && words.tokens[at].verb.is_none_or(|verb| verb.nounish)
        && !words.any(at, " today tomorrow tonight yesterday ")
    {
        at += 1;
    }
    at
}

/// A form of `be`: a helper before a participle or an `ing`, else the copula.
fn be(words: &Words<'_>, group: &mut Group, at: usize) -> Step {
    let word = words.lower(at);
    if group.tense.is_none() {
        group.tense = Some(if matches!(word, "was" | "were") { Tense::Past } else { Tense::Present });
    }
    group.be = true;
    let mut next = skip_adverbs(words, at + 1);
    if words.lower(next) == "no" && words.lower(next + 1) == "longer" {
        group.ended = true;
        next = skip_adverbs(words, next + 2);
    }
    for between in at + 1..next {
        group.negated |= words.is(between, NEGATION);
        group.unsure |= words.any(between, UNSURE);
    }
    let verb = words.tokens.get(next).and_then(|token| token.verb).filter(|_| !words.capital(next));
    // `is married` is a state, whatever the table of adjectives says.
    let adjective =
        words.is(next, ADJECTIVE) && !words.any(next, " married born based located engaged retired widowed divorced ");
    let to_verb = words.tokens.get(next + 2).and_then(|token| token.verb).is_some_and(|verb| verb.can_be(BASE));
    if words.lower(next) == "going" && words.lower(next + 1) == "to" && to_verb {
        group.unsure = true;
        return Step::Helper(next + 2);
    }
    // `is not allowed to eat nuts`
    if words.any(next, " allowed able permitted ") && words.lower(next + 1) == "to" && consumes(words, next + 2) {
        group.can = true;
        group.unsure |= group.tense == Some(Tense::Past);
        group.want = BASE;
        return Step::Helper(next + 2);
    }
    match verb {
        Some(verb) if verb.can_be(ING) && !adjective => {
            group.progressive = true;
            group.want = ING;
            Step::Helper(next)
        }
        Some(verb) if verb.can_be(PARTICIPLE) && !adjective => {
            group.want = PARTICIPLE;
            Step::Helper(next)
        }
        _ => Step::Main(finish(group, "be", at, next, Voice::Copula)),
    }
}

/// After `is no longer`, what follows is the copula's.
fn copula_or_none(group: &Group, at: usize) -> Step {
    if group.be && group.want & (PARTICIPLE | ING) == 0 {
        Step::Main(finish(group, "be", at, at, Voice::Copula))
    } else {
        Step::None
    }
}

fn main_verb(words: &Words<'_>, group: &mut Group, at: usize) -> Step {
    let Some(verb) = words.tokens[at].verb else { return copula_or_none(group, at) };
    if !verb.can_be(group.want) {
        return copula_or_none(group, at);
    }
    if group.tense.is_none() {
        // `put` and its like are read as the past only where the form allows nothing else.
        let past = verb.can_be(PAST) && (!verb.can_be(BASE | THIRD) || verb.lemma == "quit");
        group.tense = Some(if past { Tense::Past } else { Tense::Present });
    }
    let next = words.lower(at + 1);
    if words.lower(at) == "used"
        && next == "to"
        && !group.be
        && words.tokens.get(at + 2).and_then(|token| token.verb).is_some_and(|verb| verb.can_be(BASE))
    {
        group.ended = true;
        group.want = BASE;
        return Step::Helper(at + 2);
    }
    let inner = words.tokens.get(at + 1).and_then(|token| token.verb);
    let continues = inner.is_some_and(|inner| inner.can_be(ING)) && !words.capital(at + 1);
    if matches!(verb.lemma, "stop" | "quit") && continues {
        group.ended = true;
        group.turning = true;
        group.want = ING;
        return Step::Helper(at + 1);
    }
    if matches!(verb.lemma, "start" | "begin" | "keep" | "continue") && !group.be {
        let to =
            next == "to" && words.tokens.get(at + 2).and_then(|token| token.verb).is_some_and(|verb| verb.can_be(BASE));
        if continues || to {
            group.begun |= matches!(verb.lemma, "start" | "begin");
            group.turning |= group.begun;
            group.want = if to { BASE } else { ING };
            return Step::Helper(at + if to { 2 } else { 1 });
        }
    }
    let got_to = verb.lemma == "get"
        && next == "to"
        && words.tokens.get(at + 2).and_then(|token| token.verb).is_some_and(|verb| verb.can_be(BASE));
    if got_to && group.tense == Some(Tense::Past) {
        group.want = BASE;
        return Step::Helper(at + 2);
    }
    if verb.lemma == "get" && inner.is_some_and(|inner| inner.can_be(PARTICIPLE) && !inner.can_be(BASE)) && !group.be {
        group.be = true;
        group.want = PARTICIPLE;
        return Step::Helper(at + 1);
    }
    if verb.lemma == "take" && next == "place" {
        return Step::Main(finish(group, "occur", at, at + 2, Voice::Active));
    }
    let passive = group.be && group.want == PARTICIPLE;
    Step::Main(finish(group, verb.lemma, at, at + 1, if passive { Voice::Passive } else { Voice::Active }))
}

fn finish(group: &Group, lemma: &'static str, main: usize, end: usize, voice: Voice) -> VerbGroup {
    VerbGroup {
        lemma,
        main,
        end,
        voice,
        tense: group.tense.unwrap_or(Tense::Present),
        progressive: group.progressive,
        negated: group.negated,
        ended: group.ended,
        begun: group.begun,
        turning: group.turning,
        can: group.can,
        unsure: group.unsure,
    }
}
