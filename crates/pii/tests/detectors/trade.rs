use crate::check;
use um_pii::Kind;

#[test]
fn organizations() {
    check(
        Kind::Organization,
        "trade.ending",
        0.5,
        &["«Hdscores Inc.» and «Loveland Technologies», «Müller GmbH».", "a company, our group, the bank"],
    );
    check(Kind::Organization, "trade.known", 0.5, &["«Microsoft» and «Wells Fargo»", "a target, an apple, the shell"]);
    check(
        Kind::Organization,
        "trade.cue",
        0.5,
        &[
            "I work for «Thinknum».",
            "The «Halvik» Orchestra",
            "«Halden» is a design agency.",
            "«Clark, Romero and Hall»",
            "I work for free.",
        ],
    );
    check(Kind::Organization, "trade.line", 0.5, &["Dreux Joly\n«Paxata»\n12 Crown Street"]);
}

#[test]
fn titles() {
    check(Kind::Title, "trade.address", 0.5, &["«Dr.» Ruiz and «Mrs» Okafor", "the dr. said, Mr and so on"]);
    check(
        Kind::Title,
        "trade.occupation",
        0.5,
        &[
            "Ana Ruiz\n«Leasing consultant»\nHalden",
            "I work for Halden as «Dairy scientist», still.",
            "the engineer came",
        ],
    );
}

#[test]
fn forms_of_other_countries() {
    check(
        Kind::Organization,
        "trade.ending",
        0.5,
        &["«Dupré Conseil SARL», «Hermanos Lozano S.L.»", "U.S.A. and S.L."],
    );
    check(Kind::Title, "trade.address", 0.5, &["«Prof. Dr.» Hiltrud Behrens, «Herrn» Quandel, «Frau» von der Heydte"]);
}
