//! Beliefs as people read them: sentences, each with the words that carry it and where these stand.

use crate::find::{SYSTEM, brought_in};
use crate::print::{cell, list, table};
use um_model::belief::{Cardinality, ClaimState, MatchType, ResolutionType};
use um_model::citation::{Citation, CitationState};
use um_model::claims::*;
use um_model::{ConflictId, EpochMs, SpaceId};
use um_server::text::{count, iso_time, percent, place_of};

/// What the person is called; their own sources need no name.
const OWNER: &str = "owner";

fn day(ms: EpochMs) -> String {
    iso_time(ms).chars().take(10).collect()
}

fn window(from: Option<EpochMs>, until: Option<EpochMs>) -> Vec<String> {
    let from = from.map(|at| format!("from {}", day(at)));
    let until = until.map(|at| format!("until {}", day(at)));
    from.into_iter().chain(until).collect()
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("   {line}")).collect::<Vec<_>>().join("\n")
}

/// What is believed is said without a word; what is not is named.
fn standing(claim: &Claim) -> String {
    let mut parts = vec![match claim.state {
        ClaimState::Asserted => format!("{} sure", percent(claim.confidence)),
        state => format!("{state}, {} sure", percent(claim.confidence)),
    }];
    parts.push(count(u64::from(claim.evidence_count), "quote"));
    parts.extend(claim.of_model.then(|| "read by a language model alone".to_owned()));
    parts.extend(window(claim.valid_from, claim.valid_to));
    parts.join(", ")
}

/// A quote with where it stands.
fn quote(citation: &Citation) -> String {
    let words = citation.quote.lines().map(|line| format!("| {line}")).collect::<Vec<_>>().join("\n");
    let mut source = vec![cell(&citation.title)];
    source.extend(place_of(&citation.place));
    if citation.actor_name != OWNER {
        source.push(brought_in(&citation.actor_name));
    }
    source.push(format!("memory {}", citation.memory_id));
    source.extend(match citation.state {
        CitationState::Exact | CitationState::Moved => None,
        CitationState::Changed => Some("the source no longer has these words".to_owned()),
        CitationState::Older => Some("from an older version".to_owned()),
        CitationState::Removed => Some("its source was removed".to_owned()),
        CitationState::Redacted => Some("blacked out".to_owned()),
    });
    format!("{words}\n{}", source.join(", "))
}

fn in_conflict(conflicts: &[ConflictId]) -> String {
    conflicts.iter().map(|id| format!(", conflict {id}")).collect()
}

/// A claim with its quotes.
pub(super) fn claim(claim: &Claim) -> String {
    let quotes = claim.citations.iter().map(|citation| format!("{}\n", indent(&quote(citation)))).collect::<String>();
    let ids = format!("claim {}{}", claim.id, in_conflict(&claim.conflicts));
    format!("{}\n{}\n{quotes}{}", cell(&claim.statement), indent(&standing(claim)), indent(&ids))
}

pub(super) fn facts(found: &FactsFound) -> String {
    if found.facts.is_empty() {
        return match found.total {
            0 => "No fact fits.".to_owned(),
            total => format!("None there: {total} in all."),
        };
    }
    let mut parts: Vec<String> = found.facts.iter().map(claim).collect();
    parts.push(format!("{} of {}", found.facts.len(), found.total));
    parts.join("\n\n")
}

pub(super) fn added(added: &FactsAdded) -> String {
    let fact = |fact: &FactAdded| {
        let mut lines = vec![format!("{}: {}", if fact.created { "New" } else { "Known" }, claim(&fact.claim))];
        if !fact.conflicts.is_empty() {
            lines.push("   It contradicts what was believed. Decide: umem conflicts list".to_owned());
        }
        lines.extend(fact.warnings.iter().map(|warning| format!("   Note: {warning}")));
        lines.join("\n")
    };
    added.facts.iter().map(fact).collect::<Vec<_>>().join("\n\n")
}

/// A page of who and what is spoken of; `offset` of them come before it.
pub(super) fn entities(listed: &EntitiesListed, offset: u32) -> String {
    if listed.entities.is_empty() {
        return match listed.total {
            0 => "Nobody and nothing is known here by that.".to_owned(),
            total => format!("There are {total} in all; nobody comes after the first {offset}."),
        };
    }
    let head = ["NAME", "TYPE", "CLAIMS", "DISPUTED", "ALSO", "ID"].map(str::to_owned).to_vec();
    let row = |entity: &Entity| {
        let counts = [entity.claims, entity.disputed].map(|count| count.to_string());
        let [claims, disputed] = counts;
        let also = entity.aliases.join(", ");
        vec![entity.name.clone(), entity.entity_type.to_string(), claims, disputed, also, entity.id.to_string()]
    };
    let table = table(&std::iter::once(head).chain(listed.entities.iter().map(row)).collect::<Vec<_>>());
    let last = u64::from(offset) + listed.entities.len() as u64;
    let more = if last < listed.total { format!("; see more with --offset {last}") } else { String::new() };
    format!("{table}\n{} of {}{more}", listed.entities.len(), listed.total)
}

/// All that is believed about an entity.
pub(super) fn entity(detail: &EntityDetail) -> String {
    let EntityDetail { entity, claims, named_in, near, similar, merges, conflicts, mentions, mentions_total } = detail;
    let mut parts = vec![format!("{} ({}), {}", entity.name, entity.entity_type, entity.id)];
    if !entity.aliases.is_empty() {
        parts.push(format!("Also called {}", entity.aliases.join(", ")));
    }
    let counts = [
        count(claims.len() as u64, "claim"),
        count(conflicts.len() as u64, "open conflict"),
        format!("named in {}", count(entity.memories, "memory")),
    ];
    parts.push(counts.join(", "));
    parts.extend(claims.iter().map(|one| format!("\n{}", claim(one))));
    if !named_in.is_empty() {
        parts.push("\nNamed by others:".to_owned());
        parts.extend(named_in.iter().map(|one| format!("\n{}", claim(one))));
    }
    if !mentions.is_empty() {
        parts.push(format!("\nAlso mentioned in ({} of {mentions_total}):", mentions.len()));
        let how = |mention: &EntityMention| format!("{}, {}", quote(&mention.citation), named(mention.match_type));
        parts.extend(mentions.iter().map(|mention| format!("\n{}", indent(&how(mention)))));
    }
    if !near.is_empty() {
        parts.push(format!("\nNear:\n{}", indent(&edges(near))));
    }
    if !similar.is_empty() {
        let names: Vec<String> = similar.iter().map(|other| format!("{} ({})", other.name, other.id)).collect();
        parts.push(format!("\nMay be the same: {}", names.join(", ")));
    }
    for merge in merges.iter().filter(|merge| !merge.undone) {
        parts.push(format!(
            "\n{} on {}; undo: umem entity unmerge {}",
            joined(merge, &entity.space_id),
            day(merge.merged_at),
            merge.id
        ));
    }
    parts.join("\n")
}

/// What a merge did: to share is to merge with one of the same name that every space may name.
fn joined(merge: &Merge, space: &SpaceId) -> String {
    match *space == SpaceId::global() && merge.merged.name == merge.kept.name {
        true => format!("{} was shared with every space", merge.kept.name),
        false => format!("{} went into {}", merge.merged.name, merge.kept.name),
    }
}

pub(super) fn mentions(found: &EntitiesResolved) -> String {
    let mention = |mention: &ResolvedMention| {
        let candidates: Vec<String> = mention
            .candidates
            .iter()
            .map(|c| {
                format!(
                    "   {} ({}), {}, {}, {}",
                    c.entity.name,
                    c.entity.entity_type,
                    named(c.match_type),
                    percent(c.confidence),
                    c.entity.id
                )
            })
            .collect();
        let ambiguous = if candidates.len() > 1 { ": one of" } else { "" };
        format!(
            "\"{}\" at {}-{}{ambiguous}\n{}",
            mention.text,
            mention.span.start,
            mention.span.end,
            candidates.join("\n")
        )
    };
    match found.mentions.is_empty() {
        true => "Nobody who is known is named.".to_owned(),
        false => found.mentions.iter().map(mention).collect::<Vec<_>>().join("\n"),
    }
}

/// How a name was matched.
fn named(by: MatchType) -> &'static str {
    match by {
        MatchType::Exact => "by its name",
        MatchType::Alias => "by another name",
        MatchType::Fuzzy => "nearly by its name",
        MatchType::User => "as you said",
    }
}

/// Names that may mean several.
pub(super) fn candidates(listed: &CandidatesListed) -> String {
    if listed.candidates.is_empty() {
        return "No name waits for a decision, or none was decided.".to_owned();
    }
    let mut parts: Vec<String> = listed.candidates.iter().map(candidate).collect();
    parts.push(format!("{} of {}", listed.candidates.len(), listed.total));
    parts.join("\n\n")
}

/// A name that waits, with whom it may mean, or what was decided of it.
pub(super) fn candidate(held: &NameCandidate) -> String {
    if !held.waits {
        return format!("{}\n   take it back: umem entity reopen {}", meant(held), held.id);
    }
    let words = held.quote.lines().map(|line| format!("| {line}")).collect::<Vec<_>>().join("\n");
    let choices: Vec<String> = held
        .choices
        .iter()
        .map(|choice| {
            format!("   {} ({}): umem entity decide {} {}", choice.name, choice.entity_type, held.id, choice.id)
        })
        .collect();
    format!(
        "Who is \"{}\"? {} {} for it\n{}\n   {}, memory {}\n{}\n   none of them: umem entity decide {} none",
        held.name,
        count(u64::from(held.claims), "claim"),
        if held.claims == 1 { "waits" } else { "wait" },
        indent(&words),
        cell(&held.title),
        held.memory_id,
        choices.join("\n"),
        held.id
    )
}

/// What was decided of a name.
pub(super) fn decided(held: &NameCandidate) -> String {
    let read = if held.meant.is_some() { " The memory is read again." } else { "" };
    format!("{}{read}", meant(held))
}

fn meant(held: &NameCandidate) -> String {
    let is = held.meant.as_ref().map_or("none of them", |meant| meant.name.as_str());
    format!("In {}, \"{}\" is {is}.", cell(&held.title), held.name)
}

/// Why a claim is believed.
pub(super) fn why(explained: &ClaimExplained) -> String {
    let ClaimExplained { claim: one, evidence, confidence, history, windows, conflicts } = explained;
    let mut parts = vec![format!("{}\n{}\n   claim {}", cell(&one.statement), indent(&standing(one)), one.id)];
    parts.push(format!("Confidence: {}", confidence.arithmetic));
    let of = |number: usize| count(number as u64, "source");
    parts.push(format!(
        "{} for it, {} against it.",
        of(confidence.supporting.len()),
        of(confidence.contradicting.len())
    ));
    parts.extend(evidence.iter().map(piece));
    let states = history
        .iter()
        .map(|change| format!("   {} {} to {}, {}", iso_time(change.changed_at), change.from, change.to, change.cause));
    parts.extend(listed("History", states));
    let times = windows.iter().map(|change| {
        let time = |(from, until)| Some(window(from, until).join(", ")).filter(|told| !told.is_empty());
        let [was, is] =
            [change.from, change.to].map(|when| time(when).unwrap_or_else(|| "at a time unknown".to_owned()));
        format!("   {} {is}; before: {was}; {}", iso_time(change.changed_at), change.cause)
    });
    parts.extend(listed("When it is so", times));
    parts.extend(conflicts.iter().map(conflict));
    parts.join("\n\n")
}

/// Lines under a heading, where there are any.
fn listed(heading: &str, lines: impl Iterator<Item = String>) -> Option<String> {
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| format!("{heading}:\n{}", lines.join("\n")))
}

/// A piece of evidence with what its weight is made of.
fn piece(piece: &Evidence) -> String {
    let factors =
        [piece.confidence, piece.trust, piece.source_weight, piece.quality].map(|factor| format!("{factor:.2}"));
    let [confidence, trust, kind, quality] = factors;
    let who = match piece.actor_name.as_str() {
        OWNER => "you",
        SYSTEM => "watched folders",
        name => name,
    };
    let weight = match piece.live {
        true => format!(
            "weighs {:.2} = {confidence} (found by {}) x {trust} (trust in {who}) x {kind} (kind of source) x {quality} (reading)",
            piece.weight, piece.method
        ),
        false => "weighs nothing: its source is not in use".to_owned(),
    };
    format!("{}\n   {}, {weight}\n   source {}", indent(&quote(&piece.citation)), piece.polarity, piece.cluster)
}

pub(super) fn conflicts(listed: &ConflictsListed) -> String {
    if listed.conflicts.is_empty() {
        return "None.".to_owned();
    }
    let mut parts: Vec<String> = listed.conflicts.iter().map(conflict).collect();
    parts.push(format!("{} of {}", listed.conflicts.len(), listed.total));
    parts.join("\n\n")
}

/// A conflict with both sides, and how it is or can be decided.
pub(super) fn conflict(conflict: &Conflict) -> String {
    let side = |name: &str, one: &Claim| format!("{name}: {}", claim(one));
    let decided = match &conflict.resolution {
        None => {
            let choices = "a|b|both, or --value TEXT, or --windows A B";
            format!("conflict {id}; decide: umem conflicts resolve {id} {choices}", id = conflict.id)
        }
        Some(decided) if decided.by_itself => {
            format!(
                "settled by itself on {}: {}",
                day(decided.resolved_at),
                decided.notes.as_deref().unwrap_or_default()
            )
        }
        Some(decided) if decided.undone_at.is_some() => {
            let by = |name: &str| if name == OWNER { "you".to_owned() } else { name.to_owned() };
            let [decider, undoer] = [by(&decided.actor_name), by(decided.undone_by.as_deref().unwrap_or(OWNER))];
            let (when, back) = (day(decided.resolved_at), day(decided.undone_at.unwrap_or_default()));
            let what = outcome(conflict, decided.resolution_type);
            format!(
                "decided on {when} by {decider}: {what}; taken back on {back} by {undoer}; conflict {}",
                conflict.id
            )
        }
        Some(decided) if decided.asked_again => {
            let by = if decided.actor_name == OWNER { "you" } else { &decided.actor_name };
            let (when, what) = (day(decided.resolved_at), outcome(conflict, decided.resolution_type));
            format!("decided on {when} by {by}: {what}; asked about again since; conflict {}", conflict.id)
        }
        Some(decided) => {
            let notes = decided.notes.as_ref().map(|notes| format!(" ({notes})")).unwrap_or_default();
            let when = day(decided.resolved_at);
            let sides = [&conflict.claim_a, &conflict.claim_b];
            let any_forgotten = sides.iter().any(|side| side.is_forgotten());
            let is_out = |side: &&Claim| !side.is_forgotten() && side.state != ClaimState::Asserted;
            let undo = match any_forgotten && sides.iter().any(is_out) {
                true => "undo, so that the side that is left stands again",
                false => "undo",
            };
            let undo = format!("{undo}: umem conflicts reopen {}", conflict.id);
            let by = if decided.actor_name == OWNER { "you" } else { &decided.actor_name };
            format!("decided on {when} by {by}: {}{notes}; {undo}", outcome(conflict, decided.resolution_type))
        }
    };
    format!(
        "{}\n{}\n{}\n{decided}",
        cell(&conflict.summary),
        side("a", &conflict.claim_a),
        side("b", &conflict.claim_b)
    )
}

/// Predicates, each with how it reads and how many there may be.
pub(super) fn predicates(listed: &PredicatesListed) -> String {
    let line = |known: &PredicateKnown| {
        let one = &known.predicate;
        let how_many = match (one.relates, one.cardinality) {
            (false, Cardinality::ManyToOne) => "one value",
            (false, _) => "any number of values",
            (true, Cardinality::OneToOne) => "one on each side",
            (true, Cardinality::OneToMany) => "one subject for an object",
            (true, Cardinality::ManyToOne) => "one object for a subject",
            (true, Cardinality::ManyToMany) => "any number",
        };
        let inverse = one.inverse.as_ref().map(|name| format!("; the other way round: {name}")).unwrap_or_default();
        let kind = one.value_kind.map(|kind| format!("; a {kind}")).unwrap_or_default();
        let own = if known.space.is_some() { "; of a space" } else { "" };
        format!("{}: \"{}\"; {how_many}{kind}{inverse}{own}", one.name, one.phrase)
    };
    list(listed.predicates.iter().map(line))
}

/// What was decided, in words.
fn outcome(conflict: &Conflict, decided: ResolutionType) -> &'static str {
    let stands = |claim: &Claim| claim.state == ClaimState::Asserted;
    match decided {
        ResolutionType::ClaimAWins => "a holds",
        ResolutionType::ClaimBWins => "b holds",
        ResolutionType::BothDisputed => "both stay disputed",
        ResolutionType::ManualOverride => match (stands(&conflict.claim_a), stands(&conflict.claim_b)) {
            (true, true) => "each holds at its own time",
            (true, false) => "a holds",
            (false, true) => "b holds",
            (false, false) => "another value holds",
        },
    }
}

fn edges(edges: &[Edge]) -> String {
    let line = |edge: &Edge| {
        let mut more = vec![percent(edge.confidence)];
        more.extend(edge.attributes.iter().map(|(key, value)| format!("{key}: {value}")));
        more.extend(window(edge.valid_from, edge.valid_to));
        let relation = edge.relation.replace('_', " ");
        format!("{} -[{relation}]-> {} ({})", edge.source.name, edge.target.name, more.join(", "))
    };
    list(edges.iter().map(line))
}

/// A walk, step by step.
pub(super) fn graph(walk: &GraphTraversed) -> String {
    let GraphTraversed { start, entities, edges: walked, truncated } = walk;
    let mut parts = vec![format!("{} ({}), {}", start.name, start.entity_type, start.id)];
    for steps in walked.chunk_by(|a, b| a.depth == b.depth) {
        parts.push(format!("{}:\n{}", count(u64::from(steps[0].depth), "step"), indent(&edges(steps))));
    }
    let others = count(entities.len().saturating_sub(1) as u64, "other");
    let cut = if *truncated { "; there is more: give --limit or fewer steps" } else { "" };
    parts.push(format!("{}, {others} reached{cut}", count(walked.len() as u64, "edge")));
    parts.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_says_where_it_came_from_unless_that_is_the_person() {
        let id = um_model::OWNER_AGENT;
        for (actor, expected) in [("system", Some("from a watched folder")), ("Scout", Some("by Scout")), (OWNER, None)]
        {
            let citation = serde_json::json!({"quote": "Ana was born.", "span": {"start": 0, "end": 13}, "span_hash": "",
                "state": "exact", "memory_id": id, "space_id": id, "title": "ana.txt", "modality": "text",
                "boxes": [], "actor_name": actor, "recorded_at": 0});
            let told = quote(&serde_json::from_value(citation).unwrap());
            let expected = ["ana.txt"].into_iter().chain(expected).collect::<Vec<_>>().join(", ");
            assert!(told.contains(&format!("\n{expected}, memory ")), "{told}");
        }
    }

    #[test]
    fn a_merge_says_whether_it_shared() {
        let own = SpaceId::parse("00000000-0000-7000-8000-000000000009").unwrap();
        for (merged, kept, space, words) in [
            ("Helena", "Helena", SpaceId::global(), "Helena was shared with every space"),
            ("Helena", "Helena", own.clone(), "Helena went into Helena"),
            ("H. Ruiz", "Helena", SpaceId::global(), "H. Ruiz went into Helena"),
        ] {
            let id = own.as_str();
            let named = |name: &str| serde_json::json!({"id": id, "name": name, "entity_type": "person"});
            let merge = serde_json::json!({
                "id": id, "kept": named(kept), "merged": named(merged), "merged_at": 0, "undone": false
            });
            assert_eq!(joined(&serde_json::from_value(merge).unwrap(), &space), words);
        }
    }

    #[test]
    fn a_list_says_where_it_goes_on_and_that_nobody_is_in_it() {
        let id = um_model::OWNER_AGENT;
        let one = serde_json::json!({"id": id, "name": "Ana", "entity_type": "person", "space_id": id, "aliases": [],
            "claims": 1, "disputed": 0, "memories": 1, "created_at": 0});
        for (listed, offset, total, expected) in [
            (2, 0, 2, "2 of 2"),
            (2, 0, 5, "2 of 5; see more with --offset 2"),
            (2, 3, 5, "2 of 5"),
            (0, 0, 0, "Nobody and nothing is known here by that."),
            (0, 9, 5, "There are 5 in all; nobody comes after the first 9."),
        ] {
            let page = serde_json::json!({"entities": vec![&one; listed], "total": total});
            let told = entities(&serde_json::from_value(page).unwrap(), offset);
            assert_eq!(told.lines().last(), Some(expected), "{told}");
        }
    }
}
