//! Text that leaves the program: names without hidden characters, what there is instead of a mistyped name, paths that are
//! the same on every system, times that are typed, and command lines quoted for a shell.

pub mod shell;
pub mod smoothness;
pub(crate) mod words;

pub(crate) use words::seconds;
pub use words::{Natural, count, is_hidden, nearest, slashed, there_are, visible};
