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
        let beside = program.parent().map(Path::to_path_buf);
        let checkout = beside.as_deref().and_then(checkout_tools).or_else(built_from);
        Locations {
            tools_dirs: named.into_iter().chain(beside).chain(checkout).collect(),
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

    /// Where a model may be: in the data folder, then in the tools folders.
    pub(crate) fn model_folders(&self, id: &str) -> impl Iterator<Item = PathBuf> {
        let installed = std::iter::once(self.models_dir.join(id));
        installed.chain(self.tools_dirs.iter().map(|dir| dir.join("models").join(id)).collect::<Vec<_>>())
    }
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
