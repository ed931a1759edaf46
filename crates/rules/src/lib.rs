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
mod phrases;
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
pub use dates::YEARS;
pub use layout::{Talker, talker};
pub use orders::order;
pub use tags::tags;
pub use values::{date_begins, date_written, is_day, normal_value, reads_as, two_readings};

use um_model::EpochMs;
use um_model::belief::{ClaimCandidate, Polarity};

/// Names the rules in the form that they have: texts that another version read are worth reading again.
pub const VERSION: &str = "en-11";

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

/// The claims that a text makes, in the order of their quotes, each with what follows from it. A chat turn's leading
/// `Name: ` gives the speaker.
pub fn claims(text: &str, context: &Context<'_>) -> Vec<ClaimCandidate> {
    let with_its_end = |told: ClaimCandidate| {
        let ended = ended_by(&told);
        std::iter::once(told).chain(ended)
    };
    read::claims(text, context).into_iter().flat_map(with_its_end).collect()
}

/// What is no longer so by what a text tells: who divorced somebody is not married to them from then on.
pub(crate) fn ended_by(told: &ClaimCandidate) -> Option<ClaimCandidate> {
    let ends = told.predicate == "divorced_from" && told.polarity == Polarity::Positive;
    ends.then(|| ClaimCandidate {
        predicate: "married_to".to_owned(),
        polarity: Polarity::Negative,
        valid_to: None,
        ..told.clone()
    })
}
