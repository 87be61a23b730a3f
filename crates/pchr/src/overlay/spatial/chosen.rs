//! The selected bone, drawn over everything else.

use super::super::ink::Ink;
use super::super::space::{Part, SpaceScratch};
use super::super::tone::Scale;
use super::axes;
use super::bones::{radius, solid};
use super::stage::{Stage, pixels};
use crate::document::BoneId;

/// Draws the outlines of all parts that begin at a bone, and its axes.
pub(super) fn draw(stage: &mut Stage<'_>, chosen: BoneId, space: &SpaceScratch) {
    let Some(joint) = space.joint(chosen) else {
        return;
    };
    let all = space.pieces.iter().map(|piece| piece.part);
    let unit = stage.pen.unit;
    for part in all {
        let of = match part {
            Part::Bone(id) => space.joint(id).and_then(|joint| joint.parent),
            Part::Tip(id) => Some(id),
            Part::Joint(_) => None,
        };
        if of != Some(chosen) {
            continue;
        }
        let Some((_, solid)) = solid(stage, space, part, Some(chosen)) else {
            continue;
        };
        let Some(outline) = solid.outline(stage) else {
            continue;
        };
        for [from, to] in outline.sides() {
            stage.pen.line(from, to, 3.6 * unit, 1.2 * unit, Ink::Halo);
        }
        for [from, to] in outline.sides() {
            let ink = Scale::Accent.at(0.75);
            stage.pen.line(from, to, 1.6 * unit, 0.6 * unit, ink);
        }
    }
    axes::of_bone(stage, chosen, joint);
    if let Some(at) = stage.place(joint.seen) {
        let radius = pixels(radius(stage, joint));
        stage.pen.dot(at, radius + 1.1 * unit, Ink::Halo);
        stage.pen.dot(at, radius, Scale::Accent.at(0.9));
    }
}
