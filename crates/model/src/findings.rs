//! Findings: what is personal or secret in a text or on a page, and what the person decides about it.

use crate::citation::Citation;
use crate::enums::text_enum;
use crate::{AgentId, ArtifactId, Bbox, EpochMs, FindingId, MemoryId, Modality, SpaceId, TimeSpan, Utf16Span, ViewId};
use serde::{Deserialize, Serialize};

text_enum! {
    /// What kind of thing a finding is.
    FindingKind {
        /// A person's name.
        Person = "person",
        /// An e-mail address.
        Email = "email",
        /// A telephone or fax number, with its extension.
        Phone = "phone",
        /// A postal address or a part of one.
        Address = "address",
        /// A postcode that stands by itself.
        Postcode = "postcode",
        /// A date on which somebody was born.
        BirthDate = "birth_date",
        /// The number of a payment card.
        Card = "card",
        /// An international bank account number.
        Iban = "iban",
        /// Another number of a bank account.
        BankAccount = "bank_account",
        /// A social security number of the United States.
        UsSsn = "us_ssn",
        /// A number that another state gives to each person; the detector says which.
        NationalId = "national_id",
        /// The number of a passport.
        Passport = "passport",
        /// The number of a driver's licence.
        DriverLicence = "driver_licence",
        /// An address on a network, IPv4 or IPv6.
        IpAddress = "ip_address",
        /// The hardware address of a network device.
        MacAddress = "mac_address",
        /// A key, token, password or anything else that opens a door.
        Secret = "secret",
        /// An address on the web, or the name of a host.
        Url = "url",
        /// A day, a year or a time.
        Date = "date",
        /// How old somebody is.
        Age = "age",
        /// A country, town or region.
        Place = "place",
        /// A company or another body.
        Organization = "organization",
        /// A nationality, religion or political group.
        Nationality = "nationality",
        /// A form of address or an occupation.
        Title = "title",
        /// What a person marked themselves without saying what it is; no detector finds it.
        Other = "other",
    }
}

impl FindingKind {
    /// Whether it only describes somebody: found in most texts, and personal only beside what names a person.
    pub fn only_describes(self) -> bool {
        use FindingKind::{Age, Date, Nationality, Organization, Place, Title, Url};
        matches!(self, Url | Date | Age | Place | Organization | Nationality | Title)
    }
}

text_enum! {
    /// What became of a finding.
    FindingStatus {
        /// Nobody decided yet.
        Pending = "pending",
        /// It is to be blacked out.
        Accepted = "accepted",
        /// It stays as it is, and is not asked about again.
        Dismissed = "dismissed",
        /// It was blacked out.
        Applied = "applied",
    }
}

/// A part of a page or a recording.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum Region {
    /// A box on a page.
    Box {
        /// The page, from 1; pictures have one.
        page: u32,
        /// The box.
        bbox: Bbox,
    },
    /// A stretch of a recording.
    Time(TimeSpan),
}

/// Lists what was found or marked.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FindingsList {
    /// Only of this space (name, path or id); of all where nothing is said.
    #[serde(default)]
    pub space: Option<String>,
    /// Only in these states; pending ones where nothing is said.
    #[serde(default)]
    pub statuses: Vec<FindingStatus>,
    /// Only of these kinds; of all where empty.
    #[serde(default)]
    pub kinds: Vec<FindingKind>,
    /// Only in this file, in the order of its pages and words.
    #[serde(default)]
    pub artifact: Option<ArtifactId>,
    /// Only in this memory, in the same order.
    #[serde(default)]
    pub memory: Option<MemoryId>,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 100 where nothing is said, 1,000 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Findings.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FindingsListed {
    /// The findings. Without a file or memory, only those of what is in use.
    pub findings: Vec<Finding>,
    /// How many fit the question in all.
    pub total: u64,
    /// How many there are of each kind, whichever kinds were asked for.
    pub kinds: Vec<KindCount>,
}

/// How many findings there are of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct KindCount {
    /// The kind.
    pub kind: FindingKind,
    /// How many.
    pub count: u64,
}

/// Something personal or secret, where it stands, and what the person decided about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Finding {
    /// Its id.
    pub id: FindingId,
    /// What it is.
    pub kind: FindingKind,
    /// What became of it.
    pub status: FindingStatus,
    /// Which detector saw it, such as `net.email`; `person` where a person marked it.
    pub detector: String,
    /// Which version of the detectors; empty where a person marked it.
    pub detector_version: String,
    /// 0 to 1: how sure the detector is.
    pub confidence: f64,
    /// Its space.
    pub space_id: SpaceId,
    /// The memory that it is in.
    pub memory_id: MemoryId,
    /// That memory's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_id: Option<ArtifactId>,
    /// The file's name, or the memory's title or first words.
    pub title: String,
    /// Where its words stand in the text of the view or memory, in UTF-16 code units; absent for a part of a page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Utf16Span>,
    /// Its words, read from the source now: at most 1,000 code units. Of a part of a page, the words under it. Empty where
    /// there are none, or none any more.
    pub value: String,
    /// The words with a few around them. Its page, boxes, seconds or lines are those of the found words alone. Absent where
    /// there are no words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation: Option<Citation>,
    /// The part of a page or recording that a person marked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
    /// Who decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<AgentId>,
    /// When.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<EpochMs>,
    /// When it was found or marked.
    pub created_at: EpochMs,
}

text_enum! {
    /// What is decided about findings.
    FindingDecision {
        /// They are to be blacked out.
        Accept = "accept",
        /// They stay as they are, and are not asked about again.
        Dismiss = "dismiss",
        /// Nothing is decided: what was, is taken back.
        Reopen = "reopen",
    }
}

impl FindingDecision {
    /// The state that follows.
    pub fn status(self) -> FindingStatus {
        match self {
            Self::Accept => FindingStatus::Accepted,
            Self::Dismiss => FindingStatus::Dismissed,
            Self::Reopen => FindingStatus::Pending,
        }
    }
}

/// Decides about findings: those of some ids, or all that fit `all`. Whatever was decided can be reopened until it is
/// applied.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FindingsDecide {
    /// What is decided.
    pub decision: FindingDecision,
    /// About these; at most 1,000.
    #[serde(default)]
    pub ids: Vec<FindingId>,
    /// Or about all of these.
    #[serde(default)]
    pub all: Option<AllFindings>,
}

/// All findings of a space, a file or a memory. Those that are pending; to reopen, those that were decided.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AllFindings {
    /// Of this kind; of every kind where nothing is said.
    #[serde(default)]
    pub kind: Option<FindingKind>,
    /// In this space (name, path or id).
    #[serde(default)]
    pub space: Option<String>,
    /// In this file.
    #[serde(default)]
    pub artifact: Option<ArtifactId>,
    /// In this memory.
    #[serde(default)]
    pub memory: Option<MemoryId>,
    /// Only in files and memories in which nothing but names waits.
    #[serde(default)]
    pub names_only: bool,
}

/// What was decided.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FindingsDecided {
    /// The findings that this changed; to undo it, reopen these. At most 1,000.
    pub changed: Vec<FindingId>,
    /// How many are left that it would change: ask again for these.
    pub left: u64,
}

/// Marks something as personal: words of a text view or memory, or a part of a page or recording. It is accepted at once.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FindingAdd {
    /// What it is; `other` where nothing is said.
    #[serde(default)]
    pub kind: Option<FindingKind>,
    /// The text view whose words are marked, with `span`.
    #[serde(default)]
    pub view: Option<ViewId>,
    /// The memory whose own words are marked, with `span`.
    #[serde(default)]
    pub memory: Option<MemoryId>,
    /// Where the words stand, in UTF-16 code units.
    #[serde(default)]
    pub span: Option<Utf16Span>,
    /// The file of which a part is marked, with `region`.
    #[serde(default)]
    pub artifact: Option<ArtifactId>,
    /// A box on a page, or a stretch of a recording. What is under it need not be words.
    #[serde(default)]
    pub region: Option<Region>,
}

/// Lists the files and memories in use with findings that wait to be decided or blacked out; or those in which some were
/// blacked out.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RedactionsList {
    /// Only of this space (name, path or id); of all where nothing is said.
    #[serde(default)]
    pub space: Option<String>,
    /// Those in which something was blacked out, the last one first. Else those that wait, in the order in which they were
    /// found.
    #[serde(default)]
    pub applied: bool,
    /// Of those that wait, only those in which nothing but names waits (`true`), or only the others (`false`).
    #[serde(default)]
    pub names_only: Option<bool>,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 100 where nothing is said, 1,000 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Files and memories with findings.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RedactionsListed {
    /// The files and memories.
    pub items: Vec<RedactionItem>,
    /// How many there are in all.
    pub total: u64,
}

/// A file or memory with findings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RedactionItem {
    /// The memory.
    pub memory_id: MemoryId,
    /// Its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_id: Option<ArtifactId>,
    /// The file's name, or the memory's title or first words.
    pub title: String,
    /// What it is.
    pub modality: Modality,
    /// Its space.
    pub space_id: SpaceId,
    /// How many findings nobody decided.
    pub pending: u64,
    /// How many are to be blacked out.
    pub accepted: u64,
    /// How many were blacked out.
    pub applied: u64,
    /// How many there are of each kind, of those that wait or of those that were blacked out.
    pub kinds: Vec<KindCount>,
    /// When the last of these was found or blacked out.
    pub at: EpochMs,
}

/// Marks every place of a file or memory that says some words, to be blacked out.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FindingsMark {
    /// The words, however they are spaced and capitalised: whole words alone are found.
    pub words: String,
    /// The file.
    #[serde(default)]
    pub artifact: Option<ArtifactId>,
    /// Or the memory.
    #[serde(default)]
    pub memory: Option<MemoryId>,
    /// What they are; `other` where nothing is said.
    #[serde(default)]
    pub kind: Option<FindingKind>,
}

/// What was marked.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FindingsMarked {
    /// A finding for each place.
    pub marked: Vec<FindingId>,
}
