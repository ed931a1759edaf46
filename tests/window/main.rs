//! The window itself: the real app with its real engine, driven through WebDriver.
//!
//! `cargo xtask window` runs these on a display of their own and sets UM_WINDOW_TESTS=1; without it each says that it
//! is skipped. UM_TAURI_DRIVER names tauri-driver (else the one on the path is taken), UM_AXE the file axe.min.js,
//! UM_APP another app than the one just built.

mod accessibility;
mod add_files;
mod app;
mod base64;
mod beliefs;
mod browser;
mod citation;
mod driver;
mod drop;
mod first_run;
mod http;
mod item;
mod keyboard;
mod library;
mod looks;
mod recall;
mod review;
mod samples;
mod scenes;
mod screenshots;
mod settings;
mod sound;
mod viewer;
