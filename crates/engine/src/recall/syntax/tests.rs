use super::*;

/// 2025-03-02, 12:00 UTC.
const NOW: EpochMs = 1_740_916_800_000;
const FIRST_OF_MARCH: EpochMs = 1_740_787_200_000;

fn asked(query: &str) -> MemoryRecall {
    MemoryRecall { query: query.to_owned(), fielded: true, ..MemoryRecall::default() }
}

#[test]
fn what_is_typed_goes_to_its_fields() {
    let check = |typed: &str, query: &str, fill: &dyn Fn(&mut MemoryRecall)| {
        let mut expected = MemoryRecall { query: query.to_owned(), ..MemoryRecall::default() };
        fill(&mut expected);
        let read = read(asked(typed), NOW).unwrap_or_else(|_| panic!("{typed}"));
        assert_eq!(serde_json::to_value(read).unwrap(), serde_json::to_value(expected).unwrap(), "{typed}");
    };
    let strings = |all: &[&str]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
    check("where is the lease", "where is the lease", &|_| ());
    check("lease from:Ana", "lease", &|r| r.from = strings(&["Ana"]));
    check("from:\"Ana Lima\" rent", "rent", &|r| r.from = strings(&["Ana Lima"]));
    check("type:mail rent", "rent", &|r| r.mails = true);
    check("type:.EML type:pdf type:e-mail", "", &|r| {
        r.mails = true;
        r.modalities = vec![Modality::Pdf];
    });
    check("type:PDF type:photo rent", "rent", &|r| r.modalities = vec![Modality::Pdf, Modality::Image]);
    check("tier:Cold rent tier:warm", "rent", &|r| r.tiers = vec![Tier::Cold, Tier::Warm]);
    check("rent before:2025-03-01", "rent", &|r| r.until = Some(FIRST_OF_MARCH));
    check("rent after:yesterday", "rent", &|r| r.since = Some(FIRST_OF_MARCH));
    check("rent before:today before:2025-03-01", "rent", &|r| r.until = Some(FIRST_OF_MARCH));
    check("\"cold rent\" -flat", "cold rent", &|r| {
        r.phrases = strings(&["cold rent"]);
        r.without = strings(&["flat"]);
    });
    check("rent -\"two rooms\" “warm rent”", "rent warm rent", &|r| {
        r.without = strings(&["two rooms"]);
        r.phrases = strings(&["warm rent"]);
    });
    check("\"cold rent\"\"two rooms\" x", "cold rent two rooms x", &|r| {
        r.phrases = strings(&["cold rent", "two rooms"]);
    });
    // A mark too many behind what is closed is left out, and one before a further quote begins that.
    check("\"cold rent\"\"", "cold rent", &|r| r.phrases = strings(&["cold rent"]));
    check("“cold rent”\" flat", "cold rent flat", &|r| r.phrases = strings(&["cold rent"]));
    check("\"cold rent\"\" two rooms\" x", "cold rent two rooms x", &|r| {
        r.phrases = strings(&["cold rent", "two rooms"]);
    });
    check("rent -\"two rooms\"\"", "rent", &|r| r.without = strings(&["two rooms"]));
    check("from:\"Ana Lima\"\" rent", "rent", &|r| r.from = strings(&["Ana Lima"]));
    check("rent -\"type:pdf\" -http://a", "rent", &|r| r.without = strings(&["type:pdf", "http://a"]));
    check("tag:tax 2024", "2024", &|r| r.tags = strings(&["tax"]));
    check("tag:#tax tag:\"#two words\" 2024", "2024", &|r| r.tags = strings(&["tax", "two words"]));
    // What only looks like a field is a word, and a hyphen within a word is a part of it.
    check("https://a.example well-known -5", "https://a.example well-known -5", &|_| ());
    check("27\" is wide", "27\" is wide", &|_| ());
    check("\"from:\" here", "from: here", &|r| r.phrases = strings(&["from:"]));
    check("\"\" -\"\" -", "-", &|_| ());
}

#[test]
fn a_type_is_meant_by_what_people_and_files_call_it() {
    let check = |typed: &str, expected: Modality| {
        let Ok(read) = read(asked(&format!("type:{typed} rent")), NOW) else { panic!("{typed}") };
        assert_eq!((read.modalities, read.query.as_str()), (vec![expected], "rent"), "{typed}");
    };
    let names = |called: &Called| -> Vec<&'static str> {
        called.same.split_whitespace().chain(called.narrower.split_whitespace()).collect()
    };
    for called in &CALLED {
        check(called.modality.as_str(), called.modality);
        names(called).into_iter().for_each(|name| check(name, called.modality));
    }
    check("Markdown", Modality::Text);
    check(".MD", Modality::Text);
    check("other", Modality::Other);
    let all: Vec<&str> = CALLED.iter().flat_map(names).chain(MAILS.split_whitespace()).collect();
    for (at, name) in all.iter().enumerate() {
        assert!(!all[..at].contains(name) && name.parse::<Modality>().is_err(), "{name} stands there twice");
    }
    // What texts end with is called as a file that ends so is taken for.
    let endings = "txt log md markdown rst org adoc csv tsv ics vcf srt vtt rs py js ts c cpp java go rb sh sql json \
        yaml yml toml xml css";
    for ending in endings.split(' ') {
        let file = crate::extract::sniff_bytes(b"The rent is 700.", &format!("rent.{ending}"));
        check(ending, file.modality);
    }
}

#[test]
fn days_are_those_of_the_clock_of_whoever_asks() {
    const HOUR: EpochMs = 3_600_000;
    const SECOND_OF_MARCH: EpochMs = FIRST_OF_MARCH + DAY;
    // It is 01:00 UTC on the second: in Los Angeles still the first.
    let now = SECOND_OF_MARCH + HOUR;
    let check = |typed: &str, hours: i32, since: Option<EpochMs>, until: Option<EpochMs>| {
        let asked = MemoryRecall { utc_offset: hours * 60, ..asked(typed) };
        let read = read(asked, now).unwrap_or_else(|_| panic!("{typed}"));
        assert_eq!((read.since, read.until), (since, until), "{typed}, {hours} hours ahead");
    };
    check("after:today", 0, Some(SECOND_OF_MARCH), None);
    check("after:today", -8, Some(FIRST_OF_MARCH + 8 * HOUR), None);
    check("after:yesterday before:today", -8, Some(FIRST_OF_MARCH - 16 * HOUR), Some(FIRST_OF_MARCH + 8 * HOUR));
    check("after:today", 14, Some(SECOND_OF_MARCH - 14 * HOUR), None);
    check("before:2025-03-01", 1, None, Some(FIRST_OF_MARCH - HOUR));
    check("after:2025-03", -8, Some(FIRST_OF_MARCH + 8 * HOUR), None);
}

#[test]
fn what_cannot_be_read_says_how_it_is_written() {
    for (typed, hint) in [
        ("type:smell x", "pdf"),
        ("type:. x", "other"),
        ("tier:icy x", "hot, warm, cold"),
        ("rent tier:", "tier:cold"),
        ("before:soon x", "before:2025-06"),
        ("rent -type:pdf", "without a minus"),
        ("rent -from:ana", "without a minus"),
        ("-TAG:\"two words\" rent", "without a minus"),
        ("before:notaday x", "before:yesterday"),
        ("from: ana", "as in from:ana; or \"from:\""),
        ("rent from:", "from:ana"),
        ("rent FROM:\"\"", "from:ana"),
        ("tag:# rent", "tag:tax"),
        ("before:05/01/2024 x", "Write before:2024-01-05 if the day stands first in it, or before:2024-05-01"),
        ("after:5/1/24 x", "after:2024-01-05"),
        ("type: pdf", "type:pdf"),
        ("rent before:", "before:2025-06"),
        ("after: type:pdf", "after:2025-06"),
        ("rent -from:", "without a minus"),
        ("\"not closed", "the second mark"),
        ("rent -\"two rooms", "the second mark"),
        ("from:\"Ana Lima", "the second mark"),
        ("rent \"", "the second mark"),
        ("\"cold rent\" \"", "the second mark"),
        ("\"cold rent\"\"two rooms", "the second mark"),
    ] {
        let Err(fault) = read(asked(typed), NOW) else { panic!("{typed}") };
        let error = um_model::ApiError::from(fault);
        assert_eq!(error.code, um_model::ErrorCode::InvalidRequest, "{typed}");
        assert!(error.hint.unwrap_or_default().contains(hint), "{typed}");
    }
}

#[test]
fn what_says_nothing_is_told() {
    let check = |request: MemoryRecall, expected: &[&str]| assert_eq!(notices(&request), expected, "{request:?}");
    for typed in ["rent - flat", "- flat", "rent -"] {
        check(asked(typed), &[LONE_MINUS]);
    }
    check(asked("rent \"\""), &[NO_WORDS]);
    check(asked("- rent -\"\" -"), &[LONE_MINUS, NO_WORDS]);
    check(asked("\"cold rent\"\""), &[STRAY_QUOTE]);
    for typed in ["rent -flat -5", "\"-\" rent", "from:- rent", "well-known", "\"cold rent\""] {
        check(asked(typed), &[]);
    }
    check(MemoryRecall { fielded: false, ..asked("rent - \"\"") }, &[]);
}

#[test]
fn fields_that_are_taken_as_words_are_told() {
    let check = |query: &str, fields: Option<&str>| {
        let told = notices(&MemoryRecall { fielded: false, ..asked(query) });
        let begins = fields.map(|fields| format!("{fields} in the question was taken as words"));
        assert_eq!(told.len(), usize::from(begins.is_some()), "{query}: {told:?}");
        assert!(told.iter().zip(&begins).all(|(told, begins)| told.starts_with(begins)), "{query}: {told:?}");
    };
    check("rent from:ana", Some("`from:`"));
    check("type:pdf rent FROM:\"Ana Lima\" from:bo before:2025-06", Some("`before:`, `from:`, `type:`"));
    check("tag:#tax after:yesterday tier:cold", Some("`after:`, `tag:`, `tier:`"));
    for words in
        ["rent", "Note from: Ana", "type:smell", "before:lunch after:all", "from:- tier:two", "https://a.example"]
    {
        check(words, None);
    }
}

#[test]
fn a_type_that_is_taken_for_more_is_told() {
    let check = |typed: &str, expected: &[&str]| assert_eq!(notices(&asked(typed)), expected, "{typed}");
    let md = "type:md is taken as type:text, which other files are of, too.";
    check("type:md rent", &[md]);
    check("rent type:md type:md", &[md]);
    check(
        "type:\"md\" type:.JPG - rent",
        &[LONE_MINUS, "type:.JPG is taken as type:image, which other files are of, too.", md],
    );
    for typed in [
        "type:text rent",
        "type:mail rent",
        "type:note rent",
        "type:photos rent",
        "type:htm rent",
        "type:other rent",
        "md rent",
    ] {
        check(typed, &[]);
    }
}

#[test]
fn phrases_of_signs_alone_are_told() {
    let check = |phrases: &[&str], without: &[&str], is_told: bool| {
        let strings = |all: &[&str]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
        let request = MemoryRecall { phrases: strings(phrases), without: strings(without), ..MemoryRecall::default() };
        assert_eq!(wordless(&request), is_told.then_some(NO_LETTERS), "{phrases:?} {without:?}");
    };
    check(&["cold rent", "7"], &["会議"], false);
    check(&["cold rent", "!!!"], &[], true);
    check(&[], &["?"], true);
    check(&[""], &[], true);
}
