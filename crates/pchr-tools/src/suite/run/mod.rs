//! Runs of a suite: which cases, who draws them, and what becomes of their pictures.

pub(crate) mod args;
pub(crate) mod comparison;
pub(crate) mod draw;
pub(crate) mod job;
pub(crate) mod judge;
pub(crate) mod outcome;
pub(crate) mod planned;
pub(crate) mod selection;
pub(crate) mod shard;
pub(crate) mod source;
pub(crate) mod unused;
