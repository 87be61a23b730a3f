//! Everything that can be done with a loaded document: posing, ordering, bounds, drawing and picking.

use std::ops::Range;
use std::sync::OnceLock;

use arbitrary::{Result, Unstructured};
use pchr::bytes::Budget;
use pchr::character::Character;
use pchr::document::{AnimationId, BoneId, Document, FileSection, MeshId};
use pchr::finding::Findings;
use pchr::image::{ImageRooms, Pixels};
use pchr::overlay::{Layer, Layers, OverlayJob, OverlayOptions, OverlayScratch, atlas, flagged};
use pchr::pose::{BindChoice, BindPose, FrameAt, default_animation, playback_fps, transform_point};
use pchr::raster::{Raster, RasterModel, RasterOptions, RasterOverlay, Simd};
use pchr::scene::{
    Bounds, Camera2d, Filter, Frame, MeshView, Overlay, PickJob, PickScratch, Picture, Samples,
    Subject as _, ViewOptions, WorkJob,
};

use super::document::{finite, list};

/// Most vertices that are checked one by one.
const MOST_VERTICES: usize = 20_000;
/// Most triangles that are drawn, so that the fuzzer tries many inputs.
const MOST_TRIANGLES: usize = 2_000;
/// Most bytes that images may take.
const MOST_TEXELS: u64 = 1 << 20;

/// Distance in pixels from the picture at which the renderer clips triangles.
const FARTHEST: f32 = 65_536.0;

static ATLAS: OnceLock<Pixels> = OnceLock::new();

/// A value or none.
fn some<T>(
    u: &mut Unstructured<'_>,
    one: impl FnOnce(&mut Unstructured<'_>) -> Result<T>,
) -> Result<Option<T>> {
    Ok(if u.arbitrary()? { Some(one(u)?) } else { None })
}

/// Settings for viewing a document.
#[derive(Debug)]
pub(crate) struct Look {
    bind: BindChoice,
    moments: Vec<Option<FrameAt>>,
    view: ViewOptions,
    size: [u32; 2],
    /// Camera to use instead of a fitted one.
    camera: Option<Camera2d>,
    filter: Filter,
    mipmaps: bool,
    overlay: OverlayOptions,
    /// Points of the picture to pick at.
    points: Vec<[f64; 2]>,
}

impl Look {
    /// Settings that depend only on the number of clips and frames.
    pub(crate) fn plain(document: &Document) -> Self {
        let mut moments = vec![None];
        for (id, clip) in document.animation_ids().zip(document.animations()).take(4) {
            let last = clip.frame_count().saturating_sub(1);
            moments.push(Some(FrameAt { animation: id, frame: 0, next: last, blend: 0.5 }));
            moments.push(Some(FrameAt::exact(id, last)));
        }
        let mut layers = Layers::of(&Layer::ALL);
        layers.set(Layer::Overdraw, false); // it hides the meshes
        Self {
            bind: BindChoice::Auto,
            moments,
            view: ViewOptions::default(),
            size: [32, 24],
            camera: None,
            filter: Filter::Linear,
            mipmaps: false,
            overlay: OverlayOptions {
                layers,
                weights: Some(BoneId(0)),
                mesh: Some(MeshId(0)),
                bone: Some(BoneId(1)),
                ..OverlayOptions::NOTHING
            },
            points: vec![[16.0, 12.0]],
        }
    }

    pub(crate) fn arbitrary(u: &mut Unstructured<'_>) -> Result<Self> {
        let animation = |u: &mut Unstructured<'_>| Ok(AnimationId(u.int_in_range(0..=4)?));
        let frame = |u: &mut Unstructured<'_>| u.int_in_range(0..=4_u16);
        let bind = match u.int_in_range(0..=3)? {
            0 => BindChoice::None,
            1 => BindChoice::Frame(animation(u)?, frame(u)?),
            _ => BindChoice::Auto,
        };
        let moments = list(u, 3, |u| {
            Ok(match u.int_in_range(0..=3)? {
                0 => None,
                1 => Some(FrameAt {
                    animation: animation(u)?,
                    frame: frame(u)?,
                    next: frame(u)?,
                    blend: finite(u, 1.0)?.abs().min(1.0),
                }),
                _ => Some(FrameAt::exact(animation(u)?, frame(u)?)),
            })
        })?;
        let meshes = list(u, 4, |u| {
            Ok(MeshView {
                visible: u.arbitrary()?,
                z_order: some(u, |u| Ok(finite(u, 100.0)?.into()))?,
            })
        })?;
        let size = [u.int_in_range(0..=70)?, u.int_in_range(0..=70)?];
        let camera = some(u, |u| {
            Ok(Camera2d {
                zoom: 2.0_f64.powi(u.int_in_range(-16..=16)?),
                center: [finite(u, 40.0)?.into(), finite(u, 40.0)?.into()],
                y_down: u.arbitrary()?,
                mirror: u.arbitrary()?,
            })
        })?;
        let mut layers = Layers::NONE;
        for layer in Layer::ALL {
            layers.set(layer, u.arbitrary()?);
        }
        let overlay = OverlayOptions {
            layers,
            weights: some(u, |u| Ok(BoneId(u.int_in_range(0..=10)?)))?,
            mesh: some(u, |u| Ok(MeshId(u.int_in_range(0..=7)?)))?,
            bone: some(u, |u| Ok(BoneId(u.int_in_range(0..=10)?)))?,
            scale: u.int_in_range(0..=9)?,
            ..OverlayOptions::NOTHING
        };
        let points = list(u, 4, |u| Ok([finite(u, 80.0)?.into(), finite(u, 80.0)?.into()]))?;
        Ok(Self {
            bind,
            moments,
            view: ViewOptions { meshes, in_place: false, mix: None },
            size,
            camera,
            filter: *u.choose(&[Filter::Linear, Filter::Nearest])?,
            mipmaps: u.arbitrary()?,
            overlay,
            points,
        })
    }

    pub(crate) fn at(&self, document: &Document) {
        let vertices: usize = document.meshes().map(|mesh| mesh.vertex_count()).sum();
        let triangles: usize = document.meshes().map(|mesh| mesh.index_count() / 3).sum();
        let _ = flagged(document, document.mesh_ids().take(9));
        check_layout(document);
        check_playback(document);
        let character = Character::new(document.clone(), self.bind);
        let mut findings = Findings::default();
        character.bind().report(document, &mut findings);
        if vertices > MOST_VERTICES {
            return;
        }
        let mut sweep = character.sweep(&self.view);
        let bounds = sweep.over(&mut self.moments.iter().copied());
        let camera = self.camera.unwrap_or_else(|| Camera2d::fit(bounds, self.size, false));
        assert!(camera.center.iter().all(|c| c.is_finite()), "{camera:?}");
        assert!(camera.zoom.is_finite() && camera.zoom > 0.0, "{camera:?}");
        let rooms = ImageRooms::new(document, &Budget::new(MOST_TEXELS));
        let mut findings = Findings::default();
        let images = document.image_ids().take(8);
        let images: Vec<Pixels> =
            images.map(|id| rooms.decode(document, id, &mut findings)).collect();
        let mut model = RasterModel::new(document, images.clone());
        if self.mipmaps {
            model.build_mips();
        }
        let mut shown = Shown {
            look: self,
            character: &character,
            images: &images,
            model: &model,
            camera,
            frame: Frame::default(),
            overlay: Overlay::default(),
            scratch: OverlayScratch::default(),
        };
        let mut held: Option<Bounds> = None;
        for at in &self.moments {
            shown.frame.fill(&character, *at, &self.view);
            shown.check_order();
            shown.count_work();
            held = held.into_iter().chain(shown.bounds()).reduce(Bounds::union);
            if triangles <= MOST_TRIANGLES {
                shown.check_overlay();
                shown.check_pictures();
                shown.check_picks();
            }
        }
        assert_eq!(bounds, held, "the bounds are those of all vertices");
    }
}

/// Checks that sections follow each other without gaps, and that the elements in them do too.
fn check_layout(document: &Document) {
    use FileSection::{Animations, Bones, Header, Images, Meshes, Trailing};
    let image = |id| document.image_ranges(id).expect("it is there");
    let mesh = |id| document.mesh_ranges(id).expect("it is there");
    let mut end = 0;
    for section in [Header, Images, Bones, Meshes, Animations, Trailing] {
        let range = document.section_range(section);
        assert_eq!(range.start, end, "{}", section.name());
        let elements: Vec<Range<u64>> = match section {
            Header | Trailing => Vec::new(),
            Images => document.image_ids().map(|id| image(id).all).collect(),
            Bones => (0..=u16::MAX).map_while(|id| document.bone_range(BoneId(id))).collect(),
            Meshes => document.mesh_ids().map(|id| mesh(id).all).collect(),
            Animations => document.animations().map(|animation| animation.range()).collect(),
        };
        // A count comes before the first element.
        let mut at = range.start + 2;
        for element in &elements {
            assert_eq!(element.start, at, "{}", section.name());
            at = element.end;
        }
        assert!(elements.is_empty() || at == range.end, "{}", section.name());
        end = range.end;
    }
    assert_eq!(end, document.bytes().len() as u64);
    for (ranges, image) in document.image_ids().map(image).zip(document.images()) {
        assert_eq!(ranges.data.end - ranges.data.start, image.data().len() as u64);
        assert!(ranges.size.end < ranges.data.start && ranges.data.end == ranges.all.end);
    }
    for ranges in document.mesh_ids().map(mesh) {
        assert_eq!(ranges.vertices.end, ranges.indices.start);
        assert_eq!(ranges.indices.end, ranges.all.end);
    }
    for animation in document.animations() {
        assert_eq!(animation.frames_range().end, animation.range().end);
    }
}

fn check_playback(document: &Document) {
    assert!(playback_fps(document) > 0.0);
    let bind = BindPose::new(document, BindChoice::Auto);
    let plays = document.animations().any(|animation| animation.frame_count() > 0);
    assert_eq!(default_animation(document, &bind).is_some(), plays);
    assert_eq!(bind.frame().is_some(), plays);
}

/// A document posed in one frame.
struct Shown<'a> {
    look: &'a Look,
    character: &'a Character,
    images: &'a [Pixels],
    model: &'a RasterModel,
    camera: Camera2d,
    frame: Frame,
    overlay: Overlay,
    scratch: OverlayScratch,
}

impl Shown<'_> {
    fn check_order(&self) {
        let draws = self.frame.draws();
        let z_order =
            |index: usize| self.frame.shown(draws[index].mesh).expect("its order").z_order;
        for (index, draw) in draws.iter().enumerate() {
            assert!(self.frame.shown(draw.mesh).expect("its order").visible);
            let mesh = self.character.document().mesh(draw.mesh);
            assert_eq!(mesh.map(|mesh| mesh.image()), Some(draw.image));
            if index > 0 {
                let (z, above) = (z_order(index - 1), z_order(index));
                let order = z.total_cmp(&above).then(draws[index - 1].mesh.cmp(&draw.mesh));
                assert!(order.is_lt(), "drawn once, in order");
            }
        }
    }

    /// Counts the work of a picture large enough for its limit to matter.
    fn count_work(&self) {
        let job = WorkJob {
            subject: self.character,
            frame: &self.frame,
            camera: &self.camera,
            size: [u16::MAX.into(); 2],
            frames: 1,
        };
        if let Err(too_much) = job.run(&mut Vec::new()) {
            assert!(too_much.covered > too_much.most, "{too_much}");
        }
    }

    /// World positions of the drawn vertices.
    fn points(&self) -> Vec<[f32; 2]> {
        let mut points = Vec::new();
        for draw in self.frame.draws() {
            let mesh = self.character.document().mesh(draw.mesh).expect("it is there");
            self.frame.pose().place(&mesh, &mut points);
        }
        points
    }

    fn bounds(&self) -> Option<Bounds> {
        let finite = self.points().into_iter().filter(|[x, y]| x.is_finite() && y.is_finite());
        let bounds = finite.map(|point| Bounds { min: point, max: point });
        bounds.reduce(Bounds::union)
    }

    /// Returns true if a vertex is so far from the picture that its triangles are clipped.
    fn reaches_far(&self) -> bool {
        let map = self.camera.screen_from_world(self.look.size);
        let points = self.points();
        let mut screen = points.iter().map(|point| transform_point(&map, *point));
        screen.any(|[x, y]| !(x.abs() <= FARTHEST && y.abs() <= FARTHEST))
    }

    fn check_overlay(&mut self) {
        let job = OverlayJob {
            subject: self.character,
            frame: &self.frame,
            camera: self.camera.into(),
            size: self.look.size,
            options: &self.look.overlay,
            letters: None,
        };
        job.run(&mut self.scratch, &mut self.overlay);
        let vertices = self.overlay.vertices();
        for vertex in vertices {
            let [x, y] = vertex.position;
            assert!(x.is_finite() && y.is_finite());
            assert!(vertex.texel.iter().all(|c| (0.0..=512.0).contains(c)), "{vertex:?}");
        }
        let mut indices = self.overlay.indices().iter();
        assert!(indices.all(|index| (*index as usize) < vertices.len()));
        let mut fresh = Overlay::default();
        job.run(&mut OverlayScratch::default(), &mut fresh);
        assert_eq!(fresh, self.overlay, "nothing is left over from the last frame");
    }

    fn draw(&self, options: RasterOptions, filter: Filter, with_overlay: bool) -> Pixels {
        let picture = Picture {
            size: self.look.size,
            camera: self.camera,
            filter,
            mipmaps: self.look.mipmaps,
            clear: [0; 4],
        };
        let over = RasterOverlay { overlay: &self.overlay, atlas: ATLAS.get_or_init(atlas) };
        let over = with_overlay.then_some(over);
        let (mut raster, mut out) = (Raster::new(options), Pixels::empty());
        let (list, pose) = (self.frame.list(), self.frame.pose());
        let drawn = raster.draw_with(self.model, list, pose, &picture, over, &mut out);
        drawn.expect("of one subject");
        out
    }

    fn check_pictures(&self) {
        for samples in [Samples::One, Samples::Four] {
            let one = RasterOptions { samples, threads: 1, simd: Simd::Auto };
            let drawn = self.draw(one, self.look.filter, true);
            for others in
                [RasterOptions { threads: 3, ..one }, RasterOptions { simd: Simd::Portable, ..one }]
            {
                assert!(drawn == self.draw(others, self.look.filter, true), "{others:?}");
            }
            for [r, g, b, a] in drawn.rgba.as_chunks::<4>().0 {
                assert!(r.max(g).max(b) <= a, "colours are premultiplied");
            }
        }
    }

    fn check_picks(&self) {
        let images: Vec<&Pixels> = self.images.iter().collect();
        let job = PickJob {
            geometry: self.character,
            frame: &self.frame,
            images: &images,
            camera: &self.camera,
            size: self.look.size,
        };
        let mut scratch = PickScratch::default();
        for at in &self.look.points {
            let picks: Vec<_> = job.all(*at, &mut scratch).collect();
            for pick in &picks {
                // What is picked is drawn.
                assert!(self.frame.shown(pick.mesh).expect("its order").visible);
                assert!(pick.uv.iter().all(|c| !c.is_nan()), "{pick:?}");
            }
            let order = picks.windows(2).all(|two| two[0].draw_index > two[1].draw_index);
            assert!(order, "topmost first");
            assert_eq!(job.run(*at, &mut scratch), picks.first().copied());
        }
        // If every texel is opaque and no triangle is clipped, a pixel is painted exactly where something is picked.
        let opaque =
            |pixels: &Pixels| pixels.rgba.as_chunks::<4>().0.iter().all(|[.., a]| *a == 255);
        if self.look.mipmaps || !self.images.iter().all(opaque) || self.reaches_far() {
            return;
        }
        let plain = RasterOptions { samples: Samples::One, ..RasterOptions::default() };
        let drawn = self.draw(plain, Filter::Nearest, false);
        let [width, height] = self.look.size;
        assert_eq!(drawn.rgba.len(), (width * height * 4) as usize);
        for (i, pixel) in (0..).zip(drawn.rgba.as_chunks::<4>().0) {
            let [x, y] = [i % width, i / width];
            if (x * 7 + y * 3) % 11 != 0 {
                continue; // a sample of the pixels is enough
            }
            let at = [f64::from(x) + 0.5, f64::from(y) + 0.5];
            let picked = job.run(at, &mut scratch);
            assert_eq!(picked.is_some(), *pixel != [0; 4], "at {x}, {y}: {picked:?}");
        }
    }
}
