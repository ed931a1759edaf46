//! The address of a language model's host. What is no plain address is refused when it is set, so that no part of
//! the program reads it in another way.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use um_model::ApiError;

use crate::error::invalid;

/// An address such as `http://127.0.0.1:11434/v1`: a scheme, a host, perhaps a port and a path, and nothing else.
/// Without TLS only this machine and private networks are allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl {
    /// The whole, without a slash at its end.
    text: String,
    host: String,
    origin: usize,
}

impl BaseUrl {
    /// Reads an address.
    ///
    /// # Errors
    /// `InvalidRequest`, with what to write instead.
    pub fn parse(text: &str) -> Result<Self, ApiError> {
        let text = text.trim().trim_end_matches('/');
        let no_address = || {
            invalid(format!("\"{}\" is no address of a language model.", shown(text)))
                .hint("Give one such as http://127.0.0.1:11434/v1 or https://api.openai.com/v1.")
        };
        let (secure, rest) = match text.split_once("://") {
            Some(("https", rest)) => (true, rest),
            Some(("http", rest)) => (false, rest),
            _ => return Err(no_address()),
        };
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        if authority.contains('@') {
            return Err(invalid("The address must hold no user and no password.").hint("Give the key as the key."));
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || "/-._~".contains(c);
        if !path.chars().all(plain) || path.contains("..") {
            return Err(no_address());
        }
        let host = host_of(authority).ok_or_else(no_address)?;
        if !secure && !is_near(&host) {
            return Err(invalid(format!("Without TLS the key and the texts could be read on their way to {host}."))
                .hint("Use https://, or the IP address of a machine in your own network."));
        }
        let origin = text.len() - path.len();
        Ok(Self { text: text.to_owned(), host, origin })
    }

    /// The address itself.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The host's name or IP address, without brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Scheme, host and port: what a key belongs to.
    pub fn origin(&self) -> &str {
        &self.text[..self.origin]
    }

    /// Whether the connection is encrypted.
    pub fn is_secure(&self) -> bool {
        self.text.starts_with("https:")
    }

    /// Whether what is sent there stays on this machine.
    pub fn is_this_machine(&self) -> bool {
        is_localhost(&self.host) || self.host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What was given, short and on one line.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(80).collect()
}

/// The host of `host`, `host:port` or `[ipv6]:port`.
fn host_of(authority: &str) -> Option<String> {
    let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0);
    if let Some(rest) = authority.strip_prefix('[') {
        let (ip, after) = rest.split_once(']')?;
        let port = after.strip_prefix(':').map_or(after.is_empty(), is_port);
        return (port && ip.parse::<Ipv6Addr>().is_ok()).then(|| ip.to_owned());
    }
    let (host, port) = authority.split_once(':').map_or((authority, None), |(host, port)| (host, Some(port)));
    let named = !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c));
    // What ends in a number is read as an IP address, and there are many ways to write one: only the plain one is taken.
    let last = host.rsplit('.').next().unwrap_or_default();
    let numeric = last.starts_with(|c: char| c.is_ascii_digit());
    let sound = named && (!numeric || host.parse::<Ipv4Addr>().is_ok()) && port.is_none_or(is_port);
    sound.then(|| host.to_lowercase())
}

fn is_localhost(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost")
}

/// This machine, or one of a private network that is named by its IP address: a name could lead anywhere.
fn is_near(host: &str) -> bool {
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(ip)) => ip.is_loopback() || ip.is_private() || ip.is_link_local(),
        Ok(IpAddr::V6(ip)) => ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local(),
        Err(_) => is_localhost(host),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<(&str, &str, bool), &str>) {
        match (BaseUrl::parse(text), expected) {
            (Ok(url), Ok((origin, host, here))) => {
                assert_eq!((url.origin(), url.host(), url.is_this_machine()), (origin, host, here), "{text}");
            }
            (Err(error), Err(words)) => assert!(error.to_string().contains(words), "{text}: {error}"),
            (found, expected) => panic!("{text}: {found:?} for {expected:?}"),
        }
    }

    #[test]
    fn addresses_are_read_in_one_way() {
        check("http://127.0.0.1:11434/v1/", Ok(("http://127.0.0.1:11434", "127.0.0.1", true)));
        check(" http://localhost:8080 ", Ok(("http://localhost:8080", "localhost", true)));
        check("http://[::1]:8080/v1", Ok(("http://[::1]:8080", "::1", true)));
        check("https://api.anthropic.com", Ok(("https://api.anthropic.com", "api.anthropic.com", false)));
        check("https://Example.org/openai/v1", Ok(("https://Example.org", "example.org", false)));
        check("http://192.168.1.20:8000/v1", Ok(("http://192.168.1.20:8000", "192.168.1.20", false)));
        check("http://[fd00::5]/v1", Ok(("http://[fd00::5]", "fd00::5", false)));
        check("https://10.0.0.1", Ok(("https://10.0.0.1", "10.0.0.1", false)));
    }

    #[test]
    fn what_could_be_read_in_two_ways_is_refused() {
        for odd in [
            "",
            "localhost:8080",
            "ftp://localhost",
            "http://",
            "http://:80",
            "https://a b.org",
            "https://example.org?x=1",
            "https://example.org/#a",
            "https://example.org/a/../b",
            "https://example.org\\127.0.0.1",
            "http://127.0.0.1:0",
            "http://127.0.0.1:99999",
            "http://127.0.0.1:80:80",
            "http://127.1",
            "http://2130706433",
            "http://0x7f.1",
            "http://127.0.0.01",
            "http://[::1",
            "http://[::1]8080",
            "http://[localhost]",
            "https://exämple.org",
        ] {
            check(odd, Err("is no address"));
        }
        check("https://user:secret@example.org", Err("no user"));
    }

    #[test]
    fn without_tls_only_what_is_near_is_allowed() {
        for far in [
            "http://example.org/v1",
            "http://8.8.8.8",
            "http://localhost.example.org",
            "http://192.168.1.20.example.org",
            "http://nas.local",
            "http://[2001:db8::1]",
            "http://0.0.0.0:11434",
        ] {
            check(far, Err("Without TLS"));
        }
    }
}
