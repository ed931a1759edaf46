use super::*;
use crate::extract::{Heading, compose_transcript, estimate_tokens};
use crate::provider::{Transcript, Utterance};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

const LIMIT: UnitLimit = UnitLimit { tokens: 256, target: 120, overlap: 20 };
const SMALL: UnitLimit = UnitLimit { tokens: 30, target: 20, overlap: 8 };

fn cut(text: &Text, limit: &UnitLimit) -> Vec<String> {
    split_units(text, limit).into_iter().map(|unit| text.text[unit.bytes].to_owned()).collect()
}

fn check(text: &str, limit: &UnitLimit, expected: &[&str]) {
    assert_eq!(cut(&Text::plain(text.to_owned()), limit), expected, "{text:?}");
}

#[test]
fn passages_end_with_sentences_and_overlap_by_whole_ones() {
    check("", &LIMIT, &[]);
    check(" \n\t\n ", &LIMIT, &[]);
    check("  One.\n", &LIMIT, &["One."]);
    check("One two. Three.\n\nFour.", &LIMIT, &["One two. Three.\n\nFour."]);
    check(
        "Alpha has nine of them. Beta. Gamma has them all by now. Delta has more than that.",
        &SMALL,
        &[
            "Alpha has nine of them. Beta. Gamma has them all by now.",
            "Gamma has them all by now. Delta has more than that.",
        ],
    );
}

#[test]
fn lists_and_tables_are_kept_by_line() {
    check(
        "- milk and some more of it\n- the bread with the seeds\n- all of the apples, but not more\n",
        &SMALL,
        &[
            "- milk and some more of it\n- the bread with the seeds",
            "- the bread with the seeds\n- all of the apples, but not more",
        ],
    );
    check(
        "name\tage\nAnna\t31\nBertram\t42\nCecilia\t53\nDorothea\t64",
        &SMALL,
        &["name\tage\nAnna\t31\nBertram\t42\nCecilia\t53", "Cecilia\t53\nDorothea\t64"],
    );
}

#[test]
fn a_paragraph_is_rather_begun_anew_than_torn() {
    let text = "Some of that has been there.\n\nThe other one is here. It has more than that, and they know it.";
    check(
        text,
        &UnitLimit { overlap: 0, ..SMALL },
        &["Some of that has been there.", "The other one is here. It has more than that, and they know it."],
    );
}

#[test]
fn passages_name_their_headings_and_do_not_cross_them() {
    let heading = |at, level, text: &str| Heading { at, level, text: text.into() };
    let text = Text {
        headings: vec![heading(7, 1, "A"), heading(13, 2, "B"), heading(20, 1, "C"), heading(23, 3, &"x".repeat(300))],
        ..Text::plain("before\n# A\na\n## B\nb\n# C\n### x\nc".into())
    };
    let units = split_units(&text, &LIMIT);
    let found: Vec<_> = units.iter().map(|u| (&text.text[u.bytes.clone()], u.heading_path.clone())).collect();
    let path = |path: &str| Some(path.to_owned());
    let long = format!("C › {}…", "x".repeat(120));
    assert_eq!(
        found,
        [
            ("before", None),
            ("# A\na", path("A")),
            ("## B\nb", path("A › B")),
            ("# C", path("C")),
            ("### x\nc", path(&long)),
        ]
    );
}

#[test]
fn a_transcript_is_cut_between_utterances() {
    let say = |n: u64| Utterance {
        text: format!("The meeting number {n} is on Tuesday at seven."),
        start_ms: n * 1000,
        end_ms: n * 1000 + 900,
        confidence: 0.9,
    };
    let text = compose_transcript(&Transcript { utterances: (0..20).map(say).collect(), language: None });
    let units = split_units(&text, &UnitLimit { overlap: 0, ..LIMIT });
    assert!((2..=6).contains(&units.len()), "{}", units.len());
    for unit in units {
        assert!(text.blocks.iter().any(|block| block.start == unit.bytes.start));
        assert!(text.blocks.iter().any(|block| block.end == unit.bytes.end));
    }
}

#[test]
fn blocks_of_a_page_part_passages() {
    let text = "The first block is of one line of text.\nThe second block follows at once, and it is longer.";
    let blocks = vec![0..39, 40..text.len()];
    let text = Text { blocks, ..Text::plain(text.into()) };
    let found = cut(&text, &UnitLimit { tokens: 40, target: 24, overlap: 0 });
    assert_eq!(
        found,
        ["The first block is of one line of text.", "The second block follows at once, and it is longer."]
    );
}

/// All that is promised of passages.
fn promises(text: &Text, limit: &UnitLimit) {
    let units = split_units(text, limit);
    assert_eq!(units, split_units(text, limit), "not deterministic");
    let whole = &text.text;
    let bounds: std::collections::BTreeSet<usize> =
        whole.grapheme_indices(true).map(|(at, _)| at).chain([whole.len()]).collect();
    let widest = whole.graphemes(true).map(estimate_tokens).max().unwrap_or(0);
    let mut covered = vec![false; whole.len()];
    let mut last = 0..0;
    for unit in &units {
        let part = &whole[unit.bytes.clone()];
        assert!(estimate_tokens(part) <= limit.tokens.max(8), "{part:?} is too long");
        assert!(!part.trim().is_empty(), "an empty passage");
        assert!(unit.bytes.start >= last.start && unit.bytes.end > last.end, "out of order");
        if widest <= limit.tokens.max(8) {
            assert!(bounds.contains(&unit.bytes.start) && bounds.contains(&unit.bytes.end), "{part:?} tears");
        }
        let crossed = text.headings.iter().any(|h| h.at > unit.bytes.start && h.at < unit.bytes.end);
        assert!(!crossed, "{part:?} crosses a heading");
        covered[unit.bytes.clone()].fill(true);
        last = unit.bytes.clone();
    }
    let missing = whole.char_indices().find(|(at, c)| !c.is_whitespace() && !covered[*at]);
    assert_eq!(missing, None, "not in any passage");
}

#[test]
fn hostile_texts_keep_the_promises() {
    let zalgo = format!("a{}b", "\u{301}\u{E33}".repeat(600));
    let family = format!("👩{}", "\u{200D}👩".repeat(500));
    for text in [
        "x".repeat(20_000),
        "😀".repeat(3_000),
        "🇩🇪".repeat(2_000),
        "한".repeat(2_000),
        "漢字".repeat(3_000),
        "e\u{301}".repeat(5_000),
        "a. ".repeat(5_000),
        "\n".repeat(5_000),
        "\u{301} \u{301}\n \u{301}".repeat(500),
        "مرحبا بالعالم. ".repeat(800),
        "Dr. ".repeat(3_000),
        "word ".repeat(5_000),
        format!("{}\n", "a\tb\tc").repeat(2_000),
        zalgo,
        family,
    ] {
        promises(&Text::plain(text.clone()), &LIMIT);
        promises(&Text::plain(text), &SMALL);
    }
}

/// Texts with what splitting trips over.
fn texts() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => "[a-z]{1,12} ",
        2 => "[A-Z][a-z]{1,9}[.!?] ",
        1 => Just("\n".to_owned()),
        1 => Just("\n\n".to_owned()),
        1 => Just("\n- ".to_owned()),
        1 => Just("\t".to_owned()),
        1 => Just("Dr. ".to_owned()),
        1 => Just("👩‍👩‍👧".to_owned()),
        1 => Just("e\u{301}".to_owned()),
        1 => Just(" \u{301}".to_owned()),
        1 => Just("안녕하세요 ".to_owned()),
        1 => Just("明日の会議。".to_owned()),
        1 => Just("مرحبا. ".to_owned()),
        1 => "[a-z0-9]{1,80}",
        1 => any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(part, 0..120).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn passages_keep_their_promises(
        text in texts(),
        cuts in proptest::collection::vec((0usize..2_000, 0u8..4), 0..4),
        blocks in proptest::collection::vec(0usize..2_000, 0..6),
        tokens in 4usize..80,
        target in 1usize..80,
        overlap in 0usize..40,
    ) {
        // Headings and blocks begin after a line break, as readers give them.
        let line = |at: usize| text.get(..at).unwrap_or(&text).rfind('\n').map_or(0, |at| at + 1);
        let mut headings: Vec<_> =
            cuts.iter().map(|(at, level)| Heading { at: line(*at), level: *level, text: "h".into() }).collect();
        headings.sort_by_key(|heading| heading.at);
        let mut starts: Vec<_> = blocks.iter().map(|at| line(*at)).collect();
        starts.sort_unstable();
        starts.dedup();
        let blocks = starts.iter().map(|start| *start..*start).collect();
        let text = Text { headings, blocks, ..Text::plain(text.clone()) };
        promises(&text, &UnitLimit { tokens, target, overlap });
    }
}
