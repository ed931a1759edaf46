//! A work tree on the disk: the branch and commit that it is at, and the files in it. Nothing outside of its root is told of, and
//! no other program is begun. All that knows git stands here.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Folders that are not looked into for a file that moved: what is made from a work tree, or fetched for it.
const IGNORED: &[&str] = &["target", "node_modules", "dist", "build", "out", "vendor", "venv", "__pycache__"];
/// So many files, and so many bytes of them, are looked through for one that moved.
const MOST_FILES: usize = 20_000;
const MOST_BYTES: u64 = 256 * 1024 * 1024;

/// Where a work tree is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    /// The branch; none where HEAD stands at a commit alone.
    pub branch: Option<String>,
    /// The commit, in hexadecimal; none before the first.
    pub commit: Option<String>,
}

/// Where the work tree is that a folder belongs to; none where it belongs to none that can be read. Neither the environment nor
/// what is set up for the machine is asked.
pub(super) fn head(folder: &Path) -> Option<Head> {
    let options =
        gix::sec::trust::Mapping { full: gix::open::Options::isolated(), reduced: gix::open::Options::isolated() };
    let repository =
        gix::ThreadSafeRepository::discover_opts(folder, Default::default(), options).ok()?.to_thread_local();
    let head = repository.head().ok()?;
    let branch = head.referent_name().map(|name| name.shorten().to_string());
    let commit = head.into_peeled_id().ok().map(|id| id.to_string());
    Some(Head { branch, commit })
}

/// Where a path of a work tree leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// To something that is there, without links in its path.
    There(PathBuf),
    /// To nothing.
    Missing,
    /// Out of the root, or nobody can tell.
    Outside,
}

/// Where a path leads, seen from a root without links in its own path. Nothing out of the root is looked at: a link that leads there
/// tells not even whether its end is there.
pub(super) fn place(root: &Path, path: &Path) -> Place {
    let mut at = root.to_owned();
    for part in path.components() {
        match part {
            Component::CurDir => continue,
            Component::Normal(name) => at.push(name),
            _ => return Place::Outside,
        }
        let metadata = match std::fs::symlink_metadata(&at) {
            Ok(metadata) => metadata,
            // A file that stands where a folder was has nothing below it.
            Err(error) => {
                use std::io::ErrorKind::{NotADirectory, NotFound};
                return if matches!(error.kind(), NotFound | NotADirectory) { Place::Missing } else { Place::Outside };
            }
        };
        if metadata.is_symlink() {
            match at.canonicalize() {
                Ok(end) if end.starts_with(root) => at = end,
                _ => return Place::Outside,
            }
        }
    }
    Place::There(at)
}

/// SHA-256 of a file in hexadecimal, and its length; none of what is no file, cannot be read, or has more bytes than that.
pub(super) fn sha256(file: &Path, most: u64) -> Option<(String, u64)> {
    // What is no file may wait forever for somebody to write into it.
    if !std::fs::symlink_metadata(file).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= most) {
        return None;
    }
    let mut hash = Sha256::new();
    let length = std::io::copy(&mut File::open(file).ok()?.take(most + 1), &mut hash).ok()?;
    (length <= most).then(|| (format!("{:x}", hash.finalize()), length))
}

/// The files of a work tree by their SHA-256, in the order of their paths, as far as the bounds go: without hidden ones, what git
/// ignores, and folders of what is made or fetched.
pub(super) fn by_hash(root: &Path, most: u64) -> BTreeMap<String, Vec<PathBuf>> {
    let walk = ignore::WalkBuilder::new(root)
        .standard_filters(false)
        .hidden(true)
        .git_ignore(true)
        .git_exclude(true)
        .require_git(false)
        .follow_links(false)
        .sort_by_file_name(Ord::cmp)
        .filter_entry(|entry| !IGNORED.iter().any(|name| entry.depth() > 0 && entry.file_name() == *name))
        .build();
    let files = walk.filter_map(Result::ok).filter(|entry| entry.file_type().is_some_and(|of| of.is_file()));
    let (mut found, mut left) = (BTreeMap::<String, Vec<PathBuf>>::new(), MOST_BYTES);
    for entry in files.take(MOST_FILES) {
        if let Some((hash, length)) = sha256(entry.path(), most.min(left)) {
            left -= length;
            found.entry(hash).or_default().push(entry.into_path());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir_all, write};

    fn hash(text: &str) -> String {
        format!("{:x}", Sha256::digest(text))
    }

    #[test]
    fn the_head_is_that_of_the_tree_and_of_no_other() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(head(folder.path()), None);
        gix::init(folder.path()).unwrap();
        write(folder.path().join(".git/HEAD"), "ref: refs/heads/feature/gate\n").unwrap();
        let unborn = Head { branch: Some("feature/gate".into()), commit: None };
        assert_eq!(head(folder.path()), Some(unborn.clone()));
        let below = folder.path().join("src");
        create_dir_all(&below).unwrap();
        assert_eq!(head(&below), Some(unborn), "of a folder in it");
        write(folder.path().join(".git/HEAD"), "nonsense").unwrap();
        assert_eq!(head(folder.path()), None);
    }

    #[test]
    fn paths_lead_to_what_is_in_the_root_alone() {
        let folder = tempfile::tempdir().unwrap();
        let whole = folder.path().canonicalize().unwrap();
        let root = whole.join("root");
        create_dir_all(root.join("src")).unwrap();
        write(root.join("src/a.rs"), "a").unwrap();
        write(whole.join("secret"), "s").unwrap();
        let there = |path: &str| Place::There(root.join(path));
        let mut cases = vec![
            ("src/a.rs", there("src/a.rs")),
            ("./src/./a.rs", there("src/a.rs")),
            ("src", there("src")),
            ("src/b.rs", Place::Missing),
            ("src/a.rs/b", Place::Missing),
            ("gone/b.rs", Place::Missing),
            ("../secret", Place::Outside),
            ("src/../../secret", Place::Outside),
            ("src/../src/a.rs", Place::Outside),
            ("/etc/passwd", Place::Outside),
        ];
        if cfg!(unix) {
            for (link, to) in
                [("in", "src"), ("out", ".."), ("far", "../secret"), ("nowhere", "../not-there"), ("me", "me")]
            {
                #[cfg(unix)]
                std::os::unix::fs::symlink(to, root.join(link)).unwrap();
            }
            cases.extend([
                ("in/a.rs", there("src/a.rs")),
                ("in/b.rs", Place::Missing),
                ("out/secret", Place::Outside),
                ("far", Place::Outside),
                ("nowhere", Place::Outside),
                ("me", Place::Outside),
            ]);
        }
        for (path, expected) in cases {
            assert_eq!(place(&root, Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn files_are_hashed_within_bounds() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        write(&file, "four").unwrap();
        assert_eq!(sha256(&file, 4), Some((hash("four"), 4)));
        assert_eq!(sha256(&file, 3), None);
        assert_eq!(sha256(folder.path(), 100), None);
        assert_eq!(sha256(&folder.path().join("b"), 100), None);
    }

    #[test]
    fn a_file_is_looked_for_where_people_write_alone() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in
            ["src/b.rs", "src/a.rs", "target/a.rs", "web/node_modules/a.rs", ".git/a.rs", ".env", "made/a.rs", "big.rs"]
        {
            create_dir_all(root.join(path).parent().unwrap()).unwrap();
            write(root.join(path), if path == "big.rs" { "a big one" } else { "same" }).unwrap();
        }
        write(root.join(".gitignore"), "made/\n").unwrap();
        let found = by_hash(root, 4);
        assert_eq!(found, BTreeMap::from([(hash("same"), vec![root.join("src/a.rs"), root.join("src/b.rs")])]));
    }
}
