//! Files that belong to a loaded one: what lies beside it, its images, and the characters of a stage.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, mpsc};
use std::thread;
use std::thread::Scope;

use pchr::bytes::Budget;
use pchr::document::{AnimationId, ImageId, Images};
use pchr::finding::Findings;
use pchr::format::{Companion, SidecarError, Sidecars};
use pchr::image::{ImageRooms, Levels, decode_picture, multiply};
use pchr::playback::FrameAt;
use pchr::scene::{Frame, Geometry, Subject, ViewOptions};
use pchr_tools::files;
use pchr_tools::files::{Companions, Folder, Kind, Seen, Stamp};
use pchr_tools::open::Opened;
use pchr_tools::stage::{Layout, Stage};
use pchr_tools::view::ImageSwap;

use super::{StagedLayout, Wish};
use crate::viewer::desktop::load;
use crate::viewer::loaded::{LoadId, LoadedImage, RigFiles};

/// Reader of those files. It remembers which files it read.
pub(super) struct Beside<'a> {
    path: &'a Path,
    folder: Folder,
    companions: &'a Companions,
    wanted: &'a (dyn Fn() -> bool + Sync),
    seen: Vec<Seen>,
    rig: RigFiles,
}

impl<'a> Beside<'a> {
    /// Creates a reader for the file at `path`. With `allow_outside` the other files may lie outside its folder.
    /// Reading stops when they are no longer `wanted`.
    pub(super) fn new(
        path: &'a Path,
        allow_outside: bool,
        companions: &'a Companions,
        wanted: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        Self {
            path,
            folder: Folder::of(path, allow_outside),
            companions,
            wanted,
            seen: Vec::new(),
            rig: RigFiles::default(),
        }
    }

    /// Returns all files that were asked for, each once, readable or not; and the files of the skeleton.
    pub(super) fn seen(self) -> (Vec<Seen>, RigFiles) {
        (self.seen, self.rig)
    }

    fn companion(&mut self, path: &Path) -> Result<Companion, SidecarError> {
        let name = path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        match load::read(path, Kind::Document, self.wanted, &mut |_, _| ()) {
            Ok((bytes, stamp)) => {
                self.note(path.to_owned(), stamp);
                Ok(Companion { name, bytes })
            }
            Err(error) => {
                self.note(path.to_owned(), Stamp::of(path));
                let why = error.why();
                Err(SidecarError::Unreadable(format!("cannot read {name}: {why}")))
            }
        }
    }

    fn found(&self, motion: &Path) -> Result<Option<PathBuf>, SidecarError> {
        let unread = |error| SidecarError::Failed(format!("cannot read its folder: {error}"));
        files::skeleton_beside(motion).map_err(unread)
    }

    fn skeleton(&mut self, path: Option<PathBuf>) -> Result<Option<Companion>, SidecarError> {
        let Some(path) = path.filter(|path| path != self.path) else {
            return Ok(None);
        };
        let file = self.companion(&path)?;
        self.rig.skeleton = Some(path);
        Ok(Some(file))
    }

    /// Remembers the state of a file. The first state counts, so that a later change is noticed.
    fn note(&mut self, path: PathBuf, stamp: Option<Stamp>) {
        if !self.seen.iter().any(|seen| seen.path == path) {
            self.seen.push(Seen { path, stamp });
        }
    }
}

impl Sidecars for Beside<'_> {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError> {
        let path = self.folder.place(path)?;
        let before = std::fs::metadata(&path);
        let stamp = before.as_ref().ok().map(Stamp::of_metadata);
        let read = self.folder.enter(&path).and_then(|()| {
            let read = load::read(&path, Kind::Picture, self.wanted, &mut |_, _| ());
            read.map_err(|error| self.folder.unreadable(&path, &error.why()))
        });
        match read {
            Ok((bytes, stamp)) => {
                self.note(path, stamp);
                Ok(bytes)
            }
            Err(error) => {
                self.note(path, stamp);
                Err(error)
            }
        }
    }

    fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    fn chosen_skeleton(&mut self) -> Result<Option<Companion>, SidecarError> {
        self.skeleton(self.companions.skeleton.clone())
    }

    fn skeleton_beside(&mut self) -> Result<Option<Companion>, SidecarError> {
        let found = self.found(self.path)?;
        if found.is_none() {
            self.rig.candidates = load::beside(self.path);
        }
        self.skeleton(found)
    }

    fn offered_skeleton(
        &mut self,
        tracks: Option<usize>,
    ) -> Result<Option<Companion>, SidecarError> {
        let offered = self.companions.offered.clone();
        if let (Some(tracks), Some(path)) = (tracks, &offered) {
            let candidates = &mut self.rig.candidates;
            load::order(candidates, self.path, Some(tracks), self.wanted);
            let first = candidates.first();
            if first.is_some_and(|first| first.path != *path && first.bones == Some(tracks))
                && load::bones(path, self.wanted) != Some(tracks)
            {
                return Ok(None); // the user is asked
            }
        }
        self.skeleton(offered)
    }

    fn chosen_motions(&mut self) -> Result<Vec<Companion>, SidecarError> {
        let chosen = self.companions.motions.iter();
        chosen.map(|path| self.companion(path)).collect()
    }

    fn skeleton_of_motion(&mut self, motion: usize) -> Result<Option<Companion>, SidecarError> {
        let path = self.companions.motions.get(motion);
        let found = path.map(|path| self.found(path)).transpose()?.flatten();
        found.map(|path| self.companion(&path)).transpose()
    }
}

/// Largest number of threads that decode images.
const DECODERS: usize = 8;

/// Order in which images are decoded, and the number of images in the first picture.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ImageOrder {
    pub ids: Vec<ImageId>,
    pub first: usize,
}

impl ImageOrder {
    /// Creates the order: first the images of the frame that will be shown, then those of other meshes. `animation` is
    /// the one that will be shown. Leaves out images that are not decoded.
    pub(super) fn new(
        subject: &dyn Subject,
        animation: Option<AnimationId>,
        wish: &Wish,
        is_out: impl Fn(ImageId) -> bool,
    ) -> Self {
        let images: &dyn Images = subject;
        let geometry: &dyn Geometry = subject;
        let mut ids = Vec::with_capacity(images.image_count());
        let mut taken = vec![false; images.image_count()];
        let mut add = |id: ImageId| {
            if let Some(taken) = taken.get_mut(id.index())
                && !std::mem::replace(taken, true)
                && !is_out(id)
            {
                ids.push(id);
            }
            ids.len()
        };
        let at = animation.and_then(|id| {
            let last = subject.frame_count(id).checked_sub(1)?;
            Some(FrameAt::exact(id, wish.frame.min(last)))
        });
        let frame = Frame::new(subject, at, &ViewOptions::default());
        let mut first = 0;
        for draw in frame.draws() {
            first = add(draw.image);
        }
        for mesh in geometry.meshes() {
            add(mesh.image());
        }
        for id in images.image_ids() {
            add(id);
        }
        if wish.whole {
            first = ids.len();
        }
        Self { ids, first }
    }
}

/// Pictures in place of images.
#[derive(Debug, Default)]
pub(super) struct SwappedImages {
    /// Those that were asked for, without those for images that the file lacks.
    pub swaps: Vec<ImageSwap>,
    pub images: BTreeMap<ImageId, Arc<Levels>>,
    pub files: Vec<(ImageId, PathBuf)>,
    pub seen: Vec<Seen>,
    /// The first picture that cannot be read, with the reason.
    pub unread: Option<(PathBuf, String)>,
}

impl SwappedImages {
    /// Reads the pictures of a file with these images, as long as they are `wanted`. Of several pictures for an image the last one counts.
    pub(super) fn read(
        images: &dyn Images,
        asked: &[ImageSwap],
        wanted: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let mut swapped = Self::default();
        for swap in asked {
            let Ok(id) = swap.id(images) else {
                continue; // the view says so
            };
            let (picture, stamp) = picture(&swap.file, images.tint(id), wanted);
            swapped.swaps.push(swap.clone());
            swapped.seen.push(Seen { path: swap.file.clone(), stamp });
            match picture {
                Ok(levels) => {
                    swapped.images.insert(id, Arc::new(levels));
                    swapped.files.push((id, swap.file.clone()));
                }
                Err(why) if swapped.unread.is_none() => {
                    swapped.unread = Some((swap.file.clone(), why));
                }
                Err(_) => {}
            }
        }
        swapped
    }
}

/// Reads a picture, and multiplies it by the tint of the image that it replaces. Returns it with the state of its file.
fn picture(
    path: &Path,
    tint: [u8; 3],
    wanted: &(dyn Fn() -> bool + Sync),
) -> (Result<Levels, String>, Option<Stamp>) {
    match load::read(path, Kind::Picture, wanted, &mut |_, _| ()) {
        Ok((png, stamp)) => {
            let tinted = decode_picture(&png, &Budget::default()).map(|mut pixels| {
                multiply(&mut pixels.rgba, tint);
                pixels
            });
            (tinted.map(Levels::with_mipmaps).map_err(|error| error.to_string()), stamp)
        }
        Err(error) => (Err(error.why()), Stamp::of(path)),
    }
}

/// Returns a stage with its new characters beside the others, and its layout. Its text is not that of its file, so its lines are left
/// out.
pub(super) fn lined_up(opened: Opened, (layout, from): &StagedLayout) -> (Opened, Layout) {
    let Some(stage) = opened.subject.data().and_then(|data| data.downcast_ref::<Stage>()) else {
        return (opened, layout.clone());
    };
    let lined_up = match *from < layout.members.len() {
        true => stage.lined_up(layout, *from),
        false => layout.clone(),
    };
    let stage = stage.placed(&lined_up);
    (opened.with_subject(Arc::new(stage)), lined_up)
}

/// Starts threads that decode the images of a load in this order while they are `wanted`. The results arrive in any order.
pub(super) fn decode<'scope>(
    scope: &'scope Scope<'scope, '_>,
    images: &'scope dyn Images,
    (load, ids): (LoadId, &'scope [ImageId]),
    (next, rooms): (&'scope AtomicUsize, &'scope ImageRooms),
    wanted: &'scope (dyn Fn() -> bool + Sync),
) -> Receiver<LoadedImage> {
    let (sender, decoded) = mpsc::channel();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    for decoder in 0..cores.min(ids.len()).min(DECODERS) {
        let sender = sender.clone();
        let work = move || {
            while let Some(id) = ids.get(next.fetch_add(1, Ordering::Relaxed)) {
                if !wanted() {
                    break;
                }
                let mut findings = Findings::default();
                let pixels = rooms.decode(images, *id, &mut findings);
                let done = LoadedImage {
                    load,
                    image: *id,
                    levels: Arc::new(Levels::with_mipmaps(pixels)),
                    findings: findings.iter().cloned().collect(),
                };
                if sender.send(done).is_err() {
                    break;
                }
            }
        };
        if thread::Builder::new().spawn_scoped(scope, work.clone()).is_err() {
            if decoder == 0 {
                work(); // without other threads it is done here
            }
            break;
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_seen_once_in_the_state_that_was_read_and_missing_ones_too() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("deep")).unwrap();
        std::fs::write(at("deep/a.png"), "a").unwrap();
        let path = at("hero.json");
        let mut beside = Beside::new(&path, false, const { &Companions::NONE }, &|| true);
        assert_eq!(beside.read("deep\\a.png").unwrap(), b"a");
        let stamp = Stamp::of(&at("deep/a.png"));
        std::fs::write(at("deep/a.png"), "another").unwrap();
        assert_eq!(beside.read("deep/a.png").unwrap(), b"another");
        for (path, said) in
            [("none.png", "none.png: No such file"), ("deep", "deep: is a directory")]
        {
            let error = beside.read(path).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        assert_eq!(beside.read("../b.png"), Err(SidecarError::Outside));
        let (seen, _) = beside.seen();
        let of = |seen: &Seen| (seen.path.clone(), seen.stamp);
        assert_eq!(seen.len(), 3);
        assert_eq!(of(&seen[0]), (at("deep/a.png"), stamp));
        assert_eq!(of(&seen[1]), (at("none.png"), None));
        assert_eq!(of(&seen[2]), (at("deep"), Stamp::of(&at("deep"))));
    }

    #[test]
    fn a_file_that_is_no_longer_wanted_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.png"), "a").unwrap();
        let path = folder.path().join("hero.json");
        let mut beside = Beside::new(&path, false, const { &Companions::NONE }, &|| false);
        assert!(beside.read("a.png").is_err());
    }
}
