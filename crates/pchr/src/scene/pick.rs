//! Finds the mesh under a point of the picture.

use super::{Camera2d, Draw, Frame, Geometry};
use crate::document::{Mesh, MeshId, Vertex};
use crate::image::{Pixels, unpremultiply};

/// Least alpha that a click hits: 1/16 of 255. Soft edges and the haze around a cut-out reach some pixels farther than the visible
/// part, and a click there means the part below.
pub const PICK_ALPHA: u8 = 16;

/// Sub-pixel positions along a pixel's side. Corners snap to them, as they do in the renderers.
const ONE: f64 = 256.0;

/// Finds the drawn meshes under a point, with the geometry and texels that the renderers draw: both windings, affine texture
/// coordinates, and the texel that holds the point, clamped to the edge.
///
/// In a program with a camera and a placement of its own, bring the point into the character's space, and ask there: with a size of 0 and the
/// camera below, points of the picture are points of the character's space. Here `y_down` only keeps Y from being turned over; it is true
/// for every character.
///
/// ```
/// # use pchr::{document::MeshId, glam::{Affine2, Vec2}, image::Pixels, scene::*};
/// # fn mesh_under(
/// #     pointer: Vec2, world_from_pointer: Affine2, world_from_model: Affine2,
/// #     geometry: &dyn Geometry, frame: &Frame, images: &[&Pixels], scratch: &mut PickScratch,
/// # ) -> Option<MeshId> {
/// let at = world_from_model.inverse().transform_point2(world_from_pointer.transform_point2(pointer));
/// let camera = &Camera2d { y_down: true, ..Camera2d::default() };
/// let job = PickJob { geometry, frame, images, camera, size: [0, 0] };
/// let pick = job.run([at.x.into(), at.y.into()], scratch)?;
/// # Some(pick.mesh)
/// # }
/// # use pchr::{character::Character, finding::Findings, format, image::decode_all, playback::FrameAt, pose::BindChoice};
/// # let fox = format::read(std::fs::read("../../assets/sample.pchr").unwrap()).unwrap();
/// # let (bind, head) = (fox.animation_named("bind").unwrap(), fox.mesh_named("snout").unwrap());
/// # let images = decode_all(&fox, &mut Findings::default());
/// # let fox = Character::new(fox, BindChoice::Auto);
/// # let frame = Frame::new(&fox, Some(FrameAt::exact(bind, 0)), &ViewOptions::default());
/// # let mut points = Vec::new();
/// # let geometry: &dyn Geometry = &fox;
/// # frame.pose().place(&geometry.mesh(head).unwrap(), &mut points);
/// # let middle = points.iter().fold(Vec2::ZERO, |sum, at| sum + Vec2::from(*at)) / points.len() as f32;
/// # // A figure of twice the size, seen by a camera whose Y points down.
/// # let world_from_model = Affine2::from_scale_angle_translation(Vec2::splat(2.0), 0.3, Vec2::new(50.0, 7.0));
/// # let world_from_pointer = Affine2::from_scale_angle_translation(Vec2::new(0.5, -0.5), 0.0, Vec2::new(-100.0, 80.0));
/// # let pointer = world_from_pointer.inverse().transform_point2(world_from_model.transform_point2(middle));
/// # let images: Vec<&Pixels> = images.iter().collect();
/// # let mesh = mesh_under(pointer, world_from_pointer, world_from_model, geometry, &frame, &images, &mut PickScratch::default());
/// # assert_eq!(mesh, Some(head));
/// # assert_eq!(mesh_under(pointer + 3000.0, world_from_pointer, world_from_model, geometry, &frame, &images, &mut PickScratch::default()), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PickJob<'a> {
    /// The triangles of the subject.
    pub geometry: &'a dyn Geometry,
    /// Frame that is shown.
    pub frame: &'a Frame,
    /// Texels of each image, premultiplied. Sizes may differ from those in the file. Nothing is found in missing images.
    pub images: &'a [&'a Pixels],
    /// Placement of the world in the picture.
    pub camera: &'a Camera2d,
    /// Width and height of the picture in pixels.
    pub size: [u32; 2],
}

/// A mesh under a point, and the position on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pick {
    /// The mesh.
    pub mesh: MeshId,
    /// Its index in the draw list, from the back.
    pub draw_index: usize,
    /// Index of the triangle within the mesh.
    pub triangle: usize,
    /// Corner of the triangle that is nearest on the screen: its index within the mesh.
    pub vertex: u16,
    /// Texture coordinate, 0..1, `v = 0` is the top row.
    pub uv: [f64; 2],
    /// Column and row of the texel within its image.
    pub texel: [u32; 2],
    /// The texel: straight alpha, sRGB-encoded.
    pub rgba: [u8; 4],
    /// The point in world pixels.
    pub world: [f64; 2],
}

/// Memory that is kept from one point to the next.
#[derive(Clone, Debug, Default)]
pub struct PickScratch {
    /// Vertices of one mesh: in the world, then on the screen.
    points: Vec<[f32; 2]>,
}

impl PickJob<'_> {
    /// Returns the topmost mesh under a point of the picture (pixels, row 0 on top, pixel centres at halves); `None` if there is
    /// only background.
    #[must_use]
    pub fn run(&self, at: [f64; 2], scratch: &mut PickScratch) -> Option<Pick> {
        self.all(at, scratch).next()
    }

    /// Returns every mesh under a point, topmost first. Of a mesh that covers the point more than once, the topmost triangle
    /// counts.
    pub fn all<'s>(
        &'s self,
        at: [f64; 2],
        scratch: &'s mut PickScratch,
    ) -> impl Iterator<Item = Pick> + 's {
        let draws = self.frame.draws().iter().enumerate().rev();
        draws.filter_map(move |(index, draw)| self.pick(index, *draw, at, &mut scratch.points))
    }

    fn pick(
        &self,
        draw_index: usize,
        draw: Draw,
        at: [f64; 2],
        points: &mut Vec<[f32; 2]>,
    ) -> Option<Pick> {
        let mesh = self.geometry.mesh(draw.mesh)?;
        let image = self.images.get(draw.image.index())?;
        points.clear();
        self.frame.project(&mesh, &self.camera.screen_from_world(self.size), points);
        let point = at.map(snap);
        if !bounds_hold(points, point) {
            return None;
        }
        let mut top = None;
        // Later triangles of a mesh lie on top.
        for (triangle, corners) in mesh.triangles().enumerate() {
            let Some(parts) = covered(corners.map(|i| place(points, i)), point) else { continue };
            let uv = blend(&mesh, corners, parts);
            let texel = texel_at(image, uv);
            let rgba = read(image, texel);
            let [_, _, _, alpha] = rgba;
            if alpha >= PICK_ALPHA {
                top = Some((triangle, corners, uv, texel, rgba));
            }
        }
        let (triangle, corners, uv, texel, mut rgba) = top?;
        unpremultiply(&mut rgba);
        Some(Pick {
            mesh: draw.mesh,
            draw_index,
            triangle,
            vertex: nearest(points, corners, point),
            uv,
            texel,
            rgba,
            world: self.camera.world_at(at, self.size),
        })
    }
}

/// Returns the nearest sub-pixel position, in 1/256 of a pixel.
fn snap(pixels: f64) -> f64 {
    (pixels * ONE).round_ties_even()
}

/// Returns the screen position of a vertex, in 1/256 of a pixel; NaN if there is no such vertex.
fn place(points: &[[f32; 2]], index: u16) -> [f64; 2] {
    let point = points.get(usize::from(index)).copied();
    point.unwrap_or([f32::NAN; 2]).map(|c| snap(c.into()))
}

/// Returns true if a point lies within the bounds of all vertices. A vertex that is not finite is ignored.
fn bounds_hold(points: &[[f32; 2]], point: [f64; 2]) -> bool {
    let mut bounds = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for at in points {
        for ([low, high], c) in bounds.iter_mut().zip(at) {
            *low = low.min(snap((*c).into()));
            *high = high.max(snap((*c).into()));
        }
    }
    let mut sides = bounds.iter().zip(point);
    sides.all(|([low, high], c)| *low <= c && c <= *high)
}

/// Returns the weight of each corner at a point, if the triangle covers it. It does if the point is inside, or on a left or top
/// edge, so that of two triangles that share an edge one covers it. Positions are whole numbers, so that nothing is rounded where
/// pictures are.
fn covered(corners: [[f64; 2]; 3], point: [f64; 2]) -> Option<[f64; 3]> {
    let [a, b, c] = corners;
    let area = cross(a, b, c);
    let turn = area.signum();
    let side = |from: [f64; 2], to: [f64; 2]| {
        // Both windings are drawn: seen with the triangle to the right of it, an edge goes this way round.
        let [dx, dy] = [(to[0] - from[0]) * turn, (to[1] - from[1]) * turn];
        let weight = cross(from, to, point) * turn;
        let owns_itself = dy < 0.0 || (dy == 0.0 && dx > 0.0);
        (weight > 0.0 || (weight == 0.0 && owns_itself)).then_some(weight)
    };
    if area == 0.0 || !area.is_finite() {
        return None;
    }
    let weights = [side(b, c)?, side(c, a)?, side(a, b)?];
    Some(weights.map(|weight| weight / area.abs()))
}

/// Returns twice the area of a triangle: positive if it turns right on the screen (Y down).
fn cross([ax, ay]: [f64; 2], [bx, by]: [f64; 2], [cx, cy]: [f64; 2]) -> f64 {
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/// Returns the texture coordinate of a point with these weights of the corners.
fn blend(mesh: &Mesh<'_>, corners: [u16; 3], parts: [f64; 3]) -> [f64; 2] {
    let records = mesh.vertex_records();
    let mut uv = [0.0; 2];
    for (index, part) in corners.into_iter().zip(parts) {
        let vertex = records.get(usize::from(index)).map(Vertex::from_record);
        debug_assert!(vertex.is_some(), "the triangle was hit");
        for (sum, c) in uv.iter_mut().zip(vertex.unwrap_or_default().uv) {
            *sum += part * f64::from(c);
        }
    }
    uv
}

/// Returns the texel that contains a texture coordinate, or the nearest one at the edge.
fn texel_at(image: &Pixels, uv: [f64; 2]) -> [u32; 2] {
    let [u, v] = uv;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates, as the edge does"
    )]
    let along = |c: f64, side: u32| ((c * f64::from(side)) as u32).min(side.saturating_sub(1));
    [along(u, image.width), along(v, image.height)]
}

/// Returns a texel as stored; transparent if there is none.
fn read(image: &Pixels, [x, y]: [u32; 2]) -> [u8; 4] {
    let row = (y as usize).checked_mul(image.width as usize);
    let index = row.and_then(|row| row.checked_add(x as usize));
    let texels = image.rgba.as_chunks().0;
    let texel = index.and_then(|index| texels.get(index));
    texel.copied().unwrap_or_default()
}

fn nearest(points: &[[f32; 2]], corners: [u16; 3], [x, y]: [f64; 2]) -> u16 {
    let distance = |index: u16| {
        let [px, py] = place(points, index);
        (px - x) * (px - x) + (py - y) * (py - y)
    };
    let [first, ..] = corners;
    let nearest = corners.into_iter().min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
    nearest.unwrap_or(first)
}
