//! Claims: the schema carries out the changes of their state and of their time, and each is remembered.

use std::collections::BTreeMap;
use support::{Folder, open, read, remember, space, write};
use um_model::belief::{ClaimState, ClaimType, EntityType, Needs, Polarity};
use um_model::{AgentId, ClaimId, EntityId, EpochMs, MemoryId, MemoryStatus, SpaceId};
use um_store::claims::{self, Cause, NewClaim, WindowCause};
use um_store::filter::Then;
use um_store::{ChangeRefused, Store, StoreError, StoreResult, Transaction, entities, memories};

mod support;

struct Rig {
    folder: Folder,
    space: SpaceId,
    subject: EntityId,
    claim: ClaimId,
}

impl Rig {
    /// A draft of what Ana likes, said to be so from 10 on.
    fn new() -> Self {
        let folder = open();
        let space = space(&folder.store, "a");
        remember(&folder.store, &space, 0, &["Ana likes tea.".to_owned()]);
        let of = space.clone();
        let subject = write(&folder.store, move |tx| entities::insert(tx, &of, "Ana", "ana", EntityType::Person, 1));
        let claim = draft(&folder.store, &space, &subject, "tea");
        Self { folder, space, subject, claim }
    }

    fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>, &ClaimId) -> StoreResult<T> + Send + 'static,
    ) -> T {
        let claim = self.claim.clone();
        write(&self.folder.store, move |tx| work(tx, &claim))
    }

    /// A piece of evidence, whose time is its number.
    fn support(&self, number: u32) {
        self.write(move |tx, claim| {
            tx.execute(
                "INSERT INTO claim_evidence (id, claim_id, memory_id, space_id, extracted_text, start_offset, end_offset,
                   source_hash, span_hash, confidence, extraction_method, observed_at, recorded_at, actor_id)
                 SELECT 'piece' || ?2, c.id, m.id, c.space_id, 'Ana likes tea.', 0, 14, ?2, 'h', 0.4, 'user', ?2, ?2, c.created_by_actor
                 FROM claims c JOIN memories m ON m.space_id = c.space_id WHERE c.id = ?1",
                (claim.as_str(), number),
            )?;
            Ok(())
        });
    }

    fn move_to(&self, state: ClaimState, cause: Cause, now: i64) -> String {
        self.try_move_to(state, cause, now).unwrap()
    }

    fn try_move_to(&self, state: ClaimState, cause: Cause, now: i64) -> StoreResult<String> {
        let claim = self.claim.clone();
        self.folder.store.write(move |tx| {
            let claim = claims::by_id(tx, &claim)?.expect("it is there");
            claims::set_state(tx, &claim, state, &cause, &AgentId::owner(), now)
        })
    }

    fn state(&self) -> ClaimState {
        read(&self.folder.store, |c| Ok(claims::by_id(c, &self.claim)?.expect("it is there").state))
    }
}

fn draft(store: &Store, space: &SpaceId, subject: &EntityId, value: &str) -> ClaimId {
    let new = NewClaim {
        keys: claims::Keys { claim: value.to_owned(), fact: value.to_owned() },
        space: space.clone(),
        subject: subject.clone(),
        claim_type: ClaimType::Attribute,
        attribute_key: Some("likes".into()),
        attribute_value: Some(value.to_owned()),
        target: None,
        relationship_type: None,
        statement: format!("Ana likes {value}"),
        qualifiers: BTreeMap::new(),
        polarity: Polarity::Positive,
        valid_from: Some(10),
        valid_to: None,
        actor: AgentId::owner(),
    };
    write(store, move |tx| Ok(claims::upsert(tx, &new, 1)?.0))
}

#[test]
fn types_and_schema_allow_the_same_changes() {
    let rig = Rig::new();
    let mut of_types = Vec::new();
    for from in ClaimState::ALL {
        for to in ClaimState::ALL {
            if let Some(needs) = from.may_become(*to) {
                of_types.push(format!("{from} {to} {needs}"));
            }
        }
    }
    of_types.sort();
    let of_schema: Vec<String> = read(&rig.folder.store, |c| {
        let sql = "SELECT from_state || ' ' || to_state || ' ' || requires FROM claim_state_transitions ORDER BY 1";
        Ok(c.prepare(sql)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
    });
    assert_eq!(of_types, of_schema);
}

#[test]
fn a_change_that_is_not_allowed_says_which_and_what_is_missing() {
    use ClaimState::{Asserted, Disputed, Draft, Retracted, Superseded};
    #[track_caller]
    fn check(rig: &Rig, to: ClaimState, cause: Cause, refused: ChangeRefused, words: &str) {
        let before = rig.state();
        let error = rig.try_move_to(to, cause, 9).unwrap_err();
        assert!(matches!(error, StoreError::ClaimChange(why) if why == refused), "{error}");
        assert_eq!(error.to_string(), words);
        assert_eq!(rig.state(), before, "{words}");
    }
    let never = |from, to| ChangeRefused::Never { from, to };
    let wants = |from, to, needs| ChangeRefused::Wants { from, to, needs };
    let rig = Rig::new();
    check(&rig, Disputed, Cause::Conflict, never(Draft, Disputed), "no claim that is draft becomes disputed");
    check(&rig, Draft, Cause::User, never(Draft, Draft), "no claim that is draft becomes draft");
    let bare = "a claim that is draft becomes asserted only with supporting evidence";
    check(&rig, Asserted, Cause::Evidence, wants(Draft, Asserted, Needs::Support), bare);
    rig.support(2);
    rig.move_to(Asserted, Cause::Evidence, 3);
    let taken_back = rig.move_to(Retracted, Cause::User, 4);
    let old = "a claim that is retracted becomes asserted only with new supporting evidence";
    check(&rig, Asserted, Cause::Evidence, wants(Retracted, Asserted, Needs::NewSupport), old);
    check(&rig, Disputed, Cause::Conflict, never(Retracted, Disputed), "no claim that is retracted becomes disputed");
    rig.move_to(Asserted, Cause::Undo(taken_back), 5);
    let replaced = rig.move_to(Superseded, Cause::Supersession, 6);
    rig.support(7);
    let by_undo = "a claim that is superseded becomes asserted only by undo";
    check(&rig, Asserted, Cause::Evidence, wants(Superseded, Asserted, Needs::Undo), by_undo);
    rig.write(|tx, _| Ok(tx.execute("UPDATE claim_evidence SET polarity = 'neutral'", [])?));
    let bare = "a claim that is superseded becomes asserted only with supporting evidence";
    check(&rig, Asserted, Cause::Undo(replaced), wants(Superseded, Asserted, Needs::Support), bare);
}

#[test]
fn each_change_of_a_window_is_remembered() {
    let rig = Rig::new();
    let set = |window, cause, now| {
        rig.write(move |tx, claim| claims::set_window(tx, claim, window, cause, &AgentId::owner(), now));
    };
    let last = || read(&rig.folder.store, |c| Ok(claims::window_history(c, &rig.claim)?.pop()));
    set((Some(10), None), WindowCause::Decision, 2);
    assert_eq!(last(), None, "it had that window");
    set((Some(10), Some(20)), WindowCause::Decision, 3);
    set((Some(10), Some(20)), WindowCause::Decision, 4);
    set((None, Some(15)), WindowCause::Decision, 5);
    set((Some(10), Some(20)), WindowCause::Undo, 6);
    let history = read(&rig.folder.store, |c| claims::window_history(c, &rig.claim));
    let told: Vec<_> = history.iter().map(|c| (c.from, c.to, c.cause.as_str(), c.changed_at)).collect();
    let (first, second, third) = ((Some(10), None), (Some(10), Some(20)), (None, Some(15)));
    assert_eq!(told, [(first, second, "decision", 3), (second, third, "decision", 5), (third, second, "undo", 6)]);
    assert_eq!(last(), history.last().cloned());
    let claim = read(&rig.folder.store, |c| claims::by_id(c, &rig.claim)).unwrap();
    assert_eq!((claim.valid_from, claim.valid_to), second);
    let id = rig.claim.clone();
    let refused: StoreResult<Option<String>> = rig
        .folder
        .store
        .write(move |tx| claims::set_window(tx, &id, (Some(10), Some(5)), WindowCause::Decision, &AgentId::owner(), 7));
    assert!(refused.is_err(), "it would end before it begins");
}

#[test]
fn what_lost_its_support_is_retracted_and_comes_back_by_undo() {
    let rig = Rig::new();
    rig.support(2);
    rig.move_to(ClaimState::Asserted, Cause::Evidence, 5);
    rig.write(|tx, claim| claims::set_confidence(tx, claim, 0.4));
    rig.write(|tx, _| Ok(tx.execute("UPDATE claim_evidence SET polarity = 'neutral'", [])?));
    assert_eq!(rig.state(), ClaimState::Retracted);
    let claim = read(&rig.folder.store, |c| claims::by_id(c, &rig.claim)).unwrap();
    assert_eq!((claim.confidence, claim.evidence_count), (0.0, 1));
    let change = read(&rig.folder.store, |c| claims::last_change(c, &rig.claim)).unwrap();
    assert_eq!(
        (change.1.from, change.1.to, change.1.cause.as_str()),
        (ClaimState::Asserted, ClaimState::Retracted, "evidence")
    );
    assert!(ClaimId::parse(change.0.as_str()).is_ok(), "{} is an id like others", change.0);
    let by = read(&rig.folder.store, |c| claims::history(c, &rig.claim)).pop().unwrap();
    assert_eq!((by.actor_id, by.changed_at), (AgentId::system(), 5));
    rig.write(|tx, _| Ok(tx.execute("UPDATE claim_evidence SET polarity = 'supporting'", [])?));
    rig.move_to(ClaimState::Asserted, Cause::Undo(change.0), 6);
    assert_eq!(rig.state(), ClaimState::Asserted);
}

#[test]
fn no_other_claim_stands_in_the_place_of_one_that_is_believed() {
    let rig = Rig::new();
    let other = draft(&rig.folder.store, &rig.space, &rig.subject, "rain");
    let by = |rig: &Rig| read(&rig.folder.store, |c| claims::superseded_by(c, &rig.claim));
    let replace = |other: ClaimId| rig.write(move |tx, claim| claims::set_superseded_by(tx, claim, Some(&other)));
    rig.support(2);
    rig.move_to(ClaimState::Asserted, Cause::Evidence, 3);
    replace(other.clone());
    assert_eq!(by(&rig), None);
    let out = rig.move_to(ClaimState::Superseded, Cause::Supersession, 4);
    replace(other.clone());
    assert_eq!(by(&rig), Some(other));
    rig.move_to(ClaimState::Asserted, Cause::Undo(out), 5);
    assert_eq!(by(&rig), None);
}

#[test]
fn what_was_blacked_out_names_nobody() {
    let rig = Rig::new();
    let naming = || read(&rig.folder.store, |c| Ok(claims::naming(c, &rig.subject)?.len()));
    assert_eq!(naming(), 1);
    rig.write(|tx, claim| {
        let sql =
            "UPDATE claims SET is_redacted = 1, redacted_at = 9, statement = '[REDACTED]', attribute_value = NULL,
                     valid_from = NULL, valid_to = NULL WHERE id = ?1";
        Ok(tx.execute(sql, [claim.as_str()])?)
    });
    assert_eq!(naming(), 0);
}

/// A claim that was believed since 3 until 30, and its only source, which was in use since 1 and is in that status since 20. It may
/// be disputed since a time.
fn fallen(status: MemoryStatus, disputed: Option<EpochMs>, cause: Cause) -> Rig {
    let rig = Rig::new();
    rig.support(2);
    rig.move_to(ClaimState::Asserted, Cause::Evidence, 3);
    if let Some(at) = disputed {
        rig.move_to(ClaimState::Disputed, Cause::Conflict, at);
    }
    rig.write(move |tx, _| {
        let id: String = tx.query_row("SELECT id FROM memories", [], |row| row.get(0))?;
        memories::set_status(tx, &MemoryId::parse(id)?, status, 20)
    });
    rig.move_to(ClaimState::Retracted, cause, 30);
    rig
}

/// The state in which a claim is told of then, by itself and by whichever states are asked for; none where it was not so.
#[track_caller]
fn check_then(rig: &Rig, (as_of, known_at): (Option<EpochMs>, Option<EpochMs>), expected: Option<ClaimState>) {
    let then = Then { as_of, known_at };
    for states in ClaimState::ALL.iter().map(|state| vec![*state]).chain([ClaimState::ALL.to_vec()]) {
        let question = claims::Question {
            spaces: vec![rig.space.clone()],
            states: states.clone(),
            then,
            ..claims::Question::default()
        };
        let found = read(&rig.folder.store, |c| {
            let (mut found, _) = claims::search(c, &question, 0, 10)?;
            claims::as_then(c, &mut found, then)?;
            Ok(found)
        });
        let of_subject = read(&rig.folder.store, |c| {
            let spaces = std::slice::from_ref(&rig.space);
            claims::of_entity(c, spaces, &rig.subject, claims::Side::Subject, &states, then, 10)
        });
        let told: Vec<ClaimState> = found.into_iter().map(|claim| claim.state).collect();
        let expected: Vec<ClaimState> = expected.into_iter().filter(|state| states.contains(state)).collect();
        assert_eq!(told, expected, "{then:?}, {states:?}");
        assert_eq!(of_subject.len(), expected.len(), "{then:?}, {states:?}");
    }
}

#[test]
fn what_fell_with_its_source_is_believed_as_of_when_that_was_in_use() {
    use ClaimState::{Asserted, Retracted};
    for status in [MemoryStatus::Superseded, MemoryStatus::Expired] {
        let rig = fallen(status, None, Cause::Evidence);
        for (then, expected) in [
            ((None, None), Some(Retracted)),
            // It begins later.
            ((Some(5), None), None),
            ((Some(15), None), Some(Asserted)),
            ((Some(19), None), Some(Asserted)),
            ((Some(20), None), Some(Retracted)),
            ((Some(40), None), Some(Retracted)),
            ((None, Some(15)), Some(Asserted)),
            ((None, Some(40)), Some(Retracted)),
            ((Some(15), Some(40)), Some(Asserted)),
            ((Some(25), Some(10)), Some(Asserted)),
            ((Some(25), Some(40)), Some(Retracted)),
        ] {
            check_then(&rig, then, expected);
        }
    }
    // It was taken back, its source was removed or was never so, or it is there still and weighs nothing.
    for (status, cause) in [
        (MemoryStatus::Superseded, Cause::User),
        (MemoryStatus::Deleted, Cause::Evidence),
        (MemoryStatus::Retracted, Cause::Evidence),
        (MemoryStatus::Archived, Cause::Evidence),
    ] {
        check_then(&fallen(status, None, cause), (Some(15), None), Some(Retracted));
    }
    // What took the place of its source may have disputed it before it fell.
    for (disputed, expected) in [(10, ClaimState::Disputed), (25, Asserted)] {
        let rig = fallen(MemoryStatus::Superseded, Some(disputed), Cause::Evidence);
        check_then(&rig, (Some(15), None), Some(expected));
    }
}
