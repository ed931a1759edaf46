//! Questions that are kept.

use crate::support::Rig;
use crate::traces::{fielded, quotes};
use um_model::ErrorCode;
use um_model::recall::MemoryRecall;
use um_model::traces::*;

#[test]
fn questions_are_kept_by_name() {
    let rig = Rig::new();
    let save = |name: &str, query: &str| rig.run(SearchSave { name: name.to_owned(), recall: fielded(query) });
    let rent = save("Rent", "rent type:pdf").unwrap();
    assert_eq!(save("Rent", "rent type:image").unwrap().id, rent.id, "one of that name is replaced");
    save("Ana", "from:ana rent").unwrap();
    let listed = rig.run(SearchesList {}).unwrap().searches;
    let told: Vec<(&str, &str)> = listed.iter().map(|one| (one.name.as_str(), one.recall.query.as_str())).collect();
    assert_eq!(told, [("Ana", "from:ana rent"), ("Rent", "rent type:image")]);
    rig.run(SearchDrop { id: rent.id.clone() }).unwrap();
    assert_eq!(rig.run(SearchesList {}).unwrap().searches.len(), 1);
    assert_eq!(rig.run(SearchDrop { id: rent.id }).unwrap_err().code, ErrorCode::NotFound);
    assert_eq!(save(" ", "rent").unwrap_err().code, ErrorCode::InvalidRequest);
    for name in ["Re\u{200b}nt", "\u{202e}tneR", "Rent\u{1b}[2J"] {
        let unseen = save(name, "rent").unwrap_err();
        assert_eq!(unseen.code, ErrorCode::InvalidRequest, "{name:?}");
        assert!(unseen.message.contains("cannot be seen"), "{unseen}");
    }
    let alike = save("ANA", "rent").unwrap_err();
    assert_eq!(alike.code, ErrorCode::Conflict);
    assert!(alike.message.contains("\"Ana\"") && alike.hint.is_some(), "{alike:?}");
    let elsewhere = MemoryRecall { space: Some(crate::support::SPACE.to_owned()), ..fielded("rent") };
    rig.run(SearchSave { name: "ANA".to_owned(), recall: elsewhere }).unwrap();
    assert_eq!(save("x", "type:smell").unwrap_err().code, ErrorCode::InvalidRequest);
}

#[test]
fn a_question_that_is_kept_stays_with_its_space() {
    use um_model::spaces::SpaceEdit;
    let rig = Rig::new();
    let barn = rig.space("Barn").id.to_string();
    rig.remember_in("Barn", "The zeppelin is in the barn.");
    rig.settled();
    let recall = MemoryRecall { space: Some("Barn".into()), ..fielded("zeppelin") };
    rig.run(SearchSave { name: "Zeppelin".into(), recall }).unwrap();
    let edit = |name: Option<&str>, archived: Option<bool>| {
        rig.run(SpaceEdit { space: barn.clone(), name: name.map(str::to_owned), archived, ..SpaceEdit::default() })
            .unwrap()
    };
    let kept = || rig.run(SearchesList {}).unwrap().searches.remove(0);
    let check = |called: &str, archived: bool| {
        let kept = kept();
        let told = (kept.recall.space.as_deref(), kept.space_name.as_deref(), kept.archived);
        assert_eq!(told, (Some(barn.as_str()), Some(called), archived));
        let answer = rig.run(kept.recall);
        if archived {
            let error = answer.unwrap_err();
            assert_eq!((error.code, error.message.as_str()), (ErrorCode::NotFound, "The space Hangar is archived."));
            assert!(error.hint.unwrap().contains("umem space restore \"Hangar\""));
        } else {
            assert_eq!(quotes(&answer.unwrap()), ["The zeppelin is in the barn."], "{called}");
        }
    };
    check("Barn", false);
    edit(Some("Hangar"), None);
    check("Hangar", false);
    // Another space of the old name is not meant.
    rig.space("Barn");
    rig.remember_in("Barn", "A zeppelin was never here.");
    rig.settled();
    check("Hangar", false);
    edit(None, Some(true));
    check("Hangar", true);
    edit(None, Some(false));
    check("Hangar", false);
    edit(None, Some(true));
    rig.run(SearchDrop { id: kept().id }).unwrap();
    assert!(rig.run(SearchesList {}).unwrap().searches.is_empty());
}
