//! Writing an entry: a new one, a new version of one, or one that brings two versions together.

use super::{
    begin::given,
    body::{Draft, Fields},
    level::LevelField,
    says::{map, said},
    texts::{area, line},
    words::{self, type_name, type_names, who},
};
use crate::{
    components::{
        dialogs::Form,
        icon::{Glyph, Icon},
    },
    format::count,
    query::Query,
    route::Route,
    state::App,
};
use leptos::prelude::*;
use um_model::{SpaceId, work::*};

/// What stands beside what an entry says.
#[derive(Clone, Copy)]
struct Beside {
    category: RwSignal<Option<EntryCategory>>,
    priority: RwSignal<String>,
    tags: RwSignal<String>,
}

impl Beside {
    fn of(entry: Option<&Entry>) -> Self {
        Self {
            category: RwSignal::new(entry.and_then(|entry| entry.category)),
            priority: RwSignal::new(entry.map_or(50, |entry| entry.priority).to_string()),
            tags: RwSignal::new(String::new()),
        }
    }

    fn priority(self) -> Option<u8> {
        self.priority.get().trim().parse().ok().filter(|priority| *priority <= 100)
    }

    fn tags(self) -> Vec<String> {
        let tags = self.tags.get();
        tags.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
    }

    fn fields(self, of: RwSignal<EntryType>) -> impl IntoView {
        let options = move || {
            let fit = EntryCategory::ALL.iter().filter(move |one| one.of() == of.get());
            fit.map(|one| {
                let one = *one;
                view! { <option value=one.as_str() selected=move || self.category.get() == Some(one)>{words::category(one)}</option> }
            })
            .collect_view()
        };
        view! {
            <div class="pair">
                <span>
                    <label class="label" for="entry-category">"What it is about"</label>
                    <select id="entry-category" class="field" on:change=move |e| self.category.set(event_target_value(&e).parse().ok())>
                        <option value="" selected=move || self.category.get().is_none()>"Nothing special"</option>
                        {options}
                    </select>
                </span>
                <span>
                    <label class="label" for="entry-priority">"How much it matters, 0 to 100"</label>
                    <input id="entry-priority" class="field" type="number" min="0" max="100" prop:value=move || self.priority.get()
                        on:input=move |e| self.priority.set(event_target_value(&e))/>
                </span>
            </div>
            {line(("entry-tags", "Tags to add, with commas between them"), self.tags)}
        }
    }
}

/// Says what was written; where somebody wrote at the same time, that there is something to decide.
fn told(app: App, saved: &EntrySaved) {
    let name = words::first_line(&saved.entry.name);
    app.toasts.say(match (saved.conflict.is_some(), saved.created) {
        (true, _) => format!("Somebody wrote a version of {name} meanwhile. Both are kept: decide which one counts."),
        (false, true) => format!("{name}: version {} is written.", saved.entry.version.number),
        (false, false) => format!("{name} says that already. No version was written."),
    });
}

/// Writes a new entry.
#[component]
pub fn NewEntry(space: SpaceId, of: EntryType) -> impl IntoView {
    let app = App::get();
    let draft = Draft::of(of, &EntryBody::default());
    let beside = Beside::of(None);
    let name = RwSignal::new(String::new());
    let level = RwSignal::new(space.clone());
    let request = move || {
        Some(EntrySave {
            space: Some(level.get().to_string()),
            session: None,
            entry_type: draft.of.get(),
            name: given(name)?,
            category: beside.category.get().filter(|one| one.of() == draft.of.get()),
            priority: Some(beside.priority()?),
            body: draft.body()?,
            change_reason: None,
            base_version: None,
            metadata: serde_json::Map::new(),
            tags: beside.tags(),
        })
    };
    let done = Callback::new(move |saved: EntrySaved| {
        told(app, &saved);
        app.go(Route::Entry(saved.entry.id));
    });
    let types = [EntryType::Guideline, EntryType::Tool, EntryType::Knowledge].map(|one| {
        view! { <option value=one.as_str() selected=move || draft.of.get() == one>{format!("{}: {}", type_name(one), type_names(one).1.to_lowercase())}</option> }
    });
    view! {
        <Form request button="Write it" done>
            {line(("entry-name", "Name"), name)}
            <label class="label" for="entry-type">"What it is"</label>
            <select id="entry-type" class="field" data-testid="entry-type"
                on:change=move |e| if let Ok(one) = event_target_value(&e).parse() { draft.of.set(one) }>{types}</select>
            <LevelField id="entry-level" nearest=space chosen=level/>
            <Fields draft/>
            {beside.fields(draft.of)}
        </Form>
    }
}

/// Writes a new version of an entry. It is compared with the one that was seen.
#[component]
pub fn EditEntry(entry: Entry) -> impl IntoView {
    let app = App::get();
    let draft = Draft::of(entry.entry_type, &entry.version.body);
    let beside = Beside::of(Some(&entry));
    let reason = RwSignal::new(String::new());
    let seen = entry.version.number;
    let id = entry.id.clone();
    let now = Query::new(move || {
        app.changes.work.track();
        Some(EntryGet { id: Some(id.clone()), ..EntryGet::default() })
    });
    let meanwhile = move || {
        let newer = now.value.with(|got| got.as_ref().map(|got| got.entry.version.clone()))?;
        (newer.number > seen).then(|| {
            let says = format!(
                "{} wrote version {} meanwhile. What you save stands beside it, and you decide which one counts.",
                capital(&who(&newer.author)),
                newer.number
            );
            view! { <p class="notice" role="status" data-testid="entry-meanwhile"><Glyph icon=Icon::Conflict/> <span class="grow">{says}</span></p> }
        })
    };
    let entry = StoredValue::new(entry);
    let request = move || {
        let (body, priority) = (draft.body()?, beside.priority()?);
        Some(entry.with_value(|entry| EntrySave {
            space: entry.session_id.is_none().then(|| entry.space_id.to_string()),
            session: entry.session_id.clone(),
            entry_type: entry.entry_type,
            name: entry.name.clone(),
            category: beside.category.get(),
            priority: Some(priority),
            body,
            change_reason: given(reason),
            base_version: Some(seen),
            metadata: serde_json::Map::new(),
            tags: beside.tags(),
        }))
    };
    let done = Callback::new(move |saved: EntrySaved| told(app, &saved));
    let says = entry.with_value(|entry| {
        format!("{}, version {seen}. It stays as it is; this writes version {}.", entry.name, seen + 1)
    });
    view! {
        <Form request button="Write the version" done>
            <p class="muted small">{says}</p>
            {meanwhile}
            <Fields draft/>
            {line(("entry-reason", "Why it changes (may stay empty)"), reason)}
            {beside.fields(draft.of)}
        </Form>
    }
}

/// A name at the beginning of a sentence.
fn capital(name: &str) -> String {
    if name == "you" { "You".to_owned() } else { name.to_owned() }
}

/// Brings two versions together in a new one. It begins with what the later one says.
#[component]
pub fn Merge(clash: Clash) -> impl IntoView {
    let app = App::get();
    let draft = Draft::of(clash.entry_type, &clash.b.body);
    let note = RwSignal::new(String::new());
    let (a, earlier) = (clash.a.number, said(&map(&clash.a.body)));
    let says = format!(
        "{} are kept. Both become a new one, which counts: it begins with what version {} says.",
        count(2, "version"),
        clash.b.number
    );
    let id = StoredValue::new(clash.id);
    let request = move || {
        Some(ClashResolve {
            clash: id.get_value(),
            outcome: ClashOutcome::Merged,
            body: Some(draft.body()?),
            note: given(note),
        })
    };
    let done = Callback::new(move |_: Clash| app.toasts.say(words::decided(ClashOutcome::Merged)));
    view! {
        <Form request button="Put together" done>
            <p class="muted small">{says}</p>
            <section class="merge-other" tabindex="0" aria-label=format!("What version {a} says")>
                <h3>{format!("Version {a} says")}</h3>
                {earlier}
            </section>
            <Fields draft/>
            {area(("merge-note", "Why so (may stay empty)"), note, 1)}
        </Form>
    }
}
