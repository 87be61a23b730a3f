//! Text that leaves the program: names without hidden characters, what there is instead of a mistyped name, paths that are
//! the same on every system, times that are typed, and command lines quoted for a shell.

pub(crate) mod agent;
mod hidden;
mod natural;
mod near;
mod seconds;
pub mod shell;
mod slashed;
pub(crate) mod words;

pub use hidden::{is_hidden, visible};
pub use natural::Natural;
pub use near::{nearest, there_are};
pub(crate) use seconds::seconds;
pub use slashed::slashed;
