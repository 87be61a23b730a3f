//! The pictures of a folder, by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::args::FolderArgs;
use crate::atlas::{Atlas, Sprite};
use crate::bytes::Budget;
use crate::files::{Kind, Reading};
use crate::finding::quoted;
use crate::format::pct;
use crate::image::decode_straight;
use crate::packing::Picture;
use crate::run::disk::Role;
use crate::run::messages::Messages;
use crate::run::progress::progress;
use crate::run::walk::{Found, Walk};
use crate::run::{Disk, Failure, input};
use crate::text::{Natural, words};

/// Names that are listed.
const LISTED: usize = 10;

/// Pictures of a folder.
#[derive(Debug)]
pub(super) struct Pictures {
    /// In the order of their names.
    pub(super) pictures: Vec<Picture>,
    /// Names that were changed, and what they are now.
    pub(super) renamed: Vec<(String, String)>,
    /// Files and folders that were not read, with the reason.
    passed_over: Vec<(PathBuf, String)>,
    /// Number of files of other kinds.
    others: usize,
}

/// Reads the PNG files of a folder and those below it.
pub(super) fn find(
    folder: &Path,
    args: &FolderArgs,
    disk: &Disk,
    messages: &Messages,
) -> Result<Pictures, Failure> {
    let found = Walk::new(folder).run();
    let found = found.map_err(|error| input::unreadable(&input::name(folder), &error))?;
    let Found {
        files,
        dangling,
        mut passed_over,
    } = found;
    let dangling = dangling.into_iter();
    passed_over.extend(dangling.map(|path| (path, "is a link that leads nowhere".to_owned())));
    let count = files.len();
    let files: Vec<PathBuf> = files.into_iter().filter(|path| is_picture(path)).collect();
    let others = count.saturating_sub(files.len());
    if files.is_empty() {
        return Err(Failure::Usage(format!(
            "{}: there is no PNG file in it",
            folder.display()
        )));
    }
    let (files, renamed) = named(folder, files, args)?;
    Ok(Pictures {
        pictures: read(&files, args.trims(), disk, messages)?,
        renamed,
        passed_over,
        others,
    })
}

/// By its ending; hidden files are none.
fn is_picture(path: &Path) -> bool {
    let is_png = (path.extension()).is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    let name = path.file_name().unwrap_or_default();
    is_png && !name.as_encoded_bytes().starts_with(b".")
}

/// Files with the names of their sprites, and names that were changed.
type Named = (Vec<(String, PathBuf)>, Vec<(String, String)>);

/// Sorted by name. Names that an atlas cannot hold, or that two files have, are refused or, if that is asked for, changed.
fn named(folder: &Path, files: Vec<PathBuf>, args: &FolderArgs) -> Result<Named, Failure> {
    let mut problems = Vec::new();
    let mut refuse = |path: &Path, reason: &str| {
        let path = path.strip_prefix(folder).unwrap_or(path);
        problems.push(format!("{} {reason}", quoted(&path.to_string_lossy())));
    };
    let mut named: Vec<(String, PathBuf)> = Vec::with_capacity(files.len());
    for path in files {
        let name = name(folder, &path, args.keep_endings);
        if name.contains('\u{fffd}') && !args.safe_names {
            refuse(&path, "has a name that is not Unicode");
        }
        named.push((name, path));
    }
    named.sort_by_cached_key(|(name, path)| (Natural::new(name), path.clone()));

    let mut atlas = Atlas::default();
    let mut twice: BTreeMap<String, String> = BTreeMap::new();
    for (name, path) in &mut named {
        if atlas.sprites.get(name).is_some() {
            if !args.safe_names {
                refuse(
                    path,
                    &format!("gets the name {}, as another does", quoted(name)),
                );
                continue;
            }
            let numbered = (2_u64..).map(|number| format!("{name}_{number}"));
            let mut free = numbered.filter(|other| atlas.sprites.get(other).is_none());
            let other = free.next().unwrap_or_default();
            twice.insert(other.clone(), std::mem::replace(name, other));
        }
        if let Some(reason) = pct::unwritable_name(name)
            && !args.safe_names
        {
            refuse(path, reason);
        }
        atlas.sprites.insert(name, Sprite::default());
    }
    if let [first, rest @ ..] = problems.as_slice() {
        let rest: String = rest
            .iter()
            .take(LISTED)
            .map(|name| format!("; {name}"))
            .collect();
        let more = match problems.len().saturating_sub(LISTED + 1) {
            0 => String::new(),
            more => format!("; and {} more", words::number(more as u64)),
        };
        return Err(Failure::Rejected(format!(
            "{}: names that an atlas cannot hold: {first}{rest}{more}; --safe-names gives other names",
            folder.display()
        )));
    }
    let mut renamed: Vec<(String, String)> =
        twice.into_iter().map(|(new, old)| (old, new)).collect();
    renamed.extend(pct::safe_names(&mut atlas));
    let names = atlas.sprites.names().map(str::to_owned);
    let paths = named.into_iter().map(|(_, path)| path);
    Ok((names.zip(paths).collect(), renamed))
}

/// The path below the folder with `/`, without the ending unless that is kept.
fn name(folder: &Path, path: &Path, keep_ending: bool) -> String {
    let path = path.strip_prefix(folder).unwrap_or(path);
    let path = match keep_ending {
        true => path.to_owned(),
        false => path.with_extension(""),
    };
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// Reads, decodes and trims the files, on all threads; the first that cannot be read is told.
fn read(
    files: &[(String, PathBuf)],
    trims: bool,
    disk: &Disk,
    messages: &Messages,
) -> Result<Vec<Picture>, Failure> {
    let bar = progress(files.len(), messages);
    let kept = Budget::default();
    let one = |(name, path): &(String, PathBuf)| {
        let unreadable =
            |error: &dyn std::fmt::Display| input::unreadable(&input::name(path), error);
        let bytes = disk.read(Reading::of(path, Kind::Picture), Role::Input);
        let bytes = bytes.map_err(|error| unreadable(&error))?;
        let pixels = decode_straight(&bytes, &Budget::default());
        let pixels = pixels.map_err(|error| unreadable(&error))?;
        let picture = match trims {
            true => Picture::trimmed(name.as_str(), pixels),
            false => Picture::whole(name.as_str(), pixels),
        };
        let taken = kept.take(picture.bytes(), 1);
        taken.map_err(|error| unreadable(&error))?;
        bar.inc(1);
        Ok(picture)
    };
    let read: Vec<Result<Picture, Failure>> = files.par_iter().map(one).collect();
    bar.finish_and_clear();
    read.into_iter().collect()
}

impl Pictures {
    /// Names that were changed, and what was passed over.
    pub(super) fn warnings(&self, folder: &Path) -> Vec<String> {
        let folder = folder.display();
        let renamed = self.renamed.iter().take(LISTED).map(|(old, new)| {
            let (old, new) = (quoted(old), quoted(new));
            format!("{folder}: sprite {old} is called {new}")
        });
        let more = self.renamed.len().saturating_sub(LISTED);
        let more = (more > 0).then(|| {
            let more = words::count(more as u64, "more sprite has", "more sprites have");
            format!("{folder}: {more} another name")
        });
        let passed_over = self.passed_over.iter().map(|(path, reason)| {
            let path = path.display();
            format!("{path} was passed over: {reason}")
        });
        renamed.chain(more).chain(passed_over).collect()
    }

    /// Says so.
    pub(super) fn say(&self, folder: &Path, messages: &Messages) {
        for warning in self.warnings(folder) {
            messages.warning(&warning);
        }
        if self.others > 0 {
            let folder = folder.display();
            let others = words::count(self.others as u64, "file", "files");
            messages.note(&format!(
                "{folder}: {others} of other kinds, or hidden, not packed"
            ));
        }
    }
}
