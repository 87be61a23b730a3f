//! Files named on the command line: a folder means the characters, atlases and motions in it, and a pattern the files that match it.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use globset::GlobBuilder;

use crate::cli::pchr::content;
use crate::run::Failure;
use crate::run::input::{name, unreadable};
use crate::run::walk::Walk;
use crate::text::slashed;

/// Characters that make a path a pattern.
const WILD: [char; 4] = ['*', '?', '[', '{'];

/// A file; or a folder that cannot be searched, or a pattern that nothing matches, and why.
pub(super) type Named = (PathBuf, Result<(), Failure>);

/// The files in the order given, those of a folder or pattern sorted by path; or why there are none.
pub(super) fn listed(given: &[PathBuf]) -> Result<Vec<Named>, Failure> {
    if given.iter().filter(|path| *path == Path::new("-")).count() > 1 {
        let text = "- (standard input) can be given only once";
        return Err(Failure::Usage(text.into()));
    }
    let mut files = Vec::new();
    for path in given {
        let found = if path.is_dir() {
            let none = format!(
                "no {}; to check other JSON, name the file",
                content::IN_FOLDERS
            );
            search(Walk::new(path), path, &none, &content::is_in)
        } else if !path.exists() && slashed(path).contains(WILD) {
            matching(path)
        } else {
            Ok(vec![(path.clone(), Ok(()))]) // a missing file is reported when it is read
        };
        match found {
            Ok(found) => files.extend(found),
            Err(usage @ Failure::Usage(_)) => return Err(usage),
            Err(failure) => files.push((path.clone(), Err(failure))),
        }
    }
    Ok(files)
}

/// The files that match a pattern which no shell has expanded: some have none to do so.
fn matching(pattern: &Path) -> Result<Vec<Named>, Failure> {
    let whole = slashed(pattern);
    let parts: Vec<&str> = whole.split('/').collect();
    let first = parts.iter().position(|part| part.contains(WILD));
    let (base, rest) = parts.split_at(first.unwrap_or(0));
    let folder = match base {
        [] => PathBuf::from("."),
        [""] => PathBuf::from("/"),
        base => PathBuf::from(base.join("/")),
    };
    let glob = GlobBuilder::new(&rest.join("/"))
        .literal_separator(true)
        .build();
    let glob = glob.map_err(|error| Failure::Usage(format!("{whole}: {}", error.kind())))?;
    let glob = glob.compile_matcher();
    let wanted = |path: &Path| {
        let inside = path.strip_prefix(&folder).unwrap_or(path);
        // As in shells, a star does not match names that begin with a dot.
        let hidden = inside.components().zip(rest).any(|(part, pattern)| {
            part.as_os_str().as_encoded_bytes().starts_with(b".") && !pattern.starts_with('.')
        });
        glob.is_match(slashed(inside)) && !hidden
    };
    let walk = Walk {
        depth: if whole.contains("**") {
            usize::MAX
        } else {
            rest.len()
        },
        ..Walk::new(&folder)
    };
    let mut files = search(walk, pattern, "no file matches", &wanted)?;
    if base.is_empty() {
        for (path, _) in &mut files {
            *path = path.strip_prefix(".").unwrap_or(path).to_owned();
        }
    }
    Ok(files)
}

/// The files that are `wanted`, and the folders that cannot be searched. Links to folders are not followed.
fn search(
    walk: Walk<'_>,
    given: &Path,
    none: &str,
    wanted: &dyn Fn(&Path) -> bool,
) -> Result<Vec<Named>, Failure> {
    let cannot = || format!("cannot read {}", name(given));
    let found = walk.run().with_context(cannot)?;
    // A broken link is listed like a file; reading it reports the error.
    let files = found.files.into_iter().chain(found.dangling);
    let files = files.filter(|path| wanted(path));
    let mut files: Vec<Named> = files.map(|file| (file, Ok(()))).collect();
    for (path, error) in found.unread {
        let failure = unreadable(&name(&path), &error);
        files.push((path, Err(failure)));
    }
    if files.is_empty() {
        return Err(anyhow::Error::msg(none.to_owned()).context(cannot()).into());
    }
    files.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(files)
}
