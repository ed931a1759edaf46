use super::*;
use proptest::prelude::*;

#[track_caller]
fn check(a: &str, b: &str, expected: bool) {
    assert_eq!(may_merge(a, b), expected, "{a} | {b}: {:?} {:?}", tokens(a), tokens(b));
    assert_eq!(may_merge(b, a), expected, "{b} | {a}");
}

#[test]
fn what_differs_in_wording_only_may_be_one() {
    for (a, b) in [
        ("The backup runs at night.", "At night the backup runs"),
        ("Ana lives in Porto.", "ana is living in porto"),
        ("Coffee is preferred over tea.", "it is coffee that is preferred over tea"),
        ("It weighs 5 kg.", "it weighs five kilograms"),
        ("The fee is $1,000.", "the fee is 1000 dollars"),
        ("Version 3.50 is out", "version 3.5 is out"),
        ("The meeting is on Mon at 7pm", "the meeting is on Monday at 7 pm"),
        ("Don’t use tabs", "Do not use tabs"),
        ("Ana's car", "the car of Ana"),
        ("", ""),
    ] {
        check(a, b, true);
    }
}

#[test]
fn what_differs_in_what_decides_is_kept_apart() {
    for (a, b) in [
        // Numbers and their order.
        ("Room 12 is free", "Room 13 is free"),
        ("It has 2 doors", "It has doors"),
        ("From 3 to 5", "From 5 to 3"),
        ("It costs 1.000,5", "It costs 1.000,6"),
        ("two cats", "three cats"),
        ("Version 3.5.1", "Version 3.5.10"),
        // Units.
        ("It weighs 5 kg", "It weighs 5 lbs"),
        ("It costs $5", "It costs €5"),
        ("It takes 5 minutes", "It takes 5 hours"),
        ("It grew 5%", "It grew 5"),
        ("It is 15b", "It is 15c"),
        ("At 7 am", "At 7 pm"),
        // Dates.
        ("Due on March 3", "Due on May 3"),
        ("Due on 2026-03-03", "Due on 2026-03-04"),
        ("We meet on Monday", "We meet on Tuesday"),
        ("It ships tomorrow", "It ships today"),
        ("Open since June", "Open until June"),
        // Denials.
        ("Ana works at Brightwater", "Ana does not work at Brightwater"),
        ("He eats meat", "He doesn't eat meat"),
        ("Der Server läuft", "Der Server läuft nicht"),
        ("Il fume", "Il ne fume pas"),
        ("Use tabs", "Never use tabs"),
        // Names and their order.
        ("Ana lives in Porto", "Ana lives in Lisbon"),
        ("Ana reports to Ben", "Ben reports to Ana"),
        ("Ana lives in Porto", "She lives in Porto"),
        ("Use iPhone", "Use Android"),
        ("Runs on k8s", "Runs on k3s"),
        ("田中さんは東京にいる", "鈴木さんは東京にいる"),
        ("أحمد في القاهرة", "محمد في القاهرة"),
        // Persons.
        ("My sister lives there", "Your sister lives there"),
        ("he likes tea", "she likes tea"),
        // Limits.
        ("All tests pass", "Some tests pass"),
        ("It must be signed", "It may be signed"),
        ("He likes tea", "He dislikes tea"),
        ("Logging is enabled", "Logging is disabled"),
        ("It costs more than 5", "It costs less than 5"),
        ("Call if it rains", "Call"),
        ("She was the lead", "She is the lead"),
        ("Tea or coffee", "Tea and coffee"),
    ] {
        check(a, b, false);
    }
}

#[test]
fn numbers_are_made_plain() {
    for (written, plain) in [
        ("1,000", "1000"),
        ("1,000,000.50", "1000000.5"),
        ("3,5", "3.5"),
        ("007", "7"),
        ("0", "0"),
        ("0.50", "0.5"),
        ("100", "100"),
        ("3.5.10", "3.5.10"),
        ("12:30", "12:30"),
        ("00:30", "0:30"),
    ] {
        assert_eq!(plain_number(written), plain, "{written}");
    }
}

proptest! {
    #[test]
    fn it_is_symmetric_and_every_text_goes_with_itself(a in ".{0,40}", b in "[A-Za-z0-9 .,'%]{0,40}") {
        prop_assert!(may_merge(&a, &a));
        prop_assert!(may_merge(&b, &b));
        prop_assert_eq!(may_merge(&a, &b), may_merge(&b, &a));
    }

    #[test]
    fn another_number_or_a_denial_always_forbids(text in "[a-z ]{0,30}", one in 0u32..5000, other in 0u32..5000) {
        let with = |number: u32| format!("{text} about {number} pieces");
        prop_assert_eq!(may_merge(&with(one), &with(other)), one == other);
        let denied = format!("{} not", with(one));
        prop_assert!(!may_merge(&with(one), &denied));
    }
}
