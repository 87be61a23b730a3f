//! A first look at pictures, before they are written: where something is visible, and the colours.

use clap::ValueEnum;
use parking_lot::Mutex;

use pchr::image::{PixelRect, Pixels};

use super::palette::{Histogram, Palette};

/// Pictures that are cut to what is visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Trimming {
    /// All pictures of a run, or all frames of an animation, alike.
    All,
    /// Each picture on its own.
    Each,
}

/// What was seen in groups of pictures.
#[derive(Debug)]
pub(crate) struct Survey(Vec<Mutex<Seen>>);

#[derive(Debug, Default)]
struct Seen {
    visible: Option<PixelRect>,
    colours: Histogram,
}

impl Survey {
    /// Starts with this many groups.
    pub(crate) fn new(groups: usize) -> Self {
        Self((0..groups).map(|_| Mutex::default()).collect())
    }

    /// Looks at a picture of a group, and counts its colours if they matter.
    pub(crate) fn look(&self, group: usize, pixels: &Pixels, counts: bool) {
        let visible = pixels.visible();
        let mut colours = Histogram::default();
        if counts {
            colours.count(pixels);
        }
        let Some(seen) = self.0.get(group) else {
            return;
        };
        let mut seen = seen.lock();
        seen.visible = match (seen.visible, visible) {
            (Some(a), Some(b)) => Some(a.union(b)),
            (a, b) => a.or(b),
        };
        seen.colours.add(colours);
    }

    /// Returns the smallest rectangle with all that is visible in a group; `None` if nothing is.
    pub(crate) fn visible(&self, group: usize) -> Option<PixelRect> {
        self.0.get(group).and_then(|seen| seen.lock().visible)
    }

    /// Returns a palette for a group whose colours were counted.
    pub(crate) fn palette(&self, group: usize) -> Palette {
        let seen = self.0.get(group).map(|seen| std::mem::take(&mut seen.lock().colours));
        Palette::new(seen.unwrap_or_default())
    }
}
