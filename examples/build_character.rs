//! Builds a character from code: a flag that waves on a pole. Writes `flag.pchr`, or the given path.
//!
//! ```sh
//! cargo run --example build_character && cargo run -- flag.pchr
//! ```

use pchr::document::{
    AnimationParts, BoneParts, BoneTransform, DocumentParts, ImageFormat, ImageParts, MeshParts,
    Vertex,
};
use pchr::format::pchr::build;

/// Bones of the cloth, one after another.
const LINKS: u16 = 6;
/// Length of a link in pixels.
const LENGTH: f32 = 30.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or("flag.pchr".into());
    // A fault of the parts is an error here, with path and reason: a document is always valid.
    let document = build(&flag())?;
    std::fs::write(path, document.bytes())?;
    Ok(())
}

/// The pole is bone 0; the links of the cloth form a chain below it.
pub(crate) fn flag() -> DocumentParts {
    let mut bones = vec![BoneParts { name: "pole".into(), parent: None }];
    bones.extend(
        (0..LINKS).map(|link| BoneParts { name: format!("link {link}"), parent: Some(link) }),
    );
    DocumentParts {
        fps: 24,
        // Two texels with straight alpha: the pole's and the cloth's. A PNG file would be stored unchanged.
        images: vec![ImageParts {
            name: "colours".into(),
            width: 2,
            height: 1,
            format: ImageFormat::Rgba8888,
            data: vec![120, 80, 50, 255, 220, 60, 50, 255],
        }],
        bones,
        meshes: vec![pole(), cloth()],
        // Vertices are stored in the pose of the animation named like a bind pose.
        animations: vec![animation("bind", 1, 0.0), animation("wave", 24, 18.0)],
        ..DocumentParts::default()
    }
}

fn pole() -> MeshParts {
    let corner = |x, y| Vertex {
        position: [x, y],
        uv: [0.25, 0.5],
        bone_ids: [0; 4],
        bone_weights: [1.0, 0.0, 0.0, 0.0],
    };
    MeshParts {
        name: "pole".into(),
        image: 0,
        vertices: vec![
            corner(-4.0, -200.0),
            corner(0.0, -200.0),
            corner(0.0, 40.0),
            corner(-4.0, 40.0),
        ],
        indices: vec![0, 1, 2, 0, 2, 3],
    }
}

/// Two rows of vertices; where two links meet, both move the vertices.
fn cloth() -> MeshParts {
    let column = |i: u16| {
        [30.0, -60.0].map(|y| Vertex {
            position: [f32::from(i) * LENGTH, y],
            uv: [0.75, 0.5],
            bone_ids: [i, (i + 1).min(LINKS), 0, 0],
            bone_weights: if i == 0 { [1.0, 0.0, 0.0, 0.0] } else { [0.5, 0.5, 0.0, 0.0] },
        })
    };
    MeshParts {
        name: "cloth".into(),
        image: 0,
        vertices: (0..=LINKS).flat_map(column).collect(),
        indices: (0..LINKS)
            .map(|i| i * 2)
            .flat_map(|i| [i, i + 1, i + 2, i + 2, i + 1, i + 3])
            .collect(),
    }
}

/// Turns each link by a wave that runs along the cloth.
fn animation(name: &str, frame_count: u16, degrees: f32) -> AnimationParts {
    let transform = |frame: u16, bone: u16| {
        let turns = f32::from(frame) / f32::from(frame_count) - f32::from(bone) * 0.2;
        BoneTransform {
            x: if bone > 1 { LENGTH } else { 0.0 },
            rotation: if bone > 0 { degrees * (turns * std::f32::consts::TAU).sin() } else { 0.0 },
            ..BoneTransform::default()
        }
    };
    AnimationParts {
        name: name.into(),
        flags: 1, // looping
        frame_count,
        transforms: (0..frame_count)
            .flat_map(|frame| (0..=LINKS).map(move |bone| transform(frame, bone)))
            .collect(),
    }
}
