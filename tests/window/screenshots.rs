//! `cargo xtask screenshots`: a picture of every scene, in both themes and sizes, from the real app. `UM_SCENES` takes
//! only those whose names begin with one of its words (`recall,trace`).

use crate::app::{App, SIZES, THEMES};
use crate::samples::{a_model, a_week};
use crate::scenes::{SCENES, SOUND_SCENES, Scene, show, wanted};
use std::path::{Path, PathBuf};

/// The pictures that the documents show: scene, theme, name. All others go to `target/screenshots`.
const SHOWN: [(&str, &str, &str); 8] = [
    ("citation-image", "light", "recall-light"),
    ("citation-pdf", "dark", "recall-dark"),
    ("citation-sound", "light", "sound-light"),
    ("first-run", "light", "first-run-light"),
    ("library", "light", "library-light"),
    ("access", "light", "access-light"),
    ("activity", "dark", "activity-dark"),
    ("drop", "light", "drop-light"),
];

#[test]
fn screenshots_of_every_page() {
    let Some(named) = std::env::var_os("UM_SCREENSHOTS_DIR") else {
        eprintln!("skipped: `cargo xtask screenshots` takes them");
        return;
    };
    let Some(app) = App::start() else { return };
    let shown = PathBuf::from(named);
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/screenshots");
    for folder in [&shown, &all] {
        std::fs::create_dir_all(folder).expect("a folder for the pictures");
    }
    let first = Scene { name: "first-run", open: |app| app.go("/recall") };
    let empty = [
        first,
        Scene { name: "context-empty", open: |app| app.go("/recall?tab=context") },
        Scene { name: "traces-empty", open: |app| app.go("/recall?tab=traces") },
        Scene { name: "library-empty", open: |app| app.go("/library") },
        Scene { name: "beliefs-empty", open: |app| app.go("/beliefs") },
        Scene { name: "work-empty", open: |app| app.go("/work") },
        Scene { name: "rules-empty", open: |app| app.go("/work?tab=rules") },
        Scene { name: "resources-empty", open: |app| app.go("/work?tab=resources") },
        Scene { name: "review-empty", open: |app| app.go("/review") },
        Scene { name: "redactions-empty", open: |app| app.go("/review?tab=redactions") },
        Scene { name: "promotions-empty", open: |app| app.go("/review?tab=promotions") },
        Scene { name: "review-names-empty", open: |app| app.go("/review?tab=names") },
        Scene { name: "review-history-empty", open: |app| app.go("/review?tab=history") },
        Scene { name: "activity-empty", open: |app| app.go("/activity") },
    ];
    take(&app, &[&empty], &shown, &all);
    a_week(&app);
    take(&app, &SCENES, &shown, &all);
    if a_model(&app) {
        take(&app, &SOUND_SCENES, &shown, &all);
    }
}

fn take(app: &App, scenes: &[&[Scene]], shown: &Path, all: &Path) {
    for (width, height) in SIZES {
        app.resize(width, height);
        for theme in THEMES {
            app.theme(theme);
            for scene in wanted(scenes) {
                show(app, scene);
                let picture = app.screenshot();
                let file = all.join(format!("{}-{theme}-{width}x{height}.png", scene.name));
                std::fs::write(file, &picture).expect("the picture can be written");
                let name = SHOWN.iter().find(|(of, in_theme, _)| *of == scene.name && *in_theme == theme);
                if let Some((_, _, name)) = name.filter(|_| width == SIZES[0].0) {
                    std::fs::write(shown.join(format!("{name}.png")), &picture).expect("the picture can be written");
                }
            }
        }
    }
}
