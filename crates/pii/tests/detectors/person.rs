use crate::check;
use um_pii::Kind;

#[test]
fn by_the_name_itself() {
    check(
        Kind::Person,
        "person.",
        0.5,
        &[
            "I saw «Ana Ruiz» and «Krisztián Szöllösy» with «Willemine ten Pas».",
            "«Kate M Begum», «Faina D. Yefremova»; «Mohmad R. Vizirov»",
            "Then «O'Neil Hauta-aho» left, before «Fletcher Hill».",
            "Wisdom and Discipline, Civil Rights Act, New Year, Terms of Use",
            "HashMap and TypeScript, John() and self.Anna",
        ],
    );
}

#[test]
fn by_what_stands_around() {
    check(
        Kind::Person,
        "person.",
        0.5,
        &[
            "Mr. «Pálffy» met Dr «Wells».",
            "My name is «Rubija».",
            "my name is «vitoria»",
            "Name: «Johannes Varvio»",
            "Dear «Matej»,\nthank you.\nRegards,\n«Olga»",
            "a song by «Dratchev», directed by «Varvio»",
            "He lives here; she said so. It is fine.",
        ],
    );
}

#[test]
fn again() {
    check(Kind::Person, "person.again", 0.5, &["I met Faina Yefremova. Then the early «Yefremova» left."]);
}

#[test]
fn labels_and_nouns_are_no_names() {
    check(
        Kind::Person,
        "person.",
        0.2,
        &[
            "Name: «Annika Behrens»\nGeburtsdatum: 7. Mai 1990\nGeburtsort: Görlitz\nAnschrift: hier\nTelefon: keines",
            "Nombre: «Lucía Serrano»\nNacionalidad: española\nDomicilio: aquí\nTeléfono: no",
            "Vorname: «Maren»\nNachname: «Holthaus»",
            "Der Antrag auf Neues Verfahren und das Protokoll Letzter Sitzung ist nicht mit dabei.",
            "\"last_name\": \"«Adebayo»\"",
            "<h3>«Hiltrud Behrens»</h3>",
        ],
    );
}

#[test]
fn japanese_names_before_a_form_of_address() {
    check(
        Kind::Person,
        "person.honorific",
        0.5,
        &[
            "«田中»さんと«佐々木»さんが来た。",
            "«鈴木一郎»様、お世話になっております。",
            "«長谷川»氏によると、«ケン»くんと「«さくら»ちゃん」は元気です。",
            "営業部の«田中»さん、«ジョン・スミス»さん",
            "«山本»くんです。",
            "皆さん、お客様、お母さん、お医者さん、看護師さん、赤ちゃん、神様",
            "たくさんの製品仕様と様々な模様。同様に多様。摂氏二十度、氏名、彼氏",
            "明日行くんです。ちゃんと書くんだ。しっかりちゃんと。本屋さん、部長さん",
            "さん。 様、氏",
        ],
    );
}

#[test]
fn german_names_behind_what_somebody_is() {
    check(
        Kind::Person,
        "person.",
        0.5,
        &[
            "Der Hausmeister «Özdemir» kommt am Montag.",
            "Heute hat die Nachbarin «Katharina Yıldız» angerufen.",
            "Mit dem Vermieter «Brzozowski» und der Familie «Gruber» sprechen.",
            "Der Hausmeister Montag anrufen, dann den Vermieter Heizung fragen.",
            "Die Nachbarin Termin geben; der Kunde Nummer fünf; Elektriker USB",
            "Der Hausmeister kommt. Özdemir auch.",
        ],
    );
}

#[test]
fn particles_behind_a_form_of_address() {
    check(Kind::Person, "person.", 0.5, &["Dear Mr. «van Rensburg»,", "Frau «von der Heydte» kam", "Herrn «Quandel»"]);
}
