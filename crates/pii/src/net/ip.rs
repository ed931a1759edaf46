//! Addresses on a network.

use crate::context;
use crate::kind::Kind;
use crate::pattern::Pattern;
use crate::source::Source;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

/// Words before a version, which looks like an address.
const VERSIONS: &[&str] =
    &["version", "ver.", "release", "build", "firmware", "upgraded to", "section", "§", "chapter"];

pub(crate) const V4: Pattern = Pattern {
    detector: "net.ipv4",
    kind: Kind::IpAddress,
    pattern: r"(?-u:\b)(?:[0-9]{1,3}\.){3}[0-9]{1,3}",
    check: v4,
};

pub(crate) const V6: Pattern = Pattern {
    detector: "net.ipv6",
    kind: Kind::IpAddress,
    pattern: r"[0-9A-Fa-f]{0,4}:(?:[0-9A-Fa-f]{0,4}:){1,6}[0-9A-Fa-f]{1,4}",
    check: v6,
};

/// Addresses that every machine has, and masks, belong to nobody.
fn v4(source: &Source<'_>, range: &Range<usize>) -> Option<f64> {
    let address: Ipv4Addr = source.text[range.clone()].parse().ok()?;
    let nobodys = address.is_loopback() || address.octets()[0] == 0 || address.octets()[0] == 255;
    let alone = context::stands_alone(source, range) && !number_goes_on(source, range);
    (alone && !nobodys && !context::has_word(source.before(range.start, 40), VERSIONS)).then_some(0.9)
}

/// A port or a length behind an address does not make it something else.
fn number_goes_on(source: &Source<'_>, range: &Range<usize>) -> bool {
    let before = source.text[..range.start].chars().next_back();
    let mut after = source.text[range.end..].chars();
    before.is_some_and(|c| c == '.' || c == '-')
        || (after.next().is_some_and(|c| c == '.' || c == '-') && after.next().is_some_and(|c| c.is_ascii_digit()))
}

fn v6(source: &Source<'_>, range: &Range<usize>) -> Option<f64> {
    let words = &source.text[range.clone()];
    let address: Ipv6Addr = words.parse().ok()?;
    let nobodys = address.is_loopback() || address.is_unspecified();
    let path = source.text[..range.start].ends_with(':') || source.text[range.end..].starts_with(':');
    // `a::b` of a program's text is one, too, as far as its form goes.
    let clear = words.len() >= 7 && words.contains(|c: char| c.is_ascii_digit());
    (clear && !nobodys && !path && context::stands_alone(source, range)).then_some(0.9)
}
