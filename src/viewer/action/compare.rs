//! Actions of comparisons.

use std::sync::Arc;

use crate::viewer::compare::{Changes, CompareId, CompareMode, Counterpart, Figures};
use crate::viewer::loaded::LoadDone;

/// Comparing with another version or another file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CompareAction {
    /// Asks for a file with the system's dialog.
    Ask,
    With(Counterpart),
    /// The other file was loaded, or cannot be.
    Loaded(LoadDone),
    /// The changes of this comparison.
    Changes(CompareId, Arc<Changes>),
    /// Difference of the pictures that were measured last; `None` if they cannot be drawn.
    Figures(CompareId, Option<Figures>),
    Mode(CompareMode),
    /// The next mode.
    CycleMode,
    /// Moves the line between both files, to a part of the width.
    Split(f32),
    /// Shows the other file, or the open one, while they blink.
    Blink(bool),
    /// Shows or hides the list of changes.
    List,
    /// Goes to a change of the list.
    Jump(usize),
    /// Goes that many changes further in the list.
    WalkChanges(isize),
    /// Opens the other file, to be compared with the open one.
    Exchange,
    /// Shows the open file alone.
    End,
}
