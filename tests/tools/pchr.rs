//! Tests of `pchr` as a program: output, exit codes and files.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "what is not as it should be is a failed test; the desk is shared"
)]

#[cfg(unix)]
mod agents;
pub(crate) mod atlas;
#[cfg(unix)]
mod docs;
mod generated;
mod help;
mod inspect;
mod interrupted;
pub(crate) mod motion;
mod motion_convert;
mod pack;
pub(crate) mod pack_folder;
pub(crate) mod pose;
pub(crate) mod pxd;
mod schema;
pub(crate) mod validate;
