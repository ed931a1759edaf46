//! Addresses on the web, and names of hosts.

use crate::context;
use crate::kind::Kind;
use crate::pattern::Pattern;

pub(crate) const WEB: Pattern = Pattern {
    detector: "net.url",
    kind: Kind::Url,
    pattern: r#"(?i-u:\b)(?i:https?|ftp)://[^\s<>"'`\\^{}|]{2,}[^\s<>"'`\\^{}|.,;:!?)\]*_]"#,
    check: |_, _| Some(0.9),
};

/// Only endings that are no ordinary words and no endings of files.
pub(crate) const HOST: Pattern = Pattern {
    detector: "net.host",
    kind: Kind::Url,
    pattern: r"(?-u:\b)(?:(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,4}(?:com|org|net|edu|gov|mil|info|biz|io|dev|app|eu|de|fr|es|nl|dk|se|fi|pt|cz|hu|be|ch|ru|gr|ie|jp|br|au|nz|uk|us|ca)|www\.[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63}){0,3}\.[a-z]{2,12})(?-u:\b)(?:/[^\s<>\x22'`]{0,500}[^\s<>\x22'`.,;:!?)\]])?",
    check: |source, range| {
        let after = &source.text[range.end..];
        let goes_on = after.starts_with(['(', '_', '@'])
            || after.strip_prefix('.').is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
        (!goes_on && context::stands_alone(source, range) && !source.text[..range.start].ends_with(['.', '-']))
            .then_some(0.6)
    },
};
