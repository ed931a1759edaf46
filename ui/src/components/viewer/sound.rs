//! Recordings: the waveform with the cited seconds bracketed, the words as they are said, the sound itself.
//! The sound comes as a blob, because web views play none from an app's own addresses.

use super::{Fate, Redacting, Shown, Spot, Target};
use crate::{
    components::{
        icon::{Glyph, Icon},
        states::Trouble,
    },
    format::clock,
    ipc, pictures,
    text::{Mark, Piece, pieces},
};
use leptos::{ev::KeyboardEvent, html, prelude::*, task::spawn_local};
use um_model::{
    ApiError, ArtifactId, TimeSpan, Utf16Span,
    capture::{Anchor, ArtifactDetail, MediaPart, ViewRead, ViewText},
};
use wasm_bindgen::JsCast;

/// Bars of the waveform.
const BINS: u32 = 400;
/// A stretch is dragged over at least so many milliseconds.
const LEAST_MS: u64 = 100;
/// Seconds that an arrow key moves.
const STEP: f64 = 5.0;

/// A line of the transcript.
#[derive(Debug, Clone, PartialEq)]
struct Said {
    time: TimeSpan,
    pieces: Vec<Piece>,
}

/// Where the playing is.
#[derive(Clone, Copy)]
struct Player {
    audio: NodeRef<html::Audio>,
    /// Seconds from the beginning.
    at: RwSignal<f64>,
    playing: RwSignal<bool>,
    /// Seconds in all; 0 before that is known.
    length: RwSignal<f64>,
}

impl Player {
    fn seek(&self, to: f64) {
        let to = to.clamp(0.0, self.length.get_untracked());
        self.at.set(to);
        if let Some(audio) = self.audio.get_untracked() {
            audio.set_current_time(to);
        }
    }

    fn toggle(&self) {
        let Some(audio) = self.audio.get_untracked() else {
            return;
        };
        if audio.paused() {
            if let Ok(promise) = audio.play() {
                spawn_local(async move {
                    // A refusal (no sound device) leaves it paused, which the button shows.
                    let _ = wasm_bindgen_futures::JsFuture::from(promise).await;
                });
            }
        } else if audio.pause().is_err() {
            self.playing.set(false);
        }
    }
}

/// The lines of a transcript, from the places of its words: one line for each stretch of time.
fn said(text: &str, base: u32, anchors: &[Anchor], marks: &[(Utf16Span, Mark)]) -> Vec<Said> {
    let timed = anchors.iter().filter_map(|a| a.time.map(|time| (a.span, time)));
    timed
        .filter_map(|(span, time)| {
            let within = Utf16Span::new(span.start.checked_sub(base)?, span.end.checked_sub(base)?);
            let words = within.slice(text)?;
            Some(Said { time, pieces: pieces(words, span.start, marks) })
        })
        .collect()
}

/// A recording.
pub fn sound_view(file: ArtifactDetail, shown: Shown) -> impl IntoView {
    let artifact = file.summary.artifact.clone();
    let target = shown.target.get_value();
    let player = Player {
        audio: NodeRef::new(),
        at: RwSignal::new(0.0),
        playing: RwSignal::new(false),
        length: RwSignal::new(artifact.duration_ms.unwrap_or(0) as f64 / 1000.0),
    };
    let heard = RwSignal::new(None::<ViewText>);
    let cited = RwSignal::new(target.time);
    load_transcript(&file, shown, heard, cited);
    let redacting = shown.redacting;
    let lines = Memo::new(move |_| {
        let heard = heard.read();
        let marks = || match redacting {
            Some(redacting) => redacting.marks(heard.as_ref().map(|heard| &heard.view.id)),
            None => shown.target.with_value(marks_of),
        };
        heard.as_ref().map_or_else(Vec::new, |heard| said(&heard.text, heard.span.start, &heard.anchors, &marks()))
    });
    if let Some(redacting) = redacting {
        follow_spots(redacting, player);
    }
    // It begins at the cited second; F3 then leads from match to match.
    Effect::new(move |before: Option<usize>| {
        let (stop, cited) = (shown.stop.get(), cited.get());
        let stepped = before.is_some_and(|before| before != stop);
        let matched = shown.target.with_value(|t| t.matches.get(stop).and_then(|m| m.time));
        if let Some(time) = if stepped { matched.or(cited) } else { cited } {
            player.seek(time.start_ms as f64 / 1000.0);
        }
        stop
    });
    let silent = file.views.is_empty();
    let note = silent.then(|| match &file.summary.reading {
        Some(job) => job.error.as_ref().map_or("It is being read.".to_owned(), |e| e.message.clone()),
        None => "No words were heard in it.".into(),
    });
    view! {
        <div class="viewer-body sound" on:keydown=move |press| player_key(&press, player)>
            {wave(artifact.id.clone(), player, cited, redacting)}
            {controls(artifact.id, player)}
            <ol class="transcript" aria-label="Transcript">
                {move || lines.get().into_iter().map(|line| line_view(line, player, redacting)).collect_view()}
            </ol>
            {note.map(|note| view! { <p class="muted">{note}</p> })}
        </div>
    }
}

/// The cited words, and those of the question.
fn marks_of(target: &Target) -> Vec<(Utf16Span, Mark)> {
    let cited = target.span.map(|span| (span, Mark::Cited));
    cited.into_iter().chain(target.matches.iter().map(|m| (m.span, Mark::Matched))).collect()
}

/// The player goes to the finding that is looked at; what will go is not heard where the recording is shown as it will be.
fn follow_spots(redacting: Redacting, player: Player) {
    Effect::new(move |_| {
        let at = redacting.at.get();
        let times = |spot: &Spot| spot.time.filter(|_| Some(&spot.id) == at.as_ref());
        if let Some(time) = redacting.spots.with_untracked(|spots| spots.iter().find_map(times)) {
            player.seek(time.start_ms as f64 / 1000.0);
        }
    });
    Effect::new(move |_| {
        let now = (player.at.get() * 1000.0) as u64;
        let is_now = |spot: &Spot| {
            spot.fate == Fate::Goes && spot.time.is_some_and(|time| (time.start_ms..time.end_ms).contains(&now))
        };
        let silent = !redacting.before.get() && redacting.spots.with(|spots| spots.iter().any(is_now));
        if let Some(audio) = player.audio.get() {
            audio.set_muted(silent);
        }
    });
}

fn load_transcript(
    file: &ArtifactDetail,
    shown: Shown,
    heard: RwSignal<Option<ViewText>>,
    cited: RwSignal<Option<TimeSpan>>,
) {
    let target = shown.target.get_value();
    let timed = file.views.iter().find(|v| v.view_type == um_model::ViewType::Asr).or(file.views.first());
    let Some(view) = target.view.clone().or_else(|| timed.map(|v| v.id.clone())) else {
        return;
    };
    spawn_local(async move {
        // Without its words a recording can still be heard.
        let Ok(text) = ipc::call(ViewRead { id: view, span: None }).await else {
            return;
        };
        if let (None, Some(span)) = (target.time, target.span) {
            let times = text.anchors.iter().filter(|a| a.span.overlaps(span)).filter_map(|a| a.time);
            let around =
                times.reduce(|a, b| TimeSpan { start_ms: a.start_ms.min(b.start_ms), end_ms: a.end_ms.max(b.end_ms) });
            cited.try_set(around);
        }
        heard.try_set(Some(text));
    });
}

fn player_key(press: &KeyboardEvent, player: Player) {
    let on_button =
        press.target().is_some_and(|t| t.dyn_ref::<web_sys::HtmlElement>().is_some_and(|e| e.tag_name() == "BUTTON"));
    match press.key().as_str() {
        " " if !on_button => player.toggle(),
        "ArrowLeft" => player.seek(player.at.get_untracked() - STEP),
        "ArrowRight" => player.seek(player.at.get_untracked() + STEP),
        _ => return,
    }
    press.prevent_default();
}

/// The sound itself, once it is there; or why it is not.
fn audible(sound: Signal<Option<Result<String, ApiError>>>, player: Player, again: RwSignal<i32>) -> impl IntoView {
    let moved = move |_| {
        if let Some(audio) = player.audio.get_untracked() {
            player.at.set(audio.current_time());
        }
    };
    // What was sought before the sound was there is sought again once it is. A recording that nobody has listened
    // to yet tells only now how long it is.
    let ready = move |_| {
        let told = player.audio.get_untracked().map_or(0.0, |audio| audio.duration());
        if player.length.get_untracked() <= 0.0 && told.is_finite() {
            player.length.set(told);
        }
        player.seek(player.at.get_untracked());
    };
    let retry = Callback::new(move |()| again.update(|n| *n += 1));
    move || match sound.get() {
        Some(Ok(url)) => view! {
            <audio node_ref=player.audio src=url preload="auto" data-testid="audio" on:timeupdate=moved
                on:loadedmetadata=ready on:play=move |_| player.playing.set(true)
                on:pause=move |_| player.playing.set(false) on:ended=move |_| player.playing.set(false)></audio>
        }
        .into_any(),
        Some(Err(error)) => view! { <Trouble what="The sound could not be played." error retry/> }.into_any(),
        None => ().into_any(),
    }
}

fn controls(id: ArtifactId, player: Player) -> impl IntoView {
    let again = RwSignal::new(0);
    let address = Memo::new(move |_| {
        again.track();
        pictures::address(id.clone(), MediaPart::Sound)
    });
    let sound = Signal::derive(move || address.get().get());
    let there = move || matches!(sound.get(), Some(Ok(_)));
    let label = move || {
        if player.playing.get() { "Pause" } else { "Play" }
    };
    view! {
        <div class="player" aria-busy=move || sound.with(Option::is_none).to_string()>
            <button type="button" class="button accent" data-testid="play" disabled=move || !there()
                on:click=move |_| player.toggle()>
                {move || view! { <Glyph icon=if player.playing.get() { Icon::Pause } else { Icon::Play }/> }}
                {label}
            </button>
            <span class="time" data-testid="time">
                {move || format!("{} / {}", clock((player.at.get() * 1000.0) as u64), clock((player.length.get() * 1000.0) as u64))}
            </span>
            {audible(sound, player, again)}
        </div>
    }
}

fn wave(
    id: ArtifactId,
    player: Player,
    cited: RwSignal<Option<TimeSpan>>,
    redacting: Option<Redacting>,
) -> impl IntoView {
    let bins = RwSignal::new(Vec::<u8>::new());
    spawn_local(async move {
        // Without the waveform the recording can still be heard and sought in.
        if let Ok((_, bytes)) = ipc::media(&id, MediaPart::Waveform { bins: BINS }).await {
            bins.try_set(bytes);
        }
    });
    let across = move |seconds: f64| {
        let length = player.length.get();
        if length > 0.0 { seconds / length * f64::from(BINS) } else { 0.0 }
    };
    let node = NodeRef::<leptos::svg::Svg>::new();
    let second = move |pointer: &leptos::ev::PointerEvent| {
        let place = node.get_untracked()?.get_bounding_client_rect();
        let share = (f64::from(pointer.client_x()) - place.left()) / place.width();
        (place.width() > 0.0).then(|| share.clamp(0.0, 1.0) * player.length.get_untracked())
    };
    // A drag is a stretch to be silenced, while a person looks for these.
    let pressed = StoredValue::new(None::<f64>);
    let seek = move |pointer: leptos::ev::PointerEvent| {
        pressed.set_value(second(&pointer));
        pressed.get_value().into_iter().for_each(|to| player.seek(to));
    };
    let drag = move |pointer: leptos::ev::PointerEvent| {
        let (Some(redacting), Some(from), Some(to)) = (redacting, pressed.get_value(), second(&pointer)) else {
            return;
        };
        let [start_ms, end_ms] = [from.min(to), from.max(to)].map(|second| (second * 1000.0) as u64);
        if end_ms >= start_ms + LEAST_MS {
            redacting.stretch.set(Some(TimeSpan { start_ms, end_ms }));
        }
    };
    let bar = move |time: TimeSpan, class: &'static str| {
        let (a, b) = (across(time.start_ms as f64 / 1000.0), across(time.end_ms as f64 / 1000.0));
        view! { <rect class=class data-testid=class x=a y="0" width=(b - a).max(1.0) height="100"/> }
    };
    let spots = redacting.map(|redacting| {
        move || {
            let one = |spot: Spot| {
                let goes = spot.fate == Fate::Goes && !redacting.before.get();
                spot.time.map(|time| bar(time, if goes { "wave-goes" } else { "wave-found" }))
            };
            let drafted = redacting.stretch.get().map(|time| bar(time, "wave-draft"));
            view! { {redacting.spots.get().into_iter().filter_map(one).collect_view()} {drafted} }
        }
    });
    view! {
        <svg class="wave" node_ref=node viewBox=format!("0 0 {BINS} 100") preserveAspectRatio="none" role="slider"
            tabindex="0" aria-label="Position" aria-valuemin="0" aria-valuemax=move || player.length.get()
            aria-valuenow=move || player.at.get().round() aria-valuetext=move || clock((player.at.get() * 1000.0) as u64)
            data-testid="waveform" on:pointerdown=seek on:pointermove=drag
            on:pointerup=move |_| pressed.set_value(None) on:pointerleave=move |_| pressed.set_value(None)>
            {move || cited.get().map(|time| {
                let (a, b) = (across(time.start_ms as f64 / 1000.0), across(time.end_ms as f64 / 1000.0));
                view! {
                    <rect class="wave-cited" data-testid="highlight" x=a y="0" width=(b - a).max(1.0) height="100"/>
                    <path class="wave-bracket" d=format!("M {} 1 H {a} V 99 H {} M {} 1 H {b} V 99 H {}", a + 3.0, a + 3.0, b - 3.0, b - 3.0)/>
                }
            })}
            <path class="wave-bars" d=move || bins.with(|bins| wave_path(bins))/>
            {spots}
            <line class="wave-now" x1=move || across(player.at.get()) x2=move || across(player.at.get()) y1="0" y2="100"/>
        </svg>
    }
}

/// One stroke for each bar, mirrored at the middle of a height of 100.
fn wave_path(bins: &[u8]) -> String {
    bins.iter()
        .enumerate()
        .map(|(at, loud)| {
            let half = (f64::from(*loud) / 255.0 * 46.0).max(1.0);
            format!("M {:.1} {:.1} V {:.1} ", at as f64 + 0.5, 50.0 - half, 50.0 + half)
        })
        .collect()
}

fn line_view(line: Said, player: Player, redacting: Option<Redacting>) -> impl IntoView {
    let (start, end) = (line.time.start_ms as f64 / 1000.0, line.time.end_ms as f64 / 1000.0);
    let now = Memo::new(move |_| (start..end).contains(&player.at.get()));
    let words = line.pieces.into_iter().map(|piece| match piece.mark {
        Mark::None => view! { {piece.text} }.into_any(),
        Mark::Cited => view! { <mark class="cited" data-testid="highlight">{piece.text}</mark> }.into_any(),
        Mark::Matched => view! { <mark class="cited matched" data-testid="highlight">{piece.text}</mark> }.into_any(),
        Mark::Found(at) | Mark::Goes(at) => match redacting {
            Some(redacting) => redacting.word(piece.text, at),
            None => view! { {piece.text} }.into_any(),
        },
    });
    let node = NodeRef::<html::Li>::new();
    Effect::new(move |_| {
        if let (true, Some(item)) = (now.get(), node.get()) {
            let options = web_sys::ScrollIntoViewOptions::new();
            options.set_block(web_sys::ScrollLogicalPosition::Nearest);
            item.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
    view! {
        <li node_ref=node>
            <button type="button" class="said" aria-current=move || now.get().then_some("true")
                data-testid="transcript-line" on:click=move |_| player.seek(start)>
                <span class="time">{clock(line.time.start_ms)}</span>
                <span class="quote">{words.collect_view()}</span>
            </button>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stretch_of_time_is_a_line() {
        let anchor = |start, end, from, to| Anchor {
            span: Utf16Span::new(start, end),
            page: None,
            bbox: None,
            time: Some(TimeSpan { start_ms: from, end_ms: to }),
            confidence: None,
        };
        let anchors = [anchor(10, 19, 0, 900), anchor(20, 29, 900, 2000)];
        let marks = [(Utf16Span::new(25, 29), Mark::Matched)];
        let lines = said("call Anna on Friday", 10, &anchors, &marks);
        let drawn: Vec<String> =
            lines.iter().map(|l| l.pieces.iter().map(|p| p.text.as_str()).collect::<Vec<_>>().join("|")).collect();
        assert_eq!(drawn, ["call Anna", "on Fr|iday"]);
        assert_eq!(lines[1].time.start_ms, 900);
    }

    #[test]
    fn silence_is_still_a_line() {
        assert_eq!(wave_path(&[0, 255]), "M 0.5 49.0 V 51.0 M 1.5 4.0 V 96.0 ");
    }
}
