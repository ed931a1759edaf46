//! Draws the icons, so that they are source like all else: a stack of three sheets, the top one with a cited line.

mod paint;
mod png;

use crate::files::write_if_changed;
use crate::place::Place;
use crate::step::{Outcome, Step};
use paint::{Canvas, Colour, Rounded};

/// The window's accent (light), its ground, and its evidence tint.
const ACCENT: Colour = Colour::rgb(0x0A6173);
const PAPER: Colour = Colour::rgb(0xFFFFFF);
const EVIDENCE: Colour = Colour::rgb(0xF3CB63);
const DANGER: Colour = Colour::rgb(0xB5123E);
const GREY: Colour = Colour::rgb(0x81868D);

const APP_SIZES: &[(&str, usize)] =
    &[("icons/32x32.png", 32), ("icons/128x128.png", 128), ("icons/128x128@2x.png", 256), ("icons/icon.png", 512)];
/// Tray icons are drawn at twice the usual size, for sharp screens.
const TRAY_SIZE: usize = 44;

/// What the tray says by its shape, and by colour besides.
#[derive(Clone, Copy)]
enum Tray {
    Idle,
    Working,
    Paused,
    NeedsYou,
}

/// The one step.
pub fn step() -> Step {
    Step { name: "Icons", act: draw, without: None }
}

fn draw(place: &Place) -> Result<Outcome, String> {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for (path, size) in APP_SIZES {
        files.push((path.to_string(), png::encode(&app(*size))));
    }
    files.push(("icons/icon.ico".into(), png::ico(&app(256))));
    let trays =
        [("idle", Tray::Idle), ("working", Tray::Working), ("paused", Tray::Paused), ("needs-you", Tray::NeedsYou)];
    for (name, state) in trays {
        files.push((format!("icons/tray-{name}.png"), png::encode(&tray(state))));
    }
    let mut changed = 0;
    for (path, bytes) in &files {
        changed += usize::from(write_if_changed(&place.at(path), bytes)?);
    }
    Ok(if changed == 0 { Outcome::AlreadyThere } else { Outcome::Done(format!("{changed} files")) })
}

/// The app: sheets on a ground of the accent.
fn app(size: usize) -> Canvas {
    let mut canvas = Canvas::new(size);
    canvas.fill(Rounded::new(0.04, 0.04, 0.92, 0.92, 0.2), ACCENT);
    canvas.fill(Rounded::new(0.30, 0.17, 0.48, 0.46, 0.05), PAPER.faded(0.35));
    canvas.fill(Rounded::new(0.25, 0.24, 0.48, 0.48, 0.05), PAPER.faded(0.6));
    canvas.fill(Rounded::new(0.20, 0.32, 0.50, 0.50, 0.05), PAPER);
    canvas.fill(Rounded::new(0.27, 0.42, 0.36, 0.05, 0.025), ACCENT.faded(0.55));
    canvas.fill(Rounded::new(0.24, 0.52, 0.42, 0.11, 0.025), EVIDENCE);
    canvas.fill(Rounded::new(0.27, 0.55, 0.30, 0.05, 0.025), ACCENT);
    canvas.fill(Rounded::new(0.27, 0.68, 0.24, 0.05, 0.025), ACCENT.faded(0.55));
    canvas
}

/// The tray: two sheets, and at the lower right the state. A light rim keeps them apart from dark panels.
fn tray(state: Tray) -> Canvas {
    let mut canvas = Canvas::new(TRAY_SIZE);
    let sheet = if matches!(state, Tray::Paused) { GREY } else { ACCENT };
    canvas.fill(Rounded::new(0.24, 0.02, 0.62, 0.66, 0.12), PAPER);
    canvas.fill(Rounded::new(0.28, 0.06, 0.54, 0.58, 0.09), sheet.faded(0.6));
    canvas.fill(Rounded::new(0.08, 0.16, 0.66, 0.80, 0.12), PAPER);
    canvas.fill(Rounded::new(0.12, 0.20, 0.58, 0.72, 0.09), sheet);
    canvas.fill(Rounded::new(0.22, 0.34, 0.38, 0.08, 0.04), PAPER);
    canvas.fill(Rounded::new(0.22, 0.50, 0.26, 0.08, 0.04), PAPER);
    mark(&mut canvas, state);
    canvas
}

/// Idle: nothing. Working: three dots. Paused: two bars. Needs you: a full disc with a stroke and a dot.
fn mark(canvas: &mut Canvas, state: Tray) {
    match state {
        Tray::Idle => {}
        Tray::Working => {
            canvas.fill(Rounded::new(0.26, 0.66, 0.74, 0.32, 0.16), PAPER);
            for x in [0.42, 0.63, 0.84] {
                canvas.fill(Rounded::disc(x, 0.82, 0.085), ACCENT);
            }
        }
        Tray::Paused => {
            canvas.fill(Rounded::new(0.50, 0.52, 0.48, 0.46, 0.1), PAPER);
            canvas.fill(Rounded::new(0.56, 0.58, 0.13, 0.34, 0.03), GREY);
            canvas.fill(Rounded::new(0.79, 0.58, 0.13, 0.34, 0.03), GREY);
        }
        Tray::NeedsYou => {
            canvas.fill(Rounded::disc(0.72, 0.72, 0.28), PAPER);
            canvas.fill(Rounded::disc(0.72, 0.72, 0.24), DANGER);
            canvas.fill(Rounded::new(0.68, 0.55, 0.08, 0.2, 0.04), PAPER);
            canvas.fill(Rounded::disc(0.72, 0.83, 0.05), PAPER);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tray_states_differ() {
        let all = [Tray::Idle, Tray::Working, Tray::Paused, Tray::NeedsYou].map(|state| tray(state).rgba());
        for (index, one) in all.iter().enumerate() {
            assert!(all[index + 1..].iter().all(|other| other != one));
        }
    }
}
