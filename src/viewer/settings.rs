//! What is kept between two runs: the user's file, which the program only reads, and the program's own.

mod config;
mod memory;

use super::keys::Bindings;
use super::problem::Problem;

pub(crate) use self::config::Config;
pub(crate) use self::memory::{Memory, WindowMemory, remember};

/// Warnings that are listed one by one.
pub(crate) const LISTED: usize = 10;

/// Both files, and what is wrong with them.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    pub config: Config,
    pub memory: Memory,
    pub warnings: Vec<String>,
    /// What else went wrong before the window was there.
    pub trouble: Option<Problem>,
}

impl Settings {
    /// The settings of two texts, each with the name of its file.
    pub(crate) fn parse(config: Option<(&str, &str)>, memory: Option<(&str, &str)>) -> Self {
        let mut settings = Self::default();
        if let Some((file, text)) = config {
            let warnings = &mut settings.warnings;
            settings.config = Config::parse(text, |warning| {
                warnings.push(format!("{file}: {warning}"));
            });
        }
        if let Some((file, text)) = memory {
            match Memory::parse(text) {
                Ok(parsed) => settings.memory = parsed,
                Err(error) => settings.warnings.push(format!("{file}: {error}")),
            }
        }
        settings
    }

    /// The keys that the user wants; what is wrong with them joins the warnings.
    pub(crate) fn bindings(&mut self, file: &str) -> Bindings {
        let (bindings, wrong) = Bindings::of_commands(&self.config.keys);
        let named = wrong.iter().map(|warning| format!("{file}: {warning}"));
        self.warnings.extend(named);
        bindings
    }

    /// What is to be read of it: what else went wrong, or the warnings as one.
    pub(crate) fn problem(&self) -> Option<Problem> {
        let first = self.warnings.get(..LISTED).unwrap_or(&self.warnings);
        let more = match self.warnings.len().saturating_sub(LISTED) {
            0 => None,
            more => Some(format!("and {more} more")),
        };
        let lines = first.iter().chain(&more).map(String::as_str);
        let warned = || Problem::of_lines("Some settings do not count", lines);
        let trouble = self.trouble.clone();
        trouble.or_else(|| (!first.is_empty()).then(warned))
    }
}
