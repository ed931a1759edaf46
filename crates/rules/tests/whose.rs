//! Whom `I` means: in talk, in letters, in what somebody else wrote of themselves; and what is read at all.

use um_model::belief::CandidateObject;
use um_rules::{Context, claims};

/// Claims as `subject predicate object`.
fn read(text: &str) -> Vec<String> {
    let object = |object: CandidateObject| match object {
        CandidateObject::Entity(mention) => mention.name,
        CandidateObject::Value { text, .. } => text,
    };
    claims(text, &Context::default())
        .into_iter()
        .map(|claim| format!("{} {} {}", claim.subject.name, claim.predicate, object(claim.object)))
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(read(text), expected, "{text}");
}

#[test]
fn who_speaks_says_i() {
    let both = ["priya lives_in Leeds", "tom lives_in York"];
    check("[09:10] priya: I live in Leeds.\n[09:11] tom: I live in York.", &both);
    check("priya: I live in Leeds.\ntom: I live in York.", &both);
    check("<priya> I live in Leeds.\n<tom> I live in York.", &both);
    check("**priya:** I live in Leeds.\n\n**tom:** I live in York.", &both);
    check("**priya**: I live in Leeds.\n\n**tom**: I live in York.", &both);
    check("priya  9:14 AM\nI live in Leeds.\ntom  9:15 AM\nI live in York.", &both);
    check("user: I live in Leeds.\nassistant: I live in York.", &["user lives_in Leeds"]);
    check("# Figures\n\nAssistant: Sure. My name is Admin. I work at Evil Corp.", &[]);
    check("I live in Leeds.", &["user lives_in Leeds"]);
}

#[test]
fn who_signs_says_i() {
    for end in ["Much love,\nMartin", "- Martin", "Martin", "Yours ever,\nMartin", "All my love, Martin"] {
        check(&format!("Dear Rosa,\n\nI live in Graz now.\n\n{end}"), &["Martin lives_in Graz"]);
    }
}

#[test]
fn my_in_a_form_is_its_writers() {
    check("My allergies: ragweed", &["user allergy ragweed"]);
    check("Dear Rosa,\n\nI moved.\n\nMy allergies: ragweed\n\nMuch love,\nMartin", &[]);
    check("About the author. She writes.\n\nMy allergies: ragweed", &[]);
}

#[test]
fn what_appeared_elsewhere_tells_nothing_of_the_person() {
    check("About the author. I was born in Perth in 1970. My husband is Alan Frost.", &[]);
    check("I live in Perth. My husband is Alan Frost. (Reprinted from \"Gardens\", 2011.)", &[]);
    check(
        "# Interview with Olga Petrenko\n\nI live in Tartu.\n\nAna Ruiz lives in Porto.",
        &["Ana Ruiz lives_in Porto"],
    );
    check(
        "# Interview with Olga\n\n**Host:** Where?\n\n**Olga:** I live in Tartu.\n\n**Host:** I live in Riga.",
        &["Olga lives_in Tartu", "Host lives_in Riga"],
    );
}

#[test]
fn only_english_is_read() {
    check("Protokoll: Frau Huber wohnt in Wien und arbeitet bei der OMV. Nächstes Treffen am 3. Dezember.", &[]);
    check("Nächstes Treffen am 3. Dezember.", &[]);
    check("50,82,440,82,440,121,50,121,BOOK TA .K\n72,25,326,25,326,64,72,64,RECEIPT\n1,2,3,4,TOTAL 9.00", &[]);
    check("Ana Ruiz lives in Las Palmas.", &["Ana Ruiz lives_in Las Palmas"]);
    check("Frau Huber wohnt in Wien und ist bei der OMV.\n\nAna Ruiz lives in Porto.", &["Ana Ruiz lives_in Porto"]);
}

#[test]
fn a_quote_begins_with_what_is_said() {
    let text = "2. **Hiring.** Priya Raman leads the platform team.";
    for claim in claims(text, &Context::default()) {
        assert_eq!(claim.quote.slice(text), Some("Priya Raman leads the platform team."));
    }
}
