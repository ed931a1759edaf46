//! Whom the words of a text mean.

use super::*;

/// Halden Labs, Maya Okafor, two who are called Robin, the person and their sister.
fn known() -> Rig {
    let rig = Rig::resting();
    add(&rig, fact("Halden Labs", "motto", "onward"));
    add(&rig, fact("Maya Okafor", "works_at", "Halden Labs"));
    for robin in ["Robin Frost", "Robin Winter"] {
        add(&rig, fact(robin, "likes", "tea"));
        alias(&rig, robin, "Robin");
    }
    alias(&rig, "Halden Labs", "The Lab");
    add(&rig, fact("me", "likes", "rain"));
    add(&rig, fact("my sister", "likes", "snow"));
    rig
}

fn alias(rig: &Rig, entity: &str, alias: &str) {
    let entity = entity_id(rig, entity).to_string();
    rig.run(EntityEdit { entity, alias: Some(alias.into()), ..EntityEdit::default() }).unwrap();
}

/// `words = entity by match | entity by match` for each mention.
#[track_caller]
fn check(rig: &Rig, text: &str, expected: &[&str]) {
    let found = rig.run(EntitiesResolve { space: SPACE.into(), text: text.into() }).unwrap().mentions;
    let told: Vec<String> = found
        .iter()
        .map(|mention| {
            let mut candidates: Vec<String> =
                mention.candidates.iter().map(|c| format!("{} by {}", c.entity.name, c.match_type)).collect();
            candidates.sort();
            format!("{} = {}", mention.text, candidates.join(" | "))
        })
        .collect();
    assert_eq!(told, expected, "{text}");
    for mention in &found {
        assert_eq!(mention.span.slice(text), Some(mention.text.as_str()), "{text}");
    }
}

#[test]
fn names_other_names_and_the_persons_own_are_found() {
    let rig = known();
    check(&rig, "maya okafor called.", &["maya okafor = Maya Okafor by exact"]);
    check(&rig, "Ask at the lab tomorrow.", &["the lab = Halden Labs by alias"]);
    check(&rig, "Robin called.", &["Robin = Robin Frost by alias | Robin Winter by alias"]);
    check(&rig, "Robin Frost called.", &["Robin Frost = Robin Frost by exact"]);
    check(&rig, "Today I rest.", &["I = You by alias"]);
    check(&rig, "Then my sister came.", &["my sister = Your sister by exact"]);
    check(&rig, "Nobody came.", &[]);
}

#[test]
fn a_name_that_is_nearly_one_is_found_among_the_words_around_it() {
    let rig = known();
    let halden = ["Haldon Labs = Halden Labs by fuzzy"];
    for text in [
        "Haldon Labs closed.",
        "Yesterday Haldon Labs closed.",
        "We met in Rome. Haldon Labs closed.",
        "In Rome, Haldon Labs closed.",
        "Rome (Haldon Labs) closed.",
        "Yesterday Big Old Haldon Labs closed.",
        "Is it Haldon Labs Monday?",
        "Haldon\nLabs closed.",
    ] {
        let found = rig.run(EntitiesResolve { space: SPACE.into(), text: text.into() }).unwrap().mentions;
        let names: Vec<String> = found
            .iter()
            .map(|m| {
                let words = m.text.split_whitespace().collect::<Vec<_>>().join(" ");
                format!("{words} = {} by {}", m.candidates[0].entity.name, m.candidates[0].match_type)
            })
            .collect();
        assert_eq!(names, halden, "{text}");
    }
    // What a stop parts is no one name.
    for text in ["In Haldon. Labs closed.", "In Haldon, Labs closed."] {
        check(&rig, text, &["Labs = Halden Labs by fuzzy"]);
    }
    // A first name alone may mean its bearer; beside another surname it is somebody else.
    check(&rig, "Maya came.", &["Maya = Maya Okafor by fuzzy"]);
    check(&rig, "Yesterday Maya came.", &["Maya = Maya Okafor by fuzzy"]);
    check(&rig, "Maya Haldon came.", &[]);
    check(&rig, "- Maya Haldon came.", &[]);
    check(&rig, "# Haldon Labs", &["Haldon Labs = Halden Labs by fuzzy"]);
    check(
        &rig,
        "Maya Okafer and Haldon Labs agreed.",
        &["Maya Okafer = Maya Okafor by fuzzy", "Haldon Labs = Halden Labs by fuzzy"],
    );
}

#[test]
fn a_text_of_many_names_is_looked_through_so_far_and_no_further() {
    let rig = known();
    let many: String = (0..400).map(|n| format!("Qx{n} came. ")).collect();
    check(&rig, &format!("Haldon Labs closed. {many}"), &["Haldon Labs = Halden Labs by fuzzy"]);
    check(&rig, &format!("{many}Haldon Labs closed."), &[]);
    check(&rig, &format!("{many}Halden Labs closed."), &["Halden Labs = Halden Labs by exact"]);
}
