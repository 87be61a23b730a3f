//! The model: the contents of a file, in terms of the format.
//!
//! A [`Document`] is a checked v1 file: the file's bytes, unchanged, and a small directory of its parts. Sampled frames and
//! vertices stay packed until they are used. Only the reader makes documents, and only from bytes in which [`check`](self) found no
//! error. So every index in a document is valid, and later code relies on it. To build a document from code, fill [`DocumentParts`]
//! and write them.
#![deny(clippy::arithmetic_side_effects)]

mod check;
mod file_format;
mod image;
mod layout;
mod model;
mod names;
mod parts;
mod records;
mod rule;

pub use file_format::{FileFormat, Fingerprint};
pub use image::{Image, ImageFault, ImageFormat, Images};
pub use layout::{FileSection, ImageRanges, MeshRanges};
pub use model::{Animation, Bone, Document, FPS_WHEN_ZERO, Frame, Mesh};
pub use names::{AnimationId, BoneId, ImageId, MeshId};
pub use parts::{AnimationParts, BoneParts, DocumentParts, ImageParts, MeshParts};
pub use records::{BoneTransform, INDEX_SIZE, TRANSFORM_SIZE, VERTEX_SIZE, Vertex};
pub use rule::PchrRule;

pub(crate) use check::{CheckedSection, check};
pub(crate) use records::{AnimationEntry, BoneEntry, Directory, ImageEntry, MeshEntry, NameEntry};
