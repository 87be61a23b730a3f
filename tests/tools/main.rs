//! Tests of `pchr` and `pchr-view` as programs: output, exit codes and files, and the pages that they write.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "what is not as it should be is a failed test, and its numbers are small"
)]

#[path = "../support/browser.rs"]
mod browser;
#[path = "../support/captured.rs"]
mod captured;
mod cli;
#[path = "../support/corpus.rs"]
mod corpus;
#[path = "../support/desk.rs"]
mod desk;
#[path = "../support/acl.rs"]
mod encoder;
#[path = "../support/fixture.rs"]
mod fixture;
mod fixtures;
#[path = "../support/golden.rs"]
mod golden;
#[path = "../support/junit.rs"]
mod junit;
mod pchr;
mod phaser;
mod report;
#[path = "../support/rig.rs"]
mod rig;
#[path = "../support/served.rs"]
mod served;
#[path = "../support/sprite.rs"]
mod sprite;
mod suite;
mod three;
#[path = "../support/timed.rs"]
mod timed;
#[path = "../support/transcript.rs"]
mod transcript;
mod transcripts;
