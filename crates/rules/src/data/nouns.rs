//! Nouns that the rules treat in a way of their own.

use super::words::contains_word;
use um_model::belief::EntityType;

/// A noun for somebody by their relation to another: the bearer stands to the owner in `predicate`, or the owner
/// to the bearer where `inverted`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kin {
    /// The noun in the singular.
    pub noun: &'static str,
    /// The relation.
    pub predicate: &'static str,
    /// Whether the owner is its subject.
    pub inverted: bool,
    /// A woman, a man, or either.
    pub woman: Option<bool>,
}

const fn kin(noun: &'static str, predicate: &'static str, inverted: bool, woman: Option<bool>) -> Kin {
    Kin { noun, predicate, inverted, woman }
}

const SHE: Option<bool> = Some(true);
const HE: Option<bool> = Some(false);

/// Relations between people.
#[rustfmt::skip]
const KIN: &[Kin] = &[
    kin("mother", "parent_of", false, SHE), kin("mom", "parent_of", false, SHE), kin("mum", "parent_of", false, SHE),
    kin("father", "parent_of", false, HE), kin("dad", "parent_of", false, HE), kin("parent", "parent_of", false, None),
    kin("son", "parent_of", true, HE), kin("daughter", "parent_of", true, SHE), kin("child", "parent_of", true, None),
    kin("stepfather", "parent_of", false, HE), kin("stepmother", "parent_of", false, SHE), kin("stepdad", "parent_of", false, HE),
    kin("stepmom", "parent_of", false, SHE), kin("daddy", "parent_of", false, HE), kin("mommy", "parent_of", false, SHE),
    kin("stepsister", "sibling_of", false, SHE), kin("stepbrother", "sibling_of", false, HE),
    kin("grandchild", "grandparent_of", true, None), kin("grandparent", "grandparent_of", false, None),
    kin("stepson", "parent_of", true, HE), kin("stepdaughter", "parent_of", true, SHE),
    kin("sister", "sibling_of", false, SHE), kin("brother", "sibling_of", false, HE), kin("sibling", "sibling_of", false, None),
    kin("twin", "sibling_of", false, None), kin("half-sister", "sibling_of", false, SHE), kin("half-brother", "sibling_of", false, HE),
    kin("wife", "married_to", false, SHE), kin("husband", "married_to", false, HE), kin("spouse", "married_to", false, None),
    kin("girlfriend", "partner_of", false, SHE), kin("boyfriend", "partner_of", false, HE), kin("partner", "partner_of", false, None),
    kin("fiancé", "engaged_to", false, HE), kin("fiancée", "engaged_to", false, SHE), kin("fiance", "engaged_to", false, None),
    kin("ex-wife", "divorced_from", false, SHE), kin("ex-husband", "divorced_from", false, HE),
    kin("grandmother", "grandparent_of", false, SHE), kin("grandma", "grandparent_of", false, SHE),
    kin("grandfather", "grandparent_of", false, HE), kin("grandpa", "grandparent_of", false, HE),
    kin("grandson", "grandparent_of", true, HE), kin("granddaughter", "grandparent_of", true, SHE),
    kin("aunt", "aunt_or_uncle_of", false, SHE), kin("auntie", "aunt_or_uncle_of", false, SHE), kin("uncle", "aunt_or_uncle_of", false, HE),
    kin("niece", "aunt_or_uncle_of", true, SHE), kin("nephew", "aunt_or_uncle_of", true, HE),
    kin("cousin", "cousin_of", false, None),
    kin("mother-in-law", "in_law_of", false, SHE), kin("father-in-law", "in_law_of", false, HE),
    kin("sister-in-law", "in_law_of", false, SHE), kin("brother-in-law", "in_law_of", false, HE),
    kin("son-in-law", "in_law_of", false, HE), kin("daughter-in-law", "in_law_of", false, SHE),
    kin("friend", "friend_of", false, None), kin("colleague", "colleague_of", false, None),
    kin("coworker", "colleague_of", false, None), kin("co-worker", "colleague_of", false, None),
    kin("teammate", "colleague_of", false, None),
    kin("neighbor", "neighbor_of", false, None), kin("neighbour", "neighbor_of", false, None),
    kin("roommate", "roommate_of", false, None), kin("flatmate", "roommate_of", false, None), kin("housemate", "roommate_of", false, None),
    kin("boss", "reports_to", true, None), kin("manager", "reports_to", true, None), kin("supervisor", "reports_to", true, None),
    kin("mentor", "mentors", false, None), kin("coach", "mentors", false, None), kin("tutor", "mentors", false, None),
    kin("teacher", "mentors", false, None), kin("mentee", "mentors", true, None),
    kin("assistant", "assistant_of", false, None), kin("client", "client_of", false, None),
    kin("doctor", "doctor_of", false, None), kin("dentist", "doctor_of", false, None), kin("therapist", "doctor_of", false, None),
    kin("gp", "doctor_of", false, None), kin("physician", "doctor_of", false, None), kin("psychiatrist", "doctor_of", false, None),
    kin("pediatrician", "doctor_of", false, None), kin("paediatrician", "doctor_of", false, None),
    kin("dermatologist", "doctor_of", false, None), kin("cardiologist", "doctor_of", false, None),
    kin("physiotherapist", "doctor_of", false, None), kin("optician", "doctor_of", false, None),
];

/// The relation that a noun names: `sister`, `best friend`, `sisters`.
pub(crate) fn kin_noun(lower: &str) -> Option<&'static Kin> {
    let (before, last) = lower.rsplit_once(' ').unwrap_or(("", lower));
    // A great aunt is no aunt.
    let great = before.split(' ').any(|word| matches!(word, "great" | "great-great"));
    KIN.iter().find(|kin| kin.noun == last && !great)
}

/// Whether the noun is of kin in the plural: `parents`, `sisters`, `children`.
pub(crate) fn are_kin(lower: &str) -> bool {
    let last = lower.rsplit(' ').next().unwrap_or(lower);
    contains_word(" children kids grandchildren grandparents twins ", last)
        || contains_word(" in-laws parents-in-law folks ", last)
        || last.strip_suffix('s').is_some_and(|one| kin_noun(one).is_some())
}

/// Animals that people keep.
pub(crate) const PETS: &str = " dog dogs cat cats puppy puppies pup pups kitten kittens kitty parrot parrots rabbit rabbits bunny hamster hamsters \
    turtle turtles tortoise snake snakes lizard gecko fish goldfish horse horses pony guinea-pig ferret hedgehog bird birds canary cockatiel \
    budgie chicken chickens goat goats iguana retriever poodle beagle bulldog labrador terrier collie shepherd corgi dachshund husky pet pets ";

/// What happens at a time, and is attended.
const EVENTS: &str = " concert conference workshop party wedding funeral meeting meetup festival parade ceremony event class course \
    lecture seminar exhibition exhibit show fair gala retreat camp tournament race marathon competition contest fundraiser \
    rally protest march reunion graduation convention summit hackathon webinar session training performance play opera \
    screening opening gig recital bootcamp expo match game ball get-together gathering reading hike dinner banquet reception baby-shower bbq barbecue picnic group service practice rehearsal lesson lessons standup stand-up sync retro planning demo appointment checkup \
    forum symposium interview premiere drive 5k 10k run clinic ";

/// Events of a life, which are told of without a day, too.
const MILESTONES: &str = " wedding funeral ceremony graduation marathon reunion bootcamp course class 5k 10k run race ";

/// Events that come and go, and are kept by their names alone.
const PASSING: &str = " event party game match ball get-together gathering hike dinner bbq barbecue picnic drive lesson lessons practice \
    rehearsal session standup stand-up sync retro planning demo appointment checkup show play service gig reading ";

/// Where people go.
const PLACES: &str = " museum beach park gallery zoo aquarium library lake mountain mountains island city town village farm castle church temple \
    cathedral palace garden gardens waterfall canyon forest studio market mall restaurant cafe café bar hospital clinic shelter stadium theater theatre \
    observatory monument ruins vineyard winery national-park ranch coast desert valley bakery brewery fort bridge tower resort spa country store shop \
    orphanage school university college center centre ";

/// Places that something can be kept, hosted or found in.
const SITES: &str = " office warehouse building room floor region data-center datacenter rack drawer cabinet garage basement attic kitchen \
    street avenue road square district suburb neighborhood neighbourhood headquarters campus plant factory port harbour harbor airport station ";

/// What people are by trade or duty, beside words that end as trades do.
const ROLES: &str = " ceo cto cfo coo cmo cio ciso vp president chairman chairwoman chair director manager head lead engineer developer designer \
    architect analyst scientist researcher professor teacher nurse doctor physician surgeon dentist lawyer attorney paralegal judge accountant consultant \
    programmer writer author editor journalist reporter photographer artist painter musician singer actor actress dancer \
    chef baker barista waiter waitress bartender plumber electrician carpenter mechanic pilot driver captain firefighter officer detective soldier \
    veteran student intern apprentice assistant secretary receptionist administrator coordinator specialist technician \
    librarian curator translator interpreter therapist counselor counsellor psychologist psychiatrist pharmacist veterinarian vet biologist chemist \
    physicist mathematician economist historian geologist astronomer entrepreneur founder co-founder owner partner \
    investor banker broker realtor salesperson farmer gardener coach trainer tutor mentor volunteer freelancer contractor \
    recruiter strategist planner producer animator illustrator sculptor potter tailor florist blogger streamer youtuber gamer \
    athlete player quarterback midfielder goalkeeper principal dean lecturer postdoc maintainer reviewer treasurer \
    mayor senator governor minister ambassador diplomat priest pastor rabbi imam nun monk paramedic midwife optometrist radiologist cardiologist \
    oncologist neurologist dermatologist pediatrician paediatrician anesthesiologist orthodontist hairdresser barber stylist auditor \
    actuary statistician cashier clerk janitor cleaner nanny babysitter caregiver butcher fisherman sailor welder roofer surveyor \
    notary undertaker upholsterer locksmith watchmaker blacksmith optician chiropractor acupuncturist zoologist botanist \
    archaeologist anthropologist sociologist linguist philosopher mathematician lifeguard referee umpire conductor composer violinist pianist \
    cellist guitarist drummer organist steward stewardess beekeeper shepherd rancher vintner winemaker brewer cook dishwasher courier \
    postman mailman jeweler jeweller goldsmith carer cartographer choreographer cinematographer videographer copywriter screenwriter \
    playwright poet novelist publisher printer bookseller shopkeeper grocer docent ranger warden bailiff magistrate \
    bookkeeper archivist registrar caretaker housekeeper foreman superintendent stonemason bricklayer tiler seamstress cobbler ceramicist \
    dietitian nutritionist physiotherapist radiographer phlebotomist epidemiologist ecologist meteorologist hydrologist underwriter \
    sommelier puppeteer purchaser dispatcher trainee sysadmin concierge attendant \
    guard striker defender midfielder pitcher executive representative advisor adviser associate agent spokesperson member leader ";

/// Whether the noun names what somebody is by trade or duty.
pub(crate) fn is_role(lower: &str) -> bool {
    let last = lower.rsplit(' ').next().unwrap_or(lower);
    contains_word(ROLES, last)
}

/// Whether the head noun names something that is attended.
pub(crate) fn is_event(head: &str) -> bool {
    contains_word(EVENTS, head)
}

/// Whether such an event is one of a life.
pub(crate) fn is_milestone(head: &str) -> bool {
    contains_word(MILESTONES, head)
}

/// Whether such an event comes and goes.
pub(crate) fn is_passing(head: &str) -> bool {
    contains_word(PASSING, head)
}

/// Whether the head noun names somewhere people go.
pub(crate) fn is_destination(head: &str) -> bool {
    contains_word(PLACES, head)
}

/// Instruments, sports and games.
const PASTIMES: &str = " piano guitar violin cello viola flute clarinet saxophone trumpet trombone drums bass ukulele banjo harp accordion harmonica \
    lute recorder fiddle sitar tabla bagpipes xylophone marimba zither cornet piccolo synthesizer keyboard organ oboe bassoon mandolin tuba percussion chess go poker bridge tennis football soccer basketball baseball volleyball handball hockey \
    rugby cricket golf badminton squash softball lacrosse polo padel table-tennis ping-pong darts pool snooker bowls videogames games ";

/// What somebody keeps that earns money or is led.
const BUSINESSES: &str = " business company shop store bakery restaurant cafe café studio agency firm farm clinic gallery school startup blog podcast channel \
    nonprofit charity bookshop bookstore florist pharmacy pub winery vineyard bakehouse kiosk nursery bar hotel brewery salon workshop gym newsletter foundation team department lab group ";

/// Whether the noun names an instrument, sport or game.
pub(crate) fn is_pastime(noun: &str) -> bool {
    contains_word(PASTIMES, noun)
}

/// Whether the noun names something that people run.
pub(crate) fn is_business(noun: &str) -> bool {
    contains_word(BUSINESSES, noun)
}

/// What one joins.
const GROUPS: &str = " group club team church gym choir band orchestra league program programme forum association society class course academy \
    school union committee board council party army navy community network crew squad troupe guild chapter fellowship brigade ";

/// Whether the noun names something that one joins.
pub(crate) fn is_group(noun: &str) -> bool {
    contains_word(GROUPS, noun)
}

/// Whether the noun names what has members and nobody who is paid.
pub(crate) fn is_club(noun: &str) -> bool {
    contains_word(" party club choir band orchestra team league committee society association union ", noun)
}

/// What keeps things, beside places.
const HOLDERS: &str = " folder directory cupboard shelf box safe bucket closet locker pantry fridge freezer shed hallway hall bin cellar vault \
    case bag wing tray chest ";

/// What people have by them, beside what they own and count.
const BELONGINGS: &str = " car van truck motorbike bike bicycle scooter boat house flat cottage cabin garden garage shed piano guitar violin laptop \
    computer tablet phone camera telescope drone printer book books notebook pen umbrella jacket coat scarf hat bag backpack suitcase tent \
    mug cup glass desk chair table sofa lamp bed wallet watch ring keys key locker seat dog cat toolbox drill tools skis racket ball ";

/// Whether `is mine` behind the noun tells what one owns; a choice or a fault that is mine is no thing.
pub(crate) fn is_belonging(noun: &str) -> bool {
    contains_word(BELONGINGS, noun)
}

/// Whether the noun names what things are kept in.
pub(crate) fn is_holder(noun: &str) -> bool {
    contains_word(HOLDERS, noun)
}

/// Whether the noun names people who act as one.
pub(crate) fn is_body(noun: &str) -> bool {
    contains_word(
        " team committee board council department crew squad choir band orchestra club union jury panel ",
        noun,
    )
}

/// `mentorship program for youth`, `group of travellers`: by a noun before `of` and `for`.
pub(crate) fn is_group_of(words: &crate::noun::Words<'_>, np: &crate::noun::Np) -> bool {
    let of = np.name.clone().find(|at| words.any(*at, " of for ")).unwrap_or(np.name.end);
    of > np.name.start && is_group(words.lower(of - 1))
}

/// Medicines, beside those whose names end as medicines do.
const MEDICINES: &str = " insulin ibuprofen aspirin paracetamol acetaminophen levothyroxine warfarin lithium prednisone adderall ritalin xanax \
    zoloft prozac lexapro sertraline fluoxetine escitalopram citalopram gabapentin albuterol antihistamines antidepressants antibiotics \
    painkillers melatonin vitamins supplements iron magnesium zinc statins methotrexate furosemide diazepam lorazepam morphine tramadol ";

/// How the names of medicines end.
const MEDICAL: [&str; 17] = [
    "formin", "pril", "statin", "olol", "sartan", "cillin", "azole", "mycin", "dipine", "zepam", "profen", "setron",
    "triptan", "thiazide", "oxetine", "cycline", "glutide",
];

/// Whether the words, in lower case, name a medicine: `metformin`, `vitamin D`.
pub(crate) fn is_medicine(lower: &str) -> bool {
    let first = lower.split(' ').next().unwrap_or(lower);
    contains_word(MEDICINES, first)
        || first == "vitamin"
        || MEDICAL.iter().any(|end| first.len() > 6 && first.ends_with(end))
}

/// What is worth telling that one got it.
const GAINS: &str = " job promotion tattoo scholarship degree diploma certificate certification award medal grant internship license licence \
    deal endorsement sponsorship contract raise acceptance diagnosis car truck motorcycle house apartment telescope piano guitar violin \
    visa passport residency fellowship mortgage loan ";

/// What is worth telling that one lost it.
pub(crate) fn is_loss(noun: &str) -> bool {
    contains_word(" job wallet purse keys phone passport ring luggage house home license licence visa ", noun)
        || kin_noun(noun).is_some()
}

/// Whether the noun names such a gain.
pub(crate) fn is_gain(noun: &str) -> bool {
    contains_word(GAINS, noun)
}

/// What a thing seems to be by its head noun.
pub(crate) fn type_of_head(head: &str) -> Option<EntityType> {
    if kin_noun(head).is_some() || are_kin(head) {
        Some(EntityType::Person)
    } else if contains_word(PLACES, head) || contains_word(SITES, head) {
        Some(EntityType::Location)
    } else if super::names::is_organization_word(head) {
        Some(EntityType::Organization)
    } else {
        None
    }
}

/// Words that begin sentences and name nobody, although the verb after them looks like one that people do.
const COMMON: &str = " people everyone everybody someone somebody nobody employees customers students users developers children kids \
    parents men women water coffee tea milk bread money time life love music art nature work health sleep exercise education science \
    technology software hardware data information knowledge research history culture politics religion society government business \
    marketing design writing reading painting dancing running cooking swimming hiking traveling travelling learning teaching family \
    friends friendship happiness success failure courage hope faith trust respect support help change growth progress practice \
    patience kindness honesty creativity passion teamwork communication leadership experience food sugar salt meat fish fruit \
    gluten alcohol paper wood metal plastic glass gold silver iron steel oil gas energy electricity light heat air fire earth \
    weather rain snow wind summer winter spring autumn fall today tomorrow yesterday monday tuesday wednesday thursday friday saturday \
    sunday morning evening night lunch dinner breakfast traffic news security privacy performance quality price cost rent total \
    subtotal tax delivery shipping payment page figure table section chapter note warning tip example step total item number name address \
    date time phone email notes summary overview introduction conclusion background results discussion usage installation license \
    thanks congrats nothing everything anything something part half most many some few others another camping volunteering \
    basketball football soccer tennis yoga meditation therapy hard good great nice awesome amazing sounds looks seems glad happy sorry ";

/// Whether a word in lower case, at the head of a sentence, is surely no name.
pub(crate) fn is_common(lower: &str) -> bool {
    contains_word(COMMON, lower)
}
