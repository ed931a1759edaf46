//! The words in which two values differ.

/// The words of one text, each with whether the other text has it too, in the same order.
fn against(own: &[&str], other: &[&str]) -> Vec<bool> {
    // The longest run of common words, counted from every pair of places on.
    let mut longest = vec![vec![0usize; other.len() + 1]; own.len() + 1];
    for (i, a) in own.iter().enumerate().rev() {
        for (j, b) in other.iter().enumerate().rev() {
            longest[i][j] = if a == b { longest[i + 1][j + 1] + 1 } else { longest[i + 1][j].max(longest[i][j + 1]) };
        }
    }
    let (mut i, mut j, mut common) = (0, 0, vec![false; own.len()]);
    while i < own.len() && j < other.len() {
        if own[i] == other[j] {
            common[i] = true;
            (i, j) = (i + 1, j + 1);
        } else if longest[i + 1][j] >= longest[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    common
}

/// The pieces of a text in order, each with whether it differs from another text.
pub fn pieces(own: &str, other: &str) -> Vec<(String, bool)> {
    let (mine, theirs): (Vec<&str>, Vec<&str>) = (own.split_whitespace().collect(), other.split_whitespace().collect());
    let mut out: Vec<(String, bool)> = Vec::new();
    for (word, common) in mine.iter().zip(against(&mine, &theirs)) {
        match out.last_mut() {
            Some((piece, differs)) if *differs != common => {
                piece.push(' ');
                piece.push_str(word);
            }
            _ => out.push(((*word).to_owned(), !common)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(own: &str, other: &str, expected: &[(&str, bool)]) {
        let expected: Vec<_> = expected.iter().map(|(text, differs)| ((*text).to_owned(), *differs)).collect();
        assert_eq!(pieces(own, other), expected, "{own} against {other}");
    }

    #[test]
    fn only_what_differs_is_marked() {
        check("3 May 1984", "5 May 1984", &[("3", true), ("May 1984", false)]);
        check("Acme", "Northwind", &[("Acme", true)]);
        check("Acme", "Acme", &[("Acme", false)]);
        check("not Acme", "Acme", &[("not", true), ("Acme", false)]);
        check("", "x", &[]);
        check("a b c", "c", &[("a b", true), ("c", false)]);
    }
}
