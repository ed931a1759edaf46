//! Where findings stand: each is its source's words, with boxes on pages, seconds in recordings, lines in texts.

use super::*;
use proptest::prelude::*;
use um_model::Utf16Span;
use um_model::capture::ViewRead;

/// Checks that a finding's words are those of its source, at its offsets.
#[track_caller]
fn check_words(rig: &Rig, finding: &Finding) {
    let cited = finding.citation.as_ref().unwrap();
    let source = match &cited.view_id {
        Some(view) => rig.run(ViewRead { id: view.clone(), span: None }).unwrap().text,
        None => rig.memory(&finding.memory_id).content.unwrap(),
    };
    let span = finding.span.unwrap();
    assert_eq!(span.slice(&source), Some(finding.value.as_str()));
    assert_eq!(cited.span.slice(&source), Some(cited.quote.as_str()));
    assert!(cited.span.start <= span.start && span.end <= cited.span.end, "{finding:?}");
}

#[test]
fn a_memory_and_a_file_are_looked_at_when_they_come() {
    let rig = Rig::new();
    let memory = rig.remember(&format!("Write to {MAIL}.\nThe account is {IBAN}, thank you."));
    rig.ingest("note.md", format!("# Notes\n\nThe card {CARD} expires soon."));
    rig.settled();
    assert_eq!(
        told(&rig),
        [format!("email pending {MAIL}"), format!("iban pending {IBAN}"), format!("card pending {CARD}")]
    );
    let found = of_memory(&rig, &memory.id);
    found.iter().for_each(|one| check_words(&rig, one));
    let [mail, iban] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((mail.detector.as_str(), mail.detector_version.as_str()), ("net.email", um_pii::VERSION));
    assert_eq!(mail.title, format!("Write to {MAIL}."));
    let lines = |one: &Finding| one.citation.as_ref().unwrap().place.lines;
    assert_eq!((lines(mail), lines(iban)), (Some([1, 1]), Some([2, 2])));
    let listed = list(&rig, FindingsList { kinds: vec![FindingKind::Card], ..FindingsList::default() });
    assert_eq!((listed.findings.len(), listed.total, listed.findings[0].title.as_str()), (1, 1, "note.md"));
    assert_eq!(listed.kinds.iter().map(|one| one.count).sum::<u64>(), 3);
    // No words are kept beside their source.
    let kept: Vec<String> = rig
        .db()
        .prepare(
            "SELECT concat_ws('|', id, place, finding_kind, detector_id, detector_version) FROM redaction_findings",
        )
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert!(kept.iter().all(|row| !row.contains("halden") && !row.contains("4111")), "{kept:?}");
}

#[test]
fn findings_have_the_boxes_and_seconds_of_their_words() {
    let rig = Rig::new();
    rig.script.speech.store(true, std::sync::atomic::Ordering::Relaxed);
    rig.ingest("shot.png", inputs::png(&format!("first line here\nwrite to {MAIL} soon")));
    let pages = [Page::Text("the first page speaks of nothing".into()), Page::Scan(format!("pay\nwith {CARD} now"))];
    rig.ingest("bill.pdf", inputs::pdf(None, &pages));
    rig.ingest("memo.wav", inputs::wav(&["good morning", &format!("my address is {MAIL}"), "good night"]));
    rig.settled();
    let of = |title: &str| -> Finding {
        let mut found = list(&rig, FindingsList::default()).findings;
        found.retain(|one| one.title == title);
        assert_eq!(found.len(), 1, "{title}: {found:?}");
        check_words(&rig, &found[0]);
        found.remove(0)
    };
    // Words are ten wide a letter, beginning at 10; lines stand at 300, 320, … and are 18 high.
    let place = of("shot.png").citation.unwrap().place;
    assert_eq!((place.page, place.bbox), (Some(1), Some([100.0, 320.0, 180.0, 18.0])));
    let place = of("bill.pdf").citation.unwrap().place;
    assert_eq!((place.page, place.boxes.len()), (Some(2), 1));
    let place = of("memo.wav").citation.unwrap().place;
    let time = place.time.unwrap();
    assert!(1_000 <= time.start_ms && time.start_ms < time.end_ms && time.end_ms <= 2_000, "{time:?}");
}

#[test]
fn findings_of_what_left_use_are_not_asked_about() {
    let rig = Rig::new();
    let file = rig.ingest("note.txt", format!("Write to {MAIL}."));
    let memory = rig.remember(&format!("The card is {CARD}."));
    rig.settled();
    rig.run(um_model::capture::ArtifactRemove { id: file.clone() }).unwrap();
    assert_eq!(told(&rig), [format!("card pending {CARD}")]);
    let there = list(&rig, FindingsList { artifact: Some(file), ..FindingsList::default() }).findings;
    assert_eq!(there.len(), 1, "who asks about the file hears of it");
    assert_eq!(of_memory(&rig, &memory.id).len(), 1);
}

#[test]
fn a_new_reading_takes_the_place_of_what_was_found_in_the_old_one() {
    let rig = Rig::new();
    let file = rig.ingest("shot.png", inputs::png(&format!("write to {MAIL}")));
    rig.settled();
    *rig.script.ocr_config.lock().unwrap() = "2".to_owned();
    *rig.script.ocr_prefix.lock().unwrap() = format!("card {CARD} ");
    rig.run(um_model::capture::ArtifactReread { id: file }).unwrap();
    rig.settled();
    assert_eq!(told(&rig), [format!("card pending {CARD}"), format!("email pending {MAIL}")]);
}

#[test]
fn what_was_decided_in_an_earlier_reading_holds_for_the_same_words() {
    let rig = Rig::new();
    let file = rig.ingest("shot.png", inputs::png(&format!("write to {MAIL} or {IBAN} about Bluebird")));
    rig.settled();
    let artifact = Some(file.clone());
    let found = list(&rig, FindingsList { artifact: artifact.clone(), ..FindingsList::default() }).findings;
    let [mail, iban] = found.as_slice() else { panic!("{found:?}") };
    decide(&rig, FindingDecision::Dismiss, std::slice::from_ref(&mail.id));
    decide(&rig, FindingDecision::Accept, std::slice::from_ref(&iban.id));
    let view = mail.citation.as_ref().unwrap().view_id.clone();
    let text = rig.run(ViewRead { id: view.clone().unwrap(), span: None }).unwrap().text;
    let at = text.find("Bluebird").unwrap() as u32;
    let span = Some(Utf16Span::new(at, at + 8));
    rig.run(FindingAdd { view, span, ..FindingAdd::default() }).unwrap();
    *rig.script.ocr_config.lock().unwrap() = "2".to_owned();
    *rig.script.ocr_prefix.lock().unwrap() = format!("card {CARD} ");
    rig.run(um_model::capture::ArtifactReread { id: file }).unwrap();
    rig.settled();
    let in_use = "SELECT count(*) FROM redaction_findings f JOIN derived_text_views v ON v.id = f.text_view_id
        WHERE v.status = 'active' AND f.status = ";
    for (status, number) in [("'pending'", 1), ("'accepted'", 2), ("'dismissed'", 1)] {
        assert_eq!(rig.count(&format!("{in_use}{status}")), number, "{status}");
    }
    let left = list(&rig, FindingsList { artifact, ..FindingsList::default() }).findings;
    assert_eq!(left.iter().map(|one| one.value.as_str()).collect::<Vec<_>>(), [CARD]);
}

/// Texts with what detectors look at among what offsets trip over.
fn texts() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => "[a-z]{1,9} ",
        2 => Just(format!("{MAIL} ")),
        2 => Just(format!("{CARD}. ")),
        1 => Just("call +46 8 928 571 38 ".to_owned()),
        1 => Just("my name is Ana Ruiz, ".to_owned()),
        1 => Just("😀🏳️‍🌈 ".to_owned()),
        1 => Just("𝔘𝔫𝔦𝔠𝔬𝔡𝔢. ".to_owned()),
        1 => Just("e\u{301}tude\r\n".to_owned()),
        1 => Just("\n\n## Über uns\n\n".to_owned()),
        1 => any::<char>().prop_filter("JSON and SQL hold no NUL", |c| *c != '\0').prop_map(String::from),
    ];
    proptest::collection::vec(part, 1..60).prop_map(|parts| parts.concat() + "\n" + MAIL)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn findings_are_the_words_of_their_source(text in texts(), as_file in any::<bool>()) {
        let rig = Rig::new();
        if as_file {
            rig.ingest("source.txt", &text);
        } else {
            rig.remember(&text);
        }
        rig.settled();
        let found = list(&rig, FindingsList { limit: Some(1_000), ..FindingsList::default() });
        prop_assert_eq!(found.total as usize, found.findings.len());
        prop_assert!(found.findings.iter().any(|one| one.value == MAIL));
        let spans: Vec<Utf16Span> = found.findings.iter().map(|one| one.span.unwrap()).collect();
        prop_assert!(spans.windows(2).all(|pair| pair[0].end <= pair[1].start), "{:?}", spans);
        found.findings.iter().for_each(|one| check_words(&rig, one));
    }
}
