//! A comparison of the open file with another version or another file: how both share the picture, and the list of changes.

use std::path::PathBuf;
use std::sync::Arc;

use pchr::compare::Difference;
use pchr::diff::{Change, ChangeKind, ClipDiff, Diff, Element, ElementKind};
use pchr::document::{AnimationId, BoneId, ImageId, MeshId};
use pchr::image::PixelRect;
use pchr::overlay::{OverlayOptions, Pin, Trail};
use pchr::playback::{FrameAt, Mix};
use pchr::scene::{MeshView, Picture, Subject, ViewOptions};
use pchr_tools::capture::{AgainstMode, moment_in};
use pchr_tools::changes::{change_words, clip_words, summary, unit};
use pchr_tools::text::count;

use crate::viewer::loaded::{Loaded, Source, told_apart};
use crate::viewer::model::Model;
use crate::viewer::model::carry::Carry;

/// The other side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Counterpart {
    /// Another file.
    File(PathBuf),
    /// The open file as it was before it was read again.
    BeforeReload,
    /// The open file in the last commit of its Git repository.
    Commit,
}

impl Counterpart {
    /// Returns the names of the open file and of this one in the window.
    fn names(&self, open: &Loaded) -> [String; 2] {
        let name = open.name();
        match (self, open.file()) {
            (Self::File(path), Some(file)) => {
                let both = [file.to_owned(), path.clone()];
                both.each_ref().map(|path| told_apart(path, &both))
            }
            (Self::File(path), None) => [name, Source::File(path.clone()).name()],
            (Self::BeforeReload, _) => [name, "before the reload".to_owned()],
            (Self::Commit, _) => [name, "last commit".to_owned()],
        }
    }
}

/// Way in which two files share the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CompareMode {
    /// The open file on the left, the other on the right.
    #[default]
    Side,
    /// The open file left of a line that can be moved, the other right of it.
    Split,
    /// One after the other.
    Blink,
    /// Their differences.
    Difference,
}

impl CompareMode {
    pub(crate) const ALL: [Self; 4] = [Self::Side, Self::Split, Self::Blink, Self::Difference];

    /// Returns the label.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Side => "Side by side",
            Self::Split => "Split",
            Self::Blink => "Blink",
            Self::Difference => "Difference",
        }
    }

    /// Returns the option of captures. A picture cannot blink; both in one are what comes closest.
    pub(crate) fn option(self) -> AgainstMode {
        match self {
            Self::Side => AgainstMode::Side,
            Self::Split | Self::Blink => AgainstMode::Split,
            Self::Difference => AgainstMode::Difference,
        }
    }
}

impl From<AgainstMode> for CompareMode {
    fn from(mode: AgainstMode) -> Self {
        match mode {
            AgainstMode::Side => Self::Side,
            AgainstMode::Split => Self::Split,
            AgainstMode::Difference => Self::Difference,
        }
    }
}

/// Tells the comparisons of a window apart; later ones are larger. Answers to an earlier one are ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CompareId(pub u64);

/// The second file beside the open one, at the same moment.
#[derive(Debug)]
pub(crate) struct Comparison {
    pub with: Counterpart,
    /// Names of the open file and of this one, with the folders that tell them apart.
    pub names: [String; 2],
    pub model: Model,
    /// Ids of the open file in it.
    pub carry: Carry,
    /// Overrides of the open file's meshes, and the same of its own.
    meshes_of: Vec<MeshView>,
    pub view: ViewOptions,
    /// True if it has the animation on show.
    pub has_moment: bool,
    /// The changes, once they are found.
    pub changes: Option<Arc<Changes>>,
    /// Difference of the pictures on show, once it is measured, while that is the mode.
    pub figures: Option<Figures>,
}

impl Comparison {
    /// Creates a comparison of `first` with `model`.
    pub(crate) fn new(with: Counterpart, first: &Model, model: Model) -> Self {
        Self {
            names: with.names(first.loaded()),
            with,
            carry: Carry::new(first.subject(), model.subject()),
            meshes_of: Vec::new(),
            view: ViewOptions::default(),
            has_moment: true,
            changes: None,
            figures: None,
            model,
        }
    }

    /// Shows the moment of the open file, with its overrides.
    pub(crate) fn show(
        &mut self,
        first: &dyn Subject,
        (at, mix): (Option<FrameAt>, Option<Mix>),
        view: &ViewOptions,
    ) {
        let other = self.model.subject();
        let found = at.map(|at| moment_in(other, first, at));
        let mixed = mix.and_then(|mix| Some(Mix { to: moment_in(other, first, mix.to)?, ..mix }));
        if self.meshes_of != view.meshes {
            self.meshes_of.clone_from(&view.meshes);
            self.view.meshes = self.carry.meshes(&view.meshes, other);
        }
        self.view.in_place = view.in_place;
        self.has_moment = found != Some(None);
        self.model.show(found.flatten(), mixed, &self.view);
    }

    /// Returns true if this file lies left of the open one: it is a version before that.
    pub(crate) fn is_first(&self) -> bool {
        !matches!(self.with, Counterpart::File(_))
    }

    /// Returns the names of the files from left to right.
    pub(crate) fn left_and_right(&self) -> [&str; 2] {
        let [open, other] = self.names.each_ref().map(String::as_str);
        if self.is_first() { [other, open] } else { [open, other] }
    }

    /// Returns the last frame of this file, if the open one is at a later frame of a longer animation.
    pub(crate) fn held_at(&self, open: Option<FrameAt>) -> Option<u16> {
        let (own, _) = self.model.moment();
        let (open, own) = (open?, own?);
        (self.has_moment && own.frame < open.frame).then_some(own.frame)
    }

    /// Returns the model, if it has the animation on show.
    pub(crate) fn shown(&self) -> Option<&Model> {
        Some(&self.model).filter(|_| self.has_moment)
    }

    /// Returns the overlays of the open file for the parts of this one.
    pub(crate) fn overlays(&self, of: OverlayOptions) -> OverlayOptions {
        let Self { carry, .. } = self;
        let pin = |pin: Pin| Some(Pin { animation: carry.namesake(pin.animation)?, ..pin });
        let trail = |trail| match trail {
            Trail::Bone(bone) => carry.bone(bone).map(Trail::Bone),
            Trail::Vertex(mesh, vertex) => carry.mesh(mesh).map(|mesh| Trail::Vertex(mesh, vertex)),
        };
        OverlayOptions {
            trail: of.trail.and_then(trail),
            pin: of.pin.and_then(pin),
            weights: of.weights.and_then(|bone| carry.bone(bone)),
            mesh: of.mesh.and_then(|mesh| carry.mesh(mesh)),
            bone: of.bone.and_then(|bone| carry.bone(bone)),
            ..of
        }
    }
}

/// A place in time and in the world, which is marked in the picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spot {
    pub at: Option<(AnimationId, u16)>,
    /// Middle in the world.
    pub middle: [f64; 3],
    /// Half of width and height in the world; 0 for a point.
    pub half: [f64; 2],
}

/// Where a change of the list leads to, in the open file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Jump {
    pub moment: Option<(AnimationId, u16)>,
    pub bone: Option<BoneId>,
    pub mesh: Option<MeshId>,
    pub spot: Option<Spot>,
}

/// A line of the list of changes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChangeRow {
    /// Heading that it belongs to.
    pub section: &'static str,
    /// Name of the element; empty for the whole file.
    pub name: String,
    pub text: String,
    pub jump: Jump,
    /// True if the open file lacks the element.
    pub is_only_in_other: bool,
}

/// All changes, in words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Changes {
    /// Names of the version before, and of the one after.
    pub of: [String; 2],
    /// Everything in a line.
    pub summary: String,
    pub rows: Vec<ChangeRow>,
}

impl Changes {
    /// Puts the changes into words. `is_after` is true if the open file, `subject`, is the version after.
    pub(crate) fn new(diff: &Diff, subject: &dyn Subject, is_after: bool, of: [String; 2]) -> Self {
        let unit = unit(subject);
        // What can be seen goes first, and of that what moved farthest.
        let mut diff = diff.clone();
        let distance = |clip: &ClipDiff| clip.movement.as_ref().map_or(0.0, |it| it.distance);
        diff.clips.sort_by(|a, b| {
            let seen = b.is_visible().cmp(&a.is_visible());
            seen.then(distance(b).total_cmp(&distance(a)))
        });
        let words = RowWords { subject, is_after, unit };
        let of_parts = diff.changes.iter().map(|change| words.change(change));
        let of_clips = diff.clips.iter().flat_map(|clip| words.clip(clip));
        let rows: Vec<_> = of_parts.chain(of_clips).collect();
        let summary = match diff.is_visible() {
            _ if rows.is_empty() => "No differences".to_owned(),
            false => "No visible change".to_owned(),
            true => summary(&diff, unit),
        };
        Self { of, summary, rows }
    }
}

/// Words of the rows.
struct RowWords<'a> {
    subject: &'a dyn Subject,
    is_after: bool,
    unit: &'static str,
}

impl RowWords<'_> {
    /// Returns the index of an element in the open file.
    fn id(&self, element: &Element) -> Option<u16> {
        if self.is_after { element.new } else { element.old }
    }

    fn change(&self, change: &Change) -> ChangeRow {
        let Change { element, kind } = change;
        let (id, mut jump) = (self.id(element), Jump::default());
        let section = match element.kind {
            ElementKind::Image => "Images",
            ElementKind::Bone => "Bones",
            ElementKind::Mesh => "Meshes",
            ElementKind::Clip => "Animations",
        };
        match element.kind {
            ElementKind::Image => {
                if let (Some(id), ChangeKind::Texels { area, .. }) = (id, kind) {
                    jump.mesh = self.mesh_at(ImageId(id), area);
                }
            }
            ElementKind::Bone => jump.bone = id.map(BoneId),
            ElementKind::Mesh => jump.mesh = id.map(MeshId),
            ElementKind::Clip => {
                let mut frame = 0;
                match kind {
                    ChangeKind::Keys { bone, frames, .. } => {
                        jump.bone = self.id(bone).map(BoneId);
                        frame = frames.first().map_or(0, |frames| *frames.start());
                    }
                    // The first frame that only one of them has, as far as the open file has it.
                    ChangeKind::FrameCount(from, to) => {
                        let own = if self.is_after { *to } else { *from };
                        frame = (*from).min(*to).min(own.saturating_sub(1));
                    }
                    _ => {}
                }
                jump.moment = id.map(|id| (AnimationId(id), frame));
            }
        }
        let (name, text) = (element.name.clone(), change_words(kind));
        ChangeRow { section, name, text, jump, is_only_in_other: id.is_none() }
    }

    /// Returns the first mesh that is drawn with texels around the middle of a part of an image.
    fn mesh_at(&self, image: ImageId, area: &PixelRect) -> Option<MeshId> {
        let size = self.subject.image(image).map(|image| [image.width(), image.height()])?;
        let ([x, y], [width, height]) = (area.offset, area.size);
        let [wide, high] = size.map(f64::from);
        let u = (f64::from(x) + f64::from(width) / 2.0) / wide;
        let v = (f64::from(y) + f64::from(height) / 2.0) / high;
        let meshes = (0..=u16::MAX).map(MeshId).take(self.subject.mesh_count());
        let mut with = meshes.filter(|id| {
            let mesh = self.subject.mesh(*id).filter(|mesh| mesh.image() == image);
            mesh.is_some_and(|mesh| {
                let all = || mesh.vertices().map(|vertex| vertex.uv.map(f64::from));
                let holds = |axis: fn([f64; 2]) -> f64, at: f64| {
                    all().map(axis).any(|end| end <= at) && all().map(axis).any(|end| end >= at)
                };
                holds(|[u, _]| u, u) && holds(|[_, v]| v, v)
            })
        });
        with.next()
    }

    /// Returns a row for each effect on an animation, in the order of its words.
    fn clip(&self, clip: &ClipDiff) -> Vec<ChangeRow> {
        let id = clip.clip.as_ref().and_then(|clip| self.id(clip)).map(AnimationId);
        let at = |frame: u16| id.map(|id| (id, frame));
        let mut jumps = Vec::new();
        if let Some(movement) = &clip.movement {
            let part = self.id(&movement.part);
            let is_bone = movement.part.kind == ElementKind::Bone;
            jumps.push(Jump {
                moment: at(movement.frame),
                bone: part.filter(|_| is_bone).map(BoneId),
                mesh: part.filter(|_| !is_bone).map(MeshId),
                spot: Some(Spot { at: at(movement.frame), middle: movement.place, half: [0.0; 2] }),
            });
        }
        if let Some(frames) = clip.order.first() {
            jumps.push(Jump { moment: at(*frames.start()), ..Jump::default() });
        }
        if let Some(picture) = &clip.picture {
            let [min, max] = [picture.area.min, picture.area.max].map(|at| at.map(f64::from));
            let [[x0, y0], [x1, y1]] = [min, max];
            let middle = [f64::midpoint(x0, x1), f64::midpoint(y0, y1), 0.0];
            let half = [(x1 - x0) / 2.0, (y1 - y0) / 2.0];
            let spot = Some(Spot { at: at(picture.frame), middle, half });
            jumps.push(Jump { moment: at(picture.frame), spot, ..Jump::default() });
        }
        let name = clip.clip.as_ref().map_or_else(String::new, |clip| clip.name.clone());
        let mut jumps = jumps.into_iter();
        let row = |text| ChangeRow {
            section: "In the picture",
            name: name.clone(),
            text,
            jump: jumps.next().unwrap_or_default(),
            is_only_in_other: false,
        };
        clip_words(clip, self.unit).into_iter().map(row).collect()
    }
}

/// Figures of the difference of two pictures, as `pchr-view compare` counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Figures {
    pub pixels: u64,
    /// Pixels that differ by more than the tolerance.
    pub outliers: u64,
    /// The largest difference of a channel, out of 255.
    pub largest: u8,
}

impl Figures {
    /// Takes the figures of a comparison with a tolerance.
    pub(crate) fn of(difference: &Difference, tolerance: u8) -> Self {
        Self {
            pixels: difference.pixels(),
            outliers: difference.outliers(tolerance),
            largest: difference.largest().map_or(0, |largest| largest.difference),
        }
    }

    /// Returns them in a few words.
    pub(crate) fn in_words(&self) -> String {
        match (self.outliers, self.largest) {
            (0, 0) => "no pixel differs".to_owned(),
            (0, largest) => format!("rounding only, by up to {largest} of 255"),
            (outliers, largest) => {
                let pixels = count(outliers, "pixel differs", "pixels differ");
                format!("{pixels} by up to {largest} of 255")
            }
        }
    }
}

/// Moment of a file, its cross-fade, and its overrides.
pub(crate) type MeasuredSide = (Option<FrameAt>, Option<Mix>, ViewOptions);

/// Pictures to measure: both files at a moment, with one camera.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FiguresJob {
    pub id: CompareId,
    /// Each file; `None` for one that lacks the animation.
    pub sides: [Option<MeasuredSide>; 2],
    pub picture: Picture,
}
