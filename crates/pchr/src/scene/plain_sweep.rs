//! Bounds over moments of any subject, from the positions of all vertices.

use super::{Bounds, Frame, Subject, Sweep, ViewOptions};
use crate::playback::FrameAt;

/// Measures by moving every vertex at every moment. Exact, but slow for many vertices and moments.
#[derive(Debug)]
pub struct PlainSweep<'a> {
    subject: &'a dyn Subject,
    view: &'a ViewOptions,
    frame: Frame,
    points: Vec<[f32; 2]>,
}

impl<'a> PlainSweep<'a> {
    /// Creates a sweep over moments of `subject`.
    #[must_use]
    pub fn new(subject: &'a dyn Subject, view: &'a ViewOptions) -> Self {
        Self {
            subject,
            view,
            frame: Frame::default(),
            points: Vec::new(),
        }
    }
}

impl Sweep for PlainSweep<'_> {
    fn over(&mut self, moments: &mut dyn Iterator<Item = Option<FrameAt>>) -> Option<Bounds> {
        let Self {
            subject,
            view,
            frame,
            points,
        } = self;
        let mut bounds: Option<Bounds> = None;
        for at in moments {
            frame.fill(*subject, at, view);
            let draws = frame.list().draws().iter();
            for mesh in draws.filter_map(|draw| subject.mesh(draw.mesh)) {
                points.clear();
                frame.pose().place(&mesh, points);
                let finite = points
                    .iter()
                    .filter(|point| point.iter().all(|n| n.is_finite()));
                for [min, max] in finite.map(|point| [*point; 2]) {
                    let point = Bounds { min, max };
                    bounds = Some(bounds.map_or(point, |bounds| bounds.union(point)));
                }
            }
        }
        bounds
    }

    fn is_exact(&self) -> bool {
        true
    }
}
