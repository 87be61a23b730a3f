//! Fuzz targets, one per file.

mod characters;
mod comparison;
mod images;
mod plans;
mod read_atlas_json;
mod read_gltf;
mod read_json;
mod read_pct;
mod read_pxd;
mod read_seanim;
mod typeface;
mod write_read;

use pchr::finding::{Findings, Severity};

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
        assert!(!finding.to_string().is_empty());
    }
}

/// Checks that all findings lie in lines of a text.
fn lines(found: &Findings) {
    assert!(found.iter().all(|finding| finding.text.is_some()), "{found:?}");
}

/// Name and function of a target.
pub type Target = (&'static str, fn(&[u8]));

macro_rules! targets {
    ($($module:ident: $($name:ident)*;)*) => {
        $(pub use $module::{$($name),*};)*

        /// All targets.
        pub const ALL: &[Target] = &[$($((stringify!($name), $name),)*)*];
    };
}

targets! {
    characters: read_pose_draw build_draw build_write_read; write_read: write_read; images: images; comparison: comparison;
    read_json: read_json; read_pct: read_pct; read_atlas_json: read_atlas_json; read_seanim: read_seanim; read_pxd: read_pxd;
    read_gltf: read_gltf; plans: plans; typeface: typeface;
}
