//! Settings kept between two runs: the user's file, which the program only reads, and the program's own file.

mod config;
mod memory;
pub(crate) mod rebound_keys;

use std::path::Path;

use pchr_tools::session::WindowLook;

use self::rebound_keys::Bindings;
use crate::viewer::problem::Problem;

pub(crate) use self::config::Config;
pub(crate) use self::memory::{
    CurvesMemory, ExportMemory, HintsMemory, Memory, WindowMemory, remember,
};

/// Number of warnings that are listed one by one.
pub(crate) const LISTED: usize = 10;

/// Both files, and the problems with them.
#[derive(Debug, Default)]
pub(crate) struct ViewerSettings {
    pub config: Config,
    pub memory: Memory,
    pub warnings: Vec<String>,
    /// Another problem before the window was open.
    pub trouble: Option<Problem>,
}

impl ViewerSettings {
    /// Reads the user's settings from the text of a file.
    pub(crate) fn set_config(&mut self, file: &str, text: &str) {
        let warnings = &mut self.warnings;
        let folder = Path::new(file).parent().unwrap_or(Path::new(""));
        let warn = |warning| warnings.push(format!("{file}: {warning}"));
        self.config = Config::parse(text, folder, warn);
    }

    /// Reads the remembered state from the text of a file.
    pub(crate) fn set_memory(&mut self, file: &str, text: &str) {
        match Memory::parse(text) {
            Ok(memory) => self.memory = memory,
            Err(error) => self.warnings.push(format!("{file}: {error}")),
        }
    }

    /// Returns the user's keys. Problems with them are added to the warnings.
    pub(crate) fn bindings(&mut self, file: &str) -> Bindings {
        let (bindings, wrong) = Bindings::of_commands(&self.config.keys);
        let named = wrong.iter().map(|warning| format!("{file}: {warning}"));
        self.warnings.extend(named);
        bindings
    }

    /// Returns the look that a window starts with: the user's, and that of the last run where that says nothing.
    pub(crate) fn look(&self) -> WindowLook {
        self.memory.view.under(&self.config.view)
    }

    /// Returns the problem to show: the other problem, or all warnings as one.
    pub(crate) fn problem(&self) -> Option<Problem> {
        let first = self.warnings.get(..LISTED).unwrap_or(&self.warnings);
        let more = match self.warnings.len().saturating_sub(LISTED) {
            0 => None,
            more => Some(format!("and {more} more")),
        };
        let lines = first.iter().chain(&more).map(String::as_str);
        let warned = || Problem::of_lines("Some settings were ignored", lines);
        let trouble = self.trouble.clone();
        trouble.or_else(|| (!first.is_empty()).then(warned))
    }
}
