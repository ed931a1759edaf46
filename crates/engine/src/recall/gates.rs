//! The gates: what a search found and what is not worth giving, each with its reason. What was replaced or removed is in no index
//! and comes to no gate; relations between memories only warn (ruling 33).

use super::dates::Named;
use super::features::{self, Features};
use super::fuse::Candidate;
use super::wanted::Wanted;
use std::hash::{DefaultHasher, Hasher};
use um_model::EpochMs;
use um_model::recall::ScoreParts;
use um_model::traces::Gate;
use unicode_segmentation::UnicodeSegmentation;

/// A passage without any of the words, and of less than this cosine, is not near enough.
const WEAK_MEANING: f64 = 0.1;
/// Below this cosine, two texts have nothing to do with each other: what happened in the period that the question names need not be nearer
/// than this, where more is asked for than the period.
pub(super) const ANY_MEANING: f64 = 0.02;
/// One that no search found, and that came along with its neighbours, needs as much by itself.
const WEAK_ACTIVATION: f64 = ANY_MEANING;
/// Of two that have so much in common, one that nobody confirmed for long is left out.
const ALIKE: f64 = 0.6;
/// So many passages of one memory are given at most: what repeats the others comes later, and a long file does not fill the list.
const OF_A_MEMORY: usize = 3;
/// What answers with so few words says nothing by itself.
const FEW: usize = 3;

/// What is known of a passage at a gate.
pub(super) struct Passing<'a> {
    pub(super) candidate: &'a Candidate,
    pub(super) features: &'a Features,
    pub(super) text: &'a str,
    /// Its title and headings, as far as they may say of which time it is.
    pub(super) name: &'a str,
    pub(super) occurred_at: Option<EpochMs>,
}

/// Why a passage is not given, by itself; none where it may be.
pub(super) fn gate(passing: &Passing<'_>, wanted: &Wanted) -> Option<Gate> {
    let Passing { candidate, features, text, .. } = passing;
    let parts = &candidate.parts;
    if wanted.is_beside_the_period(parts) || is_of_another_time(passing, wanted) {
        return Some(Gate::OtherFacet);
    }
    if !wanted.about_memory && (features.asks && is_chatter(text) || is_told_to_search(text)) {
        return Some(Gate::Chatter);
    }
    if features.words <= FEW && may_be_low(parts) && !tells_anything(text) {
        return Some(Gate::LowInformation);
    }
    weak(parts)
}

/// Whether the signals of a passage leave it to its words whether it says anything by itself.
fn may_be_low(parts: &ScoreParts) -> bool {
    parts.reply.is_none() && parts.words.is_none()
}

/// Why a passage is too weak, by its signals alone.
fn weak(parts: &ScoreParts) -> Option<Gate> {
    let cosine = parts.cosine.unwrap_or(0.0);
    if parts.reply.is_some() || parts.period.is_some() {
        return None;
    }
    match came_along(parts) {
        true => (parts.cosine.is_some() && cosine < WEAK_ACTIVATION).then_some(Gate::WeakActivation),
        false => (parts.words.is_none() && cosine < WEAK_MEANING).then_some(Gate::WeakMeaning),
    }
}

/// Whether no search found a passage, and it came along with its neighbours.
fn came_along(parts: &ScoreParts) -> bool {
    parts.bm25_rank.is_none() && parts.vector_rank.is_none()
}

/// Of so many passages of its memory, given before it, none keeps a passage back: a file may answer in several places, and what a search
/// did not find is given for the sake of its neighbours only where nothing of its memory is.
pub(super) fn most_of_its_memory(parts: &ScoreParts) -> usize {
    if came_along(parts) { 1 } else { OF_A_MEMORY }
}

/// Whether a passage of a mailbox counts by its mail, as if each were a memory of its own; else by the whole mailbox. Of what came along with
/// its neighbours, which are other mails, only what is of the period that the question names was asked for.
pub(super) fn counts_by_mail(parts: &ScoreParts) -> bool {
    !came_along(parts) || parts.period.is_some()
}

/// Whether a gate that a passage came to by itself, or none, is one that its signals allow. Where it looks at the words of the passage as
/// well ([`reads`]), they only allow or forbid it.
pub(super) fn is_allowed(gate: Option<Gate>, parts: &ScoreParts) -> bool {
    match gate {
        Some(Gate::WeakMeaning | Gate::WeakActivation) => weak(parts) == gate,
        Some(Gate::LowInformation) => may_be_low(parts),
        Some(Gate::OtherFacet | Gate::BeyondLimit | Gate::SameMemory | Gate::Chatter) => true,
        // These come after the others, and let nothing weak through.
        None | Some(Gate::Duplicate | Gate::Stale) => weak(parts).is_none(),
    }
}

/// Whether a gate looks at the words of a passage, or when it happened, which no trace holds.
pub(super) fn reads(gate: Gate) -> bool {
    matches!(gate, Gate::Chatter | Gate::LowInformation | Gate::OtherFacet | Gate::Duplicate | Gate::Stale)
}

/// Whether what was left out was found, rather than only weakly near: by its signals, whatever gate it came to first.
pub(super) fn is_found(parts: &ScoreParts) -> bool {
    weak(parts).is_none()
}

/// A gate, as a person is told.
pub(super) fn in_words(gate: Gate) -> &'static str {
    match gate {
        Gate::BeyondLimit => "Others fit better.",
        Gate::SameMemory => "Another passage of it was given.",
        Gate::Duplicate => "It says the same as one that was given.",
        Gate::WeakMeaning => "Only its meaning is near, and not near enough.",
        Gate::WeakActivation => "It only came along with others, and they carry too little.",
        Gate::Chatter => "It speaks of remembering or searching, not of the matter.",
        Gate::LowInformation => "It has hardly any words, and says nothing by itself.",
        Gate::Stale => "Nobody confirmed it for long, and one that was given says much the same.",
        Gate::OtherFacet => "It happened at another time than the one that the question names.",
    }
}

/// The question names a year, and it happened in another one, or a month, a day or a time before now that is over, and it happened
/// [far](super::wanted::Period::is_far) from that; it tells of no time, and is of no year by its title and headings.
fn is_of_another_time(passing: &Passing<'_>, wanted: &Wanted) -> bool {
    let Some(at) = passing.occurred_at.map(|at| wanted.shown(at)) else { return false };
    let year = match wanted.date {
        Some(Named::Year(year) | Named::Month { year: Some(year), .. } | Named::Day { year: Some(year), .. }) => {
            Some(year)
        }
        _ => None,
    };
    let is_of_another_year = year.is_some_and(|year| (super::dates::year_of(at) - year).abs() > 1);
    // Of a year, those beside it are near enough.
    let is_year = matches!(wanted.date, Some(Named::Year(_)));
    let period = wanted.period.filter(|period| period.past && !is_year && passing.candidate.parts.period.is_none());
    let is_far = period.is_some_and(|period| period.is_far(at));
    // Who names any time, if only `last month`, may mean the one that is asked for.
    let is_told = || features::mentions_time(passing.text) || features::names_year(passing.name);
    (is_of_another_year || is_far) && !is_told()
}

/// Whether a question is about what is remembered rather than about the matter: `Do you remember …?`, asked of somebody or of a
/// program, and kept as it was said.
fn is_chatter(text: &str) -> bool {
    const ABOUT: &[&str] = &[
        "do you remember",
        "can you remember",
        "can you recall",
        "search your memory",
        "search my memory",
        "what do you know about",
        "erinnerst du dich",
        "weisst du noch",
        "was weisst du über",
        "te souviens-tu",
        "tu te souviens",
        "vous souvenez-vous",
        "que sais-tu",
        "te acuerdas",
        "recuerdas",
        "qué sabes de",
        "qué sabes sobre",
    ];
    // What is read from the index has no ß.
    let lower = super::words::plain(text).to_lowercase();
    ABOUT.iter().any(|words| lower.contains(words))
}

/// Whether all that is said is that a memory be searched: `Search your memory for my boat.`
fn is_told_to_search(text: &str) -> bool {
    const POLITE: [&str; 2] = ["please", "bitte"];
    const SEARCH: [&str; 8] = [
        "search your memory for",
        "search my memory for",
        "search memory for",
        "durchsuche dein gedächtnis nach",
        "suche in deinem gedächtnis nach",
        "cherche dans ta mémoire",
        "cherchez dans votre mémoire",
        "busca en tu memoria",
    ];
    let labelled = features::label(text).and_then(|_| text.split_once(": "));
    let said = labelled.map_or(text, |(_, said)| said);
    let words: Vec<String> = said.unicode_words().take(6).map(str::to_lowercase).collect();
    let polite = words.first().is_some_and(|word| POLITE.contains(&word.as_str()));
    let begins = &words[usize::from(polite)..];
    // Word by word: `forensics` does not begin with `for`.
    let is_so = |order: &&str| {
        let mut said = begins.iter();
        order.split(' ').all(|word| said.next().is_some_and(|next| next == word))
    };
    // Whoever goes on tells something.
    SEARCH.iter().any(is_so) && said.unicode_sentences().count() == 1
}

/// Whether a question is about remembering itself.
pub(super) fn is_about_memory(question: &str) -> bool {
    const BEGIN: [&str; 7] = ["remember", "erinner", "gedächtnis", "souviens", "souvenez", "mémoire", "recuerd"];
    question.unicode_words().any(|word| {
        let word = word.to_lowercase();
        matches!(word.as_str(), "memory" | "memoria") || BEGIN.iter().any(|begin| word.starts_with(begin))
    })
}

/// A number or a name tells something, however short.
fn tells_anything(text: &str) -> bool {
    let said = text.rsplit_once(": ").map_or(text, |(_, said)| said);
    let mut words = said.unicode_words();
    let first_is_number = words.next().is_some_and(|word| word.contains(|c: char| c.is_numeric()));
    first_is_number || words.any(|word| word.starts_with(char::is_uppercase) || word.contains(|c: char| c.is_numeric()))
}

/// Words that make no other statement, whether they are there or not. Others do, however common: `to` for `from`, `my` for `your`.
const ARTICLES: [&str; 3] = ["a", "an", "the"];
/// Signs that make no other statement. Others do: `-5` is not `5`, and `He left?` not `He left.`
const QUIET: &str = ".,;:…\"'()[]“”„‘’‚«»–—";
/// What a line that is quoted or listed begins with.
const MARKERS: [&str; 5] = ["> ", "- ", "+ ", "* ", "• "];

/// What was given, to compare the next with.
#[derive(Default)]
pub(super) struct Given(Vec<Said>);

/// A passage that was given.
struct Said {
    rid: i64,
    is_stale: bool,
    words: Words,
}

/// The words of a passage, as hashes.
struct Words {
    /// All in their order, articles aside: two that are alike in this say the same. One word more or another one, and the same
    /// words in another order, may say the contrary.
    says: u64,
    /// Each once, sorted.
    all: Vec<u64>,
}

impl Words {
    /// Whether they make the same statement. A few words, such as `Yes, I did`, say something else each time.
    fn are_of(&self, other: &Self) -> bool {
        self.all.len() > 2 * FEW && self.says == other.says
    }

    fn are_like(&self, other: &Self) -> bool {
        overlap(&self.all, &other.all) >= ALIKE
    }
}

impl Given {
    /// Gives a passage, or tells why not: what was given says it already. Tells the rids of those that it stands in the place of, which
    /// say much the same and were not confirmed for long.
    pub(super) fn take(&mut self, rid: i64, text: &str, is_stale: bool) -> Result<Vec<i64>, Gate> {
        let words = words(text);
        let gives_way =
            |given: &Said| given.is_stale && !is_stale && (given.words.are_of(&words) || given.words.are_like(&words));
        if self.0.iter().any(|given| given.words.are_of(&words) && !gives_way(given)) {
            return Err(Gate::Duplicate);
        }
        if is_stale && self.0.iter().any(|given| given.words.are_like(&words)) {
            return Err(Gate::Stale);
        }
        let replaced = self.0.iter().filter(|given| gives_way(given)).map(|given| given.rid).collect();
        self.0.retain(|given| !gives_way(given));
        self.0.push(Said { rid, is_stale, words });
        Ok(replaced)
    }

    /// Takes back what others pushed out: nothing repeats it any more, and nothing stands in its place.
    pub(super) fn take_back(&mut self, rid: i64) {
        self.0.retain(|given| given.rid != rid);
    }
}

/// A line without the marks that quote or list it.
fn unmarked(line: &str) -> &str {
    let mut rest = line.trim_start();
    while let Some(next) = MARKERS.iter().find_map(|marker| rest.strip_prefix(marker)) {
        rest = next.trim_start();
    }
    rest
}

fn words(text: &str) -> Words {
    let (mut says, mut all) = (DefaultHasher::new(), Vec::new());
    for line in text.lines().map(unmarked) {
        let mut end = 0;
        for (at, word) in line.unicode_word_indices() {
            signs(&line[end..at]).for_each(|sign| says.write_u64(sign));
            let hashed = hash(word);
            if !ARTICLES.iter().any(|article| word.eq_ignore_ascii_case(article)) {
                says.write_u64(hashed);
            }
            all.push(hashed);
            end = at + word.len();
        }
        signs(&line[end..]).for_each(|sign| says.write_u64(sign));
    }
    all.sort_unstable();
    all.dedup();
    Words { says: says.finish(), all }
}

/// A word or a sign, whether or not it is in capitals.
fn hash(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    word.chars().flat_map(char::to_lowercase).for_each(|letter| hasher.write_u32(u32::from(letter)));
    hasher.finish()
}

/// What stands between two words, but for what says nothing.
fn signs(between: &str) -> impl Iterator<Item = u64> {
    let is_quiet = |sign: char| sign.is_whitespace() || QUIET.contains(sign);
    // Nearly always all of it is quiet.
    let between = if between.chars().all(is_quiet) { "" } else { between };
    between.split_word_bounds().filter(move |sign| !sign.chars().all(is_quiet)).map(hash)
}

/// The share that two sets have in common (Jaccard). Sets of a few words are never the same.
fn overlap(one: &[u64], other: &[u64]) -> f64 {
    // No more than the smaller one can be in both.
    if (one.len().min(other.len()) as f64) < ALIKE * one.len().max(other.len()) as f64 {
        return 0.0;
    }
    let (mut both, mut at) = (0, 0);
    for word in one {
        at += other[at..].iter().take_while(|next| *next < word).count();
        both += usize::from(other.get(at) == Some(word));
    }
    let all = one.len() + other.len() - both;
    if all <= 2 * FEW { 0.0 } else { both as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, parts: ScoreParts, question: &str, expected: Option<Gate>) {
        let candidate = Candidate { rid: 1, score: 1.0, parts };
        let features = Features::of(text);
        let question = super::super::words::Question::parse(question);
        let wanted = Wanted::of(&question, crate::recall::dates::Now::utc(0));
        // 7 May 2023.
        let occurred_at = Some(1_683_460_000_000);
        let passing = Passing { candidate: &candidate, features: &features, text, name: "", occurred_at };
        assert_eq!(gate(&passing, &wanted), expected, "{text}");
        assert!(is_allowed(expected, &candidate.parts), "{text}");
        // What a title or heading tells of a year is told as well.
        if expected == Some(Gate::OtherFacet) && !wanted.is_of_period_alone() {
            for name in ["Harbour_2019.pdf", "A boat\nIn 2019"] {
                assert_eq!(gate(&Passing { name, ..passing }, &wanted), None, "{name}: {text}");
            }
        }
    }

    #[test]
    fn each_gate_has_its_reason() {
        let meaning = |cosine| ScoreParts { cosine: Some(cosine), vector_rank: Some(9), ..ScoreParts::default() };
        let words = || ScoreParts { words: Some(0.5), bm25_rank: Some(3), cosine: Some(0.05), ..ScoreParts::default() };
        let along = |cosine| ScoreParts { cosine: Some(cosine), ..ScoreParts::default() };
        check("The boat lies in the harbour.", meaning(0.05), "boat", Some(Gate::WeakMeaning));
        check("The boat lies in the harbour.", meaning(0.4), "boat", None);
        check("The boat lies in the harbour.", words(), "boat", None);
        check("The boat lies in the harbour.", along(0.0), "boat", Some(Gate::WeakActivation));
        check("Do you remember my boat?", words(), "Where is the boat?", Some(Gate::Chatter));
        check("Do you remember my boat?", words(), "What did I want remembered?", None);
        for text in [
            "Erinnerst du dich an mein Boot?",
            "Te souviens-tu de mon bateau ?",
            "¿Te acuerdas de mi barco?",
            "Search your memory for my boat.",
            "User: Please search your memory for my boat.",
            "Durchsuche dein Gedächtnis nach meinem Boot!",
            "Busca en tu memoria mi barco.",
        ] {
            check(text, words(), "Where is the boat?", Some(Gate::Chatter));
            check(text, words(), "¿Qué recuerdas?", None);
        }
        check("Search your memory for my boat. It lies in Porto.", words(), "boat", None);
        check("Search your memory card for the boat.", words(), "boat", None);
        check("Search memory forensics toolkit.", words(), "toolkit", None);
        check("A rule of the house: search your memory for what was said.", words(), "rule", None);
        check("Ana: Oh yes, thanks!", meaning(0.3), "boat", None);
        check("Oh yes, thanks!", meaning(0.3), "boat", Some(Gate::LowInformation));
        // Few words are not always short.
        check(&"w".repeat(90_000), meaning(0.3), "boat", Some(Gate::LowInformation));
        assert!(in_words(Gate::LowInformation).contains("hardly any words"));
        check("In Porto.", meaning(0.3), "boat", None);
        check("At 7.", meaning(0.3), "boat", None);
        check("The boat lies in the harbour.", words(), "the boat in 2019", Some(Gate::OtherFacet));
        check("The boat lay there years ago.", words(), "the boat in 2019", None);
        check("The crisis of 2008 cost them the boat.", words(), "the boat in the 2008 crisis", None);
        check("The boat lies in the harbour.", words(), "the boat of May 1200", None);
        check("The boat lies in the harbour.", words(), "the boat in 2022", None);
    }

    #[test]
    fn what_happened_far_from_the_time_that_is_named_and_tells_none_is_of_another() {
        // 15 June 2025.
        let now = 1_749_945_600_000;
        let check = |question: &str, told: &str, text: &str, expected: Option<Gate>| {
            let parts = ScoreParts { words: Some(0.5), bm25_rank: Some(3), ..ScoreParts::default() };
            let candidate = Candidate { rid: 1, score: 1.0, parts };
            let question = super::super::words::Question::parse(question);
            let wanted = Wanted::of(&question, crate::recall::dates::Now::utc(now));
            let (features, occurred_at) = (Features::of(text), um_rules::date_begins(told));
            let passing = Passing { candidate: &candidate, features: &features, text, name: "", occurred_at };
            assert_eq!(gate(&passing, &wanted), expected, "{} {told} {text}", question.text);
        };
        let (boat, other) = ("The boat lies in the harbour.", Some(Gate::OtherFacet));
        let march = "Where was the boat in March 2024?";
        for (told, expected) in [
            ("2023-08-01", other),
            ("2023-10-01", None),
            ("2024-03-10", None),
            ("2024-09-10", None),
            ("2024-10-10", other),
        ] {
            check(march, told, boat, expected);
            check("Where was the boat on 15 March 2024?", told, boat, expected);
        }
        // What names a time may mean that one.
        check(march, "2024-11-10", "The boat lay in the harbour last year.", None);
        check("Where was the boat last month?", "2024-09-01", boat, other);
        check("Where was the boat last month?", "2025-01-10", boat, None);
        check("Where was the boat between March and May 2024?", "2023-06-10", boat, other);
        check("Where was the boat between January and December 2024?", "2023-02-10", boat, None);
        // The years beside one are near enough, and March is that of any year.
        check("Where was the boat in 2024?", "2025-06-10", boat, None);
        check("Where was the boat in March?", "2024-09-10", boat, None);
        // What is so now was told whenever it was.
        for question in
            ["Where is the boat today?", "Where is the boat this month?", "Where is the boat in December 2025?"]
        {
            check(question, "2024-09-10", boat, None);
        }
    }

    #[test]
    fn what_is_of_the_period_that_is_asked_for_need_not_be_near() {
        let meaning =
            |cosine, period| ScoreParts { cosine: Some(cosine), vector_rank: Some(9), period, ..ScoreParts::default() };
        let listed = ScoreParts { cosine: Some(-0.1), period: Some(1.0), ..ScoreParts::default() };
        let (weak, beside) = (Some(Gate::WeakMeaning), Some(Gate::OtherFacet));
        for (question, otherwise) in [("Where was the boat in May 2023?", weak), ("May 2023", beside), ("boat", weak)] {
            check("The boat lies in the harbour.", meaning(0.05, Some(1.0)), question, None);
            check("The boat lies in the harbour.", meaning(0.05, None), question, otherwise);
            check("The boat lies in the harbour.", listed.clone(), question, None);
        }
    }

    #[test]
    fn what_says_the_same_is_given_once() {
        let mut given = Given::default();
        let mut check = |text: &str, is_stale: bool, expected: Option<Gate>| {
            assert_eq!(given.take(1, text, is_stale).err(), expected, "{text}");
        };
        check(PORTO, false, None);
        check("the BOAT lies in the harbour of Porto, since May", false, Some(Gate::Duplicate));
        check(LISBON, true, Some(Gate::Stale));
        check(LISBON, false, None);
        check("Yes.", false, None);
        check("Yes.", false, None);
    }

    const PORTO: &str = "The boat lies in the harbour of Porto since May.";
    const LISBON: &str = "The boat lies in the harbour of Lisbon since June.";

    #[test]
    fn what_was_not_confirmed_for_long_gives_way_to_what_says_much_the_same() {
        let check = |texts: [&str; 2], stale: [bool; 2], expected: Result<&[i64], Gate>| {
            let mut given = Given::default();
            assert_eq!(given.take(1, texts[0], stale[0]), Ok(Vec::new()));
            let taken = given.take(2, texts[1], stale[1]);
            assert_eq!(taken, expected.map(<[i64]>::to_vec), "{texts:?} {stale:?}");
            // What gave way is compared with no more.
            let left = usize::from(expected.is_ok_and(<[i64]>::is_empty)) + 1;
            assert_eq!(given.0.len(), left, "{texts:?} {stale:?}");
        };
        for texts in [[PORTO, LISBON], [PORTO, PORTO]] {
            check(texts, [true, false], Ok(&[1]));
        }
        check([PORTO, LISBON], [true, true], Err(Gate::Stale));
        check([PORTO, PORTO], [true, true], Err(Gate::Duplicate));
        check([PORTO, LISBON], [false, true], Err(Gate::Stale));
        check([PORTO, LISBON], [false, false], Ok(&[]));
        check([PORTO, "The ferry to the islands leaves at noon on weekdays."], [true, false], Ok(&[]));
        check(["Yes.", "Yes."], [true, false], Ok(&[]));
    }

    #[test]
    fn another_word_or_order_is_no_repeat() {
        let check = |one: &str, other: &str, expected: Option<Gate>| {
            let whoever =
                "Whoever holds the key of the old boiler house by the northern harbour of Vexmark on a Sunday";
            let [one, other] = [one, other].map(|end| format!("{whoever} reads in the book there that {end}"));
            let mut given = Given::default();
            assert_eq!(given.take(1, &one, false), Ok(Vec::new()), "{one}");
            assert_eq!(given.take(2, &other, false).err(), expected, "{one} | {other}");
        };
        for (one, other) in [
            ("the valve opens at 4 bar", "The valve: opens, at 4 BAR."),
            ("the gate must not open", "a gate must Not open"),
            ("he left (really!)", "he left really!"),
            ("Émile has it", "ÉMILE has it"),
            ("\nthe ferry leaves at noon", "\n> > the ferry leaves at noon"),
            ("\nthe ferry leaves at noon", "\n - the ferry leaves at noon"),
        ] {
            check(one, other, Some(Gate::Duplicate));
        }
        for (one, other) in [
            ("the key is kept by Ana", "the key is kept by Ben"),
            ("the ferry leaves on Monday", "the ferry leaves on Tuesday"),
            ("Ana owes Ben", "Ben owes Ana"),
            ("es gibt ein Boot", "es gibt kein Boot"),
            ("the ferry comes from Porto", "the ferry comes to Porto"),
            ("it is his", "it is hers"),
            ("the valve opens at 4 bar", "the valve opens at 9 bar"),
            ("the valve opens at 4 bar", "the valve opens at 4 bar, not more"),
            ("the valve opens at 4 bar", "the valve opens at 4 bar at T9"),
            ("it is 5 degrees", "it is -5 degrees"),
            ("it costs €5", "it costs $5"),
            ("Ben left.", "Ben left?"),
            ("the gate check of May: ✅", "the gate check of May: ❌"),
            ("a != b", "a = b"),
            ("the gate must open", "the gate mustn't open"),
            ("the gate must open", "the gate MUSTN’T open"),
        ] {
            check(one, other, None);
        }
    }
}
