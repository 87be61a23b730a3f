//! Reports of a run: `report.json`, `index.html` and the pictures in one folder, and JUnit.

mod folder;
mod html;
mod junit;

pub(super) use folder::{JSON, check, check_junit, clear, failed, is_inside, paths, write};
#[cfg(fuzzing)]
pub(super) use html::render;
pub(super) use junit::{clear as clear_junit, write as write_junit};

use super::results::Report;
use crate::run::{Failure, output};

/// Prints a report as JSON on stdout.
///
/// # Errors
/// [`Failure::Running`] if it cannot be printed.
pub(super) fn print(report: &Report) -> Result<(), Failure> {
    let mut text = serde_json::to_vec_pretty(report).map_err(anyhow::Error::from)?;
    text.push(b'\n');
    Ok(output::write_text(&text)?)
}
