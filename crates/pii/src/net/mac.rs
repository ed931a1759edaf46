//! Hardware addresses.

use crate::context;
use crate::kind::Kind;
use crate::pattern::Pattern;

pub(crate) const MAC: Pattern = Pattern {
    detector: "net.mac",
    kind: Kind::MacAddress,
    pattern: r"(?-u:\b)(?:(?:[0-9A-Fa-f]{2}:){5}|(?:[0-9A-Fa-f]{2}-){5})[0-9A-Fa-f]{2}",
    check: |source, range| {
        let words = &source.text[range.clone()];
        let nobodys = words.chars().all(|c| matches!(c, '0' | ':' | '-')) || words.chars().all(|c| "fF:-".contains(c));
        let goes_on =
            source.text[range.end..].starts_with([':', '-']) || source.text[..range.start].ends_with([':', '-']);
        (!nobodys && !goes_on && context::stands_alone(source, range)).then_some(0.9)
    },
};
