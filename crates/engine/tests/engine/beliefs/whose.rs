//! Whom "I" means: the owner of a text where one is named, and the person under any of their names.

use super::*;
use um_model::capture::{MemoryIngest, MemoryRemember};

fn owned(rig: &Rig, owner: &str, text: &str) {
    let (text, space) = (text.to_owned(), SPACE.to_owned());
    rig.run(MemoryRemember { text, space, owner: Some(owner.to_owned()), ..MemoryRemember::default() }).unwrap();
    rig.settled();
}

fn owned_file(rig: &Rig, owner: &str, text: &str) {
    let paths = vec![rig.file("theirs.txt", text).display().to_string()];
    let (space, owner) = (SPACE.to_owned(), Some(owner.to_owned()));
    let kept = rig.run(MemoryIngest { paths, space, owner, ..MemoryIngest::default() }).unwrap();
    assert_eq!(kept.created, 1);
    rig.settled();
}

#[test]
fn the_owner_of_a_text_says_i_in_it() {
    for keep in [owned, owned_file] {
        for (owner, expected) in [
            (
                "Robin Frost",
                vec!["asserted: Robin Frost lives in Ghent", "asserted: Robin Frost's sister lives in Porto"],
            ),
            ("me", vec!["asserted: You live in Ghent", "asserted: Your sister lives in Porto"]),
        ] {
            let rig = Rig::new();
            keep(&rig, owner, "I live in Ghent. My sister lives in Porto.\n");
            assert_eq!(believed(&rig), expected, "{owner}");
        }
    }
}

#[test]
fn the_relatives_of_others_are_not_the_persons() {
    let rig = Rig::new();
    owned(&rig, "Robin Frost", "My sister Ana lives in Porto.");
    rig.remember("My sister lives in Graz.");
    rig.settled();
    let facts = believed(&rig);
    assert!(facts.contains(&"asserted: Ana lives in Porto".to_owned()), "{facts:?}");
    assert!(facts.contains(&"asserted: Your sister lives in Graz".to_owned()), "{facts:?}");
}

#[test]
fn the_person_speaks_under_their_own_name() {
    let rig = Rig::new();
    add(&rig, fact("me", "likes", "tea"));
    let entity = entity_id(&rig, "me");
    rig.run(EntityEdit { entity: entity.to_string(), alias: Some("priya".into()), ..EntityEdit::default() }).unwrap();
    rig.remember("[09:10] priya: I live in Leeds now.\n[09:11] tom: I live in York now.");
    rig.settled();
    let facts = believed(&rig);
    assert!(facts.contains(&"asserted: You live in Leeds".to_owned()), "{facts:?}");
    assert!(facts.contains(&"asserted: tom lives in York".to_owned()), "{facts:?}");
    // My sister is yours, whatever you are called.
    rig.remember("priya: My sister lives in Porto.\ntom: My sister lives in Faro.");
    rig.settled();
    let facts = believed(&rig);
    assert!(facts.contains(&"asserted: Your sister lives in Porto".to_owned()), "{facts:?}");
    assert!(facts.contains(&"asserted: tom's sister lives in Faro".to_owned()), "{facts:?}");
}

#[test]
fn an_agent_that_says_i_is_nobody() {
    let note = |rig: &Rig, owner: Option<&str>, text: &str| {
        rig.advance(1);
        let bot = agent(rig, "notes-bot");
        let (text, space, owner) = (text.to_owned(), SPACE.to_owned(), owner.map(str::to_owned));
        rig.engine().run(&bot, MemoryRemember { text, space, owner, ..MemoryRemember::default() }).unwrap();
        rig.settled();
    };
    let check = |known: &str, owner: Option<&str>, text: &str, more: &[&str]| {
        let rig = Rig::new();
        rig.remember(known);
        rig.settled();
        let mut expected = believed(&rig);
        expected.extend(more.iter().map(|fact| (*fact).to_owned()));
        expected.sort();
        let names = rows(&rig, "SELECT id || name FROM entities ORDER BY rid");
        note(&rig, owner, text);
        assert_eq!(believed(&rig), expected, "{text}");
        let now = rows(&rig, "SELECT id || name FROM entities ORDER BY rid");
        assert!(names.iter().all(|name| now.contains(name)), "{text}: {now:?}");
        assert_eq!(rows(&rig, "SELECT id FROM entities WHERE merged_into IS NOT NULL"), [""; 0], "{text}");
    };
    let (named, unnamed) = ("My sister Ana lives in Porto.", "My sister lives in Porto.");
    for known in [named, unnamed] {
        // `Mum` is nobody's mother either.
        let said = ["My sister lives in Oslo.", "I live in Oslo.", "My sister is Mallory.", "Mum lives in Leeds."];
        for text in said {
            check(known, None, text, &[]);
        }
        check(known, None, "My sister Mallory lives in Oslo.", &["asserted: Mallory lives in Oslo"]);
    }
    // Of others it speaks as everybody does, and the person's words are told to be theirs.
    check(named, None, "User lives in Graz.", &["asserted: You live in Graz"]);
    check(named, None, "User lives in the US.", &["asserted: You live in US"]);
    check(named, None, "User: I live in Graz.", &["asserted: You live in Graz"]);
    check(named, None, "user: I live in Graz.\nassistant: I live in Oslo.", &["asserted: You live in Graz"]);
    check(named, Some("me"), "I live in Graz.", &["asserted: You live in Graz"]);
    let rig = Rig::new();
    rig.remember(unnamed);
    rig.settled();
    note(&rig, None, "My sister Mallory lives in Oslo.");
    rig.remember("My sister plays chess.");
    rig.settled();
    assert!(believed(&rig).contains(&"asserted: Your sister plays chess".to_owned()), "{:?}", believed(&rig));
}
