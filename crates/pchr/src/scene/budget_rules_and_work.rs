//! Limits of drawing: budgets that a project sets for sizes of files and costs of drawing them, and the amount of drawing in a frame,
//! counted before it is drawn.

use super::{Bounds, Camera2d, Crowded, Frame, Subject};
use crate::finding::rules;

rules! {
    /// A budget that a subject exceeds, in a file of any format.
    BudgetRule "BUDGET"

    /// The meshes have at most so many vertices together.
    Vertices = Error "001" "budget-vertices",
        example: "meshes[3]: 5112 vertices, budget 4000: 1112 too many; \"body\" has 900",
        advice: "Simplify the largest meshes, or split the character.";
    /// There are at most so many bones.
    Bones = Error "002" "budget-bones",
        example: "bones: 96 bones, budget 80: 16 too many",
        advice: "Remove bones that move nothing, or merge chains.";
    /// No frame needs more draws: one for each run of meshes with the same image.
    Draws = Error "003" "budget-draws",
        example: "animations[2].frames[7]: 15 draws, budget 12: 3 too many, in \"walk\" on frame 7",
        advice: "Put the images into one atlas, or keep meshes of one image together in the draw order.";
    /// No image is wider or higher.
    Atlas = Error "004" "budget-atlas",
        example: "images[0]: 4096x2048, budget 2048x2048",
        advice: "Export a smaller atlas, or several.";
    /// Images, vertices and indices take at most so many bytes on a graphics device.
    Memory = Error "005" "budget-memory",
        example: "images: 17.25 MB, budget 16.00 MB: 1.25 MB too many",
        advice: "Export a smaller atlas: it takes 4 bytes a pixel, transparent or not.";
    /// In no frame does a covered pixel have more layers on average.
    Overdraw = Error "006" "budget-overdraw",
        example: "animations[2].frames[7]: overdraw 3.41, budget 3, in \"walk\" on frame 7",
        advice: "Cut meshes closer to their opaque pixels, and hide what others cover.";
    /// Overdraw is measured at every moment of the animations, unless there are thousands, or the file is very large.
    Sampled = Note "007" "budget-sampled",
        example: "animations: overdraw was measured at 1 moment of every 6, 1000 in all",
        advice: "Split the file to have each of its moments measured.";
}

/// Pixels that may be drawn in a picture of any size: about three seconds of one thread.
const EVERY_PICTURE: u64 = 1 << 29;

/// Average number of times that each pixel of a large picture may be coloured.
const EVERY_PIXEL: u64 = 32;

/// Pixels that take as long as a triangle of a crowd takes beside its own. Of one figure there are not enough triangles to matter.
const EVERY_TRIANGLE: u64 = 16;

/// Triangles of figures in sight that are measured one by one. Of more figures each is small in the picture.
const MEASURED: usize = 1 << 21;

/// A frame takes more work than is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} {} million pixels, about {} times the picture, expected at most {} million in a frame of this size{}",
    if *figures > 1 { format!("the {figures} figures in sight take as long as") } else { "the triangles cover".to_owned() },
    covered / 1_000_000,
    covered.checked_div(*pixels).unwrap_or(0),
    most / 1_000_000,
    if *figures > 1 { "; show fewer" } else { "" }
)]
pub struct TooMuchWork {
    /// Pixels that the triangles cover, counted for each triangle separately; of a crowd also those that take as long as its triangles.
    pub covered: u64,
    /// Pixels of the picture.
    pub pixels: u64,
    /// Maximum number of pixels that may be covered: 2^29, or 32 times the picture's own if that is more, shared among its frames.
    pub most: u64,
    /// Figures in sight; 1 unless it is a crowd.
    pub figures: usize,
}

/// Checks that a frame can be drawn in reasonable time. A small file can have thousands of triangles that each cover the picture.
#[derive(Clone, Copy, Debug)]
pub struct WorkJob<'a> {
    /// The subject.
    pub subject: &'a dyn Subject,
    /// Frame to be drawn; of a crowd, that of one of its figures.
    pub frame: &'a Frame,
    /// Placement of the world in the picture.
    pub camera: &'a Camera2d,
    /// Width and height of the picture in pixels.
    pub size: [u32; 2],
    /// Number of frames that are drawn for the picture, with its ghosts. Each may take an equal part of the work.
    pub frames: u32,
}

impl WorkJob<'_> {
    /// Counts the pixels that the triangles cover, but only if there are enough triangles to exceed the limit. Figures of a crowd are taken
    /// to be like the one of the frame. Whole triangles are counted first, times the figures in sight; if they are too much, and at most
    /// 2^21 in sight, what of them lies within the picture, figure by figure. `points` is reused memory.
    ///
    /// # Errors
    /// [`TooMuchWork`] if they cover more than their part of 2^29 pixels, and of 32 times the picture's own.
    pub fn run(&self, points: &mut Vec<[f32; 2]>) -> Result<(), TooMuchWork> {
        let [width, height] = self.size.map(u64::from);
        let pixels = width.saturating_mul(height);
        let most = EVERY_PICTURE.max(pixels.saturating_mul(EVERY_PIXEL));
        let most = most.checked_div(self.frames.into()).unwrap_or(most);
        let draws = self.frame.draws().iter();
        let meshes = draws.filter_map(|draw| self.subject.mesh(draw.mesh));
        let triangles: usize = meshes.clone().map(|mesh| mesh.index_count() / 3).sum();
        let crowd = self.subject.crowd();
        let origins: Vec<[f32; 2]> =
            crowd.map_or_else(Vec::new, |crowd| self.seen(crowd).collect());
        let figures = if crowd.is_some() { origins.len() } else { 1 };
        let all = crowd.map_or(1, |crowd| crowd.origins().len()) as u64;
        if (triangles as u64).saturating_mul(pixels.max(EVERY_TRIANGLE)).saturating_mul(all) <= most
        {
            return Ok(());
        }
        let screen_from_world = self.camera.screen_from_world(self.size);
        let mut covered_by = |pixels_of: &dyn Fn([[f32; 2]; 3]) -> f64| {
            let mut covered = 0.0;
            for mesh in meshes.clone() {
                points.clear();
                self.frame.project(&mesh, &screen_from_world, points);
                let mut indices = mesh.indices();
                let mut next = || points.get(usize::from(indices.next()?)).copied();
                while let (Some(a), Some(b), Some(c)) = (next(), next(), next()) {
                    covered += pixels_of([a, b, c]);
                }
            }
            // Figures out of sight are posed and placed, too.
            let placed = crowd.map_or(0, |_| EVERY_TRIANGLE * triangles as u64).saturating_mul(all);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "the cast saturates"
            )]
            placed.saturating_add(covered as u64)
        };
        let mut covered = covered_by(&|triangle| area(triangle) * figures as f64);
        if covered > most && triangles.saturating_mul(figures) <= MEASURED {
            let [[scale_x, ..], [_, scale_y, ..]] = screen_from_world;
            let moved = origins.iter().map(|[x, y]| [x * scale_x, y * scale_y]);
            let moved: Vec<_> = if crowd.is_some() { moved.collect() } else { vec![[0.0; 2]] };
            covered = covered_by(&|triangle| {
                let at = |by: &[f32; 2]| triangle.map(|[x, y]| [x + by[0], y + by[1]]);
                moved.iter().map(|by| share(at(by), self.size)).sum()
            });
        }
        if covered <= most {
            return Ok(());
        }
        Err(TooMuchWork { covered, pixels, most, figures })
    }

    /// Returns the origins of the figures that may be seen.
    fn seen<'c>(&self, crowd: &'c dyn Crowded) -> impl Iterator<Item = [f32; 2]> + use<'c> {
        let Bounds { min, max } =
            crowd.bounds_of_one().unwrap_or(Bounds { min: [0.0; 2], max: [0.0; 2] });
        let [[scale_x, _, x, _], [_, scale_y, y, _]] = self.camera.screen_from_world(self.size);
        let [width, height] = self.size.map(f64::from);
        let meets = |sides: [f32; 2], scale: f32, offset: f32, length: f64| {
            let [a, b] = sides.map(|side| f64::from(side * scale + offset));
            a.max(b) > 0.0 && a.min(b) < length
        };
        let is_seen = move |[at_x, at_y]: &[f32; 2]| {
            meets([min[0] + at_x, max[0] + at_x], scale_x, x, width)
                && meets([min[1] + at_y, max[1] + at_y], scale_y, y, height)
        };
        crowd.origins().iter().copied().filter(is_seen)
    }
}

/// Returns the pixels of the picture that a triangle may colour: its area, or the part of its bounding box within the picture if
/// that is less. A triangle with a corner that is not finite is not drawn.
fn share(corners: [[f32; 2]; 3], [width, height]: [u32; 2]) -> f64 {
    let area = area(corners);
    if area == 0.0 {
        return 0.0;
    }
    let [a, b, c] = corners.map(|corner| corner.map(f64::from));
    let side = |[a, b, c]: [f64; 3], length: u32| {
        let inside = |at: f64| at.clamp(0.0, length.into());
        inside(a.max(b).max(c)) - inside(a.min(b).min(c))
    };
    let columns = side([a[0], b[0], c[0]], width);
    let rows = side([a[1], b[1], c[1]], height);
    area.min(columns * rows)
}

/// Returns the area of a triangle; 0 for one with a corner that is not finite.
fn area(corners: [[f32; 2]; 3]) -> f64 {
    let [a, b, c] = corners.map(|corner| corner.map(f64::from));
    let area = ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs() / 2.0;
    if area.is_finite() { area } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the upper left half of a square.
    fn half(left: f32, top: f32, side: f32) -> [[f32; 2]; 3] {
        [[left, top], [left + side, top], [left, top + side]]
    }

    #[test]
    fn a_triangle_counts_with_what_it_may_colour() {
        let share = |corners| share(corners, [100, 50]);
        assert_eq!(share(half(0.0, 0.0, 10.0)), 50.0);
        assert_eq!(share(half(90.0, 40.0, 1000.0)), 100.0, "cut at both sides");
        assert_eq!(share(half(-20.0, 0.0, 10.0)), 0.0, "beside it");
        assert_eq!(share(half(-9e6, -9e6, 6e7)), 5000.0, "around it");
        assert_eq!(share([[7.0, 7.0]; 3]), 0.0);
        assert_eq!(share([[f32::NAN, 0.0], [9.0, 0.0], [0.0, 9.0]]), 0.0);
    }
}
