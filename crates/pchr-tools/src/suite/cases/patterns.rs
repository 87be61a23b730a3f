//! Files of a suite, by paths or by patterns.
//!
//! In a path, `$NAME` and `${NAME}` are environment variables, `$$` is a dollar sign. Messages and reports repeat it as written; the
//! values of variables are used only for the file system.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use globset::GlobBuilder;

use crate::file_name;
use crate::files::{ReadError, alike};
use crate::run::walk::{BROKEN, CIRCLE, FoundFiles, is_absent, is_hidden, leads_into};
use crate::text::shell::{Piece, Word};
use crate::text::slashed;

/// Characters that make a part of a path a pattern.
const WILD: [char; 5] = ['*', '?', '[', '{', ']'];

pub(crate) struct File {
    pub(crate) path: PathBuf,
    /// Path as written in the suite.
    pub(crate) shown: String,
    /// Path as a word of a command.
    pub(crate) typed: Word,
    /// Part of the path that a pattern matched, without the extension; `None` without a pattern.
    pub(crate) part: Option<String>,
    /// Reason why it cannot be captured.
    pub(crate) mistake: Option<String>,
    /// True if the reason is that it could not be read. With a [part](Self::part), it may be a folder with any files.
    pub(crate) is_unread: bool,
}

/// Reason why a case has no files.
pub(crate) enum NoFiles {
    /// The text of the suite is wrong.
    Mistake(String),
    /// The files are missing, or not as the suite names them.
    Absent {
        /// Path, as far as it is known.
        path: PathBuf,
        text: String,
        /// True if they could not be read, and may exist.
        is_unread: bool,
    },
}

/// Returns the files of a path or a pattern, relative to `folder`, and folders that could not be read. `note` gets a message for
/// each folder that is skipped.
pub(crate) fn files(
    folder: &Path,
    pattern: &str,
    note: &mut dyn FnMut(String),
) -> Result<Vec<File>, NoFiles> {
    let absent =
        |text: String| NoFiles::Absent { path: folder.join(pattern), text, is_unread: false };
    let text = pattern.replace('\\', "/");
    let parts: Vec<&str> = text.split('/').collect();
    let wild = |part: &&str| without_variables(part).contains(WILD);
    let first_wild = parts.iter().position(wild).unwrap_or(parts.len());
    let (plain, wild) = parts.split_at(first_wild);
    if pattern.is_empty() {
        return Err(NoFiles::Mistake("it is empty".to_owned()));
    }
    let written = WrittenPath::parse(&text).map_err(NoFiles::Mistake)?;
    let path = folder.join(written.expanded().map_err(absent)?);
    // A file may be called like a pattern.
    let there = std::fs::metadata(&path);
    if wild.is_empty() || there.as_ref().is_ok_and(Metadata::is_file) {
        let mut is_unread = false;
        let text = match there {
            Ok(there) if there.is_file() => {
                return Ok(vec![File {
                    path,
                    typed: written.word(""),
                    shown: text,
                    part: None,
                    mistake: None,
                    is_unread,
                }]);
            }
            Ok(there) if there.is_dir() => format!("{text} is a folder"),
            Ok(_) => format!("{text} is not a regular file"),
            Err(error) if is_absent(&error) && path.parent().is_some_and(is_behind_broken_link) => {
                is_unread = true;
                format!("cannot read {text}: a folder of its path {BROKEN}")
            }
            Err(error) if is_absent(&error) => match alike(&path) {
                Some(alike) => format!("{text} does not exist; {alike}"),
                None => format!("{text} does not exist"),
            },
            Err(error) => {
                is_unread = true;
                format!("cannot read {text}: {error}")
            }
        };
        return Err(NoFiles::Absent { path, text, is_unread });
    }
    let base = plain.join("/");
    let written = WrittenPath::parse(&base).map_err(NoFiles::Mistake)?;
    let base_path = folder.join(match base.as_str() {
        "" if text.starts_with('/') => "/".to_owned(),
        _ => written.expanded().map_err(absent)?,
    });
    let rest = WrittenPath::parse(&wild.join("/")).map_err(NoFiles::Mistake)?;
    if let Some(name) = rest.variable() {
        // Cases are named by what a pattern matches: the same on every machine.
        let text = format!(
            "${name} is inside the pattern; only the folders before the pattern may have variables"
        );
        return Err(NoFiles::Mistake(text));
    }
    let rest = rest.expanded().map_err(absent)?;
    let glob = GlobBuilder::new(&rest).literal_separator(true).build();
    let glob = glob.map_err(|error| NoFiles::Mistake(error.kind().to_string()))?.compile_matcher();
    let deepest = if rest.contains("**") { usize::MAX } else { wild.len() };
    let base_or_here = file_name::or_here(&base_path);
    // A path as the suite would write it.
    let said = |inside: &Path| match inside.as_os_str().is_empty() {
        true => base.clone(),
        false if base.is_empty() && !text.starts_with('/') => slashed(inside),
        false => format!("{base}/{}", slashed(inside)),
    };
    let mut files = Vec::new();
    let found = match FoundFiles::of(base_or_here, deepest) {
        Ok(found) => found,
        Err(error) => {
            let base = match base.as_str() {
                "" if text.starts_with('/') => "/",
                "" => "the folder of the suite",
                base => base,
            };
            // The error's own text names the folder as it is.
            let why = |why: &dyn std::fmt::Display| format!("cannot read {base}: {why}");
            let why = match is_absent(&error) {
                true if is_behind_broken_link(base_or_here) => why(&BROKEN),
                true => return Err(absent(why(&error.kind()))),
                false => why(&error.kind()),
            };
            return Ok(vec![File {
                typed: Word::from(text.as_str()), // nothing is drawn of it
                part: Some(text.clone()),
                path: base_path,
                shown: text,
                mistake: Some(why),
                is_unread: true,
            }]);
        }
    };
    let meant = |path: &Path| {
        let inside = path.strip_prefix(base_or_here);
        inside.is_ok_and(|inside| glob.is_match(inside))
    };
    let inside = |path: &Path| path.strip_prefix(base_or_here).unwrap_or(Path::new("")).to_owned();
    for path in found.circles {
        let path = said(&inside(&path));
        note(format!("{pattern:?}: skipped {path}: {CIRCLE}"));
    }
    // As in a shell: what is hidden is meant only where the pattern says the dot.
    let says_dot = wild.iter().any(|part| part.starts_with('.'));
    let is_passed = |path: &Path| is_hidden(path) && !says_dot;
    let dangling = found.dangling.iter().map(|path| (path, true));
    let whole = found.files.iter().map(|path| (path, false));
    for (path, dangles) in whole.chain(dangling).filter(|(path, _)| meant(path)) {
        let inside = inside(path);
        if is_passed(path) {
            continue;
        }
        // A note alone would let a run pass that never drew it.
        let mistake = if dangles {
            Some(format!("{} {BROKEN}", said(&inside)))
        } else if inside.to_str().is_none() {
            Some(format!("the name of {} is not UTF-8", said(&inside)))
        } else {
            None
        };
        let inside = slashed(&inside);
        let (shown, typed) = if base.is_empty() && !text.starts_with('/') {
            (inside.clone(), written.word(&inside))
        } else {
            (format!("{base}/{inside}"), written.word(&format!("/{inside}")))
        };
        let part = Path::new(&inside).with_extension("");
        files.push(File {
            path: base_path.join(&inside),
            shown,
            typed,
            part: Some(slashed(&part)),
            mistake,
            is_unread: false,
        });
    }
    // A broken link may lead to a folder.
    let dangling = found.dangling.into_iter().filter(|path| !meant(path) && !is_passed(path));
    let dangling = dangling.map(|path| (path, BROKEN.to_owned()));
    let unread = found.unread.into_iter().map(|(path, error)| (path, error.kind().to_string()));
    for (path, why) in unread.chain(dangling) {
        if !leads_into(wild, &inside(&path)) {
            continue; // nothing in it could match
        }
        let shown = said(&inside(&path));
        files.push(File {
            mistake: Some(format!("cannot read {shown}: {why}")),
            part: Some(slashed(&inside(&path))),
            typed: written.word(""), // nothing is drawn of it
            shown,
            path,
            is_unread: true,
        });
    }
    if files.is_empty() {
        return Err(absent(format!("no file matches {pattern:?}")));
    }
    Ok(files)
}

/// Returns true if a file may exist, but could not be read.
pub(crate) fn is_unread(error: &ReadError) -> bool {
    matches!(error, ReadError::Io(error) if !is_absent(error))
}

/// Returns true if the first part of a path that exists, from its end, is a broken link.
fn is_behind_broken_link(path: &Path) -> bool {
    let there = path.ancestors().find(|part| std::fs::symlink_metadata(part).is_ok());
    there.is_some_and(|part| std::fs::metadata(part).is_err())
}

/// Returns the text without `${...}`, whose braces are not part of a pattern.
fn without_variables(part: &str) -> String {
    let mut rest = part;
    let mut text = String::new();
    while let Some((before, variable)) = rest.split_once("${") {
        text.push_str(before);
        rest = variable.split_once('}').map_or("", |(_, after)| after);
    }
    text + rest
}

/// A path with variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WrittenPath(Vec<Piece>);

impl WrittenPath {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            plain.push_str(before);
            let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let (name, behind) = match after.strip_prefix('{') {
                Some(braced) => {
                    braced.split_once('}').ok_or_else(|| format!("${after:?} has no closing }}"))?
                }
                None => after.split_at(after.find(|c| !in_name(c)).unwrap_or(after.len())),
            };
            let is_name = |name: &str| {
                name.chars().all(in_name) && name.starts_with(|c: char| !c.is_ascii_digit())
            };
            if let Some(behind) = after.strip_prefix('$') {
                plain.push('$');
                rest = behind;
            } else if is_name(name) {
                pieces.extend(text_piece(&mut plain));
                pieces.push(Piece::Variable(name.to_owned()));
                rest = behind;
            } else if after.starts_with('{') {
                return Err(format!(
                    "invalid variable name {name:?}: expected letters, digits and _ (write $$ for a dollar sign)"
                ));
            } else {
                plain.push('$');
                rest = after;
            }
        }
        plain.push_str(rest);
        pieces.extend(text_piece(&mut plain));
        Ok(Self(pieces))
    }

    pub(crate) fn variable(&self) -> Option<&str> {
        self.0.iter().find_map(|piece| match piece {
            Piece::Variable(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// Returns the path with variables expanded.
    pub(crate) fn expanded(&self) -> Result<String, String> {
        let value = |piece: &Piece| match piece {
            Piece::Text(text) => Ok(text.clone()),
            Piece::Variable(name) => std::env::var(name)
                .map_err(|_| format!("the environment variable ${name} is not set")),
        };
        self.0.iter().map(value).collect()
    }

    /// Returns the path followed by a text, as a word of a command. It is never taken for an option.
    pub(crate) fn word(&self, text: &str) -> Word {
        let mut pieces = self.0.clone();
        pieces.push(Piece::Text(text.to_owned()));
        let mut texts = Vec::new();
        for piece in pieces {
            match (texts.last_mut(), piece) {
                (Some(Piece::Text(before)), Piece::Text(text)) => before.push_str(&text),
                (_, piece) => texts.push(piece),
            }
        }
        if let Some(Piece::Text(first)) = texts.first_mut()
            && first.starts_with('-')
        {
            first.insert_str(0, "./");
        }
        Word(texts)
    }
}

fn text_piece(text: &mut String) -> Option<Piece> {
    (!text.is_empty()).then(|| Piece::Text(std::mem::take(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(folder: &Path, pattern: &str) -> Vec<(String, Option<String>)> {
        let files = files(folder, pattern, &mut |note| panic!("{note}")).ok().unwrap();
        files.into_iter().map(|file| (file.shown, file.part)).collect()
    }

    #[test]
    fn variables_stay_as_they_are_written_where_files_are_named() {
        let unset = files(Path::new(""), "$NO_SUCH_VARIABLE_HERE/x", &mut |_| ());
        assert!(
            matches!(unset, Err(NoFiles::Absent { text, .. }) if text.contains("$NO_SUCH_VARIABLE_HERE"))
        );
        let manifest = shown(Path::new(""), "${CARGO_MANIFEST_DIR}/Cargo.tom?");
        let wanted = [("${CARGO_MANIFEST_DIR}/Cargo.toml".to_owned(), Some("Cargo".to_owned()))];
        assert_eq!(manifest, wanted);
        assert_eq!(without_variables("a${B}c{d}"), "ac{d}");
    }

    #[test]
    fn variables_are_names_and_a_dollar_is_written_twice() {
        let piece = |part: &&str| match part.strip_prefix('@') {
            Some(name) => Piece::Variable(name.to_owned()),
            None => Piece::Text((*part).to_owned()),
        };
        for (path, parts) in [
            ("", &[][..]),
            ("a/b.pchr", &["a/b.pchr"]),
            ("$A/${B_2}c$D-e", &["@A", "/", "@B_2", "c", "@D", "-e"]),
            ("$$A/$1/$", &["$A/$1/$"]),
        ] {
            let pieces = parts.iter().map(piece).collect();
            assert_eq!(WrittenPath::parse(path), Ok(WrittenPath(pieces)), "{path}");
        }
        for wrong in ["${A", "${a-b}", "${}", "${A:-$(touch pwned)}", "${1}"] {
            assert!(WrittenPath::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_word_keeps_variables_apart_from_what_follows() {
        let word = WrittenPath::parse("$ART/x").unwrap().word("/$HOME.pchr");
        assert_eq!(word.0, [Piece::Variable("ART".into()), Piece::Text("/x/$HOME.pchr".into())]);
        assert_eq!(WrittenPath::default().word("-rf"), "./-rf".into());
    }
}
