//! Where libraries, models and the program for PDFs are.

use std::env;
use std::path::{Path, PathBuf};

/// Where to look for what is not compiled in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Locations {
    /// Folders with `pdfium/`, `onnxruntime/` and `models/` in them, or with the libraries themselves; the first
    /// that has something wins.
    pub tools_dirs: Vec<PathBuf>,
    /// Where models are installed: one folder each, named after its id.
    pub models_dir: PathBuf,
    /// The program that a PDF is read in; it calls [`crate::run_if_child`] first.
    pub pdf_child: PathBuf,
    /// Stands for `https://huggingface.co` where models are fetched from.
    pub model_base_url: Option<String>,
}

impl Locations {
    /// `UM_TOOLS_DIR`, then beside the executable, then the tools of the checkout that the executable was built in: the
    /// one that it lies in, or, for a program for development that was copied elsewhere, the one that it came from.
    /// `UM_PDF_CHILD` names another program for PDFs, `UM_MODEL_BASE_URL` another place to fetch models from.
    pub fn standard(data_dir: &Path) -> Locations {
        let program = env::current_exe().unwrap_or_default();
        let named = env::var_os("UM_TOOLS_DIR").filter(|dir| !dir.is_empty()).map(PathBuf::from);
        Locations {
            tools_dirs: named.into_iter().chain(tools_of(&program)).chain(built_from()).collect(),
            models_dir: data_dir.join("models"),
            pdf_child: env::var_os("UM_PDF_CHILD").map_or(program, PathBuf::from),
            model_base_url: env::var("UM_MODEL_BASE_URL").ok().filter(|url| !url.is_empty()),
        }
    }

    /// A shared library: `<tools>/<folder>/libname.so`, else `<tools>/libname.so`, in each of the tools folders.
    pub(crate) fn library(&self, folder: &str, name: &str) -> Option<PathBuf> {
        let file = format!("{}{name}{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
        let places = self.tools_dirs.iter().flat_map(|dir| [dir.join(folder).join(&file), dir.join(&file)]);
        places.into_iter().find(|path| path.is_file())
    }

    /// A program: `<tools>/bin/name` or `<tools>/name`, else where the system looks, else where programs are that a
    /// desktop does not look for. The bare name where it is nowhere.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        let file = format!("{name}{}", env::consts::EXE_SUFFIX);
        let tools = self.tools_dirs.iter().flat_map(|dir| [dir.join("bin").join(&file), dir.join(&file)]);
        let path = env::var_os("PATH").unwrap_or_default();
        let on_path: Vec<PathBuf> = env::split_paths(&path).map(|dir| dir.join(&file)).collect();
        let usual = USUAL.iter().map(|dir| Path::new(dir).join(&file));
        tools.chain(on_path).chain(usual).find(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(name))
    }

    /// Where a model may be: in the data folder, then in the tools folders.
    pub(crate) fn model_folders(&self, id: &str) -> impl Iterator<Item = PathBuf> {
        let installed = std::iter::once(self.models_dir.join(id));
        installed.chain(self.tools_dirs.iter().map(|dir| dir.join("models").join(id)).collect::<Vec<_>>())
    }
}

/// Where packages put programs, and what is started from a desktop may not have on its path.
const USUAL: &[&str] = &["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"];

/// The tools of a program: beside it and in its checkout, by the path that it was started by, which may be a link,
/// and by its own.
fn tools_of(program: &Path) -> Vec<PathBuf> {
    let own = program.canonicalize().ok();
    let mut found = Vec::new();
    for program in std::iter::once(program.to_path_buf()).chain(own) {
        let Some(beside) = program.parent() else { continue };
        found.extend(std::iter::once(beside.to_path_buf()).chain(checkout_tools(beside)));
    }
    found.dedup();
    found
}

/// `.tools` beside the `target` folder that the program lies in, where it lies in one.
fn checkout_tools(beside: &Path) -> Option<PathBuf> {
    let target = beside.ancestors().take(3).find(|folder| folder.file_name().is_some_and(|name| name == "target"))?;
    Some(target.parent()?.join(".tools"))
}

/// Programs for development know their checkout. One that is handed on does not: that path may be another's there.
fn built_from() -> Option<PathBuf> {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    Some(checkout.join(".tools")).filter(|tools| cfg!(debug_assertions) && tools.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_in_a_target_folder_finds_the_tools_of_its_checkout() {
        let tools = Some(PathBuf::from("/x/.tools"));
        assert_eq!(checkout_tools(Path::new("/x/target/debug")), tools);
        assert_eq!(checkout_tools(Path::new("/x/target/debug/deps")), tools);
        assert_eq!(checkout_tools(Path::new("/usr/bin")), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_program_finds_its_tools_through_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for folder in ["checkout/target/debug", "home/bin"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        let (program, link) = (root.join("checkout/target/debug/umem"), root.join("home/bin/umem"));
        std::fs::write(&program, "").unwrap();
        std::os::unix::fs::symlink(&program, &link).unwrap();
        let own = [root.join("checkout/target/debug"), root.join("checkout/.tools")];
        assert_eq!(tools_of(&program).iter().filter(|dir| own.contains(dir)).count(), tools_of(&program).len());
        let through = tools_of(&link);
        assert!(own.iter().all(|dir| through.contains(dir)) && through[0] == root.join("home/bin"), "{through:?}");
    }

    #[test]
    fn a_program_is_found_among_the_tools_first() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("bin").join(format!("um-no-such-program{}", env::consts::EXE_SUFFIX));
        let locations = Locations { tools_dirs: vec![dir.path().into()], ..Locations::default() };
        assert_eq!(locations.program("um-no-such-program"), PathBuf::from("um-no-such-program"));
        std::fs::create_dir(dir.path().join("bin")).unwrap();
        std::fs::write(&file, "").unwrap();
        assert_eq!(locations.program("um-no-such-program"), file);
    }

    #[test]
    fn the_first_tools_folder_that_has_a_library_wins() {
        let dir = tempfile::tempdir().unwrap();
        let file = format!("{}x{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
        let [a, b] = ["a", "b"].map(|name| dir.path().join(name));
        for folder in [a.join("sub"), b.clone()] {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(&file), "").unwrap();
        }
        let locations = |dirs: &[&PathBuf]| Locations {
            tools_dirs: dirs.iter().map(|dir| dir.to_path_buf()).collect(),
            ..Locations::default()
        };
        assert_eq!(locations(&[&a, &b]).library("sub", "x"), Some(a.join("sub").join(&file)));
        assert_eq!(locations(&[&b, &a]).library("sub", "x"), Some(b.join(&file)));
        assert_eq!(locations(&[]).library("sub", "x"), None);
    }
}
