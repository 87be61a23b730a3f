//! Connection of egui with the window and the GPU.

use std::sync::Arc;

use egui::{FullOutput, ThemePreference, ViewportId};
use egui_system_font_provider::SystemFontProvider;
use egui_wgpu::{RendererOptions, ScreenDescriptor};
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::window::Window;

use pchr::render::Gpu;

use super::events::Posted;
use crate::viewer::input;
use crate::viewer::interface::Comfort;
use crate::viewer::interface::narrow;
use crate::viewer::theme;

/// egui, its input and its renderer.
pub(crate) struct EguiBridge {
    context: egui::Context,
    input: egui_winit::State,
    renderer: egui_wgpu::Renderer,
    /// Theme of the desktop, if the window system does not report it.
    system_theme: Option<egui::Theme>,
    comfort: Comfort,
    /// Texture that is shown in a panel.
    shown: Option<((wgpu::TextureView, wgpu::FilterMode), egui::TextureId)>,
}

/// A laid-out user interface, ready to be drawn.
#[derive(Debug)]
pub(crate) struct Painted {
    jobs: Vec<egui::ClippedPrimitive>,
    gone: Vec<egui::TextureId>,
    pixels_per_point: f32,
    /// True if the dark theme is shown.
    pub dark: bool,
    /// Time until egui wants to be drawn again; `Duration::MAX` for never.
    pub repaint_after: std::time::Duration,
}

impl EguiBridge {
    /// Creates the bridge. `proxy` carries assistive technology's requests to the event loop. The window must not be visible yet.
    pub(crate) fn new(
        gpu: &Gpu,
        format: wgpu::TextureFormat,
        window: &Window,
        event_loop: &ActiveEventLoop,
        proxy: EventLoopProxy<Posted>,
    ) -> Self {
        let context = egui::Context::default();
        theme::install(&context);
        input::install(&context);
        // Names may be in any script; the fonts that egui brings have few.
        context.add_font_provider(Arc::new(SystemFontProvider::new()));
        let side = usize::try_from(gpu.device.limits().max_texture_dimension_2d).ok();
        let mut input = egui_winit::State::new(
            context.clone(),
            ViewportId::ROOT,
            window,
            Some(narrow(window.scale_factor())),
            None,
            side,
        );
        input.init_accesskit(event_loop, window, proxy);
        let options = RendererOptions { dithering: false, ..RendererOptions::default() };
        Self {
            renderer: egui_wgpu::Renderer::new(&gpu.device, format, options),
            context,
            input,
            system_theme: None,
            comfort: Comfort::default(),
            shown: None,
        }
    }

    pub(crate) fn context(&self) -> &egui::Context {
        &self.context
    }

    /// Hands an event to egui. Returns true if egui wants to be drawn because of it.
    pub(crate) fn on_event(&mut self, window: &Window, event: &WindowEvent) -> bool {
        self.input.on_window_event(window, event).repaint
    }

    /// Hands an event of assistive technology to egui.
    pub(crate) fn on_accessibility(&mut self, event: egui_winit::accesskit_winit::WindowEvent) {
        use egui_winit::accesskit_winit::WindowEvent as Event;
        match event {
            Event::InitialTreeRequested => self.context.enable_accesskit(),
            Event::ActionRequested(request) => self.input.on_accesskit_action_request(request),
            Event::AccessibilityDeactivated => self.context.disable_accesskit(),
        }
    }

    /// Registers a texture for panels to show, in place of the previous one.
    pub(crate) fn show_texture(
        &mut self,
        gpu: &Gpu,
        view: Option<&wgpu::TextureView>,
        filter: wgpu::FilterMode,
    ) -> Option<egui::TextureId> {
        let other = |shown: &(wgpu::TextureView, wgpu::FilterMode)| {
            Some(&shown.0) != view || shown.1 != filter
        };
        if let Some((_, id)) = self.shown.take_if(|(shown, _)| other(shown)) {
            self.renderer.free_texture(&id);
        }
        let view = view?;
        let register = || {
            let id = self.renderer.register_native_texture(&gpu.device, view, filter);
            ((view.clone(), filter), id)
        };
        Some(self.shown.get_or_insert_with(register).1)
    }

    /// Returns the number of screen pixels per logical pixel of the screen, regardless of the size of the interface.
    pub(crate) fn screen_scale(&self) -> f32 {
        self.context.pixels_per_point() / self.context.zoom_factor()
    }

    /// Returns the number of screen pixels per logical pixel of the interface.
    pub(crate) fn scale(&self) -> f32 {
        self.context.pixels_per_point()
    }

    /// Returns true if the dark theme is shown.
    pub(crate) fn is_dark(&self) -> bool {
        self.context.global_style().visuals.dark_mode
    }

    /// Sets the theme of the desktop; `true` for dark.
    pub(crate) fn set_system_theme(&mut self, dark: Option<bool>) {
        self.system_theme = dark.map(egui::Theme::from_dark_mode);
    }

    /// Sets the theme from the next frame on.
    pub(crate) fn set_theme(&self, wanted: ThemePreference) {
        if self.context.options(|options| options.theme_preference) != wanted {
            self.context.set_theme(wanted);
        }
    }

    /// Sets contrast and motion from the next frame on.
    pub(crate) fn set_comfort(&mut self, comfort: Comfort) {
        if self.comfort != comfort {
            theme::set_comfort(&self.context, comfort);
            self.comfort = comfort;
        }
    }

    /// Sets the size of the interface from the next frame on; 1 is the screen's own scale.
    pub(crate) fn set_scale(&mut self, factor: f32) {
        let before = self.context.zoom_factor();
        // Before the input is taken, so that the first frame has the right size.
        self.context.options_mut(|options| options.zoom_factor = factor);
        // A pointer at rest has the same place on the screen, but another in logical pixels.
        let pointer = self.context.input(|input| input.pointer.latest_pos());
        if let Some(at) = pointer.filter(|_| before != factor) {
            let at = (at.to_vec2() * before / factor).to_pos2();
            let events = &mut self.input.egui_input_mut().events;
            events.push(egui::Event::PointerMoved(at));
        }
    }

    /// Lays out the user interface and uploads what it needs.
    pub(crate) fn run(
        &mut self,
        gpu: &Gpu,
        window: &Window,
        ui: impl FnMut(&mut egui::Ui),
    ) -> Painted {
        let mut input = self.input.take_egui_input(window);
        input.system_theme = self.system_theme.or(input.system_theme);
        let FullOutput {
            platform_output,
            mut textures_delta,
            shapes,
            pixels_per_point,
            viewport_output,
        } = self.context.run_ui(input, ui);
        self.input.handle_platform_output(window, platform_output);
        for (id, deltas) in textures_delta.set.drain() {
            for delta in deltas {
                self.renderer.update_texture(&gpu.device, &gpu.queue, id, &delta);
            }
        }
        let repaint_after = viewport_output
            .get(&ViewportId::ROOT)
            .map_or(std::time::Duration::MAX, |output| output.repaint_delay);
        Painted {
            jobs: self.context.tessellate(shapes, pixels_per_point),
            gone: textures_delta.free.drain().collect(),
            pixels_per_point,
            dark: self.is_dark(),
            repaint_after,
        }
    }

    /// Writes the buffers for [`Self::draw`].
    pub(crate) fn prepare(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        painted: &Painted,
        size: [u32; 2],
    ) {
        let screen = screen(painted, size);
        // No paint callbacks are used, so there are no command buffers of theirs.
        let _ =
            self.renderer.update_buffers(&gpu.device, &gpu.queue, encoder, &painted.jobs, &screen);
    }

    /// Records the user interface.
    pub(crate) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'static>,
        painted: &Painted,
        size: [u32; 2],
    ) {
        self.renderer.render(pass, &painted.jobs, &screen(painted, size));
    }

    /// Frees textures that are no longer used. Called after the frame was submitted or given up.
    pub(crate) fn finish(&mut self, painted: &Painted) {
        for id in &painted.gone {
            self.renderer.free_texture(id);
        }
    }
}

fn screen(painted: &Painted, size_in_pixels: [u32; 2]) -> ScreenDescriptor {
    ScreenDescriptor { size_in_pixels, pixels_per_point: painted.pixels_per_point }
}
