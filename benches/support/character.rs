//! A character computed by arithmetic: the same bytes on every machine, and the size of a real one.
//!
//! By default it has 40 meshes of 8 x 8 vertices (2,560 vertices, 3,920 triangles), 64 bones with four influences per vertex,
//! an atlas of 1024 x 1024 and 120 frames. At zoom 1 it fills about a quarter of 512 x 512 pixels, five layers deep.
#![allow(
    dead_code,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    clippy::expect_used,
    reason = "each user takes a part; all numbers are small"
)]

use pchr::document::{
    AnimationParts, BoneParts, BoneTransform, Document, DocumentParts, ImageFormat, ImageParts,
    MeshParts, Vertex,
};
use pchr::format;

/// Sizes of the character.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Character {
    /// Number of meshes; each has its own cell of the atlas.
    pub(crate) meshes: u16,
    /// Vertices along the side of a mesh.
    pub(crate) side: u16,
    pub(crate) bones: u16,
    pub(crate) frames: u16,
    /// Pixels along the side of the atlas.
    pub(crate) atlas: u16,
    /// World pixels along the side of a mesh.
    pub(crate) size: f32,
}

impl Default for Character {
    fn default() -> Self {
        Self { meshes: 40, side: 8, bones: 64, frames: 120, atlas: 1024, size: 90.0 }
    }
}

impl Character {
    /// Returns the bytes of the file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        format::pchr::write(&self.parts()).expect("the character can be written")
    }

    /// Returns the document as read from its file.
    pub(crate) fn document(&self) -> Document {
        format::read(self.bytes()).expect("the character is valid")
    }

    /// Returns the parts of the document.
    pub(crate) fn parts(&self) -> DocumentParts {
        let bones = (0..self.bones).map(|i| BoneParts {
            name: format!("bone {i}"),
            parent: i.checked_sub(1).map(|i| i / 3),
        });
        DocumentParts {
            fps: 30,
            flags: 0,
            images: vec![ImageParts {
                name: "atlas".to_owned(),
                width: self.atlas,
                height: self.atlas,
                format: ImageFormat::Rgba8888,
                data: self.texels(),
            }],
            bones: bones.collect(),
            meshes: (0..self.meshes).map(|i| self.mesh(i)).collect(),
            animations: vec![
                self.animation("bind", 1, 0.0),
                self.animation("move", self.frames, 1.0),
            ],
            trailing: Vec::new(),
        }
    }

    /// Number of cells along the side of the atlas.
    fn cells(&self) -> u16 {
        (1..).find(|n| n * n >= self.meshes).unwrap_or(1)
    }

    /// Draws round shapes with soft borders and opaque interiors; one in five is translucent throughout.
    fn texels(&self) -> Vec<u8> {
        let cell = f32::from(self.atlas) / f32::from(self.cells());
        let texel = |i: u32| {
            let (x, y) = (i % u32::from(self.atlas), i / u32::from(self.atlas));
            let (column, row) = ((x as f32 / cell).floor(), (y as f32 / cell).floor());
            let place = |at: u32, cell_at: f32| 2.0 * ((at as f32 + 0.5) / cell - cell_at) - 1.0;
            let (u, v) = (place(x, column), place(y, row));
            let mesh = (row * f32::from(self.cells()) + column) as u32;
            // A superellipse: 1 on the border of the shape.
            let radius = u.powi(4) + v.powi(4);
            let most = if mesh % 5 == 3 { 0.6 } else { 1.0 };
            let alpha = (8.0 * (0.85 - radius)).clamp(0.0, 1.0) * most;
            let wave = |phase: f32| 0.5 + 0.5 * wave(phase);
            let colour = [
                wave(0.9 * u + 0.13 * mesh as f32),
                wave(0.7 * v + 0.29 * mesh as f32),
                wave(0.5 * (u - v) + 0.41 * mesh as f32),
                alpha,
            ];
            colour.map(|c| (c * 255.0 + 0.5) as u8)
        };
        let count = u32::from(self.atlas) * u32::from(self.atlas);
        (0..count).flat_map(texel).collect()
    }

    fn mesh(&self, index: u16) -> MeshParts {
        let mut random = Random(u32::from(index) + 1);
        // Spread over a disc with a quarter of the area of 512 x 512 pixels.
        let center = [0; 2].map(|_| 190.0 * (random.next() - 0.5));
        let turn = (random.next() - 0.5) * 1.2;
        let (cells, last) = (f32::from(self.cells()), f32::from(self.side - 1));
        let cell = [index % self.cells(), index / self.cells()].map(f32::from);
        let vertex = |i: u16| {
            let [s, t] = [i % self.side, i / self.side].map(|c| f32::from(c) / last);
            let (x, y) = ((s - 0.5) * self.size, (0.5 - t) * self.size);
            let [center_x, center_y] = center;
            let [column, row] = cell;
            // The weights fade from corner to corner.
            let corners = [(1.0 - s) * (1.0 - t), s * (1.0 - t), (1.0 - s) * t, s * t];
            let bone = |corner: u16| (index * 3 + corner) % self.bones;
            Vertex {
                position: [center_x + x - turn * y, center_y + y + turn * x],
                uv: [(column + s) / cells, (row + t) / cells],
                bone_ids: [bone(0), bone(1), bone(2), bone(3)],
                bone_weights: corners.map(|w| 0.02 + 0.92 * w),
            }
        };
        let quads = (0..self.side - 1).flat_map(|y| (0..self.side - 1).map(move |x| [x, y]));
        let triangles = quads.flat_map(|[x, y]| {
            let at = y * self.side + x;
            let below = at + self.side;
            [at, at + 1, below, below, at + 1, below + 1]
        });
        MeshParts {
            name: format!("mesh {index}"),
            image: 0,
            vertices: (0..self.side * self.side).map(vertex).collect(),
            indices: triangles.collect(),
        }
    }

    fn animation(&self, name: &str, frame_count: u16, strength: f32) -> AnimationParts {
        let transform = |i: u32| {
            let (frame, bone) = (i / u32::from(self.bones), i % u32::from(self.bones));
            let mut random = Random(bone + 1000);
            let place = [0; 2].map(|_| 60.0 * (random.next() - 0.5));
            let phase = frame as f32 / f32::from(frame_count) * 4.0 + random.next() * 4.0;
            let sway = strength * wave(phase);
            let [x, y] = place;
            BoneTransform {
                x: x + 2.0 * sway,
                y: y - 1.5 * sway,
                rotation: 5.0 * sway,
                scale_x: 1.0 + 0.03 * sway,
                scale_y: 1.0 - 0.02 * sway,
                flags: 1,
                z_order: 0,
            }
        };
        AnimationParts {
            name: name.to_owned(),
            flags: 1,
            frame_count,
            transforms: (0..u32::from(frame_count) * u32::from(self.bones))
                .map(transform)
                .collect(),
        }
    }
}

/// A smooth wave from -1 to 1 with a period of 4, made of parabolas.
fn wave(phase: f32) -> f32 {
    let x = phase - 4.0 * (phase / 4.0).floor();
    if x < 2.0 { 1.0 - (x - 1.0) * (x - 1.0) } else { (x - 3.0) * (x - 3.0) - 1.0 }
}

/// Pseudo-random numbers from 0 to 1, the same in every run.
struct Random(u32);

impl Random {
    fn next(&mut self) -> f32 {
        for _ in 0..2 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        }
        (self.0 >> 8) as f32 / 16_777_216.0
    }
}
