//! The window's surface: its size, its frames, and its repair after a loss.

use std::sync::Arc;

use winit::window::Window;

use pchr::render::Gpu;

use super::error::ViewerError;

/// Result of acquiring the next frame.
pub(crate) enum Acquired {
    /// A frame to draw into.
    Frame(wgpu::SurfaceTexture),
    /// Nothing can be drawn now. The window system reports when it can.
    Nothing,
    /// Nothing can be drawn now. The surface was repaired and is worth another try.
    Again,
}

/// A surface and its configuration.
#[derive(Debug)]
pub(crate) struct WindowSurface {
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    /// Format that is drawn in. It is never sRGB, since colours are blended as they are encoded.
    format: wgpu::TextureFormat,
    stale: bool,
}

impl WindowSurface {
    pub(crate) fn new(
        surface: wgpu::Surface<'static>,
        gpu: &Gpu,
        size: [u32; 2],
    ) -> Result<Self, ViewerError> {
        let capabilities = surface.get_capabilities(&gpu.adapter);
        let wanted = [
            wgpu::TextureFormat::Bgra8Unorm,
            wgpu::TextureFormat::Rgba8Unorm,
        ];
        let plain = wanted
            .into_iter()
            .find(|format| capabilities.formats.contains(format));
        // If only sRGB formats are offered, draw through a view without sRGB.
        let srgb = || {
            let views = wanted.map(|format| format.add_srgb_suffix());
            views
                .into_iter()
                .find(|format| capabilities.formats.contains(format))
        };
        let offered = plain.or_else(srgb).ok_or(ViewerError::NoFormat)?;
        let format = offered.remove_srgb_suffix();
        let mut config = surface
            .get_default_config(&gpu.adapter, 1, 1)
            .ok_or(ViewerError::NoFormat)?;
        config.format = offered;
        config.present_mode = wgpu::PresentMode::Fifo;
        config.view_formats = if format == offered {
            Vec::new()
        } else {
            vec![format]
        };
        if capabilities
            .alpha_modes
            .contains(&wgpu::CompositeAlphaMode::Opaque)
        {
            config.alpha_mode = wgpu::CompositeAlphaMode::Opaque;
        }
        let mut surface = Self {
            surface,
            config,
            format,
            stale: true,
        };
        surface.resize(gpu, size);
        Ok(surface)
    }

    pub(crate) fn format(&self) -> wgpu::TextureFormat {
        self.format
    }

    /// Returns the size of the next frames in screen pixels.
    pub(crate) fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// Stores the window's size. An empty size (a minimised window) keeps the old one.
    pub(crate) fn resize(&mut self, gpu: &Gpu, size: [u32; 2]) {
        let limit = gpu.device.limits().max_texture_dimension_2d;
        let [width, height] = size.map(|side| side.min(limit));
        if width > 0 && height > 0 && [width, height] != self.size() {
            self.config.width = width;
            self.config.height = height;
            self.stale = true;
        }
    }

    /// Acquires the next frame. Makes a new surface from `window` if this one is lost.
    pub(crate) fn acquire(&mut self, gpu: &Gpu, window: &Arc<Window>) -> Acquired {
        if std::mem::take(&mut self.stale) {
            self.surface.configure(&gpu.device, &self.config);
        }
        match self.surface.get_current_texture() {
            wgpu::CurrentSurfaceTexture::Success(frame) => Acquired::Frame(frame),
            wgpu::CurrentSurfaceTexture::Suboptimal(frame) => {
                self.stale = true;
                Acquired::Frame(frame)
            }
            wgpu::CurrentSurfaceTexture::Timeout | wgpu::CurrentSurfaceTexture::Outdated => {
                self.stale = true;
                Acquired::Again
            }
            wgpu::CurrentSurfaceTexture::Lost => {
                self.stale = true;
                match gpu.instance.create_surface(Arc::clone(window)) {
                    Ok(surface) => {
                        self.surface = surface;
                        Acquired::Again
                    }
                    Err(_) => Acquired::Nothing,
                }
            }
            wgpu::CurrentSurfaceTexture::Occluded | wgpu::CurrentSurfaceTexture::Validation => {
                self.stale = true;
                Acquired::Nothing
            }
        }
    }

    /// Creates a view to draw a frame through.
    pub(crate) fn view(&self, frame: &wgpu::SurfaceTexture) -> wgpu::TextureView {
        frame.texture.create_view(&wgpu::TextureViewDescriptor {
            label: Some("WindowSurface::view"),
            format: Some(self.format),
            ..Default::default()
        })
    }
}
