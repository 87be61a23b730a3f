//! Tests of `pchr` as a program: output, exit codes and files.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "what is not as it should be is a failed test; the desk is shared"
)]

#[path = "support/acl.rs"]
mod acl;
#[path = "pchr/agents.rs"]
#[cfg(unix)]
mod agents;
#[path = "pchr/atlas.rs"]
mod atlas;
#[path = "support/desk.rs"]
mod desk;
#[path = "pchr/docs.rs"]
#[cfg(unix)]
mod docs;
#[path = "support/fixture.rs"]
mod fixture;
#[path = "pchr/generated.rs"]
mod generated;
#[path = "pchr/help.rs"]
mod help;
#[path = "pchr/inspect.rs"]
mod inspect;
#[path = "pchr/interrupted.rs"]
mod interrupted;
#[path = "support/junit.rs"]
mod junit;
#[path = "pchr/motion.rs"]
mod motion;
#[path = "pchr/motion_convert.rs"]
mod motion_convert;
#[path = "pchr/pack.rs"]
mod pack;
#[path = "pchr/pack_folder.rs"]
mod pack_folder;
#[path = "pchr/pose.rs"]
mod pose;
#[path = "pchr/pxd.rs"]
mod pxd;
#[path = "pchr/schema.rs"]
mod schema;
#[path = "support/timed.rs"]
mod timed;
#[path = "pchr/validate.rs"]
mod validate;
