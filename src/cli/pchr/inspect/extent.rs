//! The bounds of each animation, found on all cores: every vertex of every frame has to be moved for them.

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::document::{AnimationId, Document};
use crate::pose::{BindPose, FrameAt};
use crate::scene::{Bounds, BoundsJob, Scene, ViewOptions};

/// Frames that a thread takes at a time.
const PIECE: usize = 16;

/// What is drawn.
#[derive(Debug)]
pub(super) struct Extent {
    /// By animation index: over its frames.
    pub(super) animations: Vec<Option<Bounds>>,
    /// Over all of them; of the stored pose, if there is no frame.
    pub(super) character: Option<Bounds>,
}

impl Extent {
    /// `scene` is the document's.
    pub(super) fn new(document: &Document, bind: &BindPose, scene: &Scene) -> Self {
        let job = BoundsJob {
            document,
            bind,
            view: &ViewOptions::default(),
        };
        let pieces: Vec<(AnimationId, u16, u16)> = pieces(document);
        let found: Vec<Option<Bounds>> = pieces
            .par_iter()
            .map_init(
                || scene.clone(),
                |scene, (id, start, end)| {
                    let frames = (*start..*end).map(|frame| Some(FrameAt::exact(*id, frame)));
                    job.run_in(scene, frames)
                },
            )
            .collect();
        let mut animations = vec![None; document.animations().len()];
        for ((id, ..), found) in pieces.iter().zip(found) {
            if let Some(bounds) = animations.get_mut(id.index()) {
                *bounds = union(*bounds, found);
            }
        }
        let character = if pieces.is_empty() {
            job.run_in(&mut scene.clone(), [None])
        } else {
            animations.iter().copied().fold(None, union)
        };
        Self {
            animations,
            character,
        }
    }
}

/// Each animation's frames, a piece at a time.
fn pieces(document: &Document) -> Vec<(AnimationId, u16, u16)> {
    // Frames without bones are all alike, and take no bytes: a small file may claim billions.
    let most = if document.bones().len() == 0 {
        1
    } else {
        u16::MAX
    };
    let of_one = |id: AnimationId| {
        let count = document.animation(id).map_or(0, |a| a.frame_count());
        let count = count.min(most);
        let starts = (0..count).step_by(PIECE);
        starts.map(move |start| {
            let end = usize::from(start) + PIECE;
            (id, start, u16::try_from(end).unwrap_or(count).min(count))
        })
    };
    document.animation_ids().flat_map(of_one).collect()
}

fn union(a: Option<Bounds>, b: Option<Bounds>) -> Option<Bounds> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.union(b)),
        (a, b) => a.or(b),
    }
}
