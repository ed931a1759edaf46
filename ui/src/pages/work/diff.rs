//! What changed between two versions, line by line. What is the same is shown only around what is not.

use super::words::part;
use leptos::prelude::*;
use um_model::work::{DiffLine, DiffSide, FieldDiff};

/// So many lines that are the same are shown before and after one that is not.
const AROUND: usize = 3;

/// A piece of what is shown.
#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Line(DiffLine),
    /// So many lines that are the same are left out.
    Same(usize),
}

/// The lines that are shown, and how many are left out between them.
fn pieces(lines: Vec<DiffLine>) -> Vec<Piece> {
    let differs: Vec<usize> =
        lines.iter().enumerate().filter(|(_, line)| line.side != DiffSide::Both).map(|(at, _)| at).collect();
    let is_near = |at: usize| {
        let next = differs.partition_point(|one| *one < at);
        let after = differs.get(next).is_some_and(|one| one - at <= AROUND);
        let before = next.checked_sub(1).is_some_and(|before| at - differs[before] <= AROUND);
        after || before
    };
    let mut out: Vec<Piece> = Vec::new();
    for (at, line) in lines.into_iter().enumerate() {
        match out.last_mut() {
            _ if is_near(at) => out.push(Piece::Line(line)),
            Some(Piece::Same(left_out)) => *left_out += 1,
            _ => out.push(Piece::Same(1)),
        }
    }
    out
}

/// Draws what changed.
pub fn diff(fields: Vec<FieldDiff>) -> impl IntoView {
    if fields.is_empty() {
        return view! { <p class="muted" data-testid="diff-none">"They say the same."</p> }.into_any();
    }
    let field = |one: FieldDiff| {
        let lines = pieces(one.lines).into_iter().map(line).collect_view();
        view! {
            <div class="diff" role="group" aria-label=part(&one.field) data-testid="diff">
                <p class="muted small">{part(&one.field)}</p>
                <ol class="diff-lines">{lines}</ol>
            </div>
        }
    };
    fields.into_iter().map(field).collect_view().into_any()
}

fn line(piece: Piece) -> AnyView {
    let DiffLine { side, text } = match piece {
        Piece::Line(line) => line,
        Piece::Same(1) => return view! { <li class="diff-same muted small">"1 line is the same"</li> }.into_any(),
        Piece::Same(more) => {
            return view! { <li class="diff-same muted small">{format!("{more} lines are the same")}</li> }.into_any();
        }
    };
    let (class, sign, word) = match side {
        DiffSide::Both => ("diff-line", " ", ""),
        DiffSide::From => ("diff-line from", "-", "Gone: "),
        DiffSide::To => ("diff-line to", "+", "New: "),
    };
    view! {
        <li class=class>
            <span class="diff-sign" aria-hidden="true">{sign}</span>
            <span class="diff-text"><span class="hidden-words">{word}</span>{text}</span>
        </li>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `=` a line that is the same, `-` one that is gone, `+` one that is new; a number stands for lines left out.
    fn shown(lines: &str) -> String {
        let side = |sign: char| match sign {
            '-' => DiffSide::From,
            '+' => DiffSide::To,
            _ => DiffSide::Both,
        };
        let lines = lines.chars().map(|sign| DiffLine { side: side(sign), text: String::new() }).collect();
        let drawn = |piece: &Piece| match piece {
            Piece::Same(number) => number.to_string(),
            Piece::Line(line) => match line.side {
                DiffSide::Both => "=".to_owned(),
                DiffSide::From => "-".to_owned(),
                DiffSide::To => "+".to_owned(),
            },
        };
        pieces(lines).iter().map(drawn).collect()
    }

    #[test]
    fn only_what_is_near_a_change_is_shown() {
        assert_eq!(shown("=-+="), "=-+=");
        assert_eq!(shown("======+======"), "3===+===3");
        assert_eq!(shown("-=======+"), "-===1===+");
        assert_eq!(shown("-======+"), "-======+");
        assert_eq!(shown("===="), "4");
        assert_eq!(shown(""), "");
    }
}
