//! Reading of files that other programs may be writing: again and again, until one comes to rest; and of files that belong to a loaded
//! one: what lies beside it, its images, and the characters of a stage.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, mpsc};
use std::thread::Scope;
use std::time::Duration;
use std::{io, thread};

use pchr::bytes::Budget;
use pchr::document::{AnimationId, ImageId, Images};
use pchr::finding::Findings;
use pchr::format::{Companion, SidecarError, Sidecars};
use pchr::image::{ImageRooms, Levels, decode_picture, multiply};
use pchr::playback::FrameAt;
use pchr::scene::{Frame, Geometry, Subject, ViewOptions};
use pchr_tools::files::{Companions, Folder, Kind, ReadError, Reading, Seen, Stamp};
use pchr_tools::open::{Opened, skeleton_beside};
use pchr_tools::stage::{Layout, Stage};
use pchr_tools::view::ImageSwap;

use super::{StagedLayout, Wish};
use crate::viewer::desktop::load;
use crate::viewer::loaded::{LoadId, LoadedImage, RigFiles};

/// Number of further attempts if a file changes while it is read. Each one waits a little longer.
const TRIES: u32 = 6;
const PAUSE: Duration = Duration::from_millis(30);

/// Reads the bytes at `path` (`-` is standard input). Returns them with the stamp of the file, if it is one. Calls
/// `progress` with the bytes read so far and the bytes in total.
///
/// # Errors
/// [`ReadError::Unwanted`] as soon as something newer was requested.
pub(super) fn read(
    path: &Path,
    kind: Kind,
    wanted: &dyn Fn() -> bool,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(Vec<u8>, Option<Stamp>), ReadError> {
    let reading = Reading { streams: kind == Kind::Document, ..Reading::of(path, kind) };
    let mut go_on = |done, total| {
        let go_on = wanted();
        if go_on {
            progress(done, total);
        }
        go_on
    };
    if path.as_os_str() == "-" {
        let bytes = reading.pour(&mut io::stdin().lock(), None, &mut go_on)?;
        return Ok((bytes, None));
    }
    let mut tries = 1..=TRIES;
    loop {
        let (mut file, metadata) = reading.open()?;
        let len = metadata.is_file().then_some(metadata.len());
        let bytes = reading.pour(&mut file, len, &mut go_on)?;
        let Some(len) = len else {
            return Ok((bytes, None)); // a pipe has no length and no past
        };
        // Someone may have changed or replaced the file in the meantime.
        let stamp = Stamp::of_metadata(&metadata);
        if bytes.len() as u64 == len && Stamp::of(path) == Some(stamp) {
            return Ok((bytes, Some(stamp)));
        }
        let Some(again) = tries.next() else { return Err(ReadError::Changing) };
        thread::sleep(PAUSE * again);
    }
}

/// Reads a file. Returns its bytes, or why there are none, and its stamp in both cases.
pub(super) fn read_or_why(
    path: &Path,
    kind: Kind,
    wanted: &dyn Fn() -> bool,
) -> (Result<Vec<u8>, String>, Option<Stamp>) {
    match read(path, kind, wanted, &mut |_, _| ()) {
        Ok((bytes, stamp)) => (Ok(bytes), stamp),
        Err(error) => (Err(error.to_string()), Stamp::of(path)),
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reader of the files that belong to one. It remembers which files it read.
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
        let name = name(path);
        let (bytes, stamp) = read_or_why(path, Kind::Document, self.wanted);
        self.note(path.to_owned(), stamp);
        match bytes {
            Ok(bytes) => Ok(Companion { name, bytes }),
            Err(why) => Err(SidecarError::Unreadable(format!("cannot read {name}: {why}"))),
        }
    }

    fn found(&self, motion: &Path) -> Result<Option<PathBuf>, SidecarError> {
        let unread = |error| SidecarError::Failed(format!("cannot read its folder: {error}"));
        skeleton_beside(motion).map_err(unread)
    }

    fn skeleton(&mut self, path: Option<PathBuf>) -> Result<Option<Companion>, SidecarError> {
        let Some(path) = path.filter(|path| path != self.path) else { return Ok(None) };
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
        let before = std::fs::metadata(&path).ok();
        let read = self.folder.enter(&path).and_then(|()| {
            let read = read(&path, Kind::Picture, self.wanted, &mut |_, _| ());
            read.map_err(|error| self.folder.unreadable(&path, &error.to_string()))
        });
        let (bytes, stamp) = match read {
            Ok((bytes, stamp)) => (Ok(bytes), stamp),
            Err(error) => (Err(error), before.as_ref().map(Stamp::of_metadata)),
        };
        self.note(path, stamp);
        bytes
    }

    fn name(&self) -> String {
        name(self.path)
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

/// Returns the order in which images are decoded, and the number of images in the first picture: first those of the frame that will be
/// shown, then those of other meshes. `animation` is the one that will be shown. Leaves out images that are not decoded.
pub(super) fn image_order(
    subject: &dyn Subject,
    animation: Option<AnimationId>,
    wish: &Wish,
    is_out: impl Fn(ImageId) -> bool,
) -> (Vec<ImageId>, usize) {
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
    (ids, first)
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
    let (png, stamp) = read_or_why(path, Kind::Picture, wanted);
    let decoded = png.and_then(|png| {
        decode_picture(&png, &Budget::default()).map_err(|error| error.to_string())
    });
    let tinted = decoded.map(|mut pixels| {
        multiply(&mut pixels.rgba, tint);
        Levels::with_mipmaps(pixels)
    });
    (tinted, stamp)
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
    use std::cell::Cell;
    use std::io::Write as _;

    use super::*;

    #[test]
    fn all_bytes_come_and_progress_counts_them() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let written: Vec<u8> = (0..3_000_000_u32).map(|i| i.to_le_bytes()[0]).collect();
        file.write_all(&written).unwrap();
        let mut told = Vec::new();
        let (bytes, stamp) = read(file.path(), Kind::Document, &|| true, &mut |done, of| {
            assert_eq!(of, 3_000_000);
            told.push(done);
        })
        .unwrap();
        assert_eq!(bytes, written);
        assert_eq!(stamp, Stamp::of(file.path()));
        assert_eq!(told, [0, 1 << 20, 2 << 20, 3_000_000]);
    }

    #[test]
    fn reading_ends_as_soon_as_it_is_no_longer_wanted() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&vec![0; 8 << 20]).unwrap();
        let left = Cell::new(3);
        let wanted = || left.replace(left.get() - 1) > 0;
        let mut most = 0;
        let result = read(file.path(), Kind::Document, &wanted, &mut |done, _| most = done);
        assert!(matches!(result, Err(ReadError::Unwanted)));
        assert_eq!(most, 2 << 20);
    }

    #[test]
    fn a_file_that_changes_while_it_is_read_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, vec![1; 2 << 20]).unwrap();
        let mut changes = 2;
        let (bytes, stamp) = read(&path, Kind::Document, &|| true, &mut |done, _| {
            if done > 0 && changes > 0 {
                changes -= 1;
                std::fs::write(&path, vec![2; (2 << 20) + changes]).unwrap();
            }
        })
        .unwrap();
        assert!(bytes.iter().all(|byte| *byte == 2));
        assert_eq!(bytes.len(), 2 << 20);
        assert_eq!(stamp, Stamp::of(&path));
    }

    #[test]
    fn a_file_that_never_comes_to_rest_is_refused_and_so_are_folders_and_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, [1]).unwrap();
        let mut len = 1;
        let result = read(&path, Kind::Document, &|| true, &mut |_, _| {
            len += 1;
            std::fs::write(&path, vec![2; len]).unwrap();
        });
        assert!(matches!(result, Err(ReadError::Changing)));
        let read = |path: &Path| read(path, Kind::Document, &|| true, &mut |_, _| {});
        assert!(matches!(read(folder.path()), Err(ReadError::Directory)));
        assert!(read(&folder.path().join("b")).is_err_and(|error| error.is_missing()));
    }

    #[test]
    fn every_wanted_file_is_seen_once_in_the_state_that_was_read_and_missing_ones_too() {
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
        let mut unwanted = Beside::new(&path, false, const { &Companions::NONE }, &|| false);
        assert!(unwanted.read("deep/a.png").is_err());
        let (seen, _) = beside.seen();
        let of = |seen: &Seen| (seen.path.clone(), seen.stamp);
        assert_eq!(seen.len(), 3);
        assert_eq!(of(&seen[0]), (at("deep/a.png"), stamp));
        assert_eq!(of(&seen[1]), (at("none.png"), None));
        assert_eq!(of(&seen[2]), (at("deep"), Stamp::of(&at("deep"))));
    }
}
