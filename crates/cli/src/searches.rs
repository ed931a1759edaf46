//! `umem search`: questions that are kept.

use crate::args;
use crate::clock::utc_offset;
use crate::failure::Failure;
use crate::print::{Output, cell, list};
use crate::when;
use std::process::ExitCode;
use um_model::recall::MemoryRecall;
use um_model::traces::{SavedSearch, SearchDrop, SearchSave, SearchesList};
use um_model::{ApiError, ErrorCode};
use um_server::client::Connection;
use um_server::text::iso_time;

/// `umem search …`
pub(crate) async fn search(service: &mut Connection, asked: args::Search, output: Output) -> Result<ExitCode, Failure> {
    match asked {
        args::Search::Save { name, query, space, limit, as_of, known_at } => {
            let (as_of, known_at) = (when::by_clock(as_of.as_deref())?, when::known(known_at.as_deref())?);
            let asked = MemoryRecall { query, space, limit, as_of, known_at, fielded: true, ..MemoryRecall::default() };
            let recall = MemoryRecall { utc_offset: utc_offset().unwrap_or_default(), ..asked };
            let saved = service.run(SearchSave { name, recall }).await?;
            Ok(output.answer(&saved, |saved| format!("Kept as \"{}\": {}", saved.name, saved.id)))
        }
        args::Search::List => {
            let kept = service.run(SearchesList {}).await?;
            Ok(output.answer(&kept, |kept| match kept.searches.is_empty() {
                true => "No question is kept.".to_owned(),
                false => list(kept.searches.iter().map(search_line)),
            }))
        }
        args::Search::Run { search } => {
            let asked = kept(service.run(SearchesList {}).await?.searches, &search)?;
            let asked = asked_again(utc_offset(), asked.recall);
            Ok(output.answer(&service.run(asked).await?, crate::find::passages))
        }
        args::Search::Drop { search } => {
            let SavedSearch { id, name, .. } = kept(service.run(SearchesList {}).await?.searches, &search)?;
            let done = service.run(SearchDrop { id }).await?;
            Ok(output.answer(&done, |_| format!("Dropped \"{}\".", cell(&name))))
        }
    }
}

/// With so many characters at least, something is a part of an id: fewer may be a slip.
const LEAST_OF_ID: usize = 6;

/// The question among these that is meant by its name, its id, or the beginning or end of its id where it is none of the others.
fn kept(searches: Vec<SavedSearch>, named: &str) -> Result<SavedSearch, Failure> {
    let named = named.trim();
    let folded = named.to_lowercase();
    let is_it = |one: &SavedSearch| one.id.as_str() == folded || one.name.to_lowercase() == folded;
    let has_part = |one: &SavedSearch| {
        let id = one.id.as_str();
        folded.len() >= LEAST_OF_ID && (id.starts_with(&folded) || id.ends_with(&folded))
    };
    let (mut meant, others): (Vec<SavedSearch>, Vec<SavedSearch>) = searches.into_iter().partition(is_it);
    if meant.is_empty() {
        meant = others.into_iter().filter(has_part).collect();
    }
    if meant.len() > 1 {
        let one = |one: &SavedSearch| format!("{} (\"{}\", {})", one.id, one.name, place(one));
        let told: Vec<String> = meant.iter().map(one).collect();
        let error = ApiError::new(ErrorCode::Ambiguous, format!("Several questions are meant by \"{named}\"."));
        return Err(error.hint(format!("Give the whole id: {}.", told.join(", "))).into());
    }
    meant.pop().ok_or_else(|| {
        let error = ApiError::new(ErrorCode::NotFound, format!("No question is kept as \"{named}\"."));
        error.hint("See: umem search list").into()
    })
}

/// A question that is kept, asked by a clock that is so many minutes ahead of UTC: today is that of who asks, wherever it was saved. The
/// moments that it is asked as of stand for days of the clock by which it was saved, and are told by that.
fn asked_again(ahead: Option<i32>, kept: MemoryRecall) -> MemoryRecall {
    let has_days = kept.as_of.is_some() || kept.known_at.is_some();
    let utc_offset = ahead.filter(|_| !has_days).unwrap_or(kept.utc_offset);
    MemoryRecall { utc_offset, ..kept }
}

/// What a question without a word asks for.
pub(crate) const NEWEST: &str = "the newest that pass";

fn search_line(one: &SavedSearch) -> String {
    let told: Vec<String> = [place(one)].into_iter().chain(asked_with(&one.recall)).collect();
    let query = match one.recall.query.as_str() {
        "" => NEWEST,
        query => query,
    };
    format!("{}  {}: {query} ({})", one.id, one.name, told.join(", "))
}

/// Where a question is asked.
fn place(one: &SavedSearch) -> String {
    match (&one.space_name, one.archived) {
        (None, _) => "in all spaces".to_owned(),
        (Some(name), false) => format!("in {name}"),
        (Some(name), true) => format!("in {name}, which is archived"),
    }
}

/// All that is asked for with the words of a question, but where.
pub(crate) fn asked_with(recall: &MemoryRecall) -> Vec<String> {
    let MemoryRecall { modalities, from, tags, tiers, phrases, without, .. } = recall;
    let MemoryRecall { mails, limit, past_days, since, until, as_of, known_at, associated, why, .. } = *recall;
    let mut told: Vec<String> = limit.map(|limit| format!("{limit} at most")).into_iter().collect();
    told.extend(modalities.iter().map(|modality| format!("type {}", modality.as_str())));
    told.extend(mails.then(|| "type mail".to_owned()));
    told.extend(from.iter().map(|name| format!("from {name}")));
    told.extend(tags.iter().map(|tag| format!("tag {tag}")));
    told.extend(tiers.iter().map(|tier| format!("tier {tier}")));
    told.extend(phrases.iter().map(|words| format!("with \"{words}\"")));
    told.extend(without.iter().map(|words| format!("without \"{words}\"")));
    told.extend(past_days.map(|days| match days {
        1 => "of the past day".to_owned(),
        days => format!("of the past {days} days"),
    }));
    let moments = [("dated from", since), ("dated before", until), ("as of", as_of), ("known at", known_at)];
    told.extend(moments.into_iter().filter_map(|(word, at)| at.map(|at| format!("{word} {}", iso_time(at)))));
    told.extend(associated.then(|| "with what is connected".to_owned()));
    told.extend(why.then(|| "with where each came from".to_owned()));
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A question that is kept under an id that ends so.
    fn search(end: &str, name: &str, recall: MemoryRecall, space: Option<&str>) -> SavedSearch {
        let id = um_model::SearchId::parse(format!("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f{end}")).unwrap();
        let space_name = space.map(str::to_owned);
        SavedSearch { id, name: name.to_owned(), recall, space_name, archived: false, created_at: 0 }
    }

    #[test]
    fn a_question_is_meant_by_its_name_its_id_or_a_part_of_that() {
        let all = || {
            let other = search("0a2b", "Ferry", MemoryRecall::default(), Some("Harbour"));
            [("0a1b", "Ferry"), ("0c1b", "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0d"), ("0d1b", "Boats")]
                .map(|(end, name)| search(end, name, MemoryRecall::default(), None))
                .into_iter()
                .chain([other])
                .collect::<Vec<_>>()
        };
        let check = |named: &str, expected: Result<&str, ErrorCode>| {
            let found = kept(all(), named).map(|one| one.id.to_string()).map_err(|failure| failure.error.code);
            let expected = expected.map(|end| format!("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f{end}"));
            assert_eq!(found, expected, "{named}");
        };
        check(" BOATS ", Ok("0d1b"));
        check("0190F5E2-7c1a-7d3e-9b1f-2a4c6e8f0a2b", Ok("0a2b"));
        check("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a2", Ok("0a2b"));
        // What is called so goes before what begins so.
        check("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0d", Ok("0c1b"));
        check("8f0A2b", Ok("0a2b"));
        check("f0a2b", Err(ErrorCode::NotFound));
        check("ferry", Err(ErrorCode::Ambiguous));
        check("0190f5e2", Err(ErrorCode::Ambiguous));
        check("0190f", Err(ErrorCode::NotFound));
        check("", Err(ErrorCode::NotFound));
        let hint = kept(all(), "Ferry").unwrap_err().error.hint.unwrap();
        assert!(hint.contains("0a1b (\"Ferry\", in all spaces)") && hint.contains("in Harbour"), "{hint}");
    }

    #[test]
    fn all_that_is_kept_with_a_question_is_listed() {
        let check = |recall: MemoryRecall, space: Option<&str>, archived: bool, expected: &str| {
            let one = SavedSearch { archived, ..search("0a1b", "Rent", recall, space) };
            assert_eq!(search_line(&one), format!("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b  Rent: {expected}"));
        };
        let asked = |query: &str| MemoryRecall { query: query.to_owned(), ..MemoryRecall::default() };
        let words = |words: &str| vec![words.to_owned()];
        check(asked("rent from:ana"), None, false, "rent from:ana (in all spaces)");
        check(asked(""), Some("Home"), true, "the newest that pass (in Home, which is archived)");
        let narrowed = MemoryRecall {
            limit: Some(3),
            modalities: vec![um_model::Modality::Pdf],
            from: words("Ana"),
            tags: words("tax"),
            tiers: vec![um_model::Tier::Cold],
            phrases: words("cold rent"),
            without: words("flat"),
            past_days: Some(7),
            ..asked("rent")
        };
        let told = "rent (in Home, 3 at most, type pdf, from Ana, tag tax, tier cold, with \"cold rent\", without \"flat\", \
            of the past 7 days)";
        check(narrowed, Some("Home"), false, told);
        let then = MemoryRecall {
            since: Some(0),
            until: Some(86_400_000),
            as_of: Some(0),
            known_at: Some(0),
            associated: true,
            why: true,
            ..asked("rent")
        };
        let zero = "1970-01-01T00:00:00Z";
        let told = format!(
            "rent (in all spaces, dated from {zero}, dated before 1970-01-02T00:00:00Z, as of {zero}, known at {zero}, \
             with what is connected, with where each came from)"
        );
        check(then, None, false, &told);
    }

    #[test]
    fn days_that_were_kept_stay_those_of_their_clock() {
        let check = |as_of: Option<i64>, known_at: Option<i64>, ahead: Option<i32>, expected: i32| {
            let kept = MemoryRecall { utc_offset: -420, as_of, known_at, ..MemoryRecall::default() };
            let asked = MemoryRecall { utc_offset: expected, ..kept.clone() };
            assert_eq!(asked_again(ahead, kept), asked, "{ahead:?}");
        };
        check(None, None, Some(120), 120);
        check(None, None, None, -420);
        check(Some(1), None, Some(120), -420);
        check(None, Some(1), Some(120), -420);
    }
}
