//! Near-duplicates: when a newer memory takes an older one's place, and all that keeps both.

use crate::support::doubles::{Judge, bag_of_words};
use crate::support::{BEGIN, Rig, SPACE};
use um_engine::by_hand;
use um_engine::language::{Entailment, EntailmentLabel};
use um_model::capture::{Memory, MemoryRemember, MemoryRestore};
use um_model::models::ModelAdd;
use um_model::{ErrorCode, JobKind, JobStatus, MemoryStatus};

const OLD: &str = "The heron nests by the old mill.";
const NEW: &str = "The heron nests, by the old mill.";
const DAY: i64 = 86_400_000;

fn said(text: &str) -> MemoryRemember {
    MemoryRemember { text: text.to_owned(), space: SPACE.to_owned(), ..MemoryRemember::default() }
}

fn certain(label: EntailmentLabel) -> Entailment {
    Entailment { label, score: 0.99 }
}

const ALWAYS: Judge = |_, _| certain(EntailmentLabel::Entails);

fn keep(rig: &Rig, request: MemoryRemember) -> Memory {
    rig.advance(1);
    let kept = rig.run(request).unwrap();
    assert!(kept.created, "{:?}", kept.memory.content);
    rig.settled();
    kept.memory
}

/// What becomes of the older of two memories, once the newer one was compared.
#[track_caller]
fn check(what: &str, judge: Judge, old: MemoryRemember, new: MemoryRemember, expected: MemoryStatus) {
    let rig = Rig::new();
    rig.space("Other");
    *rig.script.entailment.lock().unwrap() = Some(judge);
    let (old, new) = (keep(&rig, old), keep(&rig, new));
    by_hand::compare(rig.engine(), &new.id).unwrap();
    let (old, new) = (rig.memory(&old.id), rig.memory(&new.id));
    assert_eq!((old.status, new.status), (expected, MemoryStatus::Active), "{what}");
    let replaced = expected == MemoryStatus::Superseded;
    assert_eq!(old.superseded_by_id.is_some_and(|by| by == new.id), replaced, "{what}");
    let told = "SELECT count(*) FROM audit_events WHERE event_type = 'memory.deduplicated'";
    assert_eq!(rig.count(told), i64::from(replaced), "{what}");
}

#[test]
fn a_newer_memory_takes_the_place_of_one_that_each_way_says_the_same() {
    use MemoryStatus::{Active, Superseded};
    check("both ways", ALWAYS, said(OLD), said(NEW), Superseded);
    let sure: Judge = |_, _| Entailment { label: EntailmentLabel::Entails, score: 0.9 };
    check("just sure enough", sure, said(OLD), said(NEW), Superseded);
    let unsure: Judge = |_, _| Entailment { label: EntailmentLabel::Entails, score: 0.899 };
    check("not sure enough", unsure, said(OLD), said(NEW), Active);
    let half: Judge =
        |premise, _| Entailment { label: EntailmentLabel::Entails, score: if premise == OLD { 0.99 } else { 0.5 } };
    check("sure one way only", half, said(OLD), said(NEW), Active);
    let one_way: Judge =
        |premise, _| certain(if premise == OLD { EntailmentLabel::Entails } else { EntailmentLabel::Neutral });
    check("the newer follows from the older only", one_way, said(OLD), said(NEW), Active);
    let other_way: Judge =
        |premise, _| certain(if premise == NEW { EntailmentLabel::Entails } else { EntailmentLabel::Neutral });
    check("the older follows from the newer only", other_way, said(OLD), said(NEW), Active);
    check("neutral", |_, _| certain(EntailmentLabel::Neutral), said(OLD), said(NEW), Active);
    check("they contradict each other", |_, _| certain(EntailmentLabel::Contradicts), said(OLD), said(NEW), Active);
}

#[test]
fn what_is_not_alike_enough_is_not_compared() {
    let cosine = |text: &str| {
        let (a, b) = (bag_of_words(OLD, "all-MiniLM-L6-v2"), bag_of_words(text, "all-MiniLM-L6-v2"));
        a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>()
    };
    for (text, expected) in [
        ("The heron nests by the old mill there.", MemoryStatus::Superseded),
        ("The heron nests by the old mill, says the miller.", MemoryStatus::Active),
        ("By the old mill nests the heron with its young.", MemoryStatus::Active),
    ] {
        assert_eq!(cosine(text) >= 0.92, expected == MemoryStatus::Superseded, "{text}: {}", cosine(text));
        check(text, ALWAYS, said(OLD), said(text), expected);
    }
}

#[test]
fn what_belongs_elsewhere_or_has_versions_of_its_own_stays() {
    let stays = |what: &str, old: MemoryRemember, new: MemoryRemember| {
        check(what, ALWAYS, old, new, MemoryStatus::Active);
    };
    let owner = |owner: &str| Some(owner.to_owned());
    stays("another space", said(OLD), MemoryRemember { space: "other".into(), ..said(NEW) });
    stays("another owner", MemoryRemember { owner: owner("Ana"), ..said(OLD) }, said(NEW));
    stays(
        "two owners",
        MemoryRemember { owner: owner("Ana"), ..said(OLD) },
        MemoryRemember { owner: owner("Ben"), ..said(NEW) },
    );
    stays("another session", said(OLD), MemoryRemember { session: owner("s-1"), ..said(NEW) });
    stays("the older has a key", MemoryRemember { key: owner("heron"), ..said(OLD) }, said(NEW));
    stays("the newer has a key", said(OLD), MemoryRemember { key: owner("heron"), ..said(NEW) });
    stays("another day", said(OLD), MemoryRemember { occurred_at: Some(BEGIN + 3 * DAY), ..said(NEW) });
    stays(
        "the same words of another day",
        said(OLD),
        MemoryRemember { occurred_at: Some(BEGIN - 3 * DAY), ..said(OLD) },
    );
    let goes = |what: &str, old: MemoryRemember, new: MemoryRemember| {
        check(what, ALWAYS, old, new, MemoryStatus::Superseded);
    };
    let ana = |text: &str| MemoryRemember { owner: owner("Ana"), session: owner("s-1"), ..said(text) };
    goes("one owner and session", ana(OLD), ana(NEW));
    let on_day = |text: &str, ms: i64| MemoryRemember { occurred_at: Some(BEGIN + ms), ..said(text) };
    goes("one day", on_day(OLD, 0), on_day(NEW, 60_000));
}

#[test]
fn another_scope_keeps_both() {
    let rig = Rig::new();
    *rig.script.entailment.lock().unwrap() = Some(ALWAYS);
    let old = keep(&rig, said(OLD));
    rig.db().execute("UPDATE memories SET scope = 'skill'", []).unwrap();
    let new = keep(&rig, said(NEW));
    assert_ne!(rig.memory(&old.id).scope, new.scope);
    by_hand::compare(rig.engine(), &new.id).unwrap();
    assert_eq!(rig.memory(&old.id).status, MemoryStatus::Active);
}

#[test]
fn words_that_decide_keep_both_whatever_the_model_says() {
    for (old, new) in [
        ("The heron nests by the 2 old mills.", "The heron nests by the 3 old mills."),
        ("The heron nests by the old mill.", "The heron never nests by the old mill."),
        ("The heron nests by the old mill in May.", "The heron nests by the old mill in June."),
        ("Ana told Ben of the old heron by the mill.", "Ben told Ana of the old heron by the mill."),
        ("The heron may nest by the old mill of Ana.", "The heron must nest by the old mill of Ana."),
    ] {
        check(&format!("{old} {new}"), ALWAYS, said(old), said(new), MemoryStatus::Active);
    }
}

/// The comparisons that are kept, with where each stands.
fn comparisons(rig: &Rig) -> Vec<(JobStatus, Option<ErrorCode>)> {
    let jobs = rig.jobs().jobs.into_iter().filter(|job| job.kind == JobKind::Dedupe);
    jobs.map(|job| (job.status, job.error.map(|error| error.code))).collect()
}

#[test]
fn without_its_model_a_comparison_waits_and_goes_on_once_that_is_there() {
    let rig = Rig::new();
    let (old, new) = (keep(&rig, said(OLD)), keep(&rig, said(NEW)));
    let waits = [(JobStatus::WaitingForModel, Some(ErrorCode::ModelMissing))];
    rig.until("it waits", || comparisons(&rig) == waits);
    assert_eq!(rig.memory(&old.id).status, MemoryStatus::Active);
    // Another model is none for this.
    let install = || {
        let path = rig.file("model", "speech model").display().to_string();
        rig.run(ModelAdd { path, ..ModelAdd::default() }).unwrap();
    };
    install();
    rig.until("it waits again", || comparisons(&rig) == waits);
    *rig.script.entailment.lock().unwrap() = Some(ALWAYS);
    install();
    rig.until("it is compared", || rig.memory(&old.id).status == MemoryStatus::Superseded);
    assert_eq!(rig.memory(&old.id).superseded_by_id, Some(new.id));
    rig.until("it is done", || comparisons(&rig).is_empty());
}

#[test]
fn what_was_superseded_comes_back_and_stays() {
    #[track_caller]
    fn check(what: &str, back: fn(&Rig, &Memory)) {
        let rig = Rig::new();
        *rig.script.entailment.lock().unwrap() = Some(ALWAYS);
        let (old, new) = (keep(&rig, said(OLD)), keep(&rig, said(NEW)));
        rig.until("it is replaced", || rig.memory(&old.id).status == MemoryStatus::Superseded);
        assert!(rig.found("heron").iter().all(|hit| hit.ids.memory == new.id), "{what}: it left recall");
        rig.advance(1);
        back(&rig, &old);
        rig.settled();
        for id in [&old.id, &new.id] {
            by_hand::compare(rig.engine(), id).unwrap();
        }
        let old = rig.memory(&old.id);
        assert_eq!((old.status, old.superseded_by_id), (MemoryStatus::Active, None), "{what}");
        assert_eq!(rig.memory(&new.id).status, MemoryStatus::Active, "{what}");
        assert_eq!(rig.found("heron").len(), 2, "{what}");
    }
    check("restored", |rig, old| {
        rig.run(MemoryRestore { id: old.id.clone() }).unwrap();
    });
    check("said again", |rig, old| assert_eq!(rig.run(said(OLD)).unwrap().memory.id, old.id));
}
