//! Bones of a subject: their numbers over the frames of an animation, frames with keys, and remarkable frames; transforms and poses in
//! space.

use std::any::Any;
use std::sync::Arc;

use glam::DAffine3;

use crate::document::{AnimationId, BoneId, BoneTransform};
use crate::playback::{FrameAt, Mix};

/// A number of a bone over the frames of an animation.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its name, like `x` or `rotation`.
    pub name: &'static str,
    /// The kind of number.
    pub kind: CurveKind,
    /// Value on each frame, from frame 0; NaN where there is none.
    pub values: Vec<f32>,
    /// Frames with keys in the file, ascending; `None` if the file has a sample on every frame.
    pub keys: Option<Vec<u16>>,
}

/// A kind of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CurveKind {
    /// Position relative to the parent, in units of the world.
    Translation,
    /// Rotation relative to the parent, in degrees.
    Rotation,
    /// Scale factor.
    Scale,
    /// 1 if the bone's meshes are shown, else 0. It changes in steps.
    Visible,
    /// Draw order. It changes in steps.
    Order,
}

impl CurveKind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Translation, Self::Rotation, Self::Scale, Self::Visible, Self::Order];

    /// Returns true if values change in steps from frame to frame.
    #[must_use]
    pub fn jumps(self) -> bool {
        matches!(self, Self::Visible | Self::Order)
    }
}

/// Frames on which a bone has keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    /// The bone.
    pub bone: BoneId,
    /// Its keys, by frame; each frame appears once.
    pub keys: Vec<RowKey>,
}

/// Frames on which all bones have keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyRows {
    /// A row for each bone that has keys.
    pub rows: Vec<KeyRow>,
    /// First frame that was not searched, if the animation was too large.
    pub left_out: Option<u16>,
}

/// All keys of a bone on a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowKey {
    /// The frame.
    pub frame: u16,
    /// Kinds of numbers with a key on the frame.
    pub kinds: CurveKinds,
}

/// A set of kinds of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CurveKinds(u8);

impl CurveKinds {
    /// Returns the kinds of numbers in which two transforms differ. A number that is none equals itself.
    pub(crate) fn between(a: &BoneTransform, b: &BoneTransform) -> Self {
        let differ = |a: f32, b: f32| a != b && a.to_bits() != b.to_bits();
        let found = [
            (CurveKind::Translation, differ(a.x, b.x) || differ(a.y, b.y)),
            (CurveKind::Rotation, differ(a.rotation, b.rotation)),
            (CurveKind::Scale, differ(a.scale_x, b.scale_x) || differ(a.scale_y, b.scale_y)),
            (CurveKind::Visible, a.visible() != b.visible()),
            (CurveKind::Order, a.z_order != b.z_order),
        ];
        let found = found.into_iter().filter(|(_, differs)| *differs);
        found.fold(Self::default(), |kinds, (kind, _)| kinds.with(kind))
    }

    /// Returns the set with `kind` added.
    #[must_use]
    pub fn with(self, kind: CurveKind) -> Self {
        Self(self.0 | 1 << kind as u8)
    }

    /// Returns the set with `kind` toggled.
    #[must_use]
    pub fn toggled(self, kind: CurveKind) -> Self {
        Self(self.0 ^ 1 << kind as u8)
    }

    /// Returns the union of both sets.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns true if a kind is in the set.
    #[must_use]
    pub fn has(self, kind: CurveKind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }

    /// Returns true if no kind is in the set.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// A notable frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The frame.
    pub frame: u16,
    /// Kind of mark.
    pub kind: MarkKind,
    /// Text of the mark, for people.
    pub text: String,
}

/// Kind of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MarkKind {
    /// A note in the file, also called an event.
    Note,
    /// Bones are shown or hidden from this frame on.
    Visible,
    /// The draw order changes on this frame.
    Order,
    /// A bone jumps on this frame. Added by programs that measure it with [`super::SmoothnessJob`].
    Jump,
}

/// A transform: scale first, then rotation, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Translation `x y z`.
    pub translation: [f64; 3],
    /// Rotation as a quaternion `x y z w`; of length 1 in valid files.
    pub rotation: [f64; 4],
    /// Scale `x y z`.
    pub scale: [f64; 3],
}

impl Transform {
    /// The identity transform.
    pub const IDENTITY: Self =
        Self { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] };

    /// Returns all numbers: translation, rotation, scale.
    pub fn numbers(&self) -> impl Iterator<Item = f64> + Clone + use<> {
        let numbers = self.translation.into_iter().chain(self.rotation);
        numbers.chain(self.scale)
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// The axis that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    /// Not stated: the skeleton's.
    #[default]
    Unknown,
    /// Y, as in glTF and PXD.
    Y,
    /// Z, as in Blender.
    Z,
}

/// Unit of translations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// That of the scene which a file is brought into.
    #[default]
    Scene,
    /// Metres.
    Metres,
    /// Centimetres.
    Centimetres,
}

/// Interface of subjects whose bones move in space.
pub trait Spatial {
    /// Returns the axis that points up; never unknown.
    fn up(&self) -> UpAxis;

    /// Returns the unit of positions.
    fn unit(&self) -> Unit;

    /// Poses all bones at a moment, or at rest if there is none. `in_place` leaves out the movement of the whole model.
    fn pose(&self, at: Option<FrameAt>, in_place: bool, pose: &mut SpatialPose);

    /// Poses all bones in a cross-fade from `at`. Content that cannot be blended is posed at the moment with more weight.
    fn mixed(&self, at: FrameAt, mix: Mix, in_place: bool, pose: &mut SpatialPose) {
        self.pose(Some(mix.owner(at)), in_place, pose);
    }

    /// Returns the transform of a bone relative to its parent, and in the world without the movement of the whole model, as last
    /// posed.
    fn transforms(&self, bone: BoneId, pose: &SpatialPose) -> Option<[Transform; 2]>;

    /// Returns true if an animation moves the whole model as well as its bones.
    fn has_root_motion(&self, animation: AnimationId) -> bool;

    /// Returns the number of frames of an animation in its file. It may exceed what can be shown.
    fn authored_frames(&self, animation: AnimationId) -> u32;

    /// Returns true if bones have parents. Otherwise bones with known positions are shown as points.
    fn has_skeleton(&self) -> bool;

    /// Returns true if bones are numbered for a skeleton that is missing.
    fn lacks_skeleton(&self) -> bool {
        false
    }

    /// Returns the number of tracks of a motion that numbers its bones, if there is one.
    fn numbered_tracks(&self) -> Option<usize> {
        None
    }

    /// Returns true if the position of a bone is known.
    fn has_place(&self, bone: BoneId) -> bool;
}

/// Transforms of bones in space. Reuses its memory for each pose.
#[derive(Clone, Debug, Default)]
pub struct SpatialPose {
    /// Map of each bone from its axes to the world.
    pub worlds: Vec<DAffine3>,
    /// Movement of the whole model, even if it is left out of the maps; `None` if there is none.
    pub root: Option<DAffine3>,
    /// Memory of the content that poses the bones.
    pub memory: PoseMemory,
}

impl SpatialPose {
    /// Removes all bones.
    pub(crate) fn clear(&mut self) {
        self.worlds.clear();
        self.root = None;
    }
}

/// Memory that a kind of content reuses from pose to pose, in a type of its own. Clones share it until they are posed again.
#[derive(Clone, Debug, Default)]
pub struct PoseMemory(Option<Arc<dyn Any + Send + Sync>>);

impl PoseMemory {
    /// Returns the memory as a type; its default if there is none, another type's, or one that clones share.
    pub fn of<T: Default + Send + Sync + 'static>(&mut self) -> &mut T {
        let own = self.0.as_mut().and_then(Arc::get_mut);
        if !own.is_some_and(|own| own.is::<T>()) {
            self.0 = Some(Arc::new(T::default()));
        }
        let own = self.0.as_mut().and_then(Arc::get_mut);
        #[expect(clippy::expect_used, reason = "it was just stored as this type")]
        own.and_then(|own| own.downcast_mut()).expect("the memory is of the type")
    }

    /// Returns the memory as a type, if it was last used as that.
    #[must_use]
    pub fn read<T: 'static>(&self) -> Option<&T> {
        self.0.as_deref()?.downcast_ref()
    }
}
