//! What narrows a question down.

use super::{
    RecallDialog,
    moment::{AsOf, day_value, earlier_day},
    words::past,
};
use crate::{
    components::icon::{Glyph, Icon},
    dates,
    format::{modality_name, sentence},
    state::{App, Dialog},
};
use leptos::prelude::*;
use um_model::{EpochMs, Modality, recall::MemoryRecall};

/// How many hits are asked for.
pub const LIMIT: u32 = 20;

/// What narrows the search down.
#[derive(Clone, Copy)]
pub struct Filters {
    modalities: RwSignal<Vec<Modality>>,
    period: RwSignal<Period>,
    since: RwSignal<String>,
    until: RwSignal<String>,
    from: RwSignal<String>,
    tag: RwSignal<String>,
    /// The day that is asked of; now where there is none.
    pub day: RwSignal<Option<i64>>,
    /// The day whose knowledge is asked; all that is known where there is none.
    pub known: RwSignal<Option<i64>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Period {
    Any,
    Days(u32),
    Between,
}

impl Period {
    const ALL: [(&'static str, &'static str, Period); 6] = [
        ("any", "Any date", Period::Any),
        ("1", "Past day", Period::Days(1)),
        ("7", "Past week", Period::Days(7)),
        ("31", "Past month", Period::Days(31)),
        ("365", "Past year", Period::Days(365)),
        ("between", "Between...", Period::Between),
    ];

    /// That of a question that was kept.
    fn of(kept: &MemoryRecall) -> Self {
        match kept.past_days {
            Some(days) => Self::Days(days),
            None if kept.since.is_some() || kept.until.is_some() => Self::Between,
            None => Self::Any,
        }
    }

    /// Of so many days before now.
    fn days(self) -> Option<u32> {
        match self {
            Self::Days(days) => Some(days),
            Self::Any | Self::Between => None,
        }
    }

    /// So many days for which there is no choice of its own, as they are kept by who asks without a window.
    fn other_days(self) -> Option<u32> {
        self.days().filter(|_| Self::ALL.iter().all(|(.., one)| *one != self))
    }
}

/// Names that stand in one field, parted by commas.
fn names(typed: &str) -> Vec<String> {
    typed.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Tags that stand in a field, with or without their mark.
fn tags(typed: &str) -> Vec<String> {
    let bare = |name: String| name.trim_start_matches('#').trim().to_owned();
    names(typed).into_iter().map(bare).filter(|tag| !tag.is_empty()).collect()
}

impl Filters {
    /// None at all.
    pub fn new() -> Self {
        let words = || RwSignal::new(String::new());
        Self {
            modalities: RwSignal::new(Vec::new()),
            period: RwSignal::new(Period::Any),
            since: words(),
            until: words(),
            from: words(),
            tag: words(),
            day: RwSignal::new(None),
            known: RwSignal::new(None),
        }
    }

    /// The beginning and the end of a period between two days.
    fn times(&self) -> (Option<EpochMs>, Option<EpochMs>) {
        match self.period.get() {
            Period::Any | Period::Days(_) => (None, None),
            // The last day belongs to the period.
            Period::Between => (dates::start_of_day(&self.since.get(), 0), dates::start_of_day(&self.until.get(), 1)),
        }
    }

    /// Whether they leave anything out: then the newest that pass answer, where nothing is asked.
    pub fn narrow(&self) -> bool {
        let timed = self.period.get().days().is_some() || self.times() != (None, None);
        let dated = self.day.with(Option::is_some) || self.known.with(Option::is_some) || timed;
        let named = self.from.with(|typed| !names(typed).is_empty()) || self.tag.with(|typed| !tags(typed).is_empty());
        !self.modalities.with(Vec::is_empty) || named || dated
    }

    /// Whether any of them is set: a period between two days that are not said leaves nothing out, and is.
    fn any(&self) -> bool {
        self.period.get() != Period::Any || self.narrow()
    }

    /// How many of those that are needed seldom narrow the question down.
    fn seldom(&self) -> usize {
        usize::from(self.known.with(Option::is_some)) + usize::from(self.modalities.with(|chosen| chosen.len() > 1))
    }

    /// What is asked of the engine.
    pub fn request(&self, query: &str, space: Option<String>) -> MemoryRecall {
        let (since, until) = self.times();
        let utc_offset = dates::utc_offset();
        let ends = |day| dates::end_of(day, utc_offset);
        MemoryRecall {
            query: query.to_owned(),
            space,
            limit: Some(LIMIT),
            fielded: true,
            associated: true,
            modalities: self.modalities.get(),
            from: self.from.with(|typed| names(typed)),
            tags: self.tag.with(|typed| tags(typed)),
            since,
            until,
            past_days: self.period.get().days(),
            utc_offset,
            as_of: self.day.get().map(ends),
            known_at: self.known.get().map(ends),
            ..MemoryRecall::default()
        }
    }

    /// Takes over what a question that was kept is narrowed down by.
    pub fn take(&self, kept: &MemoryRecall) {
        self.modalities.set(kept.modalities.clone());
        self.from.set(kept.from.join(", "));
        self.tag.set(kept.tags.join(", "));
        // The day stays, whatever the clock says by now.
        let day_of = |at| dates::local_day(at, kept.utc_offset);
        self.day.set(kept.as_of.map(day_of));
        self.known.set(kept.known_at.map(day_of));
        self.period.set(Period::of(kept));
        self.since.set(kept.since.map(dates::day_field).unwrap_or_default());
        self.until.set(kept.until.map(|until| dates::day_field(until - 1)).unwrap_or_default());
    }
}

/// The fields that narrow a question down.
#[component]
pub fn FilterBar(
    /// What they fill in.
    filters: Filters,
    /// The first day of which anything is known.
    first: Signal<i64>,
) -> impl IntoView {
    let app = App::get();
    let types = Modality::ALL
        .iter()
        .map(|m| {
            let m = *m;
            view! { <option value=m.as_str() prop:selected=move || filters.modalities.get() == [m]>{modality_name(m)}</option> }
        })
        .collect_view();
    let several = move || filters.modalities.with(|chosen| chosen.len() > 1);
    let periods = Period::ALL.map(|(word, name, period)| {
        view! { <option value=word prop:selected=move || filters.period.get() == period>{name}</option> }
    });
    let other = move || {
        let words = filters.period.get().other_days().map(|days| sentence(&past(days)));
        words.map(|words| view! { <option value="other" disabled prop:selected=true>{words}</option> })
    };
    let choose_period = move |event| {
        let word = event_target_value(&event);
        let chosen = Period::ALL.iter().find(|(w, _, _)| *w == word).map_or(Period::Any, |(_, _, p)| *p);
        filters.period.set(chosen);
    };
    let between = move || filters.period.get() == Period::Between;
    let more = RwSignal::new(false);
    let seldom = Memo::new(move |_| filters.seldom());
    Effect::new(move |_| {
        // What comes to narrow the question down is in sight.
        if seldom.get() > 0 {
            more.set(true);
        }
    });
    let hidden = move || Some(seldom.get()).filter(|set| *set > 0 && !more.get()).map(|set| format!(" ({set} set)"));
    let any = Memo::new(move |_| filters.any());
    view! {
        <div class="filters ask-filters" role="group" aria-label="Filters">
            <select class="field" aria-label="Type" data-testid="filter-type"
                on:change=move |e| filters.modalities.set(event_target_value(&e).parse().into_iter().collect())>
                <option value="" prop:selected=move || filters.modalities.with(Vec::is_empty)>"Any type"</option>
                {types}
                {move || several().then(|| view! { <option value="several" disabled prop:selected=true>"Several types"</option> })}
            </select>
            <select class="field" aria-label="Date" data-testid="filter-date" on:change=choose_period>
                {periods}
                {other}
            </select>
            <Show when=between>
                {day_field("from ", filters.since)}
                {day_field("to ", filters.until)}
            </Show>
            {names_field("From", "From anybody", "filter-from", filters.from)}
            {names_field("Tag", "Any tag", "filter-tag", filters.tag)}
            <button type="button" class="button ghost square" aria-label="Narrow it down by words" title="Narrow it down by words"
                data-testid="syntax" on:click=move |_| app.dialog.set(Some(Dialog::Recall(RecallDialog::Syntax)))>
                <Glyph icon=Icon::Help/>
            </button>
            <AsOf day=filters.day first/>
            <button type="button" class="button ghost" data-testid="more-filters" aria-controls="more-filters"
                aria-expanded=move || more.get().to_string() on:click=move |_| more.update(|more| *more = !*more)>
                {move || if more.get() { "Fewer filters" } else { "More filters" }}
                {hidden}
            </button>
            {move || any.get().then(|| view! {
                <button type="button" class="button ghost" title="Ask without any filter" data-testid="filters-clear"
                    on:click=move |_| filters.take(&MemoryRecall::default())>"Clear"</button>
            })}
        </div>
        <div id="more-filters">
            <Show when=move || more.get()><More filters/></Show>
        </div>
    }
}

/// What is needed seldom: several types at once, and what was known on a day.
#[component]
fn More(filters: Filters) -> impl IntoView {
    let kinds = Modality::ALL.iter().map(|m| {
        let m = *m;
        let tick = move |e| filters.modalities.update(|chosen| *chosen = ticked(chosen, m, event_target_checked(&e)));
        view! {
            <label class="check small">
                <input type="checkbox" value=m.as_str() data-testid="filter-kind" on:change=tick
                    prop:checked=move || filters.modalities.with(|chosen| chosen.contains(&m))/>
                {modality_name(m)}
            </label>
        }
    });
    let known = move |e| filters.known.set(earlier_day(&event_target_value(&e), dates::today()));
    view! {
        <div class="filters-more">
            <fieldset class="kinds">
                <legend class="small muted">"Types"</legend>
                {kinds.collect_view()}
            </fieldset>
            <div class="known">
                <label class="small" for="known-at">"As it was known on"</label>
                <input id="known-at" class="field" type="date" data-testid="known-at" aria-describedby="known-says"
                    prop:value=move || day_value(filters.known.get()) on:change=known/>
                {move || filters.known.get().map(|_| view! {
                    <button type="button" class="button ghost small" data-testid="known-now" on:click=move |_| filters.known.set(None)>"All that is known now"</button>
                })}
                <span id="known-says" class="muted small">"Leaves out what was added or changed after that day. \"As of\" asks what was so on a day; this asks what was known."</span>
            </div>
        </div>
    }
}

/// The chosen types once one more is ticked, or one less, in the order of all of them.
fn ticked(chosen: &[Modality], one: Modality, on: bool) -> Vec<Modality> {
    Modality::ALL.iter().copied().filter(|m| if *m == one { on } else { chosen.contains(m) }).collect()
}

fn day_field(label: &'static str, value: RwSignal<String>) -> impl IntoView {
    view! {
        <label class="small">{label}
            <input class="field" type="date" prop:value=move || value.get() on:change=move |e| value.set(event_target_value(&e))/>
        </label>
    }
}

/// A field that counts once it is left, or at Enter: not at each letter.
fn names_field(
    label: &'static str,
    none: &'static str,
    testid: &'static str,
    value: RwSignal<String>,
) -> impl IntoView {
    view! {
        <input class="field" type="text" aria-label=label placeholder=none autocomplete="off" data-testid=testid
            prop:value=move || value.get() on:change=move |e| value.set(event_target_value(&e).trim().to_owned())/>
    }
}

/// What can be written in a question, and what it does.
const SYNTAX: [(&str, &str); 8] = [
    ("from:ana", "who brought it in, whose it is or who a mail is from, or part of a file's name or title"),
    ("type:pdf", "a kind of file: text, document, pdf, image, audio, video, html, source"),
    ("tag:tax", "only what carries this tag"),
    ("tier:cold", "what was put out of the way; no other question finds it"),
    ("after:2024", "at or after a year, month or day; also yesterday, today"),
    ("before:2025-06", "before one"),
    ("\"cold rent\"", "these words, exactly so"),
    ("-flat", "without this word"),
];

/// How a question is narrowed down by words.
#[component]
pub fn Syntax() -> impl IntoView {
    let rows = SYNTAX.map(|(what, does)| view! { <div><dt><kbd>{what}</kbd></dt><dd>{does}</dd></div> });
    view! {
        <p>"Write these beside your question, in any order."</p>
        <dl class="keys" data-testid="syntax-list">{rows}</dl>
        <p class="muted small">"What does not tell when it happened goes by when the file was last changed, or by when it was kept."</p>
        <p class="muted small">"Example: lease from:\"Ana Lima\" type:pdf after:2024"</p>
    }
}

#[cfg(test)]
mod tests {
    use super::{MemoryRecall, Modality, Period, names, tags, ticked};

    #[test]
    fn a_period_comes_back_as_it_was_kept() {
        let check = |past_days: Option<u32>, since: Option<i64>, period: Period, other: Option<u32>| {
            let kept = MemoryRecall { past_days, since, ..MemoryRecall::default() };
            let came = Period::of(&kept);
            assert!(came == period, "{kept:?}");
            assert_eq!((came.days(), came.other_days()), (past_days, other), "{kept:?}");
        };
        check(None, None, Period::Any, None);
        check(None, Some(1), Period::Between, None);
        check(Some(7), None, Period::Days(7), None);
        check(Some(14), None, Period::Days(14), Some(14));
    }

    #[test]
    fn types_are_ticked_in_their_order() {
        let two = ticked(&[Modality::Image], Modality::Text, true);
        assert_eq!(two, [Modality::Text, Modality::Image]);
        assert_eq!(ticked(&two, Modality::Image, false), [Modality::Text]);
    }

    #[test]
    fn names_are_parted_by_commas() {
        assert_eq!(names(" Ana Lima, ,bo"), ["Ana Lima", "bo"]);
        assert!(names(" ").is_empty());
    }

    #[test]
    fn a_tag_is_named_with_or_without_its_mark() {
        for (typed, expected) in [
            ("tax", &["tax"][..]),
            ("#tax, home", &["tax", "home"]),
            ("# two words ,", &["two words"]),
            ("#c#", &["c#"]),
            ("#", &[]),
        ] {
            assert_eq!(tags(typed), expected, "{typed}");
        }
    }
}
