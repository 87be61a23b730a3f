//! The sample character: a fox of cut paper, drawn, rigged and animated by this code.
//!
//! `canvas` and `paper` draw sheets, `body` .. `tail` are the parts, `atlas` packs them, `rig` and `mesh` bind them to bones,
//! and `clips` moves the bones. Everything is in *design space*: pixels, Y up, the bind pose as drawn.

mod atlas;
mod body;
mod canvas;
mod clips;
mod ears;
mod eyes;
mod grain;
mod head;
mod limbs;
mod mask;
mod mesh;
mod motion;
mod palette;
mod paper;
mod pen;
mod rig;
mod scarf;
mod spine;
mod tail;

use pchr::document::{BoneParts, DocumentParts, ImageFormat, ImageParts, MeshParts};

use self::canvas::Canvas;
use self::mesh::Shape;
use self::rig::{Bone, Rig};

/// A drawing and the meshes that show it.
pub(crate) struct Part {
    canvas: Canvas,
    meshes: Vec<(String, Shape)>,
}

impl Part {
    fn new(name: String, canvas: Canvas, shape: Shape) -> Self {
        Self { canvas, meshes: vec![(name, shape)] }
    }
}

/// Builds the whole character, the same on every run.
pub(crate) fn build() -> DocumentParts {
    let rig = Rig::new();
    let mut parts = vec![
        body::ground(),
        tail::part(),
        scarf::trail(),
        body::torso(),
        scarf::end(),
        scarf::wrap(),
    ];
    parts.extend(limbs::parts());
    parts.extend(ears::parts());
    parts.extend(head::parts());
    parts.extend(eyes::parts());
    let places = atlas::pack(&parts);
    let image = ImageParts {
        name: "puppet".into(),
        width: atlas::SIZE as u16,
        height: atlas::SIZE as u16,
        format: ImageFormat::Png,
        data: atlas::encode(&parts, &places),
    };
    DocumentParts {
        fps: clips::FPS,
        flags: 0,
        images: vec![image],
        bones: rig
            .joints
            .iter()
            .map(|joint| BoneParts { name: joint.name.into(), parent: joint.parent.map(id) })
            .collect(),
        meshes: parts
            .iter()
            .zip(&places)
            .flat_map(|(part, place)| meshes(part, place.at))
            .collect(),
        animations: clips::all(&rig),
        trailing: Vec::new(),
    }
}

fn id(bone: Bone) -> u16 {
    bone.index() as u16
}

fn meshes(part: &Part, [left, top]: [usize; 2]) -> Vec<MeshParts> {
    let uv_at = |point: [f64; 2]| {
        let [x, y] = part.canvas.texel_at(point);
        [
            (x + left as f64) as f32 / atlas::SIZE as f32,
            (y + top as f64) as f32 / atlas::SIZE as f32,
        ]
    };
    let mesh = |(name, shape): &(String, Shape)| MeshParts {
        name: name.clone(),
        image: 0,
        vertices: shape.vertices(uv_at),
        indices: shape.indices.clone(),
    };
    part.meshes.iter().map(mesh).collect()
}
