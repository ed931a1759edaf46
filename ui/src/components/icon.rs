//! Icons: Lucide's drawings (ISC licence, in `ui/icons/LICENSE`), part of the program so that none is fetched.

use leptos::prelude::*;
use um_model::Modality;

macro_rules! icons {
    ($($name:ident = $file:literal),+ $(,)?) => {
        /// A drawing, named for what it shows.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the names say it")]
        pub enum Icon { $($name),+ }

        impl Icon {
            fn svg(self) -> &'static str {
                match self { $(Self::$name => include_str!(concat!("../../icons/", $file, ".svg"))),+ }
            }
        }
    };
}

icons! {
    Activity = "activity", Agent = "bot", Alert = "triangle-alert", Ban = "ban", Beliefs = "waypoints", Book = "book-open",
    Building = "building-2", Conflict = "scale", Edit = "pencil", Idea = "lightbulb", Merge = "merge", Person = "user",
    Blacked = "rectangle-horizontal", Broken = "unlink", Moved = "move-right", Older = "history",
    Pin = "map-pin", Tag = "tag", Thing = "box",
    Check = "check", CheckCircle = "circle-check", ChevronDown = "chevron-down", ChevronLeft = "chevron-left",
    ChevronRight = "chevron-right", Clock = "clock", Code = "file-code", Copy = "copy", Cross = "x",
    Document = "scroll-text", Download = "download", Eraser = "eraser", File = "file",
    FileText = "file-text", Film = "film", Folder = "folder", FolderOpen = "folder-open",
    FolderPlus = "folder-plus", Globe = "globe", Grid = "layout-grid", Hourglass = "hourglass", Image = "image",
    Info = "info", Keyboard = "keyboard", Layers = "layers", Library = "library", List = "list",
    Lock = "lock", Model = "cpu", Moon = "moon", More = "ellipsis", Open = "external-link",
    Pause = "pause", Play = "play", Plug = "plug", Plus = "plus", Reread = "rotate-cw", Search = "search",
    Settings = "settings", Shield = "shield-check", Sound = "audio-lines", Sun = "sun", System = "monitor",
    Help = "circle-help", Right = "thumbs-up", Saved = "bookmark", Wrong = "thumbs-down",
    Trash = "trash-2", Undo = "undo-2", Upload = "upload", ZoomIn = "zoom-in", ZoomOut = "zoom-out",
}

/// What a kind of file looks like.
pub fn of_modality(modality: Modality) -> Icon {
    match modality {
        Modality::Text => Icon::FileText,
        Modality::Source => Icon::Code,
        Modality::Html => Icon::Globe,
        Modality::Document => Icon::Document,
        Modality::Pdf => Icon::Book,
        Modality::Image => Icon::Image,
        Modality::Audio => Icon::Sound,
        Modality::Video => Icon::Film,
        Modality::Other => Icon::File,
    }
}

/// A drawing beside words; it says nothing by itself to a screen reader.
#[component]
pub fn Glyph(
    /// The drawing.
    icon: Icon,
) -> impl IntoView {
    view! { <span class="icon" aria-hidden="true" inner_html=icon.svg()></span> }
}
