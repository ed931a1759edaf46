//! The window itself: the real app with its real engine, driven through WebDriver.
//!
//! `cargo xtask window` runs these on a display of their own and sets UM_WINDOW_TESTS=1; without it each says that it
//! is skipped. UM_TAURI_DRIVER names tauri-driver (else the one on the path is taken), UM_AXE the file axe.min.js,
//! UM_APP another app than the one just built.
//!
//! What the window promises, and the test that shows it:
//!
//! | | promise | shown by |
//! |---|---|---|
//! | 1 | each page, both themes, 1280x800 and 880x600: nothing clipped | `looks::nothing_is_clipped_and_every_colour_is_a_token`; at 200 % `looks::twice_as_large_…` |
//! | 2 | axe finds nothing, in dialogs and states too | `accessibility::every_scene_is_free_of_violations` |
//! | 3 | computed colours equal the tokens | `looks::nothing_is_clipped_and_every_colour_is_a_token` |
//! | 4 | all by keyboard, the focus visible | `keyboard::tab_reaches_every_control_with_a_ring`, `keyboard`, `item::keys_…`, `library::the_menu_of_a_file_…` |
//! | 5 | a citation's highlight within 1 s | `recall::a_citation_leads_to_its_words` |
//! | 6 | a quote equals the source at its offsets | `recall::a_citation_leads_to_its_words` |
//! | 7 | a sound citation seeks within 0.5 s | `sound::a_sound_citation_seeks_to_its_second` |
//! | 8 | a drag over the window names the space before the drop | `drop::the_space_is_named_before_the_drop` |
//! | 9 | empty states have their sentence and action | `first_run::empty_pages_say_what_to_do`, and the first wait of `beliefs` and `review` |
//! | 10 | a missing model: reason, size, both actions | `settings::a_missing_model_says_why_how_large_and_both_ways_out` |
//! | 11 | a conflict: key 1 decides, Ctrl+Z restores | `review::a_key_decides_and_undo_restores` |
//! | 12 | a finding applied: pixels black, recall empty | `redactions::an_address_on_a_picture_is_found_accepted_and_blacked_out` |
//! | 13 | an agent is let in by a click, never by Enter | `pairing::an_agent_is_let_in_by_a_click_and_never_by_enter` |
//! | 14 | reduced motion: no animation | `looks::nothing_moves_where_motion_is_unwanted` |
//! | 15 | greyscale: states readable | `looks::every_state_is_told_by_a_drawing_and_a_word`, `citation::every_state_has_its_icon_and_its_word` |

mod access;
mod accessibility;
mod add_files;
mod app;
mod asking;
mod audit;
mod base64;
mod beliefs;
mod browser;
mod citation;
mod driver;
mod drop;
mod first_run;
mod forgetting;
mod held;
mod http;
mod item;
mod keyboard;
mod library;
mod looks;
mod packs;
mod pairing;
mod promotions;
mod recall;
mod redactions;
mod review;
mod samples;
mod scenes;
mod screenshots;
mod settings;
#[cfg(target_os = "linux")]
mod shortcut;
mod sound;
mod viewer;
#[cfg(target_os = "linux")]
mod web_process;
mod work;
