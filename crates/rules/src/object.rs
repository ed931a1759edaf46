//! Objects: which noun phrase behind a verb a frame takes, and as what.

mod kind;

use crate::complement::{Complement, Part};
use crate::data::frames::{Frame, KINDS, Object, WIDE};
use crate::data::names;
use crate::data::words::{self, contains_word};
use crate::mention::{self, Voices};
use crate::noun::{Det, Np, Owner, Words};
use crate::time::Relation;
use crate::verb::{Tense, VerbGroup};
use um_model::belief::{CandidateObject, EntityType, ValueKind};
use um_model::predicates;

/// What is needed to judge a frame's object.
#[derive(Clone, Copy)]
pub(crate) struct Objects<'a, 't> {
    /// The sentence.
    pub words: &'a Words<'t>,
    /// The frame.
    pub frame: &'static Frame,
    /// Its verb.
    pub verb: &'a VerbGroup,
    /// What follows the verb.
    pub follows: &'a Complement,
    /// Who speaks.
    pub voices: &'a Voices<'t>,
}

impl<'a> Objects<'a, '_> {
    /// The phrases that the frame wants as objects, and the part in which they stand.
    pub(crate) fn phrases(&self) -> Option<(usize, &'a Vec<Np>)> {
        let follows = self.follows;
        follows.parts.iter().enumerate().find_map(|(at, part)| match part {
            Part::Object(phrases) if self.frame.links.is_empty() => Some((at, phrases)),
            Part::Linked(link, phrases) if !self.frame.links.is_empty() && self.words.any(*link, self.frame.links) => {
                Some((at, phrases))
            }
            _ => None,
        })
    }

    /// Whether something stands behind one of these prepositions.
    pub(crate) fn any_linked(&self, links: &'static str) -> bool {
        self.follows.parts.iter().any(|part| matches!(part, Part::Linked(link, _) if self.words.any(*link, links)))
    }

    /// What the phrases of a part give, each by itself.
    pub(crate) fn all(&self, part: usize, phrases: &[Np]) -> Vec<CandidateObject> {
        // In `action and sci-fi movies` the first word may belong to the last; only the last is sure.
        let shared = |at: usize| {
            let (np, last) = (&phrases[at], &phrases[phrases.len() - 1]);
            let plain = np.name.len() == 1
                && !np.gerund
                && !self.words.capital(np.name.start)
                && !self.words.lower(np.head).ends_with('s');
            plain
                && last.name.len() > 1
                && at + 1 < phrases.len()
                && self.words.lower(last.head).ends_with('s')
                && !self.words.is(last.name.start, words::ADJECTIVE)
                && !last.gerund
        };
        // Of `Rome or Milan` nobody knows which; what somebody does not eat is neither.
        let denied = self.verb.negated || self.verb.ended;
        let either = phrases.windows(2).any(|pair| (pair[0].end..pair[1].start).any(|at| self.words.lower(at) == "or"));
        if either && !denied || self.is_half(phrases) {
            return Vec::new();
        }
        (0..phrases.len()).filter(|at| !shared(*at)).filter_map(|at| self.one(&phrases[at], part)).collect()
    }

    /// Whether something stands beside what somebody likes that is not kept, and without which it says something else:
    /// `veterans and their rights`, `fashion trends and finding unique pieces`.
    fn is_half(&self, phrases: &[Np]) -> bool {
        let kinds = self.frame.flags & KINDS != 0 && !self.verb.negated && !self.verb.ended;
        let pointing = |np: &Np| matches!(np.owner, Owner::Listener | Owner::Pronoun(_) | Owner::Group);
        let end = self.follows.end;
        let more = self.words.any(end, " and , ")
            && self.words.can_ing(end + 1 + usize::from(self.words.lower(end + 1) == "and"));
        kinds && (phrases.iter().any(pointing) || more && !phrases.iter().any(|np| np.gerund))
    }

    /// What one phrase gives.
    pub(crate) fn one(&self, np: &Np, part: usize) -> Option<CandidateObject> {
        let words = self.words;
        // `this cute pup` brings in a new one.
        let shown = np.called.is_some() || self.frame.object == Object::Pet;
        if np.owner == Owner::Listener || np.det == Det::Pointing && !shown {
            return None;
        }
        let proper = mention::is_proper(words, np);
        let head = words.lower(np.head);
        if mention::is_vague(words, np) && !proper && np.called.is_none() && !np.pronoun && !np.gerund {
            return None;
        }
        // `an amazing and emotional wedding ceremony` is a wedding ceremony, and `a crazy game` says nothing.
        let plain = self.unjudged(np);
        let judged = plain != np.name.start && plain + 1 >= np.name.end && np.called.is_none();
        if judged && self.frame.object != Object::Pet {
            return None;
        }
        let text = match &np.called {
            Some(called) if self.frame.object != Object::Pet => words.slice(called.clone()),
            _ if self.frame.object == Object::Language && names::is_language(head) => words.slice(np.head..np.head + 1),
            _ => self.text(np, part)?,
        };
        let value = predicates::lookup(self.frame.predicate).and_then(|found| found.predicate.value);
        let taste = matches!(self.frame.predicate, "likes" | "dislikes");
        if taste && !self.is_taste(np, proper) || np.gerund && value.is_none() || !self.is_kind(np, proper, &text) {
            return None;
        }
        match value {
            Some(kind) => self.value(np, text, kind),
            None => self.entity(np, text),
        }
    }

    /// `14 Mill Lane`
    fn is_house(&self, np: &Np) -> bool {
        np.det == Det::None
            && self.words.tokens[np.name.start].shape == crate::token::Shape::Number
            && (np.name.start + 1..np.name.end).any(|at| self.words.capital(at))
    }

    /// Where the name of an event begins behind what the speaker thinks of it.
    fn unjudged(&self, np: &Np) -> usize {
        const JUDGING: &str = " amazing awesome awful beautiful best brilliant cool crazy emotional excellent exciting fantastic fun funny \
            good gorgeous great incredible inspiring intense interesting lovely nice perfect powerful special super terrible \
            unforgettable wonderful adorable cute sweet little ";
        let event =
            matches!(self.frame.object, Object::Event | Object::DatedEvent | Object::Pet) && np.owner == Owner::None;
        let mut start = np.name.start;
        while event && start + 1 < np.name.end {
            if self.words.any(start, JUDGING) && !self.words.capital(start) {
                start += 1 + usize::from(self.words.any(start + 1, " and , "));
            } else {
                break;
            }
        }
        start.min(np.name.end - 1)
    }

    fn dated(&self) -> bool {
        self.follows.parts.iter().any(|part| matches!(part, Part::Time(time) if time.when.is_some()))
    }

    /// What somebody likes is a kind of thing or something that has a name, now and not once.
    fn is_taste(&self, np: &Np, proper: bool) -> bool {
        let words = self.words;
        let titled = proper || words.tokens[np.name.start].shape == crate::token::Shape::Mark;
        let once = self.verb.tense == Tense::Past && !self.verb.ended;
        if self.verb.progressive || once && !titled || np.pronoun {
            return false;
        }
        let restricted = words.is(self.follows.end, words::RELATIVE)
            || words.any(self.follows.end, " when if that where how whenever while ");
        let outdoors = words.any(np.head, " outdoors ocean beach mountains sea countryside piano guitar violin cello ")
            && np.det == Det::The
            && np.name.len() == 1;
        let free = np.owner == Owner::None && (np.det == Det::None || outdoors) || titled && np.det != Det::Indefinite;
        let empty = np.gerund
            && np.name.len() == 1
            && words.any(
                np.head,
                " playing doing going being having making getting trying seeing working learning exploring helping ",
            );
        // `making a positive impact` is everybody's.
        let empty =
            empty || np.gerund && words.any(np.name.end - 1, " impact difference progress memories things people ");
        // In talk, `learning about different cultures` is liked by everybody.
        let common = self.voices.talk
            && np.gerund
            && (words.any(
                np.head,
                " helping improving finding discovering experimenting sinking supporting sharing connecting talking ",
            ) || np.name.clone().any(|at| words.any(at, " different new various other own ")));
        free && !empty && !common && !restricted && (np.gerund || proper || !words.is(np.head, words::ADJECTIVE))
    }

    /// The object's words; where the frame lets its phrases belong to it, with them. None where one of those points at
    /// what is not named, and the words without it would say too much.
    fn text(&self, np: &Np, part: usize) -> Option<String> {
        let kinds = self.frame.flags & KINDS != 0 && !np.gerund;
        let wide = self.frame.flags & WIDE != 0;
        let mut end = np.name.end;
        // `12 Birch Lane, Graz`
        if self.frame.object == Object::Place && self.is_house(np) && self.words.lower(end) == "," {
            while self.words.capital(end + 1) {
                end = self.words.noun_phrase(end + 1, crate::noun::Place::Object).map_or(end, |town| town.end);
                if self.words.lower(end) != "," {
                    break;
                }
            }
        }
        // `prefers working in the morning`
        if self.frame.predicate == "prefers"
            && let Some(Part::Time(time)) = self.follows.parts.get(part + 1)
            && time.start == end
            && time.relation == Relation::Schedule
        {
            end = time.end;
        }
        // `a village near Cork` is not any village.
        if self.frame.object == Object::Place
            && np.det == Det::Indefinite
            && let Some(Part::Linked(link, phrases)) = self.follows.parts.get(part + 1)
            && let [by] = &phrases[..]
            && *link == end
            && self.words.any(*link, " near outside by above below behind in on at between ")
            && (mention::is_proper(self.words, by) || by.det == Det::The && !mention::is_vague(self.words, by))
        {
            end = by.name.end;
        }
        if (kinds || wide) && np.called.is_none() && !np.pronoun {
            for part in &self.follows.parts[part + 1..] {
                let Part::Linked(link, phrases) = part else { break };
                let links = match self.frame.predicate {
                    "lost" => " at as of ",
                    "won" => " for about on of with from in at ",
                    _ if kinds => " for about on of with from in at ",
                    _ => " for about on of with from ",
                };
                // `a toy drive for kids in need`
                let state = |np: &Np| np.det == Det::None && np.name.len() == 1 && !self.words.capital(np.head);
                let within = self.words.lower(*link) == "in" && end > np.name.end && phrases.iter().all(state);
                if *link != end || !within && !self.words.any(*link, links) {
                    break;
                }
                let inner = &phrases[phrases.len() - 1];
                let unclear = inner.pronoun
                    || matches!(inner.owner, Owner::Listener | Owner::Pronoun(_))
                    || inner.det == Det::Pointing;
                if unclear {
                    if kinds {
                        return None;
                    }
                    break;
                }
                end = inner.end;
            }
        }
        // Who is allergic to most reptiles is not so to every one.
        let most = kinds && np.det == Det::Quantity && self.words.any(np.start, " most many several few ");
        let start = if most { np.start } else { self.unjudged(np) };
        Some(self.words.slice(start..end))
    }

    fn value(&self, np: &Np, text: String, kind: ValueKind) -> Option<CandidateObject> {
        let own = match self.frame.object {
            Object::Injury => matches!(np.owner, Owner::Speaker | Owner::Pronoun(_)),
            Object::Own | Object::Loss => np.owner == Owner::Speaker,
            // `won my second tournament`
            Object::Value if self.frame.predicate == "won" => np.owner == Owner::Speaker && text.contains(' '),
            _ => false,
        };
        let owned = np.owner != Owner::None && !own;
        // `costs a fortune`
        if kind == ValueKind::Number
            && !text.contains(|c: char| c.is_ascii_digit())
            && crate::dates::count(&text.to_lowercase()).is_none()
        {
            return None;
        }
        if np.pronoun || owned || np.det == Det::Quantity && self.voices.talk && self.words.any(np.start, " no any ") {
            return None;
        }
        Some(CandidateObject::Value { text: mention::unquoted(&text), kind })
    }

    fn entity(&self, np: &Np, text: String) -> Option<CandidateObject> {
        // `on every push`: none of them by itself.
        if np.det == Det::Quantity && self.words.any(np.start, " every each any ") {
            return None;
        }
        let sold = self.frame.object == Object::Sold;
        let mut mention = if np.pronoun || np.called.is_some() || np.owner != Owner::None && !sold {
            mention::entity(self.words, np, self.voices, true)?
        } else {
            let free = Np { det: Det::None, owner: Owner::None, ..np.clone() };
            let mut mention = mention::entity(self.words, &free, self.voices, true)?;
            mention.name = mention::unquoted(&text);
            mention
        };
        mention.entity_type = match self.frame.object {
            Object::Person => EntityType::Person,
            Object::Organization => EntityType::Organization,
            Object::Place | Object::Destination => EntityType::Location,
            _ => mention.entity_type,
        };
        Some(CandidateObject::Entity(mention))
    }
}

/// Nouns that say little unless something stands before them.
fn weak(head: &str, modified: bool) -> bool {
    const ALWAYS: &str = " project projects game games trophy role part prize job work business hand care advantage instrument language skill question place ";
    !modified && (contains_word(ALWAYS, head) || contains_word(" event events thing things ", head))
}
