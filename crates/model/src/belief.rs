//! Beliefs: what an extractor proposes, and the words of the belief layer (spine 2.2 to 2.5, 2.11, 2.12).

use crate::enums::text_enum;
use crate::{EntityId, EpochMs, Utf16Span};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

text_enum! {
    /// What an entity is (spine 2.4).
    EntityType {
        /// A person.
        Person = "person",
        /// A company, team or institution.
        Organization = "organization",
        /// An idea, field or kind of thing.
        Concept = "concept",
        /// A place.
        Location = "location",
        /// Anything else that has a name.
        Thing = "thing",
    }
}

text_enum! {
    /// What a claim says (spine 2.3).
    ClaimType {
        /// A value of an entity.
        Attribute = "attribute",
        /// A relation to another entity.
        Relationship = "relationship",
        /// Something that happened.
        Event = "event",
        /// What somebody likes, wants, or wants done.
        Preference = "preference",
    }
}

text_enum! {
    /// Where a claim stands (spine 2.3, ruling 25).
    ClaimState {
        /// Not yet carried by evidence.
        Draft = "draft",
        /// Believed.
        Asserted = "asserted",
        /// Believed, and contradicted.
        Disputed = "disputed",
        /// Taken back.
        Retracted = "retracted",
        /// Another claim stands in its place.
        Superseded = "superseded",
    }
}

text_enum! {
    /// What a change of a claim's state needs beside being allowed (ruling 25). Whatever is asserted needs supporting
    /// evidence in any case.
    Needs {
        /// Nothing.
        Nothing = "nothing",
        /// Supporting evidence.
        Support = "support",
        /// Supporting evidence that came no earlier than the last change, or an undo.
        NewSupport = "new_support",
        /// That a change is taken back.
        Undo = "undo",
    }
}

impl ClaimState {
    /// What it needs to become `to`; none where a claim never changes so. The schema holds the same table, for those
    /// who come by SQL (ruling 25).
    pub fn may_become(self, to: Self) -> Option<Needs> {
        use ClaimState::{Asserted, Disputed, Draft, Retracted, Superseded};
        match (self, to) {
            (Draft | Disputed, Asserted) => Some(Needs::Support),
            (Retracted, Asserted) => Some(Needs::NewSupport),
            (Superseded, Asserted) => Some(Needs::Undo),
            (Asserted, Disputed) | (Draft | Asserted | Disputed, Retracted) | (Asserted | Disputed, Superseded) => {
                Some(Needs::Nothing)
            }
            _ => None,
        }
    }
}

text_enum! {
    /// Whether a claim affirms or denies.
    Polarity {
        /// It is so.
        Positive = "positive",
        /// It is not so.
        Negative = "negative",
    }
}

text_enum! {
    /// What evidence does to its claim (spine 2.2).
    EvidencePolarity {
        /// Speaks for it.
        Supporting = "supporting",
        /// Speaks against it.
        Contradicting = "contradicting",
        /// Neither.
        Neutral = "neutral",
    }
}

text_enum! {
    /// Who found a piece of evidence (spine 2.2).
    ExtractionMethod {
        /// A language model.
        Llm = "llm",
        /// The local rules.
        Rule = "rule",
        /// The person or an agent, outright.
        User = "user",
        /// Inferred from other evidence.
        Inference = "inference",
    }
}

text_enum! {
    /// How many may stand on each side of a relation; for attributes `many_to_one` means one value (ruling 29).
    Cardinality {
        /// One on each side.
        OneToOne = "one_to_one",
        /// One subject for an object.
        OneToMany = "one_to_many",
        /// One object for a subject.
        ManyToOne = "many_to_one",
        /// Any number; also where nothing is known, so that no conflict is invented.
        ManyToMany = "many_to_many",
    }
}

text_enum! {
    /// What kind of value an attribute has.
    ValueKind {
        /// Words.
        Text = "text",
        /// A number, with its unit or currency if it has one.
        Number = "number",
        /// A date, as `2025-03-12`, `2025-03`, `2025` or `--07-14` (ISO 8601, `--` for no year).
        Date = "date",
        /// Yes or no.
        Boolean = "boolean",
    }
}

text_enum! {
    /// Why two claims cannot both stand (spine 2.11).
    ConflictType {
        /// One attribute, two values.
        ContradictingValue = "contradicting_value",
        /// One says it is so, the other that it is not.
        OppositePolarity = "opposite_polarity",
        /// More than the relation allows at one time.
        CardinalityViolation = "cardinality_violation",
    }
}

text_enum! {
    /// Who found that two claims cannot both stand.
    ConflictFinder {
        /// What is known of the predicate says so.
        Rule = "rule",
        /// An entailment model judged it by the words.
        Model = "model",
    }
}

text_enum! {
    /// How a conflict was decided (spine 2.12).
    ResolutionType {
        /// The first claim is right.
        ClaimAWins = "claim_a_wins",
        /// The second claim is right.
        ClaimBWins = "claim_b_wins",
        /// Both stay disputed.
        BothDisputed = "both_disputed",
        /// Something else; the notes say what.
        ManualOverride = "manual_override",
    }
}

text_enum! {
    /// How a mention was matched to an entity (spine 4.2).
    MatchType {
        /// By its name.
        Exact = "exact",
        /// By another name of it.
        Alias = "alias",
        /// By a name that is nearly the same.
        Fuzzy = "fuzzy",
        /// The person said so.
        User = "user",
    }
}

/// Who or what a mention speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Referent {
    /// What the words name.
    Named,
    /// Whoever speaks: the named speaker of a turn, else the person of the space.
    Speaker,
    /// Somebody known only by their relation to the speaker, as `sister`.
    OfSpeaker(String),
    /// This very entity.
    Known(EntityId),
}

/// An entity as a text speaks of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mention {
    /// Its name without articles, as it is written: `Halden Labs`, `staging server`. For a speaker their
    /// name where the text gives it, else `user`; for their relatives `user's sister`.
    pub name: String,
    /// Who or what is meant.
    pub referent: Referent,
    /// What it seems to be.
    pub entity_type: EntityType,
    /// Where the text names it, in UTF-16 units; none where it is only understood.
    pub span: Option<Utf16Span>,
}

/// What a claim says of its subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CandidateObject {
    /// Another entity: the claim is a relationship.
    Entity(Mention),
    /// A value.
    Value {
        /// Dates as [`ValueKind::Date`] says, all else as it is written, trimmed.
        text: String,
        /// What kind of value.
        kind: ValueKind,
    },
}

/// A claim that an extractor proposes; the engine checks it before anything is kept (spine 4.3, 6.2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimCandidate {
    /// What it says.
    pub claim_type: ClaimType,
    /// Of whom or what.
    pub subject: Mention,
    /// The canonical name of the relation or attribute: `works_at`, `birthday`.
    pub predicate: String,
    /// What.
    pub object: CandidateObject,
    /// Circumstances, as `role: lead engineer`, `since: 2021`. They are part of the claim's identity.
    pub qualifiers: BTreeMap<String, String>,
    /// Whether it is affirmed or denied.
    pub polarity: Polarity,
    /// The words of the source that carry the claim, in UTF-16 units of it.
    pub quote: Utf16Span,
    /// How sure the extractor is, 0 to 1.
    pub confidence: f64,
    /// When it began to be so, where the text says.
    pub valid_from: Option<EpochMs>,
    /// When it ceased to be so, where the text says.
    pub valid_to: Option<EpochMs>,
}
