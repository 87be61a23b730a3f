//! Pictures without a window: off-screen targets and their readback.

use core::time::Duration;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::target_options::PICTURE_FORMAT;
use super::{Gpu, GpuError, GpuTimer, PATIENCE, PictureTexture, TargetOptions, gpu_data};
use crate::image::Pixels;
use crate::scene::Samples;

const PENDING: u8 = 0;
const MAPPED: u8 = 1;
const FAILED: u8 = 2;

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
    state: Arc<AtomicU8>,
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
            state: Arc::new(AtomicU8::new(PENDING)),
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
        slot.state.store(PENDING, Ordering::Release);
        let state = slot.state.clone();
        slot.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            let outcome = if result.is_ok() { MAPPED } else { FAILED };
            state.store(outcome, Ordering::Release);
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
        let slot = self
            .slots
            .iter_mut()
            .find(|slot| matches!(&slot.frame, Some((of, _)) if *of == serial));
        let Some((slot, submission)) = slot.and_then(|slot| {
            let (_, submission) = slot.frame.take()?;
            Some((slot, submission))
        }) else {
            return Err(GpuError::Ticket);
        };
        let polled = gpu.device.poll(wgpu::PollType::Wait {
            submission_index: Some(submission),
            timeout: Some(patience(size)),
        });
        let mapped = slot.state.load(Ordering::Acquire) == MAPPED;
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
