//! A pack as it is looked at: its text, how the budget was spent, what is in it and what is not.

use super::{behind::Behind, warned, words};
use crate::{
    clipboard,
    components::{
        icon::{Glyph, Icon},
        pairing::plain,
    },
    format::{count, grouped, percent},
    state::App,
};
use leptos::prelude::*;
use um_model::{
    PackId,
    work::{Briefing, CountedBy, LeftOut, LeftOutWhy, PackItem, PackRecall, Part},
};

/// What an item is there as, in words.
fn part_name(part: Part) -> &'static str {
    match part {
        Part::Core => "Standing rules",
        Part::Pinned => "Pinned",
        Part::State => "In hand",
        Part::Guideline => "Guidelines",
        Part::Tool => "Tools",
        Part::Knowledge => "Knowledge",
        Part::LastSession => "Last session",
        Part::Resource => "Resources",
        Part::Fact => "Facts",
        Part::Evidence => "Passages",
    }
}

/// Why something is not in it.
fn left_out_why(why: LeftOutWhy) -> &'static str {
    match why {
        LeftOutWhy::NoRoom => "No room was left for it",
        LeftOutWhy::OverPinnedBudget => "More is pinned than the space allows",
        LeftOutWhy::SaidAlready => "Another item says the same",
    }
}

/// Tokens of each part, in the order of the text.
fn by_part(items: &[PackItem]) -> Vec<(Part, u32)> {
    let mut out: Vec<(Part, u32)> = Vec::new();
    for item in items {
        match out.iter_mut().find(|(part, _)| *part == item.part) {
            Some((_, tokens)) => *tokens += item.tokens,
            None => out.push((item.part, item.tokens)),
        }
    }
    out
}

/// The class by which a part has its colour, the same in every pack; what frames the items belongs to no part.
fn part_class(part: Option<Part>) -> String {
    format!("part part-{}", part.map_or("frame", Part::as_str))
}

/// How much of the budget is used, in words.
fn spent(tokens: u32, budget: u32, by: CountedBy) -> String {
    let about = if by == CountedBy::Approximate { "About " } else { "" };
    let share = f64::from(tokens) / f64::from(budget.max(1));
    format!("{about}{} of {} tokens, {}", grouped(u64::from(tokens)), grouped(u64::from(budget)), percent(share))
}

/// What else there is to know of a pack, each in a line: that its count is about, and how well what was found answers.
fn notes(by: CountedBy, recall: Option<&PackRecall>) -> Vec<String> {
    let about = "How its reader counts tokens is not public. They are counted as GPT-4o does, and a quarter more.";
    let about = (by == CountedBy::Approximate).then(|| about.to_owned());
    let unsure = recall.filter(|recall| recall.abstained).map(|recall| match &recall.reason {
        Some(reason) => format!("No passage is sure to answer this. {reason}"),
        None => "No passage is sure to answer this.".to_owned(),
    });
    // A notice that is the reason, too, stands once.
    let is_new = |recall: &PackRecall, notice: &String| !recall.abstained || recall.reason.as_ref() != Some(notice);
    let notices = recall
        .into_iter()
        .flat_map(|recall| recall.notices.iter().filter(move |notice| is_new(recall, notice)).cloned());
    about.into_iter().chain(unsure).chain(notices).collect()
}

/// By whom a pack is read as it stands there: from the person nothing is hidden.
fn as_read(agent: Option<&str>) -> String {
    agent.map_or_else(
        || "As you read it: nothing is hidden from you".to_owned(),
        |name| format!("As {} reads it", plain(name)),
    )
}

/// How what stands behind the items is read where the pack stands there as an agent reads it.
fn as_you_read(agent: Option<&str>) -> Option<String> {
    agent.map(|name| {
        format!("“Read it” shows all of an item as you read it now, with what is hidden from {}.", plain(name))
    })
}

/// The pack.
#[component]
pub fn Pack(
    /// It.
    built: Briefing,
) -> impl IntoView {
    let app = App::get();
    let text = StoredValue::new(built.full_text.clone());
    let id = built.id.clone();
    let not_kept = id.is_none().then(|| view! { <p class="muted small">"This pack is not kept, so what stands behind its items cannot be read here."</p> });
    let copy = move |_| clipboard::copy(app, text.get_value(), "The pack is copied.");
    let read_by = as_read(built.as_agent_name.as_deref());
    let read_behind = as_you_read(built.as_agent_name.as_deref()).filter(|_| id.is_some());
    let read_behind =
        read_behind.map(|says| view! { <p class="muted small" data-testid="pack-read-behind"><bdi>{says}</bdi></p> });
    view! {
        <div class="pack" data-testid="pack">
            <section class="panel" aria-labelledby="budget-title">
                <h2 id="budget-title">"Budget"</h2>
                {budget_bar(&built)}
            </section>
            {noted(&built)}
            {warnings(&built)}
            <section class="panel" aria-labelledby="pack-text-title">
                <div class="head-row">
                    <h2 id="pack-text-title" class="grow" data-testid="pack-read-by"><bdi>{read_by}</bdi></h2>
                    <button type="button" class="button" data-testid="pack-copy" on:click=copy><Glyph icon=Icon::Copy/> "Copy"</button>
                </div>
                <pre class="pack-text" tabindex="0" aria-label="The text of the pack" data-testid="pack-text">{built.full_text.clone()}</pre>
            </section>
            <section class="panel" aria-labelledby="items-title">
                <h2 id="items-title">{format!("In it: {}", count(built.items.len() as u64, "item"))}</h2>
                {not_kept}
                {read_behind}
                <ol class="pack-items">{built.items.into_iter().map(|one| item(one, id.clone())).collect_view()}</ol>
            </section>
            {left_out((built.left_out_total, built.left_out), id.as_ref())}
        </div>
    }
}

/// The bar of the budget, and what each part takes of it.
fn budget_bar(built: &Briefing) -> impl IntoView + use<> {
    let budget = f64::from(built.budget_tokens.max(1));
    let parts = by_part(&built.items);
    let framed: u32 = parts.iter().map(|(_, tokens)| tokens).sum();
    let frame = built.estimated_tokens.saturating_sub(framed);
    let mut named: Vec<(Option<Part>, u32)> = parts.into_iter().map(|(part, tokens)| (Some(part), tokens)).collect();
    named.push((None, frame));
    named.retain(|(_, tokens)| *tokens > 0);
    let name_of = |part: Option<Part>| part.map_or("Marks around them", part_name);
    let mut x = 0.0;
    let rects: Vec<_> = named
        .iter()
        .map(|(part, tokens)| {
            let name = name_of(*part);
            let width = f64::from(*tokens) / budget * 100.0;
            let from = x;
            x += width;
            let says = format!("{name}: {tokens}");
            view! {
                <rect class=part_class(*part) x=format!("{from:.2}%") width=format!("{width:.2}%") height="20"><title>{says}</title></rect>
            }
        })
        .collect();
    let legend = named.into_iter().map(|(part, tokens)| {
        view! {
            <li>
                <svg class="part-key" width="12" height="12" aria-hidden="true" focusable="false"><rect class=part_class(part) width="12" height="12" rx="2"></rect></svg>
                <span>{name_of(part)}</span> <span class="muted">{grouped(u64::from(tokens))}</span>
            </li>
        }
    });
    view! {
        <p data-testid="pack-spent">{spent(built.estimated_tokens, built.budget_tokens, built.counted_by)}</p>
        <svg class="budget-bar" width="100%" height="20" aria-hidden="true" focusable="false" data-testid="budget-bar">
            <rect class="ground" width="100%" height="20"></rect>
            {rects}
        </svg>
        <ul class="legend" aria-label="Tokens by part">{legend.collect_view()}</ul>
    }
}

fn noted(built: &Briefing) -> impl IntoView + use<> {
    let line = |says: String| {
        view! {
            <p class="notice small" data-testid="pack-note"><Glyph icon=Icon::Info/> <span class="grow">{says}</span></p>
        }
    };
    let notices = built.notices.iter().cloned();
    notices.chain(notes(built.counted_by, built.recall.as_ref())).map(line).collect_view()
}

fn warnings(built: &Briefing) -> impl IntoView + use<> {
    let checked = built.verification_warnings.iter().map(|one| (words::checked(one), None));
    let recalled = built.recall_warnings.iter().map(|one| (words::careful(one), warned::link(one)));
    let rows: Vec<_> = checked
        .chain(recalled)
        .map(|(says, link)| {
            view! { <li class="state waiting"><Glyph icon=Icon::Alert/> <span>{says}</span> {link}</li> }
        })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <section class="panel" aria-labelledby="warnings-title" data-testid="pack-warnings">
                <h2 id="warnings-title">"Be careful with"</h2>
                <ul class="warnings">{rows}</ul>
            </section>
        }
    })
}

/// Why an item is there, in words, and which agent brought it in.
fn item_why(item: &PackItem) -> String {
    let mut why = vec![part_name(item.part).to_owned()];
    why.extend(item.by.as_deref().map(|by| format!("brought in by {}", plain(by))));
    if item.associated {
        why.push("stands near what was found".into());
    }
    if item.low_trust {
        why.push("from somebody who is trusted little".into());
    }
    why.join(", ")
}

/// The button that shows all of an item where the pack is kept.
fn behind(pack: Option<PackId>, item: &um_model::work::ItemRef, title: &str) -> Option<impl IntoView + use<>> {
    let (key, of) = (item.key(), title.to_owned());
    pack.map(|pack| view! { <Behind pack item=Some(key) words="Read it" of/> })
}

fn item(item: PackItem, pack: Option<PackId>) -> impl IntoView {
    let why = item_why(&item);
    let title = match item.item.title.is_empty() {
        true => item.text.chars().take(80).collect(),
        false => item.item.title.clone(),
    };
    let whole = behind(pack, &item.item, &title);
    view! {
        <li class="pack-item" data-testid="pack-item">
            <code>{item.citation}</code>
            <span class="clip strong" title=title.clone()>{title.clone()}</span>
            <span class="muted small grow" data-testid="pack-why"><bdi>{why}</bdi></span>
            <span class="muted small">{count(u64::from(item.tokens), "token")}</span>
            {whole}
        </li>
    }
}

/// How many are left out, and which of them are shown, in words.
fn left_out_words(total: u32, shown: usize) -> (String, Option<String>) {
    let total = u64::from(total);
    if total == 0 {
        return ("Left out".into(), Some("Nothing that belongs there was left out.".into()));
    }
    let shown = shown as u64;
    let first = (shown < total).then(|| format!("Here are the first {}.", grouped(shown)));
    (format!("Left out: {}", count(total, "item")), first)
}

fn left_out((total, named): (u32, Vec<LeftOut>), pack: Option<&PackId>) -> impl IntoView + use<> {
    let (title, note) = left_out_words(total, named.len());
    let rows = named.into_iter().map(|one| {
        let title = if one.item.title.is_empty() { part_name(one.part).to_owned() } else { one.item.title.clone() };
        let whole = behind(pack.cloned(), &one.item, &title);
        let least = if one.is_more { "at least " } else { "" };
        view! {
            <li class="pack-item" data-testid="pack-left-out">
                <span class="clip" title=title.clone()>{title.clone()}</span>
                <span class="muted small grow">{format!("{}: {}", part_name(one.part), left_out_why(one.why))}</span>
                <span class="muted small">{format!("{least}{}", count(u64::from(one.tokens), "token"))}</span>
                {whole}
            </li>
        }
    });
    let rows: Vec<_> = rows.collect();
    view! {
        <section class="panel" aria-labelledby="left-out-title">
            <h2 id="left-out-title">{title}</h2>
            {note.map(|note| view! { <p class="muted">{note}</p> })}
            <ol class="pack-items">{rows}</ol>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::{CountedBy, PackRecall, as_read, as_you_read, item_why, left_out_words, notes, spent};
    use serde_json::json;

    #[test]
    fn what_is_left_out_is_counted_with_what_is_not_shown() {
        let check = |total: u32, shown: usize, title: &str, note: Option<&str>| {
            assert_eq!(left_out_words(total, shown), (title.to_owned(), note.map(str::to_owned)), "{total}");
        };
        check(0, 0, "Left out", Some("Nothing that belongs there was left out."));
        check(1, 1, "Left out: 1 item", None);
        check(50, 50, "Left out: 50 items", None);
        check(1_072, 50, "Left out: 1,072 items", Some("Here are the first 50."));
    }

    #[test]
    fn an_item_says_why_it_is_there_and_who_brought_it_in() {
        let check = |more: serde_json::Value, says: &str| {
            let id = um_model::OWNER_AGENT;
            let item = json!({ "item_type": "memory", "id": id, "space_id": id, "title": "Ferry" });
            let mut one = json!({ "part": "evidence", "because": "speaks", "item": item, "space_id": id, "text": "x",
                "citation": "[E1]", "tokens": 9 });
            one.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            assert_eq!(item_why(&serde_json::from_value(one).unwrap()), says);
        };
        check(json!({}), "Passages");
        check(json!({ "by": "robo" }), "Passages, brought in by robo");
        check(
            json!({ "by": "ro\u{202e}bo", "low_trust": true }),
            "Passages, brought in by robo, from somebody who is trusted little",
        );
        check(json!({ "associated": true }), "Passages, stands near what was found");
    }

    #[test]
    fn a_pack_is_what_an_agent_reads_only_where_one_is_chosen() {
        for (agent, says) in
            [(None, "As you read it: nothing is hidden from you"), (Some("ro\u{202e}bo"), "As robo reads it")]
        {
            assert_eq!(as_read(agent), says);
        }
        assert_eq!(as_you_read(None), None);
        assert!(as_you_read(Some("ro\u{202e}bo")).unwrap().ends_with("with what is hidden from robo."));
    }

    #[test]
    fn the_budget_is_told_in_words() {
        for (tokens, budget, by, says) in [
            (600, 1_200, CountedBy::O200kBase, "600 of 1,200 tokens, 50 %"),
            (600, 1_200, CountedBy::Approximate, "About 600 of 1,200 tokens, 50 %"),
            (0, 0, CountedBy::O200kBase, "0 of 0 tokens, 0 %"),
        ] {
            assert_eq!(spent(tokens, budget, by), says);
        }
    }

    #[test]
    fn what_else_there_is_to_know_is_a_line_each() {
        let recall = |abstained: bool, reason: Option<&str>, notices: &[&str]| PackRecall {
            abstained,
            reason: reason.map(str::to_owned),
            answerability: 0.1,
            notices: notices.iter().map(|notice| (*notice).to_owned()).collect(),
        };
        let (known, about) = (CountedBy::O200kBase, CountedBy::Approximate);
        let counted =
            "How its reader counts tokens is not public. They are counted as GPT-4o does, and a quarter more.";
        let check = |by: CountedBy, recall: Option<&PackRecall>, expected: &[&str]| {
            assert_eq!(notes(by, recall), expected, "{recall:?}");
        };
        check(known, None, &[]);
        check(about, None, &[counted]);
        check(known, Some(&recall(false, None, &["Only words."])), &["Only words."]);
        check(known, Some(&recall(true, None, &[])), &["No passage is sure to answer this."]);
        check(
            about,
            Some(&recall(true, Some("Too little."), &["Only words."])),
            &[counted, "No passage is sure to answer this. Too little.", "Only words."],
        );
    }
}
