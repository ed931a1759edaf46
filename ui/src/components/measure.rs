//! How large an element is, followed as it changes.

use leptos::{html::ElementType, prelude::*};
use wasm_bindgen::{JsCast, prelude::Closure};

struct Watching {
    observer: web_sys::ResizeObserver,
    _heard: Closure<dyn Fn()>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Width and height of an element's inside, in pixels; zero before it stands in the page.
pub fn measured<E>(node: NodeRef<E>) -> ReadSignal<(f64, f64)>
where
    E: ElementType + 'static,
    E::Output: JsCast + Clone + 'static,
{
    let (size, set_size) = signal((0.0, 0.0));
    let watching = StoredValue::new_local(None::<Watching>);
    Effect::new(move |_| {
        let Some(element) = node.get() else { return };
        let element: web_sys::Element = element.unchecked_into();
        let seen = element.clone();
        let measure = move || {
            let now = (f64::from(seen.client_width()), f64::from(seen.client_height()));
            if size.try_get_untracked().is_some_and(|before| before != now) {
                set_size.set(now);
            }
        };
        measure();
        let heard = Closure::<dyn Fn()>::new(measure);
        if let Ok(observer) = web_sys::ResizeObserver::new(heard.as_ref().unchecked_ref()) {
            observer.observe(&element);
            watching.set_value(Some(Watching { observer, _heard: heard }));
        }
    });
    size
}
