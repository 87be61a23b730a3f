//! Tests of the command line: the programs are run and their output, exit codes and files are checked.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    clippy::print_stderr,
    reason = "what is not as it should be is a failed test; the numbers are small"
)]

#[path = "cli/camera_of.rs"]
mod camera_of;
#[path = "cli/compare.rs"]
mod compare;
#[path = "support/desk.rs"]
mod desk;
#[path = "cli/determinism.rs"]
mod determinism;
#[path = "cli/doctor.rs"]
mod doctor;
#[path = "cli/environment.rs"]
mod environment;
#[path = "cli/failures.rs"]
mod failures;
#[path = "support/fixture.rs"]
mod fixture;
#[path = "cli/fonts.rs"]
mod fonts;
#[path = "cli/formats.rs"]
mod formats;
#[path = "cli/inputs.rs"]
mod inputs;
#[path = "cli/json.rs"]
mod json;
#[path = "cli/limits.rs"]
mod limits;
#[cfg(unix)]
#[path = "cli/memory.rs"]
mod memory;
#[path = "cli/mix.rs"]
mod mix;
#[path = "cli/motions.rs"]
mod motions;
#[path = "cli/options.rs"]
mod options;
#[path = "cli/outputs.rs"]
mod outputs;
#[path = "cli/overlays.rs"]
mod overlays;
#[path = "cli/overwrites.rs"]
mod overwrites;
#[path = "cli/parts.rs"]
mod parts;
#[path = "support/rig.rs"]
mod rig;
#[path = "cli/selection.rs"]
mod selection;
#[path = "cli/sheets.rs"]
mod sheets;
#[path = "cli/suite_places.rs"]
mod suite_places;
#[path = "support/timed.rs"]
mod timed;
#[path = "cli/view.rs"]
mod view;
