//! Clips compressed with ACL 2.0 (Animation Compression Library): tracks of transforms, as engines store them inside their own files.
//!
//! [`Clip::read`] checks a chunk of bytes, [`Clip::sample`] makes poses of it. Values are those of ACL's own decoder, bit for bit, where
//! that is built without fused products. Everything is little-endian but the stream of animated samples.
#![deny(clippy::arithmetic_side_effects)]

mod clip;
mod header;
mod lanes;
mod metadata;
mod rule;
mod sample;
mod segments;
mod stored;

pub use clip::{Clip, Sizes};
pub use header::{Formats, Part, RotationFormat, Storage, Transform, VectorFormat};
pub use metadata::{Description, Metadata};
pub use rule::AclRule;
pub use segments::Segment;
