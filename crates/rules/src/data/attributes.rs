//! Nouns that name a value of their owner: `Ana's blood type is A`.

use super::words::{contains_name, contains_word};
use um_model::predicates;

/// Nouns beside the names of predicates, between semicolons.
const NOUNS: &str = "blood type;height;weight;shoe size;population;capital;port;ip;ip address;hostname;budget;salary;color;colour;size;model;\
    brand;license plate;domain;repository;license;licence;default branch;branch;timeout;limit;capacity;area;length;width;depth;\
    motto;mascot;order number;tracking number;reference number;format;framework;database;editor;theme;speed;duration;frequency;\
    dress code;gate;seat;flight number;room;room number;extension;account manager;project manager;tech lead;team lead;maiden name;\
    middle name;last name;surname;zodiac sign;star sign;religion;marital status;gender;build tool;package manager;test coverage;\
    retention period;interval;schedule;main ingredient;breed;species;genre;founder;owner;author;creator;director;publisher;\
    maintainer;vendor;supplier;sponsor;headquarters;location;hometown;birthplace;employer;default language;official language;\
    operating system;cloud provider;hosting provider;payment method;gluten-free option;wifi network;wi-fi network;screen size;\
    license number;registration number;vat number;area code;zip code;postcode;postal code;country code;mailing address;\
    billing address;shipping address;website;url;time zone;timezone;release date;launch date;start date;end date;due date;deadline;\
    expiry date;expiration date;expiration;renewal date;departure time;arrival time;opening hours;check-in time;check-out time;\
    nickname;full name;legal name;first name;name;birthday;date of birth;birth date;age;email;email address;e-mail;phone number;\
    phone;mobile number;address;home address;job;job title;occupation;profession;role;position;nationality;citizenship;\
    anniversary;wedding anniversary;due date;passport number;policy number;customer number;account number;member number;membership number;\
    serial number;room rate;jersey number;native language;first language;mother tongue;pronouns;diet;hobby;price;cost;fee;rent;version;current version;\
    status;currency;total;total due;amount due;balance due;balance;major;instrument;lead engineer;line manager;emergency contact;primary contact;point of contact;godmother;godfather";

/// What must never be kept as a claim, whoever says it.
const SECRETS: &str = " password passwords passcode passphrase pin secret token key credentials cvv ssn ";

/// The predicate that a noun phrase such as `email address` or `favourite colour` names.
pub(crate) fn predicate(noun: &str) -> Option<String> {
    if noun.split(' ').any(|word| contains_word(SECRETS, word)) {
        return None;
    }
    let noun = noun.strip_prefix("new ").or_else(|| noun.strip_prefix("current ")).unwrap_or(noun);
    for favourite in ["favorite ", "favourite ", "all-time favorite ", "all-time favourite "] {
        if let Some(what) = noun.strip_prefix(favourite) {
            let what = what.strip_suffix(" of all time").unwrap_or(what);
            let fits = what.split(' ').count() <= 3
                && !contains_word(
                    " thing part one way moment memory time things ",
                    what.rsplit(' ').next().unwrap_or(what),
                );
            return fits.then(|| format!("favorite_{}", american(&what.replace([' ', '-'], "_"))));
        }
    }
    let known = |noun: &str| contains_name(NOUNS, noun);
    // `default port`, `maximum upload size`: a plain word or two may narrow a known noun.
    let narrowed = || {
        noun.split_once(' ')
            .is_some_and(|(more, rest)| known(rest) && super::words::tags(more) == 0 && !contains_word(JUDGING, more))
    };
    (known(noun) || narrowed()).then(|| {
        let slug = noun.replace([' ', '-'], "_");
        match predicates::lookup(&slug) {
            Some(_) => slug,
            None => american(&slug),
        }
    })
}

/// Words before a noun that judge, or tell one of many.
const JUDGING: &str = " dream ideal only biggest main actual real whole usual problem perfect another newest oldest ";

/// The predicate of a plain noun that no list has, as in `the project's codename is Falcon`.
pub(crate) fn plain(noun: &str) -> Option<String> {
    let words: Vec<&str> = noun.split(' ').collect();
    let fits = |word: &&str| {
        (word.len() > 2 || *word == "id")
            && word.chars().all(|c| c.is_ascii_lowercase() || c == '-')
            && super::words::tags(word) == 0
    };
    let secret = words.iter().any(|word| contains_word(SECRETS, word));
    let judged =
        words.last().is_none_or(|last| contains_word(OPINIONS, last) || super::nouns::kin_noun(last).is_some());
    ((1..=2).contains(&words.len()) && words.iter().all(fits) && !secret && !judged)
        .then(|| noun.replace([' ', '-'], "_"))
}

/// Nouns that what is said of is one's view, or one of many.
const OPINIONS: &str = " problem issue point question reason fault turn idea goal plan dream fear hope guess opinion view answer choice pick enemy \
    rival hero strength weakness advice recommendation suggestion concern worry priority challenge example bet pleasure excuse \
    favorite favourite chance future past life love luck success failure attitude behaviour behavior response reaction comment reply \
    team book song film movie painting photo picture story visit trip talk speech performance presentation gift victory loss ";

fn american(slug: &str) -> String {
    slug.replace("colour", "color").replace("licence", "license")
}

/// Adjectives of measure, and what they measure.
pub(crate) const MEASURES: &[(&str, &str)] = &[
    ("long", "length"),
    ("tall", "height"),
    ("high", "height"),
    ("wide", "width"),
    ("deep", "depth"),
    ("thick", "thickness"),
];

/// Ways of eating.
pub(crate) const DIETS: &str =
    " vegan vegetarian pescatarian gluten-free dairy-free keto kosher halal lactose-free paleo ";

/// States of health that last.
pub(crate) const CONDITIONS: &str = " diabetic asthmatic celiac coeliac epileptic deaf blind colorblind colour-blind color-blind dyslexic \
    autistic anemic hypertensive lactose-intolerant ";

/// Illnesses by their names.
pub(crate) const ILLNESSES: &str = " asthma diabetes arthritis epilepsy celiac coeliac adhd dyslexia migraines migraine anxiety depression hypertension \
    eczema psoriasis cancer autism insomnia allergies tinnitus gout glaucoma osteoporosis ibs pcos scoliosis sciatica bronchitis hepatitis hypothyroidism lupus anemia endometriosis ";

/// States of the things that people keep track of.
pub(crate) const STATUSES: &str = " deprecated archived cancelled canceled discontinued blocked closed resolved complete completed finished live offline \
    down paused postponed retired obsolete read-only approved rejected overdue unpaid paid active inactive delayed ";

/// States between people.
pub(crate) const MARITAL: &str = " single married divorced widowed separated ";
