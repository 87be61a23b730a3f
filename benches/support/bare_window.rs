//! The least program that shows a window of wgpu and egui: one label.
#![allow(clippy::expect_used, reason = "a bench ends where a program would report")]

use std::sync::Arc;

use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::{Window, WindowId};

/// Shows a window of this size until the process is ended.
pub(crate) fn run(size: [u32; 2]) {
    let event_loop = EventLoop::new().expect("a display");
    let mut bare = BareWindow { size, shown: None };
    event_loop.run_app(&mut bare).expect("an event loop");
}

struct BareWindow {
    size: [u32; 2],
    shown: Option<Shown>,
}

struct Shown {
    window: Arc<Window>,
    device: wgpu::Device,
    queue: wgpu::Queue,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    context: egui::Context,
    input: egui_winit::State,
    renderer: egui_wgpu::Renderer,
}

impl ApplicationHandler for BareWindow {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let [width, height] = self.size;
        let size = PhysicalSize::new(width, height);
        let attributes = Window::default_attributes().with_inner_size(size);
        let window = Arc::new(event_loop.create_window(attributes).expect("a window"));
        self.shown = Some(Shown::new(window.clone(), self.size));
        window.request_redraw();
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(shown) = &mut self.shown else { return };
        match event {
            WindowEvent::RedrawRequested => shown.draw(),
            WindowEvent::Resized(size) => {
                shown.config.width = size.width.max(1);
                shown.config.height = size.height.max(1);
                shown.surface.configure(&shown.device, &shown.config);
                shown.window.request_redraw();
            }
            WindowEvent::CloseRequested => event_loop.exit(),
            _ => {}
        }
    }
}

impl Shown {
    fn new(window: Arc<Window>, [width, height]: [u32; 2]) -> Self {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::VULKAN;
        descriptor.flags = wgpu::InstanceFlags::empty();
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance.create_surface(window.clone()).expect("a surface");
        let options = wgpu::RequestAdapterOptions {
            compatible_surface: Some(&surface),
            ..Default::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&options)).expect("an adapter");
        let descriptor = wgpu::DeviceDescriptor::default();
        let (device, queue) =
            pollster::block_on(adapter.request_device(&descriptor)).expect("a device");
        let mut config = surface.get_default_config(&adapter, width, height).expect("a format");
        config.format = config.format.remove_srgb_suffix();
        surface.configure(&device, &config);
        let context = egui::Context::default();
        let input = egui_winit::State::new(
            context.clone(),
            egui::ViewportId::ROOT,
            &window,
            None,
            None,
            None,
        );
        let options = egui_wgpu::RendererOptions::default();
        let renderer = egui_wgpu::Renderer::new(&device, config.format, options);
        Self { window, device, queue, surface, config, context, input, renderer }
    }

    fn draw(&mut self) {
        let Self { window, device, queue, surface, config, context, input, renderer } = self;
        let wgpu::CurrentSurfaceTexture::Success(frame) = surface.get_current_texture() else {
            return window.request_redraw();
        };
        let mut output = context.run_ui(input.take_egui_input(window), |ui| {
            egui::CentralPanel::default().show(ui, |ui| ui.label("A bare window"));
        });
        for (id, deltas) in output.textures_delta.set.drain() {
            for delta in deltas {
                renderer.update_texture(device, queue, id, &delta);
            }
        }
        let screen = egui_wgpu::ScreenDescriptor {
            size_in_pixels: [config.width, config.height],
            pixels_per_point: output.pixels_per_point,
        };
        let jobs = context.tessellate(output.shapes, output.pixels_per_point);
        let mut encoder = device.create_command_encoder(&Default::default());
        renderer.update_buffers(device, queue, &mut encoder, &jobs, &screen);
        let view = frame.texture.create_view(&Default::default());
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        renderer.render(&mut pass.forget_lifetime(), &jobs, &screen);
        queue.submit([encoder.finish()]);
        queue.present(frame);
    }
}
