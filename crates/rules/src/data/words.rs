//! Closed classes: the words that grammar is made of. A word may be of several.

use memchr::memmem;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::sync::LazyLock;

/// A set of classes.
pub(crate) type Tags = u32;

/// `a`, `the`, `this`.
pub(crate) const DET: Tags = 1;
/// `a`, `an`.
pub(crate) const INDEFINITE: Tags = 1 << 1;
/// `this`, `that`: pointing at what the text may not show.
pub(crate) const DEMONSTRATIVE: Tags = 1 << 2;
/// `my`, `his`.
pub(crate) const POSSESSIVE: Tags = 1 << 3;
/// `I`, `she`, `everyone`.
pub(crate) const PRONOUN: Tags = 1 << 4;
/// `in`, `at`.
pub(crate) const PREPOSITION: Tags = 1 << 5;
/// `and`, `but`.
pub(crate) const CONJUNCTION: Tags = 1 << 6;
/// `because`, `when`: opens a clause under another.
pub(crate) const SUBORDINATOR: Tags = 1 << 7;
/// `who`, `which`.
pub(crate) const RELATIVE: Tags = 1 << 8;
/// `what`, `how`.
pub(crate) const QUESTION: Tags = 1 << 9;
/// Forms of `be`.
pub(crate) const BE: Tags = 1 << 10;
/// Forms of `have`.
pub(crate) const HAVE: Tags = 1 << 11;
/// Forms of `do`.
pub(crate) const DO: Tags = 1 << 12;
/// `can`, `would`.
pub(crate) const MODAL: Tags = 1 << 13;
/// `not`, `never`.
pub(crate) const NEGATION: Tags = 1 << 14;
/// `also`, `now`.
pub(crate) const ADVERB: Tags = 1 << 15;
/// `wow`, `hey`.
pub(crate) const INTERJECTION: Tags = 1 << 16;
/// Names of months.
pub(crate) const MONTH: Tags = 1 << 17;
/// Names of weekdays, in singular and plural.
pub(crate) const WEEKDAY: Tags = 1 << 18;
/// `two`, `dozen`.
pub(crate) const NUMBER: Tags = 1 << 19;
/// `day`, `weeks`.
pub(crate) const UNIT: Tags = 1 << 20;
/// `something`, `stuff`: says that there is something, but not what.
pub(crate) const VAGUE: Tags = 1 << 21;
/// Adjectives, of those that tell predicates from names.
pub(crate) const ADJECTIVE: Tags = 1 << 22;
/// `all`, `some`, `most`.
pub(crate) const QUANTIFIER: Tags = 1 << 23;
/// `the` alone, and what points as it does.
pub(crate) const DEFINITE: Tags = 1 << 24;

/// What never stands inside a name.
pub(crate) const CLOSED: Tags = DET
    | POSSESSIVE
    | PRONOUN
    | PREPOSITION
    | CONJUNCTION
    | SUBORDINATOR
    | RELATIVE
    | QUESTION
    | BE
    | HAVE
    | DO
    | MODAL
    | NEGATION
    | INTERJECTION;

const CLASSES: &[(Tags, &str)] = &[
    (DET | INDEFINITE, "a an"),
    (DET | DEFINITE, "the"),
    (DET | DEMONSTRATIVE | DEFINITE, "this these those"),
    (DET | DEMONSTRATIVE | RELATIVE | SUBORDINATOR, "that"),
    (DET | QUANTIFIER, "each every either neither"),
    (DET | QUANTIFIER, "any no some another such"),
    (
        QUANTIFIER,
        "all both most many several few much more less enough half lots plenty tons loads countless various couple",
    ),
    (POSSESSIVE, "my our your his its their whose"),
    (POSSESSIVE | PRONOUN, "her"),
    (
        PRONOUN,
        "i me you he him she it we us they them mine yours hers ours theirs myself yourself himself herself itself \
         ourselves themselves y'all ya u em 'em one",
    ),
    (
        PRONOUN | VAGUE,
        "someone somebody anyone anybody everyone everybody nobody none something anything everything nothing others \
         other whoever whatever",
    ),
    (
        VAGUE,
        "thing things stuff bit lot lots ton tons one ones way ways kind kinds sort sorts type types part parts bunch \
         couple few some more most much many all both same rest other others another such best worst well good bad \
         great fine okay better worse less least enough half plenty case deal mess blast hit fact point reason idea \
         issue matter question answer problem example while moment turn chance opportunity lesson difference sense \
         look step steps bits break favor favour fan mention yourself here there where somewhere anywhere everywhere \
         nowhere place places area people guy guys folks person someone anyone everyone time times end side sides \
         beginning start being having cool nice ok set number amount variety range aspect aspects loads detail details \
         pic pics photo photos picture pictures shot glimpse load world life situation experience experiences \
         journey vibe vibes feeling feelings moments memories memory process day days night nights",
    ),
    (
        PREPOSITION,
        "in on at by for with from to of about over under near into onto through during within without between among \
         across against around behind below beneath beside besides beyond despite down inside outside off up toward \
         towards via per as than like unlike upon along alongside amid throughout past out next versus vs including \
         regarding concerning following plus",
    ),
    (PREPOSITION | SUBORDINATOR, "since until till before after"),
    (CONJUNCTION, "and or but nor yet & and/or"),
    (CONJUNCTION | ADVERB, "so then plus"),
    (
        SUBORDINATOR,
        "because although though while when whenever if unless whether whereas once cuz cause wherever lest \
         provided assuming supposing",
    ),
    (RELATIVE | QUESTION, "who which whom"),
    (QUESTION, "what how why where whatever whichever"),
    (BE, "be am is are was were been being 's 're 'm"),
    (HAVE, "have has had having 've"),
    (DO, "do does did doing done"),
    (MODAL, "can could will would shall should may might must ought 'd 'll gonna wanna gotta"),
    (NEGATION | ADVERB, "not never n't hardly barely scarcely rarely seldom"),
    (
        ADVERB,
        "also still just now currently recently already always usually often really actually finally only even ever \
         again too very quite pretty rather almost nearly mostly mainly primarily sometimes soon later lately here \
         there away back together apart once twice first last forever anyway anyways instead otherwise however \
         therefore thus hence meanwhile moreover furthermore additionally initially originally previously formerly \
         eventually luckily fortunately unfortunately sadly today's nowadays anymore definitely certainly absolutely \
         totally completely super literally basically honestly seriously especially particularly exactly simply \
         approximately roughly about formally officially normally generally typically regularly daily weekly monthly \
         yearly annually maybe perhaps probably possibly well far long ago hence abroad overseas upstairs downstairs online offline somewhat kinda \
         sorta tho yesterday today tomorrow tonight",
    ),
    (
        INTERJECTION,
        "wow hey hi hello yeah yep yup yes no nope nah oh ooh aw aww awww ah ha haha hahaha lol lmao omg ugh oops hmm \
         hm um uh well okay ok sure thanks thank congrats congratulations sorry bye goodbye please alright yay woohoo \
         whoa woah ouch damn gosh man dude bro btw fyi cheers welcome",
    ),
    (
        MONTH,
        "january february march april may june july august september october november december jan feb mar apr jun jul \
         aug sep sept oct nov dec",
    ),
    (
        WEEKDAY,
        "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays \
         saturdays sundays mon tue tues wed thu thur thurs fri sat sun weekday weekdays weekend weekends",
    ),
    (
        NUMBER,
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen \
         eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen",
    ),
    (
        UNIT,
        "second seconds minute minutes hour hours day days week weeks weekend weekends month months quarter quarters \
         year years decade decades night nights morning mornings afternoon evening evenings fortnight summer winter \
         spring autumn fall yr yrs hrs mins",
    ),
    (
        ADJECTIVE,
        "able afraid alive allergic alone amazing angry available awake aware awesome awful bad beautiful best better \
         first big blessed born brilliant busy calm careful certain cheap clean clear close closed cold common comfortable \
         confident cool correct crazy creative curious cute dangerous dead deep delicious different difficult divorced \
         due dumb early easy empty engaged enough excellent excited exciting expensive fair familiar famous fantastic \
         fast favorite favourite fine fit fluent fond free fresh full fun funny glad gone good gorgeous grateful great \
         green guilty happy hard healthy heavy helpful high honest hopeful hot huge hungry ill important impossible \
         impressed incredible inspiring intense interested interesting involved jealous keen kind large late lazy left \
         lighter likely little lonely long loud lovely low lucky mad main married massive meaningful mean missing native \
         necessary nervous new nice normal obsessed ok okay old online open optional overwhelmed painful passionate \
         peaceful perfect pleased poor popular positive powerful pregnant pretty private proud pumped quick quiet ready \
         real red relaxing relieved responsible retired rich right rough sad safe same scared scary separated serious \
         severe short shy sick similar simple single slow small smart soft sorry special stoked stressed strong sturdy \
         stuck stunning subject successful super sure surprised sweet tall temporary terrible thankful thick thin \
         thrilled tight tiny tired tough true typical unable uncomfortable unique unusual upset useful valid vegan \
         vegetarian vital warm weak weird welcome well wet white whole wide widowed wild willing wonderful worried worse \
         worst worth worthwhile wrong young",
    ),
];

static TAGS: LazyLock<FxHashMap<&'static str, Tags>> = LazyLock::new(|| {
    let mut map: FxHashMap<&'static str, Tags> = FxHashMap::default();
    for (tags, words) in CLASSES {
        for word in words.split_ascii_whitespace() {
            *map.entry(word).or_default() |= tags;
        }
    }
    map
});

/// Words in `ly` that are no adverbs.
const NO_ADVERBS: &str = " family italy july emily sally molly billy lily kelly reply supply apply fly jelly belly rally ally \
    bully assembly anomaly monopoly butterfly wembley holly polly elderly friendly lovely lonely silly ugly likely early \
    only nightly hourly costly deadly lively ghostly melancholy homily kimberly beverly charly willy milly dolly ely daily weekly monthly \
    yearly quarterly ";

/// The classes of a word in lower case; none for a word that grammar does not know.
pub(crate) fn tags(lower: &str) -> Tags {
    if let Some(tags) = TAGS.get(lower) {
        return *tags;
    }
    let adverb = lower.len() > 4 && lower.ends_with("ly") && !contains_word(NO_ADVERBS, lower);
    if adverb { ADVERB } else { 0 }
}

/// Words of a list that can be looked up.
type Set = FxHashSet<&'static str>;

thread_local! {
    /// The lists that words were looked for in, by where they stand: they are parts of the program, and not many.
    static SETS: RefCell<FxHashMap<(*const u8, usize), Set>> = RefCell::default();
}

/// Whether a list of words between spaces holds the word. A text asks this some hundred times for each sentence.
pub(crate) fn contains_word(list: &'static str, word: &str) -> bool {
    if word.bytes().any(|byte| byte.is_ascii_whitespace()) {
        return contains_part(list, u8::is_ascii_whitespace, word);
    }
    let set = || list.split_ascii_whitespace().collect();
    SETS.with_borrow_mut(|sets| sets.entry((list.as_ptr(), list.len())).or_insert_with(set).contains(word))
}

/// Whether a list of names between semicolons holds the name.
pub(crate) fn contains_name(list: &str, name: &str) -> bool {
    contains_part(list, |byte| *byte == b';', name)
}

/// The lists are long, and looked through for every word of a text.
fn contains_part(list: &str, divides: impl Fn(&u8) -> bool, part: &str) -> bool {
    !part.is_empty()
        && memmem::find_iter(list.as_bytes(), part).any(|at| {
            let before = at == 0 || divides(&list.as_bytes()[at - 1]);
            let after = list.as_bytes().get(at + part.len()).is_none_or(&divides);
            before && after
        })
}
