//! What whoever writes and does not read is answered: that it is done, with ids, numbers and states, and none of the words that
//! are there.

use crate::Caller;
use um_model::work::*;

/// An answer that may say what others wrote.
pub(crate) trait Answer {
    /// Takes its words out.
    fn silence(&mut self);
}

/// An answer as its caller may read it.
pub(crate) fn told<T: Answer>(caller: &Caller, mut answer: T) -> T {
    if !caller.reads() {
        answer.silence();
    }
    answer
}

impl Answer for State {
    fn silence(&mut self) {
        self.current_goal.clear();
        self.summary = None;
        self.working_set.clear();
        self.source_event_ids.clear();
        self.metadata.clear();
    }
}

impl Answer for EntryVersion {
    fn silence(&mut self) {
        self.body = EntryBody::default();
        self.change_reason = None;
        self.author.clear();
        self.metadata.clear();
    }
}

impl Answer for Entry {
    fn silence(&mut self) {
        self.name.clear();
        self.category = None;
        self.tags.clear();
        self.version.silence();
    }
}

impl Answer for EntrySaved {
    fn silence(&mut self) {
        self.entry.silence();
    }
}

impl Answer for Clash {
    fn silence(&mut self) {
        self.name.clear();
        self.a.silence();
        self.b.silence();
    }
}

impl Answer for ItemTags {
    fn silence(&mut self) {
        self.tags.clear();
    }
}

impl Answer for ItemRef {
    fn silence(&mut self) {
        self.title.clear();
    }
}

impl Answer for Relation {
    fn silence(&mut self) {
        self.from.silence();
        self.to.silence();
    }
}

impl Answer for Verification {
    fn silence(&mut self) {
        self.item.silence();
        self.detail = None;
    }
}

impl Answer for BlockSaved {
    fn silence(&mut self) {
        self.block.metadata.clear();
    }
}
