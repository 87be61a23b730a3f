//! The time that a pass took on the adapter.

use core::time::Duration;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::Gpu;
use super::gpu_data::buffer;

/// Size of the two timestamps in bytes.
const BYTES: wgpu::BufferAddress = 16;

const IDLE: u8 = 0;
const WRITTEN: u8 = 1;
const MAPPING: u8 = 2;
const TIMES_MAPPED: u8 = 3;

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
            resolved: buffer(device, "GpuTimer::resolved", BYTES, resolve),
            read: buffer(device, "GpuTimer::read", BYTES, map),
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
            encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.read, 0, BYTES);
        }
    }

    /// Requests the timestamps. Call it after the commands are submitted.
    pub fn submitted(&mut self) {
        if self.state.load(Ordering::Acquire) == WRITTEN {
            self.state.store(MAPPING, Ordering::Release);
            let state = Arc::clone(&self.state);
            self.read.map_async(wgpu::MapMode::Read, .., move |result| {
                state.store(if result.is_ok() { TIMES_MAPPED } else { IDLE }, Ordering::Release);
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
        if self.state.load(Ordering::Acquire) != TIMES_MAPPED {
            return None;
        }
        let ticks = self.read.get_mapped_range(..).ok().and_then(|bytes| {
            let (words, _) = bytes.as_chunks::<8>();
            let [start, end] = words else {
                return None;
            };
            u64::from_le_bytes(*end).checked_sub(u64::from_le_bytes(*start))
        });
        self.read.unmap();
        self.state.store(IDLE, Ordering::Release);
        // More than a second means that the counter was reset, not a long pass.
        let ticks = ticks.and_then(|ticks| u32::try_from(ticks).ok())?;
        Duration::try_from_secs_f64(f64::from(ticks) * self.period / 1e9).ok()
    }
}
