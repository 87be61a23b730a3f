//! An engine that does not know this library: it takes slices of numbers, skins on the CPU and fills triangles.
//!
//! A port to another language starts here. On a GPU, [`skin`] becomes the vertex shader, [`sample`] the sampler, and a [`Blend`] the
//! blend state.

/// Constant arrays of a character: one entry per vertex, with all meshes one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Vertices<'a> {
    /// `x, y`: as stored, in the bind pose.
    pub(crate) positions: &'a [f32],
    /// `u, v`: 0 to 1; `v = 0` is the top row of the texture.
    pub(crate) uvs: &'a [f32],
    /// Four per vertex.
    pub(crate) bone_ids: &'a [u16],
    /// Four per vertex.
    pub(crate) bone_weights: &'a [f32],
}

/// Texels: RGBA, premultiplied, top row first.
#[derive(Clone, Copy)]
pub(crate) struct Texture<'a> {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) rgba: &'a [u8],
}

/// A mesh to draw: a range of the indices, and a texture.
#[derive(Clone, Copy)]
pub(crate) struct Draw {
    pub(crate) first_index: u32,
    pub(crate) index_count: u32,
    pub(crate) texture: u32,
}

/// Blending of a texel with the pixel below it.
pub(crate) type Blend = fn(source: [u8; 4], target: [u8; 4]) -> [u8; 4];

/// `source + target · (1 − source alpha)`: the blend state `ONE, ONE_MINUS_SRC_ALPHA`, for colour and alpha.
pub(crate) fn premultiplied([r, g, b, a]: [u8; 4], target: [u8; 4]) -> [u8; 4] {
    let under = target.map(|c| (f32::from(c) * f32::from(255 - a) / 255.0).round() as u8);
    let [under_r, under_g, under_b, under_a] = under;
    [
        r.saturating_add(under_r),
        g.saturating_add(under_g),
        b.saturating_add(under_b),
        a.saturating_add(under_a),
    ]
}

/// A picture to draw into: RGBA, premultiplied, top row first.
pub(crate) struct Target<'a> {
    pub(crate) width: u32,
    pub(crate) rgba: &'a mut [u8],
    /// `screen = world · scale + offset` for x and y; the screen's y points down.
    pub(crate) scale: [f32; 2],
    pub(crate) offset: [f32; 2],
    pub(crate) blend: Blend,
}

impl Target<'_> {
    /// Draws meshes back to front. `palette` has eight numbers per bone: two rows of a matrix, with the fourth number of each unused.
    pub(crate) fn draw(
        &mut self,
        vertices: Vertices<'_>,
        indices: &[u32],
        palette: &[f32],
        draws: &[Draw],
        textures: &[Texture<'_>],
    ) {
        for draw in draws {
            let first = draw.first_index as usize;
            let range = &indices[first..first + draw.index_count as usize];
            for triangle in range.as_chunks::<3>().0 {
                let corners = triangle.map(|index| {
                    let world = skin(vertices, palette, index as usize);
                    let screen = |i: usize| world[i] * self.scale[i] + self.offset[i];
                    // Corners are rounded to 1/256 of a pixel, as on GPUs, so triangles that share an edge leave no gap.
                    [0, 1].map(|i| (f64::from(screen(i)) * 256.0).round_ties_even() as i64)
                });
                let uvs = triangle.map(|index| {
                    let at = index as usize * 2;
                    [vertices.uvs[at], vertices.uvs[at + 1]]
                });
                self.fill(corners, uvs, textures[draw.texture as usize]);
            }
        }
    }

    /// Fills a triangle of either winding. A pixel is covered if its centre is inside, or on a left or top edge.
    fn fill(&mut self, corners: [[i64; 2]; 3], uvs: [[f32; 2]; 3], texture: Texture<'_>) {
        let [a, b, c] = corners;
        let area = cross(a, b, c);
        let turn = area.signum();
        let height = self.rgba.len() as i64 / 4 / i64::from(self.width);
        let low = |i: usize| (a[i].min(b[i]).min(c[i]) / 256).max(0);
        let high = |i: usize, side: i64| (a[i].max(b[i]).max(c[i]) / 256 + 1).min(side);
        for y in low(1)..high(1, height) {
            for x in low(0)..high(0, self.width.into()) {
                let centre = [x * 256 + 128, y * 256 + 128];
                let edges = [[b, c], [c, a], [a, b]];
                let weights = edges.map(|[from, to]| cross(from, to, centre) * turn);
                let covers = edges.iter().zip(weights).all(|([from, to], weight)| {
                    let [dx, dy] = [(to[0] - from[0]) * turn, (to[1] - from[1]) * turn];
                    weight > 0 || weight == 0 && (dy < 0 || dy == 0 && dx > 0)
                });
                if area == 0 || !covers {
                    continue;
                }
                let parts = weights.map(|weight| weight as f32 / area.abs() as f32);
                let uv = [0, 1].map(|i| (0..3).map(|corner| parts[corner] * uvs[corner][i]).sum());
                let at = (y * i64::from(self.width) + x) as usize;
                let pixel = &mut self.rgba.as_chunks_mut().0[at];
                *pixel = (self.blend)(sample(texture, uv), *pixel);
            }
        }
    }
}

/// Linear blend skinning. A slot whose weight is not positive is skipped, since its bone may not exist; weights are never normalised.
fn skin(vertices: Vertices<'_>, palette: &[f32], vertex: usize) -> [f32; 2] {
    let [x, y] = [0, 1].map(|i| vertices.positions[vertex * 2 + i]);
    let mut world = [0.0; 2];
    for slot in vertex * 4..vertex * 4 + 4 {
        let weight = vertices.bone_weights[slot];
        if weight > 0.0 {
            let bone = &palette[usize::from(vertices.bone_ids[slot]) * 8..];
            world[0] += weight * (bone[0] * x + bone[1] * y + bone[2]);
            world[1] += weight * (bone[4] * x + bone[5] * y + bone[6]);
        }
    }
    world
}

/// Samples a texture bilinearly, clamped to its edge. Texel centres are at half integers.
fn sample(texture: Texture<'_>, uv: [f32; 2]) -> [u8; 4] {
    let size = [texture.width, texture.height];
    let at = [0, 1].map(|i| uv[i] * size[i] as f32 - 0.5);
    let texel = |dx: f32, dy: f32| {
        let near = [at[0].floor() + dx, at[1].floor() + dy];
        let [x, y] = [0, 1].map(|i| near[i].clamp(0.0, (size[i] - 1) as f32) as usize);
        let texels = texture.rgba.as_chunks::<4>().0;
        texels[y * texture.width as usize + x].map(f32::from)
    };
    let [right, down] = at.map(|c| c - c.floor());
    let mix = |a: [f32; 4], b: [f32; 4], part: f32| {
        [0, 1, 2, 3].map(|i: usize| a[i] + (b[i] - a[i]) * part)
    };
    let above = mix(texel(0.0, 0.0), texel(1.0, 0.0), right);
    let below = mix(texel(0.0, 1.0), texel(1.0, 1.0), right);
    mix(above, below, down).map(|c| c.round() as u8)
}

/// Twice the area of a triangle, positive if it is clockwise on the screen.
fn cross([ax, ay]: [i64; 2], [bx, by]: [i64; 2], [cx, cy]: [i64; 2]) -> i64 {
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}
