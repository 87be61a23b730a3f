//! Scene data for both renderers: meshes, draw order, cameras and overlays.
//!
//! A [`Subject`] fills a [`Frame`] (pose, and meshes back to front) for a moment. [`Camera2d`] says where the world lies in the
//! picture, [`Bounds`] what the picture must hold, [`PickJob`] finds the mesh under a point, and [`WorkJob`] checks whether it can be
//! drawn in good time. No kind of content and no GPU type is known here.

mod bake;
mod bones;
mod bones_in_view;
mod budget_rules_and_work;
mod camera;
mod frame;
mod orbit;
mod overlay;
#[cfg(feature = "png")]
mod pick;
mod smoothness;
mod subject;

pub use bake::{Bake, TooLarge};
pub use bones::{
    Curve, CurveKind, CurveKinds, KeyRow, KeyRows, Mark, MarkKind, PoseMemory, RowKey, Spatial,
    SpatialPose, Transform, Unit, UpAxis,
};
pub use bones_in_view::{BoneHit, TIP, measure, measure_mixed, pick_bone};
pub use budget_rules_and_work::{BudgetRule, TooMuchWork, WorkJob};
pub use camera::{Bounds, Camera, Camera2d, Filter, Picture, Samples};
#[cfg(feature = "png")]
pub use frame::Ghost;
#[cfg(any(feature = "raster", feature = "render"))]
pub use frame::WrongSubject;
pub use frame::{CrowdFrames, Frame, PlainSweep};
pub use orbit::{
    Direction, FRONT, MOST_FOV, OBLIQUE, OrbitCamera, OrbitView, SIDE, Seen, TOP, ViewBounds,
};
pub use overlay::{MaskedVertex, Overlay, OverlayVertex};
#[cfg(feature = "png")]
pub use pick::{PICK_ALPHA, Pick, PickJob, PickScratch};
pub use smoothness::{
    ClipEnd, ClipSmoothness, Jump, Pop, PopKind, Seam, SmoothnessJob, SmoothnessRule,
};
pub use subject::{
    Clip, Crowded, Draw, DrawList, FileFacts, Geometry, MeshOrder, MeshView, Skinned, Subject,
    Sweep, ViewOptions, with_bind,
};

#[cfg(any(feature = "raster", feature = "render"))]
pub(crate) use frame::GeometryFacts;
pub(crate) use frame::Span;

/// Part of the picture that a fit leaves free on each side.
pub const FIT_MARGIN: f64 = 0.05;
