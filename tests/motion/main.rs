//! Tests of poses and 3D motions.

mod adapt;
mod armature;
#[path = "../support/corpus.rs"]
mod corpus;
#[path = "../support/fixture.rs"]
mod fixture;
mod pose;
mod poses;
#[path = "../support/rig.rs"]
mod rig;
#[path = "../support/mod.rs"]
mod support;
