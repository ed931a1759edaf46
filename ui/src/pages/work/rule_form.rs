//! Setting a standing rule: a new one, or the next version of one.

use super::{
    begin::given,
    level::LevelField,
    texts::{area, line},
    words::first_line,
};
use crate::{
    components::{
        dialogs::Form,
        icon::{Glyph, Icon},
    },
    query::Query,
    route::Route,
    state::App,
};
use leptos::prelude::*;
use um_model::{SpaceId, work::*};

/// What every form of a rule has.
#[derive(Clone, Copy)]
struct Draft {
    content: RwSignal<String>,
    authority: RwSignal<String>,
    read_only: RwSignal<bool>,
}

impl Draft {
    fn authority(self) -> Option<u8> {
        self.authority.get().trim().parse().ok().filter(|authority| *authority <= 100)
    }

    fn fields(self) -> impl IntoView {
        view! {
            {area(("rule-content", "What every agent is to know or do"), self.content, 5)}
            <label class="label" for="rule-authority">"How much it weighs, 0 to 100. What agents set weighs 50 at most"</label>
            <input id="rule-authority" class="field" type="number" min="0" max="100" prop:value=move || self.authority.get()
                on:input=move |e| self.authority.set(event_target_value(&e))/>
            <label class="check">
                <input type="checkbox" data-testid="rule-read-only" prop:checked=move || self.read_only.get() on:change=move |e| self.read_only.set(event_target_checked(&e))/>
                "Agents leave it as it is"
            </label>
        }
    }
}

fn told(app: App, saved: &BlockSaved) {
    let label = first_line(&saved.block.label);
    app.toasts.say(match saved.created {
        true => format!("{label} is in force: every agent reads it from now on."),
        false => format!("{label} says that already."),
    });
}

/// Sets a new rule.
#[component]
pub fn NewRule(space: SpaceId) -> impl IntoView {
    let app = App::get();
    let draft = Draft {
        content: RwSignal::new(String::new()),
        authority: RwSignal::new("50".to_owned()),
        read_only: RwSignal::new(false),
    };
    let label = RwSignal::new(String::new());
    let level = RwSignal::new(space.clone());
    // Of one name there is one rule in a space: setting another one would change it.
    let known =
        Query::new(move || Some(BlocksList { space: Some(level.get().to_string()), own_only: true, inactive: false }));
    let same = move || {
        let label = given(label)?;
        known.value.with(|known| known.as_ref()?.blocks.iter().find(|block| block.label == label).cloned())
    };
    let request = move || {
        Some(BlockSet {
            space: Some(level.get().to_string()),
            label: given(label)?,
            content: given(draft.content)?,
            authority: Some(draft.authority()?),
            read_only: Some(draft.read_only.get()),
            ..BlockSet::default()
        })
    };
    let done = Callback::new(move |saved: BlockSaved| {
        told(app, &saved);
        app.go(Route::Rule(saved.block.id));
    });
    view! {
        <Form request button="Set it" done>
            {line(("rule-label", "Name"), label)}
            {move || same().map(|_| view! {
                <p class="notice" role="status"><Glyph icon=Icon::Info/> <span class="grow">"A rule of that name is in force there. What you write becomes its next version."</span></p>
            })}
            <LevelField id="rule-level" nearest=space chosen=level/>
            {draft.fields()}
        </Form>
    }
}

/// Writes the next version of a rule.
#[component]
pub fn EditRule(block: Block) -> impl IntoView {
    let app = App::get();
    let draft = Draft {
        content: RwSignal::new(block.content.clone()),
        authority: RwSignal::new(block.authority.to_string()),
        read_only: RwSignal::new(block.read_only),
    };
    let reason = RwSignal::new(String::new());
    let says =
        format!("{}, version {}. It counts in {} and in what lies beneath.", block.label, block.version, block.space);
    let block = StoredValue::new(block);
    let request = move || {
        let (content, authority) = (given(draft.content)?, draft.authority()?);
        Some(block.with_value(|block| BlockSet {
            space: Some(block.space_id.to_string()),
            label: block.label.clone(),
            content,
            authority: Some(authority),
            read_only: Some(draft.read_only.get()),
            change_reason: given(reason),
            metadata: None,
        }))
    };
    let done = Callback::new(move |saved: BlockSaved| told(app, &saved));
    view! {
        <Form request button="Set it" done>
            <p class="muted small">{says}</p>
            {draft.fields()}
            {line(("rule-reason", "Why it changes (may stay empty)"), reason)}
        </Form>
    }
}
