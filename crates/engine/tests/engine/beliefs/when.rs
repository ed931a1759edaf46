//! When what a text says was said: "last month" counts from there.

use super::sources::ingest;
use super::*;
use um_model::capture::{MemoryIngest, MemoryRemember};

const MAIL: &str = "From: Ana Ruiz <ana@example.org>\nTo: Bo\nDate: Tue, 12 Mar 2019 09:14:00 +0100\nSubject: news\n\n\
                    Ana Ruiz has worked at Orbis since last month.\n";

/// Since when the one claim is so.
fn since(rig: &Rig) -> Option<String> {
    let facts = rig.run(FactsSearch::default()).unwrap().facts;
    assert_eq!(facts.len(), 1, "{facts:?}");
    facts[0].valid_from.and_then(um_rules::date_written)
}

#[test]
fn a_mail_counts_from_its_date() {
    let rig = Rig::new();
    let file = ingest(&rig, "mail.eml", MAIL);
    assert_eq!(since(&rig).as_deref(), Some("2019-02-01"));
    let kept = rig.count(&format!("SELECT occurred_at FROM artifacts WHERE id = '{file}'"));
    assert_eq!(kept, 1_552_378_440_000);

    let rig = Rig::new();
    let request = MemoryRemember { text: MAIL.into(), space: SPACE.into(), ..MemoryRemember::default() };
    rig.run(request).unwrap();
    rig.settled();
    assert_eq!(since(&rig).as_deref(), Some("2019-02-01"), "as a text");
}

#[test]
fn what_whoever_brings_a_file_in_tells_counts_for_more_also_later() {
    let rig = Rig::new();
    let paths = vec![rig.file("mail.eml", MAIL).display().to_string()];
    let bring = |occurred_at| {
        let request =
            MemoryIngest { paths: paths.clone(), space: SPACE.into(), occurred_at, ..MemoryIngest::default() };
        rig.run(request).unwrap();
        rig.settled();
    };
    bring(um_rules::date_begins("2015-06-05"));
    assert_eq!(since(&rig).as_deref(), Some("2015-05-01"));
    bring(um_rules::date_begins("2017-06-05"));
    assert_eq!(since(&rig).as_deref(), Some("2017-05-01"), "told otherwise since");
    bring(None);
    assert_eq!(since(&rig).as_deref(), Some("2017-05-01"), "and it stays so");
}
