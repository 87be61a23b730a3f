//! Subjects: content of any kind that can be opened, posed and drawn; and their meshes in draw order, back to front, with the viewer's
//! changes.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::Bounds;
use super::bones::{Curve, KeyRows, Mark, Spatial};
use crate::document::{
    AnimationId, Bone, BoneId, BoneTransform, ImageId, Images, Mesh, MeshId, named,
};
use crate::finding::Findings;
use crate::playback::{FrameAt, Mix, Timeline};
use crate::pose::{BindChoice, BindPose, Palettes, Pose};

/// Constant part of a subject: triangles and their images. Both renderers upload it once.
pub trait Geometry: Images + fmt::Debug {
    /// Returns the number of meshes.
    fn mesh_count(&self) -> usize;

    /// Returns one mesh; `None` if there is no such mesh.
    fn mesh(&self, id: MeshId) -> Option<Mesh<'_>>;

    /// Returns the number of matrices in the palette that skins the vertices; by default none.
    fn palette_len(&self) -> usize {
        0
    }

    /// Returns a number that differs from that of other meshes, so that a frame drawn with another subject's model is an error;
    /// `None` compares only the numbers of meshes and matrices. [`crate::document::Fingerprint`] computes it.
    fn fingerprint(&self) -> Option<u64> {
        None
    }
}

impl dyn Geometry + '_ {
    /// Returns all meshes in order.
    pub fn meshes(&self) -> impl Iterator<Item = Mesh<'_>> + Clone {
        self.mesh_ids().filter_map(|id| self.mesh(id))
    }

    /// Returns the id of each mesh.
    pub fn mesh_ids(&self) -> impl Iterator<Item = MeshId> + Clone + use<> {
        (0..=u16::MAX).map(MeshId).take(self.mesh_count())
    }

    /// Returns the image of a mesh.
    pub(crate) fn image_of(&self, id: MeshId) -> Option<ImageId> {
        self.mesh(id).map(|mesh| mesh.image())
    }
}

/// Content that plays: it fills a [`super::Frame`] for any moment. Renderers, overlays, captures and the window use this interface
/// and never ask for the kind of content.
pub trait Subject: Geometry {
    /// Returns the number of bones; by default there are none.
    fn bone_count(&self) -> usize {
        0
    }

    /// Returns one bone; `None` if there is no such bone. Parents come before children.
    fn bone(&self, id: BoneId) -> Option<Bone<'_>> {
        let _ = id;
        None
    }

    /// Returns the bone that controls a mesh's order and visibility; `None` if none does.
    fn owner(&self, mesh: MeshId) -> Option<BoneId> {
        let _ = mesh;
        None
    }

    /// Fills the palette and the bones' transforms at a moment; `None` shows the vertices as stored. By default all moments do.
    fn pose(&self, at: Option<FrameAt>, pose: &mut Pose) {
        pose.set_stored(at);
    }

    /// Fills the palette and the bones' transforms in a cross-fade from `at`. Content that cannot be blended is posed at the moment
    /// with more weight.
    fn mixed(&self, at: FrameAt, mix: Mix, pose: &mut Pose) {
        self.pose(Some(mix.owner(at)), pose);
    }

    /// Fills the palettes of many moments at once. Returns false if the content is posed moment by moment.
    fn palettes(&self, moments: &[FrameAt], palettes: &mut Palettes) -> bool {
        let _ = (moments, palettes);
        false
    }

    /// Returns true if cross-fades blend the bones. Otherwise they cut from one moment to the other.
    fn can_mix(&self) -> bool {
        false
    }

    /// Adds one entry per mesh to `order`, as authored.
    fn order(&self, at: Option<FrameAt>, order: &mut Vec<MeshOrder>);

    /// Returns the number of animations.
    fn animation_count(&self) -> usize;

    /// Returns one animation; `None` if there is no such animation.
    fn animation(&self, id: AnimationId) -> Option<Clip<'_>>;

    /// Returns true if the file says that an animation loops; `None` if it says nothing.
    fn loops(&self, id: AnimationId) -> Option<bool> {
        self.animation(id).map(|clip| clip.timeline.looping)
    }

    /// Returns the animation to show first; `None` if none has a frame.
    fn default_animation(&self) -> Option<AnimationId>;

    /// Returns the animation that shows the content of all others, used when all are requested; `None` if they are taken one by one.
    fn all(&self) -> Option<AnimationId> {
        None
    }

    /// Returns the number of frames of an animation that can differ, by default all; 0 if there is no such animation.
    fn distinct_frames(&self, id: AnimationId) -> u16 {
        self.animation(id).map_or(0, |clip| clip.timeline.frame_count)
    }

    /// Returns a sweep that measures the drawing over frames. Only meshes that `view` shows count.
    fn sweep<'a>(&'a self, view: &'a ViewOptions) -> Box<dyn Sweep + 'a>;

    /// Returns the format and size of the file, and the frame rate that it states.
    fn file(&self) -> FileFacts<'_>;

    /// Returns the warnings found when the file was read.
    fn warnings(&self) -> &Findings;

    /// Returns the transform of a bone relative to its parent at a moment, blended if frames are; `None` if the content states
    /// none.
    fn local(&self, bone: BoneId, at: FrameAt) -> Option<BoneTransform> {
        let _ = (bone, at);
        None
    }

    /// Returns the data of the content's kind that only some programs know, such as the atlas whose sprites are the meshes.
    fn data(&self) -> Option<&dyn Any> {
        None
    }

    /// Returns true if smaller copies of the images may be drawn when zoomed out. Those of an atlas page would mix each sprite with its
    /// neighbours.
    fn allows_mipmaps(&self) -> bool {
        true
    }

    /// Returns the frame that shows a mesh, for a subject whose frames are its meshes: in the animation `near` if that has one,
    /// else in the one that the mesh belongs to.
    fn moment_of(&self, mesh: MeshId, near: Option<AnimationId>) -> Option<FrameAt> {
        let _ = (mesh, near);
        None
    }

    /// Returns the bones that move in space, for a subject that has them.
    fn spatial(&self) -> Option<&dyn Spatial> {
        None
    }

    /// Returns the figures of a crowd, for a subject that is one.
    fn crowd(&self) -> Option<&dyn Crowded> {
        None
    }

    /// Returns the curves of a bone over the frames of an animation.
    fn curves(&self, bone: BoneId, animation: AnimationId) -> Vec<Curve> {
        let _ = (bone, animation);
        Vec::new()
    }

    /// Returns the frames on which each bone has keys, or on which it moves if every frame is a sample. Bones without any are left
    /// out. Of a huge animation only the beginning may be searched.
    fn key_rows(&self, animation: AnimationId) -> KeyRows {
        let _ = animation;
        KeyRows::default()
    }

    /// Returns the marks of an animation, in order.
    fn marks(&self, animation: AnimationId) -> Vec<Mark> {
        let _ = animation;
        Vec::new()
    }

    /// Returns the bind pose interface, for a subject that has a bind pose.
    fn skinned(&self) -> Option<&dyn Skinned> {
        None
    }
}

/// Interface of subjects whose vertices are stored in a bind pose, which the file may not name.
pub trait Skinned {
    /// Returns the pose in which the vertices are stored.
    fn bind(&self) -> &BindPose;

    /// Returns the same subject with another bind pose.
    fn with_bind(&self, choice: BindChoice) -> Arc<dyn Subject>;

    /// Returns a warning for each bone without an inverse in the bind pose.
    fn bind_warnings(&self) -> Findings;
}

/// Interface of subjects that are many figures of one model. What a [`Subject`] says about itself (its pose, its order, its bones) is true
/// of one of them, whose origin is that of the world.
pub trait Crowded {
    /// Returns the subject of which each figure is one. It has the same meshes, images and bones; its animations have the same ids, and the
    /// crowd may have more.
    fn one(&self) -> &Arc<dyn Subject>;

    /// Returns the world position of the origin of each figure, from the farthest to the nearest.
    fn origins(&self) -> &[[f32; 2]];

    /// Returns the moment of a figure, by index, at a moment of the crowd: a whole frame of [`Self::one`].
    fn moment(&self, figure: usize, at: Option<FrameAt>) -> Option<FrameAt>;

    /// Returns bounds of a figure over the animations that figures play by themselves, as if its origin were that of the world; `None` if
    /// nothing of it is drawn in them.
    fn bounds_of_one(&self) -> Option<Bounds>;
}

impl dyn Crowded + '_ {
    /// Returns the moment and the origin of each figure, from the farthest to the nearest.
    pub fn figures(
        &self,
        at: Option<FrameAt>,
    ) -> impl Iterator<Item = (Option<FrameAt>, [f32; 2])> {
        let origins = self.origins().iter().enumerate();
        origins.map(move |(figure, origin)| (self.moment(figure, at), *origin))
    }
}

/// Returns the same subject with the chosen bind pose, if it has one.
#[must_use]
pub fn with_bind(subject: &Arc<dyn Subject>, choice: BindChoice) -> Arc<dyn Subject> {
    match (choice, subject.skinned()) {
        (BindChoice::Auto, _) | (_, None) => Arc::clone(subject),
        (chosen, Some(skinned)) => skinned.with_bind(chosen),
    }
}

/// Facts about the file that a subject was read from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FileFacts<'a> {
    /// Name of the format.
    pub format: &'a str,
    /// Size in bytes, without separate image files.
    pub bytes: u64,
    /// Frames per second for all animations; `None` if the file states none.
    pub fps: Option<f64>,
}

impl dyn Subject + '_ {
    /// Returns the id of each animation.
    pub fn animation_ids(&self) -> impl ExactSizeIterator<Item = AnimationId> + Clone + use<> {
        AnimationId::first(self.animation_count())
    }

    /// Returns the name of each animation.
    pub fn animation_names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.animation_ids().map(|id| self.animation_name(id))
    }

    /// Returns the name of an animation; empty if there is no such animation.
    #[must_use]
    pub fn animation_name(&self, id: AnimationId) -> &str {
        self.animation(id).map_or("", |clip| clip.name)
    }

    /// Returns the first animation with a name.
    #[must_use]
    pub fn animation_named(&self, name: &str) -> Option<AnimationId> {
        named(self.animation_names(), name).map(AnimationId)
    }

    /// Returns the first mesh with a name.
    #[must_use]
    pub fn mesh_named(&self, name: &str) -> Option<MeshId> {
        named(self.mesh_names(), name).map(MeshId)
    }

    /// Returns the first bone with a name.
    #[must_use]
    pub fn bone_named(&self, name: &str) -> Option<BoneId> {
        named(self.bone_names(), name).map(BoneId)
    }

    /// Returns the timeline of each animation, as authored: index = animation index.
    #[must_use]
    pub fn timelines(&self) -> Vec<Timeline> {
        let clips = self.animation_ids().filter_map(|id| self.animation(id));
        clips.map(|clip| clip.timeline).collect()
    }

    /// Returns the bind pose; `None` if the subject has none.
    #[must_use]
    pub fn bind(&self) -> Option<&BindPose> {
        self.skinned().map(Skinned::bind)
    }

    /// Returns the number of frames of an animation; 0 if there is no such animation.
    #[must_use]
    pub fn frame_count(&self, id: AnimationId) -> u16 {
        self.animation(id).map_or(0, |clip| clip.timeline.frame_count)
    }

    /// Returns the name of each mesh.
    pub fn mesh_names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        MeshId::first(self.mesh_count()).map(|id| self.mesh(id).map_or("", |mesh| mesh.name()))
    }

    /// Returns the name of each bone.
    pub fn bone_names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        BoneId::first(self.bone_count()).map(|id| self.bone(id).map_or("", |bone| bone.name()))
    }

    /// Returns all bones in order.
    pub fn bones(&self) -> impl Iterator<Item = Bone<'_>> + Clone {
        let ids = (0..=u16::MAX).map(BoneId).take(self.bone_count());
        ids.filter_map(|id| self.bone(id))
    }

    /// Returns the moments of an animation that can differ.
    pub fn moments(&self, id: AnimationId) -> impl Iterator<Item = Option<FrameAt>> + use<> {
        let exact = move |frame| Some(FrameAt::exact(id, frame));
        (0..self.distinct_frames(id)).map(exact)
    }
}

/// An animation of a subject: its name, and its timeline as authored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clip<'a> {
    /// Its name; need not be unique.
    pub name: &'a str,
    /// Length, rate and loop.
    pub timeline: Timeline,
}

/// Measures the drawing over many moments of one subject.
pub trait Sweep {
    /// Returns the union over `moments`; `None` if nothing is drawn in any. Positions that are not finite are ignored.
    fn over(&mut self, moments: &mut dyn Iterator<Item = Option<FrameAt>>) -> Option<Bounds>;

    /// Returns true if all bounds so far are exact, as by default; else they are only large enough.
    fn is_exact(&self) -> bool {
        true
    }
}

/// Changes that a program makes to a subject as it is shown: meshes that it hides or reorders, and a cross-fade. By default none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewOptions {
    /// Changes per mesh, by mesh index. Missing entries change nothing.
    pub meshes: Vec<MeshView>,
    /// True to leave out the movement of the whole model.
    pub in_place: bool,
    /// Cross-fade from the moment that is shown to another.
    pub mix: Option<Mix>,
}

impl ViewOptions {
    /// Returns the changes to a mesh, to be made.
    ///
    /// ```
    /// # use pchr::{document::MeshId, scene::ViewOptions};
    /// # let hat = MeshId(3);
    /// let mut view = ViewOptions::default();
    /// view.mesh_mut(hat).visible = Some(false);
    /// ```
    pub fn mesh_mut(&mut self, mesh: MeshId) -> &mut MeshView {
        let index = mesh.index();
        if self.meshes.len() <= index {
            self.meshes.resize(index + 1, MeshView::default());
        }
        #[expect(clippy::indexing_slicing, reason = "it has that many")]
        &mut self.meshes[index]
    }
}

/// Changes that a program makes to one mesh; by default none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeshView {
    /// Overrides the visibility that the frame states.
    pub visible: Option<bool>,
    /// Overrides the owner's `zOrder`. Fractions lie between whole orders.
    pub z_order: Option<f64>,
}

impl MeshView {
    /// Returns the order and visibility of a mesh with these changes.
    pub(super) fn of(self, authored: MeshOrder) -> MeshOrder {
        MeshOrder {
            visible: self.visible.unwrap_or(authored.visible),
            z_order: self.z_order.unwrap_or(authored.z_order),
        }
    }
}

/// One mesh to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Draw {
    /// The mesh.
    pub mesh: MeshId,
    /// Image with its texels.
    pub image: ImageId,
}

/// Visible meshes in draw order: ascending `(zOrder, mesh index)`.
#[derive(Clone, Debug, Default)]
pub struct DrawList {
    draws: Vec<Draw>,
    meshes: usize,
    /// Fingerprint of its subject's meshes, if known.
    fingerprint: Option<u64>,
    revision: u64,
}

impl DrawList {
    /// Returns the meshes, back to front.
    #[must_use]
    pub fn draws(&self) -> &[Draw] {
        &self.draws
    }

    /// Returns a number that changes whenever the list does, within one [`super::Frame`].
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the number of meshes of its subject, visible or not.
    #[must_use]
    pub fn mesh_count(&self) -> usize {
        self.meshes
    }

    /// Returns the [fingerprint](super::Geometry::fingerprint) of its subject, if known.
    #[must_use]
    pub fn fingerprint(&self) -> Option<u64> {
        self.fingerprint
    }

    /// Notes the subject that it is filled for.
    pub(super) fn set_fingerprint(&mut self, fingerprint: Option<u64>) {
        self.fingerprint = fingerprint;
    }

    /// Returns the number of runs of meshes with the same image, each of which is one draw.
    #[must_use]
    pub fn run_count(&self) -> usize {
        let mut last = None;
        let starts = |draw: &&Draw| last.replace(draw.image) != Some(draw.image);
        self.draws.iter().filter(starts).count()
    }

    /// Sorts the list again; `order` has one entry per mesh.
    pub(super) fn sort(
        &mut self,
        order: &[MeshOrder],
        image_of: impl Fn(MeshId) -> Option<ImageId>,
    ) {
        self.revision = self.revision.wrapping_add(1);
        self.meshes = order.len();
        self.draws.clear();
        self.draws.reserve(order.len()); // so that showing more meshes later allocates nothing
        let meshes = (0..=u16::MAX).map(MeshId).zip(order);
        let visible = meshes.filter(|(_, order)| order.visible);
        self.draws.extend(visible.filter_map(|(mesh, _)| {
            let image = image_of(mesh)?;
            Some(Draw { mesh, image })
        }));
        let z_order = |draw: &Draw| order.get(draw.mesh.index()).map_or(0.0, |order| order.z_order);
        // Unstable sorting does not allocate; the mesh index makes the order total.
        self.draws
            .sort_unstable_by(|a, b| z_order(a).total_cmp(&z_order(b)).then(a.mesh.cmp(&b.mesh)));
    }
}

/// Draw order and visibility of one mesh at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshOrder {
    /// False for a mesh that is not drawn.
    pub visible: bool,
    /// Draw order: higher values lie in front, and of equal ones the later mesh does. Fractions come from [`MeshView::z_order`].
    pub z_order: f64,
}

impl MeshOrder {
    /// Returns order and visibility that a bone's transform states for its meshes.
    #[must_use]
    pub fn of_owner(transform: &BoneTransform) -> Self {
        Self { visible: transform.visible(), z_order: transform.z_order.into() }
    }
}

impl Default for MeshOrder {
    /// Returns a visible mesh with draw order 0.
    fn default() -> Self {
        Self { visible: true, z_order: 0.0 }
    }
}
