//! A citation in words: where it stands, and whether it still stands there.

use crate::{
    components::icon::Icon,
    format::{clock_span, lines_label},
};
use um_model::{
    Modality,
    citation::{Citation, CitationState},
    recall::Hit,
};

/// The name of the person whose machine this is, as actors are named.
pub const OWNER: &str = "owner";

/// The name of the product itself: the files of watched folders come in by it.
pub const SYSTEM: &str = "system";

/// In whom trust is put where a quote is weighed: `you`, `watched folders`, what an agent is called.
pub fn trusted(actor: &str) -> &str {
    match actor {
        OWNER => "you",
        SYSTEM => "watched folders",
        name => name,
    }
}

/// Where a quote stands, in the shortest words: a time, else a page, a box, or lines. What was only said has no place
/// but who said it. `number` counts the cited boxes of one picture from 1.
pub fn place(citation: &Citation, number: Option<u32>) -> Option<String> {
    let place = &citation.place;
    if let Some(time) = place.time {
        return Some(clock_span(time));
    }
    if citation.artifact_id.is_none() {
        return Some(match place.lines {
            Some([first, last]) if first > 1 => lines_label([first, last]),
            _ if citation.actor_name.is_empty() => return None,
            _ if citation.actor_name == OWNER => "you said so".into(),
            _ => format!("{} said so", citation.actor_name),
        });
    }
    if citation.modality == Modality::Image {
        return number.map(|number| format!("box {number}"));
    }
    place.page.map(|page| format!("p. {page}")).or_else(|| place.lines.map(lines_label))
}

/// What a quote is from: the name of its file, or the title of what was written down. Nothing where its place says who
/// said it: the title of that is its own first words.
pub fn source(citation: &Citation) -> Option<&str> {
    let said = citation.artifact_id.is_none() && citation.place.lines.is_none_or(|[first, _]| first <= 1);
    (!said || place(citation, None).is_none()).then_some(&citation.title)
}

/// Whether a quote begins with all that its source is called: with its first words, or as many as are shown of them.
pub fn is_its_own_title(citation: &Citation) -> bool {
    let shown = citation.title.trim_end_matches(['…', '.', ' ']);
    citation.artifact_id.is_none() && !shown.is_empty() && citation.quote.starts_with(shown)
}

/// The number of each hit's box among the hits on the same picture, counted from the top; none for hits that are not
/// on a picture.
pub fn box_numbers(hits: &[Hit]) -> Vec<Option<u32>> {
    let above = |a: &Hit, b: &Hit| match (a.bbox, b.bbox) {
        (Some(a), Some(b)) => (a[1], a[0]) < (b[1], b[0]),
        _ => false,
    };
    hits.iter()
        .map(|hit| {
            (hit.modality == Modality::Image).then(|| {
                let same = hits.iter().filter(|other| other.ids.artifact == hit.ids.artifact);
                1 + same.filter(|other| above(other, hit)).count() as u32
            })
        })
        .collect()
}

/// A state by its drawing, its word and a sentence; nothing where the words stand where they were found.
pub fn state(state: CitationState) -> Option<(Icon, &'static str, &'static str)> {
    match state {
        CitationState::Exact => None,
        CitationState::Moved => {
            Some((Icon::Moved, "moved", "The same words stand at another place of the source now."))
        }
        CitationState::Changed => Some((Icon::Broken, "words changed", "The source no longer has these words.")),
        CitationState::Older => Some((Icon::Older, "older version", "A newer version of the source is there.")),
        CitationState::Removed => Some((Icon::Trash, "removed", "The source was removed.")),
        CitationState::Redacted => Some((Icon::Blacked, "blacked out", "These words were blacked out.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::citation::Cited;

    fn hit(artifact: Option<u8>, modality: &str, extra: &str) -> Hit {
        let id = "00000000-0000-7000-8000-000000000000";
        let artifact = artifact.map_or("null".into(), |n| format!(r#""00000000-0000-7000-8000-0000000000{n:02}""#));
        serde_json::from_str(&format!(
            r#"{{"rank":1,"score":1.0,"score_parts":{{}},"quote":"q","span":{{"start":0,"end":1}},"span_hash":"",
            "matches":[],"ids":{{"unit":"{id}","memory":"{id}","artifact":{artifact},"space":"{id}"}},
            "title":"t","modality":"{modality}","space_name":"s","actor_id":"{id}","actor_name":"owner",
            "recorded_at":0{extra}}}"#
        ))
        .unwrap()
    }

    #[test]
    fn who_is_trusted_is_named_as_people_know_them() {
        for (actor, words) in [(OWNER, "you"), ("system", "watched folders"), ("Scout", "Scout")] {
            assert_eq!(trusted(actor), words);
        }
    }

    #[test]
    fn a_time_wins_over_a_page_and_lines_come_last() {
        for (artifact, modality, extra, words) in [
            (Some(1), "audio", r#","time":{"start_ms":42000,"end_ms":47000},"page":3"#, Some("0:42-0:47")),
            (Some(1), "pdf", r#","page":2,"lines":[4,5]"#, Some("p. 2")),
            (Some(1), "text", r#","lines":[12,14]"#, Some("lines 12-14")),
            (Some(1), "image", r#","bbox":[0,0,1,1]"#, None),
            (None, "text", r#","lines":[1,1]"#, Some("you said so")),
            (None, "text", r#","lines":[3,3]"#, Some("line 3")),
        ] {
            let cited = Cited::from(&hit(artifact, modality, extra));
            assert_eq!(place(&cited.citation, None).as_deref(), words, "{modality} {extra}");
        }
        assert_eq!(place(&Cited::from(&hit(Some(1), "image", "")).citation, Some(4)).as_deref(), Some("box 4"));
    }

    #[test]
    fn a_source_is_named_unless_its_place_says_who_it_was() {
        for (artifact, extra, named) in [
            (Some(1), r#","lines":[1,1]"#, Some("t")),
            (Some(1), "", Some("t")),
            (None, r#","lines":[1,1]"#, None),
            (None, r#","lines":[3,3]"#, Some("t")),
        ] {
            assert_eq!(source(&Cited::from(&hit(artifact, "text", extra)).citation), named, "{artifact:?} {extra}");
        }
    }

    #[test]
    fn boxes_are_counted_from_the_top_of_each_picture() {
        let hits = [
            hit(Some(1), "image", r#","bbox":[0,90,5,5]"#),
            hit(Some(1), "image", r#","bbox":[0,10,5,5]"#),
            hit(Some(2), "image", r#","bbox":[0,50,5,5]"#),
            hit(Some(3), "text", ""),
        ];
        assert_eq!(box_numbers(&hits), [Some(2), Some(1), Some(1), None]);
    }

    #[test]
    fn every_state_but_exact_has_a_word() {
        let words = CitationState::ALL.iter().map(|one| state(*one).map(|(_, word, _)| word)).collect::<Vec<_>>();
        let told = ["moved", "words changed", "older version", "removed", "blacked out"];
        assert_eq!(words, [None].into_iter().chain(told.map(Some)).collect::<Vec<_>>());
    }
}
