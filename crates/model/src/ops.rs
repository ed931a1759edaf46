//! The one list of operations. The engine implements each as a function of the same name; the window,
//! the socket and the command line reach them by that name and by no other way.

use crate::enums::text_enum;
use crate::{
    access::*, audit::*, capture::*, claims::*, decisions::*, envelope::*, findings::*, forget::*, health::*, held::*,
    jobs::*, llm::*, memories::*, models::*, promote::*, recall::*, spaces::*, traces::*, watch::*, work::*,
};

text_enum! {
    /// What an operation may do, so that MCP's annotations are true (ruling 43).
    Effect {
        /// Changes nothing.
        Reads = "reads",
        /// Adds or changes; can be undone or repeated.
        Writes = "writes",
        /// Takes away.
        Destroys = "destroys",
    }
}

/// A request that belongs to an operation.
pub trait Request: serde::Serialize + serde::de::DeserializeOwned {
    /// What the operation answers.
    type Response: serde::Serialize + serde::de::DeserializeOwned;
    /// The operation's name: noun_verb.
    const NAME: &'static str;
}

/// An operation as it is described to clients.
#[derive(Debug, Clone, Copy)]
pub struct Operation {
    /// Its name: noun_verb.
    pub name: &'static str,
    /// What it does, in a sentence that an agent or a person understands.
    pub summary: &'static str,
    /// What it may do.
    pub effect: Effect,
    /// JSON Schema of the request.
    pub request_schema: fn() -> serde_json::Value,
    /// JSON Schema of the response.
    pub response_schema: fn() -> serde_json::Value,
}

/// Calls the macro named by its argument with every operation:
/// `name: Request => Response, Effect, "summary";`
#[macro_export]
macro_rules! with_operations {
    ($callback:ident) => {
        $callback! {
            memory_remember: MemoryRemember => Remembered, Writes, "Keep a text as a memory of a space; the same text is kept once.";
            memories_add: MemoriesAdd => MemoriesAdded, Writes, "Keep many texts as memories of a space in one call, up to 1,000; each is kept, held or refused as if it came alone.";
            memory_ingest: MemoryIngest => Ingested, Writes, "Bring files or folders of this machine into a space, to be read in the background.";
            memory_recall: MemoryRecall => Recalled, Reads, "Find the passages that answer a question, each with its exact quote and the page, box, second or lines it stands at.";
            recall_explain: RecallWhyNot => WhyNot, Reads, "Tell why a memory or file that was expected is not among the passages of an answer.";
            traces_list: TracesList => TracesListed, Reads, "List the traces of answers, the newest first: who asked what, and what was thought of it.";
            trace_get: TraceGet => AnswerTrace, Reads, "Tell how an answer came about: the passages with their signals, what was passed over and why, and the time it took.";
            trace_replay: TraceReplay => TraceReplayed, Reads, "Compute an answer again from its trace, and ask its question again now: what differs.";
            trace_feedback: TraceFeedback => FeedbackGiven, Writes, "Say that an answer was right or wrong, or what is right, take that back, or keep what was answered. What a wrong one rested on waits for the person in Review; nothing changes by itself.";
            search_save: SearchSave => SavedSearch, Writes, "Keep a question with its filters under a name.";
            searches_list: SearchesList => SearchesListed, Reads, "List the questions that are kept.";
            search_drop: SearchDrop => Done, Writes, "Drop a question that is kept.";
            memory_confirm: MemoryConfirm => Memory, Writes, "Say that a memory is still so: what was not confirmed for long is stale.";
            memory_expire: MemoryExpire => Memory, Writes, "Say when a memory goes out of use by itself, or that it never does; what went out of use so comes back.";
            memory_tier: MemoryTier => Memory, Writes, "Say how near at hand a memory is: what is cold stays, and is found only where cold ones are asked for. An agent says so of what it brought in itself.";
            memory_distill: MemoryDistill => Remembered, Writes, "Keep what a raw memory says as a distilled one beside it, which facts may rest on.";
            event_promote: EventPromote => Remembered, Writes, "Make a memory of something that was said or done; it says which event it is from.";
            memory_get: MemoryGet => Got, Reads, "Fetch anything by its id: a memory, file, text view, passage, space or job.";
            memories_status: MemoriesStatus => MemoriesTold, Reads, "Tell of several memories at once whether they are in use, and how near at hand.";
            session_begin: SessionBegin => SessionBegun, Writes, "Begin a session of work in a space, or take one up again; tells what is in hand there.";
            session_set: SessionSet => Session, Writes, "Pause a session, take it up again, or say what it is.";
            session_end: SessionEnd => SessionEnded, Writes, "End a session; lines marked Remember:, Lesson learned: or Decision: wait for the person, and files that it holds are let go.";
            session_discard: SessionDiscard => Session, Destroys, "Give a session up: what is in hand in it and its own entries are gone, its events stay.";
            sessions_list: SessionsList => SessionsListed, Reads, "List sessions, the latest first.";
            session_get: SessionGet => SessionDetail, Reads, "Fetch a session with what is in hand, its entries, its last events and the files that it holds.";
            state_set: StateSet => State, Writes, "Write down what is in hand in a session or space: goal, how far it came, what is worked on.";
            state_get: StateGet => StateGot, Reads, "Tell what is in hand in a session or space.";
            events_append: EventsAppend => EventsAppended, Writes, "Append what was said and done as evidence, up to 500 events at once; nothing rewrites it.";
            events_list: EventsList => EventsListed, Reads, "List what was said and done, the latest first, or the best for some words.";
            lock_checkout: LockCheckout => Lock, Writes, "Take a file, so that no other agent works on it meanwhile; refused while another holds it.";
            lock_checkin: LockCheckin => Lock, Writes, "Let a file go that you hold.";
            locks_list: LocksList => LocksListed, Reads, "List files that agents hold.";
            lock_force: LockForce => Lock, Destroys, "Take a file away from whoever holds it.";
            entry_save: EntrySave => EntrySaved, Writes, "Write a tool, guideline or piece of knowledge of a space or session, or a new version of one; no version is ever rewritten.";
            entry_get: EntryGet => EntryGot, Reads, "Fetch a tool, guideline or piece of knowledge by its id, or by type and name from the nearest of session, space, the spaces above, GLOBAL.";
            entries_list: EntriesList => EntriesListed, Reads, "List tools, guidelines and knowledge, the nearest level first, by priority; what a nearer level overrides is left out.";
            entry_disable: EntryDisable => Entry, Destroys, "Take an entry out of use; its versions stay, and it can be taken into use again.";
            entry_enable: EntryEnable => Entry, Writes, "Take an entry into use again.";
            versions_list: VersionsList => VersionsListed, Reads, "List the versions of an entry, standing rule or resource, the last first.";
            versions_diff: VersionsDiff => VersionsDiffed, Reads, "Tell what changed between two versions, field by field, line by line.";
            clashes_list: ClashesList => ClashesListed, Reads, "List versions of entries that were written without regard to one another.";
            clash_resolve: ClashResolve => Clash, Writes, "Decide between two versions of an entry: keep one, merge both, or dismiss the conflict.";
            tags_list: TagsList => TagsListed, Reads, "List the tags that a space may use, or those of an item.";
            tag_create: TagCreate => Tag, Writes, "Make a tag that a space knows.";
            tag_attach: TagAttach => ItemTags, Writes, "Attach tags to an item: a memory, file, event, claim, entity, entry, standing rule, session, resource or space.";
            tag_detach: TagDetach => ItemTags, Destroys, "Detach tags from an item.";
            relation_add: RelationAdd => Relation, Writes, "Say how one item bears on another: contradicts, derives, extends, supports, supersedes, applies_to, depends_on, conflicts_with, related_to.";
            relation_end: RelationEnd => Relation, Writes, "Say that a relation holds no longer; it stays on record.";
            relation_remove: RelationRemove => Done, Destroys, "Take a relation back that never held.";
            relations_list: RelationsList => RelationsListed, Reads, "List the relations of an item, or those of a space.";
            relations_walk: RelationsWalk => RelationsWalked, Reads, "Walk along relations from an item, within its space and GLOBAL, as they hold at a time.";
            items_query: ItemsQuery => ItemsFound, Reads, "Find entries, standing rules, resources, memories, events or what is in hand by words, tags, relations and level, the best first, each with what its score is made of.";
            verification_add: VerificationAdd => Verification, Writes, "Write down that an item was checked, and how that came out; nothing rewrites it, and the last check counts.";
            verifications_list: VerificationsList => VerificationsListed, Reads, "List how items came out when they were checked, the latest first: of one item, or of a space.";
            spaces_list: SpacesList => SpacesListed, Reads, "List the spaces that you may read, with what they hold.";
            space_create: SpaceCreate => Space, Writes, "Make a space.";
            space_mask: SpaceMask => SpaceMasked, Writes, "Say which kinds of personal data of a space are hidden from agents.";
            space_edit: SpaceEdit => Space, Writes, "Rename a space, say who reads and writes it, archive it, or bring an archived one back.";
            access_get: AccessGet => Access, Reads, "Tell who may read and write a space, what is read with it, and why.";
            agents_list: AgentsList => AgentsListed, Reads, "List the agents, what each may do where, and which wait to be let in.";
            agent_edit: AgentEdit => AgentInfo, Writes, "Suspend an agent, take it up again, or change the trust in it.";
            agent_pair: AgentPair => Paired, Writes, "Let an agent in by hand: its token is told this once.";
            agent_revoke: AgentRevoke => AgentInfo, Writes, "Take an agent's tokens back; its next request is refused.";
            pairing_decide: PairingDecide => PairingRequest, Writes, "Answer an agent's request for access.";
            requests_list: RequestsList => RequestsListed, Reads, "List what agents asked since the service began, and what they got.";
            membership_set: MembershipSet => Access, Writes, "Give an agent a part in a space, change it or end it.";
            overlay_set: OverlaySet => Access, Writes, "Include what another space holds in what is read of a space, or end that.";
            audit_list: AuditList => AuditListed, Reads, "List what was done, by whom, to what and when.";
            audit_verify: AuditVerify => AuditVerified, Reads, "Check that no entry of the ledger was altered, taken out or moved.";
            decisions_list: DecisionsList => DecisionsListed, Reads, "List what was decided in Review, the latest first.";
            audit_export: AuditExport => AuditExported, Writes, "Write the whole ledger to a new file, one entry as JSON a line.";
            artifacts_list: ArtifactsList => ArtifactsListed, Reads, "List the files of a space, and how far each is read and embedded.";
            artifact_get: ArtifactGet => ArtifactDetail, Reads, "Tell all about a file: what was read from it, its versions, its pages.";
            artifact_remove: ArtifactRemove => Done, Destroys, "Take a file out of recall. It can be restored.";
            artifact_restore: ArtifactRestore => Done, Writes, "Bring a removed file back.";
            artifact_reread: ArtifactReread => Job, Writes, "Read a file again.";
            artifact_unlock: ArtifactUnlock => Job, Writes, "Give the password of a file that waits for it. It is kept in memory only, and never written anywhere.";
            view_read: ViewRead => ViewText, Reads, "Read a text view with the places its words stand at.";
            media_read: MediaRead => Media, Reads, "Read a file's bytes, a page or a thumbnail, for display.";
            jobs_status: JobsStatus => JobsReport, Reads, "Tell how far bringing in, reading and embedding are, and what failed or waits and why.";
            call_cancel: CallCancel => Done, Writes, "Stop a call that takes long, such as a folder being brought in. What it has done stays.";
            job_cancel: JobCancel => Job, Writes, "Cancel a job.";
            job_retry: JobRetry => Job, Writes, "Queue a job anew that failed, was cancelled, or waits.";
            work_pause: WorkPause => Done, Writes, "Pause or resume all background work.";
            watch_add: WatchAdd => WatchFolder, Writes, "Watch a folder: its files come into a space by themselves.";
            watches_list: WatchesList => WatchesListed, Reads, "List the watched folders.";
            watch_remove: WatchRemove => Done, Writes, "Stop watching a folder. What came in from it stays.";
            models_list: ModelsList => ModelsListed, Reads, "List the models, installed or not.";
            model_add: ModelAdd => Model, Writes, "Install a model from a file or folder of this machine.";
            model_download: ModelDownload => Model, Writes, "Fetch a model of the catalogue, or stop fetching it.";
            health_check: HealthCheck => HealthReport, Reads, "Check the data folder: database, indexes, files.";
            facts_add: FactsAdd => FactsAdded, Writes, "State facts, each with its source; what is stated twice gets more evidence, what contradicts becomes a conflict for the person to decide.";
            facts_search: FactsSearch => FactsFound, Reads, "Search what is believed: facts with their confidence, state and the quotes that carry them.";
            entities_list: EntitiesList => EntitiesListed, Reads, "List who and what is spoken of.";
            entity_get: EntityGet => EntityDetail, Reads, "Tell all that is believed about somebody or something, each claim with its quotes.";
            entities_resolve: EntitiesResolve => EntitiesResolved, Reads, "Find the entities that a text names; an ambiguous name gives all whom it may mean.";
            entity_merge: EntityMerge => EntityDetail, Writes, "Merge two entities that are one. It can be undone.";
            entity_unmerge: EntityUnmerge => EntityDetail, Writes, "Undo a merge of entities.";
            entity_share: EntityShare => EntityDetail, Writes, "Let every space name an entity: what is known of it under several spaces is then one. It can be undone.";
            entity_edit: EntityEdit => EntityDetail, Writes, "Rename an entity, say what it is, or give it another name.";
            candidates_list: CandidatesList => CandidatesListed, Reads, "List names in memories that may mean several: what is said of them waits until it is decided whom they mean.";
            candidates_decide: CandidatesDecide => NameCandidate, Writes, "Say whom a name means, or that it means none of those; the memory is read again.";
            held_list: HeldList => HeldListed, Reads, "List what is proposed and waits for the person: what an agent wrote that looks like a secret, or like an order to a model, or that would take the place of somebody else's note, what was marked to be remembered, and what a wrong answer rested on.";
            held_decide: HeldDecide => HeldWrite, Writes, "Accept what is proposed, dismiss it, or let what was dismissed wait again. Accepting keeps what an agent wrote; where `operation` is `memory_remove`, it takes a memory out of recall.";
            candidates_reopen: CandidatesReopen => NameCandidate, Writes, "Take back whom a name was said to mean; it waits again.";
            claim_explain: ClaimExplain => ClaimExplained, Reads, "Tell why something is believed: all evidence, the arithmetic of its confidence, its history and conflicts.";
            claim_retract: ClaimRetract => Claim, Writes, "Take a claim back, or undo that.";
            graph_traverse: GraphTraverse => GraphTraversed, Reads, "Walk along believed relations from an entity.";
            conflicts_list: ConflictsList => ConflictsListed, Reads, "List claims that cannot both stand, each side with its evidence.";
            conflicts_resolve: ConflictsResolve => Conflict, Writes, "Decide a conflict. It can be undone.";
            conflicts_reopen: ConflictsReopen => Conflict, Writes, "Undo the decision of a conflict.";
            predicates_list: PredicatesList => PredicatesListed, Reads, "List the relations and attributes that facts can be stated with.";
            ids_find: IdsFind => IdsFound, Reads, "Find claims, conflicts, traces, memories, files or anything that `memory_get` fetches by the beginning or the end of their ids; what may be expected of an answer, in whatever state, by its name or words, too.";
            predicate_define: PredicateDefine => PredicateInfo, Writes, "Define a relation or attribute of a space: its inverse, and how many may stand on each side.";
            findings_list: FindingsList => FindingsListed, Reads, "List personal and secret data that was found in texts or marked by the person, each with its words and the page, box, second or lines it stands at.";
            findings_decide: FindingsDecide => FindingsDecided, Writes, "Decide which findings are to be blacked out and which stay as they are. It can be undone until they are blacked out.";
            finding_add: FindingAdd => Finding, Writes, "Mark words, a part of a page or a part of a recording as personal, to be blacked out.";
            findings_mark: FindingsMark => FindingsMarked, Writes, "Mark every place of a file or memory that says some words, to be blacked out.";
            redactions_list: RedactionsList => RedactionsListed, Reads, "List the files and memories in which something personal was found and waits, or was blacked out.";
            index_reembed: Reembed => Reembedded, Writes, "Embed every passage anew with another model, resumably, and put it in place at once.";
            forget_preview: ForgetPreview => ForgetPlan, Reads, "Tell what forgetting something would take with it: counts, samples, and what cannot be reached.";
            forget_execute: ForgetExecute => ForgetReport, Destroys, "Forget what a preview showed, everywhere, and prove that it is gone. It cannot be undone.";
            forget_show: ForgetShow => ForgetReport, Reads, "Show the report of a forgetting: how much went, and the proof.";
            forget_export: ForgetExport => ForgetExported, Writes, "Write the report of a forgetting, with its proof, to a new file as JSON.";
            forget_allow: ForgetAllow => ForgetAllowed, Writes, "Let something in again that was forgotten.";
            rows_purge: RowsPurge => RowsPurged, Destroys, "Remove for good the rows that forgetting left empty. Compliance mode must be on.";
            redaction_apply: RedactionApply => RedactionApplied, Destroys, "Black out what was accepted in a file or memory, and destroy the original.";
            memory_remove: MemoryRemove => Done, Destroys, "Take a memory out of recall. It can be restored.";
            memory_restore: MemoryRestore => Done, Writes, "Bring a removed memory back.";
            memory_archive: MemoryArchive => Done, Destroys, "Take a raw memory out: what it said goes, that it was there stays.";
            promotion_request: PromotionRequest => Promotion, Writes, "Ask for a copy of a memory, fact, entity or file in another space. Nothing is copied before somebody who decides there approves it.";
            promotions_list: PromotionsList => PromotionsListed, Reads, "List requests for copies in other spaces.";
            promotion_show: PromotionShow => PromotionDetail, Reads, "Show what approving a request would copy, thing by thing, who would read it, and what stands in the way.";
            promotion_decide: PromotionDecide => Promotion, Writes, "Approve a request as it was shown, which makes the copy, or reject it.";
            blocks_list: BlocksList => BlocksListed, Reads, "List the standing rules of a space with those of the spaces above it, and the memories that are pinned.";
            block_set: BlockSet => BlockSaved, Writes, "Set a standing rule that every agent of a space always reads: a new one, or the next version of the one with that label.";
            block_remove: BlockRemove => Done, Destroys, "Take a standing rule out of force.";
            memory_pin: MemoryPin => Memory, Writes, "Pin a memory, so that every agent of its space always reads it, or let it go again.";
            resource_put: ResourcePut => Resource, Writes, "Put a resource of a space (a file, module, document, service) at its address: a new one, or the next version of the one that is there.";
            resources_browse: ResourcesBrowse => ResourcesBrowsed, Reads, "Browse the resources of a space as a tree, or find those that speak of something.";
            resource_get: ResourceGet => Resource, Reads, "Fetch a resource with what it says, as it is or as it was at a time.";
            resource_remove: ResourceRemove => Done, Destroys, "Take a resource away with all that lies under it; putting it there again brings it back.";
            context_compile: ContextCompile => Briefing, Reads, "Put together what to read before working: standing rules, what is pinned and in hand, entries, resources and what answers a question, cited and within a budget of tokens.";
            context_hydrate: ContextHydrate => Hydrated, Reads, "Fetch what stands behind the items of a pack, and what had no room in it: whole memories, the passages around a passage, the words that a fact rests on; tells what is gone. Or gives the pack itself again, as it was handed over.";
            contexts_list: ContextsList => ContextsListed, Reads, "List the packs that are kept, the newest first: who got them, for which space and session, and what they were about.";
            drift_check: DriftCheck => Drifted, Reads, "Compare what was written of a work tree with the work tree as it is: another branch or commit, files that are gone, moved or changed.";
            settings_get: SettingsGet => Settings, Reads, "Read the settings.";
            settings_set: SettingsSet => Settings, Writes, "Change settings.";
            llm_test: LlmTest => LlmTested, Writes, "Ask the language model that is set up for one word, and tell how it answered.";
            status_get: StatusGet => Status, Reads, "Tell the state of the service in a few numbers.";
        }
    };
}

macro_rules! list {
    ($($name:ident: $request:ident => $response:ident, $effect:ident, $summary:literal;)+) => {
        $(impl Request for $request {
            type Response = $response;
            const NAME: &'static str = stringify!($name);
        })+

        /// Every operation there is.
        pub const OPERATIONS: &[Operation] = &[$(Operation {
            name: stringify!($name),
            summary: $summary,
            effect: Effect::$effect,
            request_schema: || serde_json::Value::from(schemars::schema_for!($request)),
            response_schema: || serde_json::Value::from(schemars::schema_for!($response)),
        }),+];
    };
}
with_operations!(list);

/// The operation of that name.
pub fn operation(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_noun_verb() {
        let mut names: Vec<_> = OPERATIONS.iter().map(|o| o.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), OPERATIONS.len());
        assert!(names.iter().all(|n| n.split('_').count() == 2));
    }

    #[test]
    fn schemas_are_objects() {
        for o in OPERATIONS {
            assert_eq!((o.request_schema)()["type"], "object", "{}", o.name);
        }
    }
}
