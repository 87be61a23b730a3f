//! Finds the changes between both sides of a comparison, and measures their pictures, on a thread.

use std::sync::Arc;
use std::sync::mpsc::{self, Sender};

use pchr::compare::{Difference, Tolerance};
use pchr::image::{Levels, Pixels, unpremultiply};
use pchr::raster::{Raster, RasterFigure, RasterModel, RasterOptions};
use pchr::scene::{CrowdFrames, Frame, Samples, Subject, WorkJob};
use pchr_tools::changes::{Version, compare};

use super::events;
use crate::viewer::action::{Action, CompareAction};
use crate::viewer::compare::{Changes, CompareId, Comparison, Figures, FiguresJob};
use crate::viewer::model::Model;
use crate::viewer::problem::Problem;

/// A side of a comparison: its subject and its images.
type Side = (Arc<dyn Subject>, Vec<Arc<Levels>>);

/// Starts the thread of a comparison, which posts the changes first. It ends when nobody can send it jobs.
///
/// # Errors
/// [`Problem`] if the system refuses the thread.
pub(crate) fn start(
    id: CompareId,
    (first, now): (&Model, &Comparison),
    post: impl Fn(Action) + Clone + Send + 'static,
) -> Result<Sender<Box<FiguresJob>>, Problem> {
    let side = |model: &Model| -> Side { (model.subject_shared(), model.images().to_vec()) };
    let sides = [side(first), side(&now.model)];
    let (of, is_after) = (now.left_and_right().map(str::to_owned), now.is_first());
    let (jobs, todo) = mpsc::channel::<Box<FiguresJob>>();
    events::start(move || {
        let versions = sides.map(version);
        let [open, other] = versions.clone();
        let found = post.clone();
        // Pictures are measured meanwhile.
        let changes = events::start(move || {
            let [open, other] = [open, other].map(of_one);
            let (old, new) = if is_after { (&other, &open) } else { (&open, &other) };
            let diff = compare(old, new);
            let changes = Changes::new(&diff, &*open.subject, is_after, of);
            found(Action::Compare(CompareAction::Changes(id, Arc::new(changes))));
        });
        if let Err(problem) = changes {
            post(Action::Report(problem));
        }
        let options = RasterOptions { samples: Samples::Four, ..RasterOptions::default() };
        let mut measuring = Measuring { raster: Raster::new(options), ..Measuring::default() };
        for job in todo {
            let figures = measuring.run(&versions, &job);
            post(Action::Compare(CompareAction::Figures(job.id, figures)));
        }
    })?;
    Ok(jobs)
}

/// Prepares a side for the CPU renderer, which needs copies of the images.
fn version((subject, images): Side) -> Version {
    let images = images.iter().map(|levels| levels.base().clone()).collect();
    let mut model = RasterModel::new(&*subject, images);
    if subject.allows_mipmaps() {
        model.build_mips();
    }
    Version { subject, model: Arc::new(model) }
}

/// Returns a side as one figure.
fn of_one(Version { subject, model }: Version) -> Version {
    let one = subject.crowd().map(|crowd| Arc::clone(crowd.one()));
    Version { subject: one.unwrap_or(subject), model }
}

/// Draws pictures of both sides, reusing its memory.
#[derive(Default)]
struct Measuring {
    raster: Raster,
    frame: Frame,
    crowd: CrowdFrames,
    pixels: [Pixels; 2],
    points: Vec<[f32; 2]>,
}

impl Measuring {
    /// Returns the difference of both pictures without overlays and background, as captures compare; `None` if one cannot be drawn.
    fn run(&mut self, versions: &[Version; 2], job: &FiguresJob) -> Option<Figures> {
        let picture = pchr::scene::Picture { clear: [0; 4], ..job.picture };
        let Self { raster, frame, crowd, pixels, points } = self;
        for ((version, side), pixels) in versions.iter().zip(&job.sides).zip(&mut *pixels) {
            let Some((at, mix, view)) = side else {
                pixels.clear(picture.size, [0; 4]);
                continue;
            };
            let subject = &*version.subject;
            frame.fill_mixed(subject, *at, *mix, view);
            let work =
                WorkJob { subject, frame, camera: &picture.camera, size: picture.size, frames: 1 };
            work.run(points).ok()?;
            let model = &version.model;
            let drawn = match subject.crowd() {
                Some(figures) => {
                    crowd.fill(figures, frame);
                    let figures = RasterFigure::of_crowd(model, crowd);
                    raster.draw_figures(&figures, &picture, Some(picture.clear), None, pixels)
                }
                None => raster.draw(model, frame.list(), frame.pose(), &picture, pixels),
            };
            drawn.ok()?;
            unpremultiply(&mut pixels.rgba);
        }
        let [first, second] = &*pixels;
        let difference = Difference::measure(first, second).ok()?;
        Some(Figures::of(&difference, Tolerance::default().channel))
    }
}
