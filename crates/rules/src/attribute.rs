//! `Ana's email is ...`, `the capital of France is ...`: what something of somebody is.

use crate::clause::Said;
use crate::complement::phrases;
use crate::copula::{Copula, value};
use crate::data::attributes;
use crate::data::words::{self, contains_word};
use crate::data::{names, nouns};
use crate::identity::{bare_title, in_role, is_former, kinship};
use crate::mention;
use crate::noun::{Det, Np, Owner, Place, Words};
use crate::time::{Relation, time_at};
use crate::token::Shape;
use um_model::belief::{CandidateObject, EntityType, Mention, ValueKind};
use um_model::predicates;

impl Copula<'_, '_> {
    /// `Ana's email is ...`, `the capital of France is ...`, `my brother is Leo`.
    pub(crate) fn attribute(&self, subject: &Np, at: usize, denied: bool, past: bool) -> (Vec<Said>, usize) {
        let none = (Vec::new(), at);
        let Some((noun, owner)) = self.parted(subject) else { return none };
        if let Some(kin) = nouns::kin_noun(&noun).filter(|_| !is_former(&noun)) {
            let (named, end) = self.name_at(at);
            return match named {
                Some(bearer) => (vec![kinship(bearer, &noun, kin, owner)], end),
                None => none,
            };
        }
        if nouns::are_kin(&noun) {
            return self.several(&noun, &owner, at).unwrap_or(none);
        }
        if nouns::is_role(&noun) && attributes::predicate(&noun).is_none() {
            let (named, end) = self.name_at(at);
            return match named {
                Some(bearer) => {
                    let of =
                        subject.name.clone().find(|at| self.words.any(*at, " of at ") && subject.owner == Owner::None);
                    let title = self.words.slice(subject.name.start..of.unwrap_or(subject.name.end));
                    (vec![in_role(bearer, &title, owner, subject.owner == Owner::Group)], end)
                }
                None => none,
            };
        }
        if let Some(end) = self.dialled(&noun, at).filter(|_| !past && !denied) {
            let text = self.words.slice(at..end);
            return (vec![Said::new(owner, "phone", value(text, ValueKind::Text), 0.9)], end);
        }
        if let Some((said, end)) = self.aim(&noun, &owner, at).filter(|_| !past) {
            return (vec![said], end);
        }
        let plain = subject.owner != Owner::Listener && !self.voices.talk;
        let other = || (plain && self.is_exact(at)).then(|| attributes::plain(&noun)).flatten();
        let Some(predicate) = attributes::predicate(&noun).or_else(other) else { return none };
        let known = predicates::lookup(&predicate).map(|found| found.predicate);
        let kind = known.map(|known| known.value).unwrap_or(Some(ValueKind::Text));
        if denied && kind.is_some() {
            return none;
        }
        match kind {
            Some(ValueKind::Date) => {
                let Some(time) = time_at(self.words, at, self.today).or_else(|| bare_date(self.words, at)) else {
                    return none;
                };
                let said = Said::new(owner, &predicate, value(time.text(self.words), ValueKind::Date), 0.95);
                (vec![said], time.end)
            }
            Some(kind) => {
                let yearly = noun.ends_with("anniversary") || noun.ends_with(" date");
                if let Some(time) = bare_date(self.words, at).filter(|_| yearly) {
                    let said = Said::new(owner, &predicate, value(time.text(self.words), ValueKind::Date), 0.9);
                    return (vec![said], time.end);
                }
                self.values(owner, &predicate, kind, at)
            }
            None => {
                let (objects, end) = phrases(self.words, at);
                if !self.ends(end) {
                    return none;
                }
                let definite = |np: &&Np| {
                    mention::is_proper(self.words, np) || np.det == Det::The && np.name.len() > 1 && !self.voices.talk
                };
                let objects = objects.iter().filter(definite).filter_map(|np| self.entity(np));
                (
                    objects
                        .map(|object| Said::new(owner.clone(), &predicate, CandidateObject::Entity(object), 0.9))
                        .collect(),
                    end,
                )
            }
        }
    }

    /// `my parents are Lena and Karl`, `my sisters are called Ana and Eva`
    fn several(&self, noun: &str, owner: &Mention, at: usize) -> Option<(Vec<Said>, usize)> {
        let kin = noun.strip_suffix('s').and_then(nouns::kin_noun).or_else(|| {
            let young = matches!(noun, "children" | "kids");
            young.then(|| nouns::kin_noun("child")).flatten()
        })?;
        let at = at + usize::from(self.words.any(at, " named called "));
        let (named, end) = phrases(self.words, at);
        let name = |np: &Np| mention::is_proper(self.words, np) && np.det == Det::None && np.owner == Owner::None;
        if named.len() < 2 || !named.iter().all(name) || !self.ends(end) {
            return None;
        }
        let bearers: Vec<Mention> = named.iter().filter_map(|np| self.entity(np)).collect();
        let said = bearers.into_iter().map(|bearer| kinship(bearer, kin.noun, kin, owner.clone())).collect();
        Some((said, end))
    }

    /// Where the number ends that one calls: `my new number is 555-0143`.
    pub(crate) fn dialled(&self, noun: &str, at: usize) -> Option<usize> {
        let bare = noun.trim_start_matches("new ").trim_start_matches("current ");
        let phones =
            contains_word(" number phone cell mobile landline hotline ", bare.rsplit(' ').next().unwrap_or(bare))
                && bare
                    .split(' ')
                    .all(|word| contains_word(" number phone cell mobile landline hotline work home office ", word));
        let mut end = at;
        while self.words.tokens.get(end).is_some_and(|token| {
            token.lower.chars().any(|c| c.is_ascii_digit())
                && token.lower.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | '/' | '.'))
        }) {
            end += 1;
        }
        let digits = self.words.slice(at..end).bytes().filter(u8::is_ascii_digit).count();
        (phones && (6..=16).contains(&digits) && self.ends(end)).then_some(end)
    }

    /// Whether what follows is a name, a number, a date, an address or words in quotes: a value, and no judgement.
    pub(crate) fn is_exact(&self, at: usize) -> bool {
        let Some(token) = self.words.tokens.get(at) else { return false };
        let money = crate::values::is_currency(&token.lower)
            && self.words.tokens.get(at + 1).is_some_and(|next| next.shape == Shape::Number);
        let plain = token.is_capital() && !token.is(words::CLOSED | words::ADVERB);
        // `amara_d`, `@amara`
        let coined = token.lower.contains(['_', '@']) || token.lower.chars().any(|c| c.is_ascii_digit());
        plain
            || coined
            || money
            || matches!(token.shape, Shape::Number | Shape::Link)
            || matches!(token.lower.as_str(), "\"" | "“")
    }

    /// `hiking is one of my favourite things`, `Dune is my favourite book`
    pub(crate) fn favourite(&self, subject: &Np, at: usize) -> Option<(Said, usize)> {
        let words = self.words;
        let one_of = words.lower(at) == "one" && words.lower(at + 1) == "of";
        let mine = at + if one_of { 2 } else { 0 };
        let adjective = mine + 1 + usize::from(words.any(mine + 1, " all-time absolute biggest "));
        let plain = words.any(adjective, " favorite favourite fave fav ");
        let plural = words.any(adjective, " favorites favourites faves hobbies passions ");
        let owner = match words.lower(mine) {
            "my" | "our" => self.voices.mention(),
            _ => return None,
        };
        let named = subject.name.clone().any(|at| words.tokens[at].is_word() && !words.is(at, words::CLOSED));
        let clear = !subject.pronoun
            && named
            && subject.det != Det::Pointing
            && matches!(subject.owner, Owner::None)
            && !mention::is_vague(words, subject);
        if !clear || !plain && !plural {
            return None;
        }
        let liked = value(mention::unquoted(&words.slice(subject.name.clone())), ValueKind::Text);
        let end = if plain {
            words.noun_phrase(adjective + 1, Place::Object).map_or(adjective + 1, |np| np.end)
        } else {
            adjective + 1
        };
        if !self.ends(end) {
            return None;
        }
        let noun = words.slice(adjective + 1..end).to_lowercase();
        let known =
            attributes::predicate(&format!("favorite {noun}")).filter(|_| plain && !one_of && end > adjective + 1);
        Some((Said::new(owner, known.as_deref().unwrap_or("likes"), liked, 0.85), end))
    }

    /// `my dream is to open a studio`
    pub(crate) fn aim(&self, noun: &str, owner: &Mention, at: usize) -> Option<(Said, usize)> {
        let aim = contains_word(" goal dream aim ambition ", noun.rsplit(' ').next().unwrap_or(noun));
        let verb = self.words.tokens.get(at + 1)?.verb?;
        if !aim || self.words.lower(at) != "to" || !verb.can_be(crate::data::verbs::BASE) {
            return None;
        }
        let end = crate::complement::doing(self.words, at + 1)
            .filter(|end| *end > at + 2 && self.ends(*end) && !self.words.any(*end, " and or "))?;
        Some((Said::new(owner.clone(), "goal", value(self.words.slice(at..end), ValueKind::Text), 0.8), end))
    }

    pub(crate) fn values(&self, owner: Mention, predicate: &str, kind: ValueKind, at: usize) -> (Vec<Said>, usize) {
        if predicate == "address"
            || predicate.ends_with("_address") && predicate != "ip_address" && predicate != "email_address"
        {
            let end = (at..self.words.tokens.len())
                .find(|at| self.words.any(*at, " . ! ; and but "))
                .unwrap_or(self.words.tokens.len());
            let digit = (at..end).any(|at| self.words.tokens[at].shape == Shape::Number);
            return if digit {
                (vec![Said::new(owner, predicate, value(self.words.slice(at..end), kind), 0.9)], end)
            } else {
                (Vec::new(), at)
            };
        }
        // `A negative`: no article.
        let blood = predicate == "blood_type" && self.words.any(at, " a b ab o ") && self.words.capital(at);
        if blood {
            let end = at + 1 + usize::from(self.words.any(at + 1, " positive negative "));
            return (vec![Said::new(owner, predicate, value(self.words.slice(at..end), kind), 0.9)], end);
        }
        if let Some(time) = time_at(self.words, at, self.today).filter(|_| predicate != "name") {
            let text = self.words.slice(time.value.clone());
            return (vec![Said::new(owner, predicate, value(text, kind), 0.85)], time.end);
        }
        let (objects, end) = phrases(self.words, at);
        if !self.ends(end) {
            return (Vec::new(), at);
        }
        let name = predicates::canonical(predicate).0;
        let said = objects.iter().filter_map(|np| {
            // `my favourite season is autumn`
            let vague = mention::is_vague(self.words, np)
                && !mention::is_proper(self.words, np)
                && !(predicate.starts_with("favorite_") && self.words.is(np.head, words::MONTH | words::UNIT));
            if np.pronoun || vague || !matches!(np.owner, Owner::None | Owner::Named(_)) || np.det == Det::Pointing {
                return None;
            }
            // A name begins with a capital, whatever else is said of it.
            if matches!(&*name, "name" | "full_name") && !self.words.capital(np.name.start) {
                return None;
            }
            let start = if np.owner == Owner::None { np.name.start } else { np.start };
            let text = self.words.slice(start..np.called.as_ref().map_or(np.name.end, |called| called.end));
            let digits =
                text.contains(|c: char| c.is_ascii_digit()) || crate::dates::count(&text.to_lowercase()).is_some();
            // `my phone is dead`
            let fits = match &*name {
                "phone" => text.bytes().filter(u8::is_ascii_digit).count() > 3,
                "email" => text.contains('@'),
                "website" => text.contains('.'),
                _ => kind != ValueKind::Number || digits,
            };
            fits.then(|| Said::new(owner.clone(), predicate, value(mention::unquoted(&text), kind), 0.9))
        });
        (said.collect(), end)
    }

    /// The noun of a subject that names a value or a relation, and its owner.
    pub(crate) fn parted(&self, np: &Np) -> Option<(String, Mention)> {
        if np.pronoun || np.called.is_some() {
            return None;
        }
        let noun = self.words.slice(np.name.clone()).to_lowercase();
        match &np.owner {
            Owner::Speaker => return Some((noun, self.voices.mention())),
            Owner::Group => return Some((noun, self.voices.mention())),
            Owner::Named(owner) => return Some((noun, self.entity(owner)?)),
            Owner::Pronoun(at) => return Some((noun, self.voices.resolve(self.words.lower(*at))?)),
            Owner::Listener => return None,
            Owner::None => {}
        }
        if let Some(found) = self.compound(np) {
            return Some(found);
        }
        let due = |at: usize| self.words.lower(at) == "on" && self.words.any(at - 1, " due balance ");
        let mut inner = np.name.clone().skip(1);
        // `the lead chemist at Novalis`
        let post = |at: usize| self.words.lower(at) == "at" && nouns::is_role(self.words.lower(at - 1));
        let of = inner.find(|at| self.words.any(*at, " of for ") || due(*at) || post(*at))?;
        let owner = self.words.noun_phrase(of + 1, Place::Object)?;
        let noun = self.words.slice(np.name.start..of).to_lowercase();
        if owner.end < np.name.end {
            return None;
        }
        // `the deadline for submissions`
        let bare = noun == "deadline" && self.words.lower(of) == "for";
        Some((noun, mention::entity(self.words, &owner, self.voices, bare)?))
    }

    /// `the project deadline`: the noun that names a value, and the thing before it.
    pub(crate) fn compound(&self, np: &Np) -> Option<(String, Mention)> {
        const LAST: &str = " deadline budget motto mascot headquarters capacity license licence owner author maintainer sponsor founder \
            total price version url subtotal hostname venue ";
        let last = self.words.lower(np.head);
        if np.det != Det::The || np.name.len() < 2 || np.head + 1 != np.name.end || !contains_word(LAST, last) {
            return None;
        }
        let inner = Np { end: np.head, name: np.name.start..np.head, head: np.head - 1, ..np.clone() };
        let vague = self.words.is(inner.head, words::ADJECTIVE | words::VAGUE | words::ADVERB)
            || self.words.any(inner.head, " latest newest current next final total default minimum maximum average ");
        (!vague).then(|| self.entity(&inner)).flatten().map(|owner| (last.to_owned(), owner))
    }

    /// `the new CEO is Ada Lind`
    pub(crate) fn office(&self, subject: &Np, at: usize) -> Option<(Said, usize)> {
        let noun = self.words.slice(subject.name.clone()).to_lowercase();
        let fits =
            subject.det == Det::The && subject.owner == Owner::None && !self.voices.talk && nouns::is_role(&noun);
        // `the name of the CEO`
        let named = noun.starts_with("name of ") || noun.starts_with("number of ") || noun.contains(" name of ");
        let fits = fits && !named && self.compound(subject).is_none();
        let (named, end) = if fits { self.name_at(at) } else { return None };
        let bearer = Mention { entity_type: EntityType::Person, ..named? };
        Some((Said::new(bearer, "job_title", value(bare_title(&noun).to_owned(), ValueKind::Text), 0.8), end))
    }

    /// A proper name behind the copula, if it is all that is said.
    pub(crate) fn name_at(&self, at: usize) -> (Option<Mention>, usize) {
        let at = at + usize::from(self.words.any(at, " named called "));
        let Some(np) = self.words.noun_phrase(at, Place::Object) else { return (None, at) };
        let nation = np.name.len() == 1
            && (contains_word(names::NATIONALITIES, self.words.lower(np.head))
                || names::is_language(self.words.lower(np.head)));
        let proper = mention::is_proper(self.words, &np) && np.det == Det::None && np.owner == Owner::None && !nation;
        if !proper || !self.ends(np.end) {
            return (None, at);
        }
        let named = self.entity(&np).map(|mention| Mention { entity_type: EntityType::Person, ..mention });
        (named, np.end)
    }
}

pub(crate) fn bare_date(words: &Words<'_>, at: usize) -> Option<crate::time::Time> {
    let (when, taken) = crate::dates::absolute(words.tokens.get(at..)?)?;
    Some(crate::time::Time {
        start: at,
        end: at + taken,
        value: at..at + taken,
        second: 0..0,
        relation: Relation::At,
        when: Some(when),
        then: None,
        relative: false,
    })
}
