//! The pictures of a folder, by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use pchr::bytes::Budget;
use pchr::finding::quoted;
use pchr::image::{ImageError, decode_straight, png_is_animated};
use pchr_foreign::atlas::{Atlas, Sprite};
use pchr_foreign::format::pct;
use pchr_foreign::packing::Picture;

use super::FolderArgs;
use crate::files::{Folder, Kind, ReadError, Reading};
use crate::run::disk::Role;
use crate::run::messages::{Messages, progress};
use crate::run::walk::{CIRCLE, FoundFiles};
use crate::run::{Disk, Failure, input};
use crate::text::{Natural, words};

/// Pictures of a folder.
#[derive(Debug)]
pub(super) struct PackedPictures {
    /// In the order of their names.
    pub(super) pictures: Vec<Picture>,
    /// Changed names, old and new.
    pub(super) renamed: Vec<(String, String)>,
    /// Animated files; only their first frame is packed.
    animated: Vec<String>,
    /// Pages of atlases in the folder, which are not packed, each with the atlas.
    pages: Vec<(PathBuf, PathBuf)>,
    /// Links to folders that contain them, which were not followed.
    circles: Vec<PathBuf>,
    /// Number of files of other kinds.
    others: usize,
}

/// Reads the PNG files of a folder and those below it.
pub(super) fn find(
    folder: &Path,
    args: &FolderArgs,
    disk: &Disk,
    messages: &Messages,
) -> Result<PackedPictures, Failure> {
    let found = FoundFiles::of(folder, usize::MAX);
    let found = found.map_err(|error| input::unreadable(&input::name(folder), &error))?;
    if let Some((path, why)) = found.first_unread() {
        return Err(input::unreadable(&input::name(path), &why));
    }
    let FoundFiles { files, circles, .. } = found;
    let count = files.len();
    let mut pages = pages(&files)?;
    let is_page = |path: &PathBuf| pages.iter().any(|(page, _)| page == path);
    let (pages_there, files): (Vec<_>, Vec<_>) =
        files.into_iter().filter(|path| is_picture(path)).partition(is_page);
    let others = count.saturating_sub(files.len() + pages_there.len());
    pages.retain(|(page, _)| pages_there.contains(page));
    if files.is_empty() {
        let but = if pages.is_empty() { "" } else { " other than pages of atlases" };
        return Err(Failure::Usage(format!(
            "{}: no PNG files in this folder{but}",
            folder.display()
        )));
    }
    let (files, renamed) = named(folder, files, args)?;
    let (pictures, animated) = read(folder, &files, !args.no_trim, disk, messages)?;
    Ok(PackedPictures { pictures, renamed, animated, pages, circles, others })
}

/// Images that PCT files among `files` name as their pages, each with the first that does.
///
/// # Errors
/// [`Failure::Running`] if a PCT file cannot be read: its pages would be packed as sprites.
fn pages(files: &[PathBuf]) -> Result<Vec<(PathBuf, PathBuf)>, Failure> {
    let mut pages: Vec<(PathBuf, PathBuf)> = Vec::new();
    let is_pct = |path: &&PathBuf| ends_in(path, "pct");
    for text in files.iter().filter(is_pct) {
        let bytes = match Reading::of(text, Kind::Document).run() {
            Err(error @ ReadError::Io(_)) => {
                return Err(input::unreadable(&input::name(text), &error));
            }
            Err(_) => continue, // no atlas
            Ok(bytes) => bytes,
        };
        let read = pct::read(&bytes);
        for page in read.map_or_else(|_| Vec::new(), |(atlas, _)| atlas.pages) {
            let place = Folder::of(text, false).place(&page.file);
            let place = place.ok().filter(|place| pages.iter().all(|(page, _)| page != place));
            pages.extend(place.map(|place| (place, text.clone())));
        }
    }
    Ok(pages)
}

/// Returns true for a PNG file, by its extension; hidden files are skipped.
fn is_picture(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    ends_in(path, "png") && !name.as_encoded_bytes().starts_with(b".")
}

fn ends_in(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|there| there.eq_ignore_ascii_case(ending))
}

/// Files with the names of their sprites, and names that were changed.
type NamedPictures = (Vec<(String, PathBuf)>, Vec<(String, String)>);

/// Sorted by name. Names that an atlas cannot hold, or that two files share, are refused, or changed on request.
fn named(folder: &Path, files: Vec<PathBuf>, args: &FolderArgs) -> Result<NamedPictures, Failure> {
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
                refuse(path, &format!("would get the name {}, which is taken", quoted(name)));
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
    if !problems.is_empty() {
        let (folder, listed) = (folder.display(), words::listed(problems.iter(), problems.len()));
        return Err(Failure::Rejected(format!(
            "{folder}: names that an atlas cannot hold: {listed}; rename these with --safe-names"
        )));
    }
    let mut renamed: Vec<(String, String)> =
        twice.into_iter().map(|(new, old)| (old, new)).collect();
    renamed.extend(pct::safe_names(&mut atlas));
    let names = atlas.sprites.names().map(str::to_owned);
    let paths = named.into_iter().map(|(_, path)| path);
    Ok((names.zip(paths).collect(), renamed))
}

/// The path below the folder with `/`, without the extension unless that is kept.
fn name(folder: &Path, path: &Path, keep_ending: bool) -> String {
    let path = path.strip_prefix(folder).unwrap_or(path);
    let path = if keep_ending { path.to_owned() } else { path.with_extension("") };
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// Reads, decodes and trims the files, on all threads; reports the first that cannot be read, and all that do not decode. Also
/// returns the names of files that have more than one picture.
fn read(
    folder: &Path,
    files: &[(String, PathBuf)],
    trims: bool,
    disk: &Disk,
    messages: &Messages,
) -> Result<(Vec<Picture>, Vec<String>), Failure> {
    let bar = progress(files.len(), messages);
    let kept = Budget::default();
    let one = |(name, path): &(String, PathBuf)| {
        let unreadable =
            |error: &dyn std::fmt::Display| input::unreadable(&input::name(path), error);
        let bytes = disk.read(Reading::of(path, Kind::Picture), Role::Input);
        let bytes = bytes.map_err(|error| unreadable(&error))?;
        let pixels = match decode_straight(&bytes, &Budget::default()) {
            Ok(pixels) => pixels,
            Err(error @ ImageError::Budget(_)) => return Err(unreadable(&error)),
            Err(error) => return Ok(Err(error)),
        };
        let picture = match trims {
            true => Picture::trimmed(name.as_str(), pixels),
            false => Picture::whole(name.as_str(), pixels),
        };
        kept.take(picture.bytes(), 1).map_err(|error| unreadable(&error))?;
        bar.inc(1);
        Ok(Ok((picture, png_is_animated(&bytes))))
    };
    let read: Vec<Result<_, Failure>> = files.par_iter().map(one).collect();
    bar.finish_and_clear();
    let read: Vec<Result<_, ImageError>> = read.into_iter().collect::<Result<_, _>>()?;
    let (mut pictures, mut animated, mut broken) = (Vec::new(), Vec::new(), Vec::new());
    for ((_, path), read) in files.iter().zip(read) {
        let inside = path.strip_prefix(folder).unwrap_or(path);
        let inside = quoted(&inside.to_string_lossy()).to_string();
        match read {
            Ok((picture, more)) => {
                pictures.push(picture);
                animated.extend(more.then_some(inside));
            }
            Err(error) => broken.push(format!("{inside}: {error}")),
        }
    }
    if broken.is_empty() {
        return Ok((pictures, animated));
    }
    let listed = words::listed(broken.iter(), broken.len());
    Err(Failure::Rejected(format!("{}: {listed}", folder.display())))
}

impl PackedPictures {
    /// Changed names, and skipped files.
    pub(super) fn warnings(&self, folder: &Path) -> Vec<String> {
        let folder = folder.display();
        let mut warnings = words::each(&self.renamed, |(old, new)| {
            let (old, new) = (quoted(old), quoted(new));
            format!("{folder}: sprite {old} is now named {new}")
        });
        if !self.animated.is_empty() {
            let animated = words::listed(self.animated.iter(), self.animated.len());
            warnings.push(format!(
                "{folder}: only the first frame of animated PNG files is packed: {animated}"
            ));
        }
        let circles = self.circles.iter();
        warnings.extend(circles.map(|path| format!("{} was skipped: {CIRCLE}", path.display())));
        warnings
    }

    pub(super) fn say(&self, folder: &Path, messages: &Messages) {
        for warning in self.warnings(folder) {
            messages.warning(&warning);
        }
        let pages = words::each(&self.pages, |(page, text)| {
            let (page, text) = (page.display(), text.display());
            format!("{page} was skipped: it is a page of {text}")
        });
        pages.iter().for_each(|text| messages.note(text));
        if self.others > 0 {
            let folder = folder.display();
            let one = "file that is hidden or of another type";
            let others = words::count(self.others, one, "files that are hidden or of other types");
            messages.note(&format!("{folder}: skipped {others}"));
        }
    }
}
