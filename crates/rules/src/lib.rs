//! Rules that read English text and propose claims: the product's own reader, which needs no model.
//!
//! Everything here is pure: text in, proposals out, in time that grows with the length of the text. What the rules
//! do not know for certain they leave out; a claim that is wrong costs more than one that is missing.

mod attribute;
mod classify;
mod clause;
mod compare;
mod complement;
mod copula;
mod data;
mod dates;
mod decide;
pub mod eval;
mod forms;
mod happened;
mod having;
mod identity;
mod job;
mod layout;
mod mention;
mod modality;
mod noun;
mod object;
mod orders;
mod port;
mod read;
mod readable;
mod sentence;
mod source;
mod standing;
mod tags;
mod time;
mod token;
mod values;
mod verb;
mod whose;

pub use classify::{Classified, classify};
pub use layout::{Talker, talker};
pub use orders::order;
pub use tags::tags;
pub use values::{date_begins, date_written, normal_value, reads_as};

use um_model::EpochMs;
use um_model::belief::ClaimCandidate;

/// Names the rules in the form that they have: texts that another version read are worth reading again.
pub const VERSION: &str = "en-10";

/// What is known of a text beside its words.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'a> {
    /// When it was said or written; `yesterday` is told from it. In milliseconds since the epoch.
    pub occurred_at: Option<EpochMs>,
    /// By when it was written, where nobody tells when: what was so for ten years was over by then. In milliseconds since
    /// the epoch.
    pub written_by: Option<EpochMs>,
    /// Who says `I`, where it is not the person of the space.
    pub speaker: Option<&'a str>,
    /// The title of the document, or the heading over the text.
    pub title: Option<&'a str>,
}

/// The claims that a text makes, in the order of their quotes. A chat turn's leading `Name: ` gives the speaker.
pub fn claims(text: &str, context: &Context<'_>) -> Vec<ClaimCandidate> {
    read::claims(text, context)
}
