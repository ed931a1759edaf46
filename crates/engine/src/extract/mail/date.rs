//! When a mail was written, by the head that stands over it (RFC 5322, section 3.6.1, and what mail programs print).

use um_model::EpochMs;

const MINUTE_MS: i64 = 60_000;

/// When the mail was written that a text begins with: the `Date:` or `Sent:` line of a head that also says who it is from
/// and to whom, or about what. A time without a zone is taken for UTC.
pub fn mail_date(text: &str) -> Option<EpochMs> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let (mut date, mut from, mut about) = (None, false, false);
    // A mailbox's own line stands before the head.
    let lines = text.lines().skip_while(|line| line.starts_with("From "));
    for line in lines.take_while(|line| !line.trim().is_empty()) {
        if line.starts_with([' ', '\t']) {
            continue;
        }
        let (key, value) = line.split_once(':').filter(|(key, _)| is_key(key))?;
        match key.trim().to_ascii_lowercase().as_str() {
            "date" | "sent" if date.is_none() => date = moment(value.trim()),
            "from" => from = true,
            "to" | "subject" => about = true,
            _ => {}
        }
    }
    date.filter(|_| from && about)
}

/// When a mail came into its mailbox, by the line before it: `From ana@example.org Tue Mar 12 09:14:00 2024` (RFC 4155). A zone may stand
/// behind the time.
pub(super) fn mark_date(mark: &str) -> Option<EpochMs> {
    let words: Vec<&str> = mark.split_whitespace().collect();
    let time = words.iter().rposition(|word| word.contains(':') && word.starts_with(|c: char| c.is_ascii_digit()))?;
    let [month, day] = words.get(time.checked_sub(2)?..time)? else { return None };
    let (zones, years): (Vec<&str>, Vec<&str>) =
        words[time + 1..].iter().copied().partition(|word| word.starts_with(['+', '-']));
    moment(&format!("{day} {month} {} {} {}", years.first()?, words[time], zones.first().unwrap_or(&"")))
}

/// `Reply-To`, in bold or not as programs print it.
fn is_key(key: &str) -> bool {
    let key = key.trim();
    !key.is_empty() && key.len() <= 40 && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

/// `Tue, 12 Mar 2024 09:14:00 +0100 (CET)`, `Tuesday, March 12, 2024 9:14 AM`, `2024-03-12 09:14`.
fn moment(text: &str) -> Option<EpochMs> {
    let text = text.split('(').next()?.trim();
    let text = text.split_once(',').filter(|(day, _)| is_weekday(day)).map_or(text, |(_, rest)| rest.trim());
    let spaced = match text.split_once('T') {
        Some((day, time)) if day.len() == 10 && day.starts_with(|c: char| c.is_ascii_digit()) => {
            format!("{day} {time}")
        }
        _ => text.to_owned(),
    };
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let time = words.iter().position(|word| word.contains(':')).unwrap_or(words.len());
    let day: Vec<&str> = words[..time].iter().copied().filter(|word| !word.eq_ignore_ascii_case("at")).collect();
    let begins = um_rules::date_begins(day.join(" ").trim_end_matches(','))?;
    Some(begins + words.get(time).map_or(Some(0), |_| minutes(&words[time..]))? * MINUTE_MS)
}

fn is_weekday(word: &str) -> bool {
    let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    word.get(..3).is_some_and(|head| days.contains(&head.to_ascii_lowercase().as_str()))
}

/// The minutes of a day in UTC, from `09:14:00 +0100` or `9:14 PM`; `None` for what is no time.
fn minutes(words: &[&str]) -> Option<i64> {
    let mut parts = words[0].trim_end_matches(['Z', 'z']).split(':').map(|part| part.parse::<i64>().ok());
    let (mut hour, minute) = (parts.next()??, parts.next()??);
    if !(0..24).contains(&hour) || !(0..60).contains(&minute) {
        return None;
    }
    let mut zone = 0;
    for word in &words[1..] {
        match word.to_ascii_uppercase().as_str() {
            "PM" if hour < 12 => hour += 12,
            "AM" if hour == 12 => hour = 0,
            word => zone = offset(word).unwrap_or(zone),
        }
    }
    Some(hour * 60 + minute - zone)
}

/// The minutes that a zone is before UTC: `+0130` is 90, `EST` is -300 (RFC 5322, section 4.3).
fn offset(word: &str) -> Option<i64> {
    let hours = match word {
        "EDT" => -4,
        "EST" | "CDT" => -5,
        "CST" | "MDT" => -6,
        "MST" | "PDT" => -7,
        "PST" => -8,
        _ => return in_figures(word),
    };
    Some(hours * 60)
}

fn in_figures(word: &str) -> Option<i64> {
    let sign = match word.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits: String = word[1..].chars().filter(|c| *c != ':').collect();
    let number: i64 = digits.parse().ok().filter(|_| digits.len() == 4)?;
    Some(sign * (number / 100 * 60 + number % 100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_tell_when_a_mail_was_written() {
        const DAY: i64 = 1_710_201_600_000; // 2024-03-12
        let at = |hour: i64, minute: i64| Some(DAY + (hour * 60 + minute) * MINUTE_MS);
        let long = format!("{}From: Ana\nTo: Bo\nDate: 12 March 2024\n\nHi", "Received: by a\n with b\n".repeat(60));
        for (text, expected) in [
            ("From: Ana <a@b.example>\nTo: Bo\nDate: Tue, 12 Mar 2024 09:14:00 +0100 (CET)\n\nI moved.", at(8, 14)),
            ("Date: 12 Mar 2024 23:30:00 -0130\nFrom: Ana\nSubject: hello\n folded: on\n\nI moved.", at(25, 0)),
            (
                "From ana@b.example Tue Mar 12\nFrom: Ana\nSent: Tuesday, March 12, 2024 9:14 PM\nTo: Bo\n\nHi",
                at(21, 14),
            ),
            ("From: Ana\nSubject: hello\nDate: March 12, 2024 at 12:05 AM\n\nHi", at(0, 5)),
            ("From: Ana\r\nTo: Bo\r\nDate: 2024-03-12T09:14:00Z\r\n\r\nHi", at(9, 14)),
            ("From: Ana\nTo: Bo\nDate: Tue, 12 Mar 2024 09:14:00 EST\n\nHi", at(14, 14)),
            ("From: Ana\nTo: Bo\nDate: Tue, 12 Mar 2024 9:14 PM pdt\n\nHi", at(28, 14)),
            ("From: Ana\nTo: Bo\nDate: Tue, 12 Mar 2024 09:14:00 GMT\n\nHi", at(9, 14)),
            ("From: Ana\nTo: Bo\nDate: 12 March 2024\n\nHi", at(0, 0)),
            (&*long, at(0, 0)),
            ("Date: 12 March 2024\nTotal: 12.00\n\nThanks", None),
            ("From: Ana\nTo: Bo\n\nDate: 12 March 2024", None),
            ("From: Ana\nTo: Bo\nDate: some day\n\nHi", None),
            ("From: Ana\nTo: Bo\nDate: 12 March 2024 99:14\n\nHi", None),
            ("From: Ana\nwho wrote this\nTo: Bo\nDate: 12 March 2024\n\nHi", None),
            ("", None),
        ] {
            assert_eq!(mail_date(text), expected, "{text}");
        }
        for (mark, expected) in [
            ("From ana@b.example Tue Mar 12 09:14:00 2024", at(9, 14)),
            ("From - Tue Mar 12 09:14:00 2024", at(9, 14)),
            ("From 17@xxx Tue Mar 12 09:14:00 +0100 2024", at(8, 14)),
            ("From ana:b Tue Mar 12 09:14 2024 -01:30", at(10, 44)),
            ("From here on at 9:14", None),
            ("From 9:14", None),
            ("From ana@b.example", None),
        ] {
            assert_eq!(mark_date(mark), expected, "{mark}");
        }
    }
}
