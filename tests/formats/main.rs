//! Tests of file formats: what is read, written and refused.

mod acl;
mod companions;
#[path = "../support/corpus.rs"]
mod corpus;
#[path = "../support/acl.rs"]
mod encoder;
#[path = "../support/fixture.rs"]
mod fixture;
mod gltf;
#[path = "../support/golden.rs"]
mod golden;
mod json;
mod malformed;
mod pct;
mod plane;
mod properties;
mod pxd;
mod seanim;
#[path = "../support/mod.rs"]
mod support;
