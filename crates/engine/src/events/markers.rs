//! What a session's messages mark to be remembered: `Remember:`, `Lesson learned:`, `Decision:` at the beginning of a line
//! (continuity document, end of a session).

use um_model::envelope::RecordKind;

/// What a line begins with that marks it, and what is recorded then.
const MARKERS: &[(&str, RecordKind)] = &[
    ("remember", RecordKind::Other),
    ("lesson learned", RecordKind::LessonLearned),
    ("decision", RecordKind::Decision),
];

/// The texts that a message marks, with what they record, each with the lines that go on with it: up to an empty line, a heading, an item of a list or
/// the next marker.
pub(crate) fn marked(message: &str) -> Vec<(RecordKind, String)> {
    let mut found: Vec<(RecordKind, String)> = Vec::new();
    let mut is_open = false;
    let mut in_code = false;
    for line in message.lines() {
        let (words, is_item) = without_sign(line.trim());
        if words.starts_with("```") {
            (in_code, is_open) = (!in_code, false);
            continue;
        }
        if in_code {
            continue;
        }
        match begins(words) {
            Some((kind, rest)) => {
                found.push((kind, rest.to_owned()));
                is_open = true;
            }
            None if words.is_empty() || is_item || words.starts_with('#') => is_open = false,
            None if is_open => {
                if let Some((_, last)) = found.last_mut() {
                    if !last.is_empty() {
                        last.push(' ');
                    }
                    last.push_str(words);
                }
            }
            None => {}
        }
    }
    found.retain(|(_, text)| !text.is_empty());
    found
}

/// What stands after a marker, where a line begins with one, with what it records.
fn begins(line: &str) -> Option<(RecordKind, &str)> {
    let line = line.trim_start_matches("**");
    let (head, rest) = line.split_once(':')?;
    let head = head.trim().trim_end_matches("**");
    let (_, kind) = MARKERS.iter().find(|(marker, _)| head.eq_ignore_ascii_case(marker))?;
    Some((*kind, rest.trim().trim_start_matches("**").trim()))
}

/// A line without the sign of its list, and whether it has one.
fn without_sign(line: &str) -> (&str, bool) {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match line[digits..].strip_prefix(['.', ')']) {
        Some(rest) if digits > 0 => rest,
        _ => line.strip_prefix(['-', '*', '+', '•']).unwrap_or(line),
    };
    match rest.starts_with(' ') && rest.len() < line.len() {
        true => (rest.trim_start(), true),
        false => (line, false),
    }
}

#[cfg(test)]
mod tests {
    use super::marked;
    use um_model::envelope::RecordKind::{self, Decision, LessonLearned, Other};

    #[test]
    fn markers_stand_at_the_beginning_of_a_line() {
        let check = |message: &str, wanted: &[(RecordKind, &str)]| {
            let found = marked(message);
            let found: Vec<(RecordKind, &str)> = found.iter().map(|(kind, text)| (*kind, text.as_str())).collect();
            assert_eq!(found, wanted, "{message}");
        };
        check("Remember: the ferry leaves at noon.", &[(Other, "the ferry leaves at noon.")]);
        check(
            "done.\n- Decision: use tabs\n- lesson LEARNED : measure first",
            &[(Decision, "use tabs"), (LessonLearned, "measure first")],
        );
        check("1. Remember: one\n2) Decision: two\n3. three", &[(Other, "one"), (Decision, "two")]);
        check("**Decision:** keep it\nsimple.\n\nThen rest.", &[(Decision, "keep it simple.")]);
        check("Decision:\n  we go on\n# Next", &[(Decision, "we go on")]);
        check("I remember: nothing. Please remember: this", &[]);
        check("```\nDecision: of an example\n```\nDecision: mine", &[(Decision, "mine")]);
        check("Remember:", &[]);
        check("Remembering: x\ndecisions: y", &[]);
        check("", &[]);
    }
}
