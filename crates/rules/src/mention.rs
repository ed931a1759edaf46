//! From noun phrases to entities and values: names, referents, types, and what is too vague to be either.

use crate::data::frames::Who;
use crate::data::names;
use crate::data::nouns;
use crate::data::words::{self, INDEFINITE, UNIT, VAGUE};
use crate::noun::{Det, Np, Owner, Words};
use crate::token::Shape;
use um_model::belief::{EntityType, Mention, Referent};

/// Who speaks, and whom pronouns mean.
#[derive(Debug, Clone)]
pub(crate) struct Voices<'t> {
    /// Who says `I`, where it is not the person of the space.
    pub speaker: Option<&'t str>,
    /// Whether it is talk between people, where much is said that need not be kept.
    pub talk: bool,
    /// Whom `she`, `he` or `it` means, where that is sure.
    pub antecedents: Vec<Antecedent>,
}

/// An entity that a pronoun can mean.
#[derive(Debug, Clone)]
pub(crate) struct Antecedent {
    /// The entity.
    pub mention: Mention,
    /// A woman or man, where the name or noun tells.
    pub woman: Option<bool>,
}

impl Voices<'_> {
    /// The speaker's name, else `user`.
    pub(crate) fn name(&self) -> &str {
        self.speaker.unwrap_or("user")
    }

    /// The speaker.
    pub(crate) fn mention(&self) -> Mention {
        Mention {
            name: self.name().to_owned(),
            referent: Referent::Speaker,
            entity_type: EntityType::Person,
            span: None,
        }
    }

    /// Whom the pronoun means: the one entity before it that it can mean, if there is just one.
    pub(crate) fn resolve(&self, pronoun: &str) -> Option<Mention> {
        let person = matches!(pronoun, "he" | "him" | "his" | "she" | "her" | "hers");
        if !person && !matches!(pronoun, "it" | "its") {
            return None;
        }
        let wanted =
            if pronoun.starts_with('h') && pronoun != "her" && pronoun != "hers" { Some(false) } else { Some(true) };
        let mut fitting = self.antecedents.iter().filter(|known| {
            let is_person = known.mention.entity_type == EntityType::Person;
            is_person == person && (!person || known.woman.is_none() || known.woman == wanted)
        });
        let thing = |known: &&Antecedent| known.mention.entity_type != EntityType::Location;
        // `The archive is in Vilnius. It runs ...`: places are not meant where a thing is.
        if !person && fitting.clone().any(|known| thing(&known)) {
            let mut things = fitting.filter(thing);
            let first = things.next()?;
            return things.all(|other| other.mention.name == first.mention.name).then(|| first.mention.clone());
        }
        let first = fitting.next()?;
        fitting.all(|other| other.mention.name == first.mention.name).then(|| first.mention.clone())
    }
}

/// What a subject has to be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    /// What kind of thing.
    pub who: Who,
    /// Whether `we` means the speaker.
    pub we: bool,
    /// Whether a common noun without article passes.
    pub bare: bool,
}

impl Wanted {
    /// One of this kind.
    pub(crate) const fn one(who: Who) -> Self {
        Self { who, we: false, bare: false }
    }

    /// The same, or the speaker with others.
    pub(crate) const fn or_us(self) -> Self {
        Self { we: true, ..self }
    }
}

/// The entity that a subject names, if it names one for certain.
pub(crate) fn subject(
    words: &Words<'_>,
    np: &Np,
    voices: &Voices<'_>,
    Wanted { who, we, bare }: Wanted,
) -> Option<Mention> {
    if np.pronoun {
        return match words.lower(np.head) {
            "i" | "me" if who == Who::System => None,
            "i" | "me" => Some(voices.mention()),
            "" if np.head == usize::MAX => Some(voices.mention()),
            "it" | "its" if voices.talk => None,
            "we" | "us" if we => Some(voices.mention()),
            other => voices.resolve(other),
        };
    }
    let mention = entity(words, np, voices, bare)?;
    if who == Who::System && (mention.entity_type == EntityType::Person || np.pronoun) {
        return None;
    }
    let lower = mention.name.to_lowercase();
    // `the 2 younger kids` are some of somebody's.
    if who == Who::Being && words.tokens[np.name.start].shape == Shape::Number && np.det != Det::None {
        return None;
    }
    if who == Who::Being && mention.entity_type != EntityType::Person {
        // Somebody is named, or known by kinship or duty; `the bridge` works nowhere.
        let named = np.owner == Owner::None && np.det == Det::None && mention.name.starts_with(char::is_uppercase);
        // `the kids` are nobody's, and in talk `the photographer` is known to those who were there.
        let related = nouns::kin_noun(words.lower(np.head)).is_some() || nouns::are_kin(words.lower(np.head));
        let owned = np.owner != Owner::None || np.called.is_some() || np.name.clone().any(|at| words.lower(at) == "of");
        if !named && !owned && (related || voices.talk) {
            return None;
        }
        let kin = nouns::kin_noun(words.lower(np.head)).is_some()
            || nouns::are_kin(words.lower(np.head))
            || nouns::is_role(words.lower(np.head));
        // `my cat is allergic to chicken`
        let pet = np.owner != Owner::None && words.any(np.head, nouns::PETS) && !voices.talk;
        // `the platform team built`
        let group = (np.det == Det::The || np.owner == Owner::Group) && nouns::is_body(words.lower(np.head));
        if group && !voices.talk {
            return Some(Mention { entity_type: EntityType::Organization, ..mention });
        }
        if !named && !kin && !pet && np.called.is_none() {
            return None;
        }
        let place = names::is_place(&lower) && !names::is_first_name(&lower);
        return (!place).then_some(Mention {
            entity_type: if mention.entity_type == EntityType::Organization {
                EntityType::Organization
            } else {
                EntityType::Person
            },
            ..mention
        });
    }
    Some(mention)
}

/// The entity that a noun phrase names. `bare` lets a common noun without article pass.
pub(crate) fn entity(words: &Words<'_>, np: &Np, voices: &Voices<'_>, bare: bool) -> Option<Mention> {
    if np.pronoun {
        return match words.lower(np.head) {
            "me" | "i" | "myself" => Some(voices.mention()),
            other => voices.resolve(other),
        };
    }
    if let Some(called) = &np.called {
        return Some(named(words, words.slice(called.clone()), called.clone(), None));
    }
    let name = words.slice(np.name.clone());
    let head = words.lower(np.head);
    // `Mum lives in York`: whose, everybody knows.
    let own = np.owner == Owner::None && np.det == Det::None && np.name.len() == 1 && words.capital(np.head);
    if own && words.any(np.head, " mum mom dad grandma grandpa ") {
        return Some(of_speaker(words, np, voices, head));
    }
    let proper = is_proper(words, np);
    if (is_vague(words, np) && !proper) || name.is_empty() {
        return None;
    }
    let owned = |owner: &str| format!("{owner}'s {name}");
    let typed = nouns::type_of_head(head);
    match &np.owner {
        Owner::Listener => None,
        Owner::Speaker => Some(of_speaker(words, np, voices, &name)),
        Owner::Group if nouns::kin_noun(head).is_some() || nouns::are_kin(head) || words.any(np.head, nouns::PETS) => {
            Some(of_speaker(words, np, voices, &name))
        }
        // In talk nobody knows who "we" are.
        Owner::Group if voices.talk => None,
        Owner::Group => Some(named(words, name, np.name.clone(), typed)),
        Owner::Pronoun(at) => {
            let owner = voices.resolve(words.lower(*at))?;
            Some(named(words, owned(&owner.name), np.name.clone(), typed))
        }
        Owner::Named(owner) => {
            let owner = entity(words, owner, voices, false)?;
            // `the neighbours' dog`
            let plural = matches!(words.lower(np.name.start.saturating_sub(1)), "'" | "’");
            let whole = if plural { format!("{}' {name}", owner.name) } else { owned(&owner.name) };
            let mut mention = named(words, whole, np.name.clone(), typed);
            mention.span = words.span(np.start..np.name.end);
            // `Ana's thesis` is nobody, for all that a name stands in it.
            if mention.entity_type == EntityType::Person && typed != Some(EntityType::Person) {
                mention.entity_type = typed.unwrap_or(EntityType::Thing);
            }
            Some(mention)
        }
        Owner::None => match np.det {
            Det::Indefinite | Det::Quantity => None,
            Det::Pointing => {
                let this = words.lower(np.start) == "this";
                this.then(|| named(words, words.slice(np.start..np.name.end), np.start..np.name.end, typed))
            }
            Det::The => Some(named(words, name, np.name.clone(), typed)),
            Det::None => (proper || bare || is_identifier(&name)).then(|| named(words, name, np.name.clone(), typed)),
        },
    }
}

fn of_speaker(words: &Words<'_>, np: &Np, voices: &Voices<'_>, name: &str) -> Mention {
    let entity_type = nouns::type_of_head(words.lower(np.head)).unwrap_or(EntityType::Thing);
    let span = words.span(np.name.clone());
    Mention {
        name: format!("{}'s {name}", voices.name()),
        referent: Referent::OfSpeaker(name.to_owned()),
        entity_type,
        span,
    }
}

fn named(words: &Words<'_>, name: String, range: std::ops::Range<usize>, typed: Option<EntityType>) -> Mention {
    let name = name.trim_matches(|c: char| matches!(c, '"' | '“' | '”' | '\'' | ',')).to_owned();
    let entity_type = names::guess(&name).or(typed).unwrap_or(EntityType::Thing);
    let span = words.span(range);
    Mention { name, referent: Referent::Named, entity_type, span }
}

/// `api_key`, `db-1`, `main.rs`: names that need no capital.
fn is_identifier(name: &str) -> bool {
    !name.contains(' ')
        && name.contains(|c: char| c == '_' || c.is_ascii_digit() || c == '/')
        && name.contains(char::is_alphabetic)
}

/// Whether the phrase is a name, and not a common noun that stands at the head of a sentence.
pub(crate) fn is_proper(words: &Words<'_>, np: &Np) -> bool {
    if np.det == Det::Indefinite || !words.capital(np.name.start) {
        let titled = words.tokens[np.name.start].shape == Shape::Mark && np.name.len() > 2;
        let numbered = np.det == Det::None
            && np.name.len() == 2
            && words
                .any(np.name.start, " version release phase sprint milestone room gate level module building floor rack bay pier platform terminal hall aisle \
                 shelf unit dock locker warehouse ")
            && words.tokens[np.head].shape == Shape::Number;
        return titled || numbered;
    }
    if np.det == Det::The {
        return words.capital(np.head);
    }
    if np.name.start > 0 {
        return true;
    }
    let first = &words.tokens[np.name.start];
    if words.any(np.name.start, " staging production ") && np.name.len() == 1 && words.finite(np.end) {
        return true;
    }
    if first.shape == Shape::Upper || names::is_first_name(&first.lower) || names::is_place(&first.lower) {
        return true;
    }
    if np.name.len() > 1 {
        // `Halden Labs`, but not `Regular exercise`.
        let of = np.name.clone().find(|at| words.lower(*at) == "of").unwrap_or(np.name.end);
        let part = |at: usize| words.any(at, PARTICLES) && words.capital(at + 1);
        return (np.name.start + 1..of).all(|at| {
            words.capital(at) || words.tokens[at].shape == Shape::Number || words.lower(at) == "&" || part(at)
        }) && of > np.name.start + 1;
    }
    let in_s = first.lower.ends_with('s') && !first.lower.ends_with("ss");
    // `Otis previously worked`
    let verb = (np.end..words.tokens.len()).find(|at| !words.is(*at, words::ADVERB)).unwrap_or(np.end);
    let takes_singular = words.finite(verb) && !words.any(verb, " are were have do ");
    // `Otis and Maria`, but not `Sales and Marketing`: what is joined to a first name is one.
    let joined = words.lower(np.end) == "and" && names::is_first_name(words.lower(np.end + 1));
    // `Hollis, a baker, owns ...`
    let told = words.lower(np.end) == ","
        && (words.is(np.end + 1, words::DET | words::POSSESSIVE) || words.any(np.end + 1, " who "));
    let plural = in_s && !takes_singular && !joined && !told;
    let known = first.tags & !words::MODAL != 0
        || first.verb.is_some_and(|verb| verb.can_be(crate::data::verbs::BASE) && !verb.nounish);
    let formed = first.lower.len() > 5 && ABSTRACT.iter().any(|ending| first.lower.ends_with(ending));
    let noun =
        nouns::is_common(&first.lower) || nouns::is_role(&first.lower) || nouns::kin_noun(&first.lower).is_some();
    !plural && !known && !formed && !noun
}

/// Small words inside the names of people: `Hilma af Klint`.
pub(crate) const PARTICLES: &str =
    " af al bin da das de del della den der di do dos du ibn la le ten ter van von y zu ";

/// Endings of nouns for what has no name.
const ABSTRACT: [&str; 10] = ["ing", "ness", "tion", "sion", "ment", "ship", "ity", "ism", "ance", "ence"];

/// Words without the quotes around them.
pub(crate) fn unquoted(text: &str) -> String {
    text.replace(['"', '“', '”'], "").trim().to_owned()
}

/// Whether a phrase says that there is something, but not what.
pub(crate) fn is_vague(words: &Words<'_>, np: &Np) -> bool {
    let head = words.tokens.get(np.head);
    // What was said at a meeting is kept in `the minutes`.
    let minutes = np.det == Det::The && np.name.len() == 1 && words.lower(np.head) == "minutes";
    let vague_head = head.is_none_or(|head| head.is(VAGUE | UNIT | INDEFINITE) && !head.is_capital());
    let one_letter =
        np.name.len() == 1 && head.is_some_and(|head| head.lower.chars().count() == 1 && head.shape != Shape::Number);
    vague_head && !minutes || one_letter
}
