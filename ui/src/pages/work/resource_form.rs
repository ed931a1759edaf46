//! Putting a resource at its address, changing it, and taking it away.

use super::{
    begin::given,
    texts::{area, line},
    words::{self, first_line},
};
use crate::{
    actions::run,
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
use um_model::{
    SpaceId,
    capture::Done,
    work::{Resource, ResourceGet, ResourceKind, ResourcePut, ResourceRemove},
};

/// What every form of a resource has.
#[derive(Clone, Copy)]
struct Draft {
    title: RwSignal<String>,
    kind: RwSignal<ResourceKind>,
    content: RwSignal<String>,
}

impl Draft {
    fn fields(self) -> impl IntoView {
        let kinds = ResourceKind::ALL.iter().map(move |one| {
            let one = *one;
            view! { <option value=one.as_str() selected=move || self.kind.get() == one>{words::resource(one).1}</option> }
        });
        view! {
            <label class="label" for="resource-kind">"What it is"</label>
            <select id="resource-kind" class="field" data-testid="resource-kind"
                on:change=move |e| if let Ok(one) = event_target_value(&e).parse() { self.kind.set(one) }>{kinds.collect_view()}</select>
            {line(("resource-name", "Title (the end of the address where it stays empty)"), self.title)}
            {area(("resource-says", "What it says (may stay empty)"), self.content, 8)}
        }
    }

    fn content(self) -> Option<String> {
        Some(self.content.get()).filter(|content| !content.trim().is_empty())
    }
}

/// Puts a new resource into a space.
#[component]
pub fn NewResource(space: SpaceId, under: Option<String>) -> impl IntoView {
    let app = App::get();
    let begin = under.as_ref().map(|under| format!("{}/", under.trim_end_matches('/'))).unwrap_or_default();
    let uri = RwSignal::new(begin.clone());
    let draft = Draft {
        title: RwSignal::new(String::new()),
        kind: RwSignal::new(ResourceKind::Document),
        content: RwSignal::new(String::new()),
    };
    let says = under.as_ref().map(|under| format!("It lies under {under}."));
    let asked = space.clone();
    // What stands at the address already would get a new version.
    let known = Query::new(move || {
        let uri = given(uri)?;
        Some(ResourceGet { uri: Some(uri), space: Some(asked.to_string()), ..ResourceGet::default() })
    });
    let there = move || known.value.with(|known| known.as_ref().map(|known| first_line(&known.title)));
    let (space, under) = (StoredValue::new(space), StoredValue::new((under, begin)));
    let request = move || {
        let (under, begin) = under.get_value();
        let uri = given(uri).filter(|uri| *uri != begin && there().is_none())?;
        Some(ResourcePut {
            space: Some(space.get_value().to_string()),
            uri,
            parent_uri: under,
            title: given(draft.title),
            kind: Some(draft.kind.get()),
            content: draft.content(),
            ..ResourcePut::default()
        })
    };
    let done = Callback::new(move |resource: Resource| {
        app.toasts.say(format!("{} is there.", first_line(&resource.title)));
        app.go(Route::Resources { open: Some(resource.id) });
    });
    view! {
        <Form request button="Put it there" done>
            {says.map(|says| view! { <p class="muted small">{says}</p> })}
            <label class="label" for="resource-uri">"Address, such as repo://app/src/main.rs"</label>
            <input id="resource-uri" class="field" type="text" autocomplete="off" spellcheck="false" maxlength="1000" data-testid="resource-uri"
                prop:value=move || uri.get() on:input=move |e| uri.set(event_target_value(&e))/>
            {move || there().map(|title| view! {
                <p class="notice" role="status"><Glyph icon=Icon::Info/> <span class="grow">{format!("{title} stands there already. Open it to change it.")}</span></p>
            })}
            {draft.fields()}
        </Form>
    }
}

/// Puts a resource at its address as it is.
fn as_it_is(resource: &Resource) -> ResourcePut {
    ResourcePut {
        space: Some(resource.space_id.to_string()),
        uri: resource.uri.clone(),
        parent_uri: resource.parent_uri.clone(),
        title: Some(resource.title.clone()),
        kind: Some(resource.kind),
        content: resource.content.clone(),
        source_event_ids: resource.source_event_ids.clone(),
        metadata: resource.metadata.clone(),
    }
}

/// Changes a resource: its next version.
#[component]
pub fn EditResource(resource: Resource) -> impl IntoView {
    let app = App::get();
    let draft = Draft {
        title: RwSignal::new(resource.title.clone()),
        kind: RwSignal::new(resource.kind),
        content: RwSignal::new(resource.content.clone().unwrap_or_default()),
    };
    let seen = resource.version;
    let id = resource.id.clone();
    let now = Query::new(move || {
        app.changes.work.track();
        Some(ResourceGet { id: Some(id.clone()), ..ResourceGet::default() })
    });
    let meanwhile = move || {
        let newer = now.value.with(|now| now.as_ref().map(|now| now.version)).filter(|newer| *newer > seen)?;
        let says = format!(
            "Version {newer} was put there meanwhile. What you save comes after it, and both stay among the versions."
        );
        Some(
            view! { <p class="notice" role="status" data-testid="resource-meanwhile"><Glyph icon=Icon::Info/> <span class="grow">{says}</span></p> },
        )
    };
    let uri = resource.uri.clone();
    let resource = StoredValue::new(resource);
    let request = move || {
        let (title, kind, content) = (given(draft.title), draft.kind.get(), draft.content());
        Some(resource.with_value(|resource| ResourcePut {
            title,
            kind: Some(kind),
            // What was read as it is goes back as it is.
            content: content.or_else(|| resource.content.clone().filter(|content| content.trim().is_empty())),
            ..as_it_is(resource)
        }))
    };
    let done = Callback::new(move |resource: Resource| {
        let title = first_line(&resource.title);
        app.toasts.say(match resource.version > seen {
            true => format!("{title}: version {} is there.", resource.version),
            false => format!("{title} says that already. No version was written."),
        });
    });
    view! {
        <Form request button="Put it there" done>
            <p class="muted small resource-address">{uri}</p>
            {meanwhile}
            {draft.fields()}
        </Form>
    }
}

/// Takes a resource away with all that lies under it. One under which nothing lies can be put back as it was.
#[component]
pub fn RemoveResource(resource: Resource) -> impl IntoView {
    let app = App::get();
    let title = first_line(&resource.title);
    let below = match resource.children {
        0 => "Nothing lies under it.".to_owned(),
        1 => "1 that lies directly under it goes with it, and all below that.".to_owned(),
        more => format!("{} that lie directly under it go with it, and all below these.", count(more, "resource")),
    };
    let says = format!("{title} is found no more.");
    let again = (resource.children == 0).then(|| as_it_is(&resource));
    let stays = match again.is_some() {
        true => "Its versions stay: put back, it goes on with the next. Your own files stay as they are.",
        false => {
            "Its versions stay: put one at its address again, and it goes on with the next. What lies under it does not come back by that; each has to be put there again. Your own files stay as they are."
        }
    };
    let id = StoredValue::new(resource.id);
    let request = move || Some(ResourceRemove { id: id.get_value() });
    let gone = title.clone();
    let done = Callback::new(move |_: Done| {
        let says = format!("{gone} was taken away.");
        match again.clone() {
            Some(again) => app.toasts.say_with_undo(says, move || run(app, again.clone())),
            None => app.toasts.say(says),
        }
        app.go(Route::Resources { open: None });
    });
    view! {
        <Form request button="Take it away" done>
            <p>{says} " " {below}</p>
            <p class="muted">{stays}</p>
        </Form>
    }
}
