//! The WGSL sources. Any pipeline's shader is [`COMMON`] and then its own file.

/// Frame, model, skinning and the way to the screen; names start with `common_`.
pub const COMMON: &str = include_str!("../../shaders/common.wgsl");

/// Draws skinned meshes.
pub const SKINNED: &str = include_str!("../../shaders/skinned.wgsl");

/// Draws overlays.
pub const OVERLAY: &str = include_str!("../../shaders/overlay.wgsl");

/// A whole shader: [`COMMON`] and what builds on it.
#[must_use]
pub fn with_common(source: &str) -> String {
    [COMMON, source].join("\n")
}
