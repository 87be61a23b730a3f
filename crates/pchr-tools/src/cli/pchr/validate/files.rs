//! Files named on the command line: a folder means the characters, atlases and motions in it, and a pattern the files that match it.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use globset::GlobBuilder;

use crate::cli::pchr::content;
use crate::run::Failure;
use crate::run::input::{name, unreadable};
use crate::run::messages::Messages;
use crate::run::walk::{BROKEN, CIRCLE, Walk, is_hidden, leads_into};
use crate::text::slashed;

/// Characters that make a path a pattern.
const WILD: [char; 4] = ['*', '?', '[', '{'];

/// A file; or a folder that cannot be searched, or a pattern that nothing matches, and why.
pub(super) type NamedFile = (PathBuf, Result<(), Failure>);

/// The files in the order given, those of a folder or pattern sorted by path; or why there are none. Folders that are skipped are
/// notes.
pub(super) fn listed(given: &[PathBuf], messages: &Messages) -> Result<Vec<NamedFile>, Failure> {
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
            let search = FileSearch {
                walk: Walk::new(path),
                pattern: &[],
                given: path,
                messages,
            };
            search.run(&none, &content::is_in)
        } else if !path.exists() && slashed(path).contains(WILD) {
            matching(path, messages)
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
fn matching(pattern: &Path, messages: &Messages) -> Result<Vec<NamedFile>, Failure> {
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
    let depth = match whole.contains("**") {
        true => usize::MAX,
        false => rest.len(),
    };
    let search = FileSearch {
        walk: Walk {
            folder: &folder,
            depth,
        },
        pattern: rest,
        given: pattern,
        messages,
    };
    let mut files = search.run("no file matches", &wanted)?;
    if base.is_empty() {
        for (path, _) in &mut files {
            *path = path.strip_prefix(".").unwrap_or(path).to_owned();
        }
    }
    Ok(files)
}

/// A search for files.
struct FileSearch<'a> {
    walk: Walk<'a>,
    /// Parts of the pattern below the folder of the walk; empty for everything.
    pattern: &'a [&'a str],
    /// Path on the command line.
    given: &'a Path,
    messages: &'a Messages,
}

impl FileSearch<'_> {
    /// Returns the files that are `wanted`, and parts that could not be read and may have such files.
    fn run(self, none: &str, wanted: &dyn Fn(&Path) -> bool) -> Result<Vec<NamedFile>, Failure> {
        let cannot = || format!("cannot read {}", name(self.given));
        let found = self.walk.run().with_context(cannot)?;
        for path in &found.circles {
            let note = format!("skipped {}: {CIRCLE}", name(path));
            self.messages.note(&note);
        }
        // A broken link is listed like a file, where reading it reports the error, or like a folder.
        let (links, broken): (Vec<_>, Vec<_>) =
            found.dangling.into_iter().partition(|path| wanted(path));
        let files = found.files.into_iter().filter(|path| wanted(path));
        let mut files: Vec<NamedFile> = files.chain(links).map(|file| (file, Ok(()))).collect();
        let broken = broken.into_iter().filter(|path| !is_hidden(path));
        let broken = broken.map(|path| (path, BROKEN.to_owned()));
        let unread = found.unread.into_iter();
        let unread = unread.map(|(path, error)| (path, error.to_string()));
        for (path, why) in unread.chain(broken) {
            let inside = path.strip_prefix(self.walk.folder).unwrap_or(&path);
            if leads_into(self.pattern, inside) {
                let failure = unreadable(&name(&path), &why);
                files.push((path, Err(failure)));
            }
        }
        if files.is_empty() {
            return Err(anyhow::Error::msg(none.to_owned()).context(cannot()).into());
        }
        files.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(files)
    }
}
