//! The parts that pages are made of.

pub mod add_files;
pub mod ask_keys;
pub mod choose_path;
pub mod citation;
pub mod dialog;
pub mod dialogs;
pub mod drop_overlay;
pub mod forget;
pub mod grown_list;
pub mod icon;
pub mod link;
pub mod list;
pub mod measure;
pub mod menu;
pub mod model_notice;
pub mod nav;
pub mod pairing;
pub mod palette;
pub mod space_switcher;
pub mod states;
pub mod status_bar;
pub mod tabs;
pub mod thumbnail;
pub mod toast;
pub mod viewer;
pub mod watched;
