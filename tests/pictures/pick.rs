//! Tests of picking: the mesh under a point is the one drawn there, checked against the CPU renderer pixel by pixel.

use crate::fixture::{BLUE, Builder, GREEN, RED, at, picture};
use pchr::character::Character;
use pchr::document::{AnimationId, BoneTransform, ImageId, MeshId, MeshParts, Vertex};
use pchr::finding::Findings;
use pchr::image::{Pixels, decode_all};
use pchr::pose::{BindChoice, FrameAt};
use pchr::raster::{Raster, RasterModel, RasterOptions};
use pchr::scene::{
    Camera2d, Filter, Frame, MeshView, PICK_ALPHA, Pick, PickJob, PickScratch, Picture, Samples,
    ViewOptions,
};
use proptest::prelude::*;

const SIZE: [u32; 2] = [64, 48];

/// A character in its first frame, as held by the window.
struct Shown {
    character: Character,
    images: Vec<Pixels>,
    frame: Frame,
    camera: Camera2d,
}

impl Shown {
    fn new(builder: &Builder, view: &ViewOptions, camera: Camera2d) -> Self {
        let document = builder.document();
        let images = decode_all(&document, &mut Findings::default());
        let character = Character::new(document, BindChoice::Auto);
        let at = Some(FrameAt::exact(AnimationId(0), 0));
        Self { images, frame: Frame::new(&character, at, view), character, camera }
    }

    fn pick(&self, at: [f64; 2]) -> Option<Pick> {
        self.job(&self.images(), |job| job.run(at, &mut PickScratch::default()))
    }

    fn all(&self, at: [f64; 2]) -> Vec<Pick> {
        self.job(&self.images(), |job| job.all(at, &mut PickScratch::default()).collect())
    }

    fn images(&self) -> Vec<&Pixels> {
        self.images.iter().collect()
    }

    fn job<T>(&self, images: &[&Pixels], run: impl FnOnce(&PickJob<'_>) -> T) -> T {
        let (geometry, frame, camera) = (&self.character, &self.frame, &self.camera);
        run(&PickJob { geometry, frame, images, camera, size: SIZE })
    }

    fn meshes(&self, at: [f64; 2]) -> Vec<u16> {
        self.all(at).iter().map(|pick| pick.mesh.0).collect()
    }

    /// Draws the picture with one sample per pixel and the nearest texel, in premultiplied colours.
    fn drawn(&self) -> Pixels {
        let model = RasterModel::new(&self.character, self.images.clone());
        let mut out = Pixels::transparent();
        let mut raster =
            Raster::new(RasterOptions { samples: Samples::One, ..RasterOptions::default() });
        let picture = Picture { camera: self.camera, filter: Filter::Nearest, ..picture(SIZE) };
        let frame = &self.frame;
        raster.draw(&model, frame.list(), frame.pose(), &picture, &mut out).unwrap();
        out
    }

    /// Centres of pixels at which the picked colour differs from the drawn one, with the drawn colour. Texels must be opaque or
    /// empty.
    fn differing(&self) -> Vec<([f64; 2], [u8; 4])> {
        let drawn = self.drawn();
        let centre = |i: u32| f64::from(i) + 0.5;
        let rows = (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| [x, y].map(centre)));
        let pixels = rows.zip(drawn.rgba.as_chunks::<4>().0.iter().copied());
        pixels.filter(|(at, drawn)| self.colour(*at) != *drawn).collect()
    }

    fn colour(&self, at: [f64; 2]) -> [u8; 4] {
        self.pick(at).map_or([0; 4], |pick| pick.rgba)
    }

    fn assert_as_drawn(&self) {
        assert_eq!(self.differing(), []);
    }
}

fn one_to_one() -> Camera2d {
    Camera2d::default()
}

/// A square of 20 world pixels around the origin, and a green one over its right half.
fn overlapping() -> Builder {
    Builder::new()
        .image(1, &[RED])
        .image(1, &[GREEN])
        .bone("root", None)
        .quad("below", 0, 0, [-10.0, -10.0], [10.0, 10.0])
        .quad("above", 1, 0, [0.0, -10.0], [20.0, 10.0])
        .animation("still", true, &[[at(0.0, 0.0)]])
}

#[test]
fn the_topmost_is_picked_first_and_then_what_lies_below() {
    let shown = Shown::new(&overlapping(), &ViewOptions::default(), one_to_one());
    // The origin is in the middle of the picture, at 32, 24.
    assert_eq!(shown.meshes([30.0, 24.0]), [0]);
    assert_eq!(shown.meshes([40.0, 24.0]), [1, 0]);
    assert_eq!(shown.meshes([45.0, 24.0]), [1]);
    assert_eq!(shown.meshes([60.0, 24.0]), [0_u16; 0]);
    let top = shown.pick([40.0, 24.0]).unwrap();
    assert_eq!((top.mesh, top.draw_index), (MeshId(1), 1));
    assert_eq!(top.rgba, GREEN);
    assert_eq!(top.world, [8.0, 0.0]);
    assert_eq!(Some(top), shown.all([40.0, 24.0]).first().copied());
    assert_eq!(shown.all([40.0, 24.0])[1].draw_index, 0);
    shown.assert_as_drawn();
}

#[test]
fn a_point_falls_through_a_hole_and_through_haze() {
    let haze = |alpha| [255, 255, 255, alpha];
    let texels = [RED, haze(0), haze(PICK_ALPHA - 1), haze(PICK_ALPHA)];
    let builder = Builder::new()
        .image(4, &texels)
        .image(1, &[BLUE])
        .bone("root", None)
        .quad("behind", 1, 0, [-20.0, -10.0], [20.0, 10.0])
        .quad("front", 0, 0, [-20.0, -10.0], [20.0, 10.0])
        .animation("still", true, &[[at(0.0, 0.0)]]);
    let shown = Shown::new(&builder, &ViewOptions::default(), one_to_one());
    let under = [17.0, 27.0, 37.0, 47.0].map(|x| shown.meshes([x, 24.0]));
    assert_eq!(under, [vec![1, 0], vec![0], vec![0], vec![1, 0]]);
    let last = shown.pick([47.0, 24.0]).unwrap();
    // The colour is straight, not premultiplied.
    assert_eq!((last.texel, last.rgba), ([3, 0], haze(PICK_ALPHA)));
}

#[test]
fn triangle_vertex_uv_and_texel_are_those_under_the_point() {
    let texels = [1, 2, 3, 4].map(|grey: u8| [grey, grey, grey, 255]);
    let builder = Builder::new()
        .image(2, &texels)
        .bone("root", None)
        .quad("square", 0, 0, [-10.0, -10.0], [10.0, 10.0])
        .animation("still", true, &[[at(0.0, 0.0)]]);
    for y_down in [false, true] {
        let camera = Camera2d { zoom: 2.0, center: [1.0, 0.0], y_down, ..Camera2d::default() };
        let shown = Shown::new(&builder, &ViewOptions::default(), camera);
        // The corners (-10, -10), (10, -10), (10, 10), (-10, 10) make the triangles 0 1 2 and 0 2 3.
        for (world, triangle, vertex, texel) in [
            ([8.0, -9.0], 0, 1, [1, 1]),
            ([9.0, 8.0], 0, 2, [1, 0]),
            ([-9.0, 8.0], 1, 3, [0, 0]),
            ([-9.0, -8.0], 1, 0, [0, 1]),
        ] {
            let up = if y_down { 1.0 } else { -1.0 };
            let at = [32.0 + (world[0] - 1.0) * 2.0, 24.0 + up * world[1] * 2.0];
            let pick = shown.pick(at).unwrap();
            assert_eq!((pick.triangle, pick.vertex), (triangle, vertex), "{world:?}");
            assert_eq!((pick.texel, pick.world), (texel, world));
            let uv = [(world[0] + 10.0) / 20.0, (10.0 - world[1]) / 20.0];
            assert!(pick.uv.iter().zip(uv).all(|(a, b)| (a - b).abs() < 1e-6));
            let [x, y] = texel;
            assert_eq!(pick.rgba, texels[(y * 2 + x) as usize]);
        }
        shown.assert_as_drawn();
    }
}

#[test]
fn within_a_mesh_the_triangle_that_is_drawn_last_lies_on_top() {
    let mut builder = overlapping();
    let mesh = &mut builder.parts.meshes[0];
    mesh.indices = vec![0, 1, 2, 0, 2, 3, 1, 2, 0, 3, 3, 3];
    builder.parts.meshes.truncate(1);
    let shown = Shown::new(&builder, &ViewOptions::default(), one_to_one());
    assert_eq!(shown.pick([40.0, 26.0]).unwrap().triangle, 2);
    assert_eq!(shown.pick([24.0, 20.0]).unwrap().triangle, 1);
    assert_eq!(shown.all([40.0, 26.0]).len(), 1, "one entry per mesh");
}

#[test]
fn images_that_are_smaller_than_said_or_missing_are_survived() {
    let mut shown = Shown::new(&overlapping(), &ViewOptions::default(), one_to_one());
    shown.images = vec![Pixels::transparent()];
    assert_eq!(shown.meshes([40.0, 24.0]), [0_u16; 0]);
    shown.images[0].rgba.clear();
    shown.images[0].width = 0;
    assert_eq!(shown.meshes([30.0, 24.0]), [0_u16; 0]);
    // Half of the texels that the size requires.
    shown.images = vec![Pixels { width: 1, height: 2, rgba: RED.to_vec() }; 2];
    assert_eq!(shown.meshes([30.0, 20.0]), [0]);
    assert_eq!(shown.meshes([30.0, 28.0]), [0_u16; 0]);
}

#[test]
fn nothing_is_found_where_there_is_no_triangle() {
    let mut builder = overlapping();
    builder.parts.meshes[0].vertices.clear();
    builder.parts.meshes[0].indices.clear();
    let above = &mut builder.parts.meshes[1];
    above.vertices[0].position = [f32::MAX, 0.0];
    above.indices = vec![0, 0, 1, 1, 1, 1, 0, 1, 1];
    let shown = Shown::new(&builder, &ViewOptions::default(), one_to_one());
    for at in [[32.0, 24.0], [f64::NAN, 0.0], [f64::INFINITY; 2], [-1e300; 2]] {
        assert_eq!(shown.meshes(at), [0_u16; 0]);
    }
}

fn some_mesh() -> impl Strategy<Value = MeshParts> {
    let vertex = (-30_i16..30, -30_i16..30, -2_i16..6, -2_i16..6, 0.01_f32..1.0);
    let vertices = prop::collection::vec(vertex, 3..7);
    (vertices, prop::collection::vec(0_u16..3, 9), 0_u16..2).prop_map(
        |(vertices, indices, image)| {
            let vertices = vertices.into_iter().map(|(x, y, u, v, part)| Vertex {
                // Halves put corners and edges on pixel centres.
                position: [f32::from(x) / 2.0 + part.round() * 0.37, f32::from(y) / 2.0],
                uv: [f32::from(u) / 4.0 + 0.013, f32::from(v) / 4.0 + 0.017],
                bone_ids: [0, 1, 0, 0],
                bone_weights: [part, 1.0 - part, 0.0, 0.0],
            });
            MeshParts { name: String::new(), image, vertices: vertices.collect(), indices }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_picked_has_the_colour_that_is_drawn(
        meshes in prop::collection::vec(some_mesh(), 1..5),
        zoom in prop::sample::select(vec![0.5, 1.0, 1.7, 4.0]),
        center in (-5.0..5.0, -5.0..5.0),
        mirrored in any::<bool>(),
        y_down in any::<bool>(),
        mirror in any::<bool>(),
        orders in prop::collection::vec(-1.0..1.0, 5),
        hidden in 0_usize..8,
    ) {
        let empty = [0; 4];
        let mut builder = Builder::new()
            .image(3, &[RED, GREEN, empty, BLUE, RED, GREEN])
            .image(2, &[BLUE, empty, GREEN, RED])
            .bone("root", None)
            .bone("turned", Some(0))
            .animation("bind", false, &[[at(0.0, 0.0), at(0.0, 0.0)]]);
        builder.parts.meshes = meshes;
        let scale_x = if mirrored { -1.5 } else { 1.0 };
        let turned = BoneTransform { rotation: 30.0, scale_x, ..at(2.0, 1.0) };
        builder = builder.animation("turned", false, &[[at(1.0, 0.0), turned]]);
        builder.parts.animations.swap(0, 1);
        builder.parts.animations[1].name = "bind".to_owned();
        let meshes = orders.iter().enumerate().map(|(i, z)| MeshView {
            visible: (i == hidden).then_some(false),
            z_order: Some(*z),
        });
        let view = ViewOptions { meshes: meshes.collect(), ..ViewOptions::default() };
        let camera = Camera2d { center: center.into(), zoom, y_down, mirror };
        let shown = Shown::new(&builder, &view, camera);
        prop_assert_eq!(shown.images[ImageId(0).index()].width, 3);
        // If a pixel's centre is on the edge of two texels, within rounding errors, either texel is right.
        for (at, drawn) in shown.differing() {
            let hairs = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];
            let beside = hairs.map(|[u, v]| {
                let mut builder = builder.clone();
                for vertex in builder.parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.vertices) {
                    vertex.uv = [vertex.uv[0] + u * 1e-5, vertex.uv[1] + v * 1e-5];
                }
                Shown::new(&builder, &view, camera).colour(at)
            });
            prop_assert!(beside.contains(&drawn), "{:?} is drawn at {:?}, not {:?}", drawn, at, shown.colour(at));
        }
    }
}
