//! The ground through the world's origin, and the origin's axes.

use glam::DVec3;

use super::super::atlas::{GLYPH_SIZE, Lettering};
use super::super::colors::{Ink, Scale, step};
use super::super::grid::{GridLine, Length, label};
use super::super::labels::outlined;
use super::super::pen::{Pen, Point, direction, offset, turned};
use super::super::{LabelPlaces, SpaceScratch};
use super::SpaceStage;
use crate::scene::UpAxis;

/// Least distance of lines at the target in design pixels. The greatest is 2.5 times that.
const BETWEEN: f64 = 28.0;
/// Maximum number of lines on each side of the middle.
const MOST_LINES: u16 = 80;
/// Radius of the ground, as a fraction of the picture's longer side.
const RADIUS: f64 = 0.62;
/// Parts of a line, each drawn in one tone.
const PARTS: u8 = 14;
/// Distances between lines, in design pixels, at which they begin to fade and at which they are gone. A ground seen edge-on is one
/// line.
const CROWDED: [f64; 2] = [9.0, 3.0];
/// Least visible strength of a line.
const SEEN: f64 = 0.15;
/// Length of the mark of a line seen end-on, in design pixels.
const TICK: f32 = 5.0;

/// Lines of one direction.
#[derive(Clone, Copy, Debug)]
struct GroundLines {
    /// Direction of the lines.
    along: DVec3,
    /// Direction from line to line.
    across: DVec3,
    /// The middle of the ground, along and across.
    middle: [f64; 2],
    /// Colour of the line through the origin.
    axis: Scale,
}

/// Draws a grid around the target, and labels the line distance at the pair of lines that are closest on the screen.
pub(super) fn draw(stage: &mut SpaceStage<'_>, places: &mut LabelPlaces) {
    let length = Length::at_least(BETWEEN * stage.unit / stage.view.zoom());
    let [_, x, y] = stage.ground();
    let target = DVec3::from(stage.camera.target);
    let [at_x, at_y] = [x, y].map(|axis| axis.dot(target));
    let second = match stage.camera.up {
        UpAxis::Z => Scale::AxisY,
        UpAxis::Y | UpAxis::Unknown => Scale::AxisZ,
    };
    let along_x = GroundLines { along: x, across: y, middle: [at_x, at_y], axis: Scale::AxisX };
    let along_y = GroundLines { along: y, across: x, middle: [at_y, at_x], axis: second };
    // The axis that is seen from its end lies over the other.
    let seen = [GridLine::Minor, GridLine::Major, GridLine::Axis].map(|kind| {
        let of_x = lines(stage, along_x, kind, length);
        let of_y = lines(stage, along_y, kind, length);
        of_x || of_y
    });
    let unit = stage.spatial.unit();
    let shown = match seen {
        [true, ..] => length,
        [_, true, _] => length.major(),
        _ => return,
    };
    label(shown.text(unit), stage.job, places, &mut stage.pen);
}

/// Draws lines of one kind; returns true if any is seen in the picture.
fn lines(stage: &mut SpaceStage<'_>, lines: GroundLines, kind: GridLine, length: Length) -> bool {
    let spacing = length.units();
    let [width, height] = stage.pen.size.map(f64::from);
    let radius = width.max(height) * RADIUS / stage.view.zoom();
    let radius = radius.min(spacing * f64::from(MOST_LINES));
    let [_, middle] = lines.middle;
    let first = ((middle - radius) / spacing).ceil();
    let last = ((middle + radius) / spacing).floor();
    if !(first.is_finite() && last.is_finite()) {
        return false;
    }
    let (clear, ticks) = clearness(stage, lines, spacing, kind, length.lines());
    if clear <= 0.0 && !ticks {
        return false;
    }
    let mut seen = false;
    let mut number = first;
    for _ in 0..=2 * MOST_LINES {
        if number > last {
            break;
        }
        if GridLine::new(number, length.lines()) == kind {
            let at = number * spacing;
            seen |= if ticks {
                tick(stage, lines, at, radius, kind)
            } else {
                line(stage, lines, at, radius, kind, clear)
            };
        }
        number += 1.0;
    }
    seen
}

/// Returns the clearness of lines, 0..=1, so that dense ones fade, and true if they are seen end-on.
fn clearness(
    stage: &SpaceStage<'_>,
    lines: GroundLines,
    spacing: f64,
    kind: GridLine,
    majors: f64,
) -> (f64, bool) {
    let [along, across] = lines.middle;
    let middle = lines.along * along + lines.across * across;
    let at = |place: DVec3| stage.view.screen(stage.view.see(place));
    let (Some([x, y]), Some([x1, y1]), Some([x2, y2])) =
        (at(middle), at(middle + lines.along * spacing), at(middle + lines.across * spacing))
    else {
        return (1.0, false);
    };
    let ([ax, ay], [bx, by]) = ([x1 - x, y1 - y], [x2 - x, y2 - y]);
    let length = (ax * ax + ay * ay).sqrt();
    if length < 1e-3 * stage.unit {
        return (1.0, true);
    }
    let gap = (ax * by - ay * bx).abs() / length / stage.unit;
    let gap = match kind {
        GridLine::Minor => gap,
        GridLine::Major => gap * majors,
        GridLine::Axis => return (1.0, false),
    };
    let [full, none] = CROWDED;
    (((gap - none) / (full - none)).clamp(0.0, 1.0), false)
}

/// Draws a piece of a line: its light and its dark half side by side, or that of an axis.
fn piece(
    [from, to]: [Point; 2],
    lines: GroundLines,
    kind: GridLine,
    strength: f64,
    pen: &mut Pen<'_>,
) {
    let [light, dark] = match kind {
        GridLine::Minor => [Scale::MinorLight, Scale::MinorDark],
        GridLine::Major => [Scale::MajorLight, Scale::MajorDark],
        GridLine::Axis => {
            let width = 1.6 * pen.unit;
            return pen.line(from, to, width, 0.0, lines.axis.at(strength));
        }
    };
    let Some((along, _)) = direction(from, to) else { return };
    // The dark one is the lower one.
    let across = match turned(along) {
        [x, y] if x + 2.0 * y < 0.0 => [-x, -y],
        down => down,
    };
    let half = pen.unit / 2.0;
    for (scale, aside) in [(dark, half), (light, -half)] {
        let [from, to] = [from, to].map(|end| offset(end, across, aside));
        pen.line(from, to, pen.unit, 0.0, scale.at(strength));
    }
}

/// Returns the strength at a part of the ground's radius.
fn strength(part: f64) -> f64 {
    (1.0 - part * part).max(0.0)
}

/// Returns true if a part of a line is visible in the picture.
fn is_seen([from, to]: [Point; 2], strength: f64, pen: &Pen<'_>) -> bool {
    let within = |axis: usize| {
        let of = |point: &Point| point.get(axis).copied().unwrap_or(-1.0);
        let (low, high) = (of(&from).min(of(&to)), of(&from).max(of(&to)));
        high > 0.0 && pen.size.get(axis).is_some_and(|size| low < *size)
    };
    strength >= SEEN && within(0) && within(1)
}

/// Draws a line; returns true if it is visible in the picture.
fn line(
    stage: &mut SpaceStage<'_>,
    lines: GroundLines,
    at: f64,
    radius: f64,
    kind: GridLine,
    clear: f64,
) -> bool {
    let mut seen = false;
    let [along, across] = lines.middle;
    let aside = (at - across) / radius;
    let half = (1.0 - aside * aside).max(0.0).sqrt();
    let place = |part: f64| lines.along * (along + part * radius) + lines.across * at;
    let cut = |part: u8| (f64::from(part) / f64::from(PARTS) * 2.0 - 1.0) * half;
    let strength_of = |part: u8| {
        let middle = (cut(part) + cut(part + 1)) / 2.0;
        strength((middle * middle + aside * aside).sqrt()) * clear
    };
    let mut part = 0;
    while part < PARTS {
        // Parts in the same tone are drawn as one.
        let strength = strength_of(part);
        let mut others = part + 1..PARTS;
        let end = others.find(|other| step(strength_of(*other)) != step(strength)).unwrap_or(PARTS);
        let [from, to] = [part, end].map(|part| stage.view.see(place(cut(part))));
        part = end;
        if step(strength) == 0 {
            continue;
        }
        if let Some(ends) = stage.part(from, to) {
            piece(ends, lines, kind, strength, &mut stage.pen);
            seen |= is_seen(ends, strength, &stage.pen);
        }
    }
    seen
}

/// Draws the mark of a line seen end-on; returns true if it is visible in the picture.
fn tick(
    stage: &mut SpaceStage<'_>,
    lines: GroundLines,
    at: f64,
    radius: f64,
    kind: GridLine,
) -> bool {
    let [along, across] = lines.middle;
    let place = lines.along * along + lines.across * at;
    let Some([x, y]) = stage.place(stage.view.see(place)) else { return false };
    let unit = stage.pen.unit;
    let long = match kind {
        GridLine::Minor => TICK,
        GridLine::Major | GridLine::Axis => 2.0 * TICK,
    };
    let ends = [[x, y], [x, y + long * unit]];
    let strength = strength((at - across) / radius);
    piece(ends, lines, kind, strength, &mut stage.pen);
    is_seen(ends, strength, &stage.pen)
}

/// Draws lines from points down to the ground.
pub(super) fn drops(stage: &mut SpaceStage<'_>, space: &SpaceScratch) {
    let [up, ..] = stage.ground();
    let unit = stage.pen.unit;
    let worlds = &stage.job.frame.spatial().worlds;
    for (joint, world) in space.joints.iter().zip(worlds) {
        if !joint.placed {
            continue;
        }
        let place = world.translation;
        let foot = stage.view.see(place - up * up.dot(place));
        stage.line(joint.seen, foot, 3.0 * unit, Ink::FaintHalo);
        stage.line(joint.seen, foot, unit, Scale::MajorLight.at(0.8));
        if let Some(at) = stage.place(foot) {
            stage.pen.dot(at, 1.8 * unit, Ink::FaintHalo);
            stage.pen.dot(at, 1.2 * unit, Scale::MajorLight.at(1.0));
        }
    }
}

/// Length of an axis including its arrow, in design pixels.
const LENGTH: f64 = 52.0;

/// Draws three arrows with letters, the nearest last.
pub(super) fn draw_origin(stage: &mut SpaceStage<'_>) {
    let origin = stage.view.see(DVec3::ZERO);
    let Some(scale) = stage.scale_at(origin) else { return };
    let length = LENGTH * stage.unit / scale;
    let mut arrows = [
        (DVec3::X, Scale::AxisX, 'X'),
        (DVec3::Y, Scale::AxisY, 'Y'),
        (DVec3::Z, Scale::AxisZ, 'Z'),
    ]
    .map(|(axis, scale, letter)| (stage.view.see_direction(axis), scale, letter));
    arrows.sort_by(|(a, ..), (b, ..)| a.z.total_cmp(&b.z));
    let unit = stage.pen.unit;
    for (way, scale, letter) in arrows {
        let (Some(from), Some(to)) = (stage.place(origin), stage.place(origin + way * length))
        else {
            continue;
        };
        let ink = scale.at(1.0);
        let pointing = direction(from, to).filter(|(_, length)| *length > 12.0 * unit);
        let Some((along, reach)) = pointing else {
            // It points at the camera, or away.
            stage.pen.dot(to, 4.4 * unit, Ink::Halo);
            stage.pen.dot(to, 3.2 * unit, ink);
            continue;
        };
        let across = turned(along);
        for (rim, halo) in [(unit, true), (0.0, false)] {
            let barb = offset(from, along, reach - 10.0 * unit - rim);
            let wide = 4.2 * unit + 1.6 * rim;
            let head = [
                offset(barb, across, wide),
                offset(to, along, 2.2 * rim),
                offset(barb, across, -wide),
            ];
            let shaft = offset(from, along, reach - 9.0 * unit);
            let width = 2.0 * unit + 2.0 * rim;
            if halo {
                stage.pen.line(from, shaft, width, rim, Ink::Halo);
                stage.pen.polygon(head, Ink::Halo);
            } else {
                stage.pen.line(from, shaft, width, rim, ink);
                stage.pen.polygon(head, ink);
            }
        }
        let [wide, high] = GLYPH_SIZE.map(|side| f32::from(side) * unit);
        let [x, y] = offset(to, along, 9.0 * unit);
        let corner = [x - wide / 2.0, y - high / 2.0].map(|c| (c + 0.5).floor());
        let lettering = Lettering::new(stage.job.options.light, false);
        outlined(std::iter::once(letter), corner, lettering, &mut stage.pen);
    }
}
