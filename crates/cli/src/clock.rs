//! The clock of the person at this machine.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// How far it is ahead of UTC now, in minutes; none where the system does not tell.
pub(crate) fn utc_offset() -> Option<i32> {
    TimeZone::try_system().ok().map(|zone| ahead(&zone, Timestamp::now()))
}

fn ahead(zone: &TimeZone, at: Timestamp) -> i32 {
    zone.to_offset(at).seconds().div_euclid(60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_ahead_as_its_zone_has_it_on_that_day() {
        let check = |zone: &str, at: &str, expected: i32| {
            let zone = TimeZone::posix(zone).unwrap();
            assert_eq!(ahead(&zone, at.parse().unwrap()), expected, "{at}");
        };
        check("UTC0", "2025-06-18T12:00:00Z", 0);
        check("PST8PDT,M3.2.0,M11.1.0", "2025-06-18T12:00:00Z", -420);
        check("PST8PDT,M3.2.0,M11.1.0", "2025-01-18T12:00:00Z", -480);
        check("CET-1CEST,M3.5.0,M10.5.0/3", "2025-06-18T12:00:00Z", 120);
        check("<+0545>-5:45", "2025-06-18T12:00:00Z", 345);
    }
}
