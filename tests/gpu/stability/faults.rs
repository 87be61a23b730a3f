//! Tests with planted mistakes: an adapter draws them, and each must differ from the CPU renderer's correct picture by more
//! than the tolerance within which the two renderers agree.

use pchr::character::Character;
use pchr::compare::{Difference, Tolerance};
use pchr::document::{AnimationId, DocumentParts};
use pchr::format;
use pchr::image::Pixels;
use pchr::pose::{BindChoice, FrameAt, default_animation};
use pchr::raster::RasterModel;
use pchr::render::{Gpu, GpuOptions};
use pchr::scene::{Camera2d, Filter, Frame, MeshView, Picture, Samples, Subject as _, ViewOptions};
use pchr_tools::capture::{CaptureJob, Drawer, GpuDrawer, Shot};

use crate::captured;
use crate::corpus::{self, Loaded};
use crate::fixture::picture;

const SIZE: [u32; 2] = [256, 256];
/// Number of frames of the animation that are compared.
const FRAMES: u16 = 4;
/// Most meshes, pairs of meshes or bones of a character that are tried, evenly spaced.
const TRIED: usize = 16;

/// Everything that affects a picture.
#[derive(Clone)]
struct Seen {
    character: Character,
    images: std::rc::Rc<Vec<Pixels>>,
    view: ViewOptions,
    filter: Filter,
    shots: Vec<Shot>,
}

impl Seen {
    fn read(path: &std::path::Path) -> Self {
        let Loaded { character, images } = Loaded::read(path);
        let (view, document) = (ViewOptions::default(), character.document());
        let animation = default_animation(document, character.bind()).unwrap();
        let count = document.animation(animation).unwrap().frame_count();
        let at = |frame| Some(FrameAt::exact(animation, frame));
        let bounds = character.sweep(&view).over(&mut (0..count).map(at));
        let camera = Camera2d::fit(bounds, SIZE, false);
        // No later than the last frame but one, so that being one frame late has an effect.
        let frame = |i: u16| u32::from(i) * u32::from(count.saturating_sub(1)) / u32::from(FRAMES);
        let shots = (0..FRAMES).map(|i| Shot {
            at: at(u16::try_from(frame(i)).unwrap()),
            mix: None,
            camera: camera.into(),
        });
        Self {
            shots: shots.collect(),
            images: images.into(),
            character,
            view,
            filter: Filter::Linear,
        }
    }

    fn animation(&self) -> AnimationId {
        self.shots[0].at.unwrap().animation
    }

    /// Makes a copy with another document that has the same images.
    fn with(&self, change: impl FnOnce(&mut DocumentParts)) -> Self {
        let mut parts = DocumentParts::from(&**self.character.document());
        change(&mut parts);
        let document = format::pchr::build(&parts).unwrap();
        Self { character: Character::new(document, BindChoice::Auto), ..self.clone() }
    }

    fn with_mesh(&self, changes: &[(usize, MeshView)]) -> Self {
        let mut seen = self.clone();
        seen.view.meshes = vec![MeshView::default(); self.character.document().meshes().len()];
        for (mesh, view) in changes {
            seen.view.meshes[*mesh] = *view;
        }
        seen
    }

    fn draw(&self, gpu: Option<&Gpu>) -> Vec<Pixels> {
        let picture = Picture { filter: self.filter, ..picture(SIZE) };
        let plain = CaptureJob::plain(&self.character, &self.view, picture, Samples::Four);
        let job = CaptureJob { jobs: 2, ..plain };
        let mut drawer = match gpu {
            Some(gpu) => {
                let (gpu, images) = (gpu.clone(), &self.images);
                let drawer = GpuDrawer::new(gpu, job.samples, &self.character, images, false);
                Drawer::Gpu(Box::new(drawer.unwrap()))
            }
            None => Drawer::Cpu(RasterModel::new(&self.character, self.images.to_vec())),
        };
        captured::pictures(&job, &self.shots, &mut drawer)
    }

    /// Meshes in the order in which the first frame draws them.
    fn drawn(&self) -> Vec<usize> {
        let frame = Frame::new(&self.character, self.shots[0].at, &self.view);
        let draws = frame.draws();
        draws.iter().map(|draw| usize::from(draw.mesh.0)).collect()
    }
}

/// At most [`TRIED`] items, evenly spaced.
fn some<T: Copy>(all: &[T]) -> Vec<T> {
    all.iter().step_by(all.len().div_ceil(TRIED).max(1)).copied().collect()
}

fn one_frame_late(seen: &Seen) -> Vec<Seen> {
    let mut late = seen.clone();
    for shot in &mut late.shots {
        let at = shot.at.as_mut().unwrap();
        *at = FrameAt::exact(at.animation, at.frame + 1);
    }
    vec![late]
}

/// Swaps each mesh with the next one.
fn two_meshes_swapped(seen: &Seen) -> Vec<Seen> {
    let order = seen.drawn();
    let pairs: Vec<usize> = (1..order.len()).collect();
    let swap = |i: usize| {
        let mut swapped = order.clone();
        swapped.swap(i - 1, i);
        let place = |(z, mesh): (usize, &usize)| {
            (*mesh, MeshView { visible: None, z_order: Some(f64::from(u32::try_from(z).unwrap())) })
        };
        seen.with_mesh(&swapped.iter().enumerate().map(place).collect::<Vec<_>>())
    };
    some(&pairs).into_iter().map(swap).collect()
}

fn a_bone_turned(seen: &Seen) -> Vec<Seen> {
    let bones: Vec<usize> = (0..seen.character.document().bones().len()).collect();
    let animation = usize::from(seen.animation().0);
    let turn = |bone: usize| {
        seen.with(|parts| {
            for frame in parts.animations[animation].transforms.chunks_mut(parts.bones.len()) {
                frame[bone].rotation += 0.5;
            }
        })
    };
    some(&bones).into_iter().map(turn).collect()
}

fn alpha_twice(seen: &Seen) -> Vec<Seen> {
    let mut images = seen.images.to_vec();
    for image in &mut images {
        for [r, g, b, a] in image.rgba.as_chunks_mut::<4>().0 {
            for c in [r, g, b] {
                *c = u8::try_from((u16::from(*c) * u16::from(*a) + 127) / 255).unwrap();
            }
        }
    }
    vec![Seen { images: images.into(), ..seen.clone() }]
}

fn a_mesh_hidden(seen: &Seen) -> Vec<Seen> {
    let hide = |mesh: usize| {
        let hidden = MeshView { visible: Some(false), z_order: None };
        seen.with_mesh(&[(mesh, hidden)])
    };
    some(&seen.drawn()).into_iter().map(hide).collect()
}

fn half_a_pixel(seen: &Seen) -> Vec<Seen> {
    let mut moved = seen.clone();
    for shot in &mut moved.shots {
        let mut camera = shot.camera.flat();
        camera.center[0] += 0.5 / camera.zoom;
        shot.camera = camera.into();
    }
    vec![moved]
}

type Plant = fn(&Seen) -> Vec<Seen>;

const FAULTS: [(&str, Plant); 7] = [
    ("one frame late", one_frame_late),
    ("z-order of two meshes swapped", two_meshes_swapped),
    ("a bone rotated by 0.5 degrees", a_bone_turned),
    ("alpha multiplied twice", alpha_twice),
    ("nearest instead of linear", |seen| vec![Seen { filter: Filter::Nearest, ..seen.clone() }]),
    ("a mesh hidden", a_mesh_hidden),
    ("half a pixel of shift", half_a_pixel),
];

/// Results for one kind of mistake.
#[derive(Default)]
struct Tally {
    /// Mistakes that change any pixel of the CPU renderer's own pictures.
    effective: usize,
    /// Effective mistakes that are caught in at least one frame.
    caught: usize,
    /// Mistakes that change the CPU renderer's pictures by more than the tolerance.
    beyond: usize,
    caught_beyond: usize,
    characters: usize,
    characters_caught: usize,
}

#[test]
#[cfg_attr(any(skip_gpu_tests, not(pchr_corpus)), ignore = "needs PCHR_TEST_GPU=1 and PCHR_CORPUS")]
fn planted_mistakes_are_caught() {
    let tolerance = Tolerance::of_renderers(u64::from(SIZE[0]) * u64::from(SIZE[1]));
    let gpu = Gpu::headless(&GpuOptions::default().with_environment().unwrap()).unwrap();
    let mut tallies: Vec<Tally> = FAULTS.iter().map(|_| Tally::default()).collect();
    let mut missed = Vec::new();
    for character in corpus::characters() {
        let right = Seen::read(&character.pchr);
        let baselines = right.draw(None);
        let fails = |pictures: &[Pixels]| {
            let differ = |(a, b)| !Difference::measure(a, b).unwrap().is_within(&tolerance);
            baselines.iter().zip(pictures).any(differ)
        };
        assert!(!fails(&right.draw(Some(&gpu))), "{}: the right pictures", character.id);
        for ((name, plant), tally) in FAULTS.iter().zip(&mut tallies) {
            let mut caught_here = false;
            let mut effective_here = false;
            for wrong in plant(&right) {
                let by_cpu = wrong.draw(None);
                if by_cpu == baselines {
                    continue; // invisible: a mesh behind others, or a bone that moves nothing
                }
                effective_here = true;
                let (beyond, caught) = (fails(&by_cpu), fails(&wrong.draw(Some(&gpu))));
                tally.effective += 1;
                tally.beyond += usize::from(beyond);
                tally.caught += usize::from(caught);
                tally.caught_beyond += usize::from(beyond && caught);
                caught_here |= caught;
            }
            tally.characters += usize::from(effective_here);
            tally.characters_caught += usize::from(caught_here);
            if effective_here && !caught_here {
                missed.push(format!("{name} in {}", character.id));
            }
        }
    }
    println!("| fault | characters | caught | planted with an effect | caught |");
    println!("| :-- | --: | --: | --: | --: |");
    for ((name, _), tally) in FAULTS.iter().zip(&tallies) {
        println!(
            "| {name} | {} | {} | {} | {} |",
            tally.characters, tally.characters_caught, tally.effective, tally.caught
        );
        let characters = tally.characters;
        assert!(characters >= 7, "{name} has an effect in {characters} characters only");
        // A mistake beyond the tolerance in pictures of one renderer is nearly always caught between two renderers.
        assert!(tally.caught_beyond * 20 >= tally.beyond * 19, "{name}");
    }
    assert!(missed.is_empty(), "{missed:?}");
}
