//! The picture to compare with; each file has its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pchr::image::Levels;

use super::{Request, State};
use crate::viewer::action::ReferenceAction;
use crate::viewer::reference::{Reference, ReferenceLook, SCALES};

/// Maximum number of files that keep theirs; the one that was left first loses it first.
const MOST: usize = 16;

/// The reference of the open file, and those of files that were shown before.
#[derive(Debug, Default)]
pub(super) struct References {
    shown: Option<Reference>,
    kept: Vec<(PathBuf, Reference)>,
}

impl References {
    /// Takes the reference of the file that comes on show, and keeps that of the one before.
    pub(super) fn change(&mut self, before: Option<PathBuf>, after: Option<&Path>) {
        if let Some((path, reference)) = before.zip(self.shown.take()) {
            self.kept.retain(|(known, _)| *known != path);
            if self.kept.len() >= MOST {
                self.kept.remove(0);
            }
            self.kept.push((path, reference));
        }
        let place = after.and_then(|path| self.kept.iter().position(|(known, _)| known == path));
        self.shown = place.map(|place| self.kept.remove(place).1);
    }
}

impl State {
    /// Returns the picture to compare with.
    pub(crate) fn reference(&self) -> Option<&Reference> {
        self.references.shown.as_ref()
    }

    /// Returns true if the picture to compare with is visible behind the character.
    pub(crate) fn has_reference_behind(&self) -> bool {
        let behind = |reference: &Reference| reference.look.visible && !reference.look.above;
        self.reference().is_some_and(behind)
    }

    pub(super) fn on_reference(&mut self, action: ReferenceAction) {
        match action {
            ReferenceAction::Ask => self.requests.push(Request::ReferenceDialog),
            ReferenceAction::Open(path) => {
                self.question = None;
                self.requests.push(Request::ReadReference(path));
            }
            ReferenceAction::Show(path, picture) => self.show_reference(path, picture),
            ReferenceAction::Look(look) => self.look_at_reference(|now| *now = look),
            ReferenceAction::Toggle if self.references.shown.is_none() => {
                self.requests.push(Request::ReferenceDialog);
            }
            ReferenceAction::Toggle => self.look_at_reference(|look| look.visible = !look.visible),
            ReferenceAction::Turn => self.look_at_reference(|look| look.above = !look.above),
            ReferenceAction::Fit => self.fit_reference(),
            ReferenceAction::Remove => self.references.shown = None,
        }
    }

    /// Shows a picture that was read; another one takes the look of the one before.
    fn show_reference(&mut self, path: PathBuf, picture: Arc<Levels>) {
        let before = self.references.shown.take();
        let look = before.map_or_else(ReferenceLook::default, |before| before.look);
        self.references.shown = Some(Reference {
            path,
            picture,
            look: ReferenceLook {
                visible: true,
                ..look
            },
        });
        self.fit_reference();
    }

    fn look_at_reference(&mut self, change: impl FnOnce(&mut ReferenceLook)) {
        let Some(reference) = &mut self.references.shown else {
            return;
        };
        let before = reference.look;
        let mut look = before;
        change(&mut look);
        let is_place = look.middle.iter().all(|c| c.is_finite()) && look.scale.is_finite();
        if !is_place {
            (look.middle, look.scale) = (before.middle, before.scale);
        }
        look.scale = look.scale.clamp(*SCALES.start(), *SCALES.end());
        look.opacity = if look.opacity >= 0.0 {
            look.opacity.min(1.0)
        } else {
            0.0
        };
        reference.look = look;
    }

    /// Places the reference over the character's rectangle; in space, over the picture.
    fn fit_reference(&mut self) {
        let Some(size) = self.references.shown.as_ref().map(Reference::size) else {
            return;
        };
        let [width, height] = size.map(|side| f64::from(side.max(1)));
        let (middle, [wide, high]) = match (self.view.orbit, self.bounds_now()) {
            (Some(orbit), _) => {
                let room = self.view.size.map(|side| f64::from(side) / orbit.zoom);
                (orbit.target, room)
            }
            (None, Some(bounds)) => {
                let [[x0, y0], [x1, y1]] = [bounds.min, bounds.max].map(|at| at.map(f64::from));
                let middle = [f64::midpoint(x0, x1), f64::midpoint(y0, y1), 0.0];
                (middle, [x1 - x0, y1 - y0])
            }
            (None, None) => ([0.0; 3], [width, height]),
        };
        let scale = (wide / width).min(high / height);
        self.look_at_reference(|look| {
            look.middle = middle;
            look.scale = if scale > 0.0 { scale } else { 1.0 };
        });
    }

    /// Returns the bounds of the current animation.
    fn bounds_now(&self) -> Option<pchr::scene::Bounds> {
        let model = self.model.as_ref()?;
        model.bounds(self.player.clip.animation, &self.parts.view)
    }
}
