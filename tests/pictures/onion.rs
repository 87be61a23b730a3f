//! Tests of onion skin and trails: ghosts are flattened, tinted layers below the frame, and both renderers draw them alike.
//!
//! `WGPU_BACKEND` and `WGPU_ADAPTER_NAME` choose the adapter.

use pchr::character::Character;
use pchr::document::{AnimationId, BoneId, Document, MeshId};
use pchr::finding::Findings;
use pchr::image::{Pixels, decode_all};
use pchr::overlay::{Onion, OverlayOptions, Pin, Trail, ramp};
use pchr::pose::{BindChoice, FrameAt};
use pchr::raster::RasterModel;
use pchr::scene::{Camera2d, Filter, Picture, Samples, Subject as _, ViewOptions};
use pchr_tools::capture::{CaptureJob, Drawer, Shot};

use crate::captured;
use crate::fixture::{self, Builder, at, sample};
use crate::overlays::differing;
use crate::support::{self, pixel};

const SIZE: [u32; 2] = [80, 20];
const BLACK: [u8; 4] = [0, 0, 0, 255];
const TRAIL: [u8; 4] = [168, 110, 255, 255];

/// Two half-transparent squares of 8 pixels in one place, which move right by 10 per frame: five frames from x = -30.
fn walker() -> Document {
    let frames = [-30.0, -20.0, -10.0, 0.0, 10.0].map(|x| [at(x, 0.0)]);
    let half = [255, 255, 255, 128];
    Builder::new()
        .image(1, &[half])
        .bone("root", None)
        .quad("lower", 0, 0, [-34.0, -4.0], [-26.0, 4.0])
        .quad("upper", 0, 0, [-34.0, -4.0], [-26.0, 4.0])
        .animation("walk", false, &frames)
        .document()
}

fn picture(clear: [u8; 4]) -> Picture {
    Picture { clear, ..fixture::picture(SIZE) }
}

fn captured(
    document: &Document,
    frame: u16,
    picture: Picture,
    samples: Samples,
    options: OverlayOptions,
    jobs: usize,
    drawer: &mut Drawer,
) -> Pixels {
    let subject = Character::new(document.clone(), BindChoice::Auto);
    let view = ViewOptions::default();
    let plain = CaptureJob::plain(&subject, &view, picture, samples);
    let job = CaptureJob { overlay: Some(options), jobs, ..plain };
    let at = Some(FrameAt::exact(AnimationId(0), frame));
    let shot = Shot { at, mix: None, camera: picture.camera.into() };
    captured::pictures(&job, &[shot], drawer).remove(0)
}

fn on_cpu(document: &Document, frame: u16, options: OverlayOptions) -> Pixels {
    let mut drawer = Drawer::Cpu(RasterModel::decoded(document));
    captured(document, frame, picture(BLACK), Samples::Four, options, 1, &mut drawer)
}

fn ghosts(onion: Onion) -> OverlayOptions {
    OverlayOptions { onion, ..OverlayOptions::NOTHING }
}

/// Columns of the squares' centres in the five frames.
const PLACES: [u32; 5] = [10, 20, 30, 40, 50];

/// Two layers with alpha 128 make 192. The result keeps 51 / 255 of its colour, takes 204 / 255 of the tint, and has opacity 148 / 255.
#[test]
fn a_ghost_is_one_layer_in_its_tint_beneath_the_frame() {
    let shown = on_cpu(&walker(), 2, ghosts(Onion::of(1, 1)));
    let [first, before, now, after, last] = PLACES.map(|x| pixel(&shown, x, 10));
    assert_eq!([first, last], [BLACK; 2]);
    assert_eq!(now, [192, 192, 192, 255], "as without ghosts");
    assert_eq!(before, [44, 71, 111, 255], "blue");
    assert_eq!(after, [111, 69, 41, 255], "orange");
}

#[test]
fn a_pinned_frame_is_a_ghost_below_the_others_whatever_is_shown() {
    let pin = Pin { animation: AnimationId(0), frame: 3, tint: [0, 255, 0] };
    let pinned = OverlayOptions { pin: Some(pin), ..OverlayOptions::NOTHING };
    let alone = on_cpu(&walker(), 0, pinned);
    let [now, .., ghost, last] = PLACES.map(|x| pixel(&alone, x, 10));
    assert_eq!((now, last), ([192, 192, 192, 255], BLACK));
    assert_eq!(ghost, [22, 111, 22, 255], "green");
    let both = on_cpu(&walker(), 2, OverlayOptions { onion: Onion::of(0, 1), ..pinned });
    let [red, green, _, _] = pixel(&both, PLACES[3], 10);
    assert!(red > 100 && green > 69, "orange over green: {red} {green}");
}

#[test]
fn tints_are_those_that_are_wanted() {
    let green = Onion { tints: [[0, 255, 0], [0; 3]], ..Onion::of(1, 0) };
    assert_eq!(pixel(&on_cpu(&walker(), 1, ghosts(green)), PLACES[0], 10), [22, 111, 22, 255]);
}

#[test]
fn a_trail_has_a_dot_for_each_frame_and_a_mark_at_this_one() {
    let bone = OverlayOptions { trail: Some(Trail::Bone(BoneId(0))), ..OverlayOptions::NOTHING };
    // The path of the joint starts at -30. Past frames are opaque, and later ones half transparent.
    let shown = on_cpu(&walker(), 2, bone);
    let dots = PLACES.map(|x| pixel(&shown, x, 10));
    assert_eq!([dots[0], dots[1]], [TRAIL; 2]);
    assert_ne!(dots[2], TRAIL, "the mark is open in its middle");
    assert!(dots[3][2] > 60 && dots[3][2] < 200, "{dots:?}");
    assert_eq!(pixel(&shown, 62, 10), BLACK);
    // A vertex on the right side of the squares moves the same way.
    let vertex =
        OverlayOptions { trail: Some(Trail::Vertex(MeshId(1), 1)), ..OverlayOptions::NOTHING };
    let other = on_cpu(&walker(), 2, vertex);
    assert_eq!([14, 24].map(|x| pixel(&other, x, 14)), [TRAIL; 2]);
    let gone =
        OverlayOptions { trail: Some(Trail::Vertex(MeshId(1), 9)), ..OverlayOptions::NOTHING };
    assert_eq!(on_cpu(&walker(), 2, gone), on_cpu(&walker(), 2, OverlayOptions::NOTHING));
}

/// The right half of the image is transparent, and its left half is opaque.
#[test]
fn weight_colours_keep_to_the_texels_that_are_there() {
    let document = Builder::new()
        .image(2, &[[255; 4], [255, 255, 255, 0]])
        .bone("root", None)
        .quad("half", 0, 0, [-20.0, -8.0], [20.0, 8.0])
        .animation("still", false, &[[at(0.0, 0.0)]])
        .document();
    let mut drawer = Drawer::Cpu(RasterModel::decoded(&document));
    let options = OverlayOptions { weights: Some(BoneId(0)), ..OverlayOptions::NOTHING };
    for (filter, samples) in [
        (Filter::Nearest, Samples::One),
        (Filter::Nearest, Samples::Four),
        (Filter::Linear, Samples::Four),
    ] {
        let picture = Picture { filter, ..picture(BLACK) };
        let shown = captured(&document, 0, picture, samples, options, 1, &mut drawer);
        for (got, ramp) in pixel(&shown, 23, 10).into_iter().zip(ramp(1.0)) {
            let mixed = (u16::from(ramp) * 225 + 255 * 30) / 255;
            assert!(u16::from(got).abs_diff(mixed) <= 2, "{got} {mixed}");
        }
        assert_eq!(pixel(&shown, 57, 10), BLACK, "{filter:?} {samples:?}");
        let ends = [BLACK, pixel(&shown, 23, 10)];
        assert_eq!(ends.contains(&pixel(&shown, 41, 10)), filter == Filter::Nearest);
    }
}

fn large(clear: [u8; 4], document: &Document) -> Picture {
    let subject = Character::new(document.clone(), BindChoice::Auto);
    let view = ViewOptions::default();
    let moment = Some(FrameAt::exact(AnimationId(0), 4));
    let bounds = subject.sweep(&view).over(&mut [moment].into_iter());
    let size = [300, 260];
    Picture { size, camera: Camera2d::fit(bounds, size, false), ..picture(clear) }
}

fn everything() -> OverlayOptions {
    OverlayOptions {
        onion: Onion::of(3, 2),
        pin: Some(Pin { animation: AnimationId(1), frame: 3, tint: Pin::TINT }),
        trail: Some(Trail::Bone(BoneId(5))),
        weights: Some(BoneId(3)),
        ..OverlayOptions::NOTHING
    }
}

#[test]
fn ghosts_have_the_same_bits_with_any_threads() {
    let document = sample();
    let mut drawer = Drawer::Cpu(RasterModel::decoded(&document));
    for samples in [Samples::One, Samples::Four] {
        let picture = large([0; 4], &document);
        let mut draw =
            |jobs| captured(&document, 4, picture, samples, everything(), jobs, &mut drawer);
        let wanted = draw(1);
        assert!(draw(4) == wanted, "{samples:?}");
    }
}

/// At most one pixel in a thousand may differ by more than 2 of 255.
#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn both_renderers_draw_the_same_ghosts() {
    use pchr_tools::capture::GpuDrawer;

    let document = sample();
    let images = || decode_all(&document, &mut Findings::default());
    let mut cpu = Drawer::Cpu(RasterModel::new(&document, images()));
    for samples in [Samples::One, Samples::Four] {
        let drawer = GpuDrawer::new(support::gpu(), samples, &document, &images(), false);
        let mut gpu = Drawer::Gpu(Box::new(drawer.unwrap()));
        for (clear, filter) in [
            ([0; 4], Filter::Linear),
            ([250, 250, 250, 255], Filter::Linear),
            (BLACK, Filter::Nearest),
        ] {
            let picture = Picture { filter, ..large(clear, &document) };
            let [one, other] = [&mut cpu, &mut gpu].map(|drawer| {
                let mut pixels = captured(&document, 4, picture, samples, everything(), 1, drawer);
                pchr::image::premultiply(&mut pixels.rgba);
                pixels
            });
            let (count, off) = (one.rgba.len() / 4, differing(&one, &other, 2));
            println!("{samples:?} {clear:?} {filter:?}: {off} of {count} pixels differ");
            assert!(off * 1000 <= count, "{samples:?} {clear:?}: {off} of {count}");
        }
    }
}
