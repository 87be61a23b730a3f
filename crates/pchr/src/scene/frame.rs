//! A subject at a moment, ready to be drawn: its pose, and its meshes back to front; the same of a crowd's figures; the error of
//! drawing it with the model of another subject; and what frames of vertices take up, measured plainly.

use std::collections::HashMap;

use super::bones::SpatialPose;
use super::camera::Bounds;
#[cfg(any(feature = "raster", feature = "render"))]
use super::subject::Geometry;
use super::subject::{Crowded, Draw, DrawList, MeshOrder, MeshView, Subject, Sweep, ViewOptions};
use crate::document::{AnimationId, Mesh, MeshId};
#[cfg(feature = "png")]
use crate::image::Tint;
use crate::pose::{Affine, FrameAt, LocalPose, Mix, Pose, transform_point};

/// Pose and draw list of a subject at a moment. Reuses its memory, and sorts only if order or visibility changed.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pose: Pose,
    spatial: SpatialPose,
    in_place: bool,
    authored: Vec<MeshOrder>,
    changes: Vec<MeshView>,
    shown: Vec<MeshOrder>,
    list: DrawList,
}

impl Frame {
    /// Creates a frame for a moment of `subject`, with the changes of `view`.
    #[must_use]
    pub fn new(subject: &dyn Subject, at: Option<FrameAt>, view: &ViewOptions) -> Self {
        let mut frame = Self::default();
        frame.fill(subject, at, view);
        frame
    }

    /// Fills it for a moment of `subject`, with the changes of `view`. A moment that does not exist counts as `None`: vertices as
    /// stored, and every mesh.
    pub fn fill(&mut self, subject: &dyn Subject, at: Option<FrameAt>, view: &ViewOptions) {
        self.fill_mixed(subject, at, view.mix, view);
    }

    /// Fills it for a cross-fade from a moment of `subject`, instead of that of `view`.
    pub fn fill_mixed(
        &mut self,
        subject: &dyn Subject,
        at: Option<FrameAt>,
        mix: Option<Mix>,
        view: &ViewOptions,
    ) {
        self.fill_pose(subject, at, mix, view);
        self.fill_order(subject, view);
    }

    /// Fills the pose alone: the first step of [`Self::fill_mixed`]. [`Self::fill_order`] is the second.
    pub fn fill_pose(
        &mut self,
        subject: &dyn Subject,
        at: Option<FrameAt>,
        mix: Option<Mix>,
        view: &ViewOptions,
    ) {
        let mixed = at.zip(mix);
        match mixed {
            Some((at, mix)) => subject.mixed(at, mix, &mut self.pose),
            None => subject.pose(at, &mut self.pose),
        }
        match (subject.spatial(), mixed) {
            (Some(spatial), Some((at, mix))) => {
                spatial.mixed(at, mix, view.in_place, &mut self.spatial);
            }
            (Some(spatial), None) => spatial.pose(at, view.in_place, &mut self.spatial),
            (None, _) => self.spatial.clear(),
        }
        self.in_place = view.in_place;
    }

    /// Fills the draw list for the moment of the pose.
    pub fn fill_order(&mut self, subject: &dyn Subject, view: &ViewOptions) {
        self.authored.clear();
        subject.order(self.pose.at(), &mut self.authored);
        self.arrange(subject, view);
    }

    /// Fills it for a pose that the caller made of local transforms, which also determine the order and visibility of meshes.
    /// Returns false, and shows the vertices as stored, if `subject` has no bind pose, if that is
    /// [`BindSource::Absent`](crate::pose::BindSource::Absent), or if `locals` has another number of bones, such as those of another
    /// character or of a frame that does not exist. `view.mix` is ignored: blend with
    /// [`LocalPose::blend_towards`](crate::pose::LocalPose::blend_towards), then override bones.
    pub fn fill_with(
        &mut self,
        subject: &dyn Subject,
        locals: &LocalPose,
        view: &ViewOptions,
    ) -> bool {
        self.spatial.clear();
        let bind = subject.bind();
        let bones = locals.transforms().len();
        match bind.filter(|bind| bind.bone_from_bind().len() == bones) {
            Some(bind) => self.pose.set_locals(bind, locals),
            None => self.pose.set_stored(None),
        }
        let geometry: &dyn super::Geometry = subject;
        self.authored.clear();
        self.authored.extend(geometry.mesh_ids().map(|mesh| {
            let owner = subject.owner(mesh).and_then(|owner| locals.get(owner));
            owner.map_or_else(MeshOrder::default, MeshOrder::of_owner)
        }));
        self.arrange(subject, view);
        self.pose.is_skinned()
    }

    /// Sorts the meshes, if order or visibility changed.
    fn arrange(&mut self, subject: &dyn Subject, view: &ViewOptions) {
        self.list.set_fingerprint(subject.fingerprint());
        self.changes.clone_from(&view.meshes);
        let mut changed = self.list.revision() == 0 || self.shown.len() != self.authored.len();
        self.shown.resize(self.authored.len(), MeshOrder::default());
        for (i, (shown, authored)) in self.shown.iter_mut().zip(&self.authored).enumerate() {
            let now = view.meshes.get(i).map_or(*authored, |view| view.of(*authored));
            changed |= now != *shown;
            *shown = now;
        }
        if changed {
            let image_of = |mesh| (subject as &dyn super::Geometry).image_of(mesh);
            self.list.sort(&self.shown, image_of);
        }
    }

    /// Returns the moment; `None` if there is none: after [`Self::fill`] without a moment that exists, and after [`Self::fill_with`].
    /// [`Pose::is_skinned`] says whether the vertices are moved or shown as stored.
    #[must_use]
    pub fn at(&self) -> Option<FrameAt> {
        self.pose.at()
    }

    /// Returns the palette and the bones' transforms.
    #[must_use]
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Appends the places of a mesh's vertices on the screen, as the renderers have them.
    pub(crate) fn project(
        &self,
        mesh: &Mesh<'_>,
        screen_from_world: &Affine,
        points: &mut Vec<[f32; 2]>,
    ) {
        let start = points.len();
        self.pose.place(mesh, points);
        for point in points.get_mut(start..).unwrap_or_default() {
            *point = transform_point(screen_from_world, *point);
        }
    }

    /// Returns the pose of bones in space; empty if the subject has none that move in space.
    #[must_use]
    pub fn spatial(&self) -> &SpatialPose {
        &self.spatial
    }

    /// Returns true if [`Self::spatial`] leaves out the movement of the whole model.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        self.in_place
    }

    /// Returns the meshes in draw order.
    #[must_use]
    pub fn list(&self) -> &DrawList {
        &self.list
    }

    /// Returns the drawn meshes, back to front.
    #[must_use]
    pub fn draws(&self) -> &[Draw] {
        self.list.draws()
    }

    /// Returns the changes to meshes that it was filled with, by mesh index. Missing entries change nothing.
    #[must_use]
    pub fn changes(&self) -> &[MeshView] {
        &self.changes
    }

    /// Returns the order and visibility of a mesh as shown; `None` if there is no such mesh.
    #[must_use]
    pub fn shown(&self, mesh: MeshId) -> Option<MeshOrder> {
        self.shown.get(mesh.index()).copied()
    }

    /// Returns the order and visibility of a mesh as authored; `None` if there is no such mesh.
    #[must_use]
    pub fn authored(&self, mesh: MeshId) -> Option<MeshOrder> {
        self.authored.get(mesh.index()).copied()
    }
}

/// Frames of the figures of a crowd at a moment. Figures on the same frame share it. Reuses its memory.
#[derive(Clone, Debug, Default)]
pub struct CrowdFrames {
    frames: Vec<Frame>,
    number_of: HashMap<Option<(AnimationId, u16)>, usize>,
    /// Number of the frame and origin of each figure.
    figures: Vec<(usize, [f32; 2])>,
    view: ViewOptions,
}

impl CrowdFrames {
    /// Fills them for the moment of a crowd's frame, with the same changes to meshes.
    pub fn fill(&mut self, crowd: &dyn Crowded, frame: &Frame) {
        self.view.meshes.clear();
        self.view.meshes.extend_from_slice(frame.changes());
        self.number_of.clear();
        self.figures.clear();
        for (at, origin) in crowd.figures(frame.at()) {
            let next = self.number_of.len();
            let key = at.map(|at| (at.animation, at.frame));
            let number = *self.number_of.entry(key).or_insert(next);
            self.figures.push((number, origin));
            if number < next {
                continue;
            }
            if self.frames.len() == number {
                self.frames.push(Frame::default());
            }
            if let Some(frame) = self.frames.get_mut(number) {
                frame.fill(&**crowd.one(), at, &self.view);
            }
        }
    }

    /// Returns the frame and the origin of each figure, from the farthest to the nearest.
    pub fn figures(&self) -> impl Iterator<Item = (&Frame, [f32; 2])> {
        let figures = self.figures.iter();
        figures.filter_map(|(number, origin)| Some((self.frames.get(*number)?, *origin)))
    }

    /// Returns the number of draws that a graphics device needs for them: one for figures that follow each other in the same order, if that
    /// has one image; else one for each figure and run of meshes with the same image.
    #[must_use]
    pub fn draw_count(&self) -> usize {
        let mut last: Option<&[Draw]> = None;
        let draws = self.figures().map(|(frame, _)| {
            let runs = frame.list().run_count();
            let is_same = last.replace(frame.draws()) == Some(frame.draws());
            if is_same && runs == 1 { 0 } else { runs }
        });
        draws.sum()
    }
}

/// A whole frame that lies under the current one: drawn as a layer of its own, which is tinted and laid down as one, so that no
/// part of it shows through another.
#[cfg(feature = "png")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ghost {
    /// Its moment.
    pub at: FrameAt,
    /// Colour and opacity of the layer.
    pub tint: Tint,
}

/// A frame that cannot be of a model's subject: nothing is drawn. The numbers of meshes and bones are compared, and
/// [`super::Geometry::fingerprint`] if both have one, so that a frame is drawn with equal meshes only. Images may differ.
#[cfg(any(feature = "raster", feature = "render"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WrongSubject {
    /// The draw list is of a subject with another number of meshes.
    #[error("the frame is of a subject with {of_frame} meshes, but the model has {of_model}")]
    Meshes {
        /// Meshes of the frame's subject.
        of_frame: usize,
        /// Meshes of the model.
        of_model: usize,
    },
    /// The pose is of a subject with another number of bones.
    #[error("the pose has {of_frame} bones, but the model has {of_model}")]
    Bones {
        /// Bones of the pose.
        of_frame: usize,
        /// Bones of the model.
        of_model: usize,
    },
    /// The draw list is of a subject with other meshes.
    #[error("the frame is of another subject: its meshes are not those of the model")]
    Geometry,
    /// The instance was made for another model.
    #[error("the instance was made for another model")]
    Model,
}

#[cfg(any(feature = "raster", feature = "render"))]
impl WrongSubject {
    /// Checks that a frame can be of a subject with such `facts`. A list that was never filled, and a pose that shows vertices as
    /// stored, are of any.
    pub(crate) fn check(list: &DrawList, pose: &Pose, facts: GeometryFacts) -> Result<(), Self> {
        let GeometryFacts { meshes, bones, fingerprint } = facts;
        let (of_frame, of_model) = (list.mesh_count(), meshes);
        if list.revision() > 0 && of_frame != of_model {
            return Err(Self::Meshes { of_frame, of_model });
        }
        let (of_frame, of_model) = (pose.world_from_bind().len(), bones);
        if pose.is_skinned() && of_frame != of_model {
            return Err(Self::Bones { of_frame, of_model });
        }
        match (list.fingerprint(), fingerprint) {
            (Some(of_frame), Some(of_model)) if list.revision() > 0 && of_frame != of_model => {
                Err(Self::Geometry)
            }
            _ => Ok(()),
        }
    }
}

/// Facts about the subject of a model, which frames are compared with.
#[cfg(any(feature = "raster", feature = "render"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GeometryFacts {
    pub(crate) meshes: usize,
    /// Matrices in the palette.
    pub(crate) bones: usize,
    pub(crate) fingerprint: Option<u64>,
}

#[cfg(any(feature = "raster", feature = "render"))]
impl GeometryFacts {
    pub(crate) fn of(geometry: &dyn Geometry) -> Self {
        Self {
            meshes: geometry.mesh_count(),
            bones: geometry.palette_len(),
            fingerprint: geometry.fingerprint(),
        }
    }
}

/// A union of points; nothing at first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) min: [f32; 2],
    pub(crate) max: [f32; 2],
}

impl Span {
    pub(crate) const EMPTY: Self = Self { min: [f32::INFINITY; 2], max: [f32::NEG_INFINITY; 2] };

    #[inline]
    pub(crate) fn add(&mut self, point: [f32; 2]) {
        let [x, y] = point;
        if x.is_finite() && y.is_finite() {
            let ([left, bottom], [right, top]) = (self.min, self.max);
            self.min = [left.min(x), bottom.min(y)];
            self.max = [right.max(x), top.max(y)];
        }
    }

    /// Returns the union. A zero has no sign in it, so that it does not depend on the order of the points.
    pub(crate) fn bounds(self) -> Option<Bounds> {
        let [left, _] = self.min;
        left.is_finite().then(|| Bounds {
            min: self.min.map(|edge| edge + 0.0),
            max: self.max.map(|edge| edge + 0.0),
        })
    }
}

/// Measures by moving every vertex at every moment. Exact, but slow for many vertices and moments.
#[derive(Clone, Debug)]
pub struct PlainSweep<'a> {
    subject: &'a dyn Subject,
    view: &'a ViewOptions,
    frame: Frame,
    points: Vec<[f32; 2]>,
}

impl<'a> PlainSweep<'a> {
    /// Creates a sweep over moments of `subject`.
    #[must_use]
    pub fn new(subject: &'a dyn Subject, view: &'a ViewOptions) -> Self {
        Self { subject, view, frame: Frame::default(), points: Vec::new() }
    }

    /// Adds the drawing at a moment.
    pub(crate) fn add(&mut self, at: Option<FrameAt>, span: &mut Span) {
        let Self { subject, view, frame, points } = self;
        frame.fill(*subject, at, view);
        for mesh in frame.draws().iter().filter_map(|draw| subject.mesh(draw.mesh)) {
            points.clear();
            frame.pose().place(&mesh, points);
            points.iter().for_each(|point| span.add(*point));
        }
    }
}

impl Sweep for PlainSweep<'_> {
    fn over(&mut self, moments: &mut dyn Iterator<Item = Option<FrameAt>>) -> Option<Bounds> {
        let mut span = Span::EMPTY;
        for at in moments {
            self.add(at, &mut span);
        }
        span.bounds()
    }
}
