//! The tree of spaces: parents above their children, each knowing its depth.

use um_model::{SpaceId, spaces::SpaceSummary};

/// A space in its place in the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    /// The space.
    pub space: SpaceSummary,
    /// 0 at the top.
    pub depth: usize,
}

/// The spaces in the order of the tree, siblings by name. A space whose parent is not among them
/// stands at the top.
pub fn branches(spaces: &[SpaceSummary]) -> Vec<Branch> {
    let mut out = Vec::with_capacity(spaces.len());
    let known = |id: &SpaceId| spaces.iter().any(|s| s.space.id == *id);
    let mut tops: Vec<&SpaceSummary> =
        spaces.iter().filter(|s| s.space.parent_space_id.as_ref().is_none_or(|p| !known(p))).collect();
    tops.sort_by_key(|s| s.space.name.to_lowercase());
    for top in tops {
        descend(spaces, top, 0, &mut out);
    }
    out
}

fn descend(spaces: &[SpaceSummary], at: &SpaceSummary, depth: usize, out: &mut Vec<Branch>) {
    // A ring of parents cannot be drawn; the engine refuses it, and this ends all the same.
    if depth > spaces.len() {
        return;
    }
    out.push(Branch { space: at.clone(), depth });
    let mut children: Vec<&SpaceSummary> =
        spaces.iter().filter(|s| s.space.parent_space_id.as_ref() == Some(&at.space.id)).collect();
    children.sort_by_key(|s| s.space.name.to_lowercase());
    for child in children {
        descend(spaces, child, depth + 1, out);
    }
}

/// Only the branches whose name contains the words, with what stands above them.
pub fn filtered(branches: &[Branch], words: &str) -> Vec<Branch> {
    let words = words.trim().to_lowercase();
    if words.is_empty() {
        return branches.to_vec();
    }
    let mut keep = vec![false; branches.len()];
    for at in 0..branches.len() {
        if !branches[at].space.space.name.to_lowercase().contains(&words) {
            continue;
        }
        keep[at] = true;
        let mut depth = branches[at].depth;
        for above in (0..at).rev() {
            if branches[above].depth < depth {
                keep[above] = true;
                depth = branches[above].depth;
            }
        }
    }
    branches.iter().zip(keep).filter(|(_, keep)| *keep).map(|(branch, _)| branch.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(number: u8, name: &str, parent: Option<u8>) -> SpaceSummary {
        let id = |n: u8| format!("00000000-0000-7000-8000-0000000000{n:02}");
        let parent = parent.map_or("null".into(), |n| format!("\"{}\"", id(n)));
        serde_json::from_str(&format!(
            r#"{{"id":"{}","name":"{name}","space_type":"project","parent_space_id":{parent},
            "created_by_actor":null,"read_policy":"members","write_policy":"members","created_at":0,"artifacts":0,"memories":0,"watches":0}}"#,
            id(number)
        ))
        .unwrap()
    }

    fn drawn(branches: &[Branch]) -> String {
        let line = |b: &Branch| format!("{}{}", "-".repeat(b.depth), b.space.space.name);
        branches.iter().map(line).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn children_stand_under_their_parents_by_name() {
        let spaces = [
            space(3, "zebra", Some(1)),
            space(1, "Work", None),
            space(4, "Ants", Some(1)),
            space(2, "home", None),
            space(5, "lost", Some(9)),
        ];
        assert_eq!(drawn(&branches(&spaces)), "home lost Work -Ants -zebra");
    }

    #[test]
    fn a_filter_keeps_what_stands_above() {
        let spaces = [space(1, "Work", None), space(2, "Ants", Some(1)), space(3, "Bees", Some(1))];
        let all = branches(&spaces);
        assert_eq!(drawn(&filtered(&all, "bee")), "Work -Bees");
        assert_eq!(drawn(&filtered(&all, " ")), "Work -Ants -Bees");
        assert_eq!(drawn(&filtered(&all, "x")), "");
    }

    #[test]
    fn a_ring_ends() {
        assert!(branches(&[space(1, "a", Some(2)), space(2, "b", Some(1))]).is_empty());
    }
}
