//! Mails: found by their words, however these are encoded.

use crate::forgetting::forget;
use crate::redacting::accept;
use crate::support::{MODEL, Rig, check_quote};
use um_model::capture::{ArtifactReread, ArtifactsList};
use um_model::forget::{ForgetAllow, ForgetWhat};
use um_model::recall::{Hit, MemoryRecall};
use um_model::traces::TraceReplay;
use um_model::work::{ItemType, TagAttach};
use um_model::{EpochMs, ErrorCode, JobStatus};

const MAIL: &str = "From: =?UTF-8?Q?Andr=C3=A9_Lima?= <lima@example.org>\r\nTo: Bo <bo@example.org>\r\n\
    Date: Tue, 12 Mar 2019 09:14:00 +0100\r\nSubject: =?UTF-8?B?R3LDvMOfZQ==?=\r\nMIME-Version: 1.0\r\n\
    Content-Type: multipart/mixed; boundary=b\r\n\r\n\
    --b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n\
    VGhlIGhlcm9uIHN0YW5kcyBpbiB0aGUgcmVlZHMu\r\n\
    --b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=sandpiper.pdf\r\n\
    Content-Transfer-Encoding: base64\r\n\r\nJVBERi0xLjcK\r\n--b--\r\n";

/// The one passage that holds a word, at the place that it cites.
#[track_caller]
fn one(rig: &Rig, word: &str) -> Hit {
    let mut hits = rig.found(word);
    assert_eq!(hits.len(), 1, "{word}: {hits:?}");
    check_quote(rig, &hits[0]);
    hits.remove(0)
}

#[test]
fn a_mail_is_found_by_what_it_says() {
    let rig = Rig::new();
    let id = rig.ingest("letter.eml", MAIL);
    rig.settled();
    for word in ["heron", "Grüße", "André", "sandpiper.pdf"] {
        let hit = one(&rig, word);
        assert_eq!((hit.heading_path.as_deref(), hit.extractor.as_deref()), (Some("Grüße"), Some("mail")), "{word}");
        assert!(hit.quote.contains(word), "{word}: {}", hit.quote);
    }
    assert_eq!(rig.count(&format!("SELECT occurred_at FROM artifacts WHERE id = '{id}'")), 1_552_378_440_000);
}

#[test]
fn a_mail_of_which_parts_could_not_be_read_says_so() {
    let rig = Rig::new();
    let check = |name: &str, mail: &str, is_damaged: bool| {
        let id = rig.ingest(name, mail);
        rig.settled();
        let summary = rig.artifact(&id).summary;
        let note = is_damaged.then_some("Parts of it could not be read.");
        assert_eq!((summary.note.as_deref(), summary.has_text), (note, true), "{name}");
        let listed = rig.run(ArtifactsList::default()).unwrap().artifacts;
        assert_eq!(listed.into_iter().find(|one| one.artifact.id == id).unwrap().note.as_deref(), note, "{name}");
    };
    check("whole.eml", MAIL, false);
    check("damaged.eml", &MAIL.replace("N0YW5kc", "N0*W5kc"), true);
    let boxed = |name: &str| format!("From - Tue Mar 12 09:14:00 2024\r\n{}\r\n", MAIL.replace("N0YW5kc", name));
    check("damaged.mbox", &[boxed("N0YW5kc"), boxed("N0*W5kc")].concat(), true);
    check("page.html", "<p>The heron came.", false);
}

#[test]
fn mails_are_a_type_of_their_own() {
    let rig = Rig::new();
    rig.ingest("letter.eml", MAIL);
    rig.ingest("box.mbox", "From - Tue Mar 12 09:14:00 2024\nFrom: Ana\nSubject: garden\n\nThe heron went.\n");
    rig.ingest("page.html", "<p>The heron is a page.");
    rig.ingest("birds.txt", "The heron is a text.");
    rig.remember("The heron is a note.");
    rig.settled();
    let check = |query: &str, expected: &[&str]| {
        let recalled =
            rig.run(MemoryRecall { query: query.to_owned(), fielded: true, ..MemoryRecall::default() }).unwrap();
        let mut titles: Vec<_> = recalled.hits.iter().map(|hit| hit.title.as_str()).collect();
        titles.sort_unstable();
        titles.dedup();
        assert_eq!(titles, expected, "{query}");
    };
    for query in ["heron type:mail", "type:email", "heron type:eml type:mbox", "heron type:mail \"the heron\""] {
        check(query, &["box.mbox", "letter.eml"]);
    }
    check("heron type:mail type:html", &["box.mbox", "letter.eml", "page.html"]);
    check("heron type:mail from:ana", &["box.mbox"]);
    check("heron type:html", &["page.html"]);
}

#[test]
fn each_mail_of_a_mailbox_is_a_passage_of_its_own() {
    let rig = Rig::new();
    let mail = |subject: &str, says: &str| {
        format!("From - Tue Mar 12 09:14:00 2024\nFrom: Ana\nSubject: {subject}\n\n{says}\n\n")
    };
    let none = "From - Tue Mar 12 09:14:00 2024\n".to_owned() + &deep("The plover");
    let mails = [mail("garden", "The heron came."), none, mail("harbour", "The sandpiper went.")];
    rig.ingest("box.mbox", mails.concat());
    rig.settled();
    for (word, subject) in [("heron", "garden"), ("plover", "nests"), ("sandpiper", "harbour")] {
        assert_eq!(one(&rig, word).heading_path.as_deref(), Some(subject), "{word}");
    }
}

const DAY: EpochMs = 86_400_000;
/// 12 March 2021.
const MARCH: EpochMs = 1_615_507_200_000;

/// Four mails of two people, each sent at nine on the day after the one before it, but that the last has only the line before it for a date.
fn mailbox() -> String {
    let mail = |from: &str, date: &str, says: &str| {
        format!("From - Mon Mar 15 09:00:00 2021\nFrom: {from}\nTo: Cleo\n{date}Subject: rent\n\n{says}\n\n")
    };
    let mails = [
        mail("Ana <ana@example.org>", "Date: Fri, 12 Mar 2021 09:00:00 +0000\n", "The heron came."),
        mail("Ben <ben@example.org>", "Date: Sat, 13 Mar 2021 10:00:00 +0100\n", "Ana saw a plover."),
        mail("=?UTF-8?Q?L=C3=B6w?= <ana@example.org>", "Date: Sun, 14 Mar 2021 09:00:00 +0000\n", "A crane flew over."),
        mail("Ben <ben@example.org>", "", "The stork is late."),
    ];
    mails.concat()
}

/// What the mails of the mailbox say by which they are known, in their order.
const SAY: [&str; 4] = ["heron", "plover", "crane", "stork"];

/// Which mails of the mailbox are given, in that order, each dated as it was sent.
#[track_caller]
fn mails_given(rig: &Rig, request: MemoryRecall) -> Vec<usize> {
    let hits = rig.run(request).unwrap().hits;
    let which = |hit: &Hit| {
        let mail = SAY.iter().position(|says| hit.quote.contains(says)).unwrap();
        assert_eq!(hit.occurred_at, Some(MARCH + mail as i64 * DAY + 9 * DAY / 24), "{}", hit.quote);
        assert_eq!(hit.heading_path.as_deref(), Some("rent"));
        mail
    };
    hits.iter().map(which).collect()
}

#[test]
fn the_latest_mail_of_a_mailbox_comes_first_where_it_is_asked_for() {
    let rig = Rig::new();
    rig.ingest("box.mbox", mailbox());
    rig.settled();
    for (question, from, first) in [
        ("What is the latest mail about the rent?", None, 3),
        ("What did the last mail of Ben on the rent say?", None, 3),
        ("What did the last mail about the rent say?", Some("ana"), 2),
    ] {
        let from = from.map(str::to_owned).into_iter().collect();
        let request = MemoryRecall { query: question.to_owned(), from, ..MemoryRecall::default() };
        assert_eq!(mails_given(&rig, request).first(), Some(&first), "{question}");
    }
}

#[test]
fn the_mails_of_a_mailbox_are_each_from_whom_and_of_when_they_say() {
    let rig = Rig::new();
    let id = rig.ingest("box.mbox", mailbox());
    rig.settled();
    let tag = TagAttach {
        item_type: ItemType::Memory,
        id: rig.artifact(&id).summary.memory_id.unwrap().to_string(),
        tags: vec!["letters".to_owned()],
    };
    rig.run(tag).unwrap();
    rig.advance(DAY);
    let from = |from: &str| MemoryRecall { from: vec![from.to_owned()], ..MemoryRecall::default() };
    let (since, until) = (Some(MARCH + 2 * DAY), Some(MARCH + DAY));
    let letters = || vec!["letters".to_owned()];
    let heron = || vec!["heron".to_owned()];
    let rent = || "rent".to_owned();
    for (request, expected) in [
        // Nothing else is asked: the newest, each mail by itself.
        (from("ana"), vec![2, 0]),
        (from("LÖW"), vec![2]),
        (from("low"), vec![2]),
        (from("ben"), vec![3, 1]),
        (from("box.mbox"), vec![3, 2, 1, 0]),
        (MemoryRecall { limit: Some(2), ..from("box.mbox") }, vec![3, 2]),
        (from("cleo"), vec![]),
        (MemoryRecall { since, ..MemoryRecall::default() }, vec![3, 2]),
        (MemoryRecall { until, ..MemoryRecall::default() }, vec![0]),
        (MemoryRecall { since, ..from("ana") }, vec![2]),
        (MemoryRecall { tags: letters(), ..from("ana") }, vec![2, 0]),
        (MemoryRecall { tags: letters(), as_of: Some(rig.now()), ..from("ana") }, vec![2, 0]),
        // As of a day, what was sent by then.
        (MemoryRecall { as_of: Some(MARCH + 2 * DAY), ..from("box.mbox") }, vec![1, 0]),
        (MemoryRecall { as_of: Some(MARCH), ..from("box.mbox") }, vec![]),
        (MemoryRecall { without: heron(), ..from("ana") }, vec![2]),
        (MemoryRecall { phrases: heron(), ..from("ana") }, vec![0]),
        (MemoryRecall { phrases: heron(), ..from("ben") }, vec![]),
        (MemoryRecall { query: rent(), until, ..MemoryRecall::default() }, vec![0]),
        (MemoryRecall { query: rent(), ..from("löw") }, vec![2]),
        (MemoryRecall { query: rent(), until, tags: letters(), ..MemoryRecall::default() }, vec![0]),
        (MemoryRecall { query: rent(), ..from("cleo") }, vec![]),
    ] {
        let asked = format!("{request:?}");
        assert_eq!(mails_given(&rig, request), expected, "{asked}");
    }
    // Whom a mail names is not whom it is from.
    let mut plover =
        mails_given(&rig, MemoryRecall { query: "Ana saw a plover".to_owned(), ..from("ana@example.org") });
    plover.retain(|mail| ![0, 2].contains(mail));
    assert_eq!(plover, [0_usize; 0]);
}

/// Mails that were put into their mailbox long after they were sent, all on one day: each with its date and what it says.
fn sent(mails: &[(&str, &str)]) -> Vec<String> {
    let mail = |(date, says): &(&str, &str)| {
        format!("From: Ana\nTo: Cleo\nDate: {date} 09:00:00 +0000\nSubject: house\n\n{says}\n\n")
    };
    mails.iter().map(mail).collect()
}

/// The same, as one file.
fn put_by(mails: &[String]) -> String {
    mails.iter().map(|mail| format!("From - Mon Dec 16 09:00:00 2024\n{mail}")).collect()
}

/// Which of some words are said by what answers a question, in the order of these words; the answer follows from its trace.
#[track_caller]
fn said_in_answer<'a>(rig: &Rig, question: &str, words: &[&'a str]) -> Vec<&'a str> {
    let recalled = rig.recall(question);
    assert!(rig.run(TraceReplay { id: recalled.trace.clone().unwrap() }).unwrap().exact, "{question}: {recalled:?}");
    let is_said = |word: &&&str| recalled.hits.iter().any(|hit| hit.quote.contains(**word));
    words.iter().filter(is_said).copied().collect()
}

#[test]
fn what_happened_at_a_time_is_told_by_the_mails_of_that_time() {
    let mails = sent(&[
        ("Wed, 10 Jan 2024", "The heron came."),
        ("Mon, 12 Feb 2024", "A plover nests."),
        ("Tue, 12 Mar 2024", "One crane flew over."),
        ("Mon, 3 Jun 2024", "Storks are late."),
    ]);
    let words = ["heron", "plover", "crane", "Storks"];
    for is_mailbox in [true, false] {
        let rig = Rig::new();
        match is_mailbox {
            true => _ = rig.ingest("box.mbox", put_by(&mails)),
            false => mails.iter().enumerate().for_each(|(at, mail)| _ = rig.ingest(&format!("{at}.eml"), mail)),
        }
        rig.settled();
        for (question, expected) in [
            ("What happened in March 2024?", vec!["crane"]),
            ("What happened in January 2024?", vec!["heron"]),
            ("everything between February and March 2024", vec!["plover", "crane"]),
            ("What happened in May 2024?", vec![]),
            ("What happened in December 2024?", vec![]),
        ] {
            assert_eq!(said_in_answer(&rig, question, &words), expected, "{question} {is_mailbox}");
        }
    }
}

/// Each is a source of its own, as if it were a file: what else its mailbox holds keeps no mail back.
#[test]
fn of_a_mailbox_each_mail_that_answers_is_given() {
    let mails = sent(&[
        ("Mon, 12 Feb 2024", "The valve of boiler 1 opens at 1 bar of steam."),
        ("Mon, 4 Mar 2024", "The valve of boiler 2 opens at 2 bar of steam."),
        ("Tue, 5 Mar 2024", "The valve of boiler 3 opens at 3 bar of steam."),
        ("Wed, 6 Mar 2024", "The valve of boiler 4 opens at 4 bar of steam."),
        ("Thu, 7 Mar 2024", "The valve of boiler 5 opens at 5 bar of steam."),
        ("Mon, 3 Jun 2024", "The valve of boiler 6 opens at 6 bar of steam."),
    ]);
    let rig = Rig::new();
    rig.ingest("box.mbox", put_by(&mails));
    rig.settled();
    let boilers = ["boiler 1", "boiler 2", "boiler 3", "boiler 4", "boiler 5", "boiler 6"];
    assert_eq!(said_in_answer(&rig, "At how many bar does the valve of the boiler open?", &boilers), boilers);
    assert_eq!(said_in_answer(&rig, "What happened in March 2024?", &boilers), boilers[1..5]);
}

#[test]
fn a_long_mail_of_a_mailbox_is_one_of_the_newest_once() {
    let rig = Rig::new();
    let says = "The heron stood in the reeds, and nobody came to look at it. ".repeat(100);
    rig.ingest(
        "box.mbox",
        format!("{}From - Tue Mar 16 09:00:00 2021\nFrom: Eda\nSubject: reeds\n\n{says}\n", mailbox()),
    );
    rig.settled();
    assert!(rig.count("SELECT count(*) FROM text_units WHERE status = 'active'") > 6);
    for phrases in [vec![], vec!["heron stood".to_owned()]] {
        let request = MemoryRecall { from: vec!["eda".to_owned()], phrases, ..MemoryRecall::default() };
        let hits = rig.run(request).unwrap().hits;
        assert_eq!(hits.len(), 1, "{hits:?}");
        assert!(hits[0].quote.starts_with("From - Tue Mar 16"), "{}", hits[0].quote);
    }
}

#[test]
fn mailboxes_that_an_earlier_version_read_are_read_again() {
    let mut rig = Rig::new();
    let (id, other) = (rig.ingest("box.mbox", mailbox()), rig.ingest("letter.eml", MAIL));
    rig.settled();
    rig.reopen(MODEL);
    let as_before = "UPDATE derived_text_views SET config_hash = 'before' WHERE extractor_id = 'mail';
         UPDATE text_units SET mail_start = NULL, mail_from = NULL, mail_sent_at = NULL";
    rig.db().execute_batch(as_before).unwrap();
    let (before, letter) = (rig.artifact(&id).views[0].id.clone(), rig.artifact(&other).views[0].id.clone());
    rig.engine().start();
    rig.until("it is read again", || rig.artifact(&id).views[0].id != before);
    rig.settled();
    assert_eq!(mails_given(&rig, MemoryRecall { from: vec!["ana".to_owned()], ..MemoryRecall::default() }), [2, 0]);
    assert_eq!(rig.artifact(&other).views[0].id, letter, "a mail that is a file is not");
}

/// A mail with a part inside fifty others.
fn deep(says: &str) -> String {
    let heads: String =
        (0..50).map(|level| format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n")).collect();
    format!("Subject: nests\n{heads}\n{says}\n\n")
}

#[test]
fn a_mail_of_too_many_parts_is_kept_and_told() {
    let rig = Rig::new();
    let id = rig.ingest("deep.eml", deep("The plover"));
    rig.settled();
    let job = rig.reading(&id);
    let error = job.error.unwrap();
    assert_eq!((job.status, error.code), (JobStatus::Failed, ErrorCode::UnsupportedType), "{error:?}");
    assert!(error.message.contains("Save what you need of it"), "{error:?}");
    assert_eq!(rig.count("SELECT count(*) FROM artifact_bytes"), 1);
}

#[test]
fn mails_that_an_earlier_version_read_are_read_again() {
    let mut rig = Rig::new();
    let id = rig.ingest("letter.eml", MAIL);
    let other = rig.ingest("other.txt", "The plover is no mail.");
    rig.settled();
    let (mail, text) = (rig.artifact(&id).views[0].id.clone(), rig.artifact(&other).views[0].id.clone());
    rig.reopen(MODEL);
    let as_before =
        format!("UPDATE derived_text_views SET extractor_id = 'text', config_hash = 'before' WHERE id = '{mail}'");
    rig.db().execute_batch(&as_before).unwrap();
    rig.engine().start();
    let reader = |rig: &Rig| rig.artifact(&id).views.into_iter().map(|view| view.extractor_id).collect::<Vec<_>>();
    rig.until("it is read again", || reader(&rig) == ["mail"]);
    rig.settled();
    let hit = one(&rig, "heron");
    assert_ne!(hit.ids.view, Some(mail));
    assert_eq!(rig.artifact(&other).views[0].id, text, "no other file is");
}

#[test]
fn an_old_mail_that_is_refused_is_tried_once_by_each_version() {
    let mut rig = Rig::new();
    let (id, other) = (rig.ingest("deep.txt", deep("The plover")), rig.ingest("letter.eml", MAIL));
    rig.settled();
    let view = rig.artifact(&other).views[0].id.clone();
    // So an earlier version kept it.
    let as_before =
        format!("UPDATE artifacts SET mime_type = 'message/rfc822', original_filename = 'deep.eml' WHERE id = '{id}'");
    restart(&mut rig, &as_before);
    rig.reads(&id, JobStatus::Failed);
    rig.settled();
    assert!(!rig.found("plover").is_empty(), "its old text stays");
    // The job is written anew as soon as it is queued again.
    let set = "UPDATE jobs SET last_error = 'before'";
    let is_untouched = |rig: &Rig| rig.reading(&id).error.is_some_and(|error| error.message == "before");
    let of_other =
        format!("UPDATE derived_text_views SET extractor_id = 'text', config_hash = 'before' WHERE id = '{view}'");
    restart(&mut rig, &format!("{set} WHERE subject_id = '{id}'; {of_other}"));
    rig.until("the one behind it is read again", || {
        rig.artifact(&other).views.iter().any(|view| view.extractor_id == "mail")
    });
    rig.settled();
    assert!(is_untouched(&rig), "{:?}", rig.reading(&id));
    let by_another = format!("{set}, payload = json_set(payload, '$.reader', 'mail 0') WHERE subject_id = '{id}'");
    restart(&mut rig, &by_another);
    rig.until("another version tries it", || !is_untouched(&rig));
    rig.reads(&id, JobStatus::Failed);
}

/// Starts anew, with the database changed meanwhile.
fn restart(rig: &mut Rig, change: &str) {
    rig.reopen(MODEL);
    rig.db().execute_batch(change).unwrap();
    rig.engine().start();
}

#[test]
fn a_mail_keeps_what_a_language_model_found_or_somebody_stated_by_its_words() {
    for method in ["llm", "user"] {
        keeps_what_rests_on_it(method);
    }
}

/// A mail that an earlier version read stays as it is where a fact that was found so rests on its text; the one behind it does not.
#[track_caller]
fn keeps_what_rests_on_it(method: &str) {
    let mut rig = Rig::new();
    let mail = |says: &str| format!("From: Ana\nSubject: news\n\n{says}\n");
    let told = rig.ingest("first.eml", mail("Maya Okafor lives in Bergen."));
    let other = rig.ingest("second.eml", mail("The plover nests."));
    rig.settled();
    rig.reopen(MODEL);
    let as_before = format!(
        "UPDATE derived_text_views SET extractor_id = 'text', config_hash = 'before';
         UPDATE claim_evidence SET extraction_method = '{method}'"
    );
    rig.db().execute_batch(&as_before).unwrap();
    assert!(rig.count("SELECT count(*) FROM claim_evidence") > 0);
    rig.engine().start();
    let reader = |id| rig.artifact(id).views.into_iter().map(|view| view.extractor_id).collect::<Vec<_>>();
    rig.until("the one behind it is read again", || reader(&other) == ["mail"]);
    rig.settled();
    assert_eq!(reader(&told), ["text"], "{method}");
    assert_eq!(rig.count("SELECT count(*) FROM claims WHERE state = 'retracted'"), 0, "{method}");
}

/// Its words may be broken by the encoding, and are found in no other reading then.
#[test]
fn a_mail_in_which_something_is_to_be_blacked_out_stays_as_it_was_read() {
    let mut rig = Rig::new();
    let mail = |says: &str| format!("From: Ana\nSubject: news\n\n{says}\n");
    let marked = rig.ingest("first.eml", mail("The heron nests."));
    let other = rig.ingest("second.eml", mail("The plover nests."));
    rig.settled();
    let view = rig.artifact(&marked).views.remove(0).id;
    accept(&rig, "text_view_id", view.as_str(), Some((0, 4)), None);
    rig.reopen(MODEL);
    rig.db().execute_batch("UPDATE derived_text_views SET extractor_id = 'text', config_hash = 'before'").unwrap();
    rig.engine().start();
    let reader = |id| rig.artifact(id).views.into_iter().map(|view| view.extractor_id).collect::<Vec<_>>();
    rig.until("the one behind it is read again", || reader(&other) == ["mail"]);
    rig.settled();
    assert_eq!(reader(&marked), ["text"]);
    assert_eq!(rig.count("SELECT count(*) FROM redaction_findings WHERE status = 'accepted'"), 1);
}

#[test]
fn a_mail_that_turns_out_to_say_what_was_forgotten_stays_as_it_was_read() {
    for (encoding, body, is_read_again) in [
        ("base64", "V3JpdGUgdG8gbWlyYUBxdWVsbC5leGFtcGxlLg==", false),
        ("quoted-printable", "Write to mira@que=\nll.example.", false),
        // It said so all the time, in so many words: that is not forgotten.
        ("7bit", "Write to mira@quell.example.", true),
    ] {
        says_what_was_forgotten(encoding, body, is_read_again);
    }
}

#[track_caller]
fn says_what_was_forgotten(encoding: &str, body: &str, is_read_again: bool) {
    let mut rig = Rig::new();
    let mail = format!("From: Bo\nSubject: news\nContent-Transfer-Encoding: {encoding}\n\n{body}\n");
    // Read as the text that it came as, as an earlier version did.
    let id = rig.ingest("letter.txt", mail);
    let note = rig.remember("Her address: mira@quell.example").id;
    rig.settled();
    forget(&rig, ForgetWhat { memory: Some(note), ..ForgetWhat::default() });
    rig.reopen(MODEL);
    let as_mail = format!(
        "UPDATE artifacts SET mime_type = 'message/rfc822', original_filename = 'letter.eml' WHERE id = '{id}'"
    );
    rig.db().execute_batch(&as_mail).unwrap();
    rig.engine().start();
    let reader = |rig: &Rig| rig.artifact(&id).views.into_iter().map(|view| view.extractor_id).collect::<Vec<_>>();
    if !is_read_again {
        rig.reads(&id, JobStatus::Failed);
        rig.settled();
        let error = rig.reading(&id).error.unwrap();
        assert_eq!(error.code, ErrorCode::Forgotten, "{encoding}: {error:?}");
        assert!(error.message.contains("stays as it was read"), "{encoding}: {error:?}");
        assert_eq!((reader(&rig), rig.artifact(&id).summary.artifact.redacted), (vec!["text".to_owned()], false));
        let said = "SELECT count(*) FROM derived_text_views WHERE text LIKE '%mira@quell.example%'";
        assert_eq!(rig.count(said), 0, "{encoding}");
        rig.run(ForgetAllow { text: Some("mira@quell.example".to_owned()), path: None }).unwrap();
        rig.run(ArtifactReread { id: id.clone() }).unwrap();
    }
    rig.until("it is read again", || reader(&rig) == ["mail"]);
    rig.settled();
    one(&rig, "quell.example");
}
