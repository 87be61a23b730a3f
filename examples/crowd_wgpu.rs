//! A hundred figures of one character in a few draws: all clips are posed once, and a figure is 32 bytes: its frame, place and tint.
//!
//! ```sh
//! cargo run --release --example crowd_wgpu
//! cargo run --release --example crowd_wgpu -- --screenshot crowd.png
//! ```

mod shell;

use std::error::Error;

use pchr::character::Character;
use pchr::document::AnimationId;
use pchr::finding::Findings;
use pchr::glam::camera::rh::proj::directx::orthographic;
use pchr::glam::{Affine2, Vec2};
use pchr::image::decode_all;
use pchr::playback::FrameAt;
use pchr::pose::BindChoice;
use pchr::render::gpu_data::{CrowdMember, Layouts};
use pchr::render::{CrowdRenderer, GpuModel, TargetOptions, View};
use pchr::scene::{Bake, Subject};
use pchr::{format, wgpu};

pub(crate) const CROWD: u16 = 100;
pub(crate) const IN_A_ROW: u16 = 20;
const GREY: [f64; 3] = [0.2; 3];

struct Crowd {
    renderer: CrowdRenderer,
    view: View,
    fox: Character,
    model: GpuModel,
    bake: Bake,
    crowd: pchr::render::Crowd,
    members: Vec<CrowdMember>,
}

impl shell::Scene for Crowd {
    const TITLE: &'static str = "A hundred foxes";
    const SIZE: [u32; 2] = [960, 540];

    fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        format: wgpu::TextureFormat,
    ) -> Result<Self, Box<dyn Error>> {
        let renderer = CrowdRenderer::new(device, &TargetOptions::new(format))?;
        let layouts = &Layouts::new(device);
        let document = format::read(include_bytes!("../assets/sample.pchr").to_vec())?;
        let mut findings = Findings::default();
        let images = decode_all(&document, &mut findings);
        // The figures are small, so the images get mipmaps.
        let mut model = GpuModel::new(device, queue, layouts, &document, &images, true);
        shell::report(&findings, &model);
        let mut view = View::new(device, layouts);
        view.set_sampling(device, Default::default(), true);
        let fox = Character::new(document, BindChoice::Auto);
        let bake = Bake::new(&fox, &[], Bake::MOST_BYTES)?;
        let crowd = pchr::render::Crowd::new(device, queue, layouts, &mut model, &bake)?;
        let members =
            (0..CROWD).map(|number| CrowdMember::new(place(number), 0).tinted(tint(number)));
        Ok(Self { renderer, view, fox, model, bake, crowd, members: members.collect() })
    }

    fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        target: &wgpu::TextureView,
        _: [u32; 2],
        frame: u64,
    ) -> Result<(), Box<dyn Error>> {
        let camera = orthographic(-480.0, 480.0, -270.0, 270.0, -1.0, 1.0);
        self.view.set_matrix(queue, camera);
        for (number, member) in (0..).zip(&mut self.members) {
            if let Some(at) = moment(&self.fox, number, frame) {
                member.palette = self.bake.palette(at.animation, at.frame).unwrap_or_default();
            }
        }
        self.crowd.prepare(device, queue, &self.members);
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(shell::color(GREY)),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        self.renderer.draw(&mut pass, &self.view, &self.model, &self.crowd);
        drop(pass);
        queue.submit([encoder.finish()]);
        Ok(())
    }
}

/// Rows, one behind another, the nearest last and largest; every third figure looks the other way.
pub(crate) fn place(number: u16) -> Affine2 {
    let (row, column) = (f32::from(number / IN_A_ROW), f32::from(number % IN_A_ROW));
    let size = 0.16 + 0.04 * row;
    let flip = if number.is_multiple_of(3) { -1.0 } else { 1.0 };
    let at = Vec2::new((column - 9.5) * 46.0 + 12.0 * (row % 2.0), 150.0 - 80.0 * row);
    Affine2::from_scale_angle_translation(Vec2::new(flip * size, size), 0.0, at)
}

/// Rows farther back are paler and darker.
pub(crate) fn tint(number: u16) -> [f32; 4] {
    let near = 0.5 + 0.125 * f32::from(number / IN_A_ROW);
    let warm = f32::from(number % 5) / 10.0;
    [near, near * (1.0 - warm / 2.0), near * (1.0 - warm), 1.0]
}

/// Each plays one of the clips, from its own start time.
pub(crate) fn moment(subject: &dyn Subject, number: u16, frame: u64) -> Option<FrameAt> {
    let animation = AnimationId(1 + number % 4);
    let count = u64::from(subject.frame_count(animation).max(1));
    let frame = (frame + 7 * u64::from(number)) % count;
    Some(FrameAt::exact(animation, u16::try_from(frame).ok()?))
}

fn main() -> Result<(), Box<dyn Error>> {
    shell::run::<Crowd>()
}
