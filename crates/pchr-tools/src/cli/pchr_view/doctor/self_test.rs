//! A picture of the sample by each renderer, compared with the known one.

use std::time::Instant;

use parking_lot::Mutex;

use pchr::bytes::Budget;
use pchr::character::Character;
use pchr::compare::{Difference, MaxOutliers, Tolerance};
use pchr::finding::{Findings, Invalid};
use pchr::format;
use pchr::image::{DEFAULT_BUDGET, Pixels, decode_all, decode_straight};
use pchr::pose::{BindChoice, FrameAt};
use pchr::raster::RasterModel;
use pchr::scene::{Camera2d, Filter, Picture, Samples, ViewOptions};

use super::{FiguresReport, SelfTestReport};
use crate::capture::{CaptureJob, Drawer, Shot, StageTimes, Taken};
use crate::text::words::{count, number};

/// The frame of the sample that is drawn: in the middle of a step, with all of its limbs apart.
const ANIMATION: &str = "walk";
const FRAME: u16 = 4;
const SIZE: [u32; 2] = [64, 64];
const CENTER: [f64; 2] = [0.0, 8.0];
const ZOOM: f64 = 0.14;

/// The expected picture; assets/README.md describes how it was made.
const KNOWN: &[u8] = include_bytes!("../../../../assets/self-test.png");

/// The CPU renderer draws the same pixels on every machine.
const ON_CPU: Tolerance = Tolerance { channel: 0, max_outliers: MaxOutliers::Pixels(0) };

/// Adapters round in their own ways, and the pixels of an edge may have a sample more or less. A picture that is wrong is
/// wrong in more than these.
#[cfg(any(feature = "render", test))]
const ON_GPU: Tolerance = Tolerance { channel: 16, max_outliers: MaxOutliers::Percent(2.0) };

fn camera() -> Camera2d {
    Camera2d { center: CENTER, zoom: ZOOM, ..Camera2d::default() }
}

/// The sample to draw, and its expected picture.
pub(super) struct SelfTest {
    character: Character,
    images: Vec<Pixels>,
    view: ViewOptions,
    at: FrameAt,
    known: Pixels,
}

impl SelfTest {
    pub(super) fn new(sample: &[u8]) -> anyhow::Result<Self> {
        let document = format::read(sample.to_vec())
            .map_err(|Invalid(findings)| anyhow::anyhow!("the sample: {}", Invalid(findings)))?;
        let animation = document
            .animation_ids()
            .zip(document.animations())
            .find(|(_, animation)| animation.name() == ANIMATION);
        let (animation, _) = animation
            .ok_or_else(|| anyhow::anyhow!("the sample has no animation named {ANIMATION:?}"))?;
        Ok(Self {
            images: decode_all(&document, &mut Findings::default()),
            view: ViewOptions::default(),
            at: FrameAt::exact(animation, FRAME),
            known: decode_straight(KNOWN, &Budget::new(DEFAULT_BUDGET))?,
            character: Character::new(document, BindChoice::Auto),
        })
    }

    /// Drawn by the built-in renderer.
    pub(super) fn on_cpu(&self) -> SelfTestReport {
        self.test("cpu", &ON_CPU, || {
            let model = RasterModel::new(&self.character, self.images.clone());
            Ok(Drawer::Cpu(model))
        })
    }

    /// Drawn by an adapter.
    #[cfg(feature = "render")]
    pub(super) fn on_gpu(&self, gpu: &pchr::render::Gpu) -> SelfTestReport {
        self.test("gpu", &ON_GPU, || {
            let (geometry, images) = (&self.character, &self.images);
            let drawer = crate::capture::GpuDrawer::new(
                gpu.clone(),
                Samples::Four,
                geometry,
                images,
                false,
            )?;
            Ok(Drawer::Gpu(Box::new(drawer)))
        })
    }

    fn test(
        &self,
        renderer: &'static str,
        tolerance: &Tolerance,
        drawer: impl FnOnce() -> anyhow::Result<Drawer>,
    ) -> SelfTestReport {
        let start = Instant::now();
        let taken = drawer().and_then(|mut drawer| self.take(&mut drawer));
        let milliseconds = (start.elapsed().as_secs_f64() * 1e4).round() / 10.0;
        let judged = taken.and_then(|pixels| Ok(Difference::measure(&self.known, &pixels)?));
        let (passed, said, difference) = match judged {
            Ok(difference) => {
                let figures = figures(&difference, tolerance);
                let passed = difference.is_within(tolerance);
                (passed, sentence(&figures, passed), Some(figures))
            }
            Err(error) => (false, format!("{error:#}"), None),
        };
        SelfTestReport {
            renderer,
            result: if passed { "passed" } else { "failed" },
            said,
            difference,
            milliseconds: Some(milliseconds),
        }
    }

    fn take(&self, drawer: &mut Drawer) -> anyhow::Result<Pixels> {
        let (camera, filter) = (camera(), Filter::Linear);
        let picture = Picture { size: SIZE, camera, filter, mipmaps: false, clear: [0; 4] };
        let job = CaptureJob::plain(&self.character, &self.view, picture, Samples::Four);
        let shot = Shot { at: Some(self.at), mix: None, camera: camera.into() };
        let pixels = Mutex::new(None);
        let keep = |taken: &mut Taken<'_>| {
            *pixels.lock() = Some(taken.pixels.clone());
            Ok(())
        };
        job.run(drawer, &[shot], &StageTimes::default(), &keep)?;
        pixels.into_inner().ok_or_else(|| anyhow::anyhow!("nothing was drawn"))
    }
}

fn figures(difference: &Difference, tolerance: &Tolerance) -> FiguresReport {
    FiguresReport {
        pixels: difference.pixels(),
        differing: difference.differing(),
        largest: difference.largest().map_or(0, |largest| largest.difference),
        tolerance: tolerance.channel,
        outliers: difference.outliers(tolerance.channel),
        allowed_outliers: tolerance.max_outliers.of(difference.pixels()),
    }
}

fn sentence(figures: &FiguresReport, passed: bool) -> String {
    let FiguresReport { pixels, differing, largest, tolerance, outliers, allowed_outliers } =
        *figures;
    if differing == 0 {
        return "the expected picture, bit for bit".to_owned();
    }
    let all = count(pixels, "pixel", "pixels");
    let differ = format!("{} of {all} differ by at most {largest}", number(differing));
    if allowed_outliers == 0 {
        return format!("{differ}; expected none");
    }
    let head = if passed { "within the tolerance" } else { "not the expected picture" };
    let some = match outliers {
        0 => "none".to_owned(),
        some => number(some),
    };
    let allowed = number(allowed_outliers);
    format!("{head}: {differ}, {some} by more than {tolerance} (at most {allowed} allowed)")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &[u8] = include_bytes!("../../../../../../assets/sample.pchr");

    /// The picture of the CPU renderer, compared with a changed expected one.
    fn against(change: impl Fn(&mut [[u8; 4]])) -> [SelfTestReport; 2] {
        let mut subject = SelfTest::new(SAMPLE).unwrap();
        change(subject.known.rgba.as_chunks_mut().0);
        let model = || RasterModel::new(&subject.character, subject.images.clone());
        let drawer = || Ok(Drawer::Cpu(model()));
        [ON_CPU, ON_GPU].map(|tolerance| subject.test("cpu", &tolerance, drawer))
    }

    #[test]
    fn one_level_is_another_picture_of_the_cpu_renderer_and_the_same_of_an_adapter() {
        let [cpu, gpu] = against(|pixels| pixels[2000][0] ^= 1);
        assert!(cpu.has_failed() && !gpu.has_failed());
        assert_eq!(cpu.said, "1 of 4,096 pixels differ by at most 1; expected none");
    }

    #[test]
    fn a_hole_is_another_picture_of_an_adapter() {
        let [cpu, gpu] = against(|pixels| pixels[1800..2300].fill([0; 4]));
        assert!(cpu.has_failed() && gpu.has_failed());
        assert!(gpu.said.starts_with("not the expected picture: "), "{}", gpu.said);
        assert!(gpu.said.ends_with(" by more than 16 (at most 81 allowed)"), "{}", gpu.said);
    }

    #[test]
    fn another_size_is_a_failure() {
        let mut subject = SelfTest::new(SAMPLE).unwrap();
        subject.known = Pixels::transparent();
        let test = subject.on_cpu();
        assert_eq!(test.said, "expected 1x1, found 64x64");
        assert!(test.has_failed());
    }
}
