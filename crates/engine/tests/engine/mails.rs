//! Mails: found by their words, however these are encoded.

use crate::support::{MODEL, Rig, check_quote};
use um_model::recall::Hit;
use um_model::{ErrorCode, JobStatus};

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
