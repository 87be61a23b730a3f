//! Actions of comparisons and of stages.

use std::path::PathBuf;
use std::sync::Arc;

use pchr_tools::stage::Member;

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

/// Change of a character by dragging.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grip {
    /// Moves the chosen character.
    Place,
    /// Moves the character under the pointer, which is chosen, or else the chosen one.
    PlaceTop,
    /// Turns it about its origin.
    Turn,
    /// Scales it from its origin.
    Scale,
}

/// Placing the characters of a stage.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StageAction {
    /// Asks for files with the system's dialog. The answer is `Self::Add`.
    Dialog,
    /// Saves the stage, and closes the window then.
    SaveAndQuit,
    /// Adds characters beside those of the stage, or beside the open file, which becomes one.
    Add(Vec<PathBuf>),
    /// Chooses a character, by index, or none.
    Choose(Option<usize>),
    /// Changes a character.
    Set(usize, Box<Member>),
    /// Chooses the character under a point of the picture, in screen pixels; where there is none, with `true` the chosen one stays.
    Pick([f64; 2], bool),
    /// Begins a drag of the chosen character at a point of the picture, in screen pixels.
    Grab(Grip, [f64; 2]),
    /// Goes on with the drag up to a point. With `true`, a turn ends at a multiple of 15 degrees.
    Drag([f64; 2], bool),
    /// Gives a character the place of another one in the draw order.
    Reorder(usize, usize),
    /// Takes a character away.
    Remove(usize),
    /// Reads an unsaved stage as its file has it.
    Discard,
}
