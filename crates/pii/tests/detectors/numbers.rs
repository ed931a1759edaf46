use crate::check;
use um_pii::Kind;

#[test]
fn card() {
    check(
        Kind::Card,
        "numbers.card",
        0.5,
        &[
            "«4111 1111 1111 1111», «5500-0000-0000-0004», «378282246310005», «3782 822463 10005»",
            "card «4222222222222», cc «6011111111111117»?",
            "4111 1111 1111 1112, 4222222222222, 0000 0000 0000 0000, 1234 5678 9012 3456",
            "order 54111111111111111, 4111111111111111.5, id_4111111111111111",
        ],
    );
}

#[test]
fn iban() {
    check(
        Kind::Iban,
        "numbers.iban",
        0.5,
        &[
            "to «GB82 WEST 1234 5698 7654 32» or «de89370400440532013000»",
            "«FR14 2004 1010 0505 0001 3M02 606», «NL91ABNA0417164300».",
            "GB82 WEST 1234 5698 7654 33, DE8937040044053201300, XX12 3456 7890 1234",
        ],
    );
}

#[test]
fn phone() {
    check(
        Kind::Phone,
        "numbers.phone.",
        0.5,
        &[
            "«+46 (0)8 928 571 38», «+447700677662», «+1-984-182-0190», «001-518-640-0854»",
            "«(579)888-3058», «780-999-2181», «259.735.7502x459», «345-899-3560 ext. 12»",
            "«07700 063 966» and «01.84.17.61.18» and «0961-7596216», «(08) 8747 6301»",
            "Phone: «467 3395», Fax: «71-33-52-22»",
            "Call me on «5403926876»! «781 1704» office",
            "467 3395 and 5403926876 and 71-33-52-22",
            "01.02.2024, 2024-01-02, 12/31/1999 10:30, 1990-2010, 10:30:00",
            "€ 120 000, 12 500 000 EUR, 1.250.000, 340 000 km",
            "order 555-123-4567, ISBN 0-306-40615-2, invoice 0400 123 456 7",
            "52.5200, 13.4050; v1.20.300.4000; 0x0400123456",
            "«+49 30 901820», then 12 apples",
        ],
    );
}

#[test]
fn labelled() {
    check(
        Kind::DriverLicence,
        "numbers.driver-licence",
        0.5,
        &["My driver's license number is «F162823540116».", "a driver's licence is required"],
    );
    check(
        Kind::Passport,
        "numbers.passport",
        0.5,
        &["Passport No. «CX0100447»", "Passport number «C01X00T47» of Ana", "passport control 12"],
    );
    check(
        Kind::BankAccount,
        "numbers.account",
        0.5,
        &["Account number: «12345678»", "account no «0532 0130 00»", "two accounts, 3 users"],
    );
    check(
        Kind::BankAccount,
        "numbers.routing",
        0.5,
        &["Sort code «20-00-00», routing number: «021000021»", "sort 12 items"],
    );
}

#[test]
fn phones_of_other_countries() {
    check(
        Kind::Phone,
        "numbers.phone.",
        0.5,
        &[
            "«0561 / 98 44 - 127», «05429/5550 - 31», «0351 – 8 62 14 0»",
            "«655 01 82 47», «91 445 67 12», «96-155-50-17»",
            "«(+48) 42 555 17 30», SMS=«+31 6 1843 5527»",
            "655 01 82 47 11, order 655 01 82 47. Handy: 17.09.23",
        ],
    );
}
