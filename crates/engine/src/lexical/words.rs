//! The words that decide. Each row lists spellings of one thing, the one it goes by first.

/// Denials. English first, then the commonest of other languages that a person of ours may write in.
#[rustfmt::skip]
pub const DENIALS: &[&str] = &[
    "not", "no", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "cannot", "without", "hardly",
    "stopped", "ceased", "nicht", "kein", "keine", "keinen", "keiner", "nie", "niemals", "ohne", "pas", "jamais", "aucun", "aucune",
    "sans", "não", "nunca", "jamás", "sin", "sem", "ningún", "ninguna", "non", "mai", "senza", "niet", "geen", "nooit",
    "не", "нет", "никогда", "ikke", "inte", "aldrig", "ei", "nigdy", "değil",
];

/// Words that narrow or weaken what is said.
pub const LIMITS: &[&[&str]] = &[
    &["all", "every", "each", "everyone", "everybody", "everything"],
    &["some", "several", "certain"],
    &["most", "mostly"],
    &["few", "little"],
    &["only", "just", "solely", "exclusively"],
    &["except", "besides", "but", "although", "however"],
    &["always"],
    &["usually", "normally", "often", "frequently"],
    &["sometimes", "occasionally"],
    &["rarely", "seldom"],
    &["must", "has", "have", "need", "needs", "required"],
    &["should", "ought"],
    &["may", "might", "could", "maybe", "perhaps", "possibly", "probably", "likely"],
    &["would"],
    &["can", "able"],
    &["unable"],
    &["if", "unless", "when", "whenever"],
    &["more", "over", "above", "least", "minimum"],
    &["less", "under", "below", "fewer", "maximum"],
    &["about", "almost", "nearly", "around", "approximately", "roughly"],
    &["former", "formerly", "previously", "used", "was", "were", "had"],
    &["will", "shall", "going", "planned", "plans"],
    &["or", "either"],
    &["like", "likes", "love", "loves", "enjoy", "enjoys"],
    &["dislike", "dislikes", "hate", "hates", "avoid", "avoids"],
    &["enabled", "on"],
    &["disabled", "off"],
];

/// The months of the year.
pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The days of the week.
pub const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Words that say when.
pub const TIMES: &[&[&str]] = &[
    &["january", "jan"],
    &["february", "feb"],
    &["march", "mar"],
    &["april", "apr"],
    &["june", "jun"],
    &["july", "jul"],
    &["august", "aug"],
    &["september", "sep", "sept"],
    &["october", "oct"],
    &["november", "nov"],
    &["december", "dec"],
    &["monday", "mon", "mondays"],
    &["tuesday", "tue", "tues", "tuesdays"],
    &["wednesday", "wed", "wednesdays"],
    &["thursday", "thu", "thurs", "thursdays"],
    &["friday", "fri", "fridays"],
    &["saturday", "sat", "saturdays"],
    &["sunday", "sun", "sundays"],
    &["today"],
    &["tomorrow"],
    &["yesterday"],
    &["tonight"],
    &["now", "currently"],
    &["last", "previous"],
    &["next", "upcoming"],
    &["this"],
    &["ago"],
    &["before"],
    &["after"],
    &["since"],
    &["until", "till"],
    &["daily", "nightly"],
    &["weekly"],
    &["monthly"],
    &["yearly", "annually"],
    &["morning"],
    &["noon"],
    &["afternoon"],
    &["evening"],
    &["midnight"],
    &["spring"],
    &["summer"],
    &["autumn", "fall"],
    &["winter"],
];

/// Who is spoken of.
pub const PERSONS: &[&[&str]] = &[
    &["i", "me", "my", "mine", "myself", "i'm", "i've", "i'd", "i'll"],
    &["you", "your", "yours", "yourself", "you're", "you've", "you'd", "you'll"],
    &["he", "him", "his", "himself", "he's", "he'd", "he'll"],
    &["she", "her", "hers", "herself", "she's", "she'd", "she'll"],
    &["we", "us", "our", "ours", "ourselves", "we're", "we've", "we'd", "we'll"],
    &["they", "them", "their", "theirs", "themselves", "they're", "they've", "they'd", "they'll"],
];

/// Words that begin a sentence with a capital and are no names.
#[rustfmt::skip]
pub const OPENERS: &[&str] = &[
    "a", "after", "all", "also", "an", "and", "as", "at", "before", "but", "by", "do", "every", "for", "from", "if", "in",
    "is", "it", "its", "no", "not", "of", "on", "one", "or", "please", "since", "so", "some", "that", "the", "then",
    "there", "these", "this", "those", "to", "use", "we", "when", "with",
];

/// What may touch a number without being a unit.
pub const SUFFIXES: &[&str] = &["", "st", "nd", "rd", "th", "s"];

/// Numbers as words; the ordinals mean the same number.
const NUMBERS: &[(&str, u32)] = &[
    ("zero", 0),
    ("one", 1),
    ("first", 1),
    ("once", 1),
    ("two", 2),
    ("second", 2),
    ("twice", 2),
    ("both", 2),
    ("three", 3),
    ("third", 3),
    ("four", 4),
    ("fourth", 4),
    ("five", 5),
    ("fifth", 5),
    ("six", 6),
    ("sixth", 6),
    ("seven", 7),
    ("seventh", 7),
    ("eight", 8),
    ("eighth", 8),
    ("nine", 9),
    ("ninth", 9),
    ("ten", 10),
    ("tenth", 10),
    ("eleven", 11),
    ("eleventh", 11),
    ("twelve", 12),
    ("twelfth", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
    ("hundred", 100),
    ("dozen", 12),
    ("thousand", 1_000),
    ("million", 1_000_000),
    ("billion", 1_000_000_000),
];

/// Units by their spellings.
const UNITS: &[&[&str]] = &[
    &["%", "percent", "pct"],
    &["$", "usd", "dollar", "dollars"],
    &["€", "eur", "euro", "euros"],
    &["£", "gbp"],
    &["¥", "yen", "jpy"],
    &["°", "degree", "degrees"],
    &["mm", "millimeter", "millimeters", "millimetre", "millimetres"],
    &["cm", "centimeter", "centimeters", "centimetre", "centimetres"],
    &["m", "meter", "meters", "metre", "metres"],
    &["km", "kilometer", "kilometers", "kilometre", "kilometres"],
    &["mi", "mile", "miles"],
    &["ft", "foot", "feet"],
    &["in", "inch", "inches"],
    &["mg", "milligram", "milligrams"],
    &["g", "gram", "grams"],
    &["kg", "kilogram", "kilograms", "kilo", "kilos"],
    &["t", "ton", "tons", "tonne", "tonnes"],
    &["lb", "lbs", "pound", "pounds"],
    &["ml", "milliliter", "milliliters", "millilitre", "millilitres"],
    &["l", "liter", "liters", "litre", "litres"],
    &["ms", "millisecond", "milliseconds"],
    &["s", "sec", "secs", "seconds"],
    &["min", "mins", "minute", "minutes"],
    &["h", "hr", "hrs", "hour", "hours"],
    &["d", "day", "days"],
    &["w", "week", "weeks"],
    &["mo", "month", "months"],
    &["y", "yr", "yrs", "year", "years"],
    &["kb", "kilobyte", "kilobytes"],
    &["mb", "megabyte", "megabytes"],
    &["gb", "gigabyte", "gigabytes"],
    &["tb", "terabyte", "terabytes"],
    &["hz", "hertz"],
    &["v", "volt", "volts"],
    &["watt", "watts"],
    &["kw", "kilowatt", "kilowatts"],
    &["kwh"],
    &["am", "a.m"],
    &["pm", "p.m"],
];

/// The number that a word means.
pub fn number(word: &str) -> Option<u32> {
    NUMBERS.iter().find(|(known, _)| *known == word).map(|(_, number)| *number)
}

/// A unit's first spelling.
pub fn unit(word: &str) -> Option<&'static str> {
    UNITS.iter().find(|row| row.contains(&word)).map(|row| row[0])
}
