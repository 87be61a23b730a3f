//! Loads and lists of files: what was read, how far it is, and which files can be walked through.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pchr::document::{AnimationId, ImageId};
use pchr::finding::{Finding, Invalid};
use pchr::image::Levels;
use pchr::playback::Timeline;
use pchr::pose::BindChoice;
use pchr::scene::{Bake, Bounds, Crowded as _, Subject, with_bind};
use pchr_tools::crowd::{Crowd, CrowdFault, Instances};
use pchr_tools::files::{Companions, Seen};
use pchr_tools::open::Opened;
use pchr_tools::session::{FolderLook, Session};
use pchr_tools::stage::{Layout, Stage};
use pchr_tools::text::visible;
use pchr_tools::view::{ImageSwap, element_names};

use crate::viewer::sprites::SpriteList;

/// Source of a subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The sample that the program carries.
    Sample(&'static [u8]),
    /// A file; `-` is standard input.
    File(PathBuf),
    /// A file as it is in the last commit of its Git repository.
    Committed(PathBuf),
}

impl Source {
    /// Its name in the window.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Sample(_) => "Sample".into(),
            Self::File(path) if path.as_os_str() == "-" => "standard input".into(),
            Self::File(path) | Self::Committed(path) => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                visible(&name.to_string_lossy()).into_owned()
            }
        }
    }

    /// The file's path, if it is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Sample(_) => None,
            Self::File(path) | Self::Committed(path) => Some(path),
        }
    }
}

/// Returns true if a path means standard input.
pub(crate) fn is_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Tells the loads of a session apart; later ones are larger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LoadId(pub u64);

/// First picture, as far as it is known: its images are decoded before all others.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Wish {
    /// Name or index; else the animation that is shown by default.
    pub animation: Option<String>,
    pub frame: u16,
    /// All images are needed at once: nothing on show may disappear for a moment.
    pub whole: bool,
    /// Files that are shown with it.
    pub companions: Companions,
    /// All skeletons beside a motion are listed, also if it has one.
    pub skeletons: bool,
    /// Missing files of a session, and where the user found them.
    pub relocated: Vec<(PathBuf, PathBuf)>,
    /// Pictures in place of images; `None` for those of the session, if it is one.
    pub images: Option<Vec<ImageSwap>>,
    /// Stage that is shown in place of what the file of its session has.
    pub staged: Option<Box<Staged>>,
}

/// A stage that was changed or made in the window.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Staged {
    /// Its session as it was read, and how it is viewed.
    pub session: Session,
    /// The stage as it is now.
    pub layout: Layout,
    /// Index of the first character that has no place yet.
    pub unplaced: usize,
}

impl Staged {
    pub(crate) fn new(session: Session, layout: Layout, unplaced: usize) -> Box<Self> {
        Box::new(Self { session, layout, unplaced })
    }
}

impl Wish {
    /// The animation that will be shown first, as far as it can be known here.
    pub(super) fn animation(&self, subject: &dyn Subject) -> Option<AnimationId> {
        let asked = self.animation.as_deref();
        let found = asked.and_then(|text| element_names::find_animation(subject, text));
        found.or_else(|| subject.default_animation())
    }
}

/// Files of the skeleton of a motion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RigFiles {
    /// The skeleton that was read, if it is not the motion's.
    pub skeleton: Option<PathBuf>,
    /// Candidates beside the file, if the choice is ambiguous; the most likely one first.
    pub candidates: Vec<Candidate>,
}

/// A skeleton that may be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub path: PathBuf,
    /// Number of its bones, if it was read and can be.
    pub bones: Option<usize>,
}

/// Returns the name of a file, with as many of its folders as tell it apart from others of that name.
pub(crate) fn told_apart(path: &Path, others: &[PathBuf]) -> String {
    let mut told = PathBuf::from(path.file_name().unwrap_or(path.as_os_str()));
    for folder in path.ancestors().skip(1).filter_map(Path::file_name) {
        if !others.iter().any(|other| other != path && other.ends_with(&told)) {
            break;
        }
        told = Path::new(folder).join(told);
    }
    visible(&told.to_string_lossy()).into_owned()
}

/// A subject with everything needed to show it.
#[derive(Clone, Debug)]
pub(crate) struct Loaded {
    pub source: Source,
    /// The session that the source is.
    pub session: Option<Session>,
    /// The characters of a stage as they are placed now.
    pub layout: Option<Layout>,
    /// True if the stage differs from what its session's file has.
    pub is_draft: bool,
    /// The session of a stage as its file had it when the stage was read; `None` without such a file.
    pub on_disk: Option<Session>,
    /// Look of the folder that the file lies in; none beside a session.
    pub folder_look: Option<FolderLook>,
    /// The figures that its content is shown as, if there are several. They are the subject of `opened`.
    pub figures: Option<Arc<Crowd>>,
    /// With the bind pose that is found when nothing else is chosen.
    pub opened: Arc<Opened>,
    /// One per animation.
    pub timelines: Vec<Timeline>,
    /// One an image, premultiplied; a placeholder for one that does not decode, and a transparent one for each that
    /// comes later.
    pub images: Vec<Arc<Levels>>,
    /// Number of images that come later.
    pub pending: usize,
    /// Findings of decoding, in image order.
    pub image_findings: Vec<Finding>,
    /// Pictures in place of its images, as they were asked for.
    pub swaps: Vec<ImageSwap>,
    /// The images that they replace.
    pub swapped: Vec<(ImageId, PathBuf)>,
    /// The first picture that cannot be read, with the reason.
    pub unread: Option<(PathBuf, String)>,
    /// Bounds of all animations; `None` for an atlas or a motion in space, whose animations are fitted one by one.
    pub bounds: Option<Bounds>,
    /// Files of its skeleton, of a motion.
    pub rig: RigFiles,
    /// Facts about the sprites, of a subject that has an atlas.
    pub sprites: Option<Arc<SpriteList>>,
}

impl Loaded {
    /// Returns the stage with its characters in other places; `None` without a stage.
    pub(crate) fn with_layout(&self, layout: &Layout) -> Option<Self> {
        let stage = self.opened.subject.data()?.downcast_ref::<Stage>()?;
        let stage = self.with_subject(Arc::new(stage.placed(layout)));
        Some(Self { layout: Some(layout.clone()), is_draft: true, folder_look: None, ..stage })
    }

    /// Returns the number of figures that the content is shown as, and how they stand.
    pub(crate) fn instances(&self) -> Instances {
        self.figures.as_ref().map_or(Instances::ONE, |figures| figures.instances())
    }

    /// Returns the same content as other figures.
    ///
    /// # Errors
    /// [`CrowdFault`] for content that is shown once, or has too many frames.
    pub(crate) fn with_instances(&self, instances: Instances) -> Result<Self, CrowdFault> {
        let figures = match &self.figures {
            _ if instances.count <= 1 => {
                let one = self.figures.as_ref().map(|figures| figures.one());
                return Ok(self.with_subject(Arc::clone(one.unwrap_or(&self.opened.subject))));
            }
            Some(figures) => figures.with(instances),
            None => {
                let one = &self.opened.subject;
                Bake::check(&**one, Bake::MOST_BYTES).map_err(CrowdFault::TooLarge)?;
                Crowd::new(one, instances)?
            }
        };
        let figures = Arc::new(figures);
        let subject = Arc::clone(&figures);
        Ok(Self { figures: Some(figures), ..self.with_subject(subject) })
    }

    /// Returns the content as it is shown, with another bind pose.
    pub(crate) fn with_bind(&self, choice: BindChoice) -> Arc<dyn Subject> {
        let one = self.figures.as_ref().map_or(&self.opened.subject, |figures| figures.one());
        self.shown_as(&with_bind(one, choice))
    }

    /// Returns `one`, which is its content with any bind pose, as many times as figures are shown.
    pub(crate) fn shown_as(&self, one: &Arc<dyn Subject>) -> Arc<dyn Subject> {
        let Some(figures) = &self.figures else { return Arc::clone(one) };
        let is_as_found = Arc::ptr_eq(figures.one(), one);
        let bound = (!is_as_found).then(|| Crowd::of(one, figures.instances()).ok()).flatten();
        bound.unwrap_or_else(|| Arc::clone(&self.opened.subject))
    }

    fn with_subject(&self, subject: Arc<dyn Subject>) -> Self {
        Self {
            figures: None,
            timelines: subject.timelines(),
            opened: Arc::new(self.opened.with_subject(subject)),
            bounds: None,
            ..self.clone()
        }
    }

    /// Returns the path of the shown file, which a session names; `None` for the sample.
    pub(crate) fn file(&self) -> Option<&Path> {
        let session = self.session.as_ref();
        session.map(|session| session.file.as_path()).or(self.source.path())
    }

    /// Returns the file of the picture in place of an image.
    pub(crate) fn picture_of(&self, image: ImageId) -> Option<&Path> {
        let swapped = self.swapped.iter().rev().find(|(id, _)| *id == image);
        swapped.map(|(_, file)| file.as_path())
    }

    /// Returns the name of the shown file.
    pub(crate) fn name(&self) -> String {
        match &self.session {
            Some(session) => Source::File(session.file.clone()).name(),
            None => self.source.name(),
        }
    }
}

/// Reason why nothing was loaded.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum LoadError {
    /// The file cannot be read.
    #[error("{0}")]
    Io(String),
    /// The file is not valid.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The file is not valid because it ends too early.
    #[error(transparent)]
    CutOff(Invalid),
    /// Files that a session names do not exist.
    #[error("missing: {}", listed(.0))]
    Missing(Vec<PathBuf>),
}

fn listed(paths: &[PathBuf]) -> String {
    let names = paths.iter().map(|path| path.display().to_string());
    visible(&names.collect::<Vec<_>>().join(", ")).into_owned()
}

/// The end of a load, except for images that are not needed yet.
#[derive(Clone, Debug)]
pub(crate) struct LoadDone {
    pub id: LoadId,
    pub source: Source,
    /// The files whose state decides about the result: the subject's first, then those that it names, there or not.
    /// Empty if the subject comes from no file.
    pub files: Vec<Seen>,
    pub result: Result<Arc<Loaded>, LoadError>,
}

/// Ends of the same load are equal.
impl PartialEq for LoadDone {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.source == other.source
    }
}

/// An image that came after its subject.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LoadedImage {
    pub load: LoadId,
    pub image: ImageId,
    pub levels: Arc<Levels>,
    pub findings: Vec<Finding>,
}

/// Progress of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    pub phase: Phase,
    /// Bytes or images.
    pub done: u64,
    /// 0 where it is not known.
    pub total: u64,
}

/// Phase of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Reading,
    Checking,
    Images,
}

impl Progress {
    /// 0..1 of its phase, where that is known.
    pub(crate) fn fraction(&self) -> Option<f32> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            reason = "a bar is some hundred pixels long"
        )]
        let fraction = (self.done as f64 / self.total as f64) as f32;
        (self.total > 0).then_some(fraction.clamp(0.0, 1.0))
    }
}

/// Files to walk through, and which of them is shown first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Listing {
    pub files: Vec<PathBuf>,
    pub chosen: usize,
    /// Files that were named among several, but that no opener reads.
    pub skipped: Vec<PathBuf>,
    /// Folders that could not be read, so that files may be missing from the list.
    pub unread: Vec<PathBuf>,
    /// True if it is of a folder, whose gallery is shown.
    pub is_of_folder: bool,
}

/// Tells the lists of a session apart; later ones are larger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListId(pub u64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_name_are_told_apart_by_their_folders() {
        let others = ["/a/v1/hero.pchr", "/a/v2/hero.pchr", "/b/v2/hero.pchr", "/a/tree.pchr"];
        let others = others.map(PathBuf::from);
        let told = |path: &str| told_apart(Path::new(path), &others);
        assert_eq!(told("/a/tree.pchr"), "tree.pchr");
        let separated = |parts: [&str; 2]| parts.iter().collect::<PathBuf>().display().to_string();
        assert_eq!(told("/a/v1/hero.pchr"), separated(["v1", "hero.pchr"]));
        assert_eq!(told("/b/v2/hero.pchr"), separated(["b", &separated(["v2", "hero.pchr"])]));
        assert_eq!(told("hero.pchr"), "hero.pchr");
    }
}
