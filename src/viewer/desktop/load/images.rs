//! Decodes the images of a subject, starting with those of the first picture.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, Scope};

use pchr::document::{AnimationId, ImageId, Images};
use pchr::finding::{Finding, Findings};
use pchr::image::{ImageRooms, Levels};
use pchr::playback::FrameAt;
use pchr::scene::{Frame, Geometry, Subject, ViewOptions};

use super::Wish;

/// Largest number of threads that decode images.
const DECODERS: usize = 8;

/// A decoded image with its smaller copies.
#[derive(Debug)]
pub(super) struct Decoded {
    pub id: ImageId,
    pub levels: Arc<Levels>,
    pub findings: Vec<Finding>,
}

/// Order in which images are decoded, and the number of images in the first picture.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Order {
    pub ids: Vec<ImageId>,
    pub first: usize,
}

impl Order {
    /// Creates the order: first the images of the frame that will be shown, then those of other meshes. `animation` is
    /// the one that will be shown.
    pub(super) fn new(subject: &dyn Subject, animation: Option<AnimationId>, wish: &Wish) -> Self {
        let images: &dyn Images = subject;
        let geometry: &dyn Geometry = subject;
        let mut ids = Vec::with_capacity(images.image_count());
        let mut taken = vec![false; images.image_count()];
        let mut add = |id: ImageId| {
            if let Some(taken) = taken.get_mut(id.index())
                && !std::mem::replace(taken, true)
            {
                ids.push(id);
            }
            ids.len()
        };
        let at = first_frame(subject, animation, wish.frame);
        let frame = Frame::new(subject, at, &ViewOptions::default());
        let mut first = 0;
        for draw in frame.draws() {
            first = add(draw.image);
        }
        for mesh in geometry.meshes() {
            add(mesh.image());
        }
        for id in images.image_ids() {
            add(id);
        }
        if wish.whole {
            first = ids.len();
        }
        Self { ids, first }
    }
}

/// Returns the frame that will be shown first, as far as it is known here.
fn first_frame(
    subject: &dyn Subject,
    animation: Option<AnimationId>,
    frame: u16,
) -> Option<FrameAt> {
    let id = animation?;
    let last = subject.frame_count(id).checked_sub(1)?;
    Some(FrameAt::exact(id, frame.min(last)))
}

/// Starts threads that decode the images in this order while they are `wanted`. The results arrive in any order.
pub(super) fn decode<'scope>(
    scope: &'scope Scope<'scope, '_>,
    images: &'scope dyn Images,
    ids: &'scope [ImageId],
    (next, rooms): (&'scope AtomicUsize, &'scope ImageRooms),
    wanted: &'scope (dyn Fn() -> bool + Sync),
) -> Receiver<Decoded> {
    let (sender, decoded) = mpsc::channel();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    for decoder in 0..cores.min(ids.len()).min(DECODERS) {
        let sender = sender.clone();
        let work = move || {
            while let Some(id) = ids.get(next.fetch_add(1, Ordering::Relaxed)) {
                if !wanted() {
                    break;
                }
                let mut findings = Findings::default();
                let pixels = rooms.decode(images, *id, &mut findings);
                let done = Decoded {
                    id: *id,
                    levels: Arc::new(Levels::with_mipmaps(pixels)),
                    findings: findings.iter().cloned().collect(),
                };
                if sender.send(done).is_err() {
                    break;
                }
            }
        };
        if thread::Builder::new()
            .spawn_scoped(scope, work.clone())
            .is_err()
        {
            if decoder == 0 {
                work(); // without other threads it is done here
            }
            break;
        }
    }
    decoded
}
