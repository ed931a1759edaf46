//! The tree of resources as far as it is open: which rows it has, and where the keys lead.

use std::collections::{BTreeMap, BTreeSet};
use um_model::work::Resource;

/// What lies under an address, as far as it was read; the roots lie under none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Branch {
    /// Those that were read, by title.
    pub children: Vec<Resource>,
    /// How many there are in all.
    pub total: u64,
    /// Whether the newest attempt to read them failed.
    pub failed: bool,
    /// Whether it is of another day: how many lay under each of them then is not known before it is opened.
    pub is_past: bool,
}

impl Branch {
    /// Whether something lies under one of them, as far as that is known.
    fn holds(&self, child: &Resource, all: &Branches) -> bool {
        match all.get(&child.uri) {
            Some(under) if self.is_past => under.total > 0 || under.failed,
            _ => self.is_past || child.children > 0,
        }
    }
}

/// The address that the roots lie under.
pub const ROOTS: &str = "";

/// The branches that were read, by the address that they lie under.
pub type Branches = BTreeMap<String, Branch>;

/// A row of the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What tells it from all others.
    pub key: String,
    /// 1 for the roots.
    pub level: usize,
    /// Its number among those of its level under one address, from 1.
    pub place: usize,
    /// How many there are of these.
    pub of: u64,
    /// What it is.
    pub what: What,
}

/// What a row is.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// A resource, and whether it is open; nothing where nothing lies under it.
    Resource(Box<Resource>, Option<bool>),
    /// So many more lie under this address.
    More(String, u64),
    /// What lies under this address is being read.
    Reading,
    /// What lies under this address could not be read.
    Failed(String),
}

impl Row {
    /// The address of its resource.
    pub fn uri(&self) -> Option<&str> {
        match &self.what {
            What::Resource(resource, _) => Some(&resource.uri),
            _ => None,
        }
    }
}

/// The rows, from the roots down into what is open.
pub fn rows(branches: &Branches, open: &BTreeSet<String>) -> Vec<Row> {
    let mut out = Vec::new();
    descend(branches, open, (ROOTS, 1), &mut out);
    out
}

/// A tree is at most 32 levels deep; what was forgotten within one may leave a ring.
const DEEPEST: usize = 33;

fn descend(branches: &Branches, open: &BTreeSet<String>, (under, level): (&str, usize), out: &mut Vec<Row>) {
    let last =
        |what: What, name: &str, of: u64| Row { key: format!("{name} {under}"), level, place: of as usize, of, what };
    if level > DEEPEST {
        return;
    }
    let Some(branch) = branches.get(under) else {
        return out.push(last(What::Reading, "reading", 1));
    };
    let left = branch.total.saturating_sub(branch.children.len() as u64);
    let of = branch.children.len() as u64 + u64::from(left > 0 || branch.failed);
    for (at, child) in branch.children.iter().enumerate() {
        let is_open = branch.holds(child, branches).then(|| open.contains(&child.uri));
        // How many lie under it is told of now alone.
        let children = if branch.is_past { 0 } else { child.children };
        let what = What::Resource(Box::new(Resource { children, ..child.clone() }), is_open);
        out.push(Row { key: child.uri.clone(), level, place: at + 1, of, what });
        if is_open == Some(true) {
            descend(branches, open, (&child.uri, level + 1), out);
        }
    }
    if branch.failed {
        out.push(last(What::Failed(under.to_owned()), "failed", of));
    } else if left > 0 {
        out.push(last(What::More(under.to_owned(), left), "more", of));
    }
}

/// What a key does in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The focus goes to a row.
    To(usize),
    /// The row is opened.
    Open(String),
    /// It is closed.
    Close(String),
}

/// What an arrow key, Home or End does on a row (the keys of a tree, WAI-ARIA).
pub fn step(rows: &[Row], at: usize, key: &str) -> Option<Step> {
    let row = rows.get(at)?;
    let state = match &row.what {
        What::Resource(resource, is_open) => is_open.map(|is_open| (resource.uri.clone(), is_open)),
        _ => None,
    };
    match (key, state) {
        ("ArrowDown", _) => (at + 1 < rows.len()).then_some(Step::To(at + 1)),
        ("ArrowUp", _) => at.checked_sub(1).map(Step::To),
        ("Home", _) => Some(Step::To(0)),
        ("End", _) => Some(Step::To(rows.len() - 1)),
        ("ArrowRight", Some((uri, false))) => Some(Step::Open(uri)),
        ("ArrowRight", Some((_, true))) => {
            rows.get(at + 1).filter(|next| next.level > row.level).map(|_| Step::To(at + 1))
        }
        ("ArrowLeft", Some((uri, true))) => Some(Step::Close(uri)),
        ("ArrowLeft", _) => rows[..at].iter().rposition(|above| above.level < row.level).map(Step::To),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(uri: &str, children: u64) -> Resource {
        let id = "00000000-0000-7000-8000-000000000001";
        serde_json::from_value(
            serde_json::json!({ "id": id, "space_id": id, "uri": uri, "title": uri, "kind": "folder",
            "version": 1, "children": children, "actor_id": id, "updated_at": 0 }),
        )
        .unwrap()
    }

    fn branch(children: &[(&str, u64)], total: u64) -> Branch {
        let children = children.iter().map(|(uri, number)| resource(uri, *number)).collect();
        Branch { children, total, ..Branch::default() }
    }

    fn tree() -> Branches {
        BTreeMap::from([
            (ROOTS.to_owned(), branch(&[("a", 3), ("b", 0), ("c", 1)], 3)),
            ("a".to_owned(), branch(&[("a/1", 0), ("a/2", 0)], 3)),
        ])
    }

    fn drawn(rows: &[Row]) -> String {
        let one = |row: &Row| {
            let name = match &row.what {
                What::Resource(resource, Some(true)) => format!("{} v", resource.uri),
                What::Resource(resource, Some(false)) => format!("{} >", resource.uri),
                What::Resource(resource, None) => resource.uri.clone(),
                What::More(_, left) => format!("{left} more"),
                What::Reading => "reading".to_owned(),
                What::Failed(_) => "failed".to_owned(),
            };
            format!("{}{name} {}/{}", "-".repeat(row.level - 1), row.place, row.of)
        };
        rows.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn rows_follow_what_is_open() {
        let open = |uris: &[&str]| uris.iter().map(|uri| (*uri).to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(drawn(&rows(&tree(), &open(&[]))), "a > 1/3, b 2/3, c > 3/3");
        assert_eq!(
            drawn(&rows(&tree(), &open(&["a", "c"]))),
            "a v 1/3, -a/1 1/3, -a/2 2/3, -1 more 3/3, b 2/3, c v 3/3, -reading 1/1"
        );
        let mut failed = tree();
        failed.insert("c".to_owned(), Branch { failed: true, ..Branch::default() });
        assert_eq!(drawn(&rows(&failed, &open(&["c"]))), "a > 1/3, b 2/3, c v 3/3, -failed 1/1");
        assert_eq!(drawn(&rows(&Branches::new(), &open(&[]))), "reading 1/1");
    }

    #[test]
    fn what_lay_under_one_on_another_day_is_known_once_it_is_opened() {
        let mut past = tree();
        past.values_mut().for_each(|branch| branch.is_past = true);
        past.insert("c".to_owned(), Branch { is_past: true, ..Branch::default() });
        let open = |uris: &[&str]| uris.iter().map(|uri| (*uri).to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(drawn(&rows(&past, &open(&[]))), "a > 1/3, b > 2/3, c 3/3");
        assert_eq!(drawn(&rows(&past, &open(&["b", "c"]))), "a > 1/3, b v 2/3, -reading 1/1, c 3/3");
        assert!(
            rows(&past, &open(&[])).iter().all(|row| !matches!(&row.what, What::Resource(one, _) if one.children > 0))
        );
    }

    #[test]
    fn a_ring_ends() {
        let ring =
            BTreeMap::from([(ROOTS.to_owned(), branch(&[("a", 1)], 1)), ("a".to_owned(), branch(&[("a", 1)], 1))]);
        assert_eq!(rows(&ring, &BTreeSet::from(["a".to_owned()])).len(), DEEPEST);
    }

    #[test]
    fn arrows_open_and_close() {
        let open = BTreeSet::from(["a".to_owned()]);
        let rows = rows(&tree(), &open);
        for (at, key, wanted) in [
            (0, "ArrowDown", Some(Step::To(1))),
            (0, "ArrowUp", None),
            (0, "ArrowRight", Some(Step::To(1))),
            (0, "ArrowLeft", Some(Step::Close("a".to_owned()))),
            (2, "ArrowLeft", Some(Step::To(0))),
            (2, "ArrowRight", None),
            (4, "ArrowRight", None),
            (4, "ArrowLeft", None),
            (5, "ArrowRight", Some(Step::Open("c".to_owned()))),
            (5, "ArrowDown", None),
            (3, "Home", Some(Step::To(0))),
            (0, "End", Some(Step::To(5))),
            (0, "x", None),
            (9, "ArrowDown", None),
        ] {
            assert_eq!(step(&rows, at, key), wanted, "{key} on {at}");
        }
    }
}
