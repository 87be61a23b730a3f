//! The window's surface, its size, and what a frame costs.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use wgpu::CurrentSurfaceTexture;
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use pchr::render::Gpu;

use super::events::ViewerError;
use crate::viewer::panels::Costs;

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
        let wanted = [wgpu::TextureFormat::Bgra8Unorm, wgpu::TextureFormat::Rgba8Unorm];
        let plain = wanted.into_iter().find(|format| capabilities.formats.contains(format));
        // If only sRGB formats are offered, draw through a view without sRGB.
        let srgb = || {
            let views = wanted.map(|format| format.add_srgb_suffix());
            views.into_iter().find(|format| capabilities.formats.contains(format))
        };
        let offered = plain.or_else(srgb).ok_or(ViewerError::NoFormat)?;
        let format = offered.remove_srgb_suffix();
        let mut config =
            surface.get_default_config(&gpu.adapter, 1, 1).ok_or(ViewerError::NoFormat)?;
        config.format = offered;
        config.present_mode = wgpu::PresentMode::Fifo;
        config.view_formats = if format == offered { Vec::new() } else { vec![format] };
        if capabilities.alpha_modes.contains(&wgpu::CompositeAlphaMode::Opaque) {
            config.alpha_mode = wgpu::CompositeAlphaMode::Opaque;
        }
        let mut surface = Self { surface, config, format, stale: true };
        surface.resize(gpu, size);
        surface.configure(gpu); // while the device has nothing else to do
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

    /// Takes over the configuration, if it has changed.
    fn configure(&mut self, gpu: &Gpu) {
        if std::mem::take(&mut self.stale) {
            self.surface.configure(&gpu.device, &self.config);
        }
    }

    /// Acquires the next frame. Makes a new surface from `window` if this one is lost.
    pub(crate) fn acquire(&mut self, gpu: &Gpu, window: &Arc<Window>) -> Acquired {
        self.configure(gpu);
        let texture = self.surface.get_current_texture();
        self.stale = !matches!(texture, CurrentSurfaceTexture::Success(_));
        match texture {
            CurrentSurfaceTexture::Success(frame) | CurrentSurfaceTexture::Suboptimal(frame) => {
                Acquired::Frame(frame)
            }
            CurrentSurfaceTexture::Timeout | CurrentSurfaceTexture::Outdated => Acquired::Again,
            CurrentSurfaceTexture::Lost => match gpu.instance.create_surface(Arc::clone(window)) {
                Ok(surface) => {
                    self.surface = surface;
                    Acquired::Again
                }
                Err(_) => Acquired::Nothing,
            },
            CurrentSurfaceTexture::Occluded | CurrentSurfaceTexture::Validation => {
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

/// Initial width and height of the window, and the least: below that the panels do not fit. In logical pixels.
pub(crate) const WINDOW: [[u32; 2]; 2] = [[1180, 760], [700, 420]];
/// The same of the preview window.
pub(crate) const PREVIEW: [[u32; 2]; 2] = [[320, 320], [160, 160]];
/// Screen pixels on each side, if the window system names no display; any adapter draws that many.
const ASSUMED: [u32; 2] = [4096, 4096];
/// Maximum number of screen pixels on each side of a window: adapters draw no more, and X11 allows at most twice as many.
const MOST: u32 = 16_384;

/// The displays together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Screen {
    /// Screen pixels.
    pub size: [u32; 2],
    /// Screen pixels per logical pixel.
    pub scale: f64,
}

impl Screen {
    /// The rectangle around all displays, with the largest of their scales.
    pub(crate) fn of(event_loop: &ActiveEventLoop) -> Self {
        let mut scale = f64::MIN_POSITIVE;
        let (mut min, mut max) = ([i64::MAX; 2], [i64::MIN; 2]);
        for monitor in event_loop.available_monitors() {
            scale = scale.max(monitor.scale_factor());
            let (from, size) = (monitor.position(), monitor.size());
            let sides = [(from.x, size.width), (from.y, size.height)];
            for ((min, max), (from, length)) in min.iter_mut().zip(&mut max).zip(sides) {
                let from = i64::from(from);
                *min = from.min(*min);
                *max = from.saturating_add(length.into()).max(*max);
            }
        }
        let side = |(min, max): (i64, i64)| u32::try_from(max.saturating_sub(min)).unwrap_or(0);
        match min.into_iter().zip(max).map(side).collect::<Vec<_>>()[..] {
            [x, y] if x > 0 && y > 0 => Self { size: [x, y], scale },
            _ => Self { size: ASSUMED, scale: 1.0 },
        }
    }

    /// Size of a window and the least that it may get, in logical pixels. It is as wanted, or else [`WINDOW`] or [`PREVIEW`].
    pub(crate) fn sizes(
        &self,
        wanted: Option<[u32; 2]>,
        [first, least]: [[u32; 2]; 2],
    ) -> ([u32; 2], [u32; 2]) {
        let within = |wanted: [u32; 2]| {
            let most = self.size.map(|side| {
                let most = f64::from(side.min(MOST)) / self.scale;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "it saturates"
                )]
                let most = most as u32;
                most.max(1)
            });
            let [width, height] = wanted;
            let [most_width, most_height] = most;
            [width.clamp(1, most_width), height.clamp(1, most_height)]
        };
        (within(wanted.unwrap_or(first)), within(least))
    }
}

/// Number of frames in the statistics.
const FRAMES: usize = 120;

const SECOND: Duration = Duration::from_secs(1);
/// Number of frames that are kept, however fast they come.
const MOST_FRAMES: usize = 1000;

/// Times of the last frames.
#[derive(Debug, Default)]
pub(crate) struct FrameCosts {
    milliseconds: VecDeque<f64>,
    /// Times at which the frames of the last second were drawn, the oldest first.
    drawn: VecDeque<Instant>,
}

impl FrameCosts {
    /// Adds the time of a frame that was drawn `now`, without the wait for the display.
    pub(crate) fn add(&mut self, now: Instant, took: Duration) {
        let is_old = |drawn: &Instant| now.duration_since(*drawn) > SECOND;
        while self.drawn.front().is_some_and(is_old) || self.drawn.len() >= MOST_FRAMES {
            self.drawn.pop_front();
        }
        self.drawn.push_back(now);
        if self.milliseconds.len() == FRAMES {
            self.milliseconds.pop_front();
        }
        self.milliseconds.push_back(took.as_secs_f64() * 1000.0);
    }

    /// Returns mean and maximum, with the time that the adapter reports.
    pub(crate) fn get(&self, gpu: Option<f64>) -> Costs {
        let all = self.milliseconds.iter();
        let count = u32::try_from(self.milliseconds.len().max(1)).unwrap_or(1);
        Costs {
            cpu: [all.clone().sum::<f64>() / f64::from(count), all.copied().fold(0.0, f64::max)],
            gpu,
            fps: self.fps(),
            picture: None,
        }
    }

    /// Returns the frames per second between the first and the last of those in the last second.
    fn fps(&self) -> Option<f64> {
        let (first, last) = self.drawn.front().zip(self.drawn.back())?;
        let seconds = last.duration_since(*first).as_secs_f64();
        let count = u32::try_from(self.drawn.len().saturating_sub(1)).ok()?;
        (count > 0 && seconds > 0.0).then(|| f64::from(count) / seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_window_is_larger_than_the_displays() {
        let screen = |width, height, scale| Screen { size: [width, height], scale };
        let [first, least] = WINDOW;
        let full_hd = screen(1920, 1080, 1.0);
        assert_eq!(full_hd.sizes(None, WINDOW), (first, least));
        assert_eq!(full_hd.sizes(Some([800, 500]), WINDOW), ([800, 500], least));
        assert_eq!(full_hd.sizes(Some([u32::MAX; 2]), WINDOW).0, [1920, 1080]);
        assert_eq!(full_hd.sizes(Some([0, 9]), WINDOW).0, [1, 9]);
        assert_eq!(full_hd.sizes(None, PREVIEW), ([320, 320], [160, 160]));
        assert_eq!(full_hd.sizes(Some([200, 5000]), PREVIEW).0, [200, 1080]);
        assert_eq!(screen(1920, 1080, 2.0).sizes(Some([32_768, 200]), WINDOW).0, [960, 200]);
        // Displays that are smaller than the panels, and scales that nobody has.
        assert_eq!(screen(640, 400, 1.0).sizes(None, WINDOW), ([640, 400], [640, 400]));
        assert_eq!(screen(640, 400, 1e9).sizes(None, WINDOW), ([1, 1], [1, 1]));
        assert_eq!(
            screen(u32::MAX, u32::MAX, f64::MIN_POSITIVE).sizes(None, WINDOW),
            (first, least)
        );
        assert_eq!(screen(u32::MAX, 9, 1.0).sizes(Some([u32::MAX; 2]), WINDOW).0, [MOST, 9]);
    }

    #[test]
    fn frames_per_second_are_those_of_the_last_second() {
        let mut costs = FrameCosts::default();
        let start = Instant::now();
        let after = |milliseconds| start + Duration::from_millis(milliseconds);
        assert_eq!(costs.get(None).fps, None);
        costs.add(start, SECOND);
        assert_eq!(costs.get(None).fps, None);
        for i in 1..=100 {
            costs.add(after(i * 20), Duration::ZERO);
        }
        let fps = costs.get(None).fps.unwrap();
        assert!((fps - 50.0).abs() < 0.01, "{fps}");
        // After a rest those before it do not count.
        costs.add(after(60_000), Duration::ZERO);
        assert_eq!(costs.get(None).fps, None);
        costs.add(after(60_100), Duration::ZERO);
        let fps = costs.get(None).fps.unwrap();
        assert!((fps - 10.0).abs() < 0.01, "{fps}");
        for i in 0..5000 {
            costs.add(after(70_000) + Duration::from_nanos(i), Duration::ZERO);
        }
        assert!(costs.drawn.len() <= MOST_FRAMES);
    }
}
