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
