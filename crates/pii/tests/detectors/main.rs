//! Each family of detectors, by texts in which what is to be found stands between guillemets.

mod ids;
mod net;
mod numbers;
mod person;
mod place;
mod secret;
mod trade;
mod when;

use um_pii::{Kind, Rules, find};

/// A detector finds in each text exactly what stands between `«` and `»`, as this kind and with at least this
/// confidence; a name that ends in a full stop stands for all detectors of that name.
fn check(kind: Kind, detector: &str, at_least: f64, texts: &[&str]) {
    let mut wrong = Vec::new();
    for marked in texts {
        let text: String = marked.replace(['«', '»'], "");
        let expected: Vec<&str> = marked.split('«').skip(1).filter_map(|rest| rest.split('»').next()).collect();
        let findings = find(&text, &Rules::of(&[kind]).at_least(at_least));
        let mine = findings
            .iter()
            .filter(|one| one.detector == detector || (detector.ends_with('.') && one.detector.starts_with(detector)));
        let found: Vec<&str> = mine.filter_map(|one| one.span.slice(&text)).collect();
        if found != expected {
            wrong.push(format!("{text:?}: expected {expected:?}, found {found:?} of {findings:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
