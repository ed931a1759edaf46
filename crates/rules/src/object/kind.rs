//! Of what kind a frame's object must be.

use super::{Objects, weak};
use crate::complement::Part;
use crate::data::frames::{KINDS, Object};
use crate::data::words::{self, contains_word};
use crate::data::{names, nouns};
use crate::noun::{Det, Np, Owner};
use um_model::belief::EntityType;

impl Objects<'_, '_> {
    /// Whether the phrase is of the kind that the frame wants.
    pub(super) fn is_kind(&self, np: &Np, proper: bool, text: &str) -> bool {
        let words = self.words;
        // `the opening of the gallery` is an opening.
        let of = np.name.clone().find(|at| words.lower(*at) == "of").filter(|of| *of > np.name.start);
        let event = matches!(self.frame.object, Object::Event | Object::DatedEvent);
        let head = of.filter(|_| event).map_or(words.lower(np.head), |of| words.lower(of - 1));
        let lower = text.to_lowercase();
        let named = proper || np.called.is_some();
        let modified = text.contains(' ');
        match self.frame.object {
            Object::Organization => {
                // `the Hague tribunal`
                let called = np.det == Det::The && words.capital(np.name.start);
                // `works at the hospital`
                let workplace = np.det == Det::The
                    && !self.voices.talk
                    && self.frame.predicate == "works_at"
                    && (nouns::is_destination(head) || names::is_organization_word(head))
                    && !words.any(
                        np.head,
                        " beach park lake mountain island city town village desert coast valley team group ",
                    );
                named
                    || called
                    || workplace
                    || names::is_organization_word(head) && modified
                    || self.frame.flags & KINDS != 0 && np.det != Det::None
            }
            Object::Place => {
                let kept = matches!(self.verb.lemma, "store" | "keep")
                    && !words.any(np.head, " dark loop know past background family ");
                let keeps =
                    self.frame.predicate == "located_in" && (kept || nouns::is_holder(head)) && np.det == Det::The;
                let site = nouns::type_of_head(head) == Some(EntityType::Location) || keeps;
                named || self.is_house(np) || names::is_place(&lower) || site && np.det != Det::None
            }
            Object::Person => {
                let kin = nouns::kin_noun(head).is_some() && np.owner != Owner::None;
                let titled =
                    words.tokens[np.called.as_ref().unwrap_or(&np.name).start].shape == crate::token::Shape::Mark;
                let office = np.det == Det::The && (nouns::is_role(head) || head == "board") && !self.voices.talk;
                named && !titled || kin || office || words.any(np.head, " me ")
            }
            Object::Destination => {
                let place = proper && !nouns::is_event(head) && !names::is_first_name(words.lower(np.name.start));
                let owned = matches!(np.owner, Owner::Speaker | Owner::Group | Owner::Pronoun(_));
                let letters = np.name.len() == 1 && words.tokens[np.head].shape == crate::token::Shape::Upper;
                let place = place && !letters;
                names::is_place(&lower) || place && !owned
            }
            Object::Event => {
                // `when I did my first play` may be one's own work.
                let own = np.owner != Owner::None && self.voices.talk && !self.dated();
                let told = !own && (np.det != Det::None || np.owner != Owner::None || named || head.ends_with('s'));
                told && nouns::is_event(head) && !np.pronoun && self.stays(head, named, modified)
            }
            // Who has a wedding is wed.
            Object::DatedEvent => {
                let own = lower.contains("wedding");
                nouns::is_event(head) && !own && !np.pronoun && self.dated() && self.stays(head, named, modified)
            }
            Object::Group => {
                named
                    || !np.pronoun
                        && np.det != Det::None
                        && (nouns::is_group(head) || nouns::is_group_of(self.words, np))
            }
            Object::School => {
                const SCHOOLS: &str = " school college university academy kindergarten institute primary elementary secondary lyceum \
                    lycée gymnasium nursery preschool montessori polytechnic conservatory ";
                named && (contains_word(SCHOOLS, head) || lower.contains("university of "))
            }
            Object::Sold => {
                !np.pronoun
                    && (matches!(np.owner, Owner::Speaker | Owner::Group | Owner::Pronoun(_)) || named)
                    && !words.any(np.head, " soul work art stuff idea ideas ")
            }
            Object::Medicine => np.owner == Owner::None && np.det == Det::None && nouns::is_medicine(&lower),
            Object::Gain => nouns::is_gain(head) && np.det != Det::The,
            Object::Pet => {
                // `got this pup for you` is a present.
                let given = words.lower(np.end) == "for" && words.any(np.end + 1, " you your him her them ");
                contains_word(nouns::PETS, head) && !given
            }
            // `works at the bakery on Main Street`
            Object::Name if self.frame.predicate == "works_on" => {
                // `the Atlas project`
                let called = np.det == Det::The && words.capital(np.name.start);
                (named || called)
                    && !self.any_linked(" at for ")
                    && nouns::type_of_head(head) != Some(EntityType::Location)
            }
            // `written in Graz`
            Object::Name if self.frame.predicate == "uses" => named && !names::is_place(&lower),
            Object::Name => named,
            Object::Prize => {
                let called = named || np.det == Det::The && words.capital(np.name.start);
                called && np.name.clone().any(|at| words.any(at, " prize award medal cup trophy oscar fellowship "))
            }
            // `the Brandt family`
            Object::Holder if head == "family" && words.capital(np.name.start) => true,
            Object::Holder => {
                let kin = nouns::kin_noun(head).is_some() || nouns::are_kin(head);
                named || kin && np.owner != Owner::None
            }
            Object::Company => proper && np.det == Det::None && !names::is_first_name(words.lower(np.name.start)),
            Object::Language => proper || names::is_language(&lower),
            Object::Title => {
                (proper || words.tokens[np.name.start].shape == crate::token::Shape::Mark)
                    && np.name.clone().any(|at| !words.is(at, words::CLOSED) && words.tokens[at].is_word())
            }
            Object::Years => np.name.len() == 1 && words.tokens[np.head].shape == crate::token::Shape::Number,
            Object::Pastime => {
                // `plays the lute`
                let instrument = np.det == Det::The
                    && np.name.len() == 1
                    && !self.voices.talk
                    && !words.any(
                        np.head,
                        " game games role part lead villain hero fool lottery market markets system field victim match final song record video \
                         music card cards odds long waiting ",
                    );
                nouns::is_pastime(&lower) || nouns::is_pastime(head) || named || instrument
            }
            Object::Bought => {
                let model = (named || words.capital(np.name.start)) && self.dated();
                !np.pronoun && (contains_word(crate::having::GOODS, head) || model)
            }
            Object::Business => {
                nouns::is_business(head) && (modified || np.det == Det::Indefinite) || named && !self.voices.talk
            }
            // That a job was lost, nobody knows which or when, says little.
            Object::Loss => {
                let whose = np.owner != Owner::None && (nouns::kin_noun(head).is_some() || self.dated());
                nouns::is_loss(head) && (whose || modified)
            }
            Object::Own => {
                !np.pronoun && (np.owner == Owner::Speaker || modified || named) && !words.is(np.head, words::ADJECTIVE)
            }
            Object::Injury => matches!(np.owner, Owner::Speaker | Owner::Group | Owner::Pronoun(_)),
            Object::Thing => {
                // `leads the race` manages nothing, and `some milk` is no thing that one keeps.
                let led = matches!(self.frame.predicate, "manages" | "runs");
                let race = led && !named && nouns::is_event(head.strip_suffix('s').unwrap_or(head));
                let some = np.det == Det::Quantity && words.any(np.start, " some several more ");
                // In talk it is mostly people who are supported.
                let helped = self.frame.predicate == "supports" && self.voices.talk;
                // Who `leads the project` is worth knowing where it is written down.
                let led = self.frame.predicate == "manages" && np.det == Det::The && !self.voices.talk;
                let little = weak(head, modified) && !(led && words.any(np.head, " project projects "));
                // `wrote three operas`
                let made = matches!(self.frame.predicate, "wrote" | "created" | "reviewed" | "directed");
                let several = made && !named && words.is(np.name.start, words::NUMBER);
                // One drives a taxi for others.
                let driven = self.verb.lemma == "drive"
                    && words.any(np.head, " taxi cab bus lorry tram train ambulance forklift ");
                // `developed a video presentation to teach ...`
                let means =
                    self.frame.predicate == "created" && self.voices.talk && self.has_purpose() && !self.dated();
                !np.pronoun
                    && !driven
                    && !means
                    && !several
                    && !race
                    && !helped
                    && !some
                    && (!self.voices.talk || named || modified)
                    && !little
                    && !words.is(np.head, words::ADJECTIVE)
            }
            _ => {
                !np.pronoun
                    && !weak(head, modified)
                    && (named || !words.is(np.head, words::ADJECTIVE) || words.is(np.head, words::NUMBER))
            }
        }
    }

    /// Whether what it was for follows, and is cut off: `a fair to show off my studio`.
    fn has_purpose(&self) -> bool {
        self.follows.parts.iter().any(|part| matches!(part, Part::Infinitive))
    }

    /// Whether an event is worth keeping a year later: it has a name, is one of a life, or is told with what it was about
    /// and when. What one went to `to show off my studio` was something else to them.
    fn stays(&self, head: &str, named: bool, modified: bool) -> bool {
        let purpose = self.has_purpose();
        let dated = self.dated();
        // Who set it up or stood on its stage needs no day.
        let own = matches!(self.frame.predicate, "organizes" | "performed_at");
        // One takes a drive, and organises one for others.
        let passing = nouns::is_passing(head) && !(own && head == "drive");
        named
            || !purpose
                && !passing
                && (modified && (dated || own || nouns::is_milestone(head)) || dated && nouns::is_milestone(head))
    }
}
