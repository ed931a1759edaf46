//! What a session's messages mark to be remembered: `Remember:`, `Lesson learned:`, `Decision:` at the beginning of a line
//! (continuity document, end of a session).

/// What a line begins with that marks it.
const MARKERS: &[&str] = &["remember", "lesson learned", "decision"];

/// The texts that a message marks, each with the lines that go on with it: up to an empty line, a heading, an item of a list or
/// the next marker.
pub(crate) fn marked(message: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
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
            Some(rest) => {
                found.push(rest.to_owned());
                is_open = true;
            }
            None if words.is_empty() || is_item || words.starts_with('#') => is_open = false,
            None if is_open => {
                if let Some(last) = found.last_mut() {
                    if !last.is_empty() {
                        last.push(' ');
                    }
                    last.push_str(words);
                }
            }
            None => {}
        }
    }
    found.retain(|text| !text.is_empty());
    found
}

/// What stands after a marker, where a line begins with one.
fn begins(line: &str) -> Option<&str> {
    let line = line.trim_start_matches("**");
    let (head, rest) = line.split_once(':')?;
    let head = head.trim().trim_end_matches("**");
    MARKERS.iter().any(|marker| head.eq_ignore_ascii_case(marker)).then(|| rest.trim().trim_start_matches("**").trim())
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

    #[test]
    fn markers_stand_at_the_beginning_of_a_line() {
        let check = |message: &str, wanted: &[&str]| assert_eq!(marked(message), wanted, "{message}");
        check("Remember: the ferry leaves at noon.", &["the ferry leaves at noon."]);
        check("done.\n- Decision: use tabs\n- lesson LEARNED : measure first", &["use tabs", "measure first"]);
        check("1. Remember: one\n2) Decision: two\n3. three", &["one", "two"]);
        check("**Decision:** keep it\nsimple.\n\nThen rest.", &["keep it simple."]);
        check("Decision:\n  we go on\n# Next", &["we go on"]);
        check("I remember: nothing. Please remember: this", &[]);
        check("```\nDecision: of an example\n```\nDecision: mine", &["mine"]);
        check("Remember:", &[]);
        check("Remembering: x\ndecisions: y", &[]);
        check("", &[]);
    }
}
