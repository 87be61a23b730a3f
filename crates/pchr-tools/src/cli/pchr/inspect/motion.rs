//! `pchr inspect` of a motion.

mod gather;
mod gltf;
mod pxd;
mod report;
mod text;

pub(super) use gltf::run as run_gltf;
pub(in crate::cli::pchr) use gltf::schema as gltf_schema;
pub(super) use pxd::run as run_pxd;
pub(in crate::cli::pchr) use pxd::schema as pxd_schema;
pub(in crate::cli::pchr) use report::schema;

use super::InspectArgs;
use super::text::Detail;
use crate::cli::pchr::findings::Fold;
use crate::cli::pchr::motion_input::MotionInput;
use crate::run::{Failure, output};

/// Reports the contents of a motion.
pub(super) fn run(input: &MotionInput, args: &InspectArgs, detail: Detail) -> Result<(), Failure> {
    let folds = Fold::all(&input.file.warnings);
    let report = gather::gather(input, &folds);
    if args.json {
        return output::write_json(&report);
    }
    let text = text::text(&report, &folds, detail);
    output::write_text(text.as_bytes()).map_err(anyhow::Error::from)?;
    Ok(())
}
