//! File formats, recognised by content.
#![deny(clippy::arithmetic_side_effects)]

mod legacy;
pub mod pchr;
mod sidecar;

use std::borrow::Cow;

use crate::document::{Document, Findings, Invalid};

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
    _sidecars: &mut dyn Sidecars,
) -> Result<Document, Invalid> {
    let bytes = bytes.into();
    if legacy::is_legacy(&bytes) {
        let mut findings = Findings::default();
        legacy::refuse(&bytes, &mut findings);
        return Err(Invalid(findings));
    }
    match pchr::read(bytes) {
        Ok(document) => Ok(document),
        Err((invalid, bytes)) => {
            let mut findings = Findings::default();
            if legacy::looks_legacy(&bytes) {
                legacy::refuse(&bytes, &mut findings);
                return Err(Invalid(findings));
            }
            Err(invalid)
        }
    }
}
