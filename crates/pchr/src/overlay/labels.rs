//! Text beside joints and on meshes.

use super::atlas::{BASELINE, GLYPH_SIZE, Lettering, face, glyph, lit_rows, rimmed};
use super::colors::Ink;
use super::letters::NamePiece;
use super::options::Layer;
use super::pen::{Pen, Point};
use super::{LabelPlaces, Numbered, OverlayJob, OverlayScratch, Placed};
use crate::document::{BoneId, MeshId};

/// Maximum number of squares along the picture's longer side.
const MOST_SQUARES: f32 = 512.0;
/// Least side of a square in design pixels.
const SQUARE: f32 = 4.0;

impl LabelPlaces {
    pub(super) fn clear(&mut self, size: Point, unit: f32) {
        let [width, height] = size;
        self.square = (width.max(height) / MOST_SQUARES).max(SQUARE * unit).ceil();
        let [columns, rows] = size.map(|side| whole((side / self.square).ceil()));
        self.columns = columns;
        self.taken.clear();
        self.taken.resize(columns * rows, false);
    }

    /// Occupies a rectangle. Returns false, and occupies nothing, if it leaves the picture or part of it is occupied.
    pub(super) fn take(&mut self, [x0, y0]: Point, [x1, y1]: Point) -> bool {
        if !(x0 >= 0.0 && y0 >= 0.0) {
            return false;
        }
        let [left, top] = [x0, y0].map(|c| whole(c / self.square));
        let [right, bottom] = [x1, y1].map(|c| {
            let squares = c / self.square;
            let whole = whole(squares);
            whole.saturating_add(usize::from(squares > whole as f32))
        });
        let rows = self.taken.len().checked_div(self.columns).unwrap_or(0);
        if right > self.columns || bottom > rows {
            return false;
        }
        let columns = self.columns;
        let row = |y: usize| y * columns + left..y * columns + right;
        let free = |y: usize| {
            let squares = self.taken.get(row(y)).unwrap_or_default();
            squares.iter().all(|taken| !taken)
        };
        if !(top..bottom).all(free) {
            return false;
        }
        for y in top..bottom {
            self.taken.get_mut(row(y)).unwrap_or_default().fill(true);
        }
        true
    }
}

/// Rounds down to a whole number that is not negative; 0 if that is impossible.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
fn whole(number: f32) -> usize {
    number as usize
}

/// Space beside a name, and above and below it, in design pixels.
const ROOM: Point = [4.0, 1.0];

/// Returns the width of a text in design pixels.
pub(super) fn width(text: impl Iterator<Item = char>) -> f32 {
    let [width, _] = GLYPH_SIZE;
    text.count() as f32 * f32::from(width)
}

/// Draws the layers of text: the numbers of meshes, then the names, in the places that are left. Needs the joints and the placed meshes of
/// the layers before it.
pub(super) fn draw_layers(job: &OverlayJob<'_>, scratch: &mut OverlayScratch, pen: &mut Pen<'_>) {
    if job.options.has(Layer::Order) {
        order(job.options.mesh, scratch, pen);
    }
    if job.options.has(Layer::Names) && job.frame.pose().is_skinned() {
        let OverlayScratch { joints, places, .. } = scratch;
        let ids = (0..=u16::MAX).map(BoneId).take(joints.len());
        let joint = |id: BoneId| joints.get(id.index()).copied();
        bone_names(job, ids, joint, places, pen);
    }
    if has_mesh_names(job) {
        mesh_names(job, scratch, pen);
    }
}

/// Returns true if the names are those of meshes.
pub(super) fn has_mesh_names(job: &OverlayJob<'_>) -> bool {
    job.options.has(Layer::Names) && job.subject.bone_count() == 0
}

/// Draws the bones' names beside their joints, the selected bone's first. A name without room is left out.
pub(super) fn bone_names(
    job: &OverlayJob<'_>,
    ids: impl Iterator<Item = BoneId>,
    joint: impl Fn(BoneId) -> Option<Point>,
    places: &mut LabelPlaces,
    pen: &mut Pen<'_>,
) {
    let chosen = job.options.bone;
    let others = ids.filter(|id| Some(*id) != chosen);
    for id in chosen.into_iter().chain(others) {
        if let (Some(bone), Some(at)) = (job.subject.bone(id), joint(id)) {
            let lettering = Lettering::new(job.options.light, Some(id) == chosen);
            beside((bone.name(), lettering), at, places, pen);
        }
    }
}

/// Draws a name beside a visible joint, if there is room for it.
fn beside(name: (&str, Lettering), [x, y]: Point, places: &mut LabelPlaces, pen: &mut Pen<'_>) {
    let [wide, high] = label_size(name, pen);
    let (gap, half) = (6.0 * pen.unit, high / 2.0);
    let [right, left] = [x + gap, x - gap - wide];
    // Clear of a name on either side.
    let [above, below] = [y - half - gap - high, y + half + gap];
    let corners = [
        [right, y - half],
        [left, y - half],
        [x - wide / 2.0, above],
        [x - wide / 2.0, below],
        [right, above],
        [right, below],
        [left, above],
        [left, below],
    ];
    if pen.sees([x, y], [x, y]) {
        label(name, &corners, places, pen);
    }
}

/// Draws the names of the drawn meshes, in the middle of each or slightly aside, the topmost first.
fn mesh_names(job: &OverlayJob<'_>, scratch: &mut OverlayScratch, pen: &mut Pen<'_>) {
    let OverlayScratch { points, placed, places, .. } = scratch;
    for placed in placed.iter().rev() {
        let mesh = job.subject.mesh(placed.mesh);
        let middle = points.get(placed.points.clone()).and_then(mean);
        let (Some(mesh), Some([x, y])) = (mesh, middle) else { continue };
        let is_chosen = job.options.mesh == Some(placed.mesh);
        let name = (mesh.name(), Lettering::new(job.options.light, is_chosen));
        let [wide, high] = label_size(name, pen);
        let (left, gap) = (x - wide / 2.0, 6.0 * pen.unit);
        let corners =
            [[left, y - high / 2.0], [left, y - gap - 2.0 * high], [left, y + gap + high]];
        if pen.sees([x, y], [x, y]) {
            label(name, &corners, places, pen);
        }
    }
}

/// Returns the width and height of a name in pixels.
fn label_size((name, lettering): (&str, Lettering), pen: &Pen<'_>) -> Point {
    let high = f32::from(BASELINE) * pen.unit;
    let wide = match piece(name, lettering, pen) {
        Some(piece) => piece.size[0] - 2.0 * pen.unit,
        None => width(name.chars()) * pen.unit,
    };
    [wide, high]
}

/// Returns the picture of a name that the built-in font cannot write.
fn piece(name: &str, lettering: Lettering, pen: &Pen<'_>) -> Option<NamePiece> {
    pen.letters?.piece(name, lettering.is_chosen)
}

/// Draws a name at the first of the corners that has room.
fn label(
    (name, lettering): (&str, Lettering),
    corners: &[Point],
    places: &mut LabelPlaces,
    pen: &mut Pen<'_>,
) {
    let [wide, high] = label_size((name, lettering), pen);
    let [aside, above] = ROOM.map(|room| room * pen.unit);
    for corner in corners.iter().filter(|_| !name.is_empty()) {
        let corner = corner.map(f32::floor);
        let [left, top] = corner;
        let first = [left - aside, top - above];
        if places.take(first, [left + wide + aside, top + high + above]) {
            // Letters stand above the lowest rows of their cells.
            let raised = [left, top - pen.unit];
            match piece(name, lettering, pen) {
                Some(piece) => picture(piece, raised, pen),
                None => outlined(name.chars(), raised, lettering, pen),
            }
            break;
        }
    }
}

/// Draws the picture of a name; `[x, y]` is the upper left corner of its first cell, on whole pixels.
fn picture(piece: NamePiece, [x, y]: Point, pen: &mut Pen<'_>) {
    let [wide, high] = piece.size;
    let left = x - pen.unit;
    // Letters stand below the row of the base line.
    let top = y + f32::from(BASELINE + 1) * pen.unit - piece.baseline;
    pen.image([[left, top], [left + wide, top + high]], piece.texels);
}

/// Draws text with a rim; `[x, y]` is its upper left corner, on whole pixels. Each rim covers the empty last column of the letter
/// before.
pub(super) fn outlined(
    text: impl Iterator<Item = char>,
    [x, y]: Point,
    lettering: Lettering,
    pen: &mut Pen<'_>,
) {
    let unit = pen.unit;
    let [wide, _] = GLYPH_SIZE.map(|side| f32::from(side) * unit);
    let mut left = x;
    for character in text {
        let glyph = glyph(character);
        let rows = lit_rows(glyph);
        if !rows.is_empty() {
            // Only the rows that show something, of a cell that is one texel larger on each side.
            let [first, last] = [rows.start, rows.end + 2].map(f32::from);
            let [[u0, v0], [u1, _]] = rimmed(glyph, lettering);
            let [top, bottom] = [first, last].map(|row| y + (row - 1.0) * unit);
            let corners = [[left - unit, top], [left + wide + unit, bottom]];
            pen.image(corners, [[u0, v0 + first], [u1, v0 + last]]);
        }
        left += wide;
    }
}

/// Draws text; `[x, y]` is its upper left corner, on whole pixels.
fn plain(text: impl Iterator<Item = char>, [x, y]: Point, pen: &mut Pen<'_>) {
    let [wide, high] = GLYPH_SIZE.map(|side| f32::from(side) * pen.unit);
    let mut left = x;
    for character in text {
        pen.image([[left, y], [left + wide, y + high]], face(glyph(character)));
        left += wide;
    }
}

/// Offsets to try for a number if the middle of its mesh is occupied, in pills: the squares of rings, the nearest first.
fn aside() -> impl Iterator<Item = Point> {
    const APART: f32 = 1.1;
    let rings = (0..=3_i8).map(|ring| (ring, -ring..=ring));
    rings.flat_map(|(ring, range)| {
        let squares = range.clone().flat_map(move |y| range.clone().map(move |x| [x, y]));
        let on_ring = move |square: &[i8; 2]| square.iter().any(|c| c.abs() == ring);
        squares.filter(on_ring).map(|square| square.map(|c| APART * f32::from(c)))
    })
}

/// Draws the number of each mesh in draw order, in the middle of its vertices or aside. A number without room is left out.
fn order(chosen: Option<MeshId>, scratch: &mut OverlayScratch, pen: &mut Pen<'_>) {
    let unit = pen.unit;
    let OverlayScratch { points, placed, places, numbers, .. } = scratch;
    numbers.clear();
    // The selected mesh chooses first, then the topmost ones.
    let numbered = placed.iter().enumerate().rev();
    let is_chosen = |placed: &Placed| Some(placed.mesh) == chosen;
    let first = numbered.clone().filter(|(_, placed)| is_chosen(placed));
    let others = numbered.filter(|(_, placed)| !is_chosen(placed));
    for (number, placed) in first.chain(others) {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let middle = points.get(placed.points.clone()).and_then(mean);
        let Some(middle) = middle.filter(|middle| pen.sees(*middle, *middle)) else { continue };
        let size = pill_size(number, unit);
        let mut corners = aside().map(|by| corner(middle, size, by));
        let found = corners.find(|[left, top]| {
            let [wide, high] = size;
            places.take([*left, *top], [left + wide, top + high])
        });
        numbers.extend(found.map(|at| Numbered { number, middle, at }));
    }
    for Numbered { number, middle, at } in numbers.iter().rev() {
        let (size, [left, top]) = (pill_size(*number, unit), *at);
        if *at != corner(*middle, size, [0.0; 2]) {
            let [wide, high] = size;
            let pill = [left + wide / 2.0, top + high / 2.0];
            pen.line(*middle, pill, 3.0 * unit, 0.0, Ink::Pill);
            pen.line(*middle, pill, unit, 0.0, Ink::Joint);
        }
    }
    for Numbered { number, at, .. } in numbers.iter().rev() {
        pill(*number, *at, pen);
    }
}

fn pill_size(number: u32, unit: f32) -> Point {
    [width(digits(number)) + 5.0, 13.0].map(|side| side * unit)
}

/// Returns the corner of a pill around a point, moved aside by a number of pills, on whole pixels.
fn corner([x, y]: Point, [wide, high]: Point, [right, down]: Point) -> Point {
    [x - wide / 2.0 + right * wide, y - high / 2.0 + down * high].map(f32::floor)
}

fn pill(number: u32, [left, top]: Point, pen: &mut Pen<'_>) {
    let unit = pen.unit;
    let [wide, high] = pill_size(number, unit);
    let (right, bottom, cut) = (left + wide, top + high, 2.0 * unit);
    pen.polygon(
        [
            [left + cut, top],
            [right - cut, top],
            [right, top + cut],
            [right, bottom - cut],
            [right - cut, bottom],
            [left + cut, bottom],
            [left, bottom - cut],
            [left, top + cut],
        ],
        Ink::Pill,
    );
    plain(digits(number), [left + 3.0 * unit, top], pen);
}

fn digits(number: u32) -> impl Iterator<Item = char> {
    let powers = (0..10).rev().map(|power| 10_u32.pow(power));
    let shown = move |power: &u32| *power == 1 || *power <= number;
    powers.filter(shown).filter_map(move |power| char::from_digit(number / power % 10, 10))
}

/// Returns the mean of the finite points.
fn mean(points: &[Point]) -> Option<Point> {
    let finite = points.iter().filter(|[x, y]| x.is_finite() && y.is_finite());
    let (count, x, y) = finite.fold((0.0, 0.0, 0.0), |(count, sum_x, sum_y), [x, y]| {
        (count + 1.0, sum_x + f64::from(*x), sum_y + f64::from(*y))
    });
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
    let mean = [x / count, y / count].map(|c: f64| c as f32);
    (count > 0.0).then_some(mean)
}
