//! Tests of `pchr` as a program: output, exit codes and files.

#[cfg(unix)]
mod agents;
pub(crate) mod atlas;
#[cfg(unix)]
mod docs;
mod generated;
pub(crate) mod help;
mod inspect;
pub(crate) mod interrupted;
pub(crate) mod motion;
pub(crate) mod pack_folder;
pub(crate) mod pose;
pub(crate) mod pxd;
pub(crate) mod schema;
pub(crate) mod validate;
