//! Small characters, also for unit tests: a builder, and a puppet whose frames differ by colour and place.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "each test file uses its part; a fixture that cannot be made is a failed test"
)]

use pchr::document::{
    AnimationParts, BoneParts, BoneTransform, Document, DocumentParts, ImageFormat, ImageParts,
    MeshParts, Vertex,
};
use pchr::format;
use pchr::scene::{Camera2d, Filter, Picture};

pub(crate) const RED: [u8; 4] = [230, 30, 40, 255];
pub(crate) const GREEN: [u8; 4] = [40, 200, 60, 255];
pub(crate) const BLUE: [u8; 4] = [30, 60, 230, 255];
pub(crate) const WHITE: [u8; 4] = [255; 4];

/// Picture at one screen pixel per unit, with the origin in its middle: transparent, linear filter, no mipmaps.
pub(crate) fn picture(size: [u32; 2]) -> Picture {
    Picture {
        size,
        camera: Camera2d::default(),
        filter: Filter::Linear,
        mipmaps: false,
        clear: [0; 4],
    }
}

pub(crate) fn sample() -> Document {
    format::read(include_bytes!("../../assets/sample.pchr").as_slice()).unwrap()
}

/// Builder of a document, piece by piece.
#[derive(Clone, Debug, Default)]
pub(crate) struct Builder {
    pub(crate) parts: DocumentParts,
}

impl Builder {
    /// Starts an empty document at 10 frames per second.
    pub(crate) fn new() -> Self {
        Self { parts: DocumentParts { fps: 10, ..DocumentParts::default() } }
    }

    /// Starts a document with an image, a bone, and a rectangle on it that shows the image.
    pub(crate) fn rect(width: u16, texels: &[[u8; 4]], min: [f32; 2], max: [f32; 2]) -> Self {
        Self::new().image(width, texels).bones(1).quad("quad", 0, 0, min, max)
    }

    pub(crate) fn fps(mut self, fps: u16) -> Self {
        self.parts.fps = fps;
        self
    }

    /// Adds an image of straight-alpha texels, top row first.
    pub(crate) fn image(mut self, width: u16, texels: &[[u8; 4]]) -> Self {
        self.parts.images.push(ImageParts {
            name: format!("image {}", self.parts.images.len()),
            width,
            height: (texels.len() / usize::from(width.max(1))) as u16,
            format: ImageFormat::Rgba8888,
            data: texels.as_flattened().to_vec(),
        });
        self
    }

    /// Adds a PNG that is declared as 1 x 1 pixel.
    pub(crate) fn png(mut self, name: &str, data: Vec<u8>) -> Self {
        self.parts.images.push(ImageParts {
            name: name.to_owned(),
            width: 1,
            height: 1,
            format: ImageFormat::Png,
            data,
        });
        self
    }

    pub(crate) fn bone(mut self, name: &str, parent: Option<u16>) -> Self {
        self.parts.bones.push(BoneParts { name: name.to_owned(), parent });
        self
    }

    /// Adds root bones: `bone 0`, `bone 1` and so on.
    pub(crate) fn bones(self, count: u16) -> Self {
        (0..count).fold(self, |builder, i| builder.bone(&format!("bone {i}"), None))
    }

    pub(crate) fn mesh(
        mut self,
        name: &str,
        image: u16,
        vertices: impl Into<Vec<Vertex>>,
        indices: impl Into<Vec<u16>>,
    ) -> Self {
        self.parts.meshes.push(MeshParts {
            name: name.to_owned(),
            image,
            vertices: vertices.into(),
            indices: indices.into(),
        });
        self
    }

    /// Adds a rectangle that follows one bone and shows a whole image.
    pub(crate) fn quad(
        self,
        name: &str,
        image: u16,
        bone: u16,
        [x0, y0]: [f32; 2],
        [x1, y1]: [f32; 2],
    ) -> Self {
        let corner = |x, y, u, v| Vertex { uv: [u, v], ..vertex(bone, [x, y]) };
        let corners = [
            corner(x0, y0, 0.0, 1.0),
            corner(x1, y0, 1.0, 1.0),
            corner(x1, y1, 1.0, 0.0),
            corner(x0, y1, 0.0, 0.0),
        ];
        self.mesh(name, image, corners, [0, 1, 2, 0, 2, 3])
    }

    /// Adds an animation, with a row of transforms for each frame.
    pub(crate) fn animation(
        mut self,
        name: &str,
        looping: bool,
        frames: &[impl AsRef<[BoneTransform]>],
    ) -> Self {
        let transforms = frames.iter().flat_map(|frame| frame.as_ref());
        self.parts.animations.push(AnimationParts {
            name: name.to_owned(),
            flags: looping.into(),
            frame_count: frames.len() as u16,
            transforms: transforms.copied().collect(),
        });
        self
    }

    /// Adds an animation in which no bone moves.
    pub(crate) fn still(self, name: &str, looping: bool, frames: u16) -> Self {
        let frame = vec![at(0.0, 0.0); self.parts.bones.len()];
        self.animation(name, looping, &vec![frame; frames.into()])
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        format::pchr::write(&self.parts).unwrap()
    }

    /// Returns the document as read from its file.
    pub(crate) fn document(&self) -> Document {
        read(&self.parts)
    }
}

/// Reads the document back from a file of these parts.
pub(crate) fn read(parts: &DocumentParts) -> Document {
    format::read(format::pchr::write(parts).unwrap()).unwrap()
}

/// A vertex that follows one bone.
pub(crate) fn vertex(bone: u16, position: [f32; 2]) -> Vertex {
    Vertex {
        position,
        bone_ids: [bone, 0, 0, 0],
        bone_weights: [1.0, 0.0, 0.0, 0.0],
        ..Vertex::default()
    }
}

/// Transform of a hidden bone at rest.
pub(crate) fn hidden() -> BoneTransform {
    BoneTransform { flags: 0, ..BoneTransform::default() }
}

/// Transform of a bone that is only moved.
pub(crate) fn at(x: f32, y: f32) -> BoneTransform {
    BoneTransform { x, y, ..BoneTransform::default() }
}

/// Transform of a bone from its fields in their order.
pub(crate) fn transform_of(
    (x, y, rotation, scale_x, scale_y, flags, z_order): (f32, f32, f32, f32, f32, u8, i16),
) -> BoneTransform {
    BoneTransform { x, y, rotation, scale_x, scale_y, flags, z_order }
}

/// Clips of [`puppet`] and their numbers of frames, in file order.
pub(crate) const CLIPS: [(&str, usize); 5] =
    [("bind", 1), ("walk", 4), ("blink", 3), ("swap", 2), ("jump", 2)];

/// Two squares and a bar, each of one colour:
///
/// ```text
///          y
///  part.red   part.green            x: -60..-20 and 20..60   y: -20..20
/// ======== shadow =======           x: -70..70               y: -40..-30
/// ```
///
/// - `bind`: as above
/// - `walk` (loops): red moves right by 10 per frame
/// - `blink` (does not loop): green is visible, hidden, visible
/// - `swap` (loops): red covers green, first in front of it and then behind it
/// - `jump` (does not loop): everything is 60 higher in the second frame
pub(crate) fn puppet() -> Builder {
    let red = |x, z_order| BoneTransform { z_order, ..at(x, 0.0) };
    let green = |visible: bool| BoneTransform { flags: visible.into(), ..at(40.0, 0.0) };
    let rest = [at(0.0, 0.0), at(-40.0, 0.0), at(40.0, 0.0)];
    let [root, _, _] = rest;
    let walk = [0.0, 10.0, 20.0, 30.0].map(|x| [root, red(x - 40.0, 0), green(true)]);
    let blink = [true, false, true].map(|visible| [root, red(-40.0, 0), green(visible)]);
    let swap = [1, -1].map(|z_order| [root, red(40.0, z_order), green(true)]);
    let jump = [0.0, 60.0].map(|y| [at(0.0, y), red(-40.0, 0), green(true)]);
    Builder::new()
        .image(1, &[RED])
        .image(1, &[GREEN])
        .image(1, &[BLUE])
        .bone("root", None)
        .bone("red", Some(0))
        .bone("green", Some(0))
        .quad("shadow", 2, 0, [-70.0, -40.0], [70.0, -30.0])
        .quad("part.red", 0, 1, [-60.0, -20.0], [-20.0, 20.0])
        .quad("part.green", 1, 2, [20.0, -20.0], [60.0, 20.0])
        .animation("bind", false, &[rest])
        .animation("walk", true, &walk)
        .animation("blink", false, &blink)
        .animation("swap", true, &swap)
        .animation("jump", false, &jump)
}
