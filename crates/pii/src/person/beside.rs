//! Names that a word beside them gives away, where capitals tell nothing: Japanese ones before a form of address, and German ones
//! behind what somebody is.

use crate::kind::Kind;
use crate::lexicon::Marks;
use crate::settle::Proposal;
use crate::source::Source;
use crate::token::Shape;
use std::collections::HashSet;
use std::sync::LazyLock;

pub(super) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    japanese(source, found);
    german(source, found);
}

/// Japanese forms of address, each directly behind a name.
const HONORIFICS: &[&str] = &["さん", "様", "氏", "くん", "ちゃん"];
/// What stands before a form of address and is no name, as a whole: members of a family, everybody, parts of other words.
const NOBODY: &str = "皆 皆々 客 神 王 奥 仏 父 母 兄 姉 弟 妹 爺 婆 娘 孫 子 嫁 旦那 叔父 叔母 伯父 伯母 祖父 祖母 赤 坊 方 主 何 誰 友達 \
    家族 相手 同 某 両 諸 各 仕 模 多 一 有 異 別 今 外 上 殿 貴 摂 華 彼 無 源 平 人 一人 二人 三人 住人 隣人 本人 職人 芸人 友人 老人 新人 \
    隣 大家 屋 本屋 花屋 床屋 魚屋 肉屋 酒屋 靴屋 薬屋 部屋 問屋 八百屋 電気屋 居酒屋 不動産屋 選手 運転手 作家 漫画家 社長 部長 課長 店長 院長 \
    会長 校長 園長 隊長 先生 学生 お母 お父 \
    ママ パパ ファン スタッフ ドライバー ユーザー メーカー オーナー ゲスト メンバー リスナー ワン ニャン ネコ イヌ タク \
    たく おか おとう おかあ おに おね おじ おば おじい おばあ みな ねえ にい かあ とう じい ばあ そう なん";
/// Ends of words for what somebody is by trade.
const TRADES: &[&str] = &[
    "者", "員", "客", "護士", "理士", "養士", "育士", "計士", "築士", "技師", "護師", "医師", "教師", "講師", "容師",
    "剤師",
];

/// Verbs with which `くんです` is no form of address: `行くんです`.
const VERBS: &[char] = &[
    '行', '書', '聞', '働', '置', '続', '届', '動', '歩', '引', '弾', '泣', '鳴', '開', '空', '着', '付', '抱', '巻',
    '焼', '吹', '拭', '履', '除', '解', '向', '叩', '抜', '磨', '招', '導', '描', '頂', '咲', '浮', '築',
];

/// So far back a name is looked for, in bytes: no run of signs is gone through again and again.
const REACH: usize = 48;

fn japanese(source: &Source<'_>, found: &mut Vec<Proposal>) {
    for honorific in HONORIFICS.iter().copied() {
        for (at, _) in source.text.match_indices(honorific) {
            let behind = source.text[at + honorific.len()..].chars().next();
            if let Some(name) = named(source.before(at, REACH), honorific, behind) {
                let range = at - name.len()..at;
                found.push(Proposal { range, kind: Kind::Person, detector: "person.honorific", confidence: 0.75 });
            }
        }
    }
}

/// The name that ends before a form of address: one to four Han signs, or kana.
fn named<'a>(before: &'a str, honorific: &str, behind: Option<char>) -> Option<&'a str> {
    let last = before.chars().next_back()?;
    let name = match last {
        _ if is_han(last) => han_name(before),
        _ if is_katakana(last) => run(before, is_katakana).trim_start_matches(['ー', '・']),
        _ => hiragana_name(before)?,
    };
    let signs = name.chars().count();
    let is_verb =
        honorific == "くん" && name.ends_with(VERBS) && matches!(behind, Some('で' | 'だ' | 'じ' | 'な' | 'や' | 'の'));
    let is_adverb = honorific == "ちゃん" && behind == Some('と') && is_hiragana(last);
    let ends_word = honorific == "様" && name.ends_with(['仕', '模', '同', '多', '異', '客', '皆']);
    let is_word = ends_word || matches!(honorific, "様" | "氏") && behind.is_some_and(is_han);
    let is_trade = TRADES.iter().any(|end| name.ends_with(end));
    let is_nobody = NOBODY.split_whitespace().any(|word| word == name);
    let fits = signs > 0 && (is_han(last) || (2..=12).contains(&signs));
    (fits && !is_verb && !is_adverb && !is_word && !is_trade && !is_nobody).then_some(name)
}

/// The signs of a kind that a text ends with.
fn run(text: &str, is_of: fn(char) -> bool) -> &str {
    &text[text.trim_end_matches(is_of).len()..]
}

/// All of up to four Han signs; of more, which begin with something else, the last three.
fn han_name(before: &str) -> &str {
    let name = run(before, is_han);
    match name.chars().count() {
        0..=4 => name,
        signs => name.char_indices().nth(signs - 3).map_or(name, |(at, _)| &name[at..]),
    }
}

/// Two to four signs that stand alone: behind another word they may be its ending, or a particle.
fn hiragana_name(before: &str) -> Option<&str> {
    let name = run(before, is_hiragana);
    let stands_alone = !before[..before.len() - name.len()].ends_with(|c: char| is_han(c) || is_katakana(c));
    (stands_alone && (2..=4).contains(&name.chars().count())).then_some(name)
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '々' | 'ヶ')
}

fn is_katakana(c: char) -> bool {
    matches!(c, '\u{30a1}'..='\u{30fa}' | 'ー' | '・') && c != 'ヶ'
}

fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}')
}

/// What somebody is, in German, before their name. Words that are English ones or surnames as well are left out.
const GERMAN: &str = "Hausmeister Hausmeisterin Nachbar Nachbarin Nachbarn Vermieter Vermieterin Mieterin Hausverwalter Hausverwalterin \
    Kollege Kollegin Kollegen Chefin Onkel Tante Oma Opa Schwester Freundin Lehrer Lehrerin Klassenlehrer Klassenlehrerin Ärztin \
    Hausarzt Hausärztin Zahnarzt Zahnärztin Kinderarzt Kinderärztin Tierarzt Tierärztin Hebamme Anwalt Anwältin Rechtsanwalt \
    Rechtsanwältin Steuerberater Steuerberaterin Maklerin Trainerin Pfarrer Pfarrerin Bürgermeister Bürgermeisterin Professorin \
    Direktorin Klempner Elektriker Handwerker Schornsteinfeger Gärtnerin Tagesmutter Erzieher Erzieherin Friseur Friseurin Kommissarin \
    Familie Eheleute Ehepaar Kunde Kundin Patientin Mitbewohner Mitbewohnerin Schwager Schwägerin Schwiegermutter Schwiegervater";
/// What stands behind these words in notes, and is no name.
const THINGS: &str = "Nummer Telefon Handy Termin Schlüssel Rechnung Vertrag Haus Miete Kaution Uhr Service Brief Mail Anruf Konto Adresse \
    Zimmer Büro Team Firma Bescheid Geld Heute Morgen Gestern Auto Garten Keller Problem Besuch Geburtstag Sein Seine Ihr Ihre Der Die \
    Das Er Sie Es Wir Ich Und Oder Bitte Wegen";
const THINGS_END: &[&str] = &["ung", "heit", "keit", "schaft", "tion", "nummer", "termin", "straße", "strasse"];

/// Whether a word says in German what somebody is, and belongs to no name.
pub(super) fn is_what_somebody_is(word: &str) -> bool {
    WHAT_SOMEBODY_IS.contains(word)
}

static WHAT_SOMEBODY_IS: LazyLock<HashSet<&str>> = LazyLock::new(|| GERMAN.split_whitespace().collect());

fn german(source: &Source<'_>, found: &mut Vec<Proposal>) {
    for at in 1..source.tokens.len() {
        let capitals = [at - 1, at].iter().all(|at| source.tokens[*at].shape == Shape::Capital);
        if !capitals || !is_what_somebody_is(source.word(at - 1)) || !may_be_name(source, at) {
            continue;
        }
        let whole = source.tokens[at].is(Marks::FIRST_NAME) && may_be_name(source, at + 1);
        let range = source.range(at, at + 1 + usize::from(whole));
        found.push(Proposal { range, kind: Kind::Person, detector: "person.german", confidence: 0.7 });
    }
}

/// Whether a word is written as a name and is no thing, day or town.
fn may_be_name(source: &Source<'_>, at: usize) -> bool {
    let Some(token) = source.tokens.get(at) else { return false };
    let word = source.word(at);
    let is = |marks: &[Marks]| marks.iter().any(|mark| token.is(*mark));
    let other = is(&[Marks::WEEKDAY, Marks::MONTH, Marks::COMPANY_ENDING, Marks::TITLE]);
    let common = is(&[Marks::PLACE, Marks::ORDINARY, Marks::ROLE]) && !is(&[Marks::FIRST_NAME, Marks::LAST_NAME]);
    let thing = THINGS.split_whitespace().any(|thing| thing == word)
        || is_what_somebody_is(word)
        || THINGS_END.iter().any(|end| word.ends_with(end));
    token.shape == Shape::Capital && word.chars().count() > 2 && !other && !common && !thing
}
