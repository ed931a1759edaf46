use crate::check;
use um_pii::Kind;

#[test]
fn dates() {
    check(
        Kind::Date,
        "when.date",
        0.5,
        &[
            "«2000-04-16 11:34:35», «2024-01-02», «2/16/1942», «31.12.1999»; «3 March 2024», «March 3, 2024», «May 5th»",
            "3/4 cup, 1.5, 10:30, 2024, May I?, 5 apples",
        ],
    );
    check(Kind::Date, "when.year", 0.4, &["in «2014» and since «1973»", "2014 items, in 1899, v2014"]);
    check(Kind::Date, "when.weekday", 0.5, &["on «Saturday» morning", "sun and moon"]);
}

#[test]
fn birth() {
    check(
        Kind::BirthDate,
        "when.birth",
        0.5,
        &[
            "She was born on «8/5/1989».",
            "Date of birth: «1942-02-16»",
            "geboren am «03.05.1971», née le «3 mars 1980»",
            "The bill was paid on 8/5/1989.",
        ],
    );
}

#[test]
fn age() {
    check(
        Kind::Age,
        "when.age",
        0.5,
        &[
            "a «35»-year-old man, «74» years old, «26» y/o, aged «41», at the age of «61», I just turned «46».",
            "turned 90 degrees, 200 years old, page 35, 35 years ago",
        ],
    );
}

#[test]
fn dates_of_other_countries() {
    check(
        Kind::Date,
        "when.",
        0.5,
        &[
            "[«12/08/24, 21:04»] ok, «17.09.23, 19:02» - ja, «Di 28.05.24»",
            "«Monday, September 2, 2024 8:41 AM», «Tue Mar 5 14:22:09 2024», «8. August 2024, 4:52 Uhr»",
            "el «jueves 7 de noviembre», «samedi», «14-MAR-1958»",
            "seit «04/2019», «10/2016» – «03/2019»; exp «03/28»",
            "el martes y mar, 14/2019, 3/28, 04/2019/7",
        ],
    );
}

#[test]
fn ages_of_other_languages() {
    check(
        Kind::Age,
        "when.age",
        0.5,
        &[
            "die «75»-jährige Frau, «12» Jahre alt; âgé de «42» ans, Âge : «10» ans, tiene «88» años",
            "tiene 12 camas, seit 20 Jahren, 30 ans de garantie",
        ],
    );
}
