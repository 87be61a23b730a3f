//! A subject made of three squares.

use pchr::document::{
    AnimationId, INDEX_SIZE, Image, ImageFault, ImageFormat, ImageId, Images, Mesh, MeshId,
    PchrRule, VERTEX_SIZE, Vertex,
};
use pchr::finding::{Finding, Findings};
use pchr::playback::{FrameAt, Timeline};
use pchr::scene::{Clip, FileFacts, Geometry, MeshOrder, PlainSweep, Subject, Sweep, ViewOptions};

const NAMES: [&str; 3] = ["red", "green", "blue"];
pub(crate) const COLORS: [[u8; 4]; 3] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]];

/// Three squares of 8 pixels side by side, each with its own image. Clip 0 shows one after the other. Clip 1 shows all, with the
/// first on top in its second frame. There are no bones.
#[derive(Debug)]
pub(crate) struct Quads {
    vertices: [[[u8; VERTEX_SIZE]; 4]; 3],
    indices: [[u8; INDEX_SIZE]; 6],
    warnings: Findings,
}

impl Quads {
    pub(crate) fn new() -> Self {
        let corner = |left: f32, [x, y]: [f32; 2]| {
            let vertex = Vertex {
                position: [left + 8.0 * x, 8.0 * y],
                uv: [x, 1.0 - y],
                ..Vertex::default()
            };
            vertex.to_record()
        };
        let quad =
            |left: f32| [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|at| corner(left, at));
        Self {
            vertices: [-12.0, -6.0, 4.0].map(quad),
            indices: [0_u16, 1, 2, 0, 2, 3].map(u16::to_le_bytes),
            warnings: Findings::default(),
        }
    }
}

/// One opaque texel per image.
impl Images for Quads {
    fn image_count(&self) -> usize {
        3
    }

    fn image(&self, id: ImageId) -> Option<Image<'_>> {
        let (name, texel) = (NAMES.get(id.index())?, COLORS.get(id.index())?);
        Some(Image::new(name, [1, 1], ImageFormat::Rgba8888, texel))
    }

    fn image_finding(&self, id: ImageId, _: ImageFault, message: String) -> Finding {
        let name = NAMES.get(id.index()).unwrap_or(&"");
        Finding::new(PchrRule::ImageDecode, 0, name, &message)
    }
}

impl Geometry for Quads {
    fn mesh_count(&self) -> usize {
        3
    }

    fn mesh(&self, id: MeshId) -> Option<Mesh<'_>> {
        let vertices = self.vertices.get(id.index())?;
        let name = NAMES.get(id.index())?;
        Some(Mesh::new(name, ImageId(id.0), vertices, &self.indices))
    }
}

impl Subject for Quads {
    fn order(&self, at: Option<FrameAt>, order: &mut Vec<MeshOrder>) {
        order.extend((0..3_u16).map(|mesh| match at {
            Some(at) if at.animation.0 == 0 => {
                MeshOrder { visible: at.frame == mesh, z_order: 0.0 }
            }
            Some(at) if at.frame == 1 && mesh == 0 => MeshOrder { visible: true, z_order: 5.0 },
            _ => MeshOrder::default(),
        }));
    }

    fn animation_count(&self) -> usize {
        2
    }

    fn animation(&self, id: AnimationId) -> Option<Clip<'_>> {
        let (name, frame_count) = *[("one by one", 3), ("all", 2)].get(id.index())?;
        let timeline = Timeline { frame_count, fps: 12.0, looping: true, smooth: false };
        Some(Clip { name, timeline })
    }

    fn default_animation(&self) -> Option<AnimationId> {
        Some(AnimationId(0))
    }

    fn sweep<'a>(&'a self, view: &'a ViewOptions) -> Box<dyn Sweep + 'a> {
        Box::new(PlainSweep::new(self, view))
    }

    fn file(&self) -> FileFacts<'_> {
        FileFacts { format: "three quads", bytes: 6, fps: None }
    }

    fn warnings(&self) -> &Findings {
        &self.warnings
    }
}
