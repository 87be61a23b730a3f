//! An atlas as PCT text: `name` takes names apart, `list` writes many on a line, `grid` finds grids in places, `plan` chooses
//! those that save bytes, `text` puts the lines together; `safe` renames what cannot be written.

mod grid;
mod list;
mod name;
mod padding;
mod plan;
mod record;
mod safe;
mod text;
mod unwritable;

#[cfg(test)]
mod tests;

pub use safe::safe_names;
pub use text::write;
pub use unwritable::{Subject, Unwritable, UnwritableNames, unwritable_name};
