//! What stands around a passage: its neighbours in its own thread, whatever else is written meanwhile.

use crate::support::Rig;
use crate::traces::forget;
use um_model::capture::MemoryRemember;
use um_model::recall::MemoryRecall;

/// Passages of all spaces are numbered together: what is written elsewhere between two of a talk parts them no more than what
/// went from there (ruling 4).
#[test]
fn what_is_written_in_another_space_parts_no_neighbours() {
    let talk = ["Ana: Which boat did you buy?", "Ben: The blue one, of wood.", "Ana: Fine!", "Ben: It leaks, though."];
    let told = |others: usize, forgotten: bool| {
        let rig = Rig::new();
        rig.space("Other");
        for (at, said) in talk.into_iter().enumerate() {
            let (text, session) = (said.to_owned(), Some("talk".to_owned()));
            let space = crate::support::SPACE.to_owned();
            rig.run(MemoryRemember { text, space, session, ..MemoryRemember::default() }).unwrap();
            for number in 0..others {
                let other = rig.remember_in("Other", &format!("Note {at}-{number} is of another space.")).id;
                if forgotten {
                    forget(&rig, &other);
                }
            }
        }
        rig.settled();
        let request = MemoryRecall {
            query: "Which boat".to_owned(),
            space: Some(crate::support::SPACE.to_owned()),
            ..MemoryRecall::default()
        };
        let hits = rig.run(request).unwrap().hits;
        hits.into_iter().map(|hit| (hit.quote, hit.score, hit.score_parts.reply)).collect::<Vec<_>>()
    };
    let alone = told(0, false);
    assert!(alone.iter().any(|(.., reply)| reply.is_some()), "{alone:?}");
    for (others, forgotten) in [(1, false), (3, false), (1, true)] {
        assert_eq!(told(others, forgotten), alone, "{others} others, forgotten: {forgotten}");
    }
}

/// Two who write at once in one space part each other's neighbours no more.
#[test]
fn sessions_that_are_told_at_once_keep_their_neighbours() {
    let talk = ["Ana: Which boat did you buy?", "Ben: The blue one, of wood.", "Ana: Fine!", "Ben: It leaks, though."];
    let others = [
        ("garden", ["Cleo: Do tulips grow there?", "Dan: Only basil.", "Cleo: Try thyme.", "Dan: My garden is shady."]),
        ("trains", ["Eva: Is it late?", "Finn: By an hour.", "Eva: So wait.", "Finn: There is tea on platform nine."]),
    ];
    let told = |beside: usize, times: usize| {
        let rig = Rig::new();
        let tell = |said: &str, session: &str| {
            let (text, session) = (said.to_owned(), Some(session.to_owned()));
            let space = crate::support::SPACE.to_owned();
            rig.run(MemoryRemember { text, space, session, ..MemoryRemember::default() }).unwrap();
        };
        for (at, said) in talk.into_iter().enumerate() {
            tell(said, "talk");
            for (session, other) in others.iter().take(beside) {
                (0..times).for_each(|number| tell(&format!("{} ({number})", other[at]), session));
            }
        }
        rig.settled();
        let request = MemoryRecall { query: "Which boat".to_owned(), limit: Some(100), ..MemoryRecall::default() };
        let hits = rig.run(request).unwrap().hits.into_iter().filter(|hit| talk.contains(&hit.quote.as_str()));
        let so = |part: Option<f64>| part.is_some_and(|part| part > 0.0);
        let signals = |hit: um_model::recall::Hit| {
            let parts = hit.score_parts;
            (hit.quote, so(parts.near), so(parts.reply), so(parts.opening))
        };
        let mut told: Vec<_> = hits.map(signals).collect();
        told.sort();
        told
    };
    let alone = told(0, 0);
    assert!(alone.iter().any(|(quote, .., opens)| quote == talk[0] && *opens), "{alone:?}");
    assert!(alone.iter().any(|(quote, near, replies, _)| quote == talk[1] && *near && *replies), "{alone:?}");
    for (beside, times) in [(1, 1), (2, 1), (2, 8)] {
        assert_eq!(told(beside, times), alone, "{beside} others at once, {times} times as fast");
    }
}
