//! A host program with its own device.

use pchr::character::Character;
use pchr::document::{AnimationId, Document};
use pchr::finding::Findings;
use pchr::image::{Pixels, decode_all};
use pchr::pose::{BindChoice, FrameAt};
use pchr::render::{GpuModel, Instance, Layouts, Renderer, TargetOptions, View};
use pchr::scene::{Camera2d, Frame, Picture, ViewOptions};
use pchr::wgpu;

pub(crate) use crate::fixture::{WHITE, picture, sample};

pub(crate) const RED: [u8; 4] = [255, 0, 0, 255];
pub(crate) const GREEN: [u8; 4] = [0, 255, 0, 255];
pub(crate) const BLUE: [u8; 4] = [0, 0, 255, 255];

/// A device with the limits of WebGL2 and no features.
pub(crate) struct Host {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) layouts: Layouts,
    /// Features that the adapter offers.
    pub(crate) features: wgpu::Features,
    /// False on GL, where a texture can only be viewed in its own format.
    pub(crate) has_view_formats: bool,
}

/// A target of [`FORMAT`] with depths.
pub(crate) fn with_depth(sample_count: u32, writes: bool) -> TargetOptions {
    let compare = wgpu::CompareFunction::LessEqual;
    TargetOptions { sample_count, ..depth(wgpu::TextureFormat::Depth32Float, writes, compare) }
}

/// A target with depths of a format, which are compared.
pub(crate) fn depth(
    format: wgpu::TextureFormat,
    writes: bool,
    compare: wgpu::CompareFunction,
) -> TargetOptions {
    TargetOptions {
        depth_stencil: Some(wgpu::DepthStencilState {
            format,
            depth_write_enabled: Some(writes),
            depth_compare: Some(compare),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        ..TargetOptions::new(FORMAT)
    }
}

impl Host {
    pub(crate) fn new() -> Self {
        Self::with(wgpu::Features::empty(), |_| {})
    }

    pub(crate) fn with(features: wgpu::Features, change: impl FnOnce(&mut wgpu::Limits)) -> Self {
        let (adapter, device, queue) = device(features, change);
        Self {
            layouts: Layouts::new(&device),
            features: adapter.features(),
            has_view_formats: { adapter.get_downlevel_capabilities() }
                .flags
                .contains(wgpu::DownlevelFlags::VIEW_FORMATS),
            device,
            queue,
        }
    }

    pub(crate) fn renderer(&self, target: &TargetOptions) -> Renderer {
        Renderer::new(&self.device, target).unwrap()
    }

    pub(crate) fn view(&self) -> View {
        View::new(&self.device, &self.layouts)
    }

    pub(crate) fn view_of(&self, picture: &Picture) -> View {
        let mut view = self.view();
        view.set_picture(&self.device, &self.queue, picture);
        view
    }

    pub(crate) fn figure(&self, document: &Document) -> Figure {
        let images = images(document);
        let Self { device, queue, .. } = self;
        Figure {
            character: Character::new(document.clone(), BindChoice::Auto),
            frame: Frame::default(),
            options: ViewOptions::default(),
            model: GpuModel::new(device, queue, &self.layouts, document, &images, false),
        }
    }

    /// Draws one instance into a new texture.
    pub(crate) fn show(
        &self,
        size: [u32; 2],
        target: &TargetOptions,
        view: &View,
        model: &GpuModel,
        instance: &Instance,
    ) -> Pixels {
        let renderer = self.renderer(target);
        self.draw(size, target, NOTHING, |pass| renderer.draw(pass, view, model, instance))
    }

    /// Draws a pass into a new texture and reads it back: RGBA, as stored in the format.
    pub(crate) fn draw(
        &self,
        size: [u32; 2],
        target: &TargetOptions,
        clear: wgpu::Color,
        draw: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) -> Pixels {
        self.draw_as(size, target, target.color_format, clear, draw)
    }

    /// Draws a pass into a new texture of `format` through a view in the target's format.
    pub(crate) fn draw_as(
        &self,
        [width, height]: [u32; 2],
        target: &TargetOptions,
        format: wgpu::TextureFormat,
        clear: wgpu::Color,
        draw: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) -> Pixels {
        let samples = target.sample_count;
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let texture = |format, sample_count, usage| {
            self.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size,
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: match format.has_depth_aspect() || format == target.color_format {
                    true => &[],
                    false => std::slice::from_ref(&target.color_format),
                },
            })
        };
        let single = texture(format, 1, wgpu::TextureUsages::COPY_SRC);
        let nothing = wgpu::TextureUsages::empty();
        let multi = (samples > 1).then(|| texture(format, samples, nothing));
        let view = |texture: &wgpu::Texture| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                format: Some(target.color_format),
                ..Default::default()
            })
        };
        let (single_view, multi_view) = (view(&single), multi.as_ref().map(view));
        let depth = target
            .depth_stencil
            .as_ref()
            .map(|state| texture(state.format, samples, nothing).create_view(&Default::default()));
        let store = wgpu::StoreOp::Store;
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: multi_view.as_ref().unwrap_or(&single_view),
                depth_slice: None,
                resolve_target: multi_view.is_some().then_some(&single_view),
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store },
            })],
            depth_stencil_attachment: depth.as_ref().map(|view| {
                wgpu::RenderPassDepthStencilAttachment {
                    view,
                    depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store }),
                    stencil_ops: None,
                }
            }),
            ..Default::default()
        });
        draw(&mut pass);
        drop(pass);
        let stride = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(stride * height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let layout =
            wgpu::TexelCopyBufferLayout { bytes_per_row: Some(stride), ..Default::default() };
        let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
        encoder.copy_texture_to_buffer(single.as_image_copy(), to, size);
        self.queue.submit([encoder.finish()]);
        buffer.map_async(wgpu::MapMode::Read, .., |result| result.unwrap());
        self.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        let bytes = buffer.get_mapped_range(..).unwrap();
        let rows = bytes.chunks(stride as usize);
        let mut rgba: Vec<u8> =
            rows.flat_map(|row| row[..width as usize * 4].iter().copied()).collect();
        if matches!(format, wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Bgra8UnormSrgb) {
            rgba.as_chunks_mut::<4>().0.iter_mut().for_each(|p| p.swap(0, 2));
        }
        Pixels { width, height, rgba }
    }
}

/// Opens a device with the limits of WebGL2, apart from some changes.
pub(crate) fn device(
    features: wgpu::Features,
    change: impl FnOnce(&mut wgpu::Limits),
) -> (wgpu::Adapter, wgpu::Device, wgpu::Queue) {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    let backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    descriptor.backends = wgpu::Backends::from_env().unwrap_or(backends);
    descriptor.flags = wgpu::InstanceFlags::VALIDATION;
    let instance = wgpu::Instance::new(descriptor);
    std::mem::forget(instance.clone()); // keeps drivers loaded
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).unwrap();
    let mut limits = wgpu::Limits::downlevel_webgl2_defaults();
    change(&mut limits);
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        required_features: features,
        required_limits: limits,
        ..Default::default()
    }))
    .unwrap();
    (adapter, device, queue)
}

/// A character and its model, of which instances are drawn.
pub(crate) struct Figure {
    pub(crate) character: Character,
    pub(crate) frame: Frame,
    pub(crate) options: ViewOptions,
    pub(crate) model: GpuModel,
}

impl Figure {
    pub(crate) fn instance(&mut self, host: &Host, at: Option<FrameAt>) -> Instance {
        let mut instance = Instance::new(&host.device, &host.layouts, &self.model);
        self.pose(host, &mut instance, at);
        instance
    }

    pub(crate) fn pose(&mut self, host: &Host, instance: &mut Instance, at: Option<FrameAt>) {
        self.frame.fill(&self.character, at, &self.options);
        let (list, pose) = (self.frame.list(), self.frame.pose());
        { instance.prepare(&host.device, &host.queue, &mut self.model, list, pose) }.unwrap();
    }
}

pub(crate) fn images(document: &Document) -> Vec<Pixels> {
    let mut findings = Findings::default();
    let images = decode_all(document, &mut findings);
    assert!(findings.first_error().is_none(), "{findings:?}");
    images
}

pub(crate) fn frame(animation: u16, frame: u16) -> Option<FrameAt> {
    Some(FrameAt::exact(AnimationId(animation), frame))
}

pub(crate) fn portrait() -> Picture {
    Picture {
        camera: Camera2d { center: [0.0, 10.0], zoom: 0.5, ..Camera2d::default() },
        ..picture([240, 250])
    }
}

pub(crate) const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
pub(crate) const NOTHING: wgpu::Color = wgpu::Color::TRANSPARENT;

pub(crate) fn pixel(pixels: &Pixels, x: u32, y: u32) -> [u8; 4] {
    pixels.rgba.as_chunks().0[(y * pixels.width + x) as usize]
}

/// Mean and largest difference of the channels.
pub(crate) fn difference(a: &Pixels, b: &Pixels) -> (f64, u8) {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let off = a.rgba.iter().zip(&b.rgba).map(|(a, b)| a.abs_diff(*b));
    let sum: f64 = off.clone().map(f64::from).sum();
    (sum / a.rgba.len() as f64, off.max().unwrap())
}
