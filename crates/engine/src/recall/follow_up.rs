//! What goes on with a talk and asks for nothing by itself: `ok, go on`, `thanks`. No passage answers it, whatever words it shares.

use super::fuse::Ranking;
use super::words::Question;
use super::{answer, trace};
use crate::error::Outcome;
use crate::{Caller, Engine};
use um_model::recall::{MemoryRecall, Recalled};
use um_model::traces::RecallTrace;
use unicode_segmentation::UnicodeSegmentation;

/// What is said so in English, German, French and Spanish, by itself or several after one another. Words that may be a matter too
/// (`continue`, `next`, `more`), in another one of these languages as well (`gut`, `vale`), are not among them.
const SAID: &[&str] = &[
    "adelante",
    "all right",
    "alles klar",
    "alright",
    "bitte",
    "bitte weiter",
    "carry on",
    "compris",
    "cuéntame más",
    "d'accord",
    "danke",
    "danke dir",
    "danke schön",
    "danke sehr",
    "de acuerdo",
    "dis m'en plus",
    "entendido",
    "erzähl mehr",
    "erzähl mir mehr",
    "et ensuite",
    "go ahead",
    "go on",
    "good",
    "got it",
    "gracias",
    "great",
    "i see",
    "in ordnung",
    "ja",
    "je vois",
    "keep going",
    "kein problem",
    "mach weiter",
    "many thanks",
    "merci",
    "merci beaucoup",
    "merci bien",
    "muchas gracias",
    "muy bien",
    "no hay problema",
    "no problem",
    "ok",
    "okay",
    "oui",
    "pas de problème",
    "please continue",
    "please do",
    "please go on",
    "por favor",
    "s'il te plaît",
    "s'il vous plaît",
    "sehr gut",
    "sounds good",
    "sure",
    "sí",
    "tell me more",
    "thank you",
    "thank you so much",
    "thank you very much",
    "thanks",
    "thanks a lot",
    "thx",
    "très bien",
    "und dann",
    "und weiter",
    "understood",
    "vas y",
    "verstanden",
    "verstehe",
    "very good",
    "vielen dank",
    "well done",
    "y luego",
    "y qué más",
    "ya veo",
    "yep",
    "yes",
    "yes please",
    "ça marche",
];
/// So many words the longest of them has.
const LONGEST: usize = 4;

/// Why a request that only follows something up is not searched for; none where it asks for something.
pub(super) fn reason(request: &MemoryRecall) -> Option<String> {
    let MemoryRecall { query, modalities, mails, from, tags, phrases, without, since, until, .. } = request;
    let is_narrowed = !modalities.is_empty() || *mails || since.is_some() || until.is_some();
    let is_narrowed = is_narrowed || [from, tags, phrases, without].iter().any(|list| !list.is_empty());
    let follows = !is_narrowed && follows_up(query);
    follows.then(|| {
        "This goes on with a talk and asks for nothing by itself, so nothing was searched. Say what it is about; to find these \
         words themselves, ask for them as `phrases`, or in quotation marks."
            .to_owned()
    })
}

/// Whether all that a text says is of that kind.
fn follows_up(text: &str) -> bool {
    let words: Vec<String> = text.unicode_words().map(|word| word.to_lowercase().replace('’', "'")).collect();
    let mut rest = &words[..];
    while !rest.is_empty() {
        let of = |count: &usize| SAID.binary_search(&rest[..*count].join(" ").as_str()).is_ok();
        let Some(count) = (1..=LONGEST.min(rest.len())).rev().find(of) else { return false };
        rest = &rest[count..];
    }
    !words.is_empty()
}

/// The answer to a request that only follows something up: nothing, with the reason.
pub(super) fn answered(
    engine: &Engine,
    caller: &Caller,
    request: &MemoryRecall,
    question: &Question,
) -> Outcome<Option<(Recalled, RecallTrace)>> {
    let Some(reason) = reason(request) else { return Ok(None) };
    let spaces = engine.read(|c| crate::spaces::asked(c, caller, request.space.as_deref()))?;
    let recalled = Recalled {
        hits: Vec::new(),
        associated: Vec::new(),
        abstained: true,
        reason: Some(reason),
        answerability: 0.0,
        notices: Vec::new(),
        spaces: spaces.into_iter().map(|space| space.id).collect(),
        weights: Default::default(),
        timings: Default::default(),
        event: None,
        event_notice: None,
        trace: None,
    };
    let judged = (None, answer::ENOUGH, Default::default());
    let trace = trace::told(request.clone(), question, &Ranking::default(), &recalled, judged);
    Ok(Some((recalled, trace)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_goes_on_with_a_talk_is_known() {
        assert!(SAID.is_sorted() && SAID.iter().all(|said| said.split(' ').count() <= LONGEST));
        let check = |text: &str, follows: bool| assert_eq!(follows_up(text), follows, "{text}");
        for text in [
            "ok, go on",
            "Thanks!",
            "Great, thank you very much.",
            "yes please",
            "Okay… I see. Tell me more?",
            "Danke! Und weiter?",
            "Alles klar, erzähl mir mehr.",
            "Merci beaucoup !",
            "D’accord, dis-m’en plus.",
            "Oui, s'il te plaît",
            "Muchas gracias",
            "Sí, ¿y qué más?",
        ] {
            check(text, true);
        }
        for text in [
            "",
            "go",
            "more",
            "continue",
            "thanks to Ana",
            "ok corral",
            "Who said thanks?",
            "go on a trip",
            "Yes or no?",
            "tell me more about the boat",
            "gut",
            "Danke an Ana",
            "und weiter nach Porto",
            "Merci Ana",
            "¿Y qué más dijo Ana?",
        ] {
            check(text, false);
        }
    }

    #[test]
    fn what_is_narrowed_down_asks_for_something() {
        let of = |query: &str| MemoryRecall { query: query.to_owned(), ..MemoryRecall::default() };
        assert!(reason(&of("thanks")).is_some());
        let narrowed = [
            MemoryRecall { phrases: vec!["thanks".to_owned()], ..of("thanks") },
            MemoryRecall { tags: vec!["mail".to_owned()], ..of("thanks") },
            MemoryRecall { from: vec!["ana".to_owned()], ..of("thanks") },
            MemoryRecall { since: Some(1), ..of("thanks") },
        ];
        for request in narrowed {
            assert_eq!(reason(&request), None, "{request:?}");
        }
    }
}
