//! What the keys do, everywhere in the window. Keys of one list or one viewer stand with it.

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// The palette.
    Palette,
    /// A page, from 1.
    Page(u8),
    /// The settings.
    Settings,
    /// Add files.
    AddFiles,
    /// Choose a space.
    Spaces,
    /// The search box.
    Search,
    /// The next region of the window.
    NextRegion,
    /// Back in history.
    Back,
    /// Forward in history.
    Forward,
    /// Take the last thing back.
    Undo,
    /// All keys.
    Help,
    /// Close what is on top.
    Close,
    /// The next match.
    NextMatch,
    /// The match before.
    PreviousMatch,
}

/// A key as it was pressed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Press<'a> {
    /// Its name, as `KeyboardEvent.key` gives it.
    pub key: &'a str,
    /// Ctrl, or Cmd on macOS.
    pub ctrl: bool,
    /// Shift.
    pub shift: bool,
    /// Alt.
    pub alt: bool,
    /// Whether the focus is in a field that takes text.
    pub typing: bool,
}

/// What a key press asks for, anywhere in the window.
pub fn command(press: Press<'_>) -> Option<Command> {
    let Press { key, ctrl, shift, alt, typing } = press;
    match (ctrl, alt, shift) {
        (true, false, false) => with_ctrl(key, typing),
        (true, false, true) => key.eq_ignore_ascii_case("s").then_some(Command::Spaces),
        (false, true, false) => match key {
            "ArrowLeft" => Some(Command::Back),
            "ArrowRight" => Some(Command::Forward),
            _ => None,
        },
        (false, false, _) => alone(key, shift, typing),
        _ => None,
    }
}

fn with_ctrl(key: &str, typing: bool) -> Option<Command> {
    match key {
        "k" | "K" => Some(Command::Palette),
        "," => Some(Command::Settings),
        "o" | "O" => Some(Command::AddFiles),
        // In a field, Ctrl+Z takes back typing.
        "z" | "Z" if !typing => Some(Command::Undo),
        digit if digit.len() == 1 => digit.parse().ok().filter(|n| (1..=7).contains(n)).map(Command::Page),
        _ => None,
    }
}

fn alone(key: &str, shift: bool, typing: bool) -> Option<Command> {
    match key {
        "Escape" => Some(Command::Close),
        "F6" => Some(Command::NextRegion),
        "F3" if shift => Some(Command::PreviousMatch),
        "F3" => Some(Command::NextMatch),
        "/" if !typing => Some(Command::Search),
        "?" if !typing => Some(Command::Help),
        _ => None,
    }
}

/// All keys, for the page that lists them: where they act, the keys, what they do.
pub const TABLE: &[(&str, &[(&str, &str)])] = &[
    (
        "Everywhere",
        &[
            ("Ctrl+K", "Find anything: ask, go, do"),
            ("Ctrl+1 … 7", "Recall, Library, Beliefs, Work, Review, Spaces & access, Activity"),
            ("Ctrl+,", "Settings"),
            ("Ctrl+O", "Add files"),
            ("Ctrl+Shift+S", "Choose a space"),
            ("/", "To the search box"),
            ("F6", "To the next region"),
            ("Alt+Left, Alt+Right", "Back and forward"),
            ("Ctrl+Z", "Undo"),
            ("F3, Shift+F3", "Next and previous match"),
            ("Ctrl++, Ctrl+-", "Everything larger, smaller"),
            ("?", "All keys"),
            ("Esc", "Close the topmost"),
        ],
    ),
    ("Recall", &[("Down", "Into the results"), ("W", "Why this result"), ("Ctrl+C", "Copy the quote and its place")]),
    ("Citation", &[("Enter", "Open the source"), ("Space", "Preview: the region, the lines, or six seconds")]),
    (
        "Library",
        &[
            ("Arrows", "Move"),
            ("Enter", "Open"),
            ("R", "Read again; restore what was removed"),
            ("Del", "Remove; it can be undone"),
        ],
    ),
    (
        "Beliefs",
        &[
            ("Arrows", "Move"),
            ("Enter", "Open"),
            ("W, E", "Why: the evidence"),
            ("G", "What is near: graph or list"),
            ("S", "Share with all spaces, or stop that"),
        ],
    ),
    (
        "Work",
        &[
            ("Arrows", "Move; in the tree, open and close"),
            ("Home, End", "To the first, to the last"),
            ("Enter", "Open"),
        ],
    ),
    (
        "Review",
        &[
            ("J, K", "Next, previous"),
            ("1, 2, 3, 4", "A is right, B is right, both disputed, other"),
            ("A, D", "Black it out, leave it as it is"),
            ("B", "Before and after"),
        ],
    ),
    ("Activity", &[("Up, Down", "Move"), ("C", "Cancel"), ("R", "Retry")]),
    (
        "Viewer",
        &[
            ("PgUp, PgDn", "Page"),
            ("+, -", "Larger, smaller"),
            ("Space", "Play or pause a recording"),
            ("Left, Right", "5 seconds back or on"),
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn press(keys: &str) -> Press<'_> {
        let mut press = Press::default();
        for part in keys.split('+') {
            match part {
                "Ctrl" => press.ctrl = true,
                "Shift" => press.shift = true,
                "Alt" => press.alt = true,
                "typing" => press.typing = true,
                key => press.key = key,
            }
        }
        press
    }

    #[test]
    fn keys_ask_for_what_the_design_says() {
        for (keys, wanted) in [
            ("Ctrl+k", Some(Command::Palette)),
            ("Ctrl+typing+k", Some(Command::Palette)),
            ("Ctrl+3", Some(Command::Page(3))),
            ("Ctrl+9", None),
            ("Ctrl+,", Some(Command::Settings)),
            ("Ctrl+o", Some(Command::AddFiles)),
            ("Ctrl+Shift+S", Some(Command::Spaces)),
            ("Ctrl+z", Some(Command::Undo)),
            ("Ctrl+typing+z", None),
            ("/", Some(Command::Search)),
            ("typing+/", None),
            ("Shift+?", Some(Command::Help)),
            ("Alt+ArrowLeft", Some(Command::Back)),
            ("F6", Some(Command::NextRegion)),
            ("F3", Some(Command::NextMatch)),
            ("Shift+F3", Some(Command::PreviousMatch)),
            ("typing+Escape", Some(Command::Close)),
            ("a", None),
            ("Ctrl+c", None),
        ] {
            assert_eq!(command(press(keys)), wanted, "{keys}");
        }
    }
}
