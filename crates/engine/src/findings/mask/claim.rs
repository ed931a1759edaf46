//! What of a claim is hidden, as its quotes tell: its words may be marked there, where no detector sees them.

use super::known::{Found, Standing, standing};
use super::text::occurrences;
use um_model::Utf16Span;
use um_model::claims::{Claim, ClaimObject, EntityRef};
use um_model::findings::FindingKind;
use um_store::parts::Text;

/// A quote that a claim rests on.
pub(super) struct Quote {
    /// Its text.
    pub(super) source: Text,
    /// Where it stands there.
    pub(super) span: Utf16Span,
    /// Its words.
    pub(super) words: String,
    /// What was found in the text that overlaps it.
    pub(super) found: Found,
}

impl Quote {
    /// Where some words stand in its text, each with what was found there.
    fn places(&self, words: &str) -> Vec<(Utf16Span, Found)> {
        let place = |range| {
            let within = Utf16Span::from_byte_range(&self.words, range);
            Utf16Span::new(self.span.start + within.start, self.span.start + within.end)
        };
        let at =
            |place: Utf16Span| (place, self.found.iter().filter(|(_, found)| found.overlaps(place)).copied().collect());
        occurrences(&self.words, words).into_iter().map(place).map(at).collect()
    }

    /// The words of what was found in it.
    fn hidden(&self) -> impl Iterator<Item = (Standing, String)> {
        self.found.iter().filter_map(move |(kind, found)| {
            let within = |offset: u32| offset.clamp(self.span.start, self.span.end) - self.span.start;
            let words = Utf16Span::new(within(found.start), within(found.end)).slice(&self.words)?.trim();
            (!words.is_empty()).then(|| ((*kind, false), words.to_owned()))
        })
    }
}

/// Whom a claim is about.
pub(super) fn entities(claim: &Claim) -> impl Iterator<Item = &EntityRef> {
    let object = match &claim.object {
        ClaimObject::Entity(entity) => Some(entity),
        ClaimObject::Value(_) => None,
    };
    [&claim.subject].into_iter().chain(object)
}

/// The words of a claim that are hidden, and as what.
pub(super) fn hidden(claim: &Claim, quotes: &[Quote]) -> Vec<(Standing, String)> {
    if quotes.iter().all(|quote| quote.found.is_empty()) {
        return Vec::new();
    }
    let names = entities(claim).map(|entity| entity.name.as_str());
    let mut hidden: Vec<(Standing, String)> = Vec::new();
    for words in names {
        let places = quotes.iter().flat_map(|quote| quote.places(words));
        hidden.extend(standing(places).map(|standing| (standing, words.to_owned())));
    }
    let value = Some(claim.object.text()).filter(|_| matches!(claim.object, ClaimObject::Value(_)));
    for words in value.into_iter().chain(claim.qualifiers.values().map(String::as_str)) {
        let places: Vec<(Utf16Span, Found)> = quotes.iter().flat_map(|quote| quote.places(words)).collect();
        // A value that no quote says is the normal form of what one says. Detectors know those of what they find.
        let standing = match places.is_empty() {
            true => of_mark(quotes),
            false => standing(places.into_iter()),
        };
        hidden.extend(standing.map(|standing| (standing, words.to_owned())));
    }
    hidden.extend(quotes.iter().flat_map(Quote::hidden));
    // Those that hold others go first.
    hidden.sort_by_key(|(_, words)| std::cmp::Reverse(words.len()));
    hidden
}

/// As what a value is hidden that stands in none of the quotes: where the person marked something in one.
fn of_mark(quotes: &[Quote]) -> Option<Standing> {
    let is_marked = quotes.iter().flat_map(|quote| &quote.found).any(|(kind, _)| *kind == FindingKind::Other);
    is_marked.then_some((FindingKind::Other, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_hidden_by_the_places_at_which_they_stand() {
        let check = |found: &[&[(u32, u32)]], expected: Option<bool>| {
            let places = found.iter().map(|found| {
                let found = found.iter().map(|(from, to)| (FindingKind::Other, Utf16Span::new(*from, *to)));
                (Utf16Span::new(10, 20), found.collect())
            });
            assert_eq!(standing(places).map(|(_, is_itself)| is_itself), expected, "{found:?}");
        };
        check(&[], None);
        check(&[&[]], None);
        check(&[&[(10, 20)]], Some(true));
        check(&[&[], &[(12, 15)]], Some(true));
        check(&[&[(0, 99)]], Some(false));
        check(&[&[(5, 15)], &[(15, 25)]], Some(false));
        check(&[&[(0, 99)], &[]], None);
        check(&[&[(0, 99)], &[(10, 20)]], Some(true));
    }

    #[test]
    fn words_in_a_quote_have_its_findings() {
        let memory = um_model::MemoryId::parse("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0001").unwrap();
        let quote = Quote {
            source: Text::Memory(memory),
            span: Utf16Span::new(100, 127),
            words: "Bluebird is kept by Bo Ray.".to_owned(),
            found: vec![(FindingKind::Other, Utf16Span::new(90, 108))],
        };
        let found = |words: &str| quote.places(words).into_iter().map(|(_, found)| found.len()).collect::<Vec<_>>();
        assert_eq!((found("Bluebird"), found("Bo Ray"), found("Blue")), (vec![1], vec![0], vec![]));
        let hidden: Vec<String> = quote.hidden().map(|(_, words)| words).collect();
        assert_eq!(hidden, ["Bluebird"]);
    }
}
