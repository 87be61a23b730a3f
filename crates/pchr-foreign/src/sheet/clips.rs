//! Flip-books of an atlas as animations.

use pchr::document::{AnimationId, FPS_WHEN_ZERO, MeshId};
use pchr::playback::{FrameAt, Timeline};
use pchr::scene::Clip;

use super::MOST;
use crate::atlas::{Atlas, FlipBook, flip_books};

/// Name of the animation that shows every sprite.
const ALL: &str = "all";

/// The animations: flip-books in the order of their first sprites, and one that walks every sprite in the order of the file.
#[derive(Debug)]
pub(super) struct Clips {
    books: Vec<FlipBook>,
    /// Flip-book and frame of each sprite that is shown.
    moments: Vec<[u16; 2]>,
    /// Number of sprites that are shown.
    sprites: u16,
}

impl Clips {
    /// The flip-books of an atlas, whose first sprites are shown.
    pub(super) fn new(atlas: &Atlas, shown: usize) -> Self {
        let mut books = flip_books(atlas);
        for book in &mut books {
            book.sprites.retain(|sprite| (*sprite as usize) < shown);
        }
        books.retain(|book| !book.sprites.is_empty());
        books.truncate(MOST.saturating_sub(1));
        let mut moments = vec![[0; 2]; shown];
        for (index, book) in (0..=u16::MAX).zip(&books) {
            for (frame, sprite) in (0..=u16::MAX).zip(&book.sprites) {
                if let Some(moment) = moments.get_mut(*sprite as usize) {
                    *moment = [index, frame];
                }
            }
        }
        Self {
            books,
            moments,
            sprites: u16::try_from(shown).unwrap_or(u16::MAX),
        }
    }

    /// Number of animations.
    pub(super) fn len(&self) -> usize {
        let all = usize::from(self.has_all());
        self.books.len().saturating_add(all)
    }

    /// One flip-book shows every sprite as it is.
    fn has_all(&self) -> bool {
        self.books.len() > 1
    }

    /// The animation that shows every sprite, where there is more than one flip-book.
    pub(super) fn all(&self) -> Option<AnimationId> {
        let index = u16::try_from(self.books.len()).ok()?;
        self.has_all().then_some(AnimationId(index))
    }

    /// The first flip-book with several sprites, else the first.
    pub(super) fn first_to_show(&self) -> Option<AnimationId> {
        let several = self.books.iter().position(|book| book.sprites.len() > 1);
        let index = several.or_else(|| (!self.books.is_empty()).then_some(0))?;
        Some(AnimationId(u16::try_from(index).ok()?))
    }

    /// Name and timeline of an animation.
    pub(super) fn clip(&self, id: AnimationId) -> Option<Clip<'_>> {
        let (name, frame_count) = match self.books.get(id.index()) {
            Some(book) => {
                let count = u16::try_from(book.sprites.len()).unwrap_or(u16::MAX);
                (book.name.as_str(), count)
            }
            None => (self.all() == Some(id)).then_some((ALL, self.sprites))?,
        };
        let timeline = Timeline {
            frame_count,
            fps: f64::from(FPS_WHEN_ZERO),
            looping: true,
            smooth: false,
        };
        Some(Clip { name, timeline })
    }

    /// The frame of a sprite, where all are walked if that is `near`.
    pub(super) fn moment(&self, sprite: MeshId, near: Option<AnimationId>) -> Option<FrameAt> {
        let [book, frame] = *self.moments.get(sprite.index())?;
        let all = self.all().filter(|all| near == Some(*all));
        Some(match all {
            Some(all) => FrameAt::exact(all, sprite.0),
            None => FrameAt::exact(AnimationId(book), frame),
        })
    }

    /// The sprite of a frame.
    pub(super) fn sprite(&self, id: AnimationId, frame: u16) -> Option<MeshId> {
        match self.books.get(id.index()) {
            Some(book) => {
                let sprite = book.sprites.get(usize::from(frame))?;
                Some(MeshId(u16::try_from(*sprite).ok()?))
            }
            None => (self.all() == Some(id) && frame < self.sprites).then_some(MeshId(frame)),
        }
    }
}
