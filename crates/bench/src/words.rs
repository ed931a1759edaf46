//! A made-up language: words whose frequencies fall as Zipf found them to, sentences of them, and questions
//! about what the sentences say. The same seed gives the same words on every machine.

/// Small words that fill every English text. Questions leave them out of the search, so that they only make
/// the index as long as it would be.
const FILLERS: &[&str] = &[
    "the", "of", "and", "to", "a", "in", "is", "it", "you", "that", "he", "was", "for", "on", "are", "with", "as", "i",
    "his", "they", "be", "at", "have", "this", "from", "or", "had", "by", "but", "what", "all", "were", "we", "when",
    "your", "can", "said", "there", "an", "which", "she", "do", "how", "their", "if", "will", "up", "other", "about",
    "out", "many", "then", "them", "these", "so", "some", "her", "would", "like", "him",
];

/// How many words the language has.
const VOCABULARY: usize = 30_000;

/// SplitMix64 (Steele, Lea and Flood, 2014).
#[derive(Debug, Clone)]
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// 0 up to, not including, 1.
    pub fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// `from` to `to`, both included.
    pub fn between(&mut self, from: usize, to: usize) -> usize {
        from + (self.bits() % (to - from + 1) as u64) as usize
    }
}

/// The language.
pub struct Language {
    words: Vec<String>,
    /// The share of all words that a word and those before it have.
    up_to: Vec<f64>,
}

impl Default for Language {
    fn default() -> Self {
        Self::new()
    }
}

impl Language {
    /// Makes it.
    pub fn new() -> Self {
        let made = (0..).map(made_up).filter(|word| !FILLERS.contains(&word.as_str()));
        let words: Vec<String> = FILLERS.iter().map(ToString::to_string).chain(made).take(VOCABULARY).collect();
        let mut total = 0.0;
        let mut up_to: Vec<f64> = Vec::with_capacity(words.len());
        for rank in 1..=words.len() {
            total += 1.0 / rank as f64;
            up_to.push(total);
        }
        up_to.iter_mut().for_each(|share| *share /= total);
        Self { words, up_to }
    }

    fn word(&self, random: &mut Random) -> &str {
        let share = random.share();
        let at = self.up_to.partition_point(|up_to| *up_to <= share);
        &self.words[at.min(self.words.len() - 1)]
    }

    /// The text of that number: one to four sentences, about forty words.
    pub fn text(&self, number: usize) -> String {
        let mut random = Random(number as u64);
        let mut text = String::new();
        for sentence in 0..random.between(1, 4) {
            if sentence > 0 {
                text.push(' ');
            }
            let words: Vec<&str> = (0..random.between(8, 22)).map(|_| self.word(&mut random)).collect();
            text.push_str(&capitalized(&words.join(" ")));
            text.push('.');
        }
        text
    }

    /// A question about the text of that number: three to six of its words.
    pub fn question(&self, number: usize) -> String {
        let text = self.text(number);
        let mut words: Vec<&str> = text.split([' ', '.']).filter(|word| is_content(word)).collect();
        let mut random = Random(!(number as u64));
        let wanted = random.between(3, 6);
        while words.len() > wanted {
            words.remove(random.between(0, words.len() - 1));
        }
        format!("What about {}?", words.join(" "))
    }
}

/// Whether a word says something.
pub fn is_content(word: &str) -> bool {
    !word.is_empty() && !FILLERS.contains(&word.to_lowercase().as_str())
}

/// Two syllables or more; each number has its own.
fn made_up(number: usize) -> String {
    const CONSONANTS: &[u8; 16] = b"bdfghjklmnprstvz";
    const VOWELS: &[u8; 5] = b"aeiou";
    let mut word = String::new();
    let mut rest = number;
    while word.len() < 4 || rest > 0 {
        word.push(char::from(CONSONANTS[rest % 16]));
        word.push(char::from(VOWELS[rest / 16 % 5]));
        rest /= 80;
    }
    word.push('k');
    word
}

fn capitalized(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
