//! The list of files: opened files become the list once one can be shown.

use std::path::PathBuf;

use pchr::finding::counted;
use pchr_tools::files::Companions;

use super::{Request, State};
use crate::viewer::action::Message;
use crate::viewer::loaded::{ListId, Listing, Source, is_input};

/// A list whose first file is being opened. Until it is loaded, the open file and its list stay.
#[derive(Debug)]
pub(super) struct Next {
    listing: Listing,
    /// Files and folders that it was asked for with.
    of: Vec<PathBuf>,
    /// Index of the file that was asked for, if the list has it.
    asked: Option<usize>,
    /// Number of files that were named, without neighbours.
    named: usize,
    is_of_folder: bool,
    pub(super) companions: Companions,
}

/// Reason why a file is requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Arrival {
    /// It is opened, as if for the first time.
    #[default]
    Opened,
    /// It was chosen in the list.
    Chosen,
    /// It is next to the one before.
    Walked,
}

impl State {
    pub(super) fn open_list(&mut self, paths: Vec<PathBuf>) {
        self.files.dropped_motions.clear();
        if !paths.is_empty() {
            self.question = None;
            self.request_list(paths);
        }
    }

    pub(super) fn request_list(&mut self, paths: Vec<PathBuf>) {
        let id = ListId(self.files.listing.0.0.wrapping_add(1));
        self.files.listing = (id, false);
        self.files.list_asked.clone_from(&paths);
        self.requests.push(Request::List(id, paths));
    }

    /// Notes the files and folders named on the command line, so that they can be listed again.
    pub(crate) fn list_is_of(&mut self, named: Vec<PathBuf>) {
        self.files.list_of = named;
        self.note_list();
    }

    /// Notes what the list is of, for *Reopen last files*.
    fn note_list(&mut self) {
        let files = &mut self.files;
        let [now, before] = &mut files.last;
        if !files.list_of.is_empty()
            && files.list_of != *now
            && !files.list_of.iter().any(|path| is_input(path))
        {
            let left = std::mem::replace(now, files.list_of.clone());
            if !left.is_empty() {
                *before = left;
            }
        }
    }

    /// Lists the files again: some may have been added or removed.
    pub(super) fn list_again(&mut self) {
        let files = &self.files;
        let on_show = files.shown.and_then(|shown| files.list.get(shown));
        let paths = match (files.list_of.as_slice(), on_show) {
            ([], _) => return,
            // The file that was named may be gone.
            ([one], Some(on_show)) if one.parent() == on_show.parent() => vec![on_show.clone()],
            (list_of, _) => list_of.to_vec(),
        };
        if files.next.is_none() {
            self.request_list(paths);
            self.files.listing.1 = true;
        }
    }

    /// A list comes once with the files that were named, and where that is a single one again with its neighbours.
    pub(super) fn listed(&mut self, mut listing: Listing) {
        let named = listing.files.get(listing.chosen).cloned();
        let skeleton = Self::skeleton_of_list(&mut listing);
        let Some(path) = listing.files.get(listing.chosen).cloned() else {
            return;
        };
        if std::mem::replace(&mut self.files.listing.1, true) {
            let asked = (named == Some(path)).then_some(listing.chosen);
            return self.neighbours(listing, asked);
        }
        if let Some(text) = unread(&listing.unread).or_else(|| skipped(&listing.skipped)) {
            self.said = Some(Message::new(text));
        }
        let mut companions = self.fresh_companions();
        companions.skeleton = skeleton.or(companions.skeleton);
        self.files.next = Some(Next {
            named: listing.files.len(),
            is_of_folder: listing.is_of_folder,
            of: self.files.list_asked.clone(),
            asked: Some(listing.chosen),
            listing,
            companions,
        });
        self.request(Source::File(path), false);
    }

    /// Takes a list that has the neighbours of the file that was named, which may be `asked` of them, or a skeleton beside them.
    fn neighbours(&mut self, listing: Listing, asked: Option<usize>) {
        let files = &mut self.files;
        if let Some(next) = &mut files.next {
            next.listing = listing;
            next.asked = asked;
            return;
        }
        let on_show = files.shown.and_then(|shown| files.list.get(shown));
        let place = |path: &PathBuf| listing.files.iter().position(|file| file == path);
        files.shown = on_show.and_then(place);
        files.asked = files.shown.or(asked);
        files.list = listing.files;
    }

    /// The file of a list that was asked for is there, or none of the list before is shown.
    pub(super) fn take_next(&mut self) {
        if let Some(next) = self.files.next.take() {
            self.files.asked = next.asked;
            self.files.list_of = next.of;
            self.note_list();
            self.files.skeletons.clear();
            self.files.list = next.listing.files;
            self.looking.motion_filter.clear();
            self.files.shown = None;
            self.files.companions = next.companions;
            self.gallery.returns = false;
            if next.is_of_folder && self.files.list.len() > 1 {
                self.open_gallery();
                self.gallery.is_beginning = true;
            }
        }
    }

    /// The first file of a list cannot be shown: a single one leaves the list as it is, and several can be walked through.
    pub(super) fn refuse_next(&mut self) {
        let named = self.files.next.as_ref().map_or(0, |next| next.named);
        if named > 1 || self.model.is_none() {
            self.take_next();
        }
    }

    pub(super) fn show_file(&mut self, index: usize, arrival: Arrival) {
        if let Some(path) = self.files.list.get(index).cloned() {
            self.files.next = None;
            self.files.asked = Some(index);
            self.forget_question();
            self.ask(Source::File(path), false, arrival);
        }
    }

    /// Shows a neighbour in the list.
    pub(super) fn walk(&mut self, by: isize) {
        if let Some(to) = self.files.place(by) {
            self.show_file(to, Arrival::Walked);
        }
    }

    /// Drops a question about the open file, because another one is shown.
    pub(super) fn forget_question(&mut self) {
        self.question.take_if(|question| question.of_file);
    }
}

/// Returns a message about folders whose files are missing from a list.
fn unread(folders: &[PathBuf]) -> Option<String> {
    let [first, others @ ..] = folders else {
        return None;
    };
    let more = match others.len() {
        0 => String::new(),
        more => format!(" and {}", counted(more, "other folder", "other folders")),
    };
    let first = first.display();
    Some(format!("{first}{more} cannot be read: files may be missing from the list"))
}

/// Returns a message about files of a list that are not shown.
fn skipped(files: &[PathBuf]) -> Option<String> {
    let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
    match files {
        [] => None,
        [one] => Some(format!("{} cannot be opened by itself: skipped", name(one)?)),
        [first, others @ ..] => Some(format!(
            "{} and {} cannot be opened by themselves: skipped",
            name(first)?,
            counted(others.len(), "other file", "other files")
        )),
    }
}
