use super::*;

#[test]
fn who_says_it_is_told_where_both_sides_say_enough() {
    let check = |question: &str, theirs: usize, others: usize, expected: f64| {
        let mut scored = Vec::new();
        let mut features = HashMap::new();
        for (count, label, cosine) in [(theirs, "ana", 0.4), (others, "ben", 0.3)] {
            for _ in 0..count {
                let rid = scored.len() as i64;
                let parts = ScoreParts { cosine: Some(cosine), ..ScoreParts::default() };
                scored.push(Candidate { rid, score: 0.0, parts });
                features.insert(rid, Features { said_by: vec![label.to_owned()], ..Features::default() });
            }
        }
        let names = vec![question.to_owned()];
        let wanted = Wanted { said_by: names, ..Wanted::of(&Question::parse(""), crate::recall::dates::Now::utc(0)) };
        assert!((said(&scored, &features, &wanted) - expected).abs() < 1e-9, "{question}");
    };
    check("ana", 5, 5, 0.2);
    check("ben", 5, 5, -0.2);
    check("ana", 4, 5, 0.0);
    check("carl", 5, 5, 0.0);
}

#[test]
fn names_are_no_part_of_what_must_be_held() {
    let question = Question::parse("Which boat has Ana?").about(vec!["ana".to_owned()]);
    for (quote, expected) in [("Ana: my boats", 1.0), ("Ana: nothing", 0.0)] {
        assert_eq!(share(&question, "", quote), expected, "{quote}");
    }
}

#[test]
fn words_that_every_passage_of_a_language_holds_tell_nothing() {
    let question = Question::parse("Wo ist der Schlüssel?");
    for (quote, expected) in [("Der Kessel ist im Keller.", 0.0), ("Der Schlüssel hängt an der Wand.", 1.0)] {
        assert_eq!(share(&question, "", quote), expected, "{quote}");
    }
}

#[test]
fn title_and_headings_hold_words_of_the_question() {
    let question = Question::parse("When does the Vexmark policy expire?");
    let check = |name: &str, expected: f64| {
        assert!((share(&question, name, "It expires on 3 May.") - expected).abs() < 1e-9, "{name}");
    };
    check("", 1.0 / 3.0);
    check("Vexmark_7.pdf", 2.0 / 3.0);
    check("Vexmark.pdf\nThe policy", 1.0);
}

#[test]
fn what_is_of_the_period_that_is_asked_for_need_not_name_it() {
    let check = |question: &str, quote: &str, expected: f64| {
        let share = share_of_period(&Question::parse(question), "", quote);
        assert!((share - expected).abs() < 1e-9, "{question} {quote}: {share}");
    };
    let quote = "Ana had the blue house by the harbour.";
    check("notes from October 2026", quote, 1.0);
    check("last month", quote, 1.0);
    check("Where did we stay this spring?", quote, 1.0 / 3.0);
    check("Which house had Ana last spring?", quote, 1.0);
    check("Which car did Ana park in October 2026?", quote, 1.5 / 3.5);
    check("Which car did Ben park in October 2026?", quote, 0.5 / 3.5);
}

#[test]
fn why_it_abstains_is_true() {
    let check = |question: &str, found: ScoreParts, has_words: bool, expected: &str| {
        let question = Question::parse(question);
        let wanted = Wanted::of(&question, crate::recall::dates::Now::utc(0));
        let given = vec![Candidate { parts: found.clone(), ..Candidate::default() }];
        let ranking = Ranking { given, ..Ranking::default() };
        let why = why((&question, &wanted), &ranking, (&found, has_words));
        assert!(why.contains(expected), "{why}");
    };
    let near = |cosine: f64| ScoreParts { cosine: Some(cosine), ..ScoreParts::default() };
    let then = |cosine: f64| ScoreParts { period: Some(1.0), ..near(cosine) };
    check("the boat", near(0.1), false, "none of these words, and is far from their meaning");
    check("the boat", near(0.4), false, "none of these words, and is not near enough");
    check("the boat", ScoreParts::default(), false, "none of these words, and their meaning was not searched");
    check("the boat", near(0.1), true, "some of these words");
    check("the boat", near(0.4), true, "far from the question");
    check("the boat of May 2023", then(0.1), false, "is of that time");
    check("the boat of May 2023", near(0.1), false, "none of these words");
    check("last month", near(0.1), true, "Nothing that was searched is of the time");
}

#[test]
fn words_that_nothing_need_say_are_no_gap() {
    let check = |question: &str, names: &[&str], expected: &[&str]| {
        let names = names.iter().map(ToString::to_string).collect();
        let question = Question::parse(question).about(names);
        let wanted = Wanted::of(&question, crate::recall::dates::Now::utc(0));
        let asked: Vec<&str> = asked_for(&question, &wanted).into_iter().map(|at| question.spelled(at)).collect();
        assert_eq!(asked, expected, "{}", question.text);
    };
    check("When does the Ferry to Ana's house leave?", &["ana"], &["Ferry", "house", "leave"]);
    check("Which notes did I write of the ferry in May 2023?", &[], &["ferry"]);
    check("What became of the ferry INV-2024-03?", &[], &["became", "ferry"]);
    check("Who is it?", &[], &[]);
    check("Wo ist der Schlüssel?", &[], &["Schlüssel"]);
}

#[test]
fn words_are_listed_as_people_do() {
    let check = |words: &[&str], expected: &str| {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        assert_eq!(listed(&words), expected);
    };
    check(&["a"], "a");
    check(&["a", "b"], "a or b");
    check(&["a", "b", "c"], "a, b or c");
}

#[test]
fn without_meaning_what_has_none_of_the_words_is_no_answer() {
    assert!(score(0.0, 0.0, None, Lacking::default()) < ENOUGH);
    assert!(score(0.0, 0.2, None, Lacking::default()) >= ENOUGH);
}

#[test]
fn what_nothing_holds_makes_an_answer_less_sure_and_follows_from_its_parts() {
    let check = |share: f64, cosine: f64, (unheld, unnamed): (f64, f64), expected: f64| {
        let told = [("said", 0.0), ("share", share), ("cosine", cosine)];
        // Where all are held, no part tells so.
        let lacking = [("unheld", unheld), ("unnamed", unnamed)].into_iter().filter(|(_, part)| *part > 0.0);
        let parts = told.into_iter().chain(lacking).map(|(name, part)| (name.to_owned(), part)).collect();
        let score = score(0.0, share, Some(cosine), Lacking { unheld, unnamed });
        assert!((score - expected).abs() < 5e-3, "{share} {cosine} {unheld} {unnamed}: {score}");
        assert_eq!(again(&parts).map(f64::to_bits), Some(score.to_bits()), "{share} {cosine} {unheld} {unnamed}");
    };
    check(0.5, 0.6, (0.0, 0.0), 0.55);
    check(0.5, 0.6, (0.5, 0.0), 0.401);
    check(0.5, 0.6, (1.0, 0.0), 0.269);
    check(0.8, 0.75, (0.0, 0.0), 0.767);
    check(0.8, 0.75, (0.0, 1.0), 0.448);
    check(0.8, 0.75, (1.0, 1.0), 0.196);
}
