//! A sprite as two triangles.

use pchr::document::{VERTEX_SIZE, Vertex};
use pchr::scene::Bounds;

use crate::atlas::Sprite;

/// A sprite in the world, and its source around it.
#[derive(Debug)]
pub(super) struct Quad {
    /// Top left, top right, bottom right and bottom left corner of the sprite's area on the page.
    pub(super) vertices: [[u8; VERTEX_SIZE]; 4],
    /// Its source, and the sprite if that leaves it.
    pub(super) bounds: Bounds,
}

impl Quad {
    /// A sprite on a page of this size. What would lie outside the page is cut off.
    pub(super) fn new(sprite: &Sprite, page: [u32; 2]) -> Self {
        let rect = sprite.rect;
        let [x, y, width, height] = [rect.x, rect.y, rect.width, rect.height].map(f64::from);
        let [page_width, page_height] = page.map(f64::from);
        // Left, top, right and bottom of what is seen, in upright pixels of the sprite.
        let seen = if sprite.rotated {
            [-y, x + height - page_width, page_height - y, x + height]
        } else {
            [-x, -y, page_width - x, page_height - y]
        };
        let [left, top, right, bottom] = seen;
        let (left, top) = (
            left.clamp(0.0, width.max(0.0)),
            top.clamp(0.0, height.max(0.0)),
        );
        let right = right.clamp(left, width.max(left));
        let bottom = bottom.clamp(top, height.max(top));

        let [source_width, source_height] = sprite.source_size().map(f64::from);
        let [trim_x, trim_y] = sprite.source_offset().map(f64::from);
        let world = |[u, v]: [f64; 2]| {
            [
                trim_x + u - source_width / 2.0,
                source_height / 2.0 - trim_y - v,
            ]
        };
        let corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
        let vertices = corners.map(|[u, v]| {
            // Turned clockwise, what was at the top lies at the right.
            let on_page = if sprite.rotated {
                [x + height - v, y + u]
            } else {
                [x + u, y + v]
            };
            let [page_x, page_y] = on_page;
            let vertex = Vertex {
                position: world([u, v]).map(rounded),
                uv: [page_x / page_width, page_y / page_height].map(rounded),
                ..Vertex::default()
            };
            vertex.to_record()
        });
        let [half_width, half_height] =
            [source_width, source_height].map(|side| side.max(0.0) / 2.0);
        let source = Bounds {
            min: [-half_width, -half_height].map(rounded),
            max: [half_width, half_height].map(rounded),
        };
        let [min_x, max_y] = world([left, top]).map(rounded);
        let [max_x, min_y] = world([right, bottom]).map(rounded);
        let drawn = Bounds {
            min: [min_x, min_y],
            max: [max_x, max_y],
        };
        let is_drawn = min_x < max_x && min_y < max_y;
        Self {
            vertices,
            bounds: if is_drawn {
                source.union(drawn)
            } else {
                source
            },
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
fn rounded(number: f64) -> f32 {
    number as f32
}
