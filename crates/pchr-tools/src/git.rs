//! Earlier versions of a file in its Git repository, read by the installed `git`.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::file_name;

/// The reason why a path has no versions: it has no file name.
const NO_NAME: &str = "not a file in a folder";

/// Returns the bytes of a file in a commit, such as `HEAD`, as a checkout would write them.
///
/// # Errors
/// The reason, or the first line of Git's own message: without Git, outside a repository, and if the commit lacks the file.
pub fn version(path: &Path, commit: &str) -> Result<Vec<u8>, String> {
    let mut object = OsString::from(commit);
    object.push(":./");
    object.push(path.file_name().ok_or(NO_NAME)?);
    run(path, &["cat-file".as_ref(), "--filters".as_ref(), &object])
}

/// Returns the last commit that changed a file or something in a folder.
///
/// # Errors
/// The reason, or the first line of Git's own message: without Git, outside a repository, and if no commit has the path.
pub fn last_commit(path: &Path) -> Result<String, String> {
    let said = run_on(path, &["log", "-1", "--format=%H", "--"])?;
    let commit = String::from_utf8_lossy(&said).trim().to_owned();
    if commit.is_empty() { Err(format!("no commit has {}", path.display())) } else { Ok(commit) }
}

/// Returns true if a file, or everything in a folder, is as in the last commit.
///
/// # Errors
/// The reason, or the first line of Git's own message: without Git, and outside a repository.
pub fn is_clean(path: &Path) -> Result<bool, String> {
    Ok(run_on(path, &["status", "--porcelain", "--"])?.is_empty())
}

/// Returns true if the repository of a path lacks old commits.
///
/// # Errors
/// As [`is_clean`].
pub fn is_shallow(path: &Path) -> Result<bool, String> {
    let answer = run(path, &["rev-parse".as_ref(), "--is-shallow-repository".as_ref()])?;
    Ok(answer.starts_with(b"true"))
}

fn run_on(path: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let mut name = OsString::from("./");
    name.push(path.file_name().ok_or(NO_NAME)?);
    let arguments = arguments.iter().map(OsStr::new);
    run(path, &arguments.chain([&*name]).collect::<Vec<_>>())
}

/// Runs Git in the folder of a path and returns its output.
fn run(path: &Path, arguments: &[&OsStr]) -> Result<Vec<u8>, String> {
    let mut git = Command::new("git");
    git.arg("-C").arg(file_name::folder(path)).args(arguments);
    git.stdin(Stdio::null()).env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0");
    let output = git.output().map_err(|_| "git is not installed, or not on the PATH")?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().next().unwrap_or("git failed");
    Err(line.trim_start_matches("fatal: ").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git(folder: &Path, arguments: &[&str]) {
        let git = Command::new("git").arg("-C").arg(folder).args(arguments).output();
        assert!(git.is_ok_and(|it| it.status.success()), "git {arguments:?}");
    }

    #[test]
    fn a_version_is_read_from_the_last_commit_and_failures_say_why() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let file = folder.join("hero.pchr");
        std::fs::write(&file, "old").unwrap();
        assert!(version(&file, "HEAD").is_err(), "no repository");
        git(folder, &["init", "-q"]);
        git(folder, &["add", "."]);
        let name = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
        git(folder, &[&name[..], &["commit", "-qm", "first"]].concat());
        std::fs::write(&file, "new").unwrap();
        assert_eq!(version(&file, "HEAD").unwrap(), b"old");
        let commit = last_commit(&file).unwrap();
        assert_eq!(version(&file, &commit).unwrap(), b"old");
        assert_eq!((is_clean(&file), is_shallow(&file)), (Ok(false), Ok(false)));
        std::fs::write(&file, "old").unwrap();
        assert_eq!(is_clean(&file), Ok(true));
        assert!(version(&folder.join("other"), "HEAD").is_err());
        assert!(last_commit(&folder.join("other")).unwrap_err().starts_with("no commit has "));
        assert_eq!(version(Path::new("/"), "HEAD"), Err(NO_NAME.to_owned()));
    }
}
