//! The keyboard: its focus, and the order of keys with the same letter.

pub(crate) mod focus;
pub(crate) mod key_order;
