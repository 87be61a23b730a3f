//! Errors of adapters and graphics drivers, and targets and textures that are not supported.

use core::future::Future;
use core::pin::pin;
use core::task::{Context, Poll, Waker};
use core::time::Duration;
use std::fmt::Write;

/// Reason why the GPU cannot be used, or an error that it reported.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No adapter is there, or none that was asked for, or none that works.
    #[error("{}", no_adapter(wanted.as_deref(), found, refused))]
    NoAdapter {
        /// The adapter that was asked for, in words; `None` if any would do.
        wanted: Option<String>,
        /// The adapters that were found.
        found: Vec<String>,
        /// Backends and adapters that cannot be used, each with the reason.
        refused: Vec<String>,
    },
    /// The device is gone: the driver crashed or was updated, or the adapter was removed.
    #[error("the graphics device was lost: {0}")]
    Lost(String),
    /// The device refused a call: a bug here or in the driver, or memory ran out.
    #[error("the graphics device reported an error: {0}")]
    Fault(String),
    /// The driver took too long; it may never answer.
    #[error("the graphics adapter did not respond within {} seconds", .0.as_secs())]
    Timeout(Duration),
    /// The picture is empty or larger than the adapter draws.
    #[error("a picture of {} x {} pixels: expected 1 to {limit} pixels on each side, and at most {bytes} bytes in all", size[0], size[1])]
    Size {
        /// Size of the picture in pixels.
        size: [u32; 2],
        /// Largest side in pixels.
        limit: u32,
        /// Largest picture in bytes.
        bytes: u64,
    },
    /// More frames were submitted than may be in flight.
    #[error("{0} frames are already in flight")]
    Busy(usize),
    /// The device cannot draw into such a target.
    #[error(transparent)]
    Target(#[from] UnsupportedTarget),
    /// The ticket is of another target.
    #[error("the ticket belongs to another target, or was already used")]
    Ticket,
}

fn no_adapter(wanted: Option<&str>, found: &[String], refused: &[String]) -> String {
    let mut text = match wanted {
        Some(wanted) => format!("no usable graphics adapter for {wanted}"),
        None => "no usable graphics adapter".to_owned(),
    };
    // Writing to a string does not fail.
    if !found.is_empty() {
        let _ = write!(text, "; available: {}", found.join(", "));
    }
    if !refused.is_empty() {
        let _ = write!(text, "; {}", refused.join("; "));
    }
    text
}

/// Reason why no renderer draws into a target.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum UnsupportedTarget {
    /// The format needs features that the device was not opened with.
    #[error("{format:?} needs a device with the feature {}", names(*missing))]
    Feature {
        /// The format.
        format: wgpu::TextureFormat,
        /// Those that the device lacks.
        missing: wgpu::Features,
    },
    /// A depth format as colour.
    #[error(
        "invalid color_format {0:?}: expected a colour format, like Rgba8Unorm, not depth or stencil"
    )]
    NotColor(wgpu::TextureFormat),
    /// A format of whole numbers, which nothing blends.
    #[error(
        "{0:?} holds integers, which cannot be blended: use a normalised or float format, like Rgba8Unorm or Rgba16Float"
    )]
    WholeNumbers(wgpu::TextureFormat),
    /// A format that is only read.
    #[error("this device cannot draw into {0:?}: use a format like Rgba8Unorm")]
    NotDrawable(wgpu::TextureFormat),
    /// A format without blending.
    #[error("this device cannot blend {0:?}: use a format like Rgba8Unorm or Rgba16Float")]
    NotBlendable(wgpu::TextureFormat),
    /// Exact blending in a format that blends linearly.
    #[error(
        "{format:?} blends linearly, which is not the exact look: draw into a view of the texture as {exact:?} (with it in the texture's view_formats), or ask for Blending::Linear"
    )]
    SrgbIsLinear {
        /// The format.
        format: wgpu::TextureFormat,
        /// The format of a view that blends exactly.
        exact: wgpu::TextureFormat,
    },
    /// Linear blending in a format whose values are read as sRGB-encoded.
    #[error(
        "{format:?} holds sRGB-encoded values, and linear ones look too dark in it: draw into a view of the texture as {srgb:?} (with it in the texture's view_formats), or ask for Blending::Exact"
    )]
    LinearIsDark {
        /// The format.
        format: wgpu::TextureFormat,
        /// The format of a view that encodes on writing.
        srgb: wgpu::TextureFormat,
    },
    /// A number of samples that the format does not support.
    #[error("{asked} samples per pixel of {format:?}: this device supports {possible:?}")]
    SampleCount {
        /// The format.
        format: wgpu::TextureFormat,
        /// Samples asked for.
        asked: u32,
        /// Those that there are.
        possible: Vec<u32>,
    },
    /// Another format as depth.
    #[error("invalid depth_stencil {0:?}: expected a depth or stencil format, like Depth32Float")]
    NotDepth(wgpu::TextureFormat),
    /// A depth state that contradicts its format, or that would hide parts of a figure.
    #[error("depth_stencil in {format:?}: {problem}")]
    Depth {
        /// The format.
        format: wgpu::TextureFormat,
        /// The fault.
        problem: &'static str,
    },
    /// A limit of the device that is too low.
    #[error("the device was opened with {name} = {has}, expected at least {needed}")]
    Limit {
        /// Name of the limit.
        name: &'static str,
        /// Its value.
        has: u32,
        /// The smallest value that does.
        needed: u32,
    },
    /// Refused by the device for another reason.
    #[error("the device refuses the pipeline: {0}")]
    Refused(String),
}

fn names(features: wgpu::Features) -> String {
    let names: Vec<_> = features.iter_names().map(|(name, _)| name).collect();
    names.join(" | ")
}

impl UnsupportedTarget {
    /// Checks that a device with these features has a format.
    pub(super) fn check_features(
        format: wgpu::TextureFormat,
        features: wgpu::Features,
    ) -> Result<(), Self> {
        let missing = format.required_features().difference(features);
        if missing.is_empty() { Ok(()) } else { Err(Self::Feature { format, missing }) }
    }

    /// Runs `make`, and returns what the device reports as an error. Where the answer takes longer, as in browsers, it goes to the
    /// device's own handler.
    pub(super) fn catch<T>(device: &wgpu::Device, make: impl FnOnce() -> T) -> Result<T, Self> {
        let internal = device.push_error_scope(wgpu::ErrorFilter::Internal);
        let validation = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let made = make();
        let reported = [now(validation.pop()), now(internal.pop())];
        match reported.into_iter().flatten().flatten().next() {
            Some(error) => Err(Self::Refused(on_one_line(&error.to_string()))),
            None => Ok(made),
        }
    }
}

/// Joins an error of the device, which has a line for each cause.
fn on_one_line(error: &str) -> String {
    let lines = error.lines().map(str::trim);
    let causes: Vec<_> =
        lines.filter(|line| !matches!(*line, "" | "Validation Error" | "Caused by:")).collect();
    causes.join(": ")
}

/// Returns the result of a future that is ready.
fn now<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

/// Reason why a texture cannot be drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnsupportedTexture {
    /// An sRGB format, which would be decoded while it is read.
    #[error(
        "{0:?} is decoded when it is read, but colours are blended in encoded form: use the format without Srgb"
    )]
    Srgb(wgpu::TextureFormat),
    /// A format that has no filtered colours on this device.
    #[error("this device cannot filter {0:?}: use a format like Rgba8Unorm")]
    NotFiltered(wgpu::TextureFormat),
    /// Another kind of texture.
    #[error(
        "a texture must be two-dimensional, with one layer, one sample per pixel and the usage TEXTURE_BINDING"
    )]
    Kind,
}

impl UnsupportedTexture {
    /// Checks that a texture can be bound as an image.
    pub(super) fn check(device: &wgpu::Device, texture: &wgpu::Texture) -> Result<(), Self> {
        let (format, features) = (texture.format(), device.features());
        let filtered = wgpu::TextureSampleType::Float { filterable: true };
        let usable = texture.usage().contains(wgpu::TextureUsages::TEXTURE_BINDING);
        // GL has no views of single layers.
        let is_flat = texture.dimension() == wgpu::TextureDimension::D2;
        let flat = is_flat && texture.depth_or_array_layers() == 1;
        if !usable || !flat || texture.sample_count() != 1 {
            return Err(Self::Kind);
        }
        if format.is_srgb() {
            return Err(Self::Srgb(format));
        }
        let known = UnsupportedTarget::check_features(format, features).is_ok();
        if !known || format.sample_type(None, Some(features)) != Some(filtered) {
            return Err(Self::NotFiltered(format));
        }
        Ok(())
    }
}
