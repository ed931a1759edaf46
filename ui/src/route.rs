//! Where the window is: one type for every address it knows, and the browser's history behind it.

use crate::text::{percent_decode, percent_encode};
use leptos::prelude::*;
use um_model::{
    AgentId, ArtifactId, BlockId, ConflictId, EntityId, EntryId, MemoryId, ResourceId, SessionId, TraceId, Utf16Span,
    ViewId, work::EntryType,
};
use wasm_bindgen::JsValue;

/// A page of the window, with what its address says.
#[derive(Debug, Clone, PartialEq)]
pub enum Route {
    /// `/recall?q=...`
    Recall {
        /// The question; empty before one is asked.
        query: String,
    },
    /// `/recall?tab=context`
    Context,
    /// `/recall?tab=traces`
    Traces,
    /// `/recall/traces/{id}`
    Trace(TraceId),
    /// `/library`
    Library,
    /// `/library/{id}?page=2&view=...&start=4&end=9`
    Item {
        /// The file.
        id: ArtifactId,
        /// The place in it.
        at: At,
    },
    /// `/beliefs`
    Beliefs,
    /// `/beliefs/{id}`
    Entity(EntityId),
    /// `/work`
    Sessions,
    /// `/work/sessions/{id}`
    Session(SessionId),
    /// `/work?tab=rules&show=...`
    Rules {
        /// Which of them are listed.
        show: Shown,
    },
    /// `/work/rules/{id}`
    Rule(BlockId),
    /// `/work/entries/{id}`
    Entry(EntryId),
    /// `/work?tab=resources&open=...`
    Resources {
        /// The one whose content is shown.
        open: Option<ResourceId>,
    },
    /// `/review?conflict=...`
    Review {
        /// The conflict that is shown; the first where none is named.
        conflict: Option<ConflictId>,
    },
    /// `/review?tab=redactions&memory=...`
    Redactions {
        /// The file or memory that is shown; the first that waits where none is named.
        memory: Option<MemoryId>,
    },
    /// `/review?tab=promotions`
    Promotions,
    /// `/review?tab=names`
    Names,
    /// `/review?tab=access`
    Asking,
    /// `/review?tab=history`
    Decided,
    /// `/access`
    Access,
    /// `/access?tab=audit&agent=...`
    Audit {
        /// Whose entries are listed; everybody's where nobody is named.
        agent: Option<AgentId>,
    },
    /// `/activity`, `/activity?tab=health`
    Activity {
        /// Whether the Health tab is shown.
        health: bool,
    },
    /// `/settings`
    Settings,
    /// An address that no page has.
    Unknown(String),
}

/// Which rules and which knowledge are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Shown {
    /// Standing rules, and what is pinned: what every agent always reads.
    #[default]
    Always,
    /// Guidelines, tools and knowledge.
    All,
    /// Only what is of this type.
    Of(EntryType),
    /// What was written at once by several.
    Clashes,
}

impl Shown {
    /// What the address says of it; nothing where nothing has to be said.
    fn word(self) -> Option<&'static str> {
        match self {
            Shown::Always => None,
            Shown::All => Some("all"),
            Shown::Of(entry_type) => Some(entry_type.as_str()),
            Shown::Clashes => Some("clashes"),
        }
    }

    fn parse(word: &str) -> Self {
        match word {
            "all" => Shown::All,
            "clashes" => Shown::Clashes,
            other => other.parse().map_or(Shown::Always, Shown::Of),
        }
    }
}

/// A place in a file, as an address names it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct At {
    /// The page, from 1.
    pub page: Option<u32>,
    /// The text view.
    pub view: Option<ViewId>,
    /// The words, in that view.
    pub span: Option<Utf16Span>,
}

/// The pages of the navigation, in the order of Ctrl+1, Ctrl+2, …; the last, the settings, has Ctrl+, instead.
pub fn pages() -> [Route; 8] {
    [
        Route::Recall { query: String::new() },
        Route::Library,
        Route::Beliefs,
        Route::Sessions,
        Route::Review { conflict: None },
        Route::Access,
        Route::Activity { health: false },
        Route::Settings,
    ]
}

impl Route {
    /// Whether it is shown as of a day.
    pub fn has_day(&self) -> bool {
        matches!(self, Self::Rules { .. } | Self::Rule(_) | Self::Entry(_) | Self::Resources { .. })
    }

    /// The route of a path and its query (with or without `?`).
    pub fn parse(path: &str, query: &str) -> Route {
        let field = |name: &str| {
            let pairs = query.trim_start_matches('?').split('&');
            pairs.filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name).map(|(_, v)| percent_decode(v))
        };
        let number = |name: &str| field(name).and_then(|text| text.parse::<u32>().ok());
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        match parts.as_slice() {
            ["recall"] if field("tab").as_deref() == Some("context") => Route::Context,
            ["recall"] if field("tab").as_deref() == Some("traces") => Route::Traces,
            ["recall", "traces", id] => named(path, TraceId::parse(*id), Route::Trace),
            [] | ["recall"] | ["index.html"] => Route::Recall { query: field("q").unwrap_or_default() },
            ["library"] => Route::Library,
            ["library", id] => match ArtifactId::parse(*id) {
                Ok(id) => Route::Item {
                    id,
                    at: At {
                        page: number("page"),
                        view: field("view").and_then(|id| ViewId::parse(id).ok()),
                        span: number("start").zip(number("end")).map(|(start, end)| Utf16Span::new(start, end)),
                    },
                },
                Err(_) => Route::Unknown(path.to_owned()),
            },
            ["beliefs"] => Route::Beliefs,
            ["beliefs", id] => named(path, EntityId::parse(*id), Route::Entity),
            ["work"] if field("tab").as_deref() == Some("rules") => {
                Route::Rules { show: field("show").map_or(Shown::Always, |word| Shown::parse(&word)) }
            }
            ["work"] if field("tab").as_deref() == Some("resources") => {
                Route::Resources { open: field("open").and_then(|id| ResourceId::parse(id).ok()) }
            }
            ["work"] => Route::Sessions,
            ["work", "sessions", id] => named(path, SessionId::parse(*id), Route::Session),
            ["work", "rules", id] => named(path, BlockId::parse(*id), Route::Rule),
            ["work", "entries", id] => named(path, EntryId::parse(*id), Route::Entry),
            ["review"] if field("tab").as_deref() == Some("history") => Route::Decided,
            ["review"] if field("tab").as_deref() == Some("names") => Route::Names,
            ["review"] if field("tab").as_deref() == Some("access") => Route::Asking,
            ["review"] if field("tab").as_deref() == Some("promotions") => Route::Promotions,
            ["review"] if field("tab").as_deref() == Some("redactions") => {
                Route::Redactions { memory: field("memory").and_then(|id| MemoryId::parse(id).ok()) }
            }
            ["review"] => Route::Review { conflict: field("conflict").and_then(|id| ConflictId::parse(id).ok()) },
            ["access"] if field("tab").as_deref() == Some("audit") => {
                Route::Audit { agent: field("agent").and_then(|id| AgentId::parse(id).ok()) }
            }
            ["access"] => Route::Access,
            ["activity"] => Route::Activity { health: field("tab").as_deref() == Some("health") },
            ["settings"] => Route::Settings,
            _ => Route::Unknown(path.to_owned()),
        }
    }

    /// Its address.
    pub fn url(&self) -> String {
        match self {
            Route::Recall { query } if query.is_empty() => "/recall".into(),
            Route::Recall { query } => format!("/recall?q={}", percent_encode(query)),
            Route::Context => "/recall?tab=context".into(),
            Route::Traces => "/recall?tab=traces".into(),
            Route::Trace(id) => format!("/recall/traces/{id}"),
            Route::Library => "/library".into(),
            Route::Item { id, at } => {
                let fields = [
                    at.page.map(|page| format!("page={page}")),
                    at.view.as_ref().map(|view| format!("view={view}")),
                    at.span.map(|span| format!("start={}&end={}", span.start, span.end)),
                ];
                let fields: Vec<String> = fields.into_iter().flatten().collect();
                let mark = if fields.is_empty() { "" } else { "?" };
                format!("/library/{id}{mark}{}", fields.join("&"))
            }
            Route::Beliefs => "/beliefs".into(),
            Route::Entity(id) => format!("/beliefs/{id}"),
            Route::Sessions => "/work".into(),
            Route::Session(id) => format!("/work/sessions/{id}"),
            Route::Rules { show } => match show.word() {
                None => "/work?tab=rules".into(),
                Some(word) => format!("/work?tab=rules&show={word}"),
            },
            Route::Rule(id) => format!("/work/rules/{id}"),
            Route::Entry(id) => format!("/work/entries/{id}"),
            Route::Resources { open: None } => "/work?tab=resources".into(),
            Route::Resources { open: Some(id) } => format!("/work?tab=resources&open={id}"),
            Route::Review { conflict: None } => "/review".into(),
            Route::Review { conflict: Some(id) } => format!("/review?conflict={id}"),
            Route::Redactions { memory: None } => "/review?tab=redactions".into(),
            Route::Redactions { memory: Some(id) } => format!("/review?tab=redactions&memory={id}"),
            Route::Names => "/review?tab=names".into(),
            Route::Asking => "/review?tab=access".into(),
            Route::Promotions => "/review?tab=promotions".into(),
            Route::Decided => "/review?tab=history".into(),
            Route::Access => "/access".into(),
            Route::Audit { agent: None } => "/access?tab=audit".into(),
            Route::Audit { agent: Some(id) } => format!("/access?tab=audit&agent={id}"),
            Route::Activity { health: false } => "/activity".into(),
            Route::Activity { health: true } => "/activity?tab=health".into(),
            Route::Settings => "/settings".into(),
            Route::Unknown(path) => path.clone(),
        }
    }

    /// The page's name.
    pub fn name(&self) -> &'static str {
        match self {
            Route::Recall { .. } | Route::Context | Route::Traces | Route::Trace(_) => "Recall",
            Route::Library | Route::Item { .. } => "Library",
            Route::Beliefs | Route::Entity(_) => "Beliefs",
            Route::Sessions
            | Route::Session(_)
            | Route::Rules { .. }
            | Route::Rule(_)
            | Route::Entry(_)
            | Route::Resources { .. } => "Work",
            Route::Review { .. }
            | Route::Redactions { .. }
            | Route::Promotions
            | Route::Names
            | Route::Asking
            | Route::Decided => "Review",
            Route::Access | Route::Audit { .. } => "Spaces & access",
            Route::Activity { .. } => "Activity",
            Route::Settings => "Settings",
            Route::Unknown(_) => "Not found",
        }
    }

    /// The route that the address bar says now.
    pub fn current() -> Route {
        let location = window().location();
        Route::parse(&location.pathname().unwrap_or_default(), &location.search().unwrap_or_default())
    }
}

/// The page of what an id names; no page where it is none.
fn named<I, E>(path: &str, id: Result<I, E>, page: fn(I) -> Route) -> Route {
    id.map_or_else(|_| Route::Unknown(path.to_owned()), page)
}

/// Goes to a page and remembers the way back.
pub fn go(at: RwSignal<Route>, to: Route) {
    if at.get_untracked() == to {
        return;
    }
    if let Ok(history) = window().history() {
        // A refusal (an address bar that is not ours) costs the way back, not the page.
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(&to.url()));
    }
    at.set(to);
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b";

    #[test]
    fn addresses_round_trip() {
        let at = At { page: Some(2), view: ViewId::parse(ID).ok(), span: Some(Utf16Span::new(4, 9)) };
        let item = Route::Item { id: ArtifactId::parse(ID).unwrap(), at };
        let asked = Route::Recall { query: "polar bears & 50 % ü?".into() };
        let entity = Route::Entity(EntityId::parse(ID).unwrap());
        let recall = [Route::Context, Route::Traces, Route::Trace(TraceId::parse(ID).unwrap())];
        let conflict = Route::Review { conflict: ConflictId::parse(ID).ok() };
        let redaction = Route::Redactions { memory: MemoryId::parse(ID).ok() };
        let audits = [None, AgentId::parse(ID).ok()].map(|agent| Route::Audit { agent });
        let tabs = [Route::Redactions { memory: None }, Route::Promotions, Route::Names, Route::Asking, Route::Decided];
        let shown = [Shown::Always, Shown::All, Shown::Of(EntryType::Tool), Shown::Clashes];
        let work = [
            Route::Session(SessionId::parse(ID).unwrap()),
            Route::Rule(BlockId::parse(ID).unwrap()),
            Route::Entry(EntryId::parse(ID).unwrap()),
            Route::Resources { open: None },
            Route::Resources { open: ResourceId::parse(ID).ok() },
        ];
        let others = [item, asked, entity, conflict, redaction, Route::Activity { health: true }]
            .into_iter()
            .chain(recall)
            .chain(tabs)
            .chain(audits)
            .chain(work)
            .chain(shown.map(|show| Route::Rules { show }));
        for route in pages().into_iter().chain(others) {
            let url = route.url();
            let (path, query) = url.split_once('?').unwrap_or((&url, ""));
            assert_eq!(Route::parse(path, query), route, "{url}");
        }
    }

    #[test]
    fn strange_addresses_are_unknown_and_the_top_is_recall() {
        assert_eq!(Route::parse("/", ""), Route::Recall { query: String::new() });
        assert_eq!(Route::parse("/library/nonsense", ""), Route::Unknown("/library/nonsense".into()));
        assert_eq!(Route::parse("/beliefs/nobody", ""), Route::Unknown("/beliefs/nobody".into()));
        assert_eq!(Route::parse("/work/entries/none", ""), Route::Unknown("/work/entries/none".into()));
    }
}
