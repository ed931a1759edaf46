use super::super::dates;
use super::*;

fn passage(rid: i64, memory: &str, thread: &str, text: &str) -> Passage {
    let (memory, thread, text) = (memory.to_owned(), thread.to_owned(), text.to_owned());
    Passage { rid, memory, thread, text, ..Passage::default() }
}

fn check(question: &str, names: &[&str], lists: Lists, passages: &[Passage], expected: &[i64]) {
    let passages: HashMap<i64, Passage> = passages.iter().map(|one| (one.rid, one.clone())).collect();
    let mut found = candidates(&lists, &HashMap::new());
    let places = Places::default();
    let near = neighbours_to_add(&found, &best(&found), &places);
    add_neighbours(&mut found, &near, &passages, &places);
    let names = names.iter().map(ToString::to_string).collect();
    let wanted = Wanted::of(&Question { names, ..Question::parse(question) }, dates::Now::utc(0));
    let given = give(fuse(found, &wanted, (passages, &places)), &wanted, &Vectors::new(), 10).given;
    let rids: Vec<i64> = given.iter().map(|one| one.rid).collect();
    assert_eq!(rids, expected, "{question}");
}

#[test]
fn both_lists_beat_one() {
    let lists =
        Lists { words: vec![vec![(10, 3.0), (20, 2.0)]], meaning: vec![(20, 0.9), (30, 0.8)], ..Lists::default() };
    let passages =
        [passage(10, "a", "a", "Porto 7"), passage(20, "b", "b", "Porto 7"), passage(30, "c", "c", "Porto 7")];
    check("x", &[], lists, &passages, &[20, 30, 10]);
}

#[test]
fn ties_go_by_rid_and_each_space_has_its_own_best() {
    let lists = Lists { words: vec![vec![(40, 9.0)], vec![(10, 0.1)]], meaning: vec![], ..Lists::default() };
    check("x", &[], lists, &[passage(10, "a", "a", "Porto 7"), passage(40, "b", "b", "Porto 7")], &[10, 40]);
}

#[test]
fn the_best_of_a_space_counts_by_the_words_that_it_holds() {
    let check = |words: &[&[(i64, f64)]], held: &[(i64, usize)], expected: &[(i64, f64)]| {
        let lists =
            Lists { words: words.iter().map(|list| list.to_vec()).collect(), meaning: Vec::new(), ..Lists::default() };
        let found = candidates(&lists, &held.iter().copied().collect());
        let told: Vec<(i64, f64)> = found.values().filter_map(|one| Some((one.rid, one.parts.words?))).collect();
        assert_eq!(told, expected, "{words:?} {held:?}");
    };
    let (one, other): (&[_], &[_]) = (&[(10, 9.0), (20, 4.5)], &[(30, 9e-7)]);
    check(&[one], &[], &[(10, 1.0), (20, 0.5)]);
    check(&[one, other], &[(10, 4), (30, 1)], &[(10, 1.0), (20, 0.5), (30, 0.25)]);
    check(&[one, other], &[(10, 2), (30, 2)], &[(10, 1.0), (20, 0.5), (30, 1.0)]);
    check(&[one, &[], other], &[(10, 0), (30, 4)], &[(10, 0.25), (20, 0.125), (30, 1.0)]);
}

#[test]
fn what_is_told_of_a_memory_decides_between_what_is_nearly_alike() {
    // The first fits by its words as well as the other one, or clearly better.
    let check_two = |first: f64, one: Passage, other: Passage, expected: &[i64]| {
        let lists = Lists { words: vec![vec![(10, first), (20, 2.0)]], meaning: vec![], ..Lists::default() };
        check("x", &[], lists, &[one, other], expected);
    };
    let [one, other] = [(10, "a"), (20, "b")].map(|(rid, memory)| passage(rid, memory, memory, "Porto 7"));
    check_two(2.0, one.clone(), other.clone(), &[10, 20]);
    for better in [Passage { importance: 1.0, ..other.clone() }, Passage { is_verified: true, ..other.clone() }] {
        check_two(2.0, one.clone(), better.clone(), &[20, 10]);
        check_two(3.0, one.clone(), better, &[10, 20]);
    }
    for worse in [
        Passage { importance: -1.0, ..one.clone() },
        Passage { is_stale: true, ..one.clone() },
        Passage { trust: -0.5, ..one.clone() },
    ] {
        check_two(2.0, worse.clone(), other.clone(), &[20, 10]);
        check_two(3.0, worse, other.clone(), &[10, 20]);
    }
}

/// Three passages that say the same in three memories, those of them decided against that are told.
fn three(decided: &[i64]) -> Ranked {
    let passages = [(10, "a"), (20, "b"), (30, "c")];
    let passages = passages.map(|(rid, memory)| (rid, passage(rid, memory, memory, "Porto 7")));
    let lists = Lists { words: vec![vec![(10, 2.0), (20, 1.0), (30, 0.1)]], ..Lists::default() };
    let wanted = Wanted::of(&Question::parse("x"), dates::Now::utc(0));
    let found = candidates(&lists, &HashMap::new());
    let mut ranked = fuse(found, &wanted, (passages.into_iter().collect(), &Places::default()));
    ranked.decided_against(&decided.iter().copied().collect());
    ranked
}

#[test]
fn what_was_decided_against_stands_behind_what_fits_nearly_as_well() {
    let check = |decided: &[i64], expected: [i64; 3], parts: [Option<f64>; 3]| {
        let ranked = three(decided);
        assert_eq!(ranked.best(3), expected, "{decided:?}");
        let told: Vec<Option<f64>> = ranked.candidates.iter().map(|one| one.parts.decided).collect();
        assert_eq!(told, parts, "{decided:?}");
    };
    check(&[], [10, 20, 30], [None; 3]);
    check(&[20], [10, 30, 20], [None, None, Some(-1.0)]);
    check(&[10], [20, 10, 30], [None, Some(-1.0), None]);
    check(&[10, 20, 30], [10, 20, 30], [Some(-1.0); 3]);
}

#[test]
fn a_reranker_lifts_what_was_decided_against_over_nothing_that_stood_before_it() {
    // What it says of them in their order, and their order then.
    let check = |decided: &[i64], says: [f64; 3], expected: [i64; 3]| {
        let mut ranked = three(decided);
        ranked.rerank(&says);
        assert_eq!(ranked.best(3), expected, "{decided:?} {says:?}");
    };
    check(&[], [0.0, 1.0, 0.25], [20, 10, 30]);
    check(&[10], [0.25, 1.0, 0.0], [20, 10, 30]);
    check(&[20], [0.25, 0.0, 1.0], [10, 30, 20]);
    // It may say less of it; and where all were decided against, they stand as it says.
    check(&[10], [1.0, 0.0, 0.5], [20, 30, 10]);
    check(&[10, 20, 30], [0.0, 1.0, 0.25], [20, 10, 30]);
}

#[test]
fn a_tag_that_the_question_names_decides_between_what_is_nearly_alike() {
    let passages: HashMap<i64, Passage> = [(10, "a"), (20, "b")]
        .into_iter()
        .map(|(rid, memory)| (rid, passage(rid, memory, memory, "Porto 7")))
        .collect();
    let question = Question::parse("old boats");
    let tags = HashMap::from([("b".to_owned(), vec!["boat".to_owned()]), ("a".to_owned(), vec!["house".to_owned()])]);
    let lists = Lists { words: vec![vec![(10, 2.0), (20, 2.0)]], ..Lists::default() };
    let mut found = candidates(&lists, &HashMap::new());
    add_tags(&mut found, &passages, (&question, &tags));
    let told: Vec<Option<f64>> = found.values().map(|one| one.parts.tags).collect();
    assert_eq!(told, [None, Some(0.5)]);
    let wanted = Wanted::of(&question, dates::Now::utc(0));
    assert_eq!(fuse(found, &wanted, (passages, &Places::default())).best(2), [20, 10]);
}

#[test]
fn words_stand_for_the_meaning_of_what_has_none() {
    let words = vec![vec![(10, 4.0), (20, 2.0), (30, 1.0)]];
    let mut found =
        candidates(&Lists { words, meaning: vec![(20, 0.5), (40, 0.3)], ..Lists::default() }, &HashMap::new());
    let_words_stand(&mut found, &HashSet::from([30]));
    let told: Vec<(i64, Option<f64>)> = found.values().map(|one| (one.rid, one.parts.words)).collect();
    assert_eq!(told, [(10, Some(2.0)), (20, Some(0.5)), (30, Some(0.25)), (40, None)]);
}

#[test]
fn three_passages_a_memory() {
    let words = vec![(10, 3.0), (20, 2.5), (30, 2.0), (40, 1.5), (50, 1.0)];
    let lists = Lists { words: vec![words], meaning: vec![], ..Lists::default() };
    let of = |rid, memory| passage(rid, memory, memory, "Porto 7");
    let passages = [of(10, "a"), of(20, "a"), of(30, "a"), of(40, "a"), of(50, "b")];
    check("x", &[], lists, &passages, &[10, 20, 30, 50]);
    // What no search found is given for a neighbour's sake, but not beside one of its own memory.
    let lists = || Lists { words: vec![vec![(10, 3.0)]], meaning: vec![], ..Lists::default() };
    check("x", &[], lists(), &[of(10, "a"), of(11, "a")], &[10]);
    let passages = [passage(10, "a", "talk", "Porto 7"), passage(11, "b", "talk", "Porto 7")];
    check("x", &[], lists(), &passages, &[10, 11]);
}

#[test]
fn three_passages_a_mail_of_a_mailbox() {
    let mail = |rid: i64, mail: i64| Passage { mail: Some(mail), ..passage(rid, "a", "a", "Porto 7") };
    let words = vec![(10, 3.0), (20, 2.5), (30, 2.0), (40, 1.5), (50, 1.0)];
    let lists = || Lists { words: vec![words.clone()], ..Lists::default() };
    let mails = |of: [i64; 5]| [mail(10, of[0]), mail(20, of[1]), mail(30, of[2]), mail(40, of[3]), mail(50, of[4])];
    check("x", &[], lists(), &mails([0, 1, 2, 3, 4]), &[10, 20, 30, 40, 50]);
    check("x", &[], lists(), &mails([0, 0, 0, 0, 1]), &[10, 20, 30, 50]);
    // What no search found is another mail, and is given beside none of its mailbox.
    let lists = Lists { words: vec![vec![(10, 3.0)]], ..Lists::default() };
    check("x", &[], lists, &[mail(10, 0), mail(11, 1)], &[10]);
    // But what is of the period that is asked for is found by that.
    let lists = Lists { period: vec![10, 20], ..Lists::default() };
    check("What happened in May 2023?", &[], lists, &[mail(10, 0), mail(20, 1)], &[10, 20]);
}

const PORTO: &str = "The boat lies in the harbour of Porto since May.";
const LISBON: &str = "The boat lies in the harbour of Lisbon since June.";
const RED: &str = "The boat was painted red by Ana, who likes the colour.";

/// Memories with what they say and whether nobody confirmed it for long, the best first, with the rids 10, 20 and 30.
fn check_given(said: [(&str, &str, bool); 3], limit: usize, given: &[i64], rejected: &[(i64, Gate)]) {
    let one = |(rid, (memory, text, is_stale)): (i64, (&str, &str, bool))| {
        (rid, Passage { is_stale, ..passage(rid, memory, memory, text) })
    };
    let passages = [10, 20, 30].into_iter().zip(said).map(one).collect();
    let lists = Lists { words: vec![vec![(10, 3.0), (20, 2.5), (30, 2.0)]], meaning: vec![], ..Lists::default() };
    let wanted = Wanted::of(&Question::parse("boat"), dates::Now::utc(0));
    let found = candidates(&lists, &HashMap::new());
    let ranking = give(fuse(found, &wanted, (passages, &Places::default())), &wanted, &Vectors::new(), limit);
    let rids: Vec<i64> = ranking.given.iter().map(|one| one.rid).collect();
    let told: Vec<(i64, Gate)> = ranking.rejected.iter().map(|(one, gate)| (one.rid, *gate)).collect();
    assert_eq!((rids.as_slice(), told.as_slice()), (given, rejected), "{said:?}");
}

#[test]
fn of_two_that_say_much_the_same_the_fresher_one_is_given() {
    let check = |stale: [bool; 2], limit: usize, given: &[i64], rejected: &[(i64, Gate)]| {
        check_given([("a", PORTO, stale[0]), ("c", RED, false), ("b", LISBON, stale[1])], limit, given, rejected);
    };
    check([true, false], 10, &[20, 30], &[(10, Gate::Stale)]);
    check([false, true], 10, &[10, 20], &[(30, Gate::Stale)]);
    check([true, true], 10, &[10, 20], &[(30, Gate::Stale)]);
    check([false, false], 10, &[10, 20, 30], &[]);
    // What is not given takes no place.
    check([true, false], 2, &[10, 20], &[(30, Gate::BeyondLimit)]);
}

#[test]
fn a_memory_whose_passage_gave_way_is_given_with_a_later_one() {
    let (stale, fresh, other) = (("a", PORTO, true), ("b", LISBON, false), ("a", RED, true));
    check_given([stale, fresh, other], 10, &[20, 30], &[(10, Gate::Stale)]);
    // It stands before what the other one gave way to.
    check_given([stale, other, fresh], 10, &[20, 30], &[(10, Gate::Stale)]);
    // Beyond the limit nothing gives way.
    check_given([stale, other, fresh], 2, &[10, 20], &[(30, Gate::BeyondLimit)]);
    check_given([stale, ("a", LISBON, true), fresh], 10, &[30], &[(10, Gate::Stale), (20, Gate::Duplicate)]);
}

#[test]
fn what_gave_way_to_one_that_gave_way_itself_is_given() {
    let check = |last: &str, given: &[i64], rejected: &[(i64, Gate)]| {
        // The second says much the same as the first, and the third as the first, but not as the second.
        let first = "The old boat lies in the harbour of Porto since May.";
        let second = "The old boat lies in the harbour of Leeds since June.";
        let said = [("a", first, true), ("b", second, true), ("c", last, false)];
        check_given(said, 10, given, rejected);
    };
    let third = "One new boat lies in the harbour of Porto since May.";
    check(third, &[20, 30], &[(10, Gate::Stale)]);
    check(RED, &[10, 30], &[(20, Gate::Stale)]);
}

/// Words for the letters of a text.
fn spelled(letters: &str) -> String {
    letters.chars().map(|letter| format!("w{letter} ")).collect()
}

#[test]
fn what_was_pushed_out_gives_way_to_nothing() {
    // Each with its memory, whether nobody confirmed it for long, and whether a search found it, the best first. Three were left out for the
    // sake of the first, and one more of its memory; what that gives way to says much of what each of the three does, and less of it than the
    // first.
    let all = [
        (10, "a", spelled("abcdefghijklmnopqrstuvwx"), true, true),
        (11, "b", spelled("abcdefghijklmnop"), true, true),
        (12, "c", spelled("ijklmnopqrstuvwx"), true, true),
        (13, "d", spelled("abcdefghqrstuvwx"), true, true),
        (14, "a", LISBON.to_owned(), false, false),
        (15, "e", RED.to_owned(), false, true),
        (16, "f", PORTO.to_owned(), true, true),
        (17, "g", spelled("abcdeijklmqrstuv"), false, true),
    ];
    let (mut candidates, mut passages) = (Vec::new(), HashMap::new());
    for (rid, memory, text, is_stale, is_found) in all {
        let rank = is_found.then_some(1_u32);
        let parts = ScoreParts { words: rank.map(f64::from), bm25_rank: rank, ..ScoreParts::default() };
        candidates.push(Candidate { rid, score: -(rid as f64), parts });
        passages.insert(rid, Passage { is_stale, ..passage(rid, memory, memory, &text) });
    }
    let features = passages.iter().map(|(rid, one)| (*rid, Features::of(&one.text))).collect();
    let wanted = Wanted::of(&Question::parse("x"), dates::Now::utc(0));
    let ranking = give(Ranked { candidates, features, passages, said: 0.0 }, &wanted, &Vectors::new(), 4);
    let given: Vec<i64> = ranking.given.iter().map(|one| one.rid).collect();
    let rejected: Vec<(i64, Gate)> = ranking.rejected.iter().map(|(one, gate)| (one.rid, *gate)).collect();
    assert_eq!(given, [11, 12, 13, 14]);
    let beyond = Gate::BeyondLimit;
    assert_eq!(rejected, [(10, Gate::Stale), (15, beyond), (16, beyond), (17, beyond)]);
}

#[test]
fn where_one_too_many_is_given_the_last_is_beyond_the_limit_with_all_behind() {
    let one = |rid: i64, score: f64| Candidate { rid, score, ..Candidate::default() };
    let mut ranking = Ranking::default();
    [one(10, 3.0), one(30, 1.0), one(20, 2.0)].into_iter().for_each(|one| ranking.give(one));
    ranking.leave_out(one(25, 1.5), Gate::Stale);
    ranking.leave_out(one(15, 2.5), Gate::Stale);
    assert_eq!((ranking.keep_within(3), ranking.keep_within(2), ranking.keep_within(2)), (None, Some(30), None));
    let told: Vec<(i64, Gate)> = ranking.rejected.iter().map(|(one, gate)| (one.rid, *gate)).collect();
    assert_eq!(told, [(15, Gate::Stale), (25, Gate::BeyondLimit), (30, Gate::BeyondLimit)]);
}

#[test]
fn a_neighbour_in_the_thread_comes_along_and_a_stranger_does_not() {
    let lists = Lists { words: vec![vec![(10, 3.0)]], meaning: vec![], ..Lists::default() };
    let passages =
        [passage(9, "x", "other", "Porto 7"), passage(10, "a", "talk", "Porto 7"), passage(11, "b", "talk", "Porto 7")];
    check("x", &[], lists, &passages, &[10, 11]);
}

#[test]
fn whoever_is_asked_about_said_it_and_an_answer_beats_its_question() {
    let lists = || Lists { words: vec![vec![(10, 3.0), (20, 3.0)]], meaning: vec![], ..Lists::default() };
    let said = [passage(10, "a", "a", "Ana: a boat"), passage(20, "b", "b", "Ben: a boat")];
    check("Which boat has Ben?", &["ben"], lists(), &said, &[20, 10]);
    let replied = [passage(10, "a", "a", "A boat?"), passage(20, "b", "b", "A boat.")];
    check("boat", &[], lists(), &replied, &[20, 10]);
}

#[test]
fn a_number_that_begins_with_a_year_is_looked_for_as_it_is_spelled() {
    let lists = || Lists { words: vec![vec![(10, 3.0), (20, 2.9)]], meaning: vec![], ..Lists::default() };
    let mut passages =
        [passage(10, "a", "a", "Ticket 2024-0013 of 2023."), passage(20, "b", "b", "Ticket 2024-0031 of it.")];
    // 7 May 2023: the ticket's number tells no year, and nothing is left out for happening in another one.
    passages[1].occurred_at = Some(1_683_460_000_000);
    for question in ["ticket 2024-0031", "2024-0031", "What became of ticket 2026-0099 or 2024-0031?"] {
        check(question, &[], lists(), &passages, &[20, 10]);
        assert_eq!(Wanted::of(&Question::parse(question), dates::Now::utc(0)).date, None, "{question}");
    }
}

#[test]
fn what_happened_on_the_day_comes_first() {
    let lists = || Lists { words: vec![vec![(10, 3.0), (20, 2.0)]], meaning: vec![], ..Lists::default() };
    let mut passages = [passage(10, "a", "a", "It rained."), passage(20, "b", "b", "It rained.")];
    // 7 May 2023.
    passages[1].occurred_at = Some(1_683_460_000_000);
    for question in
        ["rain on 7 May 2023", "rain between April and June 2023", "rain since March 2023", "rain before 2024"]
    {
        check(question, &[], lists(), &passages, &[20, 10]);
    }
}

#[test]
fn what_was_listed_by_its_time_takes_along_no_mail_that_is_dated_otherwise() {
    let check_beside = |is_dated_alone: bool, (text, name): (&str, &str), expected: &[i64]| {
        let mail = |rid: i64, occurred_at: i64, (text, name): (&str, &str)| Passage {
            name: name.to_owned(),
            occurred_at: Some(occurred_at),
            mail: Some(100 * rid),
            is_dated_alone,
            ..passage(rid, "a", "a", text)
        };
        let words = vec![vec![(10, 3.0), (20, 2.0)]];
        let lists = Lists { words, meaning: vec![], period: vec![20] };
        // 6 February and 7 May 2023.
        let mails =
            [mail(10, 1_675_680_000_000, (text, name)), mail(20, 1_683_460_000_000, ("It snowed.", "Letters\nnews"))];
        check("What happened in May 2023?", &[], lists, &mails, expected);
    };
    let (says, name) = ("It rained.", "Letters\nnews");
    check_beside(false, (says, name), &[10, 20]);
    check_beside(true, (says, name), &[20]);
    // What is said of the mailbox, or of when a mail was put there, is not said of the mail; what the mail says is.
    check_beside(true, (says, "Letters of May 2023\nnews"), &[20]);
    check_beside(true, ("From - Sunday, 7 May 2023\nIt rained.", name), &[20]);
    check_beside(true, (says, "Letters\nnews of May 2023"), &[20, 10]);
    check_beside(true, ("It rained on 7 May 2023.", name), &[20, 10]);
}
