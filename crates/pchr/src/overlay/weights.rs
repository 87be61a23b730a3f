//! Weights of a bone at each vertex, as colours, and marks on vertices with irregular weights.

use super::atlas::ramp_texel;
use super::ink::Ink;
use super::job::{OverlayJob, OverlayScratch, Placed};
use super::pen::{Pen, Point};
use crate::document::{BoneId, MeshId, Vertex};
use crate::scene::Geometry;

/// Largest difference from 1 of a vertex's weight sum.
pub const SUM_TOLERANCE: f64 = 0.001;

/// Irregularity of a vertex's weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VertexFlag {
    /// No weight is positive: no bone moves it, and it is drawn at the world's origin.
    Unweighted,
    /// The positive weights do not sum to 1, within [`SUM_TOLERANCE`].
    NotSumming,
}

/// Returns the irregularity of a vertex's weights, if any.
#[must_use]
pub fn vertex_flag(vertex: &Vertex) -> Option<VertexFlag> {
    let positive = vertex.bone_weights.iter().filter(|weight| **weight > 0.0);
    let sum: f64 = positive.copied().map(f64::from).sum();
    if sum <= 0.0 {
        Some(VertexFlag::Unweighted)
    } else if (sum - 1.0).abs() > SUM_TOLERANCE {
        Some(VertexFlag::NotSumming)
    } else {
        None
    }
}

/// Numbers of vertices with irregular weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flagged {
    /// Vertices with [`VertexFlag::Unweighted`].
    pub unweighted: usize,
    /// Vertices with [`VertexFlag::NotSumming`].
    pub not_summing: usize,
}

/// Counts the vertices with irregular weights of some meshes. Meshes that do not exist are ignored.
#[must_use]
pub fn flagged(geometry: &dyn Geometry, meshes: impl IntoIterator<Item = MeshId>) -> Flagged {
    let mut counts = Flagged::default();
    for mesh in meshes.into_iter().filter_map(|id| geometry.mesh(id)) {
        for vertex in mesh.vertices() {
            match vertex_flag(&vertex) {
                Some(VertexFlag::Unweighted) => counts.unweighted += 1,
                Some(VertexFlag::NotSumming) => counts.not_summing += 1,
                None => {}
            }
        }
    }
    counts
}

/// Returns the weight of a bone at a vertex.
fn weight(vertex: &Vertex, bone: BoneId) -> f32 {
    let slots = vertex.bone_weights.iter().zip(vertex.bone_ids);
    let own = slots.filter(|(weight, id)| **weight > 0.0 && *id == bone.0);
    own.map(|(weight, _)| *weight).sum()
}

/// Draws the meshes that a bone moves in the colours of its weights, where their texels are not transparent, then marks on all irregular vertices.
pub(super) fn draw(
    job: &OverlayJob<'_>,
    bone: BoneId,
    scratch: &OverlayScratch,
    pen: &mut Pen<'_>,
) {
    for Placed { mesh, points } in &scratch.placed {
        let Some(mesh) = job.subject.mesh(*mesh) else {
            continue;
        };
        debug_assert!(points.end <= scratch.points.len(), "placed before");
        let points = scratch.points.get(points.clone()).unwrap_or_default();
        let records = mesh.vertex_records();
        let corner = |index: u16| {
            let record = records.get(usize::from(index))?;
            let at = points.get(usize::from(index))?;
            let vertex = Vertex::from_record(record);
            Some((*at, ramp_texel(weight(&vertex, bone)), vertex.uv))
        };
        // The other meshes stay as they are, so that those above do not hide the weights.
        if !mesh.vertices().any(|vertex| weight(&vertex, bone) > 0.0) {
            continue;
        }
        let mut indices = mesh.indices();
        while let (Some(a), Some(b), Some(c)) = (indices.next(), indices.next(), indices.next()) {
            if let (Some(a), Some(b), Some(c)) = (corner(a), corner(b), corner(c)) {
                pen.masked(mesh.image(), [a, b, c]);
            }
        }
    }
    for Placed { mesh, points } in &scratch.placed {
        let Some(mesh) = job.subject.mesh(*mesh) else {
            continue;
        };
        debug_assert!(points.end <= scratch.points.len(), "placed before");
        let points = scratch.points.get(points.clone()).unwrap_or_default();
        for (vertex, at) in mesh.vertices().zip(points) {
            match vertex_flag(&vertex) {
                Some(VertexFlag::Unweighted) => cross(*at, pen),
                Some(VertexFlag::NotSumming) => triangle(*at, pen),
                None => {}
            }
        }
    }
}

fn cross([x, y]: Point, pen: &mut Pen<'_>) {
    let unit = pen.unit;
    for (reach, width, ink) in [(4.2, 4.0, Ink::Halo), (3.5, 2.0, Ink::Unweighted)] {
        let reach = reach * unit;
        for down in [reach, -reach] {
            let (from, to) = ([x - reach, y - down], [x + reach, y + down]);
            pen.line(from, to, width * unit, 0.0, ink);
        }
    }
}

fn triangle([x, y]: Point, pen: &mut Pen<'_>) {
    for (reach, ink) in [(6.0, Ink::Halo), (3.6, Ink::NotSumming)] {
        let reach = reach * pen.unit;
        pen.polygon(
            [
                [x, y - reach],
                [x + 0.9 * reach, y + 0.6 * reach],
                [x - 0.9 * reach, y + 0.6 * reach],
            ],
            ink,
        );
    }
}
