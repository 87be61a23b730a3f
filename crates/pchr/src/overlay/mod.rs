//! Debug drawings over the character: bones, names, wireframe, weights and more.
//!
//! Needs the feature `overlay`.
//!
//! ```text
//! Subject + Frame + Camera2d ──OverlayJob──► Overlay (triangles in screen pixels) ─┐
//!                                            atlas() (one texture for all of them) ────────┴─► raster / render
//! ```
//!
//! Names that the built-in font cannot write are pictures on the atlas of [`Letters`].
//!
//! All drawings are triangles with one small atlas, so that both renderers draw them with their existing rules. Positions use
//! `+ - * /` and square roots only: the same triangles on every machine.

mod atlas;
mod bones;
mod draw;
mod font;
mod grid;
mod ink;
mod job;
mod labels;
mod letters;
mod meshes;
mod onion;
mod options;
mod pen;
mod spatial;
mod trail;

pub use atlas::{atlas, ramp, tint_ghosts};
pub use job::{OverlayJob, OverlayScratch};
pub use letters::{Letters, WrittenName, needs_fonts};
pub use meshes::{Flagged, SUM_TOLERANCE, VertexFlag, flagged, vertex_flag};
pub use onion::{MOST_GHOSTS, Onion};
pub use options::{Layer, OverlayOptions, Trail};

#[cfg(test)]
mod tests;
