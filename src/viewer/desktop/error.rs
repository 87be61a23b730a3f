//! Errors that keep the window from being shown.

use pchr::render::GpuError;

/// Reason why the program ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewerError {
    /// There is no display server to open a window on.
    #[error("no window can be opened: {0}")]
    NoDisplay(String),
    /// There is no graphics adapter that can draw to the window.
    #[error(transparent)]
    NoAdapter(GpuError),
    /// The adapter offers no colour format that can be drawn in.
    #[error("the graphics adapter offers no 8-bit colour format for windows")]
    NoFormat,
    /// The graphics device failed while running.
    #[error(transparent)]
    Gpu(GpuError),
    /// The system refuses a thread that the window needs.
    #[error("the system does not allow the threads that the window needs: {0}")]
    Thread(String),
    /// A variable of the environment makes no sense.
    #[error("{0}")]
    Environment(String),
    /// The window system failed while running.
    #[error("the window system failed: {0}")]
    Window(String),
}

impl ViewerError {
    /// Returns true if the machine has no graphics adapter for the window: exit code 5.
    #[must_use]
    pub fn is_no_adapter(&self) -> bool {
        matches!(self, Self::NoAdapter(_) | Self::NoFormat)
    }

    /// Returns true if the environment is at fault: exit code 2.
    #[must_use]
    pub fn is_environment(&self) -> bool {
        matches!(self, Self::Environment(_))
    }

    /// Returns true if the machine has no display.
    #[must_use]
    pub fn is_no_display(&self) -> bool {
        matches!(self, Self::NoDisplay(_))
    }
}

impl From<GpuError> for ViewerError {
    fn from(error: GpuError) -> Self {
        match error {
            GpuError::NoAdapter { .. } => Self::NoAdapter(error),
            _ => Self::Gpu(error),
        }
    }
}
