//! Packs of another time than now: which one it is, and what cannot be told of it.

use super::DAY_MS;
use super::warnings::day;
use um_model::EpochMs;
use um_model::work::Policy;
use um_store::filter::Then;

/// What a pack says of the time of which it tells, by a clock that is so many minutes ahead of UTC, and where not all that says something
/// else by now was compared with the words: nothing of now. Of what is to come it says that it will be so; it is known now.
pub(super) fn notices(
    then: Then,
    (now, utc_offset): (EpochMs, i32),
    (policy, past_is_cut): (Policy, bool),
) -> Vec<String> {
    let moment = |at| moment(at, utc_offset);
    let so = |at| format!("what {} so on {}", if at > now { "will be" } else { "was" }, moment(at));
    let known = |at| if at > now { "is known now".to_owned() } else { format!("was known on {}", moment(at)) };
    let told = match (then.as_of, then.known_at) {
        (None, None) => return Vec::new(),
        (Some(at), None) if at > now => format!("This tells {}, as it is known now.", so(at)),
        (Some(at), None) => format!("This tells {}.", so(at)),
        (None, Some(at)) => format!("This tells what {}.", known(at)),
        (Some(at), Some(known_at)) => format!("This tells {}, as it {}.", so(at), known(known_at)),
    };
    // They are short: all of them have room in the least budget, whatever else a pack says beside its items.
    let untold = match policy == Policy::Workspace {
        true => "How items were checked is not told of that time.",
        false => "What was in hand, how sessions ended and how items were checked is not told of that time.",
    };
    let pinned = "What is pinned now is there if it was in use then.";
    let mut notices = vec![told, untold.to_owned(), pinned.to_owned()];
    notices.extend(crate::query::cut(past_is_cut));
    notices
}

/// A moment to the second, by a clock that is so many minutes ahead of UTC.
fn moment(at: EpochMs, utc_offset: i32) -> String {
    let Some(day) = day(at, utc_offset) else { return at.to_string() };
    let seconds = at.saturating_add(EpochMs::from(utc_offset) * 60_000).rem_euclid(DAY_MS) / 1_000;
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
    format!("{day} at {hours:02}:{minutes:02}:{:02}", seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The third of May 2021.
    const MAY: EpochMs = 1_620_000_000_000;
    const LAST: EpochMs = MAY + DAY_MS - 1;

    #[test]
    fn a_moment_is_told_by_the_clock() {
        let check = |at: EpochMs, utc_offset: i32, expected: &str| {
            assert_eq!(moment(at, utc_offset), expected, "{at}, {utc_offset}");
        };
        check(MAY, 0, "2021-05-03 at 00:00:00");
        check(LAST, 0, "2021-05-03 at 23:59:59");
        check(MAY, -480, "2021-05-02 at 16:00:00");
        check(LAST, 90, "2021-05-04 at 01:29:59");
        check(-1, 0, "1969-12-31 at 23:59:59");
        check(EpochMs::MAX, 0, &EpochMs::MAX.to_string());
    }

    #[test]
    fn what_cannot_be_told_of_then_is_said() {
        let check = |(as_of, known_at), (policy, past_is_cut), first: Option<&str>, lines: usize| {
            let told = notices(Then { as_of, known_at }, (LAST, 0), (policy, past_is_cut));
            assert_eq!((told.first().map(String::as_str), told.len()), (first, lines), "{as_of:?}, {known_at:?}");
        };
        check((None, None), (Policy::Auto, true), None, 0);
        let so = "This tells what was so on 2021-05-03 at 00:00:00.";
        check((Some(MAY), None), (Policy::Auto, true), Some(so), 4);
        check((Some(MAY), None), (Policy::Workspace, false), Some(so), 3);
        let known = "This tells what was known on 2021-05-03 at 23:59:59.";
        check((None, Some(LAST)), (Policy::Task, false), Some(known), 3);
        let both = "This tells what was so on 2021-05-03 at 00:00:00, as it was known on 2021-05-03 at 23:59:59.";
        check((Some(MAY), Some(LAST)), (Policy::Task, true), Some(both), 4);
        let will = "This tells what will be so on 2021-05-04 at 00:00:00, as it is known now.";
        check((Some(LAST + 1), None), (Policy::Task, false), Some(will), 3);
        check((Some(LAST + 1), Some(LAST + 1)), (Policy::Task, false), Some(will), 3);
        check((None, Some(LAST + 1)), (Policy::Task, false), Some("This tells what is known now."), 3);
        let will = "This tells what will be so on 2021-05-04 at 00:00:00, as it was known on 2021-05-03 at 00:00:00.";
        check((Some(LAST + 1), Some(MAY)), (Policy::Task, false), Some(will), 3);
    }
}
