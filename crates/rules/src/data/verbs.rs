//! Verbs: enough of the common ones to tell where a predicate begins. Regular forms are made by rule.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// A set of verb forms.
pub(crate) type Forms = u8;

/// `work`
pub(crate) const BASE: Forms = 1;
/// `works`
pub(crate) const THIRD: Forms = 2;
/// `worked`, `wrote`
pub(crate) const PAST: Forms = 4;
/// `worked`, `written`
pub(crate) const PARTICIPLE: Forms = 8;
/// `working`
pub(crate) const ING: Forms = 16;

/// A word as a form of a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VerbForm {
    /// The verb's base form.
    pub lemma: &'static str,
    /// Which of its forms the word can be.
    pub forms: Forms,
    /// Whether base and third person are as often nouns: `work`, `plans`.
    pub nounish: bool,
}

impl VerbForm {
    /// Whether the word can be one of these forms.
    pub(crate) fn can_be(self, forms: Forms) -> bool {
        self.forms & forms != 0
    }
}

/// Verbs with irregular forms: base, past, participle.
const IRREGULAR: &str = "arise arose arisen; be was been; bear bore born; beat beat beaten; become became become; begin began begun; \
    bend bent bent; bet bet bet; bind bound bound; bite bit bitten; blow blew blown; break broke broken; bring brought brought; \
    build built built; burn burned burnt; buy bought bought; catch caught caught; choose chose chosen; come came come; \
    cost cost cost; cut cut cut; deal dealt dealt; dig dug dug; do did done; draw drew drawn; dream dreamed dreamt; \
    drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed fed; feel felt felt; fight fought fought; \
    find found found; fly flew flown; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten; \
    give gave given; go went gone; grow grew grown; hang hung hung; have had had; hear heard heard; hide hid hidden; hit hit hit; \
    hold held held; hurt hurt hurt; keep kept kept; know knew known; lay laid laid; lead led led; learn learned learnt; \
    leave left left; lend lent lent; let let let; lie lay lain; light lit lit; lose lost lost; make made made; mean meant meant; \
    meet met met; overcome overcame overcome; oversee oversaw overseen; pay paid paid; prove proved proven; put put put; \
    quit quit quit; read read read; rebuild rebuilt rebuilt; ride rode ridden; ring rang rung; rise rose risen; run ran run; \
    say said said; see saw seen; seek sought sought; sell sold sold; send sent sent; set set set; shake shook shaken; \
    shine shone shone; shoot shot shot; show showed shown; shut shut shut; sing sang sung; sink sank sunk; sit sat sat; \
    sleep slept slept; speak spoke spoken; speed sped sped; spend spent spent; spread spread spread; stand stood stood; \
    steal stole stolen; stick stuck stuck; strike struck struck; swear swore sworn; swim swam swum; take took taken; \
    teach taught taught; tear tore torn; tell told told; think thought thought; throw threw thrown; undergo underwent undergone; \
    understand understood understood; undertake undertook undertaken; upset upset upset; wake woke woken; wear wore worn; \
    wed wed wed; win won won; withdraw withdrew withdrawn; write wrote written; rewrite rewrote rewritten; \
    outgrow outgrew outgrown; foresee foresaw foreseen; overtake overtook overtaken";

/// Regular verbs.
const REGULAR: &str = "abandon fire dismiss accept accompany accomplish achieve acquire act adapt add adjust admire admit adopt advise affect afford agree \
    aim allow analyze announce annoy answer apologize appear applaud apply appoint appreciate approach approve argue arrange arrive \
    ask assemble assign assist assume assure attach attack attempt attend attract audit author automate avoid award back bake base \
    believe belong benefit block blog boil book borrow bother box breathe brew browse brush buzz call camp cancel capture care carry \
    cause celebrate chair challenge change charge chase chat check cheer chill choreograph claim clean clear climb close coach code \
    collaborate collapse collect combine command comment commit communicate compare compete compile complain complete compose \
    comprise concern conclude conduct configure confirm connect consider consist construct consult contact contain continue \
    contribute control convert convince cook coordinate copy correct count cover craft crash create cross cry cuddle customize \
    cycle dance date debug decide declare decline decorate dedicate defeat defend define delay delete deliver demonstrate deny \
    depart depend deploy deprecate describe deserve design destroy detest determine develop devote diagnose die direct disable \
    disagree disappear disclose discontinue discover discuss dislike display distribute dive divorce document donate double doubt download draft \
    dress drop dry dye earn edit educate elect embrace emerge emigrate employ empower enable encounter encourage end engage enhance enjoy enlist enroll ensure \
    enter entertain escape establish estimate evolve examine excite exercise exhibit exist expand expect experience experiment expire \
    explain explore express extend face fail fear feature fetch figure file fill film finance finish fish fit fix flow focus foster follow \
    force form found frustrate fund gain garden gather generate glance glow govern grab graduate greet grill guess guide handle happen \
    harvest hate head heal help hike hire hope host hug hunt identify ignore illustrate imagine immigrate impact implement imply import impress improve include \
    incorporate increase indicate influence inform inherit injure inspire install instruct integrate intend interest intern interview introduce invent \
    invest investigate invite involve iron isolate issue jam jog join joke judge jump kick kill kiss knit knock label lack land last laugh \
    launch lease level license lift like limit line link list listen live load locate lock log long look love lower maintain major manage \
    manufacture mark marry master match matter measure meditate mention mentor merge migrate mind mine miss mix model monitor motivate move \
    name narrate need negotiate nominate notice notify number observe obtain occur offer open reopen operate order organise organize originate outsource overlook own pack \
    paint park participate pass patch paint perform persuade phone photograph pick place plan plant play please point possess post pour practice practise \
    praise pray prefer prepare present press pretend prevent print process produce program progress promise promote propose protect \
    provide publish pull pump purchase push qualify question race rain raise range reach react realise realize rebrand rebuild recall receive \
    recognize recommend record recover recycle reduce refactor refer reflect refuse register regret rehearse reject relate relax release relocate rely \
    remain remember remind remodel remove rename renew renovate rent repair repeat replace reply report represent request require rescue \
    research resemble reserve reside resign resolve respond rest restart restore result resume retire return reveal review reward risk roast \
    roll rule rush sail sample satisfy save scale scan schedule score scratch screen search secure seem serve settle sew shape share shift ship \
    shop shout sign simplify situate skate ski skip slip smell smile smoke snowboard soar solve sort sound spark specialise specialize sponsor spot sprain stage stare start \
    state stay step stock stop store stream strengthen stress stretch struggle study submit subscribe succeed suffer suggest suit supervise supply \
    support suppose surf surprise surround survive suspect switch talk target taste teach team tend test text thank tie touch tour track trade \
    train transfer transform translate transport travel treat trigger trip trust try turn tutor twist type unite unlock update upgrade upload urge use \
    utilize utilise vacation value visit visualize volunteer vote vow wait walk wander want warm warn wash waste watch water weigh welcome whip wish witness \
    wonder work worry wrap yell zoom co-found cofound co-author headquarter house populate power cater babysit crochet sculpt rollerblade kayak bike hail oversee \
    amend postpone reschedule adore loathe authorize authorise approve proofread headquarter wed loathe reschedule bump intern originate hail volunteer rewire expire commence resume concentrate supersede endorse chair curate assess compile archive encrypt cache listen default empty expose serve rotate refresh sync bill cite summarize summarise quote indent rebase squash ping redact anonymize capitalize \
    prefix tag email escalate prioritize omit validate sanitize lint format reformat pin bump spell";

/// Verbs whose base form (and third person) is as often a noun.
const NOUNISH: &str = " act aim answer approach attack attempt audit author award back base benefit blog book box break brush build \
     call camp care commit merge deploy cause challenge change charge chat check claim coach code command comment concern contact control cook copy cost count \
    cover craft crash cross cut cycle dance date deal default delay design display document double doubt draft draw dream dress drink drive drop dye end \
    engage escape estimate exercise exhibit experience face fall fear feature feed fight figure file fill film finance finish fire fish \
    fit fix flow fly focus force form found foster fund gain garden go grill guess guide hand hang hate head hike hit hold hope host hug hunt impact import increase \
    influence interest intern interview iron issue jam joke judge jump keep kick kiss knock label lack land laugh launch lead lease level license lie \
    lift light like limit line link list live load lock log look love mark master match matter mean measure meet mentor mind mine model \
    monitor move name need notice number offer open order own pack paint park pass patch phone photograph place plan plant play point post \
    power practice praise present press print process produce program progress promise pump purchase push question race rain raise \
    range reach read recall record refuse release remake rent repair reply report request research reserve rest restart result resume return review reward ride \
    ring rise risk roast roll rule run rush sail sample save scale scan schedule score scratch screen search sense set shake shape share shift \
    shine ship shock shop shot show shout sign skate ski sleep slip smell smile smoke sound spark speed sponsor spot spread stage stand stare \
    start state stay step stick stock stop store stream stress stretch strike struggle study supply support surf surprise suspect swim \
    switch talk target taste team tear test text tie touch tour track trade train transfer transport travel treat trip trigger trust try \
    turn twist type update upgrade upload use vacation value view visit volunteer vote vow wait walk want wash waste watch water wave welcome win \
    wish witness wonder work worry wrap bike kayak house archive cache sync bill quote tag email format pin bump ping spell refresh prefix \
     lint indent squash ";

static FORMS: LazyLock<FxHashMap<String, VerbForm>> = LazyLock::new(|| {
    let mut map = FxHashMap::default();
    for row in IRREGULAR.split(';') {
        let mut words = row.split_ascii_whitespace();
        let (Some(base), Some(past), Some(participle)) = (words.next(), words.next(), words.next()) else { continue };
        add(&mut map, base, base, BASE);
        add(&mut map, base, &third(base), THIRD);
        add(&mut map, base, past, PAST);
        add(&mut map, base, participle, PARTICIPLE);
        add(&mut map, base, &ing(base), ING);
        for (also, forms) in ALSO.iter().filter(|(of, _, _)| *of == base).map(|(_, also, forms)| (also, forms)) {
            add(&mut map, base, also, *forms);
        }
    }
    for base in REGULAR.split_ascii_whitespace() {
        add(&mut map, base, base, BASE);
        add(&mut map, base, &third(base), THIRD);
        add(&mut map, base, &past(base), PAST | PARTICIPLE);
        add(&mut map, base, &ing(base), ING);
    }
    for (word, base, forms) in
        [("'s", "be", THIRD), ("am", "be", BASE), ("are", "be", BASE), ("is", "be", THIRD), ("were", "be", PAST)]
    {
        add(&mut map, base, word, forms);
    }
    map
});

/// Second spellings of irregular forms.
const ALSO: &[(&str, &str, Forms)] = &[
    ("get", "got", PARTICIPLE),
    ("dream", "dreamt", PAST),
    ("learn", "learned", PARTICIPLE),
    ("learn", "learnt", PAST),
    ("burn", "burnt", PAST),
    ("prove", "proved", PARTICIPLE),
    ("light", "lighted", PAST),
    ("bear", "borne", PARTICIPLE),
];

fn add(map: &mut FxHashMap<String, VerbForm>, lemma: &'static str, word: &str, forms: Forms) {
    let nounish = super::words::contains_word(NOUNISH, lemma);
    match map.get_mut(word) {
        // `found` is the past of find before it is a verb of its own; `lay` of lie. Both readings keep their forms.
        Some(known) if known.lemma == lemma => known.forms |= forms,
        Some(_) => {}
        None => {
            map.insert(word.to_owned(), VerbForm { lemma, forms, nounish });
        }
    }
}

fn is_vowel(c: char) -> bool {
    matches!(c, 'a' | 'e' | 'i' | 'o' | 'u')
}

fn third(base: &str) -> String {
    match base {
        "be" => "is".into(),
        "have" => "has".into(),
        "do" | "go" | "undergo" => format!("{base}es"),
        _ if base.ends_with(['s', 'x', 'z']) || base.ends_with("ch") || base.ends_with("sh") => format!("{base}es"),
        _ => match base.strip_suffix('y') {
            Some(stem) if !stem.ends_with(is_vowel) => format!("{stem}ies"),
            _ => format!("{base}s"),
        },
    }
}

/// Verbs of more than one syllable that double their last letter, and short ones that do not.
const DOUBLING: &str = " admit commit prefer refer program submit transfer begin forget regret occur quit travel cancel \
    label level model babysit rebrand ";
const SINGLE: &str = " visit edit enter open reopen offer listen happen answer cover discover deliver gather order suffer wonder \
    audit credit limit profit develop explain gain train rain remain maintain retain look book cook need feed read head lead \
    load lean clean team seem treat eat beat wait fail heal steal deal feel sail reveal appear hear wear repair pair \
    mention question own show draw grow know throw sew bow follow borrow fix mix box play stay pray buy say enjoy fear \
    bother master monitor author foster garden harvest target market budget pilot benefit encounter consider register \
    remember render scatter shelter soften stream water whisper power import export boil foul pour roar soar tour answer ";

fn doubles(base: &str) -> bool {
    if super::words::contains_word(DOUBLING, base) {
        return true;
    }
    if super::words::contains_word(SINGLE, base) {
        return false;
    }
    let mut last = base.chars().rev();
    let (Some(c), Some(b), a) = (last.next(), last.next(), last.next()) else { return false };
    let one_syllable = base.chars().filter(|c| is_vowel(*c)).count() == 1;
    one_syllable && !is_vowel(c) && !matches!(c, 'w' | 'x' | 'y') && is_vowel(b) && a.is_none_or(|a| !is_vowel(a))
}

fn past(base: &str) -> String {
    if base.ends_with('e') {
        return format!("{base}d");
    }
    match base.strip_suffix('y') {
        Some(stem) if !stem.ends_with(is_vowel) => format!("{stem}ied"),
        _ if doubles(base) => format!("{base}{}ed", &base[base.len() - 1..]),
        _ => format!("{base}ed"),
    }
}

/// The `ing` form of a base form: `surfing`.
pub(crate) fn ing(base: &str) -> String {
    if let Some(stem) = base.strip_suffix("ie") {
        return format!("{stem}ying");
    }
    match base.strip_suffix('e') {
        Some(stem) if base != "be" && base != "dye" && !base.ends_with("ee") => format!("{stem}ing"),
        _ if doubles(base) => format!("{base}{}ing", &base[base.len() - 1..]),
        _ => format!("{base}ing"),
    }
}

/// The verb that a word in lower case can be a form of.
pub(crate) fn form(lower: &str) -> Option<VerbForm> {
    FORMS.get(lower).copied()
}

/// The third person of a base form that the table knows: `answer` gives `answers`.
pub(crate) fn third_person(base: &str) -> Option<String> {
    form(base).filter(|found| found.can_be(BASE)).map(|found| third(found.lemma))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_lead_to_their_verb() {
        for (word, lemma, forms) in [
            ("works", "work", THIRD),
            ("studied", "study", PAST | PARTICIPLE),
            ("stopped", "stop", PAST | PARTICIPLE),
            ("written", "write", PARTICIPLE),
            ("living", "live", ING),
            ("owns", "own", THIRD),
            ("married", "marry", PAST | PARTICIPLE),
            ("got", "get", PAST | PARTICIPLE),
            ("visiting", "visit", ING),
            ("preferred", "prefer", PAST | PARTICIPLE),
            ("uses", "use", THIRD),
        ] {
            let found = form(word).unwrap_or_else(|| panic!("{word} is not known"));
            assert_eq!((found.lemma, found.forms), (lemma, forms), "{word}");
        }
        assert_eq!(form("porto"), None);
    }
}
