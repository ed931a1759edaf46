//! What the person thinks of an answer: right, wrong, or what is right instead. What might be wrong waits in Review. The thumb that is
//! pressed takes it back.

use crate::{
    components::{
        icon::{Glyph, Icon},
        link::PageLink,
    },
    format::{count, percent},
    ipc,
    route::Route,
    state::App,
};
use leptos::{
    ev::{KeyboardEvent, SubmitEvent},
    html,
    prelude::*,
    task::spawn_local,
};
use um_model::{
    TraceId,
    traces::{Feedback, FeedbackGiven, TraceFeedback},
};

/// What waits in Review after a word on an answer, in words.
fn waits(proposed: usize) -> Option<String> {
    match proposed {
        0 => None,
        1 => Some("1 proposal waits in Review. Nothing was changed.".into()),
        more => Some(format!("{} wait in Review. Nothing was changed.", count(more as u64, "proposal"))),
    }
}

/// What waited in Review for what was thought before, in words.
fn taken_back(withdrawn: usize) -> Option<String> {
    (withdrawn > 0).then(|| {
        let were = if withdrawn == 1 { "was" } else { "were" };
        format!("{} that waited in Review {were} taken back.", count(withdrawn as u64, "proposal"))
    })
}

/// That a word on an answer is noted, or is none any more.
fn noted(said: Option<Feedback>, blames: bool) -> &'static str {
    match said {
        None => "Taken back: nothing is said of this answer any more.",
        Some(_) if blames => "Noted. It rested on:",
        Some(_) => "Noted.",
    }
}

/// What a thumb does: say so, or take back that it was said.
fn does(says: &'static str, is_pressed: bool) -> String {
    if is_pressed { format!("{says}. Press again to take that back.") } else { says.to_owned() }
}

/// Two thumbs, and what came of them. Nothing where no trace is kept that the word could be put to.
#[component]
pub fn Opinion(
    /// The trace of the answer.
    trace: Option<TraceId>,
    /// What was thought of it before.
    #[prop(default = None)]
    before: Option<Feedback>,
) -> impl IntoView {
    let Some(trace) = trace else { return ().into_any() };
    let app = App::get();
    let said = RwSignal::new(before);
    let given = RwSignal::new(None::<FeedbackGiven>);
    let asks = RwSignal::new(false);
    let busy = RwSignal::new(false);
    let thumb = NodeRef::<html::Button>::new();
    // The field that had the focus goes; the button that opened it gets it back once it can be pressed again.
    let close = move || {
        asks.try_set(false);
        request_animation_frame(move || {
            if let Some(thumb) = thumb.try_get_untracked().flatten() {
                // An element that cannot be focused leaves the focus where it is.
                let _ = thumb.focus();
            }
        });
    };
    // Where nothing is said, what was said is taken back.
    let say = Callback::new(move |(feedback, correction): (Option<Feedback>, Option<String>)| {
        let (id, withdraw) = (trace.clone(), feedback.is_none());
        let request = TraceFeedback { id, feedback, correction, answer: None, withdraw };
        busy.set(true);
        spawn_local(async move {
            let answer = ipc::call(request).await;
            busy.try_set(false);
            match answer {
                Ok(answer) => {
                    said.try_set(feedback);
                    if asks.try_get_untracked() == Some(true) {
                        close();
                    }
                    given.try_set(Some(answer));
                }
                Err(error) => app.toasts.trouble(&error),
            }
        });
    });
    let right = move || said.get() == Some(Feedback::Positive);
    let wrong = move || matches!(said.get(), Some(Feedback::Negative | Feedback::Correction));
    let say_right = move |_| say.run(((!untrack(right)).then_some(Feedback::Positive), None));
    let say_wrong = move |_| match untrack(wrong) {
        true => say.run((None, None)),
        false => asks.update(|asks| *asks = !*asks),
    };
    view! {
        <span class="opinion" role="group" aria-label="What you think of this answer">
            <button type="button" class="button ghost square small" data-testid="opinion-right" title=move || does("This is right", right())
                aria-label="This is right" aria-pressed=move || right().to_string() disabled=move || busy.get() on:click=say_right><Glyph icon=Icon::Right/></button>
            <button type="button" class="button ghost square small" node_ref=thumb data-testid="opinion-wrong" title=move || does("This is wrong", wrong())
                aria-label="This is wrong" aria-pressed=move || wrong().to_string() aria-expanded=move || asks.get().to_string()
                disabled=move || busy.get() on:click=say_wrong><Glyph icon=Icon::Wrong/></button>
        </span>
        {move || asks.get().then(|| view! { <Correct say busy close=Callback::new(move |()| close())/> })}
        {move || given.get().map(|given| came_of(&given))}
    }
    .into_any()
}

/// Asks what is right. An answer may also be wrong without anybody knowing better.
#[component]
fn Correct(
    say: Callback<(Option<Feedback>, Option<String>)>,
    busy: RwSignal<bool>,
    close: Callback<()>,
) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let field = NodeRef::<html::Textarea>::new();
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            // An element that cannot be focused leaves the focus where it is.
            let _ = field.focus();
        }
    });
    let send = move |event: SubmitEvent| {
        event.prevent_default();
        let right = typed.get_untracked().trim().to_owned();
        say.run(match right.is_empty() {
            true => (Some(Feedback::Negative), None),
            false => (Some(Feedback::Correction), Some(right)),
        });
    };
    let pressed = move |press: KeyboardEvent| {
        if press.key() == "Escape" {
            press.prevent_default();
            press.stop_propagation();
            close.run(());
        }
    };
    let words = move || if typed.with(|t| t.trim().is_empty()) { "Just wrong" } else { "Send the correction" };
    view! {
        <form class="correct" on:submit=send on:keydown=pressed data-testid="correct">
            <label class="label" for="correction">"What is right? You may leave this empty."</label>
            <textarea id="correction" class="field wide-field" rows="2" maxlength="10000" node_ref=field data-testid="correction"
                prop:value=move || typed.get() on:input=move |e| typed.set(event_target_value(&e))></textarea>
            <div class="actions">
                <button type="submit" class="button accent small" data-testid="correct-send" disabled=move || busy.get()>{words}</button>
                <button type="button" class="button small" on:click=move |_| close.run(())>"Cancel"</button>
            </div>
        </form>
    }
}

/// What came of it: what the answer rested on, and what waits for the person.
fn came_of(given: &FeedbackGiven) -> impl IntoView + use<> {
    let thanks = noted(given.trace.feedback, !given.blamed.is_empty());
    let blamed = given.blamed.iter().map(|one| {
        view! { <li><span class="clip" title=one.title.clone()>{one.title.clone()}</span> <span class="muted">{percent(one.share)}</span></li> }
    });
    let review = waits(given.proposed.len()).map(|words| {
        view! {
            <p>{words} " " <PageLink to=Signal::stored(Route::Names) testid="opinion-review">"Open Review"</PageLink></p>
        }
    });
    view! {
        <div class="came-of small" role="status" data-testid="opinion-given">
            <p>{thanks}</p>
            <ul>{blamed.collect_view()}</ul>
            {taken_back(given.withdrawn.len()).map(|words| view! { <p data-testid="opinion-withdrawn">{words}</p> })}
            {review}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::{does, noted, taken_back, waits};
    use um_model::traces::Feedback;

    #[test]
    fn a_thumb_says_what_it_does_and_what_came_of_it() {
        assert_eq!(noted(None, false), "Taken back: nothing is said of this answer any more.");
        assert_eq!(noted(Some(Feedback::Positive), false), "Noted.");
        assert_eq!(noted(Some(Feedback::Negative), true), "Noted. It rested on:");
        assert_eq!(does("This is right", false), "This is right");
        assert_eq!(does("This is right", true), "This is right. Press again to take that back.");
    }

    #[test]
    fn what_waits_is_counted() {
        assert_eq!(waits(0), None);
        assert_eq!(waits(1).as_deref(), Some("1 proposal waits in Review. Nothing was changed."));
        assert_eq!(waits(3).as_deref(), Some("3 proposals wait in Review. Nothing was changed."));
        assert_eq!(taken_back(0), None);
        assert_eq!(taken_back(1).as_deref(), Some("1 proposal that waited in Review was taken back."));
        assert_eq!(taken_back(2).as_deref(), Some("2 proposals that waited in Review were taken back."));
    }
}
