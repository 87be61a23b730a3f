//! Errors of adapters and graphics drivers.

use core::time::Duration;
use std::fmt::Write;

use super::UnsupportedTarget;

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
