use crate::check;
use um_pii::Kind;

#[test]
fn street() {
    check(
        Kind::Address,
        "place.street",
        0.5,
        &[
            "I live at «221B Baker Street, London NW1 6XE», on the left.",
            "Ich wohne in der «Lindenstraße 14, 10969 Berlin».",
            "Address: «5 rue des Lilas, 75020 Paris, France»",
            "send it to «14 Crown Street Apt. 3\n LONDON\n United Kingdom 75419»? Thanks",
            "«Nygata 12b», «Via Franscini 71», «Erzsébet tér 19», «ul. Zamkowa 33 Apt. 406»",
            "Ship to:\nAnna Kovács\n«Petőfi Sándor utca 7.\n1052 Budapest\nHungary»",
            "«15 Maple Drive, Springfield il 62701», and more",
            "on «Berg Hills Street» we met",
            "12 people, 3/4 Cup, Version 12, March 3, Room 4, 24 Hours, Chapter 7",
            "the street, a road to nowhere, at the end of the lane",
        ],
    );
}

#[test]
fn boxes_and_corners() {
    check(
        Kind::Address,
        "place.postbox",
        0.5,
        &[
            "«P.O. Box 149, Tallinn, Estonia»",
            "Meet at «PSC 1437, Box 3833\nAPO AA 66791»",
            "«Unit 8505 Box 9220\nDPO AE 90744», «PO Box 12»",
            "box 12, unit 7, the PO says no",
        ],
    );
    check(
        Kind::Address,
        "place.corner",
        0.5,
        &["«the corner of Elm Street and Rose Lane», there", "the corner of the room and the door"],
    );
}

#[test]
fn postcode() {
    check(
        Kind::Postcode,
        "place.postcode",
        0.5,
        &["My zip code is «35350».", "ZIP: «394 13», PLZ «1010», postcode: «7412 SL»", "zip the file, 12345"],
    );
    check(Kind::Postcode, "place.postcode.uk", 0.5, &["near «SW1A 1AA»", "A4 5mm, B2 100"]);
}

#[test]
fn places() {
    check(
        Kind::Place,
        "place.known",
        0.5,
        &["«Estonia» and «New York City», the «Czech Republic»", "turkey, chile sauce, Reading"],
    );
    check(
        Kind::Place,
        "place.cue",
        0.5,
        &[
            "She moved here from «Tjæreborg» and lives in «Villafranca del Cid».",
            "my friend lives in «harburg»",
            "in detail, from experience",
        ],
    );
    check(Kind::Place, "place.town", 0.5, &["«Vogelsang»\nSwitzerland"]);
    check(
        Kind::Nationality,
        "place.nation",
        0.5,
        &["a «Polish» film, I am «cambodian», proud «saudis»", "polish the shoes"],
    );
}

#[test]
fn addresses_of_other_countries() {
    check(
        Kind::Address,
        "place.street",
        0.5,
        &[
            "«Sonnenstr. 112»; «Falkensteiner Weg 22\nc/o Jansen\n60322 Frankfurt am Main»",
            "«Avda. de la Constitución, 31, 2.º C, 41004 Sevilla», «c/ Ercilla 24, 5º izda, 48011 Bilbao»",
            "au «61, bd Voltaire, Paris 11e».",
            "«Flat 3B, 118 Lavender Hill, London SW11 5RD», there",
            "§ 812 Abs. 1 BGB, 999 AA1 01",
            "Apt. 12 ,",
        ],
    );
}

#[test]
fn labels_of_other_languages() {
    check(
        Kind::Place,
        "place.cue",
        0.4,
        &["Geburtsort: «Görlitz»", "née le 23 mai 1964 à «Quimper», et", "1987 en «Huelva»"],
    );
    check(
        Kind::Nationality,
        "place.nation.label",
        0.5,
        &[
            "Staatsangehörigkeit: «deutsch»",
            "de nationalité «française»",
            "Nacionalidad: «española»",
            "la nationalité est",
        ],
    );
    check(Kind::Postcode, "place.postcode", 0.5, &["\"zip\": \"«11206»\""]);
}
