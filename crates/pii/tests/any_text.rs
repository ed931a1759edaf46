//! Whatever a text is: nothing panics, every finding can be cut out, they are sorted and do not overlap, and the same
//! text gives the same findings.

use proptest::prelude::*;
use um_pii::{Rules, find};

/// What detectors look at, and what offsets trip over.
const PARTS: &[&str] = &[
    "Ana",
    "ana ruiz",
    "Dr. Ana B. Ruiz",
    "my name is",
    "Name:",
    "é@é.é",
    "ana@halden.example",
    "@",
    "+46 (0)8 928 571 38",
    "(",
    ")",
    "x12",
    "0490",
    "4111 1111 1111 1111",
    "4111-1111",
    "GB82 WEST 1234 5698 7654 32",
    "123-45-6789",
    "078-05-1120",
    "Suite",
    "Apt. 12",
    "P.O. Box 12",
    "PSC 12, Box 3",
    "APO AE 09012",
    "12 Crown Street",
    "Koskikatu 25",
    "corner of",
    "and",
    ",",
    "\n",
    "\r\n",
    "\n\n",
    "London",
    "Great Britain (x)",
    "nan 18237",
    "1.2.3.4",
    "fe80::1",
    "::",
    ":",
    "00:11:22:33:44:55",
    "https://a:b@c.d/e",
    "www.x.y",
    "password: hunter2!",
    "AKIA",
    "-----BEGIN PRIVATE KEY-----",
    "eyJ",
    "born",
    "2/16/1942",
    "March 3, 2024",
    "May",
    "in 2019",
    "aged 12",
    "35-year-old",
    "zip code is",
    "394 13",
    "2A",
    "RSSMRA85T10A562S",
    "12345678Z",
    "😀",
    "e\u{301}",
    "👩‍👩‍👧",
    "ß",
    "İ",
    "ﬁ",
    "\u{200b}",
    "\u{feff}",
    "Ⅷ",
    "ǅ",
    "'",
    "’",
    "’s",
    "-",
    "/",
    ".",
    "..",
    "#",
    ">",
    "??",
    "$",
    "€",
    "0",
    "00000000000000000000",
    "Inc.",
    "GmbH",
    "Hill, Reed and Cole",
    "works for",
    "is from",
    "university of",
];

fn texts() -> impl Strategy<Value = String> {
    let part = prop_oneof![8 => proptest::sample::select(PARTS).prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from), 1 => "\\PC{0,8}"];
    proptest::collection::vec((part, prop_oneof![4 => Just(" "), 1 => Just("")]), 0..60)
        .prop_map(|parts| parts.into_iter().map(|(part, gap)| part + gap).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn findings_of_any_text_can_be_cut_out_and_do_not_overlap(text in texts()) {
        let findings = find(&text, &Rules::everything());
        for finding in &findings {
            let words = finding.span.slice(&text);
            prop_assert!(words.is_some_and(|words| !words.is_empty()), "{finding:?} cannot be cut out");
            prop_assert!((0.0..=1.0).contains(&finding.confidence));
        }
        for pair in findings.windows(2) {
            prop_assert!(pair[0].span.end <= pair[1].span.start, "{pair:?} overlap");
        }
        prop_assert_eq!(&findings, &find(&text, &Rules::everything()));
        for finding in find(&text, &Rules::default()) {
            prop_assert!(finding.confidence >= 0.5 && !finding.kind.only_describes());
        }
    }
}
