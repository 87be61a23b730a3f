//! Actions of stages.

use std::path::PathBuf;

use pchr_tools::stage::Member;

use crate::viewer::order::OrderStep;

/// Placing the characters of a stage.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StageAction {
    /// Asks for files with the system's dialog. The answer is `Self::Add`.
    Dialog,
    /// Adds characters beside those of the stage, or beside the open file, which becomes one.
    Add(Vec<PathBuf>),
    /// Chooses a character, by index, or none.
    Choose(Option<usize>),
    /// Changes a character.
    Set(usize, Box<Member>),
    /// Chooses the character under a point of the picture, in screen pixels.
    Grab([f64; 2]),
    /// Moves the chosen character by screen pixels.
    Drag([f64; 2]),
    /// Lets a character change places with its neighbour in the draw order.
    Reorder(usize, OrderStep),
    /// Takes a character away.
    Remove(usize),
    /// Reads an unsaved stage as its file has it.
    Discard,
}
