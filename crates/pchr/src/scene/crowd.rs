//! The frames of a crowd: those of its figures at a moment.

use std::collections::HashMap;

use super::{Crowded, Draw, Frame, ViewOptions};
use crate::document::AnimationId;

/// Frames of the figures of a crowd at a moment. Figures on the same frame share it. Reuses its memory.
#[derive(Clone, Debug, Default)]
pub struct CrowdFrames {
    frames: Vec<Frame>,
    number_of: HashMap<Option<(AnimationId, u16)>, usize>,
    /// Number of the frame and origin of each figure.
    figures: Vec<(usize, [f32; 2])>,
    view: ViewOptions,
}

impl CrowdFrames {
    /// Fills them for the moment of a crowd's frame, with the same changes to meshes.
    pub fn fill(&mut self, crowd: &dyn Crowded, frame: &Frame) {
        self.view.meshes.clear();
        self.view.meshes.extend_from_slice(frame.changes());
        self.number_of.clear();
        self.figures.clear();
        for (at, origin) in crowd.figures(frame.at()) {
            let next = self.number_of.len();
            let key = at.map(|at| (at.animation, at.frame));
            let number = *self.number_of.entry(key).or_insert(next);
            self.figures.push((number, origin));
            if number < next {
                continue;
            }
            if self.frames.len() == number {
                self.frames.push(Frame::default());
            }
            if let Some(frame) = self.frames.get_mut(number) {
                frame.fill(&**crowd.one(), at, &self.view);
            }
        }
    }

    /// Returns the frame and the origin of each figure, from the farthest to the nearest.
    pub fn figures(&self) -> impl Iterator<Item = (&Frame, [f32; 2])> {
        let figures = self.figures.iter();
        figures.filter_map(|(number, origin)| Some((self.frames.get(*number)?, *origin)))
    }

    /// Returns the number of draws that a graphics device needs for them: one for figures that follow each other in the same order, if that
    /// has one image; else one for each figure and run of meshes with the same image.
    #[must_use]
    pub fn draw_count(&self) -> usize {
        let mut last: Option<&[Draw]> = None;
        let draws = self.figures().map(|(frame, _)| {
            let runs = frame.list().run_count();
            let is_same = last.replace(frame.draws()) == Some(frame.draws());
            if is_same && runs == 1 { 0 } else { runs }
        });
        draws.sum()
    }
}
