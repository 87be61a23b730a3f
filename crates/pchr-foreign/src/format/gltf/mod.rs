//! glTF 2.0 (`.glb`, `.gltf`) as a format of skeletons and motions.
//!
//! ```text
//! .glb, .gltf ──container──► JSON ──record──► nodes ──skeleton──► Skeleton
//!                              │                 └──clips──► Motion, one for each animation
//!                              └─► buffers ──accessor──► times and values
//! Skeleton, GltfClip (Motion, LocalKeys) ──write──► .glb, .gltf
//! Character: figure (meshes in draw order, switches, textures) ──┘
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
//! | | `held` | `true` if steps are frames that are held, as a character shows them; they are read as keys on frames |
//! | | `notes` | `[{"frame": 3, "name": "step"}]`; `nameHex` instead where a name is not UTF-8 |
//! | | `root` | channels of the node above the bones that are root motion, like `["translation"]`; absent without root motion |
//! | a node | `above` | `true` for the node above all bones, which is none and carries root motion |
//! | | `switch` | `true` for a node that shows and hides meshes, and for a bone's copy below it: both are no bones |
//! | | `nameHex` | bytes of a bone's name that is not UTF-8 |
//!
//! A clip that is longer than its keys has a channel of the node above the bones that changes nothing, so that it is as long in other
//! programs, too.
#![deny(clippy::arithmetic_side_effects)]

mod accessors_and_buffers;
mod bones;
mod clips;
mod container_and_extensions;
mod record;
mod write_buffer_and_container;
mod write_channels;
mod write_meshes_and_materials;
mod write_skeleton_and_clips;

use pchr::document::AnimationId;
use pchr::finding::{Findings, Invalid, Severity, rules};
use pchr::format::{Losses, Sidecars};

use self::accessors_and_buffers::Accessors;
use self::bones::bones;
use self::clips::clips;
use self::container_and_extensions::{FileParts, Notes, check_asset};
use self::record::{GltfRoot, MAGIC};
use crate::format::json_text::{AfterKey, each_key};
use crate::motion::{LocalKeys, Motion, Skeleton};

pub use write_buffer_and_container::{Container, GltfUnwritable};
pub use write_skeleton_and_clips::{write, write_character};

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
    /// The animation of the written character that the motion was made of: its frames are held. `None` for other motions.
    pub frames: Option<AnimationId>,
}

rules! {
    /// A rule of glTF files, as far as bones and their motions go.
    GltfRule "GLTF"

    /// A binary file starts with "glTF"; a text file is JSON with an asset.
    Magic = Error "001" "magic",
        example: "magic: \"glTf\", expected \"glTF\"",
        advice: "The file is in another format, or its first bytes are damaged: export it again, and check that it was copied as binary.";
    /// The version is 2, both of the container and of the asset.
    Version = Error "002" "version",
        example: "asset.version: \"1.0\", but this program reads 2.0",
        advice: "Export as glTF 2.0.";
    /// The file holds all the data that its chunks declare.
    UnexpectedEnd = Error "003" "unexpected-end",
        example: "chunks[1]: 5120 bytes declared, but 80 left",
        advice: "The file was cut short, or a length before this place is wrong: export it again.";
    /// The first chunk of a binary file is its JSON.
    Chunk = Error "004" "chunk",
        example: "chunks[0]: \"BIN\\0\", expected \"JSON\"",
        advice: "Write the JSON first, then the binary data.";
    /// The JSON is valid, and in UTF-8.
    JsonSyntax = Error "005" "json-syntax",
        example: "document: expected `,` or `}`",
        advice: "Correct the text at this place; comments and trailing commas are not JSON.";
    /// Values have the type and the range of their property; no required value is missing.
    JsonValue = Error "006" "json-value",
        example: "nodes[2].translation: invalid length 2, expected an array of length 3",
        advice: "Give the property a value of its type.";
    /// A file holds at most 1,000,000 elements of each kind, 16,777,216 keys, 256 MiB of JSON and 1 GiB of buffers.
    Limit = Error "007" "limit",
        example: "animations[0].samplers[3]: 4294967295 keys, expected at most 16777216 more (a file may have 16777216)",
        advice: "Correct the count, or split the file.";
    /// An index refers to an element that exists.
    Index = Error "008" "index",
        example: "nodes[0].children[1]: 7, but there are 3 nodes",
        advice: "Correct the index, counted from 0.";
    /// A node has at most one parent.
    NodeParent = Error "009" "node-parent",
        example: "nodes[3].children[0]: node 5 is already a child of node 1",
        advice: "List each node as a child only once.";
    /// No node is its own ancestor.
    NodeCircle = Error "010" "node-circle",
        example: "nodes[4]: the node is its own ancestor",
        advice: "Correct the children: every chain has to end at a root.";
    /// The data of every used buffer is present.
    Buffer = Error "011" "buffer",
        example: "buffers[0].uri: \"hero.bin\": No such file or directory",
        advice: "Put the file where the .gltf names it, or export as .glb, which holds everything.";
    /// An accessor lies within its view, and a view within its buffer.
    AccessorRange = Error "012" "accessor-range",
        example: "accessors[7]: 40 elements end at byte 640, but the view has 600 bytes",
        advice: "Correct count, offset or stride: export the file again.";
    /// An accessor has the type that its use requires.
    AccessorType = Error "013" "accessor-type",
        example: "accessors[7]: VEC3 of component type 5126, expected SCALAR of floats for times",
        advice: "Write times as SCALAR floats, translations and scales as VEC3 floats, rotations as VEC4 floats or normalized integers.";
    /// A sampler has a value for each time, or three values for a cubic spline.
    SamplerCount = Error "014" "sampler-count",
        example: "animations[0].samplers[2].output: 12 values for 5 times, expected 5",
        advice: "Write as many values as times: export the file again.";
    /// Times are finite and not negative.
    Time = Error "015" "time",
        example: "animations[0].samplers[2].input[3]: NaN seconds, expected 0 or more",
        advice: "Start at 0 seconds; times must not be negative.";
    /// The header states the length of the file, spaces fill up the JSON, and one chunk of binary data follows it.
    Container = Warning "101" "container",
        example: "length: 1284, but the file has 1300 bytes",
        advice: "Check that the whole file was copied, or export it again.";
    /// The file requires no extension that could change bones or their motions.
    Extension = Warning "102" "extension-required",
        example: "extensionsRequired[0]: unknown extension \"EXT_other\"; the file is read without it",
        advice: "Export without the extension if bones or motions look wrong.";
    /// Times ascend, and no time appears twice.
    TimeOrder = Warning "103" "time-order",
        example: "animations[0].samplers[2].input[3]: 0.5 s comes after 0.5 s, expected a later time; the last key at each time is used",
        advice: "Sort keys by time, with one key for each time.";
    /// Values are finite in single precision.
    NotFinite = Warning "104" "not-finite",
        example: "animations[0].samplers[2].output[0]: [NaN, 1.0, 2.0] is not finite",
        advice: "Correct the value in the exporter: a bone with such a key has no position.";
    /// A rotation has the length 1.
    RotationLength = Warning "105" "rotation-length",
        example: "nodes[3].rotation: rotation of length 2.0000, expected 1; normalised",
        advice: "Normalise quaternions before saving; length 0 is not a rotation.";
    /// The matrix of a node is a translation, a rotation and a scale.
    Matrix = Warning "106" "node-matrix",
        example: "nodes[3].matrix: it shears, which translation, rotation and scale cannot express; the closest ones are used",
        advice: "Export translation, rotation and scale instead of a matrix.";
    /// Names of bones and of animations are unique, and those of bones are not empty.
    NameDuplicate = Warning "107" "name-duplicate",
        example: "nodes[5].name: \"hand\" is also the name of node 2; motions that name their bones move the first",
        advice: "Give each bone and each animation its own name.";
    /// At most one channel of an animation moves a property of a node.
    ChannelTwice = Warning "108" "channel-twice",
        example: "animations[0].channels[4]: channel 1 already moves this property; the last one is used",
        advice: "Write one channel for each property of a node.";
    /// A skin lists each joint only once.
    JointTwice = Warning "109" "joint-twice",
        example: "skins[0].joints[7]: node 3 is already joint 2; it becomes one bone",
        advice: "List each joint once.";
    /// Extras that this program wrote match the data that they describe.
    Extras = Warning "110" "extras",
        example: "animations[0].extras.pchr: the times do not fall on frames at 24 per second; the rate is taken from the times",
        advice: "Remove the extras, or write the file again from its source.";
    /// A node that a channel moves has no matrix.
    MatrixAnimated = Warning "111" "matrix-animated",
        example: "nodes[3].matrix: glTF forbids a matrix on a node that an animation moves; it is split into translation, rotation and scale",
        advice: "Export translation, rotation and scale instead of a matrix; other programs may show the motion differently.";
}

/// Reads a file, with its findings. `buffers` gives the files that it names; a path is passed on with its `%20` and the like
/// decoded. A buffer that no animation of a bone needs is not asked for.
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read(file: &[u8], buffers: &mut dyn Sidecars) -> Result<GltfFile, Invalid> {
    let mut found = Findings::default();
    let Some(parts) = FileParts::new(file, &mut found) else { return Err(Invalid(found)) };
    let said = |found: Findings| match parts.container {
        Container::Text => found.in_text(file),
        Container::Binary => found,
    };
    let Some(text) = parts.text(&mut found) else { return Err(Invalid(said(found))) };
    let mut notes = Notes::new(&parts, text, found);
    let read = content(&parts, &mut notes, buffers);
    let Notes { found, losses, .. } = notes;
    let warnings = said(found);
    match read {
        Some(read) if warnings.total(Severity::Error) == 0 => {
            Ok(GltfFile { warnings, losses, ..read })
        }
        _ => Err(Invalid(warnings)),
    }
}

fn content(
    parts: &FileParts<'_>,
    notes: &mut Notes<'_>,
    buffers: &mut dyn Sidecars,
) -> Option<GltfFile> {
    let root = notes.root()?;
    check_asset(&root, notes)?;
    let bones = bones(&root, notes)?;
    let mut accessors = Accessors::new(&root, parts.binary, buffers);
    let clips = clips(&root, &bones, &mut accessors, notes);
    left_out(&root, notes);
    Some(GltfFile {
        container: parts.container,
        nodes: root.nodes.len(),
        skins: root.skins.len(),
        generator: root.asset.generator,
        skeleton: bones.skeleton,
        clips,
        warnings: Findings::default(),
        losses: Losses::default(),
    })
}

/// Lists contents that are neither bones nor their motions.
fn left_out(root: &GltfRoot, notes: &mut Notes<'_>) {
    let lists = [
        ("meshes", root.meshes.len()),
        ("cameras", root.cameras.len()),
        ("materials", root.materials.len()),
        ("images", root.images.len()),
        ("extensions", root.extensions_used.len()),
    ];
    for (what, count) in lists {
        let path = || match what {
            "extensions" => "extensionsUsed[0]".to_owned(),
            _ => format!("{what}[0]"),
        };
        notes.losses.add_many(what, count as u64, path);
    }
}

/// Returns true if bytes are glTF, possibly damaged: they begin like binary glTF, or are JSON with the version of an asset.
#[must_use]
pub fn looks_like_gltf(bytes: &[u8]) -> bool {
    if bytes.starts_with(&MAGIC) {
        return true;
    }
    let mut found = false;
    each_key(bytes, |depth, key| match (depth, key) {
        (0, "asset") => AfterKey::Inner,
        (1, "version") => {
            found = true;
            AfterKey::Stop
        }
        _ => AfterKey::Next,
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_asset_with_a_version_tells() {
        for (text, wanted) in [
            (r#"{"asset":{"version":"2.0"}}"#, true),
            ("\u{feff}\n{\"nodes\":[{}],\"asset\":{\"generator\":\"x\",\"version\":\"1.0\"", true),
            (r#"{"asset":{"version":2}}"#, true),
            (r#"{"asset":{},"version":"2.0"}"#, false),
            (r#"{"version":1,"bones":[]}"#, false),
            ("[]", false),
            ("glTF", true),
            ("glT", false),
            ("", false),
        ] {
            assert_eq!(looks_like_gltf(text.as_bytes()), wanted, "{text}");
        }
    }
}
