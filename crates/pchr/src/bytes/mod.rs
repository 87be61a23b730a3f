//! Bounds-checked reading and writing of little-endian bytes, and the budget that guards allocation.
//!
//! [`Reader`] is the only code that walks a file: every section reads through it, so no other file slices bytes by an offset it
//! computed. [`Budget`] is charged before memory is allocated by a number from a file.
#![deny(clippy::arithmetic_side_effects)]

mod budget;
mod reader;

pub use budget::{Budget, BudgetError, Lease, has_room_for};
#[doc(hidden)]
pub use reader::Writer;
pub use reader::{Limit, WriteError};
#[doc(hidden)]
pub use reader::{Reader, UnexpectedEnd};
