//! WGSL sources. A pipeline's shader is [`COMMON`] followed by its own file.
//!
#![doc = include_str!("../../shaders/README.md")]

/// Frame, model, skinning and projection to the screen. Names start with `common_`.
pub const COMMON: &str = include_str!("../../shaders/common.wgsl");

/// Draws skinned meshes.
pub const SKINNED: &str = include_str!("../../shaders/skinned.wgsl");

/// Draws crowds.
pub const CROWD: &str = include_str!("../../shaders/crowd.wgsl");

/// Draws overlays.
pub const OVERLAY: &str = include_str!("../../shaders/overlay.wgsl");

/// Draws overlays within the texels of an image.
pub const MASKED: &str = include_str!("../../shaders/masked.wgsl");

/// Lays the layers of ghosts.
pub const GHOST: &str = include_str!("../../shaders/ghost.wgsl");

/// Averages the samples of a picture.
pub const RESOLVE: &str = include_str!("../../shaders/resolve.wgsl");

/// Returns a whole shader: [`COMMON`] followed by `source`.
#[must_use]
pub fn with_common(source: &str) -> String {
    [COMMON, source].join("\n")
}
