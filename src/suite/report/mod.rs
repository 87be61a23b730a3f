//! Reports of a run: `report.json`, `index.html` and the pictures in one folder, and JUnit.

mod folder;
mod html;
mod junit;
pub(super) mod merge;
mod model;

use folder::JSON;
pub(super) use folder::{check, check_junit, clear, failed, paths, write};
pub(super) use junit::write as write_junit;
pub(super) use model::{
    CaseReport, DifferenceReport, FrameReport, Pictures, Plan, Report, Status, Summary,
};
pub(crate) use model::{Shard, schema};

use crate::run::{Failure, output};

/// Of exit codes the one that counts: failing while running, then an invalid file, a difference, a missing baseline, and
/// last what the suite asks for in vain.
pub(super) fn worst(codes: impl IntoIterator<Item = u8>) -> u8 {
    let rank = |code: &u8| match code {
        0 => 0,
        2 => 1,
        6 => 2,
        3 => 3,
        4 => 4,
        _ => 5,
    };
    codes.into_iter().max_by_key(rank).unwrap_or(0)
}

/// Prints a report as JSON on stdout.
///
/// # Errors
/// [`Failure::Running`] if it cannot be printed.
pub(super) fn print(report: &Report) -> Result<(), Failure> {
    let mut text = serde_json::to_vec_pretty(report).map_err(anyhow::Error::from)?;
    text.push(b'\n');
    Ok(output::write_stdout(&text)?)
}
