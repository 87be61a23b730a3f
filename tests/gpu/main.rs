//! Tests of the GPU renderer: its shaders, its pictures, and the tolerance between renderers.

#[path = "../support/corpus.rs"]
mod corpus;
#[path = "../support/fixture.rs"]
mod fixture;
mod gpu_corpus;
mod renderer;
mod shaders;
#[cfg(feature = "render")]
mod stability;
#[path = "../support/gpu.rs"]
mod support;
