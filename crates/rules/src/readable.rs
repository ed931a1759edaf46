//! Whether words are English and no data: the rules read nothing else.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Common English words of grammar that no language below shares.
const ENGLISH: &str = " the and of to is are it that this for with my he she we you have has had from at by not but they his \
    her our your be been were will would can could which who there their its i'm i've don't i or if when since until \
    lives works live work likes ";

/// Common words of grammar of other languages, without those that English texts have as well.
const OTHERS: &[&str] = &[
    " der das und ist nicht ein eine einen einem mit auf für von im dem den des ich wir sie zu zum zur sind waren wird wurde \
      als auch aber oder wenn dass nach seit hat habe haben mein meine unser unsere noch bei ",
    " le la les des et est dans un une pour que qui sur avec je nous vous au aux pas du ce cette il elle sont mon ma mes notre \
      depuis mais ou où chez ",
    " el los las y en de un una por con para es que se su del mi soy está son pero como desde nuestro nuestra trabajo vivo ",
    " os das em um uma não com para que por dos da do na ao é são meu minha mas seu sua moro trabalho eu ",
    " il lo gli di che è per con non una del della sono mio mia ma anche nel nella dal abito lavoro ",
    " het een van niet op met zijn ik dat de voor er maar ook naar bij mijn wij ons woon werk ",
    " och att det som en är jag på för med till av den har inte vi min mitt bor ",
    " og det er jeg på med til av en har ikke vi min bor som ",
    " i w na z do że się nie jest to mój moja mieszkam pracuję oraz dla przez ",
];

/// The lists that a word is on: a bit for English, one for each of the others.
static LISTS: LazyLock<FxHashMap<&'static str, u16>> = LazyLock::new(|| {
    let mut lists: FxHashMap<&'static str, u16> = FxHashMap::default();
    for (at, list) in std::iter::once(&ENGLISH).chain(OTHERS).enumerate() {
        for word in list.split_whitespace() {
            *lists.entry(word).or_default() |= 1 << at;
        }
    }
    lists
});

/// How many words of grammar a text has, English ones and those of the one other language that it has most of, and how
/// many words.
fn grammar(text: &str) -> (usize, usize, usize) {
    let (mut counts, mut words) = ([0usize; 16], 0);
    let lower = text.to_lowercase().replace('’', "'");
    for word in lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()) {
        words += 1;
        let lists = LISTS.get(word).copied().unwrap_or_default();
        for (at, count) in counts.iter_mut().enumerate() {
            *count += usize::from(lists >> at & 1 == 1);
        }
    }
    (counts[0], counts[1..].iter().copied().max().unwrap_or_default(), words)
}

/// Whether a text is in another language: more of its words of grammar, and more than a name or two has.
pub(crate) fn is_foreign(text: &str) -> bool {
    let (english, other, words) = grammar(text);
    other >= 2 && other > 2 * english && other * 8 >= words
}

/// Whether a line says something in English, in a text that does not.
pub(crate) fn has_english(text: &str) -> bool {
    let (english, other, _) = grammar(text);
    english > other
}

/// Whether a line is data: fields between commas or the like, most of them numbers.
pub(crate) fn is_data(line: &str) -> bool {
    let fields = line.split([',', ';', '\t']).map(str::trim).filter(|field| !field.is_empty());
    let (mut numbers, mut all) = (0, 0);
    for field in fields {
        all += 1;
        let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E' | ' ');
        numbers += usize::from(field.contains(|c: char| c.is_ascii_digit()) && field.chars().all(number));
    }
    numbers >= 4 && numbers * 3 >= all * 2
}

/// Whether most lines of a text are data.
pub(crate) fn is_table(text: &str) -> bool {
    let filled = || text.lines().filter(|line| !line.trim().is_empty());
    let data = filled().filter(|line| is_data(line)).count();
    data > 0 && data * 2 >= filled().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_languages_are_told_from_english() {
        for (text, expected) in [
            ("Frau Huber wohnt in Wien und arbeitet bei der OMV.", true),
            ("Je suis né à Lyon et je travaille chez Renault.", true),
            ("Vivo en Madrid y trabajo en el hospital.", true),
            ("Ik woon in Gent en werk bij de bank.", true),
            ("Ludwig van der Rohe lives in La Paz.", false),
            ("I live in Las Palmas de Gran Canaria.", false),
            ("Ana works at Banco de la Nación.", false),
            ("Ana, Bo", false),
            ("", false),
        ] {
            assert_eq!(is_foreign(text), expected, "{text}: {:?}", grammar(text));
        }
    }

    #[test]
    fn lines_of_numbers_are_data() {
        for (line, expected) in [
            ("50,82,440,82,440,121,50,121,BOOK TA .K", true),
            ("72; 25; 326; 25", true),
            ("On 3 May, 4 June and 5 July Ana was in Porto.", false),
            ("Numbers: 1, 2, 3, and Ana lives in Porto", false),
            ("MILK 1,20", false),
        ] {
            assert_eq!(is_data(line), expected, "{line}");
        }
    }
}
