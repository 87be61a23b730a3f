//! The gallery: files of the list as thumbnails, in an order, filtered, and one of them selected.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::ColorImage;

use pchr_tools::text::{slashed, visible};
use pchr_tools::thumbnail::{Facts, FileVersion};

/// Tells the galleries of a window apart; later ones are larger. Answers to an earlier one are ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GalleryId(pub u64);

/// Order of the files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum GallerySort {
    /// That of the list.
    #[default]
    Name,
    /// The newest first.
    Date,
    /// The largest first.
    Size,
    /// Those with the most bones first.
    Bones,
}

impl GallerySort {
    pub(crate) const ALL: [Self; 4] = [Self::Name, Self::Date, Self::Size, Self::Bones];

    /// Returns the label.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Name => "Name",
            Self::Date => "Date",
            Self::Size => "Size",
            Self::Bones => "Bones",
        }
    }
}

/// Files that are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct GalleryFilter {
    /// Words of their names.
    pub query: String,
    /// Kind of content; `None` for all.
    pub kind: Option<String>,
    /// True for those with warnings, and those that cannot be shown.
    pub warned: bool,
}

/// A file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GalleryFile {
    pub path: PathBuf,
    /// Name on screen.
    pub name: String,
    /// Name and folders within the gallery, in lower case.
    searched: String,
    /// Its state when it was last looked at.
    pub version: Option<FileVersion>,
    /// Facts about it, or the reason why it cannot be shown; `None` while they are not known.
    pub facts: Option<Result<Facts, String>>,
    /// Its thumbnail, if it is in sight or near.
    pub picture: Option<Arc<ColorImage>>,
}

impl GalleryFile {
    /// Returns true for a file that has warnings or cannot be shown.
    pub(crate) fn is_warned(&self) -> bool {
        let facts = self.facts.as_ref();
        facts.is_some_and(|facts| facts.as_ref().map_or(true, |facts| facts.warnings > 0))
    }

    fn known(&self) -> Option<&Facts> {
        self.facts.as_ref()?.as_ref().ok()
    }
}

/// What a thread found out about a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sketch {
    /// Index of the file.
    pub file: usize,
    pub version: Option<FileVersion>,
    pub facts: Result<Facts, String>,
    /// The thumbnail, if it is in sight or near.
    pub picture: Option<Arc<ColorImage>>,
}

/// The gallery.
#[derive(Debug, Default)]
pub(crate) struct Gallery {
    pub is_open: bool,
    /// True if Escape leads back: the file that is shown was opened here.
    pub returns: bool,
    /// True if it opened by itself, with the files of a folder: the file behind it was not chosen.
    pub is_beginning: bool,
    pub id: GalleryId,
    pub files: Vec<GalleryFile>,
    /// Their paths, for threads.
    pub paths: Arc<[PathBuf]>,
    /// Indices of the files that pass the filter, in their order.
    pub shown: Vec<usize>,
    /// Index of the selected file.
    pub selected: Option<usize>,
    pub sort: GallerySort,
    pub filter: GalleryFilter,
    /// Places in `shown` that are in sight.
    pub sight: Range<usize>,
    /// Width and height of thumbnails in screen pixels.
    pub side: u32,
    /// The file under the pointer, and its picture while it plays.
    pub pointed: Option<usize>,
    pub playing: Option<Arc<ColorImage>>,
}

impl Gallery {
    /// Takes the files of a list. What is known of them stays.
    pub(crate) fn take(&mut self, list: &[PathBuf], folder: Option<&Path>) {
        let selected =
            self.selected.and_then(|at| self.files.get(at)).map(|file| file.path.clone());
        let known: BTreeMap<PathBuf, GalleryFile> =
            self.files.drain(..).map(|file| (file.path.clone(), file)).collect();
        let file = |path: &PathBuf| match known.get(path) {
            Some(known) => known.clone(),
            None => {
                let inside = folder.and_then(|folder| path.strip_prefix(folder).ok());
                let name = path.file_name().unwrap_or(path.as_os_str());
                GalleryFile {
                    path: path.clone(),
                    name: visible(&name.to_string_lossy()).into_owned(),
                    searched: slashed(inside.unwrap_or(Path::new(name))).to_lowercase(),
                    version: None,
                    facts: None,
                    picture: None,
                }
            }
        };
        self.files = list.iter().map(file).collect();
        self.paths = list.into();
        self.selected = selected.and_then(|path| self.place(&path));
        self.pointed = None;
        self.playing = None;
        self.arrange();
    }

    /// Returns the index of a file.
    pub(crate) fn place(&self, path: &Path) -> Option<usize> {
        self.files.iter().position(|file| file.path == path)
    }

    /// Returns the kinds of the files, in alphabetical order.
    pub(crate) fn kinds(&self) -> BTreeSet<&str> {
        self.files.iter().filter_map(|file| Some(file.known()?.kind.as_str())).collect()
    }

    /// Number of files that were looked at.
    pub(crate) fn known(&self) -> usize {
        self.files.iter().filter(|file| file.facts.is_some()).count()
    }

    /// Filters and sorts the files again.
    pub(crate) fn arrange(&mut self) {
        let query = self.filter.query.to_lowercase();
        let words: Vec<&str> = query.split_whitespace().collect();
        let passes = |file: &GalleryFile| {
            let kind = self.filter.kind.as_deref();
            let is_of_kind =
                kind.is_none_or(|kind| file.known().is_some_and(|facts| facts.kind == kind));
            let is_named = words.iter().all(|word| file.searched.contains(word));
            is_of_kind && is_named && (!self.filter.warned || file.is_warned())
        };
        let indexed = self.files.iter().enumerate();
        let passing = indexed.filter(|(_, file)| passes(file));
        let size = |file: &GalleryFile| match self.sort {
            GallerySort::Name => 0,
            GallerySort::Date => file.version.map_or(0, |version| version.secs),
            GallerySort::Size => file.version.map_or(0, |version| version.bytes),
            GallerySort::Bones => file.known().map_or(0, |facts| facts.bones as u64),
        };
        let mut shown: Vec<_> =
            passing.map(|(index, file)| (std::cmp::Reverse(size(file)), index)).collect();
        shown.sort_unstable();
        self.shown = shown.into_iter().map(|(_, index)| index).collect();
    }

    /// Takes the states of the files. A file in another state is looked at again. Returns true if there is one.
    pub(crate) fn look_again(&mut self, versions: Vec<Option<FileVersion>>) -> bool {
        let mut is_changed = false;
        for (file, version) in self.files.iter_mut().zip(versions) {
            let before = std::mem::replace(&mut file.version, version);
            if file.facts.is_some() && before != version {
                (file.facts, file.picture) = (None, None);
                is_changed = true;
            }
        }
        is_changed
    }

    /// Returns the place of the selected file among those that are shown.
    pub(crate) fn selected_place(&self) -> Option<usize> {
        let selected = self.selected?;
        self.shown.iter().position(|index| *index == selected)
    }

    /// Returns true if the order or the filter depends on facts.
    pub(crate) fn depends_on_facts(&self) -> bool {
        self.sort == GallerySort::Bones || self.filter.kind.is_some() || self.filter.warned
    }

    /// Returns the files in sight, then those near, each once.
    pub(crate) fn near(&self) -> Vec<usize> {
        let Range { start, end } = self.sight;
        let margin = end.saturating_sub(start);
        let ranges =
            [start..end, end..end.saturating_add(margin), start.saturating_sub(margin)..start];
        let count = self.shown.len();
        let part = |range: Range<usize>| range.start.min(count)..range.end.min(count);
        let parts = ranges.into_iter().filter_map(|range| self.shown.get(part(range)));
        parts.flatten().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gallery() -> Gallery {
        let mut gallery = Gallery::default();
        let paths =
            ["/art/a/Hero.pchr", "/art/b/tree.pct", "/art/b/villain.pchr", "/art/c/cut.pchr"];
        gallery.take(&paths.map(PathBuf::from), Some(Path::new("/art")));
        let facts = |kind: &str, bones, warnings| {
            Some(Ok(Facts { kind: kind.to_owned(), bones, warnings }))
        };
        let known = [
            (facts("Characters", 5, 0), FileVersion { secs: 1, bytes: 30 }),
            (facts("Texture atlases", 0, 2), FileVersion { secs: 3, bytes: 10 }),
            (facts("Characters", 9, 0), FileVersion { secs: 2, bytes: 20 }),
            (Some(Err("cut off".to_owned())), FileVersion { secs: 0, bytes: 5 }),
        ];
        for (file, (facts, version)) in gallery.files.iter_mut().zip(known) {
            (file.facts, file.version) = (facts, Some(version));
        }
        gallery
    }

    #[test]
    fn files_are_sorted_and_filtered() {
        let mut gallery = gallery();
        for (sort, order) in [
            (GallerySort::Name, [0, 1, 2, 3]),
            (GallerySort::Date, [1, 2, 0, 3]),
            (GallerySort::Size, [0, 2, 1, 3]),
            (GallerySort::Bones, [2, 0, 1, 3]),
        ] {
            gallery.sort = sort;
            gallery.arrange();
            assert_eq!(gallery.shown, order, "{sort:?}");
        }
        gallery.sort = GallerySort::Name;
        let mut filtered = |query: &str, kind: Option<&str>, warned| {
            let (query, kind) = (query.to_owned(), kind.map(str::to_owned));
            gallery.filter = GalleryFilter { query, kind, warned };
            gallery.arrange();
            gallery.shown.clone()
        };
        assert_eq!(filtered("HERO", None, false), [0]);
        assert_eq!(filtered("b/ il", None, false), [2], "folders and every word");
        assert_eq!(filtered("", Some("Characters"), false), [0, 2]);
        assert_eq!(filtered("", None, true), [1, 3]);
        assert!(gallery.kinds().into_iter().eq(["Characters", "Texture atlases"]));
    }

    #[test]
    fn another_list_keeps_what_is_known_and_the_selection() {
        let mut gallery = gallery();
        gallery.selected = Some(2);
        let paths = ["/art/b/villain.pchr", "/art/new.pchr"].map(PathBuf::from);
        gallery.take(&paths, Some(Path::new("/art")));
        assert_eq!((gallery.selected, gallery.selected_place()), (Some(0), Some(0)));
        assert!(gallery.files.iter().map(|file| file.facts.is_some()).eq([true, false]));
        gallery.take(&paths[1..], None);
        assert_eq!(gallery.selected, None);
    }

    #[test]
    fn files_in_sight_come_before_those_near() {
        let mut gallery = Gallery::default();
        let paths: Vec<PathBuf> = (0..10).map(|i| format!("{i}.pchr").into()).collect();
        gallery.take(&paths, None);
        gallery.sight = 4..6;
        assert_eq!(gallery.near(), [4, 5, 6, 7, 2, 3]);
        gallery.sight = 9..12;
        assert_eq!(gallery.near(), [9, 6, 7, 8]);
    }
}
