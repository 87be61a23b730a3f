//! `pchr convert` of a motion.

use std::path::Path;

use super::MotionInput;
use crate::cli::pchr::report::{OutputReport, WrittenReport};
use crate::cli::pchr::written;
use crate::format::{Losses, seanim, seanim_json};
use crate::motion::Motion;
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output};

/// Format that a motion is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli::pchr) enum Target {
    /// SEAnim, in its canonical form.
    Seanim,
    /// The mirror of SEAnim.
    SeanimJson,
}

impl Target {
    /// The file, and what it has no place for.
    fn write(self, motion: &Motion, name: &str) -> Result<(Vec<u8>, Losses), Failure> {
        match self {
            Self::Seanim => seanim::write_canonical(motion)
                .map_err(|error| Failure::Rejected(format!("{name}: {error}"))),
            Self::SeanimJson => {
                let mut text = Vec::new();
                let losses = seanim_json::write(motion, &mut text)?;
                Ok((text, losses))
            }
        }
    }
}

/// A conversion.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli::pchr) struct Convert<'a> {
    pub(in crate::cli::pchr) target: Target,
    pub(in crate::cli::pchr) output: &'a Path,
    pub(in crate::cli::pchr) json: bool,
}

impl Convert<'_> {
    /// Converts a motion, and says what was not carried over.
    pub(in crate::cli::pchr) fn run(
        self,
        input: &MotionInput,
        messages: &Messages,
        disk: &Disk,
    ) -> Result<(), Failure> {
        let MotionInput { name, file, .. } = input;
        let (bytes, left_out) = self.target.write(&file.motion, name)?;
        let mut losses = file.losses.clone();
        losses.extend(left_out);
        let mut report = WrittenReport::new(name, file.format.id());
        if self.output == Path::new("-") {
            output::write_stdout(&bytes)?;
        } else {
            disk.check([self.output])?;
            output::make_folders([self.output])?;
            disk.write(self.output, &bytes)?;
            let written = OutputReport::new(self.output, bytes.len());
            report.outputs.push(written);
        }
        messages.oddities(name, &file.warnings);
        written::say_losses(name, &losses, messages);
        if !self.json {
            return Ok(());
        }
        report.not_carried_over = losses.iter().map(Into::into).collect();
        report.warnings = file.warnings.iter().map(ToString::to_string).collect();
        output::write_json(&report)
    }
}
