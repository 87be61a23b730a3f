//! Report of written files for `--json`: a contract.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use pchr::format::{Loss, MovementError};

use crate::run::output;
use crate::text::slashed;

/// Files written by `pchr pack`, `unpack` and `convert`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WrittenReport {
    /// The program's version.
    version: String,
    /// The file that was read.
    file: String,
    /// Format that was recognised: pchr, legacy-packed, pchr-json or pachario-json; pct, hash, array or multiatlas; seanim or
    /// seanim-json.
    format: String,
    /// The files that were written; the last names the others.
    pub(super) outputs: Vec<OutputReport>,
    /// Values that the written format cannot hold.
    pub(super) not_carried_over: Vec<LossReport>,
    /// Warnings about the file that was read.
    pub(super) warnings: Vec<String>,
    /// Sprites, or files of sprites, that were renamed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) renamed: Vec<RenamedReport>,
}

impl WrittenReport {
    /// Creates an empty report of a file.
    pub(super) fn new(file: &str, format: &str) -> Self {
        Self {
            version: crate::version().to_owned(),
            file: file.to_owned(),
            format: format.to_owned(),
            outputs: Vec::new(),
            not_carried_over: Vec::new(),
            warnings: Vec::new(),
            renamed: Vec::new(),
        }
    }
}

/// A name that was changed.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RenamedReport {
    /// The name that it would have had.
    from: String,
    /// Its name.
    to: String,
}

impl RenamedReport {
    pub(super) fn new(from: &str, to: &str) -> Self {
        let [from, to] = [from, to].map(str::to_owned);
        Self { from, to }
    }
}

/// A file that was written.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OutputReport {
    /// Path of the file.
    path: String,
    /// Its length in bytes.
    bytes: u64,
}

impl OutputReport {
    pub(super) fn new(path: &Path, bytes: usize) -> Self {
        Self {
            path: slashed(path),
            bytes: bytes as u64,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct LossReport {
    /// Kind of the values, in the plural.
    what: String,
    /// Number of lost values.
    count: u64,
    /// Section and element of the first.
    first: String,
    /// Largest errors of movements that are approximated, at all keys of both files and half-way between them; absent for other
    /// kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    largest_error: Option<MovementErrorReport>,
}

/// Largest errors of movements, each regardless of the others.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MovementErrorReport {
    /// Of rotations, in degrees.
    degrees: f64,
    /// Of translations, in units of the skeleton.
    units: f64,
    /// Of scales.
    scale: f64,
}

impl From<MovementError> for MovementErrorReport {
    fn from(error: MovementError) -> Self {
        let MovementError {
            degrees,
            units,
            scale,
        } = error;
        Self {
            degrees,
            units,
            scale,
        }
    }
}

impl From<&Loss> for LossReport {
    fn from(loss: &Loss) -> Self {
        Self {
            what: loss.what.to_owned(),
            count: loss.count,
            first: loss.first.clone(),
            largest_error: loss.error.map(Into::into),
        }
    }
}

/// The schema of the output of `--json`.
pub(in crate::cli) fn schema() -> schemars::Schema {
    output::schema::<WrittenReport>()
}
