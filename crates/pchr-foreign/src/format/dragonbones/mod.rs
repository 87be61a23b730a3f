//! Characters as DragonBones 5.5 JSON: a skeleton, and an atlas for each image.
//!
//! ```text
//! Document ──rig──► bones, slots, skin ──┬─► hero_ske.json
//!          ──clips──► timelines ─────────┘   hero_tex.json, hero_tex.png (of several images: hero_tex_0.json …)
//! ```
//!
//! y points down: places and rotations change their sign. The setup pose is the bind pose, its draw order that of the slots. Each mesh is a
//! slot of its owner, and weighted. Keys are held and end where a value changes; every clip has a draw order, which would stay that of the
//! clip before. Bones inherit all of their parent's transform, as by default.
//!
//! Limits are those of DragonBones' runtime 5.7, which numbers values with 16 bits.
#![deny(clippy::arithmetic_side_effects)]

mod clips;
mod record;
mod rig;

use std::borrow::Cow;
use std::io;

use serde_json::json;

use pchr::document::{Document, FPS_WHEN_ZERO};
use pchr::finding::quoted;
use pchr::format::Losses;
use pchr::format::json::{self as pchr_json, Dialect, image_file};
use pchr::image::{EncodeError, png_size};
use pchr::pose::{BindChoice, BindPose, default_animation};

use self::record::{DragonBonesArmature, SkeletonText, Skin};
use self::rig::{Rig, unique};

/// Form of the files.
const VERSION: &str = "5.5";

/// A character's files.
#[derive(Debug)]
pub struct DragonBonesFiles<'a> {
    /// The skeleton: bones, meshes and animations.
    pub skeleton: Vec<u8>,
    /// Name and content of the files beside it: of each image an atlas and its picture, which the atlas names.
    pub beside: Vec<(String, Cow<'a, [u8]>)>,
    /// Content that the files do not hold.
    pub losses: Losses,
}

/// Reason why a character cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum DragonBonesUnwritable {
    /// The runtime has no numbers for the vertices.
    #[error(
        "meshes[{mesh}]: {} has {vertices} vertices, and {floats} numbers come before its weights; DragonBones' runtime reads at most 32767 vertices and 65535 numbers",
        quoted(name)
    )]
    Mesh {
        /// Index of the mesh.
        mesh: u16,
        /// Its name.
        name: String,
        /// Number of its vertices.
        vertices: usize,
        /// Numbers of the meshes behind it and of its vertices.
        floats: usize,
    },
    /// The runtime has no numbers for the keys of an animation.
    #[error(
        "animations[{animation}].frames[{frame}]: up to here, the keys of {} have more than 65536 numbers, which is all that DragonBones' runtime reads; split the animation",
        quoted(name)
    )]
    Changes {
        /// Index of the animation.
        animation: u16,
        /// Its name.
        name: String,
        /// The first frame that is too much.
        frame: u16,
    },
    /// The text could not be written.
    #[error(transparent)]
    Text(#[from] io::Error),
    /// An image's pixels could not be encoded.
    #[error("the image cannot be encoded: {0}")]
    Image(#[from] EncodeError),
}

/// Writes a character under a name, with which the names of all its files begin.
///
/// # Errors
/// [`DragonBonesUnwritable`] if there is more than DragonBones' runtime reads.
pub fn write<'a>(
    document: &'a Document,
    name: &str,
) -> Result<DragonBonesFiles<'a>, DragonBonesUnwritable> {
    // Neither has a place for raw pixels, unknown flags, and numbers that are not finite.
    let paths = vec![String::new(); document.images().len()];
    let mut losses = pchr_json::write(document, Dialect::Pachario, &paths, &mut io::sink())?;
    let pictures = document.images().map(|image| Ok((image_file(&image)?, image)));
    let pictures: Vec<_> = pictures.collect::<Result<_, EncodeError>>()?;
    let sizes = pictures.iter().map(|(file, image)| {
        png_size(file).unwrap_or([image.width(), image.height()].map(u32::from))
    });
    let bind = BindPose::new(document, BindChoice::Auto);
    let rig = Rig::new(document, &bind, sizes, &mut losses);
    let names =
        unique(document.animations().map(|it| it.name()), ["animations", "animation"], &mut losses);
    let clips = document.animation_ids().zip(document.animations()).zip(&names);
    let first = default_animation(document, &bind).and_then(|id| names.get(id.index()));
    let frame_rate = match document.fps() {
        0 => FPS_WHEN_ZERO,
        fps => fps,
    };
    let armature = DragonBonesArmature {
        kind: "Armature",
        frame_rate,
        name,
        aabb: rig.bounds(),
        bone: rig.bones(),
        slot: rig.slots(),
        skin: [Skin { name: "", slot: rig.skin()? }],
        animation: clips
            .map(|((id, animation), name)| rig.clip(id, &animation, name))
            .collect::<Result<_, _>>()?,
        default_actions: first.map(|name| json!({"gotoAndPlay": name})).into_iter().collect(),
    };
    let skeleton = SkeletonText {
        frame_rate,
        name,
        version: VERSION,
        compatible_version: VERSION,
        armature: [armature],
    };
    let skeleton = serde_json::to_vec(&skeleton).map_err(io::Error::from)?;
    let several = pictures.len() > 1;
    let mut beside = Vec::new();
    for (index, ((picture, _), (image, [width, height]))) in
        pictures.into_iter().zip(&rig.images).enumerate()
    {
        let stem = if several { format!("{name}_tex_{index}") } else { format!("{name}_tex") };
        let [width, height] = [*width, *height];
        let atlas = json!({
            "name": name, "imagePath": format!("{stem}.png"), "width": width, "height": height,
            "SubTexture": [{"name": image, "x": 0, "y": 0, "width": width, "height": height}],
        });
        beside.push((format!("{stem}.png"), picture));
        beside.push((format!("{stem}.json"), atlas.to_string().into_bytes().into()));
    }
    Ok(DragonBonesFiles { skeleton, beside, losses })
}
