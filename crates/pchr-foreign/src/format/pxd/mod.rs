//! PXD: skeletons (`.skl.pxd`) and motions (`.anm.pxd`) of games of the Hedgehog Engine 2, in BINA containers of version 2.1.
//!
//! Little-endian, offsets have 64 bits and count from the payload. A skeleton has parents, names and transforms at rest. An animation
//! has one track for each bone and may move the whole model, too: either as ACL clips, which are kept and written as the bytes that
//! they are, or as sparse keys. A file in canonical layout is written back byte for byte; for others a finding says so.
#![deny(clippy::arithmetic_side_effects)]

mod animation;
mod bina;
mod body;
mod container;
mod file;
mod keys;
mod layout;
mod rule;
mod skeleton;
mod table;
mod unwritable;
mod write;

pub use animation::read_animation;
pub use file::{Outline, PxdContent, PxdKind, outline, read};
pub use rule::PxdRule;
pub use skeleton::read_skeleton;
pub use unwritable::Unwritable;
pub use write::{write_animation, write_skeleton};

/// Payload magic of a skeleton.
const SKELETON: [u8; 4] = *b"KSXP";
/// Payload magic of an animation.
const ANIMATION: [u8; 4] = *b"NAXP";
/// Version of both.
const VERSION: u32 = 0x200;
/// Number of an animation with keys.
const UNCOMPRESSED: u8 = 0;
/// Number of an animation in clips.
const COMPRESSED: u8 = 8;
/// Maximum number of bones, and of tracks.
const MOST: u64 = 0xffff;

/// Returns true if a file begins as a BINA container.
#[must_use]
pub fn is_bina(bytes: &[u8]) -> bool {
    bytes.starts_with(&bina::MAGIC)
}

/// Returns true if a file is a PXD skeleton by its content.
#[must_use]
pub fn is_skl(bytes: &[u8]) -> bool {
    bina::holds(bytes, SKELETON)
}

/// Returns true if a file is a PXD animation by its content.
#[must_use]
pub fn is_anm(bytes: &[u8]) -> bool {
    bina::holds(bytes, ANIMATION)
}
