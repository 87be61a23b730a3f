//! The graphics adapter for tests, and drawing with it.
#![allow(dead_code, reason = "each test file uses a part")]

use pchr::character::Character;
use pchr::document::{AnimationId, BoneTransform, Document};
use pchr::finding::Findings;
use pchr::image::{Pixels, decode_all};
use pchr::pose::{BindChoice, FrameAt};
use pchr::render::{Gpu, GpuModel, GpuOptions, Instance, OffscreenTarget, Renderer, View};
use pchr::scene::{Frame, Picture, Samples, ViewOptions};

/// Adapter that `WGPU_BACKEND` and `WGPU_ADAPTER_NAME` name, or else any adapter.
pub(crate) fn gpu() -> Gpu {
    Gpu::headless(&GpuOptions::default().with_environment().unwrap()).expect("an adapter")
}

pub(crate) struct Stage<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) character: Character,
    pub(crate) frame: Frame,
    pub(crate) view: ViewOptions,
    pub(crate) renderer: Renderer,
    pub(crate) camera: View,
    pub(crate) model: GpuModel,
    pub(crate) instance: Instance,
    samples: Samples,
    target: OffscreenTarget,
}

impl<'a> Stage<'a> {
    /// Creates a stage for pictures of `size`, with mipmaps of the images if wanted.
    pub(crate) fn new(
        gpu: &'a Gpu,
        document: &Document,
        size: [u32; 2],
        samples: Samples,
        mipmaps: bool,
    ) -> Self {
        let mut findings = Findings::default();
        let images = decode_all(document, &mut findings);
        assert!(findings.first_error().is_none(), "{findings:?}");
        let Gpu { device, queue, .. } = gpu;
        let renderer = Renderer::new(device, &OffscreenTarget::options(samples)).expect("a target");
        let layouts = renderer.layouts();
        let model = GpuModel::new(device, queue, layouts, document, &images, mipmaps);
        Self {
            gpu,
            character: Character::new(document.clone(), BindChoice::Auto),
            frame: Frame::default(),
            view: ViewOptions::default(),
            camera: View::new(device, layouts),
            instance: Instance::new(device, layouts, &model),
            model,
            renderer,
            samples,
            target: OffscreenTarget::new(gpu, size, samples, 1).expect("a target"),
        }
    }

    /// Poses a frame; `None` shows the vertices as stored.
    pub(crate) fn pose(&mut self, at: Option<FrameAt>) {
        self.frame.fill(&self.character, at, &self.view);
    }

    pub(crate) fn prepare(&mut self, picture: &Picture) {
        let Gpu { device, queue, .. } = self.gpu;
        self.camera.set_picture(device, queue, picture);
        let (list, pose) = (self.frame.list(), self.frame.pose());
        self.instance.prepare(device, queue, &mut self.model, list, pose).unwrap();
    }

    pub(crate) fn record(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.renderer.draw(pass, &self.camera, &self.model, &self.instance);
    }

    /// Draws a frame; the pixels are premultiplied.
    pub(crate) fn draw(&mut self, at: Option<FrameAt>, picture: &Picture) -> Pixels {
        if self.target.size() != picture.size {
            self.target = OffscreenTarget::new(self.gpu, picture.size, self.samples, 1)
                .expect("a new target");
        }
        self.pose(at);
        self.prepare(picture);
        taken(self.gpu, &mut self.target, picture.clear, |pass| {
            self.renderer.draw(pass, &self.camera, &self.model, &self.instance);
        })
    }
}

/// Picture of what is recorded, once it is drawn.
pub(crate) fn taken(
    gpu: &Gpu,
    target: &mut OffscreenTarget,
    clear: [u8; 4],
    record: impl FnOnce(&mut wgpu::RenderPass<'_>),
) -> Pixels {
    let ticket = target.submit(gpu, clear, record).expect("nothing else is in flight");
    let mut pixels = Pixels::transparent();
    target.wait(gpu, ticket, &mut pixels).expect("the picture comes back");
    pixels
}

/// Frame `frame` of the first animation.
pub(crate) fn frame(frame: u16) -> Option<FrameAt> {
    Some(FrameAt::exact(AnimationId(0), frame))
}

/// Colour of a pixel; row 0 is at the top.
pub(crate) fn pixel(pixels: &Pixels, x: u32, y: u32) -> [u8; 4] {
    pixels.rgba.as_chunks().0[(y * pixels.width + x) as usize]
}

pub(crate) fn count(pixels: &Pixels, color: [u8; 4]) -> usize {
    pixels.rgba.as_chunks::<4>().0.iter().filter(|pixel| **pixel == color).count()
}

/// Transform of a bone at rest that is drawn at `z_order`.
pub(crate) fn at_z(z_order: i16) -> BoneTransform {
    BoneTransform { z_order, ..BoneTransform::default() }
}
