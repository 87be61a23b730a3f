//! Meshes: the sides of their triangles, a box around each, and one highlighted mesh.

use std::ops::Range;

use super::ink::Ink;
use super::job::{Edge, OverlayJob, OverlayScratch, Placed};
use super::pen::{Pen, Point};
use crate::document::{Mesh, MeshId};
use crate::pose::transform_point;

/// Computes the screen positions of the vertices of all drawn meshes, and of the selected one.
pub(super) fn place(job: &OverlayJob<'_>, scratch: &mut OverlayScratch) {
    scratch.points.clear();
    scratch.placed.clear();
    for draw in job.frame.draws() {
        if let Some(mesh) = job.subject.mesh(draw.mesh) {
            let points = place_mesh(job, &mesh, &mut scratch.points);
            scratch.placed.push(Placed {
                mesh: draw.mesh,
                points,
            });
        }
    }
}

/// Appends the screen positions of a mesh's vertices.
fn place_mesh(job: &OverlayJob<'_>, mesh: &Mesh<'_>, points: &mut Vec<Point>) -> Range<usize> {
    let start = points.len();
    job.frame.pose().place(mesh, points);
    let screen_from_world = job.camera.screen_from_world(job.size);
    for point in points.get_mut(start..).unwrap_or_default() {
        *point = transform_point(&screen_from_world, *point);
    }
    start..points.len()
}

/// Appends the sides of a mesh's triangles, sorted. A side that two triangles share appears twice.
fn sides(mesh: &Mesh<'_>, points: &Range<usize>, edges: &mut Vec<Edge>) {
    let start = edges.len();
    let first = u32::try_from(points.start).unwrap_or(u32::MAX);
    let mut indices = mesh.indices();
    while let (Some(a), Some(b), Some(c)) = (indices.next(), indices.next(), indices.next()) {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let ends = [from.min(to), from.max(to)];
            edges.push(ends.map(|index| first.saturating_add(index.into())));
        }
    }
    edges.get_mut(start..).unwrap_or_default().sort_unstable();
}

fn ends(edge: Edge, points: &[Point]) -> Option<[Point; 2]> {
    let [a, b] = edge.map(|index| points.get(index as usize).copied());
    Some([a?, b?])
}

/// Draws the sides of all drawn triangles, each once.
pub(super) fn wireframe(job: &OverlayJob<'_>, scratch: &mut OverlayScratch, pen: &mut Pen<'_>) {
    let OverlayScratch {
        points,
        placed,
        edges,
        ..
    } = scratch;
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
pub(super) fn highlight(
    job: &OverlayJob<'_>,
    chosen: MeshId,
    scratch: &mut OverlayScratch,
    pen: &mut Pen<'_>,
) {
    let Some(mesh) = job.subject.mesh(chosen) else {
        return;
    };
    let drawn = scratch.placed.iter().find(|placed| placed.mesh == chosen);
    let range = match drawn {
        Some(placed) => placed.points.clone(),
        None => place_mesh(job, &mesh, &mut scratch.points),
    };
    let OverlayScratch { points, edges, .. } = scratch;
    edges.clear();
    sides(&mesh, &range, edges);
    let unit = pen.unit;
    let outline = |edges: &[Edge]| edges.len() == 1;
    let runs = || edges.chunk_by(|a, b| a == b);
    let first = |edges: &[Edge]| ends(*edges.first()?, points);
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
pub(super) fn bounds(scratch: &OverlayScratch, pen: &mut Pen<'_>) {
    let unit = pen.unit;
    let boxes = || {
        let points = |placed: &Placed| scratch.points.get(placed.points.clone());
        let points = scratch.placed.iter().filter_map(points);
        points.filter_map(around)
    };
    for (min, max) in boxes() {
        halo_frame(min, max, unit, Ink::Box, pen);
    }
    let all = boxes()
        .reduce(|([a, b], [c, d]), ([e, f], [g, h])| ([a.min(e), b.min(f)], [c.max(g), d.max(h)]));
    if let Some((min, max)) = all {
        halo_frame(min, max, 2.0 * unit, Ink::FrameBox, pen);
    }
}

fn halo_frame(min: Point, max: Point, width: f32, ink: Ink, pen: &mut Pen<'_>) {
    pen.frame(min, max, width + 2.0 * pen.unit, Ink::FaintHalo);
    pen.frame(min, max, width, ink);
}

/// Returns the box around the finite points, if there are any.
fn around(points: &[Point]) -> Option<(Point, Point)> {
    let finite = points
        .iter()
        .filter(|[x, y]| x.is_finite() && y.is_finite());
    finite.fold(None, |bounds, [x, y]| {
        let ([x0, y0], [x1, y1]) = bounds.unwrap_or(([*x, *y], [*x, *y]));
        Some(([x0.min(*x), y0.min(*y)], [x1.max(*x), y1.max(*y)]))
    })
}
