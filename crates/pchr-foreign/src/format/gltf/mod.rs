//! glTF 2.0 (`.glb`, `.gltf`) as a format of skeletons and motions.
//!
//! ```text
//! .glb, .gltf ──container──► JSON ──record──► nodes ──skeleton──► Skeleton
//!                              │                 └──clips──► Motion, one for each animation
//!                              └─► buffers ──accessor──► times and values
//! Skeleton, GltfClip (Motion, LocalKeys) ──write──► .glb, .gltf
//! ```
//!
//! Bones are the joints of all skins, and nodes between and above them that place them; in a file without a skin, all nodes. Keys of
//! channels stay where they are, with their interpolation. [`Losses`] list all content other than bones and their motions.
//!
//! glTF counts seconds. Values without a place in glTF are kept in `extras`, under the key `pchr`:
//!
//! | of | key | value |
//! | --- | --- | --- |
//! | an animation | `rate` | frames per second |
//! | | `frameCount` | number of frames |
//! | | `loop` | `true` if it begins again where it ends |
//! | | `notes` | `[{"frame": 3, "name": "step"}]`; `nameHex` instead where a name is not UTF-8 |
//! | | `root` | channels of the node above the bones that are root motion, like `["translation"]`; absent without root motion |
//! | a node | `above` | `true` for the node above all bones, which is none and carries root motion |
//! | | `nameHex` | bytes of a bone's name that is not UTF-8 |
//!
//! A clip that is longer than its keys has a channel of the node above the bones that changes nothing, so that it is as long in other
//! programs, too.
#![deny(clippy::arithmetic_side_effects)]

mod accessor;
mod bones;
mod clips;
mod packer;
mod read;
mod record;
mod rule;
mod source;
mod write;

use pchr::finding::Findings;
use pchr::format::Losses;

use crate::motion::{LocalKeys, Motion, Skeleton};

pub use packer::{Container, Unwritable};
pub use read::{looks_like_gltf, read};
pub use rule::GltfRule;
pub use write::write;

/// A file that was read.
#[derive(Clone, Debug)]
pub struct GltfFile {
    /// Its container.
    pub container: Container,
    /// The program that wrote it, if stated.
    pub generator: Option<String>,
    /// Number of nodes.
    pub nodes: usize,
    /// Number of skins.
    pub skins: usize,
    /// The bones: joints of the first skin in order, then those of others, then nodes that place them.
    pub skeleton: Skeleton,
    /// The animations.
    pub clips: Vec<NamedMotion>,
    /// Warnings about the file.
    pub warnings: Findings,
    /// Content that is neither a skeleton nor a motion.
    pub losses: Losses,
}

/// An animation, as read.
#[derive(Clone, Debug)]
pub struct NamedMotion {
    /// Its name, which may be empty.
    pub name: String,
    /// Channels that its motion cannot hold.
    pub losses: Losses,
    /// Its motion. Tracks have the names of their bones, or their indices if a name is empty or a duplicate.
    pub motion: Motion,
}

/// A motion to write.
#[derive(Clone, Copy, Debug)]
pub struct GltfClip<'a> {
    /// Its name, which may be empty.
    pub name: &'a str,
    /// The motion: rate, number of frames, loop, notes.
    pub motion: &'a Motion,
    /// Its keys on the skeleton.
    pub keys: &'a LocalKeys,
}
