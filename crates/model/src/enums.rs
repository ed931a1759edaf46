//! Enumerations: one for each CHECK list of the schema, with the same words.

/// Declares an enumeration whose variants are words in the database and in JSON.
macro_rules! text_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $text)] $variant),+
        }

        impl $name {
            /// Every variant, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word that stands in the database and in JSON.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.pad(self.as_str()) }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::enums::UnknownWord;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().copied().find(|v| v.as_str() == text).ok_or_else(|| $crate::enums::UnknownWord {
                    what: stringify!($name),
                    word: text.to_owned(),
                    known: Self::ALL.iter().map(|v| v.as_str()).collect::<Vec<_>>().join(", "),
                })
            }
        }
    };
}
pub(crate) use text_enum;

/// A word that an enumeration does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{word}\" is no {}; known: {known}", in_words(what))]
pub struct UnknownWord {
    /// The enumeration.
    pub what: &'static str,
    /// The word given.
    pub word: String,
    /// The words it knows.
    pub known: String,
}

/// The name of a type as a person reads it: `ClaimState` is `claim state`.
fn in_words(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

#[cfg(test)]
#[test]
fn an_unknown_word_is_named_as_a_person_reads_it() {
    let refused = "colour".parse::<crate::belief::ClaimState>().unwrap_err().to_string();
    assert!(refused.starts_with("\"colour\" is no claim state; known: draft, "), "{refused}");
}

text_enum! {
    /// What a space is for (spine 2.6, with the organization of the versioned-entries document).
    SpaceType {
        /// The one space whose entities all others may name.
        Global = "global",
        /// The person's core facts.
        UserCore = "user_core",
        /// The person's own things.
        UserPersonal = "user_personal",
        /// An organization above projects.
        Organization = "organization",
        /// A project or workspace.
        Project = "project",
        /// Shared between several people or agents.
        Shared = "shared",
        /// Shared by a swarm of agents.
        Hive = "hive",
    }
}

text_enum! {
    /// What an artifact is, by its content.
    Modality {
        /// Plain text and Markdown.
        Text = "text",
        /// Program source.
        Source = "source",
        /// A web page.
        Html = "html",
        /// A word processor's document.
        Document = "document",
        /// A PDF.
        Pdf = "pdf",
        /// A picture.
        Image = "image",
        /// A recording.
        Audio = "audio",
        /// A film.
        Video = "video",
        /// Anything that no reader knows.
        Other = "other",
    }
}

text_enum! {
    /// How a text view came about (spine 2.16, ruling 12).
    ViewType {
        /// Words recognised in a picture.
        Ocr = "ocr_text",
        /// Words recognised in a recording.
        Asr = "asr_transcript",
        /// A description of a picture.
        Caption = "caption",
        /// A PDF page's own text layer.
        Pdf = "pdf_text",
        /// A file's metadata.
        Metadata = "metadata_text",
        /// What the person wrote beside it.
        Annotation = "user_annotation",
        /// The text of a text-bearing file.
        Document = "document_text",
    }
}

text_enum! {
    /// A memory's life (ruling 26).
    MemoryStatus {
        /// In use.
        Active = "active",
        /// A newer version stands in its place.
        Superseded = "superseded",
        /// Summed up in another memory.
        Consolidated = "consolidated",
        /// Put away.
        Archived = "archived",
        /// Found to be wrong.
        Retracted = "retracted",
        /// Past its time.
        Expired = "expired",
        /// Deleted; can be restored.
        Deleted = "deleted",
    }
}

text_enum! {
    /// What a memory is about (spine 2.1: `scope`).
    MemoryScope {
        /// Who somebody is.
        Identity = "identity",
        /// What somebody likes.
        Preference = "preference",
        /// What is so.
        Fact = "fact",
        /// What happened.
        Experience = "experience",
        /// How something is done.
        Skill = "skill",
    }
}

text_enum! {
    /// Storage tier: hot and warm stand in the indexes, cold does not and is looked through where it is asked for (spine 1.6).
    Tier {
        /// Used often.
        Hot = "hot",
        /// The usual.
        Warm = "warm",
        /// Seldom used.
        Cold = "cold",
    }
}

text_enum! {
    /// The state of a job (ruling 40).
    JobStatus {
        /// Waits for its turn.
        Pending = "pending",
        /// Somebody holds its lease.
        Processing = "processing",
        /// Done.
        Completed = "completed",
        /// Failed for good, with a reason.
        Failed = "failed",
        /// Failed three times for reasons that looked passing.
        Poison = "poison",
        /// Somebody cancelled it.
        Cancelled = "cancelled",
        /// Runs by itself once its model is installed.
        WaitingForModel = "waiting_for_model",
        /// Runs once the file's password is given.
        WaitingForPassword = "waiting_for_password",
    }
}

impl JobStatus {
    /// Whether nothing more happens until somebody acts: `umem jobs --wait` ends here.
    pub fn is_settled(self) -> bool {
        !matches!(self, Self::Pending | Self::Processing)
    }
}

text_enum! {
    /// What a job does.
    JobKind {
        /// Reads a document, picture or PDF.
        Read = "read",
        /// Reads a recording or film: what is said in it.
        Listen = "listen",
        /// Embeds the units of a memory.
        Embed = "embed",
        /// Brings the claims in line with a memory.
        Extract = "extract",
        /// Puts a memory's texts to the language model, where the person turned one on.
        Ask = "ask",
        /// Compares a memory with those that seem to say the same.
        Dedupe = "dedupe",
        /// Looks for personal and secret data in a memory's texts.
        Detect = "detect",
    }
}

impl JobKind {
    /// The kind of model without which it waits, where there is one.
    pub fn model(self) -> Option<ModelKind> {
        match self {
            Self::Read | Self::Extract | Self::Ask | Self::Detect => None,
            Self::Listen => Some(ModelKind::Speech),
            Self::Embed => Some(ModelKind::TextEmbedding),
            Self::Dedupe => Some(ModelKind::Entailment),
        }
    }
}

text_enum! {
    /// How far passages can be found by their meaning.
    EmbeddingState {
        /// All of them can.
        Embedded = "embedded",
        /// Some wait for their turn, or are being embedded.
        Embedding = "embedding",
        /// Some wait for a model.
        WaitingForModel = "waiting_for_model",
        /// Somebody cancelled it.
        Cancelled = "cancelled",
        /// It failed, with a reason.
        Failed = "failed",
    }
}

impl From<JobStatus> for EmbeddingState {
    fn from(of_job: JobStatus) -> Self {
        match of_job {
            JobStatus::Completed => Self::Embedded,
            JobStatus::Pending | JobStatus::Processing => Self::Embedding,
            JobStatus::WaitingForModel | JobStatus::WaitingForPassword => Self::WaitingForModel,
            JobStatus::Cancelled => Self::Cancelled,
            JobStatus::Failed | JobStatus::Poison => Self::Failed,
        }
    }
}

text_enum! {
    /// What happens to a memory whose watched file was deleted.
    DeletePolicy {
        /// It leaves recall, and can be restored.
        Mark = "mark",
        /// It stays.
        Keep = "keep",
    }
}

text_enum! {
    /// What a model is for.
    ModelKind {
        /// Text embedding.
        TextEmbedding = "text_embedding",
        /// Speech recognition.
        Speech = "speech",
        /// Speech or silence.
        VoiceActivity = "voice_activity",
        /// Whether one text follows from another.
        Entailment = "entailment",
        /// Names in texts.
        Names = "names",
        /// How well a passage answers a question.
        Reranking = "reranking",
    }
}

text_enum! {
    /// Whether a model can be used.
    ModelState {
        /// Not on this machine.
        Missing = "missing",
        /// Being fetched.
        Downloading = "downloading",
        /// On disk, not in memory.
        Installed = "installed",
        /// In memory.
        Loaded = "loaded",
        /// On disk, and could not be loaded.
        Broken = "broken",
    }
}
