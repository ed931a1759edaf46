use crate::check;
use um_pii::Kind;

#[test]
fn us_ssn() {
    check(
        Kind::UsSsn,
        "ids.us-ssn",
        0.5,
        &[
            "SSN: «078-05-1121», social security number is «123 45 6789», ssn «123456789»",
            "«536-22-8714» alone",
            "000-12-3456, 666-12-3456, 900-12-3456, 123-00-4567, 123-45-0000, 123456789, 1-123-45-6789",
        ],
    );
}

#[test]
fn by_form_and_check() {
    for (detector, texts) in [
        (
            "ids.uk-nino",
            &["my NI number «AB 12 34 56 C», «AB123456C»", "BG123456C, DA123456C, AB123456E, XAB123456C"][..],
        ),
        ("ids.fr-nir", &["numéro «2 55 08 14 168 025 38»", "2 55 08 14 168 025 39"]),
        ("ids.es-dni", &["«12345678Z» y «X1234567L»", "12345678A X1234567A"]),
        ("ids.it-fiscal", &["codice fiscale «RSSMRA85T10A562S»", "RSSMRA85T10A562T"]),
        ("ids.in-aadhaar", &["«2341 2341 2346»", "2341 2341 2347"]),
        ("ids.in-pan", &["PAN «ABCPE1234F»", "ABCDE1234F and ABCPE12345"]),
        ("ids.se-person", &["«811228-9874»", "811228-9875 and 811328-9874"]),
        ("ids.fi-person", &["«131052-308T»", "131052-308U"]),
        ("ids.br-cpf", &["«111.444.777-35»", "111.444.777-36, 111.111.111-11"]),
        ("ids.be-nrn", &["«85.07.30-033.28»", "85.07.30-033.29"]),
    ] {
        check(Kind::NationalId, detector, 0.5, texts);
    }
}

#[test]
fn beside_a_word_only() {
    for (detector, texts) in [
        ("ids.de-tax", &["Steuer-ID «86095742719»", "86095742719", "Steuer-ID 86095742718"][..]),
        ("ids.nl-bsn", &["BSN: «111222333»", "111222333", "BSN 111222334"]),
        ("ids.pl-pesel", &["PESEL «44051401359»", "44051401359", "PESEL 44051401358"]),
        ("ids.in-aadhaar", &["Aadhaar «234123412346»", "234123412346"]),
    ] {
        check(Kind::NationalId, detector, 0.5, texts);
    }
}
