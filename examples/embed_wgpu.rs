//! A character in another program, with that program's own device, pass and drawing beside it.
//!
//! ```sh
//! cargo run --release --example embed_wgpu
//! cargo run --release --example embed_wgpu -- --screenshot fox.png
//! ```

mod shell;

use std::error::Error;

use pchr::character::Character;
use pchr::finding::Findings;
use pchr::glam::camera::rh::proj::directx::orthographic;
use pchr::image::decode_all;
use pchr::playback::FrameAt;
use pchr::pose::BindChoice;
use pchr::render::{GpuModel, Instance, Renderer, TargetOptions, View};
use pchr::scene::{Frame, Subject, ViewOptions};
use pchr::{format, wgpu};

/// Colours of the program's own drawing, sRGB-encoded as blending requires.
const SKY: [f64; 3] = [0.6, 0.8, 0.9];
/// Shader of the ground, the lowest fifth of the picture.
const GROUND: &str = "
@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 2.0 - 1.0, f32(i >> 1u) * 0.4 - 1.0, 0.0, 1.0);
}
@fragment fn fs() -> @location(0) vec4f { return vec4f(0.4, 0.6, 0.2, 1.0); }";

struct Field {
    ground: wgpu::RenderPipeline,
    renderer: Renderer,
    view: View,
    fox: Character,
    model: GpuModel,
    instance: Instance,
    frame: Frame,
}

impl shell::Scene for Field {
    const TITLE: &'static str = "A fox on a field";
    const SIZE: [u32; 2] = [480, 360];

    fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        format: wgpu::TextureFormat,
    ) -> Result<Self, Box<dyn Error>> {
        let renderer = Renderer::new(device, &TargetOptions::new(format))?;
        let layouts = renderer.layouts();
        let document = format::read(include_bytes!("../assets/sample.pchr").to_vec())?;
        let mut findings = Findings::default();
        let images = decode_all(&document, &mut findings);
        let model = GpuModel::new(device, queue, layouts, &document, &images, false);
        shell::report(&findings, &model);
        Ok(Self {
            ground: ground(device, format),
            view: View::new(device, layouts),
            instance: Instance::new(device, layouts, &model),
            fox: Character::new(document, BindChoice::Auto),
            frame: Frame::default(),
            renderer,
            model,
        })
    }

    fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        target: &wgpu::TextureView,
        [width, height]: [u32; 2],
        frame: u64,
    ) -> Result<(), Box<dyn Error>> {
        // The fox stands at -205 and is 430 units tall, so it fits into 600 units with its feet on the ground.
        let wide = 300.0 * width as f32 / height as f32;
        let camera = orthographic(-wide, wide, -290.0, 310.0, -1.0, 1.0);
        self.view.set_matrix(queue, camera);
        let at = moment(&self.fox, "walk", frame);
        self.frame.fill(&self.fox, at, &ViewOptions::default());
        let (list, pose) = (self.frame.list(), self.frame.pose());
        self.instance.prepare(device, queue, &mut self.model, list, pose)?;

        let mut encoder = device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(shell::color(SKY)),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.ground);
        pass.draw(0..4, 0..1);
        self.renderer.draw(&mut pass, &self.view, &self.model, &self.instance);
        drop(pass);
        queue.submit([encoder.finish()]);
        Ok(())
    }
}

/// Frame of a clip that loops.
fn moment(subject: &dyn Subject, clip: &str, frame: u64) -> Option<FrameAt> {
    let animation = subject.animation_named(clip)?;
    let frame = frame % u64::from(subject.frame_count(animation).max(1));
    Some(FrameAt::exact(animation, u16::try_from(frame).ok()?))
}

/// Creates a pipeline that has nothing to do with characters.
fn ground(device: &wgpu::Device, format: wgpu::TextureFormat) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(GROUND.into()),
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            ..Default::default()
        },
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    shell::run::<Field>()
}
