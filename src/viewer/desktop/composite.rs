//! Draws the picture over its background into the window's surface.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use pchr::image::{Levels, Pixels};
use pchr::render::Gpu;
use pchr_tools::capture::{Background, split_at};

use super::uploads_and_targets::{ReferencePlace, ReferenceTarget, texture, upload};
use crate::viewer::compare::CompareMode;
use crate::viewer::state::State;

/// Checkerboard that is drawn where there is no background picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Checker {
    /// RGB of the even and the odd squares, sRGB-encoded.
    pub colors: [[u8; 3]; 2],
    /// Side of a square in screen pixels.
    pub cell: u32,
}

impl Checker {
    /// Returns it as the background of a capture.
    pub(crate) fn background(self) -> Background {
        let [even, odd] = self.colors;
        Background::Checker { even, odd, size: self.cell }
    }

    /// Lays a colour over it: straight RGBA, sRGB-encoded.
    pub(crate) fn below(self, [r, g, b, a]: [u8; 4]) -> Self {
        let mix = |over: u8, under: u8| {
            let (over, under, alpha) = (u32::from(over), u32::from(under), u32::from(a));
            let sum = over
                .saturating_mul(alpha)
                .saturating_add(under.saturating_mul(255_u32.saturating_sub(alpha)));
            u8::try_from(sum.saturating_add(127).div_euclid(255)).unwrap_or(u8::MAX)
        };
        let colors =
            self.colors.map(|[red, green, blue]| [mix(r, red), mix(g, green), mix(b, blue)]);
        Self { colors, ..self }
    }
}

/// Uniforms; mirrors `Composite` in `composite.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
struct Uniform {
    origin: [u32; 2],
    cell: u32,
    _pad: u32,
    even: u32,
    odd: u32,
    reference: ReferencePlace,
    two: TwoPictures,
}

impl Uniform {
    /// Returns true if there is a reference or another picture.
    fn compares(&self) -> bool {
        self.reference != ReferencePlace::default() || self.two != TwoPictures::ONE
    }
}

const _: () = assert!(size_of::<Uniform>() == 64, "keep in step with composite.wgsl");

/// Places of two pictures that are compared; mirrors a part of `Composite` in `composite.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub(crate) struct TwoPictures {
    /// Column from which the other picture is shown.
    from: u32,
    /// Column at which that begins.
    shift: u32,
    /// 1 to show the differences.
    difference: u32,
}

impl TwoPictures {
    /// One picture alone.
    const ONE: Self = Self { from: u32::MAX, shift: 0, difference: 0 };

    /// Finds the places in the current picture, where that of each file has this size.
    pub(crate) fn of(state: &State, [width, _]: [u32; 2]) -> Self {
        match state.comparison().and(state.compare_mode()) {
            Some(CompareMode::Side) => Self { from: width, shift: width, ..Self::ONE },
            Some(CompareMode::Split) => {
                Self { from: split_at(state.split().into(), width), ..Self::ONE }
            }
            Some(CompareMode::Blink) if state.shows_other() => Self { from: 0, ..Self::ONE },
            Some(CompareMode::Difference) => Self { difference: 1, ..Self::ONE },
            Some(CompareMode::Blink) | None => Self::ONE,
        }
    }
}

/// The pipelines and their last uniforms.
#[derive(Debug)]
pub(crate) struct Composite {
    shader: wgpu::ShaderModule,
    format: wgpu::TextureFormat,
    /// Draws one picture.
    plain: wgpu::RenderPipeline,
    /// Draws a picture with a reference or another one; made when it is first used.
    comparing: Option<wgpu::RenderPipeline>,
    /// True if that is to be drawn.
    compares: bool,
    buffer: wgpu::Buffer,
    written: Option<Uniform>,
    behind: wgpu::TextureView,
    reference: ReferenceTarget,
    group: Option<wgpu::BindGroup>,
}

impl Composite {
    /// Label of the texture of the background.
    const BEHIND: &str = "Composite::behind";

    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let shader = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("Composite::shader"),
            source: wgpu::ShaderSource::Wgsl(include_str!("composite.wgsl").into()),
        });
        Self {
            plain: pipeline(device, &shader, format, false),
            comparing: None,
            shader,
            format,
            compares: false,
            buffer: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("Composite::buffer"),
                size: size_of::<Uniform>() as wgpu::BufferAddress,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            written: None,
            behind: texture(device, Self::BEHIND, [1, 1], 1).1,
            reference: ReferenceTarget::new(device),
            group: None,
        }
    }

    /// Replaces the background picture, which has the size of the character's picture; `None` removes it.
    pub(crate) fn set_behind(&mut self, gpu: &Gpu, pixels: Option<&Pixels>) {
        self.behind = upload(gpu, Self::BEHIND, pixels.as_slice());
        self.group = None;
    }

    /// Brings the picture to compare with to the GPU, if it is another one than before.
    pub(crate) fn set_reference(&mut self, gpu: &Gpu, reference: Option<&Arc<Levels>>) {
        if self.reference.update(gpu, reference) {
            self.group = None;
        }
    }

    /// Forgets the bind group, since a picture's texture has changed.
    pub(crate) fn set_picture(&mut self) {
        self.group = None;
    }

    /// Writes the uniforms and the bind group. `origin` is the upper left corner of the picture on the screen; `reference` is the
    /// picture to compare with it.
    pub(crate) fn prepare(
        &mut self,
        gpu: &Gpu,
        [picture, other]: [&wgpu::TextureView; 2],
        checker: Checker,
        (origin, two): ([u32; 2], TwoPictures),
        reference: ReferencePlace,
    ) {
        let [even, odd] = checker.colors.map(|[r, g, b]| u32::from_be_bytes([0, r, g, b]));
        let uniform =
            Uniform { origin, cell: checker.cell.max(1), _pad: 0, even, odd, reference, two };
        if self.written != Some(uniform) {
            self.written = Some(uniform);
            gpu.queue.write_buffer(&self.buffer, 0, bytemuck::bytes_of(&uniform));
        }
        if self.compares != uniform.compares() {
            self.compares = uniform.compares();
            self.group = None; // each pipeline has its own layout: that of the shader
        }
        if self.compares {
            let Self { comparing, shader, format, .. } = self;
            comparing.get_or_insert_with(|| pipeline(&gpu.device, shader, *format, true));
        }
        if self.group.is_none() {
            let ReferenceTarget { view, sampler, .. } = &self.reference;
            let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
            self.group = Some(gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("Composite::group"),
                layout: &self.pipeline().get_bind_group_layout(0),
                entries: &[
                    entry(0, self.buffer.as_entire_binding()),
                    entry(1, wgpu::BindingResource::TextureView(picture)),
                    entry(2, wgpu::BindingResource::TextureView(&self.behind)),
                    entry(3, wgpu::BindingResource::TextureView(view)),
                    entry(4, wgpu::BindingResource::Sampler(sampler)),
                    entry(5, wgpu::BindingResource::TextureView(other)),
                ],
            }));
        }
    }

    fn pipeline(&self) -> &wgpu::RenderPipeline {
        self.comparing.as_ref().filter(|_| self.compares).unwrap_or(&self.plain)
    }

    /// Records the draw call, within the pass's viewport.
    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(self.pipeline());
        pass.set_bind_group(0, self.group.as_ref(), &[]);
        pass.draw(0..3, 0..1);
    }
}

/// Creates the pipeline for one picture, or the one that `compares` it.
fn pipeline(
    device: &wgpu::Device,
    module: &wgpu::ShaderModule,
    format: wgpu::TextureFormat,
    compares: bool,
) -> wgpu::RenderPipeline {
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("Composite::pipeline"),
        layout: None,
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("vs_composite"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some("fs_composite"),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &[("composite_compares", f64::from(u8::from(compares)))],
                ..Default::default()
            },
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}
