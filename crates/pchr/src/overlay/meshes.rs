//! Meshes: the sides of their triangles, a box around each, one highlighted mesh, and weights of a bone at each vertex.

use std::ops::Range;

use super::atlas::ramp_texel;
use super::colors::Ink;
use super::labels::has_mesh_names;
use super::options::{Layer, LayerNeeds, OverlayOptions};
use super::pen::{Pen, Point};
use super::{MeshEdge, OverlayJob, OverlayScratch, Placed};
use crate::document::{BoneId, Mesh, MeshId, Vertex};
use crate::scene::Geometry;

/// Draws the layers of meshes, the highlighted mesh and the weights of a bone. Computes positions first, also for numbers and names.
pub(super) fn draw_layers(job: &OverlayJob<'_>, scratch: &mut OverlayScratch, pen: &mut Pen<'_>) {
    let OverlayOptions { weights, mesh, .. } = *job.options;
    let has = |layer| job.options.has(layer);
    let weights = weights.filter(|_| !has(Layer::Overdraw));
    let on_meshes = job.options.draws_on(LayerNeeds::Meshes);
    if on_meshes || has_mesh_names(job) || weights.is_some() || mesh.is_some() {
        place(job, scratch);
    }
    if let Some(bone) = weights {
        draw_weights(job, bone, scratch, pen);
    }
    if has(Layer::Wireframe) {
        wireframe(job, scratch, pen);
    }
    if let Some(mesh) = mesh {
        highlight(job, mesh, scratch, pen);
    }
    if has(Layer::Bounds) {
        bounds(scratch, pen);
    }
}

/// Computes the screen positions of the vertices of all drawn meshes.
fn place(job: &OverlayJob<'_>, scratch: &mut OverlayScratch) {
    scratch.points.clear();
    scratch.placed.clear();
    for draw in job.frame.draws() {
        if let Some(mesh) = job.subject.mesh(draw.mesh) {
            let points = place_mesh(job, &mesh, &mut scratch.points);
            scratch.placed.push(Placed { mesh: draw.mesh, points });
        }
    }
}

/// Appends the screen positions of a mesh's vertices.
fn place_mesh(job: &OverlayJob<'_>, mesh: &Mesh<'_>, points: &mut Vec<Point>) -> Range<usize> {
    let start = points.len();
    job.frame.project(mesh, &job.camera.screen_from_world(job.size), points);
    start..points.len()
}

/// Appends the sides of a mesh's triangles, sorted. A side that two triangles share appears twice.
fn sides(mesh: &Mesh<'_>, points: &Range<usize>, edges: &mut Vec<MeshEdge>) {
    let start = edges.len();
    let first = u32::try_from(points.start).unwrap_or(u32::MAX);
    for [a, b, c] in mesh.triangles() {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let ends = [from.min(to), from.max(to)];
            edges.push(ends.map(|index| first.saturating_add(index.into())));
        }
    }
    edges.get_mut(start..).unwrap_or_default().sort_unstable();
}

fn ends(edge: MeshEdge, points: &[Point]) -> Option<[Point; 2]> {
    let [a, b] = edge.map(|index| points.get(index as usize).copied());
    Some([a?, b?])
}

/// Draws the sides of all drawn triangles, each once.
fn wireframe(job: &OverlayJob<'_>, scratch: &mut OverlayScratch, pen: &mut Pen<'_>) {
    let OverlayScratch { points, placed, edges, .. } = scratch;
    edges.clear();
    for placed in placed.iter() {
        if let Some(mesh) = job.subject.mesh(placed.mesh) {
            sides(&mesh, &placed.points, edges);
        }
    }
    edges.dedup();
    let unit = pen.unit;
    for (width, ink) in [(3.0 * unit, Ink::FaintHalo), (unit, Ink::Wire)] {
        for [from, to] in edges.iter().filter_map(|edge| ends(*edge, points)) {
            pen.line(from, to, width, 0.0, ink);
        }
    }
}

/// Highlights one mesh: its outline, and its inner sides faintly. The mesh may be hidden.
fn highlight(
    job: &OverlayJob<'_>,
    chosen: MeshId,
    scratch: &mut OverlayScratch,
    pen: &mut Pen<'_>,
) {
    let Some(mesh) = job.subject.mesh(chosen) else { return };
    let drawn = scratch.placed.iter().find(|placed| placed.mesh == chosen);
    let range = match drawn {
        Some(placed) => placed.points.clone(),
        None => place_mesh(job, &mesh, &mut scratch.points),
    };
    let OverlayScratch { points, edges, .. } = scratch;
    edges.clear();
    sides(&mesh, &range, edges);
    let unit = pen.unit;
    let outline = |edges: &[MeshEdge]| edges.len() == 1;
    let runs = || edges.chunk_by(|a, b| a == b);
    let first = |edges: &[MeshEdge]| ends(*edges.first()?, points);
    for [from, to] in runs().filter(|run| !outline(run)).filter_map(first) {
        pen.line(from, to, unit, 0.0, Ink::FaintAccent);
    }
    for (width, ink) in [(4.0 * unit, Ink::Halo), (2.0 * unit, Ink::Accent)] {
        for [from, to] in runs().filter(|run| outline(run)).filter_map(first) {
            pen.line(from, to, width, width / 4.0, ink);
        }
    }
}

/// Draws a box around each drawn mesh, and a stronger one around all of them.
fn bounds(scratch: &OverlayScratch, pen: &mut Pen<'_>) {
    let unit = pen.unit;
    let boxes = || {
        let points = |placed: &Placed| scratch.points.get(placed.points.clone());
        let points = scratch.placed.iter().filter_map(points);
        points.filter_map(around)
    };
    for [min, max] in boxes() {
        halo_frame(min, max, unit, Ink::Box, pen);
    }
    if boxes().next().is_some() {
        let [min, max] = super::pen::around(boxes().flatten());
        halo_frame(min, max, 2.0 * unit, Ink::FrameBox, pen);
    }
}

fn halo_frame(min: Point, max: Point, width: f32, ink: Ink, pen: &mut Pen<'_>) {
    pen.frame(min, max, width + 2.0 * pen.unit, Ink::FaintHalo);
    pen.frame(min, max, width, ink);
}

/// Returns the box around the finite points, if there are any.
fn around(points: &[Point]) -> Option<[Point; 2]> {
    let finite = points.iter().filter(|[x, y]| x.is_finite() && y.is_finite());
    let [min, max] = super::pen::around(finite.copied());
    min[0].is_finite().then_some([min, max])
}

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

fn weight(vertex: &Vertex, bone: BoneId) -> f32 {
    let slots = vertex.bone_weights.iter().zip(vertex.bone_ids);
    let own = slots.filter(|(weight, id)| **weight > 0.0 && *id == bone.0);
    own.map(|(weight, _)| *weight).sum()
}

/// Draws the meshes that a bone moves in the colours of its weights, where their texels are not transparent, then marks on all irregular vertices.
fn draw_weights(job: &OverlayJob<'_>, bone: BoneId, scratch: &OverlayScratch, pen: &mut Pen<'_>) {
    let placed = scratch.placed.iter().filter_map(|Placed { mesh, points }| {
        debug_assert!(points.end <= scratch.points.len(), "placed before");
        let points = scratch.points.get(points.clone()).unwrap_or_default();
        Some((job.subject.mesh(*mesh)?, points))
    });
    for (mesh, points) in placed.clone() {
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
        for [a, b, c] in mesh.triangles() {
            if let (Some(a), Some(b), Some(c)) = (corner(a), corner(b), corner(c)) {
                pen.masked(mesh.image(), [a, b, c]);
            }
        }
    }
    for (mesh, points) in placed {
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
