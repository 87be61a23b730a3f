//! Fuzz targets, one per file.

mod build_draw;
mod build_write_read;
mod comparison;
mod images;
mod plans;
mod read_atlas_json;
mod read_gltf;
mod read_json;
mod read_pct;
mod read_pose_draw;
mod read_pxd;
mod read_seanim;
mod typeface;
mod write_read;

pub use build_draw::build_draw;
pub use build_write_read::build_write_read;
pub use comparison::comparison;
pub use images::images;
pub use plans::plans;
pub use read_atlas_json::read_atlas_json;
pub use read_gltf::read_gltf;
pub use read_json::read_json;
pub use read_pct::read_pct;
pub use read_pose_draw::read_pose_draw;
pub use read_pxd::read_pxd;
pub use read_seanim::read_seanim;
pub use typeface::typeface;
pub use write_read::write_read;

/// Name and function of a target.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const ALL: &[Target] = &[
    ("read_pose_draw", read_pose_draw),
    ("read_json", read_json),
    ("read_pct", read_pct),
    ("read_atlas_json", read_atlas_json),
    ("read_seanim", read_seanim),
    ("read_pxd", read_pxd),
    ("read_gltf", read_gltf),
    ("write_read", write_read),
    ("build_write_read", build_write_read),
    ("build_draw", build_draw),
    ("images", images),
    ("comparison", comparison),
    ("plans", plans),
    ("typeface", typeface),
];
