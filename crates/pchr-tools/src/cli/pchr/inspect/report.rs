//! The report about a file. Its JSON is a contract, described by [`schema`].

use std::ops::Range;

use schemars::{JsonSchema, Schema};
use serde::Serialize;

use pchr::scene::Bounds;

use crate::cli::bind_report::BindReport;
use crate::cli::pchr::findings::FindingReport;
use crate::run::output;

/// The JSON Schema of the whole report.
pub(in crate::cli) fn schema() -> Schema {
    output::schema::<Report>()
}

/// Output of `pchr inspect --json` for a file. Each name appears once, at its element; everything else names elements by
/// their index, the bind pose by both.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report<'a> {
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
    pub(super) header: HeaderReport,
    /// The sections in the order of the file, which they fill without gaps.
    pub(super) sections: Vec<SectionReport>,
    /// Sums over the elements.
    pub(super) totals: Totals,
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
    pub(super) images: Vec<ImageReport<'a>>,
    /// The animations in the order of the file.
    pub(super) animations: Vec<AnimationReport<'a>>,
    /// The meshes in the order of the file.
    pub(super) meshes: Vec<MeshReport<'a>>,
    /// The bones in the order of the file: each comes after its parent.
    pub(super) bones: Vec<BoneReport<'a>>,
}

/// A run of bytes: of the file or, if it is a text, of the equivalent binary file: PCHR v1 or SEAnim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ByteRange {
    /// The first byte, counted from 0.
    pub(super) offset: u64,
    /// Number of bytes.
    pub(super) length: u64,
}

impl From<Range<u64>> for ByteRange {
    fn from(range: Range<u64>) -> Self {
        Self {
            offset: range.start,
            length: range.end.saturating_sub(range.start),
        }
    }
}

/// An upright rectangle in world pixels, Y up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BoundsReport {
    /// Left and lower edge. Positions that are not finite are left out, so these numbers are finite.
    pub(super) min: [f32; 2],
    /// Right and upper edge.
    pub(super) max: [f32; 2],
}

impl From<Bounds> for BoundsReport {
    fn from(bounds: Bounds) -> Self {
        let plain = |[x, y]: [f32; 2]| [x + 0.0, y + 0.0]; // -0 becomes 0
        Self {
            min: plain(bounds.min),
            max: plain(bounds.max),
        }
    }
}

/// The header.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct HeaderReport {
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
#[serde(rename_all = "camelCase")]
pub(super) struct SectionReport {
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
pub(super) struct Totals {
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
pub(super) struct ImageReport<'a> {
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

/// Decoded pixels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PixelsReport {
    /// True width, which takes precedence over the declared one.
    pub(super) width: u32,
    /// True height, which takes precedence over the declared one.
    pub(super) height: u32,
    /// Kind of colour of the data.
    #[schemars(extend("enum" = ["grey", "grey-alpha", "rgb", "rgba", "indexed"]))]
    pub(super) color: &'static str,
    /// Bits of a channel or, if indexed, of an index.
    pub(super) bit_depth: u8,
    /// Pixels with alpha 255.
    pub(super) opaque: u64,
    /// Pixels with alpha 1 to 254.
    pub(super) translucent: u64,
    /// Pixels with alpha 0.
    pub(super) transparent: u64,
}

/// An animation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AnimationReport<'a> {
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
    pub(super) vertex_bytes: ByteRange,
    /// Byte range of its indices: 2 bytes each.
    pub(super) index_bytes: ByteRange,
}

/// A bone.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BoneReport<'a> {
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
