//! Tests of pictures and of what stands in them, drawn without the programs.

#[path = "../support/corpus.rs"]
mod corpus;
mod fade;
#[path = "../support/fixture.rs"]
mod fixture;
#[path = "../support/font.rs"]
mod font;
mod onion;
mod overlays;
mod overlays_spatial;
mod pick;
#[path = "../../assets/make_sample/puppet/mod.rs"]
mod puppet;
mod raster;
mod sample;
mod sheet;
#[path = "../support/sprite.rs"]
mod sprite;
mod subject;
#[cfg(feature = "render")]
#[path = "../support/gpu.rs"]
mod support;
mod typeface;
