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

use pchr::finding::{Findings, Severity};

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

/// Checks that a refusal says why.
fn refused(found: &Findings, data: &[u8]) {
    assert!(found.first_error().is_some(), "an error says why");
    places(found, data);
}

/// Checks that what was read has no errors.
fn accepted(found: &Findings, data: &[u8]) {
    assert_eq!(found.total(Severity::Error), 0);
    places(found, data);
}

fn places(found: &Findings, data: &[u8]) {
    for finding in found {
        assert!(finding.offset <= data.len() as u64, "{finding}");
    }
}

/// Checks that all findings lie in lines of a text.
fn lines(found: &Findings) {
    assert!(found.iter().all(|finding| finding.text.is_some()), "{found:?}");
}

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
