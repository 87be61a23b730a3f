//! Which pictures belong together.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use walkdir::WalkDir;

use super::args::CompareArgs;
use crate::cli::{Failure, input};

/// Two pictures that are compared.
#[derive(Debug)]
pub(super) struct Pair {
    /// What it is called: the path that both have in their folders, or both files.
    pub(super) name: String,
    pub(super) expected: PathBuf,
    pub(super) actual: PathBuf,
    /// Where the picture of their difference goes.
    pub(super) diff: Option<PathBuf>,
}

/// All that is compared, sorted by path.
#[derive(Debug)]
pub(super) struct Pairs {
    /// Whether two folders were given.
    pub(super) of_folders: bool,
    pub(super) pairs: Vec<Pair>,
    /// Paths in the first folder that have no partner in the second, and the other way round.
    pub(super) alone: [Vec<PathBuf>; 2],
}

impl Pairs {
    /// Finds them.
    pub(super) fn new(args: &CompareArgs) -> Result<Self, Failure> {
        let given = [&args.expected, &args.actual].map(PathBuf::as_path);
        match given.map(|path| !input::is_stdin(path) && path.is_dir()) {
            [false, false] => Self::of_files(args),
            [true, true] => Self::of_folders(args),
            are_folders => {
                let word = |(path, is_folder): (&Path, bool)| {
                    let kind = if is_folder { "a folder" } else { "one picture" };
                    format!("{} is {kind}", input::name(path))
                };
                let absent = |path: &&Path| !input::is_stdin(path) && !path.exists();
                if let Some(absent) = given.into_iter().find(absent) {
                    input::bytes(absent)?; // says why it cannot be read
                }
                let [expected, actual] = given;
                let [a, b] = are_folders;
                Err(Failure::Usage(format!(
                    "{}, {}: give two files or two folders",
                    word((expected, a)),
                    word((actual, b))
                )))
            }
        }
    }

    fn of_files(args: &CompareArgs) -> Result<Self, Failure> {
        let CompareArgs {
            expected, actual, ..
        } = args;
        if input::is_stdin(expected) && input::is_stdin(actual) {
            let text = "- is given twice, but stdin holds one picture";
            return Err(Failure::Usage(text.into()));
        }
        if let Some(diff) = &args.diff {
            let overwritten = [expected, actual].into_iter().find(|file| same(file, diff));
            if let Some(file) = overwritten {
                let file = file.display();
                let text = format!("--diff would replace {file}, which is compared");
                return Err(Failure::Usage(text));
            }
        }
        let pair = Pair {
            name: format!("{} and {}", input::name(expected), input::name(actual)),
            expected: expected.clone(),
            actual: actual.clone(),
            diff: args.diff.clone(),
        };
        Ok(Self {
            of_folders: false,
            pairs: vec![pair],
            alone: Default::default(),
        })
    }

    fn of_folders(args: &CompareArgs) -> Result<Self, Failure> {
        let CompareArgs {
            expected, actual, ..
        } = args;
        if let Some(diff) = &args.diff {
            if input::is_stdin(diff) {
                let text = "--diff - writes one picture; give a folder for those of two folders";
                return Err(Failure::Usage(text.into()));
            }
            if let Some(folder) = [expected, actual].into_iter().find(|of| is_in(diff, of)) {
                let (diff, folder) = (diff.display(), folder.display());
                let text = format!("--diff {diff} lies in {folder}, all of which is compared");
                return Err(Failure::Usage(text));
            }
        }
        let [in_expected, in_actual] = [pictures(expected)?, pictures(actual)?];
        if in_expected.is_empty() && in_actual.is_empty() {
            let (expected, actual) = (expected.display(), actual.display());
            let text = format!("neither {expected} nor {actual} has a .png file in it");
            return Err(Failure::Usage(text));
        }
        let pair = |path: &PathBuf| Pair {
            name: path.display().to_string(),
            expected: expected.join(path),
            actual: actual.join(path),
            diff: args.diff.as_ref().map(|folder| folder.join(path)),
        };
        let alone = |here: &BTreeSet<PathBuf>, there| here.difference(there).cloned().collect();
        Ok(Self {
            of_folders: true,
            pairs: in_expected.intersection(&in_actual).map(pair).collect(),
            alone: [
                alone(&in_expected, &in_actual),
                alone(&in_actual, &in_expected),
            ],
        })
    }
}

/// The PNG files in a folder at any depth, by their paths from there. Links to folders are not followed: they may lead in
/// circles.
fn pictures(folder: &Path) -> Result<BTreeSet<PathBuf>, Failure> {
    let mut pictures = BTreeSet::new();
    for entry in WalkDir::new(folder) {
        let entry = entry.map_err(io::Error::from);
        let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
        let path = entry.path();
        let is_png = path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
        if is_png
            && path.is_file()
            && let Ok(path) = path.strip_prefix(folder)
        {
            pictures.insert(path.to_owned());
        }
    }
    Ok(pictures)
}

fn same(file: &Path, other: &Path) -> bool {
    let [file, other] = [file, other].map(std::fs::canonicalize);
    matches!((file, other), (Ok(file), Ok(other)) if file == other)
}

/// Whether a path, of which the end need not be there, is a folder or in it.
fn is_in(path: &Path, folder: &Path) -> bool {
    let Ok(folder) = std::fs::canonicalize(folder) else {
        return false;
    };
    let Ok(path) = std::path::absolute(path) else {
        return false;
    };
    let mut there = path.ancestors().filter_map(|part| part.canonicalize().ok());
    there.next().is_some_and(|part| part.starts_with(folder))
}
