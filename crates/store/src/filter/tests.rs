use super::*;
use crate::migrate;

/// What SQLite says that it goes through for a filter.
fn plan(filter: &UnitFilter, over: &Over) -> String {
    migrate::plan(&migrate::migrated(), &filter.statement(over))
}

#[test]
fn the_newest_are_walked_in_their_order() {
    let plan = plan(&UnitFilter { until: Some(9), ..UnitFilter::default() }, &NEWEST);
    let steps: Vec<&str> = plan.lines().collect();
    assert!(steps[0].contains("idx_memories_when (space_id=? AND status=? AND <expr>>? AND <expr><?)"), "{plan}");
    // Only the passages of one memory are sorted, not the memories.
    assert!(steps.iter().filter(|step| step.contains("B-TREE")).count() <= 1, "{plan}");
    assert!(!steps.last().unwrap().contains("RIGHT PART OF ORDER BY"), "{plan}");
}

#[test]
fn many_of_a_time_are_told_by_the_index() {
    let plan = migrate::plan(&migrate::migrated(), MANY_DATED);
    let by_index = "idx_memories_when (space_id=? AND status=? AND <expr>>? AND <expr><?)";
    assert!(plan.contains(by_index), "{plan}");
    let check = |filter: UnitFilter, is_of_times: bool| assert_eq!(filter.is_of_times(), is_of_times, "{filter:?}");
    check(UnitFilter { since: Some(1), ..UnitFilter::default() }, true);
    check(UnitFilter { since: Some(1), until: Some(2), ..UnitFilter::default() }, true);
    check(UnitFilter::default(), false);
    check(UnitFilter { since: Some(1), tags: vec!["tax".to_owned()], ..UnitFilter::default() }, false);
}

#[test]
fn what_is_tagged_is_looked_up() {
    let filter = UnitFilter { tags: vec!["tax".to_owned()], ..UnitFilter::default() };
    let plan = plan(&filter, filter.of_spaces());
    assert!(plan.starts_with("SEARCH m USING INDEX sqlite_autoindex_memories_1 (id=?)"), "{plan}");
    assert!(plan.contains("idx_item_tags_found (tag_id=? AND item_type=?)"), "{plan}");
}

#[test]
fn what_was_tagged_then_is_looked_up() {
    let then = Then { as_of: Some(1), known_at: None };
    let filter = UnitFilter { tags: vec!["tax".to_owned()], then, ..UnitFilter::default() };
    for over in [filter.of_spaces(), &NEWEST_TAGGED_THEN] {
        let plan = plan(&filter, over);
        assert!(plan.starts_with("SEARCH m USING INDEX sqlite_autoindex_memories_1 (id=?)"), "{plan}");
        for index in ["idx_item_tags_found (tag_id=?", "idx_past_item_tags_tag (tag_id=?", "idx_past_item_tags_item ("]
        {
            assert!(plan.contains(index), "{index}: {plan}");
        }
    }
}

#[test]
fn mails_of_mailboxes_are_looked_up_by_their_own_dates() {
    let filter = UnitFilter { since: Some(1), from: vec!["ana".to_owned()], ..UnitFilter::default() };
    assert!(matches!(filter.of_spaces().mails, Mails::Beside(_)));
    for over in [&MAILS, &NEWEST_MAILS] {
        let plan = plan(&filter, over);
        let by_index = "u USING INDEX idx_units_mails (space_id=? AND mail_sent_at>? AND mail_sent_at<?)";
        assert!(plan.contains(by_index) && !plan.contains("B-TREE"), "{plan}");
        // Whom it is from is told by the passage, and no text is read for that.
        assert!(!plan.contains("derived_text_views"), "{plan}");
    }
    let memories = plan(&filter, filter.of_spaces());
    assert!(memories.contains("idx_memories_when (space_id=? AND status=? AND <expr>>? AND <expr><?)"), "{memories}");
    for over in [&NEWEST_TAGGED_MAILS, &NEWEST_TAGGED_MAILS_THEN] {
        let plan = plan(&filter, over);
        assert!(plan.starts_with("SEARCH m USING INDEX sqlite_autoindex_memories_1 (id=?)"), "{plan}");
    }
}

#[test]
fn the_newest_of_what_is_tagged_are_looked_up() {
    let filter = UnitFilter { tags: vec!["tax".to_owned()], ..UnitFilter::default() };
    let newest = plan(&filter, &NEWEST_TAGGED);
    assert!(newest.starts_with("SEARCH m USING INDEX sqlite_autoindex_memories_1 (id=?)"), "{newest}");
    let carrying = migrate::plan(&migrate::migrated(), CARRYING);
    for plan in [newest, carrying] {
        assert!(plan.contains("idx_item_tags_found (tag_id=? AND item_type=? AND space_id=?)"), "{plan}");
    }
}

#[test]
fn the_past_is_looked_up() {
    for (as_of, known_at) in [(Some(1), None), (None, Some(1)), (Some(1), Some(1))] {
        let filter = UnitFilter { then: Then { as_of, known_at }, ..UnitFilter::default() };
        let past = plan(&filter, &PAST);
        assert!(past.contains("idx_memories_past (space_id=? AND status_changed_at>?)"), "{past}");
        for over in [&PAST, &OF_GIVEN, &OF_SPACES] {
            let plan = plan(&filter, over);
            assert!(plan.contains("idx_memory_history_memory (memory_id=?"), "{plan}");
            let goes_through = |step: &str| step.starts_with("SCAN") && !step.contains("VIRTUAL TABLE");
            assert!(!plan.contains("B-TREE") && !plan.lines().any(goes_through), "{plan}");
        }
    }
}

#[test]
fn cold_ones_are_listed_by_an_index_of_their_own() {
    let filter = UnitFilter { tiers: vec![Tier::Cold], ..UnitFilter::default() };
    let plan = plan(&filter, &COLD);
    assert!(plan.contains("idx_memories_cold (space_id=?)") && !plan.contains("B-TREE"), "{plan}");
    for (tiers, is_open) in [(vec![Tier::Hot, Tier::Warm, Tier::Cold], true), (vec![Tier::Hot], false)] {
        assert_eq!(UnitFilter { tiers, ..UnitFilter::default() }.is_open(), is_open);
    }
}

#[test]
fn a_mail_is_read_once_for_all_its_units() {
    let filter = UnitFilter { from: vec!["ana".to_owned()], ..UnitFilter::default() };
    for over in [&OF_SPACES, &OF_GIVEN, &OF_TAGGED, &PAST, &COLD] {
        let plan = plan(&filter, over);
        assert!(plan.contains("artifact_id=?") && plan.contains("FOR DISTINCT"), "{plan}");
        assert!(!plan.contains("CORRELATED LIST SUBQUERY"), "it depends on the unit: {plan}");
        // Which mails there are is told by their memories alone, unless units are given.
        let units = plan.lines().filter(|step| step.starts_with("SEARCH u ")).count();
        assert_eq!(units, if over.units.is_empty() { 2 } else { 1 }, "{plan}");
    }
    // Each of the newest is gone through once, until there are enough.
    let newest = plan(&filter, &NEWEST);
    assert!(newest.contains("CORRELATED LIST SUBQUERY") && !newest.contains("FOR DISTINCT"), "{newest}");
}

#[test]
fn what_is_of_a_type_or_a_name_is_looked_up() {
    let types = |types: &[&str], mails: bool| UnitFilter {
        modalities: types.iter().map(ToString::to_string).collect(),
        mails,
        ..UnitFilter::default()
    };
    let names = UnitFilter { from: vec!["ana".to_owned()], ..UnitFilter::default() };
    let check = |filter: &UnitFilter, over: &Over, indexes: &[&str]| {
        let plan = plan(filter, over);
        for index in indexes {
            assert!(plan.contains(index), "{index}: {plan}");
        }
        // Where enough was found, nothing more is looked up.
        assert!(!plan.contains("MATERIALIZE named") && !plan.contains("MATERIALIZE typed"), "{plan}");
        let through = migrate::scanned(&plan);
        assert!(!through.iter().any(|name| ["a", "f", "m", "n", "u", "v"].contains(name)), "{through:?}: {plan}");
        assert!(!plan.contains("idx_memories_when"), "{plan}");
    };
    let by_type = ["idx_artifacts_type (space_id=? AND modality=?)", "idx_memories_type (space_id=? AND modality=?)"];
    check(&types(&["pdf"], false), &OF_TYPED, &by_type);
    check(
        &types(&[], true),
        &OF_MAIL_FILES,
        &["idx_artifacts_mails (space_id=?)", "idx_memories_artifact (primary_artifact_id=?)"],
    );
    let by_name = [
        "idx_memories_of_agents (space_id=? AND actor_id=?)",
        "idx_memories_owned (space_id=?)",
        "idx_memories_titled (space_id=?)",
        "idx_units_mail_from (space_id=? AND mail_from>?)",
        "idx_units_mail_from (space_id=? AND mail_from=?)",
        "idx_artifacts_newest (space_id=?)",
        "idx_artifacts_mails (space_id=?)",
    ];
    check(&names, &OF_NAMED, &by_name);
    let led = |filter: UnitFilter, expected: Option<&Over>| {
        assert_eq!(filter.typed().map(|over| over.from), expected.map(|over| over.from), "{filter:?}");
    };
    led(types(&["pdf", "image"], false), Some(&OF_TYPED));
    led(types(&[], true), Some(&OF_MAIL_FILES));
    // Notes are text, and most of what there is.
    led(types(&["pdf", "text"], false), None);
    led(types(&["pdf"], true), None);
    led(names, None);
}

#[test]
fn names_are_found_as_words_are() {
    for (name, expected) in [
        ("Zoë Façade", "zoe facade"),
        ("Jörg  Müller", "jorg muller"),
        ("JO\u{308}RG", "jorg"),
        ("Straße", "strasse"),
        ("STRAẞE", "strasse"),
        ("b\u{200b}ot", "bot"),
        ("Two\u{a0}Words", "two words"),
        ("A-1 & b", "a-1 & b"),
        ("Мой", "мой"),
    ] {
        assert_eq!(found(name), expected, "{name:?}");
        assert_eq!(found(expected), expected, "{name:?}");
    }
}
