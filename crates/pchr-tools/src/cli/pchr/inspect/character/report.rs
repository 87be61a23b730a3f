//! The report about a character. Its JSON is a contract.

use schemars::JsonSchema;
use serde::Serialize;

use pchr::character::Character;
use pchr::document::{BoneId, Document, FileSection, Image, ImageFormat, ImageId};
use pchr::format::pchr::VERSION;
use pchr::pose::{default_animation, playback_fps};
use pchr::scene::Bounds;

use super::{ImageDecoding, MeasuredCharacter, PixelsReport, SkinCounts};
use crate::cli::BindReport;
use crate::cli::pchr::inspect::ByteRange;
use crate::cli::pchr::inspect::tally;
use crate::cli::pchr::report::{FindingReport, Fold};

/// Output of `pchr inspect --json` for a file. Each name appears once, at its element; everything else names elements by
/// their index, the bind pose by both.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::cli::pchr) struct CharacterInspection<'a> {
    /// Version of the program that wrote this.
    pub(super) program_version: &'static str,
    /// The file as it was named; "stdin" for -.
    pub(super) file: &'a str,
    /// Format of the file, recognised by its content.
    #[schemars(extend("enum" = ["pchr", "legacy-packed", "pchr-json", "pachario-json"]))]
    pub(super) format: &'static str,
    /// Bytes of the file; for a format other than pchr, of the PCHR v1 file that it would be packed to.
    pub(super) size: u64,
    /// The fields of the header.
    pub(super) header: CharacterHeaderReport,
    /// The sections in the order of the file, which they fill without gaps.
    pub(super) sections: Vec<CharacterSectionReport>,
    /// Sums over the elements.
    pub(super) totals: CharacterTotals,
    /// The pose that the vertices are stored in, which the file does not say.
    pub(super) bind_pose: BindReport<'a>,
    /// Index of the animation that is shown by default; null if none has a frame.
    pub(super) default_animation: Option<u16>,
    /// Bounds of the drawing over all frames of all animations, or of the stored pose if there is no frame; null if nothing is drawn.
    pub(super) bounds: Option<BoundsReport>,
    /// Findings about the file, one for each rule, in the order in which they first occur. An error here is an image
    /// that does not decode: other errors leave nothing to inspect.
    pub(super) findings: Vec<FindingReport<'a>>,
    /// The images in the order of the file.
    pub(super) images: Vec<CharacterImageReport<'a>>,
    /// The animations in the order of the file.
    pub(super) animations: Vec<CharacterAnimationReport<'a>>,
    /// The meshes in the order of the file.
    pub(super) meshes: Vec<MeshReport<'a>>,
    /// The bones in the order of the file: each comes after its parent.
    pub(super) bones: Vec<CharacterBoneReport<'a>>,
}

/// An upright rectangle in world pixels, Y up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub(super) struct BoundsReport {
    /// Left and lower edge. Positions that are not finite are left out, so these numbers are finite.
    pub(super) min: [f32; 2],
    /// Right and upper edge.
    pub(super) max: [f32; 2],
}

impl From<Bounds> for BoundsReport {
    fn from(bounds: Bounds) -> Self {
        let plain = |[x, y]: [f32; 2]| [x + 0.0, y + 0.0]; // -0 becomes 0
        Self { min: plain(bounds.min), max: plain(bounds.max) }
    }
}

/// The header.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "HeaderReport")]
pub(super) struct CharacterHeaderReport {
    /// Version of the format.
    pub(super) version: u32,
    /// Frames per second, as stored.
    pub(super) fps: u16,
    /// Frames per second, as played: never 0.
    pub(super) playback_fps: f64,
    /// The reserved flags, 0 in version 1.
    pub(super) flags: u16,
}

/// A section.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "SectionReport")]
pub(super) struct CharacterSectionReport {
    /// Its name; "trailing" is everything after the last animation.
    #[schemars(extend("enum" = ["header", "images", "bones", "meshes", "animations", "trailing"]))]
    pub(super) name: &'static str,
    /// Number of elements; null for a section without elements.
    pub(super) count: Option<usize>,
    /// Byte range, including the count.
    pub(super) bytes: ByteRange,
}

/// Sums over the elements.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Totals")]
pub(super) struct CharacterTotals {
    /// Images.
    pub(super) images: usize,
    /// Bytes that the images take as textures: 4 for each declared pixel, without mipmaps.
    pub(super) texture_bytes: u64,
    /// Bones.
    pub(super) bones: usize,
    /// Bones without a parent.
    pub(super) root_bones: usize,
    /// Number of bones from a root to the bone farthest from it, including both.
    pub(super) bone_levels: u16,
    /// Meshes.
    pub(super) meshes: usize,
    /// Vertices.
    pub(super) vertices: u64,
    /// Triangles.
    pub(super) triangles: u64,
    /// Number of vertices with 0, 1, 2, 3 and 4 weights above 0.
    pub(super) vertices_by_influences: [u64; 5],
    /// Bytes of the vertices and indices.
    pub(super) geometry_bytes: u64,
    /// Animations.
    pub(super) animations: usize,
    /// Frames of all animations.
    pub(super) frames: u64,
    /// Length of all animations together, in seconds.
    pub(super) seconds: f64,
}

/// An image.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ImageReport")]
pub(super) struct CharacterImageReport<'a> {
    /// Its index.
    pub(super) index: u16,
    /// Its name.
    pub(super) name: &'a str,
    /// Width in pixels, as declared.
    pub(super) width: u16,
    /// Height in pixels, as declared.
    pub(super) height: u16,
    /// Encoding of its data.
    #[schemars(extend("enum" = ["png", "rgba8888"]))]
    pub(super) format: &'static str,
    /// Number of meshes that use it.
    pub(super) meshes: usize,
    /// Bytes that it takes as a texture: 4 for each declared pixel, without mipmaps.
    pub(super) texture_bytes: u64,
    /// Byte range.
    pub(super) bytes: ByteRange,
    /// Byte range of its data.
    pub(super) data: ByteRange,
    /// Result of decoding (--images); null if it was not requested, or failed.
    pub(super) pixels: Option<PixelsReport>,
    /// Reason why it does not decode (--images).
    pub(super) decode_error: Option<String>,
}

/// An animation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AnimationReport")]
pub(super) struct CharacterAnimationReport<'a> {
    /// Its index.
    pub(super) index: u16,
    /// Its name.
    pub(super) name: &'a str,
    /// True if it loops (bit 0 of the flags).
    pub(super) looping: bool,
    /// Its flags, as stored.
    pub(super) flags: u8,
    /// Number of frames.
    pub(super) frame_count: u16,
    /// Duration: frames / playbackFps.
    pub(super) seconds: f64,
    /// Bounds of the drawing over its frames; null if nothing is drawn.
    pub(super) bounds: Option<BoundsReport>,
    /// Byte range.
    pub(super) bytes: ByteRange,
    /// Byte range of its frames: a transform of 23 bytes for each bone of each frame.
    pub(super) frames: ByteRange,
}

/// A mesh.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MeshReport<'a> {
    /// Its index.
    pub(super) index: u16,
    /// Its name.
    pub(super) name: &'a str,
    /// Index of the image that it is drawn from.
    pub(super) image: u16,
    /// Index of the bone whose visibility and draw order it has: that with the largest sum of weights. Null if it has none.
    pub(super) owner: Option<u16>,
    /// Number of vertices.
    pub(super) vertices: usize,
    /// Number of triangles.
    pub(super) triangles: usize,
    /// Number of bones that move it.
    pub(super) bones: usize,
    /// Number of vertices with 0, 1, 2, 3 and 4 weights above 0.
    pub(super) vertices_by_influences: [u64; 5],
    /// Byte range.
    pub(super) bytes: ByteRange,
    /// Byte range of its vertices: 40 bytes each.
    vertex_bytes: ByteRange,
    /// Byte range of its indices: 2 bytes each.
    index_bytes: ByteRange,
}

/// A bone.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BoneReport")]
pub(super) struct CharacterBoneReport<'a> {
    /// Its index.
    pub(super) index: u16,
    /// Its name.
    pub(super) name: &'a str,
    /// Index of its parent; null for a root.
    pub(super) parent: Option<u16>,
    /// Number of its ancestors: 0 for a root.
    pub(super) depth: u16,
    /// Number of meshes that take their visibility and draw order from it.
    pub(super) owned_meshes: usize,
    /// Number of vertices that it moves.
    pub(super) vertices: u64,
    /// Byte range.
    pub(super) bytes: ByteRange,
}

pub(in crate::cli::pchr::inspect) fn report<'a>(
    measured: &'a MeasuredCharacter<'a>,
    folds: &'a [Fold],
) -> CharacterInspection<'a> {
    let character = &measured.character;
    let document = character.document();
    let skin = SkinCounts::new(document);
    let images = images(document, &measured.decoded);
    let animations = animations(document, &measured.animations);
    let meshes = meshes(character, &skin);
    let bones = bones(character, &skin);
    CharacterInspection {
        program_version: crate::version(),
        file: measured.file,
        format: document.source().id(),
        size: document.bytes().len() as u64,
        header: CharacterHeaderReport {
            version: VERSION,
            fps: document.fps(),
            playback_fps: playback_fps(document),
            flags: document.flags(),
        },
        sections: FileSection::ALL.map(|it| section(document, it)).to_vec(),
        totals: totals(&images, &bones, &meshes, &animations),
        bind_pose: BindReport::new(character.bind(), character),
        default_animation: default_animation(document, character.bind()).map(|id| id.0),
        bounds: measured.bounds.map(Into::into),
        findings: folds.iter().map(Into::into).collect(),
        images,
        animations,
        meshes,
        bones,
    }
}

fn section(document: &Document, section: FileSection) -> CharacterSectionReport {
    CharacterSectionReport {
        name: section.name(),
        count: match section {
            FileSection::Header | FileSection::Trailing => None,
            FileSection::Images => Some(document.images().len()),
            FileSection::Bones => Some(document.bones().len()),
            FileSection::Meshes => Some(document.meshes().len()),
            FileSection::Animations => Some(document.animations().len()),
        },
        bytes: document.section_range(section).into(),
    }
}

fn images<'a>(document: &'a Document, decoded: &[ImageDecoding]) -> Vec<CharacterImageReport<'a>> {
    let used = document.meshes().map(|mesh| mesh.image().index());
    let used = tally(document.images().len(), used);
    let images = document.image_ids().zip(document.images()).zip(used);
    let report = |((id, image), meshes): ((ImageId, Image<'a>), usize)| {
        let ranges = document.image_ranges(id).unwrap_or_default();
        let decoded = decoded.get(id.index()).map(Result::as_ref);
        CharacterImageReport {
            index: id.0,
            name: image.name(),
            width: image.width(),
            height: image.height(),
            format: match image.format() {
                ImageFormat::Png => "png",
                ImageFormat::Rgba8888 => "rgba8888",
            },
            meshes,
            texture_bytes: u64::from(image.width()) * u64::from(image.height()) * 4,
            bytes: ranges.all.into(),
            data: ranges.data.into(),
            pixels: decoded.and_then(Result::ok).copied(),
            decode_error: decoded.and_then(Result::err).cloned(),
        }
    };
    images.map(report).collect()
}

fn animations<'a>(
    document: &'a Document,
    bounds: &[Option<Bounds>],
) -> Vec<CharacterAnimationReport<'a>> {
    let fps = playback_fps(document);
    let animations = document.animation_ids().zip(document.animations()).zip(bounds);
    animations
        .map(|((id, animation), bounds)| CharacterAnimationReport {
            index: id.0,
            name: animation.name(),
            looping: animation.looping(),
            flags: animation.flags(),
            frame_count: animation.frame_count(),
            seconds: f64::from(animation.frame_count()) / fps,
            bounds: bounds.map(Into::into),
            bytes: animation.range().into(),
            frames: animation.frames_range().into(),
        })
        .collect()
}

fn meshes<'a>(character: &'a Character, skin: &SkinCounts) -> Vec<MeshReport<'a>> {
    let document = character.document();
    let of_mesh = character.owners().iter().zip(&skin.meshes);
    let meshes = document.mesh_ids().zip(document.meshes()).zip(of_mesh);
    meshes
        .filter_map(|((id, mesh), (owner, skin))| {
            let ranges = document.mesh_ranges(id)?;
            Some(MeshReport {
                index: id.0,
                name: mesh.name(),
                image: mesh.image().0,
                owner: owner.map(|owner| owner.0),
                vertices: mesh.vertex_count(),
                triangles: mesh.index_count() / 3,
                bones: skin.bones,
                vertices_by_influences: skin.by_influences,
                bytes: ranges.all.into(),
                vertex_bytes: ranges.vertices.into(),
                index_bytes: ranges.indices.into(),
            })
        })
        .collect()
}

fn bones<'a>(character: &'a Character, skin: &SkinCounts) -> Vec<CharacterBoneReport<'a>> {
    let document = character.document();
    let owners = character.owners().iter().flatten();
    let owned = tally(document.bones().len(), owners.map(|owner| owner.index()));
    let mut bones: Vec<CharacterBoneReport<'a>> = Vec::with_capacity(owned.len());
    let of_bone = owned.into_iter().zip(&skin.moved);
    let indexed = (0..=u16::MAX).zip(document.bones()).zip(of_bone);
    for ((index, bone), (owned_meshes, vertices)) in indexed {
        // A parent comes before its children: the check made sure of it.
        let above = bone.parent().and_then(|parent| bones.get(parent.index()));
        let range = document.bone_range(BoneId(index));
        bones.push(CharacterBoneReport {
            index,
            name: bone.name(),
            parent: bone.parent().map(|parent| parent.0),
            depth: above.map_or(0, |above| above.depth.saturating_add(1)),
            owned_meshes,
            vertices: *vertices,
            bytes: range.unwrap_or_default().into(),
        });
    }
    bones
}

fn totals(
    images: &[CharacterImageReport<'_>],
    bones: &[CharacterBoneReport<'_>],
    meshes: &[MeshReport<'_>],
    animations: &[CharacterAnimationReport<'_>],
) -> CharacterTotals {
    let mut by_influences = [0; 5];
    for mesh in meshes {
        for (sum, count) in by_influences.iter_mut().zip(mesh.vertices_by_influences) {
            *sum += count;
        }
    }
    let deepest = bones.iter().map(|bone| bone.depth).max();
    let geometry = |mesh: &MeshReport<'_>| mesh.vertex_bytes.length + mesh.index_bytes.length;
    CharacterTotals {
        images: images.len(),
        texture_bytes: images.iter().map(|image| image.texture_bytes).sum(),
        bones: bones.len(),
        root_bones: bones.iter().filter(|bone| bone.depth == 0).count(),
        bone_levels: deepest.map_or(0, |depth| depth.saturating_add(1)),
        meshes: meshes.len(),
        vertices: meshes.iter().map(|mesh| mesh.vertices as u64).sum(),
        triangles: meshes.iter().map(|mesh| mesh.triangles as u64).sum(),
        vertices_by_influences: by_influences,
        geometry_bytes: meshes.iter().map(geometry).sum(),
        animations: animations.len(),
        frames: animations.iter().map(|a| u64::from(a.frame_count)).sum(),
        seconds: animations.iter().fold(0.0, |sum, a| sum + a.seconds), // an empty sum() is -0
    }
}
