//! The gallery: opening and leaving it, its order and filter, and which thumbnails it asks for.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::list_and_visited::Arrival;
use super::{Request, State};
use crate::viewer::action::GalleryAction;
use crate::viewer::gallery::{Gallery, GalleryId, GallerySort, Sketch};

impl State {
    pub(crate) fn gallery(&self) -> &Gallery {
        &self.gallery
    }

    pub(super) fn toggle_gallery(&mut self) {
        if self.gallery.is_open { self.leave_gallery(false) } else { self.open_gallery() }
    }

    /// Shows the files of the list. What was selected, filtered and in sight is so again.
    pub(super) fn open_gallery(&mut self) {
        self.gallery.is_open = true;
        self.gallery.returns = false;
        self.gallery.is_beginning = self.model.is_none();
        self.take_list();
        if self.gallery.selected.is_none() {
            let on_show = self.files.shown.or(self.files.asked);
            self.gallery.selected = on_show.filter(|at| *at < self.gallery.files.len());
        }
    }

    /// Shows the file behind the gallery, whose work ends. `returns` is true if Escape comes back.
    pub(super) fn leave_gallery(&mut self, returns: bool) {
        let gallery = &mut self.gallery;
        (gallery.is_open, gallery.returns) = (false, returns);
        (gallery.pointed, gallery.playing) = (None, None);
        self.requests.push(Request::Play(None));
        self.requests.push(Request::Thumbnails {
            id: gallery.id,
            side: 0,
            files: Arc::default(),
            first: Vec::new(),
        });
    }

    /// Takes the list of files if it is another one than before, while the gallery shows it.
    pub(super) fn follow_list(&mut self) {
        let gallery = &self.gallery;
        let list = self.files.list.iter();
        if gallery.is_open && !gallery.files.iter().map(|file| &file.path).eq(list) {
            self.take_list();
        }
    }

    fn take_list(&mut self) {
        let folder = match self.files.list_of.as_slice() {
            [folder] => Some(folder.as_path()),
            _ => None,
        };
        self.gallery.take(&self.files.list, folder);
        self.gallery.id = GalleryId(self.gallery.id.0.wrapping_add(1));
        self.ask_thumbnails();
    }

    /// Asks for the thumbnails in sight and near, and for facts about all other files. Those far away are forgotten.
    fn ask_thumbnails(&mut self) {
        let gallery = &mut self.gallery;
        if gallery.side == 0 {
            return; // not laid out yet
        }
        let near = gallery.near();
        let is_near: BTreeSet<usize> = near.iter().copied().collect();
        for (index, file) in gallery.files.iter_mut().enumerate() {
            file.picture.take_if(|_| !is_near.contains(&index));
        }
        let is_missing = |index: &usize| {
            let file = gallery.files.get(*index);
            file.is_some_and(|file| file.picture.is_none() && !matches!(file.facts, Some(Err(_))))
        };
        self.requests.push(Request::Thumbnails {
            id: gallery.id,
            side: gallery.side,
            files: Arc::clone(&gallery.paths),
            first: near.into_iter().filter(is_missing).collect(),
        });
    }

    /// Filters and sorts again, and shows the beginning.
    fn arrange_gallery(&mut self) {
        let gallery = &mut self.gallery;
        gallery.arrange();
        if gallery.selected_place().is_none() {
            gallery.selected = gallery.shown.first().copied();
        }
        self.ask_thumbnails();
    }

    pub(super) fn on_gallery(&mut self, action: GalleryAction) {
        let gallery = &mut self.gallery;
        match action {
            GalleryAction::Sort(sort) => gallery.sort = sort,
            GalleryAction::NextSort => {
                let all = GallerySort::ALL.into_iter();
                let next = all.skip_while(|sort| *sort != gallery.sort).nth(1);
                gallery.sort = next.unwrap_or_default();
            }
            GalleryAction::Kind(kind) => gallery.filter.kind = kind,
            GalleryAction::NextKind => {
                let kinds = gallery.kinds();
                let is_next =
                    |kind: &&str| gallery.filter.kind.as_deref().is_none_or(|of| *kind > of);
                let next = kinds.iter().copied().find(is_next).map(str::to_owned);
                gallery.filter.kind = next;
            }
            GalleryAction::ToggleWarned => gallery.filter.warned = !gallery.filter.warned,
            GalleryAction::Query(query) => gallery.filter.query = query,
            GalleryAction::Select(file) => return gallery.selected = Some(file),
            GalleryAction::Open(file) => return self.open_from_gallery(file),
            GalleryAction::Sight(sight, side) => {
                if gallery.side != side {
                    gallery.files.iter_mut().for_each(|file| file.picture = None);
                    gallery.id = GalleryId(gallery.id.0.wrapping_add(1));
                }
                (gallery.sight, gallery.side) = (sight, side);
                return self.ask_thumbnails();
            }
            GalleryAction::Point(file) => {
                (gallery.pointed, gallery.playing) = (file, None);
                let path = file.and_then(|file| gallery.files.get(file));
                let path = path.filter(|file| !matches!(file.facts, Some(Err(_))));
                let play = path.map(|file| (gallery.id, file.path.clone(), gallery.side));
                return self.requests.push(Request::Play(play));
            }
            GalleryAction::Playing(id, path, picture) => {
                let pointed = gallery.pointed.and_then(|file| gallery.files.get(file));
                if id == gallery.id && pointed.is_some_and(|file| file.path == path) {
                    gallery.playing = Some(picture);
                }
                return;
            }
            GalleryAction::Versions(id, versions) if id == gallery.id => {
                let is_changed = gallery.look_again(versions);
                if is_changed || matches!(gallery.sort, GallerySort::Date | GallerySort::Size) {
                    gallery.arrange();
                    self.ask_thumbnails();
                }
                return;
            }
            GalleryAction::Drawn(id, sketches) if id == gallery.id => return self.drawn(sketches),
            GalleryAction::Versions(..) | GalleryAction::Drawn(..) => return, // of an earlier gallery
        }
        self.arrange_gallery();
    }

    fn drawn(&mut self, sketches: Vec<Sketch>) {
        let gallery = &mut self.gallery;
        for Sketch { file, version, facts, picture } in sketches {
            if let Some(file) = gallery.files.get_mut(file) {
                file.version = version;
                file.facts = Some(facts);
                file.picture = picture.or(file.picture.take());
            }
        }
        if gallery.depends_on_facts() {
            gallery.arrange();
            self.ask_thumbnails();
        }
    }

    fn open_from_gallery(&mut self, file: usize) {
        let path = self.gallery.files.get(file).map(|file| file.path.clone());
        let Some(path) = path else { return };
        let is_it = |listed: &PathBuf| *listed == path;
        let Some(place) = self.files.list.iter().position(is_it) else { return };
        self.gallery.selected = Some(file);
        self.leave_gallery(true);
        if self.files.shown != Some(place) {
            self.show_file(place, Arrival::Chosen);
        }
    }
}
