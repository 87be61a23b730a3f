//! Scene data for both renderers: meshes, draw order, cameras and overlays.
//!
//! A [`Subject`] fills a [`Frame`] (pose, and meshes back to front) for a moment. [`Camera2d`] says where the world lies in the
//! picture, [`Bounds`] what the picture must hold, [`PickJob`] finds the mesh under a point, and [`WorkJob`] checks whether it can be
//! drawn in good time. No kind of content and no GPU type is known here.

mod bake;
mod bone_curves;
mod budget;
mod camera;
mod frame;
mod measure;
mod orbit;
mod overlay;
#[cfg(feature = "png")]
mod pick;
mod pick_bone;
mod smoothness;
mod spatial;
mod subject;
mod work;

pub use bake::{Bake, TooLarge};
pub use bone_curves::{
    Curve, CurveKind, CurveKinds, KeyRow, KeyRows, Mark, MarkKind, RowKey, Transform, Unit, UpAxis,
};
pub use budget::BudgetRule;
pub use camera::{Bounds, Camera, Camera2d};
#[cfg(feature = "png")]
pub use frame::Ghost;
#[cfg(any(feature = "raster", feature = "render"))]
pub use frame::WrongSubject;
pub use frame::{CrowdFrames, Frame};
pub use measure::{PlainSweep, TIP, measure, measure_mixed};
pub use orbit::{
    Direction, FRONT, MOST_FOV, OBLIQUE, OrbitCamera, OrbitView, SIDE, Seen, TOP, ViewBounds,
};
pub use overlay::{MaskedVertex, Overlay, OverlayVertex};
#[cfg(feature = "png")]
pub use pick::{PICK_ALPHA, Pick, PickJob, PickScratch};
pub use pick_bone::{BoneHit, pick_bone};
pub use smoothness::{
    ClipEnd, ClipSmoothness, Jump, Pop, PopKind, Seam, SmoothnessJob, SmoothnessRule,
};
pub use spatial::{PoseMemory, Spatial, SpatialPose};
pub use subject::{
    Clip, Crowded, Draw, DrawList, FileFacts, Geometry, MeshOrder, MeshView, Skinned, Subject,
    Sweep, ViewOptions, with_bind,
};
pub use work::{Filter, Picture, Samples, TooMuchWork, WorkJob};

#[cfg(any(feature = "raster", feature = "render"))]
pub(crate) use frame::GeometryFacts;

/// Part of the picture that a fit leaves free on each side.
pub const FIT_MARGIN: f64 = 0.05;
