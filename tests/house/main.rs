//! Tests of the project itself: layers, rules and fuzz targets.

mod fuzz;
mod layers;
mod rules;
