//! Bounds of sprites over moments: those of their sources, so that a view fits all frames alike.

use pchr::document::MeshId;
use pchr::playback::FrameAt;
use pchr::scene::{Bounds, MeshView, Sweep, ViewOptions};

use super::Sheet;

/// Measures the sprites that are shown.
pub(super) struct SheetSweep<'a> {
    sheet: &'a Sheet,
    view: &'a ViewOptions,
    /// Bounds of sprites that are shown at any moment.
    always: Option<Bounds>,
}

impl<'a> SheetSweep<'a> {
    pub(super) fn new(sheet: &'a Sheet, view: &'a ViewOptions) -> Self {
        let shown = |(view, quad): (&MeshView, &super::Quad)| {
            (view.visible == Some(true)).then_some(quad.bounds)
        };
        let shown = view.meshes.iter().zip(&sheet.quads).filter_map(shown);
        Self {
            sheet,
            view,
            always: shown.reduce(Bounds::union),
        }
    }

    fn bounds(&self, sprite: MeshId) -> Option<Bounds> {
        let view = self.view.meshes.get(sprite.index());
        let hidden = view.is_some_and(|view| view.visible == Some(false));
        let quad = self.sheet.quads.get(sprite.index()).filter(|_| !hidden)?;
        Some(quad.bounds)
    }
}

impl Sweep for SheetSweep<'_> {
    fn over(&mut self, moments: &mut dyn Iterator<Item = Option<FrameAt>>) -> Option<Bounds> {
        let mut any = false;
        let shown = moments.flatten().filter_map(|at| {
            any = true;
            self.bounds(self.sheet.sprite_at(at)?)
        });
        let shown = shown.reduce(Bounds::union);
        let always = self.always.filter(|_| any);
        match (shown, always) {
            (Some(a), Some(b)) => Some(a.union(b)),
            (a, b) => a.or(b),
        }
    }

    fn is_exact(&self) -> bool {
        true
    }
}
