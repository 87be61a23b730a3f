//! Matching of pictures into pairs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::args::CompareArgs;
use crate::file_name;
use crate::run::disk::Role;
use crate::run::walk::Walk;
use crate::run::{Disk, Failure, input, output};
use crate::text::slashed;
use crate::text::words::count;

/// Two pictures that are compared.
#[derive(Debug)]
pub(super) struct Pair {
    /// Name of the pair: the path that both have in their folders, or both files.
    pub(super) name: String,
    pub(super) expected: PathBuf,
    pub(super) actual: PathBuf,
    /// Path of the picture of their difference.
    pub(super) diff: Option<PathBuf>,
}

/// All that is compared, sorted by path.
#[derive(Debug)]
pub(super) struct Pairs {
    /// True if two folders were given.
    pub(super) of_folders: bool,
    pub(super) pairs: Vec<Pair>,
    /// Paths in the first folder without a partner in the second, and vice versa.
    pub(super) alone: [Vec<PathBuf>; 2],
    /// Notes on files that are not compared.
    pub(super) notes: Vec<String>,
}

impl Pairs {
    /// Finds them.
    pub(super) fn new(args: &CompareArgs, disk: &Disk) -> Result<Self, Failure> {
        let given = [&args.expected, &args.actual].map(PathBuf::as_path);
        let pairs = match given.map(|path| !input::is_stdin(path) && path.is_dir()) {
            [false, false] => Self::of_files(args)?,
            [true, true] => Self::of_folders(args)?,
            are_folders => {
                let word = |(path, is_folder): (&Path, bool)| {
                    let kind = if is_folder { "a folder" } else { "one picture" };
                    format!("{} is {kind}", input::name(path))
                };
                let absent = |path: &&Path| !input::is_stdin(path) && !path.exists();
                if let Some(absent) = given.into_iter().find(absent) {
                    input::picture(disk, absent, None)?; // says why it cannot be read
                }
                let [expected, actual] = given;
                let [a, b] = are_folders;
                return Err(Failure::Usage(format!(
                    "{}, {}: expected two files or two folders",
                    word((expected, a)),
                    word((actual, b))
                )));
            }
        };
        // All inputs are known before the first difference is written.
        let read = pairs
            .pairs
            .iter()
            .flat_map(|pair| [&pair.expected, &pair.actual]);
        for path in read.chain(&args.mask) {
            match input::is_stdin(path) {
                true => disk.note_stdin(),
                false => disk.note(path, Role::Input),
            }
        }
        let diffs = pairs.pairs.iter().filter_map(|pair| pair.diff.as_deref());
        disk.check(diffs.filter(|diff| !input::is_stdin(diff)))?;
        Ok(pairs)
    }

    fn of_files(args: &CompareArgs) -> Result<Self, Failure> {
        let CompareArgs {
            expected, actual, ..
        } = args;
        if input::is_stdin(expected) && input::is_stdin(actual) {
            let text = "- (standard input) can be given only once";
            return Err(Failure::Usage(text.into()));
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
            notes: Vec::new(),
        })
    }

    fn of_folders(args: &CompareArgs) -> Result<Self, Failure> {
        let CompareArgs {
            expected, actual, ..
        } = args;
        if let Some(diff) = &args.diff {
            if input::is_stdin(diff) {
                let text = "--diff - writes one picture; for two folders, expected a folder";
                return Err(Failure::Usage(text.into()));
            }
            if let Some(folder) = [expected, actual]
                .into_iter()
                .find(|of| output::is_in(diff, of))
            {
                let (diff, folder) = (diff.display(), folder.display());
                let text = format!(
                    "--diff {diff} lies in {folder}, which is compared; choose another folder"
                );
                return Err(Failure::Usage(text));
            }
        }
        let found = [Found::in_folder(expected)?, Found::in_folder(actual)?];
        let notes = [expected, actual].into_iter().zip(&found);
        let notes = notes
            .flat_map(|(folder, found)| found.notes(folder))
            .collect();
        let [in_expected, in_actual] = found.map(|found| found.pictures);
        if in_expected.is_empty() && in_actual.is_empty() {
            let (expected, actual) = (expected.display(), actual.display());
            let text = format!("no .png files in {expected} or {actual}");
            return Err(Failure::Usage(text));
        }
        let pair = |path: &PathBuf| Pair {
            name: slashed(path),
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
            notes,
        })
    }
}

/// Files of a folder at any depth, by relative path.
#[derive(Debug, Default)]
struct Found {
    /// Files named like PNG files.
    pictures: BTreeSet<PathBuf>,
    /// Files that are called otherwise.
    others: BTreeSet<PathBuf>,
    /// Links to folders that contain them. They are not followed.
    circles: BTreeSet<PathBuf>,
}

impl Found {
    fn in_folder(folder: &Path) -> Result<Self, Failure> {
        let found = Walk::new(folder).run();
        let mut found = found.map_err(|error| input::unreadable(&input::name(folder), &error))?;
        let is_png = |path: &PathBuf| {
            let extension = path.extension();
            extension.is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
        };
        // Comparing a broken link that is named like a picture reports the error.
        let broken: Vec<PathBuf> = found.dangling.extract_if(.., |path| is_png(path)).collect();
        if let Some((path, why)) = found.first_unread() {
            return Err(input::unreadable(&input::name(path), &why));
        }
        let inside = |path: PathBuf| {
            path.strip_prefix(folder)
                .map(Path::to_owned)
                .unwrap_or(path)
        };
        let all = [found.files, found.irregular, broken, found.dangling];
        let (pictures, others): (Vec<_>, Vec<_>) = all.concat().into_iter().partition(is_png);
        let within = |paths: Vec<PathBuf>| paths.into_iter().map(inside).collect();
        Ok(Self {
            pictures: within(pictures),
            others: within(others),
            circles: within(found.circles),
        })
    }

    /// Files that are not compared.
    fn notes(&self, folder: &Path) -> Vec<String> {
        /// Paths that are named.
        const NAMED: usize = 3;
        let note = |paths: &BTreeSet<PathBuf>, one: &str, many: &str| {
            let first = paths.iter().take(NAMED).map(|path| slashed(path));
            let mut names: Vec<String> = first.collect();
            if paths.len() > NAMED {
                names.push("…".to_owned());
            }
            (!names.is_empty()).then(|| {
                let (folder, names) = (folder.display(), names.join(", "));
                format!("{folder}: {} ({names})", count(paths.len(), one, many))
            })
        };
        let others = note(
            &self.others,
            "file without the extension .png is not compared",
            "files without the extension .png are not compared",
        );
        let circles = note(
            &self.circles,
            "link to a folder that contains it is not followed",
            "links to folders that contain them are not followed",
        );
        [others, circles].into_iter().flatten().collect()
    }
}

/// A path of `others` that differs from `path` only in upper and lower case, or in the form of its accents.
pub(super) fn alike<'a>(path: &Path, others: &'a [PathBuf]) -> Option<&'a Path> {
    let folded = |path: &Path| file_name::key(&slashed(path));
    let wanted = folded(path);
    let mut others = others.iter().map(PathBuf::as_path);
    others.find(|other| folded(other) == wanted)
}
