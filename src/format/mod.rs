//! File formats, recognised by content.
#![deny(clippy::arithmetic_side_effects)]

#[cfg(feature = "json")]
pub mod json;
pub mod legacy;
#[cfg(feature = "json")]
mod losses;
pub mod pchr;
mod sidecar;

use std::borrow::Cow;

use crate::document::{Document, Invalid};

#[cfg(feature = "json")]
pub use losses::{Loss, Losses};
pub use sidecar::{NoSidecars, SidecarError, Sidecars};

/// Reads a file that needs no others, of any format that is known; see [`read_with`].
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Document, Invalid> {
    read_with(bytes, &mut NoSidecars)
}

/// Reads a file of any format that is known, recognised by its content. `sidecars` gives the images that a JSON file
/// names.
///
/// The bytes are kept in the document: pass a `Vec<u8>` that was read, or a `&'static [u8]` that is embedded.
/// Images are not decoded.
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read_with(
    bytes: impl Into<Cow<'static, [u8]>>,
    #[cfg_attr(
        not(feature = "json"),
        expect(unused_variables, reason = "only JSON names files")
    )]
    sidecars: &mut dyn Sidecars,
) -> Result<Document, Invalid> {
    let bytes = bytes.into();
    if legacy::is_legacy(&bytes) {
        return legacy::read(&bytes);
    }
    #[cfg(feature = "json")]
    if json::looks_like_json(&bytes) {
        return json::read(&bytes, sidecars);
    }
    match pchr::read(bytes) {
        Err((_, bytes)) if legacy::looks_legacy(&bytes) => legacy::read(&bytes),
        Err((invalid, _)) => Err(invalid),
        Ok(document) => Ok(document),
    }
}
