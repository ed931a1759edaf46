//! Texts whose lines were broken for sending, to be put together again where they are shown (RFC 3676).

/// A text with each of its paragraphs on one line, behind the signs (`>`) of those whom it quotes. A line that ends with a space goes on
/// in the next one, where that is quoted as deep; `is_glued` says that this space is none of the text.
pub(super) fn unfolded(text: &str, is_glued: bool) -> String {
    let mut unfolded = String::with_capacity(text.len());
    // How deep the line is quoted that goes on.
    let mut open = None;
    for (at, line) in text.lines().enumerate() {
        let signs = signs(line);
        let (said, depth) = (&line[signs.len()..], signs.matches('>').count());
        // Put before what would look like a quote, and behind the signs of one.
        let said = said.strip_prefix(' ').unwrap_or(said);
        let is_signature = said == "-- ";
        // Many programs leave a space at the end of a paragraph: a blank line ends it all the same.
        let is_blank = said.trim().is_empty();
        if open != Some(depth) || is_signature || is_blank {
            begin(&mut unfolded, at > 0, open.is_some());
            unfolded.push_str(signs);
            unfolded.push_str(if depth > 0 && !is_blank { " " } else { "" });
        }
        let goes_on = said.ends_with(' ') && !is_signature && !is_blank;
        let said = if goes_on && is_glued { &said[..said.len() - 1] } else { said };
        unfolded.push_str(if is_blank { "" } else { said });
        open = goes_on.then_some(depth);
    }
    unfolded
}

/// The signs of whom a line quotes: `>>`, or `> >` as some programs put them.
fn signs(line: &str) -> &str {
    let mut end = 0;
    for (at, sign) in line.char_indices() {
        match sign {
            '>' => end = at + 1,
            ' ' if at > 0 && at == end => {}
            _ => break,
        }
    }
    &line[..end]
}

/// Begins a line; `is_cut` says that the one before it was to go on, and ends with a space.
fn begin(text: &mut String, is_behind_line: bool, is_cut: bool) {
    if is_cut {
        text.truncate(text.trim_end_matches(' ').len());
    }
    if is_behind_line {
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(unfolded(text, false), expected, "{text:?}");
    }

    #[test]
    fn lines_that_were_broken_are_one_again() {
        check("", "");
        check("The rent \nrises.\nIn May.", "The rent rises.\nIn May.");
        check("The \nrent \nrises. \n\nIn May. ", "The rent rises.\n\nIn May. ");
        // A space was put before what would look like a quote or the line of a mailbox.
        check(" >5 euros \n From Bo.", ">5 euros From Bo.");
        check("  * one\n  * two", " * one\n * two");
        check("a \n \nb", "a\n\nb");
    }

    #[test]
    fn what_is_quoted_stays_so() {
        check("> The rent \n> rises.\n> In May.\nWhy?", "> The rent rises.\n> In May.\nWhy?");
        check(">> The \n>> rent \n> rises \nnow.", ">> The rent\n> rises\nnow.");
        check(">The \n>rent.\n>\n>Bo", "> The rent.\n>\n> Bo");
        check("> > The \n> > rent.", "> > The rent.");
    }

    #[test]
    fn a_signature_stands_by_itself() {
        check("Bye \n-- \nAna \nLima", "Bye\n-- \nAna Lima");
        check("> Bye\n> -- \n> Ana", "> Bye\n> -- \n> Ana");
    }

    #[test]
    fn the_space_may_be_none_of_the_text() {
        assert_eq!(unfolded("山田 \n太郎  \nです。\n-- \nBo", true), "山田太郎 です。\n-- \nBo");
    }
}
