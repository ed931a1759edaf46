//! The fields of what an entry says. Which there are depends on what it is.

use super::texts::{Texts, area, line, many};
use crate::{
    components::icon::{Glyph, Icon},
    dates,
};
use leptos::prelude::*;
use serde_json::{Map, Value};
use um_model::work::{EntryBody, EntryType, Examples, GoodAndBad, ToolExample, ToolParameters};

/// What is typed into the fields. What was not touched goes back as it came.
#[derive(Clone, Copy)]
pub struct Draft {
    /// What the entry is.
    pub of: RwSignal<EntryType>,
    text: RwSignal<String>,
    rationale: RwSignal<String>,
    good: Texts,
    bad: Texts,
    source: RwSignal<String>,
    sure: RwSignal<String>,
    until: RwSignal<String>,
    constraints: RwSignal<String>,
    required: RwSignal<String>,
    optional: RwSignal<String>,
    schema: RwSignal<String>,
    uses: RwSignal<Vec<(usize, [RwSignal<String>; 3])>>,
    before: StoredValue<EntryBody>,
}

fn percent_of(share: f64) -> String {
    let text = format!("{:.2}", share * 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn schema_text(schema: &Map<String, Value>) -> String {
    if schema.is_empty() { String::new() } else { serde_json::to_string_pretty(schema).unwrap_or_default() }
}

/// A schema, where the text is one: an object in JSON.
fn schema_of(text: &str) -> Option<Map<String, Value>> {
    if text.trim().is_empty() { Some(Map::new()) } else { serde_json::from_str(text).ok() }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

fn some(text: String) -> Option<String> {
    Some(text).filter(|text| !text.trim().is_empty())
}

impl Draft {
    /// The fields of a body.
    pub fn of(of: EntryType, body: &EntryBody) -> Self {
        let text = |part: &Option<String>| RwSignal::new(part.clone().unwrap_or_default());
        let (good, bad) = match &body.examples {
            Some(Examples::GoodAndBad(both)) => (both.good.clone(), both.bad.clone()),
            _ => (Vec::new(), Vec::new()),
        };
        let uses = match &body.examples {
            Some(Examples::Uses(uses)) => uses.clone(),
            _ => Vec::new(),
        };
        let field = |one: ToolExample| {
            [one.description, one.input.unwrap_or_default(), one.output.unwrap_or_default()].map(RwSignal::new)
        };
        let parameters = body.parameters.clone().unwrap_or_default();
        Self {
            of: RwSignal::new(of),
            text: text(if of == EntryType::Tool { &body.description } else { &body.content }),
            rationale: text(&body.rationale),
            good: Texts::of(&good),
            bad: Texts::of(&bad),
            source: text(&body.source),
            sure: RwSignal::new(body.confidence.map(percent_of).unwrap_or_default()),
            until: RwSignal::new(body.valid_until.map(|at| dates::day_field(at - 1)).unwrap_or_default()),
            constraints: text(&body.constraints),
            required: RwSignal::new(parameters.required.join("\n")),
            optional: RwSignal::new(parameters.optional.join("\n")),
            schema: RwSignal::new(schema_text(&parameters.schema)),
            uses: RwSignal::new(uses.into_iter().map(field).enumerate().collect()),
            before: StoredValue::new(body.clone()),
        }
    }

    /// What the fields say; none while something is missing or wrong.
    pub fn body(self) -> Option<EntryBody> {
        let (of, text) = (self.of.get(), some(self.text.get())?);
        Some(match of {
            EntryType::Guideline => EntryBody {
                content: Some(text),
                rationale: some(self.rationale.get()),
                examples: self.good_and_bad(),
                ..EntryBody::default()
            },
            EntryType::Knowledge => EntryBody {
                content: Some(text),
                source: some(self.source.get()),
                confidence: self.confidence()?,
                valid_until: self.valid_until(),
                ..EntryBody::default()
            },
            EntryType::Tool => EntryBody {
                description: Some(text),
                constraints: some(self.constraints.get()),
                parameters: self.parameters()?,
                examples: self.examples(),
                ..EntryBody::default()
            },
        })
    }

    fn good_and_bad(self) -> Option<Examples> {
        let both = GoodAndBad { good: self.good.all(), bad: self.bad.all() };
        (both != GoodAndBad::default()).then_some(Examples::GoodAndBad(both))
    }

    /// How sure it is; nothing where that is not said, and none where it is no share.
    fn confidence(self) -> Option<Option<f64>> {
        let typed = self.sure.get();
        let before = self.before.with_value(|body| body.confidence);
        if typed.trim().is_empty() {
            return Some(None);
        }
        if before.map(percent_of).as_deref() == Some(typed.trim()) {
            return Some(before);
        }
        let percent: f64 = typed.trim().parse().ok()?;
        (0.0..=100.0).contains(&percent).then_some(Some(percent / 100.0))
    }

    fn valid_until(self) -> Option<i64> {
        let typed = self.until.get();
        let before = self.before.with_value(|body| body.valid_until);
        let is_as_before = before.is_some_and(|at| dates::day_field(at - 1) == typed);
        if is_as_before { before } else { dates::start_of_day(&typed, 1) }
    }

    fn parameters(self) -> Option<Option<ToolParameters>> {
        let parameters = ToolParameters {
            required: lines(&self.required.get()),
            optional: lines(&self.optional.get()),
            schema: schema_of(&self.schema.get())?,
        };
        Some((parameters != ToolParameters::default()).then_some(parameters))
    }

    fn examples(self) -> Option<Examples> {
        let one = |[does, given, back]: [RwSignal<String>; 3]| ToolExample {
            description: does.get(),
            input: some(given.get()),
            output: some(back.get()),
        };
        let uses = self.uses.with(|uses| uses.iter().map(|(_, fields)| one(*fields)).collect::<Vec<_>>());
        let uses: Vec<ToolExample> = uses.into_iter().filter(|one| *one != ToolExample::default()).collect();
        (!uses.is_empty()).then_some(Examples::Uses(uses))
    }
}

/// The fields.
#[component]
pub fn Fields(
    /// What is typed into them.
    draft: Draft,
) -> impl IntoView {
    move || {
        match draft.of.get() {
        EntryType::Guideline => view! {
            {area(("entry-text", "What is to be done"), draft.text, 5)}
            {area(("entry-rationale", "Why (may stay empty)"), draft.rationale, 2)}
            {many(draft.good, ("entry-good", "So", "A good example"))}
            {many(draft.bad, ("entry-bad", "Not so", "A bad example"))}
        }
        .into_any(),
        EntryType::Knowledge => view! {
            {area(("entry-text", "What is so"), draft.text, 6)}
            {line(("entry-source", "Where it comes from (may stay empty)"), draft.source)}
            <div class="pair">
                <span>
                    <label class="label" for="entry-sure">"How sure it is, in percent"</label>
                    <input id="entry-sure" class="field" type="text" inputmode="decimal" autocomplete="off" placeholder="100"
                        prop:value=move || draft.sure.get() on:input=move |e| draft.sure.set(event_target_value(&e))/>
                </span>
                <span>
                    <label class="label" for="entry-until">"So until (may stay empty)"</label>
                    <input id="entry-until" class="field" type="date" prop:value=move || draft.until.get()
                        on:input=move |e| draft.until.set(event_target_value(&e))/>
                </span>
            </div>
            <p class="form-error" role="alert">{move || draft.confidence().is_none().then_some("How sure it is: a number from 0 to 100.")}</p>
        }
        .into_any(),
        EntryType::Tool => view! {
            {area(("entry-text", "What it does"), draft.text, 4)}
            {area(("entry-constraints", "What it cannot do, or must not be used for (may stay empty)"), draft.constraints, 2)}
            <div class="pair">
                <span>{area(("entry-required", "Has to be given, one name a line"), draft.required, 2)}</span>
                <span>{area(("entry-optional", "May be given, one name a line"), draft.optional, 2)}</span>
            </div>
            {area(("entry-schema", "Its form as a JSON Schema (may stay empty)"), draft.schema, 3)}
            <p class="form-error" role="alert">
                {move || schema_of(&draft.schema.get()).is_none().then_some("The form is no object in JSON: it begins with { and ends with }.")}
            </p>
            <Uses draft/>
        }
        .into_any(),
    }
    }
}

/// Uses of a tool: what is done, what is given, what comes back.
#[component]
fn Uses(draft: Draft) -> impl IntoView {
    let add = move |_| {
        draft.uses.update(|all| {
            let next = all.iter().map(|(id, _)| id + 1).max().unwrap_or(0);
            all.push((next, [(); 3].map(|()| RwSignal::new(String::new()))));
        });
    };
    let field = |label: &'static str, text: RwSignal<String>| {
        view! {
            <textarea class="field" rows="1" aria-label=label placeholder=label prop:value=move || text.get()
                on:input=move |e| text.set(event_target_value(&e))></textarea>
        }
    };
    let one = move |(at, [does, given, back]): (usize, [RwSignal<String>; 3])| {
        view! {
            <li class="text-field">
                <span class="use-fields grow">{field("What is done", does)} {field("What is given", given)} {field("What comes back", back)}</span>
                <button type="button" class="button ghost square" aria-label="Take out: an example" title="Take out"
                    on:click=move |_| draft.uses.update(|all| all.retain(|(id, _)| *id != at))><Glyph icon=Icon::Cross/></button>
            </li>
        }
    };
    view! {
        <fieldset class="texts">
            <legend class="label">"Examples"</legend>
            <ul class="plain"><For each=move || draft.uses.get() key=|(id, _)| *id children=one/></ul>
            <button type="button" class="button small" on:click=add><Glyph icon=Icon::Plus/> "Add: an example"</button>
        </fieldset>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_touched_goes_back_as_it_came() {
        let owner = Owner::new();
        owner.set();
        let check = |of: EntryType, body: Value| {
            let body: EntryBody = serde_json::from_value(body).unwrap();
            assert_eq!(Draft::of(of, &body).body(), Some(body));
        };
        check(
            EntryType::Guideline,
            json!({ "content": "Use tabs.\n", "rationale": "So.", "examples": { "good": ["a\n\nb"], "bad": [] } }),
        );
        check(EntryType::Knowledge, json!({ "content": "x", "source": "y", "confidence": 0.123456 }));
        check(
            EntryType::Tool,
            json!({ "description": "x", "constraints": "slow", "parameters": { "required": ["path"], "optional": ["flag"],
                "schema": { "type": "object" } }, "examples": [{ "description": "all", "input": "t" }] }),
        );
        check(EntryType::Tool, json!({ "description": "x" }));
    }

    #[test]
    fn what_is_missing_or_wrong_is_no_body() {
        let owner = Owner::new();
        owner.set();
        let knowledge = Draft::of(EntryType::Knowledge, &EntryBody::default());
        assert_eq!(knowledge.body(), None, "it says nothing");
        knowledge.text.set("x".to_owned());
        knowledge.sure.set("120".to_owned());
        assert_eq!(knowledge.body(), None, "nothing is surer than sure");
        knowledge.sure.set("80".to_owned());
        assert_eq!(knowledge.body().and_then(|body| body.confidence), Some(0.8));
        let tool = Draft::of(EntryType::Tool, &EntryBody::default());
        tool.text.set("x".to_owned());
        tool.schema.set("[]".to_owned());
        assert_eq!(tool.body(), None, "a schema is an object");
    }
}
