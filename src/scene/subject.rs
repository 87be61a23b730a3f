//! Content that can be opened, posed and drawn, of any kind.

use std::fmt;
use std::sync::Arc;

use super::curve::{Curve, KeyRows, Mark};
#[cfg(feature = "motion")]
use super::spatial::Spatial;
use super::{Bounds, MeshOrder, ViewOptions};
#[cfg(feature = "atlas")]
use crate::atlas::Atlas;
use crate::document::{AnimationId, Bone, BoneId, BoneTransform, ImageId, Images, Mesh, MeshId};
use crate::finding::Findings;
use crate::playback::{FrameAt, Timeline};
use crate::pose::{BindChoice, BindPose, Pose};

/// Constant part of a subject: triangles, and the images that they are drawn from. Both renderers upload it once.
pub trait Geometry: Images + fmt::Debug {
    /// Number of meshes.
    fn mesh_count(&self) -> usize;

    /// One mesh; `None` if there are not as many.
    fn mesh(&self, id: MeshId) -> Option<Mesh<'_>>;

    /// Number of matrices in the palette that skins the vertices.
    fn palette_len(&self) -> usize;
}

impl dyn Geometry + '_ {
    /// All meshes in order.
    pub fn meshes(&self) -> impl Iterator<Item = Mesh<'_>> + Clone {
        self.mesh_ids().filter_map(|id| self.mesh(id))
    }

    /// The id of each mesh.
    pub fn mesh_ids(&self) -> impl Iterator<Item = MeshId> + Clone + use<> {
        (0..=u16::MAX).map(MeshId).take(self.mesh_count())
    }

    /// The image that a mesh is drawn from.
    pub(crate) fn image_of(&self, id: MeshId) -> Option<ImageId> {
        self.mesh(id).map(|mesh| mesh.image())
    }
}

/// Something that plays: it fills a [`super::Frame`] for any moment. Renderers, overlays, captures and the window work on this and
/// never ask which kind of content it is.
pub trait Subject: Geometry {
    /// Number of bones.
    fn bone_count(&self) -> usize;

    /// One bone; `None` if there are not as many. Parents come before children.
    fn bone(&self, id: BoneId) -> Option<Bone<'_>>;

    /// The bone that decides about a mesh's order and visibility; `None` if none does.
    fn owner(&self, mesh: MeshId) -> Option<BoneId>;

    /// Fills the palette and the places of the bones at a moment; `None` shows the vertices as they are stored.
    fn pose(&self, at: Option<FrameAt>, pose: &mut Pose);

    /// Replaces what is in `order` by one entry a mesh, as the content itself has it.
    fn order(&self, at: Option<FrameAt>, order: &mut Vec<MeshOrder>);

    /// Number of animations.
    fn animation_count(&self) -> usize;

    /// One animation; `None` if there are not as many.
    fn animation(&self, id: AnimationId) -> Option<Clip<'_>>;

    /// The animation to show first; `None` if none has a frame.
    fn default_animation(&self) -> Option<AnimationId>;

    /// The animation that shows what all others do, which is meant where all are asked for; `None` if those are taken one by one.
    fn all(&self) -> Option<AnimationId> {
        None
    }

    /// Number of frames of an animation that can differ; 0 if there is no such animation.
    fn distinct_frames(&self, id: AnimationId) -> u16;

    /// Measures what is drawn over frames. Only meshes that `view` shows count.
    fn sweep<'a>(&'a self, view: &'a ViewOptions) -> Box<dyn Sweep + 'a>;

    /// The format and size of the file, and the frame rate that it states.
    fn file(&self) -> FileFacts<'_>;

    /// The warnings that were found when the file was read.
    fn warnings(&self) -> &Findings;

    /// Transform of a bone in its parent at a moment, blended where frames are; `None` if the content states none.
    fn local(&self, bone: BoneId, at: FrameAt) -> Option<BoneTransform> {
        let _ = (bone, at);
        None
    }

    /// The atlas whose sprites are the meshes, in their order, of a subject that has one.
    #[cfg(feature = "atlas")]
    fn atlas(&self) -> Option<&Atlas> {
        None
    }

    /// The frame that shows a mesh, of a subject whose frames are its meshes: in the animation `near` if that has one, else in the
    /// one that the mesh belongs to.
    fn moment_of(&self, mesh: MeshId, near: Option<AnimationId>) -> Option<FrameAt> {
        let _ = (mesh, near);
        None
    }

    /// Bones that move in space, of a subject that has such.
    #[cfg(feature = "motion")]
    fn spatial(&self) -> Option<&dyn Spatial> {
        None
    }

    /// Curves of a bone over the frames of an animation.
    fn curves(&self, bone: BoneId, animation: AnimationId) -> Vec<Curve> {
        let _ = (bone, animation);
        Vec::new()
    }

    /// The frames on which each bone has keys, or moves where every frame is a sample; bones without any are left out. Of a huge
    /// animation only the beginning may be looked at.
    fn key_rows(&self, animation: AnimationId) -> KeyRows {
        let _ = animation;
        KeyRows::default()
    }

    /// Remarkable frames of an animation, in their order.
    fn marks(&self, animation: AnimationId) -> Vec<Mark> {
        let _ = animation;
        Vec::new()
    }

    /// The bind pose, of a subject that has one.
    fn skinned(&self) -> Option<&dyn Skinned> {
        None
    }
}

/// Capability of a subject whose vertices are stored in a bind pose, which its file may not name.
pub trait Skinned {
    /// The pose that the vertices are stored in.
    fn bind(&self) -> &BindPose;

    /// The same subject with another bind pose.
    fn with_bind(&self, choice: BindChoice) -> Arc<dyn Subject>;

    /// A warning for each bone without an inverse in the bind pose.
    fn bind_warnings(&self) -> Findings;
}

/// The same subject with the bind pose that is chosen, if it has one.
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
    /// Name of its format.
    pub format: &'a str,
    /// Its size in bytes, images beside it not included.
    pub bytes: u64,
    /// Frames per second that it states for all animations; `None` if it states none.
    pub fps: Option<f64>,
}

impl dyn Subject + '_ {
    /// The id of each animation.
    pub fn animation_ids(&self) -> impl ExactSizeIterator<Item = AnimationId> + Clone + use<> {
        (0..self.animation_count()).map(|id| AnimationId(short(id)))
    }

    /// Name of each animation.
    pub fn animation_names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.animation_ids().map(|id| self.animation_name(id))
    }

    /// Name of an animation; empty if there is none.
    #[must_use]
    pub fn animation_name(&self, id: AnimationId) -> &str {
        self.animation(id).map_or("", |clip| clip.name)
    }

    /// Time line of each animation, as the content itself has it: index = animation index.
    #[must_use]
    pub fn timelines(&self) -> Vec<Timeline> {
        let clips = self.animation_ids().filter_map(|id| self.animation(id));
        clips.map(|clip| clip.timeline).collect()
    }

    /// The bind pose; `None` if the subject has none.
    #[must_use]
    pub fn bind(&self) -> Option<&BindPose> {
        self.skinned().map(Skinned::bind)
    }

    /// Number of frames of an animation; 0 if there is no such animation.
    #[must_use]
    pub fn frame_count(&self, id: AnimationId) -> u16 {
        let clip = self.animation(id);
        clip.map_or(0, |clip| clip.timeline.frame_count)
    }

    /// Name of each mesh.
    pub fn mesh_names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        let ids = (0..self.mesh_count()).map(|id| MeshId(short(id)));
        ids.map(|id| self.mesh(id).map_or("", |mesh| mesh.name()))
    }

    /// Name of each bone.
    pub fn bone_names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        let ids = (0..self.bone_count()).map(|id| BoneId(short(id)));
        ids.map(|id| self.bone(id).map_or("", |bone| bone.name()))
    }

    /// All bones in order.
    pub fn bones(&self) -> impl Iterator<Item = Bone<'_>> + Clone {
        let ids = (0..=u16::MAX).map(BoneId).take(self.bone_count());
        ids.filter_map(|id| self.bone(id))
    }

    /// The moments of an animation that can differ.
    pub fn moments(&self, id: AnimationId) -> impl Iterator<Item = Option<FrameAt>> + use<> {
        let exact = move |frame| Some(FrameAt::exact(id, frame));
        (0..self.distinct_frames(id)).map(exact)
    }
}

/// An animation of a subject: its name, and its time line as the content itself has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clip<'a> {
    /// Its name; need not be unique.
    pub name: &'a str,
    /// Length, rate and loop.
    pub timeline: Timeline,
}

/// Counts fit in 16 bits, as ids do.
fn short(index: usize) -> u16 {
    let short = u16::try_from(index);
    debug_assert!(short.is_ok(), "a subject has at most 65,536 of anything");
    short.unwrap_or(u16::MAX)
}

/// Measures what is drawn over many moments of one subject.
pub trait Sweep {
    /// The union over `moments`; `None` if nothing is drawn in any. Positions that are not finite do not count.
    fn over(&mut self, moments: &mut dyn Iterator<Item = Option<FrameAt>>) -> Option<Bounds>;

    /// Returns whether all bounds so far are exact, and not only large enough.
    fn is_exact(&self) -> bool;
}
