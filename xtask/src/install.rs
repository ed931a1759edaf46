//! Puts `umem` where programs are found: as a link, so that it finds the models and libraries of the checkout and is
//! renewed by each build.

use std::env;
use std::path::{Path, PathBuf};

use crate::files::make_folder;
use crate::place::Place;
use crate::run::program;
use crate::sh::{cargo, loud};

/// Builds `umem` and links it into a folder, the user's own for programs where none is named. What is there already is
/// replaced where it is such a link, and refused where it is anything else.
///
/// # Errors
/// What went wrong, in one sentence.
pub fn install(place: &Place, folder: Option<&Path>) -> Result<(), String> {
    let folder = match folder {
        Some(named) => std::path::absolute(named).map_err(|e| format!("{} cannot be used: {e}", named.display()))?,
        None => folder_of_programs()?,
    };
    let mut build = cargo(place);
    build.args(["build", "--package", "umem"]);
    loud(build)?;
    make_folder(&folder)?;
    let link = folder.join(if cfg!(windows) { "umem.cmd" } else { "umem" });
    point(&link, &program(place, "umem"))?;
    println!("\n{} runs the umem of this checkout, which has to stay where it is.", link.display());
    if !is_on_path(&folder) {
        println!("{} is not on your PATH: add it, or write the full path.", folder.display());
    }
    Ok(())
}

/// The folder for a user's programs: `~/.local/bin`; on Windows, which has none, Cargo's.
fn folder_of_programs() -> Result<PathBuf, String> {
    let (variable, below) = if cfg!(windows) { ("USERPROFILE", ".cargo/bin") } else { ("HOME", ".local/bin") };
    let home = env::var_os(variable).ok_or("no home folder is known: name a folder, `cargo xtask install DIR`")?;
    Ok(PathBuf::from(home).join(below))
}

fn is_on_path(folder: &Path) -> bool {
    env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|one| one == folder))
}

#[cfg(unix)]
fn point(link: &Path, program: &Path) -> Result<(), String> {
    match link.symlink_metadata() {
        Ok(there) if there.is_symlink() => {
            std::fs::remove_file(link).map_err(|e| format!("{} cannot be replaced: {e}", link.display()))?;
        }
        Ok(_) => {
            return Err(format!(
                "{} is there already and is no link: remove it, or name another folder",
                link.display()
            ));
        }
        Err(_) => {}
    }
    std::os::unix::fs::symlink(program, link).map_err(|e| format!("{} cannot be made: {e}", link.display()))
}

/// Links need a privilege on Windows: a script of one line stands for it.
#[cfg(not(unix))]
fn point(link: &Path, program: &Path) -> Result<(), String> {
    let script = format!("@\"{}\" %*\r\n", program.display());
    std::fs::write(link, script).map_err(|e| format!("{} cannot be written: {e}", link.display()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::point;

    #[test]
    fn a_link_is_renewed_and_a_program_is_not_overwritten() {
        let folder = env_folder();
        let (link, old, new) = (folder.join("umem"), folder.join("old"), folder.join("new"));
        std::fs::write(&new, "program").unwrap();
        for program in [&old, &new] {
            point(&link, program).unwrap();
            assert_eq!(&std::fs::read_link(&link).unwrap(), program);
        }
        assert!(point(&new, &old).is_err());
        assert_eq!(std::fs::read_to_string(&new).unwrap(), "program");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    fn env_folder() -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("xtask-install-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }
}
