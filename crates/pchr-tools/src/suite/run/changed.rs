//! Changes of a file since its baselines were committed, for cases whose pictures differ.

use std::path::Path;

use super::source::CaseSource;
use crate::changes::{self, Version};
use crate::git;
use crate::run::Failure;

/// Digits of a commit that are shown.
const SHORT: usize = 8;

/// Returns a sentence about what changed in a file since the commit that last changed `baselines`; `None` if that is unknown: outside
/// a Git repository, and while the baselines differ from those in it.
pub(super) fn since_baselines(source: &CaseSource, baselines: &Path) -> Option<String> {
    if !git::is_clean(baselines).ok()? {
        return None;
    }
    let commit = git::last_commit(baselines).ok()?;
    let short = commit.get(..SHORT).unwrap_or(&commit);
    if git::is_shallow(baselines) == Ok(true) {
        return Some(
            "to say what changed in the file, Git needs its history: fetch all commits (fetch-depth: 0)".to_owned(),
        );
    }
    let since = format!("changes since the baselines (commit {short})");
    Some(match compared(source, &commit) {
        Ok(words) => format!("{since}: {words}"),
        Err(failure) => format!("{since}: unknown: {failure}"),
    })
}

/// Compares the file with its version in a commit.
fn compared(source: &CaseSource, commit: &str) -> Result<String, Failure> {
    let unread = |error: git::GitError| Failure::Running(error.into());
    let bytes = git::version(source.path(), commit).map_err(unread)?;
    let (old, new) = (source.open_bytes(bytes)?, source.opened()?);
    let version = |opened: &crate::open::Opened| {
        let images = source.decoded(opened)?;
        Ok::<_, Failure>(Version::new(opened.subject.clone(), images))
    };
    let (old, new) = (version(&old)?, version(&new)?);
    let diff = changes::compare(&old, &new);
    Ok(changes::summary(&diff, changes::unit(&*new.subject)))
}
