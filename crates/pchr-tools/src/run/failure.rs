//! Failures of a program, with their exit codes.

use std::path::PathBuf;

use pchr::finding::{Findings, Invalid};

use super::path;
use crate::capture::CaptureError;
use crate::view::ViewError;

/// Exit code for an error while running.
pub(crate) const RUNNING: u8 = 1;
/// Exit code for an invalid command line, or one that names something missing.
pub(crate) const USAGE: u8 = 2;

/// A failure with its exit code.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Something failed while running: exit code 1.
    #[error("{0:#}")]
    Running(#[from] anyhow::Error),
    /// The command line asks for something that does not exist: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// An output is a file that was read: exit code 2, and nothing was written.
    #[error("{0}")]
    Overwrites(String),
    /// The input file is invalid: exit code 4.
    #[error("{file}: {}", Invalid(.findings.clone()))]
    Invalid {
        /// Name of the file.
        file: String,
        /// Findings about the file.
        findings: Findings,
    },
    /// Files were read, and are not as they should be: exit code 4.
    #[error("{0}")]
    Rejected(String),
    /// Pictures differ by more than is tolerated: exit code 3.
    #[error("{0}")]
    Differ(String),
    /// Mistakes in a suite, each with its line: exit code 2.
    #[error("{}", .0.first().map_or("", String::as_str))]
    Suite(Vec<String>),
    /// There is no usable graphics adapter: exit code 5.
    #[error("{0}")]
    NoAdapter(String),
    /// A baseline is missing: exit code 6.
    #[error("{0}")]
    BaselineMissing(String),
}

impl Failure {
    /// Returns the failure with the file name in front, if it is about the options for a file.
    pub(crate) fn in_file(self, file: &str) -> Self {
        match self {
            Self::Usage(text) => Self::Usage(format!("{file}: {text}")),
            other => other,
        }
    }

    /// Returns the exit code. The codes are a contract.
    #[must_use]
    pub fn code(&self) -> u8 {
        match self {
            Self::Running(_) => RUNNING,
            Self::Usage(_) | Self::Suite(_) | Self::Overwrites(_) => USAGE,
            Self::Differ(_) => 3,
            Self::Invalid { .. } | Self::Rejected(_) => 4,
            Self::NoAdapter(_) => 5,
            Self::BaselineMissing(_) => 6,
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        match error.get_ref() {
            Some(inner) if inner.is::<Overwrites>() => Self::Overwrites(error.to_string()),
            _ => Self::Running(error.into()),
        }
    }
}

impl From<CaptureError> for Failure {
    fn from(error: CaptureError) -> Self {
        Self::Running(error.into())
    }
}

impl From<ViewError> for Failure {
    fn from(error: ViewError) -> Self {
        Self::Usage(error.to_string())
    }
}

/// An output that is an input, too.
#[derive(Debug, thiserror::Error)]
#[error("the output {} would overwrite the input {}; choose another output", path::name(.output), path::name(.input))]
pub(crate) struct Overwrites {
    pub(super) output: PathBuf,
    pub(super) input: PathBuf,
}

impl From<Overwrites> for Failure {
    fn from(overwrites: Overwrites) -> Self {
        Self::Overwrites(overwrites.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_has_its_exit_code() {
        let text = String::new;
        let running = || anyhow::anyhow!("it failed");
        let invalid = Failure::Invalid {
            file: text(),
            findings: Findings::default(),
        };
        let overwrites = Overwrites {
            output: PathBuf::new(),
            input: PathBuf::new(),
        };
        for (failure, code) in [
            (Failure::Running(running()), 1),
            (Failure::Usage(text()), 2),
            (Failure::Overwrites(text()), 2),
            (Failure::Suite(Vec::new()), 2),
            (Failure::from(std::io::Error::other(overwrites)), 2),
            (Failure::from(std::io::Error::other("any")), 1),
            (Failure::Differ(text()), 3),
            (invalid, 4),
            (Failure::Rejected(text()), 4),
            (Failure::NoAdapter(text()), 5),
            (Failure::BaselineMissing(text()), 6),
        ] {
            assert_eq!(failure.code(), code, "{failure:?}");
        }
    }
}
