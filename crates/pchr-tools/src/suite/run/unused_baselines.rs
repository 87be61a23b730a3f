//! Baselines that no picture of a run is compared with, which `--prune` removes.
//!
//! Only this program's files count as baselines: those that a `baseline.json` beside them names, and those with the path of a baseline. Links
//! are never followed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use walkdir::WalkDir;

use super::SuiteItem;
use super::source::Planned;
use crate::file_name;
use crate::run::walk::is_absent;
use crate::run::{Disk, Failure, input, output};
use crate::suite::baseline::{BaselineRecord, RECORD};
use crate::suite::cases::Case;
use crate::suite::cases::file::Suite;
use crate::suite::report::{FrameResult, Status};

/// Unused baselines by their relative paths, by the folder of a case or, for those of no case, by their own folder.
#[derive(Debug, Default)]
pub(crate) struct Unused {
    pub(crate) of_cases: BTreeMap<String, Vec<String>>,
    pub(crate) folders: BTreeMap<String, Vec<String>>,
}

impl Unused {
    /// Finds unused baselines. In a folder that suites may share, only the folders of the suite's own cases are searched.
    ///
    /// # Errors
    /// [`Failure::Running`] with the part of the folder that cannot be read.
    pub(crate) fn find(
        suite: &Suite,
        cases: &[Case],
        planned: &[Planned],
    ) -> Result<Self, Failure> {
        let root = suite.baselines();
        let mut unused = Self::default();
        let mut way = suite.folder.clone();
        let has_link = suite.baselines_shown().split('/').any(|part| {
            way.push(part);
            way.is_symlink()
        });
        if has_link {
            return Ok(unused);
        }
        let files = if suite.owns_baselines() {
            files(&root, "")?
        } else {
            let of_case = |case: &Case| Ok(own(files(&root, &case.name)?, &case.name));
            let files: Result<Vec<_>, Failure> = cases.iter().map(of_case).collect();
            files?.concat()
        };
        let by_name: BTreeMap<String, (&Case, BTreeSet<String>)> = cases
            .iter()
            .zip(planned)
            .map(|(case, planned)| (file_name::key(&case.name), (case, planned.used())))
            .collect();
        let mut records = BaselineRecords { disk: &suite.disk, known: BTreeMap::new() };
        for file in &files {
            let owner = folders_of(file).find_map(|(folder, inside)| {
                Some((by_name.get(&file_name::key(folder))?, folder, inside))
            });
            let (unused, folder, inside) = match owner {
                Some(((case, used), folder, inside)) => {
                    let ours = is_picture(inside) || records.knows(&root, folder, inside);
                    if !ours || used.contains(&file_name::key(inside)) {
                        continue;
                    }
                    (&mut unused.of_cases, case.name.as_str(), inside)
                }
                None => match records.home(&root, file) {
                    Some((folder, inside)) => (&mut unused.folders, folder, inside),
                    None => continue,
                },
            };
            unused.entry(folder.to_owned()).or_default().push(inside.to_owned());
        }
        Ok(unused)
    }
}

/// Returns the unused baselines of an item as results. With `prune` they are removed, unless the item has an error.
pub(crate) fn results(
    suite: &Suite,
    item: &SuiteItem<'_>,
    prune: bool,
    is_error: bool,
) -> Vec<FrameResult> {
    let mut removed = BTreeSet::new();
    let mut results = Vec::new();
    for path in item.unused {
        let shown = format!("{}/{}/{path}", suite.baselines_shown(), item.name);
        let (status, message) = if is_error {
            (Status::Unused, format!("{shown} is kept because its case could not be drawn"))
        } else if !prune {
            (Status::Unused, format!("no case uses {shown}; remove it with --prune"))
        } else {
            match remove(&suite.baselines(), item.name, path) {
                Ok(()) => {
                    removed.insert(path.as_str());
                    (Status::Removed, format!("removed {shown}"))
                }
                Err(error) => (Status::Error, format!("cannot remove {shown}: {error}")),
            }
        };
        let name = path.strip_suffix(".png").unwrap_or(path).to_owned();
        results.push(FrameResult::new(name, status, message));
    }
    if let Err(error) = forget(suite, item, &removed)
        && let Some(last) = results.last_mut()
    {
        last.status = Status::Error;
        last.message = error.to_string();
    }
    results
}

/// Removes a file, and the folders that become empty.
fn remove(root: &Path, folder: &str, path: &str) -> io::Result<()> {
    let file = root.join(folder).join(path);
    fs::remove_file(&file)?;
    let parents = file.ancestors().skip(1);
    for parent in parents.take_while(|parent| parent.starts_with(root) && *parent != root) {
        if fs::remove_dir(parent).is_err() {
            break;
        }
    }
    Ok(())
}

/// Removes pictures from the record of a case.
fn forget(suite: &Suite, item: &SuiteItem<'_>, removed: &BTreeSet<&str>) -> io::Result<()> {
    let folder = suite.baselines().join(item.name);
    let Some(mut record) = BaselineRecord::read(&suite.disk, &folder).ok().flatten() else {
        return Ok(());
    };
    let names: Vec<String> = record.frames.keys().cloned().collect();
    let kept = names.iter().map(String::as_str);
    let kept: BTreeSet<&str> = kept.filter(|name| !removed.contains(name)).collect();
    if item.case.is_none() || kept.len() == names.len() {
        return Ok(());
    }
    record.keep(&kept);
    record.write(&suite.disk, &suite.baselines(), item.name)
}

/// Age at which a temporary file is no longer being written.
const OLD: Duration = Duration::from_secs(600);

/// Removes temporary files that killed runs left among the baselines of these cases, and returns how many there were.
pub(crate) fn sweep(suite: &Suite, cases: &[Case]) -> usize {
    let root = suite.baselines();
    let is_old = |entry: &walkdir::DirEntry| {
        let changed = entry.metadata().ok()?.modified().ok()?;
        Some(changed.elapsed().ok()? >= OLD)
    };
    let folders = cases.iter().map(|case| root.join(&case.name));
    let entries = folders.flat_map(|folder| WalkDir::new(folder).follow_root_links(false));
    let temporary = entries.flatten().filter(|entry| {
        let is_file = entry.file_type().is_file();
        is_file && output::is_temporary(entry.file_name()) && is_old(entry).unwrap_or(false)
    });
    temporary.filter(|entry| fs::remove_file(entry.path()).is_ok()).count()
}

/// Returns the PNG files and records in a folder and below, by their paths relative to `root`, with `/`.
///
/// # Errors
/// [`Failure::Running`] with the part that cannot be read. A missing folder has no files.
fn files(root: &Path, folder: &str) -> Result<Vec<String>, Failure> {
    let walk = WalkDir::new(root.join(folder)).follow_root_links(false);
    let mut files = Vec::new();
    for entry in walk.sort_by_file_name() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) if error.io_error().is_some_and(is_absent) => continue,
            Err(error) => {
                let path = error.path().unwrap_or(root).display().to_string();
                return Err(input::unreadable(&path, &io::Error::from(error).kind()));
            }
        };
        let inside = entry.path().strip_prefix(root).ok();
        let Some(inside) = inside.and_then(Path::to_str) else { continue };
        let inside = inside.replace('\\', "/");
        let is_ours = inside.ends_with(".png") || name_of(&inside) == RECORD;
        if is_ours && entry.file_type().is_file() {
            files.push(inside);
        }
    }
    Ok(files)
}

/// Returns a case's own files among those in its folder. Folders in it that have a record are cases too, perhaps of another suite.
fn own(files: Vec<String>, case: &str) -> Vec<String> {
    let record = |file: &String| Some(file.strip_suffix(RECORD)?.to_owned());
    let mut others: Vec<String> = files.iter().filter_map(record).collect();
    others.retain(|folder| folder.len() > case.len() + 1);
    let is_own = |file: &String| !others.iter().any(|folder| file.starts_with(folder));
    files.into_iter().filter(is_own).collect()
}

/// Returns the folders that contain a file, the innermost first, each with the file's path relative to it.
fn folders_of(file: &str) -> impl Iterator<Item = (&str, &str)> {
    let slashes = file.rmatch_indices('/');
    slashes.filter_map(|(at, _)| Some((file.get(..at)?, file.get(at.checked_add(1)?..)?)))
}

fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Returns true if a path below a case's folder is that of a baseline: `0003.png` or `walk/0003.png`.
fn is_picture(path: &str) -> bool {
    let digits = name_of(path).strip_suffix(".png").unwrap_or_default();
    let depth = path.matches('/').count();
    (4..=5).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit()) && depth <= 1
}

/// The records of baselines, each read once.
struct BaselineRecords<'a> {
    disk: &'a Disk,
    known: BTreeMap<String, Option<BaselineRecord>>,
}

impl BaselineRecords<'_> {
    fn of(&mut self, root: &Path, folder: &str) -> Option<&BaselineRecord> {
        let read = || BaselineRecord::read(self.disk, &root.join(folder)).ok().flatten();
        self.known.entry(folder.to_owned()).or_insert_with(read).as_ref()
    }

    /// Returns true if the record of a folder names a picture.
    fn knows(&mut self, root: &Path, folder: &str, picture: &str) -> bool {
        let record = self.of(root, folder);
        record.is_some_and(|record| record.frames.contains_key(picture))
    }

    /// Returns the folder of a baseline that belongs to no case, and its relative path: the nearest folder with a record, else the
    /// file's own. Returns `None` for files of other programs.
    fn home<'f>(&mut self, root: &Path, file: &'f str) -> Option<(&'f str, &'f str)> {
        if let Some(found) = folders_of(file).find(|(folder, _)| self.of(root, folder).is_some()) {
            let (folder, inside) = found;
            let ours = inside == RECORD || is_picture(inside) || self.knows(root, folder, inside);
            return ours.then_some(found);
        }
        let (folder, name) = file.rsplit_once('/')?;
        is_picture(name).then_some((folder, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_in_the_folder_of_a_case_has_its_own() {
        let there =
            "a/0000.png a/baseline.json a/fly/0001.png a/walk/0000.png a/walk/baseline.json";
        let all: Vec<String> = there.split(' ').map(str::to_owned).collect();
        assert_eq!(own(all.clone(), "a"), all[..3]);
        let walk = all.iter().filter(|file| file.starts_with("a/walk"));
        assert_eq!(own(walk.cloned().collect(), "a/walk"), all[3..]);
    }

    #[test]
    fn only_paths_of_baselines_are_ours() {
        for ours in ["0000.png", "65534.png", "walk/0003.png", "größe/0003.png"] {
            assert!(is_picture(ours), "{ours}");
        }
        let others = "000.png 000000.png 0000.PNG a.png 00a0.png a/b/0000.png 0000.png/x \
                      baseline.json +001.png";
        for other in others.split(' ') {
            assert!(!is_picture(other), "{other}");
        }
        let folders: Vec<_> = folders_of("a/b/c.png").collect();
        assert_eq!(folders, [("a/b", "c.png"), ("a", "b/c.png")]);
        assert_eq!(folders_of("c.png").count(), 0);
    }
}
