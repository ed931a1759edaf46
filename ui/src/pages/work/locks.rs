//! Files that agents hold, and how one is taken away.

use super::{
    WorkDialog,
    words::{first_line, who},
};
use crate::{
    components::{
        dialogs::Form,
        icon::{Glyph, Icon},
    },
    dates,
    format::count,
    query::Query,
    state::App,
};
use leptos::prelude::*;
use um_model::work::{Lock, LockForce, LocksList};

/// So many are shown at once.
const SHOWN: u32 = 200;

/// Files in a list, each with what takes it away.
pub fn files(locks: Vec<Lock>, named: bool) -> impl IntoView {
    let row = move |lock: Lock| view! { <File lock named/> };
    view! { <ul class="plain">{locks.into_iter().map(row).collect_view()}</ul> }
}

#[component]
fn File(lock: Lock, named: bool) -> impl IntoView {
    let app = App::get();
    let (path, until) = (lock.path.clone(), dates::moment(lock.expires_at));
    let whose = if named { format!("{}, ", who(&lock.agent)) } else { String::new() };
    let note = lock.note.as_deref().map(|note| format!(": {}", first_line(note))).unwrap_or_default();
    let facts = format!("{whose}since {}, until {until} at the latest{note}", dates::moment(lock.checked_out_at));
    let label = format!("Take away {path}");
    let lock = StoredValue::new(lock);
    view! {
        <li class="entry" data-testid="lock-row">
            <Glyph icon=Icon::Lock/>
            <span class="entry-text grow">
                <span class="file" title=path.clone()>{path.clone()}</span>
                <span class="muted small">{facts}</span>
            </span>
            <button type="button" class="button small" data-testid="lock-take" aria-label=label
                on:click=move |_| WorkDialog::TakeAway(Box::new(lock.get_value())).open(app)>"Take away"</button>
        </li>
    }
}

/// How many files are held, above the sessions; and which, once that is asked.
#[component]
pub fn HeldFiles(
    /// Of all spaces, whatever space is in use.
    everywhere: RwSignal<bool>,
) -> impl IntoView {
    let app = App::get();
    let open = RwSignal::new(false);
    let held = Query::new(move || {
        app.changes.work.track();
        let space = app.space.get().filter(|_| !everywhere.get()).map(String::from);
        Some(LocksList { space, limit: Some(SHOWN), ..LocksList::default() })
    });
    let locks =
        Memo::new(move |_| held.value.with(|held| held.as_ref().map_or_else(Vec::new, |held| held.locks.clone())));
    let words = move || match locks.with(Vec::len) as u64 {
        1 => "1 file is held".to_owned(),
        more => format!("{} are held", count(more, "file")),
    };
    let some = Memo::new(move |_| !locks.with(Vec::is_empty));
    move || {
        some.get().then(|| {
            view! {
                <section class="held-files" aria-label="Files that are held">
                    <button type="button" class="button ghost" data-testid="locks-open" aria-expanded=move || open.get().to_string()
                        on:click=move |_| open.update(|open| *open = !*open)>
                        <Glyph icon=Icon::Lock/> {words} <Glyph icon=Icon::ChevronDown/>
                    </button>
                    {move || open.get().then(|| files(locks.get(), true))}
                </section>
            }
        })
    }
}

/// Says what taking a file away does, and does it.
#[component]
pub fn TakeAway(lock: Lock) -> impl IntoView {
    let app = App::get();
    let (name, path, until) = (who(&lock.agent), lock.path.clone(), dates::moment(lock.expires_at));
    let holds = match name.as_str() {
        "you" => format!("You hold {path} until {until}."),
        name => format!("{name} holds {path} until {until}."),
    };
    let id = StoredValue::new(lock.id);
    let request = move || Some(LockForce { lock: id.get_value() });
    let done = Callback::new(move |lock: Lock| app.toasts.say(format!("{} is free.", lock.path)));
    view! {
        <Form request button="Take it away" done>
            <p>{holds}</p>
            <p>"Another agent may then work on it at once. Nothing on the disk changes, and whoever holds it is not stopped: it may still write what it was writing."</p>
        </Form>
    }
}
