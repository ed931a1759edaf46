//! Questions for the latest of something: `the latest mail from Anna`, `the last letter of the landlord`. Of what fits nearly as well, the
//! newest comes first. For no other question anything changes.

use super::super::features::is_time_word;
use super::super::words::Question;
use super::{Ranked, diverse, score};
use std::cmp::Reverse;
use um_model::EpochMs;
use um_store::hits::Passage;
use unicode_segmentation::UnicodeSegmentation;

/// Words that ask for the latest of something, whatever stands behind them.
const LATEST: &str = "latest newest aktuellste aktuellsten aktuellster aktuellstes neueste neuesten neuester neuestes neuste neusten neuster \
    neustes";
/// What asks for it behind `most`, `plus` or `más`.
const RECENT: &str = "recent recently récent récente récentes récents reciente recientes";
/// Words that ask for it before what [comes again and again](COMING): elsewhere they are of a time (`last week`), a name or an end.
const LAST: &str =
    "last letzte letztem letzten letzter letztes dernier dernière dernières derniers última últimas último últimos";
/// What comes again and again, so that one of it is the last for now.
const COMING: &str = "bill bills document documents email emails entry entries invoice invoices letter letters mail mails message messages \
    newsletter note notes offer offers photo photos postcard receipt receipts recording recordings reminder reply report reports \
    statement statements version angebot bericht brief briefe dokument eintrag foto fotos nachricht nachrichten notiz notizen rechnung \
    rechnungen schreiben courriel courriels courrier facture factures lettre lettres rapport carta cartas correo correos documento factura \
    facturas informe mensaje mensajes nota notas versión";
/// Of these, what a text that is such a one rarely says of itself.
const MAILS: &str = "email emails mail mails";
/// Words of a time, besides the English ones that [tell a passage's](is_time_word): what comes behind them is of then.
const TIMES: &str = "christmas easter thanksgiving halloween hour hours minute minutes \
    tag tage tagen woche wochen monat monate monaten jahr jahre jahren nacht stunde stunden minuten montag dienstag mittwoch donnerstag \
    freitag samstag sonntag wochenende januar februar märz mai juni juli oktober dezember frühling frühjahr sommer herbst weihnachten ostern \
    jour jours semaine semaines mois an ans année années nuit heure heures lundi mardi mercredi jeudi vendredi samedi dimanche printemps \
    été automne hiver noël pâques día días semana semanas mes meses año años noche hora horas minuto minutos lunes martes miércoles \
    jueves viernes sábado domingo primavera verano otoño invierno navidad";

/// So much less than the best passage those score that fit nearly as well. It is not fitted: of two mails of one person on one matter, the
/// shorter one scores about so much more by its words.
const NEARLY: f64 = 0.75;
/// So far apart are the scores of two that stand one behind the other by their dates.
const APART: f64 = 1e-9;

fn is_among(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

/// Whether a question asks for the latest of something. It does not where it means a time, as in `last week's letters` and `at the latest`.
pub(in super::super) fn is_asked(question: &str) -> bool {
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower.unicode_words().collect();
    let is = |at: usize, of: &str| words.get(at).is_some_and(|word| is_among(of, word));
    let is_time = |word: &str| is_time_word(word) || is_among(TIMES, word);
    let is_of_time = |at: usize| {
        // `Last Christmas`, `last week's`, and `the last days`.
        let own = words.get(at).and_then(|word| word.split(['\'', '’']).next()).unwrap_or_default();
        is_time(own) || is_time(own.trim_end_matches('s'))
    };
    (0..words.len()).any(|at| {
        let is_end = at >= 2 && is(at - 2, "at") && is(at - 1, "the");
        // `The last bank statement`, but not `the last week's letters`.
        let comes_behind = is(at, LAST) && !is_of_time(at + 1) && is(at + 2, COMING);
        is(at, LATEST) && !is_end
            || is(at, "most plus más") && is(at + 1, RECENT)
            || is(at, LAST) && is(at + 1, COMING)
            || comes_behind
    })
}

/// Whether a word of such a question is of how it asks rather than of the matter: what is the latest need not say so.
fn is_of_asking(word: &str) -> bool {
    [LATEST, RECENT, LAST, MAILS].iter().any(|words| is_among(words, word))
}

impl Ranked {
    /// Lets those that fit [nearly](NEARLY) as well as the best one, and have all words of the question that it has, stand in the order of
    /// their dates, the newest first, and what is to come behind what was by `now`. Their scores are dealt out anew among them, so that they
    /// come before nothing else but what one of them came before. What was decided against keeps its place.
    pub(in super::super) fn put_newest_first(&mut self, question: &Question, now: EpochMs) {
        let Some(best) = self.candidates.first() else { return };
        let words = |rid: i64| {
            let Passage { name, text, .. } = &self.passages[&rid];
            let mut held = question.held_by(name, text);
            held.retain(|at| !is_of_asking(&question.words[*at]));
            held
        };
        let (least, held) = (best.score - NEARLY, words(best.rid));
        let near = self.candidates.iter().take_while(|one| one.score >= least).enumerate();
        let near = near.filter(|(_, one)| one.parts.decided.is_none() && words(one.rid).is_superset(&held));
        let (mut places, mut scores): (Vec<usize>, Vec<f64>) = near.map(|(at, one)| (at, one.score)).unzip();
        // They are in the order of their scores, and those of one date stay so. Each has its own place, though two have one score.
        places.sort_by_key(|at| {
            let dated = self.passages[&self.candidates[*at].rid].dated;
            Reverse((dated <= now).then_some(dated))
        });
        for next in 1..scores.len() {
            scores[next] = scores[next].min(scores[next - 1] - APART);
        }
        for (at, wanted) in places.into_iter().zip(scores) {
            let candidate = &mut self.candidates[at];
            candidate.parts.latest = Some(wanted - candidate.score);
            candidate.score = score(&candidate.parts);
        }
        self.candidates.sort_by(diverse::best_first);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::dates;
    use super::super::super::wanted::Wanted;
    use super::super::{Lists, Places, candidates, fuse};
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn questions_for_the_latest() {
        for (question, expected) in [
            ("What is the latest mail from Anna?", true),
            ("What is Anna's newest job?", true),
            ("What did the last letter of the landlord say?", true),
            ("What does my last bank statement say?", true),
            ("What is in the last e-mail of Ben?", true),
            ("Which book did I read most recently?", true),
            ("Was stand in der letzten Rechnung?", true),
            ("Was ist die neueste Nachricht von Anna?", true),
            ("Que dit la dernière lettre ?", true),
            ("Quel est le message le plus récent ?", true),
            ("¿Qué dice el último correo?", true),
            ("What is Anna's last name?", false),
            ("What did I do last week?", false),
            ("What did I write in the last 30 minutes?", false),
            ("What did last week's letter say?", false),
            ("Where are last Christmas photos?", false),
            ("Where are last Christmas's photos?", false),
            ("Wo sind die letzte Woche Fotos?", false),
            ("Que dit la dernière grosse facture ?", true),
            ("Was steht in der letzten langen Rechnung?", true),
            ("Où sont les dernières vacances ?", false),
            ("When must I pay at the latest?", false),
            ("How long did it last?", false),
            ("Which letters did Anna write?", false),
            ("Was habe ich letzte Woche gemacht?", false),
        ] {
            assert_eq!(is_asked(question), expected, "{question}");
        }
        assert!(is_of_asking("latest") && is_of_asking("mail") && !is_of_asking("anna"));
    }

    #[test]
    fn the_newest_comes_first_of_what_fits_nearly_as_well() {
        // Passages by their rids, words, dates and scores by words; those that were decided against; and their order.
        let check = |all: &[(i64, &str, EpochMs, f64)], decided: &[i64], expected: &[i64]| {
            let of = |(rid, text, dated, _): &(i64, &str, EpochMs, f64)| {
                let (own, text) = (rid.to_string(), (*text).to_owned());
                let passage =
                    Passage { rid: *rid, memory: own.clone(), thread: own, text, dated: *dated, ..Passage::default() };
                (*rid, passage)
            };
            let words = all.iter().map(|(rid, _, _, score)| (*rid, *score)).collect();
            let lists = Lists { words: vec![words], ..Lists::default() };
            let question = Question::parse("What is the latest mail of Anna about Porto?");
            let wanted = Wanted::of(&question, dates::Now::utc(0));
            assert!(wanted.latest);
            let found = candidates(&lists, &HashMap::new());
            let mut ranked = fuse(found, &wanted, (all.iter().map(of).collect(), &Places::default()));
            ranked.decided_against(&decided.iter().copied().collect());
            let before: Vec<f64> = ranked.candidates.iter().map(|one| one.score).collect();
            ranked.put_newest_first(&question, 9);
            assert_eq!(ranked.best(all.len()), expected, "{all:?}");
            // The same scores are dealt out, but for what tells two of one score apart, and each follows from its signals.
            let after = ranked.candidates.iter().map(|one| one.score);
            assert!(before.iter().zip(after).all(|(before, after)| (before - after).abs() < 1e-6), "{all:?}");
            assert!(ranked.candidates.iter().all(|one| one.score.to_bits() == score(&one.parts).to_bits()), "{all:?}");
        };
        let says = "Anna on Porto";
        check(&[(1, says, 1, 4.0), (2, says, 3, 3.9), (3, says, 2, 3.8)], &[], &[2, 3, 1]);
        // Those of one score, too.
        check(&[(1, says, 1, 4.0), (2, says, 2, 4.0), (3, says, 3, 4.0)], &[], &[3, 2, 1]);
        // What has not all of the words keeps its place; so does what fits clearly less well, and what was decided against.
        check(&[(1, says, 1, 4.0), (2, "Ben on Porto", 9, 3.9), (3, says, 2, 3.8)], &[], &[3, 2, 1]);
        check(&[(1, says, 1, 4.0), (2, says, 2, 3.9), (3, says, 9, 0.4)], &[], &[2, 1, 3]);
        check(&[(1, says, 1, 4.0), (2, says, 9, 4.0)], &[2], &[1, 2]);
        // What is to come is no latest one.
        check(&[(1, says, 10, 4.0), (2, says, 3, 3.9), (3, says, 11, 3.8), (4, says, 9, 3.7)], &[], &[4, 2, 1, 3]);
        check(&[], &[], &[]);
    }
}
