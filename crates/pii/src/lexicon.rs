//! What is known of single words: the tables of `data`, read once.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;

/// What a word may be; one word may be several things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marks(u16);

impl Marks {
    pub(crate) const NONE: Marks = Marks(0);
    /// A first name.
    pub(crate) const FIRST_NAME: Marks = Marks(1);
    /// A word of ordinary text.
    pub(crate) const ORDINARY: Marks = Marks(1 << 1);
    /// The first word of a country or of a known town.
    pub(crate) const PLACE: Marks = Marks(1 << 2);
    /// The first word of a nationality, religion or political group.
    pub(crate) const NATION: Marks = Marks(1 << 3);
    /// The first word of a known company.
    pub(crate) const COMPANY: Marks = Marks(1 << 4);
    /// A word for a street after its name.
    pub(crate) const STREET_AFTER: Marks = Marks(1 << 5);
    /// A word for a street before its name.
    pub(crate) const STREET_BEFORE: Marks = Marks(1 << 6);
    /// `Apt.`, `Suite`.
    pub(crate) const UNIT: Marks = Marks(1 << 7);
    /// `Mr`, `Dr`.
    pub(crate) const TITLE: Marks = Marks(1 << 8);
    /// An occupation.
    pub(crate) const ROLE: Marks = Marks(1 << 9);
    /// `von`, `de`: inside a name.
    pub(crate) const PARTICLE: Marks = Marks(1 << 10);
    /// `Inc`, `GmbH`: ends the name of a company.
    pub(crate) const COMPANY_ENDING: Marks = Marks(1 << 11);
    /// The month of a date.
    pub(crate) const MONTH: Marks = Marks(1 << 12);
    /// A surname.
    pub(crate) const LAST_NAME: Marks = Marks(1 << 14);
    /// A day of the week.
    pub(crate) const WEEKDAY: Marks = Marks(1 << 13);

    pub(crate) fn has(self, mark: Marks) -> bool {
        self.0 & mark.0 != 0
    }

    fn only(self, mark: Marks) -> Marks {
        Marks(self.0 & mark.0)
    }

    fn and(self, mark: Marks) -> Marks {
        Marks(self.0 | mark.0)
    }
}

/// FNV-1a: the keys are short and not from outside.
#[derive(Default)]
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        // The map's buckets come from the low bits and its tags from the high ones.
        self.0 ^ (self.0 >> 29)
    }
}

type Map<V> = HashMap<&'static str, V, BuildHasherDefault<Fnv>>;

struct Lexicon {
    words: Map<Marks>,
    phrases: Map<Marks>,
    endings: Vec<&'static str>,
}

/// The longest word that a table has, in bytes; longer ones need no look-up.
const LONGEST: usize = 32;

const PARTICLES: &str = "van von der den de del della di da do dos das du la le ten ter te al el bin ibn ben af av zu zum \
    vom des les los las dei degli delle della het y e i í ó";
const COMPANY_ENDINGS: &str = "inc incorporated corp corporation llc llp ltd limited plc gmbh ag kg se sa s.a spa srl bv nv oy oyj \
    ab as aps co company group holdings partners associates bank foundation institute agency ventures capital \
    technologies technology solutions systems software laboratories labs industries enterprises consulting \
    analytics research investments insurance bioscience sarl ohg kgaa sprl";
const MONTHS: &str = "january february march april may june july august september october november december jan feb mar \
    apr jun jul aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember janvier février mars avril \
    juin juillet août septembre octobre novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre \
    octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre";
const WEEKDAYS: &str = "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag \
    samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado \
    domingo";

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut lexicon = Lexicon { words: Map::default(), phrases: Map::default(), endings: Vec::new() };
    let words: [(&'static str, Marks); 10] = [
        (include_str!("../data/first-names.txt"), Marks::FIRST_NAME),
        (include_str!("../data/surnames.txt"), Marks::LAST_NAME),
        (include_str!("../data/ordinary.txt"), Marks::ORDINARY),
        (include_str!("../data/units.txt"), Marks::UNIT),
        (include_str!("../data/titles.txt"), Marks::TITLE),
        (include_str!("../data/roles.txt"), Marks::ROLE),
        (PARTICLES, Marks::PARTICLE),
        (COMPANY_ENDINGS, Marks::COMPANY_ENDING),
        (MONTHS, Marks::MONTH),
        (WEEKDAYS, Marks::WEEKDAY),
    ];
    for (table, mark) in words {
        lines(table).flat_map(str::split_whitespace).for_each(|word| lexicon.add(word, mark));
    }
    let phrases: [(&'static str, Marks); 4] = [
        (include_str!("../data/countries.txt"), Marks::PLACE),
        (include_str!("../data/cities.txt"), Marks::PLACE),
        (include_str!("../data/nations.txt"), Marks::NATION),
        (include_str!("../data/companies.txt"), Marks::COMPANY),
    ];
    for (table, mark) in phrases {
        let names = lines(table).flat_map(|line| line.split(',')).map(str::trim).filter(|name| !name.is_empty());
        names.for_each(|name| lexicon.add_phrase(name, mark));
    }
    for line in lines(include_str!("../data/streets.txt")) {
        match line.split_once(':') {
            Some(("after", words)) => words.split_whitespace().for_each(|word| lexicon.add(word, Marks::STREET_AFTER)),
            Some(("before", words)) => {
                words.split_whitespace().for_each(|word| lexicon.add(word, Marks::STREET_BEFORE))
            }
            Some((_, words)) => lexicon.endings.extend(words.split_whitespace()),
            None => {}
        }
    }
    lexicon
});

fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.starts_with('#'))
}

impl Lexicon {
    fn add(&mut self, word: &'static str, mark: Marks) {
        let marks = self.words.entry(word).or_insert(Marks::NONE);
        *marks = marks.and(mark);
    }

    fn add_phrase(&mut self, name: &'static str, mark: Marks) {
        let marks = self.phrases.entry(name).or_insert(Marks::NONE);
        *marks = marks.and(mark);
        if let Some(first) = name.split([' ', '-', '\'', '.', '&']).next() {
            self.add(first, mark);
        }
        if name.contains(['-', '\'']) && !name.contains(' ') {
            self.add(name, mark);
        }
    }
}

/// What is known of a word, in whatever case it stands.
pub(crate) fn marks(word: &str) -> Marks {
    if word.len() > LONGEST {
        return Marks::NONE;
    }
    if word.is_ascii() {
        let mut small = [0; LONGEST];
        let small = &mut small[..word.len()];
        small.copy_from_slice(word.as_bytes());
        small.make_ascii_lowercase();
        return std::str::from_utf8(small).map_or(Marks::NONE, of_lower);
    }
    let small = word.to_lowercase();
    match of_lower(&small) {
        Marks::NONE => of_lower(&without_accents(&small)).only(Marks::FIRST_NAME),
        marks => marks,
    }
}

/// First names are written with and without their accents.
fn without_accents(word: &str) -> String {
    word.nfd().filter(|c| !matches!(c, '\u{300}'..='\u{36f}')).collect()
}

fn of_lower(word: &str) -> Marks {
    let known = |word: &str| LEXICON.words.get(word).copied();
    let Some(marks) = known(word) else {
        let nation = word.strip_suffix('s').and_then(known).is_some_and(|single| single.has(Marks::NATION));
        return match () {
            () if nation => Marks::NATION,
            () if is_derived(word) => Marks::ORDINARY,
            () => Marks::NONE,
        };
    };
    marks
}

/// Whether a word ends as ordinary words do and names do not.
fn is_derived(word: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "tion", "sion", "ment", "ness", "ship", "able", "ible", "ically", "ously", "ively", "fully", "ically", "etly",
        "edly", "ingly", "ism", "less", "ology", "ance", "ence", "ities", "ings",
    ];
    word.len() >= 7 && ENDINGS.iter().any(|ending| word.ends_with(ending))
}

/// Whether these words, in whatever case, are such a name as a whole.
pub(crate) fn is_phrase(words: &str, mark: Marks) -> bool {
    let small = words.to_lowercase();
    let known = |name: &str| LEXICON.phrases.get(name).is_some_and(|marks| marks.has(mark));
    known(&small) || (mark == Marks::NATION && small.strip_suffix('s').is_some_and(known))
}

/// Whether a word ends as names of streets do: `Koskikatu`.
pub(crate) fn ends_like_street(word: &str) -> bool {
    let small = word.to_lowercase();
    LEXICON.endings.iter().any(|ending| small.len() > ending.len() + 1 && small.ends_with(ending))
}
