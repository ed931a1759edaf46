//! Frames: which verb, with which complements, says which predicate.

use crate::verb::Voice;
use Object::{
    Bought, Business, Company, Date, DatedEvent, Destination, Event, Gain, Group, Holder, Injury, Language, Loss,
    Medicine, Name, Occasion, Organization, Own, Pastime, Person, Pet, Place, Prize, Rhythm, Schedule, School, Sold,
    Thing, Title, Value, Years,
};
use Voice::{Active, Copula, Passive};

/// What a frame's object must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Object {
    /// An entity of any type.
    Thing,
    /// Somebody.
    Person,
    /// A company, school, team.
    Organization,
    /// Somewhere.
    Place,
    /// Somewhere that one visits, known by its name or its kind.
    Destination,
    /// Something that is attended, known by its kind.
    Event,
    /// An animal, known by its kind.
    Pet,
    /// A book, film or piece, by its name.
    Title,
    /// An instrument, sport or game.
    Pastime,
    /// What lasts once it is bought, or was bought by its name on a day.
    Bought,
    /// A shop, a company, an office that somebody keeps.
    Business,
    /// A part of one's own body.
    Injury,
    /// Words that stand as a value, and may be the speaker's own.
    Own,
    /// A name in capitals.
    Name,
    /// A prize, by its name.
    Prize,
    /// A language.
    Language,
    /// A company by its bare name.
    Company,
    /// A number of years.
    Years,
    /// A company, club, class or group.
    Group,
    /// A school, by its name.
    School,
    /// What somebody had, theirs before.
    Sold,
    /// A medicine.
    Medicine,
    /// What is worth telling that one got it.
    Gain,
    /// What is worth telling that one lost it.
    Loss,
    /// Something that is attended, on a day that is named.
    DatedEvent,
    /// Words that stand as a value.
    Value,
    /// Somebody, or something that has a name.
    Holder,
    /// A rhythm alone.
    Rhythm,
    /// A date alone.
    Date,
    /// A date, an hour, or a rhythm.
    Schedule,
    /// Nothing but a date, which becomes the circumstance.
    Occasion,
}

/// Who or what a frame can be said of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// Somebody.
    Being,
    /// Anything that has a name or is pointed out.
    Any,
    /// Anything but somebody.
    System,
}

/// A frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    /// Base forms of the verbs; for the copula, the adjectives behind it.
    pub verbs: &'static str,
    /// How the verb is used.
    pub voice: Voice,
    /// The prepositions that lead to the object; none for a direct object.
    pub links: &'static str,
    /// What is said.
    pub predicate: &'static str,
    /// Of whom.
    pub who: Who,
    /// What the object must be.
    pub object: Object,
    /// What else holds.
    pub flags: u16,
}

/// Object and subject change places.
pub(crate) const SWAP: u16 = 1;
/// The verb denies: `left`, `quit`.
pub(crate) const DENY: u16 = 2;
/// Something that happened: only in the past, dated by `at`.
pub(crate) const EVENT: u16 = 4;
/// `we` says it of the speaker, too.
pub(crate) const WE: u16 = 8;
/// Said of the future as well as of now.
pub(crate) const FUTURE: u16 = 16;
/// The object's own phrases (`for`, `about`, `on`) belong to it.
pub(crate) const WIDE: u16 = 32;
/// In the past it is over: `worked at`, `lived in` say that it was so.
pub(crate) const STATE: u16 = 64;
/// A bare common noun may be its subject: `Rent is due on Friday`.
pub(crate) const BARE: u16 = 128;
/// Said of the present alone.
pub(crate) const NOW: u16 = 2048;
/// Counts only where no frame before it does.
pub(crate) const LONE: u16 = 1024;
/// The date is the one on which a lasting state begins.
pub(crate) const BEGIN: u16 = 512;
/// Objects in the plural or of kinds may stand: likes, eats.
pub(crate) const KINDS: u16 = 256;

const fn frame(
    verbs: &'static str,
    voice: Voice,
    links: &'static str,
    predicate: &'static str,
    who: Who,
    object: Object,
    flags: u16,
) -> Frame {
    Frame { verbs, voice, links, predicate, who, object, flags }
}

use Who::{Any, Being, System};

/// Every frame. Of those that fit a clause, the first counts.
#[rustfmt::skip]
pub(crate) const FRAMES: &[Frame] = &[
    // Work.
    frame("work", Active, "at for", "works_at", Being, Organization, STATE | WE),
    frame("work", Active, "as", "job_title", Being, Value, STATE | LONE),
    frame("serve act", Active, "as", "job_title", Being, Value, STATE | LONE),
    frame("step resign retire", Active, "as", "job_title", Being, Value, DENY | EVENT),
    frame("work", Active, "on", "works_on", Being, Name, 0),
    frame("work", Active, "with", "colleague_of", Being, Person, STATE),
    frame("employ", Passive, "by at", "works_at", Being, Organization, STATE),
    frame("employ", Active, "", "works_at", System, Person, SWAP | STATE),
    frame("hire", Active, "", "works_at", System, Person, SWAP | EVENT | BEGIN),
    frame("hire", Passive, "by at", "works_at", Being, Organization, EVENT | BEGIN),
    frame("intern", Active, "at", "works_at", Being, Organization, STATE),
    frame("join", Active, "", "member_of", Being, Group, EVENT | WE | BEGIN),
    frame("start begin", Active, "at", "works_at", Being, Organization, EVENT | BEGIN | LONE),
    frame("leave quit", Active, "", "works_at", Being, Organization, DENY | EVENT),
    frame("resign", Active, "from", "works_at", Being, Organization, DENY | EVENT),
    frame("fire dismiss", Passive, "from by", "works_at", Being, Organization, DENY | EVENT),
    frame("lay", Passive, "by from", "works_at", Being, Organization, DENY | EVENT),
    frame("serve sit", Active, "on", "member_of", Being, Group, STATE),
    frame("chair", Active, "", "organizes", Being, Group, STATE),
    frame("volunteer", Active, "at with for", "volunteers_at", Being, Organization, STATE | WE | KINDS),
    frame("supervise", Active, "", "supervises", Being, Person, STATE),
    frame("report", Active, "to", "reports_to", Being, Person, STATE),
    frame("manage lead head oversee", Active, "", "manages", Being, Thing, STATE),
    frame("manage lead head run oversee", Passive, "by", "managed_by", Any, Person, 0),
    frame("found co-found establish cofound", Active, "", "founded", Being, Organization, EVENT | WE),
    frame("found co-found establish cofound", Passive, "by", "founded_by", Any, Person, 0),
    frame("invest", Active, "in", "invested_in", Any, Organization, EVENT),
    // Where.
    frame("live reside", Active, "in at near", "lives_in", Being, Place, STATE | WE),
    frame("move relocate", Active, "to", "lives_in", Being, Place, EVENT | WE | BEGIN),
    frame("move relocate", Active, "to", "located_in", System, Place, EVENT | BEGIN),
    frame("move", Active, "of", "lives_in", Being, Place, DENY | EVENT | WE),
    frame("grow", Active, "in", "comes_from", Being, Place, EVENT | WE),
    frame("bear", Passive, "in", "born_in", Being, Place, EVENT),
    frame("bear", Passive, "on", "birthday", Being, Date, EVENT),
    frame("raise", Passive, "in", "comes_from", Being, Place, EVENT),
    frame("come hail originate", Active, "from", "comes_from", Being, Place, 0),
    frame("locate base situate headquarter house", Passive, "in at near on", "located_in", Any, Place, STATE),
    frame("store keep", Passive, "in at on", "located_in", Any, Place, BARE),
    frame("sit stand lie hang", Active, "in on at", "located_in", System, Name, STATE),
    frame("sit stand lie hang", Active, "in on at", "located_in", System, Place, LONE | NOW),
    // School.
    frame("study", Active, "at", "studied_at", Being, Organization, 0),
    frame("study", Active, "", "studies", Being, Value, 0),
    frame("major", Active, "in", "studies", Being, Value, 0),
    frame("go", Active, "to", "studied_at", Being, School, NOW),
    frame("attend", Active, "", "studied_at", Being, School, NOW),
    frame("graduate", Active, "from", "graduated_from", Being, Organization, EVENT),
    frame("enroll", Passive, "at in", "studied_at", Being, Organization, 0),
    frame("teach", Active, "at", "teaches_at", Being, Organization, STATE),
    frame("teach", Active, "", "teaches", Being, Value, NOW),
    // Family and friends.
    frame("marry wed", Active, "", "married_to", Being, Person, EVENT | BEGIN),
    frame("marry", Passive, "to", "married_to", Being, Person, STATE | BEGIN),
    frame("divorce", Active, "", "divorced_from", Being, Person, EVENT),
    frame("divorce", Passive, "from", "divorced_from", Being, Person, 0),
    frame("engage", Passive, "to", "engaged_to", Being, Person, STATE | BEGIN),
    frame("date", Active, "", "partner_of", Being, Person, STATE),
    frame("mentor coach tutor", Active, "", "mentors", Being, Person, STATE),
    frame("mentor coach tutor", Passive, "by", "mentored_by", Being, Person, 0),
    frame("supervise", Passive, "by", "supervised_by", Being, Person, 0),
    frame("live", Active, "with", "roommate_of", Being, Person, STATE | LONE),
    frame("live", Active, "next", "neighbor_of", Being, Person, STATE | LONE),
    frame("know", Passive, "as", "name", Being, Name, NOW),
    frame("go", Active, "by", "name", Being, Name, NOW),
    frame("adopt get buy rescue", Active, "", "has_pet", Being, Pet, EVENT | WE),
    frame("name", Passive, "after", "named_after", Any, Name, 0),
    // Things.
    frame("own", Active, "", "owns", Any, Thing, STATE | WE),
    frame("own", Passive, "by", "owned_by", Any, Thing, 0),
    frame("belong", Active, "to", "owned_by", Any, Holder, 0),
    frame("belong", Active, "to", "member_of", Being, Group, LONE | NOW),
    frame("drive", Active, "", "owns", Being, Thing, STATE),
    frame("buy", Active, "", "acquired", System, Company, EVENT),
    frame("sell", Active, "", "owns", Being, Sold, DENY | EVENT | WE),
    frame("buy purchase", Active, "", "bought", Being, Bought, EVENT | WE),
    frame("acquire", Active, "", "acquired", Any, Organization, EVENT),
    frame("acquire buy", Passive, "by", "acquired_by", Any, Organization, EVENT),
    frame("merge", Active, "with", "merged_with", Any, Organization, EVENT),
    // Works.
    frame("write author draft", Passive, "by", "written_by", Any, Person, 0),
    frame("write author draft", Active, "", "wrote", Being, Thing, EVENT),
    frame("review proofread", Passive, "by", "reviewed_by", Any, Person, 0),
    frame("review", Active, "", "reviewed", Being, Thing, EVENT),
    frame("approve authorize", Passive, "by", "approved_by", Any, Person, 0),
    frame("approve authorize", Passive, "by", "approved_by", Any, Group, 0),
    frame("approve", Active, "", "approved", Being, Thing, EVENT),
    frame("sign", Passive, "by", "signed_by", Any, Person, 0),
    frame("sign", Active, "", "signed", Being, Thing, EVENT),
    frame("direct", Passive, "by", "directed_by", Any, Person, 0),
    frame("direct", Active, "", "directed", Being, Thing, EVENT),
    frame("publish release", Passive, "by", "published_by", Any, Thing, 0),
    frame("maintain", Passive, "by", "maintained_by", Any, Thing, 0),
    frame("maintain", Active, "", "maintains", Any, Thing, STATE),
    frame("translate", Passive, "by", "translated_by", Any, Person, 0),
    frame("install", Passive, "by", "installed_by", Any, Thing, 0),
    frame("assign", Passive, "to", "assigned_to", Any, Person, 0),
    frame("design develop build create make invent compose paint produce manufacture", Passive, "by", "created_by", Any, Thing, 0),
    frame("design develop create invent compose build paint sculpt draw film record", Active, "", "created", Being, Thing, EVENT),
    frame("perform sing", Passive, "by", "performed_by", Any, Thing, 0),
    frame("organize organise host chair", Passive, "by", "organized_by", Any, Thing, 0),
    frame("organize organise host chair hold", Active, "", "organizes", Being, Event, EVENT | WIDE),
    frame("sponsor fund finance", Passive, "by", "sponsored_by", Any, Thing, 0),
    frame("sponsor fund finance", Active, "", "sponsors", Any, Thing, STATE),
    frame("provide supply", Passive, "by", "provided_by", Any, Thing, 0),
    // Software and systems.
    frame("run", Active, "on", "hosted_on", Any, Thing, STATE),
    frame("host deploy", Passive, "in", "located_in", Any, Place, 0),
    frame("host deploy", Passive, "on at in by with to", "hosted_on", Any, Thing, 0),
    frame("license", Passive, "under", "license", Any, Name, 0),
    frame("run occur", Active, "", "scheduled_at", System, Rhythm, BARE),
    frame("run", Active, "", "attended", Being, Event, EVENT | WE | WIDE),
    frame("run operate", Active, "", "runs", Being, Business, STATE | WE),
    frame("run operate", Active, "", "runs", System, Thing, STATE),
    frame("use utilize utilise", Active, "", "uses", Any, Thing, STATE | WE),
    frame("require need", Active, "", "requires", System, Thing, STATE),
    frame("depend rely", Active, "on upon", "depends_on", Any, Thing, STATE),
    frame("support", Active, "", "supports", Any, Name, STATE),
    frame("support", Active, "", "supports", System, Thing, LONE | NOW),
    frame("connect", Active, "to", "connects_to", Any, Thing, STATE),
    frame("talk", Active, "to", "connects_to", System, Thing, NOW),
    frame("integrate", Active, "with", "connects_to", Any, Thing, STATE),
    frame("write code program implement develop", Passive, "in", "uses", Any, Name, 0),
    frame("build", Passive, "on with", "uses", Any, Name, 0),
    frame("power", Passive, "by", "uses", Any, Thing, 0),
    frame("succeed", Active, "", "replaced", Being, Person, EVENT),
    frame("replace supersede", Active, "", "replaced", Any, Thing, EVENT),
    frame("replace supersede", Active, "", "replaced", System, Thing, NOW),
    frame("replace supersede", Passive, "by with", "replaced_by", Any, Thing, 0),
    // When.
    frame("ship launch release", Active, "", "ships_on", Any, Occasion, FUTURE),
    frame("ship launch release", Passive, "", "ships_on", Any, Occasion, FUTURE),
    frame("issue", Passive, "", "date", System, Occasion, 0),
    frame("renew", Active, "", "renews_on", Any, Occasion, FUTURE | BARE),
    frame("pay settle", Passive, "", "paid_on", Any, Occasion, 0),
    frame("expire", Active, "", "expires_on", Any, Occasion, FUTURE | BARE),
    frame("start begin commence", Active, "", "starts_on", Any, Schedule, FUTURE | BARE),
    frame("end finish conclude", Active, "", "ends_on", Any, Schedule, FUTURE | BARE),
    frame("run last", Active, "", "ends_on", System, Occasion, FUTURE | BARE),
    frame("open reopen", Active, "", "opens_at", Any, Schedule, FUTURE | BARE),
    frame("close", Active, "", "closes_at", Any, Schedule, FUTURE | BARE),
    frame("leave depart", Active, "", "departs_at", Any, Schedule, FUTURE),
    frame("arrive land", Active, "", "arrives_at", Any, Schedule, FUTURE),
    frame("schedule plan set book", Passive, "for", "scheduled_at", Any, Schedule, BARE),
    frame("postpone move push reschedule delay shift", Passive, "to until till", "scheduled_at", Any, Schedule, 0),
    frame("move", Active, "to", "scheduled_at", Any, Schedule, EVENT),
    frame("meet", Active, "", "scheduled_at", Any, Schedule, BARE),
    frame("hold", Passive, "", "scheduled_at", Any, Schedule, FUTURE | BARE),
    frame("occur happen", Active, "", "scheduled_at", Any, Schedule, FUTURE | BARE),
    frame("occur", Active, "in at", "located_in", System, Name, FUTURE | BARE),
    frame("hold", Passive, "in at", "located_in", System, Name, FUTURE | BARE),
    frame("include comprise", Active, "", "includes", System, Name, NOW),
    frame("collect clean water empty deliver update back serve publish send feed rotate refresh sync", Passive, "", "scheduled_at", System, Rhythm, BARE),
    // Money.
    frame("cost", Active, "", "price", Any, Value, STATE | BARE),
    // What somebody can and likes.
    frame("speak", Active, "", "language", Being, Language, STATE),
    frame("eat", Active, "", "eats", Being, Value, KINDS),
    frame("drink", Active, "", "drinks", Being, Value, KINDS),
    frame("play", Active, "", "plays", Being, Pastime, STATE),
    frame("practise practice", Active, "", "practices", Being, Pastime, NOW),
    frame("play sing", Active, "in with", "member_of", Being, Group, STATE | LONE | NOW),
    frame("play", Active, "for", "member_of", Being, Name, STATE),
    frame("turn", Active, "", "age", Being, Years, EVENT),
    frame("prefer", Active, "", "prefers", Being, Value, KINDS),
    frame("like love enjoy adore", Active, "", "likes", Being, Value, KINDS),
    frame("hate dislike detest loathe", Active, "", "dislikes", Being, Value, KINDS),
    frame("take", Active, "", "medication", Being, Medicine, NOW),
    frame("diagnose", Passive, "with", "health_condition", Being, Value, EVENT),
    frame("suffer", Active, "from", "health_condition", Being, Value, 0),
    // What happened.
    frame("die", Active, "", "died", Being, Occasion, EVENT),
    frame("retire", Active, "", "retired", Being, Occasion, EVENT),
    frame("visit", Active, "", "visited", Being, Destination, EVENT | WE),
    frame("go travel fly", Active, "to", "visited", Being, Destination, EVENT | WE),
    frame("attend", Passive, "by", "attended_by", Any, Person, 0),
    frame("attend", Active, "", "attended", Being, Event, EVENT | WE | WIDE),
    frame("go", Active, "to", "attended", Being, Event, EVENT | WE | WIDE),
    frame("participate", Active, "in", "attended", Being, Event, EVENT | WE | WIDE),
    frame("receive", Active, "", "won", Being, Prize, EVENT),
    frame("award", Passive, "", "won", Being, Prize, EVENT),
    frame("win", Active, "", "won", Being, Value, EVENT | WIDE),
    frame("adopt", Active, "", "adopted", Being, Value, EVENT | WE),
    frame("break hurt sprain injure twist", Active, "", "injured", Being, Injury, EVENT),
    frame("lose", Active, "", "lost", Being, Loss, EVENT | WE | WIDE),
    frame("finish complete", Active, "", "finished", Being, Own, EVENT | WIDE),
    frame("start open launch begin", Active, "", "started", Being, Own, EVENT | WIDE),
    frame("read", Active, "", "read", Being, Title, EVENT),
    frame("read", Active, "", "reads", Being, Title, NOW),
    frame("perform play sing", Active, "at in", "performed_at", Being, Event, EVENT | WE),
    frame("get receive earn land", Active, "", "received", Being, Gain, EVENT | WE | WIDE),
    frame("take", Active, "", "attended", Being, Event, EVENT | WE | WIDE),
    frame("do", Active, "", "attended", Being, Event, EVENT | WE | WIDE),
    frame("have", Active, "", "attended", Being, DatedEvent, EVENT | WE | WIDE),
    frame("learn", Active, "", "studies", Being, Value, 0),
    frame("meet", Active, "", "knows", Being, Person, EVENT | WE),
    // What somebody is.
    frame("allergic intolerant", Copula, "to", "allergy", Being, Value, KINDS),
    frame("fluent", Copula, "in", "language", Being, Language, 0),
    frame("friends", Copula, "with", "friend_of", Being, Person, 0),
    frame("fond", Copula, "of", "likes", Being, Value, KINDS),
    frame("passionate crazy", Copula, "about", "likes", Being, Value, KINDS),
    frame("interested", Copula, "in", "likes", Being, Value, KINDS),
    frame("obsessed", Copula, "with", "likes", Being, Value, KINDS),
    frame("responsible", Copula, "for", "manages", Being, Thing, 0),
    frame("open", Copula, "", "opens_at", System, Rhythm, 0),
    frame("close", Passive, "", "closes_at", System, Rhythm, 0),
    frame("closed", Copula, "", "closes_at", System, Rhythm, 0),
    frame("valid", Copula, "", "expires_on", Any, Occasion, BARE),
    frame("due", Copula, "", "deadline", Any, Occasion, BARE | FUTURE),
    frame("dependent reliant", Copula, "on", "depends_on", Any, Thing, 0),
];

/// The frames of a verb, or of an adjective behind the copula.
pub(crate) fn frames_of(verb: &str, voice: Voice) -> impl Iterator<Item = &'static Frame> + use<'_> {
    FRAMES.iter().filter(move |frame| frame.voice == voice && super::words::contains_word(frame.verbs, verb))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_name_known_verbs_and_predicates() {
        for frame in FRAMES {
            assert!(um_model::predicates::lookup(frame.predicate).is_some(), "{} is in no table", frame.predicate);
            // `found` alone is read as the past of `find`; `founded` is not.
            for verb in frame.verbs.split(' ').filter(|verb| frame.voice != Copula && *verb != "found") {
                let known = crate::data::verbs::form(verb).is_some_and(|form| form.can_be(crate::data::verbs::BASE));
                assert!(known, "{verb} is no known verb");
            }
        }
    }
}
