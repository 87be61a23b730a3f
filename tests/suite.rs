//! Tests of suites of captures as a program: output, exit codes and files.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "what is not as it should be is a failed test; the desk is shared"
)]

#[path = "suite/again.rs"]
mod again;
#[path = "suite/camera.rs"]
mod camera;
#[path = "suite/codes.rs"]
mod codes;
#[path = "suite/commands.rs"]
mod commands;
#[path = "support/desk.rs"]
mod desk;
#[path = "suite/first_day.rs"]
mod first_day;
#[path = "support/fixture.rs"]
mod fixture;
#[path = "suite/gpu.rs"]
mod gpu;
#[path = "suite/ignored.rs"]
mod ignored;
#[path = "suite/interrupted.rs"]
mod interrupted;
#[path = "support/junit.rs"]
mod junit;
#[path = "suite/junit.rs"]
mod junit_reports;
#[path = "suite/merge.rs"]
mod merge;
#[path = "suite/mistakes.rs"]
mod mistakes;
#[path = "suite/options.rs"]
mod options;
#[path = "suite/patterns.rs"]
mod patterns;
#[path = "suite/reports.rs"]
mod reports;
#[path = "support/rig.rs"]
mod rig;
#[path = "suite/shards.rs"]
mod shards;
#[path = "suite/stage.rs"]
mod stage;
#[path = "suite/streams.rs"]
mod streams;
#[path = "suite/unhappy.rs"]
mod unhappy;
#[path = "suite/update.rs"]
mod update;
