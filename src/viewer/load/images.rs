//! Decodes the images of a document, those first that the first picture needs.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, Scope};

use super::Wish;
use crate::character::Character;
use crate::document::{Document, Finding, Findings, ImageId};
use crate::format::Origin;
use crate::image::{ImageRooms, Levels};
use crate::pose::FrameAt;
use crate::scene::{Frame, ViewOptions};

/// Threads that decode images.
const DECODERS: usize = 8;

/// An image that was decoded, with its smaller copies.
#[derive(Debug)]
pub(super) struct Decoded {
    pub id: ImageId,
    pub levels: Arc<Levels>,
    pub findings: Vec<Finding>,
}

/// In which order images are decoded, and how many of them the first picture needs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Order {
    pub ids: Vec<ImageId>,
    pub first: usize,
}

impl Order {
    /// What the frame that will be shown is drawn from comes first, then what other meshes are drawn from.
    pub(super) fn new(character: &Character, wish: &Wish) -> Self {
        let document = character.document();
        let mut ids = Vec::with_capacity(document.images().len());
        let mut taken = vec![false; document.images().len()];
        let mut add = |id: ImageId| {
            if let Some(taken) = taken.get_mut(id.index())
                && !std::mem::replace(taken, true)
            {
                ids.push(id);
            }
            ids.len()
        };
        let at = first_frame(character, wish);
        let frame = Frame::new(character, at, &ViewOptions::default());
        let mut first = 0;
        for draw in frame.draws() {
            first = add(draw.image);
        }
        for mesh in document.meshes() {
            add(mesh.image());
        }
        for id in document.image_ids() {
            add(id);
        }
        if wish.whole {
            first = ids.len();
        }
        Self { ids, first }
    }
}

/// The frame that will be shown first, as far as it can be known here.
fn first_frame(character: &Character, wish: &Wish) -> Option<FrameAt> {
    let document = character.document();
    let id = wish.animation(document, character.bind())?;
    let last = document.animation(id)?.frame_count().checked_sub(1)?;
    Some(FrameAt::exact(id, wish.frame.min(last)))
}

/// Starts threads that decode the images in this order while it is `wanted`. What they make comes in any order.
pub(super) fn decode<'scope>(
    scope: &'scope Scope<'scope, '_>,
    (document, origin): (&'scope Document, &'scope Origin),
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
                let pixels = rooms.decode(document, *id, &mut findings);
                let findings = origin.in_words(document, findings);
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
