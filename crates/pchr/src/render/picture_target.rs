//! Pictures on the GPU: the textures that they are drawn into, with one or four samples a pixel; the time that a pass took on the
//! adapter; and off-screen targets, which read pictures back without a window.

use core::time::Duration;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use super::gpu_data::{self, bind_group};
use super::pipelines_and_samplers::{self as pipelines, PICTURE_FORMAT, TargetOptions};
use super::{Gpu, GpuError, PATIENCE};
use crate::image::Pixels;
use crate::scene::Samples;

/// A texture that pictures of one size are drawn into, in [`OffscreenTarget::FORMAT`]. With four samples a pixel they are drawn into
/// another texture, whose samples are averaged after each pass.
#[derive(Debug)]
pub struct PictureTexture {
    size: [u32; 2],
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    multisampled: Option<Multisampled>,
}

#[derive(Debug)]
struct Multisampled {
    view: wgpu::TextureView,
    /// Averages the samples; `None` if the driver does it.
    resolve: Option<(wgpu::RenderPipeline, wgpu::BindGroup)>,
}

impl PictureTexture {
    /// Creates one for pictures of a size that the device can draw. It can be drawn from, and copied.
    #[must_use]
    pub fn new(gpu: &Gpu, size: [u32; 2], samples: Samples) -> Self {
        let [width, height] = size;
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let sampled = attachment | wgpu::TextureUsages::TEXTURE_BINDING;
        let texture = |label, samples: Samples, usage| {
            gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: samples.count(),
                dimension: wgpu::TextureDimension::D2,
                format: PICTURE_FORMAT,
                usage,
                view_formats: &[],
            })
        };
        let view = |texture: &wgpu::Texture| texture.create_view(&Default::default());
        let copied = sampled | wgpu::TextureUsages::COPY_SRC;
        let single = texture("PictureTexture::texture", Samples::One, copied);
        let multisampled = || {
            let resolve = resolve(gpu);
            let usage = if resolve.is_some() { sampled } else { attachment };
            let view = view(&texture("PictureTexture::multisampled", samples, usage));
            let resolve = resolve.map(|pipeline| {
                let layout = pipeline.get_bind_group_layout(2);
                let samples = [wgpu::BindingResource::TextureView(&view)];
                let group = bind_group(&gpu.device, "PictureTexture::group", &layout, samples);
                (pipeline.clone(), group)
            });
            Multisampled { view, resolve }
        };
        Self {
            size,
            view: view(&single),
            texture: single,
            multisampled: (samples != Samples::One).then(multisampled),
        }
    }

    /// Returns the width and height in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Returns the texture with one sample a pixel. Its pixels are premultiplied.
    #[must_use]
    pub fn texture(&self) -> &wgpu::Texture {
        &self.texture
    }

    /// Returns a view of [`Self::texture`].
    #[must_use]
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// Records a pass over the whole picture, cleared to `clear`: RGBA, sRGB-encoded, premultiplied. `draw` records its contents.
    /// `timer` measures the pass and the averaging of its samples.
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        clear: [u8; 4],
        mut timer: Option<&mut GpuTimer>,
        draw: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        let [r, g, b, a] = clear.map(|channel| f64::from(channel) / 255.0);
        let load = wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a });
        let mut times = timer.as_mut().and_then(|timer| timer.begin());
        let resolve = self.multisampled.as_ref().and_then(|it| it.resolve.as_ref());
        let after = times.clone().filter(|_| resolve.is_some()).map(|after| {
            wgpu::RenderPassTimestampWrites { beginning_of_pass_write_index: None, ..after }
        });
        if let (Some(times), Some(_)) = (&mut times, &after) {
            times.end_of_pass_write_index = None;
        }
        let (view, by_driver, store) = match &self.multisampled {
            None => (&self.view, None, wgpu::StoreOp::Store),
            Some(Multisampled { view, resolve: None }) => {
                (view, Some(&self.view), wgpu::StoreOp::Discard)
            }
            Some(Multisampled { view, .. }) => (view, None, wgpu::StoreOp::Store),
        };
        let label = "PictureTexture::pass";
        let ops = wgpu::Operations { load, store };
        let mut pass = begin(encoder, label, view, by_driver, ops, times);
        draw(&mut pass);
        if by_driver.is_some() {
            // The GL backend resolves within the scissor rectangle that was set last.
            let [width, height] = self.size;
            pass.set_scissor_rect(0, 0, width, height);
        }
        drop(pass);
        if let Some((pipeline, group)) = resolve {
            let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
            let mut pass = begin(encoder, label, &self.view, None, ops, after);
            pass.set_pipeline(pipeline);
            pass.set_bind_group(2, group, &[]);
            pass.draw(0..3, 0..1);
        }
        if let Some(timer) = timer {
            timer.end(encoder);
        }
    }
}

/// Returns the pipeline that averages the samples of a picture; `None` if the driver does it.
///
/// lavapipe of Mesa 22.3 translates its own shader for that anew in each process, as it keeps that one in no cache: 80 to 110 ms.
fn resolve(gpu: &Gpu) -> Option<&wgpu::RenderPipeline> {
    let translates = gpu.is_software() && gpu.info.backend == wgpu::Backend::Vulkan;
    translates.then(|| gpu.resolve.get_or_init(|| pipelines::resolve(&gpu.device)))
}

pub(super) fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &str,
    view: &wgpu::TextureView,
    resolve_target: Option<&wgpu::TextureView>,
    ops: wgpu::Operations<wgpu::Color>,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target,
            ops,
        })],
        timestamp_writes,
        ..Default::default()
    })
}

/// Size of the two timestamps in bytes.
const TIMES_SIZE: wgpu::BufferAddress = 16;

const IDLE: u8 = 0;
const WRITTEN: u8 = 1;
const MAPPING: u8 = 2;
const MAPPED: u8 = 3;

/// Measures one pass at a time without waiting for it. The result is some frames old.
#[derive(Debug)]
pub struct GpuTimer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    read: wgpu::Buffer,
    state: Arc<AtomicU8>,
    /// Nanoseconds per tick.
    period: f64,
    milliseconds: Option<f64>,
}

impl GpuTimer {
    /// Creates a timer; `None` if the adapter has no timestamps.
    #[must_use]
    pub fn new(gpu: &Gpu) -> Option<Self> {
        let device = &gpu.device;
        if !device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        let resolve = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
        let map = wgpu::BufferUsages::MAP_READ;
        Some(Self {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("GpuTimer::queries"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: gpu_data::buffer(device, "GpuTimer::resolved", TIMES_SIZE, resolve),
            read: gpu_data::buffer(device, "GpuTimer::read", TIMES_SIZE, map),
            state: Arc::new(AtomicU8::new(IDLE)),
            period: f64::from(gpu.queue.get_timestamp_period()),
            milliseconds: None,
        })
    }

    /// Returns the timestamp writes to add to a pass; `None` while another pass is being read.
    pub fn begin(&mut self) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        if let Some(time) = self.take() {
            self.milliseconds = Some(time.as_secs_f64() * 1e3);
        }
        if self.state.load(Ordering::Acquire) != IDLE {
            return None;
        }
        self.state.store(WRITTEN, Ordering::Release);
        Some(wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        })
    }

    /// Records the copy of the timestamps. Call it after the pass.
    pub fn end(&self, encoder: &mut wgpu::CommandEncoder) {
        if self.state.load(Ordering::Acquire) == WRITTEN {
            encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
            encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.read, 0, TIMES_SIZE);
        }
    }

    /// Requests the timestamps. Call it after the commands are submitted.
    pub fn submitted(&mut self) {
        if self.state.load(Ordering::Acquire) == WRITTEN {
            self.state.store(MAPPING, Ordering::Release);
            let state = Arc::clone(&self.state);
            self.read.map_async(wgpu::MapMode::Read, .., move |result| {
                state.store(if result.is_ok() { MAPPED } else { IDLE }, Ordering::Release);
            });
        }
    }

    /// Returns the milliseconds of the last measured pass.
    #[must_use]
    pub fn milliseconds(&self) -> Option<f64> {
        self.milliseconds
    }

    /// Returns the time of a pass once its timestamps have arrived, and makes the timer ready for another.
    pub fn take(&mut self) -> Option<Duration> {
        if self.state.load(Ordering::Acquire) != MAPPED {
            return None;
        }
        let ticks = self.read.get_mapped_range(..).ok().and_then(|bytes| {
            let (words, _) = bytes.as_chunks::<8>();
            let [start, end] = words else { return None };
            u64::from_le_bytes(*end).checked_sub(u64::from_le_bytes(*start))
        });
        self.read.unmap();
        self.state.store(IDLE, Ordering::Release);
        // More than a second means that the counter was reset, not a long pass.
        let ticks = ticks.and_then(|ticks| u32::try_from(ticks).ok())?;
        Duration::try_from_secs_f64(f64::from(ticks) * self.period / 1e9).ok()
    }
}

/// An off-screen picture that is drawn and read back, with several frames in flight. While one is drawn, the one before is copied
/// and the one before that is encoded. Nothing is created after [`Self::new`].
#[derive(Debug)]
pub struct OffscreenTarget {
    picture: PictureTexture,
    slots: Vec<Slot>,
    /// Bytes per row in a slot's buffer.
    stride: u32,
    serial: u64,
}

#[derive(Debug)]
struct Slot {
    buffer: wgpu::Buffer,
    /// True once the buffer can be read.
    mapped: Arc<AtomicBool>,
    /// The frame that it holds; `None` while it is free.
    frame: Option<(u64, wgpu::SubmissionIndex)>,
}

/// A frame in flight, to be passed to [`OffscreenTarget::wait`].
#[derive(Debug, PartialEq, Eq)]
#[must_use = "its slot stays taken until it is waited for"]
pub struct Ticket {
    serial: u64,
}

impl OffscreenTarget {
    /// Format of the picture. Not an sRGB one: colours are blended sRGB-encoded.
    pub const FORMAT: wgpu::TextureFormat = PICTURE_FORMAT;

    /// Returns the options of renderers that draw into its pass.
    #[must_use]
    pub fn options(samples: Samples) -> TargetOptions {
        TargetOptions::of_pictures(samples)
    }

    /// Creates a target for pictures of one size, with up to `frames` (at least one) in flight.
    ///
    /// # Errors
    /// [`GpuError::Size`] if the size is empty or exceeds the device's limits.
    pub fn new(
        gpu: &Gpu,
        size: [u32; 2],
        samples: Samples,
        frames: usize,
    ) -> Result<Self, GpuError> {
        gpu.check_size(size)?;
        let (stride, buffer_size) = buffer(size);
        let stride = u32::try_from(stride).unwrap_or(u32::MAX);
        let label = "OffscreenTarget::buffer";
        let slot = || Slot {
            buffer: gpu_data::buffer(&gpu.device, label, buffer_size, wgpu::BufferUsages::MAP_READ),
            mapped: Arc::default(),
            frame: None,
        };
        Ok(Self {
            picture: PictureTexture::new(gpu, size, samples),
            slots: std::iter::repeat_with(slot).take(frames.max(1)).collect(),
            stride,
            serial: 0,
        })
    }

    /// Returns the width and height in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.picture.size()
    }

    /// Draws a frame and starts its readback. `clear` is the background (premultiplied, sRGB-encoded); `draw` records into the
    /// pass.
    ///
    /// # Errors
    /// [`GpuError::Busy`] if all slots are in flight: wait for the oldest first.
    pub fn submit(
        &mut self,
        gpu: &Gpu,
        clear: [u8; 4],
        draw: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) -> Result<Ticket, GpuError> {
        self.submit_timed(gpu, clear, None, draw)
    }

    /// Does the same, and measures the pass with a timer. [`GpuTimer::take`] has its time once the frame was waited for.
    ///
    /// # Errors
    /// As [`Self::submit`].
    pub fn submit_timed(
        &mut self,
        gpu: &Gpu,
        clear: [u8; 4],
        mut timer: Option<&mut GpuTimer>,
        draw: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) -> Result<Ticket, GpuError> {
        let frames = self.slots.len();
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.frame.is_none()) else {
            return Err(GpuError::Busy(frames));
        };
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("OffscreenTarget::encoder"),
        });
        self.picture.draw(&mut encoder, clear, timer.as_deref_mut(), draw);
        encoder.copy_texture_to_buffer(
            self.picture.texture().as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &slot.buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(self.stride),
                    rows_per_image: None,
                },
            },
            self.picture.texture().size(),
        );
        let submission = gpu.queue.submit([encoder.finish()]);
        if let Some(timer) = timer {
            timer.submitted();
        }
        slot.mapped.store(false, Ordering::Release);
        let mapped = slot.mapped.clone();
        slot.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            mapped.store(result.is_ok(), Ordering::Release);
        });
        self.serial += 1;
        slot.frame = Some((self.serial, submission));
        Ok(Ticket { serial: self.serial })
    }

    /// Waits for a frame and copies it into `pixels`, reusing its memory. Alpha is premultiplied.
    ///
    /// # Errors
    /// [`GpuError::Ticket`], or the error of the device.
    #[cfg(not(target_family = "wasm"))]
    pub fn wait(&mut self, gpu: &Gpu, ticket: Ticket, pixels: &mut Pixels) -> Result<(), GpuError> {
        let Ticket { serial } = ticket;
        let size = self.size();
        let found = self.slots.iter_mut().find_map(|slot| {
            let (_, submission) = slot.frame.take_if(|(of, _)| *of == serial)?;
            Some((slot, submission))
        });
        let Some((slot, submission)) = found else { return Err(GpuError::Ticket) };
        let polled = gpu.device.poll(wgpu::PollType::Wait {
            submission_index: Some(submission),
            timeout: Some(patience(size)),
        });
        let mapped = slot.mapped.load(Ordering::Acquire);
        let result = match (gpu.check(), polled) {
            (Err(error), _) => Err(error),
            (_, Err(wgpu::PollError::Timeout)) => Err(GpuError::Timeout(patience(size))),
            (_, Err(error)) => Err(GpuError::Fault(error.to_string())),
            _ if mapped => copy_rows(&slot.buffer, size, self.stride, pixels),
            _ => Err(GpuError::Fault("the picture cannot be read".to_owned())),
        };
        if mapped {
            slot.buffer.unmap();
        }
        result
    }
}

/// Returns the bytes per row of a picture that is read back, and its total bytes.
fn buffer([width, height]: [u32; 2]) -> (u64, u64) {
    let stride = u64::from(width)
        .saturating_mul(4)
        .next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT.into());
    (stride, stride.saturating_mul(height.into()))
}

impl Gpu {
    /// Checks that the device can draw pictures of a size.
    ///
    /// # Errors
    /// [`GpuError::Size`] if the size is empty or too large.
    pub fn check_size(&self, size: [u32; 2]) -> Result<(), GpuError> {
        let limits = self.device.limits();
        let (limit, bytes) = (limits.max_texture_dimension_2d, limits.max_buffer_size);
        let (_, needed) = buffer(size);
        if size.iter().all(|side| (1..=limit).contains(side)) && needed <= bytes {
            Ok(())
        } else {
            Err(GpuError::Size { size, limit, bytes })
        }
    }
}

/// Returns the time limit for a picture of a size: 30 seconds plus one second per million pixels, since software adapters are slow.
#[must_use]
pub fn patience([width, height]: [u32; 2]) -> Duration {
    let pixels = u64::from(width).saturating_mul(height.into());
    PATIENCE.saturating_add(Duration::from_micros(pixels))
}

/// Removes the padding of the rows.
fn copy_rows(
    buffer: &wgpu::Buffer,
    [width, height]: [u32; 2],
    stride: u32,
    pixels: &mut Pixels,
) -> Result<(), GpuError> {
    let view = buffer.get_mapped_range(..).map_err(|error| GpuError::Fault(error.to_string()))?;
    let row = width as usize * 4;
    debug_assert!(row <= stride as usize, "rows are padded");
    pixels.width = width;
    pixels.height = height;
    pixels.rgba.resize(row * height as usize, 0);
    if row == stride as usize {
        pixels.rgba.copy_from_slice(&view);
    } else {
        for (to, from) in pixels.rgba.chunks_exact_mut(row).zip(view.chunks(stride as usize)) {
            to.copy_from_slice(from.get(..row).unwrap_or_default());
        }
    }
    Ok(())
}
